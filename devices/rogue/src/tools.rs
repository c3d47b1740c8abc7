//! The instruction set as the command line shows it. Groups are bytes: the words of a program are its bytes, the lowest
//! first, and zeros behind the last group as far as a word goes.

use isa::{ExecError, ExecInput, ExecOutput, InstructionRow, Line, LoadWord, TextError, Tools};

use crate::CHIP;
use crate::exec::exec_stage;
use crate::isa as set;

/// Lists, assembler, disassembler and raw execution of this chip.
pub static TOOLS: Groups = Groups(());

/// The tools of a chip whose instructions are groups of bytes.
#[derive(Debug)]
pub struct Groups(());

const STAGES: [&str; 4] = ["vertex", "geometry", "fragment", "compute"];

fn check(stage: Option<&str>) -> Result<(), TextError> {
    match stage {
        Some(stage) if !STAGES.contains(&stage) => Err(TextError::Stage {
            chip: CHIP,
            stage: stage.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Tools for Groups {
    fn rows(&self, stage: Option<&str>) -> Result<Vec<InstructionRow>, TextError> {
        check(stage).map(|()| set::rows())
    }

    /// The whole program is one entry, as its groups are no whole words.
    fn assemble(&self, stage: Option<&str>, text: &str) -> Result<Vec<Vec<u32>>, TextError> {
        check(stage)?;
        let bytes = set::assemble(text)?.concat();
        Ok(match bytes.is_empty() {
            true => Vec::new(),
            false => vec![set::words_of(&bytes)],
        })
    }

    fn assemble_bytes(
        &self,
        stage: Option<&str>,
        text: &str,
    ) -> Option<Result<Vec<Vec<u8>>, TextError>> {
        Some(check(stage).and_then(|()| set::assemble(text)))
    }

    fn disassemble(&self, stage: Option<&str>, words: &[u32]) -> Result<Vec<Line>, TextError> {
        check(stage)?;
        set::disassemble(&bytes_of(words))
    }

    fn disassemble_as_manual(
        &self,
        stage: Option<&str>,
        words: &[u32],
    ) -> Result<Vec<Line>, TextError> {
        check(stage)?;
        set::disassemble_as_manual(&bytes_of(words))
    }

    fn exec(&self, stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
        check(Some(stage))?;
        exec_stage(stage, &bytes_of(words), input)
    }

    fn dump(&self, words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
        crate::stream::dump(words, address, memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::LaneValue;

    #[test]
    fn assemble_run_and_list() {
        let text = "main { mbyp ft0, s0.neg } [s0=vi9, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, \
                    w0=vi10]\ncontrol { nop.end } [] pad2";
        let bytes = TOOLS.assemble_bytes(None, text);
        let sizes = bytes
            .and_then(Result::ok)
            .map(|lines| lines.iter().map(Vec::len).collect());
        assert_eq!(sizes, Some(vec![12, 8]));
        let words = TOOLS.assemble(None, text).unwrap_or_default().concat();
        assert_eq!(words.len(), 5);
        let mut input = ExecInput::default();
        input.registers.insert("vi9".into(), LaneValue::One(1));
        let output = TOOLS.exec("vertex", &words, &input);
        let found = output.map(|output| output.registers.get("vi10").cloned());
        assert_eq!(found, Ok(Some(LaneValue::Lanes(vec![0x8000_0001; 32]))));
        let lines = TOOLS.disassemble(None, &words).unwrap_or_default();
        assert_eq!(lines.len(), 2);
        assert!(TOOLS.rows(Some("mesh")).is_err());
    }

    #[test]
    fn groups_of_half_a_word_are_filled_up() {
        let text = "control { br.allinst 3000 } []\ncontrol { wdf drc0 } []";
        let words = TOOLS.assemble(None, text).unwrap_or_default().concat();
        assert_eq!(words.len(), 3);
        let lines = TOOLS.disassemble(None, &words).unwrap_or_default();
        assert_eq!(lines.len(), 2);
    }
}
