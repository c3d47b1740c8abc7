//! Atomic operations: changes of one element, and of a word for each lane.

use crate::memory::{Memory, ROW_WORDS};

/// An atomic operation of a chip.
pub trait Change: Copy + Send {
    /// What it leaves in an element of `size` bytes, 4 or 8.
    fn apply(self, size: u8, old: u64, operands: [u64; 2]) -> u64;

    /// Changes words of lanes one after the other, and brings what was there to `before`; `None` if one is outside.
    #[inline]
    fn exchange(
        self,
        memory: &Memory,
        (words, lanes): (Words<'_>, u64),
        [data, second]: [&[u32; ROW_WORDS]; 2],
        before: &mut [u32; ROW_WORDS],
    ) -> Option<()> {
        words.update(memory, lanes, |lane, old| {
            before[lane] = old;
            let operands = [data[lane], second[lane]].map(u64::from);
            self.apply(4, u64::from(old), operands) as u32
        })
    }
}

/// The words of lanes, by their numbers.
#[derive(Clone, Copy, Debug)]
pub enum Words<'a> {
    /// All lanes have this one.
    One(u32),
    /// Of each lane.
    Each(&'a [u32; ROW_WORDS]),
}

impl<'a> Words<'a> {
    /// Those of some lanes.
    #[inline]
    pub fn of(at: &'a [u32; ROW_WORDS], lanes: u64) -> Words<'a> {
        let first = at[lanes.trailing_zeros() as usize % ROW_WORDS];
        let mut others = 0;
        for (lane, at) in at.iter().enumerate() {
            others |= (at ^ first) & (lanes >> lane & 1).wrapping_neg() as u32;
        }
        match others {
            0 => Words::One(first),
            _ => Words::Each(at),
        }
    }

    /// [`Memory::update`].
    #[inline(always)]
    pub fn update(
        self,
        memory: &Memory,
        lanes: u64,
        op: impl FnMut(usize, u32) -> u32,
    ) -> Option<()> {
        match self {
            Words::One(at) => memory.update_one(at, lanes, op),
            Words::Each(at) => memory.update(at, lanes, op),
        }
    }
}

/// Changes one element of memory and gives its old value, or the address that is outside.
///
/// Nobody else changes memory meanwhile, so the two halves of a 64-bit element need not change as one.
pub(super) fn change<A: Change>(
    memory: &Memory,
    address: u64,
    op: A,
    size: u8,
    operands: [u64; 2],
) -> Result<u64, u64> {
    if size == 4 {
        let new = |old: u32| op.apply(4, u64::from(old), operands) as u32;
        return memory.fetch(address, new).map(u64::from).ok_or(address);
    }
    let load = |at: u64| memory.load(at).map(u64::from).ok_or(at);
    let old = load(address)? | load(address + 4)? << 32;
    let new = op.apply(8, old, operands);
    let store = |at: u64, word: u64| memory.store(at, word as u32).ok_or(at);
    store(address, new)?;
    store(address + 4, new >> 32)?;
    Ok(old)
}

/// An operation for tests: it adds.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Add;

#[cfg(test)]
impl Change for Add {
    fn apply(self, _: u8, old: u64, [data, _]: [u64; 2]) -> u64 {
        old.wrapping_add(data)
    }
}
