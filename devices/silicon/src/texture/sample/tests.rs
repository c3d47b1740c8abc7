#![expect(clippy::unwrap_used, reason = "a test")]

use super::*;
use crate::memory::Addr;
use crate::texture::format::Read::Channel;

pub(super) const PLAIN: Sampler = Sampler {
    address: [Address::ClampToEdge; 3],
    mag: Filter::Linear,
    min: Filter::Linear,
    slices: None,
    mip: MipFilter::None,
    lod_bias: 0.0,
    lod_min: 0.0,
    lod_max: 16.0,
    border: Border::TransparentBlack,
    compare: Compare::Never,
    unnormalized: false,
    anisotropy: 1,
    reduction: Reduction::Average,
    seamless: true,
};

pub(super) const PRECISION: Precision = Precision {
    weight_bits: 8,
    lod_bits: 8,
};

pub(super) const XYZW: [Read; 4] = [Channel(0), Channel(1), Channel(2), Channel(3)];

/// A texture of linear levels, one behind the other from address 256, with bytes from `fill`.
pub(super) fn texture(
    memory: &Memory,
    dim: Dim,
    format: Format,
    size: [u32; 3],
    layers: u32,
    levels: u32,
    fill: &mut dyn FnMut() -> u8,
) -> Texture {
    let mut base = 256u64;
    let mut list = Vec::new();
    for l in 0..levels {
        let [w, h, d] = size.map(|n| (n >> l).max(1));
        let d = if dim == Dim::D3 { d } else { 1 };
        let (bw, bh) = format.block_size();
        let (cols, rows) = (w.div_ceil(bw), h.div_ceil(bh));
        let bytes = format.size_bytes();
        let slices = match dim {
            Dim::D3 => d,
            Dim::Cube => 6 * layers,
            _ => layers,
        };
        let pitch = (cols * bytes).next_multiple_of(16);
        let total = u64::from(pitch * rows * slices);
        for at in 0..total {
            memory.write(Addr(base + at), &[fill()]).unwrap();
        }
        list.push(super::Level {
            width: w,
            height: h,
            depth: d,
            base,
            axes: Axes::linear([cols, rows, slices], bytes, pitch, pitch * rows),
        });
        base = (base + total).next_multiple_of(256);
    }
    Texture {
        dim,
        format,
        aspect: Aspect::First,
        select: XYZW,
        layers,
        samples: 1,
        min_lod: 0.0,
        levels: list,
    }
}

pub(super) fn splat(x: f32) -> Lanes {
    [x.to_bits(); LANES]
}

fn request(coords: [&Lanes; 3]) -> Request<'_> {
    Request {
        exec: 1,
        coords,
        layer: None,
        lod: Lod::Zero,
        lod_clamp: None,
        reference: None,
        offsets: None,
    }
}

/// Samples one lane at `x`, `y`, `z`.
fn one(memory: &Memory, texture: &Texture, sampler: Sampler, at: [f32; 3], lod: Lod) -> [f32; 4] {
    let rows = at.map(splat);
    let request = Request {
        lod,
        ..request([&rows[0], &rows[1], &rows[2]])
    };
    let mut out = [[0; LANES]; 4];
    sample(
        &mut Scratch::default(),
        memory,
        &PreparedTexture::new(texture).unwrap(),
        &PreparedSampler::new(sampler, PRECISION),
        &request,
        &mut out,
    );
    out.map(|row| f32::from_bits(row[0]))
}

/// 4 by 2 texels of R8: 0, 51, 102, 153 and 204, 255, 0, 51; level 1 is 2 by 1 of 255 and 0.
fn small(memory: &Memory) -> Texture {
    let mut n = 0;
    let mut fill = || {
        n += 1;
        match n {
            1..=16 => [0, 51, 102, 153][(n - 1) % 16 % 4],
            17..=32 => [204, 255, 0, 51][(n - 1) % 16 % 4],
            33 => 255,
            _ => 0,
        }
    };
    texture(memory, Dim::D2, Format::R8Unorm, [4, 2, 1], 1, 2, &mut fill)
}

