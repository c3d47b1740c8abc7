//! The order of a pixel program: work for colour next to work for alpha, which [`super::pairs`] then joins.
//!
//! Instructions keep their order, but each takes one from further down along if the other half is free. Vectors of one
//! component may lie in either half, so the first instruction that writes one decides; all others begin at red.

use std::collections::HashSet;

use super::machine::{Arg, Block, Code, Inst, Op, Reg, Select};
use super::order::{Edge, predecessors};
use crate::codegen::regalloc::Unit;

/// Instructions that are looked at behind one.
const WINDOW: usize = 96;

/// What an instruction occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// Colour alone.
    Color,
    /// Alpha alone.
    Alpha,
    /// One of both: this vector has no channel yet.
    Either(u32),
    /// Everything.
    Whole,
}

/// Orders all blocks and gives every vector of a pixel program its first channel.
pub fn order(code: &mut Code) {
    for vector in 0..code.widths.len() {
        if code.widths[vector] > 1 {
            code.phases[vector] = Some(0);
        }
    }
    let mut order = Order {
        blocks: std::mem::take(&mut code.blocks),
        code,
        next: 0,
    };
    order.functions();
    let mut blocks = std::mem::take(&mut order.blocks);
    for block in &mut blocks {
        order.block(block);
    }
    order.code.blocks = blocks;
}

struct Order<'a> {
    code: &'a mut Code,
    blocks: Vec<Block>,
    /// Channel of colour for the next vector of one component.
    next: u8,
}

