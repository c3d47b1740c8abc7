//! The sequencer: programs from memory, and running waves of them.
//!
//! A program is decoded, lifted and prepared once; it is found again by its address as long as the words there are the
//! same. Whatever a wave does wrong comes out as a [`Trap`] with the address and word of its instruction.

use std::sync::Arc;

use lanes::{Engine, Fault, Interpreter, LANES, Liveness, Ports, Prepared, Stop, Wave, Waves};
use radeon::r6xx::programs;
use silicon::{Memory, SimdLevel, Trap};

use crate::Start;
use crate::draw::Slot;
use crate::isa::Inst;
use crate::isa::image::ImageSem;
use crate::isa::memory::BufferSem;
use crate::isa::operand::EXEC;
use crate::isa::{
    Allocation, Beyond, Hazard, LDS_DIRECT_SLOT, Mode, Port, check_timing, lift_with_handler,
};
use crate::lds;
use crate::scratch::{PrivateStore, private_stores};
use crate::spi::interp::{Attributes, Interpolation, Step};
use crate::sx::{ExportFormats, Exports};
use crate::ta::{MemoryUnit, image};

/// Words that a program may have.
const MAX_WORDS: u64 = 1 << 18;

/// How a shader's waves start, from its RSRC1 and RSRC2 registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Resources {
    /// Byte address.
    pub(crate) address: u64,
    /// Vector registers.
    pub(crate) vgprs: u16,
    /// Scalar registers.
    pub(crate) sgprs: u16,
    /// MODE.
    pub(crate) mode: u32,
    /// Byte address of the trap handler, 0 without one.
    pub(crate) handler: u64,
    /// User SGPRs. Of a pixel wave, PRIM_MASK follows them.
    pub(crate) user_count: u8,
}

impl Resources {
    /// From the addresses of program and trap handler and the fields of RSRC1 and RSRC2 that both stages have alike.
    pub(crate) fn new(address: u64, handler: u64, [rsrc1, rsrc2]: [u32; 2]) -> Resources {
        let float_mode = rsrc1 >> 12 & 0xff;
        let (dx10_clamp, ieee) = (rsrc1 >> 21 & 1, rsrc1 >> 23 & 1);
        Resources {
            address,
            vgprs: ((rsrc1 & 0x3f) as u16 + 1) * 4,
            sgprs: (((rsrc1 >> 6 & 0xf) as u16 + 1) * 8).min(104),
            mode: float_mode | dx10_clamp << 8 | ieee << 9,
            handler,
            user_count: (rsrc2 >> 1 & 0x1f).min(16) as u8,
        }
    }
}

/// A program ready to run.
pub(crate) struct Shader {
    address: u64,
    words: Vec<u32>,
    ports: Vec<Port>,
    interpolation: Interpolation,
    /// Of each port, whether it is an EXP and no register changes from it to the wave's end.
    last_exports: Vec<bool>,
    /// For waves that start with masks and primitives of their own.
    pub(crate) prepared: Prepared,
    /// For pixel waves that start with the same ones: of whole tiles of a primitive.
    pub(crate) prepared_tiles: Prepared,
    /// Rows of a wave.
    rows: usize,
    /// Scalars of a wave.
    pub(crate) scalars: usize,
    /// Which registers its waves read and write, and which they write first.
    pub(crate) live: Liveness,
    /// Whether it stores to memory or to the global data share.
    pub(crate) side_effects: bool,
    /// Its stores, when all may turn out to go to the wave's own scratch memory.
    pub(crate) private_stores: Option<Vec<PrivateStore>>,
    /// Whether it uses local data share.
    pub(crate) uses_lds: bool,
}

/// The programs of a device.
pub(crate) struct Programs {
    engine: Interpreter,
    shaders: programs::Programs<Resources, Shader>,
    /// Programs are checked before they run.
    strict: bool,
}

impl Programs {
    pub(crate) fn new(start: Start) -> Programs {
        Programs {
            engine: Interpreter::at(start.level),
            shaders: programs::Programs::default(),
            strict: start.strict,
        }
    }

    /// The engine that runs them.
    pub(crate) fn engine(&self) -> &Interpreter {
        &self.engine
    }

    /// The program that lies in memory now.
    pub(crate) fn get(
        &mut self,
        memory: &Memory,
        resources: Resources,
    ) -> Result<Arc<Shader>, Trap> {
        let (engine, strict) = (&self.engine, self.strict);
        let unchanged = |s: &Shader| programs::unchanged(memory, s.address, &s.words);
        let load = || Shader::load(engine, memory, resources, strict);
        self.shaders.get(resources, unchanged, load)
    }
}

