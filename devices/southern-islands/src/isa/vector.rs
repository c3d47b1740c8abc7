//! The vector ALU: VOP1, VOP2, the operations only VOP3 has, and VINTRP.

use lanes::LaneOp::{self, *};
use lanes::WideOp::{self, *};

use super::compare::VopcOp;
use Sem::*;

/// What a vector instruction means, in lane operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sem {
    /// `D = op(S0, S1, S2)`
    Alu(LaneOp),
    /// `D = op(S1, S0)`
    Swapped(LaneOp),
    /// `D = op(S0, S1, D)`
    Onto(LaneOp),
    /// `D = then(op(S0))`
    Then(LaneOp, LaneOp),
    /// `D = op(S0, S1, S2)` with 64-bit operands.
    Wide(WideOp),
    /// `D = then(op(S0))` with 64-bit operands.
    WideThen(WideOp, WideOp),
    /// `D = S0 * K + S1`
    MadMk,
    /// `D = S0 * S1 + K`
    MadAk,
    /// `D = mask ? S1 : S0`; the mask is VCC, or S2 in VOP3.
    Select,
    /// Integer sum or difference with a carry mask out.
    Carry(Carry),
    /// The same with a carry mask in.
    CarryIn(Carry),
    /// `D = ones of S0 at lanes of this half below this one + S1`
    CountBelow(Half),
    /// `SGPR = VGPR` of one lane.
    ReadLane,
    /// One lane of `VGPR = SGPR`.
    WriteLane,
    /// `SGPR = VGPR` of the lowest enabled lane.
    ReadFirstLane,
    /// Moves with M0 as register index.
    Relative(Indexed),
    /// `D = value(S0, S1, S2)`, mask = `flag(S0, S1, S2)`
    DivScale(LaneOp, LaneOp),
    /// The same in double precision.
    DivScaleWide(WideOp, WideOp),
    /// `D = VCC ? scaled(S0, S1, S2) : plain(S0, S1, S2)`
    DivFmas(LaneOp, LaneOp),
    /// The same in double precision.
    DivFmasWide(WideOp, WideOp),
    /// No effect on registers.
    Nothing,
}

/// Direction of a carry chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// `S0 + S1`
    Add,
    /// `S0 - S1`
    Sub,
    /// `S1 - S0`
    SubRev,
}

/// Half of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Lanes 0 to 31.
    Low,
    /// Lanes 32 to 63.
    High,
}

/// Which operand M0 is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexed {
    /// The source.
    Source,
    /// The destination.
    Destination,
    /// Both.
    Both,
}

/// What VINTRP reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// `D = P10 * I + P0`
    First,
    /// `D = P20 * J + D`
    Second,
    /// A parameter as it is.
    Move,
}

/// An operation of the VOP3 encoding: its own, or one of the 32-bit formats at an offset. [SI p.12-45]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VectorOp {
    /// A compare, at 0.
    Compare(VopcOp),
    /// A VOP2 operation, at 256.
    Two(Vop2Op),
    /// An operation of VOP3 only.
    Three(Vop3Op),
    /// A VOP1 operation, at 384.
    One(Vop1Op),
}

impl VectorOp {
    /// Opcode number in VOP3.
    pub const fn code(self) -> u16 {
        match self {
            VectorOp::Compare(op) => op.code(),
            VectorOp::Two(op) => 256 + op.code(),
            VectorOp::Three(op) => op.code(),
            VectorOp::One(op) => 384 + op.code(),
        }
    }

    /// The operation of this number. V_MADMK and V_MADAK have no VOP3 form.
    pub fn from_code(code: u16) -> Option<VectorOp> {
        match code {
            0..256 => VopcOp::from_code(code).map(VectorOp::Compare),
            256..320 => Vop2Op::from_code(code - 256)
                .filter(|op| !matches!(op.sem(), MadMk | MadAk))
                .map(VectorOp::Two),
            320..384 => Vop3Op::from_code(code).map(VectorOp::Three),
            384..512 => Vop1Op::from_code(code - 384).map(VectorOp::One),
            _ => None,
        }
    }

