//! Reads the bytes of a group one after the other.

use super::error::DecodeError;

/// The bytes of a group and where the reader stands.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    /// At the first byte.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes { bytes, at: 0 }
    }

    /// Bytes that are read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes that are left.
    pub fn left(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next byte, not taken.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes a byte.
    pub fn next(&mut self) -> Result<u8, DecodeError> {
        let byte = self.peek().ok_or(DecodeError::Short {
            bytes: self.bytes.len(),
        })?;
        self.at += 1;
        Ok(byte)
    }

    /// Takes a byte whose bits `clear` are zero.
    pub fn next_with(&mut self, clear: u8, what: &'static str) -> Result<u8, DecodeError> {
        let byte = self.next()?;
        match byte & clear {
            0 => Ok(byte),
            _ => Err(self.reserved(what)),
        }
    }

    /// The byte that was just taken has bits that mean nothing.
    pub fn reserved(&self, what: &'static str) -> DecodeError {
        let at = self.at.saturating_sub(1);
        DecodeError::Reserved {
            what,
            at,
            byte: self.bytes.get(at).copied().unwrap_or(0),
        }
    }

    /// The byte that was just taken has a code that means nothing.
    pub fn unknown(&self, what: &'static str, code: impl Into<u32>) -> DecodeError {
        DecodeError::Unknown {
            what,
            code: code.into(),
            at: self.at.saturating_sub(1),
        }
    }
}

/// Bit `n` where a flag is on.
pub(super) const fn bit(flag: bool, n: u32) -> u8 {
    (flag as u8) << n
}

/// Whether bit `n` is set.
pub(super) const fn is(byte: u8, n: u32) -> bool {
    byte >> n & 1 == 1
}
