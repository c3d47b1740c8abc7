//! The driver's part for R5xx: state to registers. [R5XX 7 to 13]
//!
//! The chip has no descriptors and no constant buffers: [`super::bindings`] reads what is bound and writes registers,
//! [`super::draws`] sets the streams of a draw. Registers that follow from a shader's code alone come with its `Binary`.
//! The agreements with shaders are in `docs/driver-r5xx.md`.

use ::r5xx::regs::*;
use silicon::Addr;
use wgpu_types as wgt;

use super::images::target_format;
use super::packets::{Packets, word};
use super::{bindings, draws, hyper_z, pass, rasteriser};
use crate::codegen::Binary;
use crate::codegen::radeon::r6xx::codes::{half_size, rop3};
use crate::codegen::radeon::r6xx::state::has_logic;
use crate::encode::{Encoder, OpenPass};
use crate::immediate::{self, ImmediateMode};
use crate::state::{
    Attachment, ClearAttachment, Draw, DynamicState, GraphicsState, IndirectDraw, PassTargets,
    ProvokingVertex, Rect,
};
use crate::targets::{Bindings, Chip, Compute, DrawConstants, GeometryPath, PipelineParts};
use crate::upload::Result;

/// R5xx as the driver sees it.
pub struct R5xx;

/// Pixels of an edge, in subpixels.
pub(super) const SUBPIXELS: f32 = 16.0;
/// The largest depth, which a window depth of 1 becomes.
const DEEPEST: f32 = 16_777_215.0;
/// Rounding to nearest, and colours that are not clamped.
const ROUND_MODE: u32 = 0x35;
/// Every edge rule: left and upper edges are inside.
const EDGE_RULES: u32 = 5 | 5 << 5 | 5 << 10 | 5 << 15 | 5 << 20 | 5 << 25;
/// Only what is in clip rectangle 0, the attachments, is drawn.
const INSIDE_0: u32 = 0xaaaa;
/// The first sample of each pixel of a quad, in SC_SCREENDOOR, and all samples of the first pixel.
const EACH_PIXEL: u32 = 1 | 1 << 6 | 1 << 12 | 1 << 18;
const ALL_SAMPLES: u32 = 0x3f;
/// Colours that lose bits are rounded.
const ROUND: u32 = 5;
/// Signed fractions are at least -1, of all elements.
const CLAMPED_FRACTIONS: u32 = 0x5555_5555;

impl Chip for R5xx {
    fn code_align(&self) -> u64 {
        16
    }

    fn constants(&self, push: &[u8], _: &[u32], _: DrawConstants) -> Vec<u8> {
        push.to_vec()
    }

    fn constants_align(&self) -> u64 {
        16
    }

    fn geometry_path(&self) -> GeometryPath {
        GeometryPath::Merged
    }

    fn reads_bindings(&self) -> bool {
        true
    }

    fn begin(&self, out: &mut Vec<u32>) {
        begin(&mut Packets(out));
    }

    fn begin_pass(&self, targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Addr>> {
        immediate::load(targets, out)?;
        self.attachments(targets, &mut out.words);
        hyper_z::begin(targets, &mut Packets(&mut out.words));
        Ok(None)
    }

    fn clear_attachment(
        &self,
        pass: &OpenPass<'_>,
        clear: ClearAttachment,
        rect: Rect,
        out: &mut Encoder<'_>,
    ) -> Result<()> {
        if let ClearAttachment::Depth(_) = clear {
            hyper_z::forget(&pass.targets, &mut Packets(&mut out.words));
        }
        immediate::clear(&pass.targets, clear, rect, out)
    }

    fn end_pass(&self, pass: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<()> {
        immediate::resolve(self, &pass.targets, out)
    }

    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>) {
        let out = &mut Packets(out);
        code(parts.vertex.0, parts.fragment.0, out);
        rasteriser::interpolation(parts, out);
        colors(parts.state, out);
        depth_stencil(parts.state, out);
        primitives(parts.state, out);
        samples(parts.state, out);
    }

    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>) {
        pass::dynamic(dynamic, pipeline, &mut Packets(out));
    }

    fn user_data(&self, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        bindings::set(bound, out)
    }

    fn draw(&self, draw: &Draw, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        hyper_z::draw(bound, out);
        draws::draw(draw, bound, out)
    }

    fn draw_indirect(&self, _: &IndirectDraw, _: &Bindings<'_>, _: &mut Vec<u32>) {
        debug_assert!(false, "the command processor has no packet for it");
    }

    fn compute(&self) -> Result<&dyn Compute, &'static str> {
        Err("programs run for vertices and pixels alone, which share and store nothing")
    }
}

