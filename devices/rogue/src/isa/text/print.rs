//! Groups to text.

use std::fmt::{self, Display, Formatter};

use crate::isa::alu::{Alu, Modifiers, Narrow, Single, Wide};
use crate::isa::backend::{Amount, Backend, PhaseSetup, Sample};
use crate::isa::bitwise::{Bitwise, Count, Logical, Mask, Phase0, Shift1, Shift2};
use crate::isa::control::{Control, Ditr, Itrsmp};
use crate::isa::phase2::{Feed, Phase2, Selectors, Test};
use crate::isa::{Body, Condition, Group, Main};

/// A modifier where it is on.
fn flag(on: bool, name: &'static str) -> &'static str {
    if on { name } else { "" }
}

/// A modifier with its point where it has a name.
fn dotted(name: &str) -> String {
    match name {
        "" => String::new(),
        name => format!(".{name}"),
    }
}

impl Display for Modifiers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(flag(self.floor, ".flr"))?;
        f.write_str(flag(self.abs, ".abs"))?;
        f.write_str(flag(self.neg, ".neg"))
    }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.condition != Condition::PE {
            write!(f, "{} ", self.condition.name())?;
        }
        f.write_str(flag(self.end, "end "))?;
        f.write_str(flag(self.atomic, "atom "))?;
        f.write_str(flag(self.output_lock, "olchk "))?;
        if self.repeat != 1 {
            write!(f, "rpt{} ", self.repeat)?;
        }
        let (kind, operations) = match &self.body {
            Body::Main(main) => ("main", main_operations(main)),
            Body::Bitwise(bitwise) => ("bitwise", bitwise_operations(bitwise)),
            Body::Control(control) => ("control", vec![control_operation(control)]),
        };
        write!(
            f,
            "{kind} {{ {} }} [{}]",
            operations.join("; "),
            self.binds().join(", ")
        )?;
        match self.pad {
            0 => Ok(()),
            words => write!(f, " pad{words}"),
        }
    }
}

impl Group {
    fn binds(&self) -> Vec<String> {
        let lower = self.lower.iter().enumerate();
        let mut binds: Vec<String> = lower.map(|(n, source)| format!("s{n}={source}")).collect();
        let upper = self.upper.iter().enumerate();
        binds.extend(upper.map(|(n, source)| format!("s{}={source}", n + 3)));
        if let Body::Main(main) = &self.body {
            binds.push(main.selectors.to_string());
        }
        let outputs = self.w.iter().enumerate();
        binds.extend(outputs.filter_map(|(n, w)| Some(format!("w{n}={}", (*w)?))));
        binds
    }
}

impl Display for Selectors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is1 = if self.is1_fte { "fte" } else { "ft0" };
        let is2 = if self.is2_fte { "fte" } else { "ft1" };
        let is3 = match self.is3 {
            Feed::FT2 => "s2",
            feed => feed.name(),
        };
        write!(
            f,
            "is0=s{}, is1={is1}, is2={is2}, is3={is3}, is4={}, is5={}",
            self.is0,
            self.is4.name(),
            self.is5.name()
        )
    }
}

fn main_operations(main: &Main) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(main.p0.map(|alu| alu_operation(&alu, 0)));
    found.extend(main.p1.map(|alu| alu_operation(&alu, 1)));
    phase2_operations(&main.p2, &mut found);
    found.extend(main.backend.map(|backend| backend_operation(&backend)));
    found
}

