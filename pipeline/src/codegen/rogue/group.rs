//! The memory of a workgroup, and where its tasks wait for each other.
//!
//! The memory lies at the addresses whose upper word is all ones (`rogue::cdm`). What is outside of it reads zero and is
//! not written there, so addresses are not checked.

use ::rogue::isa::backend::Backend;
use ::rogue::isa::control::Mutex;

use super::machine::{Access, Back, Body, Effect, Inst, Main, Operand, TRUE, Unit, ZERO};
use super::select::Select;
use crate::ir::{AtomicOp, Inst as IrInst, Value};

impl Select<'_> {
    /// The address of a word of the group's memory.
    fn group_address(&mut self, offset: Operand) -> Unit {
        self.address([ZERO, TRUE], offset)
    }

    fn group_offset(&mut self, value: Value) -> Operand {
        let word = self.word(value);
        Operand::Unit(self.in_unit(word))
    }

    pub(super) fn load_shared(&mut self, inst: &IrInst) {
        let offset = self.group_offset(inst.args[0]);
        let address = self.group_address(offset);
        let count = inst.results.len() as u32;
        let row = self.code.row(count);
        self.load(row, count, address, Effect::Read);
        for (unit, &result) in (row..).zip(&inst.results) {
            self.define(result, Operand::Unit(unit));
        }
    }

    pub(super) fn store_shared(&mut self, inst: &IrInst) {
        let offset = self.group_offset(inst.args[0]);
        for (n, &arg) in (0..).zip(&inst.args[1..]) {
            let place = self.plus(offset, 4 * n);
            let address = self.group_address(place);
            let data = self.word(arg);
            self.store(data, address, None);
        }
    }

    pub(super) fn atomic_shared(&mut self, op: AtomicOp, inst: &IrInst) {
        let offset = self.group_offset(inst.args[0]);
        let address = self.group_address(offset);
        let operands: Vec<Operand> = inst.args[1..].iter().map(|&arg| self.word(arg)).collect();
        let old = self.atomic(op, address, None, &operands);
        self.define(inst.results[0], Operand::Unit(old));
    }

    /// Waits for the other tasks of the group, behind everything that this one has stored.
    pub(super) fn barrier(&mut self) {
        self.fence();
        self.mutex(Mutex::RELEASE_SLEEP);
    }

    /// What was stored before is in memory before what follows.
    pub(super) fn fence(&mut self) {
        let mut inst = Inst::new(Body::Main(Main {
            back: Some(Back {
                op: Backend::Idf { drc: 0, slot: 0 },
                slots: vec![(0, Access::Value(ZERO))],
            }),
            ..Main::default()
        }));
        inst.effect = Effect::Write;
        self.push(inst);
    }
}
