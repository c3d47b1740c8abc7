//! Programs of raw words, lifted and run as one wave.
#![allow(clippy::unwrap_used)]

use lanes::{Engine, Fault, Interpreter, Ports, Wave};
use southern_islands::isa::{Allocation, Mode, lift};

struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, port: u32, _: &mut Wave) -> Result<(), Fault> {
        panic!("port {port} in a program that has none");
    }
}

/// Runs a program with denormals kept and every lane enabled.
fn run(words: &[u32], prepare: impl FnOnce(&mut Wave)) -> Result<Wave, String> {
    let lifted = lift(words, 0x1000, Mode(0xf0), Allocation::ALL).map_err(|e| e.to_string())?;
    let engine = Interpreter::new();
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
