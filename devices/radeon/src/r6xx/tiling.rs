//! Mip chains in memory: offsets and pitches of levels, for any tile mode. [TILING 3, 5 "Mips"]

use silicon::fragment::surface::Layout;

/// Pipe and bank swizzle of a surface: its start within the channel interleave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Swizzle {
    /// Pipe.
    pub pipe: u32,
    /// Bank.
    pub bank: u32,
}

/// What an image is used for, which decides its tile mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Rendered to or sampled.
    Color,
    /// Depth, stencil or both.
    Depth,
    /// Rows, for hosts and scan-out.
    Linear,
}

/// What a layout follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageShape<M> {
    /// Tile mode of level 0.
    pub mode: M,
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
    /// The layers are the faces of a single cube.
    pub single_cube: bool,
    /// Levels.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Elements from row to row of level 0 when fixed by a descriptor, or 0.
    pub pitch: u32,
}

/// Where one level lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelLayout<M, S> {
    /// Tile mode: small levels of a macro-tiled image are micro-tiled.
    pub mode: M,
    /// Byte offset of slice 0 from the start of the image.
    pub offset: u64,
    /// Elements across, without padding.
    pub width: u32,
    /// Elements down, without padding.
    pub height: u32,
    /// Slices, without padding.
    pub slices: u32,
    /// From coordinates to offsets inside the level.
    pub surface: S,
}

/// Where all levels of an image lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageLayout<M, S> {
    /// Levels from the largest.
    pub levels: Vec<LevelLayout<M, S>>,
    /// Bytes in all.
    pub bytes: u64,
    /// What the start must be a multiple of.
    pub align: u64,
}

/// Which extents of a mip chain are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Those below level 0, each from its own size, and layers of several levels unless they are a single cube.
    Below,
    /// All, layers too. Widths are halves of the pitch before.
    All,
}

/// A stored level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Which level.
    pub level: u32,
    /// Elements across and down.
    pub size: [u32; 2],
    /// Slices.
    pub slices: u32,
    /// Pitch that a descriptor fixes, or 0.
    pub pitch: u32,
}

/// Lays out the mip chain of an image aligned to `align` or more, with extents as `padding` says. `place` pads each level in turn and gives its mode,
/// surface and alignment.
pub fn layout<M, S: Layout>(
    shape: &ImageShape<M>,
    align: u64,
    padding: Padding,
    mut place: impl FnMut(Stored) -> (M, S, u64),
) -> ImageLayout<M, S> {
    let mut layout = ImageLayout {
        levels: Vec::with_capacity(shape.levels as usize),
        bytes: 0,
        align,
    };
    let mut first_pitch = 0;
    let layers = match padding {
        Padding::Below if shape.levels == 1 || shape.single_cube => shape.layers,
        _ => shape.layers.next_power_of_two(),
    };
    for level in 0..shape.levels {
        let texels = [shape.width, shape.height].map(|n| (n >> level).max(1));
        let mut depth = (shape.depth >> level).max(1);
        let slices = depth * shape.layers;
        if level > 0 || padding == Padding::All {
            depth = depth.next_power_of_two();
        }
        let [width, height] = [0, 1].map(|i| texels[i].div_ceil(shape.block[i]));
        let mut stored = Stored {
            level,
            size: [width, height],
            slices: depth * layers,
            pitch: if level == 0 { shape.pitch } else { 0 },
        };
        if level > 0 || padding == Padding::All {
            stored.size = stored.size.map(u32::next_power_of_two);
        }
        if level > 0 && padding == Padding::All {
            stored.size[0] = (first_pitch >> level).max(1);
        }
        let (mode, surface, align) = place(stored);
        if level == 0 {
            first_pitch = surface.extent().pitch;
        }
        let offset = layout.bytes.next_multiple_of(align);
        layout.align = layout.align.max(align);
        layout.bytes = offset + surface.bytes(stored.slices);
        layout.levels.push(LevelLayout {
            mode,
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

/// Index of an element in its micro tile: `order` gives the coordinate bit for each index bit, lowest first: 0 to 2 are
/// x, 3 to 5 y, 6 to 8 z. [TILING 2]
pub fn micro_index<const N: usize>(order: [u8; N], [x, y, z]: [u32; 3]) -> u32 {
    let bits = x & 7 | (y & 7) << 3 | z << 6;
    let order = order.iter().enumerate();
    order.fold(0, |index, (i, from)| index | (bits >> from & 1) << i)
}
