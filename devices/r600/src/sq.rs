//! The sequencer: programs from memory, the constants and resources of a draw, and running waves.
//!
//! A program is decoded, lifted and prepared once; it is found again by its address as long as the words there are the
//! same. Whatever a wave does wrong comes out as a [`Trap`] with the address and word of its instruction.

mod program;
mod stage;

pub(crate) use program::Programs;
pub(crate) use stage::{Scratch, Stage, StageRegisters, Wired, wire};

use lanes::{Engine, Fault, Interpreter, Ports, Prepared, Stop, Wave, Waves};
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::host::SimdLevel;
use silicon::texture::sample;
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
    pub(crate) level: SimdLevel,
    /// Which part of scratch memory is this thread's.
    pub(crate) slot: u64,
    /// Rows that samples are made in.
    samples: Box<sample::Scratch>,
}

impl Unit {
    pub(crate) fn new(memory: Memory, level: SimdLevel) -> Unit {
        Unit {
            memory,
            level,
            slot: 0,
            samples: Box::default(),
        }
    }
}

/// A wave, and what it has beside its registers.
pub(crate) struct Slot {
    pub(crate) wave: Wave,
    pub(crate) own: Own,
}

/// What a wave has beside its registers.
pub(crate) struct Own {
    pub(crate) exports: Box<Exports>,
    gradients: Box<ta::Gradients>,
}

impl Default for Slot {
    fn default() -> Slot {
        Slot {
            wave: Wave::new(0, 0),
            own: Own {
                exports: Exports::new(),
                gradients: Box::default(),
            },
        }
    }
}

impl Slot {
    /// Forgets what the wave before left behind outside the registers.
    fn clear(&mut self) {
        self.own.exports.clear();
        self.own.gradients.forget();
    }

    /// At the end of the wave.
    fn end(&mut self) {
        self.own.exports.end(self.wave.mask(VALID));
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
        slot: &mut Slot,
    ) -> Result<(), Trap> {
        slot.clear();
        if let Some(scratch) = &self.scratch {
            scratch.clear(unit);
        }
        let Slot { wave, own } = slot;
        let mut outside = Outside {
            stage: self,
            unit,
            own,
        };
        let result = engine.run(&self.shader.prepared, wave, &mut outside);
        slot.end();
        result.map_err(|stop| self.trap(&stop))
    }

    /// What stopped a wave.
    fn trap(&self, stop: &Stop) -> Trap {
        trap(
            self.shader.address + u64::from(stop.origin.pc),
            stop.origin.word,
            stop.fault.to_string(),
        )
    }

    /// Does what a port is there for, in each of some waves in turn.
    #[inline]
    fn perform<'w>(
        &self,
        number: u32,
        unit: &mut Unit,
        mut waves: impl Iterator<Item = (&'w mut Wave, &'w mut Own)>,
    ) -> Result<(), Fault> {
        let Some(port) = self.shader.ports.get(number as usize) else {
            return Err(Fault::Illegal {
                reason: format!("the program has no port {number}"),
            });
        };
        let setup = self.shader.setup();
        match &port.action {
            Action::Local(local) => {
                waves.for_each(|(wave, _)| local.run(port, &setup, &self.constants, wave));
                Ok(())
            }
            Action::Export(inst) => {
                let export = &self.shader.exports[number as usize];
                waves.try_for_each(|(wave, own)| {
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
                        own.exports.take(exported, lanes, wave, export.last);
                    }
                    Ok(())
                })
            }
            Action::Memory(inst) => {
                let mut words = LaneWords { stage: self, unit };
                waves.try_for_each(|(wave, _)| smx::access(inst, port, &setup, wave, &mut words))
            }
            Action::Vtx(inst) => match &self.wired[number as usize] {
                Wired::Vertex { fetch, semantic } => waves.try_for_each(|(wave, _)| {
                    let reach = (unit.level, &unit.memory);
                    fetch.run(inst, port, &setup, reach, *semantic, wave)
                }),
                _ => Err(unbound("buffer", inst.buffer_id)),
            },
            Action::Tex(inst) => match &self.wired[number as usize] {
                Wired::Texture(bound) => waves.try_for_each(|(wave, own)| {
                    let unit = ta::Unit {
                        level: unit.level,
                        memory: &unit.memory,
                        scratch: &mut unit.samples,
                        gradients: &mut own.gradients,
                    };
                    ta::run(inst, bound, port, &setup, unit, wave)
                }),
                _ => Err(unbound("resource", inst.resource_id)),
            },
            Action::EndTexClause => {
                waves.for_each(|(_, own)| own.gradients.forget());
                Ok(())
            }
            Action::Emit { .. } => Err(Fault::Illegal {
                reason: "a vertex is emitted outside a geometry shader".into(),
            }),
        }
    }
}

/// What a wave of a draw reaches.
struct Outside<'a> {
    stage: &'a Stage,
    unit: &'a mut Unit,
    own: &'a mut Own,
}

impl Ports for Outside<'_> {
    fn call(&mut self, number: u32, wave: &mut Wave) -> Result<(), Fault> {
        let waves = std::iter::once((wave, &mut *self.own));
        self.stage.perform(number, self.unit, waves)
    }
}

/// Pixel waves that go side by side. Their program does not use scratch memory, of which there is one part.
pub(crate) struct Group<'a, S> {
    pub(crate) stage: &'a Stage,
    /// The program, for waves that start as these do.
    pub(crate) prepared: &'a Prepared,
    pub(crate) unit: &'a mut Unit,
    pub(crate) slots: &'a mut [Slot],
    /// Gives them the registers that they start with.
    pub(crate) start: S,
}

impl<S: Fn(&mut [Slot])> Group<'_, S> {
    /// Runs them to their end; how many have ended, and what stopped the one after those.
    pub(crate) fn run(mut self, engine: &Interpreter) -> (usize, Result<(), Trap>) {
        let stage = self.stage;
        let (ended, result) = engine.run_all(self.prepared, &mut self);
        self.slots.iter_mut().for_each(Slot::end);
        (ended, result.map_err(|stop| stage.trap(&stop)))
    }
}

impl<S: Fn(&mut [Slot])> Waves for Group<'_, S> {
    fn count(&self) -> usize {
        self.slots.len()
    }

    #[inline(always)]
    fn wave(&mut self, index: usize) -> &mut Wave {
        &mut self.slots[index].wave
    }

    fn start(&mut self) {
        (self.start)(self.slots);
        self.slots.iter_mut().for_each(Slot::clear);
    }

    fn call_run(&mut self, first: u32, count: u32) -> bool {
        (first..first + count).all(|number| {
            let slots = self.slots.iter_mut();
            let waves = slots.map(|Slot { wave, own }| (wave, own));
            self.stage.perform(number, self.unit, waves).is_ok()
        })
    }

    fn alone(
        &mut self,
        index: usize,
        run: impl FnOnce(&mut Wave, &mut dyn Ports) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Slot { wave, own } = &mut self.slots[index];
        let (stage, unit) = (self.stage, &mut *self.unit);
        run(wave, &mut Outside { stage, unit, own })
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
