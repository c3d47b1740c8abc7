//! A tile between the order of memory and rows of lanes.

use super::{ORDERS, TileRows, Unit, lane_of, place_of};
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding};

/// Lanes that stay in registers.
const CHUNK: usize = 16;

/// Texels of one sample to row `n` of their words.
pub(super) struct Read<'a, 'b> {
    pub(super) bytes: u32,
    pub(super) order: usize,
    pub(super) unit: &'a [u32],
    pub(super) rows: &'a mut TileRows<'b>,
    pub(super) n: usize,
}

/// The other way, of several tiles: a row for each word of each.
pub(super) struct Write<'a, 'b, const N: usize, const W: usize, const T: usize> {
    pub(super) bytes: u32,
    pub(super) order: usize,
    pub(super) units: &'a mut [Unit<N>],
    pub(super) rows: &'a [[Option<&'b Lanes>; 4]],
    /// Where rows are turned: of so many tiles before any is packed, as wide loads wait for stores just before them.
    pub(super) turned: &'a mut [[Aligned; T]; W],
}

/// Samples beside each other to their rows.
pub(super) struct Part<'a> {
    pub(super) bytes: u32,
    pub(super) unit: &'a [u32],
    pub(super) rows: &'a mut [[Lanes; 2]],
}

/// The other way.
pub(super) struct Join<'a> {
    pub(super) bytes: u32,
    pub(super) unit: &'a mut [u32],
    pub(super) rows: &'a [[Lanes; 2]],
}

/// Whether two blocks hold the same.
pub(super) struct Same<'a>(pub(super) &'a [u32; 64], pub(super) &'a [u32; 64]);

impl Kernel for Same<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<R: Rounding>(self) -> bool {
        let mut differ = [0; CHUNK];
        for first in (0..64).step_by(CHUNK) {
            let (one, other) = (&self.0[first..][..CHUNK], &self.1[first..][..CHUNK]);
            for ((differ, one), other) in differ.iter_mut().zip(one).zip(other) {
                *differ |= one ^ other;
            }
        }
        let mut any = 0;
        for differ in differ {
            any |= differ;
        }
        any == 0
    }
}

/// The lane of each place of an order.
struct Turn<const ORDER: usize>;

impl<const ORDER: usize> Turn<ORDER> {
    const LANES: [usize; 64] = table(ORDER, true);
    const PLACES: [usize; 64] = table(ORDER, false);
}

const fn table(order: usize, lanes: bool) -> [usize; 64] {
    let mut out = [0; 64];
    let mut n = 0;
    while n < 64 {
        out[n] = if lanes {
            lane_of(order, n)
        } else {
            place_of(order, n)
        };
        n += 1;
    }
    out
}

/// A row as wide as vectors are.
#[repr(align(64))]
pub(super) struct Aligned(pub(super) Lanes);

/// Narrow texels, aligned: vectors across lines wait for both.
#[repr(align(64))]
struct Bytes([u8; 64]);

#[repr(align(64))]
struct Halves([u16; 64]);

/// A chunk of a row from constant places of another: shuffles, not loads by index.
#[inline(always)]
fn chunk<const ORDER: usize, const BACK: bool, const FIRST: usize>(from: &Lanes, to: &mut Lanes) {
    let mut out = [0; CHUNK];
    for (n, out) in out.iter_mut().enumerate() {
        let at = match BACK {
            true => Turn::<ORDER>::LANES[FIRST + n],
            false => Turn::<ORDER>::PLACES[FIRST + n],
        };
        *out = from[at];
    }
    to[FIRST..FIRST + CHUNK].copy_from_slice(&out);
}

#[inline(always)]
fn turn<const ORDER: usize, const BACK: bool>(from: &Lanes, to: &mut Lanes) {
    chunk::<ORDER, BACK, 0>(from, to);
    chunk::<ORDER, BACK, 16>(from, to);
    chunk::<ORDER, BACK, 32>(from, to);
    chunk::<ORDER, BACK, 48>(from, to);
}

/// Exchanges the lowest bits of a lane, the next two and the upper two: its own inverse. By whole chunks, as wide loads wait
/// for narrow stores.
#[inline(always)]
fn transposed(from: &Lanes, to: &mut Lanes) {
    let (chunks, _) = from.as_chunks::<CHUNK>();
    let (to, _) = to.as_chunks_mut::<CHUNK>();
    for (n, to) in to.iter_mut().enumerate() {
        let from = &chunks[(n & 1) << 1 | n >> 1];
        let mut out = [0; CHUNK];
        for (at, out) in out.iter_mut().enumerate() {
            *out = from[(at & 1) << 1 | at >> 1 & 1 | (at & 4) << 1 | at >> 1 & 4];
        }
        *to = out;
    }
}

