//! Depth, stencil and blend rows against one lane at a time.

#![allow(clippy::unwrap_used)]

use std::cmp::Ordering;

use proptest::prelude::*;
use silicon::SimdLevel;
use silicon::fragment::blend::{
    Blend, Color, Equation, Factor, Logic, Operation, Range, blend, logic,
};
use silicon::fragment::depth::{self, Compare, Depth, DepthFormat};
use silicon::fragment::stencil::{DepthStencil, Face, Facing, StencilOp};

/// A row made from a seed; many lanes repeat awkward values.
fn row(seed: u64, awkward: &[f32]) -> [f32; 64] {
    let mut state = seed;
    std::array::from_fn(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let n = (state >> 40) as usize;
        if n.is_multiple_of(3) {
            awkward[n / 3 % awkward.len()]
        } else {
            n as f32 / (1 << 24) as f32
        }
    })
}

const AWKWARD: [f32; 9] = [
    0.0,
    1.0,
    0.5,
    -0.25,
    2.0,
    f32::NAN,
    f32::INFINITY,
    -0.0,
    1.0 / 255.0,
];

fn bits(mask: u64, lane: usize) -> bool {
    mask >> lane & 1 != 0
}

fn compare() -> impl Strategy<Value = Compare> {
    prop::sample::select(&Compare::ALL[..])
}

fn op() -> impl Strategy<Value = StencilOp> {
    prop::sample::select(&StencilOp::ALL[..])
}

prop_compose! {
    fn face()(compare in compare(), fail in op(), depth_fail in op(), pass in op(),
        compare_mask in prop_oneof![Just(255u8), any::<u8>()], write_mask in prop_oneof![Just(255u8), any::<u8>()],
        reference in any::<u8>()) -> Face {
        Face { compare, fail, depth_fail, pass, compare_mask, write_mask, reference }
    }
}

/// A comparison by the order of its sides; what is no number has none. [VULKAN VkCompareOp]
fn holds<T: PartialOrd>(compare: Compare, new: T, old: T) -> bool {
    let order = new.partial_cmp(&old);
    let passing: &[Option<Ordering>] = match compare {
        Compare::Never => &[],
        Compare::Less => &[Some(Ordering::Less)],
        Compare::Equal => &[Some(Ordering::Equal)],
        Compare::LessEqual => &[Some(Ordering::Less), Some(Ordering::Equal)],
        Compare::Greater => &[Some(Ordering::Greater)],
        Compare::NotEqual => &[Some(Ordering::Less), Some(Ordering::Greater), None],
        Compare::GreaterEqual => &[Some(Ordering::Greater), Some(Ordering::Equal)],
        Compare::Always => return true,
    };
    passing.contains(&order)
}

/// What an operation leaves of a stencil value. [VULKAN VkStencilOp]
fn stencil(op: StencilOp, old: u8, reference: u8) -> u8 {
    let old = i32::from(old);
    let new = match op {
        StencilOp::Keep => old,
        StencilOp::Zero => 0,
        StencilOp::Replace => reference.into(),
        StencilOp::IncrementClamp => (old + 1).min(255),
        StencilOp::DecrementClamp => (old - 1).max(0),
        StencilOp::Invert => 255 - old,
        StencilOp::IncrementWrap => (old + 1) % 256,
        StencilOp::DecrementWrap => (old + 255) % 256,
    };
    new as u8
}

/// The largest number of a normalised format.
fn largest(format: DepthFormat) -> Option<u32> {
    match format {
        DepthFormat::Unorm16 | DepthFormat::Counted16 { .. } => Some(0xffff),
        DepthFormat::Unorm24 => Some(0xff_ffff),
        DepthFormat::Float32 => None,
    }
}

/// Bits of a depth: the nearest number, the even one of two. The product has 48 bits at most, so it is exact.
fn stored_depth(format: DepthFormat, z: f32) -> u32 {
    let Some(most) = largest(format) else {
        return if z.is_nan() { 0x7fc0_0000 } else { z.to_bits() };
    };
    let z = if z.is_nan() { 0.0 } else { z };
    let scaled = f64::from(z).clamp(0.0, 1.0) * f64::from(most);
    let below = scaled as u32;
    match (scaled - f64::from(below)).partial_cmp(&0.5) {
        Some(Ordering::Less) => below,
        Some(Ordering::Equal) => below + below % 2,
        _ => below + 1,
    }
}

/// The depth of stored bits.
fn held_depth(format: DepthFormat, bits: u32) -> f64 {
    match largest(format) {
        Some(most) => f64::from(bits) / f64::from(most),
        None => f32::from_bits(bits).into(),
    }
}

