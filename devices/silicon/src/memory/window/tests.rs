//! Windows against the planes that they are of.

#![allow(clippy::unwrap_used)]

use super::super::Memory;
use super::super::plane::{Columns, Lines, Tables};
use super::*;

/// Shares of positions and their neighbours.
fn pairs(count: u32, share: impl Fn(u32) -> u32) -> Vec<[u32; 2]> {
    (0..count).map(|i| [share(i), share(i + 1)]).collect()
}

/// How texels lie in [`tables`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Lines,
    /// Bits of columns and lines in turn.
    Squares,
    /// Two bits of a column before one of the line.
    Parts,
}

const ORDERS: [Order; 3] = [Order::Lines, Order::Squares, Order::Parts];

/// Tables of 40x40 texels in two slices.
fn tables(bytes: u32, order: Order) -> (Columns, Lines, Lines) {
    let unit = bytes / if bytes >= 4 { 4 } else { 1 };
    let spread = |i: u32| (0..6).fold(0, |bits, n| bits | (i >> n & 1) << (2 * n));
    let slices = Lines::new(&pairs(2, |z| z * 4096 * unit));
    let (columns, lines) = match order {
        Order::Squares => (
            pairs(40, |x| spread(x) * unit),
            pairs(40, |y| 2 * spread(y) * unit),
        ),
        Order::Parts => (
            pairs(40, |x| (x & 3 | x >> 2 << 5) * unit),
            pairs(40, |y| (y & 7 | y >> 3 << 6) * 4 * unit),
        ),
        Order::Lines => (pairs(40, |x| x * unit), pairs(40, |y| 40 * y * unit)),
    };
    (Columns::new(&columns), Lines::new(&lines), slices)
}

/// Positions that a few lanes each share, in some slices.
fn some_positions(plane: &Plane, slices: u32) -> Positions {
    let mut positions = Positions::ZERO;
    for (axis, size) in [7, 4, slices].into_iter().enumerate() {
        let mut cut = positions.cut(plane, axis);
        let first = if axis < 2 { 3 } else { 0 };
        (0..LANES).for_each(|lane| cut.put(lane, first + 3 * (lane as u32 % size) / 2 % 8));
    }
    positions
}

fn filled() -> Memory {
    let memory = Memory::new(1 << 19);
    for at in 0..1 << 19 {
        let _ = memory.store_byte(at, (at * 13 + at / 256 + at / 3) as u8);
    }
    memory
}

/// Memory with texels of a word in squares, and where they lie.
fn squares() -> (Memory, Columns, Lines) {
    let (columns, lines, _) = tables(4, Order::Squares);
    (filled(), columns, lines)
}

/// One slice of such texels.
fn flat_words<'a>(memory: &'a Memory, columns: &'a Columns, lines: &'a Lines) -> Plane<'a> {
    let tables = Tables {
        columns,
        lines,
        slices: None,
        join: Join::Sum,
        bytes: 4,
        blocks: false,
    };
    memory.plane(64, tables).unwrap()
}

/// Texels of several sizes in two slices: windows give what the plane does, and refuse what is far apart.
#[test]
fn windows_have_the_texels_of_their_plane() {
    let (memory, mut seen) = (filled(), 0);
    let sizes = [1, 2, 4, 8, 16];
    let each = sizes
        .iter()
        .flat_map(|bytes| ORDERS.map(|order| (*bytes, order)))
        .flat_map(|(bytes, order)| [1, 2].map(|slices| (bytes, order, slices)));
    for (bytes, order, few) in each {
        let (columns, lines, slices) = tables(bytes, order);
        let tables = Tables {
            columns: &columns,
            lines: &lines,
            slices: Some(&slices),
            join: Join::Sum,
            bytes,
            blocks: false,
        };
        let plane = memory.plane(64, tables).unwrap();
        let mut positions = some_positions(&plane, few);
        // A lane that does not take part may be far away.
        positions.cut(&plane, 0).put(5, 39);
        let mut window = Window::EMPTY;
        let footprints = |exec: u64, four: bool| Footprints {
            exec,
            four,
            deep: false,
        };
        let any = Lookup::of(SimdLevel::BASELINE);
        positions.span(any, u64::MAX, true);
        assert!(!window.load(any, &plane, &positions, footprints(u64::MAX, true)));
        let exec = !(1 << 5);
        let mut quads = Quads::ZERO;
        let levels = SimdLevel::available();
        let each = levels
            .iter()
            .flat_map(|level| [false, true].map(|four| (four, *level)));
        for (four, level) in each {
            let lookup = Lookup::of(level);
            positions.span(lookup, exec, true);
            let footprints = footprints(exec, four);
            let placed = window.place(lookup, &plane, &positions, footprints);
            if let Some(group) = placed.unwrap().1 {
                let kind = match order {
                    Order::Squares => Group::Square,
                    Order::Lines | Order::Parts => Group::Line,
                };
                assert_eq!(group, kind, "{bytes} bytes {order:?}");
                seen += 1;
            }
            assert!(window.load(lookup, &plane, &positions, footprints));
            let (mut expected, mut got) = ([[[0; LANES]; 4]; 4], [[0; LANES]; 4]);
            plane.rows(&positions, 0, !four, &mut expected);
            for (word, expected) in expected.iter().enumerate().take(bytes.div_ceil(4) as usize) {
                let rows = got.each_mut();
                window.take(lookup, window.words(word), 0, four, &mut quads, rows);
                for tap in 0..if four { 4 } else { 1 } {
                    for lane in (0..LANES).filter(|lane| exec >> lane & 1 != 0) {
                        let (got, expected) = (got[tap][lane], expected[tap][lane]);
                        assert_eq!(got, expected, "{bytes} bytes {order:?}, {tap} of {lane}");
                    }
                }
            }
        }
    }
    assert!(seen > 8, "{seen} windows of groups");
}

