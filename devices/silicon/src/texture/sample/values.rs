//! Filters texels of any format and their comparisons: one wave after the other, one pass per component from words to
//! registers. Sums are of floats, in the order of the reference.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::footprint::Footprint;
use super::pairs::Grid;
use super::reference::canonical;
use super::room::Blocks;
use super::rules::{ONE, add_weighted};
use super::scratch::{MAX_WAVES, WaveFootprint};
use super::target::{CHUNKS, Target, part, part_mut, put};
use super::wave;
use super::{Dim, Filter, LANES, Lanes, PreparedSampler, PreparedTexture};
use crate::fragment::depth::Compare;
use crate::memory::plane::CHUNK;
use crate::memory::window::{Footprints, Lookup, Quads, Terms, Window, add_halves, by_half};
use crate::texture::exact::{Exact, SMALL};
use crate::texture::srgb::LINEAR_BITS;
use crate::texture::texel::Decoder;
use host::{Kernel, Rounding};

/// Rows of a wave on its way to registers.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Rows {
    /// `words[w][t]` is word `w` of texel `t`.
    pub words: [[Lanes; 4]; 4],
    /// One component of the texels.
    pub values: [Lanes; 4],
    /// Of the texels of both slices.
    weights: [[Lanes; 4]; 2],
    /// Sums per level and component.
    sums: [[Lanes; 4]; 2],
    /// Components of the texels of a window.
    pub texels: [[Lanes; 4]; 4],
    pub quads: Quads,
}

impl Rows {
    pub const ZERO: Rows = Rows {
        words: [[[0; LANES]; 4]; 4],
        values: [[0; LANES]; 4],
        weights: [[[0; LANES]; 4]; 2],
        sums: [[[0; LANES]; 4]; 2],
        texels: [[[0; LANES]; 4]; 4],
        quads: Quads::ZERO,
    };
}

/// What is uniform about an instruction.
#[derive(Clone, Copy)]
pub(super) struct How<'a> {
    pub grid: &'a Grid<'a>,
    pub decoder: &'a Decoder,
    /// How numbers are looked up in tables.
    pub lookup: Lookup,
    /// The comparison, and the component that is compared.
    pub compare: Option<(Compare, usize)>,
    /// Components of what is outside.
    pub border: [u32; 4],
    /// Texels in a slice, 1 or 4, and slices, 1 or 2.
    pub texels: usize,
    pub slices: usize,
}

impl<'a> How<'a> {
    pub fn new(
        grid: &'a Grid<'a>,
        texture: &'a PreparedTexture,
        sampler: &PreparedSampler,
        lookup: Lookup,
        compares: bool,
    ) -> How<'a> {
        let s = &sampler.sampler;
        let deep = texture.dim == Dim::D3 && s.slices.unwrap_or(s.min) == Filter::Linear;
        How {
            grid,
            decoder: &texture.decoder,
            lookup,
            compare: compares.then(|| (s.compare, usize::from(texture.reads_second()))),
            border: match wave::borders(texture, sampler) {
                [false, false, false] => [0; 4],
                _ => texture.border(s.border),
            },
            texels: if s.min == Filter::Linear { 4 } else { 1 },
            slices: 1 + usize::from(deep),
        }
    }
}

/// Texels to components.
pub(super) struct Values<'a, 'b> {
    pub how: How<'a>,
    /// At least as many waves as targets.
    pub places: &'a [WaveFootprint; MAX_WAVES],
    /// Where texels are compressed.
    pub blocks: Option<Blocks<'a>>,
    /// Those of this wave and the one before, on two levels.
    pub windows: &'a mut [[Window; 2]; 2],
    pub rows: &'a mut Rows,
    pub targets: &'a mut [Target<'b>],
}

/// A slice of a level of a wave.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub place: &'a WaveFootprint,
    /// Texels around the wave, where they were read.
    pub window: Option<&'a Window>,
    /// Of each component of these texels, whether its products with weights may be subnormal, where that matters.
    pub small: Option<[bool; 4]>,
    pub step: usize,
    pub k: usize,
    pub last: bool,
}

