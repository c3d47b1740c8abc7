//! Programs of another compiler give the results of the host's arithmetic.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecInput, LaneValue, MemoryBlock, Tools};
use std::ops::Range;

use lanes::{Batch, DefaultEngine, Engine, PortFault, Ports, Prepared, Wave};
use southern_islands::TOOLS;
use southern_islands::isa::{Allocation, Mode, assemble, lift};

struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
        panic!("ports {ports:?} in a program that has none");
    }
}

/// A program and a wave to run it in.
struct Program {
    engine: DefaultEngine,
    prepared: Prepared,
    wave: Wave,
}

impl Program {
    fn new(text: &str, mode: u32) -> Program {
        let words = assemble(text).unwrap().concat();
        let lifted = lift(&words, 0, Mode(mode), Allocation::ALL).unwrap();
        let engine = DefaultEngine::new();
        Program {
            prepared: engine.prepare(&lifted.program).unwrap(),
            wave: Wave::new(lifted.program.rows.into(), lifted.program.scalars.into()),
            engine,
        }
    }

    /// Runs with these rows and gives the first `N` rows.
    fn run<const M: usize, const N: usize>(&mut self, rows: [[u32; 64]; M]) -> [[u32; 64]; N] {
        for (row, values) in self.wave.rows.iter_mut().zip(rows) {
            row.0 = values;
        }
        self.wave.set_mask(126, u64::MAX);
        self.engine
            .run(&self.prepared, &mut self.wave, &mut NoPorts)
            .unwrap();
        std::array::from_fn(|at| self.wave.rows[at].0)
    }
}

const AWKWARD: [u32; 16] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x4040_0000,
    0x3f7f_ffff,
    0x0012_3456,
];

/// Random bits, with awkward numbers and near exponents among them.
fn float(random: &mut Random) -> u32 {
    match random.below(8) {
        0 => AWKWARD[random.below(16) as usize],
        1 | 2 => 0x3f80_0000 ^ (random.word() as u32 & 0x80ff_ffff),
        3 => random.word() as u32 & 0x80ff_ffff,
        _ => random.word() as u32,
    }
}

fn same(found: u32, expected: f32) -> bool {
    found == expected.to_bits() || expected.is_nan() && f32::from_bits(found).is_nan()
}

/// Divides `waves * 64` pairs, denormals, infinities and NaN among them.
fn divide(waves: usize, seed: u64) {
    let mut program = Program::new(include_str!("programs/divide_f32.s"), 0xf0);
    let mut random = Random(seed);
    for _ in 0..waves {
        let a = std::array::from_fn(|_| float(&mut random));
        let b = std::array::from_fn(|_| float(&mut random));
        let [q] = program.run([a, b]);
        for lane in 0..64 {
            let expected = f32::from_bits(a[lane]) / f32::from_bits(b[lane]);
            let (a, b, q) = (a[lane], b[lane], q[lane]);
            assert!(
                same(q, expected),
                "{a:#x} / {b:#x} gives {q:#x}, not {:#x}",
                expected.to_bits()
            );
        }
    }
}

#[test]
fn quotients_are_correctly_rounded() {
    divide(4000, 11);
}

#[test]
#[ignore = "long; `cargo test -- --ignored` runs it"]
fn ten_million_quotients_are_correctly_rounded() {
    divide(10_000_000usize.div_ceil(64), 21);
}

#[test]
fn quotients_with_flushed_denormals() {
    let mut program = Program::new(include_str!("programs/divide_f32_flushing.s"), 0xc0);
    let mut random = Random(12);
    for _ in 0..1000 {
        let a: [u32; 64] = std::array::from_fn(|_| float(&mut random));
        let b: [u32; 64] = std::array::from_fn(|_| float(&mut random));
        let [q] = program.run([a, b]);
        for lane in 0..64 {
            let [x, y] = [a[lane], b[lane]].map(f32::from_bits);
            let expected = x / y;
            // Operands and results that are denormal depend on where the program flushes.
            if x.is_subnormal() || y.is_subnormal() || expected.abs() < 2.0 * f32::MIN_POSITIVE {
                continue;
            }
            assert!(
                same(q[lane], expected),
                "{x:e} / {y:e} gives {:#x}",
                q[lane]
            );
        }
    }
}

