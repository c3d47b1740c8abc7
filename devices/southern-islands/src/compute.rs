//! Dispatches: groups of threads, x first. [STAGES, CS]
//!
//! The waves of a group share 0 to 32 KiB of local data share, cleared before each group, and wait for each other at
//! S_BARRIER. A wave starts with its user SGPRs, then those of TGID_X, TGID_Y, TGID_Z, TG_SIZE and the scratch offset
//! that RSRC2 enables; its first VGPRs are the thread's place in the group.

mod run;

use std::ops::Range;

use lanes::{LANES, Row, Wave, first_lanes};
use radeon::r6xx::unexecuted;
use radeon::registers::RegisterFile;

use crate::isa::operand::{EXEC, TBA, TMA};
use crate::reach::forget_own;
use crate::registers::program;
use crate::regs::*;
use crate::spi::{User, user};
use crate::sq::{Resources, Shader};
use crate::ta::LDS_WORDS;

/// Waves of a group. [SI 1.2]
pub(crate) const MAX_WAVES: usize = 16;
/// Most groups of a dispatch, as nobody else ends one that goes on for days.
const MAX_GROUPS: u128 = 1 << 28;
/// System SGPRs that a dispatch may ask for.
const SYSTEM: usize = 5;
/// Words of one step of LDS_SIZE.
const LDS_STEP: usize = 64;

/// A dispatch, from its registers.
pub(crate) struct Dispatch {
    resources: Resources,
    user: User,
    trap_memory: u64,
    /// Byte address of the border colour table.
    border_colors: u64,
    rsrc2: ComputePgmRsrc2,
    /// Bytes of a wave's scratch memory.
    pub(crate) scratch_bytes: u32,
    /// Slots of it.
    scratch_slots: u64,
    /// First group, and the one behind the last, by axis.
    groups: [Range<u32>; 3],
    /// Threads of a group, and of the last one of an axis.
    threads: [[u32; 2]; 3],
}

impl Dispatch {
    /// A reason if the registers ask for what is not executed.
    pub(crate) fn new(registers: &RegisterFile) -> Result<Dispatch, String> {
        unexecuted::check(registers, crate::unexecuted::DISPATCH, 0)?;
        let rsrc2 = ComputePgmRsrc2::from_word(registers.get(COMPUTE_PGM_RSRC2));
        let initiator = registers.get(COMPUTE_DISPATCH_INITIATOR);
        let initiator = ComputeDispatchInitiator::from_word(initiator);
        if !initiator.compute_shader_en {
            return Err("COMPUTE_DISPATCH_INITIATOR.COMPUTE_SHADER_EN is 0".into());
        }
        let axes: [(Range<u32>, [u32; 2]); 3] = std::array::from_fn(|n| {
            let at = |register: u32| registers.get(register + 4 * n as u32);
            axis(
                &initiator,
                [at(COMPUTE_START_X), at(COMPUTE_DIM_X)],
                ComputeNumThread::from_word(at(COMPUTE_NUM_THREAD_X)),
            )
        });
        let groups = axes.clone().map(|(groups, _)| groups);
        let threads = axes.map(|(_, threads)| threads);
        if let Some([full, last]) = threads.iter().find(|[full, last]| last > full) {
            return Err(format!(
                "a partial group of {last} threads, where a whole one has {full}"
            ));
        }
        let count: u128 = groups.iter().map(|groups| groups.len() as u128).product();
        if count > MAX_GROUPS {
            return Err(format!("{count} groups; at most {MAX_GROUPS} are run"));
        }
        let most = MAX_WAVES * LANES;
        let size: u64 = threads.iter().map(|full| u64::from(full[0])).product();
        if count > 0 && !(1..=most as u64).contains(&size) {
            let [x, y, z] = threads.map(|full| full[0]);
            return Err(format!(
                "a group of {x} x {y} x {z} threads; 1 to {most} are possible"
            ));
        }
        if usize::from(rsrc2.lds_size) * LDS_STEP > LDS_WORDS {
            let (asked, most) = (usize::from(rsrc2.lds_size) * LDS_STEP * 4, LDS_WORDS * 4);
            return Err(format!(
                "{asked} bytes of local data share; there are {most}"
            ));
        }
        let ring = SpiTmpringSize::from_word(registers.get(COMPUTE_TMPRING_SIZE));
        let waves = size.div_ceil(LANES as u64);
        if rsrc2.scratch_en && u64::from(ring.waves) < waves {
            let room = ring.waves;
            return Err(format!(
                "scratch memory for {room} waves; a group has {waves}"
            ));
        }
        // TBA and TMA count where TRAP_PRESENT says so.
        let trap = |lo: u32| {
            if rsrc2.trap_present {
                program(registers, lo)
            } else {
                0
            }
        };
        let words = [COMPUTE_PGM_RSRC1, COMPUTE_PGM_RSRC2].map(|at| registers.get(at));
        let address = program(registers, COMPUTE_PGM_LO);
        Ok(Dispatch {
            resources: Resources {
                system_count: system(&rsrc2, [0; SYSTEM]).count() as u8,
                ..Resources::new(address, trap(COMPUTE_TBA_LO), words)
            },
            user: user(registers, COMPUTE_USER_DATA_0),
            trap_memory: trap(COMPUTE_TMA_LO),
            border_colors: u64::from(registers.get(TA_CS_BC_BASE_ADDR)) << 8,
            rsrc2,
            scratch_bytes: u32::from(ring.wavesize) * 1024,
            scratch_slots: ring.waves.into(),
            groups,
            threads,
        })
    }

