//! What an instruction is made of, typed. [R5XX 7.5.9]

use super::ops::{MacroOp, MeOp, VeOp, VeSem};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A vector operation.
    Vector(VeOp),
    /// A vector operation on three temporaries.
    Macro(MacroOp),
    /// A math operation.
    Math(MeOp),
}

/// How an offset becomes an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As it is.
    #[default]
    Absolute,
    /// Plus this component of A0.
    Address(u8),
    /// Plus the index of the innermost loop.
    Loop,
}

/// Memories that are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SrcFile {
    /// TRM: temporaries.
    #[default]
    Temp,
    /// IVM: the vertex.
    Input,
    /// CSM: constants.
    Constant,
    /// ATRM: alternate temporaries.
    AltTemp,
}

/// Memories that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DstFile {
    /// TRM: temporaries.
    #[default]
    Temp,
    /// A0.
    Address,
    /// OVM: outputs.
    Output,
    /// OVM, with X in every component.
    OutputX,
    /// ATRM: alternate temporaries.
    AltTemp,
    /// IVM: the vertex.
    Input,
}

/// What a component of an operand is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Select {
    /// Component X.
    #[default]
    X,
    /// Component Y.
    Y,
    /// Component Z.
    Z,
    /// Component W.
    W,
    /// 0.0
    Zero,
    /// 1.0
    One,
    /// Code 7, which compilers give to components that nobody reads; 0.0.
    Unused,
}

/// A source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Memory.
    pub file: SrcFile,
    /// Vector in it.
    pub offset: u8,
    /// How the vector is addressed.
    pub mode: Mode,
    /// Magnitudes of all components.
    pub abs: bool,
    /// What each component is.
    pub swizzle: [Select; 4],
    /// Components whose sign changes, after `abs`.
    pub negate: [bool; 4],
}

/// A destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Target {
    /// Memory.
    pub file: DstFile,
    /// Vector in it.
    pub offset: u8,
    /// How the vector is addressed.
    pub mode: Mode,
    /// Components written: bit 0 is X.
    pub mask: u8,
}

/// The math operation of a dual instruction. It writes an alternate temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DualMath {
    /// Operation.
    pub op: MeOp,
    /// The result is clamped to 0..1.
    pub saturate: bool,
    /// Memory of both scalars.
    pub file: SrcFile,
    /// Vector in it.
    pub offset: u8,
    /// How the vector is addressed.
    pub mode: Mode,
    /// Magnitudes of both scalars.
    pub abs: bool,
    /// The scalars: A, and B or C.
    pub swizzle: [Select; 2],
    /// Scalars whose sign changes.
    pub negate: [bool; 2],
    /// Alternate temporary, 0 to 3.
    pub dst: u8,
    /// Component of it, 0 to 3.
    pub component: u8,
}

/// What the last word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Third {
    /// The third source.
    Source(Operand),
    /// A math operation.
    Math(DualMath),
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// Operation.
    pub op: Op,
    /// Destination.
    pub target: Target,
    /// The result is clamped to 0..1.
    pub saturate: bool,
    /// Lanes whose predicate is this write.
    pub predicate: Option<bool>,
    /// First and second source.
    pub sources: [Operand; 2],
    /// Third source or second operation.
    pub third: Third,
    /// Bits without meaning.
    pub stray: [u32; 4],
}

