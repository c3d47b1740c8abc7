//! Several samples a pixel: coverage, masks, interpolation, shading by sample, depth by sample, resolves.

#![allow(clippy::unwrap_used)]

mod rig;

use girih::*;
use rig::*;

/// Standard sample positions in sixteenths of a pixel from its upper left corner.
const POSITIONS: &[&[(u32, u32)]] = &[
    &[(8, 8)],
    &[(12, 12), (4, 4)],
    &[(6, 2), (14, 6), (2, 10), (10, 14)],
    &[
        (9, 5),
        (7, 11),
        (13, 9),
        (5, 3),
        (3, 13),
        (1, 7),
        (11, 15),
        (15, 1),
    ],
];

/// Everything to the left of column `x` sixteenths of an eight pixel wide target.
fn left_of(x: u32) -> String {
    format!(
        "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
             let edge = f32({x}) / 64.0 - 1.0;
             return vec4f(select(-1.0, edge, (i & 1u) == 1u), f32(i >> 1u) * 2.0 - 1.0, 0.5, 1.0);
         }}
         @fragment fn fragment() -> @location(0) vec4f {{ return vec4f(1.0); }}"
    )
}

fn strip(samples: u32) -> Setup<'static> {
    Setup {
        samples,
        ..Setup::topology(PrimitiveTopology::TriangleStrip)
    }
}

/// An edge that moves through a pixel passes the samples where the standard says that they are.
#[test]
fn samples_are_where_the_standard_puts_them() {
    let rig = Rig::new();
    for positions in POSITIONS {
        let count = positions.len() as u32;
        for x in 0..=16 {
            let bytes = &rig.draw(&strip(count), &left_of(32 + x), 4)[0];
            // A sample on the edge belongs to what is right of it.
            let covered = positions.iter().filter(|(at, _)| *at < x).count() as f64;
            let expected = (255.0 * covered / f64::from(count)).round_ties_even() as u8;
            let row: Vec<u8> = bytes[..32].iter().step_by(4).copied().collect();
            assert_eq!(
                row,
                [255, 255, expected, 0, 0, 0, 0, 0],
                "{count} samples, {x}"
            );
        }
    }
}

#[test]
fn resolves_choose_or_average() {
    let rig = Rig::new();
    let resolved = |mode| {
        let setup = Setup {
            resolve: mode,
            ..strip(4)
        };
        rig.draw(&setup, &left_of(32 + 8), 4)[0][8]
    };
    // Samples 0 and 2 are left of the middle.
    let found = [
        ResolveMode::Average,
        ResolveMode::SampleZero,
        ResolveMode::Min,
        ResolveMode::Max,
    ]
    .map(resolved);
    assert_eq!(found, [128, 255, 0, 255]);
}
