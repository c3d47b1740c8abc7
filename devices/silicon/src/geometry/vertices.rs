//! The input assembler. In: indices. Out: primitives, provoking vertex first, and each vertex to shade once, in batches
//! that bound the memory of a draw.

use std::collections::HashMap;
use std::ops::Range;

use crate::geometry::amplify::{Gathered, MOST_CORNERS, Room};
use crate::geometry::topology::Topology;
use crate::memory::Memory;

/// Primitives of a batch; a batch ends at the first primitive boundary after it.
const BATCH_PRIMITIVES: usize = 1 << 16;
/// Vertices of a batch.
const BATCH_VERTICES: usize = 1 << 16;
/// Both.
pub(crate) const MOST: Room = Room {
    vertices: BATCH_VERTICES,
    primitives: BATCH_PRIMITIVES,
};
/// Indices below this use a table, larger ones a hash map.
const TABLE: u32 = 1 << 22;

/// Where the vertices of a draw come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// Counting.
    Counted {
        /// First number.
        first: u32,
        /// How many.
        count: u32,
    },
    /// An index buffer.
    Indexed {
        /// Byte address.
        address: u64,
        /// First index used.
        first: u32,
        /// How many.
        count: u32,
        /// Indices that the buffer holds; those beyond read 0.
        limit: u32,
        /// 32 instead of 16 bits.
        wide: bool,
    },
    /// Indices of the packet.
    Listed(Vec<u32>),
}

/// A draw among those that are drawn as one: what differs between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where its vertices come from.
    pub vertices: Vertices,
    /// How often they are drawn, at least once.
    pub instances: u32,
    /// Added to every index.
    pub offset: u32,
}

impl Part {
    /// Vertices of all instances, before any is met again.
    pub fn count(&self) -> u64 {
        self.vertices.count() * u64::from(self.instances)
    }
}

/// A primitive of a batch: indices into the batch's vertices. Points and lines repeat their last vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// Vertices, the provoking one first.
    pub vertices: [u32; 3],
}

/// A vertex to shade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VertexInput {
    /// Vertex number.
    pub index: u32,
    /// Instance, from 0.
    pub instance: u32,
    /// First primitive of the instance that uses the vertex.
    pub primitive: u32,
}

/// A part of a draw.
#[derive(Debug, Default)]
pub struct Batch {
    /// Vertices in the order they were met.
    pub vertices: Vec<VertexInput>,
    /// Primitives in order.
    pub primitives: Vec<Assembled>,
    /// The same with their neighbours, instead, for a geometry stage.
    pub gathered: Vec<Gathered>,
    /// Primitives of the batch that begin a strip, or a list, in order.
    pub strips: Vec<u32>,
    /// Where the primitives of each draw end that ends in the batch.
    pub parts: Vec<u32>,
    /// Vertices of the first waves, where some are not full.
    pub(crate) lanes: Vec<u8>,
    seen: Seen,
    /// Indices of the draw, kept for the space.
    indices: Vec<u32>,
}

/// Vertex reuse: indices of the current instance with a vertex in the batch.
#[derive(Debug, Default)]
struct Seen {
    /// Generation in the high half, vertex in the low half.
    table: Vec<u64>,
    generation: u64,
    rest: HashMap<u32, u32>,
}

impl Seen {
    fn forget(&mut self) {
        self.generation += 1;
        self.rest.clear();
    }

    /// The slot of an index; `new` makes it on first use.
    #[inline(always)]
    fn get(&mut self, index: u32, new: impl FnOnce() -> u32) -> u32 {
        if index >= TABLE {
            return *self.rest.entry(index).or_insert_with(new);
        }
        let at = index as usize;
        if at >= self.table.len() {
            self.table.resize((at + 1).next_power_of_two(), 0);
        }
        let entry = self.table[at];
        if entry >> 32 == self.generation {
            return entry as u32;
        }
        let vertex = new();
        self.table[at] = self.generation << 32 | u64::from(vertex);
        vertex
    }
}

impl Batch {
    /// Swaps vertices and primitives; each keeps its draw state.
    pub fn exchange(&mut self, other: &mut Batch) {
        let Batch {
            vertices,
            primitives,
            gathered,
            strips,
            parts,
            lanes,
            seen: _,
            indices: _,
        } = self;
        std::mem::swap(vertices, &mut other.vertices);
        std::mem::swap(primitives, &mut other.primitives);
        std::mem::swap(gathered, &mut other.gathered);
        std::mem::swap(strips, &mut other.strips);
        std::mem::swap(parts, &mut other.parts);
        std::mem::swap(lanes, &mut other.lanes);
    }

