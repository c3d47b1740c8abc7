//! Blending. In: rows of source and destination RGBA (bits of `f32`). Out: rows of blended RGBA.
//!
//! Every product and sum rounds to single precision, in the order of [`Operation`]; a term with factor zero is zero;
//! NaN results are `0x7fc0_0000`. Normalised targets clamp sources, constants and results; the packer rounds. Integer
//! targets are not blended; logic operations work on packed texels.

use crate::fragment::mask;
use crate::texture::float::canonical;
use host::{SimdLevel, per_level};

/// What a colour is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// 0
    Zero,
    /// 1
    One,
    /// Source colour.
    SrcColor,
    /// 1 - source colour.
    OneMinusSrcColor,
    /// Destination colour.
    DstColor,
    /// 1 - destination colour.
    OneMinusDstColor,
    /// Source alpha.
    SrcAlpha,
    /// 1 - source alpha.
    OneMinusSrcAlpha,
    /// Destination alpha.
    DstAlpha,
    /// 1 - destination alpha.
    OneMinusDstAlpha,
    /// Constant colour.
    ConstantColor,
    /// 1 - constant colour.
    OneMinusConstantColor,
    /// Constant alpha.
    ConstantAlpha,
    /// 1 - constant alpha.
    OneMinusConstantAlpha,
    /// min(source alpha, 1 - destination alpha) for colour, 1 for alpha.
    SrcAlphaSaturate,
    /// Second source's colour.
    Src1Color,
    /// 1 - second source's colour.
    OneMinusSrc1Color,
    /// Second source's alpha.
    Src1Alpha,
    /// 1 - second source's alpha.
    OneMinusSrc1Alpha,
}

impl Factor {
    /// In the order of Vulkan.
    pub const ALL: [Factor; 19] = [
        Factor::Zero,
        Factor::One,
        Factor::SrcColor,
        Factor::OneMinusSrcColor,
        Factor::DstColor,
        Factor::OneMinusDstColor,
        Factor::SrcAlpha,
        Factor::OneMinusSrcAlpha,
        Factor::DstAlpha,
        Factor::OneMinusDstAlpha,
        Factor::ConstantColor,
        Factor::OneMinusConstantColor,
        Factor::ConstantAlpha,
        Factor::OneMinusConstantAlpha,
        Factor::SrcAlphaSaturate,
        Factor::Src1Color,
        Factor::OneMinusSrc1Color,
        Factor::Src1Alpha,
        Factor::OneMinusSrc1Alpha,
    ];
}

/// What a factor is, or what it lacks to 1, for one component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operand {
    /// A number, such as a constant.
    Number(f32),
    /// This component of the source.
    Source(usize),
    /// This one of the second source.
    Second(usize),
    /// The destination's value of the component that is blended.
    Target,
    /// The destination's alpha.
    TargetAlpha,
    /// min(source alpha, 1 - destination alpha)
    Saturated,
}

impl Factor {
    /// The operand for a component, and whether the factor is what it lacks to 1.
    pub(crate) fn operand(self, component: usize, constant: &[f32; 4]) -> (Operand, bool) {
        use Operand::*;
        match self {
            Factor::Zero => (Number(0.0), false),
            Factor::One => (Number(1.0), false),
            Factor::SrcColor => (Source(component), false),
            Factor::OneMinusSrcColor => (Source(component), true),
            Factor::DstColor => (Target, false),
            Factor::OneMinusDstColor => (Target, true),
            Factor::SrcAlpha => (Source(3), false),
            Factor::OneMinusSrcAlpha => (Source(3), true),
            Factor::DstAlpha => (TargetAlpha, false),
            Factor::OneMinusDstAlpha => (TargetAlpha, true),
            Factor::ConstantColor => (Number(constant[component]), false),
            Factor::OneMinusConstantColor => (Number(constant[component]), true),
            Factor::ConstantAlpha => (Number(constant[3]), false),
            Factor::OneMinusConstantAlpha => (Number(constant[3]), true),
            Factor::SrcAlphaSaturate if component == 3 => (Number(1.0), false),
            Factor::SrcAlphaSaturate => (Saturated, false),
            Factor::Src1Color => (Second(component), false),
            Factor::OneMinusSrc1Color => (Second(component), true),
            Factor::Src1Alpha => (Second(3), false),
            Factor::OneMinusSrc1Alpha => (Second(3), true),
        }
    }
}

/// How the two products are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `src * f + dst * g`
    Add,
    /// `src * f - dst * g`
    Subtract,
    /// `dst * g - src * f`
    ReverseSubtract,
    /// `min(src, dst)`, without factors.
    Min,
    /// `max(src, dst)`, without factors.
    Max,
}

