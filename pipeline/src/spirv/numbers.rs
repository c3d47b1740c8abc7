//! Numbers of other than 32 bits. [SPIRV 2.2.1]
//!
//! - Integers of 8 and 16 bits are words that are extended by the sign of their type, floats of 16 bits are floats of 32 that
//!   16 can hold. Both are brought there after each operation: of two roundings, the first to 24 bits, one step of
//!   arithmetic shows the second alone.
//! - Integers of 64 bits are two words, the low one first, see `wide`.

use spirv::Op;

use super::lower::Lowerer;
use super::module::{Module, Result};
use super::types::Type;
use super::words::Inst;
use crate::ir::{LaneOp, Value};
use crate::lower::types::Narrow;

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// Bits, signed.
    Int(u32, bool),
    /// Bits.
    Float(u32),
}

impl Number {
    pub(super) fn bits(self) -> u32 {
        match self {
            Number::Int(bits, _) | Number::Float(bits) => bits,
        }
    }

    /// Words of a value.
    pub(super) fn words(self) -> usize {
        self.bits().div_ceil(32) as usize
    }

    /// What it is where it has fewer than 32 bits.
    pub(super) fn narrow(self) -> Option<Narrow> {
        Some(match self {
            Number::Int(8, true) => Narrow::I8,
            Number::Int(8, false) => Narrow::U8,
            Number::Int(16, true) => Narrow::I16,
            Number::Int(16, false) => Narrow::U16,
            Number::Float(16) => Narrow::F16,
            _ => return None,
        })
    }
}

/// Whether an operation takes its operands as signed integers; none where the sign does not matter.
fn signs(op: Op) -> Option<bool> {
    match op {
        Op::SDiv
        | Op::SRem
        | Op::SMod
        | Op::SGreaterThan
        | Op::SGreaterThanEqual
        | Op::SLessThan
        | Op::SLessThanEqual
        | Op::SConvert
        | Op::ConvertSToF
        | Op::SMulExtended
        | Op::BitFieldSExtract => Some(true),
        Op::UDiv
        | Op::UMod
        | Op::UGreaterThan
        | Op::UGreaterThanEqual
        | Op::ULessThan
        | Op::ULessThanEqual
        | Op::UConvert
        | Op::ConvertUToF
        | Op::UMulExtended
        | Op::BitFieldUExtract
        | Op::BitCount
        | Op::IEqual
        | Op::INotEqual
        | Op::IAddCarry
        | Op::ISubBorrow => Some(false),
        _ => None,
    }
}

impl Module {
    /// The number that a type is or has as its components.
    pub(super) fn number(&self, ty: u32) -> Option<Number> {
        match self.types.get(&ty)? {
            Type::Int(bits, signed) => Some(Number::Int(*bits, *signed)),
            Type::Float(bits) => Some(Number::Float(*bits)),
            Type::Vector(of, _) | Type::Matrix(of, _) => self.number(*of),
            _ => None,
        }
    }

    /// The number that an id is.
    pub(super) fn number_of(&self, id: u32) -> Option<Number> {
        self.number(self.definition(id)?.ty)
    }
}

impl<'a> Lowerer<'a> {
    /// The opcode of an instruction; of a specialisation constant, that which makes it.
    fn opcode(&self, inst: &Inst) -> Op {
        let first = self.module.words.operands(inst).first();
        match (inst.op, first) {
            (Op::SpecConstantOp, Some(&op)) => Op::from_u32(op).unwrap_or(inst.op),
            (op, _) => op,
        }
    }

    /// Leaves of an operand as the operation takes them: small integers extended by its sign.
    pub(super) fn as_taken(&mut self, inst: &Inst, id: u32, leaves: &[Value]) -> Vec<Value> {
        let (number, wanted) = (self.module.number_of(id), signs(self.opcode(inst)));
        match (number, wanted) {
            (Some(Number::Int(bits @ (8 | 16), signed)), Some(wanted)) if signed != wanted => {
                let narrow = Number::Int(bits, wanted).narrow();
                let leaves = leaves.iter();
                leaves
                    .map(|&leaf| self.writer.fitted(narrow, leaf))
                    .collect()
            }
            _ => leaves.to_vec(),
        }
    }

    /// Results of arithmetic as their type has them.
    pub(super) fn fit(&mut self, inst: &Inst, words: Vec<Value>) -> Result<Vec<Value>> {
        let ty = self.ty(Some(inst), inst.ty)?;
        Ok(self.writer.fit_words(&ty, words))
    }

    /// The words of a constant, from those of the module.
    pub(super) fn constant_words(&mut self, inst: &Inst, words: &[u32]) -> Result<Vec<Value>> {
        let number = self.module.number(inst.ty);
        if number.map_or(1, Number::words) != words.len() {
            return self.error(inst, format!("{} words", words.len()));
        }
        let narrow = number.and_then(Number::narrow);
        Ok(words
            .iter()
            .map(|&word| {
                let word = self.b.word(word);
                match narrow {
                    Some(narrow) => self.writer.widen(narrow, word),
                    None => word,
                }
            })
            .collect())
    }

    /// The same bits as numbers of another type.
    pub(super) fn bit_cast(&mut self, inst: &Inst, id: u32) -> Result<Vec<Value>> {
        let leaves = self.words(inst, id)?;
        let [from, to] = [self.module.number_of(id), self.module.number(inst.ty)];
        let [Some(from), Some(to)] = [from, to] else {
            return self.error(inst, "it takes and gives numbers");
        };
        if !self.are_words(&leaves) {
            return self.error(inst, "it takes numbers");
        }
        // All bits, word by word.
        let per_word = (32 / from.bits()).max(1) as usize;
        let mut raw = Vec::new();
        for parts in leaves.chunks(per_word) {
            let mut word = self.b.word(0);
            for (at, &part) in (0..).zip(parts) {
                let part = match from.narrow() {
                    Some(narrow) => self.writer.raw(narrow, part),
                    None => part,
                };
                let shift = self.b.word(at * from.bits().min(32) % 32);
                let part = self.b.alu(LaneOp::Shl, &[part, shift]);
                word = self.b.alu(LaneOp::Or, &[word, part]);
            }
            raw.push(word);
        }
        let count = self.ty(Some(inst), inst.ty)?.words() as usize;
        let Some(narrow) = to.narrow() else {
            return match raw.len() == count {
                true => Ok(raw),
                false => self.error(inst, "it is of another size"),
            };
        };
        let per_word = (32 / to.bits()) as usize;
        if raw.len() != count.div_ceil(per_word) {
            return self.error(inst, "it is of another size");
        }
        Ok((0..count)
            .map(|at| {
                let shift = self.b.word((at % per_word) as u32 * to.bits());
                let part = self.b.alu(LaneOp::Shr, &[raw[at / per_word], shift]);
                self.writer.widen(narrow, part)
            })
            .collect())
    }
}
