//! Filters a wave: positions, texels, weights and sums, mip level by mip level.

#![expect(
    clippy::needless_range_loop,
    reason = "a tap number indexes several tables"
)]

use std::cell::RefCell;

use super::footprint::{EdgeWeights, Extents, Footprint, Source};
use super::pairs::Grid;
use super::prepared::LevelInfo;
use super::reference::lanes;
use super::rules::{self, FRACTION_BITS};
use super::stages::{self, Axis, AxisRule};
use super::{
    Address, Dim, Filter, LANES, Lanes, MipFilter, PreparedSampler, PreparedTexture, Reduction,
    Taps,
};
use crate::memory::Memory;
use crate::texture::block;
use crate::texture::texel::{unpack_row, unpack_row_as};
use host::SimdLevel;

/// Wave-uniform state across mip levels and probes.
pub(super) struct Wave<'a> {
    pub level: SimdLevel,
    pub memory: &'a Memory,
    pub texture: &'a PreparedTexture,
    pub sampler: &'a PreparedSampler,
    pub exec: u64,
    pub filter: Filter,
    /// Layer, or 6 * cube + face; `None` where all are 0 or the shape has none.
    pub slice: Option<Lanes>,
    pub offsets: Option<[&'a Lanes; 3]>,
    pub reference: Option<Lanes>,
    /// Unpacked components that the result needs.
    pub needed: [bool; 4],
    /// Blocks that taps of this instruction read.
    pub recent: &'a RefCell<Option<block::Recent>>,
    /// Neighbour tables, if they apply.
    pub grid: Option<Grid<'a>>,
}

/// The numbers of each lane's level.
struct LevelRows {
    size_f: [[f32; LANES]; 3],
    size: [[i32; LANES]; 3],
    start: [Lanes; 3],
    base: Lanes,
    xor: Lanes,
}

impl LevelRows {
    const ZERO: LevelRows = LevelRows {
        size_f: [[0.0; LANES]; 3],
        size: [[0; LANES]; 3],
        start: [[0; LANES]; 3],
        base: [0; LANES],
        xor: [0; LANES],
    };

    fn splat(&mut self, info: &LevelInfo, axes: usize) {
        for axis in 0..axes {
            self.size_f[axis] = [info.size_f[axis]; LANES];
            self.size[axis] = [info.size[axis]; LANES];
            self.start[axis] = [info.start[axis]; LANES];
        }
        self.start[2] = [info.start[2]; LANES];
        self.base = [info.base; LANES];
        self.xor = [info.xor; LANES];
    }

    fn set(&mut self, lane: usize, info: &LevelInfo, axes: usize) {
        for axis in 0..axes {
            self.size_f[axis][lane] = info.size_f[axis];
            self.size[axis][lane] = info.size[axis];
            self.start[axis][lane] = info.start[axis];
        }
        self.start[2][lane] = info.start[2];
        self.base[lane] = info.base;
        self.xor[lane] = info.xor;
    }

    /// Takes the numbers of level `index[lane]` of each lane, or of level `uniform`.
    fn fill(&mut self, texture: &PreparedTexture, index: &[i32; LANES], uniform: Option<i32>) {
        let axes = axes(texture.dim);
        let info = |index: i32| &texture.levels[index as usize % super::MAX_LEVELS];
        match uniform {
            Some(index) => self.splat(info(index), axes),
            None => {
                for (lane, &index) in index.iter().enumerate() {
                    self.set(lane, info(index), axes);
                }
            }
        }
    }
}

/// Filtered values of one level, before levels are mixed: sums of bytes, or floats.
struct Values([Lanes; 4]);

pub(super) fn axes(dim: Dim) -> usize {
    match dim {
        Dim::D1 => 1,
        Dim::D2 | Dim::Cube => 2,
        Dim::D3 => 3,
    }
}

/// Looks up one axis table.
pub(super) fn look_up(
    table: &[u32],
    start: &Lanes,
    i: &[i32; LANES],
    divisor: u32,
    out: &mut Lanes,
) {
    let mut look = |element: &dyn Fn(u32) -> u32| {
        for lane in 0..LANES {
            let index = start[lane].wrapping_add(element(i[lane].max(0) as u32));
            out[lane] = table.get(index as usize).copied().unwrap_or(0);
        }
    };
    match divisor {
        1 => look(&|i| i),
        4 => look(&|i| i / 4),
        _ => look(&|i| i / divisor),
    }
}

