//! Components that are those of the source: all of a word that are stored in one way are packed in one pass.

use super::{CHUNK, words};
use crate::fragment::blend::Source;
use crate::fragment::surface::TileRows;
use crate::memory::halves;
use crate::texture::sample::Lanes;
use crate::texture::texel::{Codec, Stored, Visit};
use host::{Kernel, Rounding, SimdLevel};

/// Components of a texel, by word and conversion.
#[derive(Clone, Copy)]
pub(super) struct Sources {
    groups: [Option<Group>; 4],
}

/// Components of a word with the same conversion.
#[derive(Clone, Copy)]
struct Group {
    /// Any of them.
    stored: Stored,
    /// Which, and the lowest bit of each.
    fields: [(usize, u32); 4],
    count: usize,
    /// Their bits of the word.
    bits: u32,
    /// Bits of the word that stay.
    kept: u32,
}

impl Sources {
    pub(super) const NONE: Sources = Sources { groups: [None; 4] };

    /// Adds a component.
    pub(super) fn add(&mut self, component: usize, stored: Stored) -> Option<()> {
        let joins = |group: &Option<Group>| {
            group.is_none_or(|group| {
                group.stored.word == stored.word && group.stored.converts_as(&stored)
            })
        };
        let group = self.groups.iter_mut().find(|group| joins(group))?;
        let group = group.get_or_insert(Group {
            stored,
            fields: [(0, 0); 4],
            count: 0,
            bits: 0,
            kept: 0,
        });
        *group.fields.get_mut(group.count)? = (component, stored.shift);
        group.count += 1;
        group.bits |= stored.bits()?;
        Some(())
    }

    /// After the last: `used` are the bits of each word that components have.
    pub(super) fn finish(&mut self, used: &[u32; 4]) {
        for group in self.groups.iter_mut().flatten() {
            // A word of one group takes nothing from the old texel.
            group.kept = match group.bits == used[group.stored.word] {
                true => 0,
                false => !group.bits,
            };
        }
    }

    /// Whether a word has no other components, so that all its bits are written.
    pub(super) fn covers(&self, word: usize) -> bool {
        let covers = |group: &Group| group.stored.word == word && group.kept == 0;
        self.groups.iter().flatten().any(covers)
    }

    /// Packs sources into a row of texels each.
    pub(super) fn write(&self, level: SimdLevel, sources: &[Source], texels: &mut TileRows) {
        for group in self.groups.iter().flatten() {
            group.stored.visit(Pack {
                level,
                group,
                sources,
                texels: &mut *texels[group.stored.word],
            });
        }
    }
}

struct Pack<'a, 'b> {
    level: SimdLevel,
    group: &'a Group,
    sources: &'a [Source<'b>],
    texels: &'a mut [Lanes],
}

impl Pack<'_, '_> {
    /// Packs a row of texels whose words are one or two floats of 16 bits; false where they are not, or hosts would not give
    /// their bits.
    fn halves(level: SimdLevel, group: &Group, source: &Source, texels: &mut Lanes) -> bool {
        let row = |n: usize| source[group.fields[n].0 & 3];
        let [(_, first), (_, second), ..] = group.fields;
        match (group.kept, group.count, first, second) {
            (0, 1, 0, _) => halves::pack(level, row(0), None, texels),
            (0, 2, 0, 16) => halves::pack(level, row(0), Some(row(1)), texels),
            (0, 2, 16, 0) => halves::pack(level, row(1), Some(row(0)), texels),
            _ => false,
        }
    }

    fn run<C: Codec>(self, codec: C) {
        let level = self.level;
        match self.group.count {
            1 => level.run(Rows::<C, 1>(self, codec)),
            2 => level.run(Rows::<C, 2>(self, codec)),
            3 => level.run(Rows::<C, 3>(self, codec)),
            _ => level.run(Rows::<C, 4>(self, codec)),
        }
    }
}

impl Visit for Pack<'_, '_> {
    fn visit<C: Codec>(self, codec: C) {
        if !C::HALVES {
            return self.run(codec);
        }
        let (level, group) = (self.level, self.group);
        for (n, texels) in self.texels.chunks_mut(1).enumerate() {
            let (Some(source), [row]) = (self.sources.get(n), &mut *texels) else {
                return;
            };
            if !Pack::halves(level, group, source, row) {
                let sources = std::slice::from_ref(source);
                let one = Pack {
                    level,
                    group,
                    sources,
                    texels,
                };
                one.run(codec);
            }
        }
    }
}

/// So many components of several rows.
struct Rows<'a, 'b, C, const COUNT: usize>(Pack<'a, 'b>, C);

impl<C: Codec, const COUNT: usize> Kernel for Rows<'_, '_, C, COUNT> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Rows(pack, codec) = self;
        let Group { fields, kept, .. } = *pack.group;
        for (source, texels) in pack.sources.iter().zip(pack.texels) {
            let (mut rows, mut shifts) = ([source[0]; COUNT], [0; COUNT]);
            for n in 0..COUNT {
                let (component, shift) = fields[n];
                (rows[n], shifts[n]) = (source[component & 3], shift & 31);
            }
            for first in (0..64).step_by(CHUNK) {
                let old = words(texels, first);
                let mut values = [[0; CHUNK]; COUNT];
                for n in 0..COUNT {
                    values[n] = words(rows[n], first);
                }
                // Loops over lanes: those over components would be made into vectors.
                let mut new = [0; CHUNK];
                let mut doubts = !C::SHORT;
                if C::SHORT {
                    for i in 0..CHUNK {
                        new[i] = old[i] & kept;
                        for n in 0..COUNT {
                            let (short, doubt) = codec.short::<R>(values[n][i]);
                            doubts |= doubt;
                            new[i] |= short << shifts[n];
                        }
                    }
                }
                if doubts {
                    for i in 0..CHUNK {
                        new[i] = old[i] & kept;
                        for n in 0..COUNT {
                            new[i] |= codec.encode::<R>(values[n][i]) << shifts[n];
                        }
                    }
                }
                texels[first..first + CHUNK].copy_from_slice(&new);
            }
        }
    }
}
