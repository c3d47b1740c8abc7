//! The vector ALU.

use lanes::LaneOp::{self, *};
use lanes::WideOp::{self, *};
use lanes::{Operand, Src, Step};

use super::super::compare::{Test, VopcOp};
use super::super::decode::Inst;
use super::super::operand::{LDS_DIRECT, LITERAL, VGPR};
use super::super::vector::{Sem, VectorOp};
use super::super::words::{Vop1, Vop2, Vop3a, Vop3b, Vopc};
use super::operands::{high_half, is_wide, three};
use super::{EXEC, Lifter, VCC};

/// The fields of a vector instruction, whatever its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector {
    pub(super) op: VectorOp,
    /// VGPR, or scalar code for the operations that write a scalar.
    pub(super) vdst: u8,
    /// Scalar destination of carries.
    pub(super) sdst: u8,
    /// Operand codes.
    pub(super) src: [u16; 3],
    /// One bit a source: sign cleared.
    abs: u8,
    /// One bit a source: sign flipped.
    neg: u8,
    omod: u8,
    clamp: bool,
}

impl Vector {
    fn short(op: VectorOp, vdst: u8, src0: u16, vsrc1: u16) -> Vector {
        Vector {
            op,
            vdst,
            sdst: VCC as u8,
            src: [src0, vsrc1, VCC],
            abs: 0,
            neg: 0,
            omod: 0,
            clamp: false,
        }
    }
}

impl Lifter {
    pub(super) fn vop2(&mut self, inst: Inst, w: Vop2) {
        // The lane number of V_READLANE and V_WRITELANE is a scalar, everything else a VGPR.
        let src1 = match w.op.sem() {
            Sem::ReadLane | Sem::WriteLane => w.vsrc1.into(),
            _ => VGPR + u16::from(w.vsrc1),
        };
        let op = VectorOp::Two(w.op);
        self.vector_inst(inst, Vector::short(op, w.vdst, w.src0, src1));
    }

    pub(super) fn vop1(&mut self, inst: Inst, w: Vop1) {
        let op = VectorOp::One(w.op);
        self.vector_inst(inst, Vector::short(op, w.vdst, w.src0, 128));
    }

    pub(super) fn vopc(&mut self, inst: Inst, w: Vopc) {
        let src1 = VGPR + u16::from(w.vsrc1);
        let op = VectorOp::Compare(w.op);
        self.vector_inst(inst, Vector::short(op, VCC as u8, w.src0, src1));
    }

    pub(super) fn vop3a(&mut self, inst: Inst, w: Vop3a) {
        let vector = Vector {
            src: [w.src0, w.src1, w.src2],
            abs: w.abs,
            neg: w.neg,
            omod: w.omod,
            clamp: w.clamp,
            ..Vector::short(w.op, w.vdst, w.src0, w.src1)
        };
        self.vector_inst(inst, vector);
    }

    pub(super) fn vop3b(&mut self, inst: Inst, w: Vop3b) {
        let vector = Vector {
            sdst: w.sdst,
            src: [w.src0, w.src1, w.src2],
            neg: w.neg,
            omod: w.omod,
            ..Vector::short(w.op, w.vdst, w.src0, w.src1)
        };
        self.vector_inst(inst, vector);
    }

    fn vector_inst(&mut self, inst: Inst, v: Vector) {
        if v.src[0] == LDS_DIRECT {
            self.port(inst);
        }
        match (v.op, v.op.sem()) {
            (VectorOp::Compare(op), _) => self.compare_inst(op, &v),
            (_, Some(sem)) => self.vector_sem(sem, &v),
            _ => {}
        }
    }

