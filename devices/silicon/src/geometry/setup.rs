//! Set-up. In: vertices after the viewport transform, on the sub-pixel grid, y down. Out: [`Primitive`]s, one cache
//! line each, without culled, empty and sample-free ones. Edge functions and planes derive from these integers where
//! they are used, independent of bins. Pixel centres are at half integers.

use crate::fragment::small;
use crate::fragment::tile::Rect;
use crate::geometry::clip::{Corner, Polygon};
use host::per_level;

/// Largest magnitude of a coordinate on the sub-pixel grid: with 8 bits, 32768 pixels, with 12, 2048. What can exceed it
/// must be clipped against a guard band.
pub const MAX_COORDINATE: i32 = (1 << 23) - 1;

/// The grid that vertices are snapped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Bits of the fraction of a pixel, 1..=12.
    pub bits: u32,
    /// How vertices get there.
    pub snap: Snap,
}

/// Which point of the grid a coordinate goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Snap {
    /// The nearest, the even one of two.
    #[default]
    Nearest,
    /// The next towards 0.
    Truncated,
}

impl Grid {
    /// A grid to whose nearest points vertices go.
    pub const fn new(bits: u32) -> Grid {
        Grid {
            bits,
            snap: Snap::Nearest,
        }
    }

    /// Grid units of one pixel.
    #[inline(always)]
    pub const fn unit(self) -> i32 {
        1 << self.bits
    }

    /// Window coordinate to grid, within `MAX_COORDINATE`.
    #[inline(always)]
    pub fn snap(self, v: f32) -> i32 {
        const SHIFT: f32 = 8_388_608.0;
        const MAX: f32 = MAX_COORDINATE as f32;
        let scaled = v * self.unit() as f32;
        let scaled = if scaled < MAX { scaled } else { MAX };
        let scaled = if scaled > -MAX { scaled } else { -MAX };
        match self.snap {
            Snap::Nearest => ((scaled.abs() + SHIFT) - SHIFT).copysign(scaled) as i32,
            Snap::Truncated => scaled as i32,
        }
    }
}

/// Normalised device coordinates to window coordinates: `window = ndc * scale + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Factors of x, y, z.
    pub scale: [f32; 3],
    /// Offsets of x, y, z.
    pub offset: [f32; 3],
    /// What becomes a depth is w, not z / w.
    pub z_is_w: bool,
}

/// A vertex in window coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projected {
    /// Column, in grid units.
    pub x: i32,
    /// Line, in grid units.
    pub y: i32,
    /// Depth after the viewport transform, not clamped.
    pub z: f32,
    /// 1 / w.
    pub inv_w: f32,
}

impl Viewport {
    /// Divides by w, applies the viewport, snaps.
    #[inline(always)]
    pub fn project(&self, grid: Grid, [x, y, z, w]: [f32; 4]) -> Projected {
        let z = if self.z_is_w { w } else { z / w };
        Projected {
            x: grid.snap(x / w * self.scale[0] + self.offset[0]),
            y: grid.snap(y / w * self.scale[1] + self.offset[1]),
            z: z * self.scale[2] + self.offset[2],
            inv_w: 1.0 / w,
        }
    }
}

per_level! {
    /// Projects the first `lanes` of 64 clip positions (rows of x, y, z, w), and others to the end of their sixteen.
    pub fn project_row<'a>(
        viewport: &'a Viewport,
        grid: Grid,
        position: &'a [[f32; 64]; 4],
        lanes: usize,
        out: &'a mut [Projected; 64],
    ) {
        match grid.snap {
            Snap::Nearest => project_to(viewport, Grid::new(grid.bits), position, lanes, out),
            Snap::Truncated => project_to(viewport, grid, position, lanes, out),
        }
    }
}

