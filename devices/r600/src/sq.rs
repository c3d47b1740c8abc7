//! The sequencer: programs from memory, the constants and resources of a draw, and running waves.
//!
//! A program is decoded, lifted and prepared once; it is found again by its address as long as the words there are the
//! same. Whatever a wave does wrong comes out as a [`Trap`] with the address and word of its instruction.

mod program;
mod stage;

pub(crate) use program::Programs;
pub(crate) use stage::{Scratch, Stage, StageRegisters, Wired, wire};

use lanes::{Engine, Fault, Interpreter, Ports, Wave};
use silicon::interpolate::lanes as lanes_of;
use silicon::level::Level;
use silicon::{Addr, Memory, Trap};

use crate::cp::trap;
use crate::isa::export::Space;
use crate::isa::{ACTIVE, Action, VALID};
use crate::smx::{self, Words};
use crate::sx::{self, Exports};
use crate::ta;

/// What one thread keeps to run waves.
pub(crate) struct Unit {
    pub(crate) memory: Memory,
    pub(crate) level: Level,
    /// Which part of scratch memory is this thread's.
    pub(crate) slot: u64,
    texture: ta::State,
}

impl Unit {
    pub(crate) fn new(memory: Memory, level: Level) -> Unit {
        Unit {
            memory,
            level,
            slot: 0,
            texture: ta::State::default(),
        }
    }
}

/// Sets the lanes that a wave starts with.
pub(crate) fn set_lanes(wave: &mut Wave, lanes: u64) {
    wave.set_mask(ACTIVE, lanes);
    wave.set_mask(VALID, lanes);
}

impl Stage {
    /// Gives a wave the registers of this program; what is in them is left from the wave before.
    pub(crate) fn bind(&self, wave: &mut Wave) {
        wave.rows.resize(self.shader.rows, lanes::Row::ZERO);
        wave.scalars.resize(self.shader.scalars, 0);
    }

    /// Runs a wave that has its registers, to its end.
    pub(crate) fn run(
        &self,
        engine: &Interpreter,
        unit: &mut Unit,
        wave: &mut Wave,
        exports: &mut Exports,
    ) -> Result<(), Trap> {
        exports.clear();
        if let Some(scratch) = &self.scratch {
            scratch.clear(unit);
        }
        let mut outside = Outside {
            stage: self,
            unit,
            exports,
        };
        let result = engine.run(&self.shader.prepared, wave, &mut outside);
        exports.end(wave.mask(VALID));
        result.map_err(|stop| {
            trap(
                self.shader.address + u64::from(stop.origin.pc),
                stop.origin.word,
                stop.fault.to_string(),
            )
        })
    }
}

/// What a wave of a draw reaches.
struct Outside<'a> {
    stage: &'a Stage,
    unit: &'a mut Unit,
    exports: &'a mut Exports,
}

impl Ports for Outside<'_> {
    fn call(&mut self, number: u32, wave: &mut Wave) -> Result<(), Fault> {
        let (stage, unit) = (self.stage, &mut *self.unit);
        let ports = &stage.shader.ports;
        let Some(port) = ports.get(number as usize) else {
            return Err(Fault::Illegal {
                reason: format!("the program has no port {number}"),
            });
        };
        let setup = stage.shader.setup();
        match &port.action {
            Action::Local(local) => {
                local.run(port, &setup, &stage.constants, wave);
                Ok(())
            }
            Action::Export(inst) => {
                let export = &stage.shader.exports[number as usize];
                let moved;
                let registers = match inst.rw_rel {
                    false => &export.registers,
                    true => {
                        moved = sx::exported(inst, setup.gprs, port.loop_index(wave))?;
                        &moved
                    }
                };
                let lanes = sx::taking_part(inst, wave);
                for exported in registers {
                    self.exports.take(exported, lanes, wave, export.last);
                }
                Ok(())
            }
            Action::Memory(inst) => {
                let mut words = LaneWords { stage, unit };
                smx::access(inst, port, &setup, wave, &mut words)
            }
            Action::Vtx(inst) => match &stage.wired[number as usize] {
                Wired::Vertex { fetch, semantic } => {
                    let reach = (unit.level, &unit.memory);
                    fetch.run(inst, port, &setup, reach, *semantic, wave)
                }
                _ => Err(unbound("buffer", inst.buffer_id)),
            },
            Action::Tex(inst) => match &stage.wired[number as usize] {
                Wired::Texture(bound) => {
                    let texture = &mut unit.texture;
                    ta::run(inst, bound, port, &setup, &unit.memory, texture, wave)
                }
                _ => Err(unbound("resource", inst.resource_id)),
            },
            Action::EndTexClause => {
                unit.texture.gradients.forget();
                Ok(())
            }
            Action::Emit { .. } => Err(Fault::Illegal {
                reason: "a vertex is emitted outside a geometry shader".into(),
            }),
        }
    }
}

fn unbound(what: &str, id: u8) -> Fault {
    Fault::Illegal {
        reason: format!("{what} {id} is not bound to a resource of its kind"),
    }
}

/// Memory behind the memory instructions: scratch. There are no streams, rings or reductions in a draw.
struct LaneWords<'a> {
    stage: &'a Stage,
    unit: &'a Unit,
}

impl LaneWords<'_> {
    fn address(&self, space: Space, lane: usize, at: u64) -> Result<u64, Fault> {
        match (&self.stage.scratch, space) {
            (Some(scratch), Space::Scratch) => {
                let address = scratch.address(self.unit.slot, lane, at);
                if at < scratch.words {
                    return Ok(address);
                }
                let lane = lane as u32;
                Err(Fault::Address { lane, address })
            }
            _ => Err(Fault::Illegal {
                reason: format!("a draw has no {space:?} memory"),
            }),
        }
    }
}

impl Words for LaneWords<'_> {
    fn load(&mut self, space: Space, lane: usize, at: u64) -> Result<u32, Fault> {
        let address = self.address(space, lane, at)?;
        Ok(self.unit.memory.load(address).unwrap_or(0))
    }

    fn store(&mut self, space: Space, lane: usize, at: u64, value: u32) -> Result<(), Fault> {
        let address = self.address(space, lane, at)?;
        let lane = lane as u32;
        let done = self.unit.memory.store(address, value);
        done.ok_or(Fault::Address { lane, address })
    }
}

impl Scratch {
    /// Byte address of a word of a lane.
    fn address(&self, slot: u64, lane: usize, at: u64) -> u64 {
        self.base + 4 * ((slot * lanes::LANES as u64 + lane as u64) * self.words + at)
    }

    /// Waves find their part cleared, so that results never depend on the wave before.
    fn clear(&self, unit: &Unit) {
        let start = self.address(unit.slot, 0, 0);
        let done = unit
            .memory
            .fill(Addr(start), lanes::LANES as u64 * self.words, 0);
        debug_assert!(done.is_ok(), "checked when the stage was made");
    }
}

/// The lanes of the first `count`, at most all.
pub(crate) fn first_lanes(count: usize) -> u64 {
    match count {
        0 => 0,
        n if n >= lanes::LANES => u64::MAX,
        n => (1 << n) - 1,
    }
}

/// The lanes of a mask whose value passes.
pub(crate) fn passing(mask: u64, pass: impl Fn(usize) -> bool) -> u64 {
    lanes_of(mask)
        .filter(|lane| pass(*lane))
        .fold(0, |m, lane| m | 1 << lane)
}
