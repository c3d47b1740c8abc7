//! Attachments, viewport, scissor and the rest of what commands change. [R5XX 11.2, 12, 13]

use ::r5xx::formats::out_fmt;
use ::r5xx::regs::*;
use silicon::fragment::multisample::Samples;

use super::formats::depth_code;
use super::images::{order, target_format};
use super::packets::{Packets, word};
use crate::codegen::viewports::viewports;
use crate::format::texture_format;
use crate::image::Level;
use crate::state::{Attachment, DynamicState, GraphicsState, PassTargets, Rect};

/// Colour buffers of the chip.
const BUFFERS: u32 = 4;

/// Sets all attachments.
pub(super) fn attachments(targets: &PassTargets<'_>, out: &mut Packets<'_>) {
    for n in 0..BUFFERS {
        match targets.colors.get(n as usize).and_then(Option::as_ref) {
            Some(color) => color_target(n, &color.view, out),
            None => out.at(
                US_OUT_FMT.at(n),
                &[US_OUT_FMT::OUT_FMT.bits(out_fmt::UNUSED)],
            ),
        }
    }
    if let Some(depth) = &targets.depth_stencil {
        depth_target(&depth.view, out);
    }
    samples(targets, out);
    area(
        [SC_CLIP_0_A, SC_CLIP_0_B],
        Rect {
            x: 0,
            y: 0,
            width: targets.width,
            height: targets.height,
        },
        out,
    );
    // Textures may have been drawn to.
    out.set(TX_INVALTAGS, 0);
}

/// The level that is attached, and where its first slice is.
fn surface<'a>(target: &'a Attachment<'_>) -> (&'a Level, u32) {
    let level = &target.memory.planes[0].levels[target.level as usize];
    let base = target.base.0 + level.bytes(target.slices()).start;
    (level, base as u32)
}

/// RB3D_COLORPITCH of a level; a resolve has the tiling of where it goes.
fn color_pitch(level: &Level, tiled_as: &Level, format: u32) -> u32 {
    let tiling = order(tiled_as.tiling);
    use RB3D_COLORPITCH::*;
    word(&[
        (COLORPITCH, level.pitch / 2),
        (COLORTILE, u32::from(tiling.macro_tiled)),
        (COLORMICROTILE, tiling.micro.code()),
        (COLORFORMAT, format),
    ])
}

