//! Several samples a pixel: coverage, masks, interpolation, shading by sample, depth by sample, resolves.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

/// Standard sample positions in sixteenths of a pixel from its upper left corner.
const POSITIONS: &[&[(u32, u32)]] = &[
    &[(8, 8)],
    &[(12, 12), (4, 4)],
    &[(6, 2), (14, 6), (2, 10), (10, 14)],
    &[
        (9, 5),
        (7, 11),
        (13, 9),
        (5, 3),
        (3, 13),
        (1, 7),
        (11, 15),
        (15, 1),
    ],
];

/// A vertex shader for everything to the left of column `x` sixteenths of an eight pixel wide target: a triangle that
/// has one edge there and the others outside, and a second one that is nothing.
fn vertex_left_of(x: u32) -> String {
    format!(
        "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
             let edge = f32({x}) / 64.0 - 1.0;
             let tip = vec2f(-60.0, 0.0);
             return vec4f(array(vec2f(edge, -40.0), vec2f(edge, 40.0), tip, tip)[i], 0.5, 1.0);
         }}
        "
    )
}

const WHITE: &str = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";

fn strip(samples: u32) -> Setup<'static> {
    Setup {
        samples,
        ..Setup::topology(PrimitiveTopology::TriangleStrip)
    }
}

/// The first line of red.
fn line(bytes: &[u8]) -> Vec<u8> {
    bytes[..32].iter().step_by(4).copied().collect()
}

/// What covered samples of so many come to, of 255.
fn share(covered: usize, of: usize) -> u8 {
    (255.0 * covered as f64 / of as f64).round_ties_even() as u8
}

/// An edge that moves through a pixel passes the samples where the standard says that they are.
#[test]
fn samples_are_where_the_standard_puts_them() {
    for gpu in Harness::each() {
        for positions in POSITIONS {
            let count = positions.len();
            for x in 0..=16 {
                let shaders = vertex_left_of(32 + x) + WHITE;
                let bytes = &gpu.draw(&strip(count as u32), &shaders, 4)[0];
                // A sample on the edge belongs to what is right of it.
                let covered = positions.iter().filter(|(at, _)| *at < x).count();
                let expected = [255, 255, share(covered, count), 0, 0, 0, 0, 0];
                assert_eq!(line(bytes), expected, "{count} samples, {x}");
            }
        }
    }
}

#[test]
fn resolves_choose_or_average() {
    for gpu in Harness::each() {
        let resolved = |mode| {
            let setup = Setup {
                resolve: mode,
                ..strip(4)
            };
            gpu.draw(&setup, &(vertex_left_of(32 + 8) + WHITE), 4)[0][8]
        };
        // Samples 0 and 2 are left of the middle.
        let found = [
            ResolveMode::Average,
            ResolveMode::SampleZero,
            ResolveMode::Min,
            ResolveMode::Max,
        ]
        .map(resolved);
        assert_eq!(found, [128, 255, 0, 255]);
    }
}

/// Half of the samples of a pixel are one, the others zero.
#[test]
fn averages_are_exact_in_every_format() {
    use TextureFormat as F;
    let cases: &[(F, &[u8])] = &[
        (F::R8Unorm, &[128]),
        (F::R8Snorm, &[64]),
        (F::Rg8Unorm, &[128, 128]),
        (F::Rgba8Unorm, &[128, 128, 128, 128]),
        (F::Rgba8UnormSrgb, &[188, 188, 188, 128]),
        (F::Bgra8UnormSrgb, &[188, 188, 188, 128]),
        // 511.5 and 1.5 go to the even numbers 512 and 2.
        (F::Rgb10a2Unorm, &[0, 2, 8, 0xa0]),
        (F::R16Unorm, &[0, 0x80]),
        (F::R16Snorm, &[0, 0x40]),
        (F::R16Float, &[0, 0x38]),
        (F::Rgba16Float, &[0, 0x38, 0, 0x38, 0, 0x38, 0, 0x38]),
        (F::Rg11b10Ufloat, &[0x80, 3, 0x1c, 0x70]),
        (F::R32Float, &[0, 0, 0, 0x3f]),
        (F::Rg32Float, &[0, 0, 0, 0x3f, 0, 0, 0, 0x3f]),
    ];
    for gpu in Harness::each() {
        for (format, expected) in cases {
            let setup = Setup {
                samples: 4,
                primitive: strip(4).primitive,
                ..Setup::format(*format)
            };
            let bytes = &gpu.draw(&setup, &(vertex_left_of(32 + 8) + WHITE), 4)[0];
            let at = 2 * expected.len();
            assert_eq!(bytes[at..at + expected.len()], **expected, "{format:?}");
        }
    }
}

