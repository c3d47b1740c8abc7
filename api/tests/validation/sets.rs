//! Rules of descriptor set layouts and descriptor sets.

use std::num::{NonZeroU32, NonZeroU64};

use girih::*;

use crate::{Fixture, breaks};

pub fn uniform() -> BindingType {
    BindingType::Buffer {
        ty: BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

pub fn storage() -> BindingType {
    BindingType::Buffer {
        ty: BufferBindingType::Storage { read_only: false },
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

pub fn dynamic() -> BindingType {
    BindingType::Buffer {
        ty: BufferBindingType::Uniform,
        has_dynamic_offset: true,
        min_binding_size: None,
    }
}

pub fn sampled() -> BindingType {
    BindingType::Texture {
        sample_type: TextureSampleType::Float { filterable: true },
        view_dimension: TextureViewDimension::D2,
        multisampled: false,
    }
}

pub fn entry(binding: u32, ty: BindingType) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    }
}

pub fn layout(
    t: &Fixture,
    entries: &[BindGroupLayoutEntry],
) -> Result<DescriptorSetLayout, SetLayoutError> {
    t.device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: Some("layout"),
            entries,
        })
}

/// A set of one binding 0 of a type.
pub fn set(
    t: &Fixture,
    ty: BindingType,
    entries: &[(u32, Descriptor)],
) -> Result<DescriptorSet, SetError> {
    let layout = layout(t, &[entry(0, ty)]).unwrap();
    t.device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("set"),
        layout: &layout,
        entries,
    })
}

pub fn uniforms(t: &Fixture) -> Buffer {
    t.buffer(1024, BufferUsages::UNIFORM)
}

pub fn range(buffer: &Buffer, offset: u64, size: u64) -> Descriptor {
    Descriptor::Buffer(BufferBinding {
        buffer: buffer.clone(),
        offset,
        size: Some(size),
    })
}

pub fn sampler(t: &Fixture) -> Sampler {
    t.device
        .create_sampler(&SamplerDescriptor::default())
        .unwrap()
}

breaks! {
    set_layout_duplicate "set-layout-duplicate" = |t| layout(t, &[entry(1, uniform()), entry(1, sampled())]);
    set_layout_type "set-layout-type" = |t| layout(t, &[entry(0, BindingType::Texture {
        sample_type: TextureSampleType::Uint,
        view_dimension: TextureViewDimension::D3,
        multisampled: true,
    })]);
    set_layout_dynamic_array "set-layout-dynamic-array" = |t| layout(t, &[BindGroupLayoutEntry {
        count: NonZeroU32::new(2),
        ..entry(0, dynamic())
    }]);

    set_missing "set-missing" = |t| set(t, uniform(), &[]);
    set_unknown "set-unknown" = |t| {
        let buffer = uniforms(t);
        set(t, uniform(), &[(0, (&buffer).into()), (3, (&buffer).into())])
    };
    set_type "set-type" = |t| set(t, uniform(), &[(0, (&sampler(t)).into())]);
    set_count "set-count" = |t| set(t, uniform(), &[(0, Descriptor::Buffers(vec![]))]);
    set_usage "set-usage" = |t| {
        let buffer = t.buffer(1024, BufferUsages::VERTEX);
        set(t, uniform(), &[(0, (&buffer).into())])
    };
    set_buffer_range "set-buffer-range" = |t| set(t, uniform(), &[(0, range(&uniforms(t), 256, 1024))]);
    set_buffer_align "set-buffer-align" = |t| set(t, uniform(), &[(0, range(&uniforms(t), 1, 16))]);
    set_buffer_size "set-buffer-size" = |t| {
        let ty = BindingType::Buffer {
            ty: BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(64),
        };
        set(t, ty, &[(0, range(&uniforms(t), 0, 32))])
    };
    set_view "set-view" = |t| {
        let view = t.view(TextureFormat::R32Uint, TextureUsages::TEXTURE_BINDING);
        set(t, sampled(), &[(0, (&view).into())])
    };
    set_texel_format "set-texel-format" = |t| {
        let ty = BindingType::TexelBuffer {
            sample_type: TextureSampleType::Uint,
        };
        let texels = TexelBinding {
            buffer: BufferBinding {
                buffer: uniforms(t),
                offset: 0,
                size: None,
            },
            format: TextureFormat::Rgba8Unorm,
        };
        set(t, ty, &[(0, Descriptor::Texels(texels))])
    };
    set_sampler "set-sampler" = |t| {
        let ty = BindingType::Sampler(SamplerBindingType::Comparison);
        set(t, ty, &[(0, (&sampler(t)).into())])
    };
    set_memory "set-memory" = |t| {
        // All memory but what is too small for the set is taken.
        let mut heaps = Vec::new();
        for bytes in [16 << 20, 4 << 20, 1 << 20, 64 << 10, 1 << 10, 256] {
            while let Ok(heap) = t.device.create_heap(&HeapDescriptor { label: None, bytes }) {
                heaps.push(heap);
            }
        }
        let count = NonZeroU32::new(8192);
        let many = layout(t, &[BindGroupLayoutEntry {
            count,
            ..entry(0, BindingType::Sampler(SamplerBindingType::Filtering))
        }]).unwrap();
        let samplers = vec![sampler(t); 8192];
        t.device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout: &many,
            entries: &[(0, Descriptor::Samplers(samplers))],
        })
    };
}
