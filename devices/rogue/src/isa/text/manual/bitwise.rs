//! A bitwise group of the manual to canonical text.

use super::operation::{Op, is_feed};

/// Operations that only bitwise groups have.
pub(super) fn is_unit(name: &str) -> bool {
    matches!(
        name,
        "and"
            | "or"
            | "xor"
            | "nand"
            | "nor"
            | "xnor"
            | "shfl"
            | "rev"
            | "lsl"
            | "cps"
            | "shr"
            | "asr"
            | "rol"
            | "tz"
            | "tnz"
            | "msk"
            | "cbs"
            | "ftb"
            | "byp"
            | "byp16"
            | "byp32"
    )
}

/// Registers of slots.
#[derive(Default)]
struct Slots([Option<String>; 6]);

impl Slots {
    fn take(&mut self, slot: usize, operand: &str) -> Result<(), String> {
        let register = match operand {
            "_" => return Ok(()),
            // Slots by their own names.
            _ if operand.len() == 2 && operand.starts_with('s') => return Ok(()),
            register => register,
        };
        match &self.0[slot] {
            Some(other) if other != register => {
                Err(format!("S{slot} is {other} and cannot be {register}"))
            }
            _ => {
                self.0[slot] = Some(register.to_owned());
                Ok(())
            }
        }
    }
}

/// The units that a group has set.
#[derive(Default)]
struct Units {
    mask: Option<String>,
    shift: Option<String>,
    count: Option<String>,
    logical: Option<String>,
    second: Option<String>,
    test: Option<String>,
}

/// The canonical text of a group. Units that it does not name pass their sources on, or shift by nothing.
pub(super) fn canonical(ops: &[Op]) -> Result<String, String> {
    let (mut slots, mut units) = (Slots::default(), Units::default());
    let mut w: [Option<String>; 2] = [None, None];
    for op in ops {
        unit(op, &mut slots, &mut units, &mut w)?;
    }
    let Units {
        mask,
        shift,
        count,
        logical,
        second,
        test,
    } = units;
    let mut texts = Vec::new();
    if mask.is_some() || shift.is_some() || count.is_some() {
        texts.push(mask.unwrap_or_else(|| "byp ft0, ft1, s0, s1".into()));
        texts.push(shift.unwrap_or_else(|| "byp ft2, s2".into()));
        texts.push(count.unwrap_or_else(|| "cbs ft3, s2".into()));
    }
    texts.extend(logical);
    if second.is_some() || test.is_some() {
        if second.is_none() {
            slots.take(4, "c0")?;
        }
        texts.push(second.unwrap_or_else(|| "lsl ft5, ft4, s4".into()));
    }
    texts.extend(test);
    let mut binds = Vec::new();
    for half in [0, 3] {
        let last = (half..half + 3).rev().find(|slot| slots.0[*slot].is_some());
        for slot in half..=last.unwrap_or(half) {
            let register = slots.0[slot].as_deref().unwrap_or("c0");
            binds.push(format!("s{slot}={register}"));
        }
    }
    for (n, w) in w.iter().enumerate() {
        binds.extend(w.as_ref().map(|register| format!("w{n}={register}")));
    }
    Ok(format!(
        "bitwise {{ {} }} [{}]",
        texts.join("; "),
        binds.join(", ")
    ))
}

fn unit(
    op: &Op,
    slots: &mut Slots,
    units: &mut Units,
    w: &mut [Option<String>; 2],
) -> Result<(), String> {
    let o = |n: usize| op.operand(n);
    let wrong = || {
        format!(
            "`{} {}` is no operation of bitwise groups",
            op.name,
            op.operands.join(", ")
        )
    };
    match (op.base(), o(0)) {
        ("mov" | "byp" | "msk", "ft0") => {
            let name = if op.base() == "msk" { "msk" } else { "byp" };
            slots.take(0, o(2))?;
            slots.take(1, o(3))?;
            units.mask = Some(format!("{name} ft0, ft1, s0, s1"));
        }
        ("byp16" | "byp32", "ft0") => {
            slots.take(0, o(2))?;
            units.mask = Some(format!("{} ft0, ft1, s0, {}", op.name, o(3)));
        }
        ("mov" | "byp" | "rev", "ft2") => {
            let name = if op.base() == "rev" { "rev" } else { "byp" };
            slots.take(2, o(1))?;
            units.shift = Some(format!("{name} ft2, s2"));
        }
        ("lsl" | "shfl", "ft2") => {
            slots.take(2, o(1))?;
            slots.take(1, o(2))?;
            units.shift = Some(format!("{} ft2, s2, s1", op.name));
        }
        ("mov" | "byp" | "cbs" | "ftb", "ft3") => {
            let name = if op.base() == "mov" { "byp" } else { op.base() };
            let counted = if o(1) == "ft2" { "ft2" } else { "s2" };
            if counted == "s2" {
                slots.take(2, o(1))?;
            }
            units.count = Some(format!("{name} ft3, {counted}"));
        }
        ("mov" | "byp", "ft4") => units.logical = Some("byp ft4, ft1".into()),
        ("and" | "or" | "xor" | "nand" | "nor" | "xnor", "ft4") => {
            // The masks may be left out.
            let (left, right, source) = match op.operands.len() {
                3 => ("_", "_", o(2)),
                _ => (o(1), o(3), o(4)),
            };
            slots.take(3, source)?;
            units.logical = Some(format!("{} ft4, {left}, ft2, {right}, s3", op.name));
        }
        ("asr", "ft5") if op.operands.len() == 4 => {
            let name = if o(3) == "ft0" { "asr.mtb" } else { "asr.ftb" };
            slots.take(4, o(2))?;
            units.second = Some(format!("{name} ft5, ft4, s4"));
        }
        ("cps", "ft5") => {
            slots.take(4, o(3))?;
            units.second = Some("cps ft5, p0, ft4, s4".into());
        }
        ("lsl" | "shr" | "rol" | "asr", "ft5") => {
            slots.take(4, o(2))?;
            units.second = Some(format!("{} ft5, ft4, s4", op.name));
        }
        ("tz" | "tnz", "p0") => units.test = Some(format!("{} p0, {}", op.name, o(1))),
        ("mov", register) if !is_feed(register) => {
            let n = usize::from(o(1) == "ft3");
            w[n] = Some(register.to_owned());
        }
        _ => return Err(wrong()),
    }
    Ok(())
}
