//! Structured control flow to the counter of the execution mask, and branches. [Rogue 8]
//!
//! The counter is 0 in lanes that run. An `if` adds 1 where a lane waits, a loop 2. A lane that leaves a loop waits with 2
//! more than there are open `if`s in it, one that goes on with the next round with 1 more; so each `if` that closes on the
//! way takes 1, and the lane arrives at the end of the loop's body, or of the loop, with what that expects.
//!
//! Branches whose lanes agree leave the counter alone.

use ::rogue::isa::Condition;
use ::rogue::isa::control::{Cnd, CndIf};

use super::machine::{Body, Branch, Inst, Operand, Unit, When, ZERO};
use super::select::Select;
use crate::codegen::Result;
use crate::codegen::structure::{Edge, Node};
use crate::ir::{BlockId, Op, Target, Terminator, Value};

/// Branches under masks inside each other, as many as on the other chips.
const MOST_OPEN: u8 = 250;
/// Operations of the short side of a branch that all lanes run.
const MOST_SPECULATED: usize = 3;
/// Moves that lanes which leave a loop make under a predicate, not in a branch.
const MOST_PREDICATED: usize = 4;

/// One side of a branch.
struct Side {
    target: Target,
    nodes: Vec<Node>,
    edge: Edge,
}

impl Side {
    fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.target.args.is_empty() && self.edge == Edge::Next
    }
}

