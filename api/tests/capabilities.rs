//! Everything that a device says about a format is tried: what it reports works, to the bit, and what it does not
//! report is refused by name.

#![allow(clippy::unwrap_used)]

#[path = "capabilities/bench.rs"]
mod bench;
mod harness;

use ::pipeline::format::{texture_format, vertex_format};
use ::pipeline::silicon::Format;
use ::pipeline::silicon::texture::format::Class;
use bench::*;
use girih::wgpu_types::{AstcBlock, AstcChannel};
use girih::*;
use harness::{EVERYWHERE, Harness, Setup};

/// Names of an enum in a list. One that is missing does not compile.
macro_rules! all_of {
    ($list:ident: $enum:ident { $($name:ident)* } $($other:pat)?) => {
        const $list: &[$enum] = &[$($enum::$name),*];
        const _: fn($enum) = |name| match name {
            $($enum::$name => (),)*
            $($other => (),)?
        };
    };
}

#[rustfmt::skip]
all_of!(PLAIN: TextureFormat {
    R8Unorm R8Snorm R8Uint R8Sint R16Uint R16Sint R16Unorm R16Snorm R16Float Rg8Unorm Rg8Snorm Rg8Uint Rg8Sint
    R32Uint R32Sint R32Float Rg16Uint Rg16Sint Rg16Unorm Rg16Snorm Rg16Float Rgba8Unorm Rgba8UnormSrgb Rgba8Snorm
    Rgba8Uint Rgba8Sint Bgra8Unorm Bgra8UnormSrgb Rgb9e5Ufloat Rgb10a2Uint Rgb10a2Unorm Rg11b10Ufloat R64Uint
    Rg32Uint Rg32Sint Rg32Float Rgba16Uint Rgba16Sint Rgba16Unorm Rgba16Snorm Rgba16Float Rgba32Uint Rgba32Sint
    Rgba32Float Stencil8 Depth16Unorm Depth24Plus Depth24PlusStencil8 Depth32Float Depth32FloatStencil8 NV12 P010
    Bc1RgbaUnorm Bc1RgbaUnormSrgb Bc2RgbaUnorm Bc2RgbaUnormSrgb Bc3RgbaUnorm Bc3RgbaUnormSrgb Bc4RUnorm Bc4RSnorm
    Bc5RgUnorm Bc5RgSnorm Bc6hRgbUfloat Bc6hRgbFloat Bc7RgbaUnorm Bc7RgbaUnormSrgb Etc2Rgb8Unorm Etc2Rgb8UnormSrgb
    Etc2Rgb8A1Unorm Etc2Rgb8A1UnormSrgb Etc2Rgba8Unorm Etc2Rgba8UnormSrgb EacR11Unorm EacR11Snorm EacRg11Unorm
    EacRg11Snorm
} TextureFormat::Astc { .. });

#[rustfmt::skip]
all_of!(BLOCKS: AstcBlock {
    B4x4 B5x4 B5x5 B6x5 B6x6 B8x5 B8x6 B8x8 B10x5 B10x6 B10x8 B10x10 B12x10 B12x12
});

all_of!(CHANNELS: AstcChannel { Unorm UnormSrgb Hdr });

/// Every texture format that has a name, whether a device knows it or not.
fn all() -> Vec<TextureFormat> {
    let astc = BLOCKS.iter().flat_map(|&block| {
        (CHANNELS.iter()).map(move |&channel| TextureFormat::Astc { block, channel })
    });
    PLAIN.iter().copied().chain(astc).collect()
}

/// A draw of which nothing but its state is judged.
const EVERYWHERE_WHITE: &str =
    "@vertex fn vertex() -> @builtin(position) vec4f { return vec4f(0.0); }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";

fn benches() -> Vec<Bench> {
    Instance::new()
        .physical_devices()
        .map(|gpu| Bench {
            harness: Harness::on(&gpu, None),
            gpu,
        })
        .collect()
}

