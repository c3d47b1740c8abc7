//! Draws from end to end: vertices through their program, silicon's fixed functions, pixels through theirs.
//!
//! `programs` keeps lifted programs, `vertex` and `pixel` run waves of them, `inputs` is what waves of pixels start from,
//! `texture` what they look up.

mod inputs;
mod pixel;
mod programs;
mod texture;
mod vertex;

use std::sync::Arc;

use lanes::DefaultEngine;
use radeon::r6xx::waves::WaveSlots;
use radeon::registers::RegisterFile;
use silicon::draw::{Worker, check_surfaces};
use silicon::fragment::Waiting;
use silicon::fragment::bins::Threads;
use silicon::fragment::interpolate::SamplePositions;
use silicon::fragment::output::{DepthOutput, PixelExports, StencilPlace};
use silicon::fragment::scan::{PixelStage, WaveRows};
use silicon::fragment::surface::Cache;
use silicon::geometry::assembly::VertexExports;
use silicon::geometry::binning::Store;
use silicon::geometry::topology::Kind;
use silicon::geometry::vertices::InputAssembler;
use silicon::texture::sample::Scratch;
use silicon::{Memory, SimdLevel, Start, Stats};

use crate::cp::{Draw, Engine, State};
use crate::isa::{pvs, us};
use crate::regs::*;
use crate::tiling::Surface;
use crate::vap::{self, INPUTS, Output};
use crate::{cb, fg, ga, rs, zb};
use inputs::PixelInputs;
use pixel::{Pixel, Places};
use programs::Programs;
use vertex::Vertex;

/// Fields that enable what is not executed and that no block looks at: all must be zero.
pub const UNEXECUTED: [(&str, Field); 8] = [
    ("VAP_CNTL_STATUS", VAP_CNTL_STATUS::PVS_BYPASS),
    ("VAP_CLIP_CNTL", VAP_CLIP_CNTL::COLOR2_IS_TEXTURE),
    ("VAP_CLIP_CNTL", VAP_CLIP_CNTL::COLOR3_IS_TEXTURE),
    ("GB_ENABLE", GB_ENABLE::LINE_STUFF_ENABLE),
    ("GB_SELECT", GB_SELECT::FOG_STUFF_ENABLE),
    ("GB_TILE_CONFIG", GB_TILE_CONFIG::Z_EXTENDED),
    ("GB_AA_CONFIG", GB_AA_CONFIG::AA_ENABLE),
    ("US_W_FMT", US_W_FMT::W_SRC),
];

/// What a wave has beside its registers.
struct WaveState {
    vertex: Box<VertexExports>,
    pixel: Box<PixelExports>,
}

impl Default for WaveState {
    fn default() -> WaveState {
        WaveState {
            vertex: Box::default(),
            pixel: Box::new(PixelExports::NONE),
        }
    }
}

/// Room for the vertices of a wave.
struct Fetch {
    words: Vec<u32>,
    vectors: Box<[[[u32; 64]; 4]; INPUTS]>,
}

/// What texture lookups of a thread share.
struct Unit {
    memory: Memory,
    level: SimdLevel,
    scratch: Box<Scratch>,
    texels: u64,
}

/// What one thread keeps to run waves of both stages.
struct WaveWorker {
    slots: WaveSlots<WaveState>,
    fetch: Fetch,
    unit: Unit,
    rows: Box<WaveRows>,
    places: Places,
}

impl WaveWorker {
    fn new(memory: &Memory, level: SimdLevel) -> WaveWorker {
        WaveWorker {
            slots: WaveSlots::default(),
            fetch: Fetch {
                words: Vec::new(),
                vectors: Box::new([[[0; 64]; 4]; INPUTS]),
            },
            unit: Unit {
                memory: memory.clone(),
                level,
                scratch: Box::default(),
                texels: 0,
            },
            rows: Box::default(),
            places: Places::default(),
        }
    }
}

/// The pipeline behind the command processor.
pub struct Pipeline {
    start: Start,
    threads: Arc<Threads>,
    engine: Arc<DefaultEngine>,
    vertex_programs: Programs<pvs::Lifted, 4>,
    pixel_programs: Programs<us::Lifted, 6>,
    surfaces: Cache<Surface>,
    workers: Vec<Worker<WaveWorker>>,
    store: Store,
}

impl Pipeline {
    /// After power-on.
    pub fn new(memory: &Memory, start: Start, threads: Arc<Threads>) -> Pipeline {
        Pipeline {
            start,
            engine: Arc::new(DefaultEngine::at(start.level)),
            vertex_programs: Programs::default(),
            pixel_programs: Programs::default(),
            surfaces: Cache::default(),
            workers: threads.workers(|| Worker::new(WaveWorker::new(memory, start.level))),
            threads,
            store: Store::default(),
        }
    }

    /// The tests of depth and stencil of a draw.
    fn depth(
        &mut self,
        memory: &Memory,
        registers: &RegisterFile,
        height: u32,
        kills: bool,
    ) -> Result<DepthOutput, String> {
        let state = zb::depth(registers, height, 1)?;
        let mut output = DepthOutput {
            test: state.test,
            // Without kills nothing tells early from late.
            early: (state.early || !kills) && !state.exports_depth,
            counts_early: !kills,
            exports_depth: state.exports_depth,
            hi_z: !self.start.fine_depth,
            ..DepthOutput::default()
        };
        if let Some((storage, base, surface)) = state.surface {
            output.depth = Some(self.surfaces.plane(memory, surface, base, 0)?);
            output.stencil = storage.stencil_shift.map(|_| StencilPlace::BelowDepth);
        }
        Ok(output)
    }

