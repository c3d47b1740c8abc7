//! Steps and programs: what an engine runs.

use std::ops::Range;

use crate::analysis::PortEffects;
use crate::op::{LaneOp, WideOp};
use crate::validate::width;

/// Where an operand comes from. For 64-bit operands `Row` and `Scalar` name the low half of a consecutive pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Src {
    /// A vector register: one value per lane.
    Row(u16),
    /// A scalar register, the same for all lanes.
    Scalar(u16),
    /// An immediate. As a 64-bit operand: zero-extended.
    Const(u32),
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Always.
    Always,
    /// The scalar is zero.
    Zero(u16),
    /// The scalar is not zero.
    NonZero(u16),
    /// The 64-bit scalar pair is zero.
    MaskZero(u16),
    /// The 64-bit scalar pair is not zero.
    MaskNonZero(u16),
}

/// Exchange between lanes. Reads see the old values; a source lane that is not enabled gives its register content
/// unless the variant says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Swizzle {
    /// Lane `i` of a quad takes lane `pattern[i]` of the same quad.
    Quad([u8; 4]),
    /// Within 32 lanes: source = ((lane & and) | or) ^ xor; a source lane that is not enabled gives zero.
    /// [SI DS_SWIZZLE_B32]
    Bits {
        /// And mask, 5 bits.
        and: u8,
        /// Or mask, 5 bits.
        or: u8,
        /// Xor mask, 5 bits.
        xor: u8,
    },
}

impl Swizzle {
    /// The lane of its quad that each lane takes, where all stay in their quads, and whether one that is not enabled gives zero.
    pub(crate) fn in_quad(self) -> Option<([u8; 4], bool)> {
        match self {
            Swizzle::Quad(lanes) => Some((lanes.map(|lane| lane & 3), false)),
            Swizzle::Bits { and, or, xor } => {
                // The bits of the quad's number stay: what derivatives ask for.
                let stay = and & 0b11100 == 0b11100 && or & 31 < 4 && xor & 31 < 4;
                let lanes = [0, 1, 2, 3].map(|lane| ((lane & and | or) ^ xor) & 3);
                stay.then_some((lanes, true))
            }
        }
    }
}

/// Moves with a register number known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// `row[dst] = row[base + index]`
    FromRow,
    /// `row[dst + index] = row[base]`
    ToRow,
    /// `scalar[dst] = scalar[base + index]`
    FromScalar,
    /// `scalar[dst + index] = scalar[base]`
    ToScalar,
}

/// One step of a lane program. Vector steps act on lanes enabled in the program's execution mask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// `row[dst] = op(src)` in every enabled lane. Unused sources are `Src::Const(0)`.
    Alu {
        /// What is computed.
        op: LaneOp,
        /// Destination row.
        dst: u16,
        /// Operands.
        src: [Src; 3],
    },
    /// The same on 64-bit values: operands and result are pairs or singles as [`WideOp`] says.
    Wide {
        /// What is computed.
        op: WideOp,
        /// Destination row (low half).
        dst: u16,
        /// Operands.
        src: [Src; 3],
    },
    /// Scalar pair `dst` = enabled lanes in which `op(src)` is not zero; all other bits become 0.
    Compare {
        /// What is computed.
        op: LaneOp,
        /// Destination scalar pair.
        dst: u16,
        /// Operands.
        src: [Src; 3],
    },
    /// As `Compare`, on 64-bit operands.
    CompareWide {
        /// What is computed.
        op: WideOp,
        /// Destination scalar pair.
        dst: u16,
        /// Operands.
        src: [Src; 3],
    },
    /// `row[dst] = mask bit of the lane ? yes : no` in every enabled lane.
    Select {
        /// Destination row.
        dst: u16,
        /// Scalar pair.
        mask: u16,
        /// Where the bit is clear.
        no: Src,
        /// Where the bit is set.
        yes: Src,
    },
    /// `scalar[dst] = op(src)`, once for the whole wave, whatever the mask. Sources are scalars or constants.
    Uniform {
        /// What is computed.
        op: LaneOp,
        /// Destination scalar.
        dst: u16,
        /// Operands.
        src: [Src; 3],
    },
    /// The same on 64-bit values.
    UniformWide {
        /// What is computed.
        op: WideOp,
        /// Destination scalar (low half).
        dst: u16,
        /// Operands.
        src: [Src; 3],
    },
    /// `scalar[dst] = row[src]` at `lane` modulo 64, whatever the mask.
    ReadLane {
        /// Destination scalar.
        dst: u16,
        /// Source row.
        src: u16,
        /// Lane number, scalar or constant.
        lane: Src,
    },
    /// `scalar[dst] = row[src]` at the lowest enabled lane, lane 0 if none is.
    ReadFirstLane {
        /// Destination scalar.
        dst: u16,
        /// Source row.
        src: u16,
    },
    /// `row[dst]` at `lane` modulo 64 = value, whatever the mask.
    WriteLane {
        /// Destination row.
        dst: u16,
        /// Scalar or constant.
        value: Src,
        /// Lane number, scalar or constant.
        lane: Src,
    },
    /// `row[dst] = ` lane number in every enabled lane.
    LaneId {
        /// Destination row.
        dst: u16,
    },
    /// Indexed move. `base + index` from `end` on is out of range: a source reads `base`, a destination drops the
    /// write.
    Relative {
        /// Direction and file.
        kind: Move,
        /// Destination register.
        dst: u16,
        /// Source register.
        base: u16,
        /// Index, scalar or constant.
        index: Src,
        /// First register number that does not exist.
        end: u16,
    },
    /// `row[dst] = ` another lane's `row[src]`.
    Swizzle {
        /// Destination row.
        dst: u16,
        /// Source row.
        src: u16,
        /// Which lane.
        pattern: Swizzle,
    },
    /// Continues at step `to` when the condition holds.
    Branch {
        /// Condition.
        when: When,
        /// Step index.
        to: u32,
    },
    /// Continues at the step that the program's `entries` list for the byte address in scalar pair `target`.
    Indirect {
        /// Scalar pair.
        target: u16,
    },
    /// `instructions` instructions follow, which are counted, and the watchdog charges what their steps cost.
    Tick {
        /// How many.
        instructions: u32,
    },
    /// Calls port `port`.
    Port {
        /// Index that lifter and device agree on.
        port: u32,
    },
    /// Waits for the other waves of the group: gives control back, see [`crate::Engine::advance`]. A wave that runs by
    /// itself is a whole group and goes on.
    Barrier,
    /// Ends the wave.
    End,
    /// Stops the wave with [`crate::Fault::Illegal`] and `Program::reasons[reason]`.
    Trap {
        /// Index of the reason.
        reason: u32,
    },
}