#[test]
fn masks_of_state_and_shader_choose_samples() {
    for gpu in Harness::each() {
        let mut setup = Setup::samples(4);
        setup.multisample.mask = 0b0111;
        let shaders = EVERYWHERE.to_owned()
            + "struct Out { @location(0) color: vec4f, @builtin(sample_mask) mask: u32 }
           @fragment fn fragment(@builtin(position) p: vec4f) -> Out {
               return Out(vec4f(1.0), u32(p.x) * 2u + 1u);
           }";
        let bytes = &gpu.draw(&setup, &shaders, 3)[0];
        let expected: Vec<u8> = (0..8u32)
            .map(|x| share(((x * 2 + 1) & 0b0111).count_ones() as usize, 4))
            .collect();
        assert_eq!(line(bytes), expected);
    }
}

#[test]
fn shaders_see_which_samples_are_covered() {
    for gpu in Harness::each() {
        for positions in &POSITIONS[1..] {
            let setup = Setup {
                samples: positions.len() as u32,
                primitive: strip(1).primitive,
                resolve: ResolveMode::Max,
                ..Setup::format(TextureFormat::R32Uint)
            };
            for x in [3, 8, 13, 16] {
                let shaders = vertex_left_of(32 + x)
                    + "@fragment fn fragment(@builtin(sample_mask) mask: u32) -> @location(0) u32 {
                       return mask;
                   }";
                let masks = words(&gpu.draw(&setup, &shaders, 4)[0]);
                let mask = (positions.iter().enumerate())
                    .filter(|(_, (at, _))| *at < x)
                    .fold(0, |mask, (sample, _)| mask | 1 << sample);
                let all = (1 << positions.len()) - 1;
                assert_eq!(masks[..4], [all, all, mask, 0], "{x}");
            }
        }
    }
}

/// Draws with `fragment`, then loads every sample of every pixel: one word for each, sample after sample.
fn load_samples(gpu: &Harness, samples: u32, fragment: &str) -> Vec<Vec<u32>> {
    const FORMAT: TextureFormat = TextureFormat::R32Float;
    let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
    let texture = gpu.view(&gpu.image(FORMAT, [8, 8, 1], samples, usage));
    let drawing = Setup {
        samples,
        ..Setup::format(FORMAT)
    };
    let draw = gpu.pipeline(&drawing, &(EVERYWHERE.to_owned() + fragment));
    let mut commands = gpu.device.create_command_buffer(None);
    let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
    commands.transition(texture.image(), old, new).unwrap();
    commands
        .begin_pass(&RenderPass {
            label: None,
            colors: &[Some(ColorAttachment {
                view: &texture,
                resolve: None,
                load: LoadOp::Clear(Color::BLACK),
                store: StoreOp::Store,
            })],
            depth_stencil: None,
        })
        .unwrap();
    commands.bind_pipeline(&draw).unwrap();
    commands.draw(0..3, 0..1).unwrap();
    commands.end_pass().unwrap();
    commands
        .transition(texture.image(), new, ImageLayout::ShaderReadOnly)
        .unwrap();
    gpu.queue.submit(&[&commands], &[]).unwrap();

    let sample_type = TextureSampleType::Float { filterable: false };
    loaded(
        gpu,
        &texture,
        sample_type,
        ["texture_multisampled_2d<f32>", ".r"],
    )
}

