//! Numbers of fewer than 32 bits: arithmetic is done in words, and its results are brought to what the numbers can hold.
//!
//! A float of 16 bits is one of 32 that 16 can hold. Of two roundings, the first to 24 bits, one step of arithmetic shows the
//! second alone.

use super::Writer;
use super::types::{Kind, Leaf, Narrow, Strides, Ty};
use crate::ir::{LaneOp, Type, Value};

impl Ty {
    /// The type of 32-bit numbers for one of small numbers: what arithmetic is done in. None for other types.
    pub(crate) fn in_words(&self) -> Option<Ty> {
        match self {
            Ty::Narrow(narrow) => Some(Ty::Scalar(narrow.kind())),
            Ty::Array {
                element,
                count: Some(count),
                ..
            } => match element.in_words()? {
                Ty::Scalar(kind) => Some(Ty::Vector(*count, kind)),
                Ty::Vector(rows, Kind::F32) => {
                    Some(Ty::Matrix(*count, rows, Strides::of_columns(rows)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a leaf has fewer than 32 bits.
    pub(crate) fn has_narrow(&self) -> bool {
        match self {
            Ty::Narrow(_) => true,
            Ty::Array { element, .. } => element.has_narrow(),
            Ty::Struct(members) => members.iter().any(|(ty, _)| ty.has_narrow()),
            _ => false,
        }
    }
}

impl Writer {
    /// A word as a small number has it.
    pub(crate) fn fitted(&mut self, narrow: Option<Narrow>, word: Value) -> Value {
        let Some(narrow) = narrow.filter(|_| self.b.ty(word) == Type::Word) else {
            return word;
        };
        match narrow {
            Narrow::F16 => {
                let half = self.b.alu(LaneOp::F32ToF16, &[word]);
                self.b.alu(LaneOp::F16ToF32, &[half])
            }
            integer => self.widen(integer, word),
        }
    }

    /// Results of arithmetic as their type has them.
    pub(crate) fn fit_words(&mut self, ty: &Ty, words: Vec<Value>) -> Vec<Value> {
        if !ty.has_narrow() {
            return words;
        }
        let mut leaves = Vec::with_capacity(words.len());
        ty.walk(0, &mut |leaf, _| leaves.push(leaf));
        let narrow = |leaf: Option<&Leaf>| match leaf {
            Some(Leaf::Narrow(narrow)) => Some(*narrow),
            _ => None,
        };
        let words = words.into_iter().enumerate();
        words
            .map(|(at, word)| self.fitted(narrow(leaves.get(at)), word))
            .collect()
    }
}
