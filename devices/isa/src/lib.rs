//! The kit for describing a GPU instruction set once.
//!
//! [`word!`] makes structs of bit fields, [`ops!`] makes opcode tables, [`text`] has the tokens of assembly text,
//! [`vectors`] reads test vectors, and [`suite!`] is the set of tests that every instruction set passes.

#![forbid(unsafe_code)]

pub mod ops;
pub mod suite;
pub mod text;
mod tools;
pub mod vectors;
pub mod word;

pub use ops::Row;
pub use tools::{
    Emitted, ExecError, ExecGroup, ExecInput, ExecOutput, ExecPrimitives, Export, InstructionRow,
    LaneValue, Line, LoadWord, MemoryBlock, OneSet, TextError, Tools, bytes_of_hex,
};
pub use word::{Content, Field, FieldValue, Layout};
