//! Decoded texels of a two-dimensional level, kept in lines: what compute shaders load again and again that filter
//! pictures by hand.
//!
//! In: loads of waves whose lanes are eights side by side, as in groups of 8x8 or of one line. Out: their components, an
//! eight a copy. A tile holds the texels of 8 lines and the first 8 columns of the next tile, so that an eight which begins
//! in it ends in it. Whoever owns a [`Lines`] says when memory may have changed.

use super::access::{Access, Numbered};
use super::finish::Out;
use super::{LANES, Lanes};
use host::{Kernel, Rounding};

/// Columns that an eight may begin at in a tile, and lines.
const WIDTH: u32 = 32;
const HEIGHT: u32 = 8;
/// Lanes that are side by side.
const RUN: usize = 8;
/// Eights of a wave.
const RUNS: usize = LANES / RUN;
/// Texels of a line of a tile.
const PITCH: usize = WIDTH as usize + RUN;
/// Tiles that are kept.
const TILES: usize = 512;
/// Loads of a texture by a batch of waves before its texels are kept: those of few loads cost more to keep than to find.
const LOADS: u32 = 4;

/// Components of the texels of a tile, line by line.
type Texels = [[[u32; PITCH]; HEIGHT as usize]; 4];

/// Whose a tile is: texture, level, column and line over those of a tile, and the period that it was filled in.
#[derive(Clone, Copy, PartialEq)]
struct Owner {
    of: [u32; 4],
    period: u64,
}

/// Tiles of decoded texels.
#[derive(Default)]
pub struct Lines {
    owners: Vec<Option<Owner>>,
    tiles: Vec<Texels>,
    /// Counts the times that memory may have changed.
    period: u64,
    /// The texture that the batch has loaded last, and how often.
    last: (u32, u32),
    /// The texture that the batch before has loaded often, if there is one: this one is likely to.
    often: Option<u32>,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines")
            .field("tiles", &self.tiles.len())
            .finish()
    }
}

impl Lines {
    /// Forgets all texels, as memory may have changed.
    pub fn clear(&mut self) {
        self.period += 1;
    }

    /// A batch of waves begins.
    pub fn begin(&mut self) {
        let (key, loads) = self.last;
        self.often = (loads > LOADS).then_some(key);
        self.last = (0, 0);
    }

    /// The batch loads texels of a texture whose number is `key`; whether it has done so often enough for [`Lines::rows`].
    pub fn load(&mut self, key: u32) -> bool {
        if self.last.0 != key {
            self.last = (key, 0);
        }
        self.last.1 = self.last.1.saturating_add(1);
        self.last.1 > LOADS || self.often == Some(key)
    }

    /// Reads texels of a texture whose number is `key`, as [`Numbered::rows`] does; says whether it did.
    pub fn rows(&mut self, numbered: &Numbered, key: u32, access: &Access, out: &mut Out) -> bool {
        let plain = access.slice.is_none() && access.sample.is_none();
        if access.exec != u64::MAX || !plain {
            return false;
        }
        let level = numbered.level();
        let mut runs = [[0; 2]; RUNS];
        let found = level.run(Eights {
            x: access.x,
            y: access.y,
            mip: access.level,
            runs: &mut runs,
        });
        if !found {
            return false;
        }
        let mip = access.level.map_or(0, |row| row[0]);
        // An eight begins inside. Behind the edge tiles have zeros.
        let Some([width, height]) = numbered.size(mip) else {
            return false;
        };
        if runs.iter().any(|[x, y]| *x >= width || *y >= height) {
            return false;
        }
        let mut last = (u32::MAX, u32::MAX, 0);
        for (n, &[x, y]) in runs.iter().enumerate() {
            let at = (x / WIDTH, y / HEIGHT);
            if (last.0, last.1) != at {
                let Some(slot) = self.tile(numbered, [key, mip, at.0, at.1]) else {
                    return false;
                };
                last = (at.0, at.1, slot);
            }
            let (line, first) = ((y % HEIGHT) as usize, (x % WIDTH) as usize);
            let texels = &self.tiles[last.2];
            for (out, texels) in out.iter_mut().zip(texels) {
                if let Some(out) = out {
                    out[RUN * n..][..RUN].copy_from_slice(&texels[line][first..][..RUN]);
                }
            }
        }
        true
    }

