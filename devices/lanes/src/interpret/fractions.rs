//! Four fractions to the bytes of a word, as chips without a unit for it pack colours: each is limited, scaled by 255 and
//! rounded in the low bits of a sum, sums are shifted and added, and what is above the bytes is taken off. One kernel does
//! what these steps do.

use super::memory::{Any, CHUNK, CHUNKS, Chunk, Code, Either, Registers, Shape};
use super::superinstruction::Superinstruction;
use super::vector::store;
use crate::arithmetic::{AnyNan, Kernel, OfSteps};
use crate::op::{Function, LaneOp, lane};
use crate::step::{Src, Step};
use crate::wave::Row;
use host::{Body, Rounding, SimdLevel};

/// 255.
const SCALE: u32 = 0x437f_0000;
/// 1.5 * 2^23: a small number that is added to it is rounded to an integer, which the low bits hold.
const ROUNDS: u32 = 0x4b40_0000;
/// What sums have above their bytes, in all places.
const ABOVE: u32 = ROUNDS
    .wrapping_add(ROUNDS << 8)
    .wrapping_add(ROUNDS << 16)
    .wrapping_add(ROUNDS << 24);

struct Fractions;

/// Operands of [`Fractions`].
type Held = [Either; 4];

/// Chunk `index` of the result.
#[inline(always)]
fn value<H: Rounding>(held: &Held, rows: &[Row], index: usize) -> Chunk {
    let (a, b, c, d) = (
        Any::chunk(&held[0], rows, index),
        Any::chunk(&held[1], rows, index),
        Any::chunk(&held[2], rows, index),
        Any::chunk(&held[3], rows, index),
    );
    let mut value = [0; CHUNK];
    for lane in 0..CHUNK {
        let (a, b, c, d) = (
            sum::<H>(a[lane]),
            sum::<H>(b[lane]),
            sum::<H>(c[lane]),
            sum::<H>(d[lane]),
        );
        let word = a.wrapping_add(b << 8).wrapping_add(c << 16);
        value[lane] = word.wrapping_add(d << 24).wrapping_sub(ABOVE);
    }
    value
}

/// No sum is NaN.
#[inline(always)]
fn sum<H: Rounding>(fraction: u32) -> u32 {
    let limited = lane::FSat::eval::<AnyNan<H>>([fraction, 0, 0]);
    lane::FFma::eval::<AnyNan<H>>([limited, SCALE, ROUNDS])
}

impl Body<OfSteps> for Fractions {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let held = [
            Any::hold(registers, code.src[0]),
            Any::hold(registers, code.src[1]),
            Any::hold(registers, code.src[2]),
            Any::hold(registers, code.more[0]),
        ];
        let (exec, lanes, rows) = (registers.exec, registers.lanes, &mut *registers.rows);
        let dst = code.dst as usize;
        assert!(dst < rows.len());
        let lanes = (exec != u64::MAX).then_some(lanes);
        for index in 0..CHUNKS {
            let value = value::<H>(&held, rows, index);
            store(rows, dst, index, lanes, value);
        }
    }
}

fn kernel(level: SimdLevel) -> Kernel {
    level.compiled::<OfSteps, Fractions>()
}

/// Steps that one kernel may stand for.
pub(super) struct Packing {
    /// The first of them.
    pub(super) first: usize,
    /// Rows that they write on the way, and where.
    pub(super) rows: Vec<(usize, u16)>,
    /// Fractions, and where they are read.
    fractions: [(usize, Src); 4],
}

impl Packing {
    /// The steps that end at `at`.
    pub(super) fn find(run: &[Step], at: usize) -> Option<Packing> {
        let [word, above, _] = operands(run, at, LaneOp::ISub)?.1;
        let mut steps = Backwards {
            run,
            first: at,
            rows: Vec::new(),
        };
        if above != Src::Const(ABOVE) {
            return None;
        }
        let mut fractions = [(at, Src::Const(0)); 4];
        let mut next = word;
        for (place, fraction) in fractions.iter_mut().enumerate().skip(1).rev() {
            let [sum, shift, below] = steps.making(LaneOp::IMad, next)?;
            if shift != Src::Const(1 << (8 * place)) {
                return None;
            }
            let made = steps.rows.len();
            *fraction = steps.fraction(sum)?;
            if steps.rows[made..]
                .iter()
                .any(|(_, row)| below == Src::Row(*row))
            {
                return None;
            }
            next = below;
        }
        fractions[0] = steps.fraction(next)?;
        let Backwards { first, rows, .. } = steps;
        let packing = Packing {
            first,
            rows,
            fractions,
        };
        // Fractions are read at the end.
        let early = |(from, row): &(usize, u16)| {
            let mut read = packing.fractions.iter();
            read.any(|(at, src)| *src == Src::Row(*row) && from < at)
        };
        (!packing.rows.iter().any(early)).then_some(packing)
    }

    /// The kernel.
    pub(super) fn superinstruction(&self, level: SimdLevel) -> Option<Superinstruction> {
        let [a, b, c, d] = self.fractions;
        let (src, more) = ([a.1, b.1, c.1], [d.1, Src::Const(0)]);
        Some(Superinstruction::other(kernel(level), src, more))
    }
}

/// The destination and operands of a step with this operation.
fn operands(run: &[Step], at: usize, wanted: LaneOp) -> Option<(u16, [Src; 3])> {
    match run[at] {
        Step::Alu { op, dst, src } if op == wanted => Some((dst, src)),
        _ => None,
    }
}

/// Steps from the last one to the first.
struct Backwards<'a> {
    run: &'a [Step],
    first: usize,
    rows: Vec<(usize, u16)>,
}

impl Backwards<'_> {
    /// The operands of the step before, which makes a row by an operation.
    fn making(&mut self, op: LaneOp, made: Src) -> Option<[Src; 3]> {
        let at = self.first.checked_sub(1)?;
        let (dst, src) = operands(self.run, at, op)?;
        if made != Src::Row(dst) {
            return None;
        }
        self.first = at;
        self.rows.push((at, dst));
        Some(src)
    }

    /// The fraction of a sum, and where it is read.
    fn fraction(&mut self, sum: Src) -> Option<(usize, Src)> {
        if let Src::Const(bits) = sum {
            let fraction = (bits.wrapping_sub(ROUNDS) as f32 / 255.0).to_bits();
            let limited = LaneOp::FSat.eval([fraction, 0, 0]);
            let same = LaneOp::FFma.eval([limited, SCALE, ROUNDS]) == bits;
            return same.then_some((self.first, Src::Const(fraction)));
        }
        let [limited, scale, rounds] = self.making(LaneOp::FFma, sum)?;
        let [fraction, ..] = self.making(LaneOp::FSat, limited)?;
        let scaled = [scale, rounds] == [Src::Const(SCALE), Src::Const(ROUNDS)];
        scaled.then_some((self.first, fraction))
    }
}
