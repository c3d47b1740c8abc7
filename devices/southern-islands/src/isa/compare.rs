//! VOPC: lane-wise comparisons. [SI 12.8, p.12-40]
//!
//! An opcode is a family plus an operation; bit 4 of the opcode says that the result also replaces EXEC.

use lanes::LaneOp::{self, *};
use lanes::Operand::{self, *};
use lanes::WideOp::{self, *};

use Test::*;

/// What a comparison computes per lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// `op(S0, S1)`
    Lane(LaneOp),
    /// `op(S0, S1)` on 64-bit operands.
    Wide(WideOp),
    /// False, whatever the operands of this type.
    Never(Operand),
    /// True, whatever the operands of this type.
    Always(Operand),
}

impl VopcOp {
    /// Whether the result also replaces EXEC (V_CMPX, V_CMPSX).
    pub const fn writes_exec(self) -> bool {
        self.code() & 16 != 0
    }

    /// Types of the two sources.
    pub fn params(self) -> [Operand; 2] {
        match self.sem() {
            Lane(op) => [op.params()[0], op.params()[1]],
            Wide(op) => [op.params()[0], op.params()[1]],
            Never(ty) | Always(ty) => [ty, ty],
        }
    }

    /// The row whose meaning is this operation and that leaves EXEC alone.
    pub fn for_op(op: LaneOp) -> Option<VopcOp> {
        VopcOp::ROWS
            .iter()
            .find(|row| row.sem == Lane(op))
            .map(|row| row.op)
    }
}

