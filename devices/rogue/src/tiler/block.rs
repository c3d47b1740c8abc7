//! Primitive blocks: up to 32 primitives of a state with the parameters of their vertices.
//!
//! A primitive is eighteen words: columns, lines, depths and 1/w of its corners, size, shape and facing, its vertices in
//! the block, where the weights of clipped corners are, and the counter of the stipple pattern. Vertices and weights follow
//! the primitives.

use silicon::Memory;
use silicon::geometry::setup::{Corners, Primitive, Shape, WHOLE};

use super::PAGE_WORDS;

/// Words of a primitive.
pub const PRIMITIVE_WORDS: usize = 18;
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
    pub vertices: Vec<u32>,
    /// The whole, once it is closed.
    words: Vec<u32>,
}

impl Block {
    /// Empties it.
    pub fn clear(&mut self) {
        self.primitives.clear();
        self.corners.clear();
        self.vertices.clear();
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

    fn vertex(&mut self, number: u32) -> u32 {
        let found = self.vertices.iter().rposition(|known| *known == number);
        let place = found.unwrap_or_else(|| {
            self.vertices.push(number);
            self.vertices.len() - 1
        });
        place as u32
    }

    /// Adds a primitive between these vertices of the batch; `stippled` is its counter of the stipple pattern.
    pub fn push(
        &mut self,
        (primitive, stippled): (&Primitive, u64),
        vertices: [u32; 3],
        corners: &[Corners],
    ) {
        let [a, b, c] = vertices.map(|vertex| self.vertex(vertex));
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
        let out = &mut self.primitives;
        out.extend(primitive.x.map(|x| x as u32));
        out.extend(primitive.y.map(|y| y as u32));
        out.extend(primitive.z.map(f32::to_bits));
        out.extend(primitive.inv_w.map(f32::to_bits));
        out.extend([primitive.size as u32, shape, a | b << 8 | c << 16, 0]);
        out.extend([stippled as u32, (stippled >> 32) as u32]);
    }

    /// The words of the block; `parameters` gives those of a vertex.
    pub fn close<'a>(&'a mut self, parameters: impl Fn(u32) -> &'a [u32]) -> &'a [u32] {
        let first = self.primitives.len();
        let vertices = (first + self.corners.len()) as u32;
        for primitive in self.primitives.chunks_exact_mut(PRIMITIVE_WORDS) {
            primitive[15] = first as u32 | vertices << 16;
        }
        self.words.clear();
        self.words.extend_from_slice(&self.primitives);
        self.words.extend_from_slice(&self.corners);
        for vertex in &self.vertices {
            self.words.extend_from_slice(parameters(*vertex));
        }
        &self.words
    }
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
        memory.load_words(
            block + (4 * PRIMITIVE_WORDS) as u64 * u64::from(number),
            &mut words,
        );
        let shape = words[13];
        let three = |first: usize| [words[first], words[first + 1], words[first + 2]];
        let weights = u64::from(shape >> 16);
        let [corners, vertices] =
            [words[15] & 0xffff, words[15] >> 16].map(|at| block + 4 * u64::from(at));
        let refs = words[14];
        Stored {
            primitive: Primitive {
                x: three(0).map(|x| x as i32),
                y: three(3).map(|y| y as i32),
                z: three(6).map(f32::from_bits),
                inv_w: three(9).map(f32::from_bits),
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
            memory.load_words(at, &mut words);
        }
        let row = |n: usize| [words[3 * n], words[3 * n + 1], words[3 * n + 2]].map(f32::from_bits);
        Corners {
            i: row(0),
            j: row(1),
            linear_i: row(2),
            linear_j: row(3),
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
        let vertices = [[10, 11, 12], [12, 11, 13], [13, 13, 10]];
        for (n, vertices) in vertices.into_iter().enumerate() {
            assert!(block.has_room(4));
            let stippled = (n as u64) << 33 | 5;
            block.push((&primitive(n as i32), stippled), vertices, &corners);
        }
        let table: Vec<u32> = (0..80).collect();
        let words = block.close(|vertex| &table[4 * vertex as usize..][..4]);
        memory.write_words(Addr(0x400), words).unwrap();
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
            assert!(block.close(|_| &zeros).len() <= PAGE_WORDS);
        }
    }
}
