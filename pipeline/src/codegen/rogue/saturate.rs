//! Clamps to 0..1 that the operation before them does.
//!
//! Blending clamps colours with sums of their own. Where nothing else reads what was clamped, the sum, product or iteration
//! that made it clamps it, and the sum becomes a copy.

use ::rogue::isa::Condition;
use ::rogue::isa::alu::{Alu, Float2, Modifiers, Single};
use ::rogue::isa::backend::Backend;

use super::machine::{Access, Body, Code, Dst, FIRST, Inst, MINUS_ZERO, Operand, Unit};
use crate::codegen::regalloc::Instruction;

/// Who makes a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    Nobody,
    /// An instruction by block and number.
    One(usize, usize),
    Many,
}

/// Moves clamps in all blocks.
pub(super) fn run(code: &mut Code) {
    let count = code.units as usize;
    let mut reads = vec![0u32; count];
    let mut makers = vec![Maker::Nobody; count];
    let mut clamps: Vec<Option<(usize, usize)>> = vec![None; count];
    for &block in &code.order {
        for (at, inst) in code.blocks[block].insts.iter().enumerate() {
            inst.each_read(|unit| reads[unit as usize] += 1);
            inst.each_write(|unit| {
                let maker = &mut makers[unit as usize];
                *maker = match *maker {
                    Maker::Nobody => Maker::One(block, at),
                    _ => Maker::Many,
                };
            });
            if let Some(unit) = clamped(inst) {
                clamps[unit as usize] = Some((block, at));
            }
        }
    }
    for (clamp, reads) in clamps.iter_mut().zip(&reads) {
        // Nobody else may read what is clamped.
        clamp.take_if(|_| *reads != 1);
    }
    for unit in FIRST..code.units {
        let Maker::One(block, at) = makers[unit as usize] else {
            continue;
        };
        if clamps[unit as usize].is_none() {
            continue;
        }
        let made = made(&code.blocks[block].insts[at]);
        let only = |unit: &Unit| makers[*unit as usize] == Maker::One(block, at);
        let unread = |unit: &Unit| reads[*unit as usize] == 0;
        let fits = |unit: &Unit| only(unit) && (unread(unit) || clamps[*unit as usize].is_some());
        if made.is_empty() || !made.iter().all(fits) || !clamp(&mut code.blocks[block].insts[at]) {
            continue;
        }
        for unit in made {
            if let Some((block, at)) = clamps[unit as usize].take() {
                copy(&mut code.blocks[block].insts[at]);
            }
        }
    }
}

/// The unit that an instruction does nothing but clamp.
fn clamped(inst: &Inst) -> Option<Unit> {
    let plain = Alu::Float2 {
        op: Float2::FADD,
        low: false,
        sat: true,
        a: Modifiers::default(),
        b_abs: false,
    };
    let Body::Main(main) = &inst.body else {
        return None;
    };
    let phase = main.p0.as_ref().filter(|_| main.is_simple())?;
    match phase.src[..] {
        [Operand::Unit(unit), MINUS_ZERO] if phase.alu == plain && unit >= FIRST => Some(unit),
        _ => None,
    }
}

/// The units of an instruction that can clamp what it makes.
fn made(inst: &Inst) -> Vec<Unit> {
    let Body::Main(main) = &inst.body else {
        return Vec::new();
    };
    if inst.condition != Condition::PE {
        return Vec::new();
    }
    if let Some(back) = &main.back {
        let alone = main.p0.is_none() && main.w == [None; 2];
        return match (&back.op, back.slots.iter().find_map(written)) {
            (Backend::Fitr { sat: false, .. }, Some((first, words))) if alone => {
                (first..first + words).collect()
            }
            _ => Vec::new(),
        };
    }
    let phase = main.p0.as_ref().filter(|_| main.is_simple());
    match (phase.map(|phase| phase.alu), main.w[0]) {
        (
            Some(Alu::Float2 { sat: false, .. } | Alu::Fmad { sat: false, .. }),
            Some(Dst::Unit(unit)),
        ) => vec![unit],
        _ => Vec::new(),
    }
}

fn written((_, access): &(u8, Access)) -> Option<(Unit, u32)> {
    match *access {
        Access::Writes(unit, words) => Some((unit, words)),
        _ => None,
    }
}

/// Has it clamp what it makes.
fn clamp(inst: &mut Inst) -> bool {
    let Body::Main(main) = &mut inst.body else {
        return false;
    };
    let back = main.back.as_mut().map(|back| &mut back.op);
    let alu = main.p0.as_mut().map(|phase| &mut phase.alu);
    match (back, alu) {
        (Some(Backend::Fitr { sat, .. }), _)
        | (None, Some(Alu::Float2 { sat, .. } | Alu::Fmad { sat, .. })) => {
            *sat = true;
            true
        }
        _ => false,
    }
}

/// Leaves a copy of a clamp.
fn copy(inst: &mut Inst) {
    if let Body::Main(main) = &mut inst.body
        && let Some(phase) = &mut main.p0
    {
        phase.src.truncate(1);
        phase.alu = Alu::Single {
            op: Single::MBYP,
            mods: Modifiers::default(),
        };
    }
}