#[test]
fn filters_and_edges() {
    let memory = Memory::new(4096);
    let t = small(&memory);
    let x = |sampler: Sampler, u: f32, v: f32| one(&memory, &t, sampler, [u, v, 0.0], Lod::Zero)[0];
    // Texel centres.
    assert_eq!(x(PLAIN, 0.375, 0.25), 0.2);
    assert_eq!(x(PLAIN, 0.875, 0.75), 0.2);
    // Half way across, and in the middle of four.
    assert_eq!(x(PLAIN, 0.25, 0.25), 0.1);
    assert_eq!(x(PLAIN, 0.25, 0.5), 0.5);
    let nearest = Sampler {
        mag: Filter::Nearest,
        ..PLAIN
    };
    assert_eq!(x(nearest, 0.499, 0.0), 0.2);
    assert_eq!(x(nearest, 0.5, 0.0), 0.4);
    // Left of the first texel centre.
    assert_eq!(x(PLAIN, 0.0, 0.75), 0.8);
    let mode = |mode| Sampler {
        address: [mode; 3],
        ..PLAIN
    };
    assert_eq!(x(mode(Address::Repeat), 0.0, 0.75), 0.5);
    assert_eq!(x(mode(Address::Repeat), -3.0, 0.75), 0.5);
    assert_eq!(x(mode(Address::Mirror), 0.0, 0.75), 0.8);
    assert_eq!(x(mode(Address::Mirror), 1.875, 0.75), 0.8);
    assert_eq!(x(mode(Address::Border), 0.0, 0.75), 0.4);
    let white = Sampler {
        border: Border::OpaqueWhite,
        ..mode(Address::Border)
    };
    assert_eq!(x(white, -9.0, 0.75), 1.0);
    assert_eq!(x(white, f32::NAN, 0.25), 1.0);
    assert_eq!(x(mode(Address::HalfBorder), -9.0, 0.75), 0.4);
    assert_eq!(x(mode(Address::MirrorClampToEdge), -0.375, 0.25), 0.2);
}

/// The mirrored half border with a nearest filter: the border does not show, and with a linear filter it counts half at
/// most.
#[test]
fn half_borders() {
    let memory = Memory::new(4096);
    let t = small(&memory);
    let x = |mode, filter, u: f32| {
        let sampler = Sampler {
            address: [mode; 3],
            mag: filter,
            border: Border::OpaqueWhite,
            ..PLAIN
        };
        one(&memory, &t, sampler, [u, 0.25, 0.0], Lod::Zero)[0]
    };
    for (u, plain, mirrored) in [
        (-9.0, 0.0, 0.6),
        (-0.3, 0.0, 0.2),
        (0.3, 0.2, 0.2),
        (1.4, 0.6, 0.6),
    ] {
        assert_eq!(x(Address::HalfBorder, Filter::Nearest, u), plain, "{u}");
        let got = x(Address::MirrorHalfBorder, Filter::Nearest, u);
        assert_eq!(got, mirrored, "{u}");
    }
    // Half of texel 3 and half of the white border.
    assert_eq!(x(Address::MirrorHalfBorder, Filter::Linear, -9.0), 0.8);
    assert_eq!(x(Address::MirrorHalfBorder, Filter::Linear, 9.0), 0.8);
    assert_eq!(x(Address::MirrorHalfBorder, Filter::Linear, 0.0), 0.0);
    assert_eq!(x(Address::HalfBorder, Filter::Linear, -9.0), 0.5);
}

#[test]
fn components_and_constants() {
    let memory = Memory::new(4096);
    let mut t = small(&memory);
    assert_eq!(
        one(&memory, &t, PLAIN, [0.375, 0.25, 0.0], Lod::Zero),
        [0.2, 0.0, 0.0, 1.0]
    );
    t.select = [Read::One, Channel(0), Channel(3), Read::Zero];
    assert_eq!(
        one(&memory, &t, PLAIN, [0.375, 0.25, 0.0], Lod::Zero),
        [1.0, 0.2, 1.0, 0.0]
    );
}

