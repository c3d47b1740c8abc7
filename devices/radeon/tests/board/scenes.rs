//! What the benchmarks of draws draw, on the threads that `GIRIH_THREADS` names.

use criterion::Criterion;
use radeon::r6xx::regs::{CbBlendControl, blend};
use silicon::Addr;

use super::rig::{Rig, STREAM, Vertex};

pub const SIZE: [u32; 2] = [1280, 720];

pub fn threads() -> usize {
    let named = std::env::var("GIRIH_THREADS").ok();
    named.and_then(|n| n.parse().ok()).unwrap_or(2)
}

/// Two triangles that cover the screen, `layers` times.
fn layers(layers: usize) -> Vec<Vertex> {
    let corners = [
        (-1., -1.),
        (1., -1.),
        (-1., 1.),
        (-1., 1.),
        (1., -1.),
        (1., 1.),
    ];
    let layer = |n: usize| {
        let z = 0.9 - n as f32 / 100.0;
        corners.map(|(x, y)| [x, y, z, 1.0, x * 0.5 + 0.5, 0.4, 0.7, 0.3])
    };
    (0..layers).flat_map(layer).collect()
}

/// Small triangles in a grid, a few pixels each.
fn grid(columns: usize, lines: usize) -> Vec<Vertex> {
    let at = |c: usize, l: usize| {
        let (x, y) = (c as f32 / columns as f32, l as f32 / lines as f32);
        [x * 2.0 - 1.0, y * 2.0 - 1.0, 0.5, 1.0, x, y, 0.5, 1.0]
    };
    (0..lines)
        .flat_map(|l| (0..columns).map(move |c| (c, l)))
        .flat_map(|(c, l)| {
            let (a, b, d, e) = (at(c, l), at(c + 1, l), at(c, l + 1), at(c + 1, l + 1));
            [a, b, d, d, b, e]
        })
        .collect()
}

/// Blending by alpha. R600 has no enable here and ignores it.
pub fn over() -> CbBlendControl {
    CbBlendControl {
        enable: true,
        separate_alpha_blend: true,
        color_srcblend: blend::SRC_ALPHA,
        color_destblend: blend::ONE_MINUS_SRC_ALPHA,
        alpha_srcblend: blend::ONE,
        alpha_destblend: blend::ONE_MINUS_SRC_ALPHA,
        ..CbBlendControl::from_word(0)
    }
}

/// Times every scene; `setup` readies a rig for vertices, blended or not.
pub fn draws(criterion: &mut Criterion, setup: impl Fn(&[Vertex], bool) -> Rig) {
    for (name, vertices, blended) in [
        ("screen/1", layers(1), false),
        ("screen/32 blended", layers(32), true),
        ("triangles/100k", grid(250, 200), false),
    ] {
        let mut rig = setup(&vertices, blended);
        rig.draw(vertices.len() as u32);
        let words = std::mem::take(&mut rig.stream);
        rig.words(STREAM, &words);
        let stream = Addr(STREAM)..Addr(STREAM + 4 * words.len() as u64);
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| rig.gpu.execute(stream.clone()).unwrap());
        });
    }
}
