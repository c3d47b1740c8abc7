//! Raw machine code through `exec`, with words as LLVM's assembler gives them.
#![allow(clippy::unwrap_used)]

mod groups;
mod share;
mod state;
mod traps;

use isa::{ExecError, ExecInput, ExecOutput, LaneValue, Tools};
use southern_islands::TOOLS;

/// Words of a program in assembly text.
fn words(text: &str) -> Vec<u32> {
    southern_islands::isa::assemble(text).unwrap().concat()
}

/// Runs a program in assembly text from these registers.
fn run_text(text: &str, registers: &[(&str, LaneValue)]) -> Result<ExecOutput, ExecError> {
    run(&words(text), registers, &[])
}

/// A vector register of an output.
fn lanes<'a>(output: &'a ExecOutput, name: &str) -> &'a [u32] {
    match &output.registers[name] {
        LaneValue::Lanes(lanes) => lanes,
        other => panic!("{name} is {other:?}"),
    }
}

fn run(
    words: &[u32],
    registers: &[(&str, LaneValue)],
    memory: &[(u64, &str)],
) -> Result<ExecOutput, ExecError> {
    let input = ExecInput {
        registers: registers
            .iter()
            .map(|(n, v)| (n.to_string(), v.clone()))
            .collect(),
        memory: memory
            .iter()
            .map(|(address, hex)| isa::MemoryBlock {
                address: *address,
                hex: hex.to_string(),
            })
            .collect(),
        ..ExecInput::default()
    };
    TOOLS.exec("fragment", words, &input)
}

fn one(value: u32) -> LaneValue {
    LaneValue::One(value)
}

#[test]
fn exports_carry_enabled_components_of_enabled_lanes() {
    // v_add_f32 v1, v0, v0 ; exp mrt0 v0, v1, off, off done vm ; s_endpgm
    let words = [0x0602_0100, 0xf800_1803, 0x0000_0100, 0xbf81_0000];
    let mask = LaneValue::Text("0x5".into());
    let out = run(
        &words,
        &[("v0", one(1.5f32.to_bits())), ("exec", mask)],
        &[],
    )
    .unwrap();
    assert_eq!(out.exports[0].target, "MRT0");
    let expected = Some([1.5f32.to_bits(), 3f32.to_bits(), 0, 0]);
    assert_eq!(out.exports[0].lanes[..4], [expected, None, expected, None]);
    assert_eq!(out.instructions, 3);
    assert_eq!(lanes(&out, "v1")[..3], [3f32.to_bits(), 0, 3f32.to_bits()]);
}

#[test]
fn memory_is_loaded_stored_and_reported() {
    // s_load_dword s2, s[0:1], 0x1 ; s_waitcnt lgkmcnt(0) ; s_add_u32 s3, s2, 1 ; s_endpgm
    let words = [0xc001_0101, 0xbf8c_007f, 0x8003_8102, 0xbf81_0000];
    let base = [("s0", one(4096)), ("s1", one(0))];
    let out = run(&words, &base, &[(4096, "00000000 2a000000")]).unwrap();
    assert_eq!(out.registers["s3"], one(43));
    assert_eq!(out.memory[0].hex, "000000002a000000");
}

#[test]
fn wrong_input_is_named() {
    let error = |registers: &[(&str, LaneValue)], memory: &[(u64, &str)]| {
        run(&[0xbf81_0000], registers, memory)
            .unwrap_err()
            .to_string()
    };
    assert!(error(&[("s104", one(0))], &[]).starts_with("s104: "));
    assert!(error(&[("s0", LaneValue::Text("x".into()))], &[]).starts_with("s0: "));
    assert!(error(&[], &[(0, "abc")]).contains("3 hexadecimal digits"));
    assert!(error(&[], &[(0, "zz")]).contains("not hexadecimal"));
}

#[test]
fn registers_are_lists_and_whatever_changed_is_reported() {
    let list = LaneValue::Lanes(vec![1, 2, 3, 4]);
    // The destination depends on M0.
    let text = "s_mov_b32 m0, 3\ns_nop 0\ns_movreld_b32 s20, s6\nv_movreld_b32 v2, v1\ns_endpgm";
    let out = run_text(text, &[("s[4:7]", list.clone()), ("v1", one(9))]).unwrap();
    assert_eq!(out.registers["s[4:7]"], list);
    assert_eq!(out.registers["s23"], one(3));
    assert_eq!(lanes(&out, "v5"), [9; 64]);
    let short = run_text("s_endpgm", &[("s[4:7]", LaneValue::Lanes(vec![1]))]).unwrap_err();
    assert!(short.to_string().starts_with("s[4:7]: "), "{short}");
}

#[test]
fn halves_of_a_compressed_export_are_its_components() {
    let text = "exp mrt2 v0, v0, v1, v1 compr done vm\ns_endpgm";
    let out = run_text(text, &[("v0", one(0x3c00_4000)), ("v1", one(0x0001_ffff))]).unwrap();
    assert_eq!(out.exports[0].target, "MRT2");
    assert_eq!(out.exports[0].lanes[0], Some([0x4000, 0x3c00, 0xffff, 1]));
}
