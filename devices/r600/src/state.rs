//! What a draw is made from. In: registers and programs. Out: the state of both stages, decoded once and found again when
//! the registers are the same, and what each stage has bound.

use std::sync::Arc;

use radeon::r6xx::cb::TARGETS;
use radeon::r6xx::{draws, forms, stream, vgt};
use radeon::registers::RegisterFile;
use silicon::draw::check_surfaces;
use silicon::fragment::interpolate::CENTRES;
use silicon::fragment::multisample::Samples;
use silicon::fragment::output::DepthOutput;
use silicon::fragment::scan::{PixelStage, ViewportBounds};
use silicon::fragment::surface::Cache;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::Assembly;
use silicon::geometry::stream::{BUFFERS, StreamBuffer};
use silicon::geometry::vertices::InputAssembler;
use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::draw::{AlphaTest, Pixel};
use crate::geometry::{self, Path};
use crate::spi::{self, PixelInputs, VertexInputs};
use crate::sq::{Shader, Source, Stage, StageRegisters};
use crate::tiling::Surface;
use crate::{R600, cb, db, pa, regs, unexecuted};

/// A trap of the packet that draws.
fn wrong(reason: String) -> Trap {
    trap(u64::MAX, 0, reason)
}

/// Registers that say where a draw goes, as they are and [`CB_COLOR_STRIDE`](regs::CB_COLOR_STRIDE) further per target.
fn surfaces(registers: &RegisterFile) -> Arc<[u32]> {
    let firsts = [
        regs::CB_COLOR0_BASE,
        regs::CB_COLOR0_SIZE,
        regs::CB_COLOR0_VIEW,
        regs::CB_COLOR0_INFO,
    ];
    let color = |n: u32| firsts.map(|first| first + n * regs::CB_COLOR_STRIDE);
    let depth = [
        regs::DB_DEPTH_SIZE,
        regs::DB_DEPTH_VIEW,
        regs::DB_DEPTH_BASE,
        regs::DB_DEPTH_INFO,
    ];
    let all = (0..TARGETS).flat_map(color).chain(depth);
    all.map(|register| registers.get(register)).collect()
}

/// What draws are made from, as long as the registers stay what they are, but for what is bound.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) input_assembler: InputAssembler,
    pub(crate) vertex_inputs: VertexInputs,
    /// Vertices give no vector of point size and such.
    pub(crate) no_misc: bool,
    /// Before the vertex program, which then copies what is emitted: export and geometry program.
    before: Option<[Arc<Shader>; 2]>,
    pub(crate) path: Option<Path>,
    vertex_shader: Arc<Shader>,
    pub(crate) assembly: Assembly,
    pub(crate) params: usize,
    pub(crate) stage: Arc<PixelStage<Pixel>>,
    /// A pixel shader that is not run.
    idle: Option<Arc<Shader>>,
    /// Where it draws to, and what all of that has of the screen.
    surfaces: Arc<[u32]>,
    room: Rect,
    pub(crate) resolves: bool,
    /// Buffers that vertices go to, where a stream is on, and their addresses.
    pub(crate) streams: Option<[Option<StreamBuffer>; BUFFERS]>,
    pub(crate) stream_bases: [u64; BUFFERS],
}

impl State {
    fn pixel_shader(&self) -> Option<&Arc<Shader>> {
        self.stage.shader.as_ref().map(|pixel| &pixel.shader)
    }

    /// The same elsewhere on the screen.
    fn moved(&self, registers: &RegisterFile) -> Result<State, String> {
        let pa = pa::primitives(registers);
        let (stage, assembly) = pa.moved((&self.stage, &self.assembly), self.room)?;
        Ok(State {
            assembly,
            stage: Arc::new(stage),
            ..self.clone()
        })
    }

    /// Whether its programs are still those in memory.
    fn is_current(&self, memory: &Memory) -> bool {
        let before = self.before.iter().flatten();
        let mut all = before
            .chain([&self.vertex_shader])
            .chain(self.pixel_shader())
            .chain(&self.idle);
        all.all(|shader| shader.is_current(memory))
    }
}

/// What a draw is made from.
#[derive(Clone)]
pub struct Made {
    pub(crate) state: Arc<State>,
    /// What its stages have bound.
    pub(crate) before: Option<[Arc<Stage>; 2]>,
    pub(crate) vertex: Arc<Stage>,
    pub(crate) pixel: Option<Arc<Stage>>,
}

impl Made {
    fn stages(&self) -> impl Iterator<Item = &Arc<Stage>> {
        let before = self.before.iter().flatten();
        before.chain([&self.vertex]).chain(&self.pixel)
    }

