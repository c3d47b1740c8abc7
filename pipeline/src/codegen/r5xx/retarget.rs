//! Results that only an output or a parameter of a loop takes are computed there, and multiplications by powers of two
//! where the number is.

use super::machine::{Arg, Code, End, Inst, Op, Reg, Select, unit};
use super::pool::Pool;
use super::uses::{Place, Uses};
use crate::codegen::ConstantSource;

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

/// Computes parameters of the next block where it reads them, if this block has read what was there.
pub fn params(code: &mut Code) {
    let mut uses = Uses::of(code);
    for b in 0..code.blocks.len() {
        if code.blocks[b].end == End::Done {
            continue;
        }
        let mut at = code.blocks[b].insts.len();
        while at > 0 {
            at -= 1;
            if !code.blocks[b].insts[at].is_plain_copy() {
                continue;
            }
            if let Some((from, new)) = moved(code, &uses, (b, at)) {
                let writer = &mut code.blocks[b].insts[from.1];
                writer.components = writer.components.iter().map(|c| new.of(*c)).collect();
                writer.dst = Some(Reg::Temp(new.to));
                for inst in code.blocks.iter_mut().flat_map(|block| &mut block.insts) {
                    for arg in inst.args.iter_mut().flatten() {
                        if let (Some(Reg::Temp(of)), Select::Component(c)) = (arg.reg, arg.select)
                            && of == new.from
                            && new.places[usize::from(c)].is_some()
                        {
                            arg.reg = Some(Reg::Temp(new.to));
                            arg.select = Select::Component(new.of(c));
                        }
                    }
                }
                code.blocks[b].insts.remove(at);
                uses = Uses::of(code);
            }
        }
    }
}

/// Where components of a vector go.
struct Moved {
    from: u32,
    to: u32,
    places: Places,
}

impl Moved {
    fn of(&self, component: u8) -> u8 {
        self.places[usize::from(component)].unwrap_or(component)
    }
}

/// The instruction that may write the target of a copy itself.
fn moved(code: &Code, uses: &Uses, (b, at): Place) -> Option<(Place, Moved)> {
    let inst = &code.blocks[b].insts[at];
    let Some(Reg::Temp(to)) = inst.dst.filter(|_| inst.is_plain_copy()) else {
        return None;
    };
    let Some(Reg::Temp(from)) = inst.args[0][0].reg.filter(|from| *from != Reg::Temp(to)) else {
        return None;
    };
    let mut places: Places = [None; 4];
    let mut components = Vec::new();
    for (arg, component) in inst.args[0].iter().zip(&inst.components) {
        let Select::Component(of) = arg.select else {
            return None;
        };
        if arg.reg != Some(Reg::Temp(from)) || places[usize::from(of)].replace(*component).is_some()
        {
            return None;
        }
        components.push(of);
    }
    let writer = uses.only_writer(code, from, &components)?;
    if writer.0 != b || writer.1 >= at {
        return None;
    }
    let alone = !matches!(
        code.blocks[b].insts[writer.1].op,
        Op::Look(..) | Op::Derivative { .. }
    );
    if !alone {
        return None;
    }
    // The old value is not needed any more, and the copy is the only one to write the new one from there on.
    for component in &inst.components {
        let unit = unit(to, *component);
        let late = |place: &&Place| place.0 == b && place.1 > writer.1;
        let others = uses
            .writes(unit)
            .iter()
            .filter(late)
            .filter(|place| place.1 != at);
        if uses
            .reads(unit)
            .iter()
            .any(|place| late(&place) && place.1 < at)
            || others.count() > 0
        {
            return None;
        }
    }
    // Operands read one vector each.
    for component in &components {
        for (block, user) in uses.reads(unit(from, *component)) {
            let inst = &code.blocks[*block].insts[*user];
            let apart = |args: &Vec<Arg>| {
                let of = |arg: &&Arg| arg.reg == Some(Reg::Temp(from));
                let goes = |arg: &Arg| match arg.select {
                    Select::Component(c) => places[usize::from(c)].is_some(),
                    _ => false,
                };
                let mut own = args.iter().filter(of).peekable();
                let first = own.peek().map(|arg| goes(arg));
                own.any(|arg| Some(goes(arg)) != first)
            };
            let summed = inst
                .before
                .is_some_and(|sum| sum.regs.contains(&Reg::Temp(from)));
            if *block != b || *user > at || summed || inst.args.iter().any(apart) {
                return None;
            }
        }
    }
    Some((writer, Moved { from, to, places }))
}

/// Multiplies by powers of two behind the operation, where that rounds as the product does: sums have a larger range there.
/// [R5XX 8.4.5]
pub fn scales(code: &mut Code, pool: &Pool) {
    let mut uses = Uses::of(code);
    for b in 0..code.blocks.len() {
        let mut at = 0;
        while at < code.blocks[b].insts.len() {
            let inst = &mut code.blocks[b].insts[at];
            if inst.op != Op::Mul {
                at += 1;
                continue;
            }
            if power(&inst.args[0], pool).is_some() {
                inst.args.reverse();
            }
            let Some((from, power)) = scaled(code, pool, &uses, (b, at)) else {
                at += 1;
                continue;
            };
            let product = code.blocks[b].insts.remove(at);
            let inst = &mut code.blocks[b].insts[from];
            // Members change their order with the components that they are read at.
            let number = |component: u8| inst.components.iter().position(|c| *c == component);
            let order: Vec<usize> = plain(&product).iter().filter_map(|c| number(*c)).collect();
            for args in inst
                .args
                .iter_mut()
                .filter(|args| args.len() == order.len())
            {
                *args = order.iter().map(|at| args[*at]).collect();
            }
            inst.components = product.components;
            (inst.dst, inst.scale, inst.saturate) = (product.dst, power, product.saturate);
            uses = Uses::of(code);
        }
    }
}

