//! Fewer steps for the same registers. In: the steps of a program. Out: the same without detours that the instruction set
//! makes: comparisons of rows that are comparisons themselves, or two of them, fractions below one in two instructions,
//! results that nobody reads, ticks without a way between them.
//!
//! What a step knows of those before it holds within a straight run under one execution mask.

use lanes::LaneOp::*;
use lanes::{Program, Src, Step, WideOp};

use super::{ACTIVE, VALID};

/// The largest number below 1.
const BELOW_ONE: u32 = 0x3f7f_ffff;

/// Simplifies a program.
pub(super) fn run(program: &mut Program) {
    let leads = leads(program);
    let mut known = Known::default();
    for (at, leads) in leads.iter().enumerate() {
        if *leads {
            known.clear();
        }
        let step = known.rewritten(program.steps[at]);
        program.steps[at] = step;
        known.pass(&step);
    }
    program.remove_dead(&[VALID, VALID + 1]);
    program.merge_ticks();
}

/// Whether control may come to a step from elsewhere, or with another mask.
fn leads(program: &Program) -> Vec<bool> {
    let mut leads = vec![false; program.steps.len()];
    let mut after_mask = true;
    for (step, lead) in program.steps.iter().zip(&mut leads) {
        *lead |= after_mask;
        let written = step.written_scalars();
        after_mask = (ACTIVE..ACTIVE + 2).any(|at| written.contains(&at));
    }
    for step in &program.steps {
        if let Step::Branch { to, .. } = step {
            leads[*to as usize] = true;
        }
    }
    leads
}

/// What rows and masks hold.
#[derive(Default)]
struct Known {
    /// Rows that are all ones in the lanes of a mask and zero elsewhere.
    masks: Vec<(u16, u16)>,
    /// Rows that are two of those at once: bits of both (`And64`) or of either (`Or64`).
    joined: Vec<(u16, (WideOp, [u16; 2]))>,
    /// Masks without lanes that are not active.
    active: Vec<u16>,
    /// Masks of the active lanes that are not in another mask.
    inverse: Vec<(u16, u16)>,
    /// Rows that are the fraction of another row, 1 just below an integer.
    fractions: Vec<(u16, Src)>,
}

fn find<T: Copy>(list: &[(u16, T)], key: u16) -> Option<T> {
    let found = list.iter().find(|(at, _)| *at == key);
    found.map(|(_, value)| *value)
}

impl Known {
    fn clear(&mut self) {
        self.masks.clear();
        self.joined.clear();
        self.active.clear();
        self.inverse.clear();
        self.fractions.clear();
    }

    /// What a step is as well.
    fn rewritten(&self, step: Step) -> Step {
        let zero = Src::Const(0);
        match step {
            // Lanes of a mask, from the row that was made of it.
            Step::Compare {
                op: op @ (IEq | INe),
                dst,
                src: [Src::Row(row), Src::Const(0), _],
            } => match find(&self.masks, row) {
                Some(mask) => Step::UniformWide {
                    op: match op {
                        IEq => WideOp::AndNot64,
                        _ => WideOp::And64,
                    },
                    dst,
                    src: [Src::Scalar(ACTIVE), Src::Scalar(mask), zero],
                },
                None => match find(&self.joined, row) {
                    Some((join, [a, b])) if op == INe => Step::UniformWide {
                        op: join,
                        dst,
                        src: [Src::Scalar(a), Src::Scalar(b), zero],
                    },
                    _ => step,
                },
            },
            Step::Select { dst, mask, no, yes } => match find(&self.inverse, mask) {
                Some(mask) => Step::Select {
                    dst,
                    mask,
                    no: yes,
                    yes: no,
                },
                None => step,
            },
            Step::Alu {
                op: FMinLegacy,
                dst,
                src: [Src::Const(BELOW_ONE), Src::Row(row), _],
            } => match find(&self.fractions, row) {
                Some(of) => Step::Alu {
                    op: FFract,
                    dst,
                    src: [of, zero, zero],
                },
                None => step,
            },
            step => step,
        }
    }

