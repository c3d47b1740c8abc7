//! TST: comparisons of floats, words and elements. [Rogue 9.8]

use lanes::LaneOp::{self, *};
use lanes::Src;

use super::LiftError;
use super::flow::Lifter;
use crate::isa::phase2::{Test, TestType, Tst};

/// How operands compare.
enum Kind {
    Float,
    Signed,
    Unsigned,
}

impl Lifter<'_> {
    /// The pair of lanes in which a test holds; P0 is set if the test names it.
    pub(super) fn test(&mut self, tst: &Tst, left: Src, right: Src) -> Result<u16, LiftError> {
        let truth = self.mask();
        if tst.op == Test::TSTC {
            let carry = self.carry.unwrap_or(Src::Const(0));
            self.compare(truth, INe, carry, Src::Const(0));
        } else {
            let (bits, kind) = match tst.ty {
                TestType::F32 => (32, Kind::Float),
                TestType::U32 => (32, Kind::Unsigned),
                TestType::S32 => (32, Kind::Signed),
                TestType::U16 => (16, Kind::Unsigned),
                TestType::S16 => (16, Kind::Signed),
                TestType::U8 => (8, Kind::Unsigned),
                TestType::S8 => (8, Kind::Signed),
            };
            let signed = matches!(kind, Kind::Signed);
            let left = self.tested(left, tst, bits, signed);
            let right = match tst.op.sem() {
                2 => self.tested(right, tst, bits, signed),
                _ => Src::Const(0),
            };
            let op = comparison(tst.op, kind);
            self.compare(truth, op, left, right);
        }
        if tst.p0 {
            self.set_predicate(truth);
        }
        Ok(truth)
    }

    fn tested(&mut self, source: Src, tst: &Tst, bits: u32, signed: bool) -> Src {
        match (bits, tst.ty) {
            (_, TestType::F32) => self.float(source),
            (32, _) => source,
            _ => self.element(source, tst.element, bits, signed),
        }
    }

    /// An element of a word, sign-extended or not.
    pub(super) fn element(&mut self, source: Src, element: u8, bits: u32, signed: bool) -> Src {
        let at = (u32::from(element) * bits) & 31;
        let op = if signed { BfeI } else { BfeU };
        self.op(op, &[source, Src::Const(at), Src::Const(bits)])
    }
}

fn comparison(test: Test, kind: Kind) -> LaneOp {
    let [float, signed, unsigned] = match test {
        Test::TSTZ | Test::TSTE | Test::TSTC => [FEq, IEq, IEq],
        Test::TSTGZ | Test::TSTG => [FGt, IGt, UGt],
        Test::TSTGEZ | Test::TSTGE => [FGe, IGe, UGe],
        Test::TSTNE => [FNe, INe, INe],
        Test::TSTL => [FLt, ILt, ULt],
        Test::TSTLE => [FLe, ILe, ULe],
    };
    match kind {
        Kind::Float => float,
        Kind::Signed => signed,
        Kind::Unsigned => unsigned,
    }
}
