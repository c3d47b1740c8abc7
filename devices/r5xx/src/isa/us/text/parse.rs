//! Text to instructions.

use std::str::FromStr;

use super::super::codes::{
    AddressOp, BranchOp, Modifier, Omod, PredSelect, Presubtract, Select, Swizzle, Test,
};
use super::super::inst::{
    Alu, Body, Fc, Half, Input, Inst, Predicate, Register, Source, Sources, Tex, TexRegister,
};
use super::super::ops::{AlphaOp, FcOp, RgbOp, TexOp, TexSem};
use super::CHANNELS;
use crate::isa::{raw, word};

/// Addresses of labels.
type Labels<'a> = &'a dyn Fn(&str) -> Option<u16>;

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("`{text}` is no number here"))
}

/// `5` or `[5+aL]`, and what follows it.
fn address(text: &str) -> Result<(u8, bool, &str), String> {
    if let Some(inside) = text.strip_prefix('[') {
        let both = inside.split_once("+aL]");
        let (at, after) = both.ok_or_else(|| format!("`{text}` has no `+aL]`"))?;
        return Ok((number(at)?, true, after));
    }
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (at, after) = text.split_at(digits);
    Ok((number(at)?, false, after))
}

fn temporary(at: u8) -> Result<u8, String> {
    match at {
        0..128 => Ok(at),
        _ => Err(format!("there is no temporary {at}")),
    }
}

fn source(text: &str) -> Result<Source, String> {
    let wrong = || format!("`{text}` is no source");
    let (file, rest) = text.split_at_checked(1).ok_or_else(wrong)?;
    if file == "K" {
        let bits = number(rest)?;
        return match bits {
            0..128 => Ok(Source::Inline(bits)),
            _ => Err(wrong()),
        };
    }
    let (at, relative, after) = address(rest)?;
    match (file, after) {
        ("T", "") => {
            let at = temporary(at)?;
            Ok(Source::Temp { at, relative })
        }
        ("C", "") => Ok(Source::Constant { at, relative }),
        _ => Err(wrong()),
    }
}

fn sources(text: &str) -> Result<Sources, String> {
    let mut found = Sources::default();
    for (at, part) in text.split(',').map(str::trim).enumerate() {
        match (Presubtract::from_text(part), found.src.get_mut(at)) {
            (Some(srcp), _) if at == 3 => found.srcp = srcp,
            (None, Some(place)) => *place = source(part)?,
            _ => return Err(format!("`{part}` is no source {at}")),
        }
    }
    Ok(found)
}

fn input<const N: usize>(text: &str) -> Result<Input<N>, String> {
    let wrong = || format!("`{text}` is no input of {N} channels");
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (select, swizzle) = rest.split_once('.').ok_or_else(wrong)?;
    let inside = select.strip_prefix('|').and_then(|s| s.strip_suffix('|'));
    let modifier = match (negative, inside.is_some()) {
        (false, false) => Modifier::None,
        (true, false) => Modifier::Neg,
        (false, true) => Modifier::Abs,
        (true, true) => Modifier::Nab,
    };
    let letters: Vec<Swizzle> = swizzle
        .split_inclusive(|_| true)
        .map(|letter| Swizzle::from_text(letter).ok_or_else(wrong))
        .collect::<Result<_, _>>()?;
    Ok(Input {
        select: Select::from_text(inside.unwrap_or(select)).ok_or_else(wrong)?,
        swizzle: letters.try_into().map_err(|_| wrong())?,
        modifier,
    })
}

/// A mask of channels from `first` to `last`.
fn mask(text: &str, first: usize, last: usize) -> Result<u8, String> {
    let wrong = || format!("`{text}` is no mask here");
    if text == "_" {
        return Ok(0);
    }
    let place = |c: char| CHANNELS.iter().position(|of| *of == c);
    let places: Option<Vec<usize>> = text.chars().map(place).collect();
    let places = places.filter(|places| places.is_sorted_by(|a, b| a < b));
    let places = places.ok_or_else(wrong)?;
    if places.iter().any(|at| !(first..=last).contains(at)) || places.is_empty() {
        return Err(wrong());
    }
    Ok(places.iter().fold(0, |mask, at| mask | 1 << (at - first)))
}