    /// Forgets what a step overwrites, and learns what it makes.
    fn pass(&mut self, step: &Step) {
        if matches!(step, Step::Port { .. } | Step::Relative { .. }) {
            return self.clear();
        }
        let (rows, scalars) = (step.written_rows(), step.written_scalars());
        let pair = |mask: u16| scalars.start < mask + 2 && mask < scalars.end;
        let learnt = self.learnt(step);
        self.masks
            .retain(|(row, mask)| !rows.contains(row) && !pair(*mask));
        self.joined.retain(|(row, (_, masks))| {
            !rows.contains(row) && !masks.iter().any(|mask| pair(*mask))
        });
        self.active.retain(|mask| !pair(*mask));
        self.inverse
            .retain(|(mask, other)| !pair(*mask) && !pair(*other));
        self.fractions.retain(|(row, of)| {
            let changed = match of {
                Src::Row(of) => rows.contains(of),
                Src::Scalar(of) => scalars.contains(of),
                Src::Const(_) => false,
            };
            !rows.contains(row) && !changed
        });
        match learnt {
            Some(Learnt::Mask(row, mask)) => self.masks.push((row, mask)),
            Some(Learnt::Joined(row, op, masks)) => self.joined.push((row, (op, masks))),
            Some(Learnt::Active(mask)) => self.active.push(mask),
            Some(Learnt::Inverse(mask, other)) => self.inverse.push((mask, other)),
            Some(Learnt::Fraction(row, of)) => self.fractions.push((row, of)),
            None => {}
        }
    }

    fn learnt(&self, step: &Step) -> Option<Learnt> {
        match *step {
            Step::Select {
                dst,
                mask,
                no: Src::Const(0),
                yes: Src::Const(u32::MAX),
            } => Some(Learnt::Mask(dst, mask)),
            Step::Alu {
                op: Mov,
                dst,
                src: [Src::Row(from), ..],
            } => {
                let fraction = |of| Learnt::Fraction(dst, of);
                let mask = find(&self.masks, from).map(|mask| Learnt::Mask(dst, mask));
                let fraction = || find(&self.fractions, from).map(fraction);
                mask.or_else(fraction).filter(|_| from != dst)
            }
            Step::Alu {
                op: op @ (And | Or),
                dst,
                src: [Src::Row(a), Src::Row(b), _],
            } => {
                let masks = [find(&self.masks, a)?, find(&self.masks, b)?];
                let active = masks.map(|mask| self.active.contains(&mask));
                let (op, known) = match op {
                    And => (WideOp::And64, active.contains(&true)),
                    _ => (WideOp::Or64, active == [true; 2]),
                };
                known.then_some(Learnt::Joined(dst, op, masks))
            }
            Step::Compare { dst, .. } => Some(Learnt::Active(dst)),
            Step::Alu {
                op: FFractOne,
                dst,
                src: [of, ..],
            } if of != Src::Row(dst) => Some(Learnt::Fraction(dst, of)),
            Step::UniformWide {
                op: WideOp::AndNot64,
                dst,
                src: [Src::Scalar(ACTIVE), Src::Scalar(mask), _],
            } if dst != mask && dst != ACTIVE => Some(Learnt::Inverse(dst, mask)),
            _ => None,
        }
    }
}

/// What a step makes.
enum Learnt {
    Mask(u16, u16),
    Joined(u16, WideOp, [u16; 2]),
    Active(u16),
    Inverse(u16, u16),
    Fraction(u16, Src),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use lanes::{Builder, DefaultEngine, Engine, LANES, Row, Wave, When};

    use super::super::{LANES as PAIRS, TEMP};
    use super::*;

    const ROWS: u16 = 6;
    const SCALARS: u16 = 48;

    /// Numbers without a pattern.
    struct Random(u32);

    impl Random {
        fn below(&mut self, end: u32) -> u32 {
            self.0 = self.0.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            (self.0 >> 16) % end
        }

        fn row(&mut self) -> u16 {
            self.below(ROWS.into()) as u16
        }

        fn pair(&mut self) -> u16 {
            [TEMP, PAIRS, PAIRS + 2, VALID][self.below(4) as usize]
        }

        /// A step of those that programs are full of.
        fn step(&mut self, b: &mut Builder) {
            let (dst, x, y) = (self.row(), Src::Row(self.row()), Src::Row(self.row()));
            let (mask, zero) = (self.pair(), Src::Const(0));
            match self.below(12) {
                0 => b.alu(FFractOne, dst, &[x]),
                1 => b.alu(FMinLegacy, dst, &[Src::Const(BELOW_ONE), x]),
                2 => b.alu(Mov, dst, &[x]),
                3 => b.alu(FAdd, dst, &[x, y]),
                4 | 5 => b.push(Step::Select {
                    dst,
                    mask,
                    no: [zero, x][self.below(2) as usize],
                    yes: [Src::Const(u32::MAX), y][self.below(2) as usize],
                }),
                6 | 7 => b.push(Step::Compare {
                    op: [IEq, INe, FLt][self.below(3) as usize],
                    dst: mask,
                    src: [x, [zero, y][self.below(2) as usize], zero],
                }),
                8 => b.push(Step::Tick { instructions: 1 }),
                9 | 10 => b.alu([And, Or][self.below(2) as usize], dst, &[x, y]),
                _ => b.push(Step::UniformWide {
                    op: WideOp::Xor64,
                    dst: [ACTIVE, TEMP][self.below(2) as usize],
                    src: [Src::Scalar(mask), Src::Scalar(self.pair()), zero],
                }),
            }
        }
    }

