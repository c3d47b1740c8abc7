//! Streams of vertices to memory. In: a batch of primitives, and buffers with what they hold. Out: vertices of each primitive's
//! own, in the order in which they are written, and what each wave of them is told.
//!
//! The shader that runs for the vertices stores them itself, or exports them. A primitive for which any of the buffers
//! has no room is dropped, and so is what follows it.

use super::topology::Kind;
use super::vertices::{Assembled, Batch};

/// Buffers of a stream, at most.
pub const BUFFERS: usize = 4;

/// A buffer that vertices are written to, in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamBuffer {
    /// Where the next vertex begins.
    pub offset: u32,
    /// Where the buffer ends.
    pub size: u32,
    /// Words of a vertex.
    pub stride: u32,
}

impl StreamBuffer {
    /// Vertices that there is room for.
    fn room(&self) -> u64 {
        let left = u64::from(self.size.saturating_sub(self.offset));
        match self.stride {
            0 => u64::MAX,
            stride => left / u64::from(stride),
        }
    }
}

/// The stream of a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    /// Its buffers; the offsets stay what they are when the draw begins.
    pub buffers: [Option<StreamBuffer>; BUFFERS],
    /// Vertices that are written.
    pub vertices: u64,
    /// Primitives that are written.
    pub written: u64,
    /// Primitives that came, for which there was room or not.
    pub needed: u64,
}

/// What vertices are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streamed {
    /// Vertices of the draw that are written before.
    pub first: u32,
    /// How many of these are, from the first on.
    pub count: u32,
}

impl Streamed {
    /// Of a wave of 64 vertices of the batch.
    pub(super) fn of_wave(self, wave: usize) -> Streamed {
        let before = 64 * wave as u32;
        Streamed {
            first: self.first + before,
            count: self.count.saturating_sub(before).min(64),
        }
    }
}

/// Vertices of a primitive that are written.
fn corners(kind: Kind) -> usize {
    match kind {
        Kind::Points => 1,
        Kind::Lines => 2,
        Kind::Triangles | Kind::Rectangles => 3,
    }
}

impl Streams {
    /// Gives each primitive of a batch vertices of its own, and says which are written. `last`: the provoking vertex, which
    /// leads primitives, is their last.
    pub(super) fn take(&mut self, batch: &mut Batch, kind: Kind, last: bool) -> Streamed {
        let corners = corners(kind);
        let primitives = batch.primitives.len() as u64;
        expand(batch, corners, last);
        let buffers = self.buffers.iter().flatten();
        let room = buffers.map(StreamBuffer::room).min().unwrap_or(0);
        let left = room.saturating_sub(self.vertices) / corners as u64;
        let fits = left.min(primitives);
        let first = self.vertices as u32;
        self.vertices += fits * corners as u64;
        self.written += fits;
        self.needed += primitives;
        Streamed {
            first,
            count: (fits * corners as u64) as u32,
        }
    }

    /// Where each buffer's next vertex begins now.
    pub fn offsets(&self) -> [u32; BUFFERS] {
        self.buffers.map(|buffer| {
            let written = |buffer: StreamBuffer| {
                buffer.offset + buffer.stride.wrapping_mul(self.vertices as u32)
            };
            buffer.map_or(0, written)
        })
    }
}

/// Gives each primitive its own vertices.
fn expand(batch: &mut Batch, corners: usize, last: bool) {
    let inputs = std::mem::take(&mut batch.vertices);
    batch.vertices.reserve(corners * batch.primitives.len());
    for Assembled { vertices } in &mut batch.primitives {
        let first = batch.vertices.len() as u32;
        // Behind the leading one come those after it, around to those before it.
        let turn = match last {
            true => corners - 1,
            false => 0,
        };
        for k in 0..corners {
            let from = vertices[(k + corners - turn) % corners];
            batch.vertices.push(inputs[from as usize]);
        }
        *vertices = std::array::from_fn(|k| first + ((k.min(corners - 1) + turn) % corners) as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::vertices::VertexInput;

    fn batch(primitives: &[[u32; 3]]) -> Batch {
        let mut batch = Batch::default();
        batch.vertices.extend((0..8).map(|index| VertexInput {
            index,
            ..VertexInput::default()
        }));
        let assembled = primitives.iter().map(|vertices| Assembled {
            vertices: *vertices,
        });
        batch.primitives.extend(assembled);
        batch
    }

    fn indices(batch: &Batch) -> Vec<u32> {
        batch.vertices.iter().map(|vertex| vertex.index).collect()
    }

    #[test]
    fn vertices_come_in_the_order_of_the_draw() {
        // Triangles 0 1 2 and 1 2 3, lines 4 5, and a point, whichever vertex leads.
        for (kind, last, primitives, expected) in [
            (
                Kind::Triangles,
                false,
                vec![[0, 1, 2], [1, 2, 3]],
                vec![0, 1, 2, 1, 2, 3],
            ),
            (
                Kind::Triangles,
                true,
                vec![[2, 0, 1], [3, 1, 2]],
                vec![0, 1, 2, 1, 2, 3],
            ),
            (
                Kind::Lines,
                false,
                vec![[4, 5, 5], [5, 6, 6]],
                vec![4, 5, 5, 6],
            ),
            (
                Kind::Lines,
                true,
                vec![[5, 4, 4], [6, 5, 5]],
                vec![4, 5, 5, 6],
            ),
            (Kind::Points, true, vec![[7, 7, 7]], vec![7]),
        ] {
            let mut batch = batch(&primitives);
            let mut streams = Streams::default();
            streams.take(&mut batch, kind, last);
            assert_eq!(indices(&batch), expected, "{kind:?}, {last}");
            // The primitives are what they were.
            let found = batch.primitives.iter().map(|p| p.vertices);
            let found = found.map(|v| v.map(|n| batch.vertices[n as usize].index));
            assert_eq!(found.collect::<Vec<_>>(), primitives, "{kind:?}, {last}");
        }
    }

    #[test]
    fn primitives_without_room_are_dropped_and_counted() {
        let buffer = |offset, size, stride| {
            Some(StreamBuffer {
                offset,
                size,
                stride,
            })
        };
        let mut streams = Streams {
            // Room for five vertices, and for eleven.
            buffers: [buffer(2, 23, 4), None, buffer(0, 22, 2), None],
            ..Streams::default()
        };
        let lines = [[0, 1, 1]; 2];
        let first = streams.take(&mut batch(&lines), Kind::Lines, false);
        assert_eq!((first.first, first.count), (0, 4));
        let second = streams.take(&mut batch(&lines), Kind::Lines, false);
        assert_eq!((second.first, second.count), (4, 0));
        assert_eq!((streams.written, streams.needed), (2, 4));
        assert_eq!(streams.offsets(), [18, 0, 8, 0]);
        let long = Streamed {
            first: 10,
            count: 100,
        };
        let counts = [0, 1, 2].map(|n| (long.of_wave(n).first, long.of_wave(n).count));
        assert_eq!(counts, [(10, 64), (74, 36), (138, 0)]);
    }
}
