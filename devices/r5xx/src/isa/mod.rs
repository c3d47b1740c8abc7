//! The instruction sets: [`pvs`] runs vertices, [`us`] pixels. They share nothing but the chip.
//!
//! An instruction is one row in the table of its encoding; words, text and meaning are written once per encoding.

mod arithmetic;
pub mod pvs;
pub mod us;

use isa::InstructionRow;

/// Every instruction that the manual lists, of both sets, in its order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = pvs::rows();
    rows.extend(us::rows());
    rows
}
