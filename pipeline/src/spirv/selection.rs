//! Ifs and switches: their sides, the ways out of them, cases that fall into others.

use super::flow::{Construct, Leaves, Selection, Step, Way};
use super::function::End;
use super::lower::Lowerer;
use super::module::Result;
use crate::ir::{LaneOp, Value};
use crate::lower::flow::{Branching, Flow};

/// Switches with more targets than this become a row of ifs instead of nested ones.
const NESTED_CASES: usize = 16;

impl<'a> Lowerer<'a> {
    /// Whether ways from a block that is not above a merge end with a flag set.
    fn escapes(&self, from: usize) -> bool {
        let mut open = vec![from];
        let mut seen = std::collections::HashSet::new();
        while let Some(at) = open.pop() {
            match self.leaves(at) {
                Leaves::ByJump => continue,
                Leaves::ByFlag => return true,
                Leaves::No => {}
            }
            if !seen.insert(at) {
                continue;
            }
            if let End::Return(_) = self.block(at).end {
                return true;
            }
            open.extend(self.block(at).targets());
        }
        false
    }

    pub(super) fn selection(
        &mut self,
        at: usize,
        condition: Value,
        sides: [usize; 2],
        merge: usize,
    ) -> Result<Step> {
        let mark = self.env.len();
        let function = self.frame.function;
        // When one side never comes to the merge, what is behind belongs to the other side.
        let main = (0..2).find(|&side| {
            let (this, other) = (sides[side], sides[1 - side]);
            this != merge
                && other != merge
                && function.reachable(merge)
                && function.dominates(this, merge)
                && self.escapes(other)
        });
        let flag = self.flag();
        self.frame.constructs.push(Construct::Selection(Selection {
            merge,
            flag,
            cases: Vec::new(),
        }));
        let run = |this: &mut Self, side: usize| -> Result<Flow> {
            let flow = this.side(at, sides[side])?;
            if main != Some(side) {
                return Ok(flow);
            }
            let construct = this.frame.constructs.pop();
            let mut flow = close(flow, flag);
            if !flow.ends() {
                let raised = this.any_flag(&flow.pending);
                flow = match this.b.known_bool(raised) {
                    Some(false) => this.walk(merge)?,
                    _ => this.behind(flow, raised, merge)?,
                };
            }
            this.frame.constructs.extend(construct);
            Ok(flow)
        };
        let flow = self.either(condition, |this| run(this, 0), |this| run(this, 1))?;
        self.frame.constructs.pop();
        let flow = close(flow, flag);
        if main.is_some() {
            return Ok(Step::Done(flow));
        }
        if !flow.left {
            self.drop_slots(mark);
        }
        Ok(Step::Behind(flow, merge))
    }

    /// A branch without a merge of its own: at least one side leaves a construct.
    pub(super) fn unmerged(
        &mut self,
        at: usize,
        condition: Value,
        sides: [usize; 2],
    ) -> Result<Step> {
        let [yes, no] = sides;
        if yes == no {
            return self.stay(Flow::default(), at, yes);
        }
        if let Some(Construct::Loop(looping)) = self.frame.constructs.last_mut()
            && looping.in_continuing
            && let Some(side) = sides.iter().position(|side| *side == looping.header)
            && sides[1 - side] == looping.merge
        {
            looping.back = Some((condition, side, at));
            return Ok(Step::Done(Flow::default()));
        }
        let on = |_: &mut Self| Ok(Flow::default());
        match sides.map(|side| self.leaves(side)) {
            [Leaves::No, Leaves::No] => {
                let message = "both sides stay, and there is no OpSelectionMerge before it";
                self.error(self.last(at), message)
            }
            [Leaves::ByJump, Leaves::No] => {
                let flow = self.either(condition, |this| this.side(at, yes), on)?;
                self.stay(flow, at, no)
            }
            [Leaves::No, Leaves::ByJump] => {
                let flow = self.either(condition, on, |this| this.side(at, no))?;
                self.stay(flow, at, yes)
            }
            _ => {
                let flow = self.either(
                    condition,
                    |this| this.side(at, yes),
                    |this| this.side(at, no),
                )?;
                Ok(Step::Done(flow))
            }
        }
    }

    /// Goes on to a block, unless another way is known to be taken.
    pub(super) fn stay(&mut self, flow: Flow, from: usize, to: usize) -> Result<Step> {
        if flow.ends() {
            return Ok(Step::Done(flow));
        }
        Ok(match self.jump(from, to)? {
            Way::On => Step::On(to),
            Way::Out(flow) => Step::Done(flow),
        })
    }

