//! Superinstructions: two vector steps in one kernel, or three that chips without blenders chain; results but the last stay
//! in host registers. Same bytes as the steps: the NaN of a first one may be any, since every second operation canonicalises
//! or ignores NaN payloads.
//! [`super::fuse`] picks the steps.

use std::marker::PhantomData;

use super::flushed;
use super::memory::{Any, CHUNK, CHUNKS, Chunk, Code, Either, Registers, Shape};
use super::vector::{LeastOf, MostOf, decided, store};
use host::{Body, Rounding, SimdLevel};

use crate::arithmetic::{AnyNan, Host, Kernel, OfSteps};
use crate::op::{Function, LaneOp, lane};
use crate::step::Src;
use crate::wave::Row;

/// `row[dst] = G(…)`: operands in the set `TAKES` are `F(src)`, the rest come from `more`.
struct Fused<F, G, const TAKES: u8>(PhantomData<(F, G)>);

/// A byte as a fraction of 255, correctly rounded: what `FDiv` by 255 gives of 0 to 255. The first factor has 16 bits, so
/// that its product is exact.
struct OfByte;

impl Function for OfByte {
    type Word = u32;
    const INDEX: usize = LaneOp::FDiv as usize;
    const ARITY: usize = 1;
    const BOOL: bool = false;
    #[inline(always)]
    fn eval<H: Host>([a, ..]: [u32; 3]) -> u32 {
        const HIGH: f32 = f32::from_bits(0x3b80_8000);
        const LOW: f32 = (1.0 / 255.0 - HIGH as f64) as f32;
        let a = f32::from_bits(a);
        (a * HIGH + a * LOW).to_bits()
    }
}

/// `G(F(…), …)` with the operands of `F` in front.
struct Chain<F, G>(PhantomData<(F, G)>);

impl<F: Function<Word = u32>, G: Function<Word = u32>> Function for Chain<F, G> {
    type Word = u32;
    const INDEX: usize = G::INDEX;
    const ARITY: usize = F::ARITY + G::ARITY - 1;
    const BOOL: bool = false;
    #[inline(always)]
    fn eval<H: Host>(args: [u32; 3]) -> u32 {
        let mut rest = [F::eval::<AnyNan<H>>(args), 0, 0];
        let mut n = F::ARITY;
        while n < 3 {
            rest[n + 1 - F::ARITY] = args[n];
            n += 1;
        }
        G::eval::<H>(rest)
    }
}

/// Operands of both operations.
struct Held {
    a: Either,
    b: Either,
    c: Either,
    d: Either,
    e: Either,
}

impl<F: Function<Word = u32>, G: Function<Word = u32>, const TAKES: u8> Fused<F, G, TAKES> {
    /// Operands of `G` that are not `F(src)`.
    const OTHERS: usize = G::ARITY - TAKES.count_ones() as usize;

    /// Chunk `index` of the result.
    #[inline(always)]
    fn value<H: Host>(held: &Held, rows: &[Row], index: usize) -> Chunk {
        let (a, b, c) = (
            Any::chunk(&held.a, rows, index),
            Any::chunk(&held.b, rows, index),
            Any::chunk(&held.c, rows, index),
        );
        let (d, e) = (
            Any::chunk(&held.d, rows, index),
            Any::chunk(&held.e, rows, index),
        );
        let mut value = [0; CHUNK];
        for lane in 0..CHUNK {
            let first = F::eval::<AnyNan<H>>([a[lane], b[lane], c[lane]]);
            let mut args = [first; 3];
            let (mut operand, mut others) = (0, 0);
            while operand < G::ARITY {
                if TAKES >> operand & 1 == 0 {
                    args[operand] = if others == 0 { d[lane] } else { e[lane] };
                    others += 1;
                }
                operand += 1;
            }
            value[lane] = G::eval::<H>(args);
        }
        value
    }
}

