//! `DRM_IOCTL_RADEON_INFO`: what the kernel tells of a chip.

use bytemuck::{Pod, Zeroable};
use southern_islands::tiling::TAHITI;

use crate::argument;
use crate::card::{Addressing, Card};
use crate::errno::{Answer, Errno};
use crate::file::File;
use crate::machine::FIRST_ADDRESS;
use crate::sync;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Info {
    request: u32,
    pad: u32,
    /// Where the value is, and goes.
    value: u64,
}

/// Numbers of requests, `RADEON_INFO_*`.
mod request {
    pub(super) const DEVICE_ID: u32 = 0x00;
    pub(super) const NUM_GB_PIPES: u32 = 0x01;
    pub(super) const NUM_Z_PIPES: u32 = 0x02;
    pub(super) const ACCEL_WORKING: u32 = 0x03;
    pub(super) const ACCEL_WORKING2: u32 = 0x05;
    pub(super) const TILING_CONFIG: u32 = 0x06;
    pub(super) const WANT_HYPERZ: u32 = 0x07;
    pub(super) const WANT_CMASK: u32 = 0x08;
    pub(super) const CLOCK_CRYSTAL_FREQ: u32 = 0x09;
    pub(super) const NUM_BACKENDS: u32 = 0x0a;
    pub(super) const NUM_TILE_PIPES: u32 = 0x0b;
    pub(super) const FUSION_GART_WORKING: u32 = 0x0c;
    pub(super) const BACKEND_MAP: u32 = 0x0d;
    pub(super) const VA_START: u32 = 0x0e;
    pub(super) const IB_VM_MAX_SIZE: u32 = 0x0f;
    pub(super) const MAX_PIPES: u32 = 0x10;
    pub(super) const TIMESTAMP: u32 = 0x11;
    pub(super) const MAX_SE: u32 = 0x12;
    pub(super) const MAX_SH_PER_SE: u32 = 0x13;
    pub(super) const RING_WORKING: u32 = 0x15;
    pub(super) const SI_TILE_MODE_ARRAY: u32 = 0x16;
    pub(super) const SI_CP_DMA_COMPUTE: u32 = 0x17;
    pub(super) const SI_BACKEND_ENABLED_MASK: u32 = 0x19;
    pub(super) const MAX_SCLK: u32 = 0x1a;
    pub(super) const NUM_BYTES_MOVED: u32 = 0x1d;
    pub(super) const VRAM_USAGE: u32 = 0x1e;
    pub(super) const GTT_USAGE: u32 = 0x1f;
    pub(super) const ACTIVE_CU_COUNT: u32 = 0x20;
    pub(super) const CURRENT_GPU_TEMP: u32 = 0x21;
    pub(super) const CURRENT_GPU_SCLK: u32 = 0x22;
    pub(super) const CURRENT_GPU_MCLK: u32 = 0x23;
    pub(super) const READ_REG: u32 = 0x24;
    pub(super) const VA_UNMAP_WORKING: u32 = 0x25;
    pub(super) const GPU_RESET_COUNTER: u32 = 0x26;
}

/// Kilohertz of the reference clock, which time stamps count.
pub(crate) const CLOCK_KHZ: u32 = 27_000;

/// Ticks of the reference clock.
pub(crate) fn ticks() -> u64 {
    (sync::now() as u64).wrapping_mul(u64::from(CLOCK_KHZ)) / 1_000_000
}

/// Pipes, backends and units of a chip.
struct Units {
    /// What R300's driver asks for: raster pipes.
    gb_pipes: u32,
    backends: u32,
    tile_pipes: u32,
    backend_map: u32,
    max_pipes: u32,
    engines: u32,
    /// `RADEON_INFO_TILING_CONFIG`, where it is known.
    tiling: Option<u32>,
}

