//! Names of a raw program's input: registers, constants, lane masks, places in memory.

use std::collections::{BTreeMap, BTreeSet};

use isa::{ExecError, ExecInput, LaneValue};
use lanes::{LANES, Program, Row, Step, Wave};

use crate::isa::export::Space;
use crate::isa::fetch::TexSem;
use crate::isa::words::{Elem, Select};
use crate::isa::{ACTIVE, Action, Constant, Local, Port, VALID};

/// Rows of registers.
const REGISTER_ROWS: u16 = 512;

/// What a raw program starts from, beside the registers of its wave.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Registers that the input names.
    registers: BTreeSet<u8>,
    buffers: BTreeMap<u8, Vec<[u32; 4]>>,
    file: Vec<[u32; 4]>,
    loops: BTreeMap<u8, [u32; 3]>,
    booleans: u32,
    streams: [[u64; 2]; 4],
    pub ring: [u64; 2],
    /// Byte address and bytes of the ring with the vertices of primitives, where the input has some.
    pub vertices: Option<(u64, u64)>,
    reduction: u64,
    /// Words of resources.
    pub resources: BTreeMap<u8, [u32; 7]>,
    /// Words of samplers.
    pub samplers: BTreeMap<u8, [u32; 3]>,
    /// Border colours of samplers.
    pub borders: BTreeMap<u8, [u32; 4]>,
    /// Semantics of registers 1 and up.
    pub semantics: Vec<u32>,
}

/// The number after a prefix, below `end`.
fn numbered(name: &str, prefix: &str, end: u8) -> Option<u8> {
    let digits = name.strip_prefix(prefix)?;
    digits.parse().ok().filter(|n| *n < end)
}

/// A list of constants: `[[x, y, z, w], ...]`, or one of them.
fn vectors(value: &LaneValue) -> Option<Vec<[u32; 4]>> {
    match value {
        LaneValue::Vectors(list) => Some(list.clone()),
        LaneValue::Lanes(list) if list.is_empty() => Some(Vec::new()),
        LaneValue::Lanes(list) => Some(vec![list.as_slice().try_into().ok()?]),
        _ => None,
    }
}

/// As many words.
fn words<const N: usize>(value: &LaneValue) -> Option<[u32; N]> {
    match value {
        LaneValue::Lanes(list) => list.as_slice().try_into().ok(),
        _ => None,
    }
}

/// A list of numbers, or one.
fn numbers(value: &LaneValue) -> Option<Vec<u64>> {
    match value {
        LaneValue::Lanes(list) => Some(list.iter().map(|n| u64::from(*n)).collect()),
        value => Some(vec![value.number()?]),
    }
}

impl State {
    /// Sets the wave's registers and masks and keeps the rest.
    pub fn load(input: &ExecInput, wave: &mut Wave) -> Result<State, ExecError> {
        let wrong = |what: &str, reason: &str| ExecError::Input {
            what: what.to_owned(),
            reason: reason.to_owned(),
        };
        let all = radeon::exec::lanes(input)?;
        wave.set_mask(ACTIVE, all);
        wave.set_mask(VALID, all);
        let mut state = State::default();
        for (name, value) in &input.registers {
            let known = state.set(name, value, wave);
            known.map_err(|reason| wrong(name, reason))?;
        }
        Ok(state)
    }

