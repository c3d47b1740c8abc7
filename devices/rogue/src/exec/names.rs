//! Registers of a lone wave by their names.

use std::collections::BTreeMap;

use isa::{ExecError, ExecInput, LaneValue};
use lanes::{LANES, Wave};

use super::{shared, wrong};
use crate::lift::{Input, Layout, PREDICATE, Setup, SpecialRegister, WHOLE};

/// One number a lane.
type Lanes = [u32; LANES];

/// What the input names.
pub(super) struct Names {
    values: BTreeMap<String, Lanes>,
    pub(super) covered: Option<u64>,
    predicate: Option<u64>,
    /// Texels by the first shared register of the texture state.
    pub(super) textures: BTreeMap<u16, Vec<[u32; 4]>>,
}

/// Where a register is.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Row(u16),
    Scalar(u16),
}

/// Names with the numbers that they may have.
const NUMBERED: [(&str, u16); 9] = [
    ("r", 248),
    ("vi", 248),
    ("sh", 4096),
    ("cf", 4096),
    ("cfa", 4096),
    ("o", 8),
    ("i", 8),
    ("idx", 2),
    ("TEX", 4096),
];

/// The number behind a prefix, below `end`.
fn numbered(name: &str, prefix: &str, end: u16) -> Option<u16> {
    let digits = name.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    let plain = plain && (digits == "0" || !digits.starts_with('0'));
    digits.parse().ok().filter(|n| plain && *n < end)
}

/// The number of a special register that is named by number or in words.
fn special(name: &str) -> Option<u16> {
    let number = numbered(name, "sr", 256);
    let number = number.filter(|number| SpecialRegister::from_code(*number).is_some());
    number.or_else(|| SpecialRegister::from_name(name).map(SpecialRegister::code))
}

fn mask(name: &str, value: &LaneValue) -> Result<u64, ExecError> {
    let number = value.number();
    number.ok_or_else(|| wrong(name, "not a mask of 64 bits"))
}

fn lanes(name: &str, value: &LaneValue) -> Result<Lanes, ExecError> {
    if let LaneValue::Lanes(list) = value
        && list.len() > 1
    {
        if list.len() > LANES {
            return Err(wrong(name, "more than 64 lanes"));
        }
        let mut lanes = [0; LANES];
        lanes[..list.len()].copy_from_slice(list);
        return Ok(lanes);
    }
    let number = value.number().and_then(|number| u32::try_from(number).ok());
    let number =
        number.ok_or_else(|| wrong(name, "not 32 bits for all lanes, or a list of them"))?;
    Ok([number; LANES])
}

impl Names {
    pub(super) fn new(input: &ExecInput) -> Result<Names, ExecError> {
        let mut names = Names {
            values: BTreeMap::new(),
            covered: None,
            predicate: None,
            textures: BTreeMap::new(),
        };
        for (name, value) in &input.registers {
            names.set(name, value)?;
        }
        Ok(names)
    }

    fn set(&mut self, name: &str, value: &LaneValue) -> Result<(), ExecError> {
        match name {
            "covered" => self.covered = Some(mask(name, value)?),
            "p0" => self.predicate = Some(mask(name, value)?),
            _ if name.starts_with("TEX") => {
                let at = numbered(name, "TEX", WHOLE.shared);
                let at = at.ok_or_else(|| wrong(name, "no shared register"))?;
                let texels = match value {
                    LaneValue::Vectors(list) if list.len() > 1 && list.len() <= LANES => {
                        let mut list = list.clone();
                        list.resize(LANES, [0; 4]);
                        list
                    }
                    LaneValue::Vectors(list) if list.len() == 1 => vec![list[0]; LANES],
                    LaneValue::Lanes(texel) => match texel.as_slice().try_into() {
                        Ok(texel) => vec![texel; LANES],
                        Err(_) => return Err(wrong(name, "not [r, g, b, a]")),
                    },
                    _ => return Err(wrong(name, "not [r, g, b, a], or a list of them")),
                };
                self.textures.insert(at, texels);
            }
            _ => {
                let known = matches!(name, "x" | "y" | "coverage")
                    || special(name).is_some()
                    || NUMBERED
                        .iter()
                        .any(|(prefix, end)| numbered(name, prefix, *end).is_some());
                if !known {
                    return Err(wrong(
                        name,
                        "not known; r0 and vi0 to 247, sh0 to sh4095, cf0, cfa0, o0 to o7, i0 to i7, idx0, idx1, \
                         special registers, x, y, p0, covered, coverage and TEX0 are",
                    ));
                }
                let name = match special(name) {
                    Some(number) => format!("sr{number}"),
                    None => name.to_owned(),
                };
                self.values
                    .insert(name, lanes(&format!("{value:?}"), value)?);
            }
        }
        Ok(())
    }

