//! Hi-Z: rejects tiles wholly behind the stored depths of a bin without reading texels. Only time depends on it.
//!
//! The bound of a tile is its farthest stored depth (nearest, if farther passes), taken when a test rejects the whole
//! tile. Under the same comparison stored depths only move away from it; it is dropped before each bin of each batch.
//!
//! Plane evaluation, clamp and encode are monotonic along x and y, rounding included: the depths of a tile lie between
//! those of its corner pixels, without a margin. [`crate::fragment::output::DepthOutput::hi_z`] switches it off.

use crate::fragment::depth::{Compare, Depth, DepthFormat};
use crate::fragment::scan::MAX_SAMPLES;
use crate::fragment::tile::lane;

/// Tiles along the edge of the table.
const EDGE: usize = 16;
const TILES: usize = EDGE * EDGE;

/// Lanes of the corner pixels of a tile.
const CORNERS: [usize; 4] = [
    lane(0, 0) as usize,
    lane(7, 0) as usize,
    lane(0, 7) as usize,
    lane(7, 7) as usize,
];

/// Bounds of the tiles of one bin.
#[derive(Debug, Default)]
pub(crate) struct HiZ {
    /// By sample and place of the tile.
    entries: Vec<Entry>,
    generation: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Valid in this generation.
    generation: u32,
    /// Which tile.
    key: u32,
    /// As a float: normalised formats have at most 24 bits.
    bound: f32,
}

/// A tile in one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// First column and line.
    pub(crate) at: [i32; 2],
    /// Sample number.
    pub(crate) sample: usize,
}

impl Tile {
    #[inline(always)]
    fn slot(self) -> usize {
        let [x, y] = self.at.map(|v| (v >> 3) as usize % EDGE);
        self.sample % MAX_SAMPLES * TILES + y * EDGE + x
    }

    #[inline(always)]
    fn key(self) -> u32 {
        let [x, y] = self.at.map(|v| v as u32 >> 3);
        y << 16 | x
    }
}

/// Whether passing depths are nearer (`true`) or farther than the stored ones; other comparisons have no bound.
#[inline(always)]
fn nearer(compare: Compare) -> Option<bool> {
    match compare {
        Compare::Less | Compare::LessEqual => Some(true),
        Compare::Greater | Compare::GreaterEqual => Some(false),
        _ => None,
    }
}

/// Stored bits in the order of their depths.
#[inline(always)]
fn ordered(format: DepthFormat, bits: u32) -> f32 {
    match format {
        DepthFormat::Float32 => f32::from_bits(bits),
        _ => bits as f32,
    }
}

/// Depths of the corner pixels of a tile; `z` gives that of a lane.
#[inline(always)]
pub(crate) fn corners(z: impl Fn(usize) -> f32) -> [f32; 4] {
    let [a, b, c, d] = CORNERS;
    [z(a), z(b), z(c), z(d)]
}

/// Whether the corner depths are numbers; then all depths between them are.
#[inline(always)]
pub(crate) fn tame(corners: [f32; 4]) -> bool {
    corners.iter().all(|z| z.abs() < f32::INFINITY)
}

/// The stored depth of a tile that is beyond all others; comparisons with NaN fail, so NaN depths set no bound.
///
/// Sixteen lanes side by side: one chain over 64 lanes waits for each comparison.
#[inline(always)]
fn last(
    stored: &[u32; 64],
    first: f32,
    depth: impl Fn(u32) -> f32,
    beyond: impl Fn(f32, f32) -> bool,
) -> f32 {
    let mut bounds = [first; 16];
    for row in stored.chunks_exact(16) {
        for (bound, bits) in bounds.iter_mut().zip(row) {
            let depth = depth(*bits);
            *bound = if beyond(depth, *bound) { depth } else { *bound };
        }
    }
    let farther = |bound, depth| if beyond(depth, bound) { depth } else { bound };
    bounds.into_iter().fold(first, farther)
}

impl HiZ {
    /// Whether a test can have bounds.
    pub(crate) fn helps(state: &Depth) -> bool {
        nearer(state.compare).is_some()
    }

