//! Stream output: buffers, and how full they are. [PM4 STRMOUT_BUFFER_UPDATE]

use radeon::r6xx::packets::{self, StreamControl};
use radeon::r6xx::regs;
use radeon::r6xx::stream::BUFFER_STEP;
use silicon::Addr;

use crate::codegen::radeon::packets::Packets;
use crate::stream::{STREAM_BUFFERS, StreamTarget};

/// Offsets from the packet, from memory, and none.
const FROM_PACKET: u8 = 0;
const FROM_MEMORY: u8 = 2;
const UNCHANGED: u8 = 3;

fn control(buffer: usize, source_select: u8) -> StreamControl {
    StreamControl {
        buffer_select: buffer as u8,
        // Counters are bytes.
        data_type: true,
        source_select,
        ..StreamControl::from_word(0)
    }
}

/// Sets buffers and where their next vertices begin; those that there are, a bit each.
pub fn begin(
    targets: &[Option<StreamTarget>; STREAM_BUFFERS],
    counters: &[Option<Addr>; STREAM_BUFFERS],
    out: &mut Packets<'_>,
) -> u32 {
    let mut enabled = 0;
    for (n, (target, counter)) in targets.iter().zip(counters).enumerate() {
        let Some(target) = target else { continue };
        enabled |= 1 << n;
        let at = BUFFER_STEP * n as u32;
        let sizes = [(target.range.bytes / 4) as u32, target.stride / 4];
        out.set(regs::VGT_STRMOUT_BUFFER_SIZE_0 + at, &sizes);
        let (source, Addr(from)) = match counter {
            Some(counter) => (FROM_MEMORY, *counter),
            None => (FROM_PACKET, Addr(0)),
        };
        let words = [
            control(n, source).pack(),
            0,
            0,
            from as u32,
            (from >> 32) as u32,
        ];
        out.packet(packets::STRMOUT_BUFFER_UPDATE, &words);
    }
    enabled
}

/// Stores how far buffers are written.
pub fn end(counters: &[Option<Addr>; STREAM_BUFFERS], out: &mut Packets<'_>) {
    for (n, counter) in counters.iter().enumerate() {
        let Some(Addr(to)) = *counter else { continue };
        let control = StreamControl {
            update_memory: true,
            ..control(n, UNCHANGED)
        };
        let words = [control.pack(), to as u32, (to >> 32) as u32, 0, 0];
        out.packet(packets::STRMOUT_BUFFER_UPDATE, &words);
    }
}
