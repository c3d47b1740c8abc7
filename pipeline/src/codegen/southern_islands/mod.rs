//! Southern Islands: scalar code for uniform values, vector code for divergent ones, EXEC masks for control flow.
//!
//! [`compile`] runs four steps: selection over virtual registers ([`plan`], [`select`], [`alu`], [`divide`], [`control`],
//! [`memory`], [`arrays`], [`share`], [`subgroup`], [`image`], [`entry`]), register allocation with spilling, waits, and encoding.

mod alu;
mod arrays;
mod barycentric;
mod control;
mod dispatch;
mod divide;
mod emit;
mod entry;
mod geometry;
mod image;
mod images;
mod machine;
mod memory;
mod multisample;
mod packets;
mod pass;
mod plan;
mod registers;
mod schedule;
mod select;
mod share;
mod spill;
mod staging;
pub mod state;
mod stream;
mod subgroup;
mod table;
mod texels;
mod wait;

use self::select::{Select, TARGET};
use super::structure::Structure;
use super::{Binary, CompileError, Options};
use crate::codegen::Result;
use crate::codegen::signed;
use crate::ir::{Builtin, Function, Inst, Op, Origin};

/// Vector registers that a wave may have while four waves still fit into each SIMD. [SI 3.6]
const FREE_VGPRS: u16 = 64;
/// Rounds of spilling before giving up.
const SPILL_ROUNDS: u32 = 12;

impl Select<'_> {
    fn instruction(&mut self, inst: &Inst) -> Result<()> {
        self.origin = inst.origin;
        if self.runs.is_unread(inst) {
            return Ok(());
        }
        match &inst.op {
            Op::Const(bits) => self.define(inst.results[0], machine::Operand::Const(*bits)),
            Op::ConstBool(value) => {
                let bits = if *value { u32::MAX } else { 0 };
                self.define_mask(inst.results[0], machine::Operand::Const(bits));
            }
            Op::Alu(op) => return self.alu(*op, inst),
            Op::Select => self.select(inst.results[0], &inst.args),
            Op::Bool(op) => self.bool_op(*op, inst.results[0], &inst.args),
            Op::BoolNot => return self.bool_not(inst.results[0], inst.args[0]),
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
            Op::BufferBytes(access) => return self.buffer_bytes(*access, inst.results[0]),
            Op::VertexInput { .. } if self.is_fragment() => self.corner_words(inst),
            Op::VertexInput { .. } | Op::VertexPosition(_) => self.fed_words(inst),
            Op::EmitVertex => self.emit_vertex(inst),
            Op::EndPrimitive => self.end_primitive(),
            Op::LoadPush => self.load_push(inst),
            Op::LoadLocal(local) => return self.load_local(*local, inst),
            Op::StoreLocal(local) => return self.store_local(*local, inst),
            Op::Image(image) => return self.image(image, inst),
            Op::Derivative { axis, detail } => self.derivative(inst, *axis, *detail),
            Op::Subgroup(op) => return self.subgroup(*op, inst),
            Op::Discard => self.discard(inst.args[0]),
        }
        Ok(())
    }
}

/// Compiles an entry point.
pub fn compile(function: &Function, options: &Options) -> Result<Binary> {
    let mut function = function.clone();
    signed::run(&mut function, signed::Conversion::Saturating);
    crate::passes::quotients::run(&mut function);
    let function = &function;
    let structure = Structure::new(function);
    let root = structure.root.clone();
    let mut select = Select::new(function, options, structure);
    select.prologue()?;
    select.list(&root)?;
    select.epilogue()?;
    select.hold_whole_rows();
    let mut spills = std::mem::take(&mut select.spills);
    spills.hold_scratch(&mut select);
    select.hold_rings();
    if let Some(early) = schedule::loads_first(&select.code) {
        let used = |code: &machine::Code| code.allocate().ok().map(|found| found.used[1]);
        // Not at the price of registers that other waves could have.
        let most = used(&select.code).map_or(0, |plain| plain.max(FREE_VGPRS));
        if used(&early).is_some_and(|used| used <= most) {
            select.code = early;
        }
    }
    let mut rounds = 0;
    let mut crowded = [Origin::default(); 2];
    let assignment = loop {
        let found = match select.code.allocate() {
            Ok(assignment) => break assignment,
            Err(found) => found,
        };
        if rounds == 0 {
            crowded = [0, 1].map(|bank| origin_at(&select, found.peaks[bank]));
        }
        rounds += 1;
        if rounds > SPILL_ROUNDS || !spills.spill(&mut select, found.victims) {
            let bank = usize::from(found.bank);
            return Err(CompileError::Registers {
                entry: function.name.clone(),
                target: TARGET,
                bank: emit::bank_name(found.bank),
                available: u32::from(machine::BANKS[bank].registers),
                at: function.text.locate(crowded[bank]),
            });
        }
    };
    let names = emit::Registers {
        assignment: &assignment,
    };
    let (words, mut stats, lines) = emit::emit(&select.code, &names, function)?;
    stats.add("scalar registers", assignment.used[0].into());
    stats.add("vector registers", assignment.used[1].into());
    stats.add("spills", spills.count);
    Ok(Binary {
        words,
        registers: select.registers(&assignment, spills.scratch_bytes() > 0),
        stage: function.stage,
        interface: function.interface.clone(),
        primitive_index: options.export_primitive_index || select.entry.reads_primitive,
        point_coord: select.entry.reads_point,
        base_vertex: function.reads(Builtin::BaseVertex),
        scratch_bytes: spills.scratch_bytes(),
        slots: super::Slots::default(),
        stats,
        lines,
        print: |words| super::listing(southern_islands::isa::disassemble(words)),
    })
}

/// Where the code at an instruction of a block, counted in layout order, comes from, or the nearest before it.
fn origin_at(select: &Select<'_>, (block, at): (usize, usize)) -> Origin {
    let code = &select.code;
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
    let known = before.map(|inst| inst.origin).filter(|o| o.is_known());
    known.fold(Origin::default(), |_, origin| origin)
}

/// The lane program of compiled code, as text.
pub fn lanes(binary: &Binary) -> String {
    use southern_islands::isa::{Allocation, Mode, lift};
    // DX10_CLAMP is bit 8 of MODE.
    let mode = Mode(u32::from(registers::FLOAT_MODE) | 1 << 8);
    match lift(&binary.words, 0, mode, Allocation::ALL) {
        Ok(lifted) => lifted.program.to_string(),
        Err(error) => format!("{error}\n"),
    }
}
