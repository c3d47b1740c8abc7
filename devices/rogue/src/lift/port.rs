//! What a program asks of the blocks around the ALU: iteration, textures, memory, pixel hand-over.
//!
//! Each port is served under [`super::ACTIVE`]; stores with a mask and atomics only in the lanes of [`super::COVERED`] among
//! them.
//! Operands are rows, scalars or constants, read when the port is called; results are there when it returns.

use lanes::{LaneOp, PortEffects, Src};

use super::local::Local;
use super::{ACTIVE, COVERED};
use crate::isa::backend::{Atomic, IterMode, Sample};

/// A number that the program has in the instruction or in a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A number.
    Number(u16),
    /// The value in a lane; 0 stands for 1024.
    Value(Src),
}

/// Where consecutive registers lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// Rows from this one on, as far as `end`.
    Rows {
        /// First.
        first: u16,
        /// Behind the last of the bank.
        end: u16,
    },
    /// Shared registers: scalars from this one on, as far as `end`. The first active lane's values count.
    Scalars {
        /// First.
        first: u16,
        /// Behind the last shared register.
        end: u16,
    },
}

/// Planes of coefficients at the pixels: `row[first + i] = A x + B y + C` of coefficients `coefficient + 4 i`, times
/// one over the plane of `perspective` if there is one. Results are without denormals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iterate {
    /// Pixel centre, sample or centroid.
    pub mode: IterMode,
    /// Results are clamped to 0..1, NaN to 0.
    pub sat: bool,
    /// First coefficient, base offsets included.
    pub coefficient: u16,
    /// Coefficients of 1/w.
    pub perspective: Option<u16>,
    /// Row of the first result.
    pub first: u16,
    /// Results, 1 to 16.
    pub count: u16,
}

/// A texture sample. Operands that the instruction does not have are none; projection is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleOf {
    /// The instruction.
    pub sample: Sample,
    /// First of four shared registers with the texture state, base offsets included.
    pub texture: u16,
    /// First of four shared registers with the sampler state.
    pub sampler: u16,
    /// Coordinates, as many as dimensions: floats, or integers if `sample.flags.integer`.
    pub coordinates: [Src; 3],
    /// Layer, an unsigned integer.
    pub layer: Option<Src>,
    /// What texels are compared with.
    pub reference: Option<Src>,
    /// Level or bias as a float, by `sample.lod`.
    pub lod: Option<Src>,
    /// Derivatives of each coordinate along x and y.
    pub gradients: Option<[[Src; 2]; 3]>,
    /// Address that replaces the one of the texture state, low and high word.
    pub address: Option<[Src; 2]>,
    /// Word of offsets and sample number.
    pub lookup: Option<Src>,
    /// Values to write.
    pub data: Option<[Src; 4]>,
    /// Row of the first result.
    pub first: u16,
    /// Rows of results: one a channel; four a channel of raw texels, and seven values of information behind.
    pub count: u16,
}

/// Words from memory to consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Byte address, low and high word.
    pub address: [Src; 2],
    /// Words.
    pub words: Amount,
    /// Where to.
    pub to: File,
}

/// Consecutive registers to memory, an item each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Store {
    /// Byte address, low and high word.
    pub address: [Src; 2],
    /// Items.
    pub items: Amount,
    /// Bytes of an item: 1, 2 or 4.
    pub size: u8,
    /// Where from.
    pub from: File,
    /// Lanes in which this is zero store nothing, nor do those that cover no sample. Without it all lanes store.
    pub mask: Option<Src>,
    /// The address is that of a tile: [`crate::tile_buffer`].
    pub tiled: bool,
}

/// What a geometry task does with its vertex outputs: first it emits, then it cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexEnd {
    /// The next vertex has the words of these rows.
    pub emits: bool,
    /// The strip ends.
    pub cuts: bool,
    /// First row of the vertex outputs.
    pub first: u16,
    /// Behind the last.
    pub end: u16,
}

/// What `Step::Port` stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Port {
    /// Iteration: for the device.
    Iterate(Iterate),
    /// A texture sample: for the device.
    Sample(SampleOf),
    /// A load: [`super::Lifted::serve`] does it.
    Load(Load),
    /// A store: [`super::Lifted::serve`] does it.
    Store(Store),
    /// An atomic operation on a word: [`super::Lifted::serve`] does it.
    Atomic {
        /// Which.
        op: Atomic,
        /// Byte address, low and high word.
        address: [Src; 2],
        /// Operand.
        operand: Src,
        /// Row of the old value.
        old: u16,
    },
    /// Hands the pixel outputs over: for the device, at the end of a tile.
    Emit {
        /// Frees the partition.
        free: bool,
        /// Words of the PBE, four of state and four of registers as far as the program has them.
        state: [Src; 2],
    },
    /// A vertex or a strip of a geometry task ends: for the device.
    Vertex(VertexEnd),
    /// A move that the steps of programs do not have: [`super::Lifted::serve`] does it.
    Local(Local),
}

