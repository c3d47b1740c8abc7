//! Quads that wait until sixteen of them make a wave.

use super::{MAX_SAMPLES, TileWork};
use crate::interpolate::{CENTRES, Packed, TilePlanes};
use crate::tile::{LANE_X, LANE_Y};

/// Quads of a wave.
pub(super) const QUADS: usize = 16;

/// Quads that wait for a wave.
#[derive(Debug)]
pub(super) struct Pack {
    pub(super) planes: Packed,
    pub(super) count: usize,
    /// Tile of each quad, and the quad in it.
    tiles: [u32; QUADS],
    quads: [u32; QUADS],
    covered: [u8; QUADS],
    pub(super) columns: [i32; 64],
    pub(super) lines: [i32; 64],
    pub(super) front: u64,
    pub(super) exec: u64,
    pub(super) samples: [u64; MAX_SAMPLES],
    /// Blocks of the wave's primitives.
    pub(super) primitives: Vec<u32>,
    /// Quads that begin another primitive.
    pub(super) starts: u16,
    last: Option<u32>,
}

impl Default for Pack {
    fn default() -> Pack {
        Pack {
            planes: Packed::default(),
            count: 0,
            tiles: [u32::MAX; QUADS],
            quads: [0; QUADS],
            covered: [0; QUADS],
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
        self.count = 0;
        self.tiles = [u32::MAX; QUADS];
        self.front = 0;
        self.exec = 0;
        self.samples = [0; MAX_SAMPLES];
        self.primitives.clear();
        self.starts = 0;
        self.last = None;
    }

    /// Whether quads of a tile wait.
    pub(super) fn holds_tile(&self, tile: u32) -> bool {
        self.tiles
            .iter()
            .fold(false, |found, t| found | (*t == tile))
    }

    /// Whether a pixel of a quad waits already.
    pub(super) fn holds_pixel(&self, tile: u32, quad: u32, covered: u8) -> bool {
        (0..QUADS).fold(false, |found, n| {
            found
                | ((self.tiles[n] == tile)
                    & (self.quads[n] == quad)
                    & (self.covered[n] & covered != 0))
        })
    }

    /// Puts a quad into the waiting wave: its tile's key, its number there and its covered lanes.
    pub(super) fn add(
        &mut self,
        work: &TileWork,
        planes: &TilePlanes,
        masks: &[u64],
        (key, quad, covered): (u32, usize, u8),
        block: u32,
    ) {
        let slot = self.count;
        self.count += 1;
        self.planes.set_quad(slot, planes, quad, &CENTRES);
        self.tiles[slot] = key;
        self.quads[slot] = quad as u32;
        self.covered[slot] = covered;
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
        if work.front {
            self.front |= 0xf << shift;
        }
        self.exec |= u64::from(covered) << shift;
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
