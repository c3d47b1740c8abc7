//! The second step of sampling: texels, or results that are known, to the registers of each wave.

use super::bytes::Bytes;
use super::compared::Compared;
use super::path::Kind;
use super::room::{Blocks, Bound};
use super::scratch::{MAX_WAVES, Pending, Sampling, Scratch};
use super::stages;
use super::target::Target;
use super::values::{How, Values};
use super::{LANES, Lanes};
use crate::memory::window::Lookup;
use crate::texture::format::{Class, Read};

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
            Pending::Texels(_, Kind::Bytes) | Pending::ByteRows => self.texture.sources,
            Pending::Texels(_, Kind::Values { compares: false }) => channels,
            Pending::Texels(..) => channels.map(|channel| channel.map(|_| 0)),
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
            Pending::ByteRows => {
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
        match kind {
            Kind::Bytes => level.run(Bytes {
                grid,
                filter: sampler.min,
                border: self.texture.border_word(self.sampler),
                places,
                lookup: Lookup::of(level),
                blocks: Blocks::of(level, bound, &mut room.blocks),
                windows,
                quads: rows.quads(),
                words,
                targets: &mut *targets,
            }),
            Kind::Compared => level.run(Compared {
                plane: grid.plane,
                op: sampler.compare,
                places,
                taps,
                targets: &mut *targets,
            }),
            Kind::Values { compares } => level.run(Values {
                how: How::new(grid, self.texture, self.sampler, compares),
                places,
                lookup: Lookup::of(level),
                blocks: Blocks::of(level, bound, &mut room.blocks),
                windows,
                rows,
                targets: &mut *targets,
            }),
        }
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
