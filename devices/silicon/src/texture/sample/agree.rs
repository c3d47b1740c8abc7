//! Property tests: row code against the reference on random textures, samplers and requests.

#![expect(clippy::unwrap_used, reason = "a test")]

use super::tests::{PLAIN, PRECISION, XYZW, splat, texture};
use super::*;
use crate::texture::format::Layout;
use host::SimdLevel;

mod cubes;
mod loads;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    fn float(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.below(1 << 20) as f32 / (1 << 20) as f32)
    }

    fn row(&mut self, low: f32, high: f32) -> Lanes {
        [(); LANES].map(|()| self.float(low, high).to_bits())
    }

    /// Coordinates that walk across a texture, now and then far away or not numbers.
    fn coords(&mut self) -> Lanes {
        let (start, step) = (self.float(-1.5, 1.5), self.pick(&[0.001, 0.02, 0.3]));
        let mut row: Lanes = std::array::from_fn(|lane| {
            (start + step * self.float(0.0, 1.0) + step * (lane & 1) as f32).to_bits()
        });
        if self.below(4) == 0 {
            for value in [f32::NAN, f32::INFINITY, -1e30, 0.0, 1.0, -0.0] {
                row[self.below(64) as usize] = value.to_bits();
            }
        }
        row
    }
}

const MODES: [Address; 8] = [
    Address::Repeat,
    Address::Mirror,
    Address::ClampToEdge,
    Address::MirrorClampToEdge,
    Address::HalfBorder,
    Address::MirrorHalfBorder,
    Address::Border,
    Address::MirrorBorder,
];

fn sampler(random: &mut Random) -> Sampler {
    let filters = [Filter::Nearest, Filter::Linear];
    Sampler {
        address: [(); 3].map(|()| random.pick(&MODES)),
        mag: random.pick(&filters),
        min: random.pick(&filters),
        slices: random.pick(&[None, Some(Filter::Nearest), Some(Filter::Linear)]),
        mip: random.pick(&[MipFilter::None, MipFilter::Nearest, MipFilter::Linear]),
        lod_bias: random.pick(&[0.0, 0.7]),
        lod_min: random.pick(&[0.0, 0.3]),
        lod_max: random.pick(&[16.0, 1.6]),
        border: random.pick(&[
            Border::TransparentBlack,
            Border::OpaqueBlack,
            Border::OpaqueWhite,
            Border::Custom([0x3e80_0000, 0x3f00_0000, 0x3f40_0000, 0x3f10_0000]),
        ]),
        compare: random.pick(&Compare::ALL),
        unnormalized: random.below(12) == 0,
        anisotropy: random.pick(&[1, 1, 4, 16]),
        reduction: random.pick(&[
            Reduction::Average,
            Reduction::Average,
            Reduction::Min,
            Reduction::Max,
        ]),
        seamless: random.below(4) != 0,
    }
}

/// Lays a texture out in tiles of 8 by 8 texels, two by two of them in tiles that the width is filled with; bits 8 and
/// 9 may be the exclusive or of what columns and lines give.
fn tile(random: &mut Random, memory: &Memory, t: &mut Texture) {
    let swizzled = random.below(3) != 0;
    let power = random.below(2) == 0;
    for (l, level) in t.levels.iter_mut().enumerate() {
        let across = level.width.div_ceil(16);
        let across = if power {
            across.next_power_of_two()
        } else {
            across
        };
        let offset = |x: u32, y: u32, _: u32, _: u32| {
            let place = (0..3).fold(0, |place, bit| {
                place | (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1)
            });
            let mut part = x >> 3 & 1 | (y >> 3 & 1) << 1;
            if swizzled {
                part ^= y >> 4 & 1 | (x >> 4 & 1) << 1;
            }
            place << 2 | part << 8 | (x / 16 + across * (y / 16)) << 10
        };
        level.base = 0x1_0000 * (l as u64 + 1);
        for at in (0..0x4000).step_by(4) {
            memory.store(level.base + at, random.next() ^ random.next() << 8);
        }
        let xor = if swizzled { 0x300 } else { 0 };
        level.axes = Axes::new([level.width, level.height, 1, 1], xor, offset);
    }
}

