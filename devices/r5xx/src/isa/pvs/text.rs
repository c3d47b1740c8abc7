//! Instructions as text.
//!
//! ```text
//! instruction = ["(P)" | "(!P)"] operation ["+" operation] | ".words" word "," word "," word "," word
//! operation   = mnemonic ["_SAT"] [target {"," source}]
//! target      = register ["." {"x" | "y" | "z" | "w"} | "._"]
//! source      = ["-"] (register | "|" register "|") ["." component component component component]
//! component   = ["-"] ("x" | "y" | "z" | "w" | "0" | "1" | "_")
//! register    = file number | file "[" number "+" ("A0." ("x" | "y" | "z" | "w") | "aL") "]"
//! file        = "T" | "I" | "C" | "AT" | "OUT" | "OUTX" | "A"
//! ```
//!
//! A missing mask or swizzle is `xyzw`, missing sources repeat the last one. The operation after `+` is the math half of a
//! dual instruction; its source has two components. `.words` has bits that no text names.

use std::fmt;
use std::str::FromStr;

use super::inst::{
    DstFile, DualMath, Inst, Mode, Op, Operand, Select, SrcFile, Target, Third, XYZW,
};
use super::ops::{MacroOp, MeOp, VeOp};

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

impl SrcFile {
    const NAMES: [(&str, SrcFile); 4] = [
        ("T", SrcFile::Temp),
        ("I", SrcFile::Input),
        ("C", SrcFile::Constant),
        ("AT", SrcFile::AltTemp),
    ];
}

impl DstFile {
    const NAMES: [(&str, DstFile); 6] = [
        ("T", DstFile::Temp),
        ("A", DstFile::Address),
        ("OUT", DstFile::Output),
        ("OUTX", DstFile::OutputX),
        ("AT", DstFile::AltTemp),
        ("I", DstFile::Input),
    ];
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], file: T) -> &'static str {
    let found = names.iter().find(|(_, of)| *of == file);
    found.map_or("?", |(name, _)| name)
}

fn register(name: &str, offset: u8, mode: Mode) -> String {
    match mode {
        Mode::Absolute => format!("{name}{offset}"),
        Mode::Address(at) => format!("{name}[{offset}+A0.{}]", COMPONENTS[usize::from(at & 3)]),
        Mode::Loop => format!("{name}[{offset}+aL]"),
    }
}

/// Components with their signs; all signs in front where they are the same.
fn operand_text(operand: &Operand, count: usize) -> String {
    let name = name_of(&SrcFile::NAMES, operand.file);
    let register = register(name, operand.offset, operand.mode);
    let negate = &operand.negate[..count];
    let all = negate.iter().all(|negate| *negate);
    let mut text = String::new();
    if all {
        text.push('-');
    }
    match operand.abs {
        true => text += &format!("|{register}|"),
        false => text += &register,
    }
    let same_sign = all || negate.iter().all(|negate| !*negate);
    if operand.swizzle == XYZW && same_sign && count == 4 {
        return text;
    }
    text.push('.');
    for (select, negate) in operand.swizzle[..count].iter().zip(negate) {
        if *negate && !all {
            text.push('-');
        }
        let letter = Select::ALL.iter().find(|(_, of)| of == select);
        text.push(letter.map_or('?', |(letter, _)| *letter));
    }
    text
}

fn target_text(target: &Target) -> String {
    let name = name_of(&DstFile::NAMES, target.file);
    let mut text = register(name, target.offset, target.mode);
    match target.mask {
        15 => {}
        0 => text += "._",
        mask => {
            text.push('.');
            text.extend((0..4).filter(|c| mask >> c & 1 == 1).map(|c| COMPONENTS[c]));
        }
    }
    text
}

