//! The compute data master: groups of tasks, x first. [Rogue 1.1]
//!
//! No public document has its control stream: the blocks DISPATCH and DISPATCH_INDIRECT and the registers `USC_CS_…` and
//! `CDM_…` are this tree's own (`ERRATA.md`, 39 and on). In: registers and a number of groups. Out: what their programs store.
//!
//! A group is 1 to 1024 instances, numbered x first; 32 of them are a task, two tasks a wave. An instance finds its place
//! in the group in vi0 to vi2, all of a group that of the group in sh0 to sh2 and the number of groups in sh3, sh6 and sh7.
//! Tasks wait for each other at MUTEX.RELEASE_SLEEP.
//!
//! **The memory of a group** is seen at the addresses from [`GROUP_MEMORY`] on: words of the Common Store that LD, ST and
//! ATOM reach, zero at the start. Outside, loads give zero and stores are dropped.

pub(crate) mod memory;
mod run;

use std::ops::Range;
use std::sync::Arc;

use lanes::{DefaultEngine, LANES, Row, Wave, first_lanes};
use silicon::{Addr, Memory};

use crate::lift::{Input, Layout, Port, SpecialRegister, TASK};
use crate::pds;
use crate::regs::{self, CdmGroup, Registers};
use crate::stream::GroupCount;
use crate::usc::{Program, Programs, SCRATCH_WAVES, TaskKind};
pub use run::GroupWorker;

/// Most instances of a group.
pub const MOST_INSTANCES: u32 = 1024;
/// Most bytes that they share.
pub const MOST_SHARED: u32 = 1 << 15;
/// Where a group sees its memory: all addresses whose upper word is all ones.
pub const GROUP_MEMORY: u64 = 0xffff_ffff_0000_0000;
/// Most groups of a dispatch, as nobody else ends one that goes on for days.
const MOST_GROUPS: u128 = 1 << 28;
/// Shared registers with the place of the group.
pub const PLACE: [u16; 3] = [0, 1, 2];
/// Shared registers with the number of groups.
pub const COUNT: [u16; 3] = [3, 6, 7];

/// A dispatch, from its registers.
pub struct Dispatch {
    program: Arc<Program>,
    /// Shared registers, those of the place of the group apart.
    shared: Vec<u32>,
    /// Instances of a group along each axis.
    size: [u32; 3],
    groups: [u32; 3],
    /// Words of memory that a group has.
    words: usize,
    /// Memory that instances have for themselves.
    private: Range<u64>,
    /// Bytes of it that a wave has.
    private_bytes: u64,
    borders: u64,
    statistics: Option<u64>,
}

impl Dispatch {
    /// A reason if the registers ask for what is not executed.
    pub fn new(
        registers: &Registers,
        count: GroupCount,
        (engine, memory, programs): (&DefaultEngine, &Memory, &mut Programs),
    ) -> Result<Dispatch, String> {
        let groups = match count {
            GroupCount::Direct(groups) => groups,
            GroupCount::Indirect(at) => {
                let outside = || format!("dispatch arguments at {at:#x} are outside memory");
                let word = |n: u64| memory.load(at.saturating_add(4 * n)).ok_or_else(outside);
                [word(0)?, word(1)?, word(2)?]
            }
        };
        let all: u128 = groups.iter().map(|n| u128::from(*n)).product();
        if all > MOST_GROUPS {
            return Err(format!("{all} groups; at most {MOST_GROUPS} are run"));
        }
        let group = CdmGroup::from_word(registers.get(regs::CDM_GROUP));
        let size = [group.x, group.y, group.z].map(|less| u32::from(less) + 1);
        let instances: u64 = size.iter().map(|n| u64::from(*n)).product();
        if instances > MOST_INSTANCES.into() {
            let [x, y, z] = size;
            return Err(format!(
                "a group of {x} x {y} x {z} instances; 1 to {MOST_INSTANCES} are possible"
            ));
        }
        let bytes = registers.get(regs::CDM_SHARED);
        if bytes > MOST_SHARED || !bytes.is_multiple_of(4) {
            return Err(format!(
                "{bytes} bytes of group memory; there are {MOST_SHARED}, in words"
            ));
        }
        let words = registers.get(regs::USC_CS_CODE_WORDS);
        let at = registers.address(regs::USC_CS_CODE_LO);
        let program = programs.of(engine, memory, (at, TaskKind::Compute), words)?;
        if let Some(what) = hands_over(&program) {
            return Err(format!(
                "the compute program at {at:#x} {what}, which a task without vertices and pixels cannot"
            ));
        }
        let private = registers.address(regs::CDM_PRIVATE_LO);
        let bytes_of_wave = u64::from(registers.get(regs::CDM_PRIVATE));
        let mut shared = pds::COMPUTE.load(registers, memory)?;
        for (register, count) in COUNT.into_iter().zip(groups) {
            shared[usize::from(register)] = count;
        }
        Ok(Dispatch {
            program,
            shared,
            size,
            groups,
            words: bytes as usize / 4,
            private: private..private.saturating_add(SCRATCH_WAVES as u64 * bytes_of_wave),
            private_bytes: bytes_of_wave,
            borders: registers.address(regs::TPU_BORDERS_LO),
            statistics: Some(registers.address(regs::STATISTICS_LO)).filter(|at| *at != 0),
        })
    }

