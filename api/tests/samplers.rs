//! Every state of a sampler: what a shader gets through the interface is, bit for bit, what the plain reference of
//! `silicon` gives for the same texels without tiling, descriptors and machine code.

#![allow(clippy::unwrap_used)]

#[path = "samplers/bench.rs"]
mod bench;
mod harness;

use bench::*;
use girih::*;

#[test]
fn address_modes_filters_and_borders() {
    for mut bench in benches() {
        let texture = bench.texture(FLAT);
        let modes = [
            AddressMode::ClampToEdge,
            AddressMode::Repeat,
            AddressMode::MirrorRepeat,
            AddressMode::ClampToBorder,
        ];
        let what = What::default();
        for (i, mode) in modes.into_iter().enumerate() {
            for filters in [NEAREST, LINEAR, TRILINEAR] {
                let sampler = SamplerDescriptor {
                    address_mode_u: mode,
                    address_mode_v: modes[(i + 1) % 4],
                    border_color: Some(BorderColor::OpaqueWhite),
                    ..filters
                };
                bench.check(&format!("{sampler:?}"), &texture, &sampler, SAMPLE, &what);
            }
        }
        // A filter of its own on each side of level 0.
        let mixed = SamplerDescriptor {
            mag_filter: FilterMode::Nearest,
            lod_bias: -0.75,
            ..TRILINEAR
        };
        bench.check("mixed filters", &texture, &mixed, SAMPLE, &what);
        for color in [
            BorderColor::TransparentBlack,
            BorderColor::OpaqueBlack,
            BorderColor::OpaqueWhite,
            BorderColor::Float([0.125, -3.0, 1e9, 0.5]),
            BorderColor::Float([0.25; 4]),
        ] {
            let sampler = SamplerDescriptor {
                address_mode_u: AddressMode::ClampToBorder,
                address_mode_v: AddressMode::ClampToBorder,
                border_color: Some(color),
                ..TRILINEAR
            };
            bench.check(&format!("{color:?}"), &texture, &sampler, SAMPLE, &what);
        }
    }
}

#[test]
fn levels_of_detail() {
    for mut bench in benches() {
        let texture = bench.texture(FLAT);
        let implicit = What::default();
        for bias in [-1.0, 0.625, 2.0, 15.9] {
            for base in [TRILINEAR, NEAREST] {
                let sampler = SamplerDescriptor {
                    lod_bias: bias,
                    // A last level of one texel would be one colour.
                    lod_max_clamp: 2.75,
                    ..base
                };
                bench.check(
                    &format!("bias {bias}"),
                    &texture,
                    &sampler,
                    SAMPLE,
                    &implicit,
                );
            }
        }
        for (min, max) in [(0.0, 0.0), (1.25, 1.5), (2.0, 9.0)] {
            let sampler = SamplerDescriptor {
                lod_min_clamp: min,
                lod_max_clamp: max,
                ..TRILINEAR
            };
            bench.check(
                &format!("{min} to {max}"),
                &texture,
                &sampler,
                SAMPLE,
                &implicit,
            );
        }
        let level = What {
            lod: How::Level,
            value: Some(|q| q[2] * 2.0 - 0.5),
            ..What::default()
        };
        let call = "textureSampleLevel(t, s, q.xy, q.z * 2.0 - 0.5)";
        bench.check("level", &texture, &TRILINEAR, call, &level);
        bench.check("level, nearest", &texture, &NEAREST, call, &level);
        let bias = What {
            lod: How::Bias,
            value: Some(Z),
            ..What::default()
        };
        bench.check(
            "bias of the shader",
            &texture,
            &TRILINEAR,
            "textureSampleBias(t, s, q.xy, q.z)",
            &bias,
        );
        let gradients = What {
            lod: How::Gradient,
            gradients: Some([0.25, 0.125, 0.0, -0.0625, 0.375, 0.0]),
            ..What::default()
        };
        let call = "textureSampleGrad(t, s, q.xy, vec2f(0.25, 0.125), vec2f(-0.0625, 0.375))";
        bench.check("gradients", &texture, &TRILINEAR, call, &gradients);
        let zero = What {
            lod: How::Zero,
            ..What::default()
        };
        let call = "textureSampleBaseClampToEdge(t, s, q.xy)";
        let clamped = What {
            // Half a texel from the edges.
            coords: [
                |q| q[0].clamp(0.5 / 16.0, 1.0 - 0.5 / 16.0),
                |q| q[1].clamp(0.5 / 8.0, 1.0 - 0.5 / 8.0),
                Z,
            ],
            ..zero
        };
        bench.check("base, clamped", &texture, &TRILINEAR, call, &clamped);
    }
}

