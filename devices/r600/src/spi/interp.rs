//! Interpolation of the attributes of a wave's primitives into registers.

use std::ops::Range;

use lanes::{LANES, Row, Wave};
use silicon::fragment::interpolate::{self, CENTRES, Coefficients, SamplePositions};
use silicon::fragment::quads::{CHUNK, QUADS, QuadTable, VECTOR, first_words};
use silicon::fragment::scan::{FullTiles, MAX_BATCH, PixelWave};
use silicon::geometry::attributes::ATTRIBUTE_WORDS;
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::float::canonical;
use silicon::texture::sample::Lanes;

use super::{At, InterpolationMode};

/// Where lanes are evaluated.
pub(super) fn sample_positions<'a, P>(at: At, pixel: &PixelWave<'a, P>) -> &'a SamplePositions {
    at.of([pixel.centres, pixel.centroids, pixel.samples])
}

/// The same in fully covered tiles.
pub(super) fn tile_places<'a>(at: At, tiles: &FullTiles<'a>) -> &'a SamplePositions {
    at.of([&CENTRES, tiles.samples, tiles.samples])
}

/// Weights i and j of a place.
#[repr(C, align(64))]
struct Weights {
    i: Lanes,
    j: Lanes,
}

impl Weights {
    const ZERO: Weights = Weights {
        i: [0; LANES],
        j: [0; LANES],
    };

    /// Whether no product with a number below [`FAR`] is too large.
    #[inline(always)]
    fn are_tame(&self) -> bool {
        let mut far = false;
        // A loop: chains are not made into vectors.
        for lane in 0..LANES {
            far |= self.i[lane] << 1 >= FAR.to_bits() << 1;
            far |= self.j[lane] << 1 >= FAR.to_bits() << 1;
        }
        !far
    }

    fn fill<P: Coefficients>(
        &mut self,
        level: SimdLevel,
        place: InterpolationMode,
        pixel: &PixelWave<P>,
    ) {
        let (planes, sample_positions) = (&pixel.planes, sample_positions(place.at, pixel));
        let Weights { i, j } = self;
        if place.linear {
            interpolate::bits(level, planes.i, sample_positions, i);
            interpolate::bits(level, planes.j, sample_positions, j);
        } else {
            let from = [planes.i_w, planes.j_w, planes.inv_w];
            interpolate::perspective(level, from, sample_positions, i, j);
        }
    }
}

/// Weights of the waves of a batch, kept by a thread.
#[derive(Default)]
pub(crate) struct BatchWeights(Vec<Weights>);

/// Fills register n with attribute n.
pub(super) fn fill<P: Coefficients>(
    level: SimdLevel,
    places: &[InterpolationMode],
    pixel: &PixelWave<P>,
    unread: &[bool],
    (rows, table): (&mut [Row], &mut QuadTable),
) {
    let mut weights = Weights::ZERO;
    let mut attribute = 0;
    let mut rows = registers(rows, unread);
    // Neighbours mostly have the same place.
    let quads = (pixel.starts != 0).then(|| first_words(pixel.primitives, pixel.starts.into()));
    for same in places.chunk_by(PartialEq::eq) {
        weights.fill(level, same[0], pixel);
        let attributes = attribute..attribute + same.len();
        let rows = rows.by_ref().take(same.len());
        let Weights { i, j } = &weights;
        match &quads {
            None => {
                let start = pixel.primitives.first().map_or(0, |at| *at as usize);
                let words =
                    start + attribute * ATTRIBUTE_WORDS..start + attributes.end * ATTRIBUTE_WORDS;
                let block = pixel.blocks.get(words).unwrap_or_default();
                level.run(One { block, i, j, rows });
            }
            Some(first) => level.run(Many {
                blocks: pixel.blocks,
                first,
                attributes,
                table,
                i,
                j,
                rows,
            }),
        }
        attribute += same.len();
    }
}