    /// Registers that are named exist.
    pub(super) fn grown(&self, mut setup: Setup) -> Setup {
        setup.predicate = self.predicate.is_some();
        setup.preset = true;
        for name in self.values.keys() {
            let grow = |count: &mut u16, prefix: &str, end: u16| {
                if let Some(n) = numbered(name, prefix, end) {
                    *count = (*count).max(n + 1);
                }
            };
            grow(&mut setup.temporaries, "r", WHOLE.temporaries);
            grow(&mut setup.vertex_inputs, "vi", WHOLE.vertex_inputs);
            grow(&mut setup.shared, "sh", WHOLE.shared);
        }
        setup
    }

    /// Fills the registers of a wave.
    pub(super) fn load(&self, layout: &Layout, wave: &mut Wave) {
        for (name, named) in Named::all(layout) {
            let Some(lanes) = self.values.get(&name) else {
                continue;
            };
            match named {
                Named::Row(row) => wave.rows[usize::from(row)].0 = *lanes,
                Named::Scalar(scalar) => wave.scalars[usize::from(scalar)] = lanes[0],
            }
        }
        if let Some(predicate) = self.predicate {
            wave.set_mask(PREDICATE, predicate);
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Where planes are evaluated in a lane.
    pub(super) fn position(&self, lane: usize) -> [f32; 2] {
        let centre = [
            (lane / 4 * 2 + lane % 2) as f32 + 0.5,
            (lane / 2 % 2) as f32 + 0.5,
        ];
        let named = ["x", "y"].map(|name| self.values.get(name));
        [0, 1].map(|n: usize| named[n].map_or(centre[n], |lanes| f32::from_bits(lanes[lane])))
    }

    /// A coefficient in a lane.
    pub(super) fn coefficient(&self, number: u16, lane: usize) -> f32 {
        let value = self.values.get(&format!("cf{number}"));
        f32::from_bits(value.map_or(0, |lanes| lanes[lane]))
    }
}

impl Named {
    /// Every register that a program has, with its name.
    pub(super) fn all(layout: &Layout) -> Vec<(String, Named)> {
        let mut all = Vec::new();
        let banks = [
            ("r", &layout.temporaries),
            ("vi", &layout.vertex_inputs),
            ("i", &layout.internal),
        ];
        for (prefix, rows) in banks {
            let rows = rows.clone().enumerate();
            all.extend(rows.map(|(n, row)| (format!("{prefix}{n}"), Named::Row(row))));
        }
        let single = [("o", &layout.outputs[..]), ("idx", &layout.index[..])];
        for (prefix, rows) in single {
            let rows = rows.iter().enumerate();
            all.extend(
                rows.filter_map(|(n, row)| Some((format!("{prefix}{n}"), Named::Row((*row)?)))),
            );
        }
        let scalars = 0..layout.shared.end - layout.shared.start;
        all.extend(scalars.map(|n| (format!("sh{n}"), Named::Scalar(shared(n)))));
        for (input, row) in &layout.inputs {
            let name = match input {
                Input::Coefficient(n) => format!("cf{n}"),
                Input::CoefficientAlt(n) => format!("cfa{n}"),
                Input::Special(n) => format!("sr{n}"),
                Input::Coverage => "coverage".into(),
            };
            all.push((name, Named::Row(*row)));
        }
        all
    }
}
