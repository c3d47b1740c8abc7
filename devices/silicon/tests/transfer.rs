//! Boxes of elements against one element at a time, in layouts like those of chips.

use proptest::prelude::*;
use silicon::fragment::bins::Threads;
use silicon::fragment::surface::{Extent, Layout};
use silicon::fragment::transfer::{ElementBytes, Elements, Rows, from_lanes, to_lanes};
use silicon::{Addr, Memory};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    Rows,
    /// Micro tiles in rows, bits X0 Y0 X1 Y1 X2 Y2; samples after each other.
    Morton,
    /// The same with the samples of a texel side by side.
    Samples,
    /// Bits X0 X1 Y0 X2 Y1 Y2, and 256-byte groups over four channels chosen by exclusive or.
    Channels,
    /// Bits X0 X1 Y0 X2 Y1, then Y2 exclusive or X3, then X3: only halves of tiles lie in the same way.
    Halves,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Surface {
    order: Order,
    extent: Extent,
}

const CHANNELS: u64 = 0x300;

impl Layout for Surface {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn bytes(&self, slices: u32) -> u64 {
        self.extent.slice_bytes() * u64::from(slices)
    }

    fn xor_bits(&self) -> u64 {
        match self.order {
            Order::Channels => CHANNELS,
            Order::Halves => u64::from(32 * self.extent.element_bytes),
            _ => 0,
        }
    }

    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        let Extent {
            pitch,
            height,
            samples,
            element_bytes,
        } = self.extent;
        let bit = |n: u32, from: u32, to: u32| (n >> from & 1) << to;
        let morton = bit(x, 0, 0) | bit(y, 0, 1) | bit(x, 1, 2);
        let morton = morton | bit(y, 1, 3) | bit(x, 2, 4) | bit(y, 2, 5);
        // Channels take columns of tiles in turn.
        let deal = if self.order == Order::Channels { 32 } else { 8 };
        let tile = x / deal + y / 8 * (pitch / deal);
        let tile = tile + slice * (pitch / deal) * (height / 8);
        let (bytes, tile) = (u64::from(element_bytes), u64::from(tile));
        match self.order {
            Order::Rows => {
                let row = (slice * samples + sample) * height + y;
                u64::from(row * pitch + x) * bytes
            }
            Order::Morton => {
                (tile * u64::from(64 * samples) + u64::from(64 * sample + morton)) * bytes
            }
            Order::Samples => {
                (tile * u64::from(64 * samples) + u64::from(morton * samples + sample)) * bytes
            }
            Order::Halves => {
                let part = bit(x, 0, 0) | bit(x, 1, 1) | bit(y, 0, 2) | bit(x, 2, 3);
                let part = part | bit(y, 1, 4) | bit(x, 3, 6);
                let part = part | (bit(x, 3, 5) ^ bit(y, 2, 5));
                let tile = x / 16 + (y / 8 + slice * (height / 8)) * (pitch / 16);
                u64::from((tile * samples + sample) * 128 + part) * bytes
            }
            Order::Channels => {
                let scan = bit(x, 0, 0) | bit(x, 1, 1) | bit(y, 0, 2);
                let scan = scan | bit(x, 2, 3) | bit(y, 1, 4) | bit(y, 2, 5);
                let at = (tile * u64::from(64 * samples) + u64::from(64 * sample + scan)) * bytes;
                let channel = u64::from(((x / 8) ^ (y / 8) ^ slice) & 3);
                at / 256 * 1024 + channel * 256 + at % 256
            }
        }
    }
}

/// The surface, the box, the sample, and the bytes of an element.
#[derive(Clone, Debug)]
struct Case {
    surface: Surface,
    region: [std::ops::Range<u32>; 3],
    sample: u32,
    bytes: ElementBytes,
}

