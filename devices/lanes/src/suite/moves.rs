//! Selection, single lanes, run-time register numbers and swizzles.

use super::{EXEC, MASKS, Random, run, straight};
use crate::engine::Engine;
use crate::op::LaneOp;
use crate::step::{Move, Program, Src, Step, Swizzle};
use crate::wave::{LANES, Row, Wave};

const ROWS: u16 = 8;
const SCALARS: u16 = 12;

/// Runs one step on a wave of random registers and returns the wave before and after.
fn one<E: Engine>(engine: &E, step: Step, exec: u64, edit: impl Fn(&mut Wave)) -> [Wave; 2] {
    let program = straight(vec![step], ROWS, SCALARS);
    let mut before = Random::new(exec ^ 5).wave(ROWS, SCALARS, exec);
    edit(&mut before);
    let mut after = before.clone();
    run(engine, &program, &mut after).unwrap();
    [before, after]
}

/// The row that holds `value` where enabled and the old row elsewhere.
fn blend(old: &Row, exec: u64, value: impl Fn(usize) -> u32) -> Row {
    Row(std::array::from_fn(|lane| match exec >> lane & 1 {
        1 => value(lane),
        _ => old.0[lane],
    }))
}

/// Checks that `dst` holds `value` in enabled lanes and that nothing else changed.
fn check_row([before, after]: [Wave; 2], dst: usize, value: impl Fn(&Wave, usize) -> u32) {
    let mut expected = before.clone();
    let exec = before.mask(EXEC);
    expected.rows[dst] = blend(&before.rows[dst], exec, |lane| value(&before, lane));
    assert_eq!(after.rows, expected.rows);
    assert_eq!(after.scalars, expected.scalars);
}

/// `Step::Select` in every combination of operands.
pub fn select<E: Engine>(engine: &E) {
    let sources = [Src::Row(1), Src::Row(3), Src::Scalar(6), Src::Const(9)];
    for exec in MASKS {
        for no in sources {
            for yes in sources {
                let step = Step::Select {
                    dst: 3,
                    mask: 4,
                    no,
                    yes,
                };
                let waves = one(engine, step, exec, |_| {});
                check_row(waves, 3, |wave, lane| {
                    let src = if wave.mask(4) >> lane & 1 == 1 {
                        yes
                    } else {
                        no
                    };
                    match src {
                        Src::Row(at) => wave.rows[at as usize].0[lane],
                        uniform => wave.uniform(uniform),
                    }
                });
            }
        }
    }
}

/// Reads and writes of one lane, and lane numbers.
pub fn lanes<E: Engine>(engine: &E) {
    for exec in MASKS {
        for lane in [0, 5, 63, 64 + 7, u32::MAX] {
            let at = lane as usize % LANES;
            let step = Step::ReadLane {
                dst: 5,
                src: 2,
                lane: Src::Const(lane),
            };
            let [before, after] = one(engine, step, exec, |_| {});
            assert_eq!(after.scalars[5], before.rows[2].0[at]);

            let step = Step::WriteLane {
                dst: 2,
                value: Src::Scalar(7),
                lane: Src::Scalar(6),
            };
            let [before, after] = one(engine, step, exec, |wave| wave.scalars[6] = lane);
            let mut expected = before.rows.clone();
            expected[2].0[at] = before.scalars[7];
            assert_eq!(after.rows, expected);
        }
        let step = Step::ReadFirstLane { dst: 5, src: 2 };
        let [before, after] = one(engine, step, exec, |_| {});
        let first = if exec == 0 { 0 } else { exec.trailing_zeros() };
        assert_eq!(after.scalars[5], before.rows[2].0[first as usize]);

        let waves = one(engine, Step::LaneId { dst: 1 }, exec, |_| {});
        check_row(waves, 1, |_, lane| lane as u32);
    }
    writes_of_the_mask(engine);
}

