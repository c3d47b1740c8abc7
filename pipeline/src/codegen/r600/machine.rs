//! Machine instructions over virtual registers.
//!
//! A *unit* is one element of a register: 32 bits a lane. Its element is chosen by the scheduler when its first
//! definition is given a slot, its register afterwards. Units of one *vector* lie in one register, because a fetch or an
//! export names only one. Blocks hold instructions in an order that is correct; the scheduler may change it.

use std::ops::Range;

use r600::isa::alu::AluOp;
use r600::isa::export::{Export, MemoryOp};
use r600::isa::fetch::Fetch as FetchInst;

pub use crate::codegen::regalloc::Unit;
use crate::codegen::regalloc::{self, Flow, Instruction, Liveness};
use crate::ir::Origin;

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum From {
    /// A unit.
    Unit(Unit),
    /// A constant word.
    Const(u32),
    /// A constant of a constant buffer: bank, number of the four-word constant, element.
    Kcache(u8, u16, u8),
}

/// An operand of an ALU instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Where it comes from.
    pub from: From,
    /// The sign is flipped, after `abs`.
    pub neg: bool,
    /// The sign is cleared.
    pub abs: bool,
}

impl Operand {
    /// Without modifiers.
    pub const fn new(from: From) -> Operand {
        Operand {
            from,
            neg: false,
            abs: false,
        }
    }

    /// A constant.
    pub const fn word(word: u32) -> Operand {
        Operand::new(From::Const(word))
    }

    /// A unit without modifiers.
    pub const fn unit(unit: Unit) -> Operand {
        Operand::new(From::Unit(unit))
    }

    /// The unit that it reads.
    pub fn read(&self) -> Option<Unit> {
        match self.from {
            From::Unit(unit) => Some(unit),
            _ => None,
        }
    }
}

/// A private array in registers: units in one element of consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// First unit.
    pub first: Unit,
    /// Number of units.
    pub words: u32,
}

impl Column {
    /// All of it.
    pub fn units(self) -> Range<Unit> {
        self.first..self.first + self.words
    }
}

/// A private array accessed at an index in AR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    /// The first operand is an element of this array.
    Load(Column),
    /// The result goes to an element of this array.
    Store(Column),
}

/// An ALU instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Alu {
    /// Opcode.
    pub op: AluOp,
    /// Result.
    pub dst: Option<Unit>,
    /// Operands.
    pub src: Vec<Operand>,
    /// The result is clamped to 0..1.
    pub clamp: bool,
    /// Relative addressing; the index is in AR.
    pub relative: Option<Relative>,
    /// For CUBE: the other three results, whose slots go with this one's.
    pub cube: Option<[Unit; 3]>,
}

impl Alu {
    /// An instruction without modifiers.
    pub fn new(op: impl Into<AluOp>, dst: Option<Unit>, src: Vec<Operand>) -> Alu {
        Alu {
            op: op.into(),
            dst,
            src,
            clamp: false,
            relative: None,
            cube: None,
        }
    }
}

/// An element of a vector that a fetch or an export reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A unit.
    Unit(Unit),
    /// 0.0
    Zero,
    /// 1.0
    One,
    /// Nothing.
    None,
}

/// One fetch instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The instruction; registers and selects are filled in when they are known.
    pub inst: FetchInst,
    /// Coordinates, or the index in the first.
    pub src: [Lane; 4],
    /// Where the components of the result go.
    pub dst: [Option<Unit>; 4],
}

/// An access to scratch memory, or a write to the ring of the wave. Element `k` of a slot is element `k` of the register.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryAccess {
    /// What is accessed.
    pub op: MemoryOp,
    /// First slot of four words; of a ring or a stream, the first word.
    pub slot: u16,
    /// Slots that the index may reach.
    pub slots: u16,
    /// Unit with the number of slots to add.
    pub index: Option<Unit>,
    /// What is written, or where a load goes.
    pub words: [Option<Unit>; 4],
    /// Reads.
    pub load: bool,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Inst {
    /// Arithmetic.
    Alu(Alu),
    /// Fetches that follow each other in one clause.
    Fetch(Vec<Part>),
    /// An export; its register and selects are filled in.
    Export(Export, [Lane; 4]),
    /// Scratch memory, rings and streams.
    Memory(MemoryAccess),
    /// A vertex is emitted, the strip ends, or both.
    Emit {
        /// A vertex.
        vertex: bool,
        /// The end of a strip.
        cut: bool,
    },
    /// Nothing, at the end of the program.
    End,
}