impl Shader {
    fn load(
        engine: &Interpreter,
        memory: &Memory,
        resources: Resources,
        strict: bool,
    ) -> Result<Shader, Trap> {
        let address = resources.address;
        let room = memory.size().saturating_sub(address) / 4;
        let mut words: Vec<u32> = (0..room.min(MAX_WORDS))
            .map_while(|n| memory.load(address + 4 * n))
            .collect();
        let first = words.first().copied().unwrap_or(0);
        let fail = |reason: String| crate::cp::trap(address, first, reason);
        if words.is_empty() {
            return Err(fail("the program lies outside video memory".into()));
        }
        let allocation = Allocation {
            vgprs: resources.vgprs,
            sgprs: resources.sgprs,
            beyond: Beyond::strict(strict),
        };
        if strict {
            check_timing(&words).map_err(|Hazard { pc, word, rule }| {
                crate::cp::trap(address + u64::from(pc), word, rule.to_string())
            })?;
        }
        let lifted = lift_with_handler(
            &words,
            address,
            Mode(resources.mode),
            allocation,
            resources.handler,
        )
        .map_err(|error| fail(error.to_string()))?;
        let together = |own: &[u16]| {
            engine
                .prepare_together(&lifted.program, own)
                .map_err(|error| fail(error.to_string()))
        };
        let (exec, prim_mask) = (u16::from(EXEC), u16::from(resources.user_count));
        let mut places: Vec<u32> = lifted.program.origins.iter().map(|o| o.pc).collect();
        places.sort_unstable();
        places.dedup();
        // The longest instruction has two words.
        let last = places.last().copied();
        words.truncate(last.unwrap_or(0) as usize / 4 + 2);
        words.shrink_to_fit();
        Ok(Shader {
            private_stores: private_stores(&words, &places),
            live: Liveness::new(&lifted.program),
            address,
            words,
            side_effects: lifted.ports.iter().any(|port| stores(&port.inst)),
            uses_lds: lifted
                .ports
                .iter()
                .any(|port| matches!(port.inst, Inst::Ds(_))),
            last_exports: lifted.program.last_ports(lifted.ports.len(), |n| {
                matches!(lifted.ports[n].inst, Inst::Exp(_))
            }),
            interpolation: Interpolation::new(&lifted.ports, lifted.program.rows.into()),
            ports: lifted.ports,
            prepared: together(&[exec, exec + 1, prim_mask])?,
            prepared_tiles: together(&[])?,
            rows: lifted.program.rows.into(),
            scalars: lifted.program.scalars.into(),
        })
    }

    /// What stopped a wave.
    fn trap(&self, stop: &Stop) -> Trap {
        crate::cp::trap(
            self.address + u64::from(stop.origin.pc),
            stop.origin.word,
            stop.fault.to_string(),
        )
    }

    /// Gives a wave the registers of this program; what is in them is left from the wave before.
    pub(crate) fn bind(&self, wave: &mut Wave) {
        wave.rows.resize(self.rows, lanes::Row::ZERO);
        wave.scalars.resize(self.scalars, 0);
    }
}

/// Whether an instruction stores to memory or to the global data share.
pub(crate) fn stores(inst: &Inst) -> bool {
    let buffer = |sem| {
        matches!(
            sem,
            BufferSem::Store(_) | BufferSem::StoreFormat(_) | BufferSem::Atomic { .. }
        )
    };
    match inst {
        Inst::Mubuf(inst) => buffer(inst.op.sem()),
        Inst::Mtbuf(inst) => buffer(inst.op.sem()),
        Inst::Mimg(inst) => {
            matches!(inst.op.sem(), ImageSem::Store { .. } | ImageSem::Atomic(_))
        }
        Inst::Ds(inst) => inst.gds,
        _ => false,
    }
}

/// What a wave of a draw reaches.
pub(crate) struct Outside<'a> {
    shader: &'a Shader,
    unit: &'a mut MemoryUnit,
    exports: &'a mut Exports,
    formats: ExportFormats,
    attributes: Attributes<'a>,
}

impl<'a> Outside<'a> {
    /// For a stage with these exports; `attributes` are those of the primitives of a pixel wave.
    pub(crate) fn new(
        shader: &'a Shader,
        unit: &'a mut MemoryUnit,
        exports: &'a mut Exports,
        formats: ExportFormats,
        attributes: Attributes<'a>,
    ) -> Outside<'a> {
        Outside {
            shader,
            unit,
            exports,
            formats,
            attributes,
        }
    }

    /// Runs a wave of the shader to its end.
    pub(crate) fn run(mut self, engine: &Interpreter, wave: &mut Wave) -> Result<(), Trap> {
        let shader = self.shader;
        engine
            .run(&shader.prepared, wave, &mut self)
            .map_err(|stop| shader.trap(&stop))
    }

    /// Executes the V_INTERPs that the ports from `first` on begin with, of at most `count`; how many they were.
    fn interpolate(&self, first: u32, count: u32, wave: &mut Wave) -> u32 {
        let program = &self.shader.interpolation;
        let steps = program.run(first, count);
        if !steps.is_empty() {
            self.attributes
                .interpolate(self.unit.level, program, steps, wave);
        }
        steps.len() as u32
    }
}

