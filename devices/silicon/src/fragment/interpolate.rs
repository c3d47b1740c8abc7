//! Interpolation. In: a primitive and a tile. Out: rows of attribute weights and depth.
//!
//! An attribute is `p0 + (p1 - p0) * i + (p2 - p0) * j`, with i and j the weights of vertices 1 and 2. [`Planes`]
//! derives weight planes in double precision from the edge functions, independent of bins. [`Planes::tile`] rounds them
//! once to single precision at the tile; there a value is `(base + dx * x) + dy * y`, x and y in pixels from the first
//! pixel centre. Error: below 2^-21 of the plane's largest magnitude in the tile. Perspective weights divide two planes
//! by a third, correctly rounded. NaN is `0x7fc0_0000`.

mod tiles;

pub use tiles::{BatchRows, Value, Weights, tile_positions, tile_values, tile_weights};

use crate::fragment::edges::Edges;
use crate::fragment::multisample::Samples;
use crate::fragment::tile::{LANE_X, LANE_Y};
use crate::geometry::setup::{Corners, Grid, Primitive, Shape, WHOLE};
use crate::texture::float::canonical;
use host::{Kernel, Rounding, SimdLevel};

/// A linear function of the screen: its value at the centre of pixel (0, 0) and its steps per pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScreenPlane {
    /// Value at the centre of pixel (0, 0).
    pub base: f64,
    /// Step per column.
    pub dx: f64,
    /// Step per line.
    pub dy: f64,
}

/// The planes of a primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Planes {
    /// Depth.
    pub z: ScreenPlane,
    /// 1 / w.
    pub inv_w: ScreenPlane,
    /// Perspective i, divided by w.
    pub i_w: ScreenPlane,
    /// Perspective j, divided by w.
    pub j_w: ScreenPlane,
    /// i, linear on the screen.
    pub i: ScreenPlane,
    /// j, linear on the screen.
    pub j: ScreenPlane,
}

/// A linear function inside a tile: its value at the centre of the tile's first pixel and its steps per pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// Value at the centre of the first pixel.
    pub base: f32,
    /// Step per column.
    pub dx: f32,
    /// Step per line.
    pub dy: f32,
}

/// The planes of a primitive inside a tile; fields as in [`Planes`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TilePlanes {
    /// Depth.
    pub z: Plane,
    /// 1 / w.
    pub inv_w: Plane,
    /// Perspective i, divided by w.
    pub i_w: Plane,
    /// Perspective j, divided by w.
    pub j_w: Plane,
    /// i, linear on the screen.
    pub i: Plane,
    /// j, linear on the screen.
    pub j: Plane,
}

impl ScreenPlane {
    /// The same function inside the tile whose first pixel is `x`, `y`.
    #[inline(always)]
    pub fn tile(&self, x: i32, y: i32) -> Plane {
        Plane {
            base: (self.base + self.dx * f64::from(x) + self.dy * f64::from(y)) as f32,
            dx: self.dx as f32,
            dy: self.dy as f32,
        }
    }
}

impl Planes {
    /// The planes of a primitive, by vectors of a level: see [`Planes::new`].
    #[inline]
    pub fn at_level(
        level: SimdLevel,
        grid: Grid,
        primitive: &Primitive,
        corners: &[Corners],
    ) -> Planes {
        level.run(PlanesOf {
            grid,
            primitive,
            corners,
        })
    }

    /// The same of depth alone.
    #[inline]
    pub fn of_depth(level: SimdLevel, grid: Grid, primitive: &Primitive) -> Planes {
        let z = level.run(DepthOf { grid, primitive });
        Planes {
            z,
            ..Planes::default()
        }
    }

