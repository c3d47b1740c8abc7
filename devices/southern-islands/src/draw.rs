//! One draw: registers to the state of its stages, and how waves of both stages run.

use lanes::{Interpreter, Wave};
use silicon::draw::{Draw, Finished, check_surfaces};
use silicon::fragment::blend::Source;
use silicon::fragment::output::PixelExports;
use silicon::fragment::scan::{
    AnyWave, PixelShader, PixelStage, PixelWaves, Position, ViewportBounds, batch_of,
};
use silicon::geometry::assembly::VertexExports;
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::vertices::{VertexInput, Vertices};
use silicon::host::SimdLevel;
use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::spi::interp::{Attributes, Interpolation, Step};
use crate::spi::{self, Launch, PixelInputs};
use crate::sq::{Group, Origin, Outside, Shader};
use crate::sx::{ExportFormats, Exports};
use crate::ta::MemoryUnit;
use crate::{SouthernIslands, Start, cb, db, pa, regs, vgt};

/// What one thread keeps to run waves of both stages.
pub(crate) struct WaveWorker {
    unit: MemoryUnit,
    /// The first is for all waves, the others for those of a batch.
    slots: Vec<Slot>,
    /// Room for the columns and lines of a wave that runs alone.
    position: Position,
}

/// A wave and what it exported.
pub(crate) struct Slot {
    pub(crate) wave: Wave,
    pub(crate) exports: Box<Exports>,
}

impl Default for Slot {
    fn default() -> Slot {
        Slot {
            wave: Wave::new(0, 0),
            exports: Exports::new(),
        }
    }
}

impl WaveWorker {
    pub(crate) fn new(memory: Memory, start: Start) -> WaveWorker {
        WaveWorker {
            unit: MemoryUnit {
                level: start.level,
                strict: start.strict,
                ..MemoryUnit::new(memory)
            },
            slots: vec![Slot::default()],
            position: [[0; 64]; 2],
        }
    }

    /// The slot of all waves, and the memory unit.
    fn parts(&mut self) -> (&mut MemoryUnit, &mut Slot) {
        let WaveWorker { unit, slots, .. } = self;
        (unit, &mut slots[0])
    }
}

/// The vertex shader of a draw.
struct Vertex<'a> {
    engine: &'a Interpreter,
    shader: &'a Shader,
    launch: Launch,
    formats: ExportFormats,
    limit: u64,
}

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let (unit, slot) = worker.parts();
        self.shader.bind(&mut slot.wave);
        self.launch
            .start_vertices(&mut slot.wave, inputs, self.limit);
        self.launch.slots.start(unit, &mut slot.wave);
        let outside = (self.formats, Attributes::NONE);
        run(self.engine, self.shader, unit, slot, outside)
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        let Slot { wave, exports } = &worker.slots[0];
        Finished {
            instructions: wave.instructions,
            exports: &exports.vertex,
        }
    }
}

/// The pixel shader of a draw.
struct Pixel<'a> {
    engine: &'a Interpreter,
    shader: &'a Shader,
    launch: Launch,
    inputs: &'a PixelInputs,
    map: &'a AttributeMap,
    formats: ExportFormats,
    level: SimdLevel,
    limit: u64,
    /// Its waves change what others see.
    effects: bool,
}

impl PixelShader for Pixel<'_> {
    type Worker = WaveWorker;

    fn begin(&self, worker: &mut WaveWorker) {
        let count = self.batch();
        if worker.slots.len() < count {
            worker.slots.resize_with(count, Slot::default);
        }
        for slot in &mut worker.slots[..count] {
            self.shader.bind(&mut slot.wave);
            self.launch.set_scalars(&mut slot.wave);
        }
    }

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.map.block(vertices, out);
    }

    fn batch(&self) -> usize {
        if self.effects || self.launch.scratch || self.shader.uses_lds {
            1
        } else {
            batch_of(self.launch.resources.vgprs.into())
        }
    }

    fn run(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        if waves.count() == 1 {
            let result = self.run_alone(worker, waves);
            return (usize::from(result.is_ok()), result);
        }
        let WaveWorker { unit, slots, .. } = worker;
        let group = Group {
            shader: self.shader,
            prepared: match waves.full_tiles() {
                Some(_) => &self.shader.prepared_tiles,
                None => &self.shader.prepared,
            },
            unit,
            slots: &mut slots[..waves.count()],
            formats: self.formats,
            origin: PixelOrigin { pixel: self, waves },
        };
        group.run(self.engine)
    }

    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        let Slot { wave, exports } = &worker.slots[wave];
        Finished {
            instructions: wave.instructions,
            exports: &exports.pixel,
        }
    }

    fn color(worker: &WaveWorker, wave: usize, target: usize) -> Source<'_> {
        let Slot { wave, exports } = &worker.slots[wave];
        exports.color(target, wave)
    }
}