impl<F: Function<Word = u32>, G: Function<Word = u32>, const TAKES: u8> Body<OfSteps>
    for Fused<F, G, TAKES>
{
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let mut held = Held {
            a: Any::hold(registers, code.src[0]),
            b: Either::NONE,
            c: Either::NONE,
            d: Either::NONE,
            e: Either::NONE,
        };
        if const { F::ARITY > 1 } {
            held.b = Any::hold(registers, code.src[1]);
        }
        if const { F::ARITY > 2 } {
            held.c = Any::hold(registers, code.src[2]);
        }
        if const { Self::OTHERS > 0 } {
            held.d = Any::hold(registers, code.more[0]);
        }
        if const { Self::OTHERS > 1 } {
            held.e = Any::hold(registers, code.more[1]);
        }
        let (exec, lanes, rows) = (registers.exec, registers.lanes, &mut *registers.rows);
        let dst = code.dst as usize;
        assert!(dst < rows.len());
        if exec == u64::MAX {
            for index in 0..CHUNKS {
                let value = Self::value::<H>(&held, rows, index);
                store(rows, dst, index, None, value);
            }
        } else {
            for index in 0..CHUNKS {
                let value = Self::value::<H>(&held, rows, index);
                store(rows, dst, index, Some(lanes), value);
            }
        }
    }
}

/// `row[dst] = F(A, B) ? yes : no`: a comparison whose mask only one selection reads.
struct Chosen<F>(PhantomData<F>);

/// Operands of comparison and selection.
struct Choice {
    a: Either,
    b: Either,
    no: Either,
    yes: Either,
}

impl<F: Function<Word = u32>> Chosen<F> {
    /// Chunk `index` of the result.
    #[inline(always)]
    fn value<H: Host>(held: &Choice, rows: &[Row], index: usize) -> Chunk {
        let a = Any::chunk(&held.a, rows, index);
        let b = Any::chunk(&held.b, rows, index);
        let no = Any::chunk(&held.no, rows, index);
        let yes = Any::chunk(&held.yes, rows, index);
        let mut value = [0; CHUNK];
        for lane in 0..CHUNK {
            let holds = F::eval::<H>([a[lane], b[lane], 0]) != 0;
            value[lane] = if holds { yes[lane] } else { no[lane] };
        }
        value
    }
}

impl<F: Function<Word = u32>> Body<OfSteps> for Chosen<F> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let held = Choice {
            a: Any::hold(registers, code.src[0]),
            b: Any::hold(registers, code.src[1]),
            no: Any::hold(registers, code.more[0]),
            yes: Any::hold(registers, code.more[1]),
        };
        let (exec, lanes, rows) = (registers.exec, registers.lanes, &mut *registers.rows);
        let dst = code.dst as usize;
        assert!(dst < rows.len());
        let lanes = (exec != u64::MAX).then_some(lanes);
        for index in 0..CHUNKS {
            let value = Self::value::<H>(&held, rows, index);
            store(rows, dst, index, lanes, value);
        }
    }
}

/// A step that computes with an operation on 32-bit operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alu {
    pub(super) op: LaneOp,
    pub(super) dst: u16,
    pub(super) src: [Src; 3],
}

impl Alu {
    /// Operands that the operation has.
    pub(super) fn operands(&self) -> &[Src] {
        &self.src[..self.op.params().len()]
    }
}

/// Whether an operation may be the first of a superinstruction with this one.
pub(super) fn starts(op: LaneOp, second: LaneOp) -> bool {
    use LaneOp::*;
    match second {
        FFlushNan => flushed::has_kernel(op),
        _ => matches!(
            op,
            FAdd | FSub
                | FMul
                | FMad
                | FMadNeg
                | FAbs
                | FFlush
                | FAddFlush
                | FSubFlush
                | FMulFlush
                | FMadFlush
                | FMadNegFlush
                | FRsq
                | FSat
                | Byte0ToF32
                | Byte1ToF32
                | Byte2ToF32
                | Byte3ToF32
        ),
    }
}

