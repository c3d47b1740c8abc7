//! The driver of girih's virtual GPUs: shaders and state in, machine words out.

pub mod ir;
