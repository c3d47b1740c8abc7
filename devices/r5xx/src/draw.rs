//! Draws from end to end: vertices through their program, silicon's fixed functions, pixels through theirs.
//!
//! `programs` keeps lifted programs, `vertex` and `pixel` run waves of them, `inputs` is what waves of pixels start from,
//! `texture` what they look up. `resolve` stands where `pixel` does in draws that average samples.

mod changes;
mod inputs;
mod pixel;
mod programs;
mod resolve;
pub(crate) mod texture;
mod vertex;

use std::sync::Arc;

use lanes::DefaultEngine;
use radeon::r6xx::cb::counted;
use radeon::r6xx::waves::WaveSlots;
use radeon::registers::RegisterFile;
use silicon::draw::{Worker, check_surfaces};
use silicon::exports::VertexExports;
use silicon::fragment::Waiting;
use silicon::fragment::bins::Threads;
use silicon::fragment::blend::{Blend, Range};
use silicon::fragment::interpolate::{SamplePositions, Wanted};
use silicon::fragment::output::{ColorOutput, DepthOutput, PixelExports, StencilPlace};
use silicon::fragment::quads::QuadTable;
use silicon::fragment::scan::{PixelShader, PixelStage, WaveRows};
use silicon::fragment::surface::Cache;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::Assembly;
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::Store;
use silicon::geometry::topology::Kind;
use silicon::geometry::vertices::{InputAssembler, Part};
use silicon::texture::sample::Scratch;
use silicon::{Format, Memory, SimdLevel, Start, Stats, Trap};

use crate::cp::{Draw, Engine, State};
use crate::endian::{self, Swap};
use crate::ga::stipple::Counter;
use crate::isa::{pvs, us};
use crate::regs::*;
use crate::rs::stuffing::{Made, Pieces};
use crate::tiling::Surface;
use crate::us::DepthSource;
use crate::vap::{self, INPUTS, Output};
use crate::{cb, fg, ga, rs, sc, su, zb};
use changes::Changes;
use inputs::{PixelInputs, TileWeights};
use pixel::{CLEARED, Pixel, Places};
use programs::Programs;
use resolve::{Resolve, Room};
use texture::Bindings;
use vertex::{Vertex, Wants};

/// What a wave has beside its registers.
#[derive(Default)]
struct WaveState {
    vertex: VertexExports,
    pixel: PixelExports,
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
    quads: QuadTable,
    weights: Box<TileWeights>,
    places: Places,
    resolve: Room,
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
            quads: QuadTable::default(),
            weights: Box::default(),
            places: Places::default(),
            resolve: Room::default(),
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
    bindings: Bindings,
    workers: Vec<Worker<WaveWorker>>,
    store: Store,
    /// Small draws whose second half waits, all to the surfaces that these registers name.
    waiting: Waiting<Pixel>,
    drawn_to: Vec<u32>,
    memory: Memory,
    /// Words of these surfaces that are in the order of the chip, not in theirs.
    turned: Vec<Swap>,
}

/// Registers that name the surfaces of a draw, and what they look like.
const SURFACES: [Register; 13] = [
    RB3D_CCTL,
    RB3D_COLOROFFSET,
    RB3D_COLORPITCH,
    RB3D_AARESOLVE_CTL,
    US_OUT_FMT,
    ZB_FORMAT,
    ZB_BW_CNTL,
    ZB_DEPTHOFFSET,
    ZB_DEPTHPITCH,
    ZB_DEPTHXY_OFFSET,
    GB_AA_CONFIG,
    SC_SCISSOR0,
    SC_SCISSOR1,
];

