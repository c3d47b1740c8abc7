//! Vectors that live no longer than one instruction, so that what they hold can be spilled.
//!
//! In: code in which a value may be an element of the register that a fetch filled, or that an export reads, all its life.
//! Out: code that moves it to a unit of its own behind what fills a register, and back in front of what reads one. It
//! is what is done when registers do not suffice otherwise: most of these moves are what `coalesce` has taken away.

use r600::isa::alu::Op2;

use super::machine::{Alu, Code, Inst, Lane, Operand, Piece, Unit};
use super::memory::whole;

/// Rewrites the code.
pub fn split_vectors(code: &mut Code) {
    let mut split = Split {
        own: vec![None; code.homes.len()],
        code,
    };
    for unit in 0..split.own.len() {
        if split.code.homes[unit].vector.is_some() {
            split.own[unit] = Some(split.code.unit());
        }
    }
    for block in 0..split.code.blocks.len() {
        let insts = std::mem::take(&mut split.code.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            split.around(inst, &mut out);
        }
        split.code.blocks[block].insts = out;
    }
    split.take_preloaded();
}

struct Split<'a> {
    /// The unit that each member of a vector has moved to.
    own: Vec<Option<Unit>>,
    code: &'a mut Code,
}

fn copy(to: Unit, from: Unit) -> Inst {
    Inst::Alu(Alu::new(Op2::MOV, Some(to), vec![Operand::unit(from)]))
}

impl Split<'_> {
    fn own(&self, unit: Unit) -> Unit {
        let own = self.own.get(unit as usize).copied().flatten();
        own.unwrap_or(unit)
    }

    fn is_member(&self, unit: Unit) -> bool {
        self.own(unit) != unit
    }

    /// A new unit in the element that the other must have.
    fn like(&mut self, unit: Unit) -> Unit {
        let new = self.code.unit();
        self.code.homes[new as usize].elem = self.code.homes[unit as usize].elem;
        new
    }

    fn around(&mut self, mut inst: Inst, out: &mut Vec<Inst>) {
        let mut behind = Vec::new();
        match &mut inst {
            // Its slots say which elements its results have.
            Inst::Alu(alu) if alu.cube.is_some() => {
                let results = alu.dst.iter_mut().chain(alu.cube.iter_mut().flatten());
                for unit in results {
                    if self.is_member(*unit) {
                        let new = self.like(*unit);
                        behind.push(copy(self.own(*unit), new));
                        *unit = new;
                    }
                }
                inst.rename(|unit| self.own(unit), |unit| unit);
            }
            Inst::Alu(_) => inst.rename(|unit| self.own(unit), |unit| self.own(unit)),
            Inst::Fetch(parts) => {
                for part in parts {
                    self.fill(&mut part.src, out);
                    self.drain(&mut part.dst, &mut behind);
                }
            }
            Inst::Emit { .. } | Inst::End => {}
            Inst::Export(_, lanes) => self.fill(lanes, out),
            Inst::Memory(scratch) => {
                if scratch.load {
                    let words = whole(self.code, [None; 4]);
                    for (old, new) in scratch.words.iter().zip(words) {
                        let moved = old.zip(new);
                        behind.extend(moved.map(|(old, new)| copy(self.own(old), new)));
                    }
                    scratch.words = words;
                }
                let stored = scratch.words.iter_mut().filter(|_| !scratch.load);
                for unit in stored.flatten().chain(&mut scratch.index) {
                    if self.is_member(*unit) {
                        let new = self.like(*unit);
                        out.push(copy(new, self.own(*unit)));
                        *unit = new;
                    }
                }
            }
        }
        out.push(inst);
        out.extend(behind);
    }

    /// Puts what an instruction reads into a register of its own.
    fn fill(&mut self, lanes: &mut [Lane; 4], out: &mut Vec<Inst>) {
        let mut names: Vec<(Unit, Unit)> = Vec::new();
        for lane in lanes.iter() {
            if let Lane::Unit(unit) = *lane
                && self.is_member(unit)
                && !names.iter().any(|(old, _)| *old == unit)
            {
                names.push((unit, self.like(unit)));
            }
        }
        for lane in lanes {
            if let Lane::Unit(unit) = lane
                && let Some((_, new)) = names.iter().find(|(old, _)| old == unit)
            {
                *unit = *new;
            }
        }
        out.extend(names.iter().map(|&(old, new)| copy(new, self.own(old))));
        if !names.is_empty() {
            self.code
                .vector(names.iter().map(|(_, new)| *new).collect());
        }
    }

    /// Takes what an instruction gives out of the register that it fills.
    fn drain(&mut self, words: &mut [Option<Unit>; 4], out: &mut Vec<Inst>) {
        let mut filled = Vec::new();
        for unit in words.iter_mut().flatten() {
            if self.is_member(*unit) {
                let new = self.like(*unit);
                out.push(copy(self.own(*unit), new));
                *unit = new;
                filled.push(new);
            }
        }
        if !filled.is_empty() {
            self.code.vector(filled);
        }
    }

    /// Takes what the registers hold from the start out of them.
    fn take_preloaded(&mut self) {
        let pinned = self.code.vectors.iter().filter(|v| v.gpr.is_some());
        let pinned: Vec<Unit> = pinned.flat_map(|vector| vector.units.clone()).collect();
        let first = self.code.pieces.iter().find_map(|piece| match piece {
            Piece::Block(block) => Some(*block),
            _ => None,
        });
        let Some(first) = first else { return };
        let moves = pinned.into_iter().map(|unit| copy(self.own(unit), unit));
        let moves: Vec<Inst> = moves.collect();
        self.code.blocks[first].insts.splice(0..0, moves);
    }
}