    /// Assembly text, without `_e64`.
    pub const fn name(self) -> &'static str {
        match self {
            VectorOp::Compare(op) => op.name(),
            VectorOp::Two(op) => op.name(),
            VectorOp::Three(op) => op.name(),
            VectorOp::One(op) => op.name(),
        }
    }

    /// The operation of this assembly text.
    pub fn from_name(name: &str) -> Option<VectorOp> {
        VopcOp::from_name(name)
            .map(VectorOp::Compare)
            .or_else(|| Vop2Op::from_name(name).map(VectorOp::Two))
            .or_else(|| Vop3Op::from_name(name).map(VectorOp::Three))
            .or_else(|| Vop1Op::from_name(name).map(VectorOp::One))
    }

    /// The manual's spelling.
    pub fn mnemonic(self) -> &'static str {
        match self {
            VectorOp::Compare(op) => op.row().mnemonic,
            VectorOp::Two(op) => op.row().mnemonic,
            VectorOp::Three(op) => op.row().mnemonic,
            VectorOp::One(op) => op.row().mnemonic,
        }
    }

    /// Every operation that VOP3 can hold, by opcode.
    pub fn all() -> impl Iterator<Item = VectorOp> {
        (0..512).filter_map(VectorOp::from_code)
    }

    /// Whether the operation uses the VOP3b layout: a second, scalar destination. [SI p.12-56]
    pub fn has_scalar_destination(self) -> bool {
        match self {
            VectorOp::Two(op) => matches!(op.sem(), Carry(_) | CarryIn(_)),
            VectorOp::Three(op) => matches!(op.sem(), DivScale(..) | DivScaleWide(..)),
            _ => false,
        }
    }

    /// Whether VDST names a scalar: compares in VOP3, and reads of a lane.
    pub fn writes_scalar(self) -> bool {
        match self {
            VectorOp::Compare(_) => true,
            VectorOp::Two(op) => op.sem() == ReadLane,
            VectorOp::One(op) => op.sem() == ReadFirstLane,
            VectorOp::Three(_) => false,
        }
    }

    /// The meaning, unless the operation is a compare.
    pub fn sem(self) -> Option<Sem> {
        match self {
            VectorOp::Compare(_) => None,
            VectorOp::Two(op) => Some(op.sem()),
            VectorOp::Three(op) => Some(op.sem()),
            VectorOp::One(op) => Some(op.sem()),
        }
    }

    /// The operation whose meaning is this lane operation.
    pub fn for_op(op: LaneOp) -> Option<VectorOp> {
        Vop2Op::for_op(op)
            .map(VectorOp::Two)
            .or_else(|| Vop1Op::for_op(op).map(VectorOp::One))
            .or_else(|| Vop3Op::for_op(op).map(VectorOp::Three))
    }
}

impl isa::FieldValue for VectorOp {
    fn valid(bits: u64, _: u32) -> bool {
        VectorOp::from_code(bits as u16).is_some()
    }
    fn from_field(bits: u64, _: u32) -> VectorOp {
        // Only `unpack` gets here, after `valid`.
        VectorOp::from_code(bits as u16).unwrap_or(VectorOp::One(Vop1Op::V_NOP))
    }
    fn into_field(self) -> u64 {
        self.code().into()
    }
}

impl Vop2Op {
    /// The operation whose meaning is `D = op(S0, S1)`.
    pub fn for_op(op: LaneOp) -> Option<Vop2Op> {
        Vop2Op::ROWS
            .iter()
            .find(|row| row.sem == Alu(op))
            .map(|row| row.op)
    }
}

impl Vop1Op {
    /// The operation whose meaning is `D = op(S0)`.
    pub fn for_op(op: LaneOp) -> Option<Vop1Op> {
        Vop1Op::ROWS
            .iter()
            .find(|row| row.sem == Alu(op))
            .map(|row| row.op)
    }
}

impl Vop3Op {
    /// The operation whose meaning is `D = op(S0, S1, S2)`.
    pub fn for_op(op: LaneOp) -> Option<Vop3Op> {
        Vop3Op::ROWS
            .iter()
            .find(|row| row.sem == Alu(op))
            .map(|row| row.op)
    }
}

