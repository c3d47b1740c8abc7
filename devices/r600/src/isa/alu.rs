//! ALU instructions: opcodes and what they compute.

use isa::ops;
use lanes::LaneOp::{self, *};

use super::words::Omod;

/// Which units of a group can run an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// X, Y, Z, W and Trans.
    Both,
    /// X, Y, Z, W.
    Vector,
    /// Trans.
    Trans,
}

/// Facts about an ALU opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Where it runs.
    pub units: Units,
    /// Sources that it reads.
    pub sources: u8,
    /// What it computes.
    pub sem: Sem,
}

/// What an ALU instruction computes. Sources have their modifiers applied; OMOD and CLAMP follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sem {
    /// `op(sources)`.
    Alu(LaneOp),
    /// `second(first(sources))`.
    Then(LaneOp, LaneOp),
    /// `op(sources)`, scaled.
    Scaled(LaneOp, Omod),
    /// 1.0 where `op(src0, src1)`, else 0.0.
    Set(LaneOp),
    /// All ones where `op(src0, src1)`, else 0.
    SetMask(LaneOp),
    /// `op(src0, 0) ? src1 : src2`.
    Choose(LaneOp),
    /// The predicate is `op(src0, src1)`; the result 0.0 where it holds and 1.0 elsewhere.
    Predicate(LaneOp),
    /// The predicate is `src0 == 0.0 and op(src1, 0)`; the result 0.0 where it holds and `src0 + 1.0` elsewhere.
    PredicatePush(LaneOp),
    /// The predicate is `src0 == 1.0`; the result 0.0 where it holds, elsewhere 1.0 for 0.0 and `src0` for the rest.
    PredicateInvert,
    /// The predicate is `src0 <= src1`; the result 0.0 where it holds and `src0 - src1` elsewhere.
    PredicatePop,
    /// The predicate is false; the result the largest finite number.
    PredicateClear,
    /// The predicate is `src0 == 0.0`; the result 0.0 where it holds and `src0` elsewhere.
    PredicateRestore,
    /// Lanes where `op(src0, src1)` become invalid; the result 1.0 there and 0.0 elsewhere.
    Kill(LaneOp),
    /// The address register's element is `op(src0)`, -256 where that is outside -256..=255 or src0 is NaN.
    Mova(LaneOp),
    /// Sum of the four slots' products by `op`, from W to X.
    Dot4(LaneOp),
    /// Maximum of the four slots' first sources.
    Max4,
    /// T, S, twice the major axis and the number of a cube's face, from sources R.zzxy and R.yxzz.
    Cube,
    /// Logarithm to base 2, the most negative finite number instead of -infinity.
    LogClamped,
    /// `src0 * src1` (zero times anything is zero) where src1 is above the most negative finite number and src2 above
    /// zero, that number elsewhere; then scaled.
    MulLit(Omod),
    /// Nothing.
    Nop,
}

use Sem::*;

const fn both(sources: u8, sem: Sem) -> Facts {
    Facts {
        units: Units::Both,
        sources,
        sem,
    }
}

const fn vector(sources: u8, sem: Sem) -> Facts {
    Facts {
        units: Units::Vector,
        sources,
        sem,
    }
}

const fn trans(sources: u8, sem: Sem) -> Facts {
    Facts {
        units: Units::Trans,
        sources,
        sem,
    }
}

