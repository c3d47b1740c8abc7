//! Staging copies of small levels of depth and stencil.
//!
//! DB has one pitch for both planes, but small levels of the two have different ones. With one row of tiles that does
//! not matter. With more of them, the narrower plane is drawn to in a copy whose rows of tiles lie as far apart as those
//! of the other plane. `docs/driver-southern-islands.md` has the sizes.

use silicon::Addr;
use wgpu_types::TextureAspect;

use crate::encode::{Encoder, OpenPass};
use crate::state::PassTargets;
use crate::upload::Result;

/// The copy of one plane.
pub(super) struct Staging {
    /// The plane.
    pub plane: usize,
    /// Where the copy is.
    pub at: Addr,
    /// Where the image starts.
    image: Addr,
    /// Rows of tiles, layer by layer: byte offset in the image, byte offset in the copy, bytes.
    rows: Vec<[u64; 3]>,
}

impl Staging {
    /// Makes the copy that a pass needs.
    pub fn begin(targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Staging>> {
        let Some((bytes, mut staging)) = Staging::new(targets) else {
            return Ok(None);
        };
        staging.at = out.take(bytes, 256)?;
        staging.load(out);
        Ok(Some(staging))
    }

    /// The copy of a pass that has begun.
    pub fn of(pass: &OpenPass<'_>) -> Option<Staging> {
        let (at, (_, staging)) = pass.memory.zip(Staging::new(&pass.targets))?;
        Some(Staging { at, ..staging })
    }

    /// A copy that is nowhere yet, and its bytes.
    fn new(targets: &PassTargets<'_>) -> Option<(u64, Staging)> {
        let target = &targets.depth_stencil.as_ref()?.view;
        let [depth, stencil] = target.memory.planes.as_slice() else {
            return None;
        };
        let level = target.level as usize;
        let (a, b) = (&depth.levels[level], &stencil.levels[level]);
        // The first layer of a single row of tiles lies where it does for any pitch.
        let single = a.rows.max(b.rows) <= 8 && target.layers == 1;
        let needless = a.pitch == b.pitch || single;
        if stencil.aspect != TextureAspect::StencilOnly || needless {
            return None;
        }
        let number = usize::from(a.pitch > b.pitch);
        let plane = &target.memory.planes[number];
        let narrow = &plane.levels[level];
        let tile_row = |pitch: u32| u64::from(pitch * 8 * plane.element_bytes);
        let (own, common) = (tile_row(narrow.pitch), tile_row(a.pitch.max(b.pitch)));
        let rows = u64::from(narrow.rows / 8);
        let layer_bytes = u64::from(a.rows / 8) * common;
        let layer_rows = |layer: u32| {
            let slice = u64::from(target.first_layer + layer);
            let first = narrow.offset + slice * narrow.slice_bytes;
            let copy = u64::from(layer) * layer_bytes;
            (0..rows).map(move |row| [first + row * own, copy + row * common, own])
        };
        let staging = Staging {
            plane: number,
            at: Addr::default(),
            image: target.base,
            rows: (0..target.layers).flat_map(layer_rows).collect(),
        };
        Some((u64::from(target.layers) * layer_bytes, staging))
    }

    /// Copies the plane to where it is drawn to.
    pub fn load(&self, out: &mut Encoder<'_>) {
        for &[from, to, bytes] in &self.rows {
            out.copy(Addr(self.image.0 + from), Addr(self.at.0 + to), bytes);
        }
    }

    /// Copies it back.
    pub fn store(&self, out: &mut Encoder<'_>) {
        for &[to, from, bytes] in &self.rows {
            out.copy(Addr(self.at.0 + from), Addr(self.image.0 + to), bytes);
        }
    }
}
