//! Primitive blocks: up to 32 primitives of a state with the parameters of their vertices.
//!
//! A primitive is twenty words, of which the last two are zero: columns, lines, depths and 1/w of its corners, size, shape
//! and facing, its vertices in the block, where the weights of clipped corners are, and the counter of the stipple pattern.
//! Vertices and weights follow the primitives. All of them are multiples of four words.

use silicon::Memory;
use silicon::geometry::setup::{Corners, Primitive, Shape, WHOLE};

use super::PAGE_WORDS;

/// Words of a primitive.
pub const PRIMITIVE_WORDS: usize = 20;
/// Primitives of a block.
pub const MOST_PRIMITIVES: usize = 32;
/// Words of the weights of corners.
const CORNER_WORDS: usize = 12;

const SHAPES: [Shape; 6] = [
    Shape::Triangle,
    Shape::Line,
    Shape::UprightLine,
    Shape::LevelLine,
    Shape::ThinLine,
    Shape::Point,
];

/// A block that is being filled.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Words of the primitives.
    primitives: Vec<u32>,
    /// Weights of clipped corners.
    corners: Vec<u32>,
    /// Numbers of the vertices.
    vertices: Vec<u32>,
    /// Of each vertex of the batch that was in a block, the number of the last such block and its place there.
    places: Vec<(u32, u32)>,
    /// The number of this block.
    number: u32,
}

impl Block {
    /// Empties it.
    pub fn clear(&mut self) {
        self.primitives.clear();
        self.corners.clear();
        self.vertices.clear();
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            self.places.clear();
            1
        });
    }

    /// Primitives.
    pub fn count(&self) -> usize {
        self.primitives.len() / PRIMITIVE_WORDS
    }

    /// Whether another primitive of vertices with some words each finds room.
    pub fn has_room(&self, stride: usize) -> bool {
        let vertices = (self.vertices.len() + 3) * stride;
        let words =
            self.primitives.len() + PRIMITIVE_WORDS + self.corners.len() + CORNER_WORDS + vertices;
        self.count() < MOST_PRIMITIVES && words <= PAGE_WORDS
    }

    fn vertex(&mut self, vertex: u32) -> u32 {
        let at = vertex as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, (0, 0));
        }
        let next = self.vertices.len() as u32;
        let place = &mut self.places[at];
        if place.0 != self.number {
            *place = (self.number, next);
            self.vertices.push(vertex);
        }
        place.1
    }

    /// Adds a primitive between these vertices of the batch; `stippled` is its counter of the stipple pattern.
    pub fn push(
        &mut self,
        (primitive, stippled): (&Primitive, u64),
        vertices: [u32; 3],
        corners: &[Corners],
    ) {
        let [a, b, c] = vertices;
        let (a, b, c) = (self.vertex(a), self.vertex(b), self.vertex(c));
        let weights = match primitive.corners {
            WHOLE => 0,
            number => {
                let corners = corners.get(number as usize).copied().unwrap_or_default();
                let Corners {
                    i,
                    j,
                    linear_i,
                    linear_j,
                } = corners;
                for row in [i, j, linear_i, linear_j] {
                    self.corners.extend(row.map(f32::to_bits));
                }
                (self.corners.len() / CORNER_WORDS) as u32
            }
        };
        let shape = primitive.shape as u32
            | u32::from(primitive.front) << 3
            | u32::from(primitive.viewport) << 4
            | u32::from(primitive.coverage_2x2) << 8
            | weights << 16;
        let mut words = [0; PRIMITIVE_WORDS];
        for n in 0..3 {
            words[n] = primitive.x[n] as u32;
            words[3 + n] = primitive.y[n] as u32;
            words[6 + n] = primitive.z[n].to_bits();
            words[9 + n] = primitive.inv_w[n].to_bits();
        }
        words[12] = primitive.size as u32;
        words[13] = shape;
        words[14] = a | b << 8 | c << 16;
        words[16] = stippled as u32;
        words[17] = (stippled >> 32) as u32;
        self.primitives.extend_from_slice(&words);
    }

    /// Appends the words of the block; `parameters` gives those of a vertex.
    pub fn close<'a>(&mut self, parameters: impl Fn(u32) -> &'a [u32], words: &mut Vec<u32>) {
        let first = self.primitives.len();
        let vertices = (first + self.corners.len()) as u32;
        for primitive in self.primitives.chunks_exact_mut(PRIMITIVE_WORDS) {
            primitive[15] = first as u32 | vertices << 16;
        }
        words.extend_from_slice(&self.primitives);
        words.extend_from_slice(&self.corners);
        for vertex in &self.vertices {
            words.extend_from_slice(parameters(*vertex));
        }
    }
}

/// Reads words of a block, four at a time.
#[inline(always)]
fn load_quads<const N: usize>(memory: &Memory, at: u64, words: &mut [u32; N]) {
    for (at, quad) in (at..).step_by(16).zip(words.as_chunks_mut().0) {
        // Those outside of memory are zero: no block lies there.
        let _ = memory.load_quad(at, quad);
    }
}

#[inline(always)]
fn floats(words: &[u32], first: usize) -> [f32; 3] {
    // Closures of `map` stay calls.
    [
        f32::from_bits(words[first]),
        f32::from_bits(words[first + 1]),
        f32::from_bits(words[first + 2]),
    ]
}