#[rustfmt::skip]
ops! {
    /// ALU_INST of instructions with two sources. [R600 7.2, 8.2]
    pub enum Op2: Facts {
        ADD                  = 0   "ADD"                  both(2, Alu(FAdd));
        MUL                  = 1   "MUL"                  both(2, Alu(FMulZero));
        MUL_IEEE             = 2   "MUL_IEEE"             both(2, Alu(FMul));
        MAX                  = 3   "MAX"                  both(2, Alu(FMaxLegacy));
        MIN                  = 4   "MIN"                  both(2, Alu(FMinLegacy));
        MAX_DX10             = 5   "MAX_DX10"             both(2, Alu(FMax));
        MIN_DX10             = 6   "MIN_DX10"             both(2, Alu(FMin));
        SETE                 = 8   "SETE"                 both(2, Set(FEq));
        SETGT                = 9   "SETGT"                both(2, Set(FGt));
        SETGE                = 10  "SETGE"                both(2, Set(FGe));
        SETNE                = 11  "SETNE"                both(2, Set(FNe));
        SETE_DX10            = 12  "SETE_DX10"            both(2, SetMask(FEq));
        SETGT_DX10           = 13  "SETGT_DX10"           both(2, SetMask(FGt));
        SETGE_DX10           = 14  "SETGE_DX10"           both(2, SetMask(FGe));
        SETNE_DX10           = 15  "SETNE_DX10"           both(2, SetMask(FNe));
        FRACT                = 16  "FRACT"                both(1, Alu(FFractOne));
        TRUNC                = 17  "TRUNC"                both(1, Alu(FTrunc));
        CEIL                 = 18  "CEIL"                 both(1, Alu(FCeil));
        RNDNE                = 19  "RNDNE"                both(1, Alu(FRound));
        FLOOR                = 20  "FLOOR"                both(1, Alu(FFloor));
        MOVA                 = 21  "MOVA"                 vector(1, Mova(F32ToI32Round));
        MOVA_FLOOR           = 22  "MOVA_FLOOR"           vector(1, Mova(F32ToI32Floor));
        MOVA_INT             = 24  "MOVA_INT"             vector(1, Mova(Mov));
        MOV                  = 25  "MOV"                  both(1, Alu(Mov));
        NOP                  = 26  "NOP"                  both(0, Nop);
        PRED_SETE            = 32  "PRED_SETE"            both(2, Predicate(FEq));
        PRED_SETGT           = 33  "PRED_SETGT"           both(2, Predicate(FGt));
        PRED_SETGE           = 34  "PRED_SETGE"           both(2, Predicate(FGe));
        PRED_SETNE           = 35  "PRED_SETNE"           both(2, Predicate(FNe));
        PRED_SET_INV         = 36  "PRED_SET_INV"         both(1, PredicateInvert);
        PRED_SET_POP         = 37  "PRED_SET_POP"         both(2, PredicatePop);
        PRED_SET_CLR         = 38  "PRED_SET_CLR"         both(0, PredicateClear);
        PRED_SET_RESTORE     = 39  "PRED_SET_RESTORE"     both(1, PredicateRestore);
        PRED_SETE_PUSH       = 40  "PRED_SETE_PUSH"       both(2, PredicatePush(FEq));
        PRED_SETGT_PUSH      = 41  "PRED_SETGT_PUSH"      both(2, PredicatePush(FGt));
        PRED_SETGE_PUSH      = 42  "PRED_SETGE_PUSH"      both(2, PredicatePush(FGe));
        PRED_SETNE_PUSH      = 43  "PRED_SETNE_PUSH"      both(2, PredicatePush(FNe));
        KILLE                = 44  "KILLE"                both(2, Kill(FEq));
        KILLGT               = 45  "KILLGT"               both(2, Kill(FGt));
        KILLGE               = 46  "KILLGE"               both(2, Kill(FGe));
        KILLNE               = 47  "KILLNE"               both(2, Kill(FNe));
        AND_INT              = 48  "AND_INT"              both(2, Alu(And));
        OR_INT               = 49  "OR_INT"               both(2, Alu(Or));
        XOR_INT              = 50  "XOR_INT"              both(2, Alu(Xor));
        NOT_INT              = 51  "NOT_INT"              both(1, Alu(Not));
        ADD_INT              = 52  "ADD_INT"              both(2, Alu(IAdd));
        SUB_INT              = 53  "SUB_INT"              both(2, Alu(ISub));
        MAX_INT              = 54  "MAX_INT"              both(2, Alu(IMax));
        MIN_INT              = 55  "MIN_INT"              both(2, Alu(IMin));
        MAX_UINT             = 56  "MAX_UINT"             both(2, Alu(UMax));
        MIN_UINT             = 57  "MIN_UINT"             both(2, Alu(UMin));
        SETE_INT             = 58  "SETE_INT"             both(2, SetMask(IEq));
        SETGT_INT            = 59  "SETGT_INT"            both(2, SetMask(IGt));
        SETGE_INT            = 60  "SETGE_INT"            both(2, SetMask(IGe));
        SETNE_INT            = 61  "SETNE_INT"            both(2, SetMask(INe));
        SETGT_UINT           = 62  "SETGT_UINT"           both(2, SetMask(UGt));
        SETGE_UINT           = 63  "SETGE_UINT"           both(2, SetMask(UGe));
        PRED_SETE_INT        = 66  "PRED_SETE_INT"        both(2, Predicate(IEq));
        PRED_SETGT_INT       = 67  "PRED_SETGT_INT"       both(2, Predicate(IGt));
        PRED_SETGE_INT       = 68  "PRED_SETGE_INT"       both(2, Predicate(IGe));
        PRED_SETNE_INT       = 69  "PRED_SETNE_INT"       both(2, Predicate(INe));
        PRED_SETLT_INT       = 70  "PRED_SETLT_INT"       both(2, Predicate(ILt));
        PRED_SETLE_INT       = 71  "PRED_SETLE_INT"       both(2, Predicate(ILe));
        KILLGE_INT           = 72  "KILLGE_INT"           both(2, Kill(IGe));
        KILLNE_INT           = 73  "KILLNE_INT"           both(2, Kill(INe));
        PRED_SETE_PUSH_INT   = 74  "PRED_SETE_PUSH_INT"   both(2, PredicatePush(IEq));
        PRED_SETGT_PUSH_INT  = 75  "PRED_SETGT_PUSH_INT"  both(2, PredicatePush(IGt));
        PRED_SETGE_PUSH_INT  = 76  "PRED_SETGE_PUSH_INT"  both(2, PredicatePush(IGe));
        PRED_SETNE_PUSH_INT  = 77  "PRED_SETNE_PUSH_INT"  both(2, PredicatePush(INe));
        PRED_SETLT_PUSH_INT  = 78  "PRED_SETLT_PUSH_INT"  both(2, PredicatePush(ILt));
        PRED_SETLE_PUSH_INT  = 79  "PRED_SETLE_PUSH_INT"  both(2, PredicatePush(ILe));
        DOT4                 = 80  "DOT4"                 vector(2, Dot4(FMulZero));
        DOT4_IEEE            = 81  "DOT4_IEEE"            vector(2, Dot4(FMul));
        CUBE                 = 82  "CUBE"                 vector(2, Cube);
        MAX4                 = 83  "MAX4"                 vector(1, Max4);
        EXP_IEEE             = 97  "EXP_IEEE"             trans(1, Alu(FExp2));
        LOG_CLAMPED          = 98  "LOG_CLAMPED"          trans(1, LogClamped);
        LOG_IEEE             = 99  "LOG_IEEE"             trans(1, Alu(FLog2));
        RECIP_CLAMPED        = 100 "RECIP_CLAMPED"        trans(1, Then(FRcp, FClampInf));
        RECIP_FF             = 101 "RECIP_FF"             trans(1, Then(FRcp, FZeroInf));
        RECIP_IEEE           = 102 "RECIP_IEEE"           trans(1, Alu(FRcp));
        RECIPSQRT_CLAMPED    = 103 "RECIPSQRT_CLAMPED"    trans(1, Then(FRsq, FClampInf));
        RECIPSQRT_FF         = 104 "RECIPSQRT_FF"         trans(1, Then(FRsq, FZeroInf));
        RECIPSQRT_IEEE       = 105 "RECIPSQRT_IEEE"       trans(1, Alu(FRsq));
        SQRT_IEEE            = 106 "SQRT_IEEE"            trans(1, Alu(FSqrt));
        FLT_TO_INT           = 107 "FLT_TO_INT"           trans(1, Alu(F32ToI32Wrap));
        INT_TO_FLT           = 108 "INT_TO_FLT"           trans(1, Alu(I32ToF32));
        UINT_TO_FLT          = 109 "UINT_TO_FLT"          trans(1, Alu(U32ToF32));
        SIN                  = 110 "SIN"                  trans(1, Alu(FSin));
        COS                  = 111 "COS"                  trans(1, Alu(FCos));
        ASHR_INT             = 112 "ASHR_INT"             trans(2, Alu(SarOver));
        LSHR_INT             = 113 "LSHR_INT"             trans(2, Alu(ShrOver));
        LSHL_INT             = 114 "LSHL_INT"             trans(2, Alu(ShlOver));
        MULLO_INT            = 115 "MULLO_INT"            trans(2, Alu(IMul));
        MULHI_INT            = 116 "MULHI_INT"            trans(2, Alu(IMulHigh));
        MULLO_UINT           = 117 "MULLO_UINT"           trans(2, Alu(IMul));
        MULHI_UINT           = 118 "MULHI_UINT"           trans(2, Alu(UMulHigh));
        RECIP_INT            = 119 "RECIP_INT"            trans(1, Alu(IRcp));
        RECIP_UINT           = 120 "RECIP_UINT"           trans(1, Alu(URcp));
        FLT_TO_UINT          = 121 "FLT_TO_UINT"          trans(1, Alu(F32ToU32));
    }
}

