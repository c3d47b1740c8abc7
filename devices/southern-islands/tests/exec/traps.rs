//! Every way to go wrong: the message names chip, place, word and, where there is one, lane.

use isa::{ExecError, ExecInput, LaneValue, Tools};
use southern_islands::TOOLS;

use super::{one, run, words};

fn message(words: &[u32], registers: &[(&str, LaneValue)]) -> String {
    run(words, registers, &[]).unwrap_err().to_string()
}

fn strict(text: &str, registers: &[(&str, LaneValue)]) -> Result<(), ExecError> {
    let input = ExecInput {
        strict: true,
        registers: registers
            .iter()
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect(),
        ..ExecInput::default()
    };
    TOOLS.exec("fragment", &words(text), &input).map(drop)
}

#[test]
fn illegal_words() {
    assert_eq!(
        message(&[0xbf80_0000, 0xffff_ffff], &[]),
        "southern-islands at 0x4: no encoding begins with bits 0b111111 (word 0xffffffff)"
    );
    // SOPP opcode 99, SOP2 with the reserved operand 104, EXP to target 10.
    assert_eq!(
        message(&[0xbfe3_0000], &[]),
        "southern-islands at 0x0: SOPP has no opcode 99 (word 0xbfe30000)"
    );
    assert_eq!(
        message(&[0x8000_0068], &[]),
        "southern-islands at 0x0: SOP2 has no operand 104 for SSRC0 (word 0x80000068)"
    );
    assert_eq!(
        message(&[0xf800_00a1, 0], &[]),
        "southern-islands at 0x0: EXP has no operand 10 for TGT (word 0xf80000a1)"
    );
    // An instruction of two words that ends after one.
    let cut = message(&[0xf800_0001], &[]);
    assert!(
        cut.contains("ends inside an instruction of 2 words"),
        "{cut}"
    );
}

#[test]
fn the_program_counter_leaves_the_program() {
    let left = "the program counter left the program";
    assert!(message(&[0xbf80_0000], &[]).contains(left));
    // s_branch far back and far on.
    assert!(message(&[0xbf82_8000], &[]).contains(left));
    assert!(message(&[0xbf82_7fff], &[]).contains(left));
    let wild = message(&words("s_setpc_b64 s[0:1]\ns_endpgm"), &[("s0", one(0x40))]);
    assert_eq!(
        wild,
        "southern-islands at 0x0: jump to 0x40, which is no instruction of the program (word 0xbe802000)"
    );
}

#[test]
fn runaway() {
    assert_eq!(
        message(&words("s_nop 0\nloop: s_branch loop"), &[]),
        "southern-islands at 0x4: the wave ran to a cost of 1000000000 without ending (word 0xbf82ffff)"
    );
}

#[test]
fn unmapped_memory() {
    let far = message(
        &words("s_load_dword s2, s[0:1], 0x0\ns_endpgm"),
        &[("s1", one(9))],
    );
    assert!(
        far.contains("southern-islands at 0x0: lane 64") && far.contains("0x900000000"),
        "{far}"
    );
    // Lane 5 alone leaves memory; the descriptor has no limit.
    let mut offsets = vec![0; 64];
    offsets[5] = 0xffff_fff0;
    let buffer = [
        ("s[4:7]", LaneValue::Lanes(vec![0, 0, u32::MAX, 4 << 15])),
        ("v0", LaneValue::Lanes(offsets)),
    ];
    for text in [
        "buffer_load_dword v1, v0, s[4:7], 0 offen",
        "buffer_store_dword v1, v0, s[4:7], 0 offen",
        "buffer_atomic_add v1, v0, s[4:7], 0 offen",
        "tbuffer_load_format_x v1, v0, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offen",
    ] {
        let error = message(&words(&format!("{text}\ns_endpgm")), &buffer);
        assert!(
            error.contains("at 0x0: lane 5 accesses unmapped or misaligned address 0xfffffff0"),
            "{text}: {error}"
        );
    }
}

#[test]
fn an_image_outside_memory() {
    // A T# of 64 by 64 texels of 8_8_8_8 UNORM at 1 << 39.
    let image = vec![1 << 31, 10 << 20, 63 | 63 << 14, 9 << 28, 0, 0, 0, 0];
    let text = "image_load v[0:3], v[0:1], s[0:7] dmask:0xf unorm\ns_endpgm";
    let error = message(&words(text), &[("s[0:7]", LaneValue::Lanes(image))]);
    assert!(
        error.starts_with("southern-islands at 0x0: ") && error.contains("0x8000000000"),
        "{error}"
    );
}

#[test]
fn strict_runs_refuse_programs_that_rely_on_timing() {
    let late = "s_load_dword s2, s[0:1], 0x1\ns_add_u32 s3, s2, 1\ns_endpgm";
    let error = strict(late, &[]).unwrap_err().to_string();
    assert_eq!(
        error,
        "southern-islands at 0x4: scalar 2 is used while lgkmcnt still counts the load that writes it (word 0x80038102)"
    );
    let waits = "s_load_dword s2, s[0:1], 0x1\ns_waitcnt lgkmcnt(0)\ns_add_u32 s3, s2, 1\ns_endpgm";
    strict(waits, &[]).unwrap();
}

/// Without `strict` these do what the manual says: other registers are read, nothing is written, addresses are aligned.
#[test]
fn strict_runs_refuse_what_does_not_exist() {
    let cases = [
        (
            "v_mov_b32 v254, v0\ns_mov_b32 m0, 2\ns_nop 0\nv_movreld_b32 v254, v0",
            "at 0xc: M0 and register number 254",
        ),
        (
            "s_mov_b32 m0, 100\ns_nop 0\ns_movrels_b32 s0, s7",
            "at 0xc: M0 and register number 7",
        ),
        (
            "s_mov_b32 m0, 100\ns_nop 0\ns_movreld_b64 s[4:5], s[0:1]",
            "at 0xc: M0 and register number 4",
        ),
        (
            "s_mov_b32 s0, 2\ns_load_dword s2, s[0:1], 0x0",
            "at 0x4: lane 64 accesses unmapped or misaligned address 0x2",
        ),
        (
            "s_mov_b32 m0, -1\nv_mov_b32 v0, 2\nds_read_b32 v1, v0",
            "at 0x8: lane 0 accesses unmapped or misaligned address 0x2",
        ),
        (
            "v_mov_b32 v0, 2\nbuffer_load_dword v1, v0, s[4:7], 0 offen",
            "at 0x4: lane 0 accesses unmapped or misaligned address 0x2",
        ),
    ];
    let buffer = [("s[4:7]", LaneValue::Lanes(vec![0, 0, 64, 4 << 15]))];
    for (text, expected) in cases {
        let text = format!("{text}\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm");
        let error = strict(&text, &buffer).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
        run(&words(&text), &buffer, &[]).unwrap();
    }
    // v[255:256], as no assembler writes it.
    let pair = words("v_add_f64 v[254:255], v[0:1], v[0:1]\ns_endpgm");
    let out_of_range = [pair[0] | 1, pair[1], pair[2]];
    let input = ExecInput {
        strict: true,
        ..ExecInput::default()
    };
    let error = TOOLS.exec("vertex", &out_of_range, &input).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("at 0x0: v256 does not exist: the wave has 256 vector"),
        "{error}"
    );
    run(&out_of_range, &[], &[]).unwrap();
}
