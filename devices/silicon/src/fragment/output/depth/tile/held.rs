//! Depth tests of tiles that only reject, before the shader, whose results the tests after it take over: a tile of which
//! every lane passed then passes again, as long as nothing else was drawn to it.

use super::batch::{Bytes, Tests};
use super::{Cut, Shared, TestedTiles, TileDepths, TileTest};
use crate::fragment::depth::Depth;
use crate::fragment::mask;
use crate::fragment::output::DepthRows;
use crate::fragment::scan::MAX_BATCH;
use crate::fragment::stencil::{self, Face};
use crate::fragment::surface::TileBytes;
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Tiles whose new depths are in the rows of tests, and their texels.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in super::super) struct HeldTiles {
    /// As stored.
    texels: [Lanes; MAX_BATCH],
    at: [[i32; 2]; MAX_BATCH],
    count: usize,
}

impl Default for HeldTiles {
    fn default() -> HeldTiles {
        HeldTiles {
            texels: [[0; 64]; MAX_BATCH],
            at: [[0; 2]; MAX_BATCH],
            count: 0,
        }
    }
}

impl DepthRows {
    /// Forgets tiles that are held: something else is drawn to some.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        self.held.count = 0;
    }

    /// Where tiles are among those that are held, which have the same order; none if some are not.
    pub(crate) fn slots(&self, tiles: &[[i32; 2]]) -> Option<[u8; MAX_BATCH]> {
        let held = &self.held.at[..self.held.count];
        let mut slots = [0; MAX_BATCH];
        let mut next = 0;
        for (slot, at) in slots.iter_mut().zip(tiles) {
            next += held[next..].iter().position(|held| held == at)?;
            *slot = next as u8;
            next += 1;
        }
        Some(slots)
    }
}

impl TileTest<'_> {
    /// Whether [`TileTest::finish_held`] may end what `rejecting`, a test of the same draw, began with
    /// [`TileTest::hold_tiles`]: where depths pass one, they pass the other.
    pub(crate) fn takes_over(&self, rejecting: &TileTest) -> bool {
        let apart = self.shared.is_none_or(|shared| shared.depth_shift == 0);
        let both = rejecting.depth.is_some() && self.depth.is_some();
        both && apart && self.takes_tiles() && rejecting.takes_tiles()
    }

    /// As [`TileTest::run_tiles`] of a test that stores nothing, and holds the tiles.
    pub(crate) fn hold_tiles(
        &self,
        level: SimdLevel,
        memory: &Memory,
        depths_of: TileDepths,
        (tiles, front): (&mut TestedTiles, bool),
        rows: &mut DepthRows,
    ) {
        self.read_tiles(level, memory, tiles.at(), rows);
        let count = tiles.count;
        let DepthRows {
            depths,
            bytes,
            held,
            ..
        } = rows;
        held.texels[..count].copy_from_slice(&depths[..count]);
        held.at[..count].copy_from_slice(tiles.at());
        held.count = count;
        level.run(Tests {
            shared: self.shared,
            state: self.depth,
            face: self.face(front),
            depths: depths_of,
            at: &tiles.at[..count],
            masks: &mut tiles.masks[..count],
            texels: &mut *depths,
            stencils: bytes,
            holds: true,
        });
        let bits = self.depth.map_or(u32::MAX, |state| state.format.bits());
        let rows = depths.iter_mut().zip(&held.texels);
        for ((row, texels), _) in rows.zip(tiles.masks()).filter(|(_, mask)| **mask == 0) {
            *row = *texels;
            let shift = 0;
            level.run(Cut { row, shift, bits });
        }
    }

    /// As [`TileTest::run_tiles`] of tiles that are held in these slots, all of whose lanes passed.
    pub(crate) fn finish_held(
        &self,
        level: SimdLevel,
        memory: &Memory,
        slots: &[u8; MAX_BATCH],
        (tiles, front): (&mut TestedTiles, bool),
        rows: &mut DepthRows,
    ) {
        self.read_stencils(memory, tiles.at(), rows);
        let DepthRows {
            depths,
            bytes,
            held,
            ..
        } = rows;
        level.run(Finish {
            shared: self.shared,
            state: self.depth,
            face: self.face(front),
            slots,
            masks: &mut tiles.masks[..tiles.count],
            depths,
            texels: &held.texels,
            stencils: bytes,
        });
        self.write_tested(level, memory, tiles, front, rows);
    }
}

/// Ends the tests of tiles that are held; masks keep the lanes that pass.
struct Finish<'a> {
    shared: Option<Shared>,
    state: Option<&'a Depth>,
    face: Option<&'a Face>,
    slots: &'a [u8; MAX_BATCH],
    masks: &'a mut [u64],
    /// New depths by slots, then texels by tiles: a slot is never before its tile.
    depths: &'a mut [Lanes; MAX_BATCH],
    texels: &'a [Lanes; MAX_BATCH],
    stencils: &'a mut [TileBytes; MAX_BATCH],
}

impl Kernel for Finish<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let writes = self.state.is_some_and(|state| state.write);
        let bits = self.state.map_or(u32::MAX, |state| state.format.bits());
        let tiles = self.masks.iter_mut().zip(self.slots).zip(self.stencils);
        for (n, ((mask, slot), stored)) in tiles.enumerate() {
            let slot = usize::from(*slot) % MAX_BATCH;
            let texels = &self.texels[slot];
            if slot != n {
                self.depths[n] = self.depths[slot];
            }
            let new = &mut self.depths[n];
            let lanes = *mask;
            let mut stencil = Bytes([0; 64]);
            if let Some(shared) = self.shared {
                shared.bytes(texels, &mut stencil.0);
            } else if self.face.is_some() {
                stored.get(&mut stencil.0);
            }
            let passed = match self.face {
                Some(face) => stencil::equal(face, &stencil.0) & lanes,
                None => lanes,
            };
            *mask = passed;
            let kept = if writes { !passed } else { u64::MAX };
            if kept != 0 {
                mask::replace(kept, new, |lane| texels[lane] & bits);
            }
            if let Some(face) = self.face.filter(|face| face.writes()) {
                stencil::change_all(face, [lanes & !passed, 0, passed], &mut stencil.0);
                if self.shared.is_none() {
                    stored.set(&stencil.0);
                }
            }
            if let Some(shared) = self.shared {
                shared.join(new, &stencil.0);
            }
        }
    }
}
