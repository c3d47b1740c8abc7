//! Vectors that GA makes: the corners of points, places along lines, places of pixels in triangles. [R5xx 10 "GA"]
//!
//! S and T of a point or a line are linear on the screen, R is 0 for points, 1 for lines and 2 for triangles. S of a line goes from
//! one end to the other, T counts subpixels along it. Pixels of triangles have their column and line, shifted. Where triangles are
//! drawn as outlines, [`Made`] gives each piece its vectors.

use radeon::registers::RegisterFile;
use silicon::geometry::assembly::Outlined;
use silicon::geometry::attributes::{ATTRIBUTE_WORDS, Source};
use silicon::geometry::setup::Shape;
use silicon::geometry::topology::{Kind, Topology};

use super::Slot;
use crate::ga::{self, stipple};
use crate::regs::*;

/// What draws of a kind of primitives are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// Points.
    pub points: bool,
    /// Lines.
    pub lines: bool,
    /// Triangles.
    pub triangles: bool,
}

impl Pieces {
    /// Of a draw: sides of triangles are drawn as GA_POLY_MODE says, those that are culled are not.
    pub fn of(registers: &RegisterFile, kind: Kind) -> Pieces {
        use SU_CULL_MODE::*;
        let mut pieces = Pieces::default();
        match kind {
            Kind::Points => pieces.points = true,
            Kind::Lines => pieces.lines = true,
            _ if !GA_POLY_MODE::POLY_MODE.on(registers) => pieces.triangles = true,
            _ => {
                let front = (GA_POLY_MODE::FRONT_PTYPE, CULL_FRONT);
                let back = (GA_POLY_MODE::BACK_PTYPE, CULL_BACK);
                for (mode, culled) in [front, back] {
                    match mode.read(registers) {
                        _ if culled.on(registers) => {}
                        0 => pieces.points = true,
                        1 => pieces.lines = true,
                        _ => pieces.triangles = true,
                    }
                }
            }
        }
        pieces
    }

    /// Whether nothing but triangles is drawn.
    pub fn only_triangles(self) -> bool {
        self.triangles && !self.points && !self.lines
    }
}

/// The pieces whose vectors are made, all of the draw or none.
pub fn of(registers: &RegisterFile, kind: Kind) -> Result<Option<Pieces>, String> {
    use GB_ENABLE::*;
    let pieces = Pieces::of(registers, kind);
    let enables = [
        (pieces.points, POINT_STUFF_ENABLE),
        (pieces.lines, LINE_STUFF_ENABLE),
        (pieces.triangles, TRIANGLE_STUFF_ENABLE),
    ];
    let mut on = enables
        .iter()
        .filter(|(drawn, field)| *drawn && field.on(registers));
    let off = enables
        .iter()
        .find(|(drawn, field)| *drawn && !field.on(registers));
    match (on.next(), off) {
        (None, _) => Ok(None),
        (Some(_), None) => Ok(Some(pieces)),
        // Vectors that vertices give are divided by w, those that GA makes are not.
        (Some((_, on)), Some((_, off))) => Err(format!(
            "GB_ENABLE.{} without GB_ENABLE.{} in a draw of both is not executed",
            on.name, off.name
        )),
    }
}

/// What a vector that is made holds in all pieces, or in those that [`Made`] leaves alone.
pub fn source(registers: &RegisterFile, pieces: Pieces) -> Source {
    match pieces {
        Pieces {
            points: true,
            lines: false,
            triangles: false,
        } => Source::Point(point(registers)),
        _ => Source::Constant([0.0, 0.0, 2.0, 1.0]),
    }
}

/// A point's vector: at its upper left, and steps right and down.
fn point(registers: &RegisterFile) -> [[f32; 4]; 3] {
    let [s0, t0, s1, t1] = [GA_POINT_S0, GA_POINT_T0, GA_POINT_S1, GA_POINT_T1]
        .map(|register| register.float(registers));
    // 0 is the lower left corner, 1 the upper right one.
    [
        [s0, t1, 0.0, 1.0],
        [s1 - s0, 0.0, 0.0, 0.0],
        [0.0, t0 - t1, 0.0, 0.0],
    ]
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

/// Vectors that differ from piece to piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Which attributes they are.
    vectors: Vec<usize>,
    point: [[f32; 4]; 3],
    /// S at the first and the second end of a line.
    line: [f32; 2],
    /// T of a subpixel.
    scale: f32,
    subpixels: f32,
    /// Each line begins anew.
    restarts: bool,
    /// The left end is the first, the upper one of a vertical line.
    sorts: bool,
    /// Blocks have the last vertex first.
    rotated: bool,
    /// What columns and lines of triangles are multiplied by.
    triangle: [f32; 2],
    /// Primitives are triangles.
    outlines: bool,
    /// They are halves of quadrilaterals.
    quads: bool,
}

/// A piece of a primitive, as the scan converter has it.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// What it is.
    pub shape: Shape,
    /// Weights of vertices 1 and 2 at its two ends.
    pub weights: [[f32; 2]; 2],
    /// Number of the primitive.
    pub id: u32,
    /// Subpixels before it.
    pub counter: u64,
}

