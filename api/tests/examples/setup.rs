// What the examples of the documentation start from; each includes this file as a hidden module.

use girih::*;

pub type Done<T> = Result<T, Box<dyn std::error::Error>>;

/// A triangle over the whole viewport at depth 0.5, in orange.
pub const FILL: &str = "
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
    }
    @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 0.5, 0.0, 1.0); }";

/// The first device with its queue.
pub fn device() -> Done<(Device, Queue)> {
    let gpu = Instance::new()
        .physical_devices()
        .next()
        .ok_or("no device")?;
    let device = gpu.create_device(&DeviceDescriptor::default())?;
    Ok((device.clone(), device.queue()))
}

/// An image of 16x16 texels, in layout General, with a view of it.
pub fn image(device: &Device, format: TextureFormat, samples: u32) -> Done<(Image, ImageView)> {
    let mut usage =
        TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
    if samples == 1 && !format.is_depth_stencil_format() {
        usage |= TextureUsages::TEXTURE_BINDING;
    }
    let image = device.create_image(&ImageDescriptor {
        label: Some("image"),
        dimension: TextureDimension::D2,
        size: Extent3d {
            width: 16,
            height: 16,
            depth_or_array_layers: 1,
        },
        levels: 1,
        samples,
        format,
        usage,
        placement: None,
    })?;
    device.queue().transition(&image, ImageLayout::General)?;
    let view = device.create_image_view(&image, &ImageViewDescriptor::default())?;
    Ok((image, view))
}

pub fn buffer(device: &Device, size: u64, usage: BufferUsages) -> Done<Buffer> {
    Ok(device.create_buffer(&BufferDescriptor {
        label: Some("buffer"),
        size,
        usage,
        placement: None,
    })?)
}

pub fn shader(device: &Device, wgsl: &str) -> Done<ShaderModule> {
    let source = ShaderSource::Wgsl(wgsl.into());
    Ok(device.create_shader_module(&ShaderModuleDescriptor {
        label: Some("shader"),
        source,
    })?)
}

/// A pipeline that draws triangles to `Rgba8Unorm`, after `change` had its say.
pub fn pipeline(
    device: &Device,
    wgsl: &str,
    sets: &[&DescriptorSetLayout],
    change: fn(&mut GraphicsPipelineDescriptor<'_>),
) -> Done<GraphicsPipeline> {
    let module = shader(device, wgsl)?;
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: Some("layout"),
        sets,
        push_constant_bytes: 16,
    })?;
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let mut desc = GraphicsPipelineDescriptor {
        label: Some("pipeline"),
        layout: Some(&layout),
        vertex: stage,
        buffers: &[],
        geometry: None,
        stream: None,
        fragment: Some(stage),
        targets: &[Some(TextureFormat::Rgba8Unorm.into())],
        primitive: PrimitiveState::default(),
        depth_stencil: None,
        multisample: MultisampleState::default(),
        raster: RasterState::default(),
    };
    change(&mut desc);
    Ok(device.create_graphics_pipeline(&desc)?)
}

/// An attachment that is blue when the pass begins.
pub fn blue(view: &ImageView) -> ColorAttachment<'_> {
    ColorAttachment {
        view,
        resolve: None,
        load: LoadOp::Clear(Color::BLUE),
        store: StoreOp::Store,
    }
}

/// Depth tests without stencil.
pub fn depth(compare: CompareFunction) -> DepthStencilState {
    DepthStencilState {
        format: TextureFormat::Depth32Float,
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}
