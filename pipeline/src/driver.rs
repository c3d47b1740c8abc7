//! What the driver keeps for a powered-on device, from one command stream to the next.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use silicon::fragment::bins::Threads;
use silicon::{Addr, Gpu, Memory};

use crate::compile::CompiledPipeline;
use crate::state::SamplerState;
use crate::targets::Target;

/// Bytes at the start of video memory that the driver keeps: address 0 is nobody's, the table of constants follows.
pub const DRIVER_BYTES: u64 = 1 << 16;

/// The driver of a powered-on device.
pub struct Driver {
    /// The chip.
    pub target: &'static Target,
    /// Video memory: the same bytes as the chip's own.
    pub memory: Memory,
    /// The chip's threads.
    pub threads: Arc<Threads>,
    constants: Mutex<ConstantTable>,
    /// Draws all of an attachment, for what the driver does by drawing.
    pub(crate) cover: OnceLock<CompiledPipeline>,
}

impl Driver {
    /// The driver of a device that was just powered on.
    pub fn new(target: &'static Target, gpu: &dyn Gpu) -> Driver {
        let memory = gpu.memory();
        Driver {
            target,
            memory: memory.clone(),
            threads: gpu.threads().clone(),
            constants: Mutex::new(ConstantTable::new(memory)),
            cover: OnceLock::new(),
        }
    }

    /// The words of a sampler's descriptor.
    pub fn sampler_descriptor(&self, sampler: &SamplerState) -> Result<Vec<u32>, TableFull> {
        let mut constants = self
            .constants
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut words = Vec::new();
        let chip = self.target.chip;
        chip.sampler_descriptor(sampler, &mut constants, &mut words)?;
        Ok(words)
    }
}

/// Constants of four words in video memory, for chips whose descriptors name them by number. Entries stay while the
/// device is on; equal constants share one.
#[derive(Debug)]
pub struct ConstantTable {
    memory: Memory,
    entries: Vec<[u32; 4]>,
}

/// No entry of the [`ConstantTable`] is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableFull;

impl ConstantTable {
    /// Where the table lies.
    pub const START: Addr = Addr(256);
    /// Its entries, 16 bytes each.
    pub const ENTRIES: u16 = ((DRIVER_BYTES - ConstantTable::START.0) / 16) as u16;

    /// An empty table.
    pub fn new(memory: &Memory) -> ConstantTable {
        ConstantTable {
            memory: memory.clone(),
            entries: Vec::new(),
        }
    }

    /// Number of the entry that holds a constant.
    pub fn entry(&mut self, words: [u32; 4]) -> Result<u16, TableFull> {
        if let Some(entry) = self.entries.iter().position(|entry| *entry == words) {
            return Ok(entry as u16);
        }
        let entry = self.entries.len() as u16;
        if entry == ConstantTable::ENTRIES {
            return Err(TableFull);
        }
        let at = Addr(ConstantTable::START.0 + 16 * u64::from(entry));
        let written = self.memory.write_words(at, &words);
        written.expect("the table lies within video memory");
        self.entries.push(words);
        Ok(entry)
    }
}
