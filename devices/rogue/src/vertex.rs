//! Vertex tasks. In: numbers of vertices, their attributes. Out: words of their vertex outputs. [Rogue 12.1, 15.2]

use std::ops::Range;

use lanes::{Batch, DefaultEngine, LANES, PortFault, Ports, Wave, first_lanes};
use silicon::draw::Finished;
use silicon::exports::VertexExports;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::vertices::VertexInput;
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;
use silicon::{Memory, Trap};

use crate::geometry::Emission;
use crate::lift::{Input, Port, SpecialRegister};
use crate::regs::OutputSel;
use crate::shade::numbers;
use crate::state::VertexState;
use crate::tpu::Tpu;
use crate::usc::Program;

/// What a thread keeps to run tasks of vertex and geometry programs.
pub struct VertexWorker {
    /// Two tasks.
    pub wave: Wave,
    /// What leaves for the tiler.
    pub exports: Box<VertexExports>,
    /// Words of vertices that come from memory.
    pub rows: Vec<Lanes>,
    tpu: Tpu,
    /// Number of the thread.
    slot: usize,
}

impl VertexWorker {
    /// Of a thread.
    pub fn new(slot: usize) -> VertexWorker {
        VertexWorker {
            wave: Wave::new(0, 0),
            exports: Box::default(),
            rows: Vec::new(),
            tpu: Tpu::default(),
            slot,
        }
    }
}

/// What tasks of a stage run with.
#[derive(Clone, Copy)]
pub struct Tasks<'a> {
    /// Runs programs.
    pub engine: &'a DefaultEngine,
    /// The program.
    pub program: &'a Program,
    /// Shared registers.
    pub shared: &'a [u32],
    /// Video memory.
    pub memory: &'a Memory,
    /// Vector instructions of the host.
    pub level: SimdLevel,
    /// What a wave may cost.
    pub limit: u64,
    /// Address of the border colours in memory.
    pub borders: u64,
}

impl Tasks<'_> {
    /// Runs the first lanes of the worker's wave to the end. `fill` fills the rows of its vertex inputs.
    pub fn run(
        &self,
        worker: &mut VertexWorker,
        lanes: usize,
        fill: impl FnOnce(&mut [lanes::Row]),
        emission: Option<Emission<'_>>,
    ) -> Result<(), Trap> {
        let VertexWorker {
            wave, tpu, slot, ..
        } = worker;
        let program = self.program;
        tpu.borders = self.borders;
        program.start(wave, self.shared, [first_lanes(lanes); 2], self.limit);
        let layout = &program.lifted.layout;
        for (input, row) in &layout.inputs {
            let number = SpecialRegister::LOCAL_ADDR_INST_NUM.code();
            wave.rows[usize::from(*row)].0 = match input {
                Input::Special(found) if *found == number => numbers(*slot),
                _ => [0; LANES],
            };
        }
        let Range { start, end } = layout.vertex_inputs;
        fill(&mut wave.rows[usize::from(start)..usize::from(end)]);
        let mut ports = VertexPorts {
            program,
            level: self.level,
            memory: self.memory,
            tpu,
            emission,
        };
        let waves = std::slice::from_mut(wave);
        program.run(self.engine, waves, &mut ports).1
    }
}

/// The vertex program of a draw.
pub struct Vertex<'a> {
    /// How it runs.
    pub tasks: Tasks<'a>,
    /// State of the draw.
    pub state: &'a VertexState,
    /// First instance.
    pub start_instance: u32,
    /// Number of the draw.
    pub draw_index: u32,
}

impl VertexShader for Vertex<'_> {
    type Worker = VertexWorker;

    fn run(&self, worker: &mut VertexWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        self.run_task(worker, inputs)?;
        let VertexWorker { wave, exports, .. } = worker;
        let rows = self.tasks.program.lifted.layout.vertex_outputs.clone();
        let rows = &wave.rows[usize::from(rows.start)..usize::from(rows.end)];
        let places = (self.state.parameters, self.state.outputs);
        export(places, |n| rows.get(n).map(|row| &row.0), exports);
        Ok(())
    }

    fn finished(worker: &VertexWorker) -> Finished<'_, VertexExports> {
        Finished {
            instructions: worker.wave.instructions,
            exports: &worker.exports,
        }
    }
}

