//! A spinning cube: vertex and index buffers, a uniform buffer, a mip-mapped texture, depth.

use crate::bytes::bytes;
use crate::math::Mat4;
use crate::{COLOR, Failure, Frame, Picture, Scene, begin, depth_format, tiles, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "cube",
    about: "a lit, textured, depth-tested, mip-mapped spinning cube",
    needs: &[],
    load,
};

struct Cube {
    pipeline: GraphicsPipeline,
    vertices: Buffer,
    indices: Buffer,
    uniforms: Buffer,
    set: DescriptorSet,
}

/// Floats of `Scene` in the shader: two matrices, two vectors.
const UNIFORM_FLOATS: usize = 40;
const EYE: [f32; 3] = [0.0, 0.0, 4.2];

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let filled = |label, usage, contents: &[u8]| {
        device.create_buffer_init(&BufferInitDescriptor {
            label: Some(label),
            contents,
            usage,
        })
    };
    let (corners, indices) = mesh();
    let vertices = filled("corners", BufferUsages::VERTEX, &bytes(&corners))?;
    let indices = filled("indices", BufferUsages::INDEX, &bytes(&indices))?;
    let uniforms = filled("scene", BufferUsages::UNIFORM, &[0; UNIFORM_FLOATS * 4])?;
    let tiles = tiles::texture(device)?;
    let sampler = device.create_sampler(&SamplerDescriptor {
        label: Some("tiles"),
        address_mode_u: AddressMode::Repeat,
        address_mode_v: AddressMode::Repeat,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        mipmap_filter: MipmapFilterMode::Linear,
        ..SamplerDescriptor::default()
    })?;

    let shader = wgsl(device, "cube", include_str!("../assets/shaders/cube.wgsl"))?;
    let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
        label: Some("cube"),
        buffers: &[VertexBufferLayout {
            stride: 32,
            attributes: &vertex_attributes![0 => Float32x3, 1 => Float32x3, 2 => Float32x2],
            ..Default::default()
        }],
        fragment: Some((&shader).into()),
        targets: &[Some(COLOR.into())],
        primitive: PrimitiveState {
            cull_mode: Some(Face::Back),
            ..PrimitiveState::default()
        },
        depth_stencil: Some(DepthStencilState {
            format: depth_format(device),
            depth_write_enabled: Some(true),
            depth_compare: Some(CompareFunction::Less),
            stencil: StencilState::default(),
            bias: DepthBiasState::default(),
        }),
        ..GraphicsPipelineDescriptor::new(&shader)
    })?;
    let set = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("cube"),
        layout: pipeline.set_layout(0).ok_or("the shader has bindings")?,
        entries: &[
            (0, (&uniforms).into()),
            (1, (&tiles).into()),
            (2, (&sampler).into()),
        ],
    })?;
    Ok(Box::new(Cube {
        pipeline,
        vertices,
        indices,
        uniforms,
        set,
    }))
}

impl Picture for Cube {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let turns = f64::from(frame.number) / 480.0;
        let world = Mat4::rotation_x(0.085) * Mat4::rotation_y(turns + 0.1);
        let clip = Mat4::perspective(2.2, frame.aspect(), 0.5, 20.0)
            * Mat4::translation(-EYE[0], -EYE[1], -EYE[2])
            * world;
        let mut floats = [clip.0, world.0].concat().concat();
        floats.extend([0.48, 0.64, 0.6, 0.0]);
        floats.extend([EYE[0], EYE[1], EYE[2], 1.0]);
        self.uniforms.write(0, &bytes(&floats))?;

        begin(
            frame,
            "cube",
            Color {
                r: 0.015,
                g: 0.02,
                b: 0.035,
                a: 1.0,
            },
        )?;
        let commands = &mut *frame.commands;
        commands.bind_pipeline(&self.pipeline)?;
        commands.bind_descriptor_set(0, &self.set, &[])?;
        commands.bind_vertex_buffer(0, &self.vertices, 0)?;
        commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint16)?;
        commands.draw_indexed(0..36, 0, 0..1)?;
        commands.end_pass()?;
        Ok(())
    }
}

/// Corners (position, normal, texture coordinate) and indices of a cube of edge 2.
fn mesh() -> (Vec<[f32; 8]>, Vec<u16>) {
    let mut corners = Vec::new();
    let mut indices = Vec::new();
    for face in 0..6u16 {
        let axis = usize::from(face / 2);
        let sign = if face % 2 == 0 { 1.0 } else { -1.0 };
        // Seen from outside, `right` points right and `up` points up.
        let vector = |axis: usize, length: f32| {
            let mut v = [0.0; 3];
            v[axis % 3] = length;
            v
        };
        let normal = vector(axis, sign);
        let (right, up) = match axis {
            1 => (vector(0, 1.0), vector(2, -sign)),
            0 => (vector(2, -sign), vector(1, 1.0)),
            _ => (vector(0, sign), vector(1, 1.0)),
        };
        for corner in 0..4 {
            let (u, v) = ((corner % 2) as f32, (corner / 2) as f32);
            let p: [f32; 3] = std::array::from_fn(|i| {
                normal[i] + right[i] * (2.0 * u - 1.0) + up[i] * (1.0 - 2.0 * v)
            });
            let n = normal;
            corners.push([p[0], p[1], p[2], n[0], n[1], n[2], u, v]);
        }
        indices.extend([0, 2, 1, 1, 2, 3].map(|i| face * 4 + i));
    }
    (corners, indices)
}
