//! Words to instructions and back. [SI 12]

use super::compare::VopcOp;
use super::image::MimgOp;
use super::memory::{DsOp, MtbufOp, MubufOp};
use super::operand::{self, LITERAL, Operand};
use super::scalar::{self, Sop1Op, Sop2Op, SopcOp, SopkOp, SoppOp};
use super::text::is_export_target;
use super::vector::{Sem, VectorOp, Vop1Op, Vop2Op};
use super::words::*;

/// An instruction. The second part is the dword that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inst {
    /// Scalar, two sources.
    Sop2(Sop2, Option<u32>),
    /// Scalar, 16-bit constant.
    Sopk(Sopk, Option<u32>),
    /// Scalar, one source.
    Sop1(Sop1, Option<u32>),
    /// Scalar compare.
    Sopc(Sopc, Option<u32>),
    /// Program control.
    Sopp(Sopp),
    /// Scalar memory.
    Smrd(Smrd),
    /// Vector, two sources.
    Vop2(Vop2, Option<u32>),
    /// Vector, one source.
    Vop1(Vop1, Option<u32>),
    /// Vector compare.
    Vopc(Vopc, Option<u32>),
    /// Vector, three sources and modifiers.
    Vop3a(Vop3a),
    /// The same with a scalar destination.
    Vop3b(Vop3b),
    /// Interpolation.
    Vintrp(Vintrp),
    /// Data share.
    Ds(Ds),
    /// Untyped buffer.
    Mubuf(Mubuf),
    /// Typed buffer.
    Mtbuf(Mtbuf),
    /// Image.
    Mimg(Mimg),
    /// Export.
    Exp(Exp),
}

/// Words that are no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The program ends inside the instruction.
    #[error("the program ends inside an instruction of {needed} words")]
    Truncated {
        /// Words that the instruction has.
        needed: usize,
    },
    /// No format has these high bits.
    #[error("no encoding begins with bits {high:#08b}")]
    Encoding {
        /// Bits 31:26.
        high: u32,
    },
    /// The format has no such opcode.
    #[error("{encoding} has no opcode {opcode}")]
    Opcode {
        /// Format.
        encoding: &'static str,
        /// Opcode.
        opcode: u32,
    },
    /// Reserved bits are set.
    #[error("{encoding} with reserved bits set")]
    Reserved {
        /// Format.
        encoding: &'static str,
    },
    /// A field names no operand.
    #[error("{encoding} has no operand {code} for {field}")]
    Operand {
        /// Format.
        encoding: &'static str,
        /// Field.
        field: &'static str,
        /// Operand code.
        code: u32,
    },
}

