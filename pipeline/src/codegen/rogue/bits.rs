//! Operations on bits: bitwise groups. [Rogue 9.9, 13.8]

use ::rogue::isa::bitwise::{
    Bitwise, Count, Logical, Mask, Phase0, Phase1, Phase2, Shift1, Shift2,
};
use lanes::LaneOp;

use super::machine::{Bits, Body, Dst, Inst, Operand, TRUE, Unit, ZERO, constant};
use super::select::Select;
use crate::ir::Value;

/// Units that do nothing but pass S2 on.
const PASS: Phase0 = Phase0 {
    mask: Mask::Byp,
    shift: Shift1::BYP,
    count: Count::CBS,
    counts_ft2: false,
};

/// FT2 and S3, neither masked.
const fn logical(op: Logical) -> Phase1 {
    Phase1 {
        op,
        left: false,
        right: false,
    }
}

const fn shift(shift: Shift2) -> Phase2 {
    Phase2 { shift, test: None }
}

/// A group that has a constant of its own.
pub(super) fn immediate(to: Unit, bits: u32) -> Inst {
    let op = Bitwise {
        p0: Some(Phase0 {
            mask: Mask::Byp32(bits),
            ..PASS
        }),
        p1: Some(logical(Logical::BYP)),
        p2: None,
    };
    let src = [None, None, None, Some(ZERO), None];
    let w = [Some(Dst::Unit(to)), None];
    Inst::new(Body::Bits(Bits { op, src, w }))
}

