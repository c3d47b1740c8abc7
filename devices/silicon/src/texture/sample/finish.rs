//! The second step of sampling: texels, or results that are known, to the registers of each wave.

use super::Lanes;
use super::bytes::{Bytes, Taps};
use super::compared::Compared;
use super::pairs::Grid;
use super::path::Kind;
use super::reference::lanes;
use super::room::{Blocks, Bound};
use super::scratch::{MAX_WAVES, Pending, Sampling, Scratch, WaveFootprint};
use super::stages;
use super::target::Target;
use super::values::{self, How, Values};
use super::wave;
use crate::fragment::mask;
use crate::memory::window::{Lookup, Window};
use crate::texture::block::cache::Cache;
use crate::texture::format::{Class, Read};
use host::{Kernel, Rounding, SimdLevel};

/// Destination registers of a wave: x, y, z and w.
pub type Out<'a> = [Option<&'a mut Lanes>; 4];

impl Sampling<'_> {
    /// Writes the results of enabled lanes to the registers of a wave.
    pub fn finish(self, scratch: &mut Scratch, out: Out<'_>) {
        self.finish_all(scratch, &mut [out]);
    }

    /// Writes the results of enabled lanes, one target per request; all targets take the same components.
    pub fn finish_all(self, scratch: &mut Scratch, outs: &mut [Out<'_>]) {
        let channels = self.texture.outputs.map(|read| match read {
            Read::Channel(c) => Some(usize::from(c)),
            _ => None,
        });
        // One comparison stands for all components.
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
            Pending::Texels(_, kind) | Pending::Rows(kind) => match kind {
                Kind::Bytes => self.texture.sources,
                Kind::Values { compares: false } => channels,
                _ => channels.map(|channel| channel.map(|_| 0)),
            },
        };
        let Some(given) = outs.first() else {
            return;
        };
        let mut targets = [const { Target::NONE }; MAX_WAVES];
        let count = outs.len().min(MAX_WAVES);
        if self.texture.in_order
            && matches!(self.pending, Pending::Texels(_, Kind::Bytes))
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
            let sources = [0, 1, 2, 3].map(|c| self.rest(c, sources[c], first));
            self.level.run(Rest {
                places: &scratch.places,
                sources,
                outs,
            });
        }
    }

    /// What component `c` of the registers is, if it has no row of its own.
    fn rest(&self, c: usize, source: Option<usize>, first: [Option<usize>; 4]) -> Option<Copied> {
        let one = match self.pending {
            Pending::Texels(_, Kind::Compared | Kind::Values { compares: true }) => Class::Float,
            _ => self.texture.class,
        };
        match (source, self.texture.outputs[c]) {
            (Some(byte), _) => match first[byte] {
                Some(first) if first != c => Some(Copied::Register(first)),
                _ => None,
            },
            (None, Read::One) => Some(Copied::Constant(one.one())),
            (None, _) => Some(Copied::Constant(0)),
        }
    }

    /// Texels to results.
    fn combine(&self, scratch: &mut Scratch, targets: &mut [Target]) {
        let level = self.level;
        let bound = Bound {
            memory: self.memory,
            texture: self.texture,
            sampler: self.sampler,
        };
        let Scratch {
            places,
            taps,
            words,
            rows,
            windows,
            beyond,
            values,
            room,
            ..
        } = scratch;
        let (grid, kind) = match &self.pending {
            Pending::Results => return,
            Pending::Rows(_) => {
                for Target { exec, rows } in targets {
                    for (value, out) in values.iter().zip(rows) {
                        if let Some(out) = out {
                            stages::merge(level, *exec, value, out);
                        }
                    }
                }
                return;
            }
            Pending::Texels(grid, kind) => (grid, *kind),
        };
        // Lanes whose results are known get any before them, as rows under a mask would wait for each other.
        for (target, place) in targets.iter_mut().zip(&*places) {
            if target.exec == place.beyond {
                target.exec = 0;
            }
        }
        let filters = Filters {
            places: &mut *places,
            taps,
            words,
            rows,
            windows,
            blocks: &mut room.blocks,
        };
        filters.run(level, bound, (grid, kind), targets);
        for ((target, place), values) in targets.iter_mut().zip(&*places).zip(beyond) {
            if place.beyond == 0 {
                continue;
            }
            for (c, value) in values.iter().enumerate() {
                let row = match kind {
                    Kind::Bytes => self.texture.byte_of(c),
                    _ => c,
                };
                if let Some(out) = &mut target.rows[row] {
                    lanes(place.beyond).for_each(|lane| out[lane] = value[lane]);
                }
            }
        }
    }
}

