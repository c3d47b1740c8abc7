#![allow(clippy::unwrap_used)]
use super::*;
use crate::fragment::multisample::Samples;
use crate::fragment::stencil::{DepthStencil, Facing, StencilOp};
use crate::fragment::surface::{Cache, Extent, LanePixels, Layout, Texels};
use crate::fragment::tile::lane;
use proptest::prelude::*;

/// Two tiles beside each other, as chips lay them out: samples after each other or beside each other, and blocks of a
/// tile apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tiles {
    bytes: u32,
    samples: u32,
    beside: bool,
    /// Bytes of neighbours, a power of two.
    block: u32,
}

impl Layout for Tiles {
    fn extent(&self) -> Extent {
        Extent {
            pitch: 16,
            height: 8,
            samples: self.samples,
            element_bytes: self.bytes,
        }
    }
    fn bytes(&self, _: u32) -> u64 {
        2 * u64::from(128 * self.bytes * self.samples)
    }
    fn xor_bits(&self) -> u64 {
        0
    }
    fn offset(&self, x: u32, y: u32, _: u32, sample: u32) -> u64 {
        let place = lane(x & 7, y);
        let place = match self.beside {
            true => (x / 8 * 64 + place) * self.samples + sample,
            false => (x / 8 * self.samples + sample) * 64 + place,
        };
        let at = place * self.bytes;
        u64::from(at % self.block + at / self.block * 2 * self.block)
    }
}

const SIZE: u64 = 0x1_0000;

/// A format, bytes of a texel, and where stencil values lie.
type Storage = (DepthFormat, u32, Option<StencilPlace>);

fn storages() -> Vec<Storage> {
    let place = |word, shift| Some(StencilPlace::WithDepth { word, shift });
    vec![
        (DepthFormat::Unorm16, 2, None),
        (DepthFormat::Counted16 { ones: true }, 2, None),
        (DepthFormat::Counted16 { ones: false }, 2, None),
        (DepthFormat::Unorm24, 4, None),
        (DepthFormat::Unorm24, 4, place(0, 24)),
        (DepthFormat::Unorm24, 4, Some(StencilPlace::BelowDepth)),
        (DepthFormat::Float32, 4, None),
        (DepthFormat::Float32, 8, place(1, 0)),
    ]
}

/// Memory with depths of a format and any stencil values, and the planes of depth and stencil in it.
fn surfaces(
    (format, bytes, place): &Storage,
    (samples, beside, block): (u32, bool, u32),
    own: bool,
    stored: &[f32],
) -> (Memory, Plane, Option<StencilPlace>) {
    let memory = Memory::new(SIZE);
    let tiles = |bytes| Tiles {
        bytes,
        samples,
        beside,
        block,
    };
    let plane = Cache::default()
        .plane(&memory, tiles(*bytes), 0x100, 0)
        .unwrap();
    let stencil = Cache::default()
        .plane(&memory, tiles(1), 0x8000, 0)
        .unwrap();
    for sample in 0..samples as usize {
        let mut words = [[0; 64]; 4];
        for lane in 0..64 {
            let depth = format.encode(stored[(lane + 11 * sample) % stored.len()]);
            let byte = (lane * 41 + sample * 7) as u32 & 0xff;
            words[0][lane] = depth;
            match place {
                Some(StencilPlace::WithDepth { word: 0, shift }) => words[0][lane] |= byte << shift,
                Some(StencilPlace::WithDepth { word, shift }) => words[*word][lane] = byte << shift,
                Some(StencilPlace::BelowDepth) => words[0][lane] = depth << 8 | byte,
                _ => {}
            }
        }
        let texels = Texels {
            place: LanePixels::Tile(8, 0),
            sample,
            mask: u64::MAX,
        };
        plane.write(&memory, &texels, true, &words);
        let bytes = std::array::from_fn(|lane| (lane * 29 + sample) as u32 & 0xff);
        stencil.write(&memory, &texels, true, &[bytes, [0; 64], [0; 64], [0; 64]]);
    }
    let place = match own {
        true => Some(StencilPlace::Own(stencil)),
        false => place.clone(),
    };
    (memory, plane, place)
}

fn contents(memory: &Memory) -> Vec<Option<u32>> {
    (0..SIZE).step_by(4).map(|at| memory.load(at)).collect()
}

fn face(ops: [usize; 3], compare: usize, [compare_mask, write_mask, reference]: [u8; 3]) -> Face {
    let [fail, depth_fail, pass] = ops.map(|op| StencilOp::ALL[op]);
    Face {
        compare: Compare::ALL[compare],
        fail,
        depth_fail,
        pass,
        compare_mask,
        write_mask,
        reference,
    }
}

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![-0.2f32..1.2, any::<f32>(), Just(0.5), Just(f32::NAN)]
}

