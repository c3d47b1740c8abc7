//! Which registers a program names, and where control may go.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::layout::{Input, Layout};
use super::{SHARED, Setup};
use crate::isa::backend::{Amount, Backend};
use crate::isa::control::{Control, Mutex};
use crate::isa::{Bank, Body, Group, IndexedBank, Item, Main, Placed, Register, Special, special};

/// The groups by their addresses, without padding.
pub(super) fn groups(placed: &[Placed]) -> BTreeMap<u32, (&Group, u32)> {
    let groups = placed.iter().filter_map(|placed| match &placed.item {
        Item::Group(group) => Some((placed.at as u32, (group, (placed.at + placed.bytes) as u32))),
        Item::Padding(_) => None,
    });
    groups.collect()
}

/// Sources and destinations with their slots; W0 and W1 are slots 6 and 7.
pub(super) fn operands(group: &Group) -> impl Iterator<Item = (usize, Register)> {
    let lower = group.lower.iter().enumerate();
    let upper = group.upper.iter().enumerate();
    let sources = lower.chain(upper.map(|(slot, register)| (slot + 3, register)));
    let written = group.w.into_iter().enumerate();
    let written = written.filter_map(|(slot, register)| Some((slot + 6, register?)));
    sources
        .map(|(slot, register)| (slot, *register))
        .chain(written)
}

pub(super) fn main_of(group: &Group) -> Option<&Main> {
    match &group.body {
        Body::Main(main) => Some(main),
        _ => None,
    }
}

/// How many registers from the one that a slot names on the group reaches.
pub(super) fn reach(group: &Group, slot: usize) -> u16 {
    let repeat = u16::from(group.repeat);
    let number = |amount: Amount| match amount {
        Amount::Number(count) => u16::from(count),
        Amount::Slot(_) => 1024,
    };
    let Some(backend) = main_of(group).and_then(|main| main.backend) else {
        return repeat;
    };
    let at = |wanted: u8| usize::from(wanted) == slot;
    match backend {
        Backend::Fitr { count, .. } if slot == 3 => count.into(),
        Backend::Ld { burst, .. } if slot == 3 => number(burst),
        Backend::Ld { address, .. } if at(address) => 2,
        Backend::St { data, burst, .. } if at(data) => number(burst),
        Backend::St { address, .. } if at(address) => 2,
        Backend::Atom { source, .. } if at(source) => 3,
        Backend::Smp(sample) if slot == 1 => super::sample::words(&sample),
        Backend::Smp(sample) if slot == 4 => super::sample::results(&sample),
        Backend::Emitpix { .. } if slot == 0 || slot == 2 => 4,
        _ => repeat,
    }
}

/// Whether a slot only names coefficients that an iteration reads, or states that a sample reads.
fn only_names(group: &Group, slot: usize) -> bool {
    match main_of(group).and_then(|main| main.backend) {
        Some(Backend::Fitr { .. } | Backend::Smp(_)) => slot == 0 || slot == 2,
        _ => false,
    }
}