/// The same where the compiler knows how to snap.
#[inline(always)]
fn project_to(
    viewport: &Viewport,
    grid: Grid,
    [x, y, z, w]: &[[f32; 64]; 4],
    lanes: usize,
    out: &mut [Projected; 64],
) {
    // Arrays of sixteen: numbers at a sum of two are loaded one by one.
    let [x, y] = [x.as_chunks().0, y.as_chunks().0];
    let [z, w] = [z.as_chunks().0, w.as_chunks().0];
    let outs = out.as_chunks_mut().0.iter_mut().enumerate();
    for (at, out) in outs.take(lanes.div_ceil(16)) {
        let mut others = 0;
        for w in &w[at] {
            others |= u32::from(*w != 1.0);
        }
        // Nothing is divided where the view has no perspective.
        let position = [&x[at], &y[at], &z[at], &w[at]];
        match others == 0 {
            true => project_sixteen::<true>(viewport, grid, position, out),
            false => project_sixteen::<false>(viewport, grid, position, out),
        }
    }
}

/// Sixteen positions, all of which may have a w of 1 (`FLAT`).
#[inline(always)]
fn project_sixteen<const FLAT: bool>(
    viewport: &Viewport,
    grid: Grid,
    [x, y, z, w]: [&[f32; 16]; 4],
    out: &mut [Projected; 16],
) {
    let (mut px, mut py, mut pz, mut pw) = ([0; 16], [0; 16], [0.0; 16], [0.0; 16]);
    for n in 0..16 {
        let w = if FLAT { 1.0 } else { w[n] };
        let p = viewport.project(grid, [x[n], y[n], z[n], w]);
        px[n] = p.x;
        py[n] = p.y;
        pz[n] = p.z;
        pw[n] = p.inv_w;
    }
    for n in 0..16 {
        out[n] = Projected {
            x: px[n],
            y: py[n],
            z: pz[n],
            inv_w: pw[n],
        };
    }
}

/// What a primitive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Shape {
    /// Corners 0, 1, 2.
    Triangle,
    /// The rectangle of width `size` around corners 0 and 1.
    Line,
    /// The parallelogram around corners 0 and 1 whose ends are vertical and `size` high.
    UprightLine,
    /// The same with horizontal ends.
    LevelLine,
    /// Diamond-exit pixels of the segment from corner 0 to corner 1; one pixel wide.
    ThinLine,
    /// The rectangle of width `size` around corner 0.
    Point,
}

/// How lines are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineShape {
    /// Diamond-exit pixels.
    Thin,
    /// Rectangles: the ends are perpendicular to the line.
    Rectangle,
    /// Parallelograms with vertical ends.
    Upright,
    /// Parallelograms with horizontal ends.
    Level,
    /// Vertical ends of lines that are wider than high, horizontal ones of others.
    BySlope,
}

impl LineShape {
    fn of(self, [a, b]: [Projected; 2]) -> Shape {
        match self {
            LineShape::Thin => Shape::ThinLine,
            LineShape::Rectangle => Shape::Line,
            LineShape::Upright => Shape::UprightLine,
            LineShape::Level => Shape::LevelLine,
            LineShape::BySlope => match (b.x - a.x).abs() >= (b.y - a.y).abs() {
                true => Shape::UprightLine,
                false => Shape::LevelLine,
            },
        }
    }
}

/// `Primitive::corners` of a primitive whose corners are the vertices of the draw.
pub const WHOLE: u32 = u32::MAX;

/// A primitive ready for the rasteriser.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Primitive {
    /// Columns of the corners, in grid units. Unused corners repeat the last one.
    pub x: [i32; 3],
    /// Lines of the corners, in grid units. Unused ones of a point are as far below as it is higher than wide.
    pub y: [i32; 3],
    /// Depths of the corners, biased, not clamped.
    pub z: [f32; 3],
    /// 1 / w of the corners.
    pub inv_w: [f32; 3],
    /// The caller's number: finds the attributes.
    pub id: u32,
    /// [`WHOLE`], or the index of the [`Corners`] of a piece that clipping left.
    pub corners: u32,
    /// Line width or point width in grid units; the caller's for triangles.
    pub size: i32,
    /// What it is.
    pub shape: Shape,
    /// Front facing. Lines and points are.
    pub front: bool,
    /// The viewport it is seen through: which bounds of the stage count.
    pub viewport: u8,
    /// 2x2 coverage: bit 0 for the first pixel of the bounds, 1 right of it, 2 and 3 below; 0 if it covers others or is
    /// unknown.
    pub coverage_2x2: u8,
}

