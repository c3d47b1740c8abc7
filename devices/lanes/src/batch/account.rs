//! What the waves of a batch have run and may run.

use crate::wave::Wave;

/// The watchdog parts a batch where a wave has cost this power of two less than its limit. Then the waves before the one
/// that runs away end, and that one costs what it does alone.
const BATCH_SHARE: u32 = 4;

/// What the waves of a batch have run since it was last added to each: a tick costs the same in all. Machine code knows
/// the three words.
#[repr(C)]
pub struct Account {
    instructions: u64,
    cost: u64,
    /// What each may cost until the next look.
    room: u64,
}

impl Account {
    pub(super) fn new(waves: &[Wave]) -> Account {
        let count = waves.len();
        let room = waves.iter().map(|wave| Account::room(wave, count));
        Account::of_room(room.min().unwrap_or(0))
    }

    /// Looks what ports have charged.
    pub(super) fn look(&mut self, waves: &[Wave]) {
        // Not less than what is still to be added to the waves.
        self.room = Account::new(waves).room.max(self.cost);
    }

    /// What a wave in a batch of so many may cost until the next look.
    #[inline(always)]
    pub(super) fn room(wave: &Wave, count: usize) -> u64 {
        Account::limit(wave, count).saturating_sub(wave.cost)
    }

    /// Whether a wave that has run for itself has passed what it may cost in a batch of so many.
    pub(super) fn is_passed(wave: &Wave, count: usize) -> bool {
        wave.cost > Account::limit(wave, count)
    }

    #[inline(always)]
    fn limit(wave: &Wave, count: usize) -> u64 {
        // A batch that could cost as much as its waves alone parts long before.
        let share = if count > 1 { BATCH_SHARE } else { 0 };
        wave.limit >> share
    }

    /// Of waves that have this room at least.
    pub(crate) fn of_room(room: u64) -> Account {
        Account {
            instructions: 0,
            cost: 0,
            room,
        }
    }

    /// Adds a tick, unless a wave runs away.
    #[inline(always)]
    pub(super) fn adds(&mut self, instructions: u32, cost: u64) -> bool {
        let fits = cost <= self.left();
        if fits {
            self.add(instructions.into(), cost);
        }
        fits
    }

    /// What each may still cost.
    #[inline(always)]
    pub(super) fn left(&self) -> u64 {
        self.room - self.cost
    }

    /// Adds what fits.
    #[inline(always)]
    pub(super) fn add(&mut self, instructions: u64, cost: u64) {
        self.instructions += instructions;
        self.cost += cost;
    }

    /// Whether no wave has less room.
    pub(super) fn holds(&self, waves: &[Wave]) -> bool {
        let count = waves.len();
        waves
            .iter()
            .all(|wave| Account::room(wave, count) >= self.room)
    }

    /// Adds it to the waves.
    pub(crate) fn settle(&mut self, waves: &mut [Wave]) {
        for wave in waves {
            wave.instructions += self.instructions;
            wave.cost += self.cost;
        }
        (self.instructions, self.cost) = (0, 0);
    }
}
