//! Draws that wait, or run as one, when a wave of one of them fails: those before it are drawn, those after it are not.
#![allow(clippy::unwrap_used)]

use crate::pass;
use std::sync::Arc;

use crate::pass::{Pass, SIZE, Shader};
use silicon::draw::{Draw, FirstHalves, finish, run_several};
use silicon::fragment::Waiting;
use silicon::fragment::blend::{Blend, Range};
use silicon::fragment::output::ColorOutput;
use silicon::fragment::tile::lane;
use silicon::geometry::binning::Store;
use silicon::geometry::vertices::{Part, VertexInput, Vertices};
use silicon::{Format, Stats};

/// Instances of a triangle over a quarter of the picture each, then over all of it: the draw is the high half of the
/// vertex number. Draw 2 has [`pass::FAILS`] in its last triangle, as a colour or as a position.
fn quarters(seed: u32, input: &VertexInput) -> ([f32; 4], [f32; 4]) {
    let (draw, vertex) = (input.index >> 16, input.index & 0xffff);
    let (quarter, corner) = (vertex / 3 % 4, vertex % 3);
    let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]][corner as usize];
    let centre = [quarter % 2, quarter / 2].map(|half| half as f32 - 0.5);
    let mut position = [centre[0] + 0.4 * x, centre[1] + 0.4 * y, 0.5, 1.0];
    let mut color = [(draw + 1) as f32 / 255.0, 0.0, 0.0, 1.0];
    if draw == 2 && quarter == 3 {
        match seed {
            0 => color[3] = pass::FAILS,
            _ => position[3] = pass::FAILS,
        }
    }
    (position, color)
}

fn part(draw: u32) -> Part {
    Part {
        vertices: Vertices::Counted {
            first: 0,
            count: 12,
        },
        instances: 1,
        offset: draw << 16,
    }
}

/// The last draw whose colour each quarter has, 1 for the first. `runs` are how many draws run as one; `several` runs go
/// to threads.
fn drawn(seed: u32, threads: usize, runs: &[u32], several: bool) -> [u32; 4] {
    let pass = Pass::new(threads);
    let (mut workers, mut store, mut stats) = (pass.workers(), Store::default(), Stats::default());
    let mut waiting = Waiting::default();
    let shader = Shader {
        seed,
        params: 1,
        vertex: quarters,
    };
    let mut stage = pass.stage(0);
    let opaque = Blend::opaque(Range::Unorm);
    let color = ColorOutput::new(0, Format::R8G8B8A8Unorm, &opaque, pass.color.clone());
    (stage.shader, stage.colors) = (Some(shader), vec![color]);
    let stage = Arc::new(stage);
    let mut first = 0;
    let parts = runs.iter().map(|count| {
        let parts: Vec<Part> = (first..first + count).map(part).collect();
        first += count;
        parts
    });
    let parts: Vec<_> = parts.collect();
    let assembly = pass.assembly(0);
    let draws = parts.iter().map(|parts| {
        let draw = Draw {
            threads: &pass.threads,
            input_assembler: Pass::input_assembler(),
            amplifies: None,
            vertex: shader,
            params: 1,
            assembly: &assembly,
            stage: &stage,
            own: (),
            pixel_effects: false,
            serial: false,
            waits: true,
        };
        (draw, parts.as_slice())
    });
    let draws: Vec<_> = draws.collect();
    let result = if several {
        let mut halves = FirstHalves::default();
        let kept = (&mut halves, &mut store, &mut waiting);
        run_several(&draws, &pass.memory, &mut workers, kept, &mut stats)
    } else {
        draws.iter().try_for_each(|(draw, parts)| {
            let kept = (&mut store, &mut waiting);
            draw.run(&pass.memory, parts, &mut workers, kept, &mut stats)
        })
    };
    let trap = result.err();
    let last = finish(&mut waiting, &pass.threads, &mut workers, &mut stats);
    let trap = trap.or(last.err()).expect("draw 2 fails");
    assert_eq!(trap.reason, pass::REASON);
    let words = pass.words();
    [0, 1, 2, 3].map(|quarter| {
        let (x, y) = (40 + quarter % 2 * SIZE / 2, 40 + quarter / 2 * SIZE / 2);
        words[((x / 8 + y / 8 * (SIZE / 8)) * 64 + lane(x % 8, y % 8)) as usize] & 0xff
    })
}

#[test]
fn draws_behind_one_that_fails_are_not_drawn() {
    // Quarters are of two bins or more; draw 2 fails in the last.
    for threads in [1, 2, 3] {
        for runs in [&[1, 1, 1, 1, 1][..], &[5], &[2, 3], &[3, 2], &[1, 4]] {
            for several in [false, true] {
                let pixels = drawn(0, threads, runs, several);
                assert_eq!(pixels, [3, 3, 3, 2], "{threads} {runs:?} {several}");
                let vertices = drawn(1, threads, runs, several);
                assert_eq!(vertices, [2; 4], "{threads} {runs:?} {several}");
            }
        }
    }
}
