//! The sampling reference, one lane and one texel at a time: oracle of the row code, and its fallback for rare shapes
//! and filters.

use super::prepared::LevelInfo;
use super::rules::{
    self, FRACTION_BITS, ONE, OUTSIDE, add_weighted, gather_texel, linear_texel, nearest_texel,
};
use super::{
    Address, Dim, Filter, Lanes, Lod, MipFilter, PreparedSampler, PreparedTexture, Reduction,
    Request, Taps, cube, lod,
};
pub(super) use crate::fragment::interpolate::lanes;
use crate::memory::Memory;
use crate::texture::block;
use crate::texture::format::{Class, Read};

/// A footprint texel (column, row, slice; `None` is border) and its weight.
#[derive(Clone, Copy, Debug)]
struct Tap {
    at: Option<[u32; 3]>,
    weight: u32,
}

/// Footprint of one mip level. Weights add up to `1 << bits`.
struct Footprint {
    taps: [Tap; 8],
    count: usize,
    bits: u32,
}

impl Footprint {
    fn push(&mut self, at: Option<[u32; 3]>, weight: u32) {
        self.taps[self.count] = Tap { at, weight };
        self.count += 1;
    }

    fn taps(&self) -> &[Tap] {
        &self.taps[..self.count]
    }
}

/// Texture, sampler and memory of one instruction.
#[derive(Clone, Copy)]
struct Unit<'a> {
    memory: &'a Memory,
    texture: &'a PreparedTexture,
    sampler: &'a PreparedSampler,
}

/// Coordinates of one lane.
#[derive(Clone, Copy)]
struct Lane {
    coords: [f32; 3],
    layer: u32,
    offsets: [i32; 3],
    reference: Option<f32>,
}

/// Reads a texel that exists as the components of its format.
pub(super) fn read(
    memory: &Memory,
    texture: &PreparedTexture,
    level: &LevelInfo,
    at: [u32; 3],
    sample: u32,
) -> [u32; 4] {
    let (bw, bh) = texture.block;
    let address = texture.address(level, [at[0] / bw, at[1] / bh, at[2]], sample);
    let mut words = [0; 4];
    if !texture.element_bytes.is_multiple_of(4) {
        // May lie in two words.
        for byte in 0..texture.element_bytes {
            let value = memory.load_byte(address + u64::from(byte)).unwrap_or(0);
            words[byte as usize / 4] |= u32::from(value) << (8 * (byte % 4));
        }
    } else {
        for (i, w) in words
            .iter_mut()
            .enumerate()
            .take(texture.element_bytes as usize / 4)
        {
            *w = memory.load(address + 4 * i as u64).unwrap_or(0);
        }
    }
    match texture.taps {
        Taps::Bytes | Taps::Words => texture.format.unpack_words_as(texture.reading, words),
        Taps::BlockBytes(_) | Taps::Block(_) => {
            block::value(texture.format, words, at[0] % bw, at[1] % bh)
        }
    }
}

/// Reads the same texel as four bytes, for formats of 8-bit channels.
fn read_bytes(
    memory: &Memory,
    texture: &PreparedTexture,
    level: &LevelInfo,
    at: [u32; 3],
) -> [u8; 4] {
    read(memory, texture, level, at, 0)
        .map(|bits| (f32::from_bits(bits) * 255.0).round_ties_even() as u8)
}

