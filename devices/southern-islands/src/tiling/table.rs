//! The tile mode table of a Tahiti, and the equations of pipes and banks. [TILING 5]

use super::{ArrayMode, MicroMode, Rotation, TileMode};
use crate::regs::GbTileMode;

/// Bytes of memory in one pipe before the next.
pub const PIPE_INTERLEAVE_BYTES: u32 = 256;

const P4_8X16: u32 = 4;
const P8_32X32_8X16: u32 = 10;
/// TILE_SPLIT of a whole DRAM row of 2 KiB.
const ROW: u32 = 5;

const LINEAR_ALIGNED: u32 = 1;
const THIN_1D: u32 = 2;
const THICK_1D: u32 = 3;
const THIN_2D: u32 = 4;
const PRT_THIN: u32 = 5;
const THICK_2D: u32 = 7;
const XTHICK_2D: u32 = 8;

const DISPLAY: u32 = 0;
const THIN: u32 = 1;
const DEPTH: u32 = 2;

/// GB_TILE_MODE0..31 of a Tahiti.
#[rustfmt::skip]
pub const TAHITI: [u32; 32] = [
    //   array           micro    pipes          split bank: w h aspect n (log2; banks log2 - 1)
    word(THIN_2D,        DEPTH,   P8_32X32_8X16, 0,    [0, 2, 1, 3]),
    word(THIN_2D,        DEPTH,   P8_32X32_8X16, 1,    [0, 2, 1, 3]),
    word(THIN_2D,        DEPTH,   P8_32X32_8X16, 2,    [0, 2, 1, 3]),
    word(THIN_2D,        DEPTH,   P8_32X32_8X16, ROW,  [0, 2, 0, 1]),
    word(THIN_1D,        DEPTH,   P8_32X32_8X16, 0,    [0, 0, 0, 0]),
    word(THIN_2D,        DEPTH,   P8_32X32_8X16, 3,    [0, 2, 0, 0]),
    word(THIN_2D,        DEPTH,   P8_32X32_8X16, 2,    [0, 3, 0, 0]),
    word(THIN_2D,        DEPTH,   P4_8X16,       4,    [0, 2, 0, 0]),
    word(LINEAR_ALIGNED, DISPLAY, P8_32X32_8X16, 0,    [0, 0, 0, 0]),
    word(THIN_1D,        DISPLAY, P8_32X32_8X16, 0,    [0, 0, 0, 0]),
    word(THIN_2D,        DISPLAY, P8_32X32_8X16, 2,    [0, 2, 1, 3]),
    word(THIN_2D,        DISPLAY, P8_32X32_8X16, 2,    [0, 1, 1, 3]),
    word(THIN_2D,        DISPLAY, P8_32X32_8X16, 3,    [0, 0, 0, 3]),
    word(THIN_1D,        THIN,    P8_32X32_8X16, 0,    [0, 0, 0, 0]),
    word(THIN_2D,        THIN,    P8_32X32_8X16, 2,    [0, 2, 0, 3]),
    word(THIN_2D,        THIN,    P8_32X32_8X16, 2,    [0, 1, 0, 3]),
    word(THIN_2D,        THIN,    P8_32X32_8X16, 3,    [0, 0, 0, 3]),
    word(THIN_2D,        THIN,    P8_32X32_8X16, ROW,  [0, 0, 0, 3]),
    word(THICK_1D,       THIN,    P8_32X32_8X16, 0,    [0, 0, 0, 0]),
    word(XTHICK_2D,      THIN,    P8_32X32_8X16, ROW,  [0, 0, 0, 3]),
    word(THICK_2D,       THIN,    P8_32X32_8X16, ROW,  [0, 0, 0, 3]),
    word(PRT_THIN,       THIN,    P8_32X32_8X16, 2,    [0, 3, 0, 1]),
    word(PRT_THIN,       THIN,    P8_32X32_8X16, 2,    [0, 2, 0, 1]),
    word(PRT_THIN,       THIN,    P8_32X32_8X16, 2,    [0, 3, 0, 0]),
    word(PRT_THIN,       THIN,    P8_32X32_8X16, 3,    [0, 2, 0, 0]),
    word(PRT_THIN,       THIN,    P4_8X16,       4,    [0, 2, 0, 0]),
    0, 0, 0, 0, 0, 0,
];

/// One GB_TILE_MODE word.
const fn word(array: u32, micro: u32, pipes: u32, split: u32, bank: [u32; 4]) -> u32 {
    let [width, height, aspect, count] = bank;
    micro
        | array << 2
        | pipes << 6
        | split << 11
        | width << 14
        | height << 16
        | aspect << 18
        | count << 20
}

