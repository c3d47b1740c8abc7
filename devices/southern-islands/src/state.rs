//! The state of a draw: registers to both stages. It is decoded once, and found again when the registers are the same.

use std::sync::Arc;

use radeon::r6xx::cb::TARGETS;
use radeon::r6xx::{draws, forms, stream, vgt};
use radeon::registers::RegisterFile;
use silicon::draw::{check_surfaces, surface_samples};
use silicon::fragment::interpolate::CENTRES;
use silicon::fragment::multisample::Samples;
use silicon::fragment::scan::{PixelStage, ViewportBounds};
use silicon::fragment::surface::Cache;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::Assembly;
use silicon::geometry::stream::{BUFFERS, StreamBuffer};
use silicon::geometry::vertices::InputAssembler;
use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::draw::Pixel;
use crate::geometry::{self, Path};
use crate::regs::{DbShaderControl, SpiTmpringSize, VgtStrmoutBufferConfig, VgtStrmoutConfig};
use crate::spi::{self, Launch, PixelInputs, User};
use crate::sq::Shader;
use crate::sx::ExportFormats;
use crate::tess::{self, Tessellation};
use crate::tiling::Surface;
use crate::{SouthernIslands, cb, db, pa, regs, unexecuted};

/// A trap of the packet that draws.
pub(crate) fn wrong(reason: String) -> Trap {
    trap(u64::MAX, 0, reason)
}

/// Scratch memory of the waves of a draw, or the reason why there is none where a shader uses it.
fn scratch_ring(registers: &RegisterFile, used: bool) -> Result<SpiTmpringSize, String> {
    let ring = SpiTmpringSize::from_word(registers.get(regs::SPI_TMPRING_SIZE));
    match used && ring.waves == 0 {
        true => Err("a shader uses scratch memory and SPI_TMPRING_SIZE allows no wave".to_owned()),
        false => Ok(ring),
    }
}

/// Registers that say where a draw goes, as they are and [`CB_COLOR_STRIDE`](regs::CB_COLOR_STRIDE) further per target.
fn surfaces(registers: &RegisterFile) -> Arc<[u32]> {
    let colors = (0..TARGETS).flat_map(|n| {
        let first = regs::CB_COLOR0_BASE + n * regs::CB_COLOR_STRIDE;
        (first..first + 24).step_by(4)
    });
    let depths = (regs::DB_Z_INFO..regs::DB_Z_INFO + 32).step_by(4);
    let all = colors.chain(depths).chain([regs::DB_DEPTH_VIEW]);
    all.map(|register| registers.get(register)).collect()
}

/// What draws are made from, as long as the registers stay what they are.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) input_assembler: InputAssembler,
    /// Before the vertex shader, which then is of domain points.
    pub(crate) tessellation: Option<Arc<Tessellation>>,
    /// Before the vertex shader, which then copies what it emits.
    pub(crate) geometry: Option<Arc<Path>>,
    pub(crate) vertex_shader: Arc<Shader>,
    pub(crate) vertex_launch: Launch,
    pub(crate) vertex_formats: ExportFormats,
    pub(crate) assembly: Assembly,
    pub(crate) params: usize,
    pub(crate) stage: Arc<PixelStage<Pixel>>,
    /// A pixel shader that is not run.
    idle: Option<Arc<Shader>>,
    /// Where it draws to, and what all of that has of the screen.
    pub(crate) surfaces: Arc<[u32]>,
    room: Rect,
    /// Workers that may run it.
    pub(crate) workers: usize,
    pub(crate) vertex_effects: bool,
    pub(crate) pixel_effects: bool,
    pub(crate) resolves: bool,
    /// Samples that pass are not counted.
    pub(crate) uncounted: bool,
    /// Buffers that vertices go to, where a stream is on.
    pub(crate) streams: Option<[Option<StreamBuffer>; BUFFERS]>,
    pub(crate) border_colors: u64,
}

impl State {
    /// Whether all that shaders see of other draws is in textures and buffers.
    pub(crate) fn may_wait(&self) -> bool {
        let pixel = self.stage.shader.as_ref();
        let before = self
            .geometry
            .as_ref()
            .is_some_and(|path| path.reads_clock());
        let rings = self.geometry.is_some() || self.tessellation.is_some();
        let clock =
            before || self.vertex_shader.reads_clock || pixel.is_some_and(|p| p.shader.reads_clock);
        let stores = self.vertex_effects || self.pixel_effects;
        let effects = stores || rings || self.streams.is_some();
        !clock && !effects && !self.resolves && !self.uncounted && !self.is_scratch()
    }

