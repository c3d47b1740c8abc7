//! Reads and writes the bytes of a group one after the other.

use super::error::DecodeError;

/// How a group is written where several forms say the same: a bit for each choice, in the order of the bytes, that is not
/// the usual one, the shortest most of the time. A group that was decoded keeps the forms that it had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Forms(pub(super) u32);

/// Bytes of a group that is being written.
#[derive(Debug, Default)]
pub struct Writer {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    forms: Forms,
    choices: u32,
}

impl Writer {
    /// Without a byte.
    pub fn new(forms: Forms) -> Writer {
        Writer {
            forms,
            ..Writer::default()
        }
    }

    /// Appends a byte.
    pub fn push(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Appends bytes.
    pub fn extend(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.bytes.extend(bytes);
    }

    /// Makes the next choice; what is needed is never left out.
    pub fn choose(&mut self, usual: bool, needed: bool) -> bool {
        let other = self.forms.0 >> self.choices & 1 == 1;
        self.choices += 1;
        usual ^ other || needed
    }

    /// Appends a byte, and one more where that is not zero or is there all the same: bit 4 says so.
    pub fn extended(&mut self, byte: u8, more: u8) {
        let present = self.choose(more != 0, more != 0);
        self.push(byte | bit(present, 4));
        if present {
            self.push(more);
        }
    }
}

/// The bytes of a group and where the reader stands.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    forms: Forms,
    choices: u32,
}

impl<'a> Bytes<'a> {
    /// At the first byte.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes {
            bytes,
            at: 0,
            forms: Forms::default(),
            choices: 0,
        }
    }

    /// Notes which form is there, and which is usual.
    pub fn chose(&mut self, found: bool, usual: bool) {
        self.forms.0 |= u32::from(found != usual) << self.choices;
        self.choices += 1;
    }

    /// The forms that were met.
    pub fn forms(&self) -> Forms {
        self.forms
    }

    /// Takes the byte that bit 4 of the one before says is there; zero where it is not.
    pub fn extension(
        &mut self,
        byte: u8,
        clear: u8,
        what: &'static str,
    ) -> Result<u8, DecodeError> {
        let present = is(byte, 4);
        let more = match present {
            true => self.next_with(clear, what)?,
            false => 0,
        };
        self.chose(present, more != 0);
        Ok(more)
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
