//! What the chip is and can do.

use silicon::{Features, Info, Limits, WAVE_COST, WorkgroupLimits};

use crate::CHIP;
use crate::cdm::{MOST_INSTANCES, MOST_SHARED};

/// What the chip is and can do.
pub static INFO: Info = Info {
    name: CHIP,
    title: "PowerVR Series6XT (Rogue)",
    limits: Limits {
        memory_bytes: 1 << 30,
        image_2d: 16384,
        image_3d: 2048,
        image_layers: 2048,
        color_attachments: 8,
        vertex_attributes: 32,
        vertex_buffers: 32,
        vertex_stride: (1 << 16) - 1,
        varyings: 31,
        uniform_range_bytes: 1 << 27,
        storage_range_bytes: 1 << 30,
        buffer_offset_align: 4,
        viewports: 16,
        indirect_draws: true,
        wave_cost: WAVE_COST,
        workgroup: WorkgroupLimits {
            size: [1024; 3],
            invocations: MOST_INSTANCES,
            shared_bytes: MOST_SHARED,
            count: (1 << 16) - 1,
        },
    },
    features: Features {
        depth_bounds: false,
        sampler_reduction: false,
        stream_output: false,
        // Of what a pixel hands over, DEPTHF gives its depth; nothing gives stencil values.
        stencil_export: false,
        // The guide lists no instruction that reads what another instance has, but for derivatives.
        subgroups: false,
        ..Features::ALL
    },
};
