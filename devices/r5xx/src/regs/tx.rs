//! Registers of TX: textures.

super::registers! {
    pub(super) TABLE:
    TX_INVALTAGS = 0x4100 {
        RESERVED [31:0] "reserved",
    }
    TX_ENABLE = 0x4104 {
        TEX_0_ENABLE [0:0] "1 = texture unit 0 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_1_ENABLE [1:1] "1 = texture unit 1 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_2_ENABLE [2:2] "1 = texture unit 2 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_3_ENABLE [3:3] "1 = texture unit 3 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_4_ENABLE [4:4] "1 = texture unit 4 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_5_ENABLE [5:5] "1 = texture unit 5 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_6_ENABLE [6:6] "1 = texture unit 6 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_7_ENABLE [7:7] "1 = texture unit 7 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_8_ENABLE [8:8] "1 = texture unit 8 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_9_ENABLE [9:9] "1 = texture unit 9 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_10_ENABLE [10:10] "1 = texture unit 10 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_11_ENABLE [11:11] "1 = texture unit 11 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_12_ENABLE [12:12] "1 = texture unit 12 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_13_ENABLE [13:13] "1 = texture unit 13 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_14_ENABLE [14:14] "1 = texture unit 14 on; 0 returns (R,G,B,A)=(0,0,0,1)",
        TEX_15_ENABLE [15:15] "1 = texture unit 15 on; 0 returns (R,G,B,A)=(0,0,0,1)",
    }
    TX_FILTER4 = 0x4110 {
        WEIGHT_1 [10:0] "signed 1.9 weight, right/bottom of pair",
        WEIGHT_0 [21:11] "signed 1.9 weight, left/top of pair",
        WEIGHT_PAIR [22:22] "pair within the phase: 0 top/left;1 bottom/right",
        PHASE [26:23] "kernel phase being loaded (register text: 9 phases)",
        DIRECTION [27:27] "0 horizontal;1 vertical",
    }
    TX_FILTER0 "TX_FILTER0_[0-15]" = 0x4400 [16; 4] {
        CLAMP_S [2:0] "S wrap mode: 0 repeat;1 mirror;2 clamp to edge;3 mirror-once to edge;4 clamp half-border;5 mirror-once half-border;6 clamp to border;7 mirror-once to border",
        CLAMP_T [5:3] "T wrap mode: 0 repeat;1 mirror;2 clamp to edge;3 mirror-once to edge;4 clamp half-border;5 mirror-once half-border;6 clamp to border;7 mirror-once to border",
        CLAMP_R [8:6] "R wrap mode: 0 repeat;1 mirror;2 clamp to edge;3 mirror-once to edge;4 clamp half-border;5 mirror-once half-border;6 clamp to border;7 mirror-once to border",
        MAG_FILTER [10:9] "0 Filter4;1 point;2 linear",
        MIN_FILTER [12:11] "0 Filter4;1 point;2 linear",
        MIP_FILTER [14:13] "0 none;1 point;2 linear",
        VOL_FILTER [16:15] "slice filter: 0 follow MIN/MAG;1 point;2 linear",
        MAX_MIP_LEVEL [20:17] "finest mip level allowed (0 = base)",
        RESERVED_21 [23:21] "reserved",
        ID [31:28] "logical id of this physical texture",
    }
    TX_FILTER1 "TX_FILTER1_[0-15]" = 0x4440 [16; 4] {
        CHROMA_KEY_MODE [1:0] "0 off;1 kill pixel on match;2 zero matching samples",
        MC_ROUND [2:2] "bilinear rounding: 0 +0.5;1 MPEG4 +0.25",
        LOD_BIAS [12:3] "signed 4.5 bias in mip levels, added before LOD clamp",
        RESERVED_13 [13:13] "reserved",
        MC_COORD_TRUNCATE [14:14] "1 = snap coordinate fractions to 0 or 0.5 (MPEG)",
        TRI_PERF [16:15] "trilinear fraction steepening: 0 none;1 4/3x-1/6;2 2x-1/2;3 4x-3/2 (clamped)",
        RESERVED_17 [19:17] "reserved",
        RESERVED_20 [20:20] "reserved",
        RESERVED_21 [21:21] "reserved",
        MACRO_SWITCH [22:22] "macro-linear switch: 0 width < 8 micro-tiles; 1 width <= 8 micro-tiles",
        RESERVED_23 [28:23] "reserved",
        RESERVED_29 [29:29] "reserved",
        RESERVED_30 [30:30] "reserved",
        BORDER_FIX [31:31] "1 = stop shifting coordinate once mip dimension reaches 1",
    }
    TX_FORMAT0 "TX_FORMAT0_[0-15]" = 0x4480 [16; 4] {
        TXWIDTH [10:0] "width-1, low 11 bits (bit 11 in TX_FORMAT2)",
        TXHEIGHT [21:11] "height-1, low 11 bits (bit 11 in TX_FORMAT2)",
        TXDEPTH [25:22] "log2 of volume depth",
        NUM_LEVELS [29:26] "mip levels minus 1 (0-12) = coarsest level",
        PROJECTED [30:30] "1 = coordinates are projected",
        TXPITCH_EN [31:31] "1 = address with TXPITCH instead of width",
    }
    TX_FORMAT1 "TX_FORMAT1_[0-15]" = 0x44c0 [16; 4] {
        TXFORMAT [4:0] "texel format code, low 5 bits (r5xx_formats.csv)",
        SIGNED_COMP0 [5:5] "1 = component 0 is signed (ignored for YUV)",
        SIGNED_COMP1 [6:6] "1 = component 1 is signed (ignored for YUV)",
        SIGNED_COMP2 [7:7] "1 = component 2 is signed (ignored for YUV)",
        SIGNED_COMP3 [8:8] "1 = component 3 is signed (ignored for YUV)",
        SEL_ALPHA [11:9] "alpha seen by shader: 0-3 component n;4 zero;5 one (ignored for YUV)",
        SEL_RED [14:12] "red seen by shader: 0-3 component n;4 zero;5 one (ignored for YUV)",
        SEL_GREEN [17:15] "green seen by shader: 0-3 component n;4 zero;5 one (ignored for YUV)",
        SEL_BLUE [20:18] "blue seen by shader: 0-3 component n;4 zero;5 one (ignored for YUV)",
        GAMMA [21:21] "1 = degamma (sRGB-like) before shader; components of 8 bits or fewer",
        YUV_TO_RGB [23:22] "0 off;1 convert with clamp;2 convert without clamp",
        SWAP_YUV [24:24] "1 = invert top bit of U and V",
        TEX_COORD_TYPE [26:25] "0 2D;1 3D;2 cube",
        CACHE [31:27] "texture cache region; ignored on R520/RV510",
    }
    TX_FORMAT2 "TX_FORMAT2_[0-15]" = 0x4500 [16; 4] {
        TXPITCH [13:0] "pitch-1 in texels (max 16K)",
        TXFORMAT_MSB [14:14] "bit 5 of the format code",
        TXWIDTH_11 [15:15] "width-1 bit 11",
        TXHEIGHT_11 [16:16] "height-1 bit 11",
        POW2FIX2FLT [17:17] "8-bit unorm divisor: 0 = 255; 1 = 256",
        SEL_FILTER4 [19:18] "component that Filter4 applies to",
    }
    TX_OFFSET "TX_OFFSET_[0-15]" = 0x4540 [16; 4] {
        ENDIAN_SWAP [1:0] "0 none;1 16-bit;2 32-bit;3 half-dword",
        MACRO_TILE [2:2] "1 = macro-tiled",
        MICRO_TILE [4:3] "0 linear;1 tiled;2 square (16-bit texels)",
        TXOFFSET [31:5] "base map address; 32-byte aligned",
    }
    TX_CHROMA_KEY "TX_CHROMA_KEY_[0-15]" = 0x4580 [16; 4] {
        CHROMA_KEY [31:0] "chroma key, packed in the texture format (unused MSBs 0)",
    }
    TX_BORDER_COLOR "TX_BORDER_COLOR_[0-15]" = 0x45c0 [16; 4] {
        BORDER_COLOR [31:0] "border colour, packed in the texture format",
    }
}
