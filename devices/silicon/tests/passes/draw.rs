//! Whole draws against pictures known beforehand.
#![allow(clippy::unwrap_used)]

use crate::pass;
use std::sync::Arc;

use crate::pass::{Pass, SIZE, Shader};
use silicon::Stats;
use silicon::draw::{Draw, check_surfaces};
use silicon::fragment::Waiting;
use silicon::fragment::blend::{Blend, Range};
use silicon::fragment::interpolate::SamplePositions;
use silicon::fragment::multisample::{AlphaToMask, Samples};
use silicon::fragment::output::{ColorOutput, DepthOutput};
use silicon::fragment::surface::{Cache, Extent, Layout};
use silicon::fragment::tile::{Rect, lane};
use silicon::geometry::binning::Store;
use silicon::geometry::vertices::{Part, VertexInput, Vertices};
use silicon::{Format, Memory};

/// Squares of sixteen pixels, line by line, two triangles each; the colour is the number of the square.
fn squares(_seed: u32, input: &VertexInput) -> ([f32; 4], [f32; 4]) {
    let square = input.index / 6;
    let [x, y] = [[0, 0], [1, 0], [0, 1], [1, 0], [1, 1], [0, 1]][input.index as usize % 6];
    let at = |cell: u32, corner: u32| (cell + corner) as f32 / 8.0 - 1.0;
    let position = [at(square % 16, x), at(square / 16, y), 0.5, 1.0];
    let color = [square as f32 / 255.0, 0.0, 1.0, 0.2];
    (position, color)
}

/// Draws the squares with so many parameters a vertex.
fn draw(params: usize, threads: usize) -> (Vec<u32>, Stats) {
    let pass = Pass::new(threads);
    let shader = Shader {
        seed: 0,
        params,
        vertex: squares,
    };
    let mut stage = pass.stage(0);
    stage.shader = Some(shader);
    let opaque = Blend::opaque(Range::Unorm);
    stage.colors = vec![ColorOutput::new(
        0,
        Format::R8G8B8A8Unorm,
        &opaque,
        pass.color.clone(),
    )];
    let draw = Draw {
        threads: &pass.threads,
        input_assembler: Pass::input_assembler(),
        amplifies: None,
        vertex: shader,
        params,
        assembly: &pass.assembly(0),
        stage: &Arc::new(stage),
        own: (),
        pixel_effects: false,
        serial: false,
        waits: false,
    };
    let (mut workers, mut stats) = (pass.workers(), Stats::default());
    let vertices = Part {
        instances: 1,
        offset: 0,
        vertices: Vertices::Counted {
            first: 0,
            count: 256 * 6,
        },
    };
    draw.run(
        &pass.memory,
        std::slice::from_ref(&vertices),
        &mut workers,
        (&mut Store::default(), &mut Waiting::default()),
        &mut stats,
    )
    .unwrap();
    (pass.words(), stats)
}

#[test]
fn counters_do_not_depend_on_threads() {
    let (_, one) = draw(1, 1);
    for threads in [2, 3, 5] {
        assert_eq!(draw(1, threads).1, one, "{threads}");
    }
}

#[test]
fn every_pixel_has_the_colour_of_its_square() {
    for (params, threads) in [(1, 1), (2, 1), (3, 2), (7, 3)] {
        let (words, stats) = draw(params, threads);
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let square = x / 16 + y / 16 * 16;
            let at = (x / 8 + y / 8 * (SIZE / 8)) * 64 + lane(x % 8, y % 8);
            let expected = square | 0xff << 16 | 51 << 24;
            assert_eq!(words[at as usize], expected, "{params} {x} {y}");
        }
        assert_eq!((stats.draws, stats.vertices), (1, 1536));
        assert_eq!((stats.primitives, stats.clipped_primitives), (512, 512));
        assert_eq!(stats.vertex_lanes, 1536);
        assert_eq!(stats.fragment_lanes, u64::from(SIZE * SIZE));
        assert_eq!(stats.samples_passed, u64::from(SIZE * SIZE));
        // Two full tiles a square, and 20 quads at the diagonal of each triangle; a wave says that it ran one
        // instruction.
        assert_eq!((stats.vertex_waves, stats.fragment_waves), (24, 1152));
        assert_eq!(stats.instructions, stats.waves());
        // Two triangles a square of four tiles: one tile full of each, two with the diagonal.
        assert_eq!((stats.bins, stats.tiles), (16, 6 * 256));
        assert_eq!((stats.bin_entries, stats.tiles_rejected), (512, 0));
        let surface = u64::from(4 * SIZE * SIZE);
        assert!(stats.color_bytes_written >= surface && stats.depth_bytes_written >= surface);
        assert!(stats.depth_bytes_read >= surface);
        assert_eq!(stats.texels, 0);
    }
}

