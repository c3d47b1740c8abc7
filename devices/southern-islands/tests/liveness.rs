//! What is known of the registers and exports of a program before it runs.
#![allow(clippy::unwrap_used)]

use lanes::{Liveness, RegisterUse};
use southern_islands::isa::{Allocation, Inst, LDS_DIRECT_SLOT, Lifted, Mode, assemble, lift};

/// A program in assembly text, of waves of 8 VGPRs.
fn lifted(text: &str) -> Lifted {
    let words = assemble(text).unwrap().concat();
    let allocation = Allocation {
        vgprs: 8,
        ..Allocation::ALL
    };
    lift(&words, 0, Mode(0x1f0), allocation).unwrap()
}

/// VGPRs of which this holds.
fn vgprs(text: &str, holds: impl Fn(&RegisterUse) -> bool) -> Vec<usize> {
    let live = Liveness::new(&lifted(text).program);
    (0..8).filter(|n| holds(&live.rows[*n])).collect()
}

#[test]
fn exports_at_the_end() {
    let check = |text: &str, expected: &[bool]| {
        let Lifted { program, ports } = lifted(text);
        let is_export = |n: usize| matches!(ports[n].inst, Inst::Exp(_));
        let last = program.last_ports(ports.len(), is_export);
        assert_eq!(last, expected, "{text}");
    };
    let color = "exp mrt0 v2, v3, v4, v5 vm";
    check(&format!("{color}\ns_endpgm"), &[true]);
    check(&format!("{color}\n{color} done\ns_endpgm"), &[true, true]);
    // Over an export, and beyond the end.
    check(
        &format!("{color}\ns_cbranch_execz 2\n{color} done\ns_endpgm"),
        &[true, true],
    );
    check(
        &format!("{color}\ns_cbranch_execz 3\n{color} done\ns_endpgm\nv_mov_b32 v2, 0\ns_endpgm"),
        &[false, true],
    );
    check(
        &format!("{color}\nv_mov_b32 v2, 0\n{color} done\ns_endpgm"),
        &[false, true],
    );
    check(
        &format!("{color}\ns_cbranch_vccz 1\nv_mov_b32 v2, 0\ns_endpgm"),
        &[false],
    );
    check(
        "v_interp_mov_f32 v2, p0, attr0.x\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
        &[false, true],
    );
}

/// A program of ports that look at their own lane only.
#[test]
fn lanes_that_start_disabled_are_never_seen() {
    let check = |text: &str, expected: bool| {
        let Lifted { program, ports } = lifted(text);
        let apart = |n: usize| matches!(ports[n].inst, Inst::Vintrp(_) | Inst::Exp(_));
        assert_eq!(program.keeps_lanes_apart(apart), expected, "{text}");
    };
    let color = "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\nexp mrt0 v2, v2, v2, v2 done vm";
    check(&format!("{color}\ns_endpgm"), true);
    check(
        &format!("v_cmp_lt_f32 vcc, v0, v1\nv_cndmask_b32 v2, v0, v1, vcc\n{color}\ns_endpgm"),
        true,
    );
    for seen in [
        "s_wqm_b64 exec, exec",
        "s_mov_b32 exec_hi, 0",
        "v_cmpx_lt_f32 vcc, v0, v1",
        "v_readlane_b32 s3, v0, 5",
        "v_readfirstlane_b32 s3, v0",
        "v_movrels_b32 v2, v0",
        "buffer_load_dword v2, v0, s[0:3], 0 offen",
    ] {
        check(&format!("{seen}\n{color}\ns_endpgm"), false);
    }
}

#[test]
fn scalars_that_change() {
    let check = |text: &str, expected: [&[u16]; 2]| {
        let live = Liveness::new(&lifted(text).program);
        // Behind the operand codes are the lift's own.
        let written = |first: bool| -> Vec<u16> {
            let holds = |n: &u16| {
                let scalar = live.scalars[usize::from(*n)];
                scalar.written && scalar.written_first == first
            };
            (0..126).filter(holds).collect()
        };
        let [used, written_first] = expected;
        assert_eq!(written(false), used, "{text}");
        assert_eq!(written(true), written_first, "{text}");
    };
    let (vcc, m0) = (106, 124);
    check("s_mov_b32 m0, s10\ns_endpgm", [&[], &[m0]]);
    check(
        "s_wqm_b64 exec, exec\ns_mov_b64 s[4:5], exec\ns_endpgm",
        [&[], &[4, 5]],
    );
    check("v_cmp_lt_f32 vcc, v0, v1\ns_endpgm", [&[], &[vcc, vcc + 1]]);
    check(
        "s_load_dwordx4 s[0:3], s[0:1], 0x0\ns_endpgm",
        [&[0, 1], &[2, 3]],
    );
    check("v_readfirstlane_b32 s3, v0\ns_endpgm", [&[], &[3]]);
    check(
        "s_add_u32 s3, s3, s4\ns_mov_b32 s4, s3\ns_endpgm",
        [&[3, 4], &[]],
    );
    check(
        "v_interp_mov_f32 v2, p0, attr0.x\ns_mov_b32 m0, s10\ns_endpgm",
        [&[m0], &[]],
    );
    // What comes behind a branch or an instruction of the device is not looked at.
    check("s_cbranch_scc0 0\ns_mov_b32 s3, 0\ns_endpgm", [&[3], &[]]);
    check(
        "image_sample v0, v[0:1], s[0:7], s[8:11] dmask:0x1\ns_mov_b32 s3, 0\ns_endpgm",
        [&[3], &[]],
    );
    check("s_memtime s[8:9]\ns_endpgm", [&[8, 9], &[]]);
    let moved = (20..104).collect::<Vec<_>>();
    check("s_movreld_b32 s20, s1\ns_endpgm", [&moved, &[]]);
}

