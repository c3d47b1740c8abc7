//! The geometry half of a draw. In: indices, a vertex shader, assembly and clip state. Out: [`BinnedPrimitives`], batch
//! by batch. Immediate-mode chips shade each batch at once ([`crate::fragment::shade`]), deferred ones the whole pass.

use super::amplify::Amplifier;
use super::assembly::{Assembly, Primitives, VertexRows};
use super::patches::{Divider, Stages};
use super::setup::{Corners, Grid, Primitive};
use super::stipple::Stipple;
use super::stream::{Streamed, Streams};
use super::topology::Kind;
use super::vertices::{Assembled, Batch, InputAssembler, Part, VertexInput};
use crate::draw::{Finished, Worker};
use crate::exports::VertexExports;
use crate::fragment::bins::{Bins, Lists, Stopped, Threads};
use crate::fragment::scan::Parameters;
use crate::fragment::tile::Rect;
use crate::gpu::{Stats, Trap};
use crate::memory::{Memory, bring_near};
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Primitives that one thread sets up at a time.
const PIECE: usize = 2048;
/// Waves of vertices that are worth waking a thread for.
const WAVES_EACH: usize = 4;
/// From this many vertices on, input assembly runs ahead of shading: several batches.
const MANY_VERTICES: u64 = 1 << 18;
/// log2 of the bin edge.
const BIN_SHIFT: u32 = 6;
/// log2 of the bin edge for few primitives, which each bin sets up again, if enough bins remain for the threads.
const LARGE_BIN_SHIFT: u32 = 7;
/// Bins that are enough.
const ENOUGH_BINS: usize = 32;
/// Primitives per large bin that count as few: their working set stays in a near cache.
const FEW_PRIMITIVES: usize = 64;

/// The vertex shader of a draw, as the chip runs it.
pub trait VertexShader: Sync {
    /// What a thread keeps to run waves.
    type Worker: Send;

    /// Runs a wave of at most 64 vertices to its end.
    fn run(&self, worker: &mut Self::Worker, inputs: &[VertexInput]) -> Result<(), Trap>;

    /// Runs a wave of which some vertices go to the buffers of a stream. Called where a draw has one.
    fn run_streamed(
        &self,
        worker: &mut Self::Worker,
        inputs: &[VertexInput],
        _streamed: Streamed,
    ) -> Result<(), Trap> {
        self.run(worker, inputs)
    }

    /// Appends a counter for each primitive of a batch, whose vertices have run, and says whether it did: what
    /// [`BinnedPrimitive::stippled`] is where no pattern counts. Batches come in the order of the draw.
    fn count(&self, _batch: Parameters<'_>, _counters: &mut Vec<u64>) -> bool {
        false
    }

    /// State of the last wave, failed ones included.
    fn finished(worker: &Self::Worker) -> Finished<'_, VertexExports>;
}

/// Vertex rows and batches, reused from draw to draw.
#[derive(Debug, Default)]
pub struct Store {
    batch: Batch,
    rows: Vec<VertexRows>,
    binned: BinnedPrimitives,
    /// Batches in flight between input assembler and shading.
    spare: Vec<Batch>,
    /// Of the primitives of a batch: see [`VertexShader::count`].
    counters: Vec<u64>,
    divider: Divider,
    amplifier: Amplifier,
    /// The stream of the draw: put here before it runs, and taken when it has.
    pub streams: Option<Streams>,
}

/// A run of primitives after set-up.
#[derive(Debug, Default)]
struct Piece {
    primitives: Primitives,
    /// Counters of the stipple pattern at the start of the primitives, where lines are stippled.
    stippled: Vec<u64>,
    lists: Lists,
}

/// A batch of primitives after set-up, sorted into bins, with the parameters of their vertices.
#[derive(Debug, Default)]
pub struct BinnedPrimitives {
    bins: Bins,
    assembled: Vec<Assembled>,
    /// Those of this batch are in front.
    pieces: Vec<Piece>,
    count: usize,
    /// Parameters of every wave of 64 vertices.
    parameters: Vec<Vec<u32>>,
    /// Words of a vertex.
    stride: usize,
    /// Where the primitives of each draw end, of several that are drawn as one.
    parts: Vec<u32>,
}

/// Primitives in a row and the lists of the bins that they may touch, by their numbers in the run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The primitives.
    pub primitives: &'a Primitives,
    /// The bins.
    pub lists: &'a Lists,
    /// Counter of the stipple pattern at the start of each, where lines are stippled.
    pub stippled: &'a [u64],
}