/// Every sample of every pixel of a texture, as the words that shaders load: of its type, this component.
fn loaded(
    gpu: &Harness,
    texture: &ImageView,
    sample_type: TextureSampleType,
    [ty, component]: [&str; 2],
) -> Vec<Vec<u32>> {
    let samples = texture.image().samples();
    let layout = gpu
        .device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[BindGroupLayoutEntry {
                binding: 0,
                visibility: ShaderStages::FRAGMENT,
                ty: BindingType::Texture {
                    sample_type,
                    view_dimension: TextureViewDimension::D2,
                    multisampled: true,
                },
                count: None,
            }],
        })
        .unwrap();
    let set = gpu
        .device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: None,
            layout: &layout,
            entries: &[(0, texture.into())],
        })
        .unwrap();
    (0..samples)
        .map(|sample| {
            let shaders = format!(
                "{EVERYWHERE}
                 @group(0) @binding(0) var samples: {ty};
                 @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                     let many = textureNumSamples(samples) == {samples}u;
                     let value = textureLoad(samples, vec2u(p.xy), {sample}){component};
                     return select(vec4f(-1.0), vec4f(value), many);
                 }}"
            );
            let setup = Setup {
                sets: vec![&layout],
                ..Setup::format(TextureFormat::R32Float)
            };
            let pipeline = gpu.pipeline(&setup, &shaders);
            let bytes = gpu.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                commands.bind_descriptor_set(0, &set, &[]).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            words(&bytes[0])
        })
        .collect()
}

/// The value that pixel (x, y) should have in a sample at (sx, sy) sixteenths.
type Expected = fn(u32, u32, usize, (f32, f32)) -> f32;

#[test]
fn shaders_run_for_samples_and_interpolate_there() {
    let cases: &[(&str, Expected)] = &[
        (
            "@fragment fn fragment(@builtin(sample_index) s: u32) -> @location(0) f32 {
                 return f32(s) + 1.0;
             }",
            |_, _, sample, _| sample as f32 + 1.0,
        ),
        // Reading the number of the sample makes the position the sample's.
        (
            "@fragment fn fragment(@builtin(sample_index) s: u32, @builtin(position) p: vec4f) -> @location(0) f32 {
                 return p.x + p.y * 64.0 + 0.0 * f32(s);
             }",
            |x, y, _, (sx, sy)| x as f32 + sx + (y as f32 + sy) * 64.0,
        ),
        // Without that it is the pixel's.
        (
            "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) f32 {
                 return p.x + p.y * 64.0;
             }",
            |x, y, _, _| x as f32 + 0.5 + (y as f32 + 0.5) * 64.0,
        ),
        // One bit of the mask is left.
        (
            "@fragment fn fragment(@builtin(sample_index) s: u32, @builtin(sample_mask) m: u32) -> @location(0) f32 {
                 return f32(m) + 0.0 * f32(s);
             }",
            |_, _, sample, _| (1 << sample) as f32,
        ),
    ];
    for gpu in Harness::each() {
        for positions in &POSITIONS[1..] {
            for (fragment, expected) in cases {
                check(&gpu, positions, fragment, *expected);
            }
        }
    }
}

fn check(gpu: &Harness, positions: &[(u32, u32)], fragment: &str, expected: Expected) {
    let count = positions.len() as u32;
    let found = load_samples(gpu, count, fragment);
    for (sample, values) in found.iter().enumerate() {
        let (sx, sy) = positions[sample];
        let at = (sx as f32 / 16.0, sy as f32 / 16.0);
        for (n, value) in values.iter().enumerate() {
            let (x, y) = (n as u32 % 8, n as u32 / 8);
            let expected = expected(x, y, sample, at);
            let value = f32::from_bits(*value);
            assert_eq!(value, expected, "{x},{y} sample {sample}: {fragment}");
        }
    }
}

/// A varying that counts pixels from the left, read in `how` at the pixels of a strip up to `x` sixteenths.
fn counted(gpu: &Harness, how: &str, x: u32, resolve: ResolveMode) -> Vec<f32> {
    let shaders = format!(
        "struct Vary {{ @builtin(position) position: vec4f, @location(0) @interpolate({how}) x: f32 }}
         @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vary {{
             let x = select(0.0, f32({x}) / 16.0, (i & 1u) == 1u);
             let w = select(1.0, 2.0, (i & 1u) == 1u);
             return Vary(vec4f(x / 4.0 - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0.5, 1.0) * w, x);
         }}
         @fragment fn fragment(vary: Vary) -> @location(0) f32 {{ return vary.x; }}"
    );
    let setup = Setup {
        samples: 4,
        resolve,
        primitive: strip(4).primitive,
        ..Setup::format(TextureFormat::R32Float)
    };
    let bytes = &gpu.draw(&setup, &shaders, 4)[0];
    words(bytes)[..8]
        .iter()
        .map(|w| f32::from_bits(*w))
        .collect()
}

