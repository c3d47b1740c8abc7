use super::*;

fn rgba(word: u32) -> [u8; 4] {
    word.to_le_bytes()
}

/// End points 0xf800 (red) and 0x001f (blue), one row per index.
const RED_BLUE: [u32; 2] = [0x001f_f800, 0xffaa_5500];

#[test]
fn bc1_four_colours() {
    let row = |y| rgba(bytes(Codec::Bc1, [RED_BLUE[0], RED_BLUE[1], 0, 0], 1, y));
    assert_eq!(row(0), [255, 0, 0, 255]);
    assert_eq!(row(1), [0, 0, 255, 255]);
    assert_eq!(row(2), [170, 0, 85, 255]);
    assert_eq!(row(3), [85, 0, 170, 255]);
}

#[test]
fn bc1_three_colours_and_transparent() {
    let block = [0xf800_001f, 0xffaa_5500, 0, 0];
    assert_eq!(rgba(bytes(Codec::Bc1, block, 0, 2)), [128, 0, 128, 255]);
    assert_eq!(rgba(bytes(Codec::Bc1, block, 0, 3)), [0, 0, 0, 0]);
}

#[test]
fn bc2_and_bc3_have_four_colours_always() {
    let block = [0x7654_3210, 0xfedc_ba98, 0xf800_001f, 0xffaa_5500];
    assert_eq!(rgba(bytes(Codec::Bc2, block, 3, 0)), [0, 0, 255, 0x33]);
    assert_eq!(rgba(bytes(Codec::Bc2, block, 2, 3)), [170, 0, 85, 0xee]);
    // Alpha 250 to 40, indices 0..7 then 0..7.
    let indices = (0..16u64).fold(0, |bits, i| bits | (i % 8) << (3 * i));
    let alpha = 250 | 40 << 8 | indices << 16;
    let block = [alpha as u32, (alpha >> 32) as u32, RED_BLUE[0], RED_BLUE[1]];
    let alphas: Vec<u8> = (0..8)
        .map(|i| rgba(bytes(Codec::Bc3, block, i % 4, i / 4))[3])
        .collect();
    assert_eq!(alphas, [250, 40, 220, 190, 160, 130, 100, 70]);
}

#[test]
fn bc4_both_ramps() {
    let block = |a: u64, b: u64| {
        let bits = a | b << 8 | (0..16u64).fold(0, |bits, i| bits | (i % 8) << (3 * i)) << 16;
        [bits as u32, (bits >> 32) as u32, 0, 0]
    };
    let row = |format, block| {
        (0..8)
            .map(|i| f32::from_bits(value(format, block, i % 4, i / 4)[0]))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        row(Format::Bc4RUnorm, block(0, 255)),
        [0.0, 1.0, 0.2, 0.4, 0.6, 0.8, 0.0, 1.0]
    );
    assert_eq!(
        row(Format::Bc4RUnorm, block(255, 0))[2..],
        [6.0f32, 5.0, 4.0, 3.0, 2.0, 1.0].map(|n| n / 7.0)
    );
    assert_eq!(
        row(Format::Bc4RSnorm, block(0x80, 0x7f)),
        [-1.0, 1.0, -0.6, -0.2, 0.2, 0.6, -1.0, 1.0]
    );
}

