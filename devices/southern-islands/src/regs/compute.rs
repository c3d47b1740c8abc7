//! Registers of compute dispatches. They lie in the space of shader registers.

use radeon::r6xx::regs::*;

use super::spi::{BaseHi, SpiTmpringSize};

radeon::registers! {
    pub(super) TABLE:
    /// Starts a dispatch; the last word of its packet.
    COMPUTE_DISPATCH_INITIATOR: ComputeDispatchInitiator = 0x0b800;
    /// Group behind the last in x, or threads: USE_THREAD_DIMENSIONS.
    COMPUTE_DIM_X = 0x0b804;
    COMPUTE_DIM_Y = 0x0b808;
    COMPUTE_DIM_Z = 0x0b80c;
    /// First group.
    COMPUTE_START_X = 0x0b810;
    COMPUTE_START_Y = 0x0b814;
    COMPUTE_START_Z = 0x0b818;
    /// Threads of a group in x.
    COMPUTE_NUM_THREAD_X: ComputeNumThread = 0x0b81c;
    COMPUTE_NUM_THREAD_Y: ComputeNumThread = 0x0b820;
    COMPUTE_NUM_THREAD_Z: ComputeNumThread = 0x0b824;
    /// Most waves at a time; kept, as waves are not timed.
    COMPUTE_MAX_WAVE_ID = 0x0b82c;
    COMPUTE_PGM_LO: Base256b = 0x0b830;
    COMPUTE_PGM_HI: BaseHi = 0x0b834;
    /// Trap handler; the same of its memory (TMA) follows.
    COMPUTE_TBA_LO: Base256b = 0x0b838;
    COMPUTE_TBA_HI: BaseHi = 0x0b83c;
    COMPUTE_TMA_LO: Base256b = 0x0b840;
    COMPUTE_TMA_HI: BaseHi = 0x0b844;
    COMPUTE_PGM_RSRC1: ComputePgmRsrc1 = 0x0b848;
    COMPUTE_PGM_RSRC2: ComputePgmRsrc2 = 0x0b84c;
    /// Address space; there is one.
    COMPUTE_VMID = 0x0b850;
    /// How many waves and groups run at a time; kept, as waves are not timed.
    COMPUTE_RESOURCE_LIMITS = 0x0b854;
    /// Compute units that waves may run on; kept, as all give the same.
    COMPUTE_STATIC_THREAD_MGMT_SE0 = 0x0b858;
    COMPUTE_STATIC_THREAD_MGMT_SE1 = 0x0b85c;
    /// Scratch memory.
    COMPUTE_TMPRING_SIZE: SpiTmpringSize = 0x0b860;
    /// First user SGPR.
    COMPUTE_USER_DATA_0 = 0x0b900 [16; 4];
}

isa::word! {
    /// COMPUTE_DISPATCH_INITIATOR.
    pub struct ComputeDispatchInitiator: u32 where {
        reserved_15: u32 [31:15],
        restore: bool [14:14],
        reserved_13: bool [13:13],
        data_atc: bool [12:12],
        vector_l1_inv_vol: bool [11:11],
        scalar_l1_inv_vol: bool [10:10],
        dispatch_cache_cntl: u8 [9:7],
        order_mode: bool [6:6],
        use_thread_dimensions: bool [5:5],
        ordered_append_mode: bool [4:4],
        ordered_append_enbl: bool [3:3],
        force_start_at_000: bool [2:2],
        partial_tg_en: bool [1:1],
        compute_shader_en: bool [0:0],
    }
}

isa::word! {
    /// COMPUTE_NUM_THREAD_X, _Y and _Z.
    pub struct ComputeNumThread: u32 where {
        num_thread_partial: u16 [31:16],
        num_thread_full: u16 [15:0],
    }
}

isa::word! {
    /// COMPUTE_PGM_RSRC1.
    pub struct ComputePgmRsrc1: u32 where {
        reserved_24: u8 [31:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// COMPUTE_PGM_RSRC2.
    pub struct ComputePgmRsrc2: u32 where {
        reserved_31: bool [31:31],
        excp_en: u8 [30:24],
        lds_size: u16 [23:15],
        reserved_13: u8 [14:13],
        tidig_comp_cnt: u8 [12:11],
        tg_size_en: bool [10:10],
        tgid_z_en: bool [9:9],
        tgid_y_en: bool [8:8],
        tgid_x_en: bool [7:7],
        trap_present: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}
