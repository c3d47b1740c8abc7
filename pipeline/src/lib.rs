//! The driver of girih's virtual GPUs: shaders and state in, machine words out.

pub mod codegen;
pub mod image;
pub mod ir;
pub mod layout;
pub mod link;
pub mod state;
pub mod targets;