impl Piece {
    /// The vertices at the ends of an edge of a triangle.
    fn edge(&self) -> [usize; 2] {
        let [[i0, j0], [i1, j1]] = self.weights;
        match (i0 == 0.0 && i1 == 0.0, j0 == 0.0 && j1 == 0.0) {
            (_, true) => [0, 1],
            (true, false) => [2, 0],
            (false, false) => [1, 2],
        }
    }

    /// The vertex that a point is a corner of.
    pub fn corner(&self) -> usize {
        match self.weights[0] {
            [1.0, _] => 1,
            [_, 1.0] => 2,
            _ => 0,
        }
    }
}

impl Made {
    /// Of a draw; none where all pieces have what [`source()`] gives.
    pub fn new(
        registers: &RegisterFile,
        topology: Topology,
        vectors: &[usize],
    ) -> Result<Option<Made>, String> {
        let kind = topology.kind();
        let pieces = of(registers, kind)?.filter(|_| !vectors.is_empty());
        let Some(pieces) = pieces.filter(|pieces| !pieces.only_triangles() && kind != Kind::Points)
        else {
            return Ok(None);
        };
        let [x, y] = [GA_TRIANGLE_STIPPLE::X_SHIFT, GA_TRIANGLE_STIPPLE::Y_SHIFT]
            .map(|shift| 1.0 / (1u32 << shift.read(registers)) as f32);
        let scale = match pieces.lines {
            true => stipple::scale(registers),
            false => 0.0,
        };
        Ok(Some(Made {
            vectors: vectors.to_vec(),
            point: point(registers),
            line: [GA_LINE_S0, GA_LINE_S1].map(|register| register.float(registers)),
            scale,
            subpixels: ga::subpixels(registers) as f32,
            restarts: GA_LINE_STIPPLE_CONFIG::LINE_RESET.read(registers) == 1,
            sorts: GA_LINE_CNTL::SORT.on(registers),
            rotated: ga::provokes_last(registers)?,
            triangle: [x, y],
            outlines: kind != Kind::Lines,
            quads: ga::outlined(topology) == Outlined::Quads,
        }))
    }

    /// Whether vertices have to say where they are on the screen.
    pub fn needs_places(&self) -> bool {
        self.outlines || self.sorts || self.scale != 0.0
    }

    /// Whether points are corners of triangles.
    pub fn has_sprites(&self) -> bool {
        self.outlines
    }

    /// Changes the vectors in the block of a piece; the vertices of the primitive have these places on the screen.
    pub fn apply(&self, piece: &Piece, places: [[f32; 2]; 3], block: &mut [u32]) {
        let rows = match piece.shape {
            Shape::Point => self.point,
            Shape::Triangle => self.triangle(places),
            _ => self.line(piece, places),
        };
        for vector in &self.vectors {
            let words = block
                .get_mut(vector * ATTRIBUTE_WORDS..)
                .unwrap_or_default();
            for (word, value) in words.iter_mut().zip(rows.as_flattened()) {
                *word = value.to_bits();
            }
        }
    }

    /// Places of pixels as what is linear between the vertices.
    fn triangle(&self, places: [[f32; 2]; 3]) -> [[f32; 4]; 3] {
        let [a, b, c] = places.map(|at| [at[0] * self.triangle[0], at[1] * self.triangle[1]]);
        [
            [a[0], a[1], 2.0, 1.0],
            [b[0] - a[0], b[1] - a[1], 0.0, 0.0],
            [c[0] - a[0], c[1] - a[1], 0.0, 0.0],
        ]
    }

    fn line(&self, piece: &Piece, places: [[f32; 2]; 3]) -> [[f32; 4]; 3] {
        let [first, second] = match (self.outlines, self.rotated) {
            (true, _) => piece.edge(),
            (false, false) => [0, 1],
            (false, true) => [1, 0],
        };
        let (start, end) = (places[first], places[second]);
        let mut counter = piece.counter;
        if self.outlines && !self.restarts {
            // The edges before it, in the order of the draw.
            let edges = stipple::edges(self.rotated, self.quads, piece.id);
            let before = edges.take_while(|edge| *edge != [first, second]);
            let lengths = before.map(|[a, b]| stipple::length(places[a], places[b]));
            counter += lengths
                .map(|length| stipple::counted(length, self.subpixels))
                .sum::<u64>();
        }
        let from = (counter & stipple::MASK) as f32 * self.scale;
        let to = from + stipple::length(start, end) * (self.scale * self.subpixels);
        let [s0, s1] = self.line;
        let [start, end] = match self.sorts && (end[0], end[1]) < (start[0], start[1]) {
            false => [[s0, from], [s1, to]],
            true => [[s1, to], [s0, from]],
        };
        // Values at the vertices: along a line without the third, or without the first, its weight is 0.
        let mut at = [start; 3];
        at[second] = end;
        if first + second == 1 {
            at[2] = at[0];
        }
        let [a, b, c] = at;
        [
            [a[0], a[1], 1.0, 1.0],
            [b[0] - a[0], b[1] - a[1], 0.0, 0.0],
            [c[0] - a[0], c[1] - a[1], 0.0, 0.0],
        ]
    }
}
