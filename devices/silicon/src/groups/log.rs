//! Where stores of a group go: to memory at once, or to a log whose turn comes later.
//!
//! Beside its stores a log keeps which words the group loads and which it stores, as far as they are watched: a range for
//! each site, an instruction or a resource. Sites are told apart so that buffers which lie beside each other stay so.

use std::ops::Range;

use super::change::{Change, Words, change};
use crate::fragment::interpolate::lanes as lanes_of;
use crate::memory::{Memory, ROW_WORDS};
use crate::texture::sample::{Sink, one_by_one};

/// Stores in the order of a group.
#[derive(Debug)]
pub struct StoreLog<A> {
    loaded: Ranges,
    stored: Ranges,
    /// What it has changed in its turn, see [`StoreLogs::turn`].
    changed: Ranges,
    entries: Vec<Entry<A>>,
    /// Data and second operand of atomic operations.
    operands: Vec<[u64; 2]>,
    /// Words of the lanes of waves.
    rows: Vec<StoredRow>,
    /// Words of all lanes of waves that lie side by side.
    lines: Vec<[u32; ROW_WORDS]>,
    /// Whether there were more stores than it takes, or the group loads what it stores: it has to run again without a log.
    full: bool,
}

impl<A> Default for StoreLog<A> {
    fn default() -> StoreLog<A> {
        StoreLog {
            loaded: Ranges::default(),
            stored: Ranges::default(),
            changed: Ranges::default(),
            entries: Vec::new(),
            operands: Vec::new(),
            rows: Vec::new(),
            lines: Vec::new(),
            full: false,
        }
    }
}

/// Most words that a log takes: 12 MiB.
const MOST: usize = 1 << 20;

/// Words by their numbers, and what is stored there, in the order of lanes.
#[derive(Debug)]
struct StoredRow {
    lanes: u64,
    at: [u32; ROW_WORDS],
    values: [u32; ROW_WORDS],
}

/// A store at a word, by its number.
#[derive(Clone, Copy, Debug)]
enum Entry<A> {
    Word {
        at: u32,
        value: u32,
    },
    /// The next one of [`StoreLog::rows`].
    Row,
    /// The next one of [`StoreLog::lines`], from this word on.
    Line {
        at: u32,
    },
    /// The next one of [`StoreLog::rows`], whose values are the data of an operation on words.
    Changes {
        op: A,
    },
    Merge {
        at: u32,
        mask: u32,
        value: u32,
    },
    Atomic {
        at: u32,
        op: A,
        size: u8,
    },
}

/// Words by site: from the first to the last of each.
#[derive(Debug, Default)]
struct Ranges(Vec<(u32, Range<u32>)>);

/// Most sites that are told apart; those behind share the last range.
pub const MOST_SITES: usize = 32;

impl Ranges {
    /// Widens the range of a site.
    fn add(&mut self, site: u32, words: &Range<u32>) {
        let full = self.0.len() == MOST_SITES;
        let found = self.0.iter().position(|(known, _)| *known == site);
        match found.or_else(|| full.then_some(MOST_SITES - 1)) {
            Some(at) => {
                let range = &mut self.0[at].1;
                *range = range.start.min(words.start)..range.end.max(words.end);
            }
            None => self.0.push((site, words.clone())),
        }
    }

    fn meet(&self, words: &Range<u32>) -> bool {
        self.0.iter().any(|(_, range)| meet(range, words))
    }
}

