//! Control groups of the manual's syntax.

use super::operation::Op;

/// A control group, if the operation is one.
pub(super) fn control(ops: &[Op]) -> Result<Option<String>, String> {
    let op = &ops[0];
    let base = op.base();
    let plain = ["wdf", "wop", "lapc", "nop", "mutex", "sbo", "ditr"].contains(&base)
        || base.starts_with("br") && base.len() <= 3
        || base.starts_with("ba");
    if plain {
        let operands = op.operands.join(", ");
        return Ok(Some(format!(
            "control {{ {} }} []",
            format!("{} {operands}", op.name).trim_end()
        )));
    }
    if base == "savl" {
        return Ok(Some(format!(
            "control {{ savl w0 }} [w0={}]",
            op.operand(0)
        )));
    }
    if base.starts_with("itrsm") {
        let name = match base.contains("smp") {
            true => op.name.clone(),
            false => op.name.replace("itrsm", "itrsmp"),
        };
        let perspective = match op.operand(1) {
            "0" => "none",
            "1" => "iter_mul",
            "2" => "iter_mul_store",
            "3" => "mul_stored",
            other => other,
        };
        let o = |n: usize| op.operand(n);
        let (count, w) = match op.operands.len() {
            0..=8 => ("0", o(7)),
            _ => (o(7), o(8)),
        };
        return Ok(Some(format!(
            "control {{ {name} {}, {perspective}, {}, {}, {}, {}, {}, {count}, {w} }} []",
            o(0),
            o(2),
            o(3),
            o(4),
            o(5),
            o(6)
        )));
    }
    if base.starts_with("cnd") {
        let mut operands = op.operands.clone();
        let at = usize::from(
            operands
                .first()
                .is_some_and(|first| first.starts_with("if(")),
        );
        let w0 = operands.get(at).cloned().ok_or_else(|| op.wrong())?;
        operands[at] = "w0".into();
        let source = at + 1 + usize::from(base == "cndlt");
        let s0 = operands.get(source).cloned().ok_or_else(|| op.wrong())?;
        operands[source] = "s0".into();
        let mut binds = format!("s0={s0}, s3=c0");
        if let Some(new) = operands.get_mut(source + 1)
            && new.starts_with(|first: char| first.is_ascii_alphabetic())
        {
            binds = format!("s0={s0}, s1=c0, s2={new}, s3=c0");
            *new = "s2".into();
        }
        return Ok(Some(format!(
            "control {{ {} {} }} [{binds}, w0={w0}]",
            op.name,
            operands.join(", ")
        )));
    }
    Ok(None)
}
