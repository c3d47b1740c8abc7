//! Waves of pixels: whole parts of a tile, or quads of several parts and objects.

use std::sync::LazyLock;

use lanes::Row;
use silicon::fragment::interpolate::lanes;
use silicon::fragment::mask::merge;
use silicon::fragment::multisample::Samples;
use silicon::fragment::tile::{LANE_X, LANE_Y};
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::float::canonical;

use crate::tile::{PARTS, SAMPLES, TileMemory, place_of};
use crate::tsp::Object;

/// Quads of a wave: two tasks.
pub const QUADS: usize = 16;

/// A quad of a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quad {
    /// The object that it is of.
    pub object: u32,
    /// The part of the tile that it is in, and its number there.
    pub part: u8,
    /// Its number in the part.
    pub number: u8,
}

/// A wave of pixels of one state.
#[derive(Clone, Debug)]
pub struct Lot {
    /// Number of the state.
    pub state: u16,
    /// Lanes with a covered sample.
    pub exec: u64,
    /// Lanes of each sample.
    pub samples: [u64; SAMPLES],
    /// Lanes of each sample that the program sees; more than those where it runs once for each.
    pub seen: [u64; SAMPLES],
    /// The sample that is shaded, where each is for itself.
    pub sample: Option<u8>,
    /// It is a part of the tile, and all quads are of one object: that of the first.
    pub whole: bool,
    /// How many quads.
    pub count: usize,
    /// Its quads; of a part just the first.
    pub quads: [Quad; QUADS],
}

impl Lot {
    /// One without quads.
    #[inline]
    pub fn new(state: u16) -> Lot {
        Lot {
            state,
            exec: 0,
            samples: [0; SAMPLES],
            seen: [0; SAMPLES],
            sample: None,
            whole: false,
            count: 0,
            quads: [Quad::default(); QUADS],
        }
    }

    /// Becomes a part of an object; `masks` are the lanes of each sample.
    #[inline]
    pub fn set_part(&mut self, state: u16, object: u32, part: usize, masks: &[u64]) {
        (self.state, self.sample) = (state, None);
        let mut masks = masks.iter();
        self.exec = 0;
        for (sample, seen) in self.samples.iter_mut().zip(&mut self.seen) {
            let mask = masks.next().copied().unwrap_or(0);
            (*sample, *seen) = (mask, mask);
            self.exec |= mask;
        }
        self.quads[0] = Quad {
            object,
            part: part as u8,
            number: 0,
        };
        (self.count, self.whole) = (QUADS, true);
    }

    /// The object of its only part.
    pub fn object(&self) -> Option<u32> {
        self.whole.then_some(self.quads[0].object)
    }

    /// Gives each lane a value of its object.
    pub fn spread(&self, row: &mut [u32; 64], value: impl Fn(u32) -> u32) {
        if let Some(object) = self.object() {
            return row.fill(value(object));
        }
        for (slot, quad) in self.quads[..self.count].iter().enumerate() {
            row[4 * slot..4 * slot + 4].fill(value(quad.object));
        }
    }

    /// Adds a quad of a part whose lanes of each sample are these.
    pub fn push(&mut self, quad: Quad, masks: &[u64]) {
        let (from, to) = (4 * u32::from(quad.number), 4 * self.count);
        for (mine, mask) in self.samples.iter_mut().zip(masks) {
            let four = mask >> from & 0xf;
            *mine |= four << to;
            self.exec |= four << to;
        }
        self.seen = self.samples;
        self.quads[self.count] = quad;
        self.count += 1;
    }

    /// Lanes that run: all of each quad with a covered lane.
    pub fn lanes(&self) -> u64 {
        let pairs = self.exec | self.exec >> 1;
        ((pairs | pairs >> 2) & 0x1111_1111_1111_1111) * 15
    }

    /// Covered samples of a lane, a bit each.
    pub fn coverage(&self, row: &mut [u32; 64]) {
        *row = [0; 64];
        for (sample, mask) in self.seen.iter().enumerate() {
            for lane in lanes(*mask) {
                row[lane] |= 1 << sample;
            }
        }
    }

    /// A register that the pixels have.
    pub fn read(&self, tile: &TileMemory, register: usize, row: &mut [u32; 64]) {
        let sample = usize::from(self.sample.unwrap_or(0));
        if self.whole {
            *row = *tile.output(self.quads[0].part.into(), sample, register);
            return;
        }
        for (slot, quad) in self.quads[..self.count].iter().enumerate() {
            let from = tile.output(quad.part.into(), sample, register);
            let at = 4 * usize::from(quad.number);
            row[4 * slot..4 * slot + 4].copy_from_slice(&from[at..at + 4]);
        }
    }

