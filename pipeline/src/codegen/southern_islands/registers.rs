//! The hardware registers that belong to a shader's code.
//!
//! In: what selection found out about inputs and exports, and the registers used. Out: addresses and values. [SI 3.5]

use southern_islands::regs;

use super::entry::{COMPUTE_USER, FRAGMENT_USER, GEOMETRY_USER, VERTEX_USER};
use super::select::Select;
use crate::codegen::geometry::{VertexRole, output_word};
use crate::codegen::radeon::r6xx::state::vertex_outputs;
use crate::codegen::regalloc::Assignment;
use crate::ir::OutputBuiltin::{FragDepth, FragStencil, SampleMask};
use crate::ir::Stage;
use crate::stream::StreamLayout;

/// Nearest even, denormals kept. [MODE]
pub(super) const FLOAT_MODE: u8 = 0xf0;
/// Export format of four 32-bit words. [SPI_SHADER_Z_FORMAT]
const FORMAT_32_ABGR: u32 = 9;
/// Export format of two 32-bit words.
const FORMAT_32_GR: u32 = 2;
/// Export format of one 32-bit word.
const FORMAT_32_R: u32 = 1;
/// Position export of four words. [SPI_SHADER_POS_FORMAT]
const POSITION_4COMP: u32 = 4;

