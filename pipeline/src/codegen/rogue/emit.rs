//! Groups to bytes: registers for units, waits for what comes late, branches.

use ::rogue::isa::Body as IsaBody;
use ::rogue::isa::control::{BranchLanes, Cnd, CndIf, Control, Mutex};
use ::rogue::isa::{
    Bank, Condition, Group, IndexedBank, Main as IsaMain, Register, RuleError, align, check,
    phase2::Phase2,
};

use super::machine::{
    Access, Bits, Block, Body, COUNTER, Code, Dst, INDEX, Inst, Main, Operand, Unit, When,
};
use super::wait::Waits;
use crate::codegen::regalloc::Assignment;
use crate::codegen::{Result, Stats};
use crate::ir::Origin;

/// Machine code.
pub(super) struct Emitted {
    pub bytes: Vec<u8>,
    /// Words and where they come from.
    pub places: Vec<(u32, Origin)>,
}

/// Why code cannot be encoded.
pub(super) type Refused = String;

/// Encodes a program.
pub(super) struct Emitter<'a> {
    pub code: &'a Code,
    pub assignment: &'a Assignment,
    pub stats: Stats,
}

/// A group's bytes; a branch goes to a block.
struct Piece {
    bytes: Vec<u8>,
    target: Option<usize>,
    origin: Origin,
}

