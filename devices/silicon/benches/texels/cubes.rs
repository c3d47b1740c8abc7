//! Cubes: inside faces, along their edges, and on small levels.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use silicon::texture::format::Read;
use silicon::texture::sample::{
    Aspect, Axes, Dim, LANES, Lanes, Level, Lod, MipFilter, Precision, PreparedSampler,
    PreparedTexture, Request, Sampler, Scratch, Texture, sample,
};
use silicon::{Addr, Format, Memory};

use crate::{BILINEAR, WAVES};

/// Texels across a face.
const CUBE: u32 = 256;

/// Six mipmapped squares in rows, one behind the other on each level.
fn cube(memory: &Memory, format: Format) -> PreparedTexture {
    let mut base = 0x1000u64;
    let mut levels = Vec::new();
    let bytes = format.size_bytes();
    for l in 0..=CUBE.ilog2() {
        let n = CUBE >> l;
        let pitch = (n * bytes).next_multiple_of(64);
        levels.push(Level {
            width: n,
            height: n,
            depth: 1,
            base,
            axes: Axes::linear([n, n, 6], bytes, pitch, pitch * n),
        });
        base += u64::from(6 * pitch * n).next_multiple_of(256);
    }
    let mut x = 1u32;
    for at in (0x1000..base).step_by(4) {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        memory
            .write(Addr(at), &(x & 0x3bff_3bff).to_le_bytes())
            .unwrap();
    }
    PreparedTexture::new(&Texture {
        dim: Dim::Cube,
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

/// Place and face of a direction.
fn face([x, y, z]: [f32; 3]) -> [f32; 3] {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, s, t, major) = if az >= ax && az >= ay {
        (4.0 + f32::from(z < 0.0), x.copysign(x * z), -y, az)
    } else if ay >= ax {
        (2.0 + f32::from(y < 0.0), x, z.copysign(z * y), ay)
    } else {
        (f32::from(x < 0.0), -z.copysign(z * x), -y, ax)
    };
    [s / (2.0 * major) + 0.5, t / (2.0 * major) + 0.5, face]
}

/// Coordinates of waves that look through 8 by 8 pixels each: a level-0 texel is `scale` pixels wide or so. They cover a
/// face, or go along the edge of +x and +z.
fn looks(scale: f32, edge: bool) -> Vec<[Lanes; 3]> {
    let step = scale * 2.0 / CUBE as f32;
    (0..WAVES)
        .map(|wave| {
            let rows: [[f32; 3]; LANES] = std::array::from_fn(|lane| {
                let bit = |b: usize| (lane >> b & 1) as f32;
                let x = bit(0) + 2.0 * bit(2) + 4.0 * bit(4);
                let y = bit(1) + 2.0 * bit(3) + 4.0 * bit(5);
                if edge {
                    let along = (wave as f32 / WAVES as f32 - 0.5) * 1.8;
                    face([1.0, along + y * step, 1.0 + (x - 3.5) * step])
                } else {
                    let [a, b] = [wave % 16, wave / 16].map(|n| (n as f32 - 8.0) / 8.5);
                    face([a + x * step, b + y * step, 1.0])
                }
            });
            [0, 1, 2].map(|axis: usize| std::array::from_fn(|lane| rows[lane][axis].to_bits()))
        })
        .collect()
}

pub fn cubes(c: &mut Criterion) {
    let mut group = c.benchmark_group("cube");
    group.throughput(Throughput::Elements((LANES * WAVES) as u64));
    let flat = Sampler {
        mip: MipFilter::None,
        ..BILINEAR
    };
    let trilinear = Sampler {
        mip: MipFilter::Linear,
        ..BILINEAR
    };
    let precision = Precision {
        weight_bits: 8,
        lod_bits: 8,
    };
    let zero = [0; LANES];
    let level = [4.3f32.to_bits(); LANES];
    let bytes = Format::R8G8B8A8Unorm;
    let halves = Format::R16G16B16A16Float;
    for (name, format, sampler, scale, edge, lod) in [
        ("level 0 RGBA8", bytes, flat, 0.7, false, Lod::Implicit),
        (
            "level 0 at edges RGBA8",
            bytes,
            flat,
            0.7,
            true,
            Lod::Implicit,
        ),
        (
            "magnified trilinear RGBA8",
            bytes,
            trilinear,
            0.7,
            false,
            Lod::Implicit,
        ),
        (
            "trilinear RGBA8",
            bytes,
            trilinear,
            1.4,
            false,
            Lod::Implicit,
        ),
        (
            "trilinear at edges RGBA8",
            bytes,
            trilinear,
            1.4,
            true,
            Lod::Implicit,
        ),
        (
            "level 4.3 RGBA8",
            bytes,
            trilinear,
            1.4,
            false,
            Lod::Explicit(&level),
        ),
        (
            "level 4.3 at edges RGBA8",
            bytes,
            trilinear,
            1.4,
            true,
            Lod::Explicit(&level),
        ),
        (
            "trilinear RGBA16F",
            halves,
            trilinear,
            1.4,
            false,
            Lod::Implicit,
        ),
        (
            "trilinear at edges RGBA16F",
            halves,
            trilinear,
            1.4,
            true,
            Lod::Implicit,
        ),
    ] {
        let memory = Memory::new(1 << 26);
        let texture = cube(&memory, format);
        let sampler = PreparedSampler::new(sampler, precision);
        let coords = looks(scale, edge);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut out = [[0; LANES]; 4];
                let mut scratch = Scratch::default();
                for [s, t, face] in &coords {
                    let request = Request {
                        exec: u64::MAX,
                        coords: [s, t, face],
                        layer: Some(&zero),
                        lod,
                        lod_clamp: None,
                        reference: None,
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
}
