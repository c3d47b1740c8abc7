//! What the invocations of a wave tell each other, from statements of naga and for SPIR-V.

use naga::{CollectiveOperation, Direction, GatherMode, SubgroupOperation};

use super::types::Kind;
use super::{Expr, Frame, Lowerer, Result, Writer};
use crate::ir::{Builtin, LaneOp, Op, Stage, SubgroupOp, Type, Value};
use crate::names::Name;

/// How far a reduction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    All,
    Inclusive,
    Exclusive,
}

/// Lanes of a quad that swap.
fn swapped(direction: Direction) -> [u8; 4] {
    match direction {
        Direction::X => [1, 0, 3, 2],
        Direction::Y => [2, 3, 0, 1],
        Direction::Diagonal => [3, 2, 1, 0],
    }
}

/// The operation that a reduction of numbers of a kind is made of.
fn combining(op: SubgroupOperation, kind: Kind) -> Option<LaneOp> {
    use SubgroupOperation as S;
    Some(match (op, kind) {
        (S::Add, Kind::F32) => LaneOp::FAdd,
        (S::Mul, Kind::F32) => LaneOp::FMul,
        (S::Min, Kind::F32) => LaneOp::FMin,
        (S::Max, Kind::F32) => LaneOp::FMax,
        (S::Add, Kind::I32 | Kind::U32) => LaneOp::IAdd,
        (S::Mul, Kind::I32 | Kind::U32) => LaneOp::IMul,
        (S::Min, Kind::I32) => LaneOp::IMin,
        (S::Max, Kind::I32) => LaneOp::IMax,
        (S::Min, Kind::U32) => LaneOp::UMin,
        (S::Max, Kind::U32) => LaneOp::UMax,
        (S::And, Kind::I32 | Kind::U32 | Kind::Bool) => LaneOp::And,
        (S::Or, Kind::I32 | Kind::U32 | Kind::Bool) => LaneOp::Or,
        (S::Xor, Kind::I32 | Kind::U32 | Kind::Bool) => LaneOp::Xor,
        _ => return None,
    })
}

impl Writer {
    /// An operation whose operands are words, as those of bools are too.
    fn between(&mut self, op: SubgroupOp, args: &[Value]) -> Value {
        let ty = self.b.ty(args[0]);
        let mut args = args.to_vec();
        args[0] = self.as_word(args[0]);
        let word = self.b.single(Op::Subgroup(op), args, Type::Word);
        match ty {
            Type::Word => word,
            Type::Bool => {
                let zero = self.b.word(0);
                self.b.alu(LaneOp::INe, &[word, zero])
            }
        }
    }

    /// Refuses stages without subgroups.
    pub(crate) fn check_subgroups(&mut self) -> Result<()> {
        match self.b.function().stage {
            Stage::Compute | Stage::Fragment => Ok(()),
            stage => {
                let stage = stage.name();
                self.refuse(format!("a subgroup operation in a {stage} shader"))
            }
        }
    }

    /// A built-in input of subgroups.
    pub(crate) fn subgroup_word(&mut self, builtin: Builtin) -> Result<Value> {
        self.check_subgroups()?;
        Ok(self.b.single(Op::Builtin(builtin), Vec::new(), Type::Word))
    }

    /// Four words of which lanes a bool is true in.
    pub(crate) fn ballot(&mut self, which: Value) -> Result<Vec<Value>> {
        self.check_subgroups()?;
        let op = Op::Subgroup(SubgroupOp::Ballot);
        let mut words = self.b.inst(op, vec![which], &[Type::Word; 2]);
        words.resize(4, self.b.word(0));
        Ok(words)
    }

    /// Whether a bool is true in some lane.
    pub(crate) fn any_lane(&mut self, which: Value) -> Result<Value> {
        let words = self.ballot(which)?;
        let some = self.b.alu(LaneOp::Or, &words[..2]);
        let zero = self.b.word(0);
        Ok(self.b.alu(LaneOp::INe, &[some, zero]))
    }

    /// Whether a bool is true in all lanes.
    pub(crate) fn all_lanes(&mut self, which: Value) -> Result<Value> {
        let not = self.b.not(which);
        let any = self.any_lane(not)?;
        Ok(self.b.not(any))
    }

    /// Each leaf of the first lane.
    pub(crate) fn of_first(&mut self, leaves: &[Value]) -> Result<Vec<Value>> {
        self.check_subgroups()?;
        let first = |leaf: &Value| self.between(SubgroupOp::First, &[*leaf]);
        Ok(leaves.iter().map(first).collect())
    }

    /// Each leaf of the lane of a number.
    pub(crate) fn of_lane(&mut self, leaves: &[Value], lane: Value) -> Result<Vec<Value>> {
        self.check_subgroups()?;
        let shuffle = |leaf: &Value| self.between(SubgroupOp::Shuffle, &[*leaf, lane]);
        Ok(leaves.iter().map(shuffle).collect())
    }

