//! Compressed blocks against a decoder of other authors, `texture2ddecoder`, on pseudo-random blocks of every codec.
//!
//! The other decoder keeps 8 bits a channel. Where a codec interpolates 8-bit colours, it truncates what is rounded
//! here; signed and wide channels it scales to bytes. So some codecs are equal and others differ by one unit at most.

use silicon::Format;
use silicon::texture::format::{Codec, Layout};
use silicon::texture::{block, srgb};

/// Decodes one block to blue, green, red, alpha bytes.
type Decoder = fn(&[u8], &mut [u32]);

/// A codec, its other decoder, and by how many units of a byte the two may differ.
const OTHERS: &[(Format, Decoder, i32)] = &[
    (Format::Bc1RgbaUnorm, texture2ddecoder::decode_bc1a_block, 1),
    (Format::Bc2RgbaUnorm, texture2ddecoder::decode_bc2_block, 1),
    (Format::Bc3RgbaUnorm, texture2ddecoder::decode_bc3_block, 1),
    (Format::Bc4RUnorm, texture2ddecoder::decode_bc4_block, 1),
    (Format::Bc5RgUnorm, texture2ddecoder::decode_bc5_block, 1),
    (Format::Bc7RgbaUnorm, texture2ddecoder::decode_bc7_block, 0),
    (
        Format::Etc2Rgb8Unorm,
        texture2ddecoder::decode_etc2_rgb_block,
        0,
    ),
    (
        Format::Etc2Rgb8A1Unorm,
        texture2ddecoder::decode_etc2_rgba1_block,
        0,
    ),
    (
        Format::Etc2Rgba8Unorm,
        texture2ddecoder::decode_etc2_rgba8_block,
        0,
    ),
];

/// Red, green, blue, alpha of a texel as bytes; `None` for components that are constants.
fn ours(format: Format, words: [u32; 4], x: u32, y: u32) -> [i32; 4] {
    let value = block::value(format, words, x, y).map(f32::from_bits);
    let byte = |v: f32| match format.row().layout {
        // Sixteen bits of which a half float keeps eleven.
        Layout::Block {
            codec: Codec::Astc, ..
        } if !format.is_srgb() => ((v * 65536.0) as i32).min(0xffff) >> 8,
        _ => (v.clamp(0.0, 1.0) * 255.0).round() as i32,
    };
    let mut out = value.map(byte);
    if format.is_srgb() {
        for c in 0..3 {
            out[c] = srgb::from_linear(value[c]).into();
        }
        out[3] = (value[3] * 255.0).round() as i32;
    }
    out
}

/// Pseudo-random blocks; a third has a byte of all ones or zeros in front, which special modes begin with.
fn blocks(count: u32) -> impl Iterator<Item = [u32; 4]> {
    let mut seed = 7u64;
    (0..count).map(move |i| {
        let mut words = [(); 4].map(|()| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        });
        match i % 6 {
            0 => words[0] |= 0xff,
            1 => words[0] &= !0xff,
            _ => {}
        }
        words
    })
}

/// BC2 and BC3 have four colours in any order of their end points, which the other decoder does not know.
fn well_formed(format: Format, mut words: [u32; 4]) -> [u32; 4] {
    if matches!(format, Format::Bc2RgbaUnorm | Format::Bc3RgbaUnorm)
        && words[2] as u16 <= (words[2] >> 16) as u16
    {
        words[2] = words[2].rotate_left(16) | 1;
    }
    words
}

