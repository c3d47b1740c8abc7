//! What every engine must pass: [`engine_suite!`](crate::engine_suite) makes the tests.
//!
//! The oracle is `eval` of the operation, lane by lane. Each check panics with what differs.
#![allow(clippy::unwrap_used)]

mod batch;
mod blocks;
mod chains;
mod control;
mod groups;
mod moves;
mod operations;

pub use batch::{batches, hoisting, parting, port_order, uniform_batches};
pub use blocks::blocks;
pub use chains::chains;
pub use control::{branches, indirect, ports, traps, watchdog, wrong_wave};
pub use groups::{barriers, meeting, random_groups};
pub use moves::{lanes, relative, select, swizzles};
pub use operations::{alu, compare, compare_wide, uniform, uniform_wide, wide};

use std::ops::Range;

use crate::engine::{Engine, Stop};
use crate::step::{Program, Step};
use crate::wave::{Batch, PortFault, Ports, Row, Wave};

/// Makes the tests that every engine must pass: `engine_suite!(Interpreter)` for an engine with a default, or
/// `engine_suite!(name: expression)` for an `Option` of an engine, where `None` means that the host cannot run it.
#[macro_export]
macro_rules! engine_suite {
    ($engine:ty) => {
        $crate::engine_suite!(engine: Some(<$engine>::default()));
    };
    ($name:ident: $engine:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::engine_suite!(@tests $engine;
                alu compare wide compare_wide uniform uniform_wide select lanes relative swizzles
                chains blocks branches indirect ports traps watchdog wrong_wave
                batches uniform_batches hoisting parting port_order
                barriers meeting random_groups);
        }
    };
    (@tests $engine:expr; $($test:ident)*) => {$(
        #[test]
        fn $test() {
            if let Some(engine) = $engine {
                $crate::suite::$test(&engine);
            }
        }
    )*};
}

/// Execution mask of the suite's programs.
pub(crate) const EXEC: u16 = 0;

/// Masks worth trying.
const MASKS: [u64; 6] = [
    u64::MAX,
    0,
    1,
    1 << 63,
    0x0123_4567_89ab_cdef,
    0xffff_0000_ffff_0f0f,
];

/// Bit patterns worth trying: as integers, floats and halves of doubles.
const AWKWARD: [u32; 44] = [
    0x0000_0000, // 0
    0x8000_0000, // -0, least integer
    0x0000_0001, // smallest denormal
    0x8000_0001,
    0x007f_ffff, // largest denormal
    0x807f_ffff,
    0x0080_0000, // smallest normal
    0x8080_0000,
    0x7f7f_ffff, // largest finite
    0xff7f_ffff,
    0x7f80_0000, // infinity
    0xff80_0000,
    0x7fc0_0000, // quiet NaN
    0xffc0_0001,
    0x7f80_0001, // signalling NaN
    0xffff_ffff, // NaN, -1
    0x3f80_0000, // 1
    0xbf80_0000, // -1
    0x3f00_0000, // 0.5
    0xbf00_0000,
    0x3fc0_0000, // 1.5
    0x4020_0000, // 2.5
    0x3f7f_ffff, // below 1
    0x3f80_0001, // above 1
    0x4b00_0000, // 2^23
    0x4aff_ffff,
    0x4f00_0000, // 2^31
    0xcf00_0000,
    0x4f7f_ffff, // below 2^32
    0x4f80_0000, // 2^32
    0x4380_0000, // 256
    0x3c00_3c00, // halves
    0x33ff_ffff,
    0x3f31_7218, // ln 2
    0x3380_0000, // 2^-24
    0x3300_0000, // 2^-25
    0x3880_0000, // smallest normal half
    0x477f_f000, // halfway above the largest half
    0x0000_0020,
    0x0000_001f,
    0x0000_0040,
    0x7fff_ffff, // greatest integer, NaN
    0x7ff0_0000, // high word of an infinite double
    0xfff8_0000, // high word of a NaN double
];

/// Steps and an end as a program.
fn straight(mut steps: Vec<Step>, rows: u16, scalars: u16) -> Program {
    steps.push(Step::End);
    Program {
        origins: vec![Default::default(); steps.len()],
        steps,
        rows,
        scalars,
        exec: EXEC,
        ..Program::default()
    }
}

/// Compares all that a program left, scalars and row by row.
fn assert_same(after: &Wave, expected: &Wave, seed: u64, program: &Program) {
    assert_eq!(after.scalars, expected.scalars, "program {seed}\n{program}");
    for (number, (row, wanted)) in after.rows.iter().zip(expected.rows.iter()).enumerate() {
        assert_eq!(row, wanted, "program {seed} row {number}\n{program}");
    }
}

/// A fixed sequence of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// Awkward, near awkward, an ordinary float, a small integer or anything.
    pub(crate) fn value(&mut self) -> u32 {
        let awkward = AWKWARD[self.word() as usize % AWKWARD.len()];
        match self.word() % 8 {
            0..=2 => awkward,
            3 => awkward.wrapping_add(self.word() % 5).wrapping_sub(2),
            4 => ((self.word() as i32 as f32) * 1e-7).to_bits(),
            5 => self.word() % 70,
            6 => (self.word() & 0x807f_ffff) | (96 + self.word() % 64) << 23,
            _ => self.word(),
        }
    }

    /// A wave of such values with this execution mask.
    fn wave(&mut self, rows: u16, scalars: u16, exec: u64) -> Wave {
        let mut wave = Wave::new(rows.into(), scalars.into());
        for row in wave.rows.iter_mut() {
            *row = Row(std::array::from_fn(|_| self.value()));
        }
        wave.scalars.fill_with(|| self.value());
        wave.set_mask(EXEC, exec);
        wave
    }

    /// A float below 2^22 in magnitude, often a whole number or a half.
    pub(crate) fn moderate(&mut self) -> u32 {
        let word = self.word();
        match word % 4 {
            0 => (((word >> 8) as i32 % 4096 - 2048) as f32 * 0.5).to_bits(),
            1 => ((word as i32 >> 10) as f32 * 0.5).to_bits(),
            _ => (word & 0x807f_ffff) | (100 + self.word() % 49) << 23,
        }
    }
}

/// No way out: a call is a mistake of the program.
struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _batch: Batch<'_>) -> Result<(), PortFault> {
        panic!("call of ports {ports:?} in a program without ports");
    }
}

/// Prepares and runs a program without ports.
fn run<E: Engine>(engine: &E, program: &Program, wave: &mut Wave) -> Result<(), Stop> {
    let prepared = engine.prepare(program).unwrap();
    engine.run(&prepared, wave, &mut NoPorts)
}
