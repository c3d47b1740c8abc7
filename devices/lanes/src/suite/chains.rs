//! Random straight blocks with dependent steps: same state as step by step.

use super::{EXEC, MASKS, NoPorts, Random, assert_same, straight};
use crate::engine::Engine;
use crate::op::LaneOp;
use crate::step::{Src, Step, When};
use crate::wave::{LANES, Wave};

/// Few rows, so that most operands are results.
const ROWS: u16 = 7;
/// The execution mask, two operands, a pair for comparisons.
const SCALARS: u16 = 6;
/// Steps of a run.
const STEPS: usize = 40;
const PROGRAMS: u64 = 600;

/// Operations that shaders chain, and some others.
const OPS: &[LaneOp] = {
    use LaneOp::*;
    &[
        FMul,
        FMul,
        FAdd,
        FSub,
        FSub,
        FMad,
        FMad,
        FMad,
        FMadNeg,
        FMin,
        FMax,
        FMin,
        FMax,
        FSat,
        FAbs,
        FAbs,
        FNeg,
        FSqrt,
        FRsq,
        FRcp,
        FFract,
        FMulNeg,
        FMadSub,
        FMulZero,
        FMed3,
        FMax3,
        Mov,
        IAdd,
        Xor,
        Pick,
        FExp2,
        FSinTurns,
        FFlush,
        FFlush,
        FAddFlush,
        FSubFlush,
        FSubFlush,
        FMulFlush,
        FMulFlush,
        FMadFlush,
        FMadFlush,
        FMadNegFlush,
        FSat,
        FRsq,
        FRcp,
        FAbs,
        FFma,
        FFma,
        IMad,
        IMad,
        Byte0ToF32,
        Byte1ToF32,
        Byte2ToF32,
        Byte3ToF32,
        FDiv,
        FDiv,
        FFlushNan,
        FFlushNan,
        FFlushNan,
        FFlushNan,
    ]
};

/// Constants that operations may treat in a way of their own.
const CONSTANTS: [u32; 10] = [
    0,
    1 << 31,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x7fc0_0000,
    0xff80_0001,
    0x7f80_0000,
    0xff80_0000,
    1,
];

fn pick<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.word() as usize % of.len()]
}

fn row(random: &mut Random) -> u16 {
    (random.word() % u32::from(ROWS)) as u16
}

fn source(random: &mut Random) -> Src {
    match random.word() % 8 {
        0 => Src::Const(pick(random, &CONSTANTS)),
        1 => Src::Scalar(2 + (random.word() % 2) as u16),
        2 => Src::Const(random.value()),
        _ => Src::Row(row(random)),
    }
}

fn step(random: &mut Random) -> Step {
    let mut src = std::array::from_fn(|_| source(random));
    let dst = row(random);
    match random.word() % 24 {
        0 => Step::Compare {
            op: LaneOp::FLt,
            dst: 4,
            src: [src[0], src[1], Src::Const(0)],
        },
        1 => Step::Select {
            dst,
            mask: 4,
            no: src[0],
            yes: src[1],
        },
        2 => Step::Uniform {
            op: LaneOp::Mov,
            dst: 2,
            src: [Src::Const(random.value()), Src::Const(0), Src::Const(0)],
        },
        3 => Step::WriteLane {
            dst,
            value: Src::Scalar(3),
            lane: Src::Const(random.word() % 64),
        },
        4 => Step::ReadLane {
            dst: 3,
            src: dst,
            lane: Src::Const(random.word() % 64),
        },
        _ => {
            let op = pick(random, OPS);
            for unused in &mut src[op.params().len()..] {
                *unused = Src::Const(0);
            }
            Step::Alu { op, dst, src }
        }
    }
}

/// A term of a blended colour, or a fraction that is packed, mostly in one row.
fn three(random: &mut Random) -> [Step; 3] {
    let dst = row(random);
    let others: [Src; 5] = std::array::from_fn(|_| source(random));
    let [a, b, c, d, e] = others;
    let last = match random.word() % 4 {
        0 => row(random),
        _ => dst,
    };
    let (none, it) = (Src::Const(0), Src::Row(dst));
    let steps = match random.word() % 2 {
        0 => [
            (LaneOp::FSubFlush, dst, [a, b, none]),
            (LaneOp::FMulFlush, dst, [it, c, none]),
            (LaneOp::FMadFlush, last, [d, e, it]),
        ],
        _ => [
            (LaneOp::FSat, dst, [a, none, none]),
            (LaneOp::FFma, dst, [it, b, c]),
            (LaneOp::IMad, last, [it, d, e]),
        ],
    };
    steps.map(|(op, dst, src)| Step::Alu { op, dst, src })
}

