//! Texels: conversions of rows, and sampling per filter.
//!
//! `cargo bench -p girih-silicon --bench texels`; `GIRIH_SIMD` picks the level. One element is one lane.

#![allow(missing_docs, clippy::unwrap_used)]

#[path = "texels/cubes.rs"]
mod cubes;

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use silicon::fragment::depth::Compare;
use silicon::host::SimdLevel;
use silicon::texture::format::Read;
use silicon::texture::sample::{
    Access, Address, Aspect, Axes, Border, Dim, Filter, LANES, Lanes, Level, Lod, MipFilter,
    Precision, PreparedSampler, PreparedTexture, Reduction, Request, Sampler, Scratch, Texture,
    gather, load, sample,
};
use silicon::texture::texel::{pack_row, unpack_row};
use silicon::{Addr, Format, Memory};

const SIZE: u32 = 1024;
const WAVES: usize = 256;

const BILINEAR: Sampler = Sampler {
    address: [Address::Repeat; 3],
    mag: Filter::Linear,
    min: Filter::Linear,
    slices: None,
    mip: MipFilter::Nearest,
    lod_bias: 0.0,
    lod_min: 0.0,
    lod_max: 16.0,
    border: Border::TransparentBlack,
    compare: Compare::Less,
    unnormalized: false,
    anisotropy: 1,
    reduction: Reduction::Average,
    seamless: true,
};

fn conversions(c: &mut Criterion) {
    let mut group = c.benchmark_group("rows");
    group.throughput(Throughput::Elements(LANES as u64));
    let level = SimdLevel::current();
    for format in [
        Format::R8G8B8A8Unorm,
        Format::R8G8B8A8Srgb,
        Format::A2B10G10R10Unorm,
        Format::R16G16B16A16Float,
        Format::R32Float,
    ] {
        let mut words: [Lanes; 4] =
            [0, 1, 2, 3].map(|w| std::array::from_fn(|l| (l as u32 + w) * 0x0102_0304));
        let mut values = [[0; LANES]; 4];
        group.bench_function(format!("unpack {}", format.name()), |b| {
            b.iter(|| unpack_row(level, format, black_box(&words), &mut values));
        });
        let values: [Lanes; 4] =
            [0, 1, 2, 3].map(|c| std::array::from_fn(|l| ((l + c) as f32 / 70.0).to_bits()));
        group.bench_function(format!("pack {}", format.name()), |b| {
            b.iter(|| pack_row(level, format, black_box(&values), &mut words));
        });
    }
}

/// A mipmapped square, an array of squares or a box: Morton tiles of 8 by 8 texels in rows, like a micro-tiled surface.
fn texture(memory: &Memory, dim: Dim, layers: u32, format: Format) -> PreparedTexture {
    let size = if dim == Dim::D3 { SIZE / 8 } else { SIZE };
    let mut base = 0x1000u64;
    let mut levels = Vec::new();
    let bytes = format.size_bytes();
    let (bw, bh) = format.block_size();
    for l in 0..=size.ilog2() {
        let n = (size >> l).max(1);
        let (w, h) = (n.div_ceil(bw), n.div_ceil(bh));
        let (pitch, rows) = (w.next_multiple_of(8), h.next_multiple_of(8));
        let depth = if dim == Dim::D3 { n } else { 1 };
        let slices = depth * layers;
        let offset = |x: u32, y: u32, slice: u32, _: u32| {
            let micro = (0..3).fold(0, |m, b| {
                m | (x >> b & 1) << (2 * b) | (y >> b & 1) << (2 * b + 1)
            });
            (micro + 64 * (x / 8 + pitch / 8 * (y / 8)) + pitch * rows * slice) * bytes
        };
        levels.push(Level {
            width: n,
            height: n,
            depth,
            base,
            axes: Axes::new([w, h, slices, 1], 0, offset),
        });
        base += u64::from(pitch * rows * slices * bytes).next_multiple_of(256);
    }
    let mut x = 1u32;
    let mut next = || {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        x
    };
    // Bytes for blocks, numbers from 0 to 1 for others: a row of texels again and again.
    let texels: Vec<u8> = (0..4096)
        .flat_map(|_| match format.is_block() {
            true => next().to_le_bytes().to_vec(),
            false => {
                let mut texel = vec![0; bytes as usize];
                let value = [(); 4].map(|()| ((next() >> 8) as f32 / 16_777_216.0).to_bits());
                format.pack(value, &mut texel);
                texel
            }
        })
        .collect();
    for at in (0x1000..base).step_by(texels.len()) {
        memory.write(Addr(at), &texels).unwrap();
    }
    PreparedTexture::new(&Texture {
        dim,
        format,
        aspect: Aspect::First,
        select: [0, 1, 2, 3].map(Read::Channel),
        layers,
        samples: 1,
        min_lod: 0.0,
        levels,
    })
    .unwrap()
}

