//! A group of the manual to canonical text.

use super::binds::Binds;
use super::bitwise;
use super::control::control;
use super::operation::{Op, is_feed, operations, split};
use super::phases::{backend, pack, phase_operation, test};

/// The canonical text of a group.
pub(super) fn canonical(text: &str) -> Result<String, String> {
    let mut rest = text.trim();
    let mut head = String::new();
    let prefixes = [
        ("if(p0)", "if(p0) "),
        ("if (p0)", "if(p0) "),
        ("if(!p0)", "if(!p0) "),
        ("if (!p0)", "if(!p0) "),
        ("(ignorepe)", "(ignorepe) "),
        ("end ", "end "),
        ("atom ", "atom "),
        ("olchk ", "olchk "),
        ("rpt2 ", "rpt2 "),
        ("rpt3 ", "rpt3 "),
        ("rpt4 ", "rpt4 "),
    ];
    for (found, meant) in prefixes {
        if let Some(after) = rest.strip_prefix(found) {
            head += meant;
            rest = after.trim_start();
        }
    }
    let ops = operations(rest)?;
    if let Some(text) = control(&ops)? {
        return Ok(head + &text);
    }
    if ops
        .iter()
        .any(|op| bitwise::is_unit(op.base()) || op.base() == "mov" && op.operands.len() == 4)
    {
        return Ok(head + &bitwise::canonical(&ops)?);
    }
    Ok(head + &main(&ops)?)
}

fn main(ops: &[Op]) -> Result<String, String> {
    let mut binds = Binds::default();
    // By phase: 0, 1, pack, test, move, backend.
    let mut texts: [Option<String>; 6] = Default::default();
    let mut moves = Vec::new();
    let mut late = Vec::new();
    // Phases first, so that they have their slots.
    for op in ops {
        let first = split(op.operand(0)).0;
        match op.base() {
            "mov" | "movc"
                if is_feed(op.operand(0)) && op.operands.len() == 2 && !is_feed(op.operand(1)) =>
            {
                let phase = usize::from(first == "ft1");
                let source = binds.take(3 * phase, op.operand(1))?;
                texts[phase] = Some(format!("mbyp ft{phase}, {source}"));
            }
            "mov" | "movc" => moves.push(op),
            "pck" => late.push(op),
            base if base.starts_with("tst") => late.push(op),
            _ => match phase_operation(op, &mut binds)? {
                Some((phase, text)) => texts[phase] = Some(text),
                None => late.push(op),
            },
        }
    }
    for op in late {
        match op.base() {
            "pck" => texts[2] = Some(pack(op, &mut binds)?),
            base if base.starts_with("tst") => texts[3] = Some(test(op, &mut binds)?),
            _ => texts[5] = Some(backend(op, &mut binds)?),
        }
    }
    for (n, op) in moves.iter().enumerate() {
        let (register, mask) = split(op.operand(0));
        let named = (!is_feed(op.operand(0))).then(|| register.to_owned());
        if op.operands.len() >= 5 {
            // W0, the other value, FTT, the value of W0, that of W1.
            match is_feed(op.operand(1)) {
                true => binds.feeds[0] = Some(binds.feed(op.operand(1))?),
                false => binds.w[1] = Some(op.operand(1).to_owned()),
            }
            let [a, b] = [binds.feed(op.operand(3))?, binds.feed(op.operand(4))?];
            let mask = if mask.is_empty() {
                ".e0.e1.e2.e3"
            } else {
                mask
            };
            texts[4] = Some(format!("movc w0{mask}, w1, ftt, {a}, {b}"));
            binds.w[0] = named;
            continue;
        }
        let feed = binds.feed(op.operand(1))?;
        match n {
            0 if mask.is_empty() => (binds.w[0], binds.feeds[0]) = (named, Some(feed)),
            0 => {
                binds.w[0] = named;
                texts[4] = Some(format!("mov w0{mask}, {feed}"));
            }
            1 => {
                binds.w[1] = named;
                match &mut texts[4] {
                    Some(text) if feed != "ft0" => *text += &format!(", w1={feed}"),
                    Some(_) => {}
                    None => binds.feeds[1] = Some(feed),
                }
            }
            _ => return Err("a group has two destinations".into()),
        }
    }
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    Ok(format!(
        "main {{ {} }} [{}]",
        texts.join("; "),
        binds.text()
    ))
}
