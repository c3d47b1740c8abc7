//! Primitives of a raw geometry program: the ring with their vertices, and the one with what is emitted. Both are those of a
//! first wave, as draws have them.

use isa::{Emitted, ExecError, ExecInput, ExecPrimitives};
use lanes::Wave;
use radeon::exec::{Blocks, emitted};
use silicon::Memory;
use silicon::geometry::amplify::Message;

use crate::descriptor::{BufferResource, dst_sel};
use crate::formats::num_format;

/// Lanes of a wave, whose vertices have their words side by side.
const WAVE: usize = 64;
/// The same of emitted vertices.
const GROUP: u32 = 16;

/// Both rings.
pub(super) struct Rings<'a> {
    primitives: &'a ExecPrimitives,
    /// Byte address of the second.
    emitted: u64,
}

impl<'a> Rings<'a> {
    /// Puts the rings behind the blocks, their descriptors where the input says, and what the lanes find into the wave.
    pub(super) fn new(
        input: &'a ExecInput,
        blocks: &mut Blocks,
        wave: &mut Wave,
    ) -> Result<Option<Rings<'a>>, ExecError> {
        let Some(primitives) = &input.primitives else {
            return Ok(None);
        };
        let (vertices, words) = primitives.shape()?;
        let lanes = primitives.vertices.len();
        let place = |vertex: usize| vertex / WAVE * WAVE * words + vertex % WAVE;
        let mut ring = vec![0u32; (lanes * vertices).next_multiple_of(WAVE) * words];
        for (n, vertex) in primitives.vertices.iter().flatten().enumerate() {
            for (k, word) in vertex.iter().enumerate() {
                ring[place(n) + WAVE * k] = *word;
            }
        }
        let fed = blocks.end().next_multiple_of(256);
        let fed_bytes = 4 * ring.len() as u32;
        blocks.push(
            fed,
            ring.iter().flat_map(|word| word.to_le_bytes()).collect(),
        );
        let emitted = blocks.end().next_multiple_of(256);
        let record = primitives.words * primitives.most;
        let emitted_bytes = 4 * WAVE as u32 * record;
        blocks.push(emitted, vec![0; emitted_bytes as usize]);
        if let Some(at) = primitives.descriptors {
            let descriptors = [
                lanes_of(fed, words as u32, 3),
                all_of(fed, fed_bytes),
                lanes_of(emitted, record, 1),
                all_of(emitted, emitted_bytes),
            ];
            let words = descriptors.map(|descriptor| descriptor.pack().to_le_bytes());
            blocks.push(at, words.concat());
        }
        for (n, register) in [0, 1, 3, 4, 5, 6].into_iter().enumerate().take(vertices) {
            let row = &mut wave.rows[register].0;
            for (lane, value) in row.iter_mut().enumerate().take(lanes) {
                *value = place(lane * vertices + n) as u32;
            }
        }
        for (lane, value) in wave.rows[2].0.iter_mut().enumerate().take(lanes) {
            *value = lane as u32;
        }
        Ok(Some(Rings {
            primitives,
            emitted,
        }))
    }

    /// What the lanes emitted.
    pub(super) fn report(&self, memory: &Memory, messages: &[Message]) -> Vec<Emitted> {
        let (words, most) = (self.primitives.words, self.primitives.most);
        emitted(self.primitives, messages, |lane, vertex, word| {
            let group = lane / GROUP * GROUP * words * most;
            let at = group + (word * most + vertex) * GROUP + lane % GROUP;
            memory.load(self.emitted + 4 * u64::from(at)).unwrap_or(0)
        })
    }
}

/// A buffer of untyped words.
fn words_at(base_address: u64) -> BufferResource {
    BufferResource {
        base_address,
        dst_sel_x: dst_sel::X,
        dst_sel_y: dst_sel::Y,
        dst_sel_z: dst_sel::Z,
        dst_sel_w: dst_sel::W,
        data_format: 4,
        num_format: num_format::UINT,
        ..BufferResource::from_word(0)
    }
}

/// A ring as the lanes of a wave see it.
fn lanes_of(base: u64, words: u32, index_stride: u8) -> BufferResource {
    BufferResource {
        num_records: WAVE as u32,
        stride: 4 * words as u16,
        swizzle_enable: true,
        add_tid_enable: true,
        element_size: 1,
        index_stride,
        ..words_at(base)
    }
}

/// All of a ring.
fn all_of(base: u64, bytes: u32) -> BufferResource {
    BufferResource {
        num_records: bytes,
        ..words_at(base)
    }
}
