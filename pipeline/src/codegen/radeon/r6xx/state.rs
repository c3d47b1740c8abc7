//! Registers of a pipeline's fixed-function state: primitive assembly and set-up, interpolation, blending, depth bias.

use radeon::r6xx::regs;
use silicon::Format;
use silicon::texture::format::Class;
use wgpu_types as wgt;

use super::codes::{comparison, equation, factor, half_size, stipple_reset, topology};
use crate::codegen::outputs::Outputs;
use crate::codegen::radeon::packets::Packets;
use crate::format::texture_format;
use crate::ir::OutputBuiltin::{Layer, PointSize, Viewport};
use crate::ir::{Interface, Interpolation};
use crate::state::{GraphicsState, ProvokingVertex};
use crate::targets::PipelineParts;

/// CB_COLOR_CONTROL.ROP3 that copies the source.
pub const ROP3_COPY: u8 = 0xcc;

/// State that no command changes. `vtx_cntl` is the address of PA_SU_VTX_CNTL.
pub fn begin(vtx_cntl: u32, out: &mut Packets<'_>) {
    let transform = regs::PaClVteCntl {
        vtx_w0_fmt: true,
        vport_x_scale_ena: true,
        vport_x_offset_ena: true,
        vport_y_scale_ena: true,
        vport_y_offset_ena: true,
        vport_z_scale_ena: true,
        vport_z_offset_ena: true,
        ..regs::PaClVteCntl::from_word(0)
    };
    out.set(regs::PA_CL_VTE_CNTL, &[transform.pack()]);
    // Pixel centres at halves, round to nearest even, 1/256 of a pixel.
    let grid = regs::PaSuVtxCntl {
        pix_center: true,
        round_mode: 2,
        quant_mode: 5,
        ..regs::PaSuVtxCntl::from_word(0)
    };
    out.set(vtx_cntl, &[grid.pack()]);
    out.set(regs::PA_SC_CLIPRECT_RULE, &[0xffff]);
    out.set(regs::PA_SC_EDGERULE, &[0xaaaa_aaaa]);
    let sizes = regs::PaSuPointMinmax {
        max_size: 0xffff,
        min_size: 0,
    };
    out.set(regs::PA_SU_POINT_MINMAX, &[sizes.pack()]);
    // Largest and smallest index, offset.
    out.set(regs::VGT_MAX_VTX_INDX, &[!0, 0, 0]);
}

/// Topology, clipping, culling, sizes of points and lines.
pub fn primitives(state: &GraphicsState, out: &mut Packets<'_>) {
    let primitive = &state.primitive;
    let neighbours = state.geometry.is_some_and(|geometry| geometry.adjacency());
    out.set(
        regs::VGT_PRIMITIVE_TYPE,
        &[topology(primitive.topology, neighbours)],
    );
    let restart = primitive.strip_index_format;
    let index = match restart {
        Some(wgt::IndexFormat::Uint16) => 0xffff,
        _ => !0,
    };
    out.set(regs::VGT_MULTI_PRIM_IB_RESET_INDX, &[index]);
    out.set(
        regs::VGT_MULTI_PRIM_IB_RESET_EN,
        &[u32::from(restart.is_some())],
    );
    let clip = regs::PaClClipCntl {
        zclip_near_disable: primitive.unclipped_depth,
        zclip_far_disable: primitive.unclipped_depth,
        dx_rasterization_kill: state.raster.discard,
        dx_linear_attr_clip_ena: true,
        dx_clip_space_def: true,
        ..regs::PaClClipCntl::from_word(0)
    };
    out.set(regs::PA_CL_CLIP_CNTL, &[clip.pack()]);
    sizes(state, out);
    let depth = state.depth_stencil.as_ref();
    let bias = depth.is_some_and(|depth| depth.bias.is_enabled());
    let kind = match primitive.polygon_mode {
        wgt::PolygonMode::Point => 0,
        wgt::PolygonMode::Line => 1,
        wgt::PolygonMode::Fill => 2,
    };
    let mode = regs::PaSuScModeCntl {
        multi_prim_ib_ena: restart.is_some(),
        provoking_vtx_last: state.raster.provoking_vertex == ProvokingVertex::Last,
        poly_offset_front_enable: bias,
        poly_offset_back_enable: bias,
        poly_mode: u8::from(primitive.polygon_mode != wgt::PolygonMode::Fill),
        polymode_front_ptype: kind,
        polymode_back_ptype: kind,
        face: primitive.front_face == wgt::FrontFace::Cw,
        cull_front: primitive.cull_mode == Some(wgt::Face::Front),
        cull_back: primitive.cull_mode == Some(wgt::Face::Back),
        ..regs::PaSuScModeCntl::from_word(0)
    };
    out.set(regs::PA_SU_SC_MODE_CNTL, &[mode.pack()]);
}

