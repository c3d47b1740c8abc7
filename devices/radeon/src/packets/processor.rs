//! Runs a packet stream: type 0 register writes and memory words. Words are untrusted: a malformed packet stops the
//! stream with a [`Trap`] that names its address and word.

use std::ops::Range;

use super::{Packet, read};
use crate::registers::RegisterFile;
use silicon::fragment::bins::Threads;
use silicon::gpu::{Stats, Trap};
use silicon::memory::{Addr, Memory};

/// What a command processor works on.
pub struct Machine<'a> {
    /// Video memory.
    pub memory: &'a Memory,
    /// The registers.
    pub registers: &'a mut RegisterFile,
    /// The device's threads.
    pub threads: &'a Threads,
    /// What happened since power-on.
    pub totals: &'a Stats,
}

/// A chip around its command processor. [`device!`](crate::device)
pub trait Device {
    /// Name of the chip, for traps.
    const CHIP: &'static str;

    /// What the command processor works on.
    fn machine(&mut self) -> Machine<'_>;
}

/// Makes a struct with fields `memory`, `registers`, `threads` and `totals` and a method `shown` a [`Device`], and a `Gpu`
/// with this `Info` whose command processor runs the streams.
#[macro_export]
macro_rules! device {
    ($Chip:ident, $INFO:ident) => {
        impl $crate::packets::Device for $Chip {
            const CHIP: &'static str = $INFO.name;

            fn machine(&mut self) -> $crate::packets::Machine<'_> {
                $crate::packets::Machine {
                    memory: &self.memory,
                    registers: &mut self.registers,
                    threads: &self.threads,
                    totals: &self.totals,
                }
            }
        }

        impl silicon::Gpu for $Chip {
            fn info(&self) -> &'static silicon::Info {
                &$INFO
            }

            fn memory(&self) -> &silicon::Memory {
                &self.memory
            }

            fn threads(&self) -> &std::sync::Arc<silicon::fragment::bins::Threads> {
                &self.threads
            }

            fn execute(
                &mut self,
                stream: std::ops::Range<silicon::Addr>,
            ) -> Result<silicon::Stats, silicon::Trap> {
                $crate::packets::Processor::execute_stream(self, stream)
            }

            fn target(&mut self) -> Result<Option<silicon::fragment::target::Target>, String> {
                self.shown()
            }
        }
    };
}

/// A command processor: what a chip makes of type 3 packets.
pub trait Processor: Device {
    /// Executes a type 3 packet; `depth` counts the indirect buffers around it.
    fn packet(&mut self, packet: &Packet, depth: u32) -> Result<(), Trap>;

    /// Finishes the draws whose second half waits.
    fn finish_draws(&mut self) -> Result<(), Trap>;

    /// Runs a whole stream; what happened meanwhile.
    fn execute_stream(&mut self, stream: Range<Addr>) -> Result<Stats, Trap> {
        let before = *self.machine().totals;
        let result = self.run_stream(stream, 0);
        // What those draws do wrong comes before what stopped the stream.
        self.finish_draws().and(result)?;
        Ok(self.machine().totals.since(before))
    }

    /// Runs the packets of a range of memory.
    fn run_stream(&mut self, stream: Range<Addr>, depth: u32) -> Result<(), Trap> {
        let mut at = stream.start.0;
        let mut payload = Vec::new();
        while at < stream.end.0 {
            let (header, end) = read(Self::CHIP, self.machine().memory, &stream, at, &mut payload)?;
            let packet = Packet {
                chip: Self::CHIP,
                address: at,
                header,
                payload: &payload,
            };
            match header >> 30 {
                0 => self.type_0(&packet)?,
                1 => self.type_1(&packet)?,
                3 => self.packet(&packet, depth)?,
                _ => {}
            }
            at = end;
        }
        Ok(())
    }

    /// Executes a type 0 packet.
    fn type_0(&mut self, packet: &Packet) -> Result<(), Trap> {
        self.write_registers(packet, super::written(packet.header).0, packet.payload)
    }

    /// Executes a type 1 packet.
    fn type_1(&mut self, packet: &Packet) -> Result<(), Trap> {
        Err(packet.trap("there are no type 1 packets"))
    }

    /// Writes registers that follow each other.
    fn write_registers(&mut self, packet: &Packet, first: u32, values: &[u32]) -> Result<(), Trap> {
        let registers = self.machine().registers;
        for (n, value) in values.iter().enumerate() {
            let address = first.wrapping_add(4 * n as u32);
            if !registers.set(address, *value) {
                return Err(packet.trap(format!("there is no register {address:#x}")));
            }
        }
        Ok(())
    }

    /// Stores a word of video memory.
    fn store(&mut self, packet: &Packet, address: u64, value: u32) -> Result<(), Trap> {
        if !address.is_multiple_of(4) || self.machine().memory.store(address, value).is_none() {
            return Err(packet.trap(format!("{address:#x} is not a dword of video memory")));
        }
        Ok(())
    }

    /// Stores two words.
    fn store_64(&mut self, packet: &Packet, address: u64, value: u64) -> Result<(), Trap> {
        self.store(packet, address, value as u32)?;
        self.store(packet, address + 4, (value >> 32) as u32)
    }

    /// Loads a word of video memory.
    fn load(&mut self, packet: &Packet, address: u64) -> Result<u32, Trap> {
        self.machine()
            .memory
            .load(address)
            .filter(|_| address.is_multiple_of(4))
            .ok_or_else(|| packet.trap(format!("{address:#x} is not a dword of video memory")))
    }
}
