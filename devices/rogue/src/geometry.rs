//! Geometry tasks: primitives to other vertices and primitives, through the unified vertex store. [Rogue 12.1]
//!
//! The store lies in memory here. Vertex tasks leave their outputs in its first part; a geometry task finds words of its
//! vertices in vertex inputs, and `uvsw` ends vertices, which go to the second part, and strips. The tiler takes them in
//! the order of instances. A batch has as many vertices and instances as both parts hold.
//!
//! A wave of 64 lanes has its own place in a part: 64 words for each word of a vertex, side by side.

use std::sync::Arc;

use lanes::{Fault, LANES, Wave};
use silicon::draw::Finished;
use silicon::exports::VertexExports;
use silicon::geometry::amplify::{Amplification, GeometryInput, GeometryShader, Message};
use silicon::geometry::binning::VertexShader;
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::VertexInput;
use silicon::texture::sample::Lanes;
use silicon::{Memory, Trap};

use crate::CHIP;
use crate::lift::{ACTIVE, VertexEnd};
use crate::pds;
use crate::regs::{self, GsControl, PppCtrl, Registers, gs_topology};
use crate::usc::{Program, Programs, TaskKind};
use crate::vertex::{Tasks, Vertex, VertexWorker, export};

/// Bytes of a word of all lanes of a wave.
const ROW_BYTES: u64 = 4 * LANES as u64;
/// Vertices and invocations of a batch, however large the store is.
const MOST: u64 = 1 << 16;

/// A part of the store.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    base: u64,
    bytes: u64,
    /// Words that a lane has there.
    words: u32,
}

impl Part {
    /// From registers: its address, and behind it its bytes.
    fn new(registers: &Registers, memory: &Memory, at: u32, words: u32) -> Result<Part, String> {
        let (base, bytes) = (registers.address(at), registers.get(at + 2));
        let end = base.checked_add(bytes.into());
        if !base.is_multiple_of(64) || end.is_none_or(|end| end > memory.size()) {
            return Err(format!(
                "{bytes} bytes of the unified vertex store at {base:#x}"
            ));
        }
        let part = Part {
            base,
            bytes: bytes.into(),
            words: words.max(1),
        };
        match part.lanes() {
            0 => {
                let name = regs::find(at + 2).map_or("", |(row, _)| row.name);
                Err(format!(
                    "{name} is {bytes} bytes; a wave of {words} words needs {}",
                    part.wave_bytes()
                ))
            }
            _ => Ok(part),
        }
    }

    fn wave_bytes(&self) -> u64 {
        ROW_BYTES * u64::from(self.words)
    }

    /// Lanes of the waves that it holds.
    fn lanes(&self) -> usize {
        (self.bytes / self.wave_bytes() * LANES as u64).min(MOST) as usize
    }

    /// Bytes from the start to word 0 of a lane, counted over waves.
    fn offset(&self, lane: u32) -> u32 {
        let (wave, lane) = (u64::from(lane) / LANES as u64, lane % LANES as u32);
        (wave * self.wave_bytes()) as u32 + 4 * lane
    }
}

/// The geometry stage of a draw.
pub struct GeometryState {
    /// The program.
    pub program: Arc<Program>,
    shared: Vec<u32>,
    /// Words of each vertex that are vertex inputs.
    inputs: Vec<u8>,
    vertices: Part,
    emitted: Part,
    shape: Amplification,
    /// Parameters of a vertex that is emitted.
    pub parameters: u8,
    /// It stores to memory.
    pub side_effects: bool,
}

impl GeometryState {
    /// Whether there is one.
    pub fn is_on(registers: &Registers) -> bool {
        PppCtrl::from_word(registers.get(regs::PPP_CTRL)).gs_topology != gs_topology::NONE
    }