fn surfaces(registers: &RegisterFile) -> Vec<u32> {
    let words = |register: Register| (0..register.count).map(move |n| register.read(registers, n));
    SURFACES.into_iter().flat_map(words).collect()
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
            bindings: Bindings::default(),
            workers: threads.workers(|| Worker::new(WaveWorker::new(memory, start.level))),
            threads,
            store: Store::default(),
            waiting: Waiting::default(),
            drawn_to: Vec::new(),
            memory: memory.clone(),
            turned: Vec::new(),
        }
    }

    /// The tests of depth and stencil of a draw, and what it clears in their stead.
    fn depth(
        &mut self,
        memory: &Memory,
        registers: &RegisterFile,
        height: u32,
        kills: bool,
    ) -> Result<(DepthOutput, Option<(ColorOutput, u32)>), String> {
        let state = zb::depth(registers, height, ga::sample_count(registers))?;
        let mut output = DepthOutput {
            test: state.test,
            // Without kills nothing tells early from late.
            early: (state.early || !kills) && !state.exports_depth,
            counts_early: !kills,
            exports_depth: state.exports_depth,
            hi_z: state.hi_z && !self.start.fine_depth,
            ..DepthOutput::default()
        };
        if let Some((storage, base, surface)) = state.surface {
            if let Some(word) = state.clears_colors {
                let plane = self
                    .surfaces
                    .plane(memory, surface, base, surface.slice())?;
                let opaque = Blend::opaque(Range::Unorm);
                let format = match storage.bytes {
                    2 => Format::R8G8Unorm,
                    _ => Format::R8G8B8A8Unorm,
                };
                let output = ColorOutput::new(CLEARED, format, &opaque, plane);
                return Ok((DepthOutput::default(), Some((output, word))));
            }
            let plane = self
                .surfaces
                .plane(memory, surface, base, surface.slice())?;
            output.depth = Some(plane);
            output.stencil = storage.stencil_shift.map(|_| StencilPlace::BelowDepth);
        }
        Ok((output, None))
    }

    /// A pixel stage without targets and tests.
    fn stage<S>(
        &self,
        memory: &Memory,
        registers: &RegisterFile,
        area: Rect,
        shader: S,
    ) -> Result<PixelStage<S>, String> {
        let samples = ga::samples(registers);
        let count = samples.count();
        Ok(PixelStage {
            memory: memory.clone(),
            level: self.start.level,
            grid: ga::grid(registers)?,
            needs_position: false,
            needs_places: false,
            needs_coverage: false,
            needs_planes: Wanted::default(),
            others: Vec::new(),
            packs: true,
            per_sample: false,
            alpha_to_mask: None,
            colors: Vec::new(),
            packed: Vec::new(),
            sample_positions: (0..count)
                .map(|sample| SamplePositions::sample(&samples, sample))
                .collect(),
            sample_mask: sc::mask(registers, count as u32)?,
            samples,
            area,
            viewports: Vec::new(),
            stipple: None,
            shader: Some(shader),
            depth: DepthOutput::default(),
        })
    }

    /// The pixel half of a draw.
    fn pixel(
        &mut self,
        memory: &Memory,
        state: &State,
        assembled: Assembled<'_>,
    ) -> Result<PixelStage<Pixel>, String> {
        let registers = &state.registers;
        let setup = crate::us::setup(registers);
        let program = self
            .pixel_programs
            .get(&self.engine, setup, &state.us_code)?;
        let lifted = &program.lifted;
        let alpha_test = fg::alpha_test(registers)?;
        let samples = ga::sample_count(registers);
        let alpha_to_mask = fg::alpha_to_mask(registers, samples)?;
        let kills = lifted.kills || alpha_test.is_some() || alpha_to_mask.is_some();
        let area = assembled.area;
        let height = area.y1.max(1) as u32;
        let (depth, clear) = self.depth(memory, registers, height, kills)?;
        let targets = match ZB_ZSTENCILCNTL::ZERO_OUTPUT_MASK.on(registers) {
            // No coverage leaves the depth block.
            true => Vec::new(),
            false => cb::targets(registers, height, samples)?,
        };
        let mut colors = targets
            .iter()
            .map(|target| target.output(memory, &mut self.surfaces))
            .collect::<Result<Vec<_>, _>>()?;
        colors.extend(clear.iter().map(|(output, _)| output.clone()));
        let scalars = program.scalars(&lifted.constants, |constant| {
            crate::us::constant(&state.us_constants, registers, constant)
        });
        let textures = {
            let from = (memory, &state.weights);
            self.bindings.bind(registers, from, &lifted.ports)
        };
        let writes = rs::writes(registers, assembled.packet)?;
        let mut inputs = PixelInputs::new(
            assembled.packet,
            &writes,
            &program.read,
            GB_SELECT::W_SELECT.on(registers),
        );
        let fog = fg::fog(registers)?;
        if let Some(fog) = &fog {
            inputs.add_fog(assembled.packet, fog.source)?;
        }
        let depth_source = match depth.exports_depth {
            true => Some(crate::us::depth_source(registers)?),
            false => None,
        };
        if depth_source == Some(DepthSource::Rasteriser) {
            let slot = rs::depth(registers, assembled.packet)?;
            inputs.add_depth(assembled.packet, slot)?;
        }
        let needs_places = samples > 1 && inputs.needs_centroids();
        let shader = Pixel {
            engine: self.engine.clone(),
            scalars,
            map: assembled.map.clone(),
            changes: Changes::new(assembled.packet, assembled.made.cloned()),
            textures: textures.map_err(|error| error.to_string())?,
            alpha_test,
            fog,
            depth: depth_source,
            clear: clear.map(|(_, word)| word),
            places: pixel::places(&program, &targets),
            level: self.start.level,
            limit: self.start.wave_cost,
            cleared: {
                let rows = program.cleared.iter().copied();
                rows.filter(|row| !inputs.fills(*row)).collect()
            },
            program,
            inputs,
        };
        let mut stage = self.stage(memory, registers, area, shader)?;
        let inputs = stage.shader.as_ref().map(|shader| &shader.inputs);
        stage.needs_position = inputs.is_some_and(PixelInputs::needs_position);
        stage.needs_planes = inputs.map_or(Wanted::default(), PixelInputs::needs_planes);
        stage.needs_places = needs_places;
        stage.packs = !needs_places;
        stage.alpha_to_mask = alpha_to_mask;
        stage.colors = colors;
        stage.depth = depth;
        check_surfaces(&mut stage)?;
        stage.take_idle_shader();
        Ok(stage)
    }

    /// The pixel half of a resolve.
    fn resolve(
        &mut self,
        memory: &Memory,
        registers: &RegisterFile,
        area: Rect,
        resolve: &cb::Resolve,
    ) -> Result<PixelStage<Resolve>, String> {
        let cb::Resolve { from, base, to, .. } = resolve;
        let plane = self.surfaces.plane(memory, from.surface, from.base, 0)?;
        let area = area.intersect(plane.area);
        let target = self.surfaces.plane(memory, *to, *base, 0)?;
        if target.overlaps(&plane) {
            let at = from.base;
            return Err(format!(
                "samples at {at:#x} are resolved to {base:#x}, over themselves"
            ));
        }
        let shader = Resolve::new(memory, plane, resolve);
        let mut stage = self.stage(memory, registers, area, shader)?;
        stage.needs_position = true;
        let opaque = Blend::opaque(from.blend.range);
        stage.colors = vec![ColorOutput::new(0, from.format, &opaque, target)];
        check_surfaces(&mut stage)?;
        Ok(stage)
    }
}

