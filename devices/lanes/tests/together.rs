//! Waves that go side by side leave what each alone leaves.
#![allow(clippy::unwrap_used)]

use lanes::{
    Engine, Fault, Interpreter, LaneOp, Level, Origin, Ports, Program, Src, Step, Stop, Wave,
    Waves, When,
};
use proptest::prelude::*;

const ROWS: u16 = 4;
const SCALARS: u16 = 10;
/// The execution mask.
const EXEC: u16 = 8;

/// Ports that count in a row; those with odd numbers fail in a wave whose scalar 1 is 0.
struct Counting;

impl Counting {
    fn count(port: u32, wave: &mut Wave) {
        for lane in &mut wave.rows[port as usize % usize::from(ROWS)].0 {
            *lane = lane.wrapping_add(port + 1);
        }
    }
}

impl Ports for Counting {
    fn call(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        if port % 2 == 1 && wave.scalars[1] == 0 {
            return Err(Fault::Illegal {
                reason: format!("port {port}"),
            });
        }
        Counting::count(port, wave);
        Ok(())
    }
}

struct Group {
    waves: Vec<Wave>,
    /// What they start as.
    first: Vec<Wave>,
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
        let ports = first..first + count;
        // Some have done it when it turns out that others cannot.
        self.waves.iter_mut().all(|wave| {
            let done = |port| Counting.call(port, wave).is_ok();
            ports.clone().all(done)
        })
    }
}

fn step() -> impl Strategy<Value = Step> {
    let none = Src::Const(0);
    let small = 0..3u32;
    prop_oneof![
        3 => (0..ROWS, 0..ROWS, 0..4u16).prop_map(move |(dst, row, scalar)| Step::Alu {
            op: LaneOp::IAdd,
            dst,
            src: [Src::Row(row), Src::Scalar(scalar), none],
        }),
        2 => (0..4u16, small).prop_map(move |(dst, value)| Step::Uniform {
            op: LaneOp::ISub,
            dst,
            src: [Src::Scalar(dst), Src::Const(value), none],
        }),
        1 => (prop_oneof![Just(4), Just(EXEC)], 0..ROWS).prop_map(move |(dst, row)| Step::Compare {
            op: LaneOp::UGt,
            dst,
            src: [Src::Row(row), Src::Const(3), none],
        }),
        2 => (0..4u16, 0..24u32).prop_map(|(scalar, to)| Step::Branch { when: When::Zero(scalar), to }),
        1 => (0..24u32).prop_map(|to| Step::Branch { when: When::Always, to }),
        3 => (0..4u32).prop_map(|port| Step::Port { port: 2 * port }),
        1 => (0..4u32).prop_map(|port| Step::Port { port }),
        3 => (1..5u32).prop_map(|instructions| Step::Tick { instructions }),
        1 => Just(Step::End),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn side_by_side_as_alone(
        steps in prop::collection::vec(step(), 24),
        scalars in prop::collection::vec(0..3u32, 12),
        disabled in prop_oneof![4 => Just(0), 1 => any::<u64>()],
    ) {
        let mut program = Program {
            rows: ROWS,
            scalars: SCALARS,
            exec: EXEC,
            ..Program::default()
        };
        // No loop without an end.
        for (n, step) in steps.into_iter().enumerate() {
            if matches!(step, Step::Branch { to, .. } if to as usize <= n) {
                program.steps.push(Step::Tick { instructions: 9 });
            } else {
                program.steps.push(step);
            }
        }
        program.steps.push(Step::End);
        program.origins = vec![Origin::default(); program.steps.len()];
        let mut waves: Vec<Wave> = scalars.chunks(4).map(|scalars| {
            let mut wave = Wave::new(ROWS.into(), SCALARS.into());
            wave.scalars[..4].copy_from_slice(scalars);
            wave.set_mask(EXEC, u64::MAX);
            wave.limit = 30;
            for (n, row) in wave.rows.iter_mut().enumerate() {
                row.0 = std::array::from_fn(|lane| ((lane + n) % 5) as u32);
            }
            wave
        }).collect();
        waves[2].set_mask(EXEC, !disabled);
        for level in Level::ALL.into_iter().filter(|level| level.on_host()) {
            let engine = Interpreter::at(level).unwrap();
            let prepared = engine.prepare(&program).unwrap();
            let mut group = Group {
                waves: vec![Wave::new(ROWS.into(), SCALARS.into()); waves.len()],
                first: waves.clone(),
            };
            let (ended, result) = engine.run_all(&prepared, &mut group);
            prop_assert_eq!(ended < waves.len(), result.is_err());
            for (n, alone) in waves.iter().take(ended + 1).enumerate() {
                let mut alone = alone.clone();
                let expected = engine.run(&prepared, &mut alone, &mut Counting);
                prop_assert_eq!(if n == ended { &result } else { &Ok(()) }, &expected);
                let wave = &group.waves[n];
                prop_assert_eq!(&wave.rows, &alone.rows);
                prop_assert_eq!(&wave.scalars, &alone.scalars);
                prop_assert_eq!(wave.instructions, alone.instructions);
            }
        }
    }
}
