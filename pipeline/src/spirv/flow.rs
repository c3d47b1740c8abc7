//! Blocks in structured control flow: constructs, the ways out of them, and what comes behind. [SPIRV 2.11]
//!
//! `break` and `continue` are jumps. What leaves a selection from further inside, and `return`, set a flag, and what
//! follows is skipped while the flag is set (`lower::flow`). A killed invocation becomes a helper that leaves every
//! loop when it would go round again.

use spirv::Op;

use super::function::{Block, End, Merge};
use super::lower::Lowerer;
use super::module::Result;
use super::words::Inst;
use crate::ir::{BlockId, LaneOp, Value};
use crate::lower::flow::{Branching, Edge, Flow, LoopHead};

/// Switches with more targets than this become a row of ifs instead of nested ones.
const NESTED_CASES: usize = 16;

/// A construct around what is being lowered.
pub(super) enum Construct {
    Selection(Selection),
    Loop(Loop),
}

/// An if or a switch.
pub(super) struct Selection {
    merge: usize,
    /// Set by what leaves it from further inside.
    flag: usize,
    /// Blocks of the cases, each with the flag that another case sets to fall into it.
    cases: Vec<(usize, usize)>,
}

/// A loop.
pub(super) struct Loop {
    header: usize,
    merge: usize,
    continuing: usize,
    to_merge: BlockId,
    to_continuing: BlockId,
    breaks: Vec<Edge>,
    continues: Vec<Edge>,
    /// Flags that may be set on the way out.
    pending: Vec<usize>,
    /// There is a way out without a flag.
    broke: bool,
    /// The continue construct is being lowered.
    in_continuing: bool,
    /// The branch at its end: condition, which side goes back, block.
    back: Option<(Value, usize, usize)>,
}

/// Where a jump leads.
enum Way {
    /// To a block that belongs to what is being lowered.
    On,
    /// Out of a construct.
    Out(Flow),
}

/// How a jump leaves, before it is made.
#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    No,
    ByJump,
    ByFlag,
}

