//! Stream output: vertices that go to buffers before they are drawn. In: registers and STRMOUT_BUFFER_UPDATE. Out: the
//! stream of a draw, and how full its buffers are, which the chip counts by itself.

use silicon::Trap;
use silicon::geometry::stream::{BUFFERS, StreamBuffer, Streams};
use silicon::geometry::vertices::Vertices;

use super::cp::CommandProcessor;
use super::packets::StreamControl;
use super::regs::{
    VGT_STRMOUT_BUFFER_SIZE_0, VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE,
    VGT_STRMOUT_DRAW_OPAQUE_OFFSET, VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE,
    VGT_STRMOUT_VTX_STRIDE_0,
};
use crate::packets::Packet;
use crate::registers::RegisterFile;

/// Bytes between the registers of buffers.
pub const BUFFER_STEP: u32 = 16;

/// The buffers of a draw, of those that `enabled` has a bit for; where their next vertices begin is not known here.
pub fn buffers(registers: &RegisterFile, enabled: u32) -> [Option<StreamBuffer>; BUFFERS] {
    let mut buffers = [None; BUFFERS];
    for (n, buffer) in (0..).zip(&mut buffers) {
        let get = |register: u32| registers.get(register + BUFFER_STEP * n);
        if enabled >> n & 1 != 0 {
            *buffer = Some(StreamBuffer {
                offset: 0,
                size: get(VGT_STRMOUT_BUFFER_SIZE_0),
                stride: get(VGT_STRMOUT_VTX_STRIDE_0) & 0x3ff,
            });
        }
    }
    buffers
}

/// The stream of a draw: its buffers, and where the next vertices begin.
pub fn begin(mut buffers: [Option<StreamBuffer>; BUFFERS], offsets: &[u32; BUFFERS]) -> Streams {
    for (buffer, offset) in buffers.iter_mut().zip(offsets) {
        if let Some(buffer) = buffer {
            buffer.offset = *offset;
        }
    }
    Streams {
        buffers,
        ..Streams::default()
    }
}

/// Counts what a draw has written.
pub fn end(streams: &Streams, offsets: &mut [u32; BUFFERS]) {
    let buffers = streams.buffers.iter().zip(streams.offsets());
    for (offset, (buffer, next)) in offsets.iter_mut().zip(buffers) {
        if buffer.is_some() {
            *offset = next;
        }
    }
}

/// STRMOUT_BUFFER_UPDATE: stores how full a buffer is, and sets it.
pub(super) fn update<C: CommandProcessor + ?Sized>(
    chip: &mut C,
    packet: &Packet,
) -> Result<(), Trap> {
    let control = StreamControl::from_word(packet.word(0)?);
    let n = usize::from(control.buffer_select);
    // Words, or bytes.
    let shift = if control.data_type { 2 } else { 0 };
    if control.update_memory {
        let filled = chip.stream_offsets()[n] << shift;
        chip.store(packet, packet.address(1)?, filled)?;
    }
    let next = match control.source_select {
        0 => packet.word(3)?,
        1 | 3 => return Ok(()),
        _ => chip.load(packet, packet.address(3)?)?,
    };
    chip.stream_offsets()[n] = next >> shift;
    Ok(())
}

/// The vertices of a draw that takes their number from what a stream has written.
pub(super) fn opaque(registers: &RegisterFile) -> Result<Vertices, String> {
    let get = |register: u32| registers.get(register);
    let filled = get(VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE);
    let stride = get(VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE);
    let words = filled.saturating_sub(get(VGT_STRMOUT_DRAW_OPAQUE_OFFSET));
    match words.checked_div(stride) {
        Some(count) => Ok(Vertices::Counted { first: 0, count }),
        None => Err("VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE is 0".to_owned()),
    }
}