/// Coordinates of waves that cover 8 by 8 pixels, at `texels` texels to a pixel, turned a little; rows further down see
/// `stretch` times more.
fn coords(texels: f32, stretch: f32) -> Vec<[Lanes; 2]> {
    (0..WAVES)
        .map(|wave| {
            let place = |lane: usize| {
                let bit = |b: usize| (lane >> b & 1) as f32;
                let x = bit(0) + 2.0 * bit(2) + 4.0 * bit(4) + 8.0 * (wave % 16) as f32;
                let y = bit(1) + 2.0 * bit(3) + 4.0 * bit(5) + 8.0 * (wave / 16) as f32;
                let scale = texels / SIZE as f32;
                (
                    (0.96 * x - 0.28 * y) * scale,
                    (0.28 * x + 0.96 * y) * scale * stretch,
                )
            };
            [
                std::array::from_fn(|lane| place(lane).0.to_bits()),
                std::array::from_fn(|lane| place(lane).1.to_bits()),
            ]
        })
        .collect()
}

#[derive(Clone, Copy)]
struct Case<'a> {
    name: &'a str,
    dim: Dim,
    layers: u32,
    format: Format,
    sampler: Sampler,
    texels: f32,
    stretch: f32,
    reference: Option<f32>,
}

fn run(group: &mut BenchmarkGroup<criterion::measurement::WallTime>, case: &Case) {
    let memory = Memory::new(1 << 27);
    let texture = texture(&memory, case.dim, case.layers, case.format);
    let precision = Precision {
        weight_bits: 8,
        lod_bits: 8,
    };
    let sampler = PreparedSampler::new(case.sampler, precision);
    let coords = coords(case.texels, case.stretch);
    // A slice through a box; layers differ from quad to quad.
    let depth = std::array::from_fn(|lane| (0.3 + lane as f32 / 8192.0).to_bits());
    let layer = std::array::from_fn(|lane| ((lane / 4 % 3) as f32).to_bits());
    let reference = case.reference.map(|r| [r.to_bits(); LANES]);
    group.bench_function(case.name, |b| {
        b.iter(|| {
            let mut out = [[0; LANES]; 4];
            let mut scratch = Scratch::default();
            for [u, v] in &coords {
                let request = Request {
                    exec: u64::MAX,
                    coords: [u, v, &depth],
                    layer: (case.layers > 1).then_some(&layer),
                    lod: Lod::Implicit,
                    lod_clamp: None,
                    reference: reference.as_ref(),
                    offsets: None,
                };
                sample(
                    &mut scratch,
                    &memory,
                    &texture,
                    &sampler,
                    &request,
                    &mut out,
                );
                black_box(&out);
            }
        });
    });
}

fn filters(c: &mut Criterion) {
    let mut group = c.benchmark_group("sample");
    group.throughput(Throughput::Elements((LANES * WAVES) as u64));
    let nearest = Sampler {
        mag: Filter::Nearest,
        min: Filter::Nearest,
        mip: MipFilter::None,
        ..BILINEAR
    };
    let trilinear = Sampler {
        mip: MipFilter::Linear,
        ..BILINEAR
    };
    let anisotropic = Sampler {
        anisotropy: 16,
        ..trilinear
    };
    let case = Case {
        name: "",
        dim: Dim::D2,
        layers: 1,
        format: Format::R8G8B8A8Unorm,
        sampler: BILINEAR,
        texels: 1.3,
        stretch: 1.0,
        reference: None,
    };
    for case in [
        Case {
            name: "nearest RGBA8",
            sampler: nearest,
            ..case
        },
        Case {
            name: "bilinear RGBA8",
            ..case
        },
        Case {
            name: "bilinear RGBA8 sRGB",
            format: Format::R8G8B8A8Srgb,
            ..case
        },
        Case {
            name: "bilinear RGBA16F",
            format: Format::R16G16B16A16Float,
            ..case
        },
        Case {
            name: "bilinear BC1",
            format: Format::Bc1RgbaUnorm,
            ..case
        },
        Case {
            name: "trilinear RGBA8",
            sampler: trilinear,
            ..case
        },
        Case {
            name: "anisotropic 4 of 16 RGBA8",
            sampler: anisotropic,
            stretch: 4.0,
            ..case
        },
        Case {
            name: "anisotropic 4 of 16 RGBA8 sRGB",
            format: Format::R8G8B8A8Srgb,
            sampler: anisotropic,
            stretch: 4.0,
            ..case
        },
        Case {
            name: "anisotropic 4 of 16 RGBA16F",
            format: Format::R16G16B16A16Float,
            sampler: anisotropic,
            stretch: 4.0,
            ..case
        },
        Case {
            name: "anisotropic 4 of 16 BC1",
            format: Format::Bc1RgbaUnorm,
            sampler: anisotropic,
            stretch: 4.0,
            ..case
        },
        Case {
            name: "PCF D32",
            format: Format::D32Float,
            sampler: Sampler {
                mip: MipFilter::None,
                ..BILINEAR
            },
            reference: Some(0.5),
            ..case
        },
    ] {
        run(&mut group, &case);
    }
}