#[test]
fn anisotropy() {
    for mut bench in benches() {
        let texture = bench.texture(FLAT);
        for ratio in [2, 4, 8, 16] {
            let sampler = SamplerDescriptor {
                anisotropy_clamp: ratio,
                ..TRILINEAR
            };
            let name = format!("ratio {ratio}");
            bench.check(&name, &texture, &sampler, SAMPLE, &What::default());
            let what = What {
                lod: How::Gradient,
                gradients: Some([0.75, 0.03125, 0.0, 0.0, 0.0625, 0.0]),
                ..What::default()
            };
            let call = "textureSampleGrad(t, s, q.xy, vec2f(0.75, 0.03125), vec2f(0.0, 0.0625))";
            bench.check(&name, &texture, &sampler, call, &what);
        }
    }
}

#[test]
fn offsets_reductions_and_texel_coordinates() {
    for mut bench in benches() {
        let texture = bench.texture(FLAT);
        let offset = What {
            offsets: Some([-3, 7, 0]),
            ..What::default()
        };
        for base in [NEAREST, TRILINEAR] {
            let call = "textureSample(t, s, q.xy, vec2i(-3, 7))";
            bench.check("offset", &texture, &base, call, &offset);
        }
        let features = *bench.features();
        let reductions = [Reduction::Min, Reduction::Max];
        for reduction in reductions
            .into_iter()
            .filter(|_| features.sampler_reduction)
        {
            for base in [LINEAR, TRILINEAR] {
                let sampler = SamplerDescriptor { reduction, ..base };
                bench.check(
                    &format!("{reduction:?}"),
                    &texture,
                    &sampler,
                    SAMPLE,
                    &What::default(),
                );
            }
        }
        if !features.unnormalized_samplers {
            continue;
        }
        let single = bench.texture(ONE_LEVEL);
        for base in [NEAREST, LINEAR] {
            let sampler = SamplerDescriptor {
                address_mode_u: AddressMode::ClampToEdge,
                address_mode_v: AddressMode::ClampToBorder,
                border_color: Some(BorderColor::OpaqueBlack),
                unnormalized: true,
                ..base
            };
            let what = What {
                coords: [|q| q[0] * 8.0, |q| q[1] * 8.0, Z],
                lod: How::Zero,
                ..What::default()
            };
            let call = "textureSampleLevel(t, s, q.xy * 8.0, 0.0)";
            bench.check("texels", &single, &sampler, call, &what);
        }
    }
}

#[test]
fn comparisons() {
    for mut bench in benches() {
        let texture = bench.texture(DEPTH);
        let reference: Row = |q| q[2] * 0.5 + 0.25;
        let clamp = SamplerDescriptor {
            address_mode_u: AddressMode::ClampToBorder,
            border_color: Some(BorderColor::OpaqueWhite),
            ..TRILINEAR
        };
        for compare in [
            CompareFunction::Less,
            CompareFunction::LessEqual,
            CompareFunction::Greater,
            CompareFunction::GreaterEqual,
            CompareFunction::NotEqual,
            CompareFunction::Equal,
        ] {
            for base in [NEAREST, LINEAR, clamp] {
                let sampler = SamplerDescriptor {
                    compare: Some(compare),
                    ..base
                };
                let what = What {
                    reference: Some(reference),
                    ..What::default()
                };
                // Equality needs a texel's own value, which few pixels have.
                if matches!(compare, CompareFunction::NotEqual | CompareFunction::Equal) {
                    continue;
                }
                let call = "textureSampleCompare(t, s, q.xy, q.z * 0.5 + 0.25)";
                bench.check(&format!("{compare:?}"), &texture, &sampler, call, &what);
                let what = What {
                    lod: How::Zero,
                    ..what
                };
                let call = "textureSampleCompareLevel(t, s, q.xy, q.z * 0.5 + 0.25)";
                bench.check(
                    &format!("{compare:?} at level 0"),
                    &texture,
                    &sampler,
                    call,
                    &what,
                );
                let what = What {
                    gather: Some(0),
                    ..what
                };
                let call = "textureGatherCompare(t, s, q.xy, q.z * 0.5 + 0.25)";
                bench.check(
                    &format!("{compare:?} gathered"),
                    &texture,
                    &sampler,
                    call,
                    &what,
                );
            }
        }
    }
}

