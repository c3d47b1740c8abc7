//! The same loops compiled for several instruction sets of the host, one of which is picked once.
//!
//! This is the crate's only `unsafe` code. The argument: a [`Kernel`] may only be called on a host that has the
//! instructions it was compiled for. Its pointer is private and made by [`Available::kernel`] alone. An [`Available`]
//! is made by [`Level::available`] alone, which asks the processor; processors do not lose instructions while a
//! program runs. So whoever holds a `Kernel` holds proof that it may be called. A kernel compiled for the baseline
//! needs no proof. Nothing here touches memory: kernels are safe code over slices.
//!
//! Miri checks the baseline: `cargo +nightly miri test -p girih-lanes --test level`.
#![expect(
    unsafe_code,
    reason = "calling a function compiled for instructions that were detected at run time"
)]

use std::sync::OnceLock;

use crate::interpret::{Code, Registers};

/// An instruction set of the host that kernels are compiled for. All give the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// What every processor of the architecture has: SSE2 on x86-64. Plain loops elsewhere.
    Baseline,
    /// AVX2 with FMA.
    Avx2,
    /// AVX-512 F, BW, CD, DQ, VL.
    Avx512,
}

impl Level {
    /// Every level, slowest first.
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

    /// The name in `GIRIH_SIMD`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The best level of this host, or the one named in the environment variable `GIRIH_SIMD` if the host has it.
    /// The variable is read once.
    pub fn detect() -> Level {
        static DETECTED: OnceLock<Level> = OnceLock::new();
        *DETECTED.get_or_init(|| {
            let asked = std::env::var("GIRIH_SIMD").unwrap_or_default();
            let usable = |level: &Level| level.available().is_some();
            let named = |level: &Level| level.name() == asked;
            let mut levels = Level::ALL.into_iter().filter(usable);
            let best = Level::ALL.into_iter().rfind(usable);
            levels.find(named).or(best).unwrap_or(Level::Baseline)
        })
    }

    /// Proof that this host has the level.
    pub(crate) fn available(self) -> Option<Available> {
        self.on_host().then_some(Available(self))
    }

    /// Whether this host has the level.
    #[cfg(target_arch = "x86_64")]
    pub fn on_host(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = || has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2");
        let bits = || has!("lzcnt") && has!("popcnt");
        let avx512 = || has!("avx512f") && has!("avx512bw") && has!("avx512cd");
        let more = || has!("avx512dq") && has!("avx512vl");
        match self {
            Level::Baseline => true,
            Level::Avx2 => avx2() && bits(),
            Level::Avx512 => avx2() && bits() && avx512() && more(),
        }
    }

    /// Whether this host has the level.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn on_host(self) -> bool {
        self == Level::Baseline
    }
}

/// A level that this host has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Available(Level);

/// What differs between hosts in how, not in what, an operation is computed.
pub(crate) trait Host {
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

/// Any host.
pub(crate) struct Plain;

/// A host with instructions for fused multiply-add and rounding to integers; used inside functions compiled for them
/// only, where none of these becomes a library call.
pub(crate) struct Fused;

impl Host for Plain {
    #[inline(always)]
    fn fma(a: f32, b: f32, c: f32) -> f32 {
        crate::math::fma(a, b, c)
    }
    #[inline(always)]
    fn fma64(a: f64, b: f64, c: f64) -> f64 {
        crate::double::fma(a, b, c, 0, 0)
    }
    #[inline(always)]
    fn floor(a: f32) -> f32 {
        crate::math::floor(a)
    }
    #[inline(always)]
    fn ceil(a: f32) -> f32 {
        crate::math::ceil(a)
    }
    #[inline(always)]
    fn trunc(a: f32) -> f32 {
        crate::math::trunc(a)
    }
    #[inline(always)]
    fn round_even(a: f32) -> f32 {
        crate::math::round_even(a)
    }
}

impl Host for Fused {
    #[inline(always)]
    fn fma(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn fma64(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn floor(a: f32) -> f32 {
        a.floor()
    }
    #[inline(always)]
    fn ceil(a: f32) -> f32 {
        a.ceil()
    }
    #[inline(always)]
    fn trunc(a: f32) -> f32 {
        a.trunc()
    }
    #[inline(always)]
    fn round_even(a: f32) -> f32 {
        a.round_ties_even()
    }
}

/// The host `H` for operations whose results only arithmetic takes: which NaN they give makes no difference.
pub(crate) struct AnyNan<H>(std::marker::PhantomData<H>);

impl<H: Host> Host for AnyNan<H> {
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

/// A loop over lanes, written once. `run` is inlined into one function per level.
pub(crate) trait Body {
    /// Performs the step `code`.
    fn run<H: Host>(code: &Code, registers: &mut Registers);
}

/// A loop over lanes compiled for a level that this host has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel(unsafe fn(&Code, &mut Registers));

impl Kernel {
    /// Performs the step `code`.
    #[inline(always)]
    pub(crate) fn call(self, code: &Code, registers: &mut Registers) {
        // SAFETY: the pointer was picked for a level that `Level::on_host` found on this host.
        unsafe { (self.0)(code, registers) }
    }
}

impl Available {
    /// What every host has.
    pub(crate) const BASELINE: Available = Available(Level::Baseline);

    /// The body compiled for this level.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn kernel<B: Body>(self) -> Kernel {
        match self.0 {
            Level::Baseline => Kernel(baseline::<B>),
            Level::Avx2 => Kernel(avx2::<B>),
            Level::Avx512 => Kernel(avx512::<B>),
        }
    }

    /// The body compiled for this level.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn kernel<B: Body>(self) -> Kernel {
        Kernel(baseline::<B>)
    }

    /// The body compiled for this level, if that has registers for many rows of sixteen lanes.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn many_registers<B: Body>(self) -> Option<Kernel> {
        (self.0 == Level::Avx512).then_some(Kernel(avx512::<B>))
    }

    /// The body compiled for this level, if that has registers for many rows of sixteen lanes.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn many_registers<B: Body>(self) -> Option<Kernel> {
        None
    }

    /// The body compiled for the baseline, whatever the level.
    pub(crate) fn portable<B: Body>() -> Kernel {
        Kernel(baseline::<B>)
    }

    /// A function that is the same for all levels.
    pub(crate) fn plain(function: fn(&Code, &mut Registers)) -> Kernel {
        Kernel(function)
    }
}

/// Every AArch64 processor has the instructions of [`Fused`].
#[cfg(target_arch = "aarch64")]
fn baseline<B: Body>(code: &Code, registers: &mut Registers) {
    B::run::<Fused>(code, registers);
}

#[cfg(not(target_arch = "aarch64"))]
fn baseline<B: Body>(code: &Code, registers: &mut Registers) {
    B::run::<Plain>(code, registers);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<B: Body>(code: &Code, registers: &mut Registers) {
    B::run::<Fused>(code, registers);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx512<B: Body>(code: &Code, registers: &mut Registers) {
    B::run::<Fused>(code, registers);
}
