//! R600: five-way groups, clauses, and a mask stack for control flow.
//!
//! [`compile`] runs: [`legalize`] (operations that the chip has), selection over virtual registers ([`select`],
//! [`control`], [`memory`], [`image`], [`entry`]), removal of copies ([`live`]), scheduling into groups and clauses
//! ([`schedule`], [`group`]), register allocation with spilling ([`allocate`]), and encoding ([`emit`]).

mod allocate;
mod control;
mod emit;
mod entry;
mod group;
mod image;
pub mod legalize;
mod live;
mod machine;
mod memory;
mod registers;
mod schedule;
mod select;
mod table;

pub use self::memory::{
    BYTES, DRIVER_CONSTANT, FIRST_RESOURCE, PUSH_BANK, PUSH_RESOURCE, SET_RESOURCE,
};

use self::live::Liveness;
use self::select::Select;
use super::structure::Structure;
use super::{Binary, CompileError, Options, Stats};
use crate::ir::Function;

const TARGET: &str = "r600";

/// Compiles an entry point.
pub fn compile(function: &Function, options: &Options) -> Result<Binary, CompileError> {
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
    let liveness = Liveness::new(&code);
    let clauses = schedule::schedule(&mut code, &liveness);
    let unread = allocate::unread(&code, &clauses);
    let registers = allocate::allocate(&code, &clauses, &unread);
    if !registers.spilled.is_empty() {
        return Err(CompileError::Registers {
            entry: function.name.clone(),
            target: TARGET,
            bank: "vector",
            available: u32::from(allocate::REGISTERS),
            at: crate::error::At::default(),
        });
    }
    let mut emitter = emit::Emitter {
        code: &code,
        registers: &registers,
        unread: &unread,
        stats: Stats::default(),
    };
    let program = emitter.program(&clauses);
    let mut stats = emitter.stats;
    let words = program.encode().map_err(|error| {
        select.unsupported(format!("a program that cannot be encoded: {error}"))
    })?;
    let used = registers.used.max(u16::from(select.preloaded_registers()));
    let (plain, full) = select.deepest;
    stats.stack = stack_entries(plain, full);
    stats.vector_registers = u32::from(used);
    stats.bytes = 4 * words.len() as u32;
    stats.vector = stats.slots;
    Ok(Binary {
        words,
        registers: select.registers(used, stats.stack, code.scratch_slots),
        interface: function.interface.clone(),
        primitive_index: options.export_primitive_index || select.entry.reads_primitive,
        point_coord: select.entry.reads_point,
        sample_mask: false,
        scratch_bytes: 64 * 16 * u32::from(code.scratch_slots),
        slots: select.bound()?,
        stats,
        print,
    })
}

/// Stack entries of four plain ones each; two plain ones more hold the current state. [R600 3.6.5]
fn stack_entries(plain: u8, full: u8) -> u32 {
    let extra = if plain > 0 { 2 } else { 0 };
    u32::from(full) + (u32::from(plain) + extra).div_ceil(4)
}

fn print(words: &[u32]) -> String {
    format!("{words:x?}")
}
