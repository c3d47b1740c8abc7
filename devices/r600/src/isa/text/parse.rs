//! Text to programs.

use std::collections::HashMap;

use isa::TextError;
use isa::text::{Cursor, Number};

use super::super::alu::AluOp;
use super::super::cf::{AluClauseOp, AluHead, CfOp, CfSem, Flow};
use super::super::export::{ExportOp, MemoryOp};
use super::super::fetch::{TexOp, VtxOp};
use super::super::program::{ALU_CLAUSE_SLOTS, Cf, FETCH_CLAUSE_INSTS, Numbering, Program};
use super::group::Pending;
use super::{control, fetch};

/// A program with the line of each control-flow instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The program, its clauses placed.
    pub program: Program,
    /// Line numbers from 1.
    pub lines: Vec<u32>,
}

/// A control-flow instruction as far as it is read.
pub(super) struct Started {
    pub(super) cf: Cf,
    /// The name that ADDR gives.
    pub(super) target: Option<String>,
    /// Whether ADDR was given.
    pub(super) placed: bool,
    /// CNT.
    pub(super) count: Option<usize>,
    line: u32,
}

impl Started {
    pub(super) fn new(cf: Cf) -> Started {
        Started {
            cf,
            target: None,
            placed: false,
            count: None,
            line: 0,
        }
    }
}

#[derive(Default)]
struct Parser {
    done: Vec<Started>,
    labels: HashMap<String, u32>,
    group: Option<Pending>,
    /// Line of the last instruction of `group`.
    group_line: u32,
    /// Line of the error, where it is not the line being read.
    wrong_line: Option<u32>,
    program: Program,
    slots: Option<u32>,
}

/// The program of a text; see the module's page for what it may hold.
pub fn parse(text: &str) -> Result<Parsed, TextError> {
    let mut parser = Parser::default();
    let wrong = |line: u32, reason: String| {
        let text = text.lines().nth(line as usize - 1).unwrap_or("").trim();
        TextError::Line {
            line,
            text: text.to_owned(),
            reason,
        }
    };
    let mut last = 1;
    for (index, line) in text.lines().enumerate() {
        last = index as u32 + 1;
        let line = without_comment(line);
        if !line.trim().is_empty() {
            let read = parser.line(last, line);
            read.map_err(|reason| wrong(parser.wrong_line.unwrap_or(last), reason))?;
        }
    }
    let read = parser.end_group();
    read.map_err(|reason| wrong(parser.wrong_line.unwrap_or(last), reason))?;
    parser
        .finish()
        .map_err(|(line, reason)| wrong(line, reason))
}

fn without_comment(line: &str) -> &str {
    let marks = ["//", ";", "#"].iter();
    let end = marks.filter_map(|mark| line.find(mark)).min();
    &line[..end.unwrap_or(line.len())]
}

/// A whole number that fits.
pub(super) fn number<T: TryFrom<i64>>(cursor: &mut Cursor<'_>) -> Result<T, String> {
    let here = cursor.here();
    let value = cursor.integer().and_then(|n| T::try_from(n).ok());
    value.ok_or_else(|| format!("expected a number that fits{here}"))
}

impl Parser {
    fn line(&mut self, line: u32, text: &str) -> Result<(), String> {
        let mut cursor = Cursor::new(text);
        if cursor.peek() == Some('.') {
            return self.directive(&mut cursor);
        }
        let given = cursor.number();
        let word = cursor.word().ok_or("expected an instruction")?;
        if !cursor.eat(":") {
            self.end_group()?;
            return self.fetch(word, &mut cursor);
        }
        if let Some(unit) = super::group::unit(word) {
            if given.is_some() || self.group.is_none() {
                self.end_group()?;
                self.group = Some(Pending::default());
            }
            if !matches!(
                self.done.last(),
                Some(Started {
                    cf: Cf::Alu { .. },
                    ..
                })
            ) {
                return Err("an ALU instruction without a clause before it".into());
            }
            let group = self.group.get_or_insert_default();
            self.group_line = line;
            return group.instruction(unit, &mut cursor);
        }
        self.end_group()?;
        let Some(mut started) = start(word) else {
            if given.is_none() && cursor.is_end() {
                let at = self.done.len() as u32;
                return match self.labels.insert(word.to_owned(), at) {
                    None => Ok(()),
                    Some(_) => Err(format!("label `{word}` is there twice")),
                };
            }
            return Err(format!("no control-flow instruction `{word}`"));
        };
        let at = self.done.len() as u64;
        if given.is_some_and(|given| given != Number::Integer(at)) {
            return Err(format!("this is instruction {at}"));
        }
        control::fields(&mut started, &mut cursor)?;
        started.line = line;
        self.done.push(started);
        Ok(())
    }

