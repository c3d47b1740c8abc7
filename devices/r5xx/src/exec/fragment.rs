//! Pixel programs outside any draw. Lanes are pixels, four of a quad after another: top left, top right, bottom left,
//! bottom right.
//!
//! | Name | Value |
//! |---|---|
//! | `T0` to `T127` | temporaries |
//! | `I0` to `I127` | the same: interpolators write temporaries, here each its own |
//! | `C0` to `C255` | a constant |
//! | `C` | all constants, a list of `[r, g, b, a]` |
//! | `L0` to `L31` | a loop constant: `[count, first index, step]` |
//! | `B` | the boolean constants, bit n is number n |
//! | `covered` | covered pixels as a 64-bit mask; the lanes of the input otherwise |
//! | `TEX0` to `TEX15` | what lookups of a texture unit give |
//! | `UNIT0` to `UNIT15` | a texture unit that reads the memory of the input: `[TX_FILTER0, TX_FILTER1, TX_FORMAT0, TX_FORMAT1, TX_FORMAT2, TX_OFFSET, TX_CHROMA_KEY, TX_BORDER_COLOR]` |
//! | `CODE` | `[start, end]`: US_CODE_ADDR; the whole program otherwise |
//! | `OFFSET` | `[offset]`: US_CODE_OFFSET |
//! | `PIXSIZE` | `[temporaries]`, 1 to 128; 128 otherwise |
//! | `FC_CTRL` | `[1]` for full flow control, as it is otherwise, or `[0]` |
//! | `CONFIG` | `[1]` if zero times anything is zero |
//!
//! Render targets are reported as exports `OUT0` to `OUT3` of the covered pixels, the depth as `W`. A lookup is reported
//! as export `TEX0` to `TEX15`, its coordinates S, T, R, Q; DXDY also as `DX0` and `DY0` to 15. With `strict` a program that
//! breaks a rule of the hardware ([`crate::isa::us::check()`]) is not run.

use std::collections::BTreeMap;
use std::ops::Range;

use isa::{ExecError, ExecInput, ExecOutput, Export, LaneValue};
use lanes::{Batch, DefaultEngine, Engine, Fault, LANES, PortFault, Ports, Wave};
use radeon::exec::Blocks;
use radeon::registers::RegisterFile;
use silicon::texture::sample::Scratch;
use silicon::{Memory, SimdLevel, WAVE_COST};

use super::{lane_vectors, numbered, numbers, rows, set_rows, trap, vector, wrong};
use crate::CHIP;
use crate::draw::texture::{Bindings, Reach, Units, look_up};
use crate::isa::program;
use crate::isa::us::ops::TexSem;
use crate::isa::us::{self, ACTIVE, COVERED, Constant, Inst, Lifted, Port, Setup, flushed};
use crate::regs::TX_ENABLE;
use crate::tx;

/// What the input names beside the registers of the wave.
struct State {
    setup: Setup,
    constants: Vec<[u32; 4]>,
    loops: [[u32; 3]; 32],
    booleans: u32,
    covered: Option<u64>,
    textures: BTreeMap<u8, Vec<[u32; 4]>>,
    units: BTreeMap<u8, tx::Words>,
    registers: BTreeMap<u8, Vec<[u32; 4]>>,
}

impl State {
    fn load(count: usize, input: &ExecInput) -> Result<State, ExecError> {
        let mut state = State {
            setup: Setup::whole(count),
            constants: vec![[0; 4]; 256],
            loops: [[0; 3]; 32],
            booleans: 0,
            covered: None,
            textures: BTreeMap::new(),
            units: BTreeMap::new(),
            registers: BTreeMap::new(),
        };
        for (name, value) in &input.registers {
            state.set(name, value)?;
        }
        Ok(state)
    }

