//! The command processor: packets that R600 and Southern Islands both execute. [PM4 packets]
//!
//! Memory is coherent and draws are finished before the next packet, so cache and wait packets have nothing to do.

use std::ops::Range;

use silicon::Trap;
use silicon::geometry::stream::BUFFERS;
use silicon::geometry::vertices::Vertices;
use silicon::memory::Addr;

use super::packets::{self, event};
use super::predication::Predication;
use super::regs::{CpStrmoutCntl, VgtDrawInitiator};
use super::stream;
use crate::packets::{Machine, Packet, Processor};

/// Indirect buffers inside each other.
const MAX_DEPTH: u32 = 8;

/// A command processor of the family. A chip forwards packets that it does not handle itself.
pub trait CommandProcessor: Processor {
    /// Address of the register with the instances of the next draw.
    const NUM_INSTANCES: u32;
    /// Address of the register with the size of indices in bit 0: 0 for 16 bits, 1 for 32 bits.
    const INDEX_TYPE: u32;
    /// Address of CP_STRMOUT_CNTL.
    const STRMOUT_CNTL: u32;

    /// Which packets are left out.
    fn predication(&mut self) -> &mut Predication;
    /// Where the next vertex begins in each buffer of the stream, in words: the chip counts.
    fn stream_offsets(&mut self) -> &mut [u32; BUFFERS];

    /// Draws with the current registers. A trap at address `u64::MAX` is the packet's.
    fn draw_vertices(&mut self, vertices: &Vertices) -> Result<(), Trap>;

    /// The clock counts instructions: deterministic.
    fn clock(&mut self) -> u64 {
        self.machine().totals.instructions
    }

