//! Every operation on awkward values equals its `eval`.

use super::{AWKWARD, EXEC, MASKS, NoPorts, Random};
use crate::engine::Engine;
use crate::op::{LaneOp, Operand, WideOp};
use crate::step::{Program, Src, Step};
use crate::validate::width;
use crate::wave::{LANES, Row, Wave};

/// Rows 0 to 5 and scalars 2 to 7 are operands; results begin behind them.
const OPERANDS: u16 = 6;
const FIRST_SCALAR: u16 = 2;
const RESULTS: u16 = 8;

/// Where the three operands of a program come from: bit `i` set makes operand `i` uniform.
const SHAPES: u32 = 8;

/// Operand `index`; `single` names consecutive registers, else every second one begins a pair.
fn operand(index: usize, shape: u32, wide: bool) -> Src {
    let at = index as u16 * if wide { 2 } else { 1 };
    match shape >> index & 1 {
        0 => Src::Row(at),
        _ if index == 2 => Src::Const(AWKWARD[17]),
        _ => Src::Scalar(FIRST_SCALAR + at),
    }
}

fn operands(shape: u32, wide: bool) -> [Src; 3] {
    std::array::from_fn(|index| operand(index, shape, wide))
}

/// A program with one step per operation.
fn program(steps: impl Iterator<Item = Step>, results: usize) -> Program {
    let mut steps: Vec<Step> = steps.collect();
    steps.push(Step::End);
    Program {
        origins: vec![Default::default(); steps.len()],
        steps,
        rows: RESULTS + results as u16,
        scalars: RESULTS + results as u16,
        exec: EXEC,
        ..Program::default()
    }
}

/// The first round whose rows hold moderate numbers only.
const MODERATE: usize = 44;

/// A wave with operands: all pairs of awkward values first, then random ones.
fn wave(program: &Program, round: usize, random: &mut Random) -> Wave {
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    for at in 0..usize::from(OPERANDS) {
        wave.rows[at] = Row(std::array::from_fn(|_| random.value()));
        wave.scalars[usize::from(FIRST_SCALAR) + at] = random.value();
    }
    for row in &mut wave.rows[RESULTS as usize..] {
        *row = Row::splat(0xdead_beef);
    }
    for lane in 0..LANES {
        let pair = round * LANES + lane;
        if pair < AWKWARD.len() * AWKWARD.len() {
            wave.rows[0].0[lane] = AWKWARD[pair % AWKWARD.len()];
            wave.rows[1].0[lane] = AWKWARD[pair / AWKWARD.len()];
        }
    }
    // Engines have short ways for chunks of moderate numbers.
    if round >= MODERATE {
        for row in &mut wave.rows[..usize::from(OPERANDS)] {
            *row = Row(std::array::from_fn(|_| random.moderate()));
        }
    }
    wave.set_mask(EXEC, MASKS[(round / 2) % MASKS.len() * (round % 2)]);
    wave
}

/// Runs the program on many waves and hands both states to `check`.
fn rounds<E: Engine>(engine: &E, program: &Program, seed: u64, check: impl Fn(&Wave, &Wave)) {
    let prepared = engine.prepare(program).unwrap();
    let mut random = Random::new(seed);
    for round in 0..60 {
        let before = wave(program, round, &mut random);
        let mut after = before.clone();
        engine.run(&prepared, &mut after, &mut NoPorts).unwrap();
        check(&before, &after);
    }
}

/// The operands of a lane as 32-bit words.
fn args(wave: &Wave, src: [Src; 3], lane: usize) -> [u32; 3] {
    src.map(|src| word(wave, src, lane))
}

fn word(wave: &Wave, src: Src, lane: usize) -> u32 {
    match src {
        Src::Row(at) => wave.rows[at as usize].0[lane],
        Src::Scalar(at) => wave.scalars[at as usize],
        Src::Const(value) => value,
    }
}

/// The operands of a lane as the wide operation takes them.
fn wide_args(wave: &Wave, op: WideOp, src: [Src; 3], lane: usize) -> [u64; 3] {
    std::array::from_fn(|index| {
        let low = u64::from(word(wave, src[index], lane));
        let pair = op.params().get(index).is_some_and(|&p| width(p) == 2);
        let high = match src[index] {
            Src::Row(at) if pair => word(wave, Src::Row(at + 1), lane),
            Src::Scalar(at) if pair => word(wave, Src::Scalar(at + 1), lane),
            _ => 0,
        };
        low | u64::from(high) << 32
    })
}

