//! Sampling in two steps, so that results may overwrite coordinate registers. [`Scratch::begin`] reads coordinates and
//! keeps footprints (or, off the fast path, results); [`Sampling::finish`] writes registers. Not cleared between waves.

use super::by_lane::ByLane;
use super::bytes::Taps;
use super::cube::split_faces;
use super::finish::Filters;
use super::footprint::{Extents, Footprint, Rules, Source};
use super::kept::Kept;
use super::locate::{Find, Levels, Locate};
use super::pairs::Grid;
use super::path::{Kind, Path, fast_path, kind, rules};
use super::quads::{self, Common, Differences, Quads};
use super::repeats::{Found, Joins, Repeats};
use super::room::{Bound, Room};
use super::rows;
use super::rules::{linear_level, nearest_level};
use super::stages;
use super::target::Target;
use super::values;
use super::{LANES, Lanes, Lod, MipFilter, PreparedSampler, PreparedTexture, Reduction, Request};
use crate::memory::Memory;
use crate::memory::plane::CHUNK;
use crate::memory::window::Window;
use crate::texture::format::{Class, Read};
use host::SimdLevel;

/// Largest wave batch to sample at once.
pub const MAX_WAVES: usize = 32;

/// Probes of a wave that are filtered at once.
const PROBES: usize = 4;

/// What [`Scratch::begin`] left.
#[derive(Clone, Copy)]
pub(super) enum Pending<'a> {
    /// Results of one wave in `values`, one row per register.
    Results,
    /// Results of one wave in `values`, one row per byte or component of a texel.
    Rows(Kind),
    /// Footprints of texels that are filtered.
    Texels(Grid<'a>, Kind),
}

/// A sample instruction that is half done.
pub struct Sampling<'a> {
    pub(super) level: SimdLevel,
    pub(super) memory: &'a Memory,
    pub(super) texture: &'a PreparedTexture,
    pub(super) sampler: &'a PreparedSampler,
    pub(super) pending: Pending<'a>,
}

/// Footprint of a wave: texel positions and weights.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct WaveFootprint {
    /// In the lanes' levels and in the next ones.
    pub footprint: [Footprint; 2],
    /// Weight of the next mip level, if any is not 0.
    pub mix: Lanes,
    /// Levels of lanes whose levels of detail are given.
    pub level: [i32; LANES],
    pub quads: Quads,
    /// What texels are compared with.
    pub reference: Lanes,
    /// What the quads have in common.
    pub found: Common,
    /// Lanes that want a result.
    pub exec: u64,
    /// Lanes whose footprints leave a face of a cube: their results are known.
    pub beyond: u64,
}

impl WaveFootprint {
    const ZERO: WaveFootprint = WaveFootprint {
        footprint: [Footprint::ZERO; 2],
        mix: [0; LANES],
        level: [0; LANES],
        quads: Quads::ZERO,
        reference: [0; LANES],
        found: Common::FIRST,
        exec: 0,
        beyond: 0,
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
                self.extents[step as usize].fill(grid, &self.level, step);
            }
        }
    }

    /// Finds the texels at coordinates.
    fn find(
        &self,
        level: SimdLevel,
        grid: &Grid,
        rules: &Rules,
        wave: &Plain,
        found: Common,
        footprint: &mut [Footprint; 2],
    ) {
        for step in 0..1 + i32::from(found.mixed) {
            let footprint = &mut footprint[step as usize];
            let extent;
            let source = match found.level {
                Some(index) => {
                    extent = grid.extent(index + step);
                    if grid.varies() {
                        let carries = grid.join(index + step).carries();
                        footprint.at.carry(&[carries; LANES]);
                    }
                    Source::Level(&extent)
                }
                None => Source::Rows(&self.extents[step as usize]),
            };
            footprint.find(level, grid, rules, source, wave);
        }
    }
}

