//! Blocks in structured control flow: constructs, the ways out of them, and what comes behind. [SPIRV 2.11]
//!
//! `break` and `continue` are jumps. What leaves a selection from further inside, and `return`, set a flag, and what
//! follows is skipped while the flag is set (`lower::flow`). A killed invocation becomes a helper that leaves every
//! loop when it would go round again.

use super::function::{Block, End, Merge};
use super::lower::Lowerer;
use super::module::Result;
use super::words::Inst;
use crate::ir::{BlockId, Value};
use crate::lower::flow::{Branching, Edge, Flow};

/// A construct around what is being lowered.
pub(super) enum Construct {
    Selection(Selection),
    Loop(Loop),
}

/// An if or a switch.
pub(super) struct Selection {
    pub(super) merge: usize,
    /// Set by what leaves it from further inside.
    pub(super) flag: usize,
    /// Blocks of the cases, each with the flag that another case sets to fall into it.
    pub(super) cases: Vec<(usize, usize)>,
}

/// A loop.
pub(super) struct Loop {
    pub(super) header: usize,
    pub(super) merge: usize,
    pub(super) continuing: usize,
    pub(super) to_merge: BlockId,
    pub(super) to_continuing: BlockId,
    pub(super) breaks: Vec<Edge>,
    pub(super) continues: Vec<Edge>,
    /// Flags that may be set on the way out.
    pub(super) pending: Vec<usize>,
    /// There is a way out without a flag.
    pub(super) broke: bool,
    /// The continue construct is being lowered.
    pub(super) in_continuing: bool,
    /// The branch at its end: condition, which side goes back, block.
    pub(super) back: Option<(Value, usize, usize)>,
}

/// Where a jump leads.
pub(super) enum Way {
    /// To a block that belongs to what is being lowered.
    On,
    /// Out of a construct.
    Out(Flow),
}

/// How a jump leaves, before it is made.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Leaves {
    No,
    ByJump,
    ByFlag,
}

impl<'a> Lowerer<'a> {
    pub(super) fn block(&self, at: usize) -> &'a Block {
        &self.frame.function.blocks[at]
    }

    pub(super) fn last(&self, at: usize) -> &'a Inst {
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
    pub(super) fn behind(&mut self, flow: Flow, raised: Value, merge: usize) -> Result<Flow> {
        let skipped = Flow {
            left: false,
            escaped: true,
            pending: flow.pending,
        };
        self.either(raised, |_| Ok(skipped), |this| this.walk(merge))
    }

    /// The instructions of a block, without its end.
    pub(super) fn insts(&mut self, at: usize) -> Result<Flow> {
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
    pub(super) fn end(&mut self, at: usize) -> Result<Step> {
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
                let selector = self.words(inst, *selector)?;
                if !self.are_words(&selector) {
                    return self.error(inst, "its selector is no number");
                }
                self.switch(at, &selector, *default, cases, merge)
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
    pub(super) fn fall(&mut self) -> Flow {
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
    pub(super) fn leaves(&self, target: usize) -> Leaves {
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
    pub(super) fn jump(&mut self, from: usize, target: usize) -> Result<Way> {
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
                    let inside = &self.frame.constructs[number + 1..];
                    let ends = leaves || continues || target == looping.header;
                    if ends
                        && inside
                            .iter()
                            .any(|inner| matches!(inner, Construct::Loop(_)))
                    {
                        return self.error(self.last(from), "it leaves two loops at once");
                    }
                    if in_continuing && (leaves || target == looping.header) {
                        // Its last block post-dominates the others. [SPIRV 2.11]
                        let message = "it leaves a continue construct from the middle";
                        return self.error(self.last(from), message);
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
    pub(super) fn side(&mut self, from: usize, target: usize) -> Result<Flow> {
        match self.jump(from, target)? {
            Way::On => self.walk(target),
            Way::Out(flow) => Ok(flow),
        }
    }
}

/// What follows the end of a block.
pub(super) enum Step {
    On(usize),
    Done(Flow),
    /// A construct is done, and its merge comes next.
    Behind(Flow, usize),
}