impl Kernel for Values<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Values {
            how,
            places,
            mut blocks,
            windows,
            rows,
            targets,
        } = self;
        let count = targets.len().min(MAX_WAVES);
        let mut before = [false; 2];
        // Windows are read one wave ahead: loads that span several stores wait for them.
        for wave in 0..=count {
            let mut now = [false; 2];
            if wave < count {
                let windows = &mut windows[wave & 1];
                let exec = targets[wave].exec;
                now = how.ahead(&mut blocks, &places[wave], exec, windows);
            }
            let found = std::mem::replace(&mut before, now);
            if wave == 0 || targets[wave - 1].exec == 0 {
                continue;
            }
            let (place, target) = (&places[wave - 1], &mut targets[wave - 1]);
            let windows = &windows[(wave - 1) & 1];
            let levels = place.found.levels();
            for step in 0..levels {
                let window = found[step].then_some(&windows[step]);
                let last = step + 1 == levels;
                let at = At {
                    place,
                    window,
                    small: match window {
                        Some(window) if !how.lookup.permutes() => how.small(window),
                        _ => None,
                    },
                    step,
                    k: 0,
                    last,
                };
                if inside::<R>(&how, at, rows, target) {
                    continue;
                }
                for k in 0..how.slices {
                    let last = last && k + 1 == how.slices;
                    slice::<R>(&how, At { k, last, ..at }, &mut blocks, rows, target);
                }
            }
        }
    }
}

impl How<'_> {
    /// Reads the texels around a wave on its levels, where that gains.
    #[inline(always)]
    pub fn ahead(
        &self,
        blocks: &mut Option<Blocks>,
        place: &WaveFootprint,
        exec: u64,
        windows: &mut [Window; 2],
    ) -> [bool; 2] {
        let Some(level) = place.found.level else {
            return [false; 2];
        };
        let footprints = Footprints {
            exec,
            four: self.texels == 4,
            deep: self.slices == 2,
        };
        let costly = blocks.is_some() || self.decoder.srgb_byte(0).is_some();
        if !self.lookup.gains(footprints, costly) {
            return [false; 2];
        }
        // Bits of a register: an array would be stored by bytes, and a load of both waits for them.
        let mut read = 0;
        let levels = (level..).zip(&place.footprint).take(place.found.levels());
        for (n, ((level, footprint), window)) in levels.zip(windows).enumerate() {
            let plane = self.grid.plane_of(Some(level));
            if exec != 0 && window.load(self.lookup, &plane, &footprint.at, footprints) {
                read |= 1 << n;
                if let Some(blocks) = blocks {
                    blocks.decode(window.rows(), window.words_mut());
                }
            }
        }
        [read & 1 != 0, read & 2 != 0]
    }
}

impl How<'_> {
    /// Component `source` of rows of texels, from the words that it is in.
    #[inline(always)]
    pub fn convert<F: Exact>(&self, source: usize, words: &[Lanes], texels: &mut [Lanes]) {
        convert::<F>(self.decoder, self.lookup, source, words, texels);
    }

    /// Whether products of weights and the texels of a window may be subnormal, where there are some: of each component.
    #[inline(always)]
    fn small(&self, window: &Window) -> Option<[bool; 4]> {
        let points = self.texels == 1 && self.slices == 1;
        if !self.lookup.guards() || self.compare.is_some() || points {
            return None;
        }
        let mut small = [false; 4];
        for c in 0..4 {
            if let Some(word) = self.decoder.plain_word(c) {
                small[c] = words_are_small(window, word);
            }
        }
        Some(small)
    }
}

/// Component `source` of rows of texels, from the words that it is in.
#[inline(always)]
pub(super) fn convert<F: Exact>(
    decoder: &Decoder,
    lookup: Lookup,
    source: usize,
    words: &[Lanes],
    texels: &mut [Lanes],
) {
    if let Some((_, shift)) = decoder.srgb_byte(source) {
        for (row, words) in texels.iter_mut().zip(words) {
            LINEAR_BITS.look_up(lookup, words, shift, row);
        }
    } else if let Some((_, shift)) = decoder.half(source) {
        for (row, words) in texels.iter_mut().zip(words) {
            by_half::<F>(lookup, words, shift, row);
        }
    } else {
        decoder.decode_with::<F>(source, words, texels);
    }
}

