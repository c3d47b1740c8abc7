//! Reads of planes against offsets that are found one by one.

#![allow(clippy::unwrap_used)]
use super::*;
use host::{Kernel, Rounding, Separate, SimdLevel};

/// Words of one slice.
fn flat<'a>(columns: &'a Columns, lines: &'a Lines, join: Join) -> Tables<'a> {
    Tables {
        columns,
        lines,
        slices: None,
        join,
        bytes: 4,
        blocks: false,
    }
}

/// Reads sixteen lanes.
struct Read<'a, 'b> {
    plane: &'a Plane<'b>,
    positions: &'a Positions,
    chunk: usize,
    out: &'a mut [[u32; CHUNK]; 4],
}

impl Kernel for Read<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let out = self.out.each_mut();
        self.plane.read::<R, 4>(self.positions, self.chunk, out);
    }
}

/// By all levels of the host, which read the same.
fn chunk(plane: &Plane, positions: &Positions, chunk: usize) -> [[u32; CHUNK]; 4] {
    let read = |level: SimdLevel| {
        let mut out = [[0; CHUNK]; 4];
        level.run(Read {
            plane,
            positions,
            chunk,
            out: &mut out,
        });
        out
    };
    let words = read(SimdLevel::BASELINE);
    for level in SimdLevel::available() {
        assert_eq!(read(level), words, "{}", level.name());
    }
    words
}

fn positions(plane: &Plane, at: [[u32; CHUNK]; 2]) -> Positions {
    // Of a larger plane before.
    let mut positions = Positions {
        columns: [1000; LANES],
        lines: [1000; LANES],
        slices: [1000; LANES],
        masks: [1023; 3],
        ..Positions::ZERO
    };
    let _ = positions.cut(plane, 2);
    for (axis, at) in at.iter().enumerate() {
        let mut cut = positions.cut(plane, axis);
        for (lane, at) in at.iter().enumerate() {
            cut.put(CHUNK + lane, *at);
        }
    }
    positions
}

fn read(plane: &Plane, columns: [u32; CHUNK], lines: [u32; CHUNK]) -> [[u32; CHUNK]; 4] {
    let positions = positions(plane, [columns, lines]);
    let out = chunk(plane, &positions, 1);
    let mut first = [[0; CHUNK]; 4];
    plane.read::<Separate, 1>(&positions, 1, first.each_mut());
    assert_eq!(first[0], out[0]);
    let mut rows = [[[0; LANES]; 4]; 4];
    plane.rows(&positions, 0, false, &mut rows);
    for (row, out) in rows[0].iter().zip(&out) {
        assert_eq!(row[CHUNK..2 * CHUNK], *out);
    }
    // Unset lanes read the first column and line.
    let origins = self::positions(plane, [[0; CHUNK]; 2]);
    assert_eq!(chunk(plane, &positions, 3), chunk(plane, &origins, 1));
    out
}

#[test]
#[should_panic(expected = "positions in another plane")]
fn positions_are_those_of_their_plane() {
    let memory = Memory::new(1024);
    let (columns, lines) = (Columns::new(&[[0; 2]; 5]), Lines::new(&[[0; 2]]));
    let plane = memory.plane(0, flat(&columns, &lines, Join::Sum)).unwrap();
    let positions = positions(&plane, [[4; CHUNK], [0; CHUNK]]);
    let (columns, lines) = (Columns::new(&[[0; 2]]), Lines::new(&[[0; 2]]));
    let smaller = memory.plane(0, flat(&columns, &lines, Join::Sum)).unwrap();
    smaller.read::<Separate, 1>(&positions, 1, [[0; CHUNK]; 4].each_mut());
}

/// Runs under Miri: `cargo +nightly miri test -p girih-silicon --lib memory::plane`.
#[test]
fn two_by_two() {
    let memory = Memory::new(1024);
    for word in 0..256 {
        memory.store(4 * word, 1000 + word as u32).unwrap();
    }
    let pairs = |step: u32| {
        (0..5)
            .map(|i| [i * step, (i + 1) % 5 * step])
            .collect::<Vec<_>>()
    };
    let (columns, lines) = (Columns::new(&pairs(1)), Lines::new(&pairs(8)));
    let at = std::array::from_fn(|lane| lane as u32 % 5);
    let down = std::array::from_fn(|lane| lane as u32 / 4);
    let plane = memory.plane(16, flat(&columns, &lines, Join::Sum)).unwrap();
    let taps = read(&plane, at, down);
    for lane in 0..CHUNK {
        let word = |x: u32, y: u32| 1004 + x % 5 + 8 * (y % 5);
        let (x, y) = (at[lane], down[lane]);
        let expected = [
            word(x, y),
            word(x + 1, y),
            word(x, y + 1),
            word(x + 1, y + 1),
        ];
        assert_eq!(taps.map(|row| row[lane]), expected);
    }
    // Out-of-range positions read inside the plane.
    read(&plane, [77; CHUNK], [u32::MAX; CHUNK]);
    assert!(
        memory
            .plane(18, flat(&columns, &lines, Join::Sum))
            .is_none()
    );
    assert!(
        memory
            .plane(900, flat(&columns, &lines, Join::Sum))
            .is_none()
    );
    assert!(
        memory
            .plane(u64::MAX - 3, flat(&columns, &lines, Join::Sum))
            .is_none()
    );
}