/// Barycentric weights of vertices 1 and 2 of the original triangle at the three corners of a clipped piece.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corners {
    /// Perspective weight of vertex 1.
    pub i: [f32; 3],
    /// Perspective weight of vertex 2.
    pub j: [f32; 3],
    /// Weight of vertex 1, linear on the screen.
    pub linear_i: [f32; 3],
    /// Weight of vertex 2, linear on the screen.
    pub linear_j: [f32; 3],
}

impl Corners {
    fn new(corners: [&Corner; 3], w: [f32; 3]) -> Corners {
        // Screen-linear weight: the perspective one times the vertex's w over the corner's.
        let linear =
            |k: usize| corners.map(|c| (c.weights[k] * f64::from(w[k]) / c.position[3]) as f32);
        Corners {
            i: corners.map(|c| c.weights[1] as f32),
            j: corners.map(|c| c.weights[2] as f32),
            linear_i: linear(1),
            linear_j: linear(2),
        }
    }
}

/// Winding on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winding {
    /// Clockwise.
    Clockwise,
    /// Counter-clockwise.
    CounterClockwise,
}

/// Which vertex gives the flat attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provoking {
    /// The first.
    First,
    /// The last.
    Last,
}

impl Provoking {
    /// Rotates the vertices so that the provoking one is first; keeps the winding.
    #[inline]
    pub fn first<T: Copy>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        match self {
            Provoking::First => [a, b, c],
            Provoking::Last => [c, a, b],
        }
    }
}

/// Unit of the constant depth bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BiasUnit {
    /// `2^-bits`: depth in an unsigned normalised format.
    Unorm(u32),
    /// `2^(e - 23)`, where `e` is the exponent of the largest depth of the triangle: depth as a float.
    Float,
}

/// Depth bias: `constant * unit + slope * largest step of z per pixel`, limited to `clamp`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// Factor of the unit.
    pub constant: f32,
    /// Factor of the steepest step.
    pub slope: f32,
    /// Upper limit when positive, lower limit when negative, none when zero.
    pub clamp: f32,
    /// The unit.
    pub unit: BiasUnit,
}

/// State of the set-up unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Grid of the vertices.
    pub grid: Grid,
    /// Winding of front faces.
    pub front: Winding,
    /// Drops front faces.
    pub cull_front: bool,
    /// Drops back faces.
    pub cull_back: bool,
    /// Depth bias of triangles, and where the draw says so of points and lines.
    pub bias: Option<Bias>,
    /// Several samples per pixel: a triangle between pixel centres may still cover a sample.
    pub multisampled: bool,
    /// Drops primitives outside; partly visible ones stay whole.
    pub scissor: Rect,
}

impl Setup {
    /// Sets up a triangle; `None` if culled, without area, outside the scissor, or between pixel centres.
    #[inline(always)]
    pub fn triangle(&self, [a, b, c]: [Projected; 3], id: u32) -> Option<Primitive> {
        let area = area(&a, &b, &c);
        let front = self.is_front(area);
        if area == 0 || self.culls(front) {
            return None;
        }
        self.oriented([a, b, c], id, area, front)
    }

    #[inline(always)]
    fn is_front(&self, area: i64) -> bool {
        (area > 0) == (self.front == Winding::Clockwise)
    }

    #[inline(always)]
    fn culls(&self, front: bool) -> bool {
        if front {
            self.cull_front
        } else {
            self.cull_back
        }
    }

    #[inline(always)]
    fn oriented(
        &self,
        [a, b, c]: [Projected; 3],
        id: u32,
        area: i64,
        front: bool,
    ) -> Option<Primitive> {
        let mut primitive = Primitive::triangle(&[a, b, c], id, front);
        if self
            .scissor
            .intersect(primitive.bounds(self.grid, self.multisampled))
            .is_empty()
        {
            return None;
        }
        if let Some(bias) = self.bias {
            let offset = bias.offset(self.grid, &primitive, area);
            primitive.z = primitive.z.map(|z| z + offset);
        }
        Some(primitive)
    }