/// The sources of an operation, unused ones zero.
fn used(src: [Src; 3], count: usize) -> [Src; 3] {
    std::array::from_fn(|index| {
        if index < count {
            src[index]
        } else {
            Src::Const(0)
        }
    })
}

/// `Step::Alu`, also onto one of its own operands.
pub fn alu<E: Engine>(engine: &E) {
    for shape in 0..SHAPES {
        let src = operands(shape, false);
        let steps = LaneOp::ALL
            .iter()
            .enumerate()
            .map(|(index, &op)| Step::Alu {
                op,
                dst: RESULTS + index as u16,
                src: used(src, op.params().len()),
            });
        let program = program(steps, LaneOp::ALL.len());
        rounds(engine, &program, shape.into(), |before, after| {
            let exec = before.mask(EXEC);
            for (index, &op) in LaneOp::ALL.iter().enumerate() {
                let dst = usize::from(RESULTS) + index;
                let src = used(src, op.params().len());
                for lane in 0..LANES {
                    let args = args(before, src, lane);
                    let expected = match exec >> lane & 1 {
                        1 => op.eval(args),
                        _ => before.rows[dst].0[lane],
                    };
                    let actual = after.rows[dst].0[lane];
                    assert_eq!(actual, expected, "{op:?} {args:x?} {shape} lane {lane}");
                    check_nan(op, actual);
                }
            }
        });
    }
    in_place(engine);
}

/// Arithmetic gives one NaN only.
fn check_nan(op: LaneOp, result: u32) {
    use LaneOp::*;
    let keeps_bits = matches!(op, FMinLegacy | FMaxLegacy | FFrexpMant);
    if op.result() == Operand::F32 && !keeps_bits && f32::from_bits(result).is_nan() {
        assert!(
            [0x7fc0_0000, 0xdead_beef].contains(&result),
            "{op:?} gave NaN {result:#x}"
        );
    }
}

/// The same in double precision.
fn check_nan_wide(op: WideOp, result: u64) {
    let arithmetic = op.result() == Operand::F64 && op != WideOp::DFrexpMant;
    if arithmetic && f64::from_bits(result).is_nan() {
        let canonical = 0x7ff8_0000_0000_0000;
        assert_eq!(result, canonical, "{op:?} gave NaN {result:#x}");
    }
}

fn in_place<E: Engine>(engine: &E) {
    for &op in LaneOp::ALL {
        for dst in 0..op.params().len() as u16 {
            let src = used(operands(0, false), op.params().len());
            let program = program([Step::Alu { op, dst, src }].into_iter(), 0);
            let prepared = engine.prepare(&program).unwrap();
            for round in [0, 1, 8, 9] {
                let before = wave(&program, round, &mut Random::new(dst.into()));
                let mut after = before.clone();
                engine.run(&prepared, &mut after, &mut NoPorts).unwrap();
                for lane in 0..LANES {
                    let args = args(&before, src, lane);
                    let enabled = before.mask(EXEC) >> lane & 1 == 1;
                    let expected = if enabled {
                        op.eval(args)
                    } else {
                        args[dst as usize]
                    };
                    let actual = after.rows[dst as usize].0[lane];
                    assert_eq!(actual, expected, "{op:?} {args:x?} onto operand {dst}");
                }
            }
        }
    }
}

/// `Step::Compare`.
pub fn compare<E: Engine>(engine: &E) {
    for shape in 0..SHAPES {
        let src = operands(shape, false);
        let steps = LaneOp::ALL
            .iter()
            .enumerate()
            .map(|(index, &op)| Step::Compare {
                op,
                dst: RESULTS + 2 * index as u16,
                src: used(src, op.params().len()),
            });
        let program = program(steps, 2 * LaneOp::ALL.len());
        rounds(engine, &program, shape.into(), |before, after| {
            let exec = before.mask(EXEC);
            for (index, &op) in LaneOp::ALL.iter().enumerate() {
                let src = used(src, op.params().len());
                let holds = |lane| op.eval(args(before, src, lane)) != 0;
                let expected =
                    (0..LANES).fold(0, |mask, lane| mask | u64::from(holds(lane)) << lane);
                let actual = after.mask(RESULTS + 2 * index as u16);
                assert_eq!(actual, expected & exec, "{op:?} {src:?} {exec:x}");
            }
        });
    }
}

