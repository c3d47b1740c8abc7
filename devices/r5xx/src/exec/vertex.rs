//! Vertex programs outside any draw.
//!
//! | Name | Value |
//! |---|---|
//! | `T0` to `T31`, `AT0` to `AT19`, `I0` to `I31` | temporaries, alternate temporaries, the vertex |
//! | `A0` | the address register: integers |
//! | `C0` to `C255` | a constant |
//! | `C` | all constants, a list of `[x, y, z, w]` |
//! | `FLOW0` to `FLOW15` | a flow control slot: `[opcode, ADDRS_LW, ADDRS_UW, LOOP_INDEX]` |
//! | `CODE` | `[first, last]` instruction; all of them otherwise |
//! | `CONST` | `[base, highest]`: PVS_CONST_BASE_OFFSET and PVS_MAX_CONST_ADDR; [0, 255] otherwise |
//!
//! Outputs are reported as exports `OUT0` to `OUT31`; components that nothing wrote are zero. With `strict` a
//! program that breaks a rule of the hardware ([`crate::isa::pvs::check()`]) is not run.

use std::ops::Range;

use isa::{ExecError, ExecInput, ExecOutput, Export, LaneValue};
use lanes::{Batch, DefaultEngine, Engine, LANES, PortFault, Ports, Wave};
use silicon::WAVE_COST;

use super::{lane_vectors, numbered, numbers, rows, set_rows, trap, vector, wrong};
use crate::isa::program;
use crate::isa::pvs::{self, ACTIVE, Control, FlowSlot, Inst, Lifted};

/// What the input names beside the registers of the wave.
struct State {
    control: Control,
    constants: Vec<[u32; 4]>,
    registers: Vec<(String, Vec<[u32; 4]>)>,
}

impl State {
    fn load(count: usize, input: &ExecInput) -> Result<State, ExecError> {
        let mut state = State {
            control: Control::straight(count),
            constants: vec![[0; 4]; 256],
            registers: Vec::new(),
        };
        for (name, value) in &input.registers {
            state.set(name, value)?;
        }
        Ok(state)
    }

    fn set(&mut self, name: &str, value: &LaneValue) -> Result<(), ExecError> {
        let files = [("T", 32), ("AT", 20), ("I", 32), ("A", 1)];
        if files
            .iter()
            .any(|(f, end)| numbered(name, f, *end).is_some())
        {
            let vectors = lane_vectors(name, value)?;
            self.registers.push((name.to_owned(), vectors));
        } else if let Some(n) = numbered(name, "C", 256) {
            self.constants[usize::from(n)] = vector(name, value)?;
        } else if name == "C" {
            let LaneValue::Vectors(list) = value else {
                return Err(wrong(name, "not a list of [x, y, z, w]"));
            };
            if list.len() > 256 {
                return Err(wrong(name, "there are 256 constants"));
            }
            self.constants[..list.len()].copy_from_slice(list);
        } else if let Some(n) = numbered(name, "FLOW", 16) {
            let [op, low, high, index] = numbers(name, value)?;
            let op = u16::try_from(op).ok().and_then(pvs::ops::FlowOp::from_code);
            let op = op.ok_or_else(|| wrong(name, "the opcode is none of 0 to 3"))?;
            self.control.slots[usize::from(n)] = FlowSlot::from_words(op, low, high, index);
        } else if name == "CODE" {
            let code: [u32; 2] = numbers(name, value)?;
            let [first, last] = code.map(|at| u16::try_from(at).ok());
            let both = first.zip(last);
            (self.control.first, self.control.last) =
                both.ok_or_else(|| wrong(name, "an address has 10 bits"))?;
        } else if name == "CONST" {
            let range: [u32; 2] = numbers(name, value)?;
            let [base, highest] = range.map(|at| u8::try_from(at).ok());
            let both = base.zip(highest);
            (self.control.const_base, self.control.const_max) =
                both.ok_or_else(|| wrong(name, "a constant is one of 256"))?;
        } else {
            return Err(wrong(
                name,
                "not known; T0 to T31, AT0 to AT19, I0 to I31, A0, C0 to C255, C, FLOW0 to FLOW15, CODE and CONST are",
            ));
        }
        Ok(())
    }
}

/// First row of a register; none where the program does not touch it.
fn row(lifted: &Lifted, name: &str) -> Option<u16> {
    let layout = &lifted.layout;
    let files = [
        ("T", &layout.temps),
        ("AT", &layout.alternates),
        ("I", &layout.inputs),
        ("A", &layout.address),
    ];
    let found = files.iter().find_map(|(prefix, rows)| {
        let at = rows.start + 4 * numbered(name, prefix, 256)?;
        Some((at, *rows))
    });
    found.filter(|(at, rows)| *at < rows.end).map(|(at, _)| at)
}

/// Runs a vertex program.
pub(super) fn exec(words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    let code = program(words)?;
    let state = State::load(code.len(), input)?;
    if input.strict {
        let insts = code.iter().map(|words| Inst::decode(*words));
        let insts: Vec<Inst> = insts.collect::<Result<_, _>>().map_err(trap)?;
        pvs::check(&insts).map_err(trap)?;
    }
    let lifted = pvs::lift(code, &state.control).map_err(trap)?;
    let program = &lifted.program;
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.limit = WAVE_COST;
    let active = radeon::exec::lanes(input)?;
    wave.set_mask(ACTIVE, active);
    for (name, vectors) in &state.registers {
        if let Some(first) = row(&lifted, name) {
            set_rows(&mut wave, first, vectors);
        }
    }
    for (constant, scalar) in &lifted.constants {
        let vector = state.constants[usize::from(constant.index)];
        wave.scalars[usize::from(*scalar)] = vector[usize::from(constant.component)];
    }
    let engine = DefaultEngine::new();
    let prepared = engine.prepare(program).map_err(trap)?;
    engine
        .run(&prepared, &mut wave, &mut Access(&lifted))
        .map_err(trap)?;
    Ok(report(&state, &lifted, &wave, active))
}

fn report(state: &State, lifted: &Lifted, wave: &Wave, active: u64) -> ExecOutput {
    let mut output = ExecOutput {
        instructions: wave.instructions,
        ..ExecOutput::default()
    };
    let layout = &lifted.layout;
    for at in 0..32 {
        if lifted.written >> (4 * at) & 15 == 0 {
            continue;
        }
        let vectors = rows(wave, layout.outputs.start + 4 * at as u16);
        let lane = |lane: usize| (active >> lane & 1 == 1).then_some(vectors[lane]);
        output.exports.push(Export {
            target: format!("OUT{at}"),
            lanes: (0..LANES).map(lane).collect(),
        });
    }
    let mut file = |name: &str, range: &Range<u16>| {
        for (at, first) in range.clone().step_by(4).enumerate() {
            let value = LaneValue::Vectors(rows(wave, first));
            output.registers.insert(format!("{name}{at}"), value);
        }
    };
    file("T", &layout.temps);
    file("AT", &layout.alternates);
    file("I", &layout.inputs);
    file("A", &layout.address);
    for (name, vectors) in &state.registers {
        // What the program does not touch stays.
        let untouched = output.registers.entry(name.clone());
        untouched.or_insert_with(|| LaneValue::Vectors(vectors.clone()));
    }
    output
}

/// The ports of a lone wave.
struct Access<'a>(&'a Lifted);

impl Ports for Access<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            if let Some(port) = self.0.ports.get(port as usize) {
                port.run(wave);
            }
            Ok(())
        })
    }
}
