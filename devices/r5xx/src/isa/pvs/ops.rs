//! The opcodes, with what they mean. [R5XX 7.5.7, 7.5.8]

use lanes::LaneOp::{self, *};

/// What a vector operation computes from A, B and C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VeSem {
    /// Nothing.
    Nop,
    /// The operation, component by component.
    Alu(LaneOp),
    /// The dot product of four components, in all of them.
    Dot,
    /// `2 * A * B + C`
    MadTwice,
    /// `(1, A.y * B.y, A.z, B.w)`
    Distance,
    /// `A - floor(A)`
    Fract,
    /// 1.0 where the comparison holds, 0.0 elsewhere.
    Set(LaneOp),
    /// The clamp of a point size.
    MulClamp,
    /// `floor(A)`, or `floor(A + 0.5)`; may go to the address register.
    Fix {
        /// One half is added.
        round: bool,
    },
    /// An `if` below another: sets the predicate and counts false branches.
    Push(LaneOp),
    /// B, in components where A compares so to zero.
    CondWrite(LaneOp),
    /// B where A compares so to zero, C elsewhere.
    CondMux(LaneOp),
}

/// What a function gives at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtZero {
    /// The largest finite number.
    Largest,
    /// Zero.
    Zero,
    /// Infinity.
    Infinity,
}

/// Where a power does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerClamp {
    /// Nowhere.
    None,
    /// A base below B gives 0.
    Low,
    /// A base below B gives 0, one above 1 gives 1.
    LowAndOne,
    /// A base up to 0 gives 0, one above 1 gives 1.
    ZeroAndOne,
}

/// What a math operation computes from the W components of A, B and C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeSem {
    /// Nothing.
    Nop,
    /// `(2^floor(a), fract(a), 2^a, 1)`
    ExpParts,
    /// `(exponent, mantissa, log2, 1)` of `|a|`
    LogParts,
    /// `e^a`
    ExpE,
    /// Coefficients of lighting.
    Light,
    /// `a^c`
    Power(PowerClamp),
    /// `1 / a`
    Recip(AtZero),
    /// `1 / sqrt(|a|)`
    RecipSqrt(AtZero),
    /// `a * b`
    Multiply,
    /// `2^a`
    Exp2,
    /// `log2(|a|)`
    Log2(AtZero),
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// An `if`: the predicate is how `a` compares to zero.
    PredSet(LaneOp),
    /// A `break`: no predicate until the loop is over.
    PredClear,
    /// An `else`.
    PredInvert,
    /// An `endif`.
    PredPop,
    /// The end of a loop.
    PredRestore,
}

use AtZero::{Infinity, Largest, Zero};

