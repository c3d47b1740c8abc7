//! What is decided before selection: which words are scalar, which instructions become part of their readers.

use lanes::LaneOp;

use super::select::{Plan, Select};
use super::table;
use crate::ir::{Inst as IrInst, Op as IrOp, SubgroupOp, Terminator, Type, Value};

impl Select<'_> {
    pub(super) fn plan(&mut self) {
        self.find_scalars();
        self.find_fusions();
        self.find_absorbed();
        self.find_scc_only();
    }

    /// Words that live in scalar registers: optimistic, then struck off until nothing changes.
    fn find_scalars(&mut self) {
        let function = self.function;
        for (value, ty) in function.types.iter().enumerate() {
            self.scalar[value] = *ty == Type::Word && !self.structure.divergent[value];
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in &function.blocks {
                for inst in &block.insts {
                    let scalar = self.computes_scalar(inst);
                    for result in &inst.results {
                        let slot = &mut self.scalar[result.0 as usize];
                        if *slot && !scalar {
                            *slot = false;
                            changed = true;
                        }
                    }
                }
                for target in block.end.targets() {
                    let params = &function.blocks[target.block.0 as usize].params;
                    for (param, arg) in params.iter().zip(&target.args) {
                        if self.scalar[param.0 as usize] && !self.scalar[arg.0 as usize] {
                            self.scalar[param.0 as usize] = false;
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    fn computes_scalar(&self, inst: &IrInst) -> bool {
        let scalars = || inst.args.iter().all(|a| self.scalar[a.0 as usize]);
        match &inst.op {
            IrOp::Const(_) => true,
            IrOp::Alu(op) => match op {
                LaneOp::BfeU | LaneOp::BfeI => {
                    scalars()
                        && inst.args[1..]
                            .iter()
                            .all(|&a| self.defs.constant(a).is_some())
                }
                LaneOp::BitCount => scalars() && self.defs.constant(inst.args[1]) == Some(0),
                op => scalars() && crate::codegen::structure::scalar_op(*op),
            },
            IrOp::Select => inst.args[1..].iter().all(|a| self.scalar[a.0 as usize]),
            IrOp::Builtin(_) => true,
            IrOp::Subgroup(op) => op.is_uniform() || *op == SubgroupOp::Shuffle,
            IrOp::LoadBuffer(access) => self.loads_scalar(*access),
            IrOp::LoadPush | IrOp::BufferBytes(_) => true,
            _ => false,
        }
    }

    /// Whether a float instruction reads operand `i` with modifiers.
    pub fn takes_modifiers(&self, op: LaneOp, i: usize) -> bool {
        op.params().get(i) == Some(&lanes::Operand::F32) && table::vector(op).is_some()
    }

    fn find_fusions(&mut self) {
        let function = self.function;
        for (b, block) in function.blocks.iter().enumerate() {
            for inst in &block.insts {
                if inst.op == IrOp::BoolNot {
                    let of = inst.args[0];
                    let reversed = self.defs.alu(of).and_then(|(op, _)| op.negated());
                    if reversed.is_some() && self.only_use(of, b) {
                        self.plans[of.0 as usize].absorbed = true;
                    }
                }
                let IrOp::Alu(op) = inst.op else { continue };
                match op {
                    LaneOp::FSat => {
                        let of = inst.args[0];
                        let own = self.defs.is_in(of, b) && self.structure.uses[of.0 as usize] == 1;
                        let float = self.defs.alu(of).is_some_and(|(op, _)| {
                            op.result() == lanes::Operand::F32
                                && table::vector(op).is_some()
                                && !matches!(
                                    op,
                                    LaneOp::FSat | LaneOp::FMinLegacy | LaneOp::FMaxLegacy
                                )
                        });
                        self.plans[of.0 as usize].clamped |= own && float;
                    }
                    LaneOp::Or if !self.scalar[inst.results[0].0 as usize] => {
                        let parts = [inst.args[0], inst.args[1]];
                        let alone = parts.iter().all(|&part| self.only_use(part, b));
                        if alone && self.masked_parts(&parts).is_some() {
                            for part in parts {
                                self.plans[part.0 as usize].absorbed = true;
                            }
                        }
                    }
                    LaneOp::FAdd | LaneOp::FSub => {
                        if let Some(i) = (0..2).find(|&i| self.fusable_product(inst.args[i], b)) {
                            let (product, ..) = self.peel(inst.args[i]);
                            self.plans[product.0 as usize].absorbed = true;
                        }
                    }
                    LaneOp::FMin
                    | LaneOp::FMax
                    | LaneOp::IMin
                    | LaneOp::IMax
                    | LaneOp::UMin
                    | LaneOp::UMax => {
                        let vector = !self.scalar[inst.results[0].0 as usize];
                        let clamp = self.clamp(op, inst.args[0], inst.args[1]).is_some();
                        if vector && clamp && self.only_use(inst.args[0], b) {
                            self.plans[inst.args[0].0 as usize].absorbed = true;
                            continue;
                        }
                        let inner = (0..2).find(|&i| {
                            let value = inst.args[i];
                            self.defs.alu(value).is_some_and(|(o, _)| o == op)
                                && self.only_use(value, b)
                                && !self.scalar[inst.results[0].0 as usize]
                        });
                        if let Some(i) = inner {
                            self.plans[inst.args[i].0 as usize].absorbed = true;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// An integer clamped between two constants: the operation for the middle one of three, and its operands.
    pub fn clamp(&self, op: LaneOp, inner: Value, limit: Value) -> Option<(LaneOp, [Value; 3])> {
        let (below, args) = self.defs.alu(inner)?;
        let (outer, other) = (
            self.defs.constant(limit)?,
            self.defs.constant(*args.get(1)?)?,
        );
        let middle = match (op, below) {
            (LaneOp::IMin, LaneOp::IMax) if other as i32 <= outer as i32 => LaneOp::IMed3,
            (LaneOp::IMax, LaneOp::IMin) if outer as i32 <= other as i32 => LaneOp::IMed3,
            (LaneOp::UMin, LaneOp::UMax) if other <= outer => LaneOp::UMed3,
            (LaneOp::UMax, LaneOp::UMin) if outer <= other => LaneOp::UMed3,
            _ => return None,
        };
        Some((middle, [args[0], args[1], limit]))
    }

    /// Two words of which constant masks take complementary bits: one mask, its word, the other word.
    fn masked_parts(&self, parts: &[Value]) -> Option<[Value; 3]> {
        let masked = |value: Value| match self.defs.alu(value)? {
            (LaneOp::And, &[word, mask]) => Some((word, mask, self.defs.constant(mask)?)),
            _ => None,
        };
        let (a, mask, bits) = masked(parts[0])?;
        let (b, _, others) = masked(parts[1])?;
        (bits == !others).then_some([mask, a, b])
    }

    /// The same, where nothing else reads the parts.
    pub fn insertion(&self, parts: &[Value]) -> Option<[Value; 3]> {
        let absorbed = parts
            .iter()
            .all(|part| self.plans[part.0 as usize].absorbed);
        self.masked_parts(parts).filter(|_| absorbed)
    }

    /// The value has one reader, in block `b`, where it is also made, and nothing else was planned for it.
    fn only_use(&self, value: Value, b: usize) -> bool {
        self.structure.uses[value.0 as usize] == 1
            && self.defs.is_in(value, b)
            && self.plans[value.0 as usize] == Plan::default()
            && self.fused_into(value).is_none()
    }

    /// The operand of a min or max that was absorbed into it.
    fn fused_into(&self, value: Value) -> Option<Value> {
        let (_, args) = self.defs.alu(value)?;
        args.iter()
            .copied()
            .find(|a| self.plans[a.0 as usize].absorbed && !self.is_sign(*a))
    }

    fn is_sign(&self, value: Value) -> bool {
        matches!(self.defs.alu(value), Some((LaneOp::FNeg | LaneOp::FAbs, _)))
    }

    /// Whether the operand is a product, possibly with its sign flipped, that only this reader sees.
    fn fusable_product(&self, value: Value, b: usize) -> bool {
        let (below, _, abs) = self.peel(value);
        let mut at = value;
        while at != below {
            if self.structure.uses[at.0 as usize] != 1 {
                return false;
            }
            at = self.defs.alu(at).map_or(below, |(_, args)| args[0]);
        }
        let product = self
            .defs
            .alu(below)
            .is_some_and(|(op, _)| op == LaneOp::FMul);
        product && !abs && self.only_use(below, b)
    }

    /// Sign operations that every reader takes as modifiers.
    fn find_absorbed(&mut self) {
        let function = self.function;
        let signs: Vec<Value> = (0..function.types.len() as u32)
            .map(Value)
            .filter(|&v| self.is_sign(v))
            .collect();
        for &value in &signs {
            self.plans[value.0 as usize].absorbed = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in &function.blocks {
                for inst in &block.insts {
                    for (i, &arg) in inst.args.iter().enumerate() {
                        let modifies = match inst.op {
                            IrOp::Alu(LaneOp::FNeg | LaneOp::FAbs) => {
                                self.plans[inst.results[0].0 as usize].absorbed
                            }
                            IrOp::Alu(LaneOp::FSat) => true,
                            IrOp::Alu(op) => self.takes_modifiers(op, i),
                            _ => false,
                        };
                        if !modifies && self.is_sign(arg) && self.plans[arg.0 as usize].absorbed {
                            self.plans[arg.0 as usize].absorbed = false;
                            changed = true;
                        }
                    }
                }
                for target in block.end.targets() {
                    for arg in &target.args {
                        if self.is_sign(*arg) && self.plans[arg.0 as usize].absorbed {
                            self.plans[arg.0 as usize].absorbed = false;
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    fn find_scc_only(&mut self) {
        let function = self.function;
        for (value, ty) in function.types.iter().enumerate() {
            self.plans[value].scc_only = *ty == Type::Bool
                && self
                    .defs
                    .alu(Value(value as u32))
                    .is_some_and(|(op, _)| table::scalar_compare(op).is_some());
        }
        for block in &function.blocks {
            for inst in &block.insts {
                for (i, arg) in inst.args.iter().enumerate() {
                    let scc = i == 0
                        && inst.op == IrOp::Select
                        && inst.results.iter().all(|r| self.scalar[r.0 as usize]);
                    self.plans[arg.0 as usize].scc_only &= scc;
                }
            }
            if let Terminator::Branch { condition, .. } = &block.end
                && self.structure.is_divergent(*condition)
            {
                self.plans[condition.0 as usize].scc_only = false;
            }
            for target in block.end.targets() {
                for arg in &target.args {
                    self.plans[arg.0 as usize].scc_only = false;
                }
            }
        }
    }
}
