//! The command as a script sees it.

#![allow(clippy::unwrap_used)]

mod harness;

use std::path::PathBuf;

use harness::*;

#[test]
fn listings_and_words_lead_to_each_other() {
    for shader in ["triangle", "cube", "mandelbrot"] {
        for stage in ["vertex", "fragment"] {
            let file = format!("assets/shaders/{shader}.wgsl");
            let compile = |emit| {
                ok(
                    &[
                        "compile", &file, "--device", DEVICE, "--stage", stage, "--emit", emit,
                    ],
                    "",
                )
            };
            let (text, words) = (compile("asm"), compile("hex"));
            assert_eq!(ok(&["disasm", "--device", DEVICE, "-"], &words), text);
            assert_eq!(ok(&["asm", "--device", DEVICE, "-"], &text), words);
            assert!(compile("ssa").contains("b0"));
            assert!(compile("lanes").contains("tick"));
            assert!(compile("stats").contains("instructions: "));
        }
    }
}

#[test]
fn devices_are_listed() {
    assert!(ok(&["devices"], "").contains(DEVICE));
    let rows: serde_json::Value = serde_json::from_str(&ok(&["devices", "--json"], "")).unwrap();
    assert_eq!(rows[0]["name"], DEVICE);
    let text = ok(&["devices"], "");
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(!line(DEVICE).contains("without"), "{text}");
    assert!(line("r600").contains("without depth-bounds, "), "{text}");
    let features = |n: usize| rows[n]["features"].as_array().unwrap();
    assert!(features(0).iter().any(|name| name == "shader-stores"));
    assert!(features(1).iter().all(|name| name != "shader-stores"));
    assert!(features(2).iter().all(|name| name != "integers"));
    let groups = |name: &str| [0, 1].map(|n| rows[n][name].as_u64().unwrap());
    assert_eq!(groups("group_invocations"), [1024, 0]);
    assert_eq!(groups("group_shared_bytes"), [32 << 10, 0]);
    let list = ok(&["isa", DEVICE, "--csv"], "");
    assert!(list.lines().any(|line| line == "SOPP,S_ENDPGM,1"), "{list}");
}

#[test]
fn raw_programs_run() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let input = folder.join("input.json");
    std::fs::write(&input, r#"{"lanes":2,"registers":{"v0":[1,2],"s0":40}}"#).unwrap();
    let words = ok(
        &["asm", "--device", DEVICE, "-"],
        "v_add_i32 v1, vcc, s0, v0\ns_endpgm\n",
    );
    let arguments = [
        "exec",
        "--device",
        DEVICE,
        "--stage",
        "fragment",
        "-",
        "--input",
        input.to_str().unwrap(),
    ];
    let output: serde_json::Value = serde_json::from_str(&ok(&arguments, &words)).unwrap();
    assert_eq!(output["registers"]["v1"][0], 41);
    assert_eq!(output["registers"]["v1"][1], 42);
    assert_eq!(output["instructions"], 2);
}

#[test]
fn groups_run_with_shared_memory() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let input = folder.join("groups.json");
    let text = r#"{"workgroup":[8,8,2],"groups":[2,1,3],"user":1,"shared":"2a"}"#;
    std::fs::write(&input, text).unwrap();
    let words = ok(
        &["asm", "--device", DEVICE, "-"],
        "s_mov_b32 m0, -1\nv_mov_b32 v4, 0\nds_read_b32 v5, v4\ns_waitcnt lgkmcnt(0)\ns_endpgm\n",
    );
    let input = input.to_str().unwrap();
    let arguments = ["exec", "--device", DEVICE, "-", "--input", input];
    let compute = [&arguments[..], &["--stage", "compute"]].concat();
    let output: serde_json::Value = serde_json::from_str(&ok(&compute, &words)).unwrap();
    let groups = output["groups"].as_array().unwrap();
    assert_eq!((groups.len(), &groups[3]["group"]), (6, &[1, 0, 1].into()));
    let last = &groups[5]["waves"][1];
    assert_eq!((&last["v5"][63], &last["v0"][63]), (&42.into(), &7.into()));
    assert_eq!(groups[5]["shared"], "2a000000");
    let file = folder.join("groups.hex");
    std::fs::write(&file, words).unwrap();
    let file = file.to_str().unwrap();
    let arguments = ["exec", "--device", DEVICE, file, "--input", input];
    fails(&arguments, 1, "the stage fragment has not");
}

