//! Which instructions of a block have to run before which.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// An instruction that has to run before another.
pub struct Edge {
    pub from: usize,
    /// It only reads what the other writes, so that both may run at once.
    pub weak: bool,
}

/// What each instruction waits for, from the parts of the machine that it reads and those that it writes.
pub fn predecessors<P: Copy + Eq + Hash>(
    parts: impl Iterator<Item = [HashSet<P>; 2]>,
) -> Vec<Vec<Edge>> {
    let mut writer: HashMap<P, usize> = HashMap::new();
    let mut readers: HashMap<P, Vec<usize>> = HashMap::new();
    let edges = parts.enumerate().map(|(at, [read, written])| {
        let mut strict: HashSet<usize> = HashSet::new();
        let mut weak: HashSet<usize> = HashSet::new();
        for part in &read {
            strict.extend(writer.get(part));
        }
        for part in &written {
            strict.extend(writer.get(part));
            weak.extend(readers.remove(part).into_iter().flatten());
            writer.insert(*part, at);
        }
        for part in read {
            readers.entry(part).or_default().push(at);
        }
        weak.retain(|from| !strict.contains(from));
        let strict = strict.into_iter().map(|from| Edge { from, weak: false });
        let weak = weak.into_iter().map(|from| Edge { from, weak: true });
        strict.chain(weak).collect()
    });
    edges.collect()
}
