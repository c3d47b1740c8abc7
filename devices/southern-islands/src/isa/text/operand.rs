//! Operands in text.

use isa::text::{Cursor, Number};
use lanes::Operand as Type;

use super::super::operand::{
    self, LDS_DIRECT, Operand, SGPRS, TTMP, VGPR, inline_code, inline_code_64, is_scalar_register,
};
use super::names;

/// What an operand names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Named {
    /// Registers; a count of 0 fits every width.
    Register { code: u16, count: u16 },
    /// A number.
    Integer(i64),
    /// A number with a point.
    Float(f64),
}

/// An operand with its input modifiers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    pub(super) named: Named,
    pub(super) neg: bool,
    pub(super) abs: bool,
}

/// Reads an operand with modifiers: `-x`, `|x|`, `neg(x)`, `abs(x)`.
pub(super) fn source(c: &mut Cursor) -> Result<Source, String> {
    let mut neg = false;
    let mut close = Vec::new();
    let mut abs = false;
    loop {
        if c.eat_word("neg") {
            c.expect("(")?;
            neg = true;
            close.push(")");
        } else if c.eat_word("abs") {
            c.expect("(")?;
            abs = true;
            close.push(")");
        } else if c.eat("|") {
            abs = true;
            close.push("|");
        } else if c.peek() == Some('-') && !is_negative_number(c) {
            c.eat("-");
            neg = true;
        } else {
            break;
        }
    }
    let named = named(c)?;
    for mark in close.iter().rev() {
        c.expect(mark)?;
    }
    Ok(Source { named, neg, abs })
}

fn is_negative_number(c: &Cursor) -> bool {
    let mut ahead = *c;
    ahead.eat("-") && ahead.number().is_some()
}

fn named(c: &mut Cursor) -> Result<Named, String> {
    let negative = c.eat("-");
    match c.number() {
        Some(Number::Integer(value)) => {
            let value = value as i64;
            return Ok(Named::Integer(if negative {
                value.wrapping_neg()
            } else {
                value
            }));
        }
        Some(Number::Float(value)) => {
            return Ok(Named::Float(if negative { -value } else { value }));
        }
        None if negative => return Err(format!("expected a number{}", c.here())),
        None => {}
    }
    let (code, count) = register(c)?;
    Ok(Named::Register { code, count })
}

/// Reads a register or register range.
pub(super) fn register(c: &mut Cursor) -> Result<(u16, u16), String> {
    let here = c.here();
    let unknown = || format!("no operand{here}");
    let word = c.word().ok_or_else(unknown)?;
    if let Some(special) = names::special_register(word) {
        return Ok(special);
    }
    let split = word
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(word.len());
    let (file, number) = word.split_at(split);
    let (base, size) = match file {
        "s" => (0, SGPRS),
        "v" => (VGPR, 256),
        "ttmp" => (u16::from(TTMP), 12),
        _ => return Err(unknown()),
    };
    let (first, last) = match number {
        "" => {
            c.expect("[")?;
            let first = c.integer().ok_or_else(unknown)?;
            let last = match c.eat(":") {
                true => c.integer().ok_or_else(unknown)?,
                false => first,
            };
            c.expect("]")?;
            (first, last)
        }
        number => {
            let number: i64 = number.parse().map_err(|_| unknown())?;
            (number, number)
        }
    };
    if first < 0 || last < first || last >= size.into() {
        return Err(format!(
            "{file}[{first}:{last}] does not exist, {file} has {size} registers"
        ));
    }
    Ok((base + first as u16, (last - first + 1) as u16))
}

/// Encodes what an operand names as a source of a type.
pub(super) fn encode(named: Named, ty: Type) -> Result<Operand, String> {
    let wide = matches!(ty, Type::F64 | Type::U64 | Type::I64);
    let wanted = 1 + u16::from(wide);
    match named {
        Named::Register { code, count } if count == wanted || count == 0 => Ok(Operand::Code(code)),
        Named::Register { count, .. } => {
            Err(format!("{count} registers where the operand has {wanted}"))
        }
        Named::Integer(value) if wide => {
            let literal = u32::try_from(value)
                .or_else(|_| i32::try_from(value).map(|value| value as u32))
                .map_err(|_| format!("{value:#x} does not fit a literal of 32 bits"));
            match inline_code_64(value as u64) {
                Some(code) => Ok(Operand::Code(code)),
                None => literal.map(Operand::Literal),
            }
        }
        Named::Integer(value) => {
            let bits = word(value)?;
            Ok(Operand::constant(bits))
        }
        Named::Float(value) if wide => match inline_code_64(value.to_bits()) {
            Some(code) => Ok(Operand::Code(code)),
            // A literal is the high half of a double.
            None if value.to_bits() as u32 == 0 => {
                Ok(Operand::Literal((value.to_bits() >> 32) as u32))
            }
            None => Err(format!("{value} does not fit the high half of a double")),
        },
        Named::Float(value) => {
            let bits = (value as f32).to_bits();
            Ok(inline_code(bits).map_or(Operand::Literal(bits), Operand::Code))
        }
    }
}

/// The 32 bits of a signed or unsigned number.
pub(super) fn word(value: i64) -> Result<u32, String> {
    match value {
        -0x8000_0000..=0xffff_ffff => Ok(value as u32),
        _ => Err(format!("{value} does not fit 32 bits")),
    }
}

/// The code of a scalar source of one or two registers.
pub(super) fn scalar_source(c: &mut Cursor, count: u16) -> Result<Operand, String> {
    let ty = if count == 2 { Type::U64 } else { Type::U32 };
    let here = c.here();
    let operand = encode(named(c)?, ty)?;
    match operand.code() {
        code if code >= VGPR || code == LDS_DIRECT => {
            Err(format!("a scalar operand is needed{here}"))
        }
        _ => Ok(operand),
    }
}

/// The code of a scalar destination of `count` registers.
pub(super) fn scalar_register(c: &mut Cursor, count: u16) -> Result<u8, String> {
    let here = c.here();
    match register(c)? {
        (code, found) if found == count && is_scalar_register(code) => Ok(code as u8),
        _ => Err(format!("{count} scalar registers are needed{here}")),
    }
}

/// The number of the first of `count` VGPRs, any count when `count` is 0.
pub(super) fn vgpr(c: &mut Cursor, count: u16) -> Result<u8, String> {
    let here = c.here();
    match register(c)? {
        (code @ VGPR.., found) if count == 0 || found == count => Ok((code - VGPR) as u8),
        _ if count == 0 => Err(format!("vector registers are needed{here}")),
        _ => Err(format!("{count} vector registers are needed{here}")),
    }
}

/// The number of a group of `count` SGPRs, as the field counts them: in units of four.
pub(super) fn descriptor(c: &mut Cursor, count: u16) -> Result<u8, String> {
    let here = c.here();
    match register(c)? {
        (code, found) if code < operand::SGPRS && found == count && code % 4 == 0 => {
            Ok((code / 4) as u8)
        }
        (112..=123, found) if found == count => {
            Err(format!("trap registers hold no descriptor{here}"))
        }
        _ => Err(format!(
            "{count} scalar registers from a multiple of 4 are needed{here}"
        )),
    }
}
