//! Lines of the source, where a module has it: `OpSource` with `OpLine`, and the debug information of
//! NonSemantic.Shader.DebugInfo.100. [SPIRV 2.4, NonSemantic.Shader.DebugInfo]

use std::sync::Arc;

use spirv::Op;

use super::module::{Module, Result};
use super::words::Inst;
use crate::ir::{Origin, Text};

/// Numbers of extended instructions: a source with its text, more of it, a line, no line.
const SOURCE: u32 = 35;
const SOURCE_CONTINUED: u32 = 102;
const LINE: u32 = 103;
const NO_LINE: u32 = 104;

impl Module {
    /// Gives instructions their lines, as places in the text of the first source that is there.
    pub(super) fn lines(&mut self) -> Result<()> {
        let set = self.debug_set()?;
        let Some((file, text)) = self.source(set)? else {
            return Ok(());
        };
        let text = own_text(&text);
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let place = |line: u32| {
            let start = starts.get((line as usize).wrapping_sub(1)).copied();
            // There is no line 0.
            let end = starts.get(line as usize).map(|end| end.saturating_sub(1));
            start.map_or(Origin::default(), |start| Origin {
                start: start as u32,
                end: end.unwrap_or(text.len()) as u32,
            })
        };
        let mut origin = Origin::default();
        for at in 0..self.words.insts.len() {
            let inst = self.words.insts[at];
            let operands = self.words.operands(&inst);
            match (inst.op, operands, self.debug(&inst, set)) {
                (Op::Line, [from, line, ..], _) if *from == file => origin = place(*line),
                (Op::Line | Op::NoLine | Op::Label | Op::FunctionEnd, ..) => {
                    origin = Origin::default();
                }
                (Op::ExtInst, [_, _, from, line, ..], Some(LINE)) if *from == file => {
                    origin = self.literal(*line).map_or(Origin::default(), place);
                }
                (Op::ExtInst, _, Some(LINE | NO_LINE)) => origin = Origin::default(),
                _ => {}
            }
            self.words.insts[at].origin = origin;
        }
        self.text = Text(Some(Arc::from(text)));
        Ok(())
    }

    /// The id of the set of debug instructions.
    fn debug_set(&self) -> Result<Option<u32>> {
        let mut imports = self.words.insts.iter();
        while let Some(inst) = imports.find(|inst| inst.op == Op::ExtInstImport) {
            if self.words.text(inst, 0)?.0 == "NonSemantic.Shader.DebugInfo.100" {
                return Ok(Some(inst.id));
            }
        }
        Ok(None)
    }

    /// The number of a debug instruction.
    fn debug(&self, inst: &Inst, set: Option<u32>) -> Option<u32> {
        match (inst.op, self.words.operands(inst)) {
            (Op::ExtInst, [of, number, ..]) if Some(*of) == set => Some(*number),
            _ => None,
        }
    }

    /// The first source that has its text: the id that lines name it by, and the text.
    fn source(&self, set: Option<u32>) -> Result<Option<(u32, String)>> {
        for (at, inst) in self.words.insts.iter().enumerate() {
            let operands = self.words.operands(inst);
            let rest = &self.words.insts[at + 1..];
            match (inst.op, operands, self.debug(inst, set)) {
                (Op::Function, ..) => break,
                (Op::Source, [_, _, file, _, ..], _) => {
                    let mut text = self.words.text(inst, 3)?.0;
                    for more in rest {
                        if more.op != Op::SourceContinued {
                            break;
                        }
                        text += &self.words.text(more, 0)?.0;
                    }
                    return Ok(Some((*file, text)).filter(|(_, text)| !text.is_empty()));
                }
                (Op::ExtInst, [_, _, _, first, ..], Some(SOURCE)) => {
                    let mut text = self.string(*first)?;
                    for more in rest {
                        match (self.debug(more, set), self.words.operands(more)) {
                            (Some(SOURCE_CONTINUED), [_, _, part, ..]) => {
                                text += &self.string(*part)?;
                            }
                            _ => break,
                        }
                    }
                    return Ok(Some((inst.id, text)).filter(|(_, text)| !text.is_empty()));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The text of an `OpString`; empty where an id is none.
    fn string(&self, id: u32) -> Result<String> {
        match self.definition(id).filter(|inst| inst.op == Op::String) {
            Some(inst) => Ok(self.words.text(inst, 0)?.0),
            None => Ok(String::new()),
        }
    }
}

/// A text without the lines that glslang puts before it, of which the last starts the count again.
fn own_text(text: &str) -> &str {
    match text.split_once("#line 1\n") {
        Some((before, own)) if before.lines().all(|line| line.starts_with("//")) => own,
        _ => text,
    }
}
