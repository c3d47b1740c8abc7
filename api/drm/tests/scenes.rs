//! Programs in C draw with Mesa's own OpenGL drivers on the chips, and with Mesa's software renderer: the same pictures.
//!
//! Needs a C compiler, the headers of EGL and OpenGL, and Mesa's drivers; without them it says so and passes, except where
//! `GIRIH_MESA_TEST=1` insists.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used)]

mod harness;

use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{difference, folder, has, on};

/// A device, the kernel's driver that shows it, what OpenGL calls it, and how many scenes its version of OpenGL has at least.
type Row = (&'static str, &'static str, &'static str, usize);

const DEVICES: [Row; 4] = [
    ("southern-islands", "amdgpu", "TAHITI", 35),
    ("southern-islands", "radeon", "TAHITI", 35),
    ("r600", "radeon", "RV670", 35),
    ("r5xx", "radeon", "R580", 28),
];

/// How far a picture may be from the software renderer's: the largest difference of a component, and the pixels that
/// differ by more than 1. Samples on edges and on the borders between texels go the other way, levels of detail round to
/// the other level, r600's driver cuts positions off to the grid, and R5xx computes with floats of 24 bits.
const DIFFERENCES: &[(&str, &str, u8, usize)] = &[
    ("southern-islands", "clip", 255, 10),
    ("southern-islands", "lines", 255, 20),
    ("southern-islands", "mipmaps", 8, 3000),
    ("r600", "clip", 255, 40),
    ("r600", "cube", 255, 70),
    ("r600", "lines", 255, 20),
    ("r600", "mipmaps", 8, 3000),
    ("r5xx", "clip", 255, 20),
    ("r5xx", "cube", 255, 600),
    ("r5xx", "generated", 16, 1200),
    ("r5xx", "indexed", 255, 30),
    ("r5xx", "lines", 255, 20),
    ("r5xx", "lit", 255, 40),
    ("r5xx", "mipmaps", 16, 10000),
    ("r5xx", "outlines", 255, 20),
    ("r5xx", "samples", 255, 120),
    ("r5xx", "triangle", 255, 30),
];

/// The positions of four samples that a driver asks for, in sixteenths of a pixel from its lower left corner, and how it puts
/// vertices on a grid. The software renderer has the first.
type SampleGrid = (&'static str, [[f64; 2]; 4], fn(f32) -> f64);

const SAMPLE_GRIDS: [SampleGrid; 3] = [
    ("llvmpipe", STANDARD, |x| {
        f64::from((x * 256.0).round()) / 256.0
    }),
    ("southern-islands", STANDARD, |x| {
        f64::from((x * 4096.0).round()) / 4096.0
    }),
    (
        "r600",
        [[6.0, 6.0], [10.0, 10.0], [2.0, 14.0], [14.0, 2.0]],
        |x| f64::from((x * 256.0).floor()) / 256.0,
    ),
];
const STANDARD: [[f64; 2]; 4] = [[6.0, 2.0], [14.0, 6.0], [2.0, 10.0], [10.0, 14.0]];

/// What the scene `samples` shows of its triangle on a grid, in the colours of a picture of it.
fn triangle_of_samples((_, positions, snap): SampleGrid, colors: &[u8]) -> Vec<u8> {
    const EDGE: usize = 256;
    let at = |x: usize, y: usize| (y * EDGE + x) * 4;
    let color = |x, y| <[u8; 4]>::try_from(&colors[at(x, y)..][..4]).unwrap();
    let (ground, inside) = (color(0, 0), color(128, 100));
    let corners: [[f32; 2]; 3] = [[-0.8, -0.7], [0.85, -0.6], [0.05, 0.9]];
    let corners = corners.map(|corner| corner.map(|x| snap(x * 128.0 + 128.0)));
    let is_inside = |x: f64, y: f64| {
        (0..3).all(|n| {
            let ([x0, y0], [x1, y1]) = (corners[n], corners[(n + 1) % 3]);
            (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0)
        })
    };
    let mut picture = Vec::with_capacity(colors.len());
    for (y, x) in (0..EDGE * EDGE).map(|n| (n / EDGE, n % EDGE)) {
        let covered = positions
            .iter()
            .filter(|[dx, dy]| is_inside(x as f64 + dx / 16.0, y as f64 + dy / 16.0));
        let share = covered.count() as f64 / 4.0;
        let mixed = |n: usize| {
            let [a, b] = [inside, ground].map(|color| f64::from(color[n]));
            (b + (a - b) * share).round() as u8
        };
        picture.extend([0, 1, 2, 3].map(mixed));
    }
    picture
}

/// Compiles the scenes.
fn scenes() -> Option<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
    let program = folder("scenes").join("scenes");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
    compiler.arg(&program);
    for file in [
        "harness.c",
        "raster.c",
        "textures.c",
        "shaders.c",
        "targets.c",
    ] {
        compiler.arg(sources.join(file));
    }
    compiler.args(["-lEGL", "-lGL", "-lm"]);
    let headers = ["/usr/include/EGL/egl.h", "/usr/include/GL/glext.h"];
    let headers = headers.iter().all(|path| Path::new(path).is_file());
    let there = headers && Command::new("cc").arg("--version").output().is_ok();
    if !has("a C compiler and headers of EGL and OpenGL", there) {
        return None;
    }
    let output = compiler.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(program)
}

/// Draws all scenes; what is drawn, after the renderer's name was checked.
fn draw(mut command: Command, out: &Path, renderer: &str) -> Vec<String> {
    let output = command.arg(out).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !errors.contains("submission"),
        "{said}{errors}"
    );
    let first = said.lines().next().unwrap();
    assert!(
        first.starts_with("renderer: ") && first.to_uppercase().contains(&renderer.to_uppercase()),
        "{first}"
    );
    let drawn = said.lines().filter_map(|line| line.strip_suffix(": drawn"));
    drawn.map(str::to_owned).collect()
}

