//! The pixel back end: what output registers hold of each target, and texels from and to memory. [Rogue 12.2, 15.7]

mod modes;
mod target;
mod touched;

pub use modes::{Mode, format, mode};
pub use target::{Target, surfaces};
pub(crate) use touched::parts;

use silicon::Format;
use silicon::texture::format::{Class, Kind, Layout};

/// Output registers of a pixel that programs have.
pub const OUTPUT_REGISTERS: u32 = 8;
/// Words of a pixel on the chip. Those behind the output registers are loaded, cleared, resolved and stored.
pub const PIXEL_WORDS: u32 = 32;

/// How output registers hold a colour: the lowest bits are the first component's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    /// Four normalised bytes.
    Unorm8,
    /// The same, signed.
    Snorm8,
    /// Four bytes.
    Uint8,
    /// The same, signed.
    Sint8,
    /// Normalised components of 10, 10, 10 and 2 bits.
    Unorm10,
    /// The same as integers.
    Uint10,
    /// Two normalised components of 16 bits a register.
    Unorm16,
    /// The same, signed.
    Snorm16,
    /// Two integers of 16 bits a register.
    Uint16,
    /// The same, signed.
    Sint16,
    /// Two half floats a register.
    Half,
    /// Floats without sign of 11, 11 and 10 bits.
    Float11,
    /// A float or an integer a register.
    Word,
}

impl Kept {
    /// Components of a register.
    pub fn each(self) -> u32 {
        use Kept::*;
        match self {
            Unorm8 | Snorm8 | Uint8 | Sint8 | Unorm10 | Uint10 => 4,
            Float11 => 3,
            Unorm16 | Snorm16 | Uint16 | Sint16 | Half => 2,
            Word => 1,
        }
    }

    /// The bits of a component of a register.
    pub fn bits(self, component: u32) -> u32 {
        match self {
            Kept::Unorm10 | Kept::Uint10 => 0x3ff << (10 * component),
            Kept::Float11 => 0x7ff << (11 * component),
            _ => u32::MAX >> (32 - 32 / self.each()) << (32 / self.each() * component),
        }
    }
}

/// What a target takes of the output registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OnChip {
    /// How they hold a colour.
    pub kept: Kept,
    /// How many.
    pub registers: u32,
    /// Components that it holds.
    pub components: u32,
}

impl OnChip {
    /// The format of all its registers, unless each component has one.
    pub fn format(self) -> Option<Format> {
        let one = self.registers == 1;
        Some(match self.kept {
            Kept::Unorm8 => Format::R8G8B8A8Unorm,
            Kept::Snorm8 => Format::R8G8B8A8Snorm,
            Kept::Uint8 => Format::R8G8B8A8Uint,
            Kept::Sint8 => Format::R8G8B8A8Sint,
            Kept::Unorm10 => Format::A2B10G10R10Unorm,
            Kept::Uint10 => Format::A2B10G10R10Uint,
            Kept::Unorm16 if one => Format::R16G16Unorm,
            Kept::Unorm16 => Format::R16G16B16A16Unorm,
            Kept::Snorm16 if one => Format::R16G16Snorm,
            Kept::Snorm16 => Format::R16G16B16A16Snorm,
            Kept::Uint16 if one => Format::R16G16Uint,
            Kept::Uint16 => Format::R16G16B16A16Uint,
            Kept::Sint16 if one => Format::R16G16Sint,
            Kept::Sint16 => Format::R16G16B16A16Sint,
            Kept::Half if one => Format::R16G16Float,
            Kept::Half => Format::R16G16B16A16Float,
            Kept::Float11 => Format::B10G11R11Float,
            Kept::Word => return None,
        })
    }
}

/// How a target of a format is kept on the chip; none where it is no target.
pub fn on_chip(format: Format) -> Option<OnChip> {
    let Layout::Plain(channels) = format.row().layout else {
        return None;
    };
    let values = channels.iter().filter(|c| c.kind != Kind::Void);
    let components = values.clone().count() as u32;
    let widest = values.clone().map(|c| c.bits).max().unwrap_or(0);
    let bytes = values.clone().all(|c| c.bits == 8);
    mode(format)?;
    let kept = match (format.class(), widest) {
        _ if format.is_srgb() => Kept::Word,
        (Class::Unorm, 8) if bytes => Kept::Unorm8,
        (Class::Snorm, 8) => Kept::Snorm8,
        (Class::Uint, 8) => Kept::Uint8,
        (Class::Sint, 8) => Kept::Sint8,
        (Class::Unorm, 10) => Kept::Unorm10,
        (Class::Uint, 10) => Kept::Uint10,
        (Class::Unorm, 16) => Kept::Unorm16,
        (Class::Snorm, 16) => Kept::Snorm16,
        (Class::Uint, 16) => Kept::Uint16,
        (Class::Sint, 16) => Kept::Sint16,
        (Class::Float, 11) => Kept::Float11,
        (Class::Unorm | Class::Float, ..=16) => Kept::Half,
        _ => Kept::Word,
    };
    Some(OnChip {
        kept,
        registers: components.div_ceil(kept.each()),
        components,
    })
}

/// The first output register of every target, and how many there are in all. Absent targets take none.
pub fn places(targets: &[Option<Format>]) -> (Vec<u32>, u32) {
    let mut next = 0;
    let firsts = targets.iter().map(|target| {
        let first = next;
        next += target.and_then(on_chip).map_or(0, |kept| kept.registers);
        first
    });
    let firsts = firsts.collect();
    (firsts, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_kept_with_their_precision() {
        let kept = |format| on_chip(format).map(|on| (on.kept, on.registers));
        for (format, expected) in [
            (Format::R8Unorm, (Kept::Unorm8, 1)),
            (Format::B8G8R8A8Unorm, (Kept::Unorm8, 1)),
            (Format::R8G8B8A8Srgb, (Kept::Word, 4)),
            (Format::R8G8Snorm, (Kept::Snorm8, 1)),
            (Format::A2B10G10R10Unorm, (Kept::Unorm10, 1)),
            (Format::B10G11R11Float, (Kept::Float11, 1)),
            (Format::R16Float, (Kept::Half, 1)),
            (Format::R16G16B16A16Float, (Kept::Half, 2)),
            (Format::R16G16Unorm, (Kept::Unorm16, 1)),
            (Format::R8G8B8A8Uint, (Kept::Uint8, 1)),
            (Format::R16G16B16A16Sint, (Kept::Sint16, 2)),
            (Format::R32G32Uint, (Kept::Word, 2)),
            (Format::R32G32B32A32Float, (Kept::Word, 4)),
        ] {
            assert_eq!(kept(format), Some(expected), "{format:?}");
        }
        assert_eq!(on_chip(Format::Bc1RgbaUnorm), None);
        for (kept, bits) in [
            (Kept::Sint8, [0xff, 0xff00, 0xff_0000, 0xff00_0000]),
            (Kept::Unorm10, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000]),
        ] {
            assert_eq!([0, 1, 2, 3].map(|n| kept.bits(n)), bits);
        }
        assert_eq!(Kept::Half.bits(1), 0xffff_0000);
        assert_eq!(Kept::Word.bits(0), u32::MAX);
        let targets = [
            Some(Format::R8G8B8A8Unorm),
            None,
            Some(Format::R16G16B16A16Float),
        ];
        assert_eq!(places(&targets), (vec![0, 1, 1], 3));
    }
}
