//! Unary, binary and relational operators.

use naga::{BinaryOperator, RelationalFunction, UnaryOperator};

use super::types::{Kind, Ty};
use super::{Expr, Frame, Lowerer, Result, Writer};
use crate::ir::{BoolOp, LaneOp, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn unary(
        &mut self,
        f: &mut Frame<'a>,
        op: UnaryOperator,
        expr: Expr,
    ) -> Result<Vec<Value>> {
        let kind = self.kind(f, expr)?;
        let words = self.words(f, expr)?;
        let one = |value: Value| match (op, kind) {
            (UnaryOperator::Negate, _) => self.negate(kind, value),
            (UnaryOperator::LogicalNot, _) | (UnaryOperator::BitwiseNot, Kind::Bool) => {
                self.b.not(value)
            }
            (UnaryOperator::BitwiseNot, _) => self.b.alu(LaneOp::Not, &[value]),
        };
        Ok(words.iter().copied().map(one).collect())
    }

    pub(super) fn binary(
        &mut self,
        f: &mut Frame<'a>,
        op: BinaryOperator,
        left: Expr,
        right: Expr,
    ) -> Result<Vec<Value>> {
        let types = [self.ty(f, left)?, self.ty(f, right)?];
        let a = self.words(f, left)?;
        let b = self.words(f, right)?;
        if op == BinaryOperator::Multiply
            && let [left, right] = [&types[0], &types[1]].map(|ty| ty.in_words())
            && let [left, right] = [
                left.as_ref().unwrap_or(&types[0]),
                right.as_ref().unwrap_or(&types[1]),
            ]
            && let Some(words) = self.matrix_product([left, right], &a, &b)
        {
            return Ok(words);
        }
        let kind = types[0].kind();
        let count = a.len().max(b.len());
        Ok((0..count)
            .map(|i| self.binary_leaf(op, kind, a[i % a.len()], b[i % b.len()]))
            .collect())
    }

    pub(super) fn relational(
        &mut self,
        f: &mut Frame<'a>,
        fun: RelationalFunction,
        argument: Expr,
    ) -> Result<Vec<Value>> {
        let words = self.words(f, argument)?;
        Ok(match fun {
            RelationalFunction::All => vec![self.all_of(BoolOp::And, &words)],
            RelationalFunction::Any => vec![self.all_of(BoolOp::Or, &words)],
            RelationalFunction::IsNan => words.iter().map(|&v| self.is_nan(v)).collect(),
            RelationalFunction::IsInf => words.iter().map(|&v| self.is_infinite(v)).collect(),
        })
    }
}

impl Writer {
    /// The product of two values, at least one of them a matrix; none for others.
    pub(crate) fn matrix_product(
        &mut self,
        types: [&Ty; 2],
        a: &[Value],
        b: &[Value],
    ) -> Option<Vec<Value>> {
        match types {
            [Ty::Matrix(columns, rows, _), Ty::Vector(..)] => {
                Some(self.matrix_vector(a, b, *columns, *rows))
            }
            [Ty::Vector(..), Ty::Matrix(_, rows, _)] => {
                let columns = b.chunks(*rows as usize);
                Some(columns.map(|column| self.dot(a, column)).collect())
            }
            [Ty::Matrix(columns, rows, _), Ty::Matrix(..)] => {
                let chunks = b.chunks(*columns as usize);
                let products =
                    chunks.flat_map(|column| self.matrix_vector(a, column, *columns, *rows));
                Some(products.collect())
            }
            _ => None,
        }
    }

    pub(crate) fn negate(&mut self, kind: Kind, value: Value) -> Value {
        if kind == Kind::F32 {
            return self.b.alu(LaneOp::FNeg, &[value]);
        }
        let zero = self.b.word(0);
        self.b.alu(LaneOp::ISub, &[zero, value])
    }

    /// Logic over all of some bools, at least one.
    pub(crate) fn all_of(&mut self, op: BoolOp, bits: &[Value]) -> Value {
        let first = bits[0];
        let rest = bits[1..].iter();
        rest.fold(first, |all, &next| self.b.logic(op, all, next))
    }

