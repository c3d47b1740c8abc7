//! One draw, block after block: vertices in waves, primitives in pieces, pixels in bins.

use lanes::Wave;
use silicon::bins::{Bins, Failure, Lists};
use silicon::level::Level;
use silicon::multisample::Samples;
use silicon::{Memory, Stats, Trap};

use crate::cp::trap;
use crate::pa::{Assembly, GRID, Primitives, VertexRows, scissor};
use crate::regs::{self, PaScAaConfig, PaScAaSampleLocs, PaScModeCntl0};
use crate::sc::{Parameters, PixelStage, PixelWorker};
use crate::spi::interp::Attributes;
use crate::spi::{AttributeMap, Launch, PixelInputs};
use crate::sq::Outside;
use crate::sx::{ExportFormats, Exports};
use crate::ta::MemoryUnit;
use crate::vgt::{Assembled, Batch, Grouper, Vertices};
use crate::{SouthernIslands, cb, db};

/// Primitives that one thread sets up at a time.
const PIECE: usize = 2048;
/// log2 of the edge of a bin.
const BIN_SHIFT: u32 = 6;
/// The same for pixel shaders that store, whose waves run in the order of the primitives as far as one bin goes.
const ORDERED_BIN_SHIFT: u32 = 12;

/// What one thread keeps from draw to draw.
pub(crate) struct Worker {
    unit: MemoryUnit,
    wave: Wave,
    exports: Box<Exports>,
    pixels: PixelWorker,
    stats: Stats,
}

impl Worker {
    pub(crate) fn new(memory: Memory, level: Level) -> Worker {
        Worker {
            unit: MemoryUnit {
                level,
                ..MemoryUnit::new(memory)
            },
            wave: Wave::new(0, 0),
            exports: Exports::new(),
            pixels: PixelWorker::new(),
            stats: Stats::default(),
        }
    }
}

/// Storage between the stages, reused from draw to draw.
#[derive(Default)]
pub(crate) struct Store {
    batch: Batch,
    rows: Vec<VertexRows>,
    params: Vec<Vec<u32>>,
    pieces: Vec<Piece>,
}

/// A run of primitives after set-up.
#[derive(Default)]
struct Piece {
    primitives: Primitives,
    lists: Lists,
}

/// Parameters of a batch.
struct BatchParameters<'a> {
    primitives: &'a [Assembled],
    params: &'a [Vec<u32>],
    /// Words of a vertex.
    stride: usize,
}

impl Parameters for BatchParameters<'_> {
    fn of(&self, id: u32) -> [&[u32]; 3] {
        self.primitives[id as usize].vertices.map(|vertex| {
            let (wave, lane) = (vertex as usize / 64, vertex as usize % 64);
            &self.params[wave][lane * self.stride..(lane + 1) * self.stride]
        })
    }
}