impl Wave<'_> {
    fn mode(&self, axis: usize) -> Address {
        match self.texture.dim {
            Dim::Cube => Address::ClampToEdge,
            _ => self.sampler.sampler.address[axis],
        }
    }

    fn axis(&self, rows: &LevelRows, axis: usize, coords: &Lanes, out: &mut Axis) {
        let sampler = &self.sampler.sampler;
        let blends = self.filter == Filter::Linear;
        let linear = match (axis, sampler.slices) {
            (2, Some(filter)) => filter == Filter::Linear,
            _ => blends,
        };
        let rule = AxisRule {
            mode: self.mode(axis),
            linear,
            blends,
            weight_bits: self.sampler.precision.weight_bits,
            unnormalized: sampler.unnormalized,
        };
        let (size_f, size) = (&rows.size_f[axis], &rows.size[axis]);
        if self.offsets.is_none() && !rule.unnormalized {
            stages::axis(self.level, rule, coords, size_f, size, out);
        } else {
            let offsets = self.offsets.map(|o| o[axis]);
            stages::axis_general(self.level, rule, coords, offsets, size_f, size, out);
        }
    }

    /// Reads the texels at `offsets` from the base of the texture; `i` and `j` are their numbers.
    pub(super) fn read(
        &self,
        offsets: &Lanes,
        i: &[i32; LANES],
        j: &[i32; LANES],
        words: &mut [Lanes; 4],
    ) {
        let base = self.texture.base;
        let load = |offset: u32, add: u64| {
            self.memory
                .load(base + u64::from(offset) + add)
                .unwrap_or(0)
        };
        let bytes = self.texture.element_bytes;
        if self.texture.block == (4, 4) {
            self.read_blocks(offsets, i, j, words);
            return;
        }
        match bytes {
            4 => self.memory.gather(base, offsets, &mut words[0]),
            1 | 2 => {
                let mask = (1 << (8 * bytes)) - 1;
                for lane in 0..LANES {
                    let shift = 8 * ((base as u32).wrapping_add(offsets[lane]) & 3);
                    words[0][lane] = load(offsets[lane], 0) >> shift & mask;
                }
            }
            // Texels that may lie in two words.
            3 => {
                for lane in 0..LANES {
                    let at = base + u64::from(offsets[lane]);
                    let byte = |n: u64| u32::from(self.memory.load_byte(at + n).unwrap_or(0));
                    words[0][lane] = byte(0) | byte(1) << 8 | byte(2) << 16;
                }
            }
            _ => {
                for (w, row) in words.iter_mut().enumerate().take(bytes as usize / 4) {
                    for lane in 0..LANES {
                        row[lane] = load(offsets[lane], 4 * w as u64);
                    }
                }
            }
        }
        // Only block sizes other than 4x4 are left.
        if let Taps::Block(_) = self.texture.taps {
            let (bw, bh) = self.texture.block;
            for lane in lanes(self.exec) {
                let block = [0, 1, 2, 3].map(|w: usize| words[w][lane]);
                let (x, y) = (i[lane].max(0) as u32 % bw, j[lane].max(0) as u32 % bh);
                let value = block::value(self.texture.format, block, x, y);
                for c in 0..4 {
                    words[c][lane] = value[c];
                }
            }
        }
    }

    /// [`Self::read`] of 4x4 blocks, each decoded once for all its lanes and taps.
    fn read_blocks(
        &self,
        offsets: &Lanes,
        i: &[i32; LANES],
        j: &[i32; LANES],
        words: &mut [Lanes; 4],
    ) {
        let PreparedTexture {
            base,
            element_bytes: bytes,
            format,
            taps,
            ..
        } = *self.texture;
        let mut recent = self.recent.borrow_mut();
        let recent = recent.get_or_insert_default();
        for lane in lanes(self.exec) {
            let offset = offsets[lane];
            let texels = recent.block(offset, bytes, || {
                let word = |w: usize| {
                    let at = base + u64::from(offset) + 4 * w as u64;
                    self.memory.load(at).unwrap_or(0)
                };
                let words =
                    [0, 1, 2, 3].map(|w: usize| if 4 * (w as u32) < bytes { word(w) } else { 0 });
                match taps {
                    Taps::BlockBytes(codec) => block::all_bytes(codec, words).map(|t| [t, 0, 0, 0]),
                    _ => block::all_values(format, words),
                }
            });
            let texel = texels[(4 * (j[lane].max(0) & 3) + (i[lane].max(0) & 3)) as usize];
            for (row, word) in words.iter_mut().zip(texel) {
                row[lane] = word;
            }
        }
    }

    /// Words of a texel to the components of its format.
    pub(super) fn unpack(&self, words: &[Lanes; 4], values: &mut [Lanes; 4]) {
        match self.texture.taps {
            Taps::Bytes | Taps::Words => {
                let PreparedTexture {
                    format, reading, ..
                } = *self.texture;
                unpack_row_as(self.level, format, reading, words, values);
            }
            Taps::BlockBytes(_) => {
                unpack_row(self.level, crate::Format::R8G8B8A8Unorm, words, values);
            }
            Taps::Block(_) => *values = *words,
        }
    }

    /// Whether a wave's footprints are one texel.
    fn is_point(&self) -> bool {
        let slices = self.sampler.sampler.slices;
        let deep = self.texture.dim == Dim::D3 && slices == Some(Filter::Linear);
        self.filter == Filter::Nearest && !deep
    }

    fn averages_bytes(&self) -> bool {
        self.texture.averages_bytes()
            && self.reference.is_none()
            && self.sampler.sampler.reduction == Reduction::Average
    }

    /// Combines texels that a grid finds.
    fn grid_values(
        &self,
        grid: &Grid,
        source: Source,
        coords: [&Lanes; 3],
        mix: &Lanes,
        first: bool,
        out: &mut Values,
    ) {
        let mut footprint = Footprint::ZERO;
        let mut taps = [[0; LANES]; 4];
        let [u, v, _] = coords;
        let how = (self.filter, EdgeWeights::Exact);
        footprint.find(self.level, grid, source, how, [u, v]);
        footprint.read_all(&grid.plane, self.filter, &mut taps);
        if self.averages_bytes() {
            if self.filter == Filter::Linear {
                stages::average_bytes(
                    self.level,
                    &taps,
                    &footprint.w[0],
                    &footprint.w[1],
                    &mut out.0,
                );
            } else {
                stages::widen_bytes(self.level, &taps[0], &mut out.0);
            }
            return;
        }
        let count = if self.filter == Filter::Linear { 4 } else { 1 };
        let weights = [0, 1].map(|axis: usize| {
            let second = footprint.w[axis];
            [second.map(|w| rules::ONE - w), second]
        });
        let mut words = [[0; LANES]; 4];
        let mut values = [[0; LANES]; 4];
        for t in 0..count {
            words[0] = taps[t];
            self.unpack(&words, &mut values);
            let weights = [&weights[0][t & 1], &weights[1][t >> 1], &[1; LANES]];
            let first = first && t == 0;
            self.add(&mut values, weights, 1.0 / 65_536.0, mix, first, out);
        }
    }

    /// Compares the values of a tap where the request asks for it, and adds them to what there is.
    fn add(
        &self,
        values: &mut [Lanes; 4],
        weights: [&Lanes; 3],
        scale: f32,
        mix: &Lanes,
        first: bool,
        out: &mut Values,
    ) {
        let sampler = &self.sampler.sampler;
        if let Some(reference) = &self.reference {
            let c = usize::from(self.texture.reads_second());
            stages::compare(self.level, sampler.compare, reference, &mut values[c]);
            if c != 0 {
                values[0] = values[c];
            }
        }
        let reduces = sampler.reduction != Reduction::Average && self.reference.is_none();
        for c in (0..4).filter(|&c| self.needed[c]) {
            let (value, sum) = (&values[c], &mut out.0[c]);
            if reduces {
                let how = sampler.reduction;
                stages::extreme(self.level, how, value, weights, mix, first, sum);
            } else if self.is_point() && self.reference.is_none() {
                *sum = *value;
            } else {
                stages::accumulate(self.level, value, weights, scale, sum);
            }
        }
    }

    /// Filters one level. `mix` is the weight of the level in a reduction; `first` tells whether it is the first one.
    fn filter_level(
        &self,
        coords: [&Lanes; 3],
        rows: &LevelRows,
        mix: &Lanes,
        first: bool,
        out: &mut Values,
    ) {
        let texture = self.texture;
        let count = axes(texture.dim);
        let mut xyz = [Axis::UNIT; 3];
        for axis in 0..count {
            self.axis(rows, axis, coords[axis], &mut xyz[axis]);
        }
        let mut tables = [[[0; LANES]; 2]; 3];
        let (bw, bh) = texture.block;
        for (axis, divisor) in [(0, bw), (1, bh), (2, 1)].into_iter().take(count) {
            for k in 0..xyz[axis].count {
                let (start, i) = (&rows.start[axis], &xyz[axis].i[k]);
                look_up(
                    &texture.tables[axis],
                    start,
                    i,
                    divisor,
                    &mut tables[axis][k],
                );
            }
        }
        if count < 3
            && let Some(slice) = &self.slice
        {
            let mut row = [0; LANES];
            let numbers = slice.map(|n| n as i32);
            look_up(&texture.tables[2], &rows.start[2], &numbers, 1, &mut row);
            for k in 0..xyz[1].count {
                stages::join(self.level, &row, &rows.xor, &mut tables[1][k]);
            }
        }
        if self.averages_bytes() {
            self.filter_bytes(rows, &xyz, &tables, out);
        } else {
            self.filter_values(rows, &xyz, &tables, mix, first, out);
        }
    }

    fn borders(&self) -> bool {
        use Address::{Border, HalfBorder, MirrorBorder, MirrorHalfBorder};
        (0..axes(self.texture.dim)).any(|axis| {
            matches!(
                self.mode(axis),
                Border | MirrorBorder | HalfBorder | MirrorHalfBorder
            )
        })
    }

    fn filter_bytes(
        &self,
        rows: &LevelRows,
        xyz: &[Axis; 3],
        tables: &[[Lanes; 2]; 3],
        out: &mut Values,
    ) {
        let [x, y, _] = xyz;
        let mut taps = [[0; LANES]; 4];
        let borders = self.borders();
        let color = self.texture.border_bytes(self.sampler.sampler.border);
        let border = match self.texture.taps {
            Taps::Bytes => {
                let value = color.map(|b| (f32::from(b) / 255.0).to_bits());
                self.texture.format.pack_words(value)[0]
            }
            _ => u32::from_le_bytes(color),
        };
        let mut offsets = [0; LANES];
        let mut words = [[0; LANES]; 4];
        for j in 0..y.count {
            for i in 0..x.count {
                let (tx, ty) = (&tables[0][i], &tables[1][j]);
                stages::combine(self.level, tx, ty, &rows.base, &rows.xor, &mut offsets);
                self.read(&offsets, &x.i[i], &y.i[j], &mut words);
                let tap = &mut taps[2 * j + i];
                *tap = words[0];
                if borders {
                    stages::put_border(self.level, &x.i[i], border, tap);
                    stages::put_border(self.level, &y.i[j], border, tap);
                }
            }
        }
        if x.count == 1 && y.count == 1 {
            stages::widen_bytes(self.level, &taps[0], &mut out.0);
        } else {
            if y.count == 1 {
                taps[2] = taps[0];
                taps[3] = taps[1];
            }
            stages::average_bytes(self.level, &taps, &x.w[1], &y.w[1], &mut out.0);
        }
    }

    fn filter_values(
        &self,
        rows: &LevelRows,
        xyz: &[Axis; 3],
        tables: &[[Lanes; 2]; 3],
        mix: &Lanes,
        first: bool,
        out: &mut Values,
    ) {
        let [x, y, z] = xyz;
        let sampler = &self.sampler.sampler;
        let borders = self.borders();
        let border = self.texture.border(sampler.border);
        let reduces = sampler.reduction != Reduction::Average && self.reference.is_none();
        let scale = 1.0 / (1u32 << (FRACTION_BITS as usize * axes(self.texture.dim))) as f32;
        let mut words = [[0; LANES]; 4];
        let mut values = [[0; LANES]; 4];
        let mut offsets = [0; LANES];
        let mut first = first;
        if !reduces {
            out.0 = [[0; LANES]; 4];
        }
        for k in 0..z.count {
            let mut sides = tables[1];
            if self.texture.dim == Dim::D3 {
                for side in sides.iter_mut().take(y.count) {
                    stages::join(self.level, &tables[2][k], &rows.xor, side);
                }
            }
            for j in 0..y.count {
                for i in 0..x.count {
                    let tx = &tables[0][i];
                    stages::combine(
                        self.level,
                        tx,
                        &sides[j],
                        &rows.base,
                        &rows.xor,
                        &mut offsets,
                    );
                    self.read(&offsets, &x.i[i], &y.i[j], &mut words);
                    self.unpack(&words, &mut values);
                    if borders {
                        let second = self.texture.reads_second();
                        for c in (0..4).filter(|&c| self.needed[c] || c == 1 && second) {
                            for at in [&x.i[i], &y.i[j], &z.i[k]] {
                                stages::put_border(self.level, at, border[c], &mut values[c]);
                            }
                        }
                    }
                    let weights = [&x.w[i], &y.w[j], &z.w[k]];
                    self.add(&mut values, weights, scale, mix, first, out);
                    first = false;
                }
            }
        }
    }

    /// Filters one mip level by the fastest path; `out` holds zeros, or the extremes so far.
    #[expect(clippy::too_many_arguments, reason = "one call site per level")]
    fn level_values(
        &self,
        coords: [&Lanes; 3],
        index: &[i32; LANES],
        uniform: Option<i32>,
        rows: &mut Option<LevelRows>,
        mix: &Lanes,
        first: bool,
        out: &mut Values,
    ) {
        if let Some(grid) = &self.grid {
            let mut extents;
            let source = match uniform {
                Some(index) => Source::Level(grid.extent(index)),
                None => {
                    extents = Extents::ZERO;
                    extents.fill(grid, index, 0);
                    Source::Rows(&extents)
                }
            };
            self.grid_values(grid, source, coords, mix, first, out);
            return;
        }
        let rows = rows.get_or_insert_with(|| LevelRows::ZERO);
        rows.fill(self.texture, index, uniform);
        self.filter_level(coords, rows, mix, first, out);
    }

    /// One filtered value per lane, as unpacked components.
    pub fn filtered(
        &self,
        coords: [&Lanes; 3],
        first: &[i32; LANES],
        mix: &Lanes,
        uniform: Option<i32>,
        out: &mut [Lanes; 4],
    ) {
        let texture = self.texture;
        let last = texture.last_level;
        let mixes = mix.map(|m| m as i32);
        let mixed = self.sampler.sampler.mip == MipFilter::Linear
            && !stages::all_equal(self.level, self.exec, &mixes, 0);
        let mut rows = None;
        let mut near = Values([[0; LANES]; 4]);
        self.level_values(
            coords,
            first,
            uniform,
            &mut rows,
            &[1; LANES],
            true,
            &mut near,
        );
        let reduces =
            self.sampler.sampler.reduction != Reduction::Average && self.reference.is_none();
        let mut far = None;
        if mixed {
            let second = first.map(|l| (l + 1).min(last));
            let uniform = uniform.map(|l| (l + 1).min(last));
            if reduces {
                self.level_values(coords, &second, uniform, &mut rows, mix, false, &mut near);
            } else {
                let mut values = Values([[0; LANES]; 4]);
                self.level_values(coords, &second, uniform, &mut rows, mix, false, &mut values);
                far = Some(values);
            }
        }
        let exact = reduces || self.is_point() && self.reference.is_none();
        for c in (0..4).filter(|&c| self.needed[c]) {
            if self.averages_bytes() {
                let byte = texture.byte_of(c);
                match &far {
                    None => stages::finish_bytes(self.level, &near.0[byte], &mut out[c]),
                    Some(far) => {
                        let (near, far) = (&near.0[byte], &far.0[byte]);
                        stages::finish_byte_levels(self.level, near, far, mix, &mut out[c]);
                    }
                }
            } else {
                let far = far.as_ref().map(|far| &far.0[c]);
                stages::finish_levels(self.level, &near.0[c], far, mix, exact, &mut out[c]);
            }
        }
    }
}
