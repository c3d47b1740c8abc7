//! Waves that go side by side leave what each alone leaves.
#![allow(clippy::unwrap_used)]

use std::ops::Range;

use lanes::{
    Engine, Fault, Interpreter, LaneOp, Move, Origin, PortEffects, Ports, Program, SimdLevel, Src,
    Step, Stop, Wave, Waves, When, WideOp,
};
use proptest::prelude::*;

const ROWS: u16 = 4;
const SCALARS: u16 = 12;
/// The execution mask.
const EXEC: u16 = 8;
/// A pair for other masks.
const MASK: u16 = 4;
/// Another.
const SAVED: u16 = 10;
/// A scalar that waves have of their own even where they start with the same ones.
const OWN: u16 = 3;

/// Ports that count in a row; those with odd numbers fail in a wave whose scalar 1 is 0. Behind them, ports that write
/// scalars: see [`port_effects`].
struct Counting;

const FROM_SCALARS: u32 = 8;
const FROM_OTHERS: u32 = 9;
const FROM_LANES: u32 = 10;

/// What the ports say of themselves.
fn port_effects() -> Vec<PortEffects> {
    let counting = |port: u32| PortEffects {
        reads_rows: vec![port as u16 % ROWS],
        writes_rows: vec![port as u16 % ROWS],
        reads_scalars: vec![1],
        may_fail: port % 2 == 1,
        ..PortEffects::default()
    };
    let uniform = |reads: &[u16], writes: &[u16]| PortEffects {
        reads_scalars: reads.to_vec(),
        writes_scalars: writes.to_vec(),
        overwrites: true,
        wave_uniform: true,
        may_fail: true,
        ..PortEffects::default()
    };
    let mut ports: Vec<PortEffects> = (0..8).map(counting).collect();
    ports.extend([
        uniform(&[0], &[6, 7, 2]),
        uniform(&[6, 1], &[3]),
        PortEffects {
            reads_rows: vec![0],
            writes_scalars: vec![7],
            ..PortEffects::default()
        },
    ]);
    ports
}

fn fault(port: u32) -> Fault {
    Fault::Illegal {
        reason: format!("port {port}"),
    }
}

impl Ports for Counting {
    fn call(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let scalars = &mut wave.scalars;
        match port {
            FROM_SCALARS if scalars[0] == 2 => return Err(fault(port)),
            FROM_SCALARS => {
                scalars[6] = scalars[0].wrapping_add(1);
                (scalars[7], scalars[2]) = (2, scalars[0] ^ 1);
            }
            FROM_OTHERS => scalars[3] = scalars[6].wrapping_sub(scalars[1]),
            FROM_LANES => scalars[7] = wave.rows[0].0[5],
            _ if port % 2 == 1 && scalars[1] == 0 => return Err(fault(port)),
            _ => {
                for lane in &mut wave.rows[port as usize % usize::from(ROWS)].0 {
                    *lane = lane.wrapping_add(port + 1);
                }
            }
        }
        Ok(())
    }
}

struct Group {
    waves: Vec<Wave>,
    /// What they start as.
    first: Vec<Wave>,
    /// Ports that were called for the first wave, and for all.
    called: (u32, u32),
}

impl Group {
    fn new(waves: &[Wave]) -> Group {
        Group {
            waves: vec![Wave::new(ROWS.into(), SCALARS.into()); waves.len()],
            first: waves.to_vec(),
            called: (0, 0),
        }
    }

    /// Performs ports in the first waves. Some have done it when it turns out that others cannot.
    fn perform(&mut self, ports: Range<u32>, waves: usize) -> bool {
        self.waves[..waves].iter_mut().all(|wave| {
            let done = |port| Counting.call(port, wave).is_ok();
            ports.clone().all(done)
        })
    }
}

impl Waves for Group {
    fn count(&self) -> usize {
        self.waves.len()
    }

    fn wave(&mut self, index: usize) -> &mut Wave {
        &mut self.waves[index]
    }

    fn start(&mut self) {
        self.waves.clone_from(&self.first);
    }

    fn alone(
        &mut self,
        index: usize,
        run: impl FnOnce(&mut Wave, &mut dyn Ports) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        run(&mut self.waves[index], &mut Counting)
    }

    fn call_run(&mut self, first: u32, count: u32) -> bool {
        self.called.1 += count;
        let waves = self.waves.len();
        self.perform(first..first + count, waves)
    }

    fn call_first(&mut self, first: u32, count: u32) -> bool {
        self.called.0 += count;
        let ports = &port_effects()[first as usize..][..count as usize];
        assert!(ports.iter().all(|port| port.wave_uniform));
        self.perform(first..first + count, 1)
    }
}

