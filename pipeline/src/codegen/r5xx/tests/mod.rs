//! Draws through the driver, with shaders that are assembled by hand, and words that the chip's own tables decode.

#![allow(clippy::unwrap_used)]

mod rig;
mod surfaces;

use silicon::Addr;
use wgpu_types as wgt;
use wgt::TextureFormat as Format;

use crate::query::{QueryKind, QueryValue};
use crate::state::{BufferRange, ClearAttachment, Draw, GraphicsState, Indices, Rect};
use crate::state::{ImageBinding, SamplerState, VertexBufferLayout};
use crate::targets::{Surfaces, Transfers};
use rig::*;

use super::state::R5xx;

/// Buffers of vectors of four floats, each at the location of its slot.
fn vectors(steps: &[wgt::VertexStepMode]) -> Vec<VertexBufferLayout> {
    let buffer = |(n, step): (usize, &wgt::VertexStepMode)| VertexBufferLayout {
        stride: 16,
        step: *step,
        attributes: vec![wgt::VertexAttribute {
            format: wgt::VertexFormat::Float32x4,
            offset: 0,
            shader_location: n as u32,
        }],
    };
    steps.iter().enumerate().map(buffer).collect()
}

fn state(steps: usize, format: Format) -> GraphicsState {
    GraphicsState {
        vertex_buffers: vectors(&vec![wgt::VertexStepMode::Vertex; steps]),
        targets: vec![Some(format.into())],
        ..GraphicsState::default()
    }
}

/// Corners of a triangle over all of the target, at a depth.
fn cover(z: f32) -> [f32; 12] {
    [-1.0, -1.0, z, 1.0, 3.0, -1.0, z, 1.0, -1.0, 3.0, z, 1.0]
}

fn range(address: Addr, bytes: u64) -> BufferRange {
    BufferRange { address, bytes }
}

const THREE: Draw = Draw {
    count: 3,
    first: 0,
    instances: 1,
    first_instance: 0,
    indices: None,
    draw_index: 0,
};

/// Pixels of four bytes, in rows.
fn pixels(bytes: &[u8]) -> Vec<[u8; 4]> {
    bytes.as_chunks().0.to_vec()
}

/// A set with a uniform buffer.
fn uniforms(rig: &mut Rig, values: &[f32]) -> Addr {
    let buffer = rig.floats(values);
    let mut words = Vec::new();
    R5xx.buffer_descriptor(range(buffer, 4 * values.len() as u64), &mut words);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    rig.put(&bytes)
}

#[test]
fn a_triangle_has_the_constant_of_a_uniform_buffer() {
    let mut rig = Rig::new();
    for (format, expected) in [
        (Format::Rgba8Unorm, [255, 128, 0, 64]),
        (Format::Bgra8Unorm, [0, 128, 255, 64]),
    ] {
        let target = rig.target(format);
        let set = uniforms(&mut rig, &[1.0, 0.5, 0.0, 0.25]);
        let vertices = rig.floats(&[
            -1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 0.5, 1.0, -1.0, -1.0, 0.5, 1.0,
        ]);
        let pipeline = rig.pipeline(["plain", "constant"], state(1, format));
        let stats = rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::GREEN, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, range(vertices, 48));
            out.draw(&THREE)?;
            out.end_pass()
        });
        assert_eq!((stats.draws, stats.samples_passed), (1, 120));
        let drawn = pixels(&rig.texels(&target, 0, 0));
        for (n, pixel) in drawn.iter().enumerate() {
            // The upper left half; y points up.
            let inside = n % 16 + n / 16 < 15;
            let expected = if inside { expected } else { [0, 255, 0, 255] };
            assert_eq!(*pixel, expected, "{format:?} {} {}", n % 16, n / 16);
        }
    }
}

#[test]
fn instances_are_draws_of_their_own() {
    let mut rig = Rig::new();
    let target = rig.target(Format::Rgba8Unorm);
    // Each instance covers four columns.
    let strip = rig.floats(&[
        -1.0, -1.0, 0.0, 1.0, -0.5, -1.0, 0.0, 1.0, -1.0, 1.0, 0.0, 1.0, -0.5, 1.0, 0.0, 1.0,
    ]);
    let colors = rig.floats(&[0.0; 4].repeat(2));
    rig.driver
        .memory
        .write_words(Addr(colors.0 + 16), &[1f32.to_bits(), 0, 0, 1f32.to_bits()])
        .unwrap();
    let mut state = state(2, Format::Rgba8Unorm);
    state.vertex_buffers[1].step = wgt::VertexStepMode::Instance;
    state.primitive.topology = wgt::PrimitiveTopology::TriangleStrip;
    let pipeline = rig.pipeline(["pair", "vector"], state);
    let stats = rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::WHITE, None))?;
        out.bind_pipeline(&pipeline);
        out.bind_vertex_buffer(0, range(strip, 64));
        out.bind_vertex_buffer(1, range(colors, 32));
        out.draw(&Draw {
            count: 4,
            instances: 2,
            ..THREE
        })?;
        out.end_pass()
    });
    assert_eq!(stats.draws, 2);
    let drawn = pixels(&rig.texels(&target, 0, 0));
    // The last instance is on top.
    assert_eq!(drawn[3], [255, 0, 0, 255]);
    assert_eq!(drawn[4], [255; 4]);
}