/// What a register is a copy of.
#[derive(Clone, Copy)]
enum Copied {
    /// The register of this component.
    Register(usize),
    Constant(u32),
}

/// Writes the registers of all waves that get copies of others, or constants.
struct Rest<'a, 'b> {
    places: &'a [WaveFootprint; MAX_WAVES],
    /// By component.
    sources: [Option<Copied>; 4],
    outs: &'a mut [Out<'b>],
}

impl Kernel for Rest<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (out, place) in self.outs.iter_mut().zip(self.places) {
            for (c, source) in self.sources.iter().enumerate() {
                match *source {
                    Some(Copied::Constant(value)) => {
                        if let Some(out) = &mut out[c] {
                            mask::replace(place.exec, out, |_| value);
                        }
                    }
                    Some(Copied::Register(first)) => {
                        let copy = out[first].take();
                        if let (Some(copy), Some(out)) = (&copy, &mut out[c]) {
                            mask::replace(place.exec, out, |l| copy[l]);
                        }
                        out[first] = copy;
                    }
                    None => {}
                }
            }
        }
    }
}

/// Finds the boxes of the footprints of all waves.
struct Span<'a, 'b> {
    lookup: Lookup,
    deep: bool,
    places: &'a mut [WaveFootprint; MAX_WAVES],
    targets: &'a [Target<'b>],
}

impl Kernel for Span<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (place, target) in self.places.iter_mut().zip(self.targets) {
            if place.found.level.is_some() && target.exec != 0 {
                for footprint in place.footprint.iter_mut().take(place.found.levels()) {
                    footprint.at.span(self.lookup, target.exec, self.deep);
                }
            }
        }
    }
}

/// The rows that texels are filtered in, and where they lie.
pub(super) struct Filters<'s> {
    pub places: &'s mut [WaveFootprint; MAX_WAVES],
    pub taps: &'s mut [[Taps; 2]; 2],
    pub words: &'s mut [[[[Lanes; 4]; 4]; 2]; 2],
    pub rows: &'s mut values::Rows,
    pub windows: &'s mut [[Window; 2]; 2],
    pub blocks: &'s mut Cache,
}

impl Filters<'_> {
    /// Filters the texels of the footprints of some waves.
    pub fn run(
        self,
        level: SimdLevel,
        bound: Bound,
        (grid, kind): (&Grid, Kind),
        targets: &mut [Target],
    ) {
        let Filters {
            places,
            taps,
            words,
            rows,
            windows,
            blocks,
        } = self;
        let Bound {
            texture, sampler, ..
        } = bound;
        let lookup = Lookup::of(level);
        if kind != Kind::Compared || lookup.permutes() {
            level.run(Span {
                lookup,
                deep: grid.plane.is_deep(),
                places,
                targets,
            });
        }
        let places = &*places;
        match kind {
            Kind::Bytes => level.run(Bytes {
                grid,
                filter: sampler.sampler.min,
                border: match wave::borders(texture, sampler) {
                    [false, false, false] => 0,
                    _ => texture.border_word(sampler),
                },
                places,
                lookup,
                blocks: Blocks::of(level, bound, blocks),
                windows,
                quads: &mut rows.quads,
                words,
                targets,
            }),
            Kind::Compared => level.run(Compared {
                grid,
                op: sampler.sampler.compare,
                places,
                lookup,
                windows,
                taps,
                words: &mut words[0][0],
                targets,
            }),
            Kind::Values { compares } => level.run(Values {
                how: How::new(grid, texture, sampler, lookup, compares),
                places,
                blocks: Blocks::of(level, bound, blocks),
                windows,
                rows,
                targets,
            }),
        }
    }
}
