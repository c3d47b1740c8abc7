//! Registers of CB: blend, targets, resolve.

super::registers! {
    pub(super) TABLE:
    RB3D_COLOR_CLEAR_VALUE_AR = 0x46c0 {
        RED [15:0] "fast-clear component for 64-bit FP16 buffers",
        ALPHA [31:16] "fast-clear component for 64-bit FP16 buffers",
    }
    RB3D_COLOR_CLEAR_VALUE_GB = 0x46c4 {
        BLUE [15:0] "fast-clear component for 64-bit FP16 buffers",
        GREEN [31:16] "fast-clear component for 64-bit FP16 buffers",
    }
    RB3D_CCTL = 0x4e00 {
        NUM_MULTIWRITES [6:5] = 0x0 "buffers receiving a copy of the quad, minus 1 (0..3)",
        CLRCMP_FLIPE_ENABLE [7:7] = 0x0 "1 = colour-compare flip mode (legacy chroma protection)",
        AA_COMPRESSION_ENABLE [9:9] "1 = AA colour compression (needs CMASK); cache must be empty",
        CMASK_ENABLE [10:10] "1 = use CMASK RAM (fast clear state)",
        RESERVED_11 [11:11] = 0x0 "reserved",
        INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE [12:12] = 0x0 "1 = each MRT uses its own channel mask; 0 = all use mask 0",
        WRITE_COMPRESSION_DISABLE [13:13] "1 = no compressed colour writes",
        INDEPENDENT_COLORFORMAT_ENABLE [14:14] = 0x0 "1 = each MRT uses its own COLORFORMAT; 0 = all use format 0",
    }
    RB3D_BLENDCNTL = 0x4e04 {
        ALPHA_BLEND_ENABLE [0:0] = 0x0 "1 = blend with destination",
        SEPARATE_ALPHA_ENABLE [1:1] = 0x0 "1 = alpha channel uses RB3D_ABLENDCNTL; 0 = uses this register for all channels",
        READ_ENABLE [2:2] = 0x1 "1 = destination reads allowed when blending; must be 1 if the equation uses dst",
        DISCARD_SRC_PIXELS [5:3] = 0x0 "drop pixel when source vs threshold: 0 off; 1 a<=LTE; 2 rgb<=LTE; 3 argb<=LTE; 4 a>=GTE; 5 rgb>=GTE; 6 argb>=GTE",
        COMB_FCN [14:12] "0 src*Fs+dst*Fd clamp; 1 same no clamp; 2 src-dst clamp; 3 src-dst no clamp; 4 min; 5 max (min/max force both factors to ONE); 6 dst-src clamp; 7 dst-src no clamp",
        SRCBLEND [21:16] "source blend factor; D3D codes 1-13 or GL codes 32-46 (r5xx.md 13.3)",
        DESTBLEND [29:24] "destination blend factor; D3D codes 1-10 or GL codes 32-41,43-46 (no alpha-saturate)",
        SRC_ALPHA_0_NO_READ [30:30] = 0x0 "bandwidth hint: may skip dst read when source alpha is 0; no visible effect if used correctly",
        SRC_ALPHA_1_NO_READ [31:31] = 0x0 "bandwidth hint: may skip dst read when source alpha is 1; no visible effect if used correctly",
    }
    RB3D_ABLENDCNTL = 0x4e08 {
        COMB_FCN [14:12] "0 src*Fs+dst*Fd clamp; 1 same no clamp; 2 src-dst clamp; 3 src-dst no clamp; 4 min; 5 max (min/max force both factors to ONE); 6 dst-src clamp; 7 dst-src no clamp",
        SRCBLEND [21:16] "source blend factor; D3D codes 1-13 or GL codes 32-46 (r5xx.md 13.3)",
        DESTBLEND [29:24] "destination blend factor; D3D codes 1-10 or GL codes 32-41,43-46 (no alpha-saturate)",
    }
    RB3D_COLOR_CHANNEL_MASK = 0x4e0c {
        BLUE_MASK [0:0] = 0x1 "1 = write blue of MRT 0",
        GREEN_MASK [1:1] = 0x1 "1 = write green of MRT 0",
        RED_MASK [2:2] = 0x1 "1 = write red of MRT 0",
        ALPHA_MASK [3:3] = 0x1 "1 = write alpha of MRT 0",
        BLUE_MASK1 [4:4] = 0x1 "1 = write blue of MRT 1",
        GREEN_MASK1 [5:5] = 0x1 "1 = write green of MRT 1",
        RED_MASK1 [6:6] = 0x1 "1 = write red of MRT 1",
        ALPHA_MASK1 [7:7] = 0x1 "1 = write alpha of MRT 1",
        BLUE_MASK2 [8:8] = 0x1 "1 = write blue of MRT 2",
        GREEN_MASK2 [9:9] = 0x1 "1 = write green of MRT 2",
        RED_MASK2 [10:10] = 0x1 "1 = write red of MRT 2",
        ALPHA_MASK2 [11:11] = 0x1 "1 = write alpha of MRT 2",
        BLUE_MASK3 [12:12] = 0x1 "1 = write blue of MRT 3",
        GREEN_MASK3 [13:13] = 0x1 "1 = write green of MRT 3",
        RED_MASK3 [14:14] = 0x1 "1 = write red of MRT 3",
        ALPHA_MASK3 [15:15] = 0x1 "1 = write alpha of MRT 3",
    }
    RB3D_CONSTANT_COLOR = 0x4e10 {
        BLUE [7:0] "8-bit blend constant; ignored on R520+ (use _AR/_GB)",
        GREEN [15:8] "8-bit blend constant; ignored on R520+ (use _AR/_GB)",
        RED [23:16] "8-bit blend constant; ignored on R520+ (use _AR/_GB)",
        ALPHA [31:24] "8-bit blend constant; ignored on R520+ (use _AR/_GB)",
    }
    RB3D_COLOR_CLEAR_VALUE = 0x4e14 {
        BLUE [7:0] "fast-clear colour component (whole register = packed 32-bit pixel)",
        GREEN [15:8] "fast-clear colour component (whole register = packed 32-bit pixel)",
        RED [23:16] "fast-clear colour component (whole register = packed 32-bit pixel)",
        ALPHA [31:24] "fast-clear colour component (whole register = packed 32-bit pixel)",
    }
    RB3D_ROPCNTL = 0x4e18 {
        ROP_ENABLE [2:2] = 0x0 "1 = apply ROP2; 0 = copy (ROP2 code 0xC)",
        ROP [11:8] "GDI ROP2 code, replicated into both nibbles of a ROP3",
    }
    RB3D_CLRCMP_FLIPE = 0x4e1c {
        CLRCMP_FLIPE [31:0] "colour-compare flip value",
    }
    RB3D_CLRCMP_CLR = 0x4e20 {
        CLRCMP_CLR [31:0] "colour-compare reference colour",
    }
    RB3D_CLRCMP_MSK = 0x4e24 {
        CLRCMP_MSK [31:0] "colour-compare mask",
    }
    RB3D_COLOROFFSET "RB3D_COLOROFFSET[0-3]" = 0x4e28 [4; 4] {
        COLOROFFSET [31:5] "colour buffer n base; 32-byte aligned (2 KB when macro-tiled)",
    }
    RB3D_COLORPITCH "RB3D_COLORPITCH[0-3]" = 0x4e38 [4; 4] {
        COLORPITCH [13:1] "pitch; unit 2 pixels (bits hold pixels[13:1])",
        COLORTILE [16:16] "1 = macro-tiled",
        COLORMICROTILE [18:17] "0 linear; 1 tiled; 2 square 4x4 (16-bit only)",
        COLORENDIAN [20:19] "0 none; 1 byte swap in 16b; 2 byte swap in 32b; 3 swap 16b halves",
        COLORFORMAT [24:21] = 0x6 "0 ARGB10101010;1 UV1010;2 CI8 (2D);3 ARGB1555;4 RGB565;5 ARGB2101010;6 ARGB8888;7 ARGB32323232;9 I8;10 ARGB16161616;11 VYUY;12 YVYU;13 UV88;14 I10;15 ARGB4444",
    }
    RB3D_DSTCACHE_CTLSTAT = 0x4e4c {
        DC_FLUSH [1:0] = 0x0 "2 or 3 = write back dirty colour cache lines",
        DC_FREE [3:2] = 0x0 "2 or 3 = invalidate colour cache tags (without flush, dirty data is lost)",
        DC_FINISH [4:4] = 0x0 "1 = signal CP when the operation ends",
    }
    RB3D_DITHER_CTL = 0x4e50 {
        DITHER_MODE [1:0] = 0x0 "RGB reduction: 0 truncate; 1 round; 2 LUT dither",
        ALPHA_DITHER_MODE [3:2] = 0x0 "alpha reduction: 0 truncate; 1 round; 2 LUT dither",
    }
    RB3D_AARESOLVE_OFFSET = 0x4e80 {
        AARESOLVE_OFFSET [31:5] "resolve destination address; 32-byte aligned",
    }
    RB3D_AARESOLVE_PITCH = 0x4e84 {
        AARESOLVE_PITCH [13:1] "resolve destination pitch; unit 2 pixels",
    }
    RB3D_AARESOLVE_CTL = 0x4e88 {
        AARESOLVE_MODE [0:0] = 0x0 "0 normal rendering; 1 resolve mode (cache must be empty when toggled)",
        AARESOLVE_GAMMA [1:1] "gamma removed before and re-applied after the sample average: 0 = 1.0; 1 = 2.2",
        AARESOLVE_ALPHA [2:2] = 0x0 "resolved alpha: 0 = sample 0; 1 = average (never gamma corrected)",
    }
    RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD = 0x4ea0 {
        BLUE [7:0] = 0x0 "8-bit blue threshold for the less-or-equal discard test",
        GREEN [15:8] = 0x0 "8-bit green threshold for the less-or-equal discard test",
        RED [23:16] = 0x0 "8-bit red threshold for the less-or-equal discard test",
        ALPHA [31:24] = 0x0 "8-bit alpha threshold for the less-or-equal discard test",
    }
    RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD = 0x4ea4 {
        BLUE [7:0] = 0xff "8-bit blue threshold for the greater-or-equal discard test",
        GREEN [15:8] = 0xff "8-bit green threshold for the greater-or-equal discard test",
        RED [23:16] = 0xff "8-bit red threshold for the greater-or-equal discard test",
        ALPHA [31:24] = 0xff "8-bit alpha threshold for the greater-or-equal discard test",
    }
    RB3D_FIFO_SIZE = 0x4ef4 {
        OP_FIFO_SIZE [1:0] = 0x0 "op FIFO depth: 0 full;1 half;2 quarter;3 eighth",
    }
    RB3D_CONSTANT_COLOR_AR = 0x4ef8 {
        RED [15:0] "blend constant; 0.10 fixed, or FP16 when blending FP16",
        ALPHA [31:16] "blend constant; 0.10 fixed, or FP16 when blending FP16",
    }
    RB3D_CONSTANT_COLOR_GB = 0x4efc {
        BLUE [15:0] "blend constant; 0.10 fixed, or FP16 when blending FP16",
        GREEN [31:16] "blend constant; 0.10 fixed, or FP16 when blending FP16",
    }
}
