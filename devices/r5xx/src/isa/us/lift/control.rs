//! FC: votes of pixels, branch counters, the loop and address stacks. [R5XX 8.6]
//!
//! A pixel runs when no branch has disabled it, it has left neither a loop nor an iteration, and it is not done. A pixel
//! that a branch disabled has a counter of the blocks that have to end before it runs again.

use lanes::LaneOp::{IAdd, IEq, IGt, ILt, ISub, Mov};
use lanes::{Src, Step, When, WideOp};

use super::super::codes::{AddressOp, BranchOp, PredSelect};
use super::super::inst::Fc;
use super::super::ops::{FcSem, LoopKind};
use super::flow::{Lifter, State, target};
use super::{
    ACTIVE, BRANCH, COVERED, Constant, DONE, FRAME, FRAMES, MAX_DEPTH, PREDICATES, RESULT, START,
    TEMP, WANT,
};
use crate::isa::arithmetic::{ZERO, clear, compare, copy, wide};

/// Parts of a loop's frame.
const COUNT: u16 = 0;
const VARIABLE: u16 = 1;
const BROKEN: u16 = 2;
const CONTINUED: u16 = 4;

/// Why an instruction cannot run where it stands.
type Trap = String;

impl Lifter<'_> {
    /// First scalar of a loop's frame.
    pub(super) fn frame(depth: usize) -> u16 {
        FRAMES + FRAME * depth as u16
    }

    /// Appends an FC instruction. `last` ends the program wherever it goes.
    pub(super) fn fc(&mut self, fc: &Fc, state: &State, next: State, last: bool) -> Option<State> {
        if last {
            return None;
        }
        match self.control(fc, state, next) {
            Ok(next) => next,
            Err(reason) => {
                self.b.trap(format!("{}: {reason}", fc.op.name()));
                None
            }
        }
    }

    fn control(&mut self, fc: &Fc, state: &State, next: State) -> Result<Option<State>, Trap> {
        let sem = fc.op.sem();
        let full = self.setup.full_flow;
        if !full && (sem != FcSem::Jump || fc.address != AddressOp::None) {
            return Err("loops and calls need full flow control".into());
        }
        let depth = state.loops.len();
        // A driver's LOOP of no pixel jumps to its ENDLOOP, which then finds no loop. [ERRATA 14]
        if matches!(sem, FcSem::End(_)) && depth == 0 {
            return Ok(Some(next));
        }
        self.check_frame(sem, state)?;
        let jumped = self.after_jump(fc, state, &next);
        let stayed = self.after_stay(sem, state, next);
        let [jump, stay] = [self.b.label(), self.b.label()];
        self.override_vote(fc, sem, depth, jump, stay);
        self.else_branch(fc, depth);
        self.want(fc);
        self.vote(fc, sem, depth, stay);
        // A jump.
        self.b.place(jump);
        if let Ok(after) = &jumped {
            self.leave(fc, sem, depth, fc.jump, true);
            let label = self.later(after.clone());
            self.b.branch(When::Always, label);
        }
        if let Err(reason) = jumped {
            self.b.trap(format!("{}: {reason}", fc.op.name()));
        }
        self.b.place(stay);
        if always(fc, sem) {
            // No vote leads here.
            return Ok(None);
        }
        let next = stayed?;
        self.leave(fc, sem, depth, fc.stay, false);
        Ok(Some(next))
    }

    /// Loops end and break where there is one of their kind.
    fn check_frame(&self, sem: FcSem, state: &State) -> Result<(), Trap> {
        let innermost = state.loops.last().copied();
        match (sem, innermost) {
            (FcSem::Break(_) | FcSem::Continue, None) => Err("there is no loop".into()),
            (FcSem::End(kind) | FcSem::Break(kind), Some(of)) if of != kind => {
                Err(format!("the innermost loop is a {of:?}"))
            }
            _ => Ok(()),
        }
    }

    /// The stacks behind a jump.
    fn after_jump(&self, fc: &Fc, state: &State, next: &State) -> Result<State, Trap> {
        let mut after = State {
            pc: target(fc, self.setup),
            ..state.clone()
        };
        match fc.address {
            AddressOp::None => {}
            AddressOp::Pop => {
                let popped = after.calls.pop();
                after.pc = popped.ok_or("the address stack is empty")?;
            }
            AddressOp::Push if after.calls.len() >= MAX_DEPTH => {
                return Err(format!("calls are nested deeper than {MAX_DEPTH}"));
            }
            AddressOp::Push => after.calls.push(next.pc),
        }
        if matches!(fc.op.sem(), FcSem::Break(_)) {
            after.loops.pop();
        }
        Ok(after)
    }

    /// The stacks where there is no jump.
    fn after_stay(&self, sem: FcSem, state: &State, next: State) -> Result<State, Trap> {
        let mut after = next;
        match sem {
            FcSem::Begin(_) if state.loops.len() >= MAX_DEPTH => {
                return Err(format!("loops are nested deeper than {MAX_DEPTH}"));
            }
            FcSem::Begin(kind) => after.loops.push(kind),
            FcSem::End(_) => {
                after.loops.pop();
            }
            FcSem::Jump | FcSem::Break(_) | FcSem::Continue => {}
        }
        Ok(after)
    }

    /// Loops without iterations do not ask the pixels.
    fn override_vote(
        &mut self,
        fc: &Fc,
        sem: FcSem,
        depth: usize,
        jump: lanes::Label,
        stay: lanes::Label,
    ) {
        let index = fc.integer;
        match sem {
            FcSem::Begin(_) => {
                let count = self.constant(Constant::Int { index, part: 0 });
                // Nothing to vote on, so nobody wants to jump.
                clear(&mut self.b, WANT);
                self.b.branch(When::Zero(count), jump);
            }
            FcSem::End(_) => {
                let frame = Self::frame(depth - 1);
                clear(&mut self.b, frame + CONTINUED);
                self.activate(depth);
                let count = frame + COUNT;
                self.b
                    .uniform(ISub, count, &[Src::Scalar(count), Src::Const(1)]);
                clear(&mut self.b, WANT);
                self.b.branch(When::Zero(count), stay);
            }
            FcSem::Jump | FcSem::Break(_) | FcSem::Continue => {}
        }
    }

    /// ACTIVE from the branches and the innermost `depth` loops.
    fn activate(&mut self, depth: usize) {
        copy(&mut self.b, ACTIVE, BRANCH);
        for depth in 0..depth {
            let frame = Self::frame(depth);
            wide(
                &mut self.b,
                WideOp::AndNot64,
                ACTIVE,
                ACTIVE,
                frame + BROKEN,
            );
            wide(
                &mut self.b,
                WideOp::AndNot64,
                ACTIVE,
                ACTIVE,
                frame + CONTINUED,
            );
        }
        if self.ends_early() {
            wide(&mut self.b, WideOp::AndNot64, ACTIVE, ACTIVE, DONE);
        }
    }

    /// B_ELSE: those disabled by the innermost branch and the active ones change places. Those that stop want to jump.
    fn else_branch(&mut self, fc: &Fc, depth: usize) {
        clear(&mut self.b, WANT);
        if !fc.b_else {
            return;
        }
        let counter = Src::Row(self.counter);
        copy(&mut self.b, WANT, ACTIVE);
        wide(&mut self.b, WideOp::AndNot64, ACTIVE, START, BRANCH);
        compare(&mut self.b, IEq, TEMP, counter, ZERO);
        copy(&mut self.b, ACTIVE, WANT);
        self.b.alu(Mov, self.counter, &[ZERO]);
        wide(&mut self.b, WideOp::AndNot64, BRANCH, BRANCH, WANT);
        wide(&mut self.b, WideOp::Or64, BRANCH, BRANCH, TEMP);
        self.activate(depth);
    }

    /// WANT gets the active pixels for which JUMP_FUNC holds.
    fn want(&mut self, fc: &Fc) {
        // One table of ALU result and predicate for each value of the boolean.
        let table = |boolean: u8| {
            (0..4).fold(0, |table, at: u8| {
                let bit = fc.jump_func >> (2 * at + boolean) & 1;
                table | bit << at
            })
        };
        let [no, yes] = [table(0), table(1)];
        self.pixels(fc, no, TEMP + 2);
        if no != yes {
            self.pixels(fc, yes, TEMP + 4);
            let flag = self.constant(Constant::Bool(fc.boolean));
            self.b.push(Step::UniformWide {
                op: WideOp::Pick64,
                dst: TEMP + 2,
                src: [
                    Src::Scalar(TEMP + 4),
                    Src::Scalar(TEMP + 2),
                    Src::Scalar(flag),
                ],
            });
        }
        wide(&mut self.b, WideOp::Or64, WANT, WANT, TEMP + 2);
    }

    /// `dst` = active pixels for which a table of predicate and ALU result holds: bit 2 * result + predicate.
    fn pixels(&mut self, fc: &Fc, table: u8, dst: u16) {
        if table == 15 {
            copy(&mut self.b, dst, ACTIVE);
            return;
        }
        // Those of the ALU result alone.
        if let 0b0011 | 0b1100 = table {
            let op = match table {
                0b1100 => WideOp::And64,
                _ => WideOp::AndNot64,
            };
            wide(&mut self.b, op, dst, ACTIVE, RESULT);
            return;
        }
        clear(&mut self.b, dst);
        let predicate = match fc.predicate.select {
            // Without a predicate it is true.
            PredSelect::None => None,
            PredSelect::Each | PredSelect::R => Some(PREDICATES),
            PredSelect::G => Some(PREDICATES + 2),
            PredSelect::B => Some(PREDICATES + 4),
            PredSelect::A => Some(PREDICATES + 6),
        };
        for at in (0..4).filter(|at| table >> at & 1 == 1) {
            let of = TEMP + 6;
            copy(&mut self.b, of, ACTIVE);
            let wanted = (at & 1 == 1) != fc.predicate.invert;
            match (predicate, wanted) {
                (None, true) => {}
                (None, false) => continue,
                (Some(pair), true) => wide(&mut self.b, WideOp::And64, of, of, pair),
                (Some(pair), false) => wide(&mut self.b, WideOp::AndNot64, of, of, pair),
            }
            let op = match at >> 1 {
                1 => WideOp::And64,
                _ => WideOp::AndNot64,
            };
            wide(&mut self.b, op, of, of, RESULT);
            wide(&mut self.b, WideOp::Or64, dst, dst, of);
        }
    }

    /// Goes to `stay` unless the pixels decide for a jump.
    fn vote(&mut self, fc: &Fc, sem: FcSem, depth: usize, stay: lanes::Label) {
        if matches!(sem, FcSem::Break(_) | FcSem::Continue) {
            // Pixels that a branch disabled are against it.
            wide(&mut self.b, WideOp::AndNot64, TEMP, START, BRANCH);
            if matches!(sem, FcSem::Break(_)) {
                let continued = Self::frame(depth - 1) + CONTINUED;
                wide(&mut self.b, WideOp::Or64, TEMP, TEMP, continued);
            }
            wide(&mut self.b, WideOp::AndNot64, TEMP, TEMP, DONE);
            if fc.ignore_uncovered {
                wide(&mut self.b, WideOp::And64, TEMP, TEMP, COVERED);
            }
            self.b.branch(When::MaskNonZero(TEMP), stay);
        }
        // Pixels that ELSE stopped vote, too.
        wide(&mut self.b, WideOp::Or64, TEMP, ACTIVE, WANT);
        if fc.ignore_uncovered {
            wide(&mut self.b, WideOp::And64, TEMP, TEMP, COVERED);
        }
        match fc.jump_any {
            true => {
                wide(&mut self.b, WideOp::And64, TEMP, TEMP, WANT);
                self.b.branch(When::MaskZero(TEMP), stay);
            }
            false => {
                wide(&mut self.b, WideOp::AndNot64, TEMP, TEMP, WANT);
                self.b.branch(When::MaskNonZero(TEMP), stay);
            }
        }
    }

    /// What a decision does to counters, loops and active pixels.
    fn leave(&mut self, fc: &Fc, sem: FcSem, depth: usize, op: BranchOp, jumps: bool) {
        match (sem, jumps) {
            (FcSem::Break(_), false) => self.remember(depth, BROKEN),
            (FcSem::Continue, _) => self.remember(depth, CONTINUED),
            _ => {}
        }
        self.branch_counters(fc, op, jumps);
        let mut depth = depth;
        match (sem, jumps) {
            (FcSem::Begin(kind), false) => {
                self.begin_loop(fc.integer, kind, depth);
                depth += 1;
            }
            (FcSem::End(LoopKind::Loop), true) => self.step_variable(fc.integer, depth),
            (FcSem::End(_), false) | (FcSem::Break(_), true) => depth -= 1,
            _ => {}
        }
        self.activate(depth);
    }

    /// Active pixels that want to go leave the loop or the iteration.
    fn remember(&mut self, depth: usize, part: u16) {
        let pair = Self::frame(depth - 1) + part;
        wide(&mut self.b, WideOp::And64, TEMP, ACTIVE, WANT);
        wide(&mut self.b, WideOp::Or64, pair, pair, TEMP);
    }

    fn begin_loop(&mut self, index: u8, kind: LoopKind, depth: usize) {
        let frame = Self::frame(depth);
        let count = self.constant(Constant::Int { index, part: 0 });
        self.b.uniform(Mov, frame + COUNT, &[Src::Scalar(count)]);
        if kind == LoopKind::Loop {
            let first = self.constant(Constant::Int { index, part: 1 });
            self.b.uniform(Mov, frame + VARIABLE, &[Src::Scalar(first)]);
        }
        clear(&mut self.b, frame + BROKEN);
        clear(&mut self.b, frame + CONTINUED);
    }

    fn step_variable(&mut self, index: u8, depth: usize) {
        let variable = Self::frame(depth - 1) + VARIABLE;
        let step = self.constant(Constant::Int { index, part: 2 });
        let sum = [Src::Scalar(variable), Src::Scalar(step)];
        self.b.uniform(IAdd, variable, &sum);
    }

    fn branch_counters(&mut self, fc: &Fc, op: BranchOp, jumps: bool) {
        let counter = Src::Row(self.counter);
        match op {
            BranchOp::None => {}
            BranchOp::Decr => {
                wide(&mut self.b, WideOp::AndNot64, ACTIVE, START, BRANCH);
                let count = Src::Const(fc.pop_count.into());
                self.b.alu(ISub, self.counter, &[counter, count]);
                compare(&mut self.b, ILt, TEMP, counter, ZERO);
                wide(&mut self.b, WideOp::Or64, BRANCH, BRANCH, TEMP);
            }
            BranchOp::Incr => {
                // Active pixels that decided otherwise.
                let otherwise = match jumps {
                    true => WideOp::AndNot64,
                    false => WideOp::And64,
                };
                wide(&mut self.b, otherwise, TEMP + 2, ACTIVE, WANT);
                wide(&mut self.b, WideOp::AndNot64, ACTIVE, START, BRANCH);
                self.b.alu(IAdd, self.counter, &[counter, Src::Const(1)]);
                let highest = if self.setup.full_flow { 31 } else { 3 };
                compare(&mut self.b, IGt, TEMP, counter, Src::Const(highest));
                let within = self.b.label();
                self.b.branch(When::MaskZero(TEMP), within);
                let limit = highest + 1;
                self.b
                    .trap(format!("branches are nested deeper than {limit}"));
                self.b.place(within);
                copy(&mut self.b, ACTIVE, TEMP + 2);
                self.b.alu(Mov, self.counter, &[ZERO]);
                wide(&mut self.b, WideOp::AndNot64, BRANCH, BRANCH, TEMP + 2);
            }
        }
    }
}

/// Every vote ends in a jump.
fn always(fc: &Fc, sem: FcSem) -> bool {
    sem == FcSem::Jump && fc.jump_func == 0xff && !fc.jump_any && !fc.b_else
}
