//! Fragment shaders that give the reference of the stencil test, pixel by pixel.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup};

const WIDTH: u32 = 8;

/// Stores the column and the line.
const STORES: &[u8] = include_bytes!("spirv/stencil.frag.spv");
/// Compares the lowest two bits of the column; the depth is 0.25 on the left and 0.75 on the right, and the last line is
/// discarded.
const COMPARES: &[u8] = include_bytes!("spirv/stencil_late.frag.spv");

fn state(
    format: TextureFormat,
    compare: CompareFunction,
    face: StencilFaceState,
) -> DepthStencilState {
    DepthStencilState {
        format,
        depth_write_enabled: format.has_depth_aspect().then_some(false),
        depth_compare: format.has_depth_aspect().then_some(compare),
        stencil: StencilState {
            front: face,
            back: face,
            read_mask: 0x0f,
            write_mask: 0x7f,
        },
        bias: DepthBiasState::default(),
    }
}

/// What a first draw stores everywhere.
fn stores(format: TextureFormat) -> DepthStencilState {
    let face = StencilFaceState {
        compare: CompareFunction::Always,
        fail_op: StencilOperation::Keep,
        depth_fail_op: StencilOperation::Keep,
        pass_op: StencilOperation::Replace,
    };
    state(format, CompareFunction::Always, face)
}

/// What a second draw compares: the reference on the left.
fn compares(format: TextureFormat) -> DepthStencilState {
    let face = StencilFaceState {
        compare: CompareFunction::Less,
        fail_op: StencilOperation::Invert,
        depth_fail_op: StencilOperation::IncrementWrap,
        pass_op: StencilOperation::Replace,
    };
    state(format, CompareFunction::Less, face)
}

/// Whether the second draw draws a pixel, and what it leaves of the stencil value.
fn expected(x: u32, y: u32, has_depth: bool) -> (bool, u32) {
    let (stored, reference) = (x | y << 3, x & 3);
    if y == 7 {
        return (false, stored);
    }
    let equal = reference < stored & 0x0f;
    let near = !has_depth || x < 4;
    let new = match (equal, near) {
        (false, _) => !stored,
        (true, false) => stored + 1,
        (true, true) => reference,
    };
    (equal && near, new & 0x7f)
}

/// Draws both with stencil cleared to 0 and depth to 0.5: colours, and stencil values of pixels with one sample.
fn drawn(harness: &Harness, format: TextureFormat, samples: u32) -> (Vec<u8>, Vec<u8>) {
    let vertex = harness.module(EVERYWHERE);
    let pipelines =
        [(STORES, stores(format)), (COMPARES, compares(format))].map(|(words, depth)| {
            let setup = Setup {
                depth: Some(depth),
                samples,
                ..Setup::format(TextureFormat::R8Unorm)
            };
            harness.words_pipeline(&vertex, words, &setup).unwrap()
        });
    let size = [WIDTH; 2];
    let color = harness.attachment(TextureFormat::R8Unorm, size, samples);
    let resolved = harness.attachment(TextureFormat::R8Unorm, size, 1);
    let tested = harness.attachment(format, size, samples);
    let mut commands = harness.device.create_command_buffer(Some("stencil"));
    for (view, to) in [
        (&color, ImageLayout::ColorAttachment),
        (&resolved, ImageLayout::ColorAttachment),
        (&tested, ImageLayout::DepthStencilAttachment),
    ] {
        let from = ImageLayout::Undefined;
        commands.transition(view.image(), from, to).unwrap();
    }
    for (n, pipeline) in pipelines.iter().enumerate() {
        // The second draw starts from black.
        let resolve = (samples > 1).then_some(Resolve {
            view: &resolved,
            mode: ResolveMode::Average,
        });
        let first = n == 0;
        let depth = match format.has_depth_aspect() {
            true => AspectAccess::Write {
                load: if first {
                    LoadOp::Clear(0.5)
                } else {
                    LoadOp::Load
                },
                store: StoreOp::Store,
            },
            false => AspectAccess::ReadOnly,
        };
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &[Some(ColorAttachment {
                    view: &color,
                    resolve,
                    load: LoadOp::Clear(Color::TRANSPARENT),
                    store: StoreOp::Store,
                })],
                depth_stencil: Some(DepthStencilAttachment {
                    view: &tested,
                    depth,
                    stencil: AspectAccess::Write {
                        load: if first {
                            LoadOp::Clear(0)
                        } else {
                            LoadOp::Load
                        },
                        store: StoreOp::Store,
                    },
                    resolve: None,
                }),
            })
            .unwrap();
        commands.bind_pipeline(pipeline).unwrap();
        // The shader's own value stands for this one.
        commands.set_stencil_reference(0x3e).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
    }
    harness.queue.submit(&[&commands], &[]).unwrap();
    if samples > 1 {
        return (harness.read(&resolved), Vec::new());
    }
    let copy = ImageCopy {
        aspect: TextureAspect::StencilOnly,
        ..ImageCopy::level(tested.image(), 0)
    };
    let image = tested.image();
    let layout = ImageLayout::CopySource;
    harness.queue.transition(image, layout).unwrap();
    let stencils = harness.queue.read_image(&copy, tested.size()).unwrap();
    (harness.read(&color), stencils)
}

#[test]
fn references_are_those_of_the_shader() {
    let mut devices = 0;
    for harness in Harness::each() {
        if !harness.device.features().stencil_export {
            continue;
        }
        devices += 1;
        let gpu = harness.device.physical_device();
        for format in [
            TextureFormat::Depth24PlusStencil8,
            TextureFormat::Depth32FloatStencil8,
            TextureFormat::Stencil8,
        ] {
            for samples in [1, 4] {
                let (colors, stencils) = drawn(&harness, format, samples);
                for n in 0..WIDTH * WIDTH {
                    let (x, y) = (n % WIDTH, n / WIDTH);
                    let (passes, new) = expected(x, y, format.has_depth_aspect());
                    let at = format!("{} {format:?} {samples} {x} {y}", gpu.name());
                    assert_eq!(colors[n as usize], 255 * u8::from(passes), "{at}");
                    if samples == 1 {
                        assert_eq!(u32::from(stencils[n as usize]), new, "{at}");
                    }
                }
            }
        }
    }
    assert_eq!(devices, 2);
}

#[test]
fn other_devices_name_what_is_missing() {
    for harness in Harness::each() {
        let made = harness.words_pipeline(&harness.module(EVERYWHERE), STORES, &Setup::default());
        match harness.device.features().stencil_export {
            true => drop(made.unwrap()),
            false => {
                let error = made.unwrap_err().to_string();
                let what = "a stencil reference of the shader's own";
                assert!(error.contains(what), "{error}");
            }
        }
    }
}