    /// Threads that may run it: as many as there are slots in scratch memory.
    pub(crate) fn workers(&self) -> usize {
        let slots = self.stages().filter_map(|stage| stage.scratch);
        slots.fold(usize::MAX, |least, scratch| {
            least.min(scratch.slots as usize)
        })
    }
}

impl draws::Made for Made {
    fn may_wait(&self) -> bool {
        let scratch = self.stages().any(|stage| stage.scratch.is_some());
        // Rings are memory that the next draw changes, streams go on where the last draw ended.
        let state = &self.state;
        !scratch && !state.resolves && self.before.is_none() && state.streams.is_none()
    }

    fn waits_with(&self, other: &Made) -> bool {
        Arc::ptr_eq(&self.state, &other.state) || self.state.surfaces == other.state.surfaces
    }

    fn runs_with(&self, other: &Made) -> bool {
        // Of one state, so that both have the same stages.
        let same = |(a, b)| Arc::ptr_eq(a, b);
        Arc::ptr_eq(&self.state, &other.state) && self.stages().zip(other.stages()).all(same)
    }
}

impl R600 {
    /// What the next draw is made from.
    pub(crate) fn made(&mut self) -> Result<Made, Trap> {
        let state = self.state()?;
        let source = Source {
            registers: &self.registers,
            memory: &self.memory,
            stores: self.pending.stores(),
        };
        let mut stage = |at: &StageRegisters, shader: &Arc<Shader>| {
            let stage = self.stages.get(at, shader, source, &mut self.images);
            stage.map_err(wrong)
        };
        let before = match &state.before {
            Some([export, geometry]) => Some([
                stage(&StageRegisters::EXPORT, export)?,
                stage(&StageRegisters::GEOMETRY, geometry)?,
            ]),
            None => None,
        };
        let vertex = stage(&StageRegisters::VERTEX, &state.vertex_shader)?;
        let pixel = match state.pixel_shader() {
            Some(shader) => Some(stage(&StageRegisters::PIXEL, shader)?),
            None => None,
        };
        Ok(Made {
            state,
            before,
            vertex,
            pixel,
        })
    }

    /// The state of the registers, decoded.
    fn state(&mut self) -> Result<Arc<State>, Trap> {
        let stores = self.pending.stores();
        let is_current = |state: &State| state.is_current(&self.memory);
        if let Some(state) = self.states.get(&self.registers, stores, is_current) {
            return Ok(state);
        }
        let before = self
            .states
            .before_moves(&self.registers, stores, is_current);
        let state = Arc::new(match before {
            Some(state) => state.moved(&self.registers).map_err(wrong)?,
            None => self.decode()?,
        });
        self.states.put(&self.registers, stores, &state);
        Ok(state)
    }

    /// The program of a stage, where it has one.
    fn shader(&mut self, at: &StageRegisters) -> Result<Option<Arc<Shader>>, Trap> {
        let key = at.key(&self.registers).map_err(wrong)?;
        key.map(|key| self.programs.get(&self.memory, key))
            .transpose()
    }

    /// The program of a stage that has one.
    fn needed(&mut self, at: &StageRegisters) -> Result<Arc<Shader>, Trap> {
        let shader = self.shader(at)?;
        shader.ok_or_else(|| wrong(format!("SQ_PGM_START_{} is 0", at.name)))
    }

