//! Draws, fills and copies: packets that R5xx has otherwise. [PM4 packets]

use radeon::r6xx::packets::{self, event};
use radeon::r6xx::regs::VgtDrawInitiator;
use silicon::Addr;
use wgpu_types::IndexFormat;

use crate::codegen::radeon::packets::Packets;
use crate::state::{Draw, Indices};

/// Most bytes of one CP_DMA, a multiple of 256.
const DMA_BYTES: u64 = 0x1f_ff00;
/// CP_DMA: the source is the data word.
const DMA_DATA: u32 = 2 << 29;
/// CP_DMA: what follows waits for it.
const DMA_SYNC: u32 = 1 << 31;

impl Packets<'_> {
    /// Draws with the registers as they are.
    pub fn draw(&mut self, draw: &Draw) {
        use packets::source;
        self.packet(packets::NUM_INSTANCES, &[draw.instances]);
        match &draw.indices {
            None => self.packet(packets::DRAW_INDEX_AUTO, &[draw.count, source::AUTO_INDEX]),
            Some(Indices { buffer, format, .. }) => {
                let size = u64::from(format.byte_size());
                let at = buffer.address.0 + u64::from(draw.first) * size;
                let most = (buffer.bytes / size).saturating_sub(draw.first.into());
                self.packet(
                    packets::INDEX_TYPE,
                    &[u32::from(*format == IndexFormat::Uint32)],
                );
                self.packet(
                    packets::DRAW_INDEX_2,
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

    /// Draws as many vertices as a stream has counted.
    pub fn draw_counted(&mut self, instances: u32) {
        let initiator = VgtDrawInitiator {
            use_opaque: true,
            source_select: packets::source::AUTO_INDEX as u8,
            ..VgtDrawInitiator::from_word(0)
        };
        self.packet(packets::NUM_INSTANCES, &[instances]);
        self.packet(packets::DRAW_INDEX_AUTO, &[0, initiator.pack()]);
    }

    /// Fills memory with a word.
    pub fn fill(&mut self, at: Addr, bytes: u64, word: u32) {
        pieces(bytes, |done, step| {
            let to = at.0 + done;
            self.packet(
                packets::CP_DMA,
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
    pub fn copy(&mut self, from: Addr, to: Addr, bytes: u64) {
        pieces(bytes, |done, step| {
            let (from, to) = (from.0 + done, to.0 + done);
            self.packet(
                packets::CP_DMA,
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
    pub fn flush(&mut self) {
        // Event index 7: caches. [PM4 "Events"]
        self.packet(packets::EVENT_WRITE, &[7 << 8 | event::CACHE_FLUSH_AND_INV]);
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
