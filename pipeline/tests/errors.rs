//! One shader that breaks each rule, and what is said about it.
#![allow(clippy::unwrap_used)]

use pipeline::ShaderError;
use pipeline::codegen::Options;
use pipeline::ir::Stage;
use pipeline::layout::{DescriptorBytes, DescriptorKind, PipelineLayout, SetBinding, SetLayout};
use pipeline::lower::{Overrides, lower};
use pipeline::passes::lowered;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{self, Source};

fn compile_with(text: &str, name: Option<&str>, overrides: &[(&str, f64)]) -> ShaderError {
    let overrides: Overrides = overrides
        .iter()
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect();
    match wgsl::parse(Source::Wgsl(text)) {
        Err(error) => error,
        Ok(checked) => lower(&checked, name, None, &overrides).unwrap_err(),
    }
}

/// The rule, the line and column, and a part of the message.
fn check(text: &str, rule: &str, place: Option<(u32, u32)>, message: &str) {
    let error = compile_with(text, None, &[]);
    assert_eq!(error.rule(), rule, "{error}");
    assert_eq!(
        error.location().map(|l| (l.line, l.column)),
        place,
        "{error}"
    );
    assert!(error.to_string().contains(message), "{error}");
}

const FS: &str = "@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }";

#[test]
fn syntax() {
    check(
        "@fragment fn fs() {\n    let x = ;\n}",
        "shader-syntax",
        Some((2, 13)),
        "expected expression",
    );
    check("fn f( {}", "shader-syntax", Some((1, 7)), "expected");
}

#[test]
fn meaning() {
    check(
        "@fragment fn fs() -> @location(0) vec4f {\n    let x: f32 = 1u;\n    return vec4f(x);\n}",
        "shader-invalid",
        Some((2, 9)),
        "f32",
    );
    check(
        "@fragment fn fs() { nothing(); }",
        "shader-invalid",
        Some((1, 21)),
        "nothing",
    );
    // Found by validation, not by the parser.
    check(
        "@fragment fn fs(@builtin(vertex_index) n: u32) {}",
        "shader-invalid",
        None,
        "VertexIndex is not available",
    );
    check(
        "fn f() -> u32 { return f(); }\n@fragment fn fs() { _ = f(); }",
        "shader-invalid",
        Some((1, 4)),
        "recursive",
    );
}

#[test]
fn entry_points() {
    let error = compile_with(FS, Some("other"), &[]);
    assert_eq!(error.rule(), "shader-entry-point");
    assert!(
        error
            .to_string()
            .contains("`other`; it has `fs` (fragment)"),
        "{error}"
    );
    check("fn f() {}", "shader-entry-point", None, "it has none");
    check(
        "@fragment fn a() {} @fragment fn b() {}",
        "shader-entry-point-unnamed",
        None,
        "`a` (fragment), `b` (fragment)",
    );
    let checked = wgsl::parse(Source::Wgsl(FS)).unwrap();
    let error = lower(&checked, None, Some(Stage::Vertex), &Overrides::new()).unwrap_err();
    assert!(
        error.to_string().contains("no vertex entry point"),
        "{error}"
    );
}

/// Parts of the text and names of types, never numbers of naga's.
#[test]
fn validation_speaks_of_the_text() {
    for (text, place, message) in [
        (
            "@fragment fn fs() -> @location(0) vec4f { return vec2f(1.0); }",
            Some((1, 50)),
            "`vec2f(1.0)` is returned, but the function returns `vec4<f32>`",
        ),
        (
            "fn f() -> f32 { return; }",
            Some((1, 17)),
            "nothing is returned, but the function returns `f32`",
        ),
        (
            "fn f(a: vec3f, b: vec2f) -> vec3f { return a + b; }",
            Some((1, 44)),
            "`vec3<f32>`",
        ),
        (
            "fn f(a: f32) -> f32 { return a; }\nfn g() { _ = f(vec2f(1.0)); }",
            Some((2, 16)),
            "argument 0, `vec2f(1.0)`, is not of type `f32`",
        ),
        (
            "fn f() { var a = 1.0; a = vec2f(2.0); }",
            Some((1, 27)),
            "`vec2f(2.0)` cannot be stored to",
        ),
        (
            "@fragment fn fs(@location(0) a: mat2x2f) {}",
            None,
            "`mat2x2<f32>`",
        ),
        (
            "var<uniform> u: f32; @fragment fn fs() { _ = u; }",
            Some((1, 1)),
            "u",
        ),
    ] {
        let error = compile_with(text, None, &[]);
        let shown = error.to_string();
        assert_eq!(error.rule(), "shader-invalid", "{error}");
        assert!(shown.contains(message), "{error}");
        for number in ["Some(", "[0]", "[1]", "[2]", "[3]", "[4]", "Scalar {"] {
            assert!(!shown.contains(number), "{error}");
        }
        let found = error.location().map(|at| (at.line, at.column));
        assert_eq!(found, place, "{error}");
    }
}

