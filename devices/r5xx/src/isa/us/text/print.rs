//! Instructions to text.

use std::fmt;

use super::super::codes::{Modifier, Presubtract, Swizzle, Test};
use super::super::inst::{
    Alu, Body, Fc, Half, Input, Inst, Predicate, Register, Source, Sources, Tex, TexRegister,
};
use super::super::ops::TexSem;
use super::CHANNELS;

fn numbered(file: &str, at: u8, relative: bool) -> String {
    match relative {
        true => format!("{file}[{at}+aL]"),
        false => format!("{file}{at}"),
    }
}

fn source(source: Source) -> String {
    match source {
        Source::Temp { at, relative } => numbered("T", at, relative),
        Source::Constant { at, relative } => numbered("C", at, relative),
        Source::Inline(bits) => format!("K{bits}"),
    }
}

fn sources(sources: &Sources) -> Option<String> {
    if *sources == Sources::default() {
        return None;
    }
    let mut parts = sources.src.map(source).to_vec();
    if sources.srcp != Presubtract::Bias {
        parts.push(sources.srcp.text().to_owned());
    }
    Some(format!(" [{}]", parts.join(", ")))
}

fn input<const N: usize>(input: &Input<N>) -> String {
    let select = input.select.text();
    let select = match input.modifier {
        Modifier::None => select.to_owned(),
        Modifier::Neg => format!("-{select}"),
        Modifier::Abs => format!("|{select}|"),
        Modifier::Nab => format!("-|{select}|"),
    };
    let swizzle: String = input.swizzle.iter().map(|s: &Swizzle| s.text()).collect();
    format!("{select}.{swizzle}")
}

/// Channels of a mask, from channel `first` on.
fn channels(mask: u8, first: usize) -> String {
    let set = (first..4).filter(|at| mask >> (at - first) & 1 == 1);
    match mask {
        0 => "_".to_owned(),
        _ => set.map(|at| CHANNELS[at]).collect(),
    }
}

fn predicate(mark: &str, predicate: Predicate) -> String {
    if predicate == Predicate::default() {
        return String::new();
    }
    let not = if predicate.invert { "!" } else { "" };
    format!(" {mark}{not}{}", predicate.select.text())
}

/// A half whose channels begin with `first`.
fn half<Op: PartialEq + Copy, const N: usize>(
    half: &Half<Op, N>,
    (name, reads): (&str, [bool; 3]),
    (out, first, depth): (bool, usize, bool),
) -> String {
    let mut text = format!("{name}{}", half.omod.text());
    if half.clamp {
        text += "_sat";
    }
    let mut targets = Vec::new();
    if half.wmask != 0 || half.dst != Register::default() {
        let register = numbered("T", half.dst.at, half.dst.relative);
        targets.push(format!("{register}.{}", channels(half.wmask, first)));
    }
    if half.omask != 0 || half.target != 0 {
        let mask = channels(half.omask, first);
        let target = usize::from(half.target & 3);
        targets.push(match out {
            true => format!("{}.{mask}", ["A", "B", "C", "D"][target]),
            false => format!("P{}.{mask}", Test::ALL[target].1),
        });
    }
    if depth {
        targets.push("W".to_owned());
    }
    if !targets.is_empty() {
        text += " ";
        text += &targets.join(", ");
    }
    text += " =";
    let mut count = 3;
    while count > 0 && !reads[count - 1] && half.inputs[count - 1] == Input::default() {
        count -= 1;
    }
    let inputs: Vec<String> = half.inputs[..count].iter().map(input).collect();
    if count > 0 {
        text += " ";
        text += &inputs.join(", ");
    }
    text += &sources(&half.sources).unwrap_or_default();
    text + &predicate("?", half.predicate)
}

fn alu(alu: &Alu) -> String {
    let rgb = (alu.rgb.op.name(), alu.rgb.op.sem().operands());
    let alpha = (alu.alpha.op.name(), alu.alpha.op.sem().operands());
    format!(
        "{} / {}",
        half(&alu.rgb, rgb, (alu.out, 0, false)),
        half(&alu.alpha, alpha, (alu.out, 3, alu.depth))
    )
}

fn register(register: &TexRegister) -> String {
    let name = numbered("T", register.at, register.relative);
    let swizzle = register.swizzle.map(|at| CHANNELS[usize::from(at & 3)]);
    format!("{name}.{}", String::from_iter(swizzle))
}

fn tex(tex: &Tex) -> String {
    let mut text = tex.op.name().to_owned();
    let marks = [
        (tex.acquire, "_acquire"),
        (tex.ignore_uncovered, "_uncovered"),
        (tex.unscaled, "_unscaled"),
    ];
    text.extend(marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark));
    let target = numbered("T", tex.dst.at, tex.dst.relative);
    let swizzle = tex.dst.swizzle.map(|at| CHANNELS[usize::from(at & 3)]);
    let (unit, swizzle) = (tex.unit, String::from_iter(swizzle));
    let mask = channels(tex.wmask, 0);
    text += &format!(
        " {target}.{mask} = t{unit}.{swizzle}, {}",
        register(&tex.src)
    );
    if tex.op.sem() == TexSem::Gradients {
        for gradient in &tex.gradients {
            text += &format!(", {}", register(gradient));
        }
    }
    text += &predicate("?", tex.predicates[0]);
    text + &predicate("a?", tex.predicates[1])
}

fn fc(fc: &Fc) -> String {
    let mut fields = vec![format!("func {:#04x}", fc.jump_func)];
    let mut add = |set: bool, text: String| {
        if set {
            fields.push(text);
        }
    };
    add(fc.jump_any, "any".into());
    add(fc.b_else, "else".into());
    add(fc.address.code() != 0, fc.address.text().into());
    add(fc.stay.code() != 0, format!("stay {}", fc.stay.text()));
    add(fc.jump.code() != 0, format!("jump {}", fc.jump.text()));
    add(fc.pop_count != 0, format!("count {}", fc.pop_count));
    add(fc.ignore_uncovered, "uncovered".into());
    add(fc.boolean != 0, format!("bool {}", fc.boolean));
    add(fc.integer != 0, format!("int {}", fc.integer));
    add(fc.target != 0, format!("to {}", fc.target));
    add(fc.global, "global".into());
    let fields = fields.join(", ");
    let predicate = predicate("?", fc.predicate);
    format!("{} {fields}{predicate}", fc.op.name())
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stray != [0; 6] {
            let words = self.encode().map(|word| format!("{word:#010x}"));
            return write!(f, ".words {}", words.join(", "));
        }
        let (kind, body) = match &self.body {
            Body::Alu(inst) => (if inst.out { "OUT" } else { "ALU" }, alu(inst)),
            Body::Tex(inst) => ("TEX", tex(inst)),
            Body::Fc(inst) => ("FC", fc(inst)),
        };
        write!(f, "{kind}")?;
        let flags = [
            (self.sem_wait, ".wait"),
            (self.write_inactive, ".inactive"),
            (self.last, ".last"),
            (self.nop, ".nop"),
            (self.alu_wait, ".aluwait"),
        ];
        for (_, flag) in flags.iter().filter(|(set, _)| *set) {
            write!(f, "{flag}")?;
        }
        if self.stat != 0 {
            write!(f, ".stat{}", self.stat)?;
        }
        if let Body::Alu(Alu {
            result: Some((of_alpha, test)),
            ..
        }) = &self.body
        {
            let channel = if *of_alpha { "alpha" } else { "red" };
            write!(f, ".{channel}{}", test.text())?;
        }
        write!(f, " {body}")
    }
}