#[test]
fn what_is_reported_works_and_nothing_else() {
    for bench in benches() {
        let mut known = 0;
        let mut named = bench.gpu.formats();
        assert!(named.all(|format| all().contains(&format)));
        for format in all() {
            let can = bench.gpu.format_capabilities(format);
            let depth = format.is_depth_stencil_format();
            known += u32::from(can.sampled);
            match can.sampled {
                true => bench.sampled(format, can.filterable),
                false => bench.refused(format, TextureUsages::TEXTURE_BINDING),
            }
            match can.renderable || can.depth_stencil {
                true if depth => bench.depth_stencil(format, 1),
                true => bench.rendered(format, 1),
                false => bench.refused(format, TextureUsages::RENDER_ATTACHMENT),
            }
            if can.renderable {
                let blended = bench.blended(format);
                let rule = blended.as_ref().err().map(GraphicsPipelineError::rule);
                let refused = Some("pipeline-target-format");
                assert_eq!(
                    rule,
                    if can.blendable { None } else { refused },
                    "{format:?}"
                );
            } else if can.sampled && !depth {
                // Nor does a pipeline draw to it.
                let setup = Setup::format(format);
                let wgsl = format!(
                    "{EVERYWHERE}@fragment fn fragment() -> @location(0) vec4f {{ return vec4f(0.0); }}"
                );
                let error = bench.harness.try_pipeline(&setup, &wgsl).unwrap_err();
                assert_eq!(error.rule(), "pipeline-target-format", "{format:?}");
            }
            match can.storage {
                true => bench.stored(format),
                false => bench.refused(format, TextureUsages::STORAGE_BINDING),
            }
            match can.storage_atomic {
                true => bench.atomic(format),
                false => bench.refused(format, TextureUsages::STORAGE_ATOMIC),
            }
            for samples in [2, 4, 8, 16] {
                if !can.has_samples(samples) {
                    let usage = TextureUsages::RENDER_ATTACHMENT;
                    let desc = bench.desc(format, usage, samples);
                    let error = bench.harness.device.create_image(&desc).unwrap_err();
                    let rules = ["image-samples", "image-format"];
                    assert!(rules.contains(&error.rule()), "{format:?}: {error}");
                    if can.renderable {
                        let setup = Setup {
                            samples,
                            ..Setup::format(format)
                        };
                        let error = bench
                            .harness
                            .try_pipeline(&setup, EVERYWHERE_WHITE)
                            .unwrap_err();
                        assert_eq!(error.rule(), "pipeline-samples", "{format:?}: {error}");
                    }
                } else if depth {
                    bench.depth_stencil(format, samples);
                } else {
                    bench.rendered(format, samples);
                }
            }
            if !can.sampled {
                continue;
            }
            match can.blit_source {
                true => bench.blit_from(format),
                false => {
                    let from = bench.image(format, TextureUsages::TEXTURE_BINDING | COPIED);
                    let to = bench.image(TextureFormat::Rgba8Unorm, COPIED);
                    let error = bench.blit(&from, &to, TextureAspect::All).unwrap_err();
                    assert_eq!(error.rule(), "blit-capability", "{format:?}");
                }
            }
            match can.blit_target {
                // Depth and stencil were targets of themselves.
                true if depth => {}
                true => bench.blit_to(format),
                false => {
                    let from = bench.image(TextureFormat::Rgba8Unorm, COPIED);
                    let to = bench.image(format, TextureUsages::TEXTURE_BINDING | COPIED);
                    let error = bench.blit(&from, &to, TextureAspect::All).unwrap_err();
                    assert_eq!(error.rule(), "blit-capability", "{format:?}");
                }
            }
        }
        let enough = if bench.gpu.features().integers {
            50
        } else {
            30
        };
        assert!(known > enough, "{known} formats are a poor device");
    }
}

