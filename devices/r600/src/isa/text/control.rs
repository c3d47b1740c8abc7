//! Control-flow instructions from text.

use isa::text::Cursor;

use super::super::cf::{Flow, Lock};
use super::super::export::{Export, ExportOp, Memory, MemoryOp};
use super::super::program::Cf;
use super::super::words::{Cond, Elem, ExportType, KcacheMode, MemoryType};
use super::fetch::{register, selects};
use super::parse::{Started, end, number};

/// An export with every field zero.
pub(super) fn export(op: ExportOp) -> Export {
    Export::new(op, ExportType::Pixel, 0, 0)
}

/// A memory instruction with every field zero.
pub(super) fn memory(op: MemoryOp) -> Memory {
    Memory {
        array_size: 0,
        elem_size: 0,
        comp_mask: 0,
        ..Memory::new(op, MemoryType::Write, 0, 0)
    }
}

/// The next of the flags behind a comma or space: its name, and the text in its parentheses.
pub(super) fn flag<'a>(
    cursor: &mut Cursor<'a>,
) -> Result<Option<(&'a str, Option<&'a str>)>, String> {
    cursor.eat(",");
    if cursor.is_end() {
        return Ok(None);
    }
    let Some(name) = cursor.word() else {
        return Err(format!("`{}` means nothing here", cursor.rest()));
    };
    let value = match cursor.eat("(") {
        true => Some(cursor.until(')').ok_or("a parenthesis is not closed")?),
        false => None,
    };
    Ok(Some((name, value)))
}

/// The value of a flag that has one number.
pub(super) fn value<T: TryFrom<i64>>(text: Option<&str>) -> Result<T, String> {
    let mut cursor = Cursor::new(text.ok_or("a value in parentheses is missing")?);
    let found = number(&mut cursor)?;
    end(&cursor)?;
    Ok(found)
}

/// A value that is stored minus one, 1 to `limit`.
fn from_one(text: Option<&str>, limit: u16) -> Result<u16, String> {
    let count: u16 = value(text)?;
    match (1..=limit).contains(&count) {
        true => Ok(count - 1),
        false => Err(format!("{count} is not 1 to {limit}")),
    }
}

/// A number below `end`.
fn below<T: TryFrom<i64> + PartialOrd + std::fmt::Display>(
    text: Option<&str>,
    end: T,
) -> Result<T, String> {
    let number: T = value(text)?;
    match number < end {
        true => Ok(number),
        false => Err(format!("{number} is not below {end}")),
    }
}

fn unknown(name: &str) -> String {
    format!("`{name}` means nothing here")
}

/// Sets a flag that all but ALU clauses have.
macro_rules! common_flag {
    ($inst:expr, $name:expr) => {
        match $name {
            "WQM" => $inst.whole_quad_mode = true,
            "VPM" => $inst.valid_pixel_mode = true,
            "NO_BARRIER" => $inst.barrier = false,
            "END_OF_PROGRAM" => $inst.end_of_program = true,
            name => return Err(unknown(name)),
        }
    };
}

/// Sets a flag of an export or an access to memory.
macro_rules! register_flag {
    ($inst:expr, $name:expr, $text:expr) => {
        match $name {
            "BURST_CNT" => $inst.burst_count = from_one($text, 16)? as u8,
            "ELEM_SIZE" => $inst.elem_size = from_one($text, 4)? as u8,
            "INDEX" => $inst.index_gpr = index($text)?,
            "ELEM_LOOP" => $inst.elem_loop = true,
            name => common_flag!($inst, name),
        }
    };
}

/// Reads what stands behind the mnemonic.
pub(super) fn fields(started: &mut Started, cursor: &mut Cursor<'_>) -> Result<(), String> {
    match &mut started.cf {
        Cf::Export(inst) => return read_export(inst, cursor),
        Cf::Memory(inst) => return read_memory(inst, cursor),
        _ => {}
    }
    while let Some((name, text)) = flag(cursor)? {
        match (name, &mut started.cf) {
            ("CNT", _) => started.count = Some(value(text)?),
            ("ADDR", cf) => {
                started.placed = true;
                let text = text.unwrap_or("");
                if !text.starts_with(|c: char| c.is_ascii_digit()) {
                    started.target = Some(text.to_owned());
                    continue;
                }
                match cf {
                    Cf::Alu { head, .. } => head.addr = below(Some(text), 1u32 << 22)?,
                    Cf::Flow(head) | Cf::Fetch { head, .. } => head.addr = value(Some(text))?,
                    _ => {}
                }
            }
            (_, Cf::Alu { head, .. }) => match name {
                "KCACHE0" => head.set_lock(0, lock(text)?),
                "KCACHE1" => head.set_lock(1, lock(text)?),
                "WATERFALL" => head.uses_waterfall = true,
                "WQM" => head.whole_quad_mode = true,
                "NO_BARRIER" => head.barrier = false,
                _ => return Err(unknown(name)),
            },
            (_, Cf::Flow(head) | Cf::Fetch { head, .. }) => flow(head, name, text)?,
            _ => return Err(unknown(name)),
        }
    }
    Ok(())
}