/// Hi-Z goes off where a colour surface lies over the depths, and does not come on by itself; the area shrinks to the
/// smallest surface; sample counts must fit.
#[test]
fn surfaces_of_a_stage() {
    let pass = Pass::new(1);
    let whole = Rect::new(0, 0, SIZE as i32, SIZE as i32);
    let mut stage = pass.stage(0);
    stage.area = Rect::new(-10, 5, 1000, 1000);
    check_surfaces(&mut stage).unwrap();
    assert!(stage.depth.hi_z);
    assert_eq!(stage.area, whole.intersect(Rect::new(0, 5, 1000, 1000)));

    stage.depth.hi_z = false;
    check_surfaces(&mut stage).unwrap();
    assert!(!stage.depth.hi_z);

    stage.depth.hi_z = true;
    stage.depth.depth = Some(pass.color.clone());
    check_surfaces(&mut stage).unwrap();
    assert!(!stage.depth.hi_z);

    let mut stage = pass.stage(0);
    stage.sample_positions = vec![stage.sample_positions[0]; 4];
    let error = check_surfaces(&mut stage).unwrap_err();
    assert!(
        error.contains("4 samples") && error.contains("of 1"),
        "{error}"
    );
}

#[test]
fn planes_overlap_where_they_share_bytes() {
    let pass = Pass::new(1);
    let mut cache = Cache::default();
    let bytes = 4 * u64::from(SIZE * SIZE);
    let mut plane = |base| cache.plane(&pass.memory, pass::Tiled, base, 0).unwrap();
    let first = plane(0);
    assert!(first.overlaps(&first) && first.overlaps(&plane(bytes - 256)));
    assert!(plane(bytes - 256).overlaps(&first));
    assert!(!first.overlaps(&plane(bytes)) && !plane(bytes).overlaps(&first));
}

/// Nearer in even squares than in odd ones; later draws are between the two, in green.
fn layers(seed: u32, input: &VertexInput) -> ([f32; 4], [f32; 4]) {
    let (mut position, color) = squares(seed, input);
    let odd = input.index / 6 % 2 == 1;
    position[2] = match (seed, odd) {
        (0, false) => 0.25,
        (0, true) => 0.75,
        _ => 0.5,
    };
    (
        position,
        if seed == 0 {
            color
        } else {
            [0.0, 1.0, 0.0, 1.0]
        },
    )
}

/// The later draw shows in odd squares only, tested before or after the shader.
#[test]
fn nearer_squares_hide_others() {
    for (early, hi_z) in [(true, true), (true, false), (false, false)] {
        let pass = Pass::new(1);
        let (mut workers, mut store, mut stats) =
            (pass.workers(), Store::default(), Stats::default());
        for seed in 0..2 {
            let shader = Shader {
                seed,
                params: 1,
                vertex: layers,
            };
            let mut stage = pass.stage(0);
            stage.shader = Some(shader);
            (stage.depth.early, stage.depth.hi_z) = (early, hi_z);
            let opaque = Blend::opaque(Range::Unorm);
            stage.colors = vec![ColorOutput::new(
                0,
                Format::R8G8B8A8Unorm,
                &opaque,
                pass.color.clone(),
            )];
            let draw = Draw {
                threads: &pass.threads,
                input_assembler: Pass::input_assembler(),
                amplifies: None,
                vertex: shader,
                params: 1,
                assembly: &pass.assembly(0),
                stage: &Arc::new(stage),
                own: (),
                pixel_effects: false,
                serial: false,
                waits: false,
            };
            let vertices = Part {
                instances: 1,
                offset: 0,
                vertices: Vertices::Counted {
                    first: 0,
                    count: 256 * 6,
                },
            };
            draw.run(
                &pass.memory,
                std::slice::from_ref(&vertices),
                &mut workers,
                (&mut store, &mut Waiting::default()),
                &mut stats,
            )
            .unwrap();
        }
        let words = pass.words();
        let depths = &words[pass::DEPTH as usize / 4..];
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let square = x / 16 + y / 16 * 16;
            let at = ((x / 8 + y / 8 * (SIZE / 8)) * 64 + lane(x % 8, y % 8)) as usize;
            let (color, z) = match square % 2 {
                0 => (square | 0xff << 16 | 51 << 24, 0.25f32),
                _ => (0xff00_ff00, 0.5),
            };
            assert_eq!(words[at], color, "{early} {hi_z} {x} {y}");
            assert_eq!(f32::from_bits(depths[at]), z, "{early} {hi_z} {x} {y}");
        }
        let pixels = u64::from(SIZE * SIZE);
        assert_eq!(stats.samples_passed, pixels + pixels / 2);
    }
}

