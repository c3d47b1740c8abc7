//! Texels around a wave, read once: neighbouring lanes share most texels of their footprints. A window is a box of up to
//! 256 texels, line after line; lanes find theirs in it by permutations of vectors of sixteen, or read whole
//! footprints or texels as vectors of four.
//!
//! # Safety
//!
//! A [`Lookup`] permutes only where the host has AVX-512. An offset is made of one share per axis, as in [`super::plane`],
//! whose checks hold for it; tables are indexed by what their masks leave.

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod bytes;
mod codes;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod compare;
mod fill;
mod groups;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod halves;
mod quads;
#[cfg(test)]
mod tests;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod vectors;

pub(crate) use codes::ByteTable;
use groups::Group;
#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
pub(super) use groups::group;
use host::SimdLevel;
pub(crate) use quads::Quads;
#[cfg(all(not(miri), target_arch = "x86_64"))]
pub(super) use vectors::{CHUNK, part, vector, words};

use super::plane::{
    Carry, Combine, Join, LANES, Plane, Positions, Row, Sum, Xor, both, by_bytes, by_join,
};
use crate::fragment::depth::Compare;
use crate::texture::exact::Exact;
use quads::Steps;

/// How lanes find their texels in a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    kind: Kind,
    /// Vectors permute bytes: where they permute, proof that the host has AVX-512 VBMI.
    #[cfg_attr(
        any(miri, not(target_arch = "x86_64")),
        expect(dead_code, reason = "lanes load")
    )]
    bytes: bool,
    /// Products of small texels are made without subnormal numbers.
    guards: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// By permutations of vectors of sixteen words: proof that the host has AVX-512.
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    Permutations,
    /// By loads of vectors of four words.
    Loads,
}

impl Lookup {
    /// What suits a level.
    pub(crate) fn of(level: SimdLevel) -> Lookup {
        Lookup {
            kind: match level.name() {
                #[cfg(all(not(miri), target_arch = "x86_64"))]
                "avx512" => Kind::Permutations,
                _ => Kind::Loads,
            },
            bytes: host::permutes_bytes(),
            guards: host::subnormals_are_slow(),
        }
    }

    /// The same for hosts that permute words alone.
    #[cfg(test)]
    fn without_bytes(self) -> Lookup {
        Lookup {
            bytes: false,
            ..self
        }
    }

    /// Whether products of small texels are made without subnormal numbers, which gives the same bits: not every processor
    /// is slow with these.
    #[inline(always)]
    pub(crate) fn guards(self) -> bool {
        self.guards
    }

    /// Whether it is by permutations.
    #[inline(always)]
    pub(crate) fn permutes(self) -> bool {
        self.kind != Kind::Loads
    }

    /// Whether windows gain: permutations always do, loads where lanes share texels that are many, or costly to decode.
    pub(crate) fn gains(self, footprints: Footprints, costly: bool) -> bool {
        self.permutes() || footprints.deep || footprints.four && costly
    }
}

/// Texels of a line at most.
const ACROSS: u32 = 16;

/// Texels of a window.
const TEXELS: usize = 256;

/// Texels of both halves of a table that one permutation looks up.
#[cfg(all(not(miri), target_arch = "x86_64"))]
const PAIR: u32 = 32;

/// Texels that a wave reads, and where in them each lane's are.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Window {
    /// `words[w]` has word `w` of each texel, line after line.
    words: [[Row; 4]; 4],
    /// Number of each lane's first texel, where they are not its own.
    first: Row,
    /// Texels from line to line, and from slice to slice.
    stride: u32,
    slice: u32,
    /// Texels from the first to the last.
    count: u32,
    /// Whether the texels are those of the lanes, one after the other.
    own: bool,
}

/// What a wave reads around the position of each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprints {
    /// Lanes that read.
    pub exec: u64,
    /// The 2x2 neighbours, not one texel.
    pub four: bool,
    /// The next slice as well.
    pub deep: bool,
}

/// What weighted sums are of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// Whether some may be subnormal, with which a processor takes a hundred times as long. Only permutations look at it.
    #[cfg_attr(
        any(miri, not(target_arch = "x86_64")),
        expect(dead_code, reason = "lanes load")
    )]
    pub small: bool,
    /// Whether every NaN becomes the same one.
    pub clean: bool,
}

