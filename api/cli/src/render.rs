//! `girih render`: a built-in scene to a PNG.

use std::path::PathBuf;

use clap::Args;
use scenes::{Canvas, SCENES, Scene, png};

use crate::device::{OnDevice, Power};
use crate::{Failure, print, tell};

/// Arguments of `girih render`.
#[derive(Args)]
pub struct Render {
    /// Name of the scene.
    #[arg(required_unless_present = "list")]
    scene: Option<String>,
    /// Lists the scenes.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    power: Power,
    /// Width and height in pixels.
    #[arg(long, default_value = "640x480", value_parser = size)]
    size: (u32, u32),
    /// Frames drawn; the last one is written.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// PNG file that is written.
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// Folder that the last frame is captured to, for `girih replay` and `girih dump`.
    #[arg(long, value_name = "FOLDER")]
    dump: Option<PathBuf>,
}

/// The scene of a name.
pub fn scene(name: &str) -> Result<&'static Scene, Failure> {
    let scene = scenes::scene(name).ok_or_else(|| {
        let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
        format!(
            "there is no scene `{name}`; there are: {}",
            names.join(", ")
        )
    });
    Ok(scene?)
}

pub fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
    text.split_once('x')
        .and_then(|(width, height)| Some((parse(width)?, parse(height)?)))
        .ok_or_else(|| "a size is WIDTHxHEIGHT, such as 640x480".to_owned())
}

impl Render {
    /// Draws the frames and writes the last.
    pub fn run(self) -> Result<(), Failure> {
        let (false, Some(name), Some(output)) = (self.list, &self.scene, &self.output) else {
            return list();
        };
        png::check(output)?;
        let gpu = self.device.physical()?;
        let scene = scene(name)?;
        let device = gpu.create_device(&self.power.descriptor(scene.name))?;
        let canvas = Canvas::new(&device, self.size.0, self.size.1)?;
        let mut picture = (scene.load)(&device)?;
        for frame in 0..self.frames {
            if self.dump.is_some() && frame + 1 == self.frames {
                device.begin_capture()?;
            }
            canvas.draw(picture.as_mut(), frame)?;
            if reports(frame, self.frames) {
                tell(&format!("frame {} of {}", frame + 1, self.frames));
            }
        }
        if let Some(folder) = &self.dump {
            device.end_capture(Some(canvas.image()))?.save(folder)?;
        }
        png::save(&canvas.picture()?, output)?;
        print(&format!("wrote {}\n", output.display()))
    }
}

/// Whether the end of a frame is told: of every frame, but at most ten times.
fn reports(frame: u32, frames: u32) -> bool {
    let tenths = |frame: u32| u64::from(frame) * 10 / u64::from(frames);
    frames > 1 && tenths(frame) < tenths(frame + 1)
}

fn list() -> Result<(), Failure> {
    let lines = SCENES.iter();
    let text: String = lines
        .map(|scene| format!("{:<12} {}\n", scene.name, scene.about))
        .collect();
    print(&text)
}