    /// The planes of a primitive. `corners` are the pieces that clipping left in this draw.
    #[inline(always)]
    pub fn new(grid: Grid, primitive: &Primitive, corners: &[Corners]) -> Planes {
        let weights = screen_weights(grid, primitive);
        let blend = |v: [f64; 3]| blend(&weights, v);
        let z = blend(wide(primitive.z));
        let w = wide(primitive.inv_w);
        let inv_w = blend(w);
        if primitive.corners == WHOLE {
            return Planes {
                z,
                inv_w,
                i_w: scale(weights[1], w[1]),
                j_w: scale(weights[2], w[2]),
                i: weights[1],
                j: weights[2],
            };
        }
        let corners = corners
            .get(primitive.corners as usize)
            .copied()
            .unwrap_or_default();
        let over_w = |c: [f32; 3]| {
            let c = wide(c);
            [c[0] * w[0], c[1] * w[1], c[2] * w[2]]
        };
        Planes {
            z,
            inv_w,
            i_w: blend(over_w(corners.i)),
            j_w: blend(over_w(corners.j)),
            i: blend(wide(corners.linear_i)),
            j: blend(wide(corners.linear_j)),
        }
    }

    /// The planes inside the tile whose first pixel is `x`, `y`.
    #[inline]
    pub fn tile(&self, x: i32, y: i32) -> TilePlanes {
        self.wanted_in_tile(x, y, Wanted::ALL)
    }

    /// The same, empty for unwanted planes.
    #[inline]
    pub fn wanted_in_tile(&self, x: i32, y: i32, wanted: Wanted) -> TilePlanes {
        let mut planes = TilePlanes {
            inv_w: self.inv_w.tile(x, y),
            i_w: self.i_w.tile(x, y),
            j_w: self.j_w.tile(x, y),
            ..TilePlanes::default()
        };
        if wanted.z {
            planes.z = self.z.tile(x, y);
        }
        if wanted.linear {
            planes.i = self.i.tile(x, y);
            planes.j = self.j.tile(x, y);
        }
        planes
    }
}

/// The plane of a value by those of the weights.
#[inline(always)]
fn blend([_, i, j]: &[ScreenPlane; 3], v: [f64; 3]) -> ScreenPlane {
    let (to_1, to_2) = (v[1] - v[0], v[2] - v[0]);
    ScreenPlane {
        base: v[0] + (i.base * to_1 + j.base * to_2),
        dx: i.dx * to_1 + j.dx * to_2,
        dy: i.dy * to_1 + j.dy * to_2,
    }
}

struct DepthOf<'a> {
    grid: Grid,
    primitive: &'a Primitive,
}

impl Kernel for DepthOf<'_> {
    type Output = ScreenPlane;
    #[inline(always)]
    fn run<R: Rounding>(self) -> ScreenPlane {
        blend(
            &screen_weights(self.grid, self.primitive),
            wide(self.primitive.z),
        )
    }
}

struct PlanesOf<'a> {
    grid: Grid,
    primitive: &'a Primitive,
    corners: &'a [Corners],
}

impl Kernel for PlanesOf<'_> {
    type Output = Planes;
    #[inline(always)]
    fn run<R: Rounding>(self) -> Planes {
        Planes::new(self.grid, self.primitive, self.corners)
    }
}

#[inline(always)]
fn wide(v: [f32; 3]) -> [f64; 3] {
    [v[0].into(), v[1].into(), v[2].into()]
}

#[inline(always)]
fn scale(p: ScreenPlane, by: f64) -> ScreenPlane {
    ScreenPlane {
        base: p.base * by,
        dx: p.dx * by,
        dy: p.dy * by,
    }
}

