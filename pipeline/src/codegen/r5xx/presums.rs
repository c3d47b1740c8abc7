//! Sums that the pixel unit computes on the way to an operation: `1 - a`, `b - a` and `a + b` of sources 0 and 1.
//! [R5XX 8.4.2]
//!
//! Sources are added channel by channel, so both components of a sum have to lie in the same channel. Constants are copied
//! to where they do; vectors of one component may still lie anywhere.

use super::machine::{Arg, Before, Code, Inst, Op, Presum, Reg, Select, unit};
use super::pool::Pool;
use super::ports::register;
use super::uses::Uses;
use crate::codegen::ConstantSource;
use crate::codegen::regalloc::Unit;

/// Gives sums to the instructions that take them, where all do.
///
/// Uses are found once: a sum that is taken is read no more, and what it reads has its only writers before it.
pub fn fold(code: &mut Code, pool: &mut Pool) {
    let uses = Uses::of(code);
    for b in 0..code.blocks.len() {
        let len = code.blocks[b].insts.len();
        let taken: Vec<bool> = (0..len)
            .map(|at| folded(code, pool, &uses, b, at))
            .collect();
        let mut taken = taken.into_iter();
        code.blocks[b].insts.retain(|_| taken.next() != Some(true));
    }
}

/// A sum, and the channel of its sources that each component of its target is.
struct Found {
    vector: u32,
    before: Before,
    channels: [Option<u8>; 4],
}

fn folded(code: &mut Code, pool: &mut Pool, uses: &Uses, b: usize, at: usize) -> bool {
    let inst = &code.blocks[b].insts[at];
    let Some(Reg::Temp(vector)) = inst.dst.filter(|_| inst.op == Op::Add) else {
        return false;
    };
    let pinned = code.pinned.iter().any(|(of, _)| *of == vector);
    if inst.saturate || inst.scale != 0 || inst.before.is_some() || pinned {
        return false;
    }
    let units: Vec<Unit> = inst.components.iter().map(|c| unit(vector, *c)).collect();
    let mut users: Vec<usize> = Vec::new();
    for unit in &units {
        if uses.writes(*unit).len() != 1 {
            return false;
        }
        for (block, user) in uses.reads(*unit) {
            if *block != b || *user <= at {
                return false;
            }
            if !users.contains(user) {
                users.push(*user);
            }
        }
    }
    let Some(last) = users.iter().max().copied() else {
        return false;
    };
    // Its sources have to stay as they are.
    let mut stay = true;
    inst.read_units(|unit| {
        let writes = uses.writes(unit);
        stay &= !writes
            .iter()
            .any(|(block, w)| *block == b && at < *w && *w < last);
    });
    if !stay
        || !users
            .iter()
            .all(|user| may_take(&code.blocks[b].insts[*user], vector, &inst.components))
    {
        return false;
    }
    let inst = inst.clone();
    let Some(plan) = Plan::of(&inst, code, pool) else {
        return false;
    };
    let probe = plan.found(&inst, vector, |_| Reg::Constant(u32::MAX));
    let fits = |user: &usize| taken(&code.blocks[b].insts[*user], &probe).is_some();
    if !users.iter().all(fits) {
        return false;
    }
    for (vector, phase) in &plan.phases {
        code.phases[*vector as usize] = Some(*phase);
    }
    let found = plan.found(&inst, vector, |list| Reg::Constant(pool.place(list)));
    for user in users {
        if let Some(new) = taken(&code.blocks[b].insts[user], &found) {
            code.blocks[b].insts[user] = new;
        }
    }
    true
}

/// Operations that take any source, and the vector only where it is the sum.
fn may_take(inst: &Inst, vector: u32, components: &[u8]) -> bool {
    let takes = !matches!(
        inst.op,
        Op::Look(..) | Op::Kill | Op::Color(_) | Op::Depth | Op::Again | Op::Derivative { .. }
    );
    let own = |arg: &Arg| match (arg.reg, arg.select) {
        (Some(Reg::Temp(of)), Select::Component(c)) => of != vector || components.contains(&c),
        _ => true,
    };
    takes && inst.before.is_none() && inst.args.iter().flatten().all(own)
}

