//! One group: which lanes execute it, how often, and what it does.

use lanes::LaneOp::*;
use lanes::{Src, Step, WideOp};

use super::access::{advanced, slot};
use super::flow::{Bases, Lifter, State};
use super::port::{Iterate, Port};
use super::writes::Only;
use super::{ACTIVE, LiftError, PREDICATE, SAVED};
use crate::isa::control::{Control, Ditr, Mutex, Perspective};
use crate::isa::{Bank, Body, Condition, Group, Main, Register, Special, special};

impl Lifter<'_> {
    /// Appends a group; gives the state after it unless control goes elsewhere.
    pub(super) fn group(&mut self, group: &Group, next: State) -> Result<Option<State>, LiftError> {
        self.sources = std::array::from_fn(|n| slot(group, n as u8));
        if let Body::Control(control) = &group.body {
            return self.control(group, control, next);
        }
        let only = self.enter(group)?;
        match &group.body {
            Body::Main(main) => self.repeated(group, main, only)?,
            Body::Bitwise(bitwise) => {
                for step in 0..u16::from(group.repeat) {
                    self.advance(group, step);
                    let w = self.bitwise(bitwise)?;
                    self.write_w(group, w, [step; 2])?;
                    self.finish_group(only)?;
                }
            }
            Body::Control(_) => {}
        }
        self.leave();
        Ok(Some(next))
    }

    /// The sources of a repetition.
    pub(super) fn advance(&mut self, group: &Group, step: u16) {
        self.sources = std::array::from_fn(|n| slot(group, n as u8).map(|r| advanced(r, step)));
    }

    /// Which lanes execute the group: all those of the execution mask, or some of them. Groups that do more than write
    /// registers of their lanes have an execution mask of their own.
    fn enter(&mut self, group: &Group) -> Result<Only, LiftError> {
        self.narrowed = false;
        let ignores = group.condition == Condition::IGNORE_PE;
        match group.condition {
            Condition::PE => return Ok(Only::All),
            Condition::IGNORE_PE if !self.facts.masks => return Ok(Only::All),
            Condition::P0 if simple(group) => return Ok(Only::In(PREDICATE)),
            Condition::NOT_P0 if simple(group) => return Ok(Only::Out(PREDICATE)),
            _ => {}
        }
        self.copy(SAVED, ACTIVE);
        match group.condition {
            Condition::P0 => self.wide(WideOp::And64, ACTIVE, ACTIVE, PREDICATE),
            Condition::NOT_P0 => self.wide(WideOp::AndNot64, ACTIVE, ACTIVE, PREDICATE),
            _ => self.execute(self.running()),
        }
        self.narrowed = true;
        if ignores {
            self.forget();
        }
        self.flush_items();
        Ok(Only::All)
    }

    fn leave(&mut self) {
        if self.narrowed {
            self.execute(SAVED);
            // What the group wrote holds for its lanes only.
            self.forget();
            self.narrowed = false;
        }
        self.flush_items();
    }

    /// Writes W0 and W1 to their registers, so many numbers on.
    pub(super) fn write_w(
        &mut self,
        group: &Group,
        w: [Src; 2],
        by: [u16; 2],
    ) -> Result<(), LiftError> {
        for n in 0..2 {
            if let Some(register) = group.w[n] {
                self.write_register(advanced(register, by[n]), w[n])?;
            }
        }
        Ok(())
    }

    fn control(
        &mut self,
        group: &Group,
        control: &Control,
        next: State,
    ) -> Result<Option<State>, LiftError> {
        match *control {
            Control::Branch {
                link,
                absolute,
                lanes,
                target,
            } => {
                let target = match absolute {
                    true => i64::from(target as u32) - i64::from(self.setup.address),
                    false => i64::from(self.pc) + i64::from(target),
                };
                let link = link.then_some(next.pc);
                return self.branch((group.condition, lanes, link), target, next);
            }
            Control::Lapc => {
                self.jump_to_link();
                return Ok(None);
            }
            Control::Savl => {
                self.enter(group)?;
                let link = self.link_value();
                self.write_w(group, [link, Src::Const(0)], [0; 2])?;
                self.finish_group(Only::All)?;
                self.leave();
            }
            Control::Cnd {
                op,
                condition,
                adjust,
            } => {
                self.condition(group, op, condition, adjust)?;
            }
            // A task that sleeps goes on when all of its group have come; so does one that wakes others.
            Control::Mutex(Mutex::RELEASE_SLEEP | Mutex::RELEASE_WAKEUP, _) => {
                self.flush_items();
                self.b.push(Step::Barrier);
            }
            // Values are there when their ports return, and waves that lock run one by one.
            Control::Wop | Control::Wdf(_) | Control::Mutex(..) | Control::Nop { .. } => {}
            Control::Sbo { shared, offset } => {
                let bases = match shared {
                    true => Bases {
                        shared: offset.into(),
                        ..self.bases
                    },
                    false => Bases {
                        coefficient: offset.into(),
                        ..self.bases
                    },
                };
                return Ok(Some(State { bases, ..next }));
            }
            Control::Ditr(ref ditr) => {
                self.enter(group)?;
                let count = u16::from(ditr.count);
                let rows = self.iterate_to_rows(ditr, count)?;
                self.store_iterated(ditr, rows, count)?;
                self.finish_group(Only::All)?;
                self.leave();
            }
            Control::Itrsmp(ref itrsmp) => {
                self.enter(group)?;
                self.iterate_and_sample(itrsmp)?;
                self.finish_group(Only::All)?;
                self.leave();
            }
        }
        Ok(Some(next))
    }

    /// Rows with the values of an iteration.
    pub(super) fn iterate_to_rows(&mut self, ditr: &Ditr, count: u16) -> Result<u16, LiftError> {
        if ditr.coefficient.1 != 0 || ditr.w_coefficient.1 != 0 {
            return Err(self.meaningless("iteration of coefficients with an index"));
        }
        let first = self.rows(count);
        let base = self.bases.coefficient;
        self.call(Port::Iterate(Iterate {
            mode: ditr.mode,
            sat: ditr.sat,
            coefficient: u16::from(ditr.coefficient.0) + base,
            perspective: (ditr.perspective != Perspective::NONE)
                .then_some(u16::from(ditr.w_coefficient.0) + base),
            first,
            count,
        }));
        self.clean.extend(first..first + count);
        Ok(first)
    }

    /// Values to the temporaries of an iteration, packed if it says so.
    fn store_iterated(&mut self, ditr: &Ditr, rows: u16, count: u16) -> Result<(), LiftError> {
        let values: Vec<Src> = (rows..rows + count).map(Src::Row).collect();
        self.store_results(ditr.destination, &values, ditr.f16)
    }

    /// Values to consecutive temporaries; two halves a register if they are packed.
    pub(super) fn store_results(
        &mut self,
        destination: u8,
        values: &[Src],
        packed: bool,
    ) -> Result<(), LiftError> {
        let values = match packed {
            true => values.chunks(2).map(|pair| self.halves_of(pair)).collect(),
            false => values.to_vec(),
        };
        for (n, value) in values.into_iter().enumerate() {
            let register = Register::Plain(Bank::TEMPORARY, u16::from(destination) + n as u16);
            self.write_register(register, value)?;
        }
        Ok(())
    }

    /// One or two floats as halves in a word.
    pub(super) fn halves_of(&mut self, values: &[Src]) -> Src {
        let low = self.op(F32ToF16, &values[..1]);
        match values.get(1) {
            None => low,
            Some(high) => {
                let high = self.op(F32ToF16, &[*high]);
                let high = self.op(Shl, &[high, Src::Const(16)]);
                self.op(Or, &[low, high])
            }
        }
    }
}

/// Whether a group only writes registers of its lanes.
fn simple(group: &Group) -> bool {
    let own = |register: &Register| match register {
        Register::Plain(Bank::TEMPORARY | Bank::VERTEX_INPUT, _) | Register::Index(_) => true,
        Register::Plain(Bank::SPECIAL, n) => !matches!(special(*n), Special::Constant(_)),
        _ => false,
    };
    let backend = matches!(
        group.body,
        Body::Main(Main {
            backend: Some(_),
            ..
        })
    );
    !backend && group.w.iter().flatten().all(own)
}
