//! Raw execution as groups of tasks, one group after the other. All waves start with the registers of the input, and find
//! places and numbers where [`crate::cdm`] puts them. Samples read textures that lie in memory.

use isa::{ExecError, ExecGroup, ExecInput, ExecOutput, MemoryBlock};
use lanes::{BatchStop, DefaultEngine, Engine, LANES, Prepared, Resume, Wave, first_lanes};
use silicon::{Memory, SimdLevel};

use super::{Names, memory_now, registers, trap, wrong};
use crate::CHIP;
use crate::cdm::memory::{GroupPorts, GroupSlot, Unit, stores_texels};
use crate::cdm::{COUNT, MOST_INSTANCES, MOST_SHARED, PLACE, fill, places};
use crate::lift::{ACTIVE, COVERED, Lifted, TASK};

/// Most groups of a run, as each is reported.
const MAX_GROUPS: u64 = 1 << 12;

/// The groups of a run.
pub(super) struct Groups {
    size: [u32; 3],
    count: [u32; 3],
    /// Words of memory that a group starts with.
    shared: Vec<u32>,
}

impl Groups {
    /// A reason if the chip has no such groups.
    pub(super) fn new(size: [u32; 3], input: &ExecInput) -> Result<Groups, ExecError> {
        let product = |axes: [u32; 3]| axes.iter().map(|n| u128::from(*n)).product::<u128>();
        let instances = product(size);
        if !(1..=u128::from(MOST_INSTANCES)).contains(&instances) {
            return Err(wrong(
                "workgroup",
                format!("{instances} instances; 1 to {MOST_INSTANCES} are possible"),
            ));
        }
        let count = input.groups.unwrap_or([1; 3]);
        let groups = product(count);
        if groups > MAX_GROUPS.into() {
            return Err(wrong(
                "groups",
                format!("{groups} groups; at most {MAX_GROUPS} are run"),
            ));
        }
        if input.user.is_some() {
            let reason = "the place of a group is always in sh0 to sh2";
            return Err(wrong("user", reason));
        }
        let hex = input.shared.as_deref().unwrap_or("");
        let bytes = isa::bytes_of_hex(hex).map_err(|reason| wrong("shared", reason))?;
        if bytes.len() > MOST_SHARED as usize {
            let given = bytes.len();
            return Err(wrong(
                "shared",
                format!("{given} bytes, but there are {MOST_SHARED}"),
            ));
        }
        let mut shared = vec![0; MOST_SHARED as usize / 4];
        for (word, chunk) in shared.iter_mut().zip(bytes.chunks(4)) {
            let mut four = [0; 4];
            four[..chunk.len()].copy_from_slice(chunk);
            *word = u32::from_le_bytes(four);
        }
        Ok(Groups {
            size,
            count,
            shared,
        })
    }

    /// Runs the groups. `wave` is what waves start as.
    pub(super) fn run(
        &self,
        engine: &DefaultEngine,
        lifted: &Lifted,
        (names, mut wave): (&Names, Wave),
        memory: &Memory,
        input: &ExecInput,
    ) -> Result<ExecOutput, ExecError> {
        if lifted.tasks < 2 {
            return Err(wrong(
                "workgroup",
                "a program with the link register runs one task",
            ));
        }
        let layout = &lifted.layout;
        let mut program = lifted.program.clone();
        let own = PLACE.map(|register| layout.shared.start + register);
        program.per_wave.extend(own);
        for (register, count) in COUNT.into_iter().zip(self.count) {
            wave.scalars[usize::from(layout.shared.start + register)] = count;
        }
        let prepared = engine.prepare(&program).map_err(trap)?;
        let instances = self.size.iter().product::<u32>() as usize;
        let count = instances.div_ceil(LANES);
        let slots: Vec<GroupSlot> = (0..count)
            .map(|wave| GroupSlot {
                shared: 0..self.shared.len(),
                log: None,
                wave: wave as u8,
            })
            .collect();
        let mut unit = Unit::default();
        let mut output = ExecOutput::default();
        let [width, height, depth] = self.count;
        for number in 0..width * height * depth {
            let group = [
                number % width,
                number / width % height,
                number / (width * height),
            ];
            let mut waves = vec![wave.clone(); count];
            for (n, wave) in waves.iter_mut().enumerate() {
                let lanes = first_lanes(instances - n * LANES);
                wave.set_mask(ACTIVE, lanes);
                wave.set_mask(COVERED, lanes);
                let found = (group, &places(n, self.size));
                fill(layout, wave, found, (n, lanes));
            }
            unit.shared.clone_from(&self.shared);
            let mut ports = GroupPorts {
                lifted,
                stores_texels: stores_texels(lifted),
                memory,
                level: SimdLevel::current(),
                private: &(0..0),
                slots: &slots,
                first: 0,
                unit: &mut unit,
            };
            run_waves(engine, (&prepared, lifted.locks), &mut waves, &mut ports)
                .map_err(|BatchStop { wave, stop }| {
                    let (pc, word) = (stop.origin.pc, stop.origin.word);
                    let lane = waves[wave].mask(ACTIVE).trailing_zeros().min(LANES as u32 - 1);
                    let task = 2 * wave as u32 + lane / TASK;
                    let [x, y, z] = group;
                    ExecError::Trap(format!(
                        "{CHIP} at {pc:#x}: group {x}, {y}, {z}, task {task}: {} (word {word:#010x})",
                        stop.fault
                    ))
                })?;
            output.instructions += waves.iter().map(|wave| wave.instructions).sum::<u64>();
            let words = unit.shared.iter().copied();
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            // Behind what is not zero there is nothing to see.
            let used = bytes.iter().rposition(|byte| *byte != 0);
            let used = used.map_or(0, |at| at / 4 * 4 + 4);
            let of_wave = |(n, wave): (usize, &Wave)| {
                let lanes = (instances - n * LANES).min(LANES);
                registers(names, layout, wave, lanes)
            };
            output.groups.push(ExecGroup {
                group,
                shared: MemoryBlock::new(0, &bytes[..used]).hex,
                waves: waves.iter().enumerate().map(of_wave).collect(),
            });
        }
        output.memory = memory_now(input, memory);
        Ok(output)
    }
}

/// Runs the waves of a group to their ends; one by one from barrier to barrier if they lock a mutex.
fn run_waves(
    engine: &DefaultEngine,
    (prepared, locks): (&Prepared, bool),
    waves: &mut [Wave],
    ports: &mut GroupPorts<'_>,
) -> Result<(), BatchStop> {
    let mut stands = vec![Resume::START; waves.len()];
    if !locks {
        return engine.run_groups(prepared, waves, &mut stands, ports);
    }
    while !stands.iter().all(|stand| stand.has_ended()) {
        for n in 0..waves.len() {
            ports.first = n;
            engine
                .advance(prepared, &mut waves[n..=n], &mut stands[n..=n], ports)
                .map_err(|stopped| BatchStop { wave: n, ..stopped })?;
        }
    }
    Ok(())
}