/// The instruction with the sum in its sources, if three are enough.
fn taken(inst: &Inst, found: &Found) -> Option<Inst> {
    let mut new = inst.clone();
    for arg in new.args.iter_mut().flatten() {
        if let (Some(Reg::Temp(of)), Select::Component(c)) = (arg.reg, arg.select)
            && of == found.vector
        {
            arg.reg = Some(Reg::Before);
            arg.select = Select::Component(found.channels[usize::from(c)]?);
        }
    }
    new.before = Some(found.before);
    let mut regs = found.before.regs.to_vec();
    for args in &new.args {
        regs.extend(register(args).filter(|reg| *reg != Reg::Before));
    }
    regs.sort_unstable();
    regs.dedup();
    (regs.len() <= 3).then_some(new)
}

/// A constant that is to lie where the other side of a sum does: channels, and what they hold.
type Placed = Vec<(u8, ConstantSource)>;

/// One side of a sum.
#[derive(Clone)]
enum Side {
    Reg(Reg),
    Constant(Placed),
}

/// How a sum becomes one of sources.
struct Plan {
    op: Presum,
    sides: [Side; 2],
    /// Channel of component 0 of both.
    first: [u8; 2],
    /// Channels of the sources, by member.
    channels: Vec<u8>,
    /// Channels that vectors of one component get.
    phases: Vec<(u32, u8)>,
}

/// A vector of temporaries that an operand reads, if that is all it reads.
fn vector(args: &[Arg]) -> Option<u32> {
    match args[0].reg {
        Some(Reg::Temp(vector)) if args.iter().all(|arg| arg.reg == args[0].reg) => Some(vector),
        _ => None,
    }
}

fn component(arg: &Arg) -> u8 {
    match arg.select {
        Select::Component(component) => component,
        _ => 0,
    }
}

/// What the members of an operand are, if all are constant.
fn constants(args: &[Arg], pool: &Pool) -> Option<Vec<ConstantSource>> {
    let number = |value: f32| Some(ConstantSource::Immediate(value.to_bits()));
    let source = |arg: &Arg| match (arg.reg, arg.select) {
        (Some(Reg::Constant(at)), Select::Component(c)) => {
            pool.vectors[at as usize][usize::from(c)]
        }
        (None, Select::Zero) if !arg.negate => number(0.0),
        (None, Select::Half) if !arg.negate => number(0.5),
        (None, Select::One) if !arg.negate => number(1.0),
        _ => None,
    };
    args.iter().map(source).collect()
}

/// Whether an operand is negative, if all of it has one sign and no magnitude is taken.
fn sign(args: &[Arg]) -> Option<bool> {
    let mut real = args.iter().filter(|arg| arg.reg.is_some());
    let first = real.clone().next().is_some_and(|arg| arg.negate);
    real.all(|arg| arg.negate == first && !arg.abs)
        .then_some(first)
}