impl Select<'_> {
    /// Emits a list of nodes.
    pub(super) fn list(&mut self, nodes: &[Node]) -> Result<()> {
        for node in nodes {
            match node {
                Node::Block(id) => self.ir_block(*id)?,
                Node::Branch { block, yes, no, .. } => self.ir_branch(*block, yes, no)?,
                Node::Loop(l) => self.ir_loop(*l)?,
            }
        }
        Ok(())
    }

    fn ir_block(&mut self, id: BlockId) -> Result<()> {
        let block = &self.function.blocks[id.0 as usize];
        for &param in &block.params {
            self.param(param);
        }
        for inst in &block.insts {
            self.instruction(inst)?;
        }
        if let Terminator::Jump(target) = &block.end {
            let target = target.clone();
            let edge = self.structure.edge(id, target.block);
            self.jump(edge, &target)?;
        }
        Ok(())
    }

    // ---- blocks ----

    /// Lanes go from the current block to another.
    pub(super) fn lanes_to(&mut self, block: usize) {
        let next = &mut self.code.blocks[self.at].next;
        if !next.contains(&block) {
            next.push(block);
        }
    }

    pub(super) fn branch(&mut self, when: When, to: usize) {
        self.code.blocks[self.at].branches.push(Branch { when, to });
    }

    /// Goes on in another block.
    pub(super) fn fall(&mut self, block: usize) {
        self.lanes_to(block);
        self.start(block);
    }

    /// Appends an operation on the counter.
    pub(super) fn cnd(&mut self, op: Cnd, condition: CndIf, adjust: u8, s2: Operand) {
        self.code.counts = true;
        let mut inst = Inst::new(Body::Cnd(op, condition, adjust, s2));
        inst.condition = Condition::IGNORE_PE;
        self.push(inst);
    }

    pub(super) fn is_masked(&self, l: usize) -> bool {
        let node = &self.structure.loops[l];
        node.masked || node.discards
    }

    /// Whether lanes of one task may disagree about a condition. Where discarded lanes leave loops before others, they
    /// have old values behind them.
    fn is_divergent(&self, condition: Value) -> bool {
        self.structure.is_divergent(condition) || self.structure.loops.iter().any(|l| l.discards)
    }

    // ---- jumps ----

    /// A jump that is no side of a branch.
    fn jump(&mut self, edge: Edge, target: &Target) -> Result<()> {
        match edge {
            Edge::Next => self.copies(target),
            Edge::Back(l) => {
                self.copies(target);
                self.go_round(l, CndIf::ALWAYS);
            }
            edge => self.leave(edge, target),
        }
        Ok(())
    }

    // ---- branches ----

    fn side(&self, from: BlockId, target: &Target, nodes: &[Node]) -> Side {
        Side {
            target: target.clone(),
            nodes: nodes.to_vec(),
            edge: self.structure.edge(from, target.block),
        }
    }

    fn ir_branch(&mut self, block: BlockId, yes: &[Node], no: &[Node]) -> Result<()> {
        let Terminator::Branch {
            condition,
            yes: yes_target,
            no: no_target,
            ..
        } = &self.function.blocks[block.0 as usize].end
        else {
            return Ok(());
        };
        let condition = *condition;
        let yes = self.side(block, yes_target, yes);
        let no = self.side(block, no_target, no);
        let back = |side: &Side| matches!(side.edge, Edge::Back(_)) && side.nodes.is_empty();
        if back(&yes) || back(&no) {
            return self.branch_back(condition, yes, no);
        }
        let in_masked = self.structure.loop_of[block.0 as usize].is_some_and(|l| self.is_masked(l));
        let leaves = |side: &Side| side.edge != Edge::Next || !side.nodes.is_empty();
        // A side that leaves a loop under masks does so by the counter.
        match self.is_divergent(condition) || in_masked && (leaves(&yes) || leaves(&no)) {
            true => self.divergent_branch(condition, yes, no),
            false => self.uniform_branch(condition, yes, no),
        }
    }

    /// The end of a loop that some lanes leave.
    fn branch_back(&mut self, condition: Value, yes: Side, no: Side) -> Result<()> {
        let goes_on = matches!(yes.edge, Edge::Back(_)) && yes.nodes.is_empty();
        let (back, out) = if goes_on { (yes, no) } else { (no, yes) };
        let Edge::Back(l) = back.edge else {
            return Ok(());
        };
        if !self.is_masked(l) {
            let inverted = self.set_p0(condition);
            let staying = self.code.block();
            let leaving = self.code.block();
            self.lanes_to(staying);
            self.lanes_to(leaving);
            self.branch(
                if inverted ^ goes_on {
                    When::NotP0
                } else {
                    When::P0
                },
                leaving,
            );
            self.start(staying);
            self.copies(&back.target);
            self.go_round(l, CndIf::ALWAYS);
            self.start(leaving);
            self.emit_side(&out)?;
            return Ok(());
        }
        let inverted = self.set_p0(condition);
        let leaving = if inverted ^ goes_on {
            CndIf::NOT_P0
        } else {
            CndIf::P0
        };
        if out.nodes.is_empty() && out.target.args.is_empty() && matches!(out.edge, Edge::Break(_))
        {
            self.leave_where(out.edge, leaving);
            let staying = self.code.block();
            self.fall(staying);
        } else {
            self.opened(leaving, |select, end| {
                select.lanes_to(end);
                let first = select.code.block();
                select.fall(first);
                select.emit_side(&out)?;
                Ok(())
            })?;
        }
        self.copies(&back.target);
        self.go_round(l, CndIf::ALWAYS);
        Ok(())
    }

    /// Code that lanes run where a condition holds: `inside` begins with the counter set and is told the block behind.
    fn opened(
        &mut self,
        condition: CndIf,
        inside: impl FnOnce(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        if self.entry.open >= MOST_OPEN {
            let what = format!("more than {MOST_OPEN} branches inside each other");
            return Err(self.unsupported(what));
        }
        let end = self.code.block();
        self.cnd(Cnd::CNDST, condition, 1, ZERO);
        self.entry.open += 1;
        self.branch(When::NoLane, end);
        inside(self, end)?;
        self.entry.open -= 1;
        self.start(end);
        self.cnd(Cnd::CNDEND, CndIf::ALWAYS, 1, ZERO);
        Ok(())
    }

    fn uniform_branch(&mut self, condition: Value, yes: Side, no: Side) -> Result<()> {
        let inverted = self.set_p0(condition);
        let [first, second, end] = [(); 3].map(|()| self.code.block());
        self.lanes_to(first);
        self.lanes_to(second);
        self.branch(if inverted { When::P0 } else { When::NotP0 }, second);
        self.start(first);
        if self.emit_side(&yes)? {
            self.lanes_to(end);
            self.branch(When::Always, end);
        }
        self.start(second);
        if self.emit_side(&no)? {
            self.lanes_to(end);
        }
        self.start(end);
        Ok(())
    }

    fn divergent_branch(&mut self, condition: Value, yes: Side, no: Side) -> Result<()> {
        let (mut first, mut second, mut turned) = (yes, no, false);
        if first.is_empty() || !self.is_cheap(&second) && self.is_cheap(&first) {
            std::mem::swap(&mut first, &mut second);
            turned = true;
        }
        if first.is_empty() {
            return Ok(());
        }
        if !second.is_empty() && self.is_cheap(&second) {
            // All lanes run the short side, and those of the other overwrite what it leaves.
            self.emit_side(&second)?;
            second = Side {
                nodes: Vec::new(),
                target: Target {
                    args: Vec::new(),
                    ..second.target
                },
                edge: Edge::Next,
            };
        }
        let moves = match &first.edge {
            Edge::Break(_) | Edge::Continue(_) if first.nodes.is_empty() => {
                self.moves(&first.target)
            }
            _ => Vec::new(),
        };
        let inverted = self.set_p0(condition) ^ turned;
        let where_first = if inverted { CndIf::NOT_P0 } else { CndIf::P0 };
        let plain = first.nodes.is_empty() && moves.len() <= MOST_PREDICATED;
        if plain && second.is_empty() && matches!(first.edge, Edge::Break(_) | Edge::Continue(_)) {
            self.leave_with(first.edge, where_first, moves);
            let staying = self.code.block();
            self.fall(staying);
            return Ok(());
        }
        let both = !second.is_empty();
        self.opened(where_first, |select, end| {
            let one = select.code.block();
            let two = select.code.block();
            if both {
                // Lanes of the second side are on their way while the first runs.
                select.code.blocks[select.at].branches.pop();
                select.branch(When::NoLane, two);
                select.lanes_to(two);
            } else {
                select.lanes_to(end);
            }
            select.fall(one);
            if select.emit_side(&first)? {
                select.lanes_to(end);
            }
            if both {
                select.start(two);
                select.cnd(Cnd::CNDEF, CndIf::ALWAYS, 1, ZERO);
                select.branch(When::NoLane, end);
                let rest = select.code.block();
                select.fall(rest);
                if select.emit_side(&second)? {
                    select.lanes_to(end);
                }
            }
            Ok(())
        })
    }

    /// Emits a side up to the merge; gives whether the current block goes on there.
    fn emit_side(&mut self, side: &Side) -> Result<bool> {
        if !side.nodes.is_empty() {
            self.copies(&side.target);
            self.list(&side.nodes)?;
            return Ok(self.reaches(&side.nodes));
        }
        if side.edge == Edge::Next {
            self.copies(&side.target);
            return Ok(true);
        }
        match side.edge {
            Edge::Back(l) => {
                self.copies(&side.target);
                self.go_round(l, CndIf::ALWAYS);
            }
            edge => self.leave(edge, &side.target),
        }
        Ok(false)
    }

    /// Whether the last block of a list goes on to the merge.
    pub(super) fn reaches(&self, nodes: &[Node]) -> bool {
        let leaves =
            |from: BlockId, target: &Target| self.structure.edge(from, target.block) != Edge::Next;
        match nodes.last() {
            Some(Node::Block(id)) => match &self.function.blocks[id.0 as usize].end {
                Terminator::Jump(target) => !leaves(*id, target),
                _ => false,
            },
            Some(Node::Branch { block, yes, no, .. }) => {
                let sides = self.function.blocks[block.0 as usize].end.targets();
                sides.zip([yes, no]).any(|(target, list)| {
                    if list.is_empty() {
                        !leaves(*block, target)
                    } else {
                        self.reaches(list)
                    }
                })
            }
            Some(Node::Loop(_)) | None => true,
        }
    }

    /// Whether a side is so short that all lanes may as well run it: at most arithmetic of which nobody takes notice.
    fn is_cheap(&self, side: &Side) -> bool {
        let pure = |id: &BlockId| {
            let block = &self.function.blocks[id.0 as usize];
            let pure = |inst: &crate::ir::Inst| {
                matches!(inst.op, Op::Const(_) | Op::ConstBool(_) | Op::Alu(_))
            };
            let steps = block
                .insts
                .iter()
                .filter(|inst| matches!(inst.op, Op::Alu(_)));
            let ends = match &block.end {
                Terminator::Jump(target) => self.structure.edge(*id, target.block) == Edge::Next,
                _ => false,
            };
            ends && steps.count() <= MOST_SPECULATED && block.insts.iter().all(pure)
        };
        match &side.nodes[..] {
            [] => side.edge == Edge::Next,
            [Node::Block(id)] => pure(id),
            _ => false,
        }
    }

    /// Gives the arguments of a jump to the parameters of its target, all at once.
    pub(super) fn copies(&mut self, target: &Target) {
        let moves = self.moves(target);
        self.move_all(moves);
    }

    /// Parameters of the target of a jump, and what they get.
    fn moves(&mut self, target: &Target) -> Vec<(Unit, Operand)> {
        let params = &self.function.blocks[target.block.0 as usize].params;
        let mut moves: Vec<(Unit, Operand)> = Vec::new();
        for (&param, &arg) in params.iter().zip(&target.args) {
            if !self.is_used(param) {
                continue;
            }
            let to = self.param(param);
            let from = self.word(arg);
            if from != Operand::Unit(to) {
                moves.push((to, from));
            }
        }
        moves
    }

    /// Moves all at once.
    pub(super) fn move_all(&mut self, mut moves: Vec<(Unit, Operand)>) {
        while !moves.is_empty() {
            let ready = (0..moves.len()).find(|&i| {
                let to = Operand::Unit(moves[i].0);
                let mut others = moves.iter().enumerate();
                others.all(|(j, (_, from))| j == i || *from != to)
            });
            let Some(i) = ready else {
                // A cycle: the first source is kept aside.
                let from = moves[0].1;
                let kept = self.code.unit();
                self.move_to(kept, from);
                for (_, other) in &mut moves {
                    if *other == from {
                        *other = Operand::Unit(kept);
                    }
                }
                continue;
            };
            let (to, from) = moves.remove(i);
            self.move_to(to, from);
        }
    }
}
