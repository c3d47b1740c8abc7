//! Reads the text form of programs, which `crate::print` describes.

use std::str::FromStr;

use crate::analysis::PortEffects;
use crate::op::{LaneOp, WideOp};
use crate::step::{Move, Origin, Program, Src, Step, Swizzle, When};

/// Text that is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected} at `{found}`")]
pub struct ParseError {
    /// Line number from 1.
    pub line: u32,
    /// What would have been right.
    pub expected: &'static str,
    /// The rest of the line, empty at its end.
    pub found: String,
}

impl FromStr for Program {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Program, ParseError> {
        let mut program = Program::default();
        for (index, line) in text.lines().enumerate() {
            let mut line = Line { rest: line.trim() };
            line.line(&mut program).map_err(|expected| ParseError {
                line: index as u32 + 1,
                expected,
                found: line.rest.to_string(),
            })?;
        }
        Ok(program)
    }
}

/// What was expected.
type Expected<T> = Result<T, &'static str>;

/// What is left of a line.
struct Line<'a> {
    rest: &'a str,
}

impl<'a> Line<'a> {
    fn line(&mut self, program: &mut Program) -> Expected<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        if self.eat("rows") {
            program.rows = self.number()?;
        } else if self.eat("temporaries") {
            program.temporaries = self.number()?;
        } else if self.eat("scalars") {
            program.scalars = self.number()?;
        } else if self.eat("exec") {
            program.exec = self.scalar()?;
        } else if self.eat("entry") {
            let address = self.number()?;
            self.expect("@", "`@`")?;
            program.entries.push((address, self.number()?));
        } else if self.eat("reason") {
            program.reasons.push(unescape(self.rest)?);
            self.rest = "";
        } else if self.eat("port") {
            let number: usize = self.number()?;
            if number != program.ports.len() {
                return Err("the number of the next port");
            }
            program.ports.push(self.effects()?);
        } else if self.eat("per_wave") {
            let mut rows = Vec::new();
            self.registers(&mut rows, &mut program.per_wave)?;
            if !rows.is_empty() {
                return Err("scalars");
            }
        } else {
            let index: usize = self.number()?;
            if index != program.steps.len() {
                return Err("the number of the next step");
            }
            self.expect(":", "`:`")?;
            let step = self.step()?;
            self.expect(";", "`;`")?;
            let (pc, word) = (self.number()?, self.number()?);
            program.steps.push(step);
            program.origins.push(Origin { pc, word });
        }
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err("the end of the line")
        }
    }

    fn effects(&mut self) -> Expected<PortEffects> {
        let mut port = PortEffects::default();
        if self.eat("reads") {
            self.registers(&mut port.reads_rows, &mut port.reads_scalars)?;
        }
        if self.eat("writes") {
            self.registers(&mut port.writes_rows, &mut port.writes_scalars)?;
        }
        port.overwrites = self.eat("overwrites");
        port.wave_uniform = self.eat("uniform");
        port.uncounted = self.eat("uncounted");
        port.blind = self.eat("blind");
        port.may_fail = self.eat("fails");
        if self.eat("cost") {
            port.cost = self.number()?;
        }
        Ok(port)
    }

    /// Registers as long as there are some.
    fn registers(&mut self, rows: &mut Vec<u16>, scalars: &mut Vec<u16>) -> Expected<()> {
        let number = |word: &str| word.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        while number(self.word()) {
            match self.source()? {
                Src::Row(at) => rows.push(at),
                Src::Scalar(at) => scalars.push(at),
                Src::Const(_) => return Err("a register"),
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Expected<Step> {
        if self.eat("branch") {
            self.expect("@", "`@`")?;
            let to = self.number()?;
            let when = self.condition()?;
            return Ok(Step::Branch { when, to });
        }
        if self.eat("jump") {
            let target = self.scalar()?;
            return Ok(Step::Indirect { target });
        }
        if self.eat("tick") {
            let instructions = self.number()?;
            return Ok(Step::Tick { instructions });
        }
        if self.eat("port") {
            let port = self.number()?;
            return Ok(Step::Port { port });
        }
        if self.eat("barrier") {
            return Ok(Step::Barrier);
        }
        if self.eat("end") {
            return Ok(Step::End);
        }
        if self.eat("trap") {
            let reason = self.number()?;
            return Ok(Step::Trap { reason });
        }
        if self.eat("mask") {
            return self.compare();
        }
        if self.eat("v[") {
            let (dst, index, end) = self.window()?;
            self.expect("=", "`=`")?;
            let (kind, base) = (Move::ToRow, self.row()?);
            return Ok(relative(kind, dst, base, index, end));
        }
        if self.eat("s[") {
            let (dst, index, end) = self.window()?;
            self.expect("=", "`=`")?;
            let (kind, base) = (Move::ToScalar, self.scalar()?);
            return Ok(relative(kind, dst, base, index, end));
        }
        match self.source()? {
            Src::Row(dst) => self.row_step(dst),
            Src::Scalar(dst) => self.scalar_step(dst),
            Src::Const(_) => Err("a step"),
        }
    }

    fn compare(&mut self) -> Expected<Step> {
        let dst = self.scalar()?;
        self.expect("=", "`=`")?;
        match self.operation()? {
            Operation::Lane(op, src) => Ok(Step::Compare { op, dst, src }),
            Operation::Wide(op, src) => Ok(Step::CompareWide { op, dst, src }),
        }
    }

    /// What follows the destination row `dst`.
    fn row_step(&mut self, dst: u16) -> Expected<Step> {
        if self.eat("[") {
            let lane = self.source()?;
            self.expect("]", "`]`")?;
            self.expect("=", "`=`")?;
            let value = self.source()?;
            return Ok(Step::WriteLane { dst, value, lane });
        }
        self.expect("=", "`=`")?;
        if self.eat("select") {
            let mask = self.scalar()?;
            self.expect("?", "`?`")?;
            let yes = self.source()?;
            self.expect(":", "`:`")?;
            let no = self.source()?;
            return Ok(Step::Select { dst, mask, no, yes });
        }
        if self.eat("lane_id") {
            return Ok(Step::LaneId { dst });
        }
        if self.eat("quad") {
            let src = self.row()?;
            let mut lanes = [0; 4];
            for lane in &mut lanes {
                *lane = self.number()?;
            }
            let pattern = Swizzle::Quad(lanes);
            return Ok(Step::Swizzle { dst, src, pattern });
        }
        if self.eat("bits") {
            let src = self.row()?;
            let (and, or, xor) = (self.number()?, self.number()?, self.number()?);
            let pattern = Swizzle::Bits { and, or, xor };
            return Ok(Step::Swizzle { dst, src, pattern });
        }
        if self.eat("v[") {
            let (base, index, end) = self.window()?;
            return Ok(relative(Move::FromRow, dst, base, index, end));
        }
        match self.operation()? {
            Operation::Lane(op, src) => Ok(Step::Alu { op, dst, src }),
            Operation::Wide(op, src) => Ok(Step::Wide { op, dst, src }),
        }
    }

    /// What follows the destination scalar `dst`.
    fn scalar_step(&mut self, dst: u16) -> Expected<Step> {
        self.expect("=", "`=`")?;
        if self.eat("first") {
            let src = self.row()?;
            return Ok(Step::ReadFirstLane { dst, src });
        }
        if self.eat("s[") {
            let (base, index, end) = self.window()?;
            return Ok(relative(Move::FromScalar, dst, base, index, end));
        }
        if self.rest.starts_with('v') {
            let src = self.row()?;
            self.expect("[", "`[`")?;
            let lane = self.source()?;
            self.expect("]", "`]`")?;
            return Ok(Step::ReadLane { dst, src, lane });
        }
        match self.operation()? {
            Operation::Lane(op, src) => Ok(Step::Uniform { op, dst, src }),
            Operation::Wide(op, src) => Ok(Step::UniformWide { op, dst, src }),
        }
    }

    fn operation(&mut self) -> Expected<Operation> {
        let name = self.word();
        let lane = LaneOp::from_name(name);
        let wide = WideOp::from_name(name);
        let count = match (lane, wide) {
            (Some(op), _) => op.params().len(),
            (None, Some(op)) => op.params().len(),
            (None, None) => return Err("an operation"),
        };
        self.rest = self.rest[name.len()..].trim_start();
        let mut src = [Src::Const(0); 3];
        for (index, src) in src[..count].iter_mut().enumerate() {
            if index > 0 {
                self.expect(",", "`,`")?;
            }
            *src = self.source()?;
        }
        match (lane, wide) {
            (Some(op), _) => Ok(Operation::Lane(op, src)),
            (None, Some(op)) => Ok(Operation::Wide(op, src)),
            (None, None) => Err("an operation"),
        }
    }

    fn condition(&mut self) -> Expected<When> {
        if !self.eat("if") {
            return Ok(When::Always);
        }
        let mask = self.eat("mask");
        let at = self.scalar()?;
        let zero = self.eat("==");
        if !zero {
            self.expect("!=", "`==` or `!=`")?;
        }
        self.expect("0", "`0`")?;
        Ok(match (mask, zero) {
            (false, true) => When::Zero(at),
            (false, false) => When::NonZero(at),
            (true, true) => When::MaskZero(at),
            (true, false) => When::MaskNonZero(at),
        })
    }

    /// `base + index < end]`
    fn window(&mut self) -> Expected<(u16, Src, u16)> {
        let base = self.number()?;
        self.expect("+", "`+`")?;
        let index = self.source()?;
        self.expect("<", "`<`")?;
        let end = self.number()?;
        self.expect("]", "`]`")?;
        Ok((base, index, end))
    }

    fn source(&mut self) -> Expected<Src> {
        if self.rest.starts_with('v') {
            self.row().map(Src::Row)
        } else if self.rest.starts_with('s') {
            self.scalar().map(Src::Scalar)
        } else {
            self.number().map(Src::Const)
        }
    }

    fn row(&mut self) -> Expected<u16> {
        self.register('v', "a row")
    }

    fn scalar(&mut self) -> Expected<u16> {
        self.register('s', "a scalar")
    }

    fn register(&mut self, file: char, expected: &'static str) -> Expected<u16> {
        let word = self.word();
        let number = word.strip_prefix(file).and_then(|n| n.parse().ok());
        let number = number.ok_or(expected)?;
        self.rest = self.rest[word.len()..].trim_start();
        Ok(number)
    }

    /// A decimal number, or a hexadecimal one behind `0x`.
    fn number<T: TryFrom<u64>>(&mut self) -> Expected<T> {
        let word = self.word();
        let value = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        let value = value.ok().and_then(|value| T::try_from(value).ok());
        let value = value.ok_or("a number in range")?;
        self.rest = self.rest[word.len()..].trim_start();
        Ok(value)
    }

    /// The letters, digits and underscores ahead.
    fn word(&self) -> &'a str {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    /// Takes `token` if it is next; a word only as a whole.
    fn eat(&mut self, token: &str) -> bool {
        let word = token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if word && self.word() != token {
            return false;
        }
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> Expected<()> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(expected)
        }
    }
}

/// An operation with its operands.
enum Operation {
    Lane(LaneOp, [Src; 3]),
    Wide(WideOp, [Src; 3]),
}

fn relative(kind: Move, dst: u16, base: u16, index: Src, end: u16) -> Step {
    Step::Relative {
        kind,
        dst,
        base,
        index,
        end,
    }
}

/// Undoes `str::escape_default`.
fn unescape(text: &str) -> Expected<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        let escaped = chars.next().ok_or("an escape")?;
        rest = chars.as_str();
        out.push(match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let end = rest.find('}').ok_or("`}`")?;
                let digits = rest[..end].strip_prefix('{').ok_or("`{`")?;
                rest = &rest[end + 1..];
                let code = u32::from_str_radix(digits, 16).ok();
                code.and_then(char::from_u32).ok_or("a character")?
            }
            other => other,
        });
    }
    out.push_str(rest);
    Ok(out)
}
