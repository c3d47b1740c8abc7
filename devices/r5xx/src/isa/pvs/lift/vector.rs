//! The vector engine, and how both engines share an instruction. [R5XX 7.5.7]

use lanes::LaneOp::{self, *};
use lanes::{Src, WideOp};

use super::super::inst::{DstFile, Inst, Op, Operand, Target, Third};
use super::super::ops::VeSem;
use super::flow::Lifter;
use super::operands::{Output, Vector};
use super::{NEXT, PREDICATE, TEMP};
use crate::isa::arithmetic::{
    ONE, Signed, ZERO, compare, copy, float, plain, product, product_sum, select, sum, wide,
};

/// The sources of an instruction, fetched.
struct Sources {
    operands: [Operand; 3],
    vectors: [Option<Vector>; 3],
}

/// A result waits in rows of its own until both engines have read their sources.
struct Pending {
    target: Target,
    saturate: bool,
    outputs: Vec<Output>,
}

impl Lifter<'_> {
    /// Appends what an instruction does.
    pub(super) fn instruction(&mut self, inst: &Inst) {
        (self.predicated, self.next_predicate) = (inst.predicate.is_some(), false);
        let operands = inst.operands();
        let dual = match inst.third {
            Third::Math(math) => Some(math),
            Third::Source(_) => None,
        };
        let read = match inst.op {
            Op::Math(op) => op.sem().sources(),
            Op::Vector(_) | Op::Macro(_) => {
                let count = inst.op.operands();
                [0, 1, 2].map(|at| at < count)
            }
        };
        let vectors = [0, 1, 2].map(|at| read[at].then(|| self.vector(&operands[at])));
        let mut pending = Vec::with_capacity(2);
        // The masks of a conditional write last from here on, so the math half comes first.
        if let Some(math) = dual {
            let operand = math.operand();
            let scalars = match math.op.sem().operands() {
                0 => [ZERO; 3],
                _ => {
                    let from = self.vector(&operand);
                    let a = self.value(&operand, from, 0);
                    let second = self.value(&operand, from, 1);
                    [a, second, second]
                }
            };
            let component = usize::from(math.component);
            let outputs = self.math(math.op.sem(), scalars, &[component]);
            pending.push(Pending {
                target: Target {
                    file: DstFile::AltTemp,
                    offset: math.dst,
                    mask: 1 << component,
                    ..Target::default()
                },
                saturate: math.saturate,
                outputs,
            });
        }
        match inst.op {
            Op::Math(op) => {
                let scalars = [0, 1, 2].map(|at| match vectors[at] {
                    Some(from) => self.value(&operands[at], from, 3),
                    None => ZERO,
                });
                let outputs = self.math(op.sem(), scalars, &Self::wanted(&inst.target));
                pending.push(Pending {
                    target: inst.target,
                    saturate: inst.saturate,
                    outputs,
                });
            }
            Op::Vector(_) | Op::Macro(_) => {
                let sources = Sources { operands, vectors };
                let outputs = self.vector_op(inst, &sources, dual.is_some());
                pending.push(Pending {
                    target: inst.target,
                    saturate: inst.saturate,
                    outputs,
                });
            }
        }
        for part in pending {
            self.write(&part.target, part.saturate, inst.predicate, &part.outputs);
        }
        if self.predicated && self.next_predicate {
            copy(&mut self.b, PREDICATE, NEXT);
        }
    }

    /// The predicate becomes that of `TEMP`, once writes that depend on the old one are done.
    pub(super) fn set_predicate(&mut self) {
        self.next_predicate = true;
        let to = if self.predicated { NEXT } else { PREDICATE };
        copy(&mut self.b, to, TEMP);
    }

    /// The rows that operations on these components read.
    fn read_rows(sources: &Sources, components: &[usize]) -> Vec<Src> {
        let mut rows = Vec::new();
        for (operand, from) in sources.operands.iter().zip(sources.vectors) {
            let Some(from) = from else { continue };
            rows.extend(components.iter().filter_map(|c| from.row(operand, *c)));
        }
        rows
    }

    /// Computes a vector operation; gives the wanted components.
    fn vector_op(&mut self, inst: &Inst, sources: &Sources, dual: bool) -> Vec<Output> {
        let Some(sem) = inst.op.vector() else {
            return Vec::new();
        };
        let wanted = Self::wanted(&inst.target);
        match sem {
            VeSem::Nop => Vec::new(),
            VeSem::Dot => {
                let row = self.row();
                self.dot(sources, row);
                every(&wanted, Src::Row(row))
            }
            VeSem::MulClamp => {
                let row = self.row();
                self.mul_clamp(sources, row);
                every(&wanted, Src::Row(row))
            }
            VeSem::Push(op) => {
                let row = self.row();
                self.push(op, sources, row);
                every(&wanted, Src::Row(row))
            }
            VeSem::CondWrite(op) => {
                let conditional = (TEMP..).step_by(2).zip(wanted);
                let outputs = conditional.map(|(lanes, component)| {
                    let condition = self.source(sources, 0, component);
                    let value = self.source(sources, 1, component);
                    compare(&mut self.b, op, lanes, condition, ZERO);
                    // A row of its own, as the first write may hit what the second takes.
                    let row = self.row();
                    self.b.alu(Mov, row, &[value]);
                    Output {
                        component,
                        value: Src::Row(row),
                        lanes: Some(lanes),
                    }
                });
                outputs.collect()
            }
            sem => {
                let mut outputs = Vec::new();
                for (at, component) in wanted.iter().copied().enumerate() {
                    let later = Self::read_rows(sources, &wanted[at + 1..]);
                    let direct = match dual || inst.saturate {
                        true => None,
                        false => self.direct(&inst.target, component, inst.predicate, &later),
                    };
                    let row = direct.unwrap_or_else(|| self.row());
                    self.component(sem, sources, component, inst, row);
                    outputs.push(Output {
                        component,
                        value: Src::Row(row),
                        lanes: None,
                    });
                }
                outputs
            }
        }
    }

    fn signed_source(&mut self, sources: &Sources, at: usize, component: usize) -> Signed {
        match sources.vectors[at] {
            Some(from) => self.signed(&sources.operands[at], from, component),
            None => Signed {
                src: ZERO,
                negate: false,
            },
        }
    }

    fn source(&mut self, sources: &Sources, at: usize, component: usize) -> Src {
        let signed = self.signed_source(sources, at, component);
        let spare = self.row();
        plain(&mut self.b, signed, spare)
    }

    /// One component of an operation that works on each; `row` is written after the sources are read.
    fn component(
        &mut self,
        sem: VeSem,
        sources: &Sources,
        component: usize,
        inst: &Inst,
        row: u16,
    ) {
        let x = self.signed_source(sources, 0, component);
        let y = self.signed_source(sources, 1, component);
        let spare = self.row();
        match sem {
            VeSem::Alu(FMul) => product(&mut self.b, row, x, y),
            VeSem::Alu(FAdd) => sum(&mut self.b, row, x, y, spare),
            VeSem::Alu(FMad) => {
                let z = self.signed_source(sources, 2, component);
                product_sum(&mut self.b, row, x, y, z, spare);
            }
            VeSem::MadTwice => {
                let z = self.signed_source(sources, 2, component);
                let [twice, other] = [self.row(), self.row()];
                product(&mut self.b, twice, x, y);
                let [twice, two] =
                    [Src::Row(twice), float(2.0)].map(|src| Signed { src, negate: false });
                product_sum(&mut self.b, row, twice, two, z, other);
            }
            VeSem::Distance => match component {
                0 => self.b.alu(Mov, row, &[ONE]),
                1 => product(&mut self.b, row, x, y),
                2 => {
                    let x = plain(&mut self.b, x, spare);
                    self.b.alu(Mov, row, &[x]);
                }
                _ => {
                    let y = plain(&mut self.b, y, spare);
                    self.b.alu(Mov, row, &[y]);
                }
            },
            VeSem::Alu(op) => {
                let other = self.row();
                let x = plain(&mut self.b, x, spare);
                let y = plain(&mut self.b, y, other);
                self.b.alu(op, row, &[x, y]);
            }
            VeSem::Fract => {
                let floor = self.row();
                let x = plain(&mut self.b, x, spare);
                self.b.alu(FFloor, floor, &[x]);
                self.b.alu(FSub, row, &[x, Src::Row(floor)]);
            }
            VeSem::Set(op) => {
                let other = self.row();
                let x = plain(&mut self.b, x, spare);
                let y = plain(&mut self.b, y, other);
                compare(&mut self.b, op, TEMP, x, y);
                select(&mut self.b, row, TEMP, ZERO, ONE);
            }
            VeSem::CondMux(op) => {
                let other = self.row();
                let x = plain(&mut self.b, x, spare);
                let y = plain(&mut self.b, y, other);
                let z = self.source(sources, 2, component);
                compare(&mut self.b, op, TEMP, x, ZERO);
                select(&mut self.b, row, TEMP, z, y);
            }
            VeSem::Fix { round } => {
                let x = plain(&mut self.b, x, spare);
                let address = inst.target.file == DstFile::Address;
                let range = match inst.saturate {
                    true => [0, 1],
                    false => [-256, 255],
                };
                self.fix(x, round, address.then_some(range), row);
            }
            VeSem::Nop | VeSem::Dot | VeSem::MulClamp | VeSem::Push(_) | VeSem::CondWrite(_) => {}
        }
    }

    /// To an integer: one within these bounds for A0, a float for other targets.
    fn fix(&mut self, x: Src, round: bool, address: Option<[i32; 2]>, row: u16) {
        let value = self.row();
        let mut x = x;
        if round {
            self.b.alu(FAdd, value, &[x, float(0.5)]);
            x = Src::Row(value);
        }
        let Some([lowest, highest]) = address.map(|range| range.map(|n| Src::Const(n as u32)))
        else {
            self.b.alu(FFloor, row, &[x]);
            return;
        };
        self.b.alu(F32ToI32Floor, value, &[x]);
        self.b.alu(IMin, value, &[Src::Row(value), highest]);
        self.b.alu(IMax, row, &[Src::Row(value), lowest]);
    }

    /// Four products, summed in order.
    fn dot(&mut self, sources: &Sources, row: u16) {
        for component in 0..4 {
            let x = self.signed_source(sources, 0, component);
            let y = self.signed_source(sources, 1, component);
            let so_far = Signed {
                src: Src::Row(row),
                negate: false,
            };
            let spare = self.row();
            match component {
                0 => product(&mut self.b, row, x, y),
                _ => product_sum(&mut self.b, row, x, y, so_far, spare),
            }
        }
    }

    fn mul_clamp(&mut self, sources: &Sources, row: u16) {
        let [high, low] = [3, 0].map(|component| {
            let x = self.signed_source(sources, 0, component);
            let y = self.signed_source(sources, 1, component);
            let row = self.row();
            product(&mut self.b, row, x, y);
            Src::Row(row)
        });
        let [c_w, c_x] = [3, 0].map(|component| self.source(sources, 2, component));
        compare(&mut self.b, FGe, TEMP, c_x, low);
        select(&mut self.b, row, TEMP, low, c_x);
        compare(&mut self.b, FLt, TEMP, c_w, high);
        select(&mut self.b, row, TEMP, Src::Row(row), c_w);
    }

    /// `if` below another `if`: A.w counts the false branches around it.
    fn push(&mut self, op: LaneOp, sources: &Sources, row: u16) {
        let counter = self.source(sources, 0, 3);
        let value = self.source(sources, 1, 3);
        compare(&mut self.b, FEq, TEMP, counter, ZERO);
        compare(&mut self.b, op, TEMP + 2, value, ZERO);
        wide(&mut self.b, WideOp::And64, TEMP, TEMP, TEMP + 2);
        self.b.alu(FAdd, row, &[counter, ONE]);
        select(&mut self.b, row, TEMP, Src::Row(row), ZERO);
        self.set_predicate();
    }
}

/// The same value in all wanted components.
pub(super) fn every(wanted: &[usize], value: Src) -> Vec<Output> {
    let outputs = wanted.iter().map(|component| Output {
        component: *component,
        value,
        lanes: None,
    });
    outputs.collect()
}