impl Select<'_> {
    /// Addresses and values. `scratch`: the code uses scratch memory.
    pub(super) fn registers(&self, assignment: &Assignment, scratch: bool) -> Vec<(u32, u32)> {
        // VCC is the two registers above. [SI 3.5]
        let sgprs = ((assignment.used[0].max(16) + 2).div_ceil(8) - 1) as u8;
        let vgprs = (assignment.used[1].max(4).div_ceil(4) - 1) as u8;
        match self.function.stage {
            Stage::Vertex if self.options.role == VertexRole::Feeds => {
                self.export_registers(sgprs, vgprs, scratch)
            }
            Stage::Vertex => self.vertex_registers(sgprs, vgprs, scratch),
            Stage::Geometry => self.geometry_registers(sgprs, vgprs, scratch),
            Stage::Compute => self.compute_registers(sgprs, vgprs, scratch),
            _ => self.fragment_registers(sgprs, vgprs, scratch),
        }
    }

    fn vertex_registers(&self, sgprs: u8, vgprs: u8, scratch_en: bool) -> Vec<(u32, u32)> {
        let entry = &self.entry;
        let copies = matches!(self.options.role, VertexRole::Copies { .. });
        let rsrc1 = regs::SpiShaderPgmRsrc1Vs {
            vgprs,
            sgprs,
            float_mode: FLOAT_MODE,
            dx10_clamp: true,
            vgpr_comp_cnt: if copies { 0 } else { 3 },
            ..regs::SpiShaderPgmRsrc1Vs::from_word(0)
        };
        let streams = self.options.stream.as_ref();
        let written = streams.map_or(0, StreamLayout::buffers);
        let rsrc2 = regs::SpiShaderPgmRsrc2Vs {
            user_sgpr: if copies { GEOMETRY_USER } else { VERTEX_USER },
            scratch_en,
            so_en: streams.is_some(),
            so_base0_en: written & 1 != 0,
            so_base1_en: written & 2 != 0,
            so_base2_en: written & 4 != 0,
            so_base3_en: written & 8 != 0,
            ..regs::SpiShaderPgmRsrc2Vs::from_word(0)
        };
        let config = regs::SpiVsOutConfig {
            vs_export_count: entry.parameters.max(1) as u8 - 1,
            ..regs::SpiVsOutConfig::from_word(0)
        };
        let positions = (0..entry.positions).fold(0, |sum, i| sum | POSITION_4COMP << (4 * i));
        vec![
            (regs::SPI_SHADER_PGM_RSRC1_VS, rsrc1.pack()),
            (regs::SPI_SHADER_PGM_RSRC2_VS, rsrc2.pack()),
            (regs::SPI_VS_OUT_CONFIG, config.pack()),
            (regs::SPI_SHADER_POS_FORMAT, positions),
            (
                regs::PA_CL_VS_OUT_CNTL,
                vertex_outputs(&self.function.interface, &entry.outputs),
            ),
        ]
    }

    /// Of a vertex shader in front of a geometry shader.
    fn export_registers(&self, sgprs: u8, vgprs: u8, scratch_en: bool) -> Vec<(u32, u32)> {
        let interface = &self.function.interface;
        let rsrc1 = regs::SpiShaderPgmRsrc1Es {
            vgprs,
            sgprs,
            float_mode: FLOAT_MODE,
            dx10_clamp: true,
            vgpr_comp_cnt: 3,
            ..regs::SpiShaderPgmRsrc1Es::from_word(0)
        };
        let rsrc2 = regs::SpiShaderPgmRsrc2Es {
            user_sgpr: VERTEX_USER,
            scratch_en,
            ..regs::SpiShaderPgmRsrc2Es::from_word(0)
        };
        let item = output_word(interface, interface.outputs.len());
        vec![
            (regs::SPI_SHADER_PGM_RSRC1_ES, rsrc1.pack()),
            (regs::SPI_SHADER_PGM_RSRC2_ES, rsrc2.pack()),
            (regs::VGT_ESGS_RING_ITEMSIZE, item),
        ]
    }

    fn geometry_registers(&self, sgprs: u8, vgprs: u8, scratch_en: bool) -> Vec<(u32, u32)> {
        let interface = &self.function.interface;
        let rsrc1 = regs::SpiShaderPgmRsrc1Gs {
            vgprs,
            sgprs,
            float_mode: FLOAT_MODE,
            dx10_clamp: true,
            ..regs::SpiShaderPgmRsrc1Gs::from_word(0)
        };
        let rsrc2 = regs::SpiShaderPgmRsrc2Gs {
            user_sgpr: GEOMETRY_USER,
            scratch_en,
            ..regs::SpiShaderPgmRsrc2Gs::from_word(0)
        };
        let primitive = u32::from(self.options.export_primitive_index);
        let words = interface.emitted_words() as u32 + primitive;
        let most = interface.geometry.as_ref().map_or(0, |g| g.max_vertices);
        vec![
            (regs::SPI_SHADER_PGM_RSRC1_GS, rsrc1.pack()),
            (regs::SPI_SHADER_PGM_RSRC2_GS, rsrc2.pack()),
            (regs::VGT_GS_MAX_VERT_OUT, most),
            (regs::VGT_GS_VERT_ITEMSIZE, words),
            (regs::VGT_GSVS_RING_ITEMSIZE, words * most),
        ]
    }

    fn compute_registers(&self, sgprs: u8, vgprs: u8, scratch_en: bool) -> Vec<(u32, u32)> {
        let workgroup = &self.function.interface.workgroup;
        let rsrc1 = regs::ComputePgmRsrc1 {
            vgprs,
            sgprs,
            float_mode: FLOAT_MODE,
            dx10_clamp: true,
            ..regs::ComputePgmRsrc1::from_word(0)
        };
        let rsrc2 = regs::ComputePgmRsrc2 {
            user_sgpr: COMPUTE_USER,
            tgid_x_en: true,
            tgid_y_en: true,
            tgid_z_en: true,
            tg_size_en: true,
            tidig_comp_cnt: self.thread_axes(),
            // In steps of 64 words.
            lds_size: workgroup.shared_bytes.div_ceil(256) as u16,
            scratch_en,
            ..regs::ComputePgmRsrc2::from_word(0)
        };
        let [x, y, z] = workgroup.size;
        vec![
            (regs::COMPUTE_PGM_RSRC1, rsrc1.pack()),
            (regs::COMPUTE_PGM_RSRC2, rsrc2.pack()),
            (regs::COMPUTE_NUM_THREAD_X, x),
            (regs::COMPUTE_NUM_THREAD_Y, y),
            (regs::COMPUTE_NUM_THREAD_Z, z),
        ]
    }

    fn fragment_registers(&self, sgprs: u8, vgprs: u8, scratch_en: bool) -> Vec<(u32, u32)> {
        let entry = &self.entry;
        let interface = &self.function.interface;
        let [exports_depth, exports_stencil, exports_mask] =
            [FragDepth, FragStencil, SampleMask].map(|builtin| entry.outputs.has(builtin));
        let rsrc1 = regs::SpiShaderPgmRsrc1Ps {
            vgprs,
            sgprs,
            float_mode: FLOAT_MODE,
            dx10_clamp: true,
            ..regs::SpiShaderPgmRsrc1Ps::from_word(0)
        };
        let rsrc2 = regs::SpiShaderPgmRsrc2Ps {
            user_sgpr: FRAGMENT_USER,
            scratch_en,
            ..regs::SpiShaderPgmRsrc2Ps::from_word(0)
        };
        let inputs = interface.inputs.len()
            + usize::from(entry.reads_primitive)
            + usize::from(entry.reads_point);
        let in_control = regs::SpiPsInControl {
            num_interp: inputs as u8,
            ..regs::SpiPsInControl::from_word(0)
        };
        let depth_format = match (exports_depth, exports_stencil, exports_mask) {
            (false, false, false) => 0,
            (true, false, false) => FORMAT_32_R,
            (_, true, false) => FORMAT_32_GR,
            _ => FORMAT_32_ABGR,
        };
        let exports = exports_depth || exports_stencil || exports_mask;
        let late = exports || entry.discards || interface.side_effects;
        let depth = regs::DbShaderControl {
            z_export_enable: exports_depth,
            stencil_test_val_export_enable: exports_stencil,
            mask_export_enable: exports_mask,
            kill_enable: entry.discards,
            // 0 late, 1 early and then late
            z_order: u8::from(!late || interface.early_depth),
            depth_before_shader: interface.early_depth,
            exec_on_hier_fail: interface.side_effects,
            exec_on_noop: interface.side_effects,
            ..regs::DbShaderControl::from_word(0)
        };
        vec![
            (regs::SPI_SHADER_PGM_RSRC1_PS, rsrc1.pack()),
            (regs::SPI_SHADER_PGM_RSRC2_PS, rsrc2.pack()),
            (regs::SPI_PS_INPUT_ENA, entry.enables),
            (regs::SPI_PS_INPUT_ADDR, entry.enables),
            (regs::SPI_PS_IN_CONTROL, in_control.pack()),
            (regs::SPI_SHADER_Z_FORMAT, depth_format),
            (regs::SPI_SHADER_COL_FORMAT, entry.color_format),
            (regs::CB_SHADER_MASK, entry.color_mask),
            (regs::DB_SHADER_CONTROL, depth.pack()),
        ]
    }
}
