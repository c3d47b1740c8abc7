//! Raw machine code through `exec`, with words as LLVM's assembler gives them.
#![allow(clippy::unwrap_used)]

use isa::{ExecError, ExecInput, ExecOutput, LaneValue};
use southern_islands::exec::exec_stage;

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
    exec_stage("fragment", words, &input)
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
    let LaneValue::Lanes(v1) = &out.registers["v1"] else {
        panic!("v1 is a vector")
    };
    assert_eq!(v1[..3], [3f32.to_bits(), 0, 3f32.to_bits()]);
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
fn every_trap_says_where() {
    // s_branch -1
    let endless = run(&[0xbf82_ffff], &[], &[]).unwrap_err().to_string();
    assert!(
        endless.contains("southern-islands at 0x0") && endless.contains("instructions"),
        "{endless}"
    );
    let illegal = run(&[0xbf80_0000, 0xffff_ffff], &[], &[])
        .unwrap_err()
        .to_string();
    assert!(
        illegal.contains("at 0x4") && illegal.contains("0xffffffff"),
        "{illegal}"
    );
    let open_end = run(&[0xbf80_0000], &[], &[]).unwrap_err().to_string();
    assert!(open_end.contains("southern-islands at"), "{open_end}");
    // s_load_dword s2, s[0:1], 0x0
    let far = run(&[0xc001_0100, 0xbf81_0000], &[("s1", one(9))], &[])
        .unwrap_err()
        .to_string();
    assert!(
        far.contains("lane 64") && far.contains("0x900000000"),
        "{far}"
    );
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
fn strict_runs_refuse_programs_that_rely_on_timing() {
    // s_load_dword s2, s[0:1], 0x1 ; s_add_u32 s3, s2, 1 ; s_endpgm
    let words = [0xc001_0101, 0x8003_8102, 0xbf81_0000];
    let strict = ExecInput {
        strict: true,
        ..ExecInput::default()
    };
    let error = exec_stage("fragment", &words, &strict)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("at 0x4") && error.contains("scalar 2"),
        "{error}"
    );
    // The same with s_waitcnt lgkmcnt(0).
    let words = [0xc001_0101, 0xbf8c_007f, 0x8003_8102, 0xbf81_0000];
    assert_eq!(
        exec_stage("fragment", &words, &strict)
            .unwrap()
            .instructions,
        4
    );
}