fn predicate(text: &str) -> Result<Predicate, String> {
    let (invert, name) = match text.strip_prefix('!') {
        Some(name) => (true, name),
        None => (false, text),
    };
    let select = PredSelect::from_text(name);
    let select = select.ok_or_else(|| format!("`{text}` is no predicate"))?;
    Ok(Predicate { select, invert })
}

/// The text before its predicates, the predicate of colour or of all, and that of alpha.
fn predicates(text: &str) -> Result<(&str, [Predicate; 2]), String> {
    let mut found = [Predicate::default(); 2];
    let mut rest = text.trim_end();
    while let Some((before, word)) = rest.rsplit_once(' ') {
        if let Some(name) = word.strip_prefix("a?") {
            found[1] = predicate(name)?;
        } else if let Some(name) = word.strip_prefix('?') {
            found[0] = predicate(name)?;
        } else {
            break;
        }
        rest = before.trim_end();
    }
    Ok((rest, found))
}

/// What the targets of a half are.
#[derive(Default)]
struct Targets {
    dst: Register,
    wmask: u8,
    target: u8,
    omask: u8,
    depth: bool,
}

impl Targets {
    fn parse(text: &str, out: bool, (first, last): (usize, usize)) -> Result<Targets, String> {
        let mut found = Targets::default();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let wrong = || format!("`{part}` is no target here");
            if part == "W" && first == 3 {
                found.depth = true;
                continue;
            }
            let (name, channels) = part.rsplit_once('.').ok_or_else(wrong)?;
            let channels = mask(channels, first, last)?;
            if let Some(rest) = name.strip_prefix('T') {
                let (at, relative, after) = address(rest)?;
                if !after.is_empty() {
                    return Err(wrong());
                }
                let at = temporary(at)?;
                (found.dst, found.wmask) = (Register { at, relative }, channels);
                continue;
            }
            let target = match (out, name.strip_prefix('P')) {
                (true, None) => ["A", "B", "C", "D"].iter().position(|of| *of == name),
                (false, Some(test)) => Test::from_text(test).map(|test| test.code().into()),
                _ => None,
            };
            found.target = target.ok_or_else(wrong)? as u8;
            found.omask = channels;
        }
        Ok(found)
    }
}

