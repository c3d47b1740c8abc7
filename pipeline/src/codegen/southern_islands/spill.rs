//! Values that found no register: scalars go to lanes of a vector register, vectors to scratch memory.
//!
//! `docs/driver-southern-islands.md` says where scratch memory is.

use southern_islands::isa::memory::{MubufOp, SmrdOp};
use southern_islands::isa::scalar::Sop2Op;
use southern_islands::isa::vector::{VectorOp, Vop2Op};

use super::entry::{COMPUTE_USER, FRAGMENT_USER, GEOMETRY_USER, GROUP_SGPRS, VERTEX_USER};
use super::machine::{BufferBits, Code, Inst, Op, Operand, SCALAR, Shape};
use super::select::Select;
use super::stream::system_scalars;
use crate::codegen::geometry::VertexRole;
use crate::codegen::radeon::r6xx::constants::SCRATCH_AT;
use crate::codegen::regalloc::Instruction;
use crate::ir::{Stage, Value};

/// Lanes of a vector register that can hold scalars.
const LANES: u32 = 64;
/// Words that one lane can have in scratch memory for spilled values: less than what the constant offset of a buffer
/// instruction reaches.
const SLOTS: u32 = 1016;
/// Words that one lane can have in scratch memory as arrays. Both together fit into the 14 bits of the descriptor's
/// stride.
pub(super) const ARRAY_WORDS: u32 = 3072;
/// Where the descriptor of scratch memory is, in words behind the start of the push constants.
const DESCRIPTOR: u32 = SCRATCH_AT / 4;

/// Where spilled values are.
#[derive(Debug, Default)]
pub(super) struct Spills {
    /// Vector registers that hold scalars, one a lane.
    homes: Vec<Operand>,
    lanes: u32,
    /// Scratch memory: its V# and the wave's offset.
    scratch: Option<(Operand, Operand)>,
    /// Words of a lane that are arrays; they come first.
    array_words: u32,
    /// Words of a lane that are spilled values.
    slots: u32,
    /// The wave's offset behind the arrays.
    behind_arrays: Option<Operand>,
    /// Words spilled.
    pub count: u32,
}

/// Where one group is.
enum Home {
    /// Registers and lanes.
    Lanes(Vec<(Operand, u32)>),
    /// V#, offset of the wave, first word.
    Scratch(Operand, Operand, u32),
}

impl Home {
    /// Reads word `i`.
    fn read(&self, i: u32, dst: Operand) -> Inst {
        match self {
            Home::Lanes(lanes) => {
                let (home, lane) = lanes[i as usize];
                let read = Op::Vector(VectorOp::Two(Vop2Op::V_READLANE_B32));
                Inst::new(read, Some(dst), vec![home, Operand::Const(lane)])
            }
            Home::Scratch(descriptor, wave, first) => {
                let op = MubufOp::BUFFER_LOAD_DWORD;
                let read = Op::Buffer(op, at_slot(first + i), Shape::default());
                Inst::new(read, Some(dst), vec![*descriptor, *wave])
            }
        }
    }

    /// Writes word `i`.
    fn write(&self, i: u32, src: Operand) -> Inst {
        match self {
            Home::Lanes(lanes) => {
                let (home, lane) = lanes[i as usize];
                let write = Op::Vector(VectorOp::Two(Vop2Op::V_WRITELANE_B32));
                Inst::new(write, Some(home), vec![src, Operand::Const(lane), home])
            }
            Home::Scratch(descriptor, wave, first) => {
                let shape = Shape {
                    data: true,
                    ..Shape::default()
                };
                let op = MubufOp::BUFFER_STORE_DWORD;
                let write = Op::Buffer(op, at_slot(first + i), shape);
                Inst::new(write, None, vec![*descriptor, *wave, src])
            }
        }
    }
}

fn at_slot(slot: u32) -> BufferBits {
    BufferBits {
        offset: 4 * slot as u16,
        ..BufferBits::default()
    }
}

/// Where a private array is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Array {
    /// Consecutive vector registers.
    Registers(Operand),
    /// Scratch memory from this word on.
    Scratch(u32),
}

