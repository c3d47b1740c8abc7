//! Moves what does not change in a loop in front of it.

use std::collections::HashSet;

use super::cse::repeatable;
use super::loops::loops;
use crate::ir::{Function, Inst, Op, Terminator, Value};

/// Most instructions moved out of one loop: each holds a register while the loop runs.
const MOVED: usize = 24;

/// Moves invariant arithmetic and loads of constant memory in front of loops, inner ones first.
pub fn run(function: &mut Function) {
    let insts = function.insts();
    let constants: HashSet<Value> = insts
        .filter(|inst| matches!(inst.op, Op::Const(_)))
        .map(|inst| inst.results[0])
        .collect();
    for range in loops(function).into_iter().rev() {
        let Some(front) = (0..range.header).rev().find(|&at| {
            matches!(&function.blocks[at].end, Terminator::Jump(t) if t.block.0 as usize == range.header)
        }) else {
            continue;
        };
        let mut inside = vec![false; function.types.len()];
        for block in &function.blocks[range.blocks()] {
            let results = block.insts.iter().flat_map(|inst| &inst.results);
            for value in block.params.iter().chain(results) {
                inside[value.0 as usize] = true;
            }
        }
        let mut moved: Vec<Inst> = Vec::new();
        for number in range.blocks() {
            let insts = std::mem::take(&mut function.blocks[number].insts);
            let mut kept = Vec::with_capacity(insts.len());
            for inst in insts {
                let invariant = moved.len() < MOVED
                    && harmless(function, &constants, &inst)
                    && inst.operands().all(|value| !inside[value.0 as usize]);
                if invariant {
                    for result in &inst.results {
                        inside[result.0 as usize] = false;
                    }
                    moved.push(inst);
                } else {
                    kept.push(inst);
                }
            }
            function.blocks[number].insts = kept;
        }
        function.blocks[front].insts.append(&mut moved);
    }
}

/// Whether an instruction may be run although the loop's way would not have led to it.
fn harmless(function: &Function, constants: &HashSet<Value>, inst: &Inst) -> bool {
    match inst.op {
        Op::Alu(_) | Op::Select | Op::Bool(_) | Op::BoolNot | Op::BufferBytes(_) => true,
        Op::LoadBuffer(_) => repeatable(function, inst),
        // Where the offset is not constant, a branch around the load may be what keeps it in range.
        Op::LoadPush => constants.contains(&inst.args[0]),
        _ => false,
    }
}