    fn vector_sem(&mut self, sem: Sem, v: &Vector) {
        match sem {
            Sem::Alu(op) if self.mode.ieee() && is_extremum(op) => {
                let src = self.sources(v, op.params());
                self.result(v, op.result(), |lifter, dst| {
                    let signalling = lifter.signalling(&src[..op.params().len()], false);
                    lifter.alu(op, dst, src);
                    let nan = Src::Const(0x7fc0_0000);
                    lifter.select(dst, signalling, Src::Row(dst), nan);
                });
            }
            Sem::Alu(op) => {
                let (op, signed) = self.fold_signs(op, v);
                let src = self.sources(&signed, op.params());
                self.result(v, op.result(), |lifter, dst| lifter.alu(op, dst, src));
            }
            Sem::Swapped(op) => {
                let [a, b, c] = self.sources(v, op.params());
                self.result(v, op.result(), |lifter, dst| lifter.alu(op, dst, [b, a, c]));
            }
            Sem::Onto(op) => {
                let onto = Vector {
                    src: [v.src[0], v.src[1], VGPR + u16::from(v.vdst)],
                    ..*v
                };
                let (op, onto) = self.fold_signs(op, &onto);
                let src = self.sources(&onto, op.params());
                self.result(v, op.result(), |lifter, dst| lifter.alu(op, dst, src));
            }
            Sem::MadMk | Sem::MadAk => {
                let src = match sem {
                    Sem::MadMk => [v.src[0], LITERAL, v.src[1]],
                    _ => [v.src[0], v.src[1], LITERAL],
                };
                let src = self.sources(&Vector { src, ..*v }, FMad.params());
                self.result(v, Operand::F32, |lifter, dst| lifter.alu(FMad, dst, src));
            }
            Sem::Then(op, then) => {
                let src = self.sources(v, op.params());
                self.result(v, op.result(), |lifter, dst| {
                    lifter.alu(op, dst, src);
                    lifter.alu(then, dst, three(&[Src::Row(dst)]));
                });
            }
            Sem::Wide(op) if self.mode.ieee() && matches!(op, DMin | DMax) => {
                let src = self.sources(v, op.params());
                self.result(v, op.result(), |lifter, dst| {
                    let signalling = lifter.signalling(&src[..2], true);
                    lifter.wide_alu(op, dst, src);
                    for (at, nan) in [(dst, 0), (dst + 1, 0x7ff8_0000)] {
                        lifter.select(at, signalling, Src::Row(at), Src::Const(nan));
                    }
                });
            }
            Sem::Wide(op) => {
                let src = self.sources(v, op.params());
                self.result(v, op.result(), |lifter, dst| lifter.wide_alu(op, dst, src));
            }
            Sem::WideThen(op, then) => {
                let src = self.sources(v, op.params());
                self.result(v, op.result(), |lifter, dst| {
                    lifter.wide_alu(op, dst, src);
                    lifter.wide_alu(then, dst, three(&[Src::Row(dst)]));
                });
            }
            Sem::DivScale(value, flag) => {
                let src = self.sources(v, value.params());
                let mask = self.temp();
                self.compare(flag, mask, src);
                self.result(v, value.result(), |lifter, dst| lifter.alu(value, dst, src));
                self.scalar_result(v, 1, mask);
            }
            Sem::DivScaleWide(value, flag) => {
                let src = self.sources(v, value.params());
                let mask = self.temp();
                self.compare_wide(flag, mask, src);
                self.result(v, value.result(), |lifter, dst| {
                    lifter.wide_alu(value, dst, src)
                });
                self.scalar_result(v, 2, mask);
            }
            Sem::DivFmas(plain, scaled) => {
                let src = self.sources(v, plain.params());
                self.result(v, plain.result(), |lifter, dst| {
                    let (no, yes) = (lifter.temp_row(), lifter.temp_row());
                    lifter.alu(plain, no, src);
                    lifter.alu(scaled, yes, src);
                    lifter.select(dst, VCC, Src::Row(no), Src::Row(yes));
                });
            }
            Sem::DivFmasWide(plain, scaled) => {
                let src = self.sources(v, plain.params());
                self.result(v, plain.result(), |lifter, dst| {
                    let (no, yes) = (lifter.temp_row_pair(), lifter.temp_row_pair());
                    lifter.wide_alu(plain, no, src);
                    lifter.wide_alu(scaled, yes, src);
                    for half in 0..2 {
                        let [no, yes] = [no, yes].map(|row| Src::Row(row + half));
                        lifter.select(dst + half, VCC, no, yes);
                    }
                });
            }
            Sem::Select
            | Sem::Carry(_)
            | Sem::CarryIn(_)
            | Sem::CountBelow(_)
            | Sem::ReadLane
            | Sem::WriteLane
            | Sem::ReadFirstLane
            | Sem::Relative(_) => self.special(sem, v),
            Sem::Nothing => {}
        }
    }

