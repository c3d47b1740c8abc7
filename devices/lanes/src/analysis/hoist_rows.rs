//! Rows that hold one value in all lanes, as scalars. In: a program. Out: the same program, in which row operations on
//! scalars and constants are scalar operations where only steps of the same straight run read their results. A wave batch
//! computes a scalar once, and its readers save a row.

use super::live::LiveRows;
use crate::op::LaneOp;
use crate::step::{Program, Src, Step};

/// A row that may go: its writer, and what its readers read instead.
struct Candidate {
    row: u16,
    writer: usize,
    value: Src,
}

impl Program {
    /// Turns rows of one value into scalars: those of the program, and some more. Row results that are read when the
    /// wave has ended stay, as [`Program::temporaries`] says.
    pub fn hoist_rows(&mut self) {
        let live = LiveRows::new(self);
        let leads = self.leads();
        let mut keep = vec![true; self.steps.len()];
        let scalars = self.scalars;
        let mut most = 0;
        let mut first = 0;
        while first < self.steps.len() {
            let mut end = first + 1;
            while end < self.steps.len() && !leads[end] {
                end += 1;
            }
            let taken = self.hoist_run([first, end], scalars, &live, &mut keep);
            most = most.max(taken);
            first = end;
        }
        self.scalars += most;
        self.retain(&keep);
    }

    /// Whether control may come to a step from elsewhere, or with another mask.
    pub(super) fn leads(&self) -> Vec<bool> {
        let mut leads = vec![false; self.steps.len()];
        let mask = self.exec..self.exec + 2;
        for (at, step) in self.steps.iter().enumerate() {
            let ends = match step {
                Step::Branch { to, .. } => {
                    leads[*to as usize] = true;
                    true
                }
                Step::Indirect { .. } | Step::Barrier | Step::End | Step::Trap { .. } => true,
                Step::Port { port } => self.ports.get(*port as usize).is_none_or(|port| {
                    let mut written = port.writes_scalars.iter();
                    written.any(|scalar| mask.contains(scalar))
                }),
                step => {
                    let written = step.written_scalars();
                    mask.clone().any(|at| written.contains(&at))
                }
            };
            if ends && let Some(next) = leads.get_mut(at + 1) {
                *next = true;
            }
        }
        for (_, to) in &self.entries {
            leads[*to as usize] = true;
        }
        leads
    }

    /// Hoists the rows of a straight run; returns how many scalars that took, from `scalars` on.
    fn hoist_run(
        &mut self,
        [first, end]: [usize; 2],
        scalars: u16,
        live: &LiveRows,
        keep: &mut [bool],
    ) -> u16 {
        let mut taken = 0;
        for writer in first..end {
            let Step::Alu { op, dst, src } = self.steps[writer] else {
                continue;
            };
            let operands = &src[..op.params().len()];
            if operands.iter().any(|src| matches!(src, Src::Row(_))) {
                continue;
            }
            let value = match (op, src[0]) {
                (LaneOp::Mov, value @ Src::Const(_)) => value,
                _ if u32::from(scalars) + u32::from(taken) < u32::from(u16::MAX) => {
                    Src::Scalar(scalars + taken)
                }
                _ => continue,
            };
            let candidate = Candidate {
                row: dst,
                writer,
                value,
            };
            if !self.may_hoist(&candidate, end, live) {
                continue;
            }
            match value {
                Src::Scalar(dst) => {
                    self.steps[writer] = Step::Uniform { op, dst, src };
                    taken += 1;
                }
                _ => keep[writer..=writer].fill(false),
            }
            self.replace(&candidate, end);
        }
        taken
    }

    /// Whether all that read a row up to its next writer take a scalar as well.
    fn may_hoist(&self, candidate: &Candidate, end: usize, live: &LiveRows) -> bool {
        let row = candidate.row;
        let mut reads = 0;
        for step in &self.steps[candidate.writer + 1..end] {
            let read = match step {
                Step::Alu { op, src, .. } | Step::Compare { op, src, .. } => {
                    let operands = &src[..op.params().len()];
                    operands.contains(&Src::Row(row))
                }
                Step::Select { no, yes, .. } => [no, yes].contains(&&Src::Row(row)),
                Step::Port { port } => {
                    let touched = self.ports.get(*port as usize).is_none_or(|port| {
                        port.reads_rows.contains(&row) || port.writes_rows.contains(&row)
                    });
                    if touched {
                        return false;
                    }
                    false
                }
                step => {
                    let rows = step.read_rows();
                    if rows.is_none_or(|rows| rows.into_iter().flatten().any(|at| at == row)) {
                        return false;
                    }
                    false
                }
            };
            reads += usize::from(read);
            if replaces(step, row) {
                return reads > 0;
            }
            if step.written_rows().contains(&row) {
                return false;
            }
        }
        reads > 0 && !live.after(end - 1).has(row)
    }

