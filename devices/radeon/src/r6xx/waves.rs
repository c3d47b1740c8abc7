//! Prepared programs, and the waves of a thread that run them.

use lanes::{
    BatchStop, DefaultEngine, Engine, Origin, Ports, Prepared, Program, ProgramError, Resume, Wave,
};
use silicon::Trap;
use silicon::draw::Finished;

/// A program that lies in memory, prepared.
#[derive(Debug)]
pub struct LoadedProgram {
    chip: &'static str,
    /// Byte address.
    address: u64,
    prepared: Prepared,
    /// Rows of a wave.
    rows: usize,
    /// Scalars of a wave.
    pub scalars: usize,
}

impl LoadedProgram {
    /// Prepares the steps of the program at a byte address.
    pub fn new(
        chip: &'static str,
        address: u64,
        engine: &DefaultEngine,
        program: &Program,
    ) -> Result<LoadedProgram, ProgramError> {
        Ok(LoadedProgram {
            chip,
            address,
            prepared: engine.prepare(program)?,
            rows: program.rows.into(),
            scalars: program.scalars.into(),
        })
    }

    /// Prepares other steps for the same instructions.
    pub(super) fn with_steps(
        &self,
        engine: &DefaultEngine,
        program: &Program,
    ) -> Result<LoadedProgram, Trap> {
        let first = self.program().origins.first().copied().unwrap_or_default();
        LoadedProgram::new(self.chip, self.address, engine, program)
            .map_err(|error| self.trap_at(first, error.to_string()))
    }

    /// Runs a batch of bound waves; returns how many ended, and the trap of the next one.
    pub fn run(
        &self,
        engine: &DefaultEngine,
        waves: &mut [Wave],
        ports: &mut dyn Ports,
    ) -> (usize, Result<(), Trap>) {
        match engine.run_batch(&self.prepared, waves, ports) {
            Ok(()) => (waves.len(), Ok(())),
            Err(stopped) => {
                let (wave, trap) = self.stopped(&stopped);
                (wave, Err(trap))
            }
        }
    }

    /// Runs bound waves of whole groups to their ends, from barrier to barrier. On an error the number of the wave that
    /// stopped, and its trap.
    pub fn run_groups(
        &self,
        engine: &DefaultEngine,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), (usize, Trap)> {
        engine
            .run_groups(&self.prepared, waves, stands, ports)
            .map_err(|stopped| self.stopped(&stopped))
    }

    /// Runs bound waves of whole groups to their next barrier or their end: see [`Engine::advance`]. Errors are those of
    /// [`LoadedProgram::run_groups`].
    pub fn advance(
        &self,
        engine: &DefaultEngine,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), (usize, Trap)> {
        engine
            .advance(&self.prepared, waves, stands, ports)
            .map_err(|stopped| self.stopped(&stopped))
    }

    /// The steps.
    pub fn program(&self) -> &Program {
        self.prepared.program()
    }

    /// A trap at the instruction that a step was made from.
    pub fn trap_at(&self, origin: Origin, reason: String) -> Trap {
        Trap {
            chip: self.chip,
            address: self.address + u64::from(origin.pc),
            word: origin.word,
            reason,
        }
    }

    /// The wave that stopped, and why.
    fn stopped(&self, BatchStop { wave, stop }: &BatchStop) -> (usize, Trap) {
        (*wave, self.trap_at(stop.origin, stop.fault.to_string()))
    }
}

/// The waves of a thread, and the chip's state beside their registers. The first always exists.
#[derive(Debug)]
pub struct WaveSlots<T> {
    /// Registers.
    pub waves: Vec<Wave>,
    /// The rest.
    pub states: Vec<T>,
    /// Rows and scalars of the first so many waves.
    bound: [usize; 3],
}

impl<T: Default> Default for WaveSlots<T> {
    fn default() -> WaveSlots<T> {
        WaveSlots {
            waves: vec![Wave::new(0, 0)],
            states: vec![T::default()],
            bound: [0; 3],
        }
    }
}

impl<T: Default> WaveSlots<T> {
    /// Sizes the registers of the first `count` waves for a program; contents are stale.
    pub fn bind(&mut self, count: usize, program: &LoadedProgram) {
        let [rows, scalars, bound] = self.bound;
        if (rows, scalars) == (program.rows, program.scalars) && count <= bound {
            return;
        }
        self.bound = [program.rows, program.scalars, count];
        if self.waves.len() < count {
            self.waves.resize_with(count, || Wave::new(0, 0));
            self.states.resize_with(count, T::default);
        }
        for wave in &mut self.waves[..count] {
            wave.resize(program.rows, program.scalars);
        }
    }

    /// The first `count` waves.
    pub fn batch(&mut self, count: usize) -> (&mut [Wave], &mut [T]) {
        (&mut self.waves[..count], &mut self.states[..count])
    }

    /// What a wave left, its exports taken from what the chip keeps of it.
    #[inline]
    pub fn finished<E>(&self, wave: usize, exports: impl FnOnce(&T) -> &E) -> Finished<'_, E> {
        Finished {
            instructions: self.waves[wave].instructions,
            exports: exports(&self.states[wave]),
        }
    }
}
