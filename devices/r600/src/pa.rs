//! Primitive assembly and scan converter: registers to the state of clipping, set-up and samples.

use radeon::r6xx::viewports::{Places, Viewports};
use radeon::registers::RegisterFile;
use silicon::fragment::interpolate::{CENTRES, Spots};
use silicon::fragment::multisample::Samples;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::{Assembly, FaceMode, Fill, guard_band};
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{Bias, BiasUnit, Grid, Setup, Winding};
use silicon::geometry::stipple::Stipple;

use crate::regs::{
    self, DbRenderOverride, PaClClipCntl, PaClVsOutCntl, PaScAaConfig, PaScLineCntl,
    PaScLineStipple, PaScModeCntl, PaScScissorBr, PaScScissorTl, PaScScreenScissorBr,
    PaScScreenScissorTl, PaSuLineCntl, PaSuPointMinmax, PaSuPointSize, PaSuPolyOffsetDbFmtCntl,
    PaSuScModeCntl, PaSuVtxCntl,
};

/// Sub-pixel bits of the grid.
pub(crate) const GRID: Grid = Grid { bits: 8 };

/// The pixels that may be drawn.
pub(crate) fn scissor(registers: &RegisterFile) -> Rect {
    let corner = |tl: u32, br: u32| {
        let (tl, br) = (
            PaScScissorTl::from_word(registers.get(tl)),
            PaScScissorBr::from_word(registers.get(br)),
        );
        Rect {
            x0: tl.tl_x.into(),
            y0: tl.tl_y.into(),
            x1: br.br_x.into(),
            y1: br.br_y.into(),
        }
    };
    let (tl, br) = (
        PaScScreenScissorTl::from_word(registers.get(regs::PA_SC_SCREEN_SCISSOR_TL)),
        PaScScreenScissorBr::from_word(registers.get(regs::PA_SC_SCREEN_SCISSOR_BR)),
    );
    let mut area = Rect {
        x0: tl.tl_x.into(),
        y0: tl.tl_y.into(),
        x1: br.br_x.into(),
        y1: br.br_y.into(),
    };
    area = area.intersect(corner(
        regs::PA_SC_WINDOW_SCISSOR_TL,
        regs::PA_SC_WINDOW_SCISSOR_BR,
    ));
    area = area.intersect(corner(
        regs::PA_SC_GENERIC_SCISSOR_TL,
        regs::PA_SC_GENERIC_SCISSOR_BR,
    ));
    match viewports(registers).common_scissor() {
        Some(scissor) => area.intersect(scissor),
        None => area,
    }
}

/// The viewports of a draw.
pub(crate) fn viewports(registers: &RegisterFile) -> Viewports<'_> {
    let outputs = PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL));
    let mode = PaScModeCntl::from_word(registers.get(regs::PA_SC_MODE_CNTL));
    let over = DbRenderOverride::from_word(registers.get(regs::DB_RENDER_OVERRIDE));
    Viewports {
        registers,
        places: Places {
            transform: regs::PA_CL_VPORT_XSCALE_0,
            scissor: regs::PA_SC_VPORT_SCISSOR_0_TL,
            depth: regs::PA_SC_VPORT_ZMIN_0,
        },
        chosen: outputs.vs_out_misc_vec_ena && outputs.use_vtx_viewport_indx,
        scissors: mode.r700_vport_scissor_enable,
        limits_depth: !over.disable_viewport_clamp,
    }
}

/// The pattern of lines, or the reason why it cannot be drawn.
pub(crate) fn stipple(registers: &RegisterFile) -> Result<Option<Stipple>, String> {
    let mode = PaScModeCntl::from_word(registers.get(regs::PA_SC_MODE_CNTL));
    if !mode.line_stipple_enable {
        return Ok(None);
    }
    let line = PaScLineStipple::from_word(registers.get(regs::PA_SC_LINE_STIPPLE));
    Stipple::new(
        line.auto_reset_cntl,
        line.pattern_bit_order,
        line.line_pattern,
        line.repeat_count,
    )
    .map(Some)
}

