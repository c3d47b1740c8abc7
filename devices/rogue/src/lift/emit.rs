//! The steps of one group: collected, then handed to the builder.

use std::ops::Range;

use lanes::LaneOp::{self, *};
use lanes::{Src, Step, Swizzle, WideOp};

use super::ACTIVE;
use super::flow::Lifter;
use super::port::Port;

/// A step or a call of a port.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Step(Step),
    Port(Port),
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
            self.roots.remove(&row);
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
        self.changed(row);
        self.clean.remove(&row);
        self.flushed.soil(row);
    }

    /// A row is written: nothing is a copy of what it held.
    pub(super) fn changed(&mut self, row: u16) {
        self.roots.remove(&row);
        self.held.remove(&row);
        self.held.retain(|_, from| *from != Src::Row(row));
    }

    /// Nothing is known of rows but what holds everywhere.
    pub(super) fn forget(&mut self) {
        self.held.clear();
        self.roots.clear();
        self.clean.clear();
        self.clean.extend(self.flushed.rows());
    }

    /// Whether an operand has no denormals.
    pub(super) fn is_clean(&self, source: Src) -> bool {
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
    pub(super) fn is_constant(&self, scalar: u16) -> bool {
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

    /// A scalar pair for a mask within this group.
    pub(super) fn mask(&mut self) -> u16 {
        let mask = self.scalars;
        self.scalars += 2;
        self.scalars_end = self.scalars_end.max(self.scalars);
        mask
    }

    /// Hands the steps of the group to the builder.
    pub(super) fn flush_items(&mut self) {
        for item in std::mem::take(&mut self.items) {
            match item {
                Item::Step(step) => self.b.push(step),
                Item::Port(port) => {
                    self.b.port(port.effects());
                    self.ports.push(port);
                    let inside = |locked: &Range<u32>| locked.contains(&self.pc);
                    self.locked.push(self.facts.locked.iter().any(inside));
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
            | FQuarterSin
            | FQuarterCos
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
