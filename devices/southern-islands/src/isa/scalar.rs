//! The scalar unit: SOP2, SOPK, SOP1, SOPC, SOPP.

use lanes::LaneOp::{self, *};
use lanes::WideOp::{self, *};

use super::vector::Carry;
use Scc::*;
use Sem::*;

/// What SCC becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scc {
    /// Stays.
    Keep,
    /// 1 if the result is not zero.
    NonZero,
    /// `op(S0, S1)`
    Of(LaneOp),
}

/// What SOP1 and SOP2 mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sem {
    /// `D = op(S0, S1)`
    Alu(LaneOp, Scc),
    /// `D = op(S0, S1)` with 64-bit operands.
    Wide(WideOp, Scc),
    /// `D = not op(S0, S1)`, SCC = D is not zero.
    Inverted(LaneOp),
    /// The same on 64 bits.
    WideInverted(WideOp),
    /// `D = op(not S0)`
    OfInverted(LaneOp, Scc),
    /// `D = op(not S0)` of a 64-bit operand.
    OfWideInverted(WideOp, Scc),
    /// Sum or difference with SCC as carry in and out.
    Chain(Carry),
    /// `D = SCC ? S0 : S1` on this many dwords.
    Pick(u8),
    /// `D = SCC ? S0 : D` on this many dwords.
    PickMove(u8),
    /// Sign extension from this many bits.
    Extend(u8),
    /// Sets bit S0 of D, which has `size` dwords.
    BitSet {
        /// The bit's new value.
        value: bool,
        /// Dwords of D.
        size: u8,
    },
    /// `D = EXEC`, `EXEC = op(S0, EXEC)`, SCC = EXEC is not zero.
    SaveExec(WideOp),
    /// The same with `not op(S0, EXEC)`.
    SaveExecInverted(WideOp),
    /// `D = SGPR[S0 + M0]` of this many dwords.
    RelativeSource(u8),
    /// `SGPR[D + M0] = S0` of this many dwords.
    RelativeDestination(u8),
    /// `D` = address of the next instruction.
    GetPc,
    /// Jump to S0.
    SetPc,
    /// Both.
    SwapPc,
    /// Return from the trap handler.
    ReturnFromTrap,
    /// Divergent jump to S1 of the lanes in S0.
    Fork,
    /// The place where forked lanes meet.
    Join,
}

/// How a 16-bit constant becomes 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// Its sign is repeated.
    Sign,
    /// Zeros.
    Zero,
}

/// What SOPK means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SemK {
    /// `D = constant`
    Move,
    /// `D = SCC ? constant : D`
    PickMove,
    /// `SCC = op(D, constant)`
    Compare(LaneOp, Extension),
    /// `D = op(D, constant)`
    Alu(LaneOp, Scc),
    /// Divergent branch of the lanes in D.
    Fork,
    /// `D = bits of a hardware register`
    GetReg,
    /// `bits of a hardware register = D`
    SetReg,
    /// `bits of a hardware register = literal`
    SetRegLiteral,
}

/// What SOPC means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SemC {
    /// `SCC = op(S0, S1)`
    Compare(LaneOp),
    /// SCC = bit S1 of S0 has this value.
    BitTest {
        /// The value looked for.
        value: bool,
        /// Dwords of S0.
        size: u8,
    },
    /// MODE.VSKIP = bit S1 of S0.
    SetSkip,
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    Always,
    /// SCC is 0.
    Scc0,
    /// SCC is 1.
    Scc1,
    /// VCC is zero.
    VccZ,
    /// VCC is not zero.
    VccNz,
    /// EXEC is zero.
    ExecZ,
    /// EXEC is not zero.
    ExecNz,
}

/// What SOPP means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemP {
    /// No effect on registers.
    Nothing,
    /// Ends the wave.
    End,
    /// Relative branch.
    Branch(Condition),
    /// Waits for counters; memory is never late here.
    Wait,
    /// Waits for the other waves of the group.
    Barrier,
    /// The device acts.
    Port,
    /// The device acts, then the wave halts.
    PortHalt,
    /// Halts the wave when bit 0 of the constant is set.
    Halt,
    /// Enters the trap handler at TBA, if there is one.
    Trap,
}

