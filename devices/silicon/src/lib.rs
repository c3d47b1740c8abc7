//! What every GPU is built from, knowing no chip and no shader.

pub mod bins;
pub mod blend;
pub mod block;
pub mod clip;
pub mod depth;
pub mod edges;
pub mod fixed;
pub mod float;
pub mod format;
pub mod gpu;
mod heap;
pub mod interpolate;
pub mod level;
mod line;
mod mask;
pub mod memory;
pub mod multisample;
pub mod raster;
pub mod sample;
pub mod setup;
mod small;
pub mod srgb;
pub mod stencil;
pub mod texel;
pub mod tile;

pub use format::Format;
pub use gpu::{Gpu, Info, Limits, Stats, Trap};
pub use heap::Heap;
pub use level::Level;
pub use memory::{Addr, Memory, MemoryError};
