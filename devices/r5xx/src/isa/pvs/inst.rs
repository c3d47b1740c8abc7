//! One instruction: four words to typed operands and back. [R5XX 7.5.9]
//!
//! Bits that mean nothing where they stand are kept in [`Inst::stray`], so that every word that decodes encodes to
//! itself.

use super::ops::{MacroOp, MeOp, VeOp, VeSem};
use super::words::{Dst, Dual, Src};

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

    fn decode(dst: Dst, word: u32) -> Result<Op, DecodeError> {
        let code = dst.opcode;
        let (engine, op) = match (dst.math_inst, dst.macro_inst) {
            (true, true) => return Err(DecodeError::MacroMath { word }),
            (true, false) => (
                "the math engine",
                MeOp::from_code(code.into()).map(Op::Math),
            ),
            (false, true) => ("a macro", MacroOp::from_code(code.into()).map(Op::Macro)),
            (false, false) => (
                "the vector engine",
                VeOp::from_code(code.into()).map(Op::Vector),
            ),
        };
        op.ok_or(DecodeError::Opcode { engine, code, word })
    }
}

impl Mode {
    fn decode(high: bool, low: bool, select: u8, word: u32) -> Result<Mode, DecodeError> {
        match (high, low) {
            (false, false) => Ok(Mode::Absolute),
            (false, true) => Ok(Mode::Address(select)),
            (true, false) => Ok(Mode::Loop),
            (true, true) => Err(DecodeError::Mode { word }),
        }
    }

    fn high(self) -> bool {
        self == Mode::Loop
    }

    fn low(self) -> bool {
        matches!(self, Mode::Address(_))
    }

    fn select(self) -> u8 {
        match self {
            Mode::Address(select) => select,
            Mode::Absolute | Mode::Loop => 0,
        }
    }
}

impl SrcFile {
    const ALL: [SrcFile; 4] = [
        SrcFile::Temp,
        SrcFile::Input,
        SrcFile::Constant,
        SrcFile::AltTemp,
    ];
}

impl DstFile {
    const ALL: [DstFile; 6] = [
        DstFile::Temp,
        DstFile::Address,
        DstFile::Output,
        DstFile::OutputX,
        DstFile::AltTemp,
        DstFile::Input,
    ];
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

    fn decode(code: u8, word: u32) -> Result<Select, DecodeError> {
        match code {
            0..=5 => Ok(Select::ALL[usize::from(code)].1),
            7 => Ok(Select::Unused),
            _ => Err(DecodeError::Swizzle { code, word }),
        }
    }

    /// It takes nothing from the register.
    pub fn is_constant(self) -> bool {
        matches!(self, Select::Zero | Select::One | Select::Unused)
    }

    fn code(self) -> u8 {
        match self {
            Select::Unused => 7,
            other => other as u8,
        }
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

    fn decode(word: u32) -> Result<Operand, DecodeError> {
        let src = Src::from_word(word);
        let select = |code| Select::decode(code, word);
        Ok(Operand {
            file: SrcFile::ALL[usize::from(src.reg_type)],
            offset: src.offset,
            mode: Mode::decode(src.addr_mode_1, src.addr_mode_0, src.addr_sel, word)?,
            abs: src.abs_xyzw,
            swizzle: [
                select(src.swizzle_x)?,
                select(src.swizzle_y)?,
                select(src.swizzle_z)?,
                select(src.swizzle_w)?,
            ],
            negate: [0, 1, 2, 3].map(|bit| src.modifier >> bit & 1 == 1),
        })
    }

    /// It takes nothing from its register.
    pub fn is_constant(&self) -> bool {
        self.swizzle.iter().all(|select| select.is_constant())
    }

    /// The word of a source.
    pub fn pack(&self) -> u32 {
        let [x, y, z, w] = self.swizzle.map(Select::code);
        let negate = self.negate.iter().rev();
        Src {
            addr_mode_1: self.mode.high(),
            addr_sel: self.mode.select(),
            modifier: negate.fold(0, |bits, bit| bits << 1 | u8::from(*bit)),
            swizzle_w: w,
            swizzle_z: z,
            swizzle_y: y,
            swizzle_x: x,
            offset: self.offset,
            addr_mode_0: self.mode.low(),
            abs_xyzw: self.abs,
            spare: false,
            reg_type: self.file as u8,
        }
        .pack()
    }
}

impl DualMath {
    fn decode(word: u32, saturate: bool) -> Result<DualMath, DecodeError> {
        let dual = Dual::from_word(word);
        let code = u8::from(dual.opcode_msb) << 4 | dual.opcode;
        let op = MeOp::from_code(code.into()).ok_or(DecodeError::Opcode {
            engine: "the math engine",
            code,
            word,
        })?;
        let operands = op.sem().operands();
        if operands > 2 {
            let op = op.name();
            return Err(DecodeError::Dual { op, operands, word });
        }
        Ok(DualMath {
            op,
            saturate,
            file: SrcFile::ALL[usize::from(dual.reg_type)],
            offset: dual.offset,
            mode: Mode::decode(dual.addr_mode_1, dual.addr_mode_0, dual.addr_sel, word)?,
            abs: dual.abs_xyzw,
            swizzle: [
                Select::decode(dual.swizzle_x, word)?,
                Select::decode(dual.swizzle_y, word)?,
            ],
            negate: [dual.modifier_x, dual.modifier_y],
            dst: dual.dst_offset,
            component: dual.we_sel,
        })
    }