/// A step that changes the execution mask counts for the next one.
fn writes_of_the_mask<E: Engine>(engine: &E) {
    let set = [
        Step::Uniform {
            op: LaneOp::Mov,
            dst: EXEC,
            src: [Src::Const(0xf0), Src::Const(0), Src::Const(0)],
        },
        Step::Compare {
            op: LaneOp::ULt,
            dst: EXEC,
            src: [Src::Row(0), Src::Const(8), Src::Const(0)],
        },
        Step::ReadLane {
            dst: EXEC + 1,
            src: 0,
            lane: Src::Const(3),
        },
        Step::Relative {
            kind: Move::ToScalar,
            dst: EXEC,
            base: 4,
            index: Src::Const(1),
            end: 4,
        },
    ];
    for step in set {
        let steps = vec![step, Step::LaneId { dst: 1 }, Step::End];
        let program = Program {
            origins: vec![Default::default(); steps.len()],
            steps,
            rows: 2,
            scalars: 5,
            exec: EXEC,
            ..Program::default()
        };
        let mut wave = Wave::new(2, 5);
        wave.rows[0] = Row(std::array::from_fn(|lane| lane as u32));
        wave.scalars[4] = 0x55;
        wave.set_mask(EXEC, 0xff00);
        run(engine, &program, &mut wave).unwrap();
        let exec = wave.mask(EXEC);
        assert_ne!(exec, 0xff00);
        let expected = blend(&Row::ZERO, exec, |lane| lane as u32);
        assert_eq!(wave.rows[1], expected, "{step:?}");
    }
}

/// Moves with a register number known at run time, in and out of range.
pub fn relative<E: Engine>(engine: &E) {
    for exec in MASKS {
        for index in [0, 1, 4, 5, 6, 100, u32::MAX] {
            let step = |kind, end| Step::Relative {
                kind,
                dst: 1,
                base: 2,
                index: Src::Scalar(9),
                end,
            };
            let edit = |wave: &mut Wave| wave.scalars[9] = index;
            let at = |first: u64, end: u64| {
                let at = first + u64::from(index);
                (at < end).then_some(at as usize)
            };

            let waves = one(engine, step(Move::FromRow, 7), exec, edit);
            check_row(waves, 1, |wave, lane| {
                wave.rows[at(2, 7).unwrap_or(2)].0[lane]
            });

            let [before, after] = one(engine, step(Move::ToRow, 7), exec, edit);
            match at(1, 7) {
                Some(dst) => check_row([before, after], dst, |wave, lane| wave.rows[2].0[lane]),
                None => assert_eq!(after.rows, before.rows),
            }

            let [before, after] = one(engine, step(Move::FromScalar, 7), exec, edit);
            assert_eq!(after.scalars[1], before.scalars[at(2, 7).unwrap_or(2)]);

            let [before, after] = one(engine, step(Move::ToScalar, 7), exec, edit);
            let mut expected = before.scalars.clone();
            if let Some(dst) = at(1, 7) {
                expected[dst] = before.scalars[2];
            }
            assert_eq!(after.scalars, expected);
        }
    }
}

/// Exchange inside quads and inside 32 lanes.
pub fn swizzles<E: Engine>(engine: &E) {
    for exec in MASKS {
        for dst in [1, 2] {
            for lanes in [[0, 0, 0, 0], [2, 2, 2, 2], [1, 0, 3, 2], [3, 3, 1, 0]] {
                let pattern = Swizzle::Quad(lanes);
                let step = Step::Swizzle {
                    dst,
                    src: 2,
                    pattern,
                };
                check_row(one(engine, step, exec, |_| {}), dst.into(), |wave, lane| {
                    wave.rows[2].0[lane / 4 * 4 + lanes[lane % 4] as usize]
                });
            }
            for (and, or, xor) in [
                (31, 0, 1),
                (0, 7, 0),
                (24, 3, 16),
                (31, 31, 31),
                (28, 0, 0),
                (28, 1, 3),
                (28, 3, 0),
                (28, 0, 1),
            ] {
                let pattern = Swizzle::Bits { and, or, xor };
                let step = Step::Swizzle {
                    dst,
                    src: 2,
                    pattern,
                };
                check_row(one(engine, step, exec, |_| {}), dst.into(), |wave, lane| {
                    let low = lane as u8 % 32;
                    let from = usize::from(((low & and) | or) ^ xor) + lane / 32 * 32;
                    match exec >> from & 1 {
                        1 => wave.rows[2].0[from],
                        _ => 0,
                    }
                });
            }
        }
    }
}
