//! Tiles of surfaces against their texels one by one, in all orders of texels in a tile.
#![allow(clippy::unwrap_used)]

use silicon::fragment::blend::{Blend, Equation, Factor, Logic, Operation, Range};
use silicon::fragment::depth::{Compare, Depth, DepthFormat};
use silicon::fragment::output::{
    ColorOutput, ColorRows, DepthOutput, DepthRows, PixelExports, StencilPlace, TileBatch,
};
use silicon::fragment::stencil::{DepthStencil, Face, Facing, StencilOp};
use silicon::fragment::surface::{Cache, Extent, LanePixels, Layout, Texels, Words};
use silicon::fragment::tile::{LANE_X, LANE_Y, lane};
use silicon::{Format, Memory};

/// How the texels of a tile lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    Lanes,
    /// As displays read texels of four bytes.
    Scanout,
    Lines,
    Rows,
    /// Bits of lines in front of those of columns.
    Twiddled,
}

/// Sixteen by sixteen texels, two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Image {
    order: Order,
    bytes: u32,
}

impl Layout for Image {
    fn extent(&self) -> Extent {
        Extent {
            pitch: 16,
            height: 16,
            samples: 2,
            element_bytes: self.bytes,
        }
    }
    fn bytes(&self, slices: u32) -> u64 {
        u64::from(512 * self.bytes * slices)
    }
    fn xor_bits(&self) -> u64 {
        0
    }
    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        let tile = (x / 8 + y / 8 * 2) * 64;
        let index = match self.order {
            Order::Lanes => tile + lane(x % 8, y % 8),
            Order::Scanout => {
                let bits = [x, x >> 1, y, x >> 2, y >> 1, y >> 2];
                let bits = bits.into_iter().enumerate();
                tile + bits.map(|(n, bit)| (bit & 1) << n).sum::<u32>()
            }
            Order::Lines => tile + y % 8 * 8 + x % 8,
            Order::Rows => y * 16 + x,
            Order::Twiddled => tile + lane(y % 8, x % 8),
        };
        u64::from((index + 256 * sample + 512 * slice) * self.bytes)
    }
}

const ALL: [Order; 5] = [
    Order::Lanes,
    Order::Scanout,
    Order::Lines,
    Order::Rows,
    Order::Twiddled,
];
const BASE: u64 = 0x1000;

/// Column and line of the first pixel of each quad of a tile.
fn quads_of([x, y]: [i32; 2]) -> ([i32; 16], [i32; 16]) {
    let first = |from: &[i32; 64], at: i32| std::array::from_fn(|quad| at + from[4 * quad]);
    (first(&LANE_X, x), first(&LANE_Y, y))
}

#[test]
fn tiles_are_their_texels() {
    for order in ALL {
        for bytes in [1, 2, 4, 8, 16] {
            for mask in [u64::MAX, 0x8000_00f0_1234_0001] {
                let image = Image { order, bytes };
                let mut cache = Cache::default();
                let tile = LanePixels::Tile(8, 8);
                let (x, y) = quads_of([8, 8]);
                let lanes = LanePixels::Quads([&x, &y]);
                let limit = if bytes < 4 {
                    (1 << (8 * bytes)) - 1
                } else {
                    !0
                };
                let words: Words = std::array::from_fn(|n| {
                    std::array::from_fn(|lane| (lane as u32 * 0x0107_0501 + n as u32) & limit)
                });
                let at = |place, mask| Texels {
                    place,
                    sample: 1,
                    mask,
                };
                for place in [tile, lanes] {
                    let memory = Memory::new(0x1_0000);
                    let plane = cache.plane(&memory, image, BASE, 1).unwrap();
                    plane.write(&memory, &at(place, mask), false, &words);
                    let mut by_lane: Words = [[0; 64]; 4];
                    plane.read(&memory, &at(lanes, u64::MAX), &mut by_lane);
                    let mut by_tile: Words = [[0; 64]; 4];
                    plane.read(&memory, &at(tile, u64::MAX), &mut by_tile);
                    for n in 0..bytes.div_ceil(4) as usize {
                        for lane in 0..64 {
                            let written = mask >> lane & 1 != 0;
                            let expected = if written { words[n][lane] } else { 0 };
                            assert_eq!(by_lane[n][lane] & limit, expected, "{image:?} {lane}");
                            assert_eq!(by_tile[n][lane] & limit, expected, "{image:?} {lane}");
                        }
                    }
                    // Nothing outside the tile of that sample and slice.
                    let used: u32 = (0..0x1_0000)
                        .filter(|at| memory.load_byte(*at) != Some(0))
                        .count() as u32;
                    assert!(used <= 64 * bytes);
                }
            }
        }
    }
}

