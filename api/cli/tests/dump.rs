//! `girih dump`: packets by name, on every device.

mod harness;

use harness::*;

#[test]
fn words_are_printed_with_the_names_of_registers_and_fields() {
    // SET_CONTEXT_REG PA_CL_CLIP_CNTL, a draw, and a packet that ends too soon.
    let words = "c0016900 0x204 00090000\nc0012d00 3 2 c0051000 1";
    let expected = "\
0x00000000 c0016900 SET_CONTEXT_REG
    PA_CL_CLIP_CNTL = 00090000: CLIP_DISABLE 1, DX_CLIP_SPACE_DEF 1
0x0000000c c0012d00 DRAW_INDEX_AUTO
    INDEX_COUNT = 00000003
    VGT_DRAW_INITIATOR = 00000002: SOURCE_SELECT 0x2
0x00000018 c0051000 a packet of 6 words leaves the stream
";
    for device in ["southern-islands", "r600"] {
        assert_eq!(ok(&["dump", "--device", device, "-"], words), expected);
    }
    // A write of VAP_CLIP_CNTL, and the same packets in the numbers of another chip.
    let words = "00000887 0x10000\nc0003400 30024 c0051000 1";
    let expected = "\
0x00000000 00000887 type 0
    VAP_CLIP_CNTL = 00010000: CLIP_DISABLE 1
0x00000008 c0003400 3D_DRAW_VBUF_2
    VAP_VF_CNTL = 00030024: PRIM_TYPE 4 (triangles), PRIM_WALK 2 (vertex list (auto index)), NUM_VERTICES 0x3
0x00000010 c0051000 a packet of 6 words leaves the stream
";
    assert_eq!(ok(&["dump", "--device", "r5xx", "-"], words), expected);
    // A PPP block with PPP_CTRL, an index list, and a block that ends too soon.
    let words = "10000200 00200000 00000401 6d000600 3 1 0 0 68000000";
    let expected = "\
0x00000000 10000200 PPP_STATE_UPDATE
    PPP_CTRL = 00000401: clip_mode 0x1, cullmode 0x1
0x0000000c 6d000600 INDEX_LIST
    TOPOLOGY = 00000006: triangles
    COUNT = 00000003
    INSTANCES = 00000001
    START = 00000000
    START_INSTANCE = 00000000
0x00000020 68000000 the stream ends inside a block
";
    assert_eq!(ok(&["dump", "--device", "rogue", "-"], words), expected);
}

#[test]
fn what_is_no_stream_is_said() {
    let path = write("no.hex", "c0016900 what");
    let said = error(&["dump", &path], "");
    assert!(said.contains("line 1: `what` is no 32-bit word"), "{said}");
    assert!(error(&["dump", "-"], "").contains("standard input holds no words"));
}
