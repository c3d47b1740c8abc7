//! What waves of pixels start from: interpolated components, column and line, facing.

use lanes::{LANES, Row, Wave};
use silicon::fragment::interpolate::{self, Coefficients, SamplePositions, Wanted, Weights};
use silicon::fragment::mask::expand;
use silicon::fragment::quads::{CHUNK, QUADS, QuadTable, VECTOR};
use silicon::fragment::scan::{AnyWave, FullTiles, MAX_BATCH, PixelWave, PixelWaves, WaveRows};
use silicon::geometry::attributes::{ATTRIBUTE_WORDS, AttributeMap, Source};
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::sample::Lanes;

use crate::fg::FogSource;
use crate::isa::us::flushed;
use crate::rs::{Packet, Slot, Value, Write};

const ONE: u32 = 1f32.to_bits();

/// Weights of attributes in each tile of a batch, aligned as vectors are.
#[repr(align(64))]
pub(super) struct TileWeights([[Lanes; 2]; MAX_BATCH]);

impl Default for TileWeights {
    fn default() -> TileWeights {
        TileWeights([[[0; LANES]; 2]; MAX_BATCH])
    }
}

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
    /// The same at the centre, and what it is multiplied by.
    places: [Vec<(u16, f32)>; 2],
    /// w and depth.
    depths: [Vec<u16>; 2],
    facing: Vec<u16>,
    /// Colours of back faces, which lie over those of front faces: at pixel centres, and where pixels are covered.
    backs: [Vec<Component>; 2],
    /// The coordinate of fog.
    fog: Option<Coordinate>,
    /// The depth, where it is what the rasteriser makes.
    depth: Option<Coordinate>,
    /// Nothing is divided by w.
    affine: bool,
}

/// Where fog takes its coordinate from, or the depth block its depth.
#[derive(Clone, Copy, Debug)]
enum Coordinate {
    /// A component: the word of an attribute block; linear on the screen, or as colours are.
    Word {
        word: usize,
        linear: bool,
    },
    W,
    Z,
    Constant(f32),
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
    /// Of a draw; only rows that the program reads. Affine ones are not divided by w. [R5xx GB_SELECT.W_SELECT]
    pub(super) fn new(
        packet: &Packet,
        writes: &[Write],
        read: &[bool],
        affine: bool,
    ) -> PixelInputs {
        let mut inputs = PixelInputs {
            affine,
            ..PixelInputs::default()
        };
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
        let affine = self.affine;
        let varying = &mut self.varying[usize::from(write.centroid)];
        match write.value {
            Value::Position if component < 2 => self.position[component].push(row),
            Value::Facing if component == 0 => self.facing.push(row),
            Value::Position | Value::Facing => {}
            Value::Slots(slots) => match slots[component] {
                Slot::Zero => {}
                Slot::One => self.ones.push(row),
                Slot::Place { axis, shift } => {
                    let factor = 1.0 / (1u32 << shift) as f32;
                    self.places[axis].push((row, factor));
                }
                Slot::W => self.depths[0].push(row),
                Slot::Depth => self.depths[1].push(row),
                Slot::Vector { vector, component } => {
                    let word = ATTRIBUTE_WORDS * vector + component as usize;
                    match packet.vectors[vector].0 {
                        Source::Point(_) | Source::Constant(_) => varying.linear.push((row, word)),
                        _ if affine => varying.linear.push((row, word)),
                        _ => varying.perspective.push((row, word)),
                    }
                }
                Slot::Color { color, component } => {
                    let attribute = packet.vectors.len() + color as usize;
                    let word = ATTRIBUTE_WORDS * attribute + component as usize;
                    if packet.two_sided && color < 2 {
                        let back = word + 2 * ATTRIBUTE_WORDS;
                        self.backs[usize::from(write.centroid)].push((row, back));
                    }
                    match affine {
                        true => varying.linear.push((row, word)),
                        false => varying.perspective.push((row, word)),
                    }
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
                Some(Coordinate::Word {
                    word: ATTRIBUTE_WORDS * attribute + 3,
                    linear: self.affine,
                })
            }
        };
        Ok(())
    }

    /// The depth is a slot of the packet; the reason if it cannot be.
    pub(super) fn add_depth(&mut self, packet: &Packet, slot: Slot) -> Result<(), String> {
        self.depth = Some(match slot {
            Slot::Vector { vector, component } => Coordinate::Word {
                word: ATTRIBUTE_WORDS * vector + component as usize,
                linear: self.affine || !matches!(packet.vectors[vector].0, Source::Param { .. }),
            },
            Slot::Color { color, component } => Coordinate::Word {
                word: ATTRIBUTE_WORDS * (packet.vectors.len() + color as usize)
                    + component as usize,
                linear: self.affine,
            },
            Slot::W => Coordinate::W,
            Slot::Depth => Coordinate::Z,
            Slot::Zero => Coordinate::Constant(0.0),
            Slot::One => Coordinate::Constant(1.0),
            Slot::Place { .. } => {
                return Err(
                    "RS_COUNT.W_ADDR names the place of a pixel, which is not executed".into(),
                );
            }
        });
        Ok(())
    }

    /// Whether the rasteriser makes depths.
    pub(super) fn makes_depths(&self) -> bool {
        self.depth.is_some()
    }

    /// The coordinates of fog.
    pub(super) fn fog<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        room: (&mut Lanes, &mut QuadTable),
    ) {
        self.coordinates(self.fog, level, pixel, room);
    }