#[test]
fn pictures_are_those_of_the_software_renderer() {
    let Some(program) = scenes() else { return };
    let program = program.to_str().unwrap();
    let drivers = Path::new("/usr/lib/x86_64-linux-gnu/dri/radeonsi_dri.so");
    if !has("Mesa's drivers (libgl1-mesa-dri)", drivers.is_file()) {
        return;
    }
    let expected = folder("scenes").join("llvmpipe");
    std::fs::create_dir_all(&expected).unwrap();
    let mut software = Command::new(program);
    software.env("LIBGL_ALWAYS_SOFTWARE", "1");
    software.env("GALLIUM_DRIVER", "llvmpipe");
    draw(software, &expected, "llvmpipe");
    let drawn = std::fs::read(expected.join("samples.rgba")).unwrap();
    let modelled = triangle_of_samples(SAMPLE_GRIDS[0], &drawn);
    assert!(difference(&modelled, &drawn).0 <= 1, "samples of llvmpipe");
    let mut wrong = Vec::new();
    for (device, interface, renderer, offered) in DEVICES {
        let out = folder("scenes").join(format!("{device}-{interface}"));
        std::fs::create_dir_all(&out).unwrap();
        let drawn = draw(on(device, interface, program), &out, renderer);
        assert!(drawn.len() >= offered, "{device} as {interface}: {drawn:?}");
        captured(device, interface, program);
        for name in drawn {
            let [a, b] = [&expected, &out]
                .map(|folder| std::fs::read(folder.join(format!("{name}.rgba"))).unwrap());
            let grid = SAMPLE_GRIDS.iter().find(|grid| grid.0 == device);
            let a = match grid.filter(|_| name == "samples") {
                Some(grid) => triangle_of_samples(*grid, &b),
                None => a,
            };
            let row = DIFFERENCES
                .iter()
                .find(|row| row.0 == device && row.1 == name);
            let (most, pixels) = row.map_or((1, 0), |row| (row.2, row.3));
            let found = difference(&a, &b);
            if found.0 > most || found.1 > pixels {
                wrong.push(format!("{device} as {interface}, {name}: {found:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "differences to llvmpipe:\n{}",
        wrong.join("\n")
    );
}

/// What is captured is executed again without the driver, to the same bytes.
fn captured(device: &str, interface: &str, program: &str) {
    let out = folder("scenes").join(format!("captured-{device}-{interface}"));
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).unwrap();
    let mut command = on(device, interface, program);
    command.env("GIRIH_RUN_DUMP", &out);
    let drawn = command.arg(&out).arg("depth").output().unwrap();
    assert!(drawn.status.success());
    let instance = girih::Instance::new();
    let gpu = instance.physical_device(device).unwrap();
    let capture = girih::Capture::load(&out).unwrap();
    let picture = gpu
        .replay(&capture, &girih::DeviceDescriptor::default())
        .unwrap();
    let expected = std::fs::read(out.join("depth.rgba")).unwrap();
    assert!(picture.into_raw() == expected, "{device} as {interface}");
    let mut text = String::new();
    gpu.dump(&capture, &girih::DeviceDescriptor::default(), &mut text)
        .unwrap();
    assert!(text.contains("DRAW"), "{text}");
}