fn operation(name: &str, saturate: bool) -> String {
    let suffix = if saturate { "_SAT" } else { "" };
    format!("{name}{suffix}")
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stray != [0; 4] {
            let words = self.encode().map(|word| format!("{word:#010x}"));
            return write!(f, ".words {}", words.join(", "));
        }
        match self.predicate {
            Some(true) => write!(f, "(P) ")?,
            Some(false) => write!(f, "(!P) ")?,
            None => {}
        }
        write!(f, "{}", operation(self.op.name(), self.saturate))?;
        let operands = self.operands();
        let dual = matches!(self.third, Third::Math(_));
        // What is missing repeats the last one, or is zero where there is none.
        let mut count = if dual { 2 } else { 3 };
        while count > self.op.operands() {
            let implied = match count {
                1 => Operand::default(),
                count => operands[count - 2],
            };
            if operands[count - 1] != implied {
                break;
            }
            count -= 1;
        }
        let bare = self.op.operands() == 0 && self.target == Target::default();
        if count > 0 || !bare {
            write!(f, " {}", target_text(&self.target))?;
        }
        for operand in &operands[..count] {
            write!(f, ", {}", operand_text(operand, 4))?;
        }
        if let Third::Math(math) = &self.third {
            let at = COMPONENTS[usize::from(math.component & 3)];
            let name = operation(math.op.name(), math.saturate);
            let source = operand_text(&math.operand(), 2);
            write!(f, " + {name} AT{}.{at}, {source}", math.dst)?;
        }
        Ok(())
    }
}

/// `T5`, `T[5+A0.x]` or `T[5+aL]`, and what follows it.
fn parse_register<T: Copy>(
    text: &str,
    names: &[(&str, T)],
) -> Result<(T, u8, Mode, String), String> {
    let wrong = || format!("`{text}` is no register here");
    let letters = text
        .find(|c: char| !c.is_ascii_uppercase())
        .ok_or_else(wrong)?;
    let (name, rest) = text.split_at(letters);
    let file = names
        .iter()
        .find(|(of, _)| *of == name)
        .ok_or_else(wrong)?
        .1;
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| wrong());
    if let Some(inside) = rest.strip_prefix('[') {
        let (inside, after) = inside.split_once(']').ok_or_else(wrong)?;
        let (offset, index) = inside.split_once('+').ok_or_else(wrong)?;
        let mode = match index.trim() {
            "aL" => Mode::Loop,
            index => {
                let of = index.strip_prefix("A0.").ok_or_else(wrong)?;
                let at = COMPONENTS.iter().position(|c| of == c.to_string());
                Mode::Address(at.ok_or_else(wrong)? as u8)
            }
        };
        return Ok((file, number(offset)?, mode, after.to_owned()));
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (offset, after) = rest.split_at(digits);
    Ok((file, number(offset)?, Mode::Absolute, after.to_owned()))
}

fn parse_target(text: &str) -> Result<Target, String> {
    let (file, offset, mode, rest) = parse_register(text, &DstFile::NAMES)?;
    if offset > 127 {
        return Err(format!("`{text}`: a target is one of 128"));
    }
    let mask = match rest.as_str() {
        "" => 15,
        "._" => 0,
        rest => {
            let wrong = || format!("`{rest}` is no mask");
            let letters = rest.strip_prefix('.').ok_or_else(wrong)?;
            let bit = |c: char| COMPONENTS.iter().position(|of| *of == c);
            let bits: Option<Vec<usize>> = letters.chars().map(bit).collect();
            let bits = bits.filter(|bits| bits.is_sorted_by(|a, b| a < b));
            let bits = bits.ok_or_else(wrong)?;
            bits.into_iter().fold(0, |mask, bit| mask | 1 << bit)
        }
    };
    Ok(Target {
        file,
        offset,
        mode,
        mask,
    })
}

/// A source of `count` components.
fn parse_operand(text: &str, count: usize) -> Result<Operand, String> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (abs, register, components) = match rest.strip_prefix('|') {
        Some(rest) => {
            let (register, after) = rest
                .split_once('|')
                .ok_or_else(|| format!("`{text}` has one bar"))?;
            (true, register, after.to_owned())
        }
        None => (false, rest, String::new()),
    };
    let (file, offset, mode, after) = parse_register(register, &SrcFile::NAMES)?;
    let components = if abs { components } else { after };
    let mut operand = Operand {
        file,
        offset,
        mode,
        abs,
        swizzle: XYZW,
        negate: [negative; 4],
    };
    if components.is_empty() && count == 4 {
        return Ok(operand);
    }
    let wrong = || format!("`{text}` has no {count} components");
    let mut letters = components.strip_prefix('.').ok_or_else(wrong)?.chars();
    for at in 0..count {
        let mut letter = letters.next().ok_or_else(wrong)?;
        if letter == '-' {
            operand.negate[at] = !operand.negate[at];
            letter = letters.next().ok_or_else(wrong)?;
        }
        let select = Select::ALL.iter().find(|(of, _)| *of == letter);
        operand.swizzle[at] = select.ok_or_else(wrong)?.1;
    }
    match letters.next() {
        None => Ok(operand),
        Some(_) => Err(wrong()),
    }
}