/// Sizes of points and lines, as halves in sixteenths of a pixel.
fn sizes(state: &GraphicsState, out: &mut Packets<'_>) {
    let raster = &state.raster;
    let half = half_size(raster.point_size);
    let point = regs::PaSuPointSize {
        width: half,
        height: half,
    };
    out.set(regs::PA_SU_POINT_SIZE, &[point.pack()]);
    let line = regs::PaSuLineCntl {
        width: half_size(raster.line_width),
        ..regs::PaSuLineCntl::from_word(0)
    };
    out.set(regs::PA_SU_LINE_CNTL, &[line.pack()]);
    if let Some(stipple) = raster.line_stipple {
        let line = regs::PaScLineStipple {
            auto_reset_cntl: stipple_reset(state.primitive.topology),
            repeat_count: (stipple.factor - 1) as u8,
            line_pattern: stipple.pattern,
            ..regs::PaScLineStipple::from_word(0)
        };
        out.set(regs::PA_SC_LINE_STIPPLE, &[line.pack()]);
    }
}

/// Joins parameter exports to inputs. `control` is SPI_PS_INPUT_CNTL of an input that a parameter feeds, `place` that of
/// the place in a point, which the rasteriser makes.
pub fn interpolation(
    parts: &PipelineParts<'_>,
    control: impl Fn(u32, Interpolation) -> u32,
    place: u32,
    out: &mut Packets<'_>,
) {
    let (vertex, fragment) = (parts.vertex.0, parts.fragment.0);
    let links = parts.links.iter();
    let mut controls: Vec<u32> = links
        .map(|link| control(link.parameter, link.interpolation))
        .collect();
    if fragment.primitive_index {
        let parameter = vertex.interface.outputs.len() as u32;
        controls.push(control(parameter, Interpolation::Flat));
    }
    if fragment.point_coord {
        controls.push(place);
    }
    use regs::point_sprite;
    let sprite = regs::SpiInterpControl0 {
        flat_shade_ena: true,
        pnt_sprite_ena: fragment.point_coord,
        pnt_sprite_ovrd_x: point_sprite::S,
        pnt_sprite_ovrd_y: point_sprite::T,
        pnt_sprite_ovrd_z: point_sprite::ZERO,
        pnt_sprite_ovrd_w: point_sprite::ONE,
        ..regs::SpiInterpControl0::from_word(0)
    };
    out.set(regs::SPI_INTERP_CONTROL_0, &[sprite.pack()]);
    if !controls.is_empty() {
        out.set(regs::SPI_PS_INPUT_CNTL_0, &controls);
    }
    // With a geometry shader, that knows it.
    let wanted = u32::from(vertex.primitive_index && parts.geometry.is_none());
    out.set(regs::VGT_PRIMITIVEID_EN, &[wanted]);
}

/// Sets CB_TARGET_MASK, and CB_BLENDn_CONTROL of the targets for which `control` gives one; the masks, four bits a target.
pub fn colors(
    state: &GraphicsState,
    control: impl Fn(&wgt::ColorTargetState) -> Option<regs::CbBlendControl>,
    out: &mut Packets<'_>,
) -> u32 {
    let mut masks = 0;
    for (i, target) in (0..8).zip(&state.targets) {
        let Some(target) = target else { continue };
        masks |= target.write_mask.bits() << (4 * i);
        if let Some(control) = control(target) {
            out.set(regs::CB_BLEND0_CONTROL + 4 * i, &[control.pack()]);
        }
    }
    out.set(regs::CB_TARGET_MASK, &[masks]);
    masks
}

/// Factors and equations.
pub fn blend_control(state: &wgt::BlendState) -> regs::CbBlendControl {
    regs::CbBlendControl {
        separate_alpha_blend: true,
        alpha_destblend: factor(state.alpha.dst_factor),
        alpha_comb_fcn: equation(state.alpha.operation),
        alpha_srcblend: factor(state.alpha.src_factor),
        color_destblend: factor(state.color.dst_factor),
        color_comb_fcn: equation(state.color.operation),
        color_srcblend: factor(state.color.src_factor),
        ..regs::CbBlendControl::from_word(0)
    }
}

