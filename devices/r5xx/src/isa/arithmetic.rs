//! Arithmetic that both lifters emit: operands whose sign waits for the operation, comparisons, masks, powers.

use lanes::LaneOp::{self, *};
use lanes::{Builder, Src, Step, WideOp};

/// 1.0
pub const ONE: Src = Src::Const(0x3f80_0000);
/// 0.0
pub const ZERO: Src = Src::Const(0);
/// The largest finite number.
pub const LARGEST: Src = Src::Const(0x7f7f_ffff);
/// The most negative finite number.
pub const LOWEST: Src = Src::Const(0xff7f_ffff);
/// Infinity.
pub const INFINITY: Src = Src::Const(0x7f80_0000);

/// A constant.
pub fn float(value: f32) -> Src {
    Src::Const(value.to_bits())
}

/// An operand and whether its sign is to change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signed {
    /// Operand.
    pub src: Src,
    /// Its sign changes.
    pub negate: bool,
}

/// Whether an operand is this row.
pub fn is_row(src: Src, row: u16) -> bool {
    src == Src::Row(row)
}

/// `pair[dst] = ` enabled lanes where `op(a, b)`.
pub fn compare(b: &mut Builder, op: LaneOp, dst: u16, x: Src, y: Src) {
    b.push(Step::Compare {
        op,
        dst,
        src: [x, y, ZERO],
    });
}

/// `row[dst] = pair[mask] ? yes : no`
pub fn select(b: &mut Builder, dst: u16, mask: u16, no: Src, yes: Src) {
    b.push(Step::Select { dst, mask, no, yes });
}

/// `pair[dst] = op(pair[a], pair[c])`
pub fn wide(b: &mut Builder, op: WideOp, dst: u16, a: u16, c: u16) {
    b.push(Step::UniformWide {
        op,
        dst,
        src: [Src::Scalar(a), Src::Scalar(c), ZERO],
    });
}

/// `pair[dst] = pair[from]`
pub fn copy(b: &mut Builder, dst: u16, from: u16) {
    wide(b, WideOp::Mov64, dst, from, from);
}

/// `pair[dst] = 0`
pub fn clear(b: &mut Builder, dst: u16) {
    b.push(Step::UniformWide {
        op: WideOp::Mov64,
        dst,
        src: [ZERO; 3],
    });
}

/// `row[dst] = x`, unless it is there.
pub fn mov(b: &mut Builder, dst: u16, x: Src) {
    if !is_row(x, dst) {
        b.alu(Mov, dst, &[x]);
    }
}

/// The operand with its sign changed if it has to be; `spare` holds it then.
pub fn plain(b: &mut Builder, x: Signed, spare: u16) -> Src {
    match (x.negate, x.src) {
        (false, src) => src,
        (true, Src::Const(bits)) => Src::Const(bits ^ 1 << 31),
        (true, src) => {
            b.alu(FNeg, spare, &[src]);
            Src::Row(spare)
        }
    }
}

/// `row[dst] = x * y`
pub fn product(b: &mut Builder, dst: u16, x: Signed, y: Signed) {
    let op = match x.negate ^ y.negate {
        true => FMulNeg,
        false => FMul,
    };
    b.alu(op, dst, &[x.src, y.src]);
}

/// `row[dst] = x + y`; `spare` is used where both signs change.
pub fn sum(b: &mut Builder, dst: u16, x: Signed, y: Signed, spare: u16) {
    match (x.negate, y.negate) {
        (false, false) => b.alu(FAdd, dst, &[x.src, y.src]),
        (false, true) => b.alu(FSub, dst, &[x.src, y.src]),
        (true, false) => b.alu(FSub, dst, &[y.src, x.src]),
        (true, true) => {
            let x = plain(b, x, spare);
            b.alu(FSub, dst, &[x, y.src]);
        }
    }
}

/// `row[dst] = x * y + z`, rounded after each operation; `spare` is used where the signs of product and sum change.
pub fn product_sum(b: &mut Builder, dst: u16, x: Signed, y: Signed, z: Signed, spare: u16) {
    match (x.negate ^ y.negate, z.negate) {
        (false, false) => b.alu(FMad, dst, &[x.src, y.src, z.src]),
        (true, false) => b.alu(FMadNeg, dst, &[x.src, y.src, z.src]),
        (false, true) => b.alu(FMadSub, dst, &[x.src, y.src, z.src]),
        (true, true) => {
            let z = plain(b, z, spare);
            b.alu(FMadNeg, dst, &[x.src, y.src, z]);
        }
    }
}
