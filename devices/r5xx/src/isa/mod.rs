//! The instruction sets: [`pvs`] runs vertices, [`us`] pixels. They share nothing but the chip.
//!
//! An instruction is one row in the table of its encoding; words, text and meaning are written once per encoding.

mod arithmetic;
pub mod pvs;
pub mod us;

use isa::text::Statement;
use isa::{InstructionRow, Line, TextError};

use crate::CHIP;

/// Every instruction that the manual lists, of both sets, in its order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = pvs::rows();
    rows.extend(us::rows());
    rows
}

/// Statements to words, `N` an instruction.
fn assemble<const N: usize>(
    statements: &[Statement<'_>],
    words: impl Fn(&str) -> Result<[u32; N], String>,
) -> Result<Vec<Vec<u32>>, TextError> {
    let lines = statements.iter().filter(|line| !line.text.is_empty());
    lines
        .map(|line| match words(line.text) {
            Ok(words) => Ok(words.to_vec()),
            Err(reason) => Err(TextError::Line {
                line: line.line,
                text: line.text.to_owned(),
                reason,
            }),
        })
        .collect()
}

/// Words as instructions of `N`.
fn whole<const N: usize>(words: &[u32]) -> Result<&[[u32; N]], TextError> {
    let (code, rest) = words.as_chunks();
    match rest.first() {
        None => Ok(code),
        Some(&word) => Err(TextError::Word {
            chip: CHIP,
            pc: (4 * N * code.len()) as u32,
            word,
            reason: format!("an instruction has {N} words"),
        }),
    }
}

/// The words of a program that is run alone: one instruction at least.
pub(crate) fn program<const N: usize>(words: &[u32]) -> Result<&[[u32; N]], TextError> {
    let code = whole(words)?;
    match code {
        [] => Err(TextError::Word {
            chip: CHIP,
            pc: 0,
            word: 0,
            reason: "a program has an instruction".into(),
        }),
        _ => Ok(code),
    }
}

/// Words to text, `N` an instruction.
fn disassemble<const N: usize, E: std::fmt::Display>(
    words: &[u32],
    text: impl Fn([u32; N]) -> Result<String, E>,
) -> Result<Vec<Line>, TextError> {
    let line = |(pc, words): (u32, &[u32; N])| {
        let text = text(*words).map_err(|error| TextError::Word {
            chip: CHIP,
            pc,
            word: words[0],
            reason: error.to_string(),
        })?;
        Ok(Line {
            pc,
            words: words.to_vec(),
            text,
        })
    };
    (0..).step_by(4 * N).zip(whole(words)?).map(line).collect()
}

/// A hexadecimal word.
fn word(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u32::from_str_radix(digits, 16).map_err(|_| format!("`{text}` is no word"))
}

/// The operands of `.words`: hexadecimal words between commas.
fn raw<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let words: Vec<u32> = text.split(',').map(word).collect::<Result<_, _>>()?;
    let count = words.len();
    words
        .try_into()
        .map_err(|_| format!("an instruction has {N} words and not {count}"))
}
