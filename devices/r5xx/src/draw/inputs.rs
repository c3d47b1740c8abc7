//! What waves of pixels start from: interpolated components, column and line, facing.

use lanes::{LANES, Row};
use silicon::fragment::interpolate::{self, Coefficients, Wanted};
use silicon::fragment::mask::expand;
use silicon::fragment::scan::PixelWave;
use silicon::geometry::attributes::{ATTRIBUTE_WORDS, AttributeMap, Source};
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::float::canonical;
use silicon::texture::sample::Lanes;

use crate::fg::FogSource;
use crate::isa::us::flushed;
use crate::rs::{Packet, Slot, Value, Write};

/// Quads of a wave.
const QUADS: usize = LANES / 4;
/// Lanes that are computed before any is stored.
const CHUNK: usize = 16;
const ONE: u32 = 1f32.to_bits();

/// A row and the word of an attribute block that is its value at vertex 0.
type Component = (u16, usize);

/// The rows that waves start with, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct PixelInputs {
    /// Interpolated at pixel centres, and where pixels are covered.
    varying: [Varying; 2],
    ones: Vec<u16>,
    /// Column and line.
    position: [Vec<u16>; 2],
    facing: Vec<u16>,
    /// The coordinate of fog.
    fog: Option<Coordinate>,
}

/// Where fog takes its coordinate from.
#[derive(Clone, Copy, Debug)]
enum Coordinate {
    /// A component: the word of an attribute block.
    Word(usize),
    W,
    Z,
}

/// The attributes of a draw: those of the packet, its vectors before its colours.
pub(super) fn attributes(packet: &Packet, params: usize) -> AttributeMap {
    let vectors = packet.vectors.iter().map(|(source, _)| *source);
    AttributeMap {
        sources: vectors.chain(packet.colors.iter().copied()).collect(),
        params,
    }
}

/// Components that are interpolated at the same places.
#[derive(Clone, Debug, Default)]
struct Varying {
    /// Divided by w.
    perspective: Vec<Component>,
    /// Linear on the screen.
    linear: Vec<Component>,
}

impl Varying {
    fn is_empty(&self) -> bool {
        self.perspective.is_empty() && self.linear.is_empty()
    }
}

impl PixelInputs {
    /// Of a draw; only rows that the program reads.
    pub(super) fn new(packet: &Packet, writes: &[Write], read: &[bool]) -> PixelInputs {
        let mut inputs = PixelInputs::default();
        let is_read = |row: u16| read.get(usize::from(row)) == Some(&true);
        // The last write of a temporary counts.
        for (n, write) in writes.iter().enumerate() {
            if writes[n + 1..].iter().any(|later| later.temp == write.temp) {
                continue;
            }
            for component in 0..4u16 {
                let row = 4 * write.temp as u16 + component;
                if is_read(row) {
                    inputs.add(packet, write, row);
                }
            }
        }
        inputs
    }

    fn add(&mut self, packet: &Packet, write: &Write, row: u16) {
        let component = usize::from(row % 4);
        let varying = &mut self.varying[usize::from(write.centroid)];
        match write.value {
            Value::Position if component < 2 => self.position[component].push(row),
            Value::Facing if component == 0 => self.facing.push(row),
            Value::Position | Value::Facing => {}
            Value::Slots(slots) => match slots[component] {
                Slot::Zero => {}
                Slot::One => self.ones.push(row),
                Slot::Vector { vector, component } => {
                    let word = ATTRIBUTE_WORDS * vector + component as usize;
                    match packet.vectors[vector].0 {
                        Source::Point(_) => varying.linear.push((row, word)),
                        _ => varying.perspective.push((row, word)),
                    }
                }
                Slot::Color { color, component } => {
                    let attribute = packet.vectors.len() + color as usize;
                    let word = ATTRIBUTE_WORDS * attribute + component as usize;
                    varying.perspective.push((row, word));
                }
            },
        }
    }

    /// Fog wants its coordinate; the reason if the vertices have it not.
    pub(super) fn add_fog(&mut self, packet: &Packet, source: FogSource) -> Result<(), String> {
        self.fog = match source {
            FogSource::None => None,
            FogSource::W => Some(Coordinate::W),
            FogSource::Z => Some(Coordinate::Z),
            FogSource::Color(n) => {
                let place = packet.color_numbers.iter().position(|color| *color == n);
                let place = place.ok_or_else(|| {
                    format!("GB_SELECT.FOG_SELECT {n}: the vertices have no colour {n}")
                })?;
                let attribute = packet.vectors.len() + place;
                Some(Coordinate::Word(ATTRIBUTE_WORDS * attribute + 3))
            }
        };
        Ok(())
    }

