//! The instruction set against the manual's list, vectors, its own text and random words.
//!
//! Instructions of clauses do not stand alone, so an instruction is a program: that of a clause has its head before it.
#![allow(clippy::unwrap_used)]

use std::fmt;
use std::str::FromStr;

use isa::InstructionRow;
use isa::suite::{InstructionSet, Random};
use lanes::{DefaultEngine, Engine};
use r600::isa::{DecodeError, Kind, Numbering, Program, Setup, lift, listing, parse, rows};

/// R600.
struct Set;

/// A program of one instruction.
#[derive(Clone, Debug)]
struct Lone(Program);

impl PartialEq for Lone {
    /// Zeros behind a program without an end are instructions once they are decoded.
    fn eq(&self, other: &Lone) -> bool {
        let words = |program: &Program| program.encode().ok();
        self.0.numbering == other.0.numbering && words(&self.0) == words(&other.0)
    }
}

impl fmt::Display for Lone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.0.encode().map_err(|_| fmt::Error)?;
        let mut lines = listing(&self.0, &words).into_iter();
        lines.try_for_each(|line| writeln!(f, "{}", line.text))
    }
}

impl FromStr for Lone {
    type Err = String;

    /// Lines also end at ` | `.
    fn from_str(text: &str) -> Result<Lone, String> {
        let parsed = parse(&(text.replace(" | ", "\n") + "\n"));
        let parsed = parsed.map_err(|error| error.to_string())?;
        Ok(Lone(parsed.program))
    }
}

/// NOP with END_OF_PROGRAM.
const END: [u32; 2] = [0, 0x8020_0000];

/// A clause of one fetch, head and end before it.
fn fetch_clause(head: u32, fetch: [u32; 3]) -> Vec<u32> {
    let [a, b, c] = fetch;
    vec![2, head, END[0], END[1], a, b, c, 0]
}

/// Four selects of three bits from bit `at` on, none reserved.
fn selects(random: &mut Random, at: u32) -> u32 {
    const SELECTS: [u32; 7] = [0, 1, 2, 3, 4, 5, 7];
    (0..4).fold(0, |word, n| {
        word | SELECTS[random.below(7) as usize] << (at + 3 * n)
    })
}

/// A texture fetch with random operands, reserved bits clear.
fn tex(op: u32, random: &mut Random) -> [u32; 3] {
    let [a, b] = [random.word(), random.word()];
    [
        a as u32 & 0x00ff_ffbf & !31 | op,
        (a >> 32) as u32 & !0x1ffe00 & !0x100 | selects(random, 9),
        b as u32 & 0x000f_ffff | selects(random, 20),
    ]
}

/// A vertex fetch.
fn vtx(op: u32, random: &mut Random) -> [u32; 3] {
    let [a, b] = [random.word(), random.word()];
    [
        a as u32 & !31 & !0x60 | op | (random.below(3) as u32) << 5,
        (a >> 32) as u32 & !0x1ffe00 & !0x100 & !0x3000_0000
            | selects(random, 9)
            | (random.below(3) as u32) << 28,
        b as u32 & 0xd_ffff,
    ]
}

/// An ALU clause of one group of one instruction.
fn alu_clause(low: u32, high: u32) -> Vec<u32> {
    vec![1, 0xa000_0000, low | 1 << 31, high]
}

/// Random bits, now and then few.
fn bits(random: &mut Random) -> u32 {
    let word = random.word();
    match random.below(2) {
        0 => word as u32 & (word >> 32) as u32 & random.word() as u32,
        _ => word as u32,
    }
}

impl InstructionSet for Set {
    type Inst = Lone;
    type Error = DecodeError;

    fn rows() -> Vec<InstructionRow> {
        rows()
    }

    fn decode(words: &[u32]) -> Result<(Lone, usize), DecodeError> {
        Ok((Lone(Program::decode(words)?), words.len()))
    }

    fn encode(program: &Lone, out: &mut Vec<u32>) {
        out.extend(program.0.encode().unwrap());
    }

    fn sample(row: &InstructionRow, random: &mut Random) -> Vec<u32> {
        let op = match row.encoding {
            "CF" => Numbering::Shipped.number(row.opcode as u16).into(),
            _ => row.opcode,
        };
        let [low, high] = [bits(random), bits(random)];
        match (row.encoding, row.mnemonic) {
            ("CF", "TEX") => fetch_clause(1 << 31 | op << 23, tex(16, random)),
            ("CF", "VTX" | "VTX_TC") => fetch_clause(1 << 31 | op << 23, vtx(0, random)),
            // Targets within the program, no COUNT.
            ("CF", _) => vec![low & 1, high & 0xc047_e3ff | op << 23, END[0], END[1]],
            ("CF_EXPORT", _) => vec![low, high & 0xc07f_ffff | op << 23, END[0], END[1]],
            ("CF_ALU", _) => {
                let kcache = [low & 0xffc0_0000 | 1, high & 0xc203_ffff | op << 26];
                [&kcache[..], &[1 << 31, 0x0000_0c90]].concat()
            }
            ("ALU_OP2", _) => alu_clause(low, high & 0xfffc_00ff | op << 8),
            ("ALU_OP3", _) => alu_clause(low, high & 0xffff_1fff | op << 13),
            ("TEX", _) => fetch_clause(0x8080_0000, tex(op, random)),
            ("VTX", _) => fetch_clause(0x8100_0000, vtx(op, random)),
            _ => unreachable!("the table has no other encoding"),
        }
    }

    /// Control flow, ALU clauses and fetch clauses.
    fn words(random: &mut Random) -> Vec<u32> {
        let [a, b] = [random.word(), random.word()];
        match random.below(4) {
            0 => vec![a as u32, (a >> 32) as u32],
            1 => {
                let high = (a >> 32) as u32 & 0x000f_ff7f & if a & 1 == 0 { !0x38000 } else { !0 };
                let mut words = alu_clause(a as u32, high | b as u32 & 0x7ff0_0000);
                if b & 1 == 1 {
                    words[1] += 2 << 18;
                    words.extend([b as u32, (b >> 32) as u32, b as u32 >> 3, 7]);
                }
                words
            }
            2 => fetch_clause(0x8080_0000, tex(16 | b as u32 & 15, random)),
            _ => fetch_clause(0x8100_0000, vtx(b as u32 & 1, random)),
        }
    }

    /// A vector has the words of the instruction, or of its clause.
    fn holds(words: &[u32], vector: &[u32]) -> bool {
        words.windows(vector.len()).any(|part| part == vector)
    }

    fn lift(words: &[u32]) -> Result<(), String> {
        let program = Program::decode(words).map_err(|error| error.to_string())?;
        for kind in [Kind::Vertex, Kind::Geometry, Kind::Pixel] {
            let few = Setup {
                gprs: 10,
                clause_temps: 4,
                ..Setup::all(kind)
            };
            for setup in [Setup::all(kind), few] {
                let lifted = lift(&program, &setup).map_err(|error| error.to_string())?;
                let prepared = DefaultEngine::new().prepare(&lifted.program);
                prepared.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

isa::suite!(Set, 6301);
