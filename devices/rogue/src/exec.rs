//! Runs raw machine code as one wave, outside any draw, or as groups of tasks: what `isa::Tools::exec` does for this chip.
//!
//! Lanes 0 to 31 are a task, lanes 32 to 63 another; there is one unless the input has more than 32 lanes. A register is a
//! number for all lanes, or a list, one a lane.
//!
//! | Name | Value |
//! |---|---|
//! | `r0` to `r247` | temporaries |
//! | `vi0` to `vi247` | vertex inputs |
//! | `sh0` to `sh4095` | shared registers, one number each |
//! | `cf0`, `cfa0` and on | coefficients; a plane's are A, B, C, by lane if they differ |
//! | `o0` to `o7`, `i0` to `i7`, `idx0`, `idx1` | pixel outputs, internal and index registers |
//! | `sr44` and the like | special registers, by number or by name: `face_orient` |
//! | `x`, `y` | where planes are evaluated, as floats, relative to the tile; pixel centres of quads in a line otherwise |
//! | `p0` | P0, a 64-bit mask |
//! | `covered` | lanes that cover a sample, a 64-bit mask; all lanes otherwise |
//! | `coverage` | bits of the samples that a lane covers; 1 where it is covered otherwise |
//! | `TEX0` and on | what samples give whose texture state starts at that shared register; without it they read memory |
//!
//! With `primitives` a geometry program finds in `vi0` and on the words of their vertices, those that draws would give it, then
//! the number of the lane and 0; there are as many lanes as primitives. Of an emitted vertex the words of `uvsw` are reported.
//!
//! In a geometry stage, each `uvsw` that ends a vertex is reported as exports `EMIT.VO0` and on, and one that ends a strip as
//! `CUT`. What `uvsw` words hold at the end is reported as exports `VO0` and on, pixel outputs that the program writes as `O0` to `O7`, the depth as
//! `DEPTH`: the value and three zeros a lane, nothing from lanes that are not covered at the end. A sample is reported as
//! export `TEX0` and on, its coordinates and its level, bias or zero. Registers are reported where they are named or not
//! zero. With `strict`, a program that breaks a rule of groups ([`crate::isa::check()`]) is not run.

mod groups;
mod names;
mod primitives;

use std::collections::BTreeMap;
use std::ops::Range;

use isa::{ExecError, ExecInput, ExecOutput, Export, LaneValue, MemoryBlock};
use lanes::{Batch, DefaultEngine, Engine, Fault, LANES, PortFault, Ports, Src, Wave, first_lanes};
use silicon::{Addr, Memory, SimdLevel, WAVE_COST};

use crate::CHIP;
use crate::isa::{Item, Placed, check, decode};
use crate::lift::{
    ACTIVE, COVERED, Input, Iterate, Layout, Lifted, PREDICATE, Port, SHARED, SampleOf, Setup,
    TASK, VertexEnd, lift, plane,
};
use crate::regs::DRIVER_SHARED;
use crate::tpu::Tpu;
use names::{Named, Names};
use primitives::Emission;

/// Bytes of memory that one run may have.
const MAX_BYTES: u64 = 1 << 32;

fn trap(reason: impl std::fmt::Display) -> ExecError {
    ExecError::Trap(format!("{CHIP}: {reason}"))
}

fn wrong(what: &str, reason: impl Into<String>) -> ExecError {
    ExecError::Input {
        what: what.to_owned(),
        reason: reason.into(),
    }
}

/// Runs a program given as bytes.
pub fn exec(bytes: &[u8], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    let groups = decode(bytes)?;
    run(&groups, input)
}

/// The same of a stage: a geometry program ends vertices and strips.
pub fn exec_stage(stage: &str, bytes: &[u8], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    run_stage(&decode(bytes)?, stage == "geometry", input)
}

/// Runs a program of groups.
pub fn run(groups: &[Placed], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    run_stage(groups, false, input)
}

