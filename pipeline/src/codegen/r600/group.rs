//! What fits into one group: units, read ports, constants, literals.
//!
//! In: the slots of a group, operands by register or constant. Out: whether they can run together, and the bank swizzle of
//! each. [R600 4.7, 8.2 BANK_SWIZZLE]

use r600::isa::alu::{Facts, Units};

use super::machine::{Alu, From, Operand, Unit};

/// Slots of a group: X, Y, Z, W, Trans.
pub const TRANS: usize = 4;
/// Literal words of a group.
const LITERALS: usize = 4;
/// Constant-buffer words of a group. [R600 4.7.6]
const CONSTANTS: usize = 4;
/// Constant operands of the Trans unit.
const TRANS_CONSTANTS: usize = 2;

/// Cycles in which a vector unit reads its operands, by bank swizzle. [R600 8.2 BANK_SWIZZLE]
const VECTOR_CYCLES: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 2, 0],
    [1, 0, 2],
    [2, 0, 1],
    [2, 1, 0],
];
/// The same for Trans.
const TRANS_CYCLES: [[usize; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];

/// Where the result of the group before is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forward {
    /// An element of PV.
    Pv(u8),
    /// PS.
    Ps,
}

/// What an operand takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A register: something that names it, and its element.
    Register(u32, u8),
    /// The group before.
    Forward(Forward),
    /// A constant word.
    Word(u32),
    /// A word of a constant buffer.
    Constant(u8, u16, u8),
}

/// An instruction in a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Number of the instruction in its block.
    pub node: usize,
    /// For CUBE: which of the four.
    pub part: u8,
    /// Element of the result.
    pub elem: u8,
    /// Operands.
    pub reads: Vec<Read>,
    /// Cycles in which they are read.
    pub swizzle: u8,
}

/// Instructions of one group.
pub type Slots = [Option<Slot>; 5];

/// Whether a word needs no literal.
pub fn is_inline(word: u32) -> bool {
    matches!(word, 0 | 1 | u32::MAX | 0x3f80_0000 | 0x3f00_0000)
}

/// Lines of constant buffers that a clause locks: two pairs at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks(pub [Option<(u8, u16, bool)>; 2]);