    fn set(&mut self, name: &str, value: &LaneValue) -> Result<(), ExecError> {
        let one = |end: u32| -> Result<u32, ExecError> {
            let number = match value {
                LaneValue::Lanes(list) => list.first().copied().filter(|_| list.len() == 1),
                value => value.number().and_then(|number| u32::try_from(number).ok()),
            };
            let number = number.filter(|number| *number < end);
            number.ok_or_else(|| wrong(name, &format!("not a number below {end}")))
        };
        match name {
            "B" => {
                let bits = value.number().and_then(|bits| u32::try_from(bits).ok());
                self.booleans = bits.ok_or_else(|| wrong(name, "not 32 bits"))?;
            }
            "covered" => {
                let mask = value.number();
                self.covered = Some(mask.ok_or_else(|| wrong(name, "not a mask of 64 bits"))?);
            }
            "C" => {
                let LaneValue::Vectors(list) = value else {
                    return Err(wrong(name, "not a list of [r, g, b, a]"));
                };
                if list.len() > 256 {
                    return Err(wrong(name, "there are 256 constants"));
                }
                self.constants[..list.len()].copy_from_slice(list);
            }
            "CODE" => {
                let code: [u32; 2] = numbers(name, value)?;
                if code.iter().any(|at| *at >= u32::from(us::MAX_INSTRUCTIONS)) {
                    return Err(wrong(name, "an address has 9 bits"));
                }
                [self.setup.start, self.setup.end] = code.map(|at| at as u16);
            }
            "OFFSET" => self.setup.offset = one(us::MAX_INSTRUCTIONS.into())? as u16,
            "PIXSIZE" => self.setup.temps = one(129)? as u16,
            "FC_CTRL" => self.setup.full_flow = one(2)? == 1,
            "CONFIG" => self.setup.zero_wins = one(2)? == 1,
            name => return self.set_numbered(name, value),
        }
        Ok(())
    }

    fn set_numbered(&mut self, name: &str, value: &LaneValue) -> Result<(), ExecError> {
        let register = numbered(name, "T", 128).or(numbered(name, "I", 128));
        if let Some(n) = register {
            self.registers.insert(n as u8, lane_vectors(name, value)?);
        } else if let Some(n) = numbered(name, "C", 256) {
            self.constants[usize::from(n)] = vector(name, value)?;
        } else if let Some(n) = numbered(name, "L", 32) {
            self.loops[usize::from(n)] = numbers(name, value)?;
        } else if let Some(n) = numbered(name, "TEX", 16) {
            self.textures.insert(n as u8, lane_vectors(name, value)?);
        } else if let Some(n) = numbered(name, "UNIT", 16) {
            self.units.insert(n as u8, numbers(name, value)?);
        } else {
            return Err(wrong(
                name,
                "not known; T0 and I0 to 127, C0 to C255, C, L0 to L31, B, covered, TEX0 to TEX15, UNIT0 to \
                 UNIT15, CODE, OFFSET, PIXSIZE, FC_CTRL and CONFIG are",
            ));
        }
        Ok(())
    }

    /// The units that read memory.
    fn bind(&self, memory: &Memory, ports: &[Port]) -> Result<Units, ExecError> {
        let mut registers = RegisterFile::new(&[crate::regs::SPACE]);
        let mut enabled = 0;
        for (unit, words) in &self.units {
            enabled |= 1 << unit;
            for (register, word) in tx::OF_UNIT.iter().zip(words) {
                registers.set(register.at(u32::from(*unit)), *word);
            }
        }
        registers.set(TX_ENABLE.address, enabled);
        let weights = tx::Weights::default();
        Bindings::default()
            .bind(&registers, (memory, &weights), ports)
            .map_err(trap)
    }

    fn value(&self, constant: Constant) -> u32 {
        match constant {
            Constant::Float {
                index,
                channel,
                flushed: is_flushed,
            } => {
                let bits = self.constants[usize::from(index)][usize::from(channel & 3)];
                if is_flushed { flushed(bits) } else { bits }
            }
            Constant::Int { index, part } => {
                self.loops[usize::from(index & 31)][usize::from(part.min(2))]
            }
            Constant::Bool(index) => self.booleans >> (index & 31) & 1,
        }
    }
}

/// Runs a pixel program.
pub(super) fn exec(words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    let code = program(words)?;
    let state = State::load(code.len(), input)?;
    if input.strict {
        let insts = code.iter().map(|words| Inst::decode(*words));
        let insts: Vec<Inst> = insts.collect::<Result<_, _>>().map_err(trap)?;
        us::check(&insts, &state.setup).map_err(trap)?;
    }
    let lifted = us::lift(code, &state.setup).map_err(trap)?;
    let program = &lifted.program;
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.limit = WAVE_COST;
    let active = radeon::exec::lanes(input)?;
    wave.set_mask(ACTIVE, active);
    wave.set_mask(COVERED, state.covered.unwrap_or(active) & active);
    for (register, vectors) in &state.registers {
        let first = 4 * u16::from(*register);
        if first < lifted.layout.temps.end {
            set_rows(&mut wave, first, vectors);
        }
    }
    for (constant, scalar) in &lifted.constants {
        wave.scalars[usize::from(*scalar)] = state.value(*constant);
    }
    let engine = DefaultEngine::new();
    let prepared = engine.prepare(program).map_err(trap)?;
    let memory = Blocks::new(input)?.memory()?;
    let mut unit = Unit {
        state: &state,
        lifted: &lifted,
        units: state.bind(&memory, &lifted.ports)?,
        memory,
        scratch: Box::default(),
        exports: Vec::new(),
    };
    engine
        .run(&prepared, &mut wave, &mut unit)
        .map_err(|stop| {
            let (pc, word) = (stop.origin.pc, stop.origin.word);
            ExecError::Trap(format!(
                "{CHIP} at {pc:#x}: {} (word {word:#010x})",
                stop.fault
            ))
        })?;
    let exports = unit.exports;
    Ok(ExecOutput {
        memory: input.memory.clone(),
        ..report(&state, &lifted, &wave, exports)
    })
}

