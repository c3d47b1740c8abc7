//! Registers that are read later, step by step. In: a program. Out: live rows and live scalars behind each step.
//!
//! A write replaces a row in the enabled lanes only, so it hides the row from earlier writes only as long as the execution
//! mask stays: within a *region*, which ends at branches, branch targets and writes of the mask. Ports, swizzles and reads
//! of a lane see lanes that are not enabled, and hide nothing.

use std::ops::Range;

use crate::step::{Move, Program, Step, When};

/// A set of registers of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(Vec<u64>);

impl RegisterSet {
    /// The registers below `count`.
    pub(crate) fn below(count: u16) -> RegisterSet {
        let mut set = RegisterSet(vec![0; usize::from(count).div_ceil(64)]);
        set.add(0..count);
        set
    }

    pub(crate) fn none(count: u16) -> RegisterSet {
        RegisterSet(vec![0; usize::from(count).div_ceil(64)])
    }

    pub(crate) fn add(&mut self, registers: impl IntoIterator<Item = u16>) {
        for at in registers {
            if let Some(word) = self.0.get_mut(usize::from(at / 64)) {
                *word |= 1 << (at % 64);
            }
        }
    }

    pub(crate) fn remove(&mut self, registers: impl IntoIterator<Item = u16>) {
        for at in registers {
            if let Some(word) = self.0.get_mut(usize::from(at / 64)) {
                *word &= !(1 << (at % 64));
            }
        }
    }

    /// Whether a register is in the set.
    pub(crate) fn has(&self, at: u16) -> bool {
        let word = self.0.get(usize::from(at / 64));
        word.is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Union in place; whether the set grew.
    fn join(&mut self, other: &RegisterSet) -> bool {
        let mut grew = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            grew |= other & !*word != 0;
            *word |= other;
        }
        grew
    }
}

/// Where control goes from a step.
fn successors(program: &Program, at: usize) -> (Option<usize>, Option<usize>) {
    match program.steps[at] {
        Step::Branch { when, to } => {
            let next = (when != When::Always).then_some(at + 1);
            (next, Some(to as usize))
        }
        Step::End | Step::Trap { .. } | Step::Indirect { .. } => (None, None),
        _ => (Some(at + 1), None),
    }
}

fn writes_mask(program: &Program, at: usize) -> bool {
    let mut mask = program.exec..program.exec + 2;
    match program.steps[at] {
        Step::Port { port } => {
            let port = program.ports.get(port as usize);
            port.is_none_or(|port| mask.any(|at| port.writes_scalars.contains(&at)))
        }
        ref step => {
            let written = step.written_scalars();
            mask.any(|at| written.contains(&at))
        }
    }
}

/// Live rows of a program.
#[derive(Clone, Debug)]
pub(crate) struct LiveRows {
    /// Before each step.
    before: Vec<RegisterSet>,
    /// Behind the last step of each region; by step.
    behind: Vec<Option<RegisterSet>>,
}

/// Rows that a step reads: in enabled lanes, or in any.
fn read_rows(program: &Program, at: usize, enabled: &mut RegisterSet, any: &mut RegisterSet) {
    match &program.steps[at] {
        Step::Port { port } => match program.ports.get(*port as usize) {
            Some(port) => any.add(port.reads_rows.iter().copied()),
            None => any.add(0..program.rows),
        },
        step @ (Step::Swizzle { .. } | Step::ReadLane { .. } | Step::ReadFirstLane { .. }) => {
            any.add(step.read_rows().into_iter().flatten().flatten());
        }
        step => match step.read_rows() {
            Some(rows) => enabled.add(rows.into_iter().flatten()),
            None => any.add(0..program.rows),
        },
    }
}

/// Rows that a step replaces in all enabled lanes.
fn replaced_rows(step: &Step) -> Range<u16> {
    match step {
        Step::Port { .. }
        | Step::WriteLane { .. }
        | Step::Relative {
            kind: Move::ToRow, ..
        } => 0..0,
        step => step.written_rows(),
    }
}

