//! One draw: registers to the state of its stages, and how waves of both stages run.

use lanes::{Interpreter, Wave};
use radeon::r6xx::codes::comparison;
use radeon::registers::RegisterFile;
use silicon::draw::{Draw, Finished, check_surfaces};
use silicon::fragment::blend::Source;
use silicon::fragment::depth::Compare;
use silicon::fragment::interpolate::{CENTRES, Coefficients};
use silicon::fragment::multisample::Samples;
use silicon::fragment::output::{DepthOutput, PixelExports};
use silicon::fragment::scan::{
    AnyWave, PixelShader, PixelStage, PixelWave, PixelWaves, Position, ViewportBounds, batch_of,
};
use silicon::geometry::assembly::VertexExports;
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::vertices::{VertexInput, Vertices};
use silicon::host::SimdLevel;
use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::regs::{self, SpiPsInControl0, SxAlphaTestControl};
use crate::spi::{self, PixelInputs, VertexInputs};
use crate::sq::{Group, Slot, Stage, StageRegisters, Unit, first_lanes, passing, set_lanes};
use crate::{R600, cb, db, pa, vgt};

/// What one thread keeps to run waves of both stages.
pub(crate) struct WaveWorker {
    unit: Unit,
    /// The first is for all waves, the others for those of a batch.
    slots: Vec<Slot>,
    /// Room for the columns and lines of a wave that runs alone.
    position: Position,
}

impl WaveWorker {
    pub(crate) fn new(memory: Memory, level: SimdLevel) -> WaveWorker {
        WaveWorker {
            unit: Unit::new(memory, level),
            slots: vec![Slot::default()],
            position: [[0; 64]; 2],
        }
    }

    /// The slot of all waves, and what they reach.
    fn parts(&mut self) -> (&mut Unit, &mut Slot) {
        let WaveWorker { unit, slots, .. } = self;
        (unit, &mut slots[0])
    }
}

/// The vertex shader of a draw.
struct Vertex<'a> {
    engine: &'a Interpreter,
    stage: &'a Stage,
    inputs: VertexInputs,
    limit: u64,
}

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let stage = self.stage;
        let (unit, slot) = worker.parts();
        let wave = &mut slot.wave;
        stage.bind(wave);
        spi::clear(wave, 0, stage, self.limit);
        set_lanes(wave, first_lanes(inputs.len()));
        self.inputs.start(&mut wave.rows, inputs);
        stage.run(self.engine, unit, slot)
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        let Slot { wave, own } = &worker.slots[0];
        Finished {
            instructions: wave.instructions,
            exports: &own.exports.vertex,
        }
    }
}

/// The test that SX does on the alpha of colour 0.
#[derive(Clone, Copy, Debug)]
struct AlphaTest {
    compare: Compare,
    reference: f32,
}

impl AlphaTest {
    fn new(registers: &RegisterFile) -> Option<AlphaTest> {
        let control = SxAlphaTestControl::from_word(registers.get(regs::SX_ALPHA_TEST_CONTROL));
        let enabled = control.alpha_test_enable && !control.alpha_test_bypass;
        enabled.then(|| AlphaTest {
            compare: comparison(control.alpha_func),
            reference: registers.float(regs::SX_ALPHA_REF),
        })
    }

    fn run(&self, Slot { wave, own }: &mut Slot) {
        let exports = &mut own.exports;
        let [_, _, _, alpha] = exports.color(0, wave);
        let pass = |lane: usize| {
            let alpha = f32::from_bits(alpha[lane]);
            self.compare.holds(alpha, self.reference)
        };
        exports.pixel.valid = passing(exports.pixel.valid, pass);
    }
}

/// The pixel shader of a draw.
struct Pixel<'a> {
    engine: &'a Interpreter,
    stage: &'a Stage,
    inputs: &'a PixelInputs,
    map: &'a AttributeMap,
    alpha_test: Option<AlphaTest>,
    level: SimdLevel,
    limit: u64,
}

