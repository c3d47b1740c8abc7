//! Comparisons as tests of phase 2.

use ::rogue::isa::phase2::{Test, TestType};
use lanes::LaneOp;

/// The test that a comparison is.
pub(super) fn test(op: LaneOp) -> Option<(Test, TestType)> {
    use LaneOp::*;
    use TestType::{F32, S32, U32};
    Some(match op {
        FEq => (Test::TSTE, F32),
        FNe => (Test::TSTNE, F32),
        FLt => (Test::TSTL, F32),
        FLe => (Test::TSTLE, F32),
        FGt => (Test::TSTG, F32),
        FGe => (Test::TSTGE, F32),
        IEq => (Test::TSTE, U32),
        INe => (Test::TSTNE, U32),
        ILt => (Test::TSTL, S32),
        ILe => (Test::TSTLE, S32),
        IGt => (Test::TSTG, S32),
        IGe => (Test::TSTGE, S32),
        ULt => (Test::TSTL, U32),
        ULe => (Test::TSTLE, U32),
        UGt => (Test::TSTG, U32),
        UGe => (Test::TSTGE, U32),
        _ => return None,
    })
}

/// A comparison of one value with zero: the test of that value, and whether its result is turned over.
pub(super) fn zero_test(op: LaneOp, zero_left: bool) -> Option<(Test, TestType, bool)> {
    use LaneOp::*;
    use TestType::{F32, S32, U32};
    let op = if zero_left { op.mirrored()? } else { op };
    Some(match op {
        FEq => (Test::TSTZ, F32, false),
        FNe => (Test::TSTZ, F32, true),
        FGt => (Test::TSTGZ, F32, false),
        FGe => (Test::TSTGEZ, F32, false),
        IEq | ULe => (Test::TSTZ, U32, false),
        INe | UGt => (Test::TSTZ, U32, true),
        IGt => (Test::TSTGZ, S32, false),
        IGe => (Test::TSTGEZ, S32, false),
        ILt => (Test::TSTGEZ, S32, true),
        ILe => (Test::TSTGZ, S32, true),
        _ => return None,
    })
}