    pub(crate) fn clear(&mut self) {
        self.vertices.clear();
        self.primitives.clear();
        self.gathered.clear();
        self.strips.clear();
        self.parts.clear();
        self.lanes.clear();
        self.seen.forget();
    }

    /// Primitives of either kind.
    pub(crate) fn count(&self) -> usize {
        self.primitives.len() + self.gathered.len()
    }
}

/// State of the input assembler.
#[derive(Clone, Copy, Debug)]
pub struct InputAssembler {
    /// What the vertices make.
    pub topology: Topology,
    /// Index after which a strip starts anew.
    pub restart: Option<u32>,
    /// Smallest and largest vertex number; others are clamped.
    pub range: [u32; 2],
    /// Flat attributes come from the last vertex of a primitive.
    pub provoking_last: bool,
    /// Primitives share vertices of the same index.
    pub reuse: bool,
    /// Primitives go to a geometry stage with their neighbours; what a batch of them may have.
    pub gathers: Option<Room>,
}

impl InputAssembler {
    /// Assembles the draws, one after the other, and hands each batch to `run`. Draws share no vertices.
    pub fn run<E>(
        &self,
        memory: &Memory,
        parts: &[Part],
        batch: &mut Batch,
        mut run: impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        batch.clear();
        // The space for indices stays with the batch.
        let mut space = std::mem::take(&mut batch.indices);
        let result = parts.iter().try_for_each(|part| {
            let indices = Indices::new(memory, &part.vertices, &mut space);
            let numbers = (part.offset, part.instances);
            self.walk(&indices, numbers, batch, self.is_plain(), &mut run)?;
            batch.parts.push(batch.count() as u32);
            Ok(())
        });
        batch.indices = space;
        result?;
        if batch.count() > 0 {
            run(batch)?;
            batch.clear();
        }
        Ok(())
    }

    fn walk<E>(
        &self,
        indices: &Indices,
        (offset, instances): (u32, u32),
        batch: &mut Batch,
        plain: bool,
        run: &mut impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        for instance in 0..instances.max(1) {
            // A vertex is known by its index within its instance only.
            batch.seen.forget();
            let mut number = 0;
            let mut strip = |strip: Range<usize>| {
                if let Some(room) = self.gathers {
                    let state = (room, &mut number);
                    if let Topology::Patches(corners) = self.topology {
                        let corners = usize::from(corners);
                        return self.patches(
                            indices,
                            (strip, corners),
                            state,
                            (offset, instance),
                            batch,
                            run,
                        );
                    }
                    return self.gather(indices, strip, state, (offset, instance), batch, run);
                }
                batch.strips.push(batch.primitives.len() as u32);
                if plain {
                    return match indices {
                        Indices::List(list) => {
                            let list = &list[strip];
                            self.triangles(list, (offset, instance), &mut number, batch, run)
                        }
                        Indices::Counted { first, .. } => {
                            let range = (*first, strip.len() as u32 / 3);
                            self.counted::<3, E>(range, (offset, instance), batch, run)
                        }
                    };
                }
                if self.topology == Topology::Points
                    && let Indices::Counted { first, .. } = indices
                {
                    let range = (*first, strip.len() as u32);
                    return self.counted::<1, E>(range, (offset, instance), batch, run);
                }
                let quads = matches!(self.topology, Topology::Quads | Topology::QuadStrip);
                let emit = &mut |group: [usize; 3]| {
                    let primitive = number;
                    number += 1;
                    // Closures of `map` stay calls.
                    let mut vertices = [0; 3];
                    for (vertex, n) in vertices.iter_mut().zip(group) {
                        let index = indices.get(strip.start + n);
                        *vertex = self.vertex(batch, index, (offset, instance), primitive);
                    }
                    batch.primitives.push(Assembled { vertices });
                    let full = batch.primitives.len() >= BATCH_PRIMITIVES
                        || batch.vertices.len() >= BATCH_VERTICES;
                    // Both triangles of a quadrilateral are in one batch.
                    if full && (!quads || batch.primitives.len().is_multiple_of(2)) {
                        run(batch)?;
                        batch.clear();
                    }
                    Ok(())
                };
                self.topology
                    .primitives(strip.len(), self.provoking_last, emit)
            };
            indices.strips(self.restart, &mut strip)?;
        }
        Ok(())
    }

