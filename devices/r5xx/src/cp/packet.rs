//! Type 3 packets. [R5xx 6.2]

use radeon::packets::{Packet, Processor};
use silicon::Trap;

use super::draw::{Pending, walk};
use super::{CommandProcessor, Engine};
use crate::packets::{self, *};
use crate::regs::*;

impl<E: Engine> CommandProcessor<E> {
    /// Executes a packet; how many dwords after it a condition leaves out.
    pub(super) fn type_3(&mut self, packet: &Packet) -> Result<usize, Trap> {
        let opcode = packet.opcode();
        // Nothing but the data may come between a draw and its last dword; a relocation does.
        if let Some(pending) = &self.pending
            && !matches!(opcode, INDX_BUFFER | NOP)
        {
            return Err(packet.trap(pending.missing()));
        }
        if reaches_memory(opcode) {
            self.finish_draws()?;
        }
        match opcode {
            NOP => Ok(()),
            PRED_EXEC => return self.pred_exec(packet),
            COND_EXEC => return self.cond_exec(packet),
            WAIT_SEMAPHORE => self.wait_semaphore(packet),
            WAIT_MEM => self.wait_mem(packet),
            DRAW_VBUF | DRAW_IMMD | DRAW_INDX => self.draw_packet(packet, 1),
            DRAW_VBUF_2 | DRAW_IMMD_2 | DRAW_INDX_2 | DRAW_128 => self.draw_packet(packet, 0),
            LOAD_VBPNTR => {
                let first = VAP_VTX_NUM_ARRAYS.address;
                self.write_all(packet, first, 4, packet.payload)
            }
            INDX_BUFFER => self.indx_buffer(packet),
            CLEAR_HIZ => clear(packet, "Hi-Z", &mut self.state.hi_z),
            CLEAR_ZMASK => clear(packet, "the z mask", &mut self.state.z_mask),
            CLEAR_CMASK => clear(packet, "the colour mask", &mut self.state.color_mask),
            MPEG_INDEX => self.mpeg_index(packet),
            PAINT | PAINT_MULTI | BITBLT | BITBLT_MULTI | HOSTDATA_BLT | POLYSCANLINES
            | TRANS_BITBLT | PLY_NEXTSCAN | SET_SCISSORS => {
                let done = self.blit(packet);
                done.map_err(|reason| packet.trap(reason))
            }
            _ => Err(unexecuted(packet)),
        }?;
        Ok(0)
    }

    /// A draw: VAP_VF_CNTL at word `control`, then its data.
    fn draw_packet(&mut self, packet: &Packet, control: usize) -> Result<(), Trap> {
        let word = packet.word(control)?;
        let data = &packet.payload[control + 1..];
        self.write_all(packet, VAP_VF_CNTL.address, 4, &[word])?;
        data.iter()
            .try_for_each(|word| self.vertex_word(packet, *word))
    }

    /// MPEG_INDEX: registers that a mask names, then a draw of quadrilaterals by their first indices.
    fn mpeg_index(&mut self, packet: &Packet) -> Result<(), Trap> {
        let mask = packet.word(0)?;
        let mut at = 1;
        for (n, register) in PACKED.iter().enumerate() {
            if mask >> n & 1 == 0 {
                continue;
            }
            let Some(address) = register else {
                return Err(packet.trap(format!(
                    "MPEG_INDEX with bit {n}, a register of earlier chips"
                )));
            };
            self.write_all(packet, *address, 0, &[packet.word(at)?])?;
            at += 1;
        }
        let (control, count) = (packet.word(at)?, packet.word(at + 1)? as usize & 0x3fff);
        if VAP_VF_CNTL::PRIM_WALK.get(control) != walk::INDICES {
            return Err(packet.trap("MPEG_INDEX draws by indices"));
        }
        self.write_all(packet, VAP_VF_CNTL.address, 4, &[control])?;
        for n in 0..count {
            let first = packet.word(at + 2 + n)?;
            let index = |k: u32| first.wrapping_add(k);
            let words = match VAP_VF_CNTL::INDEX_SIZE.is_set(control) {
                true => [0, 1, 2, 3].map(index).to_vec(),
                false => [0, 2]
                    .map(|k| index(k) & 0xffff | index(k + 1) << 16)
                    .to_vec(),
            };
            words
                .iter()
                .try_for_each(|word| self.vertex_word(packet, *word))?;
        }
        Ok(())
    }

    /// INDX_BUFFER: dwords of memory to a register, which is a vertex port as a rule.
    fn indx_buffer(&mut self, packet: &Packet) -> Result<(), Trap> {
        if self.depth > 1 {
            return Err(packet.trap("INDX_BUFFER in indirect buffer 2, which it is itself"));
        }
        let (control, base, size) = (packet.word(0)?, packet.word(1)?, packet.word(2)?);
        let (skip, first) = (control >> 16 & 7, 4 * (control & 0x1fff));
        let step = if control >> 31 == 1 { 0 } else { 4 };
        let words = u64::from(size & 0x7f_ffff);
        let Some(words) = words.checked_sub(u64::from(skip)) else {
            return Err(packet.trap(format!("{words} dwords, of which {skip} are skipped")));
        };
        let at = u64::from(base & !3) + 4 * u64::from(skip);
        if at + 4 * words > self.memory.size() {
            return Err(packet.trap(format!("{words} dwords at {at:#x} leave video memory")));
        }
        let port = step == 0 && VAP_PORT_IDX.element(first).is_some();
        let whole = |pending: &mut Pending| port && pending.takes_indices(words);
        if let Some(pending) = self.pending.take_if(whole) {
            return self.draw(packet, pending, Some(at));
        }
        self.finish_draws()?;
        for n in 0..words {
            let word = self.load(packet, at + 4 * n)?;
            let address = first.wrapping_add(n as u32 * step);
            self.write_all(packet, address, 0, &[word])?;
        }
        Ok(())
    }