/// A primitive as a block has it.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The primitive; its weights are at [`Stored::corners`].
    pub primitive: Primitive,
    /// Counter of the stipple pattern at its start.
    pub stippled: u64,
    /// Address of the weights of its corners, if it was clipped.
    pub corners: Option<u64>,
    /// Where the parameters of the vertices are, and the number of each of its vertices there.
    parameters: (u64, [u32; 3]),
}

impl Stored {
    /// A primitive of the block at an address.
    pub fn read(memory: &Memory, block: u64, number: u32) -> Stored {
        let mut words = [0; PRIMITIVE_WORDS];
        let at = block + (4 * PRIMITIVE_WORDS) as u64 * u64::from(number);
        load_quads(memory, at, &mut words);
        let shape = words[13];
        let weights = u64::from(shape >> 16);
        let [corners, vertices] = [words[15] & 0xffff, words[15] >> 16];
        let corners = block + 4 * u64::from(corners);
        let vertices = block + 4 * u64::from(vertices);
        let refs = words[14];
        Stored {
            primitive: Primitive {
                x: [words[0] as i32, words[1] as i32, words[2] as i32],
                y: [words[3] as i32, words[4] as i32, words[5] as i32],
                z: floats(&words, 6),
                inv_w: floats(&words, 9),
                id: 0,
                corners: if weights == 0 { WHOLE } else { 0 },
                size: words[12] as i32,
                shape: SHAPES[(shape & 7) as usize % SHAPES.len()],
                front: shape >> 3 & 1 == 1,
                viewport: (shape >> 4 & 15) as u8,
                coverage_2x2: (shape >> 8) as u8,
            },
            stippled: u64::from(words[16]) | u64::from(words[17]) << 32,
            corners: weights
                .checked_sub(1)
                .map(|number| corners + 4 * CORNER_WORDS as u64 * number),
            parameters: (vertices, [refs & 0xff, refs >> 8 & 0xff, refs >> 16 & 0xff]),
        }
    }

    /// The weights of its corners.
    pub fn weights(&self, memory: &Memory) -> Corners {
        let mut words = [0; CORNER_WORDS];
        if let Some(at) = self.corners {
            load_quads(memory, at, &mut words);
        }
        Corners {
            i: floats(&words, 0),
            j: floats(&words, 3),
            linear_i: floats(&words, 6),
            linear_j: floats(&words, 9),
        }
    }

    /// Address of the parameters of a vertex of `stride` words.
    pub fn vertex(&self, corner: usize, stride: usize) -> u64 {
        let (first, numbers) = self.parameters;
        first + 4 * (u64::from(numbers[corner]) * stride as u64)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use silicon::Addr;

    #[test]
    fn primitives_come_back() {
        let memory = Memory::new(1 << 16);
        let primitive = |n: i32| Primitive {
            x: [n, -n, 300],
            y: [-n, n + 1, 7],
            z: [0.5, 0.25, n as f32],
            inv_w: [1.0, 2.0, 0.1],
            id: 0,
            corners: if n == 2 { 1 } else { WHOLE },
            size: 256,
            shape: SHAPES[n as usize % SHAPES.len()],
            front: n == 1,
            viewport: n as u8,
            coverage_2x2: 9,
        };
        let weights = Corners {
            i: [0.0, 0.5, 1.0],
            ..Corners::default()
        };
        let corners = [Corners::default(), weights];
        let mut block = Block::default();
        block.clear();
        let vertices = [[10, 11, 12], [12, 11, 13], [13, 13, 10]];
        for (n, vertices) in vertices.into_iter().enumerate() {
            assert!(block.has_room(4));
            let stippled = (n as u64) << 33 | 5;
            block.push((&primitive(n as i32), stippled), vertices, &corners);
        }
        let table: Vec<u32> = (0..80).collect();
        let mut words = Vec::new();
        block.close(|vertex| &table[4 * vertex as usize..][..4], &mut words);
        memory.write_words(Addr(0x400), &words).unwrap();
        for (n, vertices) in vertices.into_iter().enumerate() {
            let stored = Stored::read(&memory, 0x400, n as u32);
            let expected = primitive(n as i32);
            assert_eq!(stored.stippled, (n as u64) << 33 | 5);
            let corners = if n == 2 { 0 } else { WHOLE };
            assert_eq!(
                stored.primitive,
                Primitive {
                    corners,
                    ..expected
                }
            );
            for (corner, vertex) in vertices.into_iter().enumerate() {
                assert_eq!(memory.load(stored.vertex(corner, 4)), Some(4 * vertex));
            }
            if n == 2 {
                assert_eq!(stored.weights(&memory), weights);
            }
        }
    }

    #[test]
    fn blocks_fit_a_page() {
        for stride in [0, 4, 16, 128] {
            let mut block = Block::default();
            block.clear();
            let mut next = 0;
            let primitive = Primitive {
                x: [0; 3],
                y: [0; 3],
                z: [0.0; 3],
                inv_w: [1.0; 3],
                id: 0,
                corners: 0,
                size: 0,
                shape: Shape::Triangle,
                front: true,
                viewport: 0,
                coverage_2x2: 0,
            };
            while block.has_room(stride) {
                block.push((&primitive, 0), [next, next + 1, next + 2], &[]);
                next += 3;
            }
            let zeros = vec![0; stride];
            assert!((1..=32).contains(&block.count()));
            let mut words = Vec::new();
            block.close(|_| &zeros, &mut words);
            assert!(words.len() <= PAGE_WORDS && words.len().is_multiple_of(4));
        }
    }
}