proptest! {
    #[test]
    fn depth_and_stencil(
        format in prop::sample::select(vec![DepthFormat::Unorm16, DepthFormat::Unorm24, DepthFormat::Float32]),
        compare in compare(), write in any::<bool>(), with_depth in any::<bool>(),
        clamp in prop::option::of(Just([0.1f32, 0.9])), bounds in prop::option::of(Just([0.25f32, 0.75])),
        faces in prop::option::of((face(), face())), own in any::<bool>(), mask in any::<u64>(), front in any::<u64>(), seed in any::<u64>(),
    ) {
        let state = Depth { format, compare, write, clamp, bounds };
        let z = row(seed, &[0.0, 1.0, 0.5, 0.25, -1.0, f32::NAN, 3.0]);
        // Half of the stored depths equal the new ones.
        let other = row(seed ^ 99, &[0.5, 0.75]);
        let limit = |z: f32| clamp.map_or(z, |[l, h]| if z.is_nan() { l } else { z.clamp(l, h) });
        let start: [u32; 64] = std::array::from_fn(|i| {
            let v = if i % 2 == 0 { limit(z[i]) } else { other[i] };
            stored_depth(format, if v.is_nan() { 0.0 } else { v })
        });
        let start_stencil: [u8; 64] = std::array::from_fn(|i| (seed >> (i % 8 * 8)) as u8 ^ (i as u8) << 2);
        let both = DepthStencil {
            depth: with_depth.then_some(state),
            stencil: faces.map(|(a, b)| [a, b]),
        };
        // A few values, with bits that do not count above them.
        let references: [u32; 64] = std::array::from_fn(|i| (seed as u32 >> 5) ^ (i as u32 % 5) << 2);
        let facing = Facing { front, references: own.then_some(&references) };
        for level in SimdLevel::available() {
            let mut new = [0; 64];
            depth::encode(level, &state, &z, &mut new);
            let (mut d, mut s) = (start, start_stencil);
            let passed = both.run(level, mask, facing, &new, &mut d, &mut s);
            for i in 0..64 {
                let encoded = stored_depth(format, limit(z[i]));
                prop_assert_eq!(new[i], encoded);
                let old = held_depth(format, start[i]);
                let near = !with_depth || match format {
                    DepthFormat::Float32 => holds(compare, f64::from(limit(z[i])), old),
                    _ => holds(compare, encoded, start[i]),
                };
                let within = !with_depth || bounds.is_none_or(|[l, h]| old >= l.into() && old <= h.into());
                let tested = bits(mask, i) && within;
                let stored = start_stencil[i];
                let (mut pass, mut expected) = (near, stored);
                if let Some((a, b)) = faces {
                    let mut face = if bits(front, i) { a } else { b };
                    if own {
                        face.reference = references[i] as u8;
                    }
                    let equal = holds(face.compare, face.reference & face.compare_mask, stored & face.compare_mask);
                    pass = near && equal;
                    let op = if !equal { face.fail } else if near { face.pass } else { face.depth_fail };
                    expected = stencil(op, stored, face.reference) & face.write_mask | stored & !face.write_mask;
                }
                pass &= tested;
                prop_assert_eq!(bits(passed, i), pass);
                prop_assert_eq!(s[i], if tested { expected } else { stored });
                prop_assert_eq!(d[i], if pass && write && with_depth { encoded } else { start[i] });
            }
        }
    }
}

fn limit(range: Range, v: f32) -> f32 {
    let low = match range {
        Range::Float | Range::Saturated => return v,
        Range::Unorm => 0.0,
        Range::Snorm => -1.0,
    };
    if v.is_nan() {
        return 0.0;
    }
    // Minus zero becomes the lower limit of unsigned targets.
    if v > low { v.min(1.0) } else { low }
}

/// One component of one lane, from the table of factors.
fn one(state: &Blend, s: [f32; 4], s1: [f32; 4], d: [f32; 4], c: usize) -> f32 {
    let [s, s1, d, k] = [s, s1, d, state.constant].map(|v| v.map(|v| limit(state.range, v)));
    let equation = if c == 3 { state.alpha } else { state.color };
    let term = |f: Factor, v: f32| {
        let by = match f {
            Factor::Zero => return 0.0,
            Factor::One => return v,
            Factor::SrcColor => s[c],
            Factor::OneMinusSrcColor => 1.0 - s[c],
            Factor::DstColor => d[c],
            Factor::OneMinusDstColor => 1.0 - d[c],
            Factor::SrcAlpha => s[3],
            Factor::OneMinusSrcAlpha => 1.0 - s[3],
            Factor::DstAlpha => d[3],
            Factor::OneMinusDstAlpha => 1.0 - d[3],
            Factor::ConstantColor => k[c],
            Factor::OneMinusConstantColor => 1.0 - k[c],
            Factor::ConstantAlpha => k[3],
            Factor::OneMinusConstantAlpha => 1.0 - k[3],
            Factor::SrcAlphaSaturate if c == 3 => 1.0,
            Factor::SrcAlphaSaturate => {
                if s[3] < 1.0 - d[3] {
                    s[3]
                } else {
                    1.0 - d[3]
                }
            }
            Factor::Src1Color => s1[c],
            Factor::OneMinusSrc1Color => 1.0 - s1[c],
            Factor::Src1Alpha => s1[3],
            Factor::OneMinusSrc1Alpha => 1.0 - s1[3],
        };
        v * by
    };
    let (a, b) = (term(equation.src, s[c]), term(equation.dst, d[c]));
    let out = match equation.op {
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::ReverseSubtract => b - a,
        Operation::Min => {
            if s[c] < d[c] {
                s[c]
            } else {
                d[c]
            }
        }
        Operation::Max => {
            if s[c] > d[c] {
                s[c]
            } else {
                d[c]
            }
        }
    };
    match state.range {
        Range::Saturated => limit(Range::Unorm, out),
        range => limit(range, out),
    }
}

