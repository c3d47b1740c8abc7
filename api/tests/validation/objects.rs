//! Rules of devices, memory, buffers, images, views, samplers, fences.

use girih::*;

use crate::{Fixture, breaks, buffer, extent, image};

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
const SAMPLED: TextureUsages = TextureUsages::TEXTURE_BINDING;

pub fn placed<'a>(heap: &'a Heap, offset: u64, size: u64) -> BufferDescriptor<'a> {
    BufferDescriptor {
        placement: Some(Placement { heap, offset }),
        ..buffer(size, BufferUsages::UNIFORM)
    }
}

pub fn heap(device: &Device, bytes: u64) -> Result<Heap, HeapError> {
    device.create_heap(&HeapDescriptor {
        label: Some("heap"),
        bytes,
    })
}

pub fn sampler() -> SamplerDescriptor<'static> {
    SamplerDescriptor {
        label: Some("sampler"),
        ..SamplerDescriptor::default()
    }
}

breaks! {
    device_name "device-name" = |_t| Instance::new().physical_device("no such chip");
    device_memory "device-memory" = |t| t.gpu().create_device(&DeviceDescriptor {
        memory_bytes: Some(4096),
        ..DeviceDescriptor::default()
    });
    device_threads "device-threads" = |t| t.gpu().create_device(&DeviceDescriptor {
        threads: Some(0),
        ..DeviceDescriptor::default()
    });
    heap_size "heap-size" = |t| heap(&t.device, 0);
    heap_memory "heap-memory" = |t| heap(&t.device, 1 << 40);
    buffer_size "buffer-size" = |t| t.device.create_buffer(&buffer(0, BufferUsages::UNIFORM));
    buffer_usage "buffer-usage" = |t| t.device.create_buffer(&buffer(16, BufferUsages::empty()));
    buffer_placement_align "buffer-placement-align" = |t| {
        let heap = heap(&t.device, 4096).unwrap();
        t.device.create_buffer(&placed(&heap, 3, 16))
    };
    buffer_placement_range "buffer-placement-range" = |t| {
        let heap = heap(&t.device, 4096).unwrap();
        t.device.create_buffer(&placed(&heap, 4096 - 256, 257))
    };
    buffer_memory "buffer-memory" = |t| t.device.create_buffer(&buffer(1 << 40, BufferUsages::UNIFORM));
    buffer_access_range "buffer-access-range" = |t| t.buffer(16, BufferUsages::UNIFORM).write(13, &[0; 4]);

    image_size "image-size" = |t| t.device.create_image(&ImageDescriptor {
        size: extent(0, 16, 1),
        ..image(COLOR, SAMPLED)
    });
    image_levels "image-levels" = |t| t.device.create_image(&ImageDescriptor {
        levels: 6,
        ..image(COLOR, SAMPLED)
    });
    image_samples "image-samples" = |t| t.device.create_image(&ImageDescriptor {
        samples: 3,
        ..image(COLOR, SAMPLED)
    });
    image_usage "image-usage" = |t| t.device.create_image(&image(COLOR, TextureUsages::empty()));
    image_format "image-format" = |t| t.device.create_image(&image(
        TextureFormat::Bc1RgbaUnorm,
        TextureUsages::RENDER_ATTACHMENT,
    ));
    image_blocks "image-blocks" = |t| t.device.create_image(&ImageDescriptor {
        size: extent(18, 16, 1),
        ..image(TextureFormat::Bc1RgbaUnorm, SAMPLED)
    });
    image_shape "image-shape" = |_t| {
        let flat = &Fixture::with(|features| !features.texture_arrays);
        flat.device.create_image(&ImageDescriptor {
            size: extent(16, 16, 2),
            ..image(COLOR, SAMPLED)
        })
    };
    image_placement "image-placement" = |t| {
        let heap = heap(&t.device, 1024).unwrap();
        t.device.create_image(&ImageDescriptor {
            size: extent(64, 64, 1),
            placement: Some(Placement { heap: &heap, offset: 0 }),
            ..image(COLOR, SAMPLED)
        })
    };
    image_memory "image-memory" = |t| t.device.create_image(&ImageDescriptor {
        size: extent(8192, 8192, 1),
        ..image(COLOR, SAMPLED)
    });

    view_levels "view-levels" = |t| {
        let image = t.image(COLOR, SAMPLED);
        t.device.create_image_view(&image, &ImageViewDescriptor {
            base_mip_level: 1,
            ..ImageViewDescriptor::default()
        })
    };
    view_layers "view-layers" = |t| {
        let image = t.image(COLOR, SAMPLED);
        t.device.create_image_view(&image, &ImageViewDescriptor {
            array_layer_count: Some(2),
            ..ImageViewDescriptor::default()
        })
    };
    view_dimension "view-dimension" = |t| {
        let image = t.image(COLOR, SAMPLED);
        t.device.create_image_view(&image, &ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D3),
            ..ImageViewDescriptor::default()
        })
    };
    view_feature "view-feature" = |_t| {
        let flat = &Fixture::with(|features| !features.texture_arrays);
        let cube = ImageDescriptor { size: extent(16, 16, 6), ..image(COLOR, SAMPLED) };
        let cube = flat.device.create_image(&cube).unwrap();
        flat.device.create_image_view(&cube, &ImageViewDescriptor::default())
    };
    view_format "view-format" = |t| {
        let image = t.image(COLOR, SAMPLED);
        t.device.create_image_view(&image, &ImageViewDescriptor {
            format: Some(TextureFormat::R32Float),
            ..ImageViewDescriptor::default()
        })
    };
    view_aspect "view-aspect" = |t| {
        let image = t.image(COLOR, SAMPLED);
        t.device.create_image_view(&image, &ImageViewDescriptor {
            aspect: TextureAspect::StencilOnly,
            ..ImageViewDescriptor::default()
        })
    };

    sampler_lod "sampler-lod" = |t| t.device.create_sampler(&SamplerDescriptor {
        lod_min_clamp: 5.0,
        lod_max_clamp: 4.0,
        ..sampler()
    });
    sampler_bias "sampler-bias" = |t| t.device.create_sampler(&SamplerDescriptor {
        lod_bias: f32::NAN,
        ..sampler()
    });
    sampler_border_count "sampler-border-count" = |t| {
        // The same colour takes one entry only.
        let color = |n: u32| t.device.create_sampler(&SamplerDescriptor {
            border_color: Some(BorderColor::Integer([n / 2; 4])),
            ..sampler()
        });
        (0..2 * 4080).for_each(|n| drop(color(n).unwrap()));
        color(u32::MAX)
    };
    sampler_reduction "sampler-reduction" = |t| t.device.create_sampler(&SamplerDescriptor {
        compare: Some(CompareFunction::Less),
        reduction: Reduction::Min,
        ..sampler()
    });
    sampler_unnormalized "sampler-unnormalized" = |t| t.device.create_sampler(&SamplerDescriptor {
        unnormalized: true,
        address_mode_u: AddressMode::Repeat,
        ..sampler()
    });
    sampler_feature "sampler-feature" = |_all| {
        let lacking = crate::Fixture::with(|features| !features.sampler_reduction);
        lacking.device.create_sampler(&SamplerDescriptor {
            reduction: Reduction::Min,
            ..sampler()
        })
    };
    sampler_anisotropy "sampler-anisotropy" = |t| t.device.create_sampler(&SamplerDescriptor {
        anisotropy_clamp: 0,
        ..sampler()
    });
    sampler_anisotropy_filter "sampler-anisotropy-filter" = |t| t.device.create_sampler(&SamplerDescriptor {
        anisotropy_clamp: 4,
        ..sampler()
    });
    sampler_border "sampler-border" = |t| t.device.create_sampler(&SamplerDescriptor {
        address_mode_v: AddressMode::ClampToBorder,
        ..sampler()
    });

    fence_order "fence-order" = |t| t.device.create_fence(Some("fence"), 7).signal(6);
}