isa::ops! {
    /// VINTRP: parameter interpolation. [SI 12.11]
    pub enum VintrpOp: Interpolation {
        V_INTERP_P1_F32 = 0 "v_interp_p1_f32" Interpolation::First;
        V_INTERP_P2_F32 = 1 "v_interp_p2_f32" Interpolation::Second;
        V_INTERP_MOV_F32 = 2 "v_interp_mov_f32" Interpolation::Move;
    }
}

isa::ops! {
    /// VOP2: two sources, one vector destination. [SI 12.6]
    pub enum Vop2Op: Sem {
        V_CNDMASK_B32 = 0 "v_cndmask_b32" Sem::Select;
        V_READLANE_B32 = 1 "v_readlane_b32" ReadLane;
        V_WRITELANE_B32 = 2 "v_writelane_b32" WriteLane;
        V_ADD_F32 = 3 "v_add_f32" Alu(FAdd);
        V_SUB_F32 = 4 "v_sub_f32" Alu(FSub);
        V_SUBREV_F32 = 5 "v_subrev_f32" Swapped(FSub);
        V_MAC_LEGACY_F32 = 6 "v_mac_legacy_f32" Onto(FMadZero);
        V_MUL_LEGACY_F32 = 7 "v_mul_legacy_f32" Alu(FMulZero);
        V_MUL_F32 = 8 "v_mul_f32" Alu(FMul);
        V_MUL_I32_I24 = 9 "v_mul_i32_i24" Alu(IMul24);
        V_MUL_HI_I32_I24 = 10 "v_mul_hi_i32_i24" Alu(IMulHigh24);
        V_MUL_U32_U24 = 11 "v_mul_u32_u24" Alu(UMul24);
        V_MUL_HI_U32_U24 = 12 "v_mul_hi_u32_u24" Alu(UMulHigh24);
        V_MIN_LEGACY_F32 = 13 "v_min_legacy_f32" Alu(FMinLegacy);
        V_MAX_LEGACY_F32 = 14 "v_max_legacy_f32" Alu(FMaxLegacy);
        V_MIN_F32 = 15 "v_min_f32" Alu(FMin);
        V_MAX_F32 = 16 "v_max_f32" Alu(FMax);
        V_MIN_I32 = 17 "v_min_i32" Alu(IMin);
        V_MAX_I32 = 18 "v_max_i32" Alu(IMax);
        V_MIN_U32 = 19 "v_min_u32" Alu(UMin);
        V_MAX_U32 = 20 "v_max_u32" Alu(UMax);
        V_LSHR_B32 = 21 "v_lshr_b32" Alu(Shr);
        V_LSHRREV_B32 = 22 "v_lshrrev_b32" Swapped(Shr);
        V_ASHR_I32 = 23 "v_ashr_i32" Alu(Sar);
        V_ASHRREV_I32 = 24 "v_ashrrev_i32" Swapped(Sar);
        V_LSHL_B32 = 25 "v_lshl_b32" Alu(Shl);
        V_LSHLREV_B32 = 26 "v_lshlrev_b32" Swapped(Shl);
        V_AND_B32 = 27 "v_and_b32" Alu(And);
        V_OR_B32 = 28 "v_or_b32" Alu(Or);
        V_XOR_B32 = 29 "v_xor_b32" Alu(Xor);
        V_BFM_B32 = 30 "v_bfm_b32" Alu(Bfm);
        V_MAC_F32 = 31 "v_mac_f32" Onto(FMad);
        V_MADMK_F32 = 32 "v_madmk_f32" MadMk;
        V_MADAK_F32 = 33 "v_madak_f32" MadAk;
        V_BCNT_U32_B32 = 34 "v_bcnt_u32_b32" Alu(BitCount);
        V_MBCNT_LO_U32_B32 = 35 "v_mbcnt_lo_u32_b32" CountBelow(Half::Low);
        V_MBCNT_HI_U32_B32 = 36 "v_mbcnt_hi_u32_b32" CountBelow(Half::High);
        V_ADD_I32 = 37 "v_add_i32" Sem::Carry(Carry::Add);
        V_SUB_I32 = 38 "v_sub_i32" Sem::Carry(Carry::Sub);
        V_SUBREV_I32 = 39 "v_subrev_i32" Sem::Carry(Carry::SubRev);
        V_ADDC_U32 = 40 "v_addc_u32" CarryIn(Carry::Add);
        V_SUBB_U32 = 41 "v_subb_u32" CarryIn(Carry::Sub);
        V_SUBBREV_U32 = 42 "v_subbrev_u32" CarryIn(Carry::SubRev);
        V_LDEXP_F32 = 43 "v_ldexp_f32" Alu(FLdexp);
        V_CVT_PKACCUM_U8_F32 = 44 "v_cvt_pkaccum_u8_f32" Onto(PackU8);
        V_CVT_PKNORM_I16_F32 = 45 "v_cvt_pknorm_i16_f32" Alu(PackSnorm16);
        V_CVT_PKNORM_U16_F32 = 46 "v_cvt_pknorm_u16_f32" Alu(PackUnorm16);
        V_CVT_PKRTZ_F16_F32 = 47 "v_cvt_pkrtz_f16_f32" Alu(PackHalfZero);
        V_CVT_PK_U16_U32 = 48 "v_cvt_pk_u16_u32" Alu(PackU16);
        V_CVT_PK_I16_I32 = 49 "v_cvt_pk_i16_i32" Alu(PackI16);
    }
}

