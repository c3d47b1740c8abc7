//! Conditions, and operands with their modifiers.

use ::rogue::isa::alu::Modifiers;

use super::machine::Operand;
use crate::ir::Value;
use lanes::LaneOp;

/// A condition to branch, choose or kill by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    /// A comparison.
    Compare(LaneOp, Value, Value),
    /// A word that is not zero.
    Mask(Value),
}

/// A float operand with its sign changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    /// What is read.
    pub operand: Operand,
    /// The sign is flipped, after `abs`.
    pub neg: bool,
    /// The sign is cleared.
    pub abs: bool,
}

impl Source {
    /// Without changes.
    pub const fn plain(operand: Operand) -> Source {
        Source {
            operand,
            neg: false,
            abs: false,
        }
    }

    /// Its modifiers.
    pub const fn mods(self) -> Modifiers {
        Modifiers {
            floor: false,
            abs: self.abs,
            neg: self.neg,
        }
    }

    /// Whether there are none.
    pub const fn is_plain(self) -> bool {
        !self.neg && !self.abs
    }
}