/// To a thousandth.
fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

#[test]
fn centroids_are_covered_and_centres_need_not_be() {
    for gpu in Harness::each() {
        // Of the fourth pixel only sample 2, at 2/16, is covered.
        let end = 3 * 16 + 4;
        let at = |how| rounded(counted(&gpu, how, end, ResolveMode::Max)[3]);
        assert_eq!(at("linear, center"), 3.5);
        assert_eq!(at("linear, centroid"), 3.125);
        assert_eq!(at("linear, sample"), 3.125);
        let whole = counted(&gpu, "linear, centroid", end, ResolveMode::Max);
        assert_eq!([1, 2].map(|x| rounded(whole[x])), [1.5, 2.5]);
        // Samples of a whole pixel lie around its centre: their mean is it, and the last one is at 14/16.
        let whole = |mode| rounded(counted(&gpu, "linear, sample", end, mode)[1]);
        assert_eq!(whole(ResolveMode::Average), 1.5);
        assert_eq!(whole(ResolveMode::Max), 1.875);
        // In perspective the same places, other values.
        let places = ["perspective, centroid", "perspective, sample"].map(at);
        assert_eq!(places[0], places[1]);
        assert!(places[0] < at("perspective, center"));
    }
}

#[test]
fn sample_shading_can_be_asked_for() {
    for gpu in Harness::each() {
        let mut setup = Setup {
            samples: 4,
            resolve: ResolveMode::Max,
            ..Setup::format(TextureFormat::R32Float)
        };
        let shaders = EVERYWHERE.to_owned()
            + "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) f32 { return p.x; }";
        let first = |setup: &Setup<'_>| f32::from_bits(words(&gpu.draw(setup, &shaders, 3)[0])[0]);
        assert_eq!(first(&setup), 0.5);
        setup.raster.sample_shading = true;
        assert_eq!(first(&setup), 0.875);
    }
}

#[test]
fn alpha_becomes_coverage() {
    for gpu in Harness::each() {
        let shaders = EVERYWHERE.to_owned()
            + "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {
               return vec4f(1.0, 1.0, 1.0, floor(p.x) / 7.0);
           }";
        for samples in [2, 4, 8] {
            let mut setup = Setup::samples(samples);
            setup.multisample.alpha_to_coverage_enabled = true;
            setup.depth = Some(depth(TextureFormat::Depth32Float, CompareFunction::Less));
            let bytes = &gpu.draw(&setup, &shaders, 3)[0];
            let expected: Vec<u8> = (0..8)
                .map(|x| {
                    let covered = (x as f32 / 7.0 * samples as f32 + 0.5) as usize;
                    share(covered, samples as usize)
                })
                .collect();
            assert_eq!(line(bytes), expected, "{samples} samples");
            // Samples that alpha leaves out keep their depth: what is drawn behind shows there.
            let behind = EVERYWHERE.replace("0.5, 1.0", "0.75, 1.0") + WHITE;
            let mut plain = setup.clone();
            plain.multisample.alpha_to_coverage_enabled = false;
            let none = EVERYWHERE.to_owned()
                + "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {
                   return vec4f(0.0, 0.0, 0.0, floor(p.x) / 7.0);
               }";
            let (mask, fill) = (gpu.pipeline(&setup, &none), gpu.pipeline(&plain, &behind));
            let bytes = gpu.record(&setup, |commands| {
                for pipeline in [&mask, &fill] {
                    commands.bind_pipeline(pipeline).unwrap();
                    commands.draw(0..3, 0..1).unwrap();
                }
            });
            let rest: Vec<u8> = expected.iter().map(|share| 255 - share).collect();
            let found = line(&bytes[0]);
            assert!(
                found.iter().zip(&rest).all(|(a, b)| a.abs_diff(*b) <= 1),
                "{found:?} {rest:?}"
            );
        }
    }
}

