//! Every scene on every device is the picture that was looked at, to the byte.
//!
//! `golden/<scene>.png` holds for all devices, `golden/<scene>.<device>.png` for one that rightly differs. A failure
//! writes the picture and the difference beside the golden; `UPDATE_GOLDEN=1` accepts it.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use girih::{Device, DeviceDescriptor, Instance, PhysicalDevice, Simd};
use image::RgbaImage;
use scenes::{Canvas, SCENES, Scene, benchmark, scene};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 240;

fn device(gpu: &PhysicalDevice, threads: Option<usize>, simd: Option<Simd>) -> Device {
    gpu.create_device(&DeviceDescriptor {
        label: Some("golden"),
        memory_bytes: Some(64 << 20),
        threads,
        simd,
        // What the compiler makes never relies on undefined timing.
        strict: true,
        ..DeviceDescriptor::default()
    })
    .unwrap()
}

/// A device that does everything the plain way.
fn plain(gpu: &PhysicalDevice) -> Device {
    gpu.create_device(&DeviceDescriptor {
        label: Some("plain"),
        memory_bytes: Some(64 << 20),
        threads: Some(1),
        simd: Some(Simd::BASELINE),
        fine_depth: true,
        ..DeviceDescriptor::default()
    })
    .unwrap()
}

fn render(device: &Device, scene: &Scene, frame: u32) -> RgbaImage {
    let canvas = Canvas::new(device, WIDTH, HEIGHT).unwrap();
    let mut picture = (scene.load)(device).unwrap();
    canvas.draw(picture.as_mut(), frame).unwrap();
    canvas.picture().unwrap()
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}

/// White where two pictures differ.
fn difference(a: &RgbaImage, b: &RgbaImage) -> RgbaImage {
    RgbaImage::from_fn(a.width(), a.height(), |x, y| {
        let same = b.get_pixel_checked(x, y) == Some(a.get_pixel(x, y));
        image::Rgba(if same { [0, 0, 0, 255] } else { [255; 4] })
    })
}

/// Compares a picture of a device with the golden one; the name of the files if it is another.
fn compare(gpu: &PhysicalDevice, scene: &str, picture: &RgbaImage) -> Option<String> {
    let own = path(&format!("{scene}.{}.png", gpu.name()));
    let golden = if own.exists() {
        own
    } else {
        path(&format!("{scene}.png"))
    };
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        picture.save(&golden).unwrap();
    }
    let expected = image::open(&golden).map(|image| image.to_rgba8());
    if expected.as_ref().is_ok_and(|expected| expected == picture) {
        return None;
    }
    let name = format!("{scene}.{}", gpu.name());
    picture.save(path(&format!("{name}.actual.png"))).unwrap();
    if let Ok(expected) = expected {
        let difference = difference(picture, &expected);
        difference
            .save(path(&format!("{name}.difference.png")))
            .unwrap();
    }
    Some(name)
}

const NONE: [String; 0] = [];

#[test]
fn scenes() {
    let mut wrong = Vec::new();
    for gpu in Instance::new().physical_devices() {
        let device = device(&gpu, None, None);
        for scene in SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            wrong.extend(compare(&gpu, scene.name, &render(&device, scene, 40)));
        }
    }
    assert_eq!(wrong, NONE, "see tests/golden/*.actual.png");
}

/// A scene of the benchmark, in a sixteenth of the pixels that are timed.
fn render_benchmark(device: &Device, scene: &Scene) -> RgbaImage {
    let (width, height) = (benchmark::WIDTH / 4, benchmark::HEIGHT / 4);
    let canvas = Canvas::for_benchmark(device, width, height).unwrap();
    let mut picture = (scene.load)(device).unwrap();
    canvas.draw(picture.as_mut(), 0).unwrap();
    canvas.picture().unwrap()
}

#[test]
fn benchmark_scenes() {
    let mut wrong = Vec::new();
    for gpu in Instance::new().physical_devices() {
        for scene in benchmark::SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            let picture = render_benchmark(&device(&gpu, None, None), scene);
            wrong.extend(compare(
                &gpu,
                &format!("benchmark/{}", scene.name),
                &picture,
            ));
        }
    }
    assert_eq!(wrong, NONE, "see tests/golden/benchmark/*.actual.png");
}

/// The fast ways that wide vector instructions, several threads and bounds of depths take give what the plain ones give.
#[test]
fn benchmark_scenes_do_not_depend_on_the_host() {
    for gpu in Instance::new().physical_devices() {
        for scene in benchmark::SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            let expected = render_benchmark(&plain(&gpu), scene);
            for simd in Simd::available() {
                let picture = render_benchmark(&device(&gpu, Some(2), Some(simd)), scene);
                assert!(picture == expected, "{}, {}", scene.name, simd.name());
            }
        }
    }
}

/// The same bytes with any number of threads and any vector instructions of the host.
#[test]
fn frames_do_not_depend_on_the_host() {
    let cube = scene("cube").unwrap();
    for gpu in Instance::new().physical_devices() {
        let expected = render(&plain(&gpu), cube, 40);
        for threads in [1, 2, 7] {
            for simd in Simd::available() {
                let picture = render(&device(&gpu, Some(threads), Some(simd)), cube, 40);
                assert!(
                    picture == expected,
                    "{} threads, {}: the picture differs",
                    threads,
                    simd.name()
                );
            }
        }
    }
}

/// What was drawn before does not show in what is drawn after.
#[test]
fn frames_do_not_depend_on_the_past() {
    for gpu in Instance::new().physical_devices() {
        let fresh = device(&gpu, None, None);
        let used = device(&gpu, None, None);
        for scene in SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            render(&used, scene, 3);
        }
        for scene in SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            assert!(
                render(&used, scene, 40) == render(&fresh, scene, 40),
                "{}",
                scene.name
            );
        }
    }
}
