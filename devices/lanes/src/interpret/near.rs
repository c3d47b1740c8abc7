//! Kernels of operations that are short where no operand of a chunk is far from zero.

use std::marker::PhantomData;

use host::{Body, Rounding, SimdLevel};

use super::memory::{Any, CHUNK, CHUNKS, Chunk, Code, InRow, Registers, Shape};
use super::vector::store;
use crate::arithmetic::{Host, Kernel, OfSteps};
use crate::op::{Function, LaneOp, lane};
use crate::quarter;
use crate::step::Src;

/// An operation and its short form.
trait Near {
    type Function: Function<Word = u32>;
    /// The short form does not hold.
    fn is_far(a: f32) -> bool;
    fn eval<H: Host>(a: f32) -> u32;
}

/// Angles in quarter turns, `ADD` of them added.
struct Angle<F, const ADD: u32>(PhantomData<F>);

impl<F: Function<Word = u32>, const ADD: u32> Near for Angle<F, ADD> {
    type Function = F;
    #[inline(always)]
    fn is_far(a: f32) -> bool {
        quarter::is_far(a)
    }
    #[inline(always)]
    fn eval<H: Host>(a: f32) -> u32 {
        H::canon(quarter::near_argument(a, ADD)).to_bits()
    }
}

/// 1.5 * 2^23: added to an integer below 2^22 in magnitude, it leaves the integer in the low bits.
const SHIFT: f32 = 12_582_912.0;

#[inline(always)]
fn low_bits(integer: f32) -> u32 {
    (integer + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits())
}

/// Numbers that are 2^22 and more, and NaN.
#[inline(always)]
fn is_large(a: f32) -> bool {
    a.to_bits() & i32::MAX as u32 >= 4_194_303.0f32.to_bits()
}

macro_rules! conversions {
    ($($op:ident($a:ident) $integer:expr;)*) => {
        $(
            impl Near for lane::$op {
                type Function = lane::$op;
                #[inline(always)]
                fn is_far(a: f32) -> bool {
                    is_large(a)
                }
                #[inline(always)]
                fn eval<H: Host>($a: f32) -> u32 {
                    low_bits($integer)
                }
            }
        )*
        /// The kernel of an operation that has a short form.
        pub(super) fn kernel(level: SimdLevel, op: LaneOp, src: Src) -> Option<Kernel> {
            Some(match op {
                LaneOp::FQuarterSin => shaped::<Angle<lane::FQuarterSin, 0>>(level, src),
                LaneOp::FQuarterCos => shaped::<Angle<lane::FQuarterCos, 1>>(level, src),
                $(LaneOp::$op => shaped::<lane::$op>(level, src),)*
                _ => return None,
            })
        }
    };
}

conversions! {
    F32ToI32(a) H::trunc(a);
    F32ToU32(a) H::trunc(if a > 0.0 { a } else { 0.0 });
    F32ToI32Wrap(a) H::trunc(a);
    F32ToI32Round(a) H::floor(a + 0.5);
    F32ToI32Floor(a) H::floor(a);
}

fn shaped<N: Near>(level: SimdLevel, src: Src) -> Kernel {
    match src {
        Src::Row(_) => level.compiled::<OfSteps, OrFar<N, InRow>>(),
        _ => level.compiled::<OfSteps, OrFar<N, Any>>(),
    }
}

/// `row[dst] = N(A)`, a chunk at a time, by the function itself where one of its lanes is far.
struct OrFar<N, A>(PhantomData<(N, A)>);

impl<N: Near, A: Shape> Body<OfSteps> for OrFar<N, A> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let held = A::hold(registers, code.src[0]);
        let lanes = (registers.exec != u64::MAX).then_some(registers.lanes);
        let rows = &mut *registers.rows;
        for index in 0..CHUNKS {
            let a = A::chunk(&held, rows, index);
            let far = a
                .iter()
                .fold(false, |far, a| far | N::is_far(f32::from_bits(*a)));
            let value = match far {
                true => all::<N::Function, H>(&a),
                false => near::<N, H>(&a),
            };
            store(rows, code.dst as usize, index, lanes, value);
        }
    }
}

#[inline(always)]
fn all<F: Function<Word = u32>, H: Host>(a: &Chunk) -> Chunk {
    let mut value = [0; CHUNK];
    for lane in 0..CHUNK {
        value[lane] = F::eval::<H>([a[lane], 0, 0]);
    }
    value
}

#[inline(always)]
fn near<N: Near, H: Host>(a: &Chunk) -> Chunk {
    let mut value = [0; CHUNK];
    for lane in 0..CHUNK {
        value[lane] = N::eval::<H>(f32::from_bits(a[lane]));
    }
    value
}
