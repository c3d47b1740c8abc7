//! Texturing and shading set-up: planes of the attributes of what is seen, relative to the tile. [Rogue 10.1]

use silicon::Memory;
use silicon::fragment::interpolate::{Planes, ScreenPlane};
use silicon::geometry::setup::Shape;
use silicon::texture::float::canonical;

use crate::regs::source;
use crate::state::{Input, PixelState};
use crate::tiler::Stored;

/// Coefficients of a block: A, B, C, and one that nothing has.
pub const BLOCK: usize = 4;
/// Block of 1/w.
pub const BLOCK_W: usize = 0;
/// Block of depth.
pub const BLOCK_Z: usize = 1;
/// Block of the first component of the first input.
pub const BLOCK_INPUTS: usize = 2;

/// Coefficients that a program with some inputs may have.
pub fn coefficients(inputs: usize) -> usize {
    BLOCK * (BLOCK_INPUTS + 4 * inputs)
}

/// Something that a tile shows.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Number of its state.
    pub state: u16,
    /// What the parameter buffer says of it.
    pub stored: Stored,
    /// Its planes on the screen.
    pub planes: Planes,
    /// Its first coefficient, once it has some.
    pub coefficients: Option<u32>,
}

/// A plane relative to the first corner of a tile, as three coefficients.
fn coefficients_of(plane: &ScreenPlane, [x, y]: [i32; 2]) -> [u32; BLOCK] {
    // The plane counts from the centre of pixel (0, 0).
    let (x, y) = (f64::from(x) - 0.5, f64::from(y) - 0.5);
    let c = plane.base + plane.dx * x + plane.dy * y;
    // Closures of `map` stay calls.
    [
        canonical(plane.dx as f32),
        canonical(plane.dy as f32),
        canonical(c as f32),
        0,
    ]
}

/// `a * p + b * q + c * r`
fn sum([(a, p), (b, q), (c, r)]: [(f64, &ScreenPlane); 3]) -> ScreenPlane {
    ScreenPlane {
        base: a * p.base + b * q.base + c * r.base,
        dx: a * p.dx + b * q.dx + c * r.dx,
        dy: a * p.dy + b * q.dy + c * r.dy,
    }
}

static ONE: ScreenPlane = ScreenPlane {
    base: 1.0,
    dx: 0.0,
    dy: 0.0,
};

/// What the corners of a primitive have of an input.
#[derive(Default)]
struct Corners {
    input: Option<Input>,
    words: [[u32; 4]; 3],
}

impl Corners {
    fn load(memory: &Memory, stored: &Stored, (stride, input): (usize, Input)) -> Corners {
        let mut words = [[0; 4]; 3];
        // All vertices of a point are one, and of a flat input the first counts.
        let one = stored.primitive.shape == Shape::Point
            || !matches!(input.source, source::PERSPECTIVE | source::LINEAR);
        for (corner, words) in words.iter_mut().enumerate().take(if one { 1 } else { 3 }) {
            let at = stored.vertex(corner, stride) + 16 * input.parameter as u64;
            // Vertices lie at multiples of four words.
            let _ = memory.load_quad(at, words);
        }
        Corners {
            input: Some(input),
            words,
        }
    }
}

impl Object {
    /// Appends the coefficients of the blocks that a program names, all others zero, and says where they are.
    pub fn set_up(
        &mut self,
        (memory, state): (&Memory, &PixelState),
        blocks: &[u16],
        tile: [i32; 2],
        out: &mut Vec<u32>,
    ) -> u32 {
        if let Some(first) = self.coefficients {
            return first;
        }
        let first = out.len();
        out.resize(first + coefficients(state.inputs.len()), 0);
        let mut corners = Corners::default();
        for block in blocks {
            let block = usize::from(*block);
            let values = match block {
                BLOCK_W => coefficients_of(&self.planes.inv_w, tile),
                BLOCK_Z => coefficients_of(&self.planes.z, tile),
                _ => {
                    let (number, component) =
                        ((block - BLOCK_INPUTS) / 4, (block - BLOCK_INPUTS) % 4);
                    let Some(input) = state.inputs.get(number) else {
                        continue;
                    };
                    if corners.input != Some(*input) {
                        corners = Corners::load(memory, &self.stored, (state.stride, *input));
                    }
                    let [a, b, c] = &corners.words;
                    let words = [a[component], b[component], c[component]];
                    self.input(words, *input, component, tile)
                }
            };
            out[first + BLOCK * block..][..BLOCK].copy_from_slice(&values);
        }
        self.coefficients = Some(first as u32);
        first as u32
    }

    fn input(
        &self,
        words: [u32; 3],
        input: Input,
        component: usize,
        tile: [i32; 2],
    ) -> [u32; BLOCK] {
        let planes = &self.planes;
        if input.source == source::POINT {
            return match (self.stored.primitive.shape, component) {
                (Shape::Point, 0) => coefficients_of(&planes.i, tile),
                (Shape::Point, 1) => coefficients_of(&planes.j, tile),
                _ => [0; BLOCK],
            };
        }
        if !matches!(input.source, source::PERSPECTIVE | source::LINEAR) {
            return [0, 0, words[0], 0];
        }
        // The weights of a point are places in it, and its vertices are all the same.
        let [a, b, c] = words;
        let float = |word| f64::from(f32::from_bits(word));
        let corners = match self.stored.primitive.shape {
            Shape::Point => [float(a); 3],
            _ => [float(a), float(b), float(c)],
        };
        let steps = [corners[1] - corners[0], corners[2] - corners[0]];
        let plane = match input.source {
            source::LINEAR => sum([
                (corners[0], &ONE),
                (steps[0], &planes.i),
                (steps[1], &planes.j),
            ]),
            _ => sum([
                (corners[0], &planes.inv_w),
                (steps[0], &planes.i_w),
                (steps[1], &planes.j_w),
            ]),
        };
        coefficients_of(&plane, tile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_count_from_the_corner_of_the_tile() {
        let plane = ScreenPlane {
            base: 3.0,
            dx: 0.5,
            dy: -2.0,
        };
        let [a, b, c, _] = coefficients_of(&plane, [32, 64]).map(f32::from_bits);
        // The centre of pixel (33, 66) is 1.5 right of the corner and 2.5 below.
        assert_eq!(a * 1.5 + b * 2.5 + c, 3.0 + 0.5 * 33.0 - 2.0 * 66.0);
    }
}
