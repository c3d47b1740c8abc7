//! The unified shading cluster: programs that lie in memory, ready to run, and the waves that run them.

use std::sync::Arc;

use lanes::{BatchStop, DefaultEngine, Engine, Fault, Liveness, Ports, Prepared, Resume, Wave};
use silicon::{Memory, Trap};

use crate::CHIP;
use crate::cdm::PLACE;
use crate::isa::decode;
use crate::lift::{ACTIVE, COVERED, Input, Lifted, Port, Setup, SpecialRegister, lift};
use crate::regs;
use crate::tile_buffer;

/// Programs that are kept; a full list is dropped whole.
const MOST: usize = 128;
/// Waves with memory of their own that run at once: one a thread.
pub const SCRATCH_WAVES: usize = 16;
/// Words of a program, at most.
const MOST_WORDS: u32 = 1 << 20;

/// What the tasks of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Vertices or pixels.
    Shading,
    /// Primitives of a geometry stage, which end vertices.
    Geometry,
    /// Groups: each of their waves has the place of its group for itself.
    Compute,
}

/// A program ready to run.
pub struct Program {
    /// Byte address.
    address: u64,
    words: Vec<u32>,
    kind: TaskKind,
    /// What it was lifted to.
    pub lifted: Lifted,
    prepared: Prepared,
    /// Rows that are zero when a wave starts: of one whose lanes are all active, and of any.
    cleared: [Vec<u16>; 2],
    /// Blocks of coefficients that it names.
    blocks: Vec<u16>,
    /// It stores words of its pixels.
    stores_pixels: bool,
    /// It reads its output registers, or other words of its pixels.
    reads_outputs: bool,
    /// It has memory of its own for each lane that runs.
    uses_scratch: bool,
    /// It reads nothing of its pixels and writes so many output registers from the first on, and no other words.
    hides: usize,
    /// Of each port, whether nothing reads its results.
    unread: Vec<bool>,
}

