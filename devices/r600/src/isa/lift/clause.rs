//! ALU clauses.

use lanes::LaneOp::*;
use lanes::{Src, WideOp};

use super::super::alu::Sem;
use super::super::cf::{AluHead, Lock};
use super::super::group::{AluInst, Group, Operand, Source, Unit};
use super::super::words::{Elem, IndexMode, KcacheMode, PredSel};
use super::flow::Lifter;
use super::local::{Index, Local};
use super::operation::{address, compute, copy, modify, wide};
use super::{ACTIVE, Action, CLAUSE, Constant, FAILED, GROUP_PREDICATES, Kind, PREDICATE, VALID};

/// The constant that a locked line holds; none outside the lines or where they move with the loop index.
pub(super) fn locked(lock: Lock, index: u8, elem: Elem) -> Option<Constant> {
    let fits = u16::from(index) < lock.constants() && lock.mode != KcacheMode::LockLoopIndex;
    fits.then(|| Constant::Kcache {
        bank: lock.bank,
        index: u16::from(lock.line) * 16 + u16::from(index),
        elem,
    })
}

/// A clause being lifted.
struct Clause<'a> {
    head: &'a AluHead,
    group: &'a Group,
    /// Where PV.x to PV.w and PS are.
    previous: [Src; 5],
    /// Which of them later groups read.
    live: [bool; 5],
    /// The lanes that the execution mask stands for.
    running: PredSel,
    /// Lanes that the clause will turn off.
    failed: Failed,
    /// No group follows.
    last: bool,
}

/// Lanes that a clause turns off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// None.
    None,
    /// Those in FAILED.
    Some,
    /// The same, which are the lanes of the clause that are not in a pair.
    Others(u16),
}

/// What is left to do when all slots of a group have read.
enum Late {
    /// `row[to] = row[from]`
    Move { to: u16, from: u16 },
    /// A write with an index.
    Write(Local),
    /// A predicate in a pair is due.
    Predicate { pair: u16, inst: AluInst },
}

/// PV and PS elements that a group reads.
fn reads_previous(group: &Group) -> [bool; 5] {
    let mut read = [false; 5];
    for (_, inst) in group.insts() {
        for operand in inst.sources() {
            match operand.source() {
                Some(Source::Pv) => read[operand.elem as usize] = true,
                Some(Source::Ps) => read[4] = true,
                _ => {}
            }
        }
    }
    read
}

/// Elements of PV and PS that an instruction gives new values.
fn written(group: &Group, unit: Unit) -> [bool; 5] {
    let sem = group.slots[unit as usize].map(|inst| inst.facts().sem);
    match sem {
        None | Some(Sem::Nop | Sem::Mova(_)) => [false; 5],
        Some(Sem::Dot4(_) | Sem::Max4) if unit != Unit::X => [false; 5],
        _ => group.gives(unit),
    }
}

/// Elements of PV and PS that a group gives new values in every lane.
fn rewritten(group: &Group) -> [bool; 5] {
    let mut all = [false; 5];
    for (unit, inst) in group.insts() {
        if inst.pred_sel == PredSel::Off {
            let written = written(group, unit);
            all = std::array::from_fn(|at| all[at] | written[at]);
        }
    }
    all
}

/// For every group, which PV and PS elements are read after it before they are written again.
fn liveness(groups: &[Group]) -> Vec<[bool; 5]> {
    let mut live = [false; 5];
    let mut after = vec![live; groups.len()];
    for (group, after) in groups.iter().zip(&mut after).rev() {
        *after = live;
        let (rewritten, read) = (rewritten(group), reads_previous(group));
        live = std::array::from_fn(|at| live[at] && !rewritten[at] || read[at]);
    }
    after
}