fn run_stage(
    groups: &[Placed],
    geometry: bool,
    input: &ExecInput,
) -> Result<ExecOutput, ExecError> {
    if input.strict {
        for placed in groups {
            if let Item::Group(group) = &placed.item {
                check(group).map_err(|error| trap(format!("at {:#x}: {error}", placed.at)))?;
            }
        }
    }
    let emission = Emission::new(input)?;
    let primitives = emission.as_ref().map(|emission| emission.lanes() as u32);
    let count = input.lanes.or(primitives).unwrap_or(TASK);
    if count > LANES as u32 {
        return Err(wrong(
            "lanes",
            format!("{count} lanes are more than two tasks"),
        ));
    }
    let names = Names::new(input)?;
    let mut setup = names.grown(Setup {
        geometry,
        ..Setup::named(groups)
    });
    if let Some(emission) = &emission {
        setup = emission.grown(setup);
    }
    if input.workgroup.is_some() {
        setup.shared = setup.shared.max(DRIVER_SHARED as u16);
    }
    let lifted = lift(groups, &setup).map_err(trap)?;
    if count > TASK && lifted.tasks == 1 {
        return Err(wrong(
            "lanes",
            "a program with the link register runs one task",
        ));
    }
    let memory = memory(input)?;
    let program = &lifted.program;
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.limit = WAVE_COST;
    let active = first_lanes(count as usize);
    let covered = names.covered.unwrap_or(active) & active;
    wave.set_mask(ACTIVE, active);
    wave.set_mask(COVERED, covered);
    if let Some(row) = lifted.layout.inputs.get(&Input::Coverage) {
        for lane in 0..LANES {
            wave.rows[usize::from(*row)].0[lane] = (covered >> lane & 1) as u32;
        }
    }
    names.load(&lifted.layout, &mut wave);
    if let Some(emission) = &emission {
        emission.fill(&lifted.layout, &mut wave);
    }
    let engine = DefaultEngine::new();
    if let Some(size) = input.workgroup {
        let groups = groups::Groups::new(size, input)?;
        return groups.run(&engine, &lifted, (&names, wave), &memory, input);
    }
    let prepared = engine.prepare(program).map_err(trap)?;
    let mut unit = Unit {
        lifted: &lifted,
        names: &names,
        memory: &memory,
        tpu: Tpu::default(),
        exports: Vec::new(),
        emission,
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
    let emitted = unit.emission.map_or(Vec::new(), Emission::report);
    let exports = (unit.exports, count as usize);
    Ok(ExecOutput {
        emitted,
        ..report(input, &names, &lifted, &wave, &memory, exports)
    })
}

/// The memory blocks of the input.
fn memory(input: &ExecInput) -> Result<Memory, ExecError> {
    let blocks = input.memory.iter();
    let blocks = blocks.map(|block| Ok((block.address, block.bytes(MAX_BYTES)?)));
    let blocks = blocks.collect::<Result<Vec<_>, ExecError>>()?;
    let ends = blocks.iter().map(|(at, bytes)| at + bytes.len() as u64);
    let end = ends.max().unwrap_or(0).max(1);
    let memory = Memory::new(end.next_multiple_of(256));
    for (at, bytes) in &blocks {
        let error =
            |error: silicon::MemoryError| wrong(&format!("memory at {at:#x}"), error.to_string());
        memory.write(Addr(*at), bytes).map_err(error)?;
    }
    Ok(memory)
}

fn report(
    input: &ExecInput,
    names: &Names,
    lifted: &Lifted,
    wave: &Wave,
    memory: &Memory,
    (exports, count): (Vec<Export>, usize),
) -> ExecOutput {
    let covered = wave.mask(COVERED);
    let layout = &lifted.layout;
    let mut output = ExecOutput {
        exports,
        instructions: wave.instructions,
        ..ExecOutput::default()
    };
    let mut export = |target: String, row: u16| {
        let value = |lane: usize| wave.rows[usize::from(row)].0[lane];
        let lane = |lane: usize| (covered >> lane & 1 == 1).then(|| [value(lane), 0, 0, 0]);
        output.exports.push(Export {
            target,
            lanes: (0..count).map(lane).collect(),
        });
    };
    for (n, row) in layout.vertex_outputs.clone().enumerate() {
        export(format!("VO{n}"), row);
    }
    for (n, row) in layout.outputs.iter().enumerate() {
        if let (Some(row), true) = (row, layout.writes_outputs[n]) {
            export(format!("O{n}"), *row);
        }
    }
    if let Some(row) = layout.depth {
        export("DEPTH".into(), row);
    }
    if let Some(row) = layout.mask {
        export("MASK".into(), row);
    }
    output.registers = registers(names, layout, wave, count);
    output.memory = memory_now(input, memory);
    output
}

/// Registers of the first lanes of a wave that are named or not zero.
fn registers(
    names: &Names,
    layout: &Layout,
    wave: &Wave,
    count: usize,
) -> BTreeMap<String, LaneValue> {
    let mut registers = BTreeMap::new();
    let lanes = |row: u16| wave.rows[usize::from(row)].0[..count].to_vec();
    for (name, named) in Named::all(layout) {
        let value = match named {
            Named::Row(row) => LaneValue::Lanes(lanes(row)),
            Named::Scalar(scalar) => LaneValue::One(wave.scalars[usize::from(scalar)]),
        };
        let zero = match &value {
            LaneValue::Lanes(lanes) => lanes.iter().all(|bits| *bits == 0),
            value => value.number() == Some(0),
        };
        if !zero || names.has(&name) {
            registers.insert(name, value);
        }
    }
    let masks = [("p0", PREDICATE), ("covered", COVERED)];
    for (name, mask) in masks {
        let mask = wave.mask(mask) & first_lanes(count);
        registers.insert(name.into(), LaneValue::Text(format!("{mask:#x}")));
    }
    registers
}

/// The blocks of the input, as they are now.
fn memory_now(input: &ExecInput, memory: &Memory) -> Vec<MemoryBlock> {
    let blocks = input.memory.iter();
    let now = blocks.map(|block| {
        // The block was written to this memory, so it can be read from it.
        let mut now = block.bytes(MAX_BYTES).unwrap_or_default();
        let _ = memory.read(Addr(block.address), &mut now);
        MemoryBlock::new(block.address, &now)
    });
    now.collect()
}

/// The ports of a lone wave.
struct Unit<'a> {
    lifted: &'a Lifted,
    names: &'a Names,
    memory: &'a Memory,
    tpu: Tpu,
    exports: Vec<Export>,
    emission: Option<Emission<'a>>,
}