/// An operation of a phase: its sources start at S0 or S3, its result is FT0 or FT1.
fn alu_operation(alu: &Alu, phase: u8) -> String {
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

fn phase2_operations(p2: &Phase2, out: &mut Vec<String>) {
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

fn amount(amount: Amount) -> String {
    match amount {
        Amount::Number(number) => number.to_string(),
        Amount::Slot(slot) => format!("s{slot}"),
    }
}

fn slc(mode: Option<u8>) -> String {
    mode.map_or_else(String::new, |mode| format!(".slc{mode}"))
}

fn backend_operation(backend: &Backend) -> String {
    match *backend {
        Backend::Uvsw {
            op,
            w1,
            address,
            stream,
        } => {
            let mut text = format!("uvsw.{}", op.name());
            if let Some(stream) = stream {
                text += &format!(".stream{stream}");
            }
            if let Some(address) = address {
                text += &format!(" w{}, {}", u8::from(w1), amount(address));
            }
            text
        }
        Backend::Savmsk { mode, sm } => {
            format!("savmsk.{}{} w0, w1", mode.name(), flag(sm, ".sm"))
        }
        Backend::Movmsk { sm: None } => "movmsk w0".to_owned(),
        Backend::Movmsk { sm: Some(slot) } => format!("movmsk.sm w0, s{slot}"),
        Backend::Phas {
            address,
            end,
            setup,
        } => {
            let end = flag(end, ", end");
            match setup {
                PhaseSetup::Numbers(rate, fours) => {
                    format!("phas.imm s{address}, rate{rate}, tmp{fours}{end}")
                }
                PhaseSetup::Slot(slot) => format!("phas.reg s{address}, s{slot}{end}"),
            }
        }
        Backend::Setl { w1 } => format!("setl w{}", u8::from(w1)),
        Backend::Atst { p0, ifb } => {
            let p0 = if p0 { "p0" } else { "_" };
            format!("atst{} {p0}, s0, s1, s2", flag(ifb, ".ifb"))
        }
        Backend::Depthf => "depthf w0".to_owned(),
        Backend::Fitr {
            perspective,
            drc,
            mode,
            sat,
            count,
        } => {
            let (name, w) = (flag(perspective, "p"), flag(perspective, ", s2"));
            let (mode, sat) = (mode.name(), flag(sat, ".sat"));
            format!("fitr{name}.{mode}{sat} s3, drc{drc}, s0{w}, {count}")
        }
        Backend::Emitpix { freep } => format!("emitpix{} s0, s2", flag(freep, ".freep")),
        Backend::Idf { drc, slot } => format!("idf drc{drc}, s{slot}"),
        Backend::Ld {
            drc,
            burst,
            address,
            cache,
            slc: mode,
        } => {
            let mode = match (burst, mode) {
                (Amount::Number(_), Some(0)) => None,
                (_, mode) => mode,
            };
            let cache = dotted(cache.name());
            let burst = amount(burst);
            format!("ld{cache}{} s3, drc{drc}, {burst}, s{address}", slc(mode))
        }
        Backend::St {
            drc,
            data,
            size,
            burst,
            address,
            mask,
            tiled,
            cache,
            slc: mode,
        } => {
            let mode = slc((mode != 0).then_some(mode));
            let mask = mask.map_or("_".to_owned(), |slot| format!("s{slot}"));
            let (tiled, cache, burst) =
                (flag(tiled, ".tiled"), dotted(cache.name()), amount(burst));
            format!("st{tiled}{mode}{cache} s{data}, {size}, drc{drc}, {burst}, s{address}, {mask}")
        }
        Backend::Smp(ref sample) => sample_operation(sample),
        Backend::Atom {
            op,
            drc,
            source,
            destination,
        } => format!("atom.{} s{destination}, drc{drc}, s{source}", op.name()),
    }
}

fn sample_operation(sample: &Sample) -> String {
    let f = &sample.flags;
    let mut text = format!("smp{}d", sample.dimensions);
    text += flag(f.fcnorm, ".fcnorm");
    text += flag(f.proj, ".proj");
    text += flag(f.nncoords, ".nncoords");
    text += &dotted(sample.lod.name());
    text += flag(f.pplod, ".pplod");
    text += flag(f.tao, ".tao");
    text += flag(f.soo, ".soo");
    text += flag(f.sno, ".sno");
    text += flag(f.wrt, ".wrt");
    text += &dotted(sample.bypass.name());
    text += flag(f.schedswap, ".schedswap");
    text += flag(f.f16, ".f16");
    text += &dotted(sample.cache.name());
    text += &slc((sample.slc != 0).then_some(sample.slc));
    text += flag(f.array, ".array");
    text += flag(f.integer, ".integer");
    text += flag(f.comparison, ".comparison");
    text += flag(f.f16_input, ".f16in");
    text += flag(f.direct, ".direct");
    format!(
        "{text} drc{}, s0, s1, s2, s3, s4, {}",
        sample.drc, sample.channels
    )
}

fn bitwise_operations(bitwise: &Bitwise) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(Phase0 {
        mask,
        shift,
        count,
        counts_ft2,
    }) = bitwise.p0
    {
        found.push(match mask {
            Mask::Byp => "byp ft0, ft1, s0, s1".to_owned(),
            Mask::Msk => "msk ft0, ft1, s0, s1".to_owned(),
            Mask::Byp16(number) => format!("byp16 ft0, ft1, s0, {number:#x}"),
            Mask::Byp32(number) => format!("byp32 ft0, ft1, s0, {number:#x}"),
        });
        let amount = match shift {
            Shift1::BYP | Shift1::REV => "",
            Shift1::SHFL | Shift1::LSL => ", s1",
        };
        found.push(format!("{} ft2, s2{amount}", shift.name()));
        let counted = if counts_ft2 { "ft2" } else { "s2" };
        found.push(format!("{} ft3, {counted}", Count::name(count)));
    }
    if let Some(p1) = bitwise.p1 {
        found.push(match p1.op {
            Logical::BYP if !p1.left && !p1.right => "byp ft4, ft1".to_owned(),
            op => {
                let left = if p1.left { "ft1" } else { "_" };
                let right = if p1.right { "~ft1" } else { "_" };
                format!("{} ft4, {left}, ft2, {right}, s3", op.name())
            }
        });
    }
    if let Some(p2) = bitwise.p2 {
        found.push(match p2.shift {
            Shift2::CPS => "cps ft5, p0, ft4, s4".to_owned(),
            shift => format!("{} ft5, ft4, s4", shift.name()),
        });
        if let Some(test) = p2.test {
            let name = if test.not_zero { "tnz" } else { "tz" };
            found.push(format!(
                "{name} p0, {}",
                if test.of_ft3 { "ft3" } else { "ft5" }
            ));
        }
    }
    found
}

fn control_operation(control: &Control) -> String {
    match *control {
        Control::Branch {
            link,
            absolute,
            lanes,
            target,
        } => {
            let name = match (absolute, link) {
                (false, false) => "br",
                (false, true) => "brl",
                (true, false) => "ba",
                (true, true) => "bal",
            };
            let lanes = dotted(lanes.name());
            match absolute {
                true => format!("{name}{lanes} {:#x}", target as u32),
                false => format!("{name}{lanes} {target}"),
            }
        }
        Control::Lapc => "lapc".to_owned(),
        Control::Savl => "savl w0".to_owned(),
        Control::Cnd {
            op,
            condition,
            adjust,
        } => {
            let mut text = op.name().to_owned();
            if op.has_condition() {
                text += &format!(" {},", condition.name());
            }
            text += " w0";
            text += flag(op == crate::isa::control::Cnd::CNDLT, ", p0");
            text += ", s0";
            text += flag(op.reads_s2(), ", s2");
            if op.has_adjust() {
                text += &format!(", {adjust}");
            }
            text
        }
        Control::Wop => "wop".to_owned(),
        Control::Wdf(drc) => format!("wdf drc{drc}"),
        Control::Mutex(op, id) => format!("mutex.{} {id}", op.name()),
        Control::Nop { end } => format!("nop{}", flag(end, ".end")),
        Control::Sbo { shared, offset } => {
            format!("sbo.{} {offset}", if shared { "shared" } else { "coeff" })
        }
        Control::Ditr(ref ditr) => ditr_operation(ditr),
        Control::Itrsmp(ref itrsmp) => itrsmp_operation(itrsmp),
    }
}

/// A coefficient with the number of its index field.
fn coefficient((first, index): (u8, u8)) -> String {
    match index {
        0 => format!("cf{first}"),
        index => format!("cf{first}+{index}"),
    }
}

fn ditr_operation(d: &Ditr) -> String {
    let sched = dotted(d.sched.name());
    format!(
        "ditr.{}{}{sched}{} r{}, drc{}, {}, {}, {}, {}",
        d.mode.name(),
        flag(d.sat, ".sat"),
        flag(d.f16, ".f16"),
        d.destination,
        d.drc,
        coefficient(d.coefficient),
        d.count,
        d.perspective.name(),
        coefficient(d.w_coefficient),
    )
}

fn itrsmp_operation(i: &Itrsmp) -> String {
    let d = &i.iteration;
    let flags = [
        flag(d.sat, ".sat"),
        flag(i.proj, ".proj"),
        flag(i.fcnorm, ".fcnorm"),
        flag(i.nncoords, ".nncoords"),
        &dotted(d.sched.name()),
        flag(i.comparison, ".comparison"),
    ];
    format!(
        "itrsmp{}d.{}{} r{}{}, {}, drc{}, {}, sh{}, sh{}, {}, {}, {}",
        i.dimensions,
        d.mode.name(),
        flags.concat(),
        d.destination,
        flag(d.f16, ".f16"),
        d.perspective.name(),
        d.drc,
        coefficient(d.coefficient),
        i.texture,
        i.sampler,
        i.channels,
        d.count,
        coefficient(d.w_coefficient),
    )
}
