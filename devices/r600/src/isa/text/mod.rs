//! Text of programs, in the style of AMD's shader analyzer.
//!
//! ```text
//! 00 ALU_PUSH_BEFORE: ADDR(6) CNT(5) KCACHE0(CB0:0-15)
//!       0  x: MUL_IEEE    R0.x, R1.x, KC0[2].x
//!          y: ADD         ____.y, -|R1.z|, (0x40490fdb, 3.1415927).x  VEC_120
//!          t: RECIP_IEEE  R2.w, R1.w
//!       1  x: PRED_SETNE  ____.x, PV.y, 0.0  UPDATE_EXEC_MASK
//! 01 JUMP: ADDR(4)
//! 02 TEX: ADDR(12) CNT(1)
//!          SAMPLE      R0.xyz1, R1.xy00, t0, s0
//! 03 NOP: NO_BARRIER
//! 04 POP: POP_CNT(1) ADDR(5)
//! 05 EXP_DONE: PIX0, R0.xyz1  END_OF_PROGRAM
//! ```
//!
//! A line that begins with a control-flow mnemonic and a colon is a control-flow instruction; its number, counted from
//! 0, may be left out. The lines after it are its clause. What is not written is zero; BARRIER is set unless NO_BARRIER
//! stands there. A line `name:` marks the next control-flow instruction; ADDR(name) jumps there. `;`, `//` and `#`
//! start comments.
//!
//! | Control flow | Means |
//! |---|---|
//! | `ADDR(n)` | jump target, or first slot of the clause. Where no clause has one the assembler places all. |
//! | `CNT(n)` | slots of an ALU clause, instructions of a fetch clause; checked if given |
//! | `KCACHE0(CB2:16-47)` | locks constants of buffer 2 for group 0: 16 are one line, 32 are two; `KCACHE0(CB2:16+AL)` moves with the loop index |
//! | `POP_CNT(n)`, `CONST(n)`, `COND(BOOL)`, `CALL_CNT(n)` | fields of these names |
//! | `WATERFALL`, `WQM`, `VPM`, `END_OF_PROGRAM` | flags |
//! | `EXP: PARAM3, R7.xy01, BURST_CNT(2)` | exports R7 and R8 to PARAM3 and PARAM4; targets by ARRAY_BASE: PIX0, PIX61, POS60, PARAM0 |
//! | `MEM_SCRATCH: WRITE_IND(2+R6), R5.xy__, SIZE(8) ELEM_SIZE(4)` | base 2, index R6.x, elements X and Y |
//!
//! An ALU line is `number unit: MNEMONIC dst, sources  flags`. A number starts a group; instructions without one go on
//! with it. Units are x, y, z, w, t. The destination `____.x` is not written. Sources are registers (`R1.x`), locked
//! constants (`KC0[2].x`), the constant file (`C[5].w`), `PV.x`, `PS`, inline constants (`0.0`, `1.0`, `0.5`, `1i`,
//! `-1i`) and literals, with their value and place (`(0x40490fdb, 3.1415927).x`) or as a bare number that the assembler
//! places. Indexed ones are written `R[1+AR.x].x`, `KC0[2+AL].x`. Flags are `*2`, `*4`, `/2`, `CLAMP`, `VEC_120` or
//! `SCL_122` (bank swizzle), `UPDATE_PRED`, `UPDATE_EXEC_MASK`, `PRED_SEL_ZERO`, `PRED_SEL_ONE`, `NO_WRITE`,
//! `INDEX(AR.y)`. Where no instruction of a group names a bank swizzle and zero would collide, the assembler finds one.
//! `MUL_e` and the like are read as `MUL_IEEE`.
//!
//! A texture line is `SAMPLE R0.xyz1, R1.xy00, t0, s0` with flags `UNNORM(xyzw)`, `OFFSET(x,y,z)` in half texels,
//! `LOD_BIAS(n)` in sixteenths, `WHOLE_QUAD`, `BC_FRAC`; a vertex line `VFETCH R1.xyz1, R0.x, fc0` with flags
//! `MEGA(bytes)` or `MINI(bytes)`, `OFFSET(n)`, `FORMAT(code)`, `NUM(INT)`, `SIGNED`, `NO_ZERO`, `USE_CONST_FIELDS`,
//! `ENDIAN(8IN32)`, `TYPE(INSTANCE_DATA)`, `NO_STRIDE`, `WHOLE_QUAD`. `VFETCH_SEMANTIC S[3].xyzw, ...` names a semantic.
//!
//! `.manual` on a line of its own asks for the manual's opcode numbers of control flow, which the chip does not read
//! ([`Numbering`](super::Numbering)); `.later_mova` says that MOVA_INT has the number of later chips, `.slots n` how
//! long the program is, `.data n 0x…` what lies in a slot outside all instructions.

