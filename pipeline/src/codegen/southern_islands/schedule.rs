//! Loads earlier: each moves up in its block to where its operands are there, behind the load before it.
//!
//! So loads stand together, their latencies overlap, and one wait serves several. Nothing else changes its place. A load
//! passes no store, and one that EXEC takes part in passes no change of EXEC.

use super::machine::{Code, EXEC, Inst, Op, Operand};

/// The code with loads moved; none when no load can move.
pub(super) fn loads_first(code: &Code) -> Option<Code> {
    let mut early = code.clone();
    let mut moved = false;
    for block in &mut early.blocks {
        for at in 0..block.insts.len() {
            let to = destination(&block.insts, at);
            block.insts[to..=at].rotate_right(1);
            moved |= to < at;
        }
    }
    moved.then_some(early)
}

/// Where the instruction at `at` moves to.
fn destination(insts: &[Inst], at: usize) -> usize {
    let load = &insts[at];
    if !is_load(load) {
        return at;
    }
    let stop = insts[..at]
        .iter()
        .rposition(|before| stays_before(before, load));
    stop.map_or(0, |stop| stop + 1)
}

fn is_load(inst: &Inst) -> bool {
    match inst.op {
        Op::ScalarLoad(_) => true,
        Op::Buffer(_, _, shape) | Op::Image(_, _, shape) => !shape.data,
        _ => false,
    }
}

/// Whether the load must not pass an instruction.
fn stays_before(before: &Inst, load: &Inst) -> bool {
    let stores = match before.op {
        Op::Buffer(_, _, shape) | Op::Image(_, _, shape) => shape.data,
        // Barriers, and waits for what others are to see.
        Op::Program(..) => true,
        _ => false,
    };
    if stores || is_load(before) {
        return true;
    }
    let scalar = matches!(load.op, Op::ScalarLoad(_));
    if !scalar && changes_exec(before) {
        return true;
    }
    let made = || before.dst.iter().chain(&before.dst2);
    let results = || load.dst.iter().chain(&load.dst2);
    let needed = made().any(|a| load.src.iter().chain(results()).any(|b| meet(*a, *b)));
    let kept = before.src.iter().any(|a| results().any(|b| meet(*a, *b)));
    needed || kept
}

fn changes_exec(inst: &Inst) -> bool {
    let exec = Operand::Code(EXEC);
    inst.dst == Some(exec) || inst.dst2 == Some(exec) || inst.saves_exec()
}

/// Whether two operands share a register.
fn meet(a: Operand, b: Operand) -> bool {
    match (a, b) {
        (Operand::Code(a), Operand::Code(b)) => a.abs_diff(b) < 2,
        _ => {
            let (a, b) = (a.units(), b.units());
            a.start < b.end && b.start < a.end
        }
    }
}
