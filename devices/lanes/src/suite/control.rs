//! Branches, jumps, ports, traps and the watchdog.

use std::ops::Range;

use super::{EXEC, NoPorts, run};
use crate::builder::Builder;
use crate::engine::{Engine, Stop};
use crate::op::{LaneOp, WideOp};
use crate::step::{Origin, Program, Src, Step, When};
use crate::wave::{Batch, Fault, PortFault, Ports, Row, Wave};

/// Scalar that programs count in.
const COUNT: u16 = 4;

fn set(scalar: u16, value: u32) -> Step {
    Step::Uniform {
        op: LaneOp::Mov,
        dst: scalar,
        src: [Src::Const(value), Src::Const(0), Src::Const(0)],
    }
}

fn add(b: &mut Builder, scalar: u16, value: u32) {
    b.uniform(
        LaneOp::IAdd,
        scalar,
        &[Src::Scalar(scalar), Src::Const(value)],
    );
}

/// Every condition, taken and not taken, and a loop.
pub fn branches<E: Engine>(engine: &E) {
    let conditions = [
        (When::Always, 0, 0, true),
        (When::Zero(2), 0, 1, true),
        (When::Zero(2), 1, 0, false),
        (When::NonZero(2), 1, 0, true),
        (When::NonZero(2), 0, 1, false),
        (When::MaskZero(2), 0, 0, true),
        (When::MaskZero(2), 0, 1, false),
        (When::MaskNonZero(2), 0, 1, true),
        (When::MaskNonZero(2), 0, 0, false),
    ];
    for (when, low, high, taken) in conditions {
        let mut b = Builder::new(EXEC);
        let label = b.label();
        b.push(set(COUNT, 1));
        b.branch(when, label);
        b.push(set(COUNT, 2));
        b.place(label);
        let mut wave = Wave::new(0, 8);
        wave.scalars[2] = low;
        wave.scalars[3] = high;
        run(engine, &b.finish(0, 8), &mut wave).unwrap();
        assert_eq!(wave.scalars[COUNT as usize] == 1, taken, "{when:?}");
    }

    // Adds 3 to a row ten times, in one lane only.
    let mut b = Builder::new(EXEC);
    let again = b.label();
    b.place(again);
    b.alu(LaneOp::IAdd, 0, &[Src::Row(0), Src::Const(3)]);
    add(&mut b, COUNT, 1);
    b.uniform(LaneOp::ULt, 5, &[Src::Scalar(COUNT), Src::Const(10)]);
    b.branch(When::NonZero(5), again);
    let mut wave = Wave::new(1, 8);
    wave.set_mask(EXEC, 1 << 40);
    run(engine, &b.finish(1, 8), &mut wave).unwrap();
    let mut expected = Row::ZERO;
    expected.0[40] = 30;
    assert_eq!(wave.rows[0], expected);
}

/// Jumps through the entries, and to an address that is none.
pub fn indirect<E: Engine>(engine: &E) {
    let mut b = Builder::new(EXEC);
    b.push(Step::Indirect { target: 2 });
    b.entry(0x1_0000_0040);
    b.push(set(COUNT, 1));
    b.push(Step::End);
    b.entry(0x20);
    b.push(set(COUNT, 2));
    b.push(Step::End);
    let program = b.finish(0, 8);
    for (target, count) in [(0x20, 2), (0x1_0000_0040, 1)] {
        let mut wave = Wave::new(0, 8);
        wave.set_mask(2, target);
        run(engine, &program, &mut wave).unwrap();
        assert_eq!(wave.scalars[COUNT as usize], count);
    }
    let mut wave = Wave::new(0, 8);
    wave.set_mask(2, 0x40);
    let fault = Fault::InvalidJumpTarget { target: 0x40 };
    let stop = run(engine, &program, &mut wave).unwrap_err();
    assert_eq!((stop.fault, stop.step), (fault, 0));
}

/// Adds the port number to lane 0 of row 0; port 9 faults, port 7 disables all lanes.
struct Adder;

impl Ports for Adder {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            match port {
                9 => {
                    let (lane, address) = (3, 0x123);
                    return Err(Fault::Address { lane, address });
                }
                7 => wave.set_mask(EXEC, 0),
                _ => wave.rows[0].0[0] += port,
            }
            Ok(())
        })
    }
}

