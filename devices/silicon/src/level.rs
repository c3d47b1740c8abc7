//! Vector instruction levels of the host, chosen once at run time.
//!
//! Row functions of this crate are plain loops. Compiled for the baseline of the target they use a quarter of the
//! vector width that most hosts have, so each is compiled once more per level and the widest one is picked. The
//! levels differ in speed only: the compiler contracts no multiplication and addition, [`Kernel::run_fused`] does so only
//! where a product must not be rounded, none uses an approximate instruction, so all give the same bytes.
//!
//! # Safety
//!
//! A function compiled for a level must not run on a host without its instructions. [`Level`] can only be made by
//! [`Level::available`], which asks the host, and by `BASELINE`, which needs nothing; so holding a value is the proof
//! that [`Level::run`] needs.

#![expect(
    unsafe_code,
    reason = "calls functions compiled for instructions that a Level proves to exist"
)]

use std::sync::OnceLock;

/// A level of vector instructions that the host has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work that [`Level::run`] compiles once per level. Implementations mark `run` `#[inline(always)]`.
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;

    /// The same bytes, by a way that counts on a fused multiply-add of the host, if there is one.
    #[inline(always)]
    fn run_fused(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run()
    }
}

/// How a product and a sum that must be rounded once are computed, and what newer hosts have an instruction for.
pub(crate) trait Fused {
    /// Whether the host has the instructions of AVX2. Only functions compiled for them may take this way.
    const AVX2: bool;

    /// The largest whole number not above `x`; `x` itself if it is not finite.
    fn floor(x: f32) -> f32;
    /// `x` in 0..=1 to the nearest of 0..=`2^bits - 1`, ties to even; at most 16 bits.
    fn to_unorm(x: f32, bits: u32) -> u32;
    /// `c / (2^bits - 1)`, correctly rounded; at most 16 bits.
    fn from_unorm(c: u32, bits: u32) -> f32;
    /// `x / by`, correctly rounded, for whole numbers and divisors of one fewer than 2^8 times a power of two.
    fn quotient(x: f32, by: Divisor) -> f32;
}

/// A divisor, and its reciprocal as the sum of two floats.
#[derive(Clone, Copy)]
pub(crate) struct Divisor {
    value: f32,
    reciprocal: [f32; 2],
}

impl Divisor {
    pub(crate) const fn new(value: f32) -> Divisor {
        let exact = 1.0 / value as f64;
        let near = exact as f32;
        Divisor {
            value,
            reciprocal: [near, (exact - near as f64) as f32],
        }
    }
}

/// With every host's instructions.
pub(crate) struct Apart;

/// With one instruction, for [`Kernel::run_fused`].
pub(crate) struct AtOnce;

impl Fused for Apart {
    const AVX2: bool = false;

    #[inline(always)]
    fn floor(x: f32) -> f32 {
        // The sum leaves no fraction bits; larger numbers have none.
        const MAGIC: f32 = (1u32 << 23) as f32;
        let near = (x.abs() + MAGIC - MAGIC).copysign(x);
        let near = if x.abs() < MAGIC { near } else { x };
        if near > x { near - 1.0 } else { near }
    }

    #[inline(always)]
    fn to_unorm(x: f32, bits: u32) -> u32 {
        crate::fixed::to_unorm(x, bits)
    }

    #[inline(always)]
    fn from_unorm(c: u32, bits: u32) -> f32 {
        crate::fixed::from_unorm(c, bits)
    }

    #[inline(always)]
    fn quotient(x: f32, by: Divisor) -> f32 {
        x / by.value
    }
}

impl Fused for AtOnce {
    const AVX2: bool = cfg!(target_arch = "x86_64");

    #[inline(always)]
    fn floor(x: f32) -> f32 {
        x.floor()
    }

    #[inline(always)]
    fn to_unorm(x: f32, bits: u32) -> u32 {
        // 2^23 leaves no fraction bits: the sum rounds to an integer, which its low bits hold.
        const MAGIC: f32 = (1u32 << 23) as f32;
        x.mul_add(((1u32 << bits) - 1) as f32, MAGIC).to_bits() & 0x7f_ffff
    }

    #[inline(always)]
    fn from_unorm(c: u32, bits: u32) -> f32 {
        // `c / (2^bits - 1)` is `x + x / (2^bits - 1)` where x is `c / 2^bits`, which is put together from bits: one
        // product, as those are what loops over texels wait for.
        let x = f32::from_bits(0x3f80_0000 | c << (23 - bits)) - 1.0;
        x.mul_add(1.0 / ((1u32 << bits) - 1) as f32, x)
    }

    #[inline(always)]
    fn quotient(x: f32, by: Divisor) -> f32 {
        // The product is wrong by 2^-48 of the quotient, which is no closer than 2^-34 to where rounding changes.
        let [near, rest] = by.reciprocal;
        x.mul_add(near, x * rest)
    }
}

impl Level {
    /// What every host of this target has.
    pub const BASELINE: Level = Level(Kind::Baseline);

