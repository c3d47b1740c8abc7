//! The parts of a tile that have pixels of a surface, and rows of texels on their way to memory.

use silicon::Memory;
use silicon::fragment::surface::{LanePixels, Plane, Texels};
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;

use super::target::Words;
use crate::tile::{PARTS, Region, place_of};

/// Parts of a tile with a pixel of an area: number, first pixel, lanes.
pub(crate) fn parts(region: Region) -> impl Iterator<Item = (usize, [i32; 2], u64)> {
    let Region { area, at, .. } = region;
    let part = move |part: usize| {
        let [x, y] = place_of(part);
        let place = [at[0] + x, at[1] + y];
        (part, place, area.mask(place[0], place[1]))
    };
    (0..PARTS).map(part).filter(|(.., mask)| *mask != 0)
}

/// The parts of a whole tile, with all of their pixels.
fn whole([x, y]: [i32; 2]) -> Touched {
    let mut found = Touched {
        count: PARTS,
        parts: [0; PARTS],
        places: [[0; 2]; PARTS],
        masks: [u64::MAX; PARTS],
    };
    for part in 0..PARTS {
        let [dx, dy] = place_of(part);
        found.parts[part] = part;
        found.places[part] = [x + dx, y + dy];
    }
    found
}

/// The parts of a tile with a pixel of the target.
pub(super) struct Touched {
    count: usize,
    parts: [usize; PARTS],
    places: [[i32; 2]; PARTS],
    masks: [u64; PARTS],
}

impl Touched {
    pub(super) fn of(region: Region) -> Touched {
        if region.is_whole() {
            return whole(region.at);
        }
        let mut found = Touched {
            count: 0,
            parts: [0; PARTS],
            places: [[0; 2]; PARTS],
            masks: [0; PARTS],
        };
        for (part, place, mask) in parts(region) {
            let n = found.count;
            (found.parts[n], found.places[n], found.masks[n]) = (part, place, mask);
            found.count += 1;
        }
        found
    }

    /// Whether they are the first parts of the tile, in order.
    pub(super) fn first_parts(&self) -> bool {
        let parts = &self.parts[..self.count];
        parts.iter().enumerate().all(|(n, part)| *part == n)
    }

    /// Fills a row of texels for each part and gives them: so many words of each texel, and nothing behind those.
    pub(super) fn fill<'a>(
        &self,
        rows: &'a mut [Vec<Lanes>; 4],
        used: usize,
        mut texels: impl FnMut(usize, &mut Words),
    ) -> [&'a [Lanes]; 4] {
        for row in rows.iter_mut().take(used) {
            row.resize(PARTS, [0; 64]);
        }
        let mut words = [[0; 64]; 4];
        for (n, part) in self.parts[..self.count].iter().enumerate() {
            texels(*part, &mut words);
            for (row, words) in rows.iter_mut().zip(&words).take(used) {
                row[n] = *words;
            }
        }
        let mut filled: [&[Lanes]; 4] = [&[]; 4];
        for (filled, row) in filled.iter_mut().zip(rows).take(used) {
            *filled = row;
        }
        filled
    }

    /// Writes one texel all over; false where that takes rows.
    pub(super) fn write_one(
        &self,
        plane: &Plane,
        memory: &Memory,
        sample: usize,
        texel: &[u32; 4],
    ) -> bool {
        let (places, masks) = (&self.places[..self.count], &self.masks[..self.count]);
        let whole = masks.iter().all(|mask| *mask == u64::MAX);
        whole && plane.fill_all(memory, (places, sample), texel)
    }

    /// How many texels they have.
    pub(super) fn texels(&self) -> u64 {
        let masks = self.masks[..self.count].iter();
        masks.map(|mask| u64::from(mask.count_ones())).sum()
    }

    /// Writes rows of texels, those of each part after the other: all at once where they lie in memory as rows do. Gives
    /// their number.
    pub(super) fn write(
        &self,
        plane: &Plane,
        (level, memory): (SimdLevel, &Memory),
        sample: usize,
        rows: &[&[Lanes]; 4],
    ) -> u64 {
        let (places, masks) = (&self.places[..self.count], &self.masks[..self.count]);
        let whole = masks.iter().all(|mask| *mask == u64::MAX);
        if !whole || !plane.write_all(level, memory, (places, sample), rows) {
            for (n, ([x, y], mask)) in places.iter().zip(masks).enumerate() {
                let texels = Texels {
                    place: LanePixels::Tile(*x, *y),
                    sample,
                    mask: *mask,
                };
                let words = rows.map(|row| row.get(n).copied().unwrap_or([0; 64]));
                plane.write(memory, &texels, false, &words);
            }
        }
        self.texels()
    }
}