#[test]
fn loads_are_wave_uniform() {
    let check = |text: &str, writes: &[u16], reads: Option<&[u16]>| {
        let program = lifted(&format!("{text}\ns_endpgm")).program;
        let [port] = &program.ports[..] else {
            panic!("one port");
        };
        assert_eq!(port.writes_scalars, writes, "{text}");
        let uniform = port.wave_uniform.then_some(&port.reads_scalars[..]);
        assert_eq!(uniform, reads, "{text}");
    };
    let (vcc, exec) = (106, 126);
    check(
        "s_load_dwordx4 s[8:11], s[2:3], 0x7",
        &[8, 9, 10, 11],
        Some(&[2, 3]),
    );
    check(
        "s_buffer_load_dwordx2 vcc, s[4:7], s20",
        &[vcc, vcc + 1],
        Some(&[4, 5, 6, 7, 20]),
    );
    check(
        "s_load_dwordx2 s[0:1], exec, 0x0",
        &[0, 1],
        Some(&[exec, exec + 1]),
    );
    check("s_memtime s[8:9]", &[8, 9], None);
    let filtered = "image_sample v0, v[0:1], s[0:7], s[8:11] dmask:0x1";
    check(filtered, &[], None);
    check("v_mov_b32 v0, lds_direct", &[LDS_DIRECT_SLOT], None);
}

#[test]
fn registers_that_nothing_reads() {
    let check = |text: &str, expected: &[usize]| {
        assert_eq!(vgprs(text, |row| !row.read), expected, "{text}");
    };
    check(
        "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\nexp mrt0 v2, v3, v2, v2 vm\ns_endpgm",
        &[4, 5, 6, 7],
    );
    check("v_add_f64 v[0:1], v[2:3], v[4:5]\ns_endpgm", &[0, 1, 6, 7]);
    check("v_mov_b32 v1, v200\ns_endpgm", &[1, 2, 3, 4, 5, 6, 7]);
    check("v_movrels_b32 v1, v2\ns_endpgm", &[]);
    check(
        "s_cbranch_vccz 1\nv_cmp_lt_f32 vcc, v5, v6\ns_endpgm",
        &[0, 1, 2, 3, 4, 7],
    );
    check(
        "image_load v0, v7, s[0:7] dmask:0x1\ns_endpgm",
        &[1, 2, 3, 4, 5, 6],
    );
}

#[test]
fn registers_that_are_written_first() {
    let check = |text: &str, expected: &[usize]| {
        assert_eq!(vgprs(text, |row| row.written_first), expected, "{text}");
    };
    check(
        "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\ns_endpgm",
        &[2],
    );
    // Read before it is written.
    check("v_interp_p2_f32 v2, v1, attr0.x\ns_endpgm", &[]);
    check("v_add_f32 v3, v2, v3\nv_mov_b32 v2, 0\ns_endpgm", &[]);
    check("v_mov_b32 v2, 0\nv_add_f32 v3, v2, v2\ns_endpgm", &[2, 3]);
    // A changed mask ends the search, unless it stays all lanes.
    check("s_wqm_b64 exec, exec\nv_mov_b32 v2, 0\ns_endpgm", &[2]);
    check("s_mov_b64 exec, 1\nv_mov_b32 v2, 0\ns_endpgm", &[]);
    check("v_cmpx_lt_f32 vcc, v0, v1\nv_mov_b32 v2, 0\ns_endpgm", &[]);
    check("v_cmp_lt_f32 vcc, v0, v1\nv_mov_b32 v2, 0\ns_endpgm", &[2]);
    check("s_cbranch_vccz 1\nv_mov_b32 v2, 0\ns_endpgm", &[]);
}
