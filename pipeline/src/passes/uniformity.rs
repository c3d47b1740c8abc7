//! Which values are the same in every lane of a wave that is running.
//!
//! A value is uniform when all lanes that compute it together get the same. Where lanes part at a branch and meet
//! again with different arguments, the parameters there are not. Lanes may leave a loop in different iterations, so
//! nothing that changes in such a loop is uniform behind it; the function must be in the form that `lcssa` makes.

use super::loops::{LoopRange, loops};
use crate::ir::{BlockId, Builtin, Function, ImageKind, Inst, Op, ResourceKind, Terminator, Value};

/// What is uniform in a function.
#[derive(Clone, Debug)]
pub struct Uniformity {
    values: Vec<bool>,
    branches: Vec<bool>,
}

impl Uniformity {
    /// Whether a value is.
    pub fn value(&self, value: Value) -> bool {
        self.values[value.0 as usize]
    }

    /// Whether all lanes go the same way at the end of a block.
    pub fn branch(&self, block: BlockId) -> bool {
        self.branches[block.0 as usize]
    }
}

/// Analyses a function on which `passes::run` was run.
pub fn analyse(function: &Function) -> Uniformity {
    let mut analysis = Analysis {
        function,
        loops: loops(function),
        exits: post_dominators(function),
        preds: function.predecessors(),
        values: vec![true; function.types.len()],
        branches: vec![true; function.blocks.len()],
        divided: vec![false; function.blocks.len()],
        left: vec![false; function.blocks.len()],
    };
    while analysis.step() {}
    Uniformity {
        values: analysis.values,
        branches: analysis.branches,
    }
}

struct Analysis<'a> {
    function: &'a Function,
    loops: Vec<LoopRange>,
    /// Per block, the nearest block on every way onward; none where ways never meet.
    exits: Vec<Option<usize>>,
    preds: Vec<Vec<BlockId>>,
    values: Vec<bool>,
    branches: Vec<bool>,
    /// Lanes come to this block from different blocks at once.
    divided: Vec<bool>,
    /// Lanes come to this merge block of a loop from different iterations.
    left: Vec<bool>,
}

impl Analysis<'_> {
    fn uniform(&self, value: Value) -> bool {
        self.values[value.0 as usize]
    }

    /// Goes over the function once; whether something was found not to be uniform.
    fn step(&mut self) -> bool {
        let mut found = false;
        let function = self.function;
        for (number, block) in function.blocks.iter().enumerate() {
            for inst in &block.insts {
                let uniform = self.inst(inst);
                for &result in &inst.results {
                    let slot = &mut self.values[result.0 as usize];
                    found |= *slot && !uniform;
                    *slot &= uniform;
                }
            }
            for (at, &param) in block.params.iter().enumerate() {
                if self.uniform(param) && !self.param(number, at) {
                    self.values[param.0 as usize] = false;
                    found = true;
                }
            }
            if let Terminator::Branch { condition, .. } = block.end
                && self.branches[number]
                && !self.uniform(condition)
            {
                self.branches[number] = false;
                self.divide(number);
                found = true;
            }
        }
        found
    }

    fn inst(&self, inst: &Inst) -> bool {
        let operands = || inst.operands().all(|value| self.uniform(value));
        match &inst.op {
            Op::Input { .. } | Op::LoadLocal(_) | Op::AtomicBuffer(..) | Op::Derivative { .. } => {
                false
            }
            Op::Builtin(builtin) => *builtin == Builtin::DrawIndex,
            Op::LoadBuffer(access) => {
                let resource = &self.function.interface.resources[access.resource as usize];
                let constant = matches!(
                    resource.kind,
                    ResourceKind::Uniform { .. }
                        | ResourceKind::Storage {
                            read_only: true,
                            ..
                        }
                );
                constant && operands()
            }
            Op::Image(image) => match image.kind {
                ImageKind::Size { .. }
                | ImageKind::Levels
                | ImageKind::Layers
                | ImageKind::Samples => operands(),
                _ => false,
            },
            _ => operands(),
        }
    }

    /// Whether parameter `at` of a block is uniform.
    fn param(&self, block: usize, at: usize) -> bool {
        let mut args = Vec::new();
        for pred in &self.preds[block] {
            for target in self.function.blocks[pred.0 as usize].end.targets() {
                if target.block.0 as usize == block {
                    args.push(target.args[at]);
                }
            }
        }
        let same = args.windows(2).all(|pair| pair[0] == pair[1]);
        args.iter().all(|arg| self.uniform(*arg))
            && (same || !self.divided[block])
            && (!self.left[block] || self.invariant(block, &args))
    }

    /// Whether arguments to a loop's merge block come from before the loop.
    fn invariant(&self, merge: usize, args: &[Value]) -> bool {
        let Some(range) = self.loops.iter().find(|range| range.merge == merge) else {
            return true;
        };
        let mut inside = self.function.blocks[range.blocks()].iter();
        !inside.any(|block| {
            let results = block.insts.iter().flat_map(|inst| &inst.results);
            let mut defined = block.params.iter().chain(results);
            defined.any(|value| args.contains(value))
        })
    }

    /// Lanes part at the end of a block: marks where they meet again.
    fn divide(&mut self, from: usize) {
        let end = self.exits[from];
        for range in &self.loops {
            if range.blocks().contains(&from) && end.is_none_or(|end| end >= range.merge) {
                self.left[range.merge] = true;
            }
        }
        let mut seen = vec![false; self.function.blocks.len()];
        let mut work: Vec<usize> = vec![from];
        while let Some(number) = work.pop() {
            for target in self.function.blocks[number].end.targets() {
                let to = target.block.0 as usize;
                let header = self.function.blocks[to].looping.is_some();
                // All lanes that come to a loop header come the same way, however they were parted before.
                if self.preds[to].len() > 1 && !(header && to <= number) {
                    self.divided[to] = true;
                }
                if Some(to) != end && !std::mem::replace(&mut seen[to], true) {
                    work.push(to);
                }
            }
        }
    }
}

/// For each block the nearest one that every way onward leads through.
fn post_dominators(function: &Function) -> Vec<Option<usize>> {
    let count = function.blocks.len();
    // Blocks from which the end is reached, each after those it leads to; by walking the jumps backward.
    let preds = function.predecessors();
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut stack = vec![(count - 1, 0)];
    seen[count - 1] = true;
    while let Some((block, next)) = stack.pop() {
        match preds[block].get(next) {
            Some(pred) => {
                stack.push((block, next + 1));
                let pred = pred.0 as usize;
                if !std::mem::replace(&mut seen[pred], true) {
                    stack.push((pred, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    let mut position = vec![usize::MAX; count];
    for (at, &block) in order.iter().enumerate() {
        position[block] = at;
    }
    let mut parent: Vec<Option<usize>> = vec![None; count];
    parent[count - 1] = Some(count - 1);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().skip(1) {
            let mut common: Option<usize> = None;
            for target in function.blocks[block].end.targets() {
                let to = target.block.0 as usize;
                if parent[to].is_none() {
                    continue;
                }
                common = Some(match common {
                    None => to,
                    Some(other) => meet(&parent, &position, other, to),
                });
            }
            if common.is_some() && parent[block] != common {
                parent[block] = common;
                changed = true;
            }
        }
    }
    parent[count - 1] = None;
    parent
}

fn meet(parent: &[Option<usize>], position: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if position[a] > position[b] {
            &mut a
        } else {
            &mut b
        };
        match parent[*later] {
            Some(next) if next != *later => *later = next,
            _ => return *later,
        }
    }
    a
}