    /// Executes a packet that all chips of the family have.
    fn shared_packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        match packet.opcode() {
            packets::NOP | packets::CONTEXT_CONTROL | packets::SURFACE_SYNC => Ok(()),
            packets::NUM_INSTANCES => {
                self.write_registers(packet, Self::NUM_INSTANCES, &[packet.word(0)?])
            }
            packets::INDIRECT_BUFFER => self.indirect_buffer(packet, depth),
            packets::DRAW_INDEX_AUTO => {
                let count = packet.word(0)?;
                self.draw_packet(
                    packet,
                    &Vertices::Counted { first: 0, count },
                    packet.word(1)?,
                )
            }
            packets::DRAW_INDEX_2 => {
                let (limit, count) = (packet.word(0)?, packet.word(3)?);
                let vertices = self.indexed(packet.address(1)?, 0, count, limit);
                self.draw_packet(packet, &vertices, packet.word(4)?)
            }
            packets::SET_PREDICATION => {
                let memory = self.machine().memory.clone();
                self.predication().set(packet, &memory)
            }
            packets::CP_DMA => self.dma(packet),
            packets::STRMOUT_BUFFER_UPDATE => stream::update(self, packet),
            packets::WAIT_REG_MEM => self.wait(packet),
            packets::EVENT_WRITE => self.event(packet),
            packets::EVENT_WRITE_EOP => self.end_of_pipe(packet),
            opcode => Err(packet.trap(format!("there is no packet {opcode:#04x}"))),
        }
    }

    /// INDEX_TYPE: 0 for indices of 16 bits, 1 for 32 bits.
    fn index_type(&self, packet: &Packet) -> Result<u32, Trap> {
        match packet.word(0)? {
            kind @ 0..=1 => Ok(kind),
            word => Err(packet.trap(format!(
                "INDEX_TYPE {word:#x}: only indices of 16 and 32 bits in little-endian order are read"
            ))),
        }
    }

    /// Vertices by indices from `address` on, of which there are `limit`.
    fn indexed(&mut self, address: u64, first: u32, count: u32, limit: u32) -> Vertices {
        Vertices::Indexed {
            address,
            first,
            count,
            limit,
            wide: self.machine().registers.get(Self::INDEX_TYPE) & 1 != 0,
        }
    }

    /// A draw packet, with its VGT_DRAW_INITIATOR.
    fn draw_packet(
        &mut self,
        packet: &Packet,
        vertices: &Vertices,
        initiator: u32,
    ) -> Result<(), Trap> {
        let initiator = VgtDrawInitiator::from_word(initiator);
        if initiator.sprite_en || initiator.major_mode != 0 {
            return Err(packet.trap("VGT_DRAW_INITIATOR.SPRITE_EN and MAJOR_MODE are not executed"));
        }
        let counted;
        let vertices = match initiator.use_opaque {
            false => vertices,
            true => {
                let opaque = stream::opaque(self.machine().registers);
                counted = opaque.map_err(|reason| packet.trap(reason))?;
                &counted
            }
        };
        self.draw_vertices(vertices).map_err(|mut trap| {
            if trap.address == u64::MAX {
                (trap.address, trap.word) = (packet.address, packet.header);
            }
            trap
        })
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

    /// CP_DMA: copies or fills bytes of video memory.
    fn dma(&mut self, packet: &Packet) -> Result<(), Trap> {
        let (from, to) = (packet.address(0)?, packet.address(2)?);
        let bytes = packet.word(4)? & 0x1f_ffff;
        let fill = match packet.word(1)? >> 29 & 3 {
            0 => None,
            2 => Some(packet.word(0)?),
            other => return Err(packet.trap(format!("CP_DMA has no source {other}"))),
        };
        let Machine {
            memory, threads, ..
        } = self.machine();
        let done = match fill {
            Some(value) if to % 4 == 0 && bytes % 4 == 0 => {
                let words = u64::from(bytes / 4);
                threads.fill(memory, Addr(to), words, value)
            }
            Some(value) => {
                let pattern = value.to_le_bytes().into_iter().cycle();
                let buffer: Vec<u8> = pattern.take(bytes as usize).collect();
                memory.write(Addr(to), &buffer)
            }
            None if from.abs_diff(to) >= bytes.into()
                && (from | to | u64::from(bytes)) % 4 == 0 =>
            {
                threads.copy(memory, [Addr(from), Addr(to)], bytes.into())
            }
            None => {
                let mut buffer = vec![0; bytes as usize];
                let read = memory.read(Addr(from), &mut buffer);
                read.and_then(|()| memory.write(Addr(to), &buffer))
            }
        };
        done.map_err(|error| packet.trap(error.to_string()))
    }

    /// WAIT_REG_MEM. All earlier work is finished, so a false condition stays false.
    fn wait(&mut self, packet: &Packet) -> Result<(), Trap> {
        let control = packet.word(0)?;
        let address = packet.address(1)?;
        let value = if control >> 4 & 1 == 1 {
            self.load(packet, address)?
        } else {
            self.machine()
                .registers
                .get((address as u32).wrapping_mul(4))
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
            // One counter: a single render backend. Bit 63 is the written flag.
            event::ZPASS_DONE => {
                let count = self.machine().totals.samples_passed | 1 << 63;
                self.store_64(packet, packet.address(1)?, count)
            }
            event::SAMPLE_PIPELINESTAT => {
                let address = packet.address(1)?;
                let t = *self.machine().totals;
                let counters = [
                    t.fragment_lanes,
                    t.clipped_primitives,
                    t.clipping_invocations,
                    t.vertex_lanes,
                    t.geometry_lanes,
                    t.geometry_primitives,
                    t.primitives,
                    t.vertices,
                    0,
                    0,
                    t.compute_lanes,
                ];
                for (n, count) in counters.into_iter().enumerate() {
                    self.store_64(packet, address + 8 * n as u64, count)?;
                }
                Ok(())
            }
            // What room was needed for comes first. Bits 63 are the written flags.
            event::SAMPLE_STREAMOUTSTATS => {
                let address = packet.address(1)?;
                let totals = self.machine().totals;
                let counts = [totals.stream_primitives_needed, totals.stream_primitives];
                for (n, count) in counts.into_iter().enumerate() {
                    self.store_64(packet, address + 8 * n as u64, count | 1 << 63)?;
                }
                Ok(())
            }
            // No primitive comes in these streams.
            number if event::SAMPLE_STREAMOUTSTATS_1_TO_3.contains(&number) => {
                let address = packet.address(1)?;
                (0..2).try_for_each(|n| self.store_64(packet, address + 8 * n, 1 << 63))
            }
            // Counters of streamed vertices are always up to date.
            event::SO_VGTSTREAMOUT_FLUSH => {
                let registers = &mut self.machine().registers;
                let control = CpStrmoutCntl {
                    offset_update_done: true,
                    ..CpStrmoutCntl::from_word(registers.get(Self::STRMOUT_CNTL))
                };
                registers.set(Self::STRMOUT_CNTL, control.pack());
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
            3 => {
                let clock = self.clock();
                self.store_64(packet, address, clock)
            }
            other => Err(packet.trap(format!("EVENT_WRITE_EOP has no data source {other}"))),
        }
    }
}
