//! Which device a command is about, and how it is powered on: arguments that commands share.

use clap::Args;
use girih::driver::{Target, isa::Tools};
use girih::{DeviceDescriptor, Instance, PhysicalDevice};

use crate::Failure;

/// The device of a command.
#[derive(Args)]
pub struct OnDevice {
    /// Name of the device; the first one when absent.
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

impl OnDevice {
    /// The device on paper.
    pub fn physical(&self) -> Result<PhysicalDevice, Failure> {
        physical(self.device.as_deref())
    }

    /// The driver's row of it.
    pub fn target(&self) -> Result<&'static Target, Failure> {
        Ok(self.physical()?.target())
    }

    /// Its instruction sets.
    pub fn tools(&self) -> Result<&'static dyn Tools, Failure> {
        Ok(self.target()?.tools)
    }
}

/// The device of a name, or the first one.
pub fn physical(name: Option<&str>) -> Result<PhysicalDevice, Failure> {
    let instance = Instance::new();
    match name {
        Some(name) => Ok(instance.physical_device(name)?),
        None => Ok(instance.physical_devices().next().ok_or("no device")?),
    }
}

/// How the device of a command is powered on.
#[derive(Args)]
pub struct Power {
    /// Host threads that draw; as many as the machine has when absent.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Video memory: bytes, or a number with K, M or G, such as 64M; 256M when absent.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<u64>,
}

impl Power {
    /// What the device is made from.
    pub fn descriptor<'a>(&self, label: &'a str) -> DeviceDescriptor<'a> {
        DeviceDescriptor {
            label: Some(label),
            threads: self.threads,
            memory_bytes: self.memory,
            ..DeviceDescriptor::default()
        }
    }
}

fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => Some(0),
        "K" | "KiB" => Some(10),
        "M" | "MiB" => Some(20),
        "G" | "GiB" => Some(30),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    shift
        .zip(number)
        .and_then(|(shift, number)| number.checked_mul(1 << shift))
        .ok_or_else(|| "a size is a number of bytes, or one with K, M or G, such as 64M".to_owned())
}
