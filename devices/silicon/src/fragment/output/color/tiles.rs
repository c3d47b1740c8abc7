//! Tiles of a wave batch into one target: read, blended and written side by side.

use std::ops::Range;

use super::{ColorOutput, ColorRows, Way, Work};
use crate::fragment::blend::Source;
use crate::fragment::mask::merge;
use crate::fragment::scan::{MAX_BATCH, MAX_SAMPLES};
use crate::fragment::surface::LanePixels;
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::SimdLevel;

/// Tiles of a batch, at most [`MAX_BATCH`], none of them twice.
#[derive(Clone, Debug)]
pub struct TileBatch<'a> {
    /// First pixel of each.
    pub at: &'a [[i32; 2]],
    /// Lanes of each, the same in all of these samples.
    pub masks: &'a [u64],
    /// Samples that are written.
    pub samples: Range<usize>,
}

/// In place of the colours of tiles that are none.
static NOTHING: Lanes = [0; 64];

impl ColorOutput {
    /// Writes the exports of tiles to samples of them: the exported colours of each, and a function that gives the source of
    /// one, in place: rows that are moved on are waited for.
    pub fn write_tiles<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        tiles: TileBatch,
        (exported, color_of): (impl Fn(usize) -> u8, impl Fn(usize, usize, &mut Source<'a>)),
        rows: &mut ColorRows,
    ) {
        let held = self.plane.has_sample_tiles() && tiles.at.len() <= MAX_BATCH;
        if let Work::Blend(plan, Some(way)) = &self.work
            && held
        {
            let has = |n: &usize| exported(*n) >> self.index & 1 != 0 && tiles.masks[*n] != 0;
            let drawn = (0..tiles.at.len()).filter(has);
            let drawn = drawn.fold(0, |drawn, n| drawn | 1 << n);
            if drawn != 0 && plan.writes() {
                self.write_rows((level, memory, way), (tiles, drawn), color_of, rows);
            }
            return;
        }
        for (n, &[x, y]) in tiles.at.iter().enumerate() {
            let mut masks = [0; MAX_SAMPLES];
            masks[tiles.samples.clone()].fill(tiles.masks[n]);
            let color_of = |target| {
                let mut source = [&NOTHING; 4];
                color_of(n, target, &mut source);
                source
            };
            let colors = (exported(n), color_of);
            let place = LanePixels::Tile(x, y);
            self.write_samples(
                level,
                memory,
                place,
                &masks[..tiles.samples.end],
                colors,
                rows,
            );
        }
    }

    /// The same for planes whose tiles are rows. What agrees in all samples of a tile is blended once.
    fn write_rows<'a>(
        &self,
        (level, memory, way): (SimdLevel, &Memory, &Way),
        (tiles, drawn): (TileBatch, u32),
        color_of: impl Fn(usize, usize, &mut Source<'a>),
        rows: &mut ColorRows,
    ) {
        let TileBatch { at, masks, samples } = tiles;
        let whole = |set: u32| (0..at.len()).all(|n| set >> n & 1 == 0 || masks[n] == u64::MAX);
        let replaces = |set: u32| way.replaces() && whole(set);
        let mut part = |samples: Range<usize>, chosen: u32| {
            let mut places = [[0; 2]; MAX_BATCH];
            let mut lanes = [0; MAX_BATCH];
            let mut sources = [[&NOTHING; 4]; MAX_BATCH];
            let mut seconds = self.second.map(|_| sources);
            let mut count = 0;
            for (n, place) in at.iter().enumerate() {
                if chosen >> n & 1 != 0 {
                    (places[count], lanes[count]) = (*place, masks[n]);
                    color_of(n, self.index, &mut sources[count]);
                    if let Some(seconds) = &mut seconds
                        && let Some(second) = self.second.filter(|n| *n < 8)
                    {
                        color_of(n, second, &mut seconds[count]);
                    }
                    count += 1;
                }
            }
            let moved = (count * samples.len()) as u64 * self.plane.bytes_of(u64::MAX);
            rows.traffic.written += moved;
            let (whole, words) = (whole(chosen), self.plane.words());
            if let (true, Some(plain)) = (whole, way.plain_words()) {
                let rows_of = |n: usize| plain.map(|word| word.map(|c| sources[n][c]));
                let tiles = (&places[..count], samples);
                self.plane.write_each(level, memory, tiles, rows_of);
                return;
            }
            let mut texels = rows.tiles.each_mut().map(|rows| &mut rows[..]);
            if !(way.replaces() && whole) {
                rows.traffic.read += moved;
                let tiles = (&places[..count], samples.start);
                self.plane.read_tiles(level, memory, tiles, &mut texels);
            }
            if let (false, Some(plain)) = (whole, way.plain_words()) {
                for (texels, component) in texels.iter_mut().zip(plain) {
                    let Some(component) = component else { continue };
                    let rows = sources[..count].iter().map(|source| source[component]);
                    for ((row, mask), texels) in rows.zip(&lanes).zip(&mut **texels) {
                        merge(level, *mask, row, texels);
                    }
                }
                let texels = rows.tiles.each_ref().map(|rows| &rows[..]);
                let tiles = (&places[..count], samples);
                self.plane.write_tiles(level, memory, tiles, &texels);
                return;
            }
            let merges = !whole && !way.merges();
            if merges {
                for (old, texels) in rows.old.iter_mut().zip(&texels).take(words) {
                    old[..count].copy_from_slice(&texels[..count]);
                }
            }
            let second = seconds.as_ref().map(|seconds| &seconds[..count]);
            let kept = (!whole).then_some(&lanes[..count]);
            way.write_tiles(level, (&sources[..count], second), kept, &mut texels);
            if merges {
                for (old, texels) in rows.old.iter().zip(&mut texels).take(words) {
                    for ((old, texels), lanes) in old.iter().zip(&mut **texels).zip(&lanes[..count])
                    {
                        merge(level, !lanes, old, texels);
                    }
                }
            }
            let tiles = (&places[..count], samples);
            let texels = rows.tiles.each_ref().map(|rows| &rows[..]);
            self.plane.write_tiles(level, memory, tiles, &texels);
        };
        if samples.len() == 1 || replaces(drawn) {
            part(samples, drawn);
            return;
        }
        let agree = |n: usize| self.plane.samples_agree(level, memory, at[n]);
        let same = (0..at.len()).filter(|n| drawn >> n & 1 != 0 && agree(*n));
        let same = same.fold(0, |same, n| same | 1 << n);
        if same != 0 {
            part(samples.clone(), same);
        }
        if same != drawn {
            samples.for_each(|sample| part(sample..sample + 1, drawn & !same));
        }
    }
}