impl Step {
    /// Scalars that the step may write, ports excluded. Only an indexed scalar move leaves some of them unwritten.
    pub fn written_scalars(&self) -> Range<u16> {
        match *self {
            Step::Uniform { dst, .. }
            | Step::ReadLane { dst, .. }
            | Step::ReadFirstLane { dst, .. }
            | Step::Relative {
                kind: Move::FromScalar,
                dst,
                ..
            } => from(dst, 1),
            Step::UniformWide { op, dst, .. } => from(dst, width(op.result())),
            Step::Compare { dst, .. } | Step::CompareWide { dst, .. } => from(dst, 2),
            Step::Relative {
                kind: Move::ToScalar,
                dst,
                end,
                ..
            } => dst..end.max(dst),
            Step::Alu { .. }
            | Step::Wide { .. }
            | Step::Select { .. }
            | Step::WriteLane { .. }
            | Step::LaneId { .. }
            | Step::Relative { .. }
            | Step::Swizzle { .. }
            | Step::Branch { .. }
            | Step::Indirect { .. }
            | Step::Tick { .. }
            | Step::Port { .. }
            | Step::Barrier
            | Step::End
            | Step::Trap { .. } => 0..0,
        }
    }

    /// Rows that the step reads, ports excluded; `None` if indexed at run time.
    pub fn read_rows(&self) -> Option<[Range<u16>; 3]> {
        let row = |src: Src, count: u32| match src {
            Src::Row(at) => from(at, count),
            Src::Scalar(_) | Src::Const(_) => 0..0,
        };
        Some(match *self {
            Step::Alu { op, src, .. } | Step::Compare { op, src, .. } => {
                let count = op.params().len();
                std::array::from_fn(|n| row(src[n], u32::from(n < count)))
            }
            Step::Wide { op, src, .. } | Step::CompareWide { op, src, .. } => {
                let params = op.params();
                std::array::from_fn(|n| row(src[n], params.get(n).map_or(0, |ty| width(*ty))))
            }
            Step::Select { no, yes, .. } => [row(no, 1), row(yes, 1), 0..0],
            Step::ReadLane { src, .. }
            | Step::ReadFirstLane { src, .. }
            | Step::Swizzle { src, .. } => [from(src, 1), 0..0, 0..0],
            Step::Relative {
                kind: Move::FromRow | Move::ToRow,
                ..
            } => return None,
            Step::Uniform { .. }
            | Step::UniformWide { .. }
            | Step::WriteLane { .. }
            | Step::LaneId { .. }
            | Step::Relative { .. }
            | Step::Branch { .. }
            | Step::Indirect { .. }
            | Step::Tick { .. }
            | Step::Port { .. }
            | Step::Barrier
            | Step::End
            | Step::Trap { .. } => [0..0, 0..0, 0..0],
        })
    }

