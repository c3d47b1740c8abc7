//! Operations of a group from their text: main groups here, the others in files of their own.

mod bitwise;
mod control;

pub(super) use bitwise::bitwise;
pub(super) use control::control;

use crate::isa::alu::{Alu, Float2, Modifiers, Narrow, Single, Wide};
use crate::isa::backend::{
    Amount, Atomic, Backend, Bypass, IterMode, LoadCache, LodMode, MaskMode, PhaseSetup, Sample,
    SampleFlags, StoreCache, Uvsw,
};
use crate::isa::phase2::{Feed, Mov, Pck, Test, TestType, Tst};
use crate::isa::{Body, Format, Main};

/// An operation taken apart: `name.mod.mod operand, operand`.
struct Op<'a> {
    text: &'a str,
    /// Name with its modifiers.
    head: &'a str,
    name: &'a str,
    mods: Vec<&'a str>,
    operands: Vec<&'a str>,
}

impl<'a> Op<'a> {
    fn new(text: &'a str) -> Op<'a> {
        let (head, operands) = text.split_once(' ').unwrap_or((text, ""));
        let mut parts = head.split('.');
        Op {
            text,
            head,
            name: parts.next().unwrap_or(""),
            mods: parts.collect(),
            operands: operands.split(", ").filter(|o| !o.is_empty()).collect(),
        }
    }

    fn wrong(&self) -> String {
        format!("`{}` is no operation here", self.text)
    }

    fn has(&self, modifier: &str) -> bool {
        self.mods.contains(&modifier)
    }

    fn operand(&self, n: usize) -> Result<&'a str, String> {
        let operand = self.operands.get(n).copied();
        operand.ok_or_else(|| format!("`{}` has no operand {}", self.text, n + 1))
    }

    /// Modifiers of an operand; none where it is missing.
    fn modifiers(&self, n: usize) -> Modifiers {
        let operand = self.operands.get(n).copied().unwrap_or("");
        let has = |name| operand.split('.').skip(1).any(|part| part == name);
        Modifiers {
            floor: has("flr"),
            abs: has("abs"),
            neg: has("neg"),
        }
    }

    /// Element of an operand, 0 where it names none.
    fn element(&self, n: usize) -> u8 {
        let operand = self.operands.get(n).copied().unwrap_or("");
        let elements = operand.split('.').skip(1);
        let mut elements = elements.filter_map(|part| part.strip_prefix('e')?.parse().ok());
        elements.next().unwrap_or(0)
    }

    /// The number behind a prefix.
    fn number(&self, n: usize, prefix: &str) -> Result<u32, String> {
        let operand = self.operand(n)?;
        let number =
            operand
                .strip_prefix(prefix)
                .and_then(|digits| match digits.strip_prefix("0x") {
                    Some(digits) => u32::from_str_radix(digits, 16).ok(),
                    None => digits.parse().ok(),
                });
        number.ok_or_else(|| format!("`{operand}` is no `{prefix}` and a number"))
    }

    /// The same below 256.
    fn small(&self, n: usize, prefix: &str) -> Result<u8, String> {
        let number = self.number(n, prefix)?;
        number
            .try_into()
            .map_err(|_| format!("{number} is above 255"))
    }

    fn slot(&self, n: usize) -> Result<u8, String> {
        self.small(n, "s")
    }

    fn amount(&self, n: usize) -> Result<Amount, String> {
        match self.operand(n)?.starts_with('s') {
            true => Ok(Amount::Slot(self.slot(n)?)),
            false => Ok(Amount::Number(self.small(n, "")?)),
        }
    }

    /// Whether an operand is `p0`, not `_`.
    fn p0(&self, n: usize) -> Result<bool, String> {
        Ok(self.operand(n)? == "p0")
    }

    /// The number of a modifier, such as `slc1`.
    fn numbered(&self, prefix: &str) -> Option<u8> {
        let mut found = self
            .mods
            .iter()
            .filter_map(|m| m.strip_prefix(prefix)?.parse().ok());
        found.next()
    }

    /// The first modifier that a table knows.
    fn choice<T>(&self, of: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.mods.iter().find_map(|name| of(name))
    }
}

/// A main group, but for its selectors.
pub(super) fn main<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Body, String> {
    let mut main = Main::default();
    for text in texts {
        let op = Op::new(text);
        match op.name {
            "pck" => {
                let format = op.choice(Format::from_name).ok_or_else(|| op.wrong())?;
                main.p2.pck = Some(Pck {
                    format,
                    prog: op.has("prog"),
                    round_zero: op.has("roundzero"),
                    scale: op.has("scale"),
                });
            }
            "mov" | "movc" => main.p2.mov = Some(mov(&op)?),
            name if name.starts_with("tst") => main.p2.tst = Some(tst(&op)?),
            _ => match alu(&op)? {
                Some((alu, false)) => main.p0 = Some(alu),
                Some((alu, true)) => main.p1 = Some(alu),
                None => main.backend = Some(backend(&op)?),
            },
        }
    }
    Ok(Body::Main(main))
}

