//! Structured control flow to the mask stack.
//!
//! A branch saves the mask, keeps the lanes of its first side and turns to those of the other; one whose first side only
//! leaves a loop drops those lanes. A loop is one without counter. Lanes that were discarded stay active, so where there
//! may be some a loop goes round for live lanes; with helpers, it counts the rounds of those that no live lane is with.
//! The continuing part of a loop stands at every place that continues, because LOOP_CONTINUE goes to LOOP_END; most loops
//! have one such place, the end of the body, which needs no instruction.

use r600::isa::alu::Op2;

use super::machine::{Alu, FlowKind, From, Inst, Operand, Piece, Unit};
use super::select::{LoopBlocks, Select};
use crate::codegen::Result;
use crate::codegen::structure::{Edge, Node};
use crate::ir::{BlockId, Inst as IrInst, Op, OutputBuiltin, Target, Terminator, Value};

/// Stack entries that POP_COUNT can say. [R600 8.1]
const MAX_POPS: u8 = 7;

/// One side of a branch.
struct Side<'n> {
    target: Target,
    nodes: &'n [Node],
    edge: Edge,
}

impl Side<'_> {
    fn has_code(&self) -> bool {
        !self.nodes.is_empty() || !self.target.args.is_empty() || self.edge != Edge::Next
    }
}

