//! Raw execution: the initial memory and lanes of a lone wave.

use isa::{ExecError, ExecInput, MemoryBlock};
use silicon::{Addr, Memory, MemoryError};

/// Bytes of memory that one run may have.
pub const MAX_BYTES: u64 = 1 << 32;

/// The lanes of the input as a mask, 64 unless it says.
pub fn lanes(input: &ExecInput) -> Result<u64, ExecError> {
    match input.lanes.unwrap_or(64) {
        lanes @ 0..=64 => Ok(1u64.checked_shl(lanes).map_or(u64::MAX, |bit| bit - 1)),
        lanes => Err(ExecError::Input {
            what: "lanes".into(),
            reason: format!("{lanes} lanes are more than the 64 of a wave"),
        }),
    }
}

/// Bytes by address, which video memory is made of.
#[derive(Clone, Debug, Default)]
pub struct Blocks(Vec<(u64, Vec<u8>)>);

impl Blocks {
    /// The memory blocks of the input, checked.
    pub fn new(input: &ExecInput) -> Result<Blocks, ExecError> {
        let blocks = input.memory.iter();
        let blocks = blocks.map(|block| Ok((block.address, block.bytes(MAX_BYTES)?)));
        Ok(Blocks(blocks.collect::<Result<_, ExecError>>()?))
    }

    /// Where the last one ends.
    pub fn end(&self) -> u64 {
        let ends = self.0.iter().map(|(at, bytes)| at + bytes.len() as u64);
        ends.max().unwrap_or(0)
    }

    /// Adds one.
    pub fn push(&mut self, at: u64, bytes: Vec<u8>) {
        self.0.push((at, bytes));
    }

    /// Memory with the blocks in it, 256 bytes or more.
    pub fn memory(&self) -> Result<Memory, ExecError> {
        let memory = Memory::new(self.end().next_multiple_of(256).max(256));
        for (at, bytes) in &self.0 {
            let wrong = |error: MemoryError| ExecError::Input {
                what: format!("memory at {at:#x}"),
                reason: error.to_string(),
            };
            memory.write(Addr(*at), bytes).map_err(wrong)?;
        }
        Ok(memory)
    }
}

/// The blocks of the input as they are in memory.
pub fn report(memory: &Memory, input: &ExecInput) -> Vec<MemoryBlock> {
    let blocks = input.memory.iter();
    let now = blocks.map(|block| {
        // The block was written to this memory, so it can be read from it.
        let mut now = block.bytes(MAX_BYTES).unwrap_or_default();
        let _ = memory.read(Addr(block.address), &mut now);
        MemoryBlock::new(block.address, &now)
    });
    now.collect()
}