isa::ops! {
    /// Operations of the vector engine. [R5XX 7.5.7]
    #[rustfmt::skip]
    pub enum VeOp: VeSem {
        VECTOR_NO_OP              = 0  "VECTOR_NO_OP"              VeSem::Nop;
        VE_DOT_PRODUCT            = 1  "VE_DOT_PRODUCT"            VeSem::Dot;
        VE_MULTIPLY               = 2  "VE_MULTIPLY"               VeSem::Alu(FMul);
        VE_ADD                    = 3  "VE_ADD"                    VeSem::Alu(FAdd);
        VE_MULTIPLY_ADD           = 4  "VE_MULTIPLY_ADD"           VeSem::Alu(FMad);
        VE_DISTANCE_VECTOR        = 5  "VE_DISTANCE_VECTOR"        VeSem::Distance;
        VE_FRACTION               = 6  "VE_FRACTION"               VeSem::Fract;
        VE_MAXIMUM                = 7  "VE_MAXIMUM"                VeSem::Alu(FMax);
        VE_MINIMUM                = 8  "VE_MINIMUM"                VeSem::Alu(FMin);
        VE_SET_GREATER_THAN_EQUAL = 9  "VE_SET_GREATER_THAN_EQUAL" VeSem::Set(FGe);
        VE_SET_LESS_THAN          = 10 "VE_SET_LESS_THAN"          VeSem::Set(FLt);
        VE_MULTIPLYX2_ADD         = 11 "VE_MULTIPLYX2_ADD"         VeSem::MadTwice;
        VE_MULTIPLY_CLAMP         = 12 "VE_MULTIPLY_CLAMP"         VeSem::MulClamp;
        VE_FLT2FIX_DX             = 13 "VE_FLT2FIX_DX"             VeSem::Fix { round: false };
        VE_FLT2FIX_DX_RND         = 14 "VE_FLT2FIX_DX_RND"         VeSem::Fix { round: true };
        VE_PRED_SET_EQ_PUSH       = 15 "VE_PRED_SET_EQ_PUSH"       VeSem::Push(FEq);
        VE_PRED_SET_GT_PUSH       = 16 "VE_PRED_SET_GT_PUSH"       VeSem::Push(FGt);
        VE_PRED_SET_GTE_PUSH      = 17 "VE_PRED_SET_GTE_PUSH"      VeSem::Push(FGe);
        VE_PRED_SET_NEQ_PUSH      = 18 "VE_PRED_SET_NEQ_PUSH"      VeSem::Push(FNe);
        VE_COND_WRITE_EQ          = 19 "VE_COND_WRITE_EQ"          VeSem::CondWrite(FEq);
        VE_COND_WRITE_GT          = 20 "VE_COND_WRITE_GT"          VeSem::CondWrite(FGt);
        VE_COND_WRITE_GTE         = 21 "VE_COND_WRITE_GTE"         VeSem::CondWrite(FGe);
        VE_COND_WRITE_NEQ         = 22 "VE_COND_WRITE_NEQ"         VeSem::CondWrite(FNe);
        VE_COND_MUX_EQ            = 23 "VE_COND_MUX_EQ"            VeSem::CondMux(FEq);
        VE_COND_MUX_GT            = 24 "VE_COND_MUX_GT"            VeSem::CondMux(FGt);
        VE_COND_MUX_GTE           = 25 "VE_COND_MUX_GTE"           VeSem::CondMux(FGe);
        VE_SET_GREATER_THAN       = 26 "VE_SET_GREATER_THAN"       VeSem::Set(FGt);
        VE_SET_EQUAL              = 27 "VE_SET_EQUAL"              VeSem::Set(FEq);
        VE_SET_NOT_EQUAL          = 28 "VE_SET_NOT_EQUAL"          VeSem::Set(FNe);
    }
}

isa::ops! {
    /// Vector operations that read three temporaries. [R5XX 7.5.9 PVS_DST_MACRO_INST]
    #[rustfmt::skip]
    pub enum MacroOp: VeSem {
        PVS_MACRO_OP_2CLK_MADD    = 0  "PVS_MACRO_OP_2CLK_MADD"    VeSem::Alu(FMad);
        PVS_MACRO_OP_2CLK_M2X_ADD = 1  "PVS_MACRO_OP_2CLK_M2X_ADD" VeSem::MadTwice;
    }
}