#[test]
fn levels() {
    let memory = Memory::new(4096);
    let t = small(&memory);
    let x = |sampler: Sampler, lod: f32| {
        one(
            &memory,
            &t,
            sampler,
            [0.125, 0.25, 0.0],
            Lod::Explicit(&splat(lod)),
        )[0]
    };
    let linear = Sampler {
        mip: MipFilter::Linear,
        ..PLAIN
    };
    assert_eq!(x(linear, 0.0), 0.0);
    assert_eq!(x(linear, 1.0), 1.0);
    assert_eq!(x(linear, 7.0), 1.0);
    assert_eq!(x(linear, 0.25), 0.25);
    let nearest = Sampler {
        mip: MipFilter::Nearest,
        ..PLAIN
    };
    assert_eq!((x(nearest, 0.5), x(nearest, 0.51)), (0.0, 1.0));
    assert_eq!(
        x(
            Sampler {
                lod_max: 0.25,
                ..linear
            },
            1.0
        ),
        0.25
    );
    assert_eq!(
        x(
            Sampler {
                lod_min: 0.75,
                ..linear
            },
            0.0
        ),
        0.75
    );
    assert_eq!(
        x(
            Sampler {
                lod_bias: 0.5,
                ..linear
            },
            0.25
        ),
        0.75
    );
}

#[test]
fn quads_imply_levels() {
    let memory = Memory::new(4096);
    let t = PreparedTexture::new(&small(&memory)).unwrap();
    let sampler = PreparedSampler::new(
        Sampler {
            mip: MipFilter::Linear,
            ..PLAIN
        },
        PRECISION,
    );
    // Steps of half a texel to the right and two texels down.
    let u: Lanes = std::array::from_fn(|i| (0.125 * (i & 1) as f32).to_bits());
    let v: Lanes = std::array::from_fn(|i| ((i >> 1 & 1) as f32).to_bits());
    let request = Request {
        lod: Lod::Implicit,
        exec: u64::MAX,
        ..request([&u, &v, &u])
    };
    let mut out = [[0; LANES]; 2];
    query_lod(&t, &sampler, &request, &mut out);
    assert!(out[0].iter().all(|&l| f32::from_bits(l) == 1.0));
    let bias = splat(-0.75);
    query_lod(
        &t,
        &sampler,
        &Request {
            lod: Lod::Bias(&bias),
            ..request
        },
        &mut out,
    );
    assert!(out[0].iter().all(|&l| f32::from_bits(l) == 0.25));
    let (half, zero) = (splat(0.5), splat(0.0));
    let gradient = Lod::Gradient {
        dx: [&half, &zero, &zero],
        dy: [&zero, &zero, &zero],
    };
    query_lod(
        &t,
        &sampler,
        &Request {
            lod: gradient,
            ..request
        },
        &mut out,
    );
    assert!(out[0].iter().all(|&l| f32::from_bits(l) == 1.0));
}

#[test]
fn comparisons_are_filtered() {
    let memory = Memory::new(4096);
    let t = small(&memory);
    let sampler = Sampler {
        compare: Compare::Less,
        ..PLAIN
    };
    let reference = splat(0.3);
    let rows = [0.3125, 0.25, 0.0].map(splat);
    let request = Request {
        reference: Some(&reference),
        ..request([&rows[0], &rows[1], &rows[2]])
    };
    let mut out = [[0; LANES]; 4];
    let prepared = PreparedTexture::new(&t).unwrap();
    // Between texels 0.0 and 0.2: 0.3 is below neither.
    sample(
        &mut Scratch::default(),
        &memory,
        &prepared,
        &PreparedSampler::new(sampler, PRECISION),
        &request,
        &mut out,
    );
    assert_eq!(f32::from_bits(out[0][0]), 0.0);
    // A quarter of the way from 0.2 to 0.4.
    let u = splat(0.4375);
    let request = Request {
        coords: [&u, &rows[1], &rows[2]],
        ..request
    };
    sample(
        &mut Scratch::default(),
        &memory,
        &prepared,
        &PreparedSampler::new(sampler, PRECISION),
        &request,
        &mut out,
    );
    assert_eq!(f32::from_bits(out[0][0]), 0.25);
}

