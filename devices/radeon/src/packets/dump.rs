//! Prints a stream of packets: names, and of every register its fields and values.
//!
//! What differs between chips is a [`Dictionary`]. Streams and registers in memory are followed where memory is at hand.

use std::collections::BTreeSet;

use isa::LoadWord;

use super::{Packet, Part, Row, cut};

/// Words that a line has.
const LINE: usize = 8;
/// Streams inside each other that are followed.
const MAX_DEPTH: usize = 8;
/// Words of streams inside others that are printed.
const MAX_FOLLOWED: u64 = 1 << 22;

/// What a printer has to know of a chip.
pub struct Dictionary {
    /// Name of the chip.
    pub chip: &'static str,
    /// Its type 3 packets.
    pub packets: &'static [&'static [Row]],
    /// Where the header of a type 0 packet writes: the byte address of the first word and the bytes from one to the next.
    pub written: fn(u32) -> (u32, u32),
    /// The register at an address.
    pub register: fn(&Written<'_>) -> Option<Named>,
    /// The stream that the write of a register starts: its address and words.
    pub started: fn(&Written<'_>) -> Option<(u64, u64)>,
}

/// A word of a run that is written to registers.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// Byte address of its register.
    pub address: u32,
    /// The run.
    pub words: &'a [u32],
    /// Its number in the run.
    pub n: usize,
}

impl Written<'_> {
    /// The word.
    pub fn word(&self) -> u32 {
        self.words[self.n]
    }

    /// The word that goes to another register, if it is of the same run.
    pub fn beside(&self, address: u32) -> Option<u32> {
        let distance = i64::from(address) - i64::from(self.address);
        let n = self.n as i64 + distance / 4;
        self.words.get(usize::try_from(n).ok()?).copied()
    }
}

/// A register and what its word says.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Shown>,
}

/// A field of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its name; empty where the value is the whole word.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// A value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(u32),
    /// A bit.
    Bit(bool),
    /// A number that has a name.
    Name(u32, &'static str),
    /// A float.
    Float(f32),
}

impl Value {
    /// Fields that are zero are left out.
    fn is_zero(self) -> bool {
        match self {
            Value::Number(n) | Value::Name(n, _) => n == 0,
            Value::Bit(bit) => !bit,
            Value::Float(value) => value.to_bits() == 0,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(n) => write!(f, "{n:#x}"),
            Value::Bit(bit) => write!(f, "{}", u8::from(*bit)),
            Value::Name(n, name) => write!(f, "{n} ({name})"),
            Value::Float(value) => write!(f, "{value:?}"),
        }
    }
}

/// What the fields of a layout hold in a word, in the manual's spelling.
pub fn fields(layout: &[isa::Field], word: u32) -> Vec<Shown> {
    let shown = |field: &isa::Field| {
        let value = field.of(word.into()) as u32;
        Shown {
            // The manual's TYPE is a keyword here.
            name: match field.name {
                "kind" => "TYPE".to_owned(),
                name => name.to_ascii_uppercase(),
            },
            value: match field.width() {
                1 => Value::Bit(value != 0),
                _ => Value::Number(value),
            },
        }
    };
    layout.iter().rev().map(shown).collect()
}

impl Dictionary {
    /// The row of an opcode.
    pub fn row(&self, opcode: u8) -> Option<&'static Row> {
        let mut rows = self.packets.iter().copied().flatten();
        rows.find(|row| row.opcode == opcode)
    }

    /// The packets of a stream that starts at `address`, one line each and one for every word or register of its body.
    /// Fields that are zero are left out. A broken or unknown packet is printed with what is wrong and its words.
    pub fn dump(&self, words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
        let mut printer = Printer {
            out: String::new(),
            dictionary: self,
            memory,
            depth: 0,
            followed: BTreeSet::new(),
        };
        printer.stream(words, address);
        printer.out
    }
}

/// Prints parts of packets, a line each.
pub struct Printer<'a> {
    out: String,
    dictionary: &'a Dictionary,
    memory: LoadWord<'a>,
    depth: usize,
    /// Addresses and words of streams that were printed.
    followed: BTreeSet<(u64, u64)>,
}

