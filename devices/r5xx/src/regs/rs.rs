//! Registers of RS: interpolators and their destinations.

super::registers! {
    pub(super) TABLE:
    RS_IP "RS_IP_[0-15]" = 0x4074 [16; 4] {
        TEX_PTR_S [5:0] = 0x0 "packet slot feeding S; 62 = constant 0.0; 63 = constant 1.0",
        TEX_PTR_T [11:6] = 0x0 "packet slot feeding T; 62 = constant 0.0; 63 = constant 1.0",
        TEX_PTR_R [17:12] = 0x0 "packet slot feeding R; 62 = constant 0.0; 63 = constant 1.0",
        TEX_PTR_Q [23:18] = 0x0 "packet slot feeding Q; 62 = constant 0.0; 63 = constant 1.0",
        COL_PTR [26:24] = 0x0 "packet colour index",
        COL_FMT [30:27] = 0x0 "0 RGBA;1 RGB0;2 RGB1;4 000A;5 0000;6 0001;8 111A;9 1110;10 1111",
        OFFSET_EN [31:31] = 0x0 "1 = apply RS_INST_COUNT.TX_OFFSET",
    }
    RS_COUNT = 0x4300 {
        IT_COUNT [6:0] = 0x0 "texture components in the rasteriser packet (0-32)",
        IC_COUNT [10:7] = 0x0 "colours in the rasteriser packet (0-4)",
        W_ADDR [17:12] = 0x0 "packet slot of W when W is output",
        HIRES_EN [18:18] = 0x0 "1 = high-resolution texture coordinates when Q==1",
    }
    RS_INST_COUNT = 0x4304 {
        INST_COUNT [3:0] = 0x0 "instruction count; documented as 1:16 in a 4-bit field (encode count-1, inferred)",
        TX_OFFSET [7:5] = 0x0 "texel-edge error nudge range, applied where OFFSET_EN=1",
    }
    RS_INST "RS_INST_[0-15]" = 0x4320 [16; 4] {
        TEX_ID [3:0] = 0x0 "RS_IP entry supplying the texture address",
        TEX_CN [4:4] = 0x0 "1 = write texture address",
        TEX_ADDR [11:5] = 0x0 "destination temp register for the texture address",
        COL_ID [15:12] = 0x0 "RS_IP entry supplying the colour",
        COL_CN [17:16] = 0x0 "0 none;1 write colour;2 write screen position as (X,Y,0,0);3 write facing as (B,0,0,0)",
        COL_ADDR [24:18] = 0x0 "destination temp register for the colour/position/facing",
        TEX_ADJ [25:25] = 0x0 "0 = sample at true pixel centre; 1 = at adjusted (centroid-style) centre",
        W_CN [26:26] = 0x0 "1 = output W",
    }
}