    pub(super) fn switch(
        &mut self,
        at: usize,
        selector: &[Value],
        default: usize,
        cases: &[([u32; 2], usize)],
        merge: usize,
    ) -> Result<Step> {
        let mark = self.env.len();
        let function = self.frame.function;
        let mut targets: Vec<usize> = cases.iter().map(|(_, target)| *target).collect();
        targets.push(default);
        // A case comes after those that fall into it.
        targets.sort_by_key(|target| function.blocks[*target].order);
        targets.dedup();
        for &target in &targets {
            self.arrive(at, target)?;
        }
        targets.retain(|target| *target != merge);
        let never = self.b.bit(false);
        let mut any = never;
        let mut chosen: Vec<Value> = vec![never; targets.len()];
        for &(literal, target) in cases {
            let mut hit = self.b.bit(true);
            for (&word, literal) in selector.iter().zip(literal) {
                let literal = self.b.word(literal);
                let same = self.b.alu(LaneOp::IEq, &[word, literal]);
                hit = self.b.and(hit, same);
            }
            any = self.b.or(any, hit);
            if let Some(case) = targets.iter().position(|of| *of == target) {
                chosen[case] = self.b.or(chosen[case], hit);
            }
        }
        if let Some(case) = targets.iter().position(|of| *of == default) {
            let none = self.b.not(any);
            chosen[case] = self.b.or(chosen[case], none);
        }
        let flag = self.flag();
        // A case may also be a way out of what is around: such a block is not lowered here.
        let outside: Vec<bool> = targets
            .iter()
            .map(|t| self.leaves(*t) != Leaves::No)
            .collect();
        let inside = targets
            .iter()
            .zip(&outside)
            .filter(|(_, outside)| !**outside);
        let inside: Vec<usize> = inside.map(|(target, _)| *target).collect();
        let falls = inside
            .iter()
            .any(|case| function.blocks[*case].before != [at]);
        let flags: Vec<(usize, usize)> = inside.iter().map(|case| (*case, self.flag())).collect();
        self.frame.constructs.push(Construct::Selection(Selection {
            merge,
            flag,
            cases: flags.clone(),
        }));
        let cases: Vec<Case> = targets
            .iter()
            .zip(chosen)
            .map(|(&target, chosen)| Case {
                target,
                chosen,
                fell: flags
                    .iter()
                    .find(|(case, _)| *case == target)
                    .map(|(_, flag)| *flag),
            })
            .collect();
        let flow = match falls || cases.len() > NESTED_CASES {
            true => self.row_of_cases(at, &cases),
            false => {
                let last = |case: &&Case| case.target == default;
                let (last, first): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(last);
                let ordered: Vec<&Case> = first.into_iter().chain(last).collect();
                self.nested_cases(at, &ordered, default != merge)
            }
        }?;
        self.frame.constructs.pop();
        let mut flow = close(flow, flag);
        if !flow.left {
            self.drop_slots(mark);
        }
        flow.escaped |= !flow.pending.is_empty() && !function.reachable(merge);
        Ok(Step::Behind(flow, merge))
    }

    fn case(&mut self, from: usize, case: &Case) -> Result<Flow> {
        match case.fell {
            Some(_) => self.walk(case.target),
            None => self.side(from, case.target),
        }
    }

    /// `all` says that the last one is taken where no other is.
    fn nested_cases(&mut self, from: usize, cases: &[&Case], all: bool) -> Result<Flow> {
        match cases {
            [] => Ok(Flow::default()),
            [last] if all => self.case(from, last),
            [first, rest @ ..] => self.either(
                first.chosen,
                |this| this.case(from, first),
                |this| this.nested_cases(from, rest, all),
            ),
        }
    }

    /// Cases one after the other, each guarded; a case that falls into another opens that one's guard.
    fn row_of_cases(&mut self, from: usize, cases: &[Case]) -> Result<Flow> {
        let mut total = Flow::default();
        for case in cases {
            let mut open = case.chosen;
            if let Some(fell) = case.fell {
                let fell = self.env[fell];
                open = self.b.or(open, fell);
            }
            let mut flow =
                self.either(open, |this| this.case(from, case), |_| Ok(Flow::default()))?;
            let falls = |flag: &usize| cases.iter().any(|case| case.fell == Some(*flag));
            if flow.pending.iter().any(falls) {
                flow.escaped = false;
                flow.pending.retain(|flag| !falls(flag));
            }
            total.add_pending(&flow.pending);
            if flow.left {
                return Ok(flow);
            }
        }
        Ok(total)
    }
}

/// A case of a switch.
struct Case {
    target: usize,
    chosen: Value,
    /// The flag by which others fall into it; none for a way out.
    fell: Option<usize>,
}

/// The flow behind a selection, whose flag no longer matters.
fn close(mut flow: Flow, flag: usize) -> Flow {
    flow.escaped &= !flow.pending.contains(&flag);
    flow.pending.retain(|pending| *pending != flag);
    flow
}