fn units(card: &Card) -> Units {
    match card.addressing {
        Addressing::R300 => Units {
            gb_pipes: 1,
            backends: 8,
            tile_pipes: 12,
            backend_map: 0,
            max_pipes: 8,
            engines: 1,
            tiling: None,
        },
        // Two pipes, four banks, groups of 256 bytes: the chip's GB_TILING_CONFIG.
        Addressing::R600 => Units {
            gb_pipes: 1,
            backends: 2,
            tile_pipes: 2,
            backend_map: 4,
            max_pipes: 2,
            engines: 1,
            tiling: Some(0x4_4902),
        },
        // Tahiti: two engines of two arrays, twelve pipes.
        Addressing::Virtual => Units {
            gb_pipes: 1,
            backends: 8,
            tile_pipes: 12,
            backend_map: 0,
            max_pipes: 8,
            engines: 2,
            tiling: Some(0x1023),
        },
    }
}

/// # Safety
///
/// The program says that a value of the request's size lies at `asked.value`.
pub(super) unsafe fn info(file: &File, asked: &mut Info) -> Answer {
    let virtual_addresses = file.card.addressing == Addressing::Virtual;
    let southern_islands = |value: u32| virtual_addresses.then_some(value).ok_or(Errno::INVALID);
    let units = units(file.card);
    // SAFETY: requests that read have a word there.
    let given = || unsafe { argument::one::<u32>(asked.value) };
    let wide = match asked.request {
        request::TIMESTAMP => Some(ticks()),
        request::NUM_BYTES_MOVED | request::VRAM_USAGE | request::GTT_USAGE => Some(0),
        _ => None,
    };
    if let Some(value) = wide {
        // SAFETY: these requests have room for 64 bits.
        unsafe { argument::store(asked.value, &[value])? };
        return Ok(());
    }
    if asked.request == request::SI_TILE_MODE_ARRAY {
        southern_islands(0)?;
        // SAFETY: this request has room for 32 words.
        unsafe { argument::store(asked.value, &TAHITI)? };
        return Ok(());
    }
    let value = match asked.request {
        request::DEVICE_ID => file.card.pci.into(),
        request::NUM_GB_PIPES => units.gb_pipes,
        request::NUM_Z_PIPES => 1,
        request::ACCEL_WORKING | request::ACCEL_WORKING2 => 1,
        request::TILING_CONFIG => units.tiling.ok_or(Errno::INVALID)?,
        // Another process has them: drivers then do without.
        request::WANT_HYPERZ | request::WANT_CMASK => 0,
        request::CLOCK_CRYSTAL_FREQ => CLOCK_KHZ,
        request::NUM_BACKENDS => units.backends,
        request::NUM_TILE_PIPES => units.tile_pipes,
        request::FUSION_GART_WORKING => 1,
        request::BACKEND_MAP => units.backend_map,
        request::VA_START => southern_islands(FIRST_ADDRESS as u32)?,
        request::IB_VM_MAX_SIZE => southern_islands(64 << 10)?,
        request::MAX_PIPES => units.max_pipes,
        request::MAX_SE => units.engines,
        request::MAX_SH_PER_SE => southern_islands(2)?,
        request::ACTIVE_CU_COUNT => southern_islands(32)?,
        // Graphics and, where it is executed, compute.
        request::RING_WORKING => {
            let ring = given()?;
            u32::from(ring == 0 || virtual_addresses && ring == 1)
        }
        request::SI_CP_DMA_COMPUTE => southern_islands(1)?,
        request::SI_BACKEND_ENABLED_MASK => southern_islands(0xff)?,
        // Kilohertz of a Tahiti, for programs that show it.
        request::MAX_SCLK => 925_000,
        request::CURRENT_GPU_TEMP | request::CURRENT_GPU_SCLK | request::CURRENT_GPU_MCLK => 0,
        request::READ_REG => 0,
        request::VA_UNMAP_WORKING => southern_islands(1)?,
        request::GPU_RESET_COUNTER => file.machine().resets(),
        request => {
            tracing::warn!("RADEON_INFO {request:#x} is refused");
            return Err(Errno::INVALID);
        }
    };
    // SAFETY: all other requests have room for a word.
    unsafe { argument::store(asked.value, &[value])? };
    Ok(())
}
