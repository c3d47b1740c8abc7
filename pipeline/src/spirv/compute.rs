//! What instructions compute from values alone.

use std::rc::Rc;

use naga::{BinaryOperator, MathFunction};
use spirv::Op;

use super::lower::Lowerer;
use super::module::Result;
use super::numbers::Number;
use super::words::Inst;
use crate::ir::{BoolOp, LaneOp, Type, Value};
use crate::lower::math::Operands;
use crate::lower::types::{Kind, Ty};

/// The lane operation that an instruction is, leaf by leaf.
fn lane_op(op: Op) -> Option<LaneOp> {
    Some(match op {
        Op::Not => LaneOp::Not,
        Op::IAdd => LaneOp::IAdd,
        Op::ISub => LaneOp::ISub,
        Op::IMul => LaneOp::IMul,
        Op::FNegate => LaneOp::FNeg,
        Op::FAdd => LaneOp::FAdd,
        Op::FSub => LaneOp::FSub,
        Op::FMul => LaneOp::FMul,
        Op::ShiftLeftLogical => LaneOp::Shl,
        Op::ShiftRightLogical => LaneOp::Shr,
        Op::ShiftRightArithmetic => LaneOp::Sar,
        Op::BitwiseAnd => LaneOp::And,
        Op::BitwiseOr => LaneOp::Or,
        Op::BitwiseXor => LaneOp::Xor,
        Op::BitReverse => LaneOp::BitReverse,
        Op::IEqual => LaneOp::IEq,
        Op::INotEqual => LaneOp::INe,
        Op::UGreaterThan => LaneOp::UGt,
        Op::UGreaterThanEqual => LaneOp::UGe,
        Op::ULessThan => LaneOp::ULt,
        Op::ULessThanEqual => LaneOp::ULe,
        Op::SGreaterThan => LaneOp::IGt,
        Op::SGreaterThanEqual => LaneOp::IGe,
        Op::SLessThan => LaneOp::ILt,
        Op::SLessThanEqual => LaneOp::ILe,
        Op::FOrdEqual => LaneOp::FEq,
        // The ordered one is what naga writes for a WGSL `!=`, which is true of NaN.
        Op::FUnordNotEqual | Op::FOrdNotEqual => LaneOp::FNe,
        Op::FOrdLessThan => LaneOp::FLt,
        Op::FOrdLessThanEqual => LaneOp::FLe,
        Op::FOrdGreaterThan => LaneOp::FGt,
        Op::FOrdGreaterThanEqual => LaneOp::FGe,
        Op::Unordered => LaneOp::FUnordered,
        Op::ConvertFToU => LaneOp::F32ToU32,
        Op::ConvertFToS => LaneOp::F32ToI32,
        Op::ConvertSToF => LaneOp::I32ToF32,
        Op::ConvertUToF => LaneOp::U32ToF32,
        _ => return None,
    })
}

/// The ordered comparison that an unordered one is the opposite of.
fn opposite(op: Op) -> Option<LaneOp> {
    Some(match op {
        Op::FUnordLessThan => LaneOp::FGe,
        Op::FUnordLessThanEqual => LaneOp::FGt,
        Op::FUnordGreaterThan => LaneOp::FLe,
        Op::FUnordGreaterThanEqual => LaneOp::FLt,
        Op::Ordered => LaneOp::FUnordered,
        _ => return None,
    })
}

/// An operator of integers or floats, and what it takes.
fn operator(op: Op) -> Option<(BinaryOperator, Kind)> {
    use BinaryOperator as B;
    Some(match op {
        Op::FDiv => (B::Divide, Kind::F32),
        Op::FRem => (B::Modulo, Kind::F32),
        Op::UDiv => (B::Divide, Kind::U32),
        Op::SDiv => (B::Divide, Kind::I32),
        Op::UMod => (B::Modulo, Kind::U32),
        Op::SRem => (B::Modulo, Kind::I32),
        _ => return None,
    })
}

