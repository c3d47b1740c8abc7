//! Structured control flow to EXEC masks and branches.
//!
//! At the end of a side EXEC holds the lanes that reach the merge from it. A divergent branch runs both sides one after
//! the other; a masked loop runs until no lane is left in it, and its merge gets back the lanes that entered. A uniform
//! branch or loop leaves EXEC alone. Branches over code that has no lane to run are marked as skips: what the code would
//! have written has no reader that counts, and needs no register on the way around it.
//!
//! Discarded lanes come back where ways meet, so it is at the end of a round that they leave a loop, quad by quad.

use southern_islands::isa::scalar::{Sop1Op, Sop2Op, SopcOp};

use super::machine::{EXEC, Inst, Op, Operand, When};
use super::select::{LoopBlocks, Select};
use crate::codegen::Result;
use crate::codegen::structure::{Edge, Node};
use crate::ir::{BlockId, Target, Terminator, Type, Value};

const EXECUTED: Operand = Operand::Code(EXEC);

/// One side of a branch.
struct Side {
    target: Target,
    nodes: Vec<Node>,
    edge: Edge,
}

impl Select<'_> {
    /// Emits a list of nodes.
    pub(super) fn list(&mut self, nodes: &[Node]) -> Result<()> {
        for node in nodes {
            match node {
                Node::Block(id) => self.ir_block(*id)?,
                Node::Branch {
                    block,
                    yes,
                    no,
                    merge,
                } => self.ir_branch(*block, yes, no, *merge)?,
                Node::Loop(l) => self.ir_loop(*l)?,
            }
        }
        Ok(())
    }

    fn ir_block(&mut self, id: BlockId) -> Result<()> {
        let block = &self.function.blocks[id.0 as usize];
        for &param in &block.params {
            let operand = self.param(param);
            if self.function.types[param.0 as usize] == Type::Bool {
                self.define_mask(param, operand);
            }
        }
        self.clusters = self.find_clusters(id.0 as usize);
        for (at, inst) in block.insts.iter().enumerate() {
            self.place = (id.0 as usize, at);
            self.instruction(inst)?;
        }
        if let Terminator::Jump(target) = &block.end {
            let target = target.clone();
            self.jump(id, &target)?;
        }
        Ok(())
    }

    /// A jump that is no side of a branch.
    fn jump(&mut self, from: BlockId, target: &Target) -> Result<()> {
        match self.structure.edge(from, target.block) {
            Edge::Next => self.copies(target, self.merges_lanes(target.block)),
            edge => self.leave(edge, target),
        }
        Ok(())
    }

    /// Whether lanes come to a block at different times: masks given to it keep the bits of other lanes.
    fn merges_lanes(&self, block: BlockId) -> bool {
        self.divergent_merges.contains(&block.0)
    }

    /// Leaves a construct with the enabled lanes; after it, none is enabled or the block has ended.
    fn leave(&mut self, edge: Edge, target: &Target) {
        let (Edge::Break(l) | Edge::Continue(l) | Edge::Back(l)) = edge else {
            return;
        };
        let node = &self.structure.loops[l];
        let (masked, waits) = (node.masked, node.waits);
        let blocks = self.loops[&l];
        match edge {
            Edge::Break(_) => {
                self.copies(target, masked);
                self.lanes_to(blocks.merge);
                if masked {
                    self.scalar1(Sop1Op::S_MOV_B64, EXECUTED, Operand::Const(0));
                } else {
                    self.branch(When::Always, blocks.merge, false);
                }
            }
            Edge::Continue(_) => {
                self.copies(target, waits);
                self.lanes_to(blocks.continuing);
                if !masked || blocks.depth == 0 {
                    // Nobody else is on the way: lanes that left or wait are not in EXEC.
                    self.branch(When::Always, blocks.continuing, false);
                } else if let Some(waiting) = blocks.waiting {
                    self.scalar2(Sop2Op::S_OR_B64, waiting, waiting, EXECUTED);
                    self.scalar1(Sop1Op::S_MOV_B64, EXECUTED, Operand::Const(0));
                }
            }
            _ => {
                self.copies(target, false);
                self.go_round(l);
            }
        }
    }

    /// The end of a round: what lanes are left go to the header.
    fn go_round(&mut self, l: usize) {
        let node = &self.structure.loops[l];
        let (masked, discards) = (node.masked, node.discards);
        let blocks = self.loops[&l];
        if discards {
            self.drop_discarded(blocks.header);
        }
        self.lanes_to(blocks.header);
        match (masked, discards) {
            (false, false) => self.branch(When::Always, blocks.header, false),
            (true, _) => {
                self.branch(When::ExecNonZero, blocks.header, false);
                self.code.blocks[self.at].falls = true;
            }
            (false, true) => {
                self.branch(When::ExecNonZero, blocks.header, false);
                self.branch(When::Always, blocks.merge, true);
            }
        }
    }

    /// Takes quads without a live lane out of EXEC, and helpers that have long been alone.
    fn drop_discarded(&mut self, header: usize) {
        let Some(live) = self.entry.live else { return };
        let Some(rounds) = self.entry.helper_rounds else {
            self.scalar2(Sop2Op::S_AND_B64, EXECUTED, EXECUTED, live);
            return;
        };
        let mask = self.code.mask();
        self.scalar1(Sop1Op::S_WQM_B64, mask, live);
        self.scalar2(Sop2Op::S_AND_B64, EXECUTED, EXECUTED, mask);
        let mask = self.code.mask();
        self.scalar2(Sop2Op::S_AND_B64, mask, EXECUTED, live);
        let (alone, end) = (self.code.block(), self.code.block());
        self.lanes_to(header);
        self.branch(When::Scc1, header, false);
        self.branch(When::ExecZero, end, true);
        self.fall(alone);
        self.scalar2(Sop2Op::S_SUB_I32, rounds, rounds, Operand::Const(1));
        self.scalar2(Sop2Op::S_MAX_I32, rounds, rounds, Operand::Const(0));
        self.scalar_compare(SopcOp::S_CMP_LG_I32, rounds, Operand::Const(0));
        let none = Operand::Const(0);
        self.scalar2(Sop2Op::S_CSELECT_B64, EXECUTED, EXECUTED, none);
        self.fall(end);
    }

    fn side(&self, from: BlockId, target: &Target, nodes: &[Node]) -> Side {
        Side {
            target: target.clone(),
            nodes: nodes.to_vec(),
            edge: self.structure.edge(from, target.block),
        }
    }

    fn ir_branch(
        &mut self,
        block: BlockId,
        yes: &[Node],
        no: &[Node],
        merge: BlockId,
    ) -> Result<()> {
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
        let loop_of = self.structure.loop_of[block.0 as usize];
        let masked = loop_of.is_some_and(|l| self.structure.loops[l].masked);
        let back = matches!(yes.edge, Edge::Back(_)) || matches!(no.edge, Edge::Back(_));
        if back && masked {
            return self.masked_back(condition, yes, no);
        }
        if self.structure.is_divergent(condition) {
            self.divergent_branch(condition, yes, no, merge, loop_of)
        } else {
            self.uniform_branch(condition, yes, no, merge, loop_of)
        }
    }

    /// The end of a masked loop: some lanes go round, the others leave.
    fn masked_back(&mut self, condition: Value, yes: Side, no: Side) -> Result<()> {
        let goes_on = matches!(yes.edge, Edge::Back(_));
        let (back, out) = if goes_on { (yes, no) } else { (no, yes) };
        let mask = self.mask(condition);
        if matches!(out.edge, Edge::Break(_)) && out.target.args.is_empty() {
            let op = lanes_where(goes_on);
            self.scalar2(op, EXECUTED, EXECUTED, mask);
            if let Edge::Break(l) = out.edge {
                let merge = self.loops[&l].merge;
                self.lanes_to(merge);
            }
        } else {
            let all = self.code.mask();
            self.scalar1(Sop1Op::S_MOV_B64, all, EXECUTED);
            let (first, second) = (lanes_where(!goes_on), lanes_where(goes_on));
            // Another block, because the copies belong to one way out only.
            let before = self.at;
            let (leaving, staying) = (self.code.block(), self.code.block());
            self.scalar2(first, EXECUTED, EXECUTED, mask);
            self.fall(leaving);
            self.leave(out.edge, &out.target);
            self.code.blocks[self.at].falls = true;
            self.code.blocks[before].lane_next.push(staying);
            self.start(staying);
            self.scalar2(second, EXECUTED, all, mask);
        }
        self.leave(back.edge, &back.target);
        Ok(())
    }

    fn uniform_branch(
        &mut self,
        condition: Value,
        yes: Side,
        no: Side,
        merge: BlockId,
        loop_of: Option<usize>,
    ) -> Result<()> {
        let first = self.code.block();
        let second = self.code.block();
        let end = self.code.block();
        self.set_scc(condition);
        self.branch(When::Scc0, second, false);
        self.lanes_to(second);
        self.fall(first);
        self.uniform_side(&yes, merge, end, loop_of)?;
        self.start(second);
        self.uniform_side(&no, merge, end, loop_of)?;
        self.start(end);
        Ok(())
    }

    fn uniform_side(
        &mut self,
        side: &Side,
        merge: BlockId,
        end: usize,
        loop_of: Option<usize>,
    ) -> Result<()> {
        let reaches = self.emit_side(side, merge)?;
        let block = &self.code.blocks[self.at];
        let open = !block.branches.iter().any(|b| b.when == When::Always);
        if reaches {
            self.lanes_to(end);
        }
        if open {
            let masked = loop_of.is_some_and(|l| self.structure.loops[l].masked);
            if !reaches
                && masked
                && let Some(l) = loop_of
            {
                self.no_lane_left(l, true);
            }
            let open = &self.code.blocks[self.at];
            if !open.branches.iter().any(|b| b.when == When::Always) {
                self.branch(When::Always, end, false);
            }
        }
        Ok(())
    }

    /// Jumps to the end of a masked loop when no lane is enabled and none of the loop waits in a branch around.
    fn no_lane_left(&mut self, l: usize, surely: bool) {
        let blocks = self.loops[&l];
        if blocks.depth > 0 {
            return;
        }
        let to = match blocks.waiting {
            Some(_) => blocks.continuing,
            None => blocks.merge,
        };
        if surely {
            self.branch(When::Always, to, false);
        } else {
            self.branch(When::ExecZero, to, true);
        }
    }

    /// Emits a side up to the merge; gives whether lanes can reach it.
    fn emit_side(&mut self, side: &Side, merge: BlockId) -> Result<bool> {
        if !side.nodes.is_empty() {
            // The side may begin with a loop header.
            self.copies(&side.target, false);
            self.list(&side.nodes)?;
            return Ok(self.reaches(&side.nodes, merge));
        }
        if side.edge == Edge::Next || side.target.block == merge {
            self.copies(&side.target, self.merges_lanes(side.target.block));
            return Ok(true);
        }
        self.leave(side.edge, &side.target);
        Ok(false)
    }

    /// Whether the last block of a list goes on to the merge.
    fn reaches(&self, nodes: &[Node], merge: BlockId) -> bool {
        let leaves = |from: BlockId, target: &Target| {
            target.block != merge && self.structure.edge(from, target.block) != Edge::Next
        };
        match nodes.last() {
            Some(Node::Block(id)) => match &self.function.blocks[id.0 as usize].end {
                Terminator::Jump(target) => !leaves(*id, target),
                _ => false,
            },
            Some(Node::Branch { block, yes, no, .. }) => {
                // Its own merge is the outer one.
                let sides = self.function.blocks[block.0 as usize].end.targets();
                sides.zip([yes, no]).any(|(target, list)| {
                    if list.is_empty() {
                        !leaves(*block, target)
                    } else {
                        self.reaches(list, merge)
                    }
                })
            }
            Some(Node::Loop(_)) | None => true,
        }
    }

    /// Whether lanes leave a construct from inside a list of nodes.
    fn has_leave(&self, side: &Side) -> bool {
        if side.nodes.is_empty() {
            side.edge != Edge::Next
        } else {
            self.list_leaves(&side.nodes)
        }
    }

    fn list_leaves(&self, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Block(id) => match &self.function.blocks[id.0 as usize].end {
                Terminator::Jump(target) => self.structure.edge(*id, target.block) != Edge::Next,
                _ => false,
            },
            Node::Branch { block, yes, no, .. } => {
                let sides = self.function.blocks[block.0 as usize].end.targets();
                self.list_leaves(yes)
                    || self.list_leaves(no)
                    || sides.zip([yes, no]).any(|(target, list)| {
                        list.is_empty() && self.structure.edge(*block, target.block) != Edge::Next
                    })
            }
            // Leaves of an inner loop stay inside of it.
            Node::Loop(_) => false,
        })
    }

    fn divergent_branch(
        &mut self,
        condition: Value,
        yes: Side,
        no: Side,
        merge: BlockId,
        loop_of: Option<usize>,
    ) -> Result<()> {
        let has_code = |side: &Side| {
            !side.nodes.is_empty() || !side.target.args.is_empty() || side.edge != Edge::Next
        };
        let (mut inverted, mut first, mut second) = (false, yes, no);
        if !has_code(&first) {
            std::mem::swap(&mut first, &mut second);
            inverted = true;
        }
        if !has_code(&first) {
            return Ok(());
        }
        let mask = self.mask(condition);
        // Bools given to the merge keep other lanes' bits, so their registers have to exist before.
        self.undefined_masks(merge);
        let leaves = self.has_leave(&first) || self.has_leave(&second);
        let both = has_code(&second);
        let only_break = match first.edge {
            Edge::Break(l) if first.nodes.is_empty() => Some(l),
            _ => None,
        };
        let end = self.code.block();
        if let (Some(l), false) = (only_break, both) {
            // Lanes that stay get the values, too: theirs come anew when they leave.
            self.copies(&first.target, true);
            let target = self.loops[&l].merge;
            self.lanes_to(target);
            let op = lanes_where(inverted);
            self.scalar2(op, EXECUTED, EXECUTED, mask);
            self.no_lane_left(l, false);
            self.fall(end);
            return Ok(());
        }
        let (one, two) = (self.code.block(), self.code.block());
        let after = if both { two } else { end };
        let saved = self.code.mask();
        if inverted {
            self.scalar1(Sop1Op::S_MOV_B64, saved, EXECUTED);
            self.scalar2(Sop2Op::S_ANDN2_B64, EXECUTED, EXECUTED, mask);
        } else {
            self.scalar1(Sop1Op::S_AND_SAVEEXEC_B64, saved, mask);
        }
        if leaves {
            // The lanes of the other side, as some of this one may not come back.
            self.scalar2(Sop2Op::S_XOR_B64, saved, saved, EXECUTED);
        }
        self.branch(When::ExecZero, after, true);
        self.lanes_to(after);
        self.fall(one);
        self.enter_divergence(loop_of, 1);
        let reaches = self.emit_side(&first, merge)?;
        self.close_side(reaches, end);
        let mut rest = saved;
        if both {
            self.start(two);
            if leaves {
                rest = self.code.mask();
                self.scalar1(Sop1Op::S_MOV_B64, rest, EXECUTED);
                self.scalar1(Sop1Op::S_MOV_B64, EXECUTED, saved);
            } else {
                self.scalar2(Sop2Op::S_ANDN2_B64, EXECUTED, saved, EXECUTED);
            }
            let body = self.code.block();
            self.branch(When::ExecZero, end, true);
            self.fall(body);
            let reaches = self.emit_side(&second, merge)?;
            self.close_side(reaches, end);
        }
        self.enter_divergence(loop_of, -1);
        self.start(end);
        if leaves {
            self.scalar2(Sop2Op::S_OR_B64, EXECUTED, EXECUTED, rest);
            if let Some(l) = loop_of {
                let next = self.code.block();
                self.no_lane_left(l, false);
                self.fall(next);
            }
        } else {
            self.scalar1(Sop1Op::S_MOV_B64, EXECUTED, saved);
        }
        Ok(())
    }

    /// Lets the wave go on behind a side of a divergent branch; its lanes with `end`.
    fn close_side(&mut self, reaches: bool, end: usize) {
        if reaches {
            self.lanes_to(end);
        }
        let block = &mut self.code.blocks[self.at];
        if !block.branches.iter().any(|b| b.when == When::Always) {
            block.falls = true;
        }
    }

    fn enter_divergence(&mut self, loop_of: Option<usize>, step: i32) {
        self.depth = self.depth.wrapping_add_signed(step);
        if let Some(blocks) = loop_of.and_then(|l| self.loops.get_mut(&l)) {
            blocks.depth = blocks.depth.wrapping_add_signed(step);
        }
    }

    /// Starts the life of the mask parameters of a block, whose bits come one lane set at a time.
    fn undefined_masks(&mut self, block: BlockId) {
        let function = self.function;
        self.divergent_merges.insert(block.0);
        for &param in &function.blocks[block.0 as usize].params {
            if function.types[param.0 as usize] == Type::Bool {
                let operand = self.param(param);
                self.push(Inst::new(Op::Undefined, Some(operand), Vec::new()));
            }
        }
    }

    fn ir_loop(&mut self, l: usize) -> Result<()> {
        let node = self.structure.loops[l].clone();
        let blocks = LoopBlocks {
            header: self.code.block(),
            continuing: self.code.block(),
            merge: self.code.block(),
            waiting: node.waits.then(|| self.code.mask()),
            depth: 0,
        };
        self.loops.insert(l, blocks);
        let entered = node.masked.then(|| {
            let entered = self.code.mask();
            self.scalar1(Sop1Op::S_MOV_B64, entered, EXECUTED);
            entered
        });
        if node.masked {
            self.undefined_masks(node.merge);
        }
        if node.waits {
            self.undefined_masks(node.continuing_block);
        }
        let escaping = self.escaping_masks(l);
        for &(_, mask) in &escaping {
            self.push(Inst::new(Op::Undefined, Some(mask), Vec::new()));
        }
        // Without lanes a uniform condition may never come true.
        if self.depth > 0 {
            self.branch(When::ExecZero, blocks.merge, true);
        }
        self.fall(blocks.header);
        if let Some(waiting) = blocks.waiting {
            self.scalar1(Sop1Op::S_MOV_B64, waiting, Operand::Const(0));
        }
        self.depth += u32::from(node.masked);
        self.list(&node.body)?;
        if !node.continuing.is_empty() {
            self.close_part(blocks.continuing);
            self.start(blocks.continuing);
            if let Some(waiting) = blocks.waiting {
                self.scalar2(Sop2Op::S_OR_B64, EXECUTED, EXECUTED, waiting);
            }
            self.list(&node.continuing)?;
        }
        self.depth -= u32::from(node.masked);
        self.close_part(blocks.merge);
        self.start(blocks.merge);
        if let Some(entered) = entered {
            self.scalar1(Sop1Op::S_MOV_B64, EXECUTED, entered);
        }
        for (value, mask) in escaping {
            self.places[value.0 as usize] = Some(super::select::ValueLocation::Mask(mask));
            self.escaped.remove(&value);
        }
        Ok(())
    }

    /// Lets an open end of a part of a loop go on with what follows. Lanes go there too where two sides of a branch
    /// met, which have said nothing yet about where they lead.
    fn close_part(&mut self, next: usize) {
        let last = &mut self.code.blocks[self.at];
        if last.branches.iter().any(|b| b.when == When::Always) {
            return;
        }
        last.falls = true;
        if last.lane_next.is_empty() {
            last.lane_next.push(next);
        }
    }

    /// Masks for the bools that are read behind a masked loop.
    fn escaping_masks(&mut self, l: usize) -> Vec<(Value, Operand)> {
        let function = self.function;
        let escaping: Vec<Value> = (0..function.types.len() as u32)
            .map(Value)
            .filter(|v| {
                function.types[v.0 as usize] == Type::Bool
                    && self.structure.escapes[v.0 as usize] == Some(l)
            })
            .collect();
        escaping
            .into_iter()
            .map(|value| {
                let mask = self.code.mask();
                self.escaped.insert(value, mask);
                (value, mask)
            })
            .collect()
    }

    /// Gives the arguments of a jump to the parameters of its target, all at once. Where lanes come at different
    /// times, masks keep the bits of the others.
    fn copies(&mut self, target: &Target, merging: bool) {
        let function = self.function;
        let params = &function.blocks[target.block.0 as usize].params;
        let mut moves: Vec<(Operand, Operand, bool)> = Vec::new();
        for (&param, &arg) in params.iter().zip(&target.args) {
            let to = self.param(param);
            let bool = function.types[param.0 as usize] == Type::Bool;
            let from = match bool {
                true => self.mask(arg),
                false => self.word(arg),
            };
            if from != to {
                moves.push((to, from, bool));
            }
        }
        while !moves.is_empty() {
            let ready = (0..moves.len()).find(|&i| {
                let to = moves[i].0;
                moves.iter().enumerate().all(|(j, m)| j == i || m.1 != to)
            });
            let i = match ready {
                Some(i) => i,
                None => {
                    // A cycle: the first source is kept aside.
                    let from = moves[0].1;
                    let kept = match from {
                        Operand::Reg { vector: true, .. } => self.code.vector(1),
                        Operand::Reg { words: 2, .. } => self.code.mask(),
                        _ => self.code.scalar(1),
                    };
                    self.move_to(kept, from);
                    for m in &mut moves {
                        if m.1 == from {
                            m.1 = kept;
                        }
                    }
                    continue;
                }
            };
            let (to, from, bool) = moves.remove(i);
            if bool && merging {
                self.merge_mask(to, from);
            } else {
                self.move_to(to, from);
            }
        }
    }

    fn move_to(&mut self, to: Operand, from: Operand) {
        match to {
            Operand::Reg { vector: true, .. } => self.vector_move(to, from),
            Operand::Reg { words: 2, .. } => self.scalar1(Sop1Op::S_MOV_B64, to, from),
            _ => {
                let from = self.in_scalar(from);
                self.scalar1(Sop1Op::S_MOV_B32, to, from);
            }
        }
    }
}

/// What leaves the lanes enabled whose bit in a mask is `set`.
fn lanes_where(set: bool) -> Sop2Op {
    match set {
        true => Sop2Op::S_AND_B64,
        false => Sop2Op::S_ANDN2_B64,
    }
}
