//! The accumulator of line stipples: subpixels that lines have been drawn for. [R5xx 10.7.3, GA_LINE_STIPPLE_CONFIG]
//!
//! It starts a draw where GA_LINE_STIPPLE_VALUE says, or at 0, and counts the lines of the draw in their order, clipped or not:
//! the distance of their ends, rounded to a subpixel. Edges of triangles that are drawn as lines count too, sides that are
//! culled included, as culling comes later; those inside of quadrilaterals do not.

use std::sync::atomic::{AtomicU64, Ordering};

use radeon::registers::RegisterFile;
use silicon::fragment::scan::Parameters;
use silicon::geometry::assembly::{FaceMode, Fill, Outlined};
use silicon::geometry::topology::{Kind, Topology};

use super::{fill, provokes_last, subpixels};
use crate::regs::*;

/// Bits of the accumulator.
pub const MASK: u64 = 0xff_ffff;

/// What stipple coordinates are multiplied by: a float without its lowest bits.
pub fn scale(registers: &RegisterFile) -> f32 {
    f32::from_bits(GA_LINE_STIPPLE_CONFIG.read(registers, 0) & !3)
}

/// The distance of two places, rounded once from double precision.
pub fn length(from: [f32; 2], to: [f32; 2]) -> f32 {
    let [x, y] = [0, 1].map(|axis| f64::from(to[axis] - from[axis]));
    (x * x + y * y).sqrt() as f32
}

/// What a line of a length in pixels adds to the accumulator.
pub fn counted(length: f32, subpixels: f32) -> u64 {
    (length * subpixels).round_ties_even() as u64
}

/// The edges of a triangle that count, in the order of the draw: first and second end; the last vertex may lead. Of each two
/// triangles of quadrilaterals the last edge of the first and the first of the second are inside.
pub fn edges(rotated: bool, quads: bool, id: u32) -> impl Iterator<Item = [usize; 2]> {
    let edges = match rotated {
        false => [[0, 1], [1, 2], [2, 0]],
        true => [[1, 2], [2, 0], [0, 1]],
    };
    let inside = match (quads, id % 2) {
        (false, _) => None,
        (true, 0) => Some([2, 0]),
        (true, _) => Some([0, 1]),
    };
    edges.into_iter().filter(move |edge| Some(*edge) != inside)
}

/// Counts the lines of a draw.
#[derive(Debug)]
pub struct Counter {
    /// The accumulator; batches come one after the other.
    value: AtomicU64,
    subpixels: f32,
    /// Which sides of triangles are drawn as lines, front first.
    outlines: Option<[bool; 2]>,
    /// Front faces are clockwise on the screen.
    clockwise: bool,
    rotated: bool,
    /// Triangles are halves of quadrilaterals.
    quads: bool,
}

impl Counter {
    /// Of a draw; none where nothing counts, or each line anew.
    pub fn new(registers: &RegisterFile, topology: Topology) -> Result<Option<Counter>, String> {
        let kind = topology.kind();
        let outlines = match (kind, fill(registers)?) {
            (Kind::Points, _) => return Ok(None),
            (Kind::Lines, _) => None,
            (_, Fill::Modes(modes)) => Some(modes.map(|mode| mode == FaceMode::Lines)),
            _ => return Ok(None),
        };
        if scale(registers) == 0.0 || outlines == Some([false; 2]) {
            return Ok(None);
        }
        let start = match GA_LINE_STIPPLE_CONFIG::LINE_RESET.read(registers) {
            0 => GA_LINE_STIPPLE_VALUE.read(registers, 0).into(),
            1 => return Ok(None),
            2 => 0,
            other => {
                return Err(format!(
                    "GA_LINE_STIPPLE_CONFIG.LINE_RESET {other} is reserved"
                ));
            }
        };
        Ok(Some(Counter {
            value: AtomicU64::new(start & MASK),
            subpixels: subpixels(registers) as f32,
            outlines,
            clockwise: SU_CULL_MODE::FACE.on(registers),
            rotated: provokes_last(registers)?,
            quads: super::outlined(topology) == Outlined::Quads,
        }))
    }

    /// The accumulator.
    pub fn value(&self) -> u32 {
        (self.value.load(Ordering::Relaxed) & MASK) as u32
    }

    /// Appends the accumulator at the start of each primitive. The last parameter of vertices is their place.
    pub fn count(&self, batch: Parameters<'_>, counters: &mut Vec<u64>) {
        let mut value = self.value.load(Ordering::Relaxed);
        for id in 0..batch.primitives.len() as u32 {
            let places = batch.of(id).map(place);
            counters.push(value);
            let mut add = |a: usize, b: usize| {
                let length = length(places[a], places[b]);
                value = (value + counted(length, self.subpixels)) & MASK;
            };
            match self.outlines {
                None => add(0, 1),
                Some(sides) if sides[usize::from(!self.is_front(places))] => {
                    edges(self.rotated, self.quads, id).for_each(|[a, b]| add(a, b));
                }
                Some(_) => {}
            }
        }
        self.value.store(value, Ordering::Relaxed);
    }

    fn is_front(&self, [a, b, c]: [[f32; 2]; 3]) -> bool {
        let [ab, ac] = [b, c].map(|to| [0, 1].map(|axis| f64::from(to[axis] - a[axis])));
        (ab[0] * ac[1] - ab[1] * ac[0] > 0.0) == self.clockwise
    }
}

/// The place of a vertex on the screen, its last parameter.
pub fn place(vertex: &[u32]) -> [f32; 2] {
    match vertex.last_chunk() {
        Some([x, y, _, _]) => [*x, *y].map(f32::from_bits),
        None => [0.0; 2],
    }
}