    /// Whether it depends on descriptors of scratch memory or of rings.
    fn is_scratch(&self) -> bool {
        let pixel = self.stage.shader.as_ref();
        self.geometry.is_some()
            || self.tessellation.is_some()
            || self.vertex_launch.scratch
            || pixel.is_some_and(|pixel| pixel.launch.scratch)
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
        let pixel = self.stage.shader.as_ref();
        let before = self.geometry.as_ref();
        let tessellation = self.tessellation.as_ref();
        before.is_none_or(|path| path.is_current(memory))
            && tessellation.is_none_or(|path| path.is_current(memory))
            && self.vertex_shader.is_current(memory)
            && pixel.is_none_or(|p| p.shader.is_current(memory))
            && self
                .idle
                .as_ref()
                .is_none_or(|shader| shader.is_current(memory))
    }
}

impl SouthernIslands {
    /// The state of the registers, decoded.
    pub(crate) fn state(&mut self) -> Result<Arc<State>, Trap> {
        let stores = self.pending.stores();
        let is_current = |state: &State| !state.is_scratch() && state.is_current(&self.memory);
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

    fn decode(&mut self) -> Result<State, Trap> {
        let registers = &self.registers;
        unexecuted::draw(registers).map_err(wrong)?;
        let hull = Tessellation::launches(registers);
        let mut input_assembler = match hull {
            Some(_) => tess::input_assembler(registers),
            None => vgt::input_assembler(registers),
        }
        .map_err(wrong)?;
        let path = Path::launches(registers);
        let mut launch = Launch::vertex(registers);
        let vertex_shader = self.programs.get(&self.memory, launch.resources)?;
        let mut pixel_launch = Launch::pixel(registers);
        let pixel_shader = match pixel_launch.resources.address {
            0 => None,
            _ => Some(self.programs.get(&self.memory, pixel_launch.resources)?),
        };
        let mut before = path.iter().chain(&hull).flatten();
        let before = before.any(|launch| launch.scratch);
        let scratch = before || launch.scratch || pixel_launch.scratch;
        let ring = scratch_ring(registers, scratch).map_err(wrong)?;
        let users = Users::new(registers);
        let geometry = match path {
            Some(launches) => {
                let (memory, programs) = (&self.memory, &mut self.programs);
                let path = Path::new(registers, memory, programs, ring, launches)?;
                input_assembler.gathers = path.shape().room();
                Some(Arc::new(path))
            }
            None => None,
        };
        let tessellation = match hull {
            Some(launches) => {
                let (memory, programs) = (&self.memory, &mut self.programs);
                let path = Tessellation::new(registers, memory, programs, ring, launches)?;
                input_assembler.gathers = Some(path.patches.room());
                Some(Arc::new(path))
            }
            None => None,
        };
        let vertex_effects =
            launch.has_side_effects(&vertex_shader, &self.memory, ring, &users.vertex);
        let pixel_effects = pixel_shader.as_ref().is_some_and(|shader| {
            pixel_launch.has_side_effects(shader, &self.memory, ring, &users.pixel)
        });

        let fine_depth = self.start.fine_depth;
        let memory = &self.memory;
        let bound = |surfaces: &mut Cache<Surface>, layer: u32| {
            let mut depth = db::depth(registers, memory, surfaces, pixel_effects, layer)?;
            depth.hi_z &= !fine_depth;
            depth.may_reject &= !fine_depth;
            let colors = cb::targets(registers, memory, surfaces, layer)?;
            Ok::<_, String>((colors, depth))
        };
        let (colors, depth) = bound(&mut self.surfaces, 0).map_err(wrong)?;
        launch.clear_vertices(&vertex_shader);
        let pa = pa::primitives(registers);
        let (mut samples, mut sample_positions) = pa.samples();
        let resolves = cb::resolves(registers);
        if resolves {
            // One texel comes of all samples.
            (samples, sample_positions) = (Samples::ONE, vec![CENTRES]);
        }
        let multisampled = !(pa.centred || samples.is_centre());
        let stored = surface_samples(&colors, &depth);
        if sample_positions.len() == 1 && stored > 1 && !resolves {
            // All samples of a pixel are what its centre is.
            (samples, sample_positions) = (Samples::centres(stored), vec![CENTRES; stored]);
        }
        let viewports = pa.viewports().bounds();
        let grid = pa.grid().map_err(wrong)?;
        let per_sample = pa.per_sample && multisampled;
        let mut inputs = PixelInputs::new(registers);
        if let Some(shader) = &pixel_shader {
            inputs.keep_read(shader);
            pixel_launch.clear_pixels(shader, &inputs);
        }
        let map = spi::attributes(registers);
        let params = map.params;
        let mut stage = PixelStage {
            memory: self.memory.clone(),
            level: self.start.level,
            grid,
            packs: !(pixel_effects || per_sample)
                && ViewportBounds::share_depth_range(&viewports)
                && (sample_positions.len() <= 1 || !inputs.needs_places()),
            needs_position: inputs.needs_position(),
            needs_places: inputs.needs_places(),
            needs_coverage: inputs.needs_coverage(),
            needs_planes: inputs.needs_planes(),
            others: Vec::new(),
            shader: pixel_shader.map(|shader| Pixel {
                engine: *self.programs.engine(),
                shader,
                launch: pixel_launch,
                inputs,
                map,
                formats: ExportFormats {
                    color: registers.get(regs::SPI_SHADER_COL_FORMAT),
                    depth: registers.get(regs::SPI_SHADER_Z_FORMAT),
                    ..ExportFormats::default()
                },
                packed: None,
                level: self.start.level,
                limit: self.start.wave_cost,
                effects: pixel_effects,
            }),
            per_sample,
            alpha_to_mask: db::alpha_to_mask(registers),
            colors,
            packed: Vec::new(),
            depth,
            samples,
            sample_positions,
            sample_mask: registers.get(regs::PA_SC_AA_MASK_X0Y0_X1Y0) & 0xffff,
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
                if let Some(pixel) = &mut stage.shader {
                    pixel.inputs.layer = layer;
                }
                Ok(())
            };
            stage.add_layers(layers, bind).map_err(wrong)?;
        }
        let before_effects = geometry.as_ref().is_some_and(|path| path.effects);
        check_surfaces(&mut stage).map_err(wrong)?;
        let room = stage.area;
        stage.place(grid, room.intersect(pa.scissor()), &viewports);
        let control = DbShaderControl::from_word(registers.get(regs::DB_SHADER_CONTROL));
        let idle = match pixel_effects || scratch || control.exec_on_noop {
            true => None,
            false => stage.take_idle_shader(),
        };
        forms::pack(&mut stage)?;
        Ok(State {
            input_assembler,
            tessellation,
            geometry,
            vertex_shader,
            vertex_launch: launch,
            vertex_formats: ExportFormats {
                positions: pa::positions(registers),
                ..ExportFormats::default()
            },
            assembly: pa.assembly(stage.area, multisampled).map_err(wrong)?,
            params,
            stage: Arc::new(stage),
            idle: idle.map(|pixel| pixel.shader),
            surfaces: surfaces(registers),
            room,
            // With scratch memory a thread needs a slot there.
            workers: match scratch {
                true => ring.waves.into(),
                false => usize::MAX,
            },
            vertex_effects: vertex_effects || before_effects,
            pixel_effects,
            resolves,
            streams: streams(registers),
            uncounted: registers.get(regs::DB_COUNT_CONTROL) & 1 != 0,
            border_colors: u64::from(registers.get(regs::TA_BC_BASE_ADDR)) << 8,
        })
    }
}