/// A slope that comes through a wall does so between samples.
#[test]
fn depth_is_tested_at_samples() {
    for gpu in Harness::each() {
        for format in [
            TextureFormat::Depth32Float,
            TextureFormat::Depth24Plus,
            TextureFormat::Depth16Unorm,
        ] {
            for positions in &POSITIONS[1..] {
                let count = positions.len();
                let setup = Setup {
                    depth: Some(depth(format, CompareFunction::Less)),
                    ..strip(count as u32)
                };
                // Depth 0.5 is at 2 pixels and 8.5 sixteenths.
                let slope = "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
                    let x = f32(i & 1u);
                    return vec4f(x * 2.0 - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0.5 + x - 40.5 / 128.0, 1.0);
                }";
                let black = EVERYWHERE.to_owned()
                    + "@fragment fn fragment() -> @location(0) vec4f { return vec4f(0.0); }";
                let (wall, slope) = (
                    gpu.pipeline(&setup, &black),
                    gpu.pipeline(&setup, &(slope.to_owned() + WHITE)),
                );
                let bytes = gpu.record(&setup, |commands| {
                    for (pipeline, count) in [(&wall, 3), (&slope, 4)] {
                        commands.bind_pipeline(pipeline).unwrap();
                        commands.draw(0..count, 0..1).unwrap();
                    }
                });
                let covered = positions.iter().filter(|(at, _)| *at < 9).count();
                let expected = [255, 255, share(covered, count), 0, 0, 0, 0, 0];
                assert_eq!(line(&bytes[0]), expected, "{format:?}, {count} samples");
            }
        }
    }
}

#[test]
fn stencil_is_kept_for_samples() {
    for gpu in Harness::each() {
        let state = |format, compare, pass_op| {
            let face = StencilFaceState {
                compare,
                pass_op,
                ..StencilFaceState::default()
            };
            DepthStencilState {
                stencil: StencilState {
                    front: face,
                    back: face,
                    read_mask: 0xff,
                    write_mask: 0xff,
                },
                depth_write_enabled: Some(false),
                ..depth(format, CompareFunction::Always)
            }
        };
        for format in [
            TextureFormat::Stencil8,
            TextureFormat::Depth24PlusStencil8,
            TextureFormat::Depth32FloatStencil8,
        ] {
            for positions in &POSITIONS[1..] {
                let count = positions.len();
                let marking = Setup {
                    depth: Some(state(
                        format,
                        CompareFunction::Always,
                        StencilOperation::Replace,
                    )),
                    ..strip(count as u32)
                };
                let testing = Setup {
                    depth: Some(state(
                        format,
                        CompareFunction::Equal,
                        StencilOperation::Keep,
                    )),
                    ..Setup::samples(count as u32)
                };
                let black = vertex_left_of(32 + 8)
                    + "@fragment fn fragment() -> @location(0) vec4f { return vec4f(0.0); }";
                let mark = gpu.pipeline(&marking, &black);
                let test = gpu.pipeline(&testing, &(EVERYWHERE.to_owned() + WHITE));
                let bytes = gpu.record(&marking, |commands| {
                    commands.bind_pipeline(&mark).unwrap();
                    commands.set_stencil_reference(7).unwrap();
                    commands.draw(0..4, 0..1).unwrap();
                    commands.bind_pipeline(&test).unwrap();
                    commands.draw(0..3, 0..1).unwrap();
                });
                let covered = positions.iter().filter(|(at, _)| *at < 8).count();
                let expected = [255, 255, share(covered, count), 0, 0, 0, 0, 0];
                assert_eq!(line(&bytes[0]), expected, "{format:?}, {count} samples");
            }
        }
    }
}