/// Registers that a program names.
pub(super) fn named(placed: &[Placed]) -> Setup {
    let mut setup = Setup {
        temporaries: 0,
        vertex_inputs: 0,
        shared: 0,
        ..super::WHOLE
    };
    let grow = |count: &mut u16, needed: u16, limit: u16| *count = (*count).max(needed.min(limit));
    for (group, _) in groups(placed).values() {
        for (slot, register) in operands(group) {
            let reach = reach(group, slot);
            match register {
                Register::Plain(Bank::TEMPORARY, n) => {
                    grow(&mut setup.temporaries, n + reach, 248.max(n + 1));
                }
                Register::Plain(Bank::VERTEX_INPUT, n) => {
                    grow(&mut setup.vertex_inputs, n + reach, 248.max(n + 1));
                }
                Register::Plain(Bank::SHARED, n) => grow(&mut setup.shared, n + reach.max(4), 4096),
                Register::Indexed(IndexedBank::TEMPORARY, ..) => setup.temporaries = 248,
                Register::Indexed(IndexedBank::VERTEX_INPUT, ..) => setup.vertex_inputs = 248,
                Register::Indexed(IndexedBank::SHARED, ..) => setup.shared = 4096,
                _ => {}
            }
        }
        match &group.body {
            Body::Control(Control::Ditr(ditr)) => {
                let end = u16::from(ditr.destination) + u16::from(ditr.count);
                grow(&mut setup.temporaries, end, 248);
            }
            Body::Control(Control::Itrsmp(itrsmp)) => {
                let end = u16::from(itrsmp.iteration.destination) + u16::from(itrsmp.channels);
                grow(&mut setup.temporaries, end, 248);
            }
            // Bases move shared registers up.
            Body::Control(Control::Sbo { shared: true, .. }) => setup.shared = 4096,
            _ => {}
        }
    }
    setup
}

/// What a program does anywhere, as far as its lifting depends on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Pe changes.
    pub masks: bool,
    /// Branches that lanes decide.
    pub branches: bool,
    /// The link register is used.
    pub links: bool,
    /// Bases of coefficients and shared registers change.
    pub bases: bool,
    /// Addresses of groups between the lock of a mutex and its release.
    pub locked: Vec<Range<u32>>,
    /// Addresses at which a run of groups begins.
    pub leaders: BTreeSet<u32>,
    /// Those among them that branches go to.
    pub targets: BTreeSet<u32>,
    /// Those at which a half may wait: behind branches back, targets of the others.
    pub meets: BTreeSet<u32>,
    /// The temporary that is zero exactly where Pe is on, once the first group has run.
    pub counter: Option<u16>,
    /// No lane reads what P0 was before it was off: a write need not keep P0 of lanes that are off.
    pub fresh: bool,
}

pub(super) fn facts(groups: &BTreeMap<u32, (&Group, u32)>, address: u32) -> Facts {
    let mut facts = Facts::default();
    facts.leaders.extend(groups.keys().next());
    for (pc, (group, next)) in groups {
        match &group.body {
            Body::Control(control) => match control {
                Control::Branch {
                    link,
                    absolute,
                    target,
                    ..
                } => {
                    facts.branches = true;
                    facts.links |= link;
                    let target = match absolute {
                        true => (*target as u32).wrapping_sub(address),
                        false => pc.wrapping_add_signed(*target),
                    };
                    facts.leaders.extend([target, *next]);
                    facts.targets.insert(target);
                    facts.meets.insert(target.max(*next));
                }
                Control::Lapc | Control::Savl => facts.links = true,
                Control::Cnd { op, .. } => {
                    use crate::isa::control::Cnd;
                    facts.masks = true;
                    facts.links |= *op == Cnd::CNDSETL_B;
                }
                Control::Sbo { .. } => facts.bases = true,
                Control::Mutex(Mutex::LOCK, _) => facts.locked.push(*pc..u32::MAX),
                Control::Mutex(..) => {
                    if let Some(last) = facts.locked.last_mut() {
                        last.end = last.end.min(*pc);
                    }
                }
                _ => {}
            },
            Body::Main(Main {
                backend: Some(Backend::Setl { .. }),
                ..
            }) => facts.links = true,
            _ => {}
        }
    }
    if facts.links {
        facts.leaders.extend(groups.keys());
    } else {
        facts.counter = super::counter::counter(groups);
        facts.fresh = facts.counter.is_some()
            && super::counter::is_fresh(groups, &(&facts.targets | &facts.meets));
    }
    facts
}

