//! Arguments that several commands share, and what they leave out.

#![allow(clippy::unwrap_used)]

mod harness;

use std::path::Path;

use harness::*;

const ADD: &str = "v_add_i32 v1, vcc, s0, v0\ns_endpgm\n";

/// Every command that works for one device takes the first one when none is named.
#[test]
fn the_first_device_is_the_default() {
    let shader = "assets/shaders/cube.wgsl";
    let words = ok(&["asm", "-"], ADD);
    for (arguments, input) in [
        (&["isa", "--csv"][..], ""),
        (&["isa", "--stage", "vertex"], ""),
        (&["compile", shader, "--stage", "vertex"], ""),
        (&["asm", "-"], ADD),
        (&["disasm", "-"], &words),
        (&["exec", "-"], &words),
        (&["tiling", "--format", "r8unorm", "--size", "70x9"], ""),
    ] {
        let named = [arguments, &["--device", DEVICE]].concat();
        assert_eq!(ok(arguments, input), ok(&named, input), "{arguments:?}");
        let unknown = [arguments, &["--device", "none"]].concat();
        assert!(error(&unknown, input).contains("there is no device `none`; there are: "));
    }
    let (first, named) = (file("first.png"), file("named.png"));
    let render = ["render", "cube", "--size", "40x30"];
    ok(&[&render[..], &["-o", &first]].concat(), "");
    let device = ["-o", &named, "--device", DEVICE];
    ok(&[&render[..], &device].concat(), "");
    assert_eq!(std::fs::read(first).unwrap(), std::fs::read(named).unwrap());
}

#[test]
fn an_instruction_set_is_named_in_either_way() {
    let list = ok(&["isa", "r600", "--csv"], "");
    assert_eq!(ok(&["isa", "--device", "r600", "--csv"], ""), list);
    assert_ne!(ok(&["isa", "--csv"], ""), list);
    fails(
        &["isa", "r600", "--device", "r600"],
        2,
        "cannot be used with",
    );
}

#[test]
fn scenes_are_listed() {
    let list = ok(&["render", "--list"], "");
    let names = [
        "triangle",
        "cube",
        "mandelbrot",
        "edges",
        "lines",
        "formats",
        "samplers",
        "glow",
        "particles",
        "exploded",
        "normals",
        "wireframe",
        "billboards",
        "grass",
        "shadow-volumes",
        "reflections",
    ];
    assert_eq!(list.lines().count(), names.len());
    let unknown = error(&["render", "none", "-o", "x.png"], "");
    for (name, line) in names.iter().zip(list.lines()) {
        let (first, about) = line.split_once(' ').unwrap();
        assert_eq!(first, *name);
        assert!(about.trim().len() > 10, "{line}");
        assert!(unknown.contains(name), "{unknown}");
    }
    let unknown = error(&["bench", "--scene", "none"], "");
    assert!(unknown.contains("there are: ") && unknown.contains("aniso16"));
}

#[test]
fn rendering_says_how_far_it_is_and_what_it_wrote() {
    let path = file("progress.png");
    for (frames, told) in [
        (1, &[][..]),
        (3, &[1, 2, 3]),
        (20, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
    ] {
        let count = frames.to_string();
        let output = girih(
            &[
                "render", "triangle", "--size", "16x16", "--frames", &count, "-o", &path,
            ],
            "",
        );
        let lines = told.iter().map(|n| format!("frame {n} of {frames}\n"));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            lines.collect::<String>()
        );
        let wrote = format!("wrote {path}\n");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), wrote);
    }
}

