//! What draws are made from, decoded once for each state of the registers.

use std::sync::Arc;

use crate::registers::{RegisterFile, Snapshot};

/// States that are kept; the one that was made first goes when there are more.
const MOST: usize = 64;

/// Decoded states, found again by the registers.
#[derive(Debug)]
pub struct States<T> {
    kept: Vec<Kept<T>>,
    /// The last one, and the registers when it was met.
    last: Option<(Changes, usize)>,
    /// How often registers had changed when none was found.
    missed: Option<u64>,
    /// Which one goes next.
    oldest: usize,
}

/// How often registers had changed.
#[derive(Clone, Copy, Debug)]
struct Changes {
    all: u64,
    but_places: u64,
}

impl Changes {
    fn of(registers: &RegisterFile) -> Changes {
        Changes {
            all: registers.changes(),
            but_places: registers.changes_but_places(),
        }
    }
}

#[derive(Debug)]
struct Kept<T> {
    snapshot: Snapshot,
    state: Arc<T>,
    /// How often memory may have changed when it was last found current.
    stores: u64,
}

impl<T> Default for States<T> {
    fn default() -> States<T> {
        States {
            kept: Vec::new(),
            last: None,
            missed: None,
            oldest: 0,
        }
    }
}

impl<T> States<T> {
    /// What belongs to the state of the registers, if that is known and current; this is asked again only where memory may
    /// have changed more often.
    pub fn get(
        &mut self,
        registers: &RegisterFile,
        stores: u64,
        is_current: impl FnOnce(&T) -> bool,
    ) -> Option<Arc<T>> {
        let changes = Changes::of(registers);
        let n = match self.last {
            Some((at, n)) if at.all == changes.all => n,
            _ => self.find(registers)?,
        };
        self.last = Some((changes, n));
        self.current(n, stores, is_current)
    }

    /// The last state, if that is current and nothing but places on the screen has changed since; whether it is current is
    /// asked as in [`States::get`].
    pub fn before_moves(
        &mut self,
        registers: &RegisterFile,
        stores: u64,
        is_current: impl FnOnce(&T) -> bool,
    ) -> Option<Arc<T>> {
        let (at, n) = self.last?;
        match at.but_places == registers.changes_but_places() {
            true => self.current(n, stores, is_current),
            false => None,
        }
    }

    fn current(
        &mut self,
        n: usize,
        stores: u64,
        is_current: impl FnOnce(&T) -> bool,
    ) -> Option<Arc<T>> {
        let kept = &mut self.kept[n];
        if kept.stores != stores {
            if !is_current(&kept.state) {
                return None;
            }
            kept.stores = stores;
        }
        Some(kept.state.clone())
    }

    fn find(&mut self, registers: &RegisterFile) -> Option<usize> {
        let changes = Some(registers.changes());
        if self.missed == changes {
            return None;
        }
        let found = self
            .kept
            .iter()
            .position(|kept| registers.is(&kept.snapshot));
        self.missed = changes.filter(|_| found.is_none());
        found
    }

    /// Keeps what belongs to the state of the registers.
    pub fn put(&mut self, registers: &RegisterFile, stores: u64, state: &Arc<T>) {
        let n = match self.find(registers) {
            Some(n) => n,
            None if self.kept.len() < MOST => self.kept.len(),
            None => {
                let n = self.oldest;
                self.oldest = (n + 1) % MOST;
                n
            }
        };
        match self.kept.get_mut(n) {
            Some(kept) => {
                registers.snapshot_to(&mut kept.snapshot);
                kept.state = state.clone();
                kept.stores = stores;
            }
            None => self.kept.push(Kept {
                snapshot: registers.snapshot(),
                state: state.clone(),
                stores,
            }),
        }
        self.last = Some((Changes::of(registers), n));
        self.missed = None;
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
            let is_current = |_: &u32| true;
            if states.get(registers, 0, is_current).is_none() {
                made += 1;
                states.put(registers, 0, &Arc::new(wanted));
            }
            for stores in 0..2 {
                let state = states.get(registers, stores, is_current);
                assert_eq!(state.as_deref(), Some(&wanted));
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
    fn moves_leave_the_rest_of_a_state() {
        let registers = RegisterFile::new(std::slice::from_ref(&(0..64)));
        let mut registers = registers.places(std::slice::from_ref(&(8..16)));
        let mut states = States::default();
        assert!(states.before_moves(&registers, 0, |_| true).is_none());
        states.put(&registers, 0, &Arc::new(7));
        registers.set(8, 1);
        assert!(states.get(&registers, 0, |_| true).is_none());
        let before = states.before_moves(&registers, 0, |_| true);
        assert_eq!(before.as_deref(), Some(&7));
        assert!(states.before_moves(&registers, 1, |_| false).is_none());
        registers.set(16, 1);
        assert!(states.before_moves(&registers, 0, |_| true).is_none());
    }

    #[test]
    fn a_new_one_replaces_the_old() {
        let registers = RegisterFile::new(std::slice::from_ref(&(0..64)));
        let mut states = States::default();
        for number in [4, 5] {
            states.put(&registers, number, &Arc::new(number));
            let kept = states.get(&registers, number, |_| false);
            assert_eq!(kept.as_deref(), Some(&number));
            assert!(states.get(&registers, number + 1, |_| false).is_none());
        }
        assert_eq!(states.kept.len(), 1);
    }
}
