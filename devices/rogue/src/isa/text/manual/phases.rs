//! Operations of the phases of main groups.

use super::binds::Binds;
use super::operation::{Op, is_feed, split};

/// An operation of phase 0 or 1.
pub(super) fn phase_operation(
    op: &Op,
    binds: &mut Binds,
) -> Result<Option<(usize, String)>, String> {
    let base = op.base();
    let complex = [
        "frcp", "frsq", "flog", "fexp", "flogcn", "gcmp", "gexp", "farctanc",
    ];
    let destination = |binds: &mut Binds, n: usize, operand: &str| {
        if !is_feed(operand) && operand != "_" {
            binds.w[n] = Some(split(operand).0.to_owned());
        }
    };
    if complex.contains(&base) {
        destination(binds, 0, op.operand(0));
        let source = binds.take(0, op.operand(1))?;
        return Ok(Some((0, format!("{} w0, {source}", op.name))));
    }
    if base == "fsinc" {
        destination(binds, 0, op.operand(0));
        let source = binds.take(0, op.operand(2))?;
        return Ok(Some((0, format!("fsinc w0, p0, {source}"))));
    }
    if base == "fred" {
        let part = if op.name.contains(".part") {
            ""
        } else {
            ".parta"
        };
        destination(binds, 0, op.operand(0));
        destination(binds, 1, op.operand(1));
        let source = binds.take(0, op.operand(4))?;
        binds.take(3, op.operand(5))?;
        let (p0, iteration) = (op.operand(2), op.operand(3));
        let text = format!("{}{part} w0, w1, {p0}, {iteration}, {source}, s3", op.name);
        return Ok(Some((0, text)));
    }
    let phase = match split(op.operand(0)).0 {
        _ if ["uvsw", "depthf", "movmsk", "setl"].contains(&base) => return Ok(None),
        "ft0" => 0,
        "ft1" => 1,
        _ => return Ok(None),
    };
    if base == "unpck" || base == "unpack" {
        let mut source = binds.take(0, op.operand(1))?;
        if !source.contains('.') {
            source += ".e0";
        }
        let name = op
            .name
            .replace("unpack", "unpck")
            .replace(".roundzero", ".scale");
        return Ok(Some((
            0,
            format!("{} ft0, {source}", name.replace(".rndzero", ".scale")),
        )));
    }
    let wide = base.ends_with("32") || base.ends_with("64");
    let count = match base {
        "add64" | "umadd64" | "smadd64" => 4,
        _ if wide => 3,
        _ => op.operands.len() - 1,
    };
    let mut sources = Vec::new();
    for n in 0..count.min(3) {
        sources.push(binds.take(3 * phase + n, op.operand(n + 1))?);
    }
    if count == 4 {
        binds.external(op.operand(4))?;
        sources.push("is0".into());
    }
    if wide {
        let carry = op.operands.get(count + 1).map_or("_", String::as_str);
        sources.push(carry.to_owned());
    }
    Ok(Some((
        phase,
        format!("{} ft{phase}, {}", op.name, sources.join(", ")),
    )))
}

pub(super) fn pack(op: &Op, binds: &mut Binds) -> Result<String, String> {
    let has = |name: &str| op.name.split('.').any(|part| part == name);
    let mut name = op.name.replace(".rndzero", "").replace(".roundzero", "");
    if has("rndzero") || has("roundzero") {
        name += ".roundzero";
    }
    if op.operands.len() < 2 {
        return Ok(format!("{name} ft2"));
    }
    binds.is3 = match op.operand(1) {
        "is3" => String::new(),
        operand => binds.feed(operand)?,
    };
    Ok(format!("{name} ft2, is3"))
}

