//! Primitive assembly and scan converter: registers to the state of clipping, set-up and samples.

use silicon::assembly::{Assembly, FaceMode, Fill, guard_band};
use silicon::clip::{DepthRange, Volume};
use silicon::interpolate::{CENTRES, Spots};
use silicon::multisample::Samples;
use silicon::registers::RegisterFile;
use silicon::scan::ViewportBounds;
use silicon::setup::{Bias, BiasUnit, Grid, Setup, Viewport, Winding};
use silicon::stipple::Stipple;
use silicon::tile::Rect;

use crate::regs::{
    self, DbRenderOverride, PaClClipCntl, PaClVsOutCntl, PaScAaConfig, PaScAaSampleLocs,
    PaScLineCntl, PaScLineStipple, PaScModeCntl0, PaScModeCntl1, PaScScissorBr, PaScScissorTl,
    PaScScreenScissorBr, PaScScreenScissorTl, PaSuLineCntl, PaSuPointMinmax, PaSuPointSize,
    PaSuPolyOffsetDbFmtCntl, PaSuScModeCntl, PaSuVtxCntl, stipple_reset,
};

/// Sub-pixel bits of the grid.
pub(crate) const GRID: Grid = Grid { bits: 8 };

/// Scissor registers: the first two of a pair.
fn corners(registers: &RegisterFile, tl: u32) -> Rect {
    let (tl, br) = (
        PaScScissorTl::from_word(registers.get(tl)),
        PaScScissorBr::from_word(registers.get(tl + 4)),
    );
    Rect {
        x0: tl.tl_x.into(),
        y0: tl.tl_y.into(),
        x1: br.br_x.into(),
        y1: br.br_y.into(),
    }
}

/// The pixels that may be drawn; where vertices choose among viewports, the scissors of those come on top.
pub(crate) fn scissor(registers: &RegisterFile) -> Rect {
    let (tl, br) = (
        PaScScreenScissorTl::from_word(registers.get(regs::PA_SC_SCREEN_SCISSOR_TL)),
        PaScScreenScissorBr::from_word(registers.get(regs::PA_SC_SCREEN_SCISSOR_BR)),
    );
    let area = Rect {
        x0: tl.tl_x.into(),
        y0: tl.tl_y.into(),
        x1: br.br_x.into(),
        y1: br.br_y.into(),
    };
    let area = area
        .intersect(corners(registers, regs::PA_SC_WINDOW_SCISSOR_TL))
        .intersect(corners(registers, regs::PA_SC_GENERIC_SCISSOR_TL));
    match chooses_viewport(registers) {
        true => area,
        false => area.intersect(viewport_scissor(registers, 0)),
    }
}

/// The pixels inside the scissor of a viewport.
fn viewport_scissor(registers: &RegisterFile, n: u32) -> Rect {
    let mode = PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0));
    match mode.vport_scissor_enable {
        true => corners(registers, regs::PA_SC_VPORT_SCISSOR_0_TL + 8 * n),
        false => Rect {
            x0: 0,
            y0: 0,
            x1: i32::MAX,
            y1: i32::MAX,
        },
    }
}

/// Whether vertices say which viewport they are seen through.
fn chooses_viewport(registers: &RegisterFile) -> bool {
    let outputs = PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL));
    outputs.vs_out_misc_vec_ena && outputs.use_vtx_viewport_indx
}

/// Least and greatest depth of a viewport, where depths are limited.
fn depth_range(registers: &RegisterFile, n: u32) -> Option<[f32; 2]> {
    let over = DbRenderOverride::from_word(registers.get(regs::DB_RENDER_OVERRIDE));
    let ends = [regs::PA_SC_VPORT_ZMIN_0, regs::PA_SC_VPORT_ZMAX_0];
    (!over.disable_viewport_clamp).then(|| ends.map(|end| registers.float(end + 8 * n)))
}

/// The range of the depths of all viewports that are in use.
pub(crate) fn depth_limits(registers: &RegisterFile) -> Option<[f32; 2]> {
    let last = match chooses_viewport(registers) {
        true => regs::VIEWPORTS - 1,
        false => 0,
    };
    let ranges = (0..=last).filter_map(|n| depth_range(registers, n));
    ranges.reduce(|all, one| [all[0].min(one[0]), all[1].max(one[1])])
}

/// What bounds the primitives of each viewport; nothing where vertices do not choose.
pub(crate) fn viewport_bounds(registers: &RegisterFile) -> Vec<ViewportBounds> {
    let count = match chooses_viewport(registers) {
        true => regs::VIEWPORTS,
        false => 0,
    };
    let bounds = |n| ViewportBounds {
        area: viewport_scissor(registers, n),
        depth: depth_range(registers, n),
    };
    (0..count).map(bounds).collect()
}