impl<'a> Lowerer<'a> {
    fn block(&self, at: usize) -> &'a Block {
        &self.frame.function.blocks[at]
    }

    fn last(&self, at: usize) -> &'a Inst {
        &self.module.words.insts[self.block(at).last]
    }

    /// Lowers a block and what follows it, to the end of the construct around it.
    pub(super) fn walk(&mut self, start: usize) -> Result<Flow> {
        let mut at = start;
        loop {
            if std::mem::replace(&mut self.frame.seen[at], true) {
                let label = self.module.definition(self.block(at).label);
                let message = "ways meet here that are of no common construct";
                return match label {
                    Some(label) => self.error(label, message),
                    None => Ok(Flow::default()),
                };
            }
            let (flow, merge) = match self.block(at).merge {
                Some(Merge::Loop { merge, continuing }) => {
                    (self.looping(at, merge, continuing)?, merge)
                }
                _ => {
                    if self.insts(at)?.left {
                        return Ok(Flow::left());
                    }
                    match self.end(at)? {
                        Step::On(next) => {
                            at = next;
                            continue;
                        }
                        Step::Done(flow) => return Ok(flow),
                        Step::Behind(flow, merge) => (flow, merge),
                    }
                }
            };
            if !flow.ends() && !self.frame.function.reachable(merge) {
                let mut fallen = self.fall();
                fallen.add_pending(&flow.pending);
                return Ok(fallen);
            }
            if flow.ends() {
                return Ok(flow);
            }
            let raised = self.any_flag(&flow.pending);
            if self.b.known_bool(raised) != Some(false) {
                return self.behind(flow, raised, merge);
            }
            at = merge;
        }
    }

    /// What stands behind a construct that may be left with flags set.
    fn behind(&mut self, flow: Flow, raised: Value, merge: usize) -> Result<Flow> {
        let skipped = Flow {
            left: false,
            escaped: true,
            pending: flow.pending,
        };
        self.either(raised, |_| Ok(skipped), |this| this.walk(merge))
    }

    /// The instructions of a block, without its end.
    fn insts(&mut self, at: usize) -> Result<Flow> {
        let module = self.module;
        for inst in &module.words.insts[self.block(at).insts.clone()] {
            self.b.set_origin(inst.origin);
            let flow = self
                .instruction(inst)
                .map_err(|error| self.at(inst, error))?;
            if flow.left {
                return Ok(flow);
            }
        }
        let origin = self.last(at).origin;
        self.b.set_origin(origin);
        Ok(Flow::default())
    }

    /// The end of a block.
    fn end(&mut self, at: usize) -> Result<Step> {
        let block = self.block(at);
        let inst = self.last(at);
        let merge = match block.merge {
            Some(Merge::Selection(merge)) => Some(merge),
            _ => None,
        };
        match &block.end {
            End::Branch(target) => Ok(match self.jump(at, *target)? {
                Way::On => Step::On(*target),
                Way::Out(flow) => Step::Done(flow),
            }),
            End::Conditional { condition, sides } => {
                let condition = self.bit(inst, *condition)?;
                match merge {
                    Some(merge) => self.selection(at, condition, *sides, merge),
                    None => self.unmerged(at, condition, *sides),
                }
            }
            End::Switch {
                selector,
                default,
                cases,
            } => {
                let Some(merge) = merge else {
                    return self.error(inst, "there is no OpSelectionMerge before it");
                };
                let selector = self.word(inst, *selector)?;
                self.switch(at, selector, *default, cases, merge)
            }
            End::Return(value) => {
                if let Some(value) = value {
                    let words = self.words(inst, *value)?;
                    let (first, count) = self.frame.result;
                    if words.len() != count {
                        return self.error(inst, "it gives a value of another type");
                    }
                    for (at, &word) in words.iter().enumerate() {
                        if self.b.ty(word) != self.b.ty(self.env[first + at]) {
                            return self.error(inst, "it gives a value of another type");
                        }
                        self.env[first + at] = word;
                    }
                }
                Ok(Step::Done(self.give_back()))
            }
            End::Kill => {
                if self.b.function().stage != crate::ir::Stage::Fragment {
                    return self.error(inst, "only fragment shaders kill invocations");
                }
                let yes = self.b.bit(true);
                self.b.effect(crate::ir::Op::Discard, vec![yes]);
                let killed = self.killed;
                self.raise(killed);
                Ok(Step::Done(self.fall()))
            }
            End::Unreachable => Ok(Step::Done(self.fall())),
        }
    }

    fn give_back(&mut self) -> Flow {
        let returned = self.frame.returned;
        self.raise(returned);
        Flow::escaped(returned)
    }

    /// Goes on as a helper, or where control never comes: behind the selection around, or out of the function.
    fn fall(&mut self) -> Flow {
        match self.frame.constructs.last() {
            Some(Construct::Selection(selection))
                if self.frame.function.reachable(selection.merge) =>
            {
                Flow::default()
            }
            _ => self.give_back(),
        }
    }

    /// How a jump would leave the constructs.
    fn leaves(&self, target: usize) -> Leaves {
        for construct in self.frame.constructs.iter().rev() {
            match construct {
                Construct::Selection(selection) => {
                    let falls = selection.cases.iter().any(|(case, _)| *case == target);
                    if target == selection.merge || falls {
                        return Leaves::ByFlag;
                    }
                }
                Construct::Loop(looping) => {
                    let ends = [looping.merge, looping.continuing, looping.header];
                    if ends.contains(&target) {
                        return match looping.in_continuing {
                            true => Leaves::ByFlag,
                            false => Leaves::ByJump,
                        };
                    }
                }
            }
        }
        Leaves::No
    }

    /// Jumps from a block to another.
    fn jump(&mut self, from: usize, target: usize) -> Result<Way> {
        self.arrive(from, target)?;
        let innermost = self.frame.constructs.len();
        for number in (0..innermost).rev() {
            let flag = match &self.frame.constructs[number] {
                Construct::Selection(selection) => {
                    if target == selection.merge && number + 1 == innermost {
                        return Ok(Way::Out(Flow::default()));
                    }
                    let falls = selection.cases.iter().find(|(case, _)| *case == target);
                    match falls {
                        Some((_, flag)) => Some(*flag),
                        None => (target == selection.merge).then_some(selection.flag),
                    }
                }
                Construct::Loop(looping) => {
                    let in_continuing = looping.in_continuing;
                    if target == looping.header && in_continuing && number + 1 == innermost {
                        return Ok(Way::Out(Flow::default()));
                    }
                    let leaves = target == looping.merge;
                    let continues = target == looping.continuing;
                    if in_continuing && (leaves || target == looping.header) {
                        let message = "it leaves a continue construct from the middle";
                        return self.module.lacks(self.last(from), message);
                    }
                    if leaves || (continues && !in_continuing) {
                        let to = match leaves {
                            true => looping.to_merge,
                            false => looping.to_continuing,
                        };
                        let edge = self.jump_edge(to);
                        if let Construct::Loop(looping) = &mut self.frame.constructs[number] {
                            match leaves {
                                true => looping.breaks.push(edge),
                                false => looping.continues.push(edge),
                            }
                            looping.broke |= leaves;
                        }
                        return Ok(Way::Out(Flow::left()));
                    }
                    if target == looping.header {
                        let message =
                            "it goes back to a loop from outside of its continue construct";
                        return self.error(self.last(from), message);
                    }
                    None
                }
            };
            if let Some(flag) = flag {
                self.raise(flag);
                return Ok(Way::Out(Flow::escaped(flag)));
            }
        }
        Ok(Way::On)
    }

    /// One side of a branch.
    fn side(&mut self, from: usize, target: usize) -> Result<Flow> {
        match self.jump(from, target)? {
            Way::On => self.walk(target),
            Way::Out(flow) => Ok(flow),
        }
    }

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

    fn selection(
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
    fn unmerged(&mut self, at: usize, condition: Value, sides: [usize; 2]) -> Result<Step> {
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
    fn stay(&mut self, flow: Flow, from: usize, to: usize) -> Result<Step> {
        if flow.ends() {
            return Ok(Step::Done(flow));
        }
        Ok(match self.jump(from, to)? {
            Way::On => Step::On(to),
            Way::Out(flow) => Step::Done(flow),
        })
    }

    fn switch(
        &mut self,
        at: usize,
        selector: Value,
        default: usize,
        cases: &[(u32, usize)],
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
            let literal = self.b.word(literal);
            let hit = self.b.alu(LaneOp::IEq, &[selector, literal]);
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

    fn looping(&mut self, header: usize, merge: usize, continuing: usize) -> Result<Flow> {
        let module = self.module;
        let block = self.block(header);
        let mut varies: Vec<usize> = Vec::new();
        for inst in &module.words.insts[block.insts.clone()] {
            if inst.op == Op::Phi {
                varies.extend(self.slots_of(inst.id));
            }
        }
        if self.kills(header, merge) {
            varies.push(self.killed);
        }
        let head = self.open_loop(&varies)?;
        self.frame.constructs.push(Construct::Loop(Loop {
            header,
            merge,
            continuing,
            to_merge: head.merge,
            to_continuing: head.continuing,
            breaks: Vec::new(),
            continues: Vec::new(),
            pending: Vec::new(),
            broke: false,
            in_continuing: false,
            back: None,
        }));
        let flow = self.body(header)?;
        if !flow.left {
            self.leave_loop(&flow.pending, false);
        }
        let continues = std::mem::take(&mut self.innermost().continues);
        let reached = !continues.is_empty();
        self.meet(head.continuing, continues, head.mark);
        if reached {
            self.continue_construct(&head, header, continuing)?;
        }
        let Some(Construct::Loop(looping)) = self.frame.constructs.pop() else {
            return Ok(Flow::left());
        };
        self.leave();
        let left = looping.breaks.is_empty();
        self.meet(head.merge, looping.breaks, head.mark);
        Ok(Flow {
            left,
            escaped: !left && !looping.broke,
            pending: looping.pending,
        })
    }

    /// From the header of a loop on.
    fn body(&mut self, header: usize) -> Result<Flow> {
        if self.insts(header)?.left {
            return Ok(Flow::left());
        }
        match self.end(header)? {
            Step::On(next) => self.walk(next),
            Step::Done(flow) => Ok(flow),
            Step::Behind(flow, _) => Ok(flow),
        }
    }

    fn innermost(&mut self) -> &mut Loop {
        match self.frame.constructs.last_mut() {
            Some(Construct::Loop(looping)) => looping,
            _ => unreachable!("the loop that was opened is the innermost construct"),
        }
    }

    /// Jumps out of the innermost loop, with flags that may be set.
    fn leave_loop(&mut self, pending: &[usize], broke: bool) {
        let to = self.innermost().to_merge;
        let edge = self.jump_edge(to);
        let looping = self.innermost();
        looping.breaks.push(edge);
        looping.broke |= broke;
        for flag in pending {
            if !looping.pending.contains(flag) {
                looping.pending.push(*flag);
            }
        }
    }

    fn continue_construct(
        &mut self,
        head: &LoopHead,
        header: usize,
        continuing: usize,
    ) -> Result<()> {
        if continuing != header {
            self.innermost().in_continuing = true;
            let flow = self.walk(continuing)?;
            if flow.left {
                return Ok(());
            }
            if !flow.pending.is_empty() {
                let last = self.last(continuing);
                let message = "a continue construct that is left from the middle";
                return self.module.lacks(last, message);
            }
        }
        let merge = self.innermost().merge;
        let killed = self.env[self.killed];
        let mut leave = killed;
        let back = self.innermost().back;
        let before = self.env.clone();
        if let Some((condition, side, at)) = back {
            let out = match side {
                0 => self.b.not(condition),
                _ => condition,
            };
            leave = self.b.or(killed, out);
            self.arrive(at, merge)?;
        }
        let way_back = match self.b.known_bool(leave) {
            Some(true) => {
                self.leave_loop(&[], true);
                return Ok(());
            }
            Some(false) => self.b.jump(head.header),
            None => {
                let [out, way_back] = self.b.branch(leave, head.merge, head.header, head.merge);
                let edge = self.edge(out);
                let looping = self.innermost();
                looping.breaks.push(edge);
                looping.broke = true;
                way_back
            }
        };
        self.env = before;
        if let Some((_, _, at)) = back {
            self.arrive(at, header)?;
        }
        self.close_loop(head, way_back);
        Ok(())
    }

    /// Whether invocations may be killed in a loop.
    fn kills(&self, header: usize, merge: usize) -> bool {
        let function = self.frame.function;
        let inside = |at: &usize| {
            function.dominates(header, *at)
                && !(function.reachable(merge) && function.dominates(merge, *at))
        };
        (0..function.blocks.len()).filter(inside).any(|at| {
            let block = &function.blocks[at];
            matches!(block.end, End::Kill) || self.calls_kill(block)
        })
    }

    fn calls_kill(&self, block: &Block) -> bool {
        self.module.words.insts[block.insts.clone()]
            .iter()
            .any(|inst| {
                let callee = self.module.words.operands(inst).first();
                inst.op == Op::FunctionCall && callee.is_some_and(|id| self.uses.kills(*id))
            })
    }
}

/// A case of a switch.
struct Case {
    target: usize,
    chosen: Value,
    /// The flag by which others fall into it; none for a way out.
    fell: Option<usize>,
}

/// What follows the end of a block.
enum Step {
    On(usize),
    Done(Flow),
    /// A construct is done, and its merge comes next.
    Behind(Flow, usize),
}

/// The flow behind a selection, whose flag no longer matters.
fn close(mut flow: Flow, flag: usize) -> Flow {
    flow.escaped &= !flow.pending.contains(&flag);
    flow.pending.retain(|pending| *pending != flag);
    flow
}
