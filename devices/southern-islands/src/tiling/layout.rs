//! How the levels and slices of an image follow each other in memory. [TILING 5 "Alignment", "Mips"]

use super::table::{PIPE_INTERLEAVE_BYTES, TAHITI, tile_mode};
use super::{ArrayMode, MicroMode, Surface, Swizzle, TileMode};

/// What an image is used for, which decides its tile mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Rendered to or sampled.
    Color,
    /// Depth or stencil plane.
    Depth,
    /// Rows, for hosts and scan-out.
    Linear,
}

/// What [`layout`] needs to know of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageShape {
    /// Tile mode of level 0: an index into [`TAHITI`], see [`tile_index`].
    pub tile_index: u8,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// Texels across and down in an element: 1, or 4 for block-compressed formats.
    pub block: [u32; 2],
    /// Texels across, level 0.
    pub width: u32,
    /// Texels down, level 0.
    pub height: u32,
    /// Texels deep, level 0: 1 unless three-dimensional.
    pub depth: u32,
    /// Layers; cubes have six each. 1 when three-dimensional.
    pub layers: u32,
    /// Levels.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Elements from row to row of level 0 when fixed by a descriptor, or 0.
    pub pitch: u32,
}

/// Where one level lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelLayout {
    /// Tile mode: small levels of a macro-tiled image are micro-tiled.
    pub tile_index: u8,
    /// Byte offset of slice 0 from the start of the image.
    pub offset: u64,
    /// Elements across, without padding.
    pub width: u32,
    /// Elements down, without padding.
    pub height: u32,
    /// Slices, without padding.
    pub slices: u32,
    /// From coordinates to offsets inside the level.
    pub surface: Surface,
}

/// Where all levels of an image lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageLayout {
    /// Levels from the largest.
    pub levels: Vec<LevelLayout>,
    /// Bytes in all.
    pub bytes: u64,
    /// What the start must be a multiple of.
    pub align: u64,
}

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

/// Places the levels of an image.
pub fn layout(shape: &ImageShape) -> ImageLayout {
    let mut layout = ImageLayout {
        levels: Vec::with_capacity(shape.levels as usize),
        bytes: 0,
        align: u64::from(PIPE_INTERLEAVE_BYTES),
    };
    let mut index = shape.tile_index & 31;
    for level in 0..shape.levels {
        let texels = [shape.width, shape.height].map(|n| (n >> level).max(1));
        let slices = (shape.depth >> level).max(1) * shape.layers;
        let elements = |i: usize| texels[i].div_ceil(shape.block[i]);
        let [width, height] = [elements(0), elements(1)];
        // Levels below the first are stored with powers of two in every direction.
        let stored = if level == 0 {
            [width, height]
        } else {
            [width.next_power_of_two(), height.next_power_of_two()]
        };
        let stored_slices = match level {
            0 => slices,
            _ if shape.depth > 1 => (shape.depth >> level).max(1).next_power_of_two(),
            _ => slices,
        };
        let mut mode = tile_mode(TAHITI[index as usize]);
        if mode.thickness > stored_slices && matches!(mode.array, ArrayMode::Micro) {
            index = 13;
        } else if level > 0
            && matches!(mode.array, ArrayMode::Macro { .. })
            && (stored[0] < mode.tile_width() || stored[1] < mode.tile_height())
        {
            index = micro_tiled(index);
        }
        mode = tile_mode(TAHITI[index as usize]);
        let fixed = if level == 0 { shape.pitch } else { 0 };
        let (surface, align) = pad(mode, shape, stored, fixed);
        let offset = layout.bytes.next_multiple_of(align);
        layout.align = layout.align.max(align);
        layout.bytes = offset + surface.bytes(stored_slices);
        layout.levels.push(LevelLayout {
            tile_index: index,
            offset,
            width,
            height,
            slices,
            surface,
        });
    }
    layout.bytes = layout.bytes.next_multiple_of(layout.align);
    layout
}

/// The padded surface of a level, and the alignment of its start.
fn pad(mode: TileMode, shape: &ImageShape, stored: [u32; 2], fixed: u32) -> (Surface, u64) {
    let group = PIPE_INTERLEAVE_BYTES;
    let bytes = shape.element_bytes;
    let [width, height] = stored;
    let width = width.max(fixed);
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
    // Slices begin at whole interleave groups. A pitch that a descriptor fixes has been grown already.
    let step = match mode.array {
        ArrayMode::Linear => (64 / bytes).max(8),
        _ => 8,
    };
    if !matches!(mode.array, ArrayMode::Macro { .. }) && fixed == 0 {
        while !(surface.slice_bytes() * u64::from(mode.thickness)).is_multiple_of(u64::from(group))
        {
            surface.pitch += step;
        }
    }
    (surface, align)
}
