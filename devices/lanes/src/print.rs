//! The text form of programs: one step a line, for dumps and snapshots. [`crate::parse`] reads it back.
//!
//! ```text
//! rows 8
//! temporaries 2
//! scalars 16
//! exec s0
//! entry 0x40 @2
//! reason there is no opcode 127
//! port 0 reads v1 s2 writes s4 overwrites uniform uncounted blind fails
//! per_wave s0 s1
//! 0: v3 = FAdd v1, 0x3f800000 ; 0x0 0x06060280
//! 1: branch @3 if s2 != 0 ; 0x4 0xbf850001
//! 2: trap 0 ; 0x8 0x00000000
//! 3: end ; 0xc 0xbf810000
//! ```
//!
//! `v` names rows, `s` scalars, `@` steps; behind the semicolon stand the origin's byte offset and word.

use std::fmt::{Display, Formatter, Result};

use crate::analysis::PortEffects;
use crate::op::Operand;
use crate::step::{Move, Program, Src, Step, Swizzle, When};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter) -> Result {
        writeln!(f, "rows {}", self.rows)?;
        if self.temporaries != 0 {
            writeln!(f, "temporaries {}", self.temporaries)?;
        }
        writeln!(f, "scalars {}", self.scalars)?;
        writeln!(f, "exec s{}", self.exec)?;
        for (address, step) in &self.entries {
            writeln!(f, "entry {address:#x} @{step}")?;
        }
        for reason in &self.reasons {
            writeln!(f, "reason {}", reason.escape_default())?;
        }
        for (number, port) in self.ports.iter().enumerate() {
            writeln!(f, "port {number}{port}")?;
        }
        if !self.per_wave.is_empty() {
            writeln!(f, "per_wave{}", Registers('s', &self.per_wave))?;
        }
        for (index, step) in self.steps.iter().enumerate() {
            let origin = self.origins.get(index).copied().unwrap_or_default();
            let (pc, word) = (origin.pc, origin.word);
            writeln!(f, "{index}: {step} ; {pc:#x} {word:#010x}")?;
        }
        Ok(())
    }
}

impl Display for PortEffects {
    fn fmt(&self, f: &mut Formatter) -> Result {
        for (word, rows, scalars) in [
            ("reads", &self.reads_rows, &self.reads_scalars),
            ("writes", &self.writes_rows, &self.writes_scalars),
        ] {
            if !(rows.is_empty() && scalars.is_empty()) {
                write!(
                    f,
                    " {word}{}{}",
                    Registers('v', rows),
                    Registers('s', scalars)
                )?;
            }
        }
        for (word, holds) in [
            ("overwrites", self.overwrites),
            ("uniform", self.wave_uniform),
            ("uncounted", self.uncounted),
            ("blind", self.blind),
            ("fails", self.may_fail),
        ] {
            if holds {
                write!(f, " {word}")?;
            }
        }
        match self.cost {
            0 => Ok(()),
            cost => write!(f, " cost {cost}"),
        }
    }
}

/// Registers of a file, a space before each.
struct Registers<'a>(char, &'a [u16]);

impl Display for Registers<'_> {
    fn fmt(&self, f: &mut Formatter) -> Result {
        let mut numbers = self.1.iter();
        numbers.try_for_each(|number| write!(f, " {}{number}", self.0))
    }
}

impl Display for Src {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Src::Row(at) => write!(f, "v{at}"),
            Src::Scalar(at) => write!(f, "s{at}"),
            Src::Const(value) => write!(f, "{value:#x}"),
        }
    }
}

impl Display for When {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            When::Always => Ok(()),
            When::Zero(at) => write!(f, " if s{at} == 0"),
            When::NonZero(at) => write!(f, " if s{at} != 0"),
            When::MaskZero(at) => write!(f, " if mask s{at} == 0"),
            When::MaskNonZero(at) => write!(f, " if mask s{at} != 0"),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match *self {
            Step::Alu { op, dst, src } => {
                write!(f, "v{dst} = {}{}", op.name(), List(src, op.params()))
            }
            Step::Wide { op, dst, src } => {
                write!(f, "v{dst} = {}{}", op.name(), List(src, op.params()))
            }
            Step::Compare { op, dst, src } => {
                write!(f, "mask s{dst} = {}{}", op.name(), List(src, op.params()))
            }
            Step::CompareWide { op, dst, src } => {
                write!(f, "mask s{dst} = {}{}", op.name(), List(src, op.params()))
            }
            Step::Uniform { op, dst, src } => {
                write!(f, "s{dst} = {}{}", op.name(), List(src, op.params()))
            }
            Step::UniformWide { op, dst, src } => {
                write!(f, "s{dst} = {}{}", op.name(), List(src, op.params()))
            }
            Step::Select { dst, mask, no, yes } => {
                write!(f, "v{dst} = select s{mask} ? {yes} : {no}")
            }
            Step::ReadLane { dst, src, lane } => write!(f, "s{dst} = v{src}[{lane}]"),
            Step::ReadFirstLane { dst, src } => write!(f, "s{dst} = first v{src}"),
            Step::WriteLane { dst, value, lane } => write!(f, "v{dst}[{lane}] = {value}"),
            Step::LaneId { dst } => write!(f, "v{dst} = lane_id"),
            Step::Relative {
                kind,
                dst,
                base,
                index,
                end,
            } => match kind {
                Move::FromRow => write!(f, "v{dst} = v[{base} + {index} < {end}]"),
                Move::ToRow => write!(f, "v[{dst} + {index} < {end}] = v{base}"),
                Move::FromScalar => write!(f, "s{dst} = s[{base} + {index} < {end}]"),
                Move::ToScalar => write!(f, "s[{dst} + {index} < {end}] = s{base}"),
            },
            Step::Swizzle { dst, src, pattern } => match pattern {
                Swizzle::Quad([a, b, c, d]) => write!(f, "v{dst} = quad v{src} {a} {b} {c} {d}"),
                Swizzle::Bits { and, or, xor } => {
                    write!(f, "v{dst} = bits v{src} {and} {or} {xor}")
                }
            },
            Step::Branch { when, to } => write!(f, "branch @{to}{when}"),
            Step::Indirect { target } => write!(f, "jump s{target}"),
            Step::Tick { instructions } => write!(f, "tick {instructions}"),
            Step::Port { port } => write!(f, "port {port}"),
            Step::Barrier => write!(f, "barrier"),
            Step::End => write!(f, "end"),
            Step::Trap { reason } => write!(f, "trap {reason}"),
        }
    }
}

/// The operands that an operation has.
struct List<'a>([Src; 3], &'a [Operand]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter) -> Result {
        for (index, src) in self.0[..self.1.len()].iter().enumerate() {
            write!(f, "{} {src}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}
