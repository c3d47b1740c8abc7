//! How the levels and slices of an image follow each other in memory. [TILING 3 "Padding and alignment, R600", "Mips"]

use super::{ArrayMode, Config, Surface, Swizzle};

/// What an image is used for, which decides its array mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Rendered to or sampled.
    Color,
    /// Depth and stencil.
    Depth,
    /// Rows, for hosts.
    Linear,
}

/// What [`layout`] needs to know of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageShape {
    /// Array mode of level 0, see [`array_mode`].
    pub mode: ArrayMode,
    /// Micro tiles in the order of depth surfaces.
    pub depth_order: bool,
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
    /// Elements from row to row of level 0 when fixed by a resource, or 0.
    pub pitch: u32,
}

/// Where one level lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelLayout {
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

/// The array mode that suits an image.
pub fn array_mode(
    kind: ImageKind,
    element_bytes: u32,
    samples: u32,
    [width, height]: [u32; 2],
) -> ArrayMode {
    if kind == ImageKind::Linear || element_bytes == 12 {
        return ArrayMode::LinearAligned;
    }
    let surface = |mode| Surface {
        config: Config::CHIP,
        mode,
        depth_order: kind == ImageKind::Depth,
        element_bytes,
        pitch: 0,
        height: 0,
        slices: 1,
        samples,
        swizzle: Swizzle::default(),
    };
    let area = |mode| {
        let surface = surface(mode);
        let width = width.next_multiple_of(surface.pitch_align());
        u64::from(width) * u64::from(height.next_multiple_of(surface.height_align()))
    };
    // Macro tiles are given up when padding adds more than half. There is no micro tiling of several samples.
    let (whole, small) = (ArrayMode::Tiled2dThin1, ArrayMode::Tiled1dThin1);
    if samples == 1 && area(whole) * 2 > area(small) * 3 {
        small
    } else {
        whole
    }
}

/// The micro-tiled mode of the same thickness.
fn micro_tiled(mode: ArrayMode) -> ArrayMode {
    match mode.thickness() {
        4 => ArrayMode::Tiled1dThick,
        _ => ArrayMode::Tiled1dThin1,
    }
}

/// The same mode without swapped banks.
fn unswapped(mode: ArrayMode) -> ArrayMode {
    match mode {
        ArrayMode::Tiled2bThin1 => ArrayMode::Tiled2dThin1,
        ArrayMode::Tiled2bThin2 => ArrayMode::Tiled2dThin2,
        ArrayMode::Tiled2bThin4 => ArrayMode::Tiled2dThin4,
        ArrayMode::Tiled2bThick => ArrayMode::Tiled2dThick,
        ArrayMode::Tiled3bThin1 => ArrayMode::Tiled3dThin1,
        ArrayMode::Tiled3bThick => ArrayMode::Tiled3dThick,
        other => other,
    }
}

/// The thin mode of the same kind.
fn thin(mode: ArrayMode) -> ArrayMode {
    match mode {
        ArrayMode::Tiled1dThick => ArrayMode::Tiled1dThin1,
        ArrayMode::Tiled2dThick => ArrayMode::Tiled2dThin1,
        ArrayMode::Tiled2bThick => ArrayMode::Tiled2bThin1,
        ArrayMode::Tiled3dThick => ArrayMode::Tiled3dThin1,
        ArrayMode::Tiled3bThick => ArrayMode::Tiled3bThin1,
        other => other,
    }
}

/// Places the levels of an image.
pub fn layout(shape: &ImageShape) -> ImageLayout {
    let mut layout = ImageLayout {
        levels: Vec::with_capacity(shape.levels as usize),
        bytes: 0,
        align: u64::from(Config::CHIP.group_bytes),
    };
    let mut mode = shape.mode;
    for level in 0..shape.levels {
        let texels = [shape.width, shape.height].map(|n| (n >> level).max(1));
        let slices = (shape.depth >> level).max(1) * shape.layers;
        let elements = |i: usize| texels[i].div_ceil(shape.block[i]);
        let [width, height] = [elements(0), elements(1)];
        // Levels below the first are stored with powers of two in every direction.
        let (stored, stored_slices) = if level == 0 {
            ([width, height], slices)
        } else {
            let stored = [width.next_power_of_two(), height.next_power_of_two()];
            match shape.depth > 1 {
                true => (stored, slices.next_power_of_two()),
                false => (stored, slices),
            }
        };
        if level > 0 {
            mode = unswapped(mode);
        }
        if stored_slices < 4 {
            mode = thin(mode);
        }
        let mut surface = Surface {
            config: Config::CHIP,
            mode,
            depth_order: shape.depth_order,
            element_bytes: shape.element_bytes,
            pitch: 0,
            height: 0,
            slices: stored_slices,
            samples: shape.samples,
            swizzle: Swizzle::default(),
        };
        if level > 0 && mode.is_macro() && shape.samples == 1 && !fits(&surface, stored) {
            mode = micro_tiled(mode);
            surface.mode = mode;
        }
        let wanted = match level {
            0 => stored[0].max(shape.pitch),
            _ => stored[0],
        };
        surface.pitch = wanted;
        // Resources and targets count pitches in eights.
        let align = surface.pitch_align().max(8);
        surface.pitch = match (level, shape.pitch) {
            (0, fixed) if fixed > 0 => wanted,
            _ => wanted.next_multiple_of(align),
        };
        surface.height = stored[1].next_multiple_of(surface.height_align());
        let align = surface.base_align();
        let offset = layout.bytes.next_multiple_of(align);
        layout.align = layout.align.max(align);
        layout.bytes = offset + surface.bytes(stored_slices);
        layout.levels.push(LevelLayout {
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

/// Whether a level is large enough for macro tiles.
fn fits(surface: &Surface, [width, height]: [u32; 2]) -> bool {
    let micro = 64 * surface.mode.thickness() * surface.element_bytes * surface.samples;
    let whole = (surface.config.group_bytes / micro).max(1);
    let [tile_width, tile_height] = surface.tile_size();
    width >= whole * tile_width && height >= tile_height
}
