//! One draw: how waves of both stages run, and when.

use std::sync::Arc;

use lanes::math::whole_quads;
use lanes::{DefaultEngine, Wave, first_lanes};
use radeon::r6xx::cb::counted;
use radeon::r6xx::codes::comparison;
use radeon::r6xx::draws::{Draws, Made as _, Pending, Run};
use radeon::r6xx::forms::Packs;
use radeon::r6xx::stream;
use radeon::r6xx::waves::WaveSlots;
use radeon::registers::RegisterFile;
use silicon::draw::{Draw, Finished, Worker, finish, run_several};
use silicon::exports::VertexExports;
use silicon::fragment::bins::Threads;
use silicon::fragment::blend::Source;
use silicon::fragment::depth::Compare;
use silicon::fragment::interpolate::Coefficients;
use silicon::fragment::output::Packing;
use silicon::fragment::output::PixelExports;
use silicon::fragment::quads::QuadTable;
use silicon::fragment::scan::{AnyWave, PixelShader, PixelWave, PixelWaves, WaveRows, batch_of};
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::patches::Stages;
use silicon::geometry::stream::{BUFFERS, StreamBuffer, Streamed};
use silicon::geometry::vertices::{Part, VertexInput};
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;
use silicon::{Memory, Trap};

use crate::R600;
use crate::geometry::Amplifier;
use crate::isa::ACTIVE;
use crate::regs::{self, SxAlphaTestControl};
use crate::spi::{self, BatchWeights, PixelInputs, VertexInputs};
use crate::sq::{
    LaneRecords, PackedExports, PortExport, Shader, Stage, StreamLanes, Unit, WaveState, passing,
};
use crate::state::Made;

/// What one thread keeps to run waves of both stages.
pub(crate) struct WaveWorker {
    pub(crate) unit: Unit,
    /// The wave of its own of a stage before the pixel stage.
    pub(crate) single: WaveSlots<WaveState>,
    /// Pixel waves of a batch.
    slots: WaveSlots<WaveState>,
    /// Room for rows of a wave that starts.
    rows: Box<WaveRows>,
    /// Attributes of a wave of several primitives.
    table: QuadTable,
    /// Weights of the attributes of a batch.
    weights: BatchWeights,
    /// What pixel waves of the current draw have bound.
    bound: Option<Arc<Stage>>,
    /// The pixel waves that ran last packed their exports.
    exports_words: bool,
}

impl WaveWorker {
    pub(crate) fn new(memory: Memory, level: SimdLevel) -> WaveWorker {
        WaveWorker {
            bound: None,
            exports_words: false,
            unit: Unit::new(memory, level),
            single: WaveSlots::default(),
            slots: WaveSlots::default(),
            rows: Box::default(),
            table: QuadTable::default(),
            weights: BatchWeights::default(),
        }
    }

    /// Runs a wave of its own of a stage, whose registers `start` fills; `limit` is what it may cost.
    pub(crate) fn run(
        &mut self,
        (engine, limit): (&DefaultEngine, u64),
        stage: &Stage,
        lanes: u64,
        start: impl FnOnce(&mut Wave),
    ) -> Result<(), Trap> {
        let WaveWorker { unit, single, .. } = self;
        single.bind(1, &stage.shader.loaded);
        let (waves, states) = single.batch(1);
        spi::clear(&mut waves[0], lanes, None, stage, limit);
        start(&mut waves[0]);
        stage.run((engine, None), unit, waves, states).1
    }
}

/// Position export of point size, layer and viewport.
const MISC: usize = 1;

/// The vertex shader of a draw.
struct Vertex<'a> {
    engine: &'a DefaultEngine,
    stage: &'a Stage,
    inputs: VertexInputs,
    /// Position exports have no vector of point size and such.
    no_misc: bool,
    limit: u64,
    /// Where each buffer of the stream begins, in bytes, and its next vertex and the words of one.
    stream: [Option<(u64, StreamBuffer)>; BUFFERS],
}

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run_streamed(
        &self,
        worker: &mut WaveWorker,
        inputs: &[VertexInput],
        streamed: Streamed,
    ) -> Result<(), Trap> {
        let buffers = self.stream.map(|buffer| {
            let (base, buffer) = buffer?;
            let words = u64::from(buffer.stride);
            let first = u64::from(buffer.offset) + u64::from(streamed.first) * words;
            Some(LaneRecords {
                first: base + 4 * first,
                words,
            })
        });
        worker.unit.streamed = StreamLanes {
            buffers,
            count: streamed.count as usize,
        };
        let result = self.run(worker, inputs);
        worker.unit.streamed = StreamLanes::default();
        result
    }

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let (how, lanes) = ((self.engine, self.limit), first_lanes(inputs.len()));
        let result = worker.run(how, self.stage, lanes, |wave| {
            self.inputs.start(&mut wave.rows, inputs);
        });
        let exported = &mut worker.single.states[0].exports.vertex;
        // Distances take the place of the vector that is missing. (ERRATA 37)
        if self.no_misc && exported.position_mask & 1 << MISC != 0 {
            exported.positions[MISC..].rotate_right(1);
        }
        result
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        worker.single.finished(0, |state| &state.exports.vertex)
    }
}