impl Locks {
    /// Locks a line, beside those that are; whether it can be.
    pub fn add(&mut self, bank: u8, line: u16) -> bool {
        for (b, first, two) in self.0.iter().flatten() {
            if *b == bank && (*first == line || (*two && first + 1 == line)) {
                return true;
            }
        }
        for lock in &mut self.0 {
            match lock {
                Some((b, first, two)) if *b == bank && !*two && line.abs_diff(*first) == 1 => {
                    *first = line.min(*first);
                    *two = true;
                    return true;
                }
                None => {
                    *lock = Some((bank, line, false));
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Group and number within it of a constant.
    pub fn find(&self, bank: u8, index: u16) -> Option<(u8, u8)> {
        let line = index / 16;
        self.0.iter().enumerate().find_map(|(group, lock)| {
            let (b, first, two) = (*lock)?;
            let inside = b == bank && (first == line || (two && first + 1 == line));
            inside.then(|| (group as u8, (index - 16 * first) as u8))
        })
    }
}

/// Literals that the slots need.
pub fn literals(slots: &Slots) -> Vec<u32> {
    let mut words = Vec::new();
    for read in slots.iter().flatten().flat_map(|slot| &slot.reads) {
        if let Read::Word(word) = read
            && !is_inline(*word)
            && !words.contains(word)
        {
            words.push(*word);
        }
    }
    words
}

/// 64-bit slots that the group takes.
pub fn size(slots: &Slots) -> usize {
    slots.iter().flatten().count() + literals(slots).len().div_ceil(2)
}

/// Whether the slots can run together with these locks, which are extended; finds the bank swizzles.
pub fn fits(slots: &mut Slots, locks: &mut Locks) -> bool {
    if literals(slots).len() > LITERALS {
        return false;
    }
    let mut constants: Vec<Read> = Vec::new();
    for read in slots.iter().flatten().flat_map(|slot| &slot.reads) {
        if let Read::Constant(bank, index, _) = read
            && !constants.contains(read)
        {
            constants.push(*read);
            if constants.len() > CONSTANTS || !locks.add(*bank, index / 16) {
                return false;
            }
        }
    }
    if let Some(trans) = &slots[TRANS]
        && trans_constants(trans) > TRANS_CONSTANTS
    {
        return false;
    }
    let mut ports = [[None; 4]; 3];
    let mut found = [0; 5];
    if !search(slots, 0, &mut ports, &mut found) {
        return false;
    }
    for (slot, swizzle) in slots.iter_mut().zip(found) {
        if let Some(slot) = slot {
            slot.swizzle = swizzle;
        }
    }
    true
}

fn trans_constants(slot: &Slot) -> usize {
    let constant = |read: &&Read| matches!(read, Read::Word(_) | Read::Constant(..));
    slot.reads.iter().filter(constant).count()
}

type Ports = [[Option<u32>; 4]; 3];

/// Finds swizzles for the slots from `at` on.
fn search(slots: &Slots, at: usize, ports: &mut Ports, found: &mut [u8; 5]) -> bool {
    if at == slots.len() {
        return true;
    }
    let Some(slot) = &slots[at] else {
        return search(slots, at + 1, ports, found);
    };
    let cycles: &[[usize; 3]] = if at == TRANS {
        &TRANS_CYCLES
    } else {
        &VECTOR_CYCLES
    };
    // Slots that read no register go with any.
    let some = |read: &Read| matches!(read, Read::Register(..) | Read::Forward(_));
    let choices = match slot.reads.iter().any(some) {
        true => cycles.len(),
        false => 1,
    };
    for (swizzle, cycles) in cycles.iter().enumerate().take(choices) {
        let before = *ports;
        if reserve(slot, at == TRANS, cycles, ports) && search(slots, at + 1, ports, found) {
            found[at] = swizzle as u8;
            return true;
        }
        *ports = before;
    }
    false
}

fn reserve(slot: &Slot, trans: bool, cycles: &[usize; 3], ports: &mut Ports) -> bool {
    let constants = if trans { trans_constants(slot) } else { 0 };
    for (at, read) in slot.reads.iter().enumerate() {
        let cycle = cycles[at];
        match read {
            Read::Register(key, elem) => {
                if cycle < constants {
                    return false;
                }
                // The second operand rides along with the first.
                if !trans && at == 1 && slot.reads[0] == *read {
                    continue;
                }
                let port = &mut ports[cycle][usize::from(*elem)];
                match port {
                    Some(other) if other != key => return false,
                    _ => *port = Some(*key),
                }
            }
            Read::Forward(_) if cycle < constants => return false,
            _ => {}
        }
    }
    true
}

/// The slots in which an instruction may stand, given those taken and the element of its result.
pub fn places(facts: Facts, elem: u8, taken: &[bool; 5]) -> Option<usize> {
    let vector = usize::from(elem);
    let slot = match facts.units {
        Units::Trans => TRANS,
        Units::Vector => vector,
        // It goes to Trans only where its element is taken.
        Units::Both if taken[vector] => TRANS,
        Units::Both => vector,
    };
    (!taken[slot]).then_some(slot)
}

/// Operands of one of the four instructions of a CUBE. [R600 12.6]
pub fn cube_operands(alu: &Alu, part: u8) -> [Operand; 2] {
    let [x, y, z] = [alu.src[0], alu.src[1], alu.src[2]];
    match part {
        0 => [z, y],
        1 => [z, x],
        2 => [x, z],
        _ => [y, z],
    }
}

/// The unit that the part of an instruction writes.
pub fn written(alu: &Alu, part: u8) -> Option<Unit> {
    match (part, alu.cube) {
        (0, _) => alu.dst,
        (part, Some(others)) => Some(others[usize::from(part) - 1]),
        _ => None,
    }
}

/// What an operand takes, if it is no register.
pub fn constant(operand: &Operand) -> Option<Read> {
    match operand.from {
        From::Const(word) => Some(Read::Word(word)),
        From::Kcache(bank, index, elem) => Some(Read::Constant(bank, index, elem)),
        From::Unit(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_locked_in_any_order() {
        let mut locks = Locks::default();
        assert!(locks.add(0, 9) && locks.add(0, 2) && locks.add(0, 3));
        let found = [150, 35, 50, 64].map(|index| locks.find(0, index));
        assert_eq!(found, [Some((0, 6)), Some((1, 3)), Some((1, 18)), None]);
        assert!(!locks.add(0, 7) && !locks.add(1, 2));
    }
}
