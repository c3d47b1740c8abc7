//! What a group writes: registers behind it, and P0.

use std::ops::Range;

use lanes::LaneOp::Mov;
use lanes::{Src, Step, WideOp};

use super::emit::Item;
use super::flow::Lifter;
use super::local::Local;
use super::port::Port;
use super::{ACTIVE, LiftError, PREDICATE};

/// Which of the lanes that execute with Pe keep what they had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    /// None of them.
    All,
    /// Those outside this pair.
    In(u16),
    /// Those inside it.
    Out(u16),
}

impl Lifter<'_> {
    /// Says that a register is written behind the group.
    pub(super) fn write(&mut self, row: u16, value: Src) {
        self.writes.push((row, value));
    }

    /// Writes what the group has to write, and hands its steps to the builder.
    pub(super) fn finish_group(&mut self, only: Only) -> Result<(), LiftError> {
        for local in std::mem::take(&mut self.local_writes) {
            match local {
                Local::Scatter {
                    value, first, end, ..
                } if self.is_clean(value) => (first..end).for_each(|row| self.changed(row)),
                Local::Scatter { first, end, .. } => (first..end).for_each(|row| self.soil(row)),
                Local::Broadcast { dst, .. } => self.soil(dst),
                _ => {}
            }
            self.call(Port::Local(local));
        }
        self.keep_old_values();
        let writes = std::mem::take(&mut self.writes);
        for at in 0..writes.len() {
            let (row, value) = writes[at];
            let clean = self.is_clean(value) && (only == Only::All || self.clean.contains(&row));
            match only {
                Only::All if value == Src::Row(row) => {}
                Only::All => {
                    if !self.retarget(&writes, at) {
                        self.push(Step::Alu {
                            op: Mov,
                            dst: row,
                            src: [value, Src::Const(0), Src::Const(0)],
                        });
                    }
                }
                Only::In(mask) => self.push(Step::Select {
                    dst: row,
                    mask,
                    no: Src::Row(row),
                    yes: value,
                }),
                Only::Out(mask) => self.push(Step::Select {
                    dst: row,
                    mask,
                    no: value,
                    yes: Src::Row(row),
                }),
            }
            let copy = match value {
                _ if only != Only::All => None,
                Src::Row(from) if from < self.scratch_begin && from != row => Some(value),
                Src::Const(_) => Some(value),
                Src::Scalar(scalar) if self.is_constant(scalar) => Some(value),
                _ => None,
            };
            let root = matches!(value, Src::Row(from) if self.roots.contains(&from));
            if value != Src::Row(row) {
                self.changed(row);
                if root && only == Only::All {
                    self.roots.insert(row);
                }
            }
            if let Some(copy) = copy {
                self.held.insert(row, copy);
            }
            match clean {
                true => _ = self.clean.insert(row),
                false => {
                    self.clean.remove(&row);
                    self.flushed.soil(row);
                }
            }
        }
        if let Some(end) = self.vertex_end.take() {
            self.call(Port::Vertex(end));
        }
        self.write_predicate(only);
        self.late = 0..0;
        Ok(())
    }

    /// P0 of the lanes that executed.
    fn write_predicate(&mut self, only: Only) {
        let Some(new) = self.predicate.take() else {
            return;
        };
        match only {
            Only::All if (!self.facts.masks || self.facts.fresh) && !self.narrowed => {
                if !self.compares_into(new, PREDICATE) {
                    self.copy(PREDICATE, new);
                }
            }
            Only::All => {
                self.wide(WideOp::AndNot64, PREDICATE, PREDICATE, ACTIVE);
                self.wide(WideOp::Or64, PREDICATE, PREDICATE, new);
            }
            Only::In(_) => {
                let kept = self.mask();
                self.wide(WideOp::AndNot64, kept, PREDICATE, ACTIVE);
                self.wide(WideOp::And64, PREDICATE, PREDICATE, new);
                self.wide(WideOp::Or64, PREDICATE, PREDICATE, kept);
            }
            Only::Out(_) => self.wide(WideOp::Or64, PREDICATE, PREDICATE, new),
        }
    }

    /// Lets the comparison that makes a mask write another pair; false where that would be seen.
    fn compares_into(&mut self, mask: u16, to: u16) -> bool {
        let makes =
            |item: &Item| matches!(item, Item::Step(Step::Compare { dst, .. }) if *dst == mask);
        let Some(made) = self.items.iter().position(makes) else {
            return false;
        };
        let reads = |step: &Step, pair: u16| {
            let among = |range: &Range<u16>| range.start < pair + 2 && pair < range.end;
            step.read_scalars().iter().any(among) || among(&step.written_scalars())
        };
        let (before, after) = self.items.split_at_mut(made + 1);
        let stays = after.iter().all(|item| match item {
            Item::Step(Step::Select { mask: by, .. }) if *by == mask => true,
            Item::Step(step) => !reads(step, mask) && !reads(step, to),
            Item::Port(_) => false,
        });
        if !stays {
            return false;
        }
        for item in after {
            if let Item::Step(Step::Select { mask: by, .. }) = item
                && *by == mask
            {
                *by = to;
            }
        }
        if let Some(Item::Step(Step::Compare { dst, .. })) = before.last_mut() {
            *dst = to;
        }
        true
    }

    /// A write may overwrite what a later one reads: that is copied first.
    fn keep_old_values(&mut self) {
        for at in 1..self.writes.len() {
            let value = self.writes[at].1;
            let overwritten = self.writes[..at]
                .iter()
                .any(|(row, _)| value == Src::Row(*row));
            if overwritten {
                let copy = self.row();
                self.push(Step::Alu {
                    op: Mov,
                    dst: copy,
                    src: [value, Src::Const(0), Src::Const(0)],
                });
                self.writes[at].1 = Src::Row(copy);
            }
        }
    }

    /// Lets the step that makes a value write the register itself; false where that would be seen.
    fn retarget(&mut self, writes: &[(u16, Src)], at: usize) -> bool {
        let (row, Src::Row(value)) = writes[at] else {
            return false;
        };
        let others = writes.iter().enumerate();
        let wanted = |(n, write): (usize, &(u16, Src))| {
            n != at && (write.1 == Src::Row(value) || write.1 == Src::Row(row) || write.0 == row)
        };
        if value < self.scratch_begin || others.into_iter().any(wanted) {
            return false;
        }
        let makes = |item: &Item| match item {
            Item::Step(Step::Alu { dst, .. } | Step::Select { dst, .. }) => *dst == value,
            _ => false,
        };
        let Some(made) = self.items.iter().position(makes) else {
            return false;
        };
        let touches = |item: &Item| match item {
            Item::Step(step) => match step.read_rows() {
                Some(rows) => {
                    rows.iter()
                        .any(|rows| rows.contains(&row) || rows.contains(&value))
                        || step.written_rows().contains(&row)
                        || step.written_rows().contains(&value)
                }
                None => true,
            },
            Item::Port(_) => true,
        };
        let made = match self.items[made + 1..].iter().any(touches) {
            false => made,
            true if self.sinks(made, [row, value]) => {
                let item = self.items.remove(made);
                self.items.push(item);
                self.items.len() - 1
            }
            true => return false,
        };
        if let Item::Step(Step::Alu { dst, .. } | Step::Select { dst, .. }) = &mut self.items[made]
        {
            *dst = row;
        }
        true
    }

    /// Whether a step may go behind all others of the group: they read neither of these rows' new values and change nothing
    /// that it reads.
    fn sinks(&self, made: usize, [row, value]: [u16; 2]) -> bool {
        let Item::Step(step) = &self.items[made] else {
            return false;
        };
        let Some(rows) = step.read_rows() else {
            return false;
        };
        let scalars = step.read_scalars();
        let meet = |a: &Range<u16>, b: &Range<u16>| a.start < b.end && b.start < a.end;
        self.items[made + 1..].iter().all(|item| {
            let Item::Step(other) = item else {
                return false;
            };
            let (written, masks) = (other.written_rows(), other.written_scalars());
            let reads = |rows: [Range<u16>; 3]| rows.iter().any(|rows| rows.contains(&value));
            !other.read_rows().is_none_or(reads)
                && ![row, value].iter().any(|row| written.contains(row))
                && !rows.iter().any(|rows| meet(rows, &written))
                && !scalars.iter().any(|scalars| meet(scalars, &masks))
                && !meet(&masks, &(ACTIVE..ACTIVE + 2))
        })
    }
}
