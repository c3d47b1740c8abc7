//! The instruction set of the unified shading cluster. [Rogue 2 to 14]
//!
//! A program is a list of groups, each of up to six operations that pass values on to each other. A group has 2 to 32
//! bytes ([`Group::encode`], [`Group::decode`]) and is one line of text ([`Group`]'s `Display` and `FromStr`).
//! Bytes that decode are the bytes that their group encodes to, longer forms than it needs included ([`Forms`]); text says
//! nothing of forms, and what is assembled has the shortest.

pub mod alu;
pub mod backend;
pub mod bitwise;
mod bytes;
mod check;
pub mod control;
mod error;
mod format;
mod group;
mod list;
mod maps;
pub mod phase2;
mod program;
mod register;
mod text;

pub use bytes::Forms;
pub use check::{RuleError, check};
pub use error::{DecodeError, EncodeError};
pub use format::Format;
pub use group::{ALIGN, Body, Condition, Group, Item, MAX_BYTES, Main};
pub use list::{UNPUBLISHED, rows};
pub use program::{
    Placed, align, assemble, decode, disassemble, disassemble_as_manual, ends, first_word, words_of,
};
pub use register::{Bank, IndexedBank, MAX_NUMBER, Register, Special, special};

#[cfg(test)]
mod tests;
