//! Kernels as values: made where they are called, inlined into one function per level.
//!
//! # Safety
//!
//! A function compiled for a level must not run on a host without its instructions. A [`SimdLevel`] exists only for a
//! level that the host has, and processors do not lose instructions while a program runs. Kernels are safe code.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "calls functions compiled for instructions that a SimdLevel proves to exist"
    )
)]

use std::marker::PhantomData;

#[cfg(target_arch = "x86_64")]
use crate::Fused;
use crate::level::Kind;
use crate::{Baseline, Rounding, SimdLevel};

/// Work that [`SimdLevel::run`] compiles once per level. Mark `run` and all that it calls `#[inline(always)]`: code
/// that stays a call compiles for the baseline.
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Does the work; both kinds of rounding give the same bytes.
    fn run<R: Rounding>(self) -> Self::Output;
}

/// Ties the arguments of a function of [`per_level!`](crate::per_level) to their lifetime.
pub type Life<'a> = PhantomData<&'a ()>;

impl SimdLevel {
    /// Runs a kernel with the instructions of this level.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Baseline => kernel.run::<Baseline>(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a level of this kind exists only on hosts with these instructions.
            Kind::Avx2 => unsafe { avx2(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kind::Avx512 => unsafe { avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Fused>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Fused>()
}

/// Declares functions whose body is compiled once per level; the level becomes their first parameter.
///
/// ```
/// host::per_level! {
///     /// Doubles a row.
///     pub fn double<'a>(row: &'a mut [f32; 64]) {
///         for value in row {
///             *value *= 2.0;
///         }
///     }
/// }
/// let mut row = [1.5; 64];
/// double(host::SimdLevel::current(), &mut row);
/// assert_eq!(row, [3.0; 64]);
/// ```
#[macro_export]
macro_rules! per_level {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident<$life:lifetime>($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            $vis fn $name<$life>(level: $crate::SimdLevel, $($arg: $ty),*) $(-> $ret)? {
                struct Call<$life> { $($arg: $ty,)* _life: $crate::Life<$life> }
                impl<$life> $crate::Kernel for Call<$life> {
                    type Output = $crate::per_level!(@ret $($ret)?);
                    #[inline(always)]
                    fn run<R: $crate::Rounding>(self) -> Self::Output {
                        let Call { $($arg,)* _life } = self;
                        $body
                    }
                }
                level.run(Call { $($arg,)* _life: std::marker::PhantomData })
            }
        )*
    };
    (@ret) => { () };
    (@ret $ret:ty) => { $ret };
}
