//! `DRM_IOCTL_AMDGPU_INFO`: what the kernel tells of a chip.

use bytemuck::{NoUninit, Pod, Zeroable};
use southern_islands::regs;
use southern_islands::tiling::TAHITI;

use crate::argument;
use crate::errno::{Answer, Errno};
use crate::file::File;
use crate::machine::FIRST_ADDRESS;
use crate::radeon::{CLOCK_KHZ, ticks};
use crate::range::PAGE;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Info {
    /// Where the answer goes, and how many bytes there are for it.
    at: u64,
    bytes: u32,
    query: u32,
    words: [u32; 4],
}

/// `AMDGPU_INFO_*`.
mod query {
    pub(super) const ACCEL_WORKING: u32 = 0x00;
    pub(super) const HW_IP_INFO: u32 = 0x02;
    pub(super) const HW_IP_COUNT: u32 = 0x03;
    pub(super) const TIMESTAMP: u32 = 0x05;
    pub(super) const FW_VERSION: u32 = 0x0e;
    pub(super) const NUM_BYTES_MOVED: u32 = 0x0f;
    pub(super) const VRAM_USAGE: u32 = 0x10;
    pub(super) const GTT_USAGE: u32 = 0x11;
    pub(super) const GDS_CONFIG: u32 = 0x13;
    pub(super) const VRAM_GTT: u32 = 0x14;
    pub(super) const READ_MMR_REG: u32 = 0x15;
    pub(super) const DEV_INFO: u32 = 0x16;
    pub(super) const VIS_VRAM_USAGE: u32 = 0x17;
    pub(super) const NUM_EVICTIONS: u32 = 0x18;
    pub(super) const MEMORY: u32 = 0x19;
    pub(super) const NUM_VRAM_CPU_PAGE_FAULTS: u32 = 0x1e;
    pub(super) const VRAM_LOST_COUNTER: u32 = 0x1f;
}

/// `drm_amdgpu_info_device`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Device {
    device_id: u32,
    chip_rev: u32,
    external_rev: u32,
    pci_rev: u32,
    family: u32,
    engines: u32,
    arrays_per_engine: u32,
    counter_khz: u32,
    max_engine_clock: u64,
    max_memory_clock: u64,
    units: u32,
    units_always_on: u32,
    unit_bitmap: [[u32; 4]; 4],
    backend_mask: u32,
    backends: u32,
    contexts: u32,
    pad: u32,
    ids_flags: u64,
    address_start: u64,
    address_end: u64,
    address_alignment: u32,
    fragment_bytes: u32,
    gart_page_bytes: u32,
    constant_engine_bytes: u32,
    vram_type: u32,
    vram_bits: u32,
    vce_harvest: u32,
    double_offchip_lds: u32,
    /// Buffers of later chips, their sizes.
    later: [u64; 4],
    later_sizes: [u32; 4],
    wave_lanes: u32,
    vgprs: u32,
    units_per_array: u32,
    texture_caches: u32,
    gs_vgt_table_depth: u32,
    gs_primitive_buffer_depth: u32,
    gs_waves_per_vgt: u32,
    pad1: u32,
    always_on_bitmap: [[u32; 4]; 4],
    high_start: u64,
    high_end: u64,
    later_steering: u32,
    pad2: u32,
    later_caches: u64,
}

/// `drm_amdgpu_info_hw_ip`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Engine {
    major: u32,
    minor: u32,
    capabilities: u64,
    start_alignment: u32,
    size_alignment: u32,
    rings: u32,
    pad: u32,
}

/// `drm_amdgpu_heap_info`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Heap {
    total: u64,
    usable: u64,
    used: u64,
    largest: u64,
}

/// `AMDGPU_FAMILY_SI`.
const FAMILY_SI: u32 = 110;
/// `AMDGPU_VRAM_TYPE_GDDR5`.
const GDDR5: u32 = 5;
/// `AMDGPU_HW_IP_GFX`, `AMDGPU_HW_IP_COMPUTE`.
const ENGINE_GRAPHICS: u32 = 0;
const ENGINE_COMPUTE: u32 = 1;
/// Bytes of each kind of memory.
const HEAP_BYTES: u64 = 1 << 31;