/// The instruction at the start of `words` and the number of words it takes.
pub fn decode(words: &[u32]) -> Result<(Inst, usize), DecodeError> {
    let Some(&word) = words.first() else {
        return Err(DecodeError::Truncated { needed: 1 });
    };
    let long = || match words.get(1) {
        Some(&high) => Ok(u64::from(word) | u64::from(high) << 32),
        None => Err(DecodeError::Truncated { needed: 2 }),
    };
    let field = |hi: u32, lo: u32| word >> lo & ((1 << (hi - lo + 1)) - 1);
    let unknown = |encoding, opcode| DecodeError::Opcode { encoding, opcode };
    // A format of one word, and the bits of its opcode.
    macro_rules! short {
        ($Format:ident $(, $literal:ident)?; $name:literal [$hi:literal : $lo:literal]) => {
            match $Format::unpack(word) {
                Some(w) => Inst::$Format(w $(, $literal)?),
                None => return Err(unknown($name, field($hi, $lo))),
            }
        };
    }
    // A format of two words, its opcodes and their bits.
    macro_rules! long {
        ($Format:ident, $Op:ident; $name:literal [$hi:literal : $lo:literal]) => {
            match ($Format::unpack(long()?), field($hi, $lo)) {
                (Some(w), _) => Inst::$Format(w),
                (None, code) if $Op::from_code(code as u16).is_none() => {
                    return Err(unknown($name, code));
                }
                (None, _) => return Err(DecodeError::Reserved { encoding: $name }),
            }
        };
    }
    let inst = match word >> 26 {
        0b10_1111 if word >> 23 == 0b1_0111_1101 => short!(Sop1, None; "SOP1" [15:8]),
        0b10_1111 if word >> 23 == 0b1_0111_1110 => short!(Sopc, None; "SOPC" [22:16]),
        0b10_1111 if word >> 23 == 0b1_0111_1111 => short!(Sopp; "SOPP" [22:16]),
        0b10_1100..=0b10_1111 => short!(Sopk, None; "SOPK" [27:23]),
        0b10_0000..=0b10_1011 => short!(Sop2, None; "SOP2" [29:23]),
        0b01_1111 if word >> 25 == 0b011_1111 => short!(Vop1, None; "VOP1" [16:9]),
        0b01_1111 => short!(Vopc, None; "VOPC" [24:17]),
        0..=0b01_1110 => short!(Vop2, None; "VOP2" [30:25]),
        0b11_0000 | 0b11_0001 => short!(Smrd; "SMRD" [26:22]),
        0b11_0010 => short!(Vintrp; "VINTRP" [17:16]),
        0b11_0100 => match VectorOp::from_code(field(25, 17) as u16) {
            None => return Err(unknown("VOP3", field(25, 17))),
            Some(op) if op.has_scalar_destination() => long!(Vop3b, VectorOp; "VOP3" [25:17]),
            Some(_) => long!(Vop3a, VectorOp; "VOP3" [25:17]),
        },
        0b11_0110 => long!(Ds, DsOp; "DS" [25:18]),
        0b11_1000 => long!(Mubuf, MubufOp; "MUBUF" [24:18]),
        0b11_1010 => long!(Mtbuf, MtbufOp; "MTBUF" [18:16]),
        0b11_1100 => long!(Mimg, MimgOp; "MIMG" [24:18]),
        0b11_1110 => Exp::unpack(long()?)
            .map(Inst::Exp)
            .ok_or(DecodeError::Reserved { encoding: "EXP" })?,
        high => return Err(DecodeError::Encoding { high }),
    };
    inst.check()?;
    match inst.takes_literal() {
        false => Ok((inst, inst.base_words())),
        true => match words.get(1) {
            Some(&literal) => Ok((inst.with_literal(literal), 2)),
            None => Err(DecodeError::Truncated { needed: 2 }),
        },
    }
}

/// Appends the words of an instruction.
pub fn encode(inst: Inst, out: &mut Vec<u32>) {
    let mut long = |word: u64| out.extend([word as u32, (word >> 32) as u32]);
    let (word, literal) = match inst {
        Inst::Vop3a(w) => return long(w.pack()),
        Inst::Vop3b(w) => return long(w.pack()),
        Inst::Ds(w) => return long(w.pack()),
        Inst::Mubuf(w) => return long(w.pack()),
        Inst::Mtbuf(w) => return long(w.pack()),
        Inst::Mimg(w) => return long(w.pack()),
        Inst::Exp(w) => return long(w.pack()),
        Inst::Sop2(w, literal) => (w.pack(), literal),
        Inst::Sopk(w, literal) => (w.pack(), literal),
        Inst::Sop1(w, literal) => (w.pack(), literal),
        Inst::Sopc(w, literal) => (w.pack(), literal),
        Inst::Sopp(w) => (w.pack(), None),
        Inst::Smrd(w) => (w.pack(), None),
        Inst::Vop2(w, literal) => (w.pack(), literal),
        Inst::Vop1(w, literal) => (w.pack(), literal),
        Inst::Vopc(w, literal) => (w.pack(), literal),
        Inst::Vintrp(w) => (w.pack(), None),
    };
    out.push(word);
    out.extend(literal);
}

impl Inst {
    /// The words of this instruction.
    pub fn words(self) -> Vec<u32> {
        let mut words = Vec::with_capacity(2);
        encode(self, &mut words);
        words
    }

    /// Number of words.
    pub fn len(self) -> usize {
        self.base_words() + usize::from(self.takes_literal())
    }

    /// Never: every instruction has words.
    pub fn is_empty(self) -> bool {
        false
    }

    /// The dword that follows the instruction.
    pub fn literal(mut self) -> Option<u32> {
        *self.literal_mut()?
    }

