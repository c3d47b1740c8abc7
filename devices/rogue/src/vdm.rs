//! The vertex data master: index lists to vertex tasks, and their vertices to the tiling engine. [Rogue 15.1, 15.2]

use silicon::draw::Worker;
use silicon::fragment::bins::Threads;
use silicon::geometry::amplify::GeometryShader;
use silicon::geometry::binning::{BinnedPrimitives, Geometry, Store, VertexShader};
use silicon::geometry::patches::Stages;
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::{InputAssembler, Part, Vertices};
use silicon::{Memory, Stats, Trap};

use crate::geometry::{EmittedVertices, Stage};
use crate::regs::{self, Registers, VdmControl};
use crate::render::Render;
use crate::state::{GRID, VertexState};
use crate::stream::IndexList;
use crate::usc::SCRATCH_WAVES;
use crate::vertex::{Tasks, Vertex, VertexWorker};

/// Most vertices of a draw whose arguments are in memory, where nobody has looked at them.
pub const MOST_INDIRECT: u32 = 1 << 28;

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
    take: impl FnMut(&BinnedPrimitives) -> Result<(), Trap> + Send,
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
    let stage = state.geometry.as_ref();
    let phase = Phase {
        render,
        state,
        input_assembler: InputAssembler {
            topology,
            restart: control
                .restart
                .then(|| registers.get(regs::VDM_RESTART_INDEX)),
            range: [0, u32::MAX],
            provoking_last: control.provoking_last,
            reuse: !regs::PppCtrl::from_word(registers.get(regs::PPP_CTRL)).prim_id,
            gathers: stage.and_then(|stage| stage.shape().room()),
        },
        part: Part {
            vertices,
            instances: list.instances.max(1),
            offset: match list.indices {
                Some(_) => list.base_vertex,
                None => 0,
            },
        },
        machine,
    };
    let vertex = Vertex {
        tasks: Tasks {
            engine: &render.engine,
            program: &state.program,
            shared: &shared,
            memory: &render.memory,
            level: render.level,
            limit: render.limit,
            borders: state.borders,
        },
        state,
        start_instance: list.start_instance,
        draw_index,
    };
    match stage {
        None => phase.run(vertex, None, take),
        Some(stage) => {
            let emitted = EmittedVertices {
                state: stage,
                memory: &render.memory,
                outputs: state.outputs,
            };
            let stage = Stage::new(vertex, stage, topology.corners());
            phase.run(emitted, Some(&stage), take)
        }
    }
}

/// The geometry phase of a draw, ready to run.
struct Phase<'a> {
    render: &'a Render,
    state: &'a VertexState,
    input_assembler: InputAssembler,
    part: Part,
    machine: Machine<'a>,
}

impl Phase<'_> {
    /// Runs it with a vertex shader behind a geometry stage, if there is one.
    fn run<V: VertexShader<Worker = VertexWorker>>(
        self,
        vertex: V,
        amplifies: Option<&dyn GeometryShader<VertexWorker>>,
        mut take: impl FnMut(&BinnedPrimitives) -> Result<(), Trap> + Send,
    ) -> Result<(), Trap> {
        let Phase {
            render,
            state,
            machine,
            ..
        } = self;
        let geometry = Geometry {
            threads: machine.threads,
            level: render.level,
            input_assembler: self.input_assembler,
            amplifies: amplifies.map(Stages::amplified),
            vertex: &vertex,
            params: state.parameters,
            assembly: &state.assembly,
            grid: GRID,
            area: render.area,
            layers: render.bins.layers(),
            multisampled: render.places.samples.count() > 1,
            stipple: state.stipple,
            bins: Some(render.bins),
            serial: state.side_effects,
        };
        let programs = state.geometry.iter().map(|stage| &stage.program);
        let mut programs = programs.chain([&state.program]);
        let most = match (
            state.side_effects,
            programs.any(|program| program.uses_scratch()),
        ) {
            (true, _) => 1,
            (_, true) => SCRATCH_WAVES.min(machine.workers.len()),
            _ => machine.workers.len(),
        };
        let workers = &mut machine.workers[..most];
        for worker in workers.iter_mut() {
            worker.take_stats();
        }
        let result = geometry.run(
            &render.memory,
            &[self.part],
            workers,
            machine.store,
            machine.counts,
            |primitives, _| take(primitives),
        );
        let done = workers.iter_mut().map(Worker::take_stats);
        *machine.counts = done.fold(*machine.counts, Stats::plus);
        result
    }
}