isa::ops! {
    /// VOP1: one source. [SI 12.7]
    pub enum Vop1Op: Sem {
        V_NOP = 0 "v_nop" Nothing;
        V_MOV_B32 = 1 "v_mov_b32" Alu(Mov);
        V_READFIRSTLANE_B32 = 2 "v_readfirstlane_b32" ReadFirstLane;
        V_CVT_I32_F64 = 3 "v_cvt_i32_f64" Wide(F64ToI32);
        V_CVT_F64_I32 = 4 "v_cvt_f64_i32" Wide(I32ToF64);
        V_CVT_F32_I32 = 5 "v_cvt_f32_i32" Alu(I32ToF32);
        V_CVT_F32_U32 = 6 "v_cvt_f32_u32" Alu(U32ToF32);
        V_CVT_U32_F32 = 7 "v_cvt_u32_f32" Alu(F32ToU32);
        V_CVT_I32_F32 = 8 "v_cvt_i32_f32" Alu(F32ToI32);
        V_CVT_F16_F32 = 10 "v_cvt_f16_f32" Alu(F32ToF16);
        V_CVT_F32_F16 = 11 "v_cvt_f32_f16" Alu(F16ToF32);
        V_CVT_RPI_I32_F32 = 12 "v_cvt_rpi_i32_f32" Alu(F32ToI32Round);
        V_CVT_FLR_I32_F32 = 13 "v_cvt_flr_i32_f32" Alu(F32ToI32Floor);
        V_CVT_OFF_F32_I4 = 14 "v_cvt_off_f32_i4" Alu(OffsetI4ToF32);
        V_CVT_F32_F64 = 15 "v_cvt_f32_f64" Wide(F64ToF32);
        V_CVT_F64_F32 = 16 "v_cvt_f64_f32" Wide(F32ToF64);
        V_CVT_F32_UBYTE0 = 17 "v_cvt_f32_ubyte0" Alu(Byte0ToF32);
        V_CVT_F32_UBYTE1 = 18 "v_cvt_f32_ubyte1" Alu(Byte1ToF32);
        V_CVT_F32_UBYTE2 = 19 "v_cvt_f32_ubyte2" Alu(Byte2ToF32);
        V_CVT_F32_UBYTE3 = 20 "v_cvt_f32_ubyte3" Alu(Byte3ToF32);
        V_CVT_U32_F64 = 21 "v_cvt_u32_f64" Wide(F64ToU32);
        V_CVT_F64_U32 = 22 "v_cvt_f64_u32" Wide(U32ToF64);
        V_FRACT_F32 = 32 "v_fract_f32" Alu(FFract);
        V_TRUNC_F32 = 33 "v_trunc_f32" Alu(FTrunc);
        V_CEIL_F32 = 34 "v_ceil_f32" Alu(FCeil);
        V_RNDNE_F32 = 35 "v_rndne_f32" Alu(FRound);
        V_FLOOR_F32 = 36 "v_floor_f32" Alu(FFloor);
        V_EXP_F32 = 37 "v_exp_f32" Alu(FExp2);
        V_LOG_CLAMP_F32 = 38 "v_log_clamp_f32" Then(FLog2, FClampInf);
        V_LOG_F32 = 39 "v_log_f32" Alu(FLog2);
        V_RCP_CLAMP_F32 = 40 "v_rcp_clamp_f32" Then(FRcp, FClampInf);
        V_RCP_LEGACY_F32 = 41 "v_rcp_legacy_f32" Alu(FRcpLegacy);
        V_RCP_F32 = 42 "v_rcp_f32" Alu(FRcp);
        V_RCP_IFLAG_F32 = 43 "v_rcp_iflag_f32" Alu(FRcp);
        V_RSQ_CLAMP_F32 = 44 "v_rsq_clamp_f32" Then(FRsq, FClampInf);
        V_RSQ_LEGACY_F32 = 45 "v_rsq_legacy_f32" Alu(FRsqLegacy);
        V_RSQ_F32 = 46 "v_rsq_f32" Alu(FRsq);
        V_RCP_F64 = 47 "v_rcp_f64" Wide(DRcp);
        V_RCP_CLAMP_F64 = 48 "v_rcp_clamp_f64" WideThen(DRcp, DClampInf);
        V_RSQ_F64 = 49 "v_rsq_f64" Wide(DRsq);
        V_RSQ_CLAMP_F64 = 50 "v_rsq_clamp_f64" WideThen(DRsq, DClampInf);
        V_SQRT_F32 = 51 "v_sqrt_f32" Alu(FSqrt);
        V_SQRT_F64 = 52 "v_sqrt_f64" Wide(DSqrt);
        V_SIN_F32 = 53 "v_sin_f32" Alu(FSinTurns);
        V_COS_F32 = 54 "v_cos_f32" Alu(FCosTurns);
        V_NOT_B32 = 55 "v_not_b32" Alu(Not);
        V_BFREV_B32 = 56 "v_bfrev_b32" Alu(BitReverse);
        V_FFBH_U32 = 57 "v_ffbh_u32" Alu(FirstHighU);
        V_FFBL_B32 = 58 "v_ffbl_b32" Alu(FirstLow);
        V_FFBH_I32 = 59 "v_ffbh_i32" Alu(FirstHighI);
        V_FREXP_EXP_I32_F64 = 60 "v_frexp_exp_i32_f64" Wide(DFrexpExp);
        V_FREXP_MANT_F64 = 61 "v_frexp_mant_f64" Wide(DFrexpMant);
        V_FRACT_F64 = 62 "v_fract_f64" Wide(DFract);
        V_FREXP_EXP_I32_F32 = 63 "v_frexp_exp_i32_f32" Alu(FFrexpExp);
        V_FREXP_MANT_F32 = 64 "v_frexp_mant_f32" Alu(FFrexpMant);
        V_CLREXCP = 65 "v_clrexcp" Nothing;
        V_MOVRELD_B32 = 66 "v_movreld_b32" Relative(Indexed::Destination);
        V_MOVRELS_B32 = 67 "v_movrels_b32" Relative(Indexed::Source);
        V_MOVRELSD_B32 = 68 "v_movrelsd_b32" Relative(Indexed::Both);
    }
}

