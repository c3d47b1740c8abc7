//! Changes of memory that tell a wave what was there before, by groups that otherwise run at any time. In: batches of
//! groups by their numbers, each on some thread, and which instructions make such changes. A batch makes its changes when
//! all batches before it have made theirs, in a queue for all instructions that may reach the same bytes.
//!
//! Threads take batches in ascending order, so the first one that is not finished never waits, and all come to an end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The queues of a dispatch.
#[derive(Debug)]
pub struct Queues {
    queues: Vec<Queue>,
    /// Of each port, the number of its queue, if it has one.
    ports: Vec<Option<usize>>,
}

/// The turn of a queue where a batch has stopped: then nobody's comes.
pub(super) const STOPPED: u64 = u64::MAX;
/// How often a thread looks for its turn, some microseconds, before it sleeps: most turns are as short.
const LOOKS: usize = 256;

/// Turns of batches, by their numbers from 0 on.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The batch whose turn it is, or [`STOPPED`]. Changes under the lock.
    turn: AtomicU64,
    /// How many threads sleep.
    sleepers: Mutex<usize>,
    moved: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose turn it is. What batches before have changed is seen by who sees their turn pass.
    pub(super) fn turn(&self) -> u64 {
        self.turn.load(Ordering::Acquire)
    }

    /// Whether a batch has stopped.
    pub(super) fn has_stopped(&self) -> bool {
        self.turn() == STOPPED
    }

    /// Looks for the turn of a batch; says whether it comes soon.
    pub(super) fn comes(&self, batch: u64) -> bool {
        for _ in 0..LOOKS {
            if self.turn() >= batch {
                break;
            }
            std::hint::spin_loop();
        }
        self.turn() == batch
    }

    /// Waits for the turn of a batch; says whether it comes.
    pub(super) fn wait(&self, batch: u64) -> bool {
        let waits = || self.turn() < batch;
        if !self.comes(batch) && waits() {
            let mut sleepers = self.lock();
            *sleepers += 1;
            while waits() {
                let woken = self.moved.wait(sleepers);
                sleepers = woken.unwrap_or_else(PoisonError::into_inner);
            }
            *sleepers -= 1;
        }
        !self.has_stopped()
    }

    /// Gives the turn to a batch, or to none from now on.
    pub(super) fn give(&self, next: u64) {
        let sleepers = self.lock();
        self.turn.store(next, Ordering::Release);
        if *sleepers > 0 {
            self.moved.notify_all();
        }
    }
}

/// Stops a queue when its thread panics: others would wait for a turn that never comes.
pub(super) struct Watch<'a>(pub(super) &'a Queue);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give(STOPPED);
        }
    }
}

impl Queues {
    /// Queues of ports, by number from 0 on.
    pub fn new(ports: Vec<Option<usize>>) -> Queues {
        let count = ports.iter().flatten().max().map_or(0, |last| last + 1);
        Queues {
            queues: (0..count).map(|_| Queue::default()).collect(),
            ports,
        }
    }
}

/// What a batch has in a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stand {
    /// It has not asked for its turn.
    #[default]
    Behind,
    /// It is its turn.
    Front,
    /// It has given its turn to the next batch.
    Through,
}

/// The place of a batch in all queues. A batch whose place is dropped before it is finished has stopped: those behind it
/// do not get their turns.
#[derive(Debug)]
pub struct Place {
    queues: Arc<Queues>,
    batch: u64,
    /// Of a batch of one group nothing: it keeps its turns to the end, and its waves may come in any order.
    waves: Option<usize>,
    stands: Vec<Stand>,
    /// The first wave that may still come to each port.
    next: Vec<usize>,
    finished: bool,
}

impl Place {
    /// The place of a batch of several groups of one wave each, or of one group where there are no `waves`.
    pub fn new(queues: &Arc<Queues>, batch: u64, waves: Option<usize>) -> Place {
        Place {
            stands: vec![Stand::Behind; queues.queues.len()],
            next: vec![0; queues.ports.len()],
            queues: queues.clone(),
            batch,
            waves,
            finished: false,
        }
    }

    /// Whether a port has a queue.
    pub fn has(&self, port: u32) -> bool {
        self.queue_of(port).is_some()
    }

    fn queue_of(&self, port: u32) -> Option<usize> {
        self.queues.ports.get(port as usize).copied().flatten()
    }

