//! The words of an instruction. [R5XX 7.5.9]

isa::word! {
    /// Opcode and destination. [R5XX PVS_OP_DST_OPERAND]
    pub struct Dst: u32 where {
        addr_mode_0:  bool [31:31],
        addr_sel:     u8   [30:29],
        dual_math_op: bool [28:28],
        pred_sense:   bool [27:27],
        pred_enable:  bool [26:26],
        me_sat:       bool [25:25],
        ve_sat:       bool [24:24],
        we:           u8   [23:20],
        offset:       u8   [19:13],
        addr_mode_1:  bool [12:12],
        reg_type:     u8   [11:8],
        macro_inst:   bool [7:7],
        math_inst:    bool [6:6],
        opcode:       u8   [5:0],
    }
}

isa::word! {
    /// A source. [R5XX PVS_SRC_OPERAND]
    pub struct Src: u32 where {
        addr_mode_1: bool [31:31],
        addr_sel:    u8   [30:29],
        modifier:    u8   [28:25],
        swizzle_w:   u8   [24:22],
        swizzle_z:   u8   [21:19],
        swizzle_y:   u8   [18:16],
        swizzle_x:   u8   [15:13],
        offset:      u8   [12:5],
        addr_mode_0: bool [4:4],
        abs_xyzw:    bool [3:3],
        spare:       bool [2:2],
        reg_type:    u8   [1:0],
    }
}

isa::word! {
    /// The math operation of a dual instruction, in place of the third source. [R5XX 7.5.6]
    pub struct Dual: u32 where {
        addr_mode_1: bool [31:31],
        addr_sel:    u8   [30:29],
        we_sel:      u8   [28:27],
        modifier_y:  bool [26:26],
        modifier_x:  bool [25:25],
        opcode:      u8   [24:21],
        dst_offset:  u8   [20:19],
        swizzle_y:   u8   [18:16],
        swizzle_x:   u8   [15:13],
        offset:      u8   [12:5],
        addr_mode_0: bool [4:4],
        abs_xyzw:    bool [3:3],
        opcode_msb:  bool [2:2],
        reg_type:    u8   [1:0],
    }
}

isa::word! {
    /// VAP_PVS_FLOW_CNTL_ADDRS_LW: where a slot acts and where it goes, or how often. [R5XX 7.5.5]
    pub struct FlowLow: u32 where { count_or_target: u16 [31:16], act_adrs: u16 [15:0] }
}

isa::word! {
    /// VAP_PVS_FLOW_CNTL_ADDRS_UW. [R5XX 7.5.5]
    pub struct FlowHigh: u32 where { rtn_inst: u16 [31:16], last_inst: u16 [15:0] }
}

isa::word! {
    /// VAP_PVS_FLOW_CNTL_LOOP_INDEX. [R5XX 7.5.5]
    pub struct LoopIndex: u32 where {
        repeat_no_fli: bool [31:31],
        reserved:      u16  [30:16],
        step:          i8   [15:8],
        init:          u8   [7:0],
    }
}
