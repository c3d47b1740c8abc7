//! The operands that an instruction shows in text, derived from its meaning.

use lanes::Operand;

use super::super::scalar::{Sem as ScalarSem, SemC, Sop1Op, Sop2Op, SopcOp};
use super::super::vector::{Sem, VectorOp};

/// The destination of a vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::isa) enum Destination {
    /// None.
    None,
    /// This many VGPRs.
    Vector(u16),
    /// This many scalars, named by the VDST field.
    Scalar(u16),
}

/// What a vector instruction shows after its destination.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::isa) struct VectorForm {
    pub(in crate::isa) destination: Destination,
    /// A mask is written beside the destination.
    pub(in crate::isa) mask_out: bool,
    /// Types of the sources that are shown.
    pub(in crate::isa) src: Vec<Operand>,
    /// A mask is read as last source.
    pub(in crate::isa) mask_in: bool,
    /// The source after which V_MADMK and V_MADAK show their constant.
    pub(in crate::isa) constant_after: Option<usize>,
}

impl VectorForm {
    pub(in crate::isa) fn of(op: VectorOp) -> VectorForm {
        let registers = |ty| 1 + u16::from(is_wide(ty));
        let mut form = VectorForm {
            destination: Destination::Vector(1),
            mask_out: op.has_scalar_destination(),
            src: vec![Operand::U32; 2],
            mask_in: false,
            constant_after: None,
        };
        let arity = match op {
            VectorOp::Compare(op) => {
                form.destination = Destination::Scalar(2);
                form.src = op.params().to_vec();
                return form;
            }
            VectorOp::Two(_) => 2,
            VectorOp::One(_) => 1,
            VectorOp::Three(_) => 3,
        };
        let Some(sem) = op.sem() else { return form };
        let take = |params: &[Operand]| params[..params.len().min(arity)].to_vec();
        match sem {
            Sem::Alu(op) | Sem::Onto(op) | Sem::Then(op, _) => form.src = take(op.params()),
            Sem::Swapped(op) => form.src = op.params().iter().rev().copied().collect(),
            Sem::Wide(op) | Sem::WideThen(op, _) => {
                form.src = take(op.params());
                form.destination = Destination::Vector(registers(op.result()));
            }
            Sem::DivScale(op, _) | Sem::DivFmas(op, _) => form.src = take(op.params()),
            Sem::DivScaleWide(op, _) | Sem::DivFmasWide(op, _) => {
                form.src = take(op.params());
                form.destination = Destination::Vector(2);
            }
            Sem::MadMk => {
                form.src = vec![Operand::F32; 2];
                form.constant_after = Some(0);
            }
            Sem::MadAk => {
                form.src = vec![Operand::F32; 2];
                form.constant_after = Some(1);
            }
            Sem::Select | Sem::CarryIn(_) => form.mask_in = true,
            Sem::ReadLane => form.destination = Destination::Scalar(1),
            Sem::ReadFirstLane => {
                form.destination = Destination::Scalar(1);
                form.src.truncate(1);
            }
            Sem::Relative(_) => form.src.truncate(1),
            Sem::Nothing => {
                form.destination = Destination::None;
                form.src.clear();
            }
            Sem::Carry(_) | Sem::CountBelow(_) | Sem::WriteLane => {}
        }
        form
    }
}

fn is_wide(ty: Operand) -> bool {
    matches!(ty, Operand::F64 | Operand::U64 | Operand::I64)
}

/// Registers of (destination, first source, second source); 0 where there is none.
pub(in crate::isa) type ScalarForm = [u16; 3];

fn scalar_form(sem: ScalarSem, arity: usize) -> ScalarForm {
    let wide = |ty: Operand| 1 + u16::from(is_wide(ty));
    let form = match sem {
        ScalarSem::Alu(..)
        | ScalarSem::Inverted(_)
        | ScalarSem::OfInverted(..)
        | ScalarSem::Chain(_) => [1, 1, 1],
        ScalarSem::Wide(op, _) | ScalarSem::WideInverted(op) => {
            let param = |at| op.params().get(at).copied().map_or(0, wide);
            [wide(op.result()), param(0), param(1)]
        }
        ScalarSem::OfWideInverted(op, _) => [wide(op.result()), 2, 0],
        ScalarSem::Pick(size) | ScalarSem::PickMove(size) => [size.into(); 3],
        ScalarSem::Extend(_) => [1, 1, 0],
        ScalarSem::BitSet { size, .. } => [size.into(), 1, 0],
        ScalarSem::SaveExec(_) | ScalarSem::SaveExecInverted(_) => [2, 2, 0],
        ScalarSem::RelativeSource(size) | ScalarSem::RelativeDestination(size) => {
            [size.into(), size.into(), 0]
        }
        ScalarSem::GetPc => [2, 0, 0],
        ScalarSem::SetPc | ScalarSem::ReturnFromTrap => [0, 2, 0],
        ScalarSem::SwapPc => [2, 2, 0],
        ScalarSem::Fork => [0, 2, 2],
        ScalarSem::Join => [0, 1, 0],
    };
    match arity {
        1 => [form[0], form[1], 0],
        _ => form,
    }
}

pub(in crate::isa) fn sop2(op: Sop2Op) -> ScalarForm {
    scalar_form(op.sem(), 2)
}

pub(in crate::isa) fn sop1(op: Sop1Op) -> ScalarForm {
    scalar_form(op.sem(), 1)
}

pub(in crate::isa) fn sopc(op: SopcOp) -> ScalarForm {
    match op.sem() {
        SemC::BitTest { size, .. } => [0, size.into(), 1],
        _ => [0, 1, 1],
    }
}