    /// The pixel half of a draw.
    fn pixel<'a>(
        &mut self,
        memory: &Memory,
        state: &State,
        assembled: Assembled<'a>,
    ) -> Result<PixelStage<Pixel<'a>>, String> {
        let registers = &state.registers;
        let setup = crate::us::setup(registers);
        let program = self
            .pixel_programs
            .get(&self.engine, setup, &state.us_code)?;
        let lifted = &program.lifted;
        let alpha_test = fg::alpha_test(registers)?;
        let kills = lifted.kills || alpha_test.is_some();
        let area = assembled.area;
        let height = area.y1.max(1) as u32;
        let depth = self.depth(memory, registers, height, kills)?;
        let targets = cb::targets(registers, height, 1)?;
        let colors = targets
            .iter()
            .map(|target| target.output(memory, &mut self.surfaces))
            .collect::<Result<_, _>>()?;
        let scalars = program.scalars(&lifted.constants, |constant| {
            crate::us::constant(&state.us_constants, registers, constant)
        });
        let textures = texture::bind(registers, memory, &lifted.ports);
        let writes = rs::writes(registers, assembled.packet)?;
        let inputs = PixelInputs::new(assembled.packet, &writes, &program.read);
        let samples = ga::samples(registers);
        let mut stage = PixelStage {
            memory: memory.clone(),
            level: self.start.level,
            grid: ga::GRID,
            needs_position: inputs.needs_position(),
            needs_places: false,
            needs_coverage: false,
            needs_planes: inputs.needs_planes(),
            packs: true,
            per_sample: false,
            alpha_to_mask: None,
            colors,
            sample_positions: vec![SamplePositions::sample(&samples, 0)],
            sample_mask: 1,
            samples,
            area,
            viewports: Vec::new(),
            stipple: None,
            shader: Some(Pixel {
                engine: self.engine.clone(),
                scalars,
                inputs,
                map: assembled.map,
                textures: textures.map_err(|error| error.to_string())?,
                alpha_test,
                exports_depth: depth.exports_depth,
                places: pixel::places(&program, &targets),
                level: self.start.level,
                limit: self.start.wave_cost,
                program,
            }),
            depth,
        };
        check_surfaces(&mut stage)?;
        Ok(stage)
    }
}

/// What the pixel half takes from the vertex half.
#[derive(Clone, Copy)]
struct Assembled<'a> {
    packet: &'a rs::Packet,
    map: &'a silicon::geometry::attributes::AttributeMap,
    area: silicon::fragment::tile::Rect,
}

impl Engine for Pipeline {
    fn draw(
        &mut self,
        memory: &Memory,
        state: &mut State,
        draw: &Draw,
        totals: &mut Stats,
    ) -> Result<(), String> {
        let before = totals.samples_passed;
        let result = self.run(memory, state, draw, totals);
        let passed = (totals.samples_passed - before) as u32;
        let registers = &mut state.registers;
        let count = ZB_ZPASS_DATA.read(registers, 0).wrapping_add(passed);
        registers.set(ZB_ZPASS_DATA.address, count);
        result
    }
}

impl Pipeline {
    fn run(
        &mut self,
        memory: &Memory,
        state: &State,
        draw: &Draw,
        totals: &mut Stats,
    ) -> Result<(), String> {
        let registers = &state.registers;
        zb::check(registers, &UNEXECUTED)?;
        draw.vertices.check()?;
        let (mut assembly, area) = ga::assembly(registers)?;
        let outputs = vap::outputs(registers)?;
        let is_param = |output: &&Output| !matches!(output, Output::Position | Output::PointSize);
        let params = outputs.iter().filter(is_param).count();
        let points = draw.topology.kind() == Kind::Points;
        let packet = rs::packet(registers, &outputs, points)?;
        let map = inputs::attributes(&packet, params);
        let control = crate::pvs::control(registers);
        let code = &state.vectors[..crate::pvs::CONSTANTS];
        let program = self.vertex_programs.get(&self.engine, control, code)?;
        let mut workers = std::mem::take(&mut self.workers);
        let mut store = std::mem::take(&mut self.store);
        let result = (|| {
            let assembled = Assembled {
                packet: &packet,
                map: &map,
                area,
            };
            let limit = self.start.wave_cost;
            let stage = self.pixel(memory, state, assembled)?;
            assembly.front.scissor = stage.area;
            assembly.back.scissor = stage.area;
            let source = (memory, state, &draw.source);
            let engine = self.engine.clone();
            let run = silicon::draw::Draw {
                threads: &self.threads,
                input_assembler: InputAssembler {
                    topology: draw.topology,
                    instances: 1,
                    restart: None,
                    offset: draw.offset as u32,
                    range: draw.range,
                    provoking_last: ga::provokes_last(registers)?,
                    reuse: draw.reuse,
                },
                vertex: Vertex::new(engine, program, source, &outputs, limit)?,
                params: map.params,
                assembly: &assembly,
                stage: &Arc::new(stage),
                own: (),
                pixel_effects: false,
                serial: false,
                waits: false,
            };
            let kept = (&mut store, &mut Waiting::default());
            let result = run.run(memory, &draw.vertices, &mut workers, kept, totals);
            result.map_err(|trap| trap.to_string())
        })();
        let texels = workers
            .iter_mut()
            .map(|worker| &mut worker.shader.unit.texels);
        totals.texels += texels.map(std::mem::take).sum::<u64>();
        self.workers = workers;
        self.store = store;
        result
    }
}
