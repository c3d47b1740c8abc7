#![allow(clippy::unwrap_used)]

use super::*;

fn surface(word: u32, element_bytes: u32, pitch: u32, height: u32, samples: u32) -> Surface {
    Surface {
        mode: tile_mode(word),
        element_bytes,
        pitch,
        height,
        samples,
        swizzle: Swizzle::default(),
    }
}

/// [TILING 8], Tahiti.
#[test]
fn vectors_of_tahiti() {
    let color = surface(TAHITI[16], 4, 128, 128, 1);
    for (x, y, offset) in [
        (0, 0, 0),
        (8, 0, 0x200),
        (0, 8, 0x4100),
        (16, 0, 0x100),
        (0, 16, 0x2200),
        (32, 0, 0x500),
        (64, 0, 0x8800),
        (101, 77, 0xd4cc),
    ] {
        assert_eq!(color.offset(x, y, 0, 0), offset, "({x}, {y})");
    }
    let depth = surface(TAHITI[0], 4, 128, 256, 1);
    for (x, y, offset) in [
        (2, 0, 0x10),
        (0, 2, 0x20),
        (4, 0, 0xc800),
        (8, 0, 0x200),
        (101, 77, 0x1f44c),
    ] {
        assert_eq!(depth.offset(x, y, 0, 0), offset, "({x}, {y})");
    }
}

/// A table word of a P4_8x16 (Verde) or P2 (Hainan) part.
fn other(array: u32, micro: u32, pipes: u32, split: u32, [w, h, aspect, banks]: [u32; 4]) -> u32 {
    micro
        | array << 2
        | pipes << 6
        | (split / 64).ilog2() << 11
        | w.ilog2() << 14
        | h.ilog2() << 16
        | aspect.ilog2() << 18
        | (banks / 2).ilog2() << 20
}

/// [TILING 8], the smaller parts: other pipe counts, samples, slices, display and thick order.
#[test]
fn vectors_of_other_parts() {
    let verde16 = other(4, 1, 4, 512, [1, 1, 2, 16]);
    let color = surface(verde16, 4, 128, 128, 1);
    for (x, y, slice, offset) in [
        (1, 0, 0, 0x4),
        (0, 1, 0, 0x8),
        (2, 0, 0, 0x10),
        (7, 7, 0, 0xfc),
        (8, 0, 0, 0x200),
        (0, 8, 0, 0x2100),
        (16, 0, 0, 0x100),
        (0, 16, 0, 0x1200),
        (32, 0, 0, 0x400),
        (64, 0, 0, 0x4800),
        (127, 127, 0, 0xf8fc),
        (0, 0, 1, 0x11c00),
        (101, 77, 1, 0x1fdcc),
    ] {
        assert_eq!(color.offset(x, y, slice, 0), offset, "({x}, {y}, {slice})");
    }
    let samples = surface(verde16, 4, 128, 128, 4);
    for (x, y, sample, offset) in [
        (0, 0, 1, 0x4000),
        (0, 0, 3, 0x26400),
        (101, 77, 1, 0x1e1cc),
        (101, 77, 3, 0x3c5cc),
    ] {
        assert_eq!(
            samples.offset(x, y, 0, sample),
            offset,
            "({x}, {y}) sample {sample}"
        );
    }
    let display = surface(other(4, 0, 4, 512, [1, 1, 2, 16]), 4, 128, 128, 1);
    assert_eq!(display.offset(4, 0, 0, 0), 0x20);
    assert_eq!(display.offset(0, 1, 0, 0), 0x10);
    assert_eq!(display.offset(101, 77, 0, 0), 0xe1b4);
    let bytes = surface(other(4, 1, 4, 256, [1, 4, 2, 16]), 1, 128, 256, 1);
    assert_eq!(bytes.offset(8, 0, 0, 0), 0x200);
    assert_eq!(bytes.offset(0, 8, 0, 0), 0x140);
    assert_eq!(bytes.offset(0, 32, 0, 0), 0x2000);
    assert_eq!(bytes.offset(101, 77, 0, 0), 0x5d73);
    let hainan = surface(other(4, 1, 0, 512, [1, 1, 2, 16]), 4, 128, 128, 1);
    assert_eq!(hainan.offset(8, 0, 0, 0), 0x100);
    assert_eq!(hainan.offset(0, 8, 0, 0), 0x1100);
    assert_eq!(hainan.offset(16, 0, 0, 0), 0x200);
    assert_eq!(hainan.offset(101, 77, 0, 0), 0xfbcc);
    let thick = surface(other(7, 3, 4, 2048, [1, 1, 2, 16]), 4, 128, 128, 1);
    assert_eq!(thick.offset(0, 0, 1, 0), 0x20);
    assert_eq!(thick.offset(2, 0, 0, 0), 0x10);
    assert_eq!(thick.offset(4, 0, 0, 0), 0x4000);
    assert_eq!(thick.offset(0, 0, 4, 0), 0x41c00);
    assert_eq!(thick.offset(101, 77, 5, 0), 0x7fd2c);
}

