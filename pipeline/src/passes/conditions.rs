//! A condition that a branch has decided is a constant behind it.

use std::collections::HashMap;

use crate::ir::{BlockId, Dominators, Function, Inst, Known, Op, Origin, Terminator, Type, Value};

/// Puts constants for conditions in the blocks that only one side of their branch leads to.
pub fn run(function: &mut Function) {
    let mut entries = vec![0u32; function.blocks.len()];
    for block in &function.blocks {
        for target in block.end.targets() {
            entries[target.block.0 as usize] += 1;
        }
    }
    // What is known at the start of a block that one branch alone leads to.
    let mut decided: Vec<Option<(Value, bool)>> = vec![None; function.blocks.len()];
    for block in &function.blocks {
        if let Terminator::Branch {
            condition, yes, no, ..
        } = &block.end
        {
            for (target, bit) in [(yes, true), (no, false)] {
                let at = target.block.0 as usize;
                if entries[at] == 1 {
                    decided[at] = Some((*condition, bit));
                }
            }
        }
    }
    if decided.iter().all(Option::is_none) {
        return;
    }
    let dominators = Dominators::new(function);
    let mut known: Vec<HashMap<Value, bool>> = Vec::with_capacity(function.blocks.len());
    for (number, own) in decided.into_iter().enumerate() {
        // A block comes after every block that dominates it.
        let parent = dominators.parent(BlockId(number as u32));
        let mut facts = parent.map_or_else(HashMap::new, |at| known[at.0 as usize].clone());
        facts.extend(own);
        known.push(facts);
    }
    let constants = [false, true].map(|bit| {
        let value = function.value(Type::Bool);
        function.blocks[0].insts.insert(
            0,
            Inst {
                op: Known::Bool(bit).op(),
                args: Vec::new(),
                results: vec![value],
                origin: Origin::default(),
            },
        );
        value
    });
    for (block, facts) in function.blocks.iter_mut().zip(&known) {
        if facts.is_empty() {
            continue;
        }
        let decide = |value: Value| match facts.get(&value) {
            Some(&bit) => constants[usize::from(bit)],
            None => value,
        };
        for inst in &mut block.insts {
            if !matches!(inst.op, Op::Const(_) | Op::ConstBool(_)) {
                inst.map_operands(decide);
            }
        }
        block.end.map_operands(decide);
    }
}