    pub(crate) fn is_nan(&mut self, value: Value) -> Value {
        self.b.alu(LaneOp::FUnordered, &[value, value])
    }

    pub(crate) fn is_infinite(&mut self, value: Value) -> Value {
        const INFINITIES: u32 = 1 << 2 | 1 << 9;
        let set = self.b.word(INFINITIES);
        self.b.alu(LaneOp::FClass, &[value, set])
    }

    /// Matrix (columns of rows) times vector, the sum in the order of the columns.
    fn matrix_vector(&mut self, a: &[Value], b: &[Value], columns: u32, rows: u32) -> Vec<Value> {
        (0..rows)
            .map(|row| {
                let row: Vec<Value> = (0..columns)
                    .map(|column| a[(column * rows + row) as usize])
                    .collect();
                self.dot(&row, b)
            })
            .collect()
    }

    /// Sum of products of floats, from the first on.
    pub(crate) fn dot(&mut self, a: &[Value], b: &[Value]) -> Value {
        let mut sum = None;
        for (&a, &b) in a.iter().zip(b) {
            let product = self.b.alu(LaneOp::FMul, &[a, b]);
            sum = Some(match sum {
                Some(sum) => self.b.alu(LaneOp::FAdd, &[product, sum]),
                None => product,
            });
        }
        sum.unwrap_or_else(|| self.b.float(0.0))
    }

    /// What an operator makes of two leaves.
    pub(crate) fn binary_leaf(
        &mut self,
        op: BinaryOperator,
        kind: Kind,
        a: Value,
        b: Value,
    ) -> Value {
        match kind {
            Kind::Bool => self.binary_bool(op, a, b),
            Kind::F32 => self.binary_float(op, a, b),
            Kind::I32 | Kind::U32 => self.binary_integer(op, kind == Kind::I32, a, b),
        }
    }

    fn binary_bool(&mut self, op: BinaryOperator, a: Value, b: Value) -> Value {
        use BinaryOperator as B;
        match op {
            B::And | B::LogicalAnd => self.b.and(a, b),
            B::InclusiveOr | B::LogicalOr => self.b.or(a, b),
            B::Equal => {
                let differ = self.b.logic(BoolOp::Xor, a, b);
                self.b.not(differ)
            }
            _ => self.b.logic(BoolOp::Xor, a, b),
        }
    }

    fn binary_float(&mut self, op: BinaryOperator, a: Value, b: Value) -> Value {
        use BinaryOperator as B;
        let lane = match op {
            B::Add => LaneOp::FAdd,
            B::Subtract => LaneOp::FSub,
            B::Divide => return self.divide(a, b),
            B::Modulo => {
                let quotient = self.divide(a, b);
                let whole = self.b.alu(LaneOp::FTrunc, &[quotient]);
                let product = self.b.alu(LaneOp::FMul, &[whole, b]);
                return self.b.alu(LaneOp::FSub, &[a, product]);
            }
            B::Equal => LaneOp::FEq,
            B::NotEqual => LaneOp::FNe,
            B::Less => LaneOp::FLt,
            B::LessEqual => LaneOp::FLe,
            B::Greater => LaneOp::FGt,
            B::GreaterEqual => LaneOp::FGe,
            _ => LaneOp::FMul,
        };
        self.b.alu(lane, &[a, b])
    }

    /// `a / b` as a product with the reciprocal: within 2.5 ulp as WGSL wants it.
    pub(crate) fn divide(&mut self, a: Value, b: Value) -> Value {
        let reciprocal = self.b.alu(LaneOp::FRcp, &[b]);
        if self.b.known_word(a) == Some(1.0f32.to_bits()) {
            return reciprocal;
        }
        self.b.alu(LaneOp::FMul, &[a, reciprocal])
    }

