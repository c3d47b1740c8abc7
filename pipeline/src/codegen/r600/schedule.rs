//! Instructions of each block packed into groups and clauses.
//!
//! A list scheduler: of what is ready, that which the most waits for goes first. Fetches are collected: as long as
//! arithmetic is ready that another fetch needs, they wait. An element is chosen for a result when it gets its slot, so
//! register allocation afterwards only chooses registers. Two units read in one group live at the same time and thus lie
//! in different registers wherever their elements are the same: read ports are exact here although registers are not yet
//! known.

use r600::isa::alu::{AluOp, Op2, Units};

use super::group::{self, Forward, Locks, Read, Slot, Slots, TRANS};
use super::machine::{Alu, Code, From, Inst, Operand, Relative, Unit};
use crate::codegen::regalloc::{Bits, Instruction, Liveness};

/// 64-bit slots of an ALU clause.
const CLAUSE_SLOTS: usize = 128;
/// Fetches of a clause.
const CLAUSE_FETCHES: usize = 8;
/// Room that a clause must have for an index register and what reads it.
const INDEX_ROOM: usize = 32;
/// How far ahead of the first instruction that is left another may go.
pub const WINDOW: usize = 200;
/// The same where many units are alive, and how many are.
pub const NARROW: usize = 16;
const MANY: usize = 300;
/// Groups that a fetch is worth.
const FETCH_HEIGHT: u32 = 20;

/// A group of a clause.
#[derive(Clone, Debug)]
pub struct Group {
    /// Slots; `node` is the number of the instruction in its block.
    pub slots: Slots,
    /// MOVA in slot X: its operand.
    pub index: Option<Operand>,
}

/// A clause, or an instruction of the control flow.
#[derive(Clone, Debug)]
pub enum Clause {
    /// Arithmetic.
    Alu {
        /// Groups.
        groups: Vec<Group>,
        /// Locked constants.
        locks: Locks,
        /// The last group sets the predicate of a branch.
        branches: bool,
    },
    /// Fetches: numbers of the instructions.
    Fetch(Vec<usize>),
    /// An export, an access to memory, a vertex emitted.
    Other(usize),
}

/// Schedules every block, in order. An instruction may go as far ahead of the first that is left as the window says.
pub fn schedule(code: &mut Code, liveness: &Liveness, window: usize) -> Vec<Vec<Clause>> {
    (0..code.blocks.len())
        .map(|block| {
            let insts = std::mem::take(&mut code.blocks[block].insts);
            let clauses = Scheduler::new(code, &insts, liveness.at_end(block), window)
                .run(liveness.at_start(block));
            code.blocks[block].insts = insts;
            clauses
        })
        .collect()
}

/// What an instruction is to the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Alu,
    /// Sets the predicate: last of all.
    Predicate,
    /// Last of its clause.
    Kill,
    Fetch,
    Other,
}

struct Node {
    kind: Kind,
    /// Instructions that wait for this one, and groups from it to them.
    next: Vec<(usize, u32)>,
    /// Instructions that this one waits for.
    pending: u32,
    /// First group it may be in.
    earliest: u32,
    /// Length of what waits for it.
    height: u32,
    /// A fetch waits for it.
    leads: bool,
    done: bool,
}

struct Scheduler<'a> {
    code: &'a mut Code,
    insts: &'a [Inst],
    nodes: Vec<Node>,
    left: usize,
    /// First instruction that is not done.
    first: usize,
    clauses: Vec<Clause>,
    /// The ALU clause being made.
    groups: Vec<Group>,
    locks: Locks,
    used: usize,
    /// Number of the group being made.
    now: u32,
    /// Results of the group before.
    forward: Vec<(Unit, Forward)>,
    /// A relative access whose index is in AR.
    indexed: Option<(usize, u32)>,
    /// Reads left of each unit in the block, and whether it is read after.
    reads: Vec<u32>,
    live_out: &'a Bits,
    window: usize,
    alive: Vec<bool>,
    live: usize,
    /// Live units by element.
    load: [u32; 4],
}

fn kind(inst: &Inst) -> Kind {
    match inst {
        Inst::Alu(alu) => {
            let facts = alu.op.facts();
            match facts.sem {
                r600::isa::alu::Sem::Kill(_) => Kind::Kill,
                _ if facts.is_predicate() => Kind::Predicate,
                _ => Kind::Alu,
            }
        }
        Inst::Fetch(_) => Kind::Fetch,
        Inst::Export(..) | Inst::Memory(_) | Inst::Emit { .. } | Inst::End => Kind::Other,
    }
}

