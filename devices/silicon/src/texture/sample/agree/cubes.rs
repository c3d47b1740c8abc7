//! Cubes in directions near edges and corners of faces.

use super::super::tests::{XYZW, texture};
use super::super::*;
use super::{Random, sampler};
use crate::texture::format::{Aspects, Class, Layout};
use host::SimdLevel;

/// Place and face of a direction.
fn face([x, y, z]: [f32; 3]) -> [f32; 3] {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
    let (face, s, t, major) = if az >= ax && az >= ay {
        (4.0 + f32::from(z < 0.0), x * sign(z), -y, az)
    } else if ay >= ax {
        (2.0 + f32::from(y < 0.0), x, z * sign(y), ay)
    } else {
        (f32::from(x < 0.0), -z * sign(x), -y, ax)
    };
    [s / (2.0 * major) + 0.5, t / (2.0 * major) + 0.5, face]
}

/// Places and faces of a wave: quads at corners, at edges or anywhere, or all of them in one place.
fn looks(random: &mut Random) -> [Lanes; 3] {
    let mut rows = [[0; LANES]; 3];
    let step = random.pick(&[0.001, 0.02, 0.2, 0.7]);
    let mut direction = [1.0; 3];
    let spread = random.below(3) != 0;
    for quad in 0..LANES / 4 {
        if spread || quad == 0 {
            let sign = |random: &mut Random| random.pick(&[-1.0, 1.0]);
            direction = [(); 3].map(|()| sign(random));
            for _ in 0..random.below(3) {
                direction[random.below(3) as usize] = random.float(-1.0, 1.0);
            }
        }
        for lane in 4 * quad..4 * quad + 4 {
            let look = direction.map(|d| d + step * random.float(-1.0, 1.0));
            for (row, place) in rows.iter_mut().zip(face(look)) {
                row[lane] = place.to_bits();
            }
        }
    }
    if random.below(6) == 0 {
        for value in [f32::NAN, f32::INFINITY, -1e30, 0.0, 1.0, -0.0, 1.5, -0.2] {
            let row = random.below(2) as usize;
            rows[row][random.below(64) as usize] = value.to_bits();
        }
    }
    rows
}

fn cube(random: &mut Random, memory: &Memory, format: Format) -> PreparedTexture {
    let width = random.pick(&[1, 2, 3, 6, 8, 16, 21]);
    let (layers, levels) = (random.pick(&[1, 1, 2]), random.pick(&[1, 2, 5]));
    let mut bytes = Random(u64::from(random.next()));
    let size = [width, width, 1];
    let mut t = texture(memory, Dim::Cube, format, size, layers, levels, &mut || {
        bytes.next() as u8
    });
    t.select = random.pick(&[
        XYZW,
        [Read::Channel(2), Read::One, Read::Zero, Read::Channel(0)],
    ]);
    if format.aspects() == Aspects::DepthStencil {
        t.aspect = random.pick(&[Aspect::First, Aspect::Stencil]);
    }
    PreparedTexture::new(&t).unwrap()
}

fn equal(got: &[Lanes; 4], expected: &[Lanes; 4], what: String) {
    for (c, (got, expected)) in got.iter().zip(expected).enumerate() {
        for (lane, (got, expected)) in got.iter().zip(expected).enumerate() {
            assert_eq!(got, expected, "component {c} of lane {lane}: {what}");
        }
    }
}

/// Compares what vectors and single lanes give for one wave.
fn check(random: &mut Random, format: Format, scratch: &mut Scratch) {
    let memory = Memory::new(1 << 18);
    let texture = cube(random, &memory, format);
    let mut rules = sampler(random);
    if format.class().is_integer() {
        (rules.mag, rules.min, rules.mip) = (Filter::Nearest, Filter::Nearest, MipFilter::Nearest);
        (rules.anisotropy, rules.reduction) = (1, Reduction::Average);
    }
    rules.seamless = random.below(8) != 0;
    let bits = random.pick(&[8, 8, 6]);
    let precision = Precision {
        weight_bits: bits,
        lod_bits: bits,
    };
    let sampler = PreparedSampler::new(rules, precision);
    let [s, t, face] = looks(random);
    let slopes: [Lanes; 6] = [(); 6].map(|()| random.row(-0.2, 0.2));
    let (layer, clamp) = (random.row(-1.0, 3.0), random.row(0.0, 2.0));
    let (reference, lod) = (random.row(-0.1, 1.1), random.row(-1.0, 5.0));
    let one_lod = [random.row(-0.5, 4.5)[0]; LANES];
    let mut offset = || [(); 3].map(|()| random.below(5) as i32 - 2);
    let offsets = [(); LANES].map(|()| rules::pack_offsets(offset()));
    let request = Request {
        exec: random.pick(&[u64::MAX, u64::MAX, 0x0f0f_1234_ffff_0001, 1 << 40]),
        coords: [&s, &t, &face],
        layer: random.pick(&[None, Some(&layer)]),
        lod: random.pick(&[
            Lod::Implicit,
            Lod::Implicit,
            Lod::Bias(&lod),
            Lod::Zero,
            Lod::Explicit(&lod),
            Lod::Explicit(&one_lod),
            Lod::Gradient {
                dx: [&slopes[0], &slopes[1], &slopes[2]],
                dy: [&slopes[3], &slopes[4], &slopes[5]],
            },
        ]),
        lod_clamp: random.pick(&[None, None, Some(&clamp)]),
        reference: match format.class() {
            Class::Uint | Class::Sint => None,
            _ => random.pick(&[None, None, Some(&reference)]),
        },
        offsets: match random.below(8) {
            0 => Some(&offsets),
            _ => None,
        },
    };
    let start = [[7; LANES]; 4];
    let component = random.below(4) as usize;
    let (mut expected, mut gathered) = (start, start);
    reference::sample(&memory, &texture, &sampler, &request, &mut expected);
    reference::gather(
        &memory,
        &texture,
        &sampler,
        &request,
        component,
        &mut gathered,
    );
    let bound = room::Bound {
        memory: &memory,
        texture: &texture,
        sampler: &sampler,
    };
    for level in SimdLevel::available() {
        let mut got = start;
        let sampling = scratch.begin(level, &memory, &texture, &sampler, &request);
        sampling.finish(scratch, got.each_mut().map(Some));
        equal(
            &got,
            &expected,
            format!("{} {format:?} {rules:?}", level.name()),
        );
        let mut got = start;
        let room = &mut scratch.room;
        gather::gather(level, room, bound, &request, component, &mut got);
        equal(
            &got,
            &gathered,
            format!("gather {} {format:?} {rules:?}", level.name()),
        );
    }
}

/// Every format, with every filter, level and way to name one.
#[test]
fn cubes_equal_lanes() {
    let mut random = Random(3);
    let mut scratch = Scratch::default();
    let sampled = |format: &&Format| !matches!(format.row().layout, Layout::Planar(_));
    for format in Format::ALL.iter().filter(sampled) {
        for _ in 0..30 {
            check(&mut random, *format, &mut scratch);
        }
    }
    for _ in 0..2000 {
        let format = random.pick(&[
            Format::R8G8B8A8Unorm,
            Format::B8G8R8A8Unorm,
            Format::R16G16B16A16Float,
            Format::D32Float,
        ]);
        check(&mut random, format, &mut scratch);
    }
}
