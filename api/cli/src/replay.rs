//! `girih replay`: a capture to a PNG.

use std::path::PathBuf;

use clap::Args;
use girih::{Capture, DeviceDescriptor};
use scenes::png;

use crate::device::OnDevice;
use crate::{Failure, print};

/// Arguments of `girih replay`.
#[derive(Args)]
pub struct Replay {
    #[command(flatten)]
    device: OnDevice,
    /// Host threads that draw; as many as the machine has when absent.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Folder of the capture, as `girih render --dump` writes it.
    folder: PathBuf,
    /// PNG file that is written.
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
}

impl Replay {
    /// Executes the capture and writes its picture.
    pub fn run(self) -> Result<(), Failure> {
        png::check(&self.output)?;
        let gpu = self.device.physical()?;
        let desc = DeviceDescriptor {
            threads: self.threads,
            ..DeviceDescriptor::default()
        };
        let picture = gpu.replay(&Capture::load(&self.folder)?, &desc)?;
        png::save(&picture, &self.output)?;
        print(&format!("wrote {}\n", self.output.display()))
    }
}
