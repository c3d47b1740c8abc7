//! Runs raw machine code as one wave, outside any draw: what `isa::Tools::exec` does for this chip.
//!
//! The program needs nothing else: every lane has 128 registers, CALL_FS does nothing, all lanes of the input are active
//! and valid. Names in the input's registers:
//!
//! | Name | Value |
//! |---|---|
//! | `R0` to `R127` | `[x, y, z, w]` for all lanes, or a list of such, one a lane |
//! | `KC0` to `KC15` | constants of a constant buffer, a list of `[x, y, z, w]` |
//! | `C` | the constant file, a list of `[x, y, z, w]` |
//! | `I0` to `I31` | a loop constant: `[trip count, first index, step]` |
//! | `B` | the boolean constants, bit n is number n |
//! | `active`, `valid` | lanes as a 64-bit mask; both start as the lanes of the input |
//! | `STREAM0` to `STREAM3`, `RING` | `[address, bytes of a lane's record]` in memory; [0, 0] without |
//! | `REDUCTION` | `[address]` in memory |
//! | `VTX0` to `VTX159`, `TEX0` to `TEX159` | the seven words of a resource: SQ_VTX_CONSTANT or SQ_TEX_RESOURCE |
//! | `SAMPLER0` to `SAMPLER17` | the three words of a sampler |
//! | `BORDER0` to `BORDER17` | a sampler's border colour, four words |
//! | `SEMANTIC` | SQ_VTX_SEMANTIC: number n is the semantic that is fetched into register n + 1 |
//!
//! A vertex fetch from a resource that is not given reads the constant buffer of the same number as vectors of 16 bytes,
//! as compilers fetch constants with an index. Without that it reads the memory blocks, from address 0, as an array of
//! the elements that it fetches.
//!
//! With `primitives` a geometry program finds the places of their vertices, in words, in R0 and R1, and the number of the lane
//! in R0.z; fetches from a resource that is not given read their words, and RING is where emitted vertices go. What is
//! written behind the record of a lane is dropped.
//!
//! With `strict` a program that breaks a rule of the hardware ([`crate::isa::check`]) is not run.
//!
//! Exports are reported by target: `PIXEL0` to `PIXEL7`, `PIXEL61` for depth, `POS60` to `POS63`, `PARAM0` to
//! `PARAM31`; EMIT_VERTEX, EMIT_CUT_VERTEX and CUT_VERTEX by their names, zero in the lanes that run them.

mod primitives;
mod registers;
mod resources;

use std::ops::Range;

use isa::{ExecError, ExecInput, ExecOutput, Export, TextError};
use lanes::{Batch, DefaultEngine, Engine, Fault, LANES, PortFault, Ports, Row, Wave};
use radeon::exec::{Blocks, report};
use silicon::geometry::amplify::Message;
use silicon::texture::sample;
use silicon::{Addr, Memory, WAVE_COST};

use crate::CHIP;
use crate::isa::check::check;
use crate::isa::export::Space;
use crate::isa::words::Elem;
use crate::isa::{ACTIVE, Action, Constant, Constants, Kind, Lifted, Port, Program, Setup, lift};
use crate::smx::{self, Words};
use crate::sq::BoundResource;
use crate::sx;
use crate::ta;
use primitives::Rings;
use registers::State;

/// Words of scratch that a lane may touch.
const SCRATCH_WORDS: u64 = 1 << 16;

