//! Machine code to lane programs.
//!
//! In come the code memory and how its waves are set up; out comes a [`lanes::Program`], the texture lookups that the
//! device has to make, and the constants that it has to put into scalars before a wave starts.
//!
//! Pixels are lanes, four of a quad after another: top left, top right, bottom left, bottom right. Lane state is a set of
//! masks in scalars and a row of branch counters. The loop and address stacks are the wave's, so what they hold is known
//! at every instruction: one is lifted once for each content of the stacks that it can be reached with.
//!
//! Denormals are zero for every operation but moves that keep bits. Registers that only hold results of operations are
//! flushed already; the others are flushed where they are read.

mod alu;
mod clean;
mod control;
mod flow;
mod operands;
mod result;
mod tex;

use std::ops::Range;

use lanes::{PortEffects, Program as Steps};

use super::inst::{DecodeError, Tex};

/// Scalar pair of the pixels that run, the execution mask. At the start: all pixels of the wave.
pub const ACTIVE: u16 = 0;
/// Scalar pair of the covered pixels: those that the primitive covers and nothing killed.
pub const COVERED: u16 = 2;
/// Scalar pair: all pixels of the wave.
const START: u16 = 4;
/// Scalar pair: pixels that an instruction marked "last" has ended.
const DONE: u16 = 6;
/// Scalar pair: pixels that no branch has disabled.
const BRANCH: u16 = 8;
/// Scalar pairs: predicates of red, green, blue, alpha.
const PREDICATES: u16 = 10;
/// Scalar pair: ALU results.
const RESULT: u16 = 18;
/// Four scalar pairs for values within one step of an instruction.
const TEMP: u16 = 20;
/// Scalar pair: active pixels while an instruction also runs in others.
const SAVED: u16 = 28;
/// Scalar pair: pixels that want to jump.
const WANT: u16 = 30;
/// Scalars for indices.
const INDEX: u16 = 32;
/// First scalar of the loops.
const FRAMES: u16 = 34;
/// Scalars of a loop: count, index, pixels that left it, pixels that left the iteration.
const FRAME: u16 = 6;
/// Loops within each other, calls within each other. [R5XX 8.6.2]
pub const MAX_DEPTH: usize = 4;
/// First scalar of the constants.
pub const CONSTANTS: u16 = FRAMES + FRAME * MAX_DEPTH as u16;
/// Instructions that fit the code memory.
pub const MAX_INSTRUCTIONS: u16 = 512;
/// Pairs of instruction and stacks that one program may have.
const MAX_STATES: usize = 1 << 14;

/// How waves of a program are set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The first instruction, offset included.
    pub start: u16,
    /// The last instruction, offset included.
    pub end: u16,
    /// What is added to targets of jumps.
    pub offset: u16,
    /// Temporaries of a pixel, 1 to 128.
    pub temps: u16,
    /// Loops, calls and 32 branches are possible, otherwise 4 branches.
    pub full_flow: bool,
    /// Zero times anything is zero.
    pub zero_wins: bool,
    /// Registers may hold denormals or any NaN at the start.
    pub raw_inputs: bool,
    /// Units whose lookups may stop pixels, a bit each.
    pub stopping: u16,
}

/// Lookups of the texels of a filter, left to right and down: what programs that compare or weigh texels themselves make.
pub const SQUARE: usize = 4;

/// Something that stays the same while a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// A channel of a constant.
    Float {
        /// Constant.
        index: u8,
        /// Channel.
        channel: u8,
        /// Its denormals are zero and its NaN the chip's: [`flushed`].
        flushed: bool,
    },
    /// Part of a loop constant: 0 count, 1 first index, 2 step, sign-extended.
    Int {
        /// Constant.
        index: u8,
        /// Part.
        part: u8,
    },
    /// A boolean: 0 or 1.
    Bool(u8),
}

/// A number as operations see it: denormals are zero, NaN is 0x7fffffff. [R5XX 8.7.1]
#[inline(always)]
pub fn flushed(bits: u32) -> u32 {
    lanes::LaneOp::FFlushNan.eval([bits, 0, 0])
}

