//! SIMD levels of the host, the level in use, and kernels compiled once per level. Row functions are plain loops,
//! compiled for the baseline and each wider level; the widest is picked at run time. Levels differ in speed only: no
//! contraction, no approximate instructions, and both kinds of [`Rounding`] give the same bytes.
//!
//! A kernel is a value that runs once ([`Kernel`], [`per_level!`]) or a function pointer that a program keeps
//! ([`Body`], [`Compiled`]).

mod function;
mod kernel;
mod level;
mod mask;

pub use function::{Body, Compiled, Signature};
pub use kernel::{Kernel, Life};
pub use level::{SimdLevel, permutes_bytes, subnormals_are_slow};
pub use mask::{MASK_LANES, lanes};

/// How a kernel rounds once: with FMA ([`Fused`]) or without ([`Separate`]), same bytes.
///
/// Sealed: code with vector intrinsics relies on [`Rounding::AVX2`].
pub trait Rounding: sealed::Sealed {
    /// FMA and rounding are single instructions: `mul_add`, `floor` and the like are no library calls.
    const FUSED: bool;
    /// The host has the instructions of AVX2.
    const AVX2: bool;
}

/// Separate rounding: any host.
pub struct Separate;

/// Fused multiply-add: AVX2 with FMA on x86-64, every AArch64 processor.
pub struct Fused;

impl Rounding for Separate {
    const FUSED: bool = false;
    const AVX2: bool = false;
}

impl Rounding for Fused {
    const FUSED: bool = true;
    const AVX2: bool = cfg!(target_arch = "x86_64");
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Separate {}
    impl Sealed for super::Fused {}
}

/// What the baseline of the target has.
#[cfg(target_arch = "aarch64")]
type Baseline = Fused;
#[cfg(not(target_arch = "aarch64"))]
type Baseline = Separate;
