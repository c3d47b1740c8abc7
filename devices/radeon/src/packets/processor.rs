//! What the command processors do alike: register writes, memory packets, events, waits.
//!
//! Words come from video memory and are not trusted: whatever is no packet of the chip stops the stream with a
//! [`Trap`] that names its address and word. Memory is coherent and draws are finished before the next packet, so
//! cache and wait packets have nothing to do.

use std::ops::Range;

use super::{Packet, event, read};
use crate::registers::RegisterFile;
use silicon::fragment::bins::Threads;
use silicon::gpu::{Stats, Trap};
use silicon::memory::{Addr, Memory};

/// Indirect buffers inside each other.
const MAX_DEPTH: u32 = 8;

/// A command processor. A chip gives its state and [`Processor::packet`]; the rest is the same everywhere.
pub trait Processor {
    /// Name of the chip, for traps.
    const CHIP: &'static str;

    /// Video memory.
    fn memory(&self) -> &Memory;
    /// The registers.
    fn registers(&mut self) -> &mut RegisterFile;
    /// The device's threads.
    fn threads(&self) -> &Threads;
    /// What happened since power-on.
    fn totals(&self) -> &Stats;
    /// Executes a type 3 packet; `depth` counts the indirect buffers around it.
    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap>;

    /// The clock counts instructions, so that it is the same in every run.
    fn clock(&self) -> u64 {
        self.totals().instructions
    }

    /// Runs the packets of a range of memory.
    fn run_stream(&mut self, stream: Range<Addr>, depth: u32) -> Result<(), Trap> {
        let mut at = stream.start.0;
        let mut payload = Vec::new();
        while at < stream.end.0 {
            let (header, end) = read(Self::CHIP, self.memory(), &stream, at, &mut payload)?;
            let packet = Packet {
                chip: Self::CHIP,
                address: at,
                header,
                payload: &payload,
            };
            match header >> 30 {
                0 => self.write_registers(&packet, (header & 0xffff) * 4, &payload)?,
                3 => self.packet(&packet, depth)?,
                _ => {}
            }
            at = end;
        }
        Ok(())
    }

    /// Writes registers that follow each other.
    fn write_registers(&mut self, packet: &Packet, first: u32, values: &[u32]) -> Result<(), Trap> {
        for (n, value) in values.iter().enumerate() {
            let address = first.wrapping_add(4 * n as u32);
            if !self.registers().set(address, *value) {
                return Err(packet.trap(format!("there is no register {address:#x}")));
            }
        }
        Ok(())
    }

    /// SET_*_REG and its relatives: word offset in a space, values.
    fn set_registers(&mut self, packet: &Packet, space: &Range<u32>) -> Result<(), Trap> {
        let first = space.start + (packet.word(0)? & 0xffff) * 4;
        let last = first + 4 * (packet.payload.len() as u32 - 1);
        if packet.payload.len() > 1 && !space.contains(&(last - 4)) {
            return Err(packet.trap(format!(
                "registers {first:#x} to {last:#x} are outside {:#x}..{:#x}",
                space.start, space.end
            )));
        }
        self.write_registers(packet, first, &packet.payload[1..])
    }

    /// INDIRECT_BUFFER.
    fn indirect_buffer(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        let start = packet.address(0)?;
        let words = packet.word(2)? & 0xf_ffff;
        if depth >= MAX_DEPTH {
            return Err(packet.trap(format!("indirect buffers lie {MAX_DEPTH} deep")));
        }
        self.run_stream(Addr(start)..Addr(start + 4 * u64::from(words)), depth + 1)
    }

    /// Stores a word of video memory.
    fn store(&self, packet: &Packet, address: u64, value: u32) -> Result<(), Trap> {
        if !address.is_multiple_of(4) || self.memory().store(address, value).is_none() {
            return Err(packet.trap(format!("{address:#x} is not a dword of video memory")));
        }
        Ok(())
    }

    /// Stores two words.
    fn store_64(&self, packet: &Packet, address: u64, value: u64) -> Result<(), Trap> {
        self.store(packet, address, value as u32)?;
        self.store(packet, address + 4, (value >> 32) as u32)
    }

