//! Colour end points of the LDR modes. [VK-DF ASTC]

type Color = [u32; 4];

fn clamp(x: i32) -> u32 {
    x.clamp(0, 255) as u32
}

/// Moves the top bit of an offset to its base; the offset becomes signed. Returns base and offset.
fn transfer(offset: u32, base: u32) -> (i32, i32) {
    let base = base >> 1 | offset & 0x80;
    let offset = (offset >> 1 & 0x3f) as i32;
    (
        base as i32,
        if offset & 0x20 != 0 {
            offset - 0x40
        } else {
            offset
        },
    )
}

/// Undoes the blue contraction.
fn contract([r, g, b, a]: [i32; 4]) -> Color {
    [clamp((r + b) >> 1), clamp((g + b) >> 1), clamp(b), clamp(a)]
}

/// The two ends of mode `mode`; `None` for modes of the high dynamic range.
pub fn end_points(mode: u32, v: &[u32]) -> Option<(Color, Color)> {
    let gray = |l: u32, a: u32| [l, l, l, a];
    let signed = |v: [u32; 4]| v.map(|x| x as i32);
    Some(match mode {
        0 => (gray(v[0], 255), gray(v[1], 255)),
        1 => {
            let low = v[0] >> 2 | v[1] & 0xc0;
            (gray(low, 255), gray((low + (v[1] & 0x3f)).min(255), 255))
        }
        4 => (gray(v[0], v[2]), gray(v[1], v[3])),
        5 => {
            let (l, dl) = transfer(v[1], v[0]);
            let (a, da) = transfer(v[3], v[2]);
            (gray(clamp(l), clamp(a)), gray(clamp(l + dl), clamp(a + da)))
        }
        6 | 10 => {
            let (a0, a1) = if mode == 6 { (255, 255) } else { (v[4], v[5]) };
            let scaled = |x: u32| (x * v[3]) >> 8;
            (
                [scaled(v[0]), scaled(v[1]), scaled(v[2]), a0],
                [v[0], v[1], v[2], a1],
            )
        }
        8 | 12 => {
            let (a0, a1) = if mode == 8 { (255, 255) } else { (v[6], v[7]) };
            let (a, b) = ([v[0], v[2], v[4], a0], [v[1], v[3], v[5], a1]);
            if v[1] + v[3] + v[5] >= v[0] + v[2] + v[4] {
                (a, b)
            } else {
                (contract(signed(b)), contract(signed(a)))
            }
        }
        9 | 13 => {
            let pairs = [0, 2, 4].map(|i: usize| transfer(v[i + 1], v[i]));
            let (alpha, more) = if mode == 9 {
                (255, 0)
            } else {
                transfer(v[7], v[6])
            };
            let a = [pairs[0].0, pairs[1].0, pairs[2].0, alpha];
            let b = [
                pairs[0].0 + pairs[0].1,
                pairs[1].0 + pairs[1].1,
                pairs[2].0 + pairs[2].1,
                alpha + more,
            ];
            if pairs.iter().map(|p| p.1).sum::<i32>() >= 0 {
                (a.map(clamp), b.map(clamp))
            } else {
                (contract(b), contract(a))
            }
        }
        _ => return None,
    })
}