/// Compares one texture, sampler and instruction, which may be a `common` one; how many waves went in batches.
fn check(
    random: &mut Random,
    dim: Dim,
    format: Format,
    common: bool,
    scratch: &mut Scratch,
) -> AtOnce {
    let mut at_once = AtOnce::default();
    let memory = Memory::new(1 << 20);
    let width = random.pick(&[1, 5, 16, 33]);
    let height = match dim {
        Dim::D1 => 1,
        Dim::Cube => width,
        _ => random.pick(&[1, 7, 16, 35]),
    };
    let depth = if dim == Dim::D3 {
        random.pick(&[1, 6])
    } else {
        1
    };
    let layers = if dim == Dim::D3 || common {
        1
    } else {
        random.pick(&[1, 3])
    };
    let levels = random.pick(&[1, 3, 4]);
    let size = [width, height, depth];
    let mut bytes = Random(u64::from(random.next()));
    let mut t = texture(&memory, dim, format, size, layers, levels, &mut || {
        bytes.next() as u8
    });
    let plain = matches!(format.row().layout, Layout::Plain(_));
    if plain && format.size_bytes() == 4 && dim == Dim::D2 && layers == 1 && random.below(2) == 0 {
        tile(random, &memory, &mut t);
    }
    t.select = random.pick(&[
        XYZW,
        [Read::Channel(2), Read::One, Read::Zero, Read::Channel(0)],
    ]);
    t.min_lod = random.pick(&[0.0, 0.4]);
    if format.aspects() == crate::texture::format::Aspects::DepthStencil {
        t.aspect = random.pick(&[Aspect::First, Aspect::Stencil]);
    }
    let texture = PreparedTexture::new(&t).unwrap();
    let mut sampler = sampler(random);
    let mut precision = Precision {
        weight_bits: random.pick(&[8, 8, 6]),
        lod_bits: random.pick(&[8, 8, 5]),
    };
    if common {
        let modes = [Address::Repeat, Address::Mirror, Address::ClampToEdge];
        sampler.address = [(); 3].map(|()| random.pick(&modes));
        sampler.reduction = Reduction::Average;
        sampler.anisotropy = 1;
        sampler.mag = sampler.min;
        precision.weight_bits = 8;
    }
    let sampler = PreparedSampler::new(sampler, precision).steeper(random.pick(&[0, 0, 1, 2, 3]));
    let face: Lanes = if random.below(2) == 0 {
        splat(random.below(6) as f32)
    } else {
        random.row(0.0, 5.0)
    };
    let (u, v, w) = (random.coords(), random.coords(), random.coords());
    let extra: [Lanes; 6] = [(); 6].map(|()| random.row(-0.4, 0.4));
    let layer = random.row(-1.0, 4.0);
    let clamp = random.row(0.0, 2.0);
    let reference = random.row(-0.1, 1.1);
    let lod = random.row(-1.0, 5.0);
    let even = splat(random.float(-0.5, 3.0));
    // Now and then further than a texture reaches.
    let reach = random.pick(&[4, 4, 31]);
    let mut offset = || [(); 3].map(|()| random.below(2 * reach + 1) as i32 - reach as i32);
    let offsets = [(); LANES].map(|()| rules::pack_offsets(offset()));
    let request = Request {
        exec: random.pick(&[u64::MAX, 0x0f0f_1234_ffff_0001, 1 << 40]),
        coords: [&u, &v, if dim == Dim::Cube { &face } else { &w }],
        layer: random.pick(&[None, Some(&layer)]),
        lod: random.pick(&[
            Lod::Implicit,
            Lod::Bias(&lod),
            Lod::Zero,
            Lod::Explicit(&lod),
            Lod::Gradient {
                dx: [&extra[0], &extra[1], &extra[2]],
                dy: [&extra[3], &extra[4], &extra[5]],
            },
        ]),
        lod_clamp: random.pick(&[None, None, Some(&clamp)]),
        reference: random.pick(&[None, None, Some(&reference)]),
        offsets: random.pick(&[None, None, Some(&offsets)]),
    };
    let request = match common {
        true => Request {
            lod: random.pick(&[
                Lod::Implicit,
                Lod::Zero,
                Lod::Explicit(&lod),
                Lod::Explicit(&even),
                request.lod,
            ]),
            ..request
        },
        false => request,
    };
    let equal = |level: SimdLevel, request: &Request, got: &[Lanes; 4], expected: &[Lanes; 4]| {
        for c in 0..4 {
            for lane in 0..LANES {
                assert_eq!(
                    got[c][lane],
                    expected[c][lane],
                    "component {c} of lane {lane}: {} instead of {} at {}\n{t:?}\n{sampler:?}\n{request:?}",
                    f32::from_bits(got[c][lane]),
                    f32::from_bits(expected[c][lane]),
                    level.name(),
                );
            }
        }
    };
    let start = [[7; LANES]; 4];
    let mut expected = start;
    reference::sample(&memory, &texture, &sampler, &request, &mut expected);
    for level in SimdLevel::available() {
        let mut got = start;
        let sampling = scratch.begin(level, &memory, &texture, &sampler, &request);
        sampling.finish(scratch, got.each_mut().map(Some));
        equal(level, &request, &got, &expected);
    }
    // Further waves with the same instruction.
    let waves: Vec<[Lanes; 3]> = (0..random.below(8))
        .map(|_| [random.coords(), random.coords(), random.row(-0.1, 1.1)])
        .collect();
    let mut requests = vec![request];
    for [u, v, against] in &waves {
        requests.push(Request {
            exec: random.pick(&[u64::MAX, u64::MAX, 0xffff_0000_fff0_0f01]),
            coords: [u, v, request.coords[2]],
            reference: request.reference.map(|_| against),
            ..request
        });
    }
    // What other instructions find at the same places: through another sampler, and in what is left of the texture without its
    // first level.
    let mut moved = sampler;
    moved.sampler.lod_bias += 0.75;
    moved.sampler.address.rotate_left(1);
    let mut less = t.clone();
    if less.levels.len() > 1 {
        less.levels.remove(0);
    }
    let less = PreparedTexture::new(&less).unwrap();
    for level in SimdLevel::available() {
        let waves: Vec<Plain> = requests.iter().map(plain_wave).collect();
        for (texture, sampler, before) in [
            (&texture, &sampler, false),
            (&texture, &sampler, true),
            (&less, &sampler, true),
            (&less, &moved, true),
            (&texture, &moved, true),
        ] {
            let later = true;
            let repeats = Repeats { before, later };
            let sampling = scratch.begin_all(level, &memory, texture, sampler, &waves, repeats);
            let Some(sampling) = sampling else { continue };
            let mut got = vec![start; requests.len()];
            let mut outs: Vec<Out> = got.iter_mut().map(|g| g.each_mut().map(Some)).collect();
            sampling.finish_all(scratch, &mut outs);
            for (got, request) in got.iter().zip(&requests) {
                let mut expected = start;
                reference::sample(&memory, texture, sampler, request, &mut expected);
                equal(level, request, got, &expected);
            }
            at_once.samples = u32::from(requests.len() > 1);
        }
    }
    let mut numbers = |most: u32| [(); LANES].map(|()| random.below(most));
    let (x, y, slice, each) = (numbers(40), numbers(18), numbers(20), numbers(6));
    let level = match random.below(3) {
        0 => None,
        1 => Some(&[2; LANES]),
        _ => Some(&each),
    };
    let access = Access {
        exec: request.exec,
        x: &x,
        y: &y,
        slice: random.pick(&[None, Some(&slice)]),
        level,
        sample: random.pick(&[None, Some(&[0; LANES]), Some(&each)]),
    };
    loads::check(&memory, &texture, &access, scratch);
    let component = random.below(4) as usize;
    let (memory, prepared, with) = (&memory, &texture, &sampler);
    let mut expected = start;
    reference::gather(memory, prepared, with, &request, component, &mut expected);
    for level in SimdLevel::available() {
        let mut got = start;
        let room = &mut scratch.room;
        let bound = room::Bound {
            memory,
            texture: prepared,
            sampler: with,
        };
        gather::gather(level, room, bound, &request, component, &mut got);
        equal(level, &request, &got, &expected);
    }
    for level in SimdLevel::available() {
        let zero = |r: &Request| matches!(r.lod, Lod::Zero);
        let waves: Vec<Plain> = requests
            .iter()
            .filter(|r| zero(r))
            .map(plain_wave)
            .collect();
        let bound = (prepared, with);
        // The same component, others of these texels, and what says that another texture was gathered.
        let gathers = [
            (component, 1, false),
            (component ^ 1, 1, true),
            (component ^ 2, 2, true),
        ];
        for (component, name, before) in gathers {
            let gather = Gather {
                component,
                name,
                repeats: Repeats {
                    before,
                    later: true,
                },
            };
            let gathers = scratch.begin_gathers(level, memory, bound, gather, &waves);
            let Some(gathers) = gathers else { continue };
            let mut got = vec![start; waves.len()];
            let mut outs: Vec<Out> = got.iter_mut().map(|g| g.each_mut().map(Some)).collect();
            gathers.finish_all(scratch, &mut outs);
            for (got, request) in got.iter().zip(&requests) {
                let mut expected = start;
                reference::gather(memory, prepared, with, request, component, &mut expected);
                equal(level, request, got, &expected);
            }
            at_once.gathers += waves.len() as u32;
        }
    }
    at_once
}