/// Ports see and change the wave; their faults stop it.
pub fn ports<E: Engine>(engine: &E) {
    let program = |last: u32| {
        let mut b = Builder::new(EXEC);
        b.alu(LaneOp::Mov, 0, &[Src::Const(5)]);
        b.push(Step::Port { port: 1 });
        b.alu(LaneOp::IAdd, 1, &[Src::Row(0), Src::Const(0)]);
        let (pc, word) = (0x40, 0xabcd);
        b.origin(Origin { pc, word });
        b.push(Step::Port { port: last });
        b.alu(LaneOp::IAdd, 1, &[Src::Row(1), Src::Const(100)]);
        b.finish(2, 8)
    };
    let wave = || {
        let mut wave = Wave::new(2, 8);
        wave.set_mask(EXEC, u64::MAX);
        wave
    };
    let run = |last, wave: &mut Wave| {
        let prepared = engine.prepare(&program(last)).unwrap();
        engine.run(&prepared, wave, &mut Adder)
    };
    let mut good = wave();
    run(2, &mut good).unwrap();
    assert_eq!((good.rows[0].0[0], good.rows[1].0[0]), (8, 106));
    let mut none = wave();
    run(7, &mut none).unwrap();
    assert_eq!((none.rows[1].0[0], none.rows[1].0[63]), (6, 5));

    let mut bad = wave();
    let stop = run(9, &mut bad).unwrap_err();
    let (lane, address) = (3, 0x123);
    let fault = Fault::Address { lane, address };
    let (pc, word) = (0x40, 0xabcd);
    let origin = Origin { pc, word };
    let step = 3;
    assert_eq!(
        stop,
        Stop {
            fault,
            step,
            origin
        }
    );
    port_runs(engine);
}

/// Writes down the ports called; port 12 faults.
struct Trace(Vec<u32>);

impl Ports for Trace {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            self.0.push(port);
            match port {
                12 => Err(Fault::Address {
                    lane: wave.scalars[COUNT as usize],
                    address: 0,
                }),
                _ => Ok(()),
            }
        })
    }
}

/// Consecutive ports run in order, branch targets included, and a fault names its own step.
fn port_runs<E: Engine>(engine: &E) {
    let run = |ports: &[u32], from: usize| {
        let mut b = Builder::new(EXEC);
        let label = b.label();
        b.branch(When::Always, label);
        for (n, port) in ports.iter().enumerate() {
            if n == from {
                b.place(label);
            }
            let pc = 8 * n as u32;
            b.origin(Origin { pc, word: 7 });
            b.push(Step::Port { port: *port });
        }
        let prepared = engine.prepare(&b.finish(0, 8)).unwrap();
        let mut trace = Trace(Vec::new());
        let stop = engine.run(&prepared, &mut Wave::new(0, 8), &mut trace);
        (trace.0, stop.err().map(|stop| (stop.step, stop.origin.pc)))
    };
    assert_eq!(run(&[3, 4, 5, 9, 10], 0), (vec![3, 4, 5, 9, 10], None));
    assert_eq!(run(&[3, 4, 5, 6], 2), (vec![5, 6], None));
    for (ports, from, called) in [
        (&[10, 11, 12, 13][..], 0, vec![10, 11, 12]),
        (&[10, 11, 12][..], 1, vec![11, 12]),
        (&[4, 11, 12, 13, 14][..], 0, vec![4, 11, 12]),
    ] {
        assert_eq!(run(ports, from), (called, Some((3, 16))));
    }
}

/// An illegal instruction stops with its reason.
pub fn traps<E: Engine>(engine: &E) {
    let mut b = Builder::new(EXEC);
    b.push(set(COUNT, 1));
    b.trap("there is no opcode 127");
    let mut wave = Wave::new(0, 8);
    let stop = run(engine, &b.finish(0, 8), &mut wave).unwrap_err();
    let reason = "there is no opcode 127".to_string();
    assert_eq!((stop.fault, stop.step), (Fault::Illegal { reason }, 1));
    assert_eq!(wave.scalars[COUNT as usize], 1);
}

/// An endless loop is stopped when it has cost its limit, 32 an iteration; instructions are counted.
pub fn watchdog<E: Engine>(engine: &E) {
    let mut b = Builder::new(EXEC);
    let again = b.label();
    b.place(again);
    b.push(Step::Tick { instructions: 3 });
    add(&mut b, COUNT, 1);
    b.branch(When::Always, again);
    let mut wave = Wave::new(0, 8);
    wave.limit = 1000;
    let stop = run(engine, &b.finish(0, 8), &mut wave).unwrap_err();
    assert_eq!(stop.fault, Fault::Runaway { limit: 1000 });
    assert_eq!((wave.instructions, wave.scalars[COUNT as usize]), (96, 31));
}

/// A wave with too few registers is refused; one with more is not.
pub fn wrong_wave<E: Engine>(engine: &E) {
    let program = Program {
        steps: vec![
            Step::UniformWide {
                op: WideOp::Mov64,
                dst: 2,
                src: [Src::Const(7), Src::Const(0), Src::Const(0)],
            },
            Step::End,
        ],
        origins: vec![Origin::default(); 2],
        rows: 3,
        scalars: 4,
        exec: EXEC,
        ..Program::default()
    };
    let prepared = engine.prepare(&program).unwrap();
    for (rows, scalars, good) in [(3, 4, true), (9, 9, true), (2, 4, false), (3, 3, false)] {
        let mut wave = Wave::new(rows, scalars);
        let result = engine.run(&prepared, &mut wave, &mut NoPorts);
        match result {
            Ok(()) => assert!(good && wave.mask(2) == 7),
            Err(stop) => {
                assert!(!good);
                let (needed_rows, needed_scalars) = (3, 4);
                let expected = Fault::Registers {
                    rows,
                    scalars,
                    needed_rows,
                    needed_scalars,
                };
                assert_eq!(stop.fault, expected);
            }
        }
    }
}