    /// Hands a register over in the lanes of each sample.
    pub fn write(
        &self,
        level: SimdLevel,
        tile: &mut TileMemory,
        register: usize,
        masks: &[u64],
        row: &[u32; 64],
    ) {
        for (sample, mask) in masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            if self.whole {
                let to = tile.output_mut(self.quads[0].part.into(), sample, register);
                match *mask {
                    u64::MAX => *to = *row,
                    mask => merge(level, mask, row, to),
                }
                continue;
            }
            for (slot, quad) in self.quads[..self.count].iter().enumerate() {
                let four = mask >> (4 * slot) & 0xf;
                if four != 0 {
                    let to = tile.output_mut(quad.part.into(), sample, register);
                    let at = 4 * usize::from(quad.number);
                    for lane in lanes(four) {
                        to[at + lane] = row[4 * slot + lane];
                    }
                }
            }
        }
    }
}

/// Where the lanes of a wave are in their tile, in pixels from its corner.
#[derive(Clone, Debug)]
pub struct Places {
    /// Columns.
    pub x: [f32; 64],
    /// Lines.
    pub y: [f32; 64],
}

impl Default for Places {
    fn default() -> Places {
        Places {
            x: [0.0; 64],
            y: [0.0; 64],
        }
    }
}

/// The centres of the pixels of each part.
static CENTRES: LazyLock<[Places; PARTS]> = LazyLock::new(|| {
    std::array::from_fn(|part| {
        let [x, y] = place_of(part).map(|first| first as f32 + 0.5);
        Places {
            x: LANE_X.map(|lane| x + lane as f32),
            y: LANE_Y.map(|lane| y + lane as f32),
        }
    })
});

impl Places {
    /// The centres of the pixels of a part of a tile.
    pub fn of_part(lot: &Lot) -> Option<&'static Places> {
        lot.whole.then(|| &CENTRES[usize::from(lot.quads[0].part)])
    }

    /// The centres of the pixels.
    pub fn centres(&mut self, lot: &Lot) {
        if let Some(centres) = Places::of_part(lot) {
            return self.clone_from(centres);
        }
        for (slot, quad) in lot.quads[..lot.count].iter().enumerate() {
            let [x, y] = place_of(quad.part.into());
            for lane in 0..4 {
                let from = 4 * usize::from(quad.number) + lane;
                self.x[4 * slot + lane] = (x + LANE_X[from]) as f32 + 0.5;
                self.y[4 * slot + lane] = (y + LANE_Y[from]) as f32 + 0.5;
            }
        }
    }

    /// Moves all to a sample.
    pub fn move_to_sample(&mut self, samples: &Samples, sample: usize) {
        let (dx, dy) = samples.offset(sample);
        self.x.iter_mut().for_each(|x| *x += dx);
        self.y.iter_mut().for_each(|y| *y += dy);
    }

    /// Moves the pixels that are covered in part to their first covered sample.
    pub fn move_to_centroids(&mut self, samples: &Samples, lot: &Lot) {
        let masks = &lot.seen[..samples.count()];
        let all = masks.iter().fold(u64::MAX, |all, mask| all & mask);
        let mut left = masks.iter().fold(0, |any, mask| any | mask) & !all;
        for (sample, mask) in masks.iter().enumerate() {
            let (dx, dy) = samples.offset(sample);
            for lane in lanes(mask & left) {
                self.x[lane] += dx;
                self.y[lane] += dy;
            }
            left &= !mask;
        }
    }
}

/// Coefficients of a plane: of all lanes, or of each.
#[derive(Clone, Copy, Debug)]
pub enum Plane<'a> {
    /// The same in all lanes.
    One([f32; 3]),
    /// By lane.
    Each(&'a [[f32; 64]; 3]),
}

/// Room for the coefficients of a plane in every lane.
#[derive(Clone, Debug)]
pub struct Abc([[f32; 64]; 3]);

impl Default for Abc {
    fn default() -> Abc {
        Abc([[0.0; 64]; 3])
    }
}

