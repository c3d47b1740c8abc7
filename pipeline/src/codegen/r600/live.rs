//! Instructions that nothing reads, and copies that need no instruction, are removed.
//!
//! In and out: code over units, before it is scheduled.

use r600::isa::alu::{AluOp, Op2};

use super::machine::{Alu, Code, From, Inst, Operand, Unit};
use crate::codegen::regalloc::{Flow, Instruction, live_ranges, overlap};

/// Removes what nothing reads.
pub fn remove_dead(code: &mut Code) {
    loop {
        let liveness = code.liveness();
        let mut removed = false;
        for b in 0..code.blocks.len() {
            let mut live = liveness.at_end(b).clone();
            let mut insts = std::mem::take(&mut code.blocks[b].insts);
            let mut keep = vec![true; insts.len()];
            for (at, inst) in insts.iter_mut().enumerate().rev() {
                if let Inst::Fetch(parts) = inst {
                    for unit in parts.iter_mut().flat_map(|part| &mut part.dst) {
                        *unit = unit.filter(|&unit| live.has(unit));
                    }
                }
                let mut writes = 0;
                let mut wanted = false;
                inst.each_write(|unit| {
                    writes += 1;
                    wanted |= live.has(unit);
                });
                let effect = match inst {
                    Inst::Alu(_) => writes == 0,
                    Inst::Fetch(_) => false,
                    Inst::Export(..) | Inst::Emit { .. } | Inst::End => true,
                    Inst::Memory(scratch) => !scratch.load,
                };
                if !wanted && !effect {
                    keep[at] = false;
                    removed = true;
                    continue;
                }
                inst.each_write(|unit| live.set(unit, false));
                inst.each_read(|unit| live.set(unit, true));
            }
            let mut kept = keep.into_iter();
            insts.retain(|_| kept.next().unwrap_or(true));
            code.blocks[b].insts = insts;
        }
        if !removed {
            return;
        }
    }
}

/// The instruction's copy: from, to.
fn copy(inst: &Inst) -> Option<(Unit, Unit)> {
    match inst {
        Inst::Alu(Alu {
            op: AluOp::Op2(Op2::MOV),
            dst: Some(to),
            src,
            clamp: false,
            relative: None,
            ..
        }) => match src[..] {
            [
                Operand {
                    from: From::Unit(from),
                    neg: false,
                    abs: false,
                },
            ] => Some((from, *to)),
            _ => None,
        },
        _ => None,
    }
}

/// Lets the two ends of a copy be one unit, where they are never alive with different contents.
pub fn coalesce(code: &mut Code) {
    let mut ranges = live_ranges(&code.flow(), code.homes.len(), Flow::Lane);
    let mut name: Vec<Unit> = (0..code.homes.len() as Unit).collect();
    let find = |name: &[Unit], mut unit: Unit| {
        while name[unit as usize] != unit {
            unit = name[unit as usize];
        }
        unit
    };
    let copies: Vec<(Unit, Unit)> = code
        .blocks
        .iter()
        .flat_map(|block| block.insts.iter().filter_map(copy))
        .collect();
    for (from, to) in copies {
        let (a, b) = (find(&name, from), find(&name, to));
        if a == b || !compatible(code, a, b) {
            continue;
        }
        if overlap(&ranges[a as usize], &ranges[b as usize]) {
            continue;
        }
        let more = std::mem::take(&mut ranges[b as usize]);
        let mut both = std::mem::take(&mut ranges[a as usize]);
        both.extend(more);
        both.sort_unstable();
        ranges[a as usize] = both;
        name[b as usize] = a;
        let (home, other) = (code.homes[a as usize], code.homes[b as usize]);
        code.homes[a as usize].elem = home.elem.or(other.elem);
        code.homes[a as usize].vector = home.vector.or(other.vector);
        code.homes[a as usize].keep |= other.keep;
        if let (None, Some(vector)) = (home.vector, other.vector) {
            for unit in &mut code.vectors[vector as usize].units {
                if *unit == b {
                    *unit = a;
                }
            }
        }
    }
    let map = |unit: Unit| find(&name, unit);
    for block in &mut code.blocks {
        for inst in &mut block.insts {
            inst.rename(map, map);
        }
        block
            .insts
            .retain(|inst| copy(inst).is_none_or(|(from, to)| from != to));
    }
}

/// Whether two units may be in one place.
fn compatible(code: &Code, a: Unit, b: Unit) -> bool {
    let (x, y) = (code.homes[a as usize], code.homes[b as usize]);
    if code.array_of(a).or(code.array_of(b)).is_some() {
        return false;
    }
    if x.elem.is_some() && y.elem.is_some() && x.elem != y.elem {
        return false;
    }
    let elem = x.elem.or(y.elem);
    let free = |vector: Option<u32>, own: Unit| {
        let Some(vector) = vector else { return true };
        let vector = &code.vectors[vector as usize];
        vector.gpr.is_none()
            && vector.units.iter().all(|&unit| {
                unit == own || elem.is_none() || code.homes[unit as usize].elem != elem
            })
    };
    match (x.vector, y.vector) {
        (Some(_), Some(_)) => false,
        (v, None) => free(v, a),
        (None, w) => free(w, b),
    }
}