/// Between lanes and places in memory; `BACK` is to memory.
#[inline(always)]
fn turned<const BACK: bool>(order: usize, from: &Lanes, to: &mut Lanes) {
    const { assert!(ORDERS.len() == 8) };
    match order {
        1 => turn::<1, BACK>(from, to),
        2 => turn::<2, BACK>(from, to),
        3 => turn::<3, BACK>(from, to),
        4 => turn::<4, BACK>(from, to),
        5 => turn::<5, BACK>(from, to),
        6 => turn::<6, BACK>(from, to),
        7 => transposed(from, to),
        _ => *to = *from,
    }
}

/// Every `W`th word of a tile is of one row.
#[inline(always)]
fn apart<const W: usize>(unit: &[u32], rows: &mut TileRows, n: usize) {
    for first in (0..64).step_by(CHUNK) {
        let from = &unit[first * W..(first + CHUNK) * W];
        for w in 0..W {
            let mut out = [0; CHUNK];
            for i in 0..CHUNK {
                out[i] = from[i * W + w];
            }
            rows[w][n][first..first + CHUNK].copy_from_slice(&out);
        }
    }
}

#[inline(always)]
fn beside<const W: usize>(rows: [&Lanes; W], unit: &mut [u32]) {
    for first in (0..64).step_by(CHUNK) {
        let mut words = [[0; CHUNK]; W];
        for w in 0..W {
            words[w].copy_from_slice(&rows[w][first..first + CHUNK]);
        }
        let to = &mut unit[first * W..(first + CHUNK) * W];
        for i in 0..CHUNK {
            for w in 0..W {
                to[i * W + w] = words[w][i];
            }
        }
    }
}

impl Kernel for Read<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Read {
            bytes,
            order,
            unit,
            rows,
            n,
        } = self;
        match bytes {
            1 => {
                let Some(unit) = unit.first_chunk::<16>() else {
                    return;
                };
                let mut bytes = Bytes([0; 64]);
                for (bytes, word) in bytes.0.as_chunks_mut::<4>().0.iter_mut().zip(unit) {
                    *bytes = word.to_le_bytes();
                }
                for (word, byte) in rows[0][n].iter_mut().zip(bytes.0) {
                    *word = byte.into();
                }
            }
            2 => {
                let Some(unit) = unit.first_chunk::<32>() else {
                    return;
                };
                let mut halves = Halves([0; 64]);
                for (halves, word) in halves.0.as_chunks_mut::<2>().0.iter_mut().zip(unit) {
                    *halves = [*word as u16, (word >> 16) as u16];
                }
                for (word, half) in rows[0][n].iter_mut().zip(halves.0) {
                    *word = half.into();
                }
            }
            4 => rows[0][n].copy_from_slice(&unit[..64]),
            8 => apart::<2>(unit, rows, n),
            _ => apart::<4>(unit, rows, n),
        }
        if order != 0 {
            for row in &mut rows[..bytes.div_ceil(4) as usize] {
                let from = Aligned(row[n]);
                turned::<false>(order, &from.0, &mut row[n]);
            }
        }
    }
}

impl<const N: usize, const W: usize, const T: usize> Kernel for Write<'_, '_, N, W, T> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Write {
            bytes,
            order,
            units,
            rows,
            turned: memory,
        } = self;
        if order == 0 {
            for (unit, rows) in units.iter_mut().zip(rows) {
                packed(bytes, &mut unit.0, *rows);
            }
            return;
        }
        for (units, rows) in units.chunks_mut(T).zip(rows.chunks(T)) {
            for (word, memory) in memory.iter_mut().enumerate() {
                for (to, rows) in memory.iter_mut().zip(rows) {
                    if let Some(row) = rows[word & 3] {
                        turned::<true>(order, row, &mut to.0);
                    }
                }
            }
            for (n, unit) in units.iter_mut().enumerate().take(rows.len().min(T)) {
                let mut rows = [None; 4];
                for (row, memory) in rows.iter_mut().zip(&*memory) {
                    *row = Some(&memory[n].0);
                }
                packed(bytes, &mut unit.0, rows);
            }
        }
    }
}

