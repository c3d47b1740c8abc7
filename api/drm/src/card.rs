//! The card that programs see: which chip, behind which of the kernel's interfaces.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use silicon::{Gpu, Memory, Start};

/// A driver of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// `radeon`, version 2.50: all chips.
    Radeon,
    /// `amdgpu`, version 3.42: Southern Islands.
    Amdgpu,
}

impl Interface {
    /// Its name, as `DRM_IOCTL_VERSION` gives it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Interface::Radeon => "radeon",
            Interface::Amdgpu => "amdgpu",
        }
    }

    /// Its version.
    pub(crate) fn version(self) -> [i32; 3] {
        match self {
            Interface::Radeon => [2, 50, 0],
            Interface::Amdgpu => [3, 42, 0],
        }
    }
}

/// How a chip reaches memory, which decides what its streams hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Addressing {
    /// Addresses are those of the driver's choice.
    Virtual,
    /// Streams name buffers by relocations in the packets of R300.
    R300,
    /// Streams name buffers by relocations in the packets of R600.
    R600,
}

/// A card.
pub(crate) struct Card {
    /// Name of the device, as `girih devices` has it.
    pub(crate) device: &'static str,
    /// PCI device.
    pub(crate) pci: u16,
    /// The kernel's driver that shows it.
    pub(crate) interface: Interface,
    pub(crate) addressing: Addressing,
    /// Bytes that addresses reach.
    pub(crate) reach: u64,
    /// Drivers of programs that know it.
    pub(crate) drivers: &'static [Driver],
    power_on: fn(Memory, Start) -> Box<dyn Gpu>,
}

/// A driver that programs load.
pub(crate) struct Driver {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its file, below a folder of libraries.
    pub(crate) file: &'static str,
    /// The Debian package that has it.
    pub(crate) package: &'static str,
    /// The variable that switches parts of it off, and those that the chip does not execute.
    pub(crate) switches: (&'static str, &'static str),
}

const GL: &str = "libgl1-mesa-dri";

/// OpenGL drivers, and RADV for Vulkan.
const R300: Driver = Driver {
    name: "r300",
    file: "dri/r300_dri.so",
    package: GL,
    switches: ("RADEON_DEBUG", ""),
};
const R600: Driver = Driver {
    name: "r600",
    file: "dri/r600_dri.so",
    package: GL,
    switches: ("R600_DEBUG", "nohyperz"),
};
const RADEONSI: Driver = Driver {
    name: "radeonsi",
    file: "dri/radeonsi_dri.so",
    package: GL,
    switches: ("AMD_DEBUG", ""),
};
const RADV: Driver = Driver {
    name: "RADV",
    file: "libvulkan_radeon.so",
    package: "mesa-vulkan-drivers",
    switches: ("RADV_DEBUG", ""),
};

/// A chip, the interfaces that show it, and the device that its driver knows.
struct Row {
    device: &'static str,
    interfaces: &'static [Interface],
    pci: u16,
    addressing: Addressing,
    reach: u64,
    drivers: &'static [Driver],
    power_on: fn(Memory, Start) -> Box<dyn Gpu>,
}

const ROWS: [Row; 3] = [
    Row {
        device: r5xx::CHIP,
        interfaces: &[Interface::Radeon],
        // R580.
        pci: 0x7240,
        addressing: Addressing::R300,
        reach: 1 << 30,
        drivers: &[R300],
        power_on: r5xx::R5xx::power_on,
    },
    Row {
        device: r600::CHIP,
        interfaces: &[Interface::Radeon],
        // RV670: the first of the family whose driver offers geometry shaders.
        pci: 0x9501,
        addressing: Addressing::R600,
        reach: 1 << 30,
        drivers: &[R600],
        power_on: r600::R600::power_on,
    },
    Row {
        device: southern_islands::CHIP,
        interfaces: &[Interface::Amdgpu, Interface::Radeon],
        // Tahiti.
        pci: 0x6798,
        addressing: Addressing::Virtual,
        // The radeon winsys takes addresses up to 16 GiB.
        reach: 16 << 30,
        drivers: &[RADEONSI, RADV],
        power_on: southern_islands::SouthernIslands::power_on,
    },
];

impl Card {
    /// The card of a device, behind an interface or behind the first that shows it.
    ///
    /// Errors: what there is instead.
    pub(crate) fn named(device: &str, interface: Option<Interface>) -> Result<Card, String> {
        let row = ROWS.iter().find(|row| row.device == device);
        let row = row.ok_or_else(|| {
            let known: Vec<&str> = ROWS.iter().map(|row| row.device).collect();
            format!(
                "no open driver knows `{device}`; those of {} run",
                known.join(", ")
            )
        })?;
        let interface = interface.unwrap_or(row.interfaces[0]);
        if !row.interfaces.contains(&interface) {
            let known: Vec<&str> = row.interfaces.iter().map(|i| i.name()).collect();
            return Err(format!(
                "`{device}` is not a card of {}, but of {}",
                interface.name(),
                known.join(" and ")
            ));
        }
        Ok(Card {
            device: row.device,
            pci: row.pci,
            interface,
            addressing: row.addressing,
            reach: row.reach,
            drivers: row.drivers,
            power_on: row.power_on,
        })
    }

    /// PCI vendor: ATI.
    pub(crate) fn vendor(&self) -> u16 {
        0x1002
    }

    pub(crate) fn power_on(&self, memory: Memory, start: Start) -> Box<dyn Gpu> {
        (self.power_on)(memory, start)
    }

    /// The card that `girih run` asked for by environment variables; none in a program that it did not start.
    ///
    /// Errors: what is wrong with them.
    pub(crate) fn from_env() -> Result<Option<(Card, Settings)>, String> {
        let Ok(device) = std::env::var("GIRIH_RUN_DEVICE") else {
            return Ok(None);
        };
        let interface = match std::env::var("GIRIH_RUN_AS").as_deref() {
            Err(_) => None,
            Ok("radeon") => Some(Interface::Radeon),
            Ok("amdgpu") => Some(Interface::Amdgpu),
            Ok(other) => return Err(format!("GIRIH_RUN_AS is radeon or amdgpu, not `{other}`")),
        };
        let card = Card::named(&device, interface)?;
        Ok(Some((card, Settings::from_env())))
    }
}

/// How the chip runs, and what is kept of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Threads; none takes as many as the machine has.
    pub(crate) threads: Option<usize>,
    /// Folder that gets a capture.
    pub(crate) dump: Option<Arc<Path>>,
}

impl Settings {
    fn from_env() -> Settings {
        let threads = std::env::var("GIRIH_RUN_THREADS").ok();
        let dump = std::env::var_os("GIRIH_RUN_DUMP");
        Settings {
            threads: threads.and_then(|text| text.parse().ok()),
            dump: dump.map(|path| PathBuf::from(path).into()),
        }
    }
}
