//! The vertex data master: index lists to vertex tasks, and their vertices to the tiling engine. [Rogue 15.1, 15.2]

use std::ops::Range;

use lanes::{Batch, DefaultEngine, LANES, PortFault, Ports, Wave, first_lanes};
use silicon::draw::{Finished, Worker};
use silicon::fragment::bins::Threads;
use silicon::geometry::assembly::VertexExports;
use silicon::geometry::binning::{BinnedPrimitives, Geometry, Store, VertexShader};
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::{InputAssembler, Part, VertexInput, Vertices};
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;
use silicon::{Memory, Stats, Trap};

use crate::lift::{Input, Port, SpecialRegister};
use crate::regs::{self, Registers, VdmControl};
use crate::render::Render;
use crate::shade::numbers;
use crate::state::{GRID, VertexState};
use crate::stream::IndexList;
use crate::tpu::Tpu;
use crate::usc::{Program, SCRATCH_WAVES};

/// Most vertices of a draw whose arguments are in memory, where nobody has looked at them.
pub const MOST_INDIRECT: u32 = 1 << 28;

/// What a thread keeps to run vertex tasks.
pub struct VertexWorker {
    wave: Wave,
    exports: Box<VertexExports>,
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
            tpu: Tpu::default(),
            slot,
        }
    }
}

/// Topology of a list that takes that of VDM_CONTROL.
const FROM_REGISTER: u8 = 15;

/// Topologies of INDEX_LIST by their codes, with their names.
#[rustfmt::skip]
const TOPOLOGIES: &[(u8, Topology, &str)] = &[
    (0, Topology::Points, "points"),
    (1, Topology::Lines, "lines"),
    (2, Topology::LinesAdjacency, "lines with adjacency"),
    (3, Topology::LineStrip, "line strip"),
    (4, Topology::LineStripAdjacency, "line strip with adjacency"),
    (5, Topology::LineLoop, "line loop"),
    (6, Topology::Triangles, "triangles"),
    (7, Topology::TrianglesAdjacency, "triangles with adjacency"),
    (9, Topology::TriangleStrip, "triangle strip"),
    (10, Topology::TriangleStripAdjacency, "triangle strip with adjacency"),
    (11, Topology::TriangleFan, "triangle fan"),
];

/// The topology of a code of INDEX_LIST.
pub fn topology(code: u8) -> Option<Topology> {
    let mut rows = TOPOLOGIES.iter();
    rows.find(|row| row.0 == code).map(|row| row.1)
}

/// What a code of INDEX_LIST is called; empty where it has no meaning.
pub fn topology_name(code: u8) -> &'static str {
    if code == FROM_REGISTER {
        return "that of VDM_CONTROL";
    }
    let mut rows = TOPOLOGIES.iter();
    rows.find(|row| row.0 == code).map_or("", |row| row.2)
}

/// The arguments of a list that are in memory.
pub fn indirect(memory: &Memory, list: &IndexList) -> Result<IndexList, String> {
    let Some(at) = list.indirect else {
        return Ok(*list);
    };
    let outside = || format!("draw arguments at {at:#x} are outside memory");
    let argument = |n: u64| memory.load(at + 4 * n).ok_or_else(outside);
    let (count, instances, start) = (argument(0)?, argument(1)?, argument(2)?);
    if count > MOST_INDIRECT {
        return Err(format!(
            "draw arguments at {at:#x} ask for {count} vertices; at most {MOST_INDIRECT} are drawn"
        ));
    }
    let (base_vertex, start_instance) = match list.indices {
        Some(_) => (argument(3)?, argument(4)?),
        None => (start, argument(3)?),
    };
    Ok(IndexList {
        count,
        instances,
        base_vertex,
        start,
        start_instance,
        ..*list
    })
}

/// The vertex program of a draw.
struct Vertex<'a> {
    engine: &'a DefaultEngine,
    state: &'a VertexState,
    shared: Vec<u32>,
    memory: &'a Memory,
    level: SimdLevel,
    limit: u64,
    start_instance: u32,
    draw_index: u32,
}

