//! Shader execution over rows of 64 lanes, knowing no chip. A decoder *lifts* machine code into a [`Program`] of
//! [`Step`]s; an engine runs it over batches of [`Wave`]s. [`op`] defines every operation; memory, textures and exports
//! are behind [`Ports`].

mod analysis;
mod arithmetic;
mod batch;
mod builder;
mod compare;
pub mod divide;
pub mod double;
mod engine;
mod interpret;
pub mod math;
#[cfg(all(not(miri), unix, target_arch = "x86_64"))]
mod native;
pub mod op;
mod parse;
mod print;
mod quarter;
pub mod round;
mod step;
pub mod suite;
mod transcendental;
mod validate;
mod wave;

pub use analysis::{KnownScalars, Liveness, PortEffects, RegisterUse};
pub use builder::{Builder, Label};
pub use engine::{BatchStop, Engine, ProgramError, Resume, Stop};
pub use host::SimdLevel;
pub use interpret::Interpreter;
#[cfg(all(not(miri), unix, target_arch = "x86_64"))]
pub use native::Native;
pub use op::{LaneOp, Operand, WideOp};
pub use parse::ParseError;
pub use step::{Move, Origin, Program, Src, Step, Swizzle, When};
pub use wave::{Batch, Fault, LANES, PortFault, Ports, RegisterFile, Row, Wave, first_lanes};

/// The engine that chips and their tests use.
#[cfg(all(not(miri), unix, target_arch = "x86_64"))]
pub type DefaultEngine = Native;

/// The engine that chips and their tests use.
#[cfg(not(all(not(miri), unix, target_arch = "x86_64")))]
pub type DefaultEngine = Interpreter;

/// A program that it has prepared.
pub type Prepared = <DefaultEngine as Engine>::Prepared;