impl Unit<'_> {
    fn address_mode(&self, axis: usize) -> Address {
        match (self.texture.dim, self.sampler.sampler.seamless) {
            (Dim::Cube, false) => Address::ClampToEdge,
            // Positions only: steps over an edge stay, and `cube::neighbour` folds them.
            (Dim::Cube, true) => Address::ClampToEdge,
            _ => self.sampler.sampler.address[axis],
        }
    }

    /// A position, and what is added to texel numbers there.
    fn position(&self, level: &LevelInfo, lane: &Lane, axis: usize) -> (f32, i32) {
        rules::moved_position(
            self.address_mode(axis),
            lane.coords[axis],
            level.size_f[axis],
            self.sampler.sampler.unnormalized,
            lane.offsets[axis],
        )
    }

    /// Texels and weights along one axis: one entry for a nearest filter, two for a linear one.
    fn axis(
        &self,
        level: &LevelInfo,
        lane: &Lane,
        axis: usize,
        filter: Filter,
    ) -> ([i32; 2], [u32; 2], usize) {
        let (x, offset) = self.position(level, lane, axis);
        match filter {
            Filter::Nearest => ([nearest_texel(x) + offset, 0], [ONE, 0], 1),
            Filter::Linear => {
                let (i, weight) = linear_texel(x, self.sampler.precision.weight_bits);
                ([i + offset, i + offset + 1], [ONE - weight, weight], 2)
            }
        }
    }

    /// The texel with these numbers in a layer, or `None` for the border.
    fn locate(
        &self,
        level: &LevelInfo,
        lane: &Lane,
        at: [i32; 3],
        linear: bool,
    ) -> Option<[u32; 3]> {
        let mut found = [0; 3];
        let axes = match self.texture.dim {
            Dim::D1 => 1,
            Dim::D3 => 3,
            _ => 2,
        };
        for axis in 0..axes {
            let i = rules::wrap(self.address_mode(axis), at[axis], level.size[axis], linear);
            if i == OUTSIDE {
                return None;
            }
            found[axis] = i as u32;
        }
        if self.texture.dim != Dim::D3 {
            found[2] = lane.layer;
        }
        Some(found)
    }

    fn footprint(&self, level: &LevelInfo, lane: &Lane, filter: Filter) -> Footprint {
        let mut footprint = Footprint {
            taps: [Tap {
                at: None,
                weight: 0,
            }; 8],
            count: 0,
            bits: 0,
        };
        let slices = self.sampler.sampler.slices.unwrap_or(filter);
        let x = self.axis(level, lane, 0, filter);
        let unit = ([0; 2], [1, 0], 1);
        let y = match self.texture.dim {
            Dim::D1 => unit,
            _ => self.axis(level, lane, 1, filter),
        };
        let z = match self.texture.dim {
            Dim::D3 => self.axis(level, lane, 2, slices),
            _ => unit,
        };
        if self.texture.dim == Dim::Cube && self.sampler.sampler.seamless {
            self.cube_taps(level, lane, x, y, &mut footprint);
        } else {
            for k in 0..z.2 {
                for j in 0..y.2 {
                    for i in 0..x.2 {
                        let at = [x.0[i], y.0[j], z.0[k]];
                        let at = self.locate(level, lane, at, filter == Filter::Linear);
                        footprint.push(at, x.1[i] * y.1[j] * z.1[k]);
                    }
                }
            }
        }
        footprint.bits = match self.texture.dim {
            Dim::D1 => FRACTION_BITS,
            Dim::D3 => 3 * FRACTION_BITS,
            _ => 2 * FRACTION_BITS,
        };
        footprint
    }

    /// Taps across cube edges. The weight of a missing corner goes to the other three.
    fn cube_taps(
        &self,
        level: &LevelInfo,
        lane: &Lane,
        x: ([i32; 2], [u32; 2], usize),
        y: ([i32; 2], [u32; 2], usize),
        footprint: &mut Footprint,
    ) {
        let size = level.size[0];
        let (cube, face) = (lane.layer / 6 * 6, lane.layer % 6);
        let clamp = |n: i32| n.clamp(-1, size);
        let mut corner = None;
        for j in 0..y.2 {
            for i in 0..x.2 {
                let weight = x.1[i] * y.1[j];
                let (a, b) = (clamp(x.0[i]), clamp(y.0[j]));
                // A nearest filter at coordinate 1 stays on its face.
                let (a, b) = if x.2 == 1 {
                    (a.clamp(0, size - 1), b.clamp(0, size - 1))
                } else {
                    (a, b)
                };
                match cube::neighbour(face, a, b, size) {
                    Some((f, a, b)) => footprint.push(Some([a as u32, b as u32, cube + f]), weight),
                    None => corner = Some(weight),
                }
            }
        }
        if let Some(weight) = corner {
            let third = weight / 3;
            for tap in &mut footprint.taps[..footprint.count] {
                tap.weight += third;
            }
            footprint.taps[0].weight += weight - 3 * third;
        }
    }

    fn value(&self, level: &LevelInfo, at: Option<[u32; 3]>) -> [u32; 4] {
        match at {
            Some(at) => read(self.memory, self.texture, level, at, 0),
            None => self.texture.border(self.sampler.sampler.border),
        }
    }

    fn byte_value(&self, level: &LevelInfo, at: Option<[u32; 3]>) -> [u8; 4] {
        match at {
            Some(at) => read_bytes(self.memory, self.texture, level, at),
            None => self.texture.border_bytes(self.sampler.sampler.border),
        }
    }

    /// A texel, or the result of comparing it, as floats.
    fn compared(&self, level: &LevelInfo, lane: &Lane, at: Option<[u32; 3]>) -> [f32; 4] {
        let value = self.value(level, at).map(f32::from_bits);
        match lane.reference {
            Some(reference) => {
                let op = self.sampler.sampler.compare;
                let value = value[usize::from(self.texture.reads_second())];
                [f32::from(u8::from(op.holds(reference, value))); 4]
            }
            None => value,
        }
    }

    /// Weighted average of the bytes of a level, in units of `1 / (255 << bits)`.
    fn average_bytes(&self, level: &LevelInfo, footprint: &Footprint) -> [u32; 4] {
        let mut sum = [0; 4];
        for tap in footprint.taps() {
            let bytes = self.byte_value(level, tap.at);
            for c in 0..4 {
                sum[c] += u32::from(bytes[c]) * tap.weight;
            }
        }
        sum
    }

    fn average(&self, level: &LevelInfo, lane: &Lane, footprint: &Footprint) -> [f32; 4] {
        let scale = 1.0 / (1u32 << footprint.bits) as f32;
        let mut sum = [0.0; 4];
        for tap in footprint.taps() {
            let value = self.compared(level, lane, tap.at);
            for c in 0..4 {
                sum[c] = add_weighted(sum[c], value[c], tap.weight as f32 * scale);
            }
        }
        sum
    }

    /// One filtered value at a level of detail in units of 1/256.
    fn filtered(&self, lane: &Lane, lod: i32) -> [u32; 4] {
        let sampler = &self.sampler.sampler;
        let filter = if lod <= 0 { sampler.mag } else { sampler.min };
        let last = self.texture.last_level;
        let (first, mix) = match sampler.mip {
            MipFilter::None => (0, 0),
            MipFilter::Nearest => (rules::nearest_level(lod, last), 0),
            MipFilter::Linear => rules::linear_level(lod, last),
        };
        let second = (first + 1).min(last);
        let [a, b] = [first, second].map(|l| &self.texture.levels[l as usize]);
        let footprint = [
            (a, self.footprint(a, lane, filter)),
            (b, self.footprint(b, lane, filter)),
        ];
        let levels = if mix == 0 { 1 } else { 2 };
        let mixes = [ONE - mix, mix];
        if sampler.reduction != Reduction::Average && lane.reference.is_none() {
            return self.extreme(lane, &footprint[..levels]);
        }
        let [(a, near), (b, far)] = &footprint;
        if lane.reference.is_none() && near.count == 1 && levels == 1 {
            return self.value(a, near.taps[0].at);
        }
        if lane.reference.is_none() && self.texture.averages_bytes() {
            let [near_sum, far_sum] = [self.average_bytes(a, near), self.average_bytes(b, far)];
            let scale = (255u64 << (near.bits + FRACTION_BITS)) as f32;
            return [0, 1, 2, 3].map(|c: usize| {
                let sum = near_sum[c] * mixes[0] + far_sum[c] * mixes[1];
                (sum as f32 / scale).to_bits()
            });
        }
        let near = self.average(a, lane, near);
        if levels == 1 {
            return near.map(canonical);
        }
        let far = self.average(b, lane, far);
        let [m0, m1] = mixes.map(|m| m as f32 / ONE as f32);
        [0, 1, 2, 3]
            .map(|c: usize| canonical(add_weighted(add_weighted(0.0, near[c], m0), far[c], m1)))
    }

    /// Smallest or largest of the texels with a weight.
    fn extreme(&self, lane: &Lane, footprint: &[(&LevelInfo, Footprint)]) -> [u32; 4] {
        let smallest = self.sampler.sampler.reduction == Reduction::Min;
        let mut best: Option<[f32; 4]> = None;
        for (level, footprint) in footprint {
            for tap in footprint.taps().iter().filter(|t| t.weight != 0) {
                let value = self.compared(level, lane, tap.at);
                best = Some(match best {
                    None => value,
                    Some(old) => [0, 1, 2, 3].map(|c: usize| pick(smallest, old[c], value[c])),
                });
            }
        }
        best.unwrap_or_default().map(f32::to_bits)
    }

    /// All probes of an anisotropic footprint, or the one of an isotropic.
    fn lane(&self, lane: &Lane, detail: &lod::Detail) -> [u32; 4] {
        let probes = detail.probes;
        if probes <= 1 {
            return self.filtered(lane, detail.lod);
        }
        let reduction = self.sampler.sampler.reduction;
        let mut sum = [0.0f32; 4];
        for probe in 1..=probes {
            let mut at = *lane;
            for axis in 0..3 {
                at.coords[axis] = lod::probe(lane.coords[axis], detail.step[axis], probe, probes);
            }
            let value = self.filtered(&at, detail.lod).map(f32::from_bits);
            for c in 0..4 {
                sum[c] = match reduction {
                    Reduction::Average => sum[c] + value[c],
                    _ if probe == 1 => value[c],
                    _ => pick(reduction == Reduction::Min, sum[c], value[c]),
                };
            }
        }
        match reduction {
            Reduction::Average => sum.map(|s| canonical(s / probes as f32)),
            _ => sum.map(f32::to_bits),
        }
    }

    fn gather(&self, lane: &Lane, level: &LevelInfo) -> [[u32; 4]; 4] {
        let axis = |a: usize| {
            let (x, offset) = self.position(level, lane, a);
            gather_texel(x) + offset
        };
        let (i, j) = (axis(0), axis(1));
        [(i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j)].map(|(i, j)| {
            let at = if self.texture.dim == Dim::Cube && self.sampler.sampler.seamless {
                let size = level.size[0];
                let (i, j) = (i.clamp(-1, size), j.clamp(-1, size));
                // A corner gives the texel of this face that is next to it.
                let (face, i, j) = cube::neighbour(lane.layer % 6, i, j, size).unwrap_or((
                    lane.layer % 6,
                    i.clamp(0, size - 1),
                    j.clamp(0, size - 1),
                ));
                Some([i as u32, j as u32, lane.layer / 6 * 6 + face])
            } else {
                self.locate(level, lane, [i, j, 0], true)
            };
            if lane.reference.is_some() {
                self.compared(level, lane, at).map(f32::to_bits)
            } else {
                self.value(level, at)
            }
        })
    }
}

