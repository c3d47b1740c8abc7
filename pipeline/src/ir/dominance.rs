//! Which blocks lie on every way to a block.

use super::{BlockId, Function};

/// The dominator tree.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Immediate dominator; the entry's is itself, an unreachable block has none.
    parent: Vec<Option<BlockId>>,
    /// Distance from the entry in the tree.
    depth: Vec<u32>,
}

impl Dominators {
    /// Finds the dominators of a function's blocks.
    pub fn new(function: &Function) -> Dominators {
        let order = reverse_postorder(function);
        let mut position = vec![usize::MAX; function.blocks.len()];
        for (at, block) in order.iter().enumerate() {
            position[block.0 as usize] = at;
        }
        let preds = function.predecessors();
        let mut parent: Vec<Option<BlockId>> = vec![None; function.blocks.len()];
        parent[0] = Some(BlockId(0));
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let known = preds[block.0 as usize]
                    .iter()
                    .copied()
                    .filter(|p| parent[p.0 as usize].is_some())
                    .reduce(|a, b| common(&parent, &position, a, b));
                if known.is_some() && parent[block.0 as usize] != known {
                    parent[block.0 as usize] = known;
                    changed = true;
                }
            }
        }
        let mut depth = vec![0; parent.len()];
        for &block in order.iter().skip(1) {
            if let Some(p) = parent[block.0 as usize] {
                depth[block.0 as usize] = depth[p.0 as usize] + 1;
            }
        }
        Dominators { parent, depth }
    }

    /// Whether control can come here at all.
    pub fn reachable(&self, block: BlockId) -> bool {
        self.parent[block.0 as usize].is_some()
    }

    /// The immediate dominator; none for the entry and for unreachable blocks.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.parent[block.0 as usize].filter(|p| *p != block)
    }

    /// Whether every way to `b` leads through `a`.
    pub fn dominates(&self, a: BlockId, mut b: BlockId) -> bool {
        while self.depth[b.0 as usize] > self.depth[a.0 as usize] {
            match self.parent(b) {
                Some(p) => b = p,
                None => return false,
            }
        }
        a == b
    }
}

fn common(
    parent: &[Option<BlockId>],
    position: &[usize],
    mut a: BlockId,
    mut b: BlockId,
) -> BlockId {
    let at = |block: BlockId| position[block.0 as usize];
    while a != b {
        let later = if at(a) > at(b) { &mut a } else { &mut b };
        match parent[later.0 as usize] {
            Some(p) => *later = p,
            None => return a,
        }
    }
    a
}

/// Reachable blocks, every block before its successors except along jumps back.
pub fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut stack = vec![(BlockId(0), 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.pop() {
        let successor = function.blocks[block.0 as usize]
            .end
            .targets()
            .nth(next)
            .map(|target| target.block);
        match successor {
            Some(to) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[to.0 as usize], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}
