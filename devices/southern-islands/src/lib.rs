//! An AMD Southern Islands (GCN1) GPU, a Tahiti, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`cp`] | packets to registers and draws |
//! | [`vgt`] | indices to primitives and vertices, each vertex once |
//! | [`sq`] | programs, waves of them |
//! | [`spi`] | the registers that waves start with, parameter interpolation |
//! | [`sx`] | exports |
//! | [`sqc`], [`ta`], [`lds`] | scalar loads; buffers and images; data shares |
//! | [`pa`] | clipping, viewport, set-up, scan converter |
//! | [`db`], [`cb`] | depth and stencil; colour |
//!
//! The blocks turn registers into state and start registers; [`draw`] hands them to [`silicon::draw`], which does what
//! every chip does alike.
#![forbid(unsafe_code)]

pub mod atomic;
mod cb;
mod cp;
mod db;
pub mod descriptor;
mod draw;
pub mod exec;
pub mod formats;
mod fresh;
pub mod isa;
pub mod lds;
mod pa;
pub mod packets;
mod registers;
pub mod regs;
pub mod scratch;
mod spi;
mod sq;
pub mod sqc;
mod sx;
pub mod ta;
pub mod tiling;
mod tools;
mod vgt;

pub use tools::SouthernIslandsTools;

use std::ops::Range;

use radeon::packets::Processor;
use radeon::registers::RegisterFile;
use silicon::draw::Worker;
use silicon::fragment::bins::Threads;
use silicon::fragment::surface::Cache;
use silicon::geometry::binning::Store;
use silicon::{Addr, Features, Gpu, Info, Limits, Memory, SimdLevel, Stats, Trap};

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "southern-islands";

/// What the chip is and can do.
pub static INFO: Info = Info {
    name: CHIP,
    title: "AMD Southern Islands (Tahiti)",
    limits: Limits {
        memory_bytes: 1 << 30,
        image_2d: 16384,
        image_3d: 2048,
        image_layers: 2048,
        color_attachments: 8,
        vertex_attributes: 32,
        vertex_buffers: 32,
        vertex_stride: (1 << 14) - 1,
        varyings: 31,
        uniform_range_bytes: 1 << 27,
        storage_range_bytes: 1 << 30,
        buffer_offset_align: 4,
        viewports: 16,
        indirect_draws: true,
        wave_instructions: 1 << 24,
    },
    features: Features::ALL,
};

/// Its instruction set, for people and scripts.
pub static TOOLS: &dyn ::isa::Tools = &SouthernIslandsTools;

/// How a device is switched on. Results do not depend on `threads`, `level` and `fine_depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Threads that share the work of a draw; none takes as many as the machine has.
    pub threads: Option<usize>,
    /// Vector instructions of the host that are used.
    pub level: SimdLevel,
    /// Instructions that one wave may run before the watchdog stops it.
    pub wave_instructions: u64,
    /// Every pixel's depth is tested, also in tiles that bounds of the depths would rule out.
    pub fine_depth: bool,
    /// A program that relies on undefined timing, on registers that its waves do not have or on the alignment of
    /// misaligned addresses is a trap.
    pub strict: bool,
}

impl Default for Start {
    fn default() -> Start {
        Start {
            threads: None,
            level: SimdLevel::current(),
            wave_instructions: INFO.limits.wave_instructions,
            fine_depth: false,
            strict: false,
        }
    }
}

/// The chip.
pub struct SouthernIslands {
    memory: Memory,
    start: Start,
    registers: RegisterFile,
    cp: cp::CpState,
    programs: sq::Programs,
    surfaces: Cache<tiling::Surface>,
    threads: Threads,
    workers: Vec<Worker<draw::WaveWorker>>,
    store: Store,
    /// Since power-on.
    totals: Stats,
}

impl SouthernIslands {
    /// Switches a device on.
    pub fn power_on(memory: Memory, start: Start) -> Box<dyn Gpu> {
        let threads = start.threads.map_or_else(Threads::from_env, Threads::new);
        let workers = threads.workers(|| Worker::new(draw::WaveWorker::new(memory.clone(), start)));
        Box::new(SouthernIslands {
            memory,
            start,
            registers: registers::power_on(),
            cp: cp::CpState::default(),
            programs: sq::Programs::new(start),
            surfaces: Cache::default(),
            threads,
            workers,
            store: Store::default(),
            totals: Stats::default(),
        })
    }
}

impl Gpu for SouthernIslands {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn execute(&mut self, stream: Range<Addr>) -> Result<Stats, Trap> {
        let before = self.totals;
        self.run_stream(stream, 0)?;
        Ok(self.totals.since(before))
    }
}