/// Averages of bytes on one level and between two, with and without a border, are whole sums that are divided.
#[test]
fn filtered_bytes_are_quotients_of_sums() {
    let (memory, columns, lines) = squares();
    let plane = flat_words(&memory, &columns, &lines);
    let mut positions = some_positions(&plane, 1);
    let row = |factor: u32| -> Row { std::array::from_fn(|l| l as u32 * factor % 256) };
    let (x, y, mix) = (row(67), row(131), row(29));
    let (border, exec) = (0x40ff_1100, !(3u64 << 20));
    for level in SimdLevel::available() {
        let lookup = Lookup::of(level);
        for (four, mixed, outside) in (0..8).map(|n| {
            (
                n & 1 != 0,
                n & 2 != 0,
                [0x00ff_0000 * (n >> 2), 5, 0, 1 << 63],
            )
        }) {
            let footprints = Footprints {
                exec,
                four,
                deep: false,
            };
            let mut window = Window::EMPTY;
            positions.span(lookup, exec, false);
            assert!(window.load(lookup, &plane, &positions, footprints));
            let outside = if four { outside } else { [outside[0], 0, 0, 0] };
            let taps = ByteTaps {
                window: &window,
                weights: four.then_some([&x, &y]),
                outside,
                bordered: outside != [0; 4],
            };
            // The second level takes the same texels, without a border.
            let next = ByteTaps {
                outside: [0; 4],
                bordered: false,
                ..taps
            };
            let by = ByteFilter {
                levels: (taps, mixed.then_some(next)),
                mix: &mix,
                border,
                exec,
            };
            let mut out = [[7; LANES]; 4];
            let done = {
                let mut rows = out.each_mut().map(Some);
                filter_bytes(lookup, &by, &mut [[0; LANES]; 4], &mut rows)
            };
            assert_eq!(done, lookup.permutes());
            if !done {
                continue;
            }
            let mut texels = [[[0; LANES]; 4]; 4];
            plane.rows(&positions, 0, !four, &mut texels);
            for (byte, lane) in (0..4).flat_map(|byte| (0..LANES).map(move |lane| (byte, lane))) {
                let sum = |outside: [u64; 4]| {
                    let value = |tap: usize| {
                        let texel = match outside[tap] >> lane & 1 {
                            0 => texels[0][tap][lane],
                            _ => border,
                        };
                        u64::from(texel >> (8 * byte) & 0xff)
                    };
                    let (x, y) = (u64::from(x[lane]), u64::from(y[lane]));
                    let line = |tap: usize| value(tap) * (256 - x) + value(tap + 1) * x;
                    match four {
                        true => line(0) * (256 - y) + line(2) * y,
                        false => value(0) << 16,
                    }
                };
                let mix = u64::from(mix[lane]);
                let expected = match mixed {
                    _ if exec >> lane & 1 == 0 => f32::from_bits(7),
                    false => sum(taps.outside) as f32 / (255u64 << 16) as f32,
                    true => {
                        let sum = sum(taps.outside) * (256 - mix) + sum([0; 4]) * mix;
                        sum as f32 / (255u64 << 24) as f32
                    }
                };
                let got = f32::from_bits(out[byte][lane]);
                assert_eq!(got, expected, "byte {byte} of {lane}, {four} {mixed}");
            }
        }
    }
}