fn case() -> impl Strategy<Value = Case> {
    let order = prop_oneof![
        Just(Order::Rows),
        Just(Order::Morton),
        Just(Order::Samples),
        Just(Order::Channels),
        Just(Order::Halves),
    ];
    let bytes = prop_oneof![Just(1u32), Just(2), Just(4), Just(8), Just(16)];
    let range = |most: u32| (0..most, 1..=most).prop_map(move |(a, n)| a..(a + n).min(most));
    let shape = (order, bytes, 0..3u32, any::<bool>());
    let region = (range(64), range(40), range(3));
    (shape, region, 0..4u32).prop_map(|((order, bytes, samples, part), (x, y, z), sample)| {
        let samples = 1 << samples;
        // Tiles of less than a group would share groups.
        let bytes = match order {
            Order::Channels => bytes.max(4),
            _ => bytes,
        };
        let extent = Extent {
            pitch: 64,
            height: 40,
            samples,
            element_bytes: bytes,
        };
        // Sometimes memory holds less of an element than rows do.
        let held = if part { bytes.div_ceil(2) } else { bytes };
        Case {
            surface: Surface { order, extent },
            region: [x, y, z],
            sample: sample % samples,
            bytes: ElementBytes {
                plain: bytes,
                held,
                stored: bytes,
            },
        }
    })
}

const START: u64 = 0x1100;
const BASE: Addr = Addr(0x2000);

impl Case {
    fn elements(&self) -> Elements {
        let region = self.region.clone();
        Elements::new(&self.surface, START, region, self.sample, self.bytes)
    }

    /// Where each element is in memory and among rows that have room after each row and slice.
    fn places(&self) -> (Rows, Vec<(u64, usize)>) {
        let [x, y, z] = &self.region;
        let row_bytes = u64::from(x.len() as u32 * self.bytes.plain + 5);
        let rows = Rows {
            row_bytes,
            slice_bytes: row_bytes * y.len() as u64 + 11,
        };
        let mut places = Vec::new();
        for slice in z.clone() {
            for line in y.clone() {
                for column in x.clone() {
                    let offset = self.surface.offset(column, line, slice, self.sample);
                    let row = u64::from(slice - z.start) * rows.slice_bytes
                        + u64::from(line - y.start) * rows.row_bytes;
                    let at = row + u64::from((column - x.start) * self.bytes.plain);
                    places.push((BASE.0 + START + offset, at as usize));
                }
            }
        }
        (rows, places)
    }

    fn memory(&self) -> (Memory, Vec<u8>) {
        let size = 1 << 20;
        let bytes: Vec<u8> = (0..size as u32)
            .map(|n| (n.wrapping_mul(0x9e37_79b9) >> 24) as u8)
            .collect();
        let memory = Memory::new(size);
        memory.write(Addr(0), &bytes).expect("inside");
        (memory, bytes)
    }
}

/// The calling thread alone.
fn threads() -> Threads {
    Threads::new(1)
}

