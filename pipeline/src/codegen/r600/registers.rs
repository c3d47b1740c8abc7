//! The hardware registers that belong to a shader's code.
//!
//! In: what selection found out about inputs and exports, and the registers used. Out: addresses and values.

use r600::regs;

use super::select::Select;
use crate::codegen::geometry::VertexRole;
use crate::codegen::radeon::r6xx::state::vertex_outputs;
use crate::ir::OutputBuiltin::{FragDepth, FragStencil, SampleMask};
use crate::ir::Stage;

/// PARAM_GEN and what follows is for the interpolators; both kinds of place are provided. [BARYC_SAMPLE_CNTL]
const CENTRES_AND_CENTROIDS: u8 = 2;

impl Select<'_> {
    /// Addresses and values for a program with this many registers and stack entries, and scratch slots of four words.
    pub(super) fn registers(&self, gprs: u16, stack: u32, scratch_slots: u16) -> Vec<(u32, u32)> {
        let resources = regs::SqPgmResources {
            num_gprs: gprs as u8,
            stack_size: stack as u8,
            dx10_clamp: true,
            ..regs::SqPgmResources::from_word(0)
        };
        let scratch_words = 4 * u32::from(scratch_slots);
        match self.function.stage {
            Stage::Vertex if self.options.role == VertexRole::Feeds => vec![
                (regs::SQ_PGM_RESOURCES_ES, resources.pack()),
                (regs::SQ_ESTMP_RING_ITEMSIZE, scratch_words),
                (regs::SQ_ESGS_RING_ITEMSIZE, self.fed_item()),
            ],
            Stage::Geometry => {
                let (vertex, record) = self.emitted_items();
                vec![
                    (regs::SQ_PGM_RESOURCES_GS, resources.pack()),
                    (regs::SQ_GSTMP_RING_ITEMSIZE, scratch_words),
                    (regs::SQ_GS_VERT_ITEMSIZE, vertex),
                    (regs::SQ_GSVS_RING_ITEMSIZE, record),
                ]
            }
            Stage::Vertex => {
                let mut list = vec![
                    (regs::SQ_PGM_RESOURCES_VS, resources.pack()),
                    (regs::SQ_VSTMP_RING_ITEMSIZE, scratch_words),
                ];
                list.extend(self.vertex_registers());
                list
            }
            _ => {
                let mut list = vec![
                    (regs::SQ_PGM_RESOURCES_PS, resources.pack()),
                    (regs::SQ_PSTMP_RING_ITEMSIZE, scratch_words),
                ];
                list.extend(self.fragment_registers());
                list
            }
        }
    }

    fn vertex_registers(&self) -> [(u32, u32); 2] {
        let entry = &self.entry;
        let config = regs::SpiVsOutConfig {
            vs_export_count: entry.parameters.max(1) as u8 - 1,
            ..regs::SpiVsOutConfig::from_word(0)
        };
        [
            (regs::SPI_VS_OUT_CONFIG, config.pack()),
            (
                regs::PA_CL_VS_OUT_CNTL,
                vertex_outputs(&self.function.interface, &entry.outputs),
            ),
        ]
    }

    fn fragment_registers(&self) -> [(u32, u32); 6] {
        let entry = &self.entry;
        let interface = &self.function.interface;
        let [exports_depth, exports_stencil, exports_mask] =
            [FragDepth, FragStencil, SampleMask].map(|builtin| entry.outputs.has(builtin));
        let control = regs::SpiPsInControl0 {
            num_interp: entry.inputs,
            position_ena: entry.position.is_some(),
            position_addr: entry.position.unwrap_or(0),
            position_sample: self.options.per_sample,
            baryc_sample_cntl: CENTRES_AND_CENTROIDS,
            persp_gradient_ena: true,
            linear_gradient_ena: true,
            ..regs::SpiPsInControl0::from_word(0)
        };
        let more = regs::SpiPsInControl1 {
            front_face_ena: entry.facing.is_some(),
            front_face_addr: entry.facing.unwrap_or(0),
            front_face_all_bits: true,
            fixed_pt_position_ena: entry.sample.is_some(),
            fixed_pt_position_addr: entry.sample.unwrap_or(0),
            ..regs::SpiPsInControl1::from_word(0)
        };
        let input_z = regs::SpiInputZ {
            provide_z_to_spi: entry.position.is_some(),
            ..regs::SpiInputZ::from_word(0)
        };
        let exports_z = exports_depth || exports_stencil || exports_mask;
        // Two stand for at least one export.
        let colors = entry.colors.count_ones().max(u32::from(!exports_z));
        let exports = regs::SqPgmExportsPs {
            export_colors: colors as u8,
            export_z: exports_z,
            ..regs::SqPgmExportsPs::from_word(0)
        };
        // Depth is stored before the shader also where that discards: DB is not told of it.
        let kills = entry.discards && !interface.early_depth;
        let depth = regs::DbShaderControl {
            z_export_enable: exports_depth,
            stencil_ref_export_enable: exports_stencil,
            mask_export_enable: exports_mask,
            kill_enable: kills,
            z_order: match exports_z || kills {
                true => regs::z_order::LATE_Z,
                false => regs::z_order::EARLY_Z_THEN_LATE_Z,
            },
            ..regs::DbShaderControl::from_word(0)
        };
        [
            (regs::SPI_PS_IN_CONTROL_0, control.pack()),
            (regs::SPI_PS_IN_CONTROL_1, more.pack()),
            (regs::SPI_INPUT_Z, input_z.pack()),
            (regs::SQ_PGM_EXPORTS_PS, exports.pack()),
            (regs::DB_SHADER_CONTROL, depth.pack()),
            (regs::CB_SHADER_MASK, entry.color_mask),
        ]
    }
}
