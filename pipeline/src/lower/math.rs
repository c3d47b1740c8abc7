//! WGSL's built-in functions on numbers.

use naga::MathFunction;

use super::types::{Kind, Ty};
use super::{Expr, Frame, Lowerer, Result, Writer, names};
use crate::ir::{LaneOp, Value};

/// The operands of a built-in function; absent ones are empty.
pub(crate) struct Operands {
    pub(crate) a: Vec<Value>,
    pub(crate) b: Vec<Value>,
    pub(crate) c: Vec<Value>,
    pub(crate) d: Vec<Value>,
}

impl Operands {
    /// Leaf `i` of an operand; a scalar stands for all.
    fn leaf(operand: &[Value], i: usize) -> Option<Value> {
        operand.get(i).or(operand.first()).copied()
    }

    /// Leaf `i` of the first three.
    fn three(&self, i: usize) -> [Option<Value>; 3] {
        [&self.a, &self.b, &self.c].map(|operand| Operands::leaf(operand, i))
    }

    fn width(&self) -> usize {
        [&self.a, &self.b, &self.c]
            .map(|operand| operand.len())
            .into_iter()
            .max()
            .unwrap_or(0)
    }
}

impl<'a> Lowerer<'a> {
    pub(crate) fn math(
        &mut self,
        f: &mut Frame<'a>,
        fun: MathFunction,
        arg: Expr,
        more: [Option<Expr>; 3],
    ) -> Result<Vec<Value>> {
        let ty = self.ty(f, arg)?;
        let mut operands = [const { Vec::new() }; 4];
        operands[0] = self.words(f, arg)?.to_vec();
        for (operand, handle) in operands[1..].iter_mut().zip(more) {
            if let Some(handle) = handle {
                *operand = self.words(f, handle)?.to_vec();
            }
        }
        let [a, b, c, d] = operands;
        let operands = Operands { a, b, c, d };
        let words = ty.in_words();
        match self.function(fun, words.as_ref().unwrap_or(&ty), &operands) {
            Some(words) => Ok(words),
            None => {
                let name = format!("the function `{}`", names::function(fun));
                self.unsupported(name, f.span(arg))
            }
        }
    }
}

impl Writer {
    /// What a function makes of operands that fit it; `ty` is the type of the first. None for a function that no device
    /// has.
    pub(crate) fn function(
        &mut self,
        fun: MathFunction,
        ty: &Ty,
        operands: &Operands,
    ) -> Option<Vec<Value>> {
        if let Some(words) = self.geometric(fun, ty, operands) {
            return Some(words);
        }
        if let Some(words) = self.packing(fun, &operands.a, &operands.b) {
            return Some(words);
        }
        let kind = ty.kind();
        let mut words = Vec::new();
        for i in 0..operands.width() {
            let [a, b, c] = operands.three(i);
            let a = a.unwrap_or_else(|| self.b.word(0));
            let (b, c) = (b.unwrap_or(a), c.unwrap_or(a));
            words.push(match self.componentwise(fun, kind, [a, b, c]) {
                Some(word) => word,
                None => self.bit_field(fun, kind, [a, b, c], operands.d.first().copied())?,
            });
        }
        // Structures of two: all fractions or mantissas first, then all whole parts or exponents.
        if matches!(fun, MathFunction::Modf | MathFunction::Frexp) {
            let op = match fun {
                MathFunction::Modf => LaneOp::FTrunc,
                _ => LaneOp::FFrexpExp,
            };
            words.extend(operands.a.iter().map(|&a| self.b.alu(op, &[a])));
        }
        Some(words)
    }