/// The operation of an instruction with the signs of its operands folded into it as far as there is an operation for
/// that, which saves steps.
fn fold_signs(inst: &AluInst) -> (Sem, AluInst) {
    let mut plain = *inst;
    let [a, b, c] = inst.src.map(|operand| operand.neg);
    let sem = inst.facts().sem;
    let Sem::Alu(op) = sem else {
        return (sem, plain);
    };
    let (op, left) = match op {
        FAdd if b => (FSub, [a, false, false]),
        FAdd if a => {
            plain.src.swap(0, 1);
            (FSub, [false; 3])
        }
        FMul if a != b => (FMulNeg, [false; 3]),
        FMul => (FMul, [false; 3]),
        FMad if a != b => (FMadNeg, [false, false, c]),
        FMad if c => (FMadSub, [false; 3]),
        FMad => (FMad, [false; 3]),
        op => (op, [a, b, c]),
    };
    for (operand, neg) in plain.src.iter_mut().zip(left) {
        operand.neg = neg;
    }
    (Sem::Alu(op), plain)
}

impl Lifter<'_> {
    /// Appends the groups of a clause for the lanes that are active. Gives the lanes whose predicate turns them off.
    pub(super) fn clause(&mut self, head: &AluHead, groups: &[Group]) -> Failed {
        let predicated = groups
            .iter()
            .flat_map(|group| group.insts())
            .any(|(_, inst)| inst.pred_sel != PredSel::Off);
        if predicated {
            copy(&mut self.b, CLAUSE, ACTIVE);
            copy(&mut self.b, PREDICATE, ACTIVE);
        }
        let rows = self.rows;
        let mut previous = [0, 1, 2, 3, 4].map(|u| Src::Row(rows.previous(u)));
        let mut failed = Failed::None;
        let last = groups.len().saturating_sub(1);
        for (at, (group, live)) in groups.iter().zip(liveness(groups)).enumerate() {
            let mut clause = Clause {
                head,
                group,
                previous,
                live,
                running: PredSel::Off,
                failed,
                last: at == last,
            };
            self.group(&mut clause);
            (previous, failed) = (clause.previous, clause.failed);
        }
        failed
    }

    /// Makes the lanes of a predicate select the active ones.
    fn select_lanes(&mut self, clause: &mut Clause<'_>, wanted: PredSel) {
        if clause.running == wanted {
            return;
        }
        clause.running = wanted;
        match wanted {
            PredSel::Off => copy(&mut self.b, ACTIVE, CLAUSE),
            PredSel::One => wide(&mut self.b, WideOp::And64, ACTIVE, CLAUSE, PREDICATE),
            PredSel::Zero => wide(&mut self.b, WideOp::AndNot64, ACTIVE, CLAUSE, PREDICATE),
        }
    }

    fn group(&mut self, clause: &mut Clause<'_>) {
        let group = clause.group;
        // A result that stays beyond this group must not be another name for a register.
        for (unit, over) in rewritten(group).into_iter().enumerate() {
            let own = self.rows.previous(unit);
            if clause.live[unit] && !over && clause.previous[unit] != Src::Row(own) {
                self.b.alu(Mov, own, &[clause.previous[unit]]);
                clause.previous[unit] = Src::Row(own);
            }
        }
        let mut late = Vec::new();
        let mut next = clause.previous;
        let reduction = group.insts().find(|(_, inst)| inst.facts().is_reduction());
        if let Some((_, first)) = reduction {
            let vector = &group.slots[..4];
            let same = |slot: &Option<AluInst>| slot.is_some_and(|inst| inst.op == first.op);
            if !vector.iter().all(same) {
                let name = first.op.name();
                self.b
                    .trap(format!("{name} does not take all four vector slots"));
                return;
            }
            self.reduce(clause, &mut late, &mut next);
        }
        let first = if reduction.is_some() { 4 } else { 0 };
        let mut left: Vec<usize> = (first..5)
            .filter(|unit| group.slots[*unit].is_some())
            .collect();
        while !left.is_empty() {
            let unit = left.remove(self.next_slot(clause, &left));
            if let Some(inst) = &group.slots[unit] {
                self.select_lanes(clause, inst.pred_sel);
                self.slot(clause, (unit, &left), inst, &mut late, &mut next);
            }
        }
        // Predicates last: they must not change which lanes a result is written in.
        late.sort_by_key(|(_, action)| matches!(action, Late::Predicate { .. }));
        for (lanes, action) in late {
            self.select_lanes(clause, lanes);
            match action {
                Late::Move { to, from } => self.b.alu(Mov, to, &[Src::Row(from)]),
                Late::Write(local) => self.port(Action::Local(local)),
                Late::Predicate { pair, inst } => self.commit(clause, pair, &inst),
            }
        }
        self.select_lanes(clause, PredSel::Off);
        clause.previous = next;
    }

    /// Takes over a predicate that a group has computed.
    fn commit(&mut self, clause: &mut Clause<'_>, pair: u16, inst: &AluInst) {
        let b = &mut self.b;
        if inst.update_execute_mask {
            if clause.failed == Failed::None {
                wide(b, WideOp::AndNot64, FAILED, ACTIVE, pair);
            } else {
                wide(b, WideOp::AndNot64, FAILED, FAILED, ACTIVE);
                wide(b, WideOp::AndNot64, super::TEMP, ACTIVE, pair);
                wide(b, WideOp::Or64, FAILED, FAILED, super::TEMP);
            }
            // Later groups may use the pair for theirs.
            let stays = clause.last && clause.running == PredSel::Off;
            clause.failed = match clause.failed {
                Failed::None if stays => Failed::Others(pair),
                _ => Failed::Some,
            };
        }
        if inst.update_pred {
            if inst.pred_sel == PredSel::Off {
                copy(b, PREDICATE, pair);
            } else {
                wide(b, WideOp::AndNot64, PREDICATE, PREDICATE, ACTIVE);
                wide(b, WideOp::Or64, PREDICATE, PREDICATE, pair);
            }
        }
    }

    /// Which of some slots comes next: the first that writes nothing that another of them reads, if there is one.
    fn next_slot(&self, clause: &Clause<'_>, left: &[usize]) -> usize {
        let group = clause.group;
        let insts = || left.iter().filter_map(|unit| group.slots[*unit].as_ref());
        // Slots for different lanes stay in order, as lanes are selected for each.
        if insts().any(|inst| inst.pred_sel != PredSel::Off) {
            return 0;
        }
        let is_free = |(at, unit): (usize, &usize)| {
            let mut others = left.to_vec();
            others.remove(at);
            let inst = group.slots[*unit].as_ref()?;
            let target = Target::of(clause, self, (*unit, &others), inst);
            target.is_now(self, *unit).then_some(at)
        };
        left.iter().enumerate().find_map(is_free).unwrap_or(0)
    }

    /// One instruction that is no reduction; `after` are the slots that come after it.
    fn slot(
        &mut self,
        clause: &Clause<'_>,
        (unit, after): (usize, &[usize]),
        inst: &AluInst,
        late: &mut Vec<(PredSel, Late)>,
        next: &mut [Src; 5],
    ) {
        let facts = inst.facts();
        if facts.sem == Sem::Nop {
            return;
        }
        let lanes = inst.pred_sel;
        let mut src = [Src::Const(0); 3];
        let spare = self.rows.spare();
        let result = self.rows.result(unit);
        if let Sem::Mova(op) = facts.sem {
            let source = self.operand(clause, inst, 0);
            address(&mut self.b, op, source, result);
            let to = self.rows.address(inst.elem as usize);
            late.push((lanes, Late::Move { to, from: result }));
            return;
        }
        let target = Target::of(clause, self, (unit, after), inst);
        let predicate = GROUP_PREDICATES + 2 * unit as u16;
        let updates = facts.is_predicate() && (inst.update_pred || inst.update_execute_mask);
        let kills = facts.is_kill() && self.setup.kind == Kind::Pixel;
        if target.unused() && !updates && !kills {
            return;
        }
        let (sem, inst) = &fold_signs(inst);
        for (at, src) in src.iter_mut().enumerate().take(inst.sources().len()) {
            *src = self.operand(clause, inst, at);
        }
        let dst = (!target.unused()).then(|| target.row(self, unit));
        let lanes_of_mask = super::LANES + 2 * (self.masks % super::LANE_PAIRS);
        self.masks = self.masks.wrapping_add(1);
        let pairs = (predicate, lanes_of_mask);
        compute(&mut self.b, *sem, src, dst, pairs, spare);
        if kills {
            wide(&mut self.b, WideOp::AndNot64, VALID, VALID, predicate);
        }
        if let Some(dst) = dst {
            modify(&mut self.b, inst.omod, inst.clamp, dst);
            target.finish(self, inst, dst, late, next);
        }
        if updates {
            let action = Late::Predicate {
                pair: predicate,
                inst: *inst,
            };
            late.push((lanes, action));
        }
    }

    /// The four vector slots of DOT4, MAX4 or CUBE.
    fn reduce(
        &mut self,
        clause: &mut Clause<'_>,
        late: &mut Vec<(PredSel, Late)>,
        next: &mut [Src; 5],
    ) {
        let insts = [0, 1, 2, 3].map(|unit| clause.group.slots[unit]);
        let [Some(x), Some(y), Some(z), Some(w)] = insts else {
            return;
        };
        let insts = [x, y, z, w];
        let results: [u16; 4] = [0, 1, 2, 3].map(|unit| self.rows.result(unit));
        let rows = results.map(Src::Row);
        match x.facts().sem {
            Sem::Dot4(product) => {
                for (unit, inst) in insts.iter().enumerate() {
                    let a = self.operand(clause, inst, 0);
                    let b = self.operand(clause, inst, 1);
                    self.b.alu(product, results[unit], &[a, b]);
                }
                let sum = results[3];
                for unit in [2, 1, 0] {
                    self.b.alu(FAdd, sum, &[Src::Row(sum), rows[unit]]);
                }
                for unit in [0, 1, 2] {
                    self.b.alu(Mov, results[unit], &[Src::Row(sum)]);
                }
            }
            Sem::Max4 => {
                let largest = results[0];
                for (unit, inst) in insts.iter().enumerate() {
                    let a = self.operand(clause, inst, 0);
                    match unit {
                        0 => self.b.alu(Mov, largest, &[a]),
                        _ => self.b.alu(FMaxLegacy, largest, &[Src::Row(largest), a]),
                    }
                }
                for unit in [1, 2, 3] {
                    self.b.alu(Mov, results[unit], &[Src::Row(largest)]);
                }
            }
            _ => {
                // Sources are R.zzxy and R.yxzz: Y has x in its second, X has y there, Z has z.
                let axes: [u16; 3] = [0, 1, 2].map(|at| self.rows.axis(at));
                for (at, inst) in [&y, &x, &z].into_iter().enumerate() {
                    let value = self.operand(clause, inst, 1);
                    self.b.alu(Mov, axes[at], &[value]);
                }
                let axes = axes.map(Src::Row);
                for (op, row) in [CubeTc, CubeSc, CubeMa, CubeId].into_iter().zip(results) {
                    self.b.alu(op, row, &axes);
                }
            }
        }
        for (unit, inst) in insts.iter().enumerate() {
            let row = results[unit];
            self.select_lanes(clause, inst.pred_sel);
            // The face number is an integer that scale and clamp leave alone.
            if !(unit == 3 && x.facts().sem == Sem::Cube) {
                modify(&mut self.b, inst.omod, inst.clamp, row);
            }
            let lanes = inst.pred_sel;
            if inst.write && inst.dst_rel {
                late.push((lanes, Late::Write(self.write(inst, row))));
            } else if let Some(to) = self.setup.row(inst.dst, inst.elem).filter(|_| inst.write) {
                late.push((lanes, Late::Move { to, from: row }));
            }
            let previous = self.rows.previous(unit);
            if clause.live[unit] && (unit == 0 || x.facts().sem == Sem::Cube) {
                let to = previous;
                late.push((lanes, Late::Move { to, from: row }));
                next[unit] = Src::Row(previous);
            }
        }
        self.select_lanes(clause, PredSel::Off);
    }

    /// The indexed write of an instruction's result.
    fn write(&self, inst: &AluInst, src: u16) -> Local {
        Local::WriteGpr {
            src,
            gpr: inst.dst,
            elem: inst.elem,
            index: self.gpr_index(inst),
        }
    }

    /// Registers are indexed by AR.x whichever element INDEX_MODE names. [R600 4.6]
    fn gpr_index(&self, inst: &AluInst) -> Index {
        match inst.index_mode {
            IndexMode::Loop => Index::Loop,
            _ => Index::Row(self.rows.address(0)),
        }
    }

    /// The rows that an operand reads: one, or all registers.
    fn rows_read(&self, clause: &Clause<'_>, operand: &Operand) -> Read {
        let row = |src| match src {
            Src::Row(row) => Read::Row(row),
            _ => Read::None,
        };
        match operand.source() {
            Some(Source::Gpr(_)) if operand.rel => Read::Registers,
            Some(Source::Gpr(gpr)) => self
                .setup
                .row(gpr, operand.elem)
                .map_or(Read::None, Read::Row),
            Some(Source::Pv) => row(clause.previous[operand.elem as usize]),
            Some(Source::Ps) => row(clause.previous[4]),
            _ => Read::None,
        }
    }

    /// The value of an instruction's operand `at`, modifiers applied.
    fn operand(&mut self, clause: &Clause<'_>, inst: &AluInst, at: usize) -> Src {
        let operand = inst.src[at];
        let scratch = self.rows.operand(at);
        let value = self.raw_operand(clause, inst, &operand, scratch);
        if let Src::Const(mut bits) = value {
            bits &= if operand.abs { 0x7fff_ffff } else { u32::MAX };
            return Src::Const(bits ^ if operand.neg { 1 << 31 } else { 0 });
        }
        match (operand.abs, operand.neg) {
            (false, false) => return value,
            (false, true) => self.b.alu(FNeg, scratch, &[value]),
            (true, false) => self.b.alu(FAbs, scratch, &[value]),
            (true, true) => self.b.alu(Or, scratch, &[value, Src::Const(1 << 31)]),
        }
        Src::Row(scratch)
    }

    fn raw_operand(
        &mut self,
        clause: &Clause<'_>,
        inst: &AluInst,
        operand: &Operand,
        scratch: u16,
    ) -> Src {
        let elem = operand.elem;
        let local = match (operand.source(), operand.rel) {
            (Some(Source::Gpr(gpr)), false) => {
                return self.setup.row(gpr, elem).map_or(Src::Const(0), Src::Row);
            }
            (Some(Source::Gpr(gpr)), true) => Local::ReadGpr {
                dst: scratch,
                gpr,
                elem,
                index: self.gpr_index(inst),
            },
            (Some(Source::File(index)), false) => {
                return self.constant(Constant::File { index, elem });
            }
            (Some(Source::File(constant)), true) => Local::ReadFile {
                dst: scratch,
                constant,
                elem,
                index: match inst.index_mode {
                    IndexMode::Loop => Index::Loop,
                    mode => Index::Row(self.rows.address(mode as usize)),
                },
            },
            (Some(Source::Kcache { group, index }), relative) => {
                let lock = clause.head.locks()[usize::from(group)];
                if !relative && lock.mode != KcacheMode::LockLoopIndex {
                    let constant = locked(lock, index, elem);
                    return constant.map_or(Src::Const(0), |constant| self.constant(constant));
                }
                Local::ReadKcache {
                    dst: scratch,
                    lock,
                    constant: index,
                    elem,
                    relative,
                }
            }
            (Some(Source::Zero) | None, _) => return Src::Const(0),
            (Some(Source::One), _) => return Src::Const(1f32.to_bits()),
            (Some(Source::IntOne), _) => return Src::Const(1),
            (Some(Source::IntMinusOne), _) => return Src::Const(u32::MAX),
            (Some(Source::Half), _) => return Src::Const(0.5f32.to_bits()),
            (Some(Source::Literal), _) => return Src::Const(clause.group.literals[elem as usize]),
            (Some(Source::Pv), _) => return clause.previous[elem as usize],
            (Some(Source::Ps), _) => return clause.previous[4],
        };
        self.port(Action::Local(local));
        Src::Row(scratch)
    }

    fn constant(&self, constant: Constant) -> Src {
        let slot = self.constants.get(&constant);
        slot.map_or(Src::Const(0), |slot| Src::Scalar(*slot))
    }
}

