//! Several samples a pixel: coverage, depths, the screen door, alpha to coverage, centroids, resolves.

use r5xx::regs::*;
use silicon::texture::srgb;

use crate::rig::{Rig, SIZE, Stream, TARGET, TRIANGLES};

/// Where the samples of colours are.
const SAMPLES: u32 = 0x2_0000;
/// And of depths.
const DEPTHS: u32 = 0x3_0000;
const WHITE: [f32; 4] = [1.0; 4];
const BLACK: [f32; 4] = [0.0; 4];

/// Sample positions in sixteenths.
fn positions(count: usize) -> &'static [(u32, u32)] {
    match count {
        2 => &[(4, 4), (12, 12)],
        3 => &[(2, 5), (9, 13), (14, 3)],
        4 => &[(6, 2), (14, 6), (2, 10), (10, 14)],
        _ => &[(7, 1), (11, 3), (3, 5), (13, 9), (5, 11), (9, 15)],
    }
}

/// State of a draw to as many samples.
fn multisampled(count: usize) -> Stream {
    let mut s = Stream::state();
    use GB_AA_CONFIG::*;
    let code = [2, 3, 4, 6].iter().position(|n| *n == count).unwrap() as u32;
    s.fields(GB_AA_CONFIG, &[(AA_ENABLE, 1), (NUM_AA_SUBSAMPLES, code)]);
    for (word, register) in [GB_MSPOS0, GB_MSPOS1].into_iter().enumerate() {
        let each = (0..3).map(|n| {
            let (x, y) = positions(count)[(3 * word + n) % count];
            (x | y << 4) << (8 * n)
        });
        s.word(register, 0, each.sum());
    }
    s.word(RB3D_COLOROFFSET, 0, SAMPLES);
    s
}

/// A rectangle from the left border, or from the right one, to a column in sixteenths of a pixel.
fn beside(s: &mut Stream, edge: u32, right: bool, z: f32, vectors: [[f32; 4]; 2]) {
    let x = edge as f32 / 128.0 - 1.0;
    let far = if right { 1.0 } else { -1.0 };
    let [near, outer] = vectors;
    let [a, b] = [[x, -1.0], [x, 1.0]].map(|[x, y]| [[x, y, z, 1.0], near]);
    let [c, d] = [[far, -1.0], [far, 1.0]].map(|[x, y]| [[x, y, z, 1.0], outer]);
    s.draw(TRIANGLES, &[a, b, c, b, d, c]);
}

/// The resolved target: alpha, red, green, blue from the highest byte on.
fn resolved(mut s: Stream, control: u32) -> Vec<[u32; 16]> {
    s.word(ZB_CNTL, 0, 0);
    s.word(FG_ALPHA_FUNC, 0, 0);
    s.word(SC_SCREENDOOR, 0, 0xff_ffff);
    s.word(RB3D_AARESOLVE_OFFSET, 0, TARGET as u32);
    s.fields(
        RB3D_AARESOLVE_PITCH,
        &[(RB3D_AARESOLVE_PITCH::AARESOLVE_PITCH, SIZE as u32 / 2)],
    );
    s.word(RB3D_AARESOLVE_CTL, 0, 1 | control);
    s.fill(0.5, [0.3; 4]);
    let mut rig = Rig::new(1);
    let stats = rig.run(&s).unwrap();
    assert!(stats.draws > 0);
    rig.pixels()
}

const AVERAGE_ALPHA: u32 = 4;
const GAMMA: u32 = 2;

/// 255 times a fraction, halves rounded up.
fn part(k: usize, count: usize) -> u32 {
    ((2 * 255 * k + count) / (2 * count)) as u32
}

#[test]
fn a_resolve_is_the_mean_of_covered_samples() {
    for count in [2, 3, 4, 6] {
        for edge in [0, 3, 7, 10, 15] {
            let mut s = multisampled(count);
            s.fill(0.5, BLACK);
            beside(&mut s, 5 * 16 + edge, false, 0.5, [WHITE; 2]);
            let covered = positions(count).iter().filter(|(x, _)| *x < edge);
            let k = covered.count();
            let first = u32::from(positions(count)[0].0 < edge) * 255;
            let linear = (k as f64 / count as f64) as f32;
            let cases = [
                (AVERAGE_ALPHA, part(k, count), part(k, count)),
                (0, part(k, count), first),
                (GAMMA, srgb::from_linear(linear).into(), first),
            ];
            for (control, color, alpha) in cases {
                let expected = (alpha << 24) | (color * 0x1_0101);
                for row in resolved(s.clone(), control) {
                    assert_eq!(row[..5], [u32::MAX; 5]);
                    assert_eq!(row[5], expected, "{count} {edge} {control}");
                    assert_eq!(row[6..], [0; 10]);
                }
            }
        }
    }
}

