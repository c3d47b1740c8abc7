//! Type 0 and type 3 packets with the registers of the chip by name. [R5XX 6]

use ::r5xx::regs::{Field, Register};
use radeon::packets::{header, register_header};

/// Words that one packet carries.
const MOST_WORDS: usize = 1 << 14;
/// Bit of a type 0 header: all words go to one register.
const ONE_REGISTER: u32 = 1 << 15;

/// A word of fields; bits that do not fit are dropped.
pub(super) fn word(fields: &[(Field, u32)]) -> u32 {
    let bits = fields.iter().map(|(field, value)| field.bits(*value));
    bits.fold(0, |all, bits| all | bits)
}

/// Appends packets to words.
pub(super) struct Packets<'a>(pub &'a mut Vec<u32>);

impl Packets<'_> {
    /// A packet of type 3.
    pub fn packet(&mut self, opcode: u8, payload: &[u32]) {
        self.0.push(header(opcode, payload.len() as u32));
        self.0.extend_from_slice(payload);
    }

    /// Writes registers from a byte address on.
    pub fn at(&mut self, address: u32, words: &[u32]) {
        if !words.is_empty() {
            self.0.push(register_header(address, words.len() as u32));
            self.0.extend_from_slice(words);
        }
    }

    /// Writes a register.
    pub fn set(&mut self, register: Register, value: u32) {
        self.at(register.address, &[value]);
    }

    /// Writes a register by its fields; the others are zero.
    pub fn fields(&mut self, register: Register, fields: &[(Field, u32)]) {
        self.set(register, word(fields));
    }

    /// Writes a register that holds a float.
    pub fn float(&mut self, register: Register, value: f32) {
        self.set(register, value.to_bits());
    }

    /// Writes words to a data port.
    pub fn port(&mut self, register: Register, words: &[u32]) {
        for words in words.chunks(MOST_WORDS) {
            let header = register_header(register.address, words.len() as u32);
            self.0.push(header | ONE_REGISTER);
            self.0.extend_from_slice(words);
        }
    }
}
