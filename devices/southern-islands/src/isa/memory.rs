//! Memory instructions: SMRD, DS, MUBUF, MTBUF. The device executes them.

use Atomic::*;

/// What an atomic operation leaves in memory, from the old value and the data operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    /// The data.
    Swap,
    /// The new value if memory equals the compare value.
    CompareSwap,
    /// Sum.
    Add,
    /// Memory minus data.
    Sub,
    /// Data minus memory.
    RSub,
    /// Signed minimum.
    SMin,
    /// Unsigned minimum.
    UMin,
    /// Signed maximum.
    SMax,
    /// Unsigned maximum.
    UMax,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// 0 if memory is at least the data, else memory + 1.
    Inc,
    /// The data if memory is 0 or above the data, else memory - 1.
    Dec,
    /// `CompareSwap` with a float compare.
    FCompareSwap,
    /// Float minimum.
    FMin,
    /// Float maximum.
    FMax,
    /// `(memory and not first data) or second data`
    MaskOr,
}

impl Atomic {
    /// Whether it has two operands.
    pub const fn has_second(self) -> bool {
        matches!(self, CompareSwap | FCompareSwap | MaskOr)
    }
}

/// How one element lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Unsigned byte.
    U8,
    /// Signed byte.
    I8,
    /// Unsigned halfword.
    U16,
    /// Signed halfword.
    I16,
    /// Dword.
    B32,
    /// Two dwords.
    B64,
    /// Four dwords.
    B128,
}

impl Access {
    /// Bytes in memory.
    pub const fn bytes(self) -> u32 {
        match self {
            Access::U8 | Access::I8 => 1,
            Access::U16 | Access::I16 => 2,
            Access::B32 => 4,
            Access::B64 => 8,
            Access::B128 => 16,
        }
    }

    /// Registers in the wave.
    pub const fn registers(self) -> u8 {
        match self {
            Access::B64 => 2,
            Access::B128 => 4,
            _ => 1,
        }
    }
}

/// What SMRD means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmrdSem {
    /// Loads this many dwords from an address.
    Load(u8),
    /// Loads this many dwords from a buffer descriptor.
    Buffer(u8),
    /// Reads the clock.
    Time,
    /// Invalidates the cache.
    Invalidate,
}

/// What DS means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DsSem {
    /// An atomic operation on `size` bytes.
    Atomic {
        /// Operation.
        op: Atomic,
        /// Bytes.
        size: u8,
        /// Whether the old value goes to VDST.
        returns: bool,
    },
    /// An atomic operation whose data operand is also in memory.
    Src2 {
        /// Operation.
        op: Atomic,
        /// Bytes.
        size: u8,
    },
    /// Reads one element.
    Read(Access),
    /// Writes one element.
    Write(Access),
    /// Reads two elements; offsets count `size * stride` bytes.
    Read2 {
        /// Bytes of an element.
        size: u8,
        /// Elements per offset step.
        stride: u8,
    },
    /// Writes two elements.
    Write2 {
        /// Bytes of an element.
        size: u8,
        /// Elements per offset step.
        stride: u8,
    },
    /// Exchanges two elements.
    Exchange2 {
        /// Bytes of an element.
        size: u8,
        /// Elements per offset step.
        stride: u8,
    },
    /// Moves data between lanes, without memory.
    Swizzle,
    /// DS_APPEND and DS_CONSUME.
    Counter,
    /// DS_ORDERED_COUNT.
    OrderedCount,
    /// Global wave sync.
    Gws {
        /// Whether it has a data operand.
        data: bool,
    },
}

impl DsSem {
    /// Registers of (VDST, ADDR, DATA0, DATA1), 0 where the instruction does not use the field.
    pub const fn registers(self) -> [u8; 4] {
        match self {
            DsSem::Atomic { op, size, returns } => {
                let size = size / 4;
                let second = op.has_second();
                [
                    if returns { size } else { 0 },
                    1,
                    size,
                    if second { size } else { 0 },
                ]
            }
            DsSem::Src2 { .. } => [0, 1, 0, 0],
            DsSem::Read(access) => [access.registers(), 1, 0, 0],
            DsSem::Write(access) => [0, 1, access.registers(), 0],
            DsSem::Read2 { size, .. } => [size / 2, 1, 0, 0],
            DsSem::Write2 { size, .. } => [0, 1, size / 4, size / 4],
            DsSem::Exchange2 { size, .. } => [size / 2, 1, size / 4, size / 4],
            DsSem::Swizzle | DsSem::OrderedCount => [1, 1, 0, 0],
            DsSem::Counter => [1, 0, 0, 0],
            // The data lies in the ADDR field: ERRATA.md #3.
            DsSem::Gws { data } => [0, data as u8, 0, 0],
        }
    }

