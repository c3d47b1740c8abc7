//! Removes block parameters that always get the same value, and parameters that nobody reads.

use crate::ir::{Function, Terminator, Value};

/// Removes parameters to which every jump gives one and the same value (or the parameter itself).
pub fn remove_redundant(function: &mut Function) {
    loop {
        let map = redundant(function);
        if map.iter().all(Option::is_none) {
            break;
        }
        let doomed: Vec<Vec<bool>> = function
            .blocks
            .iter()
            .map(|block| {
                let gone = |p: &Value| map[p.0 as usize].is_some();
                block.params.iter().map(gone).collect()
            })
            .collect();
        drop_params(function, &doomed);
        function.rename(&map);
    }
}

/// Removes the marked parameters of every block, and the arguments that go there.
pub fn drop_params(function: &mut Function, doomed: &[Vec<bool>]) {
    let keep = |values: &mut Vec<Value>, doomed: &[bool]| {
        let mut at = 0;
        values.retain(|_| {
            at += 1;
            !doomed[at - 1]
        });
    };
    for (number, block) in function.blocks.iter_mut().enumerate() {
        keep(&mut block.params, &doomed[number]);
        for target in block.end.targets_mut() {
            keep(&mut target.args, &doomed[target.block.0 as usize]);
        }
    }
}

/// What each redundant parameter can be replaced by.
fn redundant(function: &Function) -> Vec<Option<Value>> {
    // Per parameter: no argument seen, one, or several.
    #[derive(Clone, Copy)]
    enum Seen {
        None,
        One(Value),
        Many,
    }
    let mut map: Vec<Option<Value>> = vec![None; function.types.len()];
    let find = |map: &[Option<Value>], mut value: Value| {
        while let Some(next) = map[value.0 as usize] {
            value = next;
        }
        value
    };
    // In a loop a parameter may be redundant only together with others, so repeat until nothing is found.
    loop {
        let mut seen = vec![Seen::None; function.types.len()];
        for block in &function.blocks {
            for target in block.end.targets() {
                let params = &function.blocks[target.block.0 as usize].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    let arg = find(&map, arg);
                    let slot = &mut seen[param.0 as usize];
                    *slot = match *slot {
                        _ if arg == param => *slot,
                        Seen::None => Seen::One(arg),
                        Seen::One(same) if same == arg => *slot,
                        Seen::One(_) | Seen::Many => Seen::Many,
                    };
                }
            }
        }
        let mut found = false;
        for (at, seen) in seen.into_iter().enumerate() {
            let param = Value(at as u32);
            if let (Seen::One(value), None) = (seen, map[at])
                && find(&map, value) != param
            {
                map[at] = Some(value);
                found = true;
            }
        }
        if !found {
            return map;
        }
    }
}

/// Every value that is read by something that matters: effects, branches, and what they need.
pub fn live(function: &Function) -> Vec<bool> {
    // For each value, what its definition reads.
    let mut needs: Vec<Vec<Value>> = vec![Vec::new(); function.types.len()];
    let mut work: Vec<Value> = Vec::new();
    for block in &function.blocks {
        for inst in &block.insts {
            if inst.op.has_effect() {
                work.extend(inst.operands());
            }
            // An instruction with several results is kept for any of them.
            for &result in &inst.results {
                needs[result.0 as usize].extend(inst.operands());
            }
        }
        if let Terminator::Branch { condition, .. } = &block.end {
            work.push(*condition);
        }
        for target in block.end.targets() {
            let params = &function.blocks[target.block.0 as usize].params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                needs[param.0 as usize].push(arg);
            }
        }
    }
    let mut live = vec![false; function.types.len()];
    while let Some(value) = work.pop() {
        if !std::mem::replace(&mut live[value.0 as usize], true) {
            work.append(&mut needs[value.0 as usize]);
        }
    }
    live
}
