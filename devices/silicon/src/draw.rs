//! One draw, stage after stage: vertices in waves, primitives in pieces, pixels in bins.

use crate::fragment::bins::{Bins, Failure, Lists, Stopped, Threads};
use crate::fragment::scan::{Parameters, PixelShader, PixelStage, PixelWorker, Scan};
use crate::fragment::surface::Plane;
use crate::fragment::tile::Rect;
use crate::geometry::assembly::{Assembly, Primitives, VertexExports, VertexRows};
use crate::geometry::setup::Grid;
use crate::geometry::stipple::Stipple;
use crate::geometry::topology::Kind;
use crate::geometry::vertices::{Batch, Grouper, VertexInput, Vertices};
use crate::gpu::{Stats, Trap};
use crate::memory::Memory;

/// Primitives that one thread sets up at a time.
const PIECE: usize = 2048;
/// Vertices from which on they are grouped while those before are drawn: several batches.
const MANY_VERTICES: u64 = 1 << 18;
/// log2 of the edge of a bin.
const BIN_SHIFT: u32 = 6;
/// The same for few primitives, which each bin sets up again, where that leaves bins enough for several threads.
const LARGE_BIN_SHIFT: u32 = 7;
/// Bins that are enough.
const ENOUGH_BINS: usize = 32;
/// Primitives for each large bin that are few. What more of them touch is to stay in a near cache.
const FEW_PRIMITIVES: usize = 64;
/// The same for pixel shaders that store, whose waves run in the order of the primitives as far as one bin goes.
const ORDERED_BIN_SHIFT: u32 = 12;

/// The vertex shader of a draw, as the chip runs it.
pub trait VertexShader: Sync {
    /// What a thread keeps to run waves.
    type Worker: Send;

    /// Runs a wave of at most 64 vertices to its end.
    fn run(&self, worker: &mut Self::Worker, inputs: &[VertexInput]) -> Result<(), Trap>;

    /// Instructions of the last wave, also of one that failed.
    fn instructions(worker: &Self::Worker) -> u64;

    /// What the last wave exported.
    fn exports(worker: &Self::Worker) -> &VertexExports;
}

/// What one thread keeps from draw to draw; `shader` is the chip's.
#[derive(Debug, Default)]
pub struct Worker<W> {
    /// For waves of both stages.
    pub shader: W,
    pixels: PixelWorker,
    stats: Stats,
}

impl<W> Worker<W> {
    /// A new thread's.
    pub fn new(shader: W) -> Worker<W> {
        Worker {
            shader,
            pixels: PixelWorker::default(),
            stats: Stats::default(),
        }
    }
}

/// Storage between the stages, reused from draw to draw.
#[derive(Debug, Default)]
pub struct Store {
    batch: Batch,
    rows: Vec<VertexRows>,
    params: Vec<Vec<u32>>,
    pieces: Vec<Piece>,
    /// Batches on their way from the grouper and back.
    spare: Vec<Batch>,
}

/// A run of primitives after set-up.
#[derive(Debug, Default)]
struct Piece {
    primitives: Primitives,
    /// Counters of the stipple pattern at the start of the primitives, where lines are stippled.
    stippled: Vec<u64>,
    lists: Lists,
}

/// A draw, ready to run.
pub struct Draw<'a, V, S> {
    /// The device's threads.
    pub threads: &'a Threads,
    /// Indices to vertices and primitives.
    pub grouper: Grouper,
    /// The vertex shader.
    pub vertex: V,
    /// Parameters that a vertex exports.
    pub params: usize,
    /// Clipping and set-up.
    pub assembly: Assembly,
    /// The pixel half.
    pub stage: PixelStage<'a, S>,
    /// The pixel shader stores to memory: its waves run in the order of the primitives.
    pub pixel_effects: bool,
    /// A shader stores to memory, or shares memory between waves: one thread does the work.
    pub serial: bool,
}

