//! What every ALU instruction computes, from `semantics.txt`: assembled, lifted and run as one wave.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use std::ops::Range;

use lanes::{Batch, DefaultEngine, Engine, PortFault, Ports, Wave};
use southern_islands::isa::{
    Allocation, Inst, MODE_SLOT, Mode, SCC_SLOT, assemble, decode, lift, rows,
};

struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
        panic!("ports {ports:?} in a program that has none");
    }
}

/// `name=value` pairs.
fn settings(text: &str) -> Vec<(&str, u64)> {
    text.split_whitespace()
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            let value = value.trim_start_matches("0x");
            (name, u64::from_str_radix(value, 16).unwrap())
        })
        .collect()
}

/// The registers that a name in the file stands for.
enum Place {
    Mask(u16),
    Scalar(u16),
    Row(usize),
    Lane(usize, usize),
}

fn place(name: &str) -> Place {
    match name {
        "exec" => Place::Mask(126),
        "vcc" => Place::Mask(106),
        "m0" => Place::Scalar(124),
        "scc" => Place::Scalar(SCC_SLOT),
        "mode" => Place::Scalar(MODE_SLOT),
        _ => match (name.strip_prefix('v'), name.strip_prefix('s')) {
            (Some(row), _) => match row.split_once('.') {
                Some((row, lane)) => Place::Lane(row.parse().unwrap(), lane.parse().unwrap()),
                None => Place::Row(row.parse().unwrap()),
            },
            (_, Some(scalar)) => Place::Scalar(scalar.parse().unwrap()),
            _ => panic!("no register `{name}`"),
        },
    }
}

/// Runs one line; says what differs.
fn check(text: &str, before: &[(&str, u64)], after: &[(&str, u64)]) -> Result<(), String> {
    let mut words = assemble(text).map_err(|error| error.to_string())?.concat();
    words.push(0xbf81_0000);
    let mode = before.iter().find(|(name, _)| *name == "mode");
    let mode = Mode(mode.map_or(0xf0, |(_, value)| *value as u32));
    let lifted = lift(&words, 0, mode, Allocation::ALL).map_err(|error| error.to_string())?;
    let mut wave = Wave::new(lifted.program.rows.into(), lifted.program.scalars.into());
    wave.set_mask(126, u64::MAX);
    for &(name, value) in before {
        match place(name) {
            Place::Mask(at) => wave.set_mask(at, value),
            Place::Scalar(at) => wave.scalars[usize::from(at)] = value as u32,
            Place::Row(row) => wave.rows[row].0 = [value as u32; 64],
            Place::Lane(row, lane) => wave.rows[row].0[lane] = value as u32,
        }
    }
    let exec = wave.mask(126);
    let engine = DefaultEngine::new();
    let program = engine
        .prepare(&lifted.program)
        .map_err(|error| error.to_string())?;
    engine
        .run(&program, &mut wave, &mut NoPorts)
        .map_err(|stop| stop.to_string())?;
    for &(name, value) in after {
        let found = match place(name) {
            Place::Mask(at) => wave.mask(at),
            Place::Scalar(at) => wave.scalars[usize::from(at)].into(),
            // Every enabled lane has the value.
            Place::Row(row) => (0..64)
                .filter(|lane| exec >> lane & 1 == 1)
                .map(|lane| u64::from(wave.rows[row].0[lane]))
                .find(|found| *found != value)
                .unwrap_or(value),
            Place::Lane(row, lane) => wave.rows[row].0[lane].into(),
        };
        if found != value {
            return Err(format!("{name} is {found:#x}, not {value:#x}"));
        }
    }
    Ok(())
}

/// The same instruction in the 64-bit encoding, where it has one.
fn long_form(text: &str) -> Option<String> {
    let (name, operands) = text.split_once(' ')?;
    let long = format!("{name}_e64 {operands}");
    let is_short = matches!(
        text.parse(),
        Ok(Inst::Vop1(..) | Inst::Vop2(..) | Inst::Vopc(..))
    );
    (is_short && long.parse::<Inst>().is_ok()).then_some(long)
}

fn lines() -> impl Iterator<Item = (usize, &'static str, &'static str)> {
    let numbered = include_str!("semantics.txt").lines().enumerate();
    numbered
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(index, line)| {
            let (text, rest) = line.split_once(';').unwrap();
            (index + 1, text.trim(), rest)
        })
}

#[test]
fn instructions_compute_what_the_manual_says() {
    let mut wrong = Vec::new();
    for (line, text, rest) in lines() {
        let (before, after) = rest.split_once("->").unwrap();
        let (before, after) = (settings(before), settings(after));
        for text in [Some(text.to_owned()), long_form(text)]
            .into_iter()
            .flatten()
        {
            if let Err(error) = check(&text, &before, &after) {
                wrong.push(format!("line {line}: `{text}`: {error}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Instructions that change more than registers; `tests/lift.rs` and the device's tests run them.
const ELSEWHERE: [&str; 12] = [
    "S_CBRANCH_G_FORK",
    "S_CBRANCH_I_FORK",
    "S_CBRANCH_JOIN",
    "S_GETREG_B32",
    "S_SETREG_B32",
    "S_SETREG_IMM32_B32",
    "S_SETVSKIP",
    "S_GETPC_B64",
    "S_SETPC_B64",
    "S_SWAPPC_B64",
    "S_RFE_B64",
    "S_ENDPGM",
];

#[test]
fn every_alu_row_has_a_line() {
    let mut seen = BTreeSet::new();
    for (_, text, _) in lines() {
        for text in [Some(text.to_owned()), long_form(text)]
            .into_iter()
            .flatten()
        {
            let words = assemble(&text).unwrap().concat();
            let (inst, _) = decode(&words).unwrap();
            let row = match inst {
                Inst::Sop2(w, _) => ("SOP2", w.op.row().mnemonic),
                Inst::Sopk(w, _) => ("SOPK", w.op.row().mnemonic),
                Inst::Sop1(w, _) => ("SOP1", w.op.row().mnemonic),
                Inst::Sopc(w, _) => ("SOPC", w.op.row().mnemonic),
                Inst::Vop2(w, _) => ("VOP2", w.op.row().mnemonic),
                Inst::Vop1(w, _) => ("VOP1", w.op.row().mnemonic),
                Inst::Vopc(w, _) => ("VOPC", w.op.row().mnemonic),
                Inst::Vop3a(w) => ("VOP3", w.op.mnemonic()),
                Inst::Vop3b(w) => ("VOP3", w.op.mnemonic()),
                inst => panic!("{inst} is no ALU instruction"),
            };
            seen.insert(row);
        }
    }
    let alu = [
        "SOP2", "SOPK", "SOP1", "SOPC", "VOP2", "VOP1", "VOPC", "VOP3",
    ];
    let missing: Vec<_> = rows()
        .into_iter()
        .map(|row| (row.encoding, row.mnemonic))
        .filter(|row| alu.contains(&row.0) && !ELSEWHERE.contains(&row.1) && !seen.contains(row))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