/// Directions to two faces, whose filters stay on the face.
#[test]
fn comparisons_in_cubes() {
    for mut bench in benches() {
        let texture = bench.texture(DEPTH_CUBE);
        let x: Row = |q| 0.5 - 0.5 * (q[1] * 1.5).clamp(-0.8125, 0.8125);
        let y: Row = |q| 0.5 - 0.5 * (q[0] * 0.5).clamp(-0.8125, 0.8125);
        let (a, b) = (
            "clamp(q.x * 0.5, -0.8125, 0.8125)",
            "clamp(q.y * 1.5, -0.8125, 0.8125)",
        );
        let faces: [([Row; 3], String); 2] = [
            ([x, y, |_| 0.0], format!("vec3f(1.0, {a}, {b})")),
            ([x, y, |_| 5.0], format!("vec3f({b}, {a}, -1.0) * 3.0")),
        ];
        let ways = [
            (NEAREST, CompareFunction::Less),
            (NEAREST, CompareFunction::GreaterEqual),
            (LINEAR, CompareFunction::Less),
            (LINEAR, CompareFunction::GreaterEqual),
        ];
        let each = faces.iter().flat_map(|face| ways.map(|way| (face, way)));
        for ((coords, direction), (base, compare)) in each {
            let sampler = SamplerDescriptor {
                address_mode_u: AddressMode::ClampToEdge,
                address_mode_v: AddressMode::ClampToEdge,
                compare: Some(compare),
                ..base
            };
            let what = What {
                coords: *coords,
                lod: How::Zero,
                reference: Some(|q| q[2] * 0.5 + 0.25),
                ..What::default()
            };
            let call = format!("textureSampleCompareLevel(t, s, {direction}, q.z * 0.5 + 0.25)");
            bench.check(
                &format!("{compare:?} in a cube"),
                &texture,
                &sampler,
                &call,
                &what,
            );
        }
    }
}

#[test]
fn gathers() {
    for mut bench in benches() {
        let texture = bench.texture(FLAT);
        let integers = bench.texture(INTEGERS);
        for component in 0..4 {
            let what = What {
                lod: How::Zero,
                gather: Some(component),
                ..What::default()
            };
            let call = format!("textureGather({component}, t, s, q.xy)");
            bench.check("gather", &texture, &LINEAR, &call, &what);
            let offset = What {
                offsets: Some([2, -5, 0]),
                ..what
            };
            let call = format!("textureGather({component}, t, s, q.xy, vec2i(2, -5))");
            bench.check("gather with an offset", &texture, &NEAREST, &call, &offset);
        }
        for color in [
            BorderColor::OpaqueBlack,
            BorderColor::OpaqueWhite,
            BorderColor::Integer([7, -9i32 as u32, 3, 4]),
        ] {
            let sampler = SamplerDescriptor {
                address_mode_u: AddressMode::ClampToBorder,
                address_mode_v: AddressMode::ClampToBorder,
                border_color: Some(color),
                ..NEAREST
            };
            let what = What {
                lod: How::Zero,
                gather: Some(1),
                ..What::default()
            };
            bench.check(
                &format!("{color:?}"),
                &integers,
                &sampler,
                "textureGather(1, t, s, q.xy)",
                &what,
            );
        }
    }
}

