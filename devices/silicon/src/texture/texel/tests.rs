use super::*;
use crate::texture::format::Aspects;
use host::SimdLevel;

fn plain() -> impl Iterator<Item = Format> {
    Format::ALL
        .iter()
        .copied()
        .filter(|f| matches!(f.row().layout, Layout::Plain(_) | Layout::SharedExponent))
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }
}

/// Clears what a round trip may change: unused bits, and the second pattern of -1.
fn canonical(format: Format, mut words: [u32; 4]) -> [u32; 4] {
    let mut at = 0;
    for &Channel { kind, bits } in format.channels() {
        let bits = u32::from(bits);
        let (word, shift) = ((at / 32) as usize, at % 32);
        let mask = (((1u64 << bits) - 1) as u32) << shift;
        if kind == Kind::Void {
            words[word] &= !mask;
        }
        if kind == Kind::Snorm && words[word] & mask == 1 << (shift + bits - 1) {
            words[word] |= 1 << shift;
        }
        at += bits;
    }
    for (i, w) in words.iter_mut().enumerate() {
        let bytes = (format.size_bytes() as usize).saturating_sub(4 * i);
        if bytes < 4 {
            *w &= (1u32 << (8 * bytes)) - 1;
        }
    }
    words
}

#[test]
fn every_pattern_survives() {
    let mut random = Random(1);
    for format in plain() {
        let small = format.size_bytes() <= 2;
        for i in 0..if small { 0x1_0000 } else { 20_000u32 } {
            let words = if small {
                [i, 0, 0, 0]
            } else {
                [(); 4].map(|()| random.next())
            };
            let value = format.unpack_words(words);
            let packed = format.pack_words(value);
            if format.row().layout == Layout::SharedExponent {
                // Several texels have the same value.
                assert_eq!(format.unpack_words(packed), value);
            } else {
                assert_eq!(
                    packed,
                    canonical(format, words),
                    "{format:?} {words:x?} {value:x?}"
                );
            }
        }
    }
}

#[test]
fn known_texels() {
    let f = |v: [f32; 4]| v.map(f32::to_bits);
    for (format, bytes, value) in [
        (
            Format::R8G8B8A8Unorm,
            &[0, 51, 255, 102][..],
            f([0.0, 0.2, 1.0, 0.4]),
        ),
        (
            Format::B8G8R8A8Unorm,
            &[0, 51, 255, 102],
            f([1.0, 0.2, 0.0, 0.4]),
        ),
        (
            Format::B8G8R8X8Unorm,
            &[0, 51, 255, 0],
            f([1.0, 0.2, 0.0, 1.0]),
        ),
        (
            Format::R8G8B8A8Srgb,
            &[0, 255, 0, 51],
            f([0.0, 1.0, 0.0, 0.2]),
        ),
        (Format::R8Snorm, &[0x81], f([-1.0, 0.0, 0.0, 1.0])),
        (Format::R8G8Sint, &[0xff, 2], [u32::MAX, 2, 0, 1]),
        (Format::B5G6R5Unorm, &[0x1f, 0xf8], f([1.0, 0.0, 1.0, 1.0])),
        (
            Format::A2B10G10R10Uint,
            &[0xff, 0x07, 0, 0x80],
            [0x3ff, 1, 0, 2],
        ),
        (
            Format::B10G11R11Float,
            &[0xc0, 0x03, 0x1e, 0x78],
            f([1.0, 1.0, 1.0, 1.0]),
        ),
        (
            Format::R16G16Float,
            &[0, 0x3c, 0, 0xc0],
            f([1.0, -2.0, 0.0, 1.0]),
        ),
        (
            Format::R32G32Uint,
            &[1, 2, 3, 4, 5, 6, 7, 8],
            [0x0403_0201, 0x0807_0605, 0, 1],
        ),
        (Format::R3G3B2Unorm, &[0xe3], f([1.0, 0.0, 1.0, 1.0])),
        (Format::G4R4Unorm, &[0x3f], f([1.0, 0.2, 0.0, 1.0])),
        (
            Format::R5G5B5A1Unorm,
            &[0x01, 0xf8],
            f([1.0, 0.0, 0.0, 1.0]),
        ),
        (
            Format::A4R4G4B4Unorm,
            &[0x30, 0x0f],
            f([1.0, 0.2, 0.0, 0.0]),
        ),
        (
            Format::R6G5B5Snorm,
            &[0x2f, 0x86],
            f([-1.0, -1.0, 1.0, 1.0]),
        ),
        (
            Format::B11G11R10Float,
            &[0xe0, 0x01, 0x0f, 0x78],
            f([1.0, 1.0, 1.0, 1.0]),
        ),
        (
            Format::R16G16B16Sint,
            &[1, 0, 0xff, 0xff, 3, 0x80],
            [1, u32::MAX, 0xffff_8003, 1],
        ),
        (
            Format::S8UintD24Unorm,
            &[7, 0xff, 0xff, 0xff],
            [1f32.to_bits(), 7, 0, 1f32.to_bits()],
        ),
        (Format::D16Unorm, &[0xff, 0xff], f([1.0, 0.0, 0.0, 1.0])),
        (
            Format::D24UnormS8Uint,
            &[0xff, 0xff, 0xff, 7],
            [1f32.to_bits(), 7, 0, 1f32.to_bits()],
        ),
    ] {
        assert_eq!(format.unpack(bytes), value, "{format:?}");
        let mut packed = vec![0; bytes.len()];
        format.pack(value, &mut packed);
        assert_eq!(packed, bytes, "{format:?}");
    }
}