/// One texel all over some tiles, and rows of texels, are as texels tile by tile.
#[test]
fn tiles_side_by_side_are_as_one_after_the_other() {
    let level = silicon::host::SimdLevel::current();
    let (tiles, mask) = ([[0, 8], [8, 0], [8, 8]], u64::MAX);
    let mut ways = 0;
    for order in ALL {
        for bytes in [1, 2, 4, 8, 16] {
            let image = Image { order, bytes };
            let mut cache = Cache::default();
            for one in [true, false] {
                let texel = |lane: usize, n: usize| {
                    let lane = if one { 7 } else { lane as u32 };
                    let word = lane * 0x0107_0501 + 0x1234_5678 * n as u32;
                    word & u32::MAX >> (32 - 8 * bytes.min(4))
                };
                let words: Words = std::array::from_fn(|n| std::array::from_fn(|l| texel(l, n)));
                let [all, each] = [0, 1].map(|_| Memory::new(0x1_0000));
                let plane = cache.plane(&all, image, BASE, 0).unwrap();
                let done = match one {
                    true => plane.fill_all(&all, (&tiles, 1), &[0, 1, 2, 3].map(|n| texel(0, n))),
                    false => {
                        let rows = words.map(|row| vec![row; tiles.len()]);
                        let rows = rows.each_ref().map(Vec::as_slice);
                        plane.write_all(level, &all, (&tiles, 1), &rows)
                    }
                };
                if !done {
                    continue;
                }
                ways += 1;
                for [x, y] in tiles {
                    let place = LanePixels::Tile(x, y);
                    let texels = Texels {
                        place,
                        sample: 1,
                        mask,
                    };
                    plane.write(&each, &texels, false, &words);
                }
                for at in (0..0x1_0000).step_by(4) {
                    assert_eq!(all.load(at), each.load(at), "{image:?} at {at:#x}");
                }
            }
        }
    }
    assert!(ways >= 30, "{ways} ways");
}

#[test]
fn surfaces_beyond_memory_are_refused() {
    let memory = Memory::new(0x1_0000);
    let image = Image {
        order: Order::Lanes,
        bytes: 4,
    };
    let mut cache = Cache::default();
    let error = cache.plane(&memory, image, 0xff00, 0).unwrap_err();
    assert!(error.contains("beyond video memory"), "{error}");
    let error = cache.plane(&memory, image, 0x80, 0).unwrap_err();
    assert!(error.contains("multiple of 256"), "{error}");
}

