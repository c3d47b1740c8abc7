//! Batches: a wave ends in the same state in a batch as alone.

use std::ops::Range;

use super::Random;
use crate::analysis::PortEffects;
use crate::engine::{Engine, Stop};
use crate::interpret::Interpreter;
use crate::op::{LaneOp, WideOp};
use crate::step::{Move, Origin, Program, Src, Step, When};
use crate::wave::{Batch, Fault, PortFault, Ports, Wave};
use host::SimdLevel;

const ROWS: u16 = 4;
const SCALARS: u16 = 12;
/// The execution mask.
const EXEC: u16 = 8;
/// A pair for other masks.
const MASK: u16 = 4;
/// Another.
const SAVED: u16 = 10;
/// A scalar that waves may start with for themselves.
pub(super) const OWN: u16 = 3;
/// Steps of a random program.
pub(super) const STEPS: u32 = 24;
/// Random programs of a check.
pub(super) const CASES: u64 = 400;

/// Counting ports; odd ones fail in a wave whose scalar 1 is 0. After them, ports that write scalars: see [`effects`].
#[derive(Default)]
pub(super) struct Counting {
    /// Ports called for several waves and for one.
    called: [u32; 2],
}

/// Ports that charge waves and do not look at what these cost.
const CHARGING: [u32; 2] = [4, 6];
const FROM_SCALARS: u32 = 8;
const FROM_OTHERS: u32 = 9;
const FROM_LANES: u32 = 10;