pub(super) fn test(op: &Op, binds: &mut Binds) -> Result<String, String> {
    let mut text = format!("{} ftt, {}", op.name, op.operand(1));
    for n in 1..op.operands.len().saturating_sub(1).min(3) {
        let operand = op.operand(n + 1);
        let (register, element) = split(operand);
        let expected = if n == 1 { "ft0" } else { "ft1" };
        let fte = match register {
            "is1" | "is2" => false,
            _ if register == expected => false,
            _ if is_feed(operand) && register != "fte" => return Err(op.wrong()),
            "fte" => true,
            _ => {
                binds.external(register)?;
                true
            }
        };
        match (n, fte) {
            (1, true) => binds.is1 = "fte",
            (2, true) => binds.is2 = "fte",
            _ => {}
        }
        text += &format!(", is{n}{element}");
    }
    Ok(text)
}

/// An operation of the backend.
pub(super) fn backend(op: &Op, binds: &mut Binds) -> Result<String, String> {
    let base = op.base();
    let name = &op.name;
    Ok(match base {
        "uvsw" if !op.operands.is_empty() => {
            let address = op.operand(1).to_owned();
            if is_feed(op.operand(0)) {
                let feed = binds.feed(op.operand(0))?;
                binds.feeds[0].get_or_insert(feed);
            }
            format!("{name} w0, {address}")
        }
        "uvsw" => name.clone(),
        "depthf" | "movmsk" | "setl" => {
            let feed = binds.feed(op.operand(0))?;
            binds.feeds[0].get_or_insert(feed);
            format!("{name} w0")
        }
        "fitr" | "fitrp" => {
            binds.take(3, op.operand(0))?;
            binds.take(0, op.operand(2))?;
            let drc = op.operand(1);
            match op.operands.len() {
                4 => format!("{name} s3, {drc}, s0, {}", op.operand(3)),
                _ => {
                    binds.take(2, op.operand(3))?;
                    let name = name.replace("fitrp", "fitr").replace("fitr", "fitrp");
                    format!("{name} s3, {drc}, s0, s2, {}", op.operand(4))
                }
            }
        }
        base if base.starts_with("smp") => {
            for slot in 0..5 {
                binds.take(slot, op.operand(slot + 1))?;
            }
            format!(
                "{name} {}, s0, s1, s2, s3, s4, {}",
                op.operand(0),
                op.operand(6)
            )
        }
        "atst" => {
            for slot in 0..3 {
                binds.take(slot, op.operand(slot + 1))?;
            }
            format!("{name} {}, s0, s1, s2", op.operand(0))
        }
        "ld" => {
            binds.take(3, op.operand(0))?;
            let address = binds.take(0, op.operand(3))?;
            let burst = amount(binds, op.operand(2))?;
            format!("{name} s3, {}, {burst}, {address}", op.operand(1))
        }
        "st" => {
            let data = binds.take(0, op.operand(0))?;
            let address = binds.take(3, op.operand(4))?;
            let mask = match op.operand(5) {
                "_" => "_".to_owned(),
                mask => binds.take(1, mask)?,
            };
            let burst = amount(binds, op.operand(3))?;
            let (size, drc) = (op.operand(1), op.operand(2));
            format!("{name} {data}, {size}, {drc}, {burst}, {address}, {mask}")
        }
        "atom" => {
            let old = binds.take(3, op.operand(0))?;
            let from = binds.take(0, op.operand(2))?;
            format!("{name} {old}, {}, {from}", op.operand(1))
        }
        "savmsk" => {
            for n in 0..2 {
                let operand = op.operand(n);
                if !is_feed(operand) && operand != "_" {
                    binds.w[n] = Some(operand.to_owned());
                }
            }
            format!("{name} w0, w1")
        }
        "phas" => {
            let address = binds.take(0, op.operand(0))?;
            let rest = op.operands[1.min(op.operands.len())..].join(", ");
            format!("{name} {address}, {rest}")
        }
        "emitpix" => {
            binds.take(0, op.operand(0))?;
            binds.take(2, op.operand(1))?;
            format!("{name} s0, s2")
        }
        "idf" => {
            let slot = binds.take(0, op.operand(1))?;
            format!("{name} {}, {slot}", op.operand(0))
        }
        _ => return Err(op.wrong()),
    })
}

/// A number, or a register in a slot.
fn amount(binds: &mut Binds, operand: &str) -> Result<String, String> {
    match operand.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(operand.to_owned()),
        false => binds.take(2, operand),
    }
}
