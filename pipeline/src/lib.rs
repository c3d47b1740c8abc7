//! The driver of girih's virtual GPUs: shaders and state in, machine words out.

pub mod blit;
pub mod codegen;
pub mod compile;
pub mod compute;
pub mod copy;
pub mod driver;
pub mod encode;
pub mod error;
pub mod format;
mod front;
mod guard;
pub mod heap;
pub mod image;
pub mod immediate;
pub mod ir;
pub mod layout;
pub mod link;
pub mod lower;
pub mod names;
pub mod passes;
mod primitives;
pub mod query;
pub mod spirv;
pub mod state;
pub mod stream;
pub mod targets;
pub mod upload;
pub mod wgsl;

pub use error::ShaderError;
pub use {isa, naga, silicon};
