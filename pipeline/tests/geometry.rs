//! Geometry stages in WGSL: read, kept in order, refused with places, and run directly.
#![allow(clippy::unwrap_used)]

mod geometry_runs;

use geometry_runs::{run, word};
use pipeline::ir::{Op, OutputBuiltin, Stage, parse as parse_ir, print, verify};
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::wgsl::{self, Source};
use pipeline::{ir, lower};

/// What every stage here takes and gives.
const TYPES: &str = "
enable primitive_index;
struct VsOut { @builtin(position) pos: vec4f, @location(0) col: vec4f }
struct GsOut { @builtin(position) pos: vec4f, @location(0) col: vec4f, @location(1) @interpolate(flat) id: u32 }
struct GsSys { @builtin(primitive_index) prim: u32, invocation: u32 }
fn emit_vertex(v: GsOut) {}
fn end_primitive() {}
";

fn checked(body: &str) -> wgsl::CheckedModule {
    let text = format!("{TYPES}{body}");
    wgsl::parse(Source::Wgsl(&text)).unwrap()
}

fn stage(body: &str) -> ir::Function {
    lowered(
        &checked(body),
        Some("gs_main"),
        Some(Stage::Geometry),
        &Overrides::new(),
    )
    .unwrap()
}

fn refused(body: &str, entry: &str, stage: Stage) -> String {
    lower::lower(&checked(body), Some(entry), Some(stage), &Overrides::new())
        .unwrap_err()
        .to_string()
}

const COPY: &str = "
const gs_main_max_vertices: u32 = 3u;
fn gs_main(in: array<VsOut, 3>, sys: GsSys) {
    for (var i = 0u; i < 3u; i++) { emit_vertex(GsOut(in[i].pos, in[i].col, sys.prim)); }
    end_primitive();
}
";

/// Up to four copies of a line, as many as the number of the primitive says, each on another layer.
const GROW: &str = "
struct Layered { layer: u32, @location(3) at: vec2f, @builtin(position) pos: vec4f }
fn grow_emit_vertex(v: Layered) {}
const grow_max_vertices: i32 = 5;
fn point(v: VsOut, copy: u32) -> Layered { return Layered(copy, v.col.xy, v.pos * f32(copy + 1u)); }
fn grow(sys: GsSys, line: array<VsOut, 2>) {
    for (var copy = 0u; copy < sys.prim % 4u; copy++) {
        grow_emit_vertex(point(line[0], copy));
        if copy == 2u { continue; }
        grow_emit_vertex(point(line[1], sys.invocation));
        end_primitive();
    }
}
";

#[test]
fn a_stage_is_an_entry_point_of_its_module() {
    let module = checked(&format!("{COPY}{GROW}"));
    let points: Vec<_> = module.entry_points().collect();
    let wanted = [
        ("gs_main", Some(Stage::Geometry)),
        ("grow", Some(Stage::Geometry)),
    ];
    assert_eq!(points, wanted);
    let none = lower::lower(&module, None, Some(Stage::Geometry), &Overrides::new());
    assert!(none.unwrap_err().to_string().contains("name one of"));
}

#[test]
fn the_interface_says_what_is_emitted() {
    let function = stage(COPY);
    assert_eq!(function.stage, Stage::Geometry);
    let interface = &function.interface;
    let geometry = interface.geometry.as_ref().unwrap();
    assert_eq!((geometry.vertices, geometry.max_vertices), (3, 3));
    assert_eq!(geometry.builtins, [OutputBuiltin::Position]);
    let locations = |of: &[ir::Varying]| of.iter().map(|v| v.location).collect::<Vec<_>>();
    assert_eq!(locations(&interface.inputs), [0]);
    assert_eq!(locations(&interface.outputs), [0, 1]);
    assert_eq!(interface.outputs[1].interpolation, ir::Interpolation::Flat);
    assert_eq!(interface.emitted_words(), 9);
    // The loop of known length is three vertices with known numbers.
    let emits = function.insts().filter(|inst| inst.op == Op::EmitVertex);
    assert_eq!(emits.count(), 3);
    let ends = function.insts().filter(|inst| inst.op == Op::EndPrimitive);
    assert_eq!(ends.count(), 1);
}

#[test]
fn the_text_of_a_stage_reads_back() {
    for body in [COPY, &format!("{GROW}{}", COPY)] {
        let module = checked(body);
        for (name, _) in module.entry_points() {
            let function = lower::lower(&module, Some(name), None, &Overrides::new()).unwrap();
            let text = print(&function);
            let again = parse_ir(&text).unwrap();
            assert_eq!(verify(&again), Ok(()), "{text}");
            assert_eq!(print(&again), text);
        }
    }
}