isa::ops! {
    /// VOPC: compares, one mask bit per lane.
    pub enum VopcOp: Test {
        V_CMP_F_F32 = 0 "v_cmp_f_f32" Never(F32);
        V_CMP_LT_F32 = 1 "v_cmp_lt_f32" Lane(FLt);
        V_CMP_EQ_F32 = 2 "v_cmp_eq_f32" Lane(FEq);
        V_CMP_LE_F32 = 3 "v_cmp_le_f32" Lane(FLe);
        V_CMP_GT_F32 = 4 "v_cmp_gt_f32" Lane(FGt);
        V_CMP_LG_F32 = 5 "v_cmp_lg_f32" Lane(FLg);
        V_CMP_GE_F32 = 6 "v_cmp_ge_f32" Lane(FGe);
        V_CMP_O_F32 = 7 "v_cmp_o_f32" Lane(FOrdered);
        V_CMP_U_F32 = 8 "v_cmp_u_f32" Lane(FUnordered);
        V_CMP_NGE_F32 = 9 "v_cmp_nge_f32" Lane(FNge);
        V_CMP_NLG_F32 = 10 "v_cmp_nlg_f32" Lane(FNlg);
        V_CMP_NGT_F32 = 11 "v_cmp_ngt_f32" Lane(FNgt);
        V_CMP_NLE_F32 = 12 "v_cmp_nle_f32" Lane(FNle);
        V_CMP_NEQ_F32 = 13 "v_cmp_neq_f32" Lane(FNe);
        V_CMP_NLT_F32 = 14 "v_cmp_nlt_f32" Lane(FNlt);
        V_CMP_TRU_F32 = 15 "v_cmp_tru_f32" Always(F32);
        V_CMPX_F_F32 = 16 "v_cmpx_f_f32" Never(F32);
        V_CMPX_LT_F32 = 17 "v_cmpx_lt_f32" Lane(FLt);
        V_CMPX_EQ_F32 = 18 "v_cmpx_eq_f32" Lane(FEq);
        V_CMPX_LE_F32 = 19 "v_cmpx_le_f32" Lane(FLe);
        V_CMPX_GT_F32 = 20 "v_cmpx_gt_f32" Lane(FGt);
        V_CMPX_LG_F32 = 21 "v_cmpx_lg_f32" Lane(FLg);
        V_CMPX_GE_F32 = 22 "v_cmpx_ge_f32" Lane(FGe);
        V_CMPX_O_F32 = 23 "v_cmpx_o_f32" Lane(FOrdered);
        V_CMPX_U_F32 = 24 "v_cmpx_u_f32" Lane(FUnordered);
        V_CMPX_NGE_F32 = 25 "v_cmpx_nge_f32" Lane(FNge);
        V_CMPX_NLG_F32 = 26 "v_cmpx_nlg_f32" Lane(FNlg);
        V_CMPX_NGT_F32 = 27 "v_cmpx_ngt_f32" Lane(FNgt);
        V_CMPX_NLE_F32 = 28 "v_cmpx_nle_f32" Lane(FNle);
        V_CMPX_NEQ_F32 = 29 "v_cmpx_neq_f32" Lane(FNe);
        V_CMPX_NLT_F32 = 30 "v_cmpx_nlt_f32" Lane(FNlt);
        V_CMPX_TRU_F32 = 31 "v_cmpx_tru_f32" Always(F32);
        V_CMP_F_F64 = 32 "v_cmp_f_f64" Never(F64);
        V_CMP_LT_F64 = 33 "v_cmp_lt_f64" Wide(DLt);
        V_CMP_EQ_F64 = 34 "v_cmp_eq_f64" Wide(DEq);
        V_CMP_LE_F64 = 35 "v_cmp_le_f64" Wide(DLe);
        V_CMP_GT_F64 = 36 "v_cmp_gt_f64" Wide(DGt);
        V_CMP_LG_F64 = 37 "v_cmp_lg_f64" Wide(DLg);
        V_CMP_GE_F64 = 38 "v_cmp_ge_f64" Wide(DGe);
        V_CMP_O_F64 = 39 "v_cmp_o_f64" Wide(DOrdered);
        V_CMP_U_F64 = 40 "v_cmp_u_f64" Wide(DUnordered);
        V_CMP_NGE_F64 = 41 "v_cmp_nge_f64" Wide(DNge);
        V_CMP_NLG_F64 = 42 "v_cmp_nlg_f64" Wide(DNlg);
        V_CMP_NGT_F64 = 43 "v_cmp_ngt_f64" Wide(DNgt);
        V_CMP_NLE_F64 = 44 "v_cmp_nle_f64" Wide(DNle);
        V_CMP_NEQ_F64 = 45 "v_cmp_neq_f64" Wide(DNe);
        V_CMP_NLT_F64 = 46 "v_cmp_nlt_f64" Wide(DNlt);
        V_CMP_TRU_F64 = 47 "v_cmp_tru_f64" Always(F64);
        V_CMPX_F_F64 = 48 "v_cmpx_f_f64" Never(F64);
        V_CMPX_LT_F64 = 49 "v_cmpx_lt_f64" Wide(DLt);
        V_CMPX_EQ_F64 = 50 "v_cmpx_eq_f64" Wide(DEq);
        V_CMPX_LE_F64 = 51 "v_cmpx_le_f64" Wide(DLe);
        V_CMPX_GT_F64 = 52 "v_cmpx_gt_f64" Wide(DGt);
        V_CMPX_LG_F64 = 53 "v_cmpx_lg_f64" Wide(DLg);
        V_CMPX_GE_F64 = 54 "v_cmpx_ge_f64" Wide(DGe);
        V_CMPX_O_F64 = 55 "v_cmpx_o_f64" Wide(DOrdered);
        V_CMPX_U_F64 = 56 "v_cmpx_u_f64" Wide(DUnordered);
        V_CMPX_NGE_F64 = 57 "v_cmpx_nge_f64" Wide(DNge);
        V_CMPX_NLG_F64 = 58 "v_cmpx_nlg_f64" Wide(DNlg);
        V_CMPX_NGT_F64 = 59 "v_cmpx_ngt_f64" Wide(DNgt);
        V_CMPX_NLE_F64 = 60 "v_cmpx_nle_f64" Wide(DNle);
        V_CMPX_NEQ_F64 = 61 "v_cmpx_neq_f64" Wide(DNe);
        V_CMPX_NLT_F64 = 62 "v_cmpx_nlt_f64" Wide(DNlt);
        V_CMPX_TRU_F64 = 63 "v_cmpx_tru_f64" Always(F64);
        V_CMPS_F_F32 = 64 "v_cmps_f_f32" Never(F32);
        V_CMPS_LT_F32 = 65 "v_cmps_lt_f32" Lane(FLt);
        V_CMPS_EQ_F32 = 66 "v_cmps_eq_f32" Lane(FEq);
        V_CMPS_LE_F32 = 67 "v_cmps_le_f32" Lane(FLe);
        V_CMPS_GT_F32 = 68 "v_cmps_gt_f32" Lane(FGt);
        V_CMPS_LG_F32 = 69 "v_cmps_lg_f32" Lane(FLg);
        V_CMPS_GE_F32 = 70 "v_cmps_ge_f32" Lane(FGe);
        V_CMPS_O_F32 = 71 "v_cmps_o_f32" Lane(FOrdered);
        V_CMPS_U_F32 = 72 "v_cmps_u_f32" Lane(FUnordered);
        V_CMPS_NGE_F32 = 73 "v_cmps_nge_f32" Lane(FNge);
        V_CMPS_NLG_F32 = 74 "v_cmps_nlg_f32" Lane(FNlg);
        V_CMPS_NGT_F32 = 75 "v_cmps_ngt_f32" Lane(FNgt);
        V_CMPS_NLE_F32 = 76 "v_cmps_nle_f32" Lane(FNle);
        V_CMPS_NEQ_F32 = 77 "v_cmps_neq_f32" Lane(FNe);
        V_CMPS_NLT_F32 = 78 "v_cmps_nlt_f32" Lane(FNlt);
        V_CMPS_TRU_F32 = 79 "v_cmps_tru_f32" Always(F32);
        V_CMPSX_F_F32 = 80 "v_cmpsx_f_f32" Never(F32);
        V_CMPSX_LT_F32 = 81 "v_cmpsx_lt_f32" Lane(FLt);
        V_CMPSX_EQ_F32 = 82 "v_cmpsx_eq_f32" Lane(FEq);
        V_CMPSX_LE_F32 = 83 "v_cmpsx_le_f32" Lane(FLe);
        V_CMPSX_GT_F32 = 84 "v_cmpsx_gt_f32" Lane(FGt);
        V_CMPSX_LG_F32 = 85 "v_cmpsx_lg_f32" Lane(FLg);
        V_CMPSX_GE_F32 = 86 "v_cmpsx_ge_f32" Lane(FGe);
        V_CMPSX_O_F32 = 87 "v_cmpsx_o_f32" Lane(FOrdered);
        V_CMPSX_U_F32 = 88 "v_cmpsx_u_f32" Lane(FUnordered);
        V_CMPSX_NGE_F32 = 89 "v_cmpsx_nge_f32" Lane(FNge);
        V_CMPSX_NLG_F32 = 90 "v_cmpsx_nlg_f32" Lane(FNlg);
        V_CMPSX_NGT_F32 = 91 "v_cmpsx_ngt_f32" Lane(FNgt);
        V_CMPSX_NLE_F32 = 92 "v_cmpsx_nle_f32" Lane(FNle);
        V_CMPSX_NEQ_F32 = 93 "v_cmpsx_neq_f32" Lane(FNe);
        V_CMPSX_NLT_F32 = 94 "v_cmpsx_nlt_f32" Lane(FNlt);
        V_CMPSX_TRU_F32 = 95 "v_cmpsx_tru_f32" Always(F32);
        V_CMPS_F_F64 = 96 "v_cmps_f_f64" Never(F64);
        V_CMPS_LT_F64 = 97 "v_cmps_lt_f64" Wide(DLt);
        V_CMPS_EQ_F64 = 98 "v_cmps_eq_f64" Wide(DEq);
        V_CMPS_LE_F64 = 99 "v_cmps_le_f64" Wide(DLe);
        V_CMPS_GT_F64 = 100 "v_cmps_gt_f64" Wide(DGt);
        V_CMPS_LG_F64 = 101 "v_cmps_lg_f64" Wide(DLg);
        V_CMPS_GE_F64 = 102 "v_cmps_ge_f64" Wide(DGe);
        V_CMPS_O_F64 = 103 "v_cmps_o_f64" Wide(DOrdered);
        V_CMPS_U_F64 = 104 "v_cmps_u_f64" Wide(DUnordered);
        V_CMPS_NGE_F64 = 105 "v_cmps_nge_f64" Wide(DNge);
        V_CMPS_NLG_F64 = 106 "v_cmps_nlg_f64" Wide(DNlg);
        V_CMPS_NGT_F64 = 107 "v_cmps_ngt_f64" Wide(DNgt);
        V_CMPS_NLE_F64 = 108 "v_cmps_nle_f64" Wide(DNle);
        V_CMPS_NEQ_F64 = 109 "v_cmps_neq_f64" Wide(DNe);
        V_CMPS_NLT_F64 = 110 "v_cmps_nlt_f64" Wide(DNlt);
        V_CMPS_TRU_F64 = 111 "v_cmps_tru_f64" Always(F64);
        V_CMPSX_F_F64 = 112 "v_cmpsx_f_f64" Never(F64);
        V_CMPSX_LT_F64 = 113 "v_cmpsx_lt_f64" Wide(DLt);
        V_CMPSX_EQ_F64 = 114 "v_cmpsx_eq_f64" Wide(DEq);
        V_CMPSX_LE_F64 = 115 "v_cmpsx_le_f64" Wide(DLe);
        V_CMPSX_GT_F64 = 116 "v_cmpsx_gt_f64" Wide(DGt);
        V_CMPSX_LG_F64 = 117 "v_cmpsx_lg_f64" Wide(DLg);
        V_CMPSX_GE_F64 = 118 "v_cmpsx_ge_f64" Wide(DGe);
        V_CMPSX_O_F64 = 119 "v_cmpsx_o_f64" Wide(DOrdered);
        V_CMPSX_U_F64 = 120 "v_cmpsx_u_f64" Wide(DUnordered);
        V_CMPSX_NGE_F64 = 121 "v_cmpsx_nge_f64" Wide(DNge);
        V_CMPSX_NLG_F64 = 122 "v_cmpsx_nlg_f64" Wide(DNlg);
        V_CMPSX_NGT_F64 = 123 "v_cmpsx_ngt_f64" Wide(DNgt);
        V_CMPSX_NLE_F64 = 124 "v_cmpsx_nle_f64" Wide(DNle);
        V_CMPSX_NEQ_F64 = 125 "v_cmpsx_neq_f64" Wide(DNe);
        V_CMPSX_NLT_F64 = 126 "v_cmpsx_nlt_f64" Wide(DNlt);
        V_CMPSX_TRU_F64 = 127 "v_cmpsx_tru_f64" Always(F64);
        V_CMP_F_I32 = 128 "v_cmp_f_i32" Never(I32);
        V_CMP_LT_I32 = 129 "v_cmp_lt_i32" Lane(ILt);
        V_CMP_EQ_I32 = 130 "v_cmp_eq_i32" Lane(IEq);
        V_CMP_LE_I32 = 131 "v_cmp_le_i32" Lane(ILe);
        V_CMP_GT_I32 = 132 "v_cmp_gt_i32" Lane(IGt);
        V_CMP_LG_I32 = 133 "v_cmp_ne_i32" Lane(INe);
        V_CMP_GE_I32 = 134 "v_cmp_ge_i32" Lane(IGe);
        V_CMP_TRU_I32 = 135 "v_cmp_t_i32" Always(I32);
        V_CMP_CLASS_F32 = 136 "v_cmp_class_f32" Lane(FClass);
        V_CMPX_F_I32 = 144 "v_cmpx_f_i32" Never(I32);
        V_CMPX_LT_I32 = 145 "v_cmpx_lt_i32" Lane(ILt);
        V_CMPX_EQ_I32 = 146 "v_cmpx_eq_i32" Lane(IEq);
        V_CMPX_LE_I32 = 147 "v_cmpx_le_i32" Lane(ILe);
        V_CMPX_GT_I32 = 148 "v_cmpx_gt_i32" Lane(IGt);
        V_CMPX_LG_I32 = 149 "v_cmpx_ne_i32" Lane(INe);
        V_CMPX_GE_I32 = 150 "v_cmpx_ge_i32" Lane(IGe);
        V_CMPX_TRU_I32 = 151 "v_cmpx_t_i32" Always(I32);
        V_CMPX_CLASS_F32 = 152 "v_cmpx_class_f32" Lane(FClass);
        V_CMP_F_I64 = 160 "v_cmp_f_i64" Never(I64);
        V_CMP_LT_I64 = 161 "v_cmp_lt_i64" Wide(ILt64);
        V_CMP_EQ_I64 = 162 "v_cmp_eq_i64" Wide(IEq64);
        V_CMP_LE_I64 = 163 "v_cmp_le_i64" Wide(ILe64);
        V_CMP_GT_I64 = 164 "v_cmp_gt_i64" Wide(IGt64);
        V_CMP_LG_I64 = 165 "v_cmp_ne_i64" Wide(INe64);
        V_CMP_GE_I64 = 166 "v_cmp_ge_i64" Wide(IGe64);
        V_CMP_TRU_I64 = 167 "v_cmp_t_i64" Always(I64);
        V_CMP_CLASS_F64 = 168 "v_cmp_class_f64" Wide(DClass);
        V_CMPX_F_I64 = 176 "v_cmpx_f_i64" Never(I64);
        V_CMPX_LT_I64 = 177 "v_cmpx_lt_i64" Wide(ILt64);
        V_CMPX_EQ_I64 = 178 "v_cmpx_eq_i64" Wide(IEq64);
        V_CMPX_LE_I64 = 179 "v_cmpx_le_i64" Wide(ILe64);
        V_CMPX_GT_I64 = 180 "v_cmpx_gt_i64" Wide(IGt64);
        V_CMPX_LG_I64 = 181 "v_cmpx_ne_i64" Wide(INe64);
        V_CMPX_GE_I64 = 182 "v_cmpx_ge_i64" Wide(IGe64);
        V_CMPX_TRU_I64 = 183 "v_cmpx_t_i64" Always(I64);
        V_CMPX_CLASS_F64 = 184 "v_cmpx_class_f64" Wide(DClass);
        V_CMP_F_U32 = 192 "v_cmp_f_u32" Never(U32);
        V_CMP_LT_U32 = 193 "v_cmp_lt_u32" Lane(ULt);
        V_CMP_EQ_U32 = 194 "v_cmp_eq_u32" Lane(IEq);
        V_CMP_LE_U32 = 195 "v_cmp_le_u32" Lane(ULe);
        V_CMP_GT_U32 = 196 "v_cmp_gt_u32" Lane(UGt);
        V_CMP_LG_U32 = 197 "v_cmp_ne_u32" Lane(INe);
        V_CMP_GE_U32 = 198 "v_cmp_ge_u32" Lane(UGe);
        V_CMP_TRU_U32 = 199 "v_cmp_t_u32" Always(U32);
        V_CMPX_F_U32 = 208 "v_cmpx_f_u32" Never(U32);
        V_CMPX_LT_U32 = 209 "v_cmpx_lt_u32" Lane(ULt);
        V_CMPX_EQ_U32 = 210 "v_cmpx_eq_u32" Lane(IEq);
        V_CMPX_LE_U32 = 211 "v_cmpx_le_u32" Lane(ULe);
        V_CMPX_GT_U32 = 212 "v_cmpx_gt_u32" Lane(UGt);
        V_CMPX_LG_U32 = 213 "v_cmpx_ne_u32" Lane(INe);
        V_CMPX_GE_U32 = 214 "v_cmpx_ge_u32" Lane(UGe);
        V_CMPX_TRU_U32 = 215 "v_cmpx_t_u32" Always(U32);
        V_CMP_F_U64 = 224 "v_cmp_f_u64" Never(U64);
        V_CMP_LT_U64 = 225 "v_cmp_lt_u64" Wide(ULt64);
        V_CMP_EQ_U64 = 226 "v_cmp_eq_u64" Wide(IEq64);
        V_CMP_LE_U64 = 227 "v_cmp_le_u64" Wide(ULe64);
        V_CMP_GT_U64 = 228 "v_cmp_gt_u64" Wide(UGt64);
        V_CMP_LG_U64 = 229 "v_cmp_ne_u64" Wide(INe64);
        V_CMP_GE_U64 = 230 "v_cmp_ge_u64" Wide(UGe64);
        V_CMP_TRU_U64 = 231 "v_cmp_t_u64" Always(U64);
        V_CMPX_F_U64 = 240 "v_cmpx_f_u64" Never(U64);
        V_CMPX_LT_U64 = 241 "v_cmpx_lt_u64" Wide(ULt64);
        V_CMPX_EQ_U64 = 242 "v_cmpx_eq_u64" Wide(IEq64);
        V_CMPX_LE_U64 = 243 "v_cmpx_le_u64" Wide(ULe64);
        V_CMPX_GT_U64 = 244 "v_cmpx_gt_u64" Wide(UGt64);
        V_CMPX_LG_U64 = 245 "v_cmpx_ne_u64" Wide(INe64);
        V_CMPX_GE_U64 = 246 "v_cmpx_ge_u64" Wide(UGe64);
        V_CMPX_TRU_U64 = 247 "v_cmpx_t_u64" Always(U64);
    }
}