/// Rows and scalars among operands.
pub(super) fn operands(sources: &[Src]) -> (Vec<u16>, Vec<u16>) {
    let (mut rows, mut scalars) = (Vec::new(), Vec::new());
    for source in sources {
        match *source {
            Src::Row(row) => rows.push(row),
            Src::Scalar(scalar) => scalars.push(scalar),
            Src::Const(_) => {}
        }
    }
    (rows, scalars)
}

impl Amount {
    fn source(self) -> Src {
        match self {
            Amount::Number(_) => Src::Const(0),
            Amount::Value(source) => source,
        }
    }

    /// Most that it can be.
    fn most(self) -> u16 {
        match self {
            Amount::Number(number) => number,
            Amount::Value(_) => 1024,
        }
    }
}

impl File {
    /// The first registers, as far as they go: rows and scalars.
    fn registers(self, count: u16) -> (Vec<u16>, Vec<u16>) {
        let range = |first: u16, end: u16| (first..end.min(first.saturating_add(count))).collect();
        match self {
            File::Rows { first, end } => (range(first, end), Vec::new()),
            File::Scalars { first, end } => (Vec::new(), range(first, end)),
        }
    }
}

impl SampleOf {
    fn sources(&self) -> Vec<Src> {
        let mut sources = self.coordinates.to_vec();
        sources.extend(self.layer.into_iter().chain(self.reference));
        sources.extend(self.lod.into_iter().chain(self.lookup));
        sources.extend(self.gradients.into_iter().flatten().flatten());
        sources.extend(self.address.into_iter().flatten());
        sources.extend(self.data.into_iter().flatten());
        sources
    }
}

impl Port {
    /// What a call reads and writes.
    pub(super) fn effects(&self) -> PortEffects {
        let mut effects = PortEffects {
            reads_scalars: (ACTIVE..COVERED + 2).collect(),
            may_fail: true,
            // Samples charge what their textures make of them.
            uncounted: !matches!(self, Port::Sample(_)),
            blind: true,
            cost: 1024,
            ..PortEffects::default()
        };
        let mut sources = Vec::new();
        match self {
            Port::Iterate(iterate) => {
                effects.writes_rows = (iterate.first..iterate.first + iterate.count).collect();
                effects.cost = 64 * u32::from(iterate.count);
                effects.overwrites = true;
                effects.may_fail = false;
            }
            Port::Sample(sample) => {
                sources = sample.sources();
                effects.writes_rows = (sample.first..sample.first + sample.count).collect();
            }
            Port::Load(load) => {
                sources = vec![load.address[0], load.address[1], load.words.source()];
                (effects.writes_rows, effects.writes_scalars) =
                    load.to.registers(load.words.most());
            }
            Port::Store(store) => {
                sources = vec![store.address[0], store.address[1], store.items.source()];
                sources.extend(store.mask);
                let (rows, scalars) = store.from.registers(store.items.most());
                effects.reads_rows = rows;
                effects.reads_scalars.extend(scalars);
            }
            Port::Atomic {
                address,
                operand,
                old,
                ..
            } => {
                sources = vec![address[0], address[1], *operand];
                effects.writes_rows = vec![*old];
            }
            Port::Emit { state, .. } => sources = state.to_vec(),
            Port::Vertex(vertex) => {
                if vertex.emits {
                    effects.reads_rows = (vertex.first..vertex.end).collect();
                }
                effects.cost = 128;
            }
            Port::Local(local) => local.effects(&mut sources, &mut effects),
        }
        let (rows, scalars) = operands(&sources);
        effects.reads_rows.extend(rows);
        effects.reads_scalars.extend(scalars);
        for list in [
            &mut effects.reads_rows,
            &mut effects.reads_scalars,
            &mut effects.writes_rows,
            &mut effects.writes_scalars,
        ] {
            list.sort_unstable();
            list.dedup();
        }
        effects
    }
}

/// A plane at a place. Everything is rounded.
pub fn plane([a, b, c]: [f32; 3], [x, y]: [f32; 2]) -> f32 {
    (a * x + b * y) + c
}

/// The value of an iteration from that of its plane and of the plane of 1/w.
pub fn iterated(value: f32, one_over_w: Option<f32>, sat: bool) -> u32 {
    let value = match one_over_w {
        Some(w) => value * (1.0 / w),
        None => value,
    };
    let bits = LaneOp::FFlush.eval([LaneOp::FMul.eval([value.to_bits(), 0x3f80_0000, 0]), 0, 0]);
    match sat {
        true => LaneOp::FSat.eval([bits, 0, 0]),
        false => bits,
    }
}
