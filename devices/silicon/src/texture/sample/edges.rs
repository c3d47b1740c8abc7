//! Lanes whose footprints leave a face of a cube: packed, filtered sixteen at a time, and put back.

use super::faces::{self, PACK, Pack, Rule, Texels};
use super::reference::lanes;
use super::room::{Reader, Room, read_elements};
use super::rules;
use super::stages;
use super::wave::Wave;
use super::{Dim, Filter, LANES, Lanes, MAX_LEVELS, MipFilter, PreparedTexture};
use host::SimdLevel;

/// Rows of packed lanes, kept between waves.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Edges {
    /// Which lane each is.
    from: [u8; LANES],
    count: usize,
    /// Weights of next levels.
    mix: Lanes,
    /// Sixteen footprints, how many there are, their levels, and what their texels are compared with.
    pack: Pack,
    len: usize,
    levels: [u8; PACK],
    reference: [u32; PACK],
    texels: Texels,
    /// The reference of each texel.
    against: Lanes,
    /// Column in a block, and texels before the line in it.
    inner: [Lanes; 2],
    at: Lanes,
    /// Sums of bytes or of values of each footprint.
    sums: [[u32; 2 * LANES]; 4],
    /// Those on two levels, and what they become.
    near: [Lanes; 4],
    far: [Lanes; 4],
    values: [Lanes; 4],
}

impl Default for Edges {
    fn default() -> Edges {
        Edges {
            from: [0; LANES],
            count: 0,
            mix: [0; LANES],
            pack: Pack::ZERO,
            len: 0,
            levels: [0; PACK],
            reference: [0; PACK],
            texels: Texels::ZERO,
            against: [0; LANES],
            inner: [[0; LANES]; 2],
            at: [0; LANES],
            sums: [[0; 2 * LANES]; 4],
            near: [[0; LANES]; 4],
            far: [[0; LANES]; 4],
            values: [[0; LANES]; 4],
        }
    }
}

/// What the lanes of a wave sample.
#[derive(Clone, Copy)]
struct Given<'a> {
    coords: [&'a Lanes; 3],
    level: &'a [i32; LANES],
}

/// Footprints in a row: those of all lanes on their levels, or on the next ones, or first on the one, then on the other.
#[derive(Clone, Copy)]
struct Series {
    step: i32,
    total: usize,
}

impl Edges {
    /// Takes the lanes of `mask`.
    fn fill(&mut self, mask: u64, mix: &Lanes) {
        self.count = mask.count_ones() as usize;
        // Those that are not there do not mix.
        self.mix = [0; LANES];
        for ((from, to), lane) in self.from.iter_mut().zip(&mut self.mix).zip(lanes(mask)) {
            *from = lane as u8;
            *to = mix[lane];
        }
    }

    /// Which of sixteen lanes are there, in all four parts of a row.
    fn exec(&self) -> u64 {
        ((1 << self.len) - 1) * 0x0001_0001_0001_0001
    }

    /// Takes up to sixteen footprints of a series from number `first` on.
    fn load(&mut self, wave: &Wave, given: Given, series: Series, first: usize) {
        let texture = wave.texture;
        self.len = (series.total - first).min(PACK);
        for at in 0..self.len {
            let number = first + at;
            let (number, step) = match number < self.count {
                true => (number, series.step),
                false => (number - self.count, series.step + 1),
            };
            let lane = usize::from(self.from[number % LANES]) % LANES;
            let level = (given.level[lane] + step).clamp(0, texture.last_level);
            let info = &texture.levels[level as usize % MAX_LEVELS];
            let pack = &mut self.pack;
            for axis in 0..2 {
                pack.coords[axis][at] = given.coords[axis][lane];
                pack.offsets[axis][at] = match wave.offsets {
                    Some(offsets) => rules::offset(offsets[lane], axis),
                    None => 0,
                };
                pack.size_f[axis][at] = info.size_f[axis];
            }
            pack.size[at] = info.size[0];
            pack.slice[at] = wave.slice.as_ref().map_or(0, |slice| slice[lane]);
            self.levels[at] = level as u8;
            if let Some(reference) = &wave.reference {
                self.reference[at] = reference[lane];
            }
        }
    }

