//! Workgroups of the oracle: their waves run one after the other from barrier to barrier, with their memory in a plain vector.

use lanes::{DefaultEngine, Engine, LANES, Resume, Row, Stop, Wave};

use super::{DirectProgram, EXEC, LIVE, Resources, Way, atomic, each};
use crate::ir::{Builtin, Op};

/// Which workgroup runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its place.
    pub at: [u32; 3],
    /// Number of workgroups.
    pub count: [u32; 3],
}

impl DirectProgram {
    /// Runs one workgroup: wave after wave, each to its next barrier or its end. A wave is stopped when it has cost
    /// `limit`; its number comes with the reason.
    pub fn run_group(
        &self,
        group: Group,
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<(), (usize, Stop)> {
        let mut ports = self.way(group, resources);
        let invocations = self.workgroup.invocations() as usize;
        let mut waves: Vec<(Wave, Resume)> = (0..invocations.div_ceil(LANES))
            .map(|number| {
                let mut wave = Wave::new(self.program.rows as usize, self.program.scalars as usize);
                wave.limit = limit;
                let live = lanes::first_lanes(invocations - number * LANES);
                wave.set_mask(EXEC, live);
                wave.set_mask(LIVE, live);
                (wave, Resume::START)
            })
            .collect();
        let engine = DefaultEngine::new();
        while waves.iter().any(|(_, stand)| !stand.has_ended()) {
            for (number, (wave, stand)) in waves.iter_mut().enumerate() {
                ports.first = (number * LANES) as u32;
                let (wave, stand) = (std::slice::from_mut(wave), std::slice::from_mut(stand));
                engine
                    .advance(&self.prepared, wave, stand, &mut ports)
                    .map_err(|stopped| (number, stopped.stop))?;
            }
        }
        Ok(())
    }
}

impl Way<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin) -> Row {
        let [width, height, _] = self.workgroup.size;
        let thread = |lane: usize| self.first + lane as u32;
        match builtin {
            Builtin::LocalId(0) => Row(std::array::from_fn(|lane| thread(lane) % width)),
            Builtin::LocalId(1) => Row(std::array::from_fn(|lane| thread(lane) / width % height)),
            Builtin::LocalId(_) => Row(std::array::from_fn(|lane| thread(lane) / (width * height))),
            Builtin::WorkgroupId(axis) => Row::splat(self.group.at[usize::from(axis)]),
            Builtin::WorkgroupCount(axis) => Row::splat(self.group.count[usize::from(axis)]),
            Builtin::SubgroupSize => Row::splat(LANES as u32),
            Builtin::SubgroupInvocation => Row(std::array::from_fn(|lane| lane as u32)),
            Builtin::SubgroupId => Row::splat(self.first / LANES as u32),
            Builtin::SubgroupCount => {
                Row::splat(self.workgroup.invocations().div_ceil(LANES as u32))
            }
            builtin => self.resources.builtin(builtin),
        }
    }

    /// Memory of the workgroup.
    pub(super) fn share(&mut self, op: &Op, args: &[Row], results: &mut [Row], exec: u64) {
        let shared = &mut self.shared;
        each(exec, |lane| {
            let place = |k: usize| args[0].0[lane] as usize / 4 + k;
            match op {
                Op::StoreShared => {
                    for (k, value) in args[1..].iter().enumerate() {
                        if let Some(word) = shared.get_mut(place(k)) {
                            *word = value.0[lane];
                        }
                    }
                }
                Op::AtomicShared(op) => {
                    let Some(word) = shared.get_mut(place(0)) else {
                        return;
                    };
                    let compare = args.get(2).map_or(0, |row| row.0[lane]);
                    let old = std::mem::replace(word, atomic(*op, *word, args[1].0[lane], compare));
                    results[0].0[lane] = old;
                }
                _ => {
                    for (k, result) in results.iter_mut().enumerate() {
                        result.0[lane] = shared.get(place(k)).copied().unwrap_or(0);
                    }
                }
            }
        });
    }
}
