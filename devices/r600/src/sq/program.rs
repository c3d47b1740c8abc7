//! Programs of a device, decoded, lifted and prepared.

use std::sync::Arc;

use lanes::{DefaultEngine, Liveness};
use radeon::r6xx::forms::PackedForms;
use radeon::r6xx::programs;
use radeon::r6xx::waves::LoadedProgram;
use silicon::fragment::output::Packing;
use silicon::{Memory, SimdLevel, Trap};

use super::packed::{PackedExports, packed};
use super::stage::bound_registers;
use crate::CHIP;
use crate::cp::trap;
use crate::isa::export::Space;
use crate::isa::{
    ACTIVE, Action, Cf, Constant, DecodeReason, Kind, Lifted, Local, Port, Program, Setup, VALID,
    lift,
};
use crate::sx::{self, Exported};

/// Words that a program is looked for in, at first.
const FIRST_WORDS: u64 = 1 << 10;
/// Words that a program may have.
const MAX_WORDS: u64 = 1 << 18;

/// What a program is and how its waves are set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// What it runs on.
    pub(crate) kind: Kind,
    /// Byte address.
    pub(crate) address: u64,
    /// Registers.
    pub(crate) gprs: u8,
    /// Registers that live in one ALU clause.
    pub(crate) clause_temps: u8,
    /// Byte address of the fetch program, 0 without.
    pub(crate) fetch: u64,
}

/// Words of memory that a program was made from.
struct Source {
    address: u64,
    words: Vec<u32>,
}

/// What a port exports.
#[derive(Clone, Default)]
pub(crate) struct PortExport {
    /// Its registers, unless they move with the loop index.
    pub(crate) registers: Vec<Exported>,
    /// Only other exports follow.
    pub(crate) last: bool,
}

/// A program ready to run.
pub(crate) struct Shader {
    pub(crate) loaded: LoadedProgram,
    sources: Vec<Source>,
    key: Key,
    fetch: Option<Program>,
    /// Lanes may become invalid.
    kills: bool,
    /// The program as it was lifted.
    lifted: lanes::Program,
    /// Its forms with packed exports, by how targets may be packed.
    packed: PackedForms<PortExport>,
    /// What the device does for it.
    pub(crate) ports: Vec<Port>,
    /// What each port exports, if it does.
    pub(crate) exports: Vec<PortExport>,
    /// Of each row of the registers that waves start with, whether nothing reads it: in any wave, and what a wave whose lanes
    /// are all enabled starts with there.
    pub(crate) unread: [Vec<bool>; 2],
    /// Rows of those registers that are cleared when a wave starts, in ascending order: of any wave, and of one whose
    /// lanes are all enabled.
    pub(crate) cleared: [Vec<u16>; 2],
    /// Scalars that are cleared when a wave starts: those without a constant that it may read before it writes them.
    pub(crate) cleared_scalars: Vec<u16>,
    /// What has to be in which scalar.
    pub(crate) constants: Vec<(Constant, u16)>,
    /// Addresses of the registers that its ports' resources are made from.
    pub(crate) bound: Vec<u32>,
    /// Whether some port is a texture instruction.
    pub(crate) has_samples: bool,
    /// Whether its fetches find their registers in the table of semantics.
    pub(crate) semantics: bool,
}

/// The programs of a device.
pub(crate) struct Programs {
    engine: DefaultEngine,
    shaders: programs::Programs<Key, Shader>,
}

impl Programs {
    pub(crate) fn new(level: SimdLevel) -> Programs {
        Programs {
            engine: DefaultEngine::at(level),
            shaders: programs::Programs::default(),
        }
    }

    /// The engine that runs them.
    pub(crate) fn engine(&self) -> &DefaultEngine {
        &self.engine
    }

    /// The program that lies in memory now.
    pub(crate) fn get(&mut self, memory: &Memory, key: Key) -> Result<Arc<Shader>, Trap> {
        let engine = &self.engine;
        let load = || Shader::load(engine, memory, key);
        self.shaders
            .get(key, |shader| shader.is_current(memory), load)
    }
}

