//! The sequencer: programs from memory, the constants and resources of a draw, and running waves.
//!
//! A program is decoded, lifted and prepared once; it is found again by its address as long as the words there are the
//! same. Whatever a wave does wrong comes out as a [`Trap`] with the address and word of its instruction.

mod kept;
mod packed;
mod program;
mod stage;

pub(crate) use kept::KeptStages;
pub(crate) use packed::PackedExports;
pub(crate) use program::PortExport;
pub(crate) use program::{Programs, Shader};
pub(crate) use stage::{BoundResource, Scratch, Source, Stage, StageRegisters, bind_resources};

use std::ops::Range;

use lanes::{Batch, DefaultEngine, Fault, PortFault, Ports, Wave};
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::geometry::amplify::Message;
use silicon::geometry::stream::BUFFERS;
use silicon::host::SimdLevel;
use silicon::texture::sample::{self, Repeats};
use silicon::{Addr, Memory, Trap};

use crate::isa::export::Space;
use crate::isa::{ACTIVE, Action, Kind, VALID};
use crate::smx::{self, Words};
use crate::sx::{self, Exports};
use crate::ta;

/// What one thread keeps to run waves.
pub(crate) struct Unit {
    pub(crate) memory: Memory,
    pub(crate) level: SimdLevel,
    /// Which part of scratch memory is this thread's.
    pub(crate) slot: u64,
    /// Where vertices of the wave go, of a draw with a stream.
    pub(crate) streamed: StreamLanes,
    /// Rows that samples are made in.
    samples: Box<sample::Scratch>,
    /// What the wave has of a ring, where it has one.
    pub(crate) ring: Option<LaneRecords>,
    /// Texels read: see [`silicon::Stats`].
    pub(crate) texels: u64,
}

impl Unit {
    pub(crate) fn new(memory: Memory, level: SimdLevel) -> Unit {
        Unit {
            memory,
            level,
            slot: 0,
            ring: None,
            streamed: StreamLanes::default(),
            samples: Box::default(),
            texels: 0,
        }
    }
}

/// Where the records of a wave's lanes lie in a ring or a stream, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneRecords {
    /// Byte address of the first.
    pub(crate) first: u64,
    /// Words of a record.
    pub(crate) words: u64,
}

impl LaneRecords {
    /// Byte address of a word of a lane.
    fn address(&self, lane: usize, at: u64) -> u64 {
        self.first + 4 * (lane as u64 * self.words + at)
    }
}

/// What a wave has beside its registers.
pub(crate) struct WaveState {
    pub(crate) exports: Exports,
    /// What a wave of a geometry program has emitted.
    pub(crate) messages: Vec<Message>,
    clause: Box<ta::ClauseState>,
}

impl Default for WaveState {
    fn default() -> WaveState {
        WaveState {
            exports: Exports::new(),
            messages: Vec::new(),
            clause: Box::default(),
        }
    }
}

/// Sets the lanes that a wave starts with.
pub(crate) fn set_lanes(wave: &mut Wave, lanes: u64) {
    wave.set_mask(ACTIVE, lanes);
    wave.set_mask(VALID, lanes);
}

impl Stage {
    /// Runs waves that have their registers to the end of the program, or its form that packs exports; how many have ended, and
    /// what stopped the one after those. A program that uses scratch memory, of which a thread has one part, runs in one wave
    /// at a time.
    pub(crate) fn run(
        &self,
        (engine, packed): (&DefaultEngine, Option<&PackedExports>),
        unit: &mut Unit,
        waves: &mut [Wave],
        states: &mut [WaveState],
    ) -> (usize, Result<(), Trap>) {
        // What a wave has lies in several pages.
        let (emits, samples) = (
            self.shader.kind() == Kind::Geometry,
            self.shader.has_samples,
        );
        for state in &mut *states {
            state.exports.clear();
            if emits {
                state.messages.clear();
            }
            if samples {
                state.clause.forget();
            }
        }
        if let Some(scratch) = &self.scratch {
            scratch.clear(unit);
        }
        let mut handler = PortHandler {
            stage: self,
            exports: packed.map_or(&self.shader.exports, |form| &form.exports),
            unit,
            states: &mut *states,
        };
        let program = packed.map_or(&self.shader.loaded, |form| &form.form.program);
        let result = program.run(engine, waves, &mut handler);
        for (wave, state) in waves.iter().zip(states) {
            state.exports.end(wave.mask(VALID));
        }
        result
    }