/// What the pixel half takes from the vertex half.
#[derive(Clone, Copy)]
struct Assembled<'a> {
    packet: &'a rs::Packet,
    map: &'a Arc<AttributeMap>,
    made: Option<&'a Made>,
    area: Rect,
}

impl Engine for Pipeline {
    fn draw(
        &mut self,
        memory: &Memory,
        state: &mut State,
        draw: &Draw,
        totals: &mut Stats,
    ) -> Result<(), String> {
        let registers = &state.registers;
        let surfaces = surfaces(registers);
        let fills = zb::masks::are_on(registers);
        if fills || surfaces != self.drawn_to {
            self.finish(state, totals)?;
            self.drawn_to = surfaces;
        }
        let swaps = endian::swaps(&state.registers)?;
        if swaps != self.turned {
            self.finish(state, totals)?;
            endian::turn(memory, &swaps);
            self.turned = swaps;
        }
        if fills {
            let height = sc::area(&state.registers)?.y1.max(1) as u32;
            let samples = ga::sample_count(&state.registers);
            zb::masks::before(memory, state, height, samples)?;
        }
        let mut counter = None;
        let result = counting(state, totals, |state, totals| {
            counter = self.run(memory, state, draw, totals)?;
            Ok(())
        });
        if let Some(value) = counter {
            state.registers.set(GA_LINE_STIPPLE_VALUE.address, value);
        }
        result
    }

