//! What an instruction is made of, typed. [R5XX 8.4 to 8.6]

use super::codes::{
    AddressOp, BranchOp, Modifier, Omod, PredSelect, Presubtract, Select, Swizzle, Test,
};
use super::ops::{AlphaOp, FcOp, RgbOp, TexOp};

/// A source of an ALU instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A temporary, 0 to 127.
    Temp {
        /// Number.
        at: u8,
        /// The loop variable is added.
        relative: bool,
    },
    /// A constant.
    Constant {
        /// Number.
        at: u8,
        /// The loop variable is added.
        relative: bool,
    },
    /// A number of four exponent and three mantissa bits.
    Inline(u8),
}

/// The sources of one half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sources {
    /// Source 0 to 2.
    pub src: [Source; 3],
    /// The presubtract operation.
    pub srcp: Presubtract,
}

/// An input of one half, of `N` channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input<const N: usize> {
    /// Source.
    pub select: Select,
    /// What each channel is.
    pub swizzle: [Swizzle; N],
    /// What happens to it.
    pub modifier: Modifier,
}

/// A temporary that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Register {
    /// Number.
    pub at: u8,
    /// The loop variable is added.
    pub relative: bool,
}

/// One half of an ALU instruction: `N` channels, and the type of its opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Half<Op, const N: usize> {
    /// Operation.
    pub op: Op,
    /// Sources.
    pub sources: Sources,
    /// A, B and C.
    pub inputs: [Input<N>; 3],
    /// What happens to the result.
    pub omod: Omod,
    /// The result is clamped to 0..1.
    pub clamp: bool,
    /// Temporary that is written.
    pub dst: Register,
    /// Channels of it.
    pub wmask: u8,
    /// Render target, or the test of predicates.
    pub target: u8,
    /// Channels of the target, or predicates that are written.
    pub omask: u8,
    /// Predicates that gate the writes.
    pub predicate: Predicate,
}

/// Predicates that gate writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// Which.
    pub select: PredSelect,
    /// Those that are clear pass.
    pub invert: bool,
}

/// An ALU or OUT instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alu {
    /// OUT: the output masks are of a render target and not of predicates.
    pub out: bool,
    /// Colour.
    pub rgb: Half<RgbOp, 3>,
    /// Alpha.
    pub alpha: Half<AlphaOp, 1>,
    /// Alpha is the depth.
    pub depth: bool,
    /// The ALU result is this test of red, or of alpha.
    pub result: Option<(bool, Test)>,
}

/// A register of a texture instruction, with a channel for each of S, T, R, Q or R, G, B, A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TexRegister {
    /// Number.
    pub at: u8,
    /// The loop variable is added.
    pub relative: bool,
    /// Channels 0 to 3.
    pub swizzle: [u8; 4],
}

/// A TEX instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tex {
    /// Operation.
    pub op: TexOp,
    /// Texture unit.
    pub unit: u8,
    /// Holds the semaphore until the result is there.
    pub acquire: bool,
    /// Uncovered pixels look nothing up.
    pub ignore_uncovered: bool,
    /// Coordinates are texels.
    pub unscaled: bool,
    /// Coordinates.
    pub src: TexRegister,
    /// Result.
    pub dst: TexRegister,
    /// Gradients along x and y.
    pub gradients: [TexRegister; 2],
    /// Channels written.
    pub wmask: u8,
    /// Predicates that gate colour and alpha.
    pub predicates: [Predicate; 2],
}

/// An FC instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fc {
    /// What happens to the loop stack.
    pub op: FcOp,
    /// Pixels that jump, as a table of ALU result, predicate and boolean.
    pub jump_func: u8,
    /// One pixel is enough for a jump.
    pub jump_any: bool,
    /// Active pixels and those of the other branch change places first.
    pub b_else: bool,
    /// What a jump does to the address stack.
    pub address: AddressOp,
    /// What happens to branch counters without a jump.
    pub stay: BranchOp,
    /// What happens to them with one.
    pub jump: BranchOp,
    /// By how much they fall.
    pub pop_count: u8,
    /// Uncovered pixels have no vote.
    pub ignore_uncovered: bool,
    /// Boolean constant.
    pub boolean: u8,
    /// Integer constant.
    pub integer: u8,
    /// Where it jumps.
    pub target: u16,
    /// The target does not move with the program.
    pub global: bool,
    /// The predicate of the condition.
    pub predicate: Predicate,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// ALU and OUT.
    Alu(Alu),
    /// Texture.
    Tex(Tex),
    /// Flow control.
    Fc(Fc),
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// Waits for the texture semaphore.
    pub sem_wait: bool,
    /// Pixels that are not active write too.
    pub write_inactive: bool,
    /// Active pixels are done.
    pub last: bool,
    /// A bubble follows.
    pub nop: bool,
    /// Waits for results of ALU instructions.
    pub alu_wait: bool,
    /// Channels that the performance counter counts.
    pub stat: u8,
    /// The rest.
    pub body: Body,
    /// Bits without meaning.
    pub stray: [u32; 6],
}

/// Why words are no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A field holds a code that means nothing.
    #[error("{field} is {code}, which is reserved (word {word:#010x})")]
    Reserved {
        /// Field of the word.
        field: &'static str,
        /// Its code.
        code: u8,
        /// The word with it.
        word: u32,
    },
    /// The loop variable is added to a number.
    #[error("source {at} adds the loop variable to an inline constant (word {word:#010x})")]
    InlineRelative {
        /// Source.
        at: u8,
        /// The word with it.
        word: u32,
    },
    /// SOP or DP without a result to take.
    #[error("{taker} takes the result of {giver}, which has none (word {word:#010x})")]
    Taken {
        /// Operation that takes.
        taker: &'static str,
        /// The other half's operation.
        giver: &'static str,
        /// The word with the operation that takes.
        word: u32,
    },
}

impl Default for Source {
    fn default() -> Source {
        Source::Temp {
            at: 0,
            relative: false,
        }
    }
}

impl<const N: usize> Default for Input<N> {
    fn default() -> Input<N> {
        Input {
            select: Select::default(),
            swizzle: [Swizzle::default(); N],
            modifier: Modifier::default(),
        }
    }
}

impl Alu {
    /// The colour half's result goes somewhere.
    pub fn writes_rgb(&self) -> bool {
        let result = matches!(self.result, Some((false, _)));
        self.rgb.wmask != 0 || self.rgb.omask != 0 || result
    }

    /// The alpha half's result goes somewhere.
    pub fn writes_alpha(&self) -> bool {
        let result = matches!(self.result, Some((true, _)));
        self.alpha.wmask != 0 || self.alpha.omask != 0 || self.depth || result
    }
}

impl Inst {
    /// An instruction without flags.
    pub fn new(body: Body) -> Inst {
        Inst {
            sem_wait: false,
            write_inactive: false,
            last: false,
            nop: false,
            alu_wait: false,
            stat: 0,
            body,
            stray: [0; 6],
        }
    }
}
