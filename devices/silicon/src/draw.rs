//! One draw on an immediate-mode chip. In: indices and state. Out: shaded bins, one batch of primitives after another.

mod several;

use std::sync::Arc;

pub use several::{FirstHalves, run_several};

use crate::fragment::bins::{Bins, Threads};
use crate::fragment::output::{ColorOutput, DepthOutput};
use crate::fragment::scan::{PixelShader, PixelStage, PixelWorker};
use crate::fragment::surface::Plane;
use crate::fragment::{Waiting, shade};
use crate::geometry::assembly::Assembly;
use crate::geometry::binning::{BinnedPrimitives, Geometry, Store, VertexShader};
use crate::geometry::patches::Stages;
use crate::geometry::vertices::{InputAssembler, Part};
use crate::gpu::{Stats, Trap};
use crate::memory::Memory;

/// log2 of the bin edge for pixel shaders that store: waves run in primitive order within a bin.
const ORDERED_BIN_SHIFT: u32 = 12;
/// Up to this many vertices a draw may wait: its second half for those of others, all of it to run with others as one.
pub const FEW_VERTICES: u64 = 4096;

/// State of a finished wave: see [`VertexShader::finished`] and [`PixelShader::finished`].
#[derive(Debug)]
pub struct Finished<'a, E> {
    /// Instructions that the wave ran.
    pub instructions: u64,
    /// Its exports; of a failed wave, those before the trap.
    pub exports: &'a E,
}

/// Per-thread state that lives across draws; `shader` is the chip's.
#[derive(Debug, Default)]
pub struct Worker<W> {
    /// For waves of both stages.
    pub shader: W,
    pub(crate) pixels: PixelWorker,
    pub(crate) stats: Stats,
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

    /// What the thread did since the last call.
    pub fn take_stats(&mut self) -> Stats {
        self.pixels.count_traffic(&mut self.stats);
        std::mem::take(&mut self.stats)
    }
}

/// A draw, ready to run.
pub struct Draw<'a, V, S: PixelShader> {
    /// The device's threads.
    pub threads: &'a Threads,
    /// Indices to vertices and primitives.
    pub input_assembler: InputAssembler,
    /// Stages that make other primitives before the vertex shader; the input assembler gathers for them.
    pub amplifies: Option<Stages<'a, S::Worker>>,
    /// The vertex shader.
    pub vertex: V,
    /// Parameters that a vertex exports.
    pub params: usize,
    /// Clipping and set-up.
    pub assembly: &'a Assembly,
    /// The pixel half.
    pub stage: &'a Arc<PixelStage<S>>,
    /// What it has beside its state.
    pub own: S::Draw,
    /// The pixel shader stores to memory, and its stores do not wait: its waves run in primitive order.
    pub pixel_effects: bool,
    /// A shader stores to memory at once, or waves share memory: one thread runs the draw.
    pub serial: bool,
    /// The second half may wait: whoever looks at memory or counters before it is done asks for it.
    pub waits: bool,
}