impl<W, V, S> Draw<'_, V, S>
where
    W: Send,
    V: VertexShader<Worker = W>,
    S: PixelShader<Worker = W>,
{
    /// Draws; what is done until a trap is counted as well.
    pub fn run(
        &self,
        memory: &Memory,
        vertices: &Vertices,
        workers: &mut [Worker<W>],
        store: &mut Store,
        totals: &mut Stats,
    ) -> Result<(), Trap> {
        let workers = match self.serial {
            true => &mut workers[..1],
            false => workers,
        };
        for worker in workers.iter_mut() {
            worker.stats = Stats::default();
        }
        let Store {
            batch,
            rows,
            params,
            pieces,
            spare,
        } = store;
        let mut counts = Stats {
            draws: 1,
            ..Stats::default()
        };
        let mut stippled = 0;
        let mut draw = |batch: &Batch| {
            counts.vertices += batch.vertices.len() as u64;
            counts.primitives += batch.primitives.len() as u64;
            self.vertices(batch, workers, rows, params)?;
            let left = &mut counts.clipped_primitives;
            let counts = (&mut stippled, left);
            self.primitives(batch, workers, (rows, params), pieces, counts)
        };
        let many = vertices.count() * u64::from(self.grouper.instances) >= MANY_VERTICES;
        let result = if many && !self.serial {
            let group = |hand_over: &mut dyn FnMut(&mut Batch) -> Result<(), Stopped>| {
                self.grouper.run(memory, vertices, batch, hand_over)
            };
            self.threads.ahead(spare, group, Batch::exchange, draw)
        } else {
            let run = |batch: &mut Batch| draw(batch);
            self.grouper.run(memory, vertices, batch, run)
        };
        let done = workers.iter().map(|worker| worker.stats);
        *totals = done.chain([counts]).fold(*totals, Stats::plus);
        result
    }

    /// Runs the vertex waves of a batch.
    fn vertices(
        &self,
        batch: &Batch,
        workers: &mut [Worker<W>],
        rows: &mut Vec<VertexRows>,
        params: &mut Vec<Vec<u32>>,
    ) -> Result<(), Trap> {
        let count = batch.vertices.len().div_ceil(64);
        if rows.len() < count {
            rows.resize_with(count, VertexRows::default);
            params.resize_with(count, Vec::new);
        }
        let mut out: Vec<_> = rows[..count].iter_mut().zip(&mut params[..count]).collect();
        self.threads
            .chunks(&mut out, workers, |n, (rows, params), worker| {
                let inputs = &batch.vertices[n * 64..(n * 64 + 64).min(batch.vertices.len())];
                let result = self.vertex.run(&mut worker.shader, inputs);
                worker.stats.waves += 1;
                worker.stats.vertex_lanes += inputs.len() as u64;
                worker.stats.instructions += V::instructions(&worker.shader);
                result?;
                let exports = V::exports(&worker.shader);
                self.assembly.project(self.stage.level, exports, rows);
                self.parameters(exports, inputs.len(), params);
                Ok(())
            })
    }

    /// Parameters of a wave, vertex by vertex.
    fn parameters(&self, exports: &VertexExports, lanes: usize, out: &mut Vec<u32>) {
        let stride = 4 * self.params;
        out.clear();
        out.resize(64 * stride, 0);
        for (index, param) in exports.params.iter().enumerate().take(self.params) {
            if exports.param_mask >> index & 1 == 0 {
                continue;
            }
            for (component, row) in param.iter().enumerate() {
                for (lane, value) in row.iter().enumerate().take(lanes) {
                    out[lane * stride + 4 * index + component] = *value;
                }
            }
        }
    }

    /// Sets up the primitives of a batch and draws their pixels.
    fn primitives(
        &self,
        batch: &Batch,
        workers: &mut [Worker<W>],
        (rows, params): (&[VertexRows], &[Vec<u32>]),
        pieces: &mut Vec<Piece>,
        (stippled, left): (&mut u64, &mut u64),
    ) -> Result<(), Trap> {
        let Draw {
            threads,
            assembly,
            stage,
            ..
        } = self;
        if !assembly.draws || stage.area.is_empty() {
            return Ok(());
        }
        let shift = match self.pixel_effects {
            true => ORDERED_BIN_SHIFT,
            false => bin_shift(stage.area, batch.primitives.len()),
        };
        let bins = Bins::new(stage.area, shift);
        let count = batch.primitives.len().div_ceil(PIECE);
        if pieces.len() < count {
            pieces.resize_with(count, Piece::default);
        }
        let pieces = &mut pieces[..count];
        let kind: Kind = self.grouper.topology.kind();
        let multisampled = !stage.samples.is_centre();
        threads.chunks(pieces, workers, |n, piece, _| {
            let first = n * PIECE;
            let run = &batch.primitives[first..(first + PIECE).min(batch.primitives.len())];
            piece.stippled.clear();
            assembly.assemble(
                stage.level,
                kind,
                rows,
                run,
                first as u32,
                &mut piece.primitives,
            );
            piece.lists.fill(
                &bins,
                stage.grid,
                multisampled,
                stage.area,
                &piece.primitives.list,
            );
            Ok::<(), Trap>(())
        })?;
        if kind == Kind::Lines
            && let Some(stipple) = &stage.stipple
        {
            count_pattern(stipple, stage.grid, &batch.strips, pieces, stippled);
        }
        let pieces = &*pieces;
        *left += pieces
            .iter()
            .map(|piece| piece.primitives.left)
            .sum::<u64>();
        let parameters = Parameters {
            primitives: &batch.primitives,
            waves: params,
            stride: 4 * self.params,
        };
        threads.for_each_bin(&bins, workers, |bin, worker| {
            let touched = |piece: &Piece| !piece.lists.of(bin.index).is_empty();
            if !pieces.iter().any(touched) {
                return Ok(());
            }
            let kept = (&mut worker.pixels, &mut worker.stats);
            let mut scan = Scan::begin(stage, parameters, &mut worker.shader, kept);
            let run = |scan: &mut Scan<S>| {
                for piece in pieces {
                    for index in piece.lists.of(bin.index) {
                        let primitive = &piece.primitives.list[*index as usize];
                        let stippled = piece.stippled.get(*index as usize).copied();
                        let corners = &piece.primitives.corners;
                        scan.primitive(primitive, corners, stippled.unwrap_or(0), bin.area)?;
                    }
                }
                scan.flush()
            };
            let result = run(&mut scan);
            result.map_err(|error| Failure {
                order: scan.order(),
                error,
            })
        })
    }
}

