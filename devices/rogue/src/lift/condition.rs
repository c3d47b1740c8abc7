//! Operations on the execution mask: CND*. [Rogue 8.1]
//!
//! Pe of a lane is whether its counter is zero. Each operation reads the counter of the lanes that execute it, all of them
//! with `(ignorepe)`, and writes counter and Pe.

use lanes::LaneOp::*;
use lanes::{Src, Step, WideOp};

use super::emit::pair;
use super::flow::Lifter;
use super::writes::Only;
use super::{ACTIVE, ENABLED, LINK, LiftError, PREDICATE};
use crate::isa::control::{Cnd, CndIf};
use crate::isa::{Bank, Condition, Group, Register};

const ZERO: Src = Src::Const(0);

impl Lifter<'_> {
    pub(super) fn condition(
        &mut self,
        group: &Group,
        op: Cnd,
        condition: CndIf,
        adjust: u8,
    ) -> Result<(), LiftError> {
        if op == Cnd::CNDSETL_A {
            return Ok(());
        }
        if let Some(counter) = self.facts.counter
            && group.lower.first() == Some(&Register::Plain(Bank::TEMPORARY, counter))
        {
            self.counted((op, condition, adjust), counter)?;
            if !matches!(op, Cnd::CNDST | Cnd::CNDSM) {
                self.forget();
            }
            return Ok(());
        }
        // The lanes that execute it.
        let lanes = self.mask();
        match group.condition {
            Condition::PE => self.copy(lanes, ACTIVE),
            Condition::IGNORE_PE => self.copy(lanes, self.running()),
            Condition::P0 => self.wide(WideOp::And64, lanes, ACTIVE, PREDICATE),
            Condition::NOT_P0 => self.wide(WideOp::AndNot64, lanes, ACTIVE, PREDICATE),
        }
        if op == Cnd::CNDSETL_B {
            self.link_of_first()?;
        }
        self.execute(lanes);
        let counter = self.source(0)?;
        let adjust = Src::Const(adjust.into());
        let pass = self.passing(condition, lanes);
        let enabled = self.mask();
        let value = match op {
            Cnd::CNDST => {
                self.compare(enabled, IEq, counter, ZERO);
                self.wide(WideOp::And64, enabled, enabled, pass);
                let more = self.op(IAdd, &[counter, adjust]);
                self.select(enabled, more, ZERO)
            }
            Cnd::CNDEF => {
                let (zero, again) = (self.mask(), enabled);
                self.compare(zero, IEq, counter, ZERO);
                self.compare(again, IEq, counter, Src::Const(1));
                self.wide(WideOp::And64, again, again, pass);
                let value = self.select(zero, counter, adjust);
                let value = self.select(again, value, ZERO);
                if adjust == ZERO {
                    self.wide(WideOp::Or64, enabled, enabled, zero);
                }
                value
            }
            Cnd::CNDSM => {
                let new = self.source(2)?;
                let sets = self.mask();
                self.compare(sets, IEq, counter, ZERO);
                self.wide(WideOp::And64, sets, sets, pass);
                let value = self.select(sets, counter, new);
                self.compare(enabled, IEq, value, ZERO);
                value
            }
            Cnd::CNDLT => self.loop_test(lanes, pass, enabled, counter, adjust),
            Cnd::CNDEND => {
                let (less, above) = self.less(counter, adjust);
                self.wide(WideOp::AndNot64, enabled, lanes, above);
                less
            }
            Cnd::CNDSETL_B => {
                let new = self.source(2)?;
                let other = self.mask();
                let link = self.link_value();
                self.compare(enabled, IEq, counter, ZERO);
                self.compare(other, INe, new, link);
                self.wide(WideOp::And64, other, other, enabled);
                self.wide(WideOp::AndNot64, enabled, enabled, other);
                self.select(other, counter, Src::Const(1))
            }
            Cnd::CNDLPC | Cnd::CNDSETL_A => {
                let zero = self.mask();
                self.compare(zero, IEq, counter, ZERO);
                self.compare(enabled, IEq, counter, Src::Const(1));
                let value = self.select(zero, counter, Src::Const(2));
                self.select(enabled, value, ZERO)
            }
        };
        self.write_w(group, [value, ZERO], [0; 2])?;
        self.narrowed = true;
        self.finish_group(Only::All)?;
        self.narrowed = false;
        self.wide(WideOp::AndNot64, ENABLED, ENABLED, lanes);
        self.wide(WideOp::Or64, ENABLED, ENABLED, enabled);
        match self.halves() {
            true => self.wide(WideOp::And64, ACTIVE, ENABLED, self.running()),
            false => self.copy(ACTIVE, ENABLED),
        }
        self.flush_items();
        self.forget();
        Ok(())
    }

    /// The lanes among these whose condition holds.
    fn passing(&mut self, condition: CndIf, lanes: u16) -> u16 {
        let pass = self.mask();
        match condition {
            CndIf::ALWAYS => return lanes,
            CndIf::NEVER => self.set(pass, 0),
            CndIf::P0 => self.wide(WideOp::And64, pass, lanes, PREDICATE),
            CndIf::NOT_P0 => self.wide(WideOp::AndNot64, pass, lanes, PREDICATE),
        }
        pass
    }

    /// The counter less the adjustment, zero where it is no more, and the lanes where it is more.
    fn less(&mut self, counter: Src, adjust: Src) -> (Src, u16) {
        let above = self.mask();
        self.compare(above, UGt, counter, adjust);
        let less = self.op(ISub, &[counter, adjust]);
        (self.select(above, ZERO, less), above)
    }

    /// CNDLT: the task goes on while a lane with Pe passes. A half of the wave is a task.
    fn loop_test(&mut self, lanes: u16, pass: u16, enabled: u16, counter: Src, adjust: Src) -> Src {
        let any = self.mask();
        self.wide(WideOp::And64, any, pass, ENABLED);
        for half in 0..2 {
            for (op, src) in [
                (INe, [pair(any + half), ZERO, ZERO]),
                (ISub, [ZERO, pair(any + half), ZERO]),
            ] {
                let dst = any + half;
                self.push(Step::Uniform { op, dst, src });
            }
        }
        let (less, above) = self.less(counter, adjust);
        let (zero, leaves) = (self.mask(), self.mask());
        self.compare(zero, IEq, counter, ZERO);
        self.wide(WideOp::AndNot64, leaves, zero, pass);
        let stays = self.select(leaves, counter, adjust);
        let value = self.select(any, less, stays);
        // Going on: lanes at zero that pass. At the end: all that are not above.
        self.wide(WideOp::AndNot64, zero, zero, leaves);
        self.wide(WideOp::And64, zero, zero, any);
        self.wide(WideOp::Or64, above, above, any);
        self.wide(WideOp::AndNot64, enabled, lanes, above);
        self.wide(WideOp::Or64, enabled, enabled, zero);
        self.wide(WideOp::And64, any, any, lanes);
        self.predicate = Some(any);
        value
    }

    /// The link address is that of the first lane with Pe.
    fn link_of_first(&mut self) -> Result<(), LiftError> {
        let address = self.source(2)?;
        let row = self.in_row(address);
        self.first_lane(row, LINK);
        self.link_in_bytes(LINK);
        Ok(())
    }

    /// `scalar = row` in the first lane that executes.
    pub(super) fn first_lane(&mut self, src: u16, dst: u16) {
        self.push(Step::ReadFirstLane { dst, src });
    }

    /// The link address as registers have it: halves of words from the start of the code.
    pub(super) fn link_value(&mut self) -> Src {
        let address = self.op(IAdd, &[Src::Scalar(LINK), Src::Const(self.setup.address)]);
        self.op(Shr, &[address, Src::Const(1)])
    }

    /// Halves of words from the start of the code to bytes from the start of the program.
    pub(super) fn link_in_bytes(&mut self, at: u16) {
        let address = Src::Const(self.setup.address);
        for (op, other) in [(Shl, Src::Const(1)), (ISub, address)] {
            let src = [Src::Scalar(at), other, ZERO];
            self.push(Step::Uniform { op, dst: at, src });
        }
    }
}
