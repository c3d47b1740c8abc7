//! A triangle: the least that draws something.

use crate::{COLOR, Failure, Frame, Picture, Scene, begin, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "triangle",
    about: "a triangle with a colour at each corner",
    needs: &[],
    load,
};

struct Triangle {
    pipeline: GraphicsPipeline,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let shader = wgsl(
        device,
        "triangle",
        include_str!("../assets/shaders/triangle.wgsl"),
    )?;
    let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
        label: Some("triangle"),
        fragment: Some((&shader).into()),
        targets: &[Some(COLOR.into())],
        ..GraphicsPipelineDescriptor::new(&shader)
    })?;
    Ok(Box::new(Triangle { pipeline }))
}

impl Picture for Triangle {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(
            frame,
            "triangle",
            Color {
                r: 0.02,
                g: 0.02,
                b: 0.03,
                a: 1.0,
            },
        )?;
        frame.commands.bind_pipeline(&self.pipeline)?;
        frame.commands.draw(0..3, 0..1)?;
        frame.commands.end_pass()?;
        Ok(())
    }
}
