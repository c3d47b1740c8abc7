//! What tools print: devices and their differences, counters of code, lanes, memory layouts; and files that are wrong.

#![allow(clippy::unwrap_used)]

mod harness;

use harness::*;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// All that differs in the JSON of two devices is in the text.
#[test]
fn devices_tell_their_differences() {
    let text = ok(&["devices"], "");
    let rows = json(&ok(&["devices", "--json"], ""));
    let (a, b) = (rows[0].as_object().unwrap(), &rows[1]);
    let mut differences = 0;
    for (name, value) in a {
        if !value.is_number() && !value.is_boolean() {
            continue;
        }
        let line = text
            .lines()
            .find(|line| line.split(' ').next() == Some(name.as_str()));
        let of_all: Vec<&Value> = rows
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row[name])
            .collect();
        let differs = of_all.iter().any(|other| *other != value);
        assert_eq!(line.is_some(), differs, "{name}: {text}");
        if let Some(line) = line {
            let values: Vec<&str> = line.split_whitespace().skip(1).collect();
            let wanted: Vec<String> = of_all.iter().map(|value| value.to_string()).collect();
            assert_eq!(values, wanted);
            differences += 1;
        }
    }
    assert!(differences >= 5, "{text}");
    let paragraph = |head: &str| {
        let start = text.find(head).unwrap_or_else(|| panic!("{head}: {text}"));
        let end = text[start..].find("\n\n").unwrap_or(text.len() - start);
        text[start + head.len()..][..end - head.len()]
            .split([',', '\n', ' '])
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    // What any device has.
    let formats = |row: &Value| row["formats"].as_array().unwrap().clone();
    let mut all: Vec<Value> = Vec::new();
    for format in rows.as_array().unwrap().iter().flat_map(&formats) {
        if all.iter().all(|known| known["name"] != format["name"]) {
            all.push(format);
        }
    }
    let stores = |of: &Value| of["capabilities"].to_string().contains("\"storage\"");
    let (mut lacks, mut no_storage) = (Vec::new(), Vec::new());
    for format in all {
        let name = format["name"].as_str().unwrap();
        let words = name.split([' ', ',']).filter(|word| !word.is_empty());
        let same = |row: &Value| {
            let mut formats = formats(row).into_iter();
            formats.find(|other| other["name"] == format["name"])
        };
        let someone = (rows.as_array().unwrap().iter())
            .any(|row| same(row).is_some_and(|found| stores(&found)));
        match same(b) {
            None => lacks.extend(words.map(str::to_owned)),
            Some(other) if someone && !stores(&other) => {
                no_storage.extend(words.map(str::to_owned))
            }
            Some(_) => {}
        }
    }
    assert_eq!(paragraph("\nr600 lacks:"), lacks);
    assert_eq!(paragraph("\nr600 has no storage:"), no_storage);
    let wrapped = text.lines().skip(rows.as_array().unwrap().len());
    assert!(wrapped.map(str::len).all(|length| length <= 100));
}

/// The end of a program is no branch; a branch is.
#[test]
fn counters_count_what_they_say() {
    let counter = |shader: &str, stage: &str, device: &str, name: &str| {
        let arguments = [
            "compile", shader, "--device", device, "--stage", stage, "--emit", "stats",
        ];
        let text = ok(&arguments, "");
        let mut lines = text.lines().filter_map(|line| line.split_once(": "));
        let (_, value) = lines.find(|(found, _)| *found == name).unwrap();
        value.parse::<u32>().unwrap()
    };
    for device in [DEVICE, "r600"] {
        for stage in ["vertex", "fragment"] {
            let shader = "assets/shaders/triangle.wgsl";
            assert_eq!(counter(shader, stage, device, "branches"), 0, "{device}");
        }
        let shader = "assets/shaders/mandelbrot.wgsl";
        assert!(counter(shader, "fragment", device, "branches") > 0);
    }
    // Every line of the listing is an instruction, the last one among them.
    let shader = "assets/shaders/triangle.wgsl";
    let listing = ok(&["compile", shader, "--stage", "fragment"], "");
    let count = counter(shader, "fragment", DEVICE, "instructions");
    assert_eq!(listing.lines().count(), count as usize, "{listing}");
}

