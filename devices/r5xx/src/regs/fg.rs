//! Registers of FG: fog and alpha test.

super::registers! {
    pub(super) TABLE:
    FG_FOG_BLEND = 0x4bc0 {
        ENABLE [0:0] = 0x0 "1 = blend fog colour",
        FN [2:1] = 0x0 "0 linear; 1 exp; 2 exp2; 3 constant factor",
    }
    FG_FOG_FACTOR = 0x4bc4 {
        FACTOR [9:0] = 0x0 "constant fog factor; 0.10 fixed",
    }
    FG_FOG_COLOR_R = 0x4bc8 {
        RED [9:0] = 0x0 "fog colour component; 0.10 fixed",
    }
    FG_FOG_COLOR_G = 0x4bcc {
        GREEN [9:0] = 0x0 "fog colour component; 0.10 fixed",
    }
    FG_FOG_COLOR_B = 0x4bd0 {
        BLUE [9:0] = 0x0 "fog colour component; 0.10 fixed",
    }
    FG_ALPHA_FUNC = 0x4bd4 {
        AF_VAL [7:0] = 0x0 "8-bit reference, used when AF_EN_8BIT=1",
        AF_FUNC [10:8] = 0x0 "0 never;1 <;2 ==;3 <=;4 >;5 !=;6 >=;7 always (order differs from ZFUNC)",
        AF_EN [11:11] = 0x0 "1 = alpha test on",
        AF_EN_8BIT [12:12] = 0x0 "0 = 10-bit compare with FG_ALPHA_VALUE; 1 = 8-bit compare with AF_VAL",
        AM_EN [16:16] = 0x0 "1 = alpha-to-coverage mask",
        AM_CFG [17:17] = 0x0 "alpha-to-mask sample family: 0 = 2/4; 1 = 3/6",
        DITH_EN [20:20] = 0x0 "RGB dither; not supported on R520",
        ALP_OFF_EN [24:24] = 0x0 "adds 2 to incoming alpha; not supported on R520",
        DISCARD_ZERO_MASK_QUAD [25:25] = 0x0 "1 = drop quads whose coverage mask is empty before ZB",
        FP16_ENABLE [28:28] = 0x0 "1 = alpha compare and alpha-to-mask on FP16 alpha",
    }
    FG_DEPTH_SRC = 0x4bd8 {
        DEPTH_SRC [0:0] = 0x0 "0 = depth from scan converter plane equation; 1 = per-pixel depth from shader",
    }
    FG_ALPHA_VALUE = 0x4be0 {
        AF_VAL [15:0] = 0x0 "alpha reference; 0.10 fixed or FP16",
    }
}