#[test]
fn indices_start_anew_and_end_with_their_buffer() {
    let mut rig = Rig::new();
    let target = rig.target(Format::Rgba8Unorm);
    // Columns of four pixels: two corners each, from the left.
    let corners: Vec<f32> = (0..5)
        .flat_map(|n| {
            let x = n as f32 / 2.0 - 1.0;
            [[x, -1.0, 0.0, 1.0], [x, 1.0, 0.0, 1.0]]
        })
        .flatten()
        .collect();
    let vertices = rig.floats(&corners);
    let indices: Vec<u8> = [9, 0, 1, 2, 3, 0xffff, 4, 5, 6, 7, 0xffff]
        .iter()
        .flat_map(|n: &u16| n.to_le_bytes())
        .collect();
    let indices = rig.put(&indices);
    let set = uniforms(&mut rig, &[1.0; 4]);
    let mut state = state(1, Format::Rgba8Unorm);
    state.primitive.topology = wgt::PrimitiveTopology::TriangleStrip;
    state.primitive.strip_index_format = Some(wgt::IndexFormat::Uint16);
    let pipeline = rig.pipeline(["plain", "constant"], state);
    let stats = rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::TRANSPARENT, None))?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.bind_vertex_buffer(0, range(vertices, 160));
        out.draw(&Draw {
            count: 10,
            first: 1,
            indices: Some(Indices {
                buffer: range(indices, 22),
                format: wgt::IndexFormat::Uint16,
                base_vertex: 2,
            }),
            ..THREE
        })?;
        out.end_pass()
    });
    // A draw for each strip.
    assert_eq!(stats.draws, 2);
    let drawn = pixels(&rig.texels(&target, 0, 0));
    let row: Vec<bool> = drawn[..16].iter().map(|pixel| pixel[0] == 255).collect();
    let columns: Vec<bool> = row.chunks(4).map(|four| four[1]).collect();
    assert_eq!(columns, [false, true, false, true]);
}

#[test]
fn vertices_are_numbered() {
    let mut rig = Rig::new();
    let target = rig.target(Format::Rgba32Float);
    let vertices = rig.floats(&[[0.0; 12], cover(0.0), [0.0; 12]].concat());
    let list: Vec<u8> = [3u32, 4, 5].iter().flat_map(|n| n.to_le_bytes()).collect();
    let list = rig.put(&list);
    let state = || GraphicsState {
        vertex_buffers: vectors(&[wgt::VertexStepMode::Vertex]),
        targets: vec![Some(Format::Rgba32Float.into())],
        ..GraphicsState::default()
    };
    let pipeline = rig.pipeline(["numbered", "vector"], state());
    let counted = Draw { first: 3, ..THREE };
    let listed = Draw {
        indices: Some(Indices {
            buffer: range(list, 12),
            format: wgt::IndexFormat::Uint32,
            base_vertex: 0,
        }),
        ..THREE
    };
    for draw in [counted, listed] {
        rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::TRANSPARENT, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_vertex_buffer(0, range(vertices, 144));
            out.draw(&draw)?;
            out.end_pass()
        });
        let bytes = rig.texels(&target, 0, 0);
        let at = |x: usize, y: usize| {
            let start = 16 * (16 * y + x);
            f32::from_le_bytes(bytes[start..start + 4].try_into().unwrap())
        };
        // From 3 at the lower left, 1/2 up to the right edge, 2/2 to the upper one.
        let expected = |x: f32, y: f32| 3.0 + x / 32.0 + 2.0 * (16.0 - y) / 32.0;
        for (x, y) in [(0, 15), (15, 15), (0, 0), (7, 3)] {
            let wanted = expected(x as f32 + 0.5, y as f32 + 0.5);
            assert!((at(x, y) - wanted).abs() < 1e-5, "{} {wanted}", at(x, y));
        }
    }
}