impl Pixel<'_> {
    /// Parameter memory as waves of these primitives see it.
    fn attributes<'b>(&self, blocks: &'b [u32], primitives: &'b [u32]) -> Attributes<'b> {
        Attributes {
            blocks,
            primitives,
            block_words: self.map.block_words(),
        }
    }

    /// Runs a wave that may have effects besides its exports.
    fn run_alone(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> Result<(), Trap> {
        let WaveWorker {
            unit,
            slots,
            position,
        } = worker;
        let slot = &mut slots[0];
        let (level, launch, limit) = (self.level, &self.launch, self.limit);
        let wave = &mut slot.wave;
        match waves.wave(0, position) {
            AnyWave::Tile(pixel) => self.inputs.start(level, launch, &pixel, wave, limit),
            AnyWave::Quads(pixel) => self.inputs.start(level, launch, &pixel, wave, limit),
        }
        launch.slots.start(unit, wave);
        let attributes = self.attributes(waves.blocks(), waves.primitives(0));
        let outside = (self.formats, attributes);
        run(self.engine, self.shader, unit, slot, outside)
    }
}

/// Where the waves of a batch come from.
struct PixelOrigin<'a> {
    pixel: &'a Pixel<'a>,
    waves: &'a PixelWaves<'a>,
}

impl Origin for PixelOrigin<'_> {
    fn start(&self, slots: &mut [Slot]) {
        let of = self.pixel;
        of.inputs
            .start_batch(of.level, &of.launch, self.waves, slots, of.limit);
    }

    fn interpolate(
        &self,
        level: SimdLevel,
        program: &Interpolation,
        steps: &[Step],
        slots: &mut [Slot],
    ) {
        if self.waves.full_tiles().is_some() {
            let attributes = self.attributes(0);
            return attributes.interpolate_all(level, program, steps, slots);
        }
        for (n, slot) in slots.iter_mut().enumerate() {
            let attributes = self.attributes(n);
            attributes.interpolate(level, program, steps, &mut slot.wave);
        }
    }

    fn attributes(&self, wave: usize) -> Attributes<'_> {
        let waves = self.waves;
        self.pixel
            .attributes(waves.blocks(), waves.primitives(wave))
    }
}

/// Runs a wave that has its registers.
fn run(
    engine: &Interpreter,
    shader: &Shader,
    unit: &mut MemoryUnit,
    slot: &mut Slot,
    (formats, attributes): (ExportFormats, Attributes),
) -> Result<(), Trap> {
    let Slot { wave, exports } = slot;
    exports.clear();
    if shader.uses_lds {
        unit.lds.fill(0);
    }
    Outside::new(shader, unit, exports, formats, attributes).run(engine, wave)
}