    fn literal_mut(&mut self) -> Option<&mut Option<u32>> {
        match self {
            Inst::Sop2(_, literal)
            | Inst::Sopk(_, literal)
            | Inst::Sop1(_, literal)
            | Inst::Sopc(_, literal)
            | Inst::Vop2(_, literal)
            | Inst::Vop1(_, literal)
            | Inst::Vopc(_, literal) => Some(literal),
            _ => None,
        }
    }

    /// SOP2 with its operands.
    pub fn sop2(op: Sop2Op, sdst: u8, s0: Operand, s1: Operand) -> Inst {
        let word = Sop2 {
            op,
            sdst,
            ssrc1: s1.code() as u8,
            ssrc0: s0.code() as u8,
        };
        Inst::Sop2(word, s0.literal().or(s1.literal()))
    }

    /// SOP1 with its operands.
    pub fn sop1(op: Sop1Op, sdst: u8, s0: Operand) -> Inst {
        let ssrc0 = s0.code() as u8;
        Inst::Sop1(Sop1 { sdst, op, ssrc0 }, s0.literal())
    }

    /// SOPC with its operands.
    pub fn sopc(op: SopcOp, s0: Operand, s1: Operand) -> Inst {
        let word = Sopc {
            op,
            ssrc1: s1.code() as u8,
            ssrc0: s0.code() as u8,
        };
        Inst::Sopc(word, s0.literal().or(s1.literal()))
    }

    /// SOPK without a literal.
    pub fn sopk(op: SopkOp, sdst: u8, simm16: u16) -> Inst {
        Inst::Sopk(Sopk { op, sdst, simm16 }, None)
    }

    /// SOPP.
    pub fn sopp(op: SoppOp, simm16: u16) -> Inst {
        Inst::Sopp(Sopp { op, simm16 })
    }

    /// VOP2 with its operands; V_MADMK and V_MADAK are made with [`Inst::mad_constant`].
    pub fn vop2(op: Vop2Op, vdst: u8, s0: Operand, vsrc1: u8) -> Inst {
        let word = Vop2 {
            op,
            vdst,
            vsrc1,
            src0: s0.code(),
        };
        Inst::Vop2(word, s0.literal())
    }

    /// V_MADMK_F32 or V_MADAK_F32 with their constant.
    pub fn mad_constant(op: Vop2Op, vdst: u8, s0: u16, vsrc1: u8, constant: u32) -> Inst {
        let word = Vop2 {
            op,
            vdst,
            vsrc1,
            src0: s0,
        };
        Inst::Vop2(word, Some(constant))
    }

    /// VOP1 with its operand.
    pub fn vop1(op: Vop1Op, vdst: u8, s0: Operand) -> Inst {
        let src0 = s0.code();
        Inst::Vop1(Vop1 { vdst, op, src0 }, s0.literal())
    }

    /// VOPC with its operands.
    pub fn vopc(op: VopcOp, s0: Operand, vsrc1: u8) -> Inst {
        let src0 = s0.code();
        Inst::Vopc(Vopc { op, vsrc1, src0 }, s0.literal())
    }

    fn base_words(self) -> usize {
        match self {
            Inst::Vop3a(_)
            | Inst::Vop3b(_)
            | Inst::Ds(_)
            | Inst::Mubuf(_)
            | Inst::Mtbuf(_)
            | Inst::Mimg(_)
            | Inst::Exp(_) => 2,
            _ => 1,
        }
    }

    /// Whether a literal follows: a source field of 255, or an operation that always has one.
    fn takes_literal(self) -> bool {
        const LITERAL8: u8 = LITERAL as u8;
        match self {
            Inst::Sop2(w, _) => w.ssrc0 == LITERAL8 || w.ssrc1 == LITERAL8,
            Inst::Sop1(w, _) => w.ssrc0 == LITERAL8,
            Inst::Sopc(w, _) => w.ssrc0 == LITERAL8 || w.ssrc1 == LITERAL8,
            Inst::Sopk(w, _) => w.op.sem() == scalar::SemK::SetRegLiteral,
            Inst::Vop2(w, _) => w.src0 == LITERAL || matches!(w.op.sem(), Sem::MadMk | Sem::MadAk),
            Inst::Vop1(w, _) => w.src0 == LITERAL,
            Inst::Vopc(w, _) => w.src0 == LITERAL,
            _ => false,
        }
    }