/// A box of table entries.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    first: [u32; 3],
    size: [u32; 3],
}

impl Bounds {
    /// Whether a window has room for so many texels.
    #[inline(always)]
    fn fit(&self, most: u32) -> bool {
        let [across, down, slices] = self.size;
        across <= ACROSS && down <= 32 && slices <= 32 && across * down * slices <= most
    }

    /// Pairs of vectors that a permutation looks texels up in.
    #[inline(always)]
    fn vectors(&self) -> u32 {
        let [across, down, slices] = self.size;
        (across * down * slices).div_ceil(32)
    }
}

impl Window {
    pub(crate) const EMPTY: Window = Window {
        words: [[[0; LANES]; 4]; 4],
        first: [0; LANES],
        stride: 8,
        slice: 0,
        count: 0,
        own: false,
    };

    /// Reads the texels of a wave; false where they lie too far apart to gain. Positions must belong to the plane, and
    /// have the [box](Positions::span) of the lanes that read.
    #[inline(always)]
    pub(crate) fn load(
        &mut self,
        lookup: Lookup,
        plane: &Plane,
        positions: &Positions,
        footprints: Footprints,
    ) -> bool {
        assert_eq!(positions.masks, plane.masks, "positions in another plane");
        if plane.join == Join::Carries {
            return false;
        }
        self.own = !footprints.four && !footprints.deep && self.load_own(lookup, plane, positions);
        if self.own {
            return true;
        }
        let Some((bounds, group)) = self.place(lookup, plane, positions, footprints) else {
            return false;
        };
        match group {
            Some(group) if self.fill_groups(plane, &bounds, group) => {}
            _ => self.fill(plane, positions, &bounds),
        }
        true
    }

    /// Reads the one texel of each lane, where they are near.
    #[inline(always)]
    fn load_own(&mut self, lookup: Lookup, plane: &Plane, positions: &Positions) -> bool {
        let rows = self.words.each_mut().map(|[row, ..]| row);
        let found = plane.nearest(lookup, positions, rows);
        if found {
            self.count = LANES as u32;
        }
        found
    }

    /// Words `word` of the texel of each lane, where a window has these alone.
    #[inline(always)]
    pub(crate) fn own_words(&self, word: usize) -> Option<&[Row; 1]> {
        self.own.then(|| self.words(word).first_chunk()).flatten()
    }

    /// Words `word` of the texels.
    #[inline(always)]
    pub(crate) fn words(&self, word: usize) -> &[Row; 4] {
        &self.words[word & 3]
    }

    /// Words of the texels, `words[w][r]` of 64 of them.
    #[inline(always)]
    pub(crate) fn words_mut(&mut self) -> &mut [[Row; 4]; 4] {
        &mut self.words
    }

