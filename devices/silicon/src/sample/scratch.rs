//! Sampling in two steps, so that results go from texels straight into the registers that coordinates came from.
//!
//! [`Scratch::begin`] reads coordinates and leaves here where the texels lie, or, for shapes and filters that are not
//! common, the results. [`Sampling::finish`] writes registers. Nothing is cleared between waves.

use super::footprint::{Beyond, Bytes, Compared, Extents, Feet, Source, Target};
use super::locate::Locate;
use super::pairs::Grid;
use super::quads::{self, Common, Quads};
use super::rows;
use super::stages;
use super::{
    Filter, LANES, Lanes, Lod, MipFilter, PreparedSampler, PreparedTexture, Reduction, Request,
    Taps,
};
use crate::format::{Class, Read};
use crate::level::Level;
use crate::memory::Memory;
use crate::memory::plane::{CHUNK, Plane};

/// What [`Scratch::begin`] left.
#[derive(Clone, Copy)]
enum Pending<'a> {
    /// Results in `values`, one row per register.
    Results,
    /// Results in `values`, one row per byte of a texel.
    ByteRows,
    /// Places of texels whose bytes are averaged; in two levels?
    Bytes(Plane<'a>, bool),
    /// Places of texels that are compared.
    Compared(Plane<'a>),
}

/// A sample instruction that is half done.
pub struct Sampling<'a> {
    level: Level,
    texture: &'a PreparedTexture,
    sampler: &'a PreparedSampler,
    /// Lanes that want a result.
    exec: u64,
    pending: Pending<'a>,
}

/// Where the texels of a wave lie, and their weights.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Places {
    /// Level of each lane, where lanes differ.
    level: [i32; LANES],
    /// Weight of the next level, where some is not 0.
    mix: Lanes,
    /// Of this level and the next one, where lanes differ.
    extents: [Extents; 2],
    feet: [Feet; 2],
}

impl Places {
    const ZERO: Places = Places {
        level: [0; LANES],
        mix: [0; LANES],
        extents: [Extents::ZERO; 2],
        feet: [Feet::ZERO; 2],
    };

    /// Looks up the sizes of levels.
    fn prepare(&mut self, grid: &Grid, found: Common) {
        if found.level.is_none() {
            for step in 0..1 + i32::from(found.mixed) {
                self.extents[step as usize].fill(grid, &self.level, step);
            }
        }
    }

    /// Finds the texels at coordinates.
    fn find(
        &mut self,
        level: Level,
        grid: &Grid,
        filter: Filter,
        coords: [&Lanes; 2],
        found: Common,
    ) {
        for step in 0..1 + i32::from(found.mixed) {
            let source = match found.level {
                Some(index) => Source::Level(grid.extent(index + step)),
                None => Source::Rows(&self.extents[step as usize]),
            };
            let how = (filter, Beyond::Any);
            self.feet[step as usize].find(level, grid, source, how, coords);
        }
    }
}

/// Rows that sampling works in. One serves any number of waves, one after the other.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Scratch {
    places: Places,
    quads: Quads,
    reference: Lanes,
    /// Of sixteen lanes and of those before them, in two levels.
    taps: [[[[u32; CHUNK]; 4]; 2]; 2],
    values: [Lanes; 4],
    /// Rows of the probes of anisotropic footprints: number, axis, coordinates, result.
    probes: Lanes,
    step: [Lanes; 2],
    at: [Lanes; 2],
    probe: [Lanes; 4],
    /// The level of the wave before.
    guess: i32,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            places: Places::ZERO,
            quads: Quads::ZERO,
            reference: [0; LANES],
            taps: [[[[0; CHUNK]; 4]; 2]; 2],
            values: [[0; LANES]; 4],
            probes: [1; LANES],
            step: [[0; LANES]; 2],
            at: [[0; LANES]; 2],
            probe: [[0; LANES]; 4],
            guess: 0,
        }
    }
}