    /// The slot of a tile, filled.
    fn tile(&mut self, numbered: &Numbered, of: [u32; 4]) -> Option<usize> {
        let [key, mip, column, line] = of;
        let slot = (column + line.wrapping_mul(67) + mip.wrapping_mul(29) + key.wrapping_mul(311))
            as usize
            % TILES;
        let owner = Owner {
            of,
            period: self.period,
        };
        if self.owners.get(slot) == Some(&Some(owner)) {
            return Some(slot);
        }
        self.fill(numbered, owner, slot).then_some(slot)
    }

    /// Fills a tile; false where its texels are not found in rows.
    #[cold]
    fn fill(&mut self, numbered: &Numbered, owner: Owner, slot: usize) -> bool {
        if self.tiles.is_empty() {
            self.owners.resize(TILES, None);
            self.tiles.resize(TILES, [[[0; PITCH]; HEIGHT as usize]; 4]);
        }
        self.owners[slot] = None;
        let [_, mip, column, line] = owner.of;
        let level = [mip; LANES];
        for first in (0..PITCH).step_by(RUN) {
            let x: Lanes = std::array::from_fn(|l| column * WIDTH + (first + l % RUN) as u32);
            let y: Lanes = std::array::from_fn(|l| line * HEIGHT + (l / RUN) as u32);
            let access = Access {
                level: Some(&level),
                ..everywhere(&x, &y)
            };
            let mut values = [[0; LANES]; 4];
            if !numbered.rows(&access, &mut values.each_mut().map(Some)) {
                return false;
            }
            for (texels, values) in self.tiles[slot].iter_mut().zip(&values) {
                for (line, values) in texels.iter_mut().zip(values.chunks(RUN)) {
                    line[first..][..RUN].copy_from_slice(values);
                }
            }
        }
        self.owners[slot] = Some(owner);
        true
    }
}

/// Loads of all lanes from the first level.
fn everywhere<'a>(x: &'a Lanes, y: &'a Lanes) -> Access<'a> {
    Access {
        exec: u64::MAX,
        x,
        y,
        slice: None,
        level: None,
        sample: None,
    }
}

/// Whether lanes are eights side by side on a line; where each begins.
struct Eights<'a> {
    x: &'a Lanes,
    y: &'a Lanes,
    /// All lanes must have the same, where they have any.
    mip: Option<&'a Lanes>,
    runs: &'a mut [[u32; 2]; RUNS],
}

impl Kernel for Eights<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<R: Rounding>(self) -> bool {
        let Eights { x, y, mip, runs } = self;
        for (n, run) in runs.iter_mut().enumerate() {
            *run = [x[RUN * n], y[RUN * n]];
        }
        // Neighbours in two loops without exceptions, as what begins an eight is no neighbour of what ends one: loops over
        // the lanes of an eight become scalars.
        let apart = |l: usize| {
            let along = x[l + 1].wrapping_sub(x[l]) ^ 1;
            along | (y[l + 1] ^ y[l])
        };
        const LAST: usize = LANES - RUN;
        let inside = |l: usize| u32::from(l % RUN != RUN - 1).wrapping_neg();
        let most = (0..LAST).fold(0, |any, l| any | apart(l) & inside(l));
        let most = (LAST..LANES - 1).fold(most, |any, l| any | apart(l));
        let Some(mip) = mip else {
            return most == 0;
        };
        let first = mip[0];
        mip.iter().fold(most, |any, n| any | (n ^ first)) == 0
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test")]

    use super::super::tests::texture;
    use super::super::{Dim, PreparedTexture};
    use super::*;
    use crate::memory::Memory;
    use crate::texture::format::Format;
    use host::SimdLevel;

