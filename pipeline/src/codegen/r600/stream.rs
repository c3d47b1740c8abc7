//! Stream output: the last vertex stage writes its outputs to the streams by MEM_STREAMn, before it exports. [R600 8.1]
//!
//! ARRAY_BASE is the place of an output in its vertex, in words; the chip knows where each vertex begins, and drops what there
//! is no room for.

use ::r600::isa::export::{MemoryOp, Space};
use ::r600::{packets, regs};
use radeon::r6xx::stream::BUFFER_STEP;
use silicon::Addr;

use super::machine::Operand;
use super::packets::Packets;
use super::select::Select;
use super::state::R600;
use crate::codegen::radeon::r6xx::{Family, streams};
use crate::stream::{STREAM_BUFFERS, StreamDraw, StreamTarget, Streams};

impl Select<'_> {
    /// Writes what the stream takes of the vertices.
    pub(super) fn stream(&mut self) {
        let options = self.options;
        let Some(layout) = &options.stream else {
            return;
        };
        for output in &layout.outputs {
            let space = Space::Stream(output.buffer as u8);
            let Some(&op) = MemoryOp::ALL.iter().find(|op| op.sem() == space) else {
                continue;
            };
            let interface = &self.function.interface;
            let found = self.entry.outputs.streamed(interface, output.source);
            let words = [0, 1, 2, 3].map(|n| {
                let word = found.get((output.first + n) as usize).copied().flatten();
                (n < output.components).then(|| match word {
                    Some(word) => self.word(word),
                    None => Operand::word(0),
                })
            });
            self.write_record(op, output.offset / 4, (None, 1), words);
        }
    }
}

impl Streams for R600 {
    fn descriptors(&self, _: &[Option<StreamTarget>; STREAM_BUFFERS], _: &mut Vec<u32>) {
        // Buffers are in registers.
    }

    fn begin(
        &self,
        targets: &[Option<StreamTarget>; STREAM_BUFFERS],
        counters: &[Option<Addr>; STREAM_BUFFERS],
        out: &mut Vec<u32>,
    ) {
        let out = &mut Self::packets(out);
        let enabled = streams::begin(targets, counters, out);
        for (n, target) in (0..).zip(targets) {
            if let Some(target) = target {
                let base = (target.range.address.0 >> 8) as u32;
                out.set(regs::VGT_STRMOUT_BUFFER_BASE_0 + BUFFER_STEP * n, &[base]);
            }
        }
        out.set(regs::VGT_STRMOUT_BUFFER_EN, &[enabled]);
        out.set(regs::VGT_STRMOUT_EN, &[1]);
    }

    fn end(&self, counters: &[Option<Addr>; STREAM_BUFFERS], out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        streams::end(counters, out);
        out.set(regs::VGT_STRMOUT_BUFFER_EN, &[0]);
        out.set(regs::VGT_STRMOUT_EN, &[0]);
    }

    fn count(&self, draw: &StreamDraw, out: &mut Vec<u32>) {
        let out: &mut Packets<'_> = &mut Self::packets(out);
        let Addr(counter) = draw.counter;
        let filled = regs::VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE / 4;
        let (low, high) = (counter as u32, (counter >> 32) as u32);
        out.packet(
            packets::COPY_DW,
            &[packets::copy_dw::FROM_MEMORY, low, high, filled, 0],
        );
        out.set(regs::VGT_STRMOUT_DRAW_OPAQUE_OFFSET, &[draw.offset]);
        out.set(regs::VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, &[draw.stride]);
    }
}
