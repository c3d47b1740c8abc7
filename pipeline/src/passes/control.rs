//! Keeps control flow small: no blocks that are never reached, none that only jump on.

use crate::ir::{Block, BlockId, Function, Target, Terminator};

/// Removes blocks that control never reaches and that no construct names.
///
/// The last block stays, for it holds the `Return`.
pub fn remove_unreachable(function: &mut Function) {
    let count = function.blocks.len();
    let mut keep = vec![false; count];
    keep[count - 1] = true;
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut keep[id.0 as usize], true) {
            continue;
        }
        let block = &function.blocks[id.0 as usize];
        work.extend(block.end.targets().map(|target| target.block));
    }
    // Merges and continuing blocks that are never reached stay as ends of their constructs.
    let named: Vec<BlockId> = function
        .blocks
        .iter()
        .zip(&keep)
        .filter(|(_, keep)| **keep)
        .flat_map(|(block, _)| names(block))
        .collect();
    for id in named {
        let at = id.0 as usize;
        if !keep[at] {
            keep[at] = true;
            function.blocks[at].insts.clear();
            function.blocks[at].params.clear();
            function.blocks[at].looping = None;
            function.blocks[at].end = Terminator::Unreachable;
        }
    }
    retain(function, &keep);
}

/// Blocks that a block's construct names without jumping there.
fn names(block: &Block) -> impl Iterator<Item = BlockId> {
    let merge = match &block.end {
        Terminator::Branch { merge, .. } => Some(*merge),
        _ => None,
    };
    let looping = block.looping.map(|l| [l.merge, l.continuing]);
    merge.into_iter().chain(looping.into_iter().flatten())
}

/// Keeps the marked blocks.
pub fn retain(function: &mut Function, keep: &[bool]) {
    let mut number = Vec::with_capacity(keep.len());
    let mut next = 0;
    for &keep in keep {
        number.push(BlockId(next));
        next += u32::from(keep);
    }
    let mut at = 0;
    function.blocks.retain(|_| {
        at += 1;
        keep[at - 1]
    });
    for block in &mut function.blocks {
        block.renumber(|id| number[id.0 as usize]);
    }
}

/// Sends branches straight to where an empty side would jump, joins blocks that always follow each other, and
/// removes what is left over.
pub fn thread(function: &mut Function) {
    skip_empty_sides(function);
    remove_unreachable(function);
    join_chains(function);
}

/// A side of a branch that does nothing but jump on is skipped.
fn skip_empty_sides(function: &mut Function) {
    let onward: Vec<Option<Target>> = function
        .blocks
        .iter()
        .map(|block| match &block.end {
            Terminator::Jump(target)
                if block.insts.is_empty() && block.params.is_empty() && block.looping.is_none() =>
            {
                Some(target.clone())
            }
            _ => None,
        })
        .collect();
    // Blocks that a construct names must stay where they are.
    let mut named = vec![false; function.blocks.len()];
    for block in &function.blocks {
        for id in names(block) {
            named[id.0 as usize] = true;
        }
    }
    for block in &mut function.blocks {
        if !matches!(block.end, Terminator::Branch { .. }) {
            continue;
        }
        for target in block.end.targets_mut() {
            let at = target.block.0 as usize;
            if let (Some(next), false) = (&onward[at], named[at]) {
                *target = next.clone();
            }
        }
    }
}

/// Appends a block to the only one that jumps to it, when that one jumps nowhere else.
fn join_chains(function: &mut Function) {
    let preds = function.predecessors();
    let mut named = vec![false; function.blocks.len()];
    for block in &function.blocks {
        for id in names(block) {
            named[id.0 as usize] = true;
        }
    }
    let mut keep = vec![true; function.blocks.len()];
    let mut map = vec![None; function.types.len()];
    for number in (0..function.blocks.len()).rev() {
        let Terminator::Jump(target) = &function.blocks[number].end else {
            continue;
        };
        let next = target.block.0 as usize;
        let last = next + 1 == function.blocks.len();
        let fits = preds[next].len() == 1
            && !named[next]
            && next != number
            && function.blocks[next].looping.is_none()
            // The last block must stay last.
            && (!last || number + 1 == next);
        if !fits {
            continue;
        }
        let args = target.args.clone();
        let taken = std::mem::replace(
            &mut function.blocks[next],
            Block {
                params: Vec::new(),
                insts: Vec::new(),
                end: Terminator::Unreachable,
                looping: None,
            },
        );
        for (param, arg) in taken.params.iter().zip(args) {
            map[param.0 as usize] = Some(arg);
        }
        let block = &mut function.blocks[number];
        block.insts.extend(taken.insts);
        block.end = taken.end;
        keep[next] = false;
    }
    retain(function, &keep);
    function.rename(&map);
}
