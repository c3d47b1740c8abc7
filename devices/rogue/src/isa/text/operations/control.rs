//! Operations of control groups from their text.

use super::Op;
use crate::isa::Body;
use crate::isa::backend::IterMode;
use crate::isa::control::{
    BranchLanes, Cnd, CndIf, Control, Ditr, Itrsmp, Mutex, Perspective, Sched,
};

/// A control group.
pub(in crate::isa::text) fn control<'a>(
    mut texts: impl Iterator<Item = &'a str>,
) -> Result<Body, String> {
    let op = Op::new(texts.next().unwrap_or(""));
    if texts.next().is_some() {
        return Err("a control group has one operation".to_owned());
    }
    if let Some(which) = Cnd::from_name(op.head) {
        let condition = op.operands.first().and_then(|text| CndIf::from_name(text));
        let last = op.operands.len().saturating_sub(1);
        return Ok(Body::Control(Control::Cnd {
            op: which,
            condition: condition.unwrap_or(CndIf::ALWAYS),
            adjust: if which.has_adjust() {
                op.small(last, "")?
            } else {
                0
            },
        }));
    }
    let found = match op.name {
        "br" | "brl" | "ba" | "bal" => {
            let absolute = op.name.starts_with("ba");
            let target = match absolute {
                true => op.number(0, "")? as i32,
                false => {
                    let text = op.operand(0)?;
                    text.parse().map_err(|_| format!("`{text}` is no offset"))?
                }
            };
            Control::Branch {
                link: op.name.ends_with('l'),
                absolute,
                lanes: op
                    .choice(BranchLanes::from_name)
                    .unwrap_or(BranchLanes::PLAIN),
                target,
            }
        }
        "lapc" => Control::Lapc,
        "savl" => Control::Savl,
        "wop" => Control::Wop,
        "wdf" => Control::Wdf(op.small(0, "drc")?),
        "mutex" => {
            let which = op
                .head
                .split_once('.')
                .and_then(|(_, name)| Mutex::from_name(name));
            Control::Mutex(which.ok_or_else(|| op.wrong())?, op.small(0, "")?)
        }
        "nop" => Control::Nop { end: op.has("end") },
        "sbo" => Control::Sbo {
            shared: op.has("shared"),
            offset: op.small(0, "")?,
        },
        "ditr" => Control::Ditr(Ditr {
            destination: op.small(0, "r")?,
            drc: op.small(1, "drc")?,
            coefficient: coefficient(op.operand(2)?)?,
            count: op.small(3, "")?,
            perspective: perspective(&op, 4)?,
            w_coefficient: coefficient(op.operand(5)?)?,
            ..iteration(&op)?
        }),
        "itrsmp1d" | "itrsmp2d" | "itrsmp3d" => Control::Itrsmp(Itrsmp {
            iteration: Ditr {
                destination: {
                    let text = op.operand(0)?;
                    let text = text.strip_suffix(".f16").unwrap_or(text);
                    let number = text.strip_prefix('r').and_then(|n| n.parse().ok());
                    number.ok_or_else(|| format!("`{text}` is no temporary"))?
                },
                f16: op.operand(0)?.ends_with(".f16"),
                perspective: perspective(&op, 1)?,
                drc: op.small(2, "drc")?,
                coefficient: coefficient(op.operand(3)?)?,
                count: op.small(7, "")?,
                w_coefficient: coefficient(op.operand(8)?)?,
                ..iteration(&op)?
            },
            texture: op.small(4, "sh")?,
            sampler: op.small(5, "sh")?,
            channels: op.small(6, "")?,
            dimensions: op.name.as_bytes()[6] - b'0',
            proj: op.has("proj"),
            nncoords: op.has("nncoords"),
            fcnorm: op.has("fcnorm"),
            comparison: op.has("comparison"),
        }),
        _ => return Err(op.wrong()),
    };
    Ok(Body::Control(found))
}

fn perspective(op: &Op<'_>, n: usize) -> Result<Perspective, String> {
    Perspective::from_name(op.operand(n)?).ok_or_else(|| op.wrong())
}

/// What the modifiers of an iteration say.
fn iteration(op: &Op<'_>) -> Result<Ditr, String> {
    Ok(Ditr {
        destination: 0,
        coefficient: (0, 0),
        w_coefficient: (0, 0),
        perspective: Perspective::NONE,
        mode: op.choice(IterMode::from_name).ok_or_else(|| op.wrong())?,
        count: 0,
        f16: op.has("f16"),
        sched: op.choice(Sched::from_name).unwrap_or(Sched::NONE),
        drc: 0,
        sat: op.has("sat"),
    })
}

fn coefficient(text: &str) -> Result<(u8, u8), String> {
    let wrong = || format!("`{text}` is no coefficient");
    let number = text.strip_prefix("cf").ok_or_else(wrong)?;
    let (first, index) = number.split_once('+').unwrap_or((number, "0"));
    match (first.parse(), index.parse()) {
        (Ok(first), Ok(index)) => Ok((first, index)),
        _ => Err(wrong()),
    }
}
