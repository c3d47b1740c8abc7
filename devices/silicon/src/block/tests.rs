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
