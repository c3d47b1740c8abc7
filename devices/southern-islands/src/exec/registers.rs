//! Registers by name: `s0`, `s[0:1]`, `s[4:7]`, `v0`, `vcc`, `exec`, `m0`, `scc`, `mode`, `tba`, `tma`, `ttmp0`.

use std::collections::{BTreeMap, BTreeSet};

use isa::{ExecError, ExecInput, LaneValue};
use lanes::{Program, Step, Wave};

use crate::isa::Inst;
use crate::isa::operand::{EXEC, M0, SGPRS, TBA, TMA, TTMP, VCC};
use crate::isa::{MODE_SLOT, Port, SCC_SLOT};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Register {
    /// A scalar slot.
    Scalar(u16),
    /// Two scalar slots as one 64-bit number.
    Pair(u16),
    /// The first of several scalars, and their number.
    Several(u16, u16),
    /// A vector register.
    Vector(u16),
    /// The MODE register.
    Mode,
}

impl Register {
    fn from_name(name: &str) -> Option<Register> {
        let number = |text: &str, end: u16| text.parse::<u16>().ok().filter(|n| *n < end);
        match name {
            "vcc" => Some(Register::Pair(VCC.into())),
            "vcc_lo" => Some(Register::Scalar(VCC.into())),
            "vcc_hi" => Some(Register::Scalar(u16::from(VCC) + 1)),
            "exec" => Some(Register::Pair(EXEC.into())),
            "exec_lo" => Some(Register::Scalar(EXEC.into())),
            "exec_hi" => Some(Register::Scalar(u16::from(EXEC) + 1)),
            "m0" => Some(Register::Scalar(M0.into())),
            "scc" => Some(Register::Scalar(SCC_SLOT)),
            "mode" => Some(Register::Mode),
            "tba" => Some(Register::Pair(TBA.into())),
            "tma" => Some(Register::Pair(TMA.into())),
            _ if name.starts_with("ttmp") => {
                number(&name[4..], 12).map(|n| Register::Scalar(u16::from(TTMP) + n))
            }
            _ => match name.split_at_checked(1)? {
                ("v", n) => number(n, 256).map(Register::Vector),
                ("s", n) => match n.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
                    None => number(n, SGPRS).map(Register::Scalar),
                    Some(range) => {
                        let (low, high) = range.split_once(':')?;
                        let (low, high) = (number(low, SGPRS)?, number(high, SGPRS)?);
                        match high.checked_sub(low)? {
                            1 => Some(Register::Pair(low)),
                            more => Some(Register::Several(low, more + 1)),
                        }
                    }
                },
                _ => None,
            },
        }
    }

    fn name(self) -> String {
        match self {
            Register::Mode => "mode".into(),
            Register::Pair(n) if n == u16::from(VCC) => "vcc".into(),
            Register::Pair(n) if n == u16::from(EXEC) => "exec".into(),
            Register::Pair(n) if n == u16::from(TBA) => "tba".into(),
            Register::Pair(n) if n == u16::from(TMA) => "tma".into(),
            Register::Pair(n) => format!("s[{n}:{}]", n + 1),
            Register::Scalar(SCC_SLOT) => "scc".into(),
            Register::Scalar(n) if n == u16::from(M0) => "m0".into(),
            Register::Scalar(n) if n >= u16::from(TTMP) => format!("ttmp{}", n - u16::from(TTMP)),
            Register::Scalar(n) => format!("s{n}"),
            Register::Several(n, count) => format!("s[{n}:{}]", n + count - 1),
            Register::Vector(n) => format!("v{n}"),
        }
    }

    fn value(self, wave: &Wave) -> LaneValue {
        match self {
            Register::Mode => LaneValue::One(wave.scalars[usize::from(MODE_SLOT)]),
            Register::Scalar(n) => LaneValue::One(wave.scalars[usize::from(n)]),
            Register::Pair(n) => LaneValue::Text(format!("{:#x}", wave.mask(n))),
            Register::Several(n, count) => {
                LaneValue::Lanes(wave.scalars[usize::from(n)..usize::from(n + count)].to_vec())
            }
            Register::Vector(n) => LaneValue::Lanes(wave.rows[usize::from(n)].0.to_vec()),
        }
    }
}

/// The registers that an input names.
pub(super) struct Registers {
    names: BTreeMap<String, Register>,
    /// MODE, if it was given.
    pub mode: Option<u32>,
}

