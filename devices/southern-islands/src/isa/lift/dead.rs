//! Removes flags that nobody reads: SCC of scalar operations, VCC of integer additions.
//!
//! Most flags are overwritten before anything looks at them. A flag counts as read where the program ends or jumps to an
//! address in registers, so a finished wave holds what the machine would hold.

use std::ops::Range;

use lanes::{PortEffects, Program, Step, When};

use super::{LDS_DIRECT_SLOT, MODE_SLOT, SCALAR_SLOTS, SCC_SLOT, VCC};

/// A set of the scalar slots that are looked at: VCC, SCC and everything after it.
type Slots = u64;

const _: () = assert!(SCALAR_SLOTS - SCC_SLOT + 2 <= 64);

/// What outlives the program. Temporaries do not.
const OUTCOME: Slots =
    slot(VCC) | slot(VCC + 1) | slot(SCC_SLOT) | slot(MODE_SLOT) | slot(LDS_DIRECT_SLOT);

const fn slot(at: u16) -> Slots {
    match at {
        VCC => 1,
        _ if at == VCC + 1 => 2,
        SCC_SLOT..SCALAR_SLOTS => 4 << (at - SCC_SLOT),
        _ => 0,
    }
}

fn slots(scalars: Range<u16>) -> Slots {
    scalars.fold(0, |set, at| set | slot(at))
}

/// Slots that a step reads.
fn reads(step: &Step, ports: &[PortEffects]) -> Slots {
    match step {
        Step::Indirect { .. } | Step::End => !0,
        Step::Port { port } => ports.get(*port as usize).map_or(!0, |port| {
            let read = port.reads_scalars.iter();
            read.fold(0, |set, at| set | slot(*at))
        }),
        _ => step
            .read_scalars()
            .into_iter()
            .fold(0, |set, scalars| set | slots(scalars)),
    }
}

/// Slots that a step overwrites and does nothing else, or none if it does.
fn only_writes(step: &Step) -> Option<Slots> {
    match step {
        Step::Uniform { .. }
        | Step::UniformWide { .. }
        | Step::Compare { .. }
        | Step::CompareWide { .. } => {
            let written = step.written_scalars();
            let all_known = written.clone().all(|at| slot(at) != 0);
            all_known.then(|| slots(written))
        }
        _ => None,
    }
}

/// What is needed before a step, given what is needed after it.
fn before(step: &Step, after: Slots, ports: &[PortEffects]) -> Slots {
    match only_writes(step) {
        Some(written) if written & after == 0 => after,
        Some(written) => after & !written | reads(step, ports),
        None => after | reads(step, ports),
    }
}

/// Removes the steps whose results are not needed.
pub(super) fn remove(program: &mut Program) {
    let (steps, ports) = (&program.steps, &program.ports);
    let mut needed = vec![0; steps.len() + 1];
    let after = |needed: &[Slots], at: usize| match steps[at] {
        Step::End => OUTCOME,
        Step::Indirect { .. } => !0,
        Step::Trap { .. } => 0,
        Step::Branch {
            when: When::Always,
            to,
        } => needed[to as usize],
        Step::Branch { to, .. } => needed[at + 1] | needed[to as usize],
        _ => needed[at + 1],
    };
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..steps.len()).rev() {
            let set = match steps[at] {
                Step::End => OUTCOME,
                ref step => before(step, after(&needed, at), ports),
            };
            changed |= set != needed[at];
            needed[at] = set;
        }
    }
    let keep: Vec<bool> = (0..steps.len())
        .map(|at| match only_writes(&steps[at]) {
            Some(written) => written & after(&needed, at) != 0,
            None => true,
        })
        .collect();
    // Where each step lies afterwards; a removed one is replaced by the next.
    let places: Vec<u32> = keep
        .iter()
        .scan(0, |count, keep| {
            let place = *count;
            *count += u32::from(*keep);
            Some(place)
        })
        .collect();
    let mut kept = keep.iter().copied();
    program.steps.retain(|_| kept.next().unwrap_or(true));
    let mut kept = keep.iter().copied();
    program.origins.retain(|_| kept.next().unwrap_or(true));
    for step in &mut program.steps {
        if let Step::Branch { to, .. } = step {
            *to = places[*to as usize];
        }
    }
    for (_, step) in &mut program.entries {
        *step = places[*step as usize];
    }
}