/// Weights of the three corners over the screen.
#[inline(always)]
fn screen_weights(grid: Grid, primitive: &Primitive) -> [ScreenPlane; 3] {
    let one = ScreenPlane {
        base: 1.0,
        ..ScreenPlane::default()
    };
    let zero = ScreenPlane::default();
    match primitive.shape {
        Shape::Point => {
            // Point sprites: vertices 1 and 2 equal vertex 0, so the weights change no attribute; they are the position
            // in the rectangle, left to right and top to bottom.
            let unit = f64::from(grid.unit());
            let (width, height) = (primitive.size, primitive.point_height());
            let start = |at: i32, side: i32| unit / 2.0 - f64::from(at - side / 2);
            let over = |side: i32| f64::from(side.max(1));
            let across = ScreenPlane {
                base: start(primitive.x[0], width) / over(width),
                dx: unit / over(width),
                dy: 0.0,
            };
            let down = ScreenPlane {
                base: start(primitive.y[0], height) / over(height),
                dx: 0.0,
                dy: unit / over(height),
            };
            [one, across, down]
        }
        Shape::Triangle | Shape::Line | Shape::UprightLine | Shape::LevelLine | Shape::ThinLine => {
            let edges = Edges::weights(primitive);
            if edges.area == 0 {
                return [one, zero, zero];
            }
            // Side by side: divisions are slow one by one.
            let mut quotients = [0.0; 12];
            for (quotients, edge) in quotients.chunks_exact_mut(4).zip(&edges.edges) {
                quotients[0] = edge.at_pixel(grid, 0, 0) as f64;
                quotients[1] = (edge.a << grid.bits) as f64;
                quotients[2] = (edge.b << grid.bits) as f64;
            }
            let area = edges.area as f64;
            for quotient in &mut quotients[4..] {
                *quotient /= area;
            }
            for quotient in &mut quotients[..4] {
                *quotient /= area;
            }
            let mut weights = [zero; 3];
            for (weight, quotients) in weights.iter_mut().zip(quotients.chunks_exact(4)) {
                *weight = ScreenPlane {
                    base: quotients[0],
                    dx: quotients[1],
                    dy: quotients[2],
                };
            }
            weights
        }
    }
}

/// Where each lane is evaluated: pixels from the centre of the tile's first pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct SamplePositions {
    /// Columns.
    pub x: [f32; 64],
    /// Lines.
    pub y: [f32; 64],
}

/// The pixel centres of a tile.
pub static CENTRES: SamplePositions = centres();

const fn centres() -> SamplePositions {
    let mut out = SamplePositions {
        x: [0.0; 64],
        y: [0.0; 64],
    };
    let mut i = 0;
    while i < 64 {
        out.x[i] = LANE_X[i] as f32;
        out.y[i] = LANE_Y[i] as f32;
        i += 1;
    }
    out
}

impl SamplePositions {
    /// One sample of every pixel of a tile.
    pub fn sample(samples: &Samples, sample: usize) -> SamplePositions {
        let (dx, dy) = samples.offset(sample);
        SamplePositions {
            x: CENTRES.x.map(|x| x + dx),
            y: CENTRES.y.map(|y| y + dy),
        }
    }

    /// The centroid of every pixel of a tile: the centre where all samples are covered or none is, else the first
    /// covered sample. `masks` are the covered lanes of each sample.
    pub fn centroid(samples: &Samples, masks: &[u64]) -> SamplePositions {
        let mut sample_positions = CENTRES;
        let all = masks.iter().fold(u64::MAX, |m, s| m & s);
        for (sample, mask) in masks.iter().enumerate().rev() {
            let (dx, dy) = samples.offset(sample);
            for lane in lanes(mask & !all) {
                sample_positions.x[lane] = CENTRES.x[lane] + dx;
                sample_positions.y[lane] = CENTRES.y[lane] + dy;
            }
        }
        sample_positions
    }
}

/// Numbers of the set bits, ascending.
#[inline(always)]
pub fn lanes(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}

/// A plane per quad, for waves that hold quads of several tiles or primitives: base, steps and a word of room, side by
/// side, so that each spreads to the lanes of its quad by a shuffle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct PlaneRow([[f32; CHUNK]; 4]);

/// Words that a quad has in a [`PlaneRow`].
const PLANE_WORDS: usize = 4;

impl PlaneRow {
    const ZERO: PlaneRow = PlaneRow([[0.0; CHUNK]; 4]);

