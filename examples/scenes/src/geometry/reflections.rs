//! Layered drawing: a geometry shader draws a room into the six faces of a cube map in one pass, and a ball mirrors it.

use std::ops::Range;

use super::shapes::{UNIFORM_FLOATS, mirror_turns_at, room_and_ball};
use super::{CORNER, layout, uniforms};
use crate::bytes::bytes;
use crate::mesh::Mesh;
use crate::need::Need;
use crate::{COLOR, Failure, Frame, Picture, Scene, begin, depth_format, wgsl};
use girih::*;

const NAME: &str = "reflections";

pub(crate) const SCENE: Scene = Scene {
    name: NAME,
    about: "a ball that mirrors a room, by a cube map whose six faces are drawn in one pass",
    needs: &[Need::Geometry, Need::LayeredPasses],
    load,
};

/// Texels along the edge of a face.
const EDGE: u32 = 128;

struct Reflections {
    /// Of the room's faces, of the room, and of the ball.
    pipelines: [GraphicsPipeline; 3],
    vertices: Buffer,
    indices: Buffer,
    /// Indices of the room and of the ball.
    parts: [Range<u32>; 2],
    uniforms: Buffer,
    scene: DescriptorSet,
    mirror: DescriptorSet,
    /// All faces, and their depths.
    faces: [ImageView; 2],
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let filled = |usage, contents: &[u8]| {
        device.create_buffer_init(&BufferInitDescriptor {
            label: Some(NAME),
            contents,
            usage,
        })
    };
    let (Mesh { corners, indices }, parts) = room_and_ball();
    let vertices = filled(BufferUsages::VERTEX, &bytes(&corners.concat().concat()))?;
    let indices = filled(BufferUsages::INDEX, &bytes(&indices))?;
    let uniforms = filled(BufferUsages::UNIFORM, &[0; UNIFORM_FLOATS * 4])?;
    let shader = wgsl(
        device,
        NAME,
        include_str!("../../assets/shaders/geometry/reflections.wgsl"),
    )?;
    let face = |format, usage| -> Result<ImageView, Failure> {
        let image = device.create_image(&ImageDescriptor {
            label: Some("faces"),
            size: Extent3d {
                width: EDGE,
                height: EDGE,
                depth_or_array_layers: 6,
            },
            format,
            usage: TextureUsages::RENDER_ATTACHMENT | usage,
            ..Default::default()
        })?;
        Ok(device.create_image_view(
            &image,
            &ImageViewDescriptor {
                dimension: Some(TextureViewDimension::Cube),
                ..ImageViewDescriptor::default()
            },
        )?)
    };
    let faces = [
        face(COLOR, TextureUsages::TEXTURE_BINDING)?,
        face(depth_format(device), TextureUsages::empty())?,
    ];
    let (set_layout, layout) = layout(device, NAME)?;
    let stage = |entry| ShaderStage {
        entry: Some(entry),
        ..ShaderStage::from(&shader)
    };
    let pipeline = |[vertex, fragment]: [&'static str; 2], layered: bool, layout| {
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(fragment),
            layout,
            buffers: &[VertexBufferLayout {
                stride: 24,
                attributes: CORNER,
                ..Default::default()
            }],
            geometry: layered.then(|| GeometryStage {
                invocations: 6,
                ..GeometryStage::new(stage("gs"), GeometryOutput::TriangleStrip)
            }),
            fragment: Some(stage(fragment)),
            targets: &[Some(COLOR.into())],
            primitive: PrimitiveState {
                cull_mode: (!layered).then_some(Face::Back),
                ..PrimitiveState::default()
            },
            depth_stencil: Some(DepthStencilState {
                format: depth_format(device),
                depth_write_enabled: Some(true),
                depth_compare: Some(CompareFunction::Less),
                stencil: StencilState::default(),
                bias: DepthBiasState::default(),
            }),
            ..GraphicsPipelineDescriptor::new(stage(vertex))
        })
    };
    let pipelines = [
        pipeline(["vs", "inside"], true, Some(&layout))?,
        pipeline(["plain", "inside"], false, Some(&layout))?,
        pipeline(["ball", "mirror"], false, None)?,
    ];
    let sampler = device.create_sampler(&SamplerDescriptor {
        label: Some("smooth"),
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        ..SamplerDescriptor::default()
    })?;
    let scene = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some(NAME),
        layout: &set_layout,
        entries: &[(0, (&uniforms).into())],
    })?;
    let mirror = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("mirror"),
        layout: pipelines[2]
            .set_layout(0)
            .ok_or("the shader has bindings")?,
        entries: &[
            (0, (&uniforms).into()),
            (1, (&faces[0]).into()),
            (2, (&sampler).into()),
        ],
    })?;
    Ok(Box::new(Reflections {
        pipelines,
        vertices,
        indices,
        parts,
        uniforms,
        scene,
        mirror,
        faces,
    }))
}

impl Picture for Reflections {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let turns = mirror_turns_at(frame.number);
        self.uniforms.write(0, &bytes(&uniforms(frame, turns)))?;
        let [room, ball] = self.parts.clone();
        let [color, depth] = &self.faces;
        let commands = &mut *frame.commands;
        commands.transition_all(&[
            (color.image(), ImageLayout::ColorAttachment),
            (depth.image(), ImageLayout::DepthStencilAttachment),
        ])?;
        commands.begin_pass(&RenderPass {
            label: Some("faces"),
            colors: &[Some(color.into())],
            depth_stencil: Some(DepthStencilAttachment {
                depth: AspectAccess::Write {
                    load: LoadOp::Clear(1.0),
                    store: StoreOp::Discard,
                },
                stencil: AspectAccess::ReadOnly,
                ..depth.into()
            }),
        })?;
        let [faces, inside, mirror] = &self.pipelines;
        let draw = |commands: &mut CommandBuffer, pipeline, set, indices| -> Result<(), Failure> {
            commands.bind_pipeline(pipeline)?;
            commands.bind_descriptor_set(0, set, &[])?;
            commands.bind_vertex_buffer(0, &self.vertices, 0)?;
            commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint32)?;
            commands.draw_indexed(indices, 0, 0..1)?;
            Ok(())
        };
        draw(commands, faces, &self.scene, room.clone())?;
        commands.end_pass()?;
        commands.transition(
            color.image(),
            ImageLayout::ColorAttachment,
            ImageLayout::ShaderReadOnly,
        )?;
        begin(frame, NAME, Color::BLACK)?;
        draw(frame.commands, inside, &self.scene, room)?;
        draw(frame.commands, mirror, &self.mirror, ball)?;
        frame.commands.end_pass()?;
        Ok(())
    }
}