impl<W, V, S> Draw<'_, V, S>
where
    W: Send,
    V: VertexShader<Worker = W>,
    S: PixelShader<Worker = W>,
{
    /// Its first half.
    fn geometry(&self) -> Geometry<'_, V> {
        let stage = self.stage;
        Geometry {
            threads: self.threads,
            level: stage.level,
            input_assembler: self.input_assembler,
            amplifies: self.amplifies,
            vertex: &self.vertex,
            params: self.params,
            assembly: self.assembly,
            grid: stage.grid,
            area: stage.area,
            layers: stage.layers(),
            multisampled: !stage.samples.is_centre(),
            stipple: stage.stipple,
            bins: self
                .pixel_effects
                .then(|| Bins::new(stage.area, ORDERED_BIN_SHIFT).with_layers(stage.layers())),
            // Vertices must not run before pixels have stored what they load.
            serial: self.serial || S::stores_later(&self.own),
        }
    }

    /// Draws, several draws as one; the counters include the work up to a trap. `waiting` is empty unless the draw may
    /// wait, too, and has the same surfaces.
    pub fn run(
        &self,
        memory: &Memory,
        parts: &[Part],
        workers: &mut [Worker<W>],
        (store, waiting): (&mut Store, &mut Waiting<S>),
        totals: &mut Stats,
    ) -> Result<(), Trap> {
        debug_assert!(self.waits || waiting.is_empty());
        let workers = match self.serial {
            true => &mut workers[..1],
            false => workers,
        };
        for worker in workers.iter_mut() {
            worker.take_stats();
        }
        let (threads, stage) = (self.threads, self.stage);
        let geometry = self.geometry();
        let counted = Stats {
            draws: parts.len() as u64,
            ..Stats::default()
        };
        let mut counts = counted;
        let few = parts.iter().map(Part::count).sum::<u64>() <= FEW_VERTICES;
        let waits = self.waits && few;
        let mut second_half = |primitives: &mut BinnedPrimitives, workers: &mut [Worker<W>]| {
            if !waits || !waiting.takes(primitives) {
                waiting.shade(threads, workers)?;
            }
            if !waits {
                return shade(threads, workers, &[(primitives, stage, &self.own)]);
            }
            waiting.push(primitives, stage, self.own.clone());
            Ok(())
        };
        let mut result = geometry.run(memory, parts, workers, store, &mut counts, &mut second_half);
        if result.is_err() && parts.len() > 1 && waits {
            // Nothing was handed over. The draws before the one that fails are drawn.
            counts = counted;
            for worker in workers.iter_mut() {
                worker.take_stats();
            }
            let mut each = parts.chunks(1);
            result = each.try_for_each(|part| {
                geometry.run(memory, part, workers, store, &mut counts, &mut second_half)
            });
        }
        let result = match result {
            // What draws before this one do wrong comes first.
            Err(trap) => waiting.shade(threads, workers).and(Err(trap)),
            Ok(()) => Ok(()),
        };
        let done = workers.iter_mut().map(Worker::take_stats);
        *totals = done.chain([counts]).fold(*totals, Stats::plus);
        result
    }
}

/// Shades the draws that wait and counts it.
pub fn finish<W: Send, S: PixelShader<Worker = W>>(
    waiting: &mut Waiting<S>,
    threads: &Threads,
    workers: &mut [Worker<W>],
    totals: &mut Stats,
) -> Result<(), Trap> {
    if waiting.is_empty() {
        return Ok(());
    }
    for worker in workers.iter_mut() {
        worker.take_stats();
    }
    let result = waiting.shade(threads, workers);
    let done = workers.iter_mut().map(Worker::take_stats);
    *totals = done.fold(*totals, Stats::plus);
    result
}

/// The area common to all surfaces of a stage and of its other layers, or why there is none.
pub fn check_surfaces<S>(stage: &mut PixelStage<S>) -> Result<(), String> {
    let mut others = std::mem::take(&mut stage.others);
    let mut area = stage.area;
    for layer in [&mut *stage].into_iter().chain(&mut others) {
        check_layer(layer)?;
        area = area.intersect(layer.area);
    }
    for layer in [&mut *stage].into_iter().chain(&mut others) {
        layer.area = area;
    }
    stage.others = others;
    Ok(())
}

/// Samples of the surfaces that a draw writes and tests: the most of any.
pub fn surface_samples(colors: &[ColorOutput], depth: &DepthOutput) -> usize {
    let planes = colors.iter().map(ColorOutput::plane);
    let samples = planes.chain(depth.planes()).map(Plane::samples);
    samples.max().unwrap_or(1)
}

/// The area common to all surfaces of a layer.
fn check_layer<S>(stage: &mut PixelStage<S>) -> Result<(), String> {
    let planes = stage.colors.iter().map(|color| color.plane());
    let planes = planes.chain(stage.depth.planes());
    let samples = stage.sample_positions.len();
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
    // Colours that alias depths change what is tested.
    let over = |depth: &Plane| {
        let mut planes = stage.colors.iter().map(|color| color.plane());
        planes.any(|plane| plane.overlaps(depth))
    };
    let over = stage.depth.planes().any(over);
    let depth = &mut stage.depth;
    depth.hi_z &= !over;
    // A shader that reads the coverage sees which lanes start.
    depth.may_reject &= !over && !stage.needs_coverage;
    depth.rejecting = depth.rejecting_tests().map(Box::new);
    Ok(())
}
