//! `girih dump`: command streams with the names of their packets, registers and fields.

use std::path::Path;

use clap::Args;
use girih::{Capture, DeviceDescriptor};
use scenes::Canvas;

use crate::code::words;
use crate::device::{OnDevice, Power};
use crate::render::{scene, size};
use crate::{Failure, print};

/// Arguments of `girih dump`.
#[derive(Args)]
pub struct Dump {
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    power: Power,
    /// File of words in hexadecimal (`-` reads standard input), folder of a capture, or name of a scene.
    #[arg(value_name = "FILE|FOLDER|SCENE")]
    stream: String,
    /// Width and height of a scene in pixels.
    #[arg(long, default_value = "640x480", value_parser = size)]
    size: (u32, u32),
    /// Frame of a scene, from 0.
    #[arg(long, default_value_t = 0)]
    frame: u32,
}

impl Dump {
    /// Prints packets, a line each and one for every word or register of their bodies.
    pub fn run(self) -> Result<(), Failure> {
        let path = Path::new(&self.stream);
        if path.is_dir() {
            return self.captured(&Capture::load(path)?);
        }
        if self.stream != "-" && !path.exists() && scenes::scene(&self.stream).is_some() {
            return self.scene();
        }
        let tools = self.device.tools()?;
        print(&tools.dump(&words(&self.stream)?, 0, &|_| None))
    }

    /// A frame, captured.
    fn scene(&self) -> Result<(), Failure> {
        let scene = scene(&self.stream)?;
        let device = self.device.physical()?;
        let device = device.create_device(&self.power.descriptor(scene.name))?;
        let canvas = Canvas::new(&device, self.size.0, self.size.1)?;
        let mut picture = (scene.load)(&device)?;
        device.begin_capture()?;
        canvas.draw(picture.as_mut(), self.frame)?;
        self.captured(&device.end_capture(None)?)
    }

    fn captured(&self, capture: &Capture) -> Result<(), Failure> {
        let desc = DeviceDescriptor {
            threads: self.power.threads,
            ..DeviceDescriptor::default()
        };
        let mut text = String::new();
        let done = self.device.physical()?.dump(capture, &desc, &mut text);
        // Also of streams that trap: the message has the address.
        print(&text)?;
        Ok(done?)
    }
}
