//! Two streams of Mesa 22.3.6's `r300` driver, as an R580, executed into their colour buffer. The OpenGL ES 2.0 program
//! clears 64 by 64 pixels to (0.25, 0.5, 0.75), uploads a texture of 16 by 16 texels whose byte n is 7 n, and blends a
//! triangle, the same triangle a hundred times with polygon offset, points of 5 pixels and wide lines, the last two inside
//! a scissor of 20 by 21 pixels at (3, 4).
#![allow(clippy::unwrap_used)]

use r5xx::tiling::{Micro, Surface, Tiling};
use r5xx::{R5xx, Start};
use silicon::{Addr, Gpu, Memory, Stats};

const CLEAR: &str = include_str!("streams/r300-clear.hex");
const TEXTURED: &str = include_str!("streams/r300-textured.hex");

/// Where the buffers are, by the numbers that the streams relocate with.
const COLOR: u32 = 0x2_0000;
const DEPTH: u32 = 0x3_0000;
const TEXTURE: u32 = 0x4_0000;
const UPLOAD: u32 = 0x5_0000;
const OTHER: u32 = 0x6_0000;
const VERTICES: u32 = 0x7_0000;
const INDICES: u32 = 0x8_0000;
const READ_BACK: u32 = 0x9_0000;

fn words(text: &str) -> Vec<u32> {
    let words = text.split_whitespace();
    words
        .map(|word| u32::from_str_radix(word, 16).unwrap())
        .collect()
}

/// Adds the bases of buffers to addresses. A NOP after a packet names the buffer; after a pitch it tells the kernel about
/// tiles, which the words have already.
fn relocated(text: &str, buffers: &[u32]) -> Vec<u32> {
    let mut words = words(text);
    let (mut at, mut addresses) = (0, Vec::new());
    while at < words.len() {
        let word = words[at];
        let count = radeon::packets::payload_words(word) as usize;
        match (word >> 30, word >> 8 & 0xff) {
            (3, 0x10) => {
                let base = buffers[words[at + 1] as usize / 4];
                if !addresses.is_empty() {
                    words[addresses.remove(0)] += base;
                }
            }
            (3, 0x2f) => addresses = vec![at + 3, at + 4],
            (3, 0x33) => addresses = vec![at + 2],
            // RB3D_COLOROFFSET0, ZB_DEPTHOFFSET, TX_OFFSET_0.
            (0, _) if [0x138a, 0x13c8, 0x1150].contains(&word) => addresses = vec![at + 1],
            _ => addresses.clear(),
        }
        at += 1 + count;
    }
    words
}

/// Runs both streams; the chip's memory and what it counted.
fn run(threads: usize) -> (Memory, Stats) {
    let memory = Memory::new(1 << 20);
    let put = |base: u32, words: &[u32]| {
        for (n, word) in (0..).zip(words) {
            memory.store(u64::from(base) + 4 * n, *word).unwrap();
        }
    };
    let bytes: Vec<u8> = (0..1024u32).map(|n| (7 * n) as u8).collect();
    let (texels, _) = bytes.as_chunks();
    let texels: Vec<u32> = texels.iter().map(|t| u32::from_le_bytes(*t)).collect();
    put(UPLOAD, &texels);
    let corners = [
        [-0.9f32, -0.9, 0.0, 1.0, 0.0, 0.0],
        [0.9, -0.9, 0.5, 1.0, 1.0, 0.0],
        [0.0, 0.9, 0.0, 1.0, 0.5, 1.0],
    ];
    put(
        VERTICES,
        &corners
            .as_flattened()
            .iter()
            .map(|v| v.to_bits())
            .collect::<Vec<_>>(),
    );
    let index = |n: u32| (n % 3) | (((n + 1) % 3) << 16);
    put(INDICES, &(0..150).map(|n| index(2 * n)).collect::<Vec<_>>());
    let start = Start {
        threads: Some(threads),
        ..Start::default()
    };
    let mut chip = R5xx::new(memory.clone(), start);
    let streams = [
        relocated(CLEAR, &[COLOR, DEPTH, TEXTURE, UPLOAD]),
        relocated(
            TEXTURED,
            &[OTHER, TEXTURE, COLOR, DEPTH, VERTICES, INDICES, READ_BACK],
        ),
    ];
    let mut stats = Stats::default();
    for stream in streams {
        put(0x1000, &stream);
        let end = 0x1000 + 4 * stream.len() as u64;
        stats = stats.plus(chip.execute(Addr(0x1000)..Addr(end)).unwrap());
    }
    (memory, stats)
}

/// The colour buffer, as it lies on the screen: alpha, red, green, blue from the highest byte on.
fn picture(memory: &Memory) -> Vec<u32> {
    let tiling = Tiling {
        macro_tiled: true,
        micro: Micro::Tiled,
    };
    let surface = Surface::new(tiling, 4, [64, 64], 1).unwrap();
    let pixel = |n: u32| memory.load(u64::from(COLOR) + surface.offset(n % 64, n / 64, 0, 0));
    (0..64 * 64).map(|n| pixel(n).unwrap()).collect()
}

/// FNV-1a of the words.
fn hash(words: &[u32]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// Pixels of the same program on Mesa's softpipe: column, line from the top, red, green and blue.
const SOFTPIPE: [(usize, usize, [i32; 3]); 12] = [
    (0, 0, [64, 128, 191]),
    (63, 63, [64, 128, 191]),
    (32, 6, [60, 108, 147]),
    (32, 20, [58, 109, 151]),
    (24, 30, [129, 153, 117]),
    (40, 30, [63, 111, 160]),
    (20, 50, [100, 146, 160]),
    (32, 40, [113, 141, 119]),
    (50, 55, [58, 109, 154]),
    (30, 59, [145, 166, 117]),
    (10, 20, [64, 128, 191]),
    (55, 10, [64, 128, 191]),
];

#[test]
fn the_picture_is_that_of_the_program() {
    let (memory, stats) = run(1);
    let pixels = picture(&memory);
    for (x, y, expected) in SOFTPIPE {
        let [blue, green, red, _] = pixels[64 * y + x].to_le_bytes().map(i32::from);
        for (own, expected) in [red, green, blue].into_iter().zip(expected) {
            assert!((own - expected).abs() <= 2, "{x}, {y}: {own}, {expected}");
        }
    }
    let clear = pixels.iter().filter(|pixel| **pixel == 0xff40_80bf).count();
    assert_eq!((clear, hash(&pixels)), (2383, 0x7fb6_ccad_2b3c_e65e));
    assert_eq!((stats.draws, stats.primitives), (12, 115));
    // The pixel that the program reads back, red first.
    let [blue, green, red, alpha] = pixels[64 * 31 + 32].to_le_bytes();
    let read = memory.load(READ_BACK.into()).unwrap();
    assert_eq!(read.to_le_bytes(), [red, green, blue, alpha]);
}

#[test]
fn threads_change_nothing() {
    let ((one, stats), (three, other)) = (run(1), run(3));
    assert!(picture(&one) == picture(&three));
    assert_eq!(stats, other);
}