/// Scratch rows of sampling, for any number of waves in sequence, up to [`MAX_WAVES`] in a batch.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Scratch {
    pub(super) places: [WaveFootprint; MAX_WAVES],
    uneven: Uneven,
    /// Taps of the current and the previous sixteen lanes, on two mip levels.
    pub(super) taps: [[Taps; 2]; 2],
    /// Texels of this wave and the one before, on two mip levels.
    pub(super) words: [[[[Lanes; 4]; 4]; 2]; 2],
    pub(super) rows: values::Rows,
    /// Texels around this wave and the one before, on two mip levels.
    pub(super) windows: [[Window; 2]; 2],
    /// Results of lanes whose footprints leave a face.
    pub(super) beyond: [[Lanes; 4]; MAX_WAVES],
    pub(super) values: [Lanes; 4],
    /// Rows of the probes of anisotropic footprints: number, axis, coordinates, result.
    probes: Lanes,
    step: [Lanes; 2],
    at: [[Lanes; 2]; PROBES],
    probe: [[Lanes; 4]; PROBES],
    sums: [[Lanes; 2]; 4],
    /// Coordinates of a cube on one face per quad.
    flat: [Lanes; 2],
    differences: Differences,
    /// Coordinates, faces and layers of cubes, once there was one.
    faces: Option<Box<[[Lanes; 4]; MAX_WAVES]>>,
    /// The level of the wave before.
    guess: i32,
    /// What the places of a batch were found for, where another instruction may take them.
    found: Option<(Found, Joins)>,
    /// Texels that were gathered, once another instruction might have taken them.
    pub(super) kept: Option<Box<Kept>>,
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
            words: [[[[[0; LANES]; 4]; 4]; 2]; 2],
            rows: values::Rows::ZERO,
            windows: [const { [Window::EMPTY; 2] }; 2],
            beyond: [[[0; LANES]; 4]; MAX_WAVES],
            values: [[0; LANES]; 4],
            probes: [1; LANES],
            step: [[0; LANES]; 2],
            at: [[[0; LANES]; 2]; PROBES],
            probe: [[[0; LANES]; 4]; PROBES],
            sums: [[[0; LANES]; 2]; 4],
            flat: [[0; LANES]; 2],
            differences: Differences::ZERO,
            faces: None,
            guess: 0,
            found: None,
            kept: None,
            room: Room::default(),
        }
    }
}

/// The request of one wave in a batch with one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    /// As in [`Request::exec`].
    pub exec: u64,
    /// As in [`Request::coords`].
    pub coords: [&'a Lanes; 3],
    /// As in [`Request::layer`].
    pub layer: Option<&'a Lanes>,
    /// Where coordinates count from, if z is not a face but 8 * layer + face: [`split_faces`](super::split_faces).
    pub face_ids: Option<f32>,
    /// Reference value of a comparison.
    pub reference: Option<&'a Lanes>,
    /// As in [`Request::lod`].
    pub lod: Lod<'a>,
    /// As in [`Request::lod_clamp`].
    pub lod_clamp: Option<&'a Lanes>,
    /// As in [`Request::offsets`].
    pub offsets: Option<&'a Lanes>,
}

impl Plain<'_> {
    /// Of no lane.
    pub const NONE: Plain<'static> = Plain {
        exec: 0,
        coords: [&[0; LANES]; 3],
        layer: None,
        face_ids: None,
        reference: None,
        lod: Lod::Zero,
        lod_clamp: None,
        offsets: None,
    };

    /// Whether lanes of a quad may differ in their levels.
    #[inline(always)]
    pub(super) fn is_by_lane(&self) -> bool {
        self.lod_clamp.is_some() || !matches!(self.lod, Lod::Implicit | Lod::Zero)
    }

    /// Whether levels and texels are found in the same way.
    fn is_like(&self, other: &Plain) -> bool {
        std::mem::discriminant(&self.lod) == std::mem::discriminant(&other.lod)
            && self.lod_clamp.is_some() == other.lod_clamp.is_some()
            && self.offsets.is_some() == other.offsets.is_some()
    }

    fn of<'a>(request: &Request<'a>) -> Plain<'a> {
        Plain {
            exec: request.exec,
            coords: request.coords,
            layer: request.layer,
            face_ids: None,
            reference: request.reference,
            lod: request.lod,
            lod_clamp: request.lod_clamp,
            offsets: request.offsets,
        }
    }

    fn request(&self) -> Request<'_> {
        Request {
            exec: self.exec,
            coords: self.coords,
            layer: self.layer,
            lod: Lod::Zero,
            lod_clamp: None,
            reference: self.reference,
            offsets: self.offsets,
        }
    }
}

/// Whether all lanes sample level 0.
fn is_flat(texture: &PreparedTexture, sampler: &PreparedSampler) -> bool {
    texture.last_level == 0 || sampler.sampler.mip == MipFilter::None
}

/// Whether LOD derives from coordinate differences only.
fn is_implicit(request: &Request) -> bool {
    matches!(request.lod, Lod::Implicit) && request.lod_clamp.is_none()
}

