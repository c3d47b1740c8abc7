//! `girih dump`: command streams with the names of their packets, registers and fields.

use clap::Args;

use crate::code::words;
use crate::device::OnDevice;
use crate::{Failure, print};

/// Arguments of `girih dump`.
#[derive(Args)]
pub struct Dump {
    #[command(flatten)]
    device: OnDevice,
    /// Words in hexadecimal; `-` reads standard input.
    file: String,
}

impl Dump {
    /// Prints packets, a line each and one for every word or register of their bodies.
    pub fn run(self) -> Result<(), Failure> {
        let tools = self.device.tools()?;
        print(&tools.dump(&words(&self.file)?, 0, &|_| None))
    }
}