/// Every element of a padded surface has bytes of its own, there are no holes, and an offset is put together from
/// the offsets along each axis.
#[test]
fn every_mode_is_a_bijection() {
    for (index, word) in TAHITI.iter().enumerate().take(26) {
        let mode = tile_mode(*word);
        for element_bytes in [1, 2, 4, 8, 16] {
            for samples in [1, 4] {
                let macro_tiled = matches!(mode.array, ArrayMode::Macro { .. });
                if samples > 1 && (!macro_tiled || mode.thickness > 1) {
                    continue;
                }
                // An entry serves element sizes for which its banks hold whole interleave groups.
                let micro = (64 * mode.thickness * element_bytes * samples).min(mode.split_bytes);
                if macro_tiled && micro * mode.bank_width * mode.bank_height < PIPE_INTERLEAVE_BYTES
                {
                    continue;
                }
                let s = surface(
                    *word,
                    element_bytes,
                    (mode.tile_width()).max(64),
                    mode.tile_height().max(32),
                    samples,
                );
                check(&s, index);
            }
        }
    }
}

fn check(s: &Surface, index: usize) {
    let slices = s.mode.thickness.max(2);
    let size = s.bytes(slices);
    let mut seen = vec![false; (size / u64::from(s.element_bytes)) as usize];
    let xor = s.xor_bits();
    let axis = |a: u64, b: u64| ((a & !xor) + (b & !xor)) | ((a ^ b) & xor);
    let edge = s.tile_edge();
    for i in 0..s.pitch.max(s.height) {
        let (first, inside) = (i - i % edge, i % edge);
        let column = axis(s.offset(first, 0, 0, 0), s.offset(inside, 0, 0, 0));
        assert_eq!(
            s.offset(i, 0, 0, 0),
            column,
            "mode {index}: {s:?} column {i}"
        );
        let line = axis(s.offset(0, first, 0, 0), s.offset(0, inside, 0, 0));
        assert_eq!(s.offset(0, i, 0, 0), line, "mode {index}: {s:?} line {i}");
    }
    for slice in 0..slices {
        for sample in 0..s.samples {
            let z = axis(s.offset(0, 0, slice, 0), s.offset(0, 0, 0, sample));
            for y in 0..s.height {
                let row = axis(z, s.offset(0, y, 0, 0));
                for x in 0..s.pitch {
                    let offset = s.offset(x, y, slice, sample);
                    assert_eq!(
                        offset,
                        axis(row, s.offset(x, 0, 0, 0)),
                        "mode {index}: {s:?} ({x}, {y}, {slice}, {sample})"
                    );
                    let at = (offset / u64::from(s.element_bytes)) as usize;
                    assert!(
                        !std::mem::replace(&mut seen[at], true),
                        "mode {index}: {s:?} ({x}, {y}, {slice}, {sample}) twice"
                    );
                }
            }
        }
    }
}

/// As Mesa's drivers place the levels of 65x33 texels: a pitch and rows of each, and where it starts.
#[test]
fn levels_are_padded_to_powers_of_two() {
    let shape = ImageShape {
        mode: 13,
        element_bytes: 4,
        block: [1, 1],
        width: 65,
        height: 33,
        depth: 1,
        layers: 1,
        single_cube: false,
        levels: 5,
        samples: 1,
        pitch: 0,
    };
    let levels = layout(&shape).levels;
    let found = levels.iter().map(|level| {
        let surface = &level.surface;
        (surface.pitch, surface.height, level.offset)
    });
    let expected = [
        (128, 64, 0),
        (64, 16, 32768),
        (32, 8, 36864),
        (16, 8, 37888),
        (8, 8, 38400),
    ];
    assert!(found.eq(expected), "{levels:?}");
    let one = padded(&ImageShape { levels: 1, ..shape }, true);
    assert_eq!(one.levels[0].surface.height, 64);
}

#[test]
fn levels_do_not_overlap() {
    for (kind, bytes, width, height, depth, layers) in [
        (ImageKind::Color, 4, 1280, 720, 1, 1),
        (ImageKind::Color, 4, 100, 37, 1, 6),
        (ImageKind::Color, 16, 300, 200, 5, 1),
        (ImageKind::Color, 1, 513, 257, 1, 3),
        (ImageKind::Depth, 4, 640, 480, 1, 2),
        (ImageKind::Linear, 12, 70, 9, 1, 1),
    ] {
        let shape = ImageShape {
            mode: tile_index(kind, bytes, 1, [width, height]),
            element_bytes: bytes,
            block: [1, 1],
            width,
            height,
            depth,
            layers,
            single_cube: false,
            levels: width.max(height).ilog2() + 1,
            samples: 1,
            pitch: 0,
        };
        let image = layout(&shape);
        let mut end = 0;
        for level in &image.levels {
            assert!(level.offset >= end, "{shape:?}");
            assert!(level.surface.pitch >= level.width && level.surface.height >= level.height);
            let last = level
                .surface
                .offset(level.width - 1, level.height - 1, level.slices - 1, 0);
            end = level.offset + level.surface.bytes(level.slices);
            assert!(level.offset + last < end, "{shape:?}");
        }
        assert!(image.bytes >= end);
    }
}
