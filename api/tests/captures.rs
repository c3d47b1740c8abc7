//! What is captured is executed again to the same bytes, from memory and from a folder, on every device.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use girih::*;
use scenes::{Canvas, image::RgbaImage, scene};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 64;

fn device(gpu: &PhysicalDevice) -> Device {
    let desc = DeviceDescriptor {
        label: Some("captured"),
        memory_bytes: Some(32 << 20),
        threads: Some(1),
        ..DeviceDescriptor::default()
    };
    gpu.create_device(&desc).unwrap()
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn streams(capture: &Capture) -> usize {
    let streams = capture.steps.iter();
    streams
        .filter(|step| matches!(step, Step::Execute { .. }))
        .count()
}

/// Executes a capture, also after a way through a folder.
#[track_caller]
fn check(gpu: &PhysicalDevice, name: &str, capture: &Capture, expected: &RgbaImage) {
    let folder = folder(&format!("{name}-{}", gpu.name()));
    capture.save(&folder).unwrap();
    let loaded = Capture::load(&folder).unwrap();
    assert!(loaded == *capture, "{name} on {}", gpu.name());
    let replayed = gpu.replay(&loaded, &DeviceDescriptor::default()).unwrap();
    assert!(replayed == *expected, "{name} on {}", gpu.name());
}

/// The second frame: what the first left in memory and in registers is there or does not matter. `edges` draws with
/// several samples, `cube` with depth and textures, `particles` dispatches.
#[test]
fn scenes_are_executed_to_the_same_bytes() {
    for gpu in Instance::new().physical_devices() {
        let scenes = [
            "triangle",
            "cube",
            "edges",
            "lines",
            "samplers",
            "particles",
        ]
        .map(|name| scene(name).unwrap());
        for scene in scenes.into_iter().filter(|scene| scene.suits(&gpu)) {
            let name = scene.name;
            let device = device(&gpu);
            let canvas = Canvas::new(&device, WIDTH, HEIGHT).unwrap();
            let mut picture = (scene.load)(&device).unwrap();
            canvas.draw(picture.as_mut(), 0).unwrap();
            let first = canvas.picture().unwrap();
            device.begin_capture().unwrap();
            canvas.draw(picture.as_mut(), 30).unwrap();
            let capture = device.end_capture(Some(canvas.image())).unwrap();
            let drawn = canvas.picture().unwrap();
            assert!(first != drawn || !["cube", "lines", "particles"].contains(&name));
            check(&gpu, name, &capture, &drawn);

            let mut text = String::new();
            gpu.dump(&capture, &DeviceDescriptor::default(), &mut text)
                .unwrap();
            let heads = text.lines().filter(|line| line.starts_with("stream of "));
            assert_eq!(heads.count(), streams(&capture));
            let clipping = ["PA_CL_CLIP_CNTL = ", "VAP_CLIP_CNTL = ", "PPP_CTRL = "];
            assert!(clipping.iter().any(|name| text.contains(name)), "{text}");
            assert!(
                !text.contains("unknown") && !text.contains("ends here"),
                "{text}"
            );
        }
    }
}

struct Steps {
    device: Device,
    queue: Queue,
    image: Image,
    view: ImageView,
}

impl Steps {
    fn new(gpu: &PhysicalDevice, format: TextureFormat) -> Steps {
        let device = device(gpu);
        let image = device
            .create_image(&ImageDescriptor {
                label: Some("picture"),
                size: Extent3d {
                    width: 24,
                    height: 16,
                    depth_or_array_layers: 1 + u32::from(gpu.features().texture_arrays),
                },
                levels: 2,
                format,
                usage: TextureUsages::RENDER_ATTACHMENT
                    | TextureUsages::COPY_SRC
                    | TextureUsages::COPY_DST,
                ..Default::default()
            })
            .unwrap();
        let desc = ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2),
            mip_level_count: Some(1),
            array_layer_count: Some(1),
            ..Default::default()
        };
        let view = device.create_image_view(&image, &desc).unwrap();
        Steps {
            queue: device.queue(),
            device,
            image,
            view,
        }
    }

    fn clear(&self, color: Color) {
        let mut commands = self.device.create_command_buffer(None);
        let attached = ImageLayout::ColorAttachment;
        commands.transition_all(&[(&self.image, attached)]).unwrap();
        let color = ColorAttachment {
            load: LoadOp::Clear(color),
            ..(&self.view).into()
        };
        commands
            .begin_pass(&RenderPass {
                colors: &[Some(color)],
                ..Default::default()
            })
            .unwrap();
        commands.end_pass().unwrap();
        self.queue.submit(&[&commands], &[]).unwrap();
    }

    /// The host writes a texel.
    fn write(&self, x: u32, texel: &[u8]) {
        self.queue
            .transition(&self.image, ImageLayout::CopyDestination)
            .unwrap();
        let one = Extent3d {
            width: 1,
            height: 1,
            depth_or_array_layers: 1,
        };
        let at = ImageCopy {
            origin: Origin3d { x, y: 3, z: 0 },
            ..ImageCopy::level(&self.image, 0)
        };
        self.queue.write_image(&at, one, texel).unwrap();
    }
}