impl VertexShader for Vertex<'_> {
    type Worker = VertexWorker;

    fn run(&self, worker: &mut VertexWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let VertexWorker {
            wave,
            exports,
            tpu,
            slot,
        } = worker;
        let state = self.state;
        let program = &*state.program;
        tpu.borders = state.borders;
        let lanes = first_lanes(inputs.len());
        program.start(wave, &self.shared, [lanes; 2], self.limit);
        for (input, row) in &program.lifted.layout.inputs {
            let number = SpecialRegister::LOCAL_ADDR_INST_NUM.code();
            wave.rows[usize::from(*row)].0 = match input {
                Input::Special(found) if *found == number => numbers(*slot),
                _ => [0; LANES],
            };
        }
        self.inputs(wave, inputs);
        let mut ports = VertexPorts {
            program,
            level: self.level,
            memory: self.memory,
            tpu,
        };
        let waves = std::slice::from_mut(wave);
        program.run(self.engine, waves, &mut ports).1?;
        self.export(wave, exports);
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
    /// Attributes, then the numbers of vertex, instance, draw and primitive.
    fn inputs(&self, wave: &mut Wave, inputs: &[VertexInput]) {
        let rows: Range<u16> = self.state.program.lifted.layout.vertex_inputs.clone();
        let attributes = &self.state.attributes;
        let mut values = [[0; 64]; 4];
        for n in 0..attributes.count() {
            let first = usize::from(rows.start) + 4 * n;
            if first >= usize::from(rows.end) {
                break;
            }
            let from = (inputs, self.start_instance);
            attributes.fetch(self.level, self.memory, n, from, &mut values);
            for (row, values) in (first..usize::from(rows.end)).zip(&values) {
                wave.rows[row].0 = *values;
            }
        }
        let numbers: [fn(&VertexInput) -> u32; 3] = [|v| v.index, |v| v.instance, |v| v.primitive];
        let mut row = usize::from(rows.start) + 4 * attributes.count();
        let mut put = |value: &dyn Fn(&VertexInput) -> u32| {
            if row < usize::from(rows.end) {
                for (lane, vertex) in inputs.iter().enumerate().take(LANES) {
                    wave.rows[row].0[lane] = value(vertex);
                }
            }
            row += 1;
        };
        put(&numbers[0]);
        put(&|vertex| vertex.instance.wrapping_add(self.start_instance));
        put(&|_| self.draw_index);
        put(&numbers[2]);
    }

    fn export(&self, wave: &Wave, exports: &mut VertexExports) {
        static ZEROS: Lanes = [0; LANES];
        let outputs = &self.state.program.lifted.layout.vertex_outputs;
        let word = |n: usize| {
            let row = usize::from(outputs.start) + n;
            match row < usize::from(outputs.end) {
                true => &wave.rows[row].0,
                false => &ZEROS,
            }
        };
        exports.clear();
        exports.position_mask = 1;
        for (n, row) in exports.positions[0].iter_mut().enumerate() {
            *row = *word(n);
        }
        let parameters = self.state.parameters;
        if exports.params.len() < parameters {
            exports.params.resize(parameters, [[0; LANES]; 4]);
        }
        for (n, parameter) in exports.params.iter_mut().enumerate().take(parameters) {
            for (component, row) in parameter.iter_mut().enumerate() {
                *row = *word(4 + 4 * n + component);
            }
            if n < 32 {
                exports.param_mask |= 1 << n;
            }
        }
        let selected = self.state.outputs;
        let mut next = 4 + 4 * parameters;
        let mut take = |there: bool| {
            let at = next;
            next += usize::from(there);
            there.then_some(at)
        };
        let (size, _layer, viewport) = (
            take(selected.psprite_size),
            take(selected.render_tgt),
            take(selected.vpt_tgt),
        );
        if let Some(at) = size {
            exports.positions[1][0] = *word(at);
        }
        if let Some(at) = viewport {
            exports.positions[1][3] = *word(at);
        }
        // Clip distances, then cull distances, without gaps.
        let all = selected.plane | selected.cullplane;
        for (n, plane) in (0..8).filter(|plane| all >> plane & 1 == 1).enumerate() {
            exports.positions[2 + plane / 4][plane % 4] = *word(next + n);
        }
    }
}

