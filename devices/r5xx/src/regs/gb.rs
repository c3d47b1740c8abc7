//! Registers of GB: tiling of the screen, sample positions, sources of coordinates.

super::registers! {
    pub(super) TABLE:
    GB_ENABLE = 0x4008 {
        POINT_STUFF_ENABLE [0:0] = 0x0 "1 = GA stuffs texture coordinates for points",
        LINE_STUFF_ENABLE [1:1] = 0x0 "1 = GA stuffs texture coordinates for lines",
        TRIANGLE_STUFF_ENABLE [2:2] = 0x0 "1 = GA stuffs texture coordinates for triangles",
        STENCIL_AUTO [5:4] = 0x0 "0 off;1 facing-driven auto inc/dec via dzy low bit;2 force that bit 0",
        TEX0_SOURCE [17:16] = 0x0 "coordinate source of texture set 0: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX1_SOURCE [19:18] = 0x0 "coordinate source of texture set 1: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX2_SOURCE [21:20] = 0x0 "coordinate source of texture set 2: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX3_SOURCE [23:22] = 0x0 "coordinate source of texture set 3: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX4_SOURCE [25:24] = 0x0 "coordinate source of texture set 4: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX5_SOURCE [27:26] = 0x0 "coordinate source of texture set 5: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX6_SOURCE [29:28] = 0x0 "coordinate source of texture set 6: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX7_SOURCE [31:30] = 0x0 "coordinate source of texture set 7: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
    }
    GB_MSPOS0 = 0x4010 {
        MS_X0 [3:0] = 0x0 "X of sample 0 inside the pixel, in subpixels",
        MS_Y0 [7:4] = 0x0 "Y of sample 0 inside the pixel, in subpixels",
        MS_X1 [11:8] = 0x0 "X of sample 1 inside the pixel, in subpixels",
        MS_Y1 [15:12] = 0x0 "Y of sample 1 inside the pixel, in subpixels",
        MS_X2 [19:16] = 0x0 "X of sample 2 inside the pixel, in subpixels",
        MS_Y2 [23:20] = 0x0 "Y of sample 2 inside the pixel, in subpixels",
        MSBD0_Y [27:24] = 0x0 "min Y distance pixel edge to samples (coarse scan); X field: 7 encodes 8",
        MSBD0_X [31:28] = 0x0 "min X distance pixel edge to samples (coarse scan); X field: 7 encodes 8",
    }
    GB_MSPOS1 = 0x4014 {
        MS_X3 [3:0] = 0x0 "X of sample 3 inside the pixel, in subpixels",
        MS_Y3 [7:4] = 0x0 "Y of sample 3 inside the pixel, in subpixels",
        MS_X4 [11:8] = 0x0 "X of sample 4 inside the pixel, in subpixels",
        MS_Y4 [15:12] = 0x0 "Y of sample 4 inside the pixel, in subpixels",
        MS_X5 [19:16] = 0x0 "X of sample 5 inside the pixel, in subpixels",
        MS_Y5 [23:20] = 0x0 "Y of sample 5 inside the pixel, in subpixels",
        MSBD1 [27:24] = 0x0 "min distance pixel edge to samples (quad scan)",
    }
    GB_TILE_CONFIG = 0x4018 {
        ENABLE [0:0] = 0x1 "1 = screen tiling over pipes",
        PIPE_COUNT [3:1] = 0x0 "0 = 1 pipe;3 = 2;6 = 3;7 = 4; reads back the effective value",
        TILE_SIZE [5:4] = 0x1 "0 = 8;1 = 16;2 = 32 pixels square (R5xx: 16/32)",
        SUPER_SIZE [8:6] = 0x0 "multi-chip super-tile size; n: 0..7 = 1,2,4,8,16,32,64,128 tiles",
        SUPER_X [11:9] = 0x0 "chip X position in super tile",
        SUPER_Y [14:12] = 0x0 "chip Y position in super tile",
        SUPER_TILE [15:15] = 0x0 "0 ST-A; 1 ST-B",
        SUBPIXEL [16:16] = 0x0 "vertex grid: 0 = 1/12; 1 = 1/16 pixel",
        QUADS_PER_RAS [18:17] = 0x0 "0..3 = 4/8/16/32 quads per rasteriser turn",
        BB_SCAN [19:19] = 0x0 "coarse scan: 0 intercept; 1 bounding box",
        ALT_SCAN_EN [20:20] = 0x0 "1 = serpentine coarse scan",
        ALT_OFFSET [21:21] = 0x0 "listed as unused (write 0); section 10.3.4.1 describes a 672 vs 1440 scan offset",
        SUBPRECISION [22:22] = 0x0 "register text: write 0; section 10.3.4.1: 1 = 8-bit subpixel precision",
        ALT_TILING [23:23] = 0x0 "1 = alternate 3x2 tiling in 3-pipe mode",
        Z_EXTENDED [24:24] = 0x0 "0 = vertex Z clamped to [0,1]; 1 = [-2,2] with per-pixel clamp to [0,1]",
    }
    GB_SELECT = 0x401c {
        FOG_SELECT [2:0] = 0x0 "fog source: 0 C0.a;1 C1.a;2 C2.a;3 C3.a;4 1/(1/W);5 Z",
        DEPTH_SELECT [3:3] = 0x0 "depth passed on: 0 Z; 1 W",
        W_SELECT [4:4] = 0x0 "0 = 1/W (perspective); 1 = 1.0 (affine)",
        FOG_STUFF_ENABLE [5:5] = 0x0 "1 = stuff fog into a texture component",
        FOG_STUFF_TEX [9:6] = 0x0 "texture set receiving fog",
        FOG_STUFF_COMP [11:10] = 0x0 "component receiving fog",
    }
    GB_AA_CONFIG = 0x4020 {
        AA_ENABLE [0:0] = 0x0 "1 = multisampling on",
        NUM_AA_SUBSAMPLES [2:1] = 0x0 "0 = 2; 1 = 3; 2 = 4; 3 = 6 samples",
    }
    GB_FIFO_SIZE = 0x4024 {
        SC_IFIFO_SIZE [1:0] = 0x0 "0..3 = 32/64/128/256 words",
        SC_TZFIFO_SIZE [3:2] = 0x0 "0..3 = 16/32/64/128 words",
        SC_BFIFO_SIZE [5:4] = 0x0 "0..3 = 32/64/128/256 words",
        RS_TFIFO_SIZE [7:6] = 0x0 "0..3 = 64/128/256/512 words",
        RS_CFIFO_SIZE [9:8] = 0x0 "0..3 = 64/128/256/512 words",
        US_RAM_SIZE [11:10] = 0x0 "0..3 = 64/128/256/512 words",
        US_OFIFO_SIZE [13:12] = 0x0 "0..3 = 16/32/64/128 words",
        US_WFIFO_SIZE [15:14] = 0x0 "0..3 = 16/32/64/128 words",
        RS_HIGHWATER_COL [18:16] = 0x0 "high-water mark; unused",
        RS_HIGHWATER_TEX [21:19] = 0x0 "high-water mark; unused",
        US_OFIFO_HIGHWATER [23:22] = 0x0 "0..3 = 0/4/8/12 words",
        US_CUBE_FIFO_HIGHWATER [28:24] = 0x0 "high-water mark",
    }
    GB_Z_PEQ_CONFIG = 0x4028 {
        Z_PEQ_SIZE [0:0] = 0x0 "plane-equation tile: 0 = 4x4; 1 = 8x8 (no AA)",
    }
    GB_PIPE_SELECT = 0x402c {
        PIPE0_ID [1:0] = 0x0 "logical id of physical pipe 0",
        PIPE1_ID [3:2] = 0x1 "logical id of physical pipe 1",
        PIPE2_ID [5:4] = 0x2 "logical id of physical pipe 2",
        PIPE3_ID [7:6] = 0x3 "logical id of physical pipe 3",
        PIPE_MASK [11:8] = 0x0 "enabled physical pipes, bit per pipe",
        MAX_PIPE [13:12] = 0x3 "fused pipe count minus 1; read-only",
        BAD_PIPES [17:14] = 0xf "fused bad-pipe flags; read-only",
        CONFIG_PIPES [18:18] = 0x0 "1 = assign logical ids automatically; reads 0",
    }
    GB_FIFO_SIZE1 = 0x4070 {
        SC_HIGHWATER_IFIFO [5:0] = 0x0 "high-water mark",
        SC_HIGHWATER_BFIFO [11:6] = 0x0 "high-water mark",
        RS_HIGHWATER_COL [17:12] = 0x0 "high-water mark",
        RS_HIGHWATER_TEX [23:18] = 0x0 "high-water mark",
    }
    PS3_ENABLE = 0x4118 {
        PS3_MODE [0:0] = 0x0 "0 = PS2 interpolator layout; 1 = PS3 generic vectors",
    }
    PS3_VTX_FMT = 0x411c {
        TEX_0_COMP_CNT [2:0] = 0x0 "components of vector 0: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_1_COMP_CNT [5:3] = 0x0 "components of vector 1: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_2_COMP_CNT [8:6] = 0x0 "components of vector 2: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_3_COMP_CNT [11:9] = 0x0 "components of vector 3: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_4_COMP_CNT [14:12] = 0x0 "components of vector 4: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_5_COMP_CNT [17:15] = 0x0 "components of vector 5: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_6_COMP_CNT [20:18] = 0x0 "components of vector 6: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_7_COMP_CNT [23:21] = 0x0 "components of vector 7: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_8_COMP_CNT [26:24] = 0x0 "components of vector 8: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_9_COMP_CNT [29:27] = 0x0 "components of vector 9: 0 off..4; 1 still occupies 2 in the rasteriser packet",
        TEX_10_COMP_CNT [31:30] = 0x0 "0 off;1 = 2;2 = 3;3 = 4 components (GA/SU only)",
    }
    PS3_TEX_SOURCE = 0x4120 {
        TEX0_SOURCE [1:0] = 0x0 "coordinate source of texture set 0: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX1_SOURCE [3:2] = 0x0 "coordinate source of texture set 1: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX2_SOURCE [5:4] = 0x0 "coordinate source of texture set 2: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX3_SOURCE [7:6] = 0x0 "coordinate source of texture set 3: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX4_SOURCE [9:8] = 0x0 "coordinate source of texture set 4: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX5_SOURCE [11:10] = 0x0 "coordinate source of texture set 5: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX6_SOURCE [13:12] = 0x0 "coordinate source of texture set 6: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX7_SOURCE [15:14] = 0x0 "coordinate source of texture set 7: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX8_SOURCE [17:16] = 0x0 "coordinate source of texture set 8: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
        TEX9_SOURCE [19:18] = 0x0 "coordinate source of texture set 9: 0 use VAP coordinates; 1 GA stuffs (S,T); 2 GA stuffs (S,T,R)",
    }
}