    fn finish(&mut self, state: &mut State, totals: &mut Stats) -> Result<(), String> {
        let result = match self.waiting.is_empty() {
            true => Ok(()),
            false => counting(state, totals, |_, totals| self.shade_waiting(totals)),
        };
        endian::turn(&self.memory, &std::mem::take(&mut self.turned));
        result
    }
}

/// What both halves of a draw share.
struct Front<'a> {
    assembly: Assembly,
    wants: Wants<'a>,
    map: &'a AttributeMap,
    program: Arc<vertex::Program>,
}

impl Pipeline {
    /// Runs a draw once for each rectangle that clip rectangles leave of it; what it leaves in the accumulator of stipples, if
    /// it counts.
    fn run(
        &mut self,
        memory: &Memory,
        state: &State,
        draw: &Draw,
        totals: &mut Stats,
    ) -> Result<Option<u32>, String> {
        let mut counter = None;
        for area in sc::areas(&state.registers)? {
            counter = self.run_in(area, (memory, state, draw), totals)?;
        }
        Ok(counter)
    }

    fn run_in(
        &mut self,
        area: Rect,
        (memory, state, draw): (&Memory, &State, &Draw),
        totals: &mut Stats,
    ) -> Result<Option<u32>, String> {
        let registers = &state.registers;
        draw.vertices.check()?;
        let (mut assembly, _) = ga::assembly(registers)?;
        ga::check_fan(registers, draw.topology)?;
        for viewport in &mut assembly.viewports {
            su::offset_parallelograms(registers, draw.topology.kind(), viewport)?;
        }
        let outputs = vap::outputs(registers)?;
        let is_param = |output: &&Output| !matches!(output, Output::Position | Output::PointSize);
        let params = outputs.iter().filter(is_param).count();
        let kind = draw.topology.kind();
        let points = kind == Kind::Points;
        let mode = VAP_CLIP_CNTL::PS_UCP_MODE.read(registers);
        if points && mode != 0 && vap::planes(registers) != 0 {
            return Err(format!(
                "VAP_CLIP_CNTL.PS_UCP_MODE {mode} with user planes is not executed"
            ));
        }
        let point_bounds = vap::point_bounds(registers).filter(|_| points);
        if point_bounds.is_some() {
            assembly.volume.cull_distances |= vap::POINT_DISTANCES;
        }
        let packet = rs::packet(registers, &outputs, kind)?;
        if Pieces::of(registers, kind).points {
            assembly.borders.points = sc::point_borders(registers)?;
        }
        let made = Made::new(registers, draw.topology, &packet.stuffed)?;
        assembly.outlined = ga::outlined(draw.topology);
        assembly.sprites = made.as_ref().is_some_and(Made::has_sprites);
        let counter = Counter::new(registers, draw.topology)?;
        let needs_places = counter.is_some() || made.as_ref().is_some_and(Made::needs_places);
        // Vertices know their places by one more parameter.
        let params = params + usize::from(needs_places);
        let map = Arc::new(inputs::attributes(&packet, params));
        let program = match VAP_CNTL_STATUS::PVS_BYPASS.on(registers) {
            true => {
                let (control, code) = crate::pvs::bypass(&outputs);
                self.vertex_programs.get(&self.engine, control, &code)?
            }
            false => {
                let code = &state.vectors[..crate::pvs::CONSTANTS];
                let control = crate::pvs::control(registers);
                self.vertex_programs.get(&self.engine, control, code)?
            }
        };
        let wants = Wants {
            outputs: &outputs,
            point_bounds,
            places: assembly.viewports.first().copied().filter(|_| needs_places),
            counter: counter.as_ref(),
        };
        let front = Front {
            assembly,
            wants,
            map: &map,
            program,
        };
        let height = area.y1.max(1) as u32;
        match cb::resolve(registers, height, ga::sample_count(registers))? {
            Some(resolve) => {
                let stage = self.resolve(memory, registers, area, &resolve)?;
                let waiting = &mut Waiting::default();
                counted(totals, true, |totals| {
                    self.shade(
                        (memory, state, draw),
                        front,
                        stage,
                        (false, waiting, totals),
                    )
                })?;
            }
            None => {
                let assembled = Assembled {
                    packet: &packet,
                    map: &map,
                    made: made.as_ref(),
                    area,
                };
                let stage = self.pixel(memory, state, assembled)?;
                let mut waiting = std::mem::take(&mut self.waiting);
                let waits = (true, &mut waiting, totals);
                let result = self.shade((memory, state, draw), front, stage, waits);
                self.waiting = waiting;
                result?;
            }
        }
        Ok(counter.map(|counter| counter.value()))
    }

