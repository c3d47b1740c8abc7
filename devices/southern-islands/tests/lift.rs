//! Programs of raw words, lifted and run as one wave.
#![allow(clippy::unwrap_used)]

use std::ops::Range;

use lanes::{Batch, DefaultEngine, Engine, PortFault, Ports, Step, Wave};
use southern_islands::isa::{Allocation, Inst, Mode, assemble, lift};

struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
        panic!("ports {ports:?} in a program that has none");
    }
}

/// Runs a program with denormals kept and every lane enabled.
fn run(words: &[u32], prepare: impl FnOnce(&mut Wave)) -> Result<Wave, String> {
    let lifted = lift(words, 0x1000, Mode(0xf0), Allocation::ALL).map_err(|e| e.to_string())?;
    let engine = DefaultEngine::new();
    let program = engine.prepare(&lifted.program).map_err(|e| e.to_string())?;
    let mut wave = Wave::new(lifted.program.rows.into(), lifted.program.scalars.into());
    wave.set_mask(126, u64::MAX);
    wave.limit = 10_000;
    prepare(&mut wave);
    engine
        .run(&program, &mut wave, &mut NoPorts)
        .map_err(|stop| stop.to_string())?;
    Ok(wave)
}

#[test]
fn mad_with_modifiers() {
    // v_mad_f32 v1, -v2, abs(v3), -abs(s4) mul:2
    let words = [0xd282_0601, 0xa812_0702, 0xbf81_0000];
    let wave = run(&words, |wave| {
        wave.rows[2].0 = std::array::from_fn(|lane| (lane as f32).to_bits());
        wave.rows[3].0 = [(-2.0f32).to_bits(); 64];
        wave.scalars[4] = 1.0f32.to_bits();
    })
    .unwrap();
    for lane in 0..64 {
        let expected = (-(lane as f32) * 2.0 - 1.0) * 2.0;
        assert_eq!(f32::from_bits(wave.rows[1].0[lane]), expected);
    }
    assert_eq!(wave.instructions, 2);
}

#[test]
fn a_word_that_is_no_instruction_traps_with_its_place() {
    let error = run(&[0xbf80_0000, 0xcc00_0000], |_| {}).unwrap_err();
    assert!(
        error.contains("0x4") && error.contains("0xcc000000"),
        "{error}"
    );
}

#[test]
fn running_past_the_end_traps() {
    let error = run(&[0xbf80_0000], |_| {}).unwrap_err();
    assert!(error.contains("left the program"), "{error}");
}

/// Assembles and runs.
fn run_text(text: &str, prepare: impl FnOnce(&mut Wave)) -> Result<Wave, String> {
    let words = assemble(text).map_err(|error| error.to_string())?.concat();
    run(&words, prepare)
}

#[test]
fn a_loop_ends_when_every_lane_has_left() {
    // Each lane counts to its own number.
    let text = "
        s_mov_b64 s[0:1], exec
        v_mov_b32 v1, 0
        loop:
        v_cmp_lt_u32 vcc, v1, v2
        s_and_b64 exec, exec, vcc
        s_cbranch_execz done
        v_add_i32 v1, vcc, 1, v1
        s_branch loop
        done:
        s_mov_b64 exec, s[0:1]
        s_endpgm";
    let wave = run_text(text, |wave| {
        wave.rows[2].0 = std::array::from_fn(|lane| lane as u32 % 7);
    })
    .unwrap();
    assert_eq!(wave.rows[1], wave.rows[2]);
    assert_eq!(wave.mask(126), u64::MAX);
    // Two before, six rounds of five, one of three, two after.
    assert_eq!(wave.instructions, 2 + 6 * 5 + 3 + 2);
}

#[test]
fn an_endless_loop_meets_the_watchdog() {
    let error = run_text("loop: s_branch loop", |_| {}).unwrap_err();
    assert!(error.contains("a cost of 10000"), "{error}");
}

#[test]
fn calls_and_returns() {
    let text = "
        s_getpc_b64 s[4:5]
        s_add_u32 s4, s4, 20
        s_addc_u32 s5, s5, 0
        s_swappc_b64 s[6:7], s[4:5]
        s_mov_b32 s9, 7
        s_endpgm
        s_mov_b32 s8, 5
        s_setpc_b64 s[6:7]";
    let wave = run_text(text, |_| {}).unwrap();
    assert_eq!((wave.scalars[8], wave.scalars[9]), (5, 7));
    assert_eq!(wave.mask(6), 0x1000 + 16);
}

#[test]
fn a_jump_out_of_the_program_is_a_fault() {
    let error = run_text("s_setpc_b64 s[0:1]", |wave| wave.scalars[0] = 0x4000).unwrap_err();
    assert!(error.contains("0x4000"), "{error}");
}

