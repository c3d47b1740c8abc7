//! Registers of a pass: colour surfaces, the area that is drawn to, and what commands change between draws.

use radeon::r6xx::regs::{self, number_type};
use silicon::Format;

use crate::codegen::radeon::packets::Packets;
use crate::codegen::viewports::{SCISSOR_MAX, viewports};
use crate::format::texture_format;
use crate::image::Level;
use crate::state::{Attachment, DynamicState, GraphicsState, PassTargets, Rect};

/// A colour attachment in the terms of CB_COLORn_*.
pub struct ColorSurface<'a> {
    /// Level that is drawn to.
    pub level: &'a Level,
    /// Address / 256.
    pub base: u32,
    /// FORMAT.
    pub format: u8,
    /// NUMBER_TYPE.
    pub number_type: u8,
    /// COMP_SWAP.
    pub comp_swap: u8,
    /// BLEND_BYPASS: integers do not blend.
    pub blend_bypass: bool,
    /// BLEND_CLAMP: normalised numbers do within 0 to 1, or -1 to 1.
    pub blend_clamp: bool,
    /// PITCH_TILE_MAX.
    pub pitch_tile_max: u16,
    /// SLICE_TILE_MAX.
    pub slice_tile_max: u32,
    /// CB_COLORn_VIEW.
    pub view: u32,
}

/// A colour attachment; `codes` are FORMAT, NUMBER_TYPE and COMP_SWAP of a format.
pub fn color_surface<'a>(
    target: &Attachment<'a>,
    codes: fn(Format) -> Option<(u8, u8, u8)>,
) -> Option<ColorSurface<'a>> {
    let Some((format, number_type, comp_swap)) = texture_format(target.format).and_then(codes)
    else {
        debug_assert!(false, "{:?} is no color format", target.format);
        return None;
    };
    let level = &target.memory.planes[0].levels[target.level as usize];
    let integer = number_type == number_type::UINT || number_type == number_type::SINT;
    let view = regs::CbColorView {
        slice_start: target.first_layer as u16,
        slice_max: (target.first_layer + target.layers - 1) as u16,
        ..regs::CbColorView::from_word(0)
    };
    Some(ColorSurface {
        level,
        base: ((target.base.0 + level.offset) >> 8) as u32,
        format,
        number_type,
        comp_swap,
        blend_bypass: integer,
        blend_clamp: !integer && number_type != number_type::FLOAT,
        pitch_tile_max: (level.pitch / 8 - 1) as u16,
        slice_tile_max: slice_tiles(level),
        view: view.pack(),
    })
}

/// Sets the eight colour targets: those that are there by `color`, given how many bytes a target's registers are behind those
/// of the first, and CB_COLORn_INFO of the others to 0. `info` is its first address, `stride` the bytes from one to the next.
pub fn colors(
    targets: &PassTargets<'_>,
    info: u32,
    stride: u32,
    color: impl Fn(u32, &Attachment<'_>, &mut Packets<'_>),
    out: &mut Packets<'_>,
) {
    for i in 0..8 {
        let offset = i * stride;
        match targets.colors.get(i as usize).and_then(Option::as_ref) {
            Some(target) => color(offset, &target.view, out),
            None => out.set(info + offset, &[0]),
        }
    }
}

/// Tiles of a slice, less one.
pub fn slice_tiles(level: &Level) -> u32 {
    level.pitch * level.rows / 64 - 1
}

/// The area that a pass draws to, in pixels.
pub fn area(width: u32, height: u32, out: &mut Packets<'_>) {
    let whole = Rect {
        x: 0,
        y: 0,
        width,
        height,
    };
    out.set(regs::PA_SC_SCREEN_SCISSOR_TL, &[0, corner(width, height)]);
    out.set(regs::PA_SC_WINDOW_OFFSET, &[0]);
    scissor(regs::PA_SC_WINDOW_SCISSOR_TL, whole, out);
    scissor(regs::PA_SC_GENERIC_SCISSOR_TL, whole, out);
}

/// Top-left and bottom-right (exclusive) registers of a scissor; the window's offset is off.
fn scissor(register: u32, rect: Rect, out: &mut Packets<'_>) {
    let clamped = |x: u32, y: u32| corner(x.min(SCISSOR_MAX), y.min(SCISSOR_MAX));
    let top_left = 1 << 31 | clamped(rect.x, rect.y);
    let bottom_right = clamped(rect.x + rect.width, rect.y + rect.height);
    out.set(register, &[top_left, bottom_right]);
}

/// X in the low half and y in the high half: chips differ in how many bits they look at.
fn corner(x: u32, y: u32) -> u32 {
    x | y << 16
}

/// Viewports, scissors and the blend constant. `guard_band` is the address of PA_CL_GB_VERT_CLIP_ADJ.
pub fn dynamic(
    guard_band: u32,
    dynamic: &DynamicState,
    state: &GraphicsState,
    out: &mut Packets<'_>,
) {
    let viewports = viewports(dynamic, state);
    out.set(regs::PA_CL_VPORT_XSCALE_0, &viewports.transforms);
    out.set(regs::PA_SC_VPORT_ZMIN_0, &viewports.depths);
    out.set(guard_band, &viewports.guard_band);
    for (n, rect) in (0..).zip(viewports.scissors) {
        scissor(regs::PA_SC_VPORT_SCISSOR_0_TL + 8 * n, rect, out);
    }
    let constant = dynamic.blend_constant.map(f32::to_bits);
    out.set(regs::CB_BLEND_RED, &constant);
}
