//! Scaled copies between images, with filter and conversion of formats. The driver does them itself, 64 texels of a row
//! at a time.

mod scale;

pub use scale::{Axis, converts};

use std::ops::Range;

use scale::Taps;
use silicon::fragment::transfer::{from_lanes, to_lanes};
use silicon::texture::block;
use silicon::texture::format::Layout;
use silicon::texture::mean::{add_weighted, round};
use silicon::texture::sample::{Filter, Lanes};
use silicon::texture::texel::{pack_row, unpack_row};
use silicon::{Addr, Format, SimdLevel};

use crate::driver::Driver;
use crate::image::{Elements, ImageMemory, Part, Region};
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

/// Values of 64 texels: one row a component.
type Values = [Lanes; 4];

impl Side<'_> {
    /// The elements that texels lie in.
    fn elements(&self, driver: &Driver, [x, y, z]: [Range<u32>; 3]) -> Elements {
        let (width, height) = self.format.block_size();
        let region = Region {
            plane: self.plane,
            level: self.level,
            x: x.start / width..x.end.div_ceil(width),
            y: y.start / height..y.end.div_ceil(height),
            slices: z,
        };
        let part = Part {
            base: self.base,
            image: self.image,
            region: &region,
            sample: 0,
        };
        part.elements(driver.target.chip)
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
    let [_, y, z] = axes;
    let level = SimdLevel::current();
    let bytes = to.format.size_bytes() as usize;
    let targets = axes.map(|axis| axis.target());
    let [width, height] = [&targets[0], &targets[1]].map(|axis| axis.len());
    let elements = to.elements(driver, targets.clone());
    let mut source = Source::new(driver, from, axes, how);
    let row_bytes = width * bytes;
    let mut plain = vec![0; row_bytes * height];
    let mut words = [[0; 64]; 4];
    for (n, slice) in targets[2].clone().enumerate() {
        let deep = z.taps(how, slice);
        for (line, row) in y.target().zip(plain.chunks_mut(row_bytes)) {
            let down = y.taps(how, line);
            source.load(down.at, deep.at)?;
            for (chunk, texels) in row.chunks_mut(64 * bytes).enumerate() {
                let values = source.values(level, chunk, [down, deep]);
                pack_row(level, to.format, &values, &mut words);
                from_lanes(&words, bytes, texels);
            }
        }
        elements.write_slice(&driver.memory, to.base, n, row_bytes as u64, &plain)?;
    }
    Ok(())
}

/// What the target takes of a row of the source: the first and the second tap of each column, 64 columns at a time.
type Row = Vec<[Values; 2]>;

fn found<K: PartialEq, T>(kept: &[(K, T)], key: K) -> Option<&T> {
    let place = kept.iter().find(|(at, _)| *at == key);
    place.map(|(_, thing)| thing)
}

/// The source, read a slice at a time.
struct Source<'a> {
    driver: &'a Driver,
    side: Side<'a>,
    /// Taps of 64 columns of the target at a time, from the first column that is read.
    taps: Vec<ColumnTaps>,
    /// Texels that are read at all.
    texels: [Range<u32>; 3],
    elements: Elements,
    /// Plain elements of the slices that are in use.
    slices: Vec<(u32, Vec<u8>)>,
    /// What the target takes of the rows that are in use, by line and slice.
    rows: Vec<([u32; 2], Row)>,
    how: Filter,
}

/// Taps of 64 columns of the target. Beyond the last column they repeat the first texel.
struct ColumnTaps {
    at: [[u32; 64]; 2],
    weights: [[f64; 64]; 2],
}