/// Depth and stencil in one word: both are tested, and neither spoils the other.
#[test]
fn stencil_beside_depth() {
    for order in ALL {
        let memory = Memory::new(0x1_0000);
        let image = Image { order, bytes: 4 };
        let plane = Cache::default().plane(&memory, image, BASE, 0).unwrap();
        let texels = |mask| Texels {
            place: LanePixels::Tile(0, 8),
            sample: 0,
            mask,
        };
        let old: Words = [[0x0580_0000; 64]; 4];
        plane.write(&memory, &texels(u64::MAX), false, &old);
        let face = Face {
            compare: Compare::Equal,
            fail: StencilOp::Zero,
            depth_fail: StencilOp::Invert,
            pass: StencilOp::IncrementClamp,
            compare_mask: 0xff,
            write_mask: 0xff,
            reference: 5,
        };
        let output = DepthOutput {
            test: DepthStencil {
                depth: Some(Depth {
                    format: DepthFormat::Unorm24,
                    compare: Compare::Less,
                    write: true,
                    clamp: Some([0.0, 1.0]),
                    bounds: None,
                }),
                stencil: Some([face; 2]),
            },
            depth: Some(plane.clone()),
            stencil: Some(StencilPlace::WithDepth { word: 0, shift: 24 }),
            ..DepthOutput::default()
        };
        // Even lanes are nearer than what is stored; the last sixteen lanes are not drawn.
        let z = std::array::from_fn(|lane| if lane % 2 == 0 { 0.0 } else { 1.0 });
        let mask = u64::MAX >> 16;
        let level = silicon::SimdLevel::current();
        let mut rows = DepthRows::default();
        let passed = output.run(
            level,
            &memory,
            &texels(mask),
            Facing::of(u64::MAX),
            &z,
            &mut rows,
        );
        assert_eq!(passed, 0x5555_5555_5555_5555 & mask);
        let mut now: Words = [[0; 64]; 4];
        plane.read(&memory, &texels(u64::MAX), &mut now);
        for (lane, word) in now[0].iter().enumerate() {
            let expected = match lane {
                48.. => 0x0580_0000,
                n if n % 2 == 0 => 0x0600_0000,
                _ => 0xfa80_0000,
            };
            assert_eq!(*word, expected, "{order:?} lane {lane}");
        }
    }
}

/// A logic operation changes the bits of the written components only, wherever the format keeps them.
#[test]
fn logic_writes_the_components_of_the_mask() {
    let old = [0x1111_2222, 0x3333_4444, 0, 0];
    for (format, bytes, write, expected) in [
        (
            Format::R16G16B16A16Uint,
            8,
            0b0001,
            [0x1111_aaa0, 0x3333_4444],
        ),
        (
            Format::R16G16B16A16Uint,
            8,
            0b0010,
            [0xaaa1_2222, 0x3333_4444],
        ),
        (
            Format::R16G16B16A16Uint,
            8,
            0b1100,
            [0x1111_2222, 0xaaa3_aaa2],
        ),
        (Format::R8G8B8A8Uint, 4, 0b0101, [0x11a2_22a0, 0]),
        (Format::B8G8R8A8Unorm, 4, 0b0001, [0x11a0_2222, 0]),
        (Format::A2B10G10R10Uint, 4, 0b1000, [0xd111_2222, 0]),
        (Format::R32G32Uint, 8, 0b0010, [0x1111_2222, 0xaaaa_aaa1]),
        (Format::R8G8B8A8Uint, 4, 0b0000, [0x1111_2222, 0]),
    ] {
        let memory = Memory::new(0x1_0000);
        let image = Image {
            order: Order::Lanes,
            bytes,
        };
        let plane = Cache::default().plane(&memory, image, BASE, 0).unwrap();
        let texels = |mask| Texels {
            place: LanePixels::Tile(8, 0),
            sample: 0,
            mask,
        };
        plane.write(
            &memory,
            &texels(u64::MAX),
            false,
            &old.map(|word| [word; 64]),
        );
        let state = Blend {
            write,
            ..Blend::opaque(Range::Float)
        };
        let output = ColorOutput::new(0, format, &Blend::opaque(Range::Float), plane.clone());
        let output = output.with_logic(Logic::Copy, &state);
        // What is exported: numbers that fit the channels, told apart by their last digit.
        let value = |component: u32| match (format, component) {
            (Format::R16G16B16A16Uint, n) => 0xaaa0 + n,
            (Format::R32G32Uint, n) => 0xaaaa_aaa0 + n,
            (Format::B8G8R8A8Unorm, n) => ((0xa0 + n) as f32 / 255.0).to_bits(),
            (Format::A2B10G10R10Uint, _) => 3,
            (_, n) => 0xa0 + n,
        };
        let rows: [[u32; 64]; 4] = std::array::from_fn(|n| [value(n as u32); 64]);
        let mask = 0x8000_00f0_1234_0001;
        let level = silicon::SimdLevel::current();
        let mut scratch = ColorRows::default();
        let colors = (1, |_| rows.each_ref());
        output.write(level, &memory, &texels(mask), colors, &mut scratch);
        let mut now: Words = [[0; 64]; 4];
        plane.read(&memory, &texels(u64::MAX), &mut now);
        for lane in 0..64 {
            let expected = if mask >> lane & 1 != 0 {
                expected
            } else {
                [old[0], old[1]]
            };
            let words = now.iter().zip(expected).take(bytes as usize / 4);
            for (now, expected) in words {
                assert_eq!(now[lane], expected, "{format:?} {write:04b} {lane}");
            }
        }
    }
}