    /// Each leaf of the lane whose number comes by `op` from the own one and `by`.
    pub(crate) fn of_relative(
        &mut self,
        leaves: &[Value],
        op: LaneOp,
        by: Value,
    ) -> Result<Vec<Value>> {
        let own = self.subgroup_word(Builtin::SubgroupInvocation)?;
        let lane = self.b.alu(op, &[own, by]);
        self.of_lane(leaves, lane)
    }

    /// Each leaf of a lane of the quad.
    pub(crate) fn of_quad(&mut self, leaves: &[Value], pattern: [u8; 4]) -> Result<Vec<Value>> {
        self.check_subgroups()?;
        let quad = |leaf: &Value| self.between(SubgroupOp::Quad(pattern), &[*leaf]);
        Ok(leaves.iter().map(quad).collect())
    }

    /// Each leaf of one lane of the quad, the same for all.
    pub(crate) fn of_quad_lane(&mut self, leaves: &[Value], lane: Value) -> Result<Vec<Value>> {
        if let Some(lane) = self.b.known_word(lane) {
            return self.of_quad(leaves, [(lane & 3) as u8; 4]);
        }
        let all = [0, 1, 2, 3].map(|lane| self.of_quad(leaves, [lane; 4]));
        let [first, others @ ..] = all;
        let mut found = first?;
        for (number, other) in (1..).zip(others) {
            let number = self.b.word(number);
            let is = self.b.alu(LaneOp::IEq, &[lane, number]);
            for (found, other) in found.iter_mut().zip(other?) {
                *found = self.b.select(is, other, *found);
            }
        }
        Ok(found)
    }

    /// Each leaf combined with those of other lanes. Bools are all, any, or an odd number of them.
    pub(crate) fn combined(
        &mut self,
        leaves: &[Value],
        op: LaneOp,
        reach: Reach,
    ) -> Result<Vec<Value>> {
        self.check_subgroups()?;
        let op = match reach {
            Reach::All => SubgroupOp::Reduce(op),
            Reach::Inclusive => SubgroupOp::Inclusive(op),
            Reach::Exclusive => SubgroupOp::Exclusive(op),
        };
        let one = |leaf: &Value| self.between(op, &[*leaf]);
        Ok(leaves.iter().map(one).collect())
    }
}

impl<'a> Lowerer<'a> {
    /// Values of other lanes.
    pub(super) fn gather(
        &mut self,
        f: &mut Frame<'a>,
        mode: GatherMode,
        argument: Expr,
    ) -> Result<Vec<Value>> {
        let leaves = self.words(f, argument)?;
        match mode {
            GatherMode::BroadcastFirst => self.of_first(&leaves),
            GatherMode::Broadcast(lane) | GatherMode::Shuffle(lane) => {
                let lane = self.scalar(f, lane)?;
                self.of_lane(&leaves, lane)
            }
            GatherMode::ShuffleDown(by) => {
                let by = self.scalar(f, by)?;
                self.of_relative(&leaves, LaneOp::IAdd, by)
            }
            GatherMode::ShuffleUp(by) => {
                let by = self.scalar(f, by)?;
                self.of_relative(&leaves, LaneOp::ISub, by)
            }
            GatherMode::ShuffleXor(by) => {
                let by = self.scalar(f, by)?;
                self.of_relative(&leaves, LaneOp::Xor, by)
            }
            GatherMode::QuadBroadcast(lane) => {
                let lane = self.scalar(f, lane)?;
                self.of_quad_lane(&leaves, lane)
            }
            GatherMode::QuadSwap(direction) => self.of_quad(&leaves, swapped(direction)),
        }
    }

    /// Reductions and scans.
    pub(super) fn collective(
        &mut self,
        f: &mut Frame<'a>,
        (op, reach): (SubgroupOperation, CollectiveOperation),
        argument: Expr,
    ) -> Result<Vec<Value>> {
        let kind = self.ty(f, argument)?.kind();
        let leaves = self.words(f, argument)?;
        let reach = match reach {
            CollectiveOperation::Reduce => Reach::All,
            CollectiveOperation::InclusiveScan => Reach::Inclusive,
            CollectiveOperation::ExclusiveScan => Reach::Exclusive,
        };
        match (op, &leaves[..]) {
            (SubgroupOperation::All, &[which]) => Ok(vec![self.all_lanes(which)?]),
            (SubgroupOperation::Any, &[which]) => Ok(vec![self.any_lane(which)?]),
            _ => match combining(op, kind) {
                Some(op) => self.combined(&leaves, op, reach),
                None => self.refuse(format!("a subgroup operation {op:?} of {kind:?}")),
            },
        }
    }
}
