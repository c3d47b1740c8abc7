//! Where the loops are.

use crate::ir::Function;

/// The blocks of a loop: from its header up to, but without, its merge. Blocks are kept in an order in which these
/// follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopRange {
    /// Number of the header block.
    pub header: usize,
    /// Number of the merge block.
    pub merge: usize,
    /// Number of the block where `continue` goes.
    pub continuing: usize,
}

impl LoopRange {
    /// Numbers of its blocks.
    pub fn blocks(&self) -> std::ops::Range<usize> {
        self.header..self.merge
    }
}

/// Every loop, outer ones before the loops inside them.
pub fn loops(function: &Function) -> Vec<LoopRange> {
    let blocks = function.blocks.iter().enumerate();
    blocks
        .filter_map(|(header, block)| {
            let looping = block.looping?;
            Some(LoopRange {
                header,
                merge: looping.merge.0 as usize,
                continuing: looping.continuing.0 as usize,
            })
        })
        .collect()
}