    /// Registers and count of instructions that a program leaves.
    fn ran(program: &Program) -> (Vec<Row>, u64, u64) {
        let mut wave = Wave::new(ROWS.into(), SCALARS.into());
        for (n, row) in wave.rows.iter_mut().enumerate() {
            let value = |lane: usize| match lane % 4 {
                0 => 0,
                1 => u32::MAX,
                _ => ((lane * (n + 1)) as f32 / 8.0 - 3.0).to_bits(),
            };
            row.0 = std::array::from_fn(value);
        }
        for (at, lanes) in [
            (ACTIVE, u64::MAX),
            (VALID, !0xff),
            (TEMP, 0x5555),
            (PAIRS, 0xff0),
        ] {
            wave.set_mask(at, lanes);
        }
        assert_eq!(wave.rows[0].0.len(), LANES);
        let engine = DefaultEngine::new();
        let prepared = engine.prepare(program).unwrap();
        struct NoPorts;
        impl lanes::Ports for NoPorts {
            fn call(
                &mut self,
                _: std::ops::Range<u32>,
                _: lanes::Batch<'_>,
            ) -> Result<(), lanes::PortFault> {
                Ok(())
            }
        }
        engine.run(&prepared, &mut wave, &mut NoPorts).unwrap();
        let valid = wave.mask(VALID);
        (wave.rows.to_vec(), valid, wave.instructions)
    }

    /// What is left of random programs does the same; a good part of them gets shorter.
    #[test]
    fn simplified_programs_do_the_same() {
        let mut shorter = 0;
        for seed in 0..600 {
            let mut random = Random(seed);
            let mut b = Builder::new(ACTIVE);
            let over = b.label();
            for n in 0..24 {
                random.step(&mut b);
                if n == 8 {
                    b.branch(When::MaskZero(TEMP), over);
                }
                if n == 16 {
                    b.place(over);
                }
            }
            let plain = b.finish(ROWS, SCALARS);
            let mut simple = plain.clone();
            run(&mut simple);
            shorter += usize::from(simple.steps.len() < plain.steps.len());
            let (mut expected, mut found) = (ran(&plain), ran(&simple));
            if seed % 2 == 1 {
                simple = plain.clone();
                simple.temporaries = 2;
                run(&mut simple);
                found = ran(&simple);
                expected.0.truncate(usize::from(ROWS) - 2);
                found.0.truncate(usize::from(ROWS) - 2);
            }
            // A branch counts what it skips in neither.
            assert_eq!(expected, found, "seed {seed}\n{plain}\n{simple}");
        }
        assert!(shorter > 300, "{shorter} programs of 600 got shorter");
    }

    /// `text` is what a compiler makes of `select` and `fract`; `-` marks what goes.
    #[test]
    fn detours_go() {
        let steps = [
            "mask s34 = FGe v0, v1",
            "- v6 = select s34 ? 0xffffffff : 0x0",
            "- mask s16 = IEq v6, 0x0",
            "v2 = select s34 ? v0 : v1",
            "- v7 = FFractOne v0",
            "v3 = FFract v0",
            "tick 2",
            "v4 = Mov v3",
            "mask s20 = FGt v1, v2",
            "mask s22 = IGt v4, v2",
            "- v6 = select s20 ? 0xffffffff : 0x0",
            "- v7 = select s22 ? 0xffffffff : 0x0",
            "- v6 = And v6, v7",
            "s24 = And64 s20, s22",
            "v5 = select s24 ? v3 : v2",
            "- tick 1",
            "end",
        ];
        let before = |step: &str| match step {
            "v2 = select s34 ? v0 : v1" => "v2 = select s16 ? v1 : v0".to_owned(),
            "v3 = FFract v0" => "v3 = FMinLegacy 0x3f7fffff, v7".to_owned(),
            "s24 = And64 s20, s22" => "mask s24 = INe v6, 0x0".to_owned(),
            "tick 2" => "tick 1".to_owned(),
            step => step.trim_start_matches("- ").to_owned(),
        };
        let head = "rows 8\ntemporaries 2\nscalars 48\nexec s0\n";
        let lines = steps.iter().enumerate();
        let lines = lines.map(|(n, step)| format!("{n}: {} ; 0x0 0x0\n", before(step)));
        let mut program: Program = (head.to_owned() + &lines.collect::<String>())
            .parse()
            .unwrap();
        run(&mut program);
        let found: Vec<String> = program.steps.iter().map(ToString::to_string).collect();
        let kept: Vec<&str> = steps
            .into_iter()
            .filter(|step| !step.starts_with("- "))
            .collect();
        assert_eq!(found, kept);
    }
}
