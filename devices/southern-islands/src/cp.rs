//! The command processor: PM4 packets to registers, memory operations and draws. [PM4 packets]
//!
//! Words come from video memory and are not trusted: whatever is no packet of this chip stops the stream with a
//! [`Trap`] that names its address and word. Memory is coherent and draws are finished before the next packet, so
//! cache and wait packets have nothing to do.

use std::ops::Range;

use silicon::{Addr, Trap};

use crate::pm4;
use crate::regs::{self, CONFIG, CONTEXT, SH, VgtDrawInitiator, event};
use crate::{SouthernIslands, vgt};

/// Indirect buffers inside each other.
const MAX_DEPTH: u32 = 8;

/// What packets set that is no register.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CpState {
    /// SET_BASE 1: where DRAW_INDIRECT finds its arguments.
    indirect_base: u64,
    /// INDEX_BASE.
    index_base: u64,
    /// INDEX_BUFFER_SIZE.
    index_limit: u32,
}

/// One packet: where it is and its payload.
struct Packet<'a> {
    address: u64,
    header: u32,
    payload: &'a [u32],
}

impl Packet<'_> {
    fn trap(&self, reason: impl Into<String>) -> Trap {
        trap(self.address, self.header, reason)
    }

    /// Payload word `n`.
    fn word(&self, n: usize) -> Result<u32, Trap> {
        self.payload.get(n).copied().ok_or_else(|| {
            self.trap(format!(
                "packet {:#04x} has {} words and needs {}",
                self.header >> 8 & 0xff,
                self.payload.len(),
                n + 1
            ))
        })
    }

    /// An address in words `n` and `n + 1`.
    fn address(&self, n: usize) -> Result<u64, Trap> {
        Ok(u64::from(self.word(n)?) | u64::from(self.word(n + 1)? & 0xffff) << 32)
    }
}

pub(crate) fn trap(address: u64, word: u32, reason: impl Into<String>) -> Trap {
    Trap {
        chip: crate::CHIP,
        address,
        word,
        reason: reason.into(),
    }
}