    /// Runs both halves, the second later if it may wait.
    fn shade<S: PixelShader<Worker = WaveWorker, Draw = ()>>(
        &mut self,
        (memory, state, draw): (&Memory, &State, &Draw),
        front: Front,
        stage: PixelStage<S>,
        (waits, waiting, totals): (bool, &mut Waiting<S>, &mut Stats),
    ) -> Result<(), String> {
        let Front {
            mut assembly,
            wants,
            map,
            program,
        } = front;
        assembly.front.scissor = stage.area;
        assembly.back.scissor = stage.area;
        let source = (memory, state, &draw.source);
        let run = silicon::draw::Draw {
            threads: &self.threads,
            input_assembler: InputAssembler {
                topology: draw.topology,
                restart: None,
                range: draw.range,
                provoking_last: ga::provokes_last(&state.registers)?,
                reuse: draw.reuse,
                gathers: None,
            },
            amplifies: None,
            vertex: Vertex::new(
                self.engine.clone(),
                program,
                source,
                wants,
                self.start.wave_cost,
            )?,
            params: map.params,
            assembly: &assembly,
            stage: &Arc::new(stage),
            own: (),
            pixel_effects: false,
            serial: false,
            waits,
        };
        let part = Part {
            vertices: draw.vertices.clone(),
            instances: 1,
            offset: draw.offset as u32,
        };
        let kept = (&mut self.store, waiting);
        let result = run.run(memory, &[part], &mut self.workers, kept, totals);
        totals.texels += self.texels();
        result.map_err(told)
    }

    /// Texels that were read since the last call.
    fn texels(&mut self) -> u64 {
        let workers = self.workers.iter_mut();
        let texels = workers.map(|worker| &mut worker.shader.unit.texels);
        texels.map(std::mem::take).sum()
    }

    fn shade_waiting(&mut self, totals: &mut Stats) -> Result<(), String> {
        let (waiting, workers) = (&mut self.waiting, &mut self.workers);
        let result = silicon::draw::finish(waiting, &self.threads, workers, totals);
        totals.texels += self.texels();
        result.map_err(told)
    }
}

/// What stopped a draw: where in its program, if it was one.
fn told(trap: Trap) -> String {
    match trap.address {
        u64::MAX => trap.reason,
        _ => trap.to_string(),
    }
}

/// Runs draws and adds the samples that pass to those of the chip.
fn counting(
    state: &mut State,
    totals: &mut Stats,
    run: impl FnOnce(&State, &mut Stats) -> Result<(), String>,
) -> Result<(), String> {
    let before = totals.samples_passed;
    let result = run(state, totals);
    let passed = (totals.samples_passed - before) as u32;
    let registers = &mut state.registers;
    let count = ZB_ZPASS_DATA.read(registers, 0).wrapping_add(passed);
    registers.set(ZB_ZPASS_DATA.address, count);
    result
}
