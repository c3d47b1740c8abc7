//! Machine code of steps on scalars and whole masks: one after the other, each from memory to memory, in any lanes.

use super::assembler::Assembler;
use super::emitter::NAN;
use crate::op::{LaneOp, WideOp};
use crate::step::{Src, Step};

/// A step that has code.
struct Scalar {
    dst: u16,
    /// The first operand, and the others where there are some.
    a: Src,
    b: Option<Src>,
    c: Option<Src>,
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
    /// The second where the third, a scalar, is 0.
    Pick,
    /// Shifted by the low bits of the second: which shift, in the place of a register.
    Shift(u8),
    /// The product of words.
    Product,
    /// The second under a condition of CMOVcc.
    Choice(u8),
    /// The number as a float, without a sign or with one.
    Float { signed: bool },
    /// An instruction on floats with the second.
    Floats(u8),
}

/// Opcodes with a memory operand.
const ADD: u8 = 0x03;
const OR: u8 = 0x0b;
const AND: u8 = 0x23;
const SUB: u8 = 0x2b;
const XOR: u8 = 0x33;
const CMP: u8 = 0x3b;
const MOV: u8 = 0x8b;

/// Opcodes of scalar floats.
const ADD_F: u8 = 0x58;
const MUL_F: u8 = 0x59;
const SUB_F: u8 = 0x5c;

/// Conditions of SETcc.
const CARRY: u8 = 0x92;
const EQUAL: u8 = 0x94;
const NOT_EQUAL: u8 = 0x95;

fn scalar(step: &Step) -> Option<Scalar> {
    let (dst, [a, b, c], wide, how, operands) = match *step {
        Step::UniformWide { op, dst, src } => {
            let (how, operands) = wide_op(op)?;
            (dst, src, true, how, operands)
        }
        Step::Uniform { op, dst, src } => {
            let (how, operands) = lane_op(op)?;
            (dst, src, false, how, operands)
        }
        _ => return None,
    };
    let (b, c) = ((operands > 1).then_some(b), (operands > 2).then_some(c));
    let known = |src: &Src| !matches!(src, Src::Row(_));
    let scalar = |src: Src| matches!(src, Src::Scalar(_));
    let all = known(&a) && b.as_ref().is_none_or(known) && c.is_none_or(scalar);
    all.then_some(Scalar {
        dst,
        a,
        b,
        c,
        wide,
        how,
    })
}

/// How an operation is done, and how many operands it has.
fn wide_op(op: WideOp) -> Option<(How, usize)> {
    use WideOp::*;
    Some(match op {
        Mov64 => (How::Same(MOV), 1),
        Not64 => (How::Not, 1),
        And64 => (How::Same(AND), 2),
        Or64 => (How::Same(OR), 2),
        Xor64 => (How::Same(XOR), 2),
        AndNot64 => (How::Turned(AND), 2),
        OrNot64 => (How::Turned(OR), 2),
        IEq64 => (How::Flag(CMP, EQUAL), 2),
        INe64 => (How::Flag(CMP, NOT_EQUAL), 2),
        Pick64 => (How::Pick, 3),
        _ => return None,
    })
}

fn lane_op(op: LaneOp) -> Option<(How, usize)> {
    use LaneOp::*;
    Some(match op {
        Mov => (How::Same(MOV), 1),
        IAdd => (How::Same(ADD), 2),
        ISub => (How::Same(SUB), 2),
        And => (How::Same(AND), 2),
        Or => (How::Same(OR), 2),
        Xor => (How::Same(XOR), 2),
        AndNot => (How::Turned(AND), 2),
        OrNot => (How::Turned(OR), 2),
        CarryAdd => (How::Flag(ADD, CARRY), 2),
        Pick => (How::Pick, 3),
        Shl => (How::Shift(0xe0), 2),
        Shr => (How::Shift(0xe8), 2),
        Sar => (How::Shift(0xf8), 2),
        IMul => (How::Product, 2),
        UMin => (How::Choice(0x47), 2),
        UMax => (How::Choice(0x42), 2),
        IMin => (How::Choice(0x4f), 2),
        IMax => (How::Choice(0x4c), 2),
        U32ToF32 => (How::Float { signed: false }, 1),
        I32ToF32 => (How::Float { signed: true }, 1),
        FAdd => (How::Floats(ADD_F), 2),
        FSub => (How::Floats(SUB_F), 2),
        FMul => (How::Floats(MUL_F), 2),
        IEq => (How::Flag(CMP, EQUAL), 2),
        INe => (How::Flag(CMP, NOT_EQUAL), 2),
        ULt => (How::Flag(CMP, 0x92), 2),
        UGe => (How::Flag(CMP, 0x93), 2),
        ULe => (How::Flag(CMP, 0x96), 2),
        UGt => (How::Flag(CMP, 0x97), 2),
        ILt => (How::Flag(CMP, 0x9c), 2),
        IGe => (How::Flag(CMP, 0x9d), 2),
        ILe => (How::Flag(CMP, 0x9e), 2),
        IGt => (How::Flag(CMP, 0x9f), 2),
        _ => return None,
    })
}

