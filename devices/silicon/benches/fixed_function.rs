//! Fixed-function blocks: setup, rasterising, interpolation, depth, blending, memory rows.
//!
//! `cargo bench -p girih-silicon --bench fixed_function`; `GIRIH_SIMD` picks the level.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use silicon::fragment::bins::{Bins, Lists};
use silicon::fragment::blend::{Blend, Color, Equation, Factor, Operation, Range, blend};
use silicon::fragment::depth::{self, Compare, Depth, DepthFormat};
use silicon::fragment::interpolate::{CENTRES, Packed, Planes, Wanted, perspective, values};
use silicon::fragment::multisample::Samples;
use silicon::fragment::raster::{Coverage, rasterize};
use silicon::fragment::stencil::{DepthStencil, Facing};
use silicon::fragment::tile::Rect;
use silicon::geometry::clip::{DepthRange, Volume, outcodes};
use silicon::geometry::setup::{
    Grid, Primitive, Projected, Setup, Viewport, Winding, project_row, triangles,
};
use silicon::{Memory, SimdLevel};

const GRID: Grid = Grid::new(8);
const SCREEN: Rect = Rect {
    x0: 0,
    y0: 0,
    x1: 1280,
    y1: 720,
};

fn setup_state() -> Setup {
    Setup {
        grid: GRID,
        front: Winding::Clockwise,
        cull_front: false,
        cull_back: false,
        bias: None,
        multisampled: false,
        scissor: SCREEN,
    }
}

/// A grid of `columns` by `lines` quads over the screen, two triangles each; a little turned.
fn mesh(columns: u32, lines: u32) -> (Vec<Projected>, Vec<[u32; 3]>) {
    let mut vertices = Vec::new();
    for y in 0..=lines {
        for x in 0..=columns {
            let (u, v) = (x as f32 / columns as f32, y as f32 / lines as f32);
            vertices.push(Projected {
                x: GRID.snap(u * 1200.0 + v * 60.0 + 11.3),
                y: GRID.snap(v * 650.0 + u * 40.0 + 7.7),
                z: u,
                inv_w: 1.0 + v,
            });
        }
    }
    let mut indices = Vec::new();
    for y in 0..lines {
        for x in 0..columns {
            let a = y * (columns + 1) + x;
            let b = a + columns + 1;
            indices.push([a, a + 1, b]);
            indices.push([a + 1, b + 1, b]);
        }
    }
    (vertices, indices)
}

fn setup(c: &mut Criterion) {
    let level = SimdLevel::current();
    let mut group = c.benchmark_group("setup");
    let (vertices, indices) = mesh(1000, 500);
    group.throughput(Throughput::Elements(indices.len() as u64));
    let mut out = Vec::with_capacity(indices.len());
    for (name, cull_back) in [("1M small triangles", false), ("1M culled triangles", true)] {
        let state = Setup {
            cull_back,
            front: Winding::CounterClockwise,
            ..setup_state()
        };
        group.bench_function(name, |b| {
            b.iter(|| {
                // In chunks, as a device does it: the primitives of a chunk stay in the cache.
                for chunk in indices.chunks(4096) {
                    out.clear();
                    triangles(level, &state, &vertices, chunk, 0, &mut out);
                    black_box(&out);
                }
            })
        });
    }
    let bins = Bins::new(SCREEN, 6);
    let mut lists = Lists::default();
    group.bench_function("1M small triangles, binned", |b| {
        b.iter(|| {
            for chunk in indices.chunks(4096) {
                out.clear();
                triangles(level, &setup_state(), &vertices, chunk, 0, &mut out);
                lists.fill(&bins, GRID, false, SCREEN, (&out, &[]));
                black_box(&lists);
            }
        })
    });
    let viewport = Viewport {
        scale: [640.0, 360.0, 1.0],
        offset: [640.0, 360.0, 0.0],
        z_is_w: false,
    };
    let rows: [[f32; 64]; 4] =
        std::array::from_fn(|k| std::array::from_fn(|i| (i + k) as f32 / 70.0));
    group.throughput(Throughput::Elements(64));
    let mut projected = [Projected::default(); 64];
    group.bench_function("project 64 vertices", |b| {
        b.iter(|| project_row(level, &viewport, GRID, black_box(&rows), 64, &mut projected))
    });
    let volume = Volume {
        depth: DepthRange::ZeroToOne,
        near: true,
        far: true,
        guard: [20.0; 2],
        clip_distances: 0,
        cull_distances: 0,
    };
    let words = rows.map(|row| row.map(f32::to_bits));
    let (mut clip, mut codes) = ([[0.0; 64]; 4], [0; 64]);
    group.bench_function("outcodes of 64 vertices", |b| {
        b.iter(|| outcodes(level, &volume, black_box(&words), 64, &mut clip, &mut codes))
    });
    group.finish();
}