impl Ports for Unit<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.perform(port, wave))
    }
}

impl Unit<'_> {
    fn perform(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        if self.lifted.serve(port, wave, self.memory)? {
            return Ok(());
        }
        match &self.lifted.ports[port as usize] {
            Port::Iterate(iterate) => {
                self.iterate(iterate, wave);
                Ok(())
            }
            Port::Sample(sample) => self.sample(sample, wave),
            Port::Emit { state, .. } => {
                let lane = |lane: usize| {
                    let [a, b] = state.map(|source| value(wave, source, lane));
                    active(wave, lane).then_some([a, b, 0, 0])
                };
                self.exports.push(Export {
                    target: "EMITPIX".into(),
                    lanes: (0..LANES).map(lane).collect(),
                });
                Ok(())
            }
            Port::Vertex(end) => {
                self.vertex_end(*end, wave);
                Ok(())
            }
            Port::Load(_) | Port::Store(_) | Port::Atomic { .. } | Port::Local(_) => Ok(()),
        }
    }

    /// A vertex is an export a word; the end of a strip has none.
    fn vertex_end(&mut self, end: VertexEnd, wave: &Wave) {
        if let Some(emission) = &mut self.emission {
            emission.end(&end, wave);
        }
        let rows = if end.emits { end.first..end.end } else { 0..0 };
        for (n, row) in rows.enumerate() {
            let lane = |lane: usize| {
                active(wave, lane).then(|| [wave.rows[usize::from(row)].0[lane], 0, 0, 0])
            };
            self.exports.push(Export {
                target: format!("EMIT.VO{n}"),
                lanes: (0..LANES).map(lane).collect(),
            });
        }
        if end.cuts {
            let lane = |lane: usize| active(wave, lane).then_some([0; 4]);
            self.exports.push(Export {
                target: "CUT".into(),
                lanes: (0..LANES).map(lane).collect(),
            });
        }
    }

    fn iterate(&self, iterate: &Iterate, wave: &mut Wave) {
        for n in 0..iterate.count {
            for lane in (0..LANES)
                .filter(|lane| active(wave, *lane))
                .collect::<Vec<_>>()
            {
                let at = self.names.position(lane);
                let coefficients =
                    |first: u16| [0, 1, 2].map(|k| self.names.coefficient(first + k, lane));
                let value = plane(coefficients(iterate.coefficient + 4 * n), at);
                let w = iterate
                    .perspective
                    .map(|first| plane(coefficients(first), at));
                let bits = crate::lift::iterated(value, w, iterate.sat);
                wave.rows[usize::from(iterate.first + n)].0[lane] = bits;
            }
        }
    }

    fn sample(&mut self, sample: &SampleOf, wave: &mut Wave) -> Result<(), Fault> {
        let name = format!("TEX{}", sample.texture);
        let texels = match self.names.textures.get(&sample.texture) {
            Some(texels) => texels,
            None if self.names.has(&format!("sh{}", sample.texture)) => {
                let level = SimdLevel::current();
                return self.tpu.sample(level, self.memory, sample, wave);
            }
            None => {
                let reason = format!("neither {name} nor sh{} is given", sample.texture);
                return Err(Fault::Illegal { reason });
            }
        };
        let [u, v, w] = sample.coordinates;
        let sources = [u, v, w, sample.lod.unwrap_or(Src::Const(0))];
        let lane = |lane: usize| {
            active(wave, lane).then(|| sources.map(|source| value(wave, source, lane)))
        };
        self.exports.push(Export {
            target: name,
            lanes: (0..LANES).map(lane).collect(),
        });
        for lane in (0..LANES)
            .filter(|lane| active(wave, *lane))
            .collect::<Vec<_>>()
        {
            for n in 0..sample.count {
                let texel = texels[lane][usize::from(n % 4)];
                wave.rows[usize::from(sample.first + n)].0[lane] = texel;
            }
        }
        Ok(())
    }
}

fn active(wave: &Wave, lane: usize) -> bool {
    wave.mask(ACTIVE) >> lane & 1 == 1
}

fn value(wave: &Wave, source: Src, lane: usize) -> u32 {
    match source {
        Src::Row(row) => wave.rows[usize::from(row)].0[lane],
        other => wave.uniform(other),
    }
}

/// The scalar of a shared register.
fn shared(number: u16) -> u16 {
    SHARED + number
}