impl Select<'_> {
    /// A bitwise group whose W0 goes to a new unit.
    fn bits(&mut self, op: Bitwise, src: [Operand; 5]) -> Operand {
        let unit = self.code.unit();
        self.bits_to(op, src, [Some(Dst::Unit(unit)), None]);
        Operand::Unit(unit)
    }

    fn bits_to(&mut self, op: Bitwise, mut src: [Operand; 5], w: [Option<Dst>; 2]) {
        self.place(&mut src);
        // Sources that are zero need not be named, but S3 and S4 have to where they are read.
        let named = |slot: usize, operand: Operand| {
            let read = slot == 3 && op.p1.is_some() || slot == 4 && op.p2.is_some();
            (read || operand != ZERO).then_some(operand)
        };
        let src = std::array::from_fn(|slot| named(slot, src[slot]));
        self.push(Inst::new(Body::Bits(Bits { op, src, w })));
    }

    /// `FT2 op S3`, where FT2 is S2 and both may be masked by FT1, which is S1.
    fn masked(&mut self, phase: Phase1, [mask, left, right]: [Operand; 3]) -> Operand {
        let op = Bitwise {
            p0: Some(PASS),
            p1: Some(phase),
            p2: None,
        };
        self.bits(op, [ZERO, mask, left, right, ZERO])
    }

    pub(super) fn logic(&mut self, op: Logical, a: Operand, b: Operand) -> Operand {
        self.masked(logical(op), [ZERO, a, b])
    }

    pub(super) fn shifted(&mut self, kind: Shift2, a: Operand, by: Operand) -> Operand {
        let op = Bitwise {
            p0: Some(PASS),
            p1: Some(logical(Logical::OR)),
            p2: Some(shift(kind)),
        };
        self.bits(op, [ZERO, ZERO, a, ZERO, by])
    }

    /// A field of `a`, at the bottom.
    fn field(&mut self, kind: Shift2, a: Operand, at: Operand, width: Operand) -> Operand {
        let op = Bitwise {
            p0: Some(Phase0 {
                mask: Mask::Msk,
                ..PASS
            }),
            p1: Some(Phase1 {
                op: Logical::OR,
                left: true,
                right: true,
            }),
            p2: Some(shift(kind)),
        };
        self.bits(op, [width, at, a, ZERO, at])
    }

    /// A unit for what the counter finds.
    fn counted(&mut self, phase: Phase0, a: Operand) -> Operand {
        let unit = self.code.unit();
        let op = Bitwise {
            p0: Some(phase),
            ..Bitwise::default()
        };
        self.bits_to(
            op,
            [ZERO, ZERO, a, ZERO, ZERO],
            [None, Some(Dst::Unit(unit))],
        );
        Operand::Unit(unit)
    }

    /// The number of the highest one, all ones for 0.
    fn highest(&mut self, a: Operand) -> Operand {
        let phase = Phase0 {
            count: Count::FTB,
            ..PASS
        };
        self.counted(phase, a)
    }

    /// 31 less a number from 0 to 31; all ones stay.
    fn zeros_above(&mut self, number: Operand) -> Operand {
        let found = self.integer_sum(number, constant(31), true);
        let unit = self.code.unit();
        self.limited(Dst::Unit(unit), found, constant(31), TRUE);
        Operand::Unit(unit)
    }

    /// What an operation on bits gives; none of other operations.
    pub(super) fn bit_operation(&mut self, op: LaneOp, args: &[Value]) -> Option<Operand> {
        use LaneOp::*;
        let words: Vec<Operand> = args.iter().map(|arg| self.word(*arg)).collect();
        let at = |n: usize| words.get(n).copied().unwrap_or(ZERO);
        let (a, b, c) = (at(0), at(1), at(2));
        Some(match op {
            And => self.logic(Logical::AND, a, b),
            Or => self.logic(Logical::OR, a, b),
            Xor => self.logic(Logical::XOR, a, b),
            Not => self.logic(Logical::XOR, a, TRUE),
            AndNot => {
                let phase = Phase1 {
                    op: Logical::OR,
                    left: true,
                    right: true,
                };
                self.masked(phase, [b, ZERO, a])
            }
            OrNot => {
                let phase = Phase1 {
                    op: Logical::OR,
                    left: false,
                    right: true,
                };
                self.masked(phase, [b, a, TRUE])
            }
            Bfi => {
                let phase = Phase1 {
                    op: Logical::OR,
                    left: true,
                    right: true,
                };
                self.masked(phase, [a, b, c])
            }
            Bfm => {
                let op = Bitwise {
                    p0: Some(Phase0 {
                        mask: Mask::Msk,
                        ..PASS
                    }),
                    p1: Some(logical(Logical::BYP)),
                    p2: None,
                };
                self.bits(op, [a, b, ZERO, ZERO, ZERO])
            }
            BfeU => self.field(Shift2::SHR, a, b, c),
            BfeI => self.field(Shift2::ASR_MTB, a, b, c),
            Shl | ShlOver => self.shifted(Shift2::LSL, a, b),
            Shr | ShrOver => self.shifted(Shift2::SHR, a, b),
            Sar | SarOver => self.shifted(Shift2::ASR_TWB, a, b),
            BitReverse => {
                let op = Bitwise {
                    p0: Some(Phase0 {
                        shift: Shift1::REV,
                        ..PASS
                    }),
                    p1: Some(logical(Logical::OR)),
                    p2: None,
                };
                self.bits(op, [ZERO, ZERO, a, ZERO, ZERO])
            }
            BitCount => {
                let count = self.counted(PASS, a);
                match b {
                    ZERO => count,
                    _ => self.integer_sum(count, b, false),
                }
            }
            FirstHighU => {
                let highest = self.highest(a);
                self.zeros_above(highest)
            }
            FirstHighI => {
                let sign = self.shifted(Shift2::ASR_TWB, a, constant(31));
                let bits = self.logic(Logical::XOR, a, sign);
                let highest = self.highest(bits);
                self.zeros_above(highest)
            }
            FirstLow => {
                let negative = self.integer_sum(a, ZERO, true);
                let lowest = self.logic(Logical::AND, a, negative);
                self.highest(lowest)
            }
            _ => return None,
        })
    }

    /// A constant of the instruction itself.
    pub(super) fn immediate(&mut self, bits: u32) -> Operand {
        let unit = self.code.unit();
        self.push(immediate(unit, bits));
        Operand::Unit(unit)
    }

    /// A shift by a constant.
    pub(super) fn shifted_by(&mut self, kind: Shift2, a: Operand, by: u16) -> Operand {
        self.shifted(kind, a, constant(by))
    }
}
