//! One draw: registers to the state of its stages, and how waves of both stages run.

use lanes::{Batch, DefaultEngine};
use radeon::r6xx::cb::counted;
use radeon::r6xx::waves::WaveSlots;
use radeon::registers::RegisterFile;
use silicon::draw::{Draw, Finished, check_surfaces};
use silicon::fragment::blend::Source;
use silicon::fragment::output::PixelExports;
use silicon::fragment::scan::{
    PixelShader, PixelStage, PixelWaves, Position, ViewportBounds, batch_of,
};
use silicon::geometry::assembly::VertexExports;
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::vertices::{VertexInput, Vertices};
use silicon::host::SimdLevel;
use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::regs::SpiTmpringSize;
use crate::spi::interp::{Attributes, Interpolation, Step};
use crate::spi::{self, Launch, PixelInputs};
use crate::sq::{PortHandler, Shader, WaveAttributes, WaveState};
use crate::sx::ExportFormats;
use crate::ta::MemoryUnit;
use crate::{SouthernIslands, Start, cb, db, pa, regs, unexecuted, vgt};

/// What one thread keeps to run waves of both stages.
pub(crate) struct WaveWorker {
    unit: MemoryUnit,
    /// The first is for all waves, the others for those of a batch.
    slots: WaveSlots<WaveState>,
    /// Room for the columns and lines of a wave.
    position: Position,
}

impl WaveWorker {
    pub(crate) fn new(memory: Memory, start: Start) -> WaveWorker {
        WaveWorker {
            unit: MemoryUnit {
                level: start.level,
                strict: start.strict,
                ..MemoryUnit::new(memory)
            },
            slots: WaveSlots::default(),
            position: [[0; 64]; 2],
        }
    }
}

/// The vertex shader of a draw.
struct Vertex<'a> {
    engine: &'a DefaultEngine,
    shader: &'a Shader,
    launch: Launch,
    formats: ExportFormats,
    limit: u64,
}

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let WaveWorker { unit, slots, .. } = worker;
        slots.bind(1, &self.shader.program);
        let (waves, states) = slots.batch(1);
        self.launch
            .start_vertices(&mut waves[0], inputs, self.limit);
        self.launch.slots.start(unit, &mut waves[0]);
        let handler = PortHandler {
            shader: self.shader,
            unit,
            states,
            formats: self.formats,
            attributes: (),
        };
        handler.run(self.engine, waves).1
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        worker.slots.finished(0, |state| &state.exports.vertex)
    }
}

/// The pixel shader of a draw.
struct Pixel<'a> {
    engine: &'a DefaultEngine,
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
        let (count, program) = (self.batch(), &self.shader.program);
        worker.slots.bind(count, program);
        for wave in &mut worker.slots.waves[..count] {
            self.launch.set_scalars(wave);
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
        let WaveWorker {
            unit,
            slots,
            position,
        } = worker;
        let (registers, states) = slots.batch(waves.count());
        let (level, launch, limit) = (self.level, &self.launch, self.limit);
        self.inputs
            .start_batch(level, launch, waves, registers, limit, position);
        if let [wave] = &mut *registers {
            launch.slots.start(unit, wave);
        }
        let handler = PortHandler {
            shader: self.shader,
            unit,
            states,
            formats: self.formats,
            attributes: PixelAttributes { pixel: self, waves },
        };
        handler.run(self.engine, registers)
    }

    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        worker.slots.finished(wave, |state| &state.exports.pixel)
    }

    fn color(worker: &WaveWorker, wave: usize, target: usize) -> Source<'_> {
        let WaveSlots { waves, states } = &worker.slots;
        states[wave].exports.color(target, &waves[wave])
    }
}

/// Parameter memory of the waves of a batch.
struct PixelAttributes<'a> {
    pixel: &'a Pixel<'a>,
    waves: &'a PixelWaves<'a>,
}