impl LiveRows {
    pub(crate) fn new(program: &Program) -> LiveRows {
        let count = program.steps.len();
        let mut leads = vec![false; count + 1];
        for at in 0..count {
            if let Step::Branch { to, .. } = program.steps[at] {
                leads[to as usize] = true;
            }
            let ends = successors(program, at) != (Some(at + 1), None);
            leads[at + 1] |= ends || writes_mask(program, at);
        }
        for (_, to) in &program.entries {
            leads[*to as usize] = true;
        }
        leads[0] = true;
        let results = program.rows.saturating_sub(program.temporaries);
        let none = RegisterSet::none(program.rows);
        let mut live = LiveRows {
            before: vec![none.clone(); count],
            behind: vec![None; count],
        };
        // What the region that starts at a step, and those after it, need.
        let mut needs = vec![none.clone(); count + 1];
        let mut changed = true;
        while changed {
            changed = false;
            let mut end = count;
            while end > 0 {
                let last = end - 1;
                let mut behind = none.clone();
                match program.steps[last] {
                    Step::End | Step::Trap { .. } => behind.add(0..results),
                    Step::Indirect { .. } => behind.add(0..program.rows),
                    _ => {
                        let (next, to) = successors(program, last);
                        for at in [next, to].into_iter().flatten() {
                            behind.join(&needs[at]);
                        }
                    }
                }
                let (first, exposed) = live.region(program, &leads, last, &behind);
                behind.join(&exposed);
                changed |= needs[first].join(&behind);
                end = first;
            }
        }
        live
    }

    /// Sets what is live before the steps of the region that ends with `last`. Returns the first of them, and the rows
    /// that they read before they replace them. What a step reads whose rows are dead does not count.
    fn region(
        &mut self,
        program: &Program,
        leads: &[bool],
        last: usize,
        behind: &RegisterSet,
    ) -> (usize, RegisterSet) {
        let mut now = behind.clone();
        self.behind[last] = Some(behind.clone());
        let mut exposed = RegisterSet::none(program.rows);
        let mut any = exposed.clone();
        let mut at = last;
        loop {
            let step = &program.steps[at];
            let written = step.written_rows();
            let dead = only_writes(step)
                && !written.is_empty()
                && !written.clone().any(|row| now.has(row));
            if !dead {
                let replaced = replaced_rows(step).filter(|row| !any.has(*row));
                now.remove(replaced.clone());
                exposed.remove(replaced);
                read_rows(program, at, &mut exposed, &mut any);
                exposed.join(&any);
                now.join(&exposed);
            }
            self.before[at] = now.clone();
            if leads[at] {
                return (at, exposed);
            }
            at -= 1;
        }
    }

    /// Before a step.
    pub(crate) fn before(&self, at: usize) -> &RegisterSet {
        &self.before[at]
    }

    /// Behind a step.
    pub(crate) fn after(&self, at: usize) -> &RegisterSet {
        match &self.behind[at] {
            Some(behind) => behind,
            None => &self.before[at + 1],
        }
    }
}

/// Live scalars behind each step, where `outcome` is looked at when the program has ended.
pub(crate) fn live_scalars(program: &Program, outcome: &RegisterSet) -> Vec<RegisterSet> {
    let count = program.steps.len();
    let none = RegisterSet::none(program.scalars);
    let (mut before, mut after) = (vec![none.clone(); count + 1], vec![none; count]);
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..count).rev() {
            let step = &program.steps[at];
            match step {
                Step::End | Step::Trap { .. } => after[at].join(outcome),
                Step::Indirect { .. } => after[at].join(&RegisterSet::below(program.scalars)),
                _ => {
                    let (next, to) = successors(program, at);
                    let targets = [next, to].into_iter().flatten();
                    targets.fold(false, |grew, to| after[at].join(&before[to]) | grew)
                }
            };
            let mut now = after[at].clone();
            let written = step.written_scalars();
            let dead = only_writes(step)
                && !written.is_empty()
                && !written.clone().any(|at| now.has(at))
                && !writes_mask(program, at);
            match step {
                _ if dead => {}
                Step::Port { port } => match program.ports.get(*port as usize) {
                    Some(port) => now.add(port.reads_scalars.iter().copied()),
                    None => now.add(0..program.scalars),
                },
                step => {
                    let indexed = matches!(
                        step,
                        Step::Relative {
                            kind: Move::ToScalar,
                            ..
                        }
                    );
                    if !indexed {
                        now.remove(step.written_scalars());
                    }
                    now.add(step.read_scalars().into_iter().flatten());
                }
            }
            // Every row step looks at the mask.
            now.add(program.exec..program.exec + 2);
            changed |= before[at].join(&now);
        }
    }
    after
}

