//! Raw execution: the initial memory and lanes of a lone wave.

use isa::{Emitted, ExecError, ExecInput, ExecPrimitives, MemoryBlock};
use silicon::geometry::amplify::Message;
use silicon::{Addr, Memory, MemoryError};

/// Bytes of memory that one run may have.
pub const MAX_BYTES: u64 = 1 << 32;

/// The lanes of the input as a mask: as many as there are primitives, or 64, unless it says.
pub fn lanes(input: &ExecInput) -> Result<u64, ExecError> {
    let primitives = input.primitives.as_ref();
    let all = primitives.map_or(64, |primitives| primitives.vertices.len() as u32);
    match input.lanes.unwrap_or(all) {
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

/// What lanes with primitives emitted: `messages` in their order, and `word`, a word of an emitted vertex: lane, number of the
/// vertex, number of the word.
pub fn emitted(
    primitives: &ExecPrimitives,
    messages: &[Message],
    word: impl Fn(u32, u32, u32) -> u32,
) -> Vec<Emitted> {
    let lane = |lane: u32| {
        let (mut emitted, mut number) = (Emitted::new(), 0);
        for message in messages.iter().filter(|m| m.lanes >> lane & 1 == 1) {
            if message.emits && number < primitives.most {
                let words = 0..primitives.words;
                emitted.push(Some(words.map(|k| word(lane, number, k)).collect()));
                number += 1;
            }
            if message.cuts {
                emitted.push(None);
            }
        }
        emitted
    };
    (0..primitives.vertices.len() as u32).map(lane).collect()
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