/// Threads share a box that is large, whole tiles and the rest of it.
#[test]
fn large_boxes_are_shared() {
    const SIZE: [u32; 2] = [640, 480];
    let stored = 4;
    for order in [Order::Rows, Order::Morton, Order::Channels] {
        let surface = Surface {
            order,
            extent: Extent {
                pitch: SIZE[0],
                height: SIZE[1],
                samples: 1,
                element_bytes: stored,
            },
        };
        let bytes = ElementBytes {
            plain: stored,
            held: stored,
            stored,
        };
        let region = [3..639, 5..478, 0..2];
        let elements = Elements::new(&surface, 0, region.clone(), 0, bytes);
        let rows = Rows::tight(u64::from(stored) * 636, 473);
        let mut expected = Vec::new();
        let (from, to) = (Memory::new(4 << 20), Memory::new(4 << 20));
        let [x, y, z] = region;
        for (slice, line) in z.flat_map(|slice| y.clone().map(move |line| (slice, line))) {
            for column in x.clone() {
                let at = surface.offset(column, line, slice, 0);
                let value = (at as u32).wrapping_mul(0x9e37_79b9);
                from.store(BASE.0 + at, value).expect("inside");
                expected.extend(value.to_le_bytes());
            }
        }
        let place = |memory| (memory, BASE);
        for count in [1, 2, 3] {
            let threads = Threads::new(count);
            let mut texels = vec![0; expected.len()];
            elements
                .read(&threads, place(&from), rows, &mut texels)
                .expect("inside");
            assert!(texels == expected, "{count} threads read {order:?}");
            to.fill(Addr(0), 1 << 20, 0).expect("inside");
            elements
                .write(&threads, place(&to), rows, &texels)
                .expect("inside");
            for word in 0..1 << 20 {
                assert_eq!(to.load(4 * word), from.load(4 * word), "{count} threads");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn boxes_are_read(case in case()) {
        let (memory, bytes) = case.memory();
        let (rows, places) = case.places();
        let [_, y, z] = &case.region;
        let size = rows.slice_bytes as usize * z.len();
        let mut expected = vec![0xee; size];
        for (from, to) in &places {
            let (plain, held) = (case.bytes.plain as usize, case.bytes.held as usize);
            expected[*to..to + plain].fill(0);
            expected[*to..to + held].copy_from_slice(&bytes[*from as usize..][..held]);
        }
        let mut texels = vec![0xee; size];
        case.elements().read(&threads(), (&memory, BASE), rows, &mut texels).expect("inside");
        prop_assert!(texels == expected, "{} lines", y.len());
        let mut texels = vec![0xee; size];
        case.elements().untile(&bytes[BASE.0 as usize..], rows, &mut texels);
        prop_assert!(texels == expected);
    }

    #[test]
    fn boxes_are_written(case in case()) {
        let (memory, mut expected) = case.memory();
        let before = expected.clone();
        let (rows, places) = case.places();
        let size = rows.slice_bytes as usize * case.region[2].len();
        let texels: Vec<u8> = (0..size).map(|n| (n * 7 + 3) as u8).collect();
        let held = case.bytes.held as usize;
        for (to, from) in &places {
            expected[*to as usize..][..held].copy_from_slice(&texels[*from..][..held]);
        }
        case.elements().write(&threads(), (&memory, BASE), rows, &texels).expect("inside");
        let mut after = vec![0; expected.len()];
        memory.read(Addr(0), &mut after).expect("inside");
        prop_assert!(after == expected);
        let mut tiled = before[BASE.0 as usize..].to_vec();
        case.elements().tile(&texels, rows, &mut tiled);
        prop_assert!(tiled == expected[BASE.0 as usize..]);
    }

    #[test]
    fn ranges_are_the_bytes_of_the_elements(case in case()) {
        let (_, places) = case.places();
        let held = u64::from(case.bytes.held);
        let mut expected: Vec<u64> = places
            .iter()
            .flat_map(|(at, _)| (0..held).map(move |n| at - BASE.0 + n))
            .collect();
        expected.sort_unstable();
        let mut ranges = Vec::new();
        case.elements().ranges(&mut ranges);
        let mut found: Vec<u64> = ranges.into_iter().flatten().collect();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn what_lies_outside_of_memory_is_an_error() {
    let extent = Extent {
        pitch: 16,
        height: 16,
        samples: 1,
        element_bytes: 4,
    };
    for order in [Order::Rows, Order::Morton] {
        let surface = Surface { order, extent };
        let bytes = ElementBytes {
            plain: 4,
            held: 4,
            stored: 4,
        };
        let elements = Elements::new(&surface, 0, [0..16, 0..16, 0..1], 0, bytes);
        let rows = Rows::tight(64, 16);
        let mut texels = vec![0; 1024];
        let memory = Memory::new(0x1000);
        let all = elements.read(&threads(), (&memory, Addr(0x0c00)), rows, &mut texels);
        assert_eq!(all, Ok(()));
        let beyond = elements.read(&threads(), (&memory, Addr(0x0c40)), rows, &mut texels);
        assert!(beyond.is_err(), "{order:?}");
        let beyond = elements.write(&threads(), (&memory, Addr(0x0c40)), rows, &texels);
        assert!(beyond.is_err(), "{order:?}");
    }
}

#[test]
fn lanes_hold_the_words_of_their_texels() {
    for bytes in [1, 2, 4, 8, 12, 16] {
        for count in [1, 7, 64] {
            let texels: Vec<u8> = (0..count * bytes).map(|n| (n * 7 + 1) as u8).collect();
            let mut words = [[0xdead_beef; 64]; 4];
            to_lanes(&texels, bytes, &mut words);
            for (lane, texel) in texels.chunks(bytes).enumerate() {
                for (n, byte) in texel.iter().enumerate() {
                    assert_eq!((words[n / 4][lane] >> (8 * (n % 4))) as u8, *byte);
                }
                if bytes < 4 {
                    assert_eq!(words[0][lane] >> (8 * bytes), 0, "{bytes} bytes");
                }
            }
            let mut again = vec![0; texels.len()];
            from_lanes(&words, bytes, &mut again);
            assert_eq!(again, texels, "{bytes} bytes");
        }
    }
}