fn check(format: Format, components: usize, tolerance: i32, decode: impl Fn(&[u8], &mut [u32])) {
    let (width, height) = format.block_size();
    let mut theirs = [0u32; 144];
    let mut met = 0;
    for words in blocks(6000).map(|words| well_formed(format, words)) {
        let astc = components == 4 && format.name().starts_with("Astc");
        let texels: Vec<[i32; 4]> = (0..width * height)
            .map(|at| ours(format, words, at % width, at / width))
            .collect();
        // Broken blocks, and those of the high dynamic range, are magenta; the other decoder gives anything for them.
        if astc && texels.contains(&[255, 0, 255, 255]) {
            continue;
        }
        met += 1;
        let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.resize(32, 0);
        decode(&bytes, &mut theirs[..(width * height) as usize]);
        for at in 0..width * height {
            let ours = texels[at as usize];
            let [b, g, r, a] = theirs[at as usize].to_le_bytes();
            let theirs = [r, g, b, a].map(i32::from);
            // What is transparent has no colour here.
            let hole = format == Format::Etc2Rgb8A1Unorm && ours == [0; 4] && theirs[3] == 0;
            for c in 0..if hole { 0 } else { components } {
                assert!(
                    (ours[c] - theirs[c]).abs() <= tolerance,
                    "{format:?} {words:x?} at {at}: {ours:?}, not {theirs:?}"
                );
            }
        }
    }
    assert!(met > 80, "{format:?}: {met} blocks");
}

#[test]
fn blocks_of_fixed_size() {
    for &(format, decode, tolerance) in OTHERS {
        check(format, format.components() as usize, tolerance, decode);
    }
}

#[test]
fn astc_of_every_size() {
    for &format in Format::ALL {
        let Layout::Block {
            codec: Codec::Astc,
            width,
            height,
            ..
        } = format.row().layout
        else {
            continue;
        };
        let decode = |bytes: &[u8], out: &mut [u32]| {
            texture2ddecoder::decode_astc_block(bytes, width.into(), height.into(), out);
        };
        // The other decoder rounds to bytes where a device keeps 16 bits, and knows no sRGB end points.
        check(format, 4, 1, decode);
    }
}

/// The alpha of ETC2 is the same block with 8 bits where a channel has 11, and that has met the other decoder.
#[test]
fn channels_of_eac_follow_alpha() {
    let mut met = [0; 2];
    for mut words in blocks(3000) {
        if words[0] >> 12 & 0xf == 0 {
            // Without a multiplier the channel has finer steps than alpha.
            words[0] |= 0x1000;
        }
        let red = |format, at| f32::from_bits(block::value(format, words, at % 4, at / 4)[0]);
        let base = words[0] & 0xff;
        for at in 0..16 {
            let alpha = ours(Format::Etc2Rgba8Unorm, words, at % 4, at / 4)[3];
            if alpha == 0 || alpha == 255 {
                continue;
            }
            met[0] += 1;
            let steps = (8 * alpha + 4) as f32;
            assert_eq!(red(Format::EacR11Unorm, at), steps / 2047.0);
            assert_eq!(red(Format::EacRg11Unorm, at), steps / 2047.0);
            if base < 128 {
                met[1] += 1;
                let steps = (8 * alpha).min(1023) as f32;
                assert_eq!(red(Format::EacR11Snorm, at), steps / 1023.0);
                assert_eq!(red(Format::EacRg11Snorm, at), steps / 1023.0);
            }
        }
    }
    assert!(met.iter().all(|n| *n > 5000), "{met:?}");
}

/// Every block format but single bits and pairs of texels has met the other decoder.
#[test]
fn every_codec_is_checked() {
    for &format in Format::ALL {
        let Layout::Block { codec, .. } = format.row().layout else {
            continue;
        };
        let linear = format.with_srgb(false).unwrap_or(format);
        let met = OTHERS.iter().any(|(other, ..)| *other == linear)
            || matches!(
                codec,
                Codec::Astc
                    | Codec::Bits
                    | Codec::BitsReversed
                    | Codec::PairGreenFirst
                    | Codec::PairGreenLast
                    // The other decoder differs from published ones: block::tests has the fingerprints of bcdec.
                    | Codec::Bc6hUfloat
                    | Codec::Bc6hFloat
                    // The signed ones are their unsigned codecs with another scale: block::tests.
                    | Codec::Bc4Snorm
                    | Codec::Bc5Snorm
                    // The other decoder takes the bytes of the indices backwards: `channels_of_eac_follow_alpha`.
                    | Codec::EacR11
                    | Codec::EacRg11
                    | Codec::EacR11Snorm
                    | Codec::EacRg11Snorm
            );
        assert!(met, "{format:?}");
    }
}
