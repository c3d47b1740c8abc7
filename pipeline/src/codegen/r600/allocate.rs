//! Registers for units whose elements are known.
//!
//! The allocator of all chips is told one register for each element: register `4 r + e` is element `e` of register `r`.
//! A vector is four neighbours at a multiple of four, and elements that have no unit are never written.

use super::group::{self, Read, Slot};
use super::machine::{Code, Inst, Relative, Unit};
use super::schedule::Clause;
use crate::codegen::regalloc::{self, Access, Assignment, Bank, Group};

/// Registers that programs may use; the clauses keep none for themselves. [R600 4.7.1, A24]
pub const REGISTERS: u16 = 124;

/// Where every unit is.
pub struct Registers {
    /// Register and element.
    pub places: Vec<(u8, u8)>,
    /// Registers used.
    pub used: u16,
    /// Units to be spilled; none when all have found a place.
    pub spilled: Vec<Unit>,
}

/// Units that make room for a whole register that found none.
const MORE: usize = 24;

/// Whether the register of a result is written: not where the next group alone reads it.
pub fn is_written(inst: &Inst, unread: &[bool], unit: Unit) -> bool {
    match inst {
        Inst::Alu(alu) if alu.relative.is_none() && !alu.op.is_op3() => !unread[unit as usize],
        _ => true,
    }
}

/// For each unit, whether no register read of it is left.
pub fn unread(code: &Code, clauses: &[Vec<Clause>]) -> Vec<bool> {
    let mut unread = vec![true; code.homes.len()];
    let mut read = |unit: Unit| unread[unit as usize] = false;
    for (block, clauses) in code.blocks.iter().zip(clauses) {
        for clause in clauses {
            match clause {
                Clause::Alu { groups, .. } => {
                    for slot in groups.iter().flat_map(|g| g.slots.iter().flatten()) {
                        slot_reads(code, &block.insts, slot, &mut read);
                    }
                }
                Clause::Fetch(nodes) => {
                    for &node in nodes {
                        block.insts[node].each_read(code, &mut read);
                    }
                }
                Clause::Other(node) => block.insts[*node].each_read(code, &mut read),
            }
        }
    }
    unread
}

/// Units that a slot reads from registers.
fn slot_reads(code: &Code, insts: &[Inst], slot: &Slot, read: &mut impl FnMut(Unit)) {
    for found in &slot.reads {
        if let Read::Register(unit, _) = found
            && (*unit as usize) < code.homes.len()
        {
            read(*unit);
        }
    }
    if slot.part != u8::MAX
        && let Some(Inst::Alu(alu)) = insts.get(slot.node)
        && let Some(Relative::Load(array) | Relative::Store(array)) = alu.relative
    {
        code.arrays[array].clone().for_each(read);
    }
}

/// Allocates.
pub fn allocate(code: &Code, clauses: &[Vec<Clause>], unread: &[bool]) -> Registers {
    let mut units: Vec<u32> = vec![u32::MAX; code.homes.len()];
    let mut groups: Vec<Group> = Vec::new();
    let mut owners: Vec<Vec<Unit>> = Vec::new();
    let mut count = 0u32;
    let mut add = |members: &[(Unit, u32)], group: Group, count: &mut u32| {
        for (unit, at) in members {
            units[*unit as usize] = *count + at;
        }
        owners.push(members.iter().map(|(unit, _)| *unit).collect());
        *count += u32::from(group.width);
        groups.push(group);
    };
    let elem = |unit: Unit| code.homes[unit as usize].elem.unwrap_or(0);
    let group = |first: u32, width: u16, phase: u8| Group {
        bank: 0,
        first,
        width,
        align: 4,
        phase: u16::from(phase),
        pinned: None,
        special: false,
        keep: false,
    };
    for vector in &code.vectors {
        if vector.units.is_empty() {
            continue;
        }
        let members: Vec<(Unit, u32)> = vector
            .units
            .iter()
            .map(|&unit| (unit, u32::from(elem(unit))))
            .collect();
        let mut group = group(count, 4, 0);
        group.pinned = vector.gpr.map(|gpr| 4 * u16::from(gpr));
        group.keep = true;
        add(&members, group, &mut count);
    }
    for array in &code.arrays {
        let members: Vec<(Unit, u32)> = array
            .clone()
            .map(|unit| (unit, 4 * (unit - array.start)))
            .collect();
        let width = 4 * (array.end - array.start) as u16 - 3;
        let mut group = group(count, width, elem(array.start));
        group.keep = true;
        add(&members, group, &mut count);
    }
    let in_array = |unit: Unit| code.arrays.iter().any(|array| array.contains(&unit));
    for (unit, home) in code.homes.iter().enumerate() {
        let unit = unit as Unit;
        if home.vector.is_some() || in_array(unit) {
            continue;
        }
        let mut group = group(count, 1, elem(unit));
        group.keep = home.keep;
        add(&[(unit, 0)], group, &mut count);
    }
    let blocks: Vec<regalloc::Block> = code
        .blocks
        .iter()
        .zip(clauses)
        .map(|(block, clauses)| regalloc::Block {
            insts: accesses(code, &block.insts, clauses, unread, &units),
            lane_next: block.next.clone(),
            wave_next: Vec::new(),
        })
        .collect();
    let bank = Bank {
        registers: 4 * REGISTERS,
        special: None,
        lanes: true,
    };
    let Assignment {
        registers,
        used,
        spilled,
        ..
    } = regalloc::allocate(&blocks, &[bank], &groups, count as usize);
    let place = |unit: &u32| {
        let at = registers.get(*unit as usize).copied().unwrap_or(0);
        ((at / 4) as u8, (at % 4) as u8)
    };
    Registers {
        places: units.iter().map(place).collect(),
        used: used[0].div_ceil(4),
        spilled: victims(code, &blocks, &units, &groups, &owners, &spilled),
    }
}

