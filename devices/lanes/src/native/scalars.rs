//! Machine code of steps on scalars and whole masks: one after the other, each from memory to memory, in any lanes.

use super::assembler::Assembler;
use crate::op::{LaneOp, WideOp};
use crate::step::{Src, Step};

/// A step that has code.
struct Scalar {
    dst: u16,
    /// The first operand, and the second where there is one.
    a: Src,
    b: Option<Src>,
    /// Operands have 64 bits.
    wide: bool,
    how: How,
}

/// What becomes of the first operand.
enum How {
    /// An instruction with the second, by its opcode for a memory operand; both operands are numbers of the same width.
    Same(u8),
    /// The same with all bits of the second turned.
    Turned(u8),
    /// All bits turned.
    Not,
    /// 0 or 1: an instruction with the second, and the low byte of the SETcc that looks at its flags.
    Flag(u8, u8),
}

/// Opcodes with a memory operand.
const ADD: u8 = 0x03;
const OR: u8 = 0x0b;
const AND: u8 = 0x23;
const SUB: u8 = 0x2b;
const XOR: u8 = 0x33;
const CMP: u8 = 0x3b;
const MOV: u8 = 0x8b;

/// Conditions of SETcc.
const CARRY: u8 = 0x92;
const EQUAL: u8 = 0x94;
const NOT_EQUAL: u8 = 0x95;

fn scalar(step: &Step) -> Option<Scalar> {
    let (dst, [a, b, _], wide, how, two) = match *step {
        Step::UniformWide { op, dst, src } => {
            let (how, two) = wide_op(op)?;
            (dst, src, true, how, two)
        }
        Step::Uniform { op, dst, src } => {
            let (how, two) = lane_op(op)?;
            (dst, src, false, how, two)
        }
        _ => return None,
    };
    let b = two.then_some(b);
    let known = |src: &Src| !matches!(src, Src::Row(_));
    let all = known(&a) && b.as_ref().is_none_or(known);
    all.then_some(Scalar {
        dst,
        a,
        b,
        wide,
        how,
    })
}

/// How an operation is done, and whether it has two operands.
fn wide_op(op: WideOp) -> Option<(How, bool)> {
    use WideOp::*;
    Some(match op {
        Mov64 => (How::Same(MOV), false),
        Not64 => (How::Not, false),
        And64 => (How::Same(AND), true),
        Or64 => (How::Same(OR), true),
        Xor64 => (How::Same(XOR), true),
        AndNot64 => (How::Turned(AND), true),
        OrNot64 => (How::Turned(OR), true),
        IEq64 => (How::Flag(CMP, EQUAL), true),
        INe64 => (How::Flag(CMP, NOT_EQUAL), true),
        _ => return None,
    })
}

fn lane_op(op: LaneOp) -> Option<(How, bool)> {
    use LaneOp::*;
    Some(match op {
        Mov => (How::Same(MOV), false),
        IAdd => (How::Same(ADD), true),
        ISub => (How::Same(SUB), true),
        And => (How::Same(AND), true),
        Or => (How::Same(OR), true),
        Xor => (How::Same(XOR), true),
        AndNot => (How::Turned(AND), true),
        OrNot => (How::Turned(OR), true),
        CarryAdd => (How::Flag(ADD, CARRY), true),
        IEq => (How::Flag(CMP, EQUAL), true),
        INe => (How::Flag(CMP, NOT_EQUAL), true),
        ULt => (How::Flag(CMP, 0x92), true),
        UGe => (How::Flag(CMP, 0x93), true),
        ULe => (How::Flag(CMP, 0x96), true),
        UGt => (How::Flag(CMP, 0x97), true),
        ILt => (How::Flag(CMP, 0x9c), true),
        IGe => (How::Flag(CMP, 0x9d), true),
        ILe => (How::Flag(CMP, 0x9e), true),
        IGt => (How::Flag(CMP, 0x9f), true),
        _ => return None,
    })
}

/// Whether this code does a step.
pub(super) fn has_code(step: &Step) -> bool {
    scalar(step).is_some()
}

/// Writes the function of steps that all have code.
pub(super) fn function(asm: &mut Assembler, steps: &[Step]) {
    for step in steps.iter().filter_map(scalar) {
        asm.scalar(&step);
    }
    asm.leave();
}

impl Assembler {
    fn scalar(&mut self, step: &Scalar) {
        let Scalar {
            dst, a, b, wide, ..
        } = *step;
        let b = b.unwrap_or(a);
        // A result of 0 or 1 is a single scalar.
        let stored_wide = wide && !matches!(step.how, How::Flag(..));
        match step.how {
            How::Same(MOV) => self.with_source(MOV, a, wide),
            How::Same(opcode) => {
                self.with_source(MOV, a, wide);
                self.with_source(opcode, b, wide);
            }
            How::Turned(opcode) => {
                self.with_source(MOV, b, wide);
                self.turn(wide);
                self.with_source(opcode, a, wide);
            }
            How::Not => {
                self.with_source(MOV, a, wide);
                self.turn(wide);
            }
            How::Flag(opcode, condition) => {
                self.with_source(MOV, a, wide);
                self.with_source(opcode, b, wide);
                // setcc al; movzx eax, al
                self.bytes(&[0x0f, condition, 0xc0, 0x0f, 0xb6, 0xc0]);
            }
        }
        // mov [rsi + 4 dst], rax
        self.bytes(&[0x48][..usize::from(stored_wide)]);
        self.bytes(&[0x89, 0x86]);
        self.bytes(&(i32::from(dst) * 4).to_le_bytes());
    }

    /// `not rax`
    fn turn(&mut self, wide: bool) {
        self.bytes(&[0x48][..usize::from(wide)]);
        self.bytes(&[0xf7, 0xd0]);
    }

    /// An instruction of RAX and an operand; constants have 32 bits and no sign.
    fn with_source(&mut self, opcode: u8, source: Src, wide: bool) {
        let prefix = &[0x48][..usize::from(wide)];
        match source {
            Src::Scalar(at) => {
                self.bytes(prefix);
                self.bytes(&[opcode, 0x86]);
                self.bytes(&(i32::from(at) * 4).to_le_bytes());
            }
            Src::Row(_) | Src::Const(_) => {
                let value = match source {
                    Src::Const(value) => value,
                    _ => 0,
                };
                // mov ecx, value
                self.bytes(&[0xb9]);
                self.bytes(&value.to_le_bytes());
                self.bytes(prefix);
                self.bytes(&[opcode, 0xc1]);
            }
        }
    }
}
