//! What attribute blocks have that no parameter of the vertices gives: steps around cylinders, components that stay within a
//! primitive, vectors that GA makes.

use silicon::geometry::attributes::{ATTRIBUTE_WORDS, AttributeMap, Source};
use silicon::geometry::binning::BinnedPrimitive;
use silicon::geometry::setup::{Shape, WHOLE};

use super::inputs::{shorter, wrapped};
use crate::ga::stipple::place;
use crate::rs::stuffing::{Made, Piece};
use crate::rs::{Fixed, Packet};

/// Changes of the blocks of a draw.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// Words that are steps around a cylinder.
    wrapped: Vec<usize>,
    fixed: Vec<Fixed>,
    made: Option<Made>,
}

/// Words from the value at vertex 0 to the two steps.
const STEPS: [usize; 2] = [ATTRIBUTE_WORDS / 3, 2 * ATTRIBUTE_WORDS / 3];

impl Changes {
    /// Of a draw, with what GA makes differently from piece to piece.
    pub(super) fn new(packet: &Packet, made: Option<Made>) -> Changes {
        Changes {
            wrapped: wrapped(packet),
            fixed: packet.fixed.clone(),
            made,
        }
    }

    /// Changes the block of a piece.
    pub(super) fn apply(
        &self,
        map: &AttributeMap,
        piece: &BinnedPrimitive<'_>,
        vertices: [&[u32]; 3],
        block: &mut [u32],
    ) {
        for word in &self.wrapped {
            block[*word] = shorter(block[*word]);
        }
        for Fixed { word, value } in &self.fixed {
            if let Some(value) = value {
                block[*word] = value.to_bits();
            }
            STEPS.iter().for_each(|step| block[word + step] = 0);
        }
        let Some(made) = &self.made else { return };
        let piece = Piece {
            shape: piece.primitive.shape,
            weights: weights(piece),
            id: piece.primitive.id,
            counter: piece.stippled,
        };
        if piece.shape == Shape::Point && made.has_sprites() {
            self.settle(map, piece.corner(), block);
        }
        made.apply(&piece, vertices.map(place), block);
    }

    /// A corner of a triangle has the attributes of its vertex everywhere.
    fn settle(&self, map: &AttributeMap, vertex: usize, block: &mut [u32]) {
        let attributes = map
            .sources
            .iter()
            .zip(block.chunks_exact_mut(ATTRIBUTE_WORDS));
        for (source, words) in attributes {
            if !matches!(source, Source::Param { .. }) {
                continue;
            }
            for n in 0..STEPS[0] {
                let step = match vertex {
                    0 => 0.0,
                    _ => f32::from_bits(words[n + STEPS[vertex - 1]]),
                };
                words[n] = (f32::from_bits(words[n]) + step).to_bits();
                STEPS.iter().for_each(|to| words[n + to] = 0);
            }
        }
    }
}

/// Weights of vertices 1 and 2 at both ends.
fn weights(piece: &BinnedPrimitive<'_>) -> [[f32; 2]; 2] {
    let corners = match piece.primitive.corners {
        WHOLE => None,
        n => piece.corners.get(n as usize),
    };
    corners.map_or([[0.0, 0.0], [1.0, 0.0]], |of| {
        [0, 1].map(|end| [of.i[end], of.j[end]])
    })
}
