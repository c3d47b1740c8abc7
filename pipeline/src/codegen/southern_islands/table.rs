//! Which instruction has which meaning: the instruction set's own tables, read backwards.

use std::sync::LazyLock;

use lanes::LaneOp;
use southern_islands::isa::compare::VopcOp;
use southern_islands::isa::scalar::{Sem, SemC, Sop1Op, Sop2Op, SopcOp};
use southern_islands::isa::vector::{VectorOp, Vop2Op};

/// A scalar instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ScalarOp {
    One(Sop1Op),
    Two(Sop2Op),
}

/// The rows of every lane operation, by its number.
struct Rows {
    vector: Vec<Option<VectorOp>>,
    scalar: Vec<Option<ScalarOp>>,
    compare: Vec<Option<SopcOp>>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let all = || LaneOp::ALL.iter().copied();
    Rows {
        vector: all().map(find_vector).collect(),
        scalar: all().map(find_scalar).collect(),
        compare: all().map(find_compare).collect(),
    }
});

fn find_vector(op: LaneOp) -> Option<VectorOp> {
    match op {
        LaneOp::IAdd => Some(VectorOp::Two(Vop2Op::V_ADD_I32)),
        LaneOp::ISub => Some(VectorOp::Two(Vop2Op::V_SUB_I32)),
        _ => VectorOp::for_op(op),
    }
}

fn find_scalar(op: LaneOp) -> Option<ScalarOp> {
    let means = |sem: Sem| matches!(sem, Sem::Alu(meant, _) if meant == op);
    let two = Sop2Op::ROWS
        .iter()
        .find(|row| means(row.sem))
        .map(|row| ScalarOp::Two(row.op));
    let one = || {
        Sop1Op::ROWS
            .iter()
            .find(|row| means(row.sem))
            .map(|row| ScalarOp::One(row.op))
    };
    two.or_else(one)
}

fn find_compare(op: LaneOp) -> Option<SopcOp> {
    SopcOp::ROWS
        .iter()
        .find(|row| row.sem == SemC::Compare(op))
        .map(|row| row.op)
}

/// The vector instruction `D = op(S0, S1, S2)`.
pub(super) fn vector(op: LaneOp) -> Option<VectorOp> {
    ROWS.vector[op as usize]
}

/// The scalar instruction `D = op(S0, S1)`.
pub(super) fn scalar(op: LaneOp) -> Option<ScalarOp> {
    ROWS.scalar[op as usize]
}

/// The scalar instruction `SCC = op(S0, S1)`.
pub(super) fn scalar_compare(op: LaneOp) -> Option<SopcOp> {
    ROWS.compare[op as usize]
}

/// The instruction that computes the same with its first two operands exchanged.
pub(super) fn swapped(op: VectorOp) -> Option<VectorOp> {
    use Vop2Op::*;
    Some(match op {
        VectorOp::Two(two) => VectorOp::Two(match two {
            V_ADD_F32 | V_MUL_LEGACY_F32 | V_MUL_F32 | V_MUL_I32_I24 | V_MUL_HI_I32_I24
            | V_MUL_U32_U24 | V_MUL_HI_U32_U24 | V_MIN_F32 | V_MAX_F32 | V_MIN_I32 | V_MAX_I32
            | V_MIN_U32 | V_MAX_U32 | V_AND_B32 | V_OR_B32 | V_XOR_B32 | V_ADD_I32 => two,
            V_SUB_F32 => V_SUBREV_F32,
            V_SUBREV_F32 => V_SUB_F32,
            V_SUB_I32 => V_SUBREV_I32,
            V_SUBREV_I32 => V_SUB_I32,
            V_LSHR_B32 => V_LSHRREV_B32,
            V_LSHRREV_B32 => V_LSHR_B32,
            V_ASHR_I32 => V_ASHRREV_I32,
            V_ASHRREV_I32 => V_ASHR_I32,
            V_LSHL_B32 => V_LSHLREV_B32,
            V_LSHLREV_B32 => V_LSHL_B32,
            _ => return None,
        }),
        VectorOp::Compare(compare) => {
            let meant = LaneOp::ALL
                .iter()
                .copied()
                .find(|&op| VopcOp::for_op(op) == Some(compare))?;
            VectorOp::Compare(VopcOp::for_op(meant.mirrored()?)?)
        }
        _ => return None,
    })
}
