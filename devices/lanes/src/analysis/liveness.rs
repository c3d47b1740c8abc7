//! Liveness. In: a program. Out: the registers it reads, writes, and writes before reading. A device need not clear
//! registers that are dead on entry, nor copy those that never change.

use crate::analysis::effects::PortEffects;
use crate::op::WideOp;
use crate::step::{Program, Src, Step};

/// Accesses of a program to one register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterUse {
    /// A step or port may read it, for any lanes and branches.
    pub read: bool,
    /// A step or port may write it.
    pub written: bool,
    /// With all lanes enabled at the start, the wave fully overwrites it before any read: dead on entry.
    ///
    /// Decided in the first straight block only: up to a branch, indexed move, or port that does not overwrite; for
    /// rows, up to the first change of the execution mask.
    pub written_first: bool,
}

/// Accesses of a program to its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    /// Per row.
    pub rows: Vec<RegisterUse>,
    /// Per scalar.
    pub scalars: Vec<RegisterUse>,
}

impl Liveness {
    /// Analyses a valid program.
    pub fn new(program: &Program) -> Liveness {
        let mut live = Liveness {
            rows: vec![RegisterUse::default(); program.rows.into()],
            scalars: vec![RegisterUse::default(); program.scalars.into()],
        };
        live.note_uses(program);
        live.note_beginning(program);
        live
    }

    /// Scalars that a wave may read before it writes them, in ascending order.
    pub fn live_in(&self) -> impl Iterator<Item = u16> {
        let scalars = (0..).zip(&self.scalars);
        let live = scalars.filter(|(_, scalar)| scalar.read && !scalar.written_first);
        live.map(|(at, _)| at)
    }

    /// Reads and writes anywhere in the program.
    fn note_uses(&mut self, program: &Program) {
        let Liveness { rows, scalars } = self;
        let read = |register: &mut RegisterUse| register.read = true;
        let written = |register: &mut RegisterUse| register.written = true;
        mark(scalars, program.exec..program.exec + 2, read);
        for step in &program.steps {
            if let Step::Port { port } = *step {
                match program.ports.get(port as usize) {
                    Some(port) => {
                        mark(rows, port.reads_rows.iter().copied(), read);
                        mark(rows, port.writes_rows.iter().copied(), written);
                        mark(scalars, port.reads_scalars.iter().copied(), read);
                        mark(scalars, port.writes_scalars.iter().copied(), written);
                    }
                    None => rows.iter_mut().chain(&mut *scalars).for_each(|register| {
                        read(register);
                        written(register);
                    }),
                }
                continue;
            }
            match step.read_rows() {
                Some(list) => mark(rows, list.into_iter().flatten(), read),
                None => rows.iter_mut().for_each(read),
            }
            mark(rows, step.written_rows(), written);
            mark(scalars, step.read_scalars().into_iter().flatten(), read);
            mark(scalars, step.written_scalars(), written);
        }
    }

    /// First access of each register in the first straight block.
    fn note_beginning(&mut self, program: &Program) {
        let mut rows = First(vec![None; self.rows.len()]);
        let mut scalars = First(vec![None; self.scalars.len()]);
        let mask = || program.exec..program.exec + 2;
        scalars.note(mask(), Access::Read);
        let mut all_lanes = true;
        for step in &program.steps {
            match step {
                Step::Branch { .. }
                | Step::Indirect { .. }
                | Step::Relative { .. }
                | Step::Barrier
                | Step::End
                | Step::Trap { .. } => break,
                Step::Port { port } => {
                    let port = program.ports.get(*port as usize);
                    let Some(port) = port.filter(|port| port.overwrites) else {
                        break;
                    };
                    rows.note(port.reads_rows.iter().copied(), Access::Read);
                    scalars.note(port.reads_scalars.iter().copied(), Access::Read);
                    if all_lanes {
                        rows.note(port.writes_rows.iter().copied(), Access::Write);
                    }
                    scalars.note(port.writes_scalars.iter().copied(), Access::Write);
                    all_lanes &= !mask().any(|at| port.writes_scalars.contains(&at));
                }
                _ => {
                    rows.note(
                        step.read_rows().into_iter().flatten().flatten(),
                        Access::Read,
                    );
                    scalars.note(step.read_scalars().into_iter().flatten(), Access::Read);
                    // One lane is not all of a row.
                    if all_lanes && !matches!(step, Step::WriteLane { .. }) {
                        rows.note(step.written_rows(), Access::Write);
                    }
                    scalars.note(step.written_scalars(), Access::Write);
                    all_lanes &= keeps_all_lanes(step, program.exec);
                }
            }
        }
        rows.store(&mut self.rows);
        scalars.store(&mut self.scalars);
    }
}

impl Program {
    /// Whether what disabled lanes hold when a wave starts is never seen: the execution mask stays, and no lane reads registers
    /// of another. `apart` says of each port whether it keeps to that.
    pub fn keeps_lanes_apart(&self, apart: impl Fn(usize) -> bool) -> bool {
        let mask = self.exec..self.exec + 2;
        self.steps.iter().all(|step| match step {
            Step::Port { port } => {
                let number = *port as usize;
                let keeps =
                    |port: &PortEffects| !port.writes_scalars.iter().any(|at| mask.contains(at));
                apart(number) && self.ports.get(number).is_some_and(keeps)
            }
            Step::ReadLane { .. }
            | Step::ReadFirstLane { .. }
            | Step::Swizzle { .. }
            | Step::Relative { .. } => false,
            step => {
                let written = step.written_scalars();
                written.end <= mask.start || mask.end <= written.start
            }
        })
    }