impl Select<'_> {
    /// Begins a block.
    pub fn start(&mut self, block: usize) {
        self.code.pieces.push(Piece::Block(block));
        self.at = block;
    }

    /// Lanes of the current block go on with `next`.
    pub fn lanes_to(&mut self, next: usize) {
        self.code.blocks[self.at].next.push(next);
    }

    pub fn flow(&mut self, kind: FlowKind, label: usize, pops: u8) {
        self.code.pieces.push(Piece::Flow(kind, label, pops));
    }

    fn label(&mut self, label: usize) {
        self.code.pieces.push(Piece::Label(label));
    }

    pub fn pop(&mut self) {
        let label = self.code.label();
        self.flow(FlowKind::Pop, label, 1);
        self.label(label);
    }

    /// Emits a list of nodes; whether lanes get to its end.
    pub fn list(&mut self, nodes: &[Node]) -> Result<bool> {
        let mut open = true;
        for node in nodes {
            open = match node {
                Node::Block(id) => self.ir_block(*id)?,
                Node::Branch { block, yes, no, .. } => self.ir_branch(*block, yes, no)?,
                Node::Loop(l) => self.ir_loop(*l)?,
            };
        }
        Ok(open)
    }

    fn ir_block(&mut self, id: BlockId) -> Result<bool> {
        let block = &self.function.blocks[id.0 as usize];
        for &param in &block.params {
            self.param(param);
        }
        for inst in &block.insts {
            self.instruction(inst)?;
        }
        match &block.end {
            Terminator::Jump(target) => self.jump(id, target),
            _ => Ok(true),
        }
    }

    fn instruction(&mut self, inst: &IrInst) -> Result<()> {
        self.origin = inst.origin;
        match &inst.op {
            Op::Const(_) | Op::ConstBool(_) => {}
            Op::Alu(op) => return self.alu(*op, inst),
            Op::Select => self.select(inst.results[0], &inst.args),
            Op::Bool(op) => self.bool_op(*op, inst.results[0], &inst.args),
            Op::BoolNot => self.bool_not(inst.results[0], inst.args[0]),
            Op::Input { input, first } => self.input(*input, *first, inst),
            Op::Builtin(builtin) => return self.builtin(*builtin, inst.results[0]),
            Op::Output { output, first } => self.entry.outputs.store(*output, *first, &inst.args),
            Op::OutputBuiltin(OutputBuiltin::SampleMask) if self.function.interface.early_depth => {
                return Err(self.unsupported("a sample mask beside forced early tests"));
            }
            Op::OutputBuiltin(at) => {
                let outputs = &mut self.entry.outputs;
                outputs.store_builtin(self.function, *at, &inst.args);
            }
            Op::LoadBuffer(access) => return self.load_buffer(*access, inst),
            Op::StoreBuffer(_) => return Err(self.unsupported("stores to storage buffers")),
            Op::AtomicBuffer(..) => return Err(self.unsupported("atomics on storage buffers")),
            Op::LoadShared | Op::StoreShared | Op::AtomicShared(_) | Op::Barrier | Op::Fence => {
                return Err(self.unsupported("workgroups"));
            }
            Op::Subgroup(_) => return Err(self.unsupported("subgroup operations")),
            Op::BufferBytes(access) => return self.buffer_bytes(*access, inst.results[0]),
            Op::VertexInput { .. } if self.function.stage == crate::ir::Stage::Fragment => {
                return Err(self.unsupported("inputs of each vertex"));
            }
            Op::VertexInput { .. } | Op::VertexPosition(_) => self.fed_words(inst),
            Op::EmitVertex => self.emit_vertex(inst),
            Op::EndPrimitive => self.end_primitive(),
            Op::LoadPush => self.load_push(inst),
            Op::LoadLocal(local) => self.load_local(*local, inst),
            Op::StoreLocal(local) => self.store_local(*local, inst),
            Op::Image(image) => return self.image(image, inst),
            Op::Derivative { axis, .. } => self.derivative(*axis, inst),
            Op::Discard => {
                self.entry.discards = true;
                self.discard(inst.args[0]);
            }
        }
        Ok(())
    }

    /// A jump with the lanes of the current block; whether they go on with what follows.
    fn jump(&mut self, from: BlockId, target: &Target) -> Result<bool> {
        self.copies(target);
        match self.structure.edge(from, target.block) {
            Edge::Next => Ok(true),
            Edge::Break(l) => {
                let blocks = self.loops[&l];
                self.lanes_to(blocks.merge);
                let pops = self.depth - blocks.depth;
                self.leave(FlowKind::Break, blocks.end, pops)?;
                Ok(false)
            }
            Edge::Back(l) => {
                let blocks = self.loops[&l];
                self.lanes_to(blocks.header);
                let pops = self.depth - blocks.depth;
                if pops > 0 {
                    self.leave(FlowKind::Continue, blocks.end, pops)?;
                }
                Ok(false)
            }
            Edge::Continue(l) => {
                let continuing = self.structure.loops[l].continuing.clone();
                self.list(&continuing)?;
                Ok(false)
            }
        }
    }

    /// Leaves the loop or its round; a new block follows, without lanes.
    fn leave(&mut self, kind: FlowKind, label: usize, pops: u8) -> Result<()> {
        if pops > MAX_POPS {
            return Err(self.unsupported(format!(
                "a loop that is left from inside of {pops} branches, more than the {MAX_POPS}"
            )));
        }
        self.flow(kind, label, pops);
        let next = self.code.block();
        self.start(next);
        Ok(())
    }

    fn ir_branch(&mut self, block: BlockId, yes: &[Node], no: &[Node]) -> Result<bool> {
        let Terminator::Branch {
            condition,
            yes: yes_target,
            no: no_target,
            ..
        } = &self.function.blocks[block.0 as usize].end
        else {
            return Ok(true);
        };
        let side = |target: &Target, nodes| Side {
            target: target.clone(),
            nodes,
            edge: self.structure.edge(block, target.block),
        };
        let (mut first, mut second) = (side(yes_target, yes), side(no_target, no));
        let mut inverted = false;
        // A side that only leaves stands first: the other needs no entry of the stack then.
        let leaves = |side: &Side<'_>| side.nodes.is_empty() && side.edge != Edge::Next;
        if !first.has_code() || (leaves(&second) && !leaves(&first)) {
            std::mem::swap(&mut first, &mut second);
            inverted = true;
        }
        if !first.has_code() {
            return Ok(true);
        }
        // Going round is what happens by itself at the end.
        if matches!(first.edge, Edge::Back(_)) && first.nodes.is_empty() && second.has_code() {
            std::mem::swap(&mut first, &mut second);
            inverted = !inverted;
        }
        if let (Edge::Break(l), true) = (first.edge, first.nodes.is_empty()) {
            let two = self.break_failing(l, &first.target, (*condition, !inverted));
            self.start(two);
            return match second.has_code() {
                true => self.side(block, &second),
                false => Ok(true),
            };
        }
        self.predicate(*condition, inverted);
        let (other, end) = (self.code.label(), self.code.label());
        let (one, two) = (self.code.block(), self.code.block());
        self.lanes_to(one);
        self.lanes_to(two);
        self.flow(FlowKind::Jump, other, 0);
        self.deeper()?;
        self.start(one);
        let reaches = self.side(block, &first)?;
        let last = self.at;
        self.label(other);
        if !second.has_code() || !reaches {
            self.pop();
            self.depth -= 1;
            if reaches {
                self.code.blocks[last].next.push(two);
            }
            self.start(two);
            return match second.has_code() {
                true => self.side(block, &second),
                false => Ok(true),
            };
        }
        self.flow(FlowKind::Else, end, 0);
        self.start(two);
        let also = self.side(block, &second)?;
        self.label(end);
        self.pop();
        self.depth -= 1;
        let merge = self.code.block();
        self.code.blocks[last].next.push(merge);
        if also {
            self.lanes_to(merge);
        }
        self.start(merge);
        Ok(true)
    }

    /// Lanes that fail a predicate leave the loop; gives the block where the others go on. What follows the loop gets its
    /// values before, in all lanes: they get them again before they leave.
    fn break_failing(
        &mut self,
        l: usize,
        target: &Target,
        (condition, inverted): (Value, bool),
    ) -> usize {
        let blocks = self.loops[&l];
        self.copies(target);
        self.predicate(condition, inverted);
        let next = self.code.block();
        self.lanes_to(blocks.merge);
        self.lanes_to(next);
        self.flow(FlowKind::BreakFailing, blocks.end, 0);
        next
    }

    fn side(&mut self, from: BlockId, side: &Side<'_>) -> Result<bool> {
        if side.nodes.is_empty() {
            return self.jump(from, &side.target);
        }
        // The side may begin with a loop header.
        self.copies(&side.target);
        self.list(side.nodes)
    }

    fn ir_loop(&mut self, l: usize) -> Result<bool> {
        let node = self.structure.loops[l].clone();
        let (begin, end, after) = (self.code.label(), self.code.label(), self.code.label());
        let (header, merge) = (self.code.block(), self.code.block());
        self.lanes_to(header);
        self.flow(FlowKind::LoopStart, after, 0);
        self.deeper()?;
        let blocks = LoopBlocks {
            header,
            merge,
            end,
            depth: self.depth,
        };
        self.loops.insert(l, blocks);
        self.label(begin);
        self.start(header);
        if let (true, Some(rounds)) = (node.discards, self.entry.helper_rounds) {
            self.count_rounds(rounds, end)?;
        }
        self.list(&node.body)?;
        self.label(end);
        let live = node.discards && !self.entry.quads;
        let kind = match live {
            true => FlowKind::LoopEndLive,
            false => FlowKind::LoopEnd,
        };
        self.flow(kind, begin, 0);
        self.label(after);
        self.depth -= 1;
        self.start(merge);
        Ok(true)
    }

    /// One more entry of the stack of masks. STACK_SIZE has eight bits, and a round of a loop may take two more.
    fn deeper(&mut self) -> Result<()> {
        const ENTRIES: u8 = 250;
        if self.depth >= ENTRIES {
            let what = format!("more than {ENTRIES} branches inside each other");
            return Err(self.unsupported(what));
        }
        self.depth += 1;
        Ok(())
    }

    /// The start of a round: without a live lane, lanes that have no rounds left leave the loop.
    fn count_rounds(&mut self, rounds: Unit, end: usize) -> Result<()> {
        let [helpers, round, over] = [(); 3].map(|()| self.code.label());
        let [alone, leaving, body] = [(); 3].map(|()| self.code.block());
        self.lanes_to(alone);
        self.lanes_to(body);
        self.flow(FlowKind::JumpHelpers, helpers, 0);
        self.flow(FlowKind::JumpAlways, round, 0);
        self.label(helpers);
        self.start(alone);
        let left = vec![Operand::unit(rounds), Operand::word(u32::MAX)];
        self.push_alu(Alu::new(Op2::ADD_INT, Some(rounds), left));
        let spent = vec![Operand::word(0), Operand::unit(rounds)];
        self.push_alu(Alu::new(Op2::PRED_SETGT_INT, None, spent));
        self.lanes_to(leaving);
        self.lanes_to(body);
        self.flow(FlowKind::Jump, over, 0);
        self.depth += 1;
        self.start(leaving);
        self.leave(FlowKind::Break, end, 1)?;
        self.label(over);
        self.pop();
        self.depth -= 1;
        self.label(round);
        self.start(body);
        Ok(())
    }

    /// Gives the arguments of a jump to the parameters of its target, all at once.
    fn copies(&mut self, target: &Target) {
        let function = self.function;
        let params = &function.blocks[target.block.0 as usize].params;
        let mut moves: Vec<(u32, Operand)> = Vec::new();
        for (&param, &arg) in params.iter().zip(&target.args) {
            if !self.is_used(param) {
                continue;
            }
            let to = self.param(param);
            let from = self.word(arg);
            if from != Operand::unit(to) {
                moves.push((to, from));
            }
        }
        while !moves.is_empty() {
            let ready = (0..moves.len()).find(|&i| {
                let to = From::Unit(moves[i].0);
                moves
                    .iter()
                    .enumerate()
                    .all(|(j, m)| j == i || m.1.from != to)
            });
            let Some(i) = ready else {
                // A cycle: the first source is kept aside.
                let from = moves[0].1.from;
                let kept = self.code.unit();
                self.move_to(kept, Operand::new(from));
                for m in &mut moves {
                    if m.1.from == from {
                        m.1.from = From::Unit(kept);
                    }
                }
                continue;
            };
            let (to, from) = moves.remove(i);
            self.push(Inst::Alu(Alu::new(Op2::MOV, Some(to), vec![from])));
        }
    }
}