/// Gives every register that a program names its row; returns the first row that is free.
pub(super) fn layout(groups: &BTreeMap<u32, (&Group, u32)>, setup: &Setup) -> (Layout, u16) {
    let mut next = 0;
    let mut rows = |count: u16| {
        next += count;
        next - count..next
    };
    let mut layout = Layout {
        shared: SHARED..SHARED + setup.shared,
        ..Layout::default()
    };
    let mut words = 0;
    let (mut internal, mut indexed_outputs) = (false, false);
    let mut outputs = [false; 8];
    let mut index = [false; 2];
    let mut inputs = BTreeSet::new();
    let (mut depth, mut mask) = (false, false);
    for (group, _) in groups.values() {
        for (slot, register) in operands(group) {
            let written = slot >= 6;
            layout.writes_shared |= match register {
                Register::Plain(Bank::SHARED, _) | Register::Indexed(IndexedBank::SHARED, ..) => {
                    written || loads_to(group, slot)
                }
                _ => false,
            };
            let count = match written {
                true => group.repeat.into(),
                false => reach(group, slot),
            };
            for step in 0..count {
                match register {
                    Register::Plain(Bank::SPECIAL, n) => match special(n + step) {
                        Special::Output(n) => {
                            let n = usize::from(n);
                            outputs[n] = true;
                            layout.reads_outputs[n] |= !written;
                            layout.writes_outputs[n] |= written || loads_to(group, slot);
                        }
                        Special::Internal(_) => internal = true,
                        Special::Register(n) => {
                            inputs.insert(Input::Special(n));
                        }
                        Special::Constant(_) => {}
                    },
                    Register::Plain(Bank::COEFFICIENT, n) if !only_names(group, slot) => {
                        inputs.insert(Input::Coefficient(n + step));
                    }
                    Register::Plain(Bank::COEFFICIENT_ALT, n) if !only_names(group, slot) => {
                        inputs.insert(Input::CoefficientAlt(n + step));
                    }
                    _ => {}
                }
            }
            match register {
                Register::Index(n) | Register::Indexed(_, _, n) => index[usize::from(n & 1)] = true,
                _ => {}
            }
            indexed_outputs |= matches!(register, Register::Indexed(IndexedBank::PIXEL_OUTPUT, ..));
        }
        let Some(main) = main_of(group) else { continue };
        match main.backend {
            Some(Backend::Uvsw {
                address: Some(Amount::Number(n)),
                ..
            }) => words = words.max(u16::from(n) + 1),
            Some(Backend::Uvsw {
                address: Some(Amount::Slot(_)),
                ..
            }) => words = 256,
            Some(Backend::Depthf) => depth = true,
            Some(Backend::Movmsk { .. }) => mask = true,
            Some(Backend::Savmsk { .. }) => {
                inputs.insert(Input::Coverage);
            }
            _ => {}
        }
    }
    if indexed_outputs {
        outputs = [true; 8];
        layout.reads_outputs = [true; 8];
        layout.writes_outputs = [true; 8];
    }
    layout.vertex_outputs = rows(words);
    layout.outputs = outputs.map(|named| named.then(|| rows(1).start));
    layout.depth = depth.then(|| rows(1).start);
    layout.mask = mask.then(|| rows(1).start);
    layout.results = rows(0).end;
    layout.temporaries = rows(setup.temporaries);
    layout.vertex_inputs = rows(setup.vertex_inputs);
    layout.internal = rows(if internal { 8 } else { 0 });
    layout.index = index.map(|named| named.then(|| rows(1).start));
    let inputs = inputs.into_iter().map(|input| (input, rows(1).start));
    layout.inputs = inputs.collect();
    (layout, next)
}

/// Whether a slot names registers that the group writes.
pub(super) fn loads_to(group: &Group, slot: usize) -> bool {
    match main_of(group).and_then(|main| main.backend) {
        Some(Backend::Ld { .. } | Backend::Fitr { .. }) => slot == 3,
        Some(Backend::Smp(_)) => slot == 4,
        Some(Backend::Atom { destination, .. }) => slot == usize::from(destination),
        _ => false,
    }
}
