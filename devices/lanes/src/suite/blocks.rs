//! Random straight blocks of every operation on many rows, with masks that steps make of masks: same state as lane by lane.

use super::{EXEC, MASKS, Random, assert_same, run, straight};
use crate::engine::Engine;
use crate::op::{LaneOp, Operand, WideOp};
use crate::step::{Src, Step, Swizzle};
use crate::wave::{LANES, Wave};

/// More rows than a host has registers.
const ROWS: u16 = 40;
/// The execution mask, numbers, and masks; pairs may overlap.
const SCALARS: u16 = 20;
const NUMBERS: u16 = 4;
const STEPS: usize = 120;
const PROGRAMS: u64 = 400;

fn below(random: &mut Random, end: u16) -> u16 {
    (random.word() % u32::from(end)) as u16
}

fn source(random: &mut Random) -> Src {
    match random.word() % 8 {
        0 => Src::Const(random.value()),
        // A mask as a number now and then.
        1 if random.word().is_multiple_of(8) => Src::Scalar(below(random, SCALARS)),
        1 => Src::Scalar(2 + below(random, NUMBERS - 2)),
        _ => Src::Row(below(random, ROWS)),
    }
}

/// The first scalar of a mask, mostly at an even number.
fn pair(random: &mut Random) -> u16 {
    let odd = u16::from(random.word().is_multiple_of(8));
    NUMBERS + 2 * below(random, (SCALARS - NUMBERS) / 2 - 1) + odd
}

fn step(random: &mut Random) -> Step {
    use WideOp::*;
    let mut src: [Src; 3] = std::array::from_fn(|_| source(random));
    let dst = below(random, ROWS);
    let mut cut = |count: usize| src[count..].fill(Src::Const(0));
    match random.word() % 16 {
        0 | 1 => {
            let compares = |op: &&LaneOp| op.result() == Operand::Bool;
            let ops: Vec<&LaneOp> = match random.word() % 4 {
                0 => LaneOp::ALL.iter().collect(),
                _ => LaneOp::ALL.iter().filter(compares).collect(),
            };
            let op = *ops[random.word() as usize % ops.len()];
            cut(op.params().len());
            let dst = pair(random);
            // With a number that lies in its own mask now and then.
            if random.word().is_multiple_of(8) {
                src[0] = Src::Scalar(dst + below(random, 2));
            }
            Step::Compare { op, dst, src }
        }
        2 | 3 => Step::Select {
            dst,
            mask: pair(random),
            no: src[0],
            yes: src[1],
        },
        4..7 => {
            let ops = [Mov64, Not64, And64, Or64, Xor64, AndNot64, OrNot64];
            let op = ops[random.word() as usize % ops.len()];
            let mut src = [0; 3].map(|_: u32| match random.word() % 8 {
                0 => Src::Scalar(EXEC),
                _ => Src::Scalar(pair(random)),
            });
            src[op.params().len()..].fill(Src::Const(0));
            let dst = pair(random);
            Step::UniformWide { op, dst, src }
        }
        7 => Step::Swizzle {
            dst,
            src: below(random, ROWS),
            pattern: match random.word() % 4 {
                0 => Swizzle::Bits {
                    and: 28 + (random.word() % 4) as u8,
                    or: (random.word() % 4) as u8,
                    xor: (random.word() % 4) as u8,
                },
                _ => Swizzle::Quad(std::array::from_fn(|_| (random.word() % 4) as u8)),
            },
        },
        _ => {
            let op = LaneOp::ALL[random.word() as usize % LaneOp::ALL.len()];
            cut(op.params().len());
            Step::Alu { op, dst, src }
        }
    }
}

fn follow(steps: &[Step], wave: &mut Wave) {
    let exec = wave.mask(EXEC);
    let enabled = |lane: &usize| exec >> lane & 1 == 1;
    for step in steps {
        let before = wave.clone();
        let word = |src: Src, lane: usize| match src {
            Src::Row(at) => before.rows[at as usize].0[lane],
            Src::Scalar(at) => before.scalars[at as usize],
            Src::Const(value) => value,
        };
        let args = |src: [Src; 3], lane: usize| src.map(|src| word(src, lane));
        match *step {
            Step::Alu { op, dst, src } => {
                for lane in (0..LANES).filter(enabled) {
                    wave.rows[dst as usize].0[lane] = op.eval(args(src, lane));
                }
            }
            Step::Compare { op, dst, src } => {
                let holds = |lane: &usize| op.eval(args(src, *lane)) != 0;
                let lanes = (0..LANES).filter(enabled).filter(holds);
                wave.set_mask(dst, lanes.fold(0, |mask, lane| mask | 1 << lane));
            }
            Step::Select { dst, mask, no, yes } => {
                for lane in (0..LANES).filter(enabled) {
                    let src = if before.mask(mask) >> lane & 1 == 1 {
                        yes
                    } else {
                        no
                    };
                    wave.rows[dst as usize].0[lane] = word(src, lane);
                }
            }
            Step::UniformWide { op, dst, src } => {
                let wide = |src: Src| match src {
                    Src::Scalar(at) => before.mask(at),
                    other => word(other, 0).into(),
                };
                wave.set_mask(dst, op.eval(src.map(wide)));
            }
            Step::Swizzle { dst, src, pattern } => {
                for lane in (0..LANES).filter(enabled) {
                    let (from, reads) = match pattern {
                        Swizzle::Quad(lanes) => (lane & !3 | usize::from(lanes[lane & 3]), true),
                        Swizzle::Bits { and, or, xor } => {
                            let [and, or, xor] = [and, or, xor].map(usize::from);
                            let from = lane & 32 | (lane & 31 & and | or) ^ xor;
                            (from, enabled(&from))
                        }
                    };
                    let value = before.rows[src as usize].0[from];
                    wave.rows[dst as usize].0[lane] = if reads { value } else { 0 };
                }
            }
            _ => panic!("{step:?} is not of these programs"),
        }
    }
}

/// Straight blocks of every operation; and operations that look at one operand before they read the next, while results
/// that may be NaN fill all registers of a host.
pub fn blocks<E: Engine>(engine: &E) {
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed + 1000);
        let steps = (0..STEPS).map(|_| step(&mut random)).collect();
        check(engine, steps, seed, &mut random);
    }
    for (seed, op) in (0..).zip([LaneOp::FMulZero, LaneOp::FMadZero, LaneOp::Pick]) {
        let alu = |op: LaneOp, dst, src: [u16; 3]| {
            let mut src = src.map(Src::Row);
            src[op.params().len()..].fill(Src::Const(0));
            Step::Alu { op, dst, src }
        };
        let mut steps: Vec<Step> = (0..36)
            .map(|row| alu(LaneOp::FAdd, row, [row; 3]))
            .collect();
        steps.push(alu(op, 36, [37, 38, 39]));
        check(engine, steps, seed, &mut Random::new(seed));
    }
}

/// Runs steps on random registers, and lane by lane.
fn check<E: Engine>(engine: &E, steps: Vec<Step>, seed: u64, random: &mut Random) {
    let before = random.wave(ROWS, SCALARS, MASKS[seed as usize % MASKS.len()]);
    let mut expected = before.clone();
    follow(&steps, &mut expected);
    let program = straight(steps, ROWS, SCALARS);
    let mut after = before;
    run(engine, &program, &mut after).unwrap();
    assert_same(&after, &expected, seed, &program);
}
