//! Registers of GA: points, lines, stuffing, upload of fragment programs.

super::registers! {
    pub(super) TABLE:
    GA_POINT_S0 = 0x4200 {
        S0 [31:0] = 0x0 "IEEE float S stuffed at point lower-left corner",
    }
    GA_POINT_T0 = 0x4204 {
        T0 [31:0] = 0x0 "IEEE float T stuffed at point lower-left corner",
    }
    GA_POINT_S1 = 0x4208 {
        S1 [31:0] = 0x0 "IEEE float S stuffed at point upper-right corner",
    }
    GA_POINT_T1 = 0x420c {
        T1 [31:0] = 0x0 "IEEE float T stuffed at point upper-right corner",
    }
    GA_TRIANGLE_STIPPLE = 0x4214 {
        X_SHIFT [3:0] = 0x0 "shift of X screen position before float conversion for polygon stipple",
        Y_SHIFT [19:16] = 0x0 "shift of Y screen position before float conversion for polygon stipple",
    }
    GA_POINT_SIZE = 0x421c {
        HEIGHT [15:0] = 0x0 "half point height in 1/12 or 1/16 subpixels",
        WIDTH [31:16] = 0x0 "half point width in 1/12 or 1/16 subpixels",
    }
    GA_FILL_R = 0x4220 {
        COLOR_RED [31:0] = 0x0 "solid-fill R component; FP20",
    }
    GA_FILL_G = 0x4224 {
        COLOR_GREEN [31:0] = 0x0 "solid-fill G component; FP20",
    }
    GA_FILL_B = 0x4228 {
        COLOR_BLUE [31:0] = 0x0 "solid-fill B component; FP20",
    }
    GA_FILL_A = 0x422c {
        COLOR_ALPHA [31:0] = 0x0 "solid-fill A component; FP20",
    }
    GA_POINT_MINMAX = 0x4230 {
        MIN_SIZE [15:0] = 0x0 "minimum point radius in subsamples for per-vertex size",
        MAX_SIZE [31:16] = 0x0 "maximum point radius in subsamples for per-vertex size",
    }
    GA_LINE_CNTL = 0x4234 {
        WIDTH [15:0] = 0x0 "half line width in 1/12 or 1/16 subpixels",
        END_TYPE [17:16] = 0x0 "line ends: 0 horizontal; 1 vertical; 2 square by slope; 3 perpendicular to slope",
        SORT [18:18] = 0x0 "1 = order endpoints so V0 has smallest X then Y",
    }
    GA_LINE_STIPPLE_CONFIG = 0x4238 {
        LINE_RESET [1:0] = 0x0 "stipple accumulator reset: 0 never;1 per line;2 per packet",
        STIPPLE_SCALE [31:2] = 0x0 "30-bit truncated float scale on the generated stipple coordinate",
    }
    GA_US_VECTOR_INDEX = 0x4250 {
        INDEX [8:0] = 0x0 "first instruction (0-511) or constant (0-255); auto-increments per 6 or 4 writes",
        TYPE [16:16] = 0x0 "0 instructions; 1 constants",
        CLAMP [17:17] = 0x0 "1 = clamp constants to [-1,1]",
    }
    GA_US_VECTOR_DATA = 0x4254 {
        DATA [31:0] = 0x0 "data port for US instructions (6 dwords each) or constants (4 dwords each)",
    }
    GA_COLOR_CONTROL_PS3 = 0x4258 {
        TEX0_SHADING_PS3 [1:0] = 0x0 "interpolator 0 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX1_SHADING_PS3 [3:2] = 0x0 "interpolator 1 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX2_SHADING_PS3 [5:4] = 0x0 "interpolator 2 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX3_SHADING_PS3 [7:6] = 0x0 "interpolator 3 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX4_SHADING_PS3 [9:8] = 0x0 "interpolator 4 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX5_SHADING_PS3 [11:10] = 0x0 "interpolator 5 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX6_SHADING_PS3 [13:12] = 0x0 "interpolator 6 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX7_SHADING_PS3 [15:14] = 0x0 "interpolator 7 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX8_SHADING_PS3 [17:16] = 0x0 "interpolator 8 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX9_SHADING_PS3 [19:18] = 0x0 "interpolator 9 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        TEX10_SHADING_PS3 [21:20] = 0x0 "interpolator 10 mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        COLOR0_TEX_OVERRIDE [25:22] = 0x0 "colour 0 taken from texture vector: 0 none; n = vector n-1 (1..8); 9 = tex8/C2; 10 = tex9/C3",
        COLOR1_TEX_OVERRIDE [29:26] = 0x0 "colour 1 taken from texture vector: 0 none; n = vector n-1 (1..8); 9 = tex8/C2; 10 = tex9/C3",
    }
    GA_IDLE = 0x425c {
        PIPE3_Z_IDLE [0:0] = 0x0 "idle flag (1 = idle) of PIPE3 Z",
        PIPE2_Z_IDLE [1:1] = 0x0 "idle flag (1 = idle) of PIPE2 Z",
        PIPE3_CB_IDLE [2:2] = 0x0 "idle flag (1 = idle) of PIPE3 CB",
        PIPE2_CB_IDLE [3:3] = 0x0 "idle flag (1 = idle) of PIPE2 CB",
        PIPE3_FG_IDLE [4:4] = 0x0 "idle flag (1 = idle) of PIPE3 FG",
        PIPE2_FG_IDLE [5:5] = 0x0 "idle flag (1 = idle) of PIPE2 FG",
        PIPE3_US_IDLE [6:6] = 0x0 "idle flag (1 = idle) of PIPE3 US",
        PIPE2_US_IDLE [7:7] = 0x0 "idle flag (1 = idle) of PIPE2 US",
        PIPE3_SC_IDLE [8:8] = 0x0 "idle flag (1 = idle) of PIPE3 SC",
        PIPE2_SC_IDLE [9:9] = 0x0 "idle flag (1 = idle) of PIPE2 SC",
        PIPE3_RS_IDLE [10:10] = 0x0 "idle flag (1 = idle) of PIPE3 RS",
        PIPE2_RS_IDLE [11:11] = 0x0 "idle flag (1 = idle) of PIPE2 RS",
        PIPE1_Z_IDLE [12:12] = 0x0 "idle flag (1 = idle) of PIPE1 Z",
        PIPE0_Z_IDLE [13:13] = 0x0 "idle flag (1 = idle) of PIPE0 Z",
        PIPE1_CB_IDLE [14:14] = 0x0 "idle flag (1 = idle) of PIPE1 CB",
        PIPE0_CB_IDLE [15:15] = 0x0 "idle flag (1 = idle) of PIPE0 CB",
        PIPE1_FG_IDLE [16:16] = 0x0 "idle flag (1 = idle) of PIPE1 FG",
        PIPE0_FG_IDLE [17:17] = 0x0 "idle flag (1 = idle) of PIPE0 FG",
        PIPE1_US_IDLE [18:18] = 0x0 "idle flag (1 = idle) of PIPE1 US",
        PIPE0_US_IDLE [19:19] = 0x0 "idle flag (1 = idle) of PIPE0 US",
        PIPE1_SC_IDLE [20:20] = 0x0 "idle flag (1 = idle) of PIPE1 SC",
        PIPE0_SC_IDLE [21:21] = 0x0 "idle flag (1 = idle) of PIPE0 SC",
        PIPE1_RS_IDLE [22:22] = 0x0 "idle flag (1 = idle) of PIPE1 RS",
        PIPE0_RS_IDLE [23:23] = 0x0 "idle flag (1 = idle) of PIPE0 RS",
        SU_IDLE [24:24] = 0x0 "idle flag (1 = idle) of SU",
        GA_IDLE [25:25] = 0x0 "idle flag (1 = idle) of GA",
        GA_UNIT2_IDLE [26:26] = 0x0 "idle flag (1 = idle) of GA UNIT2",
    }
    GA_LINE_STIPPLE_VALUE = 0x4260 {
        STIPPLE_VALUE [31:0] = 0x0 "stipple accumulator; low 24 bits; subpixels",
    }
    GA_LINE_S0 = 0x4264 {
        S0 [31:0] = 0x0 "IEEE float S stuffed at line vertex 0",
    }
    GA_LINE_S1 = 0x4268 {
        S1 [31:0] = 0x0 "IEEE float S stuffed at line vertex 1",
    }
    GA_FIFO_CNTL = 0x4270 {
        VERTEX_FIFO [2:0] = 0x0 "FIFO nearly-full mark (words left)",
        INDEX_FIFO [5:3] = 0x0 "FIFO nearly-full mark (words left)",
        REG_FIFO [13:6] = 0x0 "FIFO nearly-full mark (words left)",
    }
    GA_ENHANCE = 0x4274 {
        DEADLOCK_CNTL [0:0] = 0x0 "1 = avoid TCL interface deadlock on GA side",
        FASTSYNC_CNTL [1:1] = 0x1 "1 = fast register/primitive switching",
        REG_READWRITE [2:2] = 0x0 "1 = simultaneous register reads and writes",
        REG_NOSTALL [3:3] = 0x0 "1 = register reads do not stall the pipe",
    }
    GA_COLOR_CONTROL = 0x4278 {
        RGB0_SHADING [1:0] = 0x0 "RGB0 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        ALPHA0_SHADING [3:2] = 0x0 "ALPHA0 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        RGB1_SHADING [5:4] = 0x0 "RGB1 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        ALPHA1_SHADING [7:6] = 0x0 "ALPHA1 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        RGB2_SHADING [9:8] = 0x0 "RGB2 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        ALPHA2_SHADING [11:10] = 0x0 "ALPHA2 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        RGB3_SHADING [13:12] = 0x0 "RGB3 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        ALPHA3_SHADING [15:14] = 0x0 "ALPHA3 interpolation mode: 0 solid fill colour; 1 flat; 2 Gouraud",
        PROVOKING_VERTEX [17:16] = 0x0 "flat-shade provoking vertex: 0 first;1 second;2 third;3 last",
    }
    GA_SOLID_RG = 0x427c {
        COLOR_GREEN [15:0] = 0x0 "legacy solid-fill component; S3.12",
        COLOR_RED [31:16] = 0x0 "legacy solid-fill component; S3.12",
    }
    GA_SOLID_BA = 0x4280 {
        COLOR_ALPHA [15:0] = 0x0 "legacy solid-fill component; S3.12",
        COLOR_BLUE [31:16] = 0x0 "legacy solid-fill component; S3.12",
    }
    GA_POLY_MODE = 0x4288 {
        POLY_MODE [1:0] = 0x0 "0 = filled triangles; 1 = dual (front/back types below)",
        FRONT_PTYPE [6:4] = 0x0 "0 points;1 lines;2 triangles",
        BACK_PTYPE [9:7] = 0x0 "0 points;1 lines;2 triangles",
    }
    GA_ROUND_MODE = 0x428c {
        GEOMETRY_ROUND [1:0] = 0x0 "XY to fixed: 0 truncate;1 nearest",
        COLOR_ROUND [3:2] = 0x0 "FP32 to FP20: 0 truncate;1 nearest",
        RGB_CLAMP [4:4] = 0x0 "0 = clamp RGB to [0,1]; 1 = keep FP20 range",
        ALPHA_CLAMP [5:5] = 0x0 "0 = clamp alpha to [0,1]; 1 = keep FP20 range",
        GEOMETRY_MASK [9:6] = 0x0 "active-low mask over subpixel bits of X,Y",
    }
    GA_OFFSET = 0x4290 {
        X_OFFSET [15:0] = 0x0 "X offset added to vertices after fixed-point conversion; S15 subpixels",
        Y_OFFSET [31:16] = 0x0 "Y offset added to vertices after fixed-point conversion; S15 subpixels",
    }
    GA_FOG_SCALE = 0x4294 {
        VALUE [31:0] = 0x0 "IEEE float fog scale",
    }
    GA_FOG_OFFSET = 0x4298 {
        VALUE [31:0] = 0x0 "IEEE float fog offset",
    }
}