fn flow(inst: &mut Flow, name: &str, text: Option<&str>) -> Result<(), String> {
    match name {
        "POP_CNT" => inst.pop_count = below(text, 8)?,
        "CONST" => inst.cf_const = below(text, 32)?,
        "CALL_CNT" => inst.call_count = below(text, 64)?,
        "COUNT" => inst.count = below(text, 8)?,
        "COND" => {
            let found = Cond::ALL.iter().find(|cond| Some(cond.name()) == text);
            inst.cond = *found.ok_or("no such condition")?;
        }
        _ => common_flag!(inst, name),
    }
    Ok(())
}

/// `CB2:16-47`, `CB2:16+AL`, `CB2:16`.
fn lock(text: Option<&str>) -> Result<Lock, String> {
    let wrong = || "expected CBn:first-last, in lines of 16 constants".to_owned();
    let (bank, range) = text
        .and_then(|text| text.split_once(':'))
        .ok_or_else(wrong)?;
    let bank = bank
        .trim()
        .strip_prefix("CB")
        .and_then(|n| n.parse::<u8>().ok());
    let (first, count) = match range.split_once(['-', '+']) {
        None => (range, None),
        Some((first, "AL")) => (first, Some(0)),
        Some((first, last)) => {
            let from: u32 = first.trim().parse().map_err(|_| wrong())?;
            let last: u32 = last.trim().parse().map_err(|_| wrong())?;
            (first, Some(last.checked_sub(from).ok_or_else(wrong)? + 1))
        }
    };
    let first: u32 = first.trim().parse().map_err(|_| wrong())?;
    let mode = match count {
        None => KcacheMode::Nop,
        Some(0) => KcacheMode::LockLoopIndex,
        Some(16) => KcacheMode::Lock1,
        Some(32) => KcacheMode::Lock2,
        Some(_) => return Err(wrong()),
    };
    let line = u8::try_from(first / 16)
        .ok()
        .filter(|_| first.is_multiple_of(16));
    let bank = bank.filter(|bank| *bank < 16).ok_or_else(wrong)?;
    let line = line.ok_or_else(wrong)?;
    Ok(Lock { mode, bank, line })
}

fn read_export(inst: &mut Export, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let target = cursor.word().ok_or("expected a target")?;
    let found = ExportType::ALL.iter().find_map(|kind| {
        let at: u16 = target.strip_prefix(kind.name())?.parse().ok()?;
        (at < 1 << 13).then_some((*kind, at))
    });
    (inst.kind, inst.array_base) = found.ok_or_else(|| format!("no target `{target}`"))?;
    cursor.expect(",")?;
    let (gpr, relative, elements) = register(cursor)?;
    (inst.rw_gpr, inst.rw_rel) = (gpr, relative);
    if !elements.is_empty() {
        *inst = inst.with_selects(selects(elements)?);
    }
    while let Some((name, text)) = flag(cursor)? {
        register_flag!(inst, name, text);
    }
    Ok(())
}

/// `R6`
fn index(text: Option<&str>) -> Result<u8, String> {
    let mut cursor = Cursor::new(text.ok_or("a register in parentheses is missing")?);
    match register(&mut cursor)? {
        (gpr, false, "") => Ok(gpr),
        _ => Err("expected a register".into()),
    }
}

fn read_memory(inst: &mut Memory, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let kind = cursor.word().ok_or("expected WRITE or READ")?;
    let found = MemoryType::ALL.iter().find(|own| own.name() == kind);
    inst.kind = *found.ok_or_else(|| format!("no access `{kind}`"))?;
    cursor.expect("(")?;
    inst.array_base = number::<u16>(cursor)?;
    if inst.array_base >= 1 << 13 {
        return Err(format!("{} is not below 8192", inst.array_base));
    }
    if inst.indexed() {
        cursor.expect("+")?;
        inst.index_gpr = index(cursor.word())?;
    }
    cursor.expect(")")?;
    cursor.expect(",")?;
    let (gpr, relative, elements) = register(cursor)?;
    (inst.rw_gpr, inst.rw_rel) = (gpr, relative);
    inst.comp_mask = match elements {
        "" => 15,
        text => mask(text)?,
    };
    while let Some((name, text)) = flag(cursor)? {
        match name {
            "SIZE" => inst.array_size = from_one(text, 4096)?,
            _ => register_flag!(inst, name, text),
        }
    }
    Ok(())
}

/// Elements in their places, `_` for those left out.
fn mask(text: &str) -> Result<u8, String> {
    let places = text.chars().zip(Elem::ALL).enumerate();
    let mut mask = 0;
    for (at, (found, own)) in places {
        match found.to_string() {
            name if name == own.name() => mask |= 1 << at,
            name if name == "_" => {}
            _ => return Err(format!("`{text}` is no mask such as xy__")),
        }
    }
    match text.len() {
        1..=4 => Ok(mask),
        _ => Err(format!("`{text}` is no mask such as xy__")),
    }
}
