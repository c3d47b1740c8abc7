//! How the levels of a texture follow each other in memory. [R5xx 2.4 "Mip maps, cubes and volumes"]

use super::{Surface, Tiling};

/// What [`layout()`] needs to know of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How level 0 is tiled.
    pub tiling: Tiling,
    /// Bytes of an element: a texel, or a block of texels.
    pub element_bytes: u32,
    /// Texels of an element, across and down.
    pub block: [u32; 2],
    /// Width, height and depth of level 0 in texels.
    pub size: [u32; 3],
    /// Elements from row to row of level 0, where a register says so.
    pub pitch: Option<u32>,
    /// Number of levels.
    pub levels: u32,
    /// Six faces a level.
    pub cube: bool,
    /// TX_FILTER1.MACRO_SWITCH: macro tiles are given up at eight micro tiles, not below.
    pub macro_switch: bool,
}

/// A level of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Byte offset from the base of the texture.
    pub offset: u64,
    /// Width, height and depth in texels.
    pub size: [u32; 3],
    /// Slices: its depth, or its faces.
    pub slices: u32,
    /// Where its elements lie.
    pub surface: Surface,
}

/// The levels of a texture, largest first, or why there is none.
pub fn layout(shape: &Shape) -> Result<Vec<Level>, String> {
    let mut levels: Vec<Level> = Vec::new();
    for level in 0..shape.levels {
        let size = shape.size.map(|size| (size >> level).max(1));
        let slices = if shape.cube { 6 } else { size[2] };
        let surface = surface(shape, level, size)?;
        let offset = levels.last().map_or(0, |above| {
            above.offset + u64::from(above.slices) * above.surface.slice_bytes()
        });
        levels.push(Level {
            // A macro-tiled level after a smaller one does not occur: levels shrink.
            offset,
            size,
            slices,
            surface,
        });
    }
    Ok(levels)
}

fn surface(shape: &Shape, level: u32, [width, height, _]: [u32; 3]) -> Result<Surface, String> {
    let [across, down] = shape.block;
    let elements = [width.div_ceil(across), height.div_ceil(down)];
    let mut tiling = shape.tiling;
    if let Some([mw, mh]) = tiling.micro.size(shape.element_bytes) {
        let small = |elements: u32, micro: u32| match shape.macro_switch {
            true => elements <= 8 * micro,
            false => elements < 8 * micro,
        };
        tiling.macro_tiled &= !small(elements[0], mw) && !small(elements[1], mh);
    }
    let pitch = match (level, shape.pitch) {
        (0, Some(pitch)) => pitch,
        _ => elements[0],
    };
    Surface::new(tiling, shape.element_bytes, [pitch, elements[1]], 1)
}
