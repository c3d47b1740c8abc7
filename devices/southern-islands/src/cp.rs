//! The command processor: PM4 packets to registers, memory operations and draws. [PM4 packets]
//!
//! What all command processors do alike is in [`radeon::packets`].

use radeon::packets::{Packet, Processor};
use radeon::registers::RegisterFile;
use silicon::fragment::bins::Threads;
use silicon::geometry::vertices::Vertices;
use silicon::{Memory, Stats, Trap};

use crate::packets;
use crate::regs::{self, CONFIG, CONTEXT, SH, VgtDrawInitiator};
use crate::{SouthernIslands, registers};

/// Most vertices of a draw whose arguments are in memory, where nobody has looked at them.
const MOST_INDIRECT: u32 = 1 << 28;

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

pub(crate) fn trap(address: u64, word: u32, reason: impl Into<String>) -> Trap {
    Trap {
        chip: crate::CHIP,
        address,
        word,
        reason: reason.into(),
    }
}

impl Processor for SouthernIslands {
    const CHIP: &'static str = crate::CHIP;

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn registers(&mut self) -> &mut RegisterFile {
        &mut self.registers
    }

    fn threads(&self) -> &Threads {
        &self.threads
    }

    fn totals(&self) -> &Stats {
        &self.totals
    }

    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        let opcode = packet.opcode();
        if packet.header & 2 != 0 && opcode != packets::NOP {
            return Err(packet.trap("compute packets are not executed by this device"));
        }
        match opcode {
            packets::NOP
            | packets::CONTEXT_CONTROL
            | packets::SURFACE_SYNC
            | packets::PFP_SYNC_ME => {}
            packets::CLEAR_STATE => registers::clear_context(&mut self.registers),
            packets::SET_CONFIG_REG => self.set_registers(packet, &CONFIG)?,
            packets::SET_SH_REG => self.set_registers(packet, &SH)?,
            packets::SET_CONTEXT_REG => self.set_registers(packet, &CONTEXT)?,
            packets::INDEX_TYPE => {
                let kind = packet.word(0)? & 3;
                self.registers.set(regs::VGT_INDEX_TYPE, kind);
            }
            packets::NUM_INSTANCES => {
                let count = packet.word(0)?;
                self.registers.set(regs::VGT_NUM_INSTANCES, count);
            }
            packets::SET_BASE => {
                if packet.word(0)? & 0xf == 1 {
                    self.cp.indirect_base = packet.address(1)?;
                }
            }
            packets::INDEX_BASE => self.cp.index_base = packet.address(0)?,
            packets::INDEX_BUFFER_SIZE => self.cp.index_limit = packet.word(0)?,
            packets::INDIRECT_BUFFER => self.indirect_buffer(packet, depth)?,
            packets::DRAW_INDEX_2
            | packets::DRAW_INDEX_AUTO
            | packets::DRAW_INDEX_OFFSET_2
            | packets::DRAW_INDIRECT
            | packets::DRAW_INDEX_INDIRECT => self.draw_packet(packet, opcode)?,
            packets::WRITE_DATA => self.write_data(packet)?,
            packets::COPY_DATA => self.copy_data(packet)?,
            packets::CP_DMA => self.dma(packet)?,
            packets::WAIT_REG_MEM => self.wait(packet)?,
            packets::EVENT_WRITE => self.event(packet)?,
            packets::EVENT_WRITE_EOP => self.end_of_pipe(packet)?,
            _ => return Err(packet.trap(format!("there is no packet {opcode:#04x}"))),
        }
        Ok(())
    }
}

impl SouthernIslands {
    fn draw_packet(&mut self, packet: &Packet, opcode: u8) -> Result<(), Trap> {
        let indexed = |this: &Self, address, first, count, limit| Vertices::Indexed {
            address,
            first,
            count,
            limit,
            wide: this.registers.get(regs::VGT_INDEX_TYPE) & 1 != 0,
        };
        let (vertices, initiator) = match opcode {
            packets::DRAW_INDEX_AUTO => (
                Vertices::Counted {
                    first: 0,
                    count: packet.word(0)?,
                },
                packet.word(1)?,
            ),
            packets::DRAW_INDEX_2 => {
                let (limit, address, count) =
                    (packet.word(0)?, packet.address(1)?, packet.word(3)?);
                (indexed(self, address, 0, count, limit), packet.word(4)?)
            }
            packets::DRAW_INDEX_OFFSET_2 => {
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
                let (vertices, base_vertex, first_instance) = if opcode == packets::DRAW_INDIRECT {
                    let vertices = Vertices::Counted { first: 0, count };
                    (vertices, first, argument(3)?)
                } else {
                    let limit = self.cp.index_limit;
                    let vertices = indexed(self, self.cp.index_base, first, count, limit);
                    (vertices, argument(3)?, argument(4)?)
                };
                if count > MOST_INDIRECT {
                    return Err(packet.trap(format!(
                        "draw arguments at {at:#x} ask for {count} vertices; at most {MOST_INDIRECT} are drawn"
                    )));
                }
                if count == 0 || instances == 0 {
                    return Ok(());
                }
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
        self.draw(&vertices).map_err(|mut trap| {
            if trap.address == u64::MAX {
                (trap.address, trap.word) = (packet.address, packet.header);
            }
            trap
        })
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
}
