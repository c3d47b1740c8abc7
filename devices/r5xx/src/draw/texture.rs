//! Lookups of pixel programs in the texture units of a draw.

use std::sync::Arc;

use lanes::{Row, Wave};
use radeon::registers::RegisterFile;
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::texture::sample::{
    self, Lanes, Lod, MAX_WAVES, Out, Plain, PreparedSampler, PreparedTexture, Repeats, Request,
    Scratch, Square, faces,
};
use silicon::{Memory, SimdLevel};

use crate::isa::us::ops::TexSem;
use crate::isa::us::{COVERED, Port, SQUARE, flushed};
use crate::tx::{self, Filtered, TextureError, UNITS, Unit, Weights, Words};

const ONE: u32 = 1f32.to_bits();

/// What a unit looks up in.
pub(crate) struct Bound {
    texture: PreparedTexture,
    /// Where its texels are if they are converted.
    own: Option<Memory>,
    /// Ones where texels stop pixels.
    matches: Option<(Memory, PreparedTexture)>,
    /// How a kernel weighs texels.
    filtered: Option<Filtered>,
    sampler: PreparedSampler,
    /// Texels along each axis.
    size: [u32; 3],
    is_cube: bool,
    /// Texels may be denormals, infinite or NaN.
    is_float: bool,
    /// Components that are bytes divided by 256, a bit each.
    divided_by_256: u8,
    cost: u64,
    texels: u64,
}

/// Units of earlier draws that are kept; a full list is dropped whole.
const MOST: usize = 64;

/// The units of a draw: none of those that are off, or that its program does not name.
pub(crate) type Units = Vec<Option<Arc<Bound>>>;

/// Units of earlier draws, found again by their registers, whose texels are read where they lie.
#[derive(Default)]
pub(crate) struct Bindings {
    kept: Vec<(Words, Arc<Bound>)>,
}

impl Bindings {
    /// The units of a draw that its program names.
    pub(crate) fn bind(
        &mut self,
        registers: &RegisterFile,
        (memory, weights): (&Memory, &Weights),
        ports: &[Port],
    ) -> Result<Units, TextureError> {
        let mut bound: Units = vec![None; UNITS as usize];
        let named = |unit: &Unit| ports.iter().any(|p| u32::from(p.tex.unit) == unit.number);
        for unit in tx::units(registers).filter(named) {
            bound[unit.number as usize] = Some(self.unit(&unit, memory, weights)?);
        }
        Ok(bound)
    }

    fn unit(
        &mut self,
        unit: &Unit,
        memory: &Memory,
        weights: &Weights,
    ) -> Result<Arc<Bound>, TextureError> {
        let words = unit.words();
        let weighs = |bound: &Bound| bound.filtered.as_ref().is_none_or(|of| of.has(weights));
        let mut kept = self.kept.iter();
        if let Some((_, bound)) = kept.find(|(of, bound)| *of == words && weighs(bound)) {
            return Ok(bound.clone());
        }
        let bound = Arc::new(Bound::new(unit, memory, weights)?);
        if bound.own.is_none() && bound.matches.is_none() {
            if self.kept.len() >= MOST {
                self.kept.clear();
            }
            self.kept.push((words, bound.clone()));
        }
        Ok(bound)
    }
}

/// What lookups reach beside the registers.
pub(crate) struct Reach<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) level: SimdLevel,
    pub(crate) scratch: &'a mut Scratch,
    /// Texels read: see [`silicon::Stats`].
    pub(crate) texels: &'a mut u64,
}

/// Fractions of 255 as those of 256: the number of steps is exact, and so is the division.
fn of_256(bits: u32) -> u32 {
    (f32::from_bits(bits) * 255.0 / 256.0).to_bits()
}

/// Pixels that a lookup is for.
fn executing(port: &Port, wave: &Wave) -> u64 {
    let [a, b] = port.masks();
    wave.mask(a) & wave.mask(b)
}

/// Operands of a lookup.
fn rows(rows: [u16; 4], wave: &Wave) -> [&Lanes; 4] {
    rows.map(|row| &wave.rows[usize::from(row)].0)
}

/// Where the level of detail of a lookup comes from.
fn detail<'a>(port: &Port, wave: &'a Wave) -> Lod<'a> {
    let [_, _, _, q] = rows(port.coordinates, wave);
    match port.tex.op.sem() {
        TexSem::Bias => Lod::Bias(q),
        TexSem::Level => Lod::Explicit(q),
        TexSem::Gradients => {
            let [dx, dy] = port.gradients.map(|side| rows(side, wave));
            Lod::Gradient {
                dx: [dx[0], dx[1], dx[2]],
                dy: [dy[0], dy[1], dy[2]],
            }
        }
        _ => Lod::Implicit,
    }
}

