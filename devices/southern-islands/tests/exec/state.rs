//! The wave's state: MODE with its roundings and NaN rules, STATUS, traps.

use isa::LaneValue;

use super::{lanes, one, run_text};

/// A program for `body` in this MODE, on two floats; gives v2.
fn float(mode: u32, body: &str, a: u32, b: u32) -> u32 {
    let out = run_text(
        &format!("{body}\ns_endpgm"),
        &[("mode", one(mode)), ("v0", one(a)), ("v1", one(b))],
    )
    .unwrap();
    lanes(&out, "v2")[0]
}

#[test]
fn ieee_minima_of_signalling_nan_are_nan() {
    const SIGNALLING: u32 = 0x7f80_0001;
    let one_and_half = 1.5f32.to_bits();
    for op in [
        "v_min_f32 v2, v0, v1",
        "v_max_f32 v2, v0, v1",
        "v_min3_f32 v2, v0, v1, v1",
        "v_max3_f32 v2, v1, v1, v0",
        "v_med3_f32 v2, v1, v0, v1",
    ] {
        assert_eq!(
            float(0x2f0, op, SIGNALLING, one_and_half),
            0x7fc0_0000,
            "{op}"
        );
        assert_eq!(
            float(0x2f0, op, 0x7fc0_0000, one_and_half),
            one_and_half,
            "{op}"
        );
        assert_eq!(
            float(0x0f0, op, SIGNALLING, one_and_half),
            one_and_half,
            "{op}"
        );
    }
    let double = |mode: u32| {
        let out = run_text(
            "v_max_f64 v[4:5], v[0:1], v[2:3]\ns_endpgm",
            &[
                ("mode", one(mode)),
                ("v0", one(1)),
                ("v1", one(0x7ff0_0000)),
                ("v3", one(0x4000_0000)),
            ],
        )
        .unwrap();
        (lanes(&out, "v4")[0], lanes(&out, "v5")[0])
    };
    assert_eq!(double(0x2f0), (0, 0x7ff8_0000));
    assert_eq!(double(0x0f0), (0, 0x4000_0000));
}

#[test]
fn clamp_of_nan_follows_dx10_clamp() {
    let add = "v_add_f32 v2, v0, v1 clamp";
    let (nan, half) = (f32::NAN.to_bits(), 0.5f32.to_bits());
    assert_eq!(float(0x1f0, add, nan, half), 0);
    assert_eq!(float(0x0f0, add, nan, half), 0x7fc0_0000);
    assert_eq!(float(0x0f0, add, half, 4f32.to_bits()), 1f32.to_bits());
}

/// A 32-bit quotient by the usual sequence, in a rounding mode. The refinement runs to nearest, the last two steps in
/// the mode.
fn quotient(round: u32, a: f32, b: f32) -> f32 {
    let text = format!(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0
        v_div_scale_f32 v3, s[0:1], v1, v1, v0
        v_div_scale_f32 v4, vcc, v0, v1, v0
        v_rcp_f32 v5, v3
        v_fma_f32 v6, -v3, v5, 1.0
        v_fma_f32 v5, v6, v5, v5
        v_mul_f32 v6, v4, v5
        v_fma_f32 v7, -v3, v6, v4
        v_fma_f32 v6, v7, v5, v6
        v_fma_f32 v3, -v3, v6, v4
        s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), {round}
        v_div_fmas_f32 v3, v3, v5, v6
        v_div_fixup_f32 v2, v3, v1, v0"
    );
    f32::from_bits(float(0xf0, &text, a.to_bits(), b.to_bits()))
}

#[test]
fn the_last_step_of_a_division_rounds_as_mode_says() {
    let cases = [
        (1.0f32, 3.0f32),
        (-1.0, 3.0),
        (1e30, 7e-8),
        (3e-38, 1e7),
        (-5e-39, 3.1),
        (1.5e-45, 2.9),
        (2.5, 1.0e38),
        (6.0, 2.0),
    ];
    for (a, b) in cases {
        let near = a / b;
        // How the nearest quotient lies to the true one: exactly, in double precision.
        let error = f64::from(near) * f64::from(b) - f64::from(a);
        let above = error != 0.0 && (error > 0.0) == (b > 0.0);
        let below = error != 0.0 && !above;
        let up = if below { near.next_up() } else { near };
        let down = if above { near.next_down() } else { near };
        let zero = if (a > 0.0) == (b > 0.0) { down } else { up };
        for (round, expected) in [(0, near), (1, up), (2, down), (3, zero)] {
            // The manual's scaling loses bits of denormal quotients of denormals in directed modes only in the sign
            // of the error, so all of these are exact.
            let found = quotient(round, a, b);
            assert_eq!(found, expected, "{a:e} / {b:e} in mode {round}");
        }
    }
}