    /// Sets up a triangle that is known not to be dropped.
    #[inline(always)]
    pub(crate) fn show(
        &self,
        primitive: &mut Primitive,
        corners: [&Projected; 3],
        id: u32,
        front: bool,
    ) {
        let [a, b, c] = corners;
        primitive.x = [a.x, b.x, c.x];
        primitive.y = [a.y, b.y, c.y];
        primitive.z = [a.z, b.z, c.z];
        primitive.inv_w = [a.inv_w, b.inv_w, c.inv_w];
        (primitive.id, primitive.front) = (id, front);
        if let Some(bias) = self.bias {
            let offset = bias.offset(self.grid, primitive, area(a, b, c));
            primitive.z = primitive.z.map(|z| z + offset);
        }
    }

    /// Sets up a clipped triangle as a fan; `w` belongs to the original vertices. Corner weights go to `corners`, where
    /// the primitives find them.
    pub fn polygon(
        &self,
        viewport: &Viewport,
        polygon: &Polygon,
        w: [f32; 3],
        id: u32,
        corners: &mut Vec<Corners>,
        out: &mut Vec<Primitive>,
    ) {
        let Some((hub, rest)) = polygon.corners().split_first() else {
            return;
        };
        let front = match self.facing(viewport, polygon) {
            Some(front) if !self.culls(front) => front,
            _ => return,
        };
        let project = |c: &Corner| viewport.project(self.grid, c.position.map(|v| v as f32));
        let start = project(hub);
        for pair in rest.windows(2) {
            let vertices = [start, project(&pair[0]), project(&pair[1])];
            let area = area(&vertices[0], &vertices[1], &vertices[2]);
            if area == 0 || self.is_front(area) != front {
                continue;
            }
            if let Some(mut primitive) = self.oriented(vertices, id, area, front) {
                primitive.corners = corners.len() as u32;
                corners.push(Corners::new([hub, &pair[0], &pair[1]], w));
                out.push(primitive);
            }
        }
    }

    /// Whether a clipped triangle is front facing; `None` without area. Decided on the whole polygon, as rounding may
    /// flip slivers.
    pub fn facing(&self, viewport: &Viewport, polygon: &Polygon) -> Option<bool> {
        let project = |c: &Corner| viewport.project(self.grid, c.position.map(|v| v as f32));
        let (hub, rest) = polygon.corners().split_first()?;
        let start = project(hub);
        let pieces = rest.windows(2);
        let areas = pieces.map(|pair| area(&start, &project(&pair[0]), &project(&pair[1])));
        match areas.sum() {
            0 => None,
            whole => Some(self.is_front(whole)),
        }
    }

    /// The depth bias of a triangle that was set up without it.
    pub(crate) fn bias_of(&self, triangle: &Primitive) -> f32 {
        let corner = |k: usize| Projected {
            x: triangle.x[k],
            y: triangle.y[k],
            ..Projected::default()
        };
        let area = area(&corner(0), &corner(1), &corner(2));
        self.bias
            .map_or(0.0, |bias| bias.offset(self.grid, triangle, area))
    }

    /// Biases the depths of a point or a line, whose steepest step is that along its longer axis.
    pub(crate) fn bias_parallelogram(&self, primitive: &mut Primitive) {
        let Some(bias) = self.bias else { return };
        let [x, y, z] = [
            f64::from(primitive.x[1]) - f64::from(primitive.x[0]),
            f64::from(primitive.y[1]) - f64::from(primitive.y[0]),
            f64::from(primitive.z[1]) - f64::from(primitive.z[0]),
        ];
        let pixels = x.abs().max(y.abs()) / f64::from(self.grid.unit());
        let steepest = match z == 0.0 || pixels == 0.0 {
            true => 0.0,
            false => z.abs() / pixels,
        };
        let offset = bias.of_step(steepest, primitive.z.map(f64::from));
        primitive.z = primitive.z.map(|z| z + offset);
    }