impl<'a> Scheduler<'a> {
    fn new(
        code: &'a mut Code,
        insts: &'a [Inst],
        live_out: &'a Bits,
        window: usize,
    ) -> Scheduler<'a> {
        let units = code.homes.len();
        let mut nodes: Vec<Node> = insts
            .iter()
            .map(|inst| Node {
                kind: kind(inst),
                next: Vec::new(),
                pending: 0,
                earliest: 0,
                height: 1,
                leads: false,
                done: false,
            })
            .collect();
        let mut writer: Vec<Option<usize>> = vec![None; units];
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); units];
        let mut reads = vec![0u32; units];
        let mut other = None;
        for (at, inst) in insts.iter().enumerate() {
            let mut edges: Vec<(usize, u32)> = Vec::new();
            inst.each_read(|unit| {
                reads[unit as usize] += 1;
                if let Some(from) = writer[unit as usize] {
                    // What was written through an index may not be read in the very next group.
                    let indexed = matches!(&insts[from], Inst::Alu(alu) if alu.relative.is_some() && alu.dst.is_none());
                    edges.push((from, if indexed { 2 } else { 1 }));
                }
            });
            inst.each_write(|unit| {
                let unit = unit as usize;
                edges.extend(readers[unit].drain(..).map(|reader| (reader, 0)));
                if let Some(from) = writer[unit] {
                    edges.push((from, 1));
                }
            });
            inst.each_read(|unit| readers[unit as usize].push(at));
            inst.each_write(|unit| writer[unit as usize] = Some(at));
            if nodes[at].kind == Kind::Other {
                edges.extend(other.map(|before| (before, 0)));
                other = Some(at);
            }
            edges.sort_unstable();
            edges.dedup();
            for (from, groups) in edges {
                if from != at {
                    nodes[from].next.push((at, groups));
                    nodes[at].pending += 1;
                }
            }
        }
        for at in (0..nodes.len()).rev() {
            let own = match nodes[at].kind {
                Kind::Fetch => FETCH_HEIGHT,
                _ => 1,
            };
            let mut height = 0;
            let mut leads = false;
            for &(next, groups) in &nodes[at].next {
                height = height.max(nodes[next].height * groups.min(1));
                leads |= groups > 0 && (nodes[next].leads || nodes[next].kind == Kind::Fetch);
            }
            nodes[at].height = own + height;
            nodes[at].leads = leads;
        }
        let left = nodes.len();
        Scheduler {
            code,
            insts,
            nodes,
            left,
            first: 0,
            clauses: Vec::new(),
            groups: Vec::new(),
            locks: Locks::default(),
            used: 0,
            now: 0,
            forward: Vec::new(),
            indexed: None,
            reads,
            live_out,
            window,
            alive: vec![false; units],
            live: 0,
            load: [0; 4],
        }
    }

    fn run(mut self, live_in: &Bits) -> Vec<Clause> {
        for unit in 0..self.alive.len() {
            if live_in.has(unit as Unit) {
                self.fix_elem(unit as Unit);
                self.born(unit as Unit);
            }
        }
        while self.left > 0 {
            if self.indexed.is_none() && self.wants_fetch() {
                self.fetch_clause();
            } else if self.group() {
                continue;
            } else if !self.groups.is_empty() && self.indexed.is_none() {
                self.close();
            } else if self.is_ready(Kind::Fetch) {
                self.fetch_clause();
            } else if let Some(at) = self.ready(Kind::Other) {
                self.clauses.push(Clause::Other(at));
                self.finish(at);
                self.now += 1;
            } else {
                // Nothing but time passes.
                self.now += 1;
            }
        }
        self.close();
        self.clauses
    }

    fn window(&self) -> usize {
        self.first
            + if self.live > MANY {
                NARROW
            } else {
                self.window
            }
    }

    fn ready(&self, kind: Kind) -> Option<usize> {
        let last = self.nodes.len().min(self.window());
        (self.first..last).find(|&at| {
            let node = &self.nodes[at];
            !node.done && node.kind == kind && node.pending == 0
        })
    }

    fn is_ready(&self, kind: Kind) -> bool {
        self.ready(kind).is_some()
    }

    /// Whether fetches are ready, and enough of them, or none would follow soon.
    fn wants_fetch(&self) -> bool {
        let last = self.nodes.len().min(self.window());
        let ready = |at: &usize| {
            let node = &self.nodes[*at];
            !node.done && node.pending == 0
        };
        let (mut parts, mut more) = (0, false);
        for at in (self.first..last).filter(ready) {
            match &self.insts[at] {
                Inst::Fetch(found) => parts += found.len(),
                _ => more |= self.nodes[at].leads,
            }
        }
        parts > 0 && (!more || parts >= CLAUSE_FETCHES)
    }

    fn fetch_clause(&mut self) {
        self.close();
        let last = self.nodes.len().min(self.window());
        let (mut chosen, mut parts) = (Vec::new(), 0);
        let mut vertex = None;
        for at in self.first..last {
            let node = &self.nodes[at];
            let Inst::Fetch(found) = &self.insts[at] else {
                continue;
            };
            if node.done || node.pending > 0 || parts + found.len() > CLAUSE_FETCHES {
                continue;
            }
            let kind = matches!(found[0].inst, r600::isa::fetch::Fetch::Vtx(_));
            if vertex.is_some_and(|v| v != kind) {
                continue;
            }
            vertex = Some(kind);
            parts += found.len();
            chosen.push(at);
        }
        for &at in &chosen {
            self.finish(at);
        }
        self.now += 2;
        self.clauses.push(Clause::Fetch(chosen));
    }

    /// Ends the ALU clause.
    fn close(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        let groups = std::mem::take(&mut self.groups);
        let locks = std::mem::take(&mut self.locks);
        let last = groups.last();
        let branches = last.is_some_and(|group| {
            let slots = group.slots.iter().flatten();
            slots
                .map(|slot| slot.node)
                .any(|node| node < self.nodes.len() && self.nodes[node].kind == Kind::Predicate)
        });
        self.clauses.push(Clause::Alu {
            groups,
            locks,
            branches,
        });
        self.used = 0;
        self.now += 2;
        self.forward.clear();
    }

    fn is_live_out(&self, unit: Unit) -> bool {
        self.live_out.has(unit)
    }

    fn born(&mut self, unit: Unit) {
        if !std::mem::replace(&mut self.alive[unit as usize], true) {
            self.live += 1;
            if let Some(elem) = self.code.homes[unit as usize].elem {
                self.load[usize::from(elem)] += 1;
            }
        }
    }

    fn dead(&mut self, unit: Unit) {
        if std::mem::replace(&mut self.alive[unit as usize], false) {
            self.live -= 1;
            if let Some(elem) = self.code.homes[unit as usize].elem {
                let load = &mut self.load[usize::from(elem)];
                *load = load.saturating_sub(1);
            }
        }
    }

    /// Notes that an instruction is done, in the group being made.
    fn finish(&mut self, at: usize) {
        let insts = self.insts;
        let mut touched = Vec::new();
        insts[at].each_read(|unit| touched.push((unit, false)));
        insts[at].each_write(|unit| touched.push((unit, true)));
        for (unit, write) in touched {
            if write {
                self.fix_elem(unit);
                if self.reads[unit as usize] > 0 || self.is_live_out(unit) {
                    self.born(unit);
                }
            } else {
                self.reads[unit as usize] -= 1;
                if self.reads[unit as usize] == 0 && !self.is_live_out(unit) {
                    self.dead(unit);
                }
            }
        }
        let next = std::mem::take(&mut self.nodes[at].next);
        for &(to, groups) in &next {
            let node = &mut self.nodes[to];
            node.pending -= 1;
            node.earliest = node.earliest.max(self.now + groups);
        }
        self.nodes[at].done = true;
        self.left -= 1;
        while self.first < self.nodes.len() && self.nodes[self.first].done {
            self.first += 1;
        }
    }

    // ---- elements ----

    /// Elements that a unit may have: those that others of its vector do not.
    fn allowed(&self, unit: Unit) -> [bool; 4] {
        let home = self.code.homes[unit as usize];
        if let Some(elem) = home.elem {
            return [0, 1, 2, 3].map(|at| at == elem);
        }
        let mut allowed = [true; 4];
        if let Some(vector) = home.vector {
            for &other in &self.code.vectors[vector as usize].units {
                if let Some(elem) = self.code.homes[other as usize].elem {
                    allowed[usize::from(elem)] = false;
                }
            }
        }
        allowed
    }

    /// Gives a unit its element for good. All elements of an array have the same.
    fn set_elem(&mut self, unit: Unit, elem: u8) {
        let array = self.code.array_of(unit);
        for unit in array.map_or(unit..unit + 1, |array| array.units()) {
            self.code.homes[unit as usize].elem = Some(elem);
        }
    }

    /// The element of a unit, now if it has none yet.
    fn fix_elem(&mut self, unit: Unit) -> u8 {
        if let Some(elem) = self.code.homes[unit as usize].elem {
            return elem;
        }
        let allowed = self.allowed(unit);
        let best = (0..4u8)
            .filter(|&e| allowed[usize::from(e)])
            .min_by_key(|&e| self.load[usize::from(e)]);
        let elem = best.unwrap_or(0);
        self.set_elem(unit, elem);
        elem
    }

    // ---- groups ----

    /// Makes one group; whether anything went into it.
    fn group(&mut self) -> bool {
        let mut slots: Slots = Default::default();
        let mut group = Group {
            slots: Default::default(),
            index: None,
        };
        let mut locks = self.locks;
        let mut placed = Vec::new();
        let mut tried = vec![];
        let (mut ends, mut result_of) = (false, Vec::new());
        let mut uses_index = false;
        // The access whose index is ready comes first.
        if let Some((at, from)) = self.indexed
            && from <= self.now
            && self.place(at, &mut slots, &mut locks, &mut result_of)
        {
            self.indexed = None;
            uses_index = true;
            self.finish(at);
            placed.push(at);
        }
        while let Some(at) = self.best(&tried) {
            tried.push(at);
            let relative = matches!(&self.insts[at], Inst::Alu(alu) if alu.relative.is_some());
            if relative {
                let busy = uses_index || self.indexed.is_some() || slots[0].is_some();
                if busy || self.used + INDEX_ROOM > CLAUSE_SLOTS {
                    continue;
                }
                if let Some(operand) = self.place_index(at, &mut slots, &mut locks) {
                    group.index = Some(operand);
                    self.indexed = Some((at, self.now + 2));
                    placed.push(at);
                }
                continue;
            }
            let kind = self.nodes[at].kind;
            if matches!(kind, Kind::Predicate | Kind::Kill) && (ends || self.indexed.is_some()) {
                continue;
            }
            if self.place(at, &mut slots, &mut locks, &mut result_of) {
                ends |= kind != Kind::Alu;
                self.finish(at);
                placed.push(at);
                if slots.iter().all(Option::is_some) {
                    break;
                }
            }
        }
        if placed.is_empty() {
            if self.indexed.is_none() {
                return false;
            }
            // A group must pass before the index is read.
            slots[1] = Some(Slot {
                node: usize::MAX,
                part: 0,
                elem: 1,
                reads: Vec::new(),
                swizzle: 0,
            });
        }
        self.used += group::size(&slots);
        self.locks = locks;
        self.forward = result_of;
        group.slots = slots;
        self.groups.push(group);
        self.now += 1;
        let full = self.used + 7 > CLAUSE_SLOTS && self.indexed.is_none();
        if ends || full {
            self.close();
        }
        true
    }

    /// The instruction to try next.
    fn best(&self, tried: &[usize]) -> Option<usize> {
        let last = self.nodes.len().min(self.window());
        let crowded = self.live > MANY;
        let mut best: Option<(usize, (bool, u32))> = None;
        for at in self.first..last {
            let node = &self.nodes[at];
            if node.done || node.pending > 0 || node.earliest > self.now || tried.contains(&at) {
                continue;
            }
            match node.kind {
                Kind::Alu | Kind::Kill => {}
                // With what is left of the block, or after it.
                Kind::Predicate if self.left > 1 => continue,
                Kind::Predicate => {}
                Kind::Fetch | Kind::Other => continue,
            }
            if self.indexed.is_some_and(|(other, _)| other == at) {
                continue;
            }
            // A kill ends its clause, so others go first.
            let key = (
                node.kind == Kind::Alu,
                if crowded { 0 } else { node.height },
            );
            if best.is_none_or(|(_, other)| key > other) {
                best = Some((at, key));
            }
        }
        best.map(|(at, _)| at)
    }

    fn read(&self, operand: &Operand) -> Read {
        if let Some(read) = group::constant(operand) {
            return read;
        }
        let From::Unit(unit) = operand.from else {
            return Read::Word(0);
        };
        if let Some((_, forward)) = self.forward.iter().find(|(other, _)| *other == unit) {
            return Read::Forward(*forward);
        }
        Read::Register(unit, self.code.homes[unit as usize].elem.unwrap_or(0))
    }

    /// Operands of a part of an instruction.
    fn reads(&mut self, alu: &Alu, part: u8) -> Vec<Read> {
        for operand in &alu.src {
            if let Some(unit) = operand.read() {
                self.fix_elem(unit);
            }
        }
        if alu.cube.is_some() {
            return group::cube_operands(alu, part)
                .iter()
                .map(|operand| self.read(operand))
                .collect();
        }
        match alu.relative {
            Some(Relative::Load(array)) => {
                let elem = self.fix_elem(array.first);
                // A register of its own, as far as ports go.
                vec![Read::Register(u32::MAX - array.first, elem)]
            }
            Some(Relative::Store(_)) => vec![self.read(&alu.src[0])],
            None => alu.src.iter().map(|operand| self.read(operand)).collect(),
        }
    }

    /// Puts MOVA of a relative access into slot X.
    fn place_index(&mut self, at: usize, slots: &mut Slots, locks: &mut Locks) -> Option<Operand> {
        let Inst::Alu(alu) = &self.insts[at] else {
            return None;
        };
        let operand = alu.src[1];
        if let Some(unit) = operand.read() {
            self.fix_elem(unit);
        }
        let mut with = slots.clone();
        with[0] = Some(Slot {
            node: at,
            part: u8::MAX,
            elem: 0,
            reads: vec![self.read(&operand)],
            swizzle: 0,
        });
        let mut more = *locks;
        if !group::fits(&mut with, &mut more) {
            return None;
        }
        *slots = with;
        *locks = more;
        Some(operand)
    }

    /// Puts an instruction into the group, if there is a place for it.
    fn place(
        &mut self,
        at: usize,
        slots: &mut Slots,
        locks: &mut Locks,
        result_of: &mut Vec<(Unit, Forward)>,
    ) -> bool {
        let insts = self.insts;
        let Inst::Alu(alu) = &insts[at] else {
            return false;
        };
        if alu.cube.is_some() {
            return self.place_cube(at, alu, slots, locks, result_of);
        }
        let facts = alu.op.facts();
        let reads = self.reads(alu, 0);
        let taken: [bool; 5] = std::array::from_fn(|i| slots[i].is_some());
        let target = match alu.relative {
            Some(Relative::Store(array)) => Some(array.first),
            _ => alu.dst,
        };
        let mut allowed = [true; 4];
        if let Some(unit) = target {
            allowed = self.allowed(unit);
        }
        let mut elems: Vec<u8> = (0..4).filter(|&e| allowed[usize::from(e)]).collect();
        elems.sort_by_key(|&e| {
            let vector = taken[usize::from(e)] && facts.units != Units::Trans;
            (vector, self.load[usize::from(e)])
        });
        for elem in elems {
            let Some(slot) = group::places(facts, elem, &taken) else {
                continue;
            };
            let mut with = slots.clone();
            with[slot] = Some(Slot {
                node: at,
                part: 0,
                elem,
                reads: reads.clone(),
                swizzle: 0,
            });
            let mut more = *locks;
            if self.used + group::size(&with) > CLAUSE_SLOTS || !group::fits(&mut with, &mut more) {
                continue;
            }
            *slots = with;
            *locks = more;
            if let Some(unit) = target {
                self.set_elem(unit, elem);
            }
            if let Some(unit) = alu.dst {
                let forward = match slot {
                    TRANS => Forward::Ps,
                    _ => Forward::Pv(elem),
                };
                result_of.push((unit, forward));
            }
            return true;
        }
        false
    }

    fn place_cube(
        &mut self,
        at: usize,
        alu: &Alu,
        slots: &mut Slots,
        locks: &mut Locks,
        result_of: &mut Vec<(Unit, Forward)>,
    ) -> bool {
        if slots[..TRANS].iter().any(Option::is_some) {
            return false;
        }
        let mut with = slots.clone();
        for part in 0..4u8 {
            with[usize::from(part)] = Some(Slot {
                node: at,
                part,
                elem: part,
                reads: self.reads(alu, part),
                swizzle: 0,
            });
        }
        let mut more = *locks;
        if self.used + group::size(&with) > CLAUSE_SLOTS || !group::fits(&mut with, &mut more) {
            return false;
        }
        *slots = with;
        *locks = more;
        for part in 0..4u8 {
            if let Some(unit) = group::written(alu, part) {
                result_of.push((unit, Forward::Pv(part)));
            }
        }
        true
    }
}

/// The opcode that fills a group in which nothing else is ready.
pub const FILLER: AluOp = AluOp::Op2(Op2::NOP);
