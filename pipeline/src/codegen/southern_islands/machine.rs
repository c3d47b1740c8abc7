//! Machine instructions over virtual registers.
//!
//! A virtual register is a *unit*; wide ones are consecutive units. Branches stand at the ends of blocks, so that the
//! order of blocks is the order of the code and nothing else depends on it.

use southern_islands::isa::image::MimgOp;
use southern_islands::isa::memory::{DsOp, MubufOp, SmrdOp};
use southern_islands::isa::operand;
use southern_islands::isa::scalar::{Sop1Op, Sop2Op, SopcOp, SoppOp};
use southern_islands::isa::vector::{VectorOp, VintrpOp, Vop1Op};

use std::ops::Range;

use crate::codegen::regalloc::{self, Assignment, Bank, Crowded, Flow, Instruction, Relief};
use crate::ir::Origin;

/// Bank of scalar registers.
pub const SCALAR: u8 = 0;
/// Bank of vector registers.
pub const VECTOR: u8 = 1;
/// Scalar registers that may be given out; the two above alias VCC.
pub const SGPRS: u16 = 102;
/// Vector registers.
pub const VGPRS: u16 = 256;

/// The register files; a lane mask may lie in VCC.
pub const BANKS: [Bank; 2] = [
    Bank {
        registers: SGPRS,
        channels: 1,
        special: Some(VCC..VCC + 2),
        flow: Flow::Wave,
        relief: Relief::None,
    },
    Bank {
        registers: VGPRS,
        channels: 1,
        special: None,
        flow: Flow::Lane,
        relief: Relief::FewestAccesses,
    },
];

/// Operand codes that instructions here name directly. [SI 3.1]
pub const VCC: u16 = 106;
/// M0.
pub const M0: u16 = 124;
/// EXEC.
pub const EXEC: u16 = 126;

/// What an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// `words` units from `unit`, in a bank.
    Reg {
        /// First unit.
        unit: u32,
        /// Units.
        words: u8,
        /// Vector bank.
        vector: bool,
    },
    /// A scalar register with a code of its own: VCC, M0, EXEC.
    Code(u16),
    /// A constant.
    Const(u32),
}

impl Operand {
    /// Whether it is a vector register.
    pub fn is_vector(self) -> bool {
        matches!(self, Operand::Reg { vector: true, .. })
    }

    /// Whether a vector instruction must fetch it from the scalar file.
    pub fn is_scalar(self) -> bool {
        matches!(self, Operand::Reg { vector: false, .. } | Operand::Code(_))
    }

    /// The constant, where it is one that needs a word of its own.
    pub fn literal(self) -> Option<u32> {
        match self {
            Operand::Const(bits) => operand::Operand::constant(bits).literal(),
            _ => None,
        }
    }

    /// Word `i` of a wide register.
    pub fn word(self, i: u32) -> Operand {
        self.part(i, 1)
    }

    /// `words` words from `i` of a wide register.
    pub fn part(self, i: u32, words: u8) -> Operand {
        match self {
            Operand::Reg { unit, vector, .. } => Operand::Reg {
                unit: unit + i,
                words,
                vector,
            },
            other => other,
        }
    }

    /// The units of a register.
    pub fn units(self) -> Range<u32> {
        match self {
            Operand::Reg { unit, words, .. } => unit..unit + u32::from(words),
            _ => 0..0,
        }
    }
}

/// Bits of a buffer instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferBits {
    /// Constant byte offset.
    pub offset: u16,
    /// An index is in the address.
    pub idxen: bool,
    /// An offset is in the address.
    pub offen: bool,
    /// Atomics give the old value.
    pub glc: bool,
}

/// Bits of an image instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageBits {
    /// Components.
    pub dmask: u8,
    /// Coordinates in texels.
    pub unorm: bool,
    /// Atomics give the old value.
    pub glc: bool,
    /// A layer or face is in the address.
    pub da: bool,
}