    /// The scalars that all waves start with, by number.
    pub(crate) fn known_scalars(&self, shader: &Shader) -> Vec<Option<u32>> {
        let mut start = vec![Some(0); usize::from(shader.program.program().scalars)];
        let user = &self.user[..usize::from(self.resources.user_count)];
        for (scalar, value) in start.iter_mut().zip(user) {
            *scalar = Some(*value);
        }
        for (at, mask) in [(TBA, self.resources.handler), (TMA, self.trap_memory)] {
            for (n, scalar) in start[usize::from(at)..][..2].iter_mut().enumerate() {
                *scalar = Some((mask >> (32 * n)) as u32);
            }
        }
        forget_own(shader, &mut start);
        start
    }

    /// The scalar with the offset of scratch memory, which is the last of the system's.
    pub(crate) fn scratch_scalar(&self) -> Option<u16> {
        let last = u16::from(self.resources.user_count) + u16::from(self.resources.system_count);
        self.rsrc2.scratch_en.then(|| last - 1)
    }

    /// Bytes of all slots of scratch memory.
    pub(crate) fn scratch_room(&self) -> u64 {
        self.scratch_slots * u64::from(self.scratch_bytes)
    }

    /// Number of groups.
    fn count(&self) -> u64 {
        let counts = self.groups.iter().map(|groups| groups.len() as u64);
        counts.product()
    }

    /// The place of a group, by its number in ascending order.
    fn place(&self, number: u64) -> [u32; 3] {
        let [width, height] = [0, 1].map(|n| self.groups[n].len() as u64);
        let at = [
            number % width,
            number / width % height,
            number / (width * height),
        ];
        std::array::from_fn(|n| self.groups[n].start + at[n] as u32)
    }

    /// Waves of a group.
    fn waves(&self, group: [u32; 3]) -> usize {
        let threads: u32 = self.size(group).iter().product();
        (threads as usize).div_ceil(LANES)
    }

    /// Words of local data share that a group has.
    fn shared_words(&self) -> usize {
        usize::from(self.rsrc2.lds_size) * LDS_STEP
    }

