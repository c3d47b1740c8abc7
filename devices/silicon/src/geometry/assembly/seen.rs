//! Vertices as a primitive's viewport shows them; those of waves that are outside of the view are projected here.

use crate::geometry::clip::{self, Outcode};
use crate::geometry::cull;
use crate::geometry::setup::{Grid, Projected, Viewport};
use crate::geometry::vertices::Assembled;

use super::VertexRows;

/// In codes of vertices that are not projected.
pub const LATE: Outcode = clip::MARK;

/// The vertices of a primitive, all through the viewport of its provoking vertex.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub rows: &'a [VertexRows],
    pub viewport: &'a Viewport,
    pub grid: Grid,
    /// Number of the viewport, where vertices choose.
    pub number: Option<u8>,
}

impl Seen<'_> {
    #[inline(always)]
    pub fn projected(&self, vertex: u32) -> Projected {
        let (rows, lane) = self.of(vertex);
        match self.number {
            Some(number) if rows.viewport[lane] != number => self.late(rows, lane),
            _ if rows.outside != 0 => self.late(rows, lane),
            _ => rows.projected[lane],
        }
    }

    /// A vertex that is not projected yet, or through another viewport.
    #[cold]
    fn late(&self, rows: &VertexRows, lane: usize) -> Projected {
        let position = rows.clip.map(|row| row[lane]);
        self.viewport.project(self.grid, position)
    }

    /// Puts the corners of a triangle in the place of those that are not projected.
    #[cold]
    pub fn project_late(&self, triangle: &Assembled, (corners, at): (&mut cull::Corners, usize)) {
        for (k, vertex) in triangle.vertices.into_iter().enumerate() {
            let projected = self.projected(vertex);
            (corners.x[k][at], corners.y[k][at]) = (projected.x, projected.y);
        }
    }

    /// As the viewport of the draw shows it, if it is projected.
    #[inline(always)]
    pub fn of_draw(&self, vertex: u32) -> &Projected {
        let (rows, lane) = self.of(vertex);
        &rows.projected[lane]
    }

    /// Whether the vertices of all these triangles, not none, are outside in the same place, as their waves tell.
    #[inline(always)]
    pub fn rejects(&self, triangles: &[Assembled]) -> bool {
        let of_wave = |vertex: u32| self.rows[vertex as usize / 64].outside;
        let first = triangles.first();
        let mut outside = first.map_or(0, |first| of_wave(first.vertices[0]));
        if outside == 0 {
            return false;
        }
        for triangle in triangles {
            let [a, b, c] = triangle.vertices;
            outside &= of_wave(a) & of_wave(b) & of_wave(c);
        }
        outside != 0
    }

    /// The wave of a vertex and its lane there.
    #[inline(always)]
    pub fn of(&self, vertex: u32) -> (&VertexRows, usize) {
        (&self.rows[vertex as usize / 64], vertex as usize % 64)
    }

    #[inline(always)]
    pub fn code(&self, vertex: u32) -> Outcode {
        let (rows, lane) = self.of(vertex);
        rows.codes[lane] & !LATE
    }

    pub fn position(&self, vertex: u32) -> [f32; 4] {
        let (rows, lane) = self.of(vertex);
        rows.clip.map(|row| row[lane])
    }

    pub fn distances(&self, vertex: u32) -> [f32; 8] {
        let (rows, lane) = self.of(vertex);
        rows.distances[lane]
    }
}
