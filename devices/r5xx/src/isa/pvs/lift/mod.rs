//! Machine code to lane programs.
//!
//! In come the code memory and the registers that steer through it; out comes a [`lanes::Program`] with a place for every
//! register that the program touches, the accesses that the device makes for it, and the constants that have to be in
//! scalars before a wave starts.
//!
//! Nothing depends on data but the predicate: loops and calls are known, so an instruction is lifted once for each stack
//! of frames that it is reached with.

mod flow;
mod local;
mod math;
mod operands;
mod vector;

use std::ops::Range;

use lanes::Program as Steps;

use super::inst::{DecodeError, DstFile, SrcFile};
use super::program::Control;
pub use local::{Access, Port};

/// Scalar pair of the active lanes, the execution mask.
pub const ACTIVE: u16 = 0;
/// Scalar pair: lanes whose predicate is set.
const PREDICATE: u16 = 2;
/// Five scalar pairs for values within one instruction; the last belongs to writes.
const TEMP: u16 = 4;
/// Scalar pair: the predicate that an instruction leaves, where its writes depend on the one that it met.
const NEXT: u16 = 14;
/// First scalar of the loops: count and index of every frame.
const FRAMES: u16 = 16;
/// Frames that loops and calls may have. [R5XX 7.5.5]
pub const MAX_FRAMES: usize = 8;
/// First scalar of the constants.
pub const CONSTANTS: u16 = FRAMES + 2 * MAX_FRAMES as u16;
/// Pairs of instruction and frames that one program may have.
const MAX_STATES: usize = 1 << 14;

/// Vectors of each memory. [R5XX 7.5.1]
const LIMITS: [(&str, u16); 4] = [
    ("temporaries", 32),
    ("inputs", 32),
    ("outputs", 32),
    ("alternate temporaries", 20),
];

/// A component of a constant, by its place in the constant memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constant {
    /// Vector.
    pub index: u8,
    /// Component.
    pub component: u8,
}

/// First rows of the memories that a program touches, a row for each component; the rest of a memory has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Temporaries.
    pub temps: Range<u16>,
    /// The vertex.
    pub inputs: Range<u16>,
    /// Outputs.
    pub outputs: Range<u16>,
    /// Alternate temporaries.
    pub alternates: Range<u16>,
    /// A0, if it is used: integers.
    pub address: Range<u16>,
}

/// A program ready for an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The steps.
    pub program: Steps,
    /// What `Step::Port { port }` means.
    pub ports: Vec<Port>,
    /// What has to be in which scalar when a wave starts.
    pub constants: Vec<(Constant, u16)>,
    /// Where registers are.
    pub layout: Layout,
    /// Components of outputs that are written, bit 4 * n + c.
    pub written: u128,
}

/// A program that cannot be lifted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiftError {
    /// An instruction that is none.
    #[error("instruction {pc}: {error}")]
    Decode {
        /// Its address.
        pc: u16,
        /// Why.
        error: DecodeError,
    },
    /// Control reaches an address without code.
    #[error("control reaches instruction {pc} of {count}")]
    End {
        /// Address.
        pc: u16,
        /// Instructions that there are.
        count: usize,
    },
    /// A vector that its memory does not have.
    #[error("instruction {pc} uses vector {offset} of {limit} {file}")]
    Register {
        /// Address of the instruction.
        pc: u16,
        /// Memory.
        file: &'static str,
        /// Vector.
        offset: u16,
        /// Vectors that there are.
        limit: u16,
    },
    /// Loops and calls that are nested too deep.
    #[error("slot {slot}, after instruction {pc}, nests loops and calls deeper than {limit}")]
    Frames {
        /// Slot.
        slot: usize,
        /// Address of the instruction.
        pc: u16,
        /// Frames that there are.
        limit: usize,
    },
    /// A loop count that the hardware does not have.
    #[error("slot {slot} loops {count} times, 1 to 255 are possible")]
    LoopCount {
        /// Slot.
        slot: usize,
        /// Its count.
        count: u16,
    },
    /// Too many ways through the program.
    #[error("the program has more than {limit} reachable pairs of instruction and frames")]
    TooLarge {
        /// Pairs that are possible.
        limit: usize,
    },
}

impl Layout {
    /// The rows of a memory.
    fn read(&self, file: SrcFile) -> &Range<u16> {
        match file {
            SrcFile::Temp => &self.temps,
            SrcFile::Input => &self.inputs,
            SrcFile::AltTemp => &self.alternates,
            SrcFile::Constant => &self.address,
        }
    }

    /// The rows of a memory.
    fn written(&self, file: DstFile) -> &Range<u16> {
        match file {
            DstFile::Temp => &self.temps,
            DstFile::Input => &self.inputs,
            DstFile::Output | DstFile::OutputX => &self.outputs,
            DstFile::AltTemp => &self.alternates,
            DstFile::Address => &self.address,
        }
    }

    /// The first row after all of them.
    fn end(&self) -> u16 {
        self.address.end
    }
}

/// Lifts the program that `control` names, of this code memory.
pub fn lift(code: &[[u32; 4]], control: &Control) -> Result<Lifted, LiftError> {
    flow::Lifter::new(code, control)?.run()
}
