//! Inputs and outputs at locations that the device, the other stage or the pipeline does not have.
#![allow(clippy::unwrap_used)]

use pipeline::ShaderError;
use pipeline::codegen::{CompileError, Options};
use pipeline::ir::Stage;
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{Source, parse};

fn colors(body: &str) -> String {
    format!(
        "struct Colors {{\n{body}\n}}\n@fragment fn fs() -> Colors {{ var c: Colors; return c; }}"
    )
}

/// Compiles for every device; the rule, line and column of the error.
fn check(source: Source<'_>, stage: Stage, place: Option<(u32, u32)>, message: &str) {
    let checked = parse(source).unwrap_or_else(|error| panic!("{error}"));
    let function = lowered(&checked, None, Some(stage), &Overrides::new()).unwrap();
    for target in TARGETS
        .iter()
        .filter(|target| target.info.features.integers)
    {
        let error = (target.compile)(&function, &Options::default()).unwrap_err();
        let CompileError::Shader(error @ ShaderError::Location { .. }) = &error else {
            panic!("{error}");
        };
        assert_eq!(error.rule(), "shader-location");
        let found = error.location().map(|at| (at.line, at.column));
        assert_eq!(found, place, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn beyond_the_device() {
    for location in [8, 9, 15, 16, 25, 64, 8191, u32::MAX / 2] {
        let member = format!("  @location(0) a: vec4f,\n  @location({location}) b: vec4f,");
        let message =
            format!("the fragment output @location({location}) is beyond the 8 locations");
        check(
            Source::Wgsl(&colors(&member)),
            Stage::Fragment,
            Some((3, 4)),
            &message,
        );
    }
    let text = "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(1.0); }
        @fragment fn fs(@location(40) x: vec4f) -> @location(9) vec4f { return x; }";
    check(
        Source::Wgsl(text),
        Stage::Fragment,
        Some((2, 26)),
        "fragment input @location(40)",
    );
    let text = "@fragment fn fs(@location(9) x: vec4f) -> @location(9) vec4f { return x; }";
    check(
        Source::Wgsl(text),
        Stage::Fragment,
        Some((1, 44)),
        "fragment output @location(9)",
    );
    let text = "@vertex fn vs(@location( 32u ) x: vec4f) -> @builtin(position) vec4f { return x; }";
    check(
        Source::Wgsl(text),
        Stage::Vertex,
        Some((1, 16)),
        "vertex input @location(32)",
    );
    let text = "struct V { @builtin(position) p: vec4f, @location(31) x: vec4f }
        @vertex fn vs() -> V { var v: V; return v; }";
    check(
        Source::Wgsl(text),
        Stage::Vertex,
        Some((1, 42)),
        "vertex output @location(31)",
    );
    let text = "const far = 4 * 5;
        struct Colors { @location(far) a: vec4f }
        @fragment fn fs() -> Colors { var c: Colors; return c; }";
    check(
        Source::Wgsl(text),
        Stage::Fragment,
        Some((2, 9)),
        "@location(20)",
    );
    let stage = Stage::Fragment;
    let text = "#version 450\nlayout(location = 0) out vec4 a;\nlayout(location = 12) out vec4 b;\n\
        void main() { a = b = vec4(1.0); }";
    check(
        Source::Glsl { text, stage },
        stage,
        Some((3, 8)),
        "@location(12)",
    );
}

/// Without targets every location of the device is exported, with them those that have one. Rogue has no exports, but
/// registers of a pixel, which the formats of targets share out.
#[test]
fn without_a_target() {
    let text = colors("@location(0) a: vec4f, @location(2) b: vec4f, @location(7) c: vec4f");
    let checked = parse(Source::Wgsl(&text)).unwrap();
    let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
    for target in TARGETS
        .iter()
        .filter(|target| target.info.features.integers && target.info.name != "rogue")
    {
        let exports = |colors: &[bool]| {
            let options = Options {
                colors: colors.to_vec(),
                ..Options::default()
            };
            let listing = (target.compile)(&function, &options).unwrap().listing();
            let lines = listing.lines().map(str::to_lowercase);
            let lines = lines.filter(|line| line.contains("exp") && !line.contains("param"));
            lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
        };
        let all = exports(&[]);
        assert_eq!(all.len(), 3, "{all:?}");
        for (line, number) in all.iter().zip([0, 2, 7]) {
            let names = [format!("mrt{number}"), format!("pix{number}")];
            assert!(names.iter().any(|name| line.contains(name)), "{line}");
        }
        let mut one = [false; 8];
        one[2] = true;
        let some = exports(&one);
        assert_eq!(some.len(), 1, "{some:?}");
        assert!(
            some[0].contains("mrt2") || some[0].contains("pix2"),
            "{some:?}"
        );
    }
}

#[test]
fn groups_and_bindings() {
    let text = |group: u32, binding: u32| {
        format!(
            "@group({group}) @binding({binding}) var<uniform> u: vec4f;
            @fragment fn fs() -> @location(0) vec4f {{ return u; }}"
        )
    };
    for (group, binding, fits) in [
        (0, 1000, true),
        (3, u32::MAX / 2, true),
        (4, 0, false),
        (31, 0, false),
        (64, 0, false),
        (u32::MAX / 2, 0, false),
    ] {
        let checked = parse(Source::Wgsl(&text(group, binding))).unwrap();
        let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
        for target in TARGETS
            .iter()
            .filter(|target| target.info.features.integers)
        {
            let found = (target.compile)(&function, &Options::default());
            assert_eq!(found.is_ok(), fits, "{group} {binding}");
            if let Err(error) = found {
                assert!(
                    error.to_string().contains(&format!("@group({group})")),
                    "{error}"
                );
                assert!(error.location().is_some(), "{error}");
            }
        }
    }
}
