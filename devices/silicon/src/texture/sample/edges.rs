//! Lanes whose footprints leave a face of a cube: packed, filtered sixteen at a time, and put back.

use super::faces::{self, PACK, Pack, Rule, Texels};
use super::reference::lanes;
use super::room::{Reader, Room, read_elements};
use super::stages;
use super::wave::Wave;
use super::{Dim, Filter, LANES, Lanes, MAX_LEVELS, MipFilter, PreparedTexture};
use crate::memory::look_up;
use host::SimdLevel;

/// Rows of packed lanes, kept between waves.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Edges {
    /// Which lane each is.
    from: [u8; LANES],
    count: usize,
    coords: [Lanes; 2],
    offsets: [[i32; LANES]; 2],
    slice: Lanes,
    level: [i32; LANES],
    mix: Lanes,
    reference: Lanes,
    /// Sixteen of them on one level.
    pack: Pack,
    texels: Texels,
    /// Of the level of each texel: where tables start, the base, and bits that combine by exclusive or.
    start: [Lanes; 3],
    base: Lanes,
    xor: Lanes,
    index: Lanes,
    /// Column in a block, and texels before the line in it.
    inner: [Lanes; 2],
    entries: [Lanes; 3],
    at: Lanes,
    /// Sums of bytes or of values, on two levels, and what they become.
    near: [Lanes; 4],
    far: [Lanes; 4],
    values: [Lanes; 4],
}

impl Default for Edges {
    fn default() -> Edges {
        Edges {
            from: [0; LANES],
            count: 0,
            coords: [[0; LANES]; 2],
            offsets: [[0; LANES]; 2],
            slice: [0; LANES],
            level: [0; LANES],
            mix: [0; LANES],
            reference: [0; LANES],
            pack: Pack::ZERO,
            texels: Texels::ZERO,
            start: [[0; LANES]; 3],
            base: [0; LANES],
            xor: [0; LANES],
            index: [0; LANES],
            inner: [[0; LANES]; 2],
            entries: [[0; LANES]; 3],
            at: [0; LANES],
            near: [[0; LANES]; 4],
            far: [[0; LANES]; 4],
            values: [[0; LANES]; 4],
        }
    }
}

/// The values of some lanes, side by side.
fn pick<T: Copy>(from: &[u8], row: &[T; LANES], to: &mut [T; LANES]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = row[usize::from(*from) % LANES];
    }
}

impl Edges {
    /// Packs the lanes of `mask`.
    fn fill(
        &mut self,
        wave: &Wave,
        mask: u64,
        coords: [&Lanes; 3],
        level: &[i32; LANES],
        mix: &Lanes,
    ) {
        self.count = mask.count_ones() as usize;
        for (from, lane) in self.from.iter_mut().zip(lanes(mask)) {
            *from = lane as u8;
        }
        let from = &self.from[..self.count];
        for (row, coords) in self.coords.iter_mut().zip(coords) {
            pick(from, coords, row);
        }
        pick(from, level, &mut self.level);
        pick(from, mix, &mut self.mix);
        match &wave.slice {
            Some(slice) => pick(from, slice, &mut self.slice),
            None => self.slice = [0; LANES],
        }
        match wave.offsets {
            Some(rows) => {
                for (row, offsets) in self.offsets.iter_mut().zip(rows) {
                    for (row, from) in row.iter_mut().zip(from) {
                        *row = (offsets[usize::from(*from) % LANES] as i32).clamp(-32, 31);
                    }
                }
            }
            None => self.offsets = [[0; LANES]; 2],
        }
        if let Some(reference) = &wave.reference {
            pick(from, reference, &mut self.reference);
        }
        // The rest of the last sixteen does not mix.
        self.mix[self.count..].fill(0);
    }

    /// Lanes of a chunk that are there, in all four parts of a row.
    fn exec(&self, chunk: usize) -> u64 {
        let count = (self.count - PACK * chunk).min(PACK);
        ((1 << count) - 1) * 0x0001_0001_0001_0001
    }