    fn binary_integer(&mut self, op: BinaryOperator, signed: bool, a: Value, b: Value) -> Value {
        use BinaryOperator as B;
        let pick = |of_signed, of_unsigned| if signed { of_signed } else { of_unsigned };
        let lane = match op {
            B::Add => LaneOp::IAdd,
            B::Subtract => LaneOp::ISub,
            B::Multiply => LaneOp::IMul,
            B::Divide if signed => return self.divide_signed(a, b),
            B::Divide => return self.divide_unsigned(a, b),
            B::Modulo if signed => return self.remainder_signed(a, b),
            B::Modulo => return self.remainder_unsigned(a, b),
            B::Equal => LaneOp::IEq,
            B::NotEqual => LaneOp::INe,
            B::Less => pick(LaneOp::ILt, LaneOp::ULt),
            B::LessEqual => pick(LaneOp::ILe, LaneOp::ULe),
            B::Greater => pick(LaneOp::IGt, LaneOp::UGt),
            B::GreaterEqual => pick(LaneOp::IGe, LaneOp::UGe),
            B::And | B::LogicalAnd => LaneOp::And,
            B::InclusiveOr | B::LogicalOr => LaneOp::Or,
            B::ExclusiveOr => LaneOp::Xor,
            B::ShiftLeft => LaneOp::Shl,
            B::ShiftRight => pick(LaneOp::Sar, LaneOp::Shr),
        };
        self.b.alu(lane, &[a, b])
    }

    /// `yes` where `b` is zero, else `no`.
    fn where_zero(&mut self, b: Value, yes: Value, no: Value) -> Value {
        let zero = self.b.word(0);
        let by_zero = self.b.alu(LaneOp::IEq, &[b, zero]);
        self.b.select(by_zero, yes, no)
    }

    /// x / 0 is x.
    fn divide_unsigned(&mut self, a: Value, b: Value) -> Value {
        if let Some(shift) = self.power_of_two(b) {
            return self.b.alu(LaneOp::Shr, &[a, shift]);
        }
        let quotient = self.b.alu(LaneOp::UDiv, &[a, b]);
        self.where_zero(b, a, quotient)
    }

    /// x % 0 is 0.
    fn remainder_unsigned(&mut self, a: Value, b: Value) -> Value {
        if self.power_of_two(b).is_some() {
            let one = self.b.word(1);
            let mask = self.b.alu(LaneOp::ISub, &[b, one]);
            return self.b.alu(LaneOp::And, &[a, mask]);
        }
        let rest = self.b.alu(LaneOp::URem, &[a, b]);
        let zero = self.b.word(0);
        self.where_zero(b, zero, rest)
    }

    /// The exponent of a constant power of two.
    fn power_of_two(&mut self, value: Value) -> Option<Value> {
        let known = self.b.known_word(value)?;
        known
            .is_power_of_two()
            .then(|| self.b.word(known.trailing_zeros()))
    }

    /// `value` with the sign turned where `sign` is negative.
    fn with_sign(&mut self, value: Value, sign: Value) -> Value {
        let bits = self.b.word(31);
        let mask = self.b.alu(LaneOp::Sar, &[sign, bits]);
        let flipped = self.b.alu(LaneOp::Xor, &[value, mask]);
        self.b.alu(LaneOp::ISub, &[flipped, mask])
    }

    /// x / 0 is x; the most negative number divided by -1 is itself.
    fn divide_signed(&mut self, a: Value, b: Value) -> Value {
        let [ua, ub] = [a, b].map(|v| self.b.alu(LaneOp::IAbs, &[v]));
        let quotient = self.b.alu(LaneOp::UDiv, &[ua, ub]);
        let sign = self.b.alu(LaneOp::Xor, &[a, b]);
        let quotient = self.with_sign(quotient, sign);
        self.where_zero(b, a, quotient)
    }

    /// x % 0 is 0; the sign is that of `a`.
    fn remainder_signed(&mut self, a: Value, b: Value) -> Value {
        let [ua, ub] = [a, b].map(|v| self.b.alu(LaneOp::IAbs, &[v]));
        let rest = self.b.alu(LaneOp::URem, &[ua, ub]);
        let rest = self.with_sign(rest, a);
        let zero = self.b.word(0);
        self.where_zero(b, zero, rest)
    }
}