/// Whether this code does a step.
pub(super) fn has_code(step: &Step) -> bool {
    scalar(step).is_some()
}

/// Writes the function of steps that all have code.
pub(super) fn function(asm: &mut Assembler, steps: &[Step]) {
    self::steps(asm, steps);
    asm.leave();
}

/// Writes steps that all have code where they run.
pub(super) fn steps(asm: &mut Assembler, steps: &[Step]) {
    for step in steps.iter().filter_map(scalar) {
        asm.scalar(&step);
    }
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
            How::Pick => {
                self.with_source(MOV, a, wide);
                self.second(b, wide);
                // cmp dword [rsi + 4 c], 0; cmove rax, rcx
                if let Some(Src::Scalar(c)) = step.c {
                    self.bytes(&[0x83, 0xbe]);
                    self.word(i32::from(c) * 4);
                    self.bytes(&[0]);
                }
                self.bytes(&[0x48][..usize::from(wide)]);
                self.bytes(&[0x0f, 0x44, 0xc1]);
            }
            How::Shift(shift) => {
                self.with_source(MOV, a, wide);
                self.second(b, wide);
                // shl, shr or sar eax, cl
                self.bytes(&[0xd3, shift]);
            }
            How::Product => {
                self.with_source(MOV, a, wide);
                self.second(b, wide);
                // imul eax, ecx
                self.bytes(&[0x0f, 0xaf, 0xc1]);
            }
            How::Choice(condition) => {
                self.with_source(MOV, a, wide);
                self.second(b, wide);
                // cmp eax, ecx; cmovcc eax, ecx
                self.bytes(&[0x39, 0xc8, 0x0f, condition, 0xc1]);
            }
            How::Float { signed } => {
                self.with_source(MOV, a, wide);
                // vpxor xmm0, xmm0, xmm0; vcvtsi2ss xmm0, xmm0, eax or rax; vmovd eax, xmm0
                self.bytes(&[0xc5, 0xf9, 0xef, 0xc0]);
                match signed {
                    true => self.bytes(&[0xc5, 0xfa, 0x2a, 0xc0]),
                    false => self.bytes(&[0xc4, 0xe1, 0xfa, 0x2a, 0xc0]),
                }
                self.bytes(&[0xc5, 0xf9, 0x7e, 0xc0]);
            }
            How::Floats(opcode) => {
                self.with_source(MOV, a, wide);
                self.second(b, wide);
                // vmovd xmm0, eax; vmovd xmm1, ecx; v...ss xmm0, xmm0, xmm1; vmovd eax, xmm0
                self.bytes(&[0xc5, 0xf9, 0x6e, 0xc0, 0xc5, 0xf9, 0x6e, 0xc9]);
                self.bytes(&[0xc5, 0xfa, opcode, 0xc1, 0xc5, 0xf9, 0x7e, 0xc0]);
                // Any NaN is arithmetic's: vucomiss xmm0, xmm0; jnp; mov eax, NaN
                self.bytes(&[0xc5, 0xf8, 0x2e, 0xc0, 0x7b, 5, 0xb8]);
                self.bytes(&NAN.to_le_bytes());
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
        self.word(i32::from(dst) * 4);
    }

    /// `not rax`
    fn turn(&mut self, wide: bool) {
        self.bytes(&[0x48][..usize::from(wide)]);
        self.bytes(&[0xf7, 0xd0]);
    }

    /// `mov rcx, source`
    fn second(&mut self, source: Src, wide: bool) {
        match source {
            Src::Scalar(at) => {
                self.bytes(&[0x48][..usize::from(wide)]);
                self.bytes(&[MOV, 0x8e]);
                self.word(i32::from(at) * 4);
            }
            Src::Const(value) => {
                self.bytes(&[0xb9]);
                self.bytes(&value.to_le_bytes());
            }
            Src::Row(_) => {}
        }
    }

    /// An instruction of RAX and an operand; constants have 32 bits and no sign.
    fn with_source(&mut self, opcode: u8, source: Src, wide: bool) {
        let prefix = &[0x48][..usize::from(wide)];
        match source {
            Src::Scalar(at) => {
                self.bytes(prefix);
                self.bytes(&[opcode, 0x86]);
                self.word(i32::from(at) * 4);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::engine::Engine;
    use crate::native::Native;
    use crate::step::Program;
    use crate::wave::{Batch, PortFault, Ports, Wave};

    struct NoPorts;

    impl Ports for NoPorts {
        fn call(&mut self, _: std::ops::Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
            Ok(())
        }
    }

    /// All that have code, of awkward numbers.
    #[test]
    fn operations_of_words() {
        let ops = [
            "IMul", "UMin", "UMax", "IMin", "IMax", "FAdd", "FSub", "FMul", "IAdd", "ULt", "IGe",
        ];
        let single = ["U32ToF32", "I32ToF32", "Mov"];
        let mut text = "rows 1\nscalars 24\nexec s0\n".to_owned();
        let pairs = ops.iter().map(|op| format!("{op} s2, s3"));
        let lines = pairs.chain(single.iter().map(|op| format!("{op} s2")));
        let mut count = 0;
        for (n, line) in lines.enumerate() {
            text += &format!("{n}: s{} = {line} ; 0x0 0x0\n", 4 + n);
            count = n + 1;
        }
        text += &format!("{count}: end ; 0x0 0x0\n");
        let program: Program = text.parse().unwrap();
        let scalars: Vec<_> = program.steps[..count].iter().map(super::has_code).collect();
        assert_eq!(scalars, vec![true; count]);
        let numbers = [
            0,
            1,
            0x8000_0000,
            0x7fff_ffff,
            0xffff_ffff,
            0x3f80_0001,
            0xbf80_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_1234,
            0x7f80_0001,
            0x0080_0000,
            0x0000_0003,
            0x4b00_0001,
            0x7f7f_ffff,
        ];
        for a in numbers {
            for b in numbers {
                let run = |engine: &dyn Fn(&mut Wave)| {
                    let mut wave = Wave::new(1, 24);
                    (wave.scalars[2], wave.scalars[3]) = (a, b);
                    engine(&mut wave);
                    wave.scalars.to_vec()
                };
                let (native, plain) = (Native::new(), crate::Interpreter::default());
                let code = native.prepare(&program).unwrap();
                let kernels = plain.prepare(&program).unwrap();
                let found = run(&|wave| native.run(&code, wave, &mut NoPorts).unwrap());
                let expected = run(&|wave| plain.run(&kernels, wave, &mut NoPorts).unwrap());
                assert_eq!(found, expected, "{a:#x} {b:#x}");
            }
        }
    }

    #[test]
    fn choices_and_shifts() {
        let text = "rows 1\nscalars 20\nexec s0\n0: s8 = Pick s2, s3, s6 ; 0x0 0x0\n\
                    1: s9 = Pick 0x7, s3, s7 ; 0x0 0x0\n2: s10 = Pick64 s2, s4, s6 ; 0x0 0x0\n\
                    3: s12 = Pick64 s4, 0xffffffff, s7 ; 0x0 0x0\n4: s14 = Shl s2, s3 ; 0x0 0x0\n\
                    5: s15 = Shr s5, 0x21 ; 0x0 0x0\n6: s16 = Sar s5, s3 ; 0x0 0x0\n\
                    7: s6 = Pick s6, s2, s6 ; 0x0 0x0\n8: end ; 0x0 0x0\n";
        let program: Program = text.parse().unwrap();
        let engine = Native::new();
        let prepared = engine.prepare(&program).unwrap();
        let mut wave = Wave::new(1, 20);
        let given = [0x89ab_cdef, 36, 5, 0xf000_0001, 0x8000_0000, 0];
        wave.scalars[2..8].copy_from_slice(&given);
        engine.run(&prepared, &mut wave, &mut NoPorts).unwrap();
        let expected = [
            given[0],
            given[1],
            given[0],
            given[1],
            u32::MAX,
            0,
            given[0] << 4,
            given[3] >> 1,
            0xff00_0000,
        ];
        assert_eq!(wave.scalars[8..17], expected);
        assert_eq!(wave.scalars[6], given[4]);
    }
}