/// A half, and whether it writes the depth.
fn half<Op, const N: usize>(
    text: &str,
    out: bool,
    place: (usize, usize),
    find: impl Fn(&str) -> Option<Op>,
) -> Result<(Half<Op, N>, bool), String> {
    let (text, [predicate, other]) = predicates(text)?;
    if other != Predicate::default() {
        return Err("`a?` belongs to TEX".into());
    }
    let (head, tail) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` has no `=`"))?;
    let (name, targets) = head.trim().split_once(' ').unwrap_or((head.trim(), ""));
    let (name, clamp) = match name.strip_suffix("_sat") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (name, omod) = match name.find('_') {
        Some(at) => {
            let omod = Omod::from_text(&name[at..]);
            let omod = omod.ok_or_else(|| format!("`{name}` has no such modifier"))?;
            (&name[..at], omod)
        }
        None => (name, Omod::X1),
    };
    let op = find(name).ok_or_else(|| format!("there is no operation `{name}`"))?;
    let targets = Targets::parse(targets, out, place)?;
    let (inputs, addresses) = match tail.split_once(" [") {
        Some((inputs, rest)) => {
            let inside = rest.trim_end().strip_suffix(']');
            let inside = inside.ok_or_else(|| format!("`{rest}` has no `]`"))?;
            (inputs, sources(inside)?)
        }
        None => (tail, Sources::default()),
    };
    let parts: Vec<&str> = inputs
        .split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .collect();
    if parts.len() > 3 {
        return Err(format!("`{inputs}` is more than three inputs"));
    }
    let mut all = [Input::default(); 3];
    for (place, part) in all.iter_mut().zip(parts) {
        *place = input(part)?;
    }
    let half = Half {
        op,
        sources: addresses,
        inputs: all,
        omod,
        clamp,
        dst: targets.dst,
        wmask: targets.wmask,
        target: targets.target,
        omask: targets.omask,
        predicate,
    };
    Ok((half, targets.depth))
}

fn alu(text: &str, out: bool) -> Result<Alu, String> {
    let (rgb, alpha) = text
        .split_once(" / ")
        .ok_or_else(|| format!("`{text}` has no ` / `"))?;
    let (rgb, _) = half(rgb, out, (0, 2), RgbOp::from_name)?;
    let (alpha, depth) = half(alpha, out, (3, 3), AlphaOp::from_name)?;
    Ok(Alu {
        out,
        rgb,
        alpha,
        depth,
        result: None,
    })
}

fn channels(text: &str) -> Result<[u8; 4], String> {
    let place = |c: char| CHANNELS.iter().position(|of| *of == c).map(|at| at as u8);
    let places: Option<Vec<u8>> = text.chars().map(place).collect();
    let places = places.and_then(|places| places.try_into().ok());
    places.ok_or_else(|| format!("`{text}` is not four channels"))
}

fn tex_register(text: &str) -> Result<(TexRegister, &str), String> {
    let wrong = || format!("`{text}` is no register here");
    let (at, relative, after) = address(text.strip_prefix('T').ok_or_else(wrong)?)?;
    let after = after.strip_prefix('.').ok_or_else(wrong)?;
    let register = TexRegister {
        at: temporary(at)?,
        relative,
        swizzle: [0; 4],
    };
    Ok((register, after))
}

fn tex(text: &str) -> Result<Tex, String> {
    let (text, predicates) = predicates(text)?;
    let wrong = || format!("`{text}` is no texture instruction");
    let (name, rest) = text.split_once(' ').ok_or_else(wrong)?;
    let mut marks = name.split('_');
    let name = marks.next().unwrap_or_default();
    let marks: Vec<&str> = marks.collect();
    let known = ["acquire", "uncovered", "unscaled"];
    if let Some(mark) = marks.iter().find(|mark| !known.contains(mark)) {
        return Err(format!("`{mark}` is nothing that {name} may have"));
    }
    let op = TexOp::from_name(name).ok_or_else(|| format!("there is no operation `{name}`"))?;
    let (target, tail) = rest.split_once('=').ok_or_else(wrong)?;
    let (mut dst, wmask) = tex_register(target.trim())?;
    let parts: Vec<&str> = tail.split(',').map(str::trim).collect();
    let (unit, registers) = parts.split_first().ok_or_else(wrong)?;
    let (unit, swizzle) = unit
        .strip_prefix('t')
        .and_then(|unit| unit.split_once('.'))
        .ok_or_else(wrong)?;
    let unit: u8 = number(unit)?;
    dst.swizzle = channels(swizzle)?;
    let expected = if op.sem() == TexSem::Gradients { 3 } else { 1 };
    if registers.len() != expected || unit > 15 {
        return Err(wrong());
    }
    let mut found = [TexRegister::default(); 3];
    for (place, text) in found.iter_mut().zip(registers) {
        let (register, swizzle) = tex_register(text)?;
        *place = register;
        place.swizzle = channels(swizzle)?;
    }
    let [src, dx, dy] = found;
    Ok(Tex {
        op,
        unit,
        acquire: marks.contains(&"acquire"),
        ignore_uncovered: marks.contains(&"uncovered"),
        unscaled: marks.contains(&"unscaled"),
        src,
        dst,
        gradients: [dx, dy],
        wmask: mask(wmask, 0, 3)?,
        predicates,
    })
}

fn fc(text: &str, labels: Labels<'_>) -> Result<Fc, String> {
    let (text, [predicate, _]) = predicates(text)?;
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut found = Fc {
        op: FcOp::from_name(name).ok_or_else(|| format!("there is no operation `{name}`"))?,
        jump_func: 0,
        jump_any: false,
        b_else: false,
        address: AddressOp::None,
        stay: BranchOp::None,
        jump: BranchOp::None,
        pop_count: 0,
        ignore_uncovered: false,
        boolean: 0,
        integer: 0,
        target: 0,
        global: false,
        predicate,
    };
    for part in rest.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let wrong = || format!("`{part}` is no field of {name}");
        let (key, value) = part.split_once(' ').unwrap_or((part, ""));
        let value = value.trim();
        let below = |end: u16| {
            number(value)
                .ok()
                .filter(|n: &u16| *n < end)
                .ok_or_else(wrong)
        };
        let counter = || BranchOp::from_text(value).ok_or_else(wrong);
        match key {
            "func" => found.jump_func = word(value)?.try_into().map_err(|_| wrong())?,
            "stay" => found.stay = counter()?,
            "jump" => found.jump = counter()?,
            "count" => found.pop_count = below(32)? as u8,
            "bool" => found.boolean = below(32)? as u8,
            "int" => found.integer = below(32)? as u8,
            "to" => found.target = labels(value).map_or_else(|| below(512), Ok)?,
            "any" => found.jump_any = true,
            "else" => found.b_else = true,
            "uncovered" => found.ignore_uncovered = true,
            "global" => found.global = true,
            key => found.address = AddressOp::from_text(key).ok_or_else(wrong)?,
        }
    }
    Ok(found)
}

fn flags(inst: &mut Inst, text: &str) -> Result<(), String> {
    for flag in text.split('.').skip(1) {
        let result = [("red", false), ("alpha", true)];
        let result = result.iter().find_map(|(name, of_alpha)| {
            Some((*of_alpha, Test::from_text(flag.strip_prefix(name)?)?))
        });
        match flag {
            "wait" => inst.sem_wait = true,
            "inactive" => inst.write_inactive = true,
            "last" => inst.last = true,
            "nop" => inst.nop = true,
            "aluwait" => inst.alu_wait = true,
            flag => match (flag.strip_prefix("stat"), result, &mut inst.body) {
                (Some(count), _, _) => {
                    let stat = number(count).ok().filter(|stat: &u8| *stat < 16);
                    inst.stat = stat.ok_or_else(|| format!("`{flag}` has four bits"))?;
                }
                (None, Some(result), Body::Alu(alu)) => alu.result = Some(result),
                _ => return Err(format!("there is no flag `{flag}` here")),
            },
        }
    }
    Ok(())
}

fn words(text: &str) -> Result<Inst, String> {
    Inst::decode(raw(text)?).map_err(|error| error.to_string())
}

/// The instruction of a line.
pub(super) fn inst(text: &str, labels: Labels<'_>) -> Result<Inst, String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix(".words") {
        return words(rest);
    }
    let (head, rest) = text.split_once(' ').unwrap_or((text, ""));
    let kind = head.split('.').next().unwrap_or_default();
    let body = match kind {
        "ALU" | "OUT" => Body::Alu(alu(rest, kind == "OUT")?),
        "TEX" => Body::Tex(tex(rest)?),
        "FC" => Body::Fc(fc(rest, labels)?),
        kind => return Err(format!("there is no instruction `{kind}`")),
    };
    let mut inst = Inst::new(body);
    flags(&mut inst, head)?;
    // What the text can say but the words cannot.
    Inst::decode(inst.encode()).map_err(|error| error.to_string())
}

impl FromStr for Inst {
    type Err = String;

    fn from_str(text: &str) -> Result<Inst, String> {
        inst(text, &|_| None)
    }
}
