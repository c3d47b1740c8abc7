//! Spheres and boxes that throw shadows: a depth pass of 2048x2048, then nine filtered comparisons a pixel.

use super::kit::{BOTH, CORNERS, Drawing, INSTANCES, attachment, begin, camera, cleared_depth};
use super::kit::{Loaded, filled, floats, nearer, set, shader, texture, uniform, uniforms};
use crate::math::{Mat4, normalized};
use crate::mesh::{Mesh, Numbers, cube, sphere};
use crate::{Failure, Frame, Picture, Scene, depth_format};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "shadow",
    about: "spheres and boxes with filtered shadows of a 2048x2048 map",
    needs: &[],
    load,
};

struct Shadow {
    depth_only: GraphicsPipeline,
    lit: GraphicsPipeline,
    scene: DescriptorSet,
    map_set: DescriptorSet,
    map: ImageView,
    /// Each with its instances and how many.
    meshes: [(Loaded, Buffer, u32); 2],
}

/// Texels across and down the shadow map.
const MAP_SIZE: u32 = 2048;

/// Place and turn about y, size, colour: of spheres, and of boxes, of which the first is the ground.
fn instances() -> [Vec<[f32; 12]>; 2] {
    let mut numbers = Numbers(99);
    let ground = [
        0.0, -0.5, -4.0, 0.0, 22.0, 0.5, 22.0, 0.0, 0.55, 0.55, 0.5, 0.0,
    ];
    let [mut spheres, mut boxes] = [vec![], vec![ground]];
    for k in 0..160 {
        let x = numbers.between(-14.0, 14.0);
        let z = numbers.between(-16.0, 9.0);
        let [r, g, b] = std::array::from_fn(|_| numbers.between(0.3, 0.9));
        if k % 2 == 0 {
            let radius = numbers.between(0.3, 0.9);
            let y = radius + numbers.between(0.0, 1.5);
            let turn = numbers.between(0.0, 6.0);
            spheres.push([x, y, z, turn, radius, radius, radius, 0.0, r, g, b, 0.0]);
        } else {
            let height = numbers.between(0.4, 2.2);
            let turn = numbers.between(0.0, 6.0);
            let width = numbers.between(0.2, 0.6);
            let depth = numbers.between(0.2, 0.6);
            boxes.push([x, height, z, turn, width, height, depth, 0.0, r, g, b, 0.0]);
        }
    }
    [spheres, boxes]
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let eye = [0.0, 7.5, 15.0];
    let light = normalized([0.55, 0.9, 0.35]);
    let [x, y, z] = light.map(|c| c * 40.0);
    let from_light = Mat4::orthographic([32.0, 30.0], 1.0, 90.0)
        * Mat4::look_at([x, y, z - 3.0], [0.0, 0.0, -3.0]);
    let mut numbers = floats(&camera(eye, [0.0, 0.3, -3.0], 52.0, 0.1, 100.0));
    numbers.extend(floats(&from_light));
    for [x, y, z] in [light, eye] {
        numbers.extend([x, y, z, 0.0]);
    }
    let uniforms = uniforms(device, &numbers)?;
    let (scene_layout, scene) = set(device, &[(BOTH, uniform(), (&uniforms).into())])?;

    let map = attachment(
        device,
        "shadow map",
        (MAP_SIZE, MAP_SIZE),
        depth_format(device),
        1,
        TextureUsages::TEXTURE_BINDING,
    )?;
    let sampler = device.create_sampler(&SamplerDescriptor {
        label: Some("shadow"),
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        compare: Some(CompareFunction::LessEqual),
        ..SamplerDescriptor::default()
    })?;
    let comparison = BindingType::Sampler(SamplerBindingType::Comparison);
    let (map_layout, map_set) = set(
        device,
        &[
            (
                ShaderStages::FRAGMENT,
                texture(TextureSampleType::Depth),
                (&map).into(),
            ),
            (ShaderStages::FRAGMENT, comparison, (&sampler).into()),
        ],
    )?;

    let shader = shader(
        device,
        "shadow",
        include_str!("../../assets/shaders/benchmark/shadow.wgsl"),
    )?;
    let mut biased = nearer();
    biased.bias = DepthBiasState {
        constant: 2,
        slope_scale: 1.5,
        clamp: 0.0,
    };
    let depth_only = Drawing {
        vertex: "vs_depth",
        fragment: None,
        sets: &[&scene_layout],
        buffers: &[CORNERS, INSTANCES],
        depth: Some(biased),
        cull_back: true,
        ..Drawing::new("shadow map", &shader)
    };
    let lit = Drawing {
        sets: &[&scene_layout, &map_layout],
        buffers: &[CORNERS, INSTANCES],
        depth: Some(nearer()),
        cull_back: true,
        ..Drawing::new("lit", &shader)
    };
    let [spheres, boxes] = instances();
    let loaded = |mesh: Mesh, instances: &[[f32; 12]]| -> Result<_, Failure> {
        let floats = instances.as_flattened();
        let buffer = filled(device, "instances", BufferUsages::VERTEX, floats)?;
        Ok((Loaded::new(device, &mesh)?, buffer, instances.len() as u32))
    };
    Ok(Box::new(Shadow {
        depth_only: depth_only.pipeline(device)?,
        lit: lit.pipeline(device)?,
        scene,
        map_set,
        map,
        meshes: [loaded(sphere(24, 16), &spheres)?, loaded(cube(), &boxes)?],
    }))
}

impl Picture for Shadow {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let map = self.map.image();
        let attached = ImageLayout::DepthStencilAttachment;
        frame
            .commands
            .transition(map, ImageLayout::Undefined, attached)?;
        frame.commands.begin_pass(&RenderPass {
            label: Some("shadow map"),
            colors: &[],
            depth_stencil: Some(cleared_depth(&self.map, StoreOp::Store)),
        })?;
        frame.commands.bind_pipeline(&self.depth_only)?;
        self.draw_all(frame)?;
        frame
            .commands
            .transition(map, attached, ImageLayout::ShaderReadOnly)?;

        begin(frame, "lit", [0.55, 0.7, 0.9], true)?;
        frame.commands.bind_pipeline(&self.lit)?;
        frame.commands.bind_descriptor_set(1, &self.map_set, &[])?;
        self.draw_all(frame)
    }
}

impl Shadow {
    /// Draws both meshes and ends the pass.
    fn draw_all(&self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let commands = &mut *frame.commands;
        commands.bind_descriptor_set(0, &self.scene, &[])?;
        for (mesh, instances, count) in &self.meshes {
            commands.bind_vertex_buffer(1, instances, 0)?;
            mesh.draw(commands, 0..*count)?;
        }
        commands.end_pass()?;
        Ok(())
    }
}
