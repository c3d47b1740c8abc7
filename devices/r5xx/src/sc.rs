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

/// The samples that the screen door lets through, a bit each: the same of all pixels of a quad. Without several samples
/// pixel n of a quad has bit n of its six. [R5xx 10.8.1]
pub fn mask(registers: &RegisterFile, samples: u32) -> Result<u32, String> {
    let door = SC_SCREENDOOR::SCREENDOOR.read(registers);
    let every = (1 << samples) - 1;
    let pixels = [0, 1, 2, 3].map(|pixel| match samples {
        1 => door >> (7 * pixel) & 1,
        _ => door >> (6 * pixel) & every,
    });
    match pixels.iter().all(|pixel| *pixel == pixels[0]) {
        true => Ok(pixels[0]),
        false => Err(format!(
            "SC_SCREENDOOR.SCREENDOOR {door:#x}, which differs in the pixels of a quad, is not executed"
        )),
    }
}
