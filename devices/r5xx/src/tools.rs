//! The instruction sets and the packets as the command line shows them: PVS for vertices, US for pixels.

use isa::{ExecError, ExecInput, ExecOutput, InstructionRow, Line, LoadWord, TextError, Tools};

use crate::CHIP;
use crate::exec::exec;
use crate::isa::{self as set, pvs, us};
use crate::packets;

/// Lists, assemblers, disassemblers and raw execution of this chip.
pub static TOOLS: TwoSets = TwoSets(());

/// The tools of a chip with an instruction set for each stage.
#[derive(Debug)]
pub struct TwoSets(());

/// The sets by their stages.
enum Set {
    Vertex,
    Fragment,
}

fn set_of(stage: &str) -> Result<Set, TextError> {
    match stage {
        "vertex" => Ok(Set::Vertex),
        "fragment" => Ok(Set::Fragment),
        _ => Err(TextError::Stage {
            chip: CHIP,
            stage: stage.to_owned(),
        }),
    }
}

/// Text and words of one set mean nothing in the other.
fn needed(stage: Option<&str>) -> Result<Set, TextError> {
    set_of(stage.unwrap_or("without a name; it is `vertex` or `fragment`"))
}

impl Tools for TwoSets {
    fn rows(&self, stage: Option<&str>) -> Result<Vec<InstructionRow>, TextError> {
        Ok(match stage.map(set_of).transpose()? {
            None => set::rows(),
            Some(Set::Vertex) => pvs::rows(),
            Some(Set::Fragment) => us::rows(),
        })
    }

    fn assemble(&self, stage: Option<&str>, text: &str) -> Result<Vec<Vec<u32>>, TextError> {
        match needed(stage)? {
            Set::Vertex => pvs::assemble(text),
            Set::Fragment => us::assemble(text),
        }
    }

    fn disassemble(&self, stage: Option<&str>, words: &[u32]) -> Result<Vec<Line>, TextError> {
        match needed(stage)? {
            Set::Vertex => pvs::disassemble(words),
            Set::Fragment => us::disassemble(words),
        }
    }

    fn exec(&self, stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
        exec(stage, words, input)
    }

    fn dump(&self, words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
        packets::dump(words, address, memory)
    }
}