isa::ops! {
    /// Operations of the math engine. [R5XX 7.5.8]
    #[rustfmt::skip]
    pub enum MeOp: MeSem {
        MATH_NO_OP                = 0  "MATH_NO_OP"                MeSem::Nop;
        ME_EXP_BASE2_DX           = 1  "ME_EXP_BASE2_DX"           MeSem::ExpParts;
        ME_LOG_BASE2_DX           = 2  "ME_LOG_BASE2_DX"           MeSem::LogParts;
        ME_EXP_BASEE_FF           = 3  "ME_EXP_BASEE_FF"           MeSem::ExpE;
        ME_LIGHT_COEFF_DX         = 4  "ME_LIGHT_COEFF_DX"         MeSem::Light;
        ME_POWER_FUNC_FF          = 5  "ME_POWER_FUNC_FF"          MeSem::Power(PowerClamp::None);
        ME_RECIP_DX               = 6  "ME_RECIP_DX"               MeSem::Recip(Largest);
        ME_RECIP_FF               = 7  "ME_RECIP_FF"               MeSem::Recip(Zero);
        ME_RECIP_SQRT_DX          = 8  "ME_RECIP_SQRT_DX"          MeSem::RecipSqrt(Largest);
        ME_RECIP_SQRT_FF          = 9  "ME_RECIP_SQRT_FF"          MeSem::RecipSqrt(Zero);
        ME_MULTIPLY               = 10 "ME_MULTIPLY"               MeSem::Multiply;
        ME_EXP_BASE2_FULL_DX      = 11 "ME_EXP_BASE2_FULL_DX"      MeSem::Exp2;
        ME_LOG_BASE2_FULL_DX      = 12 "ME_LOG_BASE2_FULL_DX"      MeSem::Log2(Largest);
        ME_POWER_FUNC_FF_CLAMP_B  = 13 "ME_POWER_FUNC_FF_CLAMP_B"  MeSem::Power(PowerClamp::Low);
        ME_POWER_FUNC_FF_CLAMP_B1 = 14 "ME_POWER_FUNC_FF_CLAMP_B1" MeSem::Power(PowerClamp::LowAndOne);
        ME_POWER_FUNC_FF_CLAMP_01 = 15 "ME_POWER_FUNC_FF_CLAMP_01" MeSem::Power(PowerClamp::ZeroAndOne);
        ME_SIN                    = 16 "ME_SIN"                    MeSem::Sin;
        ME_COS                    = 17 "ME_COS"                    MeSem::Cos;
        ME_LOG_BASE2_IEEE         = 18 "ME_LOG_BASE2_IEEE"         MeSem::Log2(Infinity);
        ME_RECIP_IEEE             = 19 "ME_RECIP_IEEE"             MeSem::Recip(Infinity);
        ME_RECIP_SQRT_IEEE        = 20 "ME_RECIP_SQRT_IEEE"        MeSem::RecipSqrt(Infinity);
        ME_PRED_SET_EQ            = 21 "ME_PRED_SET_EQ"            MeSem::PredSet(FEq);
        ME_PRED_SET_GT            = 22 "ME_PRED_SET_GT"            MeSem::PredSet(FGt);
        ME_PRED_SET_GTE           = 23 "ME_PRED_SET_GTE"           MeSem::PredSet(FGe);
        ME_PRED_SET_NEQ           = 24 "ME_PRED_SET_NEQ"           MeSem::PredSet(FNe);
        ME_PRED_SET_CLR           = 25 "ME_PRED_SET_CLR"           MeSem::PredClear;
        ME_PRED_SET_INV           = 26 "ME_PRED_SET_INV"           MeSem::PredInvert;
        ME_PRED_SET_POP           = 27 "ME_PRED_SET_POP"           MeSem::PredPop;
        ME_PRED_SET_RESTORE       = 28 "ME_PRED_SET_RESTORE"       MeSem::PredRestore;
    }
}

isa::ops! {
    /// What a flow control slot does: two bits of VAP_PVS_FLOW_CNTL_OPC. [R5XX 7.5.5]
    #[rustfmt::skip]
    pub enum FlowOp: () {
        PVS_FC_NO_OP = 0 "PVS_FC_NO_OP" ();
        PVS_FC_JUMP  = 1 "PVS_FC_JUMP"  ();
        PVS_FC_LOOP  = 2 "PVS_FC_LOOP"  ();
        PVS_FC_JSR   = 3 "PVS_FC_JSR"   ();
    }
}

impl VeSem {
    /// Operands that it reads.
    pub fn operands(self) -> usize {
        match self {
            VeSem::Nop => 0,
            VeSem::Alu(op) => op.params().len(),
            VeSem::Fract | VeSem::Fix { .. } => 1,
            VeSem::Dot | VeSem::Distance | VeSem::Set(_) | VeSem::Push(_) | VeSem::CondWrite(_) => {
                2
            }
            VeSem::MadTwice | VeSem::MulClamp | VeSem::CondMux(_) => 3,
        }
    }
}

impl MeSem {
    /// The sources that it reads, as bits: A, B, C.
    pub fn sources(self) -> [bool; 3] {
        match self {
            MeSem::Nop | MeSem::PredClear => [false; 3],
            MeSem::Multiply => [true, true, false],
            MeSem::Power(PowerClamp::None | PowerClamp::ZeroAndOne) => [true, false, true],
            MeSem::Light | MeSem::Power(_) => [true; 3],
            _ => [true, false, false],
        }
    }

    /// Operands that it takes; the last one fills the other sources.
    pub fn operands(self) -> usize {
        self.sources().iter().filter(|read| **read).count()
    }
}
