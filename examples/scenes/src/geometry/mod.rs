//! Geometry shaders: triangles that fly apart, normals as lines, points that become sprites and grass, edges by barycentric
//! coordinates, shadows by volumes, mirrors by layers.

mod reflections;
mod shadows;
mod shapes;

use crate::bytes::bytes;
use crate::mesh::{Mesh, sphere};
use crate::need::Need;
use crate::{COLOR, Failure, Frame, Picture, Scene, begin, depth_format, wgsl};
use girih::*;
use shapes::{UNIFORM_FLOATS, meadow, spiral, turns_at};

pub(super) use reflections::SCENE as REFLECTIONS;
pub(super) use shadows::SCENE as SHADOWS;

/// What a scene draws: a mesh through some entry points each.
struct Model {
    name: &'static str,
    shader: &'static str,
    mesh: fn() -> Mesh,
    draws: &'static [Step],
}

/// A pipeline that draws the mesh.
struct Step {
    topology: PrimitiveTopology,
    /// Geometry shader, what it emits, and its invocations.
    geometry: Option<(&'static str, GeometryOutput, u32)>,
    fragment: &'static str,
    cull: Option<Face>,
}

/// A geometry shader over triangles.
const TRIANGLES: Step = Step {
    topology: PrimitiveTopology::TriangleList,
    geometry: Some(("gs", GeometryOutput::TriangleStrip, 1)),
    fragment: "fs",
    cull: None,
};

/// The mesh as it is.
const PLAIN: Step = Step {
    geometry: None,
    cull: Some(Face::Back),
    ..TRIANGLES
};

const NEEDS: &[Need] = &[Need::Geometry];

macro_rules! scenes {
    ($($NAME:ident = $name:literal, $about:literal, $mesh:expr, $draws:expr;)*) => {$(
        pub(super) const $NAME: Scene = Scene {
            name: $name,
            about: $about,
            needs: NEEDS,
            load: |device| {
                load(device, &Model {
                    name: $name,
                    shader: include_str!(concat!("../../assets/shaders/geometry/", $name, ".wgsl")),
                    mesh: $mesh,
                    draws: $draws,
                })
            },
        };
    )*};
}

scenes! {
    EXPLODED = "exploded", "a sphere whose triangles fly apart", || sphere(28, 16), &[TRIANGLES];
    NORMALS = "normals", "a sphere with its normals as lines", || sphere(24, 12), &[
        PLAIN,
        Step { geometry: Some(("gs", GeometryOutput::LineStrip, 1)), fragment: "line", ..TRIANGLES },
    ];
    WIREFRAME = "wireframe", "the edges of a sphere by barycentric coordinates", || sphere(20, 12), &[TRIANGLES];
    BILLBOARDS = "billboards", "points that become discs which face the viewer", spiral, &[
        Step {
            topology: PrimitiveTopology::PointList,
            ..TRIANGLES
        },
    ];
    GRASS = "grass", "points that become four blades of grass each", meadow, &[
        Step {
            topology: PrimitiveTopology::PointList,
            geometry: Some(("gs", GeometryOutput::TriangleStrip, 4)),
            ..TRIANGLES
        },
    ];
}

struct Loaded {
    name: &'static str,
    pipelines: Vec<GraphicsPipeline>,
    vertices: Buffer,
    indices: Buffer,
    count: u32,
    uniforms: Buffer,
    set: DescriptorSet,
}

/// What shaders take of a frame.
fn uniforms(frame: &Frame<'_>, turns: f64) -> [f32; UNIFORM_FLOATS] {
    shapes::uniforms(frame.aspect(), frame.number, turns)
}

/// The layout of `Scene` for all stages.
fn layout(device: &Device, label: &str) -> Result<(DescriptorSetLayout, PipelineLayout), Failure> {
    let set = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
        label: Some(label),
        entries: &[BindGroupLayoutEntry {
            binding: 0,
            visibility: ShaderStages::VERTEX_FRAGMENT,
            ty: BindingType::Buffer {
                ty: BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })?;
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: Some(label),
        sets: &[&set],
        push_constant_bytes: 0,
    })?;
    Ok((set, layout))
}

/// Position and normal of each corner.
const CORNER: &[VertexAttribute] = &vertex_attributes![0 => Float32x3, 1 => Float32x3];

fn load(device: &Device, model: &Model) -> Result<Box<dyn Picture>, Failure> {
    let filled = |usage, contents: &[u8]| {
        device.create_buffer_init(&BufferInitDescriptor {
            label: Some(model.name),
            contents,
            usage,
        })
    };
    let Mesh { corners, indices } = (model.mesh)();
    let vertices = filled(BufferUsages::VERTEX, &bytes(&corners.concat().concat()))?;
    let count = indices.len() as u32;
    let indices = filled(BufferUsages::INDEX, &bytes(&indices))?;
    let uniforms = filled(BufferUsages::UNIFORM, &[0; UNIFORM_FLOATS * 4])?;
    let shader = wgsl(device, model.name, model.shader)?;
    let stage = |entry| ShaderStage {
        entry: Some(entry),
        ..ShaderStage::from(&shader)
    };
    let (set_layout, layout) = layout(device, model.name)?;
    let pipeline = |step: &Step| {
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(model.name),
            layout: Some(&layout),
            buffers: &[VertexBufferLayout {
                stride: 24,
                attributes: CORNER,
                ..Default::default()
            }],
            geometry: step
                .geometry
                .map(|(entry, output, invocations)| GeometryStage {
                    invocations,
                    ..GeometryStage::new(stage(entry), output)
                }),
            fragment: Some(stage(step.fragment)),
            targets: &[Some(COLOR.into())],
            primitive: PrimitiveState {
                topology: step.topology,
                cull_mode: step.cull,
                ..PrimitiveState::default()
            },
            depth_stencil: Some(DepthStencilState {
                format: depth_format(device),
                depth_write_enabled: Some(true),
                depth_compare: Some(CompareFunction::Less),
                stencil: StencilState::default(),
                bias: DepthBiasState::default(),
            }),
            ..GraphicsPipelineDescriptor::new(stage(match step.geometry {
                Some(_) => "vs",
                None => "plain",
            }))
        })
    };
    let pipelines = model.draws.iter().map(pipeline);
    let pipelines: Vec<GraphicsPipeline> = pipelines.collect::<Result<_, _>>()?;
    let set = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some(model.name),
        layout: &set_layout,
        entries: &[(0, (&uniforms).into())],
    })?;
    Ok(Box::new(Loaded {
        name: model.name,
        pipelines,
        vertices,
        indices,
        count,
        uniforms,
        set,
    }))
}

impl Picture for Loaded {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let turns = turns_at(frame.number);
        self.uniforms.write(0, &bytes(&uniforms(frame, turns)))?;
        begin(
            frame,
            self.name,
            Color {
                r: 0.02,
                g: 0.025,
                b: 0.04,
                a: 1.0,
            },
        )?;
        let commands = &mut *frame.commands;
        for pipeline in &self.pipelines {
            commands.bind_pipeline(pipeline)?;
            commands.bind_descriptor_set(0, &self.set, &[])?;
            commands.bind_vertex_buffer(0, &self.vertices, 0)?;
            commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint32)?;
            commands.draw_indexed(0..self.count, 0, 0..1)?;
        }
        commands.end_pass()?;
        Ok(())
    }
}
