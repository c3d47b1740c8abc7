//! Blending in the program: what a colour becomes with what the pixel holds.

use ::rogue::isa::phase2::{Test, TestType};
use wgpu_types as wgt;

use super::machine::{Operand, UNIT, ZERO, shared};
use super::select::{Select, Source};

/// The driver's shared registers with the blend constant.
const BLEND_CONSTANT: u16 = 0;

impl Select<'_> {
    /// A colour blended with what is there; `second` is the second source.
    pub(super) fn blended(
        &mut self,
        blend: &wgt::BlendState,
        source: [Operand; 4],
        old: [Operand; 4],
        second: [Operand; 4],
    ) -> [Operand; 4] {
        std::array::from_fn(|n| {
            let part = if n == 3 { &blend.alpha } else { &blend.color };
            let [s, d] = [source[n], old[n]].map(Source::plain);
            match part.operation {
                wgt::BlendOperation::Min => self.either([s, d], (Test::TSTL, TestType::F32)),
                wgt::BlendOperation::Max => self.either([s, d], (Test::TSTGE, TestType::F32)),
                operation => {
                    let colors = [source, old, second];
                    let by = |select: &mut Self, factor| select.factor(factor, n, colors);
                    let (from, to) = (by(self, part.src_factor), by(self, part.dst_factor));
                    self.weighted(operation, [s, d], [from, to])
                }
            }
        })
    }

    /// `s * from` and `d * to`, added or subtracted.
    fn weighted(
        &mut self,
        operation: wgt::BlendOperation,
        [mut s, mut d]: [Source; 2],
        [from, to]: [Operand; 2],
    ) -> Operand {
        match operation {
            wgt::BlendOperation::Subtract => d.neg = true,
            wgt::BlendOperation::ReverseSubtract => s.neg = true,
            _ => {}
        }
        let [from, to] = [from, to].map(Source::plain);
        match (from.operand, to.operand) {
            (ZERO, _) => self.product(false, d, to),
            (_, ZERO) => self.product(false, s, from),
            (UNIT, _) => self.mad(false, [d, to, s]),
            (_, UNIT) => self.mad(false, [s, from, d]),
            _ => {
                let scaled = self.product(false, d, to);
                self.mad(false, [s, from, Source::plain(scaled)])
            }
        }
    }

    /// The factor of component `n`; of the source, what is there, and the second source.
    fn factor(
        &mut self,
        factor: wgt::BlendFactor,
        n: usize,
        [source, old, second]: [[Operand; 4]; 3],
    ) -> Operand {
        use wgt::BlendFactor::*;
        let constant = shared(BLEND_CONSTANT + n as u16);
        match factor {
            Zero => ZERO,
            One => UNIT,
            Src => source[n],
            OneMinusSrc => self.one_minus(source[n]),
            SrcAlpha => source[3],
            OneMinusSrcAlpha => self.one_minus(source[3]),
            Dst => old[n],
            OneMinusDst => self.one_minus(old[n]),
            DstAlpha => old[3],
            OneMinusDstAlpha => self.one_minus(old[3]),
            SrcAlphaSaturated if n == 3 => UNIT,
            SrcAlphaSaturated => {
                let rest = self.one_minus(old[3]);
                let sources = [source[3], rest].map(Source::plain);
                self.either(sources, (Test::TSTL, TestType::F32))
            }
            Constant => constant,
            OneMinusConstant => self.one_minus(constant),
            Src1 => second[n],
            OneMinusSrc1 => self.one_minus(second[n]),
            Src1Alpha => second[3],
            OneMinusSrc1Alpha => self.one_minus(second[3]),
        }
    }

    fn one_minus(&mut self, word: Operand) -> Operand {
        let from = Source {
            operand: word,
            neg: true,
            abs: false,
        };
        self.sum(false, from, Source::plain(UNIT))
    }
}
