//! Instructions on vectors of up to four values, before they have registers.
//!
//! A [`Reg::Temp`] is a vector of values that will lie in one register. Members of an instruction do the same operation;
//! each writes a component of the target.

use crate::codegen::regalloc;
use crate::ir::Origin;

/// What holds a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reg {
    /// A vector that gets a register.
    Temp(u32),
    /// A constant.
    Constant(u32),
    /// An input of the vertex engine.
    Input(u32),
    /// An output of the vertex engine.
    Output(u32),
    /// A colour of the pixel unit.
    Target(u8),
    /// An alternate temporary of the vertex engine: 0 between two instructions, others for [`super::duals`].
    Alternate(u8),
    /// What the instruction's own [`Before`] gives.
    Before,
    /// A constant, as many on as a component of the address register says.
    Indexed(u32, u8),
    /// The address register.
    Address,
}

/// What a member takes of an operand's register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Select {
    /// A component of the vector.
    Component(u8),
    /// 0.0
    Zero,
    /// 0.5, which the pixel unit has.
    Half,
    /// 1.0
    One,
}

/// An operand of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Vector; none where the select is a number.
    pub reg: Option<Reg>,
    /// Component or number.
    pub select: Select,
    /// Its magnitude.
    pub abs: bool,
    /// Its sign changes, after that.
    pub negate: bool,
}

/// What the pixel unit computes of two sources before the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presum {
    /// One less source 0.
    Inverse,
    /// Source 1 less source 0.
    Difference,
    /// The sum of both.
    Sum,
}

/// A sum before the operation, channel by channel. Operands name channels of it as components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Before {
    /// What is summed.
    pub op: Presum,
    /// Sources 0 and 1; the same one twice where only one counts.
    pub regs: [Reg; 2],
    /// Channel in which component 0 of each lies.
    pub first: [u8; 2],
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// Reciprocal.
    Rcp,
    /// Reciprocal square root.
    Rsq,
    /// Power of two.
    Exp2,
    /// Logarithm of base two.
    Log2,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// Texture lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lookup {
    /// Level from the quad.
    Plain,
    /// The same plus the fourth coordinate.
    Bias,
    /// At the level of the fourth coordinate.
    Level,
    /// At a level, coordinates in texels.
    Texel,
    /// With gradients: second and third operand.
    Gradients,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// The operand.
    Mov,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Product and sum.
    Mad,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Fraction.
    Frc,
    /// Sum of three products: operands have that many args, one member writes.
    Dot3,
    /// Sum of four products.
    Dot4,
    /// A comparison: 1.0 or 0.0. The pixel unit compares with zero only.
    Set(Test),
    /// The second where the first compares so to zero, otherwise the third.
    Mux(Test),
    /// The second where the first is true, otherwise the third.
    Choose,
    /// One less the operand: the other bool.
    Not,
    /// The integer below, for the address register.
    Address,
    /// A function.
    Function(Function),
    /// Difference to the right or below.
    Derivative {
        /// Below.
        down: bool,
    },
    /// A texture lookup.
    Look(Lookup, u8),
    /// Pixels whose operand is negative end.
    Kill,
    /// A colour.
    Color(u8),
    /// The depth.
    Depth,
    /// Nothing is written: whether a lane goes round a loop again, or wants the blocks that follow.
    Again,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// Operation.
    pub op: Op,
    /// What is written, if anything.
    pub dst: Option<Reg>,
    /// Component of the target that each member writes.
    pub components: Vec<u8>,
    /// By operand, then by member.
    pub args: Vec<Vec<Arg>>,
    /// A sum that operands take.
    pub before: Option<Before>,
    /// Results are multiplied by two to this power, before the clamp.
    pub scale: i8,
    /// Results are clamped to 0..1.
    pub saturate: bool,
    /// Lanes whose red, or alpha, is not zero go round the loop again, or want the blocks that follow.
    pub vote: Option<bool>,
    /// What the math engine of the vertex engine does along with it.
    pub with: Option<Box<Inst>>,
    /// Where it comes from.
    pub origin: Origin,
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The next block follows.
    Next,
    /// Back to the header of a loop while a lane wants that, which the last instruction says.
    Again {
        /// Block.
        header: usize,
        /// Most rounds, if they are known.
        rounds: Option<f64>,
    },
    /// Over the blocks that follow to a later one, unless a lane wants them, which the last instruction says.
    Skip {
        /// Block.
        to: usize,
    },
    /// The program ends.
    Done,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Instructions.
    pub insts: Vec<Inst>,
    /// End.
    pub end: End,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Blocks.
    pub blocks: Vec<Block>,
    /// Components of each vector.
    pub widths: Vec<u8>,
    /// Channel of the first component of each vector, where that matters.
    pub phases: Vec<Option<u8>>,
    /// Registers that vectors have to have.
    pub pinned: Vec<(u32, u16)>,
}