/// A wave of a batch.
fn plain_wave<'a>(request: &Request<'a>) -> Plain<'a> {
    Plain {
        exec: request.exec,
        coords: request.coords,
        layer: request.layer,
        face_ids: None,
        reference: request.reference,
        lod: request.lod,
        lod_clamp: request.lod_clamp,
        offsets: request.offsets,
    }
}

/// Waves that went in batches.
#[derive(Clone, Copy, Default)]
struct AtOnce {
    samples: u32,
    gathers: u32,
}

#[test]
fn rows_equal_lanes() {
    let mut random = Random(5);
    let formats = [
        Format::R8G8B8A8Unorm,
        Format::B8G8R8A8Unorm,
        Format::R8Unorm,
        Format::R8G8Unorm,
        Format::R8G8B8A8Srgb,
        Format::R16G16B16A16Float,
        Format::A2B10G10R10Unorm,
        Format::R32Float,
        Format::R32G32B32A32Float,
        Format::D16Unorm,
        Format::D24UnormS8Uint,
        Format::Bc1RgbaUnorm,
        Format::Bc3RgbaSrgb,
        Format::Bc5RgSnorm,
        Format::Bc6hRgbFloat,
        Format::Bc7RgbaUnorm,
        Format::Etc2Rgb8A1Srgb,
        Format::Astc6x5Unorm,
    ];
    let mut scratch = Scratch::default();
    for round in 0..6000 {
        let format = formats[round % formats.len()];
        let dim = random.pick(&[Dim::D1, Dim::D2, Dim::D2, Dim::D2, Dim::D3, Dim::Cube]);
        check(&mut random, dim, format, false, &mut scratch);
    }
}

