//! Random descriptions of images, views, copies and clears: each call works or says which rule it breaks, and nothing
//! panics.

#![allow(clippy::unwrap_used)]

use girih::wgpu_types::{AstcBlock, AstcChannel};
use girih::*;
use proptest::prelude::*;

/// Numbers around what matters: small ones, powers of two and their neighbours, the ends.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => 0u32..20,
        2 => (0u32..32, -1i32..2).prop_map(|(bit, by)| (1u32 << bit).wrapping_add_signed(by)),
        1 => Just(u32::MAX),
        1 => any::<u32>(),
    ]
}

fn long() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => number().prop_map(u64::from),
        1 => (0u32..64, -1i64..2).prop_map(|(bit, by)| (1u64 << bit).wrapping_add_signed(by)),
        1 => any::<u64>(),
    ]
}

fn small(most: u32) -> impl Strategy<Value = u32> {
    prop_oneof![6 => 1..=most, 1 => number()]
}

fn format() -> impl Strategy<Value = TextureFormat> {
    let plain: Vec<TextureFormat> = Instance::new()
        .physical_devices()
        .flat_map(|gpu| gpu.formats().collect::<Vec<_>>())
        .chain([TextureFormat::Astc {
            block: AstcBlock::B6x5,
            channel: AstcChannel::Hdr,
        }])
        .collect();
    prop::sample::select(plain)
}

fn dimension() -> impl Strategy<Value = TextureDimension> {
    prop::sample::select(vec![
        TextureDimension::D1,
        TextureDimension::D2,
        TextureDimension::D2,
        TextureDimension::D2,
        TextureDimension::D3,
    ])
}

fn aspect() -> impl Strategy<Value = TextureAspect> {
    use TextureAspect::*;
    prop::sample::select(vec![
        All,
        All,
        All,
        DepthOnly,
        StencilOnly,
        Plane0,
        Plane1,
        Plane2,
    ])
}

fn usage() -> impl Strategy<Value = TextureUsages> {
    let copied = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
    (any::<bool>(), any::<u32>()).prop_map(move |(plain, bits)| match plain {
        true => copied,
        false => TextureUsages::from_bits_truncate(bits) | copied,
    })
}

fn extent(most: u32) -> impl Strategy<Value = Extent3d> {
    (small(most), small(most), small(6)).prop_map(|(width, height, depth_or_array_layers)| {
        Extent3d {
            width,
            height,
            depth_or_array_layers,
        }
    })
}

type Description = (
    TextureDimension,
    Extent3d,
    u32,
    u32,
    TextureFormat,
    TextureUsages,
);

fn description() -> impl Strategy<Value = Description> {
    (
        dimension(),
        extent(70),
        prop_oneof![4 => Just(1), 2 => 1u32..8, 1 => number()],
        prop_oneof![6 => Just(1), 2 => prop::sample::select(vec![2u32, 4, 8]), 1 => number()],
        format(),
        usage(),
    )
}

#[derive(Clone, Copy, Debug)]
struct Where {
    level: u32,
    origin: [u32; 3],
    aspect: TextureAspect,
    size: Extent3d,
}

fn place() -> impl Strategy<Value = Where> {
    let origin = [
        prop_oneof![3 => Just(0), 1 => number()],
        prop_oneof![3 => Just(0), 1 => number()],
        prop_oneof![3 => Just(0), 1 => number()],
    ];
    (
        prop_oneof![4 => Just(0), 2 => 0u32..8, 1 => number()],
        origin,
        aspect(),
        extent(40),
    )
        .prop_map(|(level, origin, aspect, size)| Where {
            level,
            origin,
            aspect,
            size,
        })
}

impl Where {
    fn of<'a>(&self, image: &'a Image) -> ImageCopy<'a> {
        let [x, y, z] = self.origin;
        ImageCopy {
            image,
            level: self.level,
            origin: Origin3d { x, y, z },
            aspect: self.aspect,
        }
    }
}

fn device(gpu: &PhysicalDevice) -> Device {
    gpu.create_device(&DeviceDescriptor {
        memory_bytes: Some(4 << 20),
        threads: Some(1),
        ..DeviceDescriptor::default()
    })
    .unwrap()
}

fn image(device: &Device, described: &Description) -> Result<Image, ImageError> {
    let (dimension, size, levels, samples, format, usage) = *described;
    device.create_image(&ImageDescriptor {
        label: None,
        dimension,
        size,
        levels,
        samples,
        format,
        usage,
        placement: None,
    })
}

