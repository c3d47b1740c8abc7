//! A million small triangles.

use super::kit::{BOTH, CORNERS, Drawing, Loaded, begin, camera, floats, nearer, set, shader};
use super::kit::{uniform, uniforms};
use crate::math::normalized;
use crate::mesh::terrain;
use crate::{Failure, Frame, Picture, Scene};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "vertex",
    about: "999698 triangles of a lit terrain",
    needs: &[],
    load,
};

struct Terrain {
    pipeline: GraphicsPipeline,
    set: DescriptorSet,
    mesh: Loaded,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let mut scene = floats(&camera(
        [0.0, 1.25, 1.75],
        [0.0, -0.14, 0.06],
        45.0,
        0.05,
        10.0,
    ));
    scene.extend(normalized([0.5, 0.8, 0.3]));
    scene.push(0.0);
    let uniforms = uniforms(device, &scene)?;
    let (layout, set) = set(device, &[(BOTH, uniform(), (&uniforms).into())])?;
    let shader = shader(
        device,
        "vertex",
        include_str!("../../assets/shaders/benchmark/vertex.wgsl"),
    )?;
    Ok(Box::new(Terrain {
        pipeline: Drawing {
            sets: &[&layout],
            buffers: &[CORNERS],
            depth: Some(nearer()),
            cull_back: true,
            ..Drawing::new("vertex", &shader)
        }
        .pipeline(device)?,
        set,
        mesh: Loaded::new(device, &terrain(707))?,
    }))
}

impl Picture for Terrain {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(frame, "terrain", [0.4, 0.6, 0.9], true)?;
        let commands = &mut *frame.commands;
        commands.bind_pipeline(&self.pipeline)?;
        commands.bind_descriptor_set(0, &self.set, &[])?;
        self.mesh.draw(commands, 0..1)?;
        commands.end_pass()?;
        Ok(())
    }
}
