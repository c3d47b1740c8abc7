//! Numbers of devices, memory, images, samplers and sets.

use std::num::{NonZeroU32, NonZeroU64};

use girih::*;

use super::bounds;
use crate::objects::{heap, placed, sampler};
use crate::pipelines::pipeline_layout;
use crate::sets::{entry, layout, range, set, uniform, uniforms};
use crate::{Fixture, buffer, extent, image};

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
const SAMPLED: TextureUsages = TextureUsages::TEXTURE_BINDING;

/// An image of this size and dimension that is sampled.
fn sized(
    t: &Fixture,
    dimension: TextureDimension,
    [width, height, depth]: [u32; 3],
) -> Result<Image, ImageError> {
    t.device.create_image(&ImageDescriptor {
        dimension,
        size: extent(width, height, depth),
        ..image(TextureFormat::R8Unorm, SAMPLED)
    })
}

/// A view of an image of 16 by 16 texels, 5 levels and 12 layers.
fn view(t: &Fixture, desc: &ImageViewDescriptor<'_>) -> Result<ImageView, ImageViewError> {
    let image = t.device.create_image(&ImageDescriptor {
        size: extent(16, 16, 12),
        levels: 5,
        ..image(COLOR, SAMPLED)
    });
    t.device.create_image_view(&image.unwrap(), desc)
}

fn levels([first, count]: [u32; 2]) -> ImageViewDescriptor<'static> {
    ImageViewDescriptor {
        base_mip_level: first,
        mip_level_count: Some(count),
        ..Default::default()
    }
}

fn layers([first, count]: [u32; 2]) -> ImageViewDescriptor<'static> {
    ImageViewDescriptor {
        base_array_layer: first,
        array_layer_count: Some(count),
        ..Default::default()
    }
}

fn shaped((dimension, count): (TextureViewDimension, u32)) -> ImageViewDescriptor<'static> {
    ImageViewDescriptor {
        dimension: Some(dimension),
        ..layers([0, count])
    }
}

/// A heap that an image of 64 by 64 texels fits into, more or less.
fn image_in_heap(t: &Fixture, [more, offset]: [i64; 2]) -> Result<Image, ImageError> {
    let desc = ImageDescriptor {
        size: extent(64, 64, 1),
        ..image(COLOR, SAMPLED)
    };
    let bytes = t.device.create_image(&desc).unwrap().bytes();
    let heap = heap(&t.device, bytes.checked_add_signed(more).unwrap()).unwrap();
    t.device.create_image(&ImageDescriptor {
        placement: Some(Placement {
            heap: &heap,
            offset: offset as u64,
        }),
        ..desc
    })
}

/// The device with the smallest uniform buffers.
fn least_uniforms() -> Fixture {
    let chips = Instance::new().physical_devices();
    let least = chips.min_by_key(|gpu| gpu.limits().uniform_range_bytes);
    Fixture::on(least.unwrap())
}

/// Uniforms of at least 64 bytes.
fn large(t: &Fixture, bytes: u64) -> Result<DescriptorSet, SetError> {
    let ty = BindingType::Buffer {
        ty: BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: NonZeroU64::new(64),
    };
    let most = t.device.limits().uniform_range_bytes;
    let buffer = t.buffer(u64::from(most) + 4, BufferUsages::UNIFORM);
    set(t, ty, &[(0, range(&buffer, 0, bytes))])
}

/// A set of an array of two buffers, given some.
fn array(t: &Fixture, given: usize) -> Result<DescriptorSet, SetError> {
    let layout = layout(
        t,
        &[BindGroupLayoutEntry {
            count: NonZeroU32::new(2),
            ..entry(0, uniform())
        }],
    );
    let one = BufferBinding {
        buffer: uniforms(t),
        offset: 0,
        size: None,
    };
    t.device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("set"),
        layout: &layout.unwrap(),
        entries: &[(0, Descriptor::Buffers(vec![one; given]))],
    })
}

