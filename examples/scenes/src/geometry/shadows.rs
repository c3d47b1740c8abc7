//! Shadows by volumes: triangles with their neighbours, and the stencil buffer.

use super::{CORNER, NEEDS, UNIFORM_FLOATS, layout, uniforms};
use crate::bytes::bytes;
use crate::mesh::{Mesh, cube, moved, sphere};
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

/// Some triangles of the buffers.
#[derive(Clone, Copy)]
struct Range {
    first: u32,
    count: u32,
}

struct Shadows {
    device: Device,
    ambient: GraphicsPipeline,
    volume: GraphicsPipeline,
    lit: GraphicsPipeline,
    vertices: Buffer,
    indices: Buffer,
    /// The floor, the objects, and the objects with neighbours.
    parts: [Range; 3],
    /// Of the floor, and of the objects, which turn.
    worlds: [(Buffer, DescriptorSet); 2],
    depth: Option<ImageView>,
}

/// Indices of triangles with the vertex across each edge, of a closed mesh whose corners at one place are one.
fn with_neighbours(mesh: &Mesh) -> Vec<u32> {
    let place = |index: u32| mesh.corners[index as usize][0].map(|x| (x * 4096.0) as i32);
    let triangles: Vec<[u32; 3]> = mesh.indices.chunks(3).map(|t| [t[0], t[1], t[2]]).collect();
    let across = |from: u32, to: u32| {
        let edges = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]);
        let (from, to) = (place(from), place(to));
        let mut found = edges.filter(|(a, b, _)| place(*a) == to && place(*b) == from);
        found.next().map(|(.., opposite)| opposite)
    };
    let corners = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]);
    // Where nothing is across, the triangle's own corner makes an edge of it.
    corners
        .flat_map(|(a, b, c)| [a, across(a, b).unwrap_or(c)])
        .collect()
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    for (x, z) in [(-3.0, -3.0), (-3.0, 3.0), (3.0, 3.0), (3.0, -3.0)] {
        corners.push([[x, -1.0, z], [0.0, 1.0, 0.0]]);
    }
    indices.extend([0, 1, 2, 0, 2, 3]);
    let objects = [
        moved(cube(), 0.42, [0.0, 0.1, 0.0]),
        moved(sphere(16, 8), 0.3, [1.1, -0.1, 0.4]),
        moved(sphere(16, 8), 0.22, [-0.9, 0.2, 0.7]),
    ];
    let mut solid = Vec::new();
    let mut linked = Vec::new();
    for object in objects {
        let first = corners.len() as u32;
        solid.extend(object.indices.iter().map(|index| index + first));
        linked.extend(with_neighbours(&object).iter().map(|index| index + first));
        corners.extend(object.corners);
    }
    let counts = [6, solid.len() as u32, linked.len() as u32];
    let firsts = [0, counts[0], counts[0] + counts[1]];
    let parts = [0, 1, 2].map(|n| Range {
        first: firsts[n],
        count: counts[n],
    });
    indices.extend(solid);
    indices.extend(linked);
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
        let turns = f64::from(frame.number) / 480.0;
        for ((buffer, _), turns) in self.worlds.iter().zip([0.0, turns + 0.06]) {
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
        let [floor, objects, linked] = self.parts;
        let steps = [
            (&self.ambient, 0, floor),
            (&self.ambient, 1, objects),
            (&self.volume, 1, linked),
            (&self.lit, 0, floor),
            (&self.lit, 1, objects),
        ];
        for (pipeline, world, part) in steps {
            commands.bind_pipeline(pipeline)?;
            commands.bind_descriptor_set(0, &self.worlds[world].1, &[])?;
            commands.bind_vertex_buffer(0, &self.vertices, 0)?;
            commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint32)?;
            commands.draw_indexed(part.first..part.first + part.count, 0, 0..1)?;
        }
        commands.end_pass()?;
        Ok(())
    }
}