/// A target asks for its own export, and for the next one only where blending has a second source.
#[test]
fn targets_take_their_own_exports() {
    let memory = Memory::new(0x1_0000);
    let image = Image {
        order: Order::Lanes,
        bytes: 8,
    };
    let plane = Cache::default().plane(&memory, image, BASE, 0).unwrap();
    let texels = Texels {
        place: LanePixels::Tile(8, 0),
        sample: 0,
        mask: u64::MAX,
    };
    let row = [0x3f80_0000; 64];
    let opaque = Blend::opaque(Range::Float);
    let second = Equation {
        src: Factor::One,
        dst: Factor::Src1Alpha,
        op: Operation::Add,
    };
    let second = Blend {
        alpha: second,
        ..opaque
    };
    let level = silicon::SimdLevel::current();
    for (index, state, expected) in [(7, opaque, vec![7]), (0, second, vec![0, 1])] {
        let output = ColorOutput::new(index, Format::R16G16B16A16Float, &state, plane.clone());
        let asked = std::cell::RefCell::new(Vec::new());
        let color_of = |target| {
            asked.borrow_mut().push(target);
            [&row; 4]
        };
        let mut scratch = ColorRows::default();
        output.write(level, &memory, &texels, (0x83, color_of), &mut scratch);
        let mut asked = asked.take();
        asked.sort_unstable();
        assert_eq!(asked, expected);
    }
}

#[test]
fn cleared_exports_export_nothing() {
    let mut exports = PixelExports::default();
    (exports.color_mask, exports.has_depth, exports.valid) = (3, true, 5);
    exports.clear();
    assert_eq!(
        (exports.color_mask, exports.has_depth, exports.valid),
        (0, false, 0)
    );
}