/// Components of the first operand.
fn plain(inst: &Inst) -> Vec<u8> {
    let component = |arg: &Arg| match arg.select {
        Select::Component(c) => Some(c),
        _ => None,
    };
    inst.args[0].iter().filter_map(component).collect()
}

/// Powers of two that results are multiplied by.
const POWERS: [(i8, f32); 6] = [
    (1, 2.0),
    (2, 4.0),
    (3, 8.0),
    (-1, 0.5),
    (-2, 0.25),
    (-3, 0.125),
];

/// The power that all members of an operand are, if the pixel unit multiplies by it.
fn power(args: &[Arg], pool: &Pool) -> Option<i8> {
    let of = |arg: &Arg| {
        let number = match (arg.reg, arg.select) {
            (None, Select::Half) if !arg.negate => 0.5,
            (Some(Reg::Constant(at)), Select::Component(c)) if !arg.negate => {
                match pool.vectors[at as usize][usize::from(c)] {
                    Some(ConstantSource::Immediate(bits)) => f32::from_bits(bits),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let found = POWERS.iter().find(|(_, of)| *of == number);
        found.map(|(power, _)| *power)
    };
    let first = of(&args[0])?;
    args.iter()
        .all(|arg| of(arg) == Some(first))
        .then_some(first)
}

/// The instruction whose result a product scales, and by how much.
fn scaled(code: &Code, pool: &Pool, uses: &Uses, (b, at): Place) -> Option<(usize, i8)> {
    let inst = &code.blocks[b].insts[at];
    if inst.op != Op::Mul || inst.scale != 0 {
        return None;
    }
    let power = power(&inst.args[1], pool)?;
    let Some(Reg::Temp(vector)) = inst.args[0][0].reg else {
        return None;
    };
    let as_it_is = |arg: &Arg| arg.reg == Some(Reg::Temp(vector)) && !arg.abs && !arg.negate;
    let components = plain(inst);
    let mut distinct = components.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if !inst.args[0].iter().all(as_it_is) || distinct.len() != inst.components.len() {
        return None;
    }
    let writer = uses.only_writer(code, vector, &components)?;
    let from = &code.blocks[writer.0].insts[writer.1];
    let exact = matches!(
        from.op,
        Op::Min | Op::Max | Op::Frc | Op::Set(_) | Op::Mux(_) | Op::Choose | Op::Function(_)
    );
    let mut read_here = components.iter().map(|c| uses.reads(unit(vector, *c)));
    let single = read_here.all(|reads| reads == [(b, at)]);
    if writer.0 != b || writer.1 > at || !exact || from.saturate || from.scale != 0 || !single {
        return None;
    }
    // Nobody else has the target in between.
    let Some(Reg::Temp(to)) = inst.dst else {
        return None;
    };
    let free = inst.components.iter().all(|c| {
        let unit = unit(to, *c);
        let between = |place: &Place| place.0 == b && writer.1 <= place.1 && place.1 < at;
        !uses.reads(unit).iter().any(between) && !uses.writes(unit).iter().any(between)
    });
    free.then_some((writer.1, power))
}

/// The instruction that computes whether a lane goes round again is the vote, where it is red or alpha.
pub fn votes(code: &mut Code) {
    for block in &mut code.blocks {
        let Some(again) = block.insts.last().filter(|inst| inst.op == Op::Again) else {
            continue;
        };
        let arg = again.args[0][0];
        let (Some(Reg::Temp(vector)), Select::Component(component)) = (arg.reg, arg.select) else {
            continue;
        };
        let Some(channel) = code.phases[vector as usize].map(|phase| phase + component) else {
            continue;
        };
        let writes = |inst: &Inst| {
            inst.dst == Some(Reg::Temp(vector)) && inst.components.contains(&component)
        };
        let writer = block.insts.iter_mut().rfind(|inst| writes(inst));
        if let Some(writer) = writer
            && matches!(channel, 0 | 3)
            && !matches!(writer.op, Op::Look(..) | Op::Derivative { .. })
            && !arg.abs
        {
            writer.vote = Some(channel == 3);
            block.insts.pop();
        }
    }
}

/// Computes colours where they leave.
pub fn colors(code: &mut Code) {
    let mut uses = Uses::of(code);
    for b in 0..code.blocks.len() {
        let mut at = 0;
        while at < code.blocks[b].insts.len() {
            if let Some((from, target)) = colored(code, &uses, (b, at)) {
                let writer = &mut code.blocks[b].insts[from];
                writer.dst = Some(Reg::Target(target));
                code.blocks[b].insts.remove(at);
                uses = Uses::of(code);
            } else {
                at += 1;
            }
        }
    }
}

/// The instruction that gives all of a colour, and nothing else takes it.
fn colored(code: &Code, uses: &Uses, (b, at): Place) -> Option<(usize, u8)> {
    let inst = &code.blocks[b].insts[at];
    let Op::Color(target) = inst.op else {
        return None;
    };
    let Some(Reg::Temp(vector)) = inst.args[0][0].reg else {
        return None;
    };
    for (channel, arg) in (0..).zip(&inst.args[0]) {
        let same = *arg == Arg::of(Reg::Temp(vector), channel);
        if !same || uses.reads(unit(vector, channel)) != [(b, at)] {
            return None;
        }
    }
    let writer = uses.only_writer(code, vector, &[0, 1, 2, 3])?;
    let op = code.blocks[writer.0].insts[writer.1].op;
    let alu = !matches!(op, Op::Look(..) | Op::Derivative { .. } | Op::Dot4);
    (writer.0 == b && writer.1 < at && alu).then_some((writer.1, target))
}
