//! Writes short loops with a known number of trips out.

use std::collections::HashMap;

use super::loops::{LoopRange, loops};
use crate::ir::{Block, BlockId, Function, Inst, Op, Target, Terminator, Value};

/// Most trips.
const TRIPS: usize = 64;
/// Most instructions that all trips may leave, once what is known of each trip is folded.
const SIZE: usize = 640;
/// Most instructions that all trips may have before that.
const WRITTEN: usize = 4096;

/// Unrolls loops, inner ones first. The loops must be closed, see `lcssa`.
pub fn run(function: &mut Function) {
    run_within(function, SIZE);
}

/// Unrolls those whose trips leave so many instructions at most, see [`left`].
pub fn run_within(function: &mut Function, most: usize) {
    let mut at = loops(function).len();
    while at > 0 {
        at -= 1;
        // Inner loops that stay were counted before their outer ones; unrolled ones are gone from the end.
        let Some(&range) = loops(function).get(at) else {
            continue;
        };
        if let Some(trips) = trips(function, range, most) {
            write_out(function, range, trips);
        }
    }
}

/// How often a loop's only exit is passed before it is taken.
struct Trips {
    /// Block that ends with the exit.
    exit: usize,
    /// Trips in which the exit is not taken.
    stays: usize,
}

/// Evaluates operations of one parameter and constants.
struct Evaluator<'a> {
    defs: HashMap<Value, &'a Inst>,
    value: Value,
    bits: u32,
}

impl Evaluator<'_> {
    fn bits(&self, value: Value, depth: u32) -> Option<u32> {
        if value == self.value {
            return Some(self.bits);
        }
        let inst = self.defs.get(&value)?;
        match &inst.op {
            Op::Const(word) => Some(*word),
            Op::ConstBool(bit) => Some(u32::from(*bit)),
            Op::Alu(op) if depth > 0 => {
                let mut args = [0; 3];
                for (slot, &arg) in args.iter_mut().zip(&inst.args) {
                    *slot = self.bits(arg, depth - 1)?;
                }
                Some(op.eval(args))
            }
            Op::BoolNot if depth > 0 => Some(u32::from(self.bits(inst.args[0], depth - 1)? == 0)),
            _ => None,
        }
    }
}

fn trips(function: &Function, range: LoopRange, most: usize) -> Option<Trips> {
    let merge = BlockId(range.merge as u32);
    let header = BlockId(range.header as u32);
    // One way out, at the top or the bottom; one way back.
    let mut exits = Vec::new();
    let mut latches = Vec::new();
    let mut continues = 0;
    for number in range.blocks() {
        for target in function.blocks[number].end.targets() {
            if target.block == merge {
                exits.push(number);
            } else if target.block == header {
                latches.push((number, target));
            } else if target.block.0 as usize == range.continuing {
                continues += 1;
            }
        }
    }
    let (&[exit], &[(latch, back)]) = (&exits[..], &latches[..]) else {
        return None;
    };
    // Without the loop, a side that leaves by `continue` would leave its branch for a block that no construct names.
    if (exit != range.header && exit != latch) || continues > 1 {
        return None;
    }
    let written: usize = function.blocks[range.blocks()]
        .iter()
        .map(|block| block.insts.len() + 1)
        .sum();
    let Terminator::Branch {
        condition, ref yes, ..
    } = function.blocks[exit].end
    else {
        return None;
    };
    let leaves_on = yes.block == merge;
    let mut entries = function.blocks[..range.header]
        .iter()
        .flat_map(|block| block.end.targets())
        .filter(|target| target.block == header);
    let (entry, None) = (entries.next()?, entries.next()) else {
        return None;
    };
    let insts = function.insts();
    let defs: HashMap<Value, &Inst> = insts
        .filter(|inst| inst.results.len() == 1)
        .map(|inst| (inst.results[0], inst))
        .collect();
    let params = &function.blocks[range.header].params;
    for (at, &param) in params.iter().enumerate() {
        let Some(Op::Const(first)) = defs.get(&entry.args[at]).map(|inst| inst.op.clone()) else {
            continue;
        };
        let mut evaluator = Evaluator {
            defs: defs.clone(),
            value: param,
            bits: first,
        };
        let mut stays = 0;
        while stays <= TRIPS {
            let Some(bit) = evaluator.bits(condition, 4) else {
                break;
            };
            if (bit != 0) == leaves_on {
                let copies = stays + 1;
                let fits = copies * written <= WRITTEN.max(most)
                    && copies * left(function, range, param) <= most;
                return fits.then_some(Trips { exit, stays });
            }
            stays += 1;
            match evaluator.bits(back.args[at], 4) {
                Some(bits) => evaluator.bits = bits,
                None => break,
            }
        }
    }
    None
}

