//! Geometry shaders in SPIR-V: their pictures are those of plain draws, and what stages behind them take goes through them.
#![allow(clippy::unwrap_used)]

mod harness;
mod scattered;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup};
use scattered::{SCATTERED, copies_draw_the_same};

/// A device of every chip with the stage.
fn devices() -> impl Iterator<Item = Harness> {
    let integers = |harness: &Harness| harness.device.features().integers;
    Harness::all().filter(move |harness| harness.device.features().geometry && integers(harness))
}

fn stage(module: &ShaderModule) -> ShaderStage<'_> {
    ShaderStage {
        module,
        entry: None,
        constants: &[],
    }
}

/// A pipeline with a geometry shader, or without.
fn pipeline(
    harness: &Harness,
    setup: &Setup<'_>,
    [vertex, fragment]: [&ShaderModule; 2],
    geometry: Option<(&ShaderModule, GeometryOutput, u32)>,
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let targets: Vec<_> = setup.targets.iter().cloned().map(Some).collect();
    harness
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            geometry: geometry.map(|(module, output, invocations)| GeometryStage {
                invocations,
                ..GeometryStage::new(stage(module), output)
            }),
            fragment: Some(stage(fragment)),
            targets: &targets,
            primitive: setup.primitive,
            raster: setup.raster,
            ..GraphicsPipelineDescriptor::new(stage(vertex))
        })
}

fn draw(harness: &Harness, setup: &Setup<'_>, made: &GraphicsPipeline, count: u32) -> Vec<u8> {
    let drawn = harness.record(setup, |commands| {
        commands.bind_pipeline(made).unwrap();
        commands.draw(0..count, 0..1).unwrap();
    });
    drawn[0].clone()
}

#[test]
fn copies_of_primitives_draw_what_they_do() {
    let modules = [
        include_bytes!("spirv/copy_points.geom.spv").as_slice(),
        include_bytes!("spirv/copy_lines.geom.spv").as_slice(),
        include_bytes!("spirv/copy_triangles.geom.spv").as_slice(),
    ];
    for harness in devices() {
        let text = harness.module(SCATTERED);
        copies_draw_the_same(|setup, copies_of| {
            let words = copies_of.map(|(n, _)| harness.words(modules[n as usize - 1]));
            let output = copies_of.map(|(_, output)| output);
            let geometry = words.as_ref().zip(output);
            let geometry = geometry.map(|(words, output)| (words, output, 1));
            let made = pipeline(&harness, setup, [&text, &text], geometry).unwrap();
            draw(&harness, setup, &made, 200)
        });
    }
}

#[test]
fn distances_go_through() {
    for harness in devices() {
        let setup = Setup::default();
        let vertex = harness.words(include_bytes!("spirv/distances.vert.spv"));
        let geometry = harness.words(include_bytes!("spirv/distances.geom.spv"));
        let fragment = harness.words(include_bytes!("spirv/distances.frag.spv"));
        let stages = [&vertex, &fragment];
        let plain = pipeline(&harness, &setup, stages, None).unwrap();
        let through = (&geometry, GeometryOutput::TriangleStrip, 1);
        let through = pipeline(&harness, &setup, stages, Some(through)).unwrap();
        for cull in [[1.0_f32, -1.0, -1.0], [-1.0, -0.5, -2.0]] {
            let drawn = [&plain, &through].map(|made| {
                harness.record(&setup, |commands| {
                    commands.bind_pipeline(made).unwrap();
                    for (at, distance) in (0..).zip(cull) {
                        let bytes = distance.to_le_bytes();
                        commands.push_constants(4 * at, &bytes).unwrap();
                    }
                    commands.draw(0..3, 0..1).unwrap();
                })
            });
            assert!(drawn[0] == drawn[1], "{cull:?}");
            let seen = drawn[0][0].iter().any(|byte| *byte != 0);
            assert_eq!(seen, cull[0] > 0.0, "{cull:?}");
        }
    }
}

#[test]
fn viewports_and_numbers_are_the_geometry_shaders() {
    for harness in devices() {
        let setup = Setup::format(TextureFormat::Rgba8Uint);
        let vertex = harness.module(EVERYWHERE);
        let geometry = harness.words(include_bytes!("spirv/viewport.geom.spv"));
        let fragment = harness.words(include_bytes!("spirv/numbered.frag.spv"));
        let emits = (&geometry, GeometryOutput::TriangleStrip, 4);
        let made = pipeline(&harness, &setup, [&vertex, &fragment], Some(emits)).unwrap();
        let drawn = harness.record(&setup, |commands| {
            commands.bind_pipeline(&made).unwrap();
            let quarter = |n: u32| Viewport {
                x: (n % 2 * 4) as f32,
                y: (n / 2 * 4) as f32,
                width: 4.0,
                height: 4.0,
                min_depth: 0.0,
                max_depth: 1.0,
            };
            commands
                .set_viewports(0, &[0, 1, 2, 3].map(quarter))
                .unwrap();
            // The second instance's primitive is drawn over the first's.
            commands.draw(0..3, 0..2).unwrap();
        });
        for (n, pixel) in drawn[0].chunks(4).enumerate() {
            let quarter = (n % 8 / 4 + n / 32 * 2) as u8;
            assert_eq!(pixel[0], quarter + 1, "{n}");
            assert_eq!(pixel[1] % 10, quarter, "{n}");
        }
    }
}

#[test]
fn what_the_pipeline_says_is_what_the_module_says() {
    for harness in devices() {
        let setup = Setup::default();
        let text = harness.module(SCATTERED);
        let words = harness.words(include_bytes!("spirv/copy_triangles.geom.spv"));
        let interface = words.interface(None, None, &[]).unwrap();
        let said = ShaderGeometry {
            vertices: 3,
            max_vertices: 3,
            declared: Some((GeometryOutput::TriangleStrip, 1)),
        };
        assert_eq!(interface.geometry, Some(said));
        let refused = |output, invocations, setup: &Setup<'_>| {
            let geometry = (&words, output, invocations);
            let made = pipeline(&harness, setup, [&text, &text], Some(geometry));
            made.unwrap_err().to_string()
        };
        let output = refused(GeometryOutput::Points, 1, &setup);
        assert!(output.contains("emits triangle-strip"), "{output}");
        assert!(output.contains("says points"), "{output}");
        let often = refused(GeometryOutput::TriangleStrip, 2, &setup);
        assert!(often.contains("declares 1 invocations"), "{often}");
        let lines = Setup::topology(PrimitiveTopology::LineList);
        let lines = refused(GeometryOutput::TriangleStrip, 1, &lines);
        assert!(lines.contains("primitives of 3 vertices"), "{lines}");
    }
}