/// The buffers of a stream, where one is on.
fn streams(registers: &RegisterFile) -> Option<[Option<StreamBuffer>; BUFFERS]> {
    let config = VgtStrmoutConfig::from_word(registers.get(regs::VGT_STRMOUT_CONFIG));
    let enabled = VgtStrmoutBufferConfig::from_word(registers.get(regs::VGT_STRMOUT_BUFFER_CONFIG));
    let enabled = u32::from(enabled.stream_0_buffer_en);
    config
        .streamout_0_en
        .then(|| stream::buffers(registers, enabled))
}

/// What a draw is made from.
#[derive(Clone)]
pub struct Made {
    pub(crate) state: Arc<State>,
    pub(crate) users: Users,
}

impl draws::Made for Made {
    fn may_wait(&self) -> bool {
        self.state.may_wait()
    }

    fn waits_with(&self, other: &Made) -> bool {
        let (a, b) = (&self.state, &other.state);
        let equal = || a.surfaces == b.surfaces && a.border_colors == b.border_colors;
        Arc::ptr_eq(a, b) || equal()
    }

    fn runs_with(&self, other: &Made) -> bool {
        Arc::ptr_eq(&self.state, &other.state) && self.users == other.users
    }
}

/// User SGPRs of all stages.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Users {
    pub(crate) vertex: User,
    pub(crate) pixel: User,
    /// Of the stages before a copy shader.
    pub(crate) geometry: Option<geometry::Users>,
    /// Of the stages before a shader of domain points.
    pub(crate) tessellation: Option<tess::Users>,
}

impl Users {
    pub(crate) fn new(registers: &RegisterFile) -> Users {
        Users {
            vertex: spi::user(registers, regs::SPI_SHADER_USER_DATA_VS_0),
            pixel: spi::user(registers, regs::SPI_SHADER_USER_DATA_PS_0),
            geometry: geometry::users(registers),
            tessellation: tess::users(registers),
        }
    }
}
