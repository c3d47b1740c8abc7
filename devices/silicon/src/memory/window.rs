//! Texels around a wave, read once: neighbouring lanes share most texels of their footprints. A window is a box of up to
//! 256 texels, line after line; lanes find theirs in it by permutations of vectors of sixteen, or read whole
//! footprints or texels as vectors of four.
//!
//! # Safety
//!
//! A [`Lookup`] permutes only where the host has AVX-512. An offset is made of one share per axis, as in [`super::plane`],
//! whose checks hold for it; tables are indexed by what their masks leave.

mod fill;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod halves;
mod quads;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod vectors;

use host::SimdLevel;
pub(crate) use quads::Quads;

use super::plane::{Join, LANES, Plane, Positions, Row, both, by_join};
use crate::texture::float::from_f16;
use quads::Steps;

/// How lanes find their texels in a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup(Kind);

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
        match level.name() {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            "avx512" => Lookup(Kind::Permutations),
            _ => Lookup(Kind::Loads),
        }
    }

    /// Whether it is by permutations.
    #[inline(always)]
    pub(crate) fn permutes(self) -> bool {
        self.0 != Kind::Loads
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
    /// Number of each lane's first texel.
    first: Row,
    /// Texels from line to line, and from slice to slice.
    stride: u32,
    slice: u32,
    /// Texels from the first to the last.
    count: u32,
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

/// A box of table entries.
#[derive(Clone, Copy)]
struct Bounds {
    first: [u32; 3],
    size: [u32; 3],
}

impl Window {
    pub(crate) const EMPTY: Window = Window {
        words: [[[0; LANES]; 4]; 4],
        first: [0; LANES],
        stride: 8,
        slice: 0,
        count: 0,
    };

    /// Reads the texels of a wave; false where they lie too far apart to gain. Positions must belong to the plane.
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
        let Some(bounds) = self.place(lookup, plane, positions, footprints) else {
            return false;
        };
        self.fill(plane, positions, bounds);
        true
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
        out: &mut [Row; 4],
    ) {
        match lookup.0 {
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
                let texels = flat(texels);
                for (out, first) in out[0].iter_mut().zip(&self.first) {
                    *out = texels[first.wrapping_add(slice) as usize % TEXELS];
                }
            }
        }
    }

    /// Takes one texel of each lane from what a window's texels became.
    #[inline(always)]
    pub(crate) fn pick(&self, lookup: Lookup, texels: &[Row; 4], out: &mut Row) {
        let table = flat(texels);
        match lookup.0 {
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
    /// table of what texels became for each row of sums. `clean` makes every NaN the same one.
    #[inline(always)]
    pub(crate) fn blend(
        &self,
        lookup: Lookup,
        texels: &[&[Row; 4]],
        weights: &[[Row; 4]],
        clean: bool,
        quads: &mut Quads,
        out: &mut [&mut Row],
    ) {
        match lookup.0 {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Permutations => {
                let end = self.count.div_ceil(PAIR);
                let step = [self.slice, self.stride];
                // SAFETY: the host has AVX-512.
                unsafe { vectors::blend(texels, end, &self.first, step, weights, clean, out) }
            }
            Kind::Loads => match weights {
                [one] => self.sum::<1>(texels, std::array::from_ref(one), clean, quads, out),
                _ => {
                    if let Some(two) = weights.first_chunk() {
                        self.sum::<2>(texels, two, clean, quads, out);
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
        match lookup.0 {
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

    /// The box that holds the footprints, if it is small; sets the number of each lane's first texel.
    #[inline(always)]
    fn place(
        &mut self,
        lookup: Lookup,
        plane: &Plane,
        positions: &Positions,
        footprints: Footprints,
    ) -> Option<Bounds> {
        let Footprints { exec, four, deep } = footprints;
        let spans = spans(lookup, positions, exec, plane.is_deep());
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
        let [across, down, slices] = bounds.size;
        if across > ACROSS || down > 32 || slices > 32 {
            return None;
        }
        self.stride = across;
        self.slice = down * self.stride;
        self.count = self.slice * slices;
        let most = if four { 200 } else { 100 };
        if self.count > TEXELS as u32 || across * down * slices > most {
            return None;
        }
        let numbers = Numbers {
            lows: spans.map(|[low, _]| low),
            line: self.stride,
            slice: plane.is_deep().then_some(self.slice),
        };
        number(lookup, positions, numbers, &mut self.first);
        Some(bounds)
    }

    #[inline(always)]
    fn fill(&mut self, plane: &Plane, positions: &Positions, bounds: Bounds) {
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
            1 => of!(1),
            2 => of!(2),
            3 => of!(3),
            4 => of!(4),
            6 => of!(6),
            8 => of!(8),
            12 => of!(12),
            _ => of!(16),
        }
    }
}

/// The entries of a table of 256 that bits 0 to 7 of words from `shift` on name.
#[inline(always)]
pub(crate) fn by_byte(
    lookup: Lookup,
    table: &[u32; TEXELS],
    words: &Row,
    shift: u32,
    out: &mut Row,
) {
    match lookup.0 {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { vectors::by_byte(table, words, shift, out) },
        Kind::Loads => {
            for (out, word) in out.iter_mut().zip(words) {
                *out = table[(word >> shift & 0xff) as usize];
            }
        }
    }
}

/// The floats in the half of each word from bit `shift` on, 0 or 16.
#[inline(always)]
pub(crate) fn by_half(lookup: Lookup, words: &Row, shift: u32, out: &mut Row) {
    match lookup.0 {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { halves::convert(words, shift, out) },
        Kind::Loads => {
            for (out, word) in out.iter_mut().zip(words) {
                *out = from_f16(word >> shift);
            }
        }
    }
}

/// The texels of a window in a row.
#[inline(always)]
fn flat(rows: &[Row; 4]) -> &[u32; TEXELS] {
    // SAFETY: four rows of 64 are 256 words.
    unsafe { &*std::ptr::from_ref(rows).cast() }
}

/// Least and largest table entry of the lanes on each axis.
#[inline(always)]
fn spans(lookup: Lookup, positions: &Positions, exec: u64, deep: bool) -> [[u32; 2]; 3] {
    match lookup.0 {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        // SAFETY: the host has AVX-512.
        Kind::Permutations => unsafe { vectors::spans(positions, exec, deep) },
        Kind::Loads => all_spans(positions, exec, deep),
    }
}

#[inline(always)]
fn all_spans(positions: &Positions, exec: u64, deep: bool) -> [[u32; 2]; 3] {
    [
        span(&positions.columns, exec),
        span(&positions.lines, exec),
        if deep {
            span(&positions.slices, exec)
        } else {
            [0; 2]
        },
    ]
}

#[inline(always)]
fn span(row: &Row, exec: u64) -> [u32; 2] {
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
    match lookup.0 {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Memory;
    use super::super::plane::{Columns, Lines, Tables};
    use super::*;

    fn pairs(count: u32, step: u32) -> Vec<[u32; 2]> {
        (0..count).map(|i| [i * step, (i + 1) * step]).collect()
    }

    /// Texels of several sizes in two slices: windows give what the plane does, and refuse what is far apart.
    #[test]
    fn windows_have_the_texels_of_their_plane() {
        let memory = Memory::new(1 << 16);
        for at in 0..1 << 16 {
            let _ = memory.store_byte(at, (at * 13 + at / 256) as u8);
        }
        for bytes in [1, 2, 4, 8, 16] {
            let unit = if bytes >= 4 { 4 } else { 1 };
            let columns = Columns::new(&pairs(40, bytes / unit));
            let lines = Lines::new(&pairs(40, 40 * bytes / unit));
            let slices = Lines::new(&pairs(2, 100 * bytes / unit));
            let tables = Tables {
                columns: &columns,
                lines: &lines,
                slices: Some(&slices),
                join: Join::Sum,
                bytes,
                blocks: false,
            };
            let plane = memory.plane(64, tables).unwrap();
            let mut positions = Positions::ZERO;
            for (axis, size) in [7, 4, 2].into_iter().enumerate() {
                let mut cut = positions.cut(&plane, axis);
                (0..LANES).for_each(|lane| cut.put(lane, 3 * (lane as u32 % size) / 2 % 8));
            }
            // A lane that does not take part may be far away.
            positions.cut(&plane, 0).put(5, 39);
            let mut window = Window::EMPTY;
            let footprints = |exec: u64, four: bool| Footprints {
                exec,
                four,
                deep: false,
            };
            let any = Lookup::of(SimdLevel::BASELINE);
            assert!(!window.load(any, &plane, &positions, footprints(u64::MAX, true)));
            let exec = !(1 << 5);
            let mut quads = Quads::ZERO;
            let levels = SimdLevel::available();
            let each = levels
                .iter()
                .flat_map(|level| [false, true].map(|four| (four, *level)));
            for (four, level) in each {
                let lookup = Lookup::of(level);
                assert!(window.load(lookup, &plane, &positions, footprints(exec, four)));
                let (mut expected, mut got) = ([[[0; LANES]; 4]; 4], [[0; LANES]; 4]);
                plane.rows(&positions, 0, !four, &mut expected);
                for (word, expected) in expected.iter().enumerate().take(bytes.div_ceil(4) as usize)
                {
                    window.take(lookup, window.words(word), 0, four, &mut quads, &mut got);
                    for tap in 0..if four { 4 } else { 1 } {
                        for lane in (0..LANES).filter(|lane| exec >> lane & 1 != 0) {
                            let (got, expected) = (got[tap][lane], expected[tap][lane]);
                            assert_eq!(got, expected, "{bytes} bytes, {tap} of {lane}");
                        }
                    }
                }
            }
        }
    }
}
