//! Stores of pixel waves to memory, bin after bin whichever thread shades which. In: what the waves of each bin store, in
//! their order. Out: memory as bins leave it that are shaded one after the other.
//!
//! Nothing that waits is loaded by waves of the draw, so bins may run at the same time. What a finished bin has stored waits
//! for those before it; a bin that stores more than it can keep waits itself. The first bin that is not finished never
//! does, and threads take bins in ascending order, so that all come to an end.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::groups::{Change, StoreLog};
use crate::memory::Memory;

/// Bins that a thread may be ahead of the first one that is not finished: what they store waits in memory.
const AHEAD: usize = 64;

/// What waves of a bin store.
pub trait BinStores: Default + Send {
    /// Whether the last batch of waves stores more than there is room for: none of it is kept.
    fn is_full(&self) -> bool;

    /// Stores, and forgets.
    fn replay(&mut self, memory: &Memory);
}

/// Of shaders that never wait.
impl BinStores for () {
    fn is_full(&self) -> bool {
        false
    }

    fn replay(&mut self, _: &Memory) {}
}

impl<A: Change> BinStores for StoreLog<A> {
    fn is_full(&self) -> bool {
        StoreLog::is_full(self)
    }

    fn replay(&mut self, memory: &Memory) {
        StoreLog::replay(self, memory);
    }
}

/// The bins of a draw, in ascending order.
pub(super) struct Turns<'a, L> {
    memory: &'a Memory,
    state: Mutex<State<L>>,
    moved: Condvar,
}

struct State<L> {
    /// The first bin that is not finished, or whose stores are not made.
    turn: usize,
    /// A thread makes the stores of that bin.
    replays: bool,
    /// What finished bins store.
    finished: BTreeMap<usize, L>,
    /// Used memory.
    free: Vec<L>,
}

/// A bin on the way to its turn; when it is dropped it is finished.
pub(super) struct Turn<'a, L: BinStores> {
    turns: &'a Turns<'a, L>,
    bin: usize,
    stores: L,
}

impl<'a, L: BinStores> Turns<'a, L> {
    pub(super) fn new(memory: &'a Memory) -> Turns<'a, L> {
        Turns {
            memory,
            state: Mutex::new(State {
                turn: 0,
                replays: false,
                finished: BTreeMap::new(),
                free: Vec::new(),
            }),
            moved: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<L>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a bin is less than so many ahead of the turn.
    fn wait(&self, bin: usize, ahead: usize) -> MutexGuard<'_, State<L>> {
        let mut state = self.lock();
        while bin >= state.turn + ahead {
            let woken = self.moved.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Begins a bin. Each has to begin once, in ascending order.
    pub(super) fn begin(&'a self, bin: usize) -> Turn<'a, L> {
        let mut state = self.wait(bin, AHEAD);
        let stores = state.free.pop().unwrap_or_default();
        Turn {
            turns: self,
            bin,
            stores,
        }
    }

    /// A bin is finished. Makes the stores of all whose turn it is, unless another thread does.
    fn finish(&self, bin: usize, stores: L) {
        let mut state = self.lock();
        state.finished.insert(bin, stores);
        if state.replays {
            return;
        }
        loop {
            let turn = state.turn;
            let Some(mut stores) = state.finished.remove(&turn) else {
                return;
            };
            state.replays = true;
            drop(state);
            stores.replay(self.memory);
            state = self.lock();
            state.replays = false;
            state.turn += 1;
            state.free.push(stores);
            self.moved.notify_all();
        }
    }
}

impl<L: BinStores> Turn<'_, L> {
    /// What its waves store, in order.
    pub(super) fn stores(&mut self) -> &mut L {
        &mut self.stores
    }

    /// Waits until all bins before it have stored, and stores what it keeps: what its waves store now may go to memory.
    pub(super) fn take(&mut self) {
        drop(self.turns.wait(self.bin, 1));
        self.stores.replay(self.turns.memory);
    }
}

impl<L: BinStores> Drop for Turn<'_, L> {
    fn drop(&mut self) {
        self.turns
            .finish(self.bin, std::mem::take(&mut self.stores));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::bins::{Bins, Failure, Threads};
    use crate::fragment::tile::Rect;
    use crate::groups::StoreLogs;

    /// Puts a digit behind those that are there.
    #[derive(Clone, Copy, Debug)]
    struct Behind;

    impl Change for Behind {
        fn apply(self, _: u8, old: u64, [data, _]: [u64; 2]) -> u64 {
            old.wrapping_mul(31).wrapping_add(data)
        }
    }

    /// What bins leave that change one word: each its number, some of them at once, some none.
    fn leaves(threads: usize) -> u32 {
        let memory = Memory::new(4096);
        let threads = Threads::new(threads);
        let bins = Bins::new(Rect::new(0, 0, 256, 256), 3);
        let turns = Turns::<StoreLog<Behind>>::new(&memory);
        let mut workers = threads.workers(StoreLogs::<Behind>::default);
        let ran = threads.for_each_bin(&bins, &mut workers, |bin, logs| {
            let number = bin.index;
            let mut turn = turns.begin(number);
            logs.logs.resize_with(1, StoreLog::default);
            logs.current = Some(0);
            if !number.is_multiple_of(3) {
                let stores = &mut logs.stores(0, &memory);
                assert!(stores.atomic(8, Behind, 4, [number as u64, 0]).is_ok());
                turn.stores().append(&mut logs.logs);
            }
            if number.is_multiple_of(7) {
                turn.take();
                logs.current = None;
                let stores = &mut logs.stores(0, &memory);
                assert!(stores.atomic(8, Behind, 4, [number as u64, 0]).is_ok());
            }
            Ok::<(), Failure<()>>(())
        });
        assert_eq!((ran, bins.count()), (Ok(()), 1024));
        memory.load(8).expect("inside")
    }

    #[test]
    fn bins_store_in_ascending_order_with_any_number_of_threads() {
        let expected = (0..1024u32).fold(0u32, |word, number| {
            let add = |word: u32| word.wrapping_mul(31).wrapping_add(number);
            let word = if number.is_multiple_of(3) {
                word
            } else {
                add(word)
            };
            if number.is_multiple_of(7) {
                add(word)
            } else {
                word
            }
        });
        for threads in [1, 2, 5] {
            assert_eq!(leaves(threads), expected, "{threads} threads");
        }
    }
}
