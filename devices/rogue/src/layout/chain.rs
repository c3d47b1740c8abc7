//! How the levels and layers of an image follow each other. [Rogue 16 "Mip chain"]

use super::{IMAGE_ALIGN, Order, Surface};

/// What an image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How elements are ordered.
    pub order: Order,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// Texels of an element, across and down.
    pub block: [u32; 2],
    /// Width, height and depth of level 0 in texels; the depth of all but 3D images is 1.
    pub size: [u32; 3],
    /// Elements from row to row of level 0, of linear images.
    pub pitch: Option<u32>,
    /// Levels.
    pub levels: u32,
    /// Samples of a pixel.
    pub samples: u32,
}

/// A level of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLevel {
    /// Byte offset from the base of the image.
    pub offset: u64,
    /// Width, height and depth in texels.
    pub size: [u32; 3],
    /// Where its elements lie.
    pub surface: Surface,
}

impl Shape {
    /// Elements of a level with what pads them.
    fn stored(&self, level: u32) -> [u32; 3] {
        let [width, height, depth] = self.size;
        let [across, down] = self.block;
        let elements = [width.div_ceil(across), height.div_ceil(down), depth];
        let half = |size: u32| size.checked_shr(level).unwrap_or(0).max(1);
        match self.order {
            Order::Linear => match self.pitch {
                Some(pitch) => [pitch >> level.min(31), half(elements[1]), half(depth)],
                None => elements.map(half),
            },
            Order::Twiddled => elements.map(|size| half(size.next_power_of_two())),
            Order::Twiddled3d => elements.map(|size| half(size.next_power_of_two()).max(4)),
        }
    }

    fn surface(&self, level: u32, layer_bytes: u64) -> Surface {
        let [pitch, height, depth] = self.stored(level);
        Surface {
            order: self.order,
            element_bytes: self.element_bytes,
            pitch,
            height,
            depth,
            samples: self.samples,
            layer_bytes,
        }
    }

    /// Levels of the whole chain, down to a single texel.
    fn chain(&self) -> u32 {
        let longest = self.size.into_iter().max().unwrap_or(1).max(1);
        32 - longest.leading_zeros()
    }

    fn has_levels(&self) -> bool {
        self.levels > 1
    }
}

/// Bytes from one layer, or one face, to the next: the chain down to a single texel, even where levels are missing.
pub fn layer_bytes(shape: &Shape) -> u64 {
    let count = if shape.has_levels() { shape.chain() } else { 1 };
    let sum = (0..count).fold(0, |sum: u64, level| {
        sum + shape.surface(level, 0).level_bytes().next_multiple_of(4)
    });
    sum.next_multiple_of(IMAGE_ALIGN)
}

/// The levels of an image, largest first.
pub fn levels(shape: &Shape) -> Vec<ImageLevel> {
    let layer = match shape.order {
        Order::Twiddled3d => 0,
        _ => layer_bytes(shape),
    };
    let mut offset = 0;
    let levels = (0..shape.levels).map(|level| {
        let surface = shape.surface(level, layer);
        let at = offset;
        offset += surface.level_bytes().next_multiple_of(4);
        ImageLevel {
            offset: at,
            size: shape.size.map(|size| (size >> level.min(31)).max(1)),
            surface,
        }
    });
    levels.collect()
}