/// How a tile is tested.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Way {
    /// Sample after sample, a row at a time.
    Rows,
    /// All its samples at once.
    Tile,
    /// With other tiles.
    Tiles,
    /// The same, where a test that only rejects ran before.
    Held,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// All samples at once against one after the other, a row at a time.
    #[test]
    fn tiles_are_tested_as_rows(
        storage in 0usize..6,
        (log_samples, beside, block) in (0u32..4, any::<bool>(), prop_oneof![Just(128u32), Just(256u32)]),
        masks in proptest::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)], 8),
        stored in proptest::collection::vec(float(), 64),
        z in prop_oneof![
            (float(), proptest::array::uniform2(-0.1f64..0.1)).prop_map(Ok),
            proptest::collection::vec(float(), 64).prop_map(Err),
        ],
        (depth, own, stencil, front) in any::<(bool, bool, bool, bool)>(),
        (compare, write) in (0usize..8, any::<bool>()),
        (clamp, bounds, viewport) in (
            proptest::option::of(Just([0.25, 0.75])),
            proptest::option::of(Just([0.1, 0.6])),
            proptest::option::of(Just([0.3, 0.9])),
        ),
        ops in proptest::array::uniform3(0usize..8),
        (stencil_compare, numbers) in (0usize..8, any::<[u8; 3]>()),
    ) {
        let storage = &storages()[storage];
        let samples = 1 << log_samples;
        let own = own && storage.2.is_none();
        let (format, ..) = *storage;
        let faces = [face(ops, stencil_compare, numbers), face([6, 1, 2], 3, [255, 15, 40])];
        for level in SimdLevel::available() {
            let (mut results, mut passes) = (Vec::new(), Vec::new());
            for way in [Way::Rows, Way::Tile, Way::Tiles, Way::Held] {
                let shape = (samples, beside, block);
                let (memory, plane, place) = surfaces(storage, shape, own, &stored);
                let has_stencil = stencil && place.is_some();
                let output = DepthOutput {
                    test: DepthStencil {
                        depth: depth.then_some(Depth {
                            format,
                            compare: Compare::ALL[compare],
                            write,
                            clamp,
                            bounds,
                        }),
                        stencil: has_stencil.then_some(faces),
                    },
                    depth: Some(plane),
                    stencil: place.filter(|place| has_stencil || !matches!(place, StencilPlace::Own(_))),
                    ..DepthOutput::default()
                };
                let mut masks = masks[..samples as usize].to_vec();
                let positions = (0..samples as usize).map(|sample| {
                    SamplePositions::sample(&Samples::standard(samples), sample)
                });
                let positions: Vec<_> = positions.collect();
                let screen = z.as_ref().ok().map(|(base, [dx, dy])| ScreenPlane {
                    base: f64::from(*base),
                    dx: *dx,
                    dy: *dy,
                });
                let row: [f32; 64] = match &z {
                    Err(row) => row.clone().try_into().unwrap(),
                    Ok(_) => [0.0; 64],
                };
                let mut rows = DepthRows::default();
                let test = output.tile_test().unwrap();
                let takes = samples == 1 && viewport.is_none() && test.takes_tiles();
                let rejecting = DepthOutput {
                    test: DepthStencil {
                        depth: output.test.depth.map(|depth| Depth { write: false, ..depth }),
                        stencil: None,
                    },
                    stencil: None,
                    ..output.clone()
                };
                let before = rejecting.tile_test().unwrap();
                if way >= Way::Tiles && takes {
                    let mut tiles = TestedTiles::default();
                    tiles.add([8, 0], masks[0]);
                    let bits = row.map(f32::to_bits);
                    let own = [&bits];
                    let depths = match &screen {
                        Some(plane) => TileDepths::Plane(plane, &positions[0]),
                        None => TileDepths::Rows(&own),
                    };
                    let mut slots = None;
                    if way == Way::Held && test.takes_over(&before) {
                        // Another tile is held in the slot before.
                        let mut held = TestedTiles::default();
                        held.add([0, 0], u64::MAX);
                        held.add([8, 0], u64::MAX);
                        let both = [own[0]; 2];
                        let depths = match depths {
                            TileDepths::Rows(_) => TileDepths::Rows(&both),
                            plane => plane,
                        };
                        before.hold_tiles(level, &memory, depths, (&mut held, front), &mut rows);
                        if held.masks()[1] == 0 {
                            let mut bounds = DepthRows::default();
                            let mut again = held;
                            before.run_tiles(level, &memory, depths, (&mut again, front), &mut bounds);
                            prop_assert_eq!(rows.of_tile(1), bounds.of_tile(1));
                        }
                        prop_assert!(rows.slots(&[[8, 0], [0, 0]]).is_none());
                        slots = rows.slots(tiles.at()).filter(|_| held.masks()[1] == u64::MAX);
                    }
                    let lanes = (&mut tiles, front);
                    match slots {
                        Some(slots) => test.finish_held(level, &memory, &slots, lanes, &mut rows),
                        None => test.run_tiles(level, &memory, depths, lanes, &mut rows),
                    }
                    masks[0] = tiles.masks()[0];
                } else if way != Way::Rows {
                    let depths = match &screen {
                        Some(plane) => Depths::Plane(plane, &positions, viewport),
                        None => Depths::Row(&row.map(f32::to_bits)),
                    };
                    test.run(level, &memory, ([8, 0], front), depths, &mut masks, &mut rows);
                } else {
                    for (sample, mask) in masks.iter_mut().enumerate().filter(|(_, mask)| **mask != 0) {
                        let mut depths = row;
                        if let Some(plane) = &screen {
                            let plane = InTile { plane, x: 8, y: 0 };
                            interpolate::values(level, plane, &positions[sample], &mut depths);
                            if let Some(range) = viewport {
                                limit_row(range, &mut depths);
                            }
                        }
                        let place = LanePixels::Tile(8, 0);
                        let texels = Texels { place, sample, mask: *mask };
                        let front = if front { u64::MAX } else { 0 };
                        *mask = output.run(level, &memory, &texels, Facing::of(front), &depths, &mut rows);
                    }
                }
                results.push(contents(&memory));
                passes.push(masks);
            }
            for way in 1..4 {
                prop_assert_eq!(&passes[0], &passes[way]);
                prop_assert!(results[0] == results[way], "{storage:?} {samples} {beside} {way}");
            }
        }
    }
}