impl Lane {
    fn unit(&mut self) -> Option<&mut Unit> {
        match self {
            Lane::Unit(unit) => Some(unit),
            _ => None,
        }
    }
}

fn one(unit: Unit) -> Range<Unit> {
    unit..unit + 1
}

impl Instruction for Inst {
    fn operands(&self, mut f: impl FnMut(Range<Unit>)) {
        let mut lanes = |lanes: &[Lane; 4]| {
            for lane in lanes {
                if let Lane::Unit(unit) = lane {
                    f(one(*unit));
                }
            }
        };
        match self {
            Inst::Alu(alu) => {
                for (at, operand) in alu.src.iter().enumerate() {
                    match alu.relative {
                        Some(Relative::Load(array)) if at == 0 => f(array.units()),
                        _ => operand.read().map(one).into_iter().for_each(&mut f),
                    }
                }
                if let Some(Relative::Store(array)) = alu.relative {
                    // Elements that are not written stay.
                    f(array.units());
                }
            }
            Inst::Fetch(parts) => parts.iter().for_each(|part| lanes(&part.src)),
            Inst::Emit { .. } | Inst::End => {}
            Inst::Export(_, exported) => lanes(exported),
            Inst::Memory(scratch) => {
                scratch.index.map(one).into_iter().for_each(&mut f);
                if !scratch.load {
                    scratch
                        .words
                        .iter()
                        .flatten()
                        .for_each(|&unit| f(one(unit)));
                }
            }
        }
    }

    fn results(&self, mut f: impl FnMut(Range<Unit>)) {
        let mut units = |units: &[Option<Unit>]| units.iter().flatten().for_each(|&u| f(one(u)));
        match self {
            Inst::Alu(alu) => match alu.relative {
                Some(Relative::Store(array)) => f(array.units()),
                _ => {
                    units(&[alu.dst]);
                    alu.cube.iter().for_each(|others| units(&others.map(Some)));
                }
            },
            Inst::Fetch(parts) => parts.iter().for_each(|part| units(&part.dst)),
            Inst::Memory(scratch) if scratch.load => units(&scratch.words),
            Inst::Export(..) | Inst::Memory(_) | Inst::Emit { .. } | Inst::End => {}
        }
    }
}

impl Inst {
    /// Gives operands and results other units.
    pub fn rename(&mut self, read: impl Fn(Unit) -> Unit, write: impl Fn(Unit) -> Unit) {
        let lanes = |lanes: &mut [Lane; 4]| {
            for unit in lanes.iter_mut().filter_map(Lane::unit) {
                *unit = read(*unit);
            }
        };
        match self {
            Inst::Alu(alu) => {
                alu.dst = alu.dst.map(&write);
                alu.cube = alu.cube.map(|units| units.map(&write));
                for operand in &mut alu.src {
                    if let From::Unit(unit) = &mut operand.from {
                        *unit = read(*unit);
                    }
                }
            }
            Inst::Fetch(parts) => {
                for part in parts {
                    lanes(&mut part.src);
                    part.dst = part.dst.map(|unit| unit.map(&write));
                }
            }
            Inst::Emit { .. } | Inst::End => {}
            Inst::Export(_, exported) => lanes(exported),
            Inst::Memory(scratch) => {
                scratch.index = scratch.index.map(&read);
                scratch.words = scratch.words.map(|unit| match scratch.load {
                    true => unit.map(&write),
                    false => unit.map(&read),
                });
            }
        }
    }
}

/// What is known of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Home {
    /// Its element.
    pub elem: Option<u8>,
    /// The vector it belongs to.
    pub vector: Option<u32>,
    /// It must stay in a register.
    pub keep: bool,
}

