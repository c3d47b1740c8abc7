//! Colours to output registers: packed as the targets are kept, blended and masked with what is there. [Rogue 12.2]

use ::rogue::isa::Format as Packed;
use ::rogue::isa::alu::{Alu, Modifiers};
use ::rogue::isa::bitwise::Logical;
use ::rogue::isa::phase2::{Feed, Pck, Test, TestType};
use ::rogue::lift::SpecialRegister;
use ::rogue::pbe::{Kept, OUTPUT_REGISTERS, OnChip, on_chip, places};
use ::rogue::tile_buffer;
use silicon::texture::format::Class;
use wgpu_types as wgt;

use super::entry::output;
use super::machine::{Dst, Effect, Main, Operand, Phase, TRUE, UNIT, Unit, ZERO, fed};
use super::select::{Select, Source, bypass};
use crate::codegen::Result;
use crate::codegen::outputs::Color;
use crate::format::texture_format;
use crate::state::LogicOp;

const PLAIN: Modifiers = Modifiers {
    floor: false,
    abs: false,
    neg: false,
};

/// A target and what it takes of the output registers.
struct Target<'a> {
    state: &'a wgt::ColorTargetState,
    on: OnChip,
    first: u16,
    class: Class,
}

impl Target<'_> {
    fn is_integer(&self) -> bool {
        matches!(self.class, Class::Uint | Class::Sint)
    }

    /// How PCK makes a register and UNPCK reads it; none where each component has a register.
    fn packed(&self) -> Option<(Packed, bool)> {
        Some(match self.on.kept {
            Kept::Unorm8 => (Packed::U8888, true),
            Kept::Snorm8 => (Packed::S8888, true),
            Kept::Uint8 => (Packed::U8888, false),
            Kept::Sint8 => (Packed::S8888, false),
            Kept::Unorm10 => (Packed::U1010102, true),
            Kept::Uint10 => (Packed::U1010102, false),
            Kept::Unorm16 => (Packed::U1616, true),
            Kept::Snorm16 => (Packed::S1616, true),
            Kept::Uint16 => (Packed::U1616, false),
            Kept::Sint16 => (Packed::S1616, false),
            Kept::Half => (Packed::F16F16, false),
            Kept::Float11 => (Packed::F111110, false),
            Kept::Word => return None,
        })
    }
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
        let (firsts, _) = places(&formats);
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
                on,
                first: firsts[at] as u16,
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
        let components = target.on.components as usize;
        let mut words = self.color_words(color, target);
        let mask = target.state.write_mask.bits() & ((1 << components) - 1);
        if mask == 0 {
            return Ok(());
        }
        if let Some(blend) = target.state.blend.filter(|_| !target.is_integer()) {
            let old = self.kept_words(target, components);
            let second = match second {
                Some(second) => self.color_words(second, target),
                None => words,
            };
            words = self.blended(&blend, words, old, second);
        }
        self.keep_words(target, &words[..components], mask);
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
        let limits = match target.class {
            Class::Unorm | Class::Snorm if target.state.blend.is_some() => Some(target.class),
            _ => None,
        };
        for word in words
            .iter_mut()
            .filter(|word| !matches!(**word, ZERO | UNIT))
        {
            *word = match limits {
                Some(Class::Unorm) => self.saturated(*word),
                Some(_) => self.within_one(*word),
                None => continue,
            };
        }
        words
    }

    /// A word clamped to -1..1.
    fn within_one(&mut self, word: Operand) -> Operand {
        let least = self.constant((-1.0f32).to_bits());
        let below = self.either([word, UNIT].map(Source::plain), (Test::TSTL, TestType::F32));
        self.either(
            [below, least].map(Source::plain),
            (Test::TSTG, TestType::F32),
        )
    }

    /// What the output registers have of a target.
    fn kept_words(&mut self, target: &Target<'_>, components: usize) -> [Operand; 4] {
        let mut words = [ZERO, ZERO, ZERO, UNIT];
        let each = target.on.kept.each() as usize;
        let mut from = ZERO;
        for (n, word) in words.iter_mut().enumerate().take(components) {
            if n % each == 0 {
                from = self.kept_word(target.first + (n / each) as u16);
            }
            let alu = match target.packed() {
                Some((format, scale)) => Alu::Unpack {
                    format,
                    element: (n % each) as u8,
                    scale,
                },
                None => bypass(PLAIN),
            };
            *word = self.phase(alu, vec![from]);
        }
        words
    }

    /// Words to output registers: packed, combined with what is there, under a mask of components.
    fn keep_words(&mut self, target: &Target<'_>, words: &[Operand], mask: u32) {
        let kept = target.on.kept;
        let bitwise = target.is_integer() || kept != Kept::Word && target.class != Class::Float;
        let logic = self.options.logic_op.filter(|_| bitwise);
        for (n, chunk) in words.chunks(kept.each() as usize).enumerate() {
            let first = n as u32 * kept.each();
            let bits = |mask: u32| {
                let components = (0..chunk.len() as u32).filter(|c| mask >> (first + c) & 1 == 1);
                components.fold(0, |bits, c| bits | kept.bits(c))
            };
            let (written, all) = (bits(mask), bits(u32::MAX));
            if written == 0 {
                continue;
            }
            let register = target.first + n as u16;
            let word = self.packed_chunk(target, chunk);
            let mut word = self.combined(logic, register, word);
            if written != all {
                let old = self.kept_word(register);
                let old = self.phase(bypass(PLAIN), vec![old]);
                let [new, rest] = [written, !written].map(|bits| self.constant(bits));
                let new = self.logic(Logical::AND, word, new);
                let old = self.logic(Logical::AND, old, rest);
                word = self.logic(Logical::OR, new, old);
            }
            self.write_output(register, word);
        }
    }

    /// A register of components.
    fn packed_chunk(&mut self, target: &Target<'_>, chunk: &[Operand]) -> Operand {
        let Some((format, scale)) = target.packed() else {
            return chunk[0];
        };
        let mut chunk = chunk.to_vec();
        if target.is_integer() {
            // PCK takes floats; those too large for the component are clamped.
            let format = match target.class {
                Class::Uint => Packed::U32,
                _ => Packed::S32,
            };
            for word in &mut chunk {
                let alu = Alu::Unpack {
                    format,
                    element: 0,
                    scale: false,
                };
                *word = self.phase(alu, vec![*word]);
            }
        }
        let row = self.row_of(&chunk);
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
        Operand::Unit(packed)
    }

    /// A word combined with what an output register has.
    fn combined(&mut self, logic: Option<LogicOp>, number: u16, word: Operand) -> Operand {
        let Some(logic) = logic else { return word };
        let (op, first) = match logic {
            LogicOp::Clear => return ZERO,
            LogicOp::Set => return TRUE,
            LogicOp::Copy => return word,
            LogicOp::CopyInverted => return self.logic(Logical::XOR, word, TRUE),
            LogicOp::NoOp => (Logical::OR, ZERO),
            LogicOp::Invert => (Logical::XNOR, ZERO),
            LogicOp::And => (Logical::AND, word),
            LogicOp::Nand => (Logical::NAND, word),
            LogicOp::Or => (Logical::OR, word),
            LogicOp::Nor => (Logical::NOR, word),
            LogicOp::Xor => (Logical::XOR, word),
            LogicOp::Equivalent => (Logical::XNOR, word),
            LogicOp::AndReverse | LogicOp::OrReverse => {
                let old = self.kept_word(number);
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
        let old = self.kept_word(number);
        self.logic(op, first, old)
    }

    /// The address of a word of the pixel behind the output registers, from the special register of its component on.
    fn pixel_word(&mut self, number: u16, all: &[SpecialRegister; 8]) -> Unit {
        let at = u32::from(number) - OUTPUT_REGISTERS;
        let component = all[(at / tile_buffer::COMPONENT) as usize];
        let start = self.special(component);
        let low = self.plus(start, 4 * (at % tile_buffer::COMPONENT));
        self.row_of(&[low, TRUE])
    }

    /// What the pixel has in a word.
    fn kept_word(&mut self, number: u16) -> Operand {
        self.entry.reads_outputs = true;
        if u32::from(number) < OUTPUT_REGISTERS {
            return Operand::Register(output(number));
        }
        let address = self.pixel_word(number, &tile_buffer::LOADS);
        let unit = self.code.unit();
        self.load(unit, 1, address, Effect::Read);
        Operand::Unit(unit)
    }

    pub(super) fn write_output(&mut self, number: u16, word: Operand) {
        if u32::from(number) >= OUTPUT_REGISTERS {
            let address = self.pixel_word(number, &tile_buffer::STORES);
            return self.store_as(true, word, address, Some(TRUE));
        }
        self.move_into(Dst::Register(output(number)), word);
        let block = &mut self.code.blocks[self.at];
        if let Some(last) = block.insts.last_mut() {
            // Behind the test of discarded lanes.
            last.effect = Effect::Read;
        }
    }
}