    /// Waits for the turn of so many waves from the first on at a port; says whether it comes. It does not where one stopped
    /// before, or where groups would come out of their order.
    pub fn take(&mut self, port: u32, first: usize, count: usize) -> bool {
        let Some(queue) = self.queue_of(port) else {
            return false;
        };
        let next = &mut self.next[port as usize];
        if self.waves.is_some() && first < *next {
            return false;
        }
        *next = first + count;
        match self.stands[queue] {
            Stand::Behind if self.queues.queues[queue].wait(self.batch) => {
                self.stands[queue] = Stand::Front;
                true
            }
            Stand::Behind | Stand::Through => false,
            Stand::Front => true,
        }
    }

    /// The waves at a port are done. If no other can come to a port of the queue, the next batch has its turn.
    pub fn give(&mut self, port: u32) {
        let (Some(queue), Some(waves)) = (self.queue_of(port), self.waves) else {
            return;
        };
        let mut ports = self.queues.ports.iter().zip(&self.next);
        if ports.all(|(of, next)| *of != Some(queue) || *next >= waves) {
            self.pass(queue);
        }
    }

    fn pass(&mut self, queue: usize) {
        self.stands[queue] = Stand::Through;
        self.queues.queues[queue].give(self.batch + 1);
    }

    /// The batch has run: gives its turns to the next one. Says whether none before has stopped.
    pub fn finish(mut self) -> bool {
        for queue in 0..self.stands.len() {
            let comes = match self.stands[queue] {
                Stand::Behind => self.queues.queues[queue].wait(self.batch),
                Stand::Front => true,
                Stand::Through => continue,
            };
            if !comes {
                return false;
            }
            self.pass(queue);
        }
        self.finished = true;
        true
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.finished {
            (self.queues.queues.iter()).for_each(|queue| queue.give(STOPPED));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ports 0 and 2 share a queue, port 1 has none, port 3 one of its own.
    fn queues() -> Arc<Queues> {
        Arc::new(Queues::new(vec![Some(0), None, Some(0), Some(1)]))
    }

    #[test]
    fn the_turn_passes_when_no_wave_can_come_to_a_port_of_the_queue() {
        let queues = queues();
        let mut first = Place::new(&queues, 0, Some(4));
        assert!(first.has(0) && !first.has(1) && !first.has(9));
        // Waves 0 and 1, then 3; wave 2 goes around.
        assert!(first.take(0, 0, 2) && first.take(0, 3, 1));
        first.give(0);
        assert_eq!(first.stands, [Stand::Front, Stand::Behind]);
        assert!(first.take(2, 0, 4));
        first.give(2);
        assert_eq!(first.stands, [Stand::Through, Stand::Behind]);
        let mut second = Place::new(&queues, 1, Some(4));
        assert!(second.take(0, 0, 4), "it waits for this queue only");
        assert!(first.take(3, 0, 4));
        first.give(3);
        assert!(first.finish());
        assert!(second.finish());
    }

    #[test]
    fn waves_out_of_order_stop_their_batch_and_those_behind() {
        let queues = queues();
        let mut first = Place::new(&queues, 0, Some(4));
        assert!(first.take(3, 1, 1));
        assert!(!first.take(3, 0, 1), "wave 0 after wave 1");
        let second = Place::new(&queues, 1, Some(4));
        let waits = std::thread::spawn(move || second.finish());
        drop(first);
        assert!(matches!(waits.join(), Ok(false)));
        // The waves of one group come as they do when it runs by itself.
        let queues = self::queues();
        let mut group = Place::new(&queues, 0, None);
        assert!(group.take(3, 1, 1) && group.take(3, 0, 1));
        group.give(3);
        assert_eq!(group.stands[1], Stand::Front);
        assert!(group.finish());
    }

    #[test]
    fn a_panic_stops_its_queue() {
        let queue = Queue::default();
        let panics = || {
            let _watch = Watch(&queue);
            assert!(queue.turn() > 0, "on purpose");
        };
        drop(Watch(&queue));
        assert!(!queue.has_stopped());
        let panics = std::panic::AssertUnwindSafe(panics);
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(!queue.wait(7));
    }

    #[test]
    fn batches_change_in_their_order_on_any_threads() {
        let queues = queues();
        let seen = Mutex::new(Vec::new());
        let next = Mutex::new(0..64u64);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let taken = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(batch) = taken else {
                            break;
                        };
                        let mut place = Place::new(&queues, batch, Some(1));
                        // Every third batch has nothing to change.
                        if batch % 3 != 0 && place.take(3, 0, 1) {
                            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                            seen.push(batch);
                            place.give(3);
                        }
                        assert!(place.finish());
                    }
                });
            }
        });
        let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        assert!(seen.is_sorted());
        assert_eq!(seen.len(), 42);
    }
}
