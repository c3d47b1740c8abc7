//! Prints a stream of packets: names, and of every register its fields and values.

use std::fmt::{self, Write};

use radeon::packets::cut;

use super::settings::{self, gui};
use super::{Packet, Part, find, written};
use crate::regs::{self, Field, Register};

/// Words that a line has.
const LINE: usize = 8;

/// The packets of a stream that starts at `address`, one line each and one for every word or register of its body. Fields
/// that are zero are left out. A broken or unknown packet is printed with what is wrong and its words.
pub fn dump(words: &[u32], address: u64) -> String {
    let mut out = String::new();
    for packet in cut(crate::CHIP, words, address) {
        let printed = match &packet {
            Ok(packet) => print(&mut out, packet),
            Err(trap) => writeln!(
                out,
                "{:#010x} {:08x} {}",
                trap.address, trap.word, trap.reason
            ),
        };
        printed.expect("text takes all");
    }
    out
}

fn print(out: &mut String, packet: &Packet) -> fmt::Result {
    write!(out, "{:#010x} {:08x} ", packet.address, packet.header)?;
    match packet.kind() {
        0 => registers_written(out, packet),
        1 => {
            writeln!(out, "type 1")?;
            let indices = [packet.header & 0x7ff, packet.header >> 11 & 0x7ff];
            let mut written = indices.into_iter().zip(packet.payload);
            written.try_for_each(|(index, word)| register(out, 4 * index, *word))
        }
        2 => writeln!(out, "filler"),
        _ => body(out, packet),
    }
}

/// A type 0 packet.
fn registers_written(out: &mut String, packet: &Packet) -> fmt::Result {
    let (first, step) = written(packet.header);
    writeln!(out, "type 0")?;
    if step == 0 && packet.payload.len() > 1 {
        return rest(out, &register_name(first), packet.payload);
    }
    let mut addresses = (first..).step_by(4).zip(packet.payload);
    addresses.try_for_each(|(address, word)| register(out, address, *word))
}

/// A type 3 packet.
fn body(out: &mut String, packet: &Packet) -> fmt::Result {
    let Some(row) = find(packet.opcode()) else {
        writeln!(out, "unknown packet {:#04x}", packet.opcode())?;
        return rest(out, "body", packet.payload);
    };
    writeln!(out, "{}", row.name)?;
    let mut words = packet.payload;
    for part in row.parts {
        words = part_of(out, part, words)?;
    }
    match words {
        [] => Ok(()),
        more => rest(out, "more", more),
    }
}

/// Prints a part of a body; returns the words after it.
fn part_of<'a>(out: &mut String, part: &Part, words: &'a [u32]) -> Result<&'a [u32], fmt::Error> {
    let Some((&word, after)) = words.split_first() else {
        if !matches!(
            part,
            Part::Rest(_) | Part::EachHalves(..) | Part::Registers(_)
        ) {
            writeln!(out, "    the packet ends here")?;
        }
        return Ok(&[]);
    };
    match part {
        Part::Word(name) => writeln!(out, "    {name} = {word:08x}")?,
        Part::Halves(high, low) => halves(out, high, low, word)?,
        Part::Register(of) => register(out, of.address, word)?,
        Part::Settings => return settings(out, words),
        Part::Registers(of) => {
            for (address, word) in (of.address..).step_by(4).zip(words) {
                register(out, address, *word)?;
            }
            return Ok(&[]);
        }
        Part::EachHalves(high, low) => {
            for word in words {
                halves(out, high, low, *word)?;
            }
            return Ok(&[]);
        }
        Part::Rest(name) => {
            rest(out, name, words)?;
            return Ok(&[]);
        }
    }
    Ok(after)
}

fn halves(out: &mut String, high: &str, low: &str, word: u32) -> fmt::Result {
    let half = |bits: u32| bits as u16 as i16;
    let (a, b) = (half(word >> 16), half(word));
    writeln!(out, "    {high} = {a}, {low} = {b}")
}

/// GUI_CONTROL and the words that it announces.
fn settings<'a>(out: &mut String, words: &'a [u32]) -> Result<&'a [u32], fmt::Error> {
    let (control, mut words) = words.split_first().expect("the caller has a word");
    write!(out, "    GUI_CONTROL = {control:08x}")?;
    fields(out, &gui::FIELDS, *control)?;
    let Some(announced) = settings::announced(*control) else {
        writeln!(out, "    a reserved brush or pixel")?;
        return Ok(words);
    };
    for setting in announced {
        words = part_of(out, &Part::Word(setting.name()), words)?;
    }
    Ok(words)
}

/// Words without a layout, several a line.
fn rest(out: &mut String, name: &str, words: &[u32]) -> fmt::Result {
    writeln!(out, "    {name}, {} words", words.len())?;
    for line in words.chunks(LINE) {
        write!(out, "     ")?;
        for word in line {
            write!(out, " {word:08x}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn register_name(address: u32) -> String {
    match regs::find(address) {
        Some((register, n)) => register.element_name(n),
        None => format!("unknown register {address:#06x}"),
    }
}

/// A register, its word and its fields.
fn register(out: &mut String, address: u32, word: u32) -> fmt::Result {
    write!(out, "    {} = {word:08x}", register_name(address))?;
    let of = regs::find(address).map(|(register, _)| register);
    fields(out, of.map_or(&[], |of: &Register| of.fields), word)
}

/// The fields of a word that are not zero, and the end of the line.
fn fields(out: &mut String, fields: &[Field], word: u32) -> fmt::Result {
    let mut separator = ": ";
    for field in fields {
        let value = field.get(word);
        if value == 0 {
            continue;
        }
        write!(out, "{separator}{} ", field.name)?;
        separator = ", ";
        match field.value_name(value) {
            // Whole words are floats where the meaning says so.
            None if field.width() == 32 && field.meaning.contains("float") => {
                write!(out, "{:?}", f32::from_bits(value))?;
            }
            None => write!(out, "{value:#x}")?,
            Some(_) if field.width() == 1 => write!(out, "{value}")?,
            Some(name) => write!(out, "{value} ({name})")?,
        }
    }
    writeln!(out)
}
