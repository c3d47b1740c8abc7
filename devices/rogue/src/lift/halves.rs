//! Branches, and the halves of a wave: they part where they disagree, and meet where one waits.

use lanes::LaneOp::{self, *};
use lanes::{Src, Step, When, WideOp};

use super::emit::pair;
use super::flow::{Lifter, State};
use super::{ACTIVE, ENABLED, LINK, LiftError, PREDICATE, RUNNING, TEMP, WAIT_AT, WAITING};
use crate::isa::Condition;
use crate::isa::control::BranchLanes;

impl Lifter<'_> {
    /// A half that waits here joins the other.
    pub(super) fn meet(&mut self, state: State) {
        let id = self.labels[&state].1;
        let on = self.b.label();
        self.b.branch(When::MaskZero(WAITING), on);
        self.b.uniform(IEq, TEMP, &[pair(WAIT_AT), Src::Const(id)]);
        self.b.branch(When::Zero(TEMP), on);
        self.wide(WideOp::Or64, RUNNING, RUNNING, WAITING);
        self.set(WAITING, 0);
        self.wide(WideOp::And64, ACTIVE, ENABLED, RUNNING);
        self.flush_items();
        self.b.place(on);
    }

    /// The program ends for the halves that run; one that waits goes on.
    pub(super) fn end(&mut self) {
        if self.halves() {
            let over = self.b.label();
            self.b.branch(When::MaskZero(WAITING), over);
            self.copy(RUNNING, WAITING);
            self.wide(WideOp::And64, ACTIVE, ENABLED, RUNNING);
            self.flush_items();
            self.b.uniform(Mov, TEMP, &[pair(WAIT_AT)]);
            self.b.uniform(Mov, TEMP + 1, &[Src::Const(1)]);
            self.set(WAITING, 0);
            self.flush_items();
            self.b.push(Step::Indirect { target: TEMP });
            self.b.place(over);
        }
        self.b.push(Step::End);
    }

    /// A branch to an offset from the start of the program; one that links keeps the address of the group behind it.
    pub(super) fn branch(
        &mut self,
        (condition, lanes, link): (Condition, BranchLanes, Option<u32>),
        target: i64,
        next: State,
    ) -> Result<Option<State>, LiftError> {
        let known = u32::try_from(target)
            .ok()
            .filter(|pc| self.groups.contains_key(pc));
        let pc = known.ok_or(LiftError::Target { pc: target })?;
        let target = State {
            pc,
            bases: self.bases,
        };
        let all = lanes == BranchLanes::ALLINST;
        if condition == Condition::IGNORE_PE && !all && link.is_none() {
            // Every task has lanes.
            let to = self.later(target);
            self.b.branch(When::Always, to);
            return Ok(None);
        }
        self.fallen = Some(next);
        // Lanes that pass the condition; a branch of all instances asks them whether Pe is off.
        let asked = match condition {
            Condition::PE => ACTIVE,
            Condition::IGNORE_PE if all => ACTIVE,
            Condition::IGNORE_PE => self.running(),
            Condition::P0 | Condition::NOT_P0 => TEMP,
        };
        match condition {
            Condition::P0 => self.wide(WideOp::And64, asked, ACTIVE, PREDICATE),
            Condition::NOT_P0 => self.wide(WideOp::AndNot64, asked, ACTIVE, PREDICATE),
            _ => {}
        }
        self.flush_items();
        let (to, on) = (self.later(target), self.later(next));
        if !self.halves() {
            let when = match all {
                true => When::MaskZero(asked),
                false => When::MaskNonZero(asked),
            };
            if let Some(address) = link {
                self.b.uniform(Mov, TEMP + 2, &[pair(LINK)]);
                self.b.uniform(Mov, LINK, &[Src::Const(address)]);
            }
            self.b.branch(when, to);
            if link.is_some() {
                self.b.uniform(Mov, LINK, &[pair(TEMP + 2)]);
            }
            return Ok(Some(next));
        }
        // Nobody: all halves agree.
        let nobody = if all { to } else { on };
        let somebody = if all { on } else { to };
        // Both halves have such a lane, most of the time.
        let smaller = [pair(asked), pair(asked + 1)];
        self.b.uniform(UMin, TEMP + 2, &smaller);
        self.b.branch(When::NonZero(TEMP + 2), somebody);
        self.b.branch(When::MaskZero(asked), nobody);
        // Halves that run without a lane that passes.
        for half in 0..2 {
            self.b
                .uniform(IEq, TEMP + 2 + half, &[pair(asked + half), Src::Const(0)]);
            self.b
                .uniform(INe, TEMP + 4 + half, &[pair(RUNNING + half), Src::Const(0)]);
            let both = [pair(TEMP + 2 + half), pair(TEMP + 4 + half)];
            self.b.uniform(And, TEMP + 2 + half, &both);
        }
        self.b.branch(When::MaskZero(TEMP + 2), somebody);
        self.part(target, next, all);
        Ok(None)
    }

    /// The halves go on at different addresses: the one that goes higher waits there. TEMP + 2 and TEMP + 3 say which half
    /// has no lane that passes; those branch if `all` is set.
    fn part(&mut self, target: State, next: State, all: bool) {
        let [low, high] = match target.pc < next.pc {
            true => [target, next],
            false => [next, target],
        };
        // The halves without such a lane go to the target if `all`, else to the next group.
        let waits = (high == target) == all;
        for half in 0..2 {
            let expand: (LaneOp, [Src; 2]) = match waits {
                true => (ISub, [Src::Const(0), pair(TEMP + 2 + half)]),
                false => (ISub, [pair(TEMP + 2 + half), Src::Const(1)]),
            };
            self.b.uniform(expand.0, TEMP + 4 + half, &expand.1);
        }
        self.wide(WideOp::And64, WAITING, RUNNING, TEMP + 4);
        self.wide(WideOp::AndNot64, RUNNING, RUNNING, WAITING);
        self.wide(WideOp::And64, ACTIVE, ENABLED, RUNNING);
        self.flush_items();
        let at = self.entry_of(high);
        self.set(WAIT_AT, at);
        self.flush_items();
        let low = self.later(low);
        self.b.branch(When::Always, low);
    }
}
