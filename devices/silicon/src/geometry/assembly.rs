//! Primitive assembly: clip, viewport transform, cull, set-up. In: exported positions. Out: primitives for the scan
//! converter.

use crate::exports::VertexExports;
use crate::fragment::tile::Rect;
use crate::geometry::clip::{self, Outcode, Verdict, Volume};
use crate::geometry::cull::{self, SIEVED, Sieved};
use crate::geometry::outlines::{Hidden, WEIGHTS, at_ends, sprite};
use crate::geometry::setup::{
    self, Corners, Grid, LineShape, MAX_COORDINATE, Primitive, Projected, Setup, Shape, Viewport,
    WHOLE, Winding,
};
use crate::geometry::topology::Kind;
use crate::geometry::vertices::Assembled;
use crate::texture::sample::Lanes;
use host::SimdLevel;

mod seen;

use seen::{LATE, Seen};

pub use crate::geometry::borders::{Borders, Owned};
pub use crate::geometry::outlines::Outlined;
pub use crate::geometry::planes::UserPlane;
pub use crate::geometry::positions::Positions;

/// State of one draw.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Viewport transforms: one, or several that vertices select by export. At least one.
    pub viewports: Vec<Viewport>,
    /// What is kept of the clip space.
    pub volume: Volume,
    /// Set-up of front faces, points and lines.
    pub front: Setup,
    /// Set-up of back faces; differs from `front` in the bias only.
    pub back: Setup,
    /// Vertices give the layer that their primitives are drawn to.
    pub vertex_layers: bool,
    /// What triangles are drawn as.
    pub fill: Fill,
    /// What triangles are parts of, whose inner edges are not drawn.
    pub outlined: Outlined,
    /// Of lines, in pixels.
    pub line_width: f32,
    /// How lines are drawn.
    pub line_shape: LineShape,
    /// The provoking vertex, which leads every primitive here, is its last.
    pub last_provokes: bool,
    /// Points and lines get the bias of front faces.
    pub biases_parallelograms: bool,
    /// Keeps lines outside the view too: the stipple counter runs through them.
    pub keeps_lines: bool,
    /// What the vertices' positions are.
    pub positions: Positions,
    /// Planes in the place of distances that vertices export; the volume says which of them cut and which cull.
    pub user_planes: Vec<UserPlane>,
    /// Samples on borders of points and of rectangles are inside.
    pub borders: Borders,
    /// Points that are corners of triangles have places in them, as others do: weights that are linear on the screen go across
    /// them.
    pub sprites: bool,
    /// Width and height of points, in pixels.
    pub point_size: [f32; 2],
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

/// Projected positions and other exports of a vertex wave, for set-up. Rows of vectors come first, aligned for them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct VertexRows {
    clip: [[f32; 64]; 4],
    projected: [Projected; 64],
    codes: [Outcode; 64],
    /// Where all vertices of the wave are outside. Where they are triangles' and anywhere, `projected` is not set: few of
    /// them are part of what is seen.
    outside: Outcode,
    distances: Vec<[f32; 8]>,
    point_size: [f32; 64],
    /// Number of the viewport of each vertex, where vertices choose.
    viewport: [u8; 64],
    /// Number of the layer of each vertex, where vertices choose.
    layer: Lanes,
}

impl Default for VertexRows {
    fn default() -> VertexRows {
        VertexRows {
            clip: [[0.0; 64]; 4],
            projected: [Projected::default(); 64],
            codes: [0; 64],
            outside: 0,
            distances: Vec::new(),
            point_size: [1.0; 64],
            viewport: [0; 64],
            layer: [0; 64],
        }
    }
}

/// Words of a row as numbers.
fn floats(words: &Lanes, out: &mut [f32; 64]) {
    for (value, bits) in out.iter_mut().zip(words) {
        *value = f32::from_bits(*bits);
    }
}