/// Texels of four samples behind each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Multisampled;

impl Layout for Multisampled {
    fn extent(&self) -> Extent {
        Extent {
            samples: 4,
            ..pass::Tiled.extent()
        }
    }
    fn bytes(&self, slices: u32) -> u64 {
        4 * pass::Tiled.bytes(slices)
    }
    fn xor_bits(&self) -> u64 {
        0
    }
    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        pass::Tiled.offset(x, y, slice, 0) + pass::Tiled.bytes(1) * u64::from(sample)
    }
}

/// Alpha 0.2 of four samples is 0.8 of one: with offsets of 0 to 3 quarters the four pixels of a quad cover none, one,
/// one and one, the first. [VULKAN Multisample Coverage]
#[test]
fn alpha_covers_samples() {
    let pass = Pass::new(1);
    let memory = Memory::new(4 * pass::Tiled.bytes(1));
    let plane = Cache::default().plane(&memory, Multisampled, 0, 0).unwrap();
    let shader = Shader {
        seed: 0,
        params: 1,
        vertex: squares,
    };
    let mut stage = pass.stage(0);
    stage.shader = Some(shader);
    stage.memory = memory.clone();
    stage.samples = Samples::standard(4);
    let positions = (0..4).map(|sample| SamplePositions::sample(&stage.samples, sample));
    stage.sample_positions = positions.collect();
    stage.sample_mask = 15;
    stage.depth = DepthOutput::default();
    stage.alpha_to_mask = Some(AlphaToMask {
        offsets: [0, 1, 2, 3],
    });
    let opaque = Blend::opaque(Range::Unorm);
    stage.colors = vec![ColorOutput::new(0, Format::R8G8B8A8Unorm, &opaque, plane)];
    let mut assembly = pass.assembly(0);
    (assembly.front.multisampled, assembly.back.multisampled) = (true, true);
    let draw = Draw {
        threads: &pass.threads,
        input_assembler: Pass::input_assembler(),
        amplifies: None,
        vertex: shader,
        params: 1,
        assembly: &assembly,
        stage: &Arc::new(stage),
        own: (),
        pixel_effects: false,
        serial: false,
        waits: false,
    };
    let vertices = Part {
        instances: 1,
        offset: 0,
        vertices: Vertices::Counted {
            first: 0,
            count: 256 * 6,
        },
    };
    let (mut workers, mut store, mut stats) = (pass.workers(), Store::default(), Stats::default());
    draw.run(
        &memory,
        std::slice::from_ref(&vertices),
        &mut workers,
        (&mut store, &mut Waiting::default()),
        &mut stats,
    )
    .unwrap();
    for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
        let square = x / 16 + y / 16 * 16;
        let first = !lane(x % 8, y % 8).is_multiple_of(4);
        for sample in 0..4 {
            let word = memory.load(Multisampled.offset(x, y, 0, sample)).unwrap();
            let covered = first && sample == 0;
            let expected = if covered {
                square | 0xff << 16 | 51 << 24
            } else {
                0
            };
            assert_eq!(word, expected, "{x} {y} {sample}");
        }
    }
}