/// Whether a step does nothing but write its registers.
fn only_writes(step: &Step) -> bool {
    matches!(
        step,
        Step::Alu { .. }
            | Step::Wide { .. }
            | Step::Select { .. }
            | Step::LaneId { .. }
            | Step::Compare { .. }
            | Step::CompareWide { .. }
            | Step::Uniform { .. }
            | Step::UniformWide { .. }
    )
}

/// Whether control may leave the steps in order, or wait, at a step.
fn is_control(step: &Step) -> bool {
    matches!(
        step,
        Step::Branch { .. }
            | Step::Indirect { .. }
            | Step::Port { .. }
            | Step::Barrier
            | Step::End
            | Step::Trap { .. }
    )
}

impl Program {
    /// Of each port, by its number, whether no call's rows are read.
    pub fn unread_ports(&self) -> Vec<bool> {
        let rows = LiveRows::new(self);
        let mut unread = vec![true; self.ports.len()];
        for (at, step) in self.steps.iter().enumerate() {
            if let Step::Port { port } = *step
                && let Some(effects) = self.ports.get(port as usize)
            {
                let read = |row: &u16| rows.after(at).has(*row);
                unread[port as usize] &= !effects.writes_rows.iter().any(read);
            }
        }
        unread
    }

    /// Removes steps whose results nobody reads. Of the scalars, `outcome` is looked at when the program has ended; of
    /// the rows all but [`Program::temporaries`].
    pub fn remove_dead(&mut self, outcome: &[u16]) {
        let mut kept = RegisterSet::none(self.scalars);
        kept.add(outcome.iter().copied().chain(self.exec..self.exec + 2));
        loop {
            let rows = LiveRows::new(self);
            let scalars = live_scalars(self, &kept);
            let is_needed = |at: usize| {
                let step = &self.steps[at];
                let written = step.written_rows().any(|row| rows.after(at).has(row));
                !only_writes(step)
                    || written
                    || step.written_scalars().any(|to| scalars[at].has(to))
                    || writes_mask(self, at)
            };
            let keep: Vec<bool> = (0..self.steps.len()).map(is_needed).collect();
            if keep.iter().all(|keep| *keep) {
                return;
            }
            self.retain(&keep);
        }
    }

    /// Of each step, whether a branch or an entry leads there.
    pub fn targets(&self) -> Vec<bool> {
        let mut targets = vec![false; self.steps.len()];
        for step in &self.steps {
            if let Step::Branch { to, .. } = step {
                targets[*to as usize] = true;
            }
        }
        for (_, step) in &self.entries {
            targets[*step as usize] = true;
        }
        targets
    }

    /// Counts ticks that always follow another one with it, so that steps around them are one straight block.
    pub fn merge_ticks(&mut self) {
        let targets = self.targets();
        let mut keep = vec![true; self.steps.len()];
        let mut open: Option<usize> = None;
        for at in 0..self.steps.len() {
            if targets[at] || is_control(&self.steps[at]) {
                open = None;
            }
            let Step::Tick { instructions } = self.steps[at] else {
                continue;
            };
            match open {
                Some(first) => {
                    if let Step::Tick { instructions: sum } = &mut self.steps[first] {
                        *sum += instructions;
                    }
                    keep[at] = false;
                }
                None => open = Some(at),
            }
        }
        self.retain(&keep);
    }