    /// Lets the readers of a row up to its next writer read its value instead.
    fn replace(&mut self, candidate: &Candidate, end: usize) {
        let Candidate { row, writer, value } = *candidate;
        let swap = |src: &mut Src| {
            if *src == Src::Row(row) {
                *src = value;
            }
        };
        for step in &mut self.steps[writer + 1..end] {
            match step {
                Step::Alu { src, .. } | Step::Compare { src, .. } => src.iter_mut().for_each(swap),
                Step::Select { no, yes, .. } => [no, yes].into_iter().for_each(swap),
                _ => {}
            }
            if replaces(step, row) {
                return;
            }
        }
    }
}

/// Whether a step replaces a row in all enabled lanes.
fn replaces(step: &Step, row: u16) -> bool {
    match step {
        Step::Alu { .. }
        | Step::Wide { .. }
        | Step::Select { .. }
        | Step::LaneId { .. }
        | Step::Swizzle { .. } => step.written_rows().contains(&row),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Checks what becomes of steps of 8 rows, of which the last 4 are temporaries, with the mask in scalars 8 and 9.
    /// Port 0 reads row 5.
    fn check(steps: &[&str], expected: &[&str]) {
        let head = "rows 8\ntemporaries 4\nscalars 12\nexec s8\nport 0 reads v5 s8 s9\n";
        let lines = steps.iter().enumerate();
        let lines = lines.map(|(n, step)| format!("{n}: {step} ; 0x0 0x0\n"));
        let text = head.to_owned() + &lines.collect::<String>();
        let mut program: Program = text.parse().unwrap();
        program.hoist_rows();
        crate::validate::validate(&program).unwrap();
        let found: Vec<String> = program.steps.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn constants_go_into_their_readers() {
        check(
            &[
                "v4 = Mov 0x5",
                "v1 = select s10 ? v4 : v2",
                "v4 = Mov 0x6",
                "v1 = select s10 ? v4 : v4",
                "mask s10 = FLt v0, v4",
                "end",
            ],
            &[
                "v1 = select s10 ? 0x5 : v2",
                "v1 = select s10 ? 0x6 : 0x6",
                "mask s10 = FLt v0, 0x6",
                "end",
            ],
        );
    }

    #[test]
    fn chains_of_scalars_become_scalars() {
        check(
            &[
                "v4 = I32ToF32 s0",
                "v4 = FMul 0x3f800000, v4",
                "v1 = FMul v2, v4",
                "s0 = IAdd s0, 0x1",
                "end",
            ],
            &[
                "s12 = I32ToF32 s0",
                "s13 = FMul 0x3f800000, s12",
                "v1 = FMul v2, s13",
                "s0 = IAdd s0, 0x1",
                "end",
            ],
        );
    }

    #[test]
    fn rows_that_others_see_stay() {
        for steps in [
            // A result, a port, lanes that are not enabled, another mask, pairs.
            &["v1 = Mov 0x5", "v2 = FAdd v1, v3", "end"][..],
            &["v5 = Mov 0x5", "v2 = FAdd v5, v3", "port 0", "end"],
            &[
                "v4 = Mov 0x5",
                "v2 = FAdd v4, v3",
                "v1 = quad v4 1 0 3 2",
                "end",
            ],
            &[
                "v4 = Mov 0x5",
                "v2 = FAdd v4, v3",
                "s8 = Mov64 s10",
                "v2 = FAdd v4, v3",
                "end",
            ],
            &[
                "v4 = Mov 0x5",
                "v2 = FAdd v4, v3",
                "v4[0x1] = s0",
                "v2 = FAdd v4, v3",
                "end",
            ],
        ] {
            check(steps, steps);
        }
    }

    #[test]
    fn scalars_begin_again_with_each_run() {
        check(
            &[
                "v4 = Mov s1",
                "v0 = FAdd v4, v3",
                "branch @3 if s0 == 0",
                "v4 = Mov s2",
                "v0 = FAdd v4, v3",
                "end",
            ],
            &[
                "s12 = Mov s1",
                "v0 = FAdd s12, v3",
                "branch @3 if s0 == 0",
                "s12 = Mov s2",
                "v0 = FAdd s12, v3",
                "end",
            ],
        );
    }
}
