//! Where stores go: to memory at once, or to a log whose turn comes later.
//!
//! Groups that run at the same time write one log each. Replaying the logs in ascending order of groups leaves the bytes
//! that the groups leave one after the other, where they store to the same words too, as long as nobody loads what they
//! store. Where a group may do so, its log keeps the range of words that it loads and of those that it stores.

use std::ops::Range;

use lanes::Fault;
use silicon::Memory;

use crate::atomic;
use crate::isa::memory::Atomic;

/// Stores in the order of a group.
#[derive(Debug, Default)]
pub struct StoreLog {
    /// From the first to the last of the watched words that the group loads.
    loaded: Range<u32>,
    /// The same of those that it stores.
    stored: Range<u32>,
    entries: Vec<Entry>,
    /// Data and second operand of atomic operations.
    operands: Vec<[u64; 2]>,
    /// Whether there were more stores than it takes, or the group loads what it stores: it has to run again without a log.
    full: bool,
}

/// Most stores of a log: 12 MiB.
const MOST: usize = 1 << 20;

/// A store at a word, by its number.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Word { at: u32, value: u32 },
    Merge { at: u32, mask: u32, value: u32 },
    Atomic { at: u32, op: Atomic, size: u8 },
}

impl StoreLog {
    /// Forgets all stores.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.operands.clear();
        (self.loaded, self.stored) = (0..0, 0..0);
        self.full = false;
    }

    /// From the first to the last of the watched words that the group stores.
    pub(crate) fn stored(&self) -> Range<u32> {
        self.stored.clone()
    }

    /// Whether the group loads some of these words.
    pub(crate) fn loads(&self, words: &Range<u32>) -> bool {
        meet(&self.loaded, words)
    }

    /// Whether stores are lost.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Notes a store to words, if they are watched.
    fn note(&mut self, at: u32, count: u32, watched: &Range<u32>) {
        let words = at..at.saturating_add(count);
        if meet(&words, watched) {
            widen(&mut self.stored, &words);
        }
    }

    fn push(&mut self, entry: Entry) {
        match self.entries.len() < MOST {
            true => self.entries.push(entry),
            false => self.full = true,
        }
    }

    /// Makes the stores, in order, and forgets them.
    pub(crate) fn replay(&mut self, memory: &Memory) {
        let mut operands = self.operands.iter();
        let byte = |at: u32| 4 * u64::from(at);
        for entry in &self.entries {
            // What is outside has not come into the log.
            let done = match *entry {
                Entry::Word { at, value } => memory.store(byte(at), value),
                Entry::Merge { at, mask, value } => memory.merge(byte(at), mask, value),
                Entry::Atomic { at, op, size } => operands.next().and_then(|&operands| {
                    let changed = change(memory, byte(at), op, size, operands);
                    changed.ok().map(|_| ())
                }),
            };
            debug_assert!(done.is_some(), "it lies in memory");
        }
        self.clear();
    }
}

/// Whether two ranges have words in common.
fn meet(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Widens a range of words, which may be empty.
fn widen(range: &mut Range<u32>, by: &Range<u32>) {
    *range = match range.start >= range.end {
        true => by.clone(),
        false => range.start.min(by.start)..range.end.max(by.end),
    };
}

/// The logs of the groups that run as one batch.
#[derive(Debug, Default)]
pub struct StoreLogs {
    /// Words that groups may load and store both; empty where there are none.
    pub(crate) watched: Range<u32>,
    pub(crate) logs: Vec<StoreLog>,
    /// The log of the group whose wave runs; none where stores go to memory at once.
    pub(crate) current: Option<usize>,
}

impl StoreLogs {
    /// Whether stores go to a log.
    pub(super) fn is_on(&self) -> bool {
        self.current.is_some()
    }

    /// Whether loads have to be told.
    pub(super) fn watches_loads(&self) -> bool {
        !self.watched.is_empty() && self.current.is_some()
    }

    /// The group loads bytes. What it has stored before is not in memory yet, so it must not be among them.
    pub(super) fn load(&mut self, bytes: Range<u64>) {
        let word = |byte: u64| u32::try_from(byte).unwrap_or(u32::MAX);
        let words = word(bytes.start / 4)..word(bytes.end.div_ceil(4));
        let log = self.current.and_then(|group| self.logs.get_mut(group));
        if let Some(log) = log
            && meet(&words, &self.watched)
        {
            log.full |= meet(&words, &log.stored);
            widen(&mut log.loaded, &words);
        }
    }

    /// Where stores go now.
    pub(super) fn stores<'a>(&'a mut self, memory: &'a Memory) -> Stores<'a> {
        Stores {
            memory,
            watched: &self.watched,
            log: self.current.and_then(|group| self.logs.get_mut(group)),
        }
    }
}

/// Memory that a group's stores go to, at once or by its log.
pub(super) struct Stores<'a> {
    pub(super) memory: &'a Memory,
    watched: &'a Range<u32>,
    pub(super) log: Option<&'a mut StoreLog>,
}