/// A mnemonic, with whether it saturates.
fn parse_mnemonic(text: &str) -> Result<(Op, bool), String> {
    let find = |name: &str| {
        let vector = VeOp::from_name(name).map(Op::Vector);
        let vector = vector.or(MacroOp::from_name(name).map(Op::Macro));
        vector.or(MeOp::from_name(name).map(Op::Math))
    };
    if let Some(op) = find(text) {
        return Ok((op, false));
    }
    let op = text.strip_suffix("_SAT").and_then(find);
    let op = op.ok_or_else(|| format!("there is no operation `{text}`"))?;
    Ok((op, true))
}

/// Mnemonic, whether it saturates, and what follows it.
fn parse_operation(text: &str) -> Result<(Op, bool, Vec<&str>), String> {
    let text = text.trim();
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (op, saturate) = parse_mnemonic(name)?;
    let parts = match rest.trim() {
        "" => Vec::new(),
        rest => rest.split(',').map(str::trim).collect(),
    };
    Ok((op, saturate, parts))
}

fn parse_math(text: &str) -> Result<DualMath, String> {
    let (op, saturate, parts) = parse_operation(text)?;
    let (Op::Math(op), [target, source]) = (op, parts.as_slice()) else {
        return Err(format!("`{text}` is no math operation of one source"));
    };
    let target = parse_target(target)?;
    let one = target.mask.is_power_of_two() && target.mode == Mode::Absolute;
    if target.file != DstFile::AltTemp || target.offset > 3 || !one {
        return Err(format!(
            "`{text}` does not write one component of AT0 to AT3"
        ));
    }
    let source = parse_operand(source, 2)?;
    Ok(DualMath {
        op,
        saturate,
        file: source.file,
        offset: source.offset,
        mode: source.mode,
        abs: source.abs,
        swizzle: [source.swizzle[0], source.swizzle[1]],
        negate: [source.negate[0], source.negate[1]],
        dst: target.offset,
        component: target.mask.trailing_zeros() as u8,
    })
}

fn parse_words(text: &str) -> Result<Inst, String> {
    Inst::decode(crate::isa::raw(text)?).map_err(|error| error.to_string())
}

impl FromStr for Inst {
    type Err = String;

    fn from_str(text: &str) -> Result<Inst, String> {
        let text = text.trim();
        if let Some(words) = text.strip_prefix(".words") {
            return parse_words(words);
        }
        let predicates = [("(P)", Some(true)), ("(!P)", Some(false))];
        let found = predicates
            .iter()
            .find_map(|(prefix, of)| Some((text.strip_prefix(prefix)?, *of)));
        let (text, predicate) = found.unwrap_or((text, None));
        // A sum inside an address has no space before it.
        let (first, second) = match text.split_once(" + ") {
            Some((first, second)) => (first, Some(second)),
            None => (text, None),
        };
        let (op, saturate, parts) = parse_operation(first)?;
        let target = match parts.first() {
            Some(target) => parse_target(target)?,
            None if op.operands() == 0 => Target::default(),
            None => return Err(format!("{} has no target", op.name())),
        };
        let limit = if second.is_some() { 2 } else { 3 };
        let sources = parts.iter().skip(1).map(|part| parse_operand(part, 4));
        let sources: Vec<Operand> = sources.collect::<Result<_, _>>()?;
        if sources.len() > limit || (sources.is_empty() && op.operands() > 0) {
            let (name, count) = (op.name(), sources.len());
            return Err(format!("{name} has {count} sources"));
        }
        let mut inst = Inst::new(op, target, &sources);
        (inst.saturate, inst.predicate) = (saturate, predicate);
        if let Some(second) = second {
            inst.third = Third::Math(parse_math(second)?);
        }
        // What the text can say but the words cannot.
        Inst::decode(inst.encode()).map_err(|error| error.to_string())
    }
}
