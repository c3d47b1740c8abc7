//! One draw: how waves of both stages run, and when.

use std::sync::Arc;

use lanes::{Batch, DefaultEngine, Resume, Wave};
use radeon::r6xx::cb::counted;
use radeon::r6xx::draws::{Draws, Pending, Run};
use radeon::r6xx::forms::Packs;
use radeon::r6xx::stream;
use radeon::r6xx::waves::{LoadedProgram, WaveSlots};
use silicon::draw::{Draw, Finished, Worker, finish, run_several};
use silicon::exports::VertexExports;
use silicon::fragment::bins::Threads;
use silicon::fragment::blend::Source;
use silicon::fragment::output::Packing;
use silicon::fragment::output::PixelExports;
use silicon::fragment::quads::QuadTable;
use silicon::fragment::scan::{PixelShader, PixelStage, PixelWaves, WaveRows, batch_of};
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::patches::Stages;
use silicon::geometry::stream::{BUFFERS, Streamed};
use silicon::geometry::vertices::{Part, VertexInput};
use silicon::groups::{Place, Queues, StoreLog};
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;
use silicon::{Memory, Trap};

use crate::isa::memory::Atomic;
use crate::reach::stored_apart;
use crate::spi::interp::{Attributes, Given, Interpolation, Step};
use crate::spi::{Launch, PixelInputs, StartScalars, User};
use crate::sq::{GroupSlot, PortHandler, Shader, WaveAttributes, WaveState};
use crate::state::{Made, State, Users};
use crate::sx::ExportFormats;
use crate::sx::packing::PackedExports;
use crate::ta::MemoryUnit;
use crate::{SouthernIslands, Start};
use crate::{geometry, tess};

/// What one thread keeps to run waves of both stages.
pub(crate) struct WaveWorker {
    pub(crate) unit: MemoryUnit,
    /// The first is for all waves, the others for those of a batch.
    pub(crate) slots: WaveSlots<WaveState>,
    /// Room for rows of a wave that starts.
    rows: Box<WaveRows>,
    /// Attributes of a wave of several primitives.
    table: QuadTable,
    /// The groups of waves, and where each wave stands.
    pub(crate) groups: Vec<GroupSlot>,
    pub(crate) stands: Vec<Resume>,
    /// What the pixel waves of the current draw start with.
    scalars: StartScalars,
    /// The place of the pixel waves of the current draw in its queues, if it has some.
    place: Option<Place>,
    /// The pixel waves that ran last packed their exports.
    exports_words: bool,
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
            rows: Box::default(),
            table: QuadTable::default(),
            groups: Vec::new(),
            stands: Vec::new(),
            scalars: StartScalars::default(),
            place: None,
            exports_words: false,
        }
    }
}

/// The vertex shader of a draw.
struct Vertex<'a> {
    engine: DefaultEngine,
    shader: &'a Shader,
    launch: &'a Launch,
    user: User,
    formats: ExportFormats,
    limit: u64,
    /// Where each buffer's next vertex begins when the draw does.
    stream_offsets: [u32; BUFFERS],
}

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        self.run_streamed(worker, inputs, Streamed::default())
    }

    fn run_streamed(
        &self,
        worker: &mut WaveWorker,
        inputs: &[VertexInput],
        streamed: Streamed,
    ) -> Result<(), Trap> {
        let WaveWorker { unit, slots, .. } = worker;
        slots.bind(1, &self.shader.program);
        let (waves, states) = slots.batch(1);
        self.launch
            .start_vertices(&mut waves[0], &self.user, inputs, self.limit);
        self.launch
            .set_streamed(&mut waves[0], self.stream_offsets, streamed);
        self.launch.slots.start(unit, &mut waves[0]);
        let handler = PortHandler {
            shader: self.shader,
            unit,
            states,
            groups: &[],
            formats: self.formats,
            packed: None,
            attributes: (),
        };
        handler.run(&self.engine, &self.shader.program, waves).1
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        worker.slots.finished(0, |state| &state.exports.vertex)
    }
}

/// The pixel shader of a draw.
#[derive(Clone)]
pub(crate) struct Pixel {
    pub(crate) engine: DefaultEngine,
    pub(crate) shader: Arc<Shader>,
    pub(crate) launch: Launch,
    pub(crate) inputs: PixelInputs,
    pub(crate) map: AttributeMap,
    pub(crate) formats: ExportFormats,
    /// The form of the shader that waves of whole tiles run, if it packs exports.
    pub(crate) packed: Option<Arc<PackedExports>>,
    pub(crate) level: SimdLevel,
    pub(crate) limit: u64,
    /// Its waves change what others see.
    pub(crate) effects: bool,
}