/// Primitives of one piece of a batch.
#[derive(Clone, Debug, Default)]
pub struct Primitives {
    /// In order.
    pub list: Vec<Primitive>,
    /// Weights of the corners of clipped ones.
    pub corners: Vec<Corners>,
    /// The layer of each, that of its provoking vertex; none where vertices give none.
    pub layers: Vec<u32>,
    /// Primitives that clipping left, before culling.
    pub left: u64,
}

/// Guard band factors of x and y: as requested, at most what the grid leaves beside each viewport.
pub fn guard_band(grid: Grid, viewports: &[Viewport], wanted: [f32; 2]) -> [f32; 2] {
    [0, 1].map(|axis| {
        let edge = MAX_COORDINATE as f32 / grid.unit() as f32 - 1.0;
        let room = |viewport: &Viewport| {
            (edge - viewport.offset[axis].abs()) / viewport.scale[axis].abs().max(1.0)
        };
        let room = viewports.iter().map(room).fold(f32::INFINITY, f32::min);
        if wanted[axis] > 1.0 {
            wanted[axis].min(room).max(1.0)
        } else {
            room.max(1.0)
        }
    })
}

impl Assembly {
    /// Grid of the vertices.
    pub fn grid(&self) -> Grid {
        self.front.grid
    }

    fn distances(&self) -> bool {
        self.volume.clip_distances | self.volume.cull_distances != 0
    }

    /// Projects the positions that the first `lanes` of a vertex wave exported, vertices of such primitives.
    pub fn project(
        &self,
        level: SimdLevel,
        kind: Kind,
        exports: &VertexExports,
        lanes: usize,
        rows: &mut VertexRows,
    ) {
        let brought;
        let words = match self.positions == Positions::default() {
            true => &exports.positions[0],
            false => {
                for (row, bits) in rows.clip.iter_mut().zip(&exports.positions[0]) {
                    floats(bits, row);
                }
                self.positions.clip(&mut rows.clip);
                brought = rows.clip.map(|row| row.map(f32::to_bits));
                &brought
            }
        };
        let (clip, codes) = (&mut rows.clip, &mut rows.codes);
        let mut outside = clip::outcodes(level, &self.volume, words, lanes, clip, codes);
        if self.distances() {
            rows.distances.clear();
            rows.distances.extend((0..64).map(|lane| {
                std::array::from_fn(|n| f32::from_bits(exports.positions[2 + n / 4][n % 4][lane]))
            }));
            let [x, y, z, w] = &rows.clip;
            for plane in &self.user_planes {
                for (lane, distances) in rows.distances.iter_mut().enumerate() {
                    let position = [x[lane], y[lane], z[lane], w[lane]];
                    distances[usize::from(plane.number)] = plane.distance(position);
                }
            }
            for (code, distances) in rows.codes.iter_mut().zip(&rows.distances) {
                *code |= self.volume.distance_code(distances);
            }
            let codes = rows.codes.iter().take(lanes);
            outside = codes.fold(Outcode::MAX, |all, code| all & code);
        }
        // Others may reach into the view from outside, and several viewports have projections of their own.
        let late = kind == Kind::Triangles && self.viewports.len() == 1;
        rows.outside = if late && lanes > 0 { outside } else { 0 };
        if rows.outside == 0 {
            setup::project_row(
                level,
                &self.viewports[0],
                self.grid(),
                &rows.clip,
                lanes,
                &mut rows.projected,
            );
        } else {
            rows.codes.iter_mut().for_each(|code| *code |= LATE);
        }
        if self.vertex_point_size.is_some() {
            floats(&exports.positions[1][0], &mut rows.point_size);
        }
        if self.vertex_layers {
            rows.layer = exports.positions[1][2];
        }
        if let [_, others @ ..] = self.viewports.as_slice()
            && !others.is_empty()
        {
            let wanted = exports.positions[1][3];
            for (lane, number) in wanted.map(|n| n as u8 & 15).into_iter().enumerate() {
                let number = number.min(others.len() as u8);
                rows.viewport[lane] = number;
                if number != 0 {
                    let position = rows.clip.map(|row| row[lane]);
                    rows.projected[lane] =
                        others[usize::from(number) - 1].project(self.grid(), position);
                }
            }
        }
    }

