//! The tessellation stages. In: a batch of patches. Out: batches of the vertices and primitives that their domains are
//! divided into, in the order of the patches.
//!
//! The chip runs patches in groups, on all threads: shaders find out the levels of each patch and leave in memory what the
//! shader of the vertices reads. The tessellator then divides one patch after the other. A wave of vertices belongs to one
//! group.

use super::amplify::{Gathered, GeometryShader, MOST_CORNERS, Room};
use super::tessellator::{Domain, Mesh, Output, Tessellator};
use super::topology::{Kind, Topology};
use super::vertices::{Assembled, Batch, MOST, VertexInput};
use crate::draw::Worker;
use crate::fragment::bins::Threads;
use crate::gpu::{Stats, Trap};

/// Lanes of a wave.
const WAVE: usize = 64;

/// Stages between the input assembler and the vertex shader of a draw.
pub struct Stages<'a, W> {
    /// Patches to primitives.
    pub tessellation: Option<&'a dyn TessellationShader<W>>,
    /// Primitives to others.
    pub geometry: Option<&'a dyn GeometryShader<W>>,
}

impl<W> Clone for Stages<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Stages<'_, W> {}

impl<'a, W> Stages<'a, W> {
    /// A geometry stage alone.
    pub fn amplified(geometry: &'a dyn GeometryShader<W>) -> Self {
        Stages {
            tessellation: None,
            geometry: Some(geometry),
        }
    }

    /// What the primitives of a draw are in the end.
    pub fn kind(&self, input: Topology) -> Kind {
        match (self.geometry, self.tessellation) {
            (Some(stage), _) => stage.amplification().output.kind(),
            (None, Some(stage)) => stage.patches().tessellator.kind(),
            (None, None) => input.kind(),
        }
    }
}

/// How patches are run and divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// Vertices of a patch.
    pub control_points: u8,
    /// Patches of a group.
    pub of_group: usize,
    /// Groups that memory has room for.
    pub groups: usize,
    /// One thread runs the groups, in order: shaders store to memory that others may see.
    pub serial: bool,
    /// The fixed-function part.
    pub tessellator: Tessellator,
}

impl Patches {
    /// What a batch of patches may have.
    pub fn room(&self) -> Room {
        Room {
            vertices: usize::MAX,
            primitives: self.of_group * self.groups,
        }
    }
}

impl Tessellator {
    /// What it makes.
    pub fn kind(&self) -> Kind {
        match (self.output, self.domain) {
            (Output::Points, _) => Kind::Points,
            (Output::Lines, _) | (_, Domain::Isolines) => Kind::Lines,
            _ => Kind::Triangles,
        }
    }
}

/// What shaders found out about the patches of a group.
#[derive(Clone, Debug, Default)]
pub struct PatchGroup {
    /// Levels of each patch, outer ones first.
    pub levels: Vec<[f32; 6]>,
    /// Instructions of all waves.
    pub instructions: u64,
    /// Waves of the control points that come in.
    pub waves: u64,
}

/// The programmable part of tessellation, as the chip runs it.
pub trait TessellationShader<W>: Sync {
    /// What it makes of patches.
    fn patches(&self) -> Patches;

    /// Runs group number `group` of those in memory: `inputs` are the vertices of its patches, `numbers` the numbers of the
    /// patches. Adds levels for each patch; counters include the work up to a trap.
    fn run_group(
        &self,
        worker: &mut W,
        group: usize,
        patches: (&[VertexInput], &[Gathered]),
        out: &mut PatchGroup,
    ) -> Result<(), Trap>;
}

/// A point of the domain of a patch: what a vertex wave starts with, instead of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DomainPoint {
    /// Coordinates in units of 1 / 65536.
    pub place: [u32; 2],
    /// Number of the patch in its instance.
    pub patch: u32,
    /// Number of the patch in its group, at most 255.
    pub relative: u32,
    /// The group, of those that are in memory.
    pub group: u32,
}

impl From<DomainPoint> for VertexInput {
    fn from(point: DomainPoint) -> VertexInput {
        let [u, v] = point.place;
        VertexInput {
            index: u | v << 17,
            instance: v >> 15 | point.relative << 2 | point.group << 10,
            primitive: point.patch,
        }
    }
}

impl From<&VertexInput> for DomainPoint {
    fn from(input: &VertexInput) -> DomainPoint {
        DomainPoint {
            place: [
                input.index & 0x1_ffff,
                input.index >> 17 | (input.instance & 3) << 15,
            ],
            patch: input.primitive,
            relative: input.instance >> 2 & 0xff,
            group: input.instance >> 10,
        }
    }
}