/// From every face, as it counts columns and lines; in single components and in comparisons.
#[test]
fn gathers_from_cubes() {
    const A: Row = |q| (q[0] * 0.5).clamp(-0.8125, 0.8125);
    const B: Row = |q| (q[1] * 1.5).clamp(-0.8125, 0.8125);
    let (a, b) = (
        "clamp(q.x * 0.5, -0.8125, 0.8125)",
        "clamp(q.y * 1.5, -0.8125, 0.8125)",
    );
    let place: [[Row; 2]; 2] = [
        [|q| 0.5 + 0.5 * A(q), |q| 0.5 - 0.5 * A(q)],
        [|q| 0.5 + 0.5 * B(q), |q| 0.5 - 0.5 * B(q)],
    ];
    let [[a_on, a_back], [b_on, b_back]] = place;
    let faces: [([Row; 3], String); 6] = [
        ([b_back, a_back, |_| 0.0], format!("vec3f(1.0, {a}, {b})")),
        (
            [b_on, a_back, |_| 1.0],
            format!("vec3f(-1.0, {a}, {b}) * 2.0"),
        ),
        ([a_on, b_on, |_| 2.0], format!("vec3f({a}, 1.0, {b}) * 0.5")),
        ([a_on, b_back, |_| 3.0], format!("vec3f({a}, -1.0, {b})")),
        ([a_on, b_back, |_| 4.0], format!("vec3f({a}, {b}, 1.0)")),
        ([a_back, b_back, |_| 5.0], format!("vec3f({a}, {b}, -1.0)")),
    ];
    for mut bench in benches() {
        let (cube, depth) = (bench.texture(CUBE), bench.texture(DEPTH_CUBE));
        for (coords, direction) in &faces {
            for component in 0..4 {
                let what = What {
                    coords: *coords,
                    lod: How::Zero,
                    gather: Some(component),
                    ..What::default()
                };
                let call = format!("textureGather({component}, t, s, {direction})");
                bench.check("gather from a cube", &cube, &LINEAR, &call, &what);
            }
            let sampler = SamplerDescriptor {
                compare: Some(CompareFunction::Less),
                ..NEAREST
            };
            let what = What {
                coords: *coords,
                lod: How::Zero,
                reference: Some(|q| q[2] * 0.5 + 0.25),
                gather: Some(0),
                ..What::default()
            };
            let call = format!("textureGatherCompare(t, s, {direction}, q.z * 0.5 + 0.25)");
            bench.check("comparisons from a cube", &depth, &sampler, &call, &what);
        }
    }
}

#[test]
fn shapes() {
    for mut bench in benches() {
        let row = bench.texture(ROW);
        bench.check(
            "1D",
            &row,
            &LINEAR,
            "textureSample(t, s, q.x)",
            &What::default(),
        );
        let layers = bench.texture(LAYERS);
        let layered = What {
            // Beyond the last layer too.
            layer: Some(|q| (q[2] * 4.0).floor()),
            ..What::default()
        };
        let call = "textureSample(t, s, q.xy, i32(floor(q.z * 4.0)))";
        bench.check("layers", &layers, &TRILINEAR, call, &layered);
        let deep = bench.texture(DEEP);
        for sampler in [NEAREST, LINEAR, TRILINEAR] {
            bench.check(
                "3D",
                &deep,
                &sampler,
                "textureSample(t, s, q)",
                &What::default(),
            );
        }
        let cube = bench.texture(CUBE);
        let separate = bench.features().separate_cube_faces;
        let ways = [true, false].into_iter();
        for seamless_cubes in ways.filter(|seamless| *seamless || separate) {
            for base in [NEAREST, LINEAR, TRILINEAR] {
                let sampler = SamplerDescriptor {
                    address_mode_u: AddressMode::ClampToEdge,
                    address_mode_v: AddressMode::ClampToEdge,
                    seamless_cubes,
                    ..base
                };
                // The face of +x, over and over: directions (1, y, z) with y and z within -1..1, close to its edges too.
                let what = What {
                    coords: [
                        |q| 0.5 - 0.5 * (q[1] * 1.5).clamp(-0.96875, 0.96875),
                        |q| 0.5 - 0.5 * (q[0] * 0.5).clamp(-0.96875, 0.96875),
                        |_| 0.0,
                    ],
                    lod: How::Level,
                    value: Some(|q| q[2]),
                    ..What::default()
                };
                let call = "textureSampleLevel(t, s, vec3f(1.0, clamp(q.x * 0.5, -0.96875, 0.96875), clamp(q.y * 1.5, -0.96875, 0.96875)), q.z)";
                bench.check(
                    &format!("cube, {seamless_cubes}"),
                    &cube,
                    &sampler,
                    call,
                    &what,
                );
            }
        }
    }
}
