//! The instruction set and the packets as the command line shows them.

use isa::OneSet;

use crate::CHIP;
use crate::exec::exec;
use crate::isa as set;
use crate::packets;

/// Lists, assembler, disassembler and raw execution of this chip.
pub static TOOLS: OneSet = OneSet {
    chip: CHIP,
    stages: &["vertex", "geometry", "fragment"],
    rows: set::rows,
    assemble: set::assemble,
    disassemble: set::disassemble,
    exec,
    dump: packets::dump,
};