#[test]
fn the_mode_register_is_followed_and_read_back() {
    let text = "
        v_add_f32 v1, v3, v4
        s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0
        v_add_f32 v2, v3, v4
        s_getreg_b32 s4, hwreg(HW_REG_MODE, 4, 4)
        s_mov_b32 s5, 3
        s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s5
        v_add_f32 v5, v3, v4
        s_getreg_b32 s6, hwreg(HW_REG_MODE)
        s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1
        v_add_f32 v6, v7, v8
        s_endpgm";
    let wave = run_text(text, |wave| {
        wave.rows[3].0 = [1; 64];
        wave.rows[7].0 = [1.0f32.to_bits(); 64];
        wave.rows[8].0 = [0x2000_0000; 64];
    })
    .unwrap();
    let first = |row: usize| wave.rows[row].0[0];
    assert_eq!((first(1), first(2), first(5)), (1, 0, 1));
    assert_eq!((wave.scalars[4], wave.scalars[6]), (0xc, 0xf0));
    assert_eq!(first(6), 1.0f32.to_bits() + 1);
}

#[test]
fn status_and_allocation_are_readable() {
    let text = "
        v_cmp_f_f32 vcc, v0, v0
        s_cmp_eq_i32 s0, s0
        s_getreg_b32 s4, hwreg(HW_REG_STATUS)
        s_getreg_b32 s5, hwreg(HW_REG_GPR_ALLOC, 8, 6)
        s_getreg_b32 s6, hwreg(HW_REG_HW_ID)
        s_endpgm";
    let wave = run_text(text, |_| {}).unwrap();
    assert_eq!(wave.scalars[4], 1 | 1 << 10 | 1 << 16);
    assert_eq!((wave.scalars[5], wave.scalars[6]), (63, 0));
}

#[test]
fn skipped_vector_instructions_leave_no_trace() {
    let text = "
        s_setvskip s4, 0
        v_mov_b32 v1, 7
        v_cmp_eq_u32 vcc, 0, v0
        s_mov_b32 s6, 1
        s_setvskip s5, 3
        v_mov_b32 v2, 7
        s_endpgm";
    let wave = run_text(text, |wave| wave.scalars[4] = 1).unwrap();
    assert_eq!(
        (wave.rows[1].0[0], wave.mask(106), wave.scalars[6]),
        (0, 0, 1)
    );
    assert_eq!(wave.rows[2].0[0], 7);
}

/// if (lane < 20) v1 = 1 else v1 = 2, with fork and join, the smaller side first.
#[test]
fn fork_and_join() {
    let text = "
        s_mov_b64 s[30:31], exec
        s_getreg_b32 s32, hwreg(HW_REG_MODE, 29, 3)
        v_mov_b32 v1, 0
        v_cmp_lt_u32 vcc, v0, v2
        s_cbranch_i_fork vcc, then
        v_mov_b32 v1, 2
        v_add_i32 v3, s[34:35], v3, 1
        s_branch join
        then:
        v_mov_b32 v1, 1
        join:
        s_cbranch_join s32
        s_mov_b64 exec, s[30:31]
        s_endpgm";
    for limit in [0, 20, 50, 64] {
        let wave = run_text(text, |wave| {
            wave.rows[0].0 = std::array::from_fn(|lane| lane as u32);
            wave.rows[2].0 = [limit; 64];
        })
        .unwrap();
        for lane in 0..64 {
            let expected = if (lane as u32) < limit { 1 } else { 2 };
            assert_eq!(wave.rows[1].0[lane], expected, "lane {lane}, limit {limit}");
        }
        assert_eq!(wave.mask(126), u64::MAX);
    }
}

#[test]
fn a_fork_to_an_address_in_registers() {
    let text = "
        s_getpc_b64 s[40:41]
        s_add_u32 s40, s40, 24
        s_cbranch_g_fork s[44:45], s[40:41]
        v_mov_b32 v1, 2
        s_branch 1
        s_nop 0
        s_nop 0
        v_mov_b32 v1, 1
        s_cbranch_join s48
        s_mov_b64 exec, -1
        s_endpgm";
    let text = text
        .replace("s_branch 1", "s_branch join")
        .replace("s_cbranch_join", "join: s_cbranch_join");
    let wave = run_text(&text, |wave| wave.set_mask(44, 0xff)).unwrap();
    for lane in 0..64 {
        assert_eq!(wave.rows[1].0[lane], if lane < 8 { 1 } else { 2 });
    }
}

#[test]
fn registers_that_do_not_exist() {
    let words = assemble(
        "v_mov_b32 v1, v200
         v_mov_b32 v200, v1
         s_mov_b32 s2, s90
         s_mov_b32 s90, s2
         v_add_i32 v200, vcc, v1, v1
         s_mov_b64 s[16:17], s[90:91]
         s_endpgm",
    )
    .unwrap()
    .concat();
    let allocation = Allocation {
        vgprs: 4,
        sgprs: 16,
        ..Allocation::ALL
    };
    let lifted = lift(&words, 0, Mode(0xf0), allocation).unwrap();
    assert!(lifted.program.rows < 32);
    let engine = DefaultEngine::new();
    let program = engine.prepare(&lifted.program).unwrap();
    let mut wave = Wave::new(lifted.program.rows.into(), lifted.program.scalars.into());
    wave.set_mask(126, u64::MAX);
    wave.set_mask(106, 5);
    wave.rows[0].0 = [u32::MAX; 64];
    wave.scalars[0] = 9;
    engine.run(&program, &mut wave, &mut NoPorts).unwrap();
    assert_eq!(wave.rows[1].0[0], u32::MAX);
    assert_eq!(
        (wave.scalars[2], wave.scalars[90], wave.scalars[16]),
        (9, 0, 0)
    );
    // A dropped instruction leaves its mask alone too.
    assert_eq!(wave.mask(106), 5);
}

