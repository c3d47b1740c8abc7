//! Loops: header, body and continue construct, and the ways out.

use spirv::Op;

use super::flow::{Construct, Loop, Step};
use super::function::{Block, End};
use super::lower::Lowerer;
use super::module::Result;
use crate::lower::flow::{Flow, LoopHead};

impl<'a> Lowerer<'a> {
    pub(super) fn looping(
        &mut self,
        header: usize,
        merge: usize,
        continuing: usize,
    ) -> Result<Flow> {
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
                let message = "its continue construct is left from the middle";
                return self.error(last, message);
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
