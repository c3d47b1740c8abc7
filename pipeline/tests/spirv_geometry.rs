//! Geometry stages of SPIR-V: read, run directly, refused with their instructions. Sources are in `spirv/geometry`.
#![allow(clippy::unwrap_used)]

mod geometry_runs;

use geometry_runs::{run, word};
use pipeline::ir::{self, OutputBuiltin, POINT_SIZE, PRIMITIVE_INDEX, Primitives, Stage};
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::state::GeometryOutput;
use pipeline::wgsl::{Source, parse};

const COPY: &[u8] = include_bytes!("spirv/geometry/copy.geom.spv");
const GROW: &[u8] = include_bytes!("spirv/geometry/grow.geom.spv");
const BUILTINS: &[u8] = include_bytes!("spirv/geometry/builtins.geom.spv");
const STREAM: &[u8] = include_bytes!("spirv/geometry/stream.spv");

fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.as_chunks().0.iter();
    words.map(|word| u32::from_le_bytes(*word)).collect()
}

fn try_stage(words: &[u32], overrides: &Overrides) -> Result<ir::Function, String> {
    let module = parse(Source::Spirv(words)).map_err(|error| error.to_string())?;
    lowered(&module, None, Some(Stage::Geometry), overrides).map_err(|error| error.to_string())
}

fn stage(bytes: &[u8]) -> ir::Function {
    let function = try_stage(&words(bytes), &Overrides::new()).unwrap();
    assert_eq!(ir::verify(&function), Ok(()));
    let again = ir::parse(&ir::print(&function)).unwrap();
    assert_eq!(ir::print(&again), ir::print(&function));
    function
}

#[test]
fn the_module_says_what_it_takes_and_makes() {
    let geometry = |bytes| stage(bytes).interface.geometry.unwrap();
    let copy = geometry(COPY);
    assert_eq!((copy.vertices, copy.max_vertices), (3, 3));
    let makes = |output, invocations| {
        Some(Primitives {
            output,
            invocations,
        })
    };
    assert_eq!(copy.declared, makes(GeometryOutput::TriangleStrip, 1));
    let grow = geometry(GROW);
    assert_eq!((grow.vertices, grow.max_vertices), (2, 5));
    assert_eq!(grow.declared, makes(GeometryOutput::LineStrip, 8));
    assert_eq!(
        geometry(BUILTINS).declared,
        makes(GeometryOutput::Points, 1)
    );
}

#[test]
fn a_copy_gives_the_vertices_in_order() {
    for (lane, emitted) in run(&stage(COPY)).iter().enumerate() {
        let mut wanted = Vec::new();
        for vertex in 0..3 {
            let of = |input, n| word(lane, vertex, input, n).to_bits();
            let position = (0..4).map(|n| of(None, n));
            let color = (0..4).map(|n| of(Some(0), n));
            let words = position.chain(color).chain([lane as u32]);
            wanted.push(Some(words.collect::<Vec<_>>()));
        }
        wanted.push(None);
        assert_eq!(*emitted, wanted, "lane {lane}");
    }
}

#[test]
fn functions_and_loops_emit_as_many_as_they_like() {
    let function = stage(GROW);
    let builtins = &function.interface.geometry.as_ref().unwrap().builtins;
    let at = |wanted| builtins.iter().position(|builtin| *builtin == wanted);
    let layer_first = at(OutputBuiltin::Layer) < at(OutputBuiltin::Position);
    for (lane, emitted) in run(&function).iter().enumerate() {
        let mut wanted: Vec<Option<Vec<u32>>> = Vec::new();
        for copy in 0..lane as u32 % 4 {
            for (vertex, number) in [(0, copy), (1, 7)] {
                let position = |n| (word(lane, vertex, None, n) * (number + 1) as f32).to_bits();
                let mut words: Vec<u32> = (0..4).map(position).collect();
                match layer_first {
                    true => words.insert(0, number),
                    false => words.push(number),
                }
                words.extend((0..2).map(|n| word(lane, vertex, Some(0), n).to_bits()));
                wanted.push(Some(words));
                if copy == 2 {
                    break;
                }
                if vertex == 1 {
                    wanted.push(None);
                }
            }
        }
        assert_eq!(*emitted, wanted, "lane {lane}");
    }
}

