//! `girih render`: a built-in scene to a PNG.

use clap::Args;
use girih::{DeviceDescriptor, Instance};
use scenes::Canvas;

use crate::Failure;

/// Arguments of `girih render`.
#[derive(Args)]
pub struct Render {
    /// Name of the scene.
    scene: String,
    /// Name of the device.
    #[arg(long)]
    device: String,
    /// Width and height in pixels.
    #[arg(long, default_value = "640x480", value_parser = size)]
    size: (u32, u32),
    /// Frames drawn; the last one is written.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// PNG file that is written.
    #[arg(short, long)]
    output: std::path::PathBuf,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
    text.split_once('x')
        .and_then(|(width, height)| Some((parse(width)?, parse(height)?)))
        .ok_or_else(|| "a size is WIDTHxHEIGHT, such as 640x480".to_owned())
}

impl Render {
    /// Draws the frames and writes the last.
    pub fn run(self) -> Result<(), Failure> {
        let gpu = Instance::new().physical_device(&self.device)?;
        let scene = scenes::scene(&self.scene).ok_or_else(|| {
            let names: Vec<&str> = scenes::SCENES.iter().map(|scene| scene.name).collect();
            format!(
                "there is no scene `{}`; there are: {}",
                self.scene,
                names.join(", ")
            )
        })?;
        let device = gpu.create_device(&DeviceDescriptor {
            label: Some(scene.name),
            ..DeviceDescriptor::default()
        })?;
        let canvas = Canvas::new(&device, self.size.0, self.size.1)?;
        let mut picture = (scene.load)(&device)?;
        for frame in 0..self.frames {
            canvas.draw(picture.as_mut(), frame)?;
        }
        canvas
            .picture()?
            .save(&self.output)
            .map_err(|error| format!("{}: {error}", self.output.display()))?;
        Ok(())
    }
}