impl Select<'_> {
    /// Takes words of scratch memory for an array; gives the first.
    pub(super) fn reserve_array(&mut self, words: u32) -> u32 {
        if self.spills.scratch.is_none() {
            self.spills.scratch = Some(scratch(self));
        }
        self.spills.array_words += words;
        self.spills.array_words - words
    }

    /// Reads an element of the array that begins at word `first`.
    pub(super) fn load_array(&mut self, first: u32, index: Value, dst: Operand) {
        self.array_access(MubufOp::BUFFER_LOAD_DWORD, first, index, Some(dst), None);
    }

    /// Writes an element of the array that begins at word `first`.
    pub(super) fn store_array(&mut self, first: u32, index: Value, value: Operand) {
        self.array_access(MubufOp::BUFFER_STORE_DWORD, first, index, None, Some(value));
    }

    fn array_access(
        &mut self,
        op: MubufOp,
        first: u32,
        index: Value,
        dst: Option<Operand>,
        data: Option<Operand>,
    ) {
        let Some((descriptor, wave)) = self.spills.scratch else {
            debug_assert!(false, "an array in scratch memory that is not there");
            return;
        };
        let mut bits = BufferBits::default();
        let address = match self.defs.constant(index).map(|i| first + i) {
            Some(at) if at < SLOTS => {
                bits.offset = 4 * at as u16;
                None
            }
            Some(at) => Some(self.in_vector(Operand::Const(4 * at))),
            None => {
                let index = self.word(index);
                let bytes = self.two(Vop2Op::V_LSHLREV_B32, Operand::Const(2), index);
                if first < SLOTS {
                    bits.offset = 4 * first as u16;
                    Some(bytes)
                } else {
                    Some(self.two(Vop2Op::V_ADD_I32, Operand::Const(4 * first), bytes))
                }
            }
        };
        bits.offen = address.is_some();
        let shape = Shape {
            address: address.is_some(),
            data: data.is_some(),
            ..Shape::default()
        };
        let src = [descriptor, wave].into_iter().chain(address).chain(data);
        self.push(Inst::new(Op::Buffer(op, bits, shape), dst, src.collect()));
    }
}

impl Spills {
    /// Bytes of scratch memory that a wave needs.
    pub fn scratch_bytes(&self) -> u32 {
        4 * LANES * (self.array_words + self.slots)
    }

    /// To be called when all code is there.
    pub fn hold_scratch(&self, select: &mut Select<'_>) {
        if let Some((descriptor, wave)) = self.scratch {
            let push = select.push_address();
            hold(&mut select.code, &[descriptor, wave, push]);
        }
    }

    /// V# and offset of the spilled values.
    fn place(&mut self, select: &mut Select<'_>) -> (Operand, Operand) {
        let (descriptor, wave) = match self.scratch {
            Some(scratch) => scratch,
            None => {
                let scratch = *self.scratch.insert(scratch(select));
                self.hold_scratch(select);
                scratch
            }
        };
        if self.array_words == 0 {
            return (descriptor, wave);
        }
        let array_bytes = 4 * LANES * self.array_words;
        let behind = *self.behind_arrays.get_or_insert_with(|| {
            let behind = kept(select, 1);
            let add = Op::Scalar2(Sop2Op::S_ADD_U32);
            let src = vec![wave, Operand::Const(array_bytes)];
            first_block(select).insert(0, Inst::new(add, Some(behind), src));
            hold(&mut select.code, &[behind]);
            behind
        });
        (descriptor, behind)
    }

    /// Rewrites the code so that the groups live elsewhere between their uses; whether that is possible.
    pub fn spill(&mut self, select: &mut Select<'_>, mut groups: Vec<usize>) -> bool {
        groups.sort_unstable();
        groups.dedup();
        let possible = !groups.is_empty();
        for g in groups {
            let group = select.code.groups[g].clone();
            let width = u32::from(group.width);
            let home = if group.bank == SCALAR {
                Home::Lanes((0..width).map(|_| self.lane(&mut select.code)).collect())
            } else {
                if self.slots + width > SLOTS {
                    return false;
                }
                let (descriptor, wave) = self.place(select);
                self.slots += width;
                Home::Scratch(descriptor, wave, self.slots - width)
            };
            let code = &mut select.code;
            let first = group.units[0].0;
            let units = first..first + width;
            for b in 0..code.blocks.len() {
                let insts = std::mem::take(&mut code.blocks[b].insts);
                let mut out = Vec::with_capacity(insts.len());
                for inst in insts {
                    rewrite(
                        code,
                        inst,
                        &units,
                        &home,
                        (group.bank, group.align),
                        &mut out,
                    );
                }
                code.blocks[b].insts = out;
            }
            self.count += width;
        }
        possible
    }

