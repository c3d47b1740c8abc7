//! Streams as text: a line a block, and a line a register that it writes.

use std::fmt::Write;

use isa::Content;
use silicon::{Memory, Trap};

use super::{Command, Reader, ppp_fields};
use crate::regs;

/// Streams inside each other.
const DEPTH: usize = 8;

/// Prints the stream between two addresses, links included.
pub fn dump(memory: &Memory, at: u64, end: u64) -> Result<String, Trap> {
    let mut out = String::new();
    let mut readers = vec![Reader::new(memory, at, end)];
    while let Some(reader) = readers.last_mut() {
        let Some((at, _, command)) = reader.next_block()? else {
            readers.pop();
            continue;
        };
        out += &format!("{at:08x}  ");
        match command {
            Command::Ppp(words) => {
                out += "PPP_STATE_UPDATE\n";
                match ppp_fields(&words) {
                    Ok(fields) => fields
                        .iter()
                        .for_each(|(n, word)| register(&mut out, *n, *word)),
                    Err(error) => out += &format!("          ; {error}\n"),
                }
            }
            Command::Registers(first, words) => {
                out += "STATE_UPDATE\n";
                for (number, word) in (first..).zip(words) {
                    register(&mut out, number, word);
                }
            }
            Command::Draw(list) => out += &format!("INDEX_LIST {list:?}\n"),
            Command::Link(to) => {
                out += &format!("STREAM_LINK {to:#x}\n");
                if readers.len() < DEPTH {
                    readers.push(Reader::new(memory, to, memory.size()));
                }
            }
            Command::Return => {
                out += "STREAM_RETURN\n";
                readers.pop();
            }
            Command::Terminate => {
                out += "STREAM_TERMINATE\n";
                break;
            }
            other => out += &format!("{other:x?}\n"),
        }
    }
    Ok(out)
}

/// A register with its fields that are not zero.
fn register(out: &mut String, number: u32, word: u32) {
    let name = match regs::find(number) {
        Some((row, 0)) if row.count == 1 => row.name.to_owned(),
        Some((row, n)) => format!("{}[{n}]", row.name),
        None => format!("{number:#x}"),
    };
    let mut line = format!("            {name} = {word:#010x}");
    match regs::find(number).and_then(|(row, _)| row.content) {
        Some(Content::Float) => {
            // Writing to a string does not fail.
            let _ = write!(line, "  {:?}", f32::from_bits(word));
        }
        Some(Content::Fields(fields)) => {
            for field in fields.iter().filter(|field| field.of(word.into()) != 0) {
                let _ = write!(line, "  {} {}", field.name, field.of(word.into()));
            }
        }
        None => {}
    }
    out.push_str(&line);
    out.push('\n');
}
