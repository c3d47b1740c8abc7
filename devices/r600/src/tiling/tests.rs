#![allow(clippy::unwrap_used)]

use super::*;

fn surface(mode: ArrayMode, element_bytes: u32, [pitch, height]: [u32; 2]) -> Surface {
    Surface {
        config: Config::CHIP,
        mode,
        depth_order: false,
        element_bytes,
        pitch,
        height,
        slices: 8,
        samples: 1,
        swizzle: Swizzle::default(),
    }
}

#[test]
fn the_chip_is_what_its_register_says() {
    assert_eq!(Config::new(crate::regs::TILING_CONFIG), Config::CHIP);
}

/// x, y, slice, sample and where that is.
type Vector = ([u32; 4], u64);

fn check(surface: &Surface, vectors: &[Vector]) {
    surface.check().unwrap();
    for ([x, y, slice, sample], offset) in vectors {
        assert_eq!(
            surface.offset(*x, *y, *slice, *sample),
            *offset,
            "({x}, {y}) of slice {slice}, sample {sample}"
        );
    }
}

/// [TILING 8], two pipes and four banks.
#[test]
fn vectors_of_two_pipes() {
    let color = surface(ArrayMode::Tiled2dThin1, 4, [64, 32]);
    check(
        &color,
        &[
            ([0, 0, 0, 0], 0),
            ([1, 0, 0, 0], 0x4),
            ([0, 1, 0, 0], 0x10),
            ([4, 0, 0, 0], 0x20),
            ([0, 2, 0, 0], 0x40),
            ([7, 7, 0, 0], 0xfc),
            ([8, 0, 0, 0], 0x300),
            ([0, 8, 0, 0], 0x100),
            ([16, 0, 0, 0], 0x400),
            ([0, 16, 0, 0], 0x1400),
            ([24, 24, 0, 0], 0x1200),
            ([32, 0, 0, 0], 0x800),
            ([63, 31, 0, 0], 0x1afc),
            ([0, 0, 1, 0], 0x2200),
            ([37, 21, 1, 0], 0x3eb4),
        ],
    );
    check(
        &surface(ArrayMode::Tiled2dThin1, 8, [64, 32]),
        &[
            ([0, 4, 0, 0], 0x800),
            ([8, 0, 0, 0], 0x300),
            ([37, 21, 0, 0], 0x3c58),
        ],
    );
    check(
        &surface(ArrayMode::Tiled2dThin1, 1, [128, 32]),
        &[
            ([0, 1, 0, 0], 0x10),
            ([0, 2, 0, 0], 0x8),
            ([8, 0, 0, 0], 0x300),
            ([32, 0, 0, 0], 0x40),
            ([101, 21, 0, 0], 0xcf5),
        ],
    );
    let depth = Surface {
        depth_order: true,
        ..color
    };
    check(
        &depth,
        &[
            ([1, 0, 0, 0], 0x4),
            ([0, 1, 0, 0], 0x8),
            ([2, 0, 0, 0], 0x10),
            ([37, 21, 0, 0], 0x1ccc),
        ],
    );
    let samples = Surface {
        samples: 4,
        ..color
    };
    check(
        &samples,
        &[
            ([0, 0, 0, 1], 0x800),
            ([0, 0, 0, 3], 0x1800),
            ([37, 21, 0, 0], 0x64b4),
            ([37, 21, 0, 1], 0x6cb4),
            ([37, 21, 0, 3], 0x7cb4),
        ],
    );
    let swizzled = Surface {
        swizzle: Swizzle { pipe: 1, bank: 2 },
        ..color
    };
    check(
        &swizzled,
        &[([0, 0, 0, 0], 0x500), ([37, 21, 0, 0], 0x19b4)],
    );
    assert_eq!(color.at(0x4_2500), (swizzled, 0x4_2000));
    check(
        &surface(ArrayMode::Tiled2dThick, 4, [64, 32]),
        &[
            ([0, 0, 1, 0], 0x800),
            ([0, 0, 4, 0], 0x8200),
            ([37, 21, 5, 0], 0xeeb4),
        ],
    );
}

/// [TILING 8], eight pipes and eight banks.
#[test]
fn vectors_of_eight_pipes() {
    let large = Surface {
        config: Config {
            pipes: 8,
            banks: 8,
            ..Config::CHIP
        },
        ..surface(ArrayMode::Tiled2dThin1, 4, [128, 128])
    };
    check(
        &large,
        &[
            ([8, 0, 0, 0], 0xc00),
            ([32, 0, 0, 0], 0x2300),
            ([0, 8, 0, 0], 0x100),
            ([0, 64, 0, 0], 0xa000),
            ([101, 77, 0, 0], 0xc2b4),
        ],
    );
}

