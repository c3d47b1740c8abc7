//! Registers: every register and field of the manual by name, a file per hardware block. [R5xx register reference]
//!
//! A register is a constant, its fields are the constants of the module of the same name:
//! `ZB_CNTL::Z_ENABLE.read(&registers)`. Addresses are byte addresses in register space. What a field means, with the
//! names of its values, is a text that dumps show; [`Field::value_name`] finds a value in it. A reset value of `None` is
//! not stated by the manual.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "ranges in the manual's texts are in brackets"
)]

mod cb;
mod cp;
pub mod effects;
mod fg;
mod ga;
mod gb;
mod rs;
mod sc;
mod su;
mod tx;
mod us;
mod vap;
mod zb;

pub use cb::*;
pub use cp::*;
pub use fg::*;
pub use ga::*;
pub use gb::*;
pub use rs::*;
pub use sc::*;
pub use su::*;
pub use tx::*;
pub use us::*;
pub use vap::*;
pub use zb::*;

use std::ops::Range;

use radeon::registers::RegisterFile;

/// What type 0 packets reach.
pub const SPACE: Range<u32> = 0..0x8000;

/// A register, or an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name; of an array, the numbers of its elements in brackets.
    pub name: &'static str,
    /// Byte address of the first.
    pub address: u32,
    /// How many.
    pub count: u32,
    /// Bytes from one to the next.
    pub stride: u32,
    /// Its fields, lowest first.
    pub fields: &'static [Field],
}

/// A field of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name; unused bits are RESERVED and their lowest bit.
    pub name: &'static str,
    /// Byte address of the register, or of the first of its array.
    pub address: u32,
    /// Bytes from one register of the array to the next.
    pub stride: u32,
    /// Highest bit.
    pub high: u32,
    /// Lowest bit.
    pub low: u32,
    /// Value after power-on.
    pub reset: Option<u32>,
    /// What it does, with the names of its values.
    pub meaning: &'static str,
}

impl Register {
    /// Byte address of an element of the array.
    pub const fn at(&self, n: u32) -> u32 {
        self.address + n * self.stride
    }

    /// The word of an element.
    pub fn read(&self, registers: &RegisterFile, n: u32) -> u32 {
        registers.get(self.at(n))
    }

    /// The word as a float.
    pub fn float(&self, registers: &RegisterFile) -> f32 {
        registers.float(self.address)
    }

    /// The word after power-on; 0 in bits of which the manual does not say it.
    pub fn reset(&self) -> u32 {
        let bits = |field: &Field| field.bits(field.reset.unwrap_or(0));
        self.fields.iter().map(bits).fold(0, |a, b| a | b)
    }

    /// The number of the element at an address.
    pub fn element(&self, address: u32) -> Option<u32> {
        let distance = address.checked_sub(self.address)?;
        let n = distance.checked_div(self.stride).unwrap_or(distance);
        (n < self.count && self.at(n) == address).then_some(n)
    }

    /// The name of an element: its number takes the place of the brackets.
    pub fn element_name(&self, n: u32) -> String {
        let Some((head, rest)) = self.name.split_once('[') else {
            return self.name.to_owned();
        };
        let (numbers, tail) = rest.split_once(']').unwrap_or((rest, ""));
        match numbers {
            "0,2..14" => format!("{head}{}{tail}", 2 * n),
            "1,3..15" => format!("{head}{}{tail}", 2 * n + 1),
            "01-1415" => format!("{head}{}{}{tail}", 2 * n, 2 * n + 1),
            _ => format!("{head}{n}{tail}"),
        }
    }
}

impl Field {
    /// The field's value in a word.
    pub const fn get(&self, word: u32) -> u32 {
        word >> self.low & self.ones()
    }

    /// Whether any bit of the field is set in a word.
    pub const fn is_set(&self, word: u32) -> bool {
        self.get(word) != 0
    }

    /// The value as a two's complement number.
    pub const fn signed(&self, word: u32) -> i32 {
        (word << (31 - self.high)) as i32 >> (31 - self.high + self.low)
    }

