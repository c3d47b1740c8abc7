//! Any blend equation of one component, lane by lane without a branch: all that differs between equations is masks.

use super::equation;
use crate::fragment::blend::{Factor, Operand, Operation, Plan, Range, Source};
use crate::fragment::output::Aligned;
use crate::texture::sample::Lanes;
use crate::texture::texel::{Codec, Visit};
use host::{Kernel, Rounding, SimdLevel};

/// Tiles whose alphas are read before they are blended.
pub(super) const PART: usize = 8;

/// Rows that equations may have as factors.
pub(super) struct Alphas {
    /// Alpha of the texels.
    pub(super) target: [Aligned; PART],
    /// [`Operand::Saturated`].
    saturated: [Aligned; PART],
}

impl Alphas {
    pub(super) const NONE: Alphas = Alphas {
        target: [Aligned([0; 64]); PART],
        saturated: [Aligned([0; 64]); PART],
    };
}

/// In place of those of equations that have none as factors.
pub(super) static NO_ALPHAS: Alphas = Alphas::NONE;

/// `(s * f) +- (d * g)`, or the lesser or greater of `s` and `d`.
#[derive(Clone, Copy)]
pub(super) struct Formula {
    terms: [Term; 2],
    /// One of the two is chosen: the lesser after the sign bit is changed by this.
    choice: Option<u32>,
}

/// A product.
#[derive(Clone, Copy)]
struct Term {
    operand: Operand,
    /// The operand is this number, a row, or the target's value: the masks of the two latter.
    number: u32,
    row: u32,
    target: u32,
    /// All ones where the factor is what the operand lacks to 1.
    rest: u32,
    /// All ones unless the product is zero for every colour.
    some: u32,
    /// The sign bit where it is subtracted.
    sign: u32,
}

const SIGN: u32 = 1 << 31;

fn all(holds: bool) -> u32 {
    if holds { u32::MAX } else { 0 }
}

impl Formula {
    /// Zero.
    pub(super) const NONE: Formula = Formula {
        terms: [Term {
            operand: Operand::Number(0.0),
            number: 0,
            row: 0,
            target: 0,
            rest: 0,
            some: 0,
            sign: 0,
        }; 2],
        choice: None,
    };

    /// What a plan does with a component.
    pub(super) fn new(plan: &Plan, component: usize) -> Formula {
        let equation = equation(plan, component);
        let constant = plan.state().constant.map(|v| plan.state().range.limit(v));
        let term = |factor: Factor, subtracted| {
            let (operand, rest) = factor.operand(component, &constant);
            let number = match operand {
                Operand::Number(number) => Some(number),
                _ => None,
            };
            let target = operand == Operand::Target;
            Term {
                operand,
                number: number.unwrap_or(0.0).to_bits(),
                row: all(number.is_none() && !target),
                target: all(target),
                rest: all(rest),
                some: all(factor != Factor::Zero),
                sign: if subtracted { SIGN } else { 0 },
            }
        };
        Formula {
            terms: [
                term(equation.src, equation.op == Operation::ReverseSubtract),
                term(equation.dst, equation.op == Operation::Subtract),
            ],
            choice: match equation.op {
                Operation::Min => Some(0),
                Operation::Max => Some(SIGN),
                _ => None,
            },
        }
    }

    /// Whether it is the lesser or greater.
    pub(super) fn chooses(&self) -> bool {
        self.choice.is_some()
    }

    /// Whether it has rows of [`Alphas`].
    pub(super) fn reads_alpha(&self) -> bool {
        let reads = |term: &Term| matches!(term.operand, Operand::TargetAlpha | Operand::Saturated);
        !self.chooses() && self.terms.iter().any(reads)
    }

