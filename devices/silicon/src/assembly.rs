//! Primitive assembly: clip, viewport, culling, set-up. Positions that vertex waves exported in, primitives for the scan
//! converter out.

use crate::clip::{self, Outcode, Verdict, Volume};
use crate::level::Level;
use crate::sample::Lanes;
use crate::setup::{
    self, Corners, Grid, MAX_COORDINATE, Primitive, Projected, Setup, Viewport, WHOLE, Winding,
};
use crate::tile::Rect;
use crate::topology::Kind;
use crate::vertices::Assembled;

/// State of one draw.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Clip coordinates to pixels.
    pub viewport: Viewport,
    /// What is kept of the clip space.
    pub volume: Volume,
    /// Set-up of front faces, points and lines.
    pub front: Setup,
    /// Set-up of back faces; differs from `front` in the bias only.
    pub back: Setup,
    /// What triangles are drawn as.
    pub fill: Fill,
    /// Of lines, in pixels.
    pub line_width: f32,
    /// Lines are the pixels whose diamonds they leave, not the samples in a rectangle.
    pub thin_lines: bool,
    /// Of points, in pixels.
    pub point_size: f32,
    /// Limits of sizes that vertices give; none when they give none.
    pub vertex_point_size: Option<[f32; 2]>,
    /// Whether anything is drawn at all.
    pub draws: bool,
}

/// What triangles are drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Triangles.
    Solid,
    /// Front and back faces.
    Modes([FaceMode; 2]),
}

/// What the triangles of a side are drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceMode {
    /// Corners.
    Points,
    /// Edges.
    Lines,
    /// Triangles.
    Solid,
}

impl FaceMode {
    /// Of the code in set-up registers.
    pub fn from_code(code: u8) -> FaceMode {
        match code {
            0 => FaceMode::Points,
            1 => FaceMode::Lines,
            _ => FaceMode::Solid,
        }
    }
}

/// What a vertex wave exported.
#[derive(Clone, Debug)]
pub struct VertexExports {
    /// Position, point size and such, clip and cull distances 0 to 3 and 4 to 7; x y z w each.
    pub positions: [[Lanes; 4]; 4],
    /// Which positions were exported.
    pub position_mask: u8,
    /// Parameters.
    pub params: Vec<[Lanes; 4]>,
    /// Which parameters were exported.
    pub param_mask: u32,
}

impl Default for VertexExports {
    fn default() -> VertexExports {
        VertexExports {
            positions: [[[0; 64]; 4]; 4],
            position_mask: 0,
            params: vec![[[0; 64]; 4]; 32],
            param_mask: 0,
        }
    }
}

impl VertexExports {
    /// Forgets what the wave before exported; the rows keep their contents.
    pub fn clear(&mut self) {
        self.position_mask = 0;
        self.param_mask = 0;
    }
}

/// Positions and what else a vertex wave leaves for set-up.
#[derive(Clone, Debug)]
pub struct VertexRows {
    clip: [[f32; 64]; 4],
    projected: [Projected; 64],
    codes: [Outcode; 64],
    distances: Vec<[f32; 8]>,
    point_size: [f32; 64],
}

impl Default for VertexRows {
    fn default() -> VertexRows {
        VertexRows {
            clip: [[0.0; 64]; 4],
            projected: [Projected::default(); 64],
            codes: [0; 64],
            distances: Vec::new(),
            point_size: [1.0; 64],
        }
    }
}

/// Primitives of one piece of a batch.
#[derive(Clone, Debug, Default)]
pub struct Primitives {
    /// In order.
    pub list: Vec<Primitive>,
    /// Weights of the corners of clipped ones.
    pub corners: Vec<Corners>,
    /// Primitives that clipping left, before culling.
    pub left: u64,
}

/// Guard band factors of x and y: the wanted ones, or as much as the grid has room for, which always is the limit.
pub fn guard_band(grid: Grid, viewport: &Viewport, wanted: [f32; 2]) -> [f32; 2] {
    [0, 1].map(|axis| {
        let edge = MAX_COORDINATE as f32 / grid.unit() as f32 - 1.0;
        let room = (edge - viewport.offset[axis].abs()) / viewport.scale[axis].abs().max(1.0);
        if wanted[axis] > 1.0 {
            wanted[axis].min(room).max(1.0)
        } else {
            room.max(1.0)
        }
    })
}

