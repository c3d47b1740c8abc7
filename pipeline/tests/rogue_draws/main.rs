//! Rogue: draws through the driver, with shaders that the back end compiles.
#![allow(clippy::unwrap_used)]

mod rig;

use pipeline::codegen::rogue::state::Rogue;
use pipeline::image::{self, Rows};
use pipeline::query::{QueryKind, QueryValue};
use pipeline::state::{
    BufferRange, ClearAttachment, ColorTarget, Draw, ImageBinding, Indices, Rect, SamplerState,
};
use pipeline::targets::{Surfaces, Transfers};
use wgpu_types as wgt;
use wgt::TextureFormat as Format;

use rig::{Rig, SIZE, THREE, cover, half, is_upper, pass, state, uniforms};

#[test]
fn a_triangle_has_the_constant_of_a_uniform_buffer() {
    let mut rig = Rig::new();
    for (format, expected) in [
        (Format::Rgba8Unorm, [255, 128, 0, 64]),
        (Format::Bgra8Unorm, [0, 128, 255, 64]),
    ] {
        let target = rig.target(format);
        let set = uniforms(&mut rig, [1.0, 0.5, 0.0, 0.25]);
        let corners = rig.floats(&half(0.5));
        let pipeline = rig.pipeline(["plain", "constant"], state(1, format));
        let stats = rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::GREEN, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, corners);
            out.draw(&THREE)?;
            out.end_pass()
        });
        assert_eq!(stats.draws, 1);
        for (n, pixel) in rig.texels(&target).iter().enumerate() {
            let expected = if is_upper(n) {
                expected
            } else {
                [0, 255, 0, 255]
            };
            assert_eq!(*pixel, expected, "{format:?} {n}");
        }
    }
}

#[test]
fn textures_are_sampled_where_they_were_written() {
    let mut rig = Rig::new();
    let sampler = SamplerState::from(wgt::SamplerDescriptor::default());
    for (format, order) in [
        (Format::Rgba8Unorm, [0, 1, 2, 3]),
        (Format::Bgra8Unorm, [2, 1, 0, 3]),
    ] {
        let image = rig.image(format, [SIZE; 2], 1);
        let texel = |n: u32| [n % SIZE, n / SIZE, n % 251, 255].map(|value| value as u8);
        let texels: Vec<u8> = (0..SIZE * SIZE).flat_map(texel).collect();
        rig.upload(&image, &texels);
        assert_eq!(rig.texels(&image).as_flattened(), texels);
        let bytes = Rogue.descriptor_bytes();
        let view = ImageBinding {
            base: image.base,
            memory: &image.memory,
            format,
            aspect: wgt::TextureAspect::All,
            dimension: wgt::TextureViewDimension::D2,
            first_level: 0,
            levels: 1,
            first_layer: 0,
            layers: 1,
        };
        // As the layout of the set places them: a buffer, a texture, a sampler.
        let mut words = vec![0; bytes.buffer as usize / 4];
        Rogue.image_descriptor(&view, &mut words);
        words.extend(rig.driver.sampler_descriptor(&sampler).unwrap());
        let set = rig.words(&words);
        let target = rig.target(Format::Rgba8Unorm);
        let corners = rig.floats(&cover(0.0));
        let places = rig.floats(&[0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 1.0]);
        let pipeline = rig.pipeline(["pair", "texture"], state(2, Format::Rgba8Unorm));
        rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::BLACK, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, corners);
            out.bind_vertex_buffer(1, places);
            out.draw(&THREE)?;
            out.end_pass()
        });
        for (n, pixel) in rig.texels(&target).iter().enumerate() {
            let stored = texel(n as u32);
            assert_eq!(*pixel, order.map(|c: usize| stored[c]), "{format:?} {n}");
        }
    }
}

