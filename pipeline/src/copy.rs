//! Copies of texels within video memory, bit for bit: from image to image, and between images and plain rows in a
//! buffer. Levels of one layout go over as one range; other boxes a few lines at a time, tile by tile. Places that
//! overlap are read as a whole before the first write.

use std::ops::Range;

use silicon::Addr;
use silicon::fragment::bins::Threads;
use silicon::fragment::transfer::TILE_LINES;

use crate::driver::Driver;
use crate::image::{self, Elements, Part, Rows};
use crate::targets::Chip;
use crate::upload::Result;

/// Bytes that a thread copies at a time, so that they stay in its cache.
const BAND_BYTES: usize = 1 << 17;

/// Bytes that are worth a second thread.
const SHARED_BYTES: u64 = 1 << 19;

/// Texels of a copy, in a box.
struct Size {
    /// Bytes of a line.
    row_bytes: u64,
    lines: usize,
    slices: usize,
}

impl Size {
    fn of(part: &Part<'_>) -> Size {
        let bytes = part.image.planes[part.region.plane].element_bytes;
        Size {
            row_bytes: part.region.x.len() as u64 * u64::from(bytes),
            lines: part.region.y.len(),
            slices: part.region.slices.len(),
        }
    }

    fn bytes(&self) -> u64 {
        self.row_bytes * self.lines as u64 * self.slices as u64
    }

    /// Slices and lines that are copied at a time, where boxes begin at some lines.
    fn bands(&self, starts: [u32; 2]) -> Vec<(usize, Range<usize>)> {
        let groups = line_groups(self.row_bytes as usize, self.lines, starts);
        let slices = 0..self.slices;
        slices
            .flat_map(|slice| groups.iter().map(move |lines| (slice, lines.clone())))
            .collect()
    }

    /// Calls `run` for each band with room for its bytes.
    fn each_band(
        &self,
        threads: &Threads,
        starts: [u32; 2],
        run: impl Fn(usize, Range<usize>, &mut [u8]) -> Result<()> + Sync,
    ) -> Result<()> {
        let mut bands = self.bands(starts);
        let mut rooms = match self.bytes() < SHARED_BYTES {
            true => vec![Vec::new()],
            false => threads.workers(Vec::new),
        };
        threads.chunks(&mut bands, &mut rooms, |_, (slice, lines), room| {
            let bytes = lines.len() * self.row_bytes as usize;
            if room.len() < bytes {
                room.resize(bytes, 0);
            }
            run(*slice, lines.clone(), &mut room[..bytes])
        })
    }
}

