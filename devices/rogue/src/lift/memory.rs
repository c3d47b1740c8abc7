//! Loads, stores and atomic operations of a wave, and the moves that need no device. [Rogue 11.2]

use lanes::{Fault, LANES, Wave};
use silicon::Memory;

use super::local::{each, value};
use super::port::{Amount, File, Load, Port, Store};
use super::{ACTIVE, COVERED, Lifted};
use crate::isa::backend::Atomic;

/// Words of a burst of a register that holds 0.
const MOST: u32 = 1024;

impl Lifted {
    /// Serves a port that needs nothing but memory; false for those of the device.
    pub fn serve(&self, port: u32, wave: &mut Wave, memory: &Memory) -> Result<bool, Fault> {
        let Some(port) = self.ports.get(port as usize) else {
            let reason = format!("the program has no port {port}");
            return Err(Fault::Illegal { reason });
        };
        match port {
            Port::Load(load) => load.run(wave, memory)?,
            Port::Store(store) => store.run(wave, memory)?,
            Port::Atomic {
                op,
                address,
                operand,
                old,
            } => {
                for lane in each(wave.mask(ACTIVE) & wave.mask(COVERED)) {
                    let at = address_of(wave, *address, lane);
                    let operand = value(wave, *operand, lane);
                    let found = match at % 4 {
                        0 => memory.fetch(at, |word| apply(*op, word, operand)),
                        _ => None,
                    };
                    let found = found.ok_or_else(|| fault(lane, at))?;
                    wave.rows[usize::from(*old)].0[lane] = found;
                }
            }
            Port::Local(local) => local.run(wave),
            Port::Iterate(_) | Port::Sample(_) | Port::Emit { .. } | Port::Vertex(_) => {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A lane's access to an address that is not mapped.
pub(crate) fn fault(lane: usize, address: u64) -> Fault {
    Fault::Address {
        lane: lane as u32,
        address,
    }
}

/// The address that a lane has in two operands.
pub(crate) fn address_of(wave: &Wave, [low, high]: [lanes::Src; 2], lane: usize) -> u64 {
    u64::from(value(wave, low, lane)) | u64::from(value(wave, high, lane)) << 32
}

impl Amount {
    /// What it is in a lane.
    pub(crate) fn in_lane(self, wave: &Wave, lane: usize) -> u32 {
        match self {
            Amount::Number(number) => number.into(),
            Amount::Value(source) => match value(wave, source, lane) {
                0 => MOST,
                count => count.min(MOST),
            },
        }
    }
}

impl Load {
    fn run(&self, wave: &mut Wave, memory: &Memory) -> Result<(), Fault> {
        let active = wave.mask(ACTIVE);
        match self.to {
            File::Rows { first, end } => {
                for lane in each(active) {
                    let at = address_of(wave, self.address, lane);
                    let count = self.words.in_lane(wave, lane).min(u32::from(end - first));
                    for n in 0..count {
                        let word = load(memory, lane, at.wrapping_add(4 * u64::from(n)))?;
                        wave.rows[usize::from(first) + n as usize].0[lane] = word;
                    }
                }
            }
            File::Scalars { first, end } => {
                // Lanes share them: those of the first lane that loads.
                let lane = active.trailing_zeros() as usize;
                if lane < LANES {
                    let at = address_of(wave, self.address, lane);
                    let count = self.words.in_lane(wave, lane).min(u32::from(end - first));
                    for n in 0..count {
                        let word = load(memory, lane, at.wrapping_add(4 * u64::from(n)))?;
                        wave.scalars[usize::from(first) + n as usize] = word;
                    }
                }
            }
        }
        Ok(())
    }
}

fn load(memory: &Memory, lane: usize, at: u64) -> Result<u32, Fault> {
    let word = if at.is_multiple_of(4) {
        memory.load(at)
    } else {
        None
    };
    word.ok_or_else(|| fault(lane, at))
}

impl Store {
    fn run(&self, wave: &mut Wave, memory: &Memory) -> Result<(), Fault> {
        if self.tiled {
            let reason = "a tiled store to what is no word of its pixel".to_owned();
            return Err(Fault::Illegal { reason });
        }
        // Memory of a lane's own holds for helpers, too: what others see is stored with a mask.
        let lanes = match self.mask {
            Some(_) => wave.mask(ACTIVE) & wave.mask(COVERED),
            None => wave.mask(ACTIVE),
        };
        self.items_of(wave, lanes, |_, at, item| match self.size {
            1 => memory.store_byte(at, item as u8),
            2 => memory.store_half(at, item as u16),
            _ => memory.store(at, item),
        })
    }

    /// Calls `store` with each item of some lanes, in their order: lane, address, item. It gives nothing outside memory.
    pub(crate) fn items_of(
        &self,
        wave: &Wave,
        lanes: u64,
        mut store: impl FnMut(usize, u64, u32) -> Option<()>,
    ) -> Result<(), Fault> {
        for lane in each(lanes) {
            if self.mask.is_some_and(|mask| value(wave, mask, lane) == 0) {
                continue;
            }
            let start = address_of(wave, self.address, lane);
            let count = self.items.in_lane(wave, lane);
            for n in 0..count {
                let item = match self.from {
                    File::Rows { first, end } if n < u32::from(end - first) => {
                        wave.rows[usize::from(first) + n as usize].0[lane]
                    }
                    File::Scalars { first, end } if n < u32::from(end - first) => {
                        wave.scalars[usize::from(first) + n as usize]
                    }
                    _ => break,
                };
                let at = start.wrapping_add(u64::from(self.size) * u64::from(n));
                let stored = match at.is_multiple_of(u64::from(self.size)) {
                    true => store(lane, at, item),
                    false => None,
                };
                stored.ok_or_else(|| fault(lane, at))?;
            }
        }
        Ok(())
    }
}

/// What an atomic operation leaves.
pub(crate) fn apply(op: Atomic, old: u32, operand: u32) -> u32 {
    let signed = |a: u32| a as i32;
    match op {
        Atomic::ADD => old.wrapping_add(operand),
        Atomic::SUB => old.wrapping_sub(operand),
        Atomic::XCHG => operand,
        Atomic::UMIN => old.min(operand),
        Atomic::IMIN => signed(old).min(signed(operand)) as u32,
        Atomic::UMAX => old.max(operand),
        Atomic::IMAX => signed(old).max(signed(operand)) as u32,
        Atomic::AND => old & operand,
        Atomic::OR => old | operand,
        Atomic::XOR => old ^ operand,
    }
}