impl Vertex<'_> {
    /// Runs the program; what it writes stays in the rows of its outputs.
    pub fn run_task(&self, worker: &mut VertexWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let fill = |rows: &mut [lanes::Row]| self.fill(rows, inputs);
        self.tasks.run(worker, inputs.len(), fill, None)
    }

    /// Attributes, then the numbers of vertex, instance, draw and primitive.
    fn fill(&self, rows: &mut [lanes::Row], inputs: &[VertexInput]) {
        let attributes = &self.state.attributes;
        let mut values = [[0; 64]; 4];
        for (n, rows) in rows.chunks_mut(4).enumerate().take(attributes.count()) {
            let from = (inputs, self.start_instance);
            let Tasks { level, memory, .. } = self.tasks;
            attributes.fetch(level, memory, n, from, &mut values);
            for (row, values) in rows.iter_mut().zip(&values) {
                row.0 = *values;
            }
        }
        let mut row = 4 * attributes.count();
        let mut put = |value: &dyn Fn(&VertexInput) -> u32| {
            if let Some(row) = rows.get_mut(row) {
                for (lane, vertex) in row.0.iter_mut().zip(inputs) {
                    *lane = value(vertex);
                }
            }
            row += 1;
        };
        put(&|vertex| vertex.index);
        put(&|vertex| vertex.instance.wrapping_add(self.start_instance));
        put(&|_| self.draw_index);
        put(&|vertex| vertex.primitive);
    }
}

/// Words of vertices to the tiler: position, so many parameters, and what OUTPUT_SEL selects. Words that are not there
/// are zero.
pub fn export<'a>(
    (parameters, selected): (usize, OutputSel),
    words: impl Fn(usize) -> Option<&'a Lanes>,
    exports: &mut VertexExports,
) {
    static ZEROS: Lanes = [0; LANES];
    let word = |n: usize| words(n).unwrap_or(&ZEROS);
    exports.clear();
    exports.position_mask = 1;
    for (n, row) in exports.positions[0].iter_mut().enumerate() {
        *row = *word(n);
    }
    for (n, parameter) in exports.params.iter_mut().enumerate().take(parameters) {
        for (component, row) in parameter.iter_mut().enumerate() {
            *row = *word(4 + 4 * n + component);
        }
        exports.param_mask |= 1 << n;
    }
    let mut next = 4 + 4 * parameters;
    let mut take = |there: bool| {
        let at = next;
        next += usize::from(there);
        there.then_some(at)
    };
    let (size, viewport, layer) = (
        take(selected.psprite_size),
        take(selected.vpt_tgt),
        take(selected.render_tgt),
    );
    if let Some(at) = size {
        exports.positions[1][0] = *word(at);
    }
    if let Some(at) = viewport {
        exports.positions[1][3] = *word(at);
    }
    if let Some(at) = layer {
        exports.positions[1][2] = *word(at);
    }
    // Clip distances, then cull distances, without gaps.
    let all = selected.plane | selected.cullplane;
    for (n, plane) in (0..8).filter(|plane| all >> plane & 1 == 1).enumerate() {
        exports.positions[2 + plane / 4][plane % 4] = *word(next + n);
    }
}

/// The blocks around a task.
struct VertexPorts<'a> {
    program: &'a Program,
    level: SimdLevel,
    memory: &'a Memory,
    tpu: &'a mut Tpu,
    /// Where vertices of a geometry task go.
    emission: Option<Emission<'a>>,
}

impl Ports for VertexPorts<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            match self.program.lifted.ports.get(port as usize) {
                Some(Port::Sample(sample)) => {
                    self.tpu.sample(self.level, self.memory, sample, wave)
                }
                Some(Port::Vertex(end)) => match &mut self.emission {
                    Some(emission) => emission.end(*end, wave),
                    None => Ok(()),
                },
                _ => self
                    .program
                    .lifted
                    .serve(port, wave, self.memory)
                    .map(|_| ()),
            }
        })
    }
}