#[test]
fn sixteen_bits_are_shown() {
    for (text, line) in [
        (
            "enable wgpu_int16;\n@fragment fn fs(@location(0) @interpolate(flat) a: i16) {}",
            2,
        ),
        (
            "enable wgpu_int16;\n@fragment fn fs() ->\n @location(0) vec4<i16> { return vec4<i16>(); }",
            3,
        ),
        (
            "enable wgpu_int16;\nstruct V {\n@location(1) a: f32,\n@location(0) @interpolate(flat) b: vec2<i16> }\n@fragment fn fs(v: V) {}",
            4,
        ),
        (
            "enable wgpu_int16;\n@group(0) @binding(0) var<uniform> u: i16;\n@fragment fn fs() { _ = u; }",
            2,
        ),
        (
            "enable wgpu_int16;\nstruct U { a: vec4<i16> }\n@group(0) @binding(0) var<uniform> u: U;\n@fragment fn fs() { _ = u.a; }",
            2,
        ),
        (
            "enable wgpu_int16;\n@fragment fn fs(@location(0) @interpolate(flat) x: i32) {\n let a = i16(x); }",
            3,
        ),
        ("enable wgpu_int16;\n@fragment fn fs() {\n var a: i16; }", 3),
        (
            "enable wgpu_int16;\n@fragment fn fs() {\n var a: array<i16, 3>; }",
            3,
        ),
        (
            "enable wgpu_int16;\nfn f(a: i16) {}\n@fragment fn fs() {\n f(i16(1)); }",
            4,
        ),
        (
            "enable wgpu_int16;\noverride c: i16 = i16(1);\n@fragment fn fs() -> @location(0) vec4f {\n return vec4f(f32(c)); }",
            2,
        ),
        (
            "enable wgpu_int16;\nvar<private> c: i16;\n@fragment fn fs() { c = i16(1); }",
            2,
        ),
        ("@fragment fn fs() {\n let a = 1.0h; }", 2),
    ] {
        let error = compile_with(text, None, &[]);
        assert!(
            error.to_string().contains(if text.starts_with("enable") {
                "i16"
            } else {
                "f16"
            }),
            "{error}"
        );
        assert_eq!(
            error.location().map(|at| at.line),
            Some(line),
            "{text}: {error}"
        );
    }
}

#[test]
fn texel_offsets() {
    let text = |offset: i32| {
        format!(
            "@group(0) @binding(0) var t: texture_2d<f32>;
            @group(0) @binding(1) var s: sampler;
            @fragment fn fs(@location(0) uv: vec2f) -> @location(0) vec4f {{
                return textureSample(t, s, uv, vec2i(0, {offset}));
            }}"
        )
    };
    for offset in [-9, 8, 15, 16, 25, 1000] {
        let message = "a texel offset that is no constant from -8 to 7";
        check(&text(offset), "shader-unsupported", Some((4, 48)), message);
    }
    for offset in [-8, 7] {
        let checked = wgsl::parse(Source::Wgsl(&text(offset))).unwrap();
        let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
        for target in TARGETS
            .iter()
            .filter(|target| target.info.features.integers)
        {
            (target.compile)(&function, &Options::default()).unwrap();
        }
    }
}

/// Declared and named, but not read: no part of the interface.
#[test]
fn unread_variables_cost_nothing() {
    let glsl = "#version 450\nlayout(push_constant) uniform P { vec4 a; float b[7]; } p;\n\
        float unused[4];\nlayout(location = 0) out vec4 color;\n\
        vec4 f() { return p.a; }\nvoid main() { color = vec4(1.0); }";
    let stage = Stage::Fragment;
    let sources = [
        Source::Glsl { text: glsl, stage },
        Source::Wgsl(
            "var<immediate> p: vec4f; var<private> q: array<f32, 9>;
            fn f() -> vec4f { return p; }
            @fragment fn fs() -> @location(0) vec4f { _ = &q; return vec4f(1.0); }",
        ),
    ];
    for source in sources {
        let checked = wgsl::parse(source).unwrap_or_else(|error| panic!("{error}"));
        let function = lowered(&checked, None, None, &Overrides::new());
        let function = function.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(function.interface.push_constant_bytes, 0);
        for target in TARGETS
            .iter()
            .filter(|target| target.info.features.integers)
        {
            (target.compile)(&function, &Options::default()).unwrap();
        }
    }
}

