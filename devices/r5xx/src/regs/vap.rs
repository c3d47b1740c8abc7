//! Registers of VAP: vertex fetch, stream control, programs, clipping and viewport.

super::registers! {
    pub(super) TABLE:
    VAP_PORT_DATA "VAP_PORT_DATA[0-15]" = 0x2000 [16; 4] {
        DATAPORT0 [31:0] = 0x0 "embedded vertex data port (any of 16 addresses)",
    }
    VAP_PORT_IDX "VAP_PORT_IDX[0-15]" = 0x2040 [16; 4] {
        IDXPORT0 [31:0] = 0x0 "index port; 16-bit mode: low half first",
    }
    VAP_CNTL = 0x2080 {
        PVS_NUM_SLOTS [3:0] = 0x0 "vertex groups resident (<= min(10,128/in,128/out))",
        PVS_NUM_CNTLRS [7:4] = 0x0 "vertex groups in flight (<= min(5 or 6,128/temps))",
        PVS_NUM_FPUS [11:8] = 0x0 "vector/math engines used",
        VAP_NO_RENDER [17:17] = 0x0 "1 = ignore draws",
        VF_MAX_VTX_NUM [21:18] = 0x9 "highest reusable vertex number (count-1)",
        DX_CLIP_SPACE_DEF [22:22] = 0x0 "0 = -W<Z<W (GL);1 = 0<Z<W (D3D/Vulkan)",
        TCL_STATE_OPTIMIZATION [23:23] = 0x0 "1 = new TCL state only when changed; keep 1",
    }
    VAP_VF_CNTL = 0x2084 {
        PRIM_TYPE [3:0] = 0x0 "0 none;1 points;2 lines;3 line strip;4 triangles;5 fan;6 strip;7 triangles+wFlags;12 line loop;13 quads;14 quad strip;15 polygon",
        PRIM_WALK [5:4] = 0x0 "0 state-based;1 indices in stream;2 vertex list (auto index);3 vertex data in stream",
        RSVD_PREV_USED [10:6] = 0x0 "reserved",
        INDEX_SIZE [11:11] = 0x0 "0 16-bit; 1 32-bit",
        VTX_REUSE_DIS [12:12] = 0x0 "1 = no vertex reuse (indexed walk only)",
        DUAL_INDEX_MODE [13:13] = 0x0 "1 = bits 23:16 index array 0, bits 15:0 index arrays 1-15",
        USE_ALT_NUM_VERTS [14:14] = 0x0 "1 = count from VAP_ALT_NUM_VERTICES",
        NUM_VERTICES [31:16] = 0x0 "vertex/index count",
    }
    VAP_ALT_NUM_VERTICES = 0x2088 {
        NUM_VERTICES [23:0] = 0x0 "24-bit vertex count, used when USE_ALT_NUM_VERTS=1",
    }
    VAP_INDEX_OFFSET = 0x208c {
        INDEX_OFFSET [24:0] = 0x0 "signed 25-bit value added to every index",
    }
    VAP_OUT_VTX_FMT_0 = 0x2090 {
        VTX_POS_PRESENT [0:0] = 0x0 "1 = position output",
        VTX_COLOR_0_PRESENT [1:1] = 0x0 "1 = colour 0 output",
        VTX_COLOR_1_PRESENT [2:2] = 0x0 "1 = colour 1 output",
        VTX_COLOR_2_PRESENT [3:3] = 0x0 "1 = colour 2 output",
        VTX_COLOR_3_PRESENT [4:4] = 0x0 "1 = colour 3 output",
        VTX_PT_SIZE_PRESENT [16:16] = 0x0 "1 = point size output",
    }
    VAP_OUT_VTX_FMT_1 = 0x2094 {
        TEX_0_COMP_CNT [2:0] = 0x0 "texture 0 component count 0-4",
        TEX_1_COMP_CNT [5:3] = 0x0 "texture 1 component count 0-4",
        TEX_2_COMP_CNT [8:6] = 0x0 "texture 2 component count 0-4",
        TEX_3_COMP_CNT [11:9] = 0x0 "texture 3 component count 0-4",
        TEX_4_COMP_CNT [14:12] = 0x0 "texture 4 component count 0-4",
        TEX_5_COMP_CNT [17:15] = 0x0 "texture 5 component count 0-4",
        TEX_6_COMP_CNT [20:18] = 0x0 "texture 6 component count 0-4",
        TEX_7_COMP_CNT [23:21] = 0x0 "texture 7 component count 0-4",
    }
    VAP_VPORT_XSCALE = 0x2098 {
        VPORT_XSCALE [31:0] = 0x0 "float viewport X scale (alias 0x1d98)",
    }
    VAP_VPORT_XOFFSET = 0x209c {
        VPORT_XOFFSET [31:0] = 0x0 "float viewport X offset (alias 0x1d9c)",
    }
    VAP_VPORT_YSCALE = 0x20a0 {
        VPORT_YSCALE [31:0] = 0x0 "float viewport Y scale (alias 0x1da0)",
    }
    VAP_VPORT_YOFFSET = 0x20a4 {
        VPORT_YOFFSET [31:0] = 0x0 "float viewport Y offset (alias 0x1da4)",
    }
    VAP_VPORT_ZSCALE = 0x20a8 {
        VPORT_ZSCALE [31:0] = 0x0 "float viewport Z scale (alias 0x1da8)",
    }
    VAP_VPORT_ZOFFSET = 0x20ac {
        VPORT_ZOFFSET [31:0] = 0x0 "float viewport Z offset (alias 0x1dac)",
    }
    VAP_VTE_CNTL = 0x20b0 {
        VPORT_X_SCALE_ENA [0:0] = 0x0 "1 = apply viewport X scale",
        VPORT_X_OFFSET_ENA [1:1] = 0x0 "1 = apply viewport X offset",
        VPORT_Y_SCALE_ENA [2:2] = 0x0 "1 = apply viewport Y scale",
        VPORT_Y_OFFSET_ENA [3:3] = 0x0 "1 = apply viewport Y offset",
        VPORT_Z_SCALE_ENA [4:4] = 0x0 "1 = apply viewport Z scale",
        VPORT_Z_OFFSET_ENA [5:5] = 0x0 "1 = apply viewport Z offset",
        VTX_XY_FMT [8:8] = 0x0 "1 = X,Y already divided by W; 0 = VTE multiplies by 1/W",
        VTX_Z_FMT [9:9] = 0x0 "1 = Z already divided by W; 0 = VTE multiplies by 1/W",
        VTX_W0_FMT [10:10] = 0x0 "1 = incoming W is W (take reciprocal); 0 = it is already 1/W",
        SERIAL_PROC_ENA [11:11] = 0x0 "1 = serial xyz transform (performance only)",
    }
    VAP_VTX_SIZE = 0x20b4 {
        DWORDS_PER_VTX [6:0] = 0x0 "dwords per vertex for PRIM_WALK=3",
    }
    VAP_PORT_DATA_IDX_128 = 0x20b8 {
        DATA_IDX_PORT_128 [31:0] = 0x0 "128-bit data/index port (PM4 3D_DRAW_128 only)",
    }
    VAP_VTX_NUM_ARRAYS = 0x20c0 {
        VTX_NUM_ARRAYS [4:0] = 0x0 "number of vertex arrays",
        VC_FORCE_PREFETCH [5:5] = 0x0 "1 = always fetch 256-bit words",
        VC_DIS_CACHE_INVLD [6:6] = 0x0 "1 = keep vertex cache between draws",
        AOS_0_FETCH_SIZE [16:16] = 0x0 "array 0 fetch granule: 0 128-bit; 1 256-bit",
        AOS_1_FETCH_SIZE [17:17] = 0x0 "array 1 fetch granule: 0 128-bit; 1 256-bit",
        AOS_2_FETCH_SIZE [18:18] = 0x0 "array 2 fetch granule: 0 128-bit; 1 256-bit",
        AOS_3_FETCH_SIZE [19:19] = 0x0 "array 3 fetch granule: 0 128-bit; 1 256-bit",
        AOS_4_FETCH_SIZE [20:20] = 0x0 "array 4 fetch granule: 0 128-bit; 1 256-bit",
        AOS_5_FETCH_SIZE [21:21] = 0x0 "array 5 fetch granule: 0 128-bit; 1 256-bit",
        AOS_6_FETCH_SIZE [22:22] = 0x0 "array 6 fetch granule: 0 128-bit; 1 256-bit",
        AOS_7_FETCH_SIZE [23:23] = 0x0 "array 7 fetch granule: 0 128-bit; 1 256-bit",
        AOS_8_FETCH_SIZE [24:24] = 0x0 "array 8 fetch granule: 0 128-bit; 1 256-bit",
        AOS_9_FETCH_SIZE [25:25] = 0x0 "array 9 fetch granule: 0 128-bit; 1 256-bit",
        AOS_10_FETCH_SIZE [26:26] = 0x0 "array 10 fetch granule: 0 128-bit; 1 256-bit",
        AOS_11_FETCH_SIZE [27:27] = 0x0 "array 11 fetch granule: 0 128-bit; 1 256-bit",
        AOS_12_FETCH_SIZE [28:28] = 0x0 "array 12 fetch granule: 0 128-bit; 1 256-bit",
        AOS_13_FETCH_SIZE [29:29] = 0x0 "array 13 fetch granule: 0 128-bit; 1 256-bit",
        AOS_14_FETCH_SIZE [30:30] = 0x0 "array 14 fetch granule: 0 128-bit; 1 256-bit",
        AOS_15_FETCH_SIZE [31:31] = 0x0 "array 15 fetch granule: 0 128-bit; 1 256-bit",
    }
    VAP_VTX_AOS_ATTR "VAP_VTX_AOS_ATTR[01-1415]" = 0x20c4 [8; 12] {
        VTX_AOS_COUNT0 [6:0] = 0x0 "dwords fetched per element, even array of the pair",
        VTX_AOS_STRIDE0 [14:8] = 0x0 "stride in dwords, even array of the pair",
        VTX_AOS_COUNT1 [22:16] = 0x0 "dwords fetched per element, odd array of the pair",
        VTX_AOS_STRIDE1 [30:24] = 0x0 "stride in dwords, odd array of the pair",
    }
    VAP_VTX_AOS_ADDR_EVEN "VAP_VTX_AOS_ADDR[0,2..14]" = 0x20c8 [8; 12] {
        VTX_AOS_ADDR0 [31:2] = 0x0 "vertex array base address (dword aligned)",
    }
    VAP_VTX_AOS_ADDR_ODD "VAP_VTX_AOS_ADDR[1,3..15]" = 0x20cc [8; 12] {
        VTX_AOS_ADDR0 [31:2] = 0x0 "vertex array base address (dword aligned)",
    }
    VAP_VF_MAX_VTX_INDX = 0x2134 {
        MAX_INDX [23:0] = 0xffffff "index clamp upper bound",
    }
    VAP_VF_MIN_VTX_INDX = 0x2138 {
        MIN_INDX [23:0] = 0x0 "index clamp lower bound",
    }
    VAP_CNTL_STATUS = 0x2140 {
        VC_SWAP [1:0] = 0x0 "vertex/index endian: 0 none;1 16-bit;2 32-bit;3 half-dword",
        PVS_BYPASS [8:8] = 0x0 "1 = TCL engine bypassed",
        PVS_BUSY [11:11] = 0x0 "1 = PVS busy; read-only",
        MAX_MPS [19:16] = 0x0 "fused vertex engine count code; read-only",
        VS_BUSY [24:24] = 0x0 "1 = VS busy; read-only",
        RCP_BUSY [25:25] = 0x0 "1 = RCP busy; read-only",
        VTE_BUSY [26:26] = 0x0 "1 = VTE busy; read-only",
        MIU_BUSY [27:27] = 0x0 "1 = MIU busy; read-only",
        VC_BUSY [28:28] = 0x0 "1 = VC busy; read-only",
        VF_BUSY [29:29] = 0x0 "1 = VF busy; read-only",
        REGPIPE_BUSY [30:30] = 0x0 "1 = REGPIPE busy; read-only",
        VAP_BUSY [31:31] = 0x0 "1 = VAP busy; read-only",
    }
    VAP_PROG_STREAM_CNTL "VAP_PROG_STREAM_CNTL_[0-7]" = 0x2150 [8; 4] {
        DATA_TYPE_0 [3:0] = 0x0 "0 FLOAT_1;1 FLOAT_2;2 FLOAT_3;3 FLOAT_4;4 BYTE;5 D3DCOLOR;6 SHORT_2;7 SHORT_4;8 VEC3_TTT;9 VEC3_EET;10 FLOAT_8;11 FLT16_2;12 FLT16_4",
        SKIP_DWORDS_0 [7:4] = 0x0 "dwords discarded after the element",
        DST_VEC_LOC_0 [12:8] = 0x0 "input-memory vector written",
        LAST_VEC_0 [13:13] = 0x0 "1 = last element of the vertex",
        SIGNED_0 [14:14] = 0x0 "fixed point is two's complement",
        NORMALIZE_0 [15:15] = 0x0 "1 = map fixed point to [0,1] or [-1,1]",
        DATA_TYPE_1 [19:16] = 0x0 "0 FLOAT_1;1 FLOAT_2;2 FLOAT_3;3 FLOAT_4;4 BYTE;5 D3DCOLOR;6 SHORT_2;7 SHORT_4;8 VEC3_TTT;9 VEC3_EET;10 FLOAT_8;11 FLT16_2;12 FLT16_4",
        SKIP_DWORDS_1 [23:20] = 0x0 "dwords discarded after the element",
        DST_VEC_LOC_1 [28:24] = 0x0 "input-memory vector written",
        LAST_VEC_1 [29:29] = 0x0 "1 = last element of the vertex",
        SIGNED_1 [30:30] = 0x0 "fixed point is two's complement",
        NORMALIZE_1 [31:31] = 0x0 "1 = map fixed point to [0,1] or [-1,1]",
    }
    VAP_VTX_STATE_CNTL = 0x2180 {
        COLOR_0_ASSEMBLY_CNTL [1:0] = 0x0 "colour 0 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_1_ASSEMBLY_CNTL [3:2] = 0x0 "colour 1 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_2_ASSEMBLY_CNTL [5:4] = 0x0 "colour 2 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_3_ASSEMBLY_CNTL [7:6] = 0x0 "colour 3 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_4_ASSEMBLY_CNTL [9:8] = 0x0 "colour 4 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_5_ASSEMBLY_CNTL [11:10] = 0x0 "colour 5 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_6_ASSEMBLY_CNTL [13:12] = 0x0 "colour 6 from: 0 itself;1 user colour 0;2 user colour 1",
        COLOR_7_ASSEMBLY_CNTL [15:14] = 0x0 "colour 7 from: 0 itself;1 user colour 0;2 user colour 1",
        UPDATE_USER_COLOR_0_ENA [16:16] = 0x0 "1 = writing user colour 0 updates its state",
        RESERVED_18 [18:18] = 0x0 "reserved",
    }
    VAP_PSC_SGN_NORM_CNTL = 0x21dc {
        SGN_NORM_METHOD_0 [1:0] = 0x0 "element 0 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_1 [3:2] = 0x0 "element 1 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_2 [5:4] = 0x0 "element 2 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_3 [7:6] = 0x0 "element 3 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_4 [9:8] = 0x0 "element 4 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_5 [11:10] = 0x0 "element 5 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_6 [13:12] = 0x0 "element 6 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_7 [15:14] = 0x0 "element 7 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_8 [17:16] = 0x0 "element 8 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_9 [19:18] = 0x0 "element 9 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_10 [21:20] = 0x0 "element 10 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_11 [23:22] = 0x0 "element 11 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_12 [25:24] = 0x0 "element 12 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_13 [27:26] = 0x0 "element 13 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_14 [29:28] = 0x0 "element 14 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
        SGN_NORM_METHOD_15 [31:30] = 0x0 "element 15 snorm rule: 0 v/(2^(n-1)-1);1 same clamped at -1;2 (2v+1)/(2^n-1) (register text prints /2^n)",
    }
    VAP_PROG_STREAM_CNTL_EXT "VAP_PROG_STREAM_CNTL_EXT_[0-7]" = 0x21e0 [8; 4] {
        SWIZZLE_SELECT_X_0 [2:0] = 0x0 "X from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        SWIZZLE_SELECT_Y_0 [5:3] = 0x0 "Y from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        SWIZZLE_SELECT_Z_0 [8:6] = 0x0 "Z from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        SWIZZLE_SELECT_W_0 [11:9] = 0x0 "W from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        WRITE_ENA_0 [15:12] = 0x0 "write mask bit0 X..bit3 W",
        SWIZZLE_SELECT_X_1 [18:16] = 0x0 "X from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        SWIZZLE_SELECT_Y_1 [21:19] = 0x0 "Y from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        SWIZZLE_SELECT_Z_1 [24:22] = 0x0 "Z from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        SWIZZLE_SELECT_W_1 [27:25] = 0x0 "W from: 0 X;1 Y;2 Z;3 W;4 0.0;5 1.0",
        WRITE_ENA_1 [31:28] = 0x0 "write mask bit0 X..bit3 W",
    }
    VAP_PVS_VECTOR_INDX_REG = 0x2200 {
        OCTWORD_OFFSET [10:0] = 0x0 "vector memory address in 128-bit units",
    }
    VAP_PVS_VECTOR_DATA_REG = 0x2204 {
        DATA_REGISTER [31:0] = 0x0 "vector memory data port; index advances each 4 dwords",
    }
    VAP_PVS_VECTOR_DATA_REG_128 = 0x2208 {
        DATA_REGISTER [31:0] = 0x0 "128-bit vector memory data port",
    }
    VAP_TEX_TO_COLOR_CNTL = 0x2218 {
        TEX_RGB_SHADE_FUNC_0 [0:0] = 0x0 "texture vector 0 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_0 [1:1] = 0x0 "texture vector 0 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_0 [2:2] = 0x0 "texture vector 0: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_1 [4:4] = 0x0 "texture vector 1 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_1 [5:5] = 0x0 "texture vector 1 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_1 [6:6] = 0x0 "texture vector 1: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_2 [8:8] = 0x0 "texture vector 2 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_2 [9:9] = 0x0 "texture vector 2 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_2 [10:10] = 0x0 "texture vector 2: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_3 [12:12] = 0x0 "texture vector 3 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_3 [13:13] = 0x0 "texture vector 3 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_3 [14:14] = 0x0 "texture vector 3: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_4 [16:16] = 0x0 "texture vector 4 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_4 [17:17] = 0x0 "texture vector 4 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_4 [18:18] = 0x0 "texture vector 4: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_5 [20:20] = 0x0 "texture vector 5 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_5 [21:21] = 0x0 "texture vector 5 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_5 [22:22] = 0x0 "texture vector 5: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_6 [24:24] = 0x0 "texture vector 6 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_6 [25:25] = 0x0 "texture vector 6 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_6 [26:26] = 0x0 "texture vector 6: colour clamp during clipping",
        TEX_RGB_SHADE_FUNC_7 [28:28] = 0x0 "texture vector 7 rgb: flat-shade during clipping (polarity not stated)",
        TEX_ALPHA_SHADE_FUNC_7 [29:29] = 0x0 "texture vector 7 alpha: flat-shade during clipping (polarity not stated)",
        TEX_RGBA_CLAMP_7 [30:30] = 0x0 "texture vector 7: colour clamp during clipping",
    }
    VAP_CLIP_CNTL = 0x221c {
        UCP_ENA_0 [0:0] = 0x0 "1 = user clip plane 0 on",
        UCP_ENA_1 [1:1] = 0x0 "1 = user clip plane 1 on",
        UCP_ENA_2 [2:2] = 0x0 "1 = user clip plane 2 on",
        UCP_ENA_3 [3:3] = 0x0 "1 = user clip plane 3 on",
        UCP_ENA_4 [4:4] = 0x0 "1 = user clip plane 4 on",
        UCP_ENA_5 [5:5] = 0x0 "1 = user clip plane 5 on",
        PS_UCP_MODE [15:14] = 0x0 "points vs UCP: 0 cull by centre;1 cull by centre+radius;2 same, expand and clip if crossing;3 always expand to fan",
        CLIP_DISABLE [16:16] = 0x0 "1 = no clip codes, no clipping",
        UCP_CULL_ONLY_ENA [17:17] = 0x0 "1 = cull by UCPs without clipping",
        BOUNDARY_EDGE_FLAG_ENA [18:18] = 0x0 "1 = edges made by clipping are drawn in wireframe",
        COLOR2_IS_TEXTURE [20:20] = 0x0 "1 = colour 2 feeds texture vector 8",
        COLOR3_IS_TEXTURE [21:21] = 0x0 "1 = colour 3 feeds texture vector 9",
    }
    VAP_GB_VERT_CLIP_ADJ = 0x2220 {
        DATA_REGISTER [31:0] = 0x0 "float guard-band clip scale, Y; 1.0 = none",
    }
    VAP_GB_VERT_DISC_ADJ = 0x2224 {
        DATA_REGISTER [31:0] = 0x0 "float guard-band discard scale, Y; 1.0 = none",
    }
    VAP_GB_HORZ_CLIP_ADJ = 0x2228 {
        DATA_REGISTER [31:0] = 0x0 "float guard-band clip scale, X; 1.0 = none",
    }
    VAP_GB_HORZ_DISC_ADJ = 0x222c {
        DATA_REGISTER [31:0] = 0x0 "float guard-band discard scale, X; 1.0 = none",
    }
    VAP_PVS_FLOW_CNTL_ADDRS "VAP_PVS_FLOW_CNTL_ADDRS_[0-15]" = 0x2230 [16; 4] {
        PVS_FC_ACT_ADRS_0 [7:0] = 0x0 "last PVS instruction executed before the redirect",
        PVS_FC_LOOP_CNT_JMP_INST_0 [15:8] = 0x0 "JUMP/JSR: target instruction; LOOP: iteration count (never 0)",
        PVS_FC_LAST_INST_0 [23:16] = 0x0 "LOOP: last instruction of body; JSR: last instruction of subroutine",
        PVS_FC_RTN_INST_0 [31:24] = 0x0 "LOOP: first instruction of body; JSR: instruction after the call",
    }
    VAP_PVS_STATE_FLUSH_REG = 0x2284 {
        DATA_REGISTER [31:0] = 0x0 "any write drains PVS so code/constants may be changed",
    }
    VAP_PVS_VTX_TIMEOUT_REG = 0x2288 {
        CLK_COUNT [31:0] = 0xffffffff "clocks before a partial vertex group is submitted",
    }
    VAP_PVS_FLOW_CNTL_LOOP_INDEX "VAP_PVS_FLOW_CNTL_LOOP_INDEX_[0-15]" = 0x2290 [16; 4] {
        PVS_FC_LOOP_INIT_VAL_0 [7:0] = 0x0 "loop index start, unsigned 8-bit",
        PVS_FC_LOOP_STEP_VAL_0 [15:8] = 0x0 "loop index step, signed 8-bit",
        PVS_FC_LOOP_REPEAT_NO_FLI_0 [31:31] = 0x0 "1 = inherit outer loop index instead of init; restored on exit",
    }
    VAP_PVS_CODE_CNTL_0 = 0x22d0 {
        PVS_FIRST_INST [9:0] = 0x0 "first instruction",
        PVS_XYZW_VALID_INST [19:10] = 0x0 "instruction that last writes position (scheduling hint)",
        PVS_LAST_INST [29:20] = 0x0 "last instruction, inclusive",
    }
    VAP_PVS_CONST_CNTL = 0x22d4 {
        PVS_CONST_BASE_OFFSET [7:0] = 0x0 "vector offset added to constant addresses",
        PVS_MAX_CONST_ADDR [23:16] = 0x0 "relative reads outside 0..this return (0,0,0,0)",
    }
    VAP_PVS_CODE_CNTL_1 = 0x22d8 {
        PVS_LAST_VTX_SRC_INST [9:0] = 0x0 "instruction that last reads input memory (scheduling hint)",
    }
    VAP_PVS_FLOW_CNTL_OPC = 0x22dc {
        PVS_FC_OPC_0 [1:0] = 0x0 "flow slot 0: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_1 [3:2] = 0x0 "flow slot 1: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_2 [5:4] = 0x0 "flow slot 2: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_3 [7:6] = 0x0 "flow slot 3: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_4 [9:8] = 0x0 "flow slot 4: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_5 [11:10] = 0x0 "flow slot 5: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_6 [13:12] = 0x0 "flow slot 6: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_7 [15:14] = 0x0 "flow slot 7: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_8 [17:16] = 0x0 "flow slot 8: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_9 [19:18] = 0x0 "flow slot 9: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_10 [21:20] = 0x0 "flow slot 10: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_11 [23:22] = 0x0 "flow slot 11: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_12 [25:24] = 0x0 "flow slot 12: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_13 [27:26] = 0x0 "flow slot 13: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_14 [29:28] = 0x0 "flow slot 14: 0 none;1 JUMP;2 LOOP;3 JSR",
        PVS_FC_OPC_15 [31:30] = 0x0 "flow slot 15: 0 none;1 JUMP;2 LOOP;3 JSR",
    }
    VAP_VTX_ST_POS_0_X_4 = 0x2300 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_X_4",
    }
    VAP_VTX_ST_POS_0_Y_4 = 0x2304 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_Y_4",
    }
    VAP_VTX_ST_POS_0_Z_4 = 0x2308 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_Z_4",
    }
    VAP_VTX_ST_POS_0_W_4 = 0x230c {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_W_4",
    }
    VAP_VTX_ST_NORM_0_X = 0x2310 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_0_X",
    }
    VAP_VTX_ST_NORM_0_Y = 0x2314 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_0_Y",
    }
    VAP_VTX_ST_NORM_0_Z = 0x2318 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_0_Z",
    }
    VAP_VTX_ST_PVMS = 0x231c {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: PVMS",
    }
    VAP_VTX_ST_CLR_R "VAP_VTX_ST_CLR_[0-7]_R" = 0x2320 [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: CLR_[0-7]_R",
    }
    VAP_VTX_ST_CLR_G "VAP_VTX_ST_CLR_[0-7]_G" = 0x2324 [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: CLR_[0-7]_G",
    }
    VAP_VTX_ST_CLR_B "VAP_VTX_ST_CLR_[0-7]_B" = 0x2328 [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: CLR_[0-7]_B",
    }
    VAP_VTX_ST_CLR_A "VAP_VTX_ST_CLR_[0-7]_A" = 0x232c [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: CLR_[0-7]_A",
    }
    VAP_VTX_ST_TEX_S "VAP_VTX_ST_TEX_[0-7]_S" = 0x23a0 [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: TEX_[0-7]_S",
    }
    VAP_VTX_ST_TEX_T "VAP_VTX_ST_TEX_[0-7]_T" = 0x23a4 [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: TEX_[0-7]_T",
    }
    VAP_VTX_ST_TEX_R "VAP_VTX_ST_TEX_[0-7]_R" = 0x23a8 [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: TEX_[0-7]_R",
    }
    VAP_VTX_ST_TEX_Q "VAP_VTX_ST_TEX_[0-7]_Q" = 0x23ac [8; 16] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: TEX_[0-7]_Q",
    }
    VAP_VTX_ST_PNT_SPRT_SZ = 0x2420 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: PNT_SPRT_SZ",
    }
    VAP_VTX_ST_DISC_FOG = 0x2424 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: DISC_FOG",
    }
    VAP_VTX_ST_SHININESS_0 = 0x2428 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: SHININESS_0",
    }
    VAP_VTX_ST_SHININESS_1 = 0x242c {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: SHININESS_1",
    }
    VAP_VTX_ST_BLND_WT "VAP_VTX_ST_BLND_WT_[0-3]" = 0x2430 [4; 4] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: BLND_WT_[0-3]",
    }
    VAP_VTX_ST_POS_1_X = 0x2440 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_1_X",
    }
    VAP_VTX_ST_POS_1_Y = 0x2444 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_1_Y",
    }
    VAP_VTX_ST_POS_1_Z = 0x2448 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_1_Z",
    }
    VAP_VTX_ST_POS_1_W = 0x244c {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_1_W",
    }
    VAP_VTX_ST_NORM_1_X = 0x2450 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_1_X",
    }
    VAP_VTX_ST_NORM_1_Y = 0x2454 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_1_Y",
    }
    VAP_VTX_ST_NORM_1_Z = 0x2458 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_1_Z",
    }
    VAP_VTX_ST_EDGE_FLAGS = 0x245c {
        DATA_REGISTER [0:0] = 0x0 "state-based (immediate) vertex attribute: EDGE_FLAGS",
    }
    VAP_VTX_ST_USR_CLR_R = 0x2460 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: USR_CLR_R",
    }
    VAP_VTX_ST_USR_CLR_G = 0x2464 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: USR_CLR_G",
    }
    VAP_VTX_ST_USR_CLR_B = 0x2468 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: USR_CLR_B",
    }
    VAP_VTX_ST_USR_CLR_A = 0x246c {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: USR_CLR_A",
    }
    VAP_VTX_ST_CLR_PKD "VAP_VTX_ST_CLR_[0-7]_PKD" = 0x2470 [8; 4] {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: CLR_[0-7]_PKD",
    }
    VAP_VTX_ST_POS_0_X_2 = 0x2490 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_X_2",
    }
    VAP_VTX_ST_POS_0_Y_2 = 0x2494 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_Y_2",
    }
    VAP_VTX_ST_NORM_0_PKD = 0x2498 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: NORM_0_PKD",
    }
    VAP_VTX_ST_USR_CLR_PKD = 0x249c {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: USR_CLR_PKD",
    }
    VAP_VTX_ST_POS_0_X_3 = 0x24a0 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_X_3",
    }
    VAP_VTX_ST_POS_0_Y_3 = 0x24a4 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_Y_3",
    }
    VAP_VTX_ST_POS_0_Z_3 = 0x24a8 {
        DATA_REGISTER [31:0] = 0x0 "state-based (immediate) vertex attribute: POS_0_Z_3",
    }
    VAP_VTX_ST_END_OF_PKT = 0x24ac {
        DATA_REGISTER [31:0] = 0x0 "state-based vertex path: packet end token",
    }
    VAP_PVS_FLOW_CNTL_ADDRS_LW "VAP_PVS_FLOW_CNTL_ADDRS_LW_[0-15]" = 0x2500 [16; 8] {
        PVS_FC_ACT_ADRS_0 [15:0] = 0x0 "last PVS instruction executed before the redirect",
        PVS_FC_LOOP_CNT_JMP_INST_0 [31:16] = 0x0 "JUMP/JSR: target instruction; LOOP: iteration count (never 0)",
    }
    VAP_PVS_FLOW_CNTL_ADDRS_UW "VAP_PVS_FLOW_CNTL_ADDRS_UW_[0-15]" = 0x2504 [16; 8] {
        PVS_FC_LAST_INST_0 [15:0] = 0x0 "LOOP: last instruction of body; JSR: last instruction of subroutine",
        PVS_FC_RTN_INST_0 [31:16] = 0x0 "LOOP: first instruction of body; JSR: instruction after the call",
    }
}