/// A picture is a PNG; under any other name nothing is drawn and nothing is written.
#[test]
fn other_extensions_write_nothing() {
    for name in ["picture.jpg", "picture.tiff", "picture", "picture.png.txt"] {
        let path = file(name);
        let said = error(&["render", "cube", "-o", &path], "");
        assert!(said.contains(&path) && said.contains("PNG"), "{said}");
        assert!(!Path::new(&path).exists(), "{path}");
    }
    let path = file("capital.PNG");
    ok(&["render", "triangle", "--size", "8x8", "-o", &path], "");
    assert!(std::fs::read(path).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn threads_and_memory_are_given() {
    let path = file("power.png");
    let render = |more: &[&'static str]| [&["render", "triangle", "-o", &path], more].concat();
    for more in [
        ["--threads", "1"],
        ["--threads", "3"],
        ["--memory", "8M"],
        ["--memory", "8388608"],
    ] {
        ok(&render(&more), "");
    }
    let said = error(&render(&["--memory", "1M"]), "");
    assert!(said.contains("of video memory"), "{said}");
    let said = error(&render(&["--memory", "1024G"]), "");
    assert!(
        said.contains("1099511627776 bytes of video memory"),
        "{said}"
    );
    let said = error(&render(&["--threads", "0"]), "");
    assert!(said.contains("threads"), "{said}");
    for size in ["8X", "M", "-1", "99999999999999G", ""] {
        fails(
            &["render", "triangle", "-o", &path, "--memory", size],
            2,
            "",
        );
    }
}

#[test]
fn a_scene_that_cannot_be_drawn_fails_the_benchmark() {
    let output = girih(
        &[
            "bench", "--device", DEVICE, "--scene", "triangle", "--frames", "1", "--memory", "1M",
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(1));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("cannot be drawn: image "), "{table}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "girih: a scene could not be drawn\n");
}

#[test]
fn overrides_are_given() {
    let text = "
override scale: f32 = 2.0;
@id(7) override turned: bool = false;
override least: i32;
@fragment fn fs(@location(0) x: f32) -> @location(0) vec4f {
    return vec4f(select(x * scale, 0.5, turned), f32(least), 0.0, 1.0);
}";
    let shader = write("overrides.wgsl", text);
    let compile = ["compile", &shader, "--emit", "ssa"];
    let with = |more: &[&'static str]| {
        ok(
            &[&compile[..], &["--override", "least=3"], more].concat(),
            "",
        )
    };
    let plain = with(&[]);
    assert_eq!(with(&["--override", "scale=2"]), plain);
    assert_ne!(with(&["--override", "scale=3.5"]), plain);
    assert_ne!(with(&["--override", "7=true"]), plain);
    assert_eq!(with(&["--override", "7=false"]), plain);
    let said = error(&compile, "");
    assert!(
        said.contains("`least`") && said.contains("--override"),
        "{said}"
    );
    let said = |value: &'static str| error(&[&compile[..], &["--override", value]].concat(), "");
    assert!(said("other=1").contains("no override `other`; it has "));
    assert!(said("least=3e9").contains("cannot hold 3000000000"));
    for value in ["least", "=1", "least=", "least=much"] {
        let arguments = [&compile[..], &["--override", value]].concat();
        fails(&arguments, 2, "an override is NAME=VALUE");
    }
}

#[test]
fn one_of_several_entry_points_is_asked_for() {
    let text = "
@vertex fn first() -> @builtin(position) vec4f { return vec4f(); }
@vertex fn second() -> @builtin(position) vec4f { return vec4f(1.0); }
@fragment fn third() -> @location(0) vec4f { return vec4f(); }";
    let shader = write("entries.wgsl", text);
    let said = error(&["compile", &shader], "");
    for name in [
        "`first` (vertex)",
        "`second` (vertex)",
        "`third` (fragment)",
    ] {
        assert!(said.contains(name), "{said}");
    }
    assert!(said.contains("choose by --entry or --stage"), "{said}");
    let said = error(&["compile", &shader, "--stage", "vertex"], "");
    assert!(said.ends_with("choose by --entry\n"), "{said}");
    assert!(!said.contains("third"), "{said}");
    ok(&["compile", &shader, "--stage", "fragment"], "");
    ok(&["compile", &shader, "--entry", "second"], "");
}
