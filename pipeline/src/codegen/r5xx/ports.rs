//! Read ports of the vertex engine: two temporaries, one input, one constant and one alternate temporary an instruction;
//! MAD has a form with three temporaries. What is too much moves first. [R5XX 7.5.1]

use super::machine::{Arg, Code, Inst, Op, Reg};

/// Makes room in every instruction.
pub fn limit(code: &mut Code) {
    for b in 0..code.blocks.len() {
        let insts = std::mem::take(&mut code.blocks[b].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for mut inst in insts {
            while let Some(at) = excess(&inst) {
                move_operand(code, &mut inst, at, &mut kept);
            }
            kept.push(inst);
        }
        code.blocks[b].insts = kept;
    }
}

/// The vector that an operand reads.
pub fn register(args: &[Arg]) -> Option<Reg> {
    args.iter().find_map(|arg| arg.reg)
}

fn distinct(inst: &Inst) -> Vec<(usize, Reg)> {
    let mut found: Vec<(usize, Reg)> = Vec::new();
    for (at, args) in inst.args.iter().enumerate() {
        if let Some(reg) = register(args)
            && !found.iter().any(|(_, known)| *known == reg)
        {
            found.push((at, reg));
        }
    }
    found
}

/// The last operand that has no port.
fn excess(inst: &Inst) -> Option<usize> {
    let found = distinct(inst);
    let of = |class: fn(&Reg) -> bool| -> Vec<usize> {
        let all = found.iter().filter(|(_, reg)| class(reg));
        all.map(|(at, _)| *at).collect()
    };
    let temps = of(|reg| matches!(reg, Reg::Temp(_)));
    let inputs = of(|reg| matches!(reg, Reg::Input(_)));
    let constants = of(|reg| matches!(reg, Reg::Constant(_) | Reg::Indexed(..)));
    let most = if inst.op == Op::Mad { 3 } else { 2 };
    for (list, most) in [(temps, most), (inputs, 1), (constants, 1)] {
        if list.len() > most {
            return list.last().copied();
        }
    }
    None
}

/// Moves an operand to the alternate temporary, or to a temporary if that is taken.
fn move_operand(code: &mut Code, inst: &mut Inst, at: usize, kept: &mut Vec<Inst>) {
    let taken = inst
        .args
        .iter()
        .any(|args| register(args) == Some(Reg::Alternate));
    let count = inst.args[at].len();
    let reg = match taken {
        true => Reg::Temp(code.vector(count as u8)),
        false => Reg::Alternate,
    };
    let components: Vec<u8> = (0..count as u8).collect();
    let args = vec![inst.args[at].clone()];
    kept.push(Inst {
        origin: inst.origin,
        ..Inst::new(Op::Mov, Some(reg), components.clone(), args)
    });
    inst.args[at] = components
        .into_iter()
        .map(|component| Arg::of(reg, component))
        .collect();
}
