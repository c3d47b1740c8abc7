//! Primitive assembly and scan converter: where this chip has the registers of [`radeon::r6xx::pa`].

use radeon::r6xx::pa::Primitives;
use radeon::registers::RegisterFile;

use crate::regs::{
    self, DbRenderOverride, PaClVsOutCntl, PaScAaConfig, PaScLineCntl, PaScModeCntl0, PaScModeCntl1,
};

/// Primitive assembly of one draw.
pub(crate) fn primitives(registers: &RegisterFile) -> Primitives<'_> {
    let mode = PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0));
    let walk = PaScModeCntl1::from_word(registers.get(regs::PA_SC_MODE_CNTL_1));
    let config = PaScAaConfig::from_word(registers.get(regs::PA_SC_AA_CONFIG));
    let line = PaScLineCntl::from_word(registers.get(regs::PA_SC_LINE_CNTL));
    Primitives {
        registers,
        finest: 7,
        vtx_cntl: regs::PA_SU_VTX_CNTL,
        poly_offset: regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL,
        user_planes: regs::PA_CL_UCP_0_X,
        point_radii: regs::PA_CL_POINT_X_RAD,
        scissor_bits: [16, 15],
        render_override: DbRenderOverride::from_word(registers.get(regs::DB_RENDER_OVERRIDE)),
        viewport_scissors: mode.vport_scissor_enable,
        line_stipple: mode.line_stipple_enable,
        // Ends square to the line are those of a rectangle.
        line_rectangles: line.perpendicular_endcap_ena || line.expand_line_width,
        // The upper left pixel of a quad speaks for all four.
        samples: (
            1 << config.msaa_num_samples.min(4),
            regs::PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0,
        ),
        centred: !mode.msaa_enable,
        per_sample: walk.ps_iter_sample,
    }
}

/// Which vector each position export is: those behind the first are there as PA_CL_VS_OUT_CNTL says, without gaps.
pub(crate) fn positions(registers: &RegisterFile) -> [u8; 4] {
    let outputs = PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL));
    let vectors = [
        outputs.vs_out_misc_vec_ena,
        outputs.vs_out_ccdist0_vec_ena,
        outputs.vs_out_ccdist1_vec_ena,
    ];
    let mut places = [0; 4];
    let there = (1..).zip(vectors).filter(|(_, there)| *there);
    for (place, (n, _)) in places[1..].iter_mut().zip(there) {
        *place = n;
    }
    places
}
