//! The geometry stage. In: a batch of vertices and of the primitives that they make. Out: the vertices and primitives that
//! the stage emits, in the order of the primitives and of the invocations of each.
//!
//! The chip runs two kinds of waves: of the vertices, which leave what they make in memory, and of invocations of the
//! stage, which find it there and leave emitted vertices in memory. A vertex shader then takes these as its vertices.
//! A batch has no more vertices and primitives than memory has room for.

use super::topology::Topology;
use super::vertices::{Assembled, Batch, VertexInput};
use crate::draw::Worker;
use crate::fragment::bins::Threads;
use crate::gpu::Trap;

/// Most vertices of a primitive with its neighbours.
pub const MOST_CORNERS: usize = 6;

/// A primitive with its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Vertices of the batch, in the order in which a geometry stage numbers them.
    pub vertices: [u32; MOST_CORNERS],
    /// Number of the primitive in its instance.
    pub number: u32,
}

/// What an invocation of the stage starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GeometryInput {
    /// Its primitive.
    pub primitive: Gathered,
    /// Number of the invocation for this primitive.
    pub invocation: u32,
}

/// What lanes of a wave did at the same time: first they emit, then they cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The next vertex of the strip is complete.
    pub emits: bool,
    /// The strip ends.
    pub cuts: bool,
    /// The lanes.
    pub lanes: u64,
}

/// How a stage changes primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amplification {
    /// Invocations for each primitive.
    pub invocations: u32,
    /// Vertices that an invocation emits at most; more are dropped.
    pub max_vertices: u32,
    /// What the vertices make: points, a line strip or a triangle strip.
    pub output: Topology,
    /// Vertices that memory has room for.
    pub vertices: usize,
    /// Invocations that memory has room for.
    pub threads: usize,
}

impl Amplification {
    /// What a batch may have; none where memory does not hold a single primitive.
    pub fn room(&self) -> Option<Room> {
        let primitives = self.threads / self.invocations.max(1) as usize;
        let holds = self.vertices >= MOST_CORNERS && primitives > 0;
        holds.then_some(Room {
            vertices: self.vertices,
            primitives,
        })
    }
}

/// What a batch may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Vertices, enough for a primitive.
    pub vertices: usize,
    /// Primitives, at least one.
    pub primitives: usize,
}

/// A geometry stage of a draw, as the chip runs it.
pub trait GeometryShader<W>: Sync {
    /// How it changes primitives.
    fn amplification(&self) -> Amplification;

    /// Runs a wave of at most 64 vertices to its end: number `wave` of the batch.
    fn run_vertices(&self, worker: &mut W, wave: usize, inputs: &[VertexInput])
    -> Result<(), Trap>;

    /// Runs a wave of at most 64 invocations to its end: number `wave` of the batch. What it does goes to the end of
    /// `messages`.
    fn run_primitives(
        &self,
        worker: &mut W,
        wave: usize,
        inputs: &[GeometryInput],
        messages: &mut Vec<Message>,
    ) -> Result<(), Trap>;

    /// Instructions of the last wave, failed ones included.
    fn instructions(&self, worker: &W) -> u64;

    /// How the vertex shader that takes emitted vertices finds one: wave of invocations, lane, and number there.
    fn emitted(&self, wave: usize, lane: u32, number: u32) -> u32;
}

/// What a wave of invocations emitted: vertices, and primitives and beginnings of strips among them.
#[derive(Debug, Default)]
struct Emitted {
    messages: Vec<Message>,
    vertices: Vec<VertexInput>,
    primitives: Vec<Assembled>,
    strips: Vec<u32>,
    /// Primitives before those of each lane, and of all.
    ends: Vec<u32>,
    /// Vertices of the strip so far.
    strip: Vec<u32>,
}

/// Waves of invocations, reused from batch to batch.
#[derive(Debug, Default)]
pub struct Amplifier {
    waves: Vec<Emitted>,
    /// A chunk a wave of vertices, for the threads.
    chunks: Vec<()>,
}

impl Emitted {
    fn clear(&mut self) {
        self.messages.clear();
        self.vertices.clear();
        self.primitives.clear();
        self.strips.clear();
        self.ends.clear();
    }