/// A superinstruction of two steps or three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Superinstruction {
    /// The kernel.
    pub(super) kernel: Kernel,
    /// Operations of two steps of which the second takes the result of the first as its first operand only.
    pair: Option<(LaneOp, LaneOp)>,
    /// Operands of the first.
    pub(super) src: [Src; 3],
    /// Other operands of the second.
    pub(super) more: [Src; 2],
}

impl Superinstruction {
    /// Fuses `first` into the operands of `second` that read row `first.dst`, if this level has a kernel for it.
    pub(super) fn new(level: SimdLevel, first: &Alu, second: &Alu) -> Option<Superinstruction> {
        let taken = |src: &Src| *src == Src::Row(first.dst);
        let mut src = second.src;
        use LaneOp::*;
        if second.op == FFlushNan {
            let kernel = flushed::kernel(level, first.op, first.src)?;
            return Some(Superinstruction::other(
                kernel,
                first.src,
                [Src::Const(0); 2],
            ));
        }
        // Commutative operands may swap: there is one NaN and one order of zeros.
        let turns = matches!(
            second.op,
            FAdd | FMul
                | FMin
                | FMax
                | FMad
                | FMadNeg
                | FAddFlush
                | FMulFlush
                | FMadFlush
                | FMadNegFlush
        );
        if turns && taken(&src[1]) && !taken(&src[0]) {
            src.swap(0, 1);
        }
        let arity = second.op.params().len();
        let takes = (0..arity).fold(0, |set, n| set | u8::from(taken(&src[n])) << n);
        let kernel = match first.op {
            FAdd => ends::<lane::FAdd>(level, second.op, takes, src),
            FSub => ends::<lane::FSub>(level, second.op, takes, src),
            FMul => ends::<lane::FMul>(level, second.op, takes, src),
            FMad => ends::<lane::FMad>(level, second.op, takes, src),
            FMadNeg => ends::<lane::FMadNeg>(level, second.op, takes, src),
            FAbs => ends::<lane::FAbs>(level, second.op, takes, src)
                .or_else(|| ends_flushed::<lane::FAbs>(level, second.op, takes)),
            FFlush => ends_flushed::<lane::FFlush>(level, second.op, takes),
            FAddFlush => ends_flushed::<lane::FAddFlush>(level, second.op, takes),
            FSubFlush => ends_flushed::<lane::FSubFlush>(level, second.op, takes),
            FMulFlush => ends_flushed::<lane::FMulFlush>(level, second.op, takes),
            FMadFlush => ends_flushed::<lane::FMadFlush>(level, second.op, takes),
            FMadNegFlush => ends_flushed::<lane::FMadNegFlush>(level, second.op, takes),
            first if (second.op, takes, src[1]) == (FDiv, 1, Src::Const(255f32.to_bits())) => {
                byte_fraction(level, first)
            }
            first => others(level, (first, second.op), takes),
        }?;
        let mut more = [Src::Const(0); 2];
        let others = src[..arity].iter().filter(|src| !taken(src));
        for (more, other) in more.iter_mut().zip(others) {
            *more = *other;
        }
        Some(Superinstruction {
            kernel,
            pair: (takes == 1).then_some((first.op, second.op)),
            src: first.src,
            more,
        })
    }