    /// Functions of single leaves; None for those of `bits`.
    fn componentwise(
        &mut self,
        fun: MathFunction,
        kind: Kind,
        [a, b, c]: [Value; 3],
    ) -> Option<Value> {
        use MathFunction as M;
        let of = |float, signed, unsigned| match kind {
            Kind::F32 => float,
            Kind::I32 => signed,
            Kind::U32 | Kind::Bool => unsigned,
        };
        Some(match fun {
            M::Abs => match kind {
                Kind::F32 => self.b.alu(LaneOp::FAbs, &[a]),
                Kind::I32 => self.b.alu(LaneOp::IAbs, &[a]),
                Kind::U32 | Kind::Bool => a,
            },
            M::Min => self
                .b
                .alu(of(LaneOp::FMin, LaneOp::IMin, LaneOp::UMin), &[a, b]),
            M::Max => self
                .b
                .alu(of(LaneOp::FMax, LaneOp::IMax, LaneOp::UMax), &[a, b]),
            M::Clamp => {
                let low = self
                    .b
                    .alu(of(LaneOp::FMax, LaneOp::IMax, LaneOp::UMax), &[a, b]);
                self.b
                    .alu(of(LaneOp::FMin, LaneOp::IMin, LaneOp::UMin), &[low, c])
            }
            M::Saturate => self.b.alu(LaneOp::FSat, &[a]),
            M::Sign if kind == Kind::F32 => {
                let [zero, one, minus] = [0.0, 1.0, -1.0].map(|v| self.b.float(v));
                let below = self.b.alu(LaneOp::FLt, &[a, zero]);
                let above = self.b.alu(LaneOp::FGt, &[a, zero]);
                let low = self.b.select(below, minus, a);
                self.b.select(above, one, low)
            }
            M::Sign => {
                let [one, minus] = [1, u32::MAX].map(|v| self.b.word(v));
                self.b.alu(LaneOp::IMed3, &[a, minus, one])
            }
            M::Ceil => self.b.alu(LaneOp::FCeil, &[a]),
            M::Floor => self.b.alu(LaneOp::FFloor, &[a]),
            M::Round => self.b.alu(LaneOp::FRound, &[a]),
            M::Fract => self.b.alu(LaneOp::FFract, &[a]),
            M::Trunc => self.b.alu(LaneOp::FTrunc, &[a]),
            M::Modf => {
                let whole = self.b.alu(LaneOp::FTrunc, &[a]);
                self.b.alu(LaneOp::FSub, &[a, whole])
            }
            M::Frexp => self.b.alu(LaneOp::FFrexpMant, &[a]),
            M::Ldexp => self.b.alu(LaneOp::FLdexp, &[a, b]),
            M::Sqrt => self.b.alu(LaneOp::FSqrt, &[a]),
            M::InverseSqrt => self.b.alu(LaneOp::FRsq, &[a]),
            M::Fma => self.b.alu(LaneOp::FFma, &[a, b, c]),
            M::Radians => self.times(a, std::f32::consts::PI / 180.0),
            M::Degrees => self.times(a, 180.0 / std::f32::consts::PI),
            M::Mix => {
                let one = self.b.float(1.0);
                let rest = self.b.alu(LaneOp::FSub, &[one, c]);
                let first = self.b.alu(LaneOp::FMul, &[a, rest]);
                let second = self.b.alu(LaneOp::FMul, &[b, c]);
                self.b.alu(LaneOp::FAdd, &[second, first])
            }
            M::Step => {
                let (one, zero) = (self.b.float(1.0), self.b.float(0.0));
                let reached = self.b.alu(LaneOp::FLe, &[a, b]);
                self.b.select(reached, one, zero)
            }
            M::SmoothStep => {
                let over = self.b.alu(LaneOp::FSub, &[c, a]);
                let width = self.b.alu(LaneOp::FSub, &[b, a]);
                let t = self.divide(over, width);
                let t = self.b.alu(LaneOp::FSat, &[t]);
                let square = self.b.alu(LaneOp::FMul, &[t, t]);
                let twice = self.times(t, 2.0);
                let three = self.b.float(3.0);
                let rest = self.b.alu(LaneOp::FSub, &[three, twice]);
                self.b.alu(LaneOp::FMul, &[square, rest])
            }
            M::QuantizeToF16 => {
                let half = self.b.alu(LaneOp::F32ToF16, &[a]);
                self.b.alu(LaneOp::F16ToF32, &[half])
            }
            _ => return self.transcendental(fun, a, b),
        })
    }

    /// A float times a constant.
    pub(crate) fn times(&mut self, value: Value, factor: f32) -> Value {
        let factor = self.b.float(factor);
        self.b.alu(LaneOp::FMul, &[value, factor])
    }

    fn subtract(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        let pairs = a.iter().zip(b);
        pairs
            .map(|(&a, &b)| self.b.alu(LaneOp::FSub, &[a, b]))
            .collect()
    }

    fn scaled(&mut self, a: &[Value], factor: Value) -> Vec<Value> {
        a.iter()
            .map(|&a| self.b.alu(LaneOp::FMul, &[a, factor]))
            .collect()
    }

    fn length(&mut self, a: &[Value]) -> Value {
        if let [a] = a {
            return self.b.alu(LaneOp::FAbs, &[*a]);
        }
        let square = self.dot(a, a);
        self.b.alu(LaneOp::FSqrt, &[square])
    }

