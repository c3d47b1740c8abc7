//! Uniformity analysis. In: a program and its per-wave scalars. Out: the wave-uniform steps. Scalars are uniform unless
//! they derive from lanes, from ports that are not uniform, or from per-wave scalars; a scalar is uniform at a step if
//! it is on every path there. Paths through `Step::Indirect` are ignored: a batch splits there.

use std::collections::BTreeMap;

use super::PortEffects;
use crate::step::{Program, Step, When};

/// Marks the wave-uniform steps: those that write only scalars and give the same in all waves (scalar operations,
/// uniform ports, branches that all waves take or none).
///
/// Waves start with equal scalars except `per_wave`. The program must be valid.
pub(crate) fn uniform_steps(program: &Program, per_wave: &Scalars) -> Uniformity {
    let steps = program.steps.len();
    let mut uniform = vec![false; steps];
    let mut meetings = BTreeMap::new();
    // Divergent scalars at the head of each straight block that was reached.
    let mut differ: Vec<Option<Scalars>> = vec![None; steps];
    differ[0] = Some(per_wave.clone());
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
            // Divergence only grows from visit to visit: the last answer is right.
            uniform[at] = now.is_uniform(step, &program.ports);
            if matches!(step, Step::Barrier | Step::Port { .. } | Step::End) {
                meetings.insert(at, now.clone());
            }
            now.pass(step, uniform[at], &program.ports);
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
    Uniformity {
        steps: uniform,
        meetings,
    }
}

/// What is equal in the waves of a batch as long as it does not part.
#[derive(Clone, Debug)]
pub(crate) struct Uniformity {
    /// By step: whether it is wave-uniform.
    pub(crate) steps: Vec<bool>,
    /// Barriers, ports and ends by step, with the scalars that differ before them.
    pub(crate) meetings: BTreeMap<usize, Scalars>,
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

    /// Clears the set.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds or removes a scalar; ignores undeclared ones.
    fn set(&mut self, scalar: u16, is_in: bool) {
        if scalar < self.count {
            let word = &mut self.words[usize::from(scalar / 64)];
            let bit = 1 << (scalar % 64);
            *word = if is_in { *word | bit } else { *word & !bit };
        }
    }

    /// Adds scalars.
    pub(crate) fn add(&mut self, scalars: impl IntoIterator<Item = u16>) {
        for scalar in scalars {
            self.set(scalar, true);
        }
    }

    /// Whether a scalar is in the set. Undeclared ones count as members.
    pub(crate) fn has(&self, scalar: u16) -> bool {
        scalar >= self.count || self.words[usize::from(scalar / 64)] >> (scalar % 64) & 1 == 1
    }

    /// Whether any of these is in the set.
    pub(crate) fn has_any(&self, scalars: impl IntoIterator<Item = u16>) -> bool {
        scalars.into_iter().any(|scalar| self.has(scalar))
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        (0..self.count).filter(|scalar| self.has(*scalar))
    }

    /// Union in place; whether the set grew.
    fn add_all(&mut self, others: &Scalars) -> bool {
        let mut grew = false;
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            grew |= other & !*word != 0;
            *word |= other;
        }
        grew
    }

    /// Whether a step is wave-uniform, given these divergent scalars.
    fn is_uniform(&self, step: &Step, ports: &[PortEffects]) -> bool {
        match step {
            Step::Uniform { .. } | Step::UniformWide { .. } | Step::Branch { .. } => {
                !self.has_any(step.read_scalars().into_iter().flatten())
            }
            Step::Port { port } => ports.get(*port as usize).is_some_and(|port| {
                port.wave_uniform && !self.has_any(port.reads_scalars.iter().copied())
            }),
            _ => false,
        }
    }

    /// The transfer function of a step.
    fn pass(&mut self, step: &Step, uniform: bool, ports: &[PortEffects]) {
        match step {
            Step::Port { port } => match ports.get(*port as usize) {
                Some(port) => {
                    for scalar in &port.writes_scalars {
                        self.set(*scalar, !uniform);
                    }
                }
                None => self.words.fill(u64::MAX),
            },
            _ => {
                for scalar in step.written_scalars() {
                    self.set(scalar, !uniform);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Checks uniformity in a program of 12 scalars, exec in 8 and 9. Port 0 derives scalars 4 and 5 from scalar 1,
    /// port 1 writes scalar 6, port 2 is unknown. `=` marks uniform steps.
    fn check(steps: &[&str]) {
        check_with(&[], steps);
    }

    /// The same with per-wave scalars.
    fn check_with(per_wave: &[u16], steps: &[&str]) {
        let mut text = "rows 4\nscalars 12\nexec s8\n".to_owned();
        text += "port 0 reads s1 writes s4 s5 overwrites uniform\nport 1 writes s6\n";
        for (n, step) in steps.iter().enumerate() {
            let step = step.trim_start_matches("= ");
            text += &format!("{n}: {step} ; 0x0 0x0\n");
        }
        let program: Program = text.parse().unwrap();
        crate::validate::validate(&program).unwrap();
        let mut differ = Scalars::none(program.scalars);
        differ.add(per_wave.iter().copied());
        let uniform = uniform_steps(&program, &differ).steps;
        let expected: Vec<bool> = steps.iter().map(|step| step.starts_with("= ")).collect();
        assert_eq!(uniform, expected, "{steps:?}");
    }

    #[test]
    fn what_comes_from_scalars_is_uniform() {
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
    fn what_waves_start_with_for_themselves_differs_until_it_is_written() {
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
        // s3 diverges after the first iteration; s0 is the loop counter.
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