/// Whether [`super::footprint`] compares or averages texels as the request asks.
fn is_common(texture: &PreparedTexture, sampler: &PreparedSampler, request: &Request) -> bool {
    let s = &sampler.sampler;
    if request.offsets.is_some() || request.exec == 0 {
        return false;
    }
    match request.reference {
        Some(_) => {
            let one_level = s.mip != MipFilter::Linear || texture.last_level == 0;
            let once = one_level && s.anisotropy == 1;
            once && s.mag == Filter::Linear && texture.is_float()
        }
        None => texture.taps == Taps::Bytes && s.reduction == Reduction::Average,
    }
}

impl Scratch {
    /// Samples a texture: filtered values, or filtered results of comparisons when the request has a reference.
    pub fn begin<'a>(
        &mut self,
        level: Level,
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &'a PreparedSampler,
        request: &Request,
    ) -> Sampling<'a> {
        let mut sampling = Sampling {
            level,
            texture,
            sampler,
            exec: request.exec,
            pending: Pending::Results,
        };
        let grid = match is_common(texture, sampler, request) {
            true => Grid::new(memory, texture, sampler),
            false => None,
        };
        let Some(grid) = grid else {
            rows::sample(level, memory, texture, sampler, request, &mut self.values);
            return sampling;
        };
        let [u, v, _] = request.coords;
        let (found, located) = self.levels(level, &grid, texture, sampler, request);
        if found.probes > 1 {
            self.places.prepare(&grid, found);
            self.run_probes(level, &grid, sampler, request, found);
            sampling.pending = Pending::ByteRows;
            return sampling;
        }
        let filter = sampler.sampler.min;
        if !located {
            self.places.prepare(&grid, found);
            self.places.find(level, &grid, filter, [u, v], found);
        }
        sampling.pending = match request.reference {
            Some(reference) => {
                match texture.class {
                    Class::Unorm => {
                        stages::clamp_references(level, reference, &mut self.reference);
                    }
                    _ => self.reference = *reference,
                }
                Pending::Compared(grid.plane)
            }
            None => Pending::Bytes(grid.plane, found.mixed),
        };
        sampling
    }

    /// Levels that lanes sample, and whether [`Places::feet`] are found already. Rows hold levels where lanes differ.
    fn levels(
        &mut self,
        level: Level,
        grid: &Grid,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        request: &Request,
    ) -> (Common, bool) {
        let s = &sampler.sampler;
        let last = texture.last_level;
        let [u, v, _] = request.coords;
        let first = s.anisotropy == 1 && (last == 0 || s.mip == MipFilter::None);
        let implicit = matches!(request.lod, Lod::Implicit) && request.lod_clamp.is_none();
        if first || implicit && s.anisotropy == 1 {
            let rule = (!first).then(|| (rows::lod_rule(texture, sampler), s.mip));
            let found = level.run(Locate {
                rule,
                grid,
                filter: s.min,
                last,
                exec: request.exec,
                coords: [u, v],
                quads: &mut self.quads,
                mix: &mut self.places.mix,
                feet: &mut self.places.feet,
                guess: &mut self.guess,
            });
            if found.level.is_none() {
                quads::spread(&self.quads.level, &mut self.places.level);
                if found.mixed {
                    quads::spread(&self.quads.mix, &mut self.places.mix);
                }
            }
            return (found, found.level.is_some());
        }
        if implicit {
            let rule = rows::lod_rule(texture, sampler);
            let quads = &mut self.quads;
            let found = quads::details(level, rule, s.mip, last, request.exec, [u, v], quads);
            if found.level.is_none() {
                quads::spread(&quads.level, &mut self.places.level);
            }
            if found.mixed {
                quads::spread(&quads.mix, &mut self.places.mix);
            }
            if found.probes > 1 {
                quads::spread(&quads.probes, &mut self.probes);
                quads::spread(&quads.step[0], &mut self.step[0]);
                quads::spread(&quads.step[1], &mut self.step[1]);
            }
            return (found, false);
        }
        let Some(details) = rows::details(level, texture, sampler, request) else {
            return (Common::FIRST, false);
        };
        let Places {
            level: levels, mix, ..
        } = &mut self.places;
        *levels = [0; LANES];
        *mix = [0; LANES];
        stages::select_levels(level, s.mip, &details.lod, last, levels, mix);
        self.probes = details.probes;
        self.step = details.step;
        let found = quads::common(level, request.exec, levels, mix, &self.probes);
        (found, false)
    }

    /// Sums the probes of anisotropic footprints to `values`.
    fn run_probes(
        &mut self,
        level: Level,
        grid: &Grid,
        sampler: &PreparedSampler,
        request: &Request,
        found: Common,
    ) {
        let filter = sampler.sampler.min;
        for index in 1..=found.probes {
            for axis in 0..2 {
                let (coords, step) = (request.coords[axis], &self.step[axis]);
                stages::probe(level, coords, step, index, &self.probes, &mut self.at[axis]);
            }
            let [u, v] = &self.at;
            self.places.find(level, grid, filter, [u, v], found);
            level.run(Bytes {
                plane: grid.plane,
                filter,
                near: &self.places.feet[0],
                far: found
                    .mixed
                    .then_some((&self.places.feet[1], &self.places.mix)),
                taps: &mut self.taps,
                target: Target {
                    exec: request.exec,
                    rows: self.probe.each_mut().map(Some),
                },
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

impl Sampling<'_> {
    /// Writes the results of the enabled lanes to the registers of x, y, z and w.
    pub fn finish(self, scratch: &mut Scratch, mut out: [Option<&mut Lanes>; 4]) {
        let (level, exec) = (self.level, self.exec);
        if let Pending::Bytes(..) = self.pending
            && self.texture.in_order
            && out.iter().all(Option::is_some)
        {
            self.combine(scratch, Target { exec, rows: out });
            return;
        }
        let sources = match self.pending {
            Pending::Results => {
                for (value, out) in scratch.values.iter().zip(out) {
                    if let Some(out) = out {
                        stages::merge(level, exec, value, out);
                    }
                }
                return;
            }
            // One comparison stands for all components.
            Pending::Compared(_) => self.texture.sources.map(|source| source.map(|_| 0)),
            _ => self.texture.sources,
        };
        // Which register each byte goes to first; others get copies.
        let mut first = [None; 4];
        let mut rows = [None, None, None, None];
        let mut rest = false;
        for (c, out) in out.iter_mut().enumerate() {
            let Some(out) = out else { continue };
            match sources[c] {
                Some(byte) if first[byte].is_none() => {
                    first[byte] = Some(c);
                    rows[byte] = Some(&mut **out);
                }
                _ => rest = true,
            }
        }
        self.combine(scratch, Target { exec, rows });
        if !rest {
            return;
        }
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
                stages::merge(level, exec, &copy, out);
            }
        }
    }

    /// Texels to results.
    fn combine(&self, scratch: &mut Scratch, target: Target) {
        let (level, sampler) = (self.level, &self.sampler.sampler);
        let [near, far] = &scratch.places.feet;
        match self.pending {
            Pending::Results => {}
            Pending::ByteRows => {
                for (value, out) in scratch.values.iter().zip(target.rows) {
                    if let Some(out) = out {
                        stages::merge(level, target.exec, value, out);
                    }
                }
            }
            Pending::Bytes(plane, mixed) => level.run(Bytes {
                plane,
                filter: sampler.min,
                near,
                far: mixed.then_some((far, &scratch.places.mix)),
                taps: &mut scratch.taps,
                target,
            }),
            Pending::Compared(plane) => level.run(Compared {
                plane,
                near,
                op: sampler.compare,
                reference: &scratch.reference,
                taps: &mut scratch.taps,
                target,
            }),
        }
    }
}
