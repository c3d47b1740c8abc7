//! Registers of SC: scissor, clip rectangles, edge rules.

super::registers! {
    pub(super) TABLE:
    SC_HYPERZ_EN = 0x43a4 {
        HZ_EN [0:0] = 0x0 "1 = HiZ test in scan converter",
        HZ_MAX [1:1] = 0x0 "tile z reported: 0 minimum; 1 maximum",
        HZ_ADJ [4:2] = 0x0 "slop added/subtracted: 1/(256>>n) scaled by ze, n=0..7",
        HZ_Z0MIN [5:5] = 0x0 "1 = vertex 0 holds the minimum z",
        HZ_Z0MAX [6:6] = 0x0 "1 = vertex 0 holds the maximum z",
    }
    SC_EDGERULE = 0x43a8 {
        ER_TRI [4:0] = 0x0 "triangles: edge inclusion code 0-31 (see r5xx.md 11.3); 5 = left-in,right-out,top-in,bottom-out",
        ER_POINT [9:5] = 0x0 "points: edge inclusion code 0-31 (see r5xx.md 11.3); 5 = left-in,right-out,top-in,bottom-out",
        ER_LINE_LR [14:10] = 0x0 "left-to-right lines: edge inclusion code 0-31 (see r5xx.md 11.3); 5 = left-in,right-out,top-in,bottom-out",
        ER_LINE_RL [19:15] = 0x0 "right-to-left lines: edge inclusion code 0-31 (see r5xx.md 11.3); 5 = left-in,right-out,top-in,bottom-out",
        ER_LINE_TB [24:20] = 0x0 "top-to-bottom lines: edge inclusion code 0-31 (see r5xx.md 11.3); 5 = left-in,right-out,top-in,bottom-out",
        ER_LINE_BT [29:25] = 0x0 "bottom-to-top lines: edge inclusion code 0-31 (see r5xx.md 11.3); 5 = left-in,right-out,top-in,bottom-out",
    }
    SC_CLIP_0_A = 0x43b0 {
        XS0 [12:0] = 0x0 "clip rectangle 0 left",
        YS0 [25:13] = 0x0 "clip rectangle 0 top",
    }
    SC_CLIP_0_B = 0x43b4 {
        XS1 [12:0] = 0x0 "clip rectangle 0 right",
        YS1 [25:13] = 0x0 "clip rectangle 0 bottom",
    }
    SC_CLIP_1_A = 0x43b8 {
        XS0 [12:0] = 0x0 "clip rectangle 1 left",
        YS0 [25:13] = 0x0 "clip rectangle 1 top",
    }
    SC_CLIP_1_B = 0x43bc {
        XS1 [12:0] = 0x0 "clip rectangle 1 right",
        YS1 [25:13] = 0x0 "clip rectangle 1 bottom",
    }
    SC_CLIP_2_A = 0x43c0 {
        XS0 [12:0] = 0x0 "clip rectangle 2 left",
        YS0 [25:13] = 0x0 "clip rectangle 2 top",
    }
    SC_CLIP_2_B = 0x43c4 {
        XS1 [12:0] = 0x0 "clip rectangle 2 right",
        YS1 [25:13] = 0x0 "clip rectangle 2 bottom",
    }
    SC_CLIP_3_A = 0x43c8 {
        XS0 [12:0] = 0x0 "clip rectangle 3 left",
        YS0 [25:13] = 0x0 "clip rectangle 3 top",
    }
    SC_CLIP_3_B = 0x43cc {
        XS1 [12:0] = 0x0 "clip rectangle 3 right",
        YS1 [25:13] = 0x0 "clip rectangle 3 bottom",
    }
    SC_CLIP_RULE = 0x43d0 {
        CLIP_RULE [15:0] = 0x0 "16-entry visibility truth table indexed by the 4 inside-rectangle flags",
    }
    SC_SCISSOR0 = 0x43e0 {
        XS0 [12:0] = 0x0 "scissor left",
        YS0 [25:13] = 0x0 "scissor top",
    }
    SC_SCISSOR1 = 0x43e4 {
        XS1 [12:0] = 0x0 "scissor right",
        YS1 [25:13] = 0x0 "scissor bottom",
    }
    SC_SCREENDOOR = 0x43e8 {
        SCREENDOOR [23:0] = 0x0 "24-bit sample coverage mask for the quad (4 pixels x 6 samples)",
    }
}