impl Code {
    /// A new vector.
    pub fn vector(&mut self, width: u8) -> u32 {
        self.widths.push(width);
        self.phases.push(None);
        self.widths.len() as u32 - 1
    }
}

/// The number that the allocator gives to a component.
pub fn unit(vector: u32, component: u8) -> regalloc::Unit {
    4 * vector + u32::from(component)
}

impl Arg {
    /// A component of a vector.
    pub fn of(reg: Reg, component: u8) -> Arg {
        Arg {
            reg: Some(reg),
            select: Select::Component(component),
            abs: false,
            negate: false,
        }
    }

    /// A number that swizzles have.
    pub fn number(select: Select) -> Arg {
        Arg {
            reg: None,
            select,
            abs: false,
            negate: false,
        }
    }

    fn unit(&self) -> Option<regalloc::Unit> {
        match (self.reg, self.select) {
            (Some(Reg::Temp(vector)), Select::Component(component)) => {
                Some(unit(vector, component))
            }
            _ => None,
        }
    }
}

impl Inst {
    /// Everything that is read, by the math engine too.
    pub fn read_args(&self) -> impl Iterator<Item = &Arg> {
        let with = self.with.iter().flat_map(|with| &with.args);
        self.args.iter().chain(with).flatten()
    }

    /// Components of temporaries that are read.
    pub fn read_units(&self, mut f: impl FnMut(regalloc::Unit)) {
        for arg in self.read_args() {
            match (arg.reg, self.before, arg.select) {
                (Some(Reg::Before), Some(before), Select::Component(channel)) => {
                    for (reg, first) in before.regs.into_iter().zip(before.first) {
                        Arg::of(reg, channel - first)
                            .unit()
                            .into_iter()
                            .for_each(&mut f);
                    }
                }
                _ => arg.unit().into_iter().for_each(&mut f),
            }
        }
    }

    /// Components of temporaries that are written.
    pub fn written_units(&self, mut f: impl FnMut(regalloc::Unit)) {
        if let Some(Reg::Temp(vector)) = self.dst {
            self.components.iter().for_each(|c| f(unit(vector, *c)));
        }
    }

    /// An instruction that reads and writes these.
    pub fn new(op: Op, dst: Option<Reg>, components: Vec<u8>, args: Vec<Vec<Arg>>) -> Inst {
        Inst {
            op,
            dst,
            components,
            args,
            before: None,
            scale: 0,
            saturate: false,
            vote: None,
            with: None,
            origin: Origin::default(),
        }
    }

    /// Copies operands without a change.
    pub fn is_plain_copy(&self) -> bool {
        let plain = |arg: &Arg| !arg.abs && !arg.negate && arg.unit().is_some();
        self.op == Op::Mov && !self.saturate && self.scale == 0 && self.args[0].iter().all(plain)
    }
}

impl regalloc::Instruction for Inst {
    fn operands(&self, mut f: impl FnMut(std::ops::Range<regalloc::Unit>)) {
        self.read_units(|unit| f(unit..unit + 1));
    }

    fn results(&self, mut f: impl FnMut(std::ops::Range<regalloc::Unit>)) {
        self.written_units(|unit| f(unit..unit + 1));
    }

    fn is_copy(&self) -> bool {
        self.is_plain_copy() && matches!(self.dst, Some(Reg::Temp(_)))
    }
}
