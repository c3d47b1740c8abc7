//! Memory instructions of a wave: the texture addresser with the paths to buffers and data shares beside it.
//!
//! One [`MemoryUnit`] belongs to one worker thread and runs the SMRD, MUBUF, MTBUF, MIMG and DS instructions of its
//! waves. Memory is coherent; caches only keep decoded descriptors.

pub(crate) mod buffer;
pub(crate) mod image;
mod resource;

pub use resource::Descriptors;

use std::ops::Range;

use lanes::{Fault, Wave};
use silicon::groups::{Place, Races, StoreLog, StoreLogs, Stores};
use silicon::texture::sample::{Lines, Scratch};
use silicon::{Memory, SimdLevel};

use crate::isa::Inst;
use crate::isa::memory::Atomic;
use crate::sq::GroupSlot;
use crate::{lds, sqc};

/// Words of local data share that one group may use. [SI 9.1]
pub const LDS_WORDS: usize = 32 * 1024 / 4;
/// Words of the global data share. [SI 1.2]
pub const GDS_WORDS: usize = 64 * 1024 / 4;

/// What a wave's memory instructions work on.
#[derive(Debug)]
pub struct MemoryUnit {
    /// Video memory.
    pub memory: Memory,
    /// Local data shares of the groups that run as one batch.
    pub lds: Vec<u32>,
    /// The share of the wave's group: words of `lds`.
    pub share: Range<usize>,
    /// Swizzled buffers are scratch memory of the wave's own: its logs need not know.
    pub private: bool,
    /// Where stores go.
    pub logs: StoreLogs<Atomic>,
    /// Global data share.
    pub gds: Vec<u32>,
    /// Image descriptors met so far.
    pub descriptors: Descriptors,
    /// Texels that groups load again and again, while nothing stores them.
    pub lines: Lines,
    /// Rows that samples are made in.
    pub scratch: Box<Scratch>,
    /// Address of the border colour table: TA_BC_BASE_ADDR.
    pub border_colors: u64,
    /// SIMD level of row conversions; results do not depend on it.
    pub level: SimdLevel,
    /// Global wave sync.
    pub sync: lds::Sync,
    /// Misaligned addresses are faults; otherwise they are aligned down.
    pub strict: bool,
    /// What S_MEMTIME reads: the device's clock, which counts instructions and not time.
    pub clock: u64,
    /// Slot of scratch memory that the worker's waves get.
    pub scratch_slot: usize,
    /// The place of the batch in the queues of its dispatch, if that has some.
    pub place: Option<Place>,
    /// Finds races of a group's waves.
    pub races: Option<Races>,
    /// Texels read: see [`silicon::Stats`].
    pub texels: u64,
}

/// A lane's access to an address that is outside.
fn outside(lane: usize, address: u64) -> Fault {
    Fault::Address {
        lane: lane as u32,
        address,
    }
}

impl MemoryUnit {
    /// A unit on this memory with empty data shares.
    pub fn new(memory: Memory) -> MemoryUnit {
        MemoryUnit {
            memory,
            lds: vec![0; LDS_WORDS],
            share: 0..LDS_WORDS,
            private: false,
            logs: StoreLogs::default(),
            gds: vec![0; GDS_WORDS],
            descriptors: Descriptors::default(),
            lines: Lines::default(),
            scratch: Box::default(),
            border_colors: 0,
            sync: lds::Sync::default(),
            strict: false,
            level: SimdLevel::current(),
            clock: 0,
            scratch_slot: 0,
            place: None,
            races: None,
            texels: 0,
        }
    }

    /// Stores of waves go to logs, one for each.
    pub(crate) fn begin_logs(&mut self, waves: usize, groups: &mut Vec<GroupSlot>) {
        let logs = &mut self.logs.logs;
        if logs.len() < waves {
            logs.resize_with(waves, StoreLog::default);
        }
        logs[..waves].iter_mut().for_each(StoreLog::clear);
        (self.logs.turn, self.logs.current) = (None, None);
        self.logs.old.clear();
        let slot = |wave| GroupSlot {
            share: 0..LDS_WORDS,
            log: Some(wave),
        };
        groups.extend((0..waves).map(slot));
        self.lines.begin();
    }

    /// Waits for the turn of waves of a batch at a port that has a queue: their changes go to memory at once then, until
    /// [`MemoryUnit::end_turn`]. A fault where their turn does not come.
    pub(crate) fn begin_turn(&mut self, port: u32, waves: Range<usize>) -> Result<bool, Fault> {
        let Some(place) = self.place.as_mut().filter(|place| place.has(port)) else {
            return Ok(false);
        };
        if !place.take(port, waves.start, waves.len()) {
            return Err(Fault::Illegal {
                reason: "the turn of its group does not come".into(),
            });
        }
        self.logs.turn = Some(port);
        Ok(true)
    }

    /// The waves at a port have made their changes.
    pub(crate) fn end_turn(&mut self, port: u32) {
        self.logs.turn = None;
        if let Some(place) = &mut self.place {
            place.give(port);
        }
    }

    /// Local data share of the wave's group.
    pub(crate) fn local_share(&mut self) -> &mut [u32] {
        &mut self.lds[self.share.clone()]
    }

    /// Runs `inst` if it is a memory instruction; says whether it was.
    pub fn call(&mut self, inst: &Inst, wave: &mut Wave) -> Result<bool, Fault> {
        match inst {
            Inst::Smrd(inst) => {
                if self.logs.watches_loads()
                    && let Some(bytes) = sqc::bytes(inst, wave)
                {
                    // One load may serve all groups of a batch.
                    self.logs.load_by_all(bytes.start as u32, bytes);
                }
                sqc::run(inst, wave, self)?;
            }
            Inst::Mubuf(inst) => buffer::untyped(inst, wave, self)?,
            Inst::Mtbuf(inst) => buffer::typed(inst, wave, self)?,
            Inst::Mimg(inst) => image::run(inst, wave, self)?,
            Inst::Ds(inst) => {
                let shares = lds::Shares {
                    local: &mut self.lds[self.share.clone()],
                    global: &mut self.gds,
                    sync: &mut self.sync,
                    strict: self.strict,
                    level: self.level,
                    races: self.races.as_mut(),
                };
                lds::run(inst, wave, shares)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