    /// The same with a third step, which reads row `dst` of the second, if this level has a kernel for it.
    pub(super) fn longer(
        &self,
        level: SimdLevel,
        dst: u16,
        third: &Alu,
    ) -> Option<Superinstruction> {
        use LaneOp::*;
        let taken = |n: usize| third.src[n] == Src::Row(dst);
        let ([a, b, _], [c, d]) = (self.src, self.more);
        let src = third.src;
        let finite = |src: Src| matches!(src, Src::Const(bits) if f32::from_bits(bits).is_finite());
        let (kernel, src, more) = match (self.pair?, third.op) {
            ((FSubFlush, FMulFlush), FMadFlush) if taken(2) && !taken(0) && !taken(1) => {
                let kernel = level.compiled_for_32_registers::<OfSteps, Fused<
                    Chain<lane::FSubFlush, lane::FMulFlush>,
                    lane::FMadFlush,
                    0b100,
                >>();
                (kernel, [a, b, c], [src[0], src[1]])
            }
            // No sum of such constants is NaN.
            ((FSat, FFma), IMad)
                if taken(0) && !taken(1) && !taken(2) && finite(c) && finite(d) =>
            {
                let kernel = level.compiled_for_32_registers::<OfSteps, Fused<
                    Chain<lane::FSat, lane::FFma>,
                    lane::IMad,
                    0b001,
                >>();
                (kernel, [a, c, d], [src[1], src[2]])
            }
            _ => return None,
        };
        Some(Superinstruction::other(kernel?, src, more))
    }

    /// A kernel of its own.
    pub(super) fn other(kernel: Kernel, src: [Src; 3], more: [Src; 2]) -> Superinstruction {
        Superinstruction {
            kernel,
            pair: None,
            src,
            more,
        }
    }

    /// All operands.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Src> + Clone {
        self.src.iter().chain(&self.more)
    }
}

impl Superinstruction {
    /// A comparison and the selection by its mask, if there is a kernel for them.
    pub(super) fn choice(
        level: SimdLevel,
        op: LaneOp,
        src: [Src; 3],
        more: [Src; 2],
    ) -> Option<Superinstruction> {
        let kernel = chosen(level, op)?;
        Some(Superinstruction::other(kernel, src, more))
    }
}

/// The kernel of a comparison and a selection.
fn chosen(level: SimdLevel, op: LaneOp) -> Option<Kernel> {
    use LaneOp::*;
    Some(match op {
        FEq => level.compiled::<OfSteps, Chosen<lane::FEq>>(),
        FNe => level.compiled::<OfSteps, Chosen<lane::FNe>>(),
        FLt => level.compiled::<OfSteps, Chosen<lane::FLt>>(),
        FLe => level.compiled::<OfSteps, Chosen<lane::FLe>>(),
        FGt => level.compiled::<OfSteps, Chosen<lane::FGt>>(),
        FGe => level.compiled::<OfSteps, Chosen<lane::FGe>>(),
        IEq => level.compiled::<OfSteps, Chosen<lane::IEq>>(),
        INe => level.compiled::<OfSteps, Chosen<lane::INe>>(),
        ILt => level.compiled::<OfSteps, Chosen<lane::ILt>>(),
        ILe => level.compiled::<OfSteps, Chosen<lane::ILe>>(),
        IGt => level.compiled::<OfSteps, Chosen<lane::IGt>>(),
        IGe => level.compiled::<OfSteps, Chosen<lane::IGe>>(),
        ULt => level.compiled::<OfSteps, Chosen<lane::ULt>>(),
        ULe => level.compiled::<OfSteps, Chosen<lane::ULe>>(),
        UGt => level.compiled::<OfSteps, Chosen<lane::UGt>>(),
        UGe => level.compiled::<OfSteps, Chosen<lane::UGe>>(),
        _ => return None,
    })
}