    #[test]
    fn kept_texels_are_those_in_memory() {
        let mut state = 1_u32;
        let mut number = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for format in [
            Format::R8G8B8A8Unorm,
            Format::R32Float,
            Format::B8G8R8A8Srgb,
        ] {
            let memory = Memory::new(1 << 16);
            let t = texture(&memory, Dim::D2, format, [77, 53, 1], 1, 3, &mut || {
                number(256) as u8
            });
            let texture = PreparedTexture::new(&t).unwrap();
            let mut kept = 0;
            for level in SimdLevel::available() {
                let numbered = Numbered::new(level, &memory, &texture);
                let mut lines = Lines::default();
                for round in 0..400 {
                    let (x0, y0) = (number(90).wrapping_sub(4), number(60).wrapping_sub(3));
                    let mip = number(3);
                    let step = if round % 9 == 0 { 2 } else { 1 };
                    let x: Lanes =
                        std::array::from_fn(|l| x0.wrapping_add(step * (l % RUN) as u32));
                    let y: Lanes = std::array::from_fn(|l| y0.wrapping_add((l / RUN) as u32));
                    let levels = [mip; LANES];
                    let access = Access {
                        level: Some(&levels),
                        ..everywhere(&x, &y)
                    };
                    let [mut wanted, mut found] = [[[7; LANES]; 4]; 2];
                    if lines.rows(&numbered, 3, &access, &mut found.each_mut().map(Some)) {
                        assert!(numbered.rows(&access, &mut wanted.each_mut().map(Some)));
                        assert_eq!(found, wanted, "{format:?} from {x0}, {y0} of level {mip}");
                        kept += 1;
                    }
                }
            }
            assert!(kept > 100, "{format:?}: {kept}");
        }
    }

    #[test]
    fn texels_of_an_earlier_period_are_read_again() {
        let memory = Memory::new(1 << 16);
        let format = Format::R32Float;
        let t = texture(&memory, Dim::D2, format, [16, 16, 1], 1, 1, &mut || 1);
        let texture = PreparedTexture::new(&t).unwrap();
        let numbered = Numbered::new(SimdLevel::current(), &memory, &texture);
        let x: Lanes = std::array::from_fn(|l| (l % RUN) as u32);
        let y: Lanes = std::array::from_fn(|l| (l / RUN) as u32);
        let access = everywhere(&x, &y);
        let mut lines = Lines::default();
        let mut first = || {
            let mut found = [[7; LANES]; 4];
            assert!(lines.rows(&numbered, 3, &access, &mut found.each_mut().map(Some)));
            let before = found[0][0];
            let word = memory.load(texture.base).unwrap();
            memory.store(texture.base, word + 1).unwrap();
            assert!(lines.rows(&numbered, 3, &access, &mut found.each_mut().map(Some)));
            assert_eq!(found[0][0], before, "the same period");
            lines.clear();
            before
        };
        let before = first();
        assert_eq!(first(), before + 1);
    }

    #[test]
    fn tiles_of_one_slot_are_not_mixed() {
        let memory = Memory::new(1 << 17);
        let mut state = 1_u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let (format, size) = (Format::R8Unorm, [24 * WIDTH + 16, 8 * HEIGHT + 8, 1]);
        let t = texture(&memory, Dim::D2, format, size, 1, 1, &mut byte);
        let texture = PreparedTexture::new(&t).unwrap();
        let numbered = Numbered::new(SimdLevel::current(), &memory, &texture);
        // 24 columns less and 8 lines more are the same slot: 8 * 67 - 24 = 512.
        let at = |l: usize| match l / RUN % 2 {
            0 => [24 * WIDTH, 0],
            _ => [0, 8 * HEIGHT],
        };
        let x: Lanes = std::array::from_fn(|l| at(l)[0] + (l % RUN) as u32);
        let y: Lanes = std::array::from_fn(|l| at(l)[1] + (l / RUN) as u32);
        let access = everywhere(&x, &y);
        let [mut wanted, mut found] = [[[7; LANES]; 4]; 2];
        assert!(numbered.rows(&access, &mut wanted.each_mut().map(Some)));
        let mut lines = Lines::default();
        assert!(lines.rows(&numbered, 0, &access, &mut found.each_mut().map(Some)));
        assert_eq!(found, wanted);
    }

    #[test]
    fn few_loads_are_not_kept() {
        let mut lines = Lines::default();
        let loads: Vec<bool> = (0..6).map(|_| lines.load(5)).collect();
        assert_eq!(loads, [false, false, false, false, true, true]);
        assert!(!lines.load(6));
        lines.begin();
        assert!(!lines.load(6));
    }

    #[test]
    fn what_a_batch_loads_often_the_next_one_keeps_at_once() {
        let mut lines = Lines::default();
        for _ in 0..=LOADS {
            lines.load(5);
        }
        lines.begin();
        assert!(lines.load(5));
        assert!(!lines.load(6));
        lines.begin();
        assert!(!lines.load(5));
    }
}