    /// Functions of whole vectors and matrices.
    fn geometric(&mut self, fun: MathFunction, ty: &Ty, operands: &Operands) -> Option<Vec<Value>> {
        use MathFunction as M;
        let Operands { a, b, c, .. } = operands;
        Some(match fun {
            M::Dot if ty.kind() == Kind::F32 => vec![self.dot(a, b)],
            M::Dot => {
                let mut sum = self.b.word(0);
                for (&a, &b) in a.iter().zip(b) {
                    let product = self.b.alu(LaneOp::IMul, &[a, b]);
                    sum = self.b.alu(LaneOp::IAdd, &[product, sum]);
                }
                vec![sum]
            }
            M::Length => vec![self.length(a)],
            M::Distance => {
                let difference = self.subtract(a, b);
                vec![self.length(&difference)]
            }
            M::Normalize => {
                let square = self.dot(a, a);
                let scale = self.b.alu(LaneOp::FRsq, &[square]);
                self.scaled(a, scale)
            }
            M::Cross => [(1, 2), (2, 0), (0, 1)]
                .map(|(i, j)| {
                    let first = self.b.alu(LaneOp::FMul, &[a[i], b[j]]);
                    let second = self.b.alu(LaneOp::FMul, &[a[j], b[i]]);
                    self.b.alu(LaneOp::FSub, &[first, second])
                })
                .to_vec(),
            M::FaceForward => {
                let dot = self.dot(b, c);
                let zero = self.b.float(0.0);
                let toward = self.b.alu(LaneOp::FLt, &[dot, zero]);
                let one = |v: &Value| {
                    let away = self.b.alu(LaneOp::FNeg, &[*v]);
                    self.b.select(toward, *v, away)
                };
                a.iter().map(one).collect()
            }
            M::Reflect => {
                let dot = self.dot(b, a);
                let twice = self.times(dot, 2.0);
                let along = self.scaled(b, twice);
                self.subtract(a, &along)
            }
            M::Refract => self.refract(a, b, *c.first()?),
            M::Outer => b
                .iter()
                .flat_map(|&factor| self.scaled(a, factor))
                .collect(),
            M::Transpose => {
                let Ty::Matrix(columns, rows, _) = *ty else {
                    return None;
                };
                let at = |row, column| a[(column * rows + row) as usize];
                (0..rows)
                    .flat_map(|row| (0..columns).map(move |column| at(row, column)))
                    .collect()
            }
            M::Determinant => {
                let Ty::Matrix(size, ..) = *ty else {
                    return None;
                };
                let all: Vec<usize> = (0..size as usize).collect();
                vec![self.minor(a, size as usize, &all, &all)]
            }
            M::Inverse => {
                let Ty::Matrix(size, ..) = *ty else {
                    return None;
                };
                self.inverse(a, size as usize)
            }
            _ => return None,
        })
    }

    fn refract(&mut self, incident: &[Value], normal: &[Value], ratio: Value) -> Vec<Value> {
        let one = self.b.float(1.0);
        let zero = self.b.float(0.0);
        let dot = self.dot(normal, incident);
        let square = self.b.alu(LaneOp::FMul, &[dot, dot]);
        let sine = self.b.alu(LaneOp::FSub, &[one, square]);
        let ratio_square = self.b.alu(LaneOp::FMul, &[ratio, ratio]);
        let part = self.b.alu(LaneOp::FMul, &[ratio_square, sine]);
        let k = self.b.alu(LaneOp::FSub, &[one, part]);
        let total = self.b.alu(LaneOp::FLt, &[k, zero]);
        let root = self.b.alu(LaneOp::FSqrt, &[k]);
        let along = self.b.alu(LaneOp::FMul, &[ratio, dot]);
        let factor = self.b.alu(LaneOp::FAdd, &[along, root]);
        let first = self.scaled(incident, ratio);
        let second = self.scaled(normal, factor);
        let bent = self.subtract(&first, &second);
        bent.into_iter()
            .map(|v| self.b.select(total, zero, v))
            .collect()
    }

    /// Determinant of some rows and columns of a square matrix, expanded along the first of these columns.
    fn minor(&mut self, a: &[Value], size: usize, columns: &[usize], rows: &[usize]) -> Value {
        let at = |column: usize, row: usize| a[column * size + row];
        let Some((&first, rest)) = columns.split_first() else {
            return self.b.float(1.0);
        };
        if rest.is_empty() {
            return at(first, rows[0]);
        }
        let mut sum: Option<Value> = None;
        for (i, &row) in rows.iter().enumerate() {
            let others: Vec<usize> = rows.iter().copied().filter(|r| *r != row).collect();
            let minor = self.minor(a, size, rest, &others);
            let term = self.b.alu(LaneOp::FMul, &[at(first, row), minor]);
            let op = if i % 2 == 0 {
                LaneOp::FAdd
            } else {
                LaneOp::FSub
            };
            sum = Some(match sum {
                Some(sum) => self.b.alu(op, &[sum, term]),
                None => term,
            });
        }
        sum.unwrap_or_else(|| self.b.float(0.0))
    }

    /// The adjugate over the determinant.
    fn inverse(&mut self, a: &[Value], size: usize) -> Vec<Value> {
        let all: Vec<usize> = (0..size).collect();
        let determinant = self.minor(a, size, &all, &all);
        let scale = self.b.alu(LaneOp::FRcp, &[determinant]);
        let without = |skip: usize| -> Vec<usize> { (0..size).filter(|i| *i != skip).collect() };
        let mut words = Vec::with_capacity(size * size);
        for column in 0..size {
            for row in 0..size {
                // The cofactor of the transposed place.
                let minor = self.minor(a, size, &without(row), &without(column));
                let minor = if (row + column) % 2 == 0 {
                    minor
                } else {
                    self.b.alu(LaneOp::FNeg, &[minor])
                };
                words.push(self.b.alu(LaneOp::FMul, &[minor, scale]));
            }
        }
        words
    }
}