/// Weights of vertices 1 and 2 at the three vertices of a triangle.
const WEIGHTS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

/// The weights of a piece whose corners are these vertices.
fn at_ends(ends: [usize; 3]) -> Corners {
    let weights = |k: usize| ends.map(|end| WEIGHTS[end][k]);
    Corners {
        i: weights(0),
        j: weights(1),
        linear_i: weights(0),
        linear_j: weights(1),
    }
}

impl Assembly {
    /// Grid of the vertices.
    pub fn grid(&self) -> Grid {
        self.front.grid
    }

    fn distances(&self) -> bool {
        self.volume.clip_distances | self.volume.cull_distances != 0
    }

    /// Projects the positions that a vertex wave exported.
    pub fn project(&self, level: Level, exports: &VertexExports, rows: &mut VertexRows) {
        let floats = |row: &[u32; 64]| row.map(f32::from_bits);
        for (axis, row) in exports.positions[0].iter().enumerate() {
            rows.clip[axis] = floats(row);
        }
        let [x, y, z, w] = &rows.clip;
        setup::project_row(
            level,
            &self.viewport,
            self.grid(),
            [x, y, z, w],
            &mut rows.projected,
        );
        clip::outcodes(level, &self.volume, [x, y, z, w], &mut rows.codes);
        if self.distances() {
            rows.distances.clear();
            rows.distances.extend((0..64).map(|lane| {
                std::array::from_fn(|n| f32::from_bits(exports.positions[2 + n / 4][n % 4][lane]))
            }));
            for (code, distances) in rows.codes.iter_mut().zip(&rows.distances) {
                *code |= self.volume.distance_code(distances);
            }
        }
        if self.vertex_point_size.is_some() {
            rows.point_size = floats(&exports.positions[1][0]);
        }
    }

    /// Sets up a run of primitives; the first has number `first`.
    pub fn assemble(
        &self,
        kind: Kind,
        vertices: &[VertexRows],
        run: &[Assembled],
        first: u32,
        out: &mut Primitives,
    ) {
        out.list.clear();
        out.corners.clear();
        out.left = 0;
        for (n, assembled) in run.iter().enumerate() {
            let id = first + n as u32;
            let [a, b, c] = assembled.vertices;
            match kind {
                Kind::Points => self.point(vertices, a, id, out),
                Kind::Lines => self.line(vertices, [a, b], id, out),
                Kind::Triangles => self.triangle(vertices, [a, b, c], id, out),
                Kind::Rectangles => self.rectangle(vertices, [a, b, c], id, out),
            }
        }
    }

    fn triangle(&self, rows: &[VertexRows], corners: [u32; 3], id: u32, out: &mut Primitives) {
        let at = corners.map(|v| (&rows[v as usize / 64], v as usize % 64));
        let codes = at.map(|(rows, lane)| rows.codes[lane]);
        match clip::verdict(codes) {
            Verdict::Reject => {}
            Verdict::Accept => {
                out.left += 1;
                let projected = at.map(|(rows, lane)| rows.projected[lane]);
                match self.fill {
                    Fill::Solid => out
                        .list
                        .extend(self.biased(&projected).triangle(projected, id)),
                    Fill::Modes(modes) => self.outline(rows, corners, projected, modes, id, out),
                }
            }
            Verdict::Clip => {
                let positions = at.map(|(rows, lane)| rows.clip.map(|row| row[lane]));
                let distances = self
                    .distances()
                    .then(|| at.map(|(rows, lane)| rows.distances[lane]));
                let polygon = self.volume.triangle(positions, distances.as_ref(), codes);
                out.left += polygon.corners().len().saturating_sub(2) as u64;
                let w = positions.map(|p| p[3]);
                let Primitives {
                    corners: weights,
                    list,
                    ..
                } = out;
                let (setup, first) = (self.outlining(&self.front), (list.len(), weights.len()));
                match self.fill {
                    Fill::Solid => {
                        self.front
                            .polygon(&self.viewport, &polygon, w, id, weights, list);
                    }
                    Fill::Modes(modes) => {
                        setup.polygon(&self.viewport, &polygon, w, id, weights, list);
                        let Some(front) = list.get(first.0).map(|piece| piece.front) else {
                            return;
                        };
                        if modes[usize::from(!front)] != FaceMode::Solid {
                            list.truncate(first.0);
                            weights.truncate(first.1);
                            self.clipped_outline(rows, corners, (modes, front), id, out);
                        }
                    }
                }
            }
        }
    }

