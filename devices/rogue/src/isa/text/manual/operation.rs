//! Operations of the manual's syntax: names, operands, modifiers.

use super::bitwise;
use crate::isa::UNPUBLISHED;

/// An operation: `name.mod.mod operand, operand`.
#[derive(Clone, Debug)]
pub(super) struct Op {
    pub(super) name: String,
    pub(super) operands: Vec<String>,
}

impl Op {
    pub(super) fn base(&self) -> &str {
        self.name.split('.').next().unwrap_or("")
    }

    /// An operand; `_` where it is missing.
    pub(super) fn operand(&self, n: usize) -> &str {
        self.operands.get(n).map_or("_", String::as_str)
    }

    pub(super) fn wrong(&self) -> String {
        format!(
            "`{} {}` is no operation here",
            self.name,
            self.operands.join(", ")
        )
    }
}

/// Names of operations beside those of units of bits.
const NAMES: [&str; 47] = [
    "fmad", "fadd", "fmul", "frcp", "frsq", "flog", "fexp", "flogcn", "gcmp", "gexp", "mbyp",
    "fdsx", "fdsy", "fdsxf", "fdsyf", "fsinc", "farctanc", "fred", "mov", "movc", "pck", "unpck",
    "unpack", "uvsw", "atst", "depthf", "fitr", "fitrp", "idf", "ld", "st", "atom", "emitpix",
    "savmsk", "movmsk", "setl", "wdf", "wop", "lapc", "savl", "nop", "itrsmp2d", "itrsm2d", "ditr",
    "mutex", "sbo", "phas",
];

fn is_name(token: &str) -> bool {
    let base = token.split('.').next().unwrap_or("");
    let sized = |prefix: &str| {
        base.strip_prefix(prefix)
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    };
    NAMES.contains(&base)
        || bitwise::is_unit(base)
        || base.starts_with("tst")
        || base.starts_with("cnd")
        || base.starts_with("smp")
        || base.starts_with("itrsmp")
        || base.starts_with("br")
        || base.starts_with("ba")
        || [
            "uadd", "umul", "umad", "iadd", "imul", "imad", "umadd", "smadd", "sadd", "add",
        ]
        .iter()
        .any(|prefix| sized(prefix))
}

/// Operations of a text: an operand without a comma behind it is an operation's last.
pub(super) fn operations(text: &str) -> Result<Vec<Op>, String> {
    let spaced = text
        .replace(',', " , ")
        .replace(';', " ; ")
        .replace(['{', '}'], " ; ")
        .replace('\n', " : ");
    let mut ops: Vec<Op> = Vec::new();
    let mut wants = false;
    for token in spaced.split_whitespace() {
        match token {
            ";" => wants = false,
            // Where a line goes on; the manual begins such lines with a colon.
            ":" => {}
            "," => wants = true,
            token
                if is_name(token)
                    && !(wants && ops.last().is_some_and(|op| op.base().starts_with("br"))) =>
            {
                ops.push(Op {
                    name: token.to_owned(),
                    operands: Vec::new(),
                });
                wants = true;
            }
            token => match ops.last_mut() {
                Some(op) if wants => {
                    op.operands.push(token.to_owned());
                    wants = false;
                }
                _ => return Err(unknown(token)),
            },
        }
    }
    match ops.is_empty() {
        true => Err("a group has operations".into()),
        false => Ok(ops),
    }
}

/// Splits `reg.mod.mod`.
pub(super) fn split(operand: &str) -> (&str, &str) {
    match operand.find('.') {
        Some(at) => operand.split_at(at),
        None => (operand, ""),
    }
}

pub(super) fn is_feed(operand: &str) -> bool {
    matches!(split(operand).0, "ft0" | "ft1" | "ft2" | "fte" | "ftt")
}

/// Modifiers in the order of listings.
pub(super) fn ordered(mods: &str) -> String {
    let has = |name: &str| mods.split('.').any(|part| part == name);
    let mut text = String::new();
    for name in ["flr", "abs", "neg", "e0", "e1", "e2", "e3"] {
        if has(name) {
            text += ".";
            text += name;
        }
    }
    text
}

/// Why a word is no operation.
fn unknown(token: &str) -> String {
    let name = token.split('.').next().unwrap_or(token);
    let unpublished = UNPUBLISHED.iter().any(|row| {
        let mnemonic = row.mnemonic.split('.').next().unwrap_or_default();
        mnemonic.eq_ignore_ascii_case(name) || mnemonic.eq_ignore_ascii_case(&format!("f16{name}"))
    });
    match unpublished {
        true => format!("the binary form of `{token}` is not public"),
        false => format!("`{token}` is no operation"),
    }
}
