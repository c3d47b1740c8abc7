//! Instructions as text.
//!
//! ```text
//! instruction = ("ALU" | "OUT") flags half "/" half
//!             | "TEX" flags texop ["_acquire"] ["_uncovered"] ["_unscaled"] register "=" "t" number "." channels
//!               "," register {"," register} {predicate}
//!             | "FC" flags fcop field {"," field} {predicate}
//!             | ".words" word "," word "," word "," word "," word "," word
//! flags       = {".wait" | ".inactive" | ".last" | ".nop" | ".aluwait" | ".stat" number
//!             | ".red" test | ".alpha" test}
//! half        = opcode [omod] ["_sat"] {target ","} "=" [input {"," input}] ["[" source {"," source} ["," presub] "]"]
//!               {predicate}
//! omod        = "_x2" | "_x4" | "_x8" | "_d2" | "_d4" | "_d8" | "_raw"
//! target      = register | ("A" | "B" | "C" | "D") "." channels | "P" test "." channels | "W"
//! test        = "eq" | "lt" | "ge" | "ne"
//! input       = ["-"] (select | "|" select "|") "." ("r" | "g" | "b" | "a" | "0" | "h" | "1" | "_") ...
//! select      = "src0" | "src1" | "src2" | "srcp"
//! source      = ("T" | "C") (number | "[" number "+aL]") | "K" number
//! presub      = "bias" | "sub" | "add" | "inv"
//! register    = "T" (number | "[" number "+aL]") ["." channels]
//! predicate   = ("?" | "a?") ["!"] ["rgba" | "r" | "g" | "b" | "a"]
//! field       = "func" word | "any" | "else" | "push" | "pop" | "stay" counter | "jump" counter | "count" number
//!             | "uncovered" | "bool" number | "int" number | "to" number | "global"
//! counter     = "incr" | "decr"
//! ```
//!
//! The first half is colour. `.red` and `.alpha` write the ALU result, `A` to `D` are render targets, `P` predicates, `W`
//! is the depth, `K` a number of four exponent and three mantissa bits. Inputs and sources that are missing are zero.
//! `a?` is the predicate of alpha in TEX. `.words` has bits that no text names.

mod parse;
mod print;

use isa::text::statements;
use isa::{Line, TextError};

use super::Inst;

/// Letters of channels.
const CHANNELS: [char; 4] = ['r', 'g', 'b', 'a'];

/// Text to words, six an instruction. Labels are addresses that `to` may name.
pub fn assemble(text: &str) -> Result<Vec<Vec<u32>>, TextError> {
    let lines = statements(text);
    let mut labels = std::collections::HashMap::new();
    let mut at = 0;
    for line in &lines {
        labels.extend(line.labels.iter().map(|label| (*label, at)));
        at += usize::from(!line.text.is_empty());
    }
    let address = |name: &str| labels.get(name).map(|at| *at as u16);
    crate::isa::assemble(&lines, |text| {
        parse::inst(text, &address).map(|inst| inst.encode())
    })
}

/// Words to text.
pub fn disassemble(words: &[u32]) -> Result<Vec<Line>, TextError> {
    crate::isa::disassemble(words, |words: [u32; 6]| {
        Inst::decode(words).map(|inst| inst.to_string())
    })
}