/// What pixel waves of a draw have beside its state.
#[derive(Clone, Copy)]
pub(crate) struct PixelStart {
    user: User,
    /// What they store waits for the turn of their bin.
    stores_later: bool,
}

impl Pixel {
    /// The queues of waves that start with these user SGPRs, if none loads what others store, and stores miss the targets.
    fn stores_later(
        &self,
        stage: &PixelStage<Pixel>,
        user: &User,
        unit: &mut MemoryUnit,
    ) -> Option<Vec<Option<usize>>> {
        if self.launch.scratch || self.shader.uses_lds || unit.strict {
            return None;
        }
        let mut scalars = Vec::new();
        self.launch.scalars(user, &mut scalars);
        let stored = stored_apart(&scalars, &self.shader, unit)?;
        let misses = !stored.bytes.iter().any(|bytes| stage.draws_to(bytes));
        misses.then_some(stored.queues)
    }

    /// The form of the program that started waves run, and whether it packs exports.
    fn form(
        &self,
        waves: &PixelWaves,
        registers: &mut [Wave],
        given: &mut Given,
    ) -> (&LoadedProgram, Option<&PackedExports>) {
        let shader = &*self.shader;
        let any = (&shader.program, None);
        if waves.full_tiles().is_none() {
            return any;
        }
        let mut whole = None;
        if let Some(one) = &shader.of_one {
            let parameters = self.parameters(waves, 0);
            let block = parameters.block(0);
            if !block.is_some_and(|block| one.numbers.give(block, registers, given)) {
                return any;
            }
            whole = Some(&one.form);
        }
        if let Some(packed) = &self.packed {
            return (packed.form.start(registers), Some(packed));
        }
        whole.map_or(any, |form| (form.start(registers), None))
    }

    /// The form whose waves have most scalars. All have the same rows.
    fn widest(&self) -> &LoadedProgram {
        match (&self.packed, &self.shader.of_one) {
            (Some(packed), _) => &packed.form.program,
            (None, Some(one)) => &one.form.program,
            (None, None) => &self.shader.program,
        }
    }

    /// Parameter memory of a wave.
    fn parameters<'a>(&self, waves: &'a PixelWaves, wave: usize) -> Attributes<'a> {
        Attributes {
            blocks: waves.blocks(),
            primitives: waves.primitives(wave),
            block_words: self.map.block_words(),
        }
    }

    /// Runs waves from their start on; where stores wait each has its log.
    fn run_waves(
        &self,
        worker: &mut WaveWorker,
        waves: &PixelWaves,
        stores: Stores,
    ) -> (usize, Result<(), Trap>) {
        let WaveWorker {
            unit,
            slots,
            rows,
            table,
            groups,
            scalars,
            place,
            exports_words,
            ..
        } = worker;
        if scalars.ready < waves.count() {
            slots.bind(waves.count(), self.widest());
            for wave in &mut slots.waves[scalars.ready..waves.count()] {
                self.launch.give(wave, &scalars.words);
            }
            scalars.ready = waves.count();
        }
        let (registers, states) = slots.batch(waves.count());
        let (level, launch, limit) = (self.level, &self.launch, self.limit);
        let start = (launch, &mut *scalars);
        self.inputs
            .start_batch(level, start, waves, registers, limit, rows);
        if let [wave] = &mut *registers {
            launch.slots.start(unit, wave);
        }
        let (program, packed) = self.form(waves, registers, &mut scalars.given);
        *exports_words = packed.is_some();
        groups.clear();
        if stores == Stores::Later {
            unit.begin_logs(waves.count(), groups);
            std::mem::swap(&mut unit.place, place);
        }
        let count = waves.count();
        let at_once = if stores == Stores::InOrder { 1 } else { count };
        let mut first = 0;
        while first < count {
            let end = count.min(first + at_once);
            let handler = PortHandler {
                shader: &self.shader,
                unit: &mut *unit,
                states: &mut states[first..end],
                groups,
                formats: self.formats,
                packed,
                attributes: PixelAttributes {
                    pixel: self,
                    waves,
                    first,
                    table: &mut *table,
                },
            };
            let (ended, result) = handler.run(&self.engine, program, &mut registers[first..end]);
            if stores == Stores::Later {
                std::mem::swap(&mut unit.place, place);
            }
            if result.is_err() {
                return (first + ended, result);
            }
            first = end;
        }
        (count, Ok(()))
    }
}