fn mov(op: &Op<'_>) -> Result<Mov, String> {
    let conditional = op.name == "movc";
    let bytes = op.operand(0)?.split('.').skip(1);
    let mask = bytes.fold(0, |mask, byte| {
        match byte.strip_prefix('e').map(str::parse::<u8>) {
            Some(Ok(n @ 0..=3)) => mask | 1 << n,
            _ => mask,
        }
    });
    let feed = |text: &str| Feed::from_name(text).ok_or_else(|| op.wrong());
    let (w0, w1) = match conditional {
        true => (feed(op.operand(3)?)?, feed(op.operand(4)?)?),
        false => {
            let w1 = op.operands.get(2).and_then(|w1| w1.strip_prefix("w1="));
            (feed(op.operand(1)?)?, w1.map_or(Ok(Feed::FT0), feed)?)
        }
    };
    Ok(Mov {
        conditional,
        mask,
        w0,
        w1,
    })
}

fn tst(op: &Op<'_>) -> Result<Tst, String> {
    let element = match op.operands.get(2) {
        Some(operand) if operand.starts_with("is") => op.element(2),
        Some(operand) => operand
            .strip_prefix('e')
            .and_then(|n| n.parse().ok())
            .unwrap_or(0),
        None => 0,
    };
    Ok(Tst {
        op: Test::from_name(op.name).ok_or_else(|| op.wrong())?,
        ty: op.choice(TestType::from_name).ok_or_else(|| op.wrong())?,
        element,
        p0: op.p0(1)?,
    })
}

/// An operation of phase 0, or of phase 1 where the flag is set; none for other operations.
fn alu(op: &Op<'_>) -> Result<Option<(Alu, bool)>, String> {
    let second = op.operands.first() == Some(&"ft1")
        || op
            .operands
            .iter()
            .skip(1)
            .any(|operand| operand.starts_with("s3"))
            && op.name != "fred";
    if let Some(float) = Float2::from_name(op.name) {
        let alu = Alu::Float2 {
            op: float,
            low: op.has("lp"),
            sat: op.has("sat"),
            a: op.modifiers(1),
            b_abs: op.modifiers(2).abs,
        };
        return Ok(Some((alu, second)));
    }
    if let Some(single) = Single::from_name(op.name) {
        let mods = op.modifiers(op.operands.len().saturating_sub(1));
        return Ok(Some((Alu::Single { op: single, mods }, second)));
    }
    let alu = match op.name {
        "fmad" => Alu::Fmad {
            low: op.has("lp"),
            sat: op.has("sat"),
            mods: [1, 2, 3].map(|n| op.modifiers(n)),
        },
        "gcmp" | "gexp" => Alu::Gamma {
            expand: op.name == "gexp",
            mods: op.modifiers(1),
        },
        "fred" => Alu::Fred {
            cos: op.has("cos"),
            part_b: op.has("partb"),
            iteration: op.small(3, "")?,
            p0: op.p0(2)?,
            mods: op.modifiers(4),
        },
        "unpck" => Alu::Unpack {
            format: op.choice(Format::from_name).ok_or_else(|| op.wrong())?,
            element: op.element(1),
            scale: op.has("scale"),
        },
        _ => match integer(op)? {
            Some(alu) => alu,
            None => return Ok(None),
        },
    };
    Ok(Some((alu, second)))
}

fn integer(op: &Op<'_>) -> Result<Option<Alu>, String> {
    let (signed, rest) = match (op.name.strip_prefix(['i', 's']), op.name.strip_prefix('u')) {
        (Some(rest), _) if op.name != "setl" => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => (false, op.name),
    };
    let [a, b, c] = [1, 2, 3].map(|n| op.modifiers(n));
    if let Some(wide) = Wide::from_name(rest) {
        return Ok(Some(Alu::Wide {
            op: wide,
            signed,
            carry: op.p0(op.operands.len().saturating_sub(1))?,
            mods: [a, b, c],
        }));
    }
    let (rest, wide) = match (rest.strip_suffix("16"), rest.strip_suffix('8')) {
        (Some(rest), _) => (rest, true),
        (_, Some(rest)) => (rest, false),
        _ => return Ok(None),
    };
    Ok(Narrow::from_name(rest).map(|narrow| Alu::Narrow {
        op: narrow,
        signed,
        wide,
        sat: op.has("sat"),
        mods: [a, b, c],
        elements: [1, 2, 3].map(|n| op.element(n)),
    }))
}

