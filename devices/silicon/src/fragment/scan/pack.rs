//! Packs quads of partly covered tiles into waves, sixteen to a wave.

use super::{MAX_SAMPLES, PixelWave, TileWork, WavePlanes};
use crate::fragment::interpolate::{
    CENTRES, Packed, PlaneRow, SamplePositions, TilePlanes, Wanted,
};
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
    /// Packed lanes, by tile slot.
    waiting: [u64; PLACES],
    pub(super) columns: [i32; 64],
    pub(super) lines: [i32; 64],
    pub(super) front: u64,
    pub(super) exec: u64,
    pub(super) samples: [u64; MAX_SAMPLES],
    /// Blocks of the wave's primitives.
    pub(super) primitives: Vec<u32>,
    /// Quads at which the primitive changes, one bit each.
    pub(super) starts: u16,
    last: Option<u32>,
}

impl Default for Pack {
    fn default() -> Pack {
        Pack {
            planes: Packed::default(),
            count: 0,
            places: [0; QUADS],
            quads: [0; QUADS],
            waiting: [0; PLACES],
            columns: [0; 64],
            lines: [0; 64],
            front: 0,
            exec: 0,
            samples: [0; MAX_SAMPLES],
            primitives: Vec::with_capacity(QUADS),
            starts: 0,
            last: None,
        }
    }
}

impl Pack {
    pub(super) fn clear(&mut self) {
        for place in &self.places[..self.count] {
            self.waiting[usize::from(*place) % PLACES] = 0;
        }
        self.count = 0;
        self.front = 0;
        self.exec = 0;
        self.samples = [0; MAX_SAMPLES];
        self.primitives.clear();
        self.starts = 0;
        self.last = None;
    }

    /// The [`bit`]s of its tiles.
    pub(super) fn places(&self) -> u64 {
        let places = self.places[..self.count].iter();
        places.fold(0, |places, place| places | bit(*place))
    }

    /// The wave; `coverage` is as in [`PixelWave::coverage`].
    pub(super) fn wave<'a>(
        &'a self,
        blocks: &'a [u32],
        coverage: Option<&'a [u32; 64]>,
    ) -> PixelWave<'a, &'a PlaneRow> {
        let planes = &self.planes;
        PixelWave {
            planes: WavePlanes {
                z: &planes.z,
                inv_w: &planes.inv_w,
                i_w: &planes.i_w,
                j_w: &planes.j_w,
                i: &planes.i,
                j: &planes.j,
            },
            exec: self.exec,
            starts: self.starts,
            primitives: &self.primitives,
            blocks,
            position: [&self.columns, &self.lines],
            front: self.front,
            centres: &planes.sample_positions,
            centroids: &planes.sample_positions,
            samples: &planes.sample_positions,
            coverage,
            sample: 0,
        }
    }

    /// Whether any of these lanes of a tile is packed in one of the same samples: `masks` are the lanes of each.
    #[inline(always)]
    pub(super) fn waits(&self, place: u8, lanes: u64, masks: &[u64]) -> bool {
        let waits = self.waiting[usize::from(place) % PLACES] & lanes != 0;
        waits && (masks.len() == 1 || self.shares_samples(place, lanes, masks))
    }

    fn shares_samples(&self, place: u8, lanes: u64, masks: &[u64]) -> bool {
        let slots = (0..self.count).filter(|slot| self.places[*slot] == place);
        let mut slots = slots.map(|slot| (4 * slot, 4 * u32::from(self.quads[slot])));
        slots.any(|(slot, quad)| {
            let shared = self.samples.iter().zip(masks);
            let mut shared =
                shared.map(|(packed, mask)| packed >> slot & (mask & lanes) >> quad & 0xf);
            shared.any(|lanes| lanes != 0)
        })
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

    /// Packs a quad: the slot of its tile and its number there.
    pub(super) fn add(
        &mut self,
        work: &TileWork,
        planes: (&TilePlanes, Wanted),
        masks: &[u64],
        (place, quad): (u8, usize),
        block: u32,
    ) {
        let slot = self.count;
        self.count += 1;
        self.planes.set_quad(slot, planes, quad, &CENTRES);
        self.places[slot] = place;
        self.quads[slot] = quad as u8;
        let lanes = work.any & 0xf << (4 * quad);
        self.waiting[usize::from(place) % PLACES] |= lanes;
        if self.last != Some(block) {
            if slot > 0 {
                self.starts |= 1 << slot;
            }
            self.primitives.push(block);
            self.last = Some(block);
        }
        for lane in 0..4 {
            self.columns[4 * slot + lane] = work.x + LANE_X[4 * quad + lane];
            self.lines[4 * slot + lane] = work.y + LANE_Y[4 * quad + lane];
        }
        let shift = 4 * slot;
        if work.of.front {
            self.front |= 0xf << shift;
        }
        self.exec |= lanes >> (4 * quad) << shift;
        for (waiting, mask) in self.samples.iter_mut().zip(masks) {
            *waiting |= (mask >> (4 * quad) & 0xf) << shift;
        }
    }
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