    /// Levels of this host, narrowest first.
    pub fn available() -> Vec<Level> {
        #[allow(unused_mut)]
        let mut levels = vec![Level::BASELINE];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if avx2 {
                levels.push(Level(Kind::Avx2));
            }
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                levels.push(Level(Kind::Avx512));
            }
        }
        levels
    }

    /// The level of that name, if the host has it.
    pub fn named(name: &str) -> Option<Level> {
        Level::available().into_iter().find(|l| l.name() == name)
    }

    /// The level in use: the one that the environment variable `GIRIH_SIMD` names (`baseline`, `avx2`, `avx512`), or
    /// the widest when it is not set or names none that the host has.
    pub fn current() -> Level {
        static CURRENT: OnceLock<Level> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            std::env::var("GIRIH_SIMD")
                .ok()
                .and_then(|name| Level::named(&name))
                .or_else(|| Level::available().pop())
                .unwrap_or(Level::BASELINE)
        })
    }

    /// Name, as in `GIRIH_SIMD`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// Runs a kernel with the instructions of this level.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Baseline => kernel.run(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a Level of this kind exists only on hosts with these instructions.
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
    kernel.run_fused()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run_fused()
}

/// Makes kernels of types whose `run_by` does the work by either way of [`Fused`].
macro_rules! fused {
    ($($kernel:ty)*) => {
        $(
            impl $crate::level::Kernel for $kernel {
                type Output = ();
                #[inline(always)]
                fn run(self) {
                    self.run_by::<$crate::level::Apart>();
                }
                #[inline(always)]
                fn run_fused(self) {
                    self.run_by::<$crate::level::AtOnce>();
                }
            }
        )*
    };
}
pub(crate) use fused;

/// Declares functions whose body is compiled once per level; the level becomes their first parameter.
macro_rules! leveled {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident<$life:lifetime>($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            $vis fn $name<$life>(level: $crate::level::Level, $($arg: $ty),*) $(-> $ret)? {
                struct Call<$life> { $($arg: $ty,)* _life: std::marker::PhantomData<&$life ()> }
                impl<$life> $crate::level::Kernel for Call<$life> {
                    type Output = $crate::level::leveled!(@ret $($ret)?);
                    #[inline(always)]
                    fn run(self) -> Self::Output {
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
pub(crate) use leveled;

#[cfg(test)]
mod tests {
    use super::*;

    leveled! {
        fn sum<'a>(row: &'a [f32; 64], out: &'a mut [f32; 64]) -> u32 {
            for (o, r) in out.iter_mut().zip(row) {
                *o = *r * 3.0 + 0.1;
            }
            row.len() as u32
        }
    }

    /// Every quotient of 24 bits.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn fused_quotients_agree() {
        const BY: Divisor = Divisor::new((255u32 << 16) as f32);
        struct Differences;
        impl Kernel for Differences {
            type Output = u32;
            fn run(self) -> u32 {
                0
            }
            #[inline(always)]
            fn run_fused(self) -> u32 {
                let numbers = (0..1 << 24).map(|x: i32| x as f32);
                let differs = |x| AtOnce::quotient(x, BY) != Apart::quotient(x, BY);
                numbers.map(|x| u32::from(differs(x))).sum()
            }
        }
        for level in Level::available() {
            assert_eq!(level.run(Differences), 0);
        }
    }

    /// Products of 24 and 8 bits, rounded once, and every number of up to 16 bits.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn fused_rounding_agrees() {
        struct Differences(u32);
        impl Kernel for Differences {
            type Output = u32;
            fn run(self) -> u32 {
                0
            }
            #[inline(always)]
            fn run_fused(self) -> u32 {
                (0..=0x3f80_0000u32)
                    .step_by(self.0 as usize)
                    .map(|bits| {
                        let x = f32::from_bits(0x3f80_0000 - bits);
                        let [a, b] = [AtOnce::to_unorm(x, 8), Apart::to_unorm(x, 8)];
                        u32::from(a != b)
                    })
                    .chain((1..=16).flat_map(|bits| {
                        (0..1 << bits).map(move |c| {
                            let [a, b] = [AtOnce::from_unorm(c, bits), Apart::from_unorm(c, bits)];
                            u32::from(a.to_bits() != b.to_bits())
                        })
                    }))
                    .sum()
            }
        }
        for level in Level::available() {
            assert_eq!(level.run(Differences(997)), 0);
        }
    }

    #[test]
    fn floors_agree() {
        for bits in (0..=u32::MAX).step_by(1009) {
            let x = f32::from_bits(bits);
            let [a, b] = [Apart::floor(x), AtOnce::floor(x)];
            assert!(
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
                "{x}"
            );
        }
        for x in [
            0.0,
            -0.0,
            -1e-30,
            0.999_999_94,
            8_388_607.5,
            -8_388_607.5,
            8_388_608.0,
        ] {
            assert_eq!(Apart::floor(x).to_bits(), AtOnce::floor(x).to_bits(), "{x}");
        }
    }

    #[test]
    fn levels_agree() {
        let row: [f32; 64] = std::array::from_fn(|i| i as f32 * 0.37);
        let mut expected = [0.0; 64];
        sum(Level::BASELINE, &row, &mut expected);
        for level in Level::available() {
            let mut out = [0.0; 64];
            assert_eq!(sum(level, &row, &mut out), 64);
            assert_eq!(out.map(f32::to_bits), expected.map(f32::to_bits));
            assert_eq!(Level::named(level.name()), Some(level));
        }
        assert_eq!(Level::named("mmx"), None);
    }
}
