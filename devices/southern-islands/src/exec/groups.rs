//! Raw execution as groups of waves, one group after the other. All waves start with the registers of the input; the
//! numbers of a thread are in v0, v1 and v2, the place of the group and TG_SIZE in the SGPRs behind the user's.

use std::collections::BTreeMap;

use isa::{ExecError, ExecGroup, ExecInput, LaneValue, MemoryBlock};
use lanes::{BatchStop, DefaultEngine, Engine, LANES, Prepared, Resume, Wave, first_lanes};

use super::Unit;
use crate::CHIP;
use crate::compute::{MAX_WAVES, tg_size, thread_numbers};
use crate::isa::operand::{EXEC, SGPRS};

/// Most groups of a run, as each is reported.
const MAX_GROUPS: u64 = 1 << 12;
/// SGPRs that the system gives a group.
const SYSTEM: u32 = 4;

/// The groups of a run.
pub(super) struct Groups {
    size: [u32; 3],
    count: [u32; 3],
    /// First SGPR behind the user's.
    system: usize,
}

impl Groups {
    /// A reason if the chip has no such groups.
    pub(super) fn new(size: [u32; 3], input: &ExecInput) -> Result<Groups, ExecError> {
        let wrong = |what: &str, reason: String| {
            let what = what.to_owned();
            Err(ExecError::Input { what, reason })
        };
        let product = |axes: [u32; 3]| axes.iter().map(|n| u128::from(*n)).product::<u128>();
        let (threads, most) = (product(size), (MAX_WAVES * LANES) as u128);
        if !(1..=most).contains(&threads) {
            return wrong(
                "workgroup",
                format!("{threads} threads; 1 to {most} are possible"),
            );
        }
        let count = input.groups.unwrap_or([1; 3]);
        let groups = product(count);
        if groups > MAX_GROUPS.into() {
            return wrong(
                "groups",
                format!("{groups} groups; at most {MAX_GROUPS} are run"),
            );
        }
        let user = input.user.unwrap_or(0);
        let most = u32::from(SGPRS) - SYSTEM;
        if user > most {
            return wrong(
                "user",
                format!("{user} scalar registers; at most {most} are possible"),
            );
        }
        Ok(Groups {
            size,
            count,
            system: user as usize,
        })
    }

    /// Scalars that waves have for themselves.
    pub(super) fn per_wave(&self) -> Vec<u16> {
        let (system, exec) = (self.system as u16, u16::from(EXEC));
        let masks = [exec, exec + 1];
        (system..system + SYSTEM as u16).chain(masks).collect()
    }

    /// Runs the groups; how each ended, and how many instructions ran. `wave` is what waves start as.
    pub(super) fn run(
        &self,
        engine: &DefaultEngine,
        prepared: &Prepared,
        wave: Wave,
        unit: &mut Unit<'_>,
        report: impl Fn(&Wave) -> BTreeMap<String, LaneValue>,
    ) -> Result<(Vec<ExecGroup>, u64), ExecError> {
        let threads = self.size.iter().product::<u32>() as usize;
        let count = threads.div_ceil(LANES);
        let shared = unit.memory.lds.clone();
        let (mut groups, mut instructions) = (Vec::new(), 0);
        let mut stands = vec![Resume::START; count];
        let [width, height, depth] = self.count;
        for number in 0..width * height * depth {
            let group = [
                number % width,
                number / width % height,
                number / (width * height),
            ];
            let mut waves = vec![wave.clone(); count];
            for (n, wave) in waves.iter_mut().enumerate() {
                let [x, y, z] = group;
                let values = [x, y, z, tg_size(n as u32, count as u32)];
                wave.scalars[self.system..][..values.len()].copy_from_slice(&values);
                let first = n * LANES;
                let lanes = first_lanes(threads - first);
                wave.set_mask(EXEC.into(), wave.mask(EXEC.into()) & lanes);
                thread_numbers(&mut wave.rows[..3], first, self.size);
            }
            unit.memory.lds.copy_from_slice(&shared);
            engine
                .run_groups(prepared, &mut waves, &mut stands, unit)
                .map_err(|BatchStop { wave, stop }| {
                    let (pc, word) = (stop.origin.pc, stop.origin.word);
                    let [x, y, z] = group;
                    ExecError::Trap(format!(
                        "{CHIP} at {pc:#x}: group {x}, {y}, {z}, wave {wave}: {} (word {word:#010x})",
                        stop.fault
                    ))
                })?;
            instructions += waves.iter().map(|wave| wave.instructions).sum::<u64>();
            let words = unit.memory.lds.iter().copied();
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            // Behind what is not zero there is nothing to see.
            let used = bytes
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |at| at / 4 * 4 + 4);
            groups.push(ExecGroup {
                group,
                shared: MemoryBlock::new(0, &bytes[..used]).hex,
                waves: waves.iter().map(&report).collect(),
            });
        }
        Ok((groups, instructions))
    }
}
