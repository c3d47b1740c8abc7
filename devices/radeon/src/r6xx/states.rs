//! What draws are made from, decoded once for each state of the registers.

use std::sync::Arc;

use crate::registers::{RegisterFile, Snapshot};

/// States that are kept; the one that was made first goes when there are more.
const MOST: usize = 64;

/// Decoded states, found again by the registers.
#[derive(Debug)]
pub struct States<T> {
    kept: Vec<(Snapshot, Arc<T>)>,
    /// The last one, and how often registers had changed when it was met.
    last: Option<(u64, Arc<T>)>,
    /// Which one goes next.
    oldest: usize,
}

impl<T> Default for States<T> {
    fn default() -> States<T> {
        States {
            kept: Vec::new(),
            last: None,
            oldest: 0,
        }
    }
}

impl<T> States<T> {
    /// What belongs to the state of the registers, if that is known.
    pub fn get(&mut self, registers: &RegisterFile) -> Option<Arc<T>> {
        let changes = registers.changes();
        if let Some((at, state)) = &self.last
            && *at == changes
        {
            return Some(state.clone());
        }
        let mut kept = self.kept.iter();
        let (_, state) = kept.find(|(snapshot, _)| registers.is(snapshot))?;
        self.last = Some((changes, state.clone()));
        Some(state.clone())
    }

    /// Keeps what belongs to the state of the registers.
    pub fn put(&mut self, registers: &RegisterFile, state: &Arc<T>) {
        self.last = Some((registers.changes(), state.clone()));
        let mut kept = self.kept.iter_mut();
        if let Some((_, old)) = kept.find(|(snapshot, _)| registers.is(snapshot)) {
            *old = state.clone();
            return;
        }
        let entry = (registers.snapshot(), state.clone());
        if self.kept.len() < MOST {
            self.kept.push(entry);
        } else {
            self.kept[self.oldest] = entry;
            self.oldest = (self.oldest + 1) % MOST;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again() {
        let mut registers = RegisterFile::new(std::slice::from_ref(&(0..64)));
        let mut states = States::default();
        let mut made = 0;
        let mut check = |registers: &RegisterFile| {
            let wanted = registers.get(0);
            if states.get(registers).is_none() {
                made += 1;
                states.put(registers, &Arc::new(wanted));
            }
            for _ in 0..2 {
                assert_eq!(states.get(registers).as_deref(), Some(&wanted));
            }
            made
        };
        registers.set(60, 1);
        for value in [1, 2, 3, 1, 2, 3] {
            registers.set(0, value);
            check(&registers);
        }
        assert_eq!(check(&registers), 3);
        // One more than are kept: the first goes.
        for value in 1..=MOST as u32 + 1 {
            registers.set(0, value);
            check(&registers);
        }
        assert_eq!(check(&registers), MOST + 1);
        for (value, after) in [(3, MOST + 1), (1, MOST + 2)] {
            registers.set(0, value);
            assert_eq!(check(&registers), after, "{value}");
        }
    }

    #[test]
    fn a_new_one_replaces_the_old() {
        let registers = RegisterFile::new(std::slice::from_ref(&(0..64)));
        let mut states = States::default();
        for number in [4, 5] {
            states.put(&registers, &Arc::new(number));
            assert_eq!(states.get(&registers).as_deref(), Some(&number));
        }
        assert_eq!(states.kept.len(), 1);
    }
}