/// The example that `exec --help` gives is what `exec` takes.
#[test]
fn the_example_of_raw_programs_runs() {
    let help = ok(&["exec", "--help"], "");
    let start = help.find("  {\n").unwrap();
    let end = start + help[start..].find("\n  }\n").unwrap() + 4;
    let input = write("example.json", &help[start..end]);
    let text = help.split("printf '").nth(1).unwrap();
    let text = text.split('\'').next().unwrap().replace("\\n", "\n");
    let words = write("example.hex", &ok(&["asm", "-"], &text));
    let command = ["exec", &words, "--input", &input];
    let output = json(&ok(&command, ""));
    assert_eq!(output["registers"]["v1"][0], 41);
    assert_eq!(output["registers"]["v1"][1], 42);
    assert_eq!(output["memory"][0]["hex"], "0100000002000000");
    for key in output.as_object().unwrap().keys() {
        assert!(help.contains(&format!("\n  {key} ")), "{key}: {help}");
    }
    for key in json(&help[start..end]).as_object().unwrap().keys() {
        assert!(help.contains(&format!("\n  {key} ")), "{key}: {help}");
    }
    let pretty = ok(&[&command[..], &["--pretty"]].concat(), "");
    assert_eq!(json(&pretty), output);
    let lines: Vec<&str> = pretty.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| *line == "\"v1\": [").unwrap();
    assert_eq!(lines[at + 1..at + 3], ["41,", "42,"]);
    assert_eq!(lines[at + 65], "],");
}

/// A lane is a line where it has four components, too.
#[test]
fn lanes_of_exports_are_lines() {
    let text = "exp pos0, v0, v0, v0, v0 done vm\ns_endpgm\n";
    let words = ok(&["asm", "-"], text);
    let input = write("lanes.json", r#"{"lanes":2,"registers":{"v0":[5,6]}}"#);
    let command = ["exec", "--stage", "vertex", "--input", &input, "-"];
    let output = json(&ok(&command, &words));
    let pretty = ok(&[&command[..], &["--pretty"]].concat(), &words);
    assert_eq!(json(&pretty), output);
    let lines: Vec<&str> = pretty.lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| *line == "\"lanes\": [")
        .unwrap();
    assert_eq!(lines[at + 1..at + 4], ["[5,5,5,5],", "[6,6,6,6],", "null,"]);
}

#[test]
fn formats_have_the_names_of_webgpu() {
    let layout = |format: &str| {
        let arguments = ["tiling", "--format", format, "--size", "64x64"];
        json(&ok(&arguments, ""))
    };
    for (name, other) in [
        ("bc1-rgba-unorm-srgb", "Bc1RgbaUnormSrgb"),
        ("bc6h-rgb-ufloat", "bc6hrgbufloat"),
        ("depth24plus-stencil8", "Depth24PlusStencil8"),
        ("rgba8unorm-srgb", "Rgba8UnormSrgb"),
        ("r32float", "R32Float"),
    ] {
        assert_eq!(layout(name), layout(other), "{name}");
    }
    assert_eq!(layout("bc1-rgba-unorm")["planes"][0]["element_bytes"], 8);
    assert_eq!(
        layout("depth24plus-stencil8")["planes"][1]["aspect"],
        "StencilOnly"
    );
    let unknown = ["tiling", "--format", "bc1-rgb", "--size", "64x64"];
    fails(&unknown, 2, "bc1-rgba-unorm");
}