/// Why words are no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// An unknown opcode.
    #[error("{engine} has no opcode {code} (word {word:#010x})")]
    Opcode {
        /// Vector, macro or math.
        engine: &'static str,
        /// Opcode.
        code: u8,
        /// The word with it.
        word: u32,
    },
    /// A macro of the math engine.
    #[error("an instruction is a macro and a math operation (word {word:#010x})")]
    MacroMath {
        /// The word.
        word: u32,
    },
    /// An unknown destination.
    #[error("there is no destination memory {code} (word {word:#010x})")]
    Destination {
        /// Register type.
        code: u8,
        /// The word with it.
        word: u32,
    },
    /// An operation that gives no integers writes A0.
    #[error("{op} cannot write A0 (word {word:#010x})")]
    Address {
        /// Mnemonic.
        op: &'static str,
        /// The word.
        word: u32,
    },
    /// An address mode that does not exist.
    #[error("there is no address mode 3 (word {word:#010x})")]
    Mode {
        /// The word with it.
        word: u32,
    },
    /// A swizzle that does not exist.
    #[error("there is no swizzle {code} (word {word:#010x})")]
    Swizzle {
        /// Its code.
        code: u8,
        /// The word with it.
        word: u32,
    },
    /// A dual instruction whose operations have no room.
    #[error(
        "{op} with {operands} operands cannot be half of a dual instruction (word {word:#010x})"
    )]
    Dual {
        /// Mnemonic.
        op: &'static str,
        /// Its operands.
        operands: usize,
        /// The word.
        word: u32,
    },
}

impl Op {
    /// Mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            Op::Vector(op) => op.name(),
            Op::Macro(op) => op.name(),
            Op::Math(op) => op.name(),
        }
    }

    /// Operands that the text has at least.
    pub fn operands(self) -> usize {
        match self {
            Op::Vector(op) => op.sem().operands(),
            Op::Macro(op) => op.sem().operands(),
            Op::Math(op) => op.sem().operands(),
        }
    }

    /// The meaning of a vector operation.
    pub fn vector(self) -> Option<VeSem> {
        match self {
            Op::Vector(op) => Some(op.sem()),
            Op::Macro(op) => Some(op.sem()),
            Op::Math(_) => None,
        }
    }
}

impl Select {
    /// By letter.
    pub(super) const ALL: [(char, Select); 7] = [
        ('x', Select::X),
        ('y', Select::Y),
        ('z', Select::Z),
        ('w', Select::W),
        ('0', Select::Zero),
        ('1', Select::One),
        ('_', Select::Unused),
    ];

    /// It takes nothing from the register.
    pub fn is_constant(self) -> bool {
        matches!(self, Select::Zero | Select::One | Select::Unused)
    }
}

/// Components in order, unchanged.
pub const XYZW: [Select; 4] = [Select::X, Select::Y, Select::Z, Select::W];

impl Operand {
    /// A register as it is.
    pub fn new(file: SrcFile, offset: u8) -> Operand {
        Operand {
            file,
            offset,
            swizzle: XYZW,
            ..Operand::default()
        }
    }

    /// It takes nothing from its register.
    pub fn is_constant(&self) -> bool {
        self.swizzle.iter().all(|select| select.is_constant())
    }
}

impl DualMath {
    /// The vector that both scalars come from, A in its X and the other in the rest.
    pub fn operand(&self) -> Operand {
        let [x, y] = self.swizzle;
        let [negate_x, negate_y] = self.negate;
        Operand {
            file: self.file,
            offset: self.offset,
            mode: self.mode,
            abs: self.abs,
            swizzle: [x, y, y, y],
            negate: [negate_x, negate_y, negate_y, negate_y],
        }
    }
}

impl Inst {
    /// An instruction whose missing sources repeat the last one.
    pub fn new(op: Op, target: Target, sources: &[Operand]) -> Inst {
        let source = |at: usize| sources.get(at).or(sources.last()).copied();
        Inst {
            op,
            target,
            saturate: false,
            predicate: None,
            sources: [0, 1].map(|at| source(at).unwrap_or_default()),
            third: Third::Source(source(2).unwrap_or_default()),
            stray: [0; 4],
        }
    }

    /// All sources; the third is empty in a dual instruction.
    pub fn operands(&self) -> [Operand; 3] {
        let third = match self.third {
            Third::Source(operand) => operand,
            Third::Math(_) => Operand::default(),
        };
        [self.sources[0], self.sources[1], third]
    }
}