#[test]
fn double_fmas_rounds_as_mode_says() {
    // 1/3 + 2^-60 in double precision, scaled by 2^-128.
    let run = |mode: u32| {
        let (a, b, c) = (2f64.powi(-30), 2f64.powi(-30), 1f64 / 3.0);
        let registers: Vec<(String, LaneValue)> = [a, b, c]
            .iter()
            .enumerate()
            .flat_map(|(n, x)| {
                let bits = x.to_bits();
                [
                    (format!("v{}", 2 * n), one(bits as u32)),
                    (format!("v{}", 2 * n + 1), one((bits >> 32) as u32)),
                ]
            })
            .chain([
                ("mode".to_owned(), one(mode)),
                (
                    "vcc".to_owned(),
                    LaneValue::Text("0xffffffffffffffff".into()),
                ),
            ])
            .collect();
        let registers: Vec<(&str, LaneValue)> = registers
            .iter()
            .map(|(n, v)| (n.as_str(), v.clone()))
            .collect();
        let text = "v_div_fmas_f64 v[6:7], v[0:1], v[2:3], v[4:5]\ns_endpgm";
        let out = run_text(text, &registers).unwrap();
        let bits = u64::from(lanes(&out, "v6")[0]) | u64::from(lanes(&out, "v7")[0]) << 32;
        f64::from_bits(bits) * 2f64.powi(128)
    };
    let third = 1f64 / 3.0;
    assert_eq!(run(0xf0), third);
    assert_eq!(run(0xf4), third.next_up());
    assert_eq!(run(0xf8), third);
    assert_eq!(run(0xfc), third);
}

/// The handler lies behind the program; it counts in s10 and returns behind the trap.
const TRAPPING: &str = "
    s_mov_b32 s10, 0
    s_getpc_b64 tba
    here:
    s_add_u32 tba_lo, tba_lo, 40
    s_addc_u32 tba_hi, tba_hi, 0
    s_trap 7
    s_getreg_b32 s11, hwreg(HW_REG_STATUS, 5, 2)
    s_trap 1
    s_mov_b32 s12, 5
    s_nop 0
    s_endpgm
    s_nop 0
    s_nop 0
    handler:
    s_bfe_u32 s2, ttmp1, 0x80010
    s_add_u32 s10, s10, s2
    s_getreg_b32 s13, hwreg(HW_REG_STATUS, 5, 2)
    s_add_u32 ttmp0, ttmp0, 4
    s_addc_u32 ttmp1, ttmp1, 0
    s_rfe_b64 ttmp[0:1]";

#[test]
fn traps_go_to_the_handler_and_come_back() {
    let words = super::words(TRAPPING);
    // 40 bytes from the S_ADD to the handler: two words of S_ADD literal or not, checked here.
    let handler = words
        .iter()
        .position(|word| *word == super::words("s_bfe_u32 s2, ttmp1, 0x80010")[0]);
    assert_eq!(handler, Some(12));
    let out = run_text(TRAPPING, &[]).unwrap();
    assert_eq!(out.registers["s10"], one(8), "both trap numbers");
    assert_eq!(out.registers["s12"], one(5));
    // TRAP_EN and PRIV in the handler, TRAP_EN outside.
    assert_eq!(out.registers["s13"], one(3));
    assert_eq!(out.registers["s11"], one(2));
}

#[test]
fn without_a_handler_a_trap_is_nothing() {
    let out = run_text("s_trap 2\ns_mov_b32 s0, 1\ns_endpgm", &[]).unwrap();
    assert_eq!(out.registers["s0"], one(1));
    assert_eq!(out.instructions, 3);
}

#[test]
fn the_address_of_a_trap_is_saved() {
    // The program of a run without memory lies at 0x1000.
    let text = "s_nop 0\ns_trap 0xab\ns_endpgm";
    let tba = LaneValue::Text("0x1008".into());
    let out = run_text(text, &[("tba", tba)]).unwrap();
    assert_eq!(out.registers["ttmp0"], one(0x1004));
    assert_eq!(out.registers["ttmp1"], one(0x00ab_0000));
}