/// The kernel of two steps with `F` first. Only on hosts with registers for five operands.
fn ends<F: Function<Word = u32>>(
    level: SimdLevel,
    op: LaneOp,
    takes: u8,
    src: [Src; 3],
) -> Option<Kernel> {
    use LaneOp::*;
    let decided = decided(op, src[1]);
    match (op, takes) {
        (FAdd, 0b01) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FAdd, 0b01>>(),
        (FSub, 0b01) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSub, 0b01>>(),
        (FSub, 0b10) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSub, 0b10>>(),
        (FMul, 0b01) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMul, 0b01>>(),
        (FMul, 0b11) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMul, 0b11>>(),
        (FMad, 0b001) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMad, 0b001>>(),
        (FMad, 0b011) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMad, 0b011>>(),
        (FMad, 0b100) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMad, 0b100>>(),
        (FMadNeg, 0b001) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadNeg, 0b001>>()
        }
        (FMadNeg, 0b100) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadNeg, 0b100>>()
        }
        (FMin, 0b01) if decided => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, LeastOf, 0b01>>()
        }
        (FMin, 0b01) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMin, 0b01>>(),
        (FMax, 0b01) if decided => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, MostOf, 0b01>>()
        }
        (FMax, 0b01) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMax, 0b01>>(),
        (FSat, 0b1) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSat, 0b1>>(),
        (FFract, 0b1) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FFract, 0b1>>(),
        (FSqrt, 0b1) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSqrt, 0b1>>(),
        (FRsq, 0b1) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FRsq, 0b1>>(),
        _ => None,
    }
}

/// The same with a second step without denormals, as chips that have none compute.
fn ends_flushed<F: Function<Word = u32>>(
    level: SimdLevel,
    op: LaneOp,
    takes: u8,
) -> Option<Kernel> {
    use LaneOp::*;
    match (op, takes) {
        (FAddFlush, 0b01) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FAddFlush, 0b01>>()
        }
        (FSubFlush, 0b01) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSubFlush, 0b01>>()
        }
        (FSubFlush, 0b10) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSubFlush, 0b10>>()
        }
        (FMulFlush, 0b01) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMulFlush, 0b01>>()
        }
        (FMulFlush, 0b11) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMulFlush, 0b11>>()
        }
        (FMadFlush, 0b001) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadFlush, 0b001>>()
        }
        (FMadFlush, 0b011) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadFlush, 0b011>>()
        }
        (FMadFlush, 0b100) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadFlush, 0b100>>()
        }
        (FMadNegFlush, 0b001) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadNegFlush, 0b001>>()
        }
        (FMadNegFlush, 0b100) => {
            level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FMadNegFlush, 0b100>>()
        }
        (FSat, 0b1) => level.compiled_for_32_registers::<OfSteps, Fused<F, lane::FSat, 0b1>>(),
        _ => None,
    }
}

/// The kernel of a byte of a word as a fraction.
fn byte_fraction(level: SimdLevel, byte: LaneOp) -> Option<Kernel> {
    use LaneOp::*;
    Some(match byte {
        Byte0ToF32 => level.compiled::<OfSteps, Fused<lane::Byte0ToF32, OfByte, 0b1>>(),
        Byte1ToF32 => level.compiled::<OfSteps, Fused<lane::Byte1ToF32, OfByte, 0b1>>(),
        Byte2ToF32 => level.compiled::<OfSteps, Fused<lane::Byte2ToF32, OfByte, 0b1>>(),
        Byte3ToF32 => level.compiled::<OfSteps, Fused<lane::Byte3ToF32, OfByte, 0b1>>(),
        _ => return None,
    })
}

/// Pairs of their own: lengths, fractions that are packed.
fn others(level: SimdLevel, ops: (LaneOp, LaneOp), takes: u8) -> Option<Kernel> {
    use LaneOp::*;
    match (ops, takes) {
        ((FRsq, FRcp), 0b1) => {
            level.compiled_for_32_registers::<OfSteps, Fused<lane::FRsq, lane::FRcp, 0b1>>()
        }
        ((FSat, FFma), 0b001) => {
            level.compiled_for_32_registers::<OfSteps, Fused<lane::FSat, lane::FFma, 0b001>>()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::Separate;

    #[test]
    fn bytes_are_fractions_of_255() {
        for byte in 0..=255u16 {
            let byte = f32::from(byte);
            let found = OfByte::eval::<Separate>([byte.to_bits(), 0, 0]);
            assert_eq!(f32::from_bits(found), byte / 255.0);
        }
    }
}
