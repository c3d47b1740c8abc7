//! Operands of a kernel: packed codes of its step and the registers of the wave.

use crate::arithmetic::Kernel;
use crate::step::Src;
use crate::wave::{LANES, Row};

/// One step, packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    /// The kernel.
    pub(crate) kernel: Kernel,
    /// Runs even with no lane enabled.
    pub(crate) always: bool,
    /// Destination register.
    pub(crate) dst: u16,
    /// Operands.
    pub(crate) src: [Source; 3],
    /// Operands of the second operation of a superinstruction.
    pub(crate) more: [Source; 2],
    /// Extra immediate, packed for its kernel.
    pub(crate) extra: u32,
}

/// An operand, packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    kind: Kind,
    /// Register number.
    at: u16,
    /// Immediate.
    value: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Row,
    Scalar,
    Const,
}

impl Source {
    /// Packs an operand.
    pub(crate) fn new(src: Src) -> Source {
        let (kind, at, value) = match src {
            Src::Row(at) => (Kind::Row, at, 0),
            Src::Scalar(at) => (Kind::Scalar, at, 0),
            Src::Const(value) => (Kind::Const, 0, value),
        };
        Source { kind, at, value }
    }

    /// Register number.
    #[inline(always)]
    pub(crate) fn at(self) -> usize {
        self.at as usize
    }

    /// The high half of a 64-bit operand; zero for a constant.
    #[inline(always)]
    pub(crate) fn high(self) -> Source {
        Source {
            kind: self.kind,
            at: self.at + 1,
            value: 0,
        }
    }
}

/// The registers of a wave during a straight run of steps.
pub(crate) struct Registers<'w> {
    /// Vector registers.
    pub(crate) rows: &'w mut [Row],
    /// Scalar registers.
    pub(crate) scalars: &'w mut [u32],
    /// Execution mask.
    pub(crate) exec: u64,
    /// The same, one word a lane: all ones where enabled.
    pub(crate) lanes: &'w Row,
}

impl Registers<'_> {
    /// The 64-bit value in scalars `at` and `at + 1`.
    #[inline(always)]
    pub(crate) fn mask(&self, at: usize) -> u64 {
        u64::from(self.scalars[at]) | u64::from(self.scalars[at + 1]) << 32
    }

    /// Writes scalars `at` and `at + 1`.
    #[inline(always)]
    pub(crate) fn set_mask(&mut self, at: usize, value: u64) {
        // One store, as a load of both words would have to wait for two.
        let pair = &mut self.scalars[at..][..2];
        pair[0] = value as u32;
        pair[1] = (value >> 32) as u32;
    }

    /// The value of a scalar or constant operand.
    #[inline(always)]
    pub(crate) fn uniform(&self, source: Source) -> u32 {
        match source.kind {
            Kind::Scalar => self.scalars[source.at()],
            Kind::Row | Kind::Const => source.value,
        }
    }

    /// The 64-bit value of a scalar pair; a constant is zero-extended.
    #[inline(always)]
    pub(crate) fn uniform_wide(&self, source: Source) -> u64 {
        match source.kind {
            Kind::Scalar => self.mask(source.at()),
            Kind::Row | Kind::Const => u64::from(source.value),
        }
    }
}

/// Lanes per loop body: few enough to stay in host registers, so a destination may alias a source.
pub(crate) const CHUNK: usize = 16;

/// Chunks of a row.
pub(crate) const CHUNKS: usize = LANES / CHUNK;

/// Some lanes of a row.
pub(crate) type Chunk = [u32; CHUNK];

/// Chunk `index` of a row.
#[inline(always)]
pub(crate) fn chunk(row: &Row, index: usize) -> Chunk {
    let mut chunk = [0; CHUNK];
    chunk.copy_from_slice(&row.0[index * CHUNK..][..CHUNK]);
    chunk
}

