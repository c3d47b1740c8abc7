//! One draw: registers to the state of its stages, and how waves of both stages run.

use std::sync::Arc;

use lanes::{DefaultEngine, Wave, first_lanes};
use radeon::r6xx::cb::counted;
use radeon::r6xx::codes::comparison;
use radeon::r6xx::waves::WaveSlots;
use radeon::registers::RegisterFile;
use silicon::draw::{Draw, Finished, check_surfaces};
use silicon::fragment::Waiting;
use silicon::fragment::blend::Source;
use silicon::fragment::depth::Compare;
use silicon::fragment::interpolate::{CENTRES, Coefficients};
use silicon::fragment::multisample::Samples;
use silicon::fragment::output::{DepthOutput, PixelExports};
use silicon::fragment::quads::QuadTable;
use silicon::fragment::scan::{
    AnyWave, PixelShader, PixelStage, PixelWave, PixelWaves, ViewportBounds, WaveRows, batch_of,
};
use silicon::geometry::assembly::VertexExports;
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::vertices::{VertexInput, Vertices};
use silicon::host::SimdLevel;
use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::regs::{self, SxAlphaTestControl};
use crate::spi::{self, PixelInputs, VertexInputs};
use crate::sq::{Stage, StageRegisters, Unit, WaveState, passing};
use crate::{R600, cb, db, pa, unexecuted, vgt};

/// What one thread keeps to run waves of both stages.
pub(crate) struct WaveWorker {
    unit: Unit,
    /// The first is for all waves, the others for those of a batch.
    slots: WaveSlots<WaveState>,
    /// Room for rows of a wave that starts.
    rows: Box<WaveRows>,
    /// Attributes of a wave of several primitives.
    table: QuadTable,
}

impl WaveWorker {
    pub(crate) fn new(memory: Memory, level: SimdLevel) -> WaveWorker {
        WaveWorker {
            unit: Unit::new(memory, level),
            slots: WaveSlots::default(),
            rows: Box::default(),
            table: QuadTable::default(),
        }
    }
}

/// The vertex shader of a draw.
struct Vertex<'a> {
    engine: &'a DefaultEngine,
    stage: &'a Stage,
    inputs: VertexInputs,
    limit: u64,
}

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let (stage, WaveWorker { unit, slots, .. }) = (self.stage, worker);
        slots.bind(1, &stage.shader.loaded);
        let (waves, states) = slots.batch(1);
        let wave = &mut waves[0];
        let lanes = first_lanes(inputs.len());
        spi::clear(wave, lanes, 0, stage, self.limit);
        self.inputs.start(&mut wave.rows, inputs);
        stage.run(self.engine, unit, waves, states).1
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        worker.slots.finished(0, |state| &state.exports.vertex)
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

    fn run(&self, wave: &Wave, state: &mut WaveState) {
        let exports = &mut state.exports;
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
    engine: &'a DefaultEngine,
    stage: &'a Stage,
    inputs: &'a PixelInputs,
    map: &'a AttributeMap,
    alpha_test: Option<AlphaTest>,
    level: SimdLevel,
    limit: u64,
}

impl PixelShader for Pixel<'_> {
    type Worker = WaveWorker;
    type Draw = ();

    fn begin(&self, worker: &mut WaveWorker, (): &()) {
        worker.slots.bind(self.batch(), &self.stage.shader.loaded);
    }

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.map.block(self.level, vertices, out);
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
            rows,
            table,
        } = worker;
        let (registers, states) = slots.batch(waves.count());
        self.start_batch(waves, (rows, table), registers);
        let (ended, result) = self.stage.run(self.engine, unit, registers, states);
        if let Some(test) = &self.alpha_test {
            let waves = registers[..ended].iter().zip(states);
            waves.for_each(|(wave, state)| test.run(wave, state));
        }
        (ended, result)
    }

    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        worker.slots.finished(wave, |state| &state.exports.pixel)
    }

    fn color(worker: &WaveWorker, wave: usize, target: usize) -> Source<'_> {
        let WaveSlots { waves, states } = &worker.slots;
        states[wave].exports.color(target, &waves[wave])
    }
}

