//! Programs: bytes to lines of text and back, with labels.

use isa::text::is_label;
use isa::{Line, TextError};

use super::control::Control;
use super::group::{ALIGN, Body, Group, Item};
use super::text::manual;
use crate::CHIP;

/// A group and the bytes that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Byte offset in the program.
    pub at: usize,
    /// Bytes, padding included.
    pub bytes: usize,
    /// The group or padding.
    pub item: Item,
}

/// Fewer bytes than a group has: zeros where a word goes beyond the last group.
const REST: usize = 3;

/// The groups of a program.
pub fn decode(bytes: &[u8]) -> Result<Vec<Placed>, TextError> {
    let mut found = Vec::new();
    let mut at = 0;
    let over = |at: usize| {
        let rest = &bytes[at..];
        rest.len() <= REST && rest.iter().all(|byte| *byte == 0)
    };
    while !over(at) {
        let (item, count) = Item::decode(&bytes[at..]).map_err(|error| TextError::Word {
            chip: CHIP,
            pc: at as u32,
            word: first_word(&bytes[at..]),
            reason: error.to_string(),
        })?;
        found.push(Placed {
            at,
            bytes: count,
            item,
        });
        at += count;
    }
    Ok(found)
}

/// The first four bytes as a little-endian word.
pub fn first_word(bytes: &[u8]) -> u32 {
    let bytes = bytes.iter().take(4).enumerate();
    bytes.fold(0, |word, (n, byte)| word | u32::from(*byte) << (8 * n))
}

/// Bytes as little-endian words; those that are missing are zero.
pub fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(first_word).collect()
}

/// Bytes to text, a group a line. The words of a line are its bytes, four a word; those that are missing are zero.
pub fn disassemble(bytes: &[u8]) -> Result<Vec<Line>, TextError> {
    let line = |placed: &Placed| Line {
        pc: placed.at as u32,
        words: words_of(&bytes[placed.at..][..placed.bytes]),
        text: match &placed.item {
            Item::Group(group) => group.to_string(),
            Item::Padding(words) => format!("pad{words}"),
        },
    };
    Ok(decode(bytes)?.iter().map(line).collect())
}

/// A line that is not empty: its number from 1, its text.
struct Source<'a> {
    line: u32,
    text: &'a str,
    /// Name of the label that its branch goes to, and the text before and after it.
    branch: Option<(&'a str, &'a str, &'a str)>,
}

impl Source<'_> {
    fn wrong(&self, reason: impl Into<String>) -> TextError {
        TextError::Line {
            line: self.line,
            text: self.text.to_owned(),
            reason: reason.into(),
        }
    }

    /// The bytes, with a branch to an offset from this group or, if absolute, to an address.
    fn bytes(&self, target: i64, address: i64) -> Result<Vec<u8>, TextError> {
        if let Some(words) = self
            .text
            .strip_prefix("pad")
            .and_then(|n| n.parse::<u8>().ok())
        {
            return match words {
                1..=15 => {
                    let mut bytes = vec![0xff; 2 * usize::from(words)];
                    bytes[0] = 0xf0 | words;
                    Ok(bytes)
                }
                _ => Err(self.wrong("padding has 1 to 15 words")),
            };
        }
        let text = match self.branch {
            Some((before, _, after)) if before.contains("{ ba") => {
                format!("{before}{target:#x}{after}")
            }
            Some((before, _, after)) => format!("{before}{}{after}", target - address),
            None => self.text.to_owned(),
        };
        let group: Group = text.parse().map_err(|reason: String| self.wrong(reason))?;
        let mut bytes = Vec::new();
        let encoded = group.encode(&mut bytes);
        encoded.map_err(|error| self.wrong(error.to_string()))?;
        Ok(bytes)
    }
}

/// The operand of a branch where it is a name.
fn branch(text: &str) -> Option<(&str, &str, &str)> {
    let at = text.find("{ b")? + 2;
    let start = at + text[at..].find(' ')? + 1;
    let end = start + text[start..].find(' ')?;
    let name = &text[start..end];
    let label = is_label(name);
    label.then_some((&text[..start], name, &text[end..]))
}

/// Bytes to text in the syntax of the manual, a group a line with its number.
pub fn disassemble_as_manual(bytes: &[u8]) -> Result<Vec<Line>, TextError> {
    let mut lines = disassemble(bytes)?;
    for (n, (line, placed)) in lines.iter_mut().zip(decode(bytes)?).enumerate() {
        line.text = match &placed.item {
            Item::Group(group) => format!("{n} : {}", manual::print(group)),
            Item::Padding(words) => format!("{n} : # {words} words of padding"),
        };
    }
    Ok(lines)
}

/// Text to bytes, one entry a group: the canonical listing, the syntax of the manual, or both. Comments start with `#` or
/// `//`; `name:` is a label, which branches may name.
pub fn assemble(text: &str) -> Result<Vec<Vec<u8>>, TextError> {
    let listed = manual::canonical(text).map_err(|(line, text, reason)| TextError::Line {
        line,
        text,
        reason,
    })?;
    let text = listed.as_deref().unwrap_or(text);
    let mut labels = std::collections::HashMap::new();
    let mut sources = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let end = ["#", "//"].iter().filter_map(|mark| line.find(mark)).min();
        let mut rest = line[..end.unwrap_or(line.len())].trim();
        while let Some((name, after)) = rest.split_once(':') {
            if !is_label(name) {
                break;
            }
            labels.insert(name, sources.len());
            rest = after.trim_start();
        }
        if !rest.is_empty() {
            sources.push(Source {
                line: n as u32 + 1,
                text: rest,
                branch: branch(rest),
            });
        }
    }
    // Every offset has 32 bits, so sizes are known before them.
    let mut places = vec![0];
    for source in &sources {
        let at = places.last().copied().unwrap_or(0);
        places.push(at + source.bytes(0, 0)?.len() as i64);
    }
    let placed = sources.iter().zip(&places);
    placed
        .map(|(source, at)| {
            let target = match source.branch {
                None => 0,
                Some((_, name, _)) => match labels.get(name) {
                    Some(group) => places[*group],
                    None => return Err(source.wrong(format!("there is no label `{name}`"))),
                },
            };
            source.bytes(target, *at)
        })
        .collect()
}

/// Pads a program so that its last group starts and ends at a multiple of [`ALIGN`]: the group before it grows, then the
/// last one. Bytes of groups go in; a program of one group only grows itself.
pub fn align(groups: &mut [Vec<u8>]) -> Result<(), super::EncodeError> {
    let Some((last, before)) = groups.split_last_mut() else {
        return Ok(());
    };
    let start: usize = before.iter().map(Vec::len).sum();
    if let Some(previous) = before.last_mut() {
        grow(previous, start)?;
    }
    let end = last.len();
    grow(last, end)
}

/// Adds padding to a group whose end lies at `end`.
fn grow(bytes: &mut Vec<u8>, end: usize) -> Result<(), super::EncodeError> {
    let words = (ALIGN - end % ALIGN) % ALIGN / 2;
    if words == 0 {
        return Ok(());
    }
    let decoded = Group::decode(bytes);
    debug_assert!(decoded.is_ok(), "the bytes of a group");
    if let Ok((mut group, _)) = decoded {
        group.pad += words as u8;
        bytes.clear();
        group.encode(bytes)?;
    }
    Ok(())
}

/// Whether a group ends its program.
pub fn ends(group: &Group) -> bool {
    group.end || matches!(group.body, Body::Control(Control::Nop { end: true }))
}
