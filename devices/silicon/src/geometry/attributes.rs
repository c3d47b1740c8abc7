//! Attribute set-up. In: the parameters that vertices export. Out: the planes that pixel waves interpolate.

use crate::texture::float::canonical;

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
    pub fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        let first = out.len();
        out.resize(first + self.block_words(), 0);
        let blocks = out[first..].as_chunks_mut::<ATTRIBUTE_WORDS>().0;
        for (source, block) in self.sources.iter().zip(blocks) {
            match *source {
                Source::Constant(value) => block[..4].copy_from_slice(&value.map(f32::to_bits)),
                Source::Point(rows) => {
                    for (word, value) in block.iter_mut().zip(rows.as_flattened()) {
                        *word = value.to_bits();
                    }
                }
                Source::Param { index, flat } => {
                    let of = |v: usize| vertices[v][4 * index..].first_chunk::<4>();
                    let (Some(start), Some(one), Some(two)) = (of(0), of(1), of(2)) else {
                        continue;
                    };
                    block[..4].copy_from_slice(start);
                    if !flat {
                        for n in 0..4 {
                            let float = |v: &[u32; 4]| f32::from_bits(v[n]);
                            block[4 + n] = canonical(float(one) - float(start));
                            block[8 + n] = canonical(float(two) - float(start));
                        }
                    }
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
        let mut blocks = vec![7];
        map.block([&vertices[0], &vertices[1], &vertices[2]], &mut blocks);
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
