//! PM4 packets: headers of all four types, and the one opcode that all chips share. [PM4 packets]
//!
//! [`read`] cuts a stream in memory into packets, [`cut`] one in words; [`Processor`] is what a chip brings to run them, a
//! table of [`packets!`](crate::packets!) and a [`Dictionary`] what it brings to print them.

mod dump;
mod processor;
mod table;

pub use dump::{Dictionary, Named, Printer, Shown, Value, Written, fields};
pub use processor::{Device, Machine, Processor};
pub use table::{Part, Row};

use std::ops::Range;

use silicon::gpu::Trap;
use silicon::memory::{self, Addr};

crate::packets! {
    pub SHARED_PACKETS:
    NOP = 0x10 "anything" [Rest("data")];
}

/// The header of a type 3 packet with `payload` words after it, at least one.
pub const fn header(opcode: u8, payload: u32) -> u32 {
    3 << 30 | (payload - 1) << 16 | (opcode as u32) << 8
}

/// The header of a type 0 packet that writes registers from a byte address on, at least one.
pub const fn register_header(address: u32, registers: u32) -> u32 {
    ((registers - 1) << 16) | (address / 4)
}

/// Where the header of a type 0 packet writes: the byte address of the first word and the bytes from one to the next.
pub const fn written(header: u32) -> (u32, u32) {
    ((header & 0xffff) * 4, 4)
}

/// Words after a header.
pub const fn payload_words(header: u32) -> u32 {
    match header >> 30 {
        1 => 2,
        2 => 0,
        _ => (header >> 16 & 0x3fff) + 1,
    }
}

/// One packet: where it is and its payload.
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

    /// Type, 0 to 3.
    pub fn kind(&self) -> u32 {
        self.header >> 30
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
    memory: &memory::Memory,
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
    let words = u64::from(payload_words(header));
    let end = at + 4 + 4 * words;
    if end > stream.end.0 || end > memory.size() {
        return Err(trap(header, leaves(words)));
    }
    payload.resize(words as usize, 0);
    memory.load_words(at + 4, payload);
    Ok((header, end))
}

fn leaves(words: u64) -> String {
    format!("a packet of {words} words leaves the stream")
}

/// The packets of a stream whose first word is at `address`; a packet that is longer than the stream ends it.
pub fn cut<'a>(
    chip: &'static str,
    mut words: &'a [u32],
    mut address: u64,
) -> impl Iterator<Item = Result<Packet<'a>, Trap>> {
    std::iter::from_fn(move || {
        let (&header, rest) = words.split_first()?;
        let count = payload_words(header) as usize;
        let Some((payload, rest)) = rest.split_at_checked(count) else {
            words = &[];
            return Some(Err(Trap::new(chip, address, header, leaves(count as u64))));
        };
        let packet = Packet {
            chip,
            address,
            header,
            payload,
        };
        words = rest;
        address += 4 + 4 * count as u64;
        Some(Ok(packet))
    })
}