/// `area` is what may be drawn, `multisampled` whether there are samples beside the pixel centre.
pub(crate) fn assembly(registers: &RegisterFile, area: Rect, multisampled: bool) -> Assembly {
    let float = |register| registers.float(register);
    let vertex = PaSuVtxCntl::from_word(registers.get(regs::PA_SU_VTX_CNTL));
    let shift = if vertex.pix_center_half { 0.0 } else { 0.5 };
    // The enables are the lowest bits, in the order of the values.
    let enables = registers.get(regs::PA_CL_VTE_CNTL) as u8;
    let viewports = viewports(registers).transforms(enables, shift);
    let clip = PaClClipCntl::from_word(registers.get(regs::PA_CL_CLIP_CNTL));
    let outputs = PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL));
    let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
    let word = registers.get(regs::PA_CL_VS_OUT_CNTL);
    let wanted = [regs::PA_CL_GB_HORZ_CLIP_ADJ, regs::PA_CL_GB_VERT_CLIP_ADJ].map(float);
    let guard = guard_band(GRID, &viewports, wanted);
    let bias = |enabled: bool, scale, offset| {
        let format =
            PaSuPolyOffsetDbFmtCntl::from_word(registers.get(regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL));
        enabled.then(|| Bias {
            constant: float(offset),
            slope: float(scale) / 16.0,
            clamp: float(regs::PA_SU_POLY_OFFSET_CLAMP),
            unit: BiasUnit::new(
                format.poly_offset_neg_num_db_bits,
                format.poly_offset_db_is_float_fmt,
            ),
        })
    };
    let setup = |bias| Setup {
        grid: GRID,
        front: if mode.face {
            Winding::Clockwise
        } else {
            Winding::CounterClockwise
        },
        cull_front: mode.cull_front,
        cull_back: mode.cull_back,
        bias,
        multisampled,
        scissor: area,
    };
    let front = setup(bias(
        mode.poly_offset_front_enable,
        regs::PA_SU_POLY_OFFSET_FRONT_SCALE,
        regs::PA_SU_POLY_OFFSET_FRONT_OFFSET,
    ));
    let back = setup(bias(
        mode.poly_offset_back_enable,
        regs::PA_SU_POLY_OFFSET_BACK_SCALE,
        regs::PA_SU_POLY_OFFSET_BACK_OFFSET,
    ));
    let point = PaSuPointSize::from_word(registers.get(regs::PA_SU_POINT_SIZE));
    let limits = PaSuPointMinmax::from_word(registers.get(regs::PA_SU_POINT_MINMAX));
    let line = PaSuLineCntl::from_word(registers.get(regs::PA_SU_LINE_CNTL));
    let ends = PaScLineCntl::from_word(registers.get(regs::PA_SC_LINE_CNTL));
    let half = |v: u16| f32::from(v) / 8.0;
    Assembly {
        viewports,
        volume: Volume {
            depth: if clip.dx_clip_space_def {
                DepthRange::ZeroToOne
            } else {
                DepthRange::MinusOneToOne
            },
            near: !clip.zclip_near_disable && !clip.clip_disable,
            far: !clip.zclip_far_disable && !clip.clip_disable,
            guard,
            clip_distances: word as u8,
            cull_distances: (word >> 8) as u8,
        },
        front,
        back,
        fill: match mode.poly_mode {
            0 => Fill::Solid,
            _ => Fill::Modes(
                [mode.polymode_front_ptype, mode.polymode_back_ptype].map(FaceMode::from_code),
            ),
        },
        line_width: half(line.width),
        // Lines that are expanded are rectangles whatever their width.
        thin_lines: half(line.width) <= 1.0 && !ends.expand_line_width,
        turned_lines: mode.provoking_vtx_last,
        keeps_lines: PaScModeCntl::from_word(registers.get(regs::PA_SC_MODE_CNTL))
            .line_stipple_enable,
        point_size: half(point.width),
        vertex_point_size: (outputs.vs_out_misc_vec_ena && outputs.use_vtx_point_size)
            .then(|| [half(limits.min_size), half(limits.max_size)]),
        draws: !clip.dx_rasterization_kill,
    }
}

/// Sample positions, and where each is in every lane of a tile.
pub(crate) fn samples(registers: &RegisterFile) -> (Samples, Vec<Spots>) {
    let config = PaScAaConfig::from_word(registers.get(regs::PA_SC_AA_CONFIG));
    let mode = PaScModeCntl::from_word(registers.get(regs::PA_SC_MODE_CNTL));
    let count = 1usize << config.msaa_num_samples.min(3);
    if count == 1 || !mode.msaa_enable {
        return (Samples::ONE, vec![CENTRES]);
    }
    let samples = Samples::located(count, |n| {
        registers.get(regs::PA_SC_AA_SAMPLE_LOCS_MCTX + 4 * n)
    });
    let spots = (0..count).map(|n| Spots::sample(&samples, n)).collect();
    (samples, spots)
}

/// Whether pixel waves are those of single samples.
pub(crate) fn per_sample(registers: &RegisterFile) -> bool {
    PaScModeCntl::from_word(registers.get(regs::PA_SC_MODE_CNTL)).ps_iter_sample
}