/// Hash of the values of 2000 pseudo-random blocks.
fn fingerprint(format: Format) -> u64 {
    let (width, height) = format.block_size();
    let mut seed = 1u64;
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for _ in 0..2000 {
        let block = [(); 4].map(|()| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        });
        for at in 0..width * height {
            for bits in value(format, block, at % width, at / width) {
                hash = (hash ^ u64::from(bits)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    hash
}

/// Random blocks of these formats equal what independent decoders give, texel by texel: BC6H those of bcdec; BC7, ETC2
/// and ASTC (the 8 bits that it keeps) those of texture2ddecoder. The EAC rows pin the rounding of their channels.
#[test]
fn random_blocks() {
    for (format, expected) in [
        (Format::Bc6hRgbUfloat, 0x2f07_d66e_9185_5325),
        (Format::Bc6hRgbFloat, 0x4c83_1551_7b86_3325),
        (Format::Bc7RgbaUnorm, 0xbe90_778c_e814_cda0),
        (Format::Etc2Rgb8Unorm, 0xccae_903f_6471_267c),
        (Format::Etc2Rgb8A1Unorm, 0x0ad4_a52b_fde5_029a),
        (Format::Etc2Rgba8Unorm, 0xae71_013d_69e4_63b0),
        (Format::EacR11Unorm, 0xbd40_6287_ee6d_e534),
        (Format::EacRg11Snorm, 0x18ab_0926_dc8c_fef5),
        (Format::Astc4x4Unorm, 0xf314_3e18_7d59_f325),
        (Format::Astc6x5Srgb, 0xd122_2222_6322_b2be),
        (Format::Astc12x12Unorm, 0x1fbd_2f70_2466_7325),
    ] {
        let got = fingerprint(format);
        assert_eq!(got, expected, "{format:?}: {got:#x}");
    }
}

#[test]
fn bits_and_pairs() {
    let row = |format, word| {
        let (width, _) = Format::block_size(format);
        (0..width)
            .map(|x| value(format, [word, 0, 0, 0], x, 0).map(f32::from_bits))
            .collect::<Vec<_>>()
    };
    let ones = |format| {
        row(format, 0x13)
            .iter()
            .map(|v| v[0] as u8)
            .collect::<Vec<_>>()
    };
    assert_eq!(ones(Format::R1Unorm), [1, 1, 0, 0, 1, 0, 0, 0]);
    assert_eq!(ones(Format::R1ReversedUnorm), [0, 0, 0, 1, 0, 0, 1, 1]);
    // Bytes 0x33, 0xff, 0x66, 0x00 from the lowest.
    let word = 0x0066_ff33;
    assert_eq!(
        row(Format::G8B8G8R8Unorm, word),
        [[0.0, 0.2, 1.0, 1.0], [0.0, 0.4, 1.0, 1.0]]
    );
    assert_eq!(
        row(Format::B8G8R8G8Unorm, word),
        [[0.4, 1.0, 0.2, 1.0], [0.4, 0.0, 0.2, 1.0]]
    );
}

#[test]
fn bc7_mode_6_is_a_ramp() {
    // End points 0 and 127 with low bits 0 and 1: black to white; indices 0 to 15, the first one bit short.
    let ends = (0..4u32).fold(0u128, |bits, c| bits | 127u128 << (7 + 14 * c + 7));
    let indices = (1..16u128).fold(0, |bits, i| bits | i << (65 + 4 * i - 1));
    let bits = 1u128 << 6 | ends | 1 << 64 | indices;
    let block = [0, 32, 64, 96].map(|s| (bits >> s) as u32);
    let row: Vec<u8> = (0..16)
        .map(|i| rgba(bytes(Codec::Bc7, block, i % 4, i / 4))[0])
        .collect();
    let weights = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];
    assert_eq!(row, weights.map(|w: u32| ((255 * w + 32) / 64) as u8));
    // A block without a mode is zero.
    assert_eq!(bytes(Codec::Bc7, [0, 1, 2, 3], 0, 0), 0);
}

#[test]
fn etc2_individual_mode() {
    // Colours 0xf00 and 0x00f, tables 0 and 0, not flipped; all indices 0: plus 2.
    let bits = 0xf0_u64 << 56 | 0x0f << 40;
    let block = [(bits >> 32) as u32, bits as u32].map(u32::swap_bytes);
    let texel = |x| rgba(bytes(Codec::Etc2Rgb8, [block[0], block[1], 0, 0], x, 1));
    assert_eq!(texel(0), [255, 2, 2, 255]);
    assert_eq!(texel(3), [2, 2, 255, 255]);
}

#[test]
fn astc_constant_blocks() {
    let bits = 0xfffc_ffff_ffff_fdfcu64;
    let block = [
        bits as u32,
        (bits >> 32) as u32 | 0xffff_0000,
        0x8000_ffff,
        0xffff_0000,
    ];
    let constant = value(Format::Astc8x8Unorm, block, 3, 7).map(f32::from_bits);
    assert_eq!(constant, [1.0, 0.5, 0.0, 1.0]);
    // Reserved block modes are magenta.
    let error = value(Format::Astc4x4Unorm, [0; 4], 0, 0).map(f32::from_bits);
    assert_eq!(error, [1.0, 0.0, 1.0, 1.0]);
}

/// Blocks of every mode and of noise: all texels at once are the texels one by one.
#[test]
fn all_at_once() {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 32) as u32
    };
    for format in Format::ALL {
        let Layout::Block {
            codec,
            width: 4,
            height: 4,
            ..
        } = format.row().layout
        else {
            continue;
        };
        for round in 0..400 {
            let mut block = [(); 4].map(|()| next());
            // Half of the blocks begin with the bits of each mode in turn.
            if round % 2 == 0 {
                block[0] = block[0] & !0xff | 1 << (round / 2 % 9);
            }
            let all = all_bytes(codec, block);
            let mut values = [[7; 4]; 16];
            decode_values(*format, block, &mut values);
            for at in 0..16 {
                let (x, y) = (at as u32 & 3, at as u32 >> 2);
                assert_eq!(
                    all[at],
                    bytes(codec, block, x, y),
                    "{format:?} {block:x?} {at}"
                );
                assert_eq!(
                    values[at],
                    value(*format, block, x, y),
                    "{format:?} {block:x?} {at}"
                );
            }
        }
    }
}
