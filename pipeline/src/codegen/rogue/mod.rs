//! Rogue: groups of up to six operations, constants and uniforms in shared registers, and a counter in each lane for
//! control flow.
//!
//! [`compile`] runs: [`legalize`] (operations that the chip has), selection over virtual registers ([`select`], [`alu`],
//! [`choose`], [`selections`], [`angle`], [`bits`], [`control`], [`loops`], [`discard`], [`memory`], [`buffers`], [`atomics`], [`group`], [`arrays`],
//! [`image`], [`entry`], [`geometry`], [`export`]), removal of copies ([`live`]), values that
//! go on within a group ([`forward`]), joining of groups ([`pack`]), register allocation with spilling ([`allocate`], [`spill`]), and encoding ([`emit`], [`wait`]).

mod allocate;
mod alu;
mod angle;
mod arrays;
mod atomics;
mod bindings;
mod bits;
mod blend;
mod blocks;
mod buffers;
mod choose;
mod comparisons;
mod constants;
mod control;
mod discard;
mod dispatch;
mod draws;
mod emit;
mod entry;
mod export;
mod forward;
mod geometry;
mod group;
mod image;
mod images;
pub mod legalize;
mod live;
mod loops;
mod machine;
mod memory;
mod network;
mod operand;
mod pack;
mod packets;
mod pass;
mod registers;
mod saturate;
mod select;
mod selections;
mod source;
mod spill;
pub mod state;
mod transfers;
mod wait;

pub use self::memory::{BYTES, CONSTANTS};

use ::rogue::regs;

use self::machine::{Body, Inst};
use self::select::Select;
use super::structure::Structure;
use super::{Binary, CompileError, Lines, Options, Stats};
use crate::codegen::Result;
use crate::ir::{Builtin, Function, Inst as IrInst, Op, Origin, Stage};

const TARGET: &str = "rogue";
/// What is counted of compiled code: groups by kind, operations in the main ones, registers.
#[rustfmt::skip]
const COUNTERS: &[&str] = &[
    "main groups", "operations", "bitwise groups", "control groups", "bytes",
    "temporaries", "shared registers", "coefficients", "spills",
];
/// Rounds of spilling before giving up.
const SPILL_ROUNDS: u32 = 12;

impl Select<'_> {
    fn instruction(&mut self, inst: &IrInst) -> Result<()> {
        self.origin = inst.origin;
        let result = inst.results.first().copied();
        match &inst.op {
            Op::Const(_) | Op::ConstBool(_) => {}
            Op::Alu(op) => return self.alu(*op, inst),
            Op::Select => {
                if result.is_some_and(|result| self.is_used(result)) {
                    self.select(inst.results[0], &inst.args);
                }
            }
            Op::Bool(op) => {
                let found = self.bool_op(*op, &inst.args);
                self.define(inst.results[0], found);
            }
            Op::BoolNot => {
                if result.is_some_and(|result| !self.is_absorbed(result)) {
                    let word = self.word(inst.args[0]);
                    let found =
                        self.logic(::rogue::isa::bitwise::Logical::XOR, word, machine::TRUE);
                    self.define(inst.results[0], found);
                }
            }
            Op::Input { input, first } => self.input(*input, *first, inst),
            Op::Builtin(builtin) => return self.builtin(*builtin, inst.results[0]),
            Op::Output { output, first } => self.entry.outputs.store(*output, *first, &inst.args),
            Op::OutputBuiltin(at) => {
                let outputs = &mut self.entry.outputs;
                outputs.store_builtin(self.function, *at, &inst.args);
            }
            Op::LoadBuffer(access) => return self.load_buffer(*access, inst),
            Op::StoreBuffer(access) => return self.store_buffer(*access, inst),
            Op::AtomicBuffer(access, op) => return self.atomic_buffer(*access, *op, inst),
            Op::LoadShared => self.load_shared(inst),
            Op::StoreShared => self.store_shared(inst),
            Op::AtomicShared(op) => self.atomic_shared(*op, inst),
            Op::Barrier => self.barrier(),
            Op::Fence => self.fence(),
            Op::Subgroup(_) => return Err(self.unsupported("subgroup operations")),
            Op::BufferBytes(access) => return self.buffer_bytes(*access, inst.results[0]),
            Op::VertexInput { .. } if self.function.stage == crate::ir::Stage::Fragment => {
                return Err(self.unsupported("inputs of each vertex"));
            }
            Op::VertexInput { .. } | Op::VertexPosition(_) => self.fed_words(inst),
            Op::EmitVertex => return self.emit_vertex(inst),
            Op::EndPrimitive => self.end_primitive(),
            Op::LoadPush => self.load_push(inst),
            Op::LoadLocal(local) => self.load_local(*local, inst),
            Op::StoreLocal(local) => self.store_local(*local, inst),
            Op::Image(image) => return self.image(image, inst),
            Op::Derivative { axis, detail } => self.derivative(inst, *axis, *detail),
            Op::Discard => self.discard(inst.args[0]),
        }
        Ok(())
    }
}

