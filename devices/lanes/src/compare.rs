//! Comparisons negated, and with their operands swapped.

use crate::op::LaneOp;

/// Comparisons of which each is true exactly where the other is false.
const NEGATED: [(LaneOp, LaneOp); 12] = {
    use LaneOp::*;
    [
        (FEq, FNe),
        (FLt, FNlt),
        (FLe, FNle),
        (FGt, FNgt),
        (FGe, FNge),
        (FLg, FNlg),
        (FOrdered, FUnordered),
        (IEq, INe),
        (ILt, IGe),
        (ILe, IGt),
        (ULt, UGe),
        (ULe, UGt),
    ]
};

/// Comparisons of which each is the other with its operands exchanged.
const MIRRORED: [(LaneOp, LaneOp); 16] = {
    use LaneOp::*;
    [
        (FEq, FEq),
        (FNe, FNe),
        (FLg, FLg),
        (FNlg, FNlg),
        (FOrdered, FOrdered),
        (FUnordered, FUnordered),
        (FLt, FGt),
        (FLe, FGe),
        (FNlt, FNgt),
        (FNle, FNge),
        (IEq, IEq),
        (INe, INe),
        (ILt, IGt),
        (ILe, IGe),
        (ULt, UGt),
        (ULe, UGe),
    ]
};

/// The other of the pair that one is in.
fn other(pairs: &[(LaneOp, LaneOp)], op: LaneOp) -> Option<LaneOp> {
    pairs.iter().find_map(|&(a, b)| match op {
        _ if op == a => Some(b),
        _ if op == b => Some(a),
        _ => None,
    })
}

impl LaneOp {
    /// The comparison that is true where this one is false.
    pub fn negated(self) -> Option<LaneOp> {
        other(&NEGATED, self)
    }

    /// The same comparison with its operands exchanged.
    pub fn mirrored(self) -> Option<LaneOp> {
        other(&MIRRORED, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_what_they_say() {
        let floats = [f32::NAN, f32::NEG_INFINITY, -1.0, -0.0, 0.0, 2.5].map(f32::to_bits);
        let values = floats.into_iter().chain([1, 2, u32::MAX, 1 << 31]);
        for a in values.clone() {
            for b in values.clone() {
                for op in LaneOp::ALL.iter().copied() {
                    let holds = op.eval([a, b, 0]);
                    if let Some(negated) = op.negated() {
                        assert_ne!(negated.eval([a, b, 0]), holds, "{op:?} of {a:#x}, {b:#x}");
                        assert_eq!(negated.negated(), Some(op));
                    }
                    if let Some(mirrored) = op.mirrored() {
                        assert_eq!(mirrored.eval([b, a, 0]), holds, "{op:?} of {a:#x}, {b:#x}");
                    }
                }
            }
        }
        assert_eq!(LaneOp::FAdd.negated(), None);
    }
}
