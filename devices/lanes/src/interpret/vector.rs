//! Kernels of the vector steps.

use std::marker::PhantomData;

use super::memory::{
    Absent, Any, BITS, CHUNK, CHUNKS, Chunk, Code, InRow, Registers, Same, Shape, chunk, collect,
    expand, row,
};
use super::near;
use host::{Body, Rounding, SimdLevel};

use crate::arithmetic::{Host, Kernel, OfSteps};
use crate::op::{Function, LaneOp, Visit, WideOp};
use crate::step::Src;
use crate::validate::width;
use crate::wave::{LANES, Row};

/// Writes chunk `index` of row `dst` where lanes are enabled.
#[inline(always)]
pub(super) fn store(rows: &mut [Row], dst: usize, index: usize, lanes: Option<&Row>, value: Chunk) {
    let target = &mut rows[dst].0;
    match lanes {
        None => target[index * CHUNK..][..CHUNK].copy_from_slice(&value),
        Some(lanes) => {
            let lanes = chunk(lanes, index);
            for (lane, value) in value.into_iter().enumerate() {
                let old = &mut target[index * CHUNK + lane];
                *old = (value & lanes[lane]) | (*old & !lanes[lane]);
            }
        }
    }
}

/// `row[dst] = F(A, B, C)`.
pub(super) struct Alu<F, A, B, C>(PhantomData<(F, A, B, C)>);

/// Three operands as their steps hold them.
type Held<A, B, C> = (<A as Shape>::Held, <B as Shape>::Held, <C as Shape>::Held);

impl<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape> Alu<F, A, B, C> {
    /// Chunk `index` of the result. A function, as closures cannot be forced inline; code that is not inlined compiles
    /// for the baseline.
    #[inline(always)]
    fn value<H: Host>(held: &Held<A, B, C>, rows: &[Row], index: usize) -> Chunk {
        let a = A::chunk(&held.0, rows, index);
        let b = B::chunk(&held.1, rows, index);
        let c = C::chunk(&held.2, rows, index);
        let mut value = [0; CHUNK];
        for lane in 0..CHUNK {
            value[lane] = F::eval::<H>([a[lane], b[lane], c[lane]]);
        }
        value
    }
}

impl<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape> Body<OfSteps> for Alu<F, A, B, C> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let held = (
            A::hold(registers, code.src[0]),
            B::hold(registers, code.src[1]),
            C::hold(registers, code.src[2]),
        );
        let (exec, lanes, rows) = (registers.exec, registers.lanes, &mut *registers.rows);
        let dst = code.dst as usize;
        assert!(dst < rows.len());
        if A::FAST && exec == u64::MAX {
            for index in 0..CHUNKS {
                let value = Self::value::<H>(&held, rows, index);
                store(rows, dst, index, None, value);
            }
        } else {
            let lanes = (exec != u64::MAX).then_some(lanes);
            for index in 0..CHUNKS {
                let value = Self::value::<H>(&held, rows, index);
                store(rows, dst, index, lanes, value);
            }
        }
    }
}

/// `scalar pair dst = lanes in which F(A, B, C) holds`.
struct Compare<F, A, B, C>(PhantomData<(F, A, B, C)>);

impl<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape> Body<OfSteps> for Compare<F, A, B, C> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let held = (
            A::hold(registers, code.src[0]),
            B::hold(registers, code.src[1]),
            C::hold(registers, code.src[2]),
        );
        let rows = &*registers.rows;
        let mut holds = Row::ZERO;
        for index in 0..CHUNKS {
            let a = A::chunk(&held.0, rows, index);
            let b = B::chunk(&held.1, rows, index);
            let c = C::chunk(&held.2, rows, index);
            let mut value = [0; CHUNK];
            for lane in 0..CHUNK {
                let holds = F::eval::<H>([a[lane], b[lane], c[lane]]) != 0;
                value[lane] = if holds { u32::MAX } else { 0 };
            }
            holds.0[index * CHUNK..][..CHUNK].copy_from_slice(&value);
        }
        let mask = words_to_mask(&holds);
        registers.set_mask(code.dst as usize, mask & registers.exec);
    }
}

/// The mask of the lanes that are all ones; the others are zero. From memory: a compiler that knows where the lanes come
/// from takes one bit after the other out of them.
#[inline(always)]
fn words_to_mask(lanes: &Row) -> u64 {
    let lanes = std::hint::black_box(lanes);
    let mut words = [0; 2];
    for (half, word) in words.iter_mut().enumerate() {
        for (lane, bit) in BITS.iter().enumerate() {
            *word |= lanes.0[half * BITS.len() + lane] & bit;
        }
    }
    u64::from(words[0]) | u64::from(words[1]) << 32
}

