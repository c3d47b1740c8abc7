//! Register writes, and what some of them trigger. [R5xx 4 "Command processor", 8.2.2]

use radeon::packets::{Packet, Processor};
use silicon::{Addr, Trap};

use super::draw::Pending;
use super::{CommandProcessor, Engine};
use crate::regs::{self, *};
use crate::tx::swapped;

/// The register at an address and its number in the array, as [`regs::find`] has it.
fn lookup(address: u32) -> Option<(&'static Register, u32)> {
    use std::sync::OnceLock;
    static KNOWN: OnceLock<Vec<Option<(&'static Register, u32)>>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let addresses = (0..regs::SPACE.end).step_by(4);
        addresses.map(regs::find).collect()
    });
    *known.get(address as usize / 4)?
}

impl<E: Engine> CommandProcessor<E> {
    /// Writes words to registers `step` bytes apart.
    pub(super) fn write_all(
        &mut self,
        packet: &Packet,
        first: u32,
        step: u32,
        words: &[u32],
    ) -> Result<(), Trap> {
        for (n, word) in words.iter().enumerate() {
            let address = first.wrapping_add(n as u32 * step);
            if starts_stream(address) && n + 1 < words.len() {
                return Err(packet.trap(format!(
                    "register {address:#x} starts a stream and is not the last of its packet"
                )));
            }
            self.write(packet, address, *word)?;
        }
        Ok(())
    }

    /// Writes a register.
    fn write(&mut self, packet: &Packet, address: u32, word: u32) -> Result<(), Trap> {
        let Some((register, n)) = lookup(address) else {
            return Err(packet.trap(format!(
                "there is no register {address:#x} to write {word:#x} to"
            )));
        };
        if ENDS_WAITING.contains(&register.address) {
            self.finish_draws()?;
        }
        self.state.registers.set(register.at(n), word);
        let port = |of: &Register| of.element(address).is_some();
        if port(&VAP_PORT_DATA) || port(&VAP_PORT_IDX) || port(&VAP_PORT_DATA_IDX_128) {
            return self.vertex_word(packet, word);
        }
        let state = &mut self.state;
        let done = match register.address {
            at if at == VAP_VF_CNTL.address => return self.begin_draw(packet, word),
            at if at == VAP_PVS_VECTOR_INDX_REG.address => {
                state.begin_vectors();
                Ok(())
            }
            at if at == VAP_PVS_VECTOR_DATA_REG.address
                || at == VAP_PVS_VECTOR_DATA_REG_128.address =>
            {
                state.vector_word(word)
            }
            at if at == TX_FILTER4.address => state.weights.load(word),
            at if at == GA_US_VECTOR_INDEX.address => {
                state.begin_us();
                Ok(())
            }
            at if at == GA_US_VECTOR_DATA.address => {
                state.us_word(word);
                Ok(())
            }
            at if at == CP_ME_RAM_DATAL.address => {
                let slot = CP_ME_RAM_ADDR::ME_RAM_ADDR.read(&state.registers);
                if let Some(slot) = slot.checked_sub(0xfc).filter(|slot| *slot < 4) {
                    state.semaphores[slot as usize] = word;
                }
                Ok(())
            }
            at if at == ZB_HIZ_DWORD.address => {
                let index = ZB_HIZ_WRINDEX::HIZ_WRINDEX.read(&state.registers);
                state.hi_z[index as usize] = word;
                let next = ZB_HIZ_WRINDEX::HIZ_WRINDEX.bits(index + 1);
                state.registers.set(ZB_HIZ_WRINDEX.address, next);
                Ok(())
            }
            at if at == ZB_ZMASK_DWORD.address => {
                state.mask_word(ZB_ZMASK_WRINDEX, |state| &mut state.z_mask, word)
            }
            at if at == RB3D_CMASK_DWORD.address => {
                state.mask_word(RB3D_CMASK_WRINDEX, |state| &mut state.color_mask, word)
            }
            at if at == SCRATCH_REG.address => return self.scratch(packet, n, word),
            _ => return self.write_to_memory(packet, register, word),
        };
        done.map_err(|reason| packet.trap(reason))
    }