/// What the ports do.
fn effects() -> Vec<PortEffects> {
    let counting = |port: u32| PortEffects {
        reads_rows: vec![port as u16 % ROWS],
        writes_rows: vec![port as u16 % ROWS],
        reads_scalars: vec![1],
        may_fail: port % 2 == 1,
        blind: CHARGING.contains(&port),
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

impl Ports for Counting {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        self.called[usize::from(batch.waves.len() == 1)] += ports.len() as u32;
        batch.each(ports, count)
    }
}

fn count(port: u32, wave: &mut Wave) -> Result<(), Fault> {
    let scalars = &mut wave.scalars;
    let fault = Fault::Address {
        lane: port,
        address: scalars[0].into(),
    };
    match port {
        FROM_SCALARS if scalars[0] == 2 => return Err(fault),
        FROM_SCALARS => {
            scalars[6] = scalars[0].wrapping_add(1);
            (scalars[7], scalars[2]) = (2, scalars[0] ^ 1);
        }
        FROM_OTHERS => scalars[3] = scalars[6].wrapping_sub(scalars[1]),
        FROM_LANES => scalars[7] = wave.rows[0].0[5],
        _ if port % 2 == 1 && scalars[1] == 0 => return Err(fault),
        _ => {
            if CHARGING.contains(&port) {
                let cost = port * (1 + scalars[1] % 8);
                wave.charge(cost.into());
            }
            for lane in &mut wave.rows[port as usize % usize::from(ROWS)].0 {
                *lane = lane.wrapping_add(port + 1);
            }
        }
    }
    Ok(())
}

impl Random {
    pub(super) fn below(&mut self, end: u32) -> u32 {
        self.word() % end
    }

    fn register(&mut self, end: u16) -> u16 {
        self.below(end.into()) as u16
    }

    fn pair(&mut self) -> u16 {
        [MASK, SAVED, EXEC][self.below(3) as usize]
    }

    /// A step that changes no scalar by what is in lanes.
    pub(super) fn scalar_step(&mut self) -> Step {
        let none = Src::Const(0);
        let branch = |when, to| Step::Branch { when, to };
        match self.below(24) {
            0..12 => Step::Uniform {
                op: LaneOp::ISub,
                dst: self.register(4),
                src: [
                    Src::Scalar(self.register(8)),
                    Src::Const(self.below(3)),
                    none,
                ],
            },
            12..15 => Step::UniformWide {
                op: WideOp::Mov64,
                dst: self.pair(),
                src: [Src::Scalar(self.pair()), none, none],
            },
            15 => {
                let dst = self.pair();
                Step::UniformWide {
                    op: WideOp::Or64,
                    dst,
                    src: [Src::Scalar(self.pair()), Src::Scalar(dst), none],
                }
            }
            16 => Step::Relative {
                kind: Move::ToScalar,
                dst: self.register(4),
                base: self.register(4),
                index: Src::Const(self.below(5)),
                end: 8,
            },
            17..19 => Step::Port {
                port: FROM_SCALARS + self.below(2),
            },
            19 => branch(When::Zero(self.register(8)), self.below(STEPS)),
            20 => branch(When::MaskZero(self.pair()), self.below(STEPS)),
            21 => branch(When::Always, self.below(STEPS)),
            22 => Step::Tick {
                instructions: 1 + self.below(4),
            },
            _ => Step::End,
        }
    }

    /// A step of lanes.
    pub(super) fn lane_step(&mut self) -> Step {
        let none = Src::Const(0);
        let dst = self.register(ROWS);
        match self.below(15) {
            0..8 => Step::Alu {
                op: LaneOp::IAdd,
                dst,
                src: [
                    Src::Row(self.register(ROWS)),
                    Src::Scalar(self.register(8)),
                    none,
                ],
            },
            8 => Step::Select {
                dst,
                mask: MASK,
                no: Src::Scalar(self.register(8)),
                yes: Src::Row(dst),
            },
            9 => Step::Compare {
                op: LaneOp::UGe,
                dst: [MASK, EXEC][self.below(2) as usize],
                src: [Src::Row(dst), Src::Const(self.below(4)), none],
            },
            10 => Step::ReadFirstLane {
                dst: self.register(8),
                src: dst,
            },
            11..13 => Step::Port {
                port: 2 * self.below(4),
            },
            13 => Step::Port {
                port: self.below(4),
            },
            _ => Step::Port { port: FROM_LANES },
        }
    }
}

/// A program of these steps that ends: a branch back leads to a tick.
pub(super) fn program(before: Option<Step>, steps: &[Step]) -> Program {
    let back = |to: usize| {
        let branch =
            |step: &Step| matches!(step, Step::Branch { to: target, .. } if *target as usize == to);
        steps[to..].iter().any(branch)
    };
    let mut program = Program {
        rows: ROWS,
        scalars: SCALARS,
        exec: EXEC,
        steps: before.into_iter().collect(),
        ports: effects(),
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

/// The same program with a tick before each step: blocks of at most one step, nothing moves. The oracle.
pub(super) fn one_by_one(program: &Program) -> Program {
    let mut split = Program {
        steps: Vec::new(),
        origins: vec![Origin::default(); 2 * program.steps.len()],
        ..program.clone()
    };
    for step in &program.steps {
        split.steps.push(Step::Tick { instructions: 0 });
        split.steps.push(match *step {
            Step::Branch { when, to } => Step::Branch { when, to: 2 * to },
            step => step,
        });
    }
    split
}

/// A wave with these first scalars and all lanes enabled; its rows depend on `seed`.
pub(super) fn wave(scalars: &[u32], seed: usize) -> Wave {
    let mut wave = Wave::new(ROWS.into(), SCALARS.into());
    wave.scalars[..scalars.len()].copy_from_slice(scalars);
    wave.set_mask(EXEC, u64::MAX);
    wave.set_mask(SAVED, u64::MAX);
    wave.limit = 400;
    for (n, row) in wave.rows.iter_mut().enumerate() {
        row.0 = std::array::from_fn(|lane| ((lane + n + seed) % 5) as u32);
    }
    wave
}

/// Runs waves as a batch and each alone.
fn check<E: Engine>(engine: &E, program: &Program, waves: &[Wave]) {
    let prepared = engine.prepare(program).unwrap();
    let oracle = engine.prepare(&one_by_one(program)).unwrap();
    let mut together = waves.to_vec();
    let result = engine.run_batch(&prepared, &mut together, &mut Counting::default());
    let stopped = result.err();
    let ended = stopped.as_ref().map_or(waves.len(), |stopped| stopped.wave);
    for (n, (wave, start)) in together.iter().zip(waves).take(ended + 1).enumerate() {
        let mut alone = start.clone();
        let result = engine.run(&oracle, &mut alone, &mut Counting::default());
        let expected = result.err().map(|stop| Stop {
            step: stop.step / 2,
            ..stop
        });
        let found = stopped.as_ref().filter(|stopped| stopped.wave == n);
        assert_eq!(
            found.map(|stopped| &stopped.stop),
            expected.as_ref(),
            "{program}"
        );
        if found.is_none() {
            assert_eq!(wave.rows, alone.rows, "{program}");
        }
        assert_eq!(wave.scalars, alone.scalars, "{program}");
        assert_eq!(wave.instructions, alone.instructions, "{program}");
        assert_eq!(wave.cost, alone.cost, "{program}");
    }
}

/// Waves that start with any scalars.
pub fn batches<E: Engine>(engine: &E) {
    for seed in 0..CASES {
        let random = &mut Random::new(seed);
        let steps: Vec<Step> = (0..STEPS)
            .map(|_| match random.below(2) {
                0 => random.scalar_step(),
                _ => random.lane_step(),
            })
            .collect();
        let mut program = program(None, &steps);
        program.per_wave = (0..SCALARS).collect();
        let mut waves: Vec<Wave> = (0..3)
            .map(|_| wave(&[0; 4].map(|_| random.below(3)), 0))
            .collect();
        if random.below(5) == 0 {
            let mask = u64::from(random.word()) << 32 | u64::from(random.word());
            waves[2].set_mask(EXEC, mask);
        }
        check(engine, &program, &waves);
    }
}

/// Waves that start with the same scalars, but for their masks and one.
pub fn uniform_batches<E: Engine>(engine: &E) {
    for seed in 0..CASES {
        let random = &mut Random::new(seed);
        let steps: Vec<Step> = (0..STEPS)
            .map(|_| match random.below(3) {
                0 | 1 => random.scalar_step(),
                _ => random.lane_step(),
            })
            .collect();
        let read = (random.below(2) == 0).then(|| Step::ReadFirstLane {
            dst: random.register(4),
            src: random.register(ROWS),
        });
        let mut program = program(read, &steps);
        program.per_wave = vec![OWN, EXEC, EXEC + 1];
        let scalars = [0; 8].map(|_| random.below(3));
        let seeds = [[0, 0, 0], [0, 1, 0], [2, 1, 0]][random.below(3) as usize];
        let mut waves = seeds.map(|seed| wave(&scalars, seed));
        if random.below(3) == 0 {
            for wave in &mut waves {
                let any = u64::from(random.word()) << 32 | u64::from(random.word());
                let mask = [any, any, any, 0, u64::MAX][random.below(5) as usize];
                wave.set_mask(EXEC, mask);
            }
        }
        if random.below(2) == 0 {
            for wave in &mut waves {
                wave.scalars[usize::from(OWN)] = random.below(3);
            }
        }
        check(engine, &program, &waves);
    }
}

/// What is uniform is done in the first wave.
pub fn hoisting<E: Engine>(engine: &E) {
    let text = "rows 4\nscalars 12\nexec s8
        0: s0 = IAdd s1, 0x1 ; 0x0 0x0
        1: port 8 ; 0x0 0x0
        2: port 10 ; 0x0 0x0
        3: v0 = Mov s6 ; 0x0 0x0
        4: s0 = first v0 ; 0x0 0x0
        5: port 8 ; 0x0 0x0
        6: end ; 0x0 0x0";
    let mut program: Program = text.parse().unwrap();
    program.ports = effects();
    let prepared = engine.prepare(&program).unwrap();
    let mut waves = [0, 1, 2].map(|seed| wave(&[3; 8], seed));
    let mut ports = Counting::default();
    engine.run_batch(&prepared, &mut waves, &mut ports).unwrap();
    assert_eq!(ports.called, [2, 1]);
    for wave in &waves {
        assert_eq!(wave.rows[0].0, [5; 64]);
        assert_eq!(wave.scalars[6], 6);
    }
}

/// Writes down which waves call; port 1 stops a wave whose scalar 1 is 0.
struct Callers(Vec<(u32, Range<usize>)>);

impl Ports for Callers {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        let first = batch.first;
        for port in ports.clone() {
            self.0.push((port, first..first + batch.waves.len()));
        }
        batch.each(ports, count)
    }
}

/// Ports are called in the same order and for the same waves on every engine, by itself or not: loops with few
/// ports in them, which some waves leave early, run long or never leave.
pub fn port_order<E: Engine>(engine: &E) {
    let plain = Interpreter::at(SimdLevel::BASELINE);
    let mut looped = 0;
    for seed in 0..4 * CASES {
        let random = &mut Random::new(seed);
        let mut steps: Vec<Step> = Vec::new();
        while steps.len() < STEPS as usize {
            let step = match random.below(2) {
                0 => random.scalar_step(),
                _ => random.lane_step(),
            };
            let kept = match step {
                Step::Port { .. } => random.below(4) == 0,
                Step::End => false,
                _ => true,
            };
            steps.extend(kept.then_some(step));
        }
        let mut program = program(None, &steps);
        program.per_wave = vec![OWN, EXEC, EXEC + 1];
        let scalars = [0; 8].map(|_| random.below(3));
        let waves: Vec<Wave> = (0..6)
            .map(|n| {
                let mut wave = wave(&scalars, n);
                wave.scalars[usize::from(OWN)] = random.below(3);
                wave.limit = [400, 2000, 6000][seed as usize % 3];
                wave
            })
            .collect();
        let (mut found, mut expected) = (Callers(Vec::new()), Callers(Vec::new()));
        let prepared = engine.prepare(&program).unwrap();
        let stopped = engine.run_batch(&prepared, &mut waves.clone(), &mut found);
        let oracle = plain.prepare(&program).unwrap();
        let expected_stop = plain.run_batch(&oracle, &mut waves.clone(), &mut expected);
        assert_eq!(found.0, expected.0, "program {seed}\n{program}");
        assert_eq!(stopped, expected_stop, "program {seed}\n{program}");
        looped += u32::from(stopped.is_err());
    }
    assert!(looped > 100, "{looped} programs run long");
}

/// Waves part where one stops and where they branch apart; those before it go on, each from where it is.
pub fn parting<E: Engine>(engine: &E) {
    let text = "rows 4\nscalars 12\nexec s8\nper_wave s0 s1
        0: port 0 ; 0x0 0x0
        1: port 1 ; 0x4 0x0
        2: port 2 ; 0x8 0x0
        3: branch @5 if s0 != 0 ; 0xc 0x0
        4: port 4 ; 0x10 0x0
        5: end ; 0x14 0x0";
    let mut program: Program = text.parse().unwrap();
    program.ports = effects();
    let prepared = engine.prepare(&program).unwrap();
    let mut waves = [wave(&[1, 1], 0), wave(&[0, 0], 1), wave(&[0, 1], 2)];
    let mut ports = Callers(Vec::new());
    let stopped = engine
        .run_batch(&prepared, &mut waves, &mut ports)
        .unwrap_err();
    assert_eq!(
        (stopped.wave, stopped.stop.step, stopped.stop.origin.pc),
        (1, 1, 4)
    );
    assert_eq!(ports.0, [(0, 0..3), (1, 0..3), (2, 0..3), (2, 0..1)]);

    let mut waves = [wave(&[1, 1], 0), wave(&[0, 1], 1), wave(&[0, 1], 2)];
    let mut ports = Callers(Vec::new());
    engine.run_batch(&prepared, &mut waves, &mut ports).unwrap();
    // Neighbours that go the same way stay.
    let calls = [(0, 0..3), (1, 0..3), (2, 0..3), (4, 1..3)];
    assert_eq!(ports.0, calls);
    engine.run_batch(&prepared, &mut [], &mut ports).unwrap();
}