impl Stores<'_> {
    /// Writes the word that holds the byte address; `None` outside.
    pub(super) fn store(&mut self, address: u64, value: u32) -> Option<()> {
        let Some(log) = &mut self.log else {
            return self.memory.store(address, value);
        };
        let at = word(self.memory, address)?;
        log.push(Entry::Word { at, value });
        log.note(at, 1, self.watched);
        Some(())
    }

    /// Replaces the bits of `mask` in a word; `None` outside.
    pub(super) fn merge(&mut self, address: u64, mask: u32, value: u32) -> Option<()> {
        if mask == u32::MAX {
            return self.store(address, value);
        }
        let Some(log) = &mut self.log else {
            return self.memory.merge(address, mask, value);
        };
        let at = word(self.memory, address)?;
        log.push(Entry::Merge { at, mask, value });
        log.note(at, 1, self.watched);
        Some(())
    }

    /// Changes one element of 4 or 8 bytes and gives its old value, or the address that is outside. From a log, whose
    /// turn comes later, there is no old value: it gives 0.
    pub(super) fn atomic(
        &mut self,
        address: u64,
        op: Atomic,
        size: u8,
        operands: [u64; 2],
    ) -> Result<u64, u64> {
        let Some(log) = &mut self.log else {
            return change(self.memory, address, op, size, operands);
        };
        let at = word(self.memory, address).ok_or(address)?;
        if size == 8 {
            word(self.memory, address + 4).ok_or(address + 4)?;
        }
        log.push(Entry::Atomic { at, op, size });
        log.note(at, u32::from(size / 4), self.watched);
        log.operands.push(operands);
        Ok(0)
    }
}

/// The number of the word that holds a byte address.
fn word(memory: &Memory, address: u64) -> Option<u32> {
    memory.word(address)?;
    u32::try_from(address / 4).ok()
}

/// Changes one element of memory and gives its old value, or the address that is outside.
///
/// Nobody else changes memory meanwhile, so the two halves of a 64-bit element need not change as one.
fn change(
    memory: &Memory,
    address: u64,
    op: Atomic,
    size: u8,
    [data, second]: [u64; 2],
) -> Result<u64, u64> {
    if size == 4 {
        let new = |old: u32| atomic::apply(op, 4, u64::from(old), data, second) as u32;
        return memory.fetch(address, new).map(u64::from).ok_or(address);
    }
    let load = |at: u64| memory.load(at).map(u64::from).ok_or(at);
    let old = load(address)? | load(address + 4)? << 32;
    let new = atomic::apply(op, 8, old, data, second);
    let store = |at: u64, word: u64| memory.store(at, word as u32).ok_or(at);
    store(address, new)?;
    store(address + 4, new >> 32)?;
    Ok(old)
}

/// A lane's access to an address that is outside.
pub(super) fn outside(lane: usize, address: u64) -> Fault {
    Fault::Address {
        lane: lane as u32,
        address,
    }
}
