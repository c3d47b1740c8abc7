//! When draws run. In: the draws of a stream. Out: runs of draws as one, and of their second halves by bins.
//!
//! Small draws that differ in their vertices only run as one. The second halves of small draws to the same surfaces wait
//! for each other. All of it ends before anything else reads or writes memory.

use silicon::Trap;
use silicon::draw::FEW_VERTICES;
use silicon::geometry::vertices::{Part, Vertices};

use super::cp::CommandProcessor;
use super::regs;

/// Draws that have not run yet, and what the last draw was made from.
#[derive(Debug)]
pub struct Pending<M> {
    made: Option<M>,
    /// How often state and what is bound had changed when it was made, while nothing else may have changed it.
    at: Option<[u64; 2]>,
    /// How often memory may have changed.
    stores: u64,
    /// Draws of it that run as one.
    parts: Vec<Part>,
    /// Their vertices.
    vertices: u64,
}

impl<M> Default for Pending<M> {
    fn default() -> Pending<M> {
        Pending {
            made: None,
            at: None,
            stores: 0,
            parts: Vec::new(),
            vertices: 0,
        }
    }
}

impl<M> Pending<M> {
    /// How often memory may have changed: while it stays what it is, nothing in memory has to be looked at again.
    pub fn stores(&self) -> u64 {
        self.stores
    }

    /// Memory may change.
    fn store(&mut self) {
        self.at = None;
        self.stores += 1;
    }
}

/// What a draw is made from, but for its vertices.
pub trait Made: Clone {
    /// Whether all that its shaders see of other draws is in textures and buffers, and nothing else sees when it runs.
    fn may_wait(&self) -> bool;
    /// Whether draws of both may wait at the same time: they have the same surfaces.
    fn waits_with(&self, other: &Self) -> bool;
    /// Whether draws of both may run as one: nothing differs.
    fn runs_with(&self, other: &Self) -> bool;
}

/// A chip that draws.
pub trait Draws: CommandProcessor {
    /// What draws are made from.
    type Made: Made;

    /// Decodes registers. A trap at address `u64::MAX` is the packet's.
    fn make(&mut self) -> Result<Self::Made, Trap>;

    /// Runs draws as one; their second half waits if it may.
    fn run(&mut self, made: &Self::Made, parts: &[Part]) -> Result<(), Trap>;

    /// Runs the second halves that wait.
    fn shade_waiting(&mut self) -> Result<(), Trap>;

    /// What has not run.
    fn pending(&mut self) -> &mut Pending<Self::Made>;

    /// Draws, now or later. A trap at address `u64::MAX` is the packet's.
    fn draw(&mut self, vertices: &Vertices) -> Result<(), Trap> {
        let wrong = |reason| Trap::new(Self::CHIP, u64::MAX, 0, reason);
        vertices.check().map_err(wrong)?;
        let registers = &*self.machine().registers;
        let part = Part {
            vertices: vertices.clone(),
            instances: registers.get(Self::NUM_INSTANCES).max(1),
            offset: registers.get(regs::VGT_INDX_OFFSET),
        };
        let at = [registers.changes(), registers.rebinds()];
        if self.pending().at != Some(at) {
            let made = self.make()?;
            let same = |last: &Self::Made| last.runs_with(&made);
            if !self.pending().made.as_ref().is_some_and(same) {
                self.change(made)?;
            }
            self.pending().at = Some(at);
        }
        let pending = self.pending();
        let waits = pending.made.as_ref().is_some_and(Made::may_wait);
        let count = part.count();
        if pending.vertices + count > FEW_VERTICES {
            self.run_pending()?;
        }
        let pending = self.pending();
        pending.parts.push(part);
        pending.vertices += count;
        if !waits {
            // What its shaders store may be anything.
            pending.store();
        }
        match waits && count <= FEW_VERTICES {
            true => Ok(()),
            false => self.run_pending(),
        }
    }

    /// The next draws are made from something else.
    fn change(&mut self, made: Self::Made) -> Result<(), Trap> {
        self.run_pending()?;
        let beside = |last: &Self::Made| last.waits_with(&made);
        let waits = made.may_wait() && self.pending().made.as_ref().is_some_and(beside);
        if !waits {
            self.shade_waiting()?;
        }
        self.pending().made = Some(made);
        Ok(())
    }

    /// Runs the draws that have not run, as one.
    fn run_pending(&mut self) -> Result<(), Trap> {
        let pending = self.pending();
        pending.vertices = 0;
        let mut parts = std::mem::take(&mut pending.parts);
        if parts.is_empty() {
            return Ok(());
        }
        let made = pending.made.take();
        let result = made.as_ref().map_or(Ok(()), |made| self.run(made, &parts));
        parts.clear();
        let pending = self.pending();
        (pending.parts, pending.made) = (parts, made);
        result
    }

    /// Runs all that waits. Memory may change after it.
    fn finish_all(&mut self) -> Result<(), Trap> {
        self.pending().store();
        self.run_pending()?;
        self.shade_waiting()
    }
}
