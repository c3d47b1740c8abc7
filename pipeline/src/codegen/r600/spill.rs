//! Units that found no register, moved to scratch memory.
//!
//! A spilled unit has an element of a slot of four words. It is stored behind every instruction that defines it and
//! loaded before every one that reads it, into registers of their own that live no longer. Vectors stay in registers; `split`
//! takes out of them what lives on.

use r600::isa::alu::Op2;
use r600::isa::export::MemoryOp;

use super::machine::{Alu, Code, Inst, MemoryAccess, Operand, Unit};
use super::memory::whole;
use crate::codegen::regalloc::Instruction;

/// Slots that a program may have. [R600 5.3 ARRAY_BASE]
const SLOTS: u16 = 4096;

/// Spills units; `None` when one of them must stay, or memory is full.
pub fn spill(code: &mut Code, units: &[Unit], next: &mut u32) -> Option<()> {
    let mut place: Vec<Option<(u16, u8)>> = vec![None; code.homes.len()];
    for &unit in units {
        let home = code.homes[unit as usize];
        if home.vector.is_some() || home.keep {
            return None;
        }
        let at = *next;
        *next += 1;
        if at.is_multiple_of(4) {
            code.scratch_slots += 1;
        }
        if code.scratch_slots > SLOTS {
            return None;
        }
        place[unit as usize] = Some((code.scratch_slots - 1, (at % 4) as u8));
    }
    for block in 0..code.blocks.len() {
        let insts = std::mem::take(&mut code.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            around(code, inst, &place, &mut out);
        }
        code.blocks[block].insts = out;
    }
    Some(())
}

fn access(slot: u16, words: [Option<Unit>; 4], load: bool) -> Inst {
    Inst::Memory(MemoryAccess {
        op: MemoryOp::MEM_SCRATCH,
        slot,
        slots: 1,
        index: None,
        words,
        load,
    })
}

/// An instruction with loads before and stores behind it.
fn around(code: &mut Code, mut inst: Inst, place: &[Option<(u16, u8)>], out: &mut Vec<Inst>) {
    let spilled = |unit: Unit| place.get(unit as usize).copied().flatten();
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    inst.each_read(|unit| reads.push(unit));
    inst.each_write(|unit| writes.push(unit));
    // A load fills four units, so one serves all that are read from its slot.
    let mut loaded: Vec<(u16, [Option<Unit>; 4])> = Vec::new();
    let mut names: Vec<(Unit, Unit)> = Vec::new();
    for unit in reads {
        let Some((slot, elem)) = spilled(unit) else {
            continue;
        };
        let found = loaded.iter().find(|(other, _)| *other == slot);
        let words = match found {
            Some((_, words)) => *words,
            None => {
                let words = whole(code, [None; 4]);
                for word in words.into_iter().flatten() {
                    code.homes[word as usize].keep = true;
                }
                out.push(access(slot, words, true));
                loaded.push((slot, words));
                words
            }
        };
        let Some(word) = words[usize::from(elem)] else {
            continue;
        };
        match fixed(code, unit, elem) {
            Some(copy) => {
                out.push(mov(copy, word));
                names.push((unit, copy));
            }
            None => names.push((unit, word)),
        }
    }
    let mut stores = Vec::new();
    let mut results: Vec<(Unit, Unit)> = Vec::new();
    for unit in writes {
        let Some((slot, elem)) = spilled(unit) else {
            continue;
        };
        let stored = code.unit();
        code.homes[stored as usize].elem = Some(elem);
        code.homes[stored as usize].keep = true;
        let mut words = [None; 4];
        words[usize::from(elem)] = Some(stored);
        let result = fixed(code, unit, elem);
        stores.extend(result.map(|result| mov(stored, result)));
        stores.push(access(slot, words, false));
        results.push((unit, result.unwrap_or(stored)));
    }
    // Fetches of one coordinate and results in one register of their own may be renamed, since every vector of more stays
    // in registers.
    inst.rename(|unit| named(&names, unit), |unit| named(&results, unit));
    out.push(inst);
    out.extend(stores);
}

/// A unit for one that must have another element than its place in scratch memory has.
fn fixed(code: &mut Code, unit: Unit, elem: u8) -> Option<Unit> {
    let wanted = code.homes[unit as usize].elem;
    wanted.filter(|wanted| *wanted != elem)?;
    let unit = code.unit();
    code.homes[unit as usize].elem = wanted;
    code.homes[unit as usize].keep = true;
    Some(unit)
}

fn mov(to: Unit, from: Unit) -> Inst {
    Inst::Alu(Alu::new(Op2::MOV, Some(to), vec![Operand::unit(from)]))
}

fn named(names: &[(Unit, Unit)], unit: Unit) -> Unit {
    let found = names.iter().find(|(from, _)| *from == unit);
    found.map_or(unit, |(_, to)| *to)
}