/// Component `source` of the texels of a window.
#[inline(always)]
pub(super) fn decoded<'a, F: Exact>(
    how: &How,
    window: &'a Window,
    source: usize,
    texels: &'a mut [Lanes; 4],
) -> &'a [Lanes; 4] {
    if let Some(word) = how.decoder.plain_word(source) {
        return window.words(word);
    }
    let words = window.words(how.decoder.word(source).unwrap_or(0));
    how.convert::<F>(source, words, &mut texels[..window.rows()]);
    texels
}

/// Component `source` of each lane's one texel of a window. Words that some component took are kept.
#[inline(always)]
fn point<F: Exact>(
    how: &How,
    window: &Window,
    source: usize,
    (words, picked): (&mut [[Lanes; 4]; 4], &mut [bool; 4]),
    out: &mut Lanes,
) {
    if let Some(word) = how.decoder.plain_word(source) {
        window.pick(how.lookup, window.words(word), out);
        return;
    }
    let word = how.decoder.word(source).unwrap_or(0) & 3;
    if let Some(words) = window.own_words(word) {
        how.convert::<F>(source, words, std::slice::from_mut(out));
        return;
    }
    let words = &mut words[word];
    if !std::mem::replace(&mut picked[word], true) {
        window.pick(how.lookup, window.words(word), &mut words[0]);
    }
    how.convert::<F>(source, words, std::slice::from_mut(out));
}

/// Averages the 2x2 neighbours of each lane in the slices of a window: in registers, where `direct` says so, or in the
/// sums of a level.
#[inline(always)]
fn averages<F: Exact>(
    how: &How,
    at: At,
    window: &Window,
    rows: &mut Rows,
    (target, direct): (&mut Target, bool),
) {
    let Rows {
        weights,
        sums,
        texels,
        quads,
        ..
    } = rows;
    let clean = at.last && at.step == 0;
    let weights = &mut weights[..how.slices];
    for (k, weights) in weights.iter_mut().enumerate() {
        weigh(how, &at.place.footprint[at.step], k, weights);
    }
    let leading = leading(target);
    if how.decoder.has_halves(leading) && how.lookup.permutes() {
        let mut outs = sums[at.step].each_mut();
        for (out, row) in outs.iter_mut().zip(&mut target.rows) {
            if let (true, Some(row)) = (direct, row) {
                *out = row;
            }
        }
        window.blend_halves(how.lookup, weights, clean, &mut outs[..leading]);
        return;
    }
    let mut outs = sums[at.step].each_mut();
    let mut tables = [window.words(0); 4];
    let (mut count, mut small) = (0, false);
    for (c, (out, texels)) in target.rows.iter_mut().zip(texels).enumerate() {
        let Some(out) = out else {
            continue;
        };
        tables[count] = decoded::<F>(how, window, c, texels);
        if let Some(word) = how.decoder.plain_word(c) {
            let guards = how.lookup.guards() && how.lookup.permutes();
            small |= guards && words_are_small(window, word);
        }
        outs.swap(count, c);
        if direct {
            outs[count] = out;
        }
        count += 1;
    }
    let (tables, outs) = (&tables[..count], &mut outs[..count]);
    let terms = Terms { small, clean };
    window.blend(how.lookup, tables, weights, terms, quads, outs);
}

