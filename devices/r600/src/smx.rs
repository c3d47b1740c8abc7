//! Reads and writes of scratch, streams, rings and reduction memory. [R600 3.4.2]

use lanes::{Fault, LANES, Wave};

use crate::isa::export::{Memory, Space};
use crate::isa::{ACTIVE, Port, Setup, VALID};

/// The memory behind the spaces, in words.
pub trait Words {
    /// Reads word `at` of a lane's part of a space.
    fn load(&mut self, space: Space, lane: usize, at: u64) -> Result<u32, Fault>;
    /// Writes it.
    fn store(&mut self, space: Space, lane: usize, at: u64, value: u32) -> Result<(), Fault>;
}

/// Performs a memory instruction for the active lanes.
///
/// Words at or beyond the end of the array are not written and read as 0. Reads ignore the element mask; of a register
/// that is not allocated they go to R0. [R600 3.4.2]
pub fn access(
    inst: &Memory,
    port: &Port,
    setup: &Setup<'_>,
    wave: &mut Wave,
    words: &mut dyn Words,
) -> Result<(), Fault> {
    let space = inst.op.sem();
    if inst.reads() && !space.readable() {
        let reason = format!("{} cannot read", inst.op.name());
        return Err(Fault::Illegal { reason });
    }
    let elem = u64::from(inst.elem_size) + 1;
    // What goes to a stream counts its components from the first word of the element, large or small. (ERRATA 43)
    let components = match space {
        Space::Stream(_) => 4,
        _ => elem,
    };
    let base = u64::from(inst.array_base) * u64::from(space.base_unit());
    let limit = base + (u64::from(inst.array_size) + 1) * elem;
    let loop_index = port.loop_index(wave);
    let moved = if inst.elem_loop {
        i64::from(loop_index)
    } else {
        0
    };
    let index_row = setup.row(inst.index_gpr, crate::isa::words::Elem::X);
    // What others see is not written for pixels that are not covered, nor for those that were killed.
    let active = match space {
        Space::Scratch => wave.mask(ACTIVE),
        _ => wave.mask(ACTIVE) & wave.mask(VALID),
    };
    for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
        let index = match (inst.indexed(), index_row) {
            (true, Some(row)) => i64::from(wave.rows[usize::from(row)].0[lane]),
            _ => 0,
        };
        // An index before the array's start lies outside it like one after its end.
        let Ok(first) = u64::try_from(index + moved) else {
            continue;
        };
        for n in 0..=inst.burst_count {
            let relative = if inst.rw_rel { loop_index } else { 0 };
            let gpr = i64::from(inst.rw_gpr) + i64::from(relative) + i64::from(n);
            let gpr = u8::try_from(gpr).ok().filter(|r| *r < setup.gprs);
            let row = 4 * usize::from(gpr.unwrap_or(0));
            for k in 0..components {
                let at = base + (first + u64::from(n)) * elem + k;
                let value = &mut wave.rows[row + k as usize].0[lane];
                if inst.reads() {
                    *value = match at < limit {
                        true => words.load(space, lane, at)?,
                        false => 0,
                    };
                } else if at < limit && inst.comp_mask >> k & 1 == 1 {
                    words.store(space, lane, at, *value)?;
                }
            }
        }
    }
    Ok(())
}