    /// Sets up a clipped line, as [`Setup::polygon`].
    #[expect(
        clippy::too_many_arguments,
        reason = "the line's own two on top of those of `polygon`"
    )]
    pub fn clipped_line(
        &self,
        viewport: &Viewport,
        polygon: &Polygon,
        w: [f32; 2],
        (width, shape): (f32, LineShape),
        id: u32,
        corners: &mut Vec<Corners>,
        out: &mut Vec<Primitive>,
    ) {
        let [a, b] = polygon.corners() else {
            return;
        };
        let ends = [a, b].map(|c| viewport.project(self.grid, c.position.map(|v| v as f32)));
        if let Some(mut primitive) = self.line(ends, width, shape, id) {
            primitive.corners = corners.len() as u32;
            corners.push(Corners::new([a, b, b], [w[0], w[1], w[1]]));
            out.push(primitive);
        }
    }

    /// Sets up a line of a width in pixels.
    pub fn line(
        &self,
        [a, b]: [Projected; 2],
        width: f32,
        shape: LineShape,
        id: u32,
    ) -> Option<Primitive> {
        let primitive = Primitive {
            x: [a.x, b.x, b.x],
            y: [a.y, b.y, b.y],
            z: [a.z, b.z, b.z],
            inv_w: [a.inv_w, b.inv_w, b.inv_w],
            id,
            corners: WHOLE,
            size: self.grid.snap(width).max(0),
            shape: shape.of([a, b]),
            front: true,
            viewport: 0,
            coverage_2x2: 0,
        };
        self.visible(primitive)
    }

    /// Sets up a point: the rectangle of `size` pixels, width and height, around it.
    pub fn point(&self, a: Projected, size: [f32; 2], id: u32) -> Option<Primitive> {
        let sides = size.map(|side| self.grid.snap(side));
        let mut point = Primitive::UNSET;
        let visible = self.show_point(&mut point, a, sides, id);
        visible.then_some(point)
    }

    /// The same of a size in grid units, of which less than nothing is nothing; says whether it is visible.
    #[inline]
    pub(crate) fn show_point(
        &self,
        point: &mut Primitive,
        a: Projected,
        sides: [i32; 2],
        id: u32,
    ) -> bool {
        let [width, height] = sides.map(|side| side.max(0));
        point.x = [a.x; 3];
        point.y = [a.y, a.y + height - width, a.y + height - width];
        point.z = [a.z; 3];
        point.inv_w = [a.inv_w; 3];
        (point.id, point.size, point.shape) = (id, width, Shape::Point);
        let bounds = point.bounds(self.grid, self.multisampled);
        if !self.multisampled {
            point.coverage_2x2 = small::dots_of_point(self.grid, point, bounds);
        }
        !self.scissor.intersect(bounds).is_empty()
    }

    fn visible(&self, primitive: Primitive) -> Option<Primitive> {
        let bounds = primitive.bounds(self.grid, self.multisampled);
        (!self.scissor.intersect(bounds).is_empty()).then_some(primitive)
    }
}

/// Twice the area, positive when the corners are clockwise on the screen.
#[inline(always)]
fn area(a: &Projected, b: &Projected, c: &Projected) -> i64 {
    (i64::from(b.x) - i64::from(a.x)) * (i64::from(c.y) - i64::from(a.y))
        - (i64::from(c.x) - i64::from(a.x)) * (i64::from(b.y) - i64::from(a.y))
}

impl Bias {
    fn offset(&self, grid: Grid, primitive: &Primitive, area: i64) -> f32 {
        let z = primitive.z.map(f64::from);
        let [x0, x1, x2] = primitive.x.map(f64::from);
        let [y0, y1, y2] = primitive.y.map(f64::from);
        let per_pixel = f64::from(grid.unit()) / area as f64;
        let (z1, z2) = (z[1] - z[0], z[2] - z[0]);
        let dx = (z1 * (y2 - y0) - z2 * (y1 - y0)) * per_pixel;
        let dy = (z2 * (x1 - x0) - z1 * (x2 - x0)) * per_pixel;
        self.of_step(dx.abs().max(dy.abs()), z)
    }