/// The test that SX does on the alpha of colour 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlphaTest {
    compare: Compare,
    reference: f32,
}

impl AlphaTest {
    pub(crate) fn new(registers: &RegisterFile) -> Option<AlphaTest> {
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
#[derive(Clone)]
pub(crate) struct Pixel {
    pub(crate) engine: DefaultEngine,
    pub(crate) shader: Arc<Shader>,
    pub(crate) inputs: PixelInputs,
    pub(crate) map: AttributeMap,
    pub(crate) alpha_test: Option<AlphaTest>,
    /// The form of the shader that waves of whole tiles run, if it packs exports.
    pub(crate) packed: Option<Arc<PackedExports>>,
    pub(crate) level: SimdLevel,
    pub(crate) limit: u64,
}

impl Packs for Pixel {
    type Export = PortExport;

    fn packed_form(&self, packings: Vec<Packing>) -> Result<Option<Arc<PackedExports>>, Trap> {
        match self.alpha_test {
            // It looks at colours.
            Some(_) => Ok(None),
            None => self.shader.packed(&self.engine, packings),
        }
    }

    fn take_packed(&mut self, form: Arc<PackedExports>) {
        self.packed = Some(form);
    }
}

impl PixelShader for Pixel {
    type Worker = WaveWorker;
    /// With a pixel shader there is one.
    type Draw = Option<Arc<Stage>>;
    type Stores = ();

    fn begin(&self, worker: &mut WaveWorker, stage: &Option<Arc<Stage>>) {
        let widest = self
            .packed
            .as_ref()
            .map_or(&self.shader.loaded, |packed| &packed.form.program);
        worker.slots.bind(self.batch(stage), widest);
        worker.bound.clone_from(stage);
    }

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.map.block(self.level, vertices, out);
    }

    fn batch(&self, _: &Option<Arc<Stage>>) -> usize {
        match self.shader.uses_scratch() {
            true => 1,
            false => batch_of(4 * usize::from(self.shader.setup().gprs)),
        }
    }

    fn run(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        let WaveWorker {
            unit,
            slots,
            rows,
            table,
            weights,
            bound,
            exports_words,
            ..
        } = worker;
        let Some(stage) = bound else {
            debug_assert!(false, "a draw with a pixel shader has what it binds");
            return (waves.count(), Ok(()));
        };
        let (registers, states) = slots.batch(waves.count());
        self.start_batch(stage, waves, (rows, table, weights), registers);
        // Of tiles that are covered.
        let packed = self.packed.as_deref();
        let packed = packed.filter(|_| waves.full_tiles().is_some());
        if let Some(form) = packed {
            form.form.start(registers);
        }
        *exports_words = packed.is_some();
        let (ended, result) = stage.run((&self.engine, packed), unit, registers, states);
        if let Some(test) = &self.alpha_test {
            let waves = registers[..ended].iter().zip(states);
            waves.for_each(|(wave, state)| test.run(wave, state));
        }
        (ended, result)
    }

    #[inline]
    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        worker.slots.finished(wave, |state| &state.exports.pixel)
    }

    #[inline(always)]
    fn color(worker: &WaveWorker, wave: usize, target: usize) -> Source<'_> {
        let WaveSlots { waves, states, .. } = &worker.slots;
        states[wave].exports.color(target, &waves[wave])
    }

    #[inline(always)]
    fn packed(worker: &WaveWorker) -> bool {
        worker.exports_words
    }

    #[inline(always)]
    fn depth(worker: &WaveWorker, wave: usize, component: usize) -> &Lanes {
        let WaveSlots { waves, states, .. } = &worker.slots;
        states[wave].exports.depth(component, &waves[wave])
    }
}

impl Pixel {
    /// Gives a wave all that it starts with but its inputs.
    fn clear(&self, stage: &Stage, wave: &mut Wave, lanes: u64) {
        spi::clear(wave, lanes, Some(&self.inputs), stage, self.limit);
    }

    /// Gives a wave all that it starts with.
    fn start<P: Coefficients>(
        &self,
        stage: &Stage,
        pixel: &PixelWave<P>,
        (wave, table): (&mut Wave, &mut QuadTable),
    ) {
        self.clear(stage, wave, pixel.exec);
        // Pixels that are not covered run for the gradients of those that are. (ERRATA 35)
        wave.set_mask(ACTIVE, whole_quads(pixel.exec));
        let unread = &self.shader.unread[usize::from(pixel.exec == u64::MAX)];
        let rows = &mut wave.rows[..unread.len()];
        self.inputs.start(self.level, pixel, unread, (rows, table));
    }