/// `row[dst] = mask ? B : A`, the mask in scalar pair `extra`.
struct Select<A, B>(PhantomData<(A, B)>);

impl<A: Shape, B: Shape> Body<OfSteps> for Select<A, B> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let no = A::hold(registers, code.src[0]);
        let yes = B::hold(registers, code.src[1]);
        let mut picked = Row::ZERO;
        expand(registers.mask(code.extra as usize), &mut picked);
        let lanes = (registers.exec != u64::MAX).then_some(registers.lanes);
        let rows = &mut *registers.rows;
        let dst = code.dst as usize;
        assert!(dst < rows.len());
        for index in 0..CHUNKS {
            let no = A::chunk(&no, rows, index);
            let yes = B::chunk(&yes, rows, index);
            let picked = chunk(&picked, index);
            let mut value = [0; CHUNK];
            for lane in 0..CHUNK {
                value[lane] = (yes[lane] & picked[lane]) | (no[lane] & !picked[lane]);
            }
            store(rows, dst, index, lanes, value);
        }
    }
}

/// Row 0 = the execution mask as one word a lane.
struct Expand;

impl Body<OfSteps> for Expand {
    #[inline(always)]
    fn run<H: Rounding>(_code: &Code, registers: &mut Registers) {
        expand(registers.exec, &mut registers.rows[0]);
    }
}

/// An operation on operands of 64 bits, or singles extended to them.
struct Wide<F>(PhantomData<F>);

/// Bit of `Code::extra` of a wide step: the result is a pair. Bits 0 to 2: so are the operands.
pub(super) const WIDE_RESULT: u32 = 8;

/// The operands of a wide step, as rows.
struct WideOperands {
    low: [Row; 3],
    high: [Row; 3],
}

impl WideOperands {
    #[inline(always)]
    fn hold(code: &Code, registers: &Registers, arity: usize) -> WideOperands {
        let mut operands = WideOperands {
            low: [Row::ZERO; 3],
            high: [Row::ZERO; 3],
        };
        for index in 0..arity {
            let source = code.src[index];
            operands.low[index] = row(registers, source);
            if code.extra >> index & 1 == 1 {
                operands.high[index] = row(registers, source.high());
            }
        }
        operands
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> [u64; 3] {
        std::array::from_fn(|index| {
            u64::from(self.low[index].0[lane]) | u64::from(self.high[index].0[lane]) << 32
        })
    }
}

impl<F: Function<Word = u64>> Body<OfSteps> for Wide<F> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let operands = WideOperands::hold(code, registers, F::ARITY);
        let (mut low, mut high) = (Row::ZERO, Row::ZERO);
        for lane in 0..LANES {
            let result = F::eval::<H>(operands.lane(lane));
            low.0[lane] = result as u32;
            high.0[lane] = (result >> 32) as u32;
        }
        let (lanes, dst) = (registers.lanes, code.dst as usize);
        for index in 0..CHUNKS {
            let value = chunk(&low, index);
            store(registers.rows, dst, index, Some(lanes), value);
        }
        if code.extra & WIDE_RESULT != 0 {
            for index in 0..CHUNKS {
                let value = chunk(&high, index);
                store(registers.rows, dst + 1, index, Some(lanes), value);
            }
        }
    }
}

/// A comparison of operands of 64 bits.
struct CompareWide<F>(PhantomData<F>);

impl<F: Function<Word = u64>> Body<OfSteps> for CompareWide<F> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let operands = WideOperands::hold(code, registers, F::ARITY);
        let mask = collect(|lane| F::eval::<H>(operands.lane(lane)) != 0);
        let mask = mask & registers.exec;
        registers.set_mask(code.dst as usize, mask);
    }
}

/// Kinds of step that take an operation on 32-bit operands.
pub(super) trait Family {
    /// Operations that programs are full of; these have a kernel per level and per shape of their operands.
    const HOT: [bool; 256];
    /// Operations that have a kernel per level. The rest has one that is compiled for the baseline.
    const WARM: [bool; 256];
    /// Operations whose result is not 0 or 1 have no kernel: [`compare_by_lane`].
    const ONLY_BOOL: bool;
    /// The kernel of an operation and the shapes of its operands.
    type Kernel<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape>: Body<OfSteps>;
}

/// A set of operations by position.
const fn set(ops: &[LaneOp]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut index = 0;
    while index < ops.len() {
        set[ops[index] as usize] = true;
        index += 1;
    }
    set
}