mod control;
mod fetch;
mod group;
mod parse;
mod print;

use isa::{Line, TextError};

use super::check::check;
use super::program::{Cf, Numbering, Program};
use crate::CHIP;

pub use parse::{Parsed, parse};

/// Text to words: one entry for every instruction, in address order, so that all entries together are the program.
///
/// The control flow comes first, two words a line, then the clauses: two words an ALU instruction, the last of a group
/// with its literals; four a fetch. Zeros between clauses are entries of their own. Illegal programs are refused.
pub fn assemble(text: &str) -> Result<Vec<Vec<u32>>, TextError> {
    let Parsed { program, lines } = parse(text)?;
    let line_of = |cf: Option<usize>| {
        let line = cf.and_then(|cf| lines.get(cf)).copied().unwrap_or(1);
        let text = text.lines().nth(line as usize - 1).unwrap_or("").trim();
        (line, text.to_owned())
    };
    if let Err(illegal) = check(&program) {
        let (line, text) = line_of(illegal.cf());
        let reason = illegal.to_string();
        return Err(TextError::Line { line, text, reason });
    }
    let words = program.encode().map_err(|error| {
        let (line, text) = line_of(error.cf());
        let reason = error.to_string();
        TextError::Line { line, text, reason }
    })?;
    Ok(pieces(&program, &words))
}

/// The words of a program, cut into instructions.
fn pieces(program: &Program, words: &[u32]) -> Vec<Vec<u32>> {
    let mut cuts = vec![0, words.len()];
    cuts.extend((0..program.cf.len()).map(|cf| 2 * cf + 2));
    for cf in &program.cf {
        match cf {
            Cf::Alu { head, groups } => {
                let mut at = 2 * head.addr as usize;
                cuts.push(at);
                for group in groups {
                    let count = group.insts().count();
                    cuts.extend((1..count).map(|n| at + 2 * n));
                    at += 2 * group.size();
                    cuts.push(at);
                }
            }
            Cf::Fetch { head, insts } => {
                let at = 2 * head.addr as usize;
                cuts.extend((0..=insts.len()).map(|n| at + 4 * n));
            }
            _ => {}
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2)
        .map(|cut| words[cut[0]..cut[1]].to_vec())
        .collect()
}

/// Words to text: every control-flow instruction with its clause after it.
pub fn disassemble(words: &[u32]) -> Result<Vec<Line>, TextError> {
    let program = Program::decode(words).map_err(|error| TextError::Word {
        chip: CHIP,
        pc: error.pc,
        word: error.word,
        reason: error.reason.to_string(),
    })?;
    Ok(listing(&program, words))
}

/// The lines of a program that has these words.
pub fn listing(program: &Program, words: &[u32]) -> Vec<Line> {
    let mut lines = Vec::new();
    let line = |slot: u32, slots: usize, text: String| Line {
        pc: 8 * slot,
        words: words[2 * slot as usize..][..2 * slots].to_vec(),
        text,
    };
    let note = |text: String| Line {
        pc: 0,
        words: Vec::new(),
        text,
    };
    if program.numbering == Numbering::Manual {
        lines.push(note(".manual".into()));
    }
    if program.later_mova {
        lines.push(note(".later_mova".into()));
    }
    if program.slots as usize != program.implied_slots() {
        lines.push(note(format!(".slots {}", program.slots)));
    }
    let mut number = 0;
    for (at, cf) in program.cf.iter().enumerate() {
        lines.push(line(at as u32, 1, format!("{at:02} {}", print::cf(cf))));
        match cf {
            Cf::Alu { head, groups } => {
                let mut slot = head.addr;
                for group in groups {
                    for (text, slots) in print::group(group, number) {
                        lines.push(line(slot, slots, text));
                        slot += slots as u32;
                    }
                    number += 1;
                }
            }
            Cf::Fetch { head, insts } => {
                for (n, inst) in insts.iter().enumerate() {
                    let text = format!("{:>7}  {}", number, print::fetch(inst));
                    lines.push(line(head.addr + 2 * n as u32, 2, text));
                    number += 1;
                }
            }
            _ => {}
        }
    }
    for (slot, word) in &program.data {
        lines.push(line(*slot, 1, format!(".data {slot} {word:#018x}")));
    }
    lines
}