fn equation() -> impl Strategy<Value = Equation> {
    let factor = || prop::sample::select(&Factor::ALL[..]);
    let op = prop::sample::select(vec![
        Operation::Add,
        Operation::Add,
        Operation::Subtract,
        Operation::ReverseSubtract,
        Operation::Min,
        Operation::Max,
    ]);
    (factor(), factor(), op).prop_map(|(src, dst, op)| Equation { src, dst, op })
}

/// States with and without a fast path.
fn equations() -> impl Strategy<Value = (Equation, Equation)> {
    let over = |src| Equation {
        src,
        dst: Factor::OneMinusSrcAlpha,
        op: Operation::Add,
    };
    prop_oneof![
        Just((over(Factor::SrcAlpha), over(Factor::One))),
        Just((over(Factor::One), over(Factor::One))),
        (equation(), equation()),
    ]
}

fn same(a: u32, b: f32) -> bool {
    if b.is_nan() {
        a == 0x7fc0_0000
    } else {
        a == b.to_bits()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn blending(
        (color, alpha) in equations(),
        range in prop::sample::select(vec![Range::Unorm, Range::Snorm, Range::Float, Range::Saturated]),
        write in prop_oneof![Just(15u8), 0u8..16], mask in prop_oneof![Just(u64::MAX), any::<u64>()], seed in any::<u64>(),
    ) {
        prop_assume!(color != Equation::REPLACE || alpha != Equation::REPLACE);
        let state = Blend { color, alpha, constant: [0.1, 1.5, -0.5, 0.7], write, range };
        let rows = |salt: u64| -> [[f32; 64]; 4] { std::array::from_fn(|c| row(seed ^ (salt * 4 + c as u64), &AWKWARD)) };
        let (s, s1, d) = (rows(1), rows(2), rows(3));
        let color = |r: &[[f32; 64]; 4]| -> Color { r.map(|r| r.map(f32::to_bits)) };
        let start = color(&d);
        for plan in [state.plan(), state.general_plan()] {
            for level in SimdLevel::available() {
                let mut out = start;
                let (source, second) = (color(&s), color(&s1));
                blend(level, &plan, source.each_ref(), Some(second.each_ref()), mask, &mut out);
                for i in 0..64 {
                    let at = |r: &[[f32; 64]; 4]| r.map(|r| r[i]);
                    for c in 0..4 {
                        if bits(mask, i) && write >> c & 1 != 0 {
                            let expected = one(&state, at(&s), at(&s1), at(&d), c);
                            prop_assert!(same(out[c][i], expected), "{:?} {} {:x} {}", plan, c, out[c][i], expected);
                        } else {
                            prop_assert_eq!(out[c][i], start[c][i]);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn opaque_copies_and_clamps() {
    let src: Color = std::array::from_fn(|c| row(c as u64 + 5, &AWKWARD).map(f32::to_bits));
    for range in [Range::Float, Range::Unorm, Range::Snorm] {
        let plan = Blend {
            write: 0b1011,
            ..Blend::opaque(range)
        }
        .plan();
        assert!(plan.reads_destination() && plan.writes());
        let mut dst = [[1; 64]; 4];
        blend(
            SimdLevel::current(),
            &plan,
            src.each_ref(),
            None,
            0xff00,
            &mut dst,
        );
        for i in 0..64 {
            for c in 0..4 {
                let value = limit(range, f32::from_bits(src[c][i]));
                let expected = match (bits(0xff00, i) && c != 2, range) {
                    (false, _) => 1,
                    (true, Range::Float) => src[c][i],
                    (true, _) => value.to_bits(),
                };
                assert_eq!(dst[c][i], expected);
            }
        }
    }
    assert!(!Blend::opaque(Range::Unorm).plan().reads_destination());
    let nothing = Blend {
        write: 0,
        ..Blend::opaque(Range::Unorm)
    };
    assert!(!nothing.plan().writes());
}

#[test]
fn logic_operations() {
    // Columns of the truth table: s = 1100, d = 1010.
    let expected = [
        0b0000, 0b1000, 0b0100, 0b1100, 0b0010, 0b1010, 0b0110, 0b1110, 0b0001, 0b1001, 0b0101,
        0b1101, 0b0011, 0b1011, 0b0111, 0b1111,
    ];
    for (op, expected) in Logic::ALL.into_iter().zip(expected) {
        assert_eq!(op.apply(0b1100, 0b1010) & 15, expected, "{op:?}");
        for level in SimdLevel::available() {
            let mut dst = [0b1010; 64];
            logic(level, op, 0b0111, &[0b1100; 64], 1 << 9, &mut dst);
            assert_eq!(dst[9], expected & 0b0111 | 0b1000);
            assert_eq!(dst[8], 0b1010);
        }
    }
}