/// Blocks of coefficients that a program names.
fn blocks(lifted: &Lifted) -> Vec<u16> {
    let mut blocks = Vec::new();
    for port in &lifted.ports {
        if let Port::Iterate(iterate) = port {
            let first = iterate.coefficient / 4;
            blocks.extend(first..first + iterate.count);
            blocks.extend(iterate.perspective.map(|number| number / 4));
        }
    }
    for input in lifted.layout.inputs.keys() {
        if let Input::Coefficient(number) = input {
            blocks.push(number / 4);
        }
    }
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

impl Program {
    fn new(
        engine: &DefaultEngine,
        (address, kind): (u64, TaskKind),
        words: Vec<u32>,
    ) -> Result<Program, String> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let groups = decode(&bytes).map_err(|error| error.to_string())?;
        let mut setup = Setup {
            geometry: kind == TaskKind::Geometry,
            ..Setup::named(&groups)
        };
        let compute = kind == TaskKind::Compute;
        if compute {
            setup.shared = setup.shared.max(regs::DRIVER_SHARED as u16);
        }
        let mut lifted = lift(&groups, &setup).map_err(|error| error.to_string())?;
        if lifted.tasks < 2 {
            let reason = format!(
                "the program at {address:#x} uses the link register, which no draw executes"
            );
            return Err(reason);
        }
        let shared = lifted.layout.shared.start;
        let steps = &mut lifted.program;
        if compute {
            let places = PLACE.into_iter().map(|register| shared + register);
            steps.per_wave.extend(places);
            steps.per_wave.sort_unstable();
        }
        // Nothing but results is looked at when a wave has ended.
        steps.temporaries = steps.rows - lifted.layout.results;
        steps.remove_dead(&[COVERED, COVERED + 1]);
        let prepared = engine.prepare(steps).map_err(|error| error.to_string())?;
        let (live, entry) = (Liveness::new(steps), steps.entry_rows());
        let layout = &lifted.layout;
        let given = |row: u16| {
            let pixels = (layout.outputs.iter().zip(layout.reads_outputs))
                .any(|(output, reads)| reads && *output == Some(row));
            pixels || layout.inputs.values().any(|given| *given == row)
        };
        let read = |row: &u16| *row < layout.results || live.rows[usize::from(*row)].read;
        let rows = (0..steps.rows).filter(|row| read(row) && !given(*row));
        let cleared: Vec<u16> = rows.collect();
        let needed = cleared
            .iter()
            .copied()
            .filter(|row| entry[usize::from(*row)]);
        let [loads, stores] = tile_buffer::used(&lifted);
        let layout = &lifted.layout;
        let reads_outputs = layout.reads_outputs.contains(&true) || loads;
        let written = layout.writes_outputs.iter().take_while(|written| **written);
        let number = SpecialRegister::LOCAL_ADDR_INST_NUM.code();
        Ok(Program {
            stores_pixels: stores,
            reads_outputs,
            uses_scratch: layout.inputs.contains_key(&Input::Special(number)),
            hides: match reads_outputs || stores {
                true => 0,
                false => written.count(),
            },
            address,
            kind,
            cleared: [needed.collect(), cleared],
            blocks: blocks(&lifted),
            unread: prepared.program().unread_ports(),
            words,
            prepared,
            lifted,
        })
    }

    /// Blocks of coefficients that it names.
    pub fn blocks(&self) -> &[u16] {
        &self.blocks
    }

    /// Of each port, whether nothing reads its results.
    pub fn unread(&self) -> &[bool] {
        &self.unread
    }

    /// Whether it has memory of its own for each lane that runs.
    pub fn uses_scratch(&self) -> bool {
        self.uses_scratch
    }

    /// Whether it reads its output registers.
    pub fn reads_outputs(&self) -> bool {
        self.reads_outputs
    }

    /// Whether it stores words of its pixels.
    pub fn stores_pixels(&self) -> bool {
        self.stores_pixels
    }

    /// Whether it writes all of some output registers and reads none: nothing is left of what was there.
    pub fn hides(&self, registers: usize) -> bool {
        let writable = self.lifted.layout.writes_outputs.len();
        !self.reads_outputs && !self.stores_pixels && self.hides >= registers.min(writable)
    }

    /// Starts a wave: the shared registers, the lanes that run and those among them that count.
    pub fn start(&self, wave: &mut Wave, shared: &[u32], [lanes, covered]: [u64; 2], limit: u64) {
        let (rows, scalars) = (self.lifted.program.rows, self.lifted.program.scalars);
        wave.resize(rows.into(), scalars.into());
        for row in &self.cleared[usize::from(lanes != u64::MAX)] {
            wave.rows[usize::from(*row)].0.fill(0);
        }
        wave.scalars.fill(0);
        let own = &self.lifted.layout.shared;
        let own = &mut wave.scalars[usize::from(own.start)..usize::from(own.end)];
        let count = own.len().min(shared.len());
        own[..count].copy_from_slice(&shared[..count]);
        wave.set_mask(ACTIVE, lanes);
        wave.set_mask(COVERED, covered);
        wave.restart(limit);
    }

    /// Runs a batch of started waves; returns how many ended, and the trap of the next one.
    pub fn run(
        &self,
        engine: &DefaultEngine,
        waves: &mut [Wave],
        ports: &mut dyn Ports,
    ) -> (usize, Result<(), Trap>) {
        match engine.run_batch(&self.prepared, waves, ports) {
            Ok(()) => (waves.len(), Ok(())),
            Err(stopped) => {
                let (wave, _, trap) = self.stopped(stopped);
                (wave, Err(trap))
            }
        }
    }

    /// Runs started waves of whole groups to their ends, from barrier to barrier. On an error the wave and lane that
    /// stopped, where one did, and its trap.
    pub fn run_groups(
        &self,
        engine: &DefaultEngine,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), Stopped> {
        engine
            .run_groups(&self.prepared, waves, stands, ports)
            .map_err(|stopped| self.stopped(stopped))
    }

    /// Runs started waves to their next barrier or their end. Errors are those of [`Program::run_groups`].
    pub fn advance(
        &self,
        engine: &DefaultEngine,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), Stopped> {
        engine
            .advance(&self.prepared, waves, stands, ports)
            .map_err(|stopped| self.stopped(stopped))
    }

    /// A trap at the group that a step was made from.
    pub fn trap_at(&self, step: u32, reason: String) -> Trap {
        let origin = self.prepared.program().origins[step as usize];
        let at = self.address + u64::from(origin.pc);
        Trap::new(CHIP, at, origin.word, reason)
    }

    fn stopped(&self, BatchStop { wave, stop }: BatchStop) -> Stopped {
        let lane = match stop.fault {
            Fault::Address { lane, .. } => Some(lane),
            _ => None,
        };
        let at = self.address + u64::from(stop.origin.pc);
        let trap = Trap::new(CHIP, at, stop.origin.word, stop.fault.to_string());
        (wave, lane, trap)
    }
}

/// The wave that stopped, the lane where one did, and the trap.
pub type Stopped = (usize, Option<u32>, Trap);

/// The programs of a device, found again by their words.
#[derive(Default)]
pub struct Programs {
    kept: Vec<Arc<Program>>,
}

impl Programs {
    /// The program of vertex or pixel tasks at an address.
    pub fn get(
        &mut self,
        engine: &DefaultEngine,
        memory: &Memory,
        address: u64,
        count: u32,
    ) -> Result<Arc<Program>, String> {
        self.of(engine, memory, (address, TaskKind::Shading), count)
    }

    /// The program of such tasks at an address.
    pub fn of(
        &mut self,
        engine: &DefaultEngine,
        memory: &Memory,
        (address, kind): (u64, TaskKind),
        count: u32,
    ) -> Result<Arc<Program>, String> {
        let same = |program: &&Arc<Program>| {
            (program.address, program.kind) == (address, kind)
                && program.words.len() == count as usize
                && memory.holds(address, &program.words)
        };
        if let Some(kept) = self.kept.iter().find(same) {
            return Ok(kept.clone());
        }
        if count > MOST_WORDS || !address.is_multiple_of(4) {
            return Err(format!("a program of {count} words at {address:#x}"));
        }
        let mut words = vec![0; count as usize];
        memory.load_words(address, &mut words);
        let program = Arc::new(Program::new(engine, (address, kind), words)?);
        if self.kept.len() >= MOST {
            self.kept.clear();
        }
        self.kept.push(program.clone());
        Ok(program)
    }
}