isa::ops! {
    /// The operations that only VOP3 encodes: three sources, 64-bit operands. [SI 12.9]
    pub enum Vop3Op: Sem {
        V_MAD_LEGACY_F32 = 320 "v_mad_legacy_f32" Alu(FMadZero);
        V_MAD_F32 = 321 "v_mad_f32" Alu(FMad);
        V_MAD_I32_I24 = 322 "v_mad_i32_i24" Alu(IMad24);
        V_MAD_U32_U24 = 323 "v_mad_u32_u24" Alu(UMad24);
        V_CUBEID_F32 = 324 "v_cubeid_f32" Alu(CubeId);
        V_CUBESC_F32 = 325 "v_cubesc_f32" Alu(CubeSc);
        V_CUBETC_F32 = 326 "v_cubetc_f32" Alu(CubeTc);
        V_CUBEMA_F32 = 327 "v_cubema_f32" Alu(CubeMa);
        V_BFE_U32 = 328 "v_bfe_u32" Alu(BfeU);
        V_BFE_I32 = 329 "v_bfe_i32" Alu(BfeI);
        V_BFI_B32 = 330 "v_bfi_b32" Alu(Bfi);
        V_FMA_F32 = 331 "v_fma_f32" Alu(FFma);
        V_FMA_F64 = 332 "v_fma_f64" Wide(DFma);
        V_LERP_U8 = 333 "v_lerp_u8" Alu(LerpU8);
        V_ALIGNBIT_B32 = 334 "v_alignbit_b32" Alu(AlignBit);
        V_ALIGNBYTE_B32 = 335 "v_alignbyte_b32" Alu(AlignByte);
        V_MULLIT_F32 = 336 "v_mullit_f32" Alu(FMulLit);
        V_MIN3_F32 = 337 "v_min3_f32" Alu(FMin3);
        V_MIN3_I32 = 338 "v_min3_i32" Alu(IMin3);
        V_MIN3_U32 = 339 "v_min3_u32" Alu(UMin3);
        V_MAX3_F32 = 340 "v_max3_f32" Alu(FMax3);
        V_MAX3_I32 = 341 "v_max3_i32" Alu(IMax3);
        V_MAX3_U32 = 342 "v_max3_u32" Alu(UMax3);
        V_MED3_F32 = 343 "v_med3_f32" Alu(FMed3);
        V_MED3_I32 = 344 "v_med3_i32" Alu(IMed3);
        V_MED3_U32 = 345 "v_med3_u32" Alu(UMed3);
        V_SAD_U8 = 346 "v_sad_u8" Alu(SadU8);
        V_SAD_HI_U8 = 347 "v_sad_hi_u8" Alu(SadHighU8);
        V_SAD_U16 = 348 "v_sad_u16" Alu(SadU16);
        V_SAD_U32 = 349 "v_sad_u32" Alu(SadU32);
        V_CVT_PK_U8_F32 = 350 "v_cvt_pk_u8_f32" Alu(PackU8);
        V_DIV_FIXUP_F32 = 351 "v_div_fixup_f32" Alu(FDivFixup);
        V_DIV_FIXUP_F64 = 352 "v_div_fixup_f64" Wide(DDivFixup);
        V_LSHL_B64 = 353 "v_lshl_b64" Wide(Shl64);
        V_LSHR_B64 = 354 "v_lshr_b64" Wide(Shr64);
        V_ASHR_I64 = 355 "v_ashr_i64" Wide(Sar64);
        V_ADD_F64 = 356 "v_add_f64" Wide(DAdd);
        V_MUL_F64 = 357 "v_mul_f64" Wide(DMul);
        V_MIN_F64 = 358 "v_min_f64" Wide(DMin);
        V_MAX_F64 = 359 "v_max_f64" Wide(DMax);
        V_LDEXP_F64 = 360 "v_ldexp_f64" Wide(DLdexp);
        V_MUL_LO_U32 = 361 "v_mul_lo_u32" Alu(IMul);
        V_MUL_HI_U32 = 362 "v_mul_hi_u32" Alu(UMulHigh);
        V_MUL_LO_I32 = 363 "v_mul_lo_i32" Alu(IMul);
        V_MUL_HI_I32 = 364 "v_mul_hi_i32" Alu(IMulHigh);
        V_DIV_SCALE_F32 = 365 "v_div_scale_f32" DivScale(FDivScale, FDivScaleFlag);
        V_DIV_SCALE_F64 = 366 "v_div_scale_f64" DivScaleWide(DDivScale, DDivScaleFlag);
        V_DIV_FMAS_F32 = 367 "v_div_fmas_f32" DivFmas(FFma, FFmaDiv);
        V_DIV_FMAS_F64 = 368 "v_div_fmas_f64" DivFmasWide(DFma, DFmaDiv);
        V_MSAD_U8 = 369 "v_msad_u8" Alu(MaskedSadU8);
        V_QSAD_U8 = 370 "v_qsad_u8" Wide(QuadSadU8);
        V_MQSAD_U8 = 371 "v_mqsad_pk_u16_u8" Wide(MaskedQuadSadU8);
        V_TRIG_PREOP_F64 = 372 "v_trig_preop_f64" Wide(TrigPreop);
    }
}
