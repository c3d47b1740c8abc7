//! What is known of a program before it runs.
//!
//! [`liveness`] says which registers a wave reads and writes, and in which order; [`uniform`] which steps give the same
//! in all waves of a batch. Both know of a port what its [`PortEffects`] say.

mod effects;
pub(crate) mod liveness;
pub(crate) mod uniform;

pub use effects::PortEffects;
pub use liveness::{Liveness, RegisterUse};
