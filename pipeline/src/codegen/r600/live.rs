//! Instructions that nothing reads, and copies that need no instruction, are removed.
//!
//! In and out: code over units, before it is scheduled.

use std::collections::HashMap;

use r600::isa::alu::{AluOp, Op2};

use super::machine::{Alu, Code, From, Inst, Operand, Unit};
use crate::codegen::regalloc::{Flow, Instruction, Interval, join_touching, live_ranges};

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
    let mut lives = Lives::new(code);
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
        let one = |from, to| {
            let ends = (find(&name, from), find(&name, to));
            ends == (a, b) || ends == (b, a)
        };
        if lives.differ(a, b, one) {
            continue;
        }
        lives.join(a, b);
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

/// When units are alive and written, in half instructions.
struct Lives {
    ranges: Vec<Vec<Interval>>,
    writes: Vec<Vec<u32>>,
    /// Copies, by when they write.
    copies: HashMap<u32, (Unit, Unit)>,
}

impl Lives {
    fn new(code: &Code) -> Lives {
        let units = code.homes.len();
        let mut lives = Lives {
            ranges: live_ranges(&code.flow(), units, Flow::Lane),
            writes: vec![Vec::new(); units],
            copies: HashMap::new(),
        };
        let mut at = 1;
        for block in &code.blocks {
            for inst in &block.insts {
                inst.each_write(|unit| lives.writes[unit as usize].push(at));
                if let Some(copy) = copy(inst) {
                    lives.copies.insert(at, copy);
                }
                at += 2;
            }
            at += 2;
        }
        lives
    }

    /// Whether two units are ever alive with different contents: not behind a copy of one to the other, which `one` knows,
    /// until one is written again.
    fn differ(&self, a: Unit, b: Unit, one: impl Fn(Unit, Unit) -> bool) -> bool {
        let (a, b) = (a as usize, b as usize);
        let written = |unit: usize, (start, end): Interval| {
            let writes = &self.writes[unit];
            let next = writes.partition_point(|at| *at <= start);
            writes.get(next).is_some_and(|at| *at < end)
        };
        let equal = |both: Interval| {
            let copied = self.copies.get(&both.0);
            copied.is_some_and(|(from, to)| one(*from, *to))
                && !written(a, both)
                && !written(b, both)
        };
        let (mut x, mut y) = (&self.ranges[a][..], &self.ranges[b][..]);
        while let ([p, behind_p @ ..], [q, behind_q @ ..]) = (x, y) {
            let both = (p.0.max(q.0), p.1.min(q.1));
            if both.0 < both.1 && !equal(both) {
                return true;
            }
            match p.1 <= q.1 {
                true => x = behind_p,
                false => y = behind_q,
            }
        }
        false
    }

    /// The first unit stands for both.
    fn join(&mut self, a: Unit, b: Unit) {
        let (a, b) = (a as usize, b as usize);
        let more = std::mem::take(&mut self.writes[b]);
        self.writes[a].extend(more);
        self.writes[a].sort_unstable();
        let more = std::mem::take(&mut self.ranges[b]);
        let ranges = &mut self.ranges[a];
        ranges.extend(more);
        ranges.sort_unstable();
        join_touching(ranges);
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