    fn with_literal(mut self, value: u32) -> Inst {
        if let Some(literal) = self.literal_mut() {
            *literal = Some(value);
        }
        self
    }

    /// Refuses reserved operand codes.
    fn check(self) -> Result<(), DecodeError> {
        let source =
            |encoding, field, code: u16| allowed(operand::is_source(code), encoding, field, code);
        let scalar = |encoding, field, code: u8| {
            let register = operand::is_scalar_register(code.into());
            allowed(register, encoding, field, code)
        };
        let scalar_source = |encoding, field, code: u8| {
            let named = u16::from(code);
            let scalar = operand::is_source(named) && named != operand::LDS_DIRECT;
            allowed(scalar, encoding, field, code)
        };
        // Lane numbers and VOP3, which has no room for it, may not have a literal. [SI 6.2.1]
        let no_literal = |encoding, field, code: u16| {
            let fits = operand::is_source(code) && code != LITERAL;
            allowed(fits, encoding, field, code)
        };
        match self {
            Inst::Sop2(w, _) => {
                scalar_source("SOP2", "SSRC0", w.ssrc0)?;
                scalar_source("SOP2", "SSRC1", w.ssrc1)?;
                scalar("SOP2", "SDST", w.sdst)
            }
            Inst::Sopk(w, _) => scalar("SOPK", "SDST", w.sdst),
            Inst::Sop1(w, _) => {
                scalar_source("SOP1", "SSRC0", w.ssrc0)?;
                scalar("SOP1", "SDST", w.sdst)
            }
            Inst::Sopc(w, _) => {
                scalar_source("SOPC", "SSRC0", w.ssrc0)?;
                scalar_source("SOPC", "SSRC1", w.ssrc1)
            }
            Inst::Smrd(w) => {
                scalar("SMRD", "SDST", w.sdst)?;
                scalar("SMRD", "SBASE", w.sbase * 2)?;
                match w.imm {
                    true => Ok(()),
                    false => scalar("SMRD", "OFFSET", w.offset),
                }
            }
            Inst::Vop2(w, _) => {
                source("VOP2", "SRC0", w.src0)?;
                if matches!(w.op.sem(), Sem::ReadLane | Sem::WriteLane) {
                    no_literal("VOP2", "VSRC1", w.vsrc1.into())?;
                }
                match w.op.sem() {
                    Sem::ReadLane => scalar("VOP2", "VDST", w.vdst),
                    _ => Ok(()),
                }
            }
            Inst::Vop1(w, _) => {
                source("VOP1", "SRC0", w.src0)?;
                match w.op.sem() {
                    Sem::ReadFirstLane => scalar("VOP1", "VDST", w.vdst),
                    _ => Ok(()),
                }
            }
            Inst::Vopc(w, _) => source("VOPC", "SRC0", w.src0),
            Inst::Vop3a(Vop3a {
                src0, src1, src2, ..
            })
            | Inst::Vop3b(Vop3b {
                src0, src1, src2, ..
            }) => {
                for (field, code) in [("SRC0", src0), ("SRC1", src1), ("SRC2", src2)] {
                    no_literal("VOP3", field, code)?;
                }
                match self {
                    Inst::Vop3b(w) => scalar("VOP3", "SDST", w.sdst),
                    Inst::Vop3a(w) if w.op.writes_scalar() => scalar("VOP3", "VDST", w.vdst),
                    _ => Ok(()),
                }
            }
            Inst::Mubuf(Mubuf { soffset, .. }) | Inst::Mtbuf(Mtbuf { soffset, .. }) => {
                let code = u16::from(soffset);
                let scalar = operand::is_source(code) && code < operand::VCCZ;
                allowed(scalar, "MUBUF", "SOFFSET", code)
            }
            Inst::Exp(w) => allowed(is_export_target(w.tgt), "EXP", "TGT", w.tgt),
            _ => Ok(()),
        }
    }
}

/// Refuses an operand code that its field may not have.
fn allowed(
    holds: bool,
    encoding: &'static str,
    field: &'static str,
    code: impl Into<u32>,
) -> Result<(), DecodeError> {
    match holds {
        true => Ok(()),
        false => Err(DecodeError::Operand {
            encoding,
            field,
            code: code.into(),
        }),
    }
}
