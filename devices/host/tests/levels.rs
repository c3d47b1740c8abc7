//! Every level of the host gives the same bytes, and has a name. Small enough for Miri, which has the baseline only.

#![allow(clippy::unwrap_used)]

use host::{Body, Compiled, Kernel, Rounding, Signature, SimdLevel, per_level};

per_level! {
    fn sum<'a>(row: &'a [f32; 64], out: &'a mut [f32; 64]) -> u32 {
        for (o, r) in out.iter_mut().zip(row) {
            *o = *r * 3.0 + 0.1;
        }
        row.len() as u32
    }
}

#[test]
fn functions_agree() {
    let row: [f32; 64] = std::array::from_fn(|i| i as f32 * 0.37);
    let mut expected = [0.0; 64];
    sum(SimdLevel::BASELINE, &row, &mut expected);
    assert_eq!(expected[10], 3.7f32 * 3.0 + 0.1);
    for level in SimdLevel::available() {
        let mut out = [0.0; 64];
        assert_eq!(sum(level, &row, &mut out), 64);
        assert_eq!(out.map(f32::to_bits), expected.map(f32::to_bits));
    }
}

/// Levels ascend from the baseline, each under its own name.
#[test]
fn levels_have_names() {
    let levels = SimdLevel::available();
    assert_eq!(levels[0], SimdLevel::BASELINE);
    assert!(levels.is_sorted_by(|a, b| a < b));
    for level in levels {
        assert_eq!(SimdLevel::named(level.name()), Some(level));
    }
    assert_eq!(SimdLevel::named("mmx"), None);
}

struct Scale;

impl Signature for Scale {
    type Code = f32;
    type State<'a> = &'a mut [f32];
}

impl Body<Scale> for Scale {
    #[inline(always)]
    fn run<R: Rounding>(by: &f32, row: &mut &mut [f32]) {
        for value in row.iter_mut() {
            *value *= by;
        }
    }
}

fn negate(_: &f32, row: &mut &mut [f32]) {
    for value in row.iter_mut() {
        *value = -*value;
    }
}

#[test]
fn function_pointers_agree() {
    for level in SimdLevel::available() {
        let mut row = [0.1f32, 2.0, -3.5];
        level
            .compiled::<Scale, Scale>()
            .call(&0.1, &mut &mut row[..]);
        Compiled::<Scale>::plain(negate).call(&0.0, &mut &mut row[..]);
        assert_eq!(row, [-(0.1f32 * 0.1), -(2.0f32 * 0.1), 3.5f32 * 0.1]);
    }
    let wide = SimdLevel::BASELINE.compiled_for_32_registers::<Scale, Scale>();
    assert!(wide.is_none());
}

struct Fuses;

impl Kernel for Fuses {
    type Output = (bool, bool);
    fn run<R: Rounding>(self) -> (bool, bool) {
        (R::FUSED, R::AVX2)
    }
}

/// Kernels are told what their host has.
#[test]
fn rounding_follows_the_level() {
    for level in SimdLevel::available() {
        let wide = level != SimdLevel::BASELINE;
        let fused = wide || cfg!(target_arch = "aarch64");
        assert_eq!(level.run(Fuses), (fused, wide), "{}", level.name());
    }
}
