//! The second step of sampling: texels, or results that are known, to the registers of each wave.

use super::Lanes;
use super::bytes::{Bytes, Taps};
use super::compared::Compared;
use super::pairs::Grid;
use super::path::Kind;
use super::room::{Blocks, Bound};
use super::scratch::{MAX_WAVES, Pending, Sampling, Scratch, WaveFootprint};
use super::stages;
use super::target::Target;
use super::values::{self, How, Values};
use super::wave;
use crate::memory::window::{Lookup, Window};
use crate::texture::block::cache::Cache;
use crate::texture::format::{Class, Read};
use host::SimdLevel;

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
            Pending::Texels(_, Kind::Compared | Kind::Values { compares: true }) => Class::Float,
            _ => self.texture.class,
        };
        for c in 0..4 {
            let constant = match (sources[c], self.texture.outputs[c]) {
                (Some(byte), _) if first[byte] == Some(c) => continue,
                (Some(byte), _) => {
                    let copy = first[byte].and_then(|c| out[c].as_deref().copied());
                    if let (Some(copy), Some(out)) = (copy, &mut out[c]) {
                        stages::merge(self.level, exec, &copy, out);
                    }
                    continue;
                }
                (None, Read::One) => one.one(),
                _ => 0,
            };
            if let Some(out) = &mut out[c] {
                stages::fill(self.level, exec, constant, out);
            }
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
        for (target, place) in targets.iter_mut().zip(&*places) {
            target.exec &= !place.beyond;
        }
        let filters = Filters {
            places,
            taps,
            words,
            rows,
            windows,
            blocks: &mut room.blocks,
        };
        filters.run(level, bound, (grid, kind), targets);
        for ((target, place), values) in targets.iter_mut().zip(places).zip(beyond) {
            for (c, value) in values.iter().enumerate().filter(|_| place.beyond != 0) {
                let row = match kind {
                    Kind::Bytes => self.texture.byte_of(c),
                    _ => c,
                };
                if let Some(out) = &mut target.rows[row] {
                    stages::merge(level, place.beyond, value, out);
                }
            }
        }
    }
}

/// The rows that texels are filtered in, and where they lie.
pub(super) struct Filters<'s> {
    pub places: &'s [WaveFootprint; MAX_WAVES],
    pub taps: &'s mut [[Taps; 2]; 2],
    pub words: &'s mut [[[Lanes; 4]; 4]; 2],
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
        match kind {
            Kind::Bytes => level.run(Bytes {
                grid,
                filter: sampler.sampler.min,
                border: match wave::borders(texture, sampler) {
                    [false, false, false] => 0,
                    _ => texture.border_word(sampler),
                },
                places,
                lookup: Lookup::of(level),
                blocks: Blocks::of(level, bound, blocks),
                windows,
                quads: rows.quads(),
                words,
                targets,
            }),
            Kind::Compared => level.run(Compared {
                plane: grid.plane,
                op: sampler.sampler.compare,
                places,
                taps,
                targets,
            }),
            Kind::Values { compares } => level.run(Values {
                how: How::new(grid, texture, sampler, Lookup::of(level), compares),
                places,
                blocks: Blocks::of(level, bound, blocks),
                windows,
                rows,
                targets,
            }),
        }
    }
}