    /// Loads a word of video memory.
    fn load(&self, packet: &Packet, address: u64) -> Result<u32, Trap> {
        self.memory()
            .load(address)
            .filter(|_| address.is_multiple_of(4))
            .ok_or_else(|| packet.trap(format!("{address:#x} is not a dword of video memory")))
    }

    /// CP_DMA: copies or fills bytes of video memory.
    fn dma(&mut self, packet: &Packet) -> Result<(), Trap> {
        let (from, to) = (packet.address(0)?, packet.address(2)?);
        let bytes = packet.word(4)? & 0x1f_ffff;
        let fill = match packet.word(1)? >> 29 & 3 {
            0 => None,
            2 => Some(packet.word(0)?),
            other => return Err(packet.trap(format!("CP_DMA has no source {other}"))),
        };
        let memory = self.memory();
        let done = match fill {
            Some(value) if to % 4 == 0 && bytes % 4 == 0 => {
                let words = u64::from(bytes / 4);
                self.threads().fill(memory, Addr(to), words, value)
            }
            Some(value) => {
                let pattern = value.to_le_bytes().into_iter().cycle();
                let buffer: Vec<u8> = pattern.take(bytes as usize).collect();
                memory.write(Addr(to), &buffer)
            }
            None => {
                let mut buffer = vec![0; bytes as usize];
                let read = memory.read(Addr(from), &mut buffer);
                read.and_then(|()| memory.write(Addr(to), &buffer))
            }
        };
        done.map_err(|error| packet.trap(error.to_string()))
    }

    /// WAIT_REG_MEM. Everything before a wait is finished, so a condition that does not hold now never will.
    fn wait(&mut self, packet: &Packet) -> Result<(), Trap> {
        let control = packet.word(0)?;
        let address = packet.address(1)?;
        let value = if control >> 4 & 1 == 1 {
            self.load(packet, address)?
        } else {
            self.registers().get((address as u32).wrapping_mul(4))
        };
        let (reference, mask) = (packet.word(3)?, packet.word(4)?);
        let value = value & mask;
        let holds = match control & 7 {
            0 => true,
            1 => value < reference,
            2 => value <= reference,
            3 => value == reference,
            4 => value != reference,
            5 => value >= reference,
            6 => value > reference,
            _ => false,
        };
        if holds {
            Ok(())
        } else {
            Err(packet.trap(format!(
                "waits for ever: {value:#x} compared with {reference:#x}"
            )))
        }
    }

    /// EVENT_WRITE: counters to memory.
    fn event(&mut self, packet: &Packet) -> Result<(), Trap> {
        match packet.word(0)? & 0x3f {
            // One counter: there is a single render backend as far as counting goes. Bit 63 says "written".
            event::ZPASS_DONE => {
                let count = self.totals().samples_passed | 1 << 63;
                self.store_64(packet, packet.address(1)?, count)
            }
            event::SAMPLE_PIPELINESTAT => {
                let address = packet.address(1)?;
                let t = *self.totals();
                let counters = [
                    t.fragment_lanes,
                    t.clipped_primitives,
                    t.primitives,
                    t.vertex_lanes,
                    0,
                    0,
                    t.primitives,
                    t.vertices,
                    0,
                    0,
                    0,
                ];
                for (n, count) in counters.into_iter().enumerate() {
                    self.store_64(packet, address + 8 * n as u64, count)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// EVENT_WRITE_EOP: a value to memory once everything before is finished.
    fn end_of_pipe(&mut self, packet: &Packet) -> Result<(), Trap> {
        let address = packet.address(1)?;
        match packet.word(2)? >> 29 {
            0 => Ok(()),
            1 => self.store(packet, address, packet.word(3)?),
            2 => {
                let (low, high) = (packet.word(3)?, packet.word(4)?);
                self.store_64(packet, address, u64::from(low) | u64::from(high) << 32)
            }
            3 => self.store_64(packet, address, self.clock()),
            other => Err(packet.trap(format!("EVENT_WRITE_EOP has no data source {other}"))),
        }
    }
}