impl Sop2Op {
    /// The operation whose meaning is `D = op(S0, S1)`, whatever it does to SCC.
    pub fn for_op(op: LaneOp) -> Option<Sop2Op> {
        Sop2Op::ROWS
            .iter()
            .find(|row| matches!(row.sem, Alu(sem, _) if sem == op))
            .map(|row| row.op)
    }
}

impl Sop1Op {
    /// The operation whose meaning is `D = op(S0)`, whatever it does to SCC.
    pub fn for_op(op: LaneOp) -> Option<Sop1Op> {
        Sop1Op::ROWS
            .iter()
            .find(|row| matches!(row.sem, Alu(sem, _) if sem == op))
            .map(|row| row.op)
    }
}

impl SopcOp {
    /// The compare whose meaning is `SCC = op(S0, S1)`.
    pub fn for_op(op: LaneOp) -> Option<SopcOp> {
        SopcOp::ROWS
            .iter()
            .find(|row| row.sem == SemC::Compare(op))
            .map(|row| row.op)
    }
}

isa::ops! {
    /// SOP2: two scalar sources. [SI 12.1]
    pub enum Sop2Op: Sem {
        S_ADD_U32 = 0 "s_add_u32" Alu(IAdd, Of(CarryAdd));
        S_SUB_U32 = 1 "s_sub_u32" Alu(ISub, Of(BorrowSub3));
        S_ADD_I32 = 2 "s_add_i32" Alu(IAdd, Of(OverflowAdd));
        S_SUB_I32 = 3 "s_sub_i32" Alu(ISub, Of(OverflowSub));
        S_ADDC_U32 = 4 "s_addc_u32" Chain(Carry::Add);
        S_SUBB_U32 = 5 "s_subb_u32" Chain(Carry::Sub);
        S_MIN_I32 = 6 "s_min_i32" Alu(IMin, Of(ILt));
        S_MIN_U32 = 7 "s_min_u32" Alu(UMin, Of(ULt));
        S_MAX_I32 = 8 "s_max_i32" Alu(IMax, Of(IGt));
        S_MAX_U32 = 9 "s_max_u32" Alu(UMax, Of(UGt));
        S_CSELECT_B32 = 10 "s_cselect_b32" Sem::Pick(1);
        S_CSELECT_B64 = 11 "s_cselect_b64" Sem::Pick(2);
        S_AND_B32 = 14 "s_and_b32" Alu(And, NonZero);
        S_AND_B64 = 15 "s_and_b64" Wide(And64, NonZero);
        S_OR_B32 = 16 "s_or_b32" Alu(Or, NonZero);
        S_OR_B64 = 17 "s_or_b64" Wide(Or64, NonZero);
        S_XOR_B32 = 18 "s_xor_b32" Alu(Xor, NonZero);
        S_XOR_B64 = 19 "s_xor_b64" Wide(Xor64, NonZero);
        S_ANDN2_B32 = 20 "s_andn2_b32" Alu(AndNot, NonZero);
        S_ANDN2_B64 = 21 "s_andn2_b64" Wide(AndNot64, NonZero);
        S_ORN2_B32 = 22 "s_orn2_b32" Alu(OrNot, NonZero);
        S_ORN2_B64 = 23 "s_orn2_b64" Wide(OrNot64, NonZero);
        S_NAND_B32 = 24 "s_nand_b32" Inverted(And);
        S_NAND_B64 = 25 "s_nand_b64" WideInverted(And64);
        S_NOR_B32 = 26 "s_nor_b32" Inverted(Or);
        S_NOR_B64 = 27 "s_nor_b64" WideInverted(Or64);
        S_XNOR_B32 = 28 "s_xnor_b32" Inverted(Xor);
        S_XNOR_B64 = 29 "s_xnor_b64" WideInverted(Xor64);
        S_LSHL_B32 = 30 "s_lshl_b32" Alu(Shl, NonZero);
        S_LSHL_B64 = 31 "s_lshl_b64" Wide(Shl64, NonZero);
        S_LSHR_B32 = 32 "s_lshr_b32" Alu(Shr, NonZero);
        S_LSHR_B64 = 33 "s_lshr_b64" Wide(Shr64, NonZero);
        S_ASHR_I32 = 34 "s_ashr_i32" Alu(Sar, NonZero);
        S_ASHR_I64 = 35 "s_ashr_i64" Wide(Sar64, NonZero);
        S_BFM_B32 = 36 "s_bfm_b32" Alu(Bfm, Keep);
        S_BFM_B64 = 37 "s_bfm_b64" Wide(Bfm64, Keep);
        S_MUL_I32 = 38 "s_mul_i32" Alu(IMul, Keep);
        S_BFE_U32 = 39 "s_bfe_u32" Alu(FieldU, NonZero);
        S_BFE_I32 = 40 "s_bfe_i32" Alu(FieldI, NonZero);
        S_BFE_U64 = 41 "s_bfe_u64" Wide(FieldU64, NonZero);
        S_BFE_I64 = 42 "s_bfe_i64" Wide(FieldI64, NonZero);
        S_CBRANCH_G_FORK = 43 "s_cbranch_g_fork" Fork;
        S_ABSDIFF_I32 = 44 "s_absdiff_i32" Alu(AbsDiff, NonZero);
    }
}

