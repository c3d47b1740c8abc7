//! Arithmetic: operations to instructions.
//!
//! In: arithmetic of the SSA. Out: scalar instructions for uniform values where there are some, else vector instructions,
//! with signs, clamps and products of their operands taken along.

use lanes::LaneOp;
use southern_islands::isa::compare::VopcOp;
use southern_islands::isa::scalar::{Sop1Op, Sop2Op};
use southern_islands::isa::vector::{VectorOp, Vop1Op, Vop2Op, Vop3Op};

use super::machine::{EXEC, Modifiers, Operand};
use super::select::{Select, Source, ValueLocation};
use super::table::{self, ScalarOp};
use crate::codegen::Result;
use crate::ir::{BoolOp, Inst as IrInst, Type, Value};

impl Select<'_> {
    /// Selects an arithmetic instruction.
    pub(super) fn alu(&mut self, op: LaneOp, inst: &IrInst) -> Result<()> {
        let result = inst.results[0];
        let args = &inst.args[..];
        if self.plans[result.0 as usize].absorbed {
            return Ok(());
        }
        if self.function.types[result.0 as usize] == Type::Bool {
            return self.compare(op, result, args);
        }
        if self.scalar[result.0 as usize] {
            return self.scalar_alu(op, result, args);
        }
        match op {
            LaneOp::Mov => {
                let word = self.word(args[0]);
                self.define(result, word);
            }
            LaneOp::FNeg | LaneOp::FAbs => self.sign(op, result, args[0]),
            LaneOp::FSat => self.saturate(result, args[0]),
            LaneOp::AndNot => {
                let (a, b) = (self.word(args[0]), self.word(args[1]));
                let dst = self.three(Vop3Op::V_BFI_B32, [b, Operand::Const(0), a]);
                self.define(result, dst);
            }
            LaneOp::OrNot => {
                let (a, b) = (self.word(args[0]), self.word(args[1]));
                let ones = Operand::Const(u32::MAX);
                let dst = self.three(Vop3Op::V_BFI_B32, [b, a, ones]);
                self.define(result, dst);
            }
            LaneOp::Or if let Some([mask, a, b]) = self.insertion(args) => {
                let [mask, a, b] = [mask, a, b].map(|value| self.word(value));
                let dst = self.three(Vop3Op::V_BFI_B32, [mask, a, b]);
                self.define(result, dst);
            }
            LaneOp::IAbs => {
                let a = self.vector_word(args[0]);
                let minus = self.two(Vop2Op::V_SUB_I32, Operand::Const(0), a);
                let dst = self.two(Vop2Op::V_MAX_I32, a, minus);
                self.define(result, dst);
            }
            LaneOp::Pick => {
                let mask = self.mask(args[2]);
                let (yes, no) = (self.word(args[0]), self.word(args[1]));
                let dst = self.pick(mask, yes, no);
                self.define(result, dst);
            }
            LaneOp::UDiv | LaneOp::URem => self.divide(op, result, args),
            LaneOp::FAdd | LaneOp::FSub => self.add(op, result, args),
            LaneOp::FMin
            | LaneOp::FMax
            | LaneOp::IMin
            | LaneOp::IMax
            | LaneOp::UMin
            | LaneOp::UMax => self.extreme(op, result, args),
            _ => {
                let Some(code) = table::vector(op) else {
                    return Err(self.unsupported(format!("the operation {}", op.name())));
                };
                let sources = self.sources(op, args);
                self.finish(code, result, &sources);
            }
        }
        Ok(())
    }

    /// A three-operand instruction into a new register.
    pub(super) fn three(&mut self, op: Vop3Op, src: [Operand; 3]) -> Operand {
        self.compute(VectorOp::Three(op), &src)
    }

    /// A one-operand instruction into a new register.
    pub(super) fn one(&mut self, op: Vop1Op, src: Operand) -> Operand {
        self.compute(VectorOp::One(op), &[src])
    }

    /// `mask ? yes : no` into a new register.
    pub(super) fn pick(&mut self, mask: Operand, yes: Operand, no: Operand) -> Operand {
        match mask {
            Operand::Const(0) => no,
            Operand::Const(_) => yes,
            _ => self.compute(VectorOp::Two(Vop2Op::V_CNDMASK_B32), &[no, yes, mask]),
        }
    }

    /// A vector comparison into a new mask.
    pub(super) fn test(&mut self, op: LaneOp, a: Operand, b: Operand) -> Operand {
        let mask = self.code.mask();
        if let Some(code) = VopcOp::for_op(op) {
            self.vector(VectorOp::Compare(code), mask, &[a, b], Modifiers::default());
        }
        mask
    }

    fn sources(&mut self, op: LaneOp, args: &[Value]) -> Vec<Source> {
        args.iter()
            .enumerate()
            .map(|(i, &arg)| {
                if self.takes_modifiers(op, i) {
                    self.source(arg)
                } else {
                    self.plain(arg)
                }
            })
            .collect()
    }

    fn plain(&mut self, value: Value) -> Source {
        Source {
            operand: self.word(value),
            neg: false,
            abs: false,
        }
    }

    /// Appends an instruction with modifiers as its sources and its only reader want them.
    fn finish(&mut self, code: VectorOp, result: Value, sources: &[Source]) {
        let mut mods = Modifiers {
            clamp: self.plans[result.0 as usize].clamped,
            ..Modifiers::default()
        };
        for (i, source) in sources.iter().enumerate() {
            mods.neg |= u8::from(source.neg) << i;
            mods.abs |= u8::from(source.abs) << i;
        }
        let operands: Vec<Operand> = sources.iter().map(|source| source.operand).collect();
        let dst = self.code.vector(1);
        self.vector(code, dst, &operands, mods);
        self.define(result, dst);
    }

    fn sign(&mut self, op: LaneOp, result: Value, arg: Value) {
        // Sign operations below may have no instruction of their own.
        let below = self.source(arg);
        let word = below.operand;
        let (neg, abs) = match op {
            LaneOp::FNeg => (!below.neg, below.abs),
            _ => (false, true),
        };
        let code = match (neg, abs) {
            (false, false) => return self.define(result, word),
            (true, false) => (Vop2Op::V_XOR_B32, 0x8000_0000),
            (false, true) => (Vop2Op::V_AND_B32, 0x7fff_ffff),
            (true, true) => (Vop2Op::V_OR_B32, 0x8000_0000),
        };
        let dst = self.two(code.0, Operand::Const(code.1), word);
        self.define(result, dst);
    }

    fn saturate(&mut self, result: Value, arg: Value) {
        if self.plans[arg.0 as usize].clamped {
            let word = self.word(arg);
            return self.define(result, word);
        }
        let source = self.source(arg);
        let mods = Modifiers {
            neg: u8::from(source.neg) * 3,
            abs: u8::from(source.abs) * 3,
            clamp: true,
        };
        let dst = self.code.vector(1);
        let code = VectorOp::Two(Vop2Op::V_MAX_F32);
        self.vector(code, dst, &[source.operand; 2], mods);
        self.define(result, dst);
    }

    /// A sum, with a product that only it reads folded in.
    fn add(&mut self, op: LaneOp, result: Value, args: &[Value]) {
        let product = (0..2).find_map(|i| {
            let (below, neg, _) = self.peel(args[i]);
            let (inner, factors) = self.defs.alu(below)?;
            let fused = inner == LaneOp::FMul && self.plans[below.0 as usize].absorbed;
            match factors {
                [a, b] if fused => Some((i, neg, [*a, *b])),
                _ => None,
            }
        });
        let Some((i, neg, factors)) = product else {
            let sources = self.sources(op, args);
            let code = match op {
                LaneOp::FAdd => VectorOp::Two(Vop2Op::V_ADD_F32),
                _ => VectorOp::Two(Vop2Op::V_SUB_F32),
            };
            return self.finish(code, result, &sources);
        };
        let mut a = self.source(factors[0]);
        let b = self.source(factors[1]);
        let mut c = self.source(args[1 - i]);
        a.neg ^= neg;
        if op == LaneOp::FSub {
            if i == 0 {
                c.neg ^= true;
            } else {
                a.neg ^= true;
            }
        }
        // A constant carries its sign itself.
        for source in [&mut a, &mut c] {
            if let (Operand::Const(bits), true) = (source.operand, source.neg) {
                source.operand = Operand::Const(bits ^ 0x8000_0000);
                source.neg = false;
            }
        }
        self.finish(VectorOp::Three(Vop3Op::V_MAD_F32), result, &[a, b, c]);
    }

    /// A minimum or maximum, of three where the inner one has no other reader; a clamp to 0..1 as the modifier.
    fn extreme(&mut self, op: LaneOp, result: Value, args: &[Value]) {
        if let Some((middle, all)) = self.clamp(op, args[0], args[1])
            && self.plans[args[0].0 as usize].absorbed
            && let Some(code) = table::vector(middle)
        {
            let sources = self.sources(middle, &all);
            return self.finish(code, result, &sources);
        }
        let inner = (0..2).find(|&i| {
            self.defs.alu(args[i]).is_some_and(|(inner, _)| inner == op)
                && self.plans[args[i].0 as usize].absorbed
        });
        let three = match op {
            LaneOp::FMin => LaneOp::FMin3,
            LaneOp::FMax => LaneOp::FMax3,
            LaneOp::IMin => LaneOp::IMin3,
            LaneOp::IMax => LaneOp::IMax3,
            LaneOp::UMin => LaneOp::UMin3,
            _ => LaneOp::UMax3,
        };
        let below = inner.and_then(|i| Some((i, self.defs.alu(args[i])?.1)));
        let (op, all) = match below {
            Some((i, below)) => (three, vec![below[0], below[1], args[1 - i]]),
            None => (op, args.to_vec()),
        };
        let sources = self.sources(op, &all);
        if let Some(code) = table::vector(op) {
            self.finish(code, result, &sources);
        }
    }

    fn compare(&mut self, op: LaneOp, result: Value, args: &[Value]) -> Result<()> {
        let uniform = !self.structure.is_divergent(result);
        let scalars = args.iter().all(|a| self.scalar[a.0 as usize]);
        if let (true, true, Some(code)) = (uniform, scalars, table::scalar_compare(op)) {
            let (a, b) = (self.word(args[0]), self.word(args[1]));
            self.places[result.0 as usize] = Some(ValueLocation::Compare(code, a, b));
            if !self.plans[result.0 as usize].scc_only {
                let mask = self.mask(result);
                self.define_mask(result, mask);
            }
            return Ok(());
        }
        let mask = self.code.mask();
        match op {
            LaneOp::CarryAdd => {
                let sources = [self.word(args[0]), self.word(args[1])];
                let (code, sum) = (VectorOp::Two(Vop2Op::V_ADD_I32), self.code.vector(1));
                self.vector_with(code, sum, Some(mask), &sources, Modifiers::default());
            }
            _ => {
                let Some(code) = VopcOp::for_op(op) else {
                    return Err(self.unsupported(format!("the operation {}", op.name())));
                };
                let sources: Vec<Source> = args
                    .iter()
                    .enumerate()
                    .map(|(i, &arg)| match op.params()[i] {
                        lanes::Operand::F32 => self.source(arg),
                        _ => self.plain(arg),
                    })
                    .collect();
                let mut mods = Modifiers::default();
                for (i, source) in sources.iter().enumerate() {
                    mods.neg |= u8::from(source.neg) << i;
                    mods.abs |= u8::from(source.abs) << i;
                }
                let operands: Vec<Operand> = sources.iter().map(|s| s.operand).collect();
                self.vector(VectorOp::Compare(code), mask, &operands, mods);
            }
        }
        self.define_mask(result, mask);
        Ok(())
    }

    fn scalar_alu(&mut self, op: LaneOp, result: Value, args: &[Value]) -> Result<()> {
        if op == LaneOp::Mov {
            let word = self.word(args[0]);
            self.define(result, word);
            return Ok(());
        }
        let dst = self.code.scalar(1);
        let a = self.word(args[0]);
        match op {
            // Offset and width share a word here. [SI 5.2 S_BFE]
            LaneOp::BfeU | LaneOp::BfeI => {
                let (offset, width) = (self.defs.constant(args[1]), self.defs.constant(args[2]));
                let (offset, width) = (offset.unwrap_or(0) & 31, width.unwrap_or(0) & 31);
                let code = match op {
                    LaneOp::BfeU => Sop2Op::S_BFE_U32,
                    _ => Sop2Op::S_BFE_I32,
                };
                self.scalar2(code, dst, a, Operand::Const(offset | width << 16));
            }
            _ => match table::scalar(op) {
                Some(ScalarOp::One(code)) => self.scalar1(code, dst, a),
                Some(ScalarOp::Two(code)) => {
                    let b = self.word(args[1]);
                    self.scalar2(code, dst, a, b);
                }
                None => return Err(self.unsupported(format!("the operation {}", op.name()))),
            },
        }
        self.define(result, dst);
        Ok(())
    }

    /// `condition ? yes : no`, of words or bools.
    pub(super) fn select(&mut self, result: Value, args: &[Value]) {
        if self.function.types[result.0 as usize] == Type::Bool {
            let condition = self.mask(args[0]);
            let (yes, no) = (self.mask(args[1]), self.mask(args[2]));
            let mask = self.mask_pick(condition, yes, no);
            return self.define_mask(result, mask);
        }
        if self.scalar[result.0 as usize] && !self.structure.is_divergent(args[0]) {
            let (yes, no) = (self.word(args[1]), self.word(args[2]));
            let (yes, no) = match (yes.literal(), no.literal()) {
                (Some(a), Some(b)) if a != b => (yes, self.literal(b)),
                _ => (yes, no),
            };
            self.set_scc(args[0]);
            let dst = self.code.scalar(1);
            self.scalar2(Sop2Op::S_CSELECT_B32, dst, yes, no);
            return self.define(result, dst);
        }
        let mask = self.mask(args[0]);
        let (yes, no) = (self.word(args[1]), self.word(args[2]));
        let dst = self.pick(mask, yes, no);
        self.define(result, dst);
    }

    fn mask_pick(&mut self, condition: Operand, yes: Operand, no: Operand) -> Operand {
        let (and, or, andn) = (Sop2Op::S_AND_B64, Sop2Op::S_OR_B64, Sop2Op::S_ANDN2_B64);
        match (condition, yes, no) {
            (Operand::Const(0), _, _) => no,
            (Operand::Const(_), _, _) => yes,
            (_, Operand::Const(0), _) => self.mask2(andn, no, condition),
            (_, Operand::Const(_), _) => self.mask2(or, condition, no),
            (_, _, Operand::Const(0)) => self.mask2(and, yes, condition),
            (_, _, Operand::Const(_)) => self.mask2(Sop2Op::S_ORN2_B64, yes, condition),
            _ => {
                let a = self.mask2(and, yes, condition);
                let b = self.mask2(andn, no, condition);
                self.mask2(or, a, b)
            }
        }
    }

    /// A mask operation into a new mask.
    pub(super) fn mask2(&mut self, op: Sop2Op, a: Operand, b: Operand) -> Operand {
        let dst = self.code.mask();
        self.scalar2(op, dst, a, b);
        dst
    }

    pub(super) fn bool_op(&mut self, op: BoolOp, result: Value, args: &[Value]) {
        let (a, b) = (self.mask(args[0]), self.mask(args[1]));
        let mask = match (op, a, b) {
            (BoolOp::And, Operand::Const(0), _) | (BoolOp::Or, _, Operand::Const(0)) => a,
            (BoolOp::And, _, Operand::Const(0)) | (BoolOp::Or, Operand::Const(0), _) => b,
            (BoolOp::And, Operand::Const(_), _) | (BoolOp::Xor, Operand::Const(0), _) => b,
            (BoolOp::And, _, Operand::Const(_)) | (BoolOp::Xor, _, Operand::Const(0)) => a,
            (BoolOp::Or, Operand::Const(_), _) => a,
            (BoolOp::Or, _, Operand::Const(_)) => b,
            (BoolOp::And, ..) => self.mask2(Sop2Op::S_AND_B64, a, b),
            (BoolOp::Or, ..) => self.mask2(Sop2Op::S_OR_B64, a, b),
            (BoolOp::Xor, ..) => self.mask2(Sop2Op::S_XOR_B64, a, b),
        };
        self.define_mask(result, mask);
    }

    pub(super) fn bool_not(&mut self, result: Value, arg: Value) -> Result<()> {
        if let (true, Some((op, args))) = (self.plans[arg.0 as usize].absorbed, self.defs.alu(arg))
            && let Some(op) = op.negated()
        {
            return self.compare(op, result, args);
        }
        let mask = match self.mask(arg) {
            Operand::Const(bits) => Operand::Const(!bits),
            mask => {
                let dst = self.code.mask();
                self.scalar1(Sop1Op::S_NOT_B64, dst, mask);
                dst
            }
        };
        self.define_mask(result, mask);
        Ok(())
    }

    /// The mask of enabled lanes in which a bool is true.
    pub(super) fn enabled(&mut self, mask: Operand) -> Operand {
        match mask {
            Operand::Const(0) => mask,
            Operand::Const(_) => Operand::Code(EXEC),
            _ => self.mask2(Sop2Op::S_AND_B64, mask, Operand::Code(EXEC)),
        }
    }
}
