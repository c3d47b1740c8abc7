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

/// What the operands of an instruction read.
#[derive(Default)]
pub struct Ports {
    /// Vectors, each with its first operand.
    found: Vec<(usize, Reg)>,
    operands: usize,
}

impl Ports {
    /// One operand more.
    pub fn add(&mut self, args: &[Arg]) {
        if let Some(reg) = register(args)
            && !self.found.iter().any(|(_, known)| *known == reg)
        {
            self.found.push((self.operands, reg));
        }
        self.operands += 1;
    }

    /// The last operand that has no port, of which there are so many for temporaries.
    fn excess(&self, temporaries: usize) -> Option<usize> {
        let of = |class: fn(&Reg) -> bool| -> Vec<usize> {
            let all = self.found.iter().filter(|(_, reg)| class(reg));
            all.map(|(at, _)| *at).collect()
        };
        let temps = of(|reg| matches!(reg, Reg::Temp(_)));
        let inputs = of(|reg| matches!(reg, Reg::Input(_)));
        let constants = of(|reg| matches!(reg, Reg::Constant(_) | Reg::Indexed(..)));
        let alternates = of(|reg| matches!(reg, Reg::Alternate(_)));
        for (list, most) in [
            (temps, temporaries),
            (inputs, 1),
            (constants, 1),
            (alternates, 1),
        ] {
            if list.len() > most {
                return list.last().copied();
            }
        }
        None
    }

    /// Whether all have ports.
    pub fn fit(&self, temporaries: usize) -> bool {
        self.excess(temporaries).is_none()
    }
}

/// The last operand that has no port.
fn excess(inst: &Inst) -> Option<usize> {
    let mut ports = Ports::default();
    inst.args.iter().for_each(|args| ports.add(args));
    ports.excess(if inst.op == Op::Mad { 3 } else { 2 })
}

/// Moves an operand to the alternate temporary, or to a temporary if that is taken.
fn move_operand(code: &mut Code, inst: &mut Inst, at: usize, kept: &mut Vec<Inst>) {
    let taken = inst
        .args
        .iter()
        .any(|args| register(args) == Some(Reg::Alternate(0)));
    let count = inst.args[at].len();
    let reg = match taken {
        true => Reg::Temp(code.vector(count as u8)),
        false => Reg::Alternate(0),
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