    /// The operation with flipped signs of sources folded into it, and the sources that are left to change. Only to
    /// nearest: the other directions mirror with the sign.
    fn fold_signs(&self, op: LaneOp, v: &Vector) -> (LaneOp, Vector) {
        if v.neg == 0 || self.mode.round_single() != 0 {
            return (op, *v);
        }
        let left = |neg: u8| Vector {
            neg: v.neg & neg,
            ..*v
        };
        let swapped = Vector {
            src: [v.src[1], v.src[0], v.src[2]],
            abs: v.abs >> 1 & 1 | v.abs << 1 & 2,
            neg: 0,
            ..*v
        };
        let product = v.neg & 3;
        let minus_c = v.neg & 4 != 0;
        match (op, product) {
            (FAdd, 1) | (FSub, 3) => (FSub, swapped),
            (FAdd, 2) => (FSub, left(0)),
            (FSub, 2) => (FAdd, left(0)),
            (FMul, 3) => (FMul, left(0)),
            (FMul, 1 | 2) => (FMulNeg, left(0)),
            (FMad, 1 | 2) => (FMadNeg, left(4)),
            (FMad, _) if minus_c => (FMadSub, left(0)),
            (FMad, _) => (FMad, left(0)),
            (FFma, 1 | 2) => (FFmaNeg, left(4)),
            (FFma, _) if minus_c => (FFmaSub, left(0)),
            (FFma, _) => (FFma, left(0)),
            _ => (op, *v),
        }
    }

    /// Lanes in which one of the sources is a signalling NaN.
    fn signalling(&mut self, src: &[Src], wide: bool) -> u16 {
        let mask = self.temp();
        self.uniform_wide(Mov64, mask, &[Src::Const(0)]);
        let dst = self.temp();
        for src in src {
            let src = three(&[*src, Src::Const(1)]);
            match wide {
                false => self.compare(FClass, dst, src),
                true => self.compare_wide(DClass, dst, src),
            }
            self.uniform_wide(Or64, mask, &[Src::Scalar(mask), Src::Scalar(dst)]);
        }
        mask
    }

    fn compare_wide(&mut self, op: WideOp, dst: u16, src: [Src; 3]) {
        self.b.push(Step::CompareWide { op, dst, src });
    }

    /// Copies a mask to the scalar destination, unless the vector destination does not exist. [SI 6.1.1]
    fn scalar_result(&mut self, v: &Vector, rows: u16, mask: u16) {
        if self.has_rows(v.vdst, rows) {
            let dst = self.scalar_destination(v.sdst, 2);
            self.uniform_wide(Mov64, dst, &[Src::Scalar(mask)]);
        }
    }

    pub(super) fn select(&mut self, dst: u16, mask: u16, no: Src, yes: Src) {
        self.b.push(Step::Select { dst, mask, no, yes });
    }

