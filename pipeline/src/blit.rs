//! Scaled copies between images, with filter and conversion of formats. The driver does them itself, 64 texels of a row
//! at a time.

mod scale;

pub use scale::{Axis, converts};

use std::ops::Range;

use scale::Taps;
use silicon::fragment::transfer::{from_lanes, pick_lanes, to_lanes};
use silicon::texture::block;
use silicon::texture::format::{Kind, Layout};
use silicon::texture::mean::{Doubles, weighted_mean};
use silicon::texture::sample::{Filter, Lanes};
use silicon::texture::texel::{pack_row, unpack_row};
use silicon::{Addr, Format, SimdLevel};

use crate::driver::Driver;
use crate::image::{Elements, ImageMemory, Part, Region, bands};
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
    let mut bands = bands(&axes[1].target(), &driver.threads);
    let mut workers = driver.threads.workers(|| ());
    driver
        .threads
        .chunks(&mut bands, &mut workers, |_, lines, ()| {
            blit_band(driver, [from, to], axes, (how, lines.clone()))
        })
}

/// Copies to some lines of the target.
fn blit_band(
    driver: &Driver,
    [from, to]: [Side<'_>; 2],
    axes: [Axis; 3],
    (how, lines): (Filter, Range<u32>),
) -> Result<()> {
    let [x, y, z] = axes;
    let level = SimdLevel::current();
    let bytes = to.format.size_bytes() as usize;
    let (width, height) = (x.target().len(), lines.len());
    let elements = to.elements(driver, [x.target(), lines.clone(), z.target()]);
    let as_is = how == Filter::Nearest && from.format == to.format && keeps_bits(to.format);
    let mut source = Source::new(driver, from, axes, &lines, (how, as_is));
    let row_bytes = width * bytes;
    let mut plain = vec![0; row_bytes * height];
    let mut words = [[0; 64]; 4];
    for (n, slice) in z.target().enumerate() {
        let deep = z.taps(how, slice);
        for (line, row) in lines.clone().zip(plain.chunks_mut(row_bytes)) {
            let down = y.taps(how, line);
            source.load(down.at, deep.at)?;
            for (chunk, texels) in row.chunks_mut(64 * bytes).enumerate() {
                if as_is {
                    from_lanes(&source.row(down.at[0], deep.at[0])[chunk][0], bytes, texels);
                    continue;
                }
                let mut values = [[0; 64]; 4];
                let values = source.values(level, chunk, [down, deep], &mut values);
                pack_row(level, to.format, values, &mut words);
                from_lanes(&words, bytes, texels);
            }
        }
        let place = (n, 0..height);
        elements.write_lines((&driver.memory, to.base), place, row_bytes as u64, &plain)?;
    }
    Ok(())
}

/// Whether a texel that is read and written again is the same bits, whichever they are: channels of whole numbers that
/// fill it, each with one value for each code.
fn keeps_bits(format: Format) -> bool {
    let channels = format.channels();
    let bits: u32 = channels.iter().map(|channel| u32::from(channel.bits)).sum();
    let kept = channels.iter().all(|channel| match channel.kind {
        Kind::Unorm => channel.bits <= 16,
        Kind::Uint | Kind::Sint => true,
        _ => false,
    });
    let bytes = format.size_bytes();
    kept && !channels.is_empty() && bits == 8 * bytes && (bytes.is_power_of_two() || bytes == 12)
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
    /// Rows that are used again.
    spare: Vec<Row>,
    how: Filter,
    /// Rows hold texels and not their values.
    as_is: bool,
}

/// Taps of 64 columns of the target. Beyond the last column they repeat the first texel.
struct ColumnTaps {
    at: [Lanes; 2],
    weights: [Doubles; 2],
}

impl<'a> Source<'a> {
    fn new(
        driver: &'a Driver,
        side: Side<'a>,
        axes: [Axis; 3],
        lines: &Range<u32>,
        (how, as_is): (Filter, bool),
    ) -> Source<'a> {
        let mut texels = axes.map(|axis| {
            let [a, b] = axis.from;
            // A filter reaches one texel over the edges.
            a.min(b).saturating_sub(1)..(a.max(b) + 1).min(axis.size)
        });
        // Taps go up, or down, with the lines.
        let ends = [lines.start, lines.end - 1].map(|line| axes[1].taps(how, line).at);
        let at = ends.as_flattened().iter().copied();
        texels[1] = at.clone().min().unwrap_or(0)..at.max().unwrap_or(0) + 1;
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
            spare: Vec::new(),
            how,
            as_is,
        }
    }

    /// Makes the rows of two lines and two slices ready.
    fn load(&mut self, [a, b]: [u32; 2], [front, back]: [u32; 2]) -> Result<()> {
        let wanted = [[a, front], [b, front], [a, back], [b, back]];
        self.slices
            .retain(|(slice, _)| [front, back].contains(slice));
        let spare = &mut self.spare;
        let rows = self.rows.extract_if(.., |(at, _)| !wanted.contains(at));
        spare.extend(rows.map(|(_, row)| row));
        for at in wanted {
            if found(&self.rows, at).is_none() {
                let mut row = self.spare.pop().unwrap_or_default();
                row.resize(self.taps.len(), [[[0; 64]; 4]; 2]);
                self.read(at, &mut row)?;
                self.rows.push((at, row));
            }
        }
        Ok(())
    }

    fn row(&self, line: u32, slice: u32) -> &Row {
        let row = found(&self.rows, [line, slice]);
        row.expect("the rows of a texel are loaded before it is made")
    }

    /// Values of 64 texels of the target; `room` takes those that are made.
    fn values<'v>(
        &'v self,
        level: SimdLevel,
        chunk: usize,
        [y, z]: [Taps; 2],
        room: &'v mut Values,
    ) -> &'v Values {
        if self.how == Filter::Nearest {
            return &self.row(y.at[0], z.at[0])[chunk][0];
        }
        let mut weights: [Doubles; 8] = [[0.0; 64]; 8];
        let mut corners = [&[[0; 64]; 4]; 8];
        let mut count = 0;
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
            let across = &self.taps[chunk].weights[column];
            for (weight, across) in weights[count].iter_mut().zip(across) {
                *weight = across * down * deep;
            }
            corners[count] = &self.row(y.at[line], z.at[slice])[chunk][column];
            count += 1;
        }
        weighted_mean(level, &weights[..count], &corners[..count], room);
        room
    }

    /// Reads a row, and takes from it what the target needs.
    fn read(&mut self, [line, slice]: [u32; 2], row: &mut Row) -> Result<()> {
        let format = self.side.format;
        let (width, height) = format.block_size();
        let [columns, lines, slices] = &self.texels;
        let bytes = format.size_bytes() as usize;
        let across = columns.end.div_ceil(width) - columns.start / width;
        let row_bytes = across as usize * bytes;
        if found(&self.slices, slice).is_none() {
            let down = (lines.end.div_ceil(height) - lines.start / height) as usize;
            let mut plain = vec![0; row_bytes * down];
            let memory = (&self.driver.memory, self.side.base);
            let place = ((slice - slices.start) as usize, 0..down);
            self.elements
                .read_lines(memory, place, row_bytes as u64, &mut plain)?;
            self.slices.push((slice, plain));
        }
        let plain = found(&self.slices, slice).expect("the slice was put there");
        let first = (line / height - lines.start / height) as usize * row_bytes;
        let elements = &plain[first..first + row_bytes];
        let is_block = matches!(format.row().layout, Layout::Block { .. });
        let decoded = is_block.then(|| decode(format, elements, columns.start, line));
        let level = SimdLevel::current();
        let kept = match self.how {
            Filter::Nearest => 1,
            Filter::Linear => 2,
        };
        let mut words = [[0; 64]; 4];
        for (taps, row) in self.taps.iter().zip(row) {
            for (values, at) in row.iter_mut().zip(&taps.at).take(kept) {
                if let Some(decoded) = &decoded {
                    for (values, texels) in values.iter_mut().zip(decoded) {
                        for (value, at) in values.iter_mut().zip(at) {
                            *value = texels[*at as usize];
                        }
                    }
                } else if self.as_is {
                    pick_lanes(elements, bytes, at, values);
                } else {
                    pick_lanes(elements, bytes, at, &mut words);
                    unpack_row(level, format, &words, values);
                }
            }
        }
        Ok(())
    }
}

/// Values of a line of texels of compressed blocks, from column `first` on.
fn decode(format: Format, elements: &[u8], first: u32, line: u32) -> [Vec<u32>; 4] {
    let (width, height) = format.block_size();
    let bytes = format.size_bytes() as usize;
    let mut texels: [Vec<u32>; 4] = Default::default();
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
        texels.drain(..(first % width) as usize);
    }
    texels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texels of such formats are the same bits after a way through their values, and there are some.
    #[test]
    fn kept_bits_are_kept() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let kept = Format::ALL.iter().filter(|format| keeps_bits(**format));
        assert!(kept.clone().count() > 20);
        for &format in kept {
            let bytes = format.size_bytes() as usize;
            for _ in 0..16 {
                let texels: Vec<u8> = (0..64 * bytes).map(|_| random() as u8).collect();
                let (mut words, mut values) = ([[0; 64]; 4], [[0; 64]; 4]);
                to_lanes(&texels, bytes, &mut words);
                let level = SimdLevel::current();
                unpack_row(level, format, &words, &mut values);
                pack_row(level, format, &values, &mut words);
                let mut after = vec![0; texels.len()];
                from_lanes(&words, bytes, &mut after);
                assert_eq!(texels, after, "{format:?}");
            }
        }
    }
}