    /// Makes primitives of what the first lanes emitted, lane after lane.
    fn assemble(
        &mut self,
        lanes: usize,
        shape: &Amplification,
        last: bool,
        address: impl Fn(u32, u32) -> u32,
    ) {
        let messages = std::mem::take(&mut self.messages);
        for lane in 0..lanes as u32 {
            self.ends.push(self.primitives.len() as u32);
            let mut number = 0;
            for message in messages.iter().filter(|m| m.lanes >> lane & 1 != 0) {
                if message.emits && number < shape.max_vertices {
                    self.strip.push(self.vertices.len() as u32);
                    self.vertices.push(VertexInput {
                        index: address(lane, number),
                        ..VertexInput::default()
                    });
                    number += 1;
                }
                if message.cuts {
                    self.end_strip(shape.output, last);
                }
            }
            self.end_strip(shape.output, last);
        }
        self.ends.push(self.primitives.len() as u32);
        self.messages = messages;
    }

    fn end_strip(&mut self, output: Topology, last: bool) {
        let Emitted {
            primitives,
            strips,
            strip,
            ..
        } = self;
        if strip.is_empty() {
            return;
        }
        strips.push(primitives.len() as u32);
        let done = output.primitives(strip.len(), last, &mut |corners: [usize; 3]| {
            let vertices = corners.map(|corner| strip[corner]);
            primitives.push(Assembled { vertices });
            Ok::<(), std::convert::Infallible>(())
        });
        debug_assert_eq!(done, Ok(()));
        strip.clear();
    }
}

impl Amplifier {
    /// Runs the stage over a batch, which then holds what it emitted.
    pub fn run<W: Send>(
        &mut self,
        stage: &dyn GeometryShader<W>,
        batch: &mut Batch,
        provoking_last: bool,
        threads: &Threads,
        workers: &mut [Worker<W>],
    ) -> Result<(), Trap> {
        let shape = stage.amplification();
        let waves = batch.vertices.len().div_ceil(64);
        self.chunks.resize(waves, ());
        threads.chunks(&mut self.chunks, workers, |n, (), worker| {
            let inputs = batch.wave(n);
            let result = stage.run_vertices(&mut worker.shader, n, inputs);
            worker.stats.vertex_waves += 1;
            worker.stats.vertex_lanes += inputs.len() as u64;
            worker.stats.instructions += stage.instructions(&worker.shader);
            result
        })?;
        let each = shape.invocations.max(1);
        let invocations = batch.gathered.len() * each as usize;
        let waves = invocations.div_ceil(64);
        if self.waves.len() < waves {
            self.waves.resize_with(waves, Emitted::default);
        }
        let gathered = &batch.gathered;
        threads.chunks(&mut self.waves[..waves], workers, |n, out, worker| {
            out.clear();
            let mut inputs = [GeometryInput::default(); 64];
            let lanes = 64.min(invocations - 64 * n);
            for (lane, input) in inputs[..lanes].iter_mut().enumerate() {
                let thread = 64 * n + lane;
                *input = GeometryInput {
                    primitive: gathered[thread / each as usize],
                    invocation: thread as u32 % each,
                };
            }
            let inputs = &inputs[..lanes];
            let result = stage.run_primitives(&mut worker.shader, n, inputs, &mut out.messages);
            worker.stats.geometry_waves += 1;
            worker.stats.geometry_lanes += lanes as u64;
            worker.stats.instructions += stage.instructions(&worker.shader);
            result?;
            out.assemble(lanes, &shape, provoking_last, |lane, number| {
                stage.emitted(n, lane, number)
            });
            worker.stats.geometry_primitives += out.primitives.len() as u64;
            Ok(())
        })?;
        self.put(waves, each, batch);
        Ok(())
    }

    /// Puts what the waves emitted into the batch.
    fn put(&self, waves: usize, each: u32, batch: &mut Batch) {
        let Batch {
            vertices,
            primitives,
            strips,
            parts,
            lanes,
            ..
        } = batch;
        let waves = &self.waves[..waves];
        // Ends of draws are counted in primitives that come in.
        let before = |primitive: u32| {
            let thread = (primitive * each) as usize;
            let whole: usize = waves[..thread / 64]
                .iter()
                .map(|w| w.primitives.len())
                .sum();
            let within = waves.get(thread / 64).map_or(0, |w| w.ends[thread % 64]);
            whole as u32 + within
        };
        for end in parts.iter_mut() {
            *end = before(*end);
        }
        vertices.clear();
        lanes.clear();
        primitives.clear();
        strips.clear();
        for wave in waves {
            let (vertex, primitive) = (vertices.len() as u32, primitives.len() as u32);
            vertices.extend_from_slice(&wave.vertices);
            primitives.extend(wave.primitives.iter().map(|p| Assembled {
                vertices: p.vertices.map(|corner| corner + vertex),
            }));
            strips.extend(wave.strips.iter().map(|strip| strip + primitive));
        }
    }
}
