//! What the invocations of a wave tell each other.

use super::LaneOp;

/// An operation between the invocations of a wave that are here: those that take part. Helpers do not, unless there is
/// nobody else. It must neither move to where others take part nor be done for several uses.
///
/// Reductions and scans combine neighbours, then neighbouring pairs, then fours: the order of 64 lanes in a balanced tree,
/// in which lanes that take no part have the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubgroupOp {
    /// (bool) -> 2 words: lanes that take part and where it is true, lowest first.
    Ballot,
    /// (word) -> word: that of the first lane.
    First,
    /// (word, lane) -> word: that of the lane of this number, zero where that takes no part.
    Shuffle,
    /// (word) -> word: lane `i` of a quad takes that of lane `pattern[i]`, zero where that is not here. Helpers take part.
    Quad([u8; 4]),
    /// (word) -> word: all combined.
    Reduce(LaneOp),
    /// (word) -> word: those of the lanes up to and with the own one.
    Inclusive(LaneOp),
    /// (word) -> word: those of the lanes before the own one.
    Exclusive(LaneOp),
}

impl SubgroupOp {
    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            SubgroupOp::Shuffle => 2,
            _ => 1,
        }
    }

    /// Whether results are equal in all invocations that take part, whatever their operands.
    pub fn is_uniform(self) -> bool {
        matches!(
            self,
            SubgroupOp::Ballot | SubgroupOp::First | SubgroupOp::Reduce(_)
        )
    }

    /// Whether lanes and operation exist.
    pub fn is_valid(self) -> bool {
        match self {
            SubgroupOp::Quad(pattern) => pattern.iter().all(|lane| *lane < 4),
            SubgroupOp::Reduce(op) | SubgroupOp::Inclusive(op) | SubgroupOp::Exclusive(op) => {
                identity(op).is_some()
            }
            _ => true,
        }
    }
}

/// What changes nothing when it is combined with a value; none of an operation that does not combine.
pub fn identity(op: LaneOp) -> Option<u32> {
    Some(match op {
        LaneOp::IAdd | LaneOp::Or | LaneOp::Xor | LaneOp::UMax => 0,
        LaneOp::IMul => 1,
        LaneOp::And | LaneOp::UMin => u32::MAX,
        LaneOp::IMin => i32::MAX as u32,
        LaneOp::IMax => i32::MIN as u32,
        LaneOp::FAdd => (-0f32).to_bits(),
        LaneOp::FMul => 1f32.to_bits(),
        LaneOp::FMin => f32::INFINITY.to_bits(),
        LaneOp::FMax => f32::NEG_INFINITY.to_bits(),
        _ => return None,
    })
}

/// What the first lane of an exclusive scan gets: the identity, but a plain zero for a sum of floats.
pub fn exclusive_start(op: LaneOp) -> u32 {
    match op {
        LaneOp::FAdd => 0,
        op => identity(op).unwrap_or(0),
    }
}
