//! Colours to output registers: packed as the targets are kept, blended and masked with what is there. [Rogue 12.2]

use ::rogue::isa::Format as Packed;
use ::rogue::isa::alu::{Alu, Modifiers};
use ::rogue::isa::bitwise::Logical;
use ::rogue::isa::phase2::{Feed, Pck, Test, TestType};
use ::rogue::pbe::{Kept, OUTPUT_REGISTERS, on_chip, places};
use silicon::texture::format::Class;
use wgpu_types as wgt;

use super::entry::output;
use super::machine::{Dst, Effect, Main, Operand, Phase, TRUE, UNIT, ZERO, fed, shared};
use super::select::{Select, Source, bypass};
use crate::codegen::Result;
use crate::codegen::outputs::Color;
use crate::format::texture_format;
use crate::state::LogicOp;

/// The driver's shared registers with the blend constant.
const BLEND_CONSTANT: u16 = 0;

const PLAIN: Modifiers = Modifiers {
    floor: false,
    abs: false,
    neg: false,
};

/// A target and what it takes of the output registers.
struct Target<'a> {
    state: &'a wgt::ColorTargetState,
    kept: Kept,
    first: u16,
    registers: u16,
    class: Class,
}

impl Select<'_> {
    /// Writes colours to the targets of a pipeline.
    pub(super) fn export_colors(&mut self, colors: &[Color]) -> Result<()> {
        let options = self.options;
        let formats: Vec<_> = options
            .targets
            .iter()
            .map(|target| texture_format(target.as_ref()?.format))
            .collect();
        let (firsts, all) = places(&formats);
        if all > OUTPUT_REGISTERS {
            return Err(self.unsupported(format!(
                "{all} registers of pixel outputs, more than the {OUTPUT_REGISTERS}"
            )));
        }
        let second = colors
            .iter()
            .find(|color| color.target == 1 && options.targets.get(1).is_none_or(Option::is_none));
        for color in colors {
            let at = color.target as usize;
            let (Some(Some(state)), Some(Some(format))) =
                (options.targets.get(at), formats.get(at))
            else {
                continue;
            };
            let Some(on) = on_chip(*format) else { continue };
            let target = Target {
                state,
                kept: on.kept,
                first: firsts[at] as u16,
                registers: on.registers as u16,
                class: format.class(),
            };
            self.export_color(&target, color, second)?;
        }
        Ok(())
    }

    fn export_color(
        &mut self,
        target: &Target<'_>,
        color: &Color,
        second: Option<&Color>,
    ) -> Result<()> {
        let components = match target.kept {
            Kept::Unorm8 => 4,
            Kept::Half => 2 * usize::from(target.registers),
            Kept::Word => usize::from(target.registers),
        };
        let source = self.color_words(color, target);
        let mask = target.state.write_mask.bits() as usize;
        let all = (1 << components) - 1;
        let blend = target
            .state
            .blend
            .filter(|_| target.class != Class::Uint && target.class != Class::Sint);
        if mask & all == 0 {
            return Ok(());
        }
        let reads = mask & all != all || blend.is_some();
        let mut words = source;
        if reads {
            let old = self.kept_words(target, components);
            if let Some(blend) = blend {
                let second = match second {
                    Some(second) => self.color_words(second, target),
                    None => source,
                };
                words = self.blended(&blend, source, old, second);
            }
            for (n, word) in words.iter_mut().enumerate() {
                if mask >> n & 1 == 0 {
                    *word = old[n];
                }
            }
        }
        self.keep_words(target, &words[..components]);
        Ok(())
    }

    /// The four words of a colour; clamped where blending wants it.
    fn color_words(&mut self, color: &Color, target: &Target<'_>) -> [Operand; 4] {
        let mut words = [ZERO, ZERO, ZERO, UNIT];
        for (word, value) in words.iter_mut().zip(color.words) {
            if let Some(value) = value {
                *word = self.word(value);
            }
        }
        let clamps = target.class == Class::Unorm && target.state.blend.is_some();
        if clamps {
            for word in &mut words {
                if *word != ZERO && *word != UNIT {
                    *word = self.saturated(*word);
                }
            }
        }
        words
    }

    /// What the output registers have of a target.
    fn kept_words(&mut self, target: &Target<'_>, components: usize) -> [Operand; 4] {
        self.entry.reads_outputs = true;
        let mut words = [ZERO, ZERO, ZERO, UNIT];
        for (n, word) in words.iter_mut().enumerate().take(components) {
            let (register, unpack) = match target.kept {
                Kept::Unorm8 => (0, Some((Packed::U8888, n, true))),
                Kept::Half => (n / 2, Some((Packed::F16F16, n % 2, false))),
                Kept::Word => (n, None),
            };
            let from = Operand::Register(output(target.first + register as u16));
            let alu = match unpack {
                Some((format, element, scale)) => Alu::Unpack {
                    format,
                    element: element as u8,
                    scale,
                },
                None => bypass(PLAIN),
            };
            *word = self.phase(alu, vec![from]);
        }
        words
    }

    fn keep_words(&mut self, target: &Target<'_>, words: &[Operand]) {
        let (format, each, scale) = match target.kept {
            Kept::Unorm8 => (Packed::U8888, 4, true),
            Kept::Half => (Packed::F16F16, 2, false),
            Kept::Word => {
                let integers = matches!(target.class, Class::Uint | Class::Sint);
                let logic = self.options.logic_op.filter(|_| integers);
                for (n, &word) in (target.first..).zip(words) {
                    let word = self.combined(logic, n, word);
                    self.write_output(n, word);
                }
                return;
            }
        };
        let logic = self
            .options
            .logic_op
            .filter(|_| target.class == Class::Unorm);
        for (n, chunk) in (target.first..).zip(words.chunks(each)) {
            let row = self.row_of(chunk);
            let packed = self.code.unit();
            self.main(Main {
                p0: Some(Phase {
                    alu: bypass(PLAIN),
                    src: vec![Operand::Row(row, chunk.len() as u32)],
                }),
                pck: Some(Pck {
                    format,
                    prog: false,
                    round_zero: false,
                    scale,
                }),
                selectors: fed(Feed::FT2),
                w: [Some(Dst::Unit(packed)), None],
                repeat: chunk.len() as u8,
                ..Main::default()
            });
            let word = self.combined(logic, n, Operand::Unit(packed));
            self.write_output(n, word);
        }
    }

    /// A word combined with what an output register has.
    fn combined(&mut self, logic: Option<LogicOp>, number: u16, word: Operand) -> Operand {
        let Some(logic) = logic else { return word };
        if !matches!(
            logic,
            LogicOp::Clear | LogicOp::Set | LogicOp::Copy | LogicOp::CopyInverted
        ) {
            self.entry.reads_outputs = true;
        }
        let old = Operand::Register(output(number));
        let (op, first) = match logic {
            LogicOp::Clear => return ZERO,
            LogicOp::Set => return TRUE,
            LogicOp::Copy => return word,
            LogicOp::NoOp => (Logical::OR, ZERO),
            LogicOp::Invert => (Logical::XNOR, ZERO),
            LogicOp::CopyInverted => return self.logic(Logical::XOR, word, TRUE),
            LogicOp::And => (Logical::AND, word),
            LogicOp::Nand => (Logical::NAND, word),
            LogicOp::Or => (Logical::OR, word),
            LogicOp::Nor => (Logical::NOR, word),
            LogicOp::Xor => (Logical::XOR, word),
            LogicOp::Equivalent => (Logical::XNOR, word),
            LogicOp::AndReverse | LogicOp::OrReverse => {
                let not_old = self.logic(Logical::XOR, old, TRUE);
                let op = if logic == LogicOp::AndReverse {
                    Logical::AND
                } else {
                    Logical::OR
                };
                return self.logic(op, word, not_old);
            }
            LogicOp::AndInverted | LogicOp::OrInverted => {
                let op = if logic == LogicOp::AndInverted {
                    Logical::AND
                } else {
                    Logical::OR
                };
                (op, self.logic(Logical::XOR, word, TRUE))
            }
        };
        self.logic(op, first, old)
    }

    pub(super) fn write_output(&mut self, number: u16, word: Operand) {
        self.move_into(Dst::Register(output(number)), word);
        let block = &mut self.code.blocks[self.at];
        if let Some(last) = block.insts.last_mut() {
            // Behind the test of discarded lanes.
            last.effect = Effect::Read;
        }
    }

    fn blended(
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
