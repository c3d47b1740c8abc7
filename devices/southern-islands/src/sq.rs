//! The sequencer: programs from memory, and running waves of them.
//!
//! A program is decoded, lifted and prepared once; it is found again by its address as long as the words there are the
//! same. Whatever a wave does wrong comes out as a [`Trap`] with the address and word of its instruction.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use lanes::{Batch, DefaultEngine, Fault, Liveness, PortFault, Ports, Program, Wave};
use radeon::r6xx::forms::{Form, PackedForms};
use radeon::r6xx::programs;
use radeon::r6xx::waves::LoadedProgram;
use silicon::fragment::output::Packing;
use silicon::fragment::quads::QuadTable;
use silicon::geometry::amplify::Message;
use silicon::{Memory, SimdLevel, Trap};

use crate::geometry;
use crate::isa::Inst;
use crate::isa::image::ImageSem;
use crate::isa::memory::{BufferSem, SmrdSem};
use crate::isa::operand::EXEC;
use crate::isa::{
    Allocation, Hazard, LDS_DIRECT_SLOT, Mode, OutOfRange, Port, check_timing, lift_with_handler,
};
use crate::lds;
use crate::scratch::{PrivateStore, private_stores};
use crate::spi::interp::{self, Attributes, Interpolation, OfOne, Step};
use crate::sx::packing::{self, PackedExports};
use crate::sx::{ExportFormats, Exports};
use crate::ta::{MemoryUnit, buffer, image};
use crate::{CHIP, Start};

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
    /// User SGPRs.
    pub(crate) user_count: u8,
    /// System SGPRs behind them, which waves have for themselves. Of a pixel wave, PRIM_MASK is the first.
    pub(crate) system_count: u8,
}

impl Resources {
    /// From the addresses of program and trap handler and the fields of RSRC1 and RSRC2 that both stages have.
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
            system_count: 1,
        }
    }
}

/// A program ready to run.
pub(crate) struct Shader {
    address: u64,
    words: Vec<u32>,
    pub(crate) program: LoadedProgram,
    /// The same for pixel waves of one primitive.
    pub(crate) of_one: Option<OfOne>,
    /// What waves of whole tiles run, as it was lifted.
    source: Program,
    /// The same with packed exports, by how targets may be packed.
    packed: PackedForms<Option<[u16; 4]>>,
    pub(crate) ports: Vec<Port>,
    interpolation: Interpolation,
    /// Of each port, whether it is an EXP and no register changes from it to the wave's end.
    last_exports: Vec<bool>,
    /// Of each sample or gather, how many of its address registers are what they were at the one before, and whether some of the next
    /// one are.
    same_places: Vec<(u16, bool)>,
    /// Which registers its waves read and write, and which they write first.
    pub(crate) live: Liveness,
    /// Whether what disabled lanes hold when a wave starts is never seen: see [`lanes::Program::keeps_lanes_apart`].
    pub(crate) lanes_apart: bool,
    /// Whether it stores to memory or to the global data share.
    pub(crate) side_effects: bool,
    /// Its stores, when all may turn out to go to the wave's own scratch memory.
    pub(crate) private_stores: Option<Vec<PrivateStore>>,
    /// Whether it reads the clock, which counts the instructions of the draws before.
    pub(crate) reads_clock: bool,
    /// Whether it sends messages.
    sends: bool,
    /// Whether it uses local data share.
    pub(crate) uses_lds: bool,
    /// Its groups could tell once what others had changed in their turns: they run in order.
    in_order: AtomicBool,
}

/// The programs of a device.
pub(crate) struct Programs {
    engine: DefaultEngine,
    shaders: programs::Programs<Resources, Shader>,
    /// Programs are checked before they run.
    strict: bool,
}

impl Programs {
    pub(crate) fn new(start: Start) -> Programs {
        Programs {
            engine: DefaultEngine::at(start.level),
            shaders: programs::Programs::default(),
            strict: start.strict,
        }
    }

    /// The engine that runs them.
    pub(crate) fn engine(&self) -> &DefaultEngine {
        &self.engine
    }