/// Bits of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportBits {
    /// Target number.
    pub target: u8,
    /// Components.
    pub en: u8,
    /// Pairs of 16 bits.
    pub compressed: bool,
    /// Last of its kind.
    pub done: bool,
    /// EXEC is the mask of valid pixels.
    pub valid: bool,
}

/// Operation of an instruction. Sources are in the order of the fields of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// SOP1.
    Scalar1(Sop1Op),
    /// SOP2.
    Scalar2(Sop2Op),
    /// SOPC: writes SCC.
    ScalarCompare(SopcOp),
    /// SOPP with its constant.
    Program(SoppOp, u16),
    /// SMRD: base, offset (a constant counts words, a register bytes).
    ScalarLoad(SmrdOp),
    /// A vector operation.
    Vector(VectorOp),
    /// VINTRP, attribute and channel. Sources: barycentric coordinate (selector constant for MOV), old value for P2.
    Interpolate(VintrpOp, u8, u8),
    /// DS_SWIZZLE_B32 with its pattern.
    Swizzle(u16),
    /// DS with its offsets: address, then data as far as present.
    Share(DsOp, [u8; 2]),
    /// MUBUF: V#, scalar offset, then address and data as far as present.
    Buffer(MubufOp, BufferBits, Shape),
    /// MIMG: T#, S# if there is one, then address and data as far as present.
    Image(MimgOp, ImageBits, Shape),
    /// EXP.
    Export(ExportBits),
    /// No code: the destination has some value from here on.
    Undefined,
}

/// Which optional operands a memory instruction has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// S#.
    pub sampler: bool,
    /// Address registers.
    pub address: bool,
    /// Data registers that are read.
    pub data: bool,
}

/// Modifiers of a vector instruction; bit `n` belongs to source `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Sign flipped.
    pub neg: u8,
    /// Sign cleared, before `neg`.
    pub abs: u8,
    /// Result clamped to 0..1.
    pub clamp: bool,
}

impl Modifiers {
    /// Whether the short encodings will do.
    pub fn is_plain(self) -> bool {
        self == Modifiers::default()
    }
}

/// A machine instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// Operation.
    pub op: Op,
    /// Destination.
    pub dst: Option<Operand>,
    /// Carry or saved mask beside it.
    pub dst2: Option<Operand>,
    /// Sources.
    pub src: Vec<Operand>,
    /// Modifiers.
    pub mods: Modifiers,
    /// What it was made for.
    pub origin: Origin,
}

impl Inst {
    /// An instruction without modifiers.
    pub fn new(op: Op, dst: Option<Operand>, src: Vec<Operand>) -> Inst {
        Inst {
            op,
            dst,
            dst2: None,
            src,
            mods: Modifiers::default(),
            origin: Origin::default(),
        }
    }

    /// Its destinations.
    pub fn written(&self) -> impl Iterator<Item = Operand> {
        self.dst.into_iter().chain(self.dst2)
    }

    /// Whether it writes EXEC beside its destination.
    pub fn saves_exec(&self) -> bool {
        matches!(self.op, Op::Scalar1(Sop1Op::S_AND_SAVEEXEC_B64))
    }
}

impl Instruction for Inst {
    fn operands(&self, mut f: impl FnMut(Range<u32>)) {
        self.src.iter().for_each(|operand| f(operand.units()));
    }

    fn results(&self, mut f: impl FnMut(Range<u32>)) {
        self.written().for_each(|operand| f(operand.units()));
    }

    /// [SI 14, V_INTERP_P1 with VDST = VSRC]
    fn is_early(&self) -> bool {
        matches!(self.op, Op::Interpolate(VintrpOp::V_INTERP_P1_F32, ..))
    }

    fn is_copy(&self) -> bool {
        matches!(
            self.op,
            Op::Scalar1(Sop1Op::S_MOV_B32 | Sop1Op::S_MOV_B64)
                | Op::Vector(VectorOp::One(Vop1Op::V_MOV_B32))
        )
    }

