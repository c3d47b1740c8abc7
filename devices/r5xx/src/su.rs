//! Set-up: cull, winding, polygon offset, the scale of depths. [R5xx 11.1 "SU"]

use radeon::registers::RegisterFile;
use silicon::fragment::tile::Rect;
use silicon::geometry::setup::{Bias, BiasUnit, Grid, Setup, Viewport, Winding};
use silicon::geometry::topology::Kind;

use crate::ga::subpixels;
use crate::regs::*;

/// The largest depth: a window depth of 1.
const DEEPEST: f32 = 16_777_215.0;
/// Units of an offset of 1.
const UNITS: f32 = 16_777_216.0;

/// A side of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Front, and points and lines.
    Front,
    /// Back.
    Back,
}

/// Scale and offset of depths, which the block has after the viewport's: both are the identity for a scale of
/// 16777215.
pub fn scale_depth(registers: &RegisterFile, viewport: &mut Viewport) {
    let scale = SU_DEPTH_SCALE.float(registers) / DEEPEST;
    viewport.scale[2] *= scale;
    viewport.offset[2] = viewport.offset[2] * scale + SU_DEPTH_OFFSET.float(registers) / DEEPEST;
}

/// Offsets the depths of points and lines as those of front faces, where both are on: `viewport` is that of the draw. Points
/// have no slope, that of lines is not executed. [R5xx SU_POLY_OFFSET_ENABLE]
pub fn offset_parallelograms(
    registers: &RegisterFile,
    kind: Kind,
    viewport: &mut Viewport,
) -> Result<(), String> {
    use SU_POLY_OFFSET_ENABLE::*;
    if kind == Kind::Triangles || !PARA_ENABLE.on(registers) || !FRONT_ENABLE.on(registers) {
        return Ok(());
    }
    let slope = SU_POLY_OFFSET_FRONT_SCALE.float(registers);
    if kind == Kind::Lines && slope != 0.0 {
        return Err(format!(
            "SU_POLY_OFFSET_FRONT_SCALE {slope} of lines is not executed"
        ));
    }
    viewport.offset[2] += SU_POLY_OFFSET_FRONT_OFFSET.float(registers) / UNITS;
    Ok(())
}

/// Set-up of a side.
pub fn setup(
    registers: &RegisterFile,
    side: Side,
    grid: Grid,
    multisampled: bool,
    scissor: Rect,
) -> Setup {
    use SU_CULL_MODE::*;
    let bias = match side {
        Side::Front => SU_POLY_OFFSET_ENABLE::FRONT_ENABLE,
        Side::Back => SU_POLY_OFFSET_ENABLE::BACK_ENABLE,
    };
    Setup {
        grid,
        front: match FACE.on(registers) {
            false => Winding::CounterClockwise,
            true => Winding::Clockwise,
        },
        cull_front: CULL_FRONT.on(registers),
        cull_back: CULL_BACK.on(registers),
        bias: bias.on(registers).then(|| self::bias(registers, side)),
        multisampled,
        scissor,
    }
}

/// The offset of a side: units of 24 bits with every format, slopes per subpixel.
fn bias(registers: &RegisterFile, side: Side) -> Bias {
    let (scale, offset) = match side {
        Side::Front => (SU_POLY_OFFSET_FRONT_SCALE, SU_POLY_OFFSET_FRONT_OFFSET),
        Side::Back => (SU_POLY_OFFSET_BACK_SCALE, SU_POLY_OFFSET_BACK_OFFSET),
    };
    Bias {
        constant: offset.float(registers),
        slope: scale.float(registers) / subpixels(registers) as f32,
        clamp: 0.0,
        unit: BiasUnit::Unorm(24),
    }
}