/// What a batch samples, unless its waves must be sampled one by one.
fn grid_at_once<'a>(bound: Bound<'a>, waves: &[Plain]) -> Option<Grid<'a>> {
    let Bound {
        memory,
        texture,
        sampler,
    } = bound;
    let first = waves.first()?;
    let compares = first.reference.is_some();
    let at_once = texture.anisotropy(sampler) == 1 && waves.len() <= MAX_WAVES;
    let same = |wave: &Plain| wave.reference.is_some() == compares && wave.is_like(first);
    let live = |wave: &Plain| wave.exec != 0 && same(wave);
    let path = fast_path(texture, sampler, compares);
    if !at_once || path != Path::Batch || !waves.iter().all(live) {
        return None;
    }
    Grid::new(memory, texture, sampler)
}

/// Level of samples whose level of detail is 0, and weight of the next one.
fn first_level(texture: &PreparedTexture, sampler: &PreparedSampler) -> (i32, u32) {
    let rule = rows::lod_rule(texture, sampler);
    let mut lods = [rule.fixed(0.0, rule.low)];
    rule.steepen(&mut lods);
    let [lod] = lods;
    match sampler.sampler.mip {
        MipFilter::None => (0, 0),
        MipFilter::Nearest => (nearest_level(lod, texture.last_level), 0),
        MipFilter::Linear => linear_level(lod, texture.last_level),
    }
}

impl Scratch {
    /// Has the next batch find its places, also where it says that they are those of the one before.
    pub fn forget(&mut self) {
        self.found = None;
        self.forget_gathered();
    }

