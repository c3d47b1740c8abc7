//! What a colour target holds, for those who look at a chip from outside: rows of texels, without tiles and padding.

use super::interpolate::lanes;
use super::surface::{LanePixels, Plane, Texels};
use super::tile::{LANE_X, LANE_Y, Rect, TILE};
use crate::memory::Memory;
use crate::texture::format::Format;

/// The texels of a target, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// How a texel is stored.
    pub format: Format,
    /// Texels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Which of the format's values red, green, blue and alpha are; 0, or 1 for alpha, where there is none.
    pub channels: [Option<u8>; 4],
    /// The texels, one after another.
    pub bytes: Vec<u8>,
}

impl Target {
    /// Those pixels of `plane` that lie in `area`, which may be larger; of several samples the first.
    pub fn read(memory: &Memory, format: Format, plane: &Plane, area: Rect) -> Target {
        let area = area.intersect(plane.area);
        let edges = [area.x1 - area.x0, area.y1 - area.y0].map(|edge| edge.max(0) as usize);
        let [width, height] = edges;
        let size = format.size_bytes() as usize;
        let mut bytes = vec![0; width * height * size];
        let first = |at: i32| at - at.rem_euclid(TILE);
        let mut words = [[0; 64]; 4];
        for y in (first(area.y0)..area.y1).step_by(TILE as usize) {
            for x in (first(area.x0)..area.x1).step_by(TILE as usize) {
                let texels = Texels {
                    place: LanePixels::Tile(x, y),
                    sample: 0,
                    mask: area.mask(x, y),
                };
                plane.read(memory, &texels, &mut words);
                for lane in lanes(texels.mask) {
                    let (x, y) = (x + LANE_X[lane] - area.x0, y + LANE_Y[lane] - area.y0);
                    let texel = words.map(|row| row[lane].to_le_bytes());
                    let at = (y as usize * width + x as usize) * size;
                    bytes[at..at + size].copy_from_slice(&texel.as_flattened()[..size]);
                }
            }
        }
        Target {
            format,
            width: width as u32,
            height: height as u32,
            channels: [0, 1, 2, 3].map(Some),
            bytes,
        }
    }

    /// Red, green, blue and alpha of each texel, as bytes: 0 to 1 are 0 to 255, what is outside is clamped. Integers have
    /// no such picture.
    pub fn rgba(&self) -> Option<Vec<u8>> {
        let format = match self.format {
            Format::R8G8B8A8Srgb => Format::R8G8B8A8Unorm,
            Format::B8G8R8A8Srgb => Format::B8G8R8A8Unorm,
            format => format,
        };
        if format.class().is_integer() {
            return None;
        }
        let mut bytes = Vec::new();
        for texel in self.bytes.chunks_exact(format.size_bytes() as usize) {
            let values = format.unpack(texel);
            let missing = [0.0_f32, 0.0, 0.0, 1.0].map(f32::to_bits);
            let of = |n: usize| self.channels[n].map_or(missing[n], |c| values[usize::from(c & 3)]);
            let mut pixel = [0; 4];
            Format::R8G8B8A8Unorm.pack([of(0), of(1), of(2), of(3)], &mut pixel);
            bytes.extend(pixel);
        }
        Some(bytes)
    }
}
