//! What every GPU is built from, knowing no chip and no shader.

pub mod format;
pub mod gpu;
pub mod memory;
pub mod sample;

pub use format::Format;
pub use gpu::{Gpu, Info, Limits, Stats, Trap};
pub use memory::{Addr, Memory, MemoryError};