/// Groups and what they are divided into, reused from batch to batch.
#[derive(Debug, Default)]
pub struct Divider {
    groups: Vec<PatchGroup>,
    mesh: Mesh,
    /// The vertex of each point of the mesh, in the batch that is filled.
    known: Vec<u32>,
    batch: Batch,
}

/// No vertex.
const NONE: u32 = u32::MAX;

impl Divider {
    /// Runs the stages over a batch of patches and hands on what comes out, in as many batches as are needed.
    pub fn run<W: Send>(
        &mut self,
        stages: Stages<'_, W>,
        patches: &Batch,
        provoking_last: bool,
        (threads, workers): (&Threads, &mut [Worker<W>]),
        mut take: impl FnMut(&mut Batch, &mut [Worker<W>]) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        let Some(stage) = stages.tessellation else {
            return Ok(());
        };
        let shape = stage.patches();
        let corners = usize::from(shape.control_points);
        let count = patches.gathered.len().div_ceil(shape.of_group);
        if self.groups.len() < count {
            self.groups.resize_with(count, PatchGroup::default);
        }
        let groups = &mut self.groups[..count];
        let useful = if shape.serial { 1 } else { workers.len() };
        threads.chunks(groups, &mut workers[..useful], |n, group, worker| {
            group.levels.clear();
            (group.instructions, group.waves) = (0, 0);
            let first = n * shape.of_group;
            let last = (first + shape.of_group).min(patches.gathered.len());
            let inputs = &patches.vertices[first * corners..last * corners];
            let numbers = &patches.gathered[first..last];
            let result = stage.run_group(&mut worker.shader, n, (inputs, numbers), group);
            count_group(&mut worker.stats, group, inputs.len());
            result
        })?;
        let room = stages
            .geometry
            .and_then(|stage| stage.amplification().room());
        let mut filling = Filling {
            batch: &mut self.batch,
            gathers: stages.geometry.is_some(),
            last: provoking_last,
            room: room.unwrap_or(MOST),
        };
        filling.batch.clear();
        let mut divided = None;
        for (group, found) in groups.iter().enumerate() {
            let of_group = &patches.gathered[group * shape.of_group..];
            for (relative, (levels, patch)) in found.levels.iter().zip(of_group).enumerate() {
                let bits = levels.map(f32::to_bits);
                if divided.replace(bits) != Some(bits) {
                    shape.tessellator.run(*levels, &mut self.mesh);
                }
                let point = DomainPoint {
                    patch: patch.number,
                    relative: relative as u32,
                    group: group as u32,
                    ..DomainPoint::default()
                };
                self.known.clear();
                self.known.resize(self.mesh.points.len(), NONE);
                filling.begin_strip();
                for primitive in &self.mesh.primitives {
                    if filling.is_full() {
                        take(filling.batch, workers)?;
                        filling.batch.clear();
                        self.known.fill(NONE);
                    }
                    filling.push(primitive, point, &self.mesh, &mut self.known);
                }
            }
            filling.batch.end_wave();
        }
        if filling.batch.count() > 0 {
            take(filling.batch, workers)?;
            filling.batch.clear();
        }
        Ok(())
    }
}

fn count_group(stats: &mut Stats, group: &PatchGroup, lanes: usize) {
    stats.vertex_waves += group.waves;
    stats.vertex_lanes += lanes as u64;
    stats.instructions += group.instructions;
}

/// A batch that is filled.
struct Filling<'a> {
    batch: &'a mut Batch,
    /// It goes to a geometry stage.
    gathers: bool,
    last: bool,
    room: Room,
}

impl Filling<'_> {
    /// Whether another primitive may not fit.
    fn is_full(&self) -> bool {
        self.batch.vertices.len() + 3 > self.room.vertices
            || self.batch.count() >= self.room.primitives
    }

    fn begin_strip(&mut self) {
        if !self.gathers {
            let first = self.batch.primitives.len() as u32;
            self.batch.strips.push(first);
        }
    }

    fn push(&mut self, primitive: &[u32; 3], patch: DomainPoint, mesh: &Mesh, known: &mut [u32]) {
        let vertices = &mut self.batch.vertices;
        let [a, b, c] = primitive.map(|at| {
            let vertex = &mut known[at as usize];
            if *vertex == NONE {
                *vertex = vertices.len() as u32;
                let place = mesh.points[at as usize];
                vertices.push(DomainPoint { place, ..patch }.into());
            }
            *vertex
        });
        if self.gathers {
            let mut corners = [0; MOST_CORNERS];
            corners[..3].copy_from_slice(&[a, b, c]);
            self.batch.gathered.push(Gathered {
                vertices: corners,
                number: patch.patch,
            });
            return;
        }
        // The provoking vertex leads.
        let vertices = match (self.last, b == c) {
            (false, _) => [a, b, c],
            (true, true) => [b, a, a],
            (true, false) => [c, a, b],
        };
        self.batch.primitives.push(Assembled { vertices });
    }
}

