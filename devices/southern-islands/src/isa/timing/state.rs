//! What is still under way at one point of a program.

use super::super::decode::Inst;
use super::super::effects::{Effects, Registers};
use super::super::lift::HwReg;
use super::super::operand::{EXEC, VCC};
use super::super::scalar::SemK;
use super::super::vector::Sem;
use super::{Rule, lane_select, reads_zero_bit, vector_op};

/// Operations of the same counter issued since; none when there is nothing to wait for. The smaller number needs the
/// stricter wait.
pub(super) type Pending = Option<u8>;

/// Instructions issued since an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Late(u8);

impl Late {
    /// The event is the last instruction.
    pub(super) const NOW: Late = Late(0);
    /// Long ago.
    const NEVER: Late = Late(u8::MAX);
}

/// What a VGPR waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VectorPending {
    /// A load through the vector memory path writes it.
    pub(super) vm: Pending,
    /// A data share instruction writes it.
    pub(super) lgkm: Pending,
    /// A store, export or global share instruction reads it.
    pub(super) exp: Pending,
}

/// Distances to the events of the wait-state table. [SI table 4.2]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Since {
    set_register: [Late; 8],
    set_mode_skip: Late,
    pub(super) set_skip: Late,
    wrote_mask: Late,
    wrote_scalar: [Late; 128],
}

/// One point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) vectors: Box<[VectorPending; 256]>,
    pub(super) scalars: Box<[Pending; 128]>,
    /// An export that has not read EXEC.
    pub(super) export: Pending,
    /// Scalar loads return in any order: while one is under way only lgkmcnt(0) says something.
    scalar_load: bool,
    /// Exports and stores are both under way: only expcnt(0) says something.
    mixed: [bool; 2],
    pub(super) since: Since,
}

impl Default for State {
    fn default() -> State {
        State {
            vectors: Box::new([VectorPending::default(); 256]),
            scalars: Box::new([None; 128]),
            export: None,
            scalar_load: false,
            mixed: [false; 2],
            since: Since {
                set_register: [Late::NEVER; 8],
                set_mode_skip: Late::NEVER,
                set_skip: Late::NEVER,
                wrote_mask: Late::NEVER,
                wrote_scalar: [Late::NEVER; 128],
            },
        }
    }
}