/// Tasks of 32 that share memory, and a compute shader's listing and words.
#[test]
fn groups_of_tasks_run() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let input = folder.join("tasks.json");
    let text = r#"{"workgroup":[40,1,1],"groups":[2,1,1],"shared":"07000000"}"#;
    std::fs::write(&input, text).unwrap();
    let select = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";
    let program = format!(
        "main {{ mbyp ft0, s0 }} [s0=c0, s3=c0, {select}, w0=r0]
main {{ mbyp ft0, s0 }} [s0=c143, s3=c0, {select}, w0=r1]
main {{ mbyp ft0, s0 }} [s0=c1, s3=c0, {select}, w0=r2]
main {{ atom.add s3, drc0, s0 }} [s0=r0, s3=r4, {select}]
control {{ mutex.release.sleep 0 }} []
control {{ nop.end }} []
"
    );
    let words = ok(&["asm", "--device", "rogue", "-"], &program);
    let input = input.to_str().unwrap();
    let arguments = [
        "exec", "--device", "rogue", "--stage", "compute", "-", "--input", input,
    ];
    let output: serde_json::Value = serde_json::from_str(&ok(&arguments, &words)).unwrap();
    let groups = output["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[1]["shared"], "2f000000");
    let wave = &groups[1]["waves"][0];
    assert_eq!(
        (&wave["sh0"], &wave["vi0"]),
        (&1.into(), &serde_json::Value::Null)
    );
    assert_eq!((&wave["r4"][0], &wave["r4"][39]), (&7.into(), &46.into()));

    let shader = folder.join("tasks.wgsl");
    let text = "var<workgroup> sum: atomic<u32>;
        @group(0) @binding(0) var<storage, read_write> all: u32;
        @compute @workgroup_size(96) fn count(@builtin(local_invocation_index) i: u32) {
            atomicAdd(&sum, i);
            workgroupBarrier();
            if i == 0u { all = atomicLoad(&sum); }
        }";
    std::fs::write(&shader, text).unwrap();
    let shader = shader.to_str().unwrap();
    let compile = |emit| {
        let stage = ["--stage", "compute", "--emit", emit];
        ok(
            &[&["compile", shader, "--device", "rogue"], &stage[..]].concat(),
            "",
        )
    };
    let listing = compile("asm");
    assert!(listing.contains("mutex.release.sleep"), "{listing}");
    assert!(listing.contains("atom.add"), "{listing}");
    assert!(compile("lanes").contains("barrier"));
}