#[test]
fn depth_and_stencil_are_cleared_tested_and_counted() {
    let mut rig = Rig::new();
    let target = rig.target(Format::Rgba8Unorm);
    let depth = rig.target(Format::Depth24PlusStencil8);
    let vertices = rig.floats(&[cover(0.25), cover(0.75)].concat());
    let set = uniforms(&mut rig, &[1.0; 4]);
    let query = rig.take(R5xx.query_bytes(QueryKind::Occlusion));
    let mut state = state(1, Format::Rgba8Unorm);
    let face = wgt::StencilFaceState {
        compare: wgt::CompareFunction::Equal,
        fail_op: wgt::StencilOperation::Keep,
        depth_fail_op: wgt::StencilOperation::Invert,
        pass_op: wgt::StencilOperation::IncrementClamp,
    };
    state.depth_stencil = Some(wgt::DepthStencilState {
        format: Format::Depth24PlusStencil8,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgt::CompareFunction::Less),
        stencil: wgt::StencilState {
            front: face,
            back: face,
            read_mask: 0x0f,
            write_mask: 0xff,
        },
        bias: wgt::DepthBiasState::default(),
    });
    let pipeline = rig.pipeline(["plain", "constant"], state);
    rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::BLACK, Some((&depth, 0.5, 0x35))))?;
        out.clear_attachment(
            ClearAttachment::Stencil(0x21),
            Rect {
                x: 0,
                y: 0,
                width: 16,
                height: 2,
            },
        )?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.change(|dynamic| {
            dynamic.stencil_reference = 5;
            dynamic.scissors[0].width = 8;
        });
        out.bind_vertex_buffer(0, range(vertices, 96));
        out.begin_query(QueryKind::Occlusion, query);
        // Behind: inverts where the stencil is 5. In front of it all: nowhere now.
        out.draw(&Draw { first: 3, ..THREE })?;
        out.change(|dynamic| dynamic.stencil_reference = 0xa);
        out.draw(&THREE)?;
        out.end_query(QueryKind::Occlusion, query);
        out.end_pass()
    });
    let mut bytes = [0; 16];
    rig.driver.memory.read(query, &mut bytes).unwrap();
    let found = R5xx.query_value(QueryKind::Occlusion, &bytes);
    assert_eq!(found, Some(QueryValue::Occlusion(8 * 14)));
    let stencil = rig.texels(&depth, 0, 1);
    assert_eq!(
        (stencil[0], stencil[16 * 5], stencil[16 * 5 + 8]),
        (0x21, 0xcb, 0x35)
    );
    let depths = rig.texels(&depth, 0, 0);
    let at = |n: usize| u32::from_le_bytes(depths[4 * n..4 * n + 4].try_into().unwrap());
    assert_eq!((at(0), at(8)), (0x80_0000, 0x80_0000));
    assert!(at(16 * 5).abs_diff(0x40_0000) <= 1, "{:#x}", at(16 * 5));
    let drawn = pixels(&rig.texels(&target, 0, 0));
    assert_eq!((drawn[0], drawn[16 * 5]), ([0, 0, 0, 255], [255; 4]));
}

#[test]
fn blending_has_the_constant_and_the_mask_of_the_target() {
    let mut rig = Rig::new();
    for format in [Format::Rgba8Unorm, Format::Bgra8Unorm] {
        let target = rig.target(format);
        let vertices = rig.floats(&cover(0.0));
        let set = uniforms(&mut rig, &[1.0, 1.0, 1.0, 0.5]);
        let mut state = state(1, format);
        let component = wgt::BlendComponent {
            src_factor: wgt::BlendFactor::Constant,
            dst_factor: wgt::BlendFactor::OneMinusSrcAlpha,
            operation: wgt::BlendOperation::Add,
        };
        state.targets[0] = Some(wgt::ColorTargetState {
            format,
            blend: Some(wgt::BlendState {
                color: component,
                alpha: component,
            }),
            write_mask: wgt::ColorWrites::RED | wgt::ColorWrites::GREEN,
        });
        let pipeline = rig.pipeline(["plain", "constant"], state);
        let clear = wgt::Color {
            r: 0.0,
            g: 0.4,
            b: 0.2,
            a: 1.0,
        };
        rig.run(|out| {
            out.begin_pass(pass(&target, clear, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_set(0, set);
            out.change(|dynamic| dynamic.blend_constant = [0.2, 0.4, 0.6, 0.8]);
            out.bind_vertex_buffer(0, range(vertices, 48));
            out.draw(&THREE)?;
            out.end_pass()
        });
        let [mut red, green, mut blue, alpha] = pixels(&rig.texels(&target, 0, 0))[100];
        if format == Format::Bgra8Unorm {
            (red, blue) = (blue, red);
        }
        assert_eq!([red, green, blue, alpha], [51, 153, 51, 255], "{format:?}");
    }
}
