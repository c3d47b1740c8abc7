//! Vectors that GA makes: the corners of points, places along lines, places of pixels in triangles. [R5xx 10 "GA"]
//!
//! S and T of a point or a line are linear on the screen, R is 0 for points, 1 for lines and 2 for triangles. S of a line goes from
//! one end to the other, T counts subpixels along it. Pixels of triangles have their column and line, shifted.

use radeon::registers::RegisterFile;
use silicon::geometry::attributes::{ATTRIBUTE_WORDS, Source};
use silicon::geometry::topology::Kind;

use super::Slot;
use crate::ga::subpixels;
use crate::regs::*;

/// The primitives whose vectors are made, those of the draw if they are.
pub fn of(registers: &RegisterFile, kind: Kind) -> Result<Option<Kind>, String> {
    use GB_ENABLE::*;
    let on = match kind {
        Kind::Points => POINT_STUFF_ENABLE.on(registers),
        Kind::Lines => LINE_STUFF_ENABLE.on(registers),
        _ => {
            let modes = GA_POLY_MODE::POLY_MODE.read(registers);
            let outlines = [POINT_STUFF_ENABLE, LINE_STUFF_ENABLE];
            if let (Some(field), true) = (
                outlines.iter().find(|field| field.on(registers)),
                modes != 0,
            ) {
                return Err(format!(
                    "GB_ENABLE.{} with GA_POLY_MODE is not executed",
                    field.name
                ));
            }
            TRIANGLE_STUFF_ENABLE.on(registers)
        }
    };
    Ok(on.then_some(kind))
}

fn provokes_last(registers: &RegisterFile) -> bool {
    GA_COLOR_CONTROL::PROVOKING_VERTEX.read(registers) == 3
}

/// What a vector that is made holds.
pub fn source(registers: &RegisterFile, kind: Kind) -> Source {
    let zero = [0.0; 4];
    match kind {
        Kind::Points => {
            let [s0, t0, s1, t1] = [GA_POINT_S0, GA_POINT_T0, GA_POINT_S1, GA_POINT_T1]
                .map(|register| register.float(registers));
            // 0 is the lower left corner, 1 the upper right one.
            Source::Point([
                [s0, t1, 0.0, 1.0],
                [s1 - s0, 0.0, 0.0, 0.0],
                [0.0, t0 - t1, 0.0, 0.0],
            ])
        }
        Kind::Lines => {
            let [mut s0, mut s1] =
                [GA_LINE_S0, GA_LINE_S1].map(|register| register.float(registers));
            // The vertex that provokes is the first in blocks.
            if provokes_last(registers) {
                (s0, s1) = (s1, s0);
            }
            Source::Point([[s0, 0.0, 1.0, 1.0], [s1 - s0, 0.0, 0.0, 0.0], zero])
        }
        _ => Source::Constant([0.0, 0.0, 2.0, 1.0]),
    }
}

/// The place of a pixel that is a component of a triangle's vector, if it is one.
pub fn place(registers: &RegisterFile, component: u32) -> Option<Slot> {
    use GA_TRIANGLE_STIPPLE::*;
    let shift = match component {
        0 => X_SHIFT.read(registers),
        1 => Y_SHIFT.read(registers),
        _ => return None,
    };
    let axis = component as usize;
    Some(Slot::Place { axis, shift })
}

/// How vectors of lines follow from the places of their ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Along {
    /// T of a pixel's length.
    pub scale: f32,
    /// The left end is the first, the upper one of a vertical line.
    pub sorts: bool,
    /// Blocks have the second end first.
    pub reversed: bool,
}

impl Along {
    /// Of a draw of one line or several; none where vectors need no places.
    pub fn new(registers: &RegisterFile, is_one: bool) -> Result<Option<Along>, String> {
        use GA_LINE_STIPPLE_CONFIG::*;
        // A float without its lowest bits.
        let word = GA_LINE_STIPPLE_CONFIG.read(registers, 0);
        let scale = f32::from_bits(word & !3);
        let reset = LINE_RESET.get(word);
        let sorts = GA_LINE_CNTL::SORT.on(registers);
        if scale == 0.0 && !sorts {
            return Ok(None);
        }
        let restarts = match reset {
            1 => true,
            2 => is_one,
            _ => false,
        };
        if scale != 0.0 && !restarts {
            return Err(format!(
                "GA_LINE_STIPPLE_CONFIG.LINE_RESET {reset}: a stipple that goes on from line to line is not executed"
            ));
        }
        Ok(Some(Along {
            scale: scale * subpixels(registers) as f32,
            sorts,
            reversed: provokes_last(registers),
        }))
    }

    /// Changes the vectors in a block whose vertices have these places on the screen.
    pub fn apply(&self, [a, b]: [[f32; 2]; 2], vectors: &[usize], block: &mut [u32]) {
        let length = length([b[0] - a[0], b[1] - a[1]]) * self.scale;
        let [start, end] = if self.reversed { [b, a] } else { [a, b] };
        let swaps = self.sorts && (end[0], end[1]) < (start[0], start[1]);
        for vector in vectors {
            let Some(words) = block.get_mut(vector * ATTRIBUTE_WORDS..) else {
                continue;
            };
            let [mut s, mut step] = [words[0], words[4]].map(f32::from_bits);
            if swaps {
                (s, step) = (s + step, -step);
            }
            let [t, along] = match swaps != self.reversed {
                true => [length, -length],
                false => [0.0, length],
            };
            for (at, value) in [(0, s), (4, step), (1, t), (5, along)] {
                words[at] = value.to_bits();
            }
        }
    }
}

/// The length of a step, rounded once from double precision.
fn length(step: [f32; 2]) -> f32 {
    let [x, y] = step.map(f64::from);
    (x * x + y * y).sqrt() as f32
}
