//! Sampling in two steps, so that results may overwrite coordinate registers. [`Scratch::begin`] reads coordinates and
//! keeps footprints (or, off the fast path, results); [`Sampling::finish`] writes registers. Not cleared between waves.

use super::footprint::{Bytes, Compared, Extents, Footprint, Source, Target};
use super::locate::Locate;
use super::pairs::{self, Grid};
use super::path::{Path, fast_path, is_common};
use super::quads::{self, Common, Quads};
use super::room::{Bound, Room};
use super::rows;
use super::stages;
use super::{
    Filter, LANES, Lanes, Lod, MipFilter, PreparedSampler, PreparedTexture, Reduction, Request,
};
use crate::memory::Memory;
use crate::memory::plane::{CHUNK, Plane};
use crate::texture::format::{Class, Read};
use host::SimdLevel;

/// Largest wave batch to sample at once.
pub const MAX_WAVES: usize = 16;

/// What [`Scratch::begin`] left.
#[derive(Clone, Copy)]
enum Pending<'a> {
    /// Results of one wave in `values`, one row per register.
    Results,
    /// Results of one wave in `values`, one row per byte of a texel.
    ByteRows,
    /// Footprint of texels whose bytes are averaged.
    Bytes(Plane<'a>),
    /// Footprint of texels that are compared.
    Compared(Plane<'a>),
}

/// A sample instruction that is half done.
pub struct Sampling<'a> {
    level: SimdLevel,
    texture: &'a PreparedTexture,
    sampler: &'a PreparedSampler,
    pending: Pending<'a>,
}

/// Footprint of a wave: texel positions and weights.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct WaveFootprint {
    /// In the lanes' levels and in the next ones.
    pub footprint: [Footprint; 2],
    /// Weight of the next mip level, if any is not 0.
    pub mix: Lanes,
    pub quads: Quads,
    /// What texels are compared with.
    pub reference: Lanes,
    /// What the quads have in common.
    pub found: Common,
    /// Lanes that want a result.
    pub exec: u64,
}

impl WaveFootprint {
    const ZERO: WaveFootprint = WaveFootprint {
        footprint: [Footprint::ZERO; 2],
        mix: [0; LANES],
        quads: Quads::ZERO,
        reference: [0; LANES],
        found: Common::FIRST,
        exec: 0,
    };
}

/// The levels of lanes that differ in them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Uneven {
    level: [i32; LANES],
    /// Of this level and the next one.
    extents: [Extents; 2],
}

impl Uneven {
    /// Looks up the sizes of levels, where lanes differ.
    fn prepare(&mut self, grid: &Grid, found: Common) {
        if found.level.is_none() {
            for step in 0..1 + i32::from(found.mixed) {
                self.extents[step as usize].fill(grid, &self.level, step, 2);
            }
        }
    }

    /// Finds the texels at coordinates.
    fn find(
        &self,
        level: SimdLevel,
        grid: &Grid,
        filter: Filter,
        coords: [&Lanes; 2],
        found: Common,
        footprint: &mut [Footprint; 2],
    ) {
        for step in 0..1 + i32::from(found.mixed) {
            let extent;
            let source = match found.level {
                Some(index) => {
                    extent = grid.extent(index + step);
                    Source::Level(&extent)
                }
                None => Source::Rows(&self.extents[step as usize]),
            };
            footprint[step as usize].find(level, grid, source, filter, coords);
        }
    }
}

/// Scratch rows of sampling, for any number of waves in sequence, up to [`MAX_WAVES`] in a batch.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Scratch {
    places: [WaveFootprint; MAX_WAVES],
    uneven: Uneven,
    /// Taps of the current and the previous sixteen lanes, on two mip levels.
    taps: [[[[u32; CHUNK]; 4]; 2]; 2],
    values: [Lanes; 4],
    /// Rows of the probes of anisotropic footprints: number, axis, coordinates, result.
    probes: Lanes,
    step: [Lanes; 2],
    at: [Lanes; 2],
    probe: [Lanes; 4],
    /// The level of the wave before.
    guess: i32,
    /// Rows of samples off the fast path.
    pub(super) room: Room,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            places: [WaveFootprint::ZERO; MAX_WAVES],
            uneven: Uneven {
                level: [0; LANES],
                extents: [Extents::ZERO; 2],
            },
            taps: [[[[0; CHUNK]; 4]; 2]; 2],
            values: [[0; LANES]; 4],
            probes: [1; LANES],
            step: [[0; LANES]; 2],
            at: [[0; LANES]; 2],
            probe: [[0; LANES]; 4],
            guess: 0,
            room: Room::default(),
        }
    }
}