    fn clobbers(&self) -> Option<(u8, Range<u16>)> {
        let vcc = self.written().any(|operand| operand == Operand::Code(VCC));
        vcc.then_some((SCALAR, VCC..VCC + 2))
    }
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// SCC is clear.
    Scc0,
    /// SCC is set.
    Scc1,
    /// No lane is enabled.
    ExecZero,
    /// A lane is enabled.
    ExecNonZero,
}

impl When {
    /// The branch.
    pub fn op(self) -> SoppOp {
        match self {
            When::Always => SoppOp::S_BRANCH,
            When::Scc0 => SoppOp::S_CBRANCH_SCC0,
            When::Scc1 => SoppOp::S_CBRANCH_SCC1,
            When::ExecZero => SoppOp::S_CBRANCH_EXECZ,
            When::ExecNonZero => SoppOp::S_CBRANCH_EXECNZ,
        }
    }
}

/// A branch at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Condition.
    pub when: When,
    /// Target block.
    pub to: usize,
    /// Taken only where no lane is enabled: what the code jumped over would have written may have any value.
    pub skip: bool,
}

/// A basic block of machine code.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Instructions.
    pub insts: Vec<Inst>,
    /// Branches at the end, tried in order.
    pub branches: Vec<Branch>,
    /// Goes on with the next block of the order when no branch is taken.
    pub falls: bool,
    /// Where a lane goes on.
    pub lane_next: Vec<usize>,
}

/// Code under construction. Blocks are numbered as they are made and laid out by `order`.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Blocks.
    pub blocks: Vec<Block>,
    /// Layout.
    pub order: Vec<usize>,
    /// Register groups.
    pub groups: Vec<regalloc::Group>,
    /// Units so far.
    pub units: u32,
}

impl Code {
    /// A new group of units.
    pub fn group(&mut self, bank: u8, words: u8, align: u16) -> Operand {
        let unit = self.units;
        self.units += u32::from(words);
        let units = unit..self.units;
        self.groups.push(regalloc::Group::row(bank, units, align));
        Operand::Reg {
            unit,
            words,
            vector: bank == VECTOR,
        }
    }

    /// New vector registers.
    pub fn vector(&mut self, words: u8) -> Operand {
        self.group(VECTOR, words, 1)
    }

    /// New scalar registers, aligned as scalar loads need. [SI 3.5]
    pub fn scalar(&mut self, words: u8) -> Operand {
        let align = match words {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        self.group(SCALAR, words, align)
    }

    /// A new lane mask.
    pub fn mask(&mut self) -> Operand {
        let mask = self.scalar(2);
        if let Some(group) = self.groups.last_mut() {
            group.special = true;
        }
        mask
    }

    /// The last group must be register `at`.
    pub fn pin(&mut self, at: u16) {
        if let Some(group) = self.groups.last_mut() {
            group.pinned = Some(at);
        }
    }

    /// A new block, not yet laid out.
    pub fn block(&mut self) -> usize {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// The code as the register allocator sees it, in layout order.
    pub fn flow(&self) -> Vec<regalloc::Block<'_, Inst>> {
        let mut place = vec![usize::MAX; self.blocks.len()];
        for (i, &b) in self.order.iter().enumerate() {
            place[b] = i;
        }
        let view = |(i, &b): (usize, &usize)| {
            let block = &self.blocks[b];
            let taken = |skip| {
                let branches = block.branches.iter();
                let branches = branches.filter(move |branch| branch.skip == skip);
                branches.map(|branch| place[branch.to])
            };
            let falls = block.falls && i + 1 < self.order.len();
            regalloc::Block {
                insts: &block.insts,
                lane_next: block.lane_next.iter().map(|&to| place[to]).collect(),
                wave_next: taken(false).chain(falls.then_some(i + 1)).collect(),
                wave_skips: taken(true).collect(),
            }
        };
        self.order.iter().enumerate().map(view).collect()
    }

    /// Registers for all units.
    pub fn allocate(&self) -> Result<Assignment, Crowded> {
        regalloc::allocate(&self.flow(), &BANKS, &self.groups, self.units as usize)
    }
}
