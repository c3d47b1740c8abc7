//! Register fields that enable what this chip does not execute, beside those of [`radeon::r6xx::unexecuted`].

use radeon::r6xx::unexecuted::{INPUT, SHARED, check};
use radeon::registers::RegisterFile;

use crate::regs::*;

radeon::unexecuted! {
    /// Of all draws.
    pub const DRAW:
    VGT_VTX_CNT_EN { VTX_CNT_EN[0:0] }
    VGT_GS_MODE { COMPUTE_MODE[14:14], FAST_COMPUTE_MODE[15:15] }
    VGT_STRMOUT_CONFIG { RAST_STREAM[6:4], USE_RAST_STREAM_MASK[31:31] }
    VGT_STRMOUT_BUFFER_CONFIG {
        STREAM_1_BUFFER_EN[7:4],
        STREAM_2_BUFFER_EN[11:8],
        STREAM_3_BUFFER_EN[15:12],
    }
    SPI_SHADER_PGM_RSRC1_VS { DEBUG_MODE[22:22] }
    SPI_SHADER_PGM_RSRC2_VS { EXCP_EN[19:13] }
    SPI_SHADER_PGM_RSRC1_PS { DEBUG_MODE[22:22] }
    SPI_SHADER_PGM_RSRC2_PS { WAVE_CNT_EN[7:7], EXTRA_LDS_SIZE[15:8], EXCP_EN[22:16] }
    SPI_VS_OUT_CONFIG { VS_HALF_PACK[6:6], VS_EXPORTS_FOG[7:7] }
    SPI_PS_INPUT_ENA { LINE_STIPPLE_TEX_ENA[7:7] }
    SPI_PS_IN_CONTROL { PARAM_GEN[6:6], PASS_FOG_THROUGH_PS[15:15] }
    SPI_BARYC_CNTL {
        PERSP_CENTER_CNTL[0:0],
        PERSP_CENTROID_CNTL[4:4],
        LINEAR_CENTER_CNTL[8:8],
        LINEAR_CENTROID_CNTL[12:12],
        POS_FLOAT_LOCATION[16:16],
    }
    PA_SU_LINE_STIPPLE_CNTL {
        LINE_STIPPLE_RESET[1:0],
        EXPAND_FULL_LENGTH[2:2],
        FRACTIONAL_ACCUM[3:3],
        DIAMOND_ADJUST[4:4],
    }
    PA_SU_PRIM_FILTER_CNTL {
        TRIANGLE_EXPAND_ENA[4:4],
        LINE_EXPAND_ENA[5:5],
        POINT_EXPAND_ENA[6:6],
        RECTANGLE_EXPAND_ENA[7:7],
    }
    PA_SC_MODE_CNTL_1 { KILL_PIX_POST_HI_Z[14:14], KILL_PIX_POST_DETAIL_MASK[15:15] }
    PA_SC_AA_CONFIG { DETAIL_TO_EXPOSED_MODE[25:24] }
    DB_RENDER_OVERRIDE { FORCE_COLOR_KILL[10:10] }
    DB_DEPTH_CONTROL {
        ENABLE_COLOR_WRITES_ON_DEPTH_FAIL[30:30],
        DISABLE_COLOR_WRITES_ON_DEPTH_PASS[31:31],
    }
    DB_SHADER_CONTROL {
        STENCIL_OP_VAL_EXPORT_ENABLE[2:2],
        COVERAGE_TO_MASK_ENABLE[7:7],
    }
    DB_EQAA {
        INTERPOLATE_SRC_Z[21:21],
        OVERRASTERIZATION_AMOUNT[26:24],
        ENABLE_POSTZ_OVERRASTERIZATION[27:27],
    }
    DB_SRESULTS_COMPARE_STATE0 { ENABLE0[24:24] }
    DB_SRESULTS_COMPARE_STATE1 { ENABLE1[24:24] }
    CB_COLOR_CONTROL { DEGAMMA_ENABLE[3:3] }
}

radeon::unexecuted! {
    /// Of draws without a geometry shader.
    pub const PLAIN:
    VGT_GS_MODE { MODE[2:1] }
}

radeon::unexecuted! {
    /// Of draws with a geometry shader.
    pub const GEOMETRY:
    VGT_GS_MODE {
        MODE[2:0] = 3,
        ELEMENT_INFO_EN[17:17],
        SUPPRESS_CUTS[18:18],
    }
    VGT_GS_OUT_PRIM_TYPE { UNIQUE_TYPE_PER_STREAM[31:31] }
    VGT_GS_VERT_ITEMSIZE_1 { ITEMSIZE[14:0] }
    VGT_GS_VERT_ITEMSIZE_2 { ITEMSIZE[14:0] }
    VGT_GS_VERT_ITEMSIZE_3 { ITEMSIZE[14:0] }
    SPI_SHADER_PGM_RSRC1_ES { DEBUG_MODE[22:22] }
    SPI_SHADER_PGM_RSRC2_ES { EXCP_EN[14:8] }
    SPI_SHADER_PGM_RSRC1_GS { DEBUG_MODE[22:22] }
    SPI_SHADER_PGM_RSRC2_GS { EXCP_EN[13:7] }
}