/// The blocks around a vertex task.
struct VertexPorts<'a> {
    program: &'a Program,
    level: SimdLevel,
    memory: &'a Memory,
    tpu: &'a mut Tpu,
}

impl Ports for VertexPorts<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            match self.program.lifted.ports.get(port as usize) {
                Some(Port::Sample(sample)) => {
                    self.tpu.sample(self.level, self.memory, sample, wave)
                }
                _ => self
                    .program
                    .lifted
                    .serve(port, wave, self.memory)
                    .map(|_| ()),
            }
        })
    }
}

/// What the geometry phase of a draw works with.
pub struct Machine<'a> {
    /// Threads.
    pub threads: &'a Threads,
    /// What each keeps.
    pub workers: &'a mut [Worker<VertexWorker>],
    /// Room for batches.
    pub store: &'a mut Store,
    /// What the draw counts.
    pub counts: &'a mut Stats,
}

/// Runs the geometry phase of a draw; `take` gets each batch of primitives.
pub fn draw(
    render: &Render,
    registers: &Registers,
    (list, state): (&IndexList, &VertexState),
    machine: Machine<'_>,
    mut take: impl FnMut(&BinnedPrimitives) -> Result<(), Trap> + Send,
) -> Result<(), Trap> {
    let wrong = |reason: String| Trap::new(crate::CHIP, u64::MAX, 0, reason);
    let control = VdmControl::from_word(registers.get(regs::VDM_CONTROL));
    let code = match list.topology {
        FROM_REGISTER => control.topology,
        code => code,
    };
    let topology = topology(code).ok_or_else(|| wrong(format!("topology {code} is not drawn")))?;
    let vertices = match list.indices {
        Some(address) => Vertices::Indexed {
            address,
            first: list.start,
            count: list.count,
            limit: registers.get(regs::VDM_INDEX_LIMIT),
            wide: match list.index_size {
                1 => false,
                2 => true,
                _ => return Err(wrong("indices of 8 bits are not executed".to_owned())),
            },
        },
        None => Vertices::Counted {
            first: list.start,
            count: list.count,
        },
    };
    vertices.check().map_err(wrong)?;
    let mut shared = state.shared.clone();
    let first = if list.indices.is_some() {
        list.base_vertex
    } else {
        list.start
    };
    let draw_index = registers.get(regs::PDS_DRAW_INDEX);
    shared[..3].copy_from_slice(&[first, list.start_instance, draw_index]);
    let geometry = Geometry {
        threads: machine.threads,
        level: render.level,
        input_assembler: InputAssembler {
            topology,
            restart: control
                .restart
                .then(|| registers.get(regs::VDM_RESTART_INDEX)),
            range: [0, u32::MAX],
            provoking_last: control.provoking_last,
            reuse: !regs::PppCtrl::from_word(registers.get(regs::PPP_CTRL)).prim_id,
            gathers: None,
        },
        amplifies: None,
        vertex: Vertex {
            engine: &render.engine,
            state,
            shared,
            memory: &render.memory,
            level: render.level,
            limit: render.limit,
            start_instance: list.start_instance,
            draw_index,
        },
        params: state.parameters,
        assembly: &state.assembly,
        grid: GRID,
        area: render.area,
        layers: 1,
        multisampled: render.places.samples.count() > 1,
        stipple: state.stipple,
        bins: Some(render.bins),
        serial: state.side_effects,
    };
    let most = match (state.side_effects, state.program.uses_scratch()) {
        (true, _) => 1,
        (_, true) => SCRATCH_WAVES.min(machine.workers.len()),
        _ => machine.workers.len(),
    };
    let workers = &mut machine.workers[..most];
    for worker in workers.iter_mut() {
        worker.take_stats();
    }
    let part = Part {
        vertices,
        instances: list.instances.max(1),
        offset: match list.indices {
            Some(_) => list.base_vertex,
            None => 0,
        },
    };
    let result = geometry.run(
        &render.memory,
        &[part],
        workers,
        machine.store,
        machine.counts,
        |primitives, _| take(primitives),
    );
    let done = workers.iter_mut().map(Worker::take_stats);
    *machine.counts = done.fold(*machine.counts, Stats::plus);
    result
}
