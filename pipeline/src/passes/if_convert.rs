//! Turns small branches into selections, and what they discard into what a condition discards.

use crate::ir::{
    BlockId, BoolOp, Function, Inst, LaneOp, Op, Origin, Target, Terminator, Type, Value,
};

/// Most work (see [`cost`]) that is done on both sides instead of branching.
const WORK: u32 = 12;

/// Converts branches whose sides are short and free of effects, inner ones first.
pub fn run(function: &mut Function) {
    let preds = function.predecessors();
    let alone = |block: usize| preds[block].len() == 1;
    for number in (0..function.blocks.len()).rev() {
        convert(function, number, &alone);
    }
}

/// One side of a branch: its own block, if it has one, and what it gives to the merge.
struct Side {
    block: Option<usize>,
    args: Vec<Value>,
}

fn side(
    function: &Function,
    target: &Target,
    merge: BlockId,
    alone: &impl Fn(usize) -> bool,
) -> Option<Side> {
    if target.block == merge {
        return Some(Side {
            block: None,
            args: target.args.clone(),
        });
    }
    let at = target.block.0 as usize;
    let block = &function.blocks[at];
    let Terminator::Jump(onward) = &block.end else {
        return None;
    };
    let fits = alone(at)
        && onward.block == merge
        && block.looping.is_none()
        && block.params.is_empty()
        && block.insts.iter().all(movable);
    fits.then(|| Side {
        block: Some(at),
        args: onward.args.clone(),
    })
}

fn movable(inst: &Inst) -> bool {
    matches!(
        inst.op,
        Op::Const(_)
            | Op::ConstBool(_)
            | Op::Alu(_)
            | Op::Select
            | Op::Bool(_)
            | Op::BoolNot
            | Op::Discard
    )
}

/// What an instruction costs a machine, in plain instructions.
fn cost(inst: &Inst) -> u32 {
    match inst.op {
        Op::Const(_) | Op::ConstBool(_) => 0,
        Op::Alu(LaneOp::UDiv | LaneOp::URem) => 16,
        Op::Alu(
            LaneOp::FRcp
            | LaneOp::FSqrt
            | LaneOp::FRsq
            | LaneOp::FExp2
            | LaneOp::FLog2
            | LaneOp::FSinTurns
            | LaneOp::FCosTurns
            | LaneOp::IMul,
        ) => 4,
        _ => 1,
    }
}

fn convert(function: &mut Function, number: usize, alone: &impl Fn(usize) -> bool) {
    let Terminator::Branch {
        condition,
        yes,
        no,
        merge,
    } = function.blocks[number].end.clone()
    else {
        return;
    };
    let (Some(yes), Some(no)) = (
        side(function, &yes, merge, alone),
        side(function, &no, merge, alone),
    ) else {
        return;
    };
    let blocks = || yes.block.iter().chain(&no.block);
    let work: u32 = blocks()
        .flat_map(|&at| &function.blocks[at].insts)
        .map(cost)
        .sum();
    let selections = yes.args.iter().zip(&no.args).filter(|(y, n)| y != n);
    if work + selections.count() as u32 > WORK {
        return;
    }
    let mut moved = Vec::new();
    for (side, bit) in [(&yes, true), (&no, false)] {
        let Some(at) = side.block else { continue };
        for inst in std::mem::take(&mut function.blocks[at].insts) {
            match inst.op {
                Op::Discard => discard(function, &mut moved, (condition, bit), inst),
                _ => moved.push(inst),
            }
        }
    }
    let mut args = Vec::new();
    for (&y, &n) in yes.args.iter().zip(&no.args) {
        if y == n {
            args.push(y);
            continue;
        }
        let result = function.value(function.types[y.0 as usize]);
        moved.push(Inst {
            op: Op::Select,
            args: vec![condition, y, n],
            results: vec![result],
            origin: Origin::default(),
        });
        args.push(result);
    }
    let block = &mut function.blocks[number];
    block.insts.append(&mut moved);
    block.end = Terminator::Jump(Target { block: merge, args });
}

/// Discards where a branch would go the way that discards: `inst` stands where `condition` is `bit`.
fn discard(
    function: &mut Function,
    moved: &mut Vec<Inst>,
    (condition, bit): (Value, bool),
    inst: Inst,
) {
    let mut bool_of = |op, args| {
        let result = function.value(Type::Bool);
        moved.push(Inst {
            op,
            args,
            results: vec![result],
            origin: inst.origin,
        });
        result
    };
    let here = match bit {
        true => condition,
        false => bool_of(Op::BoolNot, vec![condition]),
    };
    let gone = bool_of(Op::Bool(BoolOp::And), vec![here, inst.args[0]]);
    moved.push(Inst {
        args: vec![gone],
        ..inst
    });
}
