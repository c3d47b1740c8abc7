//! The chip as its driver sees it: a command processor that feeds the pipeline.

use std::ops::Range;
use std::sync::Arc;

use radeon::packets::Processor;
use silicon::fragment::bins::Threads;
use silicon::fragment::target::Target;
use silicon::{
    Addr, Features, Gpu, Info, Limits, Memory, Start, Stats, Trap, WAVE_COST, WorkgroupLimits,
};

use crate::CHIP;
use crate::cb;
use crate::cp::CommandProcessor;
use crate::draw::Pipeline;

/// What the chip is and can do.
pub static INFO: Info = Info {
    name: CHIP,
    title: "ATI R5xx",
    limits: Limits {
        memory_bytes: 1 << 29,
        image_2d: 4096,
        image_3d: 4096,
        // The faces of a cube.
        image_layers: 6,
        color_attachments: 4,
        vertex_attributes: 16,
        vertex_buffers: 16,
        vertex_stride: 4 * 127,
        varyings: 8,
        uniform_range_bytes: 1 << 12,
        storage_range_bytes: 0,
        buffer_offset_align: 4,
        viewports: 1,
        indirect_draws: false,
        wave_cost: WAVE_COST,
        workgroup: WorkgroupLimits::NONE,
    },
    features: Features {
        depth_bounds: false,
        sampler_reduction: false,
        // Programs say so, samplers do not.
        unnormalized_samplers: false,
        separate_cube_faces: true,
        shader_stores: false,
        // Registers are floats.
        integers: false,
        // There is one RB3D_BLENDCNTL.
        independent_blend: false,
        dual_source_blend: false,
        depth_clamp: false,
        depth_bias_clamp: false,
        line_modes: false,
        sample_coverage: true,
        sample_shading: false,
        texture_arrays: false,
        layered_passes: false,
        statistics: false,
        timestamps: false,
        // The driver merges them into vertex programs.
        geometry: true,
        stream_output: false,
        compute: false,
        // US_W_FMT gives a depth alone.
        stencil_export: false,
        // Pixels see no others but by derivatives.
        subgroups: false,
    },
};

/// The chip.
pub struct R5xx {
    memory: Memory,
    threads: Arc<Threads>,
    cp: CommandProcessor<Pipeline>,
}

impl R5xx {
    /// Switches a device on.
    pub fn power_on(memory: Memory, start: Start) -> Box<dyn Gpu> {
        Box::new(R5xx::new(memory, start))
    }

    /// The same, with what the command processor shows of itself.
    pub fn new(memory: Memory, start: Start) -> R5xx {
        let threads = start.threads.map_or_else(Threads::from_env, Threads::new);
        let threads = Arc::new(threads);
        let pipeline = Pipeline::new(&memory, start, threads.clone());
        R5xx {
            cp: CommandProcessor::new(memory.clone(), threads.clone(), pipeline),
            threads,
            memory,
        }
    }

    /// Its command processor.
    pub fn command_processor(&self) -> &CommandProcessor<Pipeline> {
        &self.cp
    }
}

impl Gpu for R5xx {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    fn execute(&mut self, stream: Range<Addr>) -> Result<Stats, Trap> {
        self.cp.execute_stream(stream)
    }

    fn target(&mut self) -> Result<Option<Target>, String> {
        cb::shown(&self.cp.state().registers, &self.memory)
    }
}