/// The request of one wave in a batch with one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    /// As in [`Request::exec`].
    pub exec: u64,
    /// x and y as floats.
    pub coords: [&'a Lanes; 2],
    /// Reference value of a comparison.
    pub reference: Option<&'a Lanes>,
}

impl Plain<'_> {
    /// Of no lane.
    pub const NONE: Plain<'static> = Plain {
        exec: 0,
        coords: [&[0; LANES]; 2],
        reference: None,
    };
}

/// Whether all lanes sample level 0.
fn is_flat(texture: &PreparedTexture, sampler: &PreparedSampler) -> bool {
    texture.last_level == 0 || sampler.sampler.mip == MipFilter::None
}

/// Whether LOD derives from coordinate differences only.
fn is_implicit(request: &Request) -> bool {
    matches!(request.lod, Lod::Implicit) && request.lod_clamp.is_none()
}

impl Scratch {
    /// Samples a texture: filtered values, or filtered results of comparisons when the request has a reference.
    pub fn begin<'a>(
        &mut self,
        level: SimdLevel,
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &'a PreparedSampler,
        request: &Request,
    ) -> Sampling<'a> {
        let [u, v, _] = request.coords;
        let Request {
            exec, reference, ..
        } = *request;
        let plain = [Plain {
            exec,
            coords: [u, v],
            reference,
        }];
        self.places[0].exec = exec;
        let common = is_common(texture, sampler, reference.is_some());
        let grid = match request.offsets.is_none() && exec != 0 {
            true => Grid::new(memory, texture, sampler),
            false => None,
        };
        let sampling = |pending| Sampling {
            level,
            texture,
            sampler,
            pending,
        };
        let grid = match grid {
            Some(grid) if common && pairs::are_flat(texture, sampler) => grid,
            grid => {
                let bound = Bound {
                    memory,
                    texture,
                    sampler,
                };
                if exec != 0 {
                    let (room, values) = (&mut self.room, &mut self.values);
                    rows::sample(level, room, bound, grid.as_ref(), request, values);
                }
                return sampling(Pending::Results);
            }
        };
        let flat = is_flat(texture, sampler);
        if sampler.sampler.anisotropy == 1 && (flat || is_implicit(request)) {
            return sampling(self.locate(level, &grid, texture, sampler, &plain));
        }
        let found = self.levels(level, texture, sampler, request);
        self.places[0].found = found;
        self.uneven.prepare(&grid, found);
        if found.probes > 1 {
            self.run_probes(level, &grid, sampler, request);
            return sampling(Pending::ByteRows);
        }
        let (filter, footprint) = (sampler.sampler.min, &mut self.places[0].footprint);
        self.uneven
            .find(level, &grid, filter, [u, v], found, footprint);
        sampling(self.located(level, &grid, texture, &plain))
    }

    /// Samples a batch of up to [`MAX_WAVES`] waves with one instruction, with LOD from coordinate differences
    /// (`implicit`) or at level 0. `None` if the waves must be sampled one by one.
    pub fn begin_all<'a>(
        &mut self,
        level: SimdLevel,
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &'a PreparedSampler,
        implicit: bool,
        waves: &[Plain],
    ) -> Option<Sampling<'a>> {
        let compares = waves.first()?.reference.is_some();
        let levels = implicit || is_flat(texture, sampler);
        let at_once = sampler.sampler.anisotropy == 1 && levels && waves.len() <= MAX_WAVES;
        let live = |wave: &Plain| wave.exec != 0 && wave.reference.is_some() == compares;
        let path = fast_path(texture, sampler, compares);
        if !at_once || path != Path::Batch || !waves.iter().all(live) {
            return None;
        }
        let grid = Grid::new(memory, texture, sampler)?;
        Some(Sampling {
            level,
            texture,
            sampler,
            pending: self.locate(level, &grid, texture, sampler, waves),
        })
    }

    /// Finds the texels of waves whose footprints are one probe each.
    fn locate<'a>(
        &mut self,
        level: SimdLevel,
        grid: &Grid<'a>,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        waves: &[Plain],
    ) -> Pending<'a> {
        let s = &sampler.sampler;
        let flat = is_flat(texture, sampler);
        level.run(Locate {
            rule: (!flat).then(|| (rows::lod_rule(texture, sampler), s.mip)),
            grid,
            filter: s.min,
            last: texture.last_level,
            waves,
            places: &mut self.places,
            guess: &mut self.guess,
        });
        for (places, wave) in self.places.iter_mut().zip(waves) {
            places.exec = wave.exec;
            let found = places.found;
            if found.level.is_none() {
                quads::spread(&places.quads.level, &mut self.uneven.level);
                if found.mixed {
                    quads::spread(&places.quads.mix, &mut places.mix);
                }
                self.uneven.prepare(grid, found);
                let footprint = &mut places.footprint;
                self.uneven
                    .find(level, grid, s.min, wave.coords, found, footprint);
            }
        }
        self.located(level, grid, texture, waves)
    }

    /// What is left to do when places are found.
    fn located<'a>(
        &mut self,
        level: SimdLevel,
        grid: &Grid<'a>,
        texture: &PreparedTexture,
        waves: &[Plain],
    ) -> Pending<'a> {
        let mut pending = Pending::Bytes(grid.plane);
        for (places, wave) in self.places.iter_mut().zip(waves) {
            if let Some(reference) = wave.reference {
                pending = Pending::Compared(grid.plane);
                match texture.class {
                    Class::Unorm => {
                        stages::clamp_references(level, reference, &mut places.reference);
                    }
                    _ => places.reference = *reference,
                }
            }
        }
        pending
    }

    /// Levels that the lanes of a wave sample. Rows hold levels and probes where lanes differ.
    fn levels(
        &mut self,
        level: SimdLevel,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        request: &Request,
    ) -> Common {
        let (mip, last) = (sampler.sampler.mip, texture.last_level);
        let WaveFootprint { quads, mix, .. } = &mut self.places[0];
        if is_implicit(request) {
            let rule = rows::lod_rule(texture, sampler);
            let [u, v, _] = request.coords;
            let found = quads::details(level, rule, mip, last, request.exec, [u, v], quads);
            if found.level.is_none() {
                quads::spread(&quads.level, &mut self.uneven.level);
            }
            if found.mixed {
                quads::spread(&quads.mix, mix);
            }
            if found.probes > 1 {
                quads::spread(&quads.probes, &mut self.probes);
                quads::spread(&quads.step[0], &mut self.step[0]);
                quads::spread(&quads.step[1], &mut self.step[1]);
            }
            return found;
        }
        let Some(details) = rows::details(level, texture, sampler, request) else {
            return Common::FIRST;
        };
        let levels = &mut self.uneven.level;
        *levels = [0; LANES];
        *mix = [0; LANES];
        stages::select_levels(level, mip, &details.lod, last, levels, mix);
        self.probes = details.probes;
        self.step = details.step;
        quads::common(level, request.exec, levels, mix, &self.probes)
    }

    /// Sums the probes of anisotropic footprints of a wave to `values`.
    fn run_probes(
        &mut self,
        level: SimdLevel,
        grid: &Grid,
        sampler: &PreparedSampler,
        request: &Request,
    ) {
        let filter = sampler.sampler.min;
        let found = self.places[0].found;
        for index in 1..=found.probes {
            for axis in 0..2 {
                let (coords, step) = (request.coords[axis], &self.step[axis]);
                stages::probe(level, coords, step, index, &self.probes, &mut self.at[axis]);
            }
            let ([u, v], footprint) = (&self.at, &mut self.places[0].footprint);
            self.uneven
                .find(level, grid, filter, [u, v], found, footprint);
            level.run(Bytes {
                plane: grid.plane,
                filter,
                places: &self.places,
                taps: &mut self.taps,
                targets: &mut [Target {
                    exec: request.exec,
                    rows: self.probe.each_mut().map(Some),
                }],
            });
            for (value, sum) in self.probe.iter().zip(&mut self.values) {
                let average = Reduction::Average;
                stages::add_probe(level, average, index, value, &self.probes, sum);
            }
        }
        for sum in &mut self.values {
            stages::finish_probes(level, &self.probes, sum);
        }
    }
}

