//! The vertex grouper: indices to primitives and to the vertices that have to be shaded, each of them once.
//!
//! Work is handed on in batches, so that a draw of any size needs a bounded amount of memory. Primitives have their
//! provoking vertex first.

use std::collections::HashMap;

use silicon::{Memory, Trap};

use crate::cp::trap;
use crate::registers::Registers;
use crate::regs::{self, PaSuScModeCntl, prim_type};

/// Primitives of a batch; a batch ends at the first primitive boundary after it.
const BATCH_PRIMITIVES: usize = 1 << 16;
/// Vertices of a batch.
const BATCH_VERTICES: usize = 1 << 16;
/// Indices below this are found again by a table, others by hashing.
const TABLE: u32 = 1 << 22;

/// Where the vertices of a draw come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertices {
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
}

/// What the primitives of a draw are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One vertex.
    Points,
    /// Two vertices.
    Lines,
    /// Three vertices.
    Triangles,
    /// Three corners of a rectangle; the fourth is opposite the first.
    Rectangles,
}

/// A primitive of a batch: indices into the batch's vertices. Points and lines repeat their last vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Assembled {
    /// Vertices, the provoking one first.
    pub(crate) vertices: [u32; 3],
}

/// A vertex to shade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VertexInput {
    /// VGPR 0.
    pub(crate) index: u32,
    /// VGPR 3.
    pub(crate) instance: u32,
    /// VGPR 2.
    pub(crate) primitive: u32,
}

/// A part of a draw.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Vertices in the order they were met.
    pub(crate) vertices: Vec<VertexInput>,
    /// Primitives in order.
    pub(crate) primitives: Vec<Assembled>,
    /// Number of the first primitive in its draw.
    pub(crate) first_primitive: u64,
    seen: Seen,
}

/// Which indices of the current instance already have a vertex in the batch.
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

    /// The slot of an index, made with `new` when it is met for the first time.
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
    fn clear(&mut self) {
        self.first_primitive += self.primitives.len() as u64;
        self.vertices.clear();
        self.primitives.clear();
        self.seen.forget();
    }
}

/// State of the vertex grouper for one draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouper {
    topology: u32,
    /// What comes out.
    pub(crate) kind: Kind,
    instances: u32,
    restart: Option<u32>,
    offset: u32,
    range: [u32; 2],
    provoking_last: bool,
    reuse: bool,
}

impl Grouper {
    pub(crate) fn new(registers: &Registers) -> Result<Grouper, String> {
        let topology = registers.get(regs::VGT_PRIMITIVE_TYPE) & 0x3f;
        use prim_type::*;
        let kind = match topology {
            POINTLIST => Kind::Points,
            LINELIST | LINESTRIP | LINELIST_ADJ | LINESTRIP_ADJ | LINELOOP => Kind::Lines,
            TRILIST | TRIFAN | TRISTRIP | TRILIST_ADJ | TRISTRIP_ADJ | QUADLIST | QUADSTRIP
            | POLYGON => Kind::Triangles,
            RECTLIST => Kind::Rectangles,
            other => return Err(format!("VGT_PRIMITIVE_TYPE {other} is not drawn")),
        };
        let stages = registers.get(regs::VGT_SHADER_STAGES_EN);
        if stages & 0x7f != 0 {
            return Err(format!(
                "VGT_SHADER_STAGES_EN {stages:#x}: only vertex and pixel shaders run"
            ));
        }
        let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
        let restart = registers.get(regs::VGT_MULTI_PRIM_IB_RESET_EN) & 1 != 0;
        Ok(Grouper {
            topology,
            kind,
            instances: registers.get(regs::VGT_NUM_INSTANCES).max(1),
            restart: restart.then(|| registers.get(regs::VGT_MULTI_PRIM_IB_RESET_INDX)),
            offset: registers.get(regs::VGT_INDX_OFFSET),
            range: [
                registers.get(regs::VGT_MIN_VTX_INDX),
                registers.get(regs::VGT_MAX_VTX_INDX),
            ],
            provoking_last: mode.provoking_vtx_last,
            // The number of a primitive goes to the shader with its vertices, which then belong to it alone.
            reuse: registers.get(regs::VGT_REUSE_OFF) & 1 == 0
                && registers.get(regs::VGT_PRIMITIVEID_EN) & 1 == 0,
        })
    }

    /// Walks the draw and hands every batch to `run`.
    pub(crate) fn run(
        &self,
        memory: &Memory,
        vertices: Vertices,
        batch: &mut Batch,
        mut run: impl FnMut(&mut Batch) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        let indices = self.indices(memory, vertices)?;
        batch.first_primitive = 0;
        batch.vertices.clear();
        batch.primitives.clear();
        batch.seen.forget();
        for instance in 0..self.instances {
            // A vertex is known by its index within its instance only.
            batch.seen.forget();
            let mut number = 0;
            for strip in indices.strips(self.restart) {
                self.strip(&indices, strip, &mut |group: [u32; 3]| {
                    let primitive = number;
                    number += 1;
                    let local = group.map(|i| self.vertex(batch, i, instance, primitive));
                    batch.primitives.push(Assembled { vertices: local });
                    if batch.primitives.len() >= BATCH_PRIMITIVES
                        || batch.vertices.len() >= BATCH_VERTICES
                    {
                        run(batch)?;
                        batch.clear();
                    }
                    Ok(())
                })?;
            }
        }
        if !batch.primitives.is_empty() {
            run(batch)?;
            batch.clear();
        }
        Ok(())
    }

