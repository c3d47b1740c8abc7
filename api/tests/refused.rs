//! Uploads and read-backs that cannot be, and what a device lacks.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup, depth};

const COPIED: TextureUsages = TextureUsages::COPY_SRC.union(TextureUsages::COPY_DST);

fn extent(width: u32, height: u32, depth_or_array_layers: u32) -> Extent3d {
    Extent3d {
        width,
        height,
        depth_or_array_layers,
    }
}

/// Sizes, places and formats that cannot be: each is an error with a name, and none reaches the device.
#[test]
fn what_cannot_be_copied_is_refused_by_name() {
    Harness::each().for_each(refuse);
}

fn refuse(t: Harness) {
    let sized = |width, height, depth, dimension, format| {
        let desc = ImageDescriptor {
            label: Some("image"),
            dimension,
            size: extent(width, height, depth),
            levels: 1,
            samples: 1,
            format,
            usage: COPIED | TextureUsages::TEXTURE_BINDING,
            placement: None,
        };
        t.device.create_image(&desc).map(drop).unwrap_err().rule()
    };
    let limits = t.device.limits();
    let rgba = TextureFormat::Rgba8Unorm;
    let (d2, d3) = (TextureDimension::D2, TextureDimension::D3);
    assert_eq!(sized(limits.image_2d + 1, 1, 1, d2, rgba), "image-size");
    assert_eq!(sized(1, u32::MAX, 1, d2, rgba), "image-size");
    assert_eq!(sized(1, 1, limits.image_layers + 1, d2, rgba), "image-size");
    assert_eq!(sized(1, 1, limits.image_3d + 1, d3, rgba), "image-size");
    assert_eq!(sized(4, 0, 1, d2, rgba), "image-size");
    assert_eq!(
        sized(limits.image_2d, limits.image_2d, 1, d2, rgba),
        "image-memory"
    );
    assert_eq!(
        sized(7, 8, 1, d2, TextureFormat::Bc1RgbaUnorm),
        "image-blocks"
    );
    assert_eq!(sized(7, 8, 1, d2, TextureFormat::NV12), "image-blocks");
    let etc2 = TextureFormat::Etc2Rgb8Unorm;
    let gpu = t.device.physical_device();
    if !gpu.format_capabilities(etc2).sampled {
        assert_eq!(sized(8, 8, 1, d2, etc2), "image-format");
    }

    let flat = |format, size, levels| {
        let desc = ImageDescriptor {
            label: Some("image"),
            dimension: d2,
            size,
            levels,
            samples: 1,
            format,
            usage: COPIED | TextureUsages::TEXTURE_BINDING,
            placement: None,
        };
        let image = t.device.create_image(&desc).unwrap();
        t.queue.transition(&image, ImageLayout::General).unwrap();
        image
    };
    let image = flat(rgba, extent(8, 8, 1), 1);
    let blocks = flat(TextureFormat::Bc1RgbaUnorm, extent(16, 16, 2), 2);
    let at = |image, level, [x, y, z]: [u32; 3]| ImageCopy {
        level,
        origin: Origin3d { x, y, z },
        ..ImageCopy::level(image, 0)
    };
    let read = |from: ImageCopy<'_>, size| t.queue.read_image(&from, size).unwrap_err().rule();
    for (from, size, rule) in [
        (at(&image, 0, [0, 0, 0]), extent(0, 8, 1), "copy-region"),
        (at(&image, 0, [0, 0, 0]), extent(8, 8, 0), "copy-region"),
        (at(&image, 0, [1, 0, 0]), extent(8, 8, 1), "copy-region"),
        (
            at(&image, 0, [u32::MAX, 0, 0]),
            extent(2, 1, 1),
            "copy-region",
        ),
        (at(&image, 0, [0, 0, 1]), extent(8, 8, 1), "copy-region"),
        (at(&image, 1, [0, 0, 0]), extent(1, 1, 1), "copy-region"),
        (
            at(&image, u32::MAX, [0, 0, 0]),
            extent(1, 1, 1),
            "copy-region",
        ),
        (at(&blocks, 0, [2, 0, 0]), extent(4, 4, 1), "copy-blocks"),
        (at(&blocks, 0, [0, 0, 0]), extent(4, 3, 1), "copy-blocks"),
        (at(&blocks, 1, [0, 0, 1]), extent(8, 8, 2), "copy-region"),
    ] {
        assert_eq!(read(from, size), rule, "{from:?} {size:?}");
    }
    let short = t
        .queue
        .write_image(&at(&image, 0, [0; 3]), extent(8, 8, 1), &[0; 255]);
    assert_eq!(short.unwrap_err().rule(), "copy-bytes");

    let buffer = t
        .device
        .create_buffer(&BufferDescriptor {
            label: Some("buffer"),
            size: 256,
            usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            placement: None,
        })
        .unwrap();
    let mut commands = t.device.create_command_buffer(None);
    let packed = BufferCopy::at(&buffer, 0);
    for (from, rule) in [
        (
            BufferCopy {
                offset: 1,
                ..packed
            },
            "copy-bytes",
        ),
        (
            BufferCopy {
                offset: u64::MAX,
                ..packed
            },
            "copy-bytes",
        ),
        (
            BufferCopy {
                bytes_per_row: Some(31),
                ..packed
            },
            "copy-pitch",
        ),
        (
            BufferCopy {
                bytes_per_row: Some(33),
                ..packed
            },
            "copy-bytes",
        ),
        (
            BufferCopy {
                bytes_per_row: Some(u64::MAX),
                ..packed
            },
            "copy-bytes",
        ),
        (
            BufferCopy {
                rows_per_slice: Some(7),
                ..packed
            },
            "copy-pitch",
        ),
    ] {
        let to = ImageCopy::level(&image, 0);
        let error = commands
            .copy_buffer_to_image(&from, &to, extent(8, 8, 1))
            .unwrap_err();
        assert_eq!(error.rule(), rule, "{from:?}");
        let error = commands
            .copy_image_to_buffer(&to, &from, extent(8, 8, 1))
            .unwrap_err();
        assert_eq!(error.rule(), rule, "{from:?}");
    }
    let [from, to] = [&image, &blocks].map(|image| ImageCopy::level(image, 0));
    let error = commands
        .copy_image(&from, &to, extent(4, 4, 1))
        .unwrap_err();
    assert_eq!(error.rule(), "copy-format");
    assert_eq!(
        commands
            .update_buffer(&buffer, 2, &[0; 4])
            .unwrap_err()
            .rule(),
        "command-buffer-align"
    );
    assert_eq!(
        commands
            .update_buffer(&buffer, 256, &[0; 4])
            .unwrap_err()
            .rule(),
        "command-buffer-range"
    );
    assert_eq!(
        t.queue.read_picture(&blocks).unwrap_err().rule(),
        "copy-picture"
    );
    // Nothing of it was recorded.
    t.queue.submit(&[&commands], &[]).unwrap();
}