    /// Sixteen lanes on their level, or on the next one.
    fn load(&mut self, wave: &Wave, chunk: usize, step: i32) {
        let texture = wave.texture;
        let range = PACK * chunk..PACK * (chunk + 1);
        for axis in 0..2 {
            self.pack.coords[axis].copy_from_slice(&self.coords[axis][range.clone()]);
            self.pack.offsets[axis].copy_from_slice(&self.offsets[axis][range.clone()]);
        }
        self.pack.slice.copy_from_slice(&self.slice[range.clone()]);
        let count = (self.count - range.start).min(PACK);
        let levels = &self.level[range.start..][..count];
        let first = levels[0];
        if levels.iter().all(|level| *level == first) {
            let level = (first + step).min(texture.last_level);
            let info = &texture.levels[level as usize % MAX_LEVELS];
            self.pack.size_f = [[info.size_f[0]; PACK], [info.size_f[1]; PACK]];
            self.pack.size = [info.size[0]; PACK];
            faces::spread(
                wave.level,
                [
                    info.start[0],
                    info.start[1],
                    info.start[2],
                    info.base,
                    info.xor,
                ],
                (&mut self.start, &mut self.base, &mut self.xor),
            );
            return;
        }
        for (at, level) in self.level[range].iter().enumerate() {
            let level = (level + step).min(texture.last_level);
            let info = &texture.levels[level as usize % MAX_LEVELS];
            for axis in 0..2 {
                self.pack.size_f[axis][at] = info.size_f[axis];
            }
            self.pack.size[at] = info.size[0];
            for axis in 0..3 {
                self.start[axis][at] = info.start[axis];
            }
            self.base[at] = info.base;
            self.xor[at] = info.xor;
        }
        let [x, y, z] = &mut self.start;
        for row in [x, y, z, &mut self.base, &mut self.xor] {
            for tap in 1..4 {
                row.copy_within(..PACK, PACK * tap);
            }
        }
    }
}

impl PreparedTexture {
    /// Lanes whose linear footprints may leave a face: on their level, or on the next one where that has a weight.
    pub(super) fn beyond(
        &self,
        level: SimdLevel,
        coords: [&Lanes; 2],
        first: &[i32; LANES],
        mix: &Lanes,
        uniform: Option<i32>,
    ) -> u64 {
        let size = |level: i32| {
            let level = level.min(self.last_level) as usize % MAX_LEVELS;
            self.levels[level].size_f[0]
        };
        if let Some(index) = uniform {
            let near = size(index);
            return faces::beyond(level, coords, [near, near.min(size(index + 1))], mix);
        }
        let mut sizes = [0.0; LANES];
        for ((out, first), mix) in sizes.iter_mut().zip(first).zip(mix) {
            let near = size(*first);
            *out = near.min(size(first + i32::from(*mix != 0)));
        }
        faces::beyond_sizes(level, coords, &sizes)
    }
}

