//! Computes once what would be computed twice.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::fold::is_commutative;
use crate::ir::{BlockId, Dominators, Function, ImageKind, Inst, Op, ResourceKind, Value};

/// Replaces every pure instruction by an equal one in a block that dominates it.
pub fn run(function: &mut Function) {
    let dominators = Dominators::new(function);
    // Per hash: block and instruction, and its results.
    let mut seen: HashMap<u64, Vec<(BlockId, Inst)>> = HashMap::new();
    let mut map: Vec<Option<Value>> = vec![None; function.types.len()];
    for number in 0..function.blocks.len() {
        let here = BlockId(number as u32);
        if !dominators.reachable(here) {
            continue;
        }
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for mut inst in insts {
            inst.map_operands(|value| map[value.0 as usize].unwrap_or(value));
            if !repeatable(function, &inst) {
                kept.push(inst);
                continue;
            }
            if let Op::Alu(op) = inst.op
                && is_commutative(op)
            {
                inst.args[..2].sort();
            }
            let same = seen.entry(hash(&inst)).or_default();
            let found = same.iter().find(|(block, other)| {
                other.op == inst.op
                    && other.args == inst.args
                    && other.results.len() == inst.results.len()
                    && dominators.dominates(*block, here)
            });
            match found {
                Some((_, other)) => {
                    for (&old, &new) in inst.results.iter().zip(&other.results) {
                        map[old.0 as usize] = Some(new);
                    }
                }
                None => {
                    same.push((here, inst.clone()));
                    kept.push(inst);
                }
            }
        }
        function.blocks[number].insts = kept;
    }
    function.rename(&map);
}

fn hash(inst: &Inst) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(&inst.op).hash(&mut hasher);
    match &inst.op {
        Op::Alu(op) => op.hash(&mut hasher),
        Op::Const(word) => word.hash(&mut hasher),
        _ => {}
    }
    inst.args.hash(&mut hasher);
    hasher.finish()
}

/// Whether an instruction gives the same wherever and how often it stands.
pub(super) fn repeatable(function: &Function, inst: &Inst) -> bool {
    let constant = |resource: u32| {
        matches!(
            function.interface.resources[resource as usize].kind,
            ResourceKind::Uniform { .. }
                | ResourceKind::Texture { .. }
                | ResourceKind::Storage {
                    read_only: true,
                    ..
                }
        )
    };
    match &inst.op {
        Op::LoadBuffer(access) => constant(access.resource),
        Op::Image(image) => match image.kind {
            ImageKind::Load { .. } => constant(image.texture.resource),
            _ => inst.op.is_pure(),
        },
        op => op.is_pure(),
    }
}
