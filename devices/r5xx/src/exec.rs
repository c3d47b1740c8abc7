//! Runs raw machine code as one wave, outside any draw: what `isa::Tools::exec` does for this chip.
//!
//! `vertex` runs PVS code, `fragment` US code. A register is `[x, y, z, w]` for all lanes, or a list of such, one a lane.
//! Registers are reported where the program touches them.
//!
//! [`vertex`] and [`fragment`] list the names of their inputs.

pub mod fragment;
pub mod vertex;

use isa::{ExecError, ExecInput, ExecOutput, LaneValue, TextError};
use lanes::{LANES, Wave};

use crate::CHIP;

/// Runs `words` as one wave of a stage.
pub fn exec(stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    match stage {
        "vertex" => vertex::exec(words, input),
        "fragment" => fragment::exec(words, input),
        _ => {
            let stage = stage.to_owned();
            Err(TextError::Stage { chip: CHIP, stage }.into())
        }
    }
}

fn trap(reason: impl std::fmt::Display) -> ExecError {
    ExecError::Trap(format!("{CHIP}: {reason}"))
}

fn wrong(what: &str, reason: &str) -> ExecError {
    ExecError::Input {
        what: what.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The number after a prefix, below `end`.
fn numbered(name: &str, prefix: &str, end: u16) -> Option<u16> {
    let digits = name.strip_prefix(prefix)?;
    let plain = digits == "0" || !digits.starts_with('0');
    let number = digits
        .parse()
        .ok()
        .filter(|_| plain && !digits.starts_with('+'));
    number.filter(|number| *number < end)
}

const VECTOR: &str = "not [x, y, z, w] or a list of them, at most one a lane";

/// A vector for every lane; the last lanes of a short list are zero.
fn lane_vectors(name: &str, value: &LaneValue) -> Result<Vec<[u32; 4]>, ExecError> {
    match value {
        LaneValue::Lanes(vector) => match vector.as_slice().try_into() {
            Ok(vector) => Ok(vec![vector; LANES]),
            Err(_) => Err(wrong(name, VECTOR)),
        },
        LaneValue::Vectors(list) if list.len() <= LANES => {
            let mut list = list.clone();
            list.resize(LANES, [0; 4]);
            Ok(list)
        }
        _ => Err(wrong(name, VECTOR)),
    }
}

/// One vector for all lanes.
fn vector(name: &str, value: &LaneValue) -> Result<[u32; 4], ExecError> {
    let vector = match value {
        LaneValue::Lanes(vector) => vector.as_slice().try_into().ok(),
        LaneValue::Vectors(list) if list.len() == 1 => Some(list[0]),
        _ => None,
    };
    vector.ok_or_else(|| wrong(name, "not [x, y, z, w]"))
}

/// Numbers in a list.
fn numbers<const N: usize>(name: &str, value: &LaneValue) -> Result<[u32; N], ExecError> {
    let list = match value {
        LaneValue::Lanes(list) => list.as_slice().try_into().ok(),
        LaneValue::Vectors(list) if list.len() == 1 => list[0].as_slice().try_into().ok(),
        _ => None,
    };
    list.ok_or_else(|| wrong(name, &format!("not {N} numbers")))
}

/// Puts a vector of each lane into four rows.
fn set_rows(wave: &mut Wave, first: u16, vectors: &[[u32; 4]]) {
    for (lane, vector) in vectors.iter().enumerate() {
        for (component, bits) in vector.iter().enumerate() {
            wave.rows[usize::from(first) + component].0[lane] = *bits;
        }
    }
}

/// Four rows as a vector of each lane.
fn rows(wave: &Wave, first: u16) -> Vec<[u32; 4]> {
    let vector =
        |lane: usize| [0, 1, 2, 3].map(|c: usize| wave.rows[usize::from(first) + c].0[lane]);
    (0..LANES).map(vector).collect()
}