/// Factors and operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Equation {
    /// Of the source.
    pub src: Factor,
    /// Of the destination.
    pub dst: Factor,
    /// The operation.
    pub op: Operation,
}

impl Equation {
    /// The source replaces the destination.
    pub const REPLACE: Equation = Equation {
        src: Factor::One,
        dst: Factor::Zero,
        op: Operation::Add,
    };
}

/// Numbers that the target holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// 0 to 1.
    Unorm,
    /// -1 to 1.
    Snorm,
    /// Any.
    Float,
    /// Any, but what blending makes is 0 to 1.
    Saturated,
}

impl Range {
    /// NaN becomes zero in normalised targets.
    #[inline(always)]
    pub(crate) fn limit(self, v: f32) -> f32 {
        let between = |low: f32| {
            let v = if v > low { v } else { low };
            if v < 1.0 { v } else { 1.0 }
        };
        match self {
            Range::Unorm => between(0.0),
            Range::Snorm if v.is_nan() => 0.0,
            Range::Snorm => between(-1.0),
            Range::Float | Range::Saturated => v,
        }
    }

    /// The same of what blending makes.
    #[inline(always)]
    fn limit_result(self, v: f32) -> f32 {
        match self {
            Range::Saturated => Range::Unorm.limit(v),
            _ => self.limit(v),
        }
    }
}

/// Blend state of one target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Red, green and blue.
    pub color: Equation,
    /// Alpha.
    pub alpha: Equation,
    /// Constant colour.
    pub constant: [f32; 4],
    /// Components that are written: bit 0 is red, bit 3 alpha.
    pub write: u8,
    /// Numbers of the target.
    pub range: Range,
}

/// Rows of red, green, blue and alpha, as bits of floats.
pub type Color = [[u32; 64]; 4];

/// The same where others keep the rows.
pub type Source<'a> = [&'a [u32; 64]; 4];

/// A blend state and its fastest kernel. Built once per draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    blend: Blend,
    path: Path,
}

/// Ways to blend. All give what `General` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// Nothing is written.
    Nothing,
    /// The source replaces the destination.
    Opaque,
    /// `src * src.a + dst * (1 - src.a)`; alpha `src.a + dst.a * (1 - src.a)`.
    Over,
    /// `src + dst * (1 - src.a)`, all components.
    Premultiplied,
    /// Whatever the state says.
    General,
}

impl Blend {
    /// Writes the source as it is.
    pub const fn opaque(range: Range) -> Blend {
        Blend {
            color: Equation::REPLACE,
            alpha: Equation::REPLACE,
            constant: [0.0; 4],
            write: 15,
            range,
        }
    }

    /// Chooses how.
    pub fn plan(self) -> Plan {
        let over = |src| Equation {
            src,
            dst: Factor::OneMinusSrcAlpha,
            op: Operation::Add,
        };
        let path = if self.write & 15 == 0 {
            Path::Nothing
        } else if self.range == Range::Saturated {
            Path::General
        } else if self.color == Equation::REPLACE && self.alpha == Equation::REPLACE {
            Path::Opaque
        } else if self.color == over(Factor::SrcAlpha) && self.alpha == over(Factor::One) {
            Path::Over
        } else if self.color == over(Factor::One) && self.alpha == over(Factor::One) {
            Path::Premultiplied
        } else {
            Path::General
        };
        Plan { blend: self, path }
    }

    /// The same on the general path: the oracle of the fast ones.
    pub fn general_plan(self) -> Plan {
        Plan {
            blend: self,
            path: Path::General,
        }
    }
}

impl Plan {
    /// Whether written lanes depend on the destination; if not, a full mask needs no read.
    pub fn reads_destination(&self) -> bool {
        self.path != Path::Opaque || self.blend.write & 15 != 15
    }

    /// The way it is done.
    pub(crate) fn path(&self) -> Path {
        self.path
    }

    /// What is done.
    pub(crate) fn state(&self) -> &Blend {
        &self.blend
    }

    /// Whether anything is written.
    pub fn writes(&self) -> bool {
        self.path != Path::Nothing
    }
}

/// Blends `src` (and `src1`, the second source of dual-source blending) into the lanes of `dst` in `mask`.
#[inline]
pub fn blend(
    level: SimdLevel,
    plan: &Plan,
    src: Source,
    src1: Option<Source>,
    mask: u64,
    dst: &mut Color,
) {
    match plan.path {
        Path::Nothing => {}
        Path::Opaque => opaque(level, &plan.blend, src, mask, dst),
        Path::Over => over(level, &plan.blend, false, src, mask, dst),
        Path::Premultiplied => over(level, &plan.blend, true, src, mask, dst),
        Path::General => general(level, &plan.blend, src, src1.unwrap_or(src), mask, dst),
    }
}

