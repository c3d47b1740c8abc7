//! How many primitives a draw has: for what a chip does not count.

use silicon::Memory;
use wgpu_types::{IndexFormat, PrimitiveTopology};

use crate::compile::CompiledPipeline;
use crate::state::{Draw, GraphicsState, Indices};

/// Primitives of a strip, or of a list: of so many vertices, with their neighbours or without.
fn of_strip(topology: PrimitiveTopology, neighbours: bool, vertices: u64) -> u64 {
    use PrimitiveTopology::{LineList, LineStrip, PointList, TriangleList, TriangleStrip};
    match (topology, neighbours) {
        (PointList, _) => vertices,
        (LineList, false) => vertices / 2,
        (LineList, true) => vertices / 4,
        (LineStrip, false) => vertices.saturating_sub(1),
        (LineStrip, true) => vertices.saturating_sub(3),
        (TriangleList, false) => vertices / 3,
        (TriangleList, true) => vertices / 6,
        (TriangleStrip, false) => vertices.saturating_sub(2),
        (TriangleStrip, true) => vertices.saturating_sub(4) / 2,
    }
}

/// Vertices of each strip of an index buffer, as it is in memory now.
fn strips(indices: &Indices, draw: &Draw, memory: &Memory) -> Vec<u64> {
    let bytes = u64::from(indices.format.byte_size());
    let restart = match indices.format {
        IndexFormat::Uint16 => 0xffff,
        IndexFormat::Uint32 => u32::MAX,
    };
    let mut found = vec![0];
    for n in 0..u64::from(draw.count) {
        let at = indices.buffer.address.0 + (u64::from(draw.first) + n) * bytes;
        let word = memory.load(at & !3).unwrap_or(0);
        let index = match indices.format {
            IndexFormat::Uint16 => word >> (8 * (at & 2)) & 0xffff,
            IndexFormat::Uint32 => word,
        };
        match (index == restart, found.last_mut()) {
            (true, _) | (_, None) => found.push(0),
            (false, Some(last)) => *last += 1,
        }
    }
    found
}

/// Primitives of an instance of a draw.
fn count(state: &GraphicsState, draw: &Draw, memory: &Memory) -> u64 {
    let neighbours = state.geometry.is_some_and(|stage| stage.adjacency());
    let of = |vertices: u64| of_strip(state.primitive.topology, neighbours, vertices);
    match (&draw.indices, state.primitive.strip_index_format) {
        (Some(indices), Some(_)) => strips(indices, draw, memory).into_iter().map(of).sum(),
        _ => of(draw.count.into()),
    }
}

impl CompiledPipeline {
    /// Invocations of the geometry shader that a chip does not count because one run of its code is several.
    pub(crate) fn uncounted_invocations(&self, draw: &Draw, memory: &Memory) -> u64 {
        let more = self.geometry.as_ref().map_or(0, |stage| stage.rounds - 1);
        match more {
            0 => 0,
            _ => u64::from(more) * count(&self.state, draw, memory) * u64::from(draw.instances),
        }
    }
}

#[cfg(test)]
mod tests {
    use silicon::Addr;

    use super::*;
    use crate::state::BufferRange;

    #[test]
    fn strips_end_at_the_restart_index() {
        let memory = Memory::new(256);
        let written = memory.write(
            Addr(16),
            &[1, 0, 2, 0, 3, 0, 255, 255, 4, 0, 5, 0, 6, 0, 7, 0],
        );
        assert!(written.is_ok());
        let draw = Draw {
            count: 7,
            first: 1,
            instances: 1,
            indices: Some(Indices {
                buffer: BufferRange {
                    address: Addr(16),
                    bytes: 16,
                },
                format: IndexFormat::Uint16,
                base_vertex: 0,
            }),
            ..Draw::default()
        };
        let mut state = GraphicsState::default();
        state.primitive.topology = PrimitiveTopology::LineStrip;
        assert_eq!(count(&state, &draw, &memory), 6);
        state.primitive.strip_index_format = Some(IndexFormat::Uint16);
        assert_eq!(count(&state, &draw, &memory), 1 + 3);
    }
}
