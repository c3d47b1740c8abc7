//! Why bytes are no group, and why a group has no bytes.

use super::register::Register;

/// Bytes that are no instruction group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end within the group.
    #[error("the group is longer than its {bytes} bytes")]
    Short {
        /// Bytes that are there.
        bytes: usize,
    },
    /// The group is longer than its header says.
    #[error("the group has {needed} bytes; its header says {stated}")]
    Length {
        /// Bytes of the header.
        stated: usize,
        /// Bytes of the contents.
        needed: usize,
    },
    /// DA of the header points elsewhere.
    #[error("DA is {stated}; the operations end at byte {found}")]
    Da {
        /// The header's.
        stated: usize,
        /// Where it should point.
        found: usize,
    },
    /// Bits that mean nothing.
    #[error("byte {at}, {byte:#04x}, of {what} has bits that mean nothing")]
    Reserved {
        /// Part of the group.
        what: &'static str,
        /// Byte of the group.
        at: usize,
        /// The byte.
        byte: u8,
    },
    /// A code that nothing has.
    #[error("byte {at}: there is no {what} {code}")]
    Unknown {
        /// Part of the group.
        what: &'static str,
        /// The code.
        code: u32,
        /// Byte of the group.
        at: usize,
    },
    /// Bank and number that no register has.
    #[error("bank {bank} has no register {number}")]
    Register {
        /// Bank.
        bank: u16,
        /// Number.
        number: u16,
    },
    /// Padding that is not `f0 | n` and `ff`.
    #[error("byte {at} is padding and {byte:#04x}")]
    Padding {
        /// Byte of the group.
        at: usize,
        /// The byte.
        byte: u8,
    },
}

/// A group that has no binary form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A header has no code for these parts.
    #[error("a main group cannot have {0}")]
    Parts(&'static str),
    /// Sources that no map holds: none, more than three, or banks and numbers that do not fit.
    #[error("no source map holds {}", names(.0))]
    Sources(Vec<Register>),
    /// IS0 names a slot without a code.
    #[error("IS0 is S{0}; there are S0 to S5")]
    Is0(u8),
    /// More than 32 bytes.
    #[error("the group has {0} bytes; a group has at most 32")]
    Length(usize),
    /// An operand does not fit its field.
    #[error("{what} is {value}; {range}")]
    Range {
        /// Operand.
        what: &'static str,
        /// Its value.
        value: i64,
        /// What fits.
        range: &'static str,
    },
    /// A binary form that is not public.
    #[error("{0} has no public binary form")]
    Unpublished(&'static str),
}

fn names(registers: &[Register]) -> String {
    let names: Vec<String> = registers.iter().map(Register::to_string).collect();
    match names.is_empty() {
        true => "no register".to_owned(),
        false => names.join(", "),
    }
}

/// A value below a limit.
pub(super) fn below(
    what: &'static str,
    value: u32,
    end: u32,
    range: &'static str,
) -> Result<u8, EncodeError> {
    match value < end {
        true => Ok(value as u8),
        false => Err(EncodeError::Range {
            what,
            value: value.into(),
            range,
        }),
    }
}
