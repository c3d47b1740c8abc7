//! How the levels and slices of an image follow each other in memory. [TILING 5 "Alignment", "Mips"]

use radeon::r6xx::tiling::{self, ImageKind, Padding, Stored, Swizzle};

use super::table::{PIPE_INTERLEAVE_BYTES, TAHITI, tile_mode};
use super::{ArrayMode, MicroMode, Surface, TileMode};

/// What [`layout`] needs to know of an image; its mode is an index into [`TAHITI`], see [`tile_index`].
pub type ImageShape = tiling::ImageShape<u8>;
/// Where all levels of an image lie; their modes are indices into [`TAHITI`].
pub type ImageLayout = tiling::ImageLayout<u8, Surface>;

/// The tile mode that suits an image: an index into [`TAHITI`].
pub fn tile_index(kind: ImageKind, element_bytes: u32, samples: u32, size: [u32; 2]) -> u8 {
    let index = match (kind, element_bytes) {
        (ImageKind::Linear, _) | (_, 12) => return 8,
        (ImageKind::Depth, _) => match samples {
            1 => 3,
            2 | 4 => 1,
            _ => 2,
        },
        (ImageKind::Color, 1) => 14,
        (ImageKind::Color, 2) => 15,
        (ImageKind::Color, 4) => 16,
        (ImageKind::Color, _) => 17,
    };
    let mode = tile_mode(TAHITI[index as usize]);
    let padded = |size: u32, tile: u32| u64::from(size.next_multiple_of(tile));
    let [width, height] = size;
    let area = padded(width, mode.tile_width()) * padded(height, mode.tile_height());
    // Macro tiles are given up when padding adds more than half. There is no micro tiling of several samples.
    if samples == 1 && area * 2 > padded(width, 8) * padded(height, 8) * 3 {
        micro_tiled(index)
    } else {
        index
    }
}

/// The micro-tiled mode with the same order of elements.
fn micro_tiled(index: u8) -> u8 {
    let mode = tile_mode(TAHITI[index as usize]);
    match (mode.micro, mode.thickness) {
        (_, 4..) => 18,
        (MicroMode::Depth, _) => 4,
        (MicroMode::Display, _) => 9,
        _ => 13,
    }
}

/// Places the levels of an image. Where there are several, all are padded to powers of two. (ERRATA 49)
pub fn layout(shape: &ImageShape) -> ImageLayout {
    padded(shape, shape.levels > 1)
}

/// Places the levels of an image, of which there may be more than those of `shape`: `pow2_pad` says so.
pub fn padded(shape: &ImageShape, pow2_pad: bool) -> ImageLayout {
    let mut index = shape.mode & 31;
    let padding = match pow2_pad {
        true => Padding::All,
        false => Padding::Below,
    };
    tiling::layout(shape, u64::from(PIPE_INTERLEAVE_BYTES), padding, |stored| {
        let mode = tile_mode(TAHITI[index as usize]);
        let [width, height] = stored.size;
        if mode.thickness > stored.slices && matches!(mode.array, ArrayMode::Micro) {
            index = 13;
        } else if stored.level > 0
            && matches!(mode.array, ArrayMode::Macro { .. })
            && (width < mode.tile_width() || height < mode.tile_height())
        {
            index = micro_tiled(index);
        }
        let mode = tile_mode(TAHITI[index as usize]);
        let (surface, align) = pad(mode, shape, &stored);
        (index, surface, align)
    })
}

/// The padded surface of a level, and the alignment of its start.
fn pad(mode: TileMode, shape: &ImageShape, stored: &Stored) -> (Surface, u64) {
    let group = PIPE_INTERLEAVE_BYTES;
    let bytes = shape.element_bytes;
    let [width, height] = stored.size;
    let width = width.max(stored.pitch);
    let mut surface = Surface {
        mode,
        element_bytes: bytes,
        pitch: width.next_multiple_of(mode.tile_width()),
        height: height.next_multiple_of(mode.tile_height()),
        samples: shape.samples,
        swizzle: Swizzle::default(),
    };
    let align = match mode.array {
        ArrayMode::Linear => {
            surface.pitch = width.next_multiple_of((64 / bytes).max(8));
            u64::from(group)
        }
        ArrayMode::Micro => u64::from(group),
        ArrayMode::Macro { .. } => {
            let tile_bytes =
                (64 * mode.thickness * bytes * shape.samples).min(match mode.thickness {
                    1 => mode.split_bytes,
                    _ => u32::MAX,
                });
            u64::from(mode.pipes() * mode.bank_width * mode.banks * mode.bank_height)
                * u64::from(tile_bytes)
        }
    };
    // Slices begin at whole interleave groups, linear ones also at whole 64 elements. A pitch that a descriptor fixes has
    // been grown already.
    let (step, whole) = match mode.array {
        ArrayMode::Linear => ((64 / bytes).max(8), group.max(64 * bytes)),
        _ => (8, group),
    };
    if !matches!(mode.array, ArrayMode::Macro { .. }) && stored.pitch == 0 {
        while !(surface.slice_bytes() * u64::from(mode.thickness)).is_multiple_of(u64::from(whole))
        {
            surface.pitch += step;
        }
    }
    (surface, align)
}