    fn set(&mut self, name: &str, value: &LaneValue, wave: &mut Wave) -> Result<(), &'static str> {
        const VECTOR: &str = "not [x, y, z, w] or a list of them";
        const NUMBERS: &str = "not as many numbers as it takes";
        match name {
            "C" => {
                self.file = vectors(value).ok_or(VECTOR)?;
                return match self.file.len() {
                    0..=256 => Ok(()),
                    _ => Err("the constant file has 256 constants"),
                };
            }
            "B" => {
                let bits = value.number().and_then(|n| u32::try_from(n).ok());
                self.booleans = bits.ok_or("not 32 bits")?;
                return Ok(());
            }
            "active" | "valid" => {
                let mask = value.number().ok_or("not a mask of 64 bits")?;
                wave.set_mask(if name == "active" { ACTIVE } else { VALID }, mask);
                return Ok(());
            }
            "SEMANTIC" => {
                let LaneValue::Lanes(list) = value else {
                    return Err("not a list of semantics");
                };
                self.semantics = list.clone();
                return match list.len() {
                    0..=32 => Ok(()),
                    _ => Err("there are 32 semantics"),
                };
            }
            "RING" => {
                let pair = numbers(value).ok_or(NUMBERS)?;
                self.ring = pair.try_into().map_err(|_| NUMBERS)?;
                return Ok(());
            }
            "REDUCTION" => {
                let [base] = numbers(value).ok_or(NUMBERS)?[..] else {
                    return Err(NUMBERS);
                };
                self.reduction = base;
                return Ok(());
            }
            _ => {}
        }
        if let Some(n) = numbered(name, "KC", 16) {
            let list = vectors(value).ok_or(VECTOR)?;
            if list.len() > 4096 {
                return Err("a constant buffer has 4096 constants");
            }
            self.buffers.insert(n, list);
        } else if let Some(n) = numbered(name, "STREAM", 4) {
            let pair = numbers(value).ok_or(NUMBERS)?;
            self.streams[usize::from(n)] = pair.try_into().map_err(|_| NUMBERS)?;
        } else if let Some(n) = numbered(name, "VTX", 160).or(numbered(name, "TEX", 160)) {
            self.resources
                .insert(n, words(value).ok_or("not seven words")?);
        } else if let Some(n) = numbered(name, "SAMPLER", 18) {
            self.samplers
                .insert(n, words(value).ok_or("not three words")?);
        } else if let Some(n) = numbered(name, "BORDER", 18) {
            self.borders
                .insert(n, words(value).ok_or("not four words")?);
        } else if let Some(n) = numbered(name, "I", 32) {
            let LaneValue::Lanes(parts) = value else {
                return Err("not [count, first, step]");
            };
            let parts = parts.as_slice().try_into();
            self.loops.insert(n, parts.map_err(|_| NUMBERS)?);
        } else if let Some(n) = numbered(name, "R", 128) {
            self.registers.insert(n);
            set_register(wave, n, value).ok_or(VECTOR)?;
        } else {
            return Err(
                "not known; R0 to R127, KC0 to KC15, C, I0 to I31, B, active, valid, STREAM0 to STREAM3, RING, \
                 REDUCTION, VTX0 and TEX0 to 159, SAMPLER0 and BORDER0 to 17 and SEMANTIC are",
            );
        }
        Ok(())
    }

    /// An element of a constant buffer; 0 outside it.
    pub fn buffer(&self, bank: u8, index: u32, elem: Elem) -> u32 {
        let buffer = self.buffers.get(&bank);
        let constant = buffer.and_then(|buffer| buffer.get(index as usize));
        constant.map_or(0, |constant| constant[elem as usize])
    }

    /// The constant buffers as bytes.
    pub fn buffers(&self) -> impl Iterator<Item = (u8, Vec<u8>)> {
        self.buffers.iter().map(|(id, constants)| {
            let words = constants.iter().flatten();
            (*id, words.flat_map(|word| word.to_le_bytes()).collect())
        })
    }

    /// Bytes of a constant buffer.
    pub fn buffer_bytes(&self, id: u8) -> u64 {
        self.buffers
            .get(&id)
            .map_or(0, |list| 16 * list.len() as u64)
    }

    /// The value of a constant.
    pub fn value(&self, constant: Constant) -> u32 {
        match constant {
            Constant::Kcache { bank, index, elem } => self.buffer(bank, index.into(), elem),
            Constant::File { index, elem } => {
                let constant = self.file.get(usize::from(index));
                constant.map_or(0, |constant| constant[elem as usize])
            }
            Constant::Loop { index, part } => {
                let parts = self.loops.get(&index);
                parts.map_or(0, |parts| parts[usize::from(part)])
            }
            Constant::Bool(index) => self.booleans >> index & 1,
        }
    }

    /// Address and bytes of a lane's record.
    pub fn space(&self, space: Space) -> [u64; 2] {
        match space {
            Space::Stream(n) => self.streams[usize::from(n & 3)],
            Space::Ring => self.ring,
            Space::Reduction => [self.reduction, 0],
            Space::Scratch => [0, 0],
        }
    }

    /// The named registers and the written ones, as the wave left them.
    pub fn store(&self, wave: &Wave, written: &BTreeSet<u8>) -> BTreeMap<String, LaneValue> {
        let mut found = BTreeMap::new();
        for n in written.union(&self.registers) {
            let lane = |lane| register(wave, *n, lane);
            let lanes = (0..LANES).map(lane).collect();
            found.insert(format!("R{n}"), LaneValue::Vectors(lanes));
        }
        for (name, pair) in [("active", ACTIVE), ("valid", VALID)] {
            let mask = format!("{:#x}", wave.mask(pair));
            found.insert(name.to_owned(), LaneValue::Text(mask));
        }
        found
    }
}