/// The tile mode of a GB_TILE_MODE word.
pub fn tile_mode(word: u32) -> TileMode {
    let fields = GbTileMode::from_word(word);
    let banks = |rotation| ArrayMode::Macro {
        rotation,
        repeats: false,
    };
    let resident = |rotation| ArrayMode::Macro {
        rotation,
        repeats: true,
    };
    let (array, thickness) = match fields.array_mode {
        0 | 1 => (ArrayMode::Linear, 1),
        2 => (ArrayMode::Micro, 1),
        3 => (ArrayMode::Micro, 4),
        4 => (banks(Rotation::Banks), 1),
        5 => (resident(Rotation::None), 1),
        6 => (resident(Rotation::Banks), 1),
        7 => (banks(Rotation::Banks), 4),
        8 => (banks(Rotation::Banks), 8),
        9 => (resident(Rotation::None), 4),
        10 => (resident(Rotation::Banks), 4),
        11 => (resident(Rotation::Pipes), 1),
        12 => (banks(Rotation::Pipes), 1),
        13 => (banks(Rotation::Pipes), 4),
        14 => (banks(Rotation::Pipes), 8),
        _ => (resident(Rotation::Pipes), 4),
    };
    TileMode {
        array,
        thickness,
        micro: match fields.micro_tile_mode {
            0 => MicroMode::Display,
            1 => MicroMode::Thin,
            2 => MicroMode::Depth,
            _ => MicroMode::Thick,
        },
        pipe_config: fields.pipe_config,
        split_bytes: 64 << fields.tile_split,
        bank_width: 1 << fields.bank_width,
        bank_height: 1 << fields.bank_height,
        aspect: 1 << fields.macro_tile_aspect,
        banks: 2 << fields.num_banks,
    }
}

/// Per pipe bit, lowest first: the bits of x and of y whose exclusive or it is.
pub(super) fn pipe_bits(config: u8) -> &'static [(u32, u32)] {
    const B3: u32 = 1 << 3;
    const B4: u32 = 1 << 4;
    const B5: u32 = 1 << 5;
    const B6: u32 = 1 << 6;
    const X34: u32 = B3 | B4;
    const X35: u32 = B3 | B5;
    const X45: u32 = B4 | B5;
    match config {
        0..=3 => &[(B3, B3)],
        4 => &[(B4, B3), (B3, B4)],
        5 => &[(X34, B3), (B4, B4)],
        6 => &[(X34, B3), (B4, B5)],
        7 => &[(X35, B3), (B5, B5)],
        8 | 9 => &[(X45, B3), (B3, B4), (B4, B5)],
        10 => &[(X45, B3), (B3, B4), (B5, B5)],
        11 => &[(X34, B3), (B5, B4), (B4, B5)],
        12 => &[(X34, B3), (B4, B4), (B5, B5)],
        13 => &[(X34, B3), (B4, B6), (B5, B5)],
        14 | 15 => &[(X35, B3), (B6, B5), (B5, B6)],
        16 => &[(B4, B3), (B3, B4), (B5, B6), (B6, B5)],
        _ => &[(X34, B3), (B4, B4), (B5, B6), (B6, B5)],
    }
}

fn parity(bits: u32) -> u32 {
    bits.count_ones() & 1
}

/// The pipe of an element.
pub(crate) fn pipe(config: u8, x: u32, y: u32) -> u32 {
    pipe_bits(config)
        .iter()
        .enumerate()
        .fold(0, |pipe, (i, (mx, my))| {
            pipe | (parity(x & mx) ^ parity(y & my)) << i
        })
}

/// The bank of an element.
pub(super) fn bank(mode: &TileMode, x: u32, y: u32) -> u32 {
    let tx = x / 8 / (mode.bank_width * mode.pipes());
    let ty = y / 8 / mode.bank_height;
    let bits: &[(u32, u32)] = match mode.banks {
        2 => &[(1, 1)],
        4 => &[(1, 2), (2, 1)],
        8 => &[(1, 4), (2, 6), (4, 1)],
        _ => &[(1, 8), (2, 12), (4, 2), (8, 1)],
    };
    let bank = bits.iter().enumerate().fold(0, |bank, (i, (mx, my))| {
        bank | (parity(tx & mx) ^ parity(ty & my)) << i
    });
    // Two configurations use x bits 4 and 5 in no pipe bit of their own.
    if mode.bank_width == 1 && matches!(mode.pipe_config, 7 | 14) {
        bank ^ (x >> 4 & 1) ^ (x >> 5 & 1)
    } else {
        bank
    }
}
