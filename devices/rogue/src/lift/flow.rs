//! The lifter: groups in the order that control reaches them, branches, the end of a program.
//!
//! A group is lifted once for each pair of register bases that it can be reached with. The halves of a wave, a task each,
//! may disagree about a branch: then one waits at the higher address. Every place where a half can wait looks whether one
//! does.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use lanes::LaneOp::*;
use lanes::{Builder, Label, Origin, Src, Step, When};

use super::emit::Item;
use super::flushed::{Assumed, Flushed};
use super::layout::Layout;
use super::local::Local;
use super::port::{Port, VertexEnd};
use super::scan::{self, Facts};
use super::{
    ACTIVE, COVERED, ENABLED, LINK, LiftError, Lifted, PREDICATE, RUNNING, Setup, VALID, WAITING,
};
use crate::isa::{Group, Placed, Register};

/// States that one program may have.
const MAX_STATES: usize = 1 << 16;

/// What `sbo` has added to register numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bases {
    pub(super) coefficient: u16,
    pub(super) shared: u16,
}

/// A group with the bases it is reached with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) pc: u32,
    pub(super) bases: Bases,
}

/// A program being lifted.
pub(super) struct Lifter<'a> {
    pub(super) groups: BTreeMap<u32, (&'a Group, u32)>,
    pub(super) setup: &'a Setup,
    pub(super) facts: Facts,
    pub(super) layout: Layout,
    pub(super) b: Builder,
    pub(super) ports: Vec<Port>,
    /// Of each port, whether a mutex is locked where it is.
    pub(super) locked: Vec<bool>,
    pub(super) kills: bool,
    /// Address of the group.
    pub(super) pc: u32,
    pub(super) bases: Bases,
    /// Registers of S0 to S5.
    pub(super) sources: [Option<Register>; 6],
    /// Rows without denormals in the lanes that execute.
    pub(super) clean: HashSet<u16>,
    /// Rows that are copies, in the lanes that execute: of numbers, of shared registers that stay, of other registers.
    pub(super) held: HashMap<u16, Src>,
    /// Rows with results of FRSQ, in the lanes that execute: their reciprocals are no denormals.
    pub(super) roots: HashSet<u16>,
    /// Where the run of groups goes on that ends with the last branch.
    pub(super) fallen: Option<State>,
    /// Shared registers without denormals.
    pub(super) flushed: Flushed,
    /// The group's steps.
    pub(super) items: Vec<Item>,
    /// Rows that are written behind the group.
    pub(super) writes: Vec<(u16, Src)>,
    /// Other registers that are written behind it.
    pub(super) local_writes: Vec<Local>,
    /// Rows that the backend of the group writes, behind W0 and W1.
    pub(super) late: Range<u16>,
    /// A vertex or a strip that ends behind what the group writes.
    pub(super) vertex_end: Option<VertexEnd>,
    /// Pair of the new P0.
    pub(super) predicate: Option<u16>,
    /// Pair of the carries of the integer operation.
    pub(super) carry: Option<Src>,
    /// The execution mask is the group's own.
    pub(super) narrowed: bool,
    pub(super) scratch_begin: u16,
    pub(super) scratch: u16,
    pub(super) scratch_end: u16,
    pub(super) scalars_begin: u16,
    pub(super) scalars: u16,
    pub(super) scalars_end: u16,
    pub(super) labels: HashMap<State, (Label, u32)>,
    waiting: Vec<State>,
    done: HashSet<State>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(
        placed: &'a [Placed],
        setup: &'a Setup,
        assumed: Option<Assumed>,
    ) -> Result<Self, LiftError> {
        let groups = scan::groups(placed);
        let mut facts = scan::facts(&groups, setup.address);
        // Who presets registers looks at P0 when the program has ended.
        facts.fresh &= !setup.preset;
        if facts.bases && facts.links {
            return Err(LiftError::Meaning {
                pc: 0,
                what: "a program with register bases and the link register",
            });
        }
        let (layout, rows) = scan::layout(&groups, setup);
        let zero = match setup.preset {
            true => 0..0,
            false => layout.temporaries.clone(),
        };
        let assumed = assumed.unwrap_or_else(|| Assumed::of(zero));
        let flushed = Flushed::new(assumed, layout.shared.end);
        let scalars = flushed.end();
        Ok(Lifter {
            groups,
            setup,
            facts,
            layout,
            b: Builder::new(ACTIVE),
            ports: Vec::new(),
            locked: Vec::new(),
            kills: false,
            pc: 0,
            bases: Bases::default(),
            sources: [None; 6],
            clean: HashSet::new(),
            held: HashMap::new(),
            roots: HashSet::new(),
            fallen: None,
            flushed,
            items: Vec::new(),
            writes: Vec::new(),
            local_writes: Vec::new(),
            late: 0..0,
            vertex_end: None,
            predicate: None,
            carry: None,
            narrowed: false,
            scratch_begin: rows,
            scratch: rows,
            scratch_end: rows,
            scalars_begin: scalars,
            scalars,
            scalars_end: scalars,
            labels: HashMap::new(),
            waiting: Vec::new(),
            done: HashSet::new(),
        })
    }

    /// The halves may part.
    pub(super) fn halves(&self) -> bool {
        self.facts.branches && !self.facts.links
    }

    /// The pair of lanes that `(ignorepe)` executes in.
    pub(super) fn running(&self) -> u16 {
        if self.halves() { RUNNING } else { VALID }
    }

    /// Lifts the program; says what to assume instead if it was assumed wrongly.
    pub(super) fn run(mut self) -> Result<(Lifted, Option<Assumed>), LiftError> {
        let first = self.groups.keys().next().copied();
        let first = first.ok_or(LiftError::Target { pc: 0 })?;
        if !self.setup.predicate {
            self.set(PREDICATE, 0);
        }
        for all in [VALID, ENABLED] {
            self.copy(all, ACTIVE);
        }
        if self.halves() {
            self.copy(RUNNING, ACTIVE);
            self.set(WAITING, 0);
        }
        if self.facts.links {
            self.set(LINK, 0);
            let all: Vec<u32> = self.groups.keys().copied().collect();
            let bases = Bases::default();
            self.waiting
                .extend(all.into_iter().rev().map(|pc| State { pc, bases }));
        }
        for (scalar, dst) in self.flushed.results().collect::<Vec<_>>() {
            self.push(Step::Uniform {
                op: FFlush,
                dst,
                src: [Src::Scalar(scalar), Src::Const(0), Src::Const(0)],
            });
        }
        if let Some(mask) = self.layout.mask {
            self.push(Step::Alu {
                op: Mov,
                dst: mask,
                src: [Src::Const(u32::MAX), Src::Const(0), Src::Const(0)],
            });
        }
        self.flush_items();
        self.waiting.push(State {
            pc: first,
            bases: Bases::default(),
        });
        while let Some(state) = self.waiting.pop() {
            let mut next = (!self.done.contains(&state)).then_some(state);
            while let Some(state) = next.take() {
                if self.done.contains(&state) {
                    let label = self.label(state);
                    self.b.branch(When::Always, label);
                    break;
                }
                next = self.state(state)?;
            }
        }
        let mut program = self.b.finish(self.scratch_end, self.scalars_end);
        program.temporaries = self.scratch_end - self.scratch_begin;
        program.per_wave = [ACTIVE, COVERED]
            .into_iter()
            .flat_map(|at| [at, at + 1])
            .collect();
        let lifted = Lifted {
            program,
            ports: self.ports,
            layout: self.layout,
            tasks: if self.facts.links { 1 } else { 2 },
            kills: self.kills,
            locks: !self.facts.locked.is_empty(),
            locked: self.locked,
            groups: self.groups.len() as u32,
        };
        Ok((lifted, self.flushed.corrected()))
    }

    pub(super) fn label(&mut self, state: State) -> Label {
        let id = self.labels.len() as u32;
        let b = &mut self.b;
        self.labels
            .entry(state)
            .or_insert_with(|| (b.label(), id))
            .0
    }

    /// A label of a state that will be lifted if it is not yet.
    pub(super) fn later(&mut self, state: State) -> Label {
        self.waiting.push(state);
        self.label(state)
    }

    /// The number of a state among the entries.
    pub(super) fn entry_of(&mut self, state: State) -> u32 {
        self.later(state);
        self.labels[&state].1
    }

    /// Groups up to the next place that control can come to from elsewhere.
    fn run_length(&self, pc: u32) -> u32 {
        let mut count = 0;
        for (at, (group, _)) in self.groups.range(pc..) {
            if count > 0 && self.facts.leaders.contains(at) {
                break;
            }
            count += 1;
            if crate::isa::ends(group) {
                break;
            }
        }
        count
    }

    /// Appends a group; gives the state after it unless control always goes elsewhere.
    fn state(&mut self, state: State) -> Result<Option<State>, LiftError> {
        if self.done.len() >= MAX_STATES {
            return Err(LiftError::TooLarge { limit: MAX_STATES });
        }
        let State { pc, bases } = state;
        let found = self.groups.get(&pc).copied();
        let (group, next) = found.ok_or(LiftError::Target { pc: pc.into() })?;
        self.done.insert(state);
        let label = self.label(state);
        self.b.place(label);
        (self.pc, self.bases) = (pc, bases);
        self.b.origin(Origin {
            pc,
            word: word(group),
        });
        let first = self.b.is_empty();
        let falls = self.fallen.take() == Some(state);
        if self.facts.leaders.contains(&pc) || first {
            // Behind a branch that nobody else comes to, what held before it still holds.
            let met = self.facts.targets.contains(&pc) || self.facts.meets.contains(&pc);
            if first || !falls || met || self.facts.links {
                self.forget();
            }
            if self.halves() && self.facts.meets.contains(&pc) {
                self.b.entry(1 << 32 | u64::from(self.labels[&state].1));
                self.meet(state);
            }
            if self.facts.links {
                self.b.entry(u64::from(pc));
            }
            let instructions = self.run_length(pc);
            self.b.push(Step::Tick { instructions });
        }
        let next = State { pc: next, bases };
        let next = self.group(group, next)?;
        if crate::isa::ends(group) {
            self.end();
            return Ok(None);
        }
        Ok(next)
    }

    /// A jump to the link address.
    pub(super) fn jump_to_link(&mut self) {
        self.flush_items();
        self.b.push(Step::Indirect { target: LINK });
    }
}

/// The first four bytes of a group.
fn word(group: &Group) -> u32 {
    let mut bytes = Vec::new();
    match group.encode(&mut bytes) {
        Ok(()) => crate::isa::first_word(&bytes),
        Err(_) => 0,
    }
}