/// What an operand reads.
#[derive(Clone, Copy, PartialEq)]
enum Read {
    None,
    Row(u16),
    Registers,
}

/// Where the result of a slot goes.
struct Target {
    /// Row of its register.
    register: Option<u16>,
    /// Written with an index.
    relative: bool,
    /// Elements of PV and PS that get the result and are read later.
    previous: [bool; 5],
    /// The row of the register may be written at once.
    register_now: bool,
    /// The row of PV or PS may be written at once.
    previous_now: bool,
    /// Until the next group the register's row holds PV or PS too.
    alias: bool,
}

impl Target {
    /// Of an instruction that comes before those of some other slots.
    fn of(
        clause: &Clause<'_>,
        lifter: &Lifter<'_>,
        (unit, after): (usize, &[usize]),
        inst: &AluInst,
    ) -> Target {
        let setup = lifter.setup;
        let register = setup
            .row(inst.dst, inst.elem)
            .filter(|_| inst.write && !inst.dst_rel);
        // Rows that a later slot reads have to wait.
        let waits = |row: u16| {
            let later = after
                .iter()
                .filter_map(|at| clause.group.slots[*at].as_ref());
            later.flat_map(|inst| inst.sources()).any(|operand| {
                match lifter.rows_read(clause, operand) {
                    Read::None => false,
                    Read::Row(read) => read == row,
                    Read::Registers => row < lifter.rows.first(),
                }
            })
        };
        let others = || {
            let slots = clause.group.slots.iter().enumerate();
            slots.filter_map(|(at, slot)| slot.as_ref().filter(|_| at != unit))
        };
        let shared = register.is_some()
            && others().any(|other| {
                other.write && !other.dst_rel && setup.row(other.dst, other.elem) == register
            });
        let written = written(clause.group, Unit::ALL[unit]);
        let previous: [bool; 5] = std::array::from_fn(|at| written[at] && clause.live[at]);
        let first = previous.iter().position(|live| *live);
        let indexed = others().any(|other| other.write && other.dst_rel);
        Target {
            register,
            relative: inst.write && inst.dst_rel,
            previous,
            register_now: register.is_some_and(|row| !shared && !indexed && !waits(row)),
            previous_now: first.is_some_and(|at| !waits(lifter.rows.previous(at))),
            alias: !shared && !indexed && inst.pred_sel == PredSel::Off,
        }
    }

