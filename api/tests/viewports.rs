//! Several viewports that vertices choose among, and stippled lines, on every device.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

fn each(test: impl Fn(&Harness)) {
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().line_modes && gpu.limits().viewports > 1)
    {
        test(&Harness::on(&gpu, None));
    }
}

/// Four instances, each over all of the viewport of its number.
const CHOOSING: &str = "
    struct Out {
        @builtin(position) place: vec4f,
        @location(0) @interpolate(flat) shade: u32,
        @location(7) @interpolate(flat) viewport: u32,
    }
    @vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> Out {
        let place = vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
        return Out(place, n + 1u, n);
    }
    @fragment fn fragment(@builtin(position) p: vec4f, @location(0) @interpolate(flat) shade: u32)
        -> @location(0) vec4u {
        return vec4u(shade, u32(p.z * 16.0), 0u, 1u);
    }";

fn choosing() -> Setup<'static> {
    Setup {
        raster: RasterState {
            viewport_output: Some(7),
            ..RasterState::default()
        },
        ..Setup::format(TextureFormat::Rgba8Uint)
    }
}

fn quarter(n: u32) -> Viewport {
    Viewport {
        x: (n % 2 * 4) as f32,
        y: (n / 2 * 4) as f32,
        width: 4.0,
        height: 4.0,
        min_depth: n as f32 / 4.0,
        max_depth: (n as f32 + 1.0) / 4.0,
    }
}

#[test]
fn instances_go_to_viewports_and_scissors_of_their_own() {
    each(|harness| {
        let setup = choosing();
        let pipeline = harness.pipeline(&setup, CHOOSING);
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.set_viewports(1, &[1, 2, 3].map(quarter)).unwrap();
            commands.set_viewport(quarter(0)).unwrap();
            // Of the last one only the middle.
            let rect = Rect {
                x: 5,
                y: 5,
                width: 2,
                height: 2,
            };
            commands.set_scissors(3, &[rect]).unwrap();
            commands.draw(0..3, 0..4).unwrap();
        });
        let line = |n: usize| &bytes[0][n * 32..(n + 1) * 32];
        let numbers = |n| line(n).iter().step_by(4).copied().collect::<Vec<u8>>();
        assert_eq!(numbers(0), [1, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(numbers(4), [3, 3, 3, 3, 0, 0, 0, 0]);
        assert_eq!(numbers(5), [3, 3, 3, 3, 0, 4, 4, 0]);
        // Half of the range of each.
        let depths = |n| {
            line(n)
                .iter()
                .skip(1)
                .step_by(4)
                .copied()
                .collect::<Vec<u8>>()
        };
        assert_eq!(depths(0), [2, 2, 2, 2, 6, 6, 6, 6]);
        assert_eq!(depths(5), [10, 10, 10, 10, 0, 14, 14, 0]);
    });
}

#[test]
fn pipelines_that_do_not_choose_draw_through_the_first() {
    each(|harness| {
        let setup = Setup::format(TextureFormat::Rgba8Uint);
        let pipeline = harness.pipeline(&setup, CHOOSING);
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.set_viewports(0, &[3, 1].map(quarter)).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        let expected = ["........"; 4].iter().chain(&["....####"; 4]);
        let expected: String = expected.map(|line| format!("{line}\n")).collect();
        assert_eq!(shape(&bytes[0], 8), expected);
    });
}

#[test]
fn the_output_that_chooses_is_one_integer() {
    each(|harness| {
        let refused = |location| {
            let setup = Setup {
                raster: RasterState {
                    viewport_output: Some(location),
                    ..RasterState::default()
                },
                ..choosing()
            };
            let wgsl = CHOOSING.replace("@location(7)", "@location(5) color: vec4f, @location(7)");
            let wgsl = wgsl.replace("n + 1u, n)", "n + 1u, place, n)");
            harness.try_pipeline(&setup, &wgsl).unwrap_err().to_string()
        };
        assert_eq!(
            refused(3),
            "graphics pipeline \"pipeline\": the vertex shader has no output @location(3) to say the viewport"
        );
        assert_eq!(
            refused(5),
            "graphics pipeline \"pipeline\": vertex output @location(5) is vec4<f32>; the number of a viewport is one integer"
        );
    });
}

/// As many viewports as the device says, and no more.
#[test]
fn the_limit_is_real() {
    each(|harness| {
        let limit = harness.device.limits().viewports;
        let setup = Setup {
            size: [limit, 1],
            ..choosing()
        };
        let column = |n: u32| Viewport {
            x: n as f32,
            width: 1.0,
            height: 1.0,
            ..quarter(0)
        };
        let columns: Vec<Viewport> = (0..limit).map(column).collect();
        let pipeline = harness.pipeline(&setup, CHOOSING);
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.set_viewports(0, &columns).unwrap();
            let error = commands.set_viewports(1, &columns).unwrap_err();
            assert_eq!(error.rule(), "command-viewport-index");
            let rect = Rect::default();
            let error = commands.set_scissors(limit, &[rect]).unwrap_err();
            assert_eq!(error.rule(), "command-viewport-index");
            commands.draw(0..3, 0..limit).unwrap();
        });
        let found: Vec<u32> = bytes[0].iter().step_by(4).map(|b| u32::from(*b)).collect();
        assert_eq!(found, (1..=limit).collect::<Vec<u32>>());
    });
}