impl SouthernIslands {
    /// Draws. A trap at address `u64::MAX` is the packet's.
    pub(crate) fn draw(&mut self, vertices: &Vertices) -> Result<(), Trap> {
        let wrong = |reason: String| trap(u64::MAX, 0, reason);
        let registers = &self.registers;
        let grouper = vgt::grouper(registers).map_err(wrong)?;
        vertices.check().map_err(wrong)?;
        let mut launch = Launch::vertex(registers);
        let vertex_shader = self.programs.get(&self.memory, launch.resources)?;
        let mut pixel_launch = Launch::pixel(registers);
        let pixel_shader = match pixel_launch.resources.address {
            0 => None,
            _ => Some(self.programs.get(&self.memory, pixel_launch.resources)?),
        };
        let scratch = launch.scratch || pixel_launch.scratch;
        let ring = regs::SpiTmpringSize::from_word(registers.get(regs::SPI_TMPRING_SIZE));
        if scratch && ring.waves == 0 {
            let reason = "a shader uses scratch memory and SPI_TMPRING_SIZE allows no wave";
            return Err(wrong(reason.to_owned()));
        }
        let vertex_effects = launch.has_side_effects(&vertex_shader, &self.memory, ring);
        let pixel_effects = pixel_shader
            .as_ref()
            .is_some_and(|shader| pixel_launch.has_side_effects(shader, &self.memory, ring));

        let mut depth =
            db::depth(registers, &self.memory, &mut self.surfaces, pixel_effects).map_err(wrong)?;
        depth.coarse &= !self.start.fine_depth;
        let colors = cb::targets(registers, &self.memory, &mut self.surfaces).map_err(wrong)?;
        launch.clear_vertices(&vertex_shader);
        let resolves = cb::resolves(registers);
        let pa = pa::primitives(registers);
        let (samples, spots) = pa.samples();
        let viewports = pa.viewports().bounds();
        let stipple = pa.stipple().map_err(wrong)?;
        let per_sample = pa.per_sample && spots.len() > 1;
        let area = pa.scissor();
        let inputs = PixelInputs::new(registers);
        if let Some(shader) = &pixel_shader {
            pixel_launch.clear_pixels(shader, &inputs);
        }
        let map = spi::attributes(registers);
        let (level, limit) = (self.start.level, self.start.wave_instructions);
        let engine = self.programs.engine();
        let mut stage = PixelStage {
            memory: &self.memory,
            level,
            grid: pa::GRID,
            shader: pixel_shader.as_deref().map(|shader| Pixel {
                engine,
                shader,
                launch: pixel_launch,
                inputs: &inputs,
                map: &map,
                formats: ExportFormats {
                    color: registers.get(regs::SPI_SHADER_COL_FORMAT),
                    depth: registers.get(regs::SPI_SHADER_Z_FORMAT),
                    ..ExportFormats::default()
                },
                level,
                limit,
                effects: pixel_effects,
            }),
            packs: !pixel_effects
                && ViewportBounds::limit_alike(&viewports)
                && !per_sample
                && !(spots.len() > 1 && (inputs.needs_places() || !depth.early)),
            needs_position: inputs.needs_position(),
            needs_places: inputs.needs_places(),
            needs_planes: inputs.needs_planes(),
            per_sample,
            alpha_to_mask: db::alpha_to_mask(registers),
            colors,
            depth,
            samples,
            spots,
            sample_mask: registers.get(regs::PA_SC_AA_MASK_X0Y0_X1Y0) & 0xffff,
            area,
            viewports,
            stipple,
        };
        check_surfaces(&mut stage).map_err(wrong)?;
        // With scratch memory a thread needs a slot there.
        let most = if scratch {
            ring.waves.into()
        } else {
            usize::MAX
        };
        let count = self.workers.len().min(most);
        let workers = &mut self.workers[..count];
        for (slot, worker) in workers.iter_mut().enumerate() {
            worker.shader.unit.clock = self.totals.instructions;
            worker.shader.unit.scratch_slot = slot;
            worker.shader.unit.border_colors = u64::from(registers.get(regs::TA_BC_BASE_ADDR)) << 8;
        }
        let draw = Draw {
            threads: &self.threads,
            grouper,
            vertex: Vertex {
                engine,
                shader: &vertex_shader,
                launch,
                formats: ExportFormats {
                    positions: pa::positions(registers),
                    ..ExportFormats::default()
                },
                limit,
            },
            params: map.params,
            assembly: pa.assembly(stage.area, !stage.samples.is_centre()),
            stage,
            pixel_effects,
            // Shaders that store run in submission order, on one thread.
            serial: vertex_effects || pixel_effects,
        };
        let mut totals = self.totals;
        let result = draw.run(
            &self.memory,
            vertices,
            workers,
            &mut self.store,
            &mut totals,
        );
        self.totals = match resolves {
            // A resolve is work, but nothing that the stages count.
            true => self.totals.with_work_of(totals),
            false => totals,
        };
        result
    }
}