    /// Registers whose writes store words of memory, copy them or run them.
    fn write_to_memory(
        &mut self,
        packet: &Packet,
        register: &Register,
        word: u32,
    ) -> Result<(), Trap> {
        let registers = &self.state.registers;
        match register.address {
            at if at == ZB_ZPASS_ADDR.address => {
                let count = ZB_ZPASS_DATA.read(registers, 0);
                self.store(packet, u64::from(word & !3), count)
            }
            at if at == RB3D_DSTCACHE_CTLSTAT.address
                && RB3D_DSTCACHE_CTLSTAT::DC_FINISH.is_set(word) =>
            {
                let slot = CP_RESYNC_ADDR.read(registers, 0) & 7;
                let data = CP_RESYNC_DATA.read(registers, 0);
                self.state.registers.set(SCRATCH_REG.at(slot), data);
                self.scratch(packet, slot, data)
            }
            at if at == CP_GUI_COMMAND.address => self.copy(packet, word),
            at if at == CP_IB_BUFSZ.address => {
                let base = CP_IB_BASE.read(registers, 0);
                self.indirect(packet, 1, stream(base, word))
            }
            at if at == CP_IB2_BUFSZ.address => {
                let base = CP_IB2_BASE.read(registers, 0);
                self.indirect(packet, 2, stream(base, word))
            }
            at if at == CP_RB_WPTR.address => self.ring(packet),
            _ => Ok(()),
        }
    }

    /// A scratch register was written: its copy in memory.
    fn scratch(&mut self, packet: &Packet, n: u32, word: u32) -> Result<(), Trap> {
        let registers = &self.state.registers;
        if SCRATCH_UMSK.read(registers, 0) >> n & 1 == 0 {
            return Ok(());
        }
        let base = SCRATCH_ADDR.read(registers, 0) & !31;
        self.store(packet, u64::from(base + 4 * n), word)
    }

    /// CP_GUI_COMMAND: copies bytes.
    fn copy(&mut self, packet: &Packet, command: u32) -> Result<(), Trap> {
        use CP_GUI_COMMAND::*;
        for field in [SAS, DAS] {
            if field.is_set(command) {
                return Err(packet.trap(format!("CP_GUI_COMMAND.{} is not executed", field.name)));
            }
        }
        let registers = &self.state.registers;
        let from = u64::from(CP_GUI_SRC_ADDR.read(registers, 0));
        let to = u64::from(CP_GUI_DST_ADDR.read(registers, 0));
        let count = u64::from(BYTE_COUNT.get(command));
        if [SRC_SWAP, DST_SWAP, SAIC, DAIC]
            .iter()
            .any(|field| field.is_set(command))
        {
            return self.copy_words(packet, command, [from, to, count]);
        }
        let apart = from + count <= to || to + count <= from;
        if apart && (from | to | count).is_multiple_of(4) {
            let copied = self.memory.copy(Addr(from), Addr(to), count);
            return copied.map_err(|error| packet.trap(error.to_string()));
        }
        for n in 0..count {
            let byte = self.memory.load_byte(from + n);
            let done = byte.and_then(|byte| self.memory.store_byte(to + n, byte));
            if done.is_none() {
                return Err(packet.trap(format!(
                    "a copy from {:#x} to {:#x} leaves video memory",
                    from + n,
                    to + n
                )));
            }
        }
        Ok(())
    }

    /// Copies words whose bytes change places, or whose addresses stay.
    fn copy_words(
        &mut self,
        packet: &Packet,
        command: u32,
        [from, to, count]: [u64; 3],
    ) -> Result<(), Trap> {
        use CP_GUI_COMMAND::*;
        if !(from | to | count).is_multiple_of(4) {
            return Err(packet.trap(format!(
                "{count} bytes from {from:#x} to {to:#x}: CP_GUI_COMMAND {command:#x} copies words"
            )));
        }
        let step = |stays: Field| if stays.is_set(command) { 0 } else { 4 };
        let steps = [step(SAIC), step(DAIC)];
        for n in 0..count / 4 {
            let word = self.load(packet, from + n * steps[0])?;
            let word = swapped(swapped(word, SRC_SWAP.get(command)), DST_SWAP.get(command));
            self.store(packet, to + n * steps[1], word)?;
        }
        Ok(())
    }

