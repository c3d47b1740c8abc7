//! Writing PM4 packets.

use ::southern_islands::pm4;
use ::southern_islands::regs::{self, event};
use silicon::Addr;
use wgpu_types::IndexFormat;

use crate::state::{Draw, Indices};

/// Most bytes of one CP_DMA, a multiple of 256.
const DMA_BYTES: u64 = 0x1f_ff00;
/// CP_DMA: the source is the data word.
const DMA_DATA: u32 = 2 << 29;
/// CP_DMA: what follows waits for it.
const DMA_SYNC: u32 = 1 << 31;

/// Appends packets to words.
pub(super) struct Packets<'a>(pub(super) &'a mut Vec<u32>);

impl Packets<'_> {
    pub(super) fn packet(&mut self, opcode: u8, payload: &[u32]) {
        self.0.push(pm4::header(opcode, payload.len() as u32));
        self.0.extend_from_slice(payload);
    }

    /// Sets consecutive registers from a byte address on.
    pub(super) fn set(&mut self, register: u32, values: &[u32]) {
        let (opcode, space) = if regs::CONTEXT.contains(&register) {
            (pm4::SET_CONTEXT_REG, regs::CONTEXT)
        } else if regs::SH.contains(&register) {
            (pm4::SET_SH_REG, regs::SH)
        } else {
            debug_assert!(regs::CONFIG.contains(&register), "{register:#x}");
            (pm4::SET_CONFIG_REG, regs::CONFIG)
        };
        self.0.push(pm4::header(opcode, values.len() as u32 + 1));
        self.0.push((register - space.start) / 4);
        self.0.extend_from_slice(values);
    }

    /// Starts a stream with default state.
    pub(super) fn start(&mut self) {
        self.packet(pm4::CONTEXT_CONTROL, &[1 << 31, 1 << 31]);
        self.packet(pm4::CLEAR_STATE, &[0]);
    }

    /// Draws with the registers as they are.
    pub(super) fn draw(&mut self, draw: &Draw) {
        use pm4::source;
        self.packet(pm4::NUM_INSTANCES, &[draw.instances]);
        match &draw.indices {
            None => self.packet(pm4::DRAW_INDEX_AUTO, &[draw.count, source::AUTO_INDEX]),
            Some(Indices { buffer, format, .. }) => {
                let size = u64::from(format.byte_size());
                let at = buffer.address.0 + u64::from(draw.first) * size;
                let most = (buffer.bytes / size).saturating_sub(draw.first.into());
                self.packet(
                    pm4::INDEX_TYPE,
                    &[u32::from(*format == IndexFormat::Uint32)],
                );
                self.packet(
                    pm4::DRAW_INDEX_2,
                    &[
                        most as u32,
                        at as u32,
                        (at >> 32) as u32,
                        draw.count,
                        source::DMA,
                    ],
                );
            }
        }
    }

    /// Fills memory with a word.
    pub(super) fn fill(&mut self, at: Addr, bytes: u64, word: u32) {
        pieces(bytes, |done, step| {
            let to = at.0 + done;
            self.packet(
                pm4::CP_DMA,
                &[
                    word,
                    DMA_SYNC | DMA_DATA,
                    to as u32,
                    (to >> 32) as u32,
                    step as u32,
                ],
            );
        });
    }

    /// Copies memory.
    pub(super) fn copy(&mut self, from: Addr, to: Addr, bytes: u64) {
        pieces(bytes, |done, step| {
            let (from, to) = (from.0 + done, to.0 + done);
            self.packet(
                pm4::CP_DMA,
                &[
                    from as u32,
                    DMA_SYNC | (from >> 32) as u32,
                    to as u32,
                    (to >> 32) as u32,
                    step as u32,
                ],
            );
        });
    }

    /// Everything before is visible to everyone.
    pub(super) fn flush(&mut self) {
        // Event index 7: caches. [PM4 "Events"]
        self.packet(pm4::EVENT_WRITE, &[7 << 8 | event::CACHE_FLUSH_AND_INV]);
    }
}

/// Calls `one` with the offset and length of each part of `bytes`.
fn pieces(bytes: u64, mut one: impl FnMut(u64, u64)) {
    let mut done = 0;
    while done < bytes {
        let step = (bytes - done).min(DMA_BYTES);
        one(done, step);
        done += step;
    }
}
