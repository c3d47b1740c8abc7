//! Constants: numbers of the chip's table, and shared registers for the others.

use std::collections::HashMap;
use std::sync::LazyLock;

use ::rogue::isa::{Special, special};
use ::rogue::lift;

use crate::codegen::{ConstantSource, ConstantVector};

/// Special constants by their bits; the lowest number of each.
static NUMBERS: LazyLock<HashMap<u32, u16>> = LazyLock::new(|| {
    let numbers = (0..160u16).rev();
    let constants = numbers.filter(|&number| matches!(special(number), Special::Constant(_)));
    constants
        .map(|number| (lift::constant(number), number))
        .collect()
});

/// The special constant with these bits.
pub(super) fn number(bits: u32) -> Option<u16> {
    NUMBERS.get(&bits).copied()
}

/// Constants that the driver puts into shared registers: zeros first, then others.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// The first register.
    pub base: u16,
    capacity: u16,
    words: Vec<u32>,
}

impl Pool {
    /// Makes room for zeros and as many constants.
    pub fn start(&mut self, zeros: u16, constants: u16) {
        self.words = vec![0; zeros.into()];
        self.capacity = (zeros + constants + 1).next_multiple_of(4);
    }

    /// Registers that it may have.
    pub fn capacity(&self) -> u16 {
        self.capacity
    }

    /// The first register of the zeros.
    pub fn zeros(&self) -> u16 {
        self.base
    }

    /// The register of a constant; none where there is no room.
    pub fn register(&mut self, bits: u32) -> Option<u16> {
        let found = self.words.iter().position(|word| *word == bits);
        let at = found.unwrap_or(self.words.len());
        if at + 1 >= usize::from(self.capacity) {
            return None;
        }
        if found.is_none() {
            self.words.push(bits);
        }
        Some(self.base + at as u16)
    }

    /// A register of its own, whose contents are not known yet.
    pub fn reserve(&mut self) -> u16 {
        // There is room for one: nothing but this takes the last.
        self.words.push(u32::MAX - 1);
        self.base + self.words.len() as u16 - 1
    }

    /// Says what a register of one's own has.
    pub fn set(&mut self, register: u16, bits: u32) {
        self.words[usize::from(register - self.base)] = bits;
    }

    /// What the driver loads, four registers a vector.
    pub fn vectors(&self) -> Vec<ConstantVector> {
        let vector = |words: &[u32]| {
            std::array::from_fn(|n| words.get(n).map(|word| ConstantSource::Immediate(*word)))
        };
        self.words.chunks(4).map(vector).collect()
    }
}