/// A row for each dimension, size of texel and filter.
fn shapes(c: &mut Criterion) {
    let mut group = c.benchmark_group("shapes");
    group.throughput(Throughput::Elements((LANES * WAVES) as u64));
    let shapes = [
        ("2d", Dim::D2, 1),
        ("array", Dim::D2, 4),
        ("3d", Dim::D3, 1),
    ];
    let formats = [
        Format::R8Unorm,
        Format::R8G8Unorm,
        Format::R8G8B8A8Unorm,
        Format::R8G8B8A8Snorm,
        Format::R8G8B8A8Srgb,
        Format::A2B10G10R10Unorm,
        Format::B10G11R11Float,
        Format::E5B9G9R9Float,
        Format::R16Float,
        Format::R16G16B16A16Float,
        Format::R16G16B16A16Unorm,
        Format::R16G16B16A16Snorm,
        Format::R32Float,
        Format::R32G32Float,
        Format::R32G32B32A32Float,
        Format::Bc1RgbaUnorm,
        Format::Bc3RgbaSrgb,
        Format::Bc4RUnorm,
        Format::Bc5RgSnorm,
        Format::Bc6hRgbFloat,
        Format::Bc7RgbaUnorm,
        Format::Etc2Rgba8Unorm,
        Format::Astc4x4Unorm,
        Format::Astc8x8Srgb,
    ];
    let filters = [
        ("nearest", Filter::Nearest, MipFilter::None),
        ("linear", Filter::Linear, MipFilter::None),
        ("trilinear", Filter::Linear, MipFilter::Linear),
    ];
    for (shape, dim, layers) in shapes {
        for format in formats {
            for (filter, texels, mip) in filters {
                let case = Case {
                    name: &format!("{shape} {} {filter}", format.name()),
                    dim,
                    layers,
                    format,
                    sampler: Sampler {
                        mag: texels,
                        min: texels,
                        mip,
                        ..BILINEAR
                    },
                    texels: if dim == Dim::D3 { 1.3 * 8.0 } else { 1.3 },
                    stretch: 1.0,
                    reference: None,
                };
                run(&mut group, &case);
            }
        }
    }
    for (shape, dim, layers) in &shapes[..2] {
        for format in [Format::D16Unorm, Format::D24UnormS8Uint, Format::D32Float] {
            let case = Case {
                name: &format!("{shape} {} compared", format.name()),
                dim: *dim,
                layers: *layers,
                format,
                sampler: Sampler {
                    mip: MipFilter::None,
                    ..BILINEAR
                },
                texels: 1.3,
                stretch: 1.0,
                reference: Some(0.5),
            };
            run(&mut group, &case);
        }
    }
}

/// Gathers and loads.
fn reads(c: &mut Criterion) {
    let mut group = c.benchmark_group("reads");
    group.throughput(Throughput::Elements((LANES * WAVES) as u64));
    let memory = Memory::new(1 << 27);
    let precision = Precision {
        weight_bits: 8,
        lod_bits: 8,
    };
    let sampler = PreparedSampler::new(BILINEAR, precision);
    let coords = coords(1.3, 1.0);
    for format in [
        Format::R8G8B8A8Unorm,
        Format::R16G16B16A16Float,
        Format::Bc1RgbaUnorm,
        Format::Bc7RgbaUnorm,
    ] {
        let texture = texture(&memory, Dim::D2, 1, format);
        let mut out = [[0; LANES]; 4];
        let mut scratch = Scratch::default();
        group.bench_function(format!("gather {}", format.name()), |b| {
            b.iter(|| {
                for [u, v] in &coords {
                    let request = Request {
                        exec: u64::MAX,
                        coords: [u, v, &[0; LANES]],
                        layer: None,
                        lod: Lod::Zero,
                        lod_clamp: None,
                        reference: None,
                        offsets: None,
                    };
                    gather(
                        &mut scratch,
                        &memory,
                        &texture,
                        &sampler,
                        &request,
                        0,
                        &mut out,
                    );
                    black_box(&out);
                }
            });
        });
        let numbers: Vec<[Lanes; 2]> = coords
            .iter()
            .map(|at| at.map(|row| row.map(|x| (f32::from_bits(x).abs() * SIZE as f32) as u32)))
            .collect();
        group.bench_function(format!("load {}", format.name()), |b| {
            b.iter(|| {
                for [x, y] in &numbers {
                    let access = Access {
                        exec: u64::MAX,
                        x,
                        y,
                        slice: None,
                        level: None,
                        sample: None,
                    };
                    load(&mut scratch, &memory, &texture, &access, &mut out);
                    black_box(&out);
                }
            });
        });
    }
}

criterion_group! {
    name = texels;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(50))
        .measurement_time(std::time::Duration::from_millis(150));
    targets = conversions, filters, shapes, reads, cubes::cubes
}
criterion_main!(texels);
