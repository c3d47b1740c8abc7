//! Registers of ZB: depth, stencil, Hi-Z.

super::registers! {
    pub(super) TABLE:
    ZB_CNTL = 0x4f00 {
        STENCIL_ENABLE [0:0] = 0x0 "1 = stencil test on",
        Z_ENABLE [1:1] = 0x0 "1 = depth test on",
        ZWRITEENABLE [2:2] = 0x0 "1 = depth writes on",
        ZSIGNED_COMPARE [3:3] = 0x0 "1 = signed depth compare (W buffering)",
        STENCIL_FRONT_BACK [4:4] = 0x0 "1 = back faces use the _BF functions/ops",
        ZSIGNED_MAGNITUDE [5:5] = 0x0 "0 two's complement; 1 sign-magnitude (with signed compare)",
        STENCIL_REFMASK_FRONT_BACK [6:6] = 0x0 "1 = back faces use ZB_STENCILREFMASK_BF (inferred)",
    }
    ZB_ZSTENCILCNTL = 0x4f04 {
        ZFUNC [2:0] = 0x0 "depth compare: 0 never;1 <;2 <=;3 ==;4 >=;5 >;6 !=;7 always",
        STENCILFUNC [5:3] = 0x0 "stencil compare: 0 never;1 <;2 <=;3 ==;4 >=;5 >;6 !=;7 always",
        STENCILFAIL [8:6] = 0x0 "op on stencil fail: 0 keep;1 zero;2 replace with ref;3 inc clamp;4 dec clamp;5 invert;6 inc wrap;7 dec wrap",
        STENCILZPASS [11:9] = 0x0 "op when both pass (or z off): 0 keep;1 zero;2 replace with ref;3 inc clamp;4 dec clamp;5 invert;6 inc wrap;7 dec wrap",
        STENCILZFAIL [14:12] = 0x0 "op on z fail: 0 keep;1 zero;2 replace with ref;3 inc clamp;4 dec clamp;5 invert;6 inc wrap;7 dec wrap",
        STENCILFUNC_BF [17:15] = 0x0 "stencil compare: 0 never;1 <;2 <=;3 ==;4 >=;5 >;6 !=;7 always",
        STENCILFAIL_BF [20:18] = 0x0 "op on stencil fail: 0 keep;1 zero;2 replace with ref;3 inc clamp;4 dec clamp;5 invert;6 inc wrap;7 dec wrap",
        STENCILZPASS_BF [23:21] = 0x0 "op when both pass (or z off): 0 keep;1 zero;2 replace with ref;3 inc clamp;4 dec clamp;5 invert;6 inc wrap;7 dec wrap",
        STENCILZFAIL_BF [26:24] = 0x0 "op on z fail: 0 keep;1 zero;2 replace with ref;3 inc clamp;4 dec clamp;5 invert;6 inc wrap;7 dec wrap",
        ZERO_OUTPUT_MASK [27:27] = 0x0 "1 = coverage out of ZB forced to 0; depth/stencil still update",
    }
    ZB_STENCILREFMASK = 0x4f08 {
        STENCILREF [7:0] = 0x0 "stencil reference",
        STENCILMASK [15:8] = 0x0 "compare mask for ref and stored value",
        STENCILWRITEMASK [23:16] = 0x0 "stencil write mask",
    }
    ZB_FORMAT = 0x4f10 {
        DEPTHFORMAT [3:0] = 0x0 "0 16-bit integer;1 16-bit 13E3 float;2 24-bit integer + 8-bit stencil in LSBs",
        INVERT [4:4] = 0x0 "13E3: 0 count leading ones; 1 leading zeros",
        PEQ8 [5:5] = 0x0 "unused",
    }
    ZB_ZTOP = 0x4f14 {
        ZTOP [0:0] = 0x0 "0 = depth test after shading/fog; 1 = before shading",
    }
    ZB_ZCACHE_CTLSTAT = 0x4f18 {
        ZC_FLUSH [0:0] = 0x0 "1 = write back dirty z lines (self-clearing)",
        ZC_FREE [1:1] = 0x0 "1 = invalidate z tags (self-clearing)",
        ZC_BUSY [31:31] = 0x0 "unused",
    }
    ZB_BW_CNTL = 0x4f1c {
        HIZ_ENABLE [0:0] = 0x0 "1 = HiZ on in ZB",
        HIZ_MIN [1:1] = 0x0 "HiZ RAM stores: 0 floor of max z; 1 floor of min z",
        FAST_FILL [2:2] = 0x0 "1 = z-mask fast clear using ZB_DEPTHCLEARVALUE",
        RD_COMP_ENABLE [3:3] = 0x0 "1 = read compressed z",
        WR_COMP_ENABLE [4:4] = 0x0 "1 = write compressed z",
        ZB_CB_CLEAR [5:5] = 0x0 "1 = ZB helps clear the colour buffer (write-only full micro-tiles)",
        FORCE_COMPRESSED_STENCIL_VALUE [6:6] = 0x0 "1 = force compressed stencil to (old & ~wmask)|(ref & wmask); use for stencil clears",
        ZEQUAL_OPTIMIZE_DISABLE [7:7] = 0x0 "1 = write even if new z equals old",
        SEQUAL_OPTIMIZE_DISABLE [8:8] = 0x0 "1 = write even if new stencil equals old",
        BMASK_DISABLE [10:10] = 0x0 "1 = byte masking off",
        HIZ_EQUAL_REJECT_ENABLE [11:11] = 0x0 "1 = allow HiZ reject for ZFUNC EQUAL",
        HIZ_FP_EXP_BITS [14:12] = 0x0 "exponent bits of HiZ float encoding (0-5; 0 = off)",
        HIZ_FP_INVERT [15:15] = 0x0 "0 count leading ones; 1 count leading zeros",
        TILE_OVERWRITE_RECOMPRESSION_DISABLE [16:16] = 0x0 "1 = no recompression of fully overwritten tiles",
        CONTIGUOUS_6XAA_SAMPLES_DISABLE [17:17] = 0x0 "1 = 6xAA samples not contiguous",
        PEQ_PACKING_ENABLE [18:18] = 0x0 "1 = pack plane equations",
        COVERED_PTR_MASKING_ENABLE [19:19] = 0x0 "1 = drop plane pointers of pixels about to be covered",
    }
    ZB_DEPTHOFFSET = 0x4f20 {
        DEPTHOFFSET [31:5] = 0x0 "depth buffer base (2 KB aligned for macro tiles)",
    }
    ZB_DEPTHPITCH = 0x4f24 {
        DEPTHPITCH [13:2] = 0x0 "pitch; unit 4 pixels",
        DEPTHMACROTILE [16:16] = 0x0 "1 = macro-tiled",
        DEPTHMICROTILE [18:17] = 0x0 "0 linear;1 tiled;2 square (16-bit)",
        DEPTHENDIAN [20:19] = 0x0 "0 none;1 word;2 dword;3 half-dword swap",
    }
    ZB_DEPTHCLEARVALUE = 0x4f28 {
        DEPTHCLEARVALUE [31:0] = 0x0 "fast-clear depth word; in 24-bit formats also sets stencil",
    }
    ZB_HIZ_OFFSET = 0x4f44 {
        HIZ_OFFSET [17:2] = 0x0 "dword base into HiZ RAM",
    }
    ZB_HIZ_WRINDEX = 0x4f48 {
        HIZ_WRINDEX [17:2] = 0x0 "HiZ RAM write index; auto-increments",
    }
    ZB_HIZ_DWORD = 0x4f4c {
        HIZ_DWORD [31:0] = 0x0 "four 8-bit HiZ values; write goes to WRINDEX, read from RDINDEX",
    }
    ZB_HIZ_RDINDEX = 0x4f50 {
        HIZ_RDINDEX [17:2] = 0x0 "HiZ RAM read index",
    }
    ZB_HIZ_PITCH = 0x4f54 {
        HIZ_PITCH [13:4] = 0x0 "HiZ pitch in 16-pixel units",
    }
    ZB_ZPASS_DATA = 0x4f58 {
        ZPASS_DATA [31:0] = 0x0 "count of z-passed pixels; write presets it",
    }
    ZB_ZPASS_ADDR = 0x4f5c {
        ZPASS_ADDR [31:2] = 0x0 "write triggers store of ZPASS_DATA to this address",
    }
    ZB_DEPTHXY_OFFSET = 0x4f60 {
        DEPTHX_OFFSET [11:1] = 0x0 "X offset, multiple of 32 pixels",
        DEPTHY_OFFSET [27:17] = 0x0 "Y offset, multiple of 32 pixels",
    }
    ZB_FIFO_SIZE = 0x4fd0 {
        OP_FIFO_SIZE [1:0] = 0x0 "op FIFO depth: 0 full;1 half;2 quarter;3 eighth",
    }
    ZB_STENCILREFMASK_BF = 0x4fd4 {
        STENCILREF [7:0] = 0x0 "stencil reference",
        STENCILMASK [15:8] = 0x0 "compare mask for ref and stored value",
        STENCILWRITEMASK [23:16] = 0x0 "stencil write mask",
    }
}
