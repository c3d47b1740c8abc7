//! Hi-Z: which passes have it, and which of their draws. [R5XX 9.3]
//!
//! The chip keeps a bound of the depths of each tile in a memory of its own, and rejects tiles of primitives by it. A pass
//! that clears its depths starts the bounds with that value: the deepest depths for one that is far, the nearest for one
//! that is near. Draws that compare in the same direction use them, unless something else depends on failed tests.

use ::r5xx::packets::CLEAR_HIZ;
use ::r5xx::regs::*;
use wgpu_types::CompareFunction;

use super::packets::Packets;
use crate::encode::Encoder;
use crate::state::PassTargets;
use crate::targets::Bindings;

/// Pixels of an edge of a tile, and dwords that one packet clears: a tile each.
const EDGE: u32 = 8;
const MOST: u32 = 0x3fff;
/// Clears of smaller depths keep the nearest ones.
const MIDDLE: f32 = 0.5;

/// Tiles of a pass, and the depth that it clears to; none without Hi-Z.
fn cleared(targets: &PassTargets<'_>) -> Option<(u32, f32)> {
    let target = targets.depth_stencil.as_ref()?;
    let depths = target.view.format.has_depth_aspect();
    let value = target.depth.clear().filter(|_| depths)?;
    let tiles = targets.width.div_ceil(EDGE) * targets.height.div_ceil(EDGE);
    (tiles <= MOST).then_some((tiles, value))
}

/// Sets what the bounds of a pass are, and starts them.
pub(super) fn begin(targets: &PassTargets<'_>, out: &mut Packets<'_>) {
    let cleared = cleared(targets);
    let control = {
        use ZB_BW_CNTL::*;
        let nearest = cleared.is_some_and(|(_, value)| value < MIDDLE);
        [
            (HIZ_ENABLE, u32::from(cleared.is_some())),
            (HIZ_MIN, u32::from(nearest)),
        ]
    };
    out.fields(ZB_BW_CNTL, &control);
    if let Some((tiles, value)) = cleared {
        out.set(ZB_HIZ_OFFSET, 0);
        let pitch = targets.width.div_ceil(16);
        out.fields(ZB_HIZ_PITCH, &[(ZB_HIZ_PITCH::HIZ_PITCH, pitch)]);
        // The highest eight bits of a depth of 24.
        let floor = (value.clamp(0.0, 1.0) * 255.996) as u32;
        bounds(tiles, floor, out);
    }
}

/// Forgets the bounds of a pass, some of whose depths are replaced.
pub(super) fn forget(targets: &PassTargets<'_>, out: &mut Packets<'_>) {
    if let Some((tiles, value)) = cleared(targets) {
        bounds(tiles, if value < MIDDLE { 0 } else { 0xff }, out);
    }
}

fn bounds(tiles: u32, byte: u32, out: &mut Packets<'_>) {
    out.packet(CLEAR_HIZ, &[0, tiles, byte * 0x0101_0101]);
}

/// Switches rejection on for a draw that may use it, or off.
pub(super) fn draw(bound: &Bindings<'_>, out: &mut Encoder<'_>) {
    let pass = out.targets().and_then(cleared);
    let nearest = pass.map(|(_, value)| value < MIDDLE);
    let depth = bound.state.depth_stencil.as_ref();
    let compare = depth.and_then(|depth| depth.depth_compare);
    let wants_nearest = match compare {
        Some(CompareFunction::Less | CompareFunction::LessEqual) => Some(false),
        Some(CompareFunction::Greater | CompareFunction::GreaterEqual) => Some(true),
        _ => None,
    };
    let has_stencil = depth.is_some_and(|depth| depth.stencil.is_enabled());
    let mut registers = bound.shaders[1].registers.iter();
    let gives_depth = registers.any(|(at, value)| *at == FG_DEPTH_SRC.address && *value != 0);
    let on = wants_nearest.is_some() && wants_nearest == nearest && !has_stencil && !gives_depth;
    let control = {
        use SC_HYPERZ_EN::*;
        [
            (HZ_EN, u32::from(on)),
            (HZ_MAX, u32::from(wants_nearest == Some(true))),
        ]
    };
    Packets(&mut out.words).fields(SC_HYPERZ_EN, &control);
}