/// Filters a level whose texels are in a window, and inside of the texture where several are averaged; false where that
/// is not so.
#[inline(always)]
fn inside<F: Exact>(how: &How, at: At, rows: &mut Rows, target: &mut Target) -> bool {
    let footprint = &at.place.footprint[at.step];
    let Some(window) = at.window else {
        return false;
    };
    let points = how.texels == 1;
    let bordered = footprint.has_border();
    if how.compare.is_some() || (bordered && !points) || (points && how.slices > 1) {
        return false;
    }
    // Words that are numbers may be subnormal, and products with them slow.
    if let Some([a, b, c, d]) = at.small
        && a | b | c | d
    {
        return false;
    }
    // Results of whole waves go to their registers at once.
    let clean = at.last && at.step == 0;
    let direct = clean && target.exec == u64::MAX;
    let Rows { words, sums, .. } = rows;
    if points {
        let mut picked = [false; 4];
        for (c, (out, sum)) in target.rows.iter_mut().zip(&mut sums[at.step]).enumerate() {
            let Some(out) = out else {
                continue;
            };
            let out = if direct { &mut **out } else { sum };
            point::<F>(how, window, c, (words, &mut picked), out);
            if bordered {
                cover(footprint.border(0, 0), how.border[c], out);
            }
        }
    } else {
        averages::<F>(how, at, window, rows, (target, direct));
    }
    if at.last && !direct {
        put_sums(at, points, &rows.sums, target);
    }
    true
}

/// Writes the sums of the last level to registers, mixed with those of the one before where there is one.
#[inline(always)]
fn put_sums(at: At, exact: bool, sums: &[[Lanes; 4]; 2], target: &mut Target) {
    for (c, out) in target.rows.iter_mut().enumerate() {
        let Some(out) = out else {
            continue;
        };
        for chunk in 0..CHUNKS {
            let mask = target_mask(target.exec, chunk);
            let mut sum = *part(&sums[at.step][c], chunk);
            if at.step > 0 {
                let near = part(&sums[0][c], chunk);
                mix_levels(exact, near, part(&at.place.mix, chunk), &mut sum);
            }
            if mask != 0 {
                put(mask, part_mut(out, chunk), &sum);
            }
        }
    }
}

/// Components up to the last one that is wanted.
#[inline(always)]
fn leading(target: &Target) -> usize {
    let last = target.rows.iter().rposition(Option::is_some);
    last.map_or(0, |last| last + 1)
}

/// Component `source` of the texels of a slice, one row each.
#[inline(always)]
pub(super) fn component<'a, F: Exact>(
    how: &How,
    at: At,
    (c, source): (usize, usize),
    (words, values): (&'a mut [[Lanes; 4]; 4], &'a mut [Lanes; 4]),
    (texels, quads): (&mut [[Lanes; 4]; 4], &mut Quads),
) -> &'a mut [Lanes; 4] {
    let plain = how.decoder.plain_word(source);
    let word = how.decoder.word(source).unwrap_or(0) & 3;
    if let Some(window) = at.window {
        let texels = match plain {
            Some(word) => window.words(word),
            None if at.k == 0 => decoded::<F>(how, window, source, &mut texels[c]),
            None => &texels[c],
        };
        window.take(
            how.lookup,
            texels,
            at.k,
            how.texels == 4,
            quads,
            values.each_mut(),
        );
        return values;
    }
    match plain {
        Some(word) => &mut words[word],
        None => {
            how.convert::<F>(source, &words[word], &mut values[..how.texels]);
            values
        }
    }
}