/// Whether an instruction moves values without a look at them.
fn moves(op: Op) -> bool {
    matches!(
        op,
        Op::Select
            | Op::CompositeConstruct
            | Op::CompositeExtract
            | Op::CompositeInsert
            | Op::VectorShuffle
            | Op::VectorExtractDynamic
            | Op::VectorInsertDynamic
            | Op::CopyObject
            | Op::CopyLogical
            | Op::Transpose
    )
}

/// What naga writes as the generator.
const NAGA: u32 = 28;

impl<'a> Lowerer<'a> {
    /// Leaves of operands, all of as many words or bools.
    fn operand_leaves<const N: usize>(
        &mut self,
        inst: &Inst,
        ids: &[u32],
        of: Type,
    ) -> Result<[Rc<[Value]>; N]> {
        let mut found: [Rc<[Value]>; N] = std::array::from_fn(|_| [].into());
        for (at, found) in found.iter_mut().enumerate() {
            let Some(&id) = ids.get(at) else {
                return self.error(
                    inst,
                    format!("it has {} operands, {N} are needed", ids.len()),
                );
            };
            *found = self.words(inst, id)?;
            if self.module.sized {
                *found = self.as_taken(inst, id, found).into();
            }
            if found.iter().any(|word| self.b.ty(*word) != of) {
                let name = self.module.name(id);
                return self.error(inst, format!("{name} is of a type that it does not take"));
            }
        }
        if found.iter().any(|words| words.len() != found[0].len()) {
            return self.error(inst, "its operands are of different sizes");
        }
        Ok(found)
    }

    /// Leaf by leaf of words.
    fn each<const N: usize>(
        &mut self,
        inst: &Inst,
        ids: &[u32],
        one: impl Fn(&mut Self, [Value; N]) -> Value,
    ) -> Result<Vec<Value>> {
        let leaves = self.operand_leaves::<N>(inst, ids, Type::Word)?;
        let count = leaves.first().map_or(0, |words| words.len());
        let at = |i: usize| std::array::from_fn(|operand| leaves[operand][i]);
        Ok((0..count).map(|i| one(self, at(i))).collect())
    }

    /// What an instruction computes of operands that are values. `inst` is where it stands, which for constants is not the
    /// same opcode.
    pub(super) fn compute(&mut self, inst: &Inst, op: Op, ids: &[u32]) -> Result<Vec<Value>> {
        if !self.module.sized || moves(op) {
            return self.compute_words(inst, op, ids);
        }
        let number = |id: &u32| self.module.number_of(*id);
        let numbers = ids.iter().filter_map(number);
        let numbers: Vec<Number> = numbers.chain(self.module.number(inst.ty)).collect();
        if numbers.contains(&Number::Float(64)) {
            return self.module.lacks(inst, "the type f64");
        }
        let mut numbers = numbers.iter();
        if numbers.any(|number| number.words() == 2) {
            return match self.compute_wide(inst, op, ids)? {
                Some(words) => Ok(words),
                None => self
                    .module
                    .lacks(inst, format!("Op{op:?} of 64-bit integers")),
            };
        }
        if let (Op::Bitcast, [id, ..]) = (op, ids) {
            return self.bit_cast(inst, *id);
        }
        let words = self.compute_words(inst, op, ids)?;
        self.fit(inst, words)
    }

