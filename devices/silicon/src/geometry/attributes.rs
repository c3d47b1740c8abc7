//! Attribute set-up. In: the parameters that vertices export. Out: the planes that pixel waves interpolate.

use crate::texture::float::canonical;
use host::{Kernel, Rounding, SimdLevel};

/// Words of one attribute in a block: P0, P10 = P1 - P0 and P20 = P2 - P0, four components each.
pub const ATTRIBUTE_WORDS: usize = 12;

/// Where the attributes of a pixel shader come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeMap {
    /// One for each attribute.
    pub sources: Vec<Source>,
    /// Parameters that a vertex exports.
    pub params: usize,
}

/// Where an attribute comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A parameter of the vertices.
    Param {
        /// Which, below [`AttributeMap::params`].
        index: usize,
        /// That of the provoking vertex, everywhere.
        flat: bool,
    },
    /// The same for all pixels.
    Constant([f32; 4]),
    /// Point coordinate: values at the upper left, steps right and down. For screen-linear weights.
    Point([[f32; 4]; 3]),
}

impl AttributeMap {
    /// Words of a primitive's block.
    pub fn block_words(&self) -> usize {
        self.sources.len() * ATTRIBUTE_WORDS
    }

    /// Appends the block of a primitive: per attribute P0, P10 = P1 - P0 and P20 = P2 - P0.
    #[inline]
    pub fn block(&self, level: SimdLevel, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        let first = out.len();
        out.resize(first + self.block_words(), 0);
        level.run(Block {
            sources: &self.sources,
            vertices: &vertices,
            out: &mut out[first..],
        });
    }
}

struct Block<'a> {
    sources: &'a [Source],
    /// By reference: a copy by wide loads waits for the narrow stores before it.
    vertices: &'a [&'a [u32]; 3],
    /// Zeros.
    out: &'a mut [u32],
}

impl Kernel for Block<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Block {
            sources,
            vertices: [start, one, two],
            out,
        } = self;
        for (source, block) in sources.iter().zip(out.chunks_exact_mut(ATTRIBUTE_WORDS)) {
            match source {
                Source::Constant(value) => {
                    for (word, value) in block.iter_mut().zip(value) {
                        *word = value.to_bits();
                    }
                }
                Source::Point(rows) => {
                    for (words, row) in block.chunks_exact_mut(4).zip(rows) {
                        for (word, value) in words.iter_mut().zip(row) {
                            *word = value.to_bits();
                        }
                    }
                }
                Source::Param { index, flat } => {
                    let of = 4 * index..4 * index + 4;
                    let (Some(start), Some(one), Some(two)) =
                        (start.get(of.clone()), one.get(of.clone()), two.get(of))
                    else {
                        continue;
                    };
                    let mut words = [0; ATTRIBUTE_WORDS];
                    words[..4].copy_from_slice(start);
                    if !flat {
                        let float = f32::from_bits;
                        for n in 0..4 {
                            words[4 + n] = canonical(float(one[n]) - float(start[n]));
                            words[8 + n] = canonical(float(two[n]) - float(start[n]));
                        }
                    }
                    block.copy_from_slice(&words);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_primitives() {
        let map = AttributeMap {
            sources: vec![
                Source::Param {
                    index: 1,
                    flat: false,
                },
                Source::Param {
                    index: 0,
                    flat: true,
                },
                Source::Constant([0.0, 0.0, 0.0, 1.0]),
            ],
            params: 2,
        };
        let vertex =
            |n: u32| std::array::from_fn::<u32, 8, _>(|i| ((10 * n + i as u32) as f32).to_bits());
        let vertices = [vertex(0), vertex(1), vertex(3)];
        for level in SimdLevel::available() {
            check(level, &map, &vertices);
        }
    }

    fn check(level: SimdLevel, map: &AttributeMap, [a, b, c]: &[[u32; 8]; 3]) {
        let mut blocks = vec![7];
        map.block(level, [a, b, c], &mut blocks);
        assert_eq!(blocks.len(), 1 + map.block_words());
        let floats: Vec<f32> = blocks[1..].iter().map(|v| f32::from_bits(*v)).collect();
        assert_eq!(
            floats[..12],
            [4., 5., 6., 7., 10., 10., 10., 10., 30., 30., 30., 30.]
        );
        assert_eq!(
            floats[12..24],
            [0., 1., 2., 3., 0., 0., 0., 0., 0., 0., 0., 0.]
        );
        assert_eq!(floats[24..28], [0., 0., 0., 1.]);
    }
}
