//! The words of an instruction, in the order in which they are uploaded. [R5XX 8.8]

isa::word! {
    /// What all instructions have. [R5XX US_CMN_INST]
    pub struct Cmn: u32 where {
        stat_we:        u8   [31:28],
        alpha_pred_sel: u8   [27:25],
        alu_result_op:  u8   [24:23],
        alpha_pred_inv: bool [22:22],
        alu_result_sel: bool [21:21],
        alpha_clamp:    bool [20:20],
        rgb_clamp:      bool [19:19],
        alpha_omask:    bool [18:18],
        rgb_omask:      u8   [17:15],
        alpha_wmask:    bool [14:14],
        rgb_wmask:      u8   [13:11],
        alu_wait:       bool [10:10],
        nop:            bool [9:9],
        last:           bool [8:8],
        write_inactive: bool [7:7],
        rgb_pred_inv:   bool [6:6],
        rgb_pred_sel:   u8   [5:3],
        tex_sem_wait:   bool [2:2],
        ty:             u8   [1:0],
    }
}

isa::word! {
    /// The three sources of one half. [R5XX US_ALU_RGB_ADDR, US_ALU_ALPHA_ADDR]
    pub struct Addr: u32 where {
        srcp_op:     u8   [31:30],
        addr2_rel:   bool [29:29],
        addr2_const: bool [28:28],
        addr2:       u8   [27:20],
        addr1_rel:   bool [19:19],
        addr1_const: bool [18:18],
        addr1:       u8   [17:10],
        addr0_rel:   bool [9:9],
        addr0_const: bool [8:8],
        addr0:       u8   [7:0],
    }
}

isa::word! {
    /// A and B of the colour half. [R5XX US_ALU_RGB_INST]
    pub struct RgbInst: u32 where {
        alu_wmask:    bool [31:31],
        target:       u8   [30:29],
        omod:         u8   [28:26],
        mod_b:        u8   [25:24],
        blue_swiz_b:  u8   [23:21],
        green_swiz_b: u8   [20:18],
        red_swiz_b:   u8   [17:15],
        sel_b:        u8   [14:13],
        mod_a:        u8   [12:11],
        blue_swiz_a:  u8   [10:8],
        green_swiz_a: u8   [7:5],
        red_swiz_a:   u8   [4:2],
        sel_a:        u8   [1:0],
    }
}

isa::word! {
    /// A, B and the rest of the alpha half. [R5XX US_ALU_ALPHA_INST]
    pub struct AlphaInst: u32 where {
        w_omask:   bool [31:31],
        target:    u8   [30:29],
        omod:      u8   [28:26],
        mod_b:     u8   [25:24],
        swiz_b:    u8   [23:21],
        sel_b:     u8   [20:19],
        mod_a:     u8   [18:17],
        swiz_a:    u8   [16:14],
        sel_a:     u8   [13:12],
        addrd_rel: bool [11:11],
        addrd:     u8   [10:4],
        op:        u8   [3:0],
    }
}

isa::word! {
    /// C of both halves and the rest of the colour half. [R5XX US_ALU_RGBA_INST]
    pub struct RgbaInst: u32 where {
        alpha_mod_c:  u8   [31:30],
        alpha_swiz_c: u8   [29:27],
        alpha_sel_c:  u8   [26:25],
        rgb_mod_c:    u8   [24:23],
        blue_swiz_c:  u8   [22:20],
        green_swiz_c: u8   [19:17],
        red_swiz_c:   u8   [16:14],
        rgb_sel_c:    u8   [13:12],
        addrd_rel:    bool [11:11],
        addrd:        u8   [10:4],
        op:           u8   [3:0],
    }
}

isa::word! {
    /// What is looked up where. [R5XX US_TEX_INST]
    pub struct TexInst: u32 where {
        reserved_high:    u8   [31:28],
        unscaled:         bool [27:27],
        ignore_uncovered: bool [26:26],
        tex_sem_acquire:  bool [25:25],
        inst:             u8   [24:22],
        reserved_mid:     u8   [21:20],
        tex_id:           u8   [19:16],
        reserved_low:     u16  [15:0],
    }
}

isa::word! {
    /// Two registers with swizzles. [R5XX US_TEX_ADDR, US_TEX_ADDR_DXDY]
    pub struct TexAddr: u32 where {
        high_swiz: u8   [31:24],
        high_rel:  bool [23:23],
        high_addr: u8   [22:16],
        low_swiz:  u8   [15:8],
        low_rel:   bool [7:7],
        low_addr:  u8   [6:0],
    }
}

isa::word! {
    /// What flow control does. [R5XX US_FC_INST]
    pub struct FcInst: u32 where {
        reserved_high:    u8   [31:29],
        ignore_uncovered: bool [28:28],
        b_op1:            u8   [27:26],
        b_op0:            u8   [25:24],
        reserved_mid:     u8   [23:21],
        b_pop_cnt:        u8   [20:16],
        jump_func:        u8   [15:8],
        a_op:             u8   [7:6],
        jump_any:         bool [5:5],
        b_else:           bool [4:4],
        reserved_low:     bool [3:3],
        op:               u8   [2:0],
    }
}

isa::word! {
    /// Its constants and its target. [R5XX US_FC_ADDR]
    pub struct FcAddr: u32 where {
        jump_global:   bool [31:31],
        reserved_high: u8   [30:25],
        jump_addr:     u16  [24:16],
        reserved_mid:  u8   [15:13],
        int_addr:      u8   [12:8],
        reserved_low:  u8   [7:5],
        bool_addr:     u8   [4:0],
    }
}