    /// Samples in all waves at once where that is possible; says whether it did.
    fn sample_all(
        &self,
        number: u32,
        unit: &mut Unit,
        states: &[WaveState],
        waves: &mut [Wave],
    ) -> bool {
        let port = self.shader.ports.get(number as usize);
        let bound = self.bound_resources.get(number as usize);
        let (Some(port), Some(BoundResource::Texture(bound))) = (port, bound) else {
            return false;
        };
        let Action::Tex(inst) = &port.action else {
            return false;
        };
        let setup = self.shader.setup();
        let (port, level) = ((port, &setup), unit.level);
        let done = {
            let (memory, samples) = (&unit.memory, &mut *unit.samples);
            let clauses = states.iter().map(|state| &*state.clause);
            let reach = (level, memory, &mut *samples);
            ta::run_all(inst, bound, port, reach, clauses, waves)
                || ta::load_all(inst, bound, port, (level, memory, samples), waves)
        };
        if done {
            let texels = waves.iter().map(|wave| bound.texels_of(wave));
            unit.texels += texels.sum::<u64>();
        }
        done
    }

    /// Gathers in all waves at once by the first instructions of some; says by how many.
    fn gather_all(&self, ports: Range<u32>, unit: &mut Unit, waves: &mut [Wave]) -> u32 {
        let setup = self.shader.setup();
        let texture = |number: u32| {
            let number = number as usize;
            match (
                self.shader.ports.get(number)?,
                self.bound_resources.get(number)?,
            ) {
                (port, BoundResource::Texture(bound)) => match &port.action {
                    Action::Tex(inst) => Some((port, inst, bound)),
                    _ => None,
                },
                _ => None,
            }
        };
        let (mut at, mut before) = (ports.start, false);
        while at < ports.end
            && let Some((port, inst, bound)) = texture(at)
            && let Some(mut picks) = ta::Picks::of(inst, bound, &setup)
        {
            let mut next = (at + 1..ports.end).map_while(texture).peekable();
            while next
                .next_if(|(_, inst, _)| picks.take(inst, &setup))
                .is_some()
            {}
            let later = next
                .peek()
                .is_some_and(|(_, inst, _)| picks.is_beside(inst));
            let reach = (unit.level, &unit.memory, &mut *unit.samples);
            let repeats = Repeats { before, later };
            let count = picks.run((port, &setup), reach, repeats, waves);
            if count == 0 {
                break;
            }
            let texels = waves.iter().map(|wave| bound.texels_of(wave));
            unit.texels += u64::from(count) * texels.sum::<u64>();
            (at, before) = (at + count, later);
        }
        at - ports.start
    }

    /// Does what a port is there for, in each of some waves in turn.
    #[inline]
    fn perform<'w>(
        &self,
        (number, exports): (u32, &[PortExport]),
        unit: &mut Unit,
        mut waves: impl Iterator<Item = (&'w mut Wave, &'w mut WaveState)>,
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
                let export = &exports[number as usize];
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
            Action::Vtx(inst) => match &self.bound_resources[number as usize] {
                BoundResource::Vertex { fetch, semantic } => waves.try_for_each(|(wave, _)| {
                    let reach = (unit.level, &unit.memory);
                    fetch.run(inst, port, &setup, reach, *semantic, wave)
                }),
                _ => Err(unbound("buffer", inst.buffer_id)),
            },
            Action::Tex(inst) => match &self.bound_resources[number as usize] {
                BoundResource::Texture(bound) => waves.try_for_each(|(wave, own)| {
                    unit.texels += bound.texels_of(wave);
                    let unit = ta::Unit {
                        level: unit.level,
                        memory: &unit.memory,
                        scratch: &mut unit.samples,
                        clause: &mut own.clause,
                    };
                    ta::run(inst, bound, port, &setup, unit, wave)
                }),
                _ => Err(unbound("resource", inst.resource_id)),
            },
            Action::EndTexClause => {
                waves.for_each(|(_, own)| own.clause.forget());
                Ok(())
            }
            Action::Emit { vertex, cut } if self.shader.kind() == Kind::Geometry => {
                waves.for_each(|(wave, own)| {
                    own.messages.push(Message {
                        emits: *vertex,
                        cuts: *cut,
                        lanes: wave.mask(ACTIVE),
                    });
                });
                Ok(())
            }
            Action::Emit { .. } => Err(Fault::Illegal {
                reason: "a vertex is emitted outside a geometry shader".into(),
            }),
        }
    }
}