    /// Whether the two offset fields are separate.
    pub const fn has_two_offsets(self) -> bool {
        matches!(
            self,
            DsSem::Read2 { .. } | DsSem::Write2 { .. } | DsSem::Exchange2 { .. }
        )
    }
}

/// What MUBUF and MTBUF mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferSem {
    /// Loads this many components through a format.
    LoadFormat(u8),
    /// Stores this many components through a format.
    StoreFormat(u8),
    /// Loads without conversion.
    Load(Access),
    /// Stores without conversion.
    Store(Access),
    /// An atomic operation on `size` bytes; the old value is returned with GLC.
    Atomic {
        /// Operation.
        op: Atomic,
        /// Bytes.
        size: u8,
    },
    /// Invalidates a cache.
    Invalidate,
}

impl BufferSem {
    /// Registers of VDATA, without the status dword of TFE.
    pub const fn registers(self) -> u8 {
        match self {
            BufferSem::LoadFormat(n) | BufferSem::StoreFormat(n) => n,
            BufferSem::Load(access) | BufferSem::Store(access) => access.registers(),
            BufferSem::Atomic { op, size } => match op {
                CompareSwap | FCompareSwap => size / 2,
                _ => size / 4,
            },
            BufferSem::Invalidate => 0,
        }
    }
}

isa::ops! {
    /// SMRD: scalar loads. [SI 12.10]
    pub enum SmrdOp: SmrdSem {
        S_LOAD_DWORD = 0 "s_load_dword" SmrdSem::Load(1);
        S_LOAD_DWORDX2 = 1 "s_load_dwordx2" SmrdSem::Load(2);
        S_LOAD_DWORDX4 = 2 "s_load_dwordx4" SmrdSem::Load(4);
        S_LOAD_DWORDX8 = 3 "s_load_dwordx8" SmrdSem::Load(8);
        S_LOAD_DWORDX16 = 4 "s_load_dwordx16" SmrdSem::Load(16);
        S_BUFFER_LOAD_DWORD = 8 "s_buffer_load_dword" SmrdSem::Buffer(1);
        S_BUFFER_LOAD_DWORDX2 = 9 "s_buffer_load_dwordx2" SmrdSem::Buffer(2);
        S_BUFFER_LOAD_DWORDX4 = 10 "s_buffer_load_dwordx4" SmrdSem::Buffer(4);
        S_BUFFER_LOAD_DWORDX8 = 11 "s_buffer_load_dwordx8" SmrdSem::Buffer(8);
        S_BUFFER_LOAD_DWORDX16 = 12 "s_buffer_load_dwordx16" SmrdSem::Buffer(16);
        S_MEMTIME = 30 "s_memtime" SmrdSem::Time;
        S_DCACHE_INV = 31 "s_dcache_inv" SmrdSem::Invalidate;
    }
}

