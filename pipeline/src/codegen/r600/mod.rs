//! R600: five-way groups, clauses, and a mask stack for control flow.
//!
//! [`compile`] runs: [`legalize`] (operations that the chip has), selection over virtual registers ([`select`],
//! [`control`], [`memory`], [`image`], [`entry`], [`geometry`], [`stream`]), removal of copies ([`live`]), scheduling into groups and clauses
//! ([`schedule`], [`group`]), register allocation with spilling ([`allocate`], [`spill`], [`split`]), and encoding ([`emit`]).

mod allocate;
mod control;
mod emit;
mod entry;
mod geometry;
mod group;
mod image;
mod images;
pub mod legalize;
mod live;
mod machine;
mod memory;
mod multisample;
mod packets;
mod pass;
mod registers;
mod schedule;
mod select;
mod spill;
mod split;
pub mod state;
mod stream;
mod table;

pub use self::memory::{
    BYTES, DRIVER_CONSTANT, FIRST_RESOURCE, PUSH_BANK, PUSH_RESOURCE, RING_RESOURCE, SET_RESOURCE,
};

use self::select::Select;
use super::structure::Structure;
use super::{Binary, CompileError, Lines, Options, Stats};
use crate::codegen::Result;
use crate::ir::{Builtin, Function, Origin, Stage};

const TARGET: &str = "r600";
/// What is counted of compiled code: groups of instructions that run at once, slots of groups that do something, clauses
/// and instructions of the control flow that start none, entries of the mask stack.
#[rustfmt::skip]
const COUNTERS: &[&str] = &[
    "instructions", "groups", "slots", "clauses", "buffer", "image",
    "exports", "branches", "bytes", "vector registers", "stack", "spills",
];
/// Rounds of scheduling and spilling before giving up.
const SPILL_ROUNDS: u32 = 12;

/// Compiles an entry point.
pub fn compile(function: &Function, options: &Options) -> Result<Binary> {
    let mut function = function.clone();
    legalize::run(&mut function);
    let structure = Structure::new(&function);
    let root = structure.root.clone();
    let mut select = Select::new(&function, options, structure)?;
    select.prologue()?;
    select.list(&root)?;
    select.epilogue()?;
    let mut code = std::mem::take(&mut select.code);
    live::remove_dead(&mut code);
    live::coalesce(&mut code);
    let (mut spilled, mut rounds) = (0, 0);
    // What to begin with again when vectors must not keep their registers.
    let mut vectors = Some(code.clone());
    let (code, clauses, unread, registers) = loop {
        let mut trial = code.clone();
        let window = match rounds {
            0 => schedule::WINDOW,
            _ => schedule::NARROW,
        };
        let liveness = trial.liveness();
        let clauses = schedule::schedule(&mut trial, &liveness, window);
        let unread = allocate::unread(&trial, &clauses);
        let units = match allocate::allocate(&trial, &clauses, &unread) {
            Ok(registers) => break (trial, clauses, unread, registers),
            Err(units) => units,
        };
        rounds += 1;
        // The first time, keeping closer to the order of the source may be enough.
        let done = match rounds {
            1 => Some(()),
            2..=SPILL_ROUNDS if !units.is_empty() => spill::spill(&mut code, &units, &mut spilled),
            _ => None,
        };
        if done.is_some() {
            continue;
        }
        if let Some(whole) = vectors.take() {
            code = whole;
            split::split_vectors(&mut code);
            live::remove_dead(&mut code);
            (spilled, rounds) = (0, 1);
        } else {
            return Err(CompileError::Registers {
                entry: function.name.clone(),
                target: TARGET,
                bank: "vector",
                available: u32::from(allocate::REGISTERS),
                at: function.text.locate(crowded(&code)),
            });
        }
    };
    let mut emitter = emit::Emitter {
        code: &code,
        registers: &registers,
        unread: &unread,
        stats: Stats::new(COUNTERS),
        places: Vec::new(),
    };
    let program = emitter.program(&clauses);
    let lines = Lines::new(&function.text, emitter.places);
    let mut stats = emitter.stats;
    let words = program.encode().map_err(|error| {
        select.unsupported(format!("a program that cannot be encoded: {error}"))
    })?;
    let used = registers.used[0].max(u16::from(select.preloaded_registers()));
    let stack = ::r600::isa::stack_size(&program).unwrap_or(0);
    stats.add("bytes", 4 * words.len() as u32);
    stats.add("vector registers", used.into());
    stats.add("stack", stack);
    stats.add("spills", spilled);
    Ok(Binary {
        words,
        registers: select.registers(used, stack, code.scratch_slots),
        stage: function.stage,
        interface: function.interface.clone(),
        primitive_index: options.export_primitive_index || select.entry.reads_primitive,
        point_coord: select.entry.reads_point,
        base_vertex: function.reads(Builtin::BaseVertex),
        scratch_bytes: 64 * 16 * u32::from(code.scratch_slots),
        slots: select.bound()?,
        stats,
        lines,
        print: |words| super::listing(::r600::isa::disassemble(words)),
    })
}

/// Where the block with the most instructions comes from.
fn crowded(code: &machine::Code) -> Origin {
    let largest = code.blocks.iter().max_by_key(|block| block.insts.len());
    largest.map_or(Origin::default(), |block| block.origin)
}

/// The lane program of compiled code, as text.
pub fn lanes(binary: &Binary) -> String {
    use ::r600::isa::{Kind, Program, Setup, lift};
    let kind = match binary.stage {
        Stage::Vertex => Kind::Vertex,
        Stage::Geometry => Kind::Geometry,
        _ => Kind::Pixel,
    };
    let setup = Setup {
        kind,
        gprs: binary.stats.get("vector registers") as u8,
        clause_temps: 0,
        fetch: None,
    };
    match Program::decode(&binary.words) {
        Ok(program) => match lift(&program, &setup) {
            Ok(lifted) => lifted.program.to_string(),
            Err(error) => format!("{error}\n"),
        },
        Err(error) => format!("{error}\n"),
    }
}