    /// The program that lies in memory now.
    pub(crate) fn get(
        &mut self,
        memory: &Memory,
        resources: Resources,
    ) -> Result<Arc<Shader>, Trap> {
        let (engine, strict) = (&self.engine, self.strict);
        let load = || Shader::load(engine, memory, resources, strict);
        self.shaders
            .get(resources, |shader| shader.is_current(memory), load)
    }
}

/// What is done with any program that was lifted.
fn improve(program: &mut Program) {
    program.remove_dead(&[]);
    program.hoist_rows();
}

/// [`Shader::same_places`] of a program.
fn same_places(program: &lanes::Program, ports: &[Port]) -> Vec<(u16, bool)> {
    // Samples and gathers alone: others may come between them and leave what these know as it is.
    let finds = |sem| matches!(sem, ImageSem::Sample(_) | ImageSem::Gather(_));
    let first = |n: usize| match ports[n].inst {
        Inst::Mimg(inst) if finds(inst.op.sem()) => Some(inst.vaddr.into()),
        _ => None,
    };
    let same = program.unwritten(ports.len(), first);
    let mut all: Vec<(u16, bool)> = same.into_iter().map(|same| (same, false)).collect();
    let mut last = None;
    for n in (0..ports.len()).filter(|n| first(*n).is_some()) {
        let same = all[n].0 > 0;
        if let Some(last) = last.replace(n) {
            all[last].1 = same;
        }
    }
    all
}

impl Shader {
    /// Its groups run in order from now on.
    pub(crate) fn run_in_order(&self) {
        self.in_order.store(true, Relaxed);
    }

    /// Whether its groups run in order.
    pub(crate) fn runs_in_order(&self) -> bool {
        self.in_order.load(Relaxed)
    }

    /// Whether it is the program that lies in memory now.
    pub(crate) fn is_current(&self, memory: &Memory) -> bool {
        memory.holds(self.address, &self.words)
    }

    /// Its form with packed exports where targets may be packed so, if it has one. Waves that may lose lanes have none: what is
    /// stored of their tiles is joined with old texels anyway.
    pub(crate) fn packed(
        &self,
        engine: &DefaultEngine,
        packings: Vec<Packing>,
    ) -> Result<Option<Arc<PackedExports>>, Trap> {
        let mut mask = self.live.scalars[usize::from(EXEC)..].iter().take(2);
        if mask.any(|scalar| scalar.written) {
            return Ok(None);
        }
        let own = self
            .of_one
            .as_ref()
            .map_or(&self.program, |one| &one.form.program);
        self.packed
            .get((engine, own, improve), packings, |packings| {
                packing::packed(&self.source, (&self.ports, &self.last_exports), packings)
            })
    }

