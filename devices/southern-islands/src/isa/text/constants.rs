//! Coded 16-bit constants in text.

use isa::text::Cursor;

use super::names::{GS_OPERATIONS, HARDWARE_REGISTERS, MESSAGES};

/// A number of 16 bits, signed or not.
pub(super) fn half(c: &mut Cursor) -> Result<u16, String> {
    let here = c.here();
    match c.integer() {
        Some(value @ -0x8000..=0xffff) => Ok(value as u16),
        Some(value) => Err(format!("{value} does not fit 16 bits")),
        None => Err(format!("expected a number{here}")),
    }
}

fn up_to(c: &mut Cursor, most: u16) -> Result<u16, String> {
    match half(c)? {
        value if value <= most => Ok(value),
        value => Err(format!("{value} is above {most}")),
    }
}

/// `vmcnt(n)`, `expcnt(n)`, `lgkmcnt(n)`, separated by nothing, `&` or `,`; or a number.
pub(super) fn wait_counters(c: &mut Cursor) -> Result<u16, String> {
    let mut value = 0xf7f;
    let mut found = false;
    while let Some(name) = c.word() {
        let (at, most) = match name {
            "vmcnt" => (0, 15),
            "expcnt" => (4, 7),
            "lgkmcnt" => (8, 15),
            _ => return Err(format!("no counter `{name}`")),
        };
        c.expect("(")?;
        let count = up_to(c, most)?;
        c.expect(")")?;
        let _ = c.eat("&") || c.eat(",");
        value = value & !(most << at) | count << at;
        found = true;
    }
    if found { Ok(value) } else { half(c) }
}

/// `hwreg(name, offset, size)`, `hwreg(name)`, or a number.
pub(super) fn hardware_register(c: &mut Cursor) -> Result<u16, String> {
    if !c.eat_word("hwreg") {
        return half(c);
    }
    c.expect("(")?;
    let id = match c.word() {
        Some(name) => {
            let known =
                |known: &&str| **known == *name || known.strip_prefix("HW_REG_") == Some(name);
            let at = HARDWARE_REGISTERS.iter().position(known);
            at.ok_or_else(|| format!("no hardware register `{name}`"))? as u16
        }
        None => up_to(c, 63)?,
    };
    let (mut offset, mut size) = (0, 32);
    if c.eat(",") {
        offset = up_to(c, 31)?;
        c.expect(",")?;
        size = up_to(c, 32)?;
    }
    c.expect(")")?;
    match size {
        0 => Err("a field has 1 to 32 bits".to_owned()),
        _ => Ok(id | offset << 6 | (size - 1) << 11),
    }
}

/// `sendmsg(name, operation, stream)`, or a number.
pub(super) fn message(c: &mut Cursor) -> Result<u16, String> {
    if !c.eat_word("sendmsg") {
        return half(c);
    }
    c.expect("(")?;
    let mut value = match c.word() {
        Some(name) => {
            let found = MESSAGES.iter().find(|message| message.1 == name);
            found.ok_or_else(|| format!("no message `{name}`"))?.0
        }
        None => up_to(c, 15)?,
    };
    if c.eat(",") {
        value |= match c.word() {
            Some(name) => {
                let found = GS_OPERATIONS.iter().position(|known| *known == name);
                found.ok_or_else(|| format!("no geometry operation `{name}`"))? as u16
            }
            None => up_to(c, 3)?,
        } << 4;
    }
    if c.eat(",") {
        value |= up_to(c, 3)? << 8;
    }
    c.expect(")")?;
    Ok(value)
}