/// A primitive in a bin.
#[derive(Clone, Copy, Debug)]
pub struct BinnedPrimitive<'a> {
    /// The primitive.
    pub primitive: &'a Primitive,
    /// Weights of corners that clipping made.
    pub corners: &'a [Corners],
    /// Counter of the stipple pattern at the primitive's start.
    pub stippled: u64,
}

impl BinnedPrimitives {
    /// The bins that the primitives are sorted into.
    pub fn bins(&self) -> &Bins {
        &self.bins
    }

    /// Pixels that are drawn at most.
    pub fn pixels(&self) -> u64 {
        let pieces = self.pieces[..self.count].iter();
        pieces.map(|piece| piece.lists.pixels()).sum()
    }

    /// Visits the bins that primitives may touch, some more than once.
    pub fn touched(&self, mut visit: impl FnMut(u32)) {
        let pieces = self.pieces[..self.count].iter();
        pieces.for_each(|piece| piece.lists.touched(&mut visit));
    }

    /// How many primitives may touch a bin.
    pub fn entries(&self, bin: usize) -> u64 {
        let pieces = self.pieces[..self.count].iter();
        pieces.map(|piece| piece.lists.of(bin).len() as u64).sum()
    }

    /// All primitives, run after run in the order of the draw: for chips that keep them in memory.
    pub fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        let pieces = self.pieces[..self.count].iter();
        pieces.map(|piece| Run {
            primitives: &piece.primitives,
            lists: &piece.lists,
            stippled: &piece.stippled,
        })
    }

    /// The primitives that may touch a bin, in the order of the draw.
    pub fn in_bin(&self, bin: usize) -> impl Iterator<Item = BinnedPrimitive<'_>> {
        /// How many primitives are drawn until one comes that is brought near now; its vertices' numbers and then their
        /// parameters follow.
        const AHEAD: usize = 4;
        self.pieces[..self.count].iter().flat_map(move |piece| {
            let (list, indices) = (&piece.primitives.list, piece.lists.of(bin));
            indices.iter().enumerate().map(move |(n, &index)| {
                // Those of a bin lie anywhere.
                let later = |ahead: usize| list.get(*indices.get(n + ahead)? as usize);
                if let Some(primitive) = later(AHEAD) {
                    bring_near(primitive);
                }
                if let Some(primitive) = later(AHEAD - 1)
                    && let Some(vertices) = self.assembled.get(primitive.id as usize)
                {
                    bring_near(vertices);
                }
                if let Some(primitive) = later(AHEAD - 2) {
                    self.parameters().bring_near(primitive.id);
                }
                BinnedPrimitive {
                    primitive: &list[index as usize],
                    corners: &piece.primitives.corners,
                    stippled: piece.stippled.get(index as usize).copied().unwrap_or(0),
                }
            })
        })
    }

    /// Draws that are drawn as one.
    pub fn parts(&self) -> usize {
        self.parts.len().max(1)
    }

    /// The draw that a primitive is of.
    pub fn part_of(&self, id: u32) -> u32 {
        self.parts.partition_point(|end| *end <= id) as u32
    }

    /// Parameters of the vertices.
    pub fn parameters(&self) -> Parameters<'_> {
        Parameters {
            primitives: &self.assembled,
            waves: &self.parameters,
            stride: self.stride,
        }
    }
}

/// The first half of a draw, ready to run.
pub struct Geometry<'a, V: VertexShader> {
    /// The device's threads.
    pub threads: &'a Threads,
    /// Vector instructions of the host.
    pub level: SimdLevel,
    /// Indices to vertices and primitives.
    pub input_assembler: InputAssembler,
    /// Stages that make other primitives before the vertex shader; the input assembler gathers for them.
    pub amplifies: Option<Stages<'a, V::Worker>>,
    /// The vertex shader.
    pub vertex: &'a V,
    /// Parameters that a vertex exports, four words each.
    pub params: usize,
    /// Clipping and set-up.
    pub assembly: &'a Assembly,
    /// Grid of the vertices.
    pub grid: Grid,
    /// Pixels that are drawn.
    pub area: Rect,
    /// Layers that primitives may be drawn to.
    pub layers: u32,
    /// Samples lie elsewhere than in pixel centres.
    pub multisampled: bool,
    /// Pattern along lines.
    pub stipple: Option<Stipple>,
    /// Bins of the pass, which cover the draw. `None`: each batch picks bins for its size.
    pub bins: Option<Bins>,
    /// A shader stores to memory: input assembly does not run ahead.
    pub serial: bool,
}