#[test]
fn waves_together_equal_lanes() {
    let mut random = Random(9);
    let formats = [
        Format::R8G8B8A8Unorm,
        Format::B8G8R8A8Unorm,
        Format::R32Float,
        Format::D32Float,
        Format::R8G8Unorm,
        Format::R16G16B16A16Float,
        Format::R32G32B32A32Float,
    ];
    let mut scratch = Scratch::default();
    let mut all = AtOnce::default();
    for round in 0..2000 {
        let format = formats[round % formats.len()];
        let dim = random.pick(&[Dim::D2, Dim::D2, Dim::D3, Dim::Cube]);
        let AtOnce { samples, gathers } = check(&mut random, dim, format, true, &mut scratch);
        all.samples += samples;
        all.gathers += gathers;
    }
    assert!(all.samples > 400, "{} of several waves", all.samples);
    assert!(all.gathers > 1000, "{} gathers", all.gathers);
}

/// A load gives what a sample of the nearest texel gives, integers bit for bit.
#[test]
fn loads_are_samples_of_one_texel() {
    let mut random = Random(6);
    for &format in Format::ALL {
        if matches!(format.row().layout, Layout::Planar(_)) {
            continue;
        }
        let memory = Memory::new(4096);
        let mut bytes = Random(1);
        let t = texture(&memory, Dim::D2, format, [8, 8, 1], 1, 1, &mut || {
            bytes.next() as u8
        });
        let texture = PreparedTexture::new(&t).unwrap();
        let nearest = Sampler {
            mag: Filter::Nearest,
            min: Filter::Nearest,
            ..PLAIN
        };
        let sampler = PreparedSampler::new(nearest, PRECISION);
        let (u, v) = (random.row(0.0, 0.999), random.row(0.0, 0.999));
        let request = Request {
            exec: u64::MAX,
            coords: [&u, &v, &v],
            layer: None,
            lod: Lod::Implicit,
            lod_clamp: None,
            reference: None,
            offsets: None,
        };
        let mut sampled = [[0; LANES]; 4];
        let mut scratch = Scratch::default();
        sample(
            &mut scratch,
            &memory,
            &texture,
            &sampler,
            &request,
            &mut sampled,
        );
        let number = |row: &Lanes| row.map(|bits| (f32::from_bits(bits) * 8.0) as u32);
        let (x, y) = (number(&u), number(&v));
        let access = Access {
            exec: u64::MAX,
            x: &x,
            y: &y,
            slice: None,
            level: None,
            sample: None,
        };
        let mut loaded = [[0; LANES]; 4];
        load(&mut scratch, &memory, &texture, &access, &mut loaded);
        assert_eq!(sampled, loaded, "{format:?}");
    }
}