fn report(state: &State, lifted: &Lifted, wave: &Wave, exports: Vec<Export>) -> ExecOutput {
    let covered = wave.mask(COVERED);
    let layout = &lifted.layout;
    let mut output = ExecOutput {
        exports,
        instructions: wave.instructions,
        ..ExecOutput::default()
    };
    let covered_only = |vectors: Vec<[u32; 4]>| -> Vec<Option<[u32; 4]>> {
        let lane = |lane: usize| (covered >> lane & 1 == 1).then_some(vectors[lane]);
        (0..LANES).map(lane).collect()
    };
    for (at, first) in layout.targets.iter().enumerate() {
        let Some(first) = first else { continue };
        output.exports.push(Export {
            target: format!("OUT{at}"),
            lanes: covered_only(rows(wave, *first)),
        });
    }
    if let Some(row) = layout.depth {
        let depths = wave.rows[usize::from(row)].0;
        output.exports.push(Export {
            target: "W".into(),
            lanes: covered_only(depths.iter().map(|depth| [*depth, 0, 0, 0]).collect()),
        });
    }
    // Temporaries that were given, and those that hold something.
    for first in layout.temps.clone().step_by(4) {
        let at = (first / 4) as u8;
        let vectors = rows(wave, first);
        if state.registers.contains_key(&at) || vectors.iter().any(|v| *v != [0; 4]) {
            let value = LaneValue::Vectors(vectors);
            output.registers.insert(format!("T{at}"), value);
        }
    }
    let mask = LaneValue::Text(format!("{covered:#x}"));
    output.registers.insert("covered".into(), mask);
    output
}

/// The ports of a lone wave.
struct Unit<'a> {
    state: &'a State,
    lifted: &'a Lifted,
    units: Units,
    memory: Memory,
    scratch: Box<Scratch>,
    exports: Vec<Export>,
}

impl Ports for Unit<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.look_up(port, wave))
    }
}

impl Unit<'_> {
    fn look_up(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let illegal = |reason: String| Fault::Illegal { reason };
        let port: &Port = self
            .lifted
            .ports
            .get(port as usize)
            .ok_or_else(|| illegal(format!("the program has no port {port}")))?;
        let unit = port.tex.unit;
        let [a, b] = port.masks();
        let lanes = wave.mask(a) & wave.mask(b);
        let active = |lane: &usize| lanes >> lane & 1 == 1;
        let mut report = |name: &str, rows: [u16; 4]| {
            let vector = |lane: usize| rows.map(|row| wave.rows[usize::from(row)].0[lane]);
            let lane = |lane: usize| active(&lane).then(|| vector(lane));
            self.exports.push(Export {
                target: format!("{name}{unit}"),
                lanes: (0..LANES).map(lane).collect(),
            });
        };
        report("TEX", port.coordinates);
        if port.tex.op.sem() == TexSem::Gradients {
            report("DX", port.gradients[0]);
            report("DY", port.gradients[1]);
        }
        if self.state.units.contains_key(&unit) {
            let mut reach = Reach {
                memory: &self.memory,
                level: SimdLevel::current(),
                scratch: &mut self.scratch,
                texels: &mut 0,
            };
            let bound = self.units[usize::from(unit)].as_deref();
            look_up(bound, port, &mut reach, std::slice::from_mut(wave));
            return Ok(());
        }
        let texels = self.state.textures.get(&unit);
        let texels =
            texels.ok_or_else(|| illegal(format!("neither TEX{unit} nor UNIT{unit} is given")))?;
        for lane in (0..LANES).filter(active) {
            let wanted = |(channel, _): &(usize, _)| port.wanted >> channel & 1 == 1;
            for (channel, bits) in texels[lane].iter().enumerate().filter(wanted) {
                wave.rows[usize::from(port.result) + channel].0[lane] = flushed(*bits);
            }
        }
        Ok(())
    }
}