/// Vertex formats: what the shader gets is what the bytes mean.
#[test]
fn vertex_formats_that_are_reported_are_fetched() {
    use VertexFormat::*;
    let all = [
        Uint8,
        Uint8x2,
        Uint8x4,
        Sint8,
        Sint8x2,
        Sint8x4,
        Unorm8,
        Unorm8x2,
        Unorm8x4,
        Snorm8,
        Snorm8x2,
        Snorm8x4,
        Uint16,
        Uint16x2,
        Uint16x4,
        Sint16,
        Sint16x2,
        Sint16x4,
        Unorm16,
        Unorm16x2,
        Unorm16x4,
        Snorm16,
        Snorm16x2,
        Snorm16x4,
        Float16,
        Float16x2,
        Float16x4,
        Float32,
        Float32x2,
        Float32x3,
        Float32x4,
        Uint32,
        Uint32x2,
        Uint32x3,
        Uint32x4,
        Sint32,
        Sint32x2,
        Sint32x3,
        Sint32x4,
        Float64,
        Float64x2,
        Float64x3,
        Float64x4,
        Unorm10_10_10_2,
        Unorm8x4Bgra,
    ];
    for bench in benches() {
        for format in all {
            let reported = bench.gpu.fetches_vertices(format);
            let row = vertex_format(format);
            let textured = bench
                .gpu
                .formats()
                .find(|name| texture_format(*name) == row);
            if let Some(name) = textured {
                // One chip, one fact.
                assert_eq!(
                    bench.gpu.format_capabilities(name).vertex,
                    reported,
                    "{name:?}"
                );
            }
            let class = row.map_or(Class::Float, Format::class);
            let (letter, target) = wide(class);
            if reported && !bench.gpu.format_capabilities(target).renderable {
                // Integers that are floats in the shader.
                continue;
            }
            let buffer = bench
                .harness
                .device
                .create_buffer(&BufferDescriptor {
                    label: Some("vertices"),
                    size: 64,
                    usage: BufferUsages::VERTEX,
                    placement: None,
                })
                .unwrap();
            let module = bench.harness.module(&format!(
                "struct Out {{ @builtin(position) p: vec4f, @location(0) @interpolate(flat) v: vec4{letter} }}
                 @vertex fn vertex(@builtin(vertex_index) i: u32, @location(0) v: vec4{letter}) -> Out {{
                     return Out(vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.5, 1.0), v);
                 }}
                 @fragment fn fragment(in: Out) -> @location(0) vec4{letter} {{ return in.v; }}"
            ));
            let stage = ShaderStage {
                module: &module,
                entry: None,
                constants: &[],
            };
            let layout = PipelineLayoutDescriptor::default();
            let pipeline =
                bench
                    .harness
                    .device
                    .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                        label: Some("pipeline"),
                        layout: Some(
                            &bench
                                .harness
                                .device
                                .create_pipeline_layout(&layout)
                                .unwrap(),
                        ),
                        vertex: stage,
                        buffers: &[VertexBufferLayout {
                            stride: 32,
                            step: VertexStepMode::Instance,
                            attributes: &[VertexAttribute {
                                format,
                                offset: 0,
                                shader_location: 0,
                            }],
                        }],
                        geometry: None,
                        stream: None,
                        fragment: Some(stage),
                        targets: &[Some(target.into())],
                        primitive: PrimitiveState::default(),
                        depth_stencil: None,
                        multisample: MultisampleState::default(),
                        raster: RasterState::default(),
                    });
            let Some(row) = row.filter(|_| reported) else {
                let error = pipeline.unwrap_err();
                assert_eq!(error.rule(), "pipeline-vertex-format", "{format:?}");
                continue;
            };
            let bytes = noise(row, 64);
            buffer.write(0, &bytes).unwrap();
            let pipeline = pipeline.unwrap();
            let drawn = bench.harness.record(&Setup::format(target), |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                commands.bind_vertex_buffer(0, &buffer, 0).unwrap();
                commands.draw(0..3, 1..2).unwrap();
            });
            let got: [u32; 4] = bytemuck::pod_read_unaligned(&drawn[0][..16]);
            let wanted = bench.held(letter, row.unpack(&bytes[32..]));
            assert_eq!(got, wanted, "{format:?}");
        }
    }
}
