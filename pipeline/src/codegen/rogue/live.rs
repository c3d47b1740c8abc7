//! Groups that nothing reads, and copies that need no group, are removed.

use super::machine::{Body, Code, Dst, Effect, FIRST, Inst, Unit};
use crate::codegen::regalloc::{Flow, Instruction, live_ranges, overlap};

/// Removes what nothing reads.
pub(super) fn remove_dead(code: &mut Code) {
    loop {
        let liveness = code.liveness();
        let mut removed = false;
        for (place, &block) in code.order.clone().iter().enumerate() {
            let mut live = liveness.at_end(place).clone();
            let insts = &mut code.blocks[block].insts;
            let mut keep = vec![true; insts.len()];
            for (at, inst) in insts.iter().enumerate().rev() {
                let mut wanted = has_effect(inst);
                inst.each_write(|unit| wanted |= live.has(unit));
                if !wanted {
                    keep[at] = false;
                    removed = true;
                    continue;
                }
                inst.each_write(|unit| live.set(unit, false));
                inst.each_read(|unit| live.set(unit, true));
            }
            let mut kept = keep.into_iter();
            insts.retain(|_| kept.next().unwrap_or(true));
        }
        if !removed {
            return;
        }
    }
}

/// Whether a group does more than write units.
fn has_effect(inst: &Inst) -> bool {
    let fixed = |w: &[Option<Dst>; 2]| {
        let named = |dst: &Dst| matches!(dst, Dst::Register(::rogue::isa::Register::Plain(..)));
        w.iter().flatten().any(named)
    };
    // Branches read P0, and they are no instructions.
    let test = inst.writes_p0();
    match &inst.body {
        Body::Main(main) => test || inst.effect == Effect::Write || fixed(&main.w),
        Body::Bits(bits) => fixed(&bits.w),
        Body::Undefined(_) => false,
        Body::Cnd(..) | Body::Mutex(_) | Body::Begin => true,
    }
}

/// Lets the two ends of a copy be one unit, where they are never alive with different contents.
pub(super) fn coalesce(code: &mut Code) {
    let mut ranges = live_ranges(&code.flow(), code.units as usize, Flow::Lane);
    let mut name: Vec<Unit> = (0..code.units).collect();
    let mut fixed = vec![false; code.units as usize];
    for &(first, words) in &code.rows {
        fixed[first as usize..(first + words) as usize].fill(true);
    }
    // Every copy is worth the same, but those into rows and parameters come often.
    let order = code
        .order
        .iter()
        .flat_map(|&block| &code.blocks[block].insts);
    let copies: Vec<(Unit, Unit)> = order.filter_map(Inst::copy).collect();
    let find = |name: &[Unit], mut unit: Unit| {
        while name[unit as usize] != unit {
            unit = name[unit as usize];
        }
        unit
    };
    for (from, to) in copies {
        let (mut a, mut b) = (find(&name, from), find(&name, to));
        if a == b || a < FIRST || b < FIRST || fixed[a as usize] && fixed[b as usize] {
            continue;
        }
        if fixed[b as usize] {
            std::mem::swap(&mut a, &mut b);
        }
        if code.kept.contains(&a) || overlap(&ranges[a as usize], &ranges[b as usize]) {
            continue;
        }
        let more = std::mem::take(&mut ranges[b as usize]);
        let mut both = std::mem::take(&mut ranges[a as usize]);
        both.extend(more);
        both.sort_unstable();
        ranges[a as usize] = both;
        name[b as usize] = a;
    }
    for block in &mut code.blocks {
        for inst in &mut block.insts {
            inst.rename(|unit| find(&name, unit));
        }
        block
            .insts
            .retain(|inst| inst.copy().is_none_or(|(from, to)| from != to));
    }
}
