//! Where registers are in the rows and scalars of a wave.

use std::collections::BTreeMap;
use std::ops::Range;

/// A register of each lane that the device fills before a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// A coefficient, by its number; A, B, C of a plane are numbers `4n`, `4n + 1`, `4n + 2`.
    Coefficient(u16),
    /// A coefficient of the second set.
    CoefficientAlt(u16),
    /// A special register, by its number: [`crate::lift::SpecialRegister`].
    Special(u16),
    /// Bits of the samples that the lane covers, not zero for lanes of [`crate::lift::COVERED`].
    Coverage,
}

/// Rows and scalars of registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Rows of temporaries.
    pub temporaries: Range<u16>,
    /// Rows of vertex inputs.
    pub vertex_inputs: Range<u16>,
    /// Rows of vertex outputs, words of `uvsw`, from word 0 on.
    pub vertex_outputs: Range<u16>,
    /// Rows of the pixel outputs that the program names. The device fills those that it also reads.
    pub outputs: [Option<u16>; 8],
    /// Pixel outputs that the program reads.
    pub reads_outputs: [bool; 8],
    /// Pixel outputs that the program writes.
    pub writes_outputs: [bool; 8],
    /// Rows of internal registers, all or none.
    pub internal: Range<u16>,
    /// Rows of index registers.
    pub index: [Option<u16>; 2],
    /// Rows that the device fills.
    pub inputs: BTreeMap<Input, u16>,
    /// Row of the depth of `depthf`.
    pub depth: Option<u16>,
    /// Row of the coverage that `movmsk` sets, all ones where it has not run.
    pub mask: Option<u16>,
    /// Behind the rows that the device reads when a wave has ended, which come first: vertex and pixel outputs, depth,
    /// coverage.
    pub results: u16,
    /// Scalars of shared registers.
    pub shared: Range<u16>,
    /// Shared registers may be written by the program.
    pub writes_shared: bool,
}
