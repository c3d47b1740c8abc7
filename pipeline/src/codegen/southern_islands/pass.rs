//! Attachments, viewport, scissor and the rest of what commands change.
//!
//! In: views of images and dynamic state. Out: registers CB_COLORn_*, DB_Z_* and DB_STENCIL_*, and those of `r6xx::pass`.

use ::southern_islands::formats;
use ::southern_islands::regs;
use silicon::Addr;
use wgpu_types as wgt;

use super::packets::Packets;
use crate::codegen::radeon::r6xx::pass;
use crate::format::texture_format;
use crate::state::{Attachment, DepthStencilTarget, DynamicState, GraphicsState, PassTargets};

/// Sets all attachments; `staged` is a plane of depth and stencil that is drawn to elsewhere, and where.
pub(super) fn attachments(
    targets: &PassTargets<'_>,
    staged: Option<(usize, Addr)>,
    out: &mut Packets<'_>,
) {
    let (info, stride) = (regs::CB_COLOR0_INFO, regs::CB_COLOR_STRIDE);
    pass::colors(targets, info, stride, color_target, out);
    depth_target(targets.depth_stencil.as_ref(), staged, out);
    pass::area(targets.width, targets.height, out);
}

fn color_target(offset: u32, target: &Attachment<'_>, out: &mut Packets<'_>) {
    let Some(surface) = pass::color_surface(target, formats::color_format) else {
        return;
    };
    let pitch = regs::CbColorPitch {
        tile_max: surface.pitch_tile_max,
        ..regs::CbColorPitch::from_word(0)
    };
    let slice = regs::CbColorSlice {
        tile_max: surface.slice_tile_max,
        ..regs::CbColorSlice::from_word(0)
    };
    let info = regs::CbColorInfo {
        blend_bypass: surface.blend_bypass,
        blend_clamp: surface.blend_clamp,
        comp_swap: surface.comp_swap,
        number_type: surface.number_type,
        format: surface.format,
        ..regs::CbColorInfo::from_word(0)
    };
    let samples = target.samples.trailing_zeros() as u8;
    let attrib = regs::CbColorAttrib {
        tile_mode_index: surface.level.tiling as u8,
        num_samples: samples,
        num_fragments: samples,
        ..regs::CbColorAttrib::from_word(0)
    };
    out.set(
        regs::CB_COLOR0_BASE + offset,
        &[
            surface.base,
            pitch.pack(),
            slice.pack(),
            surface.view,
            info.pack(),
            attrib.pack(),
        ],
    );
}

fn depth_target(
    attached: Option<&DepthStencilTarget<Attachment<'_>>>,
    staged: Option<(usize, Addr)>,
    out: &mut Packets<'_>,
) {
    let Some(attached) = attached else {
        out.set(regs::DB_Z_INFO, &[0, 0]);
        return;
    };
    let target = &attached.view;
    let Some(format) = texture_format(target.format) else {
        debug_assert!(false, "{:?} is no depth-stencil format", target.format);
        return;
    };
    let (depth, stencil) = formats::depth_planes(format);
    let at = |plane: usize| &target.memory.planes[plane].levels[target.level as usize];
    // A view of one aspect shows one plane of the image.
    let plane = |aspect| target.memory.plane(aspect).unwrap_or(0);
    let depth_plane = plane(wgt::TextureAspect::DepthOnly);
    let stencil_plane = plane(wgt::TextureAspect::StencilOnly);
    let shown = [
        depth.map(|_| at(depth_plane)),
        stencil.map(|_| at(stencil_plane)),
    ];
    let pitches = shown.iter().flatten().map(|level| level.pitch);
    let (least, pitch) = (pitches.clone().min(), pitches.max().unwrap_or(8));
    let rows = at(depth_plane).rows;
    // Small levels may have two pitches. Then addresses say where a layer begins.
    let (apart, layers) = (least != Some(pitch), u64::from(target.first_layer));
    let address = |plane: usize| {
        if let Some((_, at)) = staged.filter(|(staged, _)| *staged == plane) {
            return (at.0 >> 8) as u32;
        }
        let layer = if apart {
            layers * at(plane).slice_bytes
        } else {
            0
        };
        ((target.base.0 + at(plane).offset + layer) >> 8) as u32
    };
    let first = if apart { 0 } else { target.first_layer };
    // The number of samples is that of stencil, too.
    let z_info = regs::DbZInfo {
        tile_mode_index: at(depth_plane).tiling as u8,
        num_samples: target.samples.trailing_zeros() as u8,
        format: depth.and_then(formats::depth_format).unwrap_or(0),
        ..regs::DbZInfo::from_word(0)
    }
    .pack();
    let stencil_info = stencil.map_or(0, |_| {
        regs::DbStencilInfo {
            tile_mode_index: at(stencil_plane).tiling as u8,
            format: true,
            ..regs::DbStencilInfo::from_word(0)
        }
        .pack()
    });
    let z = depth.map_or(0, |_| address(depth_plane));
    let s = stencil.map_or(0, |_| address(stencil_plane));
    out.set(
        regs::DB_Z_INFO,
        &[
            z_info,
            stencil_info,
            z,
            s,
            z,
            s,
            regs::DbDepthSize {
                pitch_tile_max: (pitch / 8 - 1) as u16,
                height_tile_max: (rows / 8 - 1) as u16,
                ..regs::DbDepthSize::from_word(0)
            }
            .pack(),
            regs::DbDepthSlice {
                slice_tile_max: pitch * rows / 64 - 1,
                ..regs::DbDepthSlice::from_word(0)
            }
            .pack(),
        ],
    );
    out.set(
        regs::DB_DEPTH_VIEW,
        &[regs::DbDepthView {
            slice_start: first as u16,
            slice_max: (first + target.layers - 1) as u16,
            z_read_only: attached.depth.is_read_only(),
            stencil_read_only: attached.stencil.is_read_only(),
            ..regs::DbDepthView::from_word(0)
        }
        .pack()],
    );
}

/// Sets what commands change between draws.
pub(super) fn dynamic(dynamic: &DynamicState, state: &GraphicsState, out: &mut Packets<'_>) {
    pass::dynamic(regs::PA_CL_GB_VERT_CLIP_ADJ, dynamic, state, out);
    if let Some(depth) = &state.depth_stencil {
        let masks = regs::DbStencilrefmask {
            stencilopval: 1,
            stencilwritemask: depth.stencil.write_mask as u8,
            stencilmask: depth.stencil.read_mask as u8,
            stenciltestval: dynamic.stencil_reference as u8,
        }
        .pack();
        out.set(regs::DB_STENCILREFMASK, &[masks, masks]);
    }
}