/// The units of groups that found no register. Where one must have one, those that live longest besides.
fn victims(
    code: &Code,
    blocks: &[regalloc::Block],
    units: &[u32],
    groups: &[Group],
    owners: &[Vec<Unit>],
    spilled: &[usize],
) -> Vec<Unit> {
    let may = |g: &usize| !groups[*g].keep;
    let mut found: Vec<Unit> = spilled
        .iter()
        .copied()
        .filter(may)
        .flat_map(|g| owners[g].clone())
        .collect();
    if spilled.iter().all(may) {
        return found;
    }
    let count = units.iter().filter(|unit| **unit != u32::MAX).max();
    let count = count.map_or(0, |unit| *unit as usize + 4);
    let ranges = regalloc::ranges(blocks, count, true, &|_| true);
    let span = |unit: &Unit| -> u32 {
        let list = &ranges[units[*unit as usize] as usize];
        list.iter().map(|(start, end)| end - start).sum()
    };
    let single = |unit: &Unit| {
        let home = code.homes[*unit as usize];
        let array = code.arrays.iter().any(|array| array.contains(unit));
        home.vector.is_none() && !home.keep && !array && !found.contains(unit)
    };
    let mut more: Vec<Unit> = (0..code.homes.len() as Unit).filter(single).collect();
    more.sort_by_key(|unit| std::cmp::Reverse(span(unit)));
    more.truncate(MORE);
    found.extend(more);
    found
}

fn accesses(
    code: &Code,
    insts: &[Inst],
    clauses: &[Clause],
    unread: &[bool],
    units: &[u32],
) -> Vec<Access> {
    let mut all = Vec::new();
    let whole = |node: usize| {
        let mut access = Access::default();
        insts[node].each_read(code, |unit| access.reads.push(units[unit as usize]));
        insts[node].each_write(code, |unit| access.writes.push(units[unit as usize]));
        access
    };
    for clause in clauses {
        match clause {
            Clause::Alu { groups, .. } => {
                for made in groups {
                    let mut access = Access::default();
                    for slot in made.slots.iter().flatten() {
                        slot_reads(code, insts, slot, &mut |unit| {
                            access.reads.push(units[unit as usize]);
                        });
                        let Some(inst @ Inst::Alu(alu)) = insts.get(slot.node) else {
                            continue;
                        };
                        if slot.part == u8::MAX {
                            continue;
                        }
                        match (alu.relative, group::written(alu, slot.part)) {
                            (Some(Relative::Store(array)), _) => {
                                let array = code.arrays[array].clone();
                                access.writes.extend(array.map(|unit| units[unit as usize]));
                            }
                            (_, Some(unit)) if is_written(inst, unread, unit) => {
                                access.writes.push(units[unit as usize]);
                            }
                            _ => {}
                        }
                    }
                    all.push(access);
                }
            }
            Clause::Fetch(nodes) => all.extend(nodes.iter().map(|&node| whole(node))),
            Clause::Other(node) => all.push(whole(*node)),
        }
    }
    all
}