/// Rows of the channels of a texel that the program reads.
fn result<'a>(port: &Port, wave: &'a mut Wave) -> Out<'a> {
    let rows = wave.rows[usize::from(port.result)..].first_chunk_mut();
    let rows: &mut [Row; 4] = rows.expect("a texel has four rows");
    let mut channel = 0;
    rows.each_mut().map(|row| {
        channel += 1;
        (port.wanted >> (channel - 1) & 1 == 1).then_some(&mut row.0)
    })
}

/// Runs a lookup of a batch of waves.
pub(crate) fn look_up(bound: Option<&Bound>, port: &Port, reach: &mut Reach, waves: &mut [Wave]) {
    let Some(bound) = bound else {
        for wave in waves {
            let exec = executing(port, wave);
            for (row, value) in result(port, wave).into_iter().zip([0, 0, 0, ONE]) {
                if let Some(row) = row {
                    lanes_of(exec).for_each(|lane| row[lane] = value);
                }
            }
        }
        return;
    };
    bound.charge(port, reach, waves);
    if port.wanted == 0 {
        return;
    }
    if let Some(matches) = &bound.matches {
        for wave in &mut *waves {
            bound.stop_matches(matches, port, reach, wave);
        }
    }
    if let Some(filtered) = &bound.filtered {
        for wave in &mut *waves {
            bound.sample_filtered(filtered, port, reach.memory, wave);
        }
    } else if !bound.sample_all(port, reach, waves) {
        for wave in &mut *waves {
            bound.sample(port, reach, wave);
        }
    }
    bound.finish(port, waves);
}

/// Runs four lookups of nearest texels, [`Port::square`], where these are neighbours; says whether it did.
pub(crate) fn look_up_square(
    bound: Option<&Bound>,
    ports: &[Port; SQUARE],
    reach: &mut Reach,
    waves: &mut [Wave],
) -> bool {
    let plain = |bound: &&Bound| bound.matches.is_none() && bound.filtered.is_none();
    let Some(bound) = bound.filter(plain) else {
        return false;
    };
    if !bound.sample_square(ports, reach, waves) {
        return false;
    }
    for port in ports {
        bound.charge(port, reach, waves);
        bound.finish(port, waves);
    }
    true
}

impl Bound {
    fn new(unit: &Unit, memory: &Memory, weights: &Weights) -> Result<Bound, TextureError> {
        let sampler = unit.sampler()?;
        let (own, texture) = match unit.converted(memory)? {
            Some((own, texture)) => (Some(own), texture),
            None => (None, unit.texture(memory)?),
        };
        Ok(Bound {
            cost: sample::cost(&texture, &sampler),
            texels: sample::texels(&texture, &sampler),
            texture,
            own,
            matches: unit.matches(memory)?,
            filtered: unit.filtered(memory, weights)?,
            sampler,
            size: unit.size(),
            is_cube: unit.shape()?.cube,
            is_float: unit.is_float()?,
            divided_by_256: unit.divided_by_256()?,
        })
    }

    /// Counts a lookup.
    fn charge(&self, port: &Port, reach: &mut Reach, waves: &mut [Wave]) {
        for wave in waves {
            wave.charge(self.cost);
            *reach.texels += u64::from(executing(port, wave).count_ones()) * self.texels;
        }
    }

    /// Makes registers of what the sampler gave.
    fn finish(&self, port: &Port, waves: &mut [Wave]) {
        if self.divided_by_256 != 0 {
            for wave in &mut *waves {
                let exec = executing(port, wave);
                let divided = |n: &usize| self.divided_by_256 >> n & 1 == 1;
                let mut rows = result(port, wave);
                for row in (0..4).filter(divided).filter_map(|n| rows[n].take()) {
                    lanes_of(exec).for_each(|lane| row[lane] = of_256(row[lane]));
                }
            }
        }
        if self.is_float {
            for wave in waves {
                let exec = executing(port, wave);
                for row in result(port, wave).into_iter().flatten() {
                    lanes_of(exec).for_each(|lane| row[lane] = flushed(row[lane]));
                }
            }
        }
    }

    /// Reads four neighbours for several waves at once; says whether it did. Otherwise nothing is done.
    fn sample_square(&self, ports: &[Port; SQUARE], reach: &mut Reach, waves: &mut [Wave]) -> bool {
        let mut requests = [Square::NONE; MAX_WAVES];
        let Some(requests) = requests.get_mut(..waves.len()) else {
            return false;
        };
        let [first, .., last] = ports;
        for (request, wave) in requests.iter_mut().zip(&*waves) {
            let row = |at: u16| &wave.rows[usize::from(at)].0;
            let [[u0, v0, ..], [u1, v1, ..]] = [first, last].map(|port| port.coordinates);
            *request = Square {
                exec: executing(first, wave),
                coords: [[row(u0), row(u1)], [row(v0), row(v1)]],
            };
        }
        let Reach {
            memory,
            level,
            scratch,
            ..
        } = reach;
        let memory = self.own.as_ref().unwrap_or(memory);
        let bound = (&self.texture, &self.sampler);
        let channel = first.wanted.trailing_zeros() as usize;
        let Some(squares) = scratch.begin_squares(*level, memory, bound, channel, requests) else {
            return false;
        };
        let mut outs = [const { [None, None, None, None] }; MAX_WAVES];
        let count = waves.len();
        let at = ports.map(|port| usize::from(port.result) + channel);
        for (out, wave) in outs.iter_mut().zip(waves) {
            let rows = wave.rows.get_disjoint_mut(at);
            let rows = rows.expect("each lookup has rows of its own");
            *out = rows.map(|row| Some(&mut row.0));
        }
        squares.finish(scratch, &mut outs[..count]);
        true
    }