/// Adds a slice of a level; the last one writes registers.
#[inline(always)]
fn slice<F: Exact>(
    how: &How,
    at: At,
    blocks: &mut Option<Blocks>,
    rows: &mut Rows,
    target: &mut Target,
) {
    let footprint = &at.place.footprint[at.step];
    let level = at.place.found.level.map(|level| level + at.step as i32);
    let (count, one) = (how.texels, how.texels == 1);
    if at.window.is_none() {
        let plane = how.grid.plane_of(level);
        plane.rows(&footprint.at, at.k, one, &mut rows.words);
        if let Some(blocks) = blocks {
            blocks.decode(count, &mut rows.words);
        }
    }
    let points = one && how.slices == 1;
    if !points {
        weigh(how, footprint, at.k, &mut rows.weights[0]);
    }
    let leading = leading(target);
    let plain = count == 4 && at.window.is_none() && how.compare.is_none();
    if plain && !footprint.has_border() && how.lookup.permutes() && how.decoder.has_halves(leading)
    {
        let [a, b, ..] = &rows.words;
        let clean = at.last && at.step == 0;
        let mut outs = rows.sums[at.step].each_mut();
        let outs = &mut outs[..leading];
        let [weights, _] = &rows.weights;
        add_halves(how.lookup, [a, b], weights, (at.k == 0, clean), outs);
        if at.last {
            put_sums(at, false, &rows.sums, target);
        }
        return;
    }
    for c in 0..4 {
        let Some(out) = &mut target.rows[c] else {
            continue;
        };
        let source = how.compare.map_or(c, |(_, source)| source);
        let Rows {
            words,
            values,
            weights: [weights, _],
            sums,
            texels,
            quads,
        } = &mut *rows;
        let into = (words, values);
        let texels = component::<F>(how, at, (c, source), into, (texels, quads));
        if footprint.has_border() {
            for tap in 0..count {
                cover(
                    footprint.border(tap, at.k),
                    how.border[source],
                    &mut texels[tap],
                );
            }
        }
        if let Some((op, _)) = how.compare {
            compare(op, &at.place.reference, &mut texels[..count]);
        }
        let exact = points && how.compare.is_none();
        // Subnormal numbers come with 32 bits only.
        let words = how.decoder.plain_word(source).is_some() && how.compare.is_none();
        let small = F::FUSED && how.lookup.guards() && words && !points;
        let small = small
            && match at.small {
                Some(small) => small[source & 3],
                None => has_small(&texels[..count]),
            };
        for chunk in 0..CHUNKS {
            let mask = target_mask(target.exec, chunk);
            if mask == 0 {
                continue;
            }
            let mut sum = match at.k {
                0 => [0; CHUNK],
                _ => *part(&sums[at.step][c], chunk),
            };
            match (points, one) {
                (true, _) => sum = *part(&texels[0], chunk),
                (_, true) => add::<F, 1>(small, texels, weights, chunk, &mut sum),
                _ => add::<F, 4>(small, texels, weights, chunk, &mut sum),
            }
            if !at.last {
                *part_mut(&mut sums[at.step][c], chunk) = sum;
                continue;
            }
            if at.step == 0 {
                finish(exact, &mut sum);
            } else {
                let near = part(&sums[0][c], chunk);
                mix_levels(exact, near, part(&at.place.mix, chunk), &mut sum);
            }
            put(mask, part_mut(out, chunk), &sum);
        }
    }
}

/// Which of the sixteen lanes of a chunk are enabled.
#[inline(always)]
fn target_mask(exec: u64, chunk: usize) -> u64 {
    exec >> (CHUNK * chunk) & 0xffff
}

/// Weights of the texels of slice `k` as floats, whose products are exact: they have 24 bits at most.
#[inline(always)]
fn weigh(how: &How, footprint: &Footprint, k: usize, out: &mut [Lanes; 4]) {
    let share = |w: u32| w as i32 as f32 * (1.0 / ONE as f32);
    let [x, y, z] = &footprint.w;
    let [w0, w1, w2, w3] = out;
    let near = |w: f32| if k == 0 { 1.0 - w } else { w };
    match (how.texels == 1, how.slices == 1) {
        (true, _) => {
            for l in 0..LANES {
                w0[l] = near(share(z[l])).to_bits();
            }
        }
        (false, true) => {
            for l in 0..LANES {
                let (right, low) = (share(x[l]), share(y[l]));
                let (left, top) = (1.0 - right, 1.0 - low);
                w0[l] = (left * top).to_bits();
                w1[l] = (right * top).to_bits();
                w2[l] = (left * low).to_bits();
                w3[l] = (right * low).to_bits();
            }
        }
        (false, false) => {
            for l in 0..LANES {
                let (right, low, wz) = (share(x[l]), share(y[l]), near(share(z[l])));
                let (left, top, low) = (1.0 - right, (1.0 - low) * wz, low * wz);
                w0[l] = (left * top).to_bits();
                w1[l] = (right * top).to_bits();
                w2[l] = (left * low).to_bits();
                w3[l] = (right * low).to_bits();
            }
        }
    }
}

