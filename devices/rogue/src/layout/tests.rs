//! The formulas of the guide, and that no two elements share a byte.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use super::*;

fn shape(order: Order, size: [u32; 3], levels: u32, samples: u32) -> Shape {
    Shape {
        order,
        element_bytes: 4,
        block: [1, 1],
        size,
        pitch: None,
        levels,
        samples,
    }
}

#[test]
fn y_is_in_the_lowest_bit() {
    let at = |x, y| twiddle([x, y], [3, 3]);
    assert_eq!(
        [at(0, 1), at(1, 0), at(1, 1), at(0, 2), at(2, 0), at(7, 7)],
        [1, 2, 3, 4, 8, 63]
    );
}

#[test]
fn what_is_left_of_the_longer_side_follows() {
    // index = sum(y_i << 2i | x_i << 2i+1) | (x >> m) << 2m
    for [a, b] in [[5, 2], [2, 5], [4, 4], [6, 0], [0, 6]] {
        let shared = u32::min(a, b);
        for y in 0..1u32 << b {
            for x in 0..1u32 << a {
                let mut index = 0u64;
                for i in 0..shared {
                    index |=
                        u64::from(y >> i & 1) << (2 * i) | u64::from(x >> i & 1) << (2 * i + 1);
                }
                let rest = if a > b { x >> shared } else { y >> shared };
                index |= u64::from(rest) << (2 * shared);
                assert_eq!(twiddle([x, y], [a, b]), index, "{x} {y} in {a} {b}");
            }
        }
    }
}

#[test]
fn boxes_hold_blocks_of_64() {
    let at = |x, y, z| twiddle_3d([x, y, z], [3, 4, 2]);
    // Inside a block.
    assert_eq!(
        [
            at(0, 1, 0),
            at(1, 0, 0),
            at(0, 2, 0),
            at(2, 0, 0),
            at(0, 0, 1)
        ],
        [1, 2, 4, 8, 16]
    );
    // Blocks: y, x, then y again; z has no bits left.
    assert_eq!([at(0, 4, 0), at(4, 0, 0), at(0, 8, 0)], [64, 128, 256]);
}

#[test]
fn elements_are_apart() {
    let shapes = [
        shape(Order::Twiddled, [13, 5, 1], 4, 1),
        shape(Order::Twiddled, [9, 20, 1], 1, 4),
        shape(Order::Twiddled, [3, 3, 1], 1, 8),
        shape(Order::Twiddled, [6, 3, 1], 1, 2),
        shape(Order::Twiddled3d, [5, 9, 3], 4, 1),
        shape(Order::Linear, [7, 3, 1], 3, 1),
    ];
    for shape in shapes {
        let mut seen = HashSet::new();
        let layers = if shape.order == Order::Twiddled3d {
            1
        } else {
            2
        };
        for level in levels(&shape) {
            let [width, height, depth] = level.size;
            for sample in 0..shape.samples {
                for slice in 0..depth.max(layers) {
                    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                        let at = level.offset + level.surface.offset(x, y, slice, sample);
                        assert!(seen.insert(at), "{shape:?} {x} {y} {slice} {sample}");
                        assert!(at < level.offset + Layout::bytes(&level.surface, layers));
                    }
                }
            }
        }
    }
}

#[test]
fn extents_are_halves_of_the_padded_ones() {
    let sizes = levels(&shape(Order::Twiddled, [5, 5, 1], 3, 1));
    let pitches: Vec<u32> = sizes.iter().map(|level| level.surface.pitch).collect();
    assert_eq!(pitches, [8, 4, 2]);
    let offsets: Vec<u64> = sizes.iter().map(|level| level.offset).collect();
    assert_eq!(offsets, [0, 256, 320]);
    let depths = levels(&shape(Order::Twiddled3d, [16, 2, 5], 3, 1));
    let stored = |level: &ImageLevel| {
        [
            level.surface.pitch,
            level.surface.height,
            level.surface.depth,
        ]
    };
    assert_eq!(
        depths.iter().map(stored).collect::<Vec<_>>(),
        [[16, 4, 8], [8, 4, 4], [4, 4, 4]]
    );
}

#[test]
fn a_layer_is_as_large_as_a_whole_chain() {
    let all = shape(Order::Twiddled, [64, 64, 1], 7, 1);
    let some = Shape { levels: 2, ..all };
    assert_eq!(layer_bytes(&all), layer_bytes(&some));
    // 4 * (4096 + 1024 + 256 + 64 + 16 + 4 + 1)
    assert_eq!(layer_bytes(&all), 21844u64.next_multiple_of(4096));
    assert_eq!(layer_bytes(&Shape { levels: 1, ..all }), 16384);
}

#[test]
fn samples_are_neighbours() {
    let surface = levels(&shape(Order::Twiddled, [8, 8, 1], 1, 4))[0].surface;
    let at = |sample| surface.offset(0, 0, 0, sample) / 4;
    // Sample 1 is right of sample 0, sample 2 below.
    assert_eq!([at(0), at(1), at(2), at(3)], [0, 2, 1, 3]);
    assert_eq!(surface.offset(1, 0, 0, 0) / 4, 8);
}

#[test]
fn axes_add_up() {
    for surface in [
        levels(&shape(Order::Twiddled, [32, 8, 1], 1, 2))[0].surface,
        levels(&shape(Order::Twiddled3d, [8, 16, 8], 1, 1))[0].surface,
    ] {
        for (x, y, z, s) in [(7, 5, 3, 1), (3, 7, 2, 0), (1, 1, 1, 1)] {
            let s = s % surface.samples;
            let sum = surface.offset(x, 0, 0, 0) + surface.offset(0, y, 0, 0);
            let sum = sum + surface.offset(0, 0, z, 0) + surface.offset(0, 0, 0, s);
            assert_eq!(surface.offset(x, y, z, s), sum);
        }
    }
}
