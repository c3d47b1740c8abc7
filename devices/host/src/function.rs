//! Kernels as function pointers: picked for a level once, when a program is prepared, and called many times.
//!
//! # Safety
//!
//! [`Compiled`] holds its pointer privately and is made by [`SimdLevel::compiled`], which takes the function of a level
//! that the host has (see [`SimdLevel`]), or from a safe function. Bodies are safe code.

#![expect(
    unsafe_code,
    reason = "calls functions compiled for instructions that a SimdLevel proves to exist"
)]

#[cfg(target_arch = "x86_64")]
use crate::Fused;
use crate::level::Kind;
use crate::{Baseline, Rounding, SimdLevel};

/// What the functions of one family take.
pub trait Signature {
    /// What a function is told: operands, constants.
    type Code;
    /// What it works on.
    type State<'a>;
}

/// A loop over lanes, written once. `run` is marked `#[inline(always)]` and inlined into one function per level.
pub trait Body<S: Signature> {
    /// Does the work; both kinds of rounding give the same bytes.
    fn run<R: Rounding>(code: &S::Code, state: &mut S::State<'_>);
}

/// A function compiled for a level that this host has.
pub struct Compiled<S: Signature>(unsafe fn(&S::Code, &mut S::State<'_>));

impl<S: Signature> Clone for Compiled<S> {
    fn clone(&self) -> Compiled<S> {
        *self
    }
}

impl<S: Signature> Copy for Compiled<S> {}

impl<S: Signature> std::fmt::Debug for Compiled<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:p}", self.0 as *const ())
    }
}

impl<S: Signature> Compiled<S> {
    /// A function that is the same at all levels.
    pub fn plain(function: fn(&S::Code, &mut S::State<'_>)) -> Compiled<S> {
        Compiled(function)
    }

    /// Runs it.
    #[inline(always)]
    pub fn call(self, code: &S::Code, state: &mut S::State<'_>) {
        // SAFETY: the function is a safe one, or `SimdLevel::compiled` took it from a level that this host has.
        unsafe { (self.0)(code, state) }
    }
}

impl SimdLevel {
    /// The body compiled for this level.
    pub fn compiled<S: Signature, B: Body<S>>(self) -> Compiled<S> {
        match self.0 {
            Kind::Baseline => Compiled(baseline::<S, B>),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Compiled(avx2::<S, B>),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Compiled(avx512::<S, B>),
        }
    }

    /// The body compiled for this level if that has thirty-two vector registers; other levels compile nothing.
    pub fn compiled_for_32_registers<S: Signature, B: Body<S>>(self) -> Option<Compiled<S>> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Some(Compiled(avx512::<S, B>)),
            _ => None,
        }
    }
}

fn baseline<S: Signature, B: Body<S>>(code: &S::Code, state: &mut S::State<'_>) {
    B::run::<Baseline>(code, state);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<S: Signature, B: Body<S>>(code: &S::Code, state: &mut S::State<'_>) {
    B::run::<Fused>(code, state);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn avx512<S: Signature, B: Body<S>>(code: &S::Code, state: &mut S::State<'_>) {
    B::run::<Fused>(code, state);
}