/// Steps that change no scalar by what is in lanes.
fn scalar_step() -> impl Strategy<Value = Step> {
    let none = Src::Const(0);
    let small = 0..3u32;
    let pair = || prop_oneof![Just(MASK), Just(SAVED), Just(EXEC)];
    prop_oneof![
        12 => (0..4u16, 0..8u16, small).prop_map(move |(dst, from, value)| Step::Uniform {
            op: LaneOp::ISub,
            dst,
            src: [Src::Scalar(from), Src::Const(value), none],
        }),
        3 => (pair(), pair()).prop_map(move |(dst, from)| Step::UniformWide {
            op: WideOp::Mov64,
            dst,
            src: [Src::Scalar(from), none, none],
        }),
        1 => (pair(), pair()).prop_map(move |(dst, from)| Step::UniformWide {
            op: WideOp::Or64,
            dst,
            src: [Src::Scalar(from), Src::Scalar(dst), none],
        }),
        1 => (0..4u16, 0..4u16, 0..5u32).prop_map(|(dst, base, index)| Step::Relative {
            kind: Move::ToScalar,
            dst,
            base,
            index: Src::Const(index),
            end: 8,
        }),
        2 => (FROM_SCALARS..=FROM_OTHERS).prop_map(|port| Step::Port { port }),
        1 => (0..8u16, 0..24u32).prop_map(|(scalar, to)| Step::Branch { when: When::Zero(scalar), to }),
        1 => (pair(), 0..24u32).prop_map(|(pair, to)| Step::Branch { when: When::MaskZero(pair), to }),
        1 => (0..24u32).prop_map(|to| Step::Branch { when: When::Always, to }),
        1 => (1..5u32).prop_map(|instructions| Step::Tick { instructions }),
        1 => Just(Step::End),
    ]
}

/// Steps of lanes.
fn lane_step() -> impl Strategy<Value = Step> {
    let none = Src::Const(0);
    prop_oneof![
        8 => (0..ROWS, 0..ROWS, 0..8u16).prop_map(move |(dst, row, scalar)| Step::Alu {
            op: LaneOp::IAdd,
            dst,
            src: [Src::Row(row), Src::Scalar(scalar), none],
        }),
        1 => (0..ROWS, 0..8u16).prop_map(|(dst, scalar)| Step::Select {
            dst,
            mask: MASK,
            no: Src::Scalar(scalar),
            yes: Src::Row(dst),
        }),
        1 => (prop_oneof![Just(MASK), Just(EXEC)], 0..ROWS, 0..4u32).prop_map(
            move |(dst, row, value)| Step::Compare {
                op: LaneOp::UGe,
                dst,
                src: [Src::Row(row), Src::Const(value), none],
            }
        ),
        1 => (0..8u16, 0..ROWS).prop_map(|(dst, src)| Step::ReadFirstLane { dst, src }),
        2 => (0..4u32).prop_map(|port| Step::Port { port: 2 * port }),
        1 => (0..4u32).prop_map(|port| Step::Port { port }),
        1 => Just(Step::Port { port: FROM_LANES }),
    ]
}

/// A program of these steps that ends: a branch back leads to a tick.
fn program(before: Vec<Step>, steps: Vec<Step>) -> Program {
    let back = |to: usize| {
        let branch =
            |step: &Step| matches!(step, Step::Branch { to: target, .. } if *target as usize == to);
        steps[to.min(steps.len())..].iter().any(branch)
    };
    let mut program = Program {
        rows: ROWS,
        scalars: SCALARS,
        exec: EXEC,
        steps: before,
        ports: port_effects(),
        ..Program::default()
    };
    let mut places = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        places.push(program.steps.len() as u32);
        if back(n) {
            program.steps.push(Step::Tick { instructions: 9 });
        }
        program.steps.push(*step);
    }
    for step in &mut program.steps {
        if let Step::Branch { to, .. } = step {
            *to = places[*to as usize];
        }
    }
    program.steps.push(Step::End);
    program.origins = vec![Origin::default(); program.steps.len()];
    program
}