    /// Primitives with their neighbours; `number` counts those of the instance.
    fn gather<E>(
        &self,
        indices: &Indices,
        strip: Range<usize>,
        (room, number): (Room, &mut u32),
        instance: (u32, u32),
        batch: &mut Batch,
        run: &mut impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        let emit = &mut |corners: &[usize]| {
            let full = batch.vertices.len() + corners.len() > room.vertices;
            if full || batch.gathered.len() >= room.primitives {
                run(batch)?;
                batch.clear();
            }
            let mut vertices = [0; MOST_CORNERS];
            for (vertex, n) in vertices.iter_mut().zip(corners) {
                let index = indices.get(strip.start + n);
                *vertex = self.vertex(batch, index, instance, *number);
            }
            batch.gathered.push(Gathered {
                vertices,
                number: *number,
            });
            *number += 1;
            Ok(())
        };
        self.topology
            .gathered(strip.len(), self.provoking_last, emit)
    }

    /// Patches, which share no vertices; the first of each is its first corner.
    fn patches<E>(
        &self,
        indices: &Indices,
        (strip, corners): (Range<usize>, usize),
        (room, number): (Room, &mut u32),
        (offset, instance): (u32, u32),
        batch: &mut Batch,
        run: &mut impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        let [low, high] = self.range;
        let count = strip.len() / corners.max(1);
        for patch in 0..count {
            if batch.gathered.len() >= room.primitives {
                run(batch)?;
                batch.clear();
            }
            let mut vertices = [0; MOST_CORNERS];
            vertices[0] = batch.vertices.len() as u32;
            let first = strip.start + patch * corners;
            batch.vertices.extend((first..first + corners).map(|n| {
                let index = indices.get(n).wrapping_add(offset);
                VertexInput {
                    index: index.max(low).min(high),
                    instance,
                    primitive: *number,
                }
            }));
            batch.gathered.push(Gathered {
                vertices,
                number: *number,
            });
            *number += 1;
        }
        Ok(())
    }

    /// Triangles whose vertices are met again by their indices.
    fn is_plain(&self) -> bool {
        self.topology == Topology::Triangles && self.reuse && self.gathers.is_none()
    }

    /// As the general way, for [`InputAssembler::is_plain`]; `number` counts the primitives of the instance.
    fn triangles<E>(
        &self,
        list: &[u32],
        (offset, instance): (u32, u32),
        number: &mut u32,
        batch: &mut Batch,
        run: &mut impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        let [low, high] = self.range;
        let order = match self.provoking_last {
            true => [2, 0, 1],
            false => [0, 1, 2],
        };
        let mut triangles = list.chunks_exact(3);
        while triangles.len() > 0 {
            let Batch {
                vertices,
                primitives,
                seen,
                ..
            } = &mut *batch;
            let count = room::<3>(primitives, vertices).min(triangles.len());
            // A vertex that is pushed lies on the stack first, and the wide load that moves it waits for its narrow stores.
            let mut used = vertices.len();
            vertices.resize(used + 3 * count, VertexInput::default());
            for triangle in triangles.by_ref().take(count) {
                let primitive = *number;
                *number += 1;
                let mut corners = [0; 3];
                for (corner, n) in corners.iter_mut().zip(order) {
                    let index = triangle[n];
                    *corner = seen.get(index, || {
                        let vertex = &mut vertices[used];
                        vertex.index = index.wrapping_add(offset).max(low).min(high);
                        vertex.instance = instance;
                        vertex.primitive = primitive;
                        used += 1;
                        used as u32 - 1
                    });
                }
                primitives.push(Assembled { vertices: corners });
            }
            vertices.truncate(used);
            if primitives.len() >= BATCH_PRIMITIVES || vertices.len() >= BATCH_VERTICES {
                run(batch)?;
                batch.clear();
            }
        }
        Ok(())
    }

