//! Groups in the syntax of the manual.

use crate::isa::control::Control;
use crate::isa::phase2::{Feed, Mov};
use crate::isa::{Body, Condition, Group, Main, Register};

/// A group without its number.
pub fn print(group: &Group) -> String {
    let listing = group.to_string();
    let operations = listing
        .split_once(" { ")
        .and_then(|(_, rest)| rest.split_once(" } ["));
    let operations = operations.map_or("", |(operations, _)| operations);
    let moves = |text: &&str| !text.starts_with("mov w0") && !text.starts_with("movc w0");
    let operations = operations.split("; ").filter(moves);
    let mut texts: Vec<String> = operations.map(|text| substituted(group, text)).collect();
    if let Body::Main(main) = &group.body {
        let drives = texts.iter().any(|text| drives_w(text));
        let at = texts.len() - usize::from(main.backend.is_some());
        let moves = match drives {
            true => Vec::new(),
            false => destinations(group, main),
        };
        drop(texts.splice(at..at, moves));
    } else if let Body::Bitwise(bitwise) = &group.body {
        let from = match (bitwise.p2, bitwise.p1) {
            (Some(_), _) => "ft5",
            (None, Some(_)) => "ft4",
            (None, None) => "ft1",
        };
        for (register, feed) in group.w.iter().zip([from, "ft3"]) {
            texts.extend(register.map(|register| format!("mov {register}, {feed}")));
        }
    }
    let mut head = String::new();
    if group.condition != Condition::PE {
        head += group.condition.name();
        head += " ";
    }
    for (on, name) in [
        (group.end, "end "),
        (group.atomic, "atom "),
        (group.output_lock, "olchk "),
    ] {
        if on {
            head += name;
        }
    }
    if group.repeat > 1 {
        head += &format!("rpt{} ", group.repeat);
    }
    head + &texts.join("; ")
}

/// Operations with fixed destinations.
fn drives_w(text: &str) -> bool {
    let names = [
        "frcp", "frsq", "flog", "fexp", "gcmp", "gexp", "fsinc", "farctanc", "fred", "savmsk",
    ];
    names.iter().any(|name| text.starts_with(name))
}

/// The register of a slot.
fn slot(group: &Group, at: usize) -> Register {
    let (map, n) = if at < 3 {
        (&group.lower, at)
    } else {
        (&group.upper, at - 3)
    };
    map.get(n).copied().unwrap_or(Register::ZERO)
}

/// An operation with registers in place of slots, internal sources and destinations.
fn substituted(group: &Group, text: &str) -> String {
    let Some((name, operands)) = text.split_once(' ') else {
        return text.to_owned();
    };
    let main = match &group.body {
        Body::Main(main) => Some(main),
        _ => None,
    };
    let name = match (name, &group.body) {
        ("mbyp", _) => "mov",
        ("byp", Body::Bitwise(_)) => "mov",
        (name, _) => name,
    };
    let control = matches!(
        group.body,
        Body::Control(Control::Cnd { .. } | Control::Savl)
    );
    let w = |n: usize| match group.w[n] {
        Some(register) => register.to_string(),
        None => format!("ft{n}"),
    };
    let external = |feed: Feed, main: &Main| match feed {
        Feed::FTE if !has_high(main) => slot(group, main.selectors.is0.into()).to_string(),
        feed => feed.name().to_owned(),
    };
    let operand = |operand: &str| -> String {
        let (head, mods) = match operand.find('.') {
            Some(at) => operand.split_at(at),
            None => (operand, ""),
        };
        let text = match (head, main) {
            ("s0" | "s1" | "s2" | "s3" | "s4" | "s5", _) => {
                slot(group, usize::from(head.as_bytes()[1] - b'0')).to_string()
            }
            ("is0", Some(main)) => slot(group, main.selectors.is0.into()).to_string(),
            ("is1", Some(main)) => external(
                if main.selectors.is1_fte {
                    Feed::FTE
                } else {
                    Feed::FT0
                },
                main,
            ),
            ("is2", Some(main)) => external(
                if main.selectors.is2_fte {
                    Feed::FTE
                } else {
                    Feed::FT1
                },
                main,
            ),
            ("is3", Some(main)) if main.selectors.is3 == Feed::FT2 => slot(group, 2).to_string(),
            ("is3", Some(main)) => external(main.selectors.is3, main),
            ("w0", Some(main)) if !drives_w(name) => external(main.selectors.is4, main),
            ("w1", Some(main)) if !drives_w(name) => external(main.selectors.is5, main),
            ("w0", _) if control || main.is_some() => w(0),
            ("w1", _) => w(1),
            _ => head.to_owned(),
        };
        text + mods
    };
    let operands: Vec<String> = operands.split(", ").map(operand).collect();
    format!("{name} {}", operands.join(", "))
}

/// Whether FTE is the high word of an integer operation.
fn has_high(main: &Main) -> bool {
    use crate::isa::alu::{Alu, Wide};
    matches!(main.p0, Some(Alu::Wide { op, .. }) if op != Wide::MADD32)
}

/// The moves to W0 and W1.
fn destinations(group: &Group, main: &Main) -> Vec<String> {
    let s = &main.selectors;
    let feed = |feed: Feed| match feed {
        Feed::FTE if !has_high(main) => slot(group, s.is0.into()).to_string(),
        feed => feed.name().to_owned(),
    };
    let to = |n: usize| group.w[n].map(|register| register.to_string());
    let bytes = |mask: u8| match mask {
        0 => ".none".to_owned(),
        mask => (0..4)
            .filter(|n| mask >> n & 1 == 1)
            .map(|n| format!(".e{n}"))
            .collect(),
    };
    match main.p2.mov {
        Some(Mov {
            conditional: true,
            mask,
            w0,
            w1,
        }) => vec![format!(
            "movc {}{}, {}, ftt, {}, {}",
            to(0).unwrap_or_else(|| "ft0".into()),
            bytes(mask),
            to(1).unwrap_or_else(|| feed(s.is4)),
            feed(w0),
            feed(w1)
        )],
        Some(Mov { mask, w0, w1, .. }) => {
            let first = to(0).unwrap_or_else(|| "ft0".into());
            let mut moves = vec![format!("mov {first}{}, {}", bytes(mask), feed(w0))];
            moves.extend(to(1).map(|register| format!("mov {register}, {}", feed(w1))));
            moves
        }
        None => {
            let both = [(0, s.is4), (1, s.is5)];
            let moves = both
                .into_iter()
                .filter_map(|(n, from)| Some(format!("mov {}, {}", to(n)?, feed(from))));
            moves.collect()
        }
    }
}