impl Order<'_> {
    /// Results of functions lie in alpha, those of dot products in colour.
    fn functions(&mut self) {
        for inst in self.blocks.iter().flat_map(|block| &block.insts) {
            let Some(Reg::Temp(vector)) = inst.dst else {
                continue;
            };
            let phase = &mut self.code.phases[vector as usize];
            match inst.op {
                Op::Function(_) => *phase = phase.or(Some(3)),
                Op::Dot3 | Op::Dot4 => *phase = phase.or(Some(0)),
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        let insts = std::mem::take(&mut block.insts);
        let before = predecessors(insts.iter().map(parts));
        let mut done = vec![false; insts.len()];
        let mut kept = Vec::with_capacity(insts.len());
        for at in 0..insts.len() {
            if done[at] {
                continue;
            }
            done[at] = true;
            let with = self.partner(&insts, at, &before, &done);
            kept.push(insts[at].clone());
            if let Some(with) = with {
                done[with] = true;
                kept.push(insts[with].clone());
            }
        }
        block.insts = kept;
    }

    /// The first instruction that can run along with one.
    fn partner(
        &mut self,
        insts: &[Inst],
        at: usize,
        before: &[Vec<Edge>],
        done: &[bool],
    ) -> Option<usize> {
        let room = self.room(&insts[at]);
        if room == Room::Whole {
            return None;
        }
        let open = (at + 1..insts.len())
            .filter(|with| !done[*with])
            .take(WINDOW);
        for with in open {
            let free = before[with]
                .iter()
                .all(|edge| done[edge.from] && (edge.from != at || edge.weak));
            let fits = match (room, self.room(&insts[with])) {
                (_, Room::Whole) => false,
                (Room::Color, Room::Color) | (Room::Alpha, Room::Alpha) => false,
                // Instructions that write the same vector lie in the same half.
                (Room::Either(a), Room::Either(b)) => a != b,
                _ => true,
            };
            if free && fits && self.sources_fit(&insts[at], &insts[with]) {
                self.settle(room, self.room(&insts[with]));
                return Some(with);
            }
        }
        None
    }

    /// Gives vectors without a channel the half that is free.
    fn settle(&mut self, first: Room, second: Room) {
        match (first, second) {
            (Room::Either(a), Room::Either(b)) => {
                self.move_to_alpha(a);
                self.move_to_color(b);
            }
            (Room::Either(a), Room::Color) | (Room::Color, Room::Either(a)) => {
                self.move_to_alpha(a)
            }
            (Room::Either(a), Room::Alpha) | (Room::Alpha, Room::Either(a)) => {
                self.move_to_color(a)
            }
            _ => {}
        }
    }

    fn move_to_alpha(&mut self, vector: u32) {
        self.code.phases[vector as usize] = Some(3);
    }

    fn move_to_color(&mut self, vector: u32) {
        self.code.phases[vector as usize] = Some(self.next);
        self.next = (self.next + 1) % 3;
    }

    fn room(&self, inst: &Inst) -> Room {
        let Some(Reg::Temp(vector)) = inst.dst else {
            return Room::Whole;
        };
        let alone = matches!(
            inst.op,
            Op::Look(..)
                | Op::Kill
                | Op::Color(_)
                | Op::Depth
                | Op::Again
                | Op::Derivative { .. }
                | Op::Dot4
        );
        let Some(phase) = self.code.phases[vector as usize].filter(|_| !alone) else {
            return if alone {
                Room::Whole
            } else {
                Room::Either(vector)
            };
        };
        let alpha = |component: &&u8| phase + **component == 3;
        let in_alpha = inst.components.iter().filter(alpha).count();
        let function = matches!(inst.op, Op::Function(_));
        match (in_alpha, inst.components.len() - in_alpha) {
            (0, _) if !function => Room::Color,
            (1, 0) if inst.op != Op::Dot3 => Room::Alpha,
            _ => Room::Whole,
        }
    }

    /// Three slots have a source for colour and one for alpha each.
    fn sources_fit(&self, a: &Inst, b: &Inst) -> bool {
        let mut slots = Slots::default();
        [a, b].into_iter().all(|inst| {
            // Sums before the operation stand in the first slots.
            let Some(before) = inst.before else {
                return true;
            };
            slots
                .summed
                .replace(before)
                .is_none_or(|other| other == before)
        }) && slots.begin()
            && [a, b]
                .into_iter()
                .all(|inst| inst.args.iter().all(|args| slots.take(self, args)))
    }

    /// Whether an argument comes from colour, from alpha, or nobody knows.
    fn halves(&self, arg: &Arg) -> [bool; 2] {
        match (arg.reg, arg.select) {
            (Some(Reg::Temp(vector)), Select::Component(component)) => {
                match self.code.phases[vector as usize] {
                    Some(phase) => [phase + component < 3, phase + component == 3],
                    None => [true, true],
                }
            }
            (Some(_), Select::Component(component)) => [component < 3, component == 3],
            _ => [false, false],
        }
    }
}

/// Sources that are taken.
#[derive(Default)]
struct Slots {
    taken: [[Option<Reg>; 2]; 3],
    summed: Option<super::machine::Before>,
}

impl Slots {
    fn begin(&mut self) -> bool {
        if let Some(before) = self.summed {
            for (slot, reg) in self.taken.iter_mut().zip(before.regs) {
                *slot = [Some(reg); 2];
            }
        }
        true
    }

    fn take(&mut self, order: &Order<'_>, args: &[Arg]) -> bool {
        let Some(reg) = super::ports::register(args).filter(|reg| *reg != Reg::Before) else {
            return true;
        };
        let mut wanted = [None; 2];
        for arg in args {
            for (half, needed) in order.halves(arg).into_iter().enumerate() {
                if needed {
                    wanted[half] = Some(reg);
                }
            }
        }
        let has =
            |slot: &[Option<Reg>; 2]| (0..2).all(|h| wanted[h].is_none() || slot[h] == wanted[h]);
        let may = |slot: &[Option<Reg>; 2]| {
            (0..2).all(|h| wanted[h].is_none() || slot[h].is_none() || slot[h] == wanted[h])
        };
        let at = self.taken.iter().position(has);
        let Some(at) = at.or_else(|| self.taken.iter().position(may)) else {
            return false;
        };
        for (have, wanted) in self.taken[at].iter_mut().zip(wanted) {
            *have = have.or(wanted);
        }
        true
    }
}

/// What an instruction reads and writes. All that write no temporary write `None`: outputs, kills and votes keep their order.
fn parts(inst: &Inst) -> [HashSet<Option<Unit>>; 2] {
    let [mut read, mut written] = [HashSet::new(), HashSet::new()];
    inst.read_units(|unit| {
        read.insert(Some(unit));
    });
    inst.written_units(|unit| {
        written.insert(Some(unit));
    });
    if !matches!(inst.dst, Some(Reg::Temp(_))) {
        written.insert(None);
    }
    [read, written]
}