    /// Points or triangles whose indices count up from a first one: no vertex is met again.
    fn counted<const CORNERS: usize, E>(
        &self,
        (first, count): (u32, u32),
        (offset, instance): (u32, u32),
        batch: &mut Batch,
        run: &mut impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        let [low, high] = self.range;
        let turn = if self.provoking_last { CORNERS - 1 } else { 0 };
        let order: [u32; CORNERS] = std::array::from_fn(|n| ((n + turn) % CORNERS) as u32);
        let last = CORNERS as u32 - 1;
        let mut done = 0;
        while done < count {
            let Batch {
                vertices,
                primitives,
                ..
            } = &mut *batch;
            let some = (room::<CORNERS>(primitives, vertices) as u32).min(count - done);
            let from = vertices.len();
            vertices.resize(from + CORNERS * some as usize, VertexInput::default());
            let corners = vertices[from..].as_chunks_mut::<CORNERS>().0.iter_mut();
            for (primitive, corners) in (done..).zip(corners) {
                let index = first.wrapping_add(CORNERS as u32 * primitive);
                let index = index.wrapping_add(offset);
                for (corner, n) in corners.iter_mut().zip(order) {
                    *corner = VertexInput {
                        index: index.wrapping_add(n).max(low).min(high),
                        instance,
                        primitive,
                    };
                }
            }
            primitives.extend((0..some).map(|n| {
                let v = from as u32 + CORNERS as u32 * n;
                Assembled {
                    vertices: [v, v + 1.min(last), v + 2.min(last)],
                }
            }));
            done += some;
            if primitives.len() >= BATCH_PRIMITIVES || vertices.len() >= BATCH_VERTICES {
                run(batch)?;
                batch.clear();
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn vertex(
        &self,
        batch: &mut Batch,
        index: u32,
        (offset, instance): (u32, u32),
        primitive: u32,
    ) -> u32 {
        let Batch { vertices, seen, .. } = batch;
        let mut new = || {
            let [low, high] = self.range;
            let index = index.wrapping_add(offset);
            vertices.push(VertexInput {
                index: index.max(low).min(high),
                instance,
                primitive,
            });
            vertices.len() as u32 - 1
        };
        if self.reuse {
            seen.get(index, new)
        } else {
            new()
        }
    }
}

/// Primitives that a batch has room for, with any vertices; at least one.
fn room<const CORNERS: usize>(primitives: &[Assembled], vertices: &[VertexInput]) -> usize {
    let room = BATCH_PRIMITIVES.saturating_sub(primitives.len());
    let vertices_left = BATCH_VERTICES.saturating_sub(vertices.len());
    room.min(vertices_left.div_ceil(CORNERS)).max(1)
}

impl Vertices {
    /// How many an instance has.
    pub fn count(&self) -> u64 {
        match self {
            Vertices::Counted { count, .. } | Vertices::Indexed { count, .. } => (*count).into(),
            Vertices::Listed(list) => list.len() as u64,
        }
    }

    /// The reason why an index buffer is none.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Vertices::Indexed { address, wide, .. } => {
                let bytes = if *wide { 4 } else { 2 };
                if address.is_multiple_of(bytes) {
                    Ok(())
                } else {
                    Err(format!(
                        "index buffer at {address:#x} is not a multiple of {bytes}"
                    ))
                }
            }
            _ => Ok(()),
        }
    }
}

/// The indices of a draw.
enum Indices<'a> {
    Counted { first: u32, count: u32 },
    List(&'a [u32]),
}