#[test]
fn double_quotients_are_correctly_rounded() {
    let mut program = Program::new(include_str!("programs/divide_f64.s"), 0xf0);
    let mut random = Random(13);
    for _ in 0..2000 {
        let double = |random: &mut Random| match random.below(4) {
            0 => f64::from(f32::from_bits(float(random))).to_bits(),
            1 => random.word() & 0x801f_ffff_ffff_ffff,
            2 => 0x3ff0_0000_0000_0000 ^ (random.word() & 0x801f_ffff_ffff_ffff),
            _ => random.word(),
        };
        let a: [u64; 64] = std::array::from_fn(|_| double(&mut random));
        let b: [u64; 64] = std::array::from_fn(|_| double(&mut random));
        let [low, high] = program.run([
            a.map(|a| a as u32),
            a.map(|a| (a >> 32) as u32),
            b.map(|b| b as u32),
            b.map(|b| (b >> 32) as u32),
        ]);
        for lane in 0..64 {
            let expected = f64::from_bits(a[lane]) / f64::from_bits(b[lane]);
            let found = u64::from(low[lane]) | u64::from(high[lane]) << 32;
            let nan = expected.is_nan() && f64::from_bits(found).is_nan();
            let (a, b) = (a[lane], b[lane]);
            assert!(
                nan || found == expected.to_bits(),
                "{a:#x} / {b:#x} gives {found:#x}, not {:#x}",
                expected.to_bits()
            );
        }
    }
}

fn integer(random: &mut Random) -> u32 {
    let bits = random.word() as u32 >> random.below(32);
    bits.max(1)
}

#[test]
fn integer_division() {
    let mut program = Program::new(include_str!("programs/divide_u32.s"), 0xf0);
    let mut random = Random(14);
    for _ in 0..500 {
        let a: [u32; 64] = std::array::from_fn(|_| integer(&mut random));
        let b: [u32; 64] = std::array::from_fn(|_| integer(&mut random));
        let [q] = program.run([a, b]);
        for lane in 0..64 {
            let (a, b) = (a[lane], b[lane]);
            let expected = (a / b) ^ (a as i32).wrapping_rem(b as i32) as u32;
            assert_eq!(q[lane], expected, "{a} / {b}");
        }
    }
}

#[test]
fn wide_integer_division() {
    let mut program = Program::new(include_str!("programs/divide_u64.s"), 0xf0);
    let mut random = Random(15);
    for _ in 0..300 {
        let wide = |random: &mut Random| (random.word() >> random.below(64)).max(1);
        let a: [u64; 64] = std::array::from_fn(|_| wide(&mut random));
        let b: [u64; 64] = std::array::from_fn(|_| wide(&mut random));
        let [found] = program.run([
            a.map(|a| a as u32),
            a.map(|a| (a >> 32) as u32),
            b.map(|b| b as u32),
            b.map(|b| (b >> 32) as u32),
        ]);
        for lane in 0..64 {
            let q = a[lane] / b[lane];
            let expected = q as u32 ^ (q >> 32) as u32;
            assert_eq!(found[lane], expected, "{} / {}", a[lane], b[lane]);
        }
    }
}

#[test]
fn a_divergent_loop() {
    let mut program = Program::new(include_str!("programs/loop_f32.s"), 0xf0);
    let counts: [u32; 64] = std::array::from_fn(|lane| lane as u32);
    let starts = [2.25f32.to_bits(); 64];
    let [found] = program.run([counts, starts]);
    for (lane, found) in found.into_iter().enumerate() {
        let mut expected = 2.25f32;
        for i in 0..(lane as u32 & 31).max(1) {
            expected = expected * 1.5 + i as f32;
        }
        assert_eq!(f32::from_bits(found), expected.sqrt(), "lane {lane}");
    }
}

#[test]
fn a_kernel_with_its_listing() {
    let tools = TOOLS;
    let words = tools
        .assemble(Some("compute"), include_str!("programs/kernel.s"))
        .unwrap()
        .concat();
    let hex = |words: &[u32]| -> String {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.map(|byte| format!("{byte:02x}")).collect()
    };
    let values: Vec<f32> = (0..64).map(|id| id as f32 * 1.75 - 9.0).collect();
    let bits: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
    // 36 bytes of what the launcher knows, then the arguments.
    let mut arguments = vec![0; 9];
    arguments.extend([0x2000, 0, 0x3000, 0, 20]);
    let block = |address, words: &[u32]| MemoryBlock {
        address,
        hex: hex(words),
    };
    let mut input = ExecInput {
        memory: vec![
            block(0x1000, &arguments),
            block(0x2000, &[0; 64]),
            block(0x3000, &bits),
        ],
        ..ExecInput::default()
    };
    let ids = LaneValue::Lanes((0..64).collect());
    input.registers.insert("v0".to_owned(), ids);
    input
        .registers
        .insert("s0".to_owned(), LaneValue::One(0x1000));
    let output = tools.exec("compute", &words, &input).unwrap();
    let expected: Vec<u32> = (0..64u32)
        .map(|id| {
            let x = values[id as usize];
            let y = match id < 20 {
                true => x * 2.5 / 3.0,
                false => ((x + 7.0) as i32).wrapping_mul(id as i32) as f32,
            };
            y.to_bits()
        })
        .collect();
    assert_eq!(output.memory[1].hex, hex(&expected));
}