/// Runs `words` as one wave of a stage.
pub fn exec(stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    let kind = match stage {
        "vertex" => Kind::Vertex,
        "geometry" => Kind::Geometry,
        "fragment" => Kind::Pixel,
        _ => {
            let stage = stage.to_owned();
            return Err(TextError::Stage { chip: CHIP, stage }.into());
        }
    };
    let program = Program::decode(words).map_err(|error| TextError::Word {
        chip: CHIP,
        pc: error.pc,
        word: error.word,
        reason: error.reason.to_string(),
    })?;
    let setup = Setup::all(kind);
    if input.strict {
        check(&program).map_err(|error| ExecError::Trap(format!("{CHIP}: {error}")))?;
    }
    let trap = |reason: String| ExecError::Trap(format!("{CHIP}: {reason}"));
    let Lifted {
        program: steps,
        ports,
        constants,
    } = lift(&program, &setup).map_err(|error| trap(error.to_string()))?;
    let mut wave = Wave::new(usize::from(steps.rows), usize::from(steps.scalars));
    wave.limit = WAVE_COST;
    let mut state = State::load(input, &mut wave)?;
    let mut blocks = Blocks::new(input)?;
    let rings = Rings::new(input, &mut blocks, &mut state, &mut wave)?;
    let (memory, buffers) = memory(blocks, &state)?;
    let bound_resources =
        resources::bound_resources(kind, &ports, &state, &memory, &buffers).map_err(trap)?;
    for (constant, scalar) in constants {
        wave.scalars[usize::from(scalar)] = state.value(constant);
    }
    let engine = DefaultEngine::new();
    let prepared = engine
        .prepare(&steps)
        .map_err(|error| trap(error.to_string()))?;
    let mut unit = Unit {
        ports: &ports,
        bound_resources: &bound_resources,
        samples: Box::default(),
        clause: ta::ClauseState::default(),
        setup: &setup,
        state: &state,
        exports: Vec::new(),
        messages: Vec::new(),
        memory: &memory,
        scratch: Vec::new(),
    };
    engine
        .run(&prepared, &mut wave, &mut unit)
        .map_err(|stop| {
            ExecError::Trap(format!(
                "{CHIP} at {:#x}: {} (word {:#010x})",
                stop.origin.pc, stop.fault, stop.origin.word
            ))
        })?;
    Ok(ExecOutput {
        exports: unit.exports,
        registers: state.store(&wave, &registers::written(&steps, &ports, &wave)),
        memory: report(&memory, input),
        instructions: wave.instructions,
        emitted: rings.map_or(Vec::new(), |rings| rings.report(&memory, &unit.messages)),
        ..ExecOutput::default()
    })
}

/// Memory with the blocks of the input, and behind them its constant buffers with their addresses.
fn memory(mut blocks: Blocks, state: &State) -> Result<(Memory, Vec<(u8, u64)>), ExecError> {
    let buffers = state.buffers().map(|(id, bytes)| {
        let at = blocks.end().next_multiple_of(256);
        blocks.push(at, bytes);
        (id, at)
    });
    let buffers = buffers.collect();
    Ok((blocks.memory()?, buffers))
}

/// The ports of a lone wave.
struct Unit<'a> {
    ports: &'a [Port],
    /// What they reach, one for each.
    bound_resources: &'a [BoundResource],
    /// Rows that samples are made in.
    samples: Box<sample::Scratch>,
    clause: ta::ClauseState,
    setup: &'a Setup<'a>,
    state: &'a State,
    exports: Vec<Export>,
    messages: Vec<Message>,
    memory: &'a Memory,
    /// Scratch words of all lanes, lane by lane within a word.
    scratch: Vec<Row>,
}

impl Unit<'_> {
    fn export(
        &mut self,
        inst: &crate::isa::export::Export,
        port: &Port,
        wave: &Wave,
    ) -> Result<(), Fault> {
        let lanes = sx::taking_part(inst, wave);
        for export in sx::exported(inst, self.setup.gprs, port.loop_index(wave))? {
            let lane = |lane: usize| {
                let takes_part = lanes >> lane & 1 == 1;
                takes_part.then(|| export.elements.map(|element| element.lanes(wave)[lane]))
            };
            self.exports.push(Export {
                target: export.target.name(),
                lanes: (0..LANES).map(lane).collect(),
            });
        }
        Ok(())
    }

    fn emit(&mut self, vertex: bool, cut: bool, wave: &Wave) {
        let target = match (vertex, cut) {
            (true, false) => "EMIT_VERTEX",
            (true, true) => "EMIT_CUT_VERTEX",
            (false, _) => "CUT_VERTEX",
        };
        let active = wave.mask(ACTIVE);
        self.messages.push(Message {
            emits: vertex,
            cuts: cut,
            lanes: active,
        });
        self.exports.push(Export {
            target: target.into(),
            lanes: (0..LANES)
                .map(|lane| (active >> lane & 1 == 1).then_some([0; 4]))
                .collect(),
        });
    }

    /// Byte address of a word that does not lie in scratch.
    fn address(&self, space: Space, lane: usize, at: u64) -> u64 {
        let [base, record] = self.state.space(space);
        base + record * lane as u64 + 4 * at
    }
}