impl Registers {
    /// Sets the wave's registers. EXEC starts as the lanes of the input unless it is given.
    pub fn load(input: &ExecInput, wave: &mut Wave) -> Result<Registers, ExecError> {
        wave.set_mask(EXEC.into(), radeon::exec::lanes(input)?);
        let mut registers = Registers {
            names: BTreeMap::new(),
            mode: None,
        };
        for (name, value) in &input.registers {
            let wrong = |reason: &str| ExecError::Input {
                what: name.clone(),
                reason: reason.into(),
            };
            let register = Register::from_name(name).ok_or_else(|| {
                wrong("not a register; s0 to s103, s[n:m], v0 to v255, vcc, exec, m0, scc, mode, tba, tma and ttmp0 to ttmp11 are")
            })?;
            registers.names.insert(name.clone(), register);
            match (register, value) {
                (Register::Vector(n), LaneValue::Lanes(lanes)) => {
                    let row = &mut wave.rows[usize::from(n)].0;
                    if lanes.len() > row.len() {
                        return Err(wrong("more than 64 lanes"));
                    }
                    row[..lanes.len()].copy_from_slice(lanes);
                }
                (Register::Several(n, count), LaneValue::Lanes(values)) => {
                    if values.len() != usize::from(count) {
                        return Err(wrong("as many values as registers are needed"));
                    }
                    wave.scalars[usize::from(n)..usize::from(n + count)].copy_from_slice(values);
                }
                (Register::Pair(n), LaneValue::Lanes(values)) if values.len() == 2 => {
                    wave.scalars[usize::from(n)..][..2].copy_from_slice(values);
                }
                _ => {
                    let number = value
                        .number()
                        .ok_or_else(|| wrong("not a number that the register can hold"))?;
                    set(register, number, wave, &mut registers.mode)
                        .ok_or_else(|| wrong("more than 32 bits"))?;
                }
            }
        }
        Ok(registers)
    }

    /// The named registers and the written ones, as the wave left them.
    pub fn store(&self, wave: &Wave, written: &BTreeSet<Register>) -> BTreeMap<String, LaneValue> {
        let written = written.iter().map(|r| (r.name(), r));
        let named = self.names.iter().map(|(name, r)| (name.clone(), r));
        written
            .chain(named)
            .map(|(name, r)| (name, r.value(wave)))
            .collect()
    }
}

fn set(register: Register, value: u64, wave: &mut Wave, mode: &mut Option<u32>) -> Option<()> {
    match register {
        Register::Pair(n) => wave.set_mask(n, value),
        Register::Scalar(n) => wave.scalars[usize::from(n)] = u32::try_from(value).ok()?,
        Register::Vector(n) => wave.rows[usize::from(n)].0 = [u32::try_from(value).ok()?; 64],
        Register::Several(..) => return None,
        Register::Mode => *mode = Some(u32::try_from(value).ok()?),
    }
    Some(())
}

/// Registers that a program names as destinations, and those that changed: their numbers may come from other registers.
pub(super) fn written(
    program: &Program,
    ports: &[Port],
    before: &Wave,
    after: &Wave,
) -> BTreeSet<Register> {
    let mut written = BTreeSet::new();
    for n in 0..256 {
        if before.rows[usize::from(n)] != after.rows[usize::from(n)] {
            written.insert(Register::Vector(n));
        }
    }
    for n in 0..SGPRS {
        if before.scalars[usize::from(n)] != after.scalars[usize::from(n)] {
            written.insert(Register::Scalar(n));
        }
    }
    let mut vectors = |first: u16, count: u16| {
        (first..first + count).filter(|n| *n < 256).for_each(|n| {
            written.insert(Register::Vector(n));
        });
    };
    for step in &program.steps {
        match *step {
            Step::Alu { dst, .. }
            | Step::Select { dst, .. }
            | Step::LaneId { dst }
            | Step::Swizzle { dst, .. }
            | Step::WriteLane { dst, .. } => vectors(dst, 1),
            Step::Wide { dst, .. } => vectors(dst, 2),
            _ => {}
        }
    }
    for port in ports {
        let (first, count) = match port.inst {
            Inst::Mubuf(inst) => (
                inst.vdata,
                u16::from(inst.op.sem().registers()) + u16::from(inst.tfe),
            ),
            Inst::Mtbuf(inst) => (
                inst.vdata,
                u16::from(inst.op.sem().registers()) + u16::from(inst.tfe),
            ),
            Inst::Mimg(inst) => (inst.vdata, 4 + u16::from(inst.tfe)),
            Inst::Ds(inst) => (inst.vdst, u16::from(inst.op.sem().registers()[0])),
            Inst::Vintrp(inst) => (inst.vdst, 1),
            _ => continue,
        };
        vectors(first.into(), count);
    }
    let mut scalar = |slot: u16| {
        let register = match slot {
            n if n < SGPRS => Register::Scalar(n),
            n if n & !1 == u16::from(VCC) => Register::Pair(VCC.into()),
            n if n & !1 == u16::from(EXEC) => Register::Pair(EXEC.into()),
            n if n & !1 == u16::from(TBA) || n & !1 == u16::from(TMA) => Register::Pair(n & !1),
            n if (u16::from(TTMP)..=u16::from(M0)).contains(&n) || n == SCC_SLOT => {
                Register::Scalar(n)
            }
            _ => return,
        };
        written.insert(register);
    };
    let named = |step: &&Step| !matches!(step, Step::Relative { .. });
    for step in program.steps.iter().filter(named) {
        step.written_scalars().for_each(&mut scalar);
    }
    for port in &program.ports {
        port.writes_scalars.iter().copied().for_each(&mut scalar);
    }
    written
}
