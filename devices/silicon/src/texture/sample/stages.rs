//! Row kernels: one sampling stage each, 64 lanes, compiled per SIMD level.

use super::rules::{
    self, FRACTION_BITS, ONE, add_weighted, clamp_lod, each_mode, fixed_lod, gather_texel,
    half_log2, linear_level, linear_texel, moved_position, nearest_level, nearest_texel, position,
    steepen, wrap_far, wrap_near,
};
use super::{Address, LANES, Lanes, MipFilter, Reduction, lod, reference};
use crate::fragment::depth::Compare;
use crate::fragment::mask;
use host::per_level;

/// Texel numbers and weights along one axis.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Axis {
    /// Texels, or [`rules::OUTSIDE`].
    pub i: [[i32; LANES]; 2],
    /// Weights in units of 1/256.
    pub w: [Lanes; 2],
    /// Texels per lane: 1 or 2.
    pub count: usize,
}

impl Axis {
    /// One texel, number 0.
    pub const UNIT: Axis = Axis {
        i: [[0; LANES]; 2],
        w: [[1; LANES], [0; LANES]],
        count: 1,
    };
}

/// Wave-uniform settings of an axis.
#[derive(Clone, Copy)]
pub(super) struct AxisRule {
    pub mode: Address,
    pub linear: bool,
    /// Whether the footprint's x and y are linear, which half-border modes ask.
    pub blends: bool,
    pub weight_bits: u32,
    pub unnormalized: bool,
}

/// Wave-uniform LOD settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LodRule {
    pub scale: [f32; 3],
    pub anisotropy: u32,
    pub bias: f32,
    pub low: f32,
    pub high: f32,
    pub bits: u32,
    pub steepness: u32,
}

impl LodRule {
    /// Level of detail of one probe, from the squared length of the longer axis.
    #[inline(always)]
    pub fn isotropic(&self, longer: f32) -> f32 {
        half_log2(longer) + self.bias
    }

    /// A level of detail as it is used, before it is steepened.
    #[inline(always)]
    pub fn fixed(&self, raw: f32, low: f32) -> i32 {
        fixed_lod(clamp_lod(raw, low, self.high), self.bits)
    }

    /// Steepens levels of detail. Apart from [`LodRule::fixed`], as a loop that may divide does not become vectors.
    #[inline(always)]
    pub fn steepen(&self, lods: &mut [i32]) {
        if self.steepness != 0 {
            for lod in lods {
                *lod = steepen(*lod, self.steepness);
            }
        }
    }
}

/// What derivatives ask for.
pub(super) struct Asked {
    /// Level of detail, biased by the sampler.
    pub raw: f32,
    pub probes: u32,
    /// The longer axis, where the filter is anisotropic.
    pub step: [f32; 2],
}

/// Level of detail and probes of a footprint with these axes.
#[inline(always)]
pub(super) fn detail(rule: LodRule, dx: [f32; 3], dy: [f32; 3]) -> Asked {
    let (x, y) = (lod::squared(dx, rule.scale), lod::squared(dy, rule.scale));
    let (longer, shorter) = if x > y { (x, y) } else { (y, x) };
    if rule.anisotropy <= 1 {
        return Asked {
            raw: rule.isotropic(longer),
            probes: 1,
            step: [0.0; 2],
        };
    }
    let probes = lod::probe_count(longer, shorter, rule.anisotropy);
    let n = probes as i32 as f32;
    Asked {
        raw: half_log2(longer / (n * n)) + rule.bias,
        probes,
        step: if x > y {
            [dx[0], dx[1]]
        } else {
            [dy[0], dy[1]]
        },
    }
}

/// LOD details per lane, see [`lod::Detail`].
pub(super) struct Details {
    pub lod: [i32; LANES],
    pub probes: Lanes,
    pub step: [Lanes; 2],
}

