//! Stream output: the last vertex stage stores its outputs itself, where the chip says. [STAGES streamout_config]
//!
//! The scalars behind the user's are streamout_config, streamout_write_index, and where each buffer that is written begins, in
//! words. Vertices that there is no room for get an address that no buffer has.

use silicon::Addr;
use southern_islands::isa::memory::{MubufOp, SmrdOp};
use southern_islands::isa::scalar::Sop2Op;
use southern_islands::isa::vector::{Vop2Op, Vop3Op};
use southern_islands::{packets, regs};

use super::entry::{GEOMETRY_USER, VERTEX_USER};
use super::machine::{BufferBits, Inst, Op, Operand, Shape};
use super::packets::Packets;
use super::select::Select;
use super::state::SouthernIslands;
use crate::codegen::geometry::VertexRole;
use crate::codegen::radeon::r6xx::Family;
use crate::codegen::radeon::r6xx::constants::STREAMS_AT;
use crate::codegen::radeon::r6xx::streams;
use crate::ir::LaneOp;
use crate::state::BufferRange;
use crate::stream::{STREAM_BUFFERS, StreamDraw, StreamLayout, StreamTarget, Streams};
use crate::targets::Surfaces;

/// Where streamout_config has the number of vertices, and its bits.
const COUNT_AT: u32 = 16;
const COUNT_BITS: u32 = 7;
/// COPY_DATA from memory to a register.
const MEMORY_TO_REGISTER: u32 = 1;

/// Scalars of the chip that a shader with a stream finds behind those of the user.
pub(super) fn system_scalars(layout: &StreamLayout) -> u16 {
    2 + layout.buffers().count_ones() as u16
}

impl Select<'_> {
    /// Stores what the stream takes of the vertices.
    pub(super) fn stream(&mut self) {
        let options = self.options;
        let Some(layout) = &options.stream else {
            return;
        };
        let first = match options.role {
            VertexRole::Copies { .. } => GEOMETRY_USER,
            _ => VERTEX_USER,
        };
        let first = u16::from(first);
        let config = self.user(first, 1);
        let index = self.user(first + 1, 1);
        let lane = self.lane_number();
        let bits = [config, Operand::Const(COUNT_AT), Operand::Const(COUNT_BITS)];
        let count = self.three(Vop3Op::V_BFE_U32, bits);
        let written = self.test(LaneOp::ULt, lane, count);
        let push = self.push_address();
        let buffers = (0..STREAM_BUFFERS as u32).filter(|n| layout.buffers() >> n & 1 != 0);
        for (place, buffer) in (first + 2..).zip(buffers) {
            let start = self.user(place, 1);
            let descriptor = self.code.scalar(4);
            let at = Operand::Const(STREAMS_AT + 16 * buffer);
            self.scalar_load(SmrdOp::S_LOAD_DWORDX4, descriptor, push, at);
            // Where the wave's first vertex begins, in bytes, then each.
            let stride = layout.strides[buffer as usize];
            let [words, base] = [(); 2].map(|()| self.code.scalar(1));
            self.scalar2(Sop2Op::S_LSHL_B32, words, start, Operand::Const(2));
            self.scalar2(Sop2Op::S_MUL_I32, base, index, Operand::Const(stride));
            let all = self.code.scalar(1);
            self.scalar2(Sop2Op::S_ADD_I32, all, base, words);
            let stride = self.in_vector(Operand::Const(stride));
            let own = self.three(Vop3Op::V_MUL_LO_U32, [lane, stride, Operand::Const(0)]);
            let address = self.two(Vop2Op::V_ADD_I32, all, own);
            let nowhere = self.in_vector(Operand::Const(u32::MAX));
            let address = self.pick(written, address, nowhere);
            for output in layout.outputs.iter().filter(|o| o.buffer == buffer) {
                let interface = &self.function.interface;
                let words = self.entry.outputs.streamed(interface, output.source);
                for (n, word) in (0..output.components).zip(&words[output.first as usize..]) {
                    let data = match word {
                        Some(word) => self.vector_word(*word),
                        None => self.in_vector(Operand::Const(0)),
                    };
                    let bits = BufferBits {
                        offen: true,
                        offset: (output.offset + 4 * n) as u16,
                        ..BufferBits::default()
                    };
                    let shape = Shape {
                        address: true,
                        data: true,
                        ..Shape::default()
                    };
                    let op = Op::Buffer(MubufOp::BUFFER_STORE_DWORD, bits, shape);
                    let src = vec![descriptor, Operand::Const(0), address, data];
                    self.push(Inst::new(op, None, src));
                }
            }
        }
    }
}

impl Streams for SouthernIslands {
    fn descriptors(&self, targets: &[Option<StreamTarget>; STREAM_BUFFERS], out: &mut Vec<u32>) {
        for target in targets {
            let range = target.map_or(BufferRange::NONE, |target| target.range);
            self.buffer_descriptor(range, out);
        }
    }

    fn begin(
        &self,
        targets: &[Option<StreamTarget>; STREAM_BUFFERS],
        counters: &[Option<Addr>; STREAM_BUFFERS],
        out: &mut Vec<u32>,
    ) {
        let out = &mut Self::packets(out);
        let enabled = streams::begin(targets, counters, out);
        out.set(regs::VGT_STRMOUT_CONFIG, &[1, enabled]);
    }

    fn end(&self, counters: &[Option<Addr>; STREAM_BUFFERS], out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        streams::end(counters, out);
        out.set(regs::VGT_STRMOUT_CONFIG, &[0, 0]);
    }

    fn count(&self, draw: &StreamDraw, out: &mut Vec<u32>) {
        let out: &mut Packets<'_> = &mut Self::packets(out);
        let Addr(counter) = draw.counter;
        let filled = regs::VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE / 4;
        let (low, high) = (counter as u32, (counter >> 32) as u32);
        out.packet(
            packets::COPY_DATA,
            &[MEMORY_TO_REGISTER, low, high, filled, 0],
        );
        out.set(regs::VGT_STRMOUT_DRAW_OPAQUE_OFFSET, &[draw.offset]);
        out.set(regs::VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, &[draw.stride]);
    }
}