    /// The offset of a primitive with this steepest step of `z` per pixel.
    fn of_step(&self, steepest: f64, z: [f64; 3]) -> f32 {
        let unit = match self.unit {
            BiasUnit::Unorm(bits) => 1.0 / (1u64 << bits.min(63)) as f64,
            BiasUnit::Float => {
                let largest = z.iter().fold(0.0f64, |m, v| m.max(v.abs()));
                let exponent = (largest as f32).to_bits() >> 23 & 0xff;
                let biased = exponent.clamp(24, 254) - 23;
                f64::from(f32::from_bits(biased << 23))
            }
        };
        let offset = (f64::from(self.constant) * unit + f64::from(self.slope) * steepest) as f32;
        if self.clamp > 0.0 {
            offset.min(self.clamp)
        } else if self.clamp < 0.0 {
            offset.max(self.clamp)
        } else {
            offset
        }
    }
}

impl Primitive {
    /// A triangle at one place, to be set.
    pub(crate) const UNSET: Primitive = Primitive {
        x: [0; 3],
        y: [0; 3],
        z: [0.0; 3],
        inv_w: [0.0; 3],
        id: 0,
        corners: WHOLE,
        size: 0,
        shape: Shape::Triangle,
        front: true,
        viewport: 0,
        coverage_2x2: 0,
    };

    /// A primitive at the end of a list, to be set in its place: one that is built elsewhere is copied by wide loads,
    /// which wait for the narrow stores before them.
    #[inline(always)]
    pub(crate) fn appended(list: &mut Vec<Primitive>) -> &mut Primitive {
        list.push(Primitive::UNSET);
        let last = list.len() - 1;
        &mut list[last]
    }

    #[inline(always)]
    fn triangle([a, b, c]: &[Projected; 3], id: u32, front: bool) -> Primitive {
        Primitive {
            x: [a.x, b.x, c.x],
            y: [a.y, b.y, c.y],
            z: [a.z, b.z, c.z],
            inv_w: [a.inv_w, b.inv_w, c.inv_w],
            id,
            corners: WHOLE,
            size: 0,
            shape: Shape::Triangle,
            front,
            viewport: 0,
            coverage_2x2: 0,
        }
    }

    /// The height of a point in grid units.
    #[inline(always)]
    pub fn point_height(&self) -> i32 {
        self.size + self.y[1] - self.y[0]
    }

    /// Candidate pixels: centre (with several samples, any part) in the bounding box.
    #[inline(always)]
    pub fn bounds(&self, grid: Grid, multisampled: bool) -> Rect {
        let min = |v: [i32; 3]| v[0].min(v[1]).min(v[2]);
        let max = |v: [i32; 3]| v[0].max(v[1]).max(v[2]);
        let half = grid.unit() / 2;
        let [across, down] = match self.shape {
            Shape::Triangle => [0; 2],
            Shape::Point => [self.size / 2 + 1, self.point_height() / 2 + 1],
            Shape::Line | Shape::UprightLine | Shape::LevelLine => [self.size / 2 + 1; 2],
            Shape::ThinLine => [grid.unit(); 2],
        };
        let (before, after) = if multisampled {
            (0, 0)
        } else {
            (grid.unit() - 1 - half, half)
        };
        Rect {
            x0: (min(self.x) - across + before) >> grid.bits,
            y0: (min(self.y) - down + before) >> grid.bits,
            x1: ((max(self.x) + across - after) >> grid.bits) + 1,
            y1: ((max(self.y) + down - after) >> grid.bits) + 1,
        }
    }
}

per_level! {
    /// Sets up triangles `vertices[triangle[0..3]]`, ids from `first_id`, and appends the visible ones. Drops triangles
    /// with missing vertices.
    pub fn triangles<'a>(
        setup: &'a Setup,
        vertices: &'a [Projected],
        triangles: &'a [[u32; 3]],
        first_id: u32,
        out: &'a mut Vec<Primitive>,
    ) {
        for (i, &[a, b, c]) in triangles.iter().enumerate() {
            let (Some(a), Some(b), Some(c)) = (
                vertices.get(a as usize),
                vertices.get(b as usize),
                vertices.get(c as usize),
            ) else {
                continue;
            };
            if let Some(primitive) = setup.triangle([*a, *b, *c], first_id + i as u32) {
                out.push(primitive);
            }
        }
    }
}
