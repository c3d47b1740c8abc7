//! Registers for vectors: each lies in one register, at any components that it fits.

use super::machine::{Code, End, Inst, Reg, unit};
use crate::codegen::regalloc::{self, Bank, Block, Flow, Group, Location, Relief};

/// Where everything lies.
pub struct Registers {
    locations: Vec<Location>,
    /// Registers in use.
    pub used: u16,
}

impl Registers {
    /// Register and channel of a component of a temporary.
    pub fn of(&self, vector: u32, component: u8) -> (u8, u8) {
        let location = self.locations[unit(vector, component) as usize];
        (location.register as u8, location.channel)
    }

    /// Channels that a target's components are.
    pub fn channels(&self, reg: Reg, components: &[u8]) -> Vec<u8> {
        let channel = |component: &u8| match reg {
            Reg::Temp(vector) => self.of(vector, *component).1,
            _ => *component,
        };
        components.iter().map(channel).collect()
    }
}

/// Gives every vector a register, or says that there are too few.
pub fn allocate(code: &Code, registers: u16) -> Option<Registers> {
    let blocks: Vec<Block<'_, Inst>> = code
        .blocks
        .iter()
        .enumerate()
        .map(|(at, block)| {
            let next = match block.end {
                End::Next => vec![at + 1],
                End::Again { header, .. } => vec![header, at + 1],
                End::Skip { to } => vec![at + 1, to],
                End::Done => Vec::new(),
            };
            Block {
                insts: &block.insts,
                lane_next: next.clone(),
                wave_next: next,
                wave_skips: Vec::new(),
            }
        })
        .collect();
    let bank = Bank {
        registers,
        channels: 4,
        special: None,
        flow: Flow::Lane,
        relief: Relief::None,
    };
    let vectors = code.widths.iter().enumerate();
    let groups: Vec<Group> = vectors
        .map(|(vector, width)| {
            let first = unit(vector as u32, 0);
            let phase = code.phases[vector];
            let align = match width {
                _ if phase.is_some() => 4,
                1 => 1,
                2 => 2,
                _ => 4,
            };
            let pinned = code.pinned.iter().find(|(of, _)| *of == vector as u32);
            Group {
                pinned: pinned.map(|(_, at)| *at),
                phase: phase.unwrap_or(0).into(),
                keep: true,
                ..Group::row(0, first..first + u32::from(*width), align)
            }
        })
        .collect();
    let found = regalloc::allocate(&blocks, &[bank], &groups, 4 * code.widths.len()).ok()?;
    Some(Registers {
        locations: found.locations,
        used: found.used[0],
    })
}

/// Removes what copies a register to itself.
pub fn remove_idle(code: &mut Code, registers: &Registers) {
    for block in &mut code.blocks {
        block.insts.retain(|inst| {
            let idle = inst.is_plain_copy() && inst.with.is_none();
            let Some(Reg::Temp(to)) = inst.dst.filter(|_| idle) else {
                return true;
            };
            let pairs = inst.components.iter().zip(&inst.args[0]);
            let moves = pairs.filter(|(component, arg)| match (arg.reg, arg.select) {
                (Some(Reg::Temp(from)), super::machine::Select::Component(of)) => {
                    registers.of(from, of) != registers.of(to, **component)
                }
                _ => true,
            });
            moves.count() > 0
        });
    }
}
