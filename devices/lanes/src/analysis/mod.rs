//! Static analysis of programs: [`liveness`] of registers, and [`uniform`] steps of a wave batch. Ports are known by
//! their [`PortEffects`].

mod effects;
pub(crate) mod liveness;
pub(crate) mod uniform;

pub use effects::PortEffects;
pub use liveness::{Liveness, RegisterUse};
