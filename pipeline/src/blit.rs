//! Scaled copies between images, with filter and conversion of formats. The driver does them itself, row by row.

mod scale;

pub use scale::{Axis, converts};

use scale::filter;
use silicon::texture::block;
use silicon::texture::format::Layout;
use silicon::texture::sample::Filter;
use silicon::{Addr, Format};

use crate::driver::Driver;
use crate::image::{self, ImageMemory, Part, Region, Rows};
use crate::upload::Result;

/// One side of a scaled copy: a level of an image.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Where the image starts.
    pub base: Addr,
    /// How it lies in memory.
    pub image: &'a ImageMemory,
    /// Index into [`ImageMemory::planes`].
    pub plane: usize,
    /// Level.
    pub level: u32,
    /// Format of the texels of the plane.
    pub format: Format,
}

impl<'a> Side<'a> {
    fn part(&self, region: &'a Region) -> Part<'a> {
        Part {
            base: self.base,
            image: self.image,
            region,
            sample: 0,
        }
    }
}

/// Copies texels of one level to another, scaled along each axis; the third is depth or layers. The target is not
/// compressed, a filter has no integers, and the formats convert ([`converts`]).
pub fn blit(
    driver: &Driver,
    [from, to]: [Side<'_>; 2],
    axes: [Axis; 3],
    how: Filter,
) -> Result<()> {
    let [x, y, z] = axes;
    let columns: Vec<_> = x.target().map(|i| x.taps(how, i)).collect();
    let mut source = Source::new(driver, from, x);
    let bytes = to.format.size_bytes() as usize;
    let mut row = vec![0; columns.len() * bytes];
    for slice in z.target() {
        let slice_taps = z.taps(how, slice);
        for line in y.target() {
            let line_taps = y.taps(how, line);
            source.load(line_taps.at, slice_taps.at)?;
            for (taps, texel) in columns.iter().zip(row.chunks_exact_mut(bytes)) {
                let value = match how {
                    Filter::Nearest => {
                        source.texel([taps.at[0], line_taps.at[0], slice_taps.at[0]])
                    }
                    Filter::Linear => filter([*taps, line_taps, slice_taps], |at| source.texel(at)),
                };
                to.format.pack(value, texel);
            }
            let region = Region {
                plane: to.plane,
                level: to.level,
                x: x.target(),
                y: line..line + 1,
                slices: slice..slice + 1,
            };
            let rows = Rows::tight(row.len() as u64, 1);
            image::write(driver, to.part(&region), rows, &row)?;
        }
    }
    Ok(())
}

/// The rows of the source that were used last, as values.
struct Source<'a> {
    driver: &'a Driver,
    side: Side<'a>,
    /// Columns that are read at all.
    columns: std::ops::Range<u32>,
    /// By line and slice.
    rows: Vec<([u32; 2], Vec<[u32; 4]>)>,
    /// The row that is replaced next.
    oldest: usize,
}

/// Rows that a texel can be made of: two lines of two slices.
const KEPT: usize = 4;

impl<'a> Source<'a> {
    fn new(driver: &'a Driver, side: Side<'a>, x: Axis) -> Source<'a> {
        let [a, b] = x.from;
        // A filter reaches one texel over the edges.
        let columns = a.min(b).saturating_sub(1)..(a.max(b) + 1).min(x.size);
        Source {
            driver,
            side,
            columns,
            rows: Vec::with_capacity(KEPT),
            oldest: 0,
        }
    }

    /// Makes the rows of two lines and two slices ready.
    fn load(&mut self, lines: [u32; 2], slices: [u32; 2]) -> Result<()> {
        let wanted = [
            [lines[0], slices[0]],
            [lines[1], slices[0]],
            [lines[0], slices[1]],
            [lines[1], slices[1]],
        ];
        for at in wanted {
            if self.rows.iter().any(|(place, _)| *place == at) {
                continue;
            }
            let row = self.read(at)?;
            if self.rows.len() < KEPT {
                self.rows.push((at, row));
                continue;
            }
            while wanted.contains(&self.rows[self.oldest].0) {
                self.oldest = (self.oldest + 1) % KEPT;
            }
            self.rows[self.oldest] = (at, row);
        }
        Ok(())
    }

    /// A texel of a row that is ready.
    fn texel(&self, [x, y, z]: [u32; 3]) -> [u32; 4] {
        let row = self.rows.iter().find(|(place, _)| *place == [y, z]);
        let row = row.expect("the rows of a texel are loaded before it is read");
        row.1[(x - self.columns.start) as usize]
    }

    fn read(&self, [line, slice]: [u32; 2]) -> Result<Vec<[u32; 4]>> {
        let Side {
            plane,
            level,
            format,
            ..
        } = self.side;
        let (width, height) = format.block_size();
        let region = Region {
            plane,
            level,
            x: self.columns.start / width..self.columns.end.div_ceil(width),
            y: line / height..line / height + 1,
            slices: slice..slice + 1,
        };
        let bytes = format.size_bytes() as usize;
        let mut elements = vec![0; region.x.len() * bytes];
        let rows = Rows::tight(elements.len() as u64, 1);
        image::read(self.driver, self.side.part(&region), rows, &mut elements)?;
        let compressed = matches!(format.row().layout, Layout::Block { .. });
        let texel = |x: u32| {
            let at = (x / width - region.x.start) as usize * bytes;
            let element = &elements[at..at + bytes];
            if !compressed {
                return format.unpack(element);
            }
            let mut words = [0; 4];
            for (i, byte) in element.iter().enumerate() {
                words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
            }
            block::value(format, words, x % width, line % height)
        };
        Ok(self.columns.clone().map(texel).collect())
    }
}