/// Every element has bytes of its own and no byte is left over; and offsets are what the axes give, put together.
fn bijection(surface: &Surface, slices: u32) {
    surface.check().unwrap_or_else(|error| panic!("{error}"));
    let step = surface.element_bytes as u64;
    let mut seen = vec![false; (surface.bytes(slices) / step) as usize];
    let xor = surface.xor_bits();
    let join = |a: u64, b: u64| ((a & !xor) + (b & !xor)) | (a ^ b) & xor;
    let edge = surface.tile_edge();
    for i in 0..surface.pitch.max(surface.height) {
        let (first, inside) = (i - i % edge, i % edge);
        let [across, across_inside] = [first, inside].map(|x| surface.offset(x, 0, 0, 0));
        let [down, down_inside] = [first, inside].map(|y| surface.offset(0, y, 0, 0));
        let found = [surface.offset(i, 0, 0, 0), surface.offset(0, i, 0, 0)];
        let joined = [join(across, across_inside), join(down, down_inside)];
        assert_eq!(found, joined, "column and line {i} of {surface:?}");
    }
    for sample in 0..surface.samples {
        for slice in 0..slices {
            let deep = surface.offset(0, 0, slice, sample);
            for y in 0..surface.height {
                let down = surface.offset(0, y, 0, 0);
                for x in 0..surface.pitch {
                    let offset = surface.offset(x, y, slice, sample);
                    let slot = seen.get_mut((offset / step) as usize);
                    assert!(
                        offset.is_multiple_of(step)
                            && slot.is_some_and(|s| !std::mem::replace(s, true)),
                        "({x}, {y}) of slice {slice}, sample {sample} at {offset:#x} of {surface:?}"
                    );
                    let joined = join(join(surface.offset(x, 0, 0, 0), down), deep);
                    assert_eq!(joined, offset, "({x}, {y}) of {surface:?}");
                }
            }
        }
    }
    assert!(seen.iter().all(|s| *s), "{surface:?}");
}

fn configs() -> impl Iterator<Item = Config> {
    [1, 2, 4, 8].into_iter().flat_map(|pipes| {
        [4, 8].into_iter().flat_map(move |banks| {
            // The other order of banks exists for eight pipes only.
            let orders = if pipes == 8 { 2 } else { 1 };
            [false, true]
                .into_iter()
                .take(orders)
                .map(move |optimal_swap| Config {
                    pipes,
                    banks,
                    optimal_swap,
                    ..Config::CHIP
                })
        })
    })
}

#[test]
fn all_modes_are_bijections() {
    for config in configs() {
        for mode in ArrayMode::ALL {
            for (element_bytes, depth_order) in [
                (1, false),
                (2, true),
                (4, false),
                (4, true),
                (8, false),
                (16, false),
            ] {
                let mut surface = Surface {
                    config,
                    depth_order,
                    slices: 8,
                    ..surface(mode, element_bytes, [32, 32])
                };
                surface.pitch = surface.pitch.next_multiple_of(surface.pitch_align());
                surface.height = surface.height.next_multiple_of(surface.height_align());
                bijection(&surface, 4);
            }
        }
    }
}

#[test]
fn samples_are_bijections() {
    for config in configs() {
        for samples in [2, 4, 8] {
            for (element_bytes, depth_order) in [(1, false), (4, false), (4, true), (8, false)] {
                let mut surface = Surface {
                    config,
                    depth_order,
                    samples,
                    ..surface(ArrayMode::Tiled2dThin1, element_bytes, [64, 64])
                };
                surface.pitch = surface.pitch.next_multiple_of(surface.pitch_align());
                surface.height = surface.height.next_multiple_of(surface.height_align());
                bijection(&surface, 2);
            }
        }
    }
}

#[test]
fn levels_of_an_image_follow_each_other() {
    for (mode, levels, layers) in [
        (ArrayMode::Tiled2dThin1, 8, 6),
        (ArrayMode::Tiled1dThin1, 8, 1),
        (ArrayMode::LinearAligned, 1, 3),
        (ArrayMode::Tiled2dThick, 8, 8),
    ] {
        let layout = layout(&ImageShape {
            mode: TileMode {
                array: mode,
                depth_order: false,
            },
            element_bytes: 4,
            block: [1, 1],
            width: 200,
            height: 120,
            depth: 1,
            layers,
            single_cube: false,
            levels,
            samples: 1,
            pitch: 0,
        });
        let mut end = 0;
        for level in &layout.levels {
            level.surface.check().unwrap();
            assert!(level.offset >= end && level.offset % level.surface.base_align() == 0);
            assert!(level.width <= level.surface.pitch && level.height <= level.surface.height);
            end = level.offset + level.surface.bytes(level.slices);
        }
        assert!(end <= layout.bytes);
        assert_eq!(layout.levels[0].surface.mode, mode);
        if levels > 1 {
            assert!(!layout.levels[7].surface.mode.is_macro());
        }
    }
    // Layers of several levels are as many as a power of two in memory, but for the faces of a single cube. [ERRATA 41]
    let second = |layers, single_cube| {
        let mode = TileMode {
            array: ArrayMode::Tiled1dThin1,
            depth_order: false,
        };
        let shape = ImageShape {
            mode,
            element_bytes: 4,
            block: [1, 1],
            width: 32,
            height: 32,
            depth: 1,
            layers,
            single_cube,
            levels: 3,
            samples: 1,
            pitch: 0,
        };
        layout(&shape).levels[1].offset / (32 * 32 * 4)
    };
    assert_eq!(second(6, true), 6);
    assert_eq!([6, 12].map(|layers| second(layers, false)), [8, 16]);
    let color = |size| array_mode(ImageKind::Color, 4, 1, size);
    assert_eq!(color([1280, 720]), ArrayMode::Tiled2dThin1);
    assert_eq!(color([5, 3]), ArrayMode::Tiled1dThin1);
}