radeon::unexecuted! {
    /// Of draws with a vertex and a pixel shader.
    pub const VERTEX_STAGES:
    VGT_SHADER_STAGES_EN { LS_EN[1:0], HS_EN[2:2], ES_EN[4:3], VS_EN[7:6], DYNAMIC_HS[8:8] }
    SPI_SHADER_PGM_RSRC2_VS { OC_LDS_EN[7:7] }
}

radeon::unexecuted! {
    /// Of draws with a geometry shader as well.
    pub const GEOMETRY_STAGES:
    VGT_SHADER_STAGES_EN { LS_EN[1:0], HS_EN[2:2], ES_EN[4:3] = 2, VS_EN[7:6] = 2, DYNAMIC_HS[8:8] }
    SPI_SHADER_PGM_RSRC2_ES { OC_LDS_EN[7:7] }
    SPI_SHADER_PGM_RSRC2_VS { OC_LDS_EN[7:7] }
}

radeon::unexecuted! {
    /// Of draws with a local and a hull shader, whose domain points are vertices.
    pub const HULL_STAGES:
    VGT_SHADER_STAGES_EN { LS_EN[1:0] = 1, HS_EN[2:2] = 1, ES_EN[4:3], VS_EN[7:6] = 1, DYNAMIC_HS[8:8] = 1 }
    SPI_SHADER_PGM_RSRC2_VS { SO_EN[12:12] }
}

radeon::unexecuted! {
    /// Of draws with a local, a hull and a geometry shader.
    pub const HULL_GEOMETRY_STAGES:
    VGT_SHADER_STAGES_EN { LS_EN[1:0] = 1, HS_EN[2:2] = 1, ES_EN[4:3] = 1, VS_EN[7:6] = 2, DYNAMIC_HS[8:8] = 1 }
    SPI_SHADER_PGM_RSRC2_VS { OC_LDS_EN[7:7] }
}

radeon::unexecuted! {
    /// Of draws with a hull shader.
    pub const HULL:
    SPI_SHADER_PGM_RSRC1_LS { DEBUG_MODE[22:22] }
    SPI_SHADER_PGM_RSRC2_LS { EXCP_EN[22:16] }
    SPI_SHADER_PGM_RSRC1_HS { DEBUG_MODE[22:22] }
    SPI_SHADER_PGM_RSRC2_HS { TG_SIZE_EN[8:8], EXCP_EN[15:9] }
}

radeon::unexecuted! {
    /// Of all dispatches.
    pub const DISPATCH:
    COMPUTE_DISPATCH_INITIATOR {
        ORDERED_APPEND_ENBL[3:3],
        ORDERED_APPEND_MODE[4:4],
        RESTORE[14:14],
    }
    COMPUTE_PGM_RSRC1 { DEBUG_MODE[22:22] }
    COMPUTE_PGM_RSRC2 { EXCP_EN[30:24] }
}

radeon::unexecuted! {
    /// SPI_PS_INPUT_CNTL of each input.
    pub const ATTRIBUTE:
    SPI_PS_INPUT_CNTL_0 { DUP[18:18] }
}

radeon::unexecuted! {
    /// Of each colour target that is drawn to.
    pub const TARGET:
    CB_COLOR0_INFO {
        ENDIAN[1:0],
        LINEAR_GENERAL[7:7],
    }
}

radeon::unexecuted! {
    /// Of the depth and stencil surfaces that are tested.
    pub const DEPTH:
    DB_HTILE_SURFACE { LINEAR[0:0] }
}

/// Whether a draw enables nothing that is not executed; targets and depth surfaces are checked where they are bound.
pub(crate) fn draw(registers: &RegisterFile) -> Result<(), String> {
    check(registers, SHARED, 0)?;
    check(registers, DRAW, 0)?;
    let stages = VgtShaderStagesEn::from_word(registers.get(VGT_SHADER_STAGES_EN));
    let hull = stages.hs_en || stages.ls_en != 0;
    let of_stages = match (hull, stages.gs_en) {
        (false, false) => VERTEX_STAGES,
        (false, true) => GEOMETRY_STAGES,
        (true, false) => HULL_STAGES,
        (true, true) => HULL_GEOMETRY_STAGES,
    };
    check(registers, of_stages, 0)?;
    check(registers, if stages.gs_en { GEOMETRY } else { PLAIN }, 0)?;
    check(registers, if hull { HULL } else { &[] }, 0)?;
    let control = SpiPsInControl::from_word(registers.get(SPI_PS_IN_CONTROL));
    (0..u32::from(control.num_interp).min(32)).try_for_each(|n| {
        check(registers, INPUT, 4 * n)?;
        check(registers, ATTRIBUTE, 4 * n)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use radeon::r6xx::unexecuted::Field;

    #[test]
    fn fields_are_those_of_their_registers() {
        let tables: [&[Field]; 14] = [
            SHARED,
            INPUT,
            DRAW,
            PLAIN,
            GEOMETRY,
            VERTEX_STAGES,
            GEOMETRY_STAGES,
            HULL_STAGES,
            HULL_GEOMETRY_STAGES,
            HULL,
            DISPATCH,
            ATTRIBUTE,
            TARGET,
            DEPTH,
        ];
        for field in tables.into_iter().flatten() {
            let register = radeon::registers::name(&TABLES, field.register);
            let named = field.name.split('.').next();
            assert_eq!(register, named);
        }
    }
}