/// The stricter of two.
fn stricter(a: Pending, b: Pending) -> Pending {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn age(pending: &mut Pending) {
    if let Some(count) = pending {
        *count = (*count + 1).min(63);
    }
}

/// Clears what a wait for `left` operations finishes.
fn finish(pending: &mut Pending, left: u8) {
    if pending.is_some_and(|count| count >= left) {
        *pending = None;
    }
}

impl State {
    /// What holds when control may come from either.
    pub(super) fn merge(&self, other: &State) -> State {
        let mut merged = self.clone();
        for (a, b) in merged.vectors.iter_mut().zip(other.vectors.iter()) {
            *a = VectorPending {
                vm: stricter(a.vm, b.vm),
                lgkm: stricter(a.lgkm, b.lgkm),
                exp: stricter(a.exp, b.exp),
            };
        }
        for (a, b) in merged.scalars.iter_mut().zip(other.scalars.iter()) {
            *a = stricter(*a, *b);
        }
        merged.export = stricter(self.export, other.export);
        merged.scalar_load |= other.scalar_load;
        for (a, b) in merged.mixed.iter_mut().zip(other.mixed) {
            *a |= b;
        }
        merged.since.each(&other.since, |a, b| *a = (*a).min(b));
        merged
    }

    /// S_WAITCNT.
    pub(super) fn wait(&mut self, simm16: u16) {
        let (vm, exp, lgkm) = (
            (simm16 & 15) as u8,
            (simm16 >> 4 & 7) as u8,
            (simm16 >> 8 & 31) as u8,
        );
        // All ones do not wait; for lgkmcnt the assembler's 15 means that too. [SI 4.4]
        let vm = if vm == 15 { u8::MAX } else { vm };
        let exp = match exp {
            7 => u8::MAX,
            1.. if self.mixed == [true; 2] => u8::MAX,
            left => left,
        };
        let lgkm = match lgkm {
            15.. => u8::MAX,
            1.. if self.scalar_load => u8::MAX,
            left => left,
        };
        for register in self.vectors.iter_mut() {
            finish(&mut register.vm, vm);
            finish(&mut register.exp, exp);
            finish(&mut register.lgkm, lgkm);
        }
        finish(&mut self.export, exp);
        self.scalars
            .iter_mut()
            .for_each(|scalar| finish(scalar, lgkm));
        if lgkm == 0 {
            self.scalar_load = false;
        }
        if exp == 0 {
            self.mixed = [false; 2];
        }
    }

    /// Lets wait states go by.
    pub(super) fn pass(&mut self, states: u8) {
        let same = self.since.clone();
        self.since.each(&same, |a, _| {
            if *a != Late::NEVER {
                *a = Late(a.0.saturating_add(states).min(20));
            }
        });
    }

    pub(super) fn issue_vector_memory(&mut self, effects: &Effects, stores: bool) {
        self.vectors.iter_mut().for_each(|v| age(&mut v.vm));
        for register in effects.writes_late.vectors() {
            self.vectors[usize::from(register)].vm = Some(0);
        }
        if stores {
            self.issue_late_reads(effects, 0);
        }
    }

    pub(super) fn issue_share(&mut self, effects: &Effects, global: bool) {
        self.age_lgkm();
        for register in effects.writes_late.vectors() {
            self.vectors[usize::from(register)].lgkm = Some(0);
        }
        if global {
            self.issue_late_reads(effects, 0);
        }
    }

    pub(super) fn issue_scalar_load(&mut self, effects: &Effects) {
        self.age_lgkm();
        for register in effects.writes_late.scalars() {
            self.scalars[usize::from(register)] = Some(0);
            self.scalar_load = true;
        }
    }

    pub(super) fn issue_message(&mut self) {
        self.age_lgkm();
    }

    pub(super) fn issue_export(&mut self, effects: &Effects) {
        self.issue_late_reads(effects, 1);
        self.export = Some(0);
    }

    fn age_lgkm(&mut self) {
        self.vectors.iter_mut().for_each(|v| age(&mut v.lgkm));
        self.scalars.iter_mut().for_each(age);
    }

    fn issue_late_reads(&mut self, effects: &Effects, kind: usize) {
        self.vectors.iter_mut().for_each(|v| age(&mut v.exp));
        age(&mut self.export);
        self.mixed[kind] = true;
        for register in effects.reads_late.vectors() {
            self.vectors[usize::from(register)].exp = Some(0);
        }
    }

    /// The wait-state table. [SI table 4.2]
    pub(super) fn check_states(&self, inst: Inst, effects: &Effects) -> Result<(), Rule> {
        let since = &self.since;
        let rule = |late: Late, needed: u8, first: &'static str, second: &'static str| match late.0
        {
            found if found < needed => Err(Rule::WaitStates {
                first,
                second,
                needed,
                found,
            }),
            _ => Ok(()),
        };
        if let Inst::Sopk(w, _) = inst {
            let id = (w.simm16 & 7) as usize;
            match w.op.sem() {
                SemK::GetReg => {
                    rule(
                        since.set_register[id],
                        2,
                        "S_SETREG",
                        "S_GETREG of the same register",
                    )?;
                    if HwReg::from_word(w.simm16).id == HwReg::MODE {
                        rule(since.set_skip, 2, "S_SETVSKIP", "S_GETREG of MODE")?;
                    }
                }
                SemK::SetReg | SemK::SetRegLiteral => {
                    rule(
                        since.set_register[id],
                        1,
                        "S_SETREG",
                        "S_SETREG of the same register",
                    )?;
                }
                _ => {}
            }
        }
        let vector = vector_op(inst);
        if vector.is_some() {
            rule(
                since.set_mode_skip,
                2,
                "S_SETREG of VSKIP",
                "a vector instruction",
            )?;
        }
        if reads_zero_bit(inst) {
            rule(
                since.wrote_mask,
                5,
                "a vector instruction that writes VCC or EXEC",
                "reading VCCZ or EXECZ",
            )?;
        }
        match vector.and_then(|op| op.sem()) {
            Some(Sem::ReadLane | Sem::WriteLane) => {
                if let Some(code) = lane_select(inst) {
                    let late = since.wrote_scalar[usize::from(code)];
                    rule(
                        late,
                        4,
                        "a vector instruction that writes a scalar",
                        "taking a lane number from it",
                    )?;
                }
            }
            Some(Sem::DivFmas(..) | Sem::DivFmasWide(..)) if effects.reads.has_scalar(VCC) => {
                let late = since.wrote_scalar[usize::from(VCC)];
                rule(
                    late,
                    4,
                    "a vector instruction that writes VCC",
                    "V_DIV_FMAS",
                )?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Since {
    fn each(&mut self, other: &Since, f: impl Fn(&mut Late, Late)) {
        f(&mut self.set_mode_skip, other.set_mode_skip);
        f(&mut self.set_skip, other.set_skip);
        f(&mut self.wrote_mask, other.wrote_mask);
        for (a, b) in self.set_register.iter_mut().zip(other.set_register) {
            f(a, b);
        }
        for (a, b) in self.wrote_scalar.iter_mut().zip(other.wrote_scalar) {
            f(a, b);
        }
    }

    pub(super) fn set_register(&mut self, simm16: u16) {
        let register = HwReg::from_word(simm16);
        self.set_register[(register.id & 7) as usize] = Late::NOW;
        if register.id == HwReg::MODE && register.mask() >> 28 & 1 == 1 {
            self.set_mode_skip = Late::NOW;
        }
    }

    pub(super) fn vector_wrote(&mut self, writes: Registers) {
        for scalar in writes.scalars() {
            self.wrote_scalar[usize::from(scalar)] = Late::NOW;
        }
        if writes.has_scalar(VCC) || writes.has_scalar(EXEC) {
            self.wrote_mask = Late::NOW;
        }
    }
}
