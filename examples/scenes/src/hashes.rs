//! Hashes of small pictures of every scene on every device, so that hosts are compared without files of pictures.
//! `api/tests/golden/hashes.txt` has those that every host gives.

use girih::{DeviceDescriptor, Instance, PhysicalDevice};

use crate::{Canvas, Failure, SCENES, Scene, benchmark};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 72;
const MEMORY: u64 = 64 << 20;

/// Lines of a device, a scene and the hash of its picture.
pub fn lines() -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for gpu in Instance::new().physical_devices() {
        for scene in SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            let hash = hash(&gpu, scene, Canvas::new, 40)?;
            lines.push(format!("{} {} {hash:016x}", gpu.name(), scene.name));
        }
        for scene in benchmark::SCENES.iter().filter(|scene| scene.suits(&gpu)) {
            let hash = hash(&gpu, scene, Canvas::for_benchmark, 0)?;
            lines.push(format!(
                "{} benchmark/{} {hash:016x}",
                gpu.name(),
                scene.name
            ));
        }
    }
    Ok(lines)
}

fn hash(
    gpu: &PhysicalDevice,
    scene: &Scene,
    canvas: fn(&girih::Device, u32, u32) -> Result<Canvas, Failure>,
    frame: u32,
) -> Result<u64, Failure> {
    let device = gpu.create_device(&DeviceDescriptor {
        label: Some(scene.name),
        memory_bytes: Some(MEMORY),
        ..DeviceDescriptor::default()
    })?;
    let canvas = canvas(&device, WIDTH, HEIGHT)?;
    let mut picture = (scene.load)(&device)?;
    canvas.draw(picture.as_mut(), frame)?;
    Ok(fnv1a(canvas.picture()?.as_raw()))
}

/// FNV-1a, 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    /// Values of the authors of the hash.
    #[test]
    fn known_hashes() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(super::fnv1a(text.as_bytes()), hash, "{text}");
        }
    }
}