/// Makes draws average the samples of a target into another image. [R5XX 10.8.2]
pub(super) fn average([from, to]: [&Attachment<'_>; 2], out: &mut Packets<'_>) {
    let Some(code) = target_format(from.format) else {
        debug_assert!(false, "{:?} is no color format", from.format);
        return;
    };
    let (source, (level, base)) = (surface(from).0, surface(to));
    let pitch = color_pitch(source, level, code.color);
    out.at(RB3D_COLORPITCH.address, &[pitch]);
    let resolve = {
        use RB3D_AARESOLVE_CTL::*;
        [
            (AARESOLVE_MODE, 1),
            (AARESOLVE_GAMMA, u32::from(from.format.is_srgb())),
            (AARESOLVE_ALPHA, 1),
        ]
    };
    out.set(RB3D_AARESOLVE_OFFSET, base);
    let to = RB3D_AARESOLVE_PITCH::AARESOLVE_PITCH.bits(level.pitch / 2);
    out.set(RB3D_AARESOLVE_PITCH, to);
    out.fields(RB3D_AARESOLVE_CTL, &resolve);
    positions(&Samples::ONE, out);
}

fn color_target(n: u32, target: &Attachment<'_>, out: &mut Packets<'_>) {
    let Some(code) = target_format(target.format) else {
        debug_assert!(false, "{:?} is no color format", target.format);
        return;
    };
    let (level, base) = surface(target);
    out.at(RB3D_COLOROFFSET.at(n), &[base]);
    let pitch = color_pitch(level, level, code.color);
    out.at(RB3D_COLORPITCH.at(n), &[pitch]);
    // 0 is alpha, then red, green and blue.
    let [c0, c1, c2, c3] = code.channels.map(|channel| u32::from(channel + 1) % 4);
    let output = {
        use US_OUT_FMT::*;
        [
            (OUT_FMT, code.output),
            (C0_SEL, c0),
            (C1_SEL, c1),
            (C2_SEL, c2),
            (C3_SEL, c3),
            (OUT_SIGN, code.signs),
        ]
    };
    out.at(US_OUT_FMT.at(n), &[word(&output)]);
}

fn depth_target(target: &Attachment<'_>, out: &mut Packets<'_>) {
    // Views of one aspect are drawn to in the format that holds both.
    let Some(code) = texture_format(target.memory.shape.format).and_then(depth_code) else {
        debug_assert!(false, "{:?} is no depth-stencil format", target.format);
        return;
    };
    let (level, base) = surface(target);
    let tiling = order(level.tiling);
    out.set(ZB_FORMAT, ZB_FORMAT::DEPTHFORMAT.bits(code.code));
    let pitch = {
        use ZB_DEPTHPITCH::*;
        [
            (DEPTHPITCH, level.pitch / 4),
            (DEPTHMACROTILE, u32::from(tiling.macro_tiled)),
            (DEPTHMICROTILE, tiling.micro.code()),
        ]
    };
    out.at(ZB_DEPTHOFFSET.address, &[base, word(&pitch)]);
}

/// How many samples a pixel has, and where.
fn samples(targets: &PassTargets<'_>, out: &mut Packets<'_>) {
    let colors = targets.colors.iter().flatten().map(|color| &color.view);
    let depth = targets.depth_stencil.iter().map(|depth| &depth.view);
    let count = colors.chain(depth).next().map_or(1, |view| view.samples);
    let code = match count {
        2 => 1,
        4 => 1 | GB_AA_CONFIG::NUM_AA_SUBSAMPLES.bits(2),
        _ => 0,
    };
    out.set(GB_AA_CONFIG, code);
    positions(&Samples::standard(count), out);
}

/// Places of samples; without several all are that of the pixel.
fn positions(samples: &Samples, out: &mut Packets<'_>) {
    let positions = samples.positions();
    let place = |n: usize| {
        let (x, y) = positions[n % positions.len()];
        u32::from(x) | u32::from(y) << 4
    };
    let three = |first: usize| place(first) | place(first + 1) << 8 | place(first + 2) << 16;
    // How far the nearest sample is from an edge of the pixel, for the coarse scan; 7 stands for 8.
    let near = |axis: fn(&(u8, u8)) -> u8| {
        let distances = positions.iter().map(|at| axis(at).min(16 - axis(at)));
        u32::from(distances.min().unwrap_or(8).min(7))
    };
    let (x, y) = (near(|at| at.0), near(|at| at.1));
    let first = three(0) | y << 24 | x << 28;
    let second = three(3) | x.min(y) << 24;
    out.at(GB_MSPOS0.address, &[first, second]);
}

/// Registers of a rectangle: first pixel, and last one. An empty one ends before it starts.
fn area([first, last]: [Register; 2], rect: Rect, out: &mut Packets<'_>) {
    let corner = |register: Register, x: u32, y: u32| {
        let [across, down] = [register.fields[0], register.fields[1]];
        across.bits(x.min(0x1fff)) | down.bits(y.min(0x1fff))
    };
    let (words, (width, height)) = match (rect.width, rect.height) {
        (0, _) | (_, 0) => ((1, 1), (0, 0)),
        (width, height) => ((rect.x, rect.y), (width, height)),
    };
    let (x, y) = words;
    let end = |start: u32, count: u32| (start + count).saturating_sub(1);
    let last_corner = corner(last, end(x, width), end(y, height));
    out.at(first.address, &[corner(first, x, y), last_corner]);
}

/// Sets what commands change between draws.
pub(super) fn dynamic(dynamic: &DynamicState, state: &GraphicsState, out: &mut Packets<'_>) {
    let viewports = viewports(dynamic, state);
    out.at(VAP_VPORT_XSCALE.address, &viewports.transforms[..6]);
    out.at(VAP_GB_VERT_CLIP_ADJ.address, &viewports.guard_band);
    area([SC_SCISSOR0, SC_SCISSOR1], viewports.scissors[0], out);
    blend_constant(dynamic.blend_constant, state, out);
    if let Some(depth) = &state.depth_stencil {
        use ZB_STENCILREFMASK::*;
        let masks = [
            (STENCILREF, dynamic.stencil_reference),
            (STENCILMASK, depth.stencil.read_mask),
            (STENCILWRITEMASK, depth.stencil.write_mask),
        ];
        out.set(ZB_STENCILREFMASK, word(&masks));
    }
}

/// The constant in the order of the components that the first blended target stores: ten bits of a fraction, or half
/// floats.
fn blend_constant(constant: [f32; 4], state: &GraphicsState, out: &mut Packets<'_>) {
    let mut targets = state.targets.iter().flatten();
    let Some(target) = targets.find(|target| target.blend.is_some()) else {
        return;
    };
    let (Some(code), Some(format)) = (target_format(target.format), texture_format(target.format))
    else {
        return;
    };
    let float = format.class() == silicon::texture::format::Class::Float;
    let component = |n: usize| {
        let value = constant[usize::from(code.channels[n])];
        match float {
            true => silicon::texture::float::to_f16(value.to_bits()),
            false => silicon::texture::fixed::to_unorm(value, 10),
        }
    };
    let pair = |low: usize, high: usize| component(low) | component(high) << 16;
    out.set(RB3D_CONSTANT_COLOR_AR, pair(2, 3));
    out.set(RB3D_CONSTANT_COLOR_GB, pair(0, 1));
}
