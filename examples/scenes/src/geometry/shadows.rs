//! Shadows by volumes: triangles with their neighbours, and the stencil buffer.

use std::ops::Range;

use super::shapes::{UNIFORM_FLOATS, floor_and_objects, shadow_turns_at};
use super::{CORNER, NEEDS, layout, uniforms};
use crate::bytes::bytes;
use crate::mesh::Mesh;
use crate::{COLOR, Failure, Frame, Picture, Scene, wgsl};
use girih::*;

const NAME: &str = "shadow-volumes";

pub(crate) const SCENE: Scene = Scene {
    name: NAME,
    about: "shadows of a cube and spheres, by volumes from triangles with neighbours",
    needs: NEEDS,
    load,
};

/// Depth with the stencil that counts volumes.
const DEPTH: TextureFormat = TextureFormat::Depth24PlusStencil8;

struct Shadows {
    device: Device,
    ambient: GraphicsPipeline,
    volume: GraphicsPipeline,
    lit: GraphicsPipeline,
    vertices: Buffer,
    indices: Buffer,
    /// The floor, the objects, and the objects with neighbours.
    parts: [Range<u32>; 3],
    /// Of the floor, and of the objects, which turn.
    worlds: [(Buffer, DescriptorSet); 2],
    depth: Option<ImageView>,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let (Mesh { corners, indices }, parts) = floor_and_objects();
    let filled = |usage, contents: &[u8]| {
        device.create_buffer_init(&BufferInitDescriptor {
            label: Some(NAME),
            contents,
            usage,
        })
    };
    let vertices = filled(BufferUsages::VERTEX, &bytes(&corners.concat().concat()))?;
    let indices = filled(BufferUsages::INDEX, &bytes(&indices))?;
    let text = include_str!("../../assets/shaders/geometry/shadow-volumes.wgsl");
    let shader = wgsl(device, NAME, text)?;
    let (set_layout, layout) = layout(device, NAME)?;
    let world = || -> Result<(Buffer, DescriptorSet), Failure> {
        let uniforms = filled(BufferUsages::UNIFORM, &[0; UNIFORM_FLOATS * 4])?;
        let set = device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some(NAME),
            layout: &set_layout,
            entries: &[(0, (&uniforms).into())],
        })?;
        Ok((uniforms, set))
    };
    Ok(Box::new(Shadows {
        device: device.clone(),
        worlds: [world()?, world()?],
        ambient: pipeline(device, &shader, &layout, Step::Ambient)?,
        volume: pipeline(device, &shader, &layout, Step::Volume)?,
        lit: pipeline(device, &shader, &layout, Step::Lit)?,
        vertices,
        indices,
        parts,
        depth: None,
    }))
}

/// What a pipeline does: all without light, volumes counted behind what is seen, light where none counts.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Ambient,
    Volume,
    Lit,
}

fn pipeline(
    device: &Device,
    shader: &ShaderModule,
    layout: &PipelineLayout,
    step: Step,
) -> Result<GraphicsPipeline, Failure> {
    let stage = |entry| ShaderStage {
        entry: Some(entry),
        ..ShaderStage::from(shader)
    };
    let volume = step == Step::Volume;
    let (vertex, fragment) = match step {
        Step::Ambient => ("plain", "ambient"),
        Step::Volume => ("vs", "ambient"),
        Step::Lit => ("plain", "lit"),
    };
    // Seen surfaces inside of a volume have one side of it behind them.
    let counts = |depth_fail_op| StencilFaceState {
        compare: match step {
            Step::Lit => CompareFunction::Equal,
            _ => CompareFunction::Always,
        },
        depth_fail_op: if volume {
            depth_fail_op
        } else {
            StencilOperation::Keep
        },
        ..StencilFaceState::IGNORE
    };
    Ok(
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(NAME),
            layout: Some(layout),
            buffers: &[VertexBufferLayout {
                stride: 24,
                attributes: CORNER,
                ..Default::default()
            }],
            geometry: volume
                .then(|| GeometryStage::new(stage("gs"), GeometryOutput::TriangleStrip)),
            fragment: (!volume).then(|| stage(fragment)),
            targets: &[Some(COLOR.into())],
            primitive: PrimitiveState {
                cull_mode: (!volume).then_some(Face::Back),
                ..PrimitiveState::default()
            },
            depth_stencil: Some(DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(step == Step::Ambient),
                depth_compare: Some(match step {
                    Step::Lit => CompareFunction::Equal,
                    _ => CompareFunction::Less,
                }),
                stencil: StencilState {
                    front: counts(StencilOperation::DecrementWrap),
                    back: counts(StencilOperation::IncrementWrap),
                    read_mask: 0xff,
                    write_mask: 0xff,
                },
                bias: DepthBiasState::default(),
            }),
            ..GraphicsPipelineDescriptor::new(stage(vertex))
        })?,
    )
}

impl Shadows {
    /// A depth attachment of the size of the picture.
    fn depth(&mut self, size: Extent3d) -> Result<ImageView, Failure> {
        if let Some(view) = self.depth.as_ref().filter(|view| view.size() == size) {
            return Ok(view.clone());
        }
        let image = self.device.create_image(&ImageDescriptor {
            label: Some(NAME),
            dimension: TextureDimension::D2,
            size,
            levels: 1,
            samples: 1,
            format: DEPTH,
            usage: TextureUsages::RENDER_ATTACHMENT,
            placement: None,
        })?;
        self.device
            .queue()
            .transition(&image, ImageLayout::General)?;
        let view = self
            .device
            .create_image_view(&image, &ImageViewDescriptor::default())?;
        self.depth = Some(view.clone());
        Ok(view)
    }
}

impl Picture for Shadows {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let depth = self.depth(frame.color.size())?;
        let turns = shadow_turns_at(frame.number);
        for ((buffer, _), turns) in self.worlds.iter().zip([0.0, turns]) {
            buffer.write(0, &bytes(&uniforms(frame, turns)))?;
        }
        let commands = &mut *frame.commands;
        commands.begin_pass(&RenderPass {
            label: Some(NAME),
            colors: &[Some(ColorAttachment {
                load: LoadOp::Clear(Color::BLACK),
                ..frame.color.into()
            })],
            depth_stencil: Some(DepthStencilAttachment {
                view: &depth,
                depth: AspectAccess::Write {
                    load: LoadOp::Clear(1.0),
                    store: StoreOp::Discard,
                },
                stencil: AspectAccess::Write {
                    load: LoadOp::Clear(0),
                    store: StoreOp::Discard,
                },
                resolve: None,
            }),
        })?;
        let [floor, objects, linked] = self.parts.clone();
        let steps = [
            (&self.ambient, 0, floor.clone()),
            (&self.ambient, 1, objects.clone()),
            (&self.volume, 1, linked),
            (&self.lit, 0, floor),
            (&self.lit, 1, objects),
        ];
        for (pipeline, world, part) in steps {
            commands.bind_pipeline(pipeline)?;
            commands.bind_descriptor_set(0, &self.worlds[world].1, &[])?;
            commands.bind_vertex_buffer(0, &self.vertices, 0)?;
            commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint32)?;
            commands.draw_indexed(part, 0, 0..1)?;
        }
        commands.end_pass()?;
        Ok(())
    }
}