/// Four fractions to the bytes of a word, now and then with a step that is not of it.
fn packed(random: &mut Random) -> Vec<Step> {
    const ROUNDS: u32 = 0x4b40_0000;
    let mut steps = Vec::new();
    let (mut word, mut above) = (Src::Const(0), 0u32);
    for place in [0, 8, 16, 24] {
        let (limited, scaled, sum) = (row(random), row(random), row(random));
        let src = source(random);
        let mut add = |op, dst, src| steps.push(Step::Alu { op, dst, src });
        let mut part = Src::Const(ROUNDS + random.word() % 256);
        if !random.word().is_multiple_of(4) {
            let none = Src::Const(0);
            add(LaneOp::FSat, limited, [src, none, none]);
            let (scale, rounds) = (Src::Const(0x437f_0000), Src::Const(ROUNDS));
            add(LaneOp::FFma, scaled, [Src::Row(limited), scale, rounds]);
            part = Src::Row(scaled);
        }
        above = above.wrapping_add(ROUNDS << place);
        word = match place {
            0 => part,
            _ => {
                add(LaneOp::IMad, sum, [part, Src::Const(1 << place), word]);
                Src::Row(sum)
            }
        };
    }
    if random.word().is_multiple_of(8) {
        let at = random.word() as usize % steps.len();
        steps.insert(at, step(random));
    }
    let (op, dst, none) = (LaneOp::ISub, row(random), Src::Const(0));
    let src = [word, Src::Const(above), none];
    steps.push(Step::Alu { op, dst, src });
    let others = 0..ROWS;
    // Most of what was on the way is not looked at.
    let cleared = others.filter(|row| *row != dst && !random.word().is_multiple_of(4));
    let clear = |dst| Step::Alu {
        op: LaneOp::Mov,
        dst,
        src: [none; 3],
    };
    steps.extend(cleared.map(clear).collect::<Vec<_>>());
    steps
}

/// One step after the other, lane after lane.
fn follow(steps: &[Step], wave: &mut Wave) {
    let word = |wave: &Wave, src: Src, lane: usize| match src {
        Src::Row(at) => wave.rows[at as usize].0[lane],
        Src::Scalar(at) => wave.scalars[at as usize],
        Src::Const(value) => value,
    };
    let exec = wave.mask(EXEC);
    let enabled = |lane: &usize| exec >> lane & 1 == 1;
    for step in steps {
        match *step {
            Step::Alu { op, dst, src } => {
                for lane in (0..LANES).filter(enabled) {
                    let args = src.map(|src| word(wave, src, lane));
                    wave.rows[dst as usize].0[lane] = op.eval(args);
                }
            }
            Step::Compare { op, dst, src } => {
                let holds = |lane: &usize| op.eval(src.map(|src| word(wave, src, *lane))) != 0;
                let lanes = (0..LANES).filter(enabled).filter(holds);
                let mask = lanes.fold(0, |mask, lane| mask | 1 << lane);
                wave.set_mask(dst, mask);
            }
            Step::Select { dst, mask, no, yes } => {
                let mask = wave.mask(mask);
                for lane in (0..LANES).filter(enabled) {
                    let src = if mask >> lane & 1 == 1 { yes } else { no };
                    wave.rows[dst as usize].0[lane] = word(wave, src, lane);
                }
            }
            Step::Uniform { dst, src, .. } => {
                wave.scalars[dst as usize] = word(wave, src[0], 0);
            }
            Step::WriteLane { dst, value, lane } => {
                let (value, lane) = (word(wave, value, 0), word(wave, lane, 0));
                wave.rows[dst as usize].0[lane as usize] = value;
            }
            Step::ReadLane { dst, src, lane } => {
                let lane = word(wave, lane, 0) as usize;
                wave.scalars[dst as usize] = wave.rows[src as usize].0[lane];
            }
            _ => panic!("{step:?} is not of these programs"),
        }
    }
}

/// Straight runs, whole and cut by a branch that leads to the next step.
pub fn chains<E: Engine>(engine: &E) {
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed + 1);
        let mut steps = Vec::new();
        while steps.len() < STEPS {
            match random.word() % 8 {
                0 => steps.extend(three(&mut random)),
                1 => steps.extend(packed(&mut random)),
                _ => steps.push(step(&mut random)),
            }
        }
        let mut cut = steps.clone();
        let at = random.word() as usize % steps.len();
        cut.insert(
            at,
            Step::Branch {
                when: When::Zero(2),
                to: at as u32 + 1,
            },
        );
        let before = random.wave(ROWS, SCALARS, MASKS[seed as usize % MASKS.len()]);
        let mut expected = before.clone();
        follow(&steps, &mut expected);
        for steps in [steps, cut] {
            let program = straight(steps, ROWS, SCALARS);
            let mut after = before.clone();
            let prepared = engine.prepare(&program).unwrap();
            engine.run(&prepared, &mut after, &mut NoPorts).unwrap();
            assert_same(&after, &expected, seed, &program);
        }
    }
}
