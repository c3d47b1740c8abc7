//! Dispatches: groups of threads, one after the other, x first. [STAGES, CS]
//!
//! The waves of a group share 0 to 32 KiB of local data share, cleared before each group, and wait for each other at
//! S_BARRIER. A wave starts with its user SGPRs, then those of TGID_X, TGID_Y, TGID_Z, TG_SIZE and the scratch offset
//! that RSRC2 enables; its first VGPRs are the thread's place in the group.

use std::ops::Range;
use std::sync::Arc;

use lanes::{Batch, Fault, LANES, PortFault, Ports, Resume, Wave, first_lanes};
use radeon::r6xx::unexecuted;
use radeon::registers::RegisterFile;
use silicon::Trap;

use crate::isa::operand::{EXEC, TBA, TMA};
use crate::isa::{Inst, LDS_DIRECT_SLOT, Port};
use crate::registers::program;
use crate::regs::*;
use crate::spi::{User, user};
use crate::sq::{Resources, Shader};
use crate::ta::{LDS_WORDS, MemoryUnit};
use crate::{SouthernIslands, lds};

/// Waves of a group. [SI 1.2]
const MAX_WAVES: usize = 16;
/// Most groups of a dispatch, as nobody else ends one that goes on for days.
const MAX_GROUPS: u128 = 1 << 28;
/// Words of one step of LDS_SIZE.
const LDS_STEP: usize = 64;

/// A dispatch, from its registers.
pub(crate) struct Dispatch {
    resources: Resources,
    user: User,
    trap_memory: u64,
    rsrc2: ComputePgmRsrc2,
    /// Bytes of a wave's scratch memory.
    scratch_bytes: u32,
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
        let system = [
            rsrc2.tgid_x_en,
            rsrc2.tgid_y_en,
            rsrc2.tgid_z_en,
            rsrc2.tg_size_en,
            rsrc2.scratch_en,
        ];
        Ok(Dispatch {
            resources: Resources {
                system_count: system.map(u8::from).iter().sum(),
                ..Resources::new(address, trap(COMPUTE_TBA_LO), words)
            },
            user: user(registers, COMPUTE_USER_DATA_0),
            trap_memory: trap(COMPUTE_TMA_LO),
            rsrc2,
            scratch_bytes: u32::from(ring.wavesize) * 1024,
            groups,
            threads,
        })
    }

    /// Threads of a group along each axis.
    fn size(&self, group: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|n| {
            let last = group[n] + 1 == self.groups[n].end;
            self.threads[n][usize::from(last)]
        })
    }

    /// Sets the registers of a group's waves. [STAGES, CS; ERRATA on TG_SIZE]
    fn start(&self, shader: &Shader, group: [u32; 3], waves: &mut [Wave], limit: u64) {
        let [width, height, depth] = self.size(group);
        let threads = (width * height * depth) as usize;
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
            let size = count | number << 6 | u32::from(n == 0) << 31;
            let system = [
                (self.rsrc2.tgid_x_en, group[0]),
                (self.rsrc2.tgid_y_en, group[1]),
                (self.rsrc2.tgid_z_en, group[2]),
                (self.rsrc2.tg_size_en, size),
                (self.rsrc2.scratch_en, number * self.scratch_bytes),
            ];
            let values = system.iter().filter(|(enabled, _)| *enabled);
            for (scalar, (_, value)) in wave.scalars[user..].iter_mut().zip(values) {
                *scalar = *value;
            }
            wave.set_mask(u16::from(TBA), self.resources.handler);
            wave.set_mask(u16::from(TMA), self.trap_memory);
            let first = n * LANES;
            wave.set_mask(u16::from(EXEC), first_lanes(threads - first));
            let places = usize::from(self.rsrc2.tidig_comp_cnt).min(2) + 1;
            for (axis, row) in wave.rows.iter_mut().take(places).enumerate() {
                for (lane, value) in row.0.iter_mut().enumerate().take(threads - first) {
                    let thread = (first + lane) as u32;
                    *value = match axis {
                        0 => thread % width,
                        1 => thread / width % height,
                        _ => thread / (width * height),
                    };
                }
            }
            wave.restart(limit);
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

impl SouthernIslands {
    /// Runs the groups of a dispatch in ascending order.
    pub(crate) fn dispatch(&mut self, dispatch: &Dispatch) -> Result<(), Trap> {
        let shader: Arc<Shader> = self.programs.get(&self.memory, dispatch.resources)?;
        let of_pixels = |port: &&Port| matches!(port.inst, Inst::Exp(_) | Inst::Vintrp(_));
        if let Some(port) = shader.ports.iter().find(of_pixels) {
            let at = dispatch.resources.address + u64::from(port.pc);
            let reason = "compute waves have no exports and no parameters";
            return Err(crate::cp::trap(at, port.word, reason));
        }
        let engine = *self.programs.engine();
        let worker = &mut self.workers[0].shader;
        worker.unit.clock = self.totals.instructions;
        worker
            .unit
            .lds
            .resize(usize::from(dispatch.rsrc2.lds_size) * LDS_STEP, 0);
        let mut stands = [Resume::START; MAX_WAVES];
        let mut result = Ok(());
        let [x, y, z] = dispatch.groups.clone();
        let groups = z.flat_map(|z| {
            let x = x.clone();
            y.clone()
                .flat_map(move |y| x.clone().map(move |x| [x, y, z]))
        });
        for group in groups {
            let threads: u32 = dispatch.size(group).iter().product();
            let count = (threads as usize).div_ceil(LANES);
            worker.slots.bind(count, &shader.program);
            let waves = &mut worker.slots.waves[..count];
            dispatch.start(&shader, group, waves, self.start.wave_cost);
            worker.unit.lds.fill(0);
            let ports = &mut GroupPorts {
                shader: &shader,
                unit: &mut worker.unit,
            };
            result = shader
                .program
                .run_groups(&engine, waves, &mut stands[..count], ports)
                .map_err(|(wave, trap)| {
                    let [x, y, z] = group;
                    let reason = format!("group {x}, {y}, {z}, wave {wave}: {}", trap.reason);
                    Trap { reason, ..trap }
                });
            self.totals.instructions += waves.iter().map(|wave| wave.instructions).sum::<u64>();
            if result.is_err() {
                break;
            }
        }
        worker.unit.lds.resize(LDS_WORDS, 0);
        self.totals.texels += std::mem::take(&mut worker.unit.texels);
        result
    }
}

/// What the waves of a group reach.
struct GroupPorts<'a> {
    shader: &'a Shader,
    unit: &'a mut MemoryUnit,
}

impl Ports for GroupPorts<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            let Some(port) = self.shader.ports.get(port as usize) else {
                let reason = format!("the program has no port {port}");
                return Err(Fault::Illegal { reason });
            };
            match &port.inst {
                // No stage behind this one takes messages. Programs that export have been refused.
                Inst::Sopp(_) | Inst::Exp(_) | Inst::Vintrp(_) => Ok(()),
                inst => {
                    if !self.unit.call(inst, wave)? {
                        wave.scalars[usize::from(LDS_DIRECT_SLOT)] =
                            lds::direct(&self.unit.lds, wave);
                    }
                    Ok(())
                }
            }
        })
    }
}