#[rustfmt::skip]
ops! {
    /// ALU_INST of instructions with three sources. [R600 7.2, 8.2]
    pub enum Op3: Facts {
        MUL_LIT              = 12  "MUL_LIT"              trans(3, MulLit(Omod::Off));
        MUL_LIT_M2           = 13  "MUL_LIT_M2"           trans(3, MulLit(Omod::Times2));
        MUL_LIT_M4           = 14  "MUL_LIT_M4"           trans(3, MulLit(Omod::Times4));
        MUL_LIT_D2           = 15  "MUL_LIT_D2"           trans(3, MulLit(Omod::Half));
        MULADD               = 16  "MULADD"               both(3, Alu(FMadZero));
        MULADD_M2            = 17  "MULADD_M2"            both(3, Scaled(FMadZero, Omod::Times2));
        MULADD_M4            = 18  "MULADD_M4"            both(3, Scaled(FMadZero, Omod::Times4));
        MULADD_D2            = 19  "MULADD_D2"            both(3, Scaled(FMadZero, Omod::Half));
        MULADD_IEEE          = 20  "MULADD_IEEE"          both(3, Alu(FMad));
        MULADD_IEEE_M2       = 21  "MULADD_IEEE_M2"       both(3, Scaled(FMad, Omod::Times2));
        MULADD_IEEE_M4       = 22  "MULADD_IEEE_M4"       both(3, Scaled(FMad, Omod::Times4));
        MULADD_IEEE_D2       = 23  "MULADD_IEEE_D2"       both(3, Scaled(FMad, Omod::Half));
        CMOVE                = 24  "CMOVE"                both(3, Choose(FEq));
        CMOVGT               = 25  "CMOVGT"               both(3, Choose(FGt));
        CMOVGE               = 26  "CMOVGE"               both(3, Choose(FGe));
        CMOVE_INT            = 28  "CMOVE_INT"            both(3, Choose(IEq));
        CMOVGT_INT           = 29  "CMOVGT_INT"           both(3, Choose(IGt));
        CMOVGE_INT           = 30  "CMOVGE_INT"           both(3, Choose(IGe));
    }
}