/// Depths are tested and written, greater ones first.
fn depth_state(s: &mut Stream, compare: u32) {
    use ZB_CNTL::*;
    s.fields(ZB_CNTL, &[(Z_ENABLE, 1), (ZWRITEENABLE, 1)]);
    s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, compare)]);
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
    s.word(ZB_DEPTHOFFSET, 0, DEPTHS);
    let pitch = SIZE as u32 / 4;
    s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, pitch)]);
}

#[test]
fn every_sample_has_a_depth() {
    for count in [2, 4, 6] {
        let mut s = multisampled(count);
        depth_state(&mut s, 7);
        s.fill(1.0, BLACK);
        depth_state(&mut s, 1);
        beside(&mut s, 5 * 16 + 8, false, 0.2, [WHITE; 2]);
        s.fill(0.5, [0.0, 0.0, 0.0, 1.0]);
        let k = positions(count).iter().filter(|(x, _)| *x < 8).count();
        for row in resolved(s, AVERAGE_ALPHA) {
            assert_eq!(row[4], u32::MAX);
            assert_eq!(row[5], 0xff00_0000 | (part(k, count) * 0x1_0101));
            assert_eq!(row[6], 0xff00_0000);
        }
    }
}

#[test]
fn the_screen_door_and_alpha_choose_samples() {
    for count in [2, 3, 4, 6] {
        let mut s = multisampled(count);
        s.fill(0.5, BLACK);
        // Sample 1 of all pixels.
        s.word(SC_SCREENDOOR, 0, 0b10_000010_000010_000010);
        s.fill(0.5, WHITE);
        let rows = resolved(s, AVERAGE_ALPHA);
        assert!(
            rows.iter()
                .flatten()
                .all(|pixel| pixel & 0xff == part(1, count))
        );
        let mut s = multisampled(count);
        s.fill(0.5, BLACK);
        use FG_ALPHA_FUNC::*;
        let threes = u32::from(count.is_multiple_of(3));
        s.fields(FG_ALPHA_FUNC, &[(AM_EN, 1), (AM_CFG, threes)]);
        let half = [1.0, 1.0, 1.0, 0.5];
        s.fill(0.5, half);
        let k = (count as f32 * 0.5 + 0.5) as usize;
        let rows = resolved(s, AVERAGE_ALPHA);
        assert!(
            rows.iter()
                .flatten()
                .all(|pixel| pixel & 0xff == part(k, count))
        );
    }
}

#[test]
fn centroids_are_where_a_pixel_is_covered() {
    // Red is the column over 16, and only the pixel's right part is covered: at 14, 6 and 10, 14 sixteenths.
    for (adjusted, at) in [(0, 8.0), (1, 14.0)] {
        let mut s = multisampled(4);
        s.coordinates();
        use RS_INST::*;
        s.fields(RS_INST, &[(TEX_CN, 1), (TEX_ADJ, adjusted)]);
        s.fill(0.5, BLACK);
        let edge = 5 * 16 + 9;
        let red = |x: f32| [x, 0.0, 0.0, 1.0];
        let ends = [red(edge as f32 / 256.0), red(1.0)];
        beside(&mut s, edge, true, 0.5, ends);
        let expected = 255.0 * (5.0 + at / 16.0) / 16.0 / 2.0;
        for row in resolved(s, AVERAGE_ALPHA) {
            let found = (row[5] >> 16 & 0xff) as f32;
            assert!((found - expected).abs() <= 1.0, "{found} {expected}");
        }
    }
}

#[test]
fn a_resolve_onto_its_samples_and_a_patterned_door_stop() {
    let mut s = multisampled(2);
    s.word(RB3D_AARESOLVE_OFFSET, 0, SAMPLES);
    s.fields(
        RB3D_AARESOLVE_PITCH,
        &[(RB3D_AARESOLVE_PITCH::AARESOLVE_PITCH, SIZE as u32 / 2)],
    );
    s.word(RB3D_AARESOLVE_CTL, 0, 1);
    s.fill(0.5, WHITE);
    let error = Rig::new(1).run(&s).unwrap_err().to_string();
    assert!(error.contains("over themselves"), "{error}");
    let mut s = multisampled(2);
    s.word(SC_SCREENDOOR, 0, 0xff_fffe);
    s.fill(0.5, WHITE);
    let error = Rig::new(1).run(&s).unwrap_err().to_string();
    assert!(error.contains("SC_SCREENDOOR"), "{error}");
}
