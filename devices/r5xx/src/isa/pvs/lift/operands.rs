//! Operands to rows and scalars, results to registers.

use lanes::LaneOp::{FAbs, FSat, Mov};
use lanes::{Src, WideOp};

use super::super::inst::{DstFile, Mode, Operand, Select, SrcFile, Target};
use super::flow::Lifter;
use super::{Access, Constant, PREDICATE, Port, TEMP};
use crate::isa::arithmetic::{ONE, Signed, ZERO, copy, mov, select, wide};

/// A vector that an operand names, before swizzle and signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector([Src; 4]);

/// What an instruction gives for a component of its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// Component.
    pub component: usize,
    /// Where the result is.
    pub value: Src,
    /// Lanes that take it, if not all: a scalar pair.
    pub lanes: Option<u16>,
}

impl Vector {
    /// The row that a component of the operand comes from.
    pub(super) fn row(&self, operand: &Operand, component: usize) -> Option<Src> {
        let select = operand.swizzle[component];
        (!select.is_constant()).then(|| self.0[select as usize])
    }
}

impl Lifter<'_> {
    /// The vector of an operand; one read with an index goes to rows of its own.
    pub(super) fn vector(&mut self, operand: &Operand) -> Vector {
        if operand.is_constant() {
            return Vector([ZERO; 4]);
        }
        if operand.mode != Mode::Absolute {
            return self.indexed(operand);
        }
        let offset = operand.offset;
        if operand.file == SrcFile::Constant {
            let index = self.control.const_base.wrapping_add(offset);
            return Vector([0, 1, 2, 3].map(|component| {
                let at = self.constants.get(&Constant { index, component });
                // Beyond the last constant of the program there are zeros.
                let at = at.filter(|_| offset <= self.control.const_max);
                at.map_or(ZERO, |at| Src::Scalar(*at))
            }));
        }
        let first = self.layout.read(operand.file).start + 4 * u16::from(offset);
        Vector([0, 1, 2, 3].map(|component| Src::Row(first + component)))
    }

    /// What A0 or the loop counter adds.
    fn index(&self, mode: Mode) -> Src {
        match mode {
            Mode::Address(at) => Src::Row(self.layout.address.start + u16::from(at)),
            Mode::Loop => self.loop_index.map_or(ZERO, Src::Scalar),
            Mode::Absolute => ZERO,
        }
    }

    fn indexed(&mut self, operand: &Operand) -> Vector {
        let dst = self.rows(4);
        let scalars = operand.file == SrcFile::Constant;
        let memory = match scalars {
            true => {
                let first = self.constants.get(&Constant {
                    index: self.control.const_base,
                    component: 0,
                });
                let first = first.copied().unwrap_or(super::CONSTANTS);
                first..first + 4 * (u16::from(self.control.const_max) + 1)
            }
            false => self.layout.read(operand.file).clone(),
        };
        self.port(Port {
            access: Access::Read { dst, scalars },
            memory,
            offset: operand.offset,
            index: self.index(operand.mode),
        });
        Vector([0, 1, 2, 3].map(|component| Src::Row(dst + component)))
    }

    /// A component of an operand, with its sign still to change.
    pub(super) fn signed(&mut self, operand: &Operand, from: Vector, component: usize) -> Signed {
        let src = match operand.swizzle[component] {
            Select::Zero | Select::Unused => ZERO,
            Select::One => ONE,
            select => from.0[select as usize],
        };
        let src = match src {
            src if !operand.abs => src,
            Src::Const(bits) => Src::Const(bits & !(1 << 31)),
            src => {
                let row = self.row();
                self.b.alu(FAbs, row, &[src]);
                Src::Row(row)
            }
        };
        Signed {
            src,
            negate: operand.negate[component],
        }
    }

    /// A component of an operand.
    pub(super) fn value(&mut self, operand: &Operand, from: Vector, component: usize) -> Src {
        let signed = self.signed(operand, from, component);
        let spare = self.row();
        crate::isa::arithmetic::plain(&mut self.b, signed, spare)
    }

    /// Components of the target that an instruction has to compute.
    pub(super) fn wanted(target: &Target) -> Vec<usize> {
        match target.file {
            DstFile::OutputX if target.mask != 0 => vec![0],
            _ => (0..4).filter(|c| target.mask >> c & 1 == 1).collect(),
        }
    }

    /// The row that a component of the target may be computed in at once: nothing before it or after it reads the row.
    pub(super) fn direct(
        &self,
        target: &Target,
        component: usize,
        predicate: Option<bool>,
        read: &[Src],
    ) -> Option<u16> {
        let plain = target.mode == Mode::Absolute
            && predicate.is_none()
            && !matches!(target.file, DstFile::OutputX | DstFile::Address);
        let row = self.target_row(target, component);
        (plain && !read.contains(&Src::Row(row))).then_some(row)
    }

    fn target_row(&self, target: &Target, component: usize) -> u16 {
        let first = self.layout.written(target.file).start;
        let offset = match target.file {
            DstFile::Address => 0,
            _ => u16::from(target.offset),
        };
        first + 4 * offset + component as u16
    }

    /// Writes results to their target.
    pub(super) fn write(
        &mut self,
        target: &Target,
        saturate: bool,
        predicate: Option<bool>,
        outputs: &[Output],
    ) {
        let mut outputs = outputs.to_vec();
        // A0 has integers, which their conversion has clamped.
        if saturate && target.file != DstFile::Address {
            for output in &mut outputs {
                let row = self.row();
                self.b.alu(FSat, row, &[output.value]);
                output.value = Src::Row(row);
            }
        }
        if target.file == DstFile::OutputX {
            let Some(x) = outputs.first().copied() else {
                return;
            };
            let components = (0..4).filter(|c| target.mask >> c & 1 == 1);
            outputs = components
                .map(|component| Output { component, ..x })
                .collect();
        }
        if matches!(target.file, DstFile::Output | DstFile::OutputX) {
            self.note_outputs(target);
        }
        if target.mode != Mode::Absolute {
            self.write_indexed(target, predicate, &outputs);
            return;
        }
        for output in outputs {
            let row = self.target_row(target, output.component);
            let lanes = self.lanes(predicate, output.lanes);
            match lanes {
                None => mov(&mut self.b, row, output.value),
                Some(lanes) => select(&mut self.b, row, lanes, Src::Row(row), output.value),
            }
        }
    }

    fn note_outputs(&mut self, target: &Target) {
        let mask = u128::from(target.mask);
        self.written |= match target.mode {
            Mode::Absolute => mask << (4 * u32::from(target.offset)),
            Mode::Address(_) | Mode::Loop => (0..32).fold(0, |all, at| all | mask << (4 * at)),
        };
    }

    /// The lanes that take a result: those of both conditions.
    fn lanes(&mut self, predicate: Option<bool>, lanes: Option<u16>) -> Option<u16> {
        let sense = match (predicate, lanes) {
            (None, lanes) => return lanes,
            (Some(true), None) => return Some(PREDICATE),
            (Some(sense), _) => sense,
        };
        let dst = TEMP + 8;
        match lanes {
            Some(lanes) => {
                let op = if sense {
                    WideOp::And64
                } else {
                    WideOp::AndNot64
                };
                wide(&mut self.b, op, dst, lanes, PREDICATE);
            }
            None => wide(&mut self.b, WideOp::AndNot64, dst, super::ACTIVE, PREDICATE),
        }
        Some(dst)
    }

    fn write_indexed(&mut self, target: &Target, predicate: Option<bool>, outputs: &[Output]) {
        let src = self.rows(4);
        for output in outputs {
            self.b
                .alu(Mov, src + output.component as u16, &[output.value]);
        }
        let conditional: Vec<&Output> = outputs.iter().filter(|o| o.lanes.is_some()).collect();
        let memory = self.layout.written(target.file).clone();
        let index = self.index(target.mode);
        let port = |mask| Port {
            access: Access::Write {
                src,
                mask,
                predicate,
            },
            memory: memory.clone(),
            offset: target.offset,
            index,
        };
        if conditional.is_empty() {
            self.port(port(target.mask));
            return;
        }
        // Each component has lanes of its own, which become the enabled ones for a moment.
        let saved = TEMP + 8;
        copy(&mut self.b, saved, super::ACTIVE);
        for output in outputs {
            let lanes = output.lanes.unwrap_or(saved);
            wide(&mut self.b, WideOp::And64, super::ACTIVE, saved, lanes);
            self.port(port(1 << output.component));
        }
        copy(&mut self.b, super::ACTIVE, saved);
    }
}
