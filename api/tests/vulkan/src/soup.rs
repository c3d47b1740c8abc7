//! Draws one triangle soup through a Vulkan driver. A folder says what: `shader.wgsl` (`vertex` and `fragment`),
//! `vertices.bin` (eight floats each), `texels.bin` (levels of four-byte texels, largest first) and `scene.txt`: width,
//! height, side of the texture, its levels, whether levels are filtered, whether colours are blended. The picture goes to
//! `picture.bin`. `api/tests/vulkan.rs` writes the folder and reads the picture.

use std::error::Error;
use std::path::Path;

use wgpu::util::DeviceExt;

pub fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(folder.join("scene.txt"))?;
    let numbers: Vec<u32> = text
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let &[width, height, side, levels, filtered, blended] = numbers.as_slice() else {
        return Err("scene.txt has six numbers".into());
    };
    let (device, queue) = crate::open(wgpu::Features::empty(), wgpu::Limits::default())?;

    let extent = |width, height| wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let image = |size, mip_level_count, format, usage| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size,
            mip_level_count,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let texture = image(
        extent(side, side),
        levels,
        format,
        wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
    );
    let texels = std::fs::read(folder.join("texels.bin"))?;
    let mut at = 0;
    for level in 0..levels {
        let side = (side >> level).max(1);
        let bytes = (side * side * 4) as usize;
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                mip_level: level,
                ..texture.as_image_copy()
            },
            &texels[at..at + bytes],
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(side * 4),
                rows_per_image: Some(side),
            },
            extent(side, side),
        );
        at += bytes;
    }
    let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: wgpu::AddressMode::Repeat,
        address_mode_v: wgpu::AddressMode::Repeat,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: match filtered {
            0 => wgpu::MipmapFilterMode::Nearest,
            _ => wgpu::MipmapFilterMode::Linear,
        },
        ..Default::default()
    });

    let shader = std::fs::read_to_string(folder.join("shader.wgsl"))?;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(shader.into()),
    });
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let set_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &[
            entry(
                0,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(
                1,
                wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            ),
        ],
    });
    let set = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &set_layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(
                    &texture.create_view(&Default::default()),
                ),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: wgpu::BindingResource::Sampler(&sampler),
            },
        ],
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&set_layout)],
        immediate_size: 0,
    });
    let target = wgpu::ColorTargetState {
        format,
        blend: (blended != 0).then_some(wgpu::BlendState::ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    };
    let vertex_layout = wgpu::VertexBufferLayout {
        array_stride: 32,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4],
    };
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: &[Some(vertex_layout)],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: Default::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    });

    let bytes = std::fs::read(folder.join("vertices.bin"))?;
    let count = (bytes.len() / 32) as u32;
    let vertices = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: &bytes,
        usage: wgpu::BufferUsages::VERTEX,
    });
    let picture = image(
        extent(width, height),
        1,
        format,
        wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
    );
    let view = picture.create_view(&Default::default());
    let row = (width * 4).next_multiple_of(256);
    let read = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &set, &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.draw(0..count, 0..1);
    }
    encoder.copy_texture_to_buffer(
        picture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &read,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: Some(height),
            },
        },
        extent(width, height),
    );
    queue.submit([encoder.finish()]);
    read.map_async(wgpu::MapMode::Read, .., |result| {
        result.expect("the buffer is mapped")
    });
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let padded = read.get_mapped_range(..)?.to_vec();
    let rows = padded
        .chunks(row as usize)
        .map(|line| &line[..width as usize * 4]);
    std::fs::write(
        folder.join("picture.bin"),
        rows.collect::<Vec<_>>().concat(),
    )?;
    Ok(())
}