    /// Gives the waves of a batch all that they start with.
    fn start_batch(
        &self,
        stage: &Stage,
        waves: &PixelWaves,
        (rows, table, weights): (&mut WaveRows, &mut QuadTable, &mut BatchWeights),
        registers: &mut [Wave],
    ) {
        let Some(tiles) = waves.full_tiles() else {
            for (n, wave) in registers.iter_mut().enumerate() {
                match waves.wave(n, rows) {
                    AnyWave::Tile(pixel) => self.start(stage, &pixel, (wave, table)),
                    AnyWave::Quads(pixel) => self.start(stage, &pixel, (wave, table)),
                }
            }
            return;
        };
        for wave in &mut *registers {
            self.clear(stage, wave, u64::MAX);
        }
        let [_, unread] = &self.shader.unread;
        let room = (registers, weights);
        self.inputs
            .start_tiles(self.level, (waves, tiles), unread, room);
    }
}

impl Draws for R600 {
    type Made = Made;

    fn make(&mut self) -> Result<Made, Trap> {
        self.made()
    }

    fn run(&mut self, made: &Made, parts: &[Part]) -> Result<(), Trap> {
        let Made { state, before, .. } = made;
        // With scratch memory a thread needs a slot there.
        let useful = self.workers.len().min(made.workers());
        let workers = &mut self.workers[..useful];
        for (slot, worker) in workers.iter_mut().enumerate() {
            worker.shader.unit.slot = slot as u64;
        }
        let amplifier = state.path.as_ref().zip(before.as_ref());
        let amplifier = amplifier.map(|(path, stages)| Amplifier {
            engine: self.programs.engine(),
            path,
            stages,
            limit: self.start.wave_cost,
        });
        let begins = |buffers| stream::begin(buffers, &self.stream_offsets);
        let streams = state.streams.map(begins);
        let start = (self.programs.engine(), self.start.wave_cost);
        let mut draw = draw(&self.threads, start, made);
        draw.amplifies = amplifier.as_ref().map(|stage| Stages::amplified(stage));
        if let Some(streams) = &streams {
            draw.vertex.stream =
                std::array::from_fn(|n| Some((state.stream_bases[n], streams.buffers[n]?)));
        }
        self.store.streams = streams;
        let kept = (&mut self.store, &mut self.waiting);
        let result = counted(&mut self.totals, state.resolves, |totals| {
            let result = draw.run(&self.memory, parts, workers, kept, totals);
            totals.texels += texels(workers);
            result
        });
        if let Some(streams) = self.store.streams.take() {
            stream::end(&streams, &mut self.stream_offsets);
            self.totals.stream_primitives += streams.written;
            self.totals.stream_primitives_needed += streams.needed;
        }
        result
    }

    fn run_several(&mut self, runs: &[Run<Made>]) -> Result<(), Trap> {
        let start = (self.programs.engine(), self.start.wave_cost);
        let draws = runs.iter().map(|Run { made, parts }| {
            let draw = draw(&self.threads, start, made);
            (draw, parts.as_slice())
        });
        let draws: Vec<_> = draws.collect();
        let kept = (&mut self.first_halves, &mut self.store, &mut self.waiting);
        let (memory, totals) = (&self.memory, &mut self.totals);
        let result = run_several(&draws, memory, &mut self.workers, kept, totals);
        totals.texels += texels(&mut self.workers);
        result
    }

    fn threads(&self) -> usize {
        self.threads.count()
    }

    fn shade_waiting(&mut self) -> Result<(), Trap> {
        let (waiting, totals) = (&mut self.waiting, &mut self.totals);
        let result = finish(waiting, &self.threads, &mut self.workers, totals);
        totals.texels += texels(&mut self.workers);
        result
    }

    fn pending(&mut self) -> &mut Pending<Made> {
        &mut self.pending
    }
}

/// A draw without a geometry shader and without streams.
fn draw<'a>(
    threads: &'a Threads,
    (engine, limit): (&'a DefaultEngine, u64),
    made: &'a Made,
) -> Draw<'a, Vertex<'a>, Pixel> {
    let state = &made.state;
    Draw {
        threads,
        input_assembler: state.input_assembler,
        amplifies: None,
        vertex: Vertex {
            engine,
            stage: &made.vertex,
            inputs: state.vertex_inputs,
            no_misc: state.no_misc,
            limit,
            stream: [None; BUFFERS],
        },
        params: state.params,
        assembly: &state.assembly,
        stage: &state.stage,
        own: made.pixel.clone(),
        // Programs of this chip store to nothing that other waves see.
        pixel_effects: false,
        serial: false,
        waits: made.may_wait(),
    }
}

/// Texels that were read since the last call.
fn texels(workers: &mut [Worker<WaveWorker>]) -> u64 {
    let texels = workers
        .iter_mut()
        .map(|worker| &mut worker.shader.unit.texels);
    texels.map(std::mem::take).sum()
}