    /// Forgets everything.
    pub(crate) fn begin(&mut self) {
        self.entries.resize(TILES * MAX_SAMPLES, Entry::default());
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(Entry::default());
            self.generation = 1;
        }
    }

    /// Whether a bound of the tile is known.
    #[inline(always)]
    pub(crate) fn knows(&self, tile: Tile) -> bool {
        let known = |entry: &Entry| entry.generation == self.generation && entry.key == tile.key();
        self.entries.get(tile.slot()).is_some_and(known)
    }

    /// Whether a tile with a bound is rejected. `corners` are new depths, [`tame`] before the viewport clamp.
    #[inline]
    pub(crate) fn hides(&self, state: &Depth, tile: Tile, corners: [f32; 4]) -> bool {
        let Some(nearer) = nearer(state.compare) else {
            return false;
        };
        let mut best = corners[0];
        for z in corners {
            if (z < best) == nearer {
                best = z;
            }
        }
        let new = ordered(state.format, state.stored(best));
        !state.compare.holds(new, self.entries[tile.slot()].bound)
    }

    /// Takes the bound of a tile from all its stored depths.
    pub(crate) fn learn(&mut self, state: &Depth, tile: Tile, stored: &[u32; 64]) {
        let Some(nearer) = nearer(state.compare) else {
            return;
        };
        let number = |bits: u32| bits as f32;
        let (far, near) = (|a: f32, b: f32| a > b, |a: f32, b: f32| a < b);
        let bound = match (state.format, nearer) {
            (DepthFormat::Float32, true) => last(stored, f32::NEG_INFINITY, f32::from_bits, far),
            (DepthFormat::Float32, false) => last(stored, f32::INFINITY, f32::from_bits, near),
            (_, true) => last(stored, f32::NEG_INFINITY, number, far),
            (_, false) => last(stored, f32::INFINITY, number, near),
        };
        self.entries[tile.slot()] = Entry {
            generation: self.generation,
            key: tile.key(),
            bound,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::depth;
    use crate::fragment::interpolate::{CENTRES, Plane, values};
    use host::SimdLevel;
    use proptest::prelude::*;

    fn float() -> impl Strategy<Value = f32> {
        prop_oneof![-0.2f32..1.2, any::<f32>(), Just(0.0), Just(f32::NAN)]
    }

    /// Of all tiles of the largest surface that share a slot, one is known.
    #[test]
    fn tiles_of_a_slot_are_told_apart() {
        let state = Depth {
            format: DepthFormat::Unorm24,
            compare: Compare::Less,
            write: true,
            clamp: None,
            bounds: None,
        };
        let step = EDGE * 8;
        let tiles = |_: ()| {
            let lines = (8..16384).step_by(step);
            lines.flat_map(move |y| (8..16384).step_by(step).map(move |x| [x, y]))
        };
        for at in [[8, 8], [8, 8 + step as i32], [8 + 8192, 8], [8, 8 + 8192]] {
            let mut hi_z = HiZ::default();
            hi_z.begin();
            hi_z.learn(&state, Tile { at, sample: 1 }, &[5; 64]);
            let known: Vec<_> = tiles(())
                .filter(|&at| hi_z.knows(Tile { at, sample: 1 }))
                .collect();
            assert_eq!(known, [at]);
            assert!(!hi_z.knows(Tile { at, sample: 0 }));
        }
    }

    proptest! {
        #[test]
        fn what_is_hidden_fails_the_test(
            base in float(),
            slopes in proptest::array::uniform2(prop_oneof![-0.05f32..0.05, float()]),
            stored in proptest::collection::vec(float(), 64),
            flat in proptest::option::of(float()),
            compare in 0usize..8,
            format in 0usize..3,
            clamps: bool,
            keys in proptest::array::uniform2(-5i32..40),
        ) {
            let level = SimdLevel::current();
            let format = [DepthFormat::Unorm16, DepthFormat::Unorm24, DepthFormat::Float32][format];
            let state = Depth {
                format,
                compare: Compare::ALL[compare],
                write: true,
                clamp: clamps.then_some([0.25, 0.75]),
                bounds: None,
            };
            let mut old = [0; 64];
            for (old, z) in old.iter_mut().zip(&stored) {
                *old = format.encode(flat.unwrap_or(*z));
            }
            let plane = Plane { base, dx: slopes[0], dy: slopes[1] };
            let (mut z, mut new) = ([0.0; 64], [0; 64]);
            values(level, &plane, &CENTRES, &mut z);
            depth::encode(level, &state, &z, &mut new);
            let tile = Tile { at: keys.map(|k| 8 * k), sample: 3 };
            let corners = corners(|lane| z[lane]);
            let mut hi_z = HiZ::default();
            hi_z.begin();
            prop_assert!(!hi_z.knows(tile));
            hi_z.learn(&state, tile, &old);
            if hi_z.knows(tile) && tame(corners) && hi_z.hides(&state, tile, corners) {
                prop_assert_eq!(depth::test(level, &state, &new, &old), 0);
            }
            if HiZ::helps(&state) && tame(corners) && flat.is_some_and(|z| !z.is_nan()) {
                // Constant depth: the answer is exact.
                let passed = depth::test(level, &state, &new, &old);
                prop_assert_eq!(hi_z.hides(&state, tile, corners), passed == 0);
            }
            hi_z.begin();
            prop_assert!(!hi_z.knows(tile));
        }
    }
}