#[test]
fn depth_hides_and_queries_count() {
    let mut rig = Rig::new();
    for format in [
        Format::Depth16Unorm,
        Format::Depth32Float,
        Format::Depth24PlusStencil8,
        Format::Depth32FloatStencil8,
    ] {
        let target = rig.target(Format::Rgba8Unorm);
        let depth = rig.target(format);
        let [near, far] = [half(0.25), cover(0.75)].map(|corners| rig.floats(&corners));
        let [red, blue] =
            [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]].map(|c| uniforms(&mut rig, c));
        let mut state = state(1, Format::Rgba8Unorm);
        state.depth_stencil = Some(wgt::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgt::CompareFunction::Less),
            stencil: wgt::StencilState::default(),
            bias: wgt::DepthBiasState::default(),
        });
        let pipeline = rig.pipeline(["plain", "constant"], state);
        let queries = [0; 2].map(|byte| rig.put(&[byte; 16]));
        rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::BLACK, Some(&depth)))?;
            out.bind_pipeline(&pipeline);
            for (set, corners, query) in [(red, near, queries[0]), (blue, far, queries[1])] {
                out.bind_set(0, set);
                out.bind_vertex_buffer(0, corners);
                out.begin_query(QueryKind::Occlusion, query);
                out.draw(&THREE)?;
                out.end_query(QueryKind::Occlusion, query);
            }
            let rect = Rect {
                x: 35,
                y: 36,
                width: 2,
                height: 3,
            };
            let (index, value) = (0, wgt::Color::WHITE);
            out.clear_attachment(ClearAttachment::Color { index, value }, rect)?;
            out.end_pass()
        });
        for (n, pixel) in rig.texels(&target).iter().enumerate() {
            let (x, y) = (n % SIZE as usize, n / SIZE as usize);
            let expected = match is_upper(n) {
                true => [255, 0, 0, 255],
                false if (35..37).contains(&x) && (36..39).contains(&y) => [255; 4],
                false => [0, 0, 255, 255],
            };
            assert_eq!(*pixel, expected, "{format:?} {n}");
        }
        let upper = (0..(SIZE * SIZE) as usize).filter(|n| is_upper(*n)).count() as u64;
        for (query, passed) in queries
            .into_iter()
            .zip([upper, u64::from(SIZE * SIZE) - upper])
        {
            let mut bytes = [0; 16];
            rig.driver.memory.read(query, &mut bytes).unwrap();
            let found = Rogue.query_value(QueryKind::Occlusion, &bytes);
            assert_eq!(found, Some(QueryValue::Occlusion(passed)), "{format:?}");
        }
    }
}

#[test]
fn blending_reads_what_the_pixel_has() {
    let mut rig = Rig::new();
    let target = rig.target(Format::Rgba8Unorm);
    let set = uniforms(&mut rig, [1.0, 0.0, 0.0, 0.5]);
    let corners = rig.floats(&half(0.0));
    let indices = rig.words(&[9, 9, 0, 1, 2]);
    let mut state = state(1, Format::Rgba8Unorm);
    state.targets[0] = Some(wgt::ColorTargetState {
        format: Format::Rgba8Unorm,
        blend: Some(wgt::BlendState::ALPHA_BLENDING),
        write_mask: wgt::ColorWrites::COLOR,
    });
    let pipeline = rig.pipeline(["plain", "constant"], state);
    rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::BLUE, None))?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.bind_vertex_buffer(0, corners);
        out.draw(&Draw {
            first: 2,
            indices: Some(Indices {
                buffer: BufferRange {
                    address: indices,
                    bytes: 20,
                },
                format: wgt::IndexFormat::Uint32,
                base_vertex: 0,
            }),
            ..THREE
        })?;
        out.end_pass()
    });
    for (n, pixel) in rig.texels(&target).iter().enumerate() {
        let expected = if is_upper(n) {
            [128, 0, 128, 255]
        } else {
            [0, 0, 255, 255]
        };
        assert_eq!(*pixel, expected, "{n}");
    }
}