/// [`Alu`].
pub(super) struct AluFamily;

impl Family for AluFamily {
    const HOT: [bool; 256] = {
        use LaneOp::*;
        set(&[
            Mov,
            And,
            Or,
            Xor,
            Not,
            Shl,
            Shr,
            Sar,
            IAdd,
            ISub,
            IMul,
            IMin,
            IMax,
            UMin,
            UMax,
            IMad,
            FAdd,
            FSub,
            FMul,
            FMad,
            FFma,
            FMulNeg,
            FMadNeg,
            FMadSub,
            FFmaNeg,
            FFmaSub,
            FMulZero,
            FMadZero,
            FNeg,
            FAbs,
            FMin,
            FMax,
            FMinLegacy,
            FMaxLegacy,
            FMed3,
            FSat,
            FFlush,
            FFlushNan,
            FAddFlush,
            FSubFlush,
            FMulFlush,
            FMadFlush,
            FMadNegFlush,
            FFloor,
            FFract,
            FFractOne,
            I32ToF32,
            U32ToF32,
            BfeU,
            Bfi,
            Pick,
        ])
    };
    const WARM: [bool; 256] = {
        use LaneOp::*;
        set(&[
            AndNot,
            OrNot,
            AlignBit,
            AlignByte,
            AbsDiff,
            IMin3,
            IMax3,
            IMed3,
            UMin3,
            UMax3,
            UMed3,
            FMulLit,
            FRcpLegacy,
            FRsqLegacy,
            FZeroInf,
            BfeI,
            ShlOver,
            ShrOver,
            SarOver,
            BitCount,
            FirstLow,
            FirstHighU,
            UMulHigh,
            IMulHigh,
            IMad24,
            UMad24,
            IMul24,
            UMul24,
            UDiv,
            URem,
            URcp,
            IRcp,
            IAbs,
            FMin3,
            FMax3,
            FSatKeep,
            FCeil,
            FTrunc,
            FRound,
            FRcp,
            FDiv,
            FRsq,
            FSqrt,
            FExp2,
            FLog2,
            FSinTurns,
            FCosTurns,
            FQuarterSinc,
            FSin,
            FCos,
            FLdexp,
            CubeId,
            CubeSc,
            CubeTc,
            CubeMa,
            FFmaDiv,
            FDivScale,
            FDivFixup,
            FClampInf,
            F32ToF16,
            F16ToF32,
            PackHalfZero,
            PackSnorm16,
            PackUnorm16,
            PackU8,
            PackUnorm,
            Byte0ToF32,
            Byte1ToF32,
            Byte2ToF32,
            Byte3ToF32,
            FEq,
            FNe,
            FLt,
            FLe,
            FGt,
            FGe,
            IEq,
            INe,
            ILt,
            ULt,
        ])
    };
    const ONLY_BOOL: bool = false;
    type Kernel<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape> = Alu<F, A, B, C>;
}

/// [`Compare`].
struct CompareFamily;

impl Family for CompareFamily {
    const HOT: [bool; 256] = {
        use LaneOp::*;
        set(&[
            FEq, FNe, FLt, FLe, FGt, FGe, FNlt, FNle, FNgt, FNge, IEq, INe, ILt, ILe, IGt, IGe,
            ULt, ULe, UGt, UGe,
        ])
    };
    const WARM: [bool; 256] = {
        use LaneOp::*;
        set(&[
            FClass, FOrdered, FUnordered, CarryAdd, CarryAdd3, BorrowSub3,
        ])
    };
    const ONLY_BOOL: bool = true;
    type Kernel<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape> = Compare<F, A, B, C>;
}

/// Picks the kernel of an operation for the shapes of its operands.
pub(super) struct Pick<T> {
    pub(super) level: SimdLevel,
    pub(super) src: [Src; 3],
    pub(super) family: PhantomData<T>,
}

impl<T: Family> Pick<T> {
    fn kernel<F: Function<Word = u32>, A: Shape, B: Shape, C: Shape>(&self) -> Kernel {
        self.level.compiled::<OfSteps, T::Kernel<F, A, B, C>>()
    }

    pub(super) fn one<F: Function<Word = u32>>(&self) -> Kernel {
        match self.src[0] {
            Src::Row(_) => self.kernel::<F, InRow, Absent, Absent>(),
            _ => self.kernel::<F, Same, Absent, Absent>(),
        }
    }

