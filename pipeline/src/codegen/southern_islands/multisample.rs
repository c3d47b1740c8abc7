//! Registers of multisampling: sample positions, masks, iteration, alpha to coverage.

use ::southern_islands::regs;
use silicon::fragment::multisample::Samples;

use super::packets::Packets;
use crate::codegen::radeon::r6xx::samples::{distance, locations};
use crate::codegen::radeon::r6xx::state::alpha_to_mask;
use crate::state::GraphicsState;

/// Sets everything that a pipeline's number of samples decides. `per_sample` runs the fragment shader once a sample.
pub(super) fn multisample(state: &GraphicsState, per_sample: bool, out: &mut Packets<'_>) {
    let count = state.multisample.count.max(1);
    let log2 = count.ilog2() as u8;
    let samples = Samples::standard(count);
    out.set(
        regs::PA_SC_MODE_CNTL_0,
        &[
            regs::PaScModeCntl0 {
                vport_scissor_enable: true,
                line_stipple_enable: state.raster.line_stipple.is_some(),
                msaa_enable: count > 1,
                ..regs::PaScModeCntl0::from_word(0)
            }
            .pack(),
            regs::PaScModeCntl1 {
                ps_iter_sample: per_sample,
                ..regs::PaScModeCntl1::from_word(0)
            }
            .pack(),
        ],
    );
    out.set(
        regs::PA_SC_AA_CONFIG,
        &[regs::PaScAaConfig {
            msaa_num_samples: log2,
            msaa_exposed_samples: log2,
            max_sample_dist: distance(&samples),
            ..regs::PaScAaConfig::from_word(0)
        }
        .pack()],
    );
    // The four pixels of a quad have the same positions.
    let quad: Vec<u32> = (0..4).flat_map(|_| locations::<4>(&samples)).collect();
    out.set(regs::PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0, &quad);
    let mask = state.multisample.mask as u32 & 0xffff;
    let mask = mask << 16 | mask;
    out.set(regs::PA_SC_AA_MASK_X0Y0_X1Y0, &[mask, mask]);
    out.set(
        regs::DB_EQAA,
        &[regs::DbEqaa {
            max_anchor_samples: log2,
            ps_iter_samples: if per_sample { log2 } else { 0 },
            mask_export_num_samples: log2,
            alpha_to_mask_num_samples: log2,
            high_quality_intersections: true,
            static_anchor_associations: true,
            ..regs::DbEqaa::from_word(0)
        }
        .pack()],
    );
    out.set(regs::DB_ALPHA_TO_MASK, &[alpha_to_mask(state)]);
    // Front faces are all bits; the position is that of the sample where there is a wave for each.
    out.set(
        regs::SPI_BARYC_CNTL,
        &[regs::SpiBarycCntl {
            front_face_all_bits: true,
            pos_float_location: if per_sample { 2 } else { 0 },
            ..regs::SpiBarycCntl::from_word(0)
        }
        .pack()],
    );
}
