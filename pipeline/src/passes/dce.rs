//! Removes what nobody reads.

use super::params::{drop_params, live};
use crate::ir::{Function, Op};

/// Removes dead instructions and parameters, and stores to private arrays that are never read.
pub fn run(function: &mut Function) {
    drop_unread_arrays(function);
    let live = live(function);
    let doomed: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| block.params.iter().map(|p| !live[p.0 as usize]).collect())
        .collect();
    drop_params(function, &doomed);
    for block in &mut function.blocks {
        block
            .insts
            .retain(|inst| inst.op.has_effect() || inst.results.iter().any(|r| live[r.0 as usize]));
    }
}

fn drop_unread_arrays(function: &mut Function) {
    let mut read = vec![false; function.locals.len()];
    for inst in function.insts() {
        if let Op::LoadLocal(local) = inst.op {
            read[local as usize] = true;
        }
    }
    for block in &mut function.blocks {
        block.insts.retain(|inst| match inst.op {
            Op::StoreLocal(local) => read[local as usize],
            _ => true,
        });
    }
}
