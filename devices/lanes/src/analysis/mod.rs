//! Static analysis of programs: [`liveness`] of registers, what is [`live`] behind each step, [`uniform`] steps of a wave
//! batch, scalars that are [`known`], and what steps [`cost`].
//! Ports are known by their [`PortEffects`].

pub(crate) mod cost;
mod effects;
mod hoist_rows;
mod known;
pub(crate) mod live;
pub(crate) mod liveness;
pub(crate) mod uniform;

pub use effects::PortEffects;
pub use known::KnownScalars;
pub use liveness::{Liveness, RegisterUse};