isa::ops! {
    /// DS: local and global data share. [SI 12.12]
    pub enum DsOp: DsSem {
        DS_ADD_U32 = 0 "ds_add_u32" DsSem::Atomic { op: Add, size: 4, returns: false };
        DS_SUB_U32 = 1 "ds_sub_u32" DsSem::Atomic { op: Sub, size: 4, returns: false };
        DS_RSUB_U32 = 2 "ds_rsub_u32" DsSem::Atomic { op: RSub, size: 4, returns: false };
        DS_INC_U32 = 3 "ds_inc_u32" DsSem::Atomic { op: Inc, size: 4, returns: false };
        DS_DEC_U32 = 4 "ds_dec_u32" DsSem::Atomic { op: Dec, size: 4, returns: false };
        DS_MIN_I32 = 5 "ds_min_i32" DsSem::Atomic { op: SMin, size: 4, returns: false };
        DS_MAX_I32 = 6 "ds_max_i32" DsSem::Atomic { op: SMax, size: 4, returns: false };
        DS_MIN_U32 = 7 "ds_min_u32" DsSem::Atomic { op: UMin, size: 4, returns: false };
        DS_MAX_U32 = 8 "ds_max_u32" DsSem::Atomic { op: UMax, size: 4, returns: false };
        DS_AND_B32 = 9 "ds_and_b32" DsSem::Atomic { op: And, size: 4, returns: false };
        DS_OR_B32 = 10 "ds_or_b32" DsSem::Atomic { op: Or, size: 4, returns: false };
        DS_XOR_B32 = 11 "ds_xor_b32" DsSem::Atomic { op: Xor, size: 4, returns: false };
        DS_MSKOR_B32 = 12 "ds_mskor_b32" DsSem::Atomic { op: MaskOr, size: 4, returns: false };
        DS_WRITE_B32 = 13 "ds_write_b32" DsSem::Write(Access::B32);
        DS_WRITE2_B32 = 14 "ds_write2_b32" DsSem::Write2 { size: 4, stride: 1 };
        DS_WRITE2ST64_B32 = 15 "ds_write2st64_b32" DsSem::Write2 { size: 4, stride: 64 };
        DS_CMPST_B32 = 16 "ds_cmpst_b32" DsSem::Atomic { op: CompareSwap, size: 4, returns: false };
        DS_CMPST_F32 = 17 "ds_cmpst_f32" DsSem::Atomic { op: FCompareSwap, size: 4, returns: false };
        DS_MIN_F32 = 18 "ds_min_f32" DsSem::Atomic { op: FMin, size: 4, returns: false };
        DS_MAX_F32 = 19 "ds_max_f32" DsSem::Atomic { op: FMax, size: 4, returns: false };
        DS_GWS_INIT = 25 "ds_gws_init" DsSem::Gws { data: true };
        DS_GWS_SEMA_V = 26 "ds_gws_sema_v" DsSem::Gws { data: false };
        DS_GWS_SEMA_BR = 27 "ds_gws_sema_br" DsSem::Gws { data: true };
        DS_GWS_SEMA_P = 28 "ds_gws_sema_p" DsSem::Gws { data: false };
        DS_GWS_BARRIER = 29 "ds_gws_barrier" DsSem::Gws { data: true };
        DS_WRITE_B8 = 30 "ds_write_b8" DsSem::Write(Access::U8);
        DS_WRITE_B16 = 31 "ds_write_b16" DsSem::Write(Access::U16);
        DS_ADD_RTN_U32 = 32 "ds_add_rtn_u32" DsSem::Atomic { op: Add, size: 4, returns: true };
        DS_SUB_RTN_U32 = 33 "ds_sub_rtn_u32" DsSem::Atomic { op: Sub, size: 4, returns: true };
        DS_RSUB_RTN_U32 = 34 "ds_rsub_rtn_u32" DsSem::Atomic { op: RSub, size: 4, returns: true };
        DS_INC_RTN_U32 = 35 "ds_inc_rtn_u32" DsSem::Atomic { op: Inc, size: 4, returns: true };
        DS_DEC_RTN_U32 = 36 "ds_dec_rtn_u32" DsSem::Atomic { op: Dec, size: 4, returns: true };
        DS_MIN_RTN_I32 = 37 "ds_min_rtn_i32" DsSem::Atomic { op: SMin, size: 4, returns: true };
        DS_MAX_RTN_I32 = 38 "ds_max_rtn_i32" DsSem::Atomic { op: SMax, size: 4, returns: true };
        DS_MIN_RTN_U32 = 39 "ds_min_rtn_u32" DsSem::Atomic { op: UMin, size: 4, returns: true };
        DS_MAX_RTN_U32 = 40 "ds_max_rtn_u32" DsSem::Atomic { op: UMax, size: 4, returns: true };
        DS_AND_RTN_B32 = 41 "ds_and_rtn_b32" DsSem::Atomic { op: And, size: 4, returns: true };
        DS_OR_RTN_B32 = 42 "ds_or_rtn_b32" DsSem::Atomic { op: Or, size: 4, returns: true };
        DS_XOR_RTN_B32 = 43 "ds_xor_rtn_b32" DsSem::Atomic { op: Xor, size: 4, returns: true };
        DS_MSKOR_RTN_B32 = 44 "ds_mskor_rtn_b32" DsSem::Atomic { op: MaskOr, size: 4, returns: true };
        DS_WRXCHG_RTN_B32 = 45 "ds_wrxchg_rtn_b32" DsSem::Atomic { op: Swap, size: 4, returns: true };
        DS_WRXCHG2_RTN_B32 = 46 "ds_wrxchg2_rtn_b32" DsSem::Exchange2 { size: 4, stride: 1 };
        DS_WRXCHG2ST64_RTN_B32 = 47 "ds_wrxchg2st64_rtn_b32" DsSem::Exchange2 { size: 4, stride: 64 };
        DS_CMPST_RTN_B32 = 48 "ds_cmpst_rtn_b32" DsSem::Atomic { op: CompareSwap, size: 4, returns: true };
        DS_CMPST_RTN_F32 = 49 "ds_cmpst_rtn_f32" DsSem::Atomic { op: FCompareSwap, size: 4, returns: true };
        DS_MIN_RTN_F32 = 50 "ds_min_rtn_f32" DsSem::Atomic { op: FMin, size: 4, returns: true };
        DS_MAX_RTN_F32 = 51 "ds_max_rtn_f32" DsSem::Atomic { op: FMax, size: 4, returns: true };
        DS_SWIZZLE_B32 = 53 "ds_swizzle_b32" DsSem::Swizzle;
        DS_READ_B32 = 54 "ds_read_b32" DsSem::Read(Access::B32);
        DS_READ2_B32 = 55 "ds_read2_b32" DsSem::Read2 { size: 4, stride: 1 };
        DS_READ2ST64_B32 = 56 "ds_read2st64_b32" DsSem::Read2 { size: 4, stride: 64 };
        DS_READ_I8 = 57 "ds_read_i8" DsSem::Read(Access::I8);
        DS_READ_U8 = 58 "ds_read_u8" DsSem::Read(Access::U8);
        DS_READ_I16 = 59 "ds_read_i16" DsSem::Read(Access::I16);
        DS_READ_U16 = 60 "ds_read_u16" DsSem::Read(Access::U16);
        DS_CONSUME = 61 "ds_consume" DsSem::Counter;
        DS_APPEND = 62 "ds_append" DsSem::Counter;
        DS_ORDERED_COUNT = 63 "ds_ordered_count" DsSem::OrderedCount;
        DS_ADD_U64 = 64 "ds_add_u64" DsSem::Atomic { op: Add, size: 8, returns: false };
        DS_SUB_U64 = 65 "ds_sub_u64" DsSem::Atomic { op: Sub, size: 8, returns: false };
        DS_RSUB_U64 = 66 "ds_rsub_u64" DsSem::Atomic { op: RSub, size: 8, returns: false };
        DS_INC_U64 = 67 "ds_inc_u64" DsSem::Atomic { op: Inc, size: 8, returns: false };
        DS_DEC_U64 = 68 "ds_dec_u64" DsSem::Atomic { op: Dec, size: 8, returns: false };
        DS_MIN_I64 = 69 "ds_min_i64" DsSem::Atomic { op: SMin, size: 8, returns: false };
        DS_MAX_I64 = 70 "ds_max_i64" DsSem::Atomic { op: SMax, size: 8, returns: false };
        DS_MIN_U64 = 71 "ds_min_u64" DsSem::Atomic { op: UMin, size: 8, returns: false };
        DS_MAX_U64 = 72 "ds_max_u64" DsSem::Atomic { op: UMax, size: 8, returns: false };
        DS_AND_B64 = 73 "ds_and_b64" DsSem::Atomic { op: And, size: 8, returns: false };
        DS_OR_B64 = 74 "ds_or_b64" DsSem::Atomic { op: Or, size: 8, returns: false };
        DS_XOR_B64 = 75 "ds_xor_b64" DsSem::Atomic { op: Xor, size: 8, returns: false };
        DS_MSKOR_B64 = 76 "ds_mskor_b64" DsSem::Atomic { op: MaskOr, size: 8, returns: false };
        DS_WRITE_B64 = 77 "ds_write_b64" DsSem::Write(Access::B64);
        DS_WRITE2_B64 = 78 "ds_write2_b64" DsSem::Write2 { size: 8, stride: 1 };
        DS_WRITE2ST64_B64 = 79 "ds_write2st64_b64" DsSem::Write2 { size: 8, stride: 64 };
        DS_CMPST_B64 = 80 "ds_cmpst_b64" DsSem::Atomic { op: CompareSwap, size: 8, returns: false };
        DS_CMPST_F64 = 81 "ds_cmpst_f64" DsSem::Atomic { op: FCompareSwap, size: 8, returns: false };
        DS_MIN_F64 = 82 "ds_min_f64" DsSem::Atomic { op: FMin, size: 8, returns: false };
        DS_MAX_F64 = 83 "ds_max_f64" DsSem::Atomic { op: FMax, size: 8, returns: false };
        DS_ADD_RTN_U64 = 96 "ds_add_rtn_u64" DsSem::Atomic { op: Add, size: 8, returns: true };
        DS_SUB_RTN_U64 = 97 "ds_sub_rtn_u64" DsSem::Atomic { op: Sub, size: 8, returns: true };
        DS_RSUB_RTN_U64 = 98 "ds_rsub_rtn_u64" DsSem::Atomic { op: RSub, size: 8, returns: true };
        DS_INC_RTN_U64 = 99 "ds_inc_rtn_u64" DsSem::Atomic { op: Inc, size: 8, returns: true };
        DS_DEC_RTN_U64 = 100 "ds_dec_rtn_u64" DsSem::Atomic { op: Dec, size: 8, returns: true };
        DS_MIN_RTN_I64 = 101 "ds_min_rtn_i64" DsSem::Atomic { op: SMin, size: 8, returns: true };
        DS_MAX_RTN_I64 = 102 "ds_max_rtn_i64" DsSem::Atomic { op: SMax, size: 8, returns: true };
        DS_MIN_RTN_U64 = 103 "ds_min_rtn_u64" DsSem::Atomic { op: UMin, size: 8, returns: true };
        DS_MAX_RTN_U64 = 104 "ds_max_rtn_u64" DsSem::Atomic { op: UMax, size: 8, returns: true };
        DS_AND_RTN_B64 = 105 "ds_and_rtn_b64" DsSem::Atomic { op: And, size: 8, returns: true };
        DS_OR_RTN_B64 = 106 "ds_or_rtn_b64" DsSem::Atomic { op: Or, size: 8, returns: true };
        DS_XOR_RTN_B64 = 107 "ds_xor_rtn_b64" DsSem::Atomic { op: Xor, size: 8, returns: true };
        DS_MSKOR_RTN_B64 = 108 "ds_mskor_rtn_b64" DsSem::Atomic { op: MaskOr, size: 8, returns: true };
        DS_WRXCHG_RTN_B64 = 109 "ds_wrxchg_rtn_b64" DsSem::Atomic { op: Swap, size: 8, returns: true };
        DS_WRXCHG2_RTN_B64 = 110 "ds_wrxchg2_rtn_b64" DsSem::Exchange2 { size: 8, stride: 1 };
        DS_WRXCHG2ST64_RTN_B64 = 111 "ds_wrxchg2st64_rtn_b64" DsSem::Exchange2 { size: 8, stride: 64 };
        DS_CMPST_RTN_B64 = 112 "ds_cmpst_rtn_b64" DsSem::Atomic { op: CompareSwap, size: 8, returns: true };
        DS_CMPST_RTN_F64 = 113 "ds_cmpst_rtn_f64" DsSem::Atomic { op: FCompareSwap, size: 8, returns: true };
        DS_MIN_RTN_F64 = 114 "ds_min_rtn_f64" DsSem::Atomic { op: FMin, size: 8, returns: true };
        DS_MAX_RTN_F64 = 115 "ds_max_rtn_f64" DsSem::Atomic { op: FMax, size: 8, returns: true };
        DS_READ_B64 = 118 "ds_read_b64" DsSem::Read(Access::B64);
        DS_READ2_B64 = 119 "ds_read2_b64" DsSem::Read2 { size: 8, stride: 1 };
        DS_READ2ST64_B64 = 120 "ds_read2st64_b64" DsSem::Read2 { size: 8, stride: 64 };
        DS_ADD_SRC2_U32 = 128 "ds_add_src2_u32" DsSem::Src2 { op: Add, size: 4 };
        DS_SUB_SRC2_U32 = 129 "ds_sub_src2_u32" DsSem::Src2 { op: Sub, size: 4 };
        DS_RSUB_SRC2_U32 = 130 "ds_rsub_src2_u32" DsSem::Src2 { op: RSub, size: 4 };
        DS_INC_SRC2_U32 = 131 "ds_inc_src2_u32" DsSem::Src2 { op: Inc, size: 4 };
        DS_DEC_SRC2_U32 = 132 "ds_dec_src2_u32" DsSem::Src2 { op: Dec, size: 4 };
        DS_MIN_SRC2_I32 = 133 "ds_min_src2_i32" DsSem::Src2 { op: SMin, size: 4 };
        DS_MAX_SRC2_I32 = 134 "ds_max_src2_i32" DsSem::Src2 { op: SMax, size: 4 };
        DS_MIN_SRC2_U32 = 135 "ds_min_src2_u32" DsSem::Src2 { op: UMin, size: 4 };
        DS_MAX_SRC2_U32 = 136 "ds_max_src2_u32" DsSem::Src2 { op: UMax, size: 4 };
        DS_AND_SRC2_B32 = 137 "ds_and_src2_b32" DsSem::Src2 { op: And, size: 4 };
        DS_OR_SRC2_B32 = 138 "ds_or_src2_b32" DsSem::Src2 { op: Or, size: 4 };
        DS_XOR_SRC2_B32 = 139 "ds_xor_src2_b32" DsSem::Src2 { op: Xor, size: 4 };
        DS_WRITE_SRC2_B32 = 140 "ds_write_src2_b32" DsSem::Src2 { op: Swap, size: 4 };
        DS_WRITE_SRC2_B32_ALT = 141 "ds_write_src2_b32_alt" DsSem::Src2 { op: Swap, size: 4 };
        DS_MIN_SRC2_F32 = 146 "ds_min_src2_f32" DsSem::Src2 { op: FMin, size: 4 };
        DS_MAX_SRC2_F32 = 147 "ds_max_src2_f32" DsSem::Src2 { op: FMax, size: 4 };
        DS_ADD_SRC2_U64 = 192 "ds_add_src2_u64" DsSem::Src2 { op: Add, size: 8 };
        DS_SUB_SRC2_U64 = 193 "ds_sub_src2_u64" DsSem::Src2 { op: Sub, size: 8 };
        DS_RSUB_SRC2_U64 = 194 "ds_rsub_src2_u64" DsSem::Src2 { op: RSub, size: 8 };
        DS_INC_SRC2_U64 = 195 "ds_inc_src2_u64" DsSem::Src2 { op: Inc, size: 8 };
        DS_DEC_SRC2_U64 = 196 "ds_dec_src2_u64" DsSem::Src2 { op: Dec, size: 8 };
        DS_MIN_SRC2_I64 = 197 "ds_min_src2_i64" DsSem::Src2 { op: SMin, size: 8 };
        DS_MAX_SRC2_I64 = 198 "ds_max_src2_i64" DsSem::Src2 { op: SMax, size: 8 };
        DS_MIN_SRC2_U64 = 199 "ds_min_src2_u64" DsSem::Src2 { op: UMin, size: 8 };
        DS_MAX_SRC2_U64 = 200 "ds_max_src2_u64" DsSem::Src2 { op: UMax, size: 8 };
        DS_AND_SRC2_B64 = 201 "ds_and_src2_b64" DsSem::Src2 { op: And, size: 8 };
        DS_OR_SRC2_B64 = 202 "ds_or_src2_b64" DsSem::Src2 { op: Or, size: 8 };
        DS_XOR_SRC2_B64 = 203 "ds_xor_src2_b64" DsSem::Src2 { op: Xor, size: 8 };
        DS_WRITE_SRC2_B64 = 204 "ds_write_src2_b64" DsSem::Src2 { op: Swap, size: 8 };
        DS_WRITE_SRC2_B64_ALT = 205 "ds_write_src2_b64_alt" DsSem::Src2 { op: Swap, size: 8 };
        DS_MIN_SRC2_F64 = 210 "ds_min_src2_f64" DsSem::Src2 { op: FMin, size: 8 };
        DS_MAX_SRC2_F64 = 211 "ds_max_src2_f64" DsSem::Src2 { op: FMax, size: 8 };
    }
}

