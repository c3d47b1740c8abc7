//! The manual's formulas by hand, and that every element has a place of its own.

use super::*;

const fn tiling(macro_tiled: bool, micro: Micro) -> Tiling {
    Tiling { macro_tiled, micro }
}

const TILINGS: [Tiling; 6] = [
    tiling(false, Micro::Linear),
    tiling(false, Micro::Tiled),
    tiling(false, Micro::Square),
    tiling(true, Micro::Linear),
    tiling(true, Micro::Tiled),
    tiling(true, Micro::Square),
];

fn surface(macro_tiled: bool, micro: Micro, element_bytes: u32, size: [u32; 2]) -> Surface {
    Surface::new(tiling(macro_tiled, micro), element_bytes, size, 1).expect("the chip has it")
}

#[test]
fn tiles_have_the_sizes_of_the_manual() {
    // Bytes; texels of a micro-linear unit, a micro tile, and of the macro tiles made of them.
    let rows = [
        (1, [32, 1], Some([8, 4]), [256, 8], Some([64, 32])),
        (2, [16, 1], Some([8, 2]), [128, 8], Some([64, 16])),
        (4, [8, 1], Some([4, 2]), [64, 8], Some([32, 16])),
        (8, [4, 1], Some([2, 2]), [32, 8], Some([16, 16])),
        (16, [2, 1], None, [16, 8], None),
    ];
    for (bytes, linear, micro, macro_linear, macro_tiled) in rows {
        let of = |macro_tiled, micro| tiling(macro_tiled, micro).granularity(bytes);
        assert_eq!(of(false, Micro::Linear), Some(linear));
        assert_eq!(of(false, Micro::Tiled), micro);
        assert_eq!(of(true, Micro::Linear), Some(macro_linear));
        assert_eq!(of(true, Micro::Tiled), macro_tiled);
        let square = (bytes == 2).then_some([4, 4]);
        assert_eq!(of(false, Micro::Square), square);
        assert_eq!(of(true, Micro::Square), square.map(|_| [32, 32]));
    }
}

#[test]
fn offsets_by_hand() {
    // Rows of 13 words are padded to 32 bytes: 64.
    let linear = surface(false, Micro::Linear, 4, [13, 4]);
    assert_eq!(linear.offset(3, 2, 0, 0), 2 * 64 + 12);
    // Four micro tiles a row; the tile at (2, 1) is number 6.
    let micro = surface(false, Micro::Tiled, 4, [16, 8]);
    assert_eq!(micro.offset(9, 3, 0, 0), 6 * 32 + (4 + 1) * 4);
    let micro = surface(false, Micro::Square, 2, [16, 8]);
    assert_eq!(micro.offset(5, 6, 0, 0), 5 * 32 + (2 * 4 + 1) * 2);
    // The worked example of the guide.
    let both = surface(true, Micro::Tiled, 4, [64, 32]);
    assert_eq!(both.offset(37, 21, 0, 0), 3 * 2048 + 57 * 32 + 20);
    // Macro tile (1, 0) of micro-linear texels: the tile (2, 5) of it has bits 2, 1, 0 of x and y 010, 101; bit 5 is
    // turned over by the odd macro column twice over, by itself and by y.
    let rows = surface(true, Micro::Linear, 4, [128, 8]);
    let place = 0b000010;
    assert_eq!(rows.offset(64 + 2 * 8 + 3, 5, 0, 0), 2048 + place * 32 + 12);
    // The second slice.
    assert_eq!(both.offset(37, 21, 1, 0), 64 * 32 * 4 + 7988);
}

#[test]
fn every_element_has_a_place_of_its_own() {
    for tiling in TILINGS {
        for bytes in [1, 2, 4, 8, 16] {
            let Some([width, height]) = tiling.granularity(bytes) else {
                continue;
            };
            let size = [3 * width, 2 * height];
            let surface = Surface::new(tiling, bytes, size, 1).expect("the chip has it");
            assert_eq!([surface.pitch, surface.height], size);
            unique(&surface, 2);
        }
    }
}

#[test]
fn every_sample_has_a_place_of_its_own() {
    for samples in [2, 3, 4, 6] {
        for bytes in [4, 8] {
            let surface = Surface::new(Tiling::default(), bytes, [20, 24], samples);
            unique(&surface.expect("the chip has it"), 1);
        }
    }
}

/// All offsets fill the surface, and are the sum of their axes' shares.
fn unique(surface: &Surface, slices: u32) {
    let bytes = u64::from(surface.element_bytes);
    let mut seen = vec![false; (surface.bytes(slices) / bytes) as usize];
    let xor = surface.xor_bits();
    for slice in 0..slices {
        for y in 0..surface.height {
            for x in 0..surface.pitch {
                for sample in 0..surface.samples {
                    let offset = surface.offset(x, y, slice, sample);
                    assert_eq!(offset % bytes, 0);
                    let place = &mut seen[(offset / bytes) as usize];
                    assert!(!*place, "{surface:?} {x} {y} {slice} {sample}");
                    *place = true;
                    let shares = [
                        surface.offset(x, 0, 0, 0),
                        surface.offset(0, y, 0, 0),
                        surface.offset(0, 0, slice, sample),
                    ];
                    let sum: u64 = shares.iter().map(|share| share & !xor).sum();
                    let bits = shares.iter().fold(0, |bits, share| bits ^ share) & xor;
                    assert_eq!(sum | bits, offset, "{surface:?} {x} {y} {slice} {sample}");
                }
            }
        }
    }
    assert!(seen.into_iter().all(|place| place));
}