#[test]
fn a_copy_gives_the_vertices_in_order() {
    for (lane, emitted) in run(&stage(COPY)).iter().enumerate() {
        let mut wanted = Vec::new();
        for vertex in 0..3 {
            let of = |input, n| word(lane, vertex, input, n).to_bits();
            let position = (0..4).map(|n| of(None, n));
            let color = (0..4).map(|n| of(Some(0), n));
            wanted.push(Some(
                position
                    .chain(color)
                    .chain([lane as u32])
                    .collect::<Vec<_>>(),
            ));
        }
        wanted.push(None);
        assert_eq!(*emitted, wanted, "lane {lane}");
    }
}

#[test]
fn lanes_emit_as_many_as_they_like_up_to_the_most() {
    let module = checked(GROW);
    let function = lowered(&module, Some("grow"), None, &Overrides::new()).unwrap();
    for (lane, emitted) in run(&function).iter().enumerate() {
        let mut wanted: Vec<Option<Vec<u32>>> = Vec::new();
        for copy in 0..lane as u32 % 4 {
            for (vertex, number) in [(0, copy), (1, 7)] {
                let position = |n| (word(lane, vertex, None, n) * (number + 1) as f32).to_bits();
                let mut words = vec![number];
                words.extend((0..4).map(position));
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
fn vertices_beyond_the_most_are_dropped() {
    let body = "
const gs_main_max_vertices: u32 = 2u;
fn gs_main(in: array<VsOut, 1>, sys: GsSys) {
    for (var i = 0u; i < sys.prim; i++) { emit_vertex(GsOut(in[0].pos, in[0].col, i)); }
}";
    for (lane, emitted) in run(&stage(body)).iter().enumerate() {
        assert_eq!(emitted.len(), lane.min(2));
    }
}

#[test]
fn what_cannot_be_has_its_place() {
    let max = "const gs_main_max_vertices: u32 = 3u;\n";
    let gs = |rest: &str| refused(&format!("{max}{rest}"), "gs_main", Stage::Geometry);
    let vertices = gs("fn gs_main(in: array<VsOut, 5>) { emit_vertex(GsOut()); }");
    assert!(vertices.contains("5 vertices"), "{vertices}");
    assert!(vertices.contains("line 9"), "{vertices}");
    let many = gs("fn gs_main(in: array<VsOut, 3>) {
        emit_vertex(GsOut()); emit_vertex(GsOut()); emit_vertex(GsOut());
        emit_vertex(GsOut());
    }");
    assert!(many.contains('4') && many.contains("line 11"), "{many}");
    let none = gs("fn gs_main(v: GsSys) {}");
    assert!(none.contains("an array of vertices"), "{none}");
    let returns = gs("fn gs_main(in: array<VsOut, 3>) -> u32 { return 1u; }");
    assert!(returns.contains("returns nothing"), "{returns}");
    let plain = gs("struct Bare { x: vec4f }\nfn gs_main(in: array<Bare, 3>) { }");
    assert!(
        plain.contains("`x` of a vertex has no attribute"),
        "{plain}"
    );
    let words = refused(
        "const gs_main_max_vertices: u32 = 200u;
fn gs_main(in: array<VsOut, 3>) { emit_vertex(GsOut()); }",
        "gs_main",
        Stage::Geometry,
    );
    assert!(words.contains("1800") && words.contains("1024"), "{words}");
    let zero = refused(
        "const gs_main_max_vertices: u32 = 0u;
fn gs_main(in: array<VsOut, 3>) { }",
        "gs_main",
        Stage::Geometry,
    );
    assert!(zero.contains("0 vertices"), "{zero}");
    let outside = refused(
        &format!("{COPY}\n@compute @workgroup_size(1) fn cs() {{\n emit_vertex(GsOut()); }}"),
        "cs",
        Stage::Compute,
    );
    assert!(outside.contains("outside a geometry stage"), "{outside}");
    assert!(outside.contains("line"), "{outside}");
}

#[test]
fn chips_name_the_stage_that_they_lack() {
    let function = stage(COPY);
    for target in pipeline::targets::TARGETS {
        if target.info.features.geometry {
            assert!(
                !(target.compile)(&function, &Default::default())
                    .unwrap()
                    .words
                    .is_empty()
            );
            continue;
        }
        let error = (target.compile)(&function, &Default::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("the geometry stage"), "{text}");
        assert!(text.contains(target.info.name), "{text}");
    }
}