#[inline(always)]
fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
fn axis_loop(
    mode: Address,
    rule: AxisRule,
    coords: &Lanes,
    size_f: &[f32; LANES],
    size: &[i32; LANES],
    axis: &mut Axis,
) {
    let bits = rule.weight_bits;
    let [i0, i1] = &mut axis.i;
    let [w0, w1] = &mut axis.w;
    if rule.linear {
        for l in 0..LANES {
            let (i, w) = linear_texel(position(mode, f(coords[l]), size_f[l], false), bits);
            i0[l] = wrap_near(mode, i, size[l], rule.blends);
            i1[l] = wrap_near(mode, i + 1, size[l], rule.blends);
            w0[l] = ONE - w;
            w1[l] = w;
        }
    } else {
        for l in 0..LANES {
            let i = nearest_texel(position(mode, f(coords[l]), size_f[l], false));
            i0[l] = wrap_near(mode, i, size[l], rule.blends);
        }
        *w0 = [ONE; LANES];
        *w1 = [0; LANES];
    }
}

#[inline(always)]
fn gather_loop(
    mode: Address,
    rule: AxisRule,
    (coords, offsets, number): (&Lanes, &Lanes, usize),
    (size_f, size): (&[f32; LANES], &[i32; LANES]),
    axis: &mut Axis,
) {
    let [first, second] = &mut axis.i;
    for l in 0..LANES {
        let offset = rules::offset(offsets[l], number);
        let (x, offset) = moved_position(mode, f(coords[l]), size_f[l], rule.unnormalized, offset);
        let i = gather_texel(x) + offset;
        first[l] = wrap_far(mode, i, size[l], rule.blends);
        second[l] = wrap_far(mode, i + 1, size[l], rule.blends);
    }
}