fn raster(c: &mut Criterion) {
    let level = SimdLevel::current();
    let mut group = c.benchmark_group("raster");
    let bins = Bins::new(SCREEN, 6);
    let mut coverage = Coverage::default();
    for (name, columns, lines) in [
        ("2 large triangles", 1, 1),
        ("triangles of 40x36 pixels", 30, 18),
        ("triangles of 8x7 pixels", 150, 90),
        ("triangles of 2x2 pixels", 600, 325),
    ] {
        let (vertices, indices) = mesh(columns, lines);
        let mut primitives = Vec::new();
        triangles(
            level,
            &setup_state(),
            &vertices,
            &indices,
            0,
            &mut primitives,
        );
        let mut lists = Lists::default();
        lists.fill(&bins, GRID, false, SCREEN, (&primitives, &[]));
        group.throughput(Throughput::Elements(primitives.len() as u64));
        for (samples, suffix) in [(Samples::ONE, ""), (Samples::standard(4), ", 4 samples")] {
            group.bench_function(format!("{name}{suffix}"), |b| {
                b.iter(|| {
                    for bin in 0..bins.count() {
                        let area = bins.bin(bin).area;
                        for item in lists.of(bin) {
                            coverage.clear();
                            let primitive = &primitives[*item as usize];
                            rasterize(level, GRID, primitive, area, &samples, &mut coverage);
                            black_box(&coverage);
                        }
                    }
                })
            });
        }
    }
    group.finish();
}

fn primitive() -> Primitive {
    let at = |x: f32, y: f32, z: f32, inv_w: f32| Projected {
        x: GRID.snap(x),
        y: GRID.snap(y),
        z,
        inv_w,
    };
    setup_state()
        .triangle(
            [
                at(3.0, 4.0, 0.1, 1.0),
                at(900.0, 40.0, 0.5, 0.5),
                at(200.0, 600.0, 0.9, 0.25),
            ],
            0,
        )
        .unwrap()
}

fn rows(c: &mut Criterion) {
    let level = SimdLevel::current();
    let mut group = c.benchmark_group("tile");
    group.throughput(Throughput::Elements(64));
    let planes = Planes::new(GRID, &primitive(), &[]);
    let tile = planes.tile(64, 64);
    let (mut i, mut j, mut z) = ([0; 64], [0; 64], [0.0; 64]);
    group.bench_function("planes of a primitive", |b| {
        b.iter(|| Planes::new(GRID, black_box(&primitive()), &[]))
    });
    group.bench_function("planes of a tile", |b| {
        b.iter(|| black_box(&planes).tile(64, 64))
    });
    group.bench_function("perspective weights", |b| {
        b.iter(|| {
            let t = black_box(&tile);
            perspective(level, [&t.i_w, &t.j_w, &t.inv_w], &CENTRES, &mut i, &mut j);
        })
    });
    let mut packed = Packed::default();
    group.bench_function("perspective weights of 16 packed quads", |b| {
        b.iter(|| {
            for slot in 0..16 {
                packed.set_quad(slot, (black_box(&tile), Wanted::ALL), slot, &CENTRES);
            }
            perspective(
                level,
                [&packed.i_w, &packed.j_w, &packed.inv_w],
                &packed.sample_positions,
                &mut i,
                &mut j,
            );
        })
    });
    group.bench_function("depth values", |b| {
        b.iter(|| values(level, &black_box(&tile).z, &CENTRES, &mut z))
    });
    for format in [DepthFormat::Unorm24, DepthFormat::Float32] {
        let state = Depth {
            format,
            compare: Compare::LessEqual,
            write: true,
            clamp: Some([0.0, 1.0]),
            bounds: None,
        };
        let both = DepthStencil {
            depth: Some(state),
            stencil: None,
        };
        let (mut new, mut stencil) = ([0; 64], [0; 64]);
        let mut stored: [u32; 64] = std::array::from_fn(|i| format.encode(i as f32 / 64.0));
        group.bench_function(format!("encode depth, {format:?}"), |b| {
            b.iter(|| depth::encode(level, &state, black_box(&z), &mut new))
        });
        group.bench_function(format!("depth test and write, {format:?}"), |b| {
            b.iter(|| {
                both.run(
                    level,
                    black_box(u64::MAX),
                    Facing::of(0),
                    &new,
                    &mut stored,
                    &mut stencil,
                )
            })
        });
    }
    let equation = |src, dst| Equation {
        src,
        dst,
        op: Operation::Add,
    };
    let src: Color =
        std::array::from_fn(|c| std::array::from_fn(|i| ((i + c) as f32 / 70.0).to_bits()));
    let mut dst = src;
    let over = Blend {
        color: equation(Factor::SrcAlpha, Factor::OneMinusSrcAlpha),
        alpha: equation(Factor::One, Factor::OneMinusSrcAlpha),
        ..Blend::opaque(Range::Unorm)
    };
    for (name, plan) in [
        ("opaque", Blend::opaque(Range::Unorm).plan()),
        ("source over", over.plan()),
        ("source over, general path", over.general_plan()),
    ] {
        group.bench_function(format!("blend, {name}"), |b| {
            b.iter(|| {
                blend(
                    level,
                    &plan,
                    black_box(&src).each_ref(),
                    None,
                    black_box(u64::MAX),
                    &mut dst,
                )
            })
        });
    }
    let memory = Memory::new(1 << 16);
    let mut row = [1; 64];
    group.bench_function("load and store a row of memory", |b| {
        b.iter(|| {
            memory.load_row(black_box(512), &mut row).unwrap();
            memory.store_row(black_box(1024), &row).unwrap();
        })
    });
    group.finish();
}

criterion_group!(benches, setup, raster, rows);
criterion_main!(benches);
