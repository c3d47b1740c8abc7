//! The Mandelbrot set, slowly magnified: a loop per pixel, push constants.

use crate::bytes::bytes;
use crate::{COLOR, Failure, Frame, Picture, Scene, begin, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "mandelbrot",
    about: "the Mandelbrot set, computed by a loop in the fragment shader",
    needs: &[],
    load,
};

struct Mandelbrot {
    pipeline: GraphicsPipeline,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let shader = wgsl(
        device,
        "mandelbrot",
        include_str!("../assets/shaders/mandelbrot.wgsl"),
    )?;
    let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
        label: Some("mandelbrot"),
        fragment: Some((&shader).into()),
        targets: &[Some(COLOR.into())],
        ..GraphicsPipelineDescriptor::new(&shader)
    })?;
    Ok(Box::new(Mandelbrot { pipeline }))
}

impl Picture for Mandelbrot {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        // Every frame shows a little less, about a point in the valley of the seahorses.
        let half_height = 1.25 * 0.985f32.powi(frame.number.min(600) as i32);
        let view = [
            -0.745,
            0.113 * (1.0 - half_height / 1.25),
            half_height,
            frame.aspect(),
        ];
        begin(frame, "mandelbrot", Color::BLACK)?;
        frame.commands.bind_pipeline(&self.pipeline)?;
        frame.commands.push_constants(0, &bytes(&view))?;
        frame.commands.draw(0..3, 0..1)?;
        frame.commands.end_pass()?;
        Ok(())
    }
}
