//! Streams as text: a line a block, and a line for each register or word of its body.

use std::collections::BTreeSet;

use isa::{Content, LoadWord};

use super::{Clear, Command, GroupCount, IndexList, Reader, ppp_fields};
use crate::regs;

/// Streams inside each other.
const DEPTH: usize = 8;
/// Blocks that are printed.
const MOST_BLOCKS: usize = 1 << 20;

/// Prints the blocks of a stream that starts at `address`, and of those that it links to as far as `memory` has them.
/// Fields that are zero are left out. A block that cannot be read is printed with what is wrong, and ends its stream.
pub fn dump(words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
    let load = |at: u64| {
        let inside = at.checked_sub(address).map(|offset| offset / 4);
        let word = inside.and_then(|n| words.get(usize::try_from(n).ok()?).copied());
        word.or_else(|| memory(at))
    };
    let mut printer = Printer::default();
    let mut followed = BTreeSet::new();
    let mut readers = vec![Reader::new(
        &load,
        address,
        address + 4 * words.len() as u64,
    )];
    for _ in 0..MOST_BLOCKS {
        printer.depth = readers.len().saturating_sub(1);
        let Some(reader) = readers.last_mut() else {
            break;
        };
        match reader.next_block() {
            Ok(Some((at, word, command))) => {
                printer.block(at, word, &command);
                match command {
                    Command::Link(to) if readers.len() < DEPTH && followed.insert(to) => {
                        readers.push(Reader::new(&load, to, u64::MAX));
                    }
                    Command::Return => {
                        readers.pop();
                    }
                    Command::Terminate => break,
                    _ => {}
                }
            }
            Ok(None) => {
                readers.pop();
            }
            Err(trap) => {
                printer.head(trap.address, trap.word, &trap.reason);
                readers.pop();
            }
        }
    }
    printer.out
}

#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    /// A line that starts a block.
    fn head(&mut self, address: u64, word: u32, text: &str) {
        let indent = "  ".repeat(self.depth);
        let line = format!("{indent}{address:#010x} {word:08x} {text}\n");
        self.out.push_str(&line);
    }

    /// A line of a word, and what it says.
    fn word(&mut self, name: &str, word: u32, says: &str) {
        let indent = "  ".repeat(self.depth);
        let colon = if says.is_empty() { "" } else { ": " };
        let line = format!("{indent}    {name} = {word:08x}{colon}{says}\n");
        self.out.push_str(&line);
    }

    fn number(&mut self, name: &str, number: u64) {
        let indent = "  ".repeat(self.depth);
        self.out
            .push_str(&format!("{indent}    {name} = {number:#x}\n"));
    }

    /// A register with its fields that are not zero.
    fn register(&mut self, number: u32, word: u32) {
        let found = regs::find(number);
        let name = match found {
            Some((row, 0)) if row.count == 1 => row.name.to_owned(),
            Some((row, n)) => format!("{}[{n}]", row.name),
            None => format!("{number:#x}"),
        };
        let says = match found.and_then(|(row, _)| row.content) {
            Some(Content::Float) => format!("{:?}", f32::from_bits(word)),
            Some(Content::Fields(fields)) => {
                let values = fields.iter().map(|f| (f.name, f.of(word.into())));
                let set = values.filter(|(_, value)| *value != 0);
                let texts = set.map(|(name, value)| format!("{name} {value:#x}"));
                texts.collect::<Vec<_>>().join(", ")
            }
            None => String::new(),
        };
        self.word(&name, word, &says);
    }

    fn block(&mut self, at: u64, word: u32, command: &Command) {
        self.head(at, word, name(command));
        match command {
            Command::Ppp(words) => match ppp_fields(words) {
                Ok(fields) => fields.iter().for_each(|(n, word)| self.register(*n, *word)),
                Err(error) => self.head(at, word, &error.to_string()),
            },
            Command::Registers(first, words) => {
                for (number, word) in (*first..).zip(words) {
                    self.register(number, *word);
                }
            }
            Command::Draw(list) => self.index_list(word, list),
            Command::Link(to) => self.number("TO", *to),
            Command::Fill(to, words, value) => {
                self.number("TO", to.0);
                self.number("WORDS", *words);
                self.word("VALUE", *value, "");
            }
            Command::Copy([from, to], bytes) => {
                self.number("FROM", from.0);
                self.number("TO", to.0);
                self.number("BYTES", *bytes);
            }
            Command::Clock(to) => self.number("TO", to.0),
            Command::Dispatch(GroupCount::Direct(count)) => {
                for (name, count) in ["GROUPS_X", "GROUPS_Y", "GROUPS_Z"].into_iter().zip(count) {
                    self.word(name, *count, "");
                }
            }
            Command::Dispatch(GroupCount::Indirect(at)) => self.number("GROUPS_AT", *at),
            Command::Clear(rect, clear) => self.clear(*rect, *clear),
            Command::Return | Command::Terminate | Command::Begin | Command::Kick => {}
        }
    }

    fn index_list(&mut self, word: u32, list: &IndexList) {
        let topology = u32::from(list.topology);
        self.word(
            "TOPOLOGY",
            topology,
            crate::vdm::topology_name(list.topology),
        );
        if let Some(indices) = list.indices {
            self.number("INDEX_ADDRESS", indices);
            self.number("INDEX_BYTES", 1 << list.index_size);
        }
        if let Some(arguments) = list.indirect {
            return self.number("ARGUMENTS", arguments);
        }
        self.word("COUNT", list.count, "");
        self.word("INSTANCES", list.instances, "");
        if word & super::presence::OFFSET != 0 {
            self.word("BASE_VERTEX", list.base_vertex, "");
        }
        if word & super::presence::START != 0 {
            self.word("START", list.start, "");
            self.word("START_INSTANCE", list.start_instance, "");
        }
    }

    fn clear(&mut self, [x0, y0, x1, y1]: [u32; 4], clear: Clear) {
        self.word("FROM", x0 | y0 << 16, &format!("x {x0}, y {y0}"));
        self.word("TO", x1 | y1 << 16, &format!("x {x1}, y {y1}"));
        match clear {
            Clear::Color(target, words) => {
                for (n, word) in words.into_iter().enumerate() {
                    self.word(&format!("COLOR{target}[{n}]"), word, "");
                }
            }
            Clear::Depth(bits) => self.word("DEPTH", bits, ""),
            Clear::Stencil(value) => self.word("STENCIL", value.into(), ""),
        }
    }
}

fn name(command: &Command) -> &'static str {
    match command {
        Command::Ppp(_) => "PPP_STATE_UPDATE",
        Command::Registers(..) => "STATE_UPDATE",
        Command::Draw(_) => "INDEX_LIST",
        Command::Link(_) => "STREAM_LINK",
        Command::Return => "STREAM_RETURN",
        Command::Terminate => "STREAM_TERMINATE",
        Command::Begin => "BEGIN",
        Command::Kick => "KICK",
        Command::Fill(..) => "FILL",
        Command::Copy(..) => "COPY",
        Command::Clock(_) => "CLOCK",
        Command::Dispatch(GroupCount::Direct(_)) => "DISPATCH",
        Command::Dispatch(GroupCount::Indirect(_)) => "DISPATCH_INDIRECT",
        Command::Clear(..) => "CLEAR",
    }
}