/// When stores of the waves of a batch go to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stores {
    /// At once; the waves run side by side.
    AtOnce,
    /// At once, wave after wave.
    InOrder,
    /// Later, by logs.
    Later,
}

impl Packs for Pixel {
    type Export = Option<[u16; 4]>;

    fn packed_form(&self, packings: Vec<Packing>) -> Result<Option<Arc<PackedExports>>, Trap> {
        self.shader.packed(&self.engine, packings)
    }

    fn take_packed(&mut self, form: Arc<PackedExports>) {
        self.packed = Some(form);
    }
}

impl PixelShader for Pixel {
    type Worker = WaveWorker;
    type Draw = PixelStart;
    type Stores = StoreLog<Atomic>;

    fn begin(&self, worker: &mut WaveWorker, start: &PixelStart) {
        let scalars = &mut worker.scalars;
        self.launch.scalars(&start.user, &mut scalars.words);
        scalars.begin();
    }

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.map.block(self.level, vertices, out);
    }

    fn batch(&self, start: &PixelStart) -> usize {
        let effects = self.effects && !start.stores_later;
        if effects || self.launch.scratch || self.shader.uses_lds {
            1
        } else {
            batch_of(self.launch.resources.vgprs.into())
        }
    }

    fn stores_later(start: &PixelStart) -> bool {
        start.stores_later
    }

    fn run(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        self.run_waves(worker, waves, Stores::AtOnce)
    }

    fn run_storing(
        &self,
        worker: &mut WaveWorker,
        waves: &PixelWaves,
        stores: Option<&mut StoreLog<Atomic>>,
    ) -> (usize, Result<(), Trap>) {
        let Some(stores) = stores else {
            return self.run_waves(worker, waves, Stores::InOrder);
        };
        let (ended, result) = self.run_waves(worker, waves, Stores::Later);
        let MemoryUnit { logs, memory, .. } = &mut worker.unit;
        (logs.current, logs.turn) = (None, None);
        // What the waves store of which one does not end, they store nowhere.
        stores.append(&mut logs.logs[..ended]);
        if stores.is_full() {
            // They run again.
            logs.take_back(memory);
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

/// Parameter memory of the waves of a batch.
struct PixelAttributes<'a> {
    pixel: &'a Pixel,
    waves: &'a PixelWaves<'a>,
    /// Number of the first wave that runs.
    first: usize,
    table: &'a mut QuadTable,
}

impl WaveAttributes for PixelAttributes<'_> {
    fn interpolate(
        &mut self,
        level: SimdLevel,
        program: &Interpolation,
        steps: &[Step],
        batch: Batch<'_>,
    ) {
        let Batch { first, waves } = batch;
        for (n, wave) in waves.iter_mut().enumerate() {
            let attributes = self.pixel.parameters(self.waves, self.first + first + n);
            attributes.interpolate(level, program, steps, (wave, self.table));
        }
    }
}

impl Draws for SouthernIslands {
    type Made = Made;

    fn make(&mut self) -> Result<Made, Trap> {
        let state = self.state()?;
        let users = Users::new(&self.registers);
        Ok(Made { state, users })
    }

    fn run(&mut self, Made { state, users }: &Made, parts: &[Part]) -> Result<(), Trap> {
        let start = self.vertex_start();
        let count = self.workers.len().min(state.workers);
        let workers = &mut self.workers[..count];
        seat(workers, state, self.totals.instructions);
        let later = stores_later(state, users, workers);
        let geometry = state.geometry.as_ref().zip(users.geometry.as_ref());
        let geometry = geometry.map(|(path, users)| geometry::Stage {
            engine: *self.programs.engine(),
            path,
            users,
            limit: self.start.wave_cost,
        });
        let tessellation = state.tessellation.as_ref().zip(users.tessellation.as_ref());
        let tessellation = tessellation.map(|(path, users)| tess::Stage {
            engine: *self.programs.engine(),
            path,
            users,
            limit: self.start.wave_cost,
        });
        let stages = Stages {
            tessellation: tessellation.as_ref().map(|stage| stage as _),
            geometry: geometry.as_ref().map(|stage| stage as _),
        };
        let amplifies = stages.tessellation.is_some() || stages.geometry.is_some();
        let draw = Draw {
            amplifies: amplifies.then_some(stages),
            ..draw(&self.threads, start, (state, users), later)
        };
        let passed = self.totals.samples_passed;
        let begins = |buffers| stream::begin(buffers, &self.stream_offsets);
        self.store.streams = state.streams.map(begins);
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
        if state.uncounted {
            self.totals.samples_passed = passed;
        }
        result
    }