    /// A word with this value in the field and zeros elsewhere; bits that do not fit are dropped.
    pub const fn bits(&self, value: u32) -> u32 {
        (value & self.ones()) << self.low
    }

    /// Number of bits.
    pub const fn width(&self) -> u32 {
        self.high - self.low + 1
    }

    /// The field of the register, or of the first of its array.
    pub fn read(&self, registers: &RegisterFile) -> u32 {
        self.nth(registers, 0)
    }

    /// The field of an element of an array of registers.
    pub fn nth(&self, registers: &RegisterFile, n: u32) -> u32 {
        self.get(registers.get(self.address + n * self.stride))
    }

    /// Whether the register has it set.
    pub fn on(&self, registers: &RegisterFile) -> bool {
        self.read(registers) != 0
    }

    /// What the meaning calls a value.
    pub fn value_name(&self, value: u32) -> Option<&'static str> {
        self.meaning.split(';').find_map(|part| {
            // The first value may have words and a colon before it; two values may share a name.
            let part = part.rsplit(": ").next().unwrap_or(part).trim_start();
            let (first, rest) = number(part)?;
            let (second, rest) = match rest.strip_prefix("or ").and_then(number) {
                Some((second, rest)) => (second, rest),
                None => (first, rest),
            };
            let name = rest.strip_prefix("= ").unwrap_or(rest).trim();
            ([first, second].contains(&value) && !name.is_empty()).then_some(name)
        })
    }

    const fn ones(&self) -> u32 {
        u32::MAX >> (31 - self.high + self.low)
    }
}

/// The number that a text starts with, and what follows it and a space.
fn number(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_once(' ')?;
    Some((digits.parse().ok()?, rest))
}

/// Declares registers, their fields and the table of them.
macro_rules! registers {
    ($vis:vis $TABLE:ident: $($name:ident $($shown:literal)? = $address:literal $([$count:literal; $stride:literal])? {
        $($field:ident [$high:literal:$low:literal] $(= $reset:literal)? $meaning:literal),* $(,)?
    })*) => {
        $(
            #[doc = concat!("At ", stringify!($address), ".")]
            pub const $name: $crate::regs::Register = $crate::regs::Register {
                name: [$($shown,)? stringify!($name)][0],
                address: $address,
                count: [$($count,)? 1][0],
                stride: [$($stride,)? 0][0],
                fields: &[$($name::$field),*],
            };

            #[doc = concat!("Fields of ", stringify!($name), ".")]
            #[allow(non_snake_case)]
            pub mod $name {
                const EACH: u32 = [$($stride,)? 0][0];
                $(
                    #[doc = $meaning]
                    pub const $field: $crate::regs::Field = $crate::regs::Field {
                        name: stringify!($field),
                        address: $address,
                        stride: EACH,
                        high: $high,
                        low: $low,
                        reset: [$(Some($reset),)? None][0],
                        meaning: $meaning,
                    };
                )*
            }
        )*

        /// The registers of the block.
        $vis const $TABLE: &[$crate::regs::Register] = &[$($name),*];
    };
}
use registers;

/// All registers of the manual, a table a block.
pub const TABLES: [&[Register]; 11] = [
    vap::TABLE,
    gb::TABLE,
    rs::TABLE,
    tx::TABLE,
    ga::TABLE,
    su::TABLE,
    sc::TABLE,
    us::TABLE,
    fg::TABLE,
    cb::TABLE,
    zb::TABLE,
];

/// All registers, those of the command processor last.
pub fn all() -> impl Iterator<Item = &'static Register> {
    TABLES.into_iter().flatten().chain(cp::TABLE)
}

/// The register at an address, and the number of the element.
pub fn find(address: u32) -> Option<(&'static Register, u32)> {
    let address = match address {
        // The viewport has a second address.
        0x1d98..=0x1dac => address - 0x1d98 + VAP_VPORT_XSCALE.address,
        _ => address,
    };
    all().find_map(|register| Some((register, register.element(address)?)))
}
