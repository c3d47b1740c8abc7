//! Text to groups.
//!
//! Operands that are the same in every group of a kind are not looked at one by one: a group's own text has to be the text
//! that was read.

use std::str::FromStr;

use super::operations;
use crate::isa::phase2::{Feed, Selectors};
use crate::isa::{Body, Condition, Forms, Group, Register};

impl FromStr for Group {
    type Err = String;

    fn from_str(text: &str) -> Result<Group, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let group = parse(&text)?;
        let meant = group.to_string();
        match meant == text {
            true => Ok(group),
            false => Err(format!("this would be `{meant}`")),
        }
    }
}

/// Takes a word and the space behind it.
fn eat(text: &mut &str, word: &str) -> bool {
    let rest = text
        .strip_prefix(word)
        .and_then(|rest| rest.strip_prefix(' '));
    if let Some(rest) = rest {
        *text = rest;
    }
    rest.is_some()
}

fn parse(text: &str) -> Result<Group, String> {
    let mut rest = text;
    let mut condition = Condition::PE;
    for found in [Condition::P0, Condition::IGNORE_PE, Condition::NOT_P0] {
        if eat(&mut rest, found.name()) {
            condition = found;
        }
    }
    let end = eat(&mut rest, "end");
    let atomic = eat(&mut rest, "atom");
    let output_lock = eat(&mut rest, "olchk");
    let repeat = (2..=4)
        .find(|n| eat(&mut rest, &format!("rpt{n}")))
        .unwrap_or(1);
    let (kind, rest) = rest
        .split_once(" { ")
        .ok_or("a group is `kind { operations } [registers]`")?;
    let (operations, rest) = rest
        .split_once(" } [")
        .ok_or("no ` } [` after the operations")?;
    // An indexed register has brackets of its own.
    let at = rest.rfind(']').ok_or("no `]` after the registers")?;
    let (binds, rest) = (&rest[..at], &rest[at + 1..]);
    let pad = match rest {
        "" => 0,
        _ => match rest
            .strip_prefix(" pad")
            .and_then(|words| words.parse().ok())
        {
            Some(words @ 1..=15) => words,
            _ => return Err(format!("`{rest}` is no padding of 1 to 15 words")),
        },
    };
    let operations = operations.split("; ");
    let mut body = match kind {
        "main" => operations::main(operations)?,
        "bitwise" => operations::bitwise(operations)?,
        "control" => operations::control(operations)?,
        _ => return Err(format!("`{kind}` is not main, bitwise or control")),
    };
    let mut sources = [None; 6];
    let mut w = [None; 2];
    let mut selectors = Selectors::default();
    for bind in binds.split(", ").filter(|bind| !bind.is_empty()) {
        let (name, value) = bind
            .split_once('=')
            .ok_or_else(|| format!("`{bind}` has no `=`"))?;
        let (letters, number) = name.split_at(name.len().saturating_sub(1));
        match (letters, number.parse::<usize>()) {
            ("s", Ok(n @ 0..=5)) => sources[n] = Some(Register::parse(value)?),
            ("w", Ok(n @ 0..=1)) => w[n] = Some(Register::parse(value)?),
            ("is", Ok(n @ 0..=5)) => select(&mut selectors, n, value)?,
            _ => return Err(format!("`{name}` is nothing that a register is given to")),
        }
    }
    if let Body::Main(main) = &mut body {
        main.selectors = selectors;
    }
    let [lower, upper] = [0, 3].map(|first| half(&sources[first..first + 3]));
    Ok(Group {
        forms: Forms::default(),
        condition,
        end,
        atomic,
        output_lock,
        repeat,
        body,
        lower,
        upper,
        w,
        pad,
    })
}

/// Sources up to the last that is named.
fn half(sources: &[Option<Register>]) -> Vec<Register> {
    let count = sources
        .iter()
        .rposition(Option::is_some)
        .map_or(0, |last| last + 1);
    let named = sources.iter().take(count);
    named
        .map(|source| source.unwrap_or(Register::ZERO))
        .collect()
}

fn select(selectors: &mut Selectors, n: usize, value: &str) -> Result<(), String> {
    let wrong = || format!("IS{n} cannot be `{value}`");
    let feed = Feed::from_name(value);
    match n {
        0 => {
            let slot = value.strip_prefix('s').and_then(|slot| slot.parse().ok());
            selectors.is0 = slot.filter(|slot| *slot < 6).ok_or_else(wrong)?;
        }
        1 => selectors.is1_fte = feed == Some(Feed::FTE),
        2 => selectors.is2_fte = feed == Some(Feed::FTE),
        3 if value == "s2" => selectors.is3 = Feed::FT2,
        3 => selectors.is3 = feed.filter(|feed| *feed != Feed::FT2).ok_or_else(wrong)?,
        4 => selectors.is4 = feed.ok_or_else(wrong)?,
        _ => selectors.is5 = feed.ok_or_else(wrong)?,
    }
    Ok(())
}