/// A texture lookup by the active pixels, of those only the covered ones if it ignores the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The instruction. Swizzles, projection, masks and predicates are done.
    pub tex: Tex,
    /// Rows of S, T, R and Q, without denormals and NaN.
    pub coordinates: [u16; 4],
    /// Rows of the gradients along x and y, for DXDY.
    pub gradients: [[u16; 4]; 2],
    /// First of four rows for the channels of the texel, to be written without denormals.
    pub result: u16,
    /// Channels that the program reads, a bit each; rows of others need not be written.
    pub wanted: u8,
    /// This lookup and the next three are of one channel of one unit, at two columns and two lines: see [`SQUARE`].
    pub square: bool,
    /// Byte offset of the instruction in the code.
    pub pc: u32,
    /// Pixels may be covered no longer when it is done.
    pub stops: bool,
}

/// Where a program leaves its results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Rows of temporaries, a row for each channel.
    pub temps: Range<u16>,
    /// First of four rows of each render target that is written.
    pub targets: [Option<u16>; 4],
    /// Row of the depth, if it is written.
    pub depth: Option<u16>,
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
    /// Channels of each render target that instructions write.
    pub written: [u8; 4],
    /// Pixels may be killed.
    pub kills: bool,
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
    /// The last instruction is none that can end a program.
    #[error("the last instruction, {pc}, is not OUT")]
    LastIsNotOut {
        /// Its address.
        pc: u16,
    },
    /// A temporary that the pixel does not have.
    #[error("instruction {pc} uses temporary {at} of {temps}")]
    Temporary {
        /// Address of the instruction.
        pc: u16,
        /// Temporary.
        at: u16,
        /// Temporaries of a pixel.
        temps: u16,
    },
    /// No temporaries, or more than there are.
    #[error("a pixel has {temps} temporaries, 1 to 128 are possible")]
    Temporaries {
        /// Temporaries.
        temps: u16,
    },
    /// Too many ways through the program.
    #[error("the program has more than {limit} reachable pairs of instruction and stacks")]
    TooLarge {
        /// Pairs that are possible.
        limit: usize,
    },
}

impl Setup {
    /// All of a code of `count` instructions, with everything that the chip has.
    pub fn whole(count: usize) -> Setup {
        Setup {
            start: 0,
            end: count.saturating_sub(1) as u16,
            offset: 0,
            temps: 128,
            full_flow: true,
            zero_wins: false,
            raw_inputs: true,
            stopping: 0,
        }
    }
}

impl Port {
    /// Scalar pair of the pixels that look up: those of both masks.
    pub fn masks(&self) -> [u16; 2] {
        match self.tex.ignore_uncovered {
            true => [ACTIVE, COVERED],
            false => [ACTIVE, ACTIVE],
        }
    }

    fn effects(&self) -> PortEffects {
        let stops = self.stops.then_some(COVERED);
        let masks = self.masks().into_iter().chain(stops);
        let mut reads_scalars: Vec<u16> = masks.flat_map(|pair| [pair, pair + 1]).collect();
        reads_scalars.sort_unstable();
        reads_scalars.dedup();
        let mut reads_rows = self.coordinates.to_vec();
        reads_rows.extend(self.gradients.iter().flatten());
        reads_rows.sort_unstable();
        reads_rows.dedup();
        PortEffects {
            reads_rows,
            writes_rows: (0..4)
                .filter(|channel| self.wanted >> channel & 1 == 1)
                .map(|channel| self.result + channel)
                .collect(),
            writes_scalars: match self.stops {
                true => vec![COVERED, COVERED + 1],
                false => Vec::new(),
            },
            reads_scalars,
            overwrites: !self.tex.ignore_uncovered && !self.stops,
            may_fail: true,
            // Textures charge for their texels as they go.
            blind: true,
            cost: 1024,
            ..PortEffects::default()
        }
    }
}

/// Lifts the program of this code memory.
pub fn lift(code: &[[u32; 6]], setup: &Setup) -> Result<Lifted, LiftError> {
    let temps = setup.temps;
    if !(1..=128).contains(&temps) {
        return Err(LiftError::Temporaries { temps });
    }
    flow::Lifter::new(code, setup)?.run()
}