    fn load(
        engine: &DefaultEngine,
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
            out_of_range: OutOfRange::strict(strict),
        };
        if strict {
            check_timing(&words).map_err(|Hazard { pc, word, rule }| {
                crate::cp::trap(address + u64::from(pc), word, rule.to_string())
            })?;
        }
        let mut lifted = lift_with_handler(
            &words,
            address,
            Mode(resources.mode),
            allocation,
            resources.handler,
        )
        .map_err(|error| fail(error.to_string()))?;
        // Waves start with masks of their own, and with what the system gives them: PRIM_MASK, or their place in a
        // dispatch.
        let (exec, system) = (u16::from(EXEC), u16::from(resources.user_count));
        lifted.program.per_wave = (system..system + u16::from(resources.system_count))
            .chain([exec, exec + 1])
            .collect();
        // What waves leave in registers is read by exports, if at all.
        lifted.program.temporaries = lifted.program.rows;
        let source = lifted.program.clone();
        improve(&mut lifted.program);
        let program = LoadedProgram::new(CHIP, address, engine, &lifted.program)
            .map_err(|error| fail(error.to_string()))?;
        let at = [system, lifted.program.scalars];
        let (of_one, source) = match interp::arithmetic(&source, &lifted.ports, at) {
            Some((source, numbers)) => {
                let form = Form::new(engine, &program, source.clone(), improve)?;
                (Some(OfOne { form, numbers }), source)
            }
            None => (None, source),
        };
        let mut places: Vec<u32> = lifted.program.origins.iter().map(|o| o.pc).collect();
        places.sort_unstable();
        places.dedup();
        // The longest instruction has two words.
        let last = places.last().copied();
        words.truncate(last.unwrap_or(0) as usize / 4 + 2);
        words.shrink_to_fit();
        let lanes_apart = (lifted.program).keeps_lanes_apart(|n| {
            let inst = lifted.ports.get(n).map(|port| &port.inst);
            matches!(inst, Some(Inst::Vintrp(_) | Inst::Exp(_) | Inst::Smrd(_)))
        });
        Ok(Shader {
            lanes_apart,
            private_stores: private_stores(&words, &places),
            live: Liveness::new(&lifted.program),
            address,
            words,
            side_effects: lifted.ports.iter().any(|port| stores(&port.inst)),
            sends: lifted
                .ports
                .iter()
                .any(|port| matches!(port.inst, Inst::Sopp(_))),
            uses_lds: lifted
                .ports
                .iter()
                .any(|port| matches!(port.inst, Inst::Ds(_))),
            in_order: AtomicBool::new(false),
            reads_clock: lifted.ports.iter().any(
                |port| matches!(port.inst, Inst::Smrd(inst) if inst.op.sem() == SmrdSem::Time),
            ),
            same_places: same_places(&lifted.program, &lifted.ports),
            last_exports: lifted.program.last_ports(lifted.ports.len(), |n| {
                matches!(lifted.ports[n].inst, Inst::Exp(_))
            }),
            interpolation: Interpolation::new(
                &lifted.ports,
                lifted.program.rows.into(),
                lanes_apart,
            ),
            ports: lifted.ports,
            program,
            of_one,
            source,
            packed: PackedForms::default(),
        })
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

/// What the waves of a draw or of groups reach.
pub(crate) struct PortHandler<'a, A> {
    pub(crate) shader: &'a Shader,
    pub(crate) unit: &'a mut MemoryUnit,
    /// What each wave exports; nothing in groups.
    pub(crate) states: &'a mut [WaveState],
    /// The group of each wave, where waves have groups.
    pub(crate) groups: &'a [GroupSlot],
    pub(crate) formats: ExportFormats,
    /// The form of the shader that runs, if it packs exports.
    pub(crate) packed: Option<&'a PackedExports>,
    /// Parameter memory.
    pub(crate) attributes: A,
}

/// What a wave has beside its registers.
#[derive(Default)]
pub(crate) struct WaveState {
    pub(crate) exports: Exports,
    /// What it tells the geometry stage.
    pub(crate) messages: Vec<Message>,
}

/// What a group has for itself while it runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupSlot {
    /// Its local data share, in words of [`MemoryUnit::lds`].
    pub(crate) share: Range<usize>,
    /// Its log of stores; none where they go to memory at once.
    pub(crate) log: Option<usize>,
}

/// Parameter memory of the waves of a batch.
pub(crate) trait WaveAttributes {
    /// Executes V_INTERPs that follow each other in their program.
    fn interpolate(
        &mut self,
        level: SimdLevel,
        program: &Interpolation,
        steps: &[Step],
        batch: Batch<'_>,
    );
}

/// Vertex waves and groups have none.
impl WaveAttributes for () {
    fn interpolate(
        &mut self,
        level: SimdLevel,
        program: &Interpolation,
        steps: &[Step],
        batch: Batch<'_>,
    ) {
        for wave in batch.waves {
            Attributes::NONE.interpolate(level, program, steps, (wave, &mut QuadTable::default()));
        }
    }
}

impl<A: WaveAttributes> PortHandler<'_, A> {
    /// Runs waves that have their registers to the end of the shader's program, or another form of it; how many have ended,
    /// and what stopped the one after those.
    pub(crate) fn run(
        mut self,
        engine: &DefaultEngine,
        program: &LoadedProgram,
        waves: &mut [Wave],
    ) -> (usize, Result<(), Trap>) {
        for state in &mut *self.states {
            state.exports.clear();
            if self.shader.sends {
                state.messages.clear();
            }
        }
        if self.shader.uses_lds {
            self.unit.lds.fill(0);
        }
        program.run(engine, waves, &mut self)
    }
}