#[test]
fn swizzles_between_lanes() {
    let text = "
        ds_swizzle_b32 v1, v0 offset:swizzle(QUAD_PERM,1,0,3,2)
        ds_swizzle_b32 v2, v0 offset:swizzle(QUAD_PERM,3,3,1,0)
        ds_swizzle_b32 v3, v0 offset:swizzle(REVERSE,32)
        s_mov_b64 exec, 0xfe
        ds_swizzle_b32 v4, v0 offset:swizzle(QUAD_PERM,3,0,0,1)
        s_endpgm";
    let wave = run_text(text, |wave| {
        wave.rows[0].0 = std::array::from_fn(|lane| lane as u32 + 100);
    })
    .unwrap();
    for lane in 0..64 {
        let value = |from: usize| 100 + from as u32;
        assert_eq!(wave.rows[1].0[lane], value(lane ^ 1));
        assert_eq!(
            wave.rows[2].0[lane],
            value(lane & !3 | [3, 3, 1, 0][lane & 3])
        );
        assert_eq!(wave.rows[3].0[lane], value(lane ^ 31));
    }
    // Lane 0 is off: it keeps its old value, and who reads it gets zero.
    assert_eq!(wave.rows[4].0[..8], [0, 0, 0, 101, 107, 104, 104, 105]);
}

#[test]
fn a_halted_wave_traps() {
    assert!(run_text("s_sethalt 1", |_| {}).is_err_and(|error| error.contains("halted")));
    assert!(run_text("s_sethalt 0\ns_endpgm", |_| {}).is_ok());
}

#[test]
fn instructions_of_the_device_are_ports() {
    let words = assemble(
        "s_load_dword s0, s[2:3], 0x4
         s_waitcnt lgkmcnt(0)
         buffer_load_dword v0, off, s[4:7], 0
         v_mov_b32 v1, lds_direct
         exp mrt0 v0, v0, v0, v0 done vm
         s_endpgm",
    )
    .unwrap()
    .concat();
    let lifted = lift(&words, 0, Mode(0xf0), Allocation::ALL).unwrap();
    let places: Vec<u32> = lifted.ports.iter().map(|port| port.pc).collect();
    assert_eq!(places, [0, 8, 16, 20]);
    assert!(matches!(lifted.ports[2].inst, Inst::Vop1(..)));
    let ports = lifted
        .program
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Port { .. }));
    assert_eq!(ports.count(), 4);
}

#[test]
fn flags_that_nobody_reads_cost_nothing() {
    let steps = |text: &str| {
        let words = assemble(text).unwrap().concat();
        let lifted = lift(&words, 0, Mode(0xf0), Allocation::ALL).unwrap();
        lifted.program.steps.len()
    };
    // Tick, three sums, the last carry, End, and the End that closes every program.
    let text = "v_add_i32 v0, vcc, v1, v2
        v_add_i32 v0, vcc, v1, v2
        v_add_i32 v0, vcc, v1, v2
        s_endpgm";
    assert_eq!(steps(text), 1 + 3 + 1 + 1 + 1);
    // The first SCC is overwritten, the second decides a branch.
    let text = "s_and_b64 s[0:1], s[2:3], s[4:5]
        s_and_b64 s[0:1], s[0:1], s[6:7]
        s_cbranch_scc0 1
        s_mov_b32 s0, 1
        s_endpgm";
    assert_eq!(steps(text), 1 + 1 + 2 + 1 + 2 + 2 + 1);
    // A carry chain keeps its carries.
    let text = "v_add_i32 v0, vcc, v1, v2
        v_addc_u32 v3, vcc, v4, v5, vcc
        s_endpgm";
    assert!(steps(text) > 1 + 2 + 1 + 1);
}

#[test]
fn a_call_in_a_large_memory_stops_at_the_empty_part() {
    let mut words = assemble("s_setpc_b64 s[0:1]\ns_mov_b32 s4, 1\ns_endpgm")
        .unwrap()
        .concat();
    words.resize(1 << 20, 0);
    let wave = run(&words, |wave| wave.scalars[0] = 0x1004).unwrap();
    assert_eq!(wave.scalars[4], 1);
}

#[test]
fn a_program_without_end_is_refused() {
    let words = vec![0; 1 << 20];
    let error = lift(&words, 0, Mode(0xf0), Allocation::ALL).unwrap_err();
    assert!(error.to_string().contains("262144"), "{error}");
}