#[test]
fn unsupported_features() {
    let body = |head: &str, body: &str| {
        format!(
            "{head}\n@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{\n    {body}\n}}"
        )
    };
    let cases = [
        (
            "enable wgpu_int16;",
            "let h = vec4<i16>(a); return vec4f(h);",
            "i16",
        ),
        (
            "",
            "let d = f64(a.x) * f64(2.0); return vec4f(f32(d));",
            "f64",
        ),
        ("", "let n = u64(a.x) * 3lu; return vec4f(f32(n));", "u64"),
        (
            "@group(0) @binding(0) var t: texture_external; @group(0) @binding(1) var s: sampler;",
            "return textureSampleBaseClampToEdge(t, s, a.xy);",
            "external",
        ),
    ];
    for (head, text, feature) in cases {
        let error = compile_with(&body(head, text), None, &[]);
        assert_eq!(error.rule(), "shader-unsupported", "{error}");
        assert!(error.to_string().contains(feature), "{error}");
        assert!(error.location().is_some(), "{error}");
    }
}

#[test]
fn overrides() {
    let text = "override a: u32; @id(3) override b: f32 = 1.0;
        @fragment fn fs() -> @location(0) vec4f { return vec4f(f32(a) + b); }";
    let error = compile_with(text, None, &[]);
    assert_eq!(error.rule(), "shader-override-missing");
    assert_eq!(error.location().map(|l| l.line), Some(1));
    let error = compile_with(text, None, &[("a", 1.0), ("c", 1.0)]);
    assert_eq!(error.rule(), "shader-override-unknown");
    assert!(error.to_string().contains("it has a, 3"), "{error}");
    for value in [-1.0, 4294967296.0, f64::NAN] {
        let error = compile_with(text, None, &[("a", value)]);
        assert_eq!(error.rule(), "shader-override-range", "{error}");
    }
    let error = compile_with(text, None, &[("a", 1.0), ("3", 1e300)]);
    assert_eq!(error.rule(), "shader-override-range", "{error}");
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let given = [("a".to_owned(), 2.0), ("3".to_owned(), 0.5)].into();
    let function = lower(&checked, None, None, &given).unwrap();
    assert!(
        pipeline::ir::print(&function).contains("const 0x40200000"),
        "2.5"
    );
}

#[test]
fn size() {
    // Each function calls the one before twice: nothing but a limit ends that.
    let mut text = "fn f0(x: f32) -> f32 { return sin(x) * 1.5 + cos(x); }\n".to_owned();
    for n in 1..30 {
        let m = n - 1;
        text += &format!("fn f{n}(x: f32) -> f32 {{ return f{m}(x) + f{m}(x * 2.0); }}\n");
    }
    text += "@fragment fn fs(@location(0) x: f32) -> @location(0) vec4f { return vec4f(f29(x)); }";
    let error = compile_with(&text, None, &[]);
    assert_eq!(error.rule(), "shader-too-large", "{error}");
    assert!(error.location().is_some(), "{error}");
    let mut text = "fn g0(x: f32) -> f32 { return x; }\n".to_owned();
    for n in 1..100 {
        text += &format!("fn g{n}(x: f32) -> f32 {{ return g{}(x) + 1.0; }}\n", n - 1);
    }
    text += "@fragment fn fs(@location(0) x: f32) -> @location(0) vec4f { return vec4f(g99(x)); }";
    let error = compile_with(&text, None, &[]);
    assert!(error.to_string().contains("calls inside calls"), "{error}");
    let text = "@fragment fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4u {
        var a: array<u32, 1000000>; a[n] = 1; return vec4u(a[n + 1]); }";
    let error = compile_with(text, None, &[]);
    assert!(error.to_string().contains("words in one value"), "{error}");
}

#[test]
fn spirv() {
    let parse = |words: &[u32]| wgsl::parse(Source::Spirv(words)).unwrap_err();
    assert!(parse(&[]).to_string().contains("there are no words"));
    assert!(
        parse(&[1, 2, 3, 4, 5])
            .to_string()
            .contains("word 0 is 0x00000001")
    );
    assert!(parse(&[0x0723_0203, 0]).to_string().contains("2 words"));
    let broken = [0x0723_0203, 0x10300, 0, 8, 0, 0x0009_0011];
    assert!(
        parse(&broken)
            .to_string()
            .contains("9 words long, 1 are left")
    );
    // A combined sampler whose image type is missing.
    let broken = [
        0x0723_0203,
        0x10300,
        0,
        8,
        0,
        3 << 16 | 27,
        1,
        2,
        4 << 16 | 32,
        3,
        0,
        1,
    ];
    assert_eq!(parse(&broken).rule(), "shader-spirv");
}