/// log2 of the edge of the bins for so many primitives. Nothing but the draw decides it, as counters of waves depend on it.
fn bin_shift(area: Rect, primitives: usize) -> u32 {
    let across = |size: i32| (size.max(0) as usize).div_ceil(1 << LARGE_BIN_SHIFT);
    let bins = across(area.x1 - area.x0) * across(area.y1 - area.y0);
    match bins >= ENOUGH_BINS && primitives <= FEW_PRIMITIVES * bins {
        true => LARGE_BIN_SHIFT,
        false => BIN_SHIFT,
    }
}

/// Where the stipple pattern is at the start of every line; `counter` goes on from batch to batch.
fn count_pattern(
    stipple: &Stipple,
    grid: Grid,
    strips: &[u32],
    pieces: &mut [Piece],
    counter: &mut u64,
) {
    let mut strips = strips.iter().peekable();
    for piece in pieces {
        piece.stippled.clear();
        for line in &piece.primitives.list {
            while strips.next_if(|first| **first <= line.id).is_some() {
                *counter = 0;
            }
            piece.stippled.push(*counter);
            *counter = match stipple.restarts {
                true => 0,
                false => *counter + stipple.length(grid, line),
            };
        }
    }
    // The batch may end with a strip none of whose lines is left.
    if strips.next().is_some() {
        *counter = 0;
    }
}

/// The pixels that have texels in all the surfaces of a stage, or the reason why they do not fit together.
pub fn check_surfaces<S>(stage: &mut PixelStage<S>) -> Result<(), String> {
    let planes = stage.colors.iter().map(|color| color.plane());
    let planes = planes.chain(stage.depth.planes());
    let samples = stage.spots.len();
    let mut area = stage.area;
    for plane in planes {
        if samples > 1 && plane.samples() != samples {
            return Err(format!(
                "{samples} samples are drawn to a surface of {}",
                plane.samples()
            ));
        }
        area = area.intersect(plane.area);
    }
    stage.area = area;
    // Colours that are written over depths leave no bound of them.
    let depth = stage.depth.depth.as_ref();
    let over = |depth: &Plane| {
        let mut planes = stage.colors.iter().map(|color| color.plane());
        planes.any(|plane| plane.overlaps(depth))
    };
    let over = depth.is_some_and(over);
    stage.depth.coarse &= !over;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_bins_are_for_few_primitives_on_large_areas() {
        let shift =
            |width, height, primitives| bin_shift(Rect::new(0, 0, width, height), primitives);
        // 10 by 6 large bins.
        assert_eq!(shift(1280, 720, 0), LARGE_BIN_SHIFT);
        assert_eq!(shift(1280, 720, 60 * FEW_PRIMITIVES), LARGE_BIN_SHIFT);
        assert_eq!(shift(1280, 720, 60 * FEW_PRIMITIVES + 1), BIN_SHIFT);
        // 6 by 5.
        assert_eq!(shift(768, 640, 1), BIN_SHIFT);
        assert_eq!(shift(769, 640, 1), LARGE_BIN_SHIFT);
        assert_eq!(shift(0, 0, 1), BIN_SHIFT);
    }
}