impl ImmediateMode for R5xx {
    fn attachments(&self, targets: &PassTargets<'_>, out: &mut Vec<u32>) {
        pass::attachments(targets, &mut Packets(out));
    }

    fn average(&self, sides: [&Attachment<'_>; 2], out: &mut Vec<u32>) {
        pass::average(sides, &mut Packets(out));
    }
}

/// State that no command changes.
fn begin(out: &mut Packets<'_>) {
    let engines = {
        use VAP_CNTL::*;
        [
            (PVS_NUM_SLOTS, 10),
            (PVS_NUM_CNTLRS, 5),
            (PVS_NUM_FPUS, 5),
            (VF_MAX_VTX_NUM, 9),
            (DX_CLIP_SPACE_DEF, 1),
            (TCL_STATE_OPTIMIZATION, 1),
        ]
    };
    out.fields(VAP_CNTL, &engines);
    out.set(VAP_CNTL_STATUS, 0);
    out.set(VAP_PSC_SGN_NORM_CNTL, CLAMPED_FRACTIONS);
    let transform = {
        use VAP_VTE_CNTL::*;
        [
            (VPORT_X_SCALE_ENA, 1),
            (VPORT_X_OFFSET_ENA, 1),
            (VPORT_Y_SCALE_ENA, 1),
            (VPORT_Y_OFFSET_ENA, 1),
            (VPORT_Z_SCALE_ENA, 1),
            (VPORT_Z_OFFSET_ENA, 1),
            (VTX_W0_FMT, 1),
        ]
    };
    out.fields(VAP_VTE_CNTL, &transform);
    out.set(VAP_VF_MIN_VTX_INDX, 0);
    let tiles = {
        use GB_TILE_CONFIG::*;
        [(ENABLE, 1), (TILE_SIZE, 1), (SUBPIXEL, 1)]
    };
    out.fields(GB_TILE_CONFIG, &tiles);
    out.set(GB_SELECT, 0);
    out.set(PS3_ENABLE, 1);
    out.set(SU_TEX_WRAP, 0);
    out.set(SU_TEX_WRAP_PS3, 0);
    let sizes = [
        (GA_POINT_MINMAX::MIN_SIZE, 0),
        (GA_POINT_MINMAX::MAX_SIZE, 0xffff),
    ];
    out.fields(GA_POINT_MINMAX, &sizes);
    out.set(GA_LINE_STIPPLE_CONFIG, 0);
    out.set(GA_ROUND_MODE, ROUND_MODE);
    out.set(GA_OFFSET, 0);
    // 0, 0 is the upper left of a point.
    for (register, corner) in [
        (GA_POINT_S0, 0.0),
        (GA_POINT_T0, 1.0),
        (GA_POINT_S1, 1.0),
        (GA_POINT_T1, 0.0),
    ] {
        out.float(register, corner);
    }
    out.float(SU_DEPTH_SCALE, DEEPEST);
    out.float(SU_DEPTH_OFFSET, 0.0);
    out.set(SC_EDGERULE, EDGE_RULES);
    out.set(SC_HYPERZ_EN, 0);
    out.set(SC_CLIP_RULE, INSIDE_0);
    out.set(FG_FOG_BLEND, 0);
    let own = [
        (RB3D_CCTL::INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE, 1),
        (RB3D_CCTL::INDEPENDENT_COLORFORMAT_ENABLE, 1),
    ];
    out.fields(RB3D_CCTL, &own);
    out.set(RB3D_DITHER_CTL, ROUND);
    out.set(ZB_BW_CNTL, 0);
    out.set(ZB_ZTOP, 0);
    out.set(ZB_DEPTHXY_OFFSET, 0);
}

/// The programs of both stages, and the registers that belong to them.
fn code(vertex: &Binary, fragment: &Binary, out: &mut Packets<'_>) {
    // The programs may be running.
    out.set(VAP_PVS_STATE_FLUSH_REG, 0);
    out.set(VAP_PVS_VECTOR_INDX_REG, 0);
    out.port(VAP_PVS_VECTOR_DATA_REG, &vertex.words);
    out.set(GA_US_VECTOR_INDEX, 0);
    out.port(GA_US_VECTOR_DATA, &fragment.words);
    for binary in [vertex, fragment] {
        for (register, value) in &binary.registers {
            out.at(*register, &[*value]);
        }
    }
}

/// Write masks, blending and raster operations.
fn colors(state: &GraphicsState, out: &mut Packets<'_>) {
    let mut masks = 0;
    for (n, target) in state.targets.iter().take(4).enumerate() {
        let Some(target) = target else { continue };
        let code = target_format(target.format);
        let channels = code.map_or([0, 1, 2, 3], |code| code.channels);
        for (component, channel) in channels.into_iter().enumerate() {
            let on = target.write_mask.bits() >> channel & 1;
            masks |= on << (4 * n + component);
        }
    }
    out.set(RB3D_COLOR_CHANNEL_MASK, masks);
    let mut targets = state.targets.iter().flatten();
    match targets.find_map(|target| target.blend.as_ref()) {
        Some(blend) => {
            use RB3D_BLENDCNTL::*;
            let enables = [
                (ALPHA_BLEND_ENABLE, 1),
                (SEPARATE_ALPHA_ENABLE, 1),
                (READ_ENABLE, 1),
            ];
            let color = word(&enables) | equation(&blend.color);
            out.at(RB3D_BLENDCNTL.address, &[color, equation(&blend.alpha)]);
        }
        None => out.set(RB3D_BLENDCNTL, 0),
    }
    let mut formats = state.targets.iter().flatten().map(|target| target.format);
    let operation = match state.raster.logic_op {
        Some(op) if formats.any(has_logic) => [
            (RB3D_ROPCNTL::ROP_ENABLE, 1),
            (RB3D_ROPCNTL::ROP, u32::from(rop3(op) & 15)),
        ],
        _ => [(RB3D_ROPCNTL::ROP_ENABLE, 0), (RB3D_ROPCNTL::ROP, 0)],
    };
    out.fields(RB3D_ROPCNTL, &operation);
}

/// RB3D_BLENDCNTL of an equation. The results are not clamped: fractions are when they are stored.
fn equation(blend: &wgt::BlendComponent) -> u32 {
    let function = match blend.operation {
        wgt::BlendOperation::Add => 1,
        wgt::BlendOperation::Subtract => 3,
        wgt::BlendOperation::ReverseSubtract => 7,
        wgt::BlendOperation::Min => 4,
        wgt::BlendOperation::Max => 5,
    };
    use RB3D_BLENDCNTL::*;
    word(&[
        (COMB_FCN, function),
        (SRCBLEND, factor(blend.src_factor)),
        (DESTBLEND, factor(blend.dst_factor)),
    ])
}

/// SRCBLEND and DESTBLEND, by the codes of OpenGL.
fn factor(factor: wgt::BlendFactor) -> u32 {
    use wgt::BlendFactor as F;
    match factor {
        F::Zero => 32,
        F::One => 33,
        F::Src => 34,
        F::OneMinusSrc => 35,
        F::Dst => 36,
        F::OneMinusDst => 37,
        F::SrcAlpha => 38,
        F::OneMinusSrcAlpha => 39,
        F::DstAlpha => 40,
        F::OneMinusDstAlpha => 41,
        F::SrcAlphaSaturated => 42,
        F::Constant => 43,
        F::OneMinusConstant => 44,
        // A pipeline with two sources is refused.
        F::Src1 | F::OneMinusSrc1 | F::Src1Alpha | F::OneMinusSrc1Alpha => 33,
    }
}

/// ZFUNC and STENCILFUNC.
fn comparison(function: wgt::CompareFunction) -> u32 {
    use wgt::CompareFunction as C;
    match function {
        C::Never => 0,
        C::Less => 1,
        C::LessEqual => 2,
        C::Equal => 3,
        C::GreaterEqual => 4,
        C::Greater => 5,
        C::NotEqual => 6,
        C::Always => 7,
    }
}

/// STENCILFAIL, STENCILZPASS and STENCILZFAIL.
fn stencil_op(operation: wgt::StencilOperation) -> u32 {
    use wgt::StencilOperation as O;
    match operation {
        O::Keep => 0,
        O::Zero => 1,
        O::Replace => 2,
        O::IncrementClamp => 3,
        O::DecrementClamp => 4,
        O::Invert => 5,
        O::IncrementWrap => 6,
        O::DecrementWrap => 7,
    }
}

fn depth_stencil(state: &GraphicsState, out: &mut Packets<'_>) {
    let Some(depth) = &state.depth_stencil else {
        out.set(ZB_CNTL, 0);
        out.set(SU_POLY_OFFSET_ENABLE, 0);
        return;
    };
    let writes = depth.depth_write_enabled.unwrap_or_default();
    let control = {
        use ZB_CNTL::*;
        [
            (STENCIL_ENABLE, u32::from(depth.stencil.is_enabled())),
            (Z_ENABLE, u32::from(depth.is_depth_enabled())),
            (ZWRITEENABLE, u32::from(writes)),
            (STENCIL_FRONT_BACK, 1),
        ]
    };
    let (front, back) = (&depth.stencil.front, &depth.stencil.back);
    let tests = {
        use ZB_ZSTENCILCNTL::*;
        let function = depth.depth_compare.unwrap_or_default();
        [
            (ZFUNC, comparison(function)),
            (STENCILFUNC, comparison(front.compare)),
            (STENCILFAIL, stencil_op(front.fail_op)),
            (STENCILZPASS, stencil_op(front.pass_op)),
            (STENCILZFAIL, stencil_op(front.depth_fail_op)),
            (STENCILFUNC_BF, comparison(back.compare)),
            (STENCILFAIL_BF, stencil_op(back.fail_op)),
            (STENCILZPASS_BF, stencil_op(back.pass_op)),
            (STENCILZFAIL_BF, stencil_op(back.depth_fail_op)),
        ]
    };
    out.at(ZB_CNTL.address, &[word(&control), word(&tests)]);
    let bias = &depth.bias;
    // Units of 24 bits in every format; those of 16 bits are larger.
    let unit = match depth.format {
        wgt::TextureFormat::Depth16Unorm => 256.0,
        _ => 1.0,
    };
    let scale = (bias.slope_scale * SUBPIXELS).to_bits();
    let offset = (bias.constant as f32 * unit).to_bits();
    out.at(
        SU_POLY_OFFSET_FRONT_SCALE.address,
        &[scale, offset, scale, offset],
    );
    let enabled = u32::from(bias.is_enabled());
    let sides = [
        (SU_POLY_OFFSET_ENABLE::FRONT_ENABLE, enabled),
        (SU_POLY_OFFSET_ENABLE::BACK_ENABLE, enabled),
    ];
    out.fields(SU_POLY_OFFSET_ENABLE, &sides);
}

/// Clipping, culling, sizes of points and lines.
fn primitives(state: &GraphicsState, out: &mut Packets<'_>) {
    let primitive = &state.primitive;
    out.set(VAP_CLIP_CNTL, 0);
    let culls = |face| u32::from(primitive.cull_mode == Some(face));
    let cull = {
        use SU_CULL_MODE::*;
        let face = u32::from(primitive.front_face == wgt::FrontFace::Cw);
        [
            (CULL_FRONT, culls(wgt::Face::Front)),
            (CULL_BACK, culls(wgt::Face::Back)),
            (FACE, face),
        ]
    };
    out.fields(SU_CULL_MODE, &cull);
    let kind = match primitive.polygon_mode {
        wgt::PolygonMode::Point => 0,
        wgt::PolygonMode::Line => 1,
        wgt::PolygonMode::Fill => 2,
    };
    let fill = {
        use GA_POLY_MODE::*;
        let modes = u32::from(primitive.polygon_mode != wgt::PolygonMode::Fill);
        [(POLY_MODE, modes), (FRONT_PTYPE, kind), (BACK_PTYPE, kind)]
    };
    out.fields(GA_POLY_MODE, &fill);
    let half = u32::from(half_size(state.raster.point_size));
    let point = [(GA_POINT_SIZE::HEIGHT, half), (GA_POINT_SIZE::WIDTH, half)];
    out.fields(GA_POINT_SIZE, &point);
    let line = {
        use GA_LINE_CNTL::*;
        let half = u32::from(half_size(state.raster.line_width));
        // Ends are perpendicular to the line.
        [(WIDTH, half), (END_TYPE, 3)]
    };
    out.fields(GA_LINE_CNTL, &line);
    // Every colour is interpolated.
    let provoking = match state.raster.provoking_vertex {
        ProvokingVertex::First => 0,
        ProvokingVertex::Last => 3,
    };
    let shading = GA_COLOR_CONTROL::PROVOKING_VERTEX.bits(provoking);
    out.set(GA_COLOR_CONTROL, 0xaaaa | shading);
}

/// The samples that a draw writes to, and coverage from alpha. Resolves end here.
fn samples(state: &GraphicsState, out: &mut Packets<'_>) {
    out.set(RB3D_AARESOLVE_CTL, 0);
    let multisample = &state.multisample;
    let mask = match (multisample.count, multisample.mask as u32) {
        (0 | 1, mask) => (mask & 1) * ALL_SAMPLES,
        (_, mask) => mask & ALL_SAMPLES,
    };
    out.set(SC_SCREENDOOR, mask * EACH_PIXEL);
    let alpha = u32::from(multisample.alpha_to_coverage_enabled);
    out.fields(FG_ALPHA_FUNC, &[(FG_ALPHA_FUNC::AM_EN, alpha)]);
}