    /// The rows of both factors, of tile `n`; any row where a factor is no row.
    #[inline(always)]
    pub(super) fn rows<'a>(
        &self,
        (source, second): (&Source<'a>, &Source<'a>),
        n: usize,
        alphas: &'a Alphas,
    ) -> [&'a Lanes; 2] {
        let row = |term: &Term| match term.operand {
            Operand::Source(component) => source[component],
            Operand::Second(component) => second[component],
            Operand::TargetAlpha => &alphas.target[n].0,
            Operand::Saturated => &alphas.saturated[n].0,
            Operand::Number(_) | Operand::Target => source[3],
        };
        [row(&self.terms[0]), row(&self.terms[1])]
    }

    /// Whether a factor is a row.
    pub(super) fn has_rows(&self) -> bool {
        self.terms.iter().any(|term| term.row != 0)
    }

    /// The sum of a lane, of the bits of a source, of the texel's value, and of the rows of the factors, if they are any.
    #[inline(always)]
    pub(super) fn sum<C: Codec>(&self, color: u32, before: u32, rows: Option<[u32; 2]>) -> u32 {
        let s = C::limit(f32::from_bits(color));
        let d = f32::from_bits(before);
        let [first, second] = &self.terms;
        let [one, other] = match rows {
            Some([one, other]) => [Some(one), Some(other)],
            None => [None; 2],
        };
        let sum = first.times::<C>(s, d, one) + second.times::<C>(d, d, other);
        sum.to_bits()
    }

    /// The one that is chosen.
    #[inline(always)]
    pub(super) fn chosen<C: Codec>(&self, color: u32, before: u32) -> u32 {
        let sign = self.choice.unwrap_or(0);
        let s = C::limit(f32::from_bits(color));
        let d = f32::from_bits(before);
        let first = f32::from_bits(s.to_bits() ^ sign);
        let second = f32::from_bits(d.to_bits() ^ sign);
        let chosen = if first < second { s } else { d };
        chosen.to_bits()
    }
}

impl Term {
    /// A colour times the factor.
    #[inline(always)]
    fn times<C: Codec>(&self, color: f32, target: f32, row: Option<u32>) -> f32 {
        let row = match row {
            Some(row) => C::limit(f32::from_bits(row)).to_bits() & self.row,
            None => 0,
        };
        let operand = self.number | row | target.to_bits() & self.target;
        let lacks = (1.0 - f32::from_bits(operand)).to_bits();
        let factor = lacks & self.rest | operand & !self.rest;
        let product = color * f32::from_bits(factor);
        f32::from_bits(product.to_bits() & self.some ^ self.sign)
    }
}

/// Decodes the alpha of texels.
pub(super) struct ReadAlpha<'a> {
    pub(super) level: SimdLevel,
    pub(super) shift: u32,
    pub(super) texels: &'a [Lanes],
    pub(super) to: &'a mut [Aligned; PART],
}

impl Visit for ReadAlpha<'_> {
    fn visit<C: Codec>(self, codec: C) {
        self.level.run(Decode { read: self, codec });
    }
}

struct Decode<'a, C> {
    read: ReadAlpha<'a>,
    codec: C,
}

impl<C: Codec> Kernel for Decode<'_, C> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Decode { read, codec } = self;
        for (to, texels) in read.to.iter_mut().zip(read.texels) {
            for (to, word) in to.0.iter_mut().zip(texels) {
                *to = codec.decode::<R>(*word >> read.shift);
            }
        }
    }
}

/// What source alpha may add to the alpha of texels.
pub(super) struct Saturate<'a, 'b> {
    pub(super) range: Range,
    pub(super) sources: &'a [Source<'b>],
    pub(super) alphas: &'a mut Alphas,
}

impl Kernel for Saturate<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Alphas { target, saturated } = self.alphas;
        for ((out, target), source) in saturated.iter_mut().zip(target).zip(self.sources) {
            for ((out, target), alpha) in out.0.iter_mut().zip(&target.0).zip(source[3]) {
                let alpha = self.range.limit(f32::from_bits(*alpha));
                let rest = 1.0 - self.range.limit(f32::from_bits(*target));
                *out = if alpha < rest { alpha } else { rest }.to_bits();
            }
        }
    }
}