    /// The sources with their modifiers, flushed as the mode asks.
    pub(super) fn sources(&mut self, v: &Vector, params: &[Operand]) -> [Src; 3] {
        let mut src = [Src::Const(0); 3];
        for (at, &ty) in params.iter().enumerate() {
            let mut value = self.vector(v.src[at], ty);
            let wide = is_wide(ty);
            let steps = [
                (v.abs >> at & 1 == 1, FAbs, DAbs),
                (v.neg >> at & 1 == 1, FNeg, DNeg),
                (self.flushes_input(ty), FFlush, DFlush),
            ];
            for (wanted, op, wide_op) in steps {
                value = match (wanted, wide) {
                    (false, _) => value,
                    (true, false) => self.modified(op, value),
                    (true, true) => self.modified_wide(wide_op, value),
                };
            }
            src[at] = value;
        }
        src
    }

    fn flushes_input(&self, ty: Operand) -> bool {
        match ty {
            Operand::F32 => self.mode.flushes_single_inputs(),
            Operand::F64 => self.mode.flushes_double_inputs(),
            _ => false,
        }
    }

    fn flushes_result(&self, ty: Operand) -> bool {
        match ty {
            Operand::F32 => self.mode.flushes_single_results(),
            Operand::F64 => self.mode.flushes_double_results(),
            _ => false,
        }
    }

    /// Computes into the vector destination and applies output modifiers; nothing if the destination does not exist.
    pub(super) fn result(
        &mut self,
        v: &Vector,
        ty: Operand,
        compute: impl FnOnce(&mut Lifter, u16),
    ) {
        let wide = is_wide(ty);
        if !self.has_rows(v.vdst, 1 + u16::from(wide)) {
            return;
        }
        let dst = v.vdst.into();
        compute(self, dst);
        self.flush_result(ty, dst);
        if !matches!(ty, Operand::F32 | Operand::F64) {
            return;
        }
        // Output modifiers: times 2, times 4, half. [SI 6.2.2]
        if let Some(factor) = [None, Some(2.0f32), Some(4.0), Some(0.5)][usize::from(v.omod & 3)] {
            match wide {
                false => {
                    let factor = Src::Const(factor.to_bits());
                    self.alu(FMul, dst, three(&[Src::Row(dst), factor]));
                }
                true => {
                    let factor = self.wide_constant(f64::from(factor).to_bits());
                    self.wide_alu(DMul, dst, three(&[Src::Row(dst), factor]));
                }
            }
            self.flush_result(ty, dst);
        }
        if v.clamp {
            let zero_nan = self.mode.dx10_clamp();
            match (wide, zero_nan) {
                (false, true) => self.b.alu(FSat, dst, &[Src::Row(dst)]),
                (false, false) => self.b.alu(FSatKeep, dst, &[Src::Row(dst)]),
                (true, true) => self.wide(DSat, dst, &[Src::Row(dst)]),
                (true, false) => self.wide(DSatKeep, dst, &[Src::Row(dst)]),
            }
        }
    }

    fn flush_result(&mut self, ty: Operand, dst: u16) {
        if self.flushes_result(ty) {
            match is_wide(ty) {
                false => self.b.alu(FFlush, dst, &[Src::Row(dst)]),
                true => self.wide(DFlush, dst, &[Src::Row(dst)]),
            }
        }
    }

