//! Packs quads of partly covered tiles into waves, sixteen to a wave.

use super::{MAX_SAMPLES, TileWork};
use crate::fragment::interpolate::{CENTRES, Packed, SamplePositions, TilePlanes, Wanted};
use crate::fragment::tile::{LANE_X, LANE_Y};

/// Quads of a wave.
pub(super) const QUADS: usize = 16;

/// Tile slots of a bin.
const PLACES: usize = 256;

/// The slot of a tile in its bin. In larger bins tiles share slots, which only makes more quads wait.
#[inline(always)]
pub(super) fn place(x: i32, y: i32) -> u8 {
    ((y >> 3 & 15) << 4 | x >> 3 & 15) as u8
}

/// The bit of a slot; bins of more than 8x8 tiles share bits.
#[inline(always)]
pub(super) fn bit(place: u8) -> u64 {
    1 << ((place >> 4 & 7) << 3 | place & 7)
}

/// A wave that is being packed with quads.
#[derive(Debug)]
pub(super) struct Pack {
    pub(super) planes: Packed,
    pub(super) count: usize,
    /// Tile slot of each quad.
    places: [u8; QUADS],
    /// Its number there.
    quads: [u8; QUADS],
    /// Column and line of its first pixel.
    pub(super) x: [i32; QUADS],
    pub(super) y: [i32; QUADS],
    pub(super) front: u64,
    pub(super) exec: u64,
    pub(super) samples: [u64; MAX_SAMPLES],
    /// Blocks of the wave's primitives, and how many there are.
    primitives: ([u32; QUADS], usize),
    /// Quads at which the primitive changes, one bit each.
    pub(super) starts: u16,
}

impl Default for Pack {
    fn default() -> Pack {
        Pack {
            planes: Packed::default(),
            count: 0,
            places: [0; QUADS],
            quads: [0; QUADS],
            x: [0; QUADS],
            y: [0; QUADS],
            front: 0,
            exec: 0,
            samples: [0; MAX_SAMPLES],
            primitives: ([0; QUADS], 0),
            starts: 0,
        }
    }
}

/// The lanes in a wave that is being packed, by tile slot.
#[derive(Debug)]
pub(super) struct PackedLanes {
    /// Those with a covered sample.
    any: [u64; PLACES],
    /// Those of each sample, where there are several.
    samples: [[u64; MAX_SAMPLES]; PLACES],
}

impl Default for PackedLanes {
    fn default() -> PackedLanes {
        PackedLanes {
            any: [0; PLACES],
            samples: [[0; MAX_SAMPLES]; PLACES],
        }
    }
}

impl PackedLanes {
    /// Adds lanes of a tile: `masks` are those of each sample.
    #[inline(always)]
    fn add(&mut self, place: u8, any: u64, masks: &[u64], lanes: u64) {
        let place = usize::from(place) % PLACES;
        self.any[place] |= any & lanes;
        if masks.len() > 1 {
            for (packed, mask) in self.samples[place].iter_mut().zip(masks) {
                *packed |= mask & lanes;
            }
        }
    }

    /// Forgets those of a wave, of so many samples.
    pub(super) fn forget(&mut self, pack: &Pack, samples: usize) {
        for place in &pack.places[..pack.count] {
            let place = usize::from(*place) % PLACES;
            self.any[place] = 0;
            if samples > 1 {
                for packed in self.samples[place].iter_mut().take(samples) {
                    *packed = 0;
                }
            }
        }
    }

    /// Whether any lane of a slot is packed.
    #[inline(always)]
    pub(super) fn has(&self, place: u8) -> bool {
        self.any[usize::from(place) % PLACES] != 0
    }

    /// Whether any of these lanes of a tile is packed in one of the same samples: `masks` are the lanes of each.
    #[inline(always)]
    pub(super) fn waits(&self, place: u8, lanes: u64, masks: &[u64]) -> bool {
        let place = usize::from(place) % PLACES;
        if self.any[place] & lanes == 0 {
            return false;
        }
        let shared = self.samples[place].iter().zip(masks);
        masks.len() == 1 || shared.fold(0, |all, (packed, mask)| all | packed & mask) & lanes != 0
    }
}