impl SouthernIslands {
    /// Draws. A trap at address `u64::MAX` is the packet's.
    pub(crate) fn draw(&mut self, vertices: Vertices) -> Result<(), Trap> {
        self.totals.draws += 1;
        let wrong = |reason: String| trap(u64::MAX, 0, reason);
        let registers = &self.registers;
        let grouper = Grouper::new(registers).map_err(wrong)?;
        let launch = Launch::vertex(registers);
        let vertex_shader = self.programs.get(&self.memory, launch.resources)?;
        let pixel_launch = Launch::pixel(registers);
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
        let side_effects = scratch
            || vertex_shader.side_effects
            || pixel_shader
                .as_ref()
                .is_some_and(|shader| shader.side_effects);
        let pixel_effects = pixel_shader
            .as_ref()
            .is_some_and(|shader| shader.side_effects);

        let depth = db::DepthBlock::new(registers, &self.memory, &mut self.surfaces, pixel_effects)
            .map_err(wrong)?;
        let targets = cb::targets(registers, &self.memory, &mut self.surfaces).map_err(wrong)?;
        let (samples, spots) = samples(registers);
        if spots.len() > 1 {
            let log2 = spots.len().ilog2() as u8;
            let depth = depth.is_active().then_some(depth.samples_log2);
            let all = targets.iter().map(|t| t.samples_log2).chain(depth);
            if let Some(other) = all.into_iter().find(|n| *n != log2) {
                return Err(wrong(format!(
                    "{} samples are drawn to a surface of {}",
                    spots.len(),
                    1 << other
                )));
            }
        }
        let mut area = scissor(registers);
        for plane in targets.iter().map(|t| &t.plane).chain(depth.planes()) {
            area = area.intersect(plane.area);
        }
        let assembly = Assembly::new(registers, area, !samples.is_centre());
        let inputs = PixelInputs::new(registers);
        let level = self.start.level;
        let stage = PixelStage {
            memory: &self.memory,
            engine: self.programs.engine(),
            level,
            shader: pixel_shader,
            launch: pixel_launch,
            packs: !pixel_effects && !(spots.len() > 1 && (inputs.needs_places() || !depth.early)),
            inputs,
            map: AttributeMap::new(registers),
            formats: ExportFormats {
                color: registers.get(regs::SPI_SHADER_COL_FORMAT),
                depth: registers.get(regs::SPI_SHADER_Z_FORMAT),
            },
            targets,
            depth,
            samples,
            spots,
            sample_mask: registers.get(regs::PA_SC_AA_MASK_X0Y0_X1Y0) & 0xffff,
            area,
            limit: self.start.wave_instructions,
        };
        let bin_shift = if pixel_effects {
            ORDERED_BIN_SHIFT
        } else {
            BIN_SHIFT
        };
        // Shaders that store run in submission order, on one thread.
        let workers = match side_effects {
            true => &mut self.workers[..1],
            false => &mut self.workers[..],
        };
        for worker in workers.iter_mut() {
            worker.stats = Stats::default();
            worker.unit.clock = self.totals.instructions;
        }
        let mut run = Run {
            threads: &self.threads,
            bin_shift,
            workers,
            assembly,
            stage,
            launch,
            shader: &vertex_shader,
            rows: &mut self.store.rows,
            params: &mut self.store.params,
            pieces: &mut self.store.pieces,
        };
        let mut counts = Stats::default();
        let result = grouper.run(&self.memory, vertices, &mut self.store.batch, |batch| {
            counts.vertices += batch.vertices.len() as u64;
            counts.primitives += batch.primitives.len() as u64;
            run.batch(grouper.kind, batch)
        });
        let done = run.workers.iter().map(|worker| worker.stats);
        self.totals = done.chain([counts]).fold(self.totals, sum);
        result
    }
}

/// What a batch needs.
struct Run<'a> {
    threads: &'a silicon::bins::Threads,
    bin_shift: u32,
    workers: &'a mut [Worker],
    assembly: Assembly,
    stage: PixelStage<'a>,
    launch: Launch,
    shader: &'a crate::sq::Shader,
    rows: &'a mut Vec<VertexRows>,
    params: &'a mut Vec<Vec<u32>>,
    pieces: &'a mut Vec<Piece>,
}