impl<A: WaveAttributes> Ports for PortHandler<'_, A> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        let Batch { first, waves } = batch;
        let (shader, level) = (self.shader, self.unit.level);
        let Range { start, end } = ports;
        let mut at = start;
        while at < end {
            let Some(port) = shader.ports.get(at as usize) else {
                let reason = format!("the program has no port {at}");
                let (port, wave) = (at, 0);
                let fault = Fault::Illegal { reason };
                return Err(PortFault { port, wave, fault });
            };
            let turn = self.unit.begin_turn(at, first..first + waves.len());
            let in_turn = turn.map_err(|fault| PortFault {
                port: at,
                wave: 0,
                fault,
            })?;
            match &port.inst {
                Inst::Vintrp(_) => {
                    let program = &shader.interpolation;
                    let steps = program.run(at, end - at);
                    let batch = Batch {
                        first,
                        waves: &mut *waves,
                    };
                    self.attributes.interpolate(level, program, steps, batch);
                    at += steps.len().max(1) as u32;
                    continue;
                }
                Inst::Exp(inst) => {
                    let states = waves.iter().zip(&mut self.states[first..]);
                    if let Some(rows) = self.packed.and_then(|form| form.exports[at as usize]) {
                        for (wave, state) in states {
                            state.exports.export_words(inst, rows, wave);
                        }
                    } else {
                        let stays = shader.last_exports[at as usize];
                        for (wave, state) in states {
                            state.exports.export(level, inst, self.formats, wave, stays);
                        }
                    }
                }
                Inst::Sopp(inst) => {
                    let Some((emits, cuts)) = geometry::message(inst) else {
                        at += 1;
                        continue;
                    };
                    for (wave, state) in waves.iter_mut().zip(&mut self.states[first..]) {
                        state.messages.push(Message {
                            emits,
                            cuts,
                            lanes: wave.mask(u16::from(EXEC)),
                        });
                    }
                }
                Inst::Mimg(inst)
                    if waves.len() > 1
                        && image::run_all(
                            inst,
                            waves,
                            shader.same_places[at as usize],
                            self.unit,
                        ) => {}
                Inst::Mimg(inst)
                    if image::store_all(
                        inst,
                        waves,
                        self.groups.get(first..).unwrap_or(&[]),
                        self.unit,
                    ) => {}
                Inst::Mubuf(inst) if self.groups.is_empty() || buffer::is_plain_load(inst) => {
                    let groups = self.groups.get(first..).unwrap_or(&[]);
                    let done = buffer::load_all(inst, waves, groups, self.unit);
                    let port = at;
                    done.map_err(|(wave, fault)| PortFault { port, wave, fault })?;
                }
                inst => {
                    for (wave, registers) in waves.iter_mut().enumerate() {
                        if let Some(group) = self.groups.get(first + wave) {
                            self.unit.share = group.share.clone();
                            self.unit.logs.current = group.log;
                        }
                        let done = self.unit.call(inst, registers);
                        let port = at;
                        if !done.map_err(|fault| PortFault { port, wave, fault })? {
                            registers.scalars[usize::from(LDS_DIRECT_SLOT)] =
                                lds::direct(self.unit.local_share(), registers);
                        }
                    }
                }
            }
            if in_turn {
                self.unit.end_turn(at);
            }
            at += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::isa::{assemble, lift};

    #[test]
    fn samples_between_which_registers_change() {
        let text = "image_sample v[4:7], v[0:1], s[0:7], s[8:11] dmask:0xf
            v_mov_b32 v1, v4
            image_load v8, v[0:1], s[0:7] dmask:0x1
            image_sample v[4:7], v[0:1], s[0:7], s[8:11] dmask:0xf
            image_sample v8, v[0:1], s[0:7], s[8:11] dmask:0x1
            s_endpgm";
        let words = assemble(text).unwrap().concat();
        let lifted = lift(&words, 0, Mode(0xf0), Allocation::ALL).unwrap();
        // The load comes after the change, and says nothing of it.
        let expected = [(0, true), (0, false), (1, true), (4, false)];
        assert_eq!(same_places(&lifted.program, &lifted.ports), expected);
    }
}