bounds! {
    device_memory "device-memory" = |t, bytes| t.gpu().create_device(&DeviceDescriptor {
        memory_bytes: Some(bytes),
        threads: Some(1),
        ..DeviceDescriptor::default()
    });
    accepts [1 << 20]; refuses [0, (1 << 20) - 1, t.device.limits().memory_bytes + 1];

    device_threads "device-threads" = |t, threads| t.gpu().create_device(&DeviceDescriptor {
        memory_bytes: Some(1 << 20),
        threads: Some(threads),
        ..DeviceDescriptor::default()
    });
    accepts [1, 256]; refuses [0, 257];

    heap_size "heap-size" = |t, bytes| heap(&t.device, bytes);
    accepts [1]; refuses [0];

    buffer_size "buffer-size" = |t, bytes| t.device.create_buffer(&buffer(bytes, BufferUsages::UNIFORM));
    accepts [1, 2]; refuses [0];

    buffer_placement_align "buffer-placement-align" = |t, offset| {
        let heap = heap(&t.device, 4096).unwrap();
        t.device.create_buffer(&placed(&heap, offset, 16)).map(drop)
    };
    accepts [0, 256, 512]; refuses [1, 128, 255, 257];

    buffer_placement_range "buffer-placement-range" = |t, place| {
        let heap = heap(&t.device, 4096).unwrap();
        t.device.create_buffer(&placed(&heap, place[0], place[1])).map(drop)
    };
    accepts [[0, 4096], [3840, 256]]; refuses [[0, 4097], [3840, 257], [4096, 1], [256, u64::MAX]];

    buffer_access_range "buffer-access-range" = |t, place| {
        let buffer = t.buffer(16, BufferUsages::UNIFORM);
        buffer.write(place.0, &vec![0; place.1]).and(buffer.read(place.0, &mut vec![0; place.1]))
    };
    accepts [(0, 16), (12, 4), (16, 0)]; refuses [(0, 17), (13, 4), (17, 0), (u64::MAX, 1)];

    image_size_1d "image-size" = |t, size| sized(t, TextureDimension::D1, size);
    accepts [[1, 1, 1], [t.device.limits().image_2d, 1, 1]];
    refuses [[0, 1, 1], [1, 0, 1], [1, 2, 1], [t.device.limits().image_2d + 1, 1, 1]];

    image_size_2d "image-size" = |t, size| sized(t, TextureDimension::D2, size);
    accepts [[t.device.limits().image_2d, 1, 1], [1, t.device.limits().image_2d, 1], [1, 1, t.device.limits().image_layers]];
    refuses [
        [t.device.limits().image_2d + 1, 1, 1], [1, t.device.limits().image_2d + 1, 1],
        [1, 1, t.device.limits().image_layers + 1], [1, 1, 0],
    ];

    image_size_3d "image-size" = |t, size| sized(t, TextureDimension::D3, size);
    accepts [[t.device.limits().image_3d, 1, 1], [1, t.device.limits().image_3d, 1], [1, 1, t.device.limits().image_3d]];
    refuses [
        [t.device.limits().image_3d + 1, 1, 1], [1, t.device.limits().image_3d + 1, 1],
        [1, 1, t.device.limits().image_3d + 1], [1, 1, 0],
    ];

    image_levels "image-levels" = |t, case| t.device.create_image(&ImageDescriptor {
        size: extent(case[0], case[1], 1),
        levels: case[2],
        ..image(COLOR, SAMPLED)
    });
    accepts [[16, 16, 1], [16, 16, 5], [17, 1, 5], [1, 1, 1], [31, 8, 5]];
    refuses [[16, 16, 0], [16, 16, 6], [15, 15, 5], [1, 1, 2], [31, 8, 6]];

    image_samples "image-samples" = |t, samples| t.device.create_image(&ImageDescriptor {
        samples,
        ..image(COLOR, TextureUsages::RENDER_ATTACHMENT)
    });
    accepts [1, 2, 4, 8]; refuses [0, 3, 5, 7, 9, 17, 32, u32::MAX];

    image_blocks "image-blocks" = |t, size| t.device.create_image(&ImageDescriptor {
        size: extent(size[0], size[1], 1),
        ..image(TextureFormat::Bc1RgbaUnorm, SAMPLED)
    });
    accepts [[4, 4], [16, 20]]; refuses [[3, 4], [4, 5], [18, 16], [16, 1]];

    image_placement "image-placement" = |t, place| image_in_heap(t, place);
    accepts [[0, 0], [65536, 65536]]; refuses [[-1, 0], [65535, 65536], [65536, 32768], [65536, 1]];

    view_levels "view-levels" = |t, range| view(t, &levels(range));
    accepts [[0, 5], [4, 1], [2, 3]]; refuses [[0, 6], [0, 0], [5, 1], [4, 2], [1, u32::MAX]];

    view_layers "view-layers" = |t, range| view(t, &layers(range));
    accepts [[0, 12], [11, 1]]; refuses [[0, 13], [0, 0], [12, 1], [11, 2], [1, u32::MAX]];

    view_dimension "view-dimension" = |t, shape| view(t, &shaped(shape));
    accepts [
        (TextureViewDimension::D2, 1), (TextureViewDimension::D2Array, 1), (TextureViewDimension::Cube, 6),
        (TextureViewDimension::CubeArray, 6), (TextureViewDimension::CubeArray, 12),
    ];
    refuses [
        (TextureViewDimension::D2, 2), (TextureViewDimension::Cube, 5), (TextureViewDimension::Cube, 7),
        (TextureViewDimension::CubeArray, 11), (TextureViewDimension::D3, 1),
    ];

    sampler_lod "sampler-lod" = |t, clamps| t.device.create_sampler(&SamplerDescriptor {
        lod_min_clamp: clamps[0],
        lod_max_clamp: clamps[1],
        ..sampler()
    });
    accepts [[0.0, 0.0], [4.5, 4.5], [0.0, f32::INFINITY]];
    refuses [[-f32::MIN_POSITIVE, 1.0], [4.5, 4.5_f32.next_down()], [f32::NAN, 1.0], [0.0, f32::NAN]];

    sampler_bias "sampler-bias" = |t, bias| t.device.create_sampler(&SamplerDescriptor { lod_bias: bias, ..sampler() });
    accepts [-16.0, 16.0]; refuses [16.0_f32.next_up(), (-16.0_f32).next_down(), f32::NAN];

    sampler_anisotropy "sampler-anisotropy" = |t, clamp| t.device.create_sampler(&SamplerDescriptor {
        anisotropy_clamp: clamp,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        mipmap_filter: MipmapFilterMode::Linear,
        ..sampler()
    });
    accepts [1, 2, 16, u16::MAX]; refuses [0];

    sampler_anisotropy_filter "sampler-anisotropy-filter" = |t, clamp| t.device.create_sampler(&SamplerDescriptor {
        anisotropy_clamp: clamp,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        mipmap_filter: MipmapFilterMode::Nearest,
        ..sampler()
    });
    accepts [1]; refuses [2, 16];

    sampler_border_count "sampler-border-count" = |t, colors: u32| (0..colors).try_for_each(|n| {
        t.device.create_sampler(&SamplerDescriptor { border_color: Some(BorderColor::Integer([n; 4])), ..sampler() })
            .map(drop)
    });
    accepts [4080]; refuses [4081];

    set_count "set-count" = |t, given| array(t, given);
    accepts [2]; refuses [0, 1, 3];

    set_buffer_range "set-buffer-range" = |t, place| set(t, uniform(), &[(0, range(&uniforms(t), place[0], place[1]))]);
    accepts [[0, 1024], [768, 256], [0, 1]];
    refuses [[0, 1025], [768, 257], [1024, 1], [0, 0], [256, u64::MAX]];

    set_buffer_align "set-buffer-align" = |t, offset| set(t, uniform(), &[(0, range(&uniforms(t), offset, 16))]);
    accepts [0, t.device.limits().buffer_offset_align.into()];
    refuses [1, u64::from(t.device.limits().buffer_offset_align) - 1, u64::from(t.device.limits().buffer_offset_align) + 1];

    set_buffer_size "set-buffer-size" = |_t, bytes| large(&least_uniforms(), bytes);
    accepts [64, least_uniforms().device.limits().uniform_range_bytes.into()];
    refuses [63, u64::from(least_uniforms().device.limits().uniform_range_bytes) + 1];

    pipeline_layout_sets "pipeline-layout-sets" = |t, count| {
        let empty = layout(t, &[]).unwrap();
        pipeline_layout(t, &vec![&empty; count], 0)
    };
    accepts [0, MAX_DESCRIPTOR_SETS as usize]; refuses [MAX_DESCRIPTOR_SETS as usize + 1];

    pipeline_layout_push_constants "pipeline-layout-push-constants" = |t, bytes| pipeline_layout(t, &[], bytes);
    accepts [0, 4, MAX_PUSH_CONSTANT_BYTES];
    refuses [1, 2, MAX_PUSH_CONSTANT_BYTES - 1, MAX_PUSH_CONSTANT_BYTES + 1, MAX_PUSH_CONSTANT_BYTES + 4];

    fence_order "fence-order" = |t, value| t.device.create_fence(Some("fence"), 7).signal(value);
    accepts [8, u64::MAX]; refuses [0, 6, 7];
}