    /// Of each row, whether a wave that starts with all lanes enabled may read what it held before.
    pub fn entry_rows(&self) -> Vec<bool> {
        let live = LiveRows::new(self);
        let mut written = RegisterSet::none(self.rows);
        let mut found = written.clone();
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            let mut read = RegisterSet::none(self.rows);
            let mut any = read.clone();
            read_rows(self, at, &mut read, &mut any);
            read.join(&any);
            // A full mask passes branches for empty ones.
            let goes_on = match step {
                Step::Branch { when, .. } => *when == When::MaskZero(self.exec),
                _ => successors(self, at).0.is_some(),
            };
            let ends = !goes_on || writes_mask(self, at);
            if ends {
                read.join(live.after(at));
            }
            read.remove((0..self.rows).filter(|row| written.has(*row)));
            found.join(&read);
            if ends {
                break;
            }
            written.add(replaced_rows(step));
            if let Step::Port { port } = step
                && let Some(port) = self.ports.get(*port as usize)
                && port.overwrites
            {
                written.add(port.writes_rows.iter().copied());
            }
        }
        (0..self.rows).map(|row| found.has(row)).collect()
    }

    /// Puts steps in front of others, as of the same instructions: `before` gives those of a number. What led to a step leads
    /// to those in front of it.
    pub fn insert<'s>(&mut self, before: impl Fn(usize) -> &'s [Step]) {
        let (steps, origins) = (
            std::mem::take(&mut self.steps),
            std::mem::take(&mut self.origins),
        );
        let mut places = Vec::with_capacity(steps.len());
        for (at, (step, origin)) in steps.into_iter().zip(origins).enumerate() {
            places.push(self.steps.len() as u32);
            self.steps.extend_from_slice(before(at));
            self.steps.push(step);
            self.origins.resize(self.steps.len(), origin);
        }
        self.lead_to(&places);
    }

    /// Keeps some of the steps. What led to a removed one leads to the next.
    pub fn retain(&mut self, keep: &[bool]) {
        let places: Vec<u32> = keep
            .iter()
            .scan(0, |count, keep| {
                let place = *count;
                *count += u32::from(*keep);
                Some(place)
            })
            .collect();
        let mut kept = keep.iter().copied();
        self.steps.retain(|_| kept.next().unwrap_or(true));
        let mut kept = keep.iter().copied();
        self.origins.retain(|_| kept.next().unwrap_or(true));
        self.lead_to(&places);
    }

    /// Leads to the new places of steps.
    fn lead_to(&mut self, places: &[u32]) {
        for step in &mut self.steps {
            if let Step::Branch { to, .. } = step {
                *to = places[*to as usize];
            }
        }
        for (_, step) in &mut self.entries {
            *step = places[*step as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::op::LaneOp;
    use crate::step::Src;

    #[test]
    fn ticks_on_one_way_become_one() {
        let text = "rows 1\nscalars 2\nexec s0\n0: tick 1 ; 0x0 0x0\n1: v0 = Mov 0x1 ; 0x0 0x0\n2: tick 2 ; 0x0 0x0\n\
                    3: tick 4 ; 0x0 0x0\n4: branch @5 ; 0x0 0x0\n5: tick 8 ; 0x0 0x0\n6: end ; 0x0 0x0\n";
        let parsed: Result<Program, _> = text.parse();
        let mut program = parsed.unwrap();
        program.merge_ticks();
        let ticks = program.steps.iter().filter_map(|step| match step {
            Step::Tick { instructions } => Some(*instructions),
            _ => None,
        });
        assert_eq!(ticks.collect::<Vec<u32>>(), [7, 8]);
        assert_eq!(program.steps.len(), 5);
        assert!(matches!(program.steps[2], Step::Branch { to: 3, .. }));
    }

    #[test]
    fn what_led_to_a_step_leads_to_those_in_front() {
        let text = "rows 1\nscalars 2\nexec s0\n0: branch @2 if mask s0 == 0 ; 0x0 0x1\n1: v0 = Mov 0x1 ; 0x4 0x2\n\
                    2: v0 = Mov 0x2 ; 0x8 0x3\n3: branch @1 if mask s0 != 0 ; 0xc 0x4\n4: end ; 0x10 0x5\n";
        let parsed: Result<Program, _> = text.parse();
        let mut program = parsed.unwrap();
        let step = |value: u32| Step::Alu {
            op: LaneOp::Mov,
            dst: 0,
            src: [Src::Const(value), Src::Const(0), Src::Const(0)],
        };
        let steps = [step(7), step(8)];
        program.insert(|at| match at {
            1 => &steps[..1],
            2 => &steps,
            _ => &[],
        });
        let found: Vec<String> = program.steps.iter().map(ToString::to_string).collect();
        let expected = [
            "branch @3 if mask s0 == 0",
            "v0 = Mov 0x7",
            "v0 = Mov 0x1",
            "v0 = Mov 0x7",
            "v0 = Mov 0x8",
            "v0 = Mov 0x2",
            "branch @1 if mask s0 != 0",
            "end",
        ];
        assert_eq!(found, expected);
        let words: Vec<u32> = program.origins.iter().map(|origin| origin.word).collect();
        assert_eq!(words, [1, 2, 2, 3, 3, 3, 4, 5]);
    }

    /// Checks what [`Program::remove_dead`] leaves of steps of 8 rows, of which the last 4 are temporaries, with the
    /// mask in scalars 8 and 9; `-` marks steps that go. Port 0 reads row 5, scalar 2 is looked at in the end.
    fn check(steps: &[&str]) {
        let head = "rows 8\ntemporaries 4\nscalars 12\nexec s8\nport 0 reads v5 s8 s9\n";
        let text = |steps: &mut dyn Iterator<Item = &str>| {
            let lines = steps.enumerate();
            let lines = lines.map(|(n, step)| format!("{n}: {step} ; 0x0 0x0\n"));
            head.to_owned() + &lines.collect::<String>()
        };
        let mut all = steps.iter().map(|step| step.trim_start_matches("- "));
        let mut program: Program = text(&mut all).parse().unwrap();
        program.remove_dead(&[2]);
        let found: Vec<String> = program.steps.iter().map(ToString::to_string).collect();
        let kept = steps.iter().filter(|step| !step.starts_with("- "));
        let kept: Vec<String> = kept.map(|step| (*step).to_owned()).collect();
        assert_eq!(found, kept);
    }

    #[test]
    fn what_nobody_reads_goes() {
        check(&[
            "- v4 = Mov 0x1",
            "v4 = Mov 0x2",
            "v0 = FAdd v4, v4",
            "- v6 = FAdd v0, v0",
            "- v7 = FAdd v6, v6",
            "v1 = Mov v0",
            "- s1 = IAdd s2, s2",
            "s2 = IAdd s3, s3",
            "end",
        ]);
    }

    #[test]
    fn a_write_under_another_mask_hides_nothing() {
        check(&[
            "v4 = Mov 0x1",
            "s10 = Mov64 s8",
            "mask s8 = FLt v0, v1",
            "v4 = Mov 0x2",
            "s8 = Mov64 s10",
            "v0 = Mov v4",
            "end",
        ]);
    }

    #[test]
    fn ports_and_swizzles_see_lanes_that_are_not_enabled() {
        check(&[
            "v5 = Mov 0x1",
            "v5 = Mov 0x2",
            "port 0",
            "v4 = Mov 0x1",
            "v4 = Mov 0x2",
            "v0 = quad v4 1 0 3 2",
            "end",
        ]);
    }

    #[test]
    fn rows_that_are_written_first_are_not_read_at_the_entry() {
        let text = "rows 8\ntemporaries 8\nscalars 12\nexec s8
            port 0 reads v5 writes v6 s4 overwrites
            port 1 reads v5 writes v7
            0: v0 = FAdd v1, v1 ; 0x0 0x0
            1: branch @3 if mask s8 == 0 ; 0x0 0x0
            2: port 0 ; 0x0 0x0
            3: port 1 ; 0x0 0x0
            4: v2 = FAdd v6, v7 ; 0x0 0x0
            5: mask s8 = FLt v0, v3 ; 0x0 0x0
            6: v4 = FAdd v2, v0 ; 0x0 0x0
            7: v3 = FAdd v4, v6 ; 0x0 0x0
            8: end ; 0x0 0x0\n";
        let program: Program = text.parse().unwrap();
        let rows = program.entry_rows();
        let read: Vec<usize> = (0..8).filter(|row| rows[*row]).collect();
        assert_eq!(read, [1, 3, 5, 7]);
    }

    #[test]
    fn loops_carry_what_they_read() {
        check(&[
            "v4 = Mov 0x0",
            "v0 = FAdd v0, v4",
            "v4 = FAdd v4, v0",
            "s0 = IAdd s0, 0x1",
            "branch @1 if s0 == 0",
            "- v4 = Mov 0x0",
            "end",
        ]);
    }
}
