//! Tiles that are rows of words, in lane order or in the order of displays.

use std::ops::Range;

use super::tiles::STAGED;
use super::{Aligned, Order, Plane};
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Permutes a tile between lane order (bits X0 Y0 X1 Y1 X2 Y2) and scan-out order (X0 X1 Y0 X2 Y1 Y2) of four-byte
/// texels; its own inverse. Neighbours along x stay neighbours.
pub(super) struct Scanout<'a> {
    pub(super) from: &'a Lanes,
    pub(super) to: &'a mut Lanes,
}

impl Scanout<'_> {
    /// Memory index of a lane; its own inverse.
    #[inline(always)]
    pub(super) fn place(lane: usize) -> usize {
        lane & 0b10_0001 | (lane & 0b00_1010) << 1 | (lane & 0b01_0100) >> 1
    }
}

impl Kernel for Scanout<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for first in (0..64).step_by(16) {
            let start = Scanout::place(first);
            let mut chunk = [0; 16];
            for (n, word) in chunk.iter_mut().enumerate() {
                *word = self.from[start + Scanout::place(n)];
            }
            self.to[first..first + 16].copy_from_slice(&chunk);
        }
    }
}

/// The same of several tiles, in their rows.
struct ScanoutRows<'a>(&'a mut [Lanes]);

impl Kernel for ScanoutRows<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for to in self.0 {
            let from = Aligned(*to);
            Scanout { from: &from.0, to }.run::<R>();
        }
    }
}

/// The same of several tiles, to other rows.
struct ScanoutTiles<'a> {
    from: &'a [Option<&'a Lanes>],
    to: &'a mut [Aligned],
}

impl Kernel for ScanoutTiles<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (from, Aligned(to)) in self.from.iter().zip(self.to) {
            if let Some(from) = from {
                Scanout { from, to }.run::<R>();
            }
        }
    }
}

impl Plane {
    /// Reads a sample of tiles for which [`Plane::has_rows`] holds, lane by lane.
    pub(super) fn read_words(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        rows: &mut [Lanes],
    ) {
        let rows = &mut rows[..tiles.len()];
        for (at, row) in tiles.iter().zip(&mut *rows) {
            self.tile(*at, sample).read(memory, row);
        }
        if matches!(self.axes.order, Order::Scanout) {
            level.run(ScanoutRows(rows));
        }
    }

    /// Writes them to several samples.
    pub(super) fn write_words<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, samples): (&[[i32; 2]], Range<usize>),
        rows_of: impl Fn(usize) -> [Option<&'a Lanes>; 4],
    ) {
        match (&self.axes.order, tiles.len()) {
            (Order::Scanout, ..=1) => {
                self.write_turned::<1>(level, memory, (tiles, samples), rows_of);
            }
            (Order::Scanout, _) => {
                self.write_turned::<STAGED>(level, memory, (tiles, samples), rows_of);
            }
            _ => {
                for (n, at) in tiles.iter().enumerate() {
                    let [Some(row), ..] = rows_of(n) else {
                        continue;
                    };
                    for sample in samples.clone() {
                        self.tile(*at, sample).write(memory, row);
                    }
                }
            }
        }
    }

    /// The same of tiles in scan-out order: turns some, then stores them.
    fn write_turned<'a, const STAGED: usize>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, samples): (&[[i32; 2]], Range<usize>),
        rows_of: impl Fn(usize) -> [Option<&'a Lanes>; 4],
    ) {
        let mut turned = [const { Aligned([0; 64]) }; STAGED];
        let first = tiles.chunks(STAGED).enumerate();
        for (first, tiles) in first.map(|(n, tiles)| (STAGED * n, tiles)) {
            let mut from = [None; STAGED];
            for (n, from) in from.iter_mut().enumerate().take(tiles.len()) {
                [*from, ..] = rows_of(first + n);
            }
            level.run(ScanoutTiles {
                from: &from,
                to: &mut turned,
            });
            for (at, row) in tiles.iter().zip(&turned) {
                for sample in samples.clone() {
                    self.tile(*at, sample).write(memory, &row.0);
                }
            }
        }
    }
}
