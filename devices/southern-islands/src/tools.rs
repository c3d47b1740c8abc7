//! The instruction set and the packets as the command line shows them.

use isa::OneSet;

use crate::CHIP;
use crate::exec::exec;
use crate::isa as set;
use crate::packets;

/// Lists, assembler, disassembler and raw execution of this chip.
pub static TOOLS: OneSet = OneSet {
    chip: CHIP,
    stages: &["vertex", "geometry", "fragment", "compute"],
    rows: set::rows,
    assemble: set::assemble,
    disassemble: set::disassemble,
    exec: |_, words, input| exec(words, input),
    dump: packets::dump,
};

#[cfg(test)]
mod tests {
    use isa::{ExecInput, Tools};

    use super::*;

    #[test]
    fn assemble_run_and_list() {
        let tools = &TOOLS;
        let words = tools
            .assemble(Some("compute"), "s_add_u32 s2, s0, s1\ns_endpgm")
            .unwrap_or_default()
            .concat();
        assert_eq!(words, [0x8002_0100, 0xbf81_0000]);
        let mut input = ExecInput::default();
        for (name, value) in [("s0", 40), ("s1", 2)] {
            let value = isa::LaneValue::One(value);
            input.registers.insert(name.to_owned(), value);
        }
        let output = tools.exec("compute", &words, &input);
        let sum = output.map(|output| output.registers.get("s2").cloned());
        assert_eq!(sum, Ok(Some(isa::LaneValue::One(42))));
        assert_eq!(tools.rows(None).map(|rows| rows.len()), Ok(1114));
    }

    #[test]
    fn a_stage_that_does_not_exist_is_named() {
        let error = TOOLS.rows(Some("mesh"));
        assert!(error.is_err_and(|error| error.to_string().contains("`mesh`")));
    }
}