/// The instruction set of a chip whose listing is not in the order of memory.
#[test]
fn five_way_programs_run() {
    let list = ok(&["isa", "r600", "--csv"], "");
    let manual = include_str!("../../../devices/r600/tests/manual.csv");
    let rows = manual.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(list.lines().collect::<Vec<_>>(), rows.collect::<Vec<_>>());
    let text = "
        ALU: KCACHE0(CB0:0-15)
            0 x: MULADD_e R2.x, R0.x, KC0[1].y, 2.5
              t: RECIP_e R2.y, R0.y
        EXP_DONE: PIX0, R2.xy01 END_OF_PROGRAM";
    let words = ok(&["asm", "--device", "r600", "-"], text);
    let listing = ok(&["disasm", "--device", "r600", "-"], &words);
    assert_eq!(ok(&["asm", "--device", "r600", "-"], &listing), words);
    assert!(
        listing.contains("00 ALU: ADDR(2) CNT(3) KCACHE0(CB0:0-15)"),
        "{listing}"
    );
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let input = folder.join("r600.json");
    let registers = r#"{"R0":[1077936128,1082130432,0,0],"KC0":[[0,0,0,0],[0,1073741824,0,0]]}"#;
    std::fs::write(&input, format!(r#"{{"lanes":4,"registers":{registers}}}"#)).unwrap();
    let input = input.to_str().unwrap();
    let command = [
        "exec", "--device", "r600", "--stage", "fragment", "-", "--input", input,
    ];
    let output: serde_json::Value = serde_json::from_str(&ok(&command, &words)).unwrap();
    let export = &output["exports"][0];
    assert_eq!(export["target"], "PIXEL0");
    // 3 * 2 + 2.5, 1 / 4.
    let want = [8.5f32, 0.25, 0.0, 1.0].map(f32::to_bits);
    assert_eq!(export["lanes"][3], serde_json::json!(want));
    assert!(export["lanes"][4].is_null());
    fails(&["isa", "r600", "--stage", "compute"], 1, "has no stage");
}

#[test]
fn scenes_are_timed() {
    let arguments = ["bench", "--device", DEVICE, "--scene", "triangle"];
    let frames = ["--frames", "1", "--threads", "1"];
    let table = ok(&[&arguments[..], &frames].concat(), "");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert_eq!(rows[0], DEVICE);
    let row: Vec<&str> = rows[2].split_whitespace().collect();
    assert_eq!((row[0], row.len()), ("triangle", 7), "{table}");
    for number in &row[1..] {
        assert!(number.parse::<f64>().is_ok(), "{number}");
    }
}

#[test]
fn errors_are_messages() {
    fails(
        &["bench", "--scene", "nothing"],
        1,
        "there is no scene `nothing`",
    );
    fails(&["bench", "--peers", "somewhere"], 2, "--driver");
    fails(
        &["compile", "no such file", "--device", DEVICE],
        1,
        "no such file",
    );
    fails(
        &["compile", "assets/shaders/cube.wgsl", "--device", "none"],
        1,
        "there is no device `none`",
    );
    fails(
        &["compile", "README.md", "--device", DEVICE],
        1,
        "README.md",
    );
    fails(
        &["render", "nothing", "--device", DEVICE, "-o", "x.png"],
        1,
        "there is no scene `nothing`",
    );
    // What the back end refuses is shown in the text.
    let shader = std::env::temp_dir().join(format!("girih-command-{}.wgsl", std::process::id()));
    let text = "@fragment fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
    var much: array<f32, 4000>;
    much[n % 4000u] = 1.0;
    return vec4f(much[n / 2u % 4000u]);
}";
    std::fs::write(&shader, text).unwrap();
    fails(
        &["compile", shader.to_str().unwrap(), "--device", DEVICE],
        1,
        "at line 2, column 5\n    2 |     var much: array<f32, 4000>;\n      |     ^^^^",
    );
    std::fs::remove_file(&shader).unwrap();
    fails(&["render"], 2, "Usage");
    fails(
        &[
            "exec", "--device", DEVICE, "--stage", "other", "-", "--input", "x",
        ],
        2,
        "other",
    );
}

#[test]
fn images_are_tiled_and_untiled() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (rows, tiled, back) = (file("rows"), file("tiled"), file("back"));
    let texels: Vec<u8> = (0..40 * 24 * 4u32)
        .map(|i| ((i * 7) >> 2) as u8 ^ i as u8)
        .collect();
    std::fs::write(&rows, &texels).unwrap();
    let shape = [
        "tiling",
        "--device",
        DEVICE,
        "--format",
        "rgba8unorm",
        "--size",
        "40x24",
        "--levels",
        "3",
    ];
    let run = |more: &[&str]| {
        let text = ok(&[&shape[..], more].concat(), "");
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let surface = run(&["--tile", &rows, "--output", &tiled]);
    let bytes = std::fs::read(&tiled).unwrap();
    assert_eq!(surface["bytes"], bytes.len());
    let level = &surface["planes"][0]["levels"][0];
    assert_eq!(
        (&level["width"], &level["height"]),
        (&40.into(), &24.into())
    );
    // The chip's first micro tile holds the first texels of two rows next to each other.
    assert_ne!(bytes[..texels.len()], texels);
    run(&["--untile", &tiled, "--output", &back]);
    assert_eq!(std::fs::read(&back).unwrap(), texels);
    run(&["--untile", &tiled, "--level", "2", "--output", &back]);
    assert_eq!(std::fs::read(&back).unwrap(), [0; 10 * 6 * 4]);
    let wrong = |file: &str, way: &str, text: &str| {
        let arguments = [&shape[..], &[way, file, "--output", &back]].concat();
        fails(&arguments, 1, text);
    };
    wrong(&tiled, "--tile", "are not the rows of");
    wrong(&rows, "--untile", "the image has");
    fails(
        &[
            "tiling", "--device", DEVICE, "--format", "x", "--size", "1x1",
        ],
        2,
        "no format",
    );
}

#[test]
fn what_a_raw_program_does_wrong_is_one_line() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let input = folder.join("wrong.json");
    std::fs::write(
        &input,
        r#"{"registers":{"s1":9,"v0":[0,0,0,4294967280],"s[4:7]":[0,0,4294967295,131072]}}"#,
    )
    .unwrap();
    let strict = folder.join("strict.json");
    std::fs::write(&strict, r#"{"strict":true}"#).unwrap();
    let run = |words: &str, input: &std::path::Path| {
        let file = folder.join("wrong.hex");
        std::fs::write(&file, words).unwrap();
        let arguments = [
            "exec",
            "--device",
            DEVICE,
            file.to_str().unwrap(),
            "--input",
            input.to_str().unwrap(),
        ];
        let output = girih(&arguments, "");
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(output.stdout.is_empty());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{errors}");
        errors
    };
    for (words, expected) in [
        // No encoding.
        (
            "bf800000 ffffffff",
            "southern-islands at 0x4: no encoding begins with bits 0b111111 (word 0xffffffff)",
        ),
        // s_mov_b32 s0, s104
        ("be800368", "has no operand 104"),
        // s_branch far away
        ("bf827fff", "the program counter left the program"),
        // loop: s_branch loop
        (
            "bf82ffff",
            "southern-islands at 0x0: the wave ran to a cost of 1000000000 without ending (word 0xbf82ffff)",
        ),
        // s_setpc_b64 s[2:3]
        (
            "be802002",
            "southern-islands at 0x0: jump to 0x0, which is no instruction of the program (word 0xbe802002)",
        ),
        // s_load_dword s2, s[0:1], 0x0
        (
            "c0010100 bf810000",
            "southern-islands at 0x0: lane 64 accesses unmapped or misaligned address 0x900000000",
        ),
        // buffer_load_dword v1, v0, s[4:7], 0 offen
        (
            "e0301000 80010100 bf810000",
            "southern-islands at 0x0: lane 3 accesses unmapped or misaligned address 0xfffffff0",
        ),
    ] {
        let errors = run(words, &input);
        assert!(errors.contains(expected), "{words}: {errors}");
    }
    for (words, expected) in [
        // s_load_dword s2, s[0:1], 0x1 ; s_add_u32 s3, s2, 1
        (
            "c0010101 80038102 bf810000",
            "southern-islands at 0x4: scalar 2 is used while lgkmcnt still counts",
        ),
        // v_add_f64 v[255:256], v[0:1], v[0:1]
        (
            "d2c800ff 00020100 bf810000",
            "southern-islands at 0x0: v256 does not exist",
        ),
        // s_mov_b32 s0, 2 ; s_load_dword s2, s[0:1], 0x0
        (
            "be800382 c0010100 bf8c007f bf810000",
            "southern-islands at 0x4: lane 64 accesses unmapped or misaligned address 0x2",
        ),
    ] {
        let errors = run(words, &strict);
        assert!(errors.contains(expected), "{words}: {errors}");
    }
    // Nothing is needed but words.
    let output = ok(&["exec", "--device", DEVICE, "-"], "be800385 bf810000");
    let output: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(output["registers"]["s0"], 5);
}