    /// The coordinates of fog.
    pub(super) fn fog<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        out: &mut Lanes,
    ) {
        let (planes, centres) = (&pixel.planes, pixel.centres);
        match self.fog {
            None => {}
            Some(Coordinate::Z) => interpolate::bits(level, planes.z, centres, out),
            Some(Coordinate::W) => {
                interpolate::bits(level, planes.inv_w, centres, out);
                for value in out {
                    *value = (1.0 / f32::from_bits(*value)).to_bits();
                }
            }
            Some(Coordinate::Word(word)) => {
                let (mut i, mut j) = ([0; LANES], [0; LANES]);
                let from = [planes.i_w, planes.j_w, planes.inv_w];
                interpolate::perspective(level, from, centres, &mut i, &mut j);
                let mut rows = [Row([0; LANES])];
                level.run(Fill {
                    components: &[(0, word)],
                    blocks: pixel.blocks,
                    first: &first_words(pixel),
                    weights: [&i, &j],
                    rows: &mut rows,
                });
                *out = rows[0].0;
            }
        }
    }

    /// Whether the program wants the pixel's place.
    pub(super) fn needs_position(&self) -> bool {
        self.position.iter().any(|rows| !rows.is_empty())
    }

    /// Planes beside those of perspective.
    pub(super) fn needs_planes(&self) -> Wanted {
        Wanted {
            z: matches!(self.fog, Some(Coordinate::Z)),
            linear: self
                .varying
                .iter()
                .any(|varying| !varying.linear.is_empty()),
        }
    }

    /// Whether the program wants values where pixels are covered.
    pub(super) fn needs_centroids(&self) -> bool {
        !self.varying[1].is_empty()
    }

    /// Fills the rows of a wave.
    pub(super) fn start<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        rows: &mut [Row],
    ) {
        let planes = &pixel.planes;
        let first = &first_words(pixel);
        let blocks = pixel.blocks;
        let (mut i, mut j) = ([0; LANES], [0; LANES]);
        let places = [pixel.centres, pixel.centroids];
        let each = self.varying.iter().zip(places).flat_map(|(varying, at)| {
            let Varying {
                perspective,
                linear,
            } = varying;
            [(perspective, at, false), (linear, at, true)]
        });
        for (components, at, is_linear) in each {
            if components.is_empty() {
                continue;
            }
            if is_linear {
                interpolate::bits(level, planes.i, at, &mut i);
                interpolate::bits(level, planes.j, at, &mut j);
            } else {
                let from = [planes.i_w, planes.j_w, planes.inv_w];
                interpolate::perspective(level, from, at, &mut i, &mut j);
            }
            level.run(Fill {
                components,
                blocks,
                first,
                weights: [&i, &j],
                rows: &mut *rows,
            });
        }
        for row in &self.ones {
            rows[usize::from(*row)].0 = [ONE; LANES];
        }
        for (to, from) in self.position.iter().zip(pixel.position) {
            for row in to {
                rows[usize::from(*row)].0 = from.map(|at| (at as f32).to_bits());
            }
        }
        for row in &self.facing {
            let row = &mut rows[usize::from(*row)].0;
            expand(level, pixel.front, [ONE, 0], row);
        }
    }
}

/// First words of the blocks of each quad.
fn first_words<P>(pixel: &PixelWave<P>) -> [usize; QUADS] {
    let mut ordinal = 0;
    std::array::from_fn(|quad| {
        ordinal += usize::from(quad > 0 && pixel.starts >> quad & 1 == 1);
        pixel.primitives.get(ordinal).map_or(0, |at| *at as usize)
    })
}

/// Components of attributes to rows.
struct Fill<'a> {
    components: &'a [Component],
    blocks: &'a [u32],
    first: &'a [usize; QUADS],
    weights: [&'a Lanes; 2],
    rows: &'a mut [Row],
}

impl Kernel for Fill<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [i, j] = self.weights;
        for (row, word) in self.components {
            // The value at vertex 0, and the steps to the others.
            let mut numbers = [[0; QUADS]; 3];
            for (quad, first) in self.first.iter().enumerate() {
                for (n, numbers) in numbers.iter_mut().enumerate() {
                    let at = first + word + 4 * n;
                    numbers[quad] = self.blocks.get(at).copied().unwrap_or(0);
                }
            }
            let row = &mut self.rows[usize::from(*row)].0;
            for start in (0..LANES).step_by(CHUNK) {
                let mut chunk = [0; CHUNK];
                for (n, value) in chunk.iter_mut().enumerate() {
                    let lane = start + n;
                    let [p0, p10, p20] = numbers.map(|quads| quads[lane / 4]);
                    let [p, a, b, i, j] = [p0, p10, p20, i[lane], j[lane]].map(f32::from_bits);
                    let sum = canonical(b * j + (a * i + p));
                    let flat = (p10 | p20) << 1 == 0;
                    *value = flushed(if flat { p0 } else { sum });
                }
                row[start..start + CHUNK].copy_from_slice(&chunk);
            }
        }
    }
}