impl PixelAttributes<'_> {
    fn of(&self, wave: usize) -> Attributes<'_> {
        Attributes {
            blocks: self.waves.blocks(),
            primitives: self.waves.primitives(wave),
            block_words: self.pixel.map.block_words(),
        }
    }
}

impl WaveAttributes for PixelAttributes<'_> {
    fn interpolate(&self, level: SimdLevel, program: &Interpolation, steps: &[Step], batch: Batch) {
        let Batch { first, waves } = batch;
        if self.waves.full_tiles().is_some() {
            return self.of(0).interpolate_all(level, program, steps, waves);
        }
        for (n, wave) in waves.iter_mut().enumerate() {
            self.of(first + n).interpolate(level, program, steps, wave);
        }
    }
}

/// A trap of the packet that draws.
fn wrong(reason: String) -> Trap {
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

impl SouthernIslands {
    /// Draws. A trap at address `u64::MAX` is the packet's.
    pub(crate) fn draw(&mut self, vertices: &Vertices) -> Result<(), Trap> {
        let registers = &self.registers;
        unexecuted::draw(registers).map_err(wrong)?;
        let input_assembler = vgt::input_assembler(registers).map_err(wrong)?;
        vertices.check().map_err(wrong)?;
        let mut launch = Launch::vertex(registers);
        let vertex_shader = self.programs.get(&self.memory, launch.resources)?;
        let mut pixel_launch = Launch::pixel(registers);
        let pixel_shader = match pixel_launch.resources.address {
            0 => None,
            _ => Some(self.programs.get(&self.memory, pixel_launch.resources)?),
        };
        let scratch = launch.scratch || pixel_launch.scratch;
        let ring = scratch_ring(registers, scratch).map_err(wrong)?;
        let vertex_effects = launch.has_side_effects(&vertex_shader, &self.memory, ring);
        let pixel_effects = pixel_shader
            .as_ref()
            .is_some_and(|shader| pixel_launch.has_side_effects(shader, &self.memory, ring));

        let mut depth =
            db::depth(registers, &self.memory, &mut self.surfaces, pixel_effects).map_err(wrong)?;
        depth.hi_z &= !self.start.fine_depth;
        let colors = cb::targets(registers, &self.memory, &mut self.surfaces).map_err(wrong)?;
        launch.clear_vertices(&vertex_shader);
        let resolves = cb::resolves(registers);
        let pa = pa::primitives(registers);
        let (samples, sample_positions) = pa.samples();
        let viewports = pa.viewports().bounds();
        let stipple = pa.stipple().map_err(wrong)?;
        let per_sample = pa.per_sample && sample_positions.len() > 1;
        let area = pa.scissor();
        let inputs = PixelInputs::new(registers);
        if let Some(shader) = &pixel_shader {
            pixel_launch.clear_pixels(shader, &inputs);
        }
        let map = spi::attributes(registers);
        let (level, limit) = (self.start.level, self.start.wave_cost);
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
                && ViewportBounds::share_depth_range(&viewports)
                && !per_sample
                && !(sample_positions.len() > 1 && (inputs.needs_places() || !depth.early)),
            needs_position: inputs.needs_position(),
            needs_places: inputs.needs_places(),
            needs_planes: inputs.needs_planes(),
            per_sample,
            alpha_to_mask: db::alpha_to_mask(registers),
            colors,
            depth,
            samples,
            sample_positions,
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
            input_assembler,
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
        let (uncounted, passed) = (
            registers.get(regs::DB_COUNT_CONTROL) & 1 != 0,
            self.totals.samples_passed,
        );
        let result = counted(&mut self.totals, resolves, |totals| {
            let result = draw.run(&self.memory, vertices, workers, &mut self.store, totals);
            let texels = workers
                .iter_mut()
                .map(|worker| &mut worker.shader.unit.texels);
            totals.texels += texels.map(std::mem::take).sum::<u64>();
            result
        });
        if uncounted {
            self.totals.samples_passed = passed;
        }
        result
    }
}