impl<'a> Source<'a> {
    fn new(driver: &'a Driver, side: Side<'a>, axes: [Axis; 3], how: Filter) -> Source<'a> {
        let texels = axes.map(|axis| {
            let [a, b] = axis.from;
            // A filter reaches one texel over the edges.
            a.min(b).saturating_sub(1)..(a.max(b) + 1).min(axis.size)
        });
        let columns: Vec<Taps> = axes[0].target().map(|i| axes[0].taps(how, i)).collect();
        let taps = columns.chunks(64).map(|columns| {
            let column = |lane: usize| columns.get(lane).unwrap_or(&columns[0]);
            let at =
                |tap: usize| std::array::from_fn(|lane| column(lane).at[tap] - texels[0].start);
            ColumnTaps {
                at: [at(0), at(1)],
                weights: [
                    std::array::from_fn(|lane| 1.0 - column(lane).weight),
                    std::array::from_fn(|lane| column(lane).weight),
                ],
            }
        });
        Source {
            taps: taps.collect(),
            elements: side.elements(driver, texels.clone()),
            driver,
            side,
            texels,
            slices: Vec::new(),
            rows: Vec::new(),
            how,
        }
    }

    /// Makes the rows of two lines and two slices ready.
    fn load(&mut self, [a, b]: [u32; 2], [front, back]: [u32; 2]) -> Result<()> {
        let wanted = [[a, front], [b, front], [a, back], [b, back]];
        self.slices
            .retain(|(slice, _)| [front, back].contains(slice));
        self.rows.retain(|(at, _)| wanted.contains(at));
        for at in wanted {
            if found(&self.rows, at).is_none() {
                let row = self.read(at)?;
                self.rows.push((at, row));
            }
        }
        Ok(())
    }

    /// Values of 64 texels of the target.
    fn values(&self, level: SimdLevel, chunk: usize, [y, z]: [Taps; 2]) -> Values {
        let row = |line: usize, slice: usize| {
            let row = found(&self.rows, [y.at[line], z.at[slice]]);
            &row.expect("the rows of a texel are loaded before it is made")[chunk]
        };
        if self.how == Filter::Nearest {
            return row(0, 0)[0];
        }
        let mut sums = [[0.0; 64]; 4];
        for corner in 0..8usize {
            let [column, line, slice] = [0, 1, 2].map(|axis| corner >> axis & 1);
            let weight = |taps: Taps, second: usize| match second {
                0 => 1.0 - taps.weight,
                _ => taps.weight,
            };
            let (down, deep) = (weight(y, line), weight(z, slice));
            if down == 0.0 || deep == 0.0 {
                continue;
            }
            let weights = self.taps[chunk].weights[column].map(|across| across * down * deep);
            for (values, sums) in row(line, slice)[column].iter().zip(&mut sums) {
                add_weighted(level, &weights, values, sums);
            }
        }
        let mut values = [[0; 64]; 4];
        for (sums, values) in sums.iter().zip(&mut values) {
            round(level, sums, values);
        }
        values
    }

    /// Reads a row, and takes from it what the target needs.
    fn read(&mut self, [line, slice]: [u32; 2]) -> Result<Row> {
        let format = self.side.format;
        let (width, height) = format.block_size();
        let [columns, lines, slices] = &self.texels;
        let bytes = format.size_bytes() as usize;
        let across = columns.end.div_ceil(width) - columns.start / width;
        let row_bytes = across as usize * bytes;
        if found(&self.slices, slice).is_none() {
            let down = lines.end.div_ceil(height) - lines.start / height;
            let mut plain = vec![0; row_bytes * down as usize];
            let (memory, base) = (&self.driver.memory, self.side.base);
            let n = (slice - slices.start) as usize;
            self.elements
                .read_slice(memory, base, n, row_bytes as u64, &mut plain)?;
            self.slices.push((slice, plain));
        }
        let plain = found(&self.slices, slice).expect("the slice was put there");
        let first = (line / height - lines.start / height) as usize * row_bytes;
        let elements = &plain[first..first + row_bytes];

        let level = SimdLevel::current();
        let mut texels: [Vec<u32>; 4] = Default::default();
        if matches!(format.row().layout, Layout::Block { .. }) {
            let skip = columns.start % width;
            for element in elements.chunks_exact(bytes) {
                let mut words = [[0; 64]; 4];
                to_lanes(element, bytes, &mut words);
                let words = words.map(|row| row[0]);
                for x in 0..width {
                    let value = block::value(format, words, x, line % height);
                    for (texels, value) in texels.iter_mut().zip(value) {
                        texels.push(value);
                    }
                }
            }
            for texels in &mut texels {
                texels.drain(..skip as usize);
            }
        } else {
            let (mut words, mut values) = ([[0; 64]; 4], [[0; 64]; 4]);
            for elements in elements.chunks(64 * bytes) {
                to_lanes(elements, bytes, &mut words);
                unpack_row(level, format, &words, &mut values);
                for (texels, values) in texels.iter_mut().zip(&values) {
                    texels.extend_from_slice(values);
                }
            }
        }
        let kept = match self.how {
            Filter::Nearest => 1,
            Filter::Linear => 2,
        };
        let take = |taps: &ColumnTaps| {
            let mut row = [[[0; 64]; 4]; 2];
            for (values, at) in row.iter_mut().zip(&taps.at).take(kept) {
                for (values, texels) in values.iter_mut().zip(&texels) {
                    for (value, at) in values.iter_mut().zip(at) {
                        *value = texels[*at as usize];
                    }
                }
            }
            row
        };
        Ok(self.taps.iter().map(take).collect())
    }
}