/// A punch-through object whose pixels fail the depth test counts them in the stencil, those alone that it does not discard.
#[test]
fn discarded_pixels_leave_no_trace_in_the_stencil() {
    let mut rig = Rig::new();
    let format = Format::Depth24PlusStencil8;
    let (target, depth) = (rig.target(Format::Rgba8Unorm), rig.target(format));
    let [near, far] = [0.25, 0.75].map(|z| rig.floats(&cover(z)));
    // Alive where the first component is below 1: the left half.
    let sides = rig.floats(&[0.0, 0.0, 0.0, 1.0, 4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let [white, green] = [[1.0; 4], [0.0, 1.0, 0.0, 1.0]].map(|c| uniforms(&mut rig, c));
    let face = |compare, depth_fail_op| wgt::StencilFaceState {
        compare,
        depth_fail_op,
        ..wgt::StencilFaceState::default()
    };
    let pipeline = |rig: &mut Rig, names, buffers, face, compare| {
        let mut state = state(buffers, Format::Rgba8Unorm);
        state.depth_stencil = Some(wgt::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(compare),
            stencil: wgt::StencilState {
                front: face,
                back: face,
                read_mask: 0xff,
                write_mask: 0xff,
            },
            bias: wgt::DepthBiasState::default(),
        });
        rig.pipeline(names, state)
    };
    use wgt::CompareFunction::{Always, Equal, Less};
    use wgt::StencilOperation::{IncrementClamp, Keep};
    let plain = pipeline(&mut rig, ["plain", "constant"], 1, face(Always, Keep), Less);
    let cut = pipeline(
        &mut rig,
        ["pair", "cut"],
        2,
        face(Always, IncrementClamp),
        Less,
    );
    let counted = pipeline(
        &mut rig,
        ["plain", "constant"],
        1,
        face(Equal, Keep),
        Always,
    );
    rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::BLACK, Some(&depth)))?;
        for (pipeline, set, corners, reference) in [
            (&plain, white, near, 0),
            (&cut, white, far, 0),
            (&counted, green, far, 1),
        ] {
            out.bind_pipeline(pipeline);
            out.change(|state| state.stencil_reference = reference);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, corners);
            out.bind_vertex_buffer(1, sides);
            out.draw(&THREE)?;
        }
        out.end_pass()
    });
    for (n, pixel) in rig.texels(&target).iter().enumerate() {
        let left = n as u32 % SIZE < SIZE / 2;
        let expected = if left { [0, 255, 0, 255] } else { [255; 4] };
        assert_eq!(*pixel, expected, "{n}");
    }
}

/// Three targets of four words each: the last one's lie behind the output registers.
#[test]
fn targets_go_on_behind_the_output_registers() {
    let mut rig = Rig::new();
    let format = Format::Rgba32Float;
    let images = [0; 3].map(|_| rig.target(format));
    let set = uniforms(&mut rig, [1.0, 2.0, 3.0, 4.0]);
    let corners = rig.floats(&half(0.5));
    let add = wgt::BlendComponent {
        src_factor: wgt::BlendFactor::One,
        dst_factor: wgt::BlendFactor::One,
        operation: wgt::BlendOperation::Add,
    };
    let mut state = state(1, format);
    let target = |write_mask| {
        Some(wgt::ColorTargetState {
            format,
            blend: Some(wgt::BlendState {
                color: add,
                alpha: add,
            }),
            write_mask,
        })
    };
    let all = wgt::ColorWrites::ALL;
    state.targets = vec![target(all), target(all), target(wgt::ColorWrites::GREEN)];
    let pipeline = rig.pipeline(["plain", "three"], state);
    rig.run(|out| {
        let mut targets = pass(&images[0], wgt::Color::WHITE, None);
        let more = images[1..].iter().map(|image| ColorTarget {
            view: image.attachment(),
            ..targets.colors[0].clone().unwrap()
        });
        let more: Vec<_> = more.map(Some).collect();
        targets.colors.extend(more);
        out.begin_pass(targets)?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.bind_vertex_buffer(0, corners);
        out.draw(&THREE)?;
        out.draw(&THREE)?;
        out.end_pass()
    });
    let expected = [
        [3.0, 5.0, 7.0, 9.0],
        [9.0, 7.0, 5.0, 3.0],
        [1.0, 5.0, 1.0, 1.0],
    ];
    for (image, expected) in images.iter().zip(expected) {
        let region = image.region(0);
        let rows = Rows::tight(16 * u64::from(SIZE), SIZE.into());
        let mut bytes = vec![0; rows.slice_bytes as usize];
        image::read(&rig.driver, image.part(&region), rows, &mut bytes).unwrap();
        let floats: Vec<f32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect();
        for (n, texel) in floats.as_chunks::<4>().0.iter().enumerate() {
            let expected = if is_upper(n) { expected } else { [1.0; 4] };
            assert_eq!(*texel, expected, "{n}");
        }
    }
}
