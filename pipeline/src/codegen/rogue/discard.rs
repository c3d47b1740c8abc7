//! Lanes that a shader discards: they go on as helpers of their quads.

use ::rogue::isa::alu::Single;
use ::rogue::isa::control::CndIf;
use ::rogue::isa::phase2::{Test, TestType};
use ::rogue::isa::{Bank, Condition, Register, backend};

use super::machine::{Back, Body, Dst, Effect, Inst, Main, Operand, UNIT, When, ZERO};
use super::select::{Select, Source};
use crate::codegen::HELPER_ROUNDS;
use crate::codegen::structure::Edge;
use crate::ir::{Stage, Value};

/// Internal register 0 among the special ones.
const INTERNAL: u16 = 36;

impl Select<'_> {
    /// Takes quads without a live lane out of a loop, and helpers that have long been alone.
    pub(super) fn drop_discarded(&mut self, l: usize) {
        let Some(alive) = self.entry.alive else {
            return;
        };
        let leave = Edge::Break(l);
        let Some(rounds) = self.entry.helper_rounds else {
            self.test_word(Operand::Unit(alive));
            self.leave_where(leave, CndIf::P0);
            let rest = self.code.block();
            return self.fall(rest);
        };
        // A lane's row, then its quad, is alive where it is or differs from its neighbour. The row's is an internal register:
        // lanes that have left the loop have theirs, too, and overwrite nothing.
        let any = self.code.unit();
        let (row, quad) = (Register::Plain(Bank::SPECIAL, INTERNAL), Dst::Unit(any));
        let alive_in = Operand::Unit(alive);
        let mut rows = self.quad_any(Single::FDSXF, alive_in, Dst::Register(row));
        rows.condition = Condition::IGNORE_PE;
        rows.effect = Effect::Write;
        let mut quads = self.quad_any(Single::FDSYF, Operand::Register(row), quad);
        quads.effect = Effect::Read;
        self.push(rows);
        self.push(quads);
        self.test_word(Operand::Unit(any));
        self.leave_where(leave, CndIf::P0);
        let [rest, alone, over] = [(); 3].map(|()| self.code.block());
        self.fall(rest);
        self.test_word(Operand::Unit(alive));
        self.lanes_to(alone);
        self.lanes_to(over);
        self.branch(When::NotP0, over);
        self.start(alone);
        let less = self.integer_sum(Operand::Unit(rounds), super::machine::TRUE, false);
        self.move_to(rounds, less);
        let limit = Source::plain(Operand::Unit(rounds));
        self.test_source(limit, (Test::TSTGZ, TestType::S32));
        self.leave_where(leave, CndIf::NOT_P0);
        self.lanes_to(over);
        self.start(over);
    }

    /// What lanes of a shader that discards begin with.
    pub(super) fn begin_discards(&mut self) {
        let mut insts = self.function.insts();
        if self.function.stage != Stage::Fragment
            || !insts.any(|inst| inst.op == crate::ir::Op::Discard)
        {
            return;
        }
        let alive = self.code.unit();
        self.entry.alive = Some(alive);
        if !self.structure.loops.iter().any(|node| node.discards) {
            return self.move_to(alive, UNIT);
        }
        let covered = self.coverage();
        self.truth(alive, covered);
        if self.function.insts().any(|inst| inst.op.needs_quad()) {
            let rounds = self.code.unit();
            let limit = self.constant(HELPER_ROUNDS);
            self.move_to(rounds, limit);
            self.entry.helper_rounds = Some(rounds);
        }
    }

    /// The samples that the lane covers.
    pub(super) fn coverage(&mut self) -> Operand {
        let unit = self.code.unit();
        self.main(Main {
            back: Some(Back {
                op: backend::Backend::Savmsk {
                    mode: backend::MaskMode::VM,
                    sm: false,
                },
                slots: Vec::new(),
            }),
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        });
        Operand::Unit(unit)
    }

    /// Takes lanes out of the picture where a condition holds.
    pub(super) fn discard(&mut self, condition: Value) {
        let Some(alive) = self.entry.alive else {
            return;
        };
        let inverted = self.set_p0(condition);
        let mut inst = Inst::new(Body::Main(Main {
            p0: Some(super::machine::Phase {
                alu: super::select::bypass(Default::default()),
                src: vec![ZERO],
            }),
            w: [Some(Dst::Unit(alive)), None],
            ..Main::default()
        }));
        inst.condition = if inverted {
            Condition::NOT_P0
        } else {
            Condition::P0
        };
        self.push(inst);
    }
}
