//! Four words to an instruction and back. [R5XX 7.5.9]
//!
//! Bits that mean nothing where they stand are kept in [`Inst::stray`], so that every word that decodes encodes to
//! itself.

use super::inst::{
    DecodeError, DstFile, DualMath, Inst, Mode, Op, Operand, Select, SrcFile, Target, Third,
};
use super::ops::{MacroOp, MeOp, VeOp, VeSem};
use super::words::{Dst, Dual, Src};

impl Op {
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
    fn decode(code: u8, word: u32) -> Result<Select, DecodeError> {
        match code {
            0..=5 => Ok(Select::ALL[usize::from(code)].1),
            7 => Ok(Select::Unused),
            _ => Err(DecodeError::Swizzle { code, word }),
        }
    }

    fn code(self) -> u8 {
        match self {
            Select::Unused => 7,
            other => other as u8,
        }
    }
}

impl Operand {
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
}

impl Inst {
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
}
