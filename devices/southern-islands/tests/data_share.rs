//! Dwords of local data share, read and written by rows, against lanes one by one.
#![allow(clippy::unwrap_used)]

use lanes::{LANES, Wave};
use silicon::SimdLevel;
use southern_islands::isa::memory::{DsOp, DsSem};
use southern_islands::isa::operand::{EXEC, M0};
use southern_islands::isa::words::Ds;
use southern_islands::lds::{self, Shares, Sync};

const WORDS: usize = 512;
/// Rows of the addresses, the data, and the first result.
const ADDR: u8 = 1;
const DATA0: u8 = 2;
const DATA1: u8 = 3;
const VDST: u8 = 5;

struct Case {
    op: DsOp,
    offsets: [u8; 2],
    addresses: [u32; LANES],
    exec: u64,
    m0: u32,
}

impl Case {
    fn inst(&self) -> Ds {
        Ds {
            op: self.op,
            offset0: self.offsets[0],
            offset1: self.offsets[1],
            gds: false,
            addr: ADDR,
            data0: DATA0,
            data1: DATA1,
            vdst: VDST,
        }
    }

    fn wave(&self) -> Wave {
        let mut wave = Wave::new(16, 136);
        for (n, row) in wave.rows.iter_mut().enumerate() {
            for (lane, value) in row.0.iter_mut().enumerate() {
                *value = (n * 1000 + lane) as u32;
            }
        }
        wave.rows[usize::from(ADDR)].0 = self.addresses;
        wave.set_mask(EXEC.into(), self.exec);
        wave.scalars[usize::from(M0)] = self.m0;
        wave
    }

    /// Where the instruction's elements are, if inside.
    fn places(&self, lane: usize) -> Vec<Option<usize>> {
        let [first, second] = self.offsets.map(u64::from);
        let offsets = match self.op {
            DsOp::DS_READ_B32 | DsOp::DS_WRITE_B32 => vec![first | second << 8],
            DsOp::DS_READ2ST64_B32 => vec![256 * first, 256 * second],
            _ => vec![4 * first, 4 * second],
        };
        let size = u64::from(self.m0 & 0x1_ffff).min(4 * WORDS as u64);
        let place = |offset: u64| {
            let at = (u64::from(self.addresses[lane]) + offset) & !3;
            (at + 4 <= size).then_some(at as usize / 4)
        };
        offsets.into_iter().map(place).collect()
    }

    /// What the rows and words are afterwards, lane by lane.
    fn expected(&self, words: &mut [u32]) -> Wave {
        let mut wave = self.wave();
        let reads = !matches!(self.op, DsOp::DS_WRITE_B32 | DsOp::DS_WRITE2_B32);
        for lane in (0..LANES).filter(|lane| self.exec >> lane & 1 == 1) {
            for (n, place) in self.places(lane).into_iter().enumerate() {
                let data = wave.rows[usize::from(DATA0) + n].0[lane];
                match (reads, place) {
                    (true, place) => {
                        let word = place.map_or(0, |at| words[at]);
                        wave.rows[usize::from(VDST) + n].0[lane] = word;
                    }
                    (false, Some(at)) => words[at] = data,
                    (false, None) => {}
                }
            }
        }
        wave
    }

    fn run(&self, wave: &mut Wave, local: &mut [u32], level: SimdLevel, strict: bool) {
        let shares = Shares {
            local,
            global: &mut [],
            sync: &mut Sync::default(),
            strict,
            level,
            races: None,
        };
        lds::run(&self.inst(), wave, shares).unwrap();
    }

    #[track_caller]
    fn check(&self) {
        let start: Vec<u32> = (0..WORDS as u32).map(|n| n * 7 + 1).collect();
        let mut words = start.clone();
        let expected = self.expected(&mut words);
        for level in SimdLevel::available() {
            let (mut wave, mut local) = (self.wave(), start.clone());
            self.run(&mut wave, &mut local, level, false);
            let what = format!(
                "{:?} {:?} at {:?}, lanes {:#x}, {level:?}",
                self.op,
                self.offsets,
                &self.addresses[..4],
                self.exec
            );
            assert!(local == words, "words of {what}");
            assert!(*wave.rows == *expected.rows, "rows of {what}");
        }
    }
}