    /// What an outline reaches beyond its triangle counts as visible, as does a triangle between pixels.
    fn outlining(&self, setup: &Setup) -> Setup {
        let points = match self.vertex_point_size {
            Some([_, most]) => most,
            None => self.point_size,
        };
        let reach = self.line_width.max(points).min(8192.0) as i32 + 1;
        let Rect { x0, y0, x1, y1 } = setup.scissor;
        Setup {
            multisampled: true,
            scissor: Rect {
                x0: x0 - reach,
                y0: y0 - reach,
                x1: x1 + reach,
                y1: y1 + reach,
            },
            ..*setup
        }
    }

    /// The edges or corners of a triangle that is clipped: what the volume leaves of each of them, and none along its
    /// sides. They are not biased.
    fn clipped_outline(
        &self,
        rows: &[VertexRows],
        corners: [u32; 3],
        (modes, front): ([FaceMode; 2], bool),
        id: u32,
        out: &mut Primitives,
    ) {
        // Edges and corners are no primitives of their own.
        let left = out.left;
        for (n, m) in [(0, 1), (1, 2), (2, 0)] {
            let (list, weights) = (out.list.len(), out.corners.len());
            let ends = match modes[usize::from(!front)] {
                FaceMode::Points => {
                    self.point(rows, corners[n], id, out);
                    [n; 3]
                }
                _ => {
                    self.line(rows, [corners[n], corners[m]], id, out);
                    [n, m, m]
                }
            };
            // How far along the edge becomes the weights of the triangle.
            let of = |t: [f32; 3], k: usize| {
                t.map(|t| WEIGHTS[ends[0]][k] * (1.0 - t) + WEIGHTS[ends[1]][k] * t)
            };
            let along = |a: [f32; 3], b: [f32; 3]| std::array::from_fn(|i| a[i] + b[i]);
            for piece in &mut out.corners[weights..] {
                let (t, linear) = (
                    along(piece.i, piece.j),
                    along(piece.linear_i, piece.linear_j),
                );
                *piece = Corners {
                    i: of(t, 0),
                    j: of(t, 1),
                    linear_i: of(linear, 0),
                    linear_j: of(linear, 1),
                };
            }
            for primitive in &mut out.list[list..] {
                primitive.front = front;
                if primitive.corners == WHOLE {
                    primitive.corners = out.corners.len() as u32;
                    out.corners.push(at_ends(ends));
                }
            }
        }
        out.left = left;
    }

    /// The set-up with the bias of the side that a triangle shows.
    #[inline(always)]
    fn biased(&self, [a, b, c]: &[Projected; 3]) -> &Setup {
        if self.front.bias == self.back.bias || self.is_front(a, b, c) {
            &self.front
        } else {
            &self.back
        }
    }

    fn is_front(&self, a: &Projected, b: &Projected, c: &Projected) -> bool {
        let edge = |p: &Projected| (i64::from(p.x - a.x), i64::from(p.y - a.y));
        let ((bx, by), (cx, cy)) = (edge(b), edge(c));
        (bx * cy - cx * by > 0) == (self.front.front == Winding::Clockwise)
    }

