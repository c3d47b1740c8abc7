//! An AMD R600 GPU, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`cp`] | packets to registers and draws |
//! | [`vgt`](radeon::r6xx::vgt) | indices to primitives and vertices, each vertex once |
//! | [`sq`] | programs, their constants and resources, waves of them |
//! | [`spi`] | the registers that waves start with, interpolated attributes among them |
//! | [`sx`], [`smx`] | exports; reads and writes of scratch memory, writes of rings |
//! | [`vc`], [`ta`] | vertex fetches; texture instructions |
//! | [`pa`] | clipping, viewport, set-up, scan converter |
//! | [`db`], [`cb`] | depth and stencil; colour |
//!
//! The blocks turn registers into state and start registers, which [`state`] keeps; [`draw`] hands them to
//! [`silicon::draw`], which does what every chip does the same way. [`exec`] runs a program outside any draw.
#![forbid(unsafe_code)]

mod cb;
mod cp;
mod db;
mod draw;
pub mod exec;
pub mod formats;
mod geometry;
pub mod isa;
mod pa;
pub mod packets;
mod registers;
pub mod regs;
pub mod resource;
pub mod smx;
mod spi;
mod sq;
mod state;
pub mod sx;
mod ta;
pub mod tiling;
mod tools;
pub mod unexecuted;
mod vc;

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
use silicon::{Features, Gpu, Info, Limits, Memory, Stats, WAVE_COST, WorkgroupLimits};

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "r600";

/// What the chip is and can do.
pub static INFO: Info = Info {
    name: CHIP,
    title: "AMD R600",
    limits: Limits {
        memory_bytes: 1 << 30,
        image_2d: 8192,
        image_3d: 2048,
        image_layers: 2048,
        color_attachments: 8,
        vertex_attributes: 16,
        vertex_buffers: 16,
        vertex_stride: (1 << 11) - 1,
        varyings: 31,
        uniform_range_bytes: 1 << 16,
        storage_range_bytes: 1 << 30,
        buffer_offset_align: 256,
        viewports: 16,
        indirect_draws: false,
        wave_cost: WAVE_COST,
        workgroup: WorkgroupLimits::NONE,
    },
    features: Features {
        depth_bounds: false,
        // Samplers have no bits for any of these.
        sampler_reduction: false,
        unnormalized_samplers: false,
        separate_cube_faces: false,
        shader_stores: false,
        // There is no dispatch, and waves share no memory.
        compute: false,
        // No instruction reads what another pixel has.
        subgroups: false,
        ..Features::ALL
    },
};

/// The chip.
pub struct R600 {
    memory: Memory,
    start: Start,
    registers: RegisterFile,
    predication: Predication,
    programs: sq::Programs,
    images: ta::Images,
    stages: sq::KeptStages,
    surfaces: Cache<tiling::Surface>,
    threads: Arc<Threads>,
    workers: Vec<Worker<draw::WaveWorker>>,
    store: Store,
    first_halves: FirstHalves,
    /// Small draws that have not run, and those whose second half waits.
    pending: Pending<state::Made>,
    waiting: Waiting<draw::Pixel>,
    states: States<state::State>,
    /// Since power-on.
    totals: Stats,
    /// Where the next vertex begins in each buffer of the stream, in words.
    stream_offsets: [u32; BUFFERS],
}

impl R600 {
    /// Switches a device on.
    pub fn power_on(memory: Memory, start: Start) -> Box<dyn Gpu> {
        let threads = start.threads.map_or_else(Threads::from_env, Threads::new);
        let worker = || Worker::new(draw::WaveWorker::new(memory.clone(), start.level));
        let workers = threads.workers(worker);
        Box::new(R600 {
            memory,
            start,
            registers: registers::power_on(),
            predication: Predication::default(),
            programs: sq::Programs::new(start.level),
            images: ta::Images::default(),
            stages: sq::KeptStages::default(),
            surfaces: Cache::default(),
            threads: Arc::new(threads),
            workers,
            store: Store::default(),
            first_halves: FirstHalves::default(),
            pending: Pending::default(),
            waiting: Waiting::default(),
            states: States::default(),
            totals: Stats::default(),
            stream_offsets: [0; BUFFERS],
        })
    }
}

impl R600 {
    /// What the first colour target holds.
    fn shown(&mut self) -> Result<Option<Target>, String> {
        cb::shown(&self.registers, &self.memory, &mut self.surfaces)
    }
}

radeon::device!(R600, INFO);