/// Whether memory holds byte `n` of texels that were copied: of the 32 bits of a 24-bit depth, the last 8 are nothing.
fn is_held(described: &Description, there: &Where, n: usize) -> bool {
    let stencil = there.aspect == TextureAspect::StencilOnly;
    match described.4 {
        TextureFormat::Depth24Plus | TextureFormat::Depth24PlusStencil8 => stencil || n % 4 != 3,
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Copies in and out of whatever image there is; what was written is what is read.
    #[test]
    fn images_and_copies(
        described in description(),
        there in place(),
        (offset, row, rows) in (long(), proptest::option::of(long()), proptest::option::of(long())),
        fill in any::<u8>(),
    ) {
        for gpu in Instance::new().physical_devices() {
            let device = device(&gpu);
            // Before the image, which may take all memory that is left.
            let buffer = device.create_buffer(&BufferDescriptor {
                label: None,
                size: 4096,
                usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                placement: None,
            }).unwrap();
            let queue = device.queue();
            let image = match image(&device, &described) {
                Ok(image) => image,
                Err(error) => {
                    prop_assert!(error.rule().starts_with("image-"), "{error}");
                    continue;
                }
            };
            queue.transition(&image, ImageLayout::General).unwrap();
            let whole = queue.read_image(&ImageCopy::level(&image, 0), image.level_size(0));
            if let Err(error) = &whole {
                prop_assert!(["copy-aspect", "copy-samples"].contains(&error.rule()), "{error}");
            }
            let read = queue.read_image(&there.of(&image), there.size);
            match read {
                Ok(mut texels) => {
                    texels.fill(fill & 0x3f | 1);
                    queue.write_image(&there.of(&image), there.size, &texels).unwrap();
                    let again = queue.read_image(&there.of(&image), there.size).unwrap();
                    let expected: Vec<u8> = (texels.iter().enumerate())
                        .map(|(n, byte)| if is_held(&described, &there, n) { *byte } else { 0 })
                        .collect();
                    prop_assert_eq!(again, expected);
                    let short = &texels[1..];
                    let error = queue.write_image(&there.of(&image), there.size, short).unwrap_err();
                    prop_assert_eq!(error.rule(), "copy-bytes");
                }
                Err(error) => prop_assert!(error.rule().starts_with("copy-"), "{error}"),
            }
            let texels = BufferCopy { buffer: &buffer, offset, bytes_per_row: row, rows_per_slice: rows };
            let mut commands = device.create_command_buffer(None);
            let up = commands.copy_buffer_to_image(&texels, &there.of(&image), there.size);
            let down = commands.copy_image_to_buffer(&there.of(&image), &texels, there.size);
            prop_assert_eq!(up.is_ok(), down.is_ok());
            let own = commands.copy_image(&there.of(&image), &there.of(&image), there.size);
            for error in [up.err(), down.err(), own.err()].into_iter().flatten() {
                prop_assert!(error.rule().starts_with("copy-"), "{error}");
            }
            queue.submit(&[&commands], &[]).unwrap();
        }
    }

    /// Views of whatever image there is, and passes on them.
    #[test]
    fn views_and_passes(
        described in description(),
        (first, count) in (number(), proptest::option::of(number())),
        (layer, layers) in (number(), proptest::option::of(number())),
        (aspect, other) in (aspect(), proptest::option::weighted(0.2, format())),
        shape in proptest::option::of(prop::sample::select(vec![
            TextureViewDimension::D1, TextureViewDimension::D2, TextureViewDimension::D2Array,
            TextureViewDimension::Cube, TextureViewDimension::CubeArray, TextureViewDimension::D3,
        ])),
        easy in any::<bool>(),
    ) {
        for gpu in Instance::new().physical_devices() {
            let device = device(&gpu);
            let Ok(image) = image(&device, &described) else { continue };
            let desc = match easy {
                true => ImageViewDescriptor::default(),
                false => ImageViewDescriptor {
                    format: other,
                    dimension: shape,
                    aspect,
                    base_mip_level: first,
                    mip_level_count: count,
                    base_array_layer: layer,
                    array_layer_count: layers,
                    ..ImageViewDescriptor::default()
                },
            };
            let view = match device.create_image_view(&image, &desc) {
                Ok(view) => view,
                Err(error) => {
                    prop_assert!(error.rule().starts_with("view-"), "{error}");
                    continue;
                }
            };
            device.queue().transition(&image, ImageLayout::General).unwrap();
            let mut commands = device.create_command_buffer(None);
            let color = ColorAttachment {
                view: &view,
                resolve: None,
                load: LoadOp::Clear(Color::WHITE),
                store: StoreOp::Store,
            };
            let depth = DepthStencilAttachment {
                view: &view,
                depth: AspectAccess::Write { load: LoadOp::Clear(0.5), store: StoreOp::Store },
                stencil: AspectAccess::Write { load: LoadOp::Clear(3), store: StoreOp::Store },
                resolve: None,
            };
            for pass in [
                RenderPass { label: None, colors: &[Some(color)], depth_stencil: None },
                RenderPass { label: None, colors: &[], depth_stencil: Some(depth) },
            ] {
                match commands.begin_pass(&pass) {
                    Ok(()) => commands.end_pass().unwrap(),
                    Err(error) => prop_assert!(error.rule().starts_with("pass-"), "{error}"),
                }
            }
            device.queue().submit(&[&commands], &[]).unwrap();
        }
    }
}
