//! Arithmetic whose result loses denormals and foreign NaN at once: an operation and the `FFlushNan` behind it.

use std::marker::PhantomData;

use super::vector::{AluFamily, Pick};
use crate::arithmetic::{AnyNan, Host, Kernel};
use crate::op::{Function, LaneOp, lane};
use crate::step::Src;
use host::SimdLevel;

/// `FFlushNan` of an operation's result.
struct Flushed<F>(PhantomData<F>);

impl<F: Function<Word = u32>> Function for Flushed<F> {
    type Word = u32;
    const INDEX: usize = F::INDEX;
    const ARITY: usize = F::ARITY;
    const BOOL: bool = false;
    #[inline(always)]
    fn eval<H: Host>(args: [u32; 3]) -> u32 {
        lane::FFlushNan::eval::<H>([F::eval::<AnyNan<H>>(args), 0, 0])
    }
}

/// The kernel of an operation and `FFlushNan` of its result, where there is one.
pub(super) fn kernel(level: SimdLevel, op: LaneOp, src: [Src; 3]) -> Option<Kernel> {
    let family = PhantomData::<AluFamily>;
    let pick = Pick { level, src, family };
    Some(match op {
        LaneOp::FAdd => pick.two::<Flushed<lane::FAdd>>(),
        LaneOp::FSub => pick.two::<Flushed<lane::FSub>>(),
        LaneOp::FMul => pick.two::<Flushed<lane::FMul>>(),
        LaneOp::FMulNeg => pick.two::<Flushed<lane::FMulNeg>>(),
        LaneOp::FMad => pick.three::<Flushed<lane::FMad>>(),
        LaneOp::FMadNeg => pick.three::<Flushed<lane::FMadNeg>>(),
        LaneOp::FMadSub => pick.three::<Flushed<lane::FMadSub>>(),
        LaneOp::FSat => pick.one::<Flushed<lane::FSat>>(),
        LaneOp::FRcp => pick.one::<Flushed<lane::FRcp>>(),
        LaneOp::FRsq => pick.one::<Flushed<lane::FRsq>>(),
        _ => return None,
    })
}

/// Whether [`kernel`] has one for an operation.
pub(super) fn has_kernel(op: LaneOp) -> bool {
    use LaneOp::*;
    matches!(
        op,
        FAdd | FSub | FMul | FMulNeg | FMad | FMadNeg | FMadSub | FSat | FRcp | FRsq
    )
}