/// The same in waves of fully covered tiles.
pub(super) fn fill_tiles(
    level: SimdLevel,
    places: &[InterpolationMode],
    (tiles, blocks): (&FullTiles, &[u32]),
    unread: &[bool],
    (waves, weights): (&mut [Wave], &mut BatchWeights),
) {
    let weights = &mut weights.0;
    if weights.len() < MAX_BATCH {
        weights.resize_with(MAX_BATCH, || Weights::ZERO);
    }
    let place = |mode: &InterpolationMode| tile_places(mode.at, tiles);
    let shares = |a: &InterpolationMode, b: &InterpolationMode| {
        a.linear == b.linear && std::ptr::eq(place(a), place(b))
    };
    let mut first = 0;
    for same in places.chunk_by(shares) {
        let elements = 4 * first..4 * (first + same.len());
        let elements = elements.start..elements.end.min(unread.len());
        if unread[elements].iter().all(|unread| *unread) {
            first += same.len();
            continue;
        }
        let kind = match same[0].linear {
            true => interpolate::Weights::Linear,
            false => interpolate::Weights::Perspective,
        };
        let mut rows = [const { None }; MAX_BATCH];
        for (rows, w) in rows.iter_mut().zip(&mut *weights).take(waves.len()) {
            *rows = Some([&mut w.i, &mut w.j]);
        }
        let at = (tiles.at, place(&same[0]));
        interpolate::tile_weights(level, kind, tiles.planes, at, &mut rows);
        let start = tiles.block as usize + ATTRIBUTE_WORDS * first;
        let words = start..start + ATTRIBUTE_WORDS * same.len();
        let block = blocks.get(words).unwrap_or_default();
        level.run(All {
            block,
            first,
            unread,
            weights,
            waves: &mut *waves,
        });
        first += same.len();
    }
}

/// The elements of a register, and which of them nothing reads.
type Register<'a> = (&'a mut [Row], &'a [bool]);

/// The registers of some rows.
fn registers<'a>(rows: &'a mut [Row], unread: &'a [bool]) -> impl Iterator<Item = Register<'a>> {
    rows.chunks_exact_mut(4).zip(unread.chunks_exact(4))
}

/// The elements of a register that something reads, and their numbers.
#[inline(always)]
fn read<'a>((rows, unread): Register<'a>) -> impl Iterator<Item = (usize, &'a mut Row)> {
    let elements = rows.iter_mut().zip(unread).enumerate();
    elements.filter_map(|(n, (row, unread))| (!unread).then_some((n, row)))
}

#[inline(always)]
fn value(numbers: [f32; 3], i: u32, j: u32) -> u32 {
    // No register holds the first sum, so that its NaN need not be the one.
    canonical(sum(numbers, i, j))
}

#[inline(always)]
fn sum([p0, p10, p20]: [f32; 3], i: u32, j: u32) -> f32 {
    p20 * f32::from_bits(j) + (p10 * f32::from_bits(i) + p0)
}

/// Attributes of one primitive: the same numbers in all lanes.
struct One<'a, R> {
    block: &'a [u32],
    i: &'a Lanes,
    j: &'a Lanes,
    rows: R,
}

impl<'a, T: Iterator<Item = Register<'a>>> Kernel for One<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (attribute, rows) in self.block.chunks_exact(ATTRIBUTE_WORDS).zip(self.rows) {
            for (component, row) in read(rows) {
                let numbers = [
                    f32::from_bits(attribute[component]),
                    f32::from_bits(attribute[component + 4]),
                    f32::from_bits(attribute[component + 8]),
                ];
                if numbers[1] == 0.0 && numbers[2] == 0.0 {
                    // Also flat integers, whose bits are no numbers.
                    row.0 = [attribute[component]; LANES];
                    continue;
                }
                for first in (0..LANES).step_by(CHUNK) {
                    let mut chunk = [0; CHUNK];
                    for (n, chunk) in chunk.iter_mut().enumerate() {
                        *chunk = value(numbers, self.i[first + n], self.j[first + n]);
                    }
                    row.0[first..first + CHUNK].copy_from_slice(&chunk);
                }
            }
        }
    }
}

/// Attributes of the only primitive of several waves.
struct All<'a> {
    block: &'a [u32],
    /// The first of them.
    first: usize,
    /// Elements of all registers that nothing reads.
    unread: &'a [bool],
    /// Of each wave.
    weights: &'a [Weights],
    waves: &'a mut [Wave],
}