    /// `row[dst] = op(src)` in the rounding mode.
    pub(super) fn alu(&mut self, op: LaneOp, dst: u16, src: [Src; 3]) {
        let round = self.mode.round_single();
        if round == 0 {
            return self.b.alu(op, dst, &src);
        }
        let [a, b, c] = src;
        let mode = Src::Const(round);
        match op {
            FAdd => self.b.alu(FAddMode, dst, &[a, b, mode]),
            FSub => {
                let b = self.modified(FNeg, b);
                self.b.alu(FAddMode, dst, &[a, b, mode]);
            }
            FMul => self.b.alu(FMulMode, dst, &[a, b, mode]),
            FMulZero => self.b.alu(FMulZeroMode, dst, &[a, b, mode]),
            FMad | FMadZero => {
                let product = self.temp_row();
                let multiply = if op == FMad { FMulMode } else { FMulZeroMode };
                self.b.alu(multiply, product, &[a, b, mode]);
                self.b.alu(FAddMode, dst, &[Src::Row(product), c, mode]);
            }
            FFma => self
                .b
                .alu([FFmaUp, FFmaDown, FFmaZero][round as usize - 1], dst, &src),
            FLdexp => self.b.alu(FLdexpMode, dst, &[a, b, mode]),
            // Two roundings in one direction are one: the sum is rounded, then its scaled value.
            FFmaDiv => {
                let (sum, power) = (self.temp_row(), self.temp_row());
                self.alu(FFma, sum, src);
                let up = self.temp();
                let exponent = [c, Src::Const(23), Src::Const(8)];
                self.b.alu(BfeU, power, &exponent);
                self.compare(UGt, up, three(&[Src::Row(power), Src::Const(127)]));
                let [down, far] = [-64i32, 64].map(|power| Src::Const(power as u32));
                self.select(power, up, down, far);
                self.alu(FLdexp, dst, three(&[Src::Row(sum), Src::Row(power)]));
            }
            I32ToF32 => self.b.alu(I32ToF32Mode, dst, &[a, mode]),
            U32ToF32 => self.b.alu(U32ToF32Mode, dst, &[a, mode]),
            F32ToF16 => self.b.alu(F32ToF16Mode, dst, &[a, mode]),
            _ => self.b.alu(op, dst, &src),
        }
    }

    /// The same for 64-bit operands. The conversion to single precision rounds as single precision does.
    fn wide_alu(&mut self, op: WideOp, dst: u16, src: [Src; 3]) {
        let [a, b, _] = src;
        let round = match op {
            F64ToF32 => self.mode.round_single(),
            _ => self.mode.round_double(),
        };
        let mode = Src::Const(round);
        match op {
            _ if round == 0 => self.wide(op, dst, &src),
            DAdd => self.wide(DAddMode, dst, &[a, b, mode]),
            DMul => self.wide(DMulMode, dst, &[a, b, mode]),
            DLdexp => self.wide(DLdexpMode, dst, &[a, b, mode]),
            DFmaDiv => {
                let (sum, power) = (self.temp_row_pair(), self.temp_row());
                self.wide_alu(DFma, sum, src);
                let up = self.temp();
                let exponent = [high_half(src[2]), Src::Const(20), Src::Const(11)];
                self.b.alu(BfeU, power, &exponent);
                self.compare(UGt, up, three(&[Src::Row(power), Src::Const(1023)]));
                let [down, far] = [-128i32, 128].map(|power| Src::Const(power as u32));
                self.select(power, up, down, far);
                self.wide_alu(DLdexp, dst, three(&[Src::Row(sum), Src::Row(power)]));
            }
            DFma => self.wide([DFmaUp, DFmaDown, DFmaZero][round as usize - 1], dst, &src),
            F64ToF32 => self.wide(F64ToF32Mode, dst, &[a, mode]),
            _ => self.wide(op, dst, &src),
        }
    }

    fn compare_inst(&mut self, op: VopcOp, v: &Vector) {
        let dst = self.scalar_destination(v.vdst, 2);
        match op.sem() {
            Test::Lane(test) => {
                let src = self.sources(v, test.params());
                self.compare(test, dst, src);
            }
            Test::Wide(test) => {
                let src = self.sources(v, test.params());
                self.compare_wide(test, dst, src);
            }
            Test::Never(_) => self.uniform_wide(Mov64, dst, &[Src::Const(0)]),
            Test::Always(_) => self.uniform_wide(Mov64, dst, &[Src::Scalar(EXEC)]),
        }
        if op.writes_exec() && dst != EXEC {
            self.uniform_wide(Mov64, EXEC, &[Src::Scalar(dst)]);
        }
    }
}

/// Minima, maxima and medians of floats, which the IEEE mode changes.
const fn is_extremum(op: LaneOp) -> bool {
    matches!(op, FMin | FMax | FMin3 | FMax3 | FMed3)
}