/// A stream of words that are no packets, behind one that is right.
#[test]
fn streams_that_trap_are_printed() {
    for gpu in Instance::new().physical_devices() {
        let steps = Steps::new(&gpu, TextureFormat::Rgba8Unorm);
        steps.device.begin_capture().unwrap();
        steps.clear(Color::GREEN);
        let mut capture = steps.device.end_capture(None).unwrap();
        let mut of_streams = capture.steps.iter().filter_map(|step| match step {
            Step::Execute { address, .. } => Some(*address),
            _ => None,
        });
        let address = of_streams.next_back().unwrap();
        let bytes = [0xff; 8].to_vec();
        capture.steps.push(Step::Write { address, bytes });
        capture.steps.push(Step::Execute { address, words: 2 });
        let mut text = String::new();
        let done = gpu.dump(&capture, &DeviceDescriptor::default(), &mut text);
        let trapped = matches!(done, Err(CaptureError::Trap { .. }));
        assert!(trapped, "{}: {done:?}", gpu.name());
        let printed = text.matches("stream of ").count();
        assert_eq!(printed, streams(&capture), "{text}");
        assert!(text.contains(&format!("stream of 2 words at {address:#x}")));
    }
}

/// Streams and host copies in turn: before the capture, between submissions, after the last one.
#[test]
fn host_copies_between_streams_are_kept() {
    let formats = [
        (TextureFormat::Bgra8UnormSrgb, &[1, 2, 3, 4][..]),
        (
            TextureFormat::Rgba16Float,
            &[0, 0x3c, 0, 0x38, 0, 0, 0, 0x3c],
        ),
    ];
    for gpu in Instance::new().physical_devices() {
        for (format, texel) in formats {
            let steps = Steps::new(&gpu, format);
            steps.clear(Color::GREEN);
            steps.write(1, texel);
            steps.device.begin_capture().unwrap();
            steps.write(2, texel);
            // A stream that copies what is there to a buffer and back: the chip and the host in one submission.
            let buffer = |contents: u8| {
                let desc = BufferInitDescriptor {
                    label: None,
                    contents: &[contents; 8 * 8 * 8],
                    usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                };
                steps.device.create_buffer_init(&desc).unwrap()
            };
            let (source, target) = (buffer(0x3a), buffer(0));
            let [source, target] = [&source, &target].map(|buffer| BufferCopy::at(buffer, 0));
            let mut commands = steps.device.create_command_buffer(None);
            commands.copy_buffer(&source, &target, 512).unwrap();
            let copied = ImageLayout::CopyDestination;
            commands.transition_all(&[(&steps.image, copied)]).unwrap();
            let size = Extent3d {
                width: 8,
                height: 8,
                depth_or_array_layers: 1,
            };
            let to = ImageCopy {
                origin: Origin3d { x: 8, y: 8, z: 0 },
                ..ImageCopy::level(&steps.image, 0)
            };
            commands.copy_buffer_to_image(&target, &to, size).unwrap();
            commands.copy_buffer(&target, &source, 64).unwrap();
            steps.queue.submit(&[&commands], &[]).unwrap();
            steps.write(4, texel);
            let read = ImageLayout::CopySource;
            steps.queue.transition(&steps.image, read).unwrap();
            let capture = steps.device.end_capture(Some(&steps.image)).unwrap();
            let picture = steps.queue.read_picture(&steps.image).unwrap();
            assert_eq!(streams(&capture), 2);
            assert_ne!(picture.get_pixel(9, 9), picture.get_pixel(4, 3));
            check(&gpu, "host", &capture, &picture);

            // The next one has the passes of two submissions.
            steps.device.begin_capture().unwrap();
            steps.clear(Color::RED);
            steps.write(5, texel);
            steps.clear(Color::BLUE);
            steps.write(6, texel);
            steps.queue.transition(&steps.image, read).unwrap();
            let capture = steps.device.end_capture(Some(&steps.image)).unwrap();
            let picture = steps.queue.read_picture(&steps.image).unwrap();
            assert_eq!(picture.get_pixel(0, 0).0, [0, 0, 255, 255]);
            assert_eq!(streams(&capture), 2);
            check(&gpu, "passes", &capture, &picture);
        }
    }
}

