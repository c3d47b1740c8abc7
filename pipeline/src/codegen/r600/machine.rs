//! Machine instructions over virtual registers.
//!
//! A *unit* is one element of a register: 32 bits a lane. Its element is chosen by the scheduler when its first
//! definition is given a slot, its register afterwards. Units of one *vector* lie in one register, because a fetch or an
//! export names only one. Blocks hold instructions in an order that is correct; the scheduler may change it.

use r600::isa::alu::AluOp;
use r600::isa::export::Export;
use r600::isa::fetch::Fetch as FetchInst;

use crate::ir::Origin;

/// A virtual register element.
pub type Unit = u32;

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

/// A private array accessed at an index in AR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    /// The first operand is an element of this array.
    Load(usize),
    /// The result goes to an element of this array.
    Store(usize),
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

/// An access to scratch memory. Element `k` of a slot is element `k` of the register.
#[derive(Clone, Debug, PartialEq)]
pub struct Scratch {
    /// First slot of four words.
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
    /// Scratch memory.
    Scratch(Scratch),
}

impl Inst {
    /// Calls `f` for every unit read.
    pub fn each_read(&self, code: &Code, mut f: impl FnMut(Unit)) {
        match self {
            Inst::Alu(alu) => {
                let relative = alu.relative;
                for (at, operand) in alu.src.iter().enumerate() {
                    match relative {
                        Some(Relative::Load(array)) if at == 0 => {
                            code.arrays[array].clone().for_each(&mut f);
                        }
                        _ => operand.read().into_iter().for_each(&mut f),
                    }
                }
                if let Some(Relative::Store(array)) = relative {
                    // Elements that are not written stay.
                    code.arrays[array].clone().for_each(&mut f);
                }
            }
            Inst::Fetch(parts) => {
                for lane in parts.iter().flat_map(|part| &part.src) {
                    if let Lane::Unit(unit) = lane {
                        f(*unit);
                    }
                }
            }
            Inst::Export(_, lanes) => {
                for lane in lanes {
                    if let Lane::Unit(unit) = lane {
                        f(*unit);
                    }
                }
            }
            Inst::Scratch(scratch) => {
                scratch.index.into_iter().for_each(&mut f);
                if !scratch.load {
                    scratch.words.iter().flatten().for_each(|&unit| f(unit));
                }
            }
        }
    }

    /// Calls `f` for every unit written.
    pub fn each_write(&self, code: &Code, mut f: impl FnMut(Unit)) {
        match self {
            Inst::Alu(alu) => {
                if let Some(Relative::Store(array)) = alu.relative {
                    code.arrays[array].clone().for_each(&mut f);
                } else {
                    alu.dst.into_iter().for_each(&mut f);
                    alu.cube.into_iter().flatten().for_each(&mut f);
                }
            }
            Inst::Fetch(parts) => {
                for unit in parts.iter().flat_map(|part| part.dst.iter().flatten()) {
                    f(*unit);
                }
            }
            Inst::Export(..) => {}
            Inst::Scratch(scratch) => {
                if scratch.load {
                    scratch.words.iter().flatten().for_each(|&unit| f(unit));
                }
            }
        }
    }

    /// Replaces units.
    pub fn map_units(&mut self, map: &dyn Fn(Unit) -> Unit) {
        let lane = |lane: &mut Lane| {
            if let Lane::Unit(unit) = lane {
                *unit = map(*unit);
            }
        };
        let unit = |unit: &mut Option<Unit>| *unit = unit.map(map);
        match self {
            Inst::Alu(alu) => {
                unit(&mut alu.dst);
                for other in alu.cube.iter_mut().flatten() {
                    *other = map(*other);
                }
                for operand in &mut alu.src {
                    if let From::Unit(unit) = &mut operand.from {
                        *unit = map(*unit);
                    }
                }
            }
            Inst::Fetch(parts) => {
                for part in parts {
                    part.src.iter_mut().for_each(lane);
                    part.dst.iter_mut().for_each(unit);
                }
            }
            Inst::Export(_, lanes) => lanes.iter_mut().for_each(lane),
            Inst::Scratch(scratch) => {
                unit(&mut scratch.index);
                scratch.words.iter_mut().for_each(unit);
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
    /// A block. Where it ends in a predicate, its lanes are saved before and those that fail are put aside.
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
    /// ELSE.
    Else,
    /// LOOP_START_DX10.
    LoopStart,
    /// LOOP_END.
    LoopEnd,
    /// LOOP_BREAK.
    Break,
    /// LOOP_CONTINUE.
    Continue,
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
    /// Private arrays in registers: units that lie in the same element of consecutive registers.
    pub arrays: Vec<std::ops::Range<Unit>>,
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
    pub fn array(&mut self, words: u32) -> usize {
        let first = self.homes.len() as Unit;
        for _ in 0..words {
            self.unit();
        }
        self.arrays.push(first..first + words);
        self.arrays.len() - 1
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