/// Lines of two boxes in groups that stay in a cache, where a line has `row_bytes` in both. Groups are cut between tiles;
/// boxes that begin at different lines of one are not cut.
pub(crate) fn line_groups(row_bytes: usize, lines: usize, [a, b]: [u32; 2]) -> Vec<Range<usize>> {
    let group = (BAND_BYTES / row_bytes.max(1)).max(1);
    let (group, skip) = (group.next_multiple_of(TILE_LINES), a as usize % TILE_LINES);
    let end = if skip == b as usize % TILE_LINES {
        lines
    } else {
        0
    };
    let cuts = (group - skip..end).step_by(group);
    let starts = std::iter::once(0).chain(cuts.clone());
    let ends = cuts.chain([lines]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// The bytes of an image.
fn bytes_of(part: &Part<'_>) -> Range<u64> {
    part.base.0..part.base.0 + part.image.bytes
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Copies the elements of a box to another, in all samples. They have as many elements, of as many bytes.
pub fn copy(driver: &Driver, [from, to]: [Part<'_>; 2]) -> Result<()> {
    let samples = 0..from.image.shape.samples;
    if overlap(&bytes_of(&from), &bytes_of(&to)) {
        let size = Size::of(&from);
        let rows = Rows::tight(size.row_bytes, size.lines as u64);
        let mut texels = vec![0; size.bytes() as usize];
        for sample in samples {
            image::read(driver, Part { sample, ..from }, rows, &mut texels)?;
            image::write(driver, Part { sample, ..to }, rows, &texels)?;
        }
        return Ok(());
    }
    if let Some([from, to]) = equal_ranges(driver.target.chip, [from, to]) {
        let bytes = from.end - from.start;
        let places = [Addr(from.start), Addr(to.start)];
        return driver.threads.copy(&driver.memory, places, bytes);
    }
    samples.into_iter().try_for_each(|sample| {
        copy_sample(driver, [Part { sample, ..from }, Part { sample, ..to }])
    })
}

/// Where the slices of two boxes lie, if each is all of a level and both have the same layout.
fn equal_ranges(chip: &dyn Chip, parts: [Part<'_>; 2]) -> Option<[Range<u64>; 2]> {
    let [from, to] = parts.map(|part| {
        let plane = &part.image.planes[part.region.plane];
        let level = &plane.levels[part.region.level as usize];
        let whole = part.region.x == (0..level.width) && part.region.y == (0..level.height);
        let together = plane.keeps_slices(level, part.image.shape.samples);
        (together && whole).then_some(level)
    });
    let (from, to) = (from?, to?);
    let [source, target] = &parts;
    let same = from.slice_bytes == to.slice_bytes
        && source.image.shape.samples == target.image.shape.samples
        && (0..source.image.shape.samples).all(|sample| {
            let [a, b] = parts.map(|part| Part { sample, ..part }.elements(chip));
            a.same_layout(&b)
        });
    let range = |part: &Part<'_>, level: &image::Level| {
        let bytes = level.bytes(part.region.slices.clone());
        part.base.0 + bytes.start..part.base.0 + bytes.end
    };
    same.then(|| [range(source, from), range(target, to)])
}

fn copy_sample(driver: &Driver, [from, to]: [Part<'_>; 2]) -> Result<()> {
    let chip = driver.target.chip;
    let [source, target]: [Elements; 2] = [from.elements(chip), to.elements(chip)];
    let size = Size::of(&from);
    let starts = [&from, &to].map(|part| part.region.y.start);
    let copy = |slice: usize, lines: Range<usize>, room: &mut [u8]| {
        let place = (slice, lines);
        source.read_lines(
            (&driver.memory, from.base),
            place.clone(),
            size.row_bytes,
            room,
        )?;
        target.write_lines((&driver.memory, to.base), place, size.row_bytes, room)
    };
    size.each_band(&driver.threads, starts, copy)
}

/// Copies elements to plain rows from an address on. Bytes between rows stay what they are.
pub fn download(driver: &Driver, from: Part<'_>, rows: Rows, to: Addr) -> Result<()> {
    let elements = from.elements(driver.target.chip);
    let size = Size::of(&from);
    let memory = &driver.memory;
    let starts = [from.region.y.start; 2];
    size.each_band(&driver.threads, starts, |slice, lines, room| {
        let place = (slice, lines.clone());
        elements.read_lines((memory, from.base), place, size.row_bytes, room)?;
        for (at, texels) in stretches(&size, rows, (slice, lines), room.len()) {
            memory.write(Addr(to.0 + at), &room[texels])?;
        }
        Ok(())
    })
}

/// Copies plain rows from an address on to elements.
pub fn upload(driver: &Driver, from: Addr, rows: Rows, to: Part<'_>) -> Result<()> {
    let elements = to.elements(driver.target.chip);
    let size = Size::of(&to);
    let memory = &driver.memory;
    let starts = [to.region.y.start; 2];
    size.each_band(&driver.threads, starts, |slice, lines, room| {
        for (at, texels) in stretches(&size, rows, (slice, lines.clone()), room.len()) {
            memory.read(Addr(from.0 + at), &mut room[texels])?;
        }
        let place = (slice, lines);
        elements.write_lines((memory, to.base), place, size.row_bytes, room)
    })
}

/// Bytes of lines that follow each other in plain rows: where they begin there, and which of the lines' bytes they are.
fn stretches(
    size: &Size,
    rows: Rows,
    (slice, lines): (usize, Range<usize>),
    bytes: usize,
) -> impl Iterator<Item = (u64, Range<usize>)> {
    let tight = rows.row_bytes == size.row_bytes;
    let row_bytes = size.row_bytes as usize;
    let step = if tight { bytes } else { row_bytes };
    let first = lines.start as u64;
    (0..bytes).step_by(step.max(1)).map(move |start| {
        let line = first + (start / row_bytes.max(1)) as u64;
        let at = slice as u64 * rows.slice_bytes + line * rows.row_bytes;
        (at, start..start + step)
    })
}