/// Instructions that a trip leaves where the value of one parameter is known: what is computed of it and of constants
/// folds, and so do selections that it decides.
fn left(function: &Function, range: LoopRange, counter: Value) -> usize {
    let mut known = vec![false; function.types.len()];
    known[counter.0 as usize] = true;
    for inst in function.blocks[..range.header]
        .iter()
        .flat_map(|b| &b.insts)
    {
        if let (Op::Const(_) | Op::ConstBool(_), &[result]) = (&inst.op, &inst.results[..]) {
            known[result.0 as usize] = true;
        }
    }
    let mut count = 0;
    for block in &function.blocks[range.blocks()] {
        count += 1;
        for inst in &block.insts {
            let is_known = |value: &Value| known[value.0 as usize];
            let folds = match inst.op {
                Op::Const(_) | Op::ConstBool(_) => true,
                Op::Alu(_) | Op::Bool(_) | Op::BoolNot | Op::Select => {
                    inst.args.iter().all(is_known)
                }
                _ => false,
            };
            let decided = inst.op == Op::Select && is_known(&inst.args[0]);
            count += usize::from(!folds && !decided);
            if folds {
                for result in &inst.results {
                    known[result.0 as usize] = true;
                }
            }
        }
    }
    count
}

fn write_out(function: &mut Function, range: LoopRange, trips: Trips) {
    let body: Vec<Block> = function.blocks[range.blocks()].to_vec();
    let length = body.len();
    let copies = trips.stays + 1;
    let grown = length * (copies - 1);
    let place = |id: BlockId, copy: usize| {
        let at = id.0 as usize;
        BlockId(if at < range.header {
            at
        } else if at < range.merge {
            at + length * copy
        } else {
            at + grown
        } as u32)
    };
    let merge = BlockId(range.merge as u32);
    let header = BlockId(range.header as u32);
    let mut new: Vec<Block> = Vec::with_capacity(function.blocks.len() + grown);
    let mut before: Vec<Block> = function.blocks.drain(..range.header).collect();
    let mut after: Vec<Block> = function.blocks.drain(length..).collect();
    // Values of the loop's parameters in the trip being written.
    let mut args: Vec<Value> = Vec::new();
    for block in &mut before {
        for target in block.end.targets_mut().filter(|t| t.block == header) {
            args = std::mem::take(&mut target.args);
        }
        block.renumber(|id| place(id, 0));
    }
    new.append(&mut before);
    for copy in 0..copies {
        let mut map: HashMap<Value, Value> = HashMap::new();
        map.extend(body[0].params.iter().copied().zip(args.iter().copied()));
        for (at, block) in body.iter().enumerate() {
            let mut block = block.clone();
            if at == 0 {
                block.params.clear();
                block.looping = None;
            }
            let mut defined = Vec::new();
            defined.extend(block.params.iter_mut());
            for inst in &mut block.insts {
                defined.extend(inst.results.iter_mut());
            }
            for value in defined {
                let fresh = function.value(function.types[value.0 as usize]);
                map.insert(*value, fresh);
                *value = fresh;
            }
            new.push(block);
        }
        let first = new.len() - length;
        let find = |value: Value| map.get(&value).copied().unwrap_or(value);
        let mut next = Vec::new();
        for (at, block) in new[first..].iter_mut().enumerate() {
            block
                .insts
                .iter_mut()
                .for_each(|inst| inst.map_operands(find));
            block.end.map_operands(find);
            if range.header + at == trips.exit {
                let leaves = copy == trips.stays;
                let chosen = block
                    .end
                    .targets()
                    .find(|target| (target.block == merge) == leaves)
                    .cloned();
                if let Some(chosen) = chosen {
                    block.end = Terminator::Jump(chosen);
                }
            }
            let back = block.end.targets().find(|target| target.block == header);
            let back = back.cloned();
            block.renumber(|id| place(id, copy));
            if let Some(back) = back {
                next = back.args;
                let block_id = BlockId((range.header + length * (copy + 1)) as u32);
                // Behind the last trip there is no way back; its end is never reached.
                block.end = if copy + 1 < copies {
                    Terminator::Jump(Target {
                        block: block_id,
                        args: Vec::new(),
                    })
                } else {
                    Terminator::Unreachable
                };
            }
        }
        args = next;
    }
    for block in &mut after {
        block.renumber(|id| place(id, 0));
    }
    new.append(&mut after);
    function.blocks = new;
}