    /// The depths that the rasteriser makes.
    pub(super) fn depth<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        room: (&mut Lanes, &mut QuadTable),
    ) {
        self.coordinates(self.depth, level, pixel, room);
    }

    fn coordinates<P: Coefficients>(
        &self,
        of: Option<Coordinate>,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        (out, table): (&mut Lanes, &mut QuadTable),
    ) {
        let (planes, centres) = (&pixel.planes, pixel.centres);
        match of {
            None => {}
            Some(Coordinate::Constant(value)) => *out = [value.to_bits(); LANES],
            Some(Coordinate::Z) => interpolate::bits(level, planes.z, centres, out),
            Some(Coordinate::W) => depth_w(level, pixel, out),
            Some(Coordinate::Word { word, linear }) => {
                let [i, j] = weights(level, pixel, centres, linear);
                let mut rows = [Row([0; LANES])];
                let numbers = Numbers::new(pixel);
                numbers.fill(level, &[(0, word)], [&i, &j], (&mut rows, table));
                *out = rows[0].0;
            }
        }
    }

    /// Whether the program wants the pixel's place.
    pub(super) fn needs_position(&self) -> bool {
        self.position.iter().any(|rows| !rows.is_empty())
            || self.places.iter().any(|rows| !rows.is_empty())
    }

    /// Planes beside those of perspective.
    pub(super) fn needs_planes(&self) -> Wanted {
        let coordinates = [self.fog, self.depth];
        let is_z = |of: &Option<Coordinate>| matches!(of, Some(Coordinate::Z));
        let is_linear =
            |of: &Option<Coordinate>| matches!(of, Some(Coordinate::Word { linear: true, .. }));
        let varying = || self.varying.iter().any(|of| !of.linear.is_empty());
        Wanted {
            z: coordinates.iter().any(is_z) || !self.depths[1].is_empty(),
            linear: self.affine || coordinates.iter().any(is_linear) || varying(),
        }
    }

    /// Whether the program wants values where pixels are covered.
    pub(super) fn needs_centroids(&self) -> bool {
        !self.varying[1].is_empty()
    }

    /// Whether a row is filled.
    pub(super) fn fills(&self, row: u16) -> bool {
        let varying = |of: &Varying| {
            let mut all = of.perspective.iter().chain(&of.linear);
            all.any(|(at, _)| *at == row)
        };
        let whole = self.position.iter().chain(&self.depths).flatten();
        let mut others = self.ones.iter().chain(whole).chain(&self.facing);
        let mut places = self.places.iter().flatten();
        self.varying.iter().any(varying)
            || others.any(|at| *at == row)
            || places.any(|(at, _)| *at == row)
    }

    /// Fills the rows of a wave.
    pub(super) fn start<P: Coefficients>(
        &self,
        level: SimdLevel,
        pixel: &PixelWave<P>,
        (rows, table): (&mut [Row], &mut QuadTable),
    ) {
        let planes = &pixel.planes;
        let numbers = Numbers::new(pixel);
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
            numbers.fill(level, components, [&i, &j], (&mut *rows, &mut *table));
        }
        for (components, at) in self.backs.iter().zip(places) {
            if components.is_empty() || pixel.front == u64::MAX {
                continue;
            }
            let [i, j] = weights(level, pixel, at, self.affine);
            for (row, word) in components {
                let mut back = [Row([0; LANES])];
                numbers.fill(level, &[(0, *word)], [&i, &j], (&mut back, &mut *table));
                let colors = rows[usize::from(*row)].0.iter_mut().zip(&back[0].0);
                let of_back = colors
                    .enumerate()
                    .filter(|(lane, _)| pixel.front >> lane & 1 == 0);
                of_back.for_each(|(_, (color, back))| *color = *back);
            }
        }
        self.rest(level, pixel, rows);
    }

    /// Whether back faces have colours of their own.
    pub(super) fn is_two_sided(&self) -> bool {
        self.backs.iter().any(|backs| !backs.is_empty())
    }

    /// The same of waves of fully covered tiles, where pixels are covered at their centres.
    pub(super) fn start_tiles(
        &self,
        level: SimdLevel,
        (waves, tiles): (&PixelWaves, &FullTiles),
        (own, weights): (&mut WaveRows, &mut TileWeights),
        batch: &mut [Wave],
    ) {
        let block = waves.blocks().get(tiles.block as usize..);
        let block = block.unwrap_or_default();
        type Part = (Weights, fn(&Varying) -> &[Component]);
        let parts: [Part; 2] = [
            (Weights::Perspective, |varying| &varying.perspective),
            (Weights::Linear, |varying| &varying.linear),
        ];
        for (kind, of) in parts {
            if self.varying.iter().all(|varying| of(varying).is_empty()) {
                continue;
            }
            let mut rows = [const { None }; MAX_BATCH];
            for (rows, weights) in rows.iter_mut().zip(&mut weights.0).take(batch.len()) {
                *rows = Some(weights.each_mut());
            }
            interpolate::tile_weights(
                level,
                kind,
                tiles.planes,
                (tiles.at, tiles.samples),
                &mut rows,
            );
            for ([i, j], wave) in weights.0.iter().zip(&mut *batch) {
                for components in self.varying.iter().map(of) {
                    level.run(One {
                        components,
                        block,
                        i,
                        j,
                        rows: &mut wave.rows,
                    });
                }
            }
        }
        let mut depths = self.depths.iter().flatten();
        let has_rest = !self.ones.is_empty() || !self.facing.is_empty() || self.needs_position();
        if !has_rest && depths.next().is_none() {
            return;
        }
        for (n, wave) in batch.iter_mut().enumerate() {
            match waves.wave(n, own) {
                AnyWave::Tile(pixel) => self.rest(level, &pixel, &mut wave.rows),
                AnyWave::Quads(pixel) => self.rest(level, &pixel, &mut wave.rows),
            }
        }
    }

    /// Fills what is not an attribute.
    fn rest<P: Coefficients>(&self, level: SimdLevel, pixel: &PixelWave<P>, rows: &mut [Row]) {
        for row in &self.depths[0] {
            depth_w(level, pixel, &mut rows[usize::from(*row)].0);
        }
        for row in &self.depths[1] {
            let out = &mut rows[usize::from(*row)].0;
            interpolate::bits(level, pixel.planes.z, pixel.centres, out);
        }
        for row in &self.ones {
            rows[usize::from(*row)].0 = [ONE; LANES];
        }
        for (to, from) in self.position.iter().zip(pixel.position) {
            for row in to {
                rows[usize::from(*row)].0 = from.map(|at| (at as f32).to_bits());
            }
        }
        for (to, from) in self.places.iter().zip(pixel.position) {
            for (row, factor) in to {
                let place = |at: i32| ((at as f32 + 0.5) * factor).to_bits();
                rows[usize::from(*row)].0 = from.map(place);
            }
        }
        for row in &self.facing {
            let row = &mut rows[usize::from(*row)].0;
            expand(level, pixel.front, [ONE, 0], row);
        }
    }
}