    fn directive(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        self.end_group()?;
        match cursor.word() {
            Some(".manual") => self.program.numbering = Numbering::Manual,
            Some(".later_mova") => self.program.later_mova = true,
            Some(".slots") => self.slots = Some(number(cursor)?),
            Some(".data") => {
                let slot = number(cursor)?;
                let Some(Number::Integer(word)) = cursor.number() else {
                    return Err("expected 64 bits".into());
                };
                self.program.data.push((slot, word));
            }
            _ => {
                return Err("no such directive; .manual, .later_mova, .slots and .data are".into());
            }
        }
        end(cursor)
    }

    fn fetch(&mut self, word: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let Some(Started {
            cf: Cf::Fetch { insts, head },
            ..
        }) = self.done.last_mut()
        else {
            return Err(format!("`{word}` without a fetch clause before it"));
        };
        let inst = if let Some(op) = VtxOp::from_name(word) {
            fetch::vtx(op, cursor)?
        } else if let Some(op) = TexOp::from_name(word) {
            if head.op.sem() != CfSem::Tex {
                return Err(format!("`{word}` in a clause of {}", head.op.name()));
            }
            fetch::tex(op, cursor)?
        } else {
            return Err(format!("no instruction `{word}`"));
        };
        insts.push(inst);
        end(cursor)
    }

    fn end_group(&mut self) -> Result<(), String> {
        let Some(group) = self.group.take() else {
            return Ok(());
        };
        self.wrong_line = Some(self.group_line);
        let group = group.finish()?;
        self.wrong_line = None;
        if let Some(Started {
            cf: Cf::Alu { groups, .. },
            ..
        }) = self.done.last_mut()
        {
            groups.push(group);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Parsed, (u32, String)> {
        let clauses = || {
            self.done
                .iter()
                .filter(|s| !matches!(s.cf, Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_)))
        };
        let placed = clauses().filter(|started| started.placed).count();
        if placed != 0
            && let Some(other) = clauses().find(|started| !started.placed)
        {
            return Err((
                other.line,
                "other clauses have an ADDR, this has not".into(),
            ));
        }
        for started in &mut self.done {
            started
                .settle(&self.labels)
                .map_err(|reason| (started.line, reason))?;
        }
        let lines = self.done.iter().map(|started| started.line).collect();
        let mut program = self.program;
        program.cf = self.done.into_iter().map(|started| started.cf).collect();
        if placed == 0 {
            program.place();
        }
        let implied = program.implied_slots() as u32;
        program.slots = self.slots.unwrap_or(program.slots.max(implied));
        Ok(Parsed { program, lines })
    }
}

/// The instruction of a control-flow mnemonic.
fn start(word: &str) -> Option<Started> {
    let cf = if let Some(op) = AluClauseOp::from_name(word) {
        Cf::Alu {
            head: AluHead::new(op),
            groups: Vec::new(),
        }
    } else if let Some(op) = CfOp::from_name(word) {
        match op.sem() {
            CfSem::Tex | CfSem::Vtx => Cf::Fetch {
                head: Flow::new(op),
                insts: Vec::new(),
            },
            _ => Cf::Flow(Flow::new(op)),
        }
    } else if let Some(op) =
        ExportOp::from_name(word).or((word == "EXP").then_some(ExportOp::EXPORT))
    {
        Cf::Export(control::export(op))
    } else {
        Cf::Memory(control::memory(MemoryOp::from_name(word)?))
    };
    Some(Started::new(cf))
}

impl Started {
    /// Fills in what depends on the rest of the program.
    fn settle(&mut self, labels: &HashMap<String, u32>) -> Result<(), String> {
        if let Some(name) = &self.target {
            let at = labels
                .get(name)
                .ok_or_else(|| format!("no label `{name}`"))?;
            match &mut self.cf {
                Cf::Flow(inst) => inst.addr = *at,
                _ => return Err(format!("`{name}` is no place for a clause")),
            }
        }
        let (count, limit, unit) = match &self.cf {
            Cf::Alu { groups, .. } => {
                let count = groups.iter().map(|group| group.size()).sum();
                (count, ALU_CLAUSE_SLOTS, "slots")
            }
            Cf::Fetch { insts, .. } => (insts.len(), FETCH_CLAUSE_INSTS, "instructions"),
            _ => return Ok(()),
        };
        if count == 0 || count > limit {
            return Err(format!(
                "the clause has {count} {unit}, 1 to {limit} are possible"
            ));
        }
        if self.count.is_some_and(|said| said != count) {
            return Err(format!("the clause has {count} {unit}"));
        }
        match &mut self.cf {
            Cf::Alu { head, .. } => head.count = count as u8 - 1,
            Cf::Fetch { head, .. } => head.count = count as u8 - 1,
            _ => {}
        }
        Ok(())
    }
}

/// Whether the line is read to its end.
pub(super) fn end(cursor: &Cursor<'_>) -> Result<(), String> {
    match cursor.is_end() {
        true => Ok(()),
        false => Err(format!("`{}` means nothing here", cursor.rest())),
    }
}

/// The opcode of a mnemonic, with the short forms of other listings.
pub(super) fn alu_op(word: &str) -> Option<AluOp> {
    let long = || AluOp::from_name(&format!("{}_IEEE", word.strip_suffix("_e")?));
    AluOp::from_name(word).or_else(long)
}