#[test]
fn depth_and_stencil_are_resolved() {
    for gpu in Harness::each() {
        let format = TextureFormat::Depth32FloatStencil8;
        let face = StencilFaceState {
            compare: CompareFunction::Always,
            pass_op: StencilOperation::Replace,
            ..StencilFaceState::default()
        };
        let setup = Setup {
            targets: Vec::new(),
            depth: Some(DepthStencilState {
                stencil: StencilState {
                    front: face,
                    back: face,
                    read_mask: 0xff,
                    write_mask: 0xff,
                },
                ..depth(format, CompareFunction::Always)
            }),
            ..strip(4)
        };
        let pipeline = gpu.pipeline(&setup, &vertex_left_of(32 + 8));
        let resolved = |depth, stencil| {
            let samples = gpu.attachment(format, [8, 8], 4);
            let result = gpu.attachment(format, [8, 8], 1);
            let mut commands = gpu.device.create_command_buffer(None);
            for view in [&samples, &result] {
                let (old, new) = (ImageLayout::Undefined, ImageLayout::DepthStencilAttachment);
                commands.transition(view.image(), old, new).unwrap();
            }
            commands
                .begin_pass(&RenderPass {
                    label: None,
                    colors: &[],
                    depth_stencil: Some(DepthStencilAttachment {
                        view: &samples,
                        depth: AspectAccess::Write {
                            load: LoadOp::Clear(1.0),
                            store: StoreOp::Store,
                        },
                        stencil: AspectAccess::Write {
                            load: LoadOp::Clear(2),
                            store: StoreOp::Store,
                        },
                        resolve: Some(DepthStencilResolve {
                            view: &result,
                            depth: Some(depth),
                            stencil: Some(stencil),
                        }),
                    }),
                })
                .unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            commands.set_stencil_reference(9).unwrap();
            commands.draw(0..4, 0..1).unwrap();
            commands.end_pass().unwrap();
            gpu.queue.submit(&[&commands], &[]).unwrap();
            gpu.queue
                .transition(result.image(), ImageLayout::CopySource)
                .unwrap();
            let read = |aspect| {
                let copy = ImageCopy {
                    aspect,
                    ..ImageCopy::level(result.image(), 0)
                };
                gpu.queue.read_image(&copy, result.size()).unwrap()
            };
            let depths = words(&read(TextureAspect::DepthOnly));
            let row: Vec<f32> = depths[1..4].iter().map(|w| f32::from_bits(*w)).collect();
            (row, read(TextureAspect::StencilOnly)[1..4].to_vec())
        };
        // Samples 0 and 2 of the third pixel are covered: 0.5 over 1, 9 over 2.
        use ResolveMode::*;
        assert_eq!(
            resolved(Average, Min),
            (vec![0.5, 0.75, 1.0], vec![9, 2, 2])
        );
        assert_eq!(
            resolved(SampleZero, Max),
            (vec![0.5, 0.5, 1.0], vec![9, 9, 2])
        );
        assert_eq!(
            resolved(Min, SampleZero),
            (vec![0.5, 0.5, 1.0], vec![9, 9, 2])
        );
        assert_eq!(resolved(Max, Max), (vec![0.5, 1.0, 1.0], vec![9, 9, 2]));
    }
}

#[test]
fn samples_of_depth_are_loaded() {
    for gpu in Harness::each() {
        let texture = gpu.attachment(TextureFormat::Depth32Float, [8, 8], 4);
        let setup = Setup {
            targets: Vec::new(),
            depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
            ..strip(4)
        };
        let pipeline = gpu.pipeline(&setup, &vertex_left_of(32 + 8));
        let mut commands = gpu.device.create_command_buffer(None);
        let (old, new) = (ImageLayout::Undefined, ImageLayout::DepthStencilAttachment);
        commands.transition(texture.image(), old, new).unwrap();
        commands
            .begin_pass(&RenderPass {
                label: None,
                colors: &[],
                depth_stencil: Some(DepthStencilAttachment {
                    view: &texture,
                    depth: AspectAccess::Write {
                        load: LoadOp::Clear(1.0),
                        store: StoreOp::Store,
                    },
                    stencil: AspectAccess::ReadOnly,
                    resolve: None,
                }),
            })
            .unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..4, 0..1).unwrap();
        commands.end_pass().unwrap();
        commands
            .transition(texture.image(), new, ImageLayout::ShaderReadOnly)
            .unwrap();
        gpu.queue.submit(&[&commands], &[]).unwrap();
        let ty = ["texture_depth_multisampled_2d", ""];
        let found = loaded(&gpu, &texture, TextureSampleType::Depth, ty);
        // Samples 0 and 2 of the third pixel are covered.
        let row = |sample: usize| [1, 2, 3].map(|x| f32::from_bits(found[sample][x]));
        assert_eq!(row(0), [0.5, 0.5, 1.0]);
        assert_eq!(row(1), [0.5, 1.0, 1.0]);
        assert_eq!(row(2), [0.5, 0.5, 1.0]);
        assert_eq!(row(3), [0.5, 1.0, 1.0]);
    }
}

