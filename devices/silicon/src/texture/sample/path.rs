//! Which way samples take, as a table over texture and sampler.

use super::footprint::{Rule, Rules};
use super::pairs::{self, Grid};
use super::wave;
use super::{Dim, Filter, MipFilter, PreparedSampler, PreparedTexture, Reduction};

/// How samples are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// Several waves at a time, from texels that neighbour tables find straight into registers.
    Batch,
    /// Texels that neighbour tables find, in rows.
    Tables,
    /// Texels of decoded blocks, in rows: layouts and samplers that have no tables.
    Blocks,
    /// Texels whose addresses are computed, in rows: layouts and samplers that have no tables.
    Rows,
}

/// The way that samples of a texture take, or filtered comparisons.
pub fn fast_path(texture: &PreparedTexture, sampler: &PreparedSampler, compares: bool) -> Path {
    let blocks = texture.decoded.is_some();
    if !pairs::exist(texture, sampler) {
        return if blocks { Path::Blocks } else { Path::Rows };
    }
    let s = &sampler.sampler;
    let average = compares || s.reduction == Reduction::Average;
    let probes = texture.anisotropy(sampler) > 1;
    let lines = texture.dim == Dim::D2 && !compares;
    match s.mag == s.min && average && (!probes || lines) {
        true => Path::Batch,
        false if blocks => Path::Blocks,
        false => Path::Tables,
    }
}

/// What a batch does with texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Averages bytes, as integers.
    Bytes,
    /// Compares floats of one level, and counts weights.
    Compared,
    /// Averages components of any format, or results of comparisons, as floats.
    Values { compares: bool },
}

/// What a batch does with the texels of a grid.
pub(super) fn kind(
    grid: &Grid,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    compares: bool,
) -> Kind {
    let s = &sampler.sampler;
    if compares {
        let one_level = s.mip != MipFilter::Linear || texture.last_level == 0;
        let inside = wave::borders(texture, sampler) == [false; 3];
        let words = texture.is_float()
            && texture.decoder.plain_word(0) == Some(0)
            && grid.plane.is_words()
            && grid.dim() != Dim::D3;
        return match words && inside && one_level && s.min == Filter::Linear {
            true => Kind::Compared,
            false => Kind::Values { compares },
        };
    }
    // One texel is the same by both ways.
    let points = s.min == Filter::Nearest
        && s.slices.unwrap_or(s.min) == Filter::Nearest
        && (s.mip != MipFilter::Linear || texture.last_level == 0)
        && wave::borders(texture, sampler) == [false; 3];
    match texture.averages_bytes() || points && texture.has_bytes() {
        true => Kind::Bytes,
        false => Kind::Values { compares },
    }
}