impl Source {
    fn is_unchanged(&self, memory: &Memory) -> bool {
        memory.holds(self.address, &self.words)
    }
}

impl Shader {
    /// Whether it is the program that lies in memory now.
    pub(crate) fn is_current(&self, memory: &Memory) -> bool {
        self.sources.iter().all(|s| s.is_unchanged(memory))
    }

    /// How its waves are set up.
    pub(crate) fn setup(&self) -> Setup<'_> {
        setup(&self.key, self.fetch.as_ref())
    }

    /// What it runs on.
    pub(crate) fn kind(&self) -> Kind {
        self.key.kind
    }

    /// Whether it reads the constant file.
    pub(crate) fn reads_file(&self) -> bool {
        let named = self.constants.iter();
        let mut indexed = self.ports.iter();
        named
            .map(|(constant, _)| constant)
            .any(|constant| matches!(constant, Constant::File { .. }))
            || indexed.any(|port| matches!(port.action, Action::Local(Local::ReadFile { .. })))
    }

    /// Whether it reads constants whose numbers are known at run time only.
    pub(crate) fn indexes_constants(&self) -> bool {
        let indexed =
            |local: &Local| matches!(local, Local::ReadFile { .. } | Local::ReadKcache { .. });
        let mut ports = self.ports.iter();
        ports.any(|port| matches!(&port.action, Action::Local(local) if indexed(local)))
    }

    /// Whether a port is a texture instruction.
    pub(crate) fn samples(&self, port: u32) -> bool {
        let port = self.ports.get(port as usize);
        port.is_some_and(|port| matches!(port.action, Action::Tex(_)))
    }

    /// Whether it uses scratch memory.
    pub(crate) fn uses_scratch(&self) -> bool {
        self.ports.iter().any(
            |port| matches!(&port.action, Action::Memory(inst) if inst.op.sem() == Space::Scratch),
        )
    }

    /// Its form with packed exports where targets may be packed so, if it has one. Waves that may lose pixels have none: what
    /// is stored of their tiles is joined with old texels anyway.
    pub(crate) fn packed(
        &self,
        engine: &DefaultEngine,
        packings: Vec<Packing>,
    ) -> Result<Option<Arc<PackedExports>>, Trap> {
        let moves = |port: &Port| matches!(&port.action, Action::Export(inst) if inst.rw_rel);
        if self.kills || self.ports.iter().any(moves) {
            return Ok(None);
        }
        let of = (engine, &self.loaded, improve as fn(&mut lanes::Program));
        self.packed.get(of, packings, |packings| {
            packed(&self.lifted, &self.exports, packings)
        })
    }

    fn load(engine: &DefaultEngine, memory: &Memory, key: Key) -> Result<Shader, Trap> {
        let (program, source) = decode(memory, key.address)?;
        let mut sources = vec![source];
        let fetch = match key.fetch {
            0 => None,
            address => {
                let (fetch, source) = decode(memory, address)?;
                sources.push(source);
                Some(fetch)
            }
        };
        let first = memory.load(key.address).unwrap_or(0);
        let fail = |reason: String| trap(key.address, first, reason);
        let Lifted {
            program: mut steps,
            ports,
            constants,
        } = lift(&program, &setup(&key, fetch.as_ref())).map_err(|e| fail(e.to_string()))?;
        // Waves start with masks of their own. What they leave in registers is read by exports, if at all.
        steps.per_wave = vec![ACTIVE, ACTIVE + 1, VALID, VALID + 1];
        steps.temporaries = steps.rows;
        let lifted = steps.clone();
        improve(&mut steps);
        let loaded = LoadedProgram::new(CHIP, key.address, engine, &steps)
            .map_err(|e| fail(e.to_string()))?;
        let live = Liveness::new(&steps);
        let is_export = |n: usize| matches!(ports[n].action, Action::Export(_));
        let last = steps.last_ports(ports.len(), is_export);
        let exports = ports
            .iter()
            .zip(last)
            .map(|(port, last)| match port.action {
                Action::Export(inst) => Ok(PortExport {
                    registers: sx::exported(&inst, key.gprs, 0).map_err(|fault| {
                        trap(
                            key.address + u64::from(port.pc),
                            port.word,
                            fault.to_string(),
                        )
                    })?,
                    last,
                }),
                _ => Ok(PortExport::default()),
            });
        let exports = exports.collect::<Result<Vec<PortExport>, Trap>>()?;
        let registers = 4 * u16::from(key.gprs);
        let entry = steps.entry_rows();
        let read = |row: &u16| live.rows[usize::from(*row)].read;
        let cleared = (0..registers).filter(read);
        let at_entry = |row: &u16| entry[usize::from(*row)];
        let unread_at_start = (0..registers).map(|row| !(read(&row) && at_entry(&row)));
        let constant = |scalar: &u16| constants.iter().any(|(_, at)| at == scalar);
        Ok(Shader {
            cleared_scalars: live.live_in().filter(|scalar| !constant(scalar)).collect(),
            cleared: [
                cleared.clone().collect(),
                cleared.filter(at_entry).collect(),
            ],
            loaded,
            kills: [VALID, VALID + 1]
                .iter()
                .any(|at| live.scalars[usize::from(*at)].written),
            lifted,
            packed: PackedForms::default(),
            sources,
            key,
            fetch,
            unread: [
                (0..registers).map(|row| !read(&row)).collect(),
                unread_at_start.collect(),
            ],
            exports,
            has_samples: ports
                .iter()
                .any(|port| matches!(port.action, Action::Tex(_))),
            bound: bound_registers(key.kind, &ports),
            semantics: ports
                .iter()
                .any(|port| matches!(&port.action, Action::Vtx(inst) if inst.dst_gpr().is_none())),
            ports,
            constants,
        })
    }
}