impl Op2 {
    /// Whether the manual lists it. [ERRATA 34]
    pub fn is_listed(self) -> bool {
        !matches!(self, Op2::KILLGE_INT | Op2::KILLNE_INT | Op2::FLT_TO_UINT)
    }
}

/// An ALU opcode of either format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AluOp {
    /// Up to two sources, absolute values, scale, write mask, predicate updates.
    Op2(Op2),
    /// Three sources.
    Op3(Op3),
}

impl From<Op2> for AluOp {
    fn from(op: Op2) -> AluOp {
        AluOp::Op2(op)
    }
}

impl From<Op3> for AluOp {
    fn from(op: Op3) -> AluOp {
        AluOp::Op3(op)
    }
}

impl AluOp {
    /// Every opcode, in the manual's order.
    pub fn all() -> impl Iterator<Item = AluOp> {
        let two = Op2::ALL.iter().map(|op| AluOp::Op2(*op));
        two.chain(Op3::ALL.iter().map(|op| AluOp::Op3(*op)))
    }

    /// Mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            AluOp::Op2(op) => op.name(),
            AluOp::Op3(op) => op.name(),
        }
    }

    /// The opcode of this mnemonic.
    pub fn from_name(name: &str) -> Option<AluOp> {
        let two = Op2::from_name(name).map(AluOp::Op2);
        two.or_else(|| Op3::from_name(name).map(AluOp::Op3))
    }

    /// Whether the manual lists it.
    pub fn is_listed(self) -> bool {
        match self {
            AluOp::Op2(op) => op.is_listed(),
            AluOp::Op3(_) => true,
        }
    }

    /// Facts of its row.
    pub fn facts(self) -> Facts {
        match self {
            AluOp::Op2(op) => op.sem(),
            AluOp::Op3(op) => op.sem(),
        }
    }

    /// Whether it is of the format with three sources.
    pub fn is_op3(self) -> bool {
        matches!(self, AluOp::Op3(_))
    }
}

impl Facts {
    /// Whether the instruction sets a predicate.
    pub fn is_predicate(&self) -> bool {
        matches!(
            self.sem,
            Predicate(_)
                | PredicatePush(_)
                | PredicateInvert
                | PredicatePop
                | PredicateClear
                | PredicateRestore
        )
    }

    /// Whether the instruction can make lanes invalid.
    pub fn is_kill(&self) -> bool {
        matches!(self.sem, Kill(_))
    }

    /// Whether the instruction writes the address register.
    pub fn is_mova(&self) -> bool {
        matches!(self.sem, Mova(_))
    }

    /// Whether the result is a float that can be scaled and clamped.
    pub fn gives_float(&self) -> bool {
        match self.sem {
            // A move keeps whatever bits it is given.
            Alu(Mov) => true,
            Alu(op) | Scaled(op, _) => op.result() == lanes::Operand::F32,
            SetMask(_) | Mova(_) | Nop => false,
            // Selections may be of integers; those by integers are meant so.
            Choose(op) => op.params()[0] == lanes::Operand::F32,
            _ => true,
        }
    }

    /// Whether the instruction takes all four vector slots.
    pub fn is_reduction(&self) -> bool {
        matches!(self.sem, Dot4(_) | Max4 | Cube)
    }
}