fn backend(op: &Op<'_>) -> Result<Backend, String> {
    let wrong = || op.wrong();
    let slc = op.numbered("slc");
    Ok(match op.name {
        "uvsw" => {
            let which = op.choice(Uvsw::from_name).ok_or_else(wrong)?;
            Backend::Uvsw {
                op: which,
                w1: op.operands.first() == Some(&"w1"),
                address: which.writes().then(|| op.amount(1)).transpose()?,
                stream: op.numbered("stream"),
            }
        }
        "savmsk" => Backend::Savmsk {
            mode: op.choice(MaskMode::from_name).ok_or_else(wrong)?,
            sm: op.has("sm"),
        },
        "movmsk" => Backend::Movmsk {
            sm: op.has("sm").then(|| op.slot(1)).transpose()?,
        },
        "phas" => Backend::Phas {
            address: op.slot(0)?,
            end: op.operands.last() == Some(&"end"),
            setup: match op.has("imm") {
                true => PhaseSetup::Numbers(op.small(1, "rate")?, op.small(2, "tmp")?),
                false => PhaseSetup::Slot(op.slot(1)?),
            },
        },
        "setl" => Backend::Setl {
            w1: op.operands.first() == Some(&"w1"),
        },
        "atst" => Backend::Atst {
            p0: op.p0(0)?,
            ifb: op.has("ifb"),
        },
        "depthf" => Backend::Depthf,
        "fitr" | "fitrp" => Backend::Fitr {
            perspective: op.name == "fitrp",
            drc: op.small(1, "drc")?,
            mode: op.choice(IterMode::from_name).ok_or_else(wrong)?,
            sat: op.has("sat"),
            count: op.small(op.operands.len().saturating_sub(1), "")?,
        },
        "emitpix" => Backend::Emitpix {
            freep: op.has("freep"),
        },
        "idf" => Backend::Idf {
            drc: op.small(0, "drc")?,
            slot: op.slot(1)?,
        },
        "ld" => {
            let burst = op.amount(2)?;
            Backend::Ld {
                drc: op.small(1, "drc")?,
                burst,
                address: op.slot(3)?,
                cache: op.choice(LoadCache::from_name).unwrap_or(LoadCache::NORMAL),
                slc: match burst {
                    Amount::Number(_) => Some(slc.unwrap_or(0)),
                    Amount::Slot(_) => slc,
                },
            }
        }
        "st" => Backend::St {
            data: op.slot(0)?,
            size: op.small(1, "")?,
            drc: op.small(2, "drc")?,
            burst: op.amount(3)?,
            address: op.slot(4)?,
            mask: (op.operand(5)? != "_").then(|| op.slot(5)).transpose()?,
            tiled: op.has("tiled"),
            cache: op
                .choice(StoreCache::from_name)
                .unwrap_or(StoreCache::WRITETHROUGH),
            slc: slc.unwrap_or(0),
        },
        "atom" => Backend::Atom {
            op: op.choice(Atomic::from_name).ok_or_else(wrong)?,
            destination: op.slot(0)?,
            drc: op.small(1, "drc")?,
            source: op.slot(2)?,
        },
        "smp1d" | "smp2d" | "smp3d" => Backend::Smp(sample(op)?),
        _ => return Err(wrong()),
    })
}

fn sample(op: &Op<'_>) -> Result<Sample, String> {
    Ok(Sample {
        dimensions: op.name.as_bytes()[3] - b'0',
        drc: op.small(0, "drc")?,
        channels: op.small(6, "")?,
        lod: op.choice(LodMode::from_name).unwrap_or(LodMode::NORMAL),
        bypass: op.choice(Bypass::from_name).unwrap_or(Bypass::NONE),
        cache: op.choice(LoadCache::from_name).unwrap_or(LoadCache::NORMAL),
        slc: op.numbered("slc").unwrap_or(0),
        flags: SampleFlags {
            fcnorm: op.has("fcnorm"),
            pplod: op.has("pplod"),
            proj: op.has("proj"),
            nncoords: op.has("nncoords"),
            sno: op.has("sno"),
            soo: op.has("soo"),
            tao: op.has("tao"),
            f16: op.has("f16"),
            schedswap: op.has("schedswap"),
            wrt: op.has("wrt"),
            direct: op.has("direct"),
            f16_input: op.has("f16in"),
            comparison: op.has("comparison"),
            integer: op.has("integer"),
            array: op.has("array"),
        },
    })
}