    /// Number of groups.
    fn count(&self) -> u64 {
        self.groups.iter().map(|n| u64::from(*n)).product()
    }

    /// The place of a group, by its number in ascending order.
    fn place(&self, number: u64) -> [u32; 3] {
        let [width, height, _] = self.groups.map(u64::from);
        [
            (number % width) as u32,
            (number / width % height) as u32,
            (number / (width * height)) as u32,
        ]
    }

    /// Instances of a group.
    fn instances(&self) -> usize {
        self.size.iter().product::<u32>() as usize
    }

    /// Waves of a group.
    fn waves(&self) -> usize {
        self.instances().div_ceil(LANES)
    }

    /// Places of the instances of each wave of a group.
    fn numbers(&self) -> Vec<[Row; 3]> {
        (0..self.waves()).map(|n| places(n, self.size)).collect()
    }

    /// Starts the waves of a group: `slot` is the number of the first among all waves that run at once. They find memory of
    /// their own cleared, whoever had it before.
    fn start(
        &self,
        numbers: &[[Row; 3]],
        group: [u32; 3],
        (waves, slot): (&mut [Wave], usize),
        (memory, limit): (&Memory, u64),
    ) {
        let (program, layout) = (&self.program, &self.program.lifted.layout);
        for (n, wave) in waves.iter_mut().enumerate() {
            let lanes = first_lanes(self.instances() - n * LANES);
            program.start(wave, &self.shared, [lanes; 2], limit);
            fill(layout, wave, (group, &numbers[n]), (slot + n, lanes));
            if self.private_bytes > 0 {
                let at = Addr(self.private.start + (slot + n) as u64 * self.private_bytes);
                // What is outside of memory faults where it is used.
                let _ = memory.fill(at, self.private_bytes / 4, 0);
            }
        }
    }
}

/// Places of the instances of a wave in their group, x first.
pub(crate) fn places(wave: usize, [width, height, _]: [u32; 3]) -> [Row; 3] {
    let number = |lane: usize| (wave * LANES + lane) as u32;
    [
        Row(std::array::from_fn(|lane| number(lane) % width)),
        Row(std::array::from_fn(|lane| number(lane) / width % height)),
        Row(std::array::from_fn(|lane| number(lane) / (width * height))),
    ]
}

/// What a wave of a group starts with beside what all waves do: the place of the group, those of its instances, special
/// registers. `slot` is its number among all that run at once, `lanes` are those that run.
pub(crate) fn fill(
    layout: &Layout,
    wave: &mut Wave,
    (group, places): ([u32; 3], &[Row; 3]),
    (slot, lanes): (usize, u64),
) {
    for (register, place) in PLACE.into_iter().zip(group) {
        let at = layout.shared.start + register;
        if at < layout.shared.end {
            wave.scalars[usize::from(at)] = place;
        }
    }
    for (row, place) in layout.vertex_inputs.clone().zip(places) {
        wave.rows[usize::from(row)] = *place;
    }
    for (input, row) in &layout.inputs {
        let value = |lane: usize| match input {
            Input::Special(number) => special(*number, slot, lane, lanes),
            Input::Coverage => (lanes >> lane & 1) as u32,
            Input::Coefficient(_) | Input::CoefficientAlt(_) => 0,
        };
        wave.rows[usize::from(*row)] = Row(std::array::from_fn(value));
    }
}

/// What a special register holds in a lane of a wave.
fn special(number: u16, wave: usize, lane: usize, lanes: u64) -> u32 {
    match SpecialRegister::from_code(number) {
        Some(SpecialRegister::LOCAL_ADDR_INST_NUM) => (wave * LANES + lane) as u32,
        Some(SpecialRegister::INST_NUM) => lane as u32 % TASK,
        Some(SpecialRegister::INST_VALID) => (lanes >> lane & 1) as u32,
        _ => 0,
    }
}

/// What a program hands to blocks that compute tasks do not have.
fn hands_over(program: &Program) -> Option<&'static str> {
    let lifted = &program.lifted;
    let layout = &lifted.layout;
    let pixels = layout.depth.is_some() || layout.mask.is_some();
    let outputs = layout.outputs.iter().any(Option::is_some);
    if !layout.vertex_outputs.is_empty() {
        return Some("writes vertices");
    }
    if pixels || outputs || lifted.kills {
        return Some("has pixels");
    }
    lifted.ports.iter().find_map(|port| match port {
        Port::Iterate(_) => Some("iterates"),
        Port::Emit { .. } => Some("hands pixels over"),
        _ => None,
    })
}
