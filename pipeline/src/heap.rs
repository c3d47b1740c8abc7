//! Hands out ranges of video memory: first fit, neighbours merged when freed.

use std::collections::BTreeMap;
use std::ops::Range;

use silicon::{Addr, MemoryError};

/// Free and used ranges of an address range. It holds numbers only; the bytes are in [`silicon::Memory`].
#[derive(Clone, Debug)]
pub struct Heap {
    range: Range<u64>,
    /// Start to length; no two touch.
    free: BTreeMap<u64, u64>,
    /// Start to length.
    used: BTreeMap<u64, u64>,
}

impl Heap {
    /// A heap over `range`, all of it free.
    pub fn new(range: Range<Addr>) -> Heap {
        let range = range.start.0..range.end.0.max(range.start.0);
        let mut free = BTreeMap::new();
        if !range.is_empty() {
            free.insert(range.start, range.end - range.start);
        }
        Heap {
            range,
            free,
            used: BTreeMap::new(),
        }
    }

    /// Takes `len` bytes (at least 1) at a multiple of `align`, a power of two: the lowest address that fits.
    pub fn alloc(&mut self, len: u64, align: u64) -> Result<Addr, MemoryError> {
        if !align.is_power_of_two() {
            return Err(MemoryError::Alignment { align });
        }
        let len = len.max(1);
        let found = self.free.iter().find_map(|(&start, &free)| {
            let at = start.checked_next_multiple_of(align)?;
            let end = at.checked_add(len)?;
            (end <= start + free).then_some((start, free, at, end))
        });
        let Some((start, free, at, end)) = found else {
            return Err(MemoryError::Full {
                len,
                align,
                size: self.range.end - self.range.start,
            });
        };
        self.free.remove(&start);
        if at > start {
            self.free.insert(start, at - start);
        }
        if end < start + free {
            self.free.insert(end, start + free - end);
        }
        self.used.insert(at, len);
        Ok(Addr(at))
    }

    /// Gives back what [`Heap::alloc`] returned at `at`.
    pub fn free(&mut self, at: Addr) -> Result<(), MemoryError> {
        let Some(len) = self.used.remove(&at.0) else {
            return Err(MemoryError::NotAllocated { address: at.0 });
        };
        let (mut start, mut end) = (at.0, at.0 + len);
        if let Some(next) = self.free.remove(&end) {
            end += next;
        }
        if let Some((&before, &length)) = self.free.range(..start).next_back()
            && before + length == start
        {
            start = before;
        }
        self.free.insert(start, end - start);
        Ok(())
    }

    /// The bytes of the allocation that starts at `at`.
    pub fn len_of(&self, at: Addr) -> Option<u64> {
        self.used.get(&at.0).copied()
    }

    /// Bytes that are not handed out, in however many pieces.
    pub fn free_bytes(&self) -> u64 {
        self.free.values().sum()
    }

    /// Bytes of the largest free piece.
    pub fn largest_free(&self) -> u64 {
        self.free.values().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors() {
        let mut heap = Heap::new(Addr(256)..Addr(1024));
        assert_eq!(heap.alloc(4, 3), Err(MemoryError::Alignment { align: 3 }));
        assert_eq!(
            heap.alloc(1000, 4),
            Err(MemoryError::Full {
                len: 1000,
                align: 4,
                size: 768
            })
        );
        assert_eq!(
            heap.free(Addr(256)),
            Err(MemoryError::NotAllocated { address: 256 })
        );
        assert!(heap.alloc(u64::MAX, 1 << 63).is_err());
        let a = heap.alloc(0, 1).unwrap();
        assert_eq!(a, Addr(256));
        assert_eq!(heap.alloc(1, 512).unwrap(), Addr(512));
        heap.free(a).unwrap();
        assert_eq!(
            heap.free(a),
            Err(MemoryError::NotAllocated { address: 256 })
        );
    }

    proptest! {
        /// Allocations are inside the range, aligned and disjoint; freeing all gives one piece again.
        #[test]
        fn disjoint(steps in proptest::collection::vec((0u64..700, 0u32..9, any::<prop::sample::Index>(), any::<bool>()), 1..200)) {
            let mut heap = Heap::new(Addr(64)..Addr(16384));
            let mut live: Vec<(u64, u64)> = Vec::new();
            for (len, shift, index, release) in steps {
                if release && !live.is_empty() {
                    let (at, len) = live.swap_remove(index.index(live.len()));
                    prop_assert_eq!(heap.len_of(Addr(at)), Some(len));
                    heap.free(Addr(at)).unwrap();
                } else if let Ok(Addr(at)) = heap.alloc(len, 1 << shift) {
                    let len = len.max(1);
                    prop_assert!(at >= 64 && at + len <= 16384);
                    prop_assert_eq!(at % (1 << shift), 0);
                    prop_assert!(live.iter().all(|&(a, l)| at + len <= a || a + l <= at));
                    live.push((at, len));
                } else {
                    prop_assert!(heap.largest_free() < len.max(1) + (1 << shift));
                }
                let used: u64 = live.iter().map(|l| l.1).sum();
                prop_assert_eq!(heap.free_bytes() + used, 16384 - 64);
            }
            for (at, _) in live {
                heap.free(Addr(at)).unwrap();
            }
            prop_assert_eq!(heap.largest_free(), 16384 - 64);
        }
    }
}