impl Pack {
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.front = 0;
        self.exec = 0;
        self.samples = [0; MAX_SAMPLES];
        self.primitives.1 = 0;
        self.starts = 0;
    }

    /// The [`bit`]s of its tiles.
    pub(super) fn places(&self) -> u64 {
        let places = self.places[..self.count].iter();
        places.fold(0, |places, place| places | bit(*place))
    }

    /// Blocks of its primitives.
    #[inline]
    pub(super) fn primitives(&self) -> &[u32] {
        let (blocks, count) = &self.primitives;
        &blocks[..*count]
    }

    /// A sample of every lane, of its sample positions in a tile.
    pub(super) fn sample_positions(&self, in_tile: &SamplePositions) -> SamplePositions {
        let mut out = CENTRES;
        for (slot, quad) in self.quads[..self.count].iter().enumerate() {
            let (to, from) = (4 * slot, 4 * usize::from(*quad));
            out.x[to..to + 4].copy_from_slice(&in_tile.x[from..from + 4]);
            out.y[to..to + 4].copy_from_slice(&in_tile.y[from..from + 4]);
        }
        out
    }

    /// Packs the first of these quads of a tile in the slot `place`, until the wave is full; returns the others.
    #[inline]
    pub(super) fn add(
        &mut self,
        packed: &mut PackedLanes,
        work: &TileWork,
        planes: (&TilePlanes, Wanted),
        masks: &[u64],
        (place, mut quads): (u8, u64),
        block: u32,
    ) -> u64 {
        let (blocks, count) = &mut self.primitives;
        if *count == 0 || blocks[*count - 1] != block {
            if self.count > 0 {
                self.starts |= 1 << self.count;
            }
            blocks[*count] = block;
            *count += 1;
        }
        let (first, mut slot, mut added) = (self.count, self.count, 0);
        let mut exec = 0;
        let several = masks.len() > 1;
        while quads != 0 && slot < QUADS {
            let quad = quads.trailing_zeros() as usize % QUADS;
            quads &= quads - 1;
            self.planes.set_quad(slot, planes, quad, &CENTRES);
            self.places[slot] = place;
            self.quads[slot] = quad as u8;
            self.x[slot] = work.x + LANE_X[4 * quad];
            self.y[slot] = work.y + LANE_Y[4 * quad];
            added |= 0xf << (4 * quad);
            exec |= (work.any >> (4 * quad) & 0xf) << (4 * slot);
            if several {
                for (samples, mask) in self.samples.iter_mut().zip(masks) {
                    *samples |= (mask >> (4 * quad) & 0xf) << (4 * slot);
                }
            }
            slot += 1;
        }
        self.count = slot;
        self.exec |= exec;
        if work.of.front {
            self.front |= lanes_between(first, slot);
        }
        if !several {
            self.samples[0] |= exec;
        }
        packed.add(place, work.any, masks, added);
        quads
    }
}

/// Lanes of the quads from one to before another, of which there are 16 at most.
#[inline(always)]
fn lanes_between(first: usize, end: usize) -> u64 {
    let below = |quads: usize| u64::MAX.checked_shr(64 - 4 * quads as u32).unwrap_or(0);
    below(end) & !below(first)
}

/// Quads with a covered lane, one bit each.
pub(super) fn quads_of(mask: u64) -> u64 {
    let any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111_1111_1111_1111;
    // Gathers every fourth bit.
    let pairs = (any | any >> 3) & 0x0303_0303_0303_0303;
    let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
    let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
    (eights | eights >> 24) & 0xffff
}

/// Lanes of the first of some quads.
#[inline(always)]
pub(super) fn lanes_of(quads: u64) -> u64 {
    0xf << (4 * (quads.trailing_zeros() & 15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_bins_have_a_bit_for_each_tile() {
        for (x0, y0) in [(0, 0), (64, 0), (0, 64), (192, 320)] {
            let tiles = (0..64).map(|n| place(x0 + n % 8 * 8, y0 + n / 8 * 8));
            assert_eq!(tiles.fold(0, |bits, place| bits | bit(place)), u64::MAX);
        }
    }

    #[test]
    fn quads_of_a_mask() {
        assert_eq!(quads_of(u64::MAX), 0xffff);
        assert_eq!(quads_of(0), 0);
        for quad in 0..16 {
            for lane in 0..4 {
                assert_eq!(quads_of(1 << (4 * quad + lane)), 1 << quad);
            }
        }
        assert_eq!(quads_of(0x8000_0000_0100_0020), 1 << 15 | 1 << 6 | 1 << 1);
    }
}
