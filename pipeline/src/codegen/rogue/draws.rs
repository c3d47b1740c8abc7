//! Draws as index lists.

use ::rogue::regs::{PDS_DRAW_INDEX, VDM_INDEX_LIMIT};
use ::rogue::stream::{block, presence};
use wgpu_types as wgt;

use super::packets::{Stream, address};
use crate::state::{BufferRange, Draw, GraphicsState, IndirectDraw};

/// Topology of INDEX_LIST, with neighbours where a geometry shader takes them.
pub(super) fn topology(state: &GraphicsState) -> u8 {
    use wgt::PrimitiveTopology as T;
    let neighbours = state.geometry.is_some_and(|geometry| geometry.adjacency());
    match (state.primitive.topology, neighbours) {
        (T::PointList, _) => 0,
        (T::LineList, false) => 1,
        (T::LineList, true) => 2,
        (T::LineStrip, false) => 3,
        (T::LineStrip, true) => 4,
        (T::TriangleList, false) => 6,
        (T::TriangleList, true) => 7,
        (T::TriangleStrip, false) => 9,
        (T::TriangleStrip, true) => 10,
    }
}

/// Topology of a list that takes that of VDM_CONTROL.
const FROM_REGISTER: u32 = 15;

/// The presence bit, size and address of an index buffer: bits of the first word, and the second.
fn indices(buffer: BufferRange, format: wgt::IndexFormat, out: &mut Stream<'_>) -> (u32, u32) {
    let size = format.byte_size() as u64;
    let most = buffer.bytes / size;
    out.set(VDM_INDEX_LIMIT, &[most.min(u32::MAX.into()) as u32]);
    let [low, high] = address(buffer.address);
    (
        presence::ADDRESS | (size as u32).trailing_zeros() << 17 | high & 0xff,
        low,
    )
}

pub(super) fn draw(draw: &Draw, state: &GraphicsState, out: &mut Stream<'_>) {
    out.set(PDS_DRAW_INDEX, &[draw.draw_index]);
    let kind = u32::from(topology(state)) << 8;
    let mut head =
        block::INDEX_LIST << 29 | kind | presence::COUNT | presence::INSTANCES | presence::START;
    let mut words = Vec::with_capacity(6);
    if let Some(found) = &draw.indices {
        let (bits, low) = indices(found.buffer, found.format, out);
        head |= bits | presence::OFFSET;
        words.push(low);
    }
    words.extend([draw.count, draw.instances]);
    if let Some(found) = &draw.indices {
        words.push(found.base_vertex as u32);
    }
    words.extend([draw.first, draw.first_instance]);
    out.0.push(head);
    out.0.extend(words);
}

pub(super) fn draw_indirect(draw: &IndirectDraw, out: &mut Stream<'_>) {
    out.set(PDS_DRAW_INDEX, &[draw.draw_index]);
    let mut head = block::INDEX_LIST << 29 | FROM_REGISTER << 8 | presence::INDIRECT;
    let mut words = Vec::with_capacity(3);
    if let Some((buffer, format)) = draw.indices {
        let (bits, low) = indices(buffer, format, out);
        head |= bits;
        words.push(low);
    }
    let [low, high] = address(draw.arguments);
    words.extend([high, low]);
    out.0.push(head);
    out.0.extend(words);
}
