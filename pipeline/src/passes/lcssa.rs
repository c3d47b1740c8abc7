//! Values leave a loop through the parameters of its merge block only.
//!
//! Lanes leave a loop in different iterations. With this form a back end sees where a value that the lanes share inside
//! the loop becomes one of their own.

use super::loops::{LoopRange, loops};
use crate::ir::{BlockId, Function, Value};

/// Gives every loop's merge block a parameter for each value of the loop that is used behind it.
pub fn run(function: &mut Function) {
    // Inner loops first: what leaves them may leave the outer ones too.
    for looping in loops(function).into_iter().rev() {
        close(function, looping);
    }
}

fn close(function: &mut Function, range: LoopRange) {
    let mut inside = vec![false; function.types.len()];
    for block in &function.blocks[range.blocks()] {
        let results = block.insts.iter().flat_map(|inst| &inst.results);
        for value in block.params.iter().chain(results) {
            inside[value.0 as usize] = true;
        }
    }
    let mut map: Vec<Option<Value>> = vec![None; function.types.len()];
    let mut leaving = Vec::new();
    let mut note = |value: Value| {
        let at = value.0 as usize;
        if inside[at] && map[at].is_none() {
            map[at] = Some(value);
            leaving.push(value);
        }
    };
    for (number, block) in function.blocks.iter().enumerate() {
        if range.blocks().contains(&number) {
            continue;
        }
        for inst in &block.insts {
            inst.operands().for_each(&mut note);
        }
        block.end.operands().for_each(&mut note);
    }
    for value in leaving {
        let param = function.value(function.types[value.0 as usize]);
        map[value.0 as usize] = Some(param);
        let merge = BlockId(range.merge as u32);
        function.blocks[range.merge].params.push(param);
        for block in &mut function.blocks {
            for target in block.end.targets_mut().filter(|t| t.block == merge) {
                target.args.push(value);
            }
        }
    }
    let renamed = |value: Value| {
        map.get(value.0 as usize)
            .copied()
            .flatten()
            .unwrap_or(value)
    };
    for (number, block) in function.blocks.iter_mut().enumerate() {
        if range.blocks().contains(&number) {
            continue;
        }
        block
            .insts
            .iter_mut()
            .for_each(|inst| inst.map_operands(renamed));
        block.end.map_operands(renamed);
    }
}