isa::ops! {
    /// SOPK: a 16-bit constant. [SI 12.2]
    pub enum SopkOp: SemK {
        S_MOVK_I32 = 0 "s_movk_i32" SemK::Move;
        S_CMOVK_I32 = 2 "s_cmovk_i32" SemK::PickMove;
        S_CMPK_EQ_I32 = 3 "s_cmpk_eq_i32" SemK::Compare(IEq, Extension::Sign);
        S_CMPK_LG_I32 = 4 "s_cmpk_lg_i32" SemK::Compare(INe, Extension::Sign);
        S_CMPK_GT_I32 = 5 "s_cmpk_gt_i32" SemK::Compare(IGt, Extension::Sign);
        S_CMPK_GE_I32 = 6 "s_cmpk_ge_i32" SemK::Compare(IGe, Extension::Sign);
        S_CMPK_LT_I32 = 7 "s_cmpk_lt_i32" SemK::Compare(ILt, Extension::Sign);
        S_CMPK_LE_I32 = 8 "s_cmpk_le_i32" SemK::Compare(ILe, Extension::Sign);
        S_CMPK_EQ_U32 = 9 "s_cmpk_eq_u32" SemK::Compare(IEq, Extension::Zero);
        S_CMPK_LG_U32 = 10 "s_cmpk_lg_u32" SemK::Compare(INe, Extension::Zero);
        S_CMPK_GT_U32 = 11 "s_cmpk_gt_u32" SemK::Compare(UGt, Extension::Zero);
        S_CMPK_GE_U32 = 12 "s_cmpk_ge_u32" SemK::Compare(UGe, Extension::Zero);
        S_CMPK_LT_U32 = 13 "s_cmpk_lt_u32" SemK::Compare(ULt, Extension::Zero);
        S_CMPK_LE_U32 = 14 "s_cmpk_le_u32" SemK::Compare(ULe, Extension::Zero);
        S_ADDK_I32 = 15 "s_addk_i32" SemK::Alu(IAdd, Of(OverflowAdd));
        S_MULK_I32 = 16 "s_mulk_i32" SemK::Alu(IMul, Keep);
        S_CBRANCH_I_FORK = 17 "s_cbranch_i_fork" SemK::Fork;
        S_GETREG_B32 = 18 "s_getreg_b32" SemK::GetReg;
        S_SETREG_B32 = 19 "s_setreg_b32" SemK::SetReg;
        S_SETREG_IMM32_B32 = 21 "s_setreg_imm32_b32" SemK::SetRegLiteral;
    }
}

