//! Code as blocks of groups with branches at their ends.

use crate::codegen::regalloc::Unit;
use crate::codegen::regalloc::{self, Flow, Liveness, Relief};

use super::machine::{FIRST, Inst, TEMPORARIES};

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// In a lane that runs P0 is set.
    P0,
    /// In a lane that runs P0 is clear.
    NotP0,
    /// No lane runs.
    NoLane,
}

/// A branch at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// When.
    pub when: When,
    /// Block.
    pub to: usize,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Instructions.
    pub insts: Vec<Inst>,
    /// Branches at the end, in order; then the next block of the order.
    pub branches: Vec<Branch>,
    /// Where lanes go on.
    pub next: Vec<usize>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Code {
    /// Blocks.
    pub blocks: Vec<Block>,
    /// Blocks in the order of the code.
    pub order: Vec<usize>,
    /// Number of units.
    pub units: Unit,
    /// Units that lie side by side: first and how many.
    pub rows: Vec<(Unit, u32)>,
    /// Units that must keep their registers.
    pub kept: Vec<Unit>,
    /// The counter of the execution mask is used.
    pub counts: bool,
}

impl Code {
    /// No program yet. The units of P0, the index register and the counter are there from the start.
    pub fn new() -> Code {
        Code {
            blocks: Vec::new(),
            order: Vec::new(),
            units: FIRST,
            rows: Vec::new(),
            kept: Vec::new(),
            counts: false,
        }
    }

    /// A new unit.
    pub fn unit(&mut self) -> Unit {
        self.units += 1;
        self.units - 1
    }

    /// New units side by side; the first.
    pub fn row(&mut self, words: u32) -> Unit {
        let first = self.units;
        self.units = first + words;
        if words > 1 {
            self.rows.push((first, words));
        }
        first
    }

    /// A new block.
    pub fn block(&mut self) -> usize {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// The blocks as the allocator sees them, in the order of the code.
    pub fn flow(&self) -> Vec<regalloc::Block<'_, Inst>> {
        let mut place = vec![0; self.blocks.len()];
        for (n, &block) in self.order.iter().enumerate() {
            place[block] = n;
        }
        let flow = |&block: &usize| {
            let block = &self.blocks[block];
            regalloc::Block {
                insts: &block.insts[..],
                lane_next: block.next.iter().map(|&next| place[next]).collect(),
                wave_next: Vec::new(),
                wave_skips: Vec::new(),
            }
        };
        self.order.iter().map(flow).collect()
    }

    /// Units that are alive at both ends of each block, by its place in the order.
    pub fn liveness(&self) -> Liveness {
        Liveness::new(&self.flow(), self.units as usize, Flow::Lane)
    }

    /// Temporaries that the allocator may give.
    pub fn bank(&self) -> regalloc::Bank {
        regalloc::Bank {
            registers: TEMPORARIES - u16::from(self.counts),
            channels: 1,
            special: None,
            flow: Flow::Lane,
            relief: Relief::FewestAccesses,
        }
    }
}