    #[inline(always)]
    fn set_quad(&mut self, slot: usize, plane: &Plane) {
        let quads = self.0.as_flattened_mut().as_chunks_mut::<PLANE_WORDS>().0;
        quads[slot] = [plane.base, plane.dx, plane.dy, 0.0];
    }
}

/// Planes and sample positions of a wave of sixteen packed quads; same bits as in the tile of each quad.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// Where each lane is, inside the tile its quad is from.
    pub sample_positions: SamplePositions,
    /// Depth.
    pub z: PlaneRow,
    /// 1 / w.
    pub inv_w: PlaneRow,
    /// Perspective i, divided by w.
    pub i_w: PlaneRow,
    /// Perspective j, divided by w.
    pub j_w: PlaneRow,
    /// i, linear on the screen.
    pub i: PlaneRow,
    /// j, linear on the screen.
    pub j: PlaneRow,
}

impl Default for Packed {
    fn default() -> Packed {
        Packed {
            sample_positions: CENTRES,
            z: PlaneRow::ZERO,
            inv_w: PlaneRow::ZERO,
            i_w: PlaneRow::ZERO,
            j_w: PlaneRow::ZERO,
            i: PlaneRow::ZERO,
            j: PlaneRow::ZERO,
        }
    }
}

/// Planes of quads that are read, besides the perspective ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// [`Planes::z`].
    pub z: bool,
    /// [`Planes::i`] and [`Planes::j`].
    pub linear: bool,
}

impl Wanted {
    /// All planes.
    pub const ALL: Wanted = Wanted {
        z: true,
        linear: true,
    };
}

impl Packed {
    /// Puts quad `quad` (0..16, Morton order) of a tile into lanes `4 * slot` onward, evaluated at `sample_positions`
    /// of that tile.
    #[inline]
    pub fn set_quad(
        &mut self,
        slot: usize,
        (planes, wanted): (&TilePlanes, Wanted),
        quad: usize,
        sample_positions: &SamplePositions,
    ) {
        self.inv_w.set_quad(slot, &planes.inv_w);
        self.i_w.set_quad(slot, &planes.i_w);
        self.j_w.set_quad(slot, &planes.j_w);
        if wanted.z {
            self.z.set_quad(slot, &planes.z);
        }
        if wanted.linear {
            self.i.set_quad(slot, &planes.i);
            self.j.set_quad(slot, &planes.j);
        }
        let (to, from) = (slot * 4..slot * 4 + 4, quad * 4..quad * 4 + 4);
        self.sample_positions.x[to.clone()].copy_from_slice(&sample_positions.x[from.clone()]);
        self.sample_positions.y[to].copy_from_slice(&sample_positions.y[from]);
    }
}

/// A plane that a row can be computed from: one for all lanes, or one per quad.
pub trait Coefficients: Copy {
    /// A local copy of the coefficients: without it, a loop reloads the plane after each store.
    type Held: Copy;

    /// Takes them.
    fn hold(self) -> Self::Held;

    /// Value of the lane at `x`, `y`.
    fn at(held: Self::Held, lane: usize, x: f32, y: f32) -> f32;

    /// Values of the lanes from `first` on.
    #[inline(always)]
    fn chunk(held: Self::Held, sample_positions: &SamplePositions, first: usize) -> [f32; CHUNK] {
        let mut out = [0.0; CHUNK];
        for (i, out) in out.iter_mut().enumerate() {
            let lane = first + i;
            *out = Self::at(
                held,
                lane,
                sample_positions.x[lane],
                sample_positions.y[lane],
            );
        }
        out
    }

    /// Whether the value is 1 in all lanes (1 / w without perspective). May be a false no.
    fn is_one(self) -> bool;
}

impl Coefficients for &Plane {
    type Held = Plane;

    #[inline(always)]
    fn hold(self) -> Plane {
        *self
    }

    #[inline(always)]
    fn at(plane: Plane, _lane: usize, x: f32, y: f32) -> f32 {
        (plane.base + plane.dx * x) + plane.dy * y
    }