/// Runs waves together and each alone, at every level.
fn check(
    program: &Program,
    waves: &[Wave],
    prepare: impl Fn(&Interpreter) -> lanes::Prepared,
) -> Result<(), TestCaseError> {
    for level in SimdLevel::available() {
        let engine = Interpreter::at(level);
        let prepared = prepare(&engine);
        let plain = engine.prepare(program).unwrap();
        let mut group = Group::new(waves);
        let (ended, result) = engine.run_all(&prepared, &mut group);
        prop_assert_eq!(ended < waves.len(), result.is_err());
        for (n, alone) in waves.iter().take(ended + 1).enumerate() {
            let mut alone = alone.clone();
            let expected = engine.run(&plain, &mut alone, &mut Counting);
            prop_assert_eq!(if n == ended { &result } else { &Ok(()) }, &expected);
            let wave = &group.waves[n];
            prop_assert_eq!(&wave.rows, &alone.rows);
            prop_assert_eq!(&wave.scalars, &alone.scalars);
            prop_assert_eq!(wave.instructions, alone.instructions);
        }
    }
    Ok(())
}

/// A wave with these first scalars and all lanes enabled; its rows depend on `seed`.
fn wave(scalars: &[u32], seed: usize) -> Wave {
    let mut wave = Wave::new(ROWS.into(), SCALARS.into());
    wave.scalars[..scalars.len()].copy_from_slice(scalars);
    wave.set_mask(EXEC, u64::MAX);
    wave.set_mask(SAVED, u64::MAX);
    wave.limit = 30;
    for (n, row) in wave.rows.iter_mut().enumerate() {
        row.0 = std::array::from_fn(|lane| ((lane + n + seed) % 5) as u32);
    }
    wave
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn side_by_side_as_alone(
        steps in prop::collection::vec(prop_oneof![scalar_step(), lane_step()], 24),
        scalars in prop::collection::vec(0..3u32, 12),
        disabled in prop_oneof![4 => Just(0), 1 => any::<u64>()],
    ) {
        let program = program(Vec::new(), steps);
        let mut waves: Vec<Wave> = scalars.chunks(4).map(|scalars| wave(scalars, 0)).collect();
        waves[2].set_mask(EXEC, !disabled);
        check(&program, &waves, |engine| engine.prepare(&program).unwrap())?;
    }

    #[test]
    fn with_the_same_scalars_as_alone(
        steps in prop::collection::vec(prop_oneof![2 => scalar_step(), 1 => lane_step()], 24),
        scalars in prop::collection::vec(0..3u32, 8),
        seeds in prop_oneof![Just([0, 0, 0]), Just([0, 1, 0]), Just([2, 1, 0])],
        from_lanes in prop::option::of((0..4u16, 0..ROWS)),
        masks in prop_oneof![
            2 => Just([u64::MAX; 3]),
            1 => prop::array::uniform3(prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)]),
        ],
        own in prop_oneof![1 => Just([0; 3]), 1 => prop::array::uniform3(0..3u32)],
    ) {
        let read = from_lanes.map(|(dst, src)| Step::ReadFirstLane { dst, src });
        let program = program(read.into_iter().collect(), steps);
        let mut waves = seeds.map(|seed| wave(&scalars, seed));
        for ((wave, mask), own) in waves.iter_mut().zip(masks).zip(own) {
            wave.set_mask(EXEC, mask);
            wave.scalars[usize::from(OWN)] = own;
        }
        check(&program, &waves, |engine| {
            engine.prepare_together(&program, &[OWN, EXEC, EXEC + 1]).unwrap()
        })?;
        if masks.iter().all(|mask| *mask == masks[0]) && own.iter().all(|of| *of == own[0]) {
            check(&program, &waves, |engine| {
                engine.prepare_together(&program, &[]).unwrap()
            })?;
        }
    }
}

#[test]
fn what_is_alike_is_done_in_the_first_wave() {
    let text = "rows 4\nscalars 12\nexec s8
        0: s0 = IAdd s1, 0x1 ; 0x0 0x0
        1: port 8 ; 0x0 0x0
        2: port 10 ; 0x0 0x0
        3: v0 = Mov s6 ; 0x0 0x0
        4: s0 = first v0 ; 0x0 0x0
        5: port 8 ; 0x0 0x0
        6: end ; 0x0 0x0";
    let mut program: Program = text.parse().unwrap();
    program.ports = port_effects();
    let engine = Interpreter::new();
    let prepared = engine.prepare_together(&program, &[]).unwrap();
    let waves: Vec<Wave> = (0..3).map(|seed| wave(&[3; 8], seed)).collect();
    let mut group = Group::new(&waves);
    assert_eq!(engine.run_all(&prepared, &mut group), (3, Ok(())));
    assert_eq!(group.called, (1, 2));
    for wave in &group.waves {
        assert_eq!(wave.rows[0].0, [5; 64]);
        assert_eq!(wave.scalars[6], 6);
    }
}
