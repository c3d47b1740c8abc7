//! Assembly text: AMD's syntax as LLVM reads and writes it.
//!
//! What [`disassemble`] prints assembles back to the same words. An instruction that sets bits its text cannot show is
//! printed as `.long`.

mod constants;
pub(super) mod form;
mod memory;
mod names;
mod operand;
mod parse;
mod print;

use std::collections::HashMap;

use isa::text::{Cursor, Statement, statements};
use isa::{InstructionRow, Line, TextError};

use super::compare::VopcOp;
use super::decode::{Inst, decode};
use super::image::MimgOp;
use super::memory::{DsOp, MtbufOp, MubufOp, SmrdOp};
use super::scalar::{Sop1Op, Sop2Op, SopcOp, SopkOp, SoppOp};
use super::vector::{VectorOp, VintrpOp, Vop1Op, Vop2Op};
pub use names::{export_target, is_export_target};
use parse::Labels;

use crate::CHIP;

/// Every instruction of every encoding, in the manual's order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = Vec::new();
    // A second opcode of an instruction is no row of the manual: ERRATA.md #1.
    macro_rules! encoding {
        ($($name:literal $Op:ident),*) => {
            $(let listed = $Op::ROWS.iter().filter(|row| !row.mnemonic.ends_with("_ALT"));
            rows.extend(listed.map(|row| row.listed($name)));)*
        };
    }
    encoding!("SOP2" Sop2Op, "SOPK" SopkOp, "SOP1" Sop1Op, "SOPC" SopcOp, "SOPP" SoppOp, "SMRD" SmrdOp,
        "VOP2" Vop2Op, "VOP1" Vop1Op, "VOPC" VopcOp);
    rows.extend(VectorOp::all().map(|op| InstructionRow {
        encoding: "VOP3",
        mnemonic: op.mnemonic(),
        opcode: op.code().into(),
    }));
    encoding!("VINTRP" VintrpOp, "DS" DsOp, "MUBUF" MubufOp, "MTBUF" MtbufOp, "MIMG" MimgOp);
    // EXP has no opcode field.
    rows.push(InstructionRow {
        encoding: "EXP",
        mnemonic: "EXPORT",
        opcode: 0,
    });
    rows
}

/// The instruction of a line without label and comment.
///
/// Branch targets are numbers of words from the next instruction.
pub fn parse(text: &str) -> Result<Inst, String> {
    let place = Labels {
        labels: &|_| None,
        next: 0,
    };
    parse::instruction(text, &place)
}

/// Text to words, one entry a line that holds an instruction or `.long`. Other directives and data sections are
/// skipped.
pub fn assemble(text: &str) -> Result<Vec<Vec<u32>>, TextError> {
    let statements = code(text);
    // Sizes do not depend on what labels stand for, so one pass with zeros finds every address.
    let mut labels = HashMap::new();
    let mut at = 0;
    for statement in &statements {
        labels.extend(statement.labels.iter().map(|label| (*label, at)));
        let place = Labels {
            labels: &|_| Some(0),
            next: 0,
        };
        at += words(statement.text, &place)
            .map_err(|reason| line_error(statement.line, statement.text, reason))?
            .len() as i64;
    }
    let mut out = Vec::new();
    let mut at = 0;
    for statement in &statements {
        // Only instructions of one word branch.
        let place = Labels {
            labels: &|name| labels.get(name).copied(),
            next: at + 1,
        };
        let words = words(statement.text, &place)
            .map_err(|reason| line_error(statement.line, statement.text, reason))?;
        at += words.len() as i64;
        if !words.is_empty() {
            out.push(words);
        }
    }
    Ok(out)
}

/// The statements of a program, without those of data sections.
fn code(text: &str) -> Vec<Statement<'_>> {
    let mut is_code = true;
    let mut statements = statements(text);
    statements.retain(|statement| {
        let mut c = Cursor::new(statement.text);
        match c.word() {
            Some(".text") => is_code = true,
            Some(".section") => is_code = c.word().is_some_and(|name| name.starts_with(".text")),
            _ => {}
        }
        is_code
    });
    statements
}

fn line_error(line: u32, text: &str, reason: String) -> TextError {
    TextError::Line {
        line,
        text: text.to_owned(),
        reason,
    }
}

/// The words of a statement.
fn words(text: &str, place: &Labels) -> Result<Vec<u32>, String> {
    let mut c = Cursor::new(text);
    if c.is_end() {
        return Ok(Vec::new());
    }
    if !text.starts_with('.') {
        return parse::instruction(text, place).map(Inst::words);
    }
    let mut words = Vec::new();
    if matches!(c.word(), Some(".long" | ".word" | ".int")) {
        loop {
            let value = c
                .integer()
                .ok_or_else(|| format!("expected a number{}", c.here()))?;
            words.push(operand::word(value)?);
            if !c.eat(",") {
                break;
            }
        }
    }
    Ok(words)
}

/// Words to text.
pub fn disassemble(words: &[u32]) -> Result<Vec<Line>, TextError> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (inst, count) = decode(&words[at..]).map_err(|error| TextError::Word {
            chip: CHIP,
            pc: 4 * at as u32,
            word: words[at],
            reason: error.to_string(),
        })?;
        let words = words[at..at + count].to_vec();
        lines.push(Line {
            pc: 4 * at as u32,
            text: exact_text(inst, &words),
            words,
        });
        at += count;
    }
    Ok(lines)
}

/// The text of an instruction, `.long` if that would lose bits.
fn exact_text(inst: Inst, words: &[u32]) -> String {
    let text = inst.to_string();
    if parse(&text) == Ok(inst) {
        return text;
    }
    let words: Vec<String> = words.iter().map(|word| format!("{word:#010x}")).collect();
    format!(".long {}", words.join(", "))
}

impl std::str::FromStr for Inst {
    type Err = String;

    fn from_str(text: &str) -> Result<Inst, String> {
        parse(text)
    }
}