#[test]
fn gathers_and_offsets() {
    let memory = Memory::new(4096);
    let prepared = PreparedTexture::new(&small(&memory)).unwrap();
    let sampler = PreparedSampler::new(PLAIN, PRECISION);
    let rows = [0.25, 0.5, 0.0].map(splat);
    let mut out = [[0; LANES]; 4];
    let mut r = request([&rows[0], &rows[1], &rows[2]]);
    gather(
        &mut Scratch::default(),
        &memory,
        &prepared,
        &sampler,
        &r,
        0,
        &mut out,
    );
    assert_eq!(out.map(|row| f32::from_bits(row[0])), [0.8, 1.0, 0.2, 0.0]);
    let right = [rules::pack_offsets([1, 0, 0]); LANES];
    r.offsets = Some(&right);
    gather(
        &mut Scratch::default(),
        &memory,
        &prepared,
        &sampler,
        &r,
        0,
        &mut out,
    );
    assert_eq!(out.map(|row| f32::from_bits(row[0])), [1.0, 0.0, 0.4, 0.2]);
    gather(
        &mut Scratch::default(),
        &memory,
        &prepared,
        &sampler,
        &r,
        3,
        &mut out,
    );
    assert_eq!(out.map(|row| f32::from_bits(row[0])), [1.0; 4]);
}

#[test]
fn cubes_are_seamless() {
    let memory = Memory::new(4096);
    // One texel per face: faces 0 to 5 are 0, 51, .. 255.
    let mut n = 0;
    let mut fill = || {
        n += 1;
        if n % 16 == 1 { (n / 16 * 51) as u8 } else { 0 }
    };
    let t = texture(
        &memory,
        Dim::Cube,
        Format::R8Unorm,
        [1, 1, 1],
        1,
        1,
        &mut fill,
    );
    let x = |sampler, at| one(&memory, &t, sampler, at, Lod::Zero)[0];
    assert_eq!(x(PLAIN, [0.5, 0.5, 3.0]), 0.6);
    // Left edge of +x is +z, its upper edge +y.
    assert_eq!(x(PLAIN, [0.0, 0.5, 0.0]), 0.4);
    assert_eq!(x(PLAIN, [0.5, 0.0, 0.0]), 0.2);
    // The corner is the average of three: 0, 0.8 and 0.4.
    assert!((x(PLAIN, [0.0, 0.0, 0.0]) - 0.4).abs() < 1e-4);
    let seams = Sampler {
        seamless: false,
        ..PLAIN
    };
    assert_eq!(x(seams, [0.0, 0.5, 0.0]), 0.0);
}

#[test]
fn volumes_and_layers() {
    let memory = Memory::new(4096);
    let mut n = 0;
    let mut fill = || {
        n += 1;
        ((n - 1) / 16 * 51) as u8
    };
    let t = texture(
        &memory,
        Dim::D3,
        Format::R8Unorm,
        [1, 1, 4],
        1,
        1,
        &mut fill,
    );
    let x = one(&memory, &t, PLAIN, [0.5, 0.5, 0.5], Lod::Zero)[0];
    assert!((x - 0.3).abs() < 1e-6);
    n = 0;
    let t = texture(
        &memory,
        Dim::D2,
        Format::R8Unorm,
        [1, 1, 1],
        4,
        1,
        &mut || {
            n += 1;
            ((n - 1) / 16 * 51) as u8
        },
    );
    let prepared = PreparedTexture::new(&t).unwrap();
    let rows = [0.5, 0.5, 2.5].map(splat);
    let r = Request {
        layer: Some(&rows[2]),
        ..request([&rows[0], &rows[1], &rows[1]])
    };
    let mut out = [[0; LANES]; 4];
    sample(
        &mut Scratch::default(),
        &memory,
        &prepared,
        &PreparedSampler::new(PLAIN, PRECISION),
        &r,
        &mut out,
    );
    assert_eq!(f32::from_bits(out[0][0]), 0.4);
}

