//! Registers of multisampling: sample positions, masks, iteration.

use ::r600::regs;
use silicon::fragment::multisample::Samples;

use super::packets::Packets;
use crate::codegen::radeon::r6xx::samples::{distance, locations};
use crate::codegen::radeon::r6xx::state::alpha_to_mask;
use crate::state::GraphicsState;

/// Sets everything that a pipeline's number of samples decides. `per_sample` runs the fragment shader once a sample.
pub(super) fn multisample(state: &GraphicsState, per_sample: bool, out: &mut Packets<'_>) {
    let mode = regs::PaScModeCntl {
        line_stipple_enable: state.raster.line_stipple.is_some(),
        ps_iter_sample: per_sample,
        ..regs::PaScModeCntl::from_word(0)
    };
    count(state.multisample.count.max(1), mode, out);
    let mask = state.multisample.mask as u32 & 0xff;
    out.set(regs::PA_SC_AA_MASK, &[mask * 0x0101_0101]);
    out.set(regs::DB_ALPHA_TO_MASK, &[alpha_to_mask(state)]);
}

/// Sets how many samples a pixel has and where they are, and what else is in the word of the mode.
pub(super) fn count(count: u32, mode: regs::PaScModeCntl, out: &mut Packets<'_>) {
    let samples = Samples::standard(count);
    out.set(
        regs::PA_SC_MODE_CNTL,
        &[regs::PaScModeCntl {
            r700_vport_scissor_enable: true,
            msaa_enable: count > 1,
            ..mode
        }
        .pack()],
    );
    out.set(
        regs::PA_SC_AA_CONFIG,
        &[regs::PaScAaConfig {
            msaa_num_samples: count.ilog2() as u8,
            max_sample_dist: distance(&samples),
            ..regs::PaScAaConfig::from_word(0)
        }
        .pack()],
    );
    out.set(regs::PA_SC_AA_SAMPLE_LOCS_MCTX, &locations::<2>(&samples));
}
