//! Scan conversion: scissor, clip rectangles, screen door, edge rules. [R5xx 11.2, 11.3 "SC"]
//!
//! silicon fills triangles by the rule of the upper left, code 5. The rules of points and lines, which matter only where
//! an edge meets a sample exactly, are not read.

use radeon::registers::RegisterFile;
use silicon::fragment::tile::Rect;

use crate::regs::*;

/// SC_CLIP_RULE of a draw without clip rectangles.
const ALL: u32 = 0xffff;
/// SC_CLIP_RULE of a draw inside rectangle 0.
const INSIDE_0: u32 = 0xaaaa;
/// Largest raster area.
const EDGE: i32 = 4096;

/// Pixels that may be drawn, or what of the registers is not executed.
pub fn area(registers: &RegisterFile) -> Result<Rect, String> {
    let rule = SC_EDGERULE::ER_TRI.read(registers);
    if rule != 5 {
        return Err(format!("SC_EDGERULE.ER_TRI {rule} is not executed"));
    }
    // Right and bottom are inside.
    let corners = |first: Register, last: Register| {
        let part = |register: Register, n: usize| {
            register.fields[n].get(register.read(registers, 0)) as i32
        };
        Rect {
            x0: part(first, 0),
            y0: part(first, 1),
            x1: part(last, 0) + 1,
            y1: part(last, 1) + 1,
        }
    };
    let whole = Rect::new(0, 0, EDGE, EDGE);
    let scissor = corners(SC_SCISSOR0, SC_SCISSOR1).intersect(whole);
    match SC_CLIP_RULE::CLIP_RULE.read(registers) {
        ALL => Ok(scissor),
        INSIDE_0 => Ok(scissor.intersect(corners(SC_CLIP_0_A, SC_CLIP_0_B))),
        other => Err(format!("SC_CLIP_RULE.CLIP_RULE {other:#x} is not executed")),
    }
}

/// Whether the screen door lets anything through.
pub fn draws(registers: &RegisterFile) -> Result<bool, String> {
    match SC_SCREENDOOR::SCREENDOOR.read(registers) {
        0 => Ok(false),
        0xff_ffff => Ok(true),
        other => Err(format!(
            "SC_SCREENDOOR.SCREENDOOR {other:#x} is not executed"
        )),
    }
}
