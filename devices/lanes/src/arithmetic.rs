//! How a host computes an operation: with FMA or without, same bits.

use host::{Rounding, Signature};

use crate::interpret::{Code, Registers};

/// Arithmetic in the host's terms. All implementations give the same bytes, but for which NaN [`AnyNan`] gives.
pub(crate) trait Host {
    /// [`Host::fma64`] is one instruction.
    const FMA64: bool;
    /// `a * b + c` rounded once.
    fn fma(a: f32, b: f32, c: f32) -> f32;
    /// The same in double precision.
    fn fma64(a: f64, b: f64, c: f64) -> f64;
    /// Largest integer not above.
    fn floor(a: f32) -> f32;
    /// Smallest integer not below.
    fn ceil(a: f32) -> f32;
    /// Toward zero.
    fn trunc(a: f32) -> f32;
    /// To the nearest integer, ties to even.
    fn round_even(a: f32) -> f32;
    /// [`crate::op::canon`] of the operations that may be the first of a pair.
    #[inline(always)]
    fn canon(a: f32) -> f32 {
        crate::op::canon(a)
    }
}

impl<R: Rounding> Host for R {
    const FMA64: bool = R::FUSED;
    #[inline(always)]
    fn fma(a: f32, b: f32, c: f32) -> f32 {
        match R::FUSED {
            true => a.mul_add(b, c),
            false => crate::math::fma(a, b, c),
        }
    }
    #[inline(always)]
    fn fma64(a: f64, b: f64, c: f64) -> f64 {
        match R::FUSED {
            true => a.mul_add(b, c),
            false => crate::double::fma(a, b, c, 0, 0),
        }
    }
    #[inline(always)]
    fn floor(a: f32) -> f32 {
        match R::FUSED {
            true => a.floor(),
            false => crate::math::floor(a),
        }
    }
    #[inline(always)]
    fn ceil(a: f32) -> f32 {
        match R::FUSED {
            true => a.ceil(),
            false => crate::math::ceil(a),
        }
    }
    #[inline(always)]
    fn trunc(a: f32) -> f32 {
        match R::FUSED {
            true => a.trunc(),
            false => crate::math::trunc(a),
        }
    }
    #[inline(always)]
    fn round_even(a: f32) -> f32 {
        match R::FUSED {
            true => a.round_ties_even(),
            false => crate::math::round_even(a),
        }
    }
}

/// The host `H` for operations whose results only arithmetic takes: which NaN they give makes no difference.
pub(crate) struct AnyNan<H>(std::marker::PhantomData<H>);

impl<H: Host> Host for AnyNan<H> {
    const FMA64: bool = H::FMA64;
    #[inline(always)]
    fn fma(a: f32, b: f32, c: f32) -> f32 {
        H::fma(a, b, c)
    }
    #[inline(always)]
    fn fma64(a: f64, b: f64, c: f64) -> f64 {
        H::fma64(a, b, c)
    }
    #[inline(always)]
    fn floor(a: f32) -> f32 {
        H::floor(a)
    }
    #[inline(always)]
    fn ceil(a: f32) -> f32 {
        H::ceil(a)
    }
    #[inline(always)]
    fn trunc(a: f32) -> f32 {
        H::trunc(a)
    }
    #[inline(always)]
    fn round_even(a: f32) -> f32 {
        H::round_even(a)
    }
    #[inline(always)]
    fn canon(a: f32) -> f32 {
        a
    }
}

/// Functions of steps.
pub(crate) struct OfSteps;

impl Signature for OfSteps {
    type Code = Code;
    type State<'a> = Registers<'a>;
}

/// A step's loop over lanes, compiled for a level that this host has.
pub(crate) type Kernel = host::Compiled<OfSteps>;