/// Units in one register.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vector {
    /// Members, at most four.
    pub units: Vec<Unit>,
    /// The register it must be.
    pub gpr: Option<u8>,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Instructions.
    pub insts: Vec<Inst>,
    /// Where lanes go on.
    pub next: Vec<usize>,
    /// Where the first instruction comes from.
    pub origin: Origin,
}

/// A place in the control flow.
pub type Label = usize;

/// The program in order: blocks between control-flow instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A block. Where it ends in a predicate, its lanes are saved before and those that fail are put aside, unless they
    /// leave a loop.
    Block(usize),
    /// A control-flow instruction.
    Flow(FlowKind, Label, u8),
    /// A jump target.
    Label(Label),
}

/// Control-flow instructions that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKind {
    /// PUSH of whole quads.
    PushQuads,
    /// POP.
    Pop,
    /// JUMP.
    Jump,
    /// JUMP where no live lane is active.
    JumpHelpers,
    /// JUMP, always.
    JumpAlways,
    /// ELSE.
    Else,
    /// LOOP_START_DX10.
    LoopStart,
    /// LOOP_END.
    LoopEnd,
    /// LOOP_END that goes round for live lanes only.
    LoopEndLive,
    /// LOOP_BREAK.
    Break,
    /// LOOP_CONTINUE.
    Continue,
    /// ALU_BREAK: no instruction of its own, lanes that fail the predicate of the block before leave the loop.
    BreakFailing,
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Blocks.
    pub blocks: Vec<Block>,
    /// The program in order.
    pub pieces: Vec<Piece>,
    /// Jump targets given out.
    pub labels: usize,
    /// Facts about units.
    pub homes: Vec<Home>,
    /// Vectors.
    pub vectors: Vec<Vector>,
    /// Private arrays in registers.
    pub arrays: Vec<Column>,
    /// Slots of scratch memory taken, four words each.
    pub scratch_slots: u16,
}

impl Code {
    /// A new unit.
    pub fn unit(&mut self) -> Unit {
        self.homes.push(Home::default());
        self.homes.len() as Unit - 1
    }

    /// A vector of units that are in none.
    pub fn vector(&mut self, units: Vec<Unit>) -> u32 {
        let number = self.vectors.len() as u32;
        for &unit in &units {
            self.homes[unit as usize].vector = Some(number);
        }
        self.vectors.push(Vector { units, gpr: None });
        number
    }

    /// Four units in a given register, in the order of its elements.
    pub fn pinned(&mut self, gpr: u8) -> [Unit; 4] {
        let units = [0, 1, 2, 3].map(|elem| {
            let unit = self.unit();
            self.homes[unit as usize].elem = Some(elem);
            unit
        });
        let number = self.vector(units.to_vec());
        self.vectors[number as usize].gpr = Some(gpr);
        units
    }

    /// A private array in registers.
    pub fn array(&mut self, words: u32) -> Column {
        let first = self.homes.len() as Unit;
        for _ in 0..words {
            self.unit();
        }
        let array = Column { first, words };
        self.arrays.push(array);
        array
    }

    /// The private array that a unit belongs to.
    pub fn array_of(&self, unit: Unit) -> Option<Column> {
        let mut arrays = self.arrays.iter().copied();
        arrays.find(|array| array.units().contains(&unit))
    }

    /// The code as liveness sees it.
    pub fn flow(&self) -> Vec<regalloc::Block<'_, Inst>> {
        let blocks = self.blocks.iter().map(|block| regalloc::Block {
            insts: &block.insts[..],
            lane_next: block.next.clone(),
            wave_next: Vec::new(),
            wave_skips: Vec::new(),
        });
        blocks.collect()
    }

    /// Units live at the ends of blocks.
    pub fn liveness(&self) -> Liveness {
        Liveness::new(&self.flow(), self.homes.len(), Flow::Lane)
    }

    /// A new block.
    pub fn block(&mut self) -> usize {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// A new jump target.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        self.labels - 1
    }
}
