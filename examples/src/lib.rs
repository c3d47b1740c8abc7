//! What the examples share: arguments, a window that shows frames, or a PNG where there is no window.
//!
//! The scenes themselves are in the crate `scenes`, where tests, benches and the command line draw them too.

#[cfg(feature = "window")]
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use girih::{Device, DeviceDescriptor, Instance};
use scenes::{Canvas, Failure, png};

/// Arguments of every example.
#[derive(Clone, Debug, Parser)]
pub struct Arguments {
    /// Name of the device; the first one when absent.
    #[arg(long)]
    pub device: Option<String>,
    /// Draws without a window and writes the last frame to this PNG file.
    #[arg(long, value_name = "FILE.png")]
    pub headless: Option<PathBuf>,
    /// Frames to draw: 1 without a window; in a window the last one stays, and without a number there is no last one.
    #[arg(long)]
    pub frames: Option<u32>,
    /// Width and height in pixels.
    #[arg(long, default_value = "640x480", value_parser = size)]
    pub size: (u32, u32),
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
    text.split_once('x')
        .and_then(|(width, height)| Some((parse(width)?, parse(height)?)))
        .ok_or_else(|| "a size is WIDTHxHEIGHT, such as 640x480".to_owned())
}

/// Runs a scene as the arguments say; errors go to standard error.
pub fn main(scene: &str) -> ExitCode {
    let arguments = Arguments::parse();
    match run(scene, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{scene}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str, arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.headless {
        png::check(path)?;
    }
    let instance = Instance::new();
    let gpu = match &arguments.device {
        Some(name) => instance.physical_device(name)?,
        None => instance.physical_devices().next().ok_or("no device")?,
    };
    let device = gpu.create_device(&DeviceDescriptor {
        label: Some(name),
        ..DeviceDescriptor::default()
    })?;
    if let Some(path) = &arguments.headless {
        return headless(name, arguments, &device, path.clone());
    }
    #[cfg(feature = "window")]
    match window::run(name, arguments, &device) {
        Err(window::Error::NoDisplay(reason)) => {
            let path = PathBuf::from(format!("{name}.png"));
            println!(
                "no window ({reason}); drawing to {} instead",
                path.display()
            );
            headless(name, arguments, &device, path)
        }
        Err(window::Error::Other(error)) => Err(error),
        Ok(()) => Ok(()),
    }
    #[cfg(not(feature = "window"))]
    {
        let path = PathBuf::from(format!("{name}.png"));
        println!(
            "built without windows; drawing to {} instead",
            path.display()
        );
        headless(name, arguments, &device, path)
    }
}

/// Draws frames and writes the last one.
fn headless(
    name: &str,
    arguments: &Arguments,
    device: &Device,
    path: PathBuf,
) -> Result<(), Failure> {
    let scene = scenes::scene(name).ok_or("the scene is not built in")?;
    let canvas = Canvas::new(device, arguments.size.0, arguments.size.1)?;
    let mut picture = (scene.load)(device)?;
    for frame in 0..arguments.frames.unwrap_or(1).max(1) {
        canvas.draw(picture.as_mut(), frame)?;
    }
    png::save(&canvas.picture()?, &path)?;
    println!("wrote {}", path.display());
    Ok(())
}
