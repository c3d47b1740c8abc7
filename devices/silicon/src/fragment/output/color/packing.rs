//! Targets whose texels shaders may pack themselves: what of an export becomes which bits, and the target that takes
//! words as they are.

use super::{ColorOutput, Way, Work};
use crate::fragment::blend::{Blend, Path, Range};
use crate::texture::format::Format;
use crate::texture::texel::{Packed, Stored};

/// Most words of a texel.
const WORDS: usize = 2;

/// How an export that takes the place of texels is packed: all bits of one or two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Which export.
    pub export: usize,
    /// Words of a texel.
    pub words: usize,
    /// Of each component, unless it is not stored.
    pub fields: [Option<PackedField>; 4],
}

/// Where a component lies, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedField {
    /// Which word.
    pub word: usize,
    /// Lowest bit.
    pub shift: u32,
    /// What the bits are.
    pub number: Packed,
}

impl Packing {
    /// Of whole texels of a format. `None` where words are stored as they are anyway, or in ways that take long.
    pub fn of(export: usize, format: Format) -> Option<Packing> {
        let stored = Stored::all(format)?;
        let mut fields = [None; 4];
        let mut bits = [0; 4];
        for (field, stored) in fields.iter_mut().zip(&stored) {
            let Some(stored) = stored else { continue };
            bits[stored.word] |= stored.bits()?;
            *field = Some(PackedField {
                word: stored.word,
                shift: stored.shift,
                number: stored.packed()?,
            });
        }
        let words = bits.iter().take_while(|bits| **bits != 0).count();
        let whole = bits[..words].iter().all(|bits| *bits == u32::MAX);
        let packing = Packing {
            export,
            words,
            fields,
        };
        (whole && (1..=WORDS).contains(&words)).then_some(packing)
    }
}

impl ColorOutput {
    /// How its texels are packed, if exports take their place.
    pub fn packing(&self) -> Option<Packing> {
        let Work::Blend(plan, Some(way)) = &self.work else {
            return None;
        };
        let replaces = plan.path() == Path::Opaque && way.replaces();
        let takes = replaces && self.second.is_none() && self.cut.is_none();
        takes
            .then(|| Packing::of(self.index, self.format))
            .flatten()
    }

    /// Whether it takes an export, as its colour or for blending.
    pub(crate) fn takes(&self, export: usize) -> bool {
        self.work.takes_exports() && (self.index == export || self.second == Some(export))
    }

    /// The target that takes packed words in place of the components of its export.
    pub fn of_words(&self, packing: &Packing) -> ColorOutput {
        let format = match packing.words {
            1 => Format::R32Uint,
            _ => Format::R32G32Uint,
        };
        let plan = Blend::opaque(Range::Float).plan();
        ColorOutput {
            format,
            work: Work::Blend(plan, Way::new(format, &plan)),
            ..self.clone()
        }
    }
}
