//! Puts surfaces back when a draw fails behind which others were shaded. In: the planes of the draws and the tiles that are
//! about to be drawn to. Out: their texels as they were.

use super::bins::Bins;
use super::surface::{LanePixels, Plane, Texels, TileRow};
use super::tile::{LANE_X, LANE_Y, Rect};
use crate::memory::Memory;
use crate::texture::sample::Lanes;

/// Tiles along the edge of a bin with a bit for each; those of larger bins are kept each time.
const EDGE: usize = 16;

/// Texels of tiles before the first draw to them, by one thread.
#[derive(Debug)]
pub(super) struct Undo {
    /// Tiles of the current bin that are kept, one bit each; none while nothing is kept.
    kept: Option<[u16; EDGE]>,
    /// Bins are larger than that.
    large: bool,
    /// Layer of the current bin.
    layer: u32,
    tiles: Vec<Kept>,
    rows: Vec<Lanes>,
    /// Where a tile is read to.
    tile: [Lanes; 4],
}

impl Default for Undo {
    fn default() -> Undo {
        Undo {
            kept: None,
            large: false,
            layer: 0,
            tiles: Vec::new(),
            rows: Vec::new(),
            tile: [[0; 64]; 4],
        }
    }
}

/// A sample of a tile of a plane, whose words are in rows.
#[derive(Clone, Copy, Debug)]
struct Kept {
    layer: u32,
    plane: u32,
    sample: u32,
    at: [i32; 2],
    /// Where its words lie as they are kept; none where they are in the order of lanes.
    row: Option<TileRow>,
}

/// Lanes of a tile that lie in an area.
fn inside(area: Rect, [x, y]: [i32; 2]) -> u64 {
    if x >= area.x0 && y >= area.y0 && x + 8 <= area.x1 && y + 8 <= area.y1 {
        return u64::MAX;
    }
    let columns = area.x0..area.x1;
    let lines = area.y0..area.y1;
    let drawn = |lane: &usize| {
        columns.contains(&(x + LANE_X[*lane])) && lines.contains(&(y + LANE_Y[*lane]))
    };
    (0..64).filter(drawn).fold(0, |mask, lane| mask | 1 << lane)
}

/// Rows of words of a plane's texels.
fn words(plane: &Plane) -> usize {
    plane.texel_bytes().div_ceil(4) as usize
}

impl Undo {
    /// Keeps texels from now on, or no longer.
    pub(super) fn begin(&mut self, keeps: bool, bins: &Bins) {
        self.kept = keeps.then_some([0; EDGE]);
        self.large = bins.edge() as usize > 8 * EDGE;
        self.tiles.clear();
        self.rows.clear();
    }

    /// Another bin follows.
    pub(super) fn next_bin(&mut self, layer: u32) {
        self.layer = layer;
        if let Some(kept) = &mut self.kept {
            *kept = [0; EDGE];
        }
    }

    /// Keeps a tile; the planes are those of the layer.
    #[inline]
    pub(super) fn keep(&mut self, memory: &Memory, planes: &[&Plane], [x, y]: [i32; 2]) {
        let Some(kept) = &mut self.kept else { return };
        let (line, bit) = ((y >> 3) as usize % EDGE, 1 << ((x >> 3) as usize % EDGE));
        if kept[line] & bit != 0 && !self.large {
            return;
        }
        kept[line] |= bit;
        for (n, plane) in (0..).zip(planes) {
            let mask = inside(plane.area, [x, y]);
            for sample in 0..plane.samples() {
                let texels = Texels {
                    place: LanePixels::Tile(x, y),
                    sample,
                    mask,
                };
                let row = plane.whole_row(&texels);
                match row {
                    Some(row) => row.read(memory, &mut self.tile[0]),
                    None => plane.read(memory, &texels, &mut self.tile),
                }
                self.rows.extend_from_slice(&self.tile[..words(plane)]);
                self.tiles.push(Kept {
                    layer: self.layer,
                    plane: n,
                    sample: sample as u32,
                    at: [x, y],
                    row,
                });
            }
        }
    }

    /// Puts all texels back, those that were kept last first. Planes are those of each layer.
    pub(super) fn restore(&mut self, memory: &Memory, planes: &[Vec<&Plane>]) {
        let mut end = self.rows.len();
        for kept in self.tiles.drain(..).rev() {
            let plane = planes[kept.layer as usize][kept.plane as usize];
            let start = end - words(plane);
            let mut rows = [[0; 64]; 4];
            rows[..end - start].copy_from_slice(&self.rows[start..end]);
            end = start;
            if let Some(row) = kept.row {
                row.write(memory, &rows[0]);
                continue;
            }
            let [x, y] = kept.at;
            let texels = Texels {
                place: LanePixels::Tile(x, y),
                sample: kept.sample as usize,
                mask: inside(plane.area, kept.at),
            };
            plane.write(memory, &texels, false, &rows);
        }
        self.rows.clear();
    }
}
