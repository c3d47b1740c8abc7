//! PM4 packets: headers of type 0, 2 and 3, and the one opcode that all chips share. [PM4 packets]
//!
//! [`read`] cuts a stream into packets; [`Processor`] is what a chip brings to run them.

mod processor;

pub use processor::{Device, Machine, Processor};

use std::ops::Range;

use silicon::gpu::Trap;
use silicon::memory::{Addr, Memory};

/// NOP: anything.
pub const NOP: u8 = 0x10;

/// The header of a type 3 packet with `payload` words after it, at least one.
pub const fn header(opcode: u8, payload: u32) -> u32 {
    3 << 30 | (payload - 1) << 16 | (opcode as u32) << 8
}

/// One packet of type 0 or 3: where it is and its payload.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// Name of the chip.
    pub chip: &'static str,
    /// Byte address of the header.
    pub address: u64,
    /// The header.
    pub header: u32,
    /// The words after it.
    pub payload: &'a [u32],
}

impl Packet<'_> {
    /// What is wrong with it.
    pub fn trap(&self, reason: impl Into<String>) -> Trap {
        Trap::new(self.chip, self.address, self.header, reason)
    }

    /// Opcode of a type 3 packet.
    pub fn opcode(&self) -> u8 {
        (self.header >> 8) as u8
    }

    /// Payload word `n`.
    pub fn word(&self, n: usize) -> Result<u32, Trap> {
        self.payload.get(n).copied().ok_or_else(|| {
            self.trap(format!(
                "packet {:#04x} has {} words and needs {}",
                self.opcode(),
                self.payload.len(),
                n + 1
            ))
        })
    }

    /// A 48-bit address in words `n` and `n + 1`.
    pub fn address(&self, n: usize) -> Result<u64, Trap> {
        Ok(u64::from(self.word(n)?) | u64::from(self.word(n + 1)? & 0xffff) << 32)
    }
}

/// Reads the packet at `at` of a stream that ends at `end`; its payload goes to `payload`. Returns header and the
/// address after the packet.
pub(crate) fn read(
    chip: &'static str,
    memory: &Memory,
    stream: &Range<Addr>,
    at: u64,
    payload: &mut Vec<u32>,
) -> Result<(u32, u64), Trap> {
    let trap = |word: u32, reason: String| Trap::new(chip, at, word, reason);
    if !at.is_multiple_of(4) {
        return Err(trap(0, "the command stream is not dword aligned".into()));
    }
    let Some(header) = memory.load(at) else {
        return Err(trap(0, "the command stream leaves video memory".into()));
    };
    let words = match header >> 30 {
        2 => 0,
        0 | 3 => u64::from((header >> 16 & 0x3fff) + 1),
        _ => return Err(trap(header, "there are no type 1 packets".into())),
    };
    let end = at + 4 + 4 * words;
    if end > stream.end.0 || end > memory.size() {
        let reason = format!("a packet of {words} words leaves the stream");
        return Err(trap(header, reason));
    }
    payload.clear();
    payload.extend((0..words).map(|n| memory.load(at + 4 + 4 * n).unwrap_or(0)));
    Ok((header, end))
}