/// No device has the memory for this image, and its layout is known.
#[test]
fn images_larger_than_memory_have_a_layout() {
    for device in [DEVICE, "r600"] {
        let layout = |size: &str| {
            let format = ["--device", device, "--format", "rgba32float"];
            json(&ok(
                &[&["tiling", "--size", size], &format[..]].concat(),
                "",
            ))
        };
        let rows = json(&ok(&["devices", "--json"], ""));
        let rows = rows.as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == device).unwrap();
        let edge = row["image_2d"].as_u64().unwrap();
        let large = layout(&format!("{edge}x{edge}x16"));
        assert_eq!(large["bytes"], edge * edge * 16 * 16);
        assert!(large["bytes"].as_u64() > row["memory_bytes"].as_u64());
        let said = error(
            &[
                "tiling", "--device", device, "--format", "r8unorm", "--size", "999999x1",
            ],
            "",
        );
        assert!(
            said.contains(&format!("takes 1 to {edge} across")),
            "{said}"
        );
    }
}

#[test]
fn wrong_sizes_are_told_with_the_right_ones() {
    let rows = write("short", "12345");
    let out = file("out");
    let tiling = |more: &[&str]| {
        let shape = [
            "tiling",
            "--format",
            "rgba8unorm",
            "--size",
            "40x24",
            "--levels",
            "3",
        ];
        error(&[&shape[..], more].concat(), "12345")
    };
    let said = tiling(&["--tile", &rows, "--level", "1", "-o", &out]);
    let expected = format!(
        "girih: {rows}: 5 bytes are not the rows of plane 0, level 1, sample 0, which have {}\n",
        20 * 12 * 4
    );
    assert_eq!(said, expected);
    let shape = [
        "tiling",
        "--format",
        "rgba8unorm",
        "--size",
        "40x24",
        "--levels",
        "3",
    ];
    let bytes = json(&ok(&shape, ""))["bytes"].to_string();
    let said = tiling(&["--untile", "-", "-o", &out]);
    let expected = format!("girih: standard input: 5 bytes; the image has {bytes}\n");
    assert_eq!(said, expected);
    for part in [["--level", "3"], ["--plane", "1"], ["--sample", "1"]] {
        let said = tiling(&[&["--tile", &rows, "-o", &out], &part[..]].concat());
        assert!(
            said.contains("it has 1 planes, 3 levels, 1 samples"),
            "{said}"
        );
    }
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn empty_files_are_errors() {
    let empty = write("empty", " \n\n");
    for command in ["disasm", "exec"] {
        for device in [DEVICE, "r600"] {
            let said = error(&[command, &empty, "--device", device], "");
            assert_eq!(said, format!("girih: {empty} holds no words\n"));
        }
        let said = error(&[command, "-"], "");
        assert_eq!(said, "girih: standard input holds no words\n");
    }
    let said = error(&["asm", "-"], "\n");
    assert_eq!(said, "girih: standard input holds no instruction\n");
}

/// Files that cannot be read or written are named.
#[test]
fn errors_of_files_name_them() {
    let words = write("end.hex", "bf810000\n");
    let nowhere = file("no-such-folder/file.png");
    let layout = ["tiling", "--format", "r8unorm", "--size", "8x8"];
    let rows = write("rows-8x8", &"x".repeat(64));
    for arguments in [
        &["render", "triangle", "--size", "8x8", "-o", &nowhere][..],
        &["compile", &nowhere],
        &["asm", &nowhere],
        &["disasm", &nowhere],
        &["exec", &nowhere],
        &["exec", &words, "--input", &nowhere],
        &[&layout[..], &["--tile", &nowhere, "-o", "x"]].concat(),
        &[&layout[..], &["--tile", &rows, "-o", &nowhere]].concat(),
        &[
            "bench", "--peers", &nowhere, "--driver", "x", "--scene", "triangle", "--frames", "1",
        ],
    ] {
        let output = girih(arguments, "");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains(&nowhere), "{arguments:?}: {said}");
    }
    let said = error(&["exec", &words, "--input", "-"], "{]");
    assert!(said.starts_with("girih: standard input: "), "{said}");
    let said = error(&["exec", "-", "--input", "-"], "bf810000");
    assert!(said.contains("cannot both"), "{said}");
    let said = error(&["disasm", "-"], "bf81000g");
    assert!(
        said.contains("standard input: line 1: `bf81000g`"),
        "{said}"
    );
}