impl<W: Send, V: VertexShader<Worker = W>> Geometry<'_, V> {
    /// Runs vertex shading of draws as one and hands over each batch of primitives, in order; the taker may swap its
    /// contents. `counts` includes the work up to a trap.
    pub fn run(
        &self,
        memory: &Memory,
        parts: &[Part],
        workers: &mut [Worker<W>],
        store: &mut Store,
        counts: &mut Stats,
        mut take: impl FnMut(&mut BinnedPrimitives, &mut [Worker<W>]) -> Result<(), Trap> + Send,
    ) -> Result<(), Trap> {
        let Store {
            batch,
            rows,
            binned,
            spare,
            counters,
            divider,
            amplifier,
            streams,
        } = store;
        let mut stippled = 0;
        let stages = self.amplifies;
        let last = self.input_assembler.provoking_last;
        let mut draw = |batch: &mut Batch, workers: &mut [Worker<W>], counts: &mut Stats| {
            if let Some(stage) = stages.and_then(|stages| stages.geometry) {
                amplifier.run(stage, batch, last, self.threads, workers)?;
            }
            counts.clipping_invocations += batch.primitives.len() as u64;
            let kind = self.kind();
            let streamed = (streams.as_mut()).map(|streams| streams.take(batch, kind, last));
            let out = (&mut *rows, &mut binned.parameters);
            self.vertices(batch, streamed, workers, out)?;
            let shaded = Parameters {
                primitives: &batch.primitives,
                waves: &binned.parameters,
                stride: 4 * self.params,
            };
            counters.clear();
            let counts_own = self.vertex.count(shaded, counters);
            if !self.assembly.draws || self.area.is_empty() {
                return Ok(());
            }
            self.primitives(batch, workers, rows, binned, &mut stippled)?;
            if counts_own {
                for piece in &mut binned.pieces[..binned.count] {
                    let ids = piece.primitives.list.iter().map(|piece| piece.id);
                    piece.stippled.clear();
                    piece.stippled.extend(ids.map(|id| counters[id as usize]));
                }
            }
            let pieces = binned.pieces[..binned.count].iter();
            counts.clipped_primitives += pieces.map(|piece| piece.primitives.left).sum::<u64>();
            take(binned, workers)
        };
        let draw = |batch: &mut Batch| {
            counts.vertices += batch.vertices.len() as u64;
            counts.primitives += batch.count() as u64;
            match stages {
                Some(stages) if stages.tessellation.is_some() => {
                    let state = (self.threads, &mut *workers);
                    divider.run(stages, batch, last, state, |batch, workers| {
                        draw(batch, workers, counts)
                    })
                }
                _ => draw(batch, workers, counts),
            }
        };
        let many = parts.iter().map(Part::count).sum::<u64>() >= MANY_VERTICES;
        if many && !self.serial {
            let group = |hand_over: &mut dyn FnMut(&mut Batch) -> Result<(), Stopped>| {
                self.input_assembler.run(memory, parts, batch, hand_over)
            };
            self.threads.ahead(spare, group, Batch::exchange, draw)
        } else {
            self.input_assembler.run(memory, parts, batch, draw)
        }
    }

    /// What the primitives are that are set up.
    fn kind(&self) -> Kind {
        let input = self.input_assembler.topology;
        let stages = self.amplifies.as_ref();
        stages.map_or(input.kind(), |stages| stages.kind(input))
    }

    /// Runs the vertex waves of a batch.
    fn vertices(
        &self,
        batch: &Batch,
        streamed: Option<Streamed>,
        workers: &mut [Worker<W>],
        (rows, params): (&mut Vec<VertexRows>, &mut Vec<Vec<u32>>),
    ) -> Result<(), Trap> {
        let count = batch.vertices.len().div_ceil(64);
        if rows.len() < count {
            rows.resize_with(count, VertexRows::default);
        }
        if params.len() < count {
            params.resize_with(count, Vec::new);
        }
        let mut out: Vec<_> = rows[..count].iter_mut().zip(&mut params[..count]).collect();
        let useful = workers.len().min(count.div_ceil(WAVES_EACH));
        let workers = &mut workers[..useful];
        let kind = self.kind();
        self.threads
            .chunks(&mut out, workers, |n, (rows, params), worker| {
                let inputs = batch.wave(n);
                let result = match streamed {
                    None => self.vertex.run(&mut worker.shader, inputs),
                    Some(streamed) => {
                        let streamed = streamed.of_wave(n);
                        self.vertex
                            .run_streamed(&mut worker.shader, inputs, streamed)
                    }
                };
                let Finished {
                    instructions,
                    exports,
                } = V::finished(&worker.shader);
                worker.stats.vertex_waves += 1;
                if self.amplifies.is_none() {
                    // Otherwise it copies vertices, or is the shader of domain points.
                    worker.stats.vertex_lanes += inputs.len() as u64;
                }
                worker.stats.instructions += instructions;
                result?;
                let lanes = inputs.len();
                (self.assembly).project(self.level, kind, exports, lanes, rows);
                self.parameters(exports, lanes, params);
                Ok(())
            })
    }

    /// Parameters of a wave, vertex by vertex.
    fn parameters(&self, exports: &VertexExports, lanes: usize, out: &mut Vec<u32>) {
        let stride = 4 * self.params;
        // Those that the shader does not export are zero.
        if (0..self.params).any(|index| exports.param_mask >> index & 1 == 0) {
            out.clear();
        }
        out.resize(lanes * stride, 0);
        for (index, param) in exports.params.iter().enumerate().take(self.params) {
            if exports.param_mask >> index & 1 == 0 {
                continue;
            }
            self.level.run(Interleave {
                param,
                out: &mut *out,
                stride,
                first: 4 * index,
            });
        }
    }

    /// Sets up the primitives of a batch and sorts them into bins.
    fn primitives(
        &self,
        batch: &mut Batch,
        workers: &mut [Worker<W>],
        rows: &[VertexRows],
        binned: &mut BinnedPrimitives,
        stippled: &mut u64,
    ) -> Result<(), Trap> {
        std::mem::swap(&mut binned.assembled, &mut batch.primitives);
        std::mem::swap(&mut binned.parts, &mut batch.parts);
        let assembled = &binned.assembled;
        let own = || {
            let shift = bin_shift(self.area, assembled.len());
            Bins::new(self.area, shift).with_layers(self.layers)
        };
        let bins = self.bins.unwrap_or_else(own);
        let count = assembled.len().div_ceil(PIECE);
        if binned.pieces.len() < count {
            binned.pieces.resize_with(count, Piece::default);
        }
        (binned.bins, binned.count, binned.stride) = (bins, count, 4 * self.params);
        let pieces = &mut binned.pieces[..count];
        let kind = self.kind();
        self.threads.chunks(pieces, workers, |n, piece, _| {
            let first = n * PIECE;
            let run = &assembled[first..(first + PIECE).min(assembled.len())];
            piece.stippled.clear();
            let primitives = &mut piece.primitives;
            self.assembly
                .assemble(self.level, kind, rows, run, first as u32, primitives);
            piece.lists.fill(
                &bins,
                self.grid,
                self.multisampled,
                self.area,
                (&primitives.list, &primitives.layers),
            );
            Ok::<(), Trap>(())
        })?;
        if kind == Kind::Lines
            && let Some(stipple) = &self.stipple
        {
            count_pattern(stipple, self.grid, &batch.strips, pieces, stippled);
        }
        Ok(())
    }
}

