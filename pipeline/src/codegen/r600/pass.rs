//! Attachments, viewport, scissor and the rest of what commands change.

use ::r600::formats;
use ::r600::regs;

use super::images::Order;
use super::packets::Packets;
use crate::codegen::radeon::viewports::{SCISSOR_MAX, viewports};
use crate::format::texture_format;
use crate::image::Level;
use crate::state::{Attachment, DynamicState, GraphicsState, PassTargets, Rect};

/// Sets all attachments.
pub(super) fn attachments(targets: &PassTargets<'_>, out: &mut Packets<'_>) {
    for i in 0..8 {
        match targets.colors.get(i).and_then(|color| color.as_ref()) {
            Some(color) => color_target(i as u32, &color.view, out),
            None => out.set(register(i as u32, regs::CB_COLOR0_INFO), &[0]),
        }
    }
    depth_target(targets.depth_stencil.as_ref().map(|depth| &depth.view), out);
    let whole = Rect {
        x: 0,
        y: 0,
        width: targets.width,
        height: targets.height,
    };
    out.set(
        regs::PA_SC_SCREEN_SCISSOR_TL,
        &[
            0,
            regs::PaScScreenScissorBr {
                br_x: targets.width as u16,
                br_y: targets.height as u16,
                ..regs::PaScScreenScissorBr::from_word(0)
            }
            .pack(),
        ],
    );
    out.set(regs::PA_SC_WINDOW_OFFSET, &[0]);
    scissor(regs::PA_SC_WINDOW_SCISSOR_TL, whole, out);
    scissor(regs::PA_SC_GENERIC_SCISSOR_TL, whole, out);
}

/// Address of a register of colour target `i`.
fn register(i: u32, first: u32) -> u32 {
    first + i * regs::CB_COLOR_STRIDE
}

fn color_target(i: u32, target: &Attachment<'_>, out: &mut Packets<'_>) {
    let plane = &target.memory.planes[0];
    let level = &plane.levels[target.level as usize];
    let Some((format, number_type, comp_swap)) =
        texture_format(target.format).and_then(formats::color_format)
    else {
        debug_assert!(false, "{:?} is no color format", target.format);
        return;
    };
    let base = target.base.0 + level.offset;
    let integer = number_type == regs::number_type::UINT || number_type == regs::number_type::SINT;
    let normalised = !integer && number_type != regs::number_type::FLOAT;
    let address = (base >> 8) as u32;
    let values = [
        (regs::CB_COLOR0_BASE, address),
        (
            regs::CB_COLOR0_SIZE,
            regs::CbColorSize {
                pitch_tile_max: (level.pitch / 8 - 1) as u16,
                slice_tile_max: slice_tiles(level),
                ..regs::CbColorSize::from_word(0)
            }
            .pack(),
        ),
        (
            regs::CB_COLOR0_VIEW,
            regs::CbColorView {
                slice_start: target.first_layer as u16,
                slice_max: (target.first_layer + target.layers - 1) as u16,
                ..regs::CbColorView::from_word(0)
            }
            .pack(),
        ),
        (
            regs::CB_COLOR0_INFO,
            regs::CbColorInfo {
                blend_bypass: integer,
                blend_clamp: normalised,
                comp_swap,
                number_type,
                format,
                array_mode: Order::from_word(level.tiling).mode,
                ..regs::CbColorInfo::from_word(0)
            }
            .pack(),
        ),
        (regs::CB_COLOR0_TILE, address),
        (regs::CB_COLOR0_FRAG, address),
    ];
    for (first, value) in values {
        out.set(register(i, first), &[value]);
    }
}

fn slice_tiles(level: &Level) -> u32 {
    level.pitch * level.rows / 64 - 1
}

fn depth_target(target: Option<&Attachment<'_>>, out: &mut Packets<'_>) {
    let Some(target) = target else {
        out.set(regs::DB_DEPTH_INFO, &[0]);
        return;
    };
    // Views of one aspect are drawn to in the format that holds both.
    let code = texture_format(target.memory.shape.format)
        .map(formats::stored)
        .and_then(formats::depth_code);
    let Some(format) = code else {
        debug_assert!(false, "{:?} is no depth-stencil format", target.format);
        return;
    };
    // Depth and stencil lie in one surface.
    let level = &target.memory.planes[0].levels[target.level as usize];
    let base = target.base.0 + level.offset;
    out.set(
        regs::DB_DEPTH_SIZE,
        &[
            regs::DbDepthSize {
                pitch_tile_max: (level.pitch / 8 - 1) as u16,
                slice_tile_max: slice_tiles(level),
                ..regs::DbDepthSize::from_word(0)
            }
            .pack(),
            regs::DbDepthView {
                slice_start: target.first_layer as u16,
                slice_max: (target.first_layer + target.layers - 1) as u16,
                ..regs::DbDepthView::from_word(0)
            }
            .pack(),
        ],
    );
    out.set(
        regs::DB_DEPTH_BASE,
        &[
            (base >> 8) as u32,
            regs::DbDepthInfo {
                array_mode: Order::from_word(level.tiling).mode,
                format,
                ..regs::DbDepthInfo::from_word(0)
            }
            .pack(),
        ],
    );
}

/// Top-left and bottom-right (exclusive) registers of a scissor.
fn scissor(register: u32, rect: Rect, out: &mut Packets<'_>) {
    let clamp = |n: u32| n.min(SCISSOR_MAX) as u16;
    out.set(
        register,
        &[
            regs::PaScScissorTl {
                window_offset_disable: true,
                tl_x: clamp(rect.x),
                tl_y: clamp(rect.y),
                ..regs::PaScScissorTl::from_word(0)
            }
            .pack(),
            regs::PaScScissorBr {
                br_x: clamp(rect.x + rect.width),
                br_y: clamp(rect.y + rect.height),
                ..regs::PaScScissorBr::from_word(0)
            }
            .pack(),
        ],
    );
}

/// Sets what commands change between draws.
pub(super) fn dynamic(dynamic: &DynamicState, state: &GraphicsState, out: &mut Packets<'_>) {
    let viewports = viewports(dynamic, state);
    out.set(regs::PA_CL_VPORT_XSCALE_0, &viewports.transforms);
    out.set(regs::PA_SC_VPORT_ZMIN_0, &viewports.depths);
    out.set(regs::PA_CL_GB_VERT_CLIP_ADJ, &viewports.guard_band);
    for (n, rect) in (0..).zip(viewports.scissors) {
        scissor(regs::PA_SC_VPORT_SCISSOR_0_TL + 8 * n, rect, out);
    }
    out.set(
        regs::CB_BLEND_RED,
        &dynamic.blend_constant.map(f32::to_bits),
    );
    if let Some(depth) = &state.depth_stencil {
        let masks = regs::DbStencilrefmask {
            stencilwritemask: depth.stencil.write_mask as u8,
            stencilmask: depth.stencil.read_mask as u8,
            stencilref: dynamic.stencil_reference as u8,
            ..regs::DbStencilrefmask::from_word(0)
        }
        .pack();
        out.set(regs::DB_STENCILREFMASK, &[masks, masks]);
    }
}