/// What the waves of a draw reach.
struct PortHandler<'a> {
    stage: &'a Stage,
    /// What its ports export.
    exports: &'a [PortExport],
    unit: &'a mut Unit,
    states: &'a mut [WaveState],
}

impl Ports for PortHandler<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        let Range { mut start, end } = ports;
        while start < end {
            let port = start;
            start += 1;
            if batch.waves.len() > 1 && self.stage.shader.samples(port) {
                let states = &self.states[batch.first..];
                if self.stage.sample_all(port, self.unit, states, batch.waves) {
                    continue;
                }
                let gathered = self.stage.gather_all(port..end, self.unit, batch.waves);
                if gathered > 0 {
                    start = port + gathered;
                    continue;
                }
            }
            let mut begun = 0usize;
            let states = &mut self.states[batch.first..];
            let waves = batch.waves.iter_mut().zip(states).inspect(|_| begun += 1);
            let result = self.stage.perform((port, self.exports), self.unit, waves);
            result.map_err(|fault| {
                let wave = begun.saturating_sub(1);
                PortFault { port, wave, fault }
            })?;
        }
        Ok(())
    }
}

fn unbound(what: &str, id: u8) -> Fault {
    Fault::Illegal {
        reason: format!("{what} {id} is not bound to a resource of its kind"),
    }
}

/// Where the vertices of a wave go: those of some of its lanes, from the first on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamLanes {
    /// Records in each buffer that there is.
    pub(crate) buffers: [Option<LaneRecords>; BUFFERS],
    /// Lanes that are written.
    pub(crate) count: usize,
}

impl StreamLanes {
    /// Byte address of a word of a lane, where it is written.
    fn address(&self, buffer: u8, lane: usize, at: u64) -> Option<u64> {
        let records = self.buffers.get(usize::from(buffer)).copied().flatten();
        let records = records.filter(|_| lane < self.count)?;
        Some(records.address(lane, at))
    }
}

/// Memory behind the memory instructions: scratch, streams, and the ring of export and geometry waves. There are no
/// reductions in a draw.
struct LaneWords<'a> {
    stage: &'a Stage,
    unit: &'a Unit,
}

impl LaneWords<'_> {
    /// Byte address of a word; none where it is dropped: of what lies behind the record of a lane in a ring [ERRATA 38], and
    /// of a vertex that a stream has no room for, or that no stream takes.
    fn address(&self, space: Space, lane: usize, at: u64) -> Result<Option<u64>, Fault> {
        match (&self.stage.scratch, space, self.unit.ring) {
            (Some(scratch), Space::Scratch, _) => {
                let address = scratch.address(self.unit.slot, lane, at);
                if at < scratch.words {
                    return Ok(Some(address));
                }
                let lane = lane as u32;
                Err(Fault::Address { lane, address })
            }
            (_, Space::Stream(buffer), _) => Ok(self.unit.streamed.address(buffer, lane, at)),
            (_, Space::Ring, Some(records)) => {
                Ok((at < records.words).then(|| records.address(lane, at)))
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
        Ok(address
            .and_then(|at| self.unit.memory.load(at))
            .unwrap_or(0))
    }

    fn store(&mut self, space: Space, lane: usize, at: u64, value: u32) -> Result<(), Fault> {
        let Some(address) = self.address(space, lane, at)? else {
            return Ok(());
        };
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

/// The lanes of a mask whose value passes.
pub(crate) fn passing(mask: u64, pass: impl Fn(usize) -> bool) -> u64 {
    lanes_of(mask)
        .filter(|lane| pass(*lane))
        .fold(0, |m, lane| m | 1 << lane)
}