/// Even steps, inside and over the end; lanes that are off; addresses of no pattern, near 2^32 too.
#[test]
fn dwords() {
    let ops = [
        DsOp::DS_READ_B32,
        DsOp::DS_READ2_B32,
        DsOp::DS_READ2ST64_B32,
        DsOp::DS_WRITE_B32,
        DsOp::DS_WRITE2_B32,
    ];
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let steps = [0, 1, 2, 4, 8, 12, 16, 20, 24, u32::MAX - 3];
    let mut patterns: Vec<[u32; LANES]> = Vec::new();
    for step in steps {
        for first in [0, 4, 40, 42, 1024, 1796, 2044, u32::MAX - 200, u32::MAX - 3] {
            patterns.push(std::array::from_fn(|lane| {
                step.wrapping_mul(lane as u32).wrapping_add(first)
            }));
        }
    }
    // Rows of eight and of sixteen lanes, as square groups have.
    for step in [0, 4, 8, 12, 16, 20] {
        for [row, down] in [
            [8, 0],
            [8, 4],
            [8, 64],
            [8, 132],
            [16, 68],
            [8, u32::MAX - 63],
        ] {
            for first in [0, 4, 42, 700, 1900, 2044, u32::MAX - 3] {
                patterns.push(std::array::from_fn(|lane| {
                    let [x, y] = [lane as u32 % row, lane as u32 / row];
                    let at = step * x;
                    at.wrapping_add(down.wrapping_mul(y)).wrapping_add(first)
                }));
            }
        }
    }
    for most in [16, 256, 2048, 4096, 1 << 24] {
        patterns.push(std::array::from_fn(|_| random() % most));
    }
    for op in ops {
        for addresses in &patterns {
            for offsets in [[0, 1], [1, 0], [3, 6], [2, 9], [0, 8]] {
                for exec in [u64::MAX, u64::MAX >> 1, 0x00ff_1234_5678_9abc, 1 << 63] {
                    for m0 in [u32::MAX, 900, 6, 0] {
                        Case {
                            op,
                            offsets,
                            addresses: *addresses,
                            exec,
                            m0,
                        }
                        .check();
                    }
                }
            }
        }
    }
}

/// Every atomic operation on dwords, beside a strict run, which goes lane by lane: places that lanes share, and some outside.
#[test]
fn atomics() {
    let mut state = 7_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 4
    };
    let ops = DsOp::ALL.iter().copied();
    let ops: Vec<DsOp> = ops
        .filter(|op| matches!(op.sem(), DsSem::Atomic { size: 4, .. }))
        .collect();
    assert!(ops.len() > 30, "{ops:?}");
    let start: Vec<u32> = (0..WORDS as u32).map(|n| n % 7).collect();
    for op in ops {
        for (few, exec) in [(3, u64::MAX), (900, u64::MAX), (20, 0xf0f0_1111_8000_0001)] {
            let case = Case {
                op,
                offsets: [8, 0],
                addresses: std::array::from_fn(|_| 4 * (random() % few)),
                exec,
                m0: 4 * 400,
            };
            let mut wave = case.wave();
            for data in [DATA0, DATA1] {
                wave.rows[usize::from(data)].0 = std::array::from_fn(|_| random() % 7);
            }
            let run = |strict: bool| {
                let (mut wave, mut local) = (wave.clone(), start.clone());
                case.run(&mut wave, &mut local, SimdLevel::BASELINE, strict);
                (local, wave.rows)
            };
            let (words, rows) = run(true);
            assert!(words != start || few != 3, "{op:?} changes nothing");
            assert!(run(false) == (words, rows), "{op:?}, lanes {exec:#x}");
        }
    }
}