    /// Whether the result goes straight to where it belongs.
    fn is_now(&self, lifter: &Lifter<'_>, unit: usize) -> bool {
        self.unused() || self.row(lifter, unit) != lifter.rows.result(unit)
    }

    /// Whether nobody reads the result.
    fn unused(&self) -> bool {
        self.register.is_none() && !self.relative && self.previous == [false; 5]
    }

    /// The row that the result is computed in.
    fn row(&self, lifter: &Lifter<'_>, unit: usize) -> u16 {
        match self.register {
            Some(row) if self.register_now => row,
            None if !self.relative && self.previous_now => {
                let first = self.previous.iter().position(|live| *live);
                lifter.rows.previous(first.unwrap_or(unit))
            }
            _ => lifter.rows.result(unit),
        }
    }

    /// Takes the result from that row to the others.
    fn finish(
        &self,
        lifter: &mut Lifter<'_>,
        inst: &AluInst,
        from: u16,
        late: &mut Vec<(PredSel, Late)>,
        next: &mut [Src; 5],
    ) {
        let lanes = inst.pred_sel;
        if self.relative {
            late.push((lanes, Late::Write(lifter.write(inst, from))));
        }
        if let Some(to) = self.register.filter(|to| *to != from) {
            late.push((lanes, Late::Move { to, from }));
        }
        for at in (0..5).filter(|at| self.previous[*at]) {
            let own = lifter.rows.previous(at);
            next[at] = match self.register {
                Some(row) if self.alias => Src::Row(row),
                _ => Src::Row(own),
            };
            if next[at] == Src::Row(own) && from != own {
                late.push((lanes, Late::Move { to: own, from }));
            }
        }
    }
}
