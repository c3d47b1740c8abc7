//! Phases of main groups to text.

use super::flag;
use crate::isa::alu::{Alu, Narrow, Single, Wide};
use crate::isa::phase2::{Feed, Phase2, Test};

/// An operation of a phase: its sources start at S0 or S3, its result is FT0 or FT1.
pub(super) fn alu_operation(alu: &Alu, phase: u8) -> String {
    let [a, b, c] = [0, 1, 2].map(|n| format!("s{}", n + 3 * phase));
    let d = format!("ft{phase}");
    match *alu {
        Alu::Float2 {
            op,
            low,
            sat,
            a: mods,
            b_abs,
        } => {
            let (low, sat, abs) = (flag(low, ".lp"), flag(sat, ".sat"), flag(b_abs, ".abs"));
            format!("{}{low}{sat} {d}, {a}{mods}, {b}{abs}", op.name())
        }
        Alu::Fmad { low, sat, mods } => {
            let (low, sat, [x, y, z]) = (flag(low, ".lp"), flag(sat, ".sat"), mods);
            format!("fmad{low}{sat} {d}, {a}{x}, {b}{y}, {c}{z}")
        }
        Alu::Single { op, mods } => match op {
            Single::MBYP | Single::FDSX | Single::FDSY | Single::FDSXF | Single::FDSYF => {
                format!("{} {d}, {a}{mods}", op.name())
            }
            Single::FSINC => format!("fsinc w0, p0, {a}{mods}"),
            _ => format!("{} w0, {a}{mods}", op.name()),
        },
        Alu::Gamma { expand, mods } => {
            format!("{} w0, {a}{mods}", if expand { "gexp" } else { "gcmp" })
        }
        Alu::Fred {
            cos,
            part_b,
            iteration,
            p0,
            mods,
        } => {
            let function = if cos { "cos" } else { "sin" };
            let part = if part_b { "partb" } else { "parta" };
            let p0 = if p0 { "p0" } else { "_" };
            format!("fred.{function}.{part} w0, w1, {p0}, {iteration}, s0{mods}, s3")
        }
        Alu::Unpack {
            format,
            element,
            scale,
        } => {
            let scale = flag(scale, ".scale");
            format!("unpck.{}{scale} ft0, s0.e{element}", format.name())
        }
        Alu::Narrow {
            op,
            signed,
            wide,
            sat,
            mods,
            elements,
        } => {
            let sign = if signed { "i" } else { "u" };
            let bits = if wide { 16 } else { 8 };
            let sources = if op == Narrow::MAD { 3 } else { 2 };
            let mut text = format!("{sign}{}{bits}{} ft0", op.name(), flag(sat, ".sat"));
            for n in 0..sources {
                text += &format!(", s{n}{}.e{}", mods[n], elements[n]);
            }
            text
        }
        Alu::Wide {
            op,
            signed,
            carry,
            mods: [x, y, z],
        } => {
            let sign = match op {
                Wide::ADD64 => "",
                _ if signed => "s",
                _ => "u",
            };
            let fourth = match op {
                Wide::ADD64 | Wide::MADD64 => ", is0",
                _ => "",
            };
            let carry = if carry { "p0" } else { "_" };
            format!(
                "{sign}{} ft0, s0{x}, s1{y}, s2{z}{fourth}, {carry}",
                op.name()
            )
        }
    }
}

pub(super) fn phase2_operations(p2: &Phase2, out: &mut Vec<String>) {
    if let Some(pck) = &p2.pck {
        let flags = [
            flag(pck.prog, ".prog"),
            ".",
            pck.format.name(),
            flag(pck.scale, ".scale"),
            flag(pck.round_zero, ".roundzero"),
        ];
        let source = flag(pck.format.reads(), ", is3");
        out.push(format!("pck{} ft2{source}", flags.concat()));
    }
    if let Some(tst) = &p2.tst {
        let p0 = if tst.p0 { "p0" } else { "_" };
        let element = match tst.ty.is_narrow() || tst.element != 0 {
            true => format!(".e{}", tst.element),
            false => String::new(),
        };
        let operands: String = (1..=tst.op.sem())
            .map(|n| format!(", is{n}{element}"))
            .collect();
        let element = flag_element(tst.op, &element);
        out.push(format!(
            "{}.{} ftt, {p0}{operands}{element}",
            tst.op.name(),
            tst.ty.name()
        ));
    }
    if let Some(mov) = &p2.mov {
        let mask = mask_text(mov.mask);
        let (w0, w1) = (mov.w0.name(), mov.w1.name());
        out.push(match mov.conditional {
            true => format!("movc w0{mask}, w1, ftt, {w0}, {w1}"),
            false if mov.w1 == Feed::FT0 => format!("mov w0{mask}, {w0}"),
            false => format!("mov w0{mask}, {w0}, w1={w1}"),
        });
    }
}

/// The element of a test without operands, which has no other place.
fn flag_element(op: Test, element: &str) -> String {
    match op.sem() {
        0 if !element.is_empty() && element != ".e0" => format!(", {}", &element[1..]),
        _ => String::new(),
    }
}

fn mask_text(mask: u8) -> String {
    match mask {
        0 => ".none".to_owned(),
        _ => {
            let bytes = (0..4).filter(|n| mask >> n & 1 == 1);
            bytes.map(|n| format!(".e{n}")).collect()
        }
    }
}