/// How an operand is read; decided when a program is prepared.
pub(crate) trait Shape {
    /// Operand state loaded before the loop.
    type Held;
    /// Gets a separate loop for fully enabled waves.
    const FAST: bool;
    /// Loads the operand state.
    fn hold(registers: &Registers, source: Source) -> Self::Held;
    /// Its lanes of chunk `index`.
    fn chunk(held: &Self::Held, rows: &[Row], index: usize) -> Chunk;
}

/// A vector register.
pub(crate) struct InRow;

/// A scalar or constant.
pub(crate) struct Same;

/// Either, decided once per step.
pub(crate) struct Any;

/// No operand.
pub(crate) struct Absent;

impl Shape for InRow {
    type Held = usize;
    const FAST: bool = true;
    #[inline(always)]
    fn hold(registers: &Registers, source: Source) -> usize {
        // Bounds check here, so that the compiler drops those in the loop.
        assert!(source.at() < registers.rows.len());
        source.at()
    }
    #[inline(always)]
    fn chunk(held: &usize, rows: &[Row], index: usize) -> Chunk {
        chunk(&rows[*held], index)
    }
}

impl Shape for Same {
    type Held = u32;
    const FAST: bool = true;
    #[inline(always)]
    fn hold(registers: &Registers, source: Source) -> u32 {
        registers.uniform(source)
    }
    #[inline(always)]
    fn chunk(held: &u32, _rows: &[Row], _index: usize) -> Chunk {
        [*held; CHUNK]
    }
}

/// An operand of either kind: a row that is there, or a value.
#[derive(Clone, Copy)]
pub(crate) struct Either {
    row: Option<usize>,
    value: u32,
}

impl Either {
    /// No operand.
    pub(crate) const NONE: Either = Either {
        row: None,
        value: 0,
    };
}

impl Shape for Any {
    type Held = Either;
    const FAST: bool = false;
    #[inline(always)]
    fn hold(registers: &Registers, source: Source) -> Either {
        match source.kind {
            Kind::Row => {
                assert!(source.at() < registers.rows.len());
                Either {
                    row: Some(source.at()),
                    value: 0,
                }
            }
            Kind::Scalar | Kind::Const => Either {
                row: None,
                value: registers.uniform(source),
            },
        }
    }
    #[inline(always)]
    fn chunk(held: &Either, rows: &[Row], index: usize) -> Chunk {
        match held.row {
            Some(at) => chunk(&rows[at], index),
            None => [held.value; CHUNK],
        }
    }
}

/// The lanes of an operand of either kind.
#[inline(always)]
pub(crate) fn row(registers: &Registers, source: Source) -> Row {
    match source.kind {
        Kind::Row => registers.rows[source.at()],
        Kind::Scalar | Kind::Const => Row([registers.uniform(source); LANES]),
    }
}

impl Shape for Absent {
    type Held = ();
    const FAST: bool = false;
    #[inline(always)]
    fn hold(_registers: &Registers, _source: Source) {}
    #[inline(always)]
    fn chunk(_held: &(), _rows: &[Row], _index: usize) -> Chunk {
        [0; CHUNK]
    }
}

/// The bit of each lane in its half of a mask.
pub(crate) const BITS: [u32; LANES / 2] = {
    let mut bits = [0; LANES / 2];
    let mut lane = 0;
    while lane < LANES / 2 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// A mask as one word a lane: all ones where the bit is set.
#[inline(always)]
pub(crate) fn expand(mask: u64, lanes: &mut Row) {
    for (half, lanes) in lanes.0.chunks_exact_mut(LANES / 2).enumerate() {
        let word = (mask >> (32 * half)) as u32;
        for (lane, bit) in lanes.iter_mut().zip(&BITS) {
            *lane = if word & bit == *bit { u32::MAX } else { 0 };
        }
    }
}

/// The mask of the lanes in which `holds` is true.
#[inline(always)]
pub(crate) fn collect(holds: impl Fn(usize) -> bool) -> u64 {
    let (mut low, mut high) = (0, 0);
    for (lane, &bit) in BITS.iter().enumerate() {
        low |= if holds(lane) { bit } else { 0 };
        high |= if holds(lane + LANES / 2) { bit } else { 0 };
    }
    u64::from(low) | u64::from(high) << 32
}
