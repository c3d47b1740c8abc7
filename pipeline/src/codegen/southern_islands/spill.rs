//! Values that found no register: scalars go to lanes of a vector register.

use southern_islands::isa::vector::{VectorOp, Vop2Op};

use super::machine::{Code, Inst, Op, Operand, SCALAR};

/// Lanes of a vector register that can hold scalars.
const LANES: u32 = 64;

/// Where spilled values are.
#[derive(Debug, Default)]
pub(super) struct Spills {
    /// Vector registers that hold scalars, one a lane.
    homes: Vec<Operand>,
    lanes: u32,
    /// Words spilled.
    pub count: u32,
}

impl Spills {
    /// Rewrites the code so that the groups live elsewhere between their uses; whether that is possible.
    pub fn spill(&mut self, code: &mut Code, groups: &[usize]) -> bool {
        for &g in groups {
            let group = code.groups[g].clone();
            if group.keep || group.bank != SCALAR || group.pinned.is_some() {
                return false;
            }
            let lanes: Vec<(Operand, u32)> = (0..group.width).map(|_| self.lane(code)).collect();
            let units = group.first..group.first + u32::from(group.width);
            for b in 0..code.blocks.len() {
                let insts = std::mem::take(&mut code.blocks[b].insts);
                let mut out = Vec::with_capacity(insts.len());
                for inst in insts {
                    rewrite(code, inst, &units, &lanes, group.align, &mut out);
                }
                code.blocks[b].insts = out;
            }
            self.count += u32::from(group.width);
        }
        true
    }

    /// A free lane of a register that stays.
    fn lane(&mut self, code: &mut Code) -> (Operand, u32) {
        if self.lanes.is_multiple_of(LANES) {
            let home = code.vector(1);
            if let Some(group) = code.groups.last_mut() {
                group.keep = true;
            }
            // Lanes are written whatever EXEC is, so nothing else may have the register anywhere.
            for block in &mut code.blocks {
                block.insts.push(Inst::new(Op::Undefined, None, vec![home]));
            }
            self.homes.push(home);
        }
        let lane = self.lanes % LANES;
        self.lanes += 1;
        (self.homes[self.homes.len() - 1], lane)
    }
}

/// Appends the instruction with spilled operands in registers of their own around it.
fn rewrite(
    code: &mut Code,
    mut inst: Inst,
    units: &std::ops::Range<u32>,
    lanes: &[(Operand, u32)],
    align: u16,
    out: &mut Vec<Inst>,
) {
    let touches =
        |operand: &Operand| matches!(operand, Operand::Reg { unit, .. } if units.contains(unit));
    let reads = inst.src.iter().any(touches);
    let writes = inst.dst.iter().chain(&inst.dst2).any(touches);
    if !reads && !writes {
        out.push(inst);
        return;
    }
    // The instruction may use a part; the stand-in has only the words that are used.
    let used = inst.src.iter().chain(&inst.dst).chain(&inst.dst2);
    let (mut low, mut high) = (u32::MAX, 0);
    for operand in used {
        if let Operand::Reg { unit, words, .. } = *operand
            && units.contains(&unit)
        {
            low = low.min(unit - units.start);
            high = high.max(unit - units.start + u32::from(words));
        }
    }
    // Parts of wide groups keep their alignment.
    let low = if high - low > 1 {
        low - low % u32::from(align)
    } else {
        low
    };
    let stand_in = code.scalar((high - low).next_power_of_two().min(16) as u8);
    if let Some(group) = code.groups.last_mut() {
        group.keep = true;
    }
    let map = |operand: &mut Operand| {
        if let Operand::Reg { unit, words, .. } = *operand
            && units.contains(&unit)
        {
            *operand = stand_in.part(unit - units.start - low, words);
        }
    };
    if reads {
        for i in low..high {
            let (home, lane) = lanes[i as usize];
            let read = Op::Vector(VectorOp::Two(Vop2Op::V_READLANE_B32));
            let src = vec![home, Operand::Const(lane)];
            out.push(Inst::new(read, Some(stand_in.word(i - low)), src));
        }
    }
    let written: Vec<u32> = inst
        .dst
        .iter()
        .chain(&inst.dst2)
        .filter(|o| touches(o))
        .flat_map(|o| match *o {
            Operand::Reg { unit, words, .. } => (unit..unit + u32::from(words)).collect(),
            _ => Vec::new(),
        })
        .collect();
    inst.src.iter_mut().for_each(map);
    inst.dst.iter_mut().for_each(map);
    inst.dst2.iter_mut().for_each(map);
    let undefined = inst.op == Op::Undefined;
    out.push(inst);
    for unit in written {
        if undefined {
            continue;
        }
        let i = unit - units.start;
        let (home, lane) = lanes[i as usize];
        let write = Op::Vector(VectorOp::Two(Vop2Op::V_WRITELANE_B32));
        let src = vec![stand_in.word(i - low), Operand::Const(lane), home];
        out.push(Inst::new(write, Some(home), src));
    }
}
