//! What sources of groups read.

use std::ops::Range;

use ::rogue::isa::{Bank, IndexedBank, Register};

use crate::codegen::regalloc::Unit;

use super::machine::{COUNTER, INDEX, P0, one};

/// What a source reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A unit.
    Unit(Unit),
    /// A register with a number: constants, shared registers, coefficients, inputs.
    Register(Register),
    /// Units side by side, of which a group that repeats reads one after the other.
    Row(Unit, u32),
    /// The element of an array, units from the first on, at the index register.
    Element(Unit, u32),
}

/// Which slots a source may stand in. [Rogue 2.3 rule 11]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// All.
    Any,
    /// S0, S2, S3.
    Common,
    /// S1, S2, S4.
    Special,
}

/// A constant of the table.
pub const fn constant(number: u16) -> Operand {
    Operand::Register(Register::Plain(Bank::SPECIAL, number))
}

/// Zero, as an integer and as a float.
pub const ZERO: Operand = constant(0);
/// The integer 1.
pub const ONE: Operand = constant(1);
/// 1.0
pub const UNIT: Operand = constant(64);
/// -0.0
pub const MINUS_ZERO: Operand = constant(141);
/// All ones.
pub const TRUE: Operand = constant(143);

/// A shared register.
pub const fn shared(number: u16) -> Operand {
    Operand::Register(Register::Plain(Bank::SHARED, number))
}

impl Operand {
    /// Where it may stand.
    pub fn class(self) -> Class {
        match self {
            Operand::Unit(COUNTER) => Class::Any,
            Operand::Unit(P0 | INDEX) | Operand::Element(..) => Class::Common,
            Operand::Unit(_) | Operand::Row(..) => Class::Any,
            Operand::Register(Register::Plain(bank, number)) => match bank {
                Bank::TEMPORARY | Bank::VERTEX_INPUT => Class::Any,
                Bank::SPECIAL => match ::rogue::isa::special(number) {
                    ::rogue::isa::Special::Constant(_) | ::rogue::isa::Special::Internal(_) => {
                        Class::Any
                    }
                    ::rogue::isa::Special::Output(_) => Class::Common,
                    ::rogue::isa::Special::Register(_) => Class::Special,
                },
                _ => Class::Common,
            },
            Operand::Register(_) => Class::Common,
        }
    }

    /// Whether a slot takes it.
    pub fn fits(self, slot: usize) -> bool {
        match self.class() {
            Class::Any => true,
            Class::Common => matches!(slot, 0 | 2 | 3),
            Class::Special => matches!(slot, 1 | 2 | 4),
        }
    }

    /// The units that it reads.
    pub fn read(self, mut f: impl FnMut(Range<Unit>)) {
        match self {
            Operand::Unit(unit) => f(one(unit)),
            Operand::Row(first, words) => f(first..first + words),
            Operand::Element(first, words) => {
                f(first..first + words);
                f(one(INDEX));
            }
            Operand::Register(Register::Indexed(..)) => f(one(INDEX)),
            Operand::Register(_) => {}
        }
    }
}

/// The element of shared registers at the index register.
pub const fn shared_element(offset: u8) -> Operand {
    Operand::Register(Register::Indexed(IndexedBank::SHARED, offset, 0))
}
