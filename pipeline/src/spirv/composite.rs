//! Parts of values, and values of parts.

use spirv::Op;

use super::lower::Lowerer;
use super::module::Result;
use super::words::Inst;
use crate::ir::{LaneOp, Type, Value};
use crate::lower::types::Ty;

impl<'a> Lowerer<'a> {
    /// Instructions that move leaves.
    pub(super) fn compose(&mut self, inst: &Inst, op: Op, ids: &[u32]) -> Result<Vec<Value>> {
        match (op, ids) {
            (Op::CompositeConstruct, parts) => {
                let mut words = Vec::new();
                for &part in parts {
                    words.extend(self.words(inst, part)?.iter());
                    self.spend(inst, words.len())?;
                }
                Ok(words)
            }
            (Op::CompositeExtract, [base, path @ ..]) => {
                let words = self.words(inst, *base)?;
                let (first, count) = self.part(inst, *base, path)?;
                Ok(words[first..first + count].to_vec())
            }
            (Op::CompositeInsert, [part, base, path @ ..]) => {
                let part = self.words(inst, *part)?;
                let mut words = self.words(inst, *base)?.to_vec();
                let (first, count) = self.part(inst, *base, path)?;
                if part.len() != count {
                    return self.error(inst, "the part is of another size");
                }
                words[first..first + count].copy_from_slice(&part);
                Ok(words)
            }
            (Op::VectorShuffle, [a, b, chosen @ ..]) => {
                let size = self.component_words(*a);
                let (a, b) = (self.words(inst, *a)?, self.words(inst, *b)?);
                let both: Vec<Value> = a.iter().chain(b.iter()).copied().collect();
                let both: Vec<&[Value]> = both.chunks(size).collect();
                let mut words = Vec::with_capacity(chosen.len());
                for &at in chosen {
                    match (both.get(at as usize), both.first()) {
                        (Some(&part), _) => words.extend(part),
                        // No component in particular.
                        (None, Some(&part)) if at == u32::MAX => words.extend(part),
                        _ => return self.error(inst, format!("there is no component {at}")),
                    }
                }
                Ok(words)
            }
            (Op::VectorExtractDynamic, [vector, index]) => {
                let ty = self.type_of(inst, *vector)?;
                let words = self.words(inst, *vector)?;
                let index = self.word(inst, *index)?;
                if !matches!(*ty, Ty::Vector(..)) && self.module.number_of(*vector).is_none() {
                    return self.error(inst, "it takes a vector");
                }
                Ok(self.index_value(&ty, &words, index)?.to_vec())
            }
            (Op::VectorInsertDynamic, [vector, part, index]) => {
                let words = self.words(inst, *vector)?;
                let part = self.words(inst, *part)?;
                let index = self.word(inst, *index)?;
                let size = self.component_words(*vector);
                if part.len() != size {
                    return self.error(inst, "the part is a scalar");
                }
                if words
                    .iter()
                    .any(|word| self.b.ty(*word) != self.b.ty(part[0]))
                {
                    return self.error(inst, "the part is of another type");
                }
                let mut changed = Vec::with_capacity(words.len());
                for (at, &word) in words.iter().enumerate() {
                    let number = self.b.word((at / size) as u32);
                    let hit = self.b.alu(LaneOp::IEq, &[index, number]);
                    changed.push(self.b.select(hit, part[at % size], word));
                }
                Ok(changed)
            }
            (Op::CopyObject | Op::CopyLogical, [value]) => Ok(self.words(inst, *value)?.to_vec()),
            (Op::AccessChain | Op::InBoundsAccessChain, _) => {
                self.error(inst, "a pointer is no value")
            }
            _ => self.module.lacks(inst, format!("Op{op:?}")),
        }
    }

    /// First leaf and number of leaves of a part.
    fn part(&mut self, inst: &Inst, base: u32, path: &[u32]) -> Result<(usize, usize)> {
        let mut ty = self.type_of(inst, base)?;
        let mut first = 0;
        for &index in path {
            let inside = match (&*ty, ty.parts()) {
                (Ty::Struct(_), _) => true,
                (_, Some(parts)) => index < parts,
                _ => false,
            };
            let Some(part) = ty.part(index).filter(|_| inside) else {
                return self.error(inst, format!("there is no part {index}"));
            };
            first += part.words as usize;
            ty = part.ty;
        }
        Ok((first, ty.words() as usize))
    }

    /// Words of a component of a vector.
    fn component_words(&self, vector: u32) -> usize {
        self.module.number_of(vector).map_or(1, |of| of.words())
    }

    /// Whether leaves are words.
    pub(super) fn are_words(&self, words: &[Value]) -> bool {
        words.iter().all(|word| self.b.ty(*word) == Type::Word)
    }
}