per_level! {
    fn opaque<'a>(state: &'a Blend, src: Source<'a>, mask: u64, dst: &'a mut Color) {
        for c in 0..4 {
            if state.write >> c & 1 == 0 {
                continue;
            }
            let (src, dst) = (src[c], &mut dst[c]);
            match state.range {
                Range::Float | Range::Saturated => mask::replace(mask, dst, |i| src[i]),
                Range::Unorm => mask::replace(mask, dst, |i| {
                    Range::Unorm.limit(f32::from_bits(src[i])).to_bits()
                }),
                Range::Snorm => mask::replace(mask, dst, |i| {
                    Range::Snorm.limit(f32::from_bits(src[i])).to_bits()
                }),
            }
        }
    }

    fn over<'a>(
        state: &'a Blend,
        premultiplied: bool,
        src: Source<'a>,
        mask: u64,
        dst: &'a mut Color,
    ) {
        match state.range {
            Range::Unorm => over_in(Range::Unorm, state.write, premultiplied, src, mask, dst),
            Range::Snorm => over_in(Range::Snorm, state.write, premultiplied, src, mask, dst),
            Range::Float | Range::Saturated => {
                over_in(Range::Float, state.write, premultiplied, src, mask, dst);
            }
        }
    }

    fn general<'a>(
        state: &'a Blend,
        src: Source<'a>,
        src1: Source<'a>,
        mask: u64,
        dst: &'a mut Color,
    ) {
        let inputs = Inputs {
            src: limited(state.range, src),
            src1: limited(state.range, src1),
            dst: limited(state.range, dst.each_ref()),
            constant: state.constant.map(|v| state.range.limit(v)),
        };
        for (c, dst) in dst.iter_mut().enumerate() {
            if state.write >> c & 1 == 0 {
                continue;
            }
            let equation = if c == 3 { state.alpha } else { state.color };
            let out = inputs.evaluate(equation, c);
            mask::replace(mask, dst, |i| canonical(state.range.limit_result(out[i])));
        }
    }
}

#[inline(always)]
fn over_in(range: Range, write: u8, premultiplied: bool, src: Source, mask: u64, dst: &mut Color) {
    let mut alpha = [0.0; 64];
    for (a, s) in alpha.iter_mut().zip(src[3]) {
        *a = range.limit(f32::from_bits(*s));
    }
    for c in 0..4 {
        if write >> c & 1 == 0 {
            continue;
        }
        let mut out = [0; 64];
        let weighted = c < 3 && !premultiplied;
        for i in 0..64 {
            let s = range.limit(f32::from_bits(src[c][i]));
            let d = range.limit(f32::from_bits(dst[c][i]));
            let s = if weighted { s * alpha[i] } else { s };
            out[i] = canonical(range.limit(s + d * (1.0 - alpha[i])));
        }
        mask::replace(mask, &mut dst[c], |i| out[i]);
    }
}

#[inline(always)]
fn limited(range: Range, color: Source) -> [[f32; 64]; 4] {
    let mut out = [[0.0; 64]; 4];
    for (out, row) in out.iter_mut().zip(color) {
        for (out, v) in out.iter_mut().zip(row) {
            *out = range.limit(f32::from_bits(*v));
        }
    }
    out
}

/// Colours and constants, limited to the target's range.
struct Inputs {
    src: [[f32; 64]; 4],
    src1: [[f32; 64]; 4],
    dst: [[f32; 64]; 4],
    constant: [f32; 4],
}

impl Inputs {
    #[inline(always)]
    fn evaluate(&self, equation: Equation, c: usize) -> [f32; 64] {
        let (s, d) = (&self.src[c], &self.dst[c]);
        let terms = || (self.term(equation.src, c, s), self.term(equation.dst, c, d));
        match equation.op {
            Operation::Add => {
                let (s, d) = terms();
                combine(|a, b| a + b, &s, &d)
            }
            Operation::Subtract => {
                let (s, d) = terms();
                combine(|a, b| a - b, &s, &d)
            }
            Operation::ReverseSubtract => {
                let (s, d) = terms();
                combine(|a, b| b - a, &s, &d)
            }
            Operation::Min => combine(|a, b| if a < b { a } else { b }, s, d),
            Operation::Max => combine(|a, b| if a > b { a } else { b }, s, d),
        }
    }

    /// [`Operand::Saturated`]
    #[inline(always)]
    fn saturated(&self) -> [f32; 64] {
        let mut row = [0.0; 64];
        for ((out, src), dst) in row.iter_mut().zip(&self.src[3]).zip(&self.dst[3]) {
            let rest = 1.0 - dst;
            *out = if *src < rest { *src } else { rest };
        }
        row
    }