/// How a batch finds texels on each axis.
pub(super) fn rules(grid: &Grid, sampler: &PreparedSampler, kind: Kind) -> Rules {
    let s = &sampler.sampler;
    let rule = |axis: usize| Rule {
        mode: grid.modes[axis],
        filter: match (axis, s.slices) {
            (2, Some(slices)) => slices,
            _ => s.min,
        },
        blends: s.min == Filter::Linear,
        exact: matches!(kind, Kind::Values { .. }),
    };
    [rule(0), rule(1), rule(2)]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{PLAIN, PRECISION, texture};
    use super::super::*;
    use super::*;
    use crate::texture::format::Layout;
    use host::SimdLevel;

    const SHAPES: [(Dim, [u32; 3], u32); 6] = [
        (Dim::D1, [13, 1, 1], 1),
        (Dim::D2, [13, 9, 1], 1),
        (Dim::D2, [13, 9, 1], 3),
        (Dim::D3, [13, 9, 5], 1),
        (Dim::Cube, [9, 9, 1], 1),
        (Dim::Cube, [9, 9, 1], 2),
    ];

    const MODES: [Address; 8] = [
        Address::Repeat,
        Address::Mirror,
        Address::ClampToEdge,
        Address::MirrorClampToEdge,
        Address::HalfBorder,
        Address::MirrorHalfBorder,
        Address::Border,
        Address::MirrorBorder,
    ];

    const FILTERS: [(Filter, MipFilter); 4] = [
        (Filter::Nearest, MipFilter::None),
        (Filter::Nearest, MipFilter::Linear),
        (Filter::Linear, MipFilter::Nearest),
        (Filter::Linear, MipFilter::Linear),
    ];

    struct Random(u32);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            self.0 >> 8
        }

        fn row(&mut self, low: f32, high: f32) -> Lanes {
            let mut float = || low + (high - low) * (self.next() as f32 / 16_777_216.0);
            [(); LANES].map(|()| float().to_bits())
        }
    }

    fn sampler(mode: Address, (filter, mip): (Filter, MipFilter)) -> PreparedSampler {
        let sampler = Sampler {
            address: [mode; 3],
            mag: filter,
            min: filter,
            mip,
            border: Border::Custom([0x3e80_0000, 0x3f00_0000, 0x3f40_0000, 0x3f10_0000]),
            compare: Compare::LessEqual,
            ..PLAIN
        };
        PreparedSampler::new(sampler, PRECISION)
    }

    /// Calls a function with each format in each shape.
    fn each(mut f: impl FnMut(&Memory, &Texture, &PreparedTexture)) {
        let memory = Memory::new(1 << 18);
        let planar = |format: &&Format| matches!(format.row().layout, Layout::Planar(_));
        let mut random = Random(7);
        for format in Format::ALL.iter().filter(|format| !planar(format)) {
            for (dim, size, layers) in SHAPES {
                let mut byte = || random.next() as u8;
                let texture = texture(&memory, dim, *format, size, layers, 3, &mut byte);
                let prepared = PreparedTexture::new(&texture).unwrap();
                f(&memory, &texture, &prepared);
            }
        }
    }

    #[test]
    fn every_format_has_a_fast_path() {
        let mut slow = Vec::new();
        each(|_, texture, prepared| {
            for mode in MODES {
                for filter in FILTERS {
                    for compares in [false, true] {
                        let path = fast_path(prepared, &sampler(mode, filter), compares);
                        if path == Path::Rows {
                            let Texture { format, dim, .. } = texture;
                            slow.push(format!("{format:?} {dim:?} {mode:?} {filter:?}"));
                        }
                    }
                }
            }
        });
        assert!(slow.is_empty(), "no fast path: {slow:#?}");
    }

    #[test]
    fn paths_of_some_textures() {
        let path = |format, dim, layers, mode, compares| {
            let memory = Memory::new(1 << 16);
            let t = texture(&memory, dim, format, [8, 8, 1], layers, 1, &mut || 0);
            let prepared = PreparedTexture::new(&t).unwrap();
            fast_path(&prepared, &sampler(mode, FILTERS[2]), compares)
        };
        let (rgba, repeat) = (Format::R8G8B8A8Unorm, Address::Repeat);
        assert_eq!(path(rgba, Dim::D2, 1, repeat, false), Path::Batch);
        assert_eq!(
            path(Format::D32Float, Dim::D2, 1, repeat, true),
            Path::Batch
        );
        for mode in MODES {
            for (dim, layers) in [
                (Dim::D1, 1),
                (Dim::D2, 1),
                (Dim::D2, 2),
                (Dim::D3, 1),
                (Dim::Cube, 2),
            ] {
                for format in [
                    rgba,
                    Format::R8Unorm,
                    Format::R8G8B8A8Srgb,
                    Format::R32G32B32A32Float,
                ] {
                    assert_eq!(path(format, dim, layers, mode, false), Path::Batch);
                }
            }
        }
        assert_eq!(
            path(Format::Bc1RgbaUnorm, Dim::D2, 1, repeat, false),
            Path::Batch
        );
        assert_eq!(
            path(Format::Astc8x8Unorm, Dim::D2, 1, repeat, false),
            Path::Blocks
        );
        // Filters that are not those of a batch.
        let rules = |change: fn(&mut Sampler)| {
            let memory = Memory::new(1 << 16);
            let format = Format::R16G16B16A16Float;
            let t = texture(&memory, Dim::D2, format, [8, 8, 1], 1, 1, &mut || 0);
            let mut rules = sampler(repeat, FILTERS[2]).sampler;
            change(&mut rules);
            let sampler = PreparedSampler::new(rules, PRECISION);
            fast_path(&PreparedTexture::new(&t).unwrap(), &sampler, false)
        };
        assert_eq!(
            rules(|rules| rules.reduction = Reduction::Min),
            Path::Tables
        );
        assert_eq!(rules(|rules| rules.mag = Filter::Nearest), Path::Tables);
        assert_eq!(rules(|rules| rules.anisotropy = 4), Path::Batch);
        // Positions with fewer bits than tables have.
        let precision = Precision {
            weight_bits: 6,
            ..PRECISION
        };
        let memory = Memory::new(1 << 16);
        let t = texture(&memory, Dim::D2, rgba, [8, 8, 1], 1, 1, &mut || 0);
        let coarse = PreparedSampler::new(PLAIN, precision);
        let prepared = PreparedTexture::new(&t).unwrap();
        assert_eq!(fast_path(&prepared, &coarse, false), Path::Rows);
    }

    /// Every format in every shape, through all filters, with the modes in turn.
    #[test]
    fn fast_paths_equal_the_reference() {
        let mut random = Random(11);
        let mut scratch = Scratch::default();
        let mut round = 0;
        each(|memory, texture, prepared| {
            for filter in FILTERS {
                for compares in [false, true] {
                    round += 1;
                    let sampler = sampler(MODES[round % MODES.len()], filter);
                    let [mut u, v, w] = [(); 3].map(|()| random.row(-1.4, 1.6));
                    u[5..8].copy_from_slice(&[f32::NAN, 0.0, 1.0].map(f32::to_bits));
                    let layer = random.row(-0.6, 3.0);
                    let lod = random.row(-0.5, 2.6);
                    let face = random.row(0.0, 5.0);
                    let against = random.row(0.0, 1.0);
                    let cube = texture.dim == Dim::Cube;
                    let request = Request {
                        exec: [u64::MAX, 0xffff_0ff1_8421_7777][round & 1],
                        coords: [&u, &v, if cube { &face } else { &w }],
                        layer: Some(&layer),
                        lod: match round % 3 {
                            0 => Lod::Zero,
                            _ => Lod::Explicit(&lod),
                        },
                        lod_clamp: None,
                        reference: compares.then_some(&against),
                        offsets: None,
                    };
                    let mut expected = [[7; LANES]; 4];
                    reference::sample(memory, prepared, &sampler, &request, &mut expected);
                    for level in SimdLevel::available() {
                        let mut got = [[7; LANES]; 4];
                        let begun = scratch.begin(level, memory, prepared, &sampler, &request);
                        begun.finish(&mut scratch, got.each_mut().map(Some));
                        let Texture { format, dim, .. } = texture;
                        let how = (level.name(), filter, sampler.sampler.address[0], compares);
                        assert_eq!(got, expected, "{format:?} {dim:?} {how:?}");
                    }
                }
            }
        });
    }

    /// Moves the first level to where columns are low bits, and lines and slices share others by exclusive or. Other
    /// levels add their shares and lie behind it, so that there is no one way for all.
    fn swizzle(memory: &Memory, texture: &mut Texture, byte: &mut dyn FnMut() -> u8) {
        let bytes = texture.format.size_bytes();
        let (first, others) = texture.levels.split_at_mut(1);
        let slices = first[0].axes.slice.len() as u32;
        first[0].base = 0x2_0000;
        let offset = |x: u32, y: u32, slice: u32, _: u32| {
            (x * bytes) | (((y ^ (3 * slice)) & 15) << 8) | (slice << 12)
        };
        let size = [first[0].width, first[0].height, slices, 1];
        first[0].axes = Axes::new(size, 0xf00, offset);
        for level in others {
            level.base += 0x3_0000;
        }
        for at in (0x2_0000..0x4_0000).step_by(4) {
            let word = [byte(), byte(), byte(), byte()];
            memory.store(at, u32::from_le_bytes(word)).unwrap();
        }
    }

    /// Waves of a batch: coordinates that walk across a texture, at its edges and beyond.
    fn waves(random: &mut Random, count: usize) -> Vec<[Lanes; 4]> {
        (0..count)
            .map(|wave| {
                let step = [0.003, 0.02, 0.3][wave % 3];
                let mut walk = || {
                    let start = random.row(-1.3, 1.4)[0];
                    let mut row = random.row(0.0, step);
                    for (lane, x) in row.iter_mut().enumerate() {
                        let across = step * (lane % 8) as f32;
                        *x = (f32::from_bits(start) + across + f32::from_bits(*x)).to_bits();
                    }
                    row
                };
                let [mut u, v, w] = [walk(), walk(), walk()];
                u[7] = [f32::NAN, 0.0, 1.0][wave % 3].to_bits();
                [u, v, w, random.row(-0.6, 3.0)]
            })
            .collect()
    }

    /// Every format in every shape and two layouts, several waves at once.
    #[test]
    fn batches_equal_the_reference() {
        let mut random = Random(13);
        let mut scratch = Scratch::default();
        let (mut round, mut batches) = (0usize, 0usize);
        each(|memory, texture, prepared| {
            let mut swizzled = texture.clone();
            let plain = texture.format.block_size() == (1, 1);
            if plain {
                swizzle(memory, &mut swizzled, &mut || random.next() as u8);
            }
            let swizzled = PreparedTexture::new(&swizzled).unwrap();
            for filter in FILTERS {
                for (prepared, compares) in
                    [(prepared, false), (&swizzled, false), (&swizzled, true)]
                {
                    // What has no first component has no depth to compare.
                    if compares && texture.format.row().reads[0] == Read::Zero {
                        continue;
                    }
                    round += 1;
                    let sampler = sampler(MODES[round % MODES.len()], filter);
                    if plain {
                        assert_eq!(fast_path(prepared, &sampler, compares), Path::Batch);
                    }
                    let rows = waves(&mut random, 1 + round % 4);
                    let cube = texture.dim == Dim::Cube;
                    let face = random
                        .row(0.0, 5.0)
                        .map(|face| f32::from_bits(face).round());
                    let faces = [
                        face.map(f32::to_bits),
                        [(round % 6) as f32; LANES].map(f32::to_bits),
                    ];
                    let requests: Vec<Request> = rows
                        .iter()
                        .enumerate()
                        .map(|(wave, [u, v, w, layer])| Request {
                            exec: [u64::MAX, 0xffff_0ff1_8421_7777][wave & 1],
                            coords: [u, v, if cube { &faces[wave & 1] } else { w }],
                            layer: Some(layer),
                            lod: if round % 3 == 0 {
                                Lod::Zero
                            } else {
                                Lod::Implicit
                            },
                            lod_clamp: None,
                            reference: compares.then_some(w),
                            offsets: None,
                        })
                        .collect();
                    let plain = requests.iter().map(|request| Plain {
                        exec: request.exec,
                        coords: request.coords,
                        layer: request.layer,
                        face_ids: None,
                        reference: request.reference,
                        lod: request.lod,
                        ..Plain::NONE
                    });
                    let plain: Vec<Plain> = plain.collect();
                    for level in SimdLevel::available() {
                        let begun = scratch.begin_all(
                            level,
                            memory,
                            prepared,
                            &sampler,
                            &plain,
                            Repeats::default(),
                        );
                        let Some(begun) = begun else { continue };
                        batches += 1;
                        // All components, or some.
                        let taken = [15, 7, 15, 10, 15, 4, 3][round % 7];
                        let taken = [0, 1, 2, 3].map(|c| taken >> c & 1 == 1);
                        let mut got = vec![[[7; LANES]; 4]; plain.len()];
                        let mut outs: Vec<Out> = Vec::new();
                        for got in &mut got {
                            let mut out = got.each_mut().map(Some);
                            for (row, taken) in out.iter_mut().zip(taken) {
                                row.take_if(|_| !taken);
                            }
                            outs.push(out);
                        }
                        begun.finish_all(&mut scratch, &mut outs);
                        for (wave, (got, request)) in got.iter().zip(&requests).enumerate() {
                            let mut expected = [[7; LANES]; 4];
                            reference::sample(memory, prepared, &sampler, request, &mut expected);
                            for (row, taken) in expected.iter_mut().zip(taken) {
                                *row = if taken { *row } else { [7; LANES] };
                            }
                            let (format, dim) = (prepared.format, prepared.dim);
                            let mode = sampler.sampler.address[0];
                            let how = (level.name(), filter, mode, compares, wave, round);
                            assert_eq!(*got, expected, "{format:?} {dim:?} {how:?}");
                        }
                    }
                }
            }
        });
        assert!(batches > 5000, "{batches} batches");
    }

    /// Coordinates and faces of cubes as chips give them.
    #[test]
    fn face_ids_are_layers_and_faces() {
        let mut random = Random(17);
        let memory = Memory::new(1 << 16);
        let mut byte = || random.next() as u8;
        let (format, size) = (Format::R8G8B8A8Unorm, [9, 9, 1]);
        let texture = texture(&memory, Dim::Cube, format, size, 2, 3, &mut byte);
        let prepared = PreparedTexture::new(&texture).unwrap();
        let sampler = sampler(Address::Repeat, FILTERS[2]);
        let [u, v] = [(); 2].map(|()| random.row(0.0, 1.0));
        let [face, layer] = [5.0, 1.0].map(|most| random.row(0.0, most));
        let [face, layer] = [face, layer].map(|row| row.map(|x| f32::from_bits(x).round()));
        let id: Lanes = std::array::from_fn(|l| (8.0 * layer[l] + face[l]).to_bits());
        let [face, layer] = [face, layer].map(|row| row.map(f32::to_bits));
        let request = Request {
            exec: u64::MAX,
            coords: [&u, &v, &face],
            layer: Some(&layer),
            lod: Lod::Zero,
            lod_clamp: None,
            reference: None,
            offsets: None,
        };
        let mut expected = [[0; LANES]; 4];
        reference::sample(&memory, &prepared, &sampler, &request, &mut expected);
        let plain = Plain {
            exec: u64::MAX,
            coords: [&u, &v, &id],
            face_ids: Some(0.0),
            ..Plain::NONE
        };
        let mut scratch = Scratch::default();
        let sampler = PreparedSampler::new(
            Sampler {
                mip: MipFilter::None,
                ..sampler.sampler
            },
            PRECISION,
        );
        for level in SimdLevel::available() {
            let waves = [plain; 2];
            let begun = scratch
                .begin_all(
                    level,
                    &memory,
                    &prepared,
                    &sampler,
                    &waves,
                    Repeats::default(),
                )
                .unwrap();
            let mut got = [[[0; LANES]; 4]; 2];
            let mut outs = got.each_mut().map(|got| got.each_mut().map(Some));
            begun.finish_all(&mut scratch, &mut outs);
            assert_eq!(got, [expected; 2]);
        }
    }
}