    #[inline(always)]
    fn is_one(self) -> bool {
        self.base == 1.0 && self.dx == 0.0 && self.dy == 0.0
    }
}

/// A plane of a primitive inside a tile, worked out where it is used.
#[derive(Clone, Copy, Debug)]
pub struct InTile<'a> {
    /// The plane.
    pub plane: &'a ScreenPlane,
    /// Column of the tile's first pixel.
    pub x: i32,
    /// Line of the tile's first pixel.
    pub y: i32,
}

impl Coefficients for InTile<'_> {
    type Held = Plane;

    #[inline(always)]
    fn hold(self) -> Plane {
        self.plane.tile(self.x, self.y)
    }

    #[inline(always)]
    fn at(plane: Plane, lane: usize, x: f32, y: f32) -> f32 {
        <&Plane>::at(plane, lane, x, y)
    }

    #[inline(always)]
    fn is_one(self) -> bool {
        (&self.hold()).is_one()
    }
}

impl<'a> Coefficients for &'a PlaneRow {
    type Held = &'a PlaneRow;

    #[inline(always)]
    fn hold(self) -> &'a PlaneRow {
        self
    }

    #[inline(always)]
    fn at(row: &PlaneRow, lane: usize, x: f32, y: f32) -> f32 {
        let plane = &row.0[lane / CHUNK][lane % CHUNK / 4 * PLANE_WORDS..][..PLANE_WORDS];
        (plane[0] + plane[1] * x) + plane[2] * y
    }

    #[inline(always)]
    fn chunk(row: &PlaneRow, sample_positions: &SamplePositions, first: usize) -> [f32; CHUNK] {
        let planes = &row.0[first / CHUNK];
        // Separate rows: the loop does not vectorise with quad numbers in it.
        let base = spread::<0>(planes);
        let (dx, dy) = (spread::<1>(planes), spread::<2>(planes));
        let mut out = [0.0; CHUNK];
        for i in 0..CHUNK {
            let lane = first + i;
            out[i] =
                (base[i] + dx[i] * sample_positions.x[lane]) + dy[i] * sample_positions.y[lane];
        }
        out
    }

    #[inline(always)]
    fn is_one(self) -> bool {
        false
    }
}

/// A word of the planes of four quads, in their lanes.
#[inline(always)]
fn spread<const WORD: usize>(planes: &[f32; CHUNK]) -> [f32; CHUNK] {
    let mut lanes = [0.0; CHUNK];
    for (lane, value) in lanes.iter_mut().enumerate() {
        *value = planes[lane / 4 * PLANE_WORDS + WORD];
    }
    lanes
}

/// Lanes computed before the first store: no store can alias a later load.
pub const CHUNK: usize = 16;

/// Stores them as registers hold them.
#[inline(always)]
fn store(row: &mut [u32; 64], first: usize, values: [f32; CHUNK]) {
    let mut bits = [0; CHUNK];
    for (bits, value) in bits.iter_mut().zip(values) {
        *bits = canonical(value);
    }
    row[first..first + CHUNK].copy_from_slice(&bits);
}

struct Values<'a, P> {
    plane: P,
    sample_positions: &'a SamplePositions,
    out: &'a mut [f32; 64],
}

impl<P: Coefficients> Kernel for Values<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let held = self.plane.hold();
        for first in (0..64).step_by(CHUNK) {
            let values = P::chunk(held, self.sample_positions, first);
            self.out[first..first + CHUNK].copy_from_slice(&values);
        }
    }
}

struct Bits<'a, P, const N: usize> {
    planes: [P; N],
    sample_positions: &'a SamplePositions,
    out: [&'a mut [u32; 64]; N],
}

impl<P: Coefficients, const N: usize> Kernel for Bits<'_, P, N> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (plane, out) in self.planes.into_iter().zip(self.out) {
            let held = plane.hold();
            for first in (0..64).step_by(CHUNK) {
                store(out, first, P::chunk(held, self.sample_positions, first));
            }
        }
    }
}