    /// Rows that the step may write, ports excluded: all enabled lanes, except indexed moves and single-lane writes.
    pub fn written_rows(&self) -> Range<u16> {
        match *self {
            Step::Alu { dst, .. }
            | Step::Select { dst, .. }
            | Step::WriteLane { dst, .. }
            | Step::LaneId { dst }
            | Step::Swizzle { dst, .. }
            | Step::Relative {
                kind: Move::FromRow,
                dst,
                ..
            } => from(dst, 1),
            Step::Wide { op, dst, .. } => from(dst, width(op.result())),
            Step::Relative {
                kind: Move::ToRow,
                dst,
                end,
                ..
            } => dst..end.max(dst),
            Step::Compare { .. }
            | Step::CompareWide { .. }
            | Step::Uniform { .. }
            | Step::UniformWide { .. }
            | Step::ReadLane { .. }
            | Step::ReadFirstLane { .. }
            | Step::Relative { .. }
            | Step::Branch { .. }
            | Step::Indirect { .. }
            | Step::Tick { .. }
            | Step::Port { .. }
            | Step::Barrier
            | Step::End
            | Step::Trap { .. } => 0..0,
        }
    }

    /// Scalars that the step reads, without the execution mask of vector steps; ports excluded.
    pub fn read_scalars(&self) -> [Range<u16>; 3] {
        let one = |src: Src| match src {
            Src::Scalar(at) => from(at, 1),
            Src::Row(_) | Src::Const(_) => 0..0,
        };
        let none = || 0..0;
        match *self {
            Step::Alu { src, .. } | Step::Compare { src, .. } | Step::Uniform { src, .. } => {
                src.map(one)
            }
            Step::Wide { op, src, .. }
            | Step::CompareWide { op, src, .. }
            | Step::UniformWide { op, src, .. } => std::array::from_fn(|n| match src[n] {
                Src::Scalar(at) => from(at, op.params().get(n).map_or(1, |ty| width(*ty))),
                Src::Row(_) | Src::Const(_) => none(),
            }),
            Step::Select { mask, no, yes, .. } => [from(mask, 2), one(no), one(yes)],
            Step::ReadLane { lane, .. } => [one(lane), none(), none()],
            Step::WriteLane { value, lane, .. } => [one(value), one(lane), none()],
            Step::Relative {
                kind,
                base,
                index,
                end,
                ..
            } => match kind {
                Move::FromScalar => [one(index), base..end.max(base.saturating_add(1)), none()],
                Move::ToScalar => [one(index), from(base, 1), none()],
                Move::FromRow | Move::ToRow => [one(index), none(), none()],
            },
            Step::Branch { when, .. } => match when {
                When::Always => [none(), none(), none()],
                When::Zero(at) | When::NonZero(at) => [from(at, 1), none(), none()],
                When::MaskZero(at) | When::MaskNonZero(at) => [from(at, 2), none(), none()],
            },
            Step::Indirect { target } => [from(target, 2), none(), none()],
            Step::ReadFirstLane { .. }
            | Step::LaneId { .. }
            | Step::Swizzle { .. }
            | Step::Tick { .. }
            | Step::Port { .. }
            | Step::Barrier
            | Step::End
            | Step::Trap { .. } => [none(), none(), none()],
        }
    }
}

/// Registers from `first` on.
fn from(first: u16, count: u32) -> Range<u16> {
    first..first.saturating_add(count as u16)
}

/// Where a step came from, for traps and listings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Byte offset of the instruction in its program.
    pub pc: u32,
    /// First word of the instruction.
    pub word: u32,
}

/// A lane program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The steps, run from index 0.
    pub steps: Vec<Step>,
    /// One origin per step.
    pub origins: Vec<Origin>,
    /// Rows that a wave must have.
    pub rows: u16,
    /// How many of the last rows nobody looks at when the program has ended.
    pub temporaries: u16,
    /// Scalars that a wave must have.
    pub scalars: u16,
    /// Scalar pair that holds the execution mask.
    pub exec: u16,
    /// Byte addresses that `Step::Indirect` may jump to, sorted, with their steps.
    pub entries: Vec<(u64, u32)>,
    /// Texts of `Step::Trap`.
    pub reasons: Vec<String>,
    /// Port effects by number. Unlisted ports may do anything.
    pub ports: Vec<PortEffects>,
    /// Scalars that may differ between the waves of a batch at the start; all others that the program reads before
    /// writing are equal.
    pub per_wave: Vec<u16>,
}
