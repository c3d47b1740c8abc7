//! Scan conversion: scissor, clip rectangles, screen door, edge rules. [R5xx 11.2, 11.3 "SC"]
//!
//! silicon fills triangles by the rule of the upper left, code 5. The rules of lines, which matter only where an edge meets a
//! sample exactly, are not read.

use radeon::registers::RegisterFile;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::Owned;

use crate::regs::*;

/// Largest raster area.
const EDGE: i32 = 4096;

/// Corners of the clip rectangles.
const CLIPS: [[Register; 2]; 4] = [
    [SC_CLIP_0_A, SC_CLIP_0_B],
    [SC_CLIP_1_A, SC_CLIP_1_B],
    [SC_CLIP_2_A, SC_CLIP_2_B],
    [SC_CLIP_3_A, SC_CLIP_3_B],
];

/// The rectangle around all pixels that may be drawn, or what of the registers is not executed.
pub fn area(registers: &RegisterFile) -> Result<Rect, String> {
    let areas = areas(registers)?;
    Ok(areas.into_iter().fold(NOTHING, |all, area| {
        if all == NOTHING {
            return area;
        }
        Rect {
            x0: all.x0.min(area.x0),
            y0: all.y0.min(area.y0),
            x1: all.x1.max(area.x1),
            y1: all.y1.max(area.y1),
        }
    }))
}

/// No pixel.
const NOTHING: Rect = Rect {
    x0: 0,
    y0: 0,
    x1: 0,
    y1: 0,
};

/// The pixels that may be drawn, in rectangles that do not overlap: those of the scissor that CLIP_RULE lets through, a bit
/// for each set of clip rectangles that they lie in. One at least, maybe empty. [R5XX 11.2]
pub fn areas(registers: &RegisterFile) -> Result<Vec<Rect>, String> {
    let edges = SC_EDGERULE::ER_TRI.read(registers);
    if edges != 5 {
        return Err(format!("SC_EDGERULE.ER_TRI {edges} is not executed"));
    }
    // Right and bottom are inside.
    let corners = |[first, last]: [Register; 2]| {
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
    let scissor = corners([SC_SCISSOR0, SC_SCISSOR1]).intersect(whole);
    let clips = CLIPS.map(corners);
    let rule = SC_CLIP_RULE::CLIP_RULE.read(registers);
    let passes = |x: i32, y: i32| {
        let inside = |clip: &Rect| clip.x0 <= x && x < clip.x1 && clip.y0 <= y && y < clip.y1;
        let flags = (0..)
            .zip(&clips)
            .map(|(n, clip)| u32::from(inside(clip)) << n);
        rule >> flags.sum::<u32>() & 1 == 1
    };
    let columns = cuts(
        [scissor.x0, scissor.x1],
        clips.map(|clip| [clip.x0, clip.x1]),
    );
    let lines = cuts(
        [scissor.y0, scissor.y1],
        clips.map(|clip| [clip.y0, clip.y1]),
    );
    let mut areas: Vec<Rect> = Vec::new();
    for line in lines.windows(2) {
        let first = areas.len();
        for column in columns.windows(2) {
            let (x0, y0, x1, y1) = (column[0], line[0], column[1], line[1]);
            if !passes(x0, y0) {
                continue;
            }
            match areas[first..].last_mut() {
                Some(left) if left.x1 == x0 => left.x1 = x1,
                _ => areas.push(Rect { x0, y0, x1, y1 }),
            }
        }
        // Rectangles right below others of the same width are parts of them.
        for below in areas.split_off(first) {
            let like = |above: &&mut Rect| {
                (above.x0, above.x1, above.y1) == (below.x0, below.x1, below.y0)
            };
            match areas.iter_mut().find(like) {
                Some(above) => above.y1 = below.y1,
                None => areas.push(below),
            }
        }
    }
    if areas.is_empty() {
        areas.push(NOTHING);
    }
    Ok(areas)
}

/// Where a side of the scissor is cut by edges of rectangles: its ends, and edges between them in order.
fn cuts([low, high]: [i32; 2], edges: [[i32; 2]; 4]) -> Vec<i32> {
    if low >= high {
        return Vec::new();
    }
    let between = |edge: &i32| low < *edge && *edge < high;
    let mut cuts: Vec<i32> = edges
        .as_flattened()
        .iter()
        .copied()
        .filter(between)
        .collect();
    cuts.extend([low, high]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Which borders of points own the samples exactly on them: one of each two. [R5xx 11.3 SC_EDGERULE]
pub fn point_borders(registers: &RegisterFile) -> Result<Owned, String> {
    let rule = SC_EDGERULE::ER_POINT.read(registers);
    // Set bits are borders whose samples are out: left, right, top, bottom.
    let (right, bottom) = match rule {
        5 => (false, false),
        6 => (false, true),
        9 => (true, false),
        10 => (true, true),
        other => return Err(format!("SC_EDGERULE.ER_POINT {other} is not executed")),
    };
    Ok(Owned { right, bottom })
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