struct Reciprocals<'a, P> {
    plane: P,
    sample_positions: &'a SamplePositions,
    out: &'a mut [u32; 64],
}

impl<P: Coefficients> Kernel for Reciprocals<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let held = self.plane.hold();
        for first in (0..64).step_by(CHUNK) {
            let mut values = P::chunk(held, self.sample_positions, first);
            for value in &mut values {
                *value = 1.0 / *value;
            }
            store(self.out, first, values);
        }
    }
}

struct Perspective<'a, P> {
    planes: [P; 3],
    sample_positions: &'a SamplePositions,
    out: [&'a mut [u32; 64]; 2],
}

impl<P: Coefficients> Kernel for Perspective<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [i_w, j_w, inv_w] = self.planes;
        let (i_w, j_w, inv_w) = (i_w.hold(), j_w.hold(), inv_w.hold());
        let [out_i, out_j] = self.out;
        for first in (0..64).step_by(CHUNK) {
            let w = P::chunk(inv_w, self.sample_positions, first);
            let mut i = P::chunk(i_w, self.sample_positions, first);
            let mut j = P::chunk(j_w, self.sample_positions, first);
            for n in 0..CHUNK {
                i[n] /= w[n];
                j[n] /= w[n];
            }
            store(out_i, first, i);
            store(out_j, first, j);
        }
    }
}

/// Values of a plane (depth, for example) in every lane.
#[inline]
pub fn values<P: Coefficients>(
    level: SimdLevel,
    plane: P,
    sample_positions: &SamplePositions,
    out: &mut [f32; 64],
) {
    level.run(Values {
        plane,
        sample_positions,
        out,
    });
}

/// The same as bit patterns, as a shader's register holds them.
#[inline]
pub fn bits<P: Coefficients>(
    level: SimdLevel,
    plane: P,
    sample_positions: &SamplePositions,
    out: &mut [u32; 64],
) {
    level.run(Bits {
        planes: [plane],
        sample_positions,
        out: [out],
    });
}

/// One over the values of a plane in every lane, as bit patterns.
#[inline]
pub fn reciprocals<P: Coefficients>(
    level: SimdLevel,
    plane: P,
    sample_positions: &SamplePositions,
    out: &mut [u32; 64],
) {
    level.run(Reciprocals {
        plane,
        sample_positions,
        out,
    });
}

/// Perspective i and j of every lane as bit patterns, from the planes i/w, j/w and 1/w.
#[inline]
pub fn perspective<P: Coefficients>(
    level: SimdLevel,
    [i_w, j_w, inv_w]: [P; 3],
    sample_positions: &SamplePositions,
    i: &mut [u32; 64],
    j: &mut [u32; 64],
) {
    let out = [i, j];
    if inv_w.is_one() {
        // Quotients by 1 are the numerators.
        level.run(Bits {
            planes: [i_w, j_w],
            sample_positions,
            out,
        });
    } else {
        level.run(Perspective {
            planes: [i_w, j_w, inv_w],
            sample_positions,
            out,
        });
    }
}

/// Columns or lines as float bits: `offset` from pixel corner to centre, plus the lane's sample offset.
#[inline]
pub fn position(
    pixels: &[i32; 64],
    offset: f32,
    [place, centre]: [&[f32; 64]; 2],
    out: &mut [u32; 64],
) {
    SimdLevel::current().run(Position {
        pixels,
        offset,
        place,
        centre,
        out,
    });
}

struct Position<'a> {
    pixels: &'a [i32; 64],
    offset: f32,
    place: &'a [f32; 64],
    centre: &'a [f32; 64],
    out: &'a mut [u32; 64],
}

impl Kernel for Position<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (lane, value) in self.out.iter_mut().enumerate() {
            let inside = self.offset + (self.place[lane] - self.centre[lane]);
            *value = (self.pixels[lane] as f32 + inside).to_bits();
        }
    }
}