impl PixelShader for Pixel<'_> {
    type Worker = WaveWorker;

    fn begin(&self, worker: &mut WaveWorker) {
        let count = self.batch();
        if worker.slots.len() < count {
            worker.slots.resize_with(count, Slot::default);
        }
        for slot in &mut worker.slots[..count] {
            self.stage.bind(&mut slot.wave);
        }
    }

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.map.block(vertices, out);
    }

    fn batch(&self) -> usize {
        match self.stage.scratch {
            Some(_) => 1,
            None => batch_of(4 * usize::from(self.stage.shader.setup().gprs)),
        }
    }

    fn run(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        let WaveWorker {
            unit,
            slots,
            position,
        } = worker;
        let slots = &mut slots[..waves.count()];
        let (ended, result) = match &mut *slots {
            [slot] => {
                self.start_any(waves, 0, position, &mut slot.wave);
                let result = self.stage.run(self.engine, unit, slot);
                (usize::from(result.is_ok()), result)
            }
            slots => {
                let shader = &self.stage.shader;
                let group = Group {
                    stage: self.stage,
                    prepared: match waves.full_tiles() {
                        Some(_) => &shader.prepared_tiles,
                        None => &shader.prepared,
                    },
                    unit,
                    slots,
                    start: |slots: &mut [Slot]| self.start_batch(waves, slots),
                };
                group.run(self.engine)
            }
        };
        if let Some(test) = &self.alpha_test {
            slots[..ended].iter_mut().for_each(|slot| test.run(slot));
        }
        (ended, result)
    }

    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        let Slot { wave, own } = &worker.slots[wave];
        Finished {
            instructions: wave.instructions,
            exports: &own.exports.pixel,
        }
    }

    fn color(worker: &WaveWorker, wave: usize, target: usize) -> Source<'_> {
        let Slot { wave, own } = &worker.slots[wave];
        own.exports.color(target, wave)
    }
}

impl Pixel<'_> {
    /// Gives a wave all that it starts with but its inputs.
    fn clear(&self, wave: &mut Wave, lanes: u64) {
        let attributes = self.inputs.attribute_rows();
        spi::clear(wave, attributes, self.stage, self.limit);
        set_lanes(wave, lanes);
    }

    /// Gives a wave all that it starts with.
    fn start<P: Coefficients>(&self, pixel: &PixelWave<P>, wave: &mut Wave) {
        self.clear(wave, pixel.exec);
        let unread = &self.stage.shader.never_read;
        let rows = &mut wave.rows[..unread.len()];
        self.inputs.start(self.level, pixel, unread, rows);
    }

    /// Gives a wave of a list all that it starts with.
    fn start_any(
        &self,
        waves: &PixelWaves,
        number: usize,
        position: &mut Position,
        wave: &mut Wave,
    ) {
        match waves.wave(number, position) {
            AnyWave::Tile(pixel) => self.start(&pixel, wave),
            AnyWave::Quads(pixel) => self.start(&pixel, wave),
        }
    }

    /// Gives the waves of a batch all that they start with.
    fn start_batch(&self, waves: &PixelWaves, slots: &mut [Slot]) {
        let Some(tiles) = waves.full_tiles() else {
            let mut position = [[0; 64]; 2];
            for (n, slot) in slots.iter_mut().enumerate() {
                self.start_any(waves, n, &mut position, &mut slot.wave);
            }
            return;
        };
        for slot in &mut *slots {
            self.clear(&mut slot.wave, u64::MAX);
        }
        let unread = &self.stage.shader.never_read;
        self.inputs
            .start_tiles(self.level, (waves, tiles), unread, slots);
    }
}

impl R600 {
    /// A stage of a draw; none without a program.
    fn stage(&mut self, at: &StageRegisters) -> Result<Option<Stage>, Trap> {
        let wrong = |reason: String| trap(u64::MAX, 0, reason);
        let Some(key) = at.key(&self.registers).map_err(wrong)? else {
            return Ok(None);
        };
        let shader = self.programs.get(&self.memory, key)?;
        let (registers, memory) = (&self.registers, &self.memory);
        let stage = Stage::new(at, shader, registers, memory, &mut self.images);
        stage.map(Some).map_err(wrong)
    }