/// A folder that another program wrote: plain files at addresses, several streams, rows of texels.
#[test]
fn other_programs_write_folders() {
    for gpu in Instance::new().physical_devices() {
        let folder = folder(&format!("foreign-{}", gpu.name()));
        std::fs::create_dir_all(&folder).unwrap();
        // Filler packets; rows of three texels, 16 bytes apart, the last without what would follow it.
        std::fs::write(
            folder.join("stream.bin"),
            0x8000_0000_u32.to_le_bytes().repeat(4),
        )
        .unwrap();
        let texels: Vec<u8> = (0..28).collect();
        std::fs::write(folder.join("texels.bin"), [&[9; 4], &texels[..]].concat()).unwrap();
        let index = format!(
            r#"{{ "format": "girih-capture", "version": 1, "device": "{}", "memory_bytes": 1048576,
                  "steps": [
                      {{ "write": {{ "address": 4096, "file": "stream.bin" }} }},
                      {{ "execute": {{ "address": 4096, "words": 4 }} }},
                      {{ "write": {{ "address": 1048548, "file": "texels.bin", "offset": 4 }} }},
                      {{ "write": {{ "address": 1048549, "file": "texels.bin", "bytes": 1 }} }},
                      {{ "execute": {{ "address": 4100, "words": 2 }} }}
                  ],
                  "picture": {{ "surface": {{ "address": 1048548, "format": "bgra8unorm", "width": 3,
                                              "height": 2, "pitch": 16 }} }} }}"#,
            gpu.name()
        );
        std::fs::write(folder.join("capture.json"), index).unwrap();
        let capture = Capture::load(&folder).unwrap();
        assert_eq!((capture.steps.len(), streams(&capture)), (5, 2));
        let picture = gpu.replay(&capture, &DeviceDescriptor::default()).unwrap();
        assert_eq!(picture.dimensions(), (3, 2));
        assert_eq!(picture.get_pixel(0, 0).0, [2, 9, 0, 3]);
        assert_eq!(picture.get_pixel(2, 1).0, [26, 25, 24, 27]);
    }
}

/// Pages that are equal are saved once, and a device that is not captured keeps nothing.
#[test]
fn equal_pages_are_saved_once() {
    let gpu = Instance::new().physical_devices().next().unwrap();
    let capture = Capture {
        device: gpu.name().to_owned(),
        memory_bytes: 1 << 20,
        steps: vec![
            Step::Write {
                address: 8192,
                bytes: vec![5; 4 * 4096],
            },
            Step::Write {
                address: 8192,
                bytes: [vec![0; 4096], vec![5; 4096]].concat(),
            },
            Step::Write {
                address: 3,
                bytes: vec![1, 2, 3],
            },
        ],
        picture: None,
    };
    let folder = folder("pages");
    capture.save(&folder).unwrap();
    let size = |name: &str| std::fs::metadata(folder.join(name)).unwrap().len();
    assert_eq!((size("pages.bin"), size("bytes.bin")), (2 * 4096, 3));
    assert_eq!(Capture::load(&folder).unwrap(), capture);

    let steps = Steps::new(&gpu, TextureFormat::Rgba8Unorm);
    steps.device.begin_capture().unwrap();
    steps.device.end_capture(None).unwrap();
    steps.clear(Color::RED);
    assert!(steps.device.end_capture(None).is_err());
}
