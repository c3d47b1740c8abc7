//! Which way samples take, as a table over texture and sampler.

use super::pairs;
use super::{Filter, MipFilter, PreparedSampler, PreparedTexture, Reduction, Taps};

/// How samples are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// Words of one slice: several waves at a time, from texels straight into registers.
    Batch,
    /// Texels that neighbour tables find, in rows.
    Tables,
    /// Texels of decoded blocks, in rows.
    Blocks,
    /// Texels whose addresses are computed, in rows: layouts and samplers that have no tables.
    Rows,
}

/// The way that samples of a texture take, or filtered comparisons.
pub fn fast_path(texture: &PreparedTexture, sampler: &PreparedSampler, compares: bool) -> Path {
    if texture.decoded.is_some() {
        return Path::Blocks;
    }
    if !pairs::exist(texture, sampler) {
        return Path::Rows;
    }
    match is_common(texture, sampler, compares) && pairs::are_flat(texture, sampler) {
        true => Path::Batch,
        false => Path::Tables,
    }
}

/// Whether [`super::footprint`] compares or averages texels as the sampler asks.
pub(super) fn is_common(
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    compares: bool,
) -> bool {
    let s = &sampler.sampler;
    if s.mag != s.min {
        return false;
    }
    if compares {
        let one_level = s.mip != MipFilter::Linear || texture.last_level == 0;
        let once = one_level && s.anisotropy == 1;
        once && s.mag == Filter::Linear && texture.is_float()
    } else {
        texture.taps == Taps::Bytes && s.reduction == Reduction::Average
    }
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
        assert_eq!(path(rgba, Dim::D2, 1, Address::Border, false), Path::Tables);
        assert_eq!(path(rgba, Dim::D2, 2, repeat, false), Path::Tables);
        assert_eq!(
            path(Format::R8Unorm, Dim::D2, 1, repeat, false),
            Path::Tables
        );
        assert_eq!(
            path(Format::Bc1RgbaUnorm, Dim::D2, 1, repeat, false),
            Path::Blocks
        );
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
}
