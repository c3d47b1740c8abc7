//! SPIR-V words in; refuses modules that naga would take too long for, or recurse too deeply over.

use std::collections::HashMap;

use super::limits;
use crate::error::{At, ShaderError};
use crate::spirv::instructions;

const OP_TYPE_ARRAY: u32 = 28;
const OP_CONSTANTS: std::ops::RangeInclusive<u32> = 41..=52;
const OP_CONSTANT: u32 = 43;
const OP_SPEC_CONSTANT: u32 = 50;
const OP_FUNCTION: u32 = 54;
const OP_VARIABLE: u32 = 59;
const OP_LOOP_MERGE: u32 = 246;
const OP_SELECTION_MERGE: u32 = 247;

/// Most elements of an array.
const ELEMENTS: u32 = 1 << 24;
/// Most merges in one function, each of which may lie in the one before.
const MERGES: u64 = 10_000;

/// Checks well-formed words.
pub(crate) fn check(words: &[u32]) -> Result<(), ShaderError> {
    limit("words of SPIR-V", words.len() as u64, limits::WORDS)?;
    let mut constants = HashMap::new();
    let (mut globals, mut functions, mut merges) = (0_u64, 0_u64, 0_u64);
    for (op, operands) in instructions(words) {
        match (op, operands) {
            (OP_CONSTANT | OP_SPEC_CONSTANT, [_, id, value, rest @ ..]) => {
                let value = if rest.iter().all(|word| *word == 0) {
                    *value
                } else {
                    u32::MAX
                };
                constants.insert(*id, value);
                globals += 1;
            }
            (OP_TYPE_ARRAY, [_, _, length]) => {
                let elements = constants.get(length).copied().unwrap_or(0);
                limit("elements in an array", elements.into(), ELEMENTS.into())?;
            }
            (OP_FUNCTION, _) => {
                functions += 1;
                merges = 0;
            }
            (OP_LOOP_MERGE | OP_SELECTION_MERGE, _) => {
                merges += 1;
                limit("branches in one function", merges, MERGES)?;
            }
            (OP_VARIABLE, _) if functions == 0 => globals += 1,
            (op, _) if OP_CONSTANTS.contains(&op) => globals += 1,
            _ => {}
        }
    }
    // Each function gets an expression for each of them.
    limit(
        "functions times constants",
        functions * globals,
        limits::PRODUCT,
    )
}

fn limit(what: &'static str, needed: u64, limit: u64) -> Result<(), ShaderError> {
    if needed <= limit {
        return Ok(());
    }
    Err(ShaderError::TooLarge {
        what,
        needed,
        limit,
        at: At::default(),
    })
}
