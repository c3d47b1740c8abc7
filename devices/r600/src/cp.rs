//! The command processor: PM4 packets to registers, memory operations and draws. [PM4 packets]
//!
//! Packets that all chips of the family execute are in [`radeon::r6xx::cp`].

use std::ops::Range;

use radeon::packets::{Packet, Processor};
use radeon::r6xx::cp::CommandProcessor;
use radeon::r6xx::draws::Draws;
use radeon::r6xx::predication::Predication;
use silicon::Trap;
use silicon::geometry::stream::BUFFERS;
use silicon::geometry::vertices::Vertices;

use crate::R600;
use crate::packets;
use crate::regs::{
    self, ALU_CONST, BOOL_CONST, CONFIG, CONTEXT, CTL_CONST, LOOP_CONST, RESOURCE, SAMPLER,
};

/// Spaces that the SET and LOAD packets write, by their opcodes from SET_CONFIG_REG and LOAD_CONFIG_REG on.
const SPACES: [Range<u32>; 8] = [
    CONFIG, CONTEXT, ALU_CONST, BOOL_CONST, LOOP_CONST, RESOURCE, SAMPLER, CTL_CONST,
];

pub(crate) fn trap(address: u64, word: u32, reason: impl Into<String>) -> Trap {
    Trap::new(crate::CHIP, address, word, reason)
}

/// Whether a packet only writes registers, or draws: the draws before it may wait.
fn leaves_memory(opcode: u8) -> bool {
    use packets::*;
    matches!(
        opcode,
        NOP | CONTEXT_CONTROL
            | START_3D_CMDBUF
            | SET_CONFIG_REG..=SET_CTL_CONST
            | LOAD_CONFIG_REG..=LOAD_CTL_CONST
            | INDEX_TYPE
            | NUM_INSTANCES
            | INDIRECT_BUFFER
            | INDIRECT_BUFFER_MP
            | DRAW_INDEX_AUTO
            | DRAW_INDEX
            | DRAW_INDEX_2
            | DRAW_INDEX_IMMD
    )
}

impl Processor for R600 {
    fn finish_draws(&mut self) -> Result<(), Trap> {
        self.finish_all()
    }

    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        if self.predication.skips(packet) {
            return Ok(());
        }
        let opcode = packet.opcode();
        if !leaves_memory(opcode) {
            self.finish_draws()?;
        }
        match opcode {
            packets::START_3D_CMDBUF | packets::SURFACE_BASE_UPDATE => Ok(()),
            packets::SET_CONFIG_REG..=packets::SET_CTL_CONST => {
                let space = &SPACES[usize::from(opcode - packets::SET_CONFIG_REG)];
                self.set_registers(packet, space)
            }
            packets::LOAD_CONFIG_REG..=packets::LOAD_CTL_CONST => {
                let space = &SPACES[usize::from(opcode - packets::LOAD_CONFIG_REG)];
                self.load_registers(packet, space)
            }
            packets::INDEX_TYPE => {
                let kind = self.index_type(packet)?;
                self.registers.set(regs::VGT_DMA_INDEX_TYPE, kind);
                Ok(())
            }
            packets::INDIRECT_BUFFER_MP => self.indirect_buffer(packet, depth),
            packets::DRAW_INDEX => {
                let count = packet.word(2)?;
                let vertices = self.indexed(packet.address(0)?, 0, count, count);
                self.draw_packet(packet, &vertices, packet.word(3)?)
            }
            packets::DRAW_INDEX_IMMD => self.draw_listed(packet),
            packets::COPY_DW => self.copy_word(packet),
            packets::MEM_WRITE => self.mem_write(packet),
            _ => self.shared_packet(packet, depth),
        }
    }
}

impl CommandProcessor for R600 {
    const NUM_INSTANCES: u32 = regs::VGT_DMA_NUM_INSTANCES;
    const INDEX_TYPE: u32 = regs::VGT_DMA_INDEX_TYPE;
    const STRMOUT_CNTL: u32 = regs::CP_STRMOUT_CNTL;

    fn predication(&mut self) -> &mut Predication {
        &mut self.predication
    }

    fn stream_offsets(&mut self) -> &mut [u32; BUFFERS] {
        &mut self.stream_offsets
    }

    fn draw_vertices(&mut self, vertices: &Vertices) -> Result<(), Trap> {
        self.draw(vertices)
    }
}

impl R600 {
    /// LOAD_*: runs of registers from a picture of their space in memory.
    fn load_registers(&mut self, packet: &Packet, space: &Range<u32>) -> Result<(), Trap> {
        let base = packet.address(0)?;
        for n in (2..packet.payload.len()).step_by(2) {
            let (first, count) = (packet.word(n)? & 0xffff, packet.word(n + 1)? & 0x3fff);
            let start = space.start + 4 * first;
            if count > 0 && !space.contains(&(start + 4 * (count - 1))) {
                return Err(packet.trap(format!(
                    "{count} registers from {start:#x} on are outside {:#x}..{:#x}",
                    space.start, space.end
                )));
            }
            for k in first..first + count {
                let value = self.load(packet, base + 4 * u64::from(k))?;
                self.write_registers(packet, space.start + 4 * k, &[value])?;
            }
        }
        Ok(())
    }

    /// DRAW_INDEX_IMMD: the indices are in the packet.
    fn draw_listed(&mut self, packet: &Packet) -> Result<(), Trap> {
        let count = packet.word(0)? as usize;
        let words = &packet.payload[2.min(packet.payload.len())..];
        let halves = words.iter().flat_map(|word| [word & 0xffff, word >> 16]);
        let list: Vec<u32> = match self.registers.get(regs::VGT_DMA_INDEX_TYPE) & 1 {
            0 => halves.take(count).collect(),
            _ => words.iter().copied().take(count).collect(),
        };
        if list.len() < count {
            let have = list.len();
            let reason = format!("the packet has {have} indices and needs {count}");
            return Err(packet.trap(reason));
        }
        self.draw_packet(packet, &Vertices::Listed(list), packet.word(1)?)
    }

    /// COPY_DW: a word between memory and registers.
    fn copy_word(&mut self, packet: &Packet) -> Result<(), Trap> {
        let control = packet.word(0)?;
        let value = match control & packets::copy_dw::FROM_MEMORY {
            0 => self.registers.get(packet.word(1)?.wrapping_mul(4)),
            _ => self.load(packet, packet.address(1)?)?,
        };
        match control & packets::copy_dw::TO_MEMORY {
            0 => self.write_registers(packet, packet.word(3)?.wrapping_mul(4), &[value]),
            _ => self.store(packet, packet.address(3)?, value),
        }
    }

    fn mem_write(&mut self, packet: &Packet) -> Result<(), Trap> {
        let (address, flags) = (packet.address(0)?, packet.word(1)?);
        let data = match flags & packets::mem_write::CLOCK {
            0 => u64::from(packet.word(2)?) | u64::from(packet.word(3)?) << 32,
            _ => self.clock(),
        };
        match flags & packets::mem_write::WORD {
            0 => self.store_64(packet, address, data),
            _ => self.store(packet, address, data as u32),
        }
    }
}
