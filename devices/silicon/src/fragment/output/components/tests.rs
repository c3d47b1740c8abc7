use super::*;
use crate::fragment::blend::{self, Blend, Color};
use crate::texture::texel::{self, pack_row};

const ADD: Operation = Operation::Add;

fn equation(src: Factor, dst: Factor, op: Operation) -> Equation {
    Equation { src, dst, op }
}

/// Each factor with each operation, as the source's and as the target's.
fn all_equations() -> impl Iterator<Item = [Equation; 2]> {
    use Operation::*;
    let factors = Factor::ALL;
    [Add, Subtract, ReverseSubtract, Min, Max]
        .into_iter()
        .flat_map(move |op| {
            (0..factors.len()).map(move |n| {
                let other = |step: usize| factors[(n * step + 3) % factors.len()];
                [
                    equation(factors[n], other(7), op),
                    equation(other(5), factors[n], op),
                ]
            })
        })
}

/// Colour and alpha equations that targets often have.
fn equations() -> Vec<[Equation; 2]> {
    let replace = Equation::REPLACE;
    let over = |src| equation(src, Factor::OneMinusSrcAlpha, ADD);
    let both = equation(Factor::One, Factor::One, ADD);
    let second = equation(Factor::Src1Color, Factor::OneMinusSrc1Alpha, ADD);
    let faded = equation(Factor::ConstantAlpha, Factor::OneMinusConstantColor, ADD);
    let saturated = equation(Factor::SrcAlphaSaturate, Factor::DstAlpha, ADD);
    let reverse = equation(Factor::DstColor, Factor::One, Operation::ReverseSubtract);
    vec![
        [replace; 2],
        [over(Factor::SrcAlpha), over(Factor::One)],
        [over(Factor::One); 2],
        [both; 2],
        [both, replace],
        [replace, both],
        [equation(Factor::One, Factor::One, Operation::Max), both],
        [second, replace],
        [faded, both],
        [saturated, reverse],
        [equation(Factor::One, Factor::One, Operation::Min); 2],
    ]
}

/// Sources from awkward values and a count; integers where the format has them.
fn colors(integers: bool, seed: u32) -> Color {
    let awkward = [
        0.0,
        -0.0,
        -1.0,
        0.5,
        1.0,
        1.5,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e-30,
        70000.0,
        -3e-6,
    ];
    std::array::from_fn(|c| {
        std::array::from_fn(|i| {
            let n = i + 7 * seed as usize;
            match n % 3 {
                // Values that no encoding looks at twice, in some vectors.
                _ if !integers && i / 16 % 2 == 1 => ((n * 37 + c * 11) as f32 / 4500.0).to_bits(),
                _ if integers => (n as u32 * 37 + c as u32).wrapping_mul(0x0101_0301) >> (n % 32),
                0 => f32::to_bits(awkward[(n / 3 + c) % awkward.len()]),
                1 => f32::NAN.to_bits() + n as u32,
                _ => ((n * 37 + c * 11) as f32 / 2500.0).to_bits(),
            }
        })
    })
}

fn random(state: &mut u32) -> Lanes {
    [(); 64].map(|()| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *state ^ *state >> 15
    })
}

fn range(format: Format) -> Range {
    match format.class() {
        Class::Unorm => Range::Unorm,
        Class::Snorm => Range::Snorm,
        _ => Range::Float,
    }
}

/// Every format and plan that is done here, against unpacking, blending and packing.
#[test]
fn rows_are_as_the_plain_loop_makes_them() {
    let mut state = 1;
    let renderable = Format::ALL.iter().filter(|format| format.is_renderable());
    for &format in renderable {
        let integers = format.class().is_integer();
        let bits: u32 = format.channels().iter().map(|c| u32::from(c.bits)).sum();
        let words = bits.div_ceil(32) as usize;
        let often = equations()
            .into_iter()
            .flat_map(|e| [15, 7, 8, 1].map(|w| (e, w)));
        for ([color, alpha], write) in often.chain(all_equations().map(|e| (e, 15))) {
            let state_of = Blend {
                color,
                alpha,
                write,
                constant: [0.25, 1.5, -0.5, 0.75],
                range: range(format),
            };
            let plan = state_of.plan();
            let Some(components) = Components::new(format, &plan) else {
                continue;
            };
            let (source, second) = (colors(integers, 0), colors(integers, 1));
            let mut start = [(); 4].map(|()| random(&mut state));
            // Texels have no bits beyond their own.
            for (n, row) in (0..).zip(&mut start) {
                if let 1..32 = bits.saturating_sub(32 * n) {
                    *row = row.map(|word| word & (u32::MAX >> (32 * (n + 1) - bits)));
                }
            }
            let mut expected = start;
            let mut values = [[0; 64]; 4];
            texel::unpack_row(SimdLevel::BASELINE, format, &start, &mut values);
            let sources = (source.each_ref(), Some(second.each_ref()));
            let (one, two) = sources;
            blend::blend(SimdLevel::BASELINE, &plan, one, two, u64::MAX, &mut values);
            pack_row(SimdLevel::BASELINE, format, &values, &mut expected);
            for level in SimdLevel::available() {
                let mut texels = start.map(|row| [row; 3]);
                let mut rows = texels.each_mut().map(|rows| &mut rows[..]);
                let second = [second.each_ref(); 3];
                let sources = (&[source.each_ref(); 3][..], Some(&second[..]));
                components.write_tiles(level, sources, &mut rows);
                for (texels, expected) in texels.iter().zip(&expected).take(words) {
                    assert_eq!(texels, &[*expected; 3], "{format:?} {state_of:?} {level:?}");
                }
            }
        }
        assert!(!integers || words > 0);
    }
}

/// Formats that a chip may draw to and whose rows are blended lane by lane component: none but those listed.
#[test]
fn every_target_has_a_fast_way() {
    let opaque = |format| Blend::opaque(range(format)).plan();
    let missing = |format: &&Format| Components::new(**format, &opaque(**format)).is_none();
    let renderable = Format::ALL.iter().filter(|format| format.is_renderable());
    let missing: Vec<_> = renderable.filter(missing).collect();
    // A float and an integer in one texel: no chip draws to it.
    assert_eq!(missing, [&Format::R32FloatG8Uint]);
}
