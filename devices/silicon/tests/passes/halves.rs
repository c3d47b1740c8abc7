//! The two halves of a draw: shading the bins of a pass once, from the batches of all its draws, leaves the texels that
//! shading each batch at once leaves.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::pass::{GRID, Pass, SIZE, Shader, anywhere};
use silicon::Stats;
use silicon::draw::{Draw, FirstHalves, Worker, finish, run_several};
use silicon::fragment::bins::Bins;
use silicon::fragment::tile::Rect;
use silicon::fragment::{Waiting, shade};
use silicon::geometry::binning::{BinnedPrimitives, Geometry, Store};
use silicon::geometry::vertices::{Part, Vertices};

const DRAWS: u32 = 4;

fn vertices(seed: u32) -> Part {
    Part {
        instances: 1,
        offset: 0,
        vertices: Vertices::Counted {
            first: 0,
            count: 3 * (40 + 300 * seed),
        },
    }
}

/// When the halves of draws run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// Each draw by itself.
    Alone,
    /// Second halves wait for each other where draws share the bins.
    Waiting,
    /// The same, and first halves go to threads.
    Several,
}

/// `own_area` says whether draws have scissors of their own.
fn immediate(threads: usize, when: When, own_area: bool) -> (Vec<u32>, Stats) {
    let pass = Pass::new(threads);
    let (mut workers, mut store, mut stats) = (pass.workers(), Store::default(), Stats::default());
    let mut waiting = Waiting::default();
    let places = (0..DRAWS).map(|seed| if own_area { seed } else { 0 });
    let places: Vec<_> = places.map(|place| (place, pass.assembly(place))).collect();
    let stages = (0..DRAWS).zip(&places).map(|(seed, (place, _))| {
        let mut stage = pass.stage(seed);
        stage.area = pass.area(*place);
        Arc::new(stage)
    });
    let stages: Vec<_> = stages.collect();
    let parts: Vec<_> = (0..DRAWS).map(|seed| [vertices(seed)]).collect();
    let draws = (0..DRAWS).zip(&places).zip(stages.iter().zip(&parts));
    let draws = draws.map(|((seed, (_, assembly)), (stage, parts))| {
        let draw = Draw {
            threads: &pass.threads,
            input_assembler: Pass::input_assembler(),
            amplifies: None,
            vertex: Shader {
                seed,
                params: 1,
                vertex: anywhere,
            },
            params: 1,
            assembly,
            stage,
            own: (),
            pixel_effects: false,
            serial: false,
            waits: when != When::Alone,
        };
        (draw, parts.as_slice())
    });
    let draws: Vec<_> = draws.collect();
    if when == When::Several {
        let mut halves = FirstHalves::default();
        let kept = (&mut halves, &mut store, &mut waiting);
        run_several(&draws, &pass.memory, &mut workers, kept, &mut stats).unwrap();
    } else {
        for (draw, parts) in &draws {
            let kept = (&mut store, &mut waiting);
            draw.run(&pass.memory, parts, &mut workers, kept, &mut stats)
                .unwrap();
        }
    }
    assert_eq!(waiting.is_empty(), when == When::Alone);
    finish(&mut waiting, &pass.threads, &mut workers, &mut stats).unwrap();
    assert!(waiting.is_empty());
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
            amplifies: None,
            vertex: &Shader {
                seed,
                params: 1,
                vertex: anywhere,
            },
            params: 1,
            assembly: &pass.assembly(seed),
            grid: GRID,
            area: stage.area,
            layers: 1,
            multisampled: false,
            stipple: None,
            bins: Some(bins),
            serial: false,
        };
        geometry
            .run(
                &pass.memory,
                &[vertices(seed)],
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
    let draws: Vec<_> = kept
        .iter()
        .map(|(batch, n)| (batch, &stages[*n], &()))
        .collect();
    shade(&pass.threads, &mut workers, &draws).unwrap();
    let stats = workers
        .iter_mut()
        .map(Worker::take_stats)
        .fold(stats, Stats::plus);
    (pass.words(), stats)
}

#[test]
fn a_pass_is_shaded_at_once_or_draw_by_draw() {
    let (texels, counts) = immediate(1, When::Alone, true);
    let background = texels[..(SIZE * SIZE) as usize].iter();
    let drawn = background.filter(|texel| **texel != 0).count();
    assert!(drawn > 10_000, "{drawn} texels are drawn");
    for threads in [1, 2, 3] {
        let (other, stats) = deferred(threads);
        assert!(texels == other, "{threads} threads");
        assert_eq!(stats.samples_passed, counts.samples_passed);
        assert_eq!(stats.vertices, counts.vertices);
        assert_eq!(stats.clipped_primitives, counts.clipped_primitives);
        assert!(
            immediate(threads, When::Alone, true).0 == texels,
            "{threads} threads"
        );
    }
}

/// Draws that wait leave the texels and the counts that they leave one by one, whether they share bins or not.
#[test]
fn draws_that_wait_are_in_order() {
    for own_area in [true, false] {
        let wanted = immediate(1, When::Alone, own_area);
        for threads in [1, 2, 3] {
            for when in [When::Waiting, When::Several] {
                let found = immediate(threads, when, own_area);
                assert!(found.0 == wanted.0, "{threads} threads, {when:?}");
                assert_eq!(found.1, wanted.1, "{threads} threads, {when:?}");
            }
        }
    }
}
