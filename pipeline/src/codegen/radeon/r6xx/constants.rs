//! What shaders find behind the push constants.

use crate::layout::MAX_PUSH_CONSTANT_BYTES;

/// Where the descriptor of scratch memory is: bytes behind the start of the push constants.
pub const SCRATCH_AT: u32 = MAX_PUSH_CONSTANT_BYTES;

/// Where the descriptors of the rings around a geometry shader are.
pub const RINGS_AT: u32 = SCRATCH_AT + 16;

/// Where the descriptors of the buffers of streams are.
pub const STREAMS_AT: u32 = RINGS_AT + 64;

/// The push constants, and behind them the descriptor of scratch memory where there is some.
pub fn constants(push: &[u8], scratch: &[u32]) -> Vec<u8> {
    let mut bytes = push.to_vec();
    if !scratch.is_empty() {
        bytes.resize(SCRATCH_AT as usize, 0);
        bytes.extend(scratch.iter().flat_map(|word| word.to_le_bytes()));
    }
    bytes
}