/// Whether some product of weights and words `word` of the texels of a window may be subnormal.
#[inline(always)]
fn words_are_small(window: &Window, word: usize) -> bool {
    has_small(&window.words(word)[..window.rows()])
}

/// Whether some product of texels and weights may be subnormal.
#[inline(always)]
fn has_small(texels: &[Lanes]) -> bool {
    let mut small = 0;
    for row in texels {
        for texel in row {
            let magnitude = texel & 0x7fff_ffff;
            small |= u32::from(magnitude.wrapping_sub(1) < SMALL);
        }
    }
    small != 0
}

/// Adds the weighted texels of sixteen lanes.
#[inline(always)]
fn add<F: Exact, const N: usize>(
    small: bool,
    texels: &[Lanes; 4],
    weights: &[Lanes; 4],
    chunk: usize,
    sum: &mut [u32; CHUNK],
) {
    if small {
        for tap in 0..N {
            let (texels, weights) = (part(&texels[tap], chunk), part(&weights[tap], chunk));
            for l in 0..CHUNK {
                let weight = f32::from_bits(weights[l]);
                let term = F::small_product(f32::from_bits(texels[l]), weight);
                let term = if weight == 0.0 { 0.0 } else { term };
                sum[l] = (f32::from_bits(sum[l]) + term).to_bits();
            }
        }
        return;
    }
    let [t0, t1, t2, t3] = texels.each_ref().map(|row| part(row, chunk));
    let [w0, w1, w2, w3] = weights.each_ref().map(|row| part(row, chunk));
    for l in 0..CHUNK {
        let f = f32::from_bits;
        let mut all = add_weighted(f(sum[l]), f(t0[l]), f(w0[l]));
        if N == 4 {
            all = add_weighted(all, f(t1[l]), f(w1[l]));
            all = add_weighted(all, f(t2[l]), f(w2[l]));
            all = add_weighted(all, f(t3[l]), f(w3[l]));
        }
        sum[l] = all.to_bits();
    }
}

#[inline(always)]
fn finish(exact: bool, sum: &mut [u32; CHUNK]) {
    if !exact {
        for l in 0..CHUNK {
            sum[l] = canonical(f32::from_bits(sum[l]));
        }
    }
}

/// Mixes two levels; a lane without a weight for the far one takes the near one.
#[inline(always)]
fn mix_levels(exact: bool, near: &[u32; CHUNK], mix: &[u32; CHUNK], far: &mut [u32; CHUNK]) {
    const UNIT: f32 = 1.0 / ONE as f32;
    for l in 0..CHUNK {
        let a = (ONE - mix[l]) as i32 as f32 * UNIT;
        let b = mix[l] as i32 as f32 * UNIT;
        let (n, f) = (f32::from_bits(near[l]), f32::from_bits(far[l]));
        let both = canonical(add_weighted(add_weighted(0.0, n, a), f, b));
        let alone = if exact { near[l] } else { canonical(n) };
        far[l] = if mix[l] == 0 { alone } else { both };
    }
}

/// Puts the border where texels are outside.
#[inline(always)]
pub(super) fn cover(outside: u64, border: u32, texels: &mut Lanes) {
    if outside != 0 {
        for chunk in 0..CHUNKS {
            put(
                target_mask(outside, chunk),
                part_mut(texels, chunk),
                &[border; CHUNK],
            );
        }
    }
}

/// Texels to 1 where the comparison with the reference holds, else 0.
#[inline(always)]
pub(super) fn compare(op: Compare, reference: &Lanes, texels: &mut [Lanes]) {
    macro_rules! ops {
        ($($op:ident)*) => {
            match op {
                $(Compare::$op => {
                    for row in texels {
                        for l in 0..LANES {
                            let given = f32::from_bits(reference[l]);
                            let holds = Compare::$op.holds(given, f32::from_bits(row[l]));
                            row[l] = if holds { 1f32.to_bits() } else { 0 };
                        }
                    }
                })*
            }
        };
    }
    ops!(Never Less Equal LessEqual Greater NotEqual GreaterEqual Always);
}