impl Emitter<'_> {
    /// The temporary of a unit.
    pub fn temporary(&self, unit: Unit) -> u16 {
        match unit {
            COUNTER => 0,
            _ => self.assignment.locations[unit as usize].register + u16::from(self.code.counts),
        }
    }

    fn register(&self, operand: Operand) -> Register {
        match operand {
            Operand::Unit(INDEX) => Register::Index(0),
            Operand::Unit(unit) | Operand::Row(unit, _) => {
                Register::Plain(Bank::TEMPORARY, self.temporary(unit))
            }
            Operand::Register(register) => register,
            Operand::Element(first, _) => {
                Register::Indexed(IndexedBank::TEMPORARY, self.temporary(first) as u8, 0)
            }
        }
    }

    fn destination(&self, dst: Dst) -> Register {
        match dst {
            Dst::Unit(unit) => self.register(Operand::Unit(unit)),
            Dst::Register(register) => register,
            Dst::Element(first, words) => self.register(Operand::Element(first, words)),
        }
    }

    fn access(&self, access: Access) -> Register {
        match access {
            Access::Value(operand) => self.register(operand),
            Access::Reads(unit, _) | Access::Writes(unit, _) => self.register(Operand::Unit(unit)),
        }
    }

    /// Slots as a map: up to the last that is named, zero where nothing is, and one at least.
    fn map(&self, slots: &[Option<Access>]) -> Vec<Register> {
        let last = slots.iter().rposition(Option::is_some).unwrap_or(0);
        let named = slots[..=last].iter();
        named
            .map(|slot| slot.map_or(Register::ZERO, |access| self.access(access)))
            .collect()
    }

    /// The code and its stats.
    pub fn program(&mut self) -> Result<Emitted, Refused> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut starts = vec![0; self.code.blocks.len()];
        for (n, &number) in self.code.order.iter().enumerate() {
            let block = &self.code.blocks[number];
            starts[number] = pieces.len();
            self.block(block, &mut pieces)?;
            for branch in &block.branches {
                let behind = self.code.order[n + 1..].iter();
                let mut until = behind.take_while(|&&next| next != branch.to);
                let empty = |&next: &usize| {
                    let block = &self.code.blocks[next];
                    block.branches.is_empty() && block.insts.is_empty()
                };
                let ahead = self.code.order[n + 1..].contains(&branch.to);
                if branch.when == When::Always && ahead && until.all(empty) {
                    continue;
                }
                pieces.push(self.branch(branch.when, branch.to)?);
            }
        }
        let end = Group::new(IsaBody::Control(Control::Nop { end: true }));
        let behind = pieces.len();
        for start in &mut starts {
            *start = (*start).min(behind);
        }
        pieces.push(self.piece(&end, Origin::default())?);
        let mut groups: Vec<Vec<u8>> = pieces
            .iter_mut()
            .map(|piece| std::mem::take(&mut piece.bytes))
            .collect();
        align(&mut groups).map_err(|error| error.to_string())?;
        let mut offsets = Vec::with_capacity(groups.len());
        let mut at = 0usize;
        for group in &groups {
            offsets.push(at);
            at += group.len();
        }
        let mut emitted = Emitted {
            bytes: Vec::with_capacity(at),
            places: Vec::new(),
        };
        for (n, mut group) in groups.into_iter().enumerate() {
            if let Some(to) = pieces[n].target {
                let distance = offsets[starts[to]] as i64 - offsets[n] as i64;
                let distance =
                    i32::try_from(distance).map_err(|_| "a branch too far".to_owned())?;
                // Behind the header and the byte of the operation.
                group[4..8].copy_from_slice(&distance.to_le_bytes());
            }
            emitted
                .places
                .push((offsets[n] as u32 / 4, pieces[n].origin));
            emitted.bytes.extend(group);
        }
        self.stats.add("bytes", emitted.bytes.len() as u32);
        Ok(emitted)
    }

    fn block(&mut self, block: &Block, pieces: &mut Vec<Piece>) -> Result<(), Refused> {
        let mut waits = Waits::default();
        for inst in &block.insts {
            if self.is_nothing(inst) {
                continue;
            }
            let before = match inst.body {
                // What others see is there.
                Body::Mutex(Mutex::RELEASE_SLEEP) => {
                    waits = Waits::default();
                    vec![0, 1]
                }
                _ => waits.before(self, inst),
            };
            for drc in before {
                pieces.push(self.wait(drc)?);
            }
            let group = self.group(inst)?;
            pieces.push(self.piece(&group, inst.origin)?);
        }
        for drc in waits.all() {
            pieces.push(self.wait(drc)?);
        }
        Ok(())
    }

    /// Whether an instruction has no code: copies of a register to itself.
    fn is_nothing(&self, inst: &Inst) -> bool {
        if matches!(inst.body, Body::Undefined(_)) {
            return true;
        }
        let same = |(from, to): (Unit, Unit)| self.temporary(from) == self.temporary(to);
        inst.copy().is_some_and(same)
    }

    fn wait(&mut self, drc: u8) -> Result<Piece, Refused> {
        let group = Group::new(IsaBody::Control(Control::Wdf(drc)));
        self.piece(&group, Origin::default())
    }

    fn branch(&mut self, when: When, to: usize) -> Result<Piece, Refused> {
        let lanes = match when {
            When::NoLane => BranchLanes::ALLINST,
            _ => BranchLanes::PLAIN,
        };
        let mut group = Group::new(IsaBody::Control(Control::Branch {
            link: false,
            absolute: false,
            lanes,
            target: 0,
        }));
        group.condition = match when {
            When::Always => Condition::IGNORE_PE,
            When::P0 => Condition::P0,
            When::NotP0 => Condition::NOT_P0,
            When::NoLane => Condition::PE,
        };
        let mut piece = self.piece(&group, Origin::default())?;
        piece.target = Some(to);
        Ok(piece)
    }

    /// Encodes a group, after its rules.
    fn piece(&mut self, group: &Group, origin: Origin) -> Result<Piece, Refused> {
        let mut group = group.clone();
        if let Err(RuleError::OutputLock(_)) = check(&group) {
            group.output_lock = true;
        }
        check(&group).map_err(|error| format!("{group}: {error}"))?;
        let mut bytes = Vec::new();
        group
            .encode(&mut bytes)
            .map_err(|error| format!("{group}: {error}"))?;
        let name = match group.body {
            IsaBody::Main(_) => "main groups",
            IsaBody::Bitwise(_) => "bitwise groups",
            IsaBody::Control(_) => "control groups",
        };
        self.stats.add(name, 1);
        Ok(Piece {
            bytes,
            target: None,
            origin,
        })
    }

    fn group(&mut self, inst: &Inst) -> Result<Group, Refused> {
        let mut group = match &inst.body {
            Body::Main(main) => self.main(main)?,
            Body::Bits(bits) => self.bits(bits),
            Body::Cnd(op, condition, adjust, s2) => self.cnd(*op, *condition, *adjust, *s2),
            // One for all.
            Body::Mutex(op) => Group::new(IsaBody::Control(Control::Mutex(*op, 0))),
            Body::Begin => {
                let mut group = self.cnd(Cnd::CNDST, CndIf::ALWAYS, 1, super::machine::ZERO);
                group.lower = vec![Register::ZERO];
                group
            }
            Body::Undefined(_) => return Err("code of nothing".to_owned()),
        };
        group.condition = inst.condition;
        Ok(group)
    }

    fn cnd(&self, op: Cnd, condition: CndIf, adjust: u8, s2: Operand) -> Group {
        let counter = self.register(Operand::Unit(COUNTER));
        let mut group = Group::new(IsaBody::Control(Control::Cnd {
            op,
            condition,
            adjust,
        }));
        group.lower = vec![counter];
        if op.reads_s2() {
            group.lower = vec![counter, Register::ZERO, self.register(s2)];
        }
        group.w[0] = Some(counter);
        group
    }

    fn main(&mut self, main: &Main) -> Result<Group, Refused> {
        self.stats.add("operations", main.operations());
        let (slots, is0) = main.slots().ok_or_else(|| format!("sources of {main:?}"))?;
        let mut selectors = main.selectors;
        selectors.is0 = is0;
        let body = IsaMain {
            p0: main.p0.as_ref().map(|phase| phase.alu),
            p1: main.p1.as_ref().map(|phase| phase.alu),
            p2: Phase2 {
                mov: main.mov,
                tst: main.tst,
                pck: main.pck,
            },
            backend: main.back.as_ref().map(|back| back.op),
            selectors,
        };
        let mut group = Group::new(IsaBody::Main(body));
        group.lower = self.map(&slots[..3]);
        group.upper = self.map(&slots[3..]);
        group.w = main.w.map(|dst| dst.map(|dst| self.destination(dst)));
        group.repeat = main.repeat.max(1);
        Ok(group)
    }

    fn bits(&self, bits: &Bits) -> Group {
        let mut group = Group::new(IsaBody::Bitwise(bits.op));
        let access = |operand: Option<Operand>| operand.map(Access::Value);
        let slots = bits.src.map(access);
        group.lower = self.map(&slots[..3]);
        group.upper = self.map(&slots[3..]);
        group.w = bits.w.map(|dst| dst.map(|dst| self.destination(dst)));
        group
    }
}
