//! Sides of branches that are left out where no lane of a wave wants them: a jump over them, taken when all lanes agree.
//! What a side gives is in parameters behind it, which hold what the other side gives before the jump.

use std::collections::HashSet;

use super::flatten::{Arrival, Flatten};
use crate::codegen::Result;
use crate::codegen::structure::Node;
use crate::ir::{BlockId, Op, Target, Terminator, Type, Value};

/// Instructions of sides that are left out: all that cost more than the jump, and fewer where code is too long.
pub(super) const WORTH: [usize; 6] = [14, 40, 80, 120, 200, 360];
/// What a lookup counts, and how often a loop goes round.
const LOOKUP: usize = 8;
const ROUNDS: usize = 4;

impl Flatten<'_> {
    /// Whether a side is long enough to be left out, and all of its lanes come out of it where the sides meet.
    pub(super) fn is_apart(&self, nodes: &[Node], merge: BlockId) -> bool {
        let mut blocks = HashSet::new();
        let cost = self.cost(nodes, &mut blocks);
        let spent = match self.is_looping() {
            true => ROUNDS * cost,
            false => cost,
        };
        let worth = |least: usize| cost >= WORTH[0] && spent >= least;
        self.skips.is_some_and(worth) && self.is_closed(&blocks, merge)
    }

    /// The instructions of some nodes; notes their blocks.
    fn cost(&self, nodes: &[Node], blocks: &mut HashSet<BlockId>) -> usize {
        let mut cost = 0;
        for node in nodes {
            cost += match node {
                Node::Block(id) => {
                    blocks.insert(*id);
                    let insts = self.old.blocks[id.0 as usize].insts.iter();
                    let costs = insts.map(|inst| match inst.op {
                        Op::Image(_) => LOOKUP,
                        Op::Const(_) | Op::ConstBool(_) | Op::LoadPush | Op::LoadBuffer(_) => 0,
                        _ => 1,
                    });
                    costs.sum()
                }
                Node::Branch { yes, no, .. } => self.cost(yes, blocks) + self.cost(no, blocks),
                Node::Loop(l) => {
                    let l = &self.structure.loops[*l];
                    ROUNDS * (self.cost(&l.body, blocks) + self.cost(&l.continuing, blocks))
                }
            };
        }
        cost
    }

    fn is_closed(&self, blocks: &HashSet<BlockId>, merge: BlockId) -> bool {
        let inside = |target: &Target| target.block == merge || blocks.contains(&target.block);
        blocks.iter().all(|id| {
            let block = &self.old.blocks[id.0 as usize];
            let plain = |op: &Op| !matches!(op, Op::Output { .. } | Op::OutputBuiltin(_));
            let stays = match &block.end {
                Terminator::Jump(target) => inside(target),
                Terminator::Branch { yes, no, .. } => inside(yes) && inside(no),
                Terminator::Return | Terminator::Unreachable => false,
            };
            stays && block.insts.iter().all(|inst| plain(&inst.op))
        })
    }

    /// Writes a side that only lanes of a mask want. `with` is the condition of the branch, whether this is the side where
    /// it holds, and what the other side gives.
    pub(super) fn left_out(
        &mut self,
        (from, target): (BlockId, &Target),
        nodes: &[Node],
        merge: BlockId,
        wanted: Value,
        with: Option<(Value, bool, Vec<Value>)>,
    ) -> Result<Arrival> {
        let words: Vec<Value> = self.locals.iter().flatten().copied().collect();
        let skip = self.to.begin_skip();
        self.jump(from, target);
        self.list(nodes)?;
        let mut results = self.arrive(merge).map_or(Vec::new(), |here| here.args);
        let mut otherwise = Vec::new();
        match with {
            Some((condition, holds, others)) => {
                for (result, other) in results.iter_mut().zip(&others) {
                    *result = match holds {
                        true => self.to.select(condition, *result, *other),
                        false => self.to.select(condition, *other, *result),
                    };
                }
                otherwise.extend(others);
            }
            None => {
                for result in &results {
                    let nothing = match self.to.function.types[result.0 as usize] {
                        Type::Word => self.to.float(0.0),
                        Type::Bool => self.to.bit(false),
                    };
                    otherwise.push(nothing);
                }
            }
        }
        let count = results.len();
        results.extend(self.locals.iter().flatten());
        otherwise.extend(words);
        let mut args = self.to.end_skip(skip, wanted, results, otherwise);
        self.set_locals(&args[count..]);
        args.truncate(count);
        self.alive = true;
        let mask = Some(wanted);
        Ok(Arrival { mask, args })
    }
}
