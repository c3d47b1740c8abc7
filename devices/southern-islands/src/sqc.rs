//! Scalar memory: SMRD through the scalar data cache. [SI 7]
//!
//! The cache itself is not modelled: memory is coherent.

use std::ops::Range;

use lanes::{Fault, LANES, Wave};
use silicon::Memory;

use crate::descriptor::BufferResource;
use crate::isa::effects::loaded;
use crate::isa::memory::SmrdSem;
use crate::isa::words::Smrd;
use crate::ta::MemoryUnit;

/// Runs one scalar load. S_MEMTIME counts instructions.
pub fn run(inst: &Smrd, wave: &mut Wave, unit: &MemoryUnit) -> Result<(), Fault> {
    let memory = &unit.memory;
    let aligned = |address: u64| match unit.strict && address & 3 != 0 {
        true => Err(fault(address)),
        false => Ok(address & !3),
    };
    let sbase = u16::from(inst.sbase) * 2;
    let offset = match inst.imm {
        true => u64::from(inst.offset) * 4,
        false => u64::from(wave.scalars[usize::from(inst.offset)]),
    };
    match inst.op.sem() {
        SmrdSem::Load(count) => {
            let address = aligned(wave.mask(sbase).wrapping_add(offset))?;
            if load_all(memory, address, inst, count, wave) {
                return Ok(());
            }
            for i in 0..count {
                let at = address.wrapping_add(4 * u64::from(i));
                let word = memory.load(at).ok_or(fault(at))?;
                write(wave, inst, i, word);
            }
        }
        SmrdSem::Buffer(count) => {
            let buffer = buffer_resource(wave, sbase);
            let records = u64::from(buffer.num_records);
            let size = match buffer.stride {
                0 => records,
                stride => records * u64::from(stride),
            };
            let end = offset.saturating_add(4 * u64::from(count));
            let address = (buffer.base_address + aligned(offset)?) & !3;
            if end <= size && load_all(memory, address, inst, count, wave) {
                return Ok(());
            }
            for i in 0..count {
                // Each dword is checked on its own; one outside is not loaded and gives zero.
                let o = aligned(offset)? + 4 * u64::from(i);
                let word = match o < size {
                    true => {
                        let at = (buffer.base_address + o) & !3;
                        memory.load(at).ok_or(fault(at))?
                    }
                    false => 0,
                };
                write(wave, inst, i, word);
            }
        }
        SmrdSem::Time => {
            let clock = unit.clock + wave.instructions;
            write(wave, inst, 0, clock as u32);
            write(wave, inst, 1, (clock >> 32) as u32);
        }
        SmrdSem::Invalidate => {}
    }
    Ok(())
}

/// The bytes that a load reaches, as far as it may.
pub fn bytes(inst: &Smrd, wave: &Wave) -> Option<Range<u64>> {
    let sbase = u16::from(inst.sbase) * 2;
    let offset = match inst.imm {
        true => u64::from(inst.offset) * 4,
        false => u64::from(wave.scalars[usize::from(inst.offset)]),
    };
    let (base, count) = match inst.op.sem() {
        SmrdSem::Load(count) => (wave.mask(sbase), count),
        SmrdSem::Buffer(count) => (buffer_resource(wave, sbase).base_address, count),
        SmrdSem::Time | SmrdSem::Invalidate => return None,
    };
    let first = base.wrapping_add(offset) & !3;
    Some(first..first.saturating_add(4 * u64::from(count)))
}

/// Loads dwords that all are in memory to registers that all are there; says whether it did.
fn load_all(memory: &Memory, address: u64, inst: &Smrd, count: u8, wave: &mut Wave) -> bool {
    let inside = address
        .checked_add(4 * u64::from(count))
        .is_some_and(|end| end <= memory.size());
    let written = loaded(inst);
    if !inside || written.len() < usize::from(count) {
        return false;
    }
    let registers = usize::from(written.start)..usize::from(written.end);
    match wave.scalars.get_mut(registers) {
        Some(registers) => memory.load_words(address, registers),
        None => return false,
    }
    true
}

/// The scalar unit counts as the lane after the last.
fn fault(address: u64) -> Fault {
    Fault::Address {
        lane: LANES as u32,
        address,
    }
}

/// The V# in four scalars.
pub fn buffer_resource(wave: &Wave, at: u16) -> BufferResource {
    BufferResource::from_word(quad(wave, at))
}

/// Four consecutive scalars as one descriptor word.
pub fn quad(wave: &Wave, at: u16) -> u128 {
    u128::from(wave.mask(at)) | u128::from(wave.mask(at + 2)) << 64
}

/// Writes the `i`-th destination if it is there.
fn write(wave: &mut Wave, inst: &Smrd, i: u8, value: u32) {
    let at = u16::from(inst.sdst) + u16::from(i);
    if loaded(inst).contains(&at) {
        wave.scalars[usize::from(at)] = value;
    }
}
