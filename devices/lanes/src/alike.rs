//! Which steps give the same in all waves that go side by side.
//!
//! Waves that start with the same scalars and branch alike hold the same scalars at every step, but for those that come
//! from their lanes, from ports that tell them apart or from scalars that each has of its own. So a scalar is found to be alike at a step when that is so
//! along every way that leads there. Ways through `Step::Indirect` are not followed: waves do not take it side by side.

use crate::step::{Program, Step, When};

/// What a port does to the scalars of a wave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortScalars {
    /// Those that it may write.
    pub writes: Vec<u16>,
    /// The scalars from which alone, and from what is there for all waves, it makes what it writes. It must then write
    /// all of `writes` whenever it succeeds, and do nothing else to a wave or to what waves see.
    pub made_from: Option<Vec<u16>>,
}

/// What is alike in a program.
pub(crate) struct Alike {
    /// Of each step, whether all that it takes is and it changes nothing but scalars: of an operation of the scalar
    /// unit, of a port that is made from scalars, and of a branch, which is then taken by all waves or none.
    pub(crate) step: Vec<bool>,
}

impl Alike {
    /// Nothing is known of the waves.
    pub(crate) fn nothing(program: &Program) -> Alike {
        Alike {
            step: vec![false; program.steps.len()],
        }
    }

    /// In waves that start with the same scalars but for those in `own`. Ports that are not in the list may write all
    /// scalars. The program is valid.
    pub(crate) fn new(program: &Program, ports: &[PortScalars], own: &Scalars) -> Alike {
        let steps = program.steps.len();
        let mut alike = Alike::nothing(program);
        // Which scalars differ at the steps that begin a straight run, where they were reached.
        let mut differ: Vec<Option<Scalars>> = vec![None; steps];
        differ[0] = Some(own.clone());
        let mut begins = vec![false; steps];
        for step in &program.steps {
            if let Step::Branch { to, .. } = step {
                begins[*to as usize] = true;
            }
        }
        let mut work = vec![0];
        while let Some(first) = work.pop() {
            let Some(mut now) = differ[first].clone() else {
                continue;
            };
            let mut reach = |at: usize, now: &Scalars| {
                let grew = match &mut differ[at] {
                    Some(known) => known.add_all(now),
                    unknown => unknown.replace(now.clone()).is_none(),
                };
                if grew {
                    work.push(at);
                }
            };
            for (at, step) in program.steps.iter().enumerate().skip(first) {
                if at > first && begins[at] {
                    reach(at, &now);
                    break;
                }
                // Later visits know of more that differs, so that the last one is right.
                alike.step[at] = now.gives_alike(step, ports);
                now.pass(step, alike.step[at], ports);
                match *step {
                    Step::Branch { when, to } => {
                        reach(to as usize, &now);
                        if when == When::Always {
                            break;
                        }
                    }
                    Step::Indirect { .. } | Step::End | Step::Trap { .. } => break,
                    _ => {}
                }
            }
        }
        alike
    }
}

/// A set of a program's scalars.
#[derive(Clone, Debug)]
pub(crate) struct Scalars {
    count: u16,
    words: Vec<u64>,
}

impl Scalars {
    /// The empty set.
    pub(crate) fn none(count: u16) -> Scalars {
        Scalars {
            count,
            words: vec![0; usize::from(count).div_ceil(64)],
        }
    }

    /// Makes it the empty set.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Puts a scalar into the set or takes it out; none that the program does not have.
    fn set(&mut self, scalar: u16, is_in: bool) {
        if scalar < self.count {
            let word = &mut self.words[usize::from(scalar / 64)];
            let bit = 1 << (scalar % 64);
            *word = if is_in { *word | bit } else { *word & !bit };
        }
    }

    /// Puts scalars into the set.
    pub(crate) fn add(&mut self, scalars: impl IntoIterator<Item = u16>) {
        for scalar in scalars {
            self.set(scalar, true);
        }
    }

    /// Whether one is in the set. What the program does not have is.
    pub(crate) fn has(&self, scalar: u16) -> bool {
        scalar >= self.count || self.words[usize::from(scalar / 64)] >> (scalar % 64) & 1 == 1
    }

    /// Whether one of several is.
    pub(crate) fn has_any(&self, scalars: impl IntoIterator<Item = u16>) -> bool {
        scalars.into_iter().any(|scalar| self.has(scalar))
    }

