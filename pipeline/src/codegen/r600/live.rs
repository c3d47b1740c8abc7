//! Which units are alive where; instructions that nothing reads, and copies that need no instruction, are removed.

use r600::isa::alu::{AluOp, Op2};

use super::machine::{Alu, Code, From, Inst, Operand, Unit};
use crate::codegen::regalloc::{self, Access};

/// Units alive at the start and at the end of each block.
pub struct Liveness {
    start: Vec<Vec<u64>>,
    out: Vec<Vec<u64>>,
}

impl Liveness {
    /// Follows lanes backwards.
    pub fn new(code: &Code) -> Liveness {
        let words = code.homes.len().div_ceil(64).max(1);
        let count = code.blocks.len();
        let mut used = vec![vec![0u64; words]; count];
        let mut defined = vec![vec![0u64; words]; count];
        for (b, block) in code.blocks.iter().enumerate() {
            for inst in &block.insts {
                inst.each_read(code, |unit| {
                    let (word, bit) = (unit as usize / 64, 1 << (unit % 64));
                    if defined[b][word] & bit == 0 {
                        used[b][word] |= bit;
                    }
                });
                inst.each_write(code, |unit| {
                    defined[b][unit as usize / 64] |= 1 << (unit % 64)
                });
            }
        }
        let mut out = vec![vec![0u64; words]; count];
        let mut live = used.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..count).rev() {
                for w in 0..words {
                    let sum = code.blocks[b]
                        .next
                        .iter()
                        .fold(0, |sum, &n| sum | live[n][w]);
                    out[b][w] = sum;
                    let now = used[b][w] | sum & !defined[b][w];
                    changed |= now != live[b][w];
                    live[b][w] = now;
                }
            }
        }
        Liveness { start: live, out }
    }

    /// Units alive at the start of a block, a bit each.
    pub fn live_in(&self, block: usize) -> &[u64] {
        &self.start[block]
    }

    /// Units alive at the end of a block, a bit each.
    pub fn live_out(&self, block: usize) -> &[u64] {
        &self.out[block]
    }
}

fn has(set: &[u64], unit: Unit) -> bool {
    set[unit as usize / 64] >> (unit % 64) & 1 == 1
}

/// Removes what nothing reads.
pub fn remove_dead(code: &mut Code) {
    loop {
        let liveness = Liveness::new(code);
        let mut removed = false;
        for b in 0..code.blocks.len() {
            let mut live = liveness.live_out(b).to_vec();
            let mut insts = std::mem::take(&mut code.blocks[b].insts);
            let mut keep = vec![true; insts.len()];
            for (at, inst) in insts.iter_mut().enumerate().rev() {
                if let Inst::Fetch(parts) = inst {
                    for unit in parts.iter_mut().flat_map(|part| &mut part.dst) {
                        *unit = unit.filter(|&unit| has(&live, unit));
                    }
                }
                let mut writes = 0;
                let mut wanted = false;
                inst.each_write(code, |unit| {
                    writes += 1;
                    wanted |= has(&live, unit);
                });
                let effect = match inst {
                    Inst::Alu(_) => writes == 0,
                    Inst::Fetch(_) => false,
                    Inst::Export(..) => true,
                    Inst::Scratch(scratch) => !scratch.load,
                };
                if !wanted && !effect {
                    keep[at] = false;
                    removed = true;
                    continue;
                }
                inst.each_write(code, |unit| live[unit as usize / 64] &= !(1 << (unit % 64)));
                inst.each_read(code, |unit| live[unit as usize / 64] |= 1 << (unit % 64));
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

/// Live ranges of all units in the order of the code.
fn ranges(code: &Code) -> Vec<Vec<(u32, u32)>> {
    let blocks: Vec<regalloc::Block> = code
        .blocks
        .iter()
        .map(|block| regalloc::Block {
            insts: block
                .insts
                .iter()
                .map(|inst| {
                    let mut access = Access::default();
                    inst.each_read(code, |unit| access.reads.push(unit));
                    inst.each_write(code, |unit| access.writes.push(unit));
                    access
                })
                .collect(),
            lane_next: block.next.clone(),
            wave_next: Vec::new(),
        })
        .collect();
    regalloc::ranges(&blocks, code.homes.len(), true, &|_| true)
}

fn overlap(a: &[(u32, u32)], b: &[(u32, u32)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].0 < b[j].1 && b[j].0 < a[i].1 {
            return true;
        }
        if a[i].1 <= b[j].1 {
            i += 1;
        } else {
            j += 1;
        }
    }
    false
}

/// Lets the two ends of a copy be one unit, where they are never alive with different contents.
pub fn coalesce(code: &mut Code) {
    let mut ranges = ranges(code);
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
            inst.map_units(&map);
        }
        block
            .insts
            .retain(|inst| copy(inst).is_none_or(|(from, to)| from != to));
    }
}

/// Whether two units may be in one place.
fn compatible(code: &Code, a: Unit, b: Unit) -> bool {
    let (x, y) = (code.homes[a as usize], code.homes[b as usize]);
    let array = |unit: Unit| code.arrays.iter().any(|array| array.contains(&unit));
    if array(a) || array(b) {
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