    pub(super) fn two<F: Function<Word = u32>>(&self) -> Kernel {
        match self.src {
            [Src::Row(_), Src::Row(_), _] => self.kernel::<F, InRow, InRow, Absent>(),
            [Src::Row(_), _, _] => self.kernel::<F, InRow, Same, Absent>(),
            [_, Src::Row(_), _] => self.kernel::<F, Same, InRow, Absent>(),
            _ => self.kernel::<F, Same, Same, Absent>(),
        }
    }

    pub(super) fn three<F: Function<Word = u32>>(&self) -> Kernel {
        match self.src {
            [Src::Row(_), Src::Row(_), Src::Row(_)] => self.kernel::<F, InRow, InRow, InRow>(),
            [Src::Row(_), Src::Row(_), _] => self.kernel::<F, InRow, InRow, Same>(),
            [Src::Row(_), _, Src::Row(_)] => self.kernel::<F, InRow, Same, InRow>(),
            [Src::Row(_), _, _] => self.kernel::<F, InRow, Same, Same>(),
            [_, Src::Row(_), Src::Row(_)] => self.kernel::<F, Same, InRow, InRow>(),
            _ => self.warm::<F>(),
        }
    }

    fn warm<F: Function<Word = u32>>(&self) -> Kernel {
        if const { F::ARITY == 1 } {
            self.kernel::<F, Any, Absent, Absent>()
        } else if const { F::ARITY == 2 } {
            self.kernel::<F, Any, Any, Absent>()
        } else {
            self.kernel::<F, Any, Any, Any>()
        }
    }

    fn rare<F: Function<Word = u32>>(&self) -> Kernel {
        if const { F::ARITY == 1 } {
            SimdLevel::BASELINE.compiled::<OfSteps, T::Kernel<F, Any, Absent, Absent>>()
        } else if const { F::ARITY == 2 } {
            SimdLevel::BASELINE.compiled::<OfSteps, T::Kernel<F, Any, Any, Absent>>()
        } else {
            SimdLevel::BASELINE.compiled::<OfSteps, T::Kernel<F, Any, Any, Any>>()
        }
    }
}

impl<T: Family> Visit<u32> for Pick<T> {
    type Out = Kernel;
    fn visit<F: Function<Word = u32>>(self) -> Kernel {
        if const { T::ONLY_BOOL && !F::BOOL } {
            Kernel::plain(compare_by_lane)
        } else if const { T::WARM[F::INDEX] } {
            self.warm::<F>()
        } else if const { !T::HOT[F::INDEX] } {
            self.rare::<F>()
        } else if const { F::ARITY == 1 } {
            self.one::<F>()
        } else if const { F::ARITY == 2 } {
            self.two::<F>()
        } else {
            self.three::<F>()
        }
    }
}

/// Operations on 64-bit operands that have a kernel per level. The rest has one that is compiled for the baseline.
const WARM_WIDE: [bool; 256] = {
    let mut set = [false; 256];
    set[WideOp::DAdd as usize] = true;
    set[WideOp::DMul as usize] = true;
    set[WideOp::DFma as usize] = true;
    set[WideOp::F32ToF64 as usize] = true;
    set[WideOp::F64ToF32 as usize] = true;
    set
};

/// Picks the kernel of an operation on 64-bit operands.
struct PickWide {
    level: SimdLevel,
    compare: bool,
}

impl Visit<u64> for PickWide {
    type Out = Kernel;
    fn visit<F: Function<Word = u64>>(self) -> Kernel {
        if const { F::BOOL } && self.compare {
            SimdLevel::BASELINE.compiled::<OfSteps, CompareWide<F>>()
        } else if self.compare {
            Kernel::plain(compare_wide_by_lane)
        } else if const { WARM_WIDE[F::INDEX] } {
            self.level.compiled::<OfSteps, Wide<F>>()
        } else {
            SimdLevel::BASELINE.compiled::<OfSteps, Wide<F>>()
        }
    }
}

/// `FMax` of anything and a constant that is [`decided`].
pub(super) struct MostOf;

impl Function for MostOf {
    type Word = u32;
    const INDEX: usize = LaneOp::FMax as usize;
    const ARITY: usize = 2;
    const BOOL: bool = false;
    #[inline(always)]
    fn eval<H: Host>([a, b, _]: [u32; 3]) -> u32 {
        if f32::from_bits(a) > f32::from_bits(b) {
            a
        } else {
            b
        }
    }
}

/// `FMin` of anything and a constant that is [`decided`].
pub(super) struct LeastOf;

impl Function for LeastOf {
    type Word = u32;
    const INDEX: usize = LaneOp::FMin as usize;
    const ARITY: usize = 2;
    const BOOL: bool = false;
    #[inline(always)]
    fn eval<H: Host>([a, b, _]: [u32; 3]) -> u32 {
        if f32::from_bits(a) <= f32::from_bits(b) {
            a
        } else {
            b
        }
    }
}

