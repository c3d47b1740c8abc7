//! The instruction set as the command line shows it. All stages have the same.

use isa::{ExecError, ExecInput, ExecOutput, InstructionRow, Line, TextError, Tools};

use crate::CHIP;
use crate::exec;
use crate::isa as set;

/// Lists, assembler, disassembler and raw execution of this chip.
#[derive(Clone, Copy, Debug, Default)]
pub struct R600Tools;

/// The stages whose shaders run on this chip.
const STAGES: [&str; 3] = ["vertex", "geometry", "fragment"];

fn check(stage: Option<&str>) -> Result<(), TextError> {
    match stage {
        Some(stage) if !STAGES.contains(&stage) => Err(TextError::Stage {
            chip: CHIP,
            stage: stage.to_owned(),
        }),
        _ => Ok(()),
    }
}

impl Tools for R600Tools {
    fn rows(&self, stage: Option<&str>) -> Result<Vec<InstructionRow>, TextError> {
        check(stage)?;
        Ok(set::rows())
    }

    fn assemble(&self, stage: Option<&str>, text: &str) -> Result<Vec<Vec<u32>>, TextError> {
        check(stage)?;
        set::assemble(text)
    }

    fn disassemble(&self, stage: Option<&str>, words: &[u32]) -> Result<Vec<Line>, TextError> {
        check(stage)?;
        set::disassemble(words)
    }

    fn exec(&self, stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
        check(Some(stage))?;
        exec::exec(stage, words, input)
    }
}
