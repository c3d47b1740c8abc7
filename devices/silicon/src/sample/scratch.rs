//! Sampling in two steps, so that results go from texels straight into the registers that coordinates came from.
//!
//! [`Scratch::begin`] reads coordinates and leaves here where the texels lie, or, for shapes and filters that are not
//! common, the results. [`Scratch::finish`] writes registers. Nothing is cleared between waves.

use super::footprint::{Beyond, Bytes, Compared, Extents, Feet, Source, Target};
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
use crate::memory::plane::CHUNK;

/// What [`Scratch::begin`] left.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pending {
    /// Results in `values`, one row per register.
    Results,
    /// Results in `values`, one row per byte of a texel.
    ByteRows,
    /// Places of texels whose bytes are averaged; in two levels?
    Bytes { mixed: bool },
    /// Places of texels that are compared.
    Compared,
}

/// Where the texels of a wave lie, and their weights.
#[derive(Clone, Debug)]
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
pub struct Scratch {
    pending: Pending,
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
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            pending: Pending::Results,
            places: Places::ZERO,
            quads: Quads::ZERO,
            reference: [0; LANES],
            taps: [[[[0; CHUNK]; 4]; 2]; 2],
            values: [[0; LANES]; 4],
            probes: [1; LANES],
            step: [[0; LANES]; 2],
            at: [[0; LANES]; 2],
            probe: [[0; LANES]; 4],
        }
    }
}

/// How texels of a grid are combined by [`super::footprint`], if they are.
fn combination(
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
) -> Option<Pending> {
    let s = &sampler.sampler;
    if request.reference.is_some() {
        let once = s.mip != MipFilter::Linear && s.anisotropy == 1;
        let compared = once && s.mag == Filter::Linear && texture.is_float();
        return compared.then_some(Pending::Compared);
    }
    let bytes = texture.taps == Taps::Bytes && s.reduction == Reduction::Average;
    bytes.then_some(Pending::Bytes { mixed: false })
}

impl Scratch {
    /// Samples a texture: filtered values, or filtered results of comparisons when the request has a reference.
    pub fn begin(
        &mut self,
        level: Level,
        memory: &Memory,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        request: &Request,
    ) {
        let grid = Grid::new(memory, texture, sampler).filter(|_| request.offsets.is_none());
        let common = combination(texture, sampler, request).zip(grid.as_ref());
        let Some((pending, grid)) = common.filter(|_| request.exec != 0) else {
            self.pending = Pending::Results;
            rows::sample(level, memory, texture, sampler, request, &mut self.values);
            return;
        };
        let found = self.levels(level, texture, sampler, request);
        self.places.prepare(grid, found);
        let [u, v, _] = request.coords;
        self.pending = match pending {
            Pending::Bytes { .. } if found.probes > 1 => {
                self.run_probes(level, grid, sampler, request, found);
                Pending::ByteRows
            }
            _ => {
                let filter = sampler.sampler.min;
                self.places.find(level, grid, filter, [u, v], found);
                match pending {
                    Pending::Bytes { .. } => Pending::Bytes { mixed: found.mixed },
                    pending => pending,
                }
            }
        };
        if let Some(reference) = request.reference {
            match texture.class {
                Class::Unorm => stages::clamp_references(level, reference, &mut self.reference),
                _ => self.reference = *reference,
            }
        }
    }

    /// Levels that lanes sample. Rows hold them where lanes differ.
    fn levels(
        &mut self,
        level: Level,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        request: &Request,
    ) -> Common {
        let s = &sampler.sampler;
        let last = texture.last_level;
        if matches!(request.lod, Lod::Implicit) && request.lod_clamp.is_none() {
            if s.mip == MipFilter::None && s.anisotropy == 1 {
                return Common {
                    level: Some(0),
                    mixed: false,
                    probes: 1,
                };
            }
            let rule = rows::lod_rule(texture, sampler);
            let [u, v, _] = request.coords;
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
            return found;
        }
        let Some(details) = rows::details(level, texture, sampler, request) else {
            return Common {
                level: Some(0),
                mixed: false,
                probes: 1,
            };
        };
        let Places {
            level: levels, mix, ..
        } = &mut self.places;
        *levels = [0; LANES];
        *mix = [0; LANES];
        stages::select_levels(level, s.mip, &details.lod, last, levels, mix);
        self.probes = details.probes;
        self.step = details.step;
        let lead = levels[request.exec.trailing_zeros() as usize % LANES];
        let mut found = Common {
            level: Some(lead),
            mixed: false,
            probes: 1,
        };
        for lane in super::reference::lanes(request.exec) {
            if levels[lane] != lead {
                found.level = None;
            }
            found.mixed |= mix[lane] != 0;
            found.probes = found.probes.max(self.probes[lane]);
        }
        found
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

    /// Writes the results of the enabled lanes of `exec`, those of the request, to the registers of x, y, z and w.
    pub fn finish(
        &mut self,
        level: Level,
        memory: &Memory,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        exec: u64,
        mut out: [Option<&mut Lanes>; 4],
    ) {
        if exec == 0 {
            return;
        }
        if self.pending == Pending::Results {
            for (value, out) in self.values.iter().zip(out) {
                if let Some(out) = out {
                    stages::merge(level, exec, value, out);
                }
            }
            return;
        }
        // Which register each byte goes to first; others get copies.
        let source = texture.sources(self.pending == Pending::Compared);
        let mut first = [None; 4];
        let mut rows = [None, None, None, None];
        for (c, out) in out.iter_mut().enumerate() {
            if let (Some(byte), Some(out)) = (source[c], out)
                && first[byte].is_none()
            {
                first[byte] = Some(c);
                rows[byte] = Some(&mut **out);
            }
        }
        let target = Target { exec, rows };
        self.combine(level, memory, texture, sampler, target);
        let one = match self.pending {
            Pending::Compared => Class::Float,
            _ => texture.class,
        };
        for c in 0..4 {
            let copy = match (source[c], texture.outputs[c]) {
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
    fn combine(
        &mut self,
        level: Level,
        memory: &Memory,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        target: Target,
    ) {
        if self.pending == Pending::ByteRows {
            for (value, out) in self.values.iter().zip(target.rows) {
                if let Some(out) = out {
                    stages::merge(level, target.exec, value, out);
                }
            }
            return;
        }
        let Some(Grid { plane, .. }) = Grid::new(memory, texture, sampler) else {
            return;
        };
        let [near, far] = &self.places.feet;
        if let Pending::Bytes { mixed } = self.pending {
            level.run(Bytes {
                plane,
                filter: sampler.sampler.min,
                near,
                far: mixed.then_some((far, &self.places.mix)),
                taps: &mut self.taps,
                target,
            });
        } else {
            level.run(Compared {
                plane,
                near,
                op: sampler.sampler.compare,
                reference: &self.reference,
                taps: &mut self.taps,
                target,
            });
        }
    }
}