    fn compute_words(&mut self, inst: &Inst, op: Op, ids: &[u32]) -> Result<Vec<Value>> {
        if op == Op::FOrdNotEqual && (self.keeps_nan || self.module.words.generator() != NAGA) {
            return self.each(inst, ids, |this, [a, b]| {
                let less = this.b.alu(LaneOp::FLt, &[a, b]);
                let more = this.b.alu(LaneOp::FGt, &[a, b]);
                this.b.or(less, more)
            });
        }
        if let Some(lane) = lane_op(op) {
            return match lane.params().len() {
                1 => self.each(inst, ids, |this, [a]| this.b.alu(lane, &[a])),
                _ => self.each(inst, ids, |this, [a, b]| this.b.alu(lane, &[a, b])),
            };
        }
        if let Some(lane) = opposite(op) {
            return self.each(inst, ids, |this, [a, b]| {
                let ordered = this.b.alu(lane, &[a, b]);
                this.b.not(ordered)
            });
        }
        if let Some((operator, kind)) = operator(op) {
            return self.each(inst, ids, |this, [a, b]| {
                this.binary_leaf(operator, kind, a, b)
            });
        }
        match op {
            Op::SNegate => self.each(inst, ids, |this, [a]| this.negate(Kind::I32, a)),
            Op::FMod => self.each(inst, ids, Self::floored_modulo),
            Op::SMod => self.each(inst, ids, Self::modulo),
            Op::FUnordEqual => self.each(inst, ids, |this, [a, b]| {
                let same = this.b.alu(LaneOp::FEq, &[a, b]);
                let unordered = this.b.alu(LaneOp::FUnordered, &[a, b]);
                this.b.or(same, unordered)
            }),
            Op::LessOrGreater => self.each(inst, ids, |this, [a, b]| {
                let less = this.b.alu(LaneOp::FLt, &[a, b]);
                let more = this.b.alu(LaneOp::FGt, &[a, b]);
                this.b.or(less, more)
            }),
            Op::IsNan => self.each(inst, ids, |this, [a]| this.is_nan(a)),
            Op::IsInf => self.each(inst, ids, |this, [a]| this.is_infinite(a)),
            Op::UConvert | Op::SConvert | Op::FConvert | Op::Bitcast => {
                self.each(inst, ids, |_, [a]| a)
            }
            Op::LogicalNot => {
                let [bits] = self.operand_leaves(inst, ids, Type::Bool)?;
                Ok(bits.iter().map(|bit| self.b.not(*bit)).collect())
            }
            Op::LogicalAnd => self.logic_of(inst, ids, BoolOp::And, false),
            Op::LogicalOr => self.logic_of(inst, ids, BoolOp::Or, false),
            Op::LogicalNotEqual => self.logic_of(inst, ids, BoolOp::Xor, false),
            Op::LogicalEqual => self.logic_of(inst, ids, BoolOp::Xor, true),
            Op::Any | Op::All => {
                let [bits] = self.operand_leaves(inst, ids, Type::Bool)?;
                let op = match op {
                    Op::Any => BoolOp::Or,
                    _ => BoolOp::And,
                };
                match bits.is_empty() {
                    true => self.error(inst, "it takes a vector"),
                    false => Ok(vec![self.all_of(op, &bits)]),
                }
            }
            Op::Select => self.choose(inst, ids),
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                self.extended(inst, op, ids)
            }
            Op::QuantizeToF16 => {
                self.function_of(inst, MathFunction::QuantizeToF16, &ids[..1.min(ids.len())])
            }
            Op::BitCount => self.function_of(inst, MathFunction::CountOneBits, ids),
            Op::BitFieldInsert => self.function_of(inst, MathFunction::InsertBits, ids),
            Op::BitFieldSExtract => self.bits_of(inst, Kind::I32, ids),
            Op::BitFieldUExtract => self.bits_of(inst, Kind::U32, ids),
            Op::Dot => {
                let [a, b] = self.operand_leaves(inst, ids, Type::Word)?;
                Ok(vec![self.dot(&a, &b)])
            }
            // Four bytes in each word.
            Op::SDot if ids.get(2) == Some(&0) => {
                self.function_of(inst, MathFunction::Dot4I8Packed, &ids[..2])
            }
            Op::UDot if ids.get(2) == Some(&0) => {
                self.function_of(inst, MathFunction::Dot4U8Packed, &ids[..2])
            }
            Op::VectorTimesScalar | Op::MatrixTimesScalar => {
                let [a] = self.operand_leaves(inst, ids, Type::Word)?;
                let [factor] = self.operand_leaves(inst, &ids[1.min(ids.len())..], Type::Word)?;
                let [factor] = factor[..] else {
                    return self.error(inst, "its second operand is a scalar");
                };
                let product = |word: &Value| self.b.alu(LaneOp::FMul, &[*word, factor]);
                Ok(a.iter().map(product).collect())
            }
            Op::MatrixTimesVector | Op::VectorTimesMatrix | Op::MatrixTimesMatrix => {
                self.product(inst, ids)
            }
            Op::OuterProduct => self.function_of(inst, MathFunction::Outer, ids),
            Op::Transpose => self.function_of(inst, MathFunction::Transpose, ids),
            _ => self.compose(inst, op, ids),
        }
    }

    fn logic_of(&mut self, inst: &Inst, ids: &[u32], op: BoolOp, not: bool) -> Result<Vec<Value>> {
        let [a, b] = self.operand_leaves(inst, ids, Type::Bool)?;
        let pairs = a.iter().zip(b.iter());
        let one = |(&a, &b): (&Value, &Value)| {
            let bit = self.b.logic(op, a, b);
            if not { self.b.not(bit) } else { bit }
        };
        Ok(pairs.map(one).collect())
    }

    /// The sign is that of `b`.
    fn floored_modulo(&mut self, [a, b]: [Value; 2]) -> Value {
        let quotient = self.divide(a, b);
        let whole = self.b.alu(LaneOp::FFloor, &[quotient]);
        let product = self.b.alu(LaneOp::FMul, &[whole, b]);
        self.b.alu(LaneOp::FSub, &[a, product])
    }

    /// The sign is that of `b`; x mod 0 is 0.
    fn modulo(&mut self, [a, b]: [Value; 2]) -> Value {
        let rest = self.binary_leaf(BinaryOperator::Modulo, Kind::I32, a, b);
        let zero = self.b.word(0);
        let signs = self.b.alu(LaneOp::Xor, &[rest, b]);
        let differ = self.b.alu(LaneOp::ILt, &[signs, zero]);
        let some = self.b.alu(LaneOp::INe, &[rest, zero]);
        let adds = self.b.and(differ, some);
        let sum = self.b.alu(LaneOp::IAdd, &[rest, b]);
        self.b.select(adds, sum, rest)
    }

    fn choose(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let [condition, yes, no] = *ids else {
            return self.error(inst, "it has three operands");
        };
        let condition = self.words(inst, condition)?;
        let (yes, no) = (self.words(inst, yes)?, self.words(inst, no)?);
        // Of numbers of two words, a condition chooses both.
        let wide = self
            .module
            .number(inst.ty)
            .is_some_and(|number| number.words() == 2);
        let twice = |bit: &Value| [*bit; 2];
        let condition: Vec<Value> = match wide {
            true => condition.iter().flat_map(twice).collect(),
            false => condition.to_vec(),
        };
        let each = condition.len() == yes.len();
        let fits = condition.len() == 1 + usize::from(wide) || each;
        let bools = condition.iter().all(|bit| self.b.ty(*bit) == Type::Bool);
        let mut sides = yes.iter().zip(no.iter());
        let same = yes.len() == no.len() && sides.all(|(a, b)| self.b.ty(*a) == self.b.ty(*b));
        if !fits || !bools || !same {
            return self.error(inst, "its operands do not fit each other");
        }
        let sides = yes.iter().zip(no.iter());
        let chosen = condition.iter().cycle().zip(sides);
        Ok(chosen
            .map(|(&bit, (&yes, &no))| self.b.select(bit, yes, no))
            .collect())
    }

    /// Structures of two: all low words first, then all high words or carries.
    fn extended(&mut self, inst: &Inst, op: Op, ids: &[u32]) -> Result<Vec<Value>> {
        let low = match op {
            Op::IAddCarry => LaneOp::IAdd,
            Op::ISubBorrow => LaneOp::ISub,
            _ => LaneOp::IMul,
        };
        let mut words = self.each(inst, ids, |this, [a, b]| this.b.alu(low, &[a, b]))?;
        words.extend(self.each(inst, ids, |this, [a, b]| match op {
            Op::IAddCarry => {
                let sum = this.b.alu(LaneOp::IAdd, &[a, b]);
                let carry = this.b.alu(LaneOp::ULt, &[sum, a]);
                this.as_word(carry)
            }
            Op::ISubBorrow => {
                let borrow = this.b.alu(LaneOp::ULt, &[a, b]);
                this.as_word(borrow)
            }
            Op::SMulExtended => {
                let high = this.b.alu(LaneOp::UMulHigh, &[a, b]);
                let bits = this.b.word(31);
                // A negative factor counts 2^32 too much.
                [(a, b), (b, a)]
                    .into_iter()
                    .fold(high, |high, (factor, other)| {
                        let mask = this.b.alu(LaneOp::Sar, &[factor, bits]);
                        let excess = this.b.alu(LaneOp::And, &[mask, other]);
                        this.b.alu(LaneOp::ISub, &[high, excess])
                    })
            }
            _ => this.b.alu(LaneOp::UMulHigh, &[a, b]),
        })?);
        Ok(words)
    }

    /// A built-in function of operands of words, the first as wide as the result or the only one that counts.
    pub(super) fn function_of(
        &mut self,
        inst: &Inst,
        fun: MathFunction,
        ids: &[u32],
    ) -> Result<Vec<Value>> {
        let Some(&first) = ids.first() else {
            return self.error(inst, "it has no operands");
        };
        let ty = self.type_of(inst, first)?;
        let words = ty.in_words();
        self.function_as(inst, fun, words.as_ref().unwrap_or(&ty), ids)
    }

    /// The same, where the type is not that of the first operand.
    pub(super) fn function_as(
        &mut self,
        inst: &Inst,
        fun: MathFunction,
        ty: &Ty,
        ids: &[u32],
    ) -> Result<Vec<Value>> {
        let mut operands = [const { Vec::new() }; 4];
        for (operand, &id) in operands.iter_mut().zip(ids) {
            *operand = self.words(inst, id)?.to_vec();
            if operand.is_empty() || operand.iter().any(|v| self.b.ty(*v) != Type::Word) {
                let name = self.module.name(id);
                return self.error(inst, format!("{name} is of a type that it does not take"));
            }
        }
        let [a, b, c, d] = operands;
        let operands = Operands { a, b, c, d };
        match self.function(fun, ty, &operands) {
            Some(words) => Ok(words),
            None => self.module.lacks(inst, format!("the function {fun:?}")),
        }
    }

    fn bits_of(&mut self, inst: &Inst, kind: Kind, ids: &[u32]) -> Result<Vec<Value>> {
        self.function_as(inst, MathFunction::ExtractBits, &Ty::Scalar(kind), ids)
    }

    fn product(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let [a, b] = *ids else {
            return self.error(inst, "it has two operands");
        };
        let types = [self.type_of(inst, a)?, self.type_of(inst, b)?];
        let words = [types[0].in_words(), types[1].in_words()];
        let types = [0, 1].map(|n| words[n].as_ref().unwrap_or(&types[n]));
        let fits = match types {
            [Ty::Matrix(columns, ..), Ty::Vector(size, Kind::F32)] => columns == size,
            [Ty::Vector(size, Kind::F32), Ty::Matrix(_, rows, _)] => rows == size,
            [Ty::Matrix(columns, ..), Ty::Matrix(_, rows, _)] => columns == rows,
            _ => false,
        };
        let (a, b) = (self.words(inst, a)?, self.words(inst, b)?);
        match self.matrix_product(types, &a, &b) {
            Some(words) if fits => Ok(words),
            _ => self.error(inst, "its operands do not fit each other"),
        }
    }
}