#[test]
fn reductions() {
    let memory = Memory::new(4096);
    let t = small(&memory);
    let x = |reduction| {
        one(
            &memory,
            &t,
            Sampler { reduction, ..PLAIN },
            [0.25, 0.5, 0.0],
            Lod::Zero,
        )[0]
    };
    assert_eq!((x(Reduction::Min), x(Reduction::Max)), (0.0, 1.0));
}

#[test]
fn anisotropy_takes_a_smaller_level() {
    let memory = Memory::new(4096);
    let t = PreparedTexture::new(&small(&memory)).unwrap();
    let (step, zero) = (splat(1.0), splat(0.0));
    let request = Request {
        lod: Lod::Gradient {
            dx: [&step, &zero, &zero],
            dy: [&zero, &zero, &zero],
        },
        ..request([&zero, &zero, &zero])
    };
    let lod = |anisotropy| {
        let sampler = PreparedSampler::new(
            Sampler {
                anisotropy,
                ..PLAIN
            },
            PRECISION,
        );
        lod::lane(&t, &sampler, &request, 0)
    };
    assert_eq!((lod(1).raw, lod(1).probes), (2.0, 1));
    assert_eq!((lod(4).raw, lod(4).probes), (0.0, 4));
    assert_eq!((lod(2).raw, lod(2).probes), (1.0, 2));
}

#[test]
fn loads_and_stores() {
    let memory = Memory::new(4096);
    for format in [Format::R8Uint, Format::R16G16Sint, Format::R32G32B32A32Uint] {
        let t = texture(&memory, Dim::D2, format, [4, 4, 1], 2, 1, &mut || 0);
        let t = PreparedTexture::new(&t).unwrap();
        let x: Lanes = std::array::from_fn(|i| i as u32 % 5);
        let y: Lanes = std::array::from_fn(|i| i as u32 / 5);
        let slice = [1; LANES];
        let access = Access {
            exec: (1 << 25) - 1,
            x: &x,
            y: &y,
            slice: Some(&slice),
            level: None,
            sample: None,
        };
        let values: [Lanes; 4] = std::array::from_fn(|c| std::array::from_fn(|i| (i + c) as u32));
        let numbered = Numbered::new(SimdLevel::current(), &memory, &t);
        numbered.store(&access, values.each_ref(), &mut &memory);
        let mut out = [[9; LANES]; 4];
        load(&mut Scratch::default(), &memory, &t, &access, &mut out);
        for (i, (&first, &fourth)) in out[0].iter().zip(&out[3]).enumerate().take(25) {
            let inside = i % 5 < 4 && i / 5 < 4;
            assert_eq!(first, if inside { i as u32 } else { 0 });
            let w = match format {
                _ if !inside => 0,
                Format::R32G32B32A32Uint => i as u32 + 3,
                _ => 1,
            };
            assert_eq!(fourth, w);
        }
        assert_eq!(out[0][25], 9);
        let mut at = [0; LANES];
        let outside = Access {
            slice: Some(&[2; LANES]),
            ..access
        };
        assert_eq!(numbered.addresses(&outside, &mut at), 0);
    }
}

