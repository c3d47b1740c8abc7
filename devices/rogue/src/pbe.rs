//! The pixel back end: what output registers hold of each target, and texels from and to memory. [Rogue 12.2, 15.7]

mod modes;
mod target;

pub use modes::{Mode, format, mode};
pub(crate) use target::parts;
pub use target::{Target, surface};

use silicon::Format;
use silicon::texture::format::{Channel, Class, Kind, Layout};

/// Output registers of a pixel.
pub const OUTPUT_REGISTERS: u32 = 8;

/// How output registers hold a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    /// Four bytes, 0 to 1, red lowest.
    Unorm8,
    /// Half floats, red in the low half of the first register.
    Half,
    /// A float or an integer a register.
    Word,
}

/// What a target takes of the output registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OnChip {
    /// How they hold a colour.
    pub kept: Kept,
    /// How many.
    pub registers: u32,
}

/// How a target of a format is kept on the chip; none where it is no target.
pub fn on_chip(format: Format) -> Option<OnChip> {
    let Layout::Plain(channels) = format.row().layout else {
        return None;
    };
    let values = channels.iter().filter(|c| c.kind != Kind::Void);
    let components = values.clone().count() as u32;
    let within = |fits: fn(&Channel) -> bool| values.clone().all(fits);
    mode(format)?;
    let kept = match format.class() {
        Class::Unorm if !format.is_srgb() && within(|c| c.bits == 8) => Kept::Unorm8,
        Class::Unorm | Class::Snorm if within(|c| c.bits <= 10) => Kept::Half,
        Class::Float if within(|c| c.bits <= 16) => Kept::Half,
        _ => Kept::Word,
    };
    let registers = match kept {
        Kept::Unorm8 => 1,
        Kept::Half => components.div_ceil(2),
        Kept::Word => components,
    };
    Some(OnChip { kept, registers })
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
            (Format::R8G8B8A8Srgb, (Kept::Half, 2)),
            (Format::R8G8Snorm, (Kept::Half, 1)),
            (Format::A2B10G10R10Unorm, (Kept::Half, 2)),
            (Format::B10G11R11Float, (Kept::Half, 2)),
            (Format::R16Float, (Kept::Half, 1)),
            (Format::R16G16B16A16Float, (Kept::Half, 2)),
            (Format::R16G16Unorm, (Kept::Word, 2)),
            (Format::R8G8B8A8Uint, (Kept::Word, 4)),
            (Format::R32G32B32A32Float, (Kept::Word, 4)),
        ] {
            assert_eq!(kept(format), Some(expected), "{format:?}");
        }
        assert_eq!(on_chip(Format::Bc1RgbaUnorm), None);
        let targets = [
            Some(Format::R8G8B8A8Unorm),
            None,
            Some(Format::R16G16B16A16Float),
        ];
        assert_eq!(places(&targets), (vec![0, 1, 1], 3));
    }
}