/// Compiles an entry point.
pub fn compile(function: &Function, options: &Options) -> Result<Binary> {
    let mut function = function.clone();
    legalize::run(&mut function);
    let structure = Structure::new(&function);
    let root = structure.root.clone();
    let mut select = Select::new(&function, options, structure)?;
    let first = select.code.block();
    select.start(first);
    select.geometry_prologue()?;
    select.make_arrays()?;
    select.begin_discards();
    select.list(&root)?;
    select.epilogue()?;
    if select.code.counts {
        let mut begin = Inst::new(Body::Begin);
        begin.condition = ::rogue::isa::Condition::IGNORE_PE;
        select.code.blocks[first].insts.insert(0, begin);
    }
    let mut code = std::mem::replace(&mut select.code, blocks::Code::new());
    live::remove_dead(&mut code);
    saturate::run(&mut code);
    live::coalesce(&mut code);
    forward::run(&mut code);
    let mut spills = std::mem::take(&mut select.spills);
    let mut rounds = 0;
    let (packed, assignment) = loop {
        let mut packed = code.clone();
        // Where registers are short, groups stay in order.
        if rounds < 2 {
            pack::run(&mut packed);
        }
        let (units, peak) = match allocate::allocate(&packed) {
            Ok(assignment) => break (packed, assignment),
            Err(found) => found,
        };
        rounds += 1;
        let done = match rounds {
            1 if units.is_empty() => Some(()),
            1..=SPILL_ROUNDS => spills.spill(&mut code, &mut select.pool, &units),
            _ => None,
        };
        if done.is_none() {
            return Err(CompileError::Registers {
                entry: function.name.clone(),
                target: TARGET,
                bank: "temporary",
                available: u32::from(machine::TEMPORARIES),
                at: function.text.locate(origin_at(&packed, peak)),
            });
        }
    };
    spills.finish(&mut select.pool);
    let mut emitter = emit::Emitter {
        code: &packed,
        assignment: &assignment,
        stats: Stats::new(COUNTERS),
    };
    let emitted = emitter
        .program()
        .map_err(|what| select.unsupported(format!("a group that cannot be encoded: {what}")))?;
    let mut stats = emitter.stats;
    let temporaries = assignment.used[0] + u16::from(packed.counts);
    stats.add("temporaries", temporaries.into());
    stats.add("shared registers", select.bindings.end.into());
    stats.add("coefficients", select.entry.coefficients.into());
    stats.add("spills", spills.count);
    let chunks = emitted.bytes.chunks(4);
    let word = |bytes: &[u8]| {
        let bytes = bytes.iter().enumerate();
        bytes.fold(0, |word, (n, byte)| word | u32::from(*byte) << (8 * n))
    };
    Ok(Binary {
        words: chunks.map(word).collect(),
        registers: select.registers(temporaries),
        stage: function.stage,
        interface: function.interface.clone(),
        primitive_index: options.export_primitive_index || select.entry.reads_primitive,
        point_coord: select.entry.reads_point,
        base_vertex: function.reads(Builtin::BaseVertex),
        scratch_bytes: spills.scratch_bytes(),
        slots: select.bound()?,
        stats,
        lines: Lines::new(&function.text, emitted.places),
        print: |words| super::listing(::rogue::isa::disassemble(&bytes(words))),
    })
}

/// First shared register and words of the push constants of compiled code.
pub fn push_constants(binary: &Binary) -> (u16, u16) {
    let is_push = |at: u32| {
        matches!(
            at,
            regs::USC_VS_PUSH | regs::USC_GS_PUSH | regs::USC_FS_PUSH | regs::USC_CS_PUSH
        )
    };
    let found = binary.registers.iter().find(|(at, _)| is_push(*at));
    let push = regs::Push::from_word(found.map_or(0, |(_, value)| *value));
    (push.first, push.count)
}

/// The code as bytes.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Where the code at an instruction of a block, counted in layout order, comes from, or the nearest before it.
fn origin_at(code: &machine::Code, (block, at): (usize, usize)) -> Origin {
    let order = &code.order[..code.order.len().min(block + 1)];
    let before = order.iter().enumerate().flat_map(|(n, &b)| {
        let insts = &code.blocks[b].insts;
        let end = if n == block {
            insts.len().min(at + 1)
        } else {
            insts.len()
        };
        &insts[..end]
    });
    let known = before
        .map(|inst| inst.origin)
        .filter(|origin| origin.is_known());
    known.fold(Origin::default(), |_, origin| origin)
}

/// The lane program of compiled code, as text.
pub fn lanes(binary: &Binary) -> String {
    use ::rogue::isa::decode;
    use ::rogue::lift::{Setup, lift};
    let groups = match decode(&bytes(&binary.words)) {
        Ok(groups) => groups,
        Err(error) => return format!("{error}\n"),
    };
    let setup = Setup {
        geometry: binary.stage == Stage::Geometry,
        ..Setup::named(&groups)
    };
    match lift(&groups, &setup) {
        Ok(lifted) => lifted.program.to_string(),
        Err(error) => format!("{error}\n"),
    }
}