impl SouthernIslands {
    /// Runs the packets of a range of memory.
    pub(crate) fn run_stream(&mut self, stream: Range<Addr>, depth: u32) -> Result<(), Trap> {
        let mut at = stream.start.0;
        let mut payload = Vec::new();
        if !at.is_multiple_of(4) {
            return Err(trap(at, 0, "the command stream is not dword aligned"));
        }
        while at < stream.end.0 {
            let Some(header) = self.memory.load(at) else {
                return Err(trap(at, 0, "the command stream leaves video memory"));
            };
            let count = u64::from((header >> 16 & 0x3fff) + 1);
            let words = match header >> 30 {
                2 => 0,
                0 | 3 => count,
                _ => return Err(trap(at, header, "there are no type 1 packets")),
            };
            let end = at + 4 + 4 * words;
            if end > stream.end.0 || end > self.memory.size() {
                return Err(trap(
                    at,
                    header,
                    format!("a packet of {words} words leaves the stream"),
                ));
            }
            payload.clear();
            payload.extend((0..words).map(|n| self.memory.load(at + 4 + 4 * n).unwrap_or(0)));
            let packet = Packet {
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

    fn write_registers(&mut self, packet: &Packet, first: u32, values: &[u32]) -> Result<(), Trap> {
        for (n, value) in values.iter().enumerate() {
            let address = first + 4 * n as u32;
            if !self.registers.set(address, *value) {
                return Err(packet.trap(format!("there is no register {address:#x}")));
            }
        }
        Ok(())
    }

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

    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        let opcode = (packet.header >> 8) as u8;
        if packet.header & 2 != 0 && opcode != pm4::NOP {
            return Err(packet.trap("compute packets are not executed by this device"));
        }
        match opcode {
            pm4::NOP | pm4::CONTEXT_CONTROL | pm4::SURFACE_SYNC | pm4::PFP_SYNC_ME => {}
            pm4::CLEAR_STATE => self.registers.clear_context(),
            pm4::SET_CONFIG_REG => self.set_registers(packet, &CONFIG)?,
            pm4::SET_SH_REG => self.set_registers(packet, &SH)?,
            pm4::SET_CONTEXT_REG => self.set_registers(packet, &CONTEXT)?,
            pm4::INDEX_TYPE => {
                let kind = packet.word(0)? & 3;
                self.registers.set(regs::VGT_INDEX_TYPE, kind);
            }
            pm4::NUM_INSTANCES => {
                let count = packet.word(0)?;
                self.registers.set(regs::VGT_NUM_INSTANCES, count);
            }
            pm4::SET_BASE => {
                if packet.word(0)? & 0xf == 1 {
                    self.cp.indirect_base = packet.address(1)?;
                }
            }
            pm4::INDEX_BASE => self.cp.index_base = packet.address(0)?,
            pm4::INDEX_BUFFER_SIZE => self.cp.index_limit = packet.word(0)?,
            pm4::INDIRECT_BUFFER => self.indirect_buffer(packet, depth)?,
            pm4::DRAW_INDEX_2
            | pm4::DRAW_INDEX_AUTO
            | pm4::DRAW_INDEX_OFFSET_2
            | pm4::DRAW_INDIRECT
            | pm4::DRAW_INDEX_INDIRECT => self.draw_packet(packet, opcode)?,
            pm4::WRITE_DATA => self.write_data(packet)?,
            pm4::COPY_DATA => self.copy_data(packet)?,
            pm4::CP_DMA => self.dma(packet)?,
            pm4::WAIT_REG_MEM => self.wait(packet)?,
            pm4::EVENT_WRITE => self.event(packet)?,
            pm4::EVENT_WRITE_EOP => self.end_of_pipe(packet)?,
            _ => return Err(packet.trap(format!("there is no packet {opcode:#04x}"))),
        }
        Ok(())
    }

    fn indirect_buffer(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        let start = packet.address(0)?;
        let words = packet.word(2)? & 0xf_ffff;
        if depth >= MAX_DEPTH {
            return Err(packet.trap(format!("indirect buffers lie {MAX_DEPTH} deep")));
        }
        self.run_stream(Addr(start)..Addr(start + 4 * u64::from(words)), depth + 1)
    }

    fn draw_packet(&mut self, packet: &Packet, opcode: u8) -> Result<(), Trap> {
        let indexed = |this: &Self, address, first, count, limit| vgt::Vertices::Indexed {
            address,
            first,
            count,
            limit,
            wide: this.registers.get(regs::VGT_INDEX_TYPE) & 1 != 0,
        };
        let (vertices, initiator) = match opcode {
            pm4::DRAW_INDEX_AUTO => (
                vgt::Vertices::Counted {
                    first: 0,
                    count: packet.word(0)?,
                },
                packet.word(1)?,
            ),
            pm4::DRAW_INDEX_2 => {
                let (limit, address, count) =
                    (packet.word(0)?, packet.address(1)?, packet.word(3)?);
                (indexed(self, address, 0, count, limit), packet.word(4)?)
            }
            pm4::DRAW_INDEX_OFFSET_2 => {
                let (limit, first, count) = (packet.word(0)?, packet.word(1)?, packet.word(2)?);
                (
                    indexed(self, self.cp.index_base, first, count, limit),
                    packet.word(3)?,
                )
            }
            _ => {
                let at = self.cp.indirect_base + u64::from(packet.word(0)?);
                let (base, instance) = (packet.word(1)?, packet.word(2)?);
                let argument = |n: u64| {
                    self.memory.load(at + 4 * n).ok_or_else(|| {
                        packet.trap(format!("draw arguments at {at:#x} are outside memory"))
                    })
                };
                let (count, instances, first) = (argument(0)?, argument(1)?, argument(2)?);
                let (vertices, base_vertex, first_instance) = if opcode == pm4::DRAW_INDIRECT {
                    let vertices = vgt::Vertices::Counted { first: 0, count };
                    (vertices, first, argument(3)?)
                } else {
                    let limit = self.cp.index_limit;
                    let vertices = indexed(self, self.cp.index_base, first, count, limit);
                    (vertices, argument(3)?, argument(4)?)
                };
                self.registers.set(regs::VGT_NUM_INSTANCES, instances);
                for (slot, value) in [(base, base_vertex), (instance, first_instance)] {
                    let register = SH.start + (slot & 0xffff) * 4;
                    if !self.registers.set(register, value) {
                        return Err(packet.trap(format!("there is no register {register:#x}")));
                    }
                }
                (vertices, packet.word(3)?)
            }
        };
        if VgtDrawInitiator::from_word(initiator).use_opaque {
            return Err(packet.trap("draws from stream-out counts are not executed"));
        }
        self.draw(vertices).map_err(|mut trap| {
            if trap.address == u64::MAX {
                (trap.address, trap.word) = (packet.address, packet.header);
            }
            trap
        })
    }

    fn store(&self, packet: &Packet, address: u64, value: u32) -> Result<(), Trap> {
        if !address.is_multiple_of(4) || self.memory.store(address, value).is_none() {
            return Err(packet.trap(format!("{address:#x} is not a dword of video memory")));
        }
        Ok(())
    }

    fn load(&self, packet: &Packet, address: u64) -> Result<u32, Trap> {
        self.memory
            .load(address)
            .filter(|_| address.is_multiple_of(4))
            .ok_or_else(|| packet.trap(format!("{address:#x} is not a dword of video memory")))
    }

    fn write_data(&mut self, packet: &Packet) -> Result<(), Trap> {
        let control = packet.word(0)?;
        let address = packet.address(1)?;
        let step = u64::from(control >> 16 & 1 == 0) * 4;
        for (n, value) in packet.payload.iter().skip(3).enumerate() {
            let at = address + step * n as u64;
            match control >> 8 & 0xf {
                0 => self.write_registers(packet, (at as u32) * 4, &[*value])?,
                1 | 2 | 5 => self.store(packet, at, *value)?,
                other => return Err(packet.trap(format!("WRITE_DATA has no target {other}"))),
            }
        }
        Ok(())
    }

    fn copy_data(&mut self, packet: &Packet) -> Result<(), Trap> {
        let control = packet.word(0)?;
        let (from, to) = (packet.address(1)?, packet.address(3)?);
        for n in 0..1 + u64::from(control >> 16 & 1) {
            let value = match control & 0xf {
                0 => self.registers.get(from as u32 * 4 + 4 * n as u32),
                1 | 2 => self.load(packet, from + 4 * n)?,
                5 => packet.word(1 + n as usize)?,
                9 => (self.clock() >> (32 * n)) as u32,
                other => return Err(packet.trap(format!("COPY_DATA has no source {other}"))),
            };
            match control >> 8 & 0xf {
                0 => self.write_registers(packet, to as u32 * 4 + 4 * n as u32, &[value])?,
                1 | 2 | 5 => self.store(packet, to + 4 * n, value)?,
                other => return Err(packet.trap(format!("COPY_DATA has no target {other}"))),
            }
        }
        Ok(())
    }

    fn dma(&mut self, packet: &Packet) -> Result<(), Trap> {
        let (from, to) = (packet.address(0)?, packet.address(2)?);
        let bytes = packet.word(4)? & 0x1f_ffff;
        let fill = match packet.word(1)? >> 29 & 3 {
            0 => None,
            2 => Some(packet.word(0)?),
            other => return Err(packet.trap(format!("CP_DMA has no source {other}"))),
        };
        let done = match fill {
            Some(value) if to % 4 == 0 && bytes % 4 == 0 => {
                self.memory.fill(Addr(to), u64::from(bytes / 4), value)
            }
            Some(value) => {
                let pattern = value.to_le_bytes().into_iter().cycle();
                let buffer: Vec<u8> = pattern.take(bytes as usize).collect();
                self.memory.write(Addr(to), &buffer)
            }
            None => {
                let mut buffer = vec![0; bytes as usize];
                let read = self.memory.read(Addr(from), &mut buffer);
                read.and_then(|()| self.memory.write(Addr(to), &buffer))
            }
        };
        done.map_err(|error| packet.trap(error.to_string()))
    }

    /// Everything before a wait is finished, so a condition that does not hold now never will.
    fn wait(&mut self, packet: &Packet) -> Result<(), Trap> {
        let control = packet.word(0)?;
        let address = packet.address(1)?;
        let value = if control >> 4 & 1 == 1 {
            self.load(packet, address)?
        } else {
            self.registers.get(address as u32 * 4)
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

    fn event(&mut self, packet: &Packet) -> Result<(), Trap> {
        let kind = packet.word(0)? & 0x3f;
        match kind {
            // One counter: this chip has a single render backend as far as counting goes. Bit 63 says "written".
            event::ZPASS_DONE => {
                let address = packet.address(1)?;
                let count = self.totals.samples_passed | 1 << 63;
                self.store(packet, address, count as u32)?;
                self.store(packet, address + 4, (count >> 32) as u32)?;
            }
            event::SAMPLE_PIPELINESTAT => {
                let address = packet.address(1)?;
                let t = &self.totals;
                let counters = [
                    t.fragment_lanes,
                    t.primitives,
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
                for (n, count) in counters.iter().enumerate() {
                    let at = address + 8 * n as u64;
                    self.store(packet, at, *count as u32)?;
                    self.store(packet, at + 4, (count >> 32) as u32)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end_of_pipe(&mut self, packet: &Packet) -> Result<(), Trap> {
        let address = packet.address(1)?;
        let (low, high) = match packet.word(2)? >> 29 {
            0 => return Ok(()),
            1 => (packet.word(3)?, None),
            2 => (packet.word(3)?, Some(packet.word(4)?)),
            3 => (self.clock() as u32, Some((self.clock() >> 32) as u32)),
            other => {
                return Err(packet.trap(format!("EVENT_WRITE_EOP has no data source {other}")));
            }
        };
        self.store(packet, address, low)?;
        if let Some(high) = high {
            self.store(packet, address + 4, high)?;
        }
        Ok(())
    }

    /// The clock counts instructions, so that it is the same in every run.
    pub(crate) fn clock(&self) -> u64 {
        self.totals.instructions
    }
}