impl Run<'_> {
    fn batch(&mut self, kind: crate::vgt::Kind, batch: &Batch) -> Result<(), Trap> {
        self.vertices(batch)?;
        if !self.assembly.draws() || self.stage.area.is_empty() {
            return Ok(());
        }
        let bins = Bins::new(self.stage.area, self.bin_shift);
        let count = batch.primitives.len().div_ceil(PIECE);
        if self.pieces.len() < count {
            self.pieces.resize_with(count, Piece::default);
        }
        let pieces = &mut self.pieces[..count];
        let (assembly, stage, rows) = (&self.assembly, &self.stage, &*self.rows);
        let multisampled = !stage.samples.is_centre();
        self.threads.chunks(pieces, self.workers, |n, piece, _| {
            let first = n * PIECE;
            let run = &batch.primitives[first..(first + PIECE).min(batch.primitives.len())];
            assembly.assemble(kind, rows, run, first as u32, &mut piece.primitives);
            piece.lists.fill(
                &bins,
                GRID,
                multisampled,
                stage.area,
                &piece.primitives.list,
            );
            Ok::<(), Trap>(())
        })?;
        let pieces = &self.pieces[..count];
        let parameters = BatchParameters {
            primitives: &batch.primitives,
            params: self.params,
            stride: stage.map.params * 4,
        };
        self.threads
            .for_each_bin(&bins, self.workers, |bin, worker| {
                let Worker {
                    unit,
                    pixels,
                    stats,
                    ..
                } = worker;
                if pieces
                    .iter()
                    .all(|piece| piece.lists.of(bin.index).is_empty())
                {
                    return Ok(());
                }
                pixels.begin(stage);
                let mut order = 0;
                for piece in pieces {
                    for index in piece.lists.of(bin.index) {
                        let primitive = &piece.primitives.list[*index as usize];
                        order = u64::from(primitive.id);
                        pixels
                            .primitive(
                                stage,
                                unit,
                                stats,
                                &parameters,
                                (primitive, &piece.primitives.corners),
                                bin.area,
                            )
                            .map_err(|error| Failure { order, error })?;
                    }
                }
                pixels
                    .flush(stage, unit, stats)
                    .map_err(|error| Failure { order, error })
            })
    }

    /// Runs the vertex waves of a batch.
    fn vertices(&mut self, batch: &Batch) -> Result<(), Trap> {
        let count = batch.vertices.len().div_ceil(64);
        if self.rows.len() < count {
            self.rows.resize_with(count, VertexRows::new);
            self.params.resize_with(count, Vec::new);
        }
        let stride = self.stage.map.params * 4;
        let mut out: Vec<_> = self.rows[..count]
            .iter_mut()
            .zip(&mut self.params[..count])
            .collect();
        let (stage, shader, launch) = (&self.stage, self.shader, &self.launch);
        let assembly = &self.assembly;
        self.threads
            .chunks(&mut out, self.workers, |n, (rows, params), worker| {
                let inputs = &batch.vertices[n * 64..(n * 64 + 64).min(batch.vertices.len())];
                shader.bind(&mut worker.wave);
                launch.start_vertices(&mut worker.wave, inputs, stage.limit);
                worker.exports.clear();
                if shader.uses_lds {
                    worker.unit.lds.fill(0);
                }
                let outside = Outside::new(
                    &mut worker.unit,
                    &mut worker.exports,
                    ExportFormats::default(),
                    Attributes::NONE,
                );
                let result = shader.run(stage.engine, &mut worker.wave, outside);
                worker.stats.waves += 1;
                worker.stats.vertex_lanes += inputs.len() as u64;
                worker.stats.instructions += worker.wave.instructions;
                result?;
                assembly.project(stage.level, &worker.exports, rows);
                params.clear();
                params.resize(64 * stride, 0);
                for (index, param) in worker.exports.params.iter().enumerate().take(stride / 4) {
                    if worker.exports.param_mask >> index & 1 == 0 {
                        continue;
                    }
                    for (component, row) in param.iter().enumerate() {
                        for (lane, value) in row.iter().enumerate().take(inputs.len()) {
                            params[lane * stride + 4 * index + component] = *value;
                        }
                    }
                }
                Ok(())
            })
    }
}

fn sum(a: Stats, b: Stats) -> Stats {
    Stats {
        draws: a.draws + b.draws,
        vertices: a.vertices + b.vertices,
        primitives: a.primitives + b.primitives,
        vertex_lanes: a.vertex_lanes + b.vertex_lanes,
        fragment_lanes: a.fragment_lanes + b.fragment_lanes,
        samples_passed: a.samples_passed + b.samples_passed,
        instructions: a.instructions + b.instructions,
        waves: a.waves + b.waves,
    }
}

/// Sample positions, and where each is in every lane of a tile.
fn samples(registers: &crate::registers::Registers) -> (Samples, Vec<silicon::interpolate::Spots>) {
    let config = PaScAaConfig::from_word(registers.get(regs::PA_SC_AA_CONFIG));
    let mode = PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0));
    let count = 1usize << config.msaa_num_samples.min(4);
    if count == 1 || !mode.msaa_enable {
        return (Samples::ONE, vec![silicon::interpolate::CENTRES]);
    }
    // The upper left pixel of a quad speaks for all four.
    let positions: Vec<(u8, u8)> = (0..count)
        .map(|n| {
            let register = regs::PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 4 * (n as u32 / 4);
            let word = PaScAaSampleLocs::from_word(registers.get(register));
            let (x, y) = match n % 4 {
                0 => (word.s0_x, word.s0_y),
                1 => (word.s1_x, word.s1_y),
                2 => (word.s2_x, word.s2_y),
                _ => (word.s3_x, word.s3_y),
            };
            ((x + 8) as u8, (y + 8) as u8)
        })
        .collect();
    let samples = Samples::at(&positions);
    let spots = (0..count)
        .map(|n| silicon::interpolate::Spots::sample(&samples, n))
        .collect();
    (samples, spots)
}
