//! Clauses and units as the allocator sees them: an element is a channel, and a group of slots reads before it writes.
//!
//! In: scheduled code, whose units have elements. Out: the register of each. [R600 4.7]

use std::ops::Range;

use super::group::{self, Read, Slot};
use super::machine::{Code, Inst, Relative, Unit};
use super::schedule::Clause;
use crate::codegen::regalloc::{
    self, Assignment, Bank, Block, Crowded, Flow, Group, Instruction, Relief,
};

/// Registers that programs may use; the clauses keep none for themselves. [R600 4.7.1, A24]
pub const REGISTERS: u16 = 124;

/// Elements of a register.
const ELEMENTS: u16 = 4;

const BANK: Bank = Bank {
    registers: REGISTERS,
    channels: ELEMENTS,
    special: None,
    flow: Flow::Lane,
    relief: Relief::LongestLived(24),
};

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
    for (block, clauses) in code.blocks.iter().zip(clauses) {
        for access in accesses(code, &block.insts, clauses, &unread) {
            access.each_read(|unit| unread[unit as usize] = false);
        }
    }
    unread
}

/// What a group of slots, a fetch or an export reads and writes.
#[derive(Default)]
struct Access {
    reads: Vec<Range<Unit>>,
    writes: Vec<Range<Unit>>,
}

impl Instruction for Access {
    fn operands(&self, f: impl FnMut(Range<Unit>)) {
        self.reads.iter().cloned().for_each(f);
    }

    fn results(&self, f: impl FnMut(Range<Unit>)) {
        self.writes.iter().cloned().for_each(f);
    }
}

impl Access {
    fn of(inst: &Inst) -> Access {
        let mut access = Access::default();
        inst.operands(|units| access.reads.push(units));
        inst.results(|units| access.writes.push(units));
        access
    }

    /// Adds the registers of a slot.
    fn add(&mut self, code: &Code, insts: &[Inst], slot: &Slot, unread: &[bool]) {
        for read in &slot.reads {
            if let Read::Register(unit, _) = *read
                && (unit as usize) < code.homes.len()
            {
                self.reads.push(unit..unit + 1);
            }
        }
        let Some(inst @ Inst::Alu(alu)) = insts.get(slot.node) else {
            return;
        };
        if slot.part == u8::MAX {
            return;
        }
        if let Some(Relative::Load(array) | Relative::Store(array)) = alu.relative {
            self.reads.push(array.units());
        }
        match (alu.relative, group::written(alu, slot.part)) {
            (Some(Relative::Store(array)), _) => self.writes.push(array.units()),
            (_, Some(unit)) if is_written(inst, unread, unit) => self.writes.push(unit..unit + 1),
            _ => {}
        }
    }
}

/// The instructions of a block in the order of its clauses.
fn accesses(code: &Code, insts: &[Inst], clauses: &[Clause], unread: &[bool]) -> Vec<Access> {
    let mut all = Vec::new();
    for clause in clauses {
        match clause {
            Clause::Alu { groups, .. } => all.extend(groups.iter().map(|group| {
                let mut access = Access::default();
                for slot in group.slots.iter().flatten() {
                    access.add(code, insts, slot, unread);
                }
                access
            })),
            Clause::Fetch(nodes) => all.extend(nodes.iter().map(|&node| Access::of(&insts[node]))),
            Clause::Other(node) => all.push(Access::of(&insts[*node])),
        }
    }
    all
}

/// Gives every unit a register, or names units to spill.
pub fn allocate(
    code: &Code,
    clauses: &[Vec<Clause>],
    unread: &[bool],
) -> Result<Assignment, Vec<Unit>> {
    let elem = |unit: Unit| code.homes[unit as usize].elem.unwrap_or(0);
    let mut groups: Vec<Group> = Vec::new();
    for vector in code
        .vectors
        .iter()
        .filter(|vector| !vector.units.is_empty())
    {
        let units = vector.units.iter().map(|&unit| (unit, elem(unit).into()));
        groups.push(Group {
            pinned: vector.gpr.map(|gpr| ELEMENTS * u16::from(gpr)),
            keep: true,
            ..Group::register(0, units.collect(), ELEMENTS)
        });
    }
    for array in &code.arrays {
        groups.push(Group {
            keep: true,
            ..Group::column(0, array.units(), ELEMENTS, elem(array.first))
        });
    }
    for (unit, home) in (0..).zip(&code.homes) {
        if home.vector.is_none() && code.array_of(unit).is_none() {
            groups.push(Group {
                keep: home.keep,
                ..Group::column(0, unit..unit + 1, ELEMENTS, elem(unit))
            });
        }
    }
    let blocks = code.blocks.iter().zip(clauses);
    let accesses: Vec<Vec<Access>> = blocks
        .map(|(block, clauses)| accesses(code, &block.insts, clauses, unread))
        .collect();
    let blocks = accesses
        .iter()
        .zip(&code.blocks)
        .map(|(insts, block)| Block {
            insts: &insts[..],
            lane_next: block.next.clone(),
            wave_next: Vec::new(),
            wave_skips: Vec::new(),
        });
    let blocks: Vec<Block<'_, Access>> = blocks.collect();
    let found = regalloc::allocate(&blocks, &[BANK], &groups, code.homes.len());
    found.map_err(|Crowded { victims, .. }| {
        let units = victims.into_iter().flat_map(|g| &groups[g].units);
        units.map(|(unit, _)| *unit).collect()
    })
}