    fn decode(&mut self) -> Result<State, Trap> {
        unexecuted::draw(&self.registers).map_err(wrong)?;
        let mut input_assembler = vgt::input_assembler(&self.registers).map_err(wrong)?;
        let (before, path) = match geometry::is_on(&self.registers) {
            true => {
                let path = Path::new(&self.registers, &self.memory).map_err(wrong)?;
                input_assembler.gathers = path.shape().room();
                let export = self.needed(&StageRegisters::EXPORT)?;
                let geometry = self.needed(&StageRegisters::GEOMETRY)?;
                (Some([export, geometry]), Some(path))
            }
            false => (None, None),
        };
        let vertex_shader = self.needed(&StageRegisters::VERTEX)?;
        let pixel_shader = self.shader(&StageRegisters::PIXEL)?;

        let registers = &self.registers;
        let pa = pa::primitives(registers);
        let (mut samples, mut sample_positions) = pa.samples();
        let count = sample_positions.len();
        let resolves = cb::resolves(registers);
        if resolves {
            // One texel comes of all samples.
            (samples, sample_positions) = (Samples::ONE, vec![CENTRES]);
        }
        let per_sample = pa.per_sample && sample_positions.len() > 1;
        let copy = db::copy(registers, &self.memory, &mut self.surfaces, count).map_err(wrong)?;
        let copies = copy.is_some();
        let alpha_test = AlphaTest::new(registers);
        let fine_depth = self.start.fine_depth;
        let memory = &self.memory;
        let bound = |surfaces: &mut Cache<Surface>, layer: u32| {
            let mut depth = match resolves || copies {
                true => DepthOutput::default(),
                false => db::depth(registers, memory, surfaces, (count, layer))?,
            };
            depth.hi_z &= !fine_depth;
            depth.may_reject &= !fine_depth;
            // What the test drops must not have been written.
            depth.early &= alpha_test.is_none();
            let colors = match copies {
                true => Vec::new(),
                false => cb::targets(registers, memory, surfaces, (count, layer))?,
            };
            Ok::<_, String>((colors, depth))
        };
        let (mut colors, depth) = bound(&mut self.surfaces, 0).map_err(wrong)?;
        if let Some(copy) = copy {
            colors.push(cb::copying(registers, memory, &mut self.surfaces, copy).map_err(wrong)?);
        }
        let inputs = PixelInputs::new(registers);
        let map = spi::attributes(registers);
        let params = map.params;
        let (level, limit) = (self.start.level, self.start.wave_cost);
        let multisampled = sample_positions.len() > 1;
        let viewports = pa.viewports().bounds();
        let grid = pa.grid().map_err(wrong)?;
        let mut stage = PixelStage {
            memory: self.memory.clone(),
            level,
            grid,
            packs: !per_sample
                && ViewportBounds::share_depth_range(&viewports)
                && !(multisampled && inputs.needs_places()),
            needs_position: inputs.needs_position(),
            needs_places: inputs.needs_places(),
            needs_coverage: pixel_shader
                .as_ref()
                .is_some_and(|shader| inputs.needs_coverage(&shader.unread[1])),
            needs_planes: inputs.needs_planes(),
            others: Vec::new(),
            shader: pixel_shader.map(|shader| Pixel {
                engine: *self.programs.engine(),
                shader,
                inputs,
                map,
                alpha_test,
                packed: None,
                level,
                limit,
            }),
            per_sample,
            alpha_to_mask: db::alpha_to_mask(registers),
            colors,
            packed: Vec::new(),
            depth,
            samples,
            sample_positions,
            sample_mask: registers.get(regs::PA_SC_AA_MASK) & 0xff,
            area: Rect::ALL,
            viewports: Vec::new(),
            stipple: pa.stipple().map_err(wrong)?,
        };
        if pa.vertex_layers() {
            let surfaces = &mut self.surfaces;
            let tested = stage.depth.planes().next().map(|_| db::layers(registers));
            let drawn = cb::layers(registers, memory, surfaces);
            let layers = drawn.into_iter().chain(tested).min().unwrap_or(1);
            let bind = |stage: &mut PixelStage<Pixel>, layer: u32| {
                (stage.colors, stage.depth) = bound(surfaces, layer)?;
                Ok(())
            };
            stage.add_layers(layers, bind).map_err(wrong)?;
        }
        check_surfaces(&mut stage).map_err(wrong)?;
        let room = stage.area;
        stage.place(grid, room.intersect(pa.scissor()), &viewports);
        let idle = stage.take_idle_shader();
        forms::pack(&mut stage)?;
        let mut assembly = pa
            .assembly(stage.area, !(pa.centred || stage.samples.is_centre()))
            .map_err(wrong)?;
        // Nothing comes out of the shader export. (ERRATA 42)
        let misc = regs::SxMisc::from_word(registers.get(regs::SX_MISC));
        assembly.draws &= !misc.multipass;
        Ok(State {
            input_assembler,
            vertex_inputs: VertexInputs::new(registers),
            no_misc: !regs::PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL))
                .vs_out_misc_vec_ena,
            before,
            path,
            vertex_shader,
            assembly,
            params,
            stage: Arc::new(stage),
            idle: idle.map(|pixel| pixel.shader),
            surfaces: surfaces(registers),
            room,
            resolves,
            streams: streams(registers),
            stream_bases: std::array::from_fn(|n| {
                let register = regs::VGT_STRMOUT_BUFFER_BASE_0 + stream::BUFFER_STEP * n as u32;
                u64::from(registers.get(register)) << 8
            }),
        })
    }
}

/// The buffers of a stream, where one is on.
fn streams(registers: &RegisterFile) -> Option<[Option<StreamBuffer>; BUFFERS]> {
    let enabled = registers.get(regs::VGT_STRMOUT_EN) & 1 != 0;
    let buffers = registers.get(regs::VGT_STRMOUT_BUFFER_EN) & 0xf;
    enabled.then(|| stream::buffers(registers, buffers))
}
