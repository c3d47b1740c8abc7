//! The kit for describing a GPU instruction set once.

mod tools;

pub use tools::{
    ExecError, ExecInput, ExecOutput, Export, InstructionRow, LaneValue, Line, MemoryBlock,
    TextError, Tools,
};