/// Whether [`MostOf`] or [`LeastOf`] say what an operation gives with this operand: a comparison with it that fails
/// means the operand, be it for NaN or for a zero of the other sign.
pub(super) fn decided(op: LaneOp, src: Src) -> bool {
    let constant =
        matches!(src, Src::Const(bits) if !f32::from_bits(bits).is_nan() && bits != 1 << 31);
    constant && matches!(op, LaneOp::FMin | LaneOp::FMax)
}

/// The kernel of `Step::Alu`, and its operands in the order that it takes them in.
pub(super) fn alu(level: SimdLevel, op: LaneOp, src: [Src; 3]) -> (Kernel, [Src; 3]) {
    let [a, b, c] = src;
    let reversed = if decided(op, a) { [b, a, c] } else { src };
    if let Src::Row(_) = reversed[0]
        && decided(op, reversed[1])
    {
        let kernel = match op {
            LaneOp::FMax => level.compiled::<OfSteps, Alu<MostOf, InRow, Same, Absent>>(),
            _ => level.compiled::<OfSteps, Alu<LeastOf, InRow, Same, Absent>>(),
        };
        return (kernel, reversed);
    }
    let kernel = near::kernel(level, op, src[0]).unwrap_or_else(|| {
        let family = PhantomData::<AluFamily>;
        op.visit(Pick { level, src, family })
    });
    (kernel, src)
}

/// What makes `Registers::lanes` from `Registers::exec`.
pub(super) fn expansion(level: SimdLevel) -> Kernel {
    level.compiled::<OfSteps, Expand>()
}

/// The kernel of `Step::Compare` and its `Code::extra`.
pub(super) fn compare(level: SimdLevel, op: LaneOp, src: [Src; 3]) -> (Kernel, u32) {
    let family = PhantomData::<CompareFamily>;
    (op.visit(Pick { level, src, family }), op as u32)
}

/// [`Compare`] for the operation at position `Code::extra`.
fn compare_by_lane(code: &Code, registers: &mut Registers) {
    let op = LaneOp::ALL[code.extra as usize];
    let operands = code.src.map(|source| row(registers, source));
    let args = |lane| std::array::from_fn(|index| operands[index].0[lane]);
    let mask = collect(|lane| op.eval(args(lane)) != 0) & registers.exec;
    registers.set_mask(code.dst as usize, mask);
}

/// The kernel of `Step::Wide` and its `Code::extra`.
pub(super) fn wide(level: SimdLevel, op: WideOp) -> (Kernel, u32) {
    let compare = false;
    (op.visit(PickWide { level, compare }), wide_extra(op))
}

/// The kernel of `Step::CompareWide` and its `Code::extra`.
pub(super) fn compare_wide(level: SimdLevel, op: WideOp) -> (Kernel, u32) {
    let compare = true;
    let extra = wide_extra(op) | (op as u32) << 8;
    (op.visit(PickWide { level, compare }), extra)
}

/// [`CompareWide`] for the operation at position `Code::extra >> 8`.
fn compare_wide_by_lane(code: &Code, registers: &mut Registers) {
    let op = WideOp::ALL[(code.extra >> 8) as usize];
    let operands = WideOperands::hold(code, registers, op.params().len());
    let mask = collect(|lane| op.eval(operands.lane(lane)) != 0) & registers.exec;
    registers.set_mask(code.dst as usize, mask);
}

/// Which operands and whether the result are pairs.
pub(super) fn wide_extra(op: WideOp) -> u32 {
    let pairs = op.params().iter().enumerate();
    let operands = pairs.fold(0, |bits, (index, &operand)| {
        bits | u32::from(width(operand) == 2) << index
    });
    operands
        | if width(op.result()) == 2 {
            WIDE_RESULT
        } else {
            0
        }
}

/// The kernel of `Step::Select`, whose mask is scalar pair `Code::extra`.
pub(super) fn select(level: SimdLevel, no: Src, yes: Src) -> Kernel {
    match (no, yes) {
        (Src::Row(_), Src::Row(_)) => level.compiled::<OfSteps, Select<InRow, InRow>>(),
        (Src::Row(_), _) => level.compiled::<OfSteps, Select<InRow, Same>>(),
        (_, Src::Row(_)) => level.compiled::<OfSteps, Select<Same, InRow>>(),
        _ => level.compiled::<OfSteps, Select<Same, Same>>(),
    }
}