    /// Runs the ring from its read to its write pointer.
    fn ring(&mut self, packet: &Packet) -> Result<(), Trap> {
        if self.depth > 0 || self.in_ring {
            return Err(packet.trap("CP_RB_WPTR is written inside a ring or indirect buffer"));
        }
        let registers = &self.state.registers;
        let control = CP_RB_CNTL.read(registers, 0);
        let log2 = CP_RB_CNTL::RB_BUFSZ.get(control).max(2);
        if log2 > 22 {
            return Err(packet.trap(format!("CP_RB_CNTL {control:#x} is not executed")));
        }
        let size = 2u32 << log2;
        let base = u64::from(CP_RB_BASE.read(registers, 0) & !3);
        let end = CP_RB_WPTR::RB_WPTR.read(registers) % size;
        let mut words = Vec::new();
        let start = CP_RB_RPTR::RB_RPTR.read(registers) % size;
        let mut at = start;
        while at != end {
            let word = self.load(packet, base + 4 * u64::from(at))?;
            words.push(swapped(word, CP_RB_CNTL::BUF_SWAP.get(control)));
            at = (at + 1) % size;
        }
        self.in_ring = true;
        self.run(&words, base + 4 * u64::from(start))?;
        self.in_ring = false;
        self.state.registers.set(CP_RB_RPTR.address, end);
        let registers = &self.state.registers;
        let host = CP_RB_RPTR_ADDR.read(registers, 0) & !3;
        let swap = CP_RB_RPTR_ADDR::RB_RPTR_SWAP.read(registers);
        match CP_RB_CNTL::RB_NO_UPDATE.is_set(control) || host == 0 {
            true => Ok(()),
            false => self.store(packet, u64::from(host), swapped(end, swap)),
        }
    }

    /// VAP_VF_CNTL was written.
    fn begin_draw(&mut self, packet: &Packet, control: u32) -> Result<(), Trap> {
        if let Some(pending) = &self.pending {
            return Err(packet.trap(pending.missing()));
        }
        let begun = Pending::begin(&self.state.registers, control);
        self.begun = (packet.address, packet.header);
        self.pending = begun.map_err(|reason| packet.trap(reason))?;
        self.draw_if_complete(packet)
    }

    /// A word at a vertex port.
    pub(super) fn vertex_word(&mut self, packet: &Packet, word: u32) -> Result<(), Trap> {
        let Some(pending) = &mut self.pending else {
            return Err(packet.trap(format!(
                "{word:#x} is written to a vertex port without a draw"
            )));
        };
        pending.word(word).map_err(|reason| packet.trap(reason))?;
        self.draw_if_complete(packet)
    }

    fn draw_if_complete(&mut self, packet: &Packet) -> Result<(), Trap> {
        match self.pending.take_if(|pending| pending.is_complete()) {
            Some(pending) => self.draw(packet, pending, None),
            None => Ok(()),
        }
    }

    /// Draws; the indices may be in memory.
    pub(super) fn draw(
        &mut self,
        packet: &Packet,
        pending: Pending,
        indices: Option<u64>,
    ) -> Result<(), Trap> {
        let registers = &self.state.registers;
        let draw = match indices {
            Some(address) => pending.indexed(registers, address),
            None => pending.draw(registers),
        };
        let draw = draw.map_err(|reason| packet.trap(reason))?;
        self.drawn = (packet.address, packet.header);
        let (memory, state) = (&self.memory, &mut self.state);
        let done = self.engine.draw(memory, state, &draw, &mut self.totals);
        done.map_err(|reason| packet.trap(reason))
    }
}

/// Registers whose writes reach memory or counters, or say that something else will: draws do not wait beyond them.
const ENDS_WAITING: [u32; 11] = [
    ZB_ZPASS_DATA.address,
    ZB_ZPASS_ADDR.address,
    ZB_ZCACHE_CTLSTAT.address,
    RB3D_DSTCACHE_CTLSTAT.address,
    TX_INVALTAGS.address,
    WAIT_UNTIL.address,
    SCRATCH_REG.address,
    CP_GUI_COMMAND.address,
    CP_IB_BUFSZ.address,
    CP_IB2_BUFSZ.address,
    CP_RB_WPTR.address,
];

/// Registers whose write starts a stream.
fn starts_stream(address: u32) -> bool {
    [CP_IB_BUFSZ, CP_IB2_BUFSZ, CP_RB_WPTR]
        .iter()
        .any(|register| register.address == address)
}

/// The stream of an indirect buffer.
fn stream(base: u32, words: u32) -> std::ops::Range<Addr> {
    let start = u64::from(base & !3);
    Addr(start)..Addr(start + 4 * u64::from(words & 0x7f_ffff))
}