isa::ops! {
    /// MUBUF: untyped buffer access. [SI 12.13]
    pub enum MubufOp: BufferSem {
        BUFFER_LOAD_FORMAT_X = 0 "buffer_load_format_x" BufferSem::LoadFormat(1);
        BUFFER_LOAD_FORMAT_XY = 1 "buffer_load_format_xy" BufferSem::LoadFormat(2);
        BUFFER_LOAD_FORMAT_XYZ = 2 "buffer_load_format_xyz" BufferSem::LoadFormat(3);
        BUFFER_LOAD_FORMAT_XYZW = 3 "buffer_load_format_xyzw" BufferSem::LoadFormat(4);
        BUFFER_STORE_FORMAT_X = 4 "buffer_store_format_x" BufferSem::StoreFormat(1);
        BUFFER_STORE_FORMAT_XY = 5 "buffer_store_format_xy" BufferSem::StoreFormat(2);
        BUFFER_STORE_FORMAT_XYZ = 6 "buffer_store_format_xyz" BufferSem::StoreFormat(3);
        BUFFER_STORE_FORMAT_XYZW = 7 "buffer_store_format_xyzw" BufferSem::StoreFormat(4);
        BUFFER_LOAD_UBYTE = 8 "buffer_load_ubyte" BufferSem::Load(Access::U8);
        BUFFER_LOAD_SBYTE = 9 "buffer_load_sbyte" BufferSem::Load(Access::I8);
        BUFFER_LOAD_USHORT = 10 "buffer_load_ushort" BufferSem::Load(Access::U16);
        BUFFER_LOAD_SSHORT = 11 "buffer_load_sshort" BufferSem::Load(Access::I16);
        BUFFER_LOAD_DWORD = 12 "buffer_load_dword" BufferSem::Load(Access::B32);
        BUFFER_LOAD_DWORDX2 = 13 "buffer_load_dwordx2" BufferSem::Load(Access::B64);
        BUFFER_LOAD_DWORDX4 = 14 "buffer_load_dwordx4" BufferSem::Load(Access::B128);
        BUFFER_STORE_BYTE = 24 "buffer_store_byte" BufferSem::Store(Access::U8);
        BUFFER_STORE_SHORT = 26 "buffer_store_short" BufferSem::Store(Access::U16);
        BUFFER_STORE_DWORD = 28 "buffer_store_dword" BufferSem::Store(Access::B32);
        BUFFER_STORE_DWORDX2 = 29 "buffer_store_dwordx2" BufferSem::Store(Access::B64);
        BUFFER_STORE_DWORDX4 = 30 "buffer_store_dwordx4" BufferSem::Store(Access::B128);
        BUFFER_ATOMIC_SWAP = 48 "buffer_atomic_swap" BufferSem::Atomic { op: Swap, size: 4 };
        BUFFER_ATOMIC_CMPSWAP = 49 "buffer_atomic_cmpswap" BufferSem::Atomic { op: CompareSwap, size: 4 };
        BUFFER_ATOMIC_ADD = 50 "buffer_atomic_add" BufferSem::Atomic { op: Add, size: 4 };
        BUFFER_ATOMIC_SUB = 51 "buffer_atomic_sub" BufferSem::Atomic { op: Sub, size: 4 };
        BUFFER_ATOMIC_RSUB = 52 "buffer_atomic_rsub" BufferSem::Atomic { op: RSub, size: 4 };
        BUFFER_ATOMIC_SMIN = 53 "buffer_atomic_smin" BufferSem::Atomic { op: SMin, size: 4 };
        BUFFER_ATOMIC_UMIN = 54 "buffer_atomic_umin" BufferSem::Atomic { op: UMin, size: 4 };
        BUFFER_ATOMIC_SMAX = 55 "buffer_atomic_smax" BufferSem::Atomic { op: SMax, size: 4 };
        BUFFER_ATOMIC_UMAX = 56 "buffer_atomic_umax" BufferSem::Atomic { op: UMax, size: 4 };
        BUFFER_ATOMIC_AND = 57 "buffer_atomic_and" BufferSem::Atomic { op: And, size: 4 };
        BUFFER_ATOMIC_OR = 58 "buffer_atomic_or" BufferSem::Atomic { op: Or, size: 4 };
        BUFFER_ATOMIC_XOR = 59 "buffer_atomic_xor" BufferSem::Atomic { op: Xor, size: 4 };
        BUFFER_ATOMIC_INC = 60 "buffer_atomic_inc" BufferSem::Atomic { op: Inc, size: 4 };
        BUFFER_ATOMIC_DEC = 61 "buffer_atomic_dec" BufferSem::Atomic { op: Dec, size: 4 };
        BUFFER_ATOMIC_FCMPSWAP = 62 "buffer_atomic_fcmpswap" BufferSem::Atomic { op: FCompareSwap, size: 4 };
        BUFFER_ATOMIC_FMIN = 63 "buffer_atomic_fmin" BufferSem::Atomic { op: FMin, size: 4 };
        BUFFER_ATOMIC_FMAX = 64 "buffer_atomic_fmax" BufferSem::Atomic { op: FMax, size: 4 };
        BUFFER_ATOMIC_SWAP_X2 = 80 "buffer_atomic_swap_x2" BufferSem::Atomic { op: Swap, size: 8 };
        BUFFER_ATOMIC_CMPSWAP_X2 = 81 "buffer_atomic_cmpswap_x2" BufferSem::Atomic { op: CompareSwap, size: 8 };
        BUFFER_ATOMIC_ADD_X2 = 82 "buffer_atomic_add_x2" BufferSem::Atomic { op: Add, size: 8 };
        BUFFER_ATOMIC_SUB_X2 = 83 "buffer_atomic_sub_x2" BufferSem::Atomic { op: Sub, size: 8 };
        BUFFER_ATOMIC_RSUB_X2 = 84 "buffer_atomic_rsub_x2" BufferSem::Atomic { op: RSub, size: 8 };
        BUFFER_ATOMIC_SMIN_X2 = 85 "buffer_atomic_smin_x2" BufferSem::Atomic { op: SMin, size: 8 };
        BUFFER_ATOMIC_UMIN_X2 = 86 "buffer_atomic_umin_x2" BufferSem::Atomic { op: UMin, size: 8 };
        BUFFER_ATOMIC_SMAX_X2 = 87 "buffer_atomic_smax_x2" BufferSem::Atomic { op: SMax, size: 8 };
        BUFFER_ATOMIC_UMAX_X2 = 88 "buffer_atomic_umax_x2" BufferSem::Atomic { op: UMax, size: 8 };
        BUFFER_ATOMIC_AND_X2 = 89 "buffer_atomic_and_x2" BufferSem::Atomic { op: And, size: 8 };
        BUFFER_ATOMIC_OR_X2 = 90 "buffer_atomic_or_x2" BufferSem::Atomic { op: Or, size: 8 };
        BUFFER_ATOMIC_XOR_X2 = 91 "buffer_atomic_xor_x2" BufferSem::Atomic { op: Xor, size: 8 };
        BUFFER_ATOMIC_INC_X2 = 92 "buffer_atomic_inc_x2" BufferSem::Atomic { op: Inc, size: 8 };
        BUFFER_ATOMIC_DEC_X2 = 93 "buffer_atomic_dec_x2" BufferSem::Atomic { op: Dec, size: 8 };
        BUFFER_ATOMIC_FCMPSWAP_X2 = 94 "buffer_atomic_fcmpswap_x2" BufferSem::Atomic { op: FCompareSwap, size: 8 };
        BUFFER_ATOMIC_FMIN_X2 = 95 "buffer_atomic_fmin_x2" BufferSem::Atomic { op: FMin, size: 8 };
        BUFFER_ATOMIC_FMAX_X2 = 96 "buffer_atomic_fmax_x2" BufferSem::Atomic { op: FMax, size: 8 };
        BUFFER_WBINVL1_SC = 112 "buffer_wbinvl1_sc" BufferSem::Invalidate;
        BUFFER_WBINVL1 = 113 "buffer_wbinvl1" BufferSem::Invalidate;
    }
}

isa::ops! {
    /// MTBUF: typed buffer access. [SI 12.14]
    pub enum MtbufOp: BufferSem {
        TBUFFER_LOAD_FORMAT_X = 0 "tbuffer_load_format_x" BufferSem::LoadFormat(1);
        TBUFFER_LOAD_FORMAT_XY = 1 "tbuffer_load_format_xy" BufferSem::LoadFormat(2);
        TBUFFER_LOAD_FORMAT_XYZ = 2 "tbuffer_load_format_xyz" BufferSem::LoadFormat(3);
        TBUFFER_LOAD_FORMAT_XYZW = 3 "tbuffer_load_format_xyzw" BufferSem::LoadFormat(4);
        TBUFFER_STORE_FORMAT_X = 4 "tbuffer_store_format_x" BufferSem::StoreFormat(1);
        TBUFFER_STORE_FORMAT_XY = 5 "tbuffer_store_format_xy" BufferSem::StoreFormat(2);
        TBUFFER_STORE_FORMAT_XYZ = 6 "tbuffer_store_format_xyz" BufferSem::StoreFormat(3);
        TBUFFER_STORE_FORMAT_XYZW = 7 "tbuffer_store_format_xyzw" BufferSem::StoreFormat(4);
    }
}