impl Kernel for All<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let All {
            block,
            first,
            unread,
            weights,
            waves,
        } = self;
        let wanted = unread.get(4 * first..).unwrap_or_default();
        let wanted = wanted.iter().filter(|unread| !**unread).count();
        let tame = wanted >= MANY && weights[..waves.len()].iter().all(Weights::are_tame);
        let registers = unread.chunks_exact(4).skip(first);
        let attributes = block.chunks_exact(ATTRIBUTE_WORDS).zip(registers);
        for (n, (attribute, unread)) in attributes.enumerate() {
            let register = 4 * (first + n);
            let (mut elements, mut count) = ([(0, [0.0; 3]); 4], 0);
            for (element, _) in unread.iter().enumerate().filter(|(_, unread)| !**unread) {
                let numbers = [
                    f32::from_bits(attribute[element]),
                    f32::from_bits(attribute[element + 4]),
                    f32::from_bits(attribute[element + 8]),
                ];
                if numbers[1] == 0.0 && numbers[2] == 0.0 {
                    // Also flat integers, whose bits are no numbers.
                    for wave in &mut *waves {
                        wave.rows[register + element].0 = [attribute[element]; LANES];
                    }
                    continue;
                }
                elements[count] = (register + element, numbers);
                count += 1;
            }
            let near =
                |(_, numbers): &(usize, [f32; 3])| numbers.iter().all(|number| number.abs() < FAR);
            match tame && elements[..count].iter().all(near) {
                true => count_of::<true>(count, &elements, weights, waves),
                false => count_of::<false>(count, &elements, weights, waves),
            }
        }
    }
}

/// Elements from which on it pays to look for NaN before them.
const MANY: usize = 6;
/// Products of smaller magnitudes are finite, as are their sums.
const FAR: f32 = 1e18;

#[inline(always)]
fn count_of<const TAME: bool>(
    count: usize,
    elements: &[(usize, [f32; 3]); 4],
    weights: &[Weights],
    waves: &mut [Wave],
) {
    match count {
        0 => {}
        1 => elements_of::<1, TAME>(elements, weights, waves),
        2 => elements_of::<2, TAME>(elements, weights, waves),
        3 => elements_of::<3, TAME>(elements, weights, waves),
        _ => elements_of::<4, TAME>(elements, weights, waves),
    }
}

/// The first elements of an attribute of several waves: their rows and numbers. `TAME` says that none is NaN.
#[inline(always)]
fn elements_of<const COUNT: usize, const TAME: bool>(
    elements: &[(usize, [f32; 3]); 4],
    weights: &[Weights],
    waves: &mut [Wave],
) {
    for (Weights { i, j }, wave) in weights.iter().zip(waves) {
        let rows = &mut wave.rows[..];
        for first in (0..LANES).step_by(CHUNK) {
            for (row, numbers) in &elements[..COUNT] {
                let mut chunk = [0; CHUNK];
                for (n, chunk) in chunk.iter_mut().enumerate() {
                    let (i, j) = (i[first + n], j[first + n]);
                    *chunk = match TAME {
                        true => sum(*numbers, i, j).to_bits(),
                        false => value(*numbers, i, j),
                    };
                }
                rows[*row].0[first..first + CHUNK].copy_from_slice(&chunk);
            }
        }
    }
}

/// Attributes of several primitives: the same numbers in the lanes of a quad.
struct Many<'a, R> {
    blocks: &'a [u32],
    /// First words of the blocks of each quad.
    first: &'a [u32; QUADS],
    /// Attributes of the rows.
    attributes: Range<usize>,
    table: &'a mut QuadTable,
    i: &'a Lanes,
    j: &'a Lanes,
    rows: R,
}

impl<'a, T: Iterator<Item = Register<'a>>> Kernel for Many<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Range { start, end } = self.attributes;
        let vectors = [start, end].map(|n| n * ATTRIBUTE_WORDS / VECTOR);
        let filled = self.table.fill(vectors, self.blocks, self.first);
        for (n, rows) in self.rows.enumerate() {
            for (component, row) in read(rows) {
                let word = (start + n) * ATTRIBUTE_WORDS + component % VECTOR;
                let numbers = [
                    filled.word(word),
                    filled.word(word + VECTOR),
                    filled.word(word + 2 * VECTOR),
                ];
                for chunk in 0..LANES / CHUNK {
                    let first = chunk * CHUNK;
                    let p0 = numbers[0].lanes(chunk);
                    let p10 = numbers[1].lanes(chunk);
                    let p20 = numbers[2].lanes(chunk);
                    let mut out = [0; CHUNK];
                    for (n, out) in out.iter_mut().enumerate() {
                        let numbers = [
                            f32::from_bits(p0[n]),
                            f32::from_bits(p10[n]),
                            f32::from_bits(p20[n]),
                        ];
                        let value = value(numbers, self.i[first + n], self.j[first + n]);
                        let flat = (p10[n] | p20[n]) << 1 == 0;
                        *out = if flat { p0[n] } else { value };
                    }
                    row.0[first..first + CHUNK].copy_from_slice(&out);
                }
            }
        }
    }
}