    fn run_several(&mut self, runs: &[Run<Made>]) -> Result<(), Trap> {
        let Some(Run { made, .. }) = runs.first() else {
            return Ok(());
        };
        // All have the same border colours.
        seat(&mut self.workers, &made.state, self.totals.instructions);
        let start = self.vertex_start();
        let draws = runs.iter().map(|Run { made, parts }| {
            let draw = draw(&self.threads, start, (&made.state, &made.users), Later::No);
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

/// What vertex waves start with beside the state of their draw.
#[derive(Clone, Copy)]
struct VertexStart {
    engine: DefaultEngine,
    limit: u64,
    stream_offsets: [u32; BUFFERS],
}

impl SouthernIslands {
    fn vertex_start(&self) -> VertexStart {
        VertexStart {
            engine: *self.programs.engine(),
            limit: self.start.wave_cost,
            stream_offsets: self.stream_offsets,
        }
    }
}

/// Gives threads what waves of a draw find there.
fn seat(workers: &mut [Worker<WaveWorker>], state: &State, clock: u64) {
    for (slot, worker) in workers.iter_mut().enumerate() {
        worker.shader.unit.clock = clock;
        worker.shader.unit.scratch_slot = slot;
        worker.shader.unit.border_colors = state.border_colors;
    }
}

/// When what pixel waves of a draw store goes to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Later {
    /// At once.
    No,
    /// In the turn of its bin.
    Stores,
    /// The same, but for changes that return what was there: these are made at once, by one thread.
    InTurns,
}

/// Whether what pixel waves of a draw store waits. Threads forget texels that they keep for it.
fn stores_later(state: &State, users: &Users, workers: &mut [Worker<WaveWorker>]) -> Later {
    let (Some(pixel), Some(worker)) = (&state.stage.shader, workers.first_mut()) else {
        return Later::No;
    };
    let unit = &mut worker.shader.unit;
    let apart = state.pixel_effects && !state.vertex_effects;
    let queues = apart.then(|| pixel.stores_later(&state.stage, &users.pixel, unit));
    let Some(queues) = queues.flatten() else {
        return Later::No;
    };
    for worker in &mut *workers {
        worker.shader.unit.lines.clear();
        worker.shader.place = None;
    }
    if queues.is_empty() {
        return Later::Stores;
    }
    // One thread keeps its turn from bin to bin.
    workers[0].shader.place = Some(Place::new(&Arc::new(Queues::new(queues)), 0, None));
    Later::InTurns
}

/// A draw without stages before the vertex shader.
fn draw<'a>(
    threads: &'a Threads,
    start: VertexStart,
    (state, users): (&'a State, &Users),
    later: Later,
) -> Draw<'a, Vertex<'a>, Pixel> {
    Draw {
        threads,
        input_assembler: state.input_assembler,
        amplifies: None,
        vertex: Vertex {
            engine: start.engine,
            shader: &state.vertex_shader,
            launch: &state.vertex_launch,
            user: users.vertex,
            formats: state.vertex_formats,
            limit: start.limit,
            stream_offsets: start.stream_offsets,
        },
        params: state.params,
        assembly: &state.assembly,
        stage: &state.stage,
        own: PixelStart {
            user: users.pixel,
            stores_later: later != Later::No,
        },
        pixel_effects: state.pixel_effects && later == Later::No,
        // Shaders whose stores others may see run in submission order, on one thread.
        serial: state.vertex_effects || (state.pixel_effects && later != Later::Stores),
        waits: state.may_wait(),
    }
}

/// Texels that were read since the last call.
fn texels(workers: &mut [Worker<WaveWorker>]) -> u64 {
    let texels = workers
        .iter_mut()
        .map(|worker| &mut worker.shader.unit.texels);
    texels.map(std::mem::take).sum()
}
