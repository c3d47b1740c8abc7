//! Private arrays, in registers or in scratch memory.

use ::rogue::isa::Register;

use super::machine::{Body, Dst, Effect, Inst, Operand, Unit};
use super::select::Select;
use crate::codegen::Result;
use crate::ir::{Inst as IrInst, Op, Value};

/// Words that private arrays take in registers, and the longest of them.
const ARRAY_REGISTERS: u32 = 96;
const LONGEST_ARRAY: u32 = 64;
/// Words of private arrays in memory.
const SCRATCH_WORDS: u32 = 3072;

/// Where a private array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    /// Nowhere: nothing accesses it.
    None,
    /// In units: the first and how many.
    Registers(Unit, u32),
    /// In scratch memory: first word and words.
    Scratch(u32, u32),
}

impl Select<'_> {
    /// Finds places for the private arrays.
    pub(super) fn make_arrays(&mut self) -> Result<()> {
        let locals = &self.function.locals;
        let mut used = vec![false; locals.len()];
        for inst in self.function.insts() {
            if let Op::LoadLocal(at) | Op::StoreLocal(at) = inst.op {
                used[at as usize] = true;
            }
        }
        let mut order: Vec<usize> = (0..used.len()).filter(|&at| used[at]).collect();
        order.sort_by_key(|&at| locals[at].words);
        let mut arrays = vec![Array::None; used.len()];
        let (mut registers, mut scratch) = (0, 0);
        for at in order {
            let words = locals[at].words;
            self.origin = locals[at].origin;
            if words <= LONGEST_ARRAY && registers + words <= ARRAY_REGISTERS {
                registers += words;
                let first = self.code.row(words);
                self.code.kept.push(first);
                for unit in first..first + words {
                    self.push(Inst::new(Body::Undefined(unit)));
                }
                arrays[at] = Array::Registers(first, words);
                continue;
            }
            if scratch + words > SCRATCH_WORDS {
                let total = scratch + words;
                return Err(self.unsupported(format!(
                    "{total} words of indexed private arrays, more than the {SCRATCH_WORDS}"
                )));
            }
            arrays[at] = Array::Scratch(scratch, words);
            scratch += words;
        }
        if scratch > 0 {
            self.spills.begin(&mut self.code, &mut self.pool, scratch);
        }
        self.arrays = arrays;
        Ok(())
    }

    pub(super) fn load_local(&mut self, local: u32, inst: &IrInst) {
        let result = inst.results[0];
        if !self.is_used(result) {
            return;
        }
        let unit = self.code.unit();
        let index = self.defs.constant(inst.args[0]);
        match (self.arrays[local as usize], index) {
            (Array::Registers(first, words), Some(at)) => {
                self.move_to(unit, Operand::Unit(first + at.min(words - 1)));
            }
            (Array::Registers(first, words), None) => {
                self.point(inst.args[0]);
                self.move_to(unit, Operand::Element(first, words));
            }
            (Array::Scratch(first, words), _) => {
                let address = self.scratch_address(first, words, inst.args[0]);
                self.load(unit, 1, address, Effect::Read);
            }
            (Array::None, _) => {}
        }
        self.define(result, Operand::Unit(unit));
    }

    pub(super) fn store_local(&mut self, local: u32, inst: &IrInst) {
        let value = self.word(inst.args[1]);
        let index = self.defs.constant(inst.args[0]);
        match (self.arrays[local as usize], index) {
            (Array::Registers(first, words), Some(at)) => {
                self.move_to(first + at.min(words - 1), value);
            }
            (Array::Registers(first, words), None) => {
                self.point(inst.args[0]);
                self.move_into(Dst::Element(first, words), value);
            }
            (Array::Scratch(first, words), _) => {
                let address = self.scratch_address(first, words, inst.args[0]);
                self.store(value, address, None);
            }
            (Array::None, _) => {}
        }
    }

    /// The index register from a value.
    pub(super) fn point(&mut self, index: Value) {
        let index = self.word(index);
        self.move_into(Dst::Register(Register::Index(0)), index);
    }

    /// The address of a word of an array in scratch memory.
    fn scratch_address(&mut self, first: u32, words: u32, index: Value) -> Unit {
        let base = self.spills.base();
        if let Some(at) = self.defs.constant(index) {
            let offset = self.constant(4 * (first + at.min(words - 1)));
            return self.address(base, offset);
        }
        let index = self.word(index);
        let start = self.constant(4 * first);
        let offset = self.integer_product(index, super::machine::constant(4), start);
        self.address(base, offset)
    }
}