impl Abc {
    /// Those of the objects of a wave, from a coefficient on.
    pub fn load(
        &mut self,
        lot: &Lot,
        objects: &[Object],
        coefficients: &[u32],
        number: usize,
    ) -> Plane<'_> {
        let of = |object: u32| {
            let first = objects[object as usize].coefficients.unwrap_or(0) as usize + number;
            let values = coefficients.get(first..first + 3).unwrap_or(&[0; 3]);
            [values[0], values[1], values[2]].map(f32::from_bits)
        };
        if let Some(object) = lot.object() {
            return Plane::One(of(object));
        }
        let quads = &lot.quads[..lot.count];
        if let Some((first, rest)) = quads.split_first()
            && rest.iter().all(|quad| quad.object == first.object)
        {
            return Plane::One(of(first.object));
        }
        let mut last = None;
        let mut values = [0.0; 3];
        for (slot, quad) in quads.iter().enumerate() {
            if last != Some(quad.object) {
                (last, values) = (Some(quad.object), of(quad.object));
            }
            for (row, value) in self.0.iter_mut().zip(values) {
                row[4 * slot..4 * slot + 4].fill(value);
            }
        }
        Plane::Each(&self.0)
    }
}

/// Values of a plane, times a row if there is one.
pub struct Evaluate<'a> {
    /// The plane.
    pub plane: Plane<'a>,
    /// Where.
    pub places: &'a Places,
    /// Factors.
    pub factor: Option<&'a [f32; 64]>,
    /// Values are limited to 0..1.
    pub saturated: bool,
    /// Values.
    pub out: &'a mut [u32; 64],
}

/// A denormal is zero of its sign.
#[inline(always)]
fn flushed(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 1 << 31
    } else {
        bits
    }
}

/// What a plane is at a lane's place.
#[inline(always)]
fn at(plane: Plane<'_>, places: &Places, each: impl FnMut(usize, f32)) {
    let Places { x, y } = places;
    let mut each = each;
    match plane {
        Plane::One([a, b, c]) => {
            for lane in 0..64 {
                each(lane, (a * x[lane] + b * y[lane]) + c);
            }
        }
        Plane::Each([a, b, c]) => {
            for lane in 0..64 {
                each(lane, (a[lane] * x[lane] + b[lane] * y[lane]) + c[lane]);
            }
        }
    }
}

impl Kernel for Evaluate<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Evaluate {
            plane,
            places,
            factor,
            saturated,
            out,
        } = self;
        match (factor, saturated) {
            (None, false) => at(plane, places, |lane, value| {
                out[lane] = flushed(canonical(value))
            }),
            (Some(factor), false) => at(plane, places, |lane, value| {
                out[lane] = flushed(canonical(value * factor[lane]));
            }),
            _ => at(plane, places, |lane, value| {
                let value = factor.map_or(value, |factor| value * factor[lane]);
                out[lane] = limited(value);
            }),
        }
    }
}

/// Values of consecutive planes of an object in all lanes, times a row if there is one.
pub struct EvaluateAll<'a> {
    /// Coefficients, four a plane.
    pub planes: &'a [u32],
    /// Where.
    pub places: &'a Places,
    /// Factors.
    pub factor: Option<&'a [f32; 64]>,
    /// Values are limited to 0..1.
    pub saturated: bool,
    /// Values of each plane.
    pub out: &'a mut [Row],
}

impl EvaluateAll<'_> {
    /// Each value as `bits` makes it.
    #[inline(always)]
    fn each(self, bits: impl Fn(f32) -> u32) {
        let EvaluateAll {
            planes,
            places,
            factor,
            out,
            ..
        } = self;
        let Places { x, y } = places;
        for (plane, out) in planes.chunks_exact(4).zip(out) {
            let [a, b, c] = [0, 1, 2].map(|n| f32::from_bits(plane[n]));
            match factor {
                None => {
                    for lane in 0..64 {
                        out.0[lane] = bits((a * x[lane] + b * y[lane]) + c);
                    }
                }
                Some(factor) => {
                    for lane in 0..64 {
                        let value = (a * x[lane] + b * y[lane]) + c;
                        out.0[lane] = bits(value * factor[lane]);
                    }
                }
            }
        }
    }
}

/// A value limited to 0..1; what is not a number is 0, and so are denormals.
#[inline(always)]
fn limited(value: f32) -> u32 {
    let value = if value >= f32::MIN_POSITIVE {
        value
    } else {
        0.0
    };
    let value = if value < 1.0 { value } else { 1.0 };
    value.to_bits()
}

impl Kernel for EvaluateAll<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        match self.saturated {
            false => self.each(|value| flushed(canonical(value))),
            true => self.each(limited),
        }
    }
}

/// One over the values of a plane.
pub struct Reciprocals<'a> {
    /// The plane.
    pub plane: Plane<'a>,
    /// Where.
    pub places: &'a Places,
    /// Values.
    pub out: &'a mut [f32; 64],
}

impl Kernel for Reciprocals<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let out = self.out;
        at(self.plane, self.places, |lane, value| {
            out[lane] = 1.0 / value
        });
    }
}