    /// How many rows of 64 texels there are.
    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        (self.count as usize).div_ceil(LANES).clamp(1, 4)
    }

    /// Takes each lane's texels in slice `k` of its pair from what a window's texels became: one, or the 2x2
    /// neighbours.
    #[inline(always)]
    pub(crate) fn take(
        &self,
        lookup: Lookup,
        texels: &[Row; 4],
        k: usize,
        four: bool,
        quads: &mut Quads,
        out: [&mut Row; 4],
    ) {
        if self.own {
            let ([own, ..], [out, ..]) = (texels, out);
            *out = *own;
            return;
        }
        match lookup.kind {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Permutations => {
                let slice = self.slice * (k as u32 & 1);
                let end = self.count.div_ceil(PAIR);
                let (first, step) = (&self.first, [slice, self.stride]);
                // SAFETY: the host has AVX-512.
                unsafe { vectors::take(flat(texels), end, first, step, four, out) }
            }
            Kind::Loads if four => {
                let steps = Steps::new(self.slice, self.stride);
                quads.footprints(texels, self.count, steps);
                quads.take(&self.first, steps, k, out);
            }
            Kind::Loads => {
                let slice = self.slice * (k as u32 & 1);
                let (texels, [out, ..]) = (flat(texels), out);
                for (out, first) in out.iter_mut().zip(&self.first) {
                    *out = texels[first.wrapping_add(slice) as usize % TEXELS];
                }
            }
        }
    }

    /// Takes one texel of each lane from what a window's texels became.
    #[inline(always)]
    pub(crate) fn pick(&self, lookup: Lookup, texels: &[Row; 4], out: &mut Row) {
        if self.own {
            let [own, ..] = texels;
            *out = *own;
            return;
        }
        let table = flat(texels);
        match lookup.kind {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Permutations => {
                // SAFETY: the host has AVX-512.
                unsafe { vectors::pick(table, self.count.div_ceil(PAIR), &self.first, out) }
            }
            Kind::Loads => {
                for (out, first) in out.iter_mut().zip(&self.first) {
                    *out = table[*first as usize % TEXELS];
                }
            }
        }
    }

    /// Sums the weighted 2x2 neighbours of each lane, slice by slice, tap by tap; a weight of zero adds nothing. One
    /// table of what texels became for each row of sums.
    #[inline(always)]
    pub(crate) fn blend(
        &self,
        lookup: Lookup,
        texels: &[&[Row; 4]],
        weights: &[[Row; 4]],
        terms: Terms,
        quads: &mut Quads,
        out: &mut [&mut Row],
    ) {
        match lookup.kind {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Permutations => {
                let end = self.count.div_ceil(PAIR);
                let step = [self.slice, self.stride];
                // SAFETY: the host has AVX-512.
                unsafe { vectors::blend(texels, end, &self.first, step, weights, terms, out) }
            }
            Kind::Loads => match weights {
                [one] => self.sum::<1>(texels, std::array::from_ref(one), terms.clean, quads, out),
                _ => {
                    if let Some(two) = weights.first_chunk() {
                        self.sum::<2>(texels, two, terms.clean, quads, out);
                    }
                }
            },
        }
    }

    /// [`Window::blend`] of texels of 16-bit floats: a row of sums for each of the first components. Only by permutations,
    /// which take both halves of a word at once.
    #[inline(always)]
    pub(crate) fn blend_halves(
        &self,
        lookup: Lookup,
        weights: &[[Row; 4]],
        clean: bool,
        out: &mut [&mut Row],
    ) {
        match lookup.kind {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Permutations => {
                let end = self.count.div_ceil(PAIR);
                let step = [self.slice, self.stride];
                let words = [self.words(0), self.words(1)];
                // SAFETY: the host has AVX-512.
                unsafe { halves::blend(words, end, &self.first, step, weights, clean, out) }
            }
            Kind::Loads => {}
        }
    }

    /// [`Window::blend`] by loads.
    #[inline(always)]
    fn sum<const SLICES: usize>(
        &self,
        texels: &[&[Row; 4]],
        weights: &[[Row; 4]; SLICES],
        clean: bool,
        quads: &mut Quads,
        out: &mut [&mut Row],
    ) {
        let steps = Steps::new(self.slice, self.stride);
        if let ([table], [out]) = (texels, &mut *out) {
            quads.footprints(table, self.count, steps);
            quads.sum_footprints(&self.first, steps, weights, clean, out);
            return;
        }
        let Some(first) = texels.first() else {
            return;
        };
        let table = |c: usize| texels.get(c).unwrap_or(first);
        quads.components([first, table(1), table(2), table(3)], self.rows());
        let first = &self.first;
        match out {
            [a, b] => quads.sum_components(first, steps, weights, clean, [&mut **a, &mut **b]),
            [a, b, c] => {
                let out = [&mut **a, &mut **b, &mut **c];
                quads.sum_components(first, steps, weights, clean, out);
            }
            [a, b, c, d, ..] => {
                let out = [&mut **a, &mut **b, &mut **c, &mut **d];
                quads.sum_components(first, steps, weights, clean, out);
            }
            _ => {}
        }
    }

    /// The box that holds the footprints, if it is small, and what it is made of where not of single texels; sets the number
    /// of each lane's first texel.
    #[inline(always)]
    fn place(
        &mut self,
        lookup: Lookup,
        plane: &Plane,
        positions: &Positions,
        footprints: Footprints,
    ) -> Option<(Bounds, Option<Group>)> {
        let Footprints { exec, four, deep } = footprints;
        let spans = positions.spans;
        debug_assert_eq!(spans[0], axis_span(&positions.columns, exec));
        debug_assert_eq!(spans[1], axis_span(&positions.lines, exec));
        let more = [four, four, deep].map(u32::from);
        let mut bounds = Bounds {
            first: [0; 3],
            size: [1; 3],
        };
        for axis in 0..3 {
            // Lines and slices have two entries.
            let shift = u32::from(axis > 0);
            let [low, high] = spans[axis];
            bounds.first[axis] = low >> shift;
            bounds.size[axis] = ((high - low) >> shift) + 1 + more[axis];
        }
        let most = if four { 200 } else { 100 };
        if !bounds.fit(most) {
            return None;
        }
        // Groups are read faster, but windows of several slices grow by more than that gains.
        let (bounds, group) = match groups::around(plane, bounds) {
            Some((groups, group))
                if groups.fit(most)
                    && (groups.size[2] == 1 || groups.vectors() == bounds.vectors()) =>
            {
                (groups, Some(group))
            }
            _ => (bounds, None),
        };
        let [across, down, slices] = bounds.size;
        self.stride = across;
        self.slice = down * across;
        self.count = self.slice * slices;
        let [x, y, z] = bounds.first;
        let by = Numbers {
            lows: [x, 2 * y, 2 * z],
            line: across,
            slice: plane.is_deep().then_some(self.slice),
        };
        number(lookup, positions, by, &mut self.first);
        Some((bounds, group))
    }

    /// Reads groups of texels; false where some are none.
    #[inline(always)]
    fn fill_groups(&mut self, plane: &Plane, bounds: &Bounds, group: Group) -> bool {
        let words = &mut self.words;
        macro_rules! of {
            ($bytes:literal) => {
                match plane.join {
                    Join::Sum => groups::read::<$bytes>(plane, (bounds, group), Sum, words),
                    Join::Xor => groups::read::<$bytes>(plane, (bounds, group), Xor, words),
                    join => {
                        let carry = Carry(both(join.carries()));
                        groups::read::<$bytes>(plane, (bounds, group), carry, words)
                    }
                }
            };
        }
        match plane.bytes {
            1 => of!(1),
            2 => of!(2),
            _ => of!(4),
        }
    }

    #[inline(always)]
    fn fill(&mut self, plane: &Plane, positions: &Positions, bounds: &Bounds) {
        let words = &mut self.words;
        macro_rules! of {
            ($bytes:literal) => {
                by_join!(plane, positions, |join| {
                    fill::lines::<$bytes>(plane, bounds, join, words)
                })
            };
        }
        match plane.bytes {
            0 => of!(0),
            bytes => by_bytes!(bytes, of),
        }
    }
}

