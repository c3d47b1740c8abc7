//! naga's front ends, and what keeps a shader from overwhelming them.
//!
//! - `limits`, `tokens`, `macros`, `depth`, `lengths`, `constants`: what is refused before text is parsed.
//! - `module`: what is refused after that, before anything recurses over it.
//! - `subgroups`: what naga's WGSL lacks of subgroups.
//! - `messages`: naga's errors in words.

mod constants;
mod depth;
mod lengths;
pub(crate) mod limits;
mod macros;
pub(crate) mod messages;
pub(crate) mod module;
pub(crate) mod subgroups;
mod tokens;