    fn forget_gathered(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.of = None;
        }
    }

    /// Samples a texture: filtered values, or filtered results of comparisons when the request has a reference.
    pub fn begin<'a>(
        &mut self,
        level: SimdLevel,
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &'a PreparedSampler,
        request: &Request,
    ) -> Sampling<'a> {
        let Request {
            exec, reference, ..
        } = *request;
        self.places[0].exec = exec;
        self.forget();
        self.room.blocks.start();
        let bound = Bound {
            memory,
            texture,
            sampler,
        };
        let grid = match exec != 0 {
            true => Grid::new(memory, texture, sampler),
            false => None,
        };
        let sampling = |pending| Sampling {
            level,
            memory,
            texture,
            sampler,
            pending,
        };
        let path = fast_path(texture, sampler, reference.is_some());
        let grid = match grid {
            Some(grid) if path == Path::Batch => grid,
            grid => {
                if exec != 0 {
                    let grid = grid.filter(|grid| !grid.plane.is_blocks());
                    let (room, values) = (&mut self.room, &mut self.values);
                    rows::sample(level, room, bound, grid.as_ref(), request, values);
                }
                return sampling(Pending::Results);
            }
        };
        let plain = Plain::of(request);
        if texture.anisotropy(sampler) == 1 {
            return sampling(self.locate(level, bound, grid, &[plain], Repeats::default()));
        }
        let kind = kind(&grid, texture, sampler, reference.is_some());
        let rules = rules(&grid, sampler, kind);
        let found = self.levels(level, texture, sampler, request);
        self.places[0].found = found;
        self.uneven.prepare(&grid, found);
        if found.probes > 1 {
            self.run_probes(level, (&grid, kind), (bound, &rules), request);
            return sampling(Pending::Rows(kind));
        }
        let footprint = &mut self.places[0].footprint;
        self.uneven
            .find(level, &grid, &rules, &plain, found, footprint);
        self.look_beyond(level, bound, 0, &plain);
        sampling(self.located(level, grid, kind, texture, &[plain]))
    }

    /// Samples a batch of up to [`MAX_WAVES`] waves with one instruction. `None` if the waves must be sampled one by one.
    ///
    /// Of `repeats`, `before` says that what waves give lies in the rows of the batch before, which hold what they held then,
    /// and that the same lanes want results, `later` that the next batch may say so: places are found once for all textures of
    /// one size.
    pub fn begin_all<'a>(
        &mut self,
        level: SimdLevel,
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &'a PreparedSampler,
        waves: &[Plain],
        repeats: Repeats,
    ) -> Option<Sampling<'a>> {
        self.forget_gathered();
        let bound = Bound {
            memory,
            texture,
            sampler,
        };
        let Some(grid) = grid_at_once(bound, waves) else {
            self.found = None;
            return None;
        };
        self.room.blocks.start();
        Some(Sampling {
            level,
            memory,
            texture,
            sampler,
            pending: match waves.iter().any(|wave| wave.face_ids.is_some()) {
                true => self.locate_faces(level, bound, grid, waves),
                false => self.locate(level, bound, grid, waves, repeats),
            },
        })
    }

    /// [`Scratch::locate`] of waves whose layers and faces are in one number.
    fn locate_faces<'a>(
        &mut self,
        level: SimdLevel,
        bound: Bound,
        grid: Grid<'a>,
        waves: &[Plain],
    ) -> Pending<'a> {
        let none = || Box::new([[[0; LANES]; 4]; MAX_WAVES]);
        let mut rows = self.faces.take().unwrap_or_else(none);
        let mut split = [Plain::NONE; MAX_WAVES];
        for ((wave, rows), split) in waves.iter().zip(rows.iter_mut()).zip(&mut split) {
            *split = *wave;
            if let Some(origin) = wave.face_ids {
                split_faces(level, origin, wave.coords, rows);
                let [x, y, face, layer] = &*rows;
                split.coords = [x, y, face];
                split.layer = Some(layer);
            }
        }
        let count = waves.len().min(MAX_WAVES);
        let pending = self.locate(level, bound, grid, &split[..count], Repeats::default());
        self.faces = Some(rows);
        pending
    }

    /// Finds the texels of waves whose footprints are one probe each.
    fn locate<'a>(
        &mut self,
        level: SimdLevel,
        bound: Bound,
        grid: Grid<'a>,
        waves: &[Plain],
        repeats: Repeats,
    ) -> Pending<'a> {
        let Bound {
            texture, sampler, ..
        } = bound;
        let compares = waves.iter().any(|wave| wave.reference.is_some());
        let kind = kind(&grid, texture, sampler, compares);
        let rules = rules(&grid, sampler, kind);
        // They find levels in the same way.
        let first = waves.first().unwrap_or(&Plain::NONE);
        let rule = rows::lod_rule(texture, sampler);
        let seams = bound.has_seams();
        let levels = if is_flat(texture, sampler) {
            Levels::Uniform(0, 0)
        } else if first.is_by_lane() {
            Levels::Given
        } else if matches!(first.lod, Lod::Zero) {
            let (first, mix) = first_level(texture, sampler);
            Levels::Uniform(first, mix)
        } else {
            Levels::Computed(rule, sampler.sampler.mip)
        };
        let may_stay = repeats.before && self.found.is_some();
        let mip = sampler.sampler.mip;
        let mut stays = false;
        // What was found is large, and stays where it is.
        if !seams && (repeats.later || may_stay) {
            let now = Found::of(&grid, &rules, waves, (levels, rule, mip));
            let joins = grid.joins();
            if let (true, Some((before, other))) = (may_stay, &self.found)
                && *before == now
            {
                // Where lanes differ in their levels, places have the bits that carry in each.
                let mut places = self.places.iter().take(waves.len());
                let even = |place: &WaveFootprint| place.found.level.is_some();
                stays = other == joins || places.all(even);
            }
            self.found = Some((now, *joins));
        } else {
            self.found = None;
        }
        if stays {
            return self.located(level, grid, kind, texture, waves);
        }
        if levels == Levels::Given {
            level.run(ByLane {
                rule,
                mip: sampler.sampler.mip,
                last: texture.last_level,
                dim: grid.dim(),
                waves,
                places: &mut self.places,
                flat: &mut self.flat,
                differences: &mut self.differences,
            });
        }
        level.run(Locate {
            levels,
            grid: &grid,
            rules: &rules,
            last: texture.last_level,
            waves,
            places: &mut self.places,
            flat: &mut self.flat,
            differences: &mut self.differences,
            guess: &mut self.guess,
        });
        for (index, wave) in waves.iter().enumerate().take(MAX_WAVES) {
            let places = &mut self.places[index];
            places.exec = wave.exec;
            let found = places.found;
            if found.level.is_none() {
                if wave.is_by_lane() {
                    self.uneven.level = places.level;
                } else {
                    quads::spread(&places.quads.level, &mut self.uneven.level);
                    if found.mixed {
                        quads::spread(&places.quads.mix, &mut places.mix);
                    }
                }
            }
            if found.level.is_none() || wave.offsets.is_some() {
                self.uneven.prepare(&grid, found);
                let footprint = &mut places.footprint;
                self.uneven
                    .find(level, &grid, &rules, wave, found, footprint);
            }
            if seams {
                self.look_beyond(level, bound, index, wave);
            } else {
                self.places[index].beyond = 0;
            }
        }
        self.located(level, grid, kind, texture, waves)
    }

    /// Filters the lanes of a wave whose footprints leave a face of a cube.
    fn look_beyond(&mut self, level: SimdLevel, bound: Bound, index: usize, wave: &Plain) {
        let texture = bound.texture;
        let places = &mut self.places[index];
        places.beyond = 0;
        if !bound.has_seams() {
            return;
        }
        let Common {
            level: uniform,
            mixed,
            ..
        } = places.found;
        let mix = if mixed { &places.mix } else { &[0; LANES] };
        let first = match uniform {
            Some(uniform) => &[uniform; LANES],
            None => &self.uneven.level,
        };
        let [u, v, _] = wave.coords;
        let mask = match wave.offsets {
            Some(_) => wave.exec,
            None => wave.exec & texture.beyond(level, [u, v], first, mix, uniform),
        };
        places.beyond = mask;
        if mask != 0 {
            let (room, out) = (&mut self.room, &mut self.beyond[index]);
            rows::sample_beyond(level, room, bound, &wave.request(), mask, (first, mix), out);
        }
    }

    /// What is left to do when places are found.
    fn located<'a>(
        &mut self,
        level: SimdLevel,
        grid: Grid<'a>,
        kind: Kind,
        texture: &PreparedTexture,
        waves: &[Plain],
    ) -> Pending<'a> {
        self.compare_with(level, texture, waves);
        Pending::Texels(grid, kind)
    }

    /// Takes what the texels of waves are compared with, if they are.
    pub(super) fn compare_with(
        &mut self,
        level: SimdLevel,
        texture: &PreparedTexture,
        waves: &[Plain],
    ) {
        for (places, wave) in self.places.iter_mut().zip(waves) {
            if let Some(reference) = wave.reference {
                match texture.class {
                    Class::Unorm => {
                        stages::clamp_references(level, reference, &mut places.reference);
                    }
                    _ => places.reference = *reference,
                }
            }
        }
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
            let found = quads::details(level, rule, mip, last, request.exec, request.coords, quads);
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

    /// Sums the probes of anisotropic footprints of a wave to `values`: a few at a time, as the waves of a batch.
    fn run_probes(
        &mut self,
        level: SimdLevel,
        (grid, kind): (&Grid, Kind),
        (bound, rules): (Bound, &Rules),
        request: &Request,
    ) {
        // Components of results, or all bytes of texels.
        let outputs = &bound.texture.outputs;
        let needed =
            [0, 1, 2, 3].map(|c| kind == Kind::Bytes || outputs.contains(&Read::Channel(c)));
        let average = Reduction::Average;
        let found = self.places[0].found;
        let (first, others) = self.places.split_at_mut(1);
        for place in others.iter_mut().take(PROBES - 1) {
            (place.found, place.exec, place.beyond) = (found, request.exec, 0);
            if found.mixed {
                place.mix = first[0].mix;
            }
        }
        for start in (1..=found.probes).step_by(PROBES) {
            let count = PROBES.min((found.probes + 1 - start) as usize);
            let mut waves = [Plain::of(request); PROBES];
            for ((index, at), wave) in (start..).zip(&mut self.at).zip(&mut waves).take(count) {
                for (axis, at) in at.iter_mut().enumerate() {
                    let (coords, step) = (request.coords[axis], &self.step[axis]);
                    stages::probe(level, coords, step, index, &self.probes, at);
                }
                let [u, v] = &*at;
                wave.coords = [u, v, request.coords[2]];
            }
            let waves = &waves[..count];
            match found.level {
                Some(first) if request.offsets.is_none() => level.run(Find {
                    grid,
                    rules,
                    level: first,
                    steps: found.levels(),
                    waves,
                    places: &mut self.places[..count],
                }),
                _ => {
                    for (wave, place) in waves.iter().zip(&mut self.places) {
                        let footprint = &mut place.footprint;
                        self.uneven.find(level, grid, rules, wave, found, footprint);
                    }
                }
            }
            let mut targets = [const { Target::NONE }; PROBES];
            for (target, rows) in targets.iter_mut().zip(&mut self.probe) {
                target.exec = request.exec;
                target.rows = rows.each_mut().map(Some);
                for (row, needed) in target.rows.iter_mut().zip(needed) {
                    row.take_if(|_| !needed);
                }
            }
            let filters = Filters {
                places: &mut self.places,
                taps: &mut self.taps,
                words: &mut self.words,
                rows: &mut self.rows,
                windows: &mut self.windows,
                blocks: &mut self.room.blocks,
            };
            filters.run(level, bound, (grid, kind), &mut targets[..count]);
            for (index, rows) in (start..).zip(&self.probe).take(count) {
                for c in (0..4).filter(|c| needed[*c]) {
                    let sums = &mut self.sums[c];
                    stages::add_probe(level, average, index, &rows[c], &self.probes, sums);
                }
            }
        }
        for c in (0..4).filter(|c| needed[*c]) {
            let (sums, out) = (&self.sums[c], &mut self.values[c]);
            stages::finish_probes(level, average, found.probes, &self.probes, sums, out);
        }
    }
}