    /// Samples for several waves at once; says whether it did. Otherwise nothing is done.
    fn sample_all(&self, port: &Port, reach: &mut Reach, waves: &mut [Wave]) -> bool {
        use TexSem::{Bias, Gradients, Level, Lookup, Project};
        let plain = matches!(
            port.tex.op.sem(),
            Lookup | Project | Bias | Level | Gradients
        );
        let mut requests = [Plain::NONE; MAX_WAVES];
        let requests = requests.get_mut(..waves.len());
        let (true, Some(requests)) = (plain && !self.is_cube && !port.tex.unscaled, requests)
        else {
            return false;
        };
        for (request, wave) in requests.iter_mut().zip(&*waves) {
            let [s, t, r, _] = rows(port.coordinates, wave);
            *request = Plain {
                exec: executing(port, wave),
                coords: [s, t, r],
                lod: detail(port, wave),
                ..Plain::NONE
            };
        }
        let (texture, sampler) = (&self.texture, &self.sampler);
        let Reach {
            memory,
            level,
            scratch,
            ..
        } = reach;
        let memory = self.own.as_ref().unwrap_or(memory);
        let begun = scratch.begin_all(
            *level,
            memory,
            texture,
            sampler,
            requests,
            Repeats::default(),
        );
        let Some(sampling) = begun else {
            return false;
        };
        let mut outs = [const { [None, None, None, None] }; MAX_WAVES];
        let count = waves.len();
        for (out, wave) in outs.iter_mut().zip(waves) {
            *out = result(port, wave);
        }
        sampling.finish_all(scratch, &mut outs[..count]);
        true
    }

    /// Pixels are covered no longer where a texel that has weight matches the key.
    fn stop_matches(
        &self,
        (memory, texture): &(Memory, PreparedTexture),
        port: &Port,
        reach: &mut Reach,
        wave: &mut Wave,
    ) {
        self.sample_in(memory, texture, port, reach, wave);
        let exec = executing(port, wave);
        let [row, ..] = result(port, wave);
        let matched = lanes_of(exec)
            .filter(|lane| row.as_ref().is_some_and(|row| row[*lane] != 0))
            .fold(0, |lanes, lane| lanes | 1 << lane);
        wave.set_mask(COVERED, wave.mask(COVERED) & !matched);
    }

    /// Weighs texels by a kernel.
    fn sample_filtered(&self, filtered: &Filtered, port: &Port, memory: &Memory, wave: &mut Wave) {
        let exec = executing(port, wave);
        let [s, t, ..] = port.coordinates;
        let [s, t] = [s, t].map(|row| wave.rows[usize::from(row)].0);
        let mut out = result(port, wave);
        for lane in lanes_of(exec) {
            let mut place = [s[lane], t[lane]].map(f32::from_bits);
            if port.tex.unscaled {
                place = [0, 1].map(|axis| place[axis] / self.size[axis] as f32);
            }
            let color = filtered.sample(memory, place);
            for (row, value) in out.iter_mut().zip(color) {
                if let Some(row) = row {
                    row[lane] = value;
                }
            }
        }
    }

    fn sample(&self, port: &Port, reach: &mut Reach, wave: &mut Wave) {
        let memory = self.own.as_ref().unwrap_or(reach.memory);
        self.sample_in(memory, &self.texture, port, reach, wave);
    }

    fn sample_in(
        &self,
        memory: &Memory,
        texture: &PreparedTexture,
        port: &Port,
        reach: &mut Reach,
        wave: &mut Wave,
    ) {
        let exec = executing(port, wave);
        let [s, t, r, _] = rows(port.coordinates, wave);
        let mut computed;
        let mut coords = [s, t, r];
        if port.tex.unscaled || self.is_cube {
            computed = [*s, *t, *r];
            if port.tex.unscaled {
                for (row, size) in computed.iter_mut().zip(self.size) {
                    *row = row.map(|at| (f32::from_bits(at) / size as f32).to_bits());
                }
            }
            if self.is_cube {
                faces(&mut computed);
            }
            coords = computed.each_ref();
        }
        let request = Request {
            exec,
            coords,
            layer: None,
            lod: detail(port, wave),
            lod_clamp: None,
            reference: None,
            offsets: None,
        };
        let Reach { level, scratch, .. } = reach;
        let sampling = scratch.begin(*level, memory, texture, &self.sampler, &request);
        sampling.finish(scratch, result(port, wave));
    }
}
