//! Programs whose Pe follows from one counter, as compilers make them: what holds of it everywhere. [Rogue 8.3]

use std::collections::{BTreeMap, BTreeSet};

use lanes::LaneOp::{self, *};
use lanes::{Src, Step, When, WideOp};

use super::emit::pair;
use super::flow::Lifter;
use super::scan::{loads_to, main_of, operands, reach};
use super::{ACTIVE, ENABLED, LiftError, PREDICATE, TEMP};
use crate::isa::alu::{Alu, Single};
use crate::isa::backend::Backend;
use crate::isa::bitwise::Shift2;
use crate::isa::control::{Cnd, CndIf, Control};
use crate::isa::{Bank, Body, Condition, Group, IndexedBank, Register};

type Groups<'a> = BTreeMap<u32, (&'a Group, u32)>;

/// The temporary that is zero exactly where Pe is on: the first group sets it from zero, all operations on Pe work on it in
/// all lanes, and nothing else writes it.
pub(super) fn counter(groups: &Groups<'_>) -> Option<u16> {
    let mut all = groups.values().map(|(group, _)| *group);
    let first = all.next()?;
    let Body::Control(Control::Cnd {
        op: Cnd::CNDST,
        condition: CndIf::ALWAYS,
        ..
    }) = first.body
    else {
        return None;
    };
    let Some(Register::Plain(Bank::TEMPORARY, counter)) = first.w[0] else {
        return None;
    };
    let begins = first.condition == Condition::IGNORE_PE
        && first.lower.first() == Some(&Register::ZERO)
        && first.w[1].is_none();
    let keeps = |group: &Group| match &group.body {
        Body::Control(Control::Cnd { op, .. }) => {
            let own = Register::Plain(Bank::TEMPORARY, counter);
            group.condition == Condition::IGNORE_PE
                && !matches!(op, Cnd::CNDSETL_A | Cnd::CNDSETL_B | Cnd::CNDLPC)
                && group.lower.first() == Some(&own)
                && group.w == [Some(own), None]
                && (*op != Cnd::CNDSM || sets_a_number(group))
        }
        _ => !writes(group, counter),
    };
    (begins && all.all(keeps)).then_some(counter)
}

/// Whether CNDSM sets a counter that is not zero.
fn sets_a_number(group: &Group) -> bool {
    matches!(
        group.lower.get(2),
        Some(Register::Plain(Bank::SPECIAL, 1..32))
    )
}

/// Whether a group that is no operation on Pe may write a temporary.
fn writes(group: &Group, temporary: u16) -> bool {
    let within = |first: u16, count: u16| (first..first.saturating_add(count)).contains(&temporary);
    let named = operands(group).any(|(slot, register)| {
        let count = match (slot >= 6, loads_to(group, slot)) {
            (true, _) => group.repeat.into(),
            (_, true) => reach(group, slot),
            _ => return false,
        };
        match register {
            Register::Plain(Bank::TEMPORARY, first) => within(first, count),
            Register::Indexed(IndexedBank::TEMPORARY, ..) => true,
            _ => false,
        }
    });
    named
        || match &group.body {
            Body::Control(Control::Ditr(ditr)) => {
                within(ditr.destination.into(), ditr.count.into())
            }
            Body::Control(Control::Itrsmp(itrsmp)) => within(
                itrsmp.iteration.destination.into(),
                u16::from(itrsmp.iteration.count).max(itrsmp.channels.into()),
            ),
            _ => false,
        }
}