impl<'a> Indices<'a> {
    /// `space` takes indices that come from memory.
    fn new(memory: &Memory, vertices: &'a Vertices, space: &'a mut Vec<u32>) -> Indices<'a> {
        match vertices {
            Vertices::Counted { first, count } => Indices::Counted {
                first: *first,
                count: *count,
            },
            Vertices::Listed(list) => Indices::List(list),
            Vertices::Indexed {
                address,
                first,
                count,
                limit,
                wide,
            } => {
                space.clear();
                space.resize(*count as usize, 0);
                // Indices outside the buffer read zero.
                let inside = limit.saturating_sub(*first).min(*count) as usize;
                let known = &mut space[..inside];
                let first = u64::from(*first);
                if *wide {
                    memory.load_words(address + 4 * first, known);
                } else {
                    memory.load_halves(address + 2 * first, known);
                }
                Indices::List(space)
            }
        }
    }

    #[inline(always)]
    fn get(&self, n: usize) -> u32 {
        match self {
            Indices::Counted { first, .. } => first.wrapping_add(n as u32),
            Indices::List(list) => list[n],
        }
    }

    /// Calls a function for each run of indices between restarts.
    fn strips<E>(
        &self,
        restart: Option<u32>,
        strip: &mut impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut start = 0;
        if let (Indices::List(list), Some(restart)) = (self, restart) {
            for (n, index) in list.iter().enumerate() {
                if *index == restart {
                    strip(start..n)?;
                    start = n + 1;
                }
            }
        }
        let end = match self {
            Indices::List(list) => list.len(),
            Indices::Counted { count, .. } => *count as usize,
        };
        strip(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vertices, primitives and strips of a batch.
    type Drawn = (Vec<VertexInput>, Vec<Assembled>, Vec<u32>);

    fn batches(input_assembler: &InputAssembler, indices: &Indices, plain: bool) -> Vec<Drawn> {
        let mut found = Vec::new();
        let mut run = |batch: &mut Batch| {
            found.push(drawn(batch));
            Ok::<(), ()>(())
        };
        let mut batch = Batch::default();
        batch.clear();
        let done = input_assembler.walk(indices, (5, 2), &mut batch, plain, &mut run);
        assert_eq!(done, Ok(()));
        if !batch.primitives.is_empty() {
            found.push(drawn(&batch));
        }
        found
    }

    fn drawn(batch: &Batch) -> Drawn {
        let Batch {
            vertices,
            primitives,
            strips,
            ..
        } = batch;
        (vertices.clone(), primitives.clone(), strips.clone())
    }

    #[test]
    fn draws_that_run_as_one_share_no_vertices() {
        let input_assembler = InputAssembler {
            topology: Topology::Triangles,
            restart: None,
            range: [0, 1 << 20],
            provoking_last: false,
            reuse: true,
            gathers: None,
        };
        let part = |offset, instances, list: &[u32]| Part {
            vertices: Vertices::Listed(list.to_vec()),
            instances,
            offset,
        };
        let counted = Part {
            vertices: Vertices::Counted { first: 1, count: 5 },
            ..part(20, 1, &[])
        };
        let parts = [
            part(10, 2, &[0, 1, 2, 2, 1, 3]),
            counted,
            part(11, 1, &[0, 1, 2]),
        ];
        let run = |parts: &[Part]| {
            let mut found = Vec::new();
            let mut take = |batch: &mut Batch| {
                found.push(drawn(batch));
                Ok::<(), ()>(())
            };
            let memory = Memory::new(256);
            let done = input_assembler.run(&memory, parts, &mut Batch::default(), &mut take);
            assert_eq!(done, Ok(()));
            found
        };
        let mut all: Drawn = Default::default();
        for part in &parts {
            let [(vertices, primitives, strips)] = &run(std::slice::from_ref(part))[..] else {
                panic!("one batch");
            };
            let first = all.0.len() as u32;
            let before = all.1.len() as u32;
            all.0.extend(vertices);
            let moved = |p: &Assembled| Assembled {
                vertices: p.vertices.map(|vertex| vertex + first),
            };
            all.1.extend(primitives.iter().map(moved));
            all.2.extend(strips.iter().map(|strip| strip + before));
        }
        assert_eq!(all.0.len(), 8 + 3 + 3);
        assert!(run(&parts) == [all]);
    }

    #[test]
    fn triangles_are_grouped_as_everything_is() {
        let mut state = 1u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 4) % below
        };
        // Vertices fill the batches, then primitives do.
        for (triangles, below) in [(70_000, 1 << 28), (70_000, 1000), (140_001, 60_000), (1, 9)] {
            let mut list: Vec<u32> = (0..3 * triangles + 2).map(|_| random(below)).collect();
            list[2] = u32::MAX;
            let input_assembler = InputAssembler {
                topology: Topology::Triangles,
                restart: (below == 9).then_some(u32::MAX),
                range: [7, 1 << 27],
                provoking_last: below == 1000,
                reuse: true,
                gathers: None,
            };
            assert!(input_assembler.is_plain());
            let counted = Indices::Counted {
                first: below.wrapping_mul(100),
                count: list.len() as u32,
            };
            for indices in [Indices::List(&list), counted] {
                let fast = batches(&input_assembler, &indices, true);
                let general = batches(&input_assembler, &indices, false);
                assert_eq!(fast.len(), general.len());
                assert!(fast == general, "{triangles} triangles below {below}");
            }
        }
    }
}