    /// From registers, behind a vertex program.
    pub fn new(
        registers: &Registers,
        (engine, memory): (&lanes::DefaultEngine, &Memory),
        programs: &mut Programs,
        vertex: &Program,
    ) -> Result<GeometryState, String> {
        let output = match PppCtrl::from_word(registers.get(regs::PPP_CTRL)).gs_topology {
            gs_topology::POINTS => Topology::Points,
            gs_topology::LINE_STRIP => Topology::LineStrip,
            _ => Topology::TriangleStrip,
        };
        let words = registers.get(regs::USC_GS_CODE_WORDS);
        let at = (registers.address(regs::USC_GS_CODE_LO), TaskKind::Geometry);
        let program = programs.of(engine, memory, at, words)?;
        let control = GsControl::from_word(registers.get(regs::USC_GS_CONTROL));
        let outputs = |program: &Program| program.lifted.layout.vertex_outputs.len() as u32;
        let max_vertices = u32::from(control.max_vertices);
        let vertices = Part::new(registers, memory, regs::UVS_VERTICES_LO, outputs(vertex))?;
        let lane_words = max_vertices * outputs(&program).max(1);
        let emitted = Part::new(registers, memory, regs::UVS_EMITTED_LO, lane_words)?;
        let count = registers.get(regs::PDS_GS_INPUTS);
        if count > regs::VERTEX_WORDS {
            return Err(format!("{count} words of a vertex as vertex inputs"));
        }
        let word = |n: u32| (registers.get(regs::PDS_GS_INPUT_WORD + n / 4) >> (8 * (n % 4))) as u8;
        let shape = Amplification {
            invocations: u32::from(control.invocations) + 1,
            max_vertices,
            output,
            vertices: vertices.lanes(),
            threads: emitted.lanes(),
        };
        if shape.room().is_none() {
            return Err(format!(
                "UVS_EMITTED_BYTES holds {} instances; a primitive has {}",
                shape.threads, shape.invocations
            ));
        }
        Ok(GeometryState {
            shared: pds::GEOMETRY.load(registers, memory)?,
            inputs: (0..count).map(word).collect(),
            program,
            vertices,
            emitted,
            shape,
            parameters: control.parameters,
            side_effects: control.side_effects,
        })
    }

    /// What a batch of primitives may have.
    pub fn shape(&self) -> &Amplification {
        &self.shape
    }
}

/// Where the vertices of a wave go as `uvsw` ends them.
pub struct Emission<'a> {
    memory: &'a Memory,
    /// Of the wave's words.
    base: u64,
    max_vertices: u32,
    messages: &'a mut Vec<Message>,
    /// Vertices of each lane so far.
    counts: [u32; LANES],
}

impl Emission<'_> {
    /// Takes the vertices of the lanes that run, or the ends of their strips.
    pub fn end(&mut self, end: VertexEnd, wave: &Wave) -> Result<(), Fault> {
        let lanes = wave.mask(ACTIVE);
        self.messages.push(Message {
            emits: end.emits,
            cuts: end.cuts,
            lanes,
        });
        if !end.emits {
            return Ok(());
        }
        let rows = &wave.rows[usize::from(end.first)..usize::from(end.end)];
        let bytes = ROW_BYTES * rows.len() as u64;
        let number = self.counts[0];
        let outside = |_| Fault::Illegal {
            reason: "the unified vertex store is outside memory".to_owned(),
        };
        if lanes == u64::MAX && self.counts == [number; LANES] {
            self.counts = [number + 1; LANES];
            if number < self.max_vertices {
                let first = self.base + u64::from(number) * bytes;
                for (at, row) in (first..).step_by(ROW_BYTES as usize).zip(rows) {
                    self.memory.store_row(at, &row.0).map_err(outside)?;
                }
            }
            return Ok(());
        }
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            let number = self.counts[lane];
            self.counts[lane] += 1;
            if number < self.max_vertices {
                let first = self.base + u64::from(number) * bytes + 4 * lane as u64;
                for (at, row) in (first..).step_by(ROW_BYTES as usize).zip(rows) {
                    // A part of the store is inside memory.
                    let _ = self.memory.store(at, row.0[lane]);
                }
            }
        }
        Ok(())
    }
}

/// The stage of a draw, ready to run.
pub struct Stage<'a> {
    /// The vertex program in front of it.
    pub vertex: Vertex<'a>,
    /// Its state.
    pub state: &'a GeometryState,
    /// How it runs.
    pub tasks: Tasks<'a>,
    /// Vertices of a primitive.
    pub corners: usize,
}