/// Whether every read of P0 follows a write in the same run of groups, with no lane switched on in between.
/// `joins` are addresses that control comes to from elsewhere.
pub(super) fn is_fresh(groups: &Groups<'_>, joins: &BTreeSet<u32>) -> bool {
    let mut fresh = false;
    for (pc, (group, _)) in groups {
        fresh &= !joins.contains(pc);
        let ignores = group.condition == Condition::IGNORE_PE;
        match &group.body {
            Body::Control(Control::Cnd { op, condition, .. }) => {
                let reads = matches!(condition, CndIf::P0 | CndIf::NOT_P0);
                // CNDEF asks lanes that are off.
                if reads && (!fresh || *op == Cnd::CNDEF) {
                    return false;
                }
                match op {
                    Cnd::CNDST | Cnd::CNDSM => {}
                    Cnd::CNDLT => fresh = true,
                    _ => fresh = false,
                }
            }
            _ => {
                let conditional = matches!(group.condition, Condition::P0 | Condition::NOT_P0);
                let reads = reads_p0(group);
                if (conditional || reads) && !fresh || reads && ignores {
                    return false;
                }
                fresh |= writes_p0(group) && !conditional;
            }
        }
    }
    true
}

/// Whether operations of a group take P0 as an operand.
fn reads_p0(group: &Group) -> bool {
    match &group.body {
        Body::Main(main) => matches!(main.p0, Some(Alu::Wide { carry: true, .. })),
        Body::Bitwise(bitwise) => bitwise.p2.is_some_and(|p2| p2.shift == Shift2::CPS),
        Body::Control(_) => false,
    }
}

/// Whether a group leaves something in P0.
fn writes_p0(group: &Group) -> bool {
    let Some(main) = main_of(group) else {
        return match &group.body {
            Body::Bitwise(bitwise) => bitwise.p2.is_some_and(|p2| p2.test.is_some()),
            _ => false,
        };
    };
    let alu = matches!(
        main.p0,
        Some(
            Alu::Fred { p0: true, .. }
                | Alu::Single {
                    op: Single::FSINC,
                    ..
                }
        )
    );
    alu || main.p2.tst.is_some_and(|tst| tst.p0)
        || matches!(main.backend, Some(Backend::Atst { p0: true, .. }))
}