    fn pack(&self) -> u32 {
        let code = self.op.code() as u8;
        Dual {
            addr_mode_1: self.mode.high(),
            addr_sel: self.mode.select(),
            we_sel: self.component,
            modifier_y: self.negate[1],
            modifier_x: self.negate[0],
            opcode: code & 15,
            dst_offset: self.dst,
            swizzle_y: self.swizzle[1].code(),
            swizzle_x: self.swizzle[0].code(),
            offset: self.offset,
            addr_mode_0: self.mode.low(),
            abs_xyzw: self.abs,
            opcode_msb: code >> 4 == 1,
            reg_type: self.file as u8,
        }
        .pack()
    }

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

    /// The instruction of four words.
    pub fn decode(words: [u32; 4]) -> Result<Inst, DecodeError> {
        let word = words[0];
        let dst = Dst::from_word(word);
        let op = Op::decode(dst, word)?;
        let file = DstFile::ALL.get(usize::from(dst.reg_type));
        let file = *file.ok_or(DecodeError::Destination {
            code: dst.reg_type,
            word,
        })?;
        let writes_address = file == DstFile::Address && dst.we != 0;
        if writes_address && !matches!(op.vector(), Some(VeSem::Fix { .. } | VeSem::Nop)) {
            let op = op.name();
            return Err(DecodeError::Address { op, word });
        }
        let third = match dst.dual_math_op {
            false => Third::Source(Operand::decode(words[3])?),
            true => {
                if op.operands() > 2 || dst.math_inst {
                    let (op, operands) = (op.name(), op.operands());
                    return Err(DecodeError::Dual { op, operands, word });
                }
                Third::Math(DualMath::decode(words[3], dst.me_sat)?)
            }
        };
        let mut inst = Inst {
            op,
            target: Target {
                file,
                offset: dst.offset,
                mode: Mode::decode(dst.addr_mode_1, dst.addr_mode_0, dst.addr_sel, word)?,
                mask: dst.we,
            },
            saturate: match dst.math_inst {
                true => dst.me_sat,
                false => dst.ve_sat,
            },
            predicate: dst.pred_enable.then_some(dst.pred_sense),
            sources: [Operand::decode(words[1])?, Operand::decode(words[2])?],
            third,
            stray: [0; 4],
        };
        let packed = inst.encode();
        inst.stray = std::array::from_fn(|at| words[at] ^ packed[at]);
        Ok(inst)
    }

    /// The four words.
    pub fn encode(&self) -> [u32; 4] {
        let (opcode, macro_inst, math_inst) = match self.op {
            Op::Vector(op) => (op.code(), false, false),
            Op::Macro(op) => (op.code(), true, false),
            Op::Math(op) => (op.code(), false, true),
        };
        let (dual, last) = match &self.third {
            Third::Source(operand) => (None, operand.pack()),
            Third::Math(dual) => (Some(dual), dual.pack()),
        };
        let mode = self.target.mode;
        let dst = Dst {
            addr_mode_0: mode.low(),
            addr_sel: mode.select(),
            dual_math_op: dual.is_some(),
            pred_sense: self.predicate == Some(true),
            pred_enable: self.predicate.is_some(),
            me_sat: math_inst && self.saturate || dual.is_some_and(|dual| dual.saturate),
            ve_sat: !math_inst && self.saturate,
            we: self.target.mask,
            offset: self.target.offset,
            addr_mode_1: mode.high(),
            reg_type: self.target.file as u8,
            macro_inst,
            math_inst,
            opcode: opcode as u8,
        };
        let [a, b] = self.sources.map(|source| source.pack());
        let words = [dst.pack(), a, b, last];
        std::array::from_fn(|at| words[at] ^ self.stray[at])
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
