//! Operations between the invocations of a subgroup, which is a wave. [SPIRV 3.52.21 Non-Uniform Instructions]

use spirv::{BuiltIn, GroupOperation, Op};

use super::lower::{Lowerer, Val};
use super::module::Result;
use super::words::Inst;
use crate::ir::{Builtin, LaneOp, Stage, Type, Value};
use crate::lower::subgroup::Reach;

/// The operation that a reduction is made of.
fn combining(op: Op) -> Option<LaneOp> {
    Some(match op {
        Op::GroupNonUniformIAdd => LaneOp::IAdd,
        Op::GroupNonUniformFAdd => LaneOp::FAdd,
        Op::GroupNonUniformIMul => LaneOp::IMul,
        Op::GroupNonUniformFMul => LaneOp::FMul,
        Op::GroupNonUniformSMin => LaneOp::IMin,
        Op::GroupNonUniformUMin => LaneOp::UMin,
        Op::GroupNonUniformFMin => LaneOp::FMin,
        Op::GroupNonUniformSMax => LaneOp::IMax,
        Op::GroupNonUniformUMax => LaneOp::UMax,
        Op::GroupNonUniformFMax => LaneOp::FMax,
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => LaneOp::And,
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => LaneOp::Or,
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => LaneOp::Xor,
        _ => return None,
    })
}

/// Whether an instruction is between invocations of a subgroup.
pub(super) fn is_subgroup(op: Op) -> bool {
    // OpGroupNonUniformElect to OpGroupNonUniformQuadSwap.
    matches!(op as u32, 333..=366)
}