    /// A free lane of a register that stays.
    fn lane(&mut self, code: &mut Code) -> (Operand, u32) {
        if self.lanes.is_multiple_of(LANES) {
            let home = code.vector(1);
            if let Some(group) = code.groups.last_mut() {
                group.keep = true;
            }
            // Lanes are written whatever EXEC is, so nothing else may have the register anywhere.
            for block in &mut code.blocks {
                block.insts.push(Inst::new(Op::Undefined, None, vec![home]));
            }
            self.homes.push(home);
        }
        let lane = self.lanes % LANES;
        self.lanes += 1;
        (self.homes[self.homes.len() - 1], lane)
    }
}

/// Keeps scalar registers for nothing but this. Of those that lead to memory of their own the chip sees that they are
/// written once, and lets waves run on several threads.
pub(super) fn hold(code: &mut Code, registers: &[Operand]) {
    for block in &mut code.blocks {
        let hold = Inst::new(Op::Undefined, None, registers.to_vec());
        block.insts.push(hold);
    }
}

/// Loads the descriptor of scratch memory at the start of the code; it, and the wave's offset.
fn scratch(select: &mut Select<'_>) -> (Operand, Operand) {
    let push = select.push_address();
    let feeds = select.options.role == VertexRole::Feeds;
    let copies = matches!(select.options.role, VertexRole::Copies { .. });
    let streams = select.options.stream.as_ref().map_or(0, system_scalars);
    let wave = match select.function.stage {
        Stage::Vertex if feeds => u16::from(VERTEX_USER) + 1,
        Stage::Vertex if copies => u16::from(GEOMETRY_USER) + streams,
        Stage::Vertex => u16::from(VERTEX_USER) + streams,
        Stage::Geometry => u16::from(GEOMETRY_USER) + 2,
        Stage::Compute => u16::from(COMPUTE_USER) + GROUP_SGPRS,
        _ => u16::from(FRAGMENT_USER) + 1,
    };
    let wave = select.user(wave, 1);
    let descriptor = kept(select, 4);
    let load = Op::ScalarLoad(SmrdOp::S_LOAD_DWORDX4);
    let src = vec![push, Operand::Const(DESCRIPTOR)];
    first_block(select).insert(0, Inst::new(load, Some(descriptor), src));
    (descriptor, wave)
}

/// Scalar registers that are not spilled.
fn kept(select: &mut Select<'_>, words: u8) -> Operand {
    let registers = select.code.scalar(words);
    if let Some(group) = select.code.groups.last_mut() {
        group.keep = true;
    }
    registers
}

fn first_block<'a>(select: &'a mut Select<'_>) -> &'a mut Vec<Inst> {
    let first = select.code.order[0];
    &mut select.code.blocks[first].insts
}

/// Appends the instruction with spilled operands in registers of their own around it.
fn rewrite(
    code: &mut Code,
    mut inst: Inst,
    units: &std::ops::Range<u32>,
    home: &Home,
    (bank, align): (u8, u16),
    out: &mut Vec<Inst>,
) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let own = |unit: u32| units.contains(&unit).then(|| unit - units.start);
    inst.each_read(|unit| reads.extend(own(unit)));
    inst.each_write(|unit| writes.extend(own(unit)));
    // The instruction may use a part; its own registers have only the words that are used.
    let used = || reads.iter().chain(&writes).copied();
    let (Some(low), Some(last)) = (used().min(), used().max()) else {
        out.push(inst);
        return;
    };
    let high = last + 1;
    // Parts of wide groups keep their alignment.
    let low = if high - low > 1 {
        low - low % u32::from(align)
    } else {
        low
    };
    let own = match bank {
        SCALAR => code.scalar((high - low).next_power_of_two().min(16) as u8),
        _ => code.group(bank, (high - low) as u8, align),
    };
    if let Some(group) = code.groups.last_mut() {
        group.keep = true;
    }
    let map = |operand: &mut Operand| {
        if let Operand::Reg { unit, words, .. } = *operand
            && units.contains(&unit)
        {
            *operand = own.part(unit - units.start - low, words);
        }
    };
    if !reads.is_empty() {
        out.extend((low..high).map(|i| home.read(i, own.word(i - low))));
    }
    inst.src.iter_mut().for_each(map);
    inst.dst.iter_mut().for_each(map);
    inst.dst2.iter_mut().for_each(map);
    if inst.op == Op::Undefined {
        writes.clear();
    }
    out.push(inst);
    out.extend(writes.into_iter().map(|i| home.write(i, own.word(i - low))));
}
