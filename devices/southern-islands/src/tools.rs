//! The instruction set as the command line shows it. All stages have the same.

use isa::{ExecError, ExecInput, ExecOutput, InstructionRow, Line, TextError, Tools};

use crate::CHIP;
use crate::exec;
use crate::isa as set;

/// Lists, assembler, disassembler and raw execution of this chip.
#[derive(Clone, Copy, Debug, Default)]
pub struct SouthernIslandsTools;

/// The stages whose shaders run on this chip.
const STAGES: [&str; 4] = ["vertex", "geometry", "fragment", "compute"];

fn check(stage: &str) -> Result<(), TextError> {
    match STAGES.contains(&stage) {
        true => Ok(()),
        false => Err(TextError::Stage {
            chip: CHIP,
            stage: stage.to_owned(),
        }),
    }
}

impl Tools for SouthernIslandsTools {
    fn rows(&self, stage: Option<&str>) -> Result<Vec<InstructionRow>, TextError> {
        stage.map_or(Ok(()), check)?;
        Ok(set::rows())
    }

    fn assemble(&self, stage: Option<&str>, text: &str) -> Result<Vec<Vec<u32>>, TextError> {
        stage.map_or(Ok(()), check)?;
        set::assemble(text)
    }

    fn disassemble(&self, stage: Option<&str>, words: &[u32]) -> Result<Vec<Line>, TextError> {
        stage.map_or(Ok(()), check)?;
        set::disassemble(words)
    }

    fn exec(&self, stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
        check(stage)?;
        exec::exec(words, input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assemble_run_and_list() {
        let tools = SouthernIslandsTools;
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
        let error = SouthernIslandsTools.rows(Some("mesh"));
        assert!(error.is_err_and(|error| error.to_string().contains("`mesh`")));
    }
}