    #[inline(always)]
    fn vertex(&self, batch: &mut Batch, index: u32, instance: u32, primitive: u32) -> u32 {
        let Batch { vertices, seen, .. } = batch;
        let mut new = || {
            let [low, high] = self.range;
            let index = index.wrapping_add(self.offset);
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

    fn indices(&self, memory: &Memory, vertices: Vertices) -> Result<Indices, Trap> {
        match vertices {
            Vertices::Counted { first, count } => Ok(Indices::Counted { first, count }),
            Vertices::Indexed {
                address,
                first,
                count,
                limit,
                wide,
            } => {
                let bytes = if wide { 4 } else { 2 };
                if !address.is_multiple_of(bytes) {
                    return Err(trap(
                        u64::MAX,
                        0,
                        format!("index buffer at {address:#x} is not a multiple of {bytes}"),
                    ));
                }
                let list = (0..count)
                    .map(|n| {
                        let n = u64::from(first) + u64::from(n);
                        let at = address + n * bytes;
                        // Indices outside the buffer read zero.
                        if n >= u64::from(limit) {
                            0
                        } else if wide {
                            memory.load(at).unwrap_or(0)
                        } else {
                            memory.load_half(at).unwrap_or(0).into()
                        }
                    })
                    .collect();
                Ok(Indices::List(list))
            }
        }
    }

    /// Hands every primitive of a strip (or of the whole list) on, provoking vertex first.
    fn strip(
        &self,
        indices: &Indices,
        strip: std::ops::Range<usize>,
        emit: &mut impl FnMut([u32; 3]) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        use prim_type::*;
        let at = |n: usize| indices.get(strip.start + n);
        let n = strip.len();
        let last = self.provoking_last;
        let line = |a: usize, b: usize| {
            let (a, b) = if last { (b, a) } else { (a, b) };
            [at(a), at(b), at(b)]
        };
        let triangle = |a: usize, b: usize, c: usize| [at(a), at(b), at(c)];
        // A triangle whose winding is a, b, c, turned so that its first or last corner leads.
        let turned = |a, b, c| {
            if last {
                triangle(c, a, b)
            } else {
                triangle(a, b, c)
            }
        };
        match self.topology {
            POINTLIST => (0..n).try_for_each(|i| emit([at(i); 3])),
            LINELIST => (0..n / 2).try_for_each(|i| emit(line(2 * i, 2 * i + 1))),
            LINELIST_ADJ => (0..n / 4).try_for_each(|i| emit(line(4 * i + 1, 4 * i + 2))),
            LINESTRIP => (1..n).try_for_each(|i| emit(line(i - 1, i))),
            LINESTRIP_ADJ => (2..n.saturating_sub(1)).try_for_each(|i| emit(line(i - 1, i))),
            LINELOOP => {
                (1..n).try_for_each(|i| emit(line(i - 1, i)))?;
                if n >= 2 { emit(line(n - 1, 0)) } else { Ok(()) }
            }
            TRILIST | RECTLIST => {
                (0..n / 3).try_for_each(|i| emit(turned(3 * i, 3 * i + 1, 3 * i + 2)))
            }
            TRILIST_ADJ => (0..n / 6).try_for_each(|i| emit(turned(6 * i, 6 * i + 2, 6 * i + 4))),
            TRISTRIP | TRISTRIP_ADJ => {
                let step = if self.topology == TRISTRIP { 1 } else { 2 };
                let count = (n / step).saturating_sub(2);
                (0..count).try_for_each(|i| {
                    let [a, b, c] = [i, i + 1, i + 2].map(|v| v * step);
                    // Every other triangle is wound the other way; its provoking vertex stays the first (or last).
                    emit(match (i % 2 == 1, last) {
                        (false, _) => turned(a, b, c),
                        (true, false) => triangle(a, c, b),
                        (true, true) => triangle(c, b, a),
                    })
                })
            }
            // The hub is not the provoking vertex: that is the first or second of the rim.
            TRIFAN => (2..n).try_for_each(|i| {
                emit(if last {
                    triangle(i, 0, i - 1)
                } else {
                    triangle(i - 1, i, 0)
                })
            }),
            POLYGON => (2..n).try_for_each(|i| emit(triangle(0, i - 1, i))),
            QUADLIST => {
                (0..n / 4).try_for_each(|i| self.quad([0, 1, 2, 3].map(|v| at(4 * i + v)), emit))
            }
            QUADSTRIP => (0..(n / 2).saturating_sub(1))
                .try_for_each(|i| self.quad([0, 1, 3, 2].map(|v| at(2 * i + v)), emit)),
            _ => Ok(()),
        }
    }

    /// Two triangles with the quadrilateral's provoking vertex in front.
    fn quad(
        &self,
        [a, b, c, d]: [u32; 4],
        emit: &mut impl FnMut([u32; 3]) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        if self.provoking_last {
            emit([d, a, b])?;
            emit([d, b, c])
        } else {
            emit([a, b, c])?;
            emit([a, c, d])
        }
    }
}

/// The indices of a draw.
enum Indices {
    Counted { first: u32, count: u32 },
    List(Vec<u32>),
}

impl Indices {
    fn get(&self, n: usize) -> u32 {
        match self {
            Indices::Counted { first, .. } => first.wrapping_add(n as u32),
            Indices::List(list) => list[n],
        }
    }

    /// The parts between restarts.
    fn strips(&self, restart: Option<u32>) -> Vec<std::ops::Range<usize>> {
        let mut strips = Vec::new();
        let mut start = 0;
        if let (Indices::List(list), Some(restart)) = (self, restart) {
            for (n, index) in list.iter().enumerate() {
                if *index == restart {
                    strips.push(start..n);
                    start = n + 1;
                }
            }
        }
        let end = match self {
            Indices::List(list) => list.len(),
            Indices::Counted { count, .. } => *count as usize,
        };
        strips.push(start..end);
        strips
    }
}
