//! Atomic operations on words in memory. [Rogue 11.2]

use ::rogue::isa::Condition;
use ::rogue::isa::backend::{Atomic, Backend};
use ::rogue::isa::bitwise::Logical;
use ::rogue::isa::control::Mutex;
use ::rogue::isa::phase2::{Test, TestType};
use ::rogue::lift::SpecialRegister;

use super::machine::{
    Access as Slot, Back, Body, Dst, Effect, Inst, Main, Operand, Phase, TRUE, Unit, When, ZERO,
};
use super::select::{Select, Source, bypass};
use crate::codegen::Result;
use crate::ir::{Access, AtomicOp, Inst as IrInst};

/// Lanes of two tasks, less one: their numbers among all that run at once differ in these bits.
const LANES: u32 = 63;

/// The operation of the chip; it has no compare-exchange.
fn operation(op: AtomicOp) -> Option<Atomic> {
    Some(match op {
        AtomicOp::Add => Atomic::ADD,
        AtomicOp::Sub => Atomic::SUB,
        AtomicOp::And => Atomic::AND,
        AtomicOp::Or => Atomic::OR,
        AtomicOp::Xor => Atomic::XOR,
        AtomicOp::IMin => Atomic::IMIN,
        AtomicOp::IMax => Atomic::IMAX,
        AtomicOp::UMin => Atomic::UMIN,
        AtomicOp::UMax => Atomic::UMAX,
        AtomicOp::Exchange => Atomic::XCHG,
        AtomicOp::CompareExchange => return None,
    })
}

impl Select<'_> {
    pub(super) fn atomic_buffer(
        &mut self,
        access: Access,
        op: AtomicOp,
        inst: &IrInst,
    ) -> Result<()> {
        let [low, high, bytes] = [0, 1, 2].map(|word| self.described(access, word));
        let (base, bytes) = ([low?, high?], bytes?);
        let offset = self.word(inst.args[0]);
        let mask = self.code.unit();
        let writes = self.may_write();
        self.within(Dst::Unit(mask), offset, bytes, writes);
        let (address, mask) = (self.address(base, offset), Some(mask));
        let operands: Vec<Operand> = inst.args[1..].iter().map(|&arg| self.word(arg)).collect();
        let old = self.atomic(op, address, mask, &operands);
        self.define(inst.results[0], Operand::Unit(old));
        Ok(())
    }

    /// An operation on the word at the address in a pair of units, in lanes whose mask is not zero, all if there is none;
    /// what was there before, zero in the others. Operands are a value and, of compare-exchange, what it replaces.
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        address: Unit,
        mask: Option<Unit>,
        operands: &[Operand],
    ) -> Unit {
        let old = self.code.unit();
        if mask.is_some() {
            self.move_to(old, ZERO);
        }
        let Some(op) = operation(op) else {
            self.move_to(old, ZERO);
            self.compare_exchange(old, address, mask, operands);
            return old;
        };
        let source = self.code.row(3);
        for (to, from) in [(source, address), (source + 1, address + 1)] {
            self.move_to(to, Operand::Unit(from));
        }
        self.move_to(source + 2, operands[0]);
        if let Some(mask) = mask {
            self.test_word(Operand::Unit(mask));
        }
        let op = Backend::Atom {
            op,
            drc: 0,
            source: 3,
            destination: 4,
        };
        let slots = vec![(3, Slot::Reads(source, 3)), (4, Slot::Writes(old, 1))];
        let mut inst = Inst::new(Body::Main(Main {
            back: Some(Back { op, slots }),
            ..Main::default()
        }));
        inst.effect = Effect::Write;
        if mask.is_some() {
            inst.condition = Condition::NOT_P0;
        }
        self.push(inst);
        old
    }

    /// Lane after lane loads, compares and stores; a mutex keeps other tasks out.
    fn compare_exchange(
        &mut self,
        old: Unit,
        address: Unit,
        mask: Option<Unit>,
        operands: &[Operand],
    ) {
        let [value, wanted] = [operands[0], operands[1]].map(|word| self.in_unit(word));
        // Rounds count down, so that the first lane has the highest number; lanes that do nothing have none.
        let lane = self.special(SpecialRegister::LOCAL_ADDR_INST_NUM);
        let most = self.constant(LANES);
        let lane = self.logic(Logical::AND, lane, most);
        let number = self.integer_sum(lane, most, true);
        let turn = self.code.unit();
        self.move_to(turn, TRUE);
        self.test_word(mask.map_or(TRUE, Operand::Unit));
        let mut own = Inst::new(Body::Main(Main {
            p0: Some(Phase {
                alu: bypass(Default::default()),
                src: vec![number],
            }),
            w: [Some(Dst::Unit(turn)), None],
            ..Main::default()
        }));
        own.condition = Condition::NOT_P0;
        self.push(own);
        let round = self.code.unit();
        self.move_to(round, most);
        self.mutex(Mutex::LOCK);
        let [body, behind] = [(); 2].map(|()| self.code.block());
        self.fall(body);
        let mine = self.equal([turn, round].map(|unit| Source::plain(Operand::Unit(unit))));
        self.test_word(mine);
        self.load_where(old, 1, address, Effect::Write, Condition::NOT_P0);
        let same = self.equal([old, wanted].map(|unit| Source::plain(Operand::Unit(unit))));
        let stores = self.logic(Logical::AND, mine, same);
        self.store(Operand::Unit(value), address, Some(stores));
        let less = self.integer_sum(Operand::Unit(round), TRUE, false);
        self.move_to(round, less);
        let left = Source::plain(Operand::Unit(round));
        self.test_source(left, (Test::TSTGEZ, TestType::S32));
        self.lanes_to(body);
        self.branch(When::P0, body);
        self.fall(behind);
        self.mutex(Mutex::RELEASE);
    }

    pub(super) fn mutex(&mut self, op: Mutex) {
        let mut inst = Inst::new(Body::Mutex(op));
        inst.effect = Effect::Write;
        self.push(inst);
    }
}
