//! Results that go on within a group.
//!
//! Where a group bypasses a value that one operation before it made for it alone, the operation takes the place of the
//! bypass: feed-through registers carry the value, and no temporary does.

use ::rogue::isa::Condition;
use ::rogue::isa::alu::{Alu, Modifiers, Single};
use ::rogue::isa::phase2::{Feed, Mov, Selectors};

use super::machine::{Body, Code, Dst, FIRST, Inst, Main, Operand, Phase, Unit};
use super::pack::{second_phase, whole};
use crate::codegen::regalloc::Instruction;

/// Forwards results in every block.
pub(super) fn run(code: &mut Code) {
    let mut reads = vec![0u32; code.units as usize];
    let mut writes = vec![0u32; code.units as usize];
    for inst in code
        .order
        .iter()
        .flat_map(|&block| &code.blocks[block].insts)
    {
        inst.each_read(|unit| reads[unit as usize] += 1);
        inst.each_write(|unit| writes[unit as usize] += 1);
    }
    for &(first, words) in &code.rows {
        writes[first as usize..(first + words) as usize].fill(2);
    }
    let single =
        |unit: Unit| unit >= FIRST && reads[unit as usize] == 1 && writes[unit as usize] == 1;
    for block in &mut code.blocks {
        let mut insts: Vec<Option<Inst>> = std::mem::take(&mut block.insts)
            .into_iter()
            .map(Some)
            .collect();
        for at in 0..insts.len() {
            while let Some((from, main)) = forwarded(&insts, at, &single) {
                insts[from] = None;
                if let Some(inst) = &mut insts[at] {
                    inst.body = Body::Main(main);
                }
            }
        }
        block.insts = insts.into_iter().flatten().collect();
    }
}

/// The unit of a plain bypass.
fn bypassed(phase: &Phase) -> Option<Unit> {
    let plain = Alu::Single {
        op: Single::MBYP,
        mods: Modifiers::default(),
    };
    match phase.src[..] {
        [Operand::Unit(unit)] if phase.alu == plain => Some(unit),
        _ => None,
    }
}

/// A group with one of its bypasses replaced, and which instruction did the work before.
fn forwarded(
    insts: &[Option<Inst>],
    at: usize,
    single: &impl Fn(Unit) -> bool,
) -> Option<(usize, Main)> {
    let Some(Inst {
        body: Body::Main(main),
        condition: Condition::PE,
        ..
    }) = &insts[at]
    else {
        return None;
    };
    // A copy stays one, so that both of its ends can be one register.
    if main.is_simple() || main.repeat > 1 {
        return None;
    }
    let tries = [
        main.p0
            .as_ref()
            .and_then(bypassed)
            .map(|unit| (unit, Place::First)),
        main.p1
            .as_ref()
            .and_then(bypassed)
            .map(|unit| (unit, Place::Second)),
        carried(main).map(|unit| (unit, Place::Carried)),
    ];
    tries.into_iter().flatten().find_map(|(unit, place)| {
        let (from, phase) = maker(insts, at, unit, single)?;
        let main = place.fill(main, phase)?;
        main.slots().map(|_| (from, main))
    })
}

/// The unit that FTE carries to a backend operation.
fn carried(main: &Main) -> Option<Unit> {
    let alone = main.p0.is_none() && main.mov.is_none() && main.back.is_some();
    match main.extra {
        Some(Operand::Unit(unit)) if alone && main.selectors.is4 == Feed::FTE => Some(unit),
        _ => None,
    }
}

/// The simple group that makes a unit, if it may move down.
fn maker<'a>(
    insts: &'a [Option<Inst>],
    at: usize,
    unit: Unit,
    single: &impl Fn(Unit) -> bool,
) -> Option<(usize, &'a Phase)> {
    if !single(unit) {
        return None;
    }
    let mut overwritten: Vec<Unit> = Vec::new();
    for from in (0..at).rev() {
        let Some(inst) = &insts[from] else { continue };
        if let Body::Main(main) = &inst.body
            && main.w[0] == Some(Dst::Unit(unit))
        {
            let simple = main.is_simple() && inst.condition == Condition::PE;
            let phase = main.p0.as_ref().filter(|_| simple)?;
            let mut steady = true;
            inst.each_read(|read| steady &= !overwritten.contains(&read));
            return steady.then_some((from, phase));
        }
        // Lanes that run do not change in between.
        if !matches!(inst.body, Body::Main(_) | Body::Bits(_)) {
            return None;
        }
        inst.each_write(|written| overwritten.push(written));
    }
    None
}

/// Where an operation goes.
#[derive(Clone, Copy)]
enum Place {
    First,
    Second,
    Carried,
}

impl Place {
    fn fill(self, main: &Main, phase: &Phase) -> Option<Main> {
        let alone = main.p1.is_none();
        if whole(&phase.alu)
            && !(matches!(phase.alu, Alu::Wide { .. }) && alone && main.extra.is_none())
        {
            return None;
        }
        let mut main = main.clone();
        match self {
            Place::First => main.p0 = Some(phase.clone()),
            Place::Second => main.p1 = Some(second_phase(phase)?),
            Place::Carried => {
                main.p0 = Some(phase.clone());
                main.extra = None;
                main.selectors = Selectors::default();
                main.mov = Some(Mov {
                    conditional: false,
                    mask: 15,
                    w0: Feed::FT0,
                    w1: Feed::FT0,
                });
            }
        }
        Some(main)
    }
}