impl Plan {
    fn of(inst: &Inst, code: &Code, pool: &Pool) -> Option<Plan> {
        let [x, y] = &inst.args[..] else { return None };
        if let Some(plan) = Plan::inverse(x, y, code).or_else(|| Plan::inverse(y, x, code)) {
            return Some(plan);
        }
        // Source 1 less source 0.
        let (op, x, y) = match (sign(x)?, sign(y)?) {
            (false, false) => (Presum::Sum, x, y),
            (false, true) => (Presum::Difference, y, x),
            (true, false) => (Presum::Difference, x, y),
            (true, true) => return None,
        };
        let phase = |vector: u32| match code.widths[vector as usize] {
            1 => code.phases[vector as usize],
            _ => Some(0),
        };
        let at = |args: &[Arg], phase: u8| -> Vec<u8> {
            args.iter().map(|arg| component(arg) + phase).collect()
        };
        let mut phases = Vec::new();
        let mut settled = |vector: u32, wanted: u8| match phase(vector) {
            Some(phase) => phase,
            None => {
                phases.push((vector, wanted));
                wanted
            }
        };
        let (sides, first, channels) = match (vector(x), vector(y)) {
            (Some(a), Some(b)) if a != b => {
                // Where neither lies anywhere yet, alpha it is.
                let wanted = match (phase(a), phase(b)) {
                    (Some(phase), None) => phase + component(&x[0]),
                    (None, Some(phase)) => phase + component(&y[0]),
                    _ => 3,
                };
                let first = [settled(a, wanted), settled(b, wanted)];
                let channels = at(x, first[0]);
                if channels != at(y, first[1]) {
                    return None;
                }
                (
                    [Side::Reg(Reg::Temp(a)), Side::Reg(Reg::Temp(b))],
                    first,
                    channels,
                )
            }
            (Some(a), None) => {
                let first = settled(a, 3);
                let channels = at(x, first);
                let placed = placed(&channels, constants(y, pool)?)?;
                let sides = [Side::Reg(Reg::Temp(a)), Side::Constant(placed)];
                (sides, [first, 0], channels)
            }
            (None, Some(b)) => {
                let first = settled(b, 3);
                let channels = at(y, first);
                let placed = placed(&channels, constants(x, pool)?)?;
                let sides = [Side::Constant(placed), Side::Reg(Reg::Temp(b))];
                (sides, [0, first], channels)
            }
            _ => return None,
        };
        Some(Plan {
            op,
            sides,
            first,
            channels,
            phases,
        })
    }

    /// `1 - a`
    fn inverse(one: &[Arg], a: &[Arg], code: &Code) -> Option<Plan> {
        let ones = |arg: &Arg| arg.reg.is_none() && arg.select == Select::One && !arg.negate;
        let minus = |arg: &Arg| arg.reg == a[0].reg && arg.negate && !arg.abs;
        let reg = a[0].reg.filter(|reg| *reg != Reg::Before)?;
        if !one.iter().all(ones) || !a.iter().all(minus) {
            return None;
        }
        let mut phases = Vec::new();
        let first = match reg {
            Reg::Temp(vector) if code.widths[vector as usize] == 1 => {
                let phase = code.phases[vector as usize];
                phase.unwrap_or_else(|| {
                    phases.push((vector, 3));
                    3
                })
            }
            _ => 0,
        };
        Some(Plan {
            op: Presum::Inverse,
            sides: [Side::Reg(reg), Side::Reg(reg)],
            first: [first; 2],
            channels: a.iter().map(|arg| component(arg) + first).collect(),
            phases,
        })
    }

    fn found(&self, inst: &Inst, vector: u32, mut place: impl FnMut(&Placed) -> Reg) -> Found {
        let regs = [0, 1].map(|at| match &self.sides[at] {
            Side::Reg(reg) => *reg,
            Side::Constant(list) => place(list),
        });
        let mut channels = [None; 4];
        for (component, channel) in inst.components.iter().zip(&self.channels) {
            channels[usize::from(*component)] = Some(*channel);
        }
        let (op, first) = (self.op, self.first);
        Found {
            vector,
            before: Before { op, regs, first },
            channels,
        }
    }
}

/// Constants in these channels, unless two would lie in one.
fn placed(channels: &[u8], sources: Vec<ConstantSource>) -> Option<Placed> {
    let mut list: Placed = Vec::new();
    for (channel, source) in channels.iter().copied().zip(sources) {
        match list.iter().find(|(known, _)| *known == channel) {
            Some((_, known)) if *known != source => return None,
            Some(_) => {}
            None => list.push((channel, source)),
        }
    }
    Some(list)
}
