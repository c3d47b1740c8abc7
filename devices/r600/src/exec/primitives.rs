//! Primitives of a raw geometry program: the ring with their vertices, and the one with what is emitted.

use isa::{Emitted, ExecError, ExecInput, ExecPrimitives};
use lanes::Wave;
use radeon::exec::{Blocks, emitted};
use silicon::Memory;
use silicon::geometry::amplify::{Gathered, GeometryInput, Message};

use super::registers::State;
use crate::spi;

/// Both rings, one behind the other.
pub(super) struct Rings<'a> {
    primitives: &'a ExecPrimitives,
    /// Byte address of the second.
    emitted: u64,
}

impl<'a> Rings<'a> {
    /// Puts the rings behind the blocks, and what the lanes find into the wave.
    pub(super) fn new(
        input: &'a ExecInput,
        blocks: &mut Blocks,
        state: &mut State,
        wave: &mut Wave,
    ) -> Result<Option<Rings<'a>>, ExecError> {
        let Some(primitives) = &input.primitives else {
            return Ok(None);
        };
        let (vertices, words) = primitives.shape()?;
        let fed = blocks.end().next_multiple_of(256);
        let all = primitives.vertices.iter().flatten().flatten();
        let bytes: Vec<u8> = all.flat_map(|word| word.to_le_bytes()).collect();
        state.vertices = Some((fed, bytes.len() as u64));
        blocks.push(fed, bytes);
        let emitted = blocks.end().next_multiple_of(256);
        let record = 4 * u64::from(primitives.words * primitives.most);
        blocks.push(emitted, vec![0; 64 * record as usize]);
        state.ring = [emitted, record];
        let lane = |lane: usize| GeometryInput {
            primitive: Gathered {
                vertices: std::array::from_fn(|n| match n < vertices {
                    true => (lane * vertices + n) as u32,
                    false => 0,
                }),
                number: lane as u32,
            },
            invocation: 0,
        };
        let inputs: Vec<GeometryInput> = (0..primitives.vertices.len()).map(lane).collect();
        spi::start_primitives(&mut wave.rows, &inputs, |vertex| vertex * words as u32);
        Ok(Some(Rings {
            primitives,
            emitted,
        }))
    }

    /// What the lanes emitted.
    pub(super) fn report(&self, memory: &Memory, messages: &[Message]) -> Vec<Emitted> {
        let (words, most) = (self.primitives.words, self.primitives.most);
        emitted(self.primitives, messages, |lane, vertex, word| {
            let at = (lane * most + vertex) * words + word;
            memory.load(self.emitted + 4 * u64::from(at)).unwrap_or(0)
        })
    }
}