/// What is done with any program that was lifted. Lanes that are valid in the end are looked at.
fn improve(program: &mut lanes::Program) {
    program.remove_dead(&[VALID, VALID + 1]);
    program.hoist_rows();
}

fn setup<'a>(key: &Key, fetch: Option<&'a Program>) -> Setup<'a> {
    Setup {
        kind: key.kind,
        gprs: key.gprs,
        clause_temps: key.clause_temps,
        fetch,
    }
}

/// The program at an address. How long it is, only its control flow says: it is decoded from as many words as it needs.
fn decode(memory: &Memory, address: u64) -> Result<(Program, Source), Trap> {
    let room = (memory.size().saturating_sub(address) / 8 * 2).min(MAX_WORDS);
    if room == 0 {
        return Err(trap(address, 0, "the program lies outside video memory"));
    }
    let mut count = room.min(FIRST_WORDS);
    loop {
        let load = |n| memory.load(address + 4 * n).unwrap_or(0);
        let mut words: Vec<u32> = (0..count).map(load).collect();
        match Program::decode(&words) {
            Err(error) if count < room && matches!(error.reason, DecodeReason::Clause { .. }) => {}
            Err(error) => {
                let at = address + u64::from(error.pc);
                return Err(trap(at, error.word, error.reason.to_string()));
            }
            Ok(program) if count < room && !program.cf.iter().any(Cf::ends) => drop(program),
            Ok(program) => {
                words.truncate(2 * end(&program));
                return Ok((program, Source { address, words }));
            }
        }
        count = (4 * count).min(room);
    }
}

/// Slots up to the last that belongs to an instruction.
fn end(program: &Program) -> usize {
    let clause = |cf: &Cf| match cf {
        Cf::Alu { head, .. } => head.addr as usize + usize::from(head.count) + 1,
        Cf::Fetch { head, .. } => head.addr as usize + 2 * (usize::from(head.count) + 1),
        _ => 0,
    };
    let clauses = program.cf.iter().map(clause).max().unwrap_or(0);
    clauses.max(program.cf.len())
}
