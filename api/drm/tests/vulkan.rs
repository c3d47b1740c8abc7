//! A program in C computes, draws and copies through RADV on the chip, and through Mesa's software driver: the same picture.
//!
//! Needs a C compiler, Vulkan's headers and loader, `glslangValidator` and Mesa's drivers; without them it says so and
//! passes, except where `GIRIH_MESA_TEST=1` insists.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used)]

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{difference, folder, has, on};

/// A driver of Mesa's.
fn driver(name: &str) -> String {
    format!("/usr/share/vulkan/icd.d/{name}_icd.x86_64.json")
}

/// Runs a tool.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{errors}");
    said
}

#[test]
fn pictures_are_those_of_the_software_driver() {
    let files = [
        "/usr/include/vulkan/vulkan.h",
        &driver("radeon"),
        &driver("lvp"),
    ];
    let files = files.iter().all(|path| Path::new(path).is_file());
    let tools =
        ["cc", "glslangValidator"].map(|tool| Command::new(tool).arg("--version").output().is_ok());
    let there = files && tools == [true; 2];
    if !has(
        "a C compiler, Vulkan's headers, glslangValidator and mesa-vulkan-drivers",
        there,
    ) {
        return;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vulkan");
    let out = folder("vulkan");
    for (source, stage) in [
        ("triangle.vert", "vert"),
        ("triangle.frag", "frag"),
        ("pattern.comp", "comp"),
    ] {
        let mut compiler = Command::new("glslangValidator");
        compiler.arg("-V").arg(sources.join(source));
        run(compiler.arg("-o").arg(out.join(format!("{stage}.spv"))));
    }
    let program = out.join("vulkan");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-Wall", "-o"]).arg(&program);
    run(compiler.arg(sources.join("vulkan.c")).arg("-lvulkan"));

    let picture = |mut command: Command, icd: &str, name: &str| {
        let path = out.join(format!("{icd}.rgba"));
        command
            .env("VK_DRIVER_FILES", driver(icd))
            .arg(&out)
            .arg(&path);
        let said = run(&mut command);
        assert!(
            said.starts_with("device: ") && said.contains(name),
            "{said}"
        );
        std::fs::read(path).unwrap()
    };
    let program = program.to_str().unwrap();
    let expected = picture(Command::new(program), "lvp", "llvmpipe");
    let found = picture(
        on("southern-islands", "amdgpu", program),
        "radeon",
        "RADV TAHITI",
    );
    let (most, pixels) = difference(&expected, &found);
    assert!(
        most <= 1,
        "{pixels} pixels differ by more than 1, by {most} at most"
    );
}