    /// Sets up a run of primitives; the first has number `first`.
    pub fn assemble(
        &self,
        level: SimdLevel,
        kind: Kind,
        vertices: &[VertexRows],
        run: &[Assembled],
        first: u32,
        out: &mut Primitives,
    ) {
        self.set_up(level, kind, vertices, run, first, out);
        out.layers.clear();
        if self.vertex_layers {
            let layer = |primitive: &Primitive| {
                let provoking = run[(primitive.id - first) as usize].vertices[0] as usize;
                vertices[provoking / 64].layer[provoking % 64]
            };
            out.layers.extend(out.list.iter().map(layer));
        }
    }

    fn set_up(
        &self,
        level: SimdLevel,
        kind: Kind,
        vertices: &[VertexRows],
        run: &[Assembled],
        first: u32,
        out: &mut Primitives,
    ) {
        out.list.clear();
        out.corners.clear();
        out.left = 0;
        let mut seen = Seen {
            rows: vertices,
            viewport: &self.viewports[0],
            grid: self.grid(),
            number: None,
        };
        let chosen = self.viewports.len() > 1;
        let sides = self.snapped(self.point_size);
        if kind == Kind::Triangles && self.fill == Fill::Solid && !chosen {
            self.triangles(level, seen, run, first, out);
            return;
        }
        for (n, assembled) in run.iter().enumerate() {
            let id = first + n as u32;
            let [a, b, c] = assembled.vertices;
            let before = out.list.len();
            if chosen {
                let (rows, lane) = seen.of(a);
                let number = rows.viewport[lane];
                seen.number = Some(number);
                seen.viewport = &self.viewports[usize::from(number)];
            }
            match kind {
                Kind::Points => self.point(seen, (a, sides), id, out),
                Kind::Lines => self.line(seen, [a, b], id, out),
                Kind::Triangles => {
                    let hidden = self.outlined.hidden(run, n, id);
                    self.triangle(seen, [a, b, c], (id, hidden), out);
                }
                Kind::Rectangles => self.rectangle(seen, [a, b, c], id, out),
            }
            if self.biases_parallelograms && matches!(kind, Kind::Points | Kind::Lines) {
                for primitive in &mut out.list[before..] {
                    self.front.bias_parallelogram(primitive);
                }
            }
            if let Some(number) = seen.number {
                for primitive in &mut out.list[before..] {
                    primitive.viewport = number;
                }
            }
        }
    }

