//! Registers that operands name. [Rogue 5]

use std::fmt;

/// Largest register number: 11 bits.
pub const MAX_NUMBER: u16 = 0x7ff;

isa::ops! {
    /// Banks, by the number that operands have for them.
    pub enum Bank: () {
        SPECIAL = 0 "c" ();
        TEMPORARY = 1 "r" ();
        VERTEX_INPUT = 2 "vi" ();
        COEFFICIENT = 3 "cf" ();
        SHARED = 4 "sh" ();
        COEFFICIENT_ALT = 5 "cfa" ();
    }
}

isa::ops! {
    /// What an index register points into.
    pub enum IndexedBank: () {
        TEMPORARY = 0 "r" ();
        VERTEX_INPUT = 1 "vi" ();
        COEFFICIENT = 2 "cf" ();
        SHARED = 3 "sh" ();
        DYNAMIC_CONSTANT = 4 "dc" ();
        COEFFICIENT_ALT = 6 "cfa" ();
        PIXEL_OUTPUT = 7 "o" ();
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A register of a bank; special ones are constants, pixel outputs, internal registers and special registers.
    Plain(Bank, u16),
    /// An index register itself: 0 or 1.
    Index(u8),
    /// A register of a bank at an offset, 0 to 255, plus an index register, 0 or 1.
    Indexed(IndexedBank, u8, u8),
}

/// What special numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// The same for all programs.
    Constant(u16),
    /// A pixel output, 0 to 7.
    Output(u16),
    /// An internal register, 0 to 7.
    Internal(u16),
    /// Any other special register, by its number.
    Register(u16),
}

/// What a special number is.
pub const fn special(number: u16) -> Special {
    match number {
        0..=31 | 64..=95 | 128..=159 => Special::Constant(number),
        32..=35 => Special::Output(number - 32),
        164..=167 => Special::Output(number - 160),
        36..=43 => Special::Internal(number - 36),
        _ => Special::Register(number),
    }
}

/// Bank number of operands that an index register is part of: this one plus the index register's number.
const INDEX_BANK: u16 = 6;
/// What stands in place of an [`IndexedBank`] for the index register itself.
const INDEX_ITSELF: u16 = 5;

impl Register {
    /// `c0`: what a map without sources names.
    pub const ZERO: Register = Register::Plain(Bank::SPECIAL, 0);

    /// Bank and number, as maps have them.
    pub fn code(self) -> (u8, u16) {
        match self {
            Register::Plain(bank, number) => (bank.code() as u8, number),
            Register::Index(index) => ((INDEX_BANK + u16::from(index)) as u8, INDEX_ITSELF),
            Register::Indexed(bank, offset, index) => (
                (INDEX_BANK + u16::from(index)) as u8,
                bank.code() | u16::from(offset) << 3,
            ),
        }
    }

    /// The register of a bank and a number; none of numbers that no register has.
    pub fn from_code(bank: u8, number: u16) -> Option<Register> {
        if number > MAX_NUMBER {
            return None;
        }
        match u16::from(bank) {
            bank @ 0..INDEX_BANK => Some(Register::Plain(Bank::from_code(bank)?, number)),
            bank @ 6..=7 => {
                let index = (bank - INDEX_BANK) as u8;
                match number & 7 {
                    INDEX_ITSELF => (number == INDEX_ITSELF).then_some(Register::Index(index)),
                    of => {
                        let of = IndexedBank::from_code(of)?;
                        Some(Register::Indexed(of, (number >> 3) as u8, index))
                    }
                }
            }
            _ => None,
        }
    }

    /// Whether the numbers fit what maps hold.
    pub fn exists(self) -> bool {
        let (bank, number) = self.code();
        Register::from_code(bank, number) == Some(self)
    }

    /// The register that a text names.
    pub fn parse(text: &str) -> Result<Register, String> {
        let wrong = || format!("`{text}` is no register");
        if let Some((plain, index)) = text.split_once('[') {
            let index = match index {
                "idx0]" => 0,
                "idx1]" => 1,
                _ => return Err(wrong()),
            };
            let (name, number) = split(plain).ok_or_else(wrong)?;
            let bank = IndexedBank::from_name(name).ok_or_else(wrong)?;
            let offset = number
                .try_into()
                .map_err(|_| format!("the offset of `{text}` is above 255"))?;
            return Ok(Register::Indexed(bank, offset, index));
        }
        let (name, number) = split(text).ok_or_else(wrong)?;
        let special_register = |number: u16| {
            let register = Register::Plain(Bank::SPECIAL, number);
            // Each number has one name.
            match register.to_string() == text {
                true => Ok(register),
                false => Err(wrong()),
            }
        };
        if number > MAX_NUMBER {
            return Err(format!("the number of `{text}` is above {MAX_NUMBER}"));
        }
        match (name, number) {
            ("idx", 0..=1) => Ok(Register::Index(number as u8)),
            ("c" | "sr", _) => special_register(number),
            ("o", 0..=3) => special_register(number + 32),
            ("o", 4..=7) => special_register(number + 160),
            ("i", 0..=7) => special_register(number + 36),
            _ => match Bank::from_name(name) {
                Some(bank) => Ok(Register::Plain(bank, number)),
                None => Err(wrong()),
            },
        }
    }
}

/// Letters and the decimal number behind them.
pub(super) fn split(text: &str) -> Option<(&str, u16)> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let (name, digits) = text.split_at(at);
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    let canonical = digits == "0" || !digits.starts_with('0');
    (plain && canonical).then(|| Some((name, digits.parse().ok()?)))?
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Register::Plain(Bank::SPECIAL, number) => match special(number) {
                Special::Constant(n) => write!(f, "c{n}"),
                Special::Output(n) => write!(f, "o{n}"),
                Special::Internal(n) => write!(f, "i{n}"),
                Special::Register(n) => write!(f, "sr{n}"),
            },
            Register::Plain(bank, number) => write!(f, "{}{number}", bank.name()),
            Register::Index(index) => write!(f, "idx{index}"),
            Register::Indexed(bank, offset, index) => {
                write!(f, "{}{offset}[idx{index}]", bank.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_code_has_one_text() {
        let mut seen = std::collections::HashSet::new();
        for bank in 0..8 {
            for number in 0..=MAX_NUMBER {
                let Some(register) = Register::from_code(bank, number) else {
                    continue;
                };
                assert_eq!(register.code(), (bank, number));
                assert!(register.exists());
                let text = register.to_string();
                assert_eq!(Register::parse(&text).unwrap(), register);
                assert!(seen.insert(text));
            }
        }
        assert_eq!(seen.len(), 6 * 2048 + 2 * (1 + 7 * 256));
    }

    #[test]
    fn special_numbers_are_named_by_what_they_are() {
        let text = |number| Register::Plain(Bank::SPECIAL, number).to_string();
        assert_eq!(text(64), "c64");
        assert_eq!(text(32), "o0");
        assert_eq!(text(167), "o7");
        assert_eq!(text(43), "i7");
        assert_eq!(text(97), "sr97");
        assert_eq!(
            Register::from_code(7, 3 | 16 << 3).unwrap().to_string(),
            "sh16[idx1]"
        );
        for wrong in [
            "c32",
            "sr64",
            "o8",
            "i8",
            "r2048",
            "idx2",
            "r",
            "r01",
            "q3",
            "r4[idx2]",
            "r256[idx0]",
        ] {
            assert!(Register::parse(wrong).is_err(), "{wrong}");
        }
    }
}
