//! Rectangles that are cleared between draws.

use silicon::Trap;
use silicon::fragment::interpolate::lanes;
use silicon::fragment::mask::merge;
use silicon::fragment::tile::Rect;

use super::Tile;
use crate::stream::Clear;
use crate::tile::{PARTS, place_of};

impl Tile<'_> {
    /// Clears a rectangle of an attachment.
    pub(super) fn clear(&mut self, rect: Rect, clear: Clear) -> Result<(), Trap> {
        let memory = &self.render.memory;
        self.end(memory)?;
        let (level, at) = (self.level(), self.region.at);
        let area = self.region.area.intersect(rect);
        let count = self.worker.tile.samples();
        let registers = self.worker.tile.registers();
        for part in 0..PARTS {
            let [x, y] = place_of(part);
            let mask = area.mask(at[0] + x, at[1] + y);
            let tile = &mut self.worker.tile;
            for sample in (0..count).filter(|_| mask != 0) {
                let row = tile.row(part, sample);
                match clear {
                    Clear::Depth(bits) => {
                        merge(level, mask, &[bits; 64], &mut tile.depth[row]);
                    }
                    Clear::Stencil(value) => {
                        lanes(mask).for_each(|lane| tile.stencil[row][lane] = value);
                    }
                    Clear::Color(target, words) => {
                        let (first, used) = self.render.registers_of(target);
                        for (n, word) in words.iter().enumerate().take(used) {
                            if first + n < registers {
                                let row = tile.output_mut(part, sample, first + n);
                                merge(level, mask, &[*word; 64], row);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