/// Comparisons of order with any floats, infinite ones and NaN among them.
#[test]
fn compared_texels_count_their_weights() {
    let (memory, columns, lines) = squares();
    let plane = flat_words(&memory, &columns, &lines);
    let mut positions = some_positions(&plane, 1);
    let mut texels = [[[0; LANES]; 4]; 4];
    plane.rows(&positions, 0, false, &mut texels);
    let row = |factor: u32| -> Row { std::array::from_fn(|l| l as u32 * factor % 256) };
    let (x, y) = (row(67), row(131));
    // Some are equal to a texel.
    let reference: Row = std::array::from_fn(|l| match l % 4 {
        0 => f32::NAN.to_bits(),
        1 => f32::INFINITY.to_bits(),
        tap => texels[0][tap][l],
    });
    let exec = !(3u64 << 20);
    let footprints = Footprints {
        exec,
        four: true,
        deep: false,
    };
    for level in SimdLevel::available() {
        let lookup = Lookup::of(level);
        let mut window = Window::EMPTY;
        positions.span(lookup, exec, false);
        assert!(window.load(lookup, &plane, &positions, footprints));
        for op in Compare::ALL {
            let by = Comparison {
                op,
                reference: &reference,
                weights: [&x, &y],
                exec,
            };
            let mut out = [7; LANES];
            let done = window.compare(lookup, &by, &mut out);
            use Compare::{Greater, GreaterEqual, Less, LessEqual};
            let order = matches!(op, Less | LessEqual | Greater | GreaterEqual);
            assert_eq!(done, lookup.permutes() && order);
            for lane in (0..LANES).filter(|_| done) {
                let weight = |tap: usize| {
                    let x = [256 - x[lane], x[lane]][tap & 1];
                    let y = [256 - y[lane], y[lane]][tap >> 1];
                    let [new, old] = [reference[lane], texels[0][tap][lane]].map(f32::from_bits);
                    if op.holds(new, old) { x * y } else { 0 }
                };
                let expected = match exec >> lane & 1 {
                    0 => 7,
                    _ => ((0..4).map(weight).sum::<u32>() as f32 / 65_536.0).to_bits(),
                };
                assert_eq!(out[lane], expected, "{op:?} of {lane}");
            }
        }
    }
}

/// Sums of terms that may be subnormal: one tap gives a product itself, eight round in turn.
#[test]
fn small_terms_are_products() {
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
        seed.rotate_left(16)
    };
    let strange = [
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x00ff_ffff,
        0x0100_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_1234,
    ];
    let parts = [1u32, 2, 3, 255, 256, 257, 40_000, 65_535, 65_536].map(|part| part << 8);
    let numbers = [0, 1, (1 << 24) - 1].into_iter().chain(parts);
    let numbers: Vec<f32> = numbers.map(|n| n as f32 / (1 << 24) as f32).collect();
    let mut quads = Quads::ZERO;
    let mut window = Window::EMPTY;
    (window.stride, window.slice) = (8, 32);
    for round in 0..800 {
        window.count = 64 + 32 * (round % 7);
        for (at, word) in window.words.iter_mut().flatten().flatten().enumerate() {
            let sign = random() & 0x8000_0000;
            // Exponents around where products become subnormal, and all.
            let bits = match at % 4 {
                0 => random(),
                1 => (random() % 40) << 23 | random() & 0x7f_ffff,
                2 => random() & (0x7f_ffff >> (random() % 24)),
                _ => match strange.get(random() as usize % 40) {
                    Some(bits) => *bits,
                    None => (random() % 256) << 23 | (random() & 3).wrapping_sub(2) & 0x7f_ffff,
                },
            };
            *word = sign | bits & 0x7fff_ffff;
        }
        (0..LANES).for_each(|lane| window.first[lane] = random() % (window.count - 42));
        let mut weights = [[[0; LANES]; 4]; 2];
        let only: Row = std::array::from_fn(|_| random() % 8);
        for (tap, row) in (0..).zip(weights.as_flattened_mut()) {
            for (weight, only) in row.iter_mut().zip(&only) {
                if round % 2 == 0 || *only == tap {
                    *weight = numbers[random() as usize % numbers.len()].to_bits();
                }
            }
        }
        let clean = round % 3 == 0;
        let tables = [0, 1, 2, 3].map(|word| window.words(word));
        let count = 1 + round as usize / 8 % 4;
        for level in SimdLevel::available() {
            let mut out = [[7; LANES]; 4];
            let mut rows = out.each_mut();
            let terms = Terms { small: true, clean };
            window.blend(
                Lookup::of(level),
                &tables[..count],
                &weights,
                terms,
                &mut quads,
                &mut rows[..count],
            );
            for (c, lane) in (0..count).flat_map(|c| (0..LANES).map(move |lane| (c, lane))) {
                let mut expected = 0.0f32;
                for tap in 0..8 {
                    let weight = f32::from_bits(weights[tap / 4][tap % 4][lane]);
                    let step = [0, 1, 8, 9][tap % 4] + 32 * (tap as u32 / 4);
                    let texel = tables[c].as_flattened()[(window.first[lane] + step) as usize];
                    if weight != 0.0 {
                        expected += f32::from_bits(texel) * weight;
                    }
                }
                let got = out[c][lane];
                let same = match (expected.is_nan(), clean) {
                    (true, true) => got == 0x7fc0_0000,
                    (true, false) => f32::from_bits(got).is_nan(),
                    (false, _) => got == expected.to_bits(),
                };
                assert!(
                    same,
                    "{got:x} is not {expected:e}: {c} of {lane} in {round}, {level:?}"
                );
            }
        }
    }
}