/// Weights of colours at some places.
fn weights<P: Coefficients>(
    level: SimdLevel,
    pixel: &PixelWave<P>,
    at: &SamplePositions,
    linear: bool,
) -> [Lanes; 2] {
    let planes = &pixel.planes;
    let (mut i, mut j) = ([0; LANES], [0; LANES]);
    if linear {
        interpolate::bits(level, planes.i, at, &mut i);
        interpolate::bits(level, planes.j, at, &mut j);
    } else {
        let from = [planes.i_w, planes.j_w, planes.inv_w];
        interpolate::perspective(level, from, at, &mut i, &mut j);
    }
    [i, j]
}

/// w of the pixels of a wave, 1 / (1 / W) as the manual has it.
fn depth_w<P: Coefficients>(level: SimdLevel, pixel: &PixelWave<P>, out: &mut Lanes) {
    interpolate::bits(level, pixel.planes.inv_w, pixel.centres, out);
    for value in out {
        *value = (1.0 / f32::from_bits(*value)).to_bits();
    }
}

/// Words of an attribute block that are steps around a cylinder.
pub(super) fn wrapped(packet: &Packet) -> Vec<usize> {
    let vectors = packet.wrapped.iter().enumerate();
    let words = vectors.flat_map(|(vector, bits)| {
        let on = (0..4).filter(move |component| bits >> component & 1 == 1);
        on.flat_map(move |component| {
            let word = ATTRIBUTE_WORDS * vector + component;
            [word + VECTOR, word + 2 * VECTOR]
        })
    });
    words.collect()
}

/// The shorter way between two places on a cylinder of circumference 1: a step of more than a half goes around.
pub(super) fn shorter(step: u32) -> u32 {
    let step = f32::from_bits(step);
    let around = match step {
        _ if step > 0.5 => step - 1.0,
        _ if step < -0.5 => step + 1.0,
        _ => step,
    };
    around.to_bits()
}

