//! Register fields that enable what this chip does not execute, beside those of [`radeon::r6xx::unexecuted`].

use radeon::r6xx::unexecuted::{INPUT, SHARED, check};
use radeon::registers::RegisterFile;

use crate::geometry;
use crate::regs::*;

radeon::unexecuted! {
    /// Of all draws.
    pub const DRAW:
    SQ_PGM_RESOURCES_PS { CLAMP_CONSTS[31:31] }
    SPI_VS_OUT_CONFIG { VS_PER_COMPONENT[0:0], VS_EXPORTS_FOG[8:8] }
    SPI_PS_IN_CONTROL_0 { PARAM_GEN[18:15], BARYC_AT_SAMPLE_ENA[31:31] }
    SPI_PS_IN_CONTROL_1 { GEN_INDEX_PIX[0:0] }
    SPI_FOG_CNTL { PASS_FOG_THROUGH_PS[0:0], PIXEL_FOG_FUNC[2:1] }
    PA_SC_MPASS_PS_CNTL { MPASS_PS_ENA[31:31] }
    PA_SC_MODE_CNTL {
        MULTI_CHIP_PRIM_DISCARD_ENAB[3:3],
        KILL_PIX_POST_HI_Z[10:10],
        KILL_PIX_POST_DETAIL_MASK[11:11],
        MULTI_CHIP_SUPERTILE_ENABLE[12:12],
    }
    DB_RENDER_CONTROL { RESUMMARIZE_ENABLE[4:4] }
    DB_RENDER_OVERRIDE { FORCE_COLOR_KILL[10:10] }
    DB_SRESULTS_COMPARE_STATE0 { ENABLE0[24:24] }
    DB_SRESULTS_COMPARE_STATE1 { ENABLE1[24:24] }
    CB_COLOR_CONTROL { FOG_ENABLE[0:0], DITHER_ENABLE[2:2], DEGAMMA_ENABLE[3:3] }
    CB_CLRCMP_CONTROL { CLRCMP_FCN_SRC[2:0], CLRCMP_FCN_DST[10:8] }
}

radeon::unexecuted! {
    /// Of draws without a geometry program.
    pub const PLAIN:
    VGT_GS_MODE { MODE[1:0], ES_PASSTHRU[2:2] }
}

radeon::unexecuted! {
    /// Of draws with one.
    pub const GEOMETRY:
    VGT_GS_MODE { MODE[1:0] = 3, ES_PASSTHRU[2:2] }
    SQ_PGM_RESOURCES_ES { CLAMP_CONSTS[31:31] }
    SQ_PGM_RESOURCES_GS { CLAMP_CONSTS[31:31] }
}

radeon::unexecuted! {
    /// Of each colour target that is drawn to.
    pub const TARGET:
    CB_COLOR0_INFO { ENDIAN[1:0], TILE_MODE[18:18] }
}

radeon::unexecuted! {
    /// Of the blend control of a target that blends.
    pub const BLEND:
    CB_BLEND_CONTROL { OPACITY_WEIGHT[13:13] }
}

radeon::unexecuted! {
    /// Of the depth surface that is tested.
    pub const DEPTH:
    DB_DEPTH_INFO { TILE_SURFACE_ENABLE[25:25] }
}

/// Whether a draw enables nothing that is not executed; targets and the depth surface are checked where they are bound.
pub(crate) fn draw(registers: &RegisterFile) -> Result<(), String> {
    check(registers, SHARED, 0)?;
    check(registers, DRAW, 0)?;
    let stages = if geometry::is_on(registers) {
        GEOMETRY
    } else {
        PLAIN
    };
    check(registers, stages, 0)?;
    let control = SpiPsInControl0::from_word(registers.get(SPI_PS_IN_CONTROL_0));
    let mut inputs = 0..u32::from(control.num_interp).min(32);
    inputs.try_for_each(|n| check(registers, INPUT, 4 * n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use radeon::r6xx::unexecuted::Field;

    #[test]
    fn fields_are_those_of_their_registers() {
        let tables: [&[Field]; 8] = [SHARED, INPUT, DRAW, PLAIN, GEOMETRY, TARGET, BLEND, DEPTH];
        for field in tables.into_iter().flatten() {
            let register = radeon::registers::name(&TABLES, field.register);
            let named = field.name.split('.').next();
            assert_eq!(register, named);
        }
    }
}
