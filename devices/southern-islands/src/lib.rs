//! An AMD Southern Islands (GCN1) GPU, a Tahiti, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`cp`] | packets to registers and draws |
//! | [`vgt`](radeon::r6xx::vgt) | indices to primitives and vertices, each vertex once |
//! | [`sq`] | programs, waves of them |
//! | [`spi`] | the registers that waves start with, parameter interpolation |
//! | [`sx`] | exports |
//! | [`sqc`], [`ta`], [`lds`] | scalar loads; buffers and images; data shares |
//! | [`compute`] | dispatches of groups |
//! | [`geometry`], [`tess`] | stages between vertices and primitives |
//! | [`pa`] | clipping, viewport, set-up, scan converter |
//! | [`db`], [`cb`], [`cmask`], [`htile`] | depth and stencil; colour; fast clears |
//!
//! The blocks turn registers into state and start registers, which [`state`] keeps; [`draw`] hands them to
//! [`silicon::draw`], which does what every chip does the same way.
#![forbid(unsafe_code)]

pub mod atomic;
mod cb;
mod cmask;
mod compute;
mod cp;
mod db;
pub mod descriptor;
mod draw;
pub mod exec;
pub mod formats;
mod geometry;
mod htile;
pub mod isa;
pub mod lds;
mod mask;
mod pa;
pub mod packets;
mod reach;
mod registers;
pub mod regs;
pub mod scratch;
mod spi;
mod sq;
pub mod sqc;
mod state;
mod sx;
pub mod ta;
mod tess;
pub mod tiling;
mod tools;
pub mod unexecuted;

pub use silicon::Start;
pub use tools::TOOLS;

use std::sync::Arc;

use radeon::r6xx::draws::Pending;
use radeon::r6xx::predication::Predication;
use radeon::r6xx::states::States;
use radeon::registers::RegisterFile;
use silicon::draw::{FirstHalves, Worker};
use silicon::fragment::Waiting;
use silicon::fragment::bins::Threads;
use silicon::fragment::surface::Cache;
use silicon::fragment::target::Target;
use silicon::geometry::binning::Store;
use silicon::geometry::stream::BUFFERS;
use silicon::groups::Chunks;
use silicon::{Features, Gpu, Info, Limits, Memory, Stats, WAVE_COST, WorkgroupLimits};

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
        wave_cost: WAVE_COST,
        workgroup: WorkgroupLimits {
            size: [1024; 3],
            invocations: 1024,
            shared_bytes: 1 << 15,
            count: (1 << 16) - 1,
        },
    },
    features: Features::ALL,
};

/// The chip.
pub struct SouthernIslands {
    memory: Memory,
    start: Start,
    registers: RegisterFile,
    predication: Predication,
    cp: cp::CpState,
    programs: sq::Programs,
    surfaces: Cache<tiling::Surface>,
    threads: Arc<Threads>,
    workers: Vec<Worker<draw::WaveWorker>>,
    store: Store,
    /// What groups of dispatches store waits here.
    chunks: Chunks<isa::memory::Atomic>,
    first_halves: FirstHalves,
    /// Small draws that have not run, and those whose second half waits.
    pending: Pending<state::Made>,
    waiting: Waiting<draw::Pixel>,
    states: States<state::State>,
    /// Where the next vertex begins in each buffer of the stream, in words.
    stream_offsets: [u32; BUFFERS],
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
            predication: Predication::default(),
            cp: cp::CpState::default(),
            programs: sq::Programs::new(start),
            surfaces: Cache::default(),
            threads: Arc::new(threads),
            workers,
            store: Store::default(),
            chunks: Chunks::default(),
            first_halves: FirstHalves::default(),
            pending: Pending::default(),
            waiting: Waiting::default(),
            states: States::default(),
            stream_offsets: [0; BUFFERS],
            totals: Stats::default(),
        })
    }
}

impl SouthernIslands {
    /// What the first colour target holds.
    fn shown(&mut self) -> Result<Option<Target>, String> {
        cb::shown(&self.registers, &self.memory, &mut self.surfaces)
    }
}

radeon::device!(SouthernIslands, INFO);