impl Lowerer<'_> {
    /// Lowers an instruction; its first operand is the scope.
    pub(super) fn subgroup_instruction(&mut self, inst: &Inst, ids: &[u32]) -> Result<()> {
        let Some((&scope, ids)) = ids.split_first() else {
            return self.error(inst, "it has no scope");
        };
        let scope = self.words(inst, scope)?;
        let scope = scope.first().and_then(|word| self.b.known_word(*word));
        if scope != Some(spirv::Scope::Subgroup as u32) {
            return self.module.lacks(inst, "a scope besides the subgroup");
        }
        let words = self.between(inst, ids)?;
        self.set(inst, Val::Words(words.into()))
    }

    fn between(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        if let Some(op) = combining(inst.op) {
            return self.reduction(inst, op, ids);
        }
        if inst.op == Op::GroupNonUniformElect {
            let own = self.lane()?;
            let first = self.of_first(&[own])?;
            return Ok(vec![self.b.alu(LaneOp::IEq, &[own, first[0]])]);
        }
        if inst.op == Op::GroupNonUniformBallotBitCount {
            return self.bit_count(inst, ids);
        }
        let Some((&value, others)) = ids.split_first() else {
            return self.error(inst, "it has no value");
        };
        let leaves = self.words(inst, value)?;
        let other = match others.first() {
            Some(&id) => Some(self.word(inst, id)?),
            None => None,
        };
        let bool = |this: &Self| match leaves[..] {
            [bit] if this.b.ty(bit) == Type::Bool => Ok(bit),
            _ => this.error(inst, "it takes a bool"),
        };
        let index = || match other {
            Some(word) => Ok(word),
            None => self
                .module
                .lacks(inst, "an instruction without its last operand"),
        };
        Ok(match inst.op {
            Op::GroupNonUniformAll => vec![bool(self).and_then(|bit| self.all_lanes(bit))?],
            Op::GroupNonUniformAny => vec![bool(self).and_then(|bit| self.any_lane(bit))?],
            Op::GroupNonUniformAllEqual => {
                let first = self.of_first(&leaves)?;
                let mut same = self.b.bit(true);
                for (&own, &first) in leaves.iter().zip(&first) {
                    let is = self.equal(inst, own, first)?;
                    same = self.b.and(same, is);
                }
                vec![self.all_lanes(same)?]
            }
            Op::GroupNonUniformBallot => bool(self).and_then(|bit| self.ballot(bit))?,
            Op::GroupNonUniformBroadcastFirst => self.of_first(&leaves)?,
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle => {
                let lane = index()?;
                self.of_lane(&leaves, lane)?
            }
            Op::GroupNonUniformShuffleXor => {
                let by = index()?;
                self.of_relative(&leaves, LaneOp::Xor, by)?
            }
            Op::GroupNonUniformShuffleUp => {
                let by = index()?;
                self.of_relative(&leaves, LaneOp::ISub, by)?
            }
            Op::GroupNonUniformShuffleDown => {
                let by = index()?;
                self.of_relative(&leaves, LaneOp::IAdd, by)?
            }
            Op::GroupNonUniformQuadBroadcast => {
                let lane = index()?;
                self.of_quad_lane(&leaves, lane)?
            }
            Op::GroupNonUniformQuadSwap => {
                let direction = index()?;
                // Across, down, both.
                let pattern = match self.b.known_word(direction) {
                    Some(0) => [1, 0, 3, 2],
                    Some(1) => [2, 3, 0, 1],
                    Some(2) => [3, 2, 1, 0],
                    _ => return self.error(inst, "its direction is a constant from 0 to 2"),
                };
                self.of_quad(&leaves, pattern)?
            }
            Op::GroupNonUniformInverseBallot => {
                let lane = self.lane()?;
                vec![self.bit_of(inst, &leaves, lane)?]
            }
            Op::GroupNonUniformBallotBitExtract => {
                let lane = index()?;
                vec![self.bit_of(inst, &leaves, lane)?]
            }
            Op::GroupNonUniformBallotFindLSB => vec![self.lowest_bit(inst, &leaves)?],
            Op::GroupNonUniformBallotFindMSB => vec![self.highest_bit(inst, &leaves)?],
            op => return self.module.lacks(inst, format!("Op{op:?}")),
        })
    }

    fn lane(&mut self) -> Result<Value> {
        self.subgroup_word(Builtin::SubgroupInvocation)
    }

    /// How far an operation goes.
    fn reach(&self, inst: &Inst, operation: u32) -> Result<Reach> {
        match GroupOperation::from_u32(operation) {
            Some(GroupOperation::Reduce) => Ok(Reach::All),
            Some(GroupOperation::InclusiveScan) => Ok(Reach::Inclusive),
            Some(GroupOperation::ExclusiveScan) => Ok(Reach::Exclusive),
            Some(other) => self
                .module
                .lacks(inst, format!("the group operation {other:?}")),
            None => self.error(inst, format!("there is no group operation {operation}")),
        }
    }

    fn reduction(&mut self, inst: &Inst, op: LaneOp, ids: &[u32]) -> Result<Vec<Value>> {
        let &[operation, value, ..] = ids else {
            return self.error(inst, "it has an operation and a value");
        };
        let reach = self.reach(inst, operation)?;
        let leaves = self.words(inst, value)?;
        let logical = matches!(op, LaneOp::And | LaneOp::Or | LaneOp::Xor);
        if !logical && !self.are_words(&leaves) {
            return self.error(inst, "it takes numbers");
        }
        self.combined(&leaves, op, reach)
    }

    fn equal(&mut self, inst: &Inst, a: Value, b: Value) -> Result<Value> {
        Ok(match self.b.ty(a) {
            Type::Bool => {
                let differ = self.b.logic(crate::ir::BoolOp::Xor, a, b);
                self.b.not(differ)
            }
            Type::Word => {
                let float = matches!(self.type_of_result(inst)?, crate::lower::types::Kind::F32);
                let op = if float { LaneOp::FEq } else { LaneOp::IEq };
                self.b.alu(op, &[a, b])
            }
        })
    }

    /// Kind of the value that an instruction compares.
    fn type_of_result(&mut self, inst: &Inst) -> Result<crate::lower::types::Kind> {
        let value = self.module.words.operand(inst, 1)?;
        Ok(self.type_of(inst, value)?.kind())
    }

    /// Both words that matter of a ballot.
    fn halves(&self, inst: &Inst, ballot: &[Value]) -> Result<[Value; 2]> {
        match *ballot {
            [low, high, _, _] if self.are_words(ballot) => Ok([low, high]),
            _ => self.error(inst, "a ballot is four words"),
        }
    }

    fn bit_of(&mut self, inst: &Inst, ballot: &[Value], lane: Value) -> Result<Value> {
        let [low, high] = self.halves(inst, ballot)?;
        let (half, zero, one) = (self.b.word(32), self.b.word(0), self.b.word(1));
        let upper = self.b.alu(LaneOp::UGe, &[lane, half]);
        let word = self.b.select(upper, high, low);
        let shifted = self.b.alu(LaneOp::Shr, &[word, lane]);
        let bit = self.b.alu(LaneOp::And, &[shifted, one]);
        Ok(self.b.alu(LaneOp::INe, &[bit, zero]))
    }

    /// Bits of the lanes before the own one, and the bit of that, each low and high.
    fn own_masks(&mut self) -> Result<[[Value; 2]; 2]> {
        let lane = self.lane()?;
        let (half, zero, one) = (self.b.word(32), self.b.word(0), self.b.word(1));
        let all = self.b.word(u32::MAX);
        let upper = self.b.alu(LaneOp::UGe, &[lane, half]);
        let bit = self.b.alu(LaneOp::Shl, &[one, lane]);
        let before = self.b.alu(LaneOp::ISub, &[bit, one]);
        let below = [
            self.b.select(upper, all, before),
            self.b.select(upper, before, zero),
        ];
        let own = [
            self.b.select(upper, zero, bit),
            self.b.select(upper, bit, zero),
        ];
        Ok([below, own])
    }

    fn bit_count(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let &[operation, ballot, ..] = ids else {
            return self.error(inst, "it has an operation and a ballot");
        };
        let reach = self.reach(inst, operation)?;
        let ballot = self.words(inst, ballot)?;
        let mut halves = self.halves(inst, &ballot)?;
        let [below, own] = self.own_masks()?;
        for (at, half) in halves.iter_mut().enumerate() {
            let mask = match reach {
                Reach::All => continue,
                Reach::Inclusive => self.b.alu(LaneOp::Or, &[below[at], own[at]]),
                Reach::Exclusive => below[at],
            };
            *half = self.b.alu(LaneOp::And, &[*half, mask]);
        }
        let zero = self.b.word(0);
        let low = self.b.alu(LaneOp::BitCount, &[halves[0], zero]);
        Ok(vec![self.b.alu(LaneOp::BitCount, &[halves[1], low])])
    }

    fn lowest_bit(&mut self, inst: &Inst, ballot: &[Value]) -> Result<Value> {
        let [low, high] = self.halves(inst, ballot)?;
        let (half, zero) = (self.b.word(32), self.b.word(0));
        let any = self.b.alu(LaneOp::INe, &[low, zero]);
        let first = self.b.alu(LaneOp::FirstLow, &[low]);
        let second = self.b.alu(LaneOp::FirstLow, &[high]);
        let second = self.b.alu(LaneOp::IAdd, &[second, half]);
        Ok(self.b.select(any, first, second))
    }

    fn highest_bit(&mut self, inst: &Inst, ballot: &[Value]) -> Result<Value> {
        let halves = self.halves(inst, ballot)?;
        let zero = self.b.word(0);
        let any = self.b.alu(LaneOp::INe, &[halves[1], zero]);
        let mut found = [zero; 2];
        for ((found, half), last) in found.iter_mut().zip(halves).zip([31, 63]) {
            let last = self.b.word(last);
            let above = self.b.alu(LaneOp::FirstHighU, &[half]);
            *found = self.b.alu(LaneOp::ISub, &[last, above]);
        }
        Ok(self.b.select(any, found[1], found[0]))
    }

    /// A built-in input of subgroups.
    pub(super) fn subgroup_builtin(&mut self, builtin: BuiltIn) -> Result<Option<Vec<Value>>> {
        let compute = self.b.function().stage == Stage::Compute;
        let word = match builtin {
            BuiltIn::SubgroupSize => Builtin::SubgroupSize,
            BuiltIn::SubgroupLocalInvocationId => Builtin::SubgroupInvocation,
            BuiltIn::SubgroupId if compute => Builtin::SubgroupId,
            BuiltIn::NumSubgroups if compute => Builtin::SubgroupCount,
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask => return Ok(Some(self.lane_mask(builtin)?)),
            _ => return Ok(None),
        };
        Ok(Some(vec![self.subgroup_word(word)?]))
    }

    /// Four words of lanes that compare with the own one.
    fn lane_mask(&mut self, builtin: BuiltIn) -> Result<Vec<Value>> {
        let [below, own] = self.own_masks()?;
        let zero = self.b.word(0);
        let mut mask = vec![zero; 4];
        for (at, word) in mask.iter_mut().enumerate().take(2) {
            let upto = self.b.alu(LaneOp::Or, &[below[at], own[at]]);
            *word = match builtin {
                BuiltIn::SubgroupEqMask => own[at],
                BuiltIn::SubgroupLtMask => below[at],
                BuiltIn::SubgroupLeMask => upto,
                BuiltIn::SubgroupGtMask => self.b.alu(LaneOp::Not, &[upto]),
                _ => self.b.alu(LaneOp::Not, &[below[at]]),
            };
        }
        Ok(mask)
    }
}