/// Texels in the order of memory to its words.
#[inline(always)]
fn packed(bytes: u32, unit: &mut [u32], rows: [Option<&Lanes>; 4]) {
    let Some(first) = rows[0] else { return };
    match (bytes, rows) {
        // Of constant sizes: moves of others are calls.
        (1, _) => {
            let Some(unit) = unit.first_chunk_mut::<16>() else {
                return;
            };
            // Words from words: bytes would be stored before they are read as words.
            let mut words = [0; 16];
            for i in 0..16 {
                words[i] = first[4 * i] & 0xff
                    | (first[4 * i + 1] & 0xff) << 8
                    | (first[4 * i + 2] & 0xff) << 16
                    | first[4 * i + 3] << 24;
            }
            *unit = words;
        }
        (2, _) => {
            let Some(unit) = unit.first_chunk_mut::<32>() else {
                return;
            };
            let mut words = [0; 32];
            for i in 0..32 {
                words[i] = first[2 * i] & 0xffff | first[2 * i + 1] << 16;
            }
            *unit = words;
        }
        (4, _) => unit[..64].copy_from_slice(first),
        (8, [Some(a), Some(b), ..]) => beside([a, b], unit),
        (_, [Some(a), Some(b), Some(c), Some(d)]) => beside([a, b, c, d], unit),
        _ => {}
    }
}

/// Places of the elements in word `w` of a texel's samples: sample, word of it, lowest bit.
#[inline(always)]
fn elements(bytes: u32, w: usize) -> impl Iterator<Item = (usize, usize, u32)> {
    let count = (4 / bytes.min(4)) as usize;
    (0..count).map(move |n| match bytes {
        8 => (w / 2, w % 2, 0),
        _ => (w * count + n, 0, 8 * bytes * n as u32),
    })
}

impl Part<'_> {
    #[inline(always)]
    fn words<const W: usize>(self) {
        let mask = u32::MAX >> (32 - 8 * self.bytes.min(4));
        for first in (0..64).step_by(CHUNK) {
            let from = &self.unit[first * W..(first + CHUNK) * W];
            for w in 0..W {
                let mut out = [0; CHUNK];
                for i in 0..CHUNK {
                    out[i] = from[i * W + w];
                }
                for (sample, word, shift) in elements(self.bytes, w) {
                    let to = &mut self.rows[sample][word][first..first + CHUNK];
                    for (to, from) in to.iter_mut().zip(&out) {
                        *to = from >> shift & mask;
                    }
                }
            }
        }
    }
}

impl Part<'_> {
    /// Two samples of a byte each.
    #[inline(always)]
    fn pairs(self) {
        for (sample, row) in self.rows.iter_mut().enumerate() {
            for (lane, byte) in row[0].iter_mut().enumerate() {
                let shift = 16 * (lane as u32 & 1) + 8 * sample as u32;
                *byte = self.unit[lane / 2] >> shift & 0xff;
            }
        }
    }
}

impl Kernel for Part<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        match self.rows.len() * self.bytes as usize / 4 {
            0 => self.pairs(),
            1 => self.words::<1>(),
            2 => self.words::<2>(),
            4 => self.words::<4>(),
            8 => self.words::<8>(),
            _ => self.words::<16>(),
        }
    }
}

impl Join<'_> {
    #[inline(always)]
    fn words<const W: usize>(self) {
        for first in (0..64).step_by(CHUNK) {
            let mut words = [[0; CHUNK]; W];
            for (w, out) in words.iter_mut().enumerate() {
                for (sample, word, shift) in elements(self.bytes, w) {
                    let from = &self.rows[sample][word][first..first + CHUNK];
                    for (out, from) in out.iter_mut().zip(from) {
                        *out |= from << shift;
                    }
                }
            }
            let to = &mut self.unit[first * W..(first + CHUNK) * W];
            for i in 0..CHUNK {
                for w in 0..W {
                    to[i * W + w] = words[w][i];
                }
            }
        }
    }
}

impl Join<'_> {
    #[inline(always)]
    fn pairs(self) {
        for (n, word) in self.unit[..32].iter_mut().enumerate() {
            *word = 0;
            for (sample, row) in self.rows.iter().enumerate() {
                let shift = 8 * sample as u32;
                *word |= (row[0][2 * n] & 0xff | (row[0][2 * n + 1] & 0xff) << 16) << shift;
            }
        }
    }
}

impl Kernel for Join<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        match self.rows.len() * self.bytes as usize / 4 {
            0 => self.pairs(),
            1 => self.words::<1>(),
            2 => self.words::<2>(),
            4 => self.words::<4>(),
            8 => self.words::<8>(),
            _ => self.words::<16>(),
        }
    }
}