    /// Culls triangles, then sets up the rest.
    fn triangles(
        &self,
        level: SimdLevel,
        seen: Seen,
        run: &[Assembled],
        first: u32,
        out: &mut Primitives,
    ) {
        let mut corners = cull::Corners {
            x: [[0; SIEVED]; 3],
            y: [[0; SIEVED]; 3],
        };
        let mut sieved = Sieved::default();
        for (group, first) in run.chunks(SIEVED).zip((first..).step_by(SIEVED)) {
            if seen.rejects(group) {
                continue;
            }
            let mut verdicts = [Verdict::Reject; SIEVED];
            let mut late = 0;
            for (i, (assembled, verdict)) in group.iter().zip(&mut verdicts).enumerate() {
                let mut codes = [0; 3];
                for (k, vertex) in assembled.vertices.into_iter().enumerate() {
                    let (rows, lane) = seen.of(vertex);
                    codes[k] = rows.codes[lane];
                    corners.x[k][i] = rows.projected[lane].x;
                    corners.y[k][i] = rows.projected[lane].y;
                }
                // Closures of `map` stay calls.
                let [a, b, c] = codes;
                *verdict = clip::verdict([a & !LATE, b & !LATE, c & !LATE]);
                if (a | b | c) & LATE != 0 && *verdict == Verdict::Accept {
                    late |= 1 << i;
                    seen.project_late(assembled, (&mut corners, i));
                }
            }
            // The sides differ in the bias only.
            cull::cull(level, &self.front, &corners, &mut sieved);
            for (i, assembled) in group.iter().enumerate() {
                let id = first + i as u32;
                let of = |set: u32| set >> i & 1 == 1;
                match verdicts[i] {
                    Verdict::Reject => {}
                    Verdict::Accept if !of(sieved.passes) => out.left += 1,
                    Verdict::Accept => {
                        out.left += 1;
                        // Closures of `map` stay calls.
                        let [a, b, c] = assembled.vertices;
                        let of_draw = [seen.of_draw(a), seen.of_draw(b), seen.of_draw(c)];
                        if of(late) {
                            let mut shown = self.show_late(seen, assembled, id);
                            if let (Some(primitive), true) = (&mut shown, of(sieved.certain)) {
                                primitive.coverage_2x2 = sieved.coverage_2x2[i];
                            }
                            out.list.extend(shown);
                        } else if of(sieved.certain) {
                            let front = of(sieved.front);
                            let side = if front { &self.front } else { &self.back };
                            let primitive = Primitive::appended(&mut out.list);
                            side.show(primitive, of_draw, id, front);
                            primitive.coverage_2x2 = sieved.coverage_2x2[i];
                        } else {
                            let projected = of_draw.map(|at| *at);
                            let side = self.biased(&projected);
                            out.list.extend(side.triangle(projected, id));
                        }
                    }
                    Verdict::Clip => {
                        let codes = assembled.vertices.map(|vertex| seen.code(vertex));
                        let of = (id, Hidden::default());
                        self.clipped(seen, assembled.vertices, codes, of, out);
                    }
                }
            }
        }
    }

    /// A triangle with vertices that are not projected yet.
    #[cold]
    fn show_late(&self, seen: Seen, assembled: &Assembled, id: u32) -> Option<Primitive> {
        let projected = assembled.vertices.map(|vertex| seen.projected(vertex));
        self.biased(&projected).triangle(projected, id)
    }

    fn triangle(
        &self,
        seen: Seen,
        corners: [u32; 3],
        (id, hidden): (u32, Hidden),
        out: &mut Primitives,
    ) {
        let codes = corners.map(|v| seen.code(v));
        match clip::verdict(codes) {
            Verdict::Reject => {}
            Verdict::Accept => {
                out.left += 1;
                let projected = corners.map(|v| seen.projected(v));
                match self.fill {
                    Fill::Solid => out
                        .list
                        .extend(self.biased(&projected).triangle(projected, id)),
                    Fill::Modes(modes) => {
                        let of = (id, hidden);
                        self.outline(seen, corners, projected, modes, of, out);
                    }
                }
            }
            Verdict::Clip => self.clipped(seen, corners, codes, (id, hidden), out),
        }
    }

    /// A triangle that has to be cut.
    fn clipped(
        &self,
        seen: Seen,
        corners: [u32; 3],
        codes: [Outcode; 3],
        (id, hidden): (u32, Hidden),
        out: &mut Primitives,
    ) {
        let positions = corners.map(|v| seen.position(v));
        let distances = self.distances().then(|| corners.map(|v| seen.distances(v)));
        let polygon = self.volume.triangle(positions, distances.as_ref(), codes);
        out.left += polygon.corners().len().saturating_sub(2) as u64;
        let Some(front) = self.front.facing(seen.viewport, &polygon) else {
            return;
        };
        let side = if front { &self.front } else { &self.back };
        let w = positions.map(|p| p[3]);
        let mode = match self.fill {
            Fill::Solid => FaceMode::Solid,
            Fill::Modes(modes) => modes[usize::from(!front)],
        };
        let (weights, list) = (&mut out.corners, &mut out.list);
        if mode == FaceMode::Solid {
            side.polygon(seen.viewport, &polygon, w, id, weights, list);
            return;
        }
        // Set up only for visibility and slope.
        let (first, first_weights) = (list.len(), weights.len());
        let plain = Setup {
            bias: None,
            ..self.outlining(side)
        };
        plain.polygon(seen.viewport, &polygon, w, id, weights, list);
        let Some(offset) = list.get(first).map(|piece| side.bias_of(piece)) else {
            return;
        };
        list.truncate(first);
        weights.truncate(first_weights);
        self.clipped_outline(seen, corners, (mode, front, offset), (id, hidden), out);
    }