/// Alpha is linear: code 128 reads as 128 / 255, where a colour would read as 0.2158605. All orders of channels, both ways,
/// whether the format or the reading says sRGB. [KHR-DF 13.3; VULKAN sRGB]
#[test]
fn alpha_of_srgb_is_linear() {
    let half = 128.0 / 255.0f32;
    // ((128 / 255 + 0.055) / 1.055)^2.4
    let decoded = 0.215_860_5f32;
    let linear = [Format::R8G8B8A8Unorm, Format::B8G8R8A8Unorm];
    let as_rows = linear.map(|format| (format, Some(Reading::Srgb)));
    let own = [Format::R8G8B8A8Srgb, Format::B8G8R8A8Srgb].map(|format| (format, None));
    for (format, reading) in as_rows.into_iter().chain(own) {
        let value = format.unpack_words_as(reading, [0x8080_8080, 0, 0, 0]);
        let [r, g, b, a] = value.map(f32::from_bits);
        assert_eq!(
            [r, g, b, a],
            [decoded, decoded, decoded, half],
            "{format:?}"
        );
        let packed =
            format.pack_words_as(reading, [decoded, decoded, decoded, half].map(f32::to_bits));
        assert_eq!(packed[0], 0x8080_8080, "{format:?}");
        let packed = format.pack_words_as(reading, [half, half, half, decoded].map(f32::to_bits));
        assert_eq!(packed[0], 0x37bc_bcbc, "{format:?}");
    }
    for &format in Format::ALL {
        let row = format.row();
        if row.srgb && matches!(row.layout, Layout::Plain(_)) && row.reads[3] == Read::Channel(3) {
            let [.., alpha] = format.unpack_words([0x8080_8080; 4]);
            assert_eq!(f32::from_bits(alpha), half, "{format:?}");
        }
    }
}

#[test]
fn integers_saturate() {
    assert_eq!(Format::R8Uint.pack_words([300, 0, 0, 0])[0], 255);
    assert_eq!(
        Format::R8Sint.pack_words([-300i32 as u32, 0, 0, 0])[0],
        0x80
    );
    assert_eq!(
        Format::A2B10G10R10Uint.pack_words([1 << 20, 0, 5, 9])[0],
        0x3ff | 5 << 20 | 3 << 30
    );
}

#[test]
fn rows_equal_single_texels_at_every_level() {
    let mut random = Random(2);
    for format in plain() {
        for _ in 0..20 {
            let words: [Lanes; 4] = [(); 4].map(|()| [(); LANES].map(|()| random.next()));
            let values: [Lanes; 4] = [(); 4].map(|()| {
                [(); LANES].map(|()| {
                    let x = random.next();
                    // Mostly floats around 0 to 1, some arbitrary bits.
                    if x.is_multiple_of(4) {
                        random.next()
                    } else {
                        ((x >> 8) as f32 / 1.2e7 - 0.2).to_bits()
                    }
                })
            });
            for level in SimdLevel::available() {
                let mut out = [[0; LANES]; 4];
                unpack_row(level, format, &words, &mut out);
                let mut packed = [[0; LANES]; 4];
                pack_row(level, format, &values, &mut packed);
                for lane in 0..LANES {
                    let single = format.unpack_words([0, 1, 2, 3].map(|w: usize| words[w][lane]));
                    assert_eq!(
                        [0, 1, 2, 3].map(|c: usize| out[c][lane]),
                        single,
                        "{format:?}"
                    );
                    let single = format.pack_words([0, 1, 2, 3].map(|c: usize| values[c][lane]));
                    assert_eq!(
                        [0, 1, 2, 3].map(|w: usize| packed[w][lane]),
                        single,
                        "{format:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn depth_formats_read_depth_first() {
    for &format in Format::ALL {
        if format.aspects() == Aspects::Depth || format.aspects() == Aspects::DepthStencil {
            assert!(!format.class().is_integer(), "{format:?}");
        }
    }
}
