//! Attachments, viewport, scissor and the rest of what commands change.
//!
//! In: views of images and dynamic state. Out: registers CB_COLORn_*, DB_DEPTH_*, and those of `r6xx::pass`.

use ::r600::formats;
use ::r600::regs;

use super::images::Order;
use super::packets::Packets;
use crate::codegen::radeon::r6xx::pass;
use crate::format::texture_format;
use crate::state::{Attachment, DynamicState, GraphicsState, PassTargets};

/// Sets all attachments.
pub(super) fn attachments(targets: &PassTargets<'_>, out: &mut Packets<'_>) {
    let (info, stride) = (regs::CB_COLOR0_INFO, regs::CB_COLOR_STRIDE);
    pass::colors(targets, info, stride, color_target, out);
    depth_target(targets.depth_stencil.as_ref().map(|depth| &depth.view), out);
    pass::area(targets.width, targets.height, out);
}

fn color_target(offset: u32, target: &Attachment<'_>, out: &mut Packets<'_>) {
    let Some(surface) = pass::color_surface(target, formats::color_format) else {
        return;
    };
    let size = regs::CbColorSize {
        pitch_tile_max: surface.pitch_tile_max,
        slice_tile_max: surface.slice_tile_max,
        ..regs::CbColorSize::from_word(0)
    };
    let info = regs::CbColorInfo {
        blend_bypass: surface.blend_bypass,
        blend_clamp: surface.blend_clamp,
        comp_swap: surface.comp_swap,
        number_type: surface.number_type,
        format: surface.format,
        array_mode: Order::from_word(surface.level.tiling).mode,
        ..regs::CbColorInfo::from_word(0)
    };
    for (first, value) in [
        (regs::CB_COLOR0_BASE, surface.base),
        (regs::CB_COLOR0_SIZE, size.pack()),
        (regs::CB_COLOR0_VIEW, surface.view),
        (regs::CB_COLOR0_INFO, info.pack()),
        (regs::CB_COLOR0_TILE, surface.base),
        (regs::CB_COLOR0_FRAG, surface.base),
    ] {
        out.set(first + offset, &[value]);
    }
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
                slice_tile_max: pass::slice_tiles(level),
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

/// Sets what commands change between draws.
pub(super) fn dynamic(dynamic: &DynamicState, state: &GraphicsState, out: &mut Packets<'_>) {
    pass::dynamic(regs::PA_CL_GB_VERT_CLIP_ADJ, dynamic, state, out);
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
