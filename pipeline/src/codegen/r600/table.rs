//! Which instruction has which meaning: the instruction set's own tables, read backwards.

use std::sync::LazyLock;

use lanes::LaneOp;
use r600::isa::alu::{AluOp, Op2, Op3, Sem};

/// The rows of every lane operation, by its number.
struct Rows {
    alu: Vec<Option<AluOp>>,
    mask: Vec<Option<Op2>>,
    predicate: Vec<Option<Op2>>,
    kill: Vec<Option<Op2>>,
    choose: Vec<Option<Op3>>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let find = |meaning: fn(LaneOp) -> Sem| -> Vec<Option<AluOp>> {
        let row = |&op: &LaneOp| {
            AluOp::all().find(|row| row.is_listed() && row.facts().sem == meaning(op))
        };
        LaneOp::ALL.iter().map(row).collect()
    };
    let two = |rows: Vec<Option<AluOp>>| -> Vec<Option<Op2>> {
        let row = |found| match found {
            Some(AluOp::Op2(op)) => Some(op),
            _ => None,
        };
        rows.into_iter().map(row).collect()
    };
    let three = |rows: Vec<Option<AluOp>>| -> Vec<Option<Op3>> {
        let row = |found| match found {
            Some(AluOp::Op3(op)) => Some(op),
            _ => None,
        };
        rows.into_iter().map(row).collect()
    };
    Rows {
        alu: find(Sem::Alu),
        mask: two(find(Sem::SetMask)),
        predicate: two(find(Sem::Predicate)),
        kill: two(find(Sem::Kill)),
        choose: three(find(Sem::Choose)),
    }
});

/// The instruction that computes `op` of its sources.
pub(super) fn alu(op: LaneOp) -> Option<AluOp> {
    ROWS.alu[op as usize]
}

/// The instruction that gives all ones where the comparison holds, and whether it takes the operands exchanged.
pub(super) fn mask(op: LaneOp) -> Option<(Op2, bool)> {
    either(&ROWS.mask, op)
}

/// The instruction that sets the predicate by the comparison, and whether it takes the operands exchanged.
pub(super) fn predicate(op: LaneOp) -> Option<(Op2, bool)> {
    either(&ROWS.predicate, op)
}

/// The instruction that kills where the comparison holds, and whether it takes the operands exchanged.
pub(super) fn kill(op: LaneOp) -> Option<(Op2, bool)> {
    either(&ROWS.kill, op)
}

/// The instruction that chooses by a comparison with zero.
pub(super) fn choose(op: LaneOp) -> Option<Op3> {
    ROWS.choose[op as usize]
}

fn either(rows: &[Option<Op2>], op: LaneOp) -> Option<(Op2, bool)> {
    let straight = rows[op as usize].map(|found| (found, false));
    straight.or_else(|| Some((rows[op.mirrored()? as usize]?, true)))
}

/// Whether the operation takes sign modifiers on its operands, and absolute values.
pub(super) fn modifiers(op: LaneOp) -> Option<bool> {
    use LaneOp::*;
    match op {
        FAdd | FMul | FMin | FMax | FFloor | FFractOne | FCeil | FTrunc | FRound | FRcp | FRsq
        | FSqrt | FExp2 | FLog2 | FSin | FCos | F32ToI32Wrap | FEq | FNe | FLt | FLe | FGt
        | FGe => Some(true),
        FMad => Some(false),
        _ => None,
    }
}