/// Every way to store depth and stencil, in every number of samples: a surface without tile tests is listed.
#[test]
fn every_depth_surface_has_tile_tests() {
    let mut missing = Vec::new();
    for storage in storages() {
        for (samples, beside) in [
            (1, false),
            (2, false),
            (2, true),
            (4, true),
            (8, true),
            (8, false),
        ] {
            for own in [false, true] {
                let own = own && storage.2.is_none();
                let (_, plane, place) = surfaces(&storage, (samples, beside, 128), own, &[0.5]);
                let output = DepthOutput {
                    test: DepthStencil {
                        depth: Some(Depth {
                            format: storage.0,
                            compare: Compare::Less,
                            write: true,
                            clamp: None,
                            bounds: None,
                        }),
                        stencil: place.is_some().then(|| [Face::default(); 2]),
                    },
                    depth: Some(plane),
                    stencil: place,
                    hi_z: true,
                    ..DepthOutput::default()
                };
                if output.tile_test().is_none() || output.hi_z_test().is_none() {
                    missing.push((storage.clone(), samples, beside, own));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// Where none of a sample pass, Hi-Z learns from its contents.
#[test]
fn contents_are_kept_for_bounds() {
    let storage = (DepthFormat::Unorm24, 4, Some(StencilPlace::BelowDepth));
    let (memory, plane, place) = surfaces(&storage, (4, true, 128), false, &[0.25, 0.5]);
    let output = DepthOutput {
        test: DepthStencil {
            depth: Some(Depth {
                format: DepthFormat::Unorm24,
                compare: Compare::Less,
                write: true,
                clamp: None,
                bounds: None,
            }),
            stencil: None,
        },
        depth: Some(plane),
        stencil: place,
        ..DepthOutput::default()
    };
    let mut rows = DepthRows::default();
    let mut masks = [u64::MAX; 4];
    let test = output.tile_test().unwrap();
    let depths = Depths::Row(&[1f32.to_bits(); 64]);
    test.run(
        SimdLevel::current(),
        &memory,
        ([8, 0], true),
        depths,
        &mut masks,
        &mut rows,
    );
    assert_eq!(masks, [0; 4]);
    for sample in 0..4 {
        let stored = test.depths(SimdLevel::current(), sample, &mut rows);
        for (lane, bits) in stored.iter().enumerate() {
            let depth = [0.25, 0.5][(lane + 11 * sample) % 2];
            assert_eq!(*bits, DepthFormat::Unorm24.encode(depth));
        }
    }
}