per_level! {
    /// Coordinates to texel numbers and weights, where numbers need no division to wrap.
    pub(super) fn axis<'a>(
        rule: AxisRule,
        coords: &'a Lanes,
        size_f: &'a [f32; LANES],
        size: &'a [i32; LANES],
        axis: &'a mut Axis,
    ) {
        each_mode!(rule.mode, MODE => axis_loop(MODE, rule, coords, size_f, size, axis));
        axis.count = 1 + usize::from(rule.linear);
    }

    /// The same with texel offsets or coordinates that count texels: coordinates, offsets and the number of the axis.
    pub(super) fn axis_general<'a>(
        rule: AxisRule,
        rows: (&'a Lanes, Option<&'a Lanes>, usize),
        size_f: &'a [f32; LANES],
        size: &'a [i32; LANES],
        axis: &'a mut Axis,
    ) {
        let (coords, offsets, number) = rows;
        let offsets = offsets.unwrap_or(&[0; LANES]);
        for l in 0..LANES {
            let offset = rules::offset(offsets[l], number);
            let coordinate = f(coords[l]);
            let (x, offset) =
                moved_position(rule.mode, coordinate, size_f[l], rule.unnormalized, offset);
            let (i, w) = if rule.linear {
                linear_texel(x, rule.weight_bits)
            } else {
                (nearest_texel(x), 0)
            };
            axis.i[0][l] = wrap_far(rule.mode, i + offset, size[l], rule.blends);
            axis.i[1][l] = wrap_far(rule.mode, i + offset + 1, size[l], rule.blends);
            axis.w[0][l] = ONE - w;
            axis.w[1][l] = w;
        }
        axis.count = 1 + usize::from(rule.linear);
    }

    /// Coordinates to the numbers of both texels of a gather, from the same rows.
    pub(super) fn gather_axis<'a>(
        rule: AxisRule,
        rows: (&'a Lanes, Option<&'a Lanes>, usize),
        size: (&'a [f32; LANES], &'a [i32; LANES]),
        axis: &'a mut Axis,
    ) {
        let (coords, offsets, number) = rows;
        let rows = (coords, offsets.unwrap_or(&[0; LANES]), number);
        each_mode!(rule.mode, MODE => gather_loop(MODE, rule, rows, size, axis));
        axis.count = 2;
    }

    /// Differences within quads, to the right and down.
    pub(super) fn differences<'a>(coords: &'a Lanes, dx: &'a mut Lanes, dy: &'a mut Lanes) {
        let quads = coords.chunks_exact(4).zip(dx.chunks_exact_mut(4)).zip(dy.chunks_exact_mut(4));
        for ((c, dx), dy) in quads {
            dx.fill((f(c[1]) - f(c[0])).to_bits());
            dy.fill((f(c[2]) - f(c[0])).to_bits());
        }
    }

    /// Derivatives to levels of detail; `bias` and `clamp` are per lane.
    pub(super) fn details<'a>(
        rule: LodRule,
        dx: &'a [Lanes; 3],
        dy: &'a [Lanes; 3],
        bias: Option<&'a Lanes>,
        clamp: Option<&'a Lanes>,
        out: &'a mut Details,
    ) {
        let mut raw = [0f32; LANES];
        for l in 0..LANES {
            let right = [f(dx[0][l]), f(dx[1][l]), f(dx[2][l])];
            let below = [f(dy[0][l]), f(dy[1][l]), f(dy[2][l])];
            let found = detail(rule, right, below);
            raw[l] = found.raw;
            if rule.anisotropy > 1 {
                out.probes[l] = found.probes;
                out.step[0][l] = found.step[0].to_bits();
                out.step[1][l] = found.step[1].to_bits();
            }
        }
        if let Some(bias) = bias {
            for l in 0..LANES {
                raw[l] += f(bias[l]);
            }
        }
        clamp_all(rule, &raw, clamp, &mut out.lod);
    }

    /// Given levels of detail, biased and clamped.
    pub(super) fn given_lods<'a>(
        rule: LodRule,
        given: &'a Lanes,
        clamp: Option<&'a Lanes>,
        out: &'a mut [i32; LANES],
    ) {
        let mut raw = [0f32; LANES];
        for l in 0..LANES {
            raw[l] = f(given[l]) + rule.bias;
        }
        clamp_all(rule, &raw, clamp, out);
    }

    /// Levels of detail to levels and the weight of the next one.
    pub(super) fn select_levels<'a>(
        mip: MipFilter,
        lods: &'a [i32; LANES],
        last: i32,
        first: &'a mut [i32; LANES],
        mix: &'a mut Lanes,
    ) {
        match mip {
            MipFilter::None => {}
            MipFilter::Nearest => {
                for l in 0..LANES {
                    first[l] = nearest_level(lods[l], last);
                }
            }
            MipFilter::Linear => {
                for l in 0..LANES {
                    (first[l], mix[l]) = linear_level(lods[l], last);
                }
            }
        }
    }

    /// Byte offsets from what each axis gives.
    pub(super) fn combine<'a>(
        x: &'a Lanes,
        y: &'a Lanes,
        base: &'a Lanes,
        xor: &'a Lanes,
        out: &'a mut Lanes,
    ) {
        for l in 0..LANES {
            let keep = !xor[l];
            let sum = (x[l] & keep).wrapping_add(y[l] & keep) & keep;
            out[l] = base[l].wrapping_add(sum | (x[l] ^ y[l]) & xor[l]);
        }
    }

    /// Adds what the slice gives to what y gives.
    pub(super) fn join<'a>(slice: &'a Lanes, xor: &'a Lanes, y: &'a mut Lanes) {
        for l in 0..LANES {
            let keep = !xor[l];
            y[l] = (y[l] & keep).wrapping_add(slice[l] & keep) & keep | (y[l] ^ slice[l]) & xor[l];
        }
    }

    /// Puts `value` where a texel number is outside.
    pub(super) fn put_border<'a>(i: &'a [i32; LANES], value: u32, row: &'a mut Lanes) {
        for l in 0..LANES {
            row[l] = if i[l] < 0 { value } else { row[l] };
        }
    }

    /// Weighted sums of the four bytes of four words, in units of 2^-16. Two bytes share a word until the last product:
    /// byte sums with weights that add to 256 fit 16 bits.
    pub(super) fn average_bytes<'a>(
        taps: &'a [Lanes; 4],
        x: &'a Lanes,
        y: &'a Lanes,
        out: &'a mut [Lanes; 4],
    ) {
        let [o0, o1, o2, o3] = out;
        for l in 0..LANES {
            let (wx, wy) = (x[l], y[l]);
            let blend = |a: u32, b: u32, w: u32| {
                (a << FRACTION_BITS).wrapping_add(b.wrapping_sub(a).wrapping_mul(w))
            };
            let even = |t: u32| t & 0x00ff_00ff;
            let odd = |t: u32| t >> 8 & 0x00ff_00ff;
            let top_even = blend(even(taps[0][l]), even(taps[1][l]), wx);
            let top_odd = blend(odd(taps[0][l]), odd(taps[1][l]), wx);
            let low_even = blend(even(taps[2][l]), even(taps[3][l]), wx);
            let low_odd = blend(odd(taps[2][l]), odd(taps[3][l]), wx);
            o0[l] = blend(top_even & 0xffff, low_even & 0xffff, wy);
            o1[l] = blend(top_odd & 0xffff, low_odd & 0xffff, wy);
            o2[l] = blend(top_even >> 16, low_even >> 16, wy);
            o3[l] = blend(top_odd >> 16, low_odd >> 16, wy);
        }
    }

    /// The bytes of a word in units of 2^-16.
    pub(super) fn widen_bytes<'a>(taps: &'a Lanes, out: &'a mut [Lanes; 4]) {
        for (c, out) in out.iter_mut().enumerate() {
            for l in 0..LANES {
                out[l] = (taps[l] >> (8 * c) & 0xff) << 16;
            }
        }
    }

    /// Sums of bytes in units of 2^-16 to floats.
    pub(super) fn finish_bytes<'a>(sum: &'a Lanes, out: &'a mut Lanes) {
        const SCALE: f32 = (255u32 << 16) as f32;
        for l in 0..LANES {
            out[l] = (sum[l] as i32 as f32 / SCALE).to_bits();
        }
    }

    /// Sums of bytes of two levels to floats.
    pub(super) fn finish_byte_levels<'a>(
        near: &'a Lanes,
        far: &'a Lanes,
        mix: &'a Lanes,
        out: &'a mut Lanes,
    ) {
        const SCALE: f32 = (255u64 << 24) as f32;
        for l in 0..LANES {
            let sum = (near[l] << 8).wrapping_add(far[l].wrapping_sub(near[l]).wrapping_mul(mix[l]));
            out[l] = (sum as f32 / SCALE).to_bits();
        }
    }

    /// Products of weights as floats.
    pub(super) fn weigh<'a>(weights: [&'a Lanes; 3], scale: f32, out: &'a mut Lanes) {
        let [x, y, z] = weights;
        for l in 0..LANES {
            out[l] = ((x[l] * y[l] * z[l]) as i32 as f32 * scale).to_bits();
        }
    }

    /// Adds the weighted values of taps to sums, tap by tap.
    pub(super) fn accumulate<'a>(values: &'a [Lanes], weights: &'a [Lanes], sum: &'a mut Lanes) {
        if let ([v0, v1, v2, v3], [w0, w1, w2, w3]) = (values, weights) {
            for l in 0..LANES {
                let upper = add_weighted(f(sum[l]), f(v0[l]), f(w0[l]));
                let upper = add_weighted(upper, f(v1[l]), f(w1[l]));
                let lower = add_weighted(upper, f(v2[l]), f(w2[l]));
                sum[l] = add_weighted(lower, f(v3[l]), f(w3[l])).to_bits();
            }
            return;
        }
        for (value, weight) in values.iter().zip(weights) {
            for l in 0..LANES {
                sum[l] = add_weighted(f(sum[l]), f(value[l]), f(weight[l])).to_bits();
            }
        }
    }

    /// Entries of texels in an axis table; the border's is that of the first texel.
    pub(super) fn entry<'a>(numbers: &'a [i32; LANES], start: &'a Lanes, index: &'a mut Lanes) {
        for l in 0..LANES {
            index[l] = start[l].wrapping_add(numbers[l].max(0) as u32);
        }
    }

    /// The same where a block is `size` texels along the axis, and what the texel adds to the number in its block:
    /// its place times `stride`.
    pub(super) fn block_entry<'a>(
        numbers: &'a [i32; LANES],
        start: &'a Lanes,
        by: (u32, u32),
        index: &'a mut Lanes,
        inner: &'a mut Lanes,
    ) {
        let (size, stride) = by;
        // A product and a shift divide numbers of 15 bits by 5 to 12; see the test.
        let factor = rules::block_factor(size);
        for l in 0..LANES {
            let number = numbers[l].max(0) as u32;
            let block = rules::block_of(number, size, factor);
            index[l] = start[l].wrapping_add(block);
            inner[l] = (number - block * size) * stride;
        }
    }

    /// Sums of two rows.
    pub(super) fn sum<'a>(a: &'a Lanes, b: &'a Lanes, out: &'a mut Lanes) {
        for l in 0..LANES {
            out[l] = a[l].wrapping_add(b[l]);
        }
    }

    /// Entries of slices.
    pub(super) fn slice_entry<'a>(slice: &'a Lanes, start: &'a Lanes, index: &'a mut Lanes) {
        for l in 0..LANES {
            index[l] = start[l].wrapping_add(slice[l]);
        }
    }

    /// Smallest or largest of the values with a weight so far. The first tap of all always has one.
    pub(super) fn extreme<'a>(
        reduction: Reduction,
        values: &'a Lanes,
        weights: [&'a Lanes; 3],
        mix: &'a Lanes,
        first: bool,
        best: &'a mut Lanes,
    ) {
        let smallest = reduction == Reduction::Min;
        let [x, y, z] = weights;
        let mut found = *best;
        for l in 0..LANES {
            let weight = x[l] * y[l] * z[l] * mix[l];
            let picked = reference::pick(smallest, f(best[l]), f(values[l])).to_bits();
            let new = if first { values[l] } else { picked };
            found[l] = if weight == 0 { best[l] } else { new };
        }
        mask::store(best, found);
    }

    /// Mixes two mip levels; `mix` 0 takes the near one. `exact` keeps its bits.
    pub(super) fn finish_levels<'a>(
        near: &'a Lanes,
        far: Option<&'a Lanes>,
        mix: &'a Lanes,
        exact: bool,
        out: &'a mut Lanes,
    ) {
        for l in 0..LANES {
            out[l] = if exact { near[l] } else { reference::canonical(f(near[l])) };
        }
        if let Some(far) = far {
            let mut mixed = *out;
            for l in 0..LANES {
                let [a, b] = [ONE - mix[l], mix[l]].map(|m| m as i32 as f32 / ONE as f32);
                let both = add_weighted(add_weighted(0.0, f(near[l]), a), f(far[l]), b);
                mixed[l] = if mix[l] == 0 { out[l] } else { reference::canonical(both) };
            }
            mask::store(out, mixed);
        }
    }

    /// Values to 1 where the comparison with the reference holds, else 0.
    pub(super) fn compare<'a>(op: Compare, reference: &'a Lanes, values: &'a mut Lanes) {
        macro_rules! ops {
            ($($op:ident)*) => {
                match op {
                    $(Compare::$op => {
                        for l in 0..LANES {
                            let holds = Compare::$op.holds(f(reference[l]), f(values[l]));
                            values[l] = if holds { 1f32.to_bits() } else { 0 };
                        }
                    })*
                }
            };
        }
        ops!(Never Less Equal LessEqual Greater NotEqual GreaterEqual Always);
    }

    /// Coordinates of one probe of an anisotropic footprint; the lane's own if there is one probe.
    pub(super) fn probe<'a>(
        coords: &'a Lanes,
        step: &'a Lanes,
        index: u32,
        probes: &'a Lanes,
        out: &'a mut Lanes,
    ) {
        for l in 0..LANES {
            let at = lod::probe(f(coords[l]), f(step[l]), index, probes[l]);
            out[l] = if probes[l] <= 1 { coords[l] } else { at.to_bits() };
        }
    }

    /// Adds the result of probe `index` where it exists. Sums go from row to row: those that stay would be stored under a mask.
    pub(super) fn add_probe<'a>(
        reduction: Reduction,
        index: u32,
        value: &'a Lanes,
        probes: &'a Lanes,
        sums: &'a mut [Lanes; 2],
    ) {
        let [even, odd] = sums;
        let (from, to) = if index & 1 == 0 { (odd, even) } else { (even, odd) };
        for l in 0..LANES {
            let first = if index == 1 { 0.0 } else { f(from[l]) };
            let next = match reduction {
                Reduction::Average => (first + f(value[l])).to_bits(),
                _ if index == 1 => value[l],
                _ => reference::pick(reduction == Reduction::Min, first, f(value[l])).to_bits(),
            };
            let next = if probes[l] <= 1 { value[l] } else { next };
            to[l] = if index <= probes[l] { next } else { from[l] };
        }
    }

    /// Divides sums of up to `most` probes by their number where they are averages, which `add_probe` left.
    pub(super) fn finish_probes<'a>(
        reduction: Reduction,
        most: u32,
        probes: &'a Lanes,
        sums: &'a [Lanes; 2],
        out: &'a mut Lanes,
    ) {
        let sum = &sums[most as usize & 1];
        if reduction != Reduction::Average {
            *out = *sum;
            return;
        }
        for l in 0..LANES {
            let average = reference::canonical(f(sum[l]) / probes[l] as i32 as f32);
            out[l] = if probes[l] <= 1 { sum[l] } else { average };
        }
    }

    /// Layers as numbers.
    pub(super) fn layers<'a>(row: &'a Lanes, layers: u32, out: &'a mut Lanes) {
        for l in 0..LANES {
            out[l] = rules::layer(f(row[l]), layers);
        }
    }

    /// References clamped to 0..=1; NaN gives 0.
    pub(super) fn clamp_references<'a>(row: &'a Lanes, out: &'a mut Lanes) {
        for l in 0..LANES {
            let x = f(row[l]);
            let x = if x > 0.0 { x } else { 0.0 };
            out[l] = (if x < 1.0 { x } else { 1.0 }).to_bits();
        }
    }

    /// Whether all lanes of `exec` hold `value`.
    pub(super) fn all_equal<'a>(exec: u64, row: &'a [i32; LANES], value: i32) -> bool {
        mask::collect(|l| row[l] != value) & exec == 0
    }

    /// Whether all lanes of `exec` hold the number `value`.
    pub(super) fn holds<'a>(exec: u64, row: &'a Lanes, value: u32) -> bool {
        mask::collect(|l| row[l] != value) & exec == 0
    }

    /// Lanes that hold less than `value`.
    pub(super) fn below<'a>(row: &'a Lanes, value: u32) -> u64 {
        mask::collect(|l| row[l] < value)
    }

    /// Lanes that hold no more than `value`.
    pub(super) fn at_most<'a>(row: &'a [i32; LANES], value: i32) -> u64 {
        mask::collect(|l| row[l] <= value)
    }

    /// Lanes that hold no less than `value`.
    pub(super) fn at_least<'a>(row: &'a Lanes, value: u32) -> u64 {
        mask::collect(|l| row[l] >= value)
    }

    /// Copies enabled lanes.
    pub(super) fn merge<'a>(exec: u64, value: &'a Lanes, out: &'a mut Lanes) {
        mask::replace(exec, out, |l| value[l]);
    }

    /// Sets enabled lanes to a constant.
    pub(super) fn fill<'a>(exec: u64, value: u32, out: &'a mut Lanes) {
        mask::replace(exec, out, |_| value);
    }
}

#[inline(always)]
fn clamp_all(rule: LodRule, raw: &[f32; LANES], clamp: Option<&Lanes>, out: &mut [i32; LANES]) {
    match clamp {
        Some(clamp) => {
            for l in 0..LANES {
                let given = f(clamp[l]);
                let low = if given > rule.low { given } else { rule.low };
                out[l] = rule.fixed(raw[l], low);
            }
        }
        None => {
            for l in 0..LANES {
                out[l] = rule.fixed(raw[l], rule.low);
            }
        }
    }
    rule.steepen(out);
}