/// Whole tiles, and waves with all their samples, against a lane and a sample at a time.
#[test]
fn samples_of_a_tile_are_as_one_after_the_other() {
    let over = |src| Equation {
        src,
        dst: Factor::OneMinusSrcAlpha,
        op: Operation::Add,
    };
    let level = silicon::SimdLevel::current();
    let formats = [
        (Format::R8Unorm, Range::Unorm),
        (Format::R8G8Unorm, Range::Unorm),
        (Format::R8G8B8A8Unorm, Range::Unorm),
        (Format::R8G8B8A8Srgb, Range::Unorm),
        (Format::R16G16B16A16Float, Range::Float),
        (Format::R32Float, Range::Float),
        (Format::R32G32B32A32Float, Range::Float),
    ];
    for (format, range) in formats {
        for (order, alike) in ALL
            .into_iter()
            .flat_map(|order| [(order, false), (order, true)])
        {
            let bytes = format.size_bytes();
            let image = Image { order, bytes };
            for (color, alpha) in [
                (Equation::REPLACE, Equation::REPLACE),
                (over(Factor::SrcAlpha), over(Factor::One)),
                (over(Factor::Src1Alpha), over(Factor::DstColor)),
            ] {
                let state = Blend {
                    color,
                    alpha,
                    ..Blend::opaque(range)
                };
                for (masks, packed) in [
                    ([u64::MAX; 2], false),
                    ([0x8000_00f0_1234_0001; 2], false),
                    ([u64::MAX, 0xff00], false),
                    ([u64::MAX, 0xff00], true),
                    ([0x8000_00f0_1234_0001, 0], true),
                ] {
                    let texels = |place, sample, mask| Texels {
                        place,
                        sample,
                        mask,
                    };
                    let [whole, single] = [(); 2].map(|()| {
                        let memory = Memory::new(0x1_0000);
                        let plane = Cache::default().plane(&memory, image, BASE, 0).unwrap();
                        for (sample, tile) in [(0, 0), (1, 0), (0, 8), (1, 8)] {
                            let words: Words = std::array::from_fn(|n| {
                                let seed = if alike { 0 } else { sample as u32 };
                                std::array::from_fn(|lane| match range {
                                    Range::Float => 0x3a00_3800 + 64 * lane as u32 + seed,
                                    _ => (lane as u32 * 0x0107_0501 + n as u32) ^ seed,
                                })
                            });
                            let place = LanePixels::Tile(tile, 8);
                            let limit = if bytes < 4 {
                                (1 << (8 * bytes)) - 1
                            } else {
                                !0
                            };
                            let words = words.map(|row| row.map(|word| word & limit));
                            plane.write(&memory, &texels(place, sample, u64::MAX), false, &words);
                        }
                        (memory, plane)
                    });
                    let output = |plane: &silicon::fragment::surface::Plane| {
                        ColorOutput::new(0, format, &state, plane.clone())
                    };
                    let rows: [[[u32; 64]; 4]; 4] = std::array::from_fn(|n| {
                        std::array::from_fn(|c| {
                            std::array::from_fn(|lane| {
                                ((lane + 3 * c + 17 * n) as f32 / 100.0).to_bits()
                            })
                        })
                    });
                    let color_of =
                        |tile: usize, target: usize| rows[(tile + target) % 4].each_ref();
                    let mut scratch = ColorRows::default();
                    let (memory, plane) = &whole;
                    let tiles = [[0, 8], [8, 8]];
                    if masks[0] == masks[1] && !packed {
                        let in_place =
                            |tile, target, source: &mut _| *source = color_of(tile, target);
                        let colors = (|_| 3, in_place);
                        let tiles = TileBatch {
                            at: &tiles,
                            masks: &masks,
                            samples: 0..2,
                        };
                        output(plane).write_tiles(level, memory, tiles, colors, &mut scratch);
                    } else {
                        for (n, [x, y]) in tiles.into_iter().enumerate() {
                            let colors = (3, |target| color_of(n, target));
                            let (columns, lines) = quads_of([x, y]);
                            let place = match packed {
                                true => LanePixels::Quads([&columns, &lines]),
                                false => LanePixels::Tile(x, y),
                            };
                            output(plane).write_samples(
                                level,
                                memory,
                                place,
                                &masks,
                                colors,
                                &mut scratch,
                            );
                        }
                    }
                    let (other, plane) = &single;
                    for (n, [x0, y0]) in tiles.into_iter().enumerate() {
                        let (x, y) = quads_of([x0, y0]);
                        for (sample, mask) in masks.into_iter().enumerate() {
                            for lane in (0..64).filter(|lane| mask >> lane & 1 != 0) {
                                let place = LanePixels::Quads([&x, &y]);
                                let mask = 1 << lane;
                                let texels = Texels {
                                    place,
                                    sample,
                                    mask,
                                };
                                let colors = (3, |target| color_of(n, target));
                                output(plane).write(level, other, &texels, colors, &mut scratch);
                            }
                        }
                    }
                    for at in (0..0x1_0000).step_by(4) {
                        let [a, b] = [memory, other].map(|memory| memory.load(at));
                        assert_eq!(a, b, "{format:?} {image:?} {state:?} {masks:x?} {at:#x}");
                    }
                }
            }
        }
    }
}
