//! The command processor: ring and indirect buffers to registers, uploads and draws. [R5xx 4, 6]
//!
//! In: words. Out: the [`State`], and every draw to an [`Engine`]. What the chip has and this does not execute is a trap
//! with the packet's words, and so is a draw whose data do not arrive.

mod blit;
mod draw;
mod packet;
mod state;
mod write;

pub use draw::{Draw, IndexPart, Source, VertexArray};
pub use state::{CLIP_PLANES, Engine, PVS_CODE, PVS_CONSTANTS, State};

use std::ops::Range;
use std::sync::Arc;

use radeon::packets::{Device, Machine, Packet, Processor, cut};
use silicon::fragment::bins::Threads;
use silicon::{Addr, Memory, Stats, Trap};

use crate::CHIP;
use crate::regs::CP_RB_CNTL;
use crate::tx::swapped;
use draw::Pending;

/// Streams inside each other: the primary one and two indirect buffers.
const STREAMS: u32 = 3;

/// A command processor and what it feeds.
pub struct CommandProcessor<E> {
    memory: Memory,
    threads: Arc<Threads>,
    totals: Stats,
    state: State,
    engine: E,
    /// Of the last 2D packet.
    settings: Option<blit::Settings>,
    /// A draw whose data are not all there.
    pending: Option<Pending>,
    /// Address and header of the packet that began the last draw.
    begun: (u64, u32),
    /// Indirect buffers around the packet.
    depth: u32,
    /// The packet is in the ring.
    in_ring: bool,
    /// Address and header of the packet with the last draw, which may wait.
    drawn: (u64, u32),
}

impl<E: Engine> CommandProcessor<E> {
    /// After power-on.
    pub fn new(memory: Memory, threads: impl Into<Arc<Threads>>, engine: E) -> CommandProcessor<E> {
        CommandProcessor {
            memory,
            threads: threads.into(),
            totals: Stats::default(),
            state: State::default(),
            engine,
            settings: None,
            pending: None,
            begun: (0, 0),
            depth: 0,
            in_ring: false,
            drawn: (0, 0),
        }
    }

    /// What streams wrote.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What runs the draws.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// Runs an indirect buffer, level 1 or 2.
    fn indirect(&mut self, packet: &Packet, level: u32, stream: Range<Addr>) -> Result<(), Trap> {
        if self.depth >= level || level >= STREAMS {
            let depth = self.depth;
            return Err(packet.trap(format!(
                "indirect buffer {level} is started inside indirect buffer {depth}"
            )));
        }
        let words = self.words(&stream);
        let mut words = words.map_err(|reason| packet.trap(reason))?;
        let swap = CP_RB_CNTL::BUF_SWAP.read(&self.state.registers);
        words
            .iter_mut()
            .for_each(|word| *word = swapped(*word, swap));
        let before = std::mem::replace(&mut self.depth, level);
        self.run(&words, stream.start.0)?;
        self.depth = before;
        Ok(())
    }

    /// The words of a range of memory.
    fn words(&self, stream: &Range<Addr>) -> Result<Vec<u32>, String> {
        let (start, end) = (stream.start.0, stream.end.0);
        if !start.is_multiple_of(4) || !end.is_multiple_of(4) {
            return Err("the command stream is not dword aligned".into());
        }
        if end > self.memory.size() {
            return Err(format!(
                "the command stream from {start:#x} ends at {end:#x}, beyond video memory"
            ));
        }
        let addresses = (start..end).step_by(4);
        Ok(addresses
            .map(|at| self.memory.load(at).unwrap_or(0))
            .collect())
    }

    /// Runs packets.
    fn run(&mut self, words: &[u32], address: u64) -> Result<(), Trap> {
        // Words that a condition leaves out.
        let mut skipped = 0;
        for packet in cut(CHIP, words, address) {
            let packet = packet?;
            let length = 1 + packet.payload.len();
            if skipped >= length {
                skipped -= length;
                continue;
            }
            if skipped > 0 {
                return Err(packet.trap(format!(
                    "{skipped} more dwords are conditional, the packet has {length}"
                )));
            }
            match packet.kind() {
                0 => self.type_0(&packet)?,
                1 => self.type_1(&packet)?,
                2 => {}
                _ => skipped = self.type_3(&packet)?,
            }
        }
        match skipped {
            0 => Ok(()),
            more => Err(Trap::new(
                CHIP,
                address + 4 * words.len() as u64,
                0,
                format!("the stream ends before {more} conditional dwords"),
            )),
        }
    }
}

impl<E: Engine> Device for CommandProcessor<E> {
    const CHIP: &'static str = CHIP;

    fn machine(&mut self) -> Machine<'_> {
        Machine {
            memory: &self.memory,
            registers: &mut self.state.registers,
            threads: &self.threads,
            totals: &self.totals,
        }
    }
}

impl<E: Engine> Processor for CommandProcessor<E> {
    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap> {
        self.depth = depth;
        self.type_3(packet).map(|_| ())
    }

    fn finish_draws(&mut self) -> Result<(), Trap> {
        let (address, header) = self.drawn;
        let done = self.engine.finish(&mut self.state, &mut self.totals);
        done.map_err(|reason| Trap::new(CHIP, address, header, reason))
    }

    fn execute_stream(&mut self, stream: Range<Addr>) -> Result<Stats, Trap> {
        let before = self.totals;
        self.depth = 0;
        self.in_ring = false;
        self.pending = None;
        let result = self.run_stream(stream.clone(), 0);
        // What draws that wait do wrong comes before what stopped the stream.
        self.finish_draws().and(result)?;
        if let Some(pending) = self.pending.take() {
            let (address, header) = self.begun;
            return Err(Trap::new(CHIP, address, header, pending.missing()));
        }
        Ok(self.totals.since(before))
    }

    fn run_stream(&mut self, stream: Range<Addr>, _: u32) -> Result<(), Trap> {
        let start = stream.start.0;
        let words = self.words(&stream);
        let words = words.map_err(|reason| Trap::new(CHIP, start, 0, reason))?;
        self.run(&words, start)
    }

    fn type_0(&mut self, packet: &Packet) -> Result<(), Trap> {
        let (first, step) = crate::packets::written(packet.header);
        self.write_all(packet, first, step, packet.payload)
    }

    fn type_1(&mut self, packet: &Packet) -> Result<(), Trap> {
        let indices = [packet.header & 0x7ff, packet.header >> 11 & 0x7ff];
        for (n, index) in indices.into_iter().enumerate() {
            let word = packet.word(n)?;
            self.write_all(packet, 4 * index, 0, &[word])?;
        }
        Ok(())
    }

    fn write_registers(&mut self, packet: &Packet, first: u32, values: &[u32]) -> Result<(), Trap> {
        self.write_all(packet, first, 4, values)
    }
}