/// Texels of every size, stored by a wave at once, at once or by a log, are what lanes leave one after the other.
#[test]
fn stored_waves_are_lanes_in_order() {
    #[derive(Clone, Copy, Debug)]
    struct Keep;

    impl crate::groups::Change for Keep {
        fn apply(self, _: u8, old: u64, _: [u64; 2]) -> u64 {
            old
        }
    }

    // A tile, a line, texels that several lanes store, and lanes outside.
    let places: [fn(u32) -> [u32; 2]; 4] = [
        |n| [n & 7, n >> 3],
        |n| [n, 3],
        |n| [n / 2 % 3, n % 5],
        |n| [n * 7 % 71, n * 5 % 11],
    ];
    let formats = [
        Format::R8Uint,
        Format::R8G8Uint,
        Format::R32Uint,
        Format::R32G32Uint,
        Format::R32G32B32A32Uint,
    ];
    let values: [Lanes; 4] = std::array::from_fn(|c| std::array::from_fn(|n| (n * 4 + c) as u32));
    for (format, place) in formats.into_iter().flat_map(|f| places.map(|p| (f, p))) {
        let [x, y]: [Lanes; 2] = [0, 1].map(|c| std::array::from_fn(|n| place(n as u32)[c]));
        for exec in [u64::MAX, 0xf0f0_1234_8000_0001, 0] {
            let access = |exec| Access {
                exec,
                x: &x,
                y: &y,
                slice: None,
                level: None,
                sample: None,
            };
            for logged in [false, true] {
                let [memory, expected] = [(); 2].map(|()| Memory::new(1 << 16));
                let [t, _] = [&memory, &expected].map(|memory| {
                    let t = texture(memory, Dim::D2, format, [64, 9, 1], 1, 1, &mut || 5);
                    PreparedTexture::new(&t).unwrap()
                });
                let mut logs = crate::groups::StoreLogs::<Keep> {
                    logs: vec![crate::groups::StoreLog::default()],
                    current: logged.then_some(0),
                    ..Default::default()
                };
                let numbered = Numbered::new(SimdLevel::current(), &memory, &t);
                let values = values.each_ref();
                numbered.store(&access(exec), values, &mut logs.stores(0, &memory));
                logs.logs[0].replay(&memory);
                for lane in 0..LANES {
                    let lane = access(exec & 1 << lane);
                    numbered.store(&lane, values, &mut &expected);
                }
                for at in (0..1 << 16).step_by(4) {
                    let (got, wanted) = (memory.load(at), expected.load(at));
                    assert_eq!(got, wanted, "{format:?} {exec:#x} {logged} {at}");
                }
            }
        }
    }
}

#[test]
fn bad_textures_are_refused() {
    let memory = Memory::new(4096);
    let good = small(&memory);
    let check = |change: &dyn Fn(&mut Texture)| {
        let mut t = good.clone();
        change(&mut t);
        PreparedTexture::new(&t).unwrap_err()
    };
    assert_eq!(
        check(&|t| t.levels.clear()),
        TextureError::Levels { levels: 0 }
    );
    assert_eq!(
        check(&|t| t.levels[1].width = 9),
        TextureError::Table {
            axis: "x",
            level: 1,
            len: 2,
            need: 9
        }
    );
    assert!(matches!(
        check(&|t| t.levels[0].height = 0),
        TextureError::Size { height: 0, .. }
    ));
    assert!(matches!(
        check(&|t| t.levels[0].base = 1 << 40),
        TextureError::Spread { .. }
    ));
    assert!(matches!(
        check(&|t| t.format = Format::Nv12),
        TextureError::Planar { .. }
    ));
}

#[test]
fn tables_put_tiled_addresses_together() {
    // Morton order in 8x8 tiles, a bank bit that is x3 ^ y3 at bit 8, tiles in rows of three above.
    let offset = |x: u32, y: u32, z: u32, s: u32| {
        let micro = (0..3).fold(0, |m, b| {
            m | (x >> b & 1) << (2 * b) | (y >> b & 1) << (2 * b + 1)
        });
        let bank = (x >> 3 ^ y >> 3) & 1;
        (4 * micro) | (bank << 8) | ((x / 8 + 3 * (y / 8) + 9 * z + 99 * s) << 9)
    };
    let axes = Axes::new([24, 24, 3, 2], 1 << 8, offset);
    for (x, y, z, s) in [
        (0, 0, 0, 0),
        (23, 23, 2, 1),
        (9, 8, 1, 0),
        (8, 7, 0, 1),
        (13, 21, 2, 0),
    ] {
        assert_eq!(axes.offset(x, y, z, s), offset(x, y, z, s));
    }
}
