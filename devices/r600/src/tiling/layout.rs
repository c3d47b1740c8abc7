//! How the levels and slices of an image follow each other in memory. [TILING 3 "Padding and alignment, R600", "Mips"]

use radeon::r6xx::tiling::{self, ImageKind, Padding, Swizzle};

use super::{ArrayMode, Config, Surface};

/// Tile mode of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileMode {
    /// Array mode.
    pub array: ArrayMode,
    /// Micro tiles in the order of depth surfaces.
    pub depth_order: bool,
}

/// What [`layout`] needs to know of an image; the mode's array mode is that of [`array_mode`].
pub type ImageShape = tiling::ImageShape<TileMode>;
/// Where all levels of an image lie.
pub type ImageLayout = tiling::ImageLayout<TileMode, Surface>;

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
    let mut mode = shape.mode.array;
    let group = u64::from(Config::CHIP.group_bytes);
    tiling::layout(shape, group, Padding::Below, |stored| {
        if stored.level > 0 {
            mode = unswapped(mode);
        }
        if stored.slices < 4 {
            mode = thin(mode);
        }
        let depth_order = shape.mode.depth_order;
        let mut surface = Surface {
            config: Config::CHIP,
            mode,
            depth_order,
            element_bytes: shape.element_bytes,
            pitch: 0,
            height: 0,
            slices: stored.slices,
            samples: shape.samples,
            swizzle: Swizzle::default(),
        };
        let [width, height] = stored.size;
        let small = stored.level > 0 && shape.samples == 1 && !fits(&surface, stored.size);
        if small && mode.is_macro() {
            mode = micro_tiled(mode);
            surface.mode = mode;
        }
        surface.pitch = width.max(stored.pitch);
        if stored.pitch == 0 {
            // Resources and targets count pitches in eights.
            surface.pitch = width.next_multiple_of(surface.pitch_align().max(8));
        }
        surface.height = height.next_multiple_of(surface.height_align());
        let array = mode;
        (
            TileMode { array, depth_order },
            surface,
            surface.base_align(),
        )
    })
}

/// Whether a level is large enough for macro tiles.
fn fits(surface: &Surface, [width, height]: [u32; 2]) -> bool {
    let micro = 64 * surface.mode.thickness() * surface.element_bytes * surface.samples;
    let whole = (surface.config.group_bytes / micro).max(1);
    let [tile_width, tile_height] = surface.tile_size();
    width >= whole * tile_width && height >= tile_height
}