    /// Finds the elements of the texels of a pack.
    fn find(&mut self, texture: &PreparedTexture) {
        let (bw, bh) = texture.block;
        let [across, down] = [bw, bh].map(rules::block_factor);
        let Edges {
            texels,
            levels,
            inner: [columns, lines],
            at,
            ..
        } = self;
        *at = [0; LANES];
        if (bw, bh) != (1, 1) {
            // Lanes that are not in use read a texel too.
            (*columns, *lines) = ([0; LANES], [0; LANES]);
        }
        for (n, level) in levels.iter().enumerate().take(self.len) {
            let info = &texture.levels[usize::from(*level) % MAX_LEVELS];
            let tables = [0, 1, 2].map(|axis| {
                let table = texture.tables[axis].get(info.start[axis] as usize..);
                table.unwrap_or(&[])
            });
            let entry =
                |axis: usize, number: u32| tables[axis].get(number as usize).copied().unwrap_or(0);
            let keep = !info.xor;
            for tap in 0..4 {
                let l = PACK * tap + n;
                let [mut i, mut j] = [texels.i[l], texels.j[l]].map(|number| number.max(0) as u32);
                if (bw, bh) != (1, 1) {
                    let column = rules::block_of(i, bw, across);
                    let line = rules::block_of(j, bh, down);
                    columns[l] = i - column * bw;
                    lines[l] = (j - line * bh) * bw;
                    (i, j) = (column, line);
                }
                let (x, y, slice) = (entry(0, i), entry(1, j), entry(2, texels.slice[l]));
                let join =
                    |a: u32, b: u32| (a & keep).wrapping_add(b & keep) & keep | (a ^ b) & info.xor;
                at[l] = info.base.wrapping_add(join(x, join(y, slice)));
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
        room.edges.fill(mask, mix);
        let reader = self.reader();
        let (count, given) = (
            room.edges.count,
            Given {
                coords,
                level: first,
            },
        );
        let levels = self.sampler.sampler.mip == MipFilter::Linear;
        let mixed = levels && room.edges.mix != [0; LANES];
        let both = if mixed { 2 * count } else { count };
        if self.reduces() {
            let series = |step: i32| Series { step, total: count };
            for first in (0..count).step_by(PACK) {
                let mut none = [[u32::MAX; PACK]; 4];
                for step in 0..1 + i32::from(mixed) {
                    room.edges.load(self, given, series(step), first);
                    self.pack_extremes(reader, room, (first / PACK, step), &mut none);
                }
            }
        } else {
            let series = Series {
                step: 0,
                total: both,
            };
            for first in (0..both).step_by(PACK) {
                room.edges.load(self, given, series, first);
                self.pack_averages(reader, room, first / PACK);
            }
        }
        let Edges {
            from,
            sums,
            near,
            far,
            mix,
            values,
            ..
        } = &mut room.edges;
        let two = mixed && !self.reduces();
        for ((sums, near), far) in sums.iter().zip(&mut *near).zip(&mut *far) {
            near.copy_from_slice(&sums[..LANES]);
            if two {
                far.copy_from_slice(&sums[count..count + LANES]);
            }
        }
        self.finish(near, two.then_some(&*far), mix, values);
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
        room.edges.fill(mask, &[0; LANES]);
        let rule = Rule {
            weight_bits: 0,
            unnormalized: self.sampler.sampler.unnormalized,
            gathers: true,
        };
        let reader = self.reader();
        let given = Given {
            coords,
            level: index,
        };
        let series = Series {
            step: 0,
            total: room.edges.count,
        };
        for first in (0..series.total).step_by(PACK) {
            room.edges.load(self, given, series, first);
            self.pack_texels(reader, room, rule);
            self.pack_component(room, source);
            let lanes = &room.edges.from[first..][..room.edges.len];
            for (at, lane) in lanes.iter().enumerate() {
                // (0, 1), (1, 1), (1, 0), (0, 0)
                for (out, tap) in out.iter_mut().zip([2, 3, 1, 0]) {
                    out[usize::from(*lane)] = room.values[0][PACK * tap + at];
                }
            }
        }
    }

    /// One component of the texels of sixteen lanes, compared where that is asked for.
    fn pack_component(&self, room: &mut Room, source: usize) {
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
            edges
                .against
                .as_chunks_mut::<PACK>()
                .0
                .fill(edges.reference);
            let op = self.sampler.sampler.compare;
            stages::compare(self.level, op, &edges.against, row);
        }
    }

    /// How footprints that are filtered are found.
    fn pack_rule(&self) -> Rule {
        Rule {
            weight_bits: self.sampler.precision.weight_bits,
            unnormalized: self.sampler.sampler.unnormalized,
            gathers: false,
        }
    }

    /// Averages the texels of each of sixteen footprints.
    fn pack_averages(&self, reader: Reader, room: &mut Room, chunk: usize) {
        self.pack_texels(reader, room, self.pack_rule());
        if self.averages_bytes() {
            let Room { edges, words, .. } = room;
            let sums = edges.sums.each_mut();
            let sums = sums.map(|sums| &mut sums.as_chunks_mut::<PACK>().0[chunk]);
            faces::average_bytes(self.level, &words[0][0], &edges.texels.weight, sums);
            return;
        }
        for c in (0..4).filter(|&c| self.needed[c]) {
            self.pack_component(room, self.source(c));
            let Room { edges, values, .. } = &mut *room;
            let sum = &mut edges.sums[c].as_chunks_mut::<PACK>().0[chunk];
            faces::average(self.level, &values[0], &edges.texels.weight, sum);
        }
    }

    /// Takes the smallest or largest texel of each of sixteen footprints, on a level and then on the next one.
    fn pack_extremes(
        &self,
        reader: Reader,
        room: &mut Room,
        (chunk, step): (usize, i32),
        none: &mut [[u32; PACK]; 4],
    ) {
        self.pack_texels(reader, room, self.pack_rule());
        let how = self.sampler.sampler.reduction;
        for c in (0..4).filter(|&c| self.needed[c]) {
            self.pack_component(room, self.source(c));
            let Room { edges, values, .. } = &mut *room;
            let mix = match step {
                0 => &[1; PACK],
                _ => &edges.mix.as_chunks::<PACK>().0[chunk],
            };
            let sum = &mut edges.sums[c].as_chunks_mut::<PACK>().0[chunk];
            if step == 0 {
                *sum = [0; PACK];
            }
            let weights = &edges.texels.weight;
            faces::extreme(self.level, how, &values[0], weights, mix, &mut none[c], sum);
        }
    }

    /// Reads the texels of sixteen footprints, as texel 0 of a row of lanes.
    fn pack_texels(&self, reader: Reader, room: &mut Room, rule: Rule) {
        let Room {
            edges,
            blocks,
            words,
            ..
        } = room;
        faces::texels(self.level, rule, &edges.pack, &mut edges.texels);
        edges.find(self.texture);
        let reader = Reader {
            exec: edges.exec(),
            ..reader
        };
        let inner = edges.inner.each_ref();
        read_elements(reader, blocks, &edges.at, inner, 0, words);
    }
}