#[test]
fn joins() {
    let memory = Memory::new(1024);
    for word in 0..256 {
        memory.store(4 * word, word as u32).unwrap();
    }
    let (columns, lines) = (Columns::new(&[[0x1d, 0x2c]]), Lines::new(&[[0x36, 0x08]]));
    let first = |join| {
        let plane = memory.plane(0, flat(&columns, &lines, join)).unwrap();
        read(&plane, [0; CHUNK], [0; CHUNK]).map(|row| row[3])
    };
    assert_eq!(first(Join::Sum), [0x53, 0x62, 0x25, 0x34]);
    assert_eq!(first(Join::Xor), [0x2b, 0x1a, 0x15, 0x24]);
    // Bit 3 does not carry; bits above do, bits below are not shared.
    let (columns, lines) = (Columns::new(&[[0x1d, 0x28]]), Lines::new(&[[0x32, 0x08]]));
    let plane = memory
        .plane(0, flat(&columns, &lines, Join::Without(8)))
        .unwrap();
    let taps = read(&plane, [0; CHUNK], [0; CHUNK]).map(|row| row[7]);
    assert_eq!(taps, [0x4f, 0x5a, 0x15, 0x20]);
    // Lanes of two minds.
    let plane = plane.joined(Join::Carries);
    let mut positions = positions(&plane, [[0; CHUNK]; 2]);
    let carries = |lane: usize| match lane & 1 {
        0 => Join::Without(8).carries(),
        _ => Join::Sum.carries(),
    };
    positions.carry(&std::array::from_fn(carries));
    let rows = chunk(&plane, &positions, 1);
    assert_eq!(rows.map(|row| row[6]), taps);
    assert_eq!(rows.map(|row| row[7]), [0x4f, 0x5a, 0x25, 0x30]);
    let mut all = [[[0; LANES]; 4]; 4];
    plane.rows(&positions, 0, false, &mut all);
    assert_eq!(all[0].map(|row| row[22]), taps);
}

/// Texels of every size in two slices. Runs under Miri, as above.
#[test]
fn texels_of_every_size() {
    let memory = Memory::new(4096);
    for at in 0..4096 {
        let _ = memory.store_byte(at, (at * 13 + at / 256) as u8);
    }
    for bytes in [1, 2, 3, 4, 6, 8, 12, 16] {
        let unit = if bytes % 4 == 0 { 4 } else { 1 };
        let pairs = |n: u32, step: u32| -> Vec<[u32; 2]> {
            (0..n).map(|i| [i * step, (i + 1) % n * step]).collect()
        };
        let columns = Columns::new(&pairs(5, bytes / unit));
        let lines = Lines::new(&pairs(4, 80 / unit));
        let slices = Lines::new(&pairs(3, 320 / unit));
        let tables = Tables {
            columns: &columns,
            lines: &lines,
            slices: Some(&slices),
            join: Join::Sum,
            bytes,
            blocks: false,
        };
        let plane = memory.plane(64, tables).unwrap();
        assert!(memory.plane(3000, tables).is_none());
        let mut positions = Positions::ZERO;
        for axis in 0..3 {
            let mut cut = positions.cut(&plane, axis);
            (0..LANES).for_each(|lane| cut.put(lane, (lane >> axis) as u32 % 3));
        }
        for (k, one) in [(0, false), (1, false), (1, true)] {
            let mut rows = [[[7; LANES]; 4]; 4];
            plane.rows(&positions, k as usize, one, &mut rows);
            for lane in 0..LANES {
                for tap in 0..if one { 1 } else { 4 } {
                    let at = |axis: usize| (lane >> axis) as u32 % 3;
                    let (x, y) = (at(0) + (tap & 1), at(1) + (tap >> 1));
                    let at = 64 + bytes * x + 80 * y + 320 * ((at(2) + k) % 3);
                    for byte in 0..bytes {
                        let row = &rows[byte as usize / 4][tap as usize];
                        let got = row[lane] >> (8 * (byte % 4)) & 0xff;
                        let expected = memory.load_byte(u64::from(at + byte)).unwrap();
                        assert_eq!(got, u32::from(expected), "{bytes} bytes at {at}");
                    }
                }
                assert!(!one || rows[0][1][lane] == 7);
            }
        }
    }
}