/// First words of the blocks of each quad.
fn first_words<P>(pixel: &PixelWave<P>) -> [u32; QUADS] {
    let mut ordinal = 0;
    std::array::from_fn(|quad| {
        ordinal += usize::from(quad > 0 && pixel.starts >> quad & 1 == 1);
        pixel.primitives.get(ordinal).copied().unwrap_or(u32::MAX)
    })
}

/// Where the numbers of attributes are: in the block of a wave's only primitive, or in those of several.
struct Numbers<'a> {
    blocks: &'a [u32],
    one: &'a [u32],
    several: Option<[u32; QUADS]>,
}

impl<'a> Numbers<'a> {
    fn new<P>(pixel: &PixelWave<'a, P>) -> Numbers<'a> {
        let first = pixel.primitives.first().map_or(0, |at| *at as usize);
        Numbers {
            blocks: pixel.blocks,
            one: pixel.blocks.get(first..).unwrap_or_default(),
            several: (pixel.starts != 0).then(|| first_words(pixel)),
        }
    }

    /// Fills the rows of components that are interpolated at the same places.
    fn fill(
        &self,
        level: SimdLevel,
        components: &[Component],
        [i, j]: [&Lanes; 2],
        (rows, table): (&mut [Row], &mut QuadTable),
    ) {
        match &self.several {
            None => level.run(One {
                components,
                block: self.one,
                i,
                j,
                rows,
            }),
            Some(first) => level.run(Many {
                components,
                blocks: self.blocks,
                first,
                table,
                i,
                j,
                rows,
            }),
        }
    }
}

/// The value at vertex 0 and the steps to the others give that of a pixel.
#[inline(always)]
fn value([p0, p10, p20]: [u32; 3], i: u32, j: u32) -> u32 {
    let is_flat = (p10 | p20) << 1 == 0;
    flushed(if is_flat {
        p0
    } else {
        sloped([p0, p10, p20], i, j)
    })
}

/// The same before it is flushed, which makes every NaN the chip's.
#[inline(always)]
fn sloped([p0, p10, p20]: [u32; 3], i: u32, j: u32) -> u32 {
    let [p, a, b, i, j] = [p0, p10, p20, i, j].map(f32::from_bits);
    (b * j + (a * i + p)).to_bits()
}

/// Attributes of one primitive: the same numbers in all lanes.
struct One<'a> {
    components: &'a [Component],
    block: &'a [u32],
    i: &'a Lanes,
    j: &'a Lanes,
    rows: &'a mut [Row],
}

impl Kernel for One<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (row, word) in self.components {
            let number = |n: usize| self.block.get(word + VECTOR * n).copied().unwrap_or(0);
            let numbers = [number(0), number(1), number(2)];
            let row = &mut self.rows[usize::from(*row)].0;
            if (numbers[1] | numbers[2]) << 1 == 0 {
                *row = [flushed(numbers[0]); LANES];
                continue;
            }
            for first in (0..LANES).step_by(CHUNK) {
                let mut chunk = [0; CHUNK];
                for (n, chunk) in chunk.iter_mut().enumerate() {
                    *chunk = flushed(sloped(numbers, self.i[first + n], self.j[first + n]));
                }
                row[first..first + CHUNK].copy_from_slice(&chunk);
            }
        }
    }
}

/// Attributes of several primitives: the same numbers in the lanes of a quad.
struct Many<'a> {
    components: &'a [Component],
    blocks: &'a [u32],
    /// First words of the blocks of each quad.
    first: &'a [u32; QUADS],
    table: &'a mut QuadTable,
    i: &'a Lanes,
    j: &'a Lanes,
    rows: &'a mut [Row],
}

impl Kernel for Many<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let words = self.components.iter().map(|(_, word)| word / VECTOR);
        let (start, end) = words.fold((usize::MAX, 0), |(start, end), at| {
            (start.min(at), end.max(at + 3))
        });
        let filled = self.table.fill([start, end], self.blocks, self.first);
        for (row, word) in self.components {
            let numbers = [0, VECTOR, 2 * VECTOR].map(|n| filled.word(word + n));
            let row = &mut self.rows[usize::from(*row)].0;
            for chunk in 0..LANES / CHUNK {
                let first = chunk * CHUNK;
                let p0 = numbers[0].lanes(chunk);
                let p10 = numbers[1].lanes(chunk);
                let p20 = numbers[2].lanes(chunk);
                let mut out = [0; CHUNK];
                for (n, out) in out.iter_mut().enumerate() {
                    let numbers = [p0[n], p10[n], p20[n]];
                    *out = value(numbers, self.i[first + n], self.j[first + n]);
                }
                row[first..first + CHUNK].copy_from_slice(&out);
            }
        }
    }
}