isa::ops! {
    /// SOP1: one scalar source. [SI 12.3]
    pub enum Sop1Op: Sem {
        S_MOV_B32 = 3 "s_mov_b32" Alu(Mov, Keep);
        S_MOV_B64 = 4 "s_mov_b64" Wide(Mov64, Keep);
        S_CMOV_B32 = 5 "s_cmov_b32" PickMove(1);
        S_CMOV_B64 = 6 "s_cmov_b64" PickMove(2);
        S_NOT_B32 = 7 "s_not_b32" Alu(Not, NonZero);
        S_NOT_B64 = 8 "s_not_b64" Wide(Not64, NonZero);
        S_WQM_B32 = 9 "s_wqm_b32" Alu(WholeQuads32, NonZero);
        S_WQM_B64 = 10 "s_wqm_b64" Wide(WholeQuads, NonZero);
        S_BREV_B32 = 11 "s_brev_b32" Alu(BitReverse, Keep);
        S_BREV_B64 = 12 "s_brev_b64" Wide(BitReverse64, Keep);
        S_BCNT0_I32_B32 = 13 "s_bcnt0_i32_b32" OfInverted(BitCount, NonZero);
        S_BCNT0_I32_B64 = 14 "s_bcnt0_i32_b64" OfWideInverted(BitCount64, NonZero);
        S_BCNT1_I32_B32 = 15 "s_bcnt1_i32_b32" Alu(BitCount, NonZero);
        S_BCNT1_I32_B64 = 16 "s_bcnt1_i32_b64" Wide(BitCount64, NonZero);
        S_FF0_I32_B32 = 17 "s_ff0_i32_b32" OfInverted(FirstLow, Keep);
        S_FF0_I32_B64 = 18 "s_ff0_i32_b64" OfWideInverted(FirstLow64, Keep);
        S_FF1_I32_B32 = 19 "s_ff1_i32_b32" Alu(FirstLow, Keep);
        S_FF1_I32_B64 = 20 "s_ff1_i32_b64" Wide(FirstLow64, Keep);
        S_FLBIT_I32_B32 = 21 "s_flbit_i32_b32" Alu(FirstHighU, Keep);
        S_FLBIT_I32_B64 = 22 "s_flbit_i32_b64" Wide(FirstHighU64, Keep);
        S_FLBIT_I32 = 23 "s_flbit_i32" Alu(FirstHighI, Keep);
        S_FLBIT_I32_I64 = 24 "s_flbit_i32_i64" Wide(FirstHighI64, Keep);
        S_SEXT_I32_I8 = 25 "s_sext_i32_i8" Extend(8);
        S_SEXT_I32_I16 = 26 "s_sext_i32_i16" Extend(16);
        S_BITSET0_B32 = 27 "s_bitset0_b32" BitSet { value: false, size: 1 };
        S_BITSET0_B64 = 28 "s_bitset0_b64" BitSet { value: false, size: 2 };
        S_BITSET1_B32 = 29 "s_bitset1_b32" BitSet { value: true, size: 1 };
        S_BITSET1_B64 = 30 "s_bitset1_b64" BitSet { value: true, size: 2 };
        S_GETPC_B64 = 31 "s_getpc_b64" GetPc;
        S_SETPC_B64 = 32 "s_setpc_b64" SetPc;
        S_SWAPPC_B64 = 33 "s_swappc_b64" SwapPc;
        S_RFE_B64 = 34 "s_rfe_b64" ReturnFromTrap;
        S_AND_SAVEEXEC_B64 = 36 "s_and_saveexec_b64" SaveExec(And64);
        S_OR_SAVEEXEC_B64 = 37 "s_or_saveexec_b64" SaveExec(Or64);
        S_XOR_SAVEEXEC_B64 = 38 "s_xor_saveexec_b64" SaveExec(Xor64);
        S_ANDN2_SAVEEXEC_B64 = 39 "s_andn2_saveexec_b64" SaveExec(AndNot64);
        S_ORN2_SAVEEXEC_B64 = 40 "s_orn2_saveexec_b64" SaveExec(OrNot64);
        S_NAND_SAVEEXEC_B64 = 41 "s_nand_saveexec_b64" SaveExecInverted(And64);
        S_NOR_SAVEEXEC_B64 = 42 "s_nor_saveexec_b64" SaveExecInverted(Or64);
        S_XNOR_SAVEEXEC_B64 = 43 "s_xnor_saveexec_b64" SaveExecInverted(Xor64);
        S_QUADMASK_B32 = 44 "s_quadmask_b32" Alu(QuadMask32, NonZero);
        S_QUADMASK_B64 = 45 "s_quadmask_b64" Wide(QuadMask, NonZero);
        S_MOVRELS_B32 = 46 "s_movrels_b32" RelativeSource(1);
        S_MOVRELS_B64 = 47 "s_movrels_b64" RelativeSource(2);
        S_MOVRELD_B32 = 48 "s_movreld_b32" RelativeDestination(1);
        S_MOVRELD_B64 = 49 "s_movreld_b64" RelativeDestination(2);
        S_CBRANCH_JOIN = 50 "s_cbranch_join" Join;
        S_ABS_I32 = 52 "s_abs_i32" Alu(IAbs, NonZero);
    }
}