/// Texels of bytes of a wave on one level.
#[derive(Clone, Copy)]
pub(crate) struct ByteTaps<'a> {
    /// Where they are.
    pub window: &'a Window,
    /// Weights of the second column and line; nothing where each lane takes one texel.
    pub weights: Option<[&'a Row; 2]>,
    /// Lanes whose texels are the border.
    pub outside: [u64; 4],
    /// Whether there are some.
    pub bordered: bool,
}

/// A filter of texels of bytes.
pub(crate) struct ByteFilter<'a> {
    /// One level, or two whose texels are taken in the same way.
    pub levels: (ByteTaps<'a>, Option<ByteTaps<'a>>),
    /// Weights of the second level.
    pub mix: &'a Row,
    /// The border, as it is stored.
    pub border: u32,
    /// Lanes that get results.
    pub exec: u64,
}

/// Filters texels to a row for each of their bytes, as [`Exact`](crate::texture::exact::Exact) divides: false, and nothing
/// done, where lanes do not permute. `sums` is room for those of a level.
#[inline(always)]
pub(crate) fn filter_bytes(
    lookup: Lookup,
    by: &ByteFilter,
    sums: &mut [Row; 4],
    out: &mut [Option<&mut Row>; 4],
) -> bool {
    match lookup.kind {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        Kind::Permutations => {
            // SAFETY: the host has AVX-512.
            unsafe { bytes::filter(by, sums, out) }
            true
        }
        Kind::Loads => false,
    }
}