    /// A triangle drawn as its edges or corners. The attributes stay those of the triangle.
    fn outline(
        &self,
        rows: &[VertexRows],
        corners: [u32; 3],
        projected: [Projected; 3],
        modes: [FaceMode; 2],
        id: u32,
        out: &mut Primitives,
    ) {
        let [a, b, c] = &projected;
        let front = self.is_front(a, b, c);
        let setup = self.outlining(self.biased(&projected));
        let Some(whole) = setup.triangle(projected, id) else {
            return;
        };
        let push = |out: &mut Primitives, primitive: Option<Primitive>, ends: [usize; 3]| {
            if let Some(mut primitive) = primitive {
                primitive.corners = out.corners.len() as u32;
                primitive.front = front;
                primitive.z = ends.map(|e| whole.z[e]);
                out.corners.push(at_ends(ends));
                out.list.push(primitive);
            }
        };
        match modes[usize::from(!front)] {
            FaceMode::Points => {
                for (n, corner) in corners.iter().enumerate() {
                    let size = self.size_of(rows, *corner);
                    push(out, self.front.point(projected[n], size, id), [n; 3]);
                }
            }
            FaceMode::Lines => {
                for (n, m) in [(0, 1), (1, 2), (2, 0)] {
                    let line = self.front.line(
                        [projected[n], projected[m]],
                        self.line_width,
                        self.thin_lines,
                        id,
                    );
                    push(out, line, [n, m, m]);
                }
            }
            FaceMode::Solid => out.list.push(whole),
        }
    }

    fn line(&self, rows: &[VertexRows], ends: [u32; 2], id: u32, out: &mut Primitives) {
        let at = ends.map(|v| (&rows[v as usize / 64], v as usize % 64));
        let codes = at.map(|(rows, lane)| rows.codes[lane]);
        let thin = self.thin_lines;
        match clip::verdict_line(codes) {
            Verdict::Reject => {}
            Verdict::Accept => {
                out.left += 1;
                out.list.extend(self.front.line(
                    at.map(|(rows, lane)| rows.projected[lane]),
                    self.line_width,
                    thin,
                    id,
                ));
            }
            Verdict::Clip => {
                let positions = at.map(|(rows, lane)| rows.clip.map(|row| row[lane]));
                let distances = self
                    .distances()
                    .then(|| at.map(|(rows, lane)| rows.distances[lane]));
                let polygon = self.volume.line(positions, distances.as_ref(), codes);
                out.left += polygon.corners().len().saturating_sub(1) as u64;
                self.front.clipped_line(
                    &self.viewport,
                    &polygon,
                    positions.map(|p| p[3]),
                    (self.line_width, thin),
                    id,
                    &mut out.corners,
                    &mut out.list,
                );
            }
        }
    }

    fn point(&self, rows: &[VertexRows], vertex: u32, id: u32, out: &mut Primitives) {
        let (wave, lane) = (&rows[vertex as usize / 64], vertex as usize % 64);
        if clip::verdict_point(wave.codes[lane]) == Verdict::Accept {
            let size = self.size_of(rows, vertex);
            out.left += 1;
            out.list
                .extend(self.front.point(wave.projected[lane], size, id));
        }
    }

    fn size_of(&self, rows: &[VertexRows], vertex: u32) -> f32 {
        match self.vertex_point_size {
            None => self.point_size,
            Some([low, high]) => {
                let size = rows[vertex as usize / 64].point_size[vertex as usize % 64];
                if size > low { size.min(high) } else { low }
            }
        }
    }

    /// A rectangle from three corners: the fourth is opposite the first. Not clipped, as hardware does not either.
    fn rectangle(&self, rows: &[VertexRows], corners: [u32; 3], id: u32, out: &mut Primitives) {
        let [a, b, c] = corners.map(|v| rows[v as usize / 64].projected[v as usize % 64]);
        let codes = corners.map(|v| rows[v as usize / 64].codes[v as usize % 64]);
        if codes
            .iter()
            .any(|code| code & (clip::BEHIND | clip::INVALID) != 0)
        {
            return;
        }
        let d = Projected {
            x: b.x + c.x - a.x,
            y: b.y + c.y - a.y,
            z: b.z + c.z - a.z,
            inv_w: b.inv_w + c.inv_w - a.inv_w,
        };
        out.left += 1;
        out.list.extend(self.front.triangle([a, b, c], id));
        // Weights of vertices 1 and 2 at b, d and c. The winding is the first half's.
        if let Some(mut second) = self.front.triangle([b, d, c], id) {
            second.corners = out.corners.len() as u32;
            let (i, j) = ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0]);
            out.corners.push(Corners {
                i,
                j,
                linear_i: i,
                linear_j: j,
            });
            out.list.push(second);
        }
    }
}