    /// Draws. A trap at address `u64::MAX` is the packet's.
    pub(crate) fn draw(&mut self, vertices: &Vertices) -> Result<(), Trap> {
        let wrong = |reason: String| trap(u64::MAX, 0, reason);
        let grouper = vgt::grouper(&self.registers).map_err(wrong)?;
        vertices.check().map_err(wrong)?;
        let Some(vertex_stage) = self.stage(&StageRegisters::VERTEX)? else {
            return Err(wrong("SQ_PGM_START_VS is 0".to_owned()));
        };
        let pixel_stage = self.stage(&StageRegisters::PIXEL)?;

        let registers = &self.registers;
        let pa = pa::primitives(registers);
        let (mut samples, mut spots) = pa.samples();
        let count = spots.len();
        let resolves = cb::resolves(registers);
        if resolves {
            // One texel comes of all samples.
            (samples, spots) = (Samples::ONE, vec![CENTRES]);
        }
        let per_sample = pa.per_sample && spots.len() > 1;
        let mut depth = match resolves {
            true => DepthOutput::default(),
            false => {
                db::depth(registers, &self.memory, &mut self.surfaces, count).map_err(wrong)?
            }
        };
        depth.coarse &= !self.start.fine_depth;
        let colors = cb::targets(registers, &self.memory, &mut self.surfaces, count);
        let colors = colors.map_err(wrong)?;
        let control = SpiPsInControl0::from_word(registers.get(regs::SPI_PS_IN_CONTROL_0));
        if control.param_gen != 0 {
            let reason = "SPI_PS_IN_CONTROL_0.PARAM_GEN is not executed";
            return Err(wrong(reason.to_owned()));
        }
        let alpha_test = AlphaTest::new(registers);
        if alpha_test.is_some() {
            // What the test drops must not have been written.
            depth.early = false;
        }
        let area = pa.scissor();
        let inputs = PixelInputs::new(registers);
        let map = spi::attributes(registers);
        let (level, limit) = (self.start.level, self.start.wave_instructions);
        let engine = self.programs.engine();
        let multisampled = spots.len() > 1;
        let viewports = pa.viewports().bounds();
        let mut stage = PixelStage {
            memory: &self.memory,
            level,
            grid: pa::GRID,
            shader: pixel_stage.as_ref().map(|stage| Pixel {
                engine,
                stage,
                inputs: &inputs,
                map: &map,
                alpha_test,
                level,
                limit,
            }),
            packs: !per_sample
                && ViewportBounds::limit_alike(&viewports)
                && !(multisampled && (inputs.needs_places() || !depth.early)),
            needs_position: inputs.needs_position(),
            needs_places: inputs.needs_places(),
            needs_planes: inputs.needs_planes(),
            per_sample,
            alpha_to_mask: db::alpha_to_mask(registers),
            colors,
            depth,
            samples,
            spots,
            sample_mask: registers.get(regs::PA_SC_AA_MASK) & 0xff,
            area,
            viewports,
            stipple: pa.stipple().map_err(wrong)?,
        };
        check_surfaces(&mut stage).map_err(wrong)?;
        let stages = [Some(&vertex_stage), pixel_stage.as_ref()];
        let slots = stages.into_iter().flatten().filter_map(|s| s.scratch);
        let slots = slots.map(|scratch| scratch.slots).min();
        let useful = slots.map_or(usize::MAX, |slots| slots as usize);
        let useful = useful.min(self.workers.len());
        let workers = &mut self.workers[..useful];
        for (slot, worker) in workers.iter_mut().enumerate() {
            worker.shader.unit.slot = slot as u64;
        }
        let draw = Draw {
            threads: &self.threads,
            grouper,
            vertex: Vertex {
                engine,
                stage: &vertex_stage,
                inputs: VertexInputs::new(registers),
                limit,
            },
            params: map.params,
            assembly: pa.assembly(stage.area, !stage.samples.is_centre()),
            stage,
            // Programs of this chip store to nothing that other waves see.
            pixel_effects: false,
            serial: false,
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