    /// `color * factor`
    #[inline(always)]
    fn term(&self, factor: Factor, c: usize, color: &[f32; 64]) -> [f32; 64] {
        if factor == Factor::Zero {
            return [0.0; 64];
        }
        let (operand, rest) = factor.operand(c, &self.constant);
        let (splat, saturated);
        let row = match operand {
            Operand::Number(number) => {
                splat = [number; 64];
                &splat
            }
            Operand::Source(c) => &self.src[c],
            Operand::Second(c) => &self.src1[c],
            Operand::Target => &self.dst[c],
            Operand::TargetAlpha => &self.dst[3],
            Operand::Saturated => {
                saturated = self.saturated();
                &saturated
            }
        };
        match rest {
            true => times_rest(color, row),
            false => times(color, row),
        }
    }
}

/// A loop, as library calls that are not inlined compile for the baseline.
#[inline(always)]
fn times(color: &[f32; 64], row: &[f32; 64]) -> [f32; 64] {
    let mut out = *color;
    for (out, row) in out.iter_mut().zip(row) {
        *out *= row;
    }
    out
}

/// The same by what is missing to 1.
#[inline(always)]
fn times_rest(color: &[f32; 64], row: &[f32; 64]) -> [f32; 64] {
    let mut out = *color;
    for (out, row) in out.iter_mut().zip(row) {
        *out *= 1.0 - row;
    }
    out
}

#[inline(always)]
fn combine(op: impl Fn(f32, f32) -> f32, a: &[f32; 64], b: &[f32; 64]) -> [f32; 64] {
    let mut out = [0.0; 64];
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = op(*a, *b);
    }
    out
}

/// Bitwise operations on packed texels: `s` is the source, `d` the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// `0`
    Clear,
    /// `s & d`
    And,
    /// `s & !d`
    AndReverse,
    /// `s`
    Copy,
    /// `!s & d`
    AndInverted,
    /// `d`
    NoOp,
    /// `s ^ d`
    Xor,
    /// `s | d`
    Or,
    /// `!(s | d)`
    Nor,
    /// `!(s ^ d)`
    Equivalent,
    /// `!d`
    Invert,
    /// `s | !d`
    OrReverse,
    /// `!s`
    CopyInverted,
    /// `!s | d`
    OrInverted,
    /// `!(s & d)`
    Nand,
    /// `!0`
    Set,
}

impl Logic {
    /// In the order of Vulkan.
    pub const ALL: [Logic; 16] = [
        Logic::Clear,
        Logic::And,
        Logic::AndReverse,
        Logic::Copy,
        Logic::AndInverted,
        Logic::NoOp,
        Logic::Xor,
        Logic::Or,
        Logic::Nor,
        Logic::Equivalent,
        Logic::Invert,
        Logic::OrReverse,
        Logic::CopyInverted,
        Logic::OrInverted,
        Logic::Nand,
        Logic::Set,
    ];

    /// The result for every pair of bits: bit `2 * s + d`.
    const fn table(self) -> u32 {
        match self {
            Logic::Clear => 0b0000,
            Logic::And => 0b1000,
            Logic::AndReverse => 0b0100,
            Logic::Copy => 0b1100,
            Logic::AndInverted => 0b0010,
            Logic::NoOp => 0b1010,
            Logic::Xor => 0b0110,
            Logic::Or => 0b1110,
            Logic::Nor => 0b0001,
            Logic::Equivalent => 0b1001,
            Logic::Invert => 0b0101,
            Logic::OrReverse => 0b1101,
            Logic::CopyInverted => 0b0011,
            Logic::OrInverted => 0b1011,
            Logic::Nand => 0b0111,
            Logic::Set => 0b1111,
        }
    }

    /// The operation on a word.
    #[inline(always)]
    pub fn apply(self, s: u32, d: u32) -> u32 {
        let choose = |bit: u32| 0u32.wrapping_sub(self.table() >> bit & 1);
        choose(0) & !s & !d | choose(1) & !s & d | choose(2) & s & !d | choose(3) & s & d
    }
}

per_level! {
    /// Applies a logic operation to one word of packed texels, in the lanes of `mask` and the bits of `bits`.
    pub fn logic<'a>(
        op: Logic,
        bits: u32,
        src: &'a [u32; 64],
        mask: u64,
        dst: &'a mut [u32; 64],
    ) {
        let old = *dst;
        mask::replace(mask, dst, |i| op.apply(src[i], old[i]) & bits | old[i] & !bits);
    }
}
