//! Loads and stores of depth and stencil. [Rogue 15.5 ZLS]

use silicon::Memory;
use silicon::fragment::depth::DepthFormat;
use silicon::fragment::surface::{Cache, LanePixels, Plane, Texels};

use crate::isp::TileWorker;
use crate::layout::Surface;
use crate::pbe::{self, parts};
use crate::regs::{self, CrRender, Registers, ZlsCtl};
use crate::state::depth_format;
use crate::tile::Region;

/// Depth and stencil of a render in memory.
#[derive(Clone, Debug, Default)]
pub struct Zls {
    /// Of each layer; none where it does not move.
    depth: Vec<Plane>,
    stencil: Vec<Plane>,
    /// What tiles start with where they are not loaded.
    clear: (u32, u8),
    loads: [bool; 2],
    stores: [bool; 2],
}

impl Zls {
    /// From the registers of the render.
    pub fn new(
        registers: &Registers,
        memory: &Memory,
        surfaces: &mut Cache<Surface>,
    ) -> Result<Zls, String> {
        let control = ZlsCtl::from_word(registers.get(regs::ISP_ZLSCTL));
        let layers = CrRender::from_word(registers.get(regs::CR_RENDER)).layers();
        let mut planes = |first: u32, bytes: u32| {
            let words = registers.all(first);
            let layer_bytes = registers.get(first + regs::SURFACE_WORDS);
            pbe::surfaces(memory, surfaces, words, (layers, layer_bytes), bytes)
        };
        let bytes = match depth_format(control.store_format) {
            DepthFormat::Unorm16 | DepthFormat::Counted16 { .. } => 2,
            DepthFormat::Unorm24 | DepthFormat::Float32 => 4,
        };
        let moves = [
            control.z_load || control.z_store,
            control.s_load || control.s_store,
        ];
        Ok(Zls {
            depth: match control.depth_present && moves[0] {
                true => planes(regs::ISP_DEPTH, bytes)?,
                false => Vec::new(),
            },
            stencil: match control.stencil_present && moves[1] {
                true => planes(regs::ISP_STENCIL, 1)?,
                false => Vec::new(),
            },
            clear: (
                registers.get(regs::ISP_BGOBJ_DEPTH),
                registers.get(regs::ISP_BGOBJ_STENCIL) as u8,
            ),
            loads: [control.z_load, control.s_load],
            stores: [control.z_store, control.s_store],
        })
    }

    /// The surfaces.
    pub fn planes(&self) -> impl Iterator<Item = &Plane> {
        self.depth.iter().chain(&self.stencil)
    }

    /// Whether memory changes where nothing is drawn.
    pub fn moves(&self) -> bool {
        (0..2).any(|n| self.stores[n] && !self.loads[n])
    }

    /// Whether memory gets any of them.
    pub fn stored(&self) -> bool {
        self.stores != [false; 2]
    }

    /// Fills the depths and stencil values of a tile.
    pub fn load(&self, memory: &Memory, region: Region, worker: &mut TileWorker) {
        let TileWorker { tile, stats, .. } = worker;
        let (depth, stencil) = self.clear;
        if !self.loads[0] {
            tile.depth.fill([depth; 64]);
        }
        if !self.loads[1] {
            tile.stencil.fill([stencil; 64]);
        }
        if self.loads == [false; 2] {
            return;
        }
        let mut words = [[0; 64]; 4];
        for (part, [x, y], mask) in parts(region) {
            for sample in 0..tile.samples() {
                let texels = Texels {
                    place: LanePixels::Tile(x, y),
                    sample,
                    mask,
                };
                let row = tile.row(part, sample);
                if let Some(plane) = self.depth.get(region.layer).filter(|_| self.loads[0]) {
                    plane.read(memory, &texels, &mut words);
                    tile.depth[row] = words[0];
                    stats.depth_bytes_read += 4 * u64::from(mask.count_ones());
                }
                if let Some(plane) = self.stencil.get(region.layer).filter(|_| self.loads[1]) {
                    plane.read(memory, &texels, &mut words);
                    tile.stencil[row] = words[0].map(|word| word as u8);
                    stats.depth_bytes_read += u64::from(mask.count_ones());
                }
            }
        }
    }

    /// Writes them to memory.
    pub fn store(&self, memory: &Memory, region: Region, worker: &mut TileWorker) {
        if !self.stored() {
            return;
        }
        let TileWorker { tile, stats, .. } = worker;
        let mut words = [[0; 64]; 4];
        for (part, [x, y], mask) in parts(region) {
            for sample in 0..tile.samples() {
                let texels = Texels {
                    place: LanePixels::Tile(x, y),
                    sample,
                    mask,
                };
                let row = tile.row(part, sample);
                if let Some(plane) = self.depth.get(region.layer).filter(|_| self.stores[0]) {
                    words[0] = tile.depth[row];
                    plane.write(memory, &texels, false, &words);
                    stats.depth_bytes_written += 4 * u64::from(mask.count_ones());
                }
                if let Some(plane) = self.stencil.get(region.layer).filter(|_| self.stores[1]) {
                    words[0] = tile.stencil[row].map(u32::from);
                    plane.write(memory, &texels, false, &words);
                    stats.depth_bytes_written += u64::from(mask.count_ones());
                }
            }
        }
    }
}
