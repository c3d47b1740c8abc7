//! Primitive assembly and scan converter: where this chip has the registers of [`radeon::r6xx::pa`].

use radeon::r6xx::pa::Primitives;
use radeon::registers::RegisterFile;

use crate::regs::{self, DbRenderOverride, PaScAaConfig, PaScLineCntl, PaScModeCntl};

/// Primitive assembly of one draw.
pub(crate) fn primitives(registers: &RegisterFile) -> Primitives<'_> {
    let mode = PaScModeCntl::from_word(registers.get(regs::PA_SC_MODE_CNTL));
    let config = PaScAaConfig::from_word(registers.get(regs::PA_SC_AA_CONFIG));
    let line = PaScLineCntl::from_word(registers.get(regs::PA_SC_LINE_CNTL));
    Primitives {
        registers,
        finest: 5,
        vtx_cntl: regs::PA_SU_VTX_CNTL,
        poly_offset: regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL,
        user_planes: regs::PA_CL_UCP0_X,
        point_radii: regs::PA_CL_POINT_X_RAD,
        scissor_bits: [15, 14],
        render_override: DbRenderOverride::from_word(registers.get(regs::DB_RENDER_OVERRIDE)),
        viewport_scissors: true,
        line_stipple: mode.line_stipple_enable,
        line_rectangles: line.expand_line_width,
        samples: (
            1 << config.msaa_num_samples,
            regs::PA_SC_AA_SAMPLE_LOCS_MCTX,
        ),
        centred: !mode.msaa_enable,
        per_sample: mode.ps_iter_sample,
    }
}
