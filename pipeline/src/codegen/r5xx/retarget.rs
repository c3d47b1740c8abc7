//! Results that only an output takes are computed there.

use super::machine::{Code, Inst, Op, Reg, Select};

/// Removes copies to outputs of the vertex engine.
pub fn outputs(code: &mut Code) {
    for b in 0..code.blocks.len() {
        let mut at = 0;
        while at < code.blocks[b].insts.len() {
            match retargeted(code, b, at) {
                Some((output, vector, places)) => {
                    for inst in &mut code.blocks[b].insts[..at] {
                        if inst.dst == Some(Reg::Temp(vector)) {
                            inst.dst = Some(output);
                            for component in &mut inst.components {
                                *component = places[usize::from(*component)].unwrap_or_default();
                            }
                        }
                    }
                    code.blocks[b].insts.remove(at);
                }
                None => at += 1,
            }
        }
    }
}

type Places = [Option<u8>; 4];

/// The output that a copy writes, the vector that it reads, and where the components of that go.
fn retargeted(code: &Code, b: usize, at: usize) -> Option<(Reg, u32, Places)> {
    let inst = &code.blocks[b].insts[at];
    let output = inst.dst.filter(|reg| matches!(reg, Reg::Output(_)))?;
    if inst.op != Op::Mov || !inst.is_plain_copy() {
        return None;
    }
    let Some(Reg::Temp(vector)) = inst.args[0][0].reg else {
        return None;
    };
    let mut places: Places = [None; 4];
    for (arg, component) in inst.args[0].iter().zip(&inst.components) {
        let Select::Component(of) = arg.select else {
            return None;
        };
        // A component that goes to two places keeps its copy.
        if places[usize::from(of)].replace(*component).is_some() {
            return None;
        }
    }
    let reads = |other: &Inst| {
        other
            .args
            .iter()
            .flatten()
            .any(|arg| arg.reg == Some(Reg::Temp(vector)))
    };
    for (block, insts) in code.blocks.iter().map(|block| &block.insts).enumerate() {
        for (place, other) in insts.iter().enumerate() {
            let own = (block, place) == (b, at);
            if !own && reads(other) {
                return None;
            }
            if other.dst == Some(Reg::Temp(vector)) {
                let known = other
                    .components
                    .iter()
                    .all(|c| places[usize::from(*c)].is_some());
                if block != b || place > at || !known {
                    return None;
                }
            }
        }
    }
    Some((output, vector, places))
}
