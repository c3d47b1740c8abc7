//! Special constants and special registers by number. [Rogue 6]

/// 32 to 63: outputs, internal and special registers. 96 to 127: special registers. Both read as zero here.
const VALUES: [u32; 160] = values();

/// Powers of two from 2^1 on, then from 2^-1 down.
const POWERS: (i32, i32) = (10, -14);

/// 89 to 95: e, 1/e, roots, parts of pi.
const CIRCLE: [u32; 7] = [
    0x402d_f854,
    0x3ebc_5ab2,
    0x3fb5_04f3,
    0x3f35_04f3,
    0x3f49_0fdb,
    0x3fc9_0fdb,
    0x4049_0fdb,
];

/// 128 to 159.
const UPPER: [u32; 32] = [
    0x3ea2_f983,
    0x3f22_f983,
    0x3fa2_f983,
    0x40c9_0fdb,
    0x4149_0fdb,
    0x41c9_0fdb,
    0x3780_0000,
    0x3800_0000,
    0x3b4d_2e1c,
    0x414e_b852,
    0x3ed5_5555,
    0x3f87_0a3d,
    0x3d61_47ae,
    0x8000_0000,
    0x7f80_0000,
    0xffff_ffff,
    0x7fff_7fff,
    0x3e9a_209b,
    0x3f31_7218,
    0x0000_007f,
    0x7f7f_ffff,
    0x4b00_0000,
    0x4b80_0000,
    0x3f86_0a92,
    0x3eaa_aaab,
    0x3e2a_aaab,
    0x4054_9a78,
    0x3fb8_aa3b,
    0x3d25_aee6,
    0x3d9e_8391,
    0x3f72_a76f,
    0x4019_999a,
];

const fn power(exponent: i32) -> u32 {
    ((exponent + 127) as u32) << 23
}

const fn values() -> [u32; 160] {
    let mut values = [0; 160];
    let mut n = 0;
    while n < 32 {
        values[n] = n as u32;
        values[128 + n] = UPPER[n];
        n += 1;
    }
    let mut exponent = 0;
    while exponent <= POWERS.0 {
        values[64 + exponent as usize] = power(exponent);
        exponent += 1;
    }
    let mut exponent = -1;
    while exponent >= POWERS.1 {
        values[74 + -exponent as usize] = power(exponent);
        exponent -= 1;
    }
    let mut n = 0;
    while n < 7 {
        values[89 + n] = CIRCLE[n];
        n += 1;
    }
    values
}

/// A special constant; zero for numbers of registers and for those that are nothing.
pub fn constant(number: u16) -> u32 {
    VALUES.get(usize::from(number)).copied().unwrap_or(0)
}

isa::ops! {
    /// Special registers that stages fill; the meaning is whether programs may write them.
    pub enum SpecialRegister: bool {
        FACE_ORIENT = 44 "face_orient" false;
        CLUSTER_NUM = 45 "cluster_num" false;
        OUTPUT_PART = 46 "output_part" false;
        TASK_ID = 47 "task_id" false;
        SLOT_NUM = 48 "slot_num" false;
        TILE_X_PIX = 49 "tile_x_pix" false;
        TILE_Y_PIX = 50 "tile_y_pix" false;
        INST_NUM = 51 "inst_num" false;
        DM_TASK_TYPE = 52 "dm_task_type" false;
        SAMP_NUM = 53 "samp_num" false;
        TILED_LD_COMP0 = 54 "tiled_ld_comp0" false;
        TILED_LD_COMP1 = 55 "tiled_ld_comp1" false;
        TILED_LD_COMP2 = 56 "tiled_ld_comp2" false;
        TILED_LD_COMP3 = 57 "tiled_ld_comp3" false;
        TILED_ST_COMP0 = 58 "tiled_st_comp0" false;
        TILED_ST_COMP1 = 59 "tiled_st_comp1" false;
        TILED_ST_COMP2 = 60 "tiled_st_comp2" false;
        TILED_ST_COMP3 = 61 "tiled_st_comp3" false;
        BATCH_NUM = 62 "batch_num" false;
        INST_VALID = 63 "inst_valid" false;
        TILE_XY = 96 "tile_xy" false;
        X_P = 97 "x_p" false;
        X_S = 98 "x_s" false;
        Y_P = 100 "y_p" false;
        Y_S = 101 "y_s" false;
        WG_ID = 102 "wg_id" false;
        SH_ALLOC_SIZE = 103 "sh_alloc_size" false;
        GLOBAL0 = 104 "global0" true;
        GLOBAL1 = 105 "global1" true;
        GLOBAL2 = 106 "global2" true;
        GLOBAL3 = 107 "global3" true;
        GLOBAL4 = 108 "global4" true;
        GLOBAL5 = 109 "global5" true;
        GLOBAL6 = 110 "global6" true;
        GLOBAL7 = 111 "global7" true;
        LOCAL_ADDR_INST_NUM = 112 "local_addr_inst_num" false;
        TILE_X_P = 114 "tile_x_p" false;
        TILE_X_S = 115 "tile_x_s" false;
        TILE_Y_P = 116 "tile_y_p" false;
        TILE_Y_S = 117 "tile_y_s" false;
        RENDER_TGT_ID = 118 "render_tgt_id" false;
        TILED_LD_COMP4 = 119 "tiled_ld_comp4" false;
        TILED_LD_COMP5 = 120 "tiled_ld_comp5" false;
        TILED_LD_COMP6 = 121 "tiled_ld_comp6" false;
        TILED_LD_COMP7 = 122 "tiled_ld_comp7" false;
        TILED_ST_COMP4 = 123 "tiled_st_comp4" false;
        TILED_ST_COMP5 = 124 "tiled_st_comp5" false;
        TILED_ST_COMP6 = 125 "tiled_st_comp6" false;
        TILED_ST_COMP7 = 126 "tiled_st_comp7" false;
        GPU_OFFSET = 127 "gpu_offset" false;
        TIMER_80NS = 160 "timer_80ns" false;
    }
}
