//! The tables of formats equal the manual's list, and selectors reach the bits that they name.

#![allow(clippy::unwrap_used)]

use r5xx::formats::{self, Missing, TEXTURES, color_format, component, out_fmt, target_components};
use silicon::Format;
use silicon::texture::format::Read;

const LIST: &str = include_str!("formats.csv");

/// Name, code and bits of the rows of a kind.
fn listed(kind: &str) -> Vec<(String, u32, String)> {
    let lines = LIST.lines().skip(1).map(|line| {
        let mut quoted = false;
        line.split(|c| {
            quoted ^= c == '"';
            c == ',' && !quoted
        })
        .map(str::to_owned)
        .collect::<Vec<_>>()
    });
    let rows = lines.filter(|columns| columns[1] == kind);
    rows.map(|c| (c[0].clone(), c[2].parse().unwrap(), c[3].clone()))
        .collect()
}

#[test]
fn textures_are_the_manuals_list() {
    let listed = listed("tx");
    assert_eq!(listed.len(), TEXTURES.len());
    for (row, (name, code, bits)) in TEXTURES.iter().zip(&listed) {
        assert_eq!((row.name, row.code), (name.as_str(), *code));
        match formats::texture(row.code, 0, false) {
            // Pairs of texels share differences.
            Ok(format) if name.ends_with("422") => assert_eq!(format.size_bytes(), 2),
            Ok(format) if !format.is_block() => {
                assert_eq!((8 * format.size_bytes()).to_string(), *bits, "{name}");
            }
            Ok(_) => {
                assert!(name.starts_with("reserved") || name.contains("ATI") || name.contains("_1"))
            }
            Err(Missing::Placement(own) | Missing::Meaning(own)) => {
                assert_eq!(own, name);
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
    assert_eq!(formats::texture(39, 0, false), Err(Missing::Reserved(39)));
}

#[test]
fn signs_and_gamma_choose_a_row() {
    let of = formats::texture;
    assert_eq!(of(12, 0b1111, false), Ok(Format::R8G8B8A8Snorm));
    assert_eq!(of(12, 0, true), Ok(Format::R8G8B8A8Srgb));
    assert_eq!(of(15, 0, true), Ok(Format::Bc1RgbaSrgb));
    // Bits of components that there are not, floats and luminance do not count.
    assert_eq!(of(3, 0b1111, false), Ok(Format::R8G8Snorm));
    assert_eq!(of(37, 0b0001, false), Ok(Format::Bc4RSnorm));
    assert_eq!(of(26, 0b1111, false), Ok(Format::R16G16B16A16Float));
    assert_eq!(of(18, 0b1111, false), Ok(Format::R8Unorm));
    let signs = |name, signs| Err(Missing::Signs { name, signs });
    assert_eq!(of(3, 0b01, false), signs("TX_FMT_8_8", 1));
    assert_eq!(of(6, 0b111, false), signs("TX_FMT_5_6_5", 7));
    assert_eq!(of(0, 0, true), Err(Missing::Gamma("TX_FMT_8")));
    assert_eq!(of(12, 0b1111, true), Err(Missing::Gamma("TX_FMT_8_8_8_8")));
}

#[test]
fn components_are_counted_from_the_lowest_bits() {
    // A texel with all ones in its lowest channel and zeros elsewhere reads 1 in component 0 alone.
    for row in TEXTURES {
        let Ok(format) = formats::texture(row.code, 0, false) else {
            continue;
        };
        let is_float = format.class() == silicon::texture::format::Class::Float;
        if format.is_block() || format.has_depth() || is_float {
            continue;
        }
        let mut low = 0;
        for (n, channel) in format.channels().iter().enumerate() {
            let bits = ((1u128 << channel.bits) - 1) << low;
            low += channel.bits;
            let words = [0, 32, 64, 96].map(|shift| (bits >> shift) as u32);
            let value = format.unpack_words(words);
            for other in 0..format.channels().len() {
                let Read::Channel(place) = component(format, other as u8) else {
                    panic!("{} has component {other}", row.name);
                };
                let expected = if other == n { 1f32.to_bits() } else { 0 };
                assert_eq!(value[usize::from(place)], expected, "{} {other}", row.name);
            }
        }
        assert_eq!(usize::from(low), 8 * format.size_bytes() as usize);
    }
    assert_eq!(component(Format::S8UintD24Unorm, 0), Read::Channel(0));
    assert_eq!(component(Format::R8Unorm, 2), Read::Zero);
    assert_eq!(component(Format::Bc1RgbaUnorm, 2), Read::Channel(2));
}

#[test]
fn targets_are_as_wide_as_the_manual_says() {
    // Those without a row: index colours, YUV, and ten bits in wider lanes.
    let without = [0, 1, 2, 8, 11, 12, 14];
    for (name, code, bits) in listed("cb") {
        let formats: Vec<Format> = (0..22)
            .filter_map(|output| formats::target(code, output, 0).ok())
            .collect();
        assert_eq!(formats.is_empty(), without.contains(&code), "{name}");
        for format in formats {
            assert_eq!((8 * format.size_bytes()).to_string(), bits, "{name}");
            assert!(format.is_renderable());
        }
    }
    use color_format::*;
    let of = formats::target;
    assert_eq!(of(ARGB8888, out_fmt::C4_8, 0), Ok(Format::B8G8R8A8Unorm));
    assert_eq!(
        of(ARGB8888, out_fmt::C4_10_GAMMA, 0),
        Ok(Format::B8G8R8A8Srgb)
    );
    assert_eq!(of(ARGB8888, out_fmt::C4_8, 15), Ok(Format::R8G8B8A8Snorm));
    assert_eq!(
        of(ARGB16161616, out_fmt::C4_16_FP, 15),
        Ok(Format::R16G16B16A16Float)
    );
    let none = Missing::Target {
        target: ARGB8888,
        output: out_fmt::C4_8,
        signs: 1,
    };
    assert_eq!(of(ARGB8888, out_fmt::C4_8, 1), Err(none));
    // Blue is the lowest byte of a target, and its third component.
    assert_eq!(
        target_components(Format::B8G8R8A8Unorm),
        [Some(2), Some(1), Some(0), Some(3)]
    );
    assert_eq!(
        target_components(Format::R16G16Float),
        [Some(0), Some(1), None, None]
    );
    // Mesa's driver selects red as C2 and green as C0 for bytes, and C0 and C2 for pairs of floats.
    assert_eq!(
        target_components(Format::R8G8Snorm),
        [Some(2), Some(0), None, None]
    );
    assert_eq!(
        target_components(Format::R32G32Float),
        [Some(0), Some(2), None, None]
    );
}

#[test]
fn outputs_have_the_codes_of_the_list() {
    use out_fmt::*;
    let ours = [
        ("C4_8", C4_8),
        ("C4_10", C4_10),
        ("C4_10_GAMMA", C4_10_GAMMA),
        ("C_16", C_16),
        ("C2_16", C2_16),
        ("C4_16", C4_16),
        ("C_11_11_10", C_11_11_10),
        ("C_10_11_11", C_10_11_11),
        ("C_2_10_10_10", C_2_10_10_10),
        ("UNUSED", UNUSED),
        ("C_16_FP", C_16_FP),
        ("C2_16_FP", C2_16_FP),
        ("C4_16_FP", C4_16_FP),
        ("C_32_FP", C_32_FP),
        ("C2_32_FP", C2_32_FP),
        ("C4_32_FP", C4_32_FP),
    ];
    let listed = listed("us_out");
    for (name, code) in ours {
        let found = listed.iter().find(|row| row.0 == name);
        assert_eq!(found.map(|row| row.1), Some(code), "{name}");
    }
}