    /// Outlines may exceed their triangle, and triangles between pixels have outlines: both stay visible.
    fn outlining(&self, setup: &Setup) -> Setup {
        let points = match self.vertex_point_size {
            Some([_, most]) => most,
            None => self.point_size[0].max(self.point_size[1]),
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

    /// Edges or corners of a clipped triangle, each clipped, none added along the clip planes. `offset` is the depth
    /// bias of the triangle.
    fn clipped_outline(
        &self,
        seen: Seen,
        corners: [u32; 3],
        (mode, front, offset): (FaceMode, bool, f32),
        (id, hidden): (u32, Hidden),
        out: &mut Primitives,
    ) {
        // Edges and corners are no primitives of their own.
        let left = out.left;
        for (n, m) in [(0, 1), (1, 2), (2, 0)] {
            let (list, weights) = (out.list.len(), out.corners.len());
            let ends = match mode {
                FaceMode::Points if hidden.corner(n) => continue,
                FaceMode::Lines if hidden.edge(n) => continue,
                FaceMode::Points => {
                    let sides = self.snapped(self.point_size);
                    self.point(seen, (corners[n], sides), id, out);
                    [n; 3]
                }
                _ => {
                    self.segment(seen, [corners[n], corners[m]], id, out);
                    [n, m, m]
                }
            };
            // Edge parameters become weights of the triangle.
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
                primitive.z = primitive.z.map(|z| z + offset);
                if primitive.corners == WHOLE {
                    primitive.corners = out.corners.len() as u32;
                    out.corners.push(self.weights_of(primitive, ends));
                }
            }
        }
        out.left = left;
    }

    /// The weights of a corner or an edge of a triangle.
    fn weights_of(&self, piece: &Primitive, ends: [usize; 3]) -> Corners {
        match self.sprites && piece.shape == Shape::Point {
            true => sprite(ends[0]),
            false => at_ends(ends),
        }
    }

    /// The set-up for the facing side, with its bias.
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

    /// A triangle drawn as edges or corners, with the attributes of the triangle.
    fn outline(
        &self,
        seen: Seen,
        corners: [u32; 3],
        projected: [Projected; 3],
        modes: [FaceMode; 2],
        (id, hidden): (u32, Hidden),
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
                out.corners.push(self.weights_of(&primitive, ends));
                out.list.push(primitive);
            }
        };
        match modes[usize::from(!front)] {
            FaceMode::Points => {
                let shown = corners.iter().enumerate();
                for (n, corner) in shown.filter(|(n, _)| !hidden.corner(*n)) {
                    let size = self.size_of(seen, *corner);
                    push(out, self.front.point(projected[n], size, id), [n; 3]);
                }
            }
            FaceMode::Lines => {
                let edges = [(0, 1), (1, 2), (2, 0)].into_iter();
                for (n, m) in edges.filter(|(n, _)| !hidden.edge(*n)) {
                    let line = self.front.line(
                        [projected[n], projected[m]],
                        self.line_width,
                        self.line_shape,
                        id,
                    );
                    push(out, line, [n, m, m]);
                }
            }
            FaceMode::Solid => out.list.push(whole),
        }
    }

    /// A line, its ends swapped if requested.
    fn line(&self, seen: Seen, [a, b]: [u32; 2], id: u32, out: &mut Primitives) {
        if !self.last_provokes {
            return self.segment(seen, [a, b], id, out);
        }
        let (list, weights) = (out.list.len(), out.corners.len());
        self.segment(seen, [b, a], id, out);
        // Swaps the weights of the two vertices.
        for piece in &mut out.corners[weights..] {
            for row in [&mut piece.i, &mut piece.linear_i] {
                *row = row.map(|weight| 1.0 - weight);
            }
        }
        for primitive in &mut out.list[list..] {
            if primitive.corners == WHOLE {
                primitive.corners = out.corners.len() as u32;
                out.corners.push(at_ends([1, 0, 0]));
            }
        }
    }

    fn segment(&self, seen: Seen, ends: [u32; 2], id: u32, out: &mut Primitives) {
        let codes = ends.map(|v| seen.code(v));
        let shape = self.line_shape;
        match clip::verdict_line(codes) {
            Verdict::Reject => {}
            Verdict::Accept => {
                out.left += 1;
                out.list.extend(self.lines().line(
                    ends.map(|v| seen.projected(v)),
                    self.line_width,
                    shape,
                    id,
                ));
            }
            Verdict::Clip => {
                let positions = ends.map(|v| seen.position(v));
                let distances = self.distances().then(|| ends.map(|v| seen.distances(v)));
                let polygon = self.volume.line(positions, distances.as_ref(), codes);
                out.left += polygon.corners().len().saturating_sub(1) as u64;
                self.lines().clipped_line(
                    seen.viewport,
                    &polygon,
                    positions.map(|p| p[3]),
                    (self.line_width, shape),
                    id,
                    &mut out.corners,
                    &mut out.list,
                );
            }
        }
    }

    /// The set-up of lines.
    fn lines(&self) -> Setup {
        let mut setup = self.front;
        if self.keeps_lines {
            let far = MAX_COORDINATE;
            setup.scissor = Rect {
                x0: -far,
                y0: -far,
                x1: far,
                y1: far,
            };
        }
        setup
    }

    /// A point; `sides` are those of points whose vertices give none.
    fn point(&self, seen: Seen, (vertex, sides): (u32, [i32; 2]), id: u32, out: &mut Primitives) {
        if clip::verdict_point(seen.code(vertex)) == Verdict::Accept {
            let sides = match self.vertex_point_size {
                None => sides,
                Some(_) => self.snapped(self.size_of(seen, vertex)),
            };
            let mut at = seen.projected(vertex);
            let [left, top] = [at.x - sides[0] / 2, at.y - sides[1] / 2];
            let [x, y] = self.borders.points.moved(self.grid(), left, top);
            (at.x, at.y) = (at.x + x - left, at.y + y - top);
            out.left += 1;
            let point = Primitive::appended(&mut out.list);
            if !self.front.show_point(point, at, sides, id) {
                out.list.pop();
            }
        }
    }

    fn snapped(&self, size: [f32; 2]) -> [i32; 2] {
        size.map(|side| self.grid().snap(side))
    }

    fn size_of(&self, seen: Seen, vertex: u32) -> [f32; 2] {
        match self.vertex_point_size {
            None => self.point_size,
            Some([low, high]) => {
                let (rows, lane) = seen.of(vertex);
                let size = rows.point_size[lane];
                [if size > low { size.min(high) } else { low }; 2]
            }
        }
    }

    /// A rectangle from three corners: the fourth is opposite the first of the draw's order. Not clipped, as hardware
    /// does not either.
    fn rectangle(&self, seen: Seen, corners: [u32; 3], id: u32, out: &mut Primitives) {
        let leading = corners.map(|v| {
            let mut at = seen.projected(v);
            [at.x, at.y] = self.borders.rectangles.moved(self.grid(), at.x, at.y);
            at
        });
        // Corners a, b, c of the draw's order, and the weights of the leading corners 1 and 2 at b, d and c.
        let ([a, b, c], i, j) = match (self.last_provokes, leading) {
            (false, [a, b, c]) => ([a, b, c], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]),
            (true, [c, a, b]) => ([a, b, c], [0.0, -1.0, 0.0], [1.0, 1.0, 0.0]),
        };
        let codes = corners.map(|v| seen.code(v));
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
        out.list.extend(self.front.triangle(leading, id));
        // The winding is the first half's.
        if let Some(mut second) = self.front.triangle([b, d, c], id) {
            second.corners = out.corners.len() as u32;
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
