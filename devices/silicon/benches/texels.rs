//! Texels: conversions of rows, and sampling per filter.
//!
//! `cargo bench -p girih-silicon --bench texels`; `GIRIH_SIMD` picks the level. One element is one lane.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use silicon::fragment::depth::Compare;
use silicon::host::SimdLevel;
use silicon::texture::format::Read;
use silicon::texture::sample::{
    Address, Aspect, Axes, Border, Dim, Filter, LANES, Lanes, Level, Lod, MipFilter, Precision,
    PreparedSampler, PreparedTexture, Reduction, Request, Sampler, Scratch, Texture, sample,
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

/// A mipmapped square of Morton tiles of 8 by 8 texels in rows, like a micro-tiled surface.
fn texture(memory: &Memory, format: Format) -> PreparedTexture {
    let mut base = 0x1000u64;
    let mut levels = Vec::new();
    let bytes = format.size_bytes();
    let (bw, bh) = format.block_size();
    for l in 0..=10 {
        let n = (SIZE >> l).max(1);
        let (w, h) = (n.div_ceil(bw), n.div_ceil(bh));
        let pitch = w.next_multiple_of(8);
        let offset = |x: u32, y: u32, _: u32, _: u32| {
            let micro = (0..3).fold(0, |m, b| {
                m | (x >> b & 1) << (2 * b) | (y >> b & 1) << (2 * b + 1)
            });
            (micro + 64 * (x / 8 + pitch / 8 * (y / 8))) * bytes
        };
        levels.push(Level {
            width: n,
            height: n,
            depth: 1,
            base,
            axes: Axes::new([w, h, 1, 1], 0, offset),
        });
        base += u64::from(pitch * h.next_multiple_of(8) * bytes).next_multiple_of(256);
    }
    let mut x = 1u32;
    for at in (0x1000..base).step_by(4) {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Exponents of floats stay small.
        let word = x & 0x3bff_3bff;
        memory.write(Addr(at), &word.to_le_bytes()).unwrap();
    }
    PreparedTexture::new(&Texture {
        dim: Dim::D2,
        format,
        aspect: Aspect::First,
        select: [0, 1, 2, 3].map(Read::Channel),
        layers: 1,
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

struct Case<'a> {
    name: &'a str,
    format: Format,
    sampler: Sampler,
    texels: f32,
    stretch: f32,
    reference: Option<f32>,
}

fn run(group: &mut BenchmarkGroup<criterion::measurement::WallTime>, case: &Case) {
    let memory = Memory::new(1 << 26);
    let texture = texture(&memory, case.format);
    let precision = Precision {
        weight_bits: 8,
        lod_bits: 8,
    };
    let sampler = PreparedSampler::new(case.sampler, precision);
    let coords = coords(case.texels, case.stretch);
    let zero = [0; LANES];
    let reference = case.reference.map(|r| [r.to_bits(); LANES]);
    group.bench_function(case.name, |b| {
        b.iter(|| {
            let mut out = [[0; LANES]; 4];
            let mut scratch = Scratch::default();
            for [u, v] in &coords {
                let request = Request {
                    exec: u64::MAX,
                    coords: [u, v, &zero],
                    layer: None,
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
    let case = Case {
        name: "",
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
            sampler: Sampler {
                anisotropy: 16,
                ..trilinear
            },
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

criterion_group! {
    name = texels;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(600));
    targets = conversions, filters
}
criterion_main!(texels);
