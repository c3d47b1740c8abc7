//! Registers of SU: cull, cylindrical wrap, polygon offset.

super::registers! {
    pub(super) TABLE:
    SU_TEX_WRAP_PS3 = 0x4114 {
        T9C0 [0:0] = 0x0 "1 = cylindrical wrap on component 0 of texture 9",
        T9C1 [1:1] = 0x0 "1 = cylindrical wrap on component 1 of texture 9",
        T9C2 [2:2] = 0x0 "1 = cylindrical wrap on component 2 of texture 9",
        T9C3 [3:3] = 0x0 "1 = cylindrical wrap on component 3 of texture 9",
        T8C0 [4:4] = 0x0 "1 = cylindrical wrap on component 0 of texture 8",
        T8C1 [5:5] = 0x0 "1 = cylindrical wrap on component 1 of texture 8",
        T8C2 [6:6] = 0x0 "1 = cylindrical wrap on component 2 of texture 8",
        T8C3 [7:7] = 0x0 "1 = cylindrical wrap on component 3 of texture 8",
    }
    SU_TEX_WRAP = 0x42a0 {
        T0C0 [0:0] = 0x0 "1 = cylindrical wrap on component 0 of texture 0",
        T0C1 [1:1] = 0x0 "1 = cylindrical wrap on component 1 of texture 0",
        T0C2 [2:2] = 0x0 "1 = cylindrical wrap on component 2 of texture 0",
        T0C3 [3:3] = 0x0 "1 = cylindrical wrap on component 3 of texture 0",
        T1C0 [4:4] = 0x0 "1 = cylindrical wrap on component 0 of texture 1",
        T1C1 [5:5] = 0x0 "1 = cylindrical wrap on component 1 of texture 1",
        T1C2 [6:6] = 0x0 "1 = cylindrical wrap on component 2 of texture 1",
        T1C3 [7:7] = 0x0 "1 = cylindrical wrap on component 3 of texture 1",
        T2C0 [8:8] = 0x0 "1 = cylindrical wrap on component 0 of texture 2",
        T2C1 [9:9] = 0x0 "1 = cylindrical wrap on component 1 of texture 2",
        T2C2 [10:10] = 0x0 "1 = cylindrical wrap on component 2 of texture 2",
        T2C3 [11:11] = 0x0 "1 = cylindrical wrap on component 3 of texture 2",
        T3C0 [12:12] = 0x0 "1 = cylindrical wrap on component 0 of texture 3",
        T3C1 [13:13] = 0x0 "1 = cylindrical wrap on component 1 of texture 3",
        T3C2 [14:14] = 0x0 "1 = cylindrical wrap on component 2 of texture 3",
        T3C3 [15:15] = 0x0 "1 = cylindrical wrap on component 3 of texture 3",
        T4C0 [16:16] = 0x0 "1 = cylindrical wrap on component 0 of texture 4",
        T4C1 [17:17] = 0x0 "1 = cylindrical wrap on component 1 of texture 4",
        T4C2 [18:18] = 0x0 "1 = cylindrical wrap on component 2 of texture 4",
        T4C3 [19:19] = 0x0 "1 = cylindrical wrap on component 3 of texture 4",
        T5C0 [20:20] = 0x0 "1 = cylindrical wrap on component 0 of texture 5",
        T5C1 [21:21] = 0x0 "1 = cylindrical wrap on component 1 of texture 5",
        T5C2 [22:22] = 0x0 "1 = cylindrical wrap on component 2 of texture 5",
        T5C3 [23:23] = 0x0 "1 = cylindrical wrap on component 3 of texture 5",
        T6C0 [24:24] = 0x0 "1 = cylindrical wrap on component 0 of texture 6",
        T6C1 [25:25] = 0x0 "1 = cylindrical wrap on component 1 of texture 6",
        T6C2 [26:26] = 0x0 "1 = cylindrical wrap on component 2 of texture 6",
        T6C3 [27:27] = 0x0 "1 = cylindrical wrap on component 3 of texture 6",
        T7C0 [28:28] = 0x0 "1 = cylindrical wrap on component 0 of texture 7",
        T7C1 [29:29] = 0x0 "1 = cylindrical wrap on component 1 of texture 7",
        T7C2 [30:30] = 0x0 "1 = cylindrical wrap on component 2 of texture 7",
        T7C3 [31:31] = 0x0 "1 = cylindrical wrap on component 3 of texture 7",
    }
    SU_POLY_OFFSET_FRONT_SCALE = 0x42a4 {
        SCALE [31:0] = 0x0 "front-face slope bias; float; slope measured per subpixel",
    }
    SU_POLY_OFFSET_FRONT_OFFSET = 0x42a8 {
        OFFSET [31:0] = 0x0 "front-face constant depth bias; float in 24-bit depth units",
    }
    SU_POLY_OFFSET_BACK_SCALE = 0x42ac {
        SCALE [31:0] = 0x0 "back-face slope bias; float; slope measured per subpixel",
    }
    SU_POLY_OFFSET_BACK_OFFSET = 0x42b0 {
        OFFSET [31:0] = 0x0 "back-face constant depth bias; float in 24-bit depth units",
    }
    SU_POLY_OFFSET_ENABLE = 0x42b4 {
        FRONT_ENABLE [0:0] = 0x0 "1 = bias front faces",
        BACK_ENABLE [1:1] = 0x0 "1 = bias back faces",
        PARA_ENABLE [2:2] = 0x0 "1 = treat points/lines (parallelograms) as front for bias; needs FRONT_ENABLE",
    }
    SU_CULL_MODE = 0x42b8 {
        CULL_FRONT [0:0] = 0x0 "1 = cull front-facing triangles",
        CULL_BACK [1:1] = 0x0 "1 = cull back-facing triangles",
        FACE [2:2] = 0x0 "0 = positive cross product (CCW) is front; 1 = negative (CW)",
    }
    SU_DEPTH_SCALE = 0x42c0 {
        SCALE [31:0] = 0x3f800000 "float multiplying depth before fixed-point conversion (reset 1.0)",
    }
    SU_DEPTH_OFFSET = 0x42c4 {
        OFFSET [31:0] = 0x0 "float added to depth before fixed-point conversion",
    }
    SU_REG_DEST = 0x42c8 {
        SELECT [3:0] = 0xf "logical-pipe mask for register access",
    }
}