/// Puts the components of a parameter beside each other: four words of each vertex from `first` on.
struct Interleave<'a> {
    param: &'a [Lanes; 4],
    /// Vertices, `stride` words each.
    out: &'a mut [u32],
    stride: usize,
    first: usize,
}

impl Kernel for Interleave<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        const CHUNK: usize = 16;
        let Interleave {
            param,
            out,
            stride,
            first,
        } = self;
        for (n, vertices) in out.chunks_mut(CHUNK * stride).enumerate() {
            let mut rows = [[0; CHUNK]; 4];
            for (row, component) in rows.iter_mut().zip(param) {
                row.copy_from_slice(&component[CHUNK * n..][..CHUNK]);
            }
            let mut beside = [0; 4 * CHUNK];
            for lane in 0..CHUNK {
                for component in 0..4 {
                    beside[4 * lane + component] = rows[component][lane];
                }
            }
            // One parameter: no other words lie between.
            if stride == 4 && first == 0 {
                // Sixteen go there as vectors.
                match vertices.as_chunks_mut().0.first_mut() {
                    Some(all) => *all = beside,
                    None => {
                        let len = vertices.len();
                        vertices.copy_from_slice(&beside[..len]);
                    }
                }
                continue;
            }
            for (vertex, words) in vertices
                .chunks_exact_mut(stride)
                .zip(beside.chunks_exact(4))
            {
                vertex[first..first + 4].copy_from_slice(words);
            }
        }
    }
}

/// log2 of the bin edge for so many primitives. Depends on the draw only, as wave counters depend on it.
fn bin_shift(area: Rect, primitives: usize) -> u32 {
    let across = |size: i32| (size.max(0) as usize).div_ceil(1 << LARGE_BIN_SHIFT);
    let bins = across(area.x1 - area.x0) * across(area.y1 - area.y0);
    match bins >= ENOUGH_BINS && primitives <= FEW_PRIMITIVES * bins {
        true => LARGE_BIN_SHIFT,
        false => BIN_SHIFT,
    }
}

/// Stipple counter at the start of each line; `counter` carries over between batches.
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
