//! Branches, loops and calls: what each control-flow instruction does to the masks and the stack.

use lanes::LaneOp::{IAdd, ISub};
use lanes::{Src, Step, When, WideOp};

use super::super::cf::{CfSem, Flow, LoopKind};
use super::super::words::Cond;
use super::flow::{
    Frame, Instruction, LEVEL_ACTIVE, LEVEL_BROKEN, LEVEL_CONTINUED, LEVEL_COUNT, LEVEL_INDEX,
    LEVEL_LANES, Lifter, Passing, State,
};
use super::operation::{clear, copy, wide};
use super::{ACTIVE, Action, BROKEN, CONSTANTS, CONTINUED, Constant, Kind, TEMP, VALID};

impl Lifter<'_> {
    pub(super) fn in_loop(stack: &[Frame]) -> bool {
        stack
            .iter()
            .any(|frame| matches!(frame, Frame::Loop { .. }))
    }

    pub(super) fn push_mask(&mut self, stack: &mut Vec<Frame>) {
        let level = self.level(stack.len());
        copy(&mut self.b, level + LEVEL_ACTIVE, ACTIVE);
        stack.push(Frame::Mask);
    }

    fn push_full(&mut self, stack: &mut Vec<Frame>, frame: Frame) {
        let level = self.level(stack.len());
        copy(&mut self.b, level + LEVEL_ACTIVE, ACTIVE);
        copy(&mut self.b, level + LEVEL_BROKEN, BROKEN);
        if self.continues {
            copy(&mut self.b, level + LEVEL_CONTINUED, CONTINUED);
        }
        stack.push(frame);
    }

    /// `pair &= !(broken | continued)`
    fn without_gone(&mut self, pair: u16) {
        wide(&mut self.b, WideOp::AndNot64, pair, pair, BROKEN);
        if self.continues {
            wide(&mut self.b, WideOp::AndNot64, pair, pair, CONTINUED);
        }
    }

    /// Restores lane state. Lanes that broke or continued since the push stay away. [R600 3.6, ERRATA 20]
    pub(super) fn pop(&mut self, stack: &mut Vec<Frame>, count: u8) -> Result<(), String> {
        for _ in 0..count {
            let Some(frame) = stack.pop() else {
                return Err("pops from an empty stack".into());
            };
            let level = self.level(stack.len());
            match frame {
                Frame::Mask if Self::in_loop(stack) => {
                    // The mask is written once.
                    let left = match self.continues {
                        true => {
                            let left = TEMP + 2;
                            wide(&mut self.b, WideOp::Or64, left, BROKEN, CONTINUED);
                            left
                        }
                        false => BROKEN,
                    };
                    let saved = level + LEVEL_ACTIVE;
                    wide(&mut self.b, WideOp::AndNot64, ACTIVE, saved, left);
                }
                Frame::Mask => copy(&mut self.b, ACTIVE, level + LEVEL_ACTIVE),
                Frame::Full => {
                    copy(&mut self.b, ACTIVE, level + LEVEL_ACTIVE);
                    let both = [(BROKEN, LEVEL_BROKEN), (CONTINUED, LEVEL_CONTINUED)];
                    for (gone, saved) in both.into_iter().take(1 + usize::from(self.continues)) {
                        // Of the lanes gone now, those that were live at the push count.
                        wide(&mut self.b, WideOp::And64, gone, gone, ACTIVE);
                        wide(&mut self.b, WideOp::Or64, gone, gone, level + saved);
                    }
                    self.without_gone(ACTIVE);
                }
                Frame::Loop { .. } => return Err("pops the entry of a loop".into()),
                Frame::Return { .. } => return Err("pops the entry of a call".into()),
            }
        }
        Ok(())
    }

    /// ELSE without its jump: swaps the sides of the entry on top of the stack.
    pub(super) fn swap(
        &mut self,
        stack: &[Frame],
        cond: (Cond, u8),
        valid: bool,
    ) -> Result<(), String> {
        let Some(Frame::Mask | Frame::Full) = stack.last() else {
            return Err("finds no pushed lane state on top of the stack".into());
        };
        let level = self.level(stack.len() - 1);
        let reversed = TEMP + 2;
        // Lanes that were active at the push and are not now; those that are now, of the same condition, go.
        let saved = level + LEVEL_ACTIVE;
        if Self::in_loop(stack) {
            wide(&mut self.b, WideOp::AndNot64, reversed, saved, BROKEN);
            if self.continues {
                wide(&mut self.b, WideOp::AndNot64, reversed, reversed, CONTINUED);
            }
        } else {
            copy(&mut self.b, reversed, saved);
        }
        if valid {
            wide(&mut self.b, WideOp::And64, reversed, reversed, VALID);
        }
        let (cond, constant) = cond;
        if cond != Cond::Active {
            let flag = self.constants.get(&Constant::Bool(constant));
            let flag = flag.map_or(Src::Const(0), |slot| Src::Scalar(*slot));
            let (yes, no) = match cond {
                Cond::Bool => (Src::Scalar(reversed), Src::Const(0)),
                Cond::NotBool => (Src::Const(0), Src::Scalar(reversed)),
                _ => (Src::Const(0), Src::Const(0)),
            };
            self.b.push(Step::UniformWide {
                op: WideOp::Pick64,
                dst: reversed,
                src: [yes, no, flag],
            });
        }
        wide(&mut self.b, WideOp::Xor64, ACTIVE, ACTIVE, reversed);
        if valid {
            wide(&mut self.b, WideOp::And64, ACTIVE, ACTIVE, VALID);
        }
        Ok(())
    }

    /// Goes to `to` with entries popped where `when` holds.
    fn jump(&mut self, when: Option<When>, to: &State, pops: u8) -> Result<(), String> {
        let mut target = to.clone();
        let Some(when) = when else { return Ok(()) };
        if pops == 0 {
            self.go(when, target);
            return Ok(());
        }
        let over = self.b.label();
        let always = when == When::Always;
        if !always {
            self.b.branch(opposite(when), over);
        }
        let popped = self.pop(&mut target.stack, pops);
        match popped {
            Ok(()) => self.go(When::Always, target),
            Err(reason) if always => return Err(reason),
            // Only the way that jumps is wrong.
            Err(reason) => self.b.trap(reason),
        }
        self.b.place(over);
        Ok(())
    }

    pub(super) fn flow(
        &mut self,
        inst: &Flow,
        state: &State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let target = State {
            place: Instruction {
                at: inst.addr,
                ..state.place
            },
            ..state.clone()
        };
        match inst.op.sem() {
            CfSem::Nop | CfSem::Tex | CfSem::Vtx => {}
            CfSem::Jump => {
                let passing = self.test_flow(inst);
                self.jump(Self::when_none(passing), &target, inst.pop_count)?;
                if passing == Passing::None {
                    return Ok(None);
                }
            }
            CfSem::Push => return self.push_passing(inst, &target, next),
            CfSem::PushElse => {
                self.push(inst, &mut next.stack);
                self.swap(
                    &next.stack,
                    (inst.cond, inst.cf_const),
                    inst.valid_pixel_mode,
                )?;
                let target = State {
                    stack: next.stack.clone(),
                    ..target
                };
                self.jump(Some(When::MaskZero(ACTIVE)), &target, 0)?;
            }
            CfSem::Pop => {
                self.pop(&mut next.stack, inst.pop_count)?;
                match self.test_flow(inst) {
                    Passing::Active => {}
                    Passing::Pair(pair) => copy(&mut self.b, ACTIVE, pair),
                    Passing::None => clear(&mut self.b, ACTIVE),
                }
            }
            CfSem::Else => {
                self.swap(
                    &state.stack,
                    (inst.cond, inst.cf_const),
                    inst.valid_pixel_mode,
                )?;
                self.jump(Some(When::MaskZero(ACTIVE)), &target, inst.pop_count)?;
            }
            CfSem::LoopStart(kind) => return self.loop_start(inst, kind, target, next),
            CfSem::LoopEnd => return self.loop_end(inst, target, next),
            CfSem::Break | CfSem::Continue => self.leave_loop(inst, target)?,
            CfSem::Call => self.call(inst, next.place, target)?,
            CfSem::CallFs => {
                if state.place.fetch {
                    return Err("inside a fetch program".into());
                }
                if self.setup.fetch.is_some() {
                    let mut target = target;
                    target.place.fetch = true;
                    self.call(inst, next.place, target)?;
                }
            }
            CfSem::Return => {
                let Some(Frame::Return { place, depth }) = next.stack.pop() else {
                    return Err("outside a subroutine, or with lane state still pushed".into());
                };
                next.place = place;
                next.depth = depth;
                self.go(When::Always, next);
                return Ok(None);
            }
            CfSem::Emit { vertex, cut } => {
                if self.setup.kind != Kind::Geometry {
                    return Err("outside a geometry program".into());
                }
                let passing = self.test_flow(inst);
                self.masked_port(passing, Action::Emit { vertex, cut });
            }
            CfSem::Kill => {
                if self.setup.kind != Kind::Pixel {
                    return Err("outside a pixel program".into());
                }
                if let Some(pair) = self.test_flow(inst).pair() {
                    wide(&mut self.b, WideOp::AndNot64, VALID, VALID, pair);
                }
                self.jump(Some(When::MaskZero(VALID)), &target, 0)?;
            }
        }
        Ok(Some(next))
    }

    /// PUSH: jumps where no lane passes, else pushes the lanes and keeps those that do.
    fn push_passing(
        &mut self,
        inst: &Flow,
        target: &State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let passing = self.test_flow(inst);
        self.jump(Self::when_none(passing), target, inst.pop_count)?;
        self.push(inst, &mut next.stack);
        match passing {
            Passing::None => return Ok(None),
            Passing::Active => {}
            Passing::Pair(pair) => {
                if Self::in_loop(&next.stack) {
                    wide(&mut self.b, WideOp::AndNot64, BROKEN, BROKEN, pair);
                    wide(&mut self.b, WideOp::AndNot64, CONTINUED, CONTINUED, pair);
                }
                copy(&mut self.b, ACTIVE, pair);
            }
        }
        Ok(Some(next))
    }

    fn push(&mut self, inst: &Flow, stack: &mut Vec<Frame>) {
        match inst.whole_quad_mode {
            true => self.push_full(stack, Frame::Full),
            false => self.push_mask(stack),
        }
    }

    fn call(&mut self, inst: &Flow, place: Instruction, mut target: State) -> Result<(), String> {
        let passing = self.test_flow(inst);
        let depth = target.depth + inst.call_count;
        if depth > 32 || passing == Passing::None {
            return Ok(());
        }
        target.stack.push(Frame::Return {
            place,
            depth: target.depth,
        });
        target.depth = depth;
        let when = match Self::when_none(passing) {
            Some(when) => opposite(when),
            None => When::Always,
        };
        self.go(when, target);
        Ok(())
    }

    fn loop_start(
        &mut self,
        inst: &Flow,
        kind: LoopKind,
        mut after: State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let program = self.code(after.place.fetch);
        after.place.at = program.after_loop(inst, next.place.at - 1);
        let constant = inst.cf_const;
        let part = |lifter: &Lifter<'_>, part| {
            let index = constant;
            let slot = lifter.constants.get(&Constant::Loop { index, part });
            slot.copied().unwrap_or(CONSTANTS)
        };
        if kind != LoopKind::Dx10 {
            let count = part(self, 0);
            self.jump(Some(When::Zero(count)), &after, inst.pop_count)?;
        }
        let passing = self.test_flow(inst);
        self.jump(Self::when_none(passing), &after, inst.pop_count)?;
        let level = self.level(next.stack.len());
        self.push_full(&mut next.stack, Frame::Loop { kind, constant });
        match passing {
            Passing::None => return Ok(None),
            Passing::Active => {}
            Passing::Pair(pair) => copy(&mut self.b, ACTIVE, pair),
        }
        copy(&mut self.b, level + LEVEL_LANES, ACTIVE);
        clear(&mut self.b, BROKEN);
        clear(&mut self.b, CONTINUED);
        let mov = lanes::LaneOp::Mov;
        if kind != LoopKind::Dx10 {
            let count = part(self, 0);
            self.b
                .uniform(mov, level + LEVEL_COUNT, &[Src::Scalar(count)]);
        }
        if kind == LoopKind::Dx9 {
            let first = part(self, 1);
            self.b
                .uniform(mov, level + LEVEL_INDEX, &[Src::Scalar(first)]);
        }
        Ok(Some(next))
    }

    fn loop_end(
        &mut self,
        inst: &Flow,
        mut body: State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let Some(Frame::Loop { kind, constant }) = next.stack.pop() else {
            return Err("finds no loop on top of the stack".into());
        };
        body.stack = next.stack.clone();
        body.stack.push(Frame::Loop { kind, constant });
        let level = self.level(next.stack.len());
        // Lanes that finished the iteration early take part again, before the test. [R600 3.7, guide 10.4]
        wide(
            &mut self.b,
            WideOp::AndNot64,
            ACTIVE,
            level + LEVEL_LANES,
            BROKEN,
        );
        clear(&mut self.b, CONTINUED);
        let over = self.b.label();
        if kind != LoopKind::Dx10 {
            let count = level + LEVEL_COUNT;
            self.b
                .uniform(ISub, count, &[Src::Scalar(count), Src::Const(1)]);
        }
        if kind == LoopKind::Dx9 {
            let index = level + LEVEL_INDEX;
            let part = Constant::Loop {
                index: constant,
                part: 2,
            };
            let step = self.constants.get(&part).copied().unwrap_or(CONSTANTS);
            self.b
                .uniform(IAdd, index, &[Src::Scalar(index), Src::Scalar(step)]);
        }
        if kind != LoopKind::Dx10 {
            self.b.branch(When::Zero(level + LEVEL_COUNT), over);
        }
        if let Some(pair) = self.test_flow(inst).pair() {
            self.go(When::MaskNonZero(pair), body);
        }
        self.b.place(over);
        copy(&mut self.b, ACTIVE, level + LEVEL_ACTIVE);
        copy(&mut self.b, BROKEN, level + LEVEL_BROKEN);
        if self.continues {
            copy(&mut self.b, CONTINUED, level + LEVEL_CONTINUED);
        }
        Ok(Some(next))
    }

    fn leave_loop(&mut self, inst: &Flow, mut end: State) -> Result<(), String> {
        let innermost = |frame: &Frame| matches!(frame, Frame::Loop { .. });
        let Some(level) = end.stack.iter().rposition(innermost) else {
            return Err("outside a loop".into());
        };
        if end.stack[level..]
            .iter()
            .any(|frame| matches!(frame, Frame::Return { .. }))
        {
            return Err("leaves a subroutine".into());
        }
        end.stack.truncate(level + 1);
        let lanes = self.level(level) + LEVEL_LANES;
        let gone = match inst.op.sem() {
            CfSem::Break => BROKEN,
            _ => CONTINUED,
        };
        let Some(pair) = self.test_flow(inst).pair() else {
            return Ok(());
        };
        wide(&mut self.b, WideOp::And64, TEMP, pair, lanes);
        wide(&mut self.b, WideOp::Or64, gone, gone, TEMP);
        wide(&mut self.b, WideOp::AndNot64, ACTIVE, ACTIVE, TEMP);
        // The iteration is over when no lane of the loop is left in it, not even one that waits in a branch.
        wide(&mut self.b, WideOp::AndNot64, TEMP, lanes, BROKEN);
        if self.continues {
            wide(&mut self.b, WideOp::AndNot64, TEMP, TEMP, CONTINUED);
        }
        self.go(When::MaskZero(TEMP), end);
        Ok(())
    }
}

/// The condition that holds where the other does not.
fn opposite(when: When) -> When {
    match when {
        // Used for conditions on masks and counts only.
        When::Always => When::Always,
        When::Zero(at) => When::NonZero(at),
        When::NonZero(at) => When::Zero(at),
        When::MaskZero(at) => When::MaskNonZero(at),
        When::MaskNonZero(at) => When::MaskZero(at),
    }
}