    /// For each of `count` ports: how many rows, from the one on that `first` names for it, nothing has written since the port
    /// before that names the same row, in a straight run under one execution mask.
    pub fn unwritten(&self, count: usize, first: impl Fn(usize) -> Option<u16>) -> Vec<u16> {
        let mut unwritten = vec![0; count];
        let leads = self.leads();
        // The row that was named last, and how many from there on stay.
        let mut stay: Option<(u16, u16)> = None;
        let write = |stay: &mut Option<(u16, u16)>, rows: std::ops::Range<u16>| {
            if let Some((row, count)) = stay
                && rows.end > *row
                && !rows.is_empty()
            {
                *count = (*count).min(rows.start.saturating_sub(*row));
            }
        };
        for (at, step) in self.steps.iter().enumerate() {
            if leads[at] {
                stay = None;
            }
            let Step::Port { port } = *step else {
                write(&mut stay, step.written_rows());
                continue;
            };
            let port = port as usize;
            let Some(effects) = self.ports.get(port) else {
                stay = None;
                continue;
            };
            if let Some(row) = first(port) {
                if let (Some(out), Some((_, count))) = (
                    unwritten.get_mut(port),
                    stay.filter(|(last, _)| *last == row),
                ) {
                    *out = count;
                }
                stay = Some((row, u16::MAX));
            }
            for row in &effects.writes_rows {
                write(&mut stay, *row..*row + 1);
            }
        }
        unwritten
    }

    /// For each of `count` ports: whether a wave may come to it again, without indirect jumps.
    pub fn looped_ports(&self, count: usize) -> Vec<bool> {
        let mut looped = vec![false; count];
        // From where a branch goes back to, to the branch.
        let back = self.steps.iter().enumerate().filter_map(|(at, step)| {
            let Step::Branch { to, .. } = step else {
                return None;
            };
            (*to as usize <= at).then_some(*to as usize..at)
        });
        for step in back.flat_map(|steps| &self.steps[steps]) {
            if let Step::Port { port } = step
                && let Some(looped) = looped.get_mut(*port as usize)
            {
                *looped = true;
            }
        }
        looped
    }

    /// For each of `count` ports: whether it is of a kind and only ports of that kind follow until the wave ends.
    pub fn last_ports(&self, count: usize, kind: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut last = vec![false; count];
        let (mut ends, mut end) = (false, 0);
        for (at, step) in self.steps.iter().enumerate().rev() {
            match *step {
                Step::End => (ends, end) = (true, at),
                Step::Tick { .. } => {}
                // Over some of those ports, as where no lane takes part.
                Step::Branch { to, .. } if (at + 1..=end).contains(&(to as usize)) => {}
                Step::Port { port } => {
                    let port = port as usize;
                    ends = ends && port < count && kind(port);
                    if let Some(last) = last.get_mut(port) {
                        *last = ends;
                    }
                }
                _ => ends = false,
            }
        }
        last
    }
}

/// Whether a full execution mask stays full. Whole-quad mode on a full mask keeps it full.
fn keeps_all_lanes(step: &Step, exec: u16) -> bool {
    let written = step.written_scalars();
    let writes_mask = written.start < exec + 2 && exec < written.end;
    !writes_mask
        || matches!(step, Step::UniformWide { op: WideOp::WholeQuads, dst, src }
            if *dst == exec && src[0] == Src::Scalar(exec))
}

fn mark(
    file: &mut [RegisterUse],
    registers: impl IntoIterator<Item = u16>,
    set: impl Fn(&mut RegisterUse),
) {
    for at in registers {
        if let Some(register) = file.get_mut(usize::from(at)) {
            set(register);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// First access of each register.
struct First(Vec<Option<Access>>);

impl First {
    fn note(&mut self, registers: impl IntoIterator<Item = u16>, access: Access) {
        for at in registers {
            if let Some(first) = self.0.get_mut(usize::from(at)) {
                first.get_or_insert(access);
            }
        }
    }

    fn store(self, file: &mut [RegisterUse]) {
        for (register, first) in file.iter_mut().zip(self.0) {
            register.written_first = first == Some(Access::Write);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rows_that_stay_between_ports() {
        let program = |steps: &[&str]| {
            let ports = [
                "port 0 reads v0 v1 writes v4",
                "port 1 reads v0 v1 writes v1",
                "port 2 reads v0 v1 writes v5",
                "port 3 reads v2 v3 writes v6",
            ];
            let mut text = ["rows 8", "scalars 8", "exec s4"].join("\n");
            ports.iter().for_each(|port| text += &format!("\n{port}"));
            for (n, step) in steps.iter().enumerate() {
                text += &format!("\n{n}: {step} ; 0x0 0x0");
            }
            text.parse::<Program>().unwrap()
        };
        let check = |steps: &[&str], expected: [u16; 4]| {
            let first = |port: usize| Some([0, 0, 0, 2][port]);
            assert_eq!(program(steps).unwritten(4, first), expected, "{steps:?}");
        };
        check(&["port 0", "port 2", "port 1", "end"], [0, 5, 4, 0]);
        // A port writes one of its own.
        check(&["port 0", "port 1", "port 2", "end"], [0, 4, 1, 0]);
        // So does a step; the first is written.
        check(&["port 0", "v1 = Mov v7", "port 2", "end"], [0, 0, 1, 0]);
        check(&["port 0", "v0 = Mov v7", "port 2", "end"], [0, 0, 0, 0]);
        // Another row is named in between, the mask changes, control comes from elsewhere.
        check(&["port 0", "port 3", "port 2", "end"], [0, 0, 0, 0]);
        check(&["port 0", "s4 = Mov64 s6", "port 2", "end"], [0, 0, 0, 0]);
        check(
            &["port 0", "branch @2 if s0 == 0", "port 2", "end"],
            [0, 0, 0, 0],
        );
    }
}
