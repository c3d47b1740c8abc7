//! Joins loads of neighbouring words.

use std::collections::HashMap;

use crate::ir::{Access, Function, Inst, LaneOp, Op, Origin, Type, Value};

/// Most words of one load.
const WORDS: u32 = 16;

/// Where a load reads: a buffer or the push constants, a run-time part of the offset, and the constant rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Base {
    access: Option<Access>,
    base: Option<Value>,
}

struct Load {
    at: usize,
    start: u32,
    words: u32,
}

/// Joins loads within blocks, as far as no store lies between them.
pub fn run(function: &mut Function) {
    let mut sums: HashMap<Value, (Option<Value>, u32)> = HashMap::new();
    let constants: HashMap<Value, u32> = function
        .insts()
        .filter_map(|inst| match inst.op {
            Op::Const(word) => Some((inst.results[0], word)),
            _ => None,
        })
        .collect();
    for inst in function.insts() {
        if let (Op::Alu(LaneOp::IAdd), &[a, b]) = (&inst.op, &inst.args[..])
            && let Some(&c) = constants.get(&b)
        {
            sums.insert(inst.results[0], (Some(a), c));
        }
    }
    sums.extend(
        constants
            .iter()
            .map(|(value, word)| (*value, (None, *word))),
    );
    for number in 0..function.blocks.len() {
        block(function, number, &sums);
    }
}

fn block(function: &mut Function, number: usize, sums: &HashMap<Value, (Option<Value>, u32)>) {
    let mut groups: HashMap<Base, Vec<Load>> = HashMap::new();
    let mut order: Vec<Base> = Vec::new();
    let mut done: Vec<(Base, Vec<Load>)> = Vec::new();
    for (at, inst) in function.blocks[number].insts.iter().enumerate() {
        let access = match &inst.op {
            Op::LoadBuffer(access) => Some(*access),
            Op::LoadPush => None,
            op => {
                if op.has_effect() {
                    done.extend(order.drain(..).filter_map(|o| groups.remove_entry(&o)));
                }
                continue;
            }
        };
        let offset = inst.args[0];
        let (base, start) = sums.get(&offset).copied().unwrap_or((Some(offset), 0));
        let from = Base { access, base };
        let group = groups.entry(from).or_insert_with(|| {
            order.push(from);
            Vec::new()
        });
        group.push(Load {
            at,
            start,
            words: inst.results.len() as u32,
        });
    }
    done.extend(order.drain(..).filter_map(|o| groups.remove_entry(&o)));
    let mut joined: HashMap<usize, Vec<Inst>> = HashMap::new();
    let mut gone = vec![false; function.blocks[number].insts.len()];
    for (from, mut loads) in done {
        loads.sort_by_key(|load| (load.start, load.at));
        let mut rest = &loads[..];
        while let Some(first) = rest.first() {
            let mut end = first.start + 4 * first.words;
            let mut count = 1;
            while let Some(next) = rest.get(count)
                && next.start == end
                && end + 4 * next.words - first.start <= 4 * WORDS
            {
                end += 4 * next.words;
                count += 1;
            }
            let (now, later) = rest.split_at(count);
            rest = later;
            if count > 1 {
                join(function, number, from, now, &mut joined);
                now.iter().for_each(|load| gone[load.at] = true);
            }
        }
    }
    if joined.is_empty() {
        return;
    }
    let insts = std::mem::take(&mut function.blocks[number].insts);
    let block = &mut function.blocks[number].insts;
    for (at, inst) in insts.into_iter().enumerate() {
        block.extend(joined.remove(&at).into_iter().flatten());
        if !gone[at] {
            block.push(inst);
        }
    }
}

/// Makes one load of several, where the first of them stood.
fn join(
    function: &mut Function,
    number: usize,
    from: Base,
    loads: &[Load],
    joined: &mut HashMap<usize, Vec<Inst>>,
) {
    let Some(place) = loads.iter().map(|load| load.at).min() else {
        return;
    };
    let insts = &function.blocks[number].insts;
    let results = loads.iter().flat_map(|load| insts[load.at].results.clone());
    let results: Vec<Value> = results.collect();
    let origin = insts[loads[0].at].origin;
    let mut new = Vec::new();
    let constant = function.value(Type::Word);
    new.push(Inst {
        op: Op::Const(loads[0].start),
        args: Vec::new(),
        results: vec![constant],
        origin: Origin::default(),
    });
    let mut offset = constant;
    if let Some(base) = from.base {
        offset = function.value(Type::Word);
        new.push(Inst {
            op: Op::Alu(LaneOp::IAdd),
            args: vec![base, constant],
            results: vec![offset],
            origin,
        });
    }
    new.push(Inst {
        op: from.access.map_or(Op::LoadPush, Op::LoadBuffer),
        args: vec![offset],
        results,
        origin,
    });
    joined.entry(place).or_default().extend(new);
}