/// Destination registers of a wave: x, y, z and w.
pub type Out<'a> = [Option<&'a mut Lanes>; 4];

impl Sampling<'_> {
    /// Writes the results of enabled lanes to the registers of a wave.
    pub fn finish(self, scratch: &mut Scratch, out: Out<'_>) {
        self.finish_all(scratch, &mut [out]);
    }

    /// Writes the results of enabled lanes, one target per request; all targets take the same components.
    pub fn finish_all(self, scratch: &mut Scratch, outs: &mut [Out<'_>]) {
        let sources = match self.pending {
            Pending::Results => {
                let Scratch { values, places, .. } = scratch;
                for (value, out) in values.iter().zip(outs.iter_mut().flatten()) {
                    if let Some(out) = out {
                        stages::merge(self.level, places[0].exec, value, out);
                    }
                }
                return;
            }
            // One comparison stands for all components.
            Pending::Compared(_) => self.texture.sources.map(|source| source.map(|_| 0)),
            _ => self.texture.sources,
        };
        let Some(given) = outs.first() else {
            return;
        };
        let mut targets = [const { Target::NONE }; MAX_WAVES];
        let count = outs.len().min(MAX_WAVES);
        if self.texture.in_order
            && matches!(self.pending, Pending::Bytes(_))
            && given.iter().all(Option::is_some)
        {
            for ((target, out), places) in targets.iter_mut().zip(outs).zip(&scratch.places) {
                target.exec = places.exec;
                target.rows = out.each_mut().map(Option::take);
            }
            self.combine(scratch, &mut targets[..count]);
            return;
        }
        // First register of each byte; further ones get copies.
        let mut first = [None; 4];
        let mut rest = false;
        for (c, _) in given.iter().enumerate().filter(|(_, out)| out.is_some()) {
            match sources[c] {
                Some(byte) if first[byte].is_none() => first[byte] = Some(c),
                _ => rest = true,
            }
        }
        for ((target, out), places) in targets.iter_mut().zip(&mut *outs).zip(&scratch.places) {
            target.exec = places.exec;
            for (c, out) in out.iter_mut().enumerate() {
                if let (Some(byte), Some(out)) = (sources[c], out)
                    && first[byte] == Some(c)
                {
                    target.rows[byte] = Some(out);
                }
            }
        }
        self.combine(scratch, &mut targets[..count]);
        if rest {
            for (out, places) in outs.iter_mut().zip(&scratch.places) {
                self.copy(places.exec, sources, first, out);
            }
        }
    }

    /// Writes the registers that get copies of others, or constants.
    fn copy(
        &self,
        exec: u64,
        sources: [Option<usize>; 4],
        first: [Option<usize>; 4],
        out: &mut Out<'_>,
    ) {
        let one = match self.pending {
            Pending::Compared(_) => Class::Float,
            _ => self.texture.class,
        };
        for c in 0..4 {
            let copy = match (sources[c], self.texture.outputs[c]) {
                (Some(byte), _) if first[byte] == Some(c) => continue,
                (Some(byte), _) => first[byte].and_then(|c| out[c].as_deref().copied()),
                (None, Read::One) => Some([one.one(); LANES]),
                _ => Some([0; LANES]),
            };
            if let (Some(copy), Some(out)) = (copy, &mut out[c]) {
                stages::merge(self.level, exec, &copy, out);
            }
        }
    }

    /// Texels to results.
    fn combine(&self, scratch: &mut Scratch, targets: &mut [Target]) {
        let (level, sampler) = (self.level, &self.sampler.sampler);
        let Scratch {
            places,
            taps,
            values,
            ..
        } = scratch;
        match self.pending {
            Pending::Results => {}
            Pending::ByteRows => {
                for Target { exec, rows } in targets {
                    for (value, out) in values.iter().zip(rows) {
                        if let Some(out) = out {
                            stages::merge(level, *exec, value, out);
                        }
                    }
                }
            }
            Pending::Bytes(plane) => level.run(Bytes {
                plane,
                filter: sampler.min,
                places,
                taps,
                targets,
            }),
            Pending::Compared(plane) => level.run(Compared {
                plane,
                op: sampler.compare,
                places,
                taps,
                targets,
            }),
        }
    }
}