impl Printer<'_> {
    fn stream(&mut self, words: &[u32], address: u64) {
        for packet in cut(self.dictionary.chip, words, address) {
            match packet {
                Ok(packet) => self.packet(&packet),
                Err(trap) => self.head(trap.address, trap.word, &trap.reason),
            }
        }
    }

    /// A line that starts a packet.
    fn head(&mut self, address: u64, header: u32, text: &str) {
        let indent = "  ".repeat(self.depth);
        let line = format!("{indent}{address:#010x} {header:08x} {text}\n");
        self.out.push_str(&line);
    }

    /// A line of a packet.
    pub fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        self.out.push_str(&format!("{indent}    {text}\n"));
    }

    /// A line of a word and its fields.
    pub fn word(&mut self, name: &str, word: u32, fields: &[Shown]) {
        let set = fields.iter().filter(|field| !field.value.is_zero());
        let text = |f: &Shown| match f.name.is_empty() {
            true => f.value.to_string(),
            false => format!("{} {}", f.name, f.value),
        };
        let shown: Vec<String> = set.map(text).collect();
        let separator = if shown.is_empty() { "" } else { ": " };
        let fields = shown.join(", ");
        self.line(&format!("{name} = {word:08x}{separator}{fields}"));
    }

    fn packet(&mut self, packet: &Packet) {
        let row = self.dictionary.row(packet.opcode());
        let title = match packet.kind() {
            0 => "type 0".to_owned(),
            1 => "type 1".to_owned(),
            2 => "filler".to_owned(),
            _ => match row {
                Some(row) => row.name.to_owned(),
                None => format!("unknown packet {:#04x}", packet.opcode()),
            },
        };
        self.head(packet.address, packet.header, &title);
        match (packet.kind(), row) {
            (0, _) => self.type_0(packet),
            (1, _) => {
                let indices = [packet.header & 0x7ff, packet.header >> 11 & 0x7ff];
                for (index, word) in indices.into_iter().zip(packet.payload) {
                    self.registers(4 * index, &[*word]);
                }
            }
            (2, _) => {}
            (_, Some(row)) => self.body(row, packet.payload),
            (_, None) => self.rest("body", packet.payload),
        }
    }

    fn type_0(&mut self, packet: &Packet) {
        let (first, step) = (self.dictionary.written)(packet.header);
        if step == 0 && packet.payload.len() > 1 {
            let name = self.name(first, packet.payload);
            return self.rest(&name, packet.payload);
        }
        self.registers(first, packet.payload);
    }

    fn body(&mut self, row: &Row, mut words: &[u32]) {
        for part in row.parts {
            if words.is_empty() {
                if !part.is_optional() {
                    self.line("the packet ends here");
                }
                continue;
            }
            let taken = self.part(part, words);
            words = words.get(taken..).unwrap_or(&[]);
        }
        if !words.is_empty() {
            self.rest("more", words);
        }
    }

    /// Prints a part of words, at least one; returns how many it has.
    fn part(&mut self, part: &Part, words: &[u32]) -> usize {
        let word = words[0];
        match *part {
            Part::Word(name) => self.word(name, word, &[]),
            Part::Fields(name, layout) => self.word(name, word, &fields(layout, word)),
            Part::Halves(high, low) => self.halves(high, low, word),
            Part::Register(address) => self.registers(address, &words[..1]),
            Part::Own(print) => return print(self, words),
            Part::Optional(part) => return self.part(part, words),
            Part::Address(name) => return self.address(name, words).0,
            Part::Stream => return self.inner(words),
            Part::Registers(address) => {
                self.registers(address, words);
                return words.len();
            }
            Part::Set(space) => {
                self.registers(offset_in(space, word), &words[1..]);
                return words.len();
            }
            Part::Load(space) => {
                self.load(space, words);
                return words.len();
            }
            Part::EachHalves(high, low) => {
                words.iter().for_each(|word| self.halves(high, low, *word));
                return words.len();
            }
            Part::Rest(name) => {
                self.rest(name, words);
                return words.len();
            }
        }
        1
    }

    fn halves(&mut self, high: &str, low: &str, word: u32) {
        let half = |bits: u32| bits as u16 as i16;
        let (a, b) = (half(word >> 16), half(word));
        self.line(&format!("{high} = {a}, {low} = {b}"));
    }

    /// An address: words that it has, and its value.
    fn address(&mut self, name: &str, words: &[u32]) -> (usize, Option<u64>) {
        let &[low, high, ..] = words else {
            self.word(name, words[0], &[]);
            self.line("the packet ends here");
            return (1, None);
        };
        let address = u64::from(low) | u64::from(high & 0xffff) << 32;
        let above = match high >> 16 {
            0 => String::new(),
            bits => format!(", above it {bits:#x}"),
        };
        self.line(&format!("{name} = {address:#x}{above}"));
        (2, Some(address))
    }

    /// Address and words of an indirect buffer, and what is in it.
    fn inner(&mut self, words: &[u32]) -> usize {
        let (taken, address) = self.address("IB_BASE", words);
        let Some((&size, address)) = words.get(taken).zip(address) else {
            if taken == 2 {
                self.line("the packet ends here");
            }
            return taken;
        };
        self.word("IB_SIZE", size, &[]);
        self.follow(address, u64::from(size & 0xf_ffff));
        taken + 1
    }

    /// A stream in memory, if that is at hand.
    fn follow(&mut self, address: u64, count: u64) {
        let load = self.memory;
        if load(address).is_none() {
            return;
        }
        let all: Option<Vec<u32>> = (0..count).map(|n| load(address + 4 * n)).collect();
        let followed: u64 = self.followed.iter().map(|(_, words)| words).sum();
        match all {
            None => self.line("the buffer leaves video memory"),
            Some(_) if self.depth == MAX_DEPTH => {
                self.line(&format!("buffers lie {MAX_DEPTH} deep"));
            }
            Some(_) if self.followed.contains(&(address, count)) => self.line("as above"),
            Some(_) if followed > MAX_FOLLOWED => {
                self.line(&format!(
                    "not followed: more than {MAX_FOLLOWED} words were"
                ));
            }
            Some(words) => {
                self.followed.insert((address, count));
                self.depth += 1;
                self.stream(&words, address);
                self.depth -= 1;
            }
        }
    }

    /// Address, then runs of registers.
    fn load(&mut self, space: u32, words: &[u32]) {
        let (taken, address) = self.address("BASE_ADDR", words);
        for run in words[taken..].chunks(2) {
            let &[offset, count] = run else {
                return self.line("the packet ends here");
            };
            let (first, count) = (offset & 0xffff, count & 0x3fff);
            self.line(&format!("{count} registers at {first:#x}"));
            let load = |n| (self.memory)(address? + 4 * u64::from(n));
            let words: Option<Vec<u32>> = (first..first + count).map(load).collect();
            if let Some(words) = words {
                self.registers(offset_in(space, offset), &words);
            }
        }
    }

    /// Words without a layout, several a line.
    pub fn rest(&mut self, name: &str, words: &[u32]) {
        self.line(&format!("{name}, {} words", words.len()));
        for line in words.chunks(LINE) {
            let words: Vec<String> = line.iter().map(|word| format!("{word:08x}")).collect();
            self.line(&format!("  {}", words.join(" ")));
        }
    }

    /// Registers that follow each other, their words and their fields.
    fn registers(&mut self, first: u32, words: &[u32]) {
        for (n, word) in words.iter().enumerate() {
            let address = first.wrapping_add(4 * n as u32);
            let written = Written { address, words, n };
            match (self.dictionary.register)(&written) {
                Some(named) => self.word(&named.name, *word, &named.fields),
                None => self.word(&unknown(address), *word, &[]),
            }
            if let Some((address, count)) = (self.dictionary.started)(&written) {
                self.follow(address, count);
            }
        }
    }

    fn name(&self, address: u32, words: &[u32]) -> String {
        let named = (self.dictionary.register)(&Written {
            address,
            words,
            n: 0,
        });
        named.map_or_else(|| unknown(address), |named| named.name)
    }
}

fn unknown(address: u32) -> String {
    format!("unknown register {address:#06x}")
}

/// The byte address that a word offset in a space names.
fn offset_in(space: u32, word: u32) -> u32 {
    space + (word & 0xffff) * 4
}
