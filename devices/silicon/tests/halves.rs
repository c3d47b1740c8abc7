//! The two halves of a draw: shading the bins of a pass once, from the batches of all its draws, leaves the texels that
//! shading each batch at once leaves.
#![allow(clippy::unwrap_used)]

mod pass;

use pass::{GRID, Pass, SIZE, Shader, anywhere};
use silicon::Stats;
use silicon::draw::{Draw, Worker};
use silicon::fragment::bins::Bins;
use silicon::fragment::shade;
use silicon::fragment::tile::Rect;
use silicon::geometry::binning::{BinnedPrimitives, Geometry, Store};
use silicon::geometry::vertices::Vertices;

const DRAWS: u32 = 4;

fn vertices(seed: u32) -> Vertices {
    Vertices::Counted {
        first: 0,
        count: 3 * (40 + 300 * seed),
    }
}

/// Each batch of each draw is shaded as soon as it is in bins.
fn immediate(threads: usize) -> (Vec<u32>, Stats) {
    let pass = Pass::new(threads);
    let (mut workers, mut store, mut stats) = (pass.workers(), Store::default(), Stats::default());
    for seed in 0..DRAWS {
        let draw = Draw {
            threads: &pass.threads,
            input_assembler: Pass::input_assembler(),
            vertex: Shader {
                seed,
                params: 1,
                vertex: anywhere,
            },
            params: 1,
            assembly: pass.assembly(seed),
            stage: pass.stage(seed),
            pixel_effects: false,
            serial: false,
        };
        draw.run(
            &pass.memory,
            &vertices(seed),
            &mut workers,
            &mut store,
            &mut stats,
        )
        .unwrap();
    }
    (pass.words(), stats)
}

/// The batches of all draws are kept, and every bin is shaded once.
fn deferred(threads: usize) -> (Vec<u32>, Stats) {
    let pass = Pass::new(threads);
    let (mut workers, mut store, mut stats) = (pass.workers(), Store::default(), Stats::default());
    let bins = Bins::new(Rect::new(0, 0, SIZE as i32, SIZE as i32), 5);
    let stages: Vec<_> = (0..DRAWS).map(|seed| pass.stage(seed)).collect();
    let mut kept: Vec<(BinnedPrimitives, usize)> = Vec::new();
    for seed in 0..DRAWS {
        let stage = &stages[seed as usize];
        let geometry = Geometry {
            threads: &pass.threads,
            level: stage.level,
            input_assembler: Pass::input_assembler(),
            vertex: Shader {
                seed,
                params: 1,
                vertex: anywhere,
            },
            params: 1,
            assembly: pass.assembly(seed),
            grid: GRID,
            area: stage.area,
            multisampled: false,
            stipple: None,
            bins: Some(bins),
            serial: false,
        };
        geometry
            .run(
                &pass.memory,
                &vertices(seed),
                &mut workers,
                &mut store,
                &mut stats,
                |batch, _| {
                    kept.push((std::mem::take(batch), seed as usize));
                    Ok(())
                },
            )
            .unwrap();
    }
    assert!(kept.iter().all(|(batch, _)| *batch.bins() == bins));
    let draws: Vec<_> = kept.iter().map(|(batch, n)| (batch, &stages[*n])).collect();
    shade(&pass.threads, &mut workers, &draws).unwrap();
    let stats = workers
        .iter_mut()
        .map(Worker::take_stats)
        .fold(stats, Stats::plus);
    (pass.words(), stats)
}

#[test]
fn a_pass_is_shaded_at_once_or_draw_by_draw() {
    let (texels, counts) = immediate(1);
    let background = texels[..(SIZE * SIZE) as usize].iter();
    let drawn = background.filter(|texel| **texel != 0).count();
    assert!(drawn > 10_000, "{drawn} texels are drawn");
    for threads in [1, 2, 3] {
        let (other, stats) = deferred(threads);
        assert!(texels == other, "{threads} threads");
        assert_eq!(stats.samples_passed, counts.samples_passed);
        assert_eq!(stats.vertices, counts.vertices);
        assert_eq!(stats.clipped_primitives, counts.clipped_primitives);
        assert!(immediate(threads).0 == texels, "{threads} threads");
    }
}
