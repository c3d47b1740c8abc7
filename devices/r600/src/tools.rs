//! The instruction set as the command line shows it.

use isa::OneSet;

use crate::CHIP;
use crate::exec::exec;
use crate::isa as set;

/// Lists, assembler, disassembler and raw execution of this chip.
pub static TOOLS: OneSet = OneSet {
    chip: CHIP,
    stages: &["vertex", "geometry", "fragment"],
    rows: set::rows,
    assemble: set::assemble,
    disassemble: set::disassemble,
    exec,
};
