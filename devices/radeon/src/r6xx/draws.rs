//! When draws run. In: the draws of a stream. Out: runs of draws as one, and of their second halves by bins.
//!
//! Small draws that differ in their vertices only run as one. The second halves of small draws to the same surfaces wait
//! for each other. All of it ends before anything else reads or writes memory.

use silicon::Trap;
use silicon::draw::FEW_VERTICES;
use silicon::geometry::vertices::{Part, Vertices};

use super::cp::CommandProcessor;
use super::regs;

/// Draws of one state that run as one.
#[derive(Clone, Debug)]
pub struct Run<M> {
    /// What they are made from.
    pub made: M,
    /// Their vertices.
    pub parts: Vec<Part>,
}

/// Runs whose first half waits for threads, at most: as many as second halves wait for each other.
const MOST_RUNS: usize = 512;
/// And their vertices.
const MOST_VERTICES: u64 = 1 << 16;

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
    /// What runs before them, and its vertices.
    runs: Vec<Run<M>>,
    waiting_vertices: u64,
    /// Lists without draws, kept for their memory.
    spare: Vec<Vec<Part>>,
}

impl<M> Default for Pending<M> {
    fn default() -> Pending<M> {
        Pending {
            made: None,
            at: None,
            stores: 0,
            parts: Vec::new(),
            vertices: 0,
            runs: Vec::new(),
            waiting_vertices: 0,
            spare: Vec::new(),
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

    /// The same for several runs that may wait: a thread each.
    fn run_several(&mut self, runs: &[Run<Self::Made>]) -> Result<(), Trap>;

    /// Threads that draws run on.
    fn threads(&self) -> usize;

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
            self.run_first_halves()?;
            self.shade_waiting()?;
        }
        self.pending().made = Some(made);
        Ok(())
    }

    /// Runs the draws that have not run, as one, or leaves them to run with others that are.
    fn run_pending(&mut self) -> Result<(), Trap> {
        let several = self.threads() > 1;
        let pending = self.pending();
        let vertices = std::mem::take(&mut pending.vertices);
        if pending.parts.is_empty() {
            return Ok(());
        }
        let spare = pending.spare.pop().unwrap_or_default();
        let parts = std::mem::replace(&mut pending.parts, spare);
        let Some(made) = pending.made.clone() else {
            return Ok(());
        };
        let waits = several && vertices <= FEW_VERTICES && made.may_wait();
        let run = Run { made, parts };
        if !waits {
            self.run_first_halves()?;
            return self.run_one(run);
        }
        let pending = self.pending();
        pending.runs.push(run);
        pending.waiting_vertices += vertices;
        match pending.runs.len() >= MOST_RUNS || pending.waiting_vertices >= MOST_VERTICES {
            true => self.run_first_halves(),
            false => Ok(()),
        }
    }

    /// Runs the draws of one state.
    fn run_one(&mut self, mut run: Run<Self::Made>) -> Result<(), Trap> {
        let result = self.run(&run.made, &run.parts);
        run.parts.clear();
        self.pending().spare.push(run.parts);
        result
    }

    /// Runs the first halves that wait for threads.
    fn run_first_halves(&mut self) -> Result<(), Trap> {
        let pending = self.pending();
        pending.waiting_vertices = 0;
        let mut runs = std::mem::take(&mut pending.runs);
        let result = match &*runs {
            [] => Ok(()),
            [run] => self.run(&run.made, &run.parts),
            _ => self.run_several(&runs),
        };
        let pending = self.pending();
        pending.spare.extend(runs.drain(..).map(|mut run| {
            run.parts.clear();
            run.parts
        }));
        pending.runs = runs;
        result
    }

    /// Runs all that waits. Memory may change after it.
    fn finish_all(&mut self) -> Result<(), Trap> {
        self.pending().store();
        self.run_pending()?;
        self.run_first_halves()?;
        self.shade_waiting()
    }
}