/// # Safety
///
/// The program says that there is room for as many bytes as it says.
pub(super) unsafe fn info(file: &File, asked: &mut Info) -> Answer {
    let put = |answer: &[u8]| {
        let room = answer.len().min(asked.bytes as usize);
        // SAFETY: as the caller says.
        unsafe { argument::store(asked.at, &answer[..room])? };
        Ok(())
    };
    fn bytes<T: NoUninit>(value: &T) -> &[u8] {
        bytemuck::bytes_of(value)
    }
    match asked.query {
        query::ACCEL_WORKING => put(bytes(&1u32)),
        query::DEV_INFO => put(bytes(&device(file))),
        query::HW_IP_INFO => put(bytes(&engine(asked.words[0]))),
        query::HW_IP_COUNT => put(bytes(&u32::from(engine(asked.words[0]).rings != 0))),
        query::TIMESTAMP => put(bytes(&ticks())),
        // Version and feature of firmware that is not there.
        query::FW_VERSION => put(bytes(&[0u32; 2])),
        query::NUM_BYTES_MOVED
        | query::VRAM_USAGE
        | query::GTT_USAGE
        | query::VIS_VRAM_USAGE
        | query::NUM_EVICTIONS
        | query::NUM_VRAM_CPU_PAGE_FAULTS => put(bytes(&0u64)),
        query::VRAM_LOST_COUNTER => put(bytes(&file.machine().resets())),
        // No partition of the global data share is given away.
        query::GDS_CONFIG => put(bytes(&[0u32; 8])),
        query::VRAM_GTT => put(bytes(&[HEAP_BYTES; 3])),
        query::MEMORY => {
            let heap = Heap {
                total: HEAP_BYTES,
                usable: HEAP_BYTES,
                used: 0,
                largest: HEAP_BYTES,
            };
            put(bytes(&[heap; 3]))
        }
        query::READ_MMR_REG => {
            let [first, count, ..] = asked.words;
            let most = asked.bytes / 4;
            let values = (first..).take(count.min(most) as usize).map(register);
            let values: Vec<u32> = values.collect();
            put(bytemuck::cast_slice(&values))
        }
        query => {
            tracing::warn!("AMDGPU_INFO {query:#x} is refused");
            Err(Errno::INVALID)
        }
    }
}

/// A Tahiti: two engines of two arrays of eight units.
fn device(file: &File) -> Device {
    let mut unit_bitmap = [[0; 4]; 4];
    for engine in &mut unit_bitmap[..2] {
        engine[..2].fill(0xff);
    }
    Device {
        device_id: file.card.pci.into(),
        chip_rev: 1,
        // Revisions 5 to 19 of the family are Tahiti.
        external_rev: 5,
        family: FAMILY_SI,
        engines: 2,
        arrays_per_engine: 2,
        counter_khz: CLOCK_KHZ,
        max_engine_clock: 925_000,
        max_memory_clock: 1_375_000,
        units: 32,
        unit_bitmap,
        backend_mask: 0xff,
        backends: 8,
        contexts: 8,
        address_start: FIRST_ADDRESS,
        address_end: file.card.reach,
        address_alignment: PAGE as u32,
        fragment_bytes: 64 << 10,
        gart_page_bytes: PAGE as u32,
        constant_engine_bytes: 32 << 10,
        vram_type: GDDR5,
        vram_bits: 384,
        wave_lanes: 64,
        vgprs: 256,
        units_per_array: 8,
        texture_caches: 12,
        gs_vgt_table_depth: 32,
        gs_primitive_buffer_depth: 1792,
        gs_waves_per_vgt: 32,
        ..Device::zeroed()
    }
}

fn engine(kind: u32) -> Engine {
    let rings = match kind {
        ENGINE_GRAPHICS => 1,
        ENGINE_COMPUTE => 1,
        _ => return Engine::zeroed(),
    };
    Engine {
        major: 6,
        start_alignment: 256,
        size_alignment: 4,
        rings,
        ..Engine::zeroed()
    }
}

/// What a register of the chip reads as that drivers are allowed to ask for, by its number of words.
fn register(word: u32) -> u32 {
    /// PA_SC_RASTER_CONFIG of a Tahiti with all of its backends.
    const PA_SC_RASTER_CONFIG: u32 = 0x28350;
    const RASTER_CONFIG: u32 = 0x2a00_126a;
    /// MC_ARB_RAMCFG: as many rows and banks as the tile modes say.
    const MC_ARB_RAMCFG: u32 = 0x2760;
    const RAMCFG: u32 = 2;
    let address = 4 * word;
    match address {
        regs::GB_ADDR_CONFIG => regs::TAHITI_ADDR_CONFIG,
        PA_SC_RASTER_CONFIG => RASTER_CONFIG,
        MC_ARB_RAMCFG => RAMCFG,
        _ => {
            let mode = address
                .checked_sub(regs::GB_TILE_MODE0)
                .map(|bytes| bytes / 4);
            mode.and_then(|mode| TAHITI.get(mode as usize))
                .copied()
                .unwrap_or(0)
        }
    }
}
