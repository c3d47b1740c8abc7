//! Blocks as engines know them that go from one to the next by themselves.
#![cfg_attr(
    not(all(not(miri), unix, target_arch = "x86_64")),
    expect(dead_code, reason = "engines of other hosts stop behind each block")
)]

use super::Span;
use super::plan::{Block, Then};
use crate::step::When;

/// A block.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Its steps.
    pub(crate) steps: [Span; 2],
    pub(crate) then: Onward,
}

/// Control of a wave that nobody else has to do with. Targets are blocks.
#[derive(Clone, Copy, Debug)]
pub enum Onward {
    Next,
    Tick {
        instructions: i32,
        cost: i32,
    },
    Branch {
        when: When,
        to: u32,
    },
    /// Something else.
    Out,
}

impl Block {
    /// The block as a link.
    pub(super) fn link(&self) -> Link {
        let then = match self.then {
            Then::Next => Onward::Next,
            Then::Branch { when, to } => Onward::Branch { when, to },
            Then::Tick {
                instructions,
                cost,
                waterfall: None,
            } => match (i32::try_from(instructions), i32::try_from(cost)) {
                (Ok(instructions), Ok(cost)) => Onward::Tick { instructions, cost },
                _ => Onward::Out,
            },
            _ => Onward::Out,
        };
        Link {
            steps: [self.hoisted, self.each],
            then,
        }
    }
}