    /// Threads of a group along each axis.
    fn size(&self, group: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|n| {
            let last = group[n] + 1 == self.groups[n].end;
            self.threads[n][usize::from(last)]
        })
    }

    /// First VGPRs of each wave of a whole group: the numbers of its threads.
    fn numbers(&self) -> Vec<[Row; 3]> {
        // A dispatch of no groups may say anything of their size.
        if self.count() == 0 {
            return Vec::new();
        }
        let size = self.threads.map(|[full, _]| full);
        let waves = (size.iter().product::<u32>() as usize).div_ceil(LANES);
        let of_wave = |n| {
            let mut rows = [Row::ZERO; 3];
            thread_numbers(&mut rows, n * LANES, size);
            rows
        };
        (0..waves).map(of_wave).collect()
    }

    /// Sets the registers of a group's waves. `numbers` are those of a whole group, `slot` is that of scratch memory which
    /// the first wave has. [STAGES, CS]
    fn start(
        &self,
        (shader, numbers): (&Shader, &[[Row; 3]]),
        group: [u32; 3],
        (waves, slot): (&mut [Wave], u32),
        limit: u64,
    ) {
        let size = self.size(group);
        let whole = size == self.threads.map(|[full, _]| full);
        let threads = size.iter().product::<u32>() as usize;
        let (user, count) = (usize::from(self.resources.user_count), waves.len() as u32);
        for (n, wave) in waves.iter_mut().enumerate() {
            for (row, live) in wave.rows.iter_mut().zip(&shader.live.rows) {
                if live.read {
                    row.0.fill(0);
                }
            }
            wave.scalars.fill(0);
            wave.scalars[..user].copy_from_slice(&self.user[..user]);
            let number = n as u32;
            let [x, y, z] = group;
            let tg_size = tg_size(number, count);
            let offset = (slot + number) * self.scratch_bytes;
            let values = [x, y, z, tg_size, offset];
            let scalars = &mut wave.scalars[user..];
            for (scalar, value) in scalars.iter_mut().zip(system(&self.rsrc2, values)) {
                *scalar = value;
            }
            wave.set_mask(u16::from(TBA), self.resources.handler);
            wave.set_mask(u16::from(TMA), self.trap_memory);
            let first = n * LANES;
            wave.set_mask(u16::from(EXEC), first_lanes(threads - first));
            let axes = usize::from(self.rsrc2.tidig_comp_cnt).min(2) + 1;
            let axes = axes.min(wave.rows.len());
            match whole {
                true => wave.rows[..axes].copy_from_slice(&numbers[n][..axes]),
                false => thread_numbers(&mut wave.rows[..axes], first, size),
            }
            wave.restart(limit);
        }
    }
}

/// The system SGPRs that waves start with, of those that there may be: place of the group, TG_SIZE, scratch offset.
fn system(rsrc2: &ComputePgmRsrc2, values: [u32; SYSTEM]) -> impl Iterator<Item = u32> {
    let enabled = [
        rsrc2.tgid_x_en,
        rsrc2.tgid_y_en,
        rsrc2.tgid_z_en,
        rsrc2.tg_size_en,
        rsrc2.scratch_en,
    ];
    let both = enabled.into_iter().zip(values);
    both.filter(|(enabled, _)| *enabled).map(|(_, value)| value)
}

/// What TG_SIZE tells a wave: waves of its group, its number, whether it is the first. [ERRATA on TG_SIZE]
pub(crate) fn tg_size(wave: u32, waves: u32) -> u32 {
    waves | wave << 6 | u32::from(wave == 0) << 31
}

/// Writes the numbers of threads along the first axes to rows of a wave whose first thread is `first`.
pub(crate) fn thread_numbers(rows: &mut [Row], first: usize, size: [u32; 3]) {
    let [width, height, depth] = size;
    let threads = (width * height * depth) as usize - first;
    for (axis, row) in rows.iter_mut().enumerate() {
        for (lane, value) in row.0.iter_mut().enumerate().take(threads) {
            let thread = (first + lane) as u32;
            *value = match axis {
                0 => thread % width,
                1 => thread / width % height,
                _ => thread / (width * height),
            };
        }
    }
}

/// The groups of an axis, and the threads of a group and of the last one, from where groups start and end.
fn axis(
    initiator: &ComputeDispatchInitiator,
    [start, end]: [u32; 2],
    threads: ComputeNumThread,
) -> (Range<u32>, [u32; 2]) {
    let start = if initiator.force_start_at_000 {
        0
    } else {
        start
    };
    let full = u32::from(threads.num_thread_full);
    if initiator.use_thread_dimensions {
        let last = if full == 0 { 0 } else { end % full };
        let groups = start..end.checked_div(full).unwrap_or(0) + u32::from(last > 0);
        return (groups, [full, if last > 0 { last } else { full }]);
    }
    let partial = u32::from(threads.num_thread_partial);
    let last = if initiator.partial_tg_en && partial > 0 {
        partial
    } else {
        full
    };
    (start..end.max(start), [full, last])
}
