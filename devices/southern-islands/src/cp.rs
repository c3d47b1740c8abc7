//! The command processor: PM4 packets to registers, memory operations and draws. [PM4 packets]
//!
//! Packets that all chips of the family execute are in [`radeon::r6xx::cp`].

use radeon::packets::{Packet, Processor};
use radeon::r6xx::cp::CommandProcessor;
use radeon::r6xx::draws::Draws;
use radeon::r6xx::predication::Predication;
use silicon::Trap;
use silicon::geometry::stream::BUFFERS;
use silicon::geometry::vertices::Vertices;

use crate::compute::Dispatch;
use crate::packets;
use crate::regs::{self, CONFIG, CONTEXT, SH};
use crate::{SouthernIslands, registers};

pub(crate) fn trap(address: u64, word: u32, reason: impl Into<String>) -> Trap {
    Trap::new(crate::CHIP, address, word, reason)
}

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

/// Whether a packet only writes registers, or draws: the draws before it may wait.
fn leaves_memory(opcode: u8) -> bool {
    use packets::*;
    matches!(
        opcode,
        NOP | CONTEXT_CONTROL
            | CLEAR_STATE
            | SET_CONFIG_REG
            | SET_SH_REG
            | SET_CONTEXT_REG
            | INDEX_TYPE
            | NUM_INSTANCES
            | SET_BASE
            | INDEX_BASE
            | INDEX_BUFFER_SIZE
            | INDIRECT_BUFFER
            | DRAW_INDEX_AUTO
            | DRAW_INDEX_2
            | DRAW_INDEX_OFFSET_2
    )
}

impl Processor for SouthernIslands {
    fn finish_draws(&mut self) -> Result<(), Trap> {
        self.finish_all()
    }

    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        if self.predication.skips(packet) {
            return Ok(());
        }
        let opcode = packet.opcode();
        let compute = packet.header & 2 != 0;
        if compute && packets::draws(opcode) {
            return Err(packet.trap("a draw has the bit of compute packets"));
        }
        if !leaves_memory(opcode) {
            self.finish_draws()?;
        }
        match opcode {
            packets::PFP_SYNC_ME => {}
            packets::CLEAR_STATE => registers::clear_context(&mut self.registers),
            packets::SET_CONFIG_REG => self.set_registers(packet, &CONFIG)?,
            packets::SET_SH_REG => self.set_registers(packet, &SH)?,
            packets::SET_CONTEXT_REG => self.set_registers(packet, &CONTEXT)?,
            packets::INDEX_TYPE => {
                let kind = self.index_type(packet)?;
                self.registers.set(regs::VGT_INDEX_TYPE, kind);
            }
            packets::SET_BASE => {
                if packet.word(0)? & 0xf == 1 {
                    self.cp.indirect_base = packet.address(1)?;
                }
            }
            packets::INDEX_BASE => self.cp.index_base = packet.address(0)?,
            packets::INDEX_BUFFER_SIZE => self.cp.index_limit = packet.word(0)?,
            packets::DRAW_INDEX_OFFSET_2 => {
                let (limit, first, count) = (packet.word(0)?, packet.word(1)?, packet.word(2)?);
                let vertices = self.indexed(self.cp.index_base, first, count, limit);
                self.draw_packet(packet, &vertices, packet.word(3)?)?;
            }
            packets::DRAW_INDIRECT | packets::DRAW_INDEX_INDIRECT => self.draw_indirect(packet)?,
            packets::DISPATCH_DIRECT | packets::DISPATCH_INDIRECT if !compute => {
                return Err(packet.trap("a dispatch needs the bit of compute packets"));
            }
            packets::DISPATCH_DIRECT => {
                let groups = [packet.word(0)?, packet.word(1)?, packet.word(2)?];
                self.dispatch_packet(packet, groups, packet.word(3)?)?;
            }
            packets::DISPATCH_INDIRECT => self.dispatch_indirect(packet)?,
            packets::WRITE_DATA => self.write_data(packet)?,
            packets::COPY_DATA => self.copy_data(packet)?,
            _ => self.shared_packet(packet, depth)?,
        }
        Ok(())
    }
}

impl CommandProcessor for SouthernIslands {
    const NUM_INSTANCES: u32 = regs::VGT_NUM_INSTANCES;
    const INDEX_TYPE: u32 = regs::VGT_INDEX_TYPE;
    const STRMOUT_CNTL: u32 = regs::CP_STRMOUT_CNTL;

    fn predication(&mut self) -> &mut Predication {
        &mut self.predication
    }

    fn stream_offsets(&mut self) -> &mut [u32; BUFFERS] {
        &mut self.stream_offsets
    }

    fn draw_vertices(&mut self, vertices: &Vertices) -> Result<(), Trap> {
        self.expand_cleared()?;
        self.expand_cleared_depths()?;
        self.draw(vertices)
    }
}

impl SouthernIslands {
    /// DRAW_INDIRECT and DRAW_INDEX_INDIRECT: arguments in memory.
    fn draw_indirect(&mut self, packet: &Packet) -> Result<(), Trap> {
        let at = self.cp.indirect_base + u64::from(packet.word(0)?);
        let slots = [packet.word(1)?, packet.word(2)?];
        let argument = |n: u64| {
            let outside = || packet.trap(format!("draw arguments at {at:#x} are outside memory"));
            self.memory.load(at + 4 * n).ok_or_else(outside)
        };
        let (count, instances, first) = (argument(0)?, argument(1)?, argument(2)?);
        let (vertices, base_vertex, first_instance) = match packet.opcode() {
            packets::DRAW_INDIRECT => {
                let vertices = Vertices::Counted { first: 0, count };
                (vertices, first, argument(3)?)
            }
            _ => {
                let (base_vertex, first_instance) = (argument(3)?, argument(4)?);
                let (address, limit) = (self.cp.index_base, self.cp.index_limit);
                let vertices = self.indexed(address, first, count, limit);
                (vertices, base_vertex, first_instance)
            }
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
        for (slot, value) in slots.into_iter().zip([base_vertex, first_instance]) {
            let register = SH.start + (slot & 0xffff) * 4;
            self.write_registers(packet, register, &[value])?;
        }
        self.draw_packet(packet, &vertices, packet.word(3)?)
    }

    /// DISPATCH_INDIRECT: the number of groups in memory.
    fn dispatch_indirect(&mut self, packet: &Packet) -> Result<(), Trap> {
        let at = self.cp.indirect_base + u64::from(packet.word(0)?);
        let mut groups = [0; 3];
        for (n, groups) in (0..).zip(&mut groups) {
            let outside =
                || packet.trap(format!("dispatch arguments at {at:#x} are outside memory"));
            *groups = self.memory.load(at + 4 * n).ok_or_else(outside)?;
        }
        self.dispatch_packet(packet, groups, packet.word(1)?)
    }

    /// Runs groups with an initiator.
    fn dispatch_packet(
        &mut self,
        packet: &Packet,
        groups: [u32; 3],
        initiator: u32,
    ) -> Result<(), Trap> {
        self.registers
            .set(regs::COMPUTE_DISPATCH_INITIATOR, initiator);
        for (axis, groups) in (0..).zip(groups) {
            self.registers.set(regs::COMPUTE_DIM_X + 4 * axis, groups);
        }
        let dispatch = Dispatch::new(&self.registers).map_err(|reason| packet.trap(reason))?;
        self.dispatch(&dispatch)
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