    /// PRED_EXEC: the chip is device 0.
    fn pred_exec(&mut self, packet: &Packet) -> Result<usize, Trap> {
        let word = packet.word(0)?;
        Ok(match word >> 24 & 1 {
            0 => (word & 0x7f_ffff) as usize,
            _ => 0,
        })
    }

    /// COND_EXEC: a boolean in memory, whose address the manual's table lacks.
    fn cond_exec(&mut self, packet: &Packet) -> Result<usize, Trap> {
        self.reads_memory(packet)?;
        let (address, two, count) = (packet.word(0)?, packet.word(1)?, packet.word(2)?);
        if two != 2 {
            return Err(packet.trap(format!("COND_EXEC has {two} where 2 must be")));
        }
        Ok(match self.load(packet, u64::from(address & !3))? {
            0 => (count & 0x7f_ffff) as usize,
            _ => 0,
        })
    }

    /// Conditions on memory use indirect buffer 2.
    fn reads_memory(&self, packet: &Packet) -> Result<(), Trap> {
        match self.depth {
            0 | 1 => Ok(()),
            _ => Err(packet.trap("a condition on memory in indirect buffer 2, which it uses")),
        }
    }

    /// WAIT_SEMAPHORE: nothing else runs that could clear it.
    fn wait_semaphore(&mut self, packet: &Packet) -> Result<(), Trap> {
        let slot = packet.word(0)?;
        let at = slot.checked_sub(0xfc).filter(|at| *at < 4);
        let Some(at) = at else {
            return Err(packet.trap(format!("{slot:#x} is no semaphore of 0xfc to 0xff")));
        };
        let semaphore = &mut self.state.semaphores[at as usize];
        if *semaphore != 0 {
            return Err(packet.trap(format!("semaphore {slot:#x} is {:#x} for ever", *semaphore)));
        }
        if let Some(reset) = packet.payload.get(1) {
            *semaphore = *reset;
        }
        Ok(())
    }

    /// WAIT_MEM: the same for a dword of memory, after which 2 must be.
    fn wait_mem(&mut self, packet: &Packet) -> Result<(), Trap> {
        self.reads_memory(packet)?;
        let (at, length) = (u64::from(packet.word(0)? & !3), packet.word(1)?);
        let [value, two] = [self.load(packet, at)?, self.load(packet, at + 4)?];
        match (value, length, two) {
            (0, 2, 2) => Ok(()),
            (0, ..) => {
                Err(packet.trap(format!("lengths {length} and {two} of a semaphore, not 2")))
            }
            _ => Err(packet.trap(format!("the semaphore at {at:#x} is {value:#x} for ever"))),
        }
    }
}

/// What MPEG_INDEX writes, by the bits of its mask. US_CODE_ADDR_0 to 3 are not in this chip.
const PACKED: [Option<u32>; 20] = [
    Some(VAP_PVS_CODE_CNTL_0.address),
    Some(VAP_PVS_CODE_CNTL_1.address),
    Some(VAP_PROG_STREAM_CNTL.at(0)),
    Some(VAP_PROG_STREAM_CNTL.at(1)),
    Some(VAP_PROG_STREAM_CNTL.at(2)),
    Some(VAP_PROG_STREAM_CNTL.at(3)),
    Some(VAP_OUT_VTX_FMT_0.address),
    Some(VAP_OUT_VTX_FMT_1.address),
    Some(VAP_VTX_NUM_ARRAYS.address),
    Some(RS_COUNT.address),
    Some(RS_INST_COUNT.address),
    Some(TX_ENABLE.address),
    None,
    None,
    None,
    None,
    Some(US_CONFIG.address),
    Some(RB3D_DSTCACHE_CTLSTAT.address),
    Some(RB3D_COLOROFFSET.at(0)),
    Some(RB3D_COLORPITCH.at(0)),
];

/// Packets that load or store words of memory: draws do not wait beyond them.
fn reaches_memory(opcode: u8) -> bool {
    let draws = [
        DRAW_VBUF,
        DRAW_IMMD,
        DRAW_INDX,
        DRAW_VBUF_2,
        DRAW_IMMD_2,
        DRAW_INDX_2,
        DRAW_128,
    ];
    let writes = [
        NOP,
        PRED_EXEC,
        LOAD_VBPNTR,
        INDX_BUFFER,
        CLEAR_HIZ,
        MPEG_INDEX,
    ];
    !draws.contains(&opcode) && !writes.contains(&opcode)
}

/// 3D_CLEAR_HIZ and such: dwords of a memory of the chip.
fn clear(packet: &Packet, name: &str, memory: &mut [u32]) -> Result<(), Trap> {
    let (start, count) = (packet.word(0)? as usize, packet.word(1)? as usize & 0x3fff);
    let value = packet.word(2)?;
    let len = memory.len();
    let Some(dwords) = memory.get_mut(start..start.saturating_add(count)) else {
        return Err(packet.trap(format!(
            "{count} dwords of {name} from {start:#x} on, there are {len:#x}"
        )));
    };
    dwords.fill(value);
    Ok(())
}

/// A packet that is not executed, with its words.
fn unexecuted(packet: &Packet) -> Trap {
    const SHOWN: usize = 16;
    let opcode = packet.opcode();
    let name = packets::find(opcode).map_or("unknown packet", |row| row.name);
    let mut words = String::new();
    for word in packet.payload.iter().take(SHOWN) {
        words += &format!(" {word:08x}");
    }
    let more = match packet.payload.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    packet.trap(format!(
        "{name} {opcode:#04x} is not executed:{words}{more}"
    ))
}