#[test]
fn glsl() {
    let parse = |text, stage| wgsl::parse(Source::Glsl { text, stage });
    let text = "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 color;\n\
        void main() { color = vec4(uv, 0.0, 1.0); if (uv.x > 0.5) discard; }";
    let checked = parse(text, Stage::Fragment).unwrap();
    let function = lower(&checked, None, None, &Overrides::new()).unwrap();
    assert_eq!(function.interface.inputs.len(), 1);
    assert_eq!(function.interface.outputs[0].components, 4);
    let error = parse("#version 450\nvoid main() { x = ; }", Stage::Fragment).unwrap_err();
    assert_eq!(error.location().map(|l| l.line), Some(2), "{error}");
    let error = parse(text, Stage::Geometry).unwrap_err();
    assert_eq!(error.rule(), "shader-unsupported");
}

/// What the back end says of a shader that the lowering takes: line, column, excerpt and a part of the message.
fn check_back_end(text: &str, options: &Options, place: Option<(u32, u32)>, message: &str) {
    check_targets("", text, options, place, message);
}

/// The same for the targets whose names contain `name`.
fn check_targets(
    name: &str,
    text: &str,
    options: &Options,
    place: Option<(u32, u32)>,
    message: &str,
) {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
    let targets = TARGETS
        .iter()
        .filter(|target| target.info.features.integers);
    for target in targets.filter(|target| target.info.name.contains(name)) {
        let error = (target.compile)(&function, options).unwrap_err();
        let found = error.location().unwrap();
        if let Some(place) = place {
            assert_eq!((found.line, found.column), place, "{error}");
        }
        let line = text.lines().nth(found.line as usize - 1).unwrap();
        assert_eq!(found.excerpt, line);
        let shown = error.to_string();
        assert!(shown.contains(message) && shown.contains(line), "{error}");
        let mark = format!("at line {}, column {}", found.line, found.column);
        assert!(shown.contains(&mark), "{error}");
    }
}

#[test]
fn back_end_limits() {
    check_targets(
        "southern",
        "@fragment fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
            var a: array<f32, 2000>;
            var b: array<f32, 2000>;
            a[n % 2000u] = 1.0;
            b[n % 2000u] = 1.0;
            return vec4f(a[n / 2u % 2000u], b[n / 3u % 2000u], 0.0, 0.0);
        }",
        &Options::default(),
        Some((3, 13)),
        "4002 words of indexed private arrays, more than the 3072",
    );
    // Nowhere are more values alive than where the last of them are made.
    let count = 1500;
    let mut text = "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {\n".to_owned();
    for i in 0..count {
        text += &format!("    let x{i} = fract(a.x * {}.5 + a.y);\n", i + 1);
    }
    text += "    var sum = a.z;\n";
    for i in (0..count).rev() {
        text += &format!("    sum = fma(sum, 0.75, x{i});\n");
    }
    text += "    return vec4f(sum);\n}";
    let options = Options::default();
    check_targets("southern", &text, &options, Some((1500, 23)), "256");
    check_targets(
        "r600",
        "@fragment fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
            var a: array<f32, 2100>;
            var b: array<f32, 2200>;
            a[n % 2000u] = 1.0;
            b[n % 2000u] = 1.0;
            return vec4f(a[n / 2u % 2000u], b[n / 3u % 2000u], 0.0, 0.0);
        }",
        &options,
        Some((3, 13)),
        "4302 words of indexed private arrays, more than the 4096",
    );
    check_targets(
        "r600",
        "struct Out { @location(0) color: vec4f, @builtin(sample_mask) mask: u32 }
        @fragment @early_depth_test(force) fn fs(@location(0) a: vec4f) -> Out {
            return Out(a, 1u);
        }",
        &options,
        None,
        "a sample mask beside forced early tests",
    );
}

#[test]
fn back_end_bindings() {
    let text = "@group(0) @binding(1) var<uniform> here: vec4f;
        @group(0) @binding(4) var<uniform> missing: vec4f;
        @fragment fn fs() -> @location(0) vec4f {
            let a = here * 2.0;
            return a + missing;
        }";
    let options = Options {
        layout: Some(PipelineLayout {
            sets: vec![SetLayout::new(
                &[SetBinding {
                    binding: 1,
                    kind: DescriptorKind::Buffer,
                    count: 1,
                }],
                DescriptorBytes {
                    buffer: 16,
                    texture: 32,
                    sampler: 16,
                    set_align: 64,
                },
            )],
            push_constant_bytes: 0,
        }),
        ..Options::default()
    };
    check_back_end(text, &options, Some((5, 24)), "@group(0) @binding(4)");
    // From a function that is called: the place is where it says so.
    let text = "@group(7) @binding(0) var<uniform> far: vec4f;
        fn twice() -> vec4f {
            return far * 2.0;
        }
        @fragment fn fs() -> @location(0) vec4f { return twice(); }";
    check_back_end(text, &Options::default(), Some((3, 20)), "@group(7)");
}
