//! What the scenes of the benchmark are put together from: filled buffers, set layouts, pipelines, passes.

use super::COLOR;
use crate::bytes::{Number, bytes};
use crate::math::Mat4;
use crate::mesh::Mesh;
use crate::{Failure, Frame, depth_format, wgsl};
use girih::*;

/// Seen by both stages.
pub(super) const BOTH: ShaderStages = ShaderStages::VERTEX_FRAGMENT;

/// A buffer that holds what is given.
pub(super) fn filled<T: Number>(
    device: &Device,
    label: &str,
    usage: BufferUsages,
    data: &[T],
) -> Result<Buffer, Failure> {
    Ok(device.create_buffer_init(&BufferInitDescriptor {
        label: Some(label),
        contents: &bytes(data),
        usage,
    })?)
}

/// A uniform buffer of floats.
pub(super) fn uniforms(device: &Device, floats: &[f32]) -> Result<Buffer, Failure> {
    filled(device, "uniforms", BufferUsages::UNIFORM, floats)
}

/// A mesh in video memory.
pub(super) struct Loaded {
    pub(super) corners: Buffer,
    pub(super) indices: Buffer,
    pub(super) count: u32,
}

impl Loaded {
    pub(super) fn new(device: &Device, mesh: &Mesh) -> Result<Loaded, Failure> {
        Ok(Loaded {
            corners: filled(device, "corners", BufferUsages::VERTEX, &mesh.corners)?,
            indices: filled(device, "indices", BufferUsages::INDEX, &mesh.indices)?,
            count: mesh.indices.len() as u32,
        })
    }

    /// Binds the buffers and draws.
    pub(super) fn draw(
        &self,
        commands: &mut CommandBuffer,
        instances: std::ops::Range<u32>,
    ) -> Result<(), Failure> {
        commands.bind_vertex_buffer(0, &self.corners, 0)?;
        commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint32)?;
        commands.draw_indexed(0..self.count, 0, instances)?;
        Ok(())
    }
}

/// What a uniform buffer is to a set layout.
pub(super) fn uniform() -> BindingType {
    BindingType::Buffer {
        ty: BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

/// What a two-dimensional texture is to a set layout.
pub(super) fn texture(sample_type: TextureSampleType) -> BindingType {
    BindingType::Texture {
        sample_type,
        view_dimension: TextureViewDimension::D2,
        multisampled: false,
    }
}

/// A set layout with bindings 0, 1, …, and a set of it.
pub(super) fn set(
    device: &Device,
    bindings: &[(ShaderStages, BindingType, Descriptor)],
) -> Result<(DescriptorSetLayout, DescriptorSet), Failure> {
    let numbered = || (0..).zip(bindings);
    let entries: Vec<BindGroupLayoutEntry> = numbered()
        .map(|(binding, &(visibility, ty, _))| BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        })
        .collect();
    let layout = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
        label: None,
        entries: &entries,
    })?;
    let descriptors: Vec<(u32, Descriptor)> = numbered()
        .map(|(binding, (_, _, descriptor))| (binding, descriptor.clone()))
        .collect();
    let set = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: None,
        layout: &layout,
        entries: &descriptors,
    })?;
    Ok((layout, set))
}

/// A pipeline of triangle lists.
pub(super) struct Drawing<'a> {
    pub(super) label: &'a str,
    pub(super) shader: &'a ShaderModule,
    pub(super) vertex: &'a str,
    /// None draws depth only, and to no colour target.
    pub(super) fragment: Option<&'a str>,
    pub(super) sets: &'a [&'a DescriptorSetLayout],
    pub(super) buffers: &'a [VertexBufferLayout<'a>],
    pub(super) blend: Option<BlendState>,
    pub(super) depth: Option<DepthStencilState>,
    pub(super) cull_back: bool,
    pub(super) samples: u32,
}