impl Lifter<'_> {
    /// An operation on the counter where Pe follows from it.
    pub(super) fn counted(
        &mut self,
        (op, condition, adjust): (Cnd, CndIf, u8),
        counter: u16,
    ) -> Result<(), LiftError> {
        let row = self.layout.temporaries.start + counter;
        self.soil(row);
        let running = self.running();
        let adjust = Src::Const(adjust.into());
        let set = |lifter: &mut Self, op: LaneOp, value: Src| {
            let src = [Src::Row(row), value, Src::Const(0)];
            lifter.push(Step::Alu { op, dst: row, src });
        };
        match op {
            Cnd::CNDST => {
                let stays = self.among_active(condition);
                self.wide(WideOp::AndNot64, ACTIVE, running, stays);
                set(self, IAdd, adjust);
                if condition != CndIf::ALWAYS {
                    self.wide(WideOp::AndNot64, ENABLED, ENABLED, ACTIVE);
                }
                self.copy(ACTIVE, stays);
            }
            Cnd::CNDSM => {
                let value = self.source(2)?;
                let leaves = self.among_active(condition);
                self.copy(ACTIVE, leaves);
                self.push(Step::Alu {
                    op: Mov,
                    dst: row,
                    src: [value, Src::Const(0), Src::Const(0)],
                });
                self.wide(WideOp::AndNot64, ENABLED, ENABLED, leaves);
                self.wide(WideOp::And64, ACTIVE, ENABLED, running);
            }
            Cnd::CNDEF => self.other_side(condition, adjust, row),
            Cnd::CNDLT => self.next_round(condition, adjust, row),
            _ => {
                self.execute(running);
                let on = self.counted_down(adjust, row);
                self.wide(WideOp::Or64, ENABLED, ENABLED, on);
                self.copy(ACTIVE, on);
            }
        }
        self.flush_items();
        Ok(())
    }

    /// The lanes that execute and whose condition holds.
    fn among_active(&mut self, condition: CndIf) -> u16 {
        let found = self.mask();
        match condition {
            CndIf::ALWAYS => self.copy(found, ACTIVE),
            CndIf::NEVER => self.set(found, 0),
            CndIf::P0 => self.wide(WideOp::And64, found, ACTIVE, PREDICATE),
            CndIf::NOT_P0 => self.wide(WideOp::AndNot64, found, ACTIVE, PREDICATE),
        }
        found
    }

    /// Takes the adjustment off the counter, at most all of it; the lanes where nothing is left.
    fn counted_down(&mut self, adjust: Src, row: u16) -> u16 {
        for op in [UMax, ISub] {
            let src = [Src::Row(row), adjust, Src::Const(0)];
            self.push(Step::Alu { op, dst: row, src });
        }
        let on = self.mask();
        self.compare(on, IEq, Src::Row(row), Src::Const(0));
        on
    }

    /// CNDEF: lanes that run wait, and those that wait for this run.
    fn other_side(&mut self, condition: CndIf, adjust: Src, row: u16) {
        let (ran, again) = (self.mask(), self.mask());
        self.copy(ran, ACTIVE);
        self.execute(self.running());
        self.compare(again, IEq, Src::Row(row), Src::Const(1));
        match condition {
            CndIf::ALWAYS => {}
            CndIf::NEVER => self.set(again, 0),
            CndIf::P0 => self.wide(WideOp::And64, again, again, PREDICATE),
            CndIf::NOT_P0 => self.wide(WideOp::AndNot64, again, again, PREDICATE),
        }
        if adjust == Src::Const(1) {
            // 0 and 1 change places.
            self.wide(WideOp::Or64, ACTIVE, ran, again);
            let src = [Src::Row(row), adjust, Src::Const(0)];
            self.push(Step::Alu {
                op: Xor,
                dst: row,
                src,
            });
            self.wide(WideOp::Xor64, ENABLED, ENABLED, ACTIVE);
        } else {
            for (lanes, value) in [(ran, adjust), (again, Src::Const(0))] {
                self.execute(lanes);
                self.push(Step::Alu {
                    op: Mov,
                    dst: row,
                    src: [value, Src::Const(0), Src::Const(0)],
                });
            }
            if adjust != Src::Const(0) {
                self.wide(WideOp::AndNot64, ENABLED, ENABLED, ran);
            }
            self.wide(WideOp::Or64, ENABLED, ENABLED, again);
        }
        self.wide(WideOp::And64, ACTIVE, ENABLED, self.running());
    }

    /// CNDLT: a task with a lane that passes goes on without those that do not; else lanes count down.
    fn next_round(&mut self, condition: CndIf, adjust: Src, row: u16) {
        let (stays, any, leaves) = (TEMP + 8, TEMP + 10, TEMP + 12);
        let passing = self.among_active(condition);
        self.copy(stays, passing);
        for half in 0..2 {
            let [from, to] = [stays, any].map(|pair| pair + half);
            for (op, src) in [
                (INe, [pair(from), Src::Const(0), Src::Const(0)]),
                (ISub, [Src::Const(0), pair(to), Src::Const(0)]),
            ] {
                self.push(Step::Uniform { op, dst: to, src });
            }
        }
        if condition != CndIf::ALWAYS {
            self.wide(WideOp::AndNot64, leaves, ACTIVE, stays);
            self.wide(WideOp::And64, leaves, leaves, any);
            self.execute(leaves);
            self.push(Step::Alu {
                op: Mov,
                dst: row,
                src: [adjust, Src::Const(0), Src::Const(0)],
            });
            self.wide(WideOp::AndNot64, ENABLED, ENABLED, leaves);
        }
        // Halves that have no such lane.
        self.wide(WideOp::AndNot64, ACTIVE, self.running(), any);
        self.flush_items();
        let over = self.b.label();
        self.b.branch(When::MaskZero(ACTIVE), over);
        let on = self.counted_down(adjust, row);
        self.wide(WideOp::Or64, stays, stays, on);
        self.wide(WideOp::Or64, ENABLED, ENABLED, on);
        self.flush_items();
        self.b.place(over);
        self.copy(ACTIVE, stays);
        if self.facts.fresh {
            self.copy(PREDICATE, any);
        } else {
            let running = self.running();
            self.wide(WideOp::And64, any, any, running);
            self.wide(WideOp::AndNot64, PREDICATE, PREDICATE, running);
            self.wide(WideOp::Or64, PREDICATE, PREDICATE, any);
        }
    }
}
