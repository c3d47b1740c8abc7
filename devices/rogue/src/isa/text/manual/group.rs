//! A group of the manual to canonical text.

use super::bitwise;

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

    fn wrong(&self) -> String {
        format!(
            "`{} {}` is no operation here",
            self.name,
            self.operands.join(", ")
        )
    }
}

/// Names of operations beside those of units of bits.
const NAMES: [&str; 44] = [
    "fmad", "fadd", "fmul", "frcp", "frsq", "flog", "fexp", "flogcn", "gcmp", "gexp", "mbyp",
    "fdsx", "fdsy", "fdsxf", "fdsyf", "fsinc", "farctanc", "fred", "mov", "movc", "pck", "unpck",
    "unpack", "uvsw", "atst", "depthf", "fitr", "fitrp", "idf", "ld", "st", "atom", "emitpix",
    "savmsk", "movmsk", "setl", "wdf", "wop", "lapc", "savl", "nop", "itrsmp2d", "itrsm2d", "ditr",
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
fn operations(text: &str) -> Result<Vec<Op>, String> {
    let spaced = text
        .replace(',', " , ")
        .replace(';', " ; ")
        .replace(['{', '}', '\n'], " ; ");
    let mut ops: Vec<Op> = Vec::new();
    let mut wants = false;
    for token in spaced.split_whitespace() {
        match token {
            ";" => wants = false,
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
                _ => return Err(format!("`{token}` is no operation")),
            },
        }
    }
    match ops.is_empty() {
        true => Err("a group has operations".into()),
        false => Ok(ops),
    }
}

/// Splits `reg.mod.mod`.
fn split(operand: &str) -> (&str, &str) {
    match operand.find('.') {
        Some(at) => operand.split_at(at),
        None => (operand, ""),
    }
}

pub(super) fn is_feed(operand: &str) -> bool {
    matches!(split(operand).0, "ft0" | "ft1" | "ft2" | "fte" | "ftt")
}

/// Modifiers in the order of listings.
fn ordered(mods: &str) -> String {
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

/// Registers of slots, and what the network selects.
#[derive(Default)]
struct Binds {
    slots: [Option<String>; 6],
    is0: Option<usize>,
    is1: &'static str,
    is2: &'static str,
    is3: String,
    w: [Option<String>; 2],
    feeds: [Option<String>; 2],
}

impl Binds {
    /// An operand of a phase in its slot.
    fn take(&mut self, slot: usize, operand: &str) -> Result<String, String> {
        let (register, mods) = split(operand);
        let register = if register == "_" { "c0" } else { register };
        if let Some(n) = register
            .strip_prefix('s')
            .and_then(|n| n.parse::<usize>().ok())
        {
            // Slots by their own names.
            return Ok(format!("s{n}{}", ordered(mods)));
        }
        match &self.slots[slot] {
            Some(other) if other != register => {
                return Err(format!("S{slot} is {other} and cannot be {register}"));
            }
            _ => self.slots[slot] = Some(register.to_owned()),
        }
        Ok(format!("s{slot}{}", ordered(mods)))
    }

    /// IS0 carries a register.
    fn external(&mut self, register: &str) -> Result<(), String> {
        let found = self
            .slots
            .iter()
            .position(|slot| slot.as_deref() == Some(register));
        let special = register.starts_with("sr");
        let plain =
            register.starts_with('r') || register.starts_with("vi") || register.starts_with('c');
        let order: &[usize] = match (special, plain && !register.starts_with("cf")) {
            (true, _) => &[1, 2, 4],
            (_, true) => &[0, 1, 2, 3, 4, 5],
            _ => &[0, 2, 3],
        };
        let free = order
            .iter()
            .copied()
            .find(|slot| self.slots[*slot].is_none());
        let second = |is0: usize| self.slots[is0].as_deref() != Some(register);
        if self.is0.is_some_and(second) {
            return Err(format!(
                "one register beside the phases' own can be read, and {register} is the second"
            ));
        }
        let slot = found.or(free);
        let slot = slot.ok_or_else(|| format!("no slot is left for {register}"))?;
        self.slots[slot] = Some(register.to_owned());
        self.is0 = Some(slot);
        Ok(())
    }

    /// The feed-through that carries an operand.
    fn feed(&mut self, operand: &str) -> Result<String, String> {
        let (register, _) = split(operand);
        if is_feed(operand) {
            return Ok(register.to_owned());
        }
        self.external(register)?;
        Ok("fte".to_owned())
    }

    fn text(&self) -> String {
        let mut binds = Vec::new();
        for half in [0, 3] {
            let last = (half..half + 3)
                .rev()
                .find(|slot| self.slots[*slot].is_some());
            for slot in half..=last.unwrap_or(half) {
                let register = self.slots[slot].as_deref().unwrap_or("c0");
                binds.push(format!("s{slot}={register}"));
            }
        }
        let is0 = self.is0.unwrap_or(0);
        binds.push(format!("is0=s{is0}"));
        let or = |text: &'static str, default: &'static str| {
            if text.is_empty() { default } else { text }
        };
        binds.push(format!("is1={}", or(self.is1, "ft0")));
        binds.push(format!("is2={}", or(self.is2, "ft1")));
        let is3 = if self.is3.is_empty() {
            "ft0"
        } else {
            &self.is3
        };
        binds.push(format!("is3={is3}"));
        for n in 0..2 {
            let feed = self.feeds[n].as_deref().unwrap_or("ft0");
            binds.push(format!("is{}={feed}", n + 4));
        }
        for (n, w) in self.w.iter().enumerate() {
            if let Some(register) = w {
                binds.push(format!("w{n}={register}"));
            }
        }
        binds.join(", ")
    }
}

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

/// An operation of phase 0 or 1.
fn phase_operation(op: &Op, binds: &mut Binds) -> Result<Option<(usize, String)>, String> {
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

fn pack(op: &Op, binds: &mut Binds) -> Result<String, String> {
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

fn test(op: &Op, binds: &mut Binds) -> Result<String, String> {
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
fn backend(op: &Op, binds: &mut Binds) -> Result<String, String> {
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
            format!("{name} s3, {}, {}, {address}", op.operand(1), op.operand(2))
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

/// A control group, if the operation is one.
fn control(ops: &[Op]) -> Result<Option<String>, String> {
    let op = &ops[0];
    let base = op.base();
    let plain = ["wdf", "wop", "lapc", "nop"].contains(&base)
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
        return Ok(Some(format!(
            "control {{ {} {} }} [s0={s0}, s3=c0, w0={w0}]",
            op.name,
            operands.join(", ")
        )));
    }
    Ok(None)
}