impl<A: Change> StoreLog<A> {
    /// Forgets all stores.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.operands.clear();
        self.rows.clear();
        self.lines.clear();
        self.loaded.0.clear();
        self.stored.0.clear();
        self.changed.0.clear();
        self.full = false;
    }

    /// The watched words that the group stores, from the first to the last of each site.
    pub fn stored(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.stored.0.iter().map(|(_, words)| words.clone())
    }

    /// Whether the group loads some of these words.
    pub fn loads(&self, words: &Range<u32>) -> bool {
        self.loaded.meet(words)
    }

    /// Whether stores are lost.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Gives back memory that few groups need: about 20 KiB stay.
    pub(crate) fn shrink(&mut self) {
        const KEPT: usize = 16;
        self.entries.shrink_to(KEPT * KEPT);
        self.operands.shrink_to(KEPT);
        self.rows.shrink_to(KEPT);
        self.lines.shrink_to(KEPT);
    }

    /// Notes a store to words, if they are watched.
    fn note(&mut self, site: u32, at: u32, count: u32, watched: &Range<u32>) {
        let words = at..at.saturating_add(count);
        if meet(&words, watched) {
            self.stored.add(site, &words);
        }
    }

    /// Notes a store to words of some lanes, if they are watched.
    #[inline]
    fn note_row(&mut self, site: u32, at: &[u32; ROW_WORDS], lanes: u64, watched: &Range<u32>) {
        if watched.is_empty() {
            return;
        }
        if let Some(words) = ends(at, lanes) {
            self.note(site, words.start, words.end - words.start, watched);
        }
    }

    /// Says whether there is room.
    fn push(&mut self, entry: Entry<A>) -> bool {
        let of_rows = (self.rows.len() + self.lines.len()) * ROW_WORDS;
        let room = self.entries.len() + of_rows < MOST;
        match room {
            true => self.entries.push(entry),
            false => self.full = true,
        }
        room
    }

    fn push_row(&mut self, entry: Entry<A>, row: StoredRow) {
        if self.push(entry) {
            self.rows.push(row);
        }
    }

    /// Takes the stores of other logs behind its own, which are not watched, and leaves none there. If there is no room it
    /// takes nothing, and is full.
    pub fn append(&mut self, others: &mut [StoreLog<A>]) {
        let words =
            |log: &StoreLog<A>| log.entries.len() + (log.rows.len() + log.lines.len()) * ROW_WORDS;
        let lost = others.iter().any(StoreLog::is_full);
        self.full |= lost || words(self) + others.iter().map(words).sum::<usize>() > MOST;
        for other in others {
            if !self.full {
                self.entries.append(&mut other.entries);
                self.operands.append(&mut other.operands);
                self.rows.append(&mut other.rows);
                self.lines.append(&mut other.lines);
            }
            other.clear();
        }
    }

    /// Makes the stores, in order, and forgets them.
    pub fn replay(&mut self, memory: &Memory) {
        let mut operands = self.operands.iter();
        let mut rows = self.rows.iter();
        let mut lines = self.lines.iter();
        let byte = |at: u32| 4 * u64::from(at);
        for entry in &self.entries {
            // What is outside has not come into the log.
            let done = match *entry {
                Entry::Word { at, value } => memory.store(byte(at), value),
                Entry::Row => rows.next().and_then(|row| match row.lanes {
                    u64::MAX => memory.scatter(&row.at, &row.values),
                    lanes => memory.update(&row.at, lanes, |lane, _| row.values[lane]),
                }),
                Entry::Line { at } => lines.next().and_then(|line| memory.store_line(at, line)),
                Entry::Changes { op } => rows.next().and_then(|row| {
                    let change = |lane: usize, old: u32| {
                        op.apply(4, u64::from(old), [u64::from(row.values[lane]), 0]) as u32
                    };
                    memory.update(&row.at, row.lanes, change)
                }),
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

/// From the first to the last word of some lanes; nothing where there is no lane.
fn ends(at: &[u32; ROW_WORDS], lanes: u64) -> Option<Range<u32>> {
    let mut words = lanes_of(lanes).map(|lane| at[lane]);
    let first = words.next()?;
    let (low, high) = words.fold((first, first), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    Some(low..high + 1)
}

/// Takes back changes of words, the last one first.
pub(super) fn take_back(old: &[(u32, u32)], memory: &Memory) {
    for (at, old) in old.iter().rev() {
        let done = memory.store(4 * u64::from(*at), *old);
        debug_assert!(done.is_some(), "it lies in memory");
    }
}

/// Whether groups that have run at the same time may tell so from what some have changed in their turns: if others load or
/// store it, or two instructions change it.
pub(super) fn tell_turns<'a, A: 'a>(logs: impl Iterator<Item = &'a StoreLog<A>> + Clone) -> bool {
    let mut changed = Ranges::default();
    for (port, words) in logs.clone().flat_map(|log| &log.changed.0) {
        changed.add(*port, words);
    }
    let all = &changed.0;
    let by_two = (all.iter().enumerate())
        .any(|(n, (_, words))| all[..n].iter().any(|(_, other)| meet(words, other)));
    let others = |log: &StoreLog<A>| {
        (all.iter()).any(|(_, words)| log.loaded.meet(words) || log.stored.meet(words))
    };
    by_two || !all.is_empty() && logs.clone().any(others)
}

/// Whether two ranges have words in common.
#[inline]
fn meet(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Words that bytes lie in.
pub fn words_of(bytes: &Range<u64>) -> Range<u32> {
    let word = |byte: u64| u32::try_from(byte).unwrap_or(u32::MAX);
    word(bytes.start / 4)..word(bytes.end.div_ceil(4))
}

/// The logs of the groups that run as one batch.
#[derive(Debug)]
pub struct StoreLogs<A> {
    /// Words that groups may load and store both; empty where there are none.
    pub watched: Range<u32>,
    /// By group of the batch.
    pub logs: Vec<StoreLog<A>>,
    /// The log of the group whose wave runs; none where stores go to memory at once.
    pub current: Option<usize>,
    /// The instruction whose changes are made at once, as it is the turn of the batch: see [`super::queues`].
    pub turn: Option<u32>,
    /// Words that were changed so, and what was there, in order.
    pub old: Vec<(u32, u32)>,
}

impl<A> Default for StoreLogs<A> {
    fn default() -> StoreLogs<A> {
        StoreLogs {
            watched: 0..0,
            logs: Vec::new(),
            current: None,
            turn: None,
            old: Vec::new(),
        }
    }
}

impl<A: Change> StoreLogs<A> {
    /// Whether stores go to a log.
    pub fn is_on(&self) -> bool {
        self.current.is_some()
    }

    /// Whether loads have to be told.
    pub fn watches_loads(&self) -> bool {
        !self.watched.is_empty() && self.current.is_some()
    }

    /// Whether some of these bytes are watched.
    pub fn watches(&self, bytes: &Range<u64>) -> bool {
        !self.watched.is_empty() && meet(&words_of(bytes), &self.watched)
    }

    /// The group loads bytes. What it has stored before is not in memory yet, so it must not be among them.
    pub fn load(&mut self, site: u32, bytes: Range<u64>) {
        let words = words_of(&bytes);
        let log = self.current.and_then(|group| self.logs.get_mut(group));
        if let Some(log) = log
            && meet(&words, &self.watched)
        {
            log.full |= log.stored.meet(&words);
            log.loaded.add(site, &words);
        }
    }

    /// Takes back what the batch has changed in its turn.
    pub fn take_back(&mut self, memory: &Memory) {
        take_back(&self.old, memory);
        self.old.clear();
    }

    /// All groups of the batch load bytes.
    pub fn load_by_all(&mut self, site: u32, bytes: Range<u64>) {
        let before = self.current;
        for group in 0..self.logs.len() {
            self.current = before.map(|_| group);
            self.load(site, bytes.clone());
        }
        self.current = before;
    }

    /// Where stores of a site go now.
    pub fn stores<'a>(&'a mut self, site: u32, memory: &'a Memory) -> Stores<'a, A> {
        Stores {
            memory,
            site,
            watched: &self.watched,
            log: self.current.and_then(|group| self.logs.get_mut(group)),
            turn: self.turn.map(|port| (port, &mut self.old)),
        }
    }
}

/// Memory that a group's stores go to, at once or by its log.
pub struct Stores<'a, A> {
    /// Memory.
    pub memory: &'a Memory,
    site: u32,
    watched: &'a Range<u32>,
    log: Option<&'a mut StoreLog<A>>,
    /// The instruction whose changes are made at once, and what they replace.
    turn: Option<(u32, &'a mut Vec<(u32, u32)>)>,
}

impl<A: Change> Stores<'_, A> {
    /// Whether changes wait in a log, as it is not their turn.
    pub fn waits(&self) -> bool {
        self.log.is_some() && self.turn.is_none()
    }

    /// Writes the word that holds the byte address; `None` outside.
    pub fn store(&mut self, address: u64, value: u32) -> Option<()> {
        let Some(log) = &mut self.log else {
            return self.memory.store(address, value);
        };
        let at = word(self.memory, address)?;
        log.push(Entry::Word { at, value });
        log.note(self.site, at, 1, self.watched);
        Some(())
    }

    /// Replaces the bits of `mask` in a word; `None` outside.
    pub fn merge(&mut self, address: u64, mask: u32, value: u32) -> Option<()> {
        if mask == u32::MAX {
            return self.store(address, value);
        }
        let Some(log) = &mut self.log else {
            return self.memory.merge(address, mask, value);
        };
        let at = word(self.memory, address)?;
        log.push(Entry::Merge { at, mask, value });
        log.note(self.site, at, 1, self.watched);
        Some(())
    }

    /// Writes a word, or several side by side, of each lane at `base` and its offset, all of which lie in memory; says
    /// whether it did, which it does not where words of lanes may lie across each other.
    pub fn words<const N: usize>(
        &mut self,
        (base, offsets): (u64, &[u32; ROW_WORDS]),
        lanes: u64,
        rows: [&[u32; ROW_WORDS]; N],
    ) -> bool {
        let apart = 4 * N as u32 - 1;
        let across = |bits: u32, at: &u32| bits | ((at ^ offsets[0]) & apart);
        if N > 1
            && (!N.is_power_of_two() || offsets.iter().fold(0, across) != 0)
            && !ascend(offsets, lanes, 4 * N as u32)
        {
            return false;
        }
        if N > 1 && lanes == u64::MAX && in_steps(offsets, 4 * N as u32) {
            let Some(first) = numbers(base, offsets) else {
                return false;
            };
            for line in 0..N {
                let mut words = [0; ROW_WORDS];
                for (n, word) in words.iter_mut().enumerate() {
                    let n = line * ROW_WORDS + n;
                    *word = rows[n % N][n / N];
                }
                self.line(first[0] + (line * ROW_WORDS) as u32, &words);
            }
            return true;
        }
        let Some(mut at) = numbers(base, offsets) else {
            return false;
        };
        for (n, values) in rows.into_iter().enumerate() {
            if n > 0 {
                at.iter_mut().for_each(|at| *at += 1);
            }
            self.row_of_words(&at, lanes, values);
        }
        true
    }

    /// Writes words that lie side by side, from this one on.
    fn line(&mut self, at: u32, words: &[u32; ROW_WORDS]) {
        let Some(log) = &mut self.log else {
            let done = self.memory.store_line(at, words);
            debug_assert!(done.is_some(), "it lies in memory");
            return;
        };
        log.note(self.site, at, ROW_WORDS as u32, self.watched);
        if log.push(Entry::Line { at }) {
            log.lines.push(*words);
        }
    }

    /// Writes words by their numbers.
    fn row_of_words(&mut self, at: &[u32; ROW_WORDS], lanes: u64, values: &[u32; ROW_WORDS]) {
        if lanes == u64::MAX {
            if in_steps(at, 1) {
                return self.line(at[0], values);
            }
            let mut words = [0; ROW_WORDS];
            if let Some(first) = block(at, values, &mut words) {
                return self.line(first, &words);
            }
        }
        let Some(log) = &mut self.log else {
            if lanes == u64::MAX {
                let done = self.memory.scatter(at, values);
                debug_assert!(done.is_some(), "it lies in memory");
            } else {
                for lane in lanes_of(lanes) {
                    let done = self.memory.store(4 * u64::from(at[lane]), values[lane]);
                    debug_assert!(done.is_some(), "it lies in memory");
                }
            }
            return;
        };
        log.note_row(self.site, at, lanes, self.watched);
        let (at, values) = (*at, *values);
        log.push_row(Entry::Row, StoredRow { lanes, at, values });
    }

    /// Logs a change of a word of each lane, all of which lie in memory, by operations without a second operand; says
    /// whether it did.
    pub fn changes(
        &mut self,
        (base, offsets): (u64, &[u32; ROW_WORDS]),
        lanes: u64,
        op: A,
        data: &[u32; ROW_WORDS],
    ) -> bool {
        let (Some(log), Some(at)) = (&mut self.log, numbers(base, offsets)) else {
            return false;
        };
        log.note_row(self.site, &at, lanes, self.watched);
        let values = *data;
        log.push_row(Entry::Changes { op }, StoredRow { lanes, at, values });
        true
    }

    /// Changes a word of each lane at once, all of which lie in memory, and gives what was there; nothing where changes wait in
    /// a log.
    pub fn exchange(
        &mut self,
        (base, offsets): (u64, &[u32; ROW_WORDS]),
        lanes: u64,
        op: A,
        [data, second]: [&[u32; ROW_WORDS]; 2],
    ) -> Option<[u32; ROW_WORDS]> {
        if self.waits() {
            return None;
        }
        let at = numbers(base, offsets)?;
        let mut before = [0; ROW_WORDS];
        let words = Words::of(&at, lanes);
        let done = op.exchange(self.memory, (words, lanes), [data, second], &mut before);
        debug_assert!(done.is_some(), "they lie in memory");
        if let (Some(log), Some((port, old))) = (&mut self.log, &mut self.turn) {
            // Of a word that all change, what the first lane finds is what counts.
            let kept = match words {
                Words::One(_) => lanes & lanes.wrapping_neg(),
                Words::Each(_) => lanes,
            };
            if let Some(words) = ends(&at, kept) {
                log.changed.add(*port, &words);
            }
            old.extend(lanes_of(kept).map(|lane| (at[lane], before[lane])));
        }
        Some(before)
    }

    /// Changes one element of 4 or 8 bytes and gives its old value, or the address that is outside. From a log, whose
    /// turn comes later, there is no old value: it gives 0.
    pub fn atomic(
        &mut self,
        address: u64,
        op: A,
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
        if let Some((port, old)) = &mut self.turn {
            let before = change(self.memory, address, op, size, operands)?;
            let words = at..at + u32::from(size / 4);
            log.changed.add(*port, &words);
            old.extend(words.zip([before as u32, (before >> 32) as u32]));
            return Ok(before);
        }
        log.push(Entry::Atomic { at, op, size });
        log.note(self.site, at, u32::from(size / 4), self.watched);
        log.operands.push(operands);
        Ok(0)
    }
}

impl<A: Change> Sink for Stores<'_, A> {
    /// Outside memory nothing is written.
    fn merge(&mut self, address: u64, mask: u32, word: u32) {
        _ = Stores::merge(self, address, mask, word);
    }

    fn words(
        &mut self,
        lanes: u64,
        (base, offsets): (u64, &[u32; ROW_WORDS]),
        rows: &[&[u32; ROW_WORDS]],
    ) {
        // No offset is above the union of their bits.
        let bits = offsets.iter().fold(0, |bits, offset| bits | offset);
        let last = base + u64::from(bits) + 4 * rows.len().saturating_sub(1) as u64;
        let place = (base, offsets);
        let done = word(self.memory, last).is_some()
            && match *rows {
                [a] => Stores::words(self, place, lanes, [a]),
                [a, b] => Stores::words(self, place, lanes, [a, b]),
                [a, b, c, d] => Stores::words(self, place, lanes, [a, b, c, d]),
                _ => false,
            };
        if !done {
            one_by_one(self, lanes, place, rows);
        }
    }
}

/// The numbers of the words at byte offsets from an address; nothing where they may have none.
#[inline]
fn numbers(base: u64, offsets: &[u32; ROW_WORDS]) -> Option<[u32; ROW_WORDS]> {
    let first = u32::try_from(base / 4).ok()?;
    first.checked_add(u32::MAX / 4)?;
    let mut at = [0; ROW_WORDS];
    for (at, offset) in at.iter_mut().zip(offsets) {
        *at = first + offset / 4;
    }
    base.is_multiple_of(4).then_some(at)
}

/// Whether the number of each lane is so much more than that of the lane before.
#[inline]
fn in_steps(numbers: &[u32; ROW_WORDS], step: u32) -> bool {
    let mut others = 0;
    for (lane, number) in (0..).zip(numbers) {
        others |= number ^ numbers[0].wrapping_add(step * lane);
    }
    others == 0
}

/// Whether each lane of some begins at least so many bytes behind the one before.
#[inline]
fn ascend(offsets: &[u32; ROW_WORDS], lanes: u64, bytes: u32) -> bool {
    let mut next = 0;
    lanes_of(lanes).all(|lane| {
        let behind = u64::from(offsets[lane]) >= next;
        next = u64::from(offsets[lane]) + u64::from(bytes);
        behind
    })
}

/// Puts all words of a block of 64 in their order, and gives the number of the first, if each is one of these: what a wave of
/// 8x8 texels stores to a micro tile.
#[inline]
fn block(
    at: &[u32; ROW_WORDS],
    values: &[u32; ROW_WORDS],
    words: &mut [u32; ROW_WORDS],
) -> Option<u32> {
    const INSIDE: u32 = ROW_WORDS as u32 - 1;
    if at.iter().fold(0, |bits, word| bits | (word ^ at[0])) > INSIDE {
        return None;
    }
    let mut found = 0u64;
    for (at, value) in at.iter().zip(values) {
        words[(at & INSIDE) as usize] = *value;
        found |= 1 << (at & INSIDE);
    }
    (found == u64::MAX).then_some(at[0] & !INSIDE)
}

/// The number of the word that holds a byte address.
fn word(memory: &Memory, address: u64) -> Option<u32> {
    memory.word(address)?;
    u32::try_from(address / 4).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::change::Add;

    #[test]
    fn sites_keep_their_ranges_apart() {
        let memory = Memory::new(1 << 16);
        let mut logs = StoreLogs::<Add> {
            watched: 0..u32::MAX,
            logs: vec![StoreLog::default()],
            current: Some(0),
            ..StoreLogs::default()
        };
        logs.load(1, 0..64);
        logs.load(2, 4096..4160);
        assert!(logs.stores(3, &memory).store(1024, 5).is_some());
        // Between both, so nobody's.
        assert!(!logs.logs[0].loads(&(256..257)));
        assert!(logs.logs[0].loads(&(15..16)) && logs.logs[0].loads(&(1039..1100)));
        assert!(!logs.logs[0].is_full());
        logs.load(2, 1024..1028);
        assert!(logs.logs[0].is_full());
    }

    #[test]
    fn replayed_stores_are_those_made_at_once() {
        let [logged, direct] = [(); 2].map(|()| Memory::new(1 << 12));
        let mut logs = StoreLogs::<Add> {
            watched: 0..0,
            logs: vec![StoreLog::default()],
            current: Some(0),
            ..StoreLogs::default()
        };
        for current in [Some(0), None] {
            logs.current = current;
            let memory = if current.is_some() { &logged } else { &direct };
            let mut stores = logs.stores(0, memory);
            assert!(stores.store(8, 7).is_some());
            assert!(stores.merge(8, 0xff00, 0x1200).is_some());
            assert!(stores.atomic(8, Add, 4, [1, 0]).is_ok());
            assert!(stores.atomic(16, Add, 8, [u64::MAX, 0]).is_ok());
            assert!(stores.store(1 << 12, 1).is_none());
            // Lanes that store the same word do so in their order; what is outside is nowhere.
            for (first, exec) in [(64, u64::MAX), (512, 0xf0f0), ((1 << 12) - 64, u64::MAX)] {
                let at = std::array::from_fn(|lane| 4 * (lane as u32 / 2));
                let words = std::array::from_fn(|lane| first as u32 + lane as u32);
                Sink::words(&mut stores, exec, (first, &at), &[&words]);
            }
        }
        logs.logs[0].replay(&logged);
        for at in (0..1 << 12).step_by(4) {
            assert_eq!(logged.load(at), direct.load(at), "byte {at}");
        }
        assert_eq!(logged.load(8), Some(0x1208));
        assert_eq!(logged.load(64), Some(65));
        assert_eq!(logged.load((1 << 12) - 4), Some((1 << 12) - 64 + 31));
    }

    /// Rows of words and of operations leave what lanes leave one after the other.
    #[test]
    fn rows_are_lanes_in_their_order() {
        type Rows = [[u32; ROW_WORDS]; 4];
        let rows: Rows =
            std::array::from_fn(|n| std::array::from_fn(|lane| (100 * n + lane) as u32));
        // Side by side, aligned and not, apart, on top of each other, and across each other.
        let offsets: [fn(u32) -> u32; 6] = [
            |lane| 4 * lane,
            |lane| 16 * lane,
            |lane| 16 * (lane / 3),
            |lane| 4 * (lane * 37 % 64),
            |lane| 8 * lane,
            |lane| 20 * lane,
        ];
        let masks = [u64::MAX, 0xf0f0_1234, 1 << 63, 0];
        for (n, offset) in offsets.into_iter().enumerate() {
            let at: [u32; ROW_WORDS] = std::array::from_fn(|lane| offset(lane as u32));
            for (base, lanes) in [64, 132].into_iter().flat_map(|b| masks.map(|m| (b, m))) {
                for logged in [true, false] {
                    let [memory, expected] = [(); 2].map(|()| Memory::new(1 << 12));
                    let mut logs = StoreLogs::<Add> {
                        watched: 0..u32::MAX,
                        logs: vec![StoreLog::default()],
                        current: logged.then_some(0),
                        ..StoreLogs::default()
                    };
                    let mut stores = logs.stores(0, &memory);
                    let place = (base, &at);
                    let one = stores.words(place, lanes, [&rows[3]]);
                    let four = stores.words(place, lanes, rows.each_ref());
                    let apart = matches!(n, 1 | 2 | 5) || lanes.count_ones() < 2;
                    assert_eq!((one, four), (true, apart));
                    assert_eq!(stores.changes(place, lanes, Add, &rows[1]), logged);
                    for count in [1].into_iter().chain(four.then_some(4)) {
                        for lane in lanes_of(lanes) {
                            for (word, row) in rows[..count].iter().enumerate() {
                                let at = base + u64::from(at[lane]) + 4 * word as u64;
                                let value = if count == 1 { rows[3][lane] } else { row[lane] };
                                assert!(expected.store(at, value).is_some());
                            }
                        }
                    }
                    for lane in lanes_of(lanes).filter(|_| logged) {
                        let at = base + u64::from(at[lane]);
                        let changed = expected.fetch(at, |old| old + rows[1][lane]);
                        assert!(changed.is_some());
                    }
                    if logged && let Some(lane) = lanes_of(lanes).next() {
                        let word = ((base + u64::from(at[lane])) / 4) as u32;
                        assert!(logs.logs[0].stored.meet(&(word..word + 1)));
                    }
                    logs.logs[0].replay(&memory);
                    for at in (0..1 << 12).step_by(4) {
                        assert_eq!(memory.load(at), expected.load(at), "{n} {lanes:#x} {at}");
                    }
                }
            }
        }
    }
}