/// Layers of an image of several samples are drawn to, resolved and loaded one by one.
#[test]
fn layers_resolve_into_layers() {
    for gpu in Harness::each() {
        let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
        let format = TextureFormat::Rgba8Unorm;
        let samples = gpu.image(format, [8, 8, 3], 4, TextureUsages::RENDER_ATTACHMENT);
        let result = gpu.image(format, [8, 8, 3], 1, usage);
        let layer = |image: &Image, layer| {
            let desc = ImageViewDescriptor {
                dimension: Some(TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..ImageViewDescriptor::default()
            };
            gpu.device.create_image_view(image, &desc).unwrap()
        };
        let mut commands = gpu.device.create_command_buffer(None);
        for image in [&samples, &result] {
            let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
            commands.transition(image, old, new).unwrap();
        }
        for n in 0..3 {
            let pipeline = gpu.pipeline(&strip(4), &(vertex_left_of(32 + 8 * n) + WHITE));
            let (from, to) = (layer(&samples, n), layer(&result, 2 - n));
            commands
                .begin_pass(&RenderPass {
                    label: None,
                    colors: &[Some(ColorAttachment {
                        view: &from,
                        resolve: Some((&to).into()),
                        load: LoadOp::Clear(Color::TRANSPARENT),
                        store: StoreOp::Discard,
                    })],
                    depth_stencil: None,
                })
                .unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(0..4, 0..1).unwrap();
            commands.end_pass().unwrap();
        }
        gpu.queue.submit(&[&commands], &[]).unwrap();
        let read = ImageLayout::CopySource;
        gpu.queue.transition(&result, read).unwrap();
        let size = Extent3d {
            width: 8,
            height: 8,
            depth_or_array_layers: 3,
        };
        let bytes = gpu
            .queue
            .read_image(&ImageCopy::level(&result, 0), size)
            .unwrap();
        let third = |layer: usize| bytes[layer * 256 + 8];
        assert_eq!([2, 1, 0].map(third), [0, 128, 255]);
    }
}

/// A resolve is no draw of the user's.
#[test]
fn resolves_do_not_count() {
    for gpu in Harness::each() {
        let set = |kind| {
            gpu.device
                .create_query_set(&QuerySetDescriptor {
                    label: None,
                    kind,
                    count: 1,
                    precise: true,
                })
                .unwrap()
        };
        let (passed, work) = (set(QueryKind::Occlusion), set(QueryKind::Statistics));
        let (samples, result) = (
            gpu.attachment(TextureFormat::Rgba8Unorm, [8, 8], 4),
            gpu.attachment(TextureFormat::Rgba8Unorm, [8, 8], 1),
        );
        let pipeline = gpu.pipeline(&Setup::samples(4), &(EVERYWHERE.to_owned() + WHITE));
        let mut commands = gpu.device.create_command_buffer(None);
        for view in [&samples, &result] {
            let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
            commands.transition(view.image(), old, new).unwrap();
        }
        commands.begin_query(&passed, 0).unwrap();
        commands.begin_query(&work, 0).unwrap();
        commands
            .begin_pass(&RenderPass {
                label: None,
                colors: &[Some(ColorAttachment {
                    view: &samples,
                    resolve: Some((&result).into()),
                    load: LoadOp::Clear(Color::BLACK),
                    store: StoreOp::Store,
                })],
                depth_stencil: None,
            })
            .unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        commands.end_query(&passed, 0).unwrap();
        commands.end_query(&work, 0).unwrap();
        gpu.queue.submit(&[&commands], &[]).unwrap();
        let answer = |set| gpu.queue.read_queries(set, 0..1).unwrap().remove(0);
        assert_eq!(answer(&passed), Some(QueryValue::Occlusion(4 * 64)));
        let Some(QueryValue::Statistics(work)) = answer(&work) else {
            panic!("no statistics");
        };
        assert_eq!(
            (work.vertex_invocations, work.fragment_invocations),
            (3, 64)
        );
        assert_eq!(gpu.read(&result)[..4], [255; 4]);
    }
}
