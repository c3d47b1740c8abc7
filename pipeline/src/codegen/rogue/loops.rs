//! Loops: rounds, and lanes that leave or wait for the next one.

use ::rogue::isa::Condition;
use ::rogue::isa::control::{Cnd, CndIf};

use super::machine::{Body, Inst, Operand, Unit, When, ZERO};
use super::select::Select;
use crate::codegen::Result;
use crate::codegen::structure::Edge;
use crate::ir::{Stage, Target};

/// A loop being emitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopBlocks {
    /// Block in front of the loop.
    pub before: usize,
    /// First block of the body.
    pub body: usize,
    /// First block of the continuing part.
    pub next: usize,
    /// The test at the end, of loops under masks.
    pub test: usize,
    /// Block behind the loop.
    pub merge: usize,
    /// Lanes wait for the continuing part.
    pub waits: bool,
    /// `if`s that are open around the loop.
    pub around: u8,
}

impl Select<'_> {
    /// The running lanes leave the body of a loop; none of them is left here.
    pub(super) fn leave(&mut self, edge: Edge, target: &Target) {
        self.copies(target);
        self.leave_where(edge, CndIf::ALWAYS);
        let rest = self.code.block();
        self.start(rest);
    }

    /// Lanes leave the body of a loop where a condition holds.
    pub(super) fn leave_where(&mut self, edge: Edge, condition: CndIf) {
        let (l, more) = match edge {
            Edge::Break(l) => (l, 2),
            Edge::Continue(l) => (l, 1),
            _ => return,
        };
        let blocks = self.loops[&l];
        let to = if more == 2 { blocks.merge } else { blocks.next };
        self.lanes_to(to);
        let open = self.entry.open - blocks.around;
        // Where no branch is open, whoever runs goes on with the next round, and the others wait for it there.
        if !self.is_masked(l) || more == 1 && open == 0 && condition == CndIf::ALWAYS {
            return self.branch(When::Always, to);
        }
        if more == 1
            && let Some(blocks) = self.loops.get_mut(&l)
        {
            blocks.waits = true;
        }
        let value = self.constant(u32::from(open + more));
        self.cnd(Cnd::CNDSM, condition, 0, value);
    }

    /// Lanes leave the body of a loop where P0 is as a condition says, and take these values with them.
    pub(super) fn leave_with(&mut self, edge: Edge, condition: CndIf, moves: Vec<(Unit, Operand)>) {
        // What they get means nothing before they leave.
        let (block, at) = match edge {
            Edge::Break(l) => {
                let before = self.loops[&l].before;
                (before, self.code.blocks[before].insts.len())
            }
            Edge::Continue(l) => (self.loops[&l].body, 0),
            _ => return,
        };
        for (to, _) in &moves {
            let undefined = Inst::new(Body::Undefined(*to));
            self.code.blocks[block].insts.insert(at, undefined);
        }
        let from = self.code.blocks[self.at].insts.len();
        self.move_all(moves);
        for inst in &mut self.code.blocks[self.at].insts[from..] {
            inst.condition = match condition {
                CndIf::NOT_P0 => Condition::NOT_P0,
                _ => Condition::P0,
            };
        }
        self.leave_where(edge, condition);
    }

    /// The end of a round: lanes go to the header where the condition holds, the others behind the loop.
    pub(super) fn go_round(&mut self, l: usize, condition: CndIf) {
        let blocks = self.loops[&l];
        if !self.is_masked(l) {
            self.lanes_to(blocks.body);
            self.branch(When::Always, blocks.body);
            return;
        }
        self.lanes_to(blocks.test);
        self.start(blocks.test);
        self.cnd(Cnd::CNDLT, condition, 2, ZERO);
        self.lanes_to(blocks.body);
        self.lanes_to(blocks.merge);
        self.branch(When::P0, blocks.body);
    }

    pub(super) fn ir_loop(&mut self, l: usize) -> Result<()> {
        let node = self.structure.loops[l].clone();
        let [body, next, test, merge] = [(); 4].map(|()| self.code.block());
        let masked = self.is_masked(l);
        let blocks = LoopBlocks {
            before: self.at,
            body,
            next,
            test,
            merge,
            waits: false,
            around: self.entry.open,
        };
        let inside = self.loops.keys().any(|around| self.is_masked(*around));
        self.loops.insert(l, blocks);
        if masked {
            self.cnd(Cnd::CNDST, CndIf::ALWAYS, 2, ZERO);
            self.branch(When::NoLane, test);
        } else if inside {
            // Where all lanes have left a loop around this one, nobody would end it.
            self.branch(When::NoLane, merge);
        }
        self.fall(body);
        self.list(&node.body)?;
        if !node.continuing.is_empty() {
            self.fall(next);
            if self.loops[&l].waits {
                self.cnd(Cnd::CNDEND, CndIf::ALWAYS, 1, ZERO);
                self.cnd(Cnd::CNDST, CndIf::ALWAYS, 1, ZERO);
            }
            if node.discards && self.function.stage == Stage::Fragment {
                self.drop_discarded(l);
            }
            self.list(&node.continuing)?;
        }
        if masked && !self.code.order.contains(&test) {
            // No lane goes round: all have left.
            self.start(test);
            self.cnd(Cnd::CNDEND, CndIf::ALWAYS, 2, ZERO);
            self.lanes_to(merge);
        }
        self.start(merge);
        Ok(())
    }
}
