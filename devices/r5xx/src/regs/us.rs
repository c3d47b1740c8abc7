//! Registers of US: fragment programs and their outputs.

super::registers! {
    pub(super) TABLE:
    US_CONFIG = 0x4600 {
        RESERVED_0 [0:0] = 0x0 "reserved",
        ZERO_TIMES_ANYTHING_EQUALS_ZERO [1:1] = 0x0 "1 = SM1 multiply (0*x=0 even for Inf/NaN)",
    }
    US_PIXSIZE = 0x4604 {
        PIX_SIZE [6:0] = 0x0 "temp registers per pixel; documented range 1:128 in 7 bits (encode count-1; see 8.6)",
    }
    US_FC_BOOL_CONST = 0x4620 {
        KBOOL [31:0] = 0x0 "32 boolean constants, bit n = constant n",
    }
    US_FC_CTRL = 0x4624 {
        TEST_EN [30:30] = 0x0 "no hardware effect",
        FULL_FC_EN [31:31] = 0x0 "1 = full flow control (loops, calls, depth 32); 0 = partial",
    }
    US_CODE_ADDR = 0x4630 {
        START_ADDR [8:0] = 0x0 "first instruction, relative to OFFSET_ADDR",
        END_ADDR [24:16] = 0x0 "last instruction, relative to OFFSET_ADDR; always terminates",
    }
    US_CODE_RANGE = 0x4634 {
        CODE_ADDR [8:0] = 0x0 "absolute start of the code window",
        CODE_SIZE [24:16] = 0x0 "window size minus 1",
    }
    US_CODE_OFFSET = 0x4638 {
        OFFSET_ADDR [8:0] = 0x0 "added to relative instruction addresses (mod 512)",
    }
    US_FORMAT0 "US_FORMAT0_[0-15]" = 0x4640 [16; 4] {
        TXWIDTH [10:0] = 0x0 "texture width-1 low bits for coordinate scaling in US",
        TXHEIGHT [21:11] = 0x0 "texture height-1 low bits for coordinate scaling in US",
        TXDEPTH [25:22] = 0x0 "log2 depth; 13 = width>2048;14 = height>2048;15 = both",
    }
    US_OUT_FMT "US_OUT_FMT_[0-3]" = 0x46a4 [4; 4] {
        OUT_FMT [4:0] = 0x0 "0 C4_8;1 C4_10;2 C4_10_GAMMA;3 C_16;4 C2_16;5 C4_16;6 C_16_MPEG;7 C2_16_MPEG;8 C2_4;9 C_3_3_2;10 C_6_5_6;11 C_11_11_10;12 C_10_11_11;13 C_2_10_10_10;15 unused;16 C_16_FP;17 C2_16_FP;18 C4_16_FP;19 C_32_FP;20 C2_32_FP;21 C4_32_FP",
        C0_SEL [9:8] = 0x0 "output component 0 takes: 0 A;1 R;2 G;3 B",
        C1_SEL [11:10] = 0x0 "output component 1 takes: 0 A;1 R;2 G;3 B",
        C2_SEL [13:12] = 0x0 "output component 2 takes: 0 A;1 R;2 G;3 B",
        C3_SEL [15:14] = 0x0 "output component 3 takes: 0 A;1 R;2 G;3 B",
        OUT_SIGN [19:16] = 0x0 "per-component signed flags",
        ROUND_ADJ [20:20] = 0x0 "0 normal;1 modified rounding of fixed-point output",
    }
    US_W_FMT = 0x46b4 {
        W_FMT [1:0] = 0x0 "0 always zero;1 24-bit fixed;2 24-bit float (sortable)",
        W_SRC [2:2] = 0x0 "0 shader;1 rasteriser",
    }
    US_FC_INT_CONST "US_FC_INT_CONST_[0-31]" = 0x4c00 [32; 4] {
        KR [7:0] = 0x0 "loop count 0-255",
        KG [15:8] = 0x0 "aL initial value 0-255",
        KB [23:16] = 0x0 "aL step, signed 8-bit -128..127",
    }
    US_ALU_RGB_ADDR "US_ALU_RGB_ADDR_[0-511]" = 0x9000 [512; 4] {
        ADDR0 [7:0] = 0x0 "source 0 address: temp 0-127, constant 0-255 if CONST, or inline 4e3m float when bit7=1 and CONST=0",
        ADDR0_CONST [8:8] = 0x0 "source 0: 1 = constant bank; 0 = temp or inline",
        ADDR0_REL [9:9] = 0x0 "source 0: 1 = add aL",
        ADDR1 [17:10] = 0x0 "source 1 address: temp 0-127, constant 0-255 if CONST, or inline 4e3m float when bit7=1 and CONST=0",
        ADDR1_CONST [18:18] = 0x0 "source 1: 1 = constant bank; 0 = temp or inline",
        ADDR1_REL [19:19] = 0x0 "source 1: 1 = add aL",
        ADDR2 [27:20] = 0x0 "source 2 address: temp 0-127, constant 0-255 if CONST, or inline 4e3m float when bit7=1 and CONST=0",
        ADDR2_CONST [28:28] = 0x0 "source 2: 1 = constant bank; 0 = temp or inline",
        ADDR2_REL [29:29] = 0x0 "source 2: 1 = add aL",
        SRCP_OP [31:30] = 0x0 "presubtract: 0 1-2*src0;1 src1-src0;2 src1+src0;3 1-src0",
    }
    US_TEX_INST "US_TEX_INST_[0-511]" = 0x9000 [512; 4] {
        TEX_ID [19:16] = 0x0 "texture unit 0-15",
        INST [24:22] = 0x0 "0 NOP;1 LD;2 TEXKILL;3 PROJ;4 LODBIAS;5 LOD;6 DXDY",
        TEX_SEM_ACQUIRE [25:25] = 0x0 "1 = hold semaphore until result written",
        IGNORE_UNCOVERED [26:26] = 0x0 "1 = skip fetch for uncovered pixels (clear for dependent lookups)",
        UNSCALED [27:27] = 0x0 "0 = normalised coordinates; 1 = already in texels",
    }
    US_ALU_ALPHA_ADDR "US_ALU_ALPHA_ADDR_[0-511]" = 0x9800 [512; 4] {
        ADDR0 [7:0] = 0x0 "source 0 address: temp 0-127, constant 0-255 if CONST, or inline 4e3m float when bit7=1 and CONST=0",
        ADDR0_CONST [8:8] = 0x0 "source 0: 1 = constant bank; 0 = temp or inline",
        ADDR0_REL [9:9] = 0x0 "source 0: 1 = add aL",
        ADDR1 [17:10] = 0x0 "source 1 address: temp 0-127, constant 0-255 if CONST, or inline 4e3m float when bit7=1 and CONST=0",
        ADDR1_CONST [18:18] = 0x0 "source 1: 1 = constant bank; 0 = temp or inline",
        ADDR1_REL [19:19] = 0x0 "source 1: 1 = add aL",
        ADDR2 [27:20] = 0x0 "source 2 address: temp 0-127, constant 0-255 if CONST, or inline 4e3m float when bit7=1 and CONST=0",
        ADDR2_CONST [28:28] = 0x0 "source 2: 1 = constant bank; 0 = temp or inline",
        ADDR2_REL [29:29] = 0x0 "source 2: 1 = add aL",
        SRCP_OP [31:30] = 0x0 "presubtract: 0 1-2*src0;1 src1-src0;2 src1+src0;3 1-src0",
    }
    US_FC_INST "US_FC_INST_[0-511]" = 0x9800 [512; 4] {
        OP [2:0] = 0x0 "0 JUMP;1 LOOP;2 ENDLOOP;3 REP;4 ENDREP;5 BREAKLOOP;6 BREAKREP;7 CONTINUE",
        B_ELSE [4:4] = 0x0 "1 = swap active and counter-zero inactive pixels first",
        JUMP_ANY [5:5] = 0x0 "0 jump if all active want it (or none active); 1 jump if any active wants it",
        A_OP [7:6] = 0x0 "address stack if jumping: 0 none;1 pop (overrides target);2 push",
        JUMP_FUNC [15:8] = 0x0 "8-entry truth table indexed by alu_result*4+predicate*2+boolean",
        B_POP_CNT [20:16] = 0x0 "amount subtracted by DECR",
        B_OP0 [25:24] = 0x0 "branch-counter action if not jumping: 0 none;1 DECR;2 INCR",
        B_OP1 [27:26] = 0x0 "branch-counter action if jumping: 0 none;1 DECR;2 INCR",
        IGNORE_UNCOVERED [28:28] = 0x0 "1 = uncovered pixels do not vote",
    }
    US_TEX_ADDR "US_TEX_ADDR_[0-511]" = 0x9800 [512; 4] {
        SRC_ADDR [6:0] = 0x0 "coordinate temp register",
        SRC_ADDR_REL [7:7] = 0x0 "1 = add aL",
        SRC_S_SWIZ [9:8] = 0x0 "S coordinate from channel: 0 R;1 G;2 B;3 A",
        SRC_T_SWIZ [11:10] = 0x0 "T coordinate from channel: 0 R;1 G;2 B;3 A",
        SRC_R_SWIZ [13:12] = 0x0 "R coordinate from channel: 0 R;1 G;2 B;3 A",
        SRC_Q_SWIZ [15:14] = 0x0 "Q coordinate from channel: 0 R;1 G;2 B;3 A",
        DST_ADDR [22:16] = 0x0 "result temp register",
        DST_ADDR_REL [23:23] = 0x0 "1 = add aL",
        DST_R_SWIZ [25:24] = 0x0 "R of destination from returned channel: 0 R;1 G;2 B;3 A",
        DST_G_SWIZ [27:26] = 0x0 "G of destination from returned channel: 0 R;1 G;2 B;3 A",
        DST_B_SWIZ [29:28] = 0x0 "B of destination from returned channel: 0 R;1 G;2 B;3 A",
        DST_A_SWIZ [31:30] = 0x0 "A of destination from returned channel: 0 R;1 G;2 B;3 A",
    }
    US_ALU_RGB_INST "US_ALU_RGB_INST_[0-511]" = 0xa000 [512; 4] {
        RGB_SEL_A [1:0] = 0x0 "input A source: 0 src0;1 src1;2 src2;3 srcp (presubtract result)",
        RED_SWIZ_A [4:2] = 0x0 "input A red channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        GREEN_SWIZ_A [7:5] = 0x0 "input A green channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        BLUE_SWIZ_A [10:8] = 0x0 "input A blue channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        RGB_MOD_A [12:11] = 0x0 "input A modifier: 0 none;1 negate;2 abs;3 -abs",
        RGB_SEL_B [14:13] = 0x0 "input B source: 0 src0;1 src1;2 src2;3 srcp (presubtract result)",
        RED_SWIZ_B [17:15] = 0x0 "input B red channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        GREEN_SWIZ_B [20:18] = 0x0 "input B green channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        BLUE_SWIZ_B [23:21] = 0x0 "input B blue channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        RGB_MOD_B [25:24] = 0x0 "input B modifier: 0 none;1 negate;2 abs;3 -abs",
        OMOD [28:26] = 0x0 "output scale: 0 x1;1 x2;2 x4;3 x8;4 /2;5 /4;6 /8;7 bypass scale and clamp (MIN/MAX/CMP/CND only)",
        TARGET [30:29] = 0x0 "OUT: 0..3 render target A..D; ALU: predicate compare vs 0: 0 ==,1 <,2 >=,3 !=",
        ALU_WMASK [31:31] = 0x0 "1 = update the ALU-result bit",
    }
    US_FC_ADDR "US_FC_ADDR_[0-511]" = 0xa000 [512; 4] {
        BOOL_ADDR [4:0] = 0x0 "boolean constant index 0-31",
        INT_ADDR [12:8] = 0x0 "integer constant index 0-31",
        JUMP_ADDR [24:16] = 0x0 "jump target",
        JUMP_GLOBAL [31:31] = 0x0 "1 = target absolute; 0 = add OFFSET_ADDR",
    }
    US_TEX_ADDR_DXDY "US_TEX_ADDR_DXDY_[0-511]" = 0xa000 [512; 4] {
        DX_ADDR [6:0] = 0x0 "temp register with d/dx gradients",
        DX_ADDR_REL [7:7] = 0x0 "1 = add aL",
        DX_S_SWIZ [9:8] = 0x0 "S coordinate from channel: 0 R;1 G;2 B;3 A",
        DX_T_SWIZ [11:10] = 0x0 "T coordinate from channel: 0 R;1 G;2 B;3 A",
        DX_R_SWIZ [13:12] = 0x0 "R coordinate from channel: 0 R;1 G;2 B;3 A",
        DX_Q_SWIZ [15:14] = 0x0 "Q coordinate from channel: 0 R;1 G;2 B;3 A",
        DY_ADDR [22:16] = 0x0 "temp register with d/dy gradients",
        DY_ADDR_REL [23:23] = 0x0 "1 = add aL",
        DY_S_SWIZ [25:24] = 0x0 "S coordinate from channel: 0 R;1 G;2 B;3 A",
        DY_T_SWIZ [27:26] = 0x0 "T coordinate from channel: 0 R;1 G;2 B;3 A",
        DY_R_SWIZ [29:28] = 0x0 "R coordinate from channel: 0 R;1 G;2 B;3 A",
        DY_Q_SWIZ [31:30] = 0x0 "Q coordinate from channel: 0 R;1 G;2 B;3 A",
    }
    US_ALU_ALPHA_INST "US_ALU_ALPHA_INST_[0-511]" = 0xa800 [512; 4] {
        ALPHA_OP [3:0] = 0x0 "0 MAD;1 DP;2 MIN;3 MAX;5 CND;6 CMP;7 FRC;8 EX2;9 LN2;10 RCP;11 RSQ;12 SIN;13 COS;14 MDH;15 MDV",
        ALPHA_ADDRD [10:4] = 0x0 "destination temp register",
        ALPHA_ADDRD_REL [11:11] = 0x0 "1 = add aL to destination",
        ALPHA_SEL_A [13:12] = 0x0 "input A source: 0 src0;1 src1;2 src2;3 srcp (presubtract result)",
        ALPHA_SWIZ_A [16:14] = 0x0 "input A alpha channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        ALPHA_MOD_A [18:17] = 0x0 "input A modifier: 0 none;1 negate;2 abs;3 -abs",
        ALPHA_SEL_B [20:19] = 0x0 "input B source: 0 src0;1 src1;2 src2;3 srcp (presubtract result)",
        ALPHA_SWIZ_B [23:21] = 0x0 "input B alpha channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        ALPHA_MOD_B [25:24] = 0x0 "input B modifier: 0 none;1 negate;2 abs;3 -abs",
        OMOD [28:26] = 0x0 "output scale: 0 x1;1 x2;2 x4;3 x8;4 /2;5 /4;6 /8;7 bypass scale and clamp (MIN/MAX/CMP/CND only)",
        TARGET [30:29] = 0x0 "OUT: 0..3 render target A..D; ALU: predicate compare vs 0: 0 ==,1 <,2 >=,3 !=",
        W_OMASK [31:31] = 0x0 "1 = write alpha result to the depth (W) output",
    }
    US_ALU_RGBA_INST "US_ALU_RGBA_INST_[0-511]" = 0xb000 [512; 4] {
        RGB_OP [3:0] = 0x0 "0 MAD;1 DP3;2 DP4;3 D2A;4 MIN;5 MAX;7 CND;8 CMP;9 FRC;10 SOP;11 MDH;12 MDV",
        RGB_ADDRD [10:4] = 0x0 "destination temp register",
        RGB_ADDRD_REL [11:11] = 0x0 "1 = add aL to destination",
        RGB_SEL_C [13:12] = 0x0 "input C source: 0 src0;1 src1;2 src2;3 srcp (presubtract result)",
        RED_SWIZ_C [16:14] = 0x0 "input C red channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        GREEN_SWIZ_C [19:17] = 0x0 "input C green channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        BLUE_SWIZ_C [22:20] = 0x0 "input C blue channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        RGB_MOD_C [24:23] = 0x0 "input C modifier: 0 none;1 negate;2 abs;3 -abs",
        ALPHA_SEL_C [26:25] = 0x0 "input C source: 0 src0;1 src1;2 src2;3 srcp (presubtract result)",
        ALPHA_SWIZ_C [29:27] = 0x0 "input C alpha channel: 0 R;1 G;2 B;3 A;4 0.0;5 0.5;6 1.0;7 unused",
        ALPHA_MOD_C [31:30] = 0x0 "input C modifier: 0 none;1 negate;2 abs;3 -abs",
    }
    US_CMN_INST "US_CMN_INST_[0-511]" = 0xb800 [512; 4] {
        TYPE [1:0] = 0x0 "0 ALU;1 OUT;2 FC;3 TEX",
        TEX_SEM_WAIT [2:2] = 0x0 "1 = hold issue until texture semaphore is free",
        RGB_PRED_SEL [5:3] = 0x0 "RGB (or whole FC) predicate: 0 none;1 per-channel RGBA;2 RRRR;3 GGGG;4 BBBB;5 AAAA",
        RGB_PRED_INV [6:6] = 0x0 "1 = invert the selected predicate",
        WRITE_INACTIVE [7:7] = 0x0 "1 = ignore flow-control activity mask on writes",
        LAST [8:8] = 0x0 "1 = active pixels may finish here",
        NOP [9:9] = 0x0 "1 = insert a bubble after (presubtract / MDH / MDV hazards)",
        ALU_WAIT [10:10] = 0x0 "1 = wait for pending ALU results",
        RGB_WMASK [13:11] = 0x0 "temp write mask, bit0 R bit1 G bit2 B",
        ALPHA_WMASK [14:14] = 0x0 "temp write mask for A",
        RGB_OMASK [17:15] = 0x0 "OUT: target write mask; ALU: predicate-bit write mask (R,G,B)",
        ALPHA_OMASK [18:18] = 0x0 "OUT: target alpha write; ALU: predicate A write",
        RGB_CLAMP [19:19] = 0x0 "1 = clamp result to [0,1] after OMOD",
        ALPHA_CLAMP [20:20] = 0x0 "1 = clamp result to [0,1] after OMOD",
        ALU_RESULT_SEL [21:21] = 0x0 "ALU-result channel: 0 red;1 alpha",
        ALPHA_PRED_INV [22:22] = 0x0 "1 = invert the selected predicate",
        ALU_RESULT_OP [24:23] = 0x0 "ALU-result test vs 0: 0 ==;1 <;2 >=;3 !=",
        ALPHA_PRED_SEL [27:25] = 0x0 "alpha predicate: 0 none;1 or 5 A;2 R;3 G;4 B",
        STAT_WE [31:28] = 0x0 "channels counted by the performance counter",
    }
}