impl Batch {
    /// Fills the last wave up: what follows is in another.
    fn end_wave(&mut self) {
        let count = self.vertices.len().div_ceil(WAVE);
        for wave in self.lanes.len()..count {
            let rest = self.vertices.len() - WAVE * wave;
            self.lanes.push(rest.min(WAVE) as u8);
        }
        self.vertices.resize(count * WAVE, VertexInput::default());
    }

    /// The vertices of a wave.
    pub(crate) fn wave(&self, wave: usize) -> &[VertexInput] {
        let lanes = self.lanes.get(wave).map_or(WAVE, |lanes| (*lanes).into());
        let first = wave * WAVE;
        &self.vertices[first..(first + lanes).min(self.vertices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tessellator::Spacing;
    use super::*;

    #[test]
    fn points_keep_all_that_they_are() {
        for place in [[0, 0], [1 << 16, 1 << 16], [0x8000, 0xffff], [1, 0x7fff]] {
            let point = DomainPoint {
                place,
                patch: u32::MAX - 1,
                relative: 255,
                group: (1 << 22) - 1,
            };
            assert_eq!(DomainPoint::from(&VertexInput::from(point)), point);
        }
    }

    /// Every patch has the levels of its number.
    struct Levels(Patches);

    impl TessellationShader<()> for Levels {
        fn patches(&self) -> Patches {
            self.0
        }

        fn run_group(
            &self,
            (): &mut (),
            _: usize,
            (inputs, patches): (&[VertexInput], &[Gathered]),
            out: &mut PatchGroup,
        ) -> Result<(), Trap> {
            assert_eq!(inputs.len(), 3 * patches.len());
            let levels = patches.iter().map(|patch| [patch.number as f32; 6]);
            out.levels.extend(levels);
            Ok(())
        }
    }

    /// Batches of patches 1 to 6, with how many threads.
    fn batches(count: usize, of_group: usize) -> Vec<(Vec<VertexInput>, Vec<Assembled>, Vec<u8>)> {
        let stage = Levels(Patches {
            control_points: 3,
            of_group,
            groups: 9,
            serial: false,
            tessellator: Tessellator {
                domain: Domain::Triangles,
                spacing: Spacing::Integer,
                output: Output::Clockwise,
                limits: [0.0, 64.0],
            },
        });
        let mut patches = Batch::default();
        for number in 1..=6 {
            patches.vertices.extend([VertexInput::default(); 3]);
            patches.gathered.push(Gathered {
                number,
                ..Gathered::default()
            });
        }
        let threads = Threads::new(count);
        let mut workers: Vec<Worker<()>> = (0..count).map(|_| Worker::new(())).collect();
        let mut found = Vec::new();
        let stages = Stages {
            tessellation: Some(&stage as _),
            geometry: None,
        };
        let take = |batch: &mut Batch, _: &mut [Worker<()>]| {
            let lanes = (0..batch.vertices.len().div_ceil(WAVE)).map(|n| batch.wave(n).len() as u8);
            let lanes = lanes.collect();
            found.push((batch.vertices.clone(), batch.primitives.clone(), lanes));
            Ok(())
        };
        let state = (&threads, workers.as_mut_slice());
        let done = Divider::default().run(stages, &patches, true, state, take);
        assert_eq!(done, Ok(()));
        found
    }

    #[test]
    fn waves_belong_to_groups_with_any_number_of_threads() {
        let found = batches(1, 2);
        assert!(found == batches(3, 2));
        let [(vertices, primitives, lanes)] = &found[..] else {
            panic!("one batch");
        };
        // Patches of 3 and 7, 12 and 19, 27 and 37 points.
        assert_eq!(lanes[..], [10, 31, 64]);
        assert_eq!(vertices.len(), 3 * WAVE);
        let triangles = [1, 6, 13, 24, 37, 54];
        assert_eq!(primitives.len(), triangles.iter().sum::<usize>());
        // The provoking vertex, the last one, leads.
        assert_eq!(primitives[0].vertices, [2, 0, 1]);
        let point = DomainPoint::from(&vertices[64 + 12]);
        assert_eq!((point.patch, point.relative, point.group), (4, 1, 1));
        assert_eq!(point.place, [0, 1 << 16]);
    }
}