impl<'a> Drawing<'a> {
    /// Entry points `vs` and `fs`, opaque, without buffers, sets and depth, of one sample.
    pub(super) fn new(label: &'a str, shader: &'a ShaderModule) -> Drawing<'a> {
        Drawing {
            label,
            shader,
            vertex: "vs",
            fragment: Some("fs"),
            sets: &[],
            buffers: &[],
            blend: None,
            depth: None,
            cull_back: false,
            samples: 1,
        }
    }

    pub(super) fn pipeline(&self, device: &Device) -> Result<GraphicsPipeline, Failure> {
        let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: Some(self.label),
            sets: self.sets,
            push_constant_bytes: 0,
        })?;
        let stage = |entry: &'a str| ShaderStage {
            module: self.shader,
            entry: Some(entry),
            constants: &[],
        };
        let target = ColorTargetState {
            format: COLOR,
            blend: self.blend,
            write_mask: ColorWrites::ALL,
        };
        let targets = [Some(target)];
        Ok(
            device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
                label: Some(self.label),
                layout: Some(&layout),
                buffers: self.buffers,
                fragment: self.fragment.map(stage),
                targets: match self.fragment {
                    Some(_) => &targets,
                    None => &[],
                },
                primitive: PrimitiveState {
                    cull_mode: self.cull_back.then_some(Face::Back),
                    ..PrimitiveState::default()
                },
                depth_stencil: self.depth.clone().map(|depth| DepthStencilState {
                    format: depth_format(device),
                    ..depth
                }),
                multisample: MultisampleState {
                    count: self.samples,
                    ..MultisampleState::default()
                },
                ..GraphicsPipelineDescriptor::new(stage(self.vertex))
            })?,
        )
    }
}

/// A shader module.
pub(super) fn shader(device: &Device, label: &str, text: &str) -> Result<ShaderModule, Failure> {
    wgsl(device, label, text)
}

/// Nearer passes and is written, in the device's format of depths.
pub(super) fn nearer() -> DepthStencilState {
    DepthStencilState {
        format: TextureFormat::Depth32Float,
        depth_write_enabled: Some(true),
        depth_compare: Some(CompareFunction::Less),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}

/// A depth attachment that is cleared to 1.
pub(super) fn cleared_depth(view: &ImageView, store: StoreOp) -> DepthStencilAttachment<'_> {
    DepthStencilAttachment {
        view,
        depth: AspectAccess::Write {
            load: LoadOp::Clear(1.0),
            store,
        },
        stencil: AspectAccess::ReadOnly,
        resolve: None,
    }
}

/// An image of one level that is drawn to, and its view.
pub(super) fn attachment(
    device: &Device,
    label: &str,
    (width, height): (u32, u32),
    format: TextureFormat,
    samples: u32,
    usage: TextureUsages,
) -> Result<ImageView, Failure> {
    let image = device.create_image(&ImageDescriptor {
        label: Some(label),
        size: Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        samples,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT | usage,
        ..Default::default()
    })?;
    Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
}

/// Begins the pass that draws to the frame: colour cleared, and depth too if there is any.
pub(super) fn begin(
    frame: &mut Frame<'_>,
    label: &str,
    [r, g, b]: [f64; 3],
    depth: bool,
) -> Result<(), Failure> {
    frame.commands.begin_pass(&RenderPass {
        label: Some(label),
        colors: &[Some(ColorAttachment {
            load: LoadOp::Clear(Color { r, g, b, a: 1.0 }),
            ..frame.color.into()
        })],
        depth_stencil: depth.then(|| cleared_depth(frame.depth, StoreOp::Discard)),
    })?;
    Ok(())
}

/// Clip space of the frame from a camera: eye, point looked at, vertical angle in degrees, near and far.
pub(super) fn camera(eye: [f32; 3], at: [f32; 3], degrees: f64, near: f32, far: f32) -> Mat4 {
    let aspect = super::WIDTH as f32 / super::HEIGHT as f32;
    Mat4::perspective(Mat4::focal(degrees), aspect, near, far) * Mat4::look_at(eye, at)
}

/// The sixteen numbers of a matrix, by columns.
pub(super) fn floats(matrix: &Mat4) -> Vec<f32> {
    matrix.0.concat()
}

/// Attributes of a mesh: position and normal.
pub(super) const CORNER: [VertexAttribute; 2] = vertex_attributes![0 => Float32x3, 1 => Float32x3];

/// Buffer 0 of a mesh.
pub(super) const CORNERS: VertexBufferLayout<'static> = VertexBufferLayout {
    stride: 24,
    step: VertexStepMode::Vertex,
    attributes: &CORNER,
};

/// Attributes of an instance: three vectors.
pub(super) const VECTORS: [VertexAttribute; 3] =
    vertex_attributes![2 => Float32x4, 3 => Float32x4, 4 => Float32x4];

/// Buffer 1 of a mesh that is drawn several times.
pub(super) const INSTANCES: VertexBufferLayout<'static> = VertexBufferLayout {
    stride: 48,
    step: VertexStepMode::Instance,
    attributes: &VECTORS,
};
