//! The microcode formats as plain structs. [SI 12]
//!
//! Reserved bits are fixed to zero: a word that sets one is no instruction of this chip.

use isa::word;

use super::compare::VopcOp;
use super::image::MimgOp;
use super::memory::{DsOp, MtbufOp, MubufOp, SmrdOp};
use super::scalar::{Sop1Op, Sop2Op, SopcOp, SopkOp, SoppOp};
use super::vector::{VectorOp, VintrpOp, Vop1Op, Vop2Op};

word! {
    /// Two scalar sources. [SI p.12-2]
    pub struct Sop2: u32 where [31:30] = 0b10 { op: Sop2Op [29:23], sdst: u8 [22:16], ssrc1: u8 [15:8], ssrc0: u8 [7:0] }
}
word! {
    /// A 16-bit constant; `sdst` is also the source of compares. [SI p.12-10]
    pub struct Sopk: u32 where [31:28] = 0b1011 { op: SopkOp [27:23], sdst: u8 [22:16], simm16: u16 [15:0] }
}
word! {
    /// One scalar source.
    pub struct Sop1: u32 where [31:23] = 0b1_0111_1101 { sdst: u8 [22:16], op: Sop1Op [15:8], ssrc0: u8 [7:0] }
}
word! {
    /// Scalar compare.
    pub struct Sopc: u32 where [31:23] = 0b1_0111_1110 { op: SopcOp [22:16], ssrc1: u8 [15:8], ssrc0: u8 [7:0] }
}
word! {
    /// Program control.
    pub struct Sopp: u32 where [31:23] = 0b1_0111_1111 { op: SoppOp [22:16], simm16: u16 [15:0] }
}
word! {
    /// Scalar memory; `sbase` counts pairs of SGPRs, `imm` says that `offset` is in dwords and not an SGPR.
    pub struct Smrd: u32 where [31:27] = 0b11000 {
        op: SmrdOp [26:22], sdst: u8 [21:15], sbase: u8 [14:9], imm: bool [8:8], offset: u8 [7:0],
    }
}
word! {
    /// Two vector sources, the first of which may be scalar or constant.
    pub struct Vop2: u32 where [31:31] = 0 { op: Vop2Op [30:25], vdst: u8 [24:17], vsrc1: u8 [16:9], src0: u16 [8:0] }
}
word! {
    /// One vector source.
    pub struct Vop1: u32 where [31:25] = 0b0111111 { vdst: u8 [24:17], op: Vop1Op [16:9], src0: u16 [8:0] }
}
word! {
    /// Vector compare to VCC.
    pub struct Vopc: u32 where [31:25] = 0b0111110 { op: VopcOp [24:17], vsrc1: u8 [16:9], src0: u16 [8:0] }
}
word! {
    /// Any vector operation with three full operands and modifiers. Compares keep an SGPR pair in `vdst`.
    pub struct Vop3a: u64 where [31:26] = 0b110100, [16:12] = 0 {
        neg: u8 [63:61], omod: u8 [60:59], src2: u16 [58:50], src1: u16 [49:41], src0: u16 [40:32],
        op: VectorOp [25:17], clamp: bool [11:11], abs: u8 [10:8], vdst: u8 [7:0],
    }
}
word! {
    /// The operations with a second, scalar destination: carries and V_DIV_SCALE.
    pub struct Vop3b: u64 where [31:26] = 0b110100, [16:15] = 0 {
        neg: u8 [63:61], omod: u8 [60:59], src2: u16 [58:50], src1: u16 [49:41], src0: u16 [40:32],
        op: VectorOp [25:17], sdst: u8 [14:8], vdst: u8 [7:0],
    }
}
word! {
    /// Parameter interpolation.
    pub struct Vintrp: u32 where [31:26] = 0b110010 {
        vdst: u8 [25:18], op: VintrpOp [17:16], attr: u8 [15:10], attrchan: u8 [9:8], vsrc: u8 [7:0],
    }
}
word! {
    /// Local and global data share.
    pub struct Ds: u64 where [31:26] = 0b110110, [16:16] = 0 {
        vdst: u8 [63:56], data1: u8 [55:48], data0: u8 [47:40], addr: u8 [39:32],
        op: DsOp [25:18], gds: bool [17:17], offset1: u8 [15:8], offset0: u8 [7:0],
    }
}
word! {
    /// Untyped buffer access; `srsrc` counts groups of four SGPRs.
    pub struct Mubuf: u64 where [31:26] = 0b111000, [53:53] = 0, [25:25] = 0, [17:17] = 0 {
        soffset: u8 [63:56], tfe: bool [55:55], slc: bool [54:54], srsrc: u8 [52:48], vdata: u8 [47:40], vaddr: u8 [39:32],
        op: MubufOp [24:18], lds: bool [16:16], addr64: bool [15:15], glc: bool [14:14],
        idxen: bool [13:13], offen: bool [12:12], offset: u16 [11:0],
    }
}
word! {
    /// Typed buffer access.
    pub struct Mtbuf: u64 where [31:26] = 0b111010, [53:53] = 0 {
        soffset: u8 [63:56], tfe: bool [55:55], slc: bool [54:54], srsrc: u8 [52:48], vdata: u8 [47:40], vaddr: u8 [39:32],
        nfmt: u8 [25:23], dfmt: u8 [22:19], op: MtbufOp [18:16], addr64: bool [15:15], glc: bool [14:14],
        idxen: bool [13:13], offen: bool [12:12], offset: u16 [11:0],
    }
}
word! {
    /// Image access; `srsrc` and `ssamp` count groups of four SGPRs.
    pub struct Mimg: u64 where [31:26] = 0b111100, [63:58] = 0, [7:0] = 0 {
        ssamp: u8 [57:53], srsrc: u8 [52:48], vdata: u8 [47:40], vaddr: u8 [39:32],
        slc: bool [25:25], op: MimgOp [24:18], lwe: bool [17:17], tfe: bool [16:16], r128: bool [15:15],
        da: bool [14:14], glc: bool [13:13], unorm: bool [12:12], dmask: u8 [11:8],
    }
}
word! {
    /// Export to a colour target, depth, position or parameter.
    pub struct Exp: u64 where [31:26] = 0b111110, [25:13] = 0 {
        vsrc3: u8 [63:56], vsrc2: u8 [55:48], vsrc1: u8 [47:40], vsrc0: u8 [39:32],
        vm: bool [12:12], done: bool [11:11], compr: bool [10:10], tgt: u8 [9:4], en: u8 [3:0],
    }
}