impl Wave<'_> {
    /// Lanes whose footprints may leave their face on a level with a weight.
    pub(super) fn beyond_faces(
        &self,
        coords: [&Lanes; 3],
        first: &[i32; LANES],
        mix: &Lanes,
        uniform: Option<i32>,
    ) -> u64 {
        let rules = &self.sampler.sampler;
        let whole = self.texture.dim == Dim::Cube && rules.seamless;
        if !whole || self.filter == Filter::Nearest {
            return 0;
        }
        if self.offsets.is_some() || rules.unnormalized {
            return self.exec;
        }
        let [s, t, _] = coords;
        self.exec & self.texture.beyond(self.level, [s, t], first, mix, uniform)
    }

    /// Filters the lanes of `mask`, whose footprints may leave their faces.
    pub(super) fn filter_beyond(
        &self,
        mask: u64,
        coords: [&Lanes; 3],
        first: &[i32; LANES],
        mix: &Lanes,
        room: &mut Room,
        out: &mut [Lanes; 4],
    ) {
        room.edges.fill(self, mask, coords, first, mix);
        let reduces = self.reduces();
        let mut mixed = false;
        let (count, reader) = (room.edges.count, self.reader());
        for chunk in 0..count.div_ceil(PACK) {
            let mix = room.edges.mix.as_chunks::<PACK>().0[chunk];
            let mut none = [[u32::MAX; PACK]; 4];
            self.pack_values(reader, room, (chunk, 0), &mut none);
            if self.sampler.sampler.mip == MipFilter::Linear && mix != [0; PACK] {
                mixed = true;
                self.pack_values(reader, room, (chunk, 1), &mut none);
            }
        }
        let Edges {
            from,
            near,
            far,
            mix,
            values,
            ..
        } = &mut room.edges;
        let far = (mixed && !reduces).then_some(&*far);
        self.finish(near, far, mix, values);
        for c in (0..4).filter(|&c| self.needed[c]) {
            for (from, value) in from.iter().zip(&values[c]).take(count) {
                out[c][usize::from(*from)] = *value;
            }
        }
    }

    /// Gathers the lanes of `mask`, whose texels may be on other faces: those of component `source`.
    pub(super) fn gather_beyond(
        &self,
        mask: u64,
        coords: [&Lanes; 3],
        index: &[i32; LANES],
        room: &mut Room,
        source: usize,
        out: &mut [Lanes; 4],
    ) {
        room.edges.fill(self, mask, coords, index, &[0; LANES]);
        let rule = Rule {
            weight_bits: 0,
            unnormalized: self.sampler.sampler.unnormalized,
            gathers: true,
        };
        let reader = self.reader();
        for chunk in 0..room.edges.count.div_ceil(PACK) {
            self.pack_texels(reader, room, (chunk, 0), rule);
            self.pack_component(room, chunk, source);
            let lanes = &room.edges.from[PACK * chunk..room.edges.count];
            for (at, lane) in lanes.iter().take(PACK).enumerate() {
                // (0, 1), (1, 1), (1, 0), (0, 0)
                for (out, tap) in out.iter_mut().zip([2, 3, 1, 0]) {
                    out[usize::from(*lane)] = room.values[0][PACK * tap + at];
                }
            }
        }
    }

    /// One component of the texels of sixteen lanes, compared where that is asked for.
    fn pack_component(&self, room: &mut Room, chunk: usize, source: usize) {
        let Room {
            edges,
            words,
            values,
            ..
        } = room;
        let [row, ..] = values;
        let rows = std::slice::from_mut(row);
        self.texture.decoder.decode(self.level, source, words, rows);
        if self.reference.is_some() {
            let part = edges.reference.as_chunks::<PACK>().0[chunk];
            edges.index.as_chunks_mut::<PACK>().0.fill(part);
            let op = self.sampler.sampler.compare;
            stages::compare(self.level, op, &edges.index, row);
        }
    }

    /// Adds what sixteen lanes see on one level to their sums.
    fn pack_values(
        &self,
        reader: Reader,
        room: &mut Room,
        (chunk, step): (usize, i32),
        none: &mut [[u32; PACK]; 4],
    ) {
        let rules = &self.sampler.sampler;
        let rule = Rule {
            weight_bits: self.sampler.precision.weight_bits,
            unnormalized: rules.unnormalized,
            gathers: false,
        };
        self.pack_texels(reader, room, (chunk, step), rule);
        let (level, reduces) = (self.level, self.reduces());
        if self.averages_bytes() {
            let Room { edges, words, .. } = room;
            let sums = match step {
                1 => &mut edges.far,
                _ => &mut edges.near,
            };
            faces::average_bytes(level, &words[0][0], &edges.texels.weight, chunk, sums);
            return;
        }
        for c in (0..4).filter(|&c| self.needed[c]) {
            self.pack_component(room, chunk, self.source(c));
            let Room { edges, values, .. } = &mut *room;
            let (row, weights) = (&values[0], &edges.texels.weight);
            let sums = match step {
                1 if !reduces => &mut edges.far[c],
                _ => &mut edges.near[c],
            };
            let sum = &mut sums.as_chunks_mut::<PACK>().0[chunk];
            if reduces {
                let mix = match step {
                    0 => &[1; PACK],
                    _ => &edges.mix.as_chunks::<PACK>().0[chunk],
                };
                if step == 0 {
                    *sum = [0; PACK];
                }
                let how = rules.reduction;
                faces::extreme(level, how, row, weights, mix, &mut none[c], sum);
            } else {
                faces::average(level, row, weights, sum);
            }
        }
    }

    /// Reads the texels of sixteen lanes on a level, as texel 0 of a row of lanes.
    fn pack_texels(
        &self,
        reader: Reader,
        room: &mut Room,
        (chunk, step): (usize, i32),
        rule: Rule,
    ) {
        let (level, texture) = (self.level, self.texture);
        let Room {
            edges,
            blocks,
            words,
            ..
        } = room;
        edges.load(self, chunk, step);
        let exec = edges.exec(chunk);
        let Edges {
            pack,
            texels,
            start,
            base,
            xor,
            index,
            inner,
            entries,
            at,
            ..
        } = edges;
        faces::texels(level, rule, pack, texels);
        let (bw, bh) = texture.block;
        for (axis, numbers, by) in [(0, &texels.i, (bw, 1)), (1, &texels.j, (bh, bw))] {
            match texture.block {
                (1, 1) => stages::entry(level, numbers, &start[axis], index),
                _ => {
                    let inner = &mut inner[axis];
                    stages::block_entry(level, numbers, &start[axis], by, index, inner);
                }
            }
            look_up(&texture.tables[axis], index, &mut entries[axis]);
        }
        stages::slice_entry(level, &texels.slice, &start[2], index);
        look_up(&texture.tables[2], index, &mut entries[2]);
        let [x, y, slice] = entries;
        stages::join(level, slice, xor, y);
        stages::combine(level, x, y, base, xor, at);
        let reader = Reader { exec, ..reader };
        read_elements(reader, blocks, at, inner.each_ref(), 0, words);
    }
}