/// `Step::Uniform`.
pub fn uniform<E: Engine>(engine: &E) {
    let src = operands(7, false);
    let steps = LaneOp::ALL
        .iter()
        .enumerate()
        .map(|(index, &op)| Step::Uniform {
            op,
            dst: RESULTS + index as u16,
            src: used(src, op.params().len()),
        });
    let program = program(steps, LaneOp::ALL.len());
    rounds(engine, &program, 7, |before, after| {
        for (index, &op) in LaneOp::ALL.iter().enumerate() {
            let args = args(before, used(src, op.params().len()), 0);
            let actual = after.scalars[usize::from(RESULTS) + index];
            assert_eq!(actual, op.eval(args), "{op:?} {args:x?}");
        }
    });
}

/// `Step::Wide`, also onto its own operands and half over them.
pub fn wide<E: Engine>(engine: &E) {
    for shape in 0..SHAPES {
        let src = operands(shape, true);
        let steps = WideOp::ALL
            .iter()
            .enumerate()
            .map(|(index, &op)| Step::Wide {
                op,
                dst: RESULTS + 2 * index as u16,
                src: used(src, op.params().len()),
            });
        let program = program(steps, 2 * WideOp::ALL.len());
        rounds(engine, &program, shape.into(), |before, after| {
            for (index, &op) in WideOp::ALL.iter().enumerate() {
                let src = used(src, op.params().len());
                check_wide(before, after, op, usize::from(RESULTS) + 2 * index, src);
            }
        });
    }
    for &op in WideOp::ALL {
        for dst in 0..5 {
            let src = used(operands(0, true), op.params().len());
            let program = program([Step::Wide { op, dst, src }].into_iter(), 0);
            rounds(engine, &program, dst.into(), |before, after| {
                check_wide(before, after, op, dst.into(), src);
            });
        }
    }
}

fn check_wide(before: &Wave, after: &Wave, op: WideOp, dst: usize, src: [Src; 3]) {
    for lane in 0..LANES {
        let args = wide_args(before, op, src, lane);
        let (low, high) = (before.rows[dst].0[lane], before.rows[dst + 1].0[lane]);
        let old = u64::from(low) | u64::from(high) << 32;
        let expected = match (before.mask(EXEC) >> lane & 1, width(op.result())) {
            (0, _) => old,
            (_, 1) => old & !0xffff_ffff | op.eval(args),
            _ => op.eval(args),
        };
        let (low, high) = (after.rows[dst].0[lane], after.rows[dst + 1].0[lane]);
        let actual = u64::from(low) | u64::from(high) << 32;
        assert_eq!(actual, expected, "{op:?} {args:x?} onto row {dst}");
        if before.mask(EXEC) >> lane & 1 == 1 {
            check_nan_wide(op, actual);
        }
    }
}

/// `Step::CompareWide`.
pub fn compare_wide<E: Engine>(engine: &E) {
    for shape in 0..SHAPES {
        let src = operands(shape, true);
        let steps = WideOp::ALL
            .iter()
            .enumerate()
            .map(|(index, &op)| Step::CompareWide {
                op,
                dst: RESULTS + 2 * index as u16,
                src: used(src, op.params().len()),
            });
        let program = program(steps, 2 * WideOp::ALL.len());
        rounds(engine, &program, shape.into(), |before, after| {
            let exec = before.mask(EXEC);
            for (index, &op) in WideOp::ALL.iter().enumerate() {
                let src = used(src, op.params().len());
                let holds = |lane| op.eval(wide_args(before, op, src, lane)) != 0;
                let expected =
                    (0..LANES).fold(0, |mask, lane| mask | u64::from(holds(lane)) << lane);
                let actual = after.mask(RESULTS + 2 * index as u16);
                assert_eq!(actual, expected & exec, "{op:?} {src:?} {exec:x}");
            }
        });
    }
}

/// `Step::UniformWide`.
pub fn uniform_wide<E: Engine>(engine: &E) {
    let src = operands(7, true);
    let steps = WideOp::ALL
        .iter()
        .enumerate()
        .map(|(index, &op)| Step::UniformWide {
            op,
            dst: RESULTS + 2 * index as u16,
            src: used(src, op.params().len()),
        });
    let program = program(steps, 2 * WideOp::ALL.len());
    rounds(engine, &program, 7, |before, after| {
        for (index, &op) in WideOp::ALL.iter().enumerate() {
            let args = wide_args(before, op, used(src, op.params().len()), 0);
            let dst = RESULTS + 2 * index as u16;
            let pair = !matches!(op.result(), Operand::Bool) && width(op.result()) == 2;
            let actual = if pair {
                after.mask(dst)
            } else {
                after.scalars[dst as usize].into()
            };
            assert_eq!(actual, op.eval(args), "{op:?} {args:x?}");
        }
    });
}