isa::ops! {
    /// SOPC: scalar compares. [SI 12.4]
    pub enum SopcOp: SemC {
        S_CMP_EQ_I32 = 0 "s_cmp_eq_i32" SemC::Compare(IEq);
        S_CMP_LG_I32 = 1 "s_cmp_lg_i32" SemC::Compare(INe);
        S_CMP_GT_I32 = 2 "s_cmp_gt_i32" SemC::Compare(IGt);
        S_CMP_GE_I32 = 3 "s_cmp_ge_i32" SemC::Compare(IGe);
        S_CMP_LT_I32 = 4 "s_cmp_lt_i32" SemC::Compare(ILt);
        S_CMP_LE_I32 = 5 "s_cmp_le_i32" SemC::Compare(ILe);
        S_CMP_EQ_U32 = 6 "s_cmp_eq_u32" SemC::Compare(IEq);
        S_CMP_LG_U32 = 7 "s_cmp_lg_u32" SemC::Compare(INe);
        S_CMP_GT_U32 = 8 "s_cmp_gt_u32" SemC::Compare(UGt);
        S_CMP_GE_U32 = 9 "s_cmp_ge_u32" SemC::Compare(UGe);
        S_CMP_LT_U32 = 10 "s_cmp_lt_u32" SemC::Compare(ULt);
        S_CMP_LE_U32 = 11 "s_cmp_le_u32" SemC::Compare(ULe);
        S_BITCMP0_B32 = 12 "s_bitcmp0_b32" SemC::BitTest { value: false, size: 1 };
        S_BITCMP1_B32 = 13 "s_bitcmp1_b32" SemC::BitTest { value: true, size: 1 };
        S_BITCMP0_B64 = 14 "s_bitcmp0_b64" SemC::BitTest { value: false, size: 2 };
        S_BITCMP1_B64 = 15 "s_bitcmp1_b64" SemC::BitTest { value: true, size: 2 };
        S_SETVSKIP = 16 "s_setvskip" SemC::SetSkip;
    }
}

isa::ops! {
    /// SOPP: program control. [SI 12.5]
    pub enum SoppOp: SemP {
        S_NOP = 0 "s_nop" SemP::Nothing;
        S_ENDPGM = 1 "s_endpgm" SemP::End;
        S_BRANCH = 2 "s_branch" SemP::Branch(Condition::Always);
        S_CBRANCH_SCC0 = 4 "s_cbranch_scc0" SemP::Branch(Condition::Scc0);
        S_CBRANCH_SCC1 = 5 "s_cbranch_scc1" SemP::Branch(Condition::Scc1);
        S_CBRANCH_VCCZ = 6 "s_cbranch_vccz" SemP::Branch(Condition::VccZ);
        S_CBRANCH_VCCNZ = 7 "s_cbranch_vccnz" SemP::Branch(Condition::VccNz);
        S_CBRANCH_EXECZ = 8 "s_cbranch_execz" SemP::Branch(Condition::ExecZ);
        S_CBRANCH_EXECNZ = 9 "s_cbranch_execnz" SemP::Branch(Condition::ExecNz);
        S_BARRIER = 10 "s_barrier" SemP::Barrier;
        S_WAITCNT = 12 "s_waitcnt" SemP::Wait;
        S_SETHALT = 13 "s_sethalt" SemP::Halt;
        S_SLEEP = 14 "s_sleep" SemP::Nothing;
        S_SETPRIO = 15 "s_setprio" SemP::Nothing;
        S_SENDMSG = 16 "s_sendmsg" SemP::Port;
        S_SENDMSGHALT = 17 "s_sendmsghalt" SemP::PortHalt;
        S_TRAP = 18 "s_trap" SemP::Trap;
        S_ICACHE_INV = 19 "s_icache_inv" SemP::Nothing;
        S_INCPERFLEVEL = 20 "s_incperflevel" SemP::Nothing;
        S_DECPERFLEVEL = 21 "s_decperflevel" SemP::Nothing;
        S_TTRACEDATA = 22 "s_ttracedata" SemP::Nothing;
    }
}