/// The pattern of lines, or the reason why it cannot be drawn.
pub(crate) fn stipple(registers: &RegisterFile) -> Result<Option<Stipple>, String> {
    let mode = PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0));
    let line = PaScLineStipple::from_word(registers.get(regs::PA_SC_LINE_STIPPLE));
    if !mode.line_stipple_enable {
        return Ok(None);
    }
    let restarts = match line.auto_reset_cntl {
        stipple_reset::PRIMITIVE => true,
        stipple_reset::PACKET => false,
        other => {
            return Err(format!(
                "PA_SC_LINE_STIPPLE.AUTO_RESET_CNTL {other} is not executed"
            ));
        }
    };
    let pattern = match line.pattern_bit_order {
        true => line.line_pattern.reverse_bits(),
        false => line.line_pattern,
    };
    Ok(Some(Stipple {
        pattern,
        repeat: u32::from(line.repeat_count) + 1,
        restarts,
    }))
}

/// `area` is what may be drawn, `multisampled` whether there are samples beside the pixel centre.
pub(crate) fn assembly(registers: &RegisterFile, area: Rect, multisampled: bool) -> Assembly {
    let float = |register| registers.float(register);
    let viewports: Vec<Viewport> = (0..regs::VIEWPORTS)
        .map(|n| viewport(registers, n))
        .collect();
    let chosen = match chooses_viewport(registers) {
        true => &viewports[..],
        false => &viewports[..1],
    };
    let clip = PaClClipCntl::from_word(registers.get(regs::PA_CL_CLIP_CNTL));
    let outputs = PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL));
    let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
    let word = registers.get(regs::PA_CL_VS_OUT_CNTL);
    let wanted = [regs::PA_CL_GB_HORZ_CLIP_ADJ, regs::PA_CL_GB_VERT_CLIP_ADJ].map(float);
    // One guard band for all: as much as the grid has room for beside each of them.
    let guard = chosen
        .iter()
        .map(|viewport| guard_band(GRID, viewport, wanted))
        .fold([f32::INFINITY; 2], |least, band| {
            [least[0].min(band[0]), least[1].min(band[1])]
        });
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
        viewport: viewports[0],
        viewports: match chosen.len() {
            1 => Vec::new(),
            _ => viewports,
        },
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
        // Lines with ends square to them are rectangles whatever their width.
        thin_lines: half(line.width) <= 1.0 && !ends.perpendicular_endcap_ena,
        turned_lines: mode.provoking_vtx_last,
        keeps_lines: PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0))
            .line_stipple_enable,
        point_size: half(point.width),
        vertex_point_size: (outputs.vs_out_misc_vec_ena && outputs.use_vtx_point_size)
            .then(|| [half(limits.min_size), half(limits.max_size)]),
        draws: !clip.dx_rasterization_kill,
    }
}

fn viewport(registers: &RegisterFile, n: u32) -> Viewport {
    let first = regs::PA_CL_VPORT_XSCALE_0 + n * regs::VPORT_STRIDE;
    let values = std::array::from_fn(|n| registers.float(first + 4 * n as u32));
    let vertex = PaSuVtxCntl::from_word(registers.get(regs::PA_SU_VTX_CNTL));
    let shift = if vertex.pix_center { 0.0 } else { 0.5 };
    // The enables are the lowest bits, in the order of the values.
    Viewport::new(values, registers.get(regs::PA_CL_VTE_CNTL) as u8, shift)
}

/// Sample positions, and where each is in every lane of a tile.
pub(crate) fn samples(registers: &RegisterFile) -> (Samples, Vec<Spots>) {
    let config = PaScAaConfig::from_word(registers.get(regs::PA_SC_AA_CONFIG));
    let mode = PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0));
    let count = 1usize << config.msaa_num_samples.min(4);
    if count == 1 || !mode.msaa_enable {
        return (Samples::ONE, vec![CENTRES]);
    }
    // The upper left pixel of a quad speaks for all four.
    let positions: Vec<(u8, u8)> = (0..count)
        .map(|n| {
            let register = regs::PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 4 * (n as u32 / 4);
            let word = PaScAaSampleLocs::from_word(registers.get(register));
            let (x, y) = match n % 4 {
                0 => (word.s0_x, word.s0_y),
                1 => (word.s1_x, word.s1_y),
                2 => (word.s2_x, word.s2_y),
                _ => (word.s3_x, word.s3_y),
            };
            ((x + 8) as u8, (y + 8) as u8)
        })
        .collect();
    let samples = Samples::at(&positions);
    let spots = (0..count).map(|n| Spots::sample(&samples, n)).collect();
    (samples, spots)
}

/// Whether pixel waves are those of single samples.
pub(crate) fn per_sample(registers: &RegisterFile) -> bool {
    let mode = PaScModeCntl1::from_word(registers.get(regs::PA_SC_MODE_CNTL_1));
    mode.ps_iter_sample
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
