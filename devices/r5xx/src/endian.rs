//! Surfaces whose words have their bytes in another order. [R5xx RB3D_COLORPITCH.COLORENDIAN, ZB_DEPTHPITCH.DEPTHENDIAN]
//!
//! What draws store and read is in the order of the chip while draws to the same surfaces run, and goes back to that of the surface
//! when they are done: nothing else looks at memory in between.

use std::ops::Range;

use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::fragment::surface::Layout;

use crate::regs::*;
use crate::tiling::Surface;
use crate::tx::swapped;
use crate::{cb, ga, sc, zb};

/// Bytes of memory, and how their words lie there.
pub type Swap = (Range<u64>, u32);

/// Whether any surface has another order.
pub fn is_on(registers: &RegisterFile) -> bool {
    let colors = (0..RB3D_COLORPITCH.count).map(|n| RB3D_COLORPITCH::COLORENDIAN.nth(registers, n));
    colors
        .chain([ZB_DEPTHPITCH::DEPTHENDIAN.read(registers)])
        .any(|swap| swap != 0)
}

/// The surfaces of a draw whose order is another, each byte once; a resolve has that of its samples. Surfaces that overlap have
/// the same order.
pub fn swaps(registers: &RegisterFile) -> Result<Vec<Swap>, String> {
    if !is_on(registers) {
        return Ok(Vec::new());
    }
    let height = sc::area(registers)?.y1.max(1) as u32;
    let samples = ga::sample_count(registers);
    let bytes = |base: u64, surface: &Surface| base..base + surface.bytes(surface.slice() + 1);
    let color = |n: u32| RB3D_COLORPITCH::COLORENDIAN.nth(registers, n);
    let mut swaps: Vec<Swap> = Vec::new();
    match cb::resolve(registers, height, samples)? {
        Some(cb::Resolve { from, base, to, .. }) => {
            swaps.push((bytes(from.base, &from.surface), color(0)));
            swaps.push((bytes(base, &to), color(0)));
        }
        None => {
            let targets = cb::targets(registers, height, samples)?;
            let of =
                |target: &cb::Target| (bytes(target.base, &target.surface), color(target.buffer));
            swaps.extend(targets.iter().map(of));
        }
    }
    if let Some((_, base, surface)) = zb::depth(registers, height, samples)?.surface {
        let swap = ZB_DEPTHPITCH::DEPTHENDIAN.read(registers);
        swaps.push((bytes(base, &surface), swap));
    }
    apart(swaps)
}

/// The same bytes, each once; none whose order is that of the chip.
fn apart(mut swaps: Vec<Swap>) -> Result<Vec<Swap>, String> {
    swaps.sort_by_key(|(bytes, _)| bytes.start);
    let mut apart: Vec<Swap> = Vec::new();
    for (bytes, swap) in swaps {
        match apart.last_mut() {
            Some((before, of)) if bytes.start < before.end => {
                if *of != swap {
                    return Err(format!(
                        "surfaces at {:#x} and {:#x} overlap, whose endian controls are {of} and {swap}",
                        before.start, bytes.start
                    ));
                }
                before.end = before.end.max(bytes.end);
            }
            _ => apart.push((bytes, swap)),
        }
    }
    apart.retain(|(_, swap)| *swap != 0);
    Ok(apart)
}

/// Puts words in the other of the two orders; what is behind memory is no draw's.
pub fn turn(memory: &Memory, swaps: &[Swap]) {
    for (bytes, swap) in swaps {
        for at in (bytes.start..bytes.end.min(memory.size())).step_by(4) {
            let turned = memory
                .load(at)
                .and_then(|word| memory.store(at, swapped(word, *swap)));
            debug_assert!(turned.is_some(), "inside of the memory");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_surfaces_share_are_turned_once() {
        let swaps = vec![(64..128, 2), (0..80, 2), (256..288, 0), (128..160, 1)];
        assert_eq!(apart(swaps), Ok(vec![(0..128, 2), (128..160, 1)]));
        let error = apart(vec![(0..80, 0), (64..128, 2)]).expect_err("they differ");
        assert!(error.contains("0x0 and 0x40 overlap"), "{error}");
    }

    #[test]
    fn words_are_turned_and_turned_back() {
        let memory = Memory::new(4096);
        memory.store(8, 0x0102_0304).expect("inside");
        memory.store(12, 0x0506_0708).expect("inside");
        for (swap, turned) in [(1, 0x0201_0403), (2, 0x0403_0201), (3, 0x0304_0102)] {
            let swaps = [(8..12, swap)];
            turn(&memory, &swaps);
            assert_eq!(memory.load(8), Some(turned));
            assert_eq!(memory.load(12), Some(0x0506_0708));
            turn(&memory, &swaps);
            assert_eq!(memory.load(8), Some(0x0102_0304));
        }
    }
}