/// The one NaN that filters give.
#[inline(always)]
pub(super) fn canonical(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

#[inline(always)]
pub(super) fn pick(smallest: bool, old: f32, new: f32) -> f32 {
    let better = if smallest { new < old } else { new > old };
    if better { new } else { old }
}

/// The four results of unpacked components.
pub(super) fn output(texture: &PreparedTexture, value: [u32; 4], compared: bool) -> [u32; 4] {
    let one = if compared {
        Class::Float
    } else {
        texture.class
    }
    .one();
    texture.outputs.map(|read| match read {
        Read::Channel(c) => value[c as usize],
        Read::Zero => 0,
        Read::One => one,
    })
}

fn lane_of(request: &Request, texture: &PreparedTexture, lane: usize) -> Lane {
    let coords = request.coords.map(|row| f32::from_bits(row[lane]));
    let layer = request.layer.map_or(0, |row| {
        rules::layer(f32::from_bits(row[lane]), texture.layers)
    });
    let layer = match texture.dim {
        Dim::Cube => 6 * layer + rules::layer(coords[2], 6),
        Dim::D3 => 0,
        _ => layer,
    };
    Lane {
        coords,
        layer,
        offsets: match request.offsets {
            Some(row) => [0, 1, 2].map(|axis| rules::offset(row[lane], axis)),
            None => [0; 3],
        },
        reference: request.reference.map(|row| {
            let reference = f32::from_bits(row[lane]);
            if texture.class == Class::Unorm {
                let reference = if reference > 0.0 { reference } else { 0.0 };
                if reference < 1.0 { reference } else { 1.0 }
            } else {
                reference
            }
        }),
    }
}

/// Samples a texture lane by lane.
pub fn sample(
    memory: &Memory,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    out: &mut [Lanes; 4],
) {
    let unit = Unit {
        memory,
        texture,
        sampler,
    };
    for index in lanes(request.exec) {
        let detail = lod::lane(texture, sampler, request, index);
        let lane = lane_of(request, texture, index);
        let value = unit.lane(&lane, &detail);
        let result = output(texture, value, request.reference.is_some());
        for c in 0..4 {
            out[c][index] = result[c];
        }
    }
}

/// Gathers component `component` of the four texels of a linear footprint, lane by lane, in the order (0, 1), (1, 1),
/// (1, 0), (0, 0). The level of detail is 0 unless the request names or implies another; the level is the nearest.
pub fn gather(
    memory: &Memory,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    component: usize,
    out: &mut [Lanes; 4],
) {
    let unit = Unit {
        memory,
        texture,
        sampler,
    };
    let mipped = sampler.sampler.mip != MipFilter::None && !matches!(request.lod, Lod::Zero);
    for index in lanes(request.exec) {
        let level = if mipped {
            let detail = lod::lane(texture, sampler, request, index);
            rules::nearest_level(detail.lod, texture.last_level)
        } else {
            0
        };
        let lane = lane_of(request, texture, index);
        let values = unit.gather(&lane, &texture.levels[level as usize]);
        for (o, value) in out.iter_mut().zip(values) {
            o[index] = output(texture, value, request.reference.is_some())[component & 3];
        }
    }
}
