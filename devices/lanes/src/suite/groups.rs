//! Groups: waves that wait for each other at barriers.

use std::ops::Range;

use super::batch::{CASES, Counting, OWN, STEPS, one_by_one, program, wave};
use super::{EXEC, Random};
use crate::analysis::PortEffects;
use crate::builder::Builder;
use crate::engine::{Engine, Resume};
use crate::op::LaneOp;
use crate::step::{Program, Src, Step, When};
use crate::wave::{Batch, PortFault, Ports, Wave};

/// A scalar that tells waves apart.
const NUMBER: u16 = 4;

/// Calls by port and number of the wave, and how many waves each call had.
#[derive(Default)]
struct Trace {
    calls: Vec<(u32, u32)>,
    waves: Vec<usize>,
}

impl Ports for Trace {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        self.waves.push(batch.waves.len());
        batch.each(ports, |port, wave| {
            self.calls.push((port, wave.scalars[usize::from(NUMBER)]));
            Ok(())
        })
    }
}

/// Runs three waves whose [`NUMBER`] is 0 to 2 as a group.
fn group<E: Engine>(engine: &E, program: &Program) -> (Trace, Vec<Wave>) {
    let listed = PortEffects {
        reads_scalars: vec![NUMBER],
        ..PortEffects::default()
    };
    let program = Program {
        per_wave: vec![NUMBER],
        ports: vec![listed; 7],
        ..program.clone()
    };
    let prepared = engine.prepare(&program).unwrap();
    let mut waves = vec![Wave::new(2, 8); 3];
    for (number, wave) in (0..).zip(&mut waves) {
        wave.set_mask(EXEC, u64::MAX);
        wave.scalars[usize::from(NUMBER)] = number;
    }
    let mut trace = Trace::default();
    let mut stands = [Resume::START; 3];
    engine
        .run_groups(&prepared, &mut waves, &mut stands, &mut trace)
        .unwrap();
    assert!(stands.iter().all(|stand| stand.has_ended()));
    (trace, waves)
}

/// All waves come to a barrier before one goes on, in step or not; a wave that ends is waited for no longer; a wave by
/// itself does not wait.
pub fn barriers<E: Engine>(engine: &E) {
    let mut b = Builder::new(EXEC);
    b.push(Step::Port { port: 1 });
    b.push(Step::Barrier);
    b.push(Step::Port { port: 2 });
    let program = b.finish(2, 8);
    let (trace, _) = group(engine, &program);
    assert_eq!(
        trace.calls,
        [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    );
    let prepared = engine.prepare(&program).unwrap();
    let mut lone = Trace::default();
    engine
        .run(&prepared, &mut Wave::new(2, 8), &mut lone)
        .unwrap();
    assert_eq!(lone.calls, [(1, 0), (2, 0)]);

    // Wave 0 waits at a barrier of its own, wave 1 ends.
    let mut b = Builder::new(EXEC);
    let (other, last) = (b.label(), b.label());
    b.branch(When::NonZero(NUMBER), other);
    b.push(Step::Port { port: 1 });
    b.push(Step::Barrier);
    b.push(Step::Port { port: 2 });
    b.push(Step::End);
    b.place(other);
    b.uniform(LaneOp::ISub, 5, &[Src::Scalar(NUMBER), Src::Const(1)]);
    b.branch(When::NonZero(5), last);
    b.push(Step::Port { port: 3 });
    b.push(Step::End);
    b.place(last);
    b.push(Step::Port { port: 4 });
    b.push(Step::Barrier);
    b.push(Step::Port { port: 5 });
    b.push(Step::Barrier);
    b.push(Step::Port { port: 6 });
    let (trace, _) = group(engine, &b.finish(2, 8));
    let expected = [(1, 0), (3, 1), (4, 2), (2, 0), (5, 2), (6, 2)];
    assert_eq!(trace.calls, expected);
}

/// Waves that parted are a batch again at a port where their scalars agree, and go on for themselves where not.
pub fn meeting<E: Engine>(engine: &E) {
    for agree in [true, false] {
        let mut b = Builder::new(EXEC);
        let join = b.label();
        b.uniform(LaneOp::Mov, 6, &[Src::Const(7)]);
        b.branch(When::Zero(NUMBER), join);
        let value = if agree { 7 } else { 9 };
        b.uniform(LaneOp::Mov, 6, &[Src::Const(value)]);
        b.place(join);
        b.push(Step::Port { port: 1 });
        b.push(Step::Barrier);
        b.push(Step::Port { port: 2 });
        b.uniform(LaneOp::IAdd, 7, &[Src::Scalar(6), Src::Const(1)]);
        b.alu(LaneOp::IAdd, 0, &[Src::Scalar(7), Src::Scalar(NUMBER)]);
        let (trace, waves) = group(engine, &b.finish(2, 8));
        // Neighbours that branch the same way stay a batch.
        let calls = if agree { &[3, 3][..] } else { &[1, 2, 1, 2] };
        assert_eq!(trace.waves, calls);
        for (number, wave) in (0..).zip(&waves) {
            let expected = if number == 0 { 8 } else { value + 1 + number };
            assert_eq!(wave.rows[0].0[5], expected);
        }
    }
}

/// Waves of a group end in the rows that they reach alone, on any way to their barriers.
pub fn random_groups<E: Engine>(engine: &E) {
    for seed in 0..CASES {
        let random = &mut Random::new(seed);
        let steps: Vec<Step> = (0..STEPS)
            .map(|_| match random.below(6) {
                0 => Step::Barrier,
                1..4 => random.scalar_step(),
                _ => random.lane_step(),
            })
            .collect();
        let mut program = program(None, &steps);
        program.per_wave = vec![OWN];
        let waves: Vec<Wave> = (0..4)
            .map(|n| {
                let own = if seed % 2 == 0 { n as u32 } else { 1 };
                wave(&[seed as u32 % 3, 1, 2, own, 0, 0, 1, 3], n)
            })
            .collect();
        check(engine, &program, &waves);
    }
}

/// Runs waves as a group and each alone.
fn check<E: Engine>(engine: &E, program: &Program, waves: &[Wave]) {
    let prepared = engine.prepare(program).unwrap();
    let oracle = engine.prepare(&one_by_one(program)).unwrap();
    let mut group = waves.to_vec();
    let mut stands = vec![Resume::START; waves.len()];
    let ports = &mut Counting::default();
    let stopped = engine.run_groups(&prepared, &mut group, &mut stands, ports);
    for (n, (wave, start)) in group.iter().zip(waves).enumerate() {
        let mut alone = start.clone();
        let result = engine.run(&oracle, &mut alone, &mut Counting::default());
        match &stopped {
            Err(stopped) if stopped.wave != n => continue,
            Err(stopped) => {
                let expected = result.unwrap_err();
                assert_eq!(stopped.stop.fault, expected.fault, "{program}");
                assert_eq!(stopped.stop.step, expected.step / 2, "{program}");
            }
            Ok(()) => assert!(result.is_ok(), "{program}"),
        }
        if stopped.is_ok() {
            assert_eq!(wave.rows, alone.rows, "{program}");
        }
        assert_eq!(wave.instructions, alone.instructions, "{program}");
        assert_eq!(wave.cost, alone.cost, "{program}");
    }
}