impl Pixel<'_> {
    /// Gives a wave all that it starts with but its inputs.
    fn clear(&self, wave: &mut Wave, lanes: u64) {
        let attributes = self.inputs.attribute_rows();
        spi::clear(wave, lanes, attributes, self.stage, self.limit);
    }

    /// Gives a wave all that it starts with.
    fn start<P: Coefficients>(
        &self,
        pixel: &PixelWave<P>,
        (wave, table): (&mut Wave, &mut QuadTable),
    ) {
        self.clear(wave, pixel.exec);
        let unread = &self.stage.shader.never_read;
        let rows = &mut wave.rows[..unread.len()];
        self.inputs.start(self.level, pixel, unread, (rows, table));
    }

    /// Gives the waves of a batch all that they start with.
    fn start_batch(
        &self,
        waves: &PixelWaves,
        (rows, table): (&mut WaveRows, &mut QuadTable),
        registers: &mut [Wave],
    ) {
        let Some(tiles) = waves.full_tiles() else {
            for (n, wave) in registers.iter_mut().enumerate() {
                match waves.wave(n, rows) {
                    AnyWave::Tile(pixel) => self.start(&pixel, (wave, table)),
                    AnyWave::Quads(pixel) => self.start(&pixel, (wave, table)),
                }
            }
            return;
        };
        for wave in &mut *registers {
            self.clear(wave, u64::MAX);
        }
        let unread = &self.stage.shader.never_read;
        self.inputs
            .start_tiles(self.level, (waves, tiles), unread, registers);
    }
}

/// A trap of the packet that draws.
fn wrong(reason: String) -> Trap {
    trap(u64::MAX, 0, reason)
}

impl R600 {
    /// A stage of a draw; none without a program.
    fn stage(&mut self, at: &StageRegisters) -> Result<Option<Stage>, Trap> {
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
        unexecuted::draw(&self.registers).map_err(wrong)?;
        let input_assembler = vgt::input_assembler(&self.registers).map_err(wrong)?;
        vertices.check().map_err(wrong)?;
        let Some(vertex_stage) = self.stage(&StageRegisters::VERTEX)? else {
            return Err(wrong("SQ_PGM_START_VS is 0".to_owned()));
        };
        let pixel_stage = self.stage(&StageRegisters::PIXEL)?;

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
        let mut depth = match resolves {
            true => DepthOutput::default(),
            false => {
                db::depth(registers, &self.memory, &mut self.surfaces, count).map_err(wrong)?
            }
        };
        depth.hi_z &= !self.start.fine_depth;
        depth.may_reject &= !self.start.fine_depth;
        let colors = cb::targets(registers, &self.memory, &mut self.surfaces, count);
        let colors = colors.map_err(wrong)?;
        let alpha_test = AlphaTest::new(registers);
        if alpha_test.is_some() {
            // What the test drops must not have been written.
            depth.early = false;
        }
        let area = pa.scissor();
        let inputs = PixelInputs::new(registers);
        let map = spi::attributes(registers);
        let (level, limit) = (self.start.level, self.start.wave_cost);
        let engine = self.programs.engine();
        let multisampled = sample_positions.len() > 1;
        let viewports = pa.viewports().bounds();
        let mut stage = PixelStage {
            memory: self.memory.clone(),
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
                && ViewportBounds::share_depth_range(&viewports)
                && !(multisampled && inputs.needs_places()),
            needs_position: inputs.needs_position(),
            needs_places: inputs.needs_places(),
            needs_coverage: pixel_stage
                .as_ref()
                .is_some_and(|stage| inputs.needs_coverage(&stage.shader.never_read)),
            needs_planes: inputs.needs_planes(),
            per_sample,
            alpha_to_mask: db::alpha_to_mask(registers),
            colors,
            depth,
            samples,
            sample_positions,
            sample_mask: registers.get(regs::PA_SC_AA_MASK) & 0xff,
            area,
            viewports,
            stipple: pa.stipple().map_err(wrong)?,
        };
        check_surfaces(&mut stage).map_err(wrong)?;
        // With scratch memory a thread needs a slot there.
        let stages = [Some(&vertex_stage), pixel_stage.as_ref()];
        let slots = stages.into_iter().flatten().filter_map(|s| s.scratch);
        let slots = slots.map(|scratch| scratch.slots as usize);
        let useful = slots.fold(self.workers.len(), usize::min);
        let workers = &mut self.workers[..useful];
        for (slot, worker) in workers.iter_mut().enumerate() {
            worker.shader.unit.slot = slot as u64;
        }
        let draw = Draw {
            threads: &self.threads,
            input_assembler,
            vertex: Vertex {
                engine,
                stage: &vertex_stage,
                inputs: VertexInputs::new(registers),
                limit,
            },
            params: map.params,
            assembly: &pa.assembly(stage.area, !stage.samples.is_centre()),
            stage: &Arc::new(stage),
            own: (),
            // Programs of this chip store to nothing that other waves see.
            pixel_effects: false,
            serial: false,
            waits: false,
        };
        counted(&mut self.totals, resolves, |totals| {
            let kept = (&mut self.store, &mut Waiting::default());
            let result = draw.run(&self.memory, vertices, workers, kept, totals);
            let texels = workers
                .iter_mut()
                .map(|worker| &mut worker.shader.unit.texels);
            totals.texels += texels.map(std::mem::take).sum::<u64>();
            result
        })
    }
}