impl Ports for Outside<'_> {
    fn call(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let Some(instruction) = self.shader.ports.get(port as usize) else {
            return Err(Fault::Illegal {
                reason: format!("the program has no port {port}"),
            });
        };
        match &instruction.inst {
            Inst::Vintrp(_) => {
                self.interpolate(port, 1, wave);
            }
            Inst::Exp(inst) => {
                let stays = self.shader.last_exports[port as usize];
                let level = self.unit.level;
                self.exports.export(level, inst, self.formats, wave, stays);
            }
            // There is no geometry stage that messages go to, and a wave is a group of its own.
            Inst::Sopp(_) => {}
            inst => {
                if !self.unit.call(inst, wave)? {
                    wave.scalars[usize::from(LDS_DIRECT_SLOT)] = lds::direct(&self.unit.lds, wave);
                }
            }
        }
        Ok(())
    }

    fn call_run(&mut self, first: u32, count: u32, wave: &mut Wave) -> Result<(), (u32, Fault)> {
        let mut done = 0;
        while done < count {
            done += match self.interpolate(first + done, count - done, wave) {
                0 => {
                    let port = first + done;
                    self.call(port, wave).map_err(|fault| (done, fault))?;
                    1
                }
                together => together,
            };
        }
        Ok(())
    }
}

/// What waves of a group come from.
pub(crate) trait Origin {
    /// Gives them the registers that they start with.
    fn start(&self, slots: &mut [Slot]);

    /// Executes V_INTERPs that follow each other in their program.
    fn interpolate(
        &self,
        level: SimdLevel,
        program: &Interpolation,
        steps: &[Step],
        slots: &mut [Slot],
    );

    /// Parameter memory as one of them sees it.
    fn attributes(&self, wave: usize) -> Attributes<'_>;
}

/// Pixel waves that go side by side.
pub(crate) struct Group<'a, O> {
    pub(crate) shader: &'a Shader,
    /// The program, for waves that start as these do.
    pub(crate) prepared: &'a Prepared,
    pub(crate) unit: &'a mut MemoryUnit,
    pub(crate) slots: &'a mut [Slot],
    pub(crate) formats: ExportFormats,
    pub(crate) origin: O,
}

impl<O: Origin> Group<'_, O> {
    /// Runs them to their end; how many have ended, and what stopped the one after those. They must have no effects but
    /// their exports.
    pub(crate) fn run(mut self, engine: &Interpreter) -> (usize, Result<(), Trap>) {
        let shader = self.shader;
        let (ended, result) = engine.run_all(self.prepared, &mut self);
        (ended, result.map_err(|stop| shader.trap(&stop)))
    }
}

impl<O: Origin> Waves for Group<'_, O> {
    fn count(&self) -> usize {
        self.slots.len()
    }

    #[inline(always)]
    fn wave(&mut self, index: usize) -> &mut Wave {
        &mut self.slots[index].wave
    }

    fn start(&mut self) {
        self.origin.start(self.slots);
        for slot in &mut *self.slots {
            slot.exports.clear();
        }
    }

    fn alone(
        &mut self,
        index: usize,
        run: impl FnOnce(&mut Wave, &mut dyn Ports) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Slot { wave, exports } = &mut self.slots[index];
        let (formats, attributes) = (self.formats, self.origin.attributes(index));
        run(
            wave,
            &mut Outside::new(self.shader, self.unit, exports, formats, attributes),
        )
    }

    fn call_run(&mut self, first: u32, count: u32) -> bool {
        let shader = self.shader;
        let (mut done, end) = (first as usize, (first + count) as usize);
        let level = self.unit.level;
        while done < end {
            let Some(port) = shader.ports.get(done) else {
                return false;
            };
            match &port.inst {
                Inst::Vintrp(_) => {
                    let program = &shader.interpolation;
                    let steps = program.run(done as u32, (end - done) as u32);
                    self.origin.interpolate(level, program, steps, self.slots);
                    done += steps.len().max(1);
                    continue;
                }
                Inst::Exp(inst) => {
                    let stays = shader.last_exports[done];
                    for Slot { wave, exports } in &mut *self.slots {
                        exports.export(level, inst, self.formats, wave, stays);
                    }
                }
                Inst::Sopp(_) => {}
                Inst::Mimg(inst) if image::sample_all(inst, self.slots, self.unit) => {}
                inst => {
                    let unit = &mut *self.unit;
                    let done =
                        |slot: &mut Slot| matches!(unit.call(inst, &mut slot.wave), Ok(true));
                    if !self.slots.iter_mut().all(done) {
                        return false;
                    }
                }
            }
            done += 1;
        }
        true
    }

    fn call_first(&mut self, first: u32, count: u32) -> bool {
        let ports = self.shader.ports.iter().skip(first as usize);
        let (unit, slot) = (&mut *self.unit, &mut self.slots[0]);
        let done = |port: &Port| matches!(unit.call(&port.inst, &mut slot.wave), Ok(true));
        ports.take(count as usize).all(done)
    }
}

/// The lanes of the first `count`, at most all.
pub(crate) fn first_lanes(count: usize) -> u64 {
    match count {
        0 => 0,
        n if n >= LANES => u64::MAX,
        n => (1 << n) - 1,
    }
}