/// What the 2x2 neighbours of lanes are compared with, and the weights of the second column and line, of 256.
#[derive(Clone, Copy)]
#[cfg_attr(
    any(miri, not(target_arch = "x86_64")),
    expect(dead_code, reason = "lanes load")
)]
pub(crate) struct Comparison<'a> {
    pub op: Compare,
    pub reference: &'a Row,
    pub weights: [&'a Row; 2],
    /// Lanes that get results.
    pub exec: u64,
}

impl Window {
    /// Compares the floats of the 2x2 neighbours and gives the weight of those that pass, of 1: false, and nothing done, where
    /// lanes do not permute, and for comparisons that are not of order.
    #[inline(always)]
    pub(crate) fn compare(&self, lookup: Lookup, by: &Comparison, out: &mut Row) -> bool {
        match lookup.kind {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            // SAFETY: the host has AVX-512.
            Kind::Permutations => unsafe { compare::compare(self, by, out) },
            Kind::Loads => {
                let _ = (by, out);
                false
            }
        }
    }
}

/// The floats in the half of each word from bit `shift` on, 0 or 16.
#[inline(always)]
pub(crate) fn by_half<F: Exact>(lookup: Lookup, words: &Row, shift: u32, out: &mut Row) {
    match lookup.kind {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { halves::convert(words, shift, out) },
        Kind::Loads => super::halves::unpack::<F>(words, shift, out),
    }
}

/// Adds weighted texels of 16-bit floats to rows of sums, one for each of the first components, or begins them:
/// `words[w][t]` is word `w` of texel `t`. Otherwise as [`Window::blend_halves`], and only by permutations as well.
#[inline(always)]
pub(crate) fn add_halves(
    lookup: Lookup,
    words: [&[Row; 4]; 2],
    weights: &[Row; 4],
    (first, clean): (bool, bool),
    out: &mut [&mut Row],
) {
    match lookup.kind {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { halves::add(words, weights, (first, clean), out) },
        Kind::Loads => {}
    }
}

/// The texels of a window in a row.
#[inline(always)]
fn flat(rows: &[Row; 4]) -> &[u32; TEXELS] {
    // SAFETY: four rows of 64 are 256 words.
    unsafe { &*std::ptr::from_ref(rows).cast() }
}

/// Least and largest table entries of some lanes on two axes.
#[inline(always)]
pub(super) fn spans(lookup: Lookup, rows: [&Row; 2], exec: u64) -> [[u32; 2]; 2] {
    match lookup.kind {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { vectors::spans(rows, exec) },
        Kind::Loads => rows.map(|row| axis_span(row, exec)),
    }
}

#[inline(always)]
fn axis_span(row: &Row, exec: u64) -> [u32; 2] {
    let lead = row[exec.trailing_zeros() as usize % LANES];
    let (mut low, mut high) = (lead, lead);
    if exec == u64::MAX {
        for at in row {
            low = low.min(*at);
            high = high.max(*at);
        }
    } else {
        for (lane, at) in row.iter().enumerate() {
            let at = if exec >> lane & 1 != 0 { *at } else { lead };
            low = low.min(at);
            high = high.max(at);
        }
    }
    [low, high]
}

/// How positions become numbers of texels. Those of lines and slices count twice.
#[derive(Clone, Copy)]
struct Numbers {
    lows: [u32; 3],
    /// Texels of a line.
    line: u32,
    /// Texels of a slice, where there are several.
    slice: Option<u32>,
}

/// The number of each lane's first texel, from its positions.
#[inline(always)]
fn number(lookup: Lookup, positions: &Positions, by: Numbers, first: &mut Row) {
    match lookup.kind {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { vectors::number(positions, by, first) },
        Kind::Loads => numbers(positions, by, first),
    }
}

#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "the number of a lane indexes several rows"
)]
fn numbers(positions: &Positions, by: Numbers, first: &mut Row) {
    let [x, y, z] = by.lows;
    for lane in 0..LANES {
        let column = positions.columns[lane].wrapping_sub(x);
        let line = positions.lines[lane].wrapping_sub(y) >> 1;
        first[lane] = column.wrapping_add(line.wrapping_mul(by.line));
    }
    if let Some(slice) = by.slice {
        for lane in 0..LANES {
            let deep = positions.slices[lane].wrapping_sub(z) >> 1;
            first[lane] = first[lane].wrapping_add(deep.wrapping_mul(slice));
        }
    }
}
