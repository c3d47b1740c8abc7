//! Filter4 in pixel programs.

use crate::rig::*;
use r5xx::regs::*;

const LOOKUP: &str = "TEX LD_acquire T0.rgba = t0.rgba, T0.rgba\nOUT.last.wait MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]";

/// Bytes of a texture of 4 by 4 texels.
fn byte(x: i64, y: i64) -> u32 {
    [
        [10, 200, 30, 90],
        [60, 0, 255, 120],
        [5, 80, 160, 40],
        [250, 20, 70, 100],
    ][y as usize][x as usize]
}

/// A kernel whose weights are 512ths, phase by phase.
fn load(stream: &mut Stream, direction: u32, weights: &[[i32; 4]]) {
    use TX_FILTER4::*;
    for (phase, [a, b, c, d]) in (0..).zip(weights) {
        for (pair, [first, second]) in [(0, [a, b]), (1, [c, d])] {
            let fields = [
                (WEIGHT_0, *first as u32),
                (WEIGHT_1, *second as u32),
                (WEIGHT_PAIR, pair),
                (PHASE, phase),
                (DIRECTION, direction),
            ];
            stream.fields(TX_FILTER4, &fields);
        }
    }
}

/// A texture whose second byte is filtered, at a place in texels.
fn at(clamp: u32, [x, y]: [f32; 2]) -> Stream {
    let mut s = Stream::state();
    s.coordinates();
    s.pixel_program(LOOKUP, 1);
    s.word(TX_ENABLE, 0, 1);
    use TX_FILTER0::*;
    s.fields(TX_FILTER0, &[(CLAMP_S, clamp), (CLAMP_T, clamp)]);
    let size = [(TX_FORMAT0::TXWIDTH, 3), (TX_FORMAT0::TXHEIGHT, 3)];
    s.fields(TX_FORMAT0, &size);
    use TX_FORMAT1::*;
    let format = [
        (TXFORMAT, 12),
        (SEL_RED, 0),
        (SEL_GREEN, 4),
        (SEL_BLUE, 5),
        (SEL_ALPHA, 3),
    ];
    s.fields(TX_FORMAT1, &format);
    s.fields(TX_FORMAT2, &[(TX_FORMAT2::SEL_FILTER4, 1)]);
    s.word(TX_OFFSET, 0, TEXTURE as u32);
    s.word(TX_BORDER_COLOR, 0, 0x6400);
    s.fill(0.5, [x / 4.0, y / 4.0, 0.0, 1.0]);
    s
}

fn red(kernels: [&[[i32; 4]]; 2], stream: &Stream) -> u32 {
    let mut all = Stream::default();
    for (direction, kernel) in (0..).zip(kernels) {
        load(&mut all, direction, kernel);
    }
    all.0.extend(&stream.0);
    let mut rig = Rig::new(1);
    for (y, x) in (0..4).flat_map(|y| (0..4).map(move |x| (y, x))) {
        let at = TEXTURE + 32 * y as u64 + 4 * x as u64;
        rig.put(at, &[byte(x, y) << 8 | 0x7f00_007f]);
    }
    rig.run(&all).unwrap();
    let pixel = rig.pixels()[5][7];
    let [red, alpha] = [pixel >> 16 & 0xff, pixel >> 24];
    assert_eq!(pixel & 0xffff, 0xff, "zero and one are selected");
    assert_eq!(red, alpha);
    red
}

/// What four by four texels give, their first given.
fn expected(across: [i32; 4], down: [i32; 4], texel: impl Fn(i64, i64) -> u32) -> u32 {
    let mut sum = 0.0;
    for (y, down) in (0..).zip(down) {
        for (x, across) in (0..).zip(across) {
            let weight = f64::from(across * down) / f64::from(512 * 512);
            sum += weight * f64::from(texel(x, y));
        }
    }
    sum.clamp(0.0, 255.0).round() as u32
}

/// Phases 0 to 8 of a kernel that overshoots, and of one that does not.
const SHARP: [[i32; 4]; 9] = [
    [0, 512, 0, 0],
    [-16, 510, 20, -2],
    [-28, 500, 46, -6],
    [-36, 482, 78, -12],
    [-40, 458, 112, -18],
    [-42, 428, 150, -24],
    [-42, 394, 190, -30],
    [-40, 356, 232, -36],
    [-36, 292, 292, -36],
];
const SOFT: [[i32; 4]; 9] = [
    [85, 342, 85, 0],
    [70, 338, 102, 2],
    [57, 330, 121, 4],
    [46, 318, 141, 7],
    [36, 303, 162, 11],
    [28, 284, 184, 16],
    [21, 264, 205, 22],
    [15, 241, 226, 30],
    [10, 246, 246, 10],
];

#[test]
fn texels_are_weighed_by_the_phase() {
    // The centre of texel 1 and 4/16; the centre of texel 2 less 5/16: phase 11, which is 5 from the right.
    let stream = at(2, [1.75, 2.1875]);
    let [a, b, c, d] = SOFT[5];
    let want = expected(SHARP[4], [d, c, b, a], byte);
    assert_eq!(red([&SHARP, &SOFT], &stream), want);
}

#[test]
fn texels_beyond_the_edge() {
    type Of = fn(i64) -> Option<i64>;
    let want = |x: i64, of: Of| {
        expected(SHARP[8], SOFT[0], move |n, m| {
            let (x, y) = (of(x + n), of(m - 1));
            x.zip(y).map_or(0x64, |(x, y)| byte(x, y))
        })
    };
    // Between the texels 3 and 4, the line is line 0.
    let place = [4.0, 0.5];
    let clamps: [(u32, Of); 4] = [
        (0, |at| Some(at.rem_euclid(4))),
        (1, |at| Some([1, 0, 0, 1, 2, 3, 3, 2][(at + 2) as usize])),
        (2, |at| Some(at.clamp(0, 3))),
        (6, |at| Some(at).filter(|at| (0..4).contains(at))),
    ];
    for (clamp, of) in clamps {
        let stream = at(clamp, place);
        assert_eq!(red([&SHARP, &SOFT], &stream), want(2, of), "clamp {clamp}");
    }
}

#[test]
fn what_a_kernel_cannot_weigh() {
    let error = |stream: &Stream| Rig::new(1).run(stream).unwrap_err().to_string();
    let mut wide = at(2, [1.0, 1.0]);
    wide.fields(TX_FORMAT1, &[(TX_FORMAT1::TXFORMAT, 4)]);
    wide.fill(0.5, [0.0; 4]);
    let reason = error(&wide);
    assert!(reason.contains("TX_FILTER0.MAG_FILTER 0"), "{reason}");
    let mut one = at(2, [1.0, 1.0]);
    one.fields(TX_FILTER0, &[(TX_FILTER0::MAG_FILTER, 2)]);
    one.fill(0.5, [0.0; 4]);
    let reason = error(&one);
    assert!(reason.contains("TX_FILTER0.MIN_FILTER 0"), "{reason}");
    let mut phase = Stream::default();
    phase.fields(TX_FILTER4, &[(TX_FILTER4::PHASE, 9)]);
    let reason = error(&phase);
    assert!(reason.contains("TX_FILTER4.PHASE 9"), "{reason}");
}