    /// Those in the set, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        (0..self.count).filter(|scalar| self.has(*scalar))
    }

    /// Whether it grew.
    fn add_all(&mut self, others: &Scalars) -> bool {
        let mut grew = false;
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            grew |= other & !*word != 0;
            *word |= other;
        }
        grew
    }

    /// [`Alike::step`] of a step, where these scalars differ.
    fn gives_alike(&self, step: &Step, ports: &[PortScalars]) -> bool {
        match step {
            Step::Uniform { .. } | Step::UniformWide { .. } | Step::Branch { .. } => {
                !self.has_any(step.read_scalars().into_iter().flatten())
            }
            Step::Port { port } => ports.get(*port as usize).is_some_and(|port| {
                let there = port.writes.iter().all(|scalar| *scalar < self.count);
                let from = port.made_from.as_ref();
                there && from.is_some_and(|from| !self.has_any(from.iter().copied()))
            }),
            _ => false,
        }
    }

    /// Goes from before to behind a step.
    fn pass(&mut self, step: &Step, alike: bool, ports: &[PortScalars]) {
        match step {
            Step::Port { port } => match ports.get(*port as usize) {
                Some(port) => {
                    for scalar in &port.writes {
                        self.set(*scalar, !alike);
                    }
                }
                None => self.words.fill(u64::MAX),
            },
            _ => {
                for scalar in step.written_scalars() {
                    self.set(scalar, !alike);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Checks what is alike in a program of 12 scalars, its mask in 8 and 9. Port 0 makes scalars 4 and 5 from scalar
    /// 1, port 1 writes scalar 6, port 2 is not known. Steps marked with `=` are alike, the others are not.
    fn check(steps: &[&str]) {
        check_with(&[], steps);
    }

    /// The same where waves start with their own of some scalars.
    fn check_with(own: &[u16], steps: &[&str]) {
        let mut text = "rows 4\nscalars 12\nexec s8\n".to_owned();
        for (n, step) in steps.iter().enumerate() {
            let step = step.trim_start_matches("= ");
            text += &format!("{n}: {step} ; 0x0 0x0\n");
        }
        let program: Program = text.parse().unwrap();
        crate::validate::validate(&program).unwrap();
        let made = PortScalars {
            writes: vec![4, 5],
            made_from: Some(vec![1]),
        };
        let other = PortScalars {
            writes: vec![6],
            made_from: None,
        };
        let mut differ = Scalars::none(program.scalars);
        differ.add(own.iter().copied());
        let alike = Alike::new(&program, &[made, other], &differ);
        let expected: Vec<bool> = steps.iter().map(|step| step.starts_with("= ")).collect();
        assert_eq!(alike.step, expected, "{steps:?}");
    }

    #[test]
    fn what_comes_from_scalars_is_alike() {
        check(&[
            "= s0 = IAdd s1, s2",
            "s3 = first v0",
            "s0 = IAdd s0, s3",
            "s2 = Mov s0",
            "= s0 = Mov 0x1",
            "= s2 = Mov s0",
            "v0 = Mov s0",
            "s2 = v1[s0]",
            "s10 = And64 s0, s2",
            "= s10 = And64 s4, s6",
            "end",
        ]);
    }

    #[test]
    fn masks_of_lanes_differ_and_saved_ones_do_not() {
        check(&[
            "= s10 = Mov64 s8",
            "mask s4 = FLt v0, v1",
            "s8 = And64 s8, s4",
            "branch @5 if mask s8 == 0",
            "v0 = Mov 0x0",
            "= s8 = Mov64 s10",
            "= branch @5 if mask s8 == 0",
            "mask s8 = FLt v0, v1",
            "end",
        ]);
    }

    #[test]
    fn what_waves_have_of_their_own_differs_until_it_is_written() {
        check_with(
            &[0, 8, 9],
            &[
                "s1 = IAdd s0, s2",
                "= s3 = IAdd s2, 0x1",
                "s10 = Mov64 s8",
                "= s0 = Mov s2",
                "= s1 = IAdd s0, s2",
                "branch @7 if mask s8 == 0",
                "= branch @7 if s0 == 0",
                "end",
            ],
        );
    }

    #[test]
    fn a_loop_brings_back_what_differs() {
        // s3 differs behind the loop's first turn, s0 counts turns.
        check(&[
            "= s0 = Mov 0x0",
            "s2 = Mov s3",
            "= s0 = IAdd s0, 0x1",
            "s3 = first v0",
            "= s1 = ILt s0, 0x4",
            "= branch @1 if s1 != 0",
            "end",
        ]);
        // The same without the read from a lane.
        check(&[
            "= s2 = Mov s3",
            "= s3 = IAdd s3, 0x1",
            "= branch @0 if s3 == 0",
            "end",
        ]);
    }

    #[test]
    fn one_of_two_ways_is_enough_to_differ() {
        check(&[
            "= branch @3 if s0 == 0",
            "s1 = first v0",
            "= branch @4",
            "= s2 = Mov s1",
            "s2 = Mov s1",
            "end",
        ]);
    }

    #[test]
    fn ports() {
        check(&[
            "= port 0",
            "= s0 = IAdd s4, s5",
            "port 1",
            "s0 = Mov s6",
            "s1 = first v0",
            "port 0",
            "s0 = Mov s4",
            "= s0 = Mov s7",
            "port 2",
            "s0 = Mov s7",
            "end",
        ]);
    }

    #[test]
    fn a_destination_found_at_run_time_differs_wherever_it_may_be() {
        check(&[
            "s[2 + s0 < 5] = s0",
            "= s6 = Mov s1",
            "s6 = Mov s2",
            "s6 = Mov s4",
            "= s6 = Mov s5",
            "s6 = s[0 + s7 < 2]",
            "s7 = Mov s6",
            "end",
        ]);
    }

    #[test]
    fn jumps_to_addresses_are_not_followed() {
        check(&["= s0 = Mov 0x0", "jump s0", "s0 = Mov 0x0", "end"]);
    }
}
