//! Weights of a primitive's vertices, and what the vertices have before it is interpolated. [SI 8.5 Parameter Interpolation]
//!
//! The weights of the second and the third vertex are I and J, whatever was cut off. Of an attribute there is P0, that of
//! the first vertex, and the differences P10 and P20 to those of the others, which for halves of words are exact.

use southern_islands::isa::vector::{VintrpOp, Vop2Op};

use super::machine::{Inst, Op, Operand};
use super::select::Select;
use crate::codegen::Corners;
use crate::ir::{Inst as IrInst, Interpolation, Op as IrOp};

/// Selectors of V_INTERP_MOV by vertex.
const PARAMETERS: [u32; 3] = [2, 0, 1];

/// The pair that the weight of this number is made of.
pub(super) fn weights(number: u8) -> Interpolation {
    match number {
        0..3 => Interpolation::Perspective,
        _ => Interpolation::Linear,
    }
}

impl Select<'_> {
    /// The weight of a vertex.
    pub(super) fn weight(&mut self, number: u8) -> Operand {
        let Corners { vertices, order } = self.options.corners;
        let vertex = number % 3;
        let (zero, one) = (Operand::Const(0), Operand::Const(1.0_f32.to_bits()));
        let Some(bit) = self.barycentric(weights(number)).filter(|_| vertices > 1) else {
            return if vertex == 0 { one } else { zero };
        };
        if vertex >= vertices {
            return zero;
        }
        let pair = self.pixel_input(bit);
        let place = order[usize::from(vertex)];
        if vertices == 3 && place > 0 {
            return pair.word(u32::from(place) - 1);
        }
        // A line is a triangle whose last two vertices are one.
        let others = self.two(Vop2Op::V_ADD_F32, pair.word(0), pair.word(1));
        match place {
            0 => self.two(Vop2Op::V_SUB_F32, one, others),
            _ => others,
        }
    }

    /// Words that a vertex of the primitive has; those beyond its vertices are the first one's.
    pub(super) fn corner_words(&mut self, inst: &IrInst) {
        let IrOp::VertexInput {
            vertex,
            input,
            first,
        } = inst.op
        else {
            return;
        };
        let Corners { vertices, order } = self.options.corners;
        let place = match vertex < u32::from(vertices) {
            true => order[vertex as usize],
            false => 0,
        };
        for (channel, &result) in (first..).zip(&inst.results) {
            if self.structure.uses[result.0 as usize] == 0 {
                continue;
            }
            let word = self.parameter(0, input, channel);
            let word = match place {
                0 => word,
                place => {
                    let difference = self.parameter(place, input, channel);
                    self.two(Vop2Op::V_ADD_F32, word, difference)
                }
            };
            self.define(result, word);
        }
    }

    /// P0, or the difference to it.
    fn parameter(&mut self, place: u8, attribute: u32, channel: u32) -> Operand {
        self.point_to_attributes();
        let dst = self.code.vector(1);
        let op = Op::Interpolate(VintrpOp::V_INTERP_MOV_F32, attribute as u8, channel as u8);
        let src = vec![Operand::Const(PARAMETERS[usize::from(place)])];
        self.push(Inst::new(op, Some(dst), src));
        dst
    }
}