/// What a device says it lacks is refused when the object is made; what it says it has is made.
#[test]
fn features_that_a_device_lacks_are_refused_by_name() {
    for harness in Harness::each() {
        let features = *harness.device.features();
        let check = |has: bool, rule: Option<&str>, wanted: &str| {
            let wanted = if has { None } else { Some(wanted) };
            assert_eq!(rule, wanted, "{:?}", harness.device);
        };
        let plain = SamplerDescriptor {
            label: Some("sampler"),
            ..SamplerDescriptor::default()
        };
        let samplers = [
            (
                features.sampler_reduction,
                SamplerDescriptor {
                    reduction: Reduction::Max,
                    ..plain
                },
            ),
            (
                features.unnormalized_samplers,
                SamplerDescriptor {
                    unnormalized: true,
                    ..plain
                },
            ),
            (
                features.separate_cube_faces,
                SamplerDescriptor {
                    seamless_cubes: false,
                    ..plain
                },
            ),
            (true, plain),
        ];
        for (has, desc) in samplers {
            let made = harness.device.create_sampler(&desc).map_err(|e| e.rule());
            check(has, made.err(), "sampler-feature");
        }
        let shaders = EVERYWHERE.to_owned()
            + "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
        let mut setup = Setup {
            depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
            ..Setup::default()
        };
        setup.raster.depth_bounds = Some([0.25, 0.75]);
        let made = harness.try_pipeline(&setup, &shaders).map_err(|e| e.rule());
        check(features.depth_bounds, made.err(), "pipeline-feature");

        let entry = BindGroupLayoutEntry {
            binding: 0,
            visibility: ShaderStages::FRAGMENT,
            ty: BindingType::Buffer {
                ty: BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let desc = DescriptorSetLayoutDescriptor {
            label: Some("set"),
            entries: &[entry],
        };
        let layout = harness.device.create_descriptor_set_layout(&desc).unwrap();
        let setup = Setup {
            sets: vec![&layout],
            ..Setup::default()
        };
        let shaders = EVERYWHERE.to_owned()
            + "@group(0) @binding(0) var<storage, read_write> b: array<u32>;
               @fragment fn fragment() -> @location(0) vec4f { b[0] = 1u; return vec4f(1.0); }";
        let made = harness.try_pipeline(&setup, &shaders).map_err(|e| e.rule());
        check(features.shader_stores, made.err(), "pipeline-compile");
    }
}