#[test]
fn samples_lie_as_the_manual_says() {
    // In units of 32 bytes, with `word` 0 or 1 for the upper and lower half of a block.
    let formula = |samples: u32, x: u32, y: u32, pitch: u32, cw: u32| {
        let column = (x >> 2) << 1 | y >> 2 & 1;
        let line = (y >> 3) * (pitch >> 2);
        let cw = if samples == 4 {
            cw ^ (x >> 2 & 1) << 2
        } else {
            cw
        };
        u64::from(2 * samples * column + 4 * samples * line + cw)
    };
    for samples in [2, 3, 4, 6] {
        let surface = Surface::new(Tiling::default(), 4, [32, 16], samples);
        let surface = surface.expect("the chip has it");
        for (x, y) in [(0, 0), (5, 3), (13, 9), (31, 15), (4, 8)] {
            for sample in 0..samples {
                let cw = 2 * sample + (y % 4) / 2;
                let words = formula(samples, x, y, surface.pitch, cw);
                assert_eq!(surface.offset(x, y, 0, sample) / 32, words);
            }
        }
    }
}

#[test]
fn silicon_reads_and_writes_tiles_where_they_lie() {
    use silicon::Memory;
    use silicon::fragment::surface::{Cache, LanePixels, Texels};
    use silicon::fragment::tile::{LANE_X, LANE_Y};

    let memory = Memory::new(1 << 20);
    let mut cache = Cache::default();
    for tiling in TILINGS {
        for bytes in [1, 2, 4, 8, 16] {
            let Ok(surface) = Surface::new(tiling, bytes, [72, 40], 1) else {
                continue;
            };
            let base = 3 * tiling.base_align();
            let plane = cache.plane(&memory, surface, base, 0).expect("it fits");
            assert!(cache.plane(&memory, surface, base + 4, 0).is_err());
            let texels = Texels {
                place: LanePixels::Tile(8, 16),
                sample: 0,
                mask: u64::MAX,
            };
            let mut words = [[0; 64]; 4];
            let mask = u32::MAX >> (32 - 8 * bytes.min(4));
            for (n, word) in words.iter_mut().flatten().enumerate() {
                *word = 0x1234_5678_u32.wrapping_mul(n as u32 + bytes) & mask;
            }
            plane.write(&memory, &texels, true, &words);
            let mut read = [[0; 64]; 4];
            plane.read(&memory, &texels, &mut read);
            for lane in 0..64 {
                let (x, y) = (8 + LANE_X[lane] as u32, 16 + LANE_Y[lane] as u32);
                for n in 0..bytes.div_ceil(4) {
                    let at = base + surface.offset(x, y, 0, 0) + u64::from(4 * n);
                    let word = memory.load(at).expect("it fits") >> (8 * (at & 3)) & mask;
                    assert_eq!(word, words[n as usize][lane], "{surface:?} {x} {y}");
                    assert_eq!(read[n as usize][lane] & mask, word, "{surface:?} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn levels_follow_each_other() {
    let shape = Shape {
        tiling: tiling(true, Micro::Tiled),
        element_bytes: 4,
        block: [1, 1],
        size: [64, 64, 1],
        pitch: None,
        levels: 7,
        cube: false,
        macro_switch: false,
    };
    let levels = layout(&shape).expect("the chip has it");
    let facts = |level: &Level| (level.offset, level.surface.tiling.macro_tiled);
    // 64 and 32 are macro-tiled: at least eight micro tiles of four. Then micro tiles of 4x2, down to one of 32 bytes.
    let expected = [
        (0, true),
        (16384, true),
        (20480, false),
        (21504, false),
        (21760, false),
        (21824, false),
        (21856, false),
    ];
    assert_eq!(levels.iter().map(facts).collect::<Vec<_>>(), expected);
    let switched = layout(&Shape {
        macro_switch: true,
        ..shape
    });
    assert!(
        !switched.expect("the chip has it")[1]
            .surface
            .tiling
            .macro_tiled
    );
    let cube = layout(&Shape {
        cube: true,
        ..shape
    });
    assert_eq!(cube.expect("the chip has it")[1].offset, 6 * 16384);
    let volume = layout(&Shape {
        size: [64, 64, 8],
        ..shape
    });
    let volume = volume.expect("the chip has it");
    assert_eq!((volume[1].offset, volume[1].slices), (8 * 16384, 4));
    assert_eq!(volume[2].offset, 8 * 16384 + 4 * 4096);
    // Rows of one texel have 32 bytes.
    let linear = layout(&Shape {
        tiling: Tiling::default(),
        size: [2, 2, 1],
        levels: 2,
        ..shape
    });
    assert_eq!(linear.expect("the chip has it")[1].offset, 64);
    let wide = layout(&Shape {
        element_bytes: 16,
        ..shape
    });
    assert!(wide.is_err());
}