#[test]
fn vertices_have_all_that_they_can_have() {
    let function = stage(BUILTINS);
    let interface = &function.interface;
    let inputs: Vec<u32> = interface.inputs.iter().map(|v| v.location).collect();
    let clip = ir::CLIP_DISTANCES;
    let cull = ir::CULL_DISTANCES;
    assert_eq!(inputs, [2, 3, 4, 5, POINT_SIZE, clip, clip + 1, cull]);
    let outputs: Vec<u32> = interface.outputs.iter().map(|v| v.location).collect();
    assert_eq!(outputs, [0, 1, PRIMITIVE_INDEX]);
    assert_eq!(interface.cull_distances, 1 << 2);
    let builtins = interface.geometry.clone().unwrap().builtins;
    assert_eq!(builtins.len(), 6);
    for (lane, emitted) in run(&function).iter().enumerate() {
        assert_eq!(emitted.len(), 6);
        for (vertex, found) in (0..6).rev().zip(emitted) {
            let of = |input, n| word(lane, vertex, input, n).to_bits();
            let mut wanted = Vec::new();
            for builtin in &builtins {
                match builtin {
                    OutputBuiltin::Position => wanted.extend((0..4).map(|n| of(None, n))),
                    OutputBuiltin::PointSize => wanted.push(of(Some(4), 0)),
                    OutputBuiltin::ClipDistance(0) => wanted.push(of(Some(6), 0)),
                    OutputBuiltin::ClipDistance(1) => wanted.push(of(Some(5), vertex % 4)),
                    OutputBuiltin::ClipDistance(2) => wanted.push(of(Some(7), 0)),
                    OutputBuiltin::Viewport => wanted.push(vertex),
                    other => unreachable!("{other:?}"),
                }
            }
            wanted.extend([
                of(Some(0), 1),
                of(Some(0), 2),
                of(Some(2), 0),
                of(Some(2), 1),
            ]);
            wanted.extend([(of(Some(3), 0) as i32 as f32).to_bits(); 4]);
            wanted.push(lane as u32 + 100);
            assert_eq!(*found, Some(wanted), "lane {lane}, vertex {vertex}");
        }
    }
}

#[test]
fn streams_are_the_first() {
    for (lane, emitted) in run(&stage(STREAM)).iter().enumerate() {
        let position = |sign: f32| {
            Some(
                (0..4)
                    .map(|n| (sign * word(lane, 0, None, n)).to_bits())
                    .collect(),
            )
        };
        assert_eq!(
            *emitted,
            [position(1.0), None, position(-1.0)],
            "lane {lane}"
        );
    }
    let second = Overrides::from([("0".to_owned(), 1.0)]);
    let error = try_stage(&words(STREAM), &second).unwrap_err();
    assert!(error.contains("vertices of stream 1"), "{error}");
    assert!(error.contains("OpEmitStreamVertex"), "{error}");
}

/// The words of a module without the instructions, or with others in their place.
fn edited(bytes: &[u8], mut edit: impl FnMut(&mut Vec<u32>)) -> String {
    let words = words(bytes);
    let mut all = words[..5].to_vec();
    let mut at = 5;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        let mut inst = words[at..at + length].to_vec();
        edit(&mut inst);
        all.extend(inst);
        at += length;
    }
    try_stage(&all, &Overrides::new()).unwrap_err()
}

#[test]
fn what_cannot_be_is_refused() {
    const MODE: u32 = 16;
    const OUTPUT_VERTICES: u32 = 26;
    const TRIANGLES: u32 = 22;
    const LINES: u32 = 20;
    let is_mode = |inst: &[u32], mode| inst[0] & 0xffff == MODE && inst[2] == mode;
    let none = edited(COPY, |inst| {
        if is_mode(inst, OUTPUT_VERTICES) {
            inst.clear();
        }
    });
    assert!(none.contains("OutputVertices"), "{none}");
    let many = |count| {
        edited(COPY, |inst| {
            if is_mode(inst, OUTPUT_VERTICES) {
                inst[3] = count;
            }
        })
    };
    assert!(many(0).contains("0 vertices at most"), "{}", many(0));
    assert!(many(257).contains("257 vertices at most"), "{}", many(257));
    let words = many(200);
    assert!(words.contains("1800") && words.contains("1024"), "{words}");
    let lines = edited(COPY, |inst| {
        if is_mode(inst, TRIANGLES) {
            inst[2] = LINES;
        }
    });
    assert!(lines.contains("3 vertices, primitives have 2"), "{lines}");
    let straight = edited(STREAM, |inst| {
        if is_mode(inst, OUTPUT_VERTICES) {
            inst[3] = 1;
        }
    });
    assert!(
        straight.contains("vertices of a geometry stage"),
        "{straight}"
    );
}

#[test]
fn emission_belongs_to_geometry_stages() {
    let fragment = include_bytes!("spirv/plain.vert.spv");
    let mut all = words(fragment);
    // Before the first return.
    let mut at = 5;
    while all[at] & 0xffff != 253 {
        at += (all[at] >> 16) as usize;
    }
    all.insert(at, 1 << 16 | 218);
    let module = parse(Source::Spirv(&all)).unwrap();
    let error = lowered(&module, None, Some(Stage::Vertex), &Overrides::new()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("only geometry shaders emit"), "{error}");
}