/// A vertex shader that takes places in pixels of 32 by 8.
fn lines(places: &[[f32; 2]]) -> String {
    let list: Vec<String> = (places.iter())
        .map(|[x, y]| format!("vec2f({x}, {y})"))
        .collect();
    format!(
        "const PLACES = array({});
         @vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
             let p = PLACES[i];
             return vec4f(p.x / 16.0 - 1.0, 1.0 - p.y / 4.0, 0.5, 1.0);
         }}
         @fragment fn fragment() -> @location(0) vec4f {{ return vec4f(1.0); }}",
        list.join(", ")
    )
}

fn stippled(topology: PrimitiveTopology, factor: u16, pattern: u16) -> Setup<'static> {
    Setup {
        size: [32, 8],
        raster: RasterState {
            line_stipple: Some(LineStipple { factor, pattern }),
            ..RasterState::default()
        },
        ..Setup::topology(topology)
    }
}

/// The line of pixels that is drawn to.
fn row(harness: &Harness, setup: &Setup<'_>, places: &[[f32; 2]]) -> String {
    let bytes = harness.draw(setup, &lines(places), places.len() as u32);
    let text = shape(&bytes[0], 32);
    text.lines().nth(3).unwrap().to_owned()
}

#[test]
fn lists_start_anew_and_strips_go_on() {
    each(|harness| {
        use PrimitiveTopology::{LineList, LineStrip};
        let y = 3.5;
        let list = [[1.5, y], [11.5, y], [11.5, y], [31.5, y]];
        assert_eq!(
            row(harness, &stippled(LineList, 2, 0b0101), &list),
            ".##..##....##..##..............."
        );
        let strip = [[1.5, y], [11.5, y], [31.5, y]];
        let setup = stippled(LineStrip, 2, 0b0100_0100_0110_0101);
        assert_eq!(
            row(harness, &setup, &strip),
            ".##..##....####......##......##."
        );
        // Backwards, 256 pixels a bit.
        let back = [[31.5, y], [0.5, y]];
        let bytes = "................................".replace('.', "#");
        let expected = format!(".{}", &bytes[1..]);
        assert_eq!(row(harness, &stippled(LineList, 256, 1), &back), expected);
    });
}

/// A strip of more lines than are set up at a time goes on counting, whatever number of threads draws it. It is a snake
/// of pieces of 1/32 pixel, 33 pixels to the right and 33 to the left, with one pixel down between.
#[test]
fn long_strips_go_on_counting() {
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().line_modes)
    {
        let draw = |threads| {
            let harness = Harness::on(&gpu, Some(threads));
            let setup = stippled(PrimitiveTopology::LineStrip, 3, 0x0f35);
            let wgsl =
                "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
                    let line = i / 1057u;
                    let step = f32(i % 1057u) / 32.0;
                    let x = select(step, 33.0 - step, line % 2u == 1u) + 0.5;
                    return vec4f(x / 16.0 - 1.0, 1.0 - (f32(line) + 0.5) / 4.0, 0.5, 1.0);
                }
                @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
            shape(&harness.draw(&setup, wgsl, 8 * 1057)[0], 32)
        };
        let pixel = |line: u32, x: u32| {
            if (line, x) == (7, 0) {
                // The strip ends inside its diamond.
                return '.';
            }
            let before = if line.is_multiple_of(2) { x } else { 33 - x };
            match 0x0f35 >> ((34 * line + before) / 3 % 16) & 1 {
                0 => '.',
                _ => '#',
            }
        };
        let line = |line| {
            (0..32)
                .map(|x| pixel(line, x))
                .chain(['\n'])
                .collect::<String>()
        };
        let expected: String = (0..8).map(line).collect();
        assert_eq!(draw(1), expected);
        assert_eq!(draw(3), expected);
    }
}

#[test]
fn rectangles_are_cut_across_and_edges_start_anew() {
    each(|harness| {
        let mut setup = stippled(PrimitiveTopology::LineList, 1, 0x5555);
        setup.raster.line_width = 3.0;
        setup.raster.line_mode = LineMode::Rectangular;
        let y = 3.5;
        assert_eq!(
            row(harness, &setup, &[[4.0, y], [12.0, y]]),
            "....#.#.#.#....................."
        );
        // An outline starts with every edge.
        let mut setup = stippled(PrimitiveTopology::TriangleList, 4, 0b0001);
        setup.primitive.polygon_mode = PolygonMode::Line;
        let places = [[0.5, 0.5], [31.5, 0.5], [0.5, 7.5]];
        let bytes = harness.draw(&setup, &lines(&places), 3);
        let text = shape(&bytes[0], 32);
        assert!(
            text.starts_with("####.........................###\n"),
            "{text}"
        );
        let left: String = text.lines().map(|line| &line[..1]).collect();
        assert_eq!(left, "#...####", "{text}");
    });
}
