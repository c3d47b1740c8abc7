//! The steps of one group: collected, then written with results in their registers.

use lanes::LaneOp::{self, *};
use lanes::{Src, Step, Swizzle, WideOp};

use super::flow::Lifter;
use super::local::Local;
use super::port::Port;
use super::{ACTIVE, LiftError, PREDICATE};

/// A step or a call of a port.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Step(Step),
    Port(Port),
}

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

/// A scalar pair as an operand.
pub(super) fn pair(at: u16) -> Src {
    Src::Scalar(at)
}

impl Lifter<'_> {
    pub(super) fn push(&mut self, step: Step) {
        self.items.push(Item::Step(step));
    }

    pub(super) fn call(&mut self, port: Port) {
        self.items.push(Item::Port(port));
    }

    /// A row for a value within this group.
    pub(super) fn row(&mut self) -> u16 {
        self.rows(1)
    }

    /// Rows after each other.
    pub(super) fn rows(&mut self, count: u16) -> u16 {
        let row = self.scratch;
        for row in row..row + count {
            self.clean.remove(&row);
        }
        self.scratch += count;
        self.scratch_end = self.scratch_end.max(self.scratch);
        row
    }

    /// A scalar for a value within this group.
    pub(super) fn scalar(&mut self) -> u16 {
        let scalar = self.scalars;
        self.scalars += 1;
        self.scalars_end = self.scalars_end.max(self.scalars);
        scalar
    }

    /// The value of an operation: a number, a scalar or a row, as its operands are.
    pub(super) fn op(&mut self, op: LaneOp, sources: &[Src]) -> Src {
        let src: [Src; 3] =
            std::array::from_fn(|n| sources.get(n).copied().unwrap_or(Src::Const(0)));
        if let [Src::Const(a), Src::Const(b), Src::Const(c)] = src {
            return Src::Const(op.eval([a, b, c]));
        }
        if !src.iter().any(|src| matches!(src, Src::Row(_))) {
            let dst = self.scalar();
            self.push(Step::Uniform { op, dst, src });
            return Src::Scalar(dst);
        }
        let dst = self.row();
        self.push(Step::Alu { op, dst, src });
        let same = matches!(op, FNeg | FAbs | FSat | Mov | FMin | FMax)
            && sources.iter().all(|source| self.is_clean(*source));
        if same || flushed(op) {
            self.clean.insert(dst);
        }
        Src::Row(dst)
    }

    /// A row may have denormals from here on.
    pub(super) fn soil(&mut self, row: u16) {
        self.clean.remove(&row);
        self.flushed.soil(row);
    }

    /// Nothing is known of rows but what holds everywhere.
    pub(super) fn forget(&mut self) {
        self.clean.clear();
        self.clean.extend(self.flushed.rows());
    }

    /// Whether an operand has no denormals.
    fn is_clean(&self, source: Src) -> bool {
        match source {
            Src::Row(row) => self.clean.contains(&row),
            Src::Const(bits) => FFlush.eval([bits, 0, 0]) == bits,
            Src::Scalar(scalar) => self.flushed.is_result(scalar),
        }
    }

    /// The operand without denormals.
    pub(super) fn float(&mut self, source: Src) -> Src {
        if self.is_clean(source) {
            return source;
        }
        match source {
            Src::Scalar(scalar) if self.is_constant(scalar) => match self.flushed.get(scalar) {
                Some(found) => Src::Scalar(found),
                None => self.op(FFlush, &[source]),
            },
            source => self.op(FFlush, &[source]),
        }
    }

    /// Whether a scalar is a shared register that the program does not write.
    fn is_constant(&self, scalar: u16) -> bool {
        self.layout.shared.contains(&scalar) && !self.layout.writes_shared
    }

    /// `row = source`, where a row is needed.
    pub(super) fn in_row(&mut self, source: Src) -> u16 {
        match source {
            Src::Row(row) => row,
            source => {
                let dst = self.row();
                self.push(Step::Alu {
                    op: Mov,
                    dst,
                    src: [source, Src::Const(0), Src::Const(0)],
                });
                dst
            }
        }
    }

    /// `pair = ` lanes that execute in which `op(a, b)`.
    pub(super) fn compare(&mut self, dst: u16, op: LaneOp, a: Src, b: Src) {
        self.push(Step::Compare {
            op,
            dst,
            src: [a, b, Src::Const(0)],
        });
    }

    /// `mask ? yes : no`
    pub(super) fn select(&mut self, mask: u16, no: Src, yes: Src) -> Src {
        if no == yes {
            return no;
        }
        let dst = self.row();
        self.push(Step::Select { dst, mask, no, yes });
        if self.is_clean(no) && self.is_clean(yes) {
            self.clean.insert(dst);
        }
        Src::Row(dst)
    }

    /// `pair[dst] = op(pair[a], pair[b])`
    pub(super) fn wide(&mut self, op: WideOp, dst: u16, a: u16, b: u16) {
        self.push(Step::UniformWide {
            op,
            dst,
            src: [pair(a), pair(b), Src::Const(0)],
        });
    }

    /// `pair[dst] = pair[from]`
    pub(super) fn copy(&mut self, dst: u16, from: u16) {
        if dst != from {
            self.push(Step::UniformWide {
                op: WideOp::Mov64,
                dst,
                src: [pair(from), Src::Const(0), Src::Const(0)],
            });
        }
    }

    /// `pair[dst] = value`, the upper half zero.
    pub(super) fn set(&mut self, dst: u16, value: u32) {
        self.push(Step::UniformWide {
            op: WideOp::Mov64,
            dst,
            src: [Src::Const(value), Src::Const(0), Src::Const(0)],
        });
    }

    /// Another lane of the quad.
    pub(super) fn quad(&mut self, source: Src, lanes: [u8; 4]) -> Src {
        let Src::Row(src) = source else {
            return source;
        };
        let dst = self.row();
        self.push(Step::Swizzle {
            dst,
            src,
            pattern: Swizzle::Quad(lanes),
        });
        if self.clean.contains(&src) {
            self.clean.insert(dst);
        }
        Src::Row(dst)
    }

    /// Says that a register is written behind the group.
    pub(super) fn write(&mut self, row: u16, value: Src) {
        self.writes.push((row, value));
    }

    /// Writes what the group has to write, and hands its steps to the builder.
    pub(super) fn finish_group(&mut self, only: Only) -> Result<(), LiftError> {
        for local in std::mem::take(&mut self.local_writes) {
            if let Local::Scatter {
                value, first, end, ..
            } = local
                && !self.is_clean(value)
            {
                (first..end).for_each(|row| self.soil(row));
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
            match clean {
                true => _ = self.clean.insert(row),
                false => self.soil(row),
            }
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
            Only::All if !self.facts.masks && !self.narrowed => self.copy(PREDICATE, new),
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

    /// A scalar pair for a mask within this group.
    pub(super) fn mask(&mut self) -> u16 {
        let mask = self.scalars;
        self.scalars += 2;
        self.scalars_end = self.scalars_end.max(self.scalars);
        mask
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
        if self.items[made + 1..].iter().any(touches) {
            return false;
        }
        if let Item::Step(Step::Alu { dst, .. } | Step::Select { dst, .. }) = &mut self.items[made]
        {
            *dst = row;
        }
        true
    }

    /// Hands the steps of the group to the builder.
    pub(super) fn flush_items(&mut self) {
        for item in std::mem::take(&mut self.items) {
            match item {
                Item::Step(step) => self.b.push(step),
                Item::Port(port) => {
                    self.b.port(port.effects());
                    self.ports.push(port);
                }
            }
        }
        self.scratch = self.scratch_begin;
        self.scalars = self.scalars_begin;
    }

    /// The execution mask is `pair` from here on.
    pub(super) fn execute(&mut self, mask: u16) {
        self.copy(ACTIVE, mask);
    }
}

/// Operations whose results have no denormals: those that flush, and bits that are no small floats.
fn flushed(op: LaneOp) -> bool {
    matches!(
        op,
        FFlush
            | FAddFlush
            | FSubFlush
            | FMulFlush
            | FMadFlush
            | FMadNegFlush
            | FFloor
            | FLog2
            | FRsq
            | FQuarterSinc
            | U32ToF32
            | I32ToF32
            | F16ToF32
            | Byte0ToF32
            | Byte1ToF32
            | Byte2ToF32
            | Byte3ToF32
    )
}