impl<'a> Stage<'a> {
    /// Behind a vertex program, for primitives of so many vertices.
    pub fn new(vertex: Vertex<'a>, state: &'a GeometryState, corners: usize) -> Stage<'a> {
        Stage {
            state,
            tasks: Tasks {
                program: &state.program,
                shared: &state.shared,
                ..vertex.tasks
            },
            vertex,
            corners,
        }
    }

    /// Words of the vertices of each primitive, then the numbers of primitive and invocation.
    fn fill(&self, rows: &mut [lanes::Row], inputs: &[GeometryInput]) {
        let (memory, part) = (self.tasks.memory, &self.state.vertices);
        let mut rows = rows.iter_mut();
        for corner in 0..self.corners {
            let mut offsets = [0; LANES];
            for (offset, input) in offsets.iter_mut().zip(inputs) {
                *offset = part.offset(input.primitive.vertices[corner]);
            }
            for word in &self.state.inputs {
                let Some(row) = rows.next() else { return };
                row.0 = match u32::from(*word) < part.words {
                    true => gathered(memory, part.base + ROW_BYTES * u64::from(*word), &offsets),
                    false => [0; LANES],
                };
            }
        }
        let numbers: [fn(&GeometryInput) -> u32; 2] = [|i| i.primitive.number, |i| i.invocation];
        for number in numbers {
            let Some(row) = rows.next() else { return };
            for (value, input) in row.0.iter_mut().zip(inputs) {
                *value = number(input);
            }
        }
    }
}

fn gathered(memory: &Memory, base: u64, offsets: &Lanes) -> Lanes {
    let mut row = [0; LANES];
    memory.gather(base, offsets, &mut row);
    row
}

impl GeometryShader<VertexWorker> for Stage<'_> {
    fn amplification(&self) -> Amplification {
        self.state.shape
    }

    fn run_vertices(
        &self,
        worker: &mut VertexWorker,
        wave: usize,
        inputs: &[VertexInput],
    ) -> Result<(), Trap> {
        self.vertex.run_task(worker, inputs)?;
        let (memory, part) = (self.tasks.memory, &self.state.vertices);
        let rows = self
            .vertex
            .tasks
            .program
            .lifted
            .layout
            .vertex_outputs
            .clone();
        let rows = &worker.wave.rows[usize::from(rows.start)..usize::from(rows.end)];
        let first = part.base + part.wave_bytes() * wave as u64;
        for (at, row) in (first..).step_by(ROW_BYTES as usize).zip(rows) {
            let stored = memory.store_row(at, &row.0);
            stored.map_err(|error| Trap::new(CHIP, at, 0, error.to_string()))?;
        }
        Ok(())
    }

    fn run_primitives(
        &self,
        worker: &mut VertexWorker,
        wave: usize,
        inputs: &[GeometryInput],
        messages: &mut Vec<Message>,
    ) -> Result<(), Trap> {
        let part = &self.state.emitted;
        let emission = Emission {
            memory: self.tasks.memory,
            base: part.base + part.wave_bytes() * wave as u64,
            max_vertices: self.state.shape.max_vertices,
            messages,
            counts: [0; LANES],
        };
        let fill = |rows: &mut [lanes::Row]| self.fill(rows, inputs);
        self.tasks.run(worker, inputs.len(), fill, Some(emission))
    }

    fn instructions(&self, worker: &VertexWorker) -> u64 {
        worker.wave.instructions
    }

    /// The lane of the vertex, counted over waves and over the vertices of each.
    fn emitted(&self, wave: usize, lane: u32, number: u32) -> u32 {
        (wave as u32 * self.state.shape.max_vertices + number) * LANES as u32 + lane
    }
}

/// Emitted vertices on their way to the tiler.
pub struct EmittedVertices<'a> {
    /// State of the stage that emitted them.
    pub state: &'a GeometryState,
    /// Video memory.
    pub memory: &'a Memory,
    /// What vertices have behind their parameters.
    pub outputs: regs::OutputSel,
}

impl VertexShader for EmittedVertices<'_> {
    type Worker = VertexWorker;

    fn run(&self, worker: &mut VertexWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let VertexWorker {
            wave,
            rows,
            exports,
            ..
        } = worker;
        // No program runs.
        wave.instructions = 0;
        let words = self.state.program.lifted.layout.vertex_outputs.len();
        let vertex = Part {
            words: words.max(1) as u32,
            ..self.state.emitted
        };
        let mut offsets = [0; LANES];
        for (offset, input) in offsets.iter_mut().zip(inputs) {
            *offset = vertex.offset(input.index);
        }
        rows.resize(words, [0; LANES]);
        let bases = (vertex.base..).step_by(ROW_BYTES as usize);
        for (base, row) in bases.zip(&mut *rows) {
            self.memory.gather(base, &offsets, row);
        }
        let places = (self.state.parameters.into(), self.outputs);
        export(places, |n| rows.get(n), exports);
        Ok(())
    }

    fn finished(worker: &VertexWorker) -> Finished<'_, VertexExports> {
        Finished {
            instructions: worker.wave.instructions,
            exports: &worker.exports,
        }
    }
}