/// A register of a lane.
fn register(wave: &Wave, n: u8, lane: usize) -> [u32; 4] {
    let row = 4 * usize::from(n);
    [0, 1, 2, 3].map(|elem| wave.rows[row + elem].0[lane])
}

fn set_register(wave: &mut Wave, n: u8, value: &LaneValue) -> Option<()> {
    let row = 4 * usize::from(n);
    let mut set = |lane: usize, vector: [u32; 4]| {
        for (elem, bits) in vector.into_iter().enumerate() {
            wave.rows[row + elem].0[lane] = bits;
        }
    };
    match value {
        LaneValue::Lanes(vector) => {
            let vector = vector.as_slice().try_into().ok()?;
            (0..LANES).for_each(|lane| set(lane, vector));
        }
        LaneValue::Vectors(list) if list.len() <= LANES => {
            for (lane, vector) in list.iter().enumerate() {
                set(lane, *vector);
            }
        }
        _ => return None,
    }
    Some(())
}

/// Registers that a program writes. Where it writes one with an index, all that are not zero count.
pub(super) fn written(program: &Program, ports: &[Port], wave: &Wave) -> BTreeSet<u8> {
    let mut written = BTreeSet::new();
    let mut row = |row: u16| {
        if row < REGISTER_ROWS {
            written.insert((row / 4) as u8);
        }
    };
    for step in &program.steps {
        match *step {
            Step::Alu { dst, .. } | Step::Select { dst, .. } => row(dst),
            _ => {}
        }
    }
    for port in ports {
        let selected = |selects: [Select; 4]| selects.iter().any(|s| *s != Select::Mask);
        match port.action {
            Action::Vtx(inst) if selected(inst.selects()) => {
                if let Some((gpr, _)) = inst.dst_gpr() {
                    row(4 * u16::from(gpr));
                }
            }
            Action::Tex(inst) if selected(inst.selects()) => {
                let sem = inst.op.sem();
                if !matches!(sem, TexSem::SetGradientsH | TexSem::SetGradientsV) {
                    row(4 * u16::from(inst.dst_gpr));
                }
            }
            Action::Memory(inst) if inst.reads() => {
                let first = u16::from(inst.rw_gpr);
                (first..=first + u16::from(inst.burst_count)).for_each(|gpr| row(4 * gpr));
            }
            Action::Local(Local::WriteGpr { gpr, .. }) => {
                row(4 * u16::from(gpr));
                let not_zero = |row: &u16| wave.rows[usize::from(*row)] != Row::ZERO;
                (0..REGISTER_ROWS).filter(not_zero).for_each(&mut row);
            }
            Action::Local(
                Local::ReadGpr { dst, .. }
                | Local::ReadFile { dst, .. }
                | Local::ReadKcache { dst, .. },
            ) => row(dst),
            _ => {}
        }
    }
    written
}