/// Whether logic operations apply to a target's format: they are for integers, with or without a point.
pub fn has_logic(format: wgt::TextureFormat) -> bool {
    texture_format(format).is_none_or(|f| !f.is_srgb() && f.class() != Class::Float)
}

/// Depth and stencil tests in the codes of registers.
#[derive(Default)]
pub struct DepthTests {
    /// Z_ENABLE.
    pub depth: bool,
    /// Z_WRITE_ENABLE.
    pub writes: bool,
    /// ZFUNC.
    pub function: u8,
    /// STENCIL_ENABLE, of both faces.
    pub stencil: bool,
    /// STENCILFUNC of front and back faces.
    pub functions: [u8; 2],
    /// Operations of each where stencil fails, where depth does, and where both pass.
    pub operations: [[u8; 3]; 2],
}

/// The tests of a pipeline; `codes` are a chip's stencil operations in the order of [`wgt::StencilOperation`].
pub fn depth_tests(state: &GraphicsState, codes: [u8; 8]) -> DepthTests {
    let Some(depth) = &state.depth_stencil else {
        return DepthTests::default();
    };
    let stencil = &depth.stencil;
    let faces = [&stencil.front, &stencil.back];
    DepthTests {
        depth: depth.is_depth_enabled(),
        writes: depth.depth_write_enabled.unwrap_or_default(),
        function: comparison(depth.depth_compare.unwrap_or_default()),
        stencil: stencil.is_enabled(),
        functions: faces.map(|face| comparison(face.compare)),
        operations: faces.map(|face| {
            [face.fail_op, face.depth_fail_op, face.pass_op].map(|op| codes[op as usize])
        }),
    }
}

/// PA_CL_VS_OUT_CNTL of a vertex shader.
pub fn vertex_outputs(interface: &Interface, outputs: &Outputs) -> u32 {
    let builtins = [PointSize, Layer, Viewport];
    let [point_size, layer, viewport] = builtins.map(|builtin| outputs.has(builtin));
    let [clip, cull] = outputs.distances(interface);
    let distances = clip | cull;
    regs::PaClVsOutCntl {
        use_vtx_point_size: point_size,
        use_vtx_render_target_indx: layer,
        use_vtx_viewport_indx: viewport,
        vs_out_misc_vec_ena: point_size || layer || viewport,
        vs_out_ccdist0_vec_ena: distances & 15 != 0,
        vs_out_ccdist1_vec_ena: distances >> 4 != 0,
        ..regs::PaClVsOutCntl::from_word(u32::from(clip) | u32::from(cull) << 8)
    }
    .pack()
}

/// Depth bias, in six registers from `fmt_cntl` on, the address of PA_SU_POLY_OFFSET_DB_FMT_CNTL.
pub fn depth_bias(fmt_cntl: u32, state: &GraphicsState, out: &mut Packets<'_>) {
    let Some(depth) = &state.depth_stencil else {
        return;
    };
    let bias = &depth.bias;
    // The unit of the constant bias: 2^-bits, or relative to the exponent for floats.
    let (bits, float) = match texture_format(depth.format) {
        Some(Format::D16Unorm) => (-16, false),
        Some(Format::D24UnormX8 | Format::D24UnormS8Uint) => (-24, false),
        _ => (-23, true),
    };
    let format = regs::PaSuPolyOffsetDbFmtCntl {
        poly_offset_db_is_float_fmt: float,
        poly_offset_neg_num_db_bits: bits,
        ..regs::PaSuPolyOffsetDbFmtCntl::from_word(0)
    };
    let [slope, constant] = [bias.slope_scale * 16.0, bias.constant as f32].map(f32::to_bits);
    let clamp = bias.clamp.to_bits();
    let words = [format.pack(), clamp, slope, constant, slope, constant];
    out.set(fmt_cntl, &words);
}

/// DB_ALPHA_TO_MASK. Two quarters of a sample everywhere: the number of samples is rounded to the nearest and does not
/// depend on the pixel's place.
pub fn alpha_to_mask(state: &GraphicsState) -> u32 {
    regs::DbAlphaToMask {
        alpha_to_mask_enable: state.multisample.alpha_to_coverage_enabled,
        alpha_to_mask_offset0: 2,
        alpha_to_mask_offset1: 2,
        alpha_to_mask_offset2: 2,
        alpha_to_mask_offset3: 2,
        ..regs::DbAlphaToMask::from_word(0)
    }
    .pack()
}