impl Words for Unit<'_> {
    fn load(&mut self, space: Space, lane: usize, at: u64) -> Result<u32, Fault> {
        if space == Space::Scratch {
            let row = usize::try_from(at).ok().and_then(|at| self.scratch.get(at));
            return Ok(row.map_or(0, |row| row.0[lane]));
        }
        let address = self.address(space, lane, at);
        let lane = lane as u32;
        let fault = Fault::Address { lane, address };
        self.memory.load(address).ok_or(fault)
    }

    fn store(&mut self, space: Space, lane: usize, at: u64, value: u32) -> Result<(), Fault> {
        let address = self.address(space, lane, at);
        let fault = Fault::Address {
            lane: lane as u32,
            address,
        };
        if space == Space::Scratch {
            if at >= SCRATCH_WORDS {
                return Err(fault);
            }
            let at = at as usize;
            if self.scratch.len() <= at {
                self.scratch.resize(at + 1, Row::ZERO);
            }
            self.scratch[at].0[lane] = value;
            return Ok(());
        }
        if space == Space::Ring && self.state.vertices.is_some() && 4 * at >= self.state.ring[1] {
            return Ok(());
        }
        self.memory
            .write(Addr(address), &value.to_le_bytes())
            .map_err(|_| fault)
    }
}

impl Ports for Unit<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.perform(port, wave))
    }
}

impl Unit<'_> {
    fn perform(&mut self, number: u32, wave: &mut Wave) -> Result<(), Fault> {
        let Some(port) = self.ports.get(number as usize) else {
            return Err(Fault::Illegal {
                reason: format!("the program has no port {number}"),
            });
        };
        let setup = self.setup;
        match &port.action {
            Action::Local(local) => {
                local.run(port, setup, self.state, wave);
                Ok(())
            }
            Action::Export(inst) => self.export(inst, port, wave),
            Action::Memory(inst) => smx::access(inst, port, setup, wave, self),
            Action::Emit { vertex, cut } => {
                self.emit(*vertex, *cut, wave);
                Ok(())
            }
            Action::Vtx(inst) => match &self.bound_resources[number as usize] {
                BoundResource::Vertex { fetch, semantic } => {
                    let reach = (silicon::SimdLevel::current(), self.memory);
                    fetch.run(inst, port, setup, reach, *semantic, wave)
                }
                _ => Err(unbound("VTX", inst.buffer_id)),
            },
            Action::Tex(inst) => match &self.bound_resources[number as usize] {
                BoundResource::Texture(bound) => {
                    let unit = ta::Unit {
                        level: silicon::SimdLevel::current(),
                        memory: self.memory,
                        scratch: &mut self.samples,
                        clause: &mut self.clause,
                    };
                    ta::run(inst, bound, port, setup, unit, wave)
                }
                _ => Err(unbound("TEX", inst.resource_id)),
            },
            Action::EndTexClause => {
                self.clause.forget();
                Ok(())
            }
        }
    }
}

fn unbound(what: &str, id: u8) -> Fault {
    Fault::Illegal {
        reason: format!("{what}{id} is no resource of this kind"),
    }
}

impl Constants for State {
    fn kcache(&self, bank: u8, index: u32, elem: Elem) -> u32 {
        self.buffer(bank, index, elem)
    }

    fn file(&self, index: u8, elem: Elem) -> u32 {
        self.value(Constant::File { index, elem })
    }
}
