//! Masks of lanes.
//!
//! # Safety
//!
//! Every x86-64 processor has the instruction, and a vector is 16 bytes of any value.

#![cfg_attr(
    all(target_arch = "x86_64", not(miri)),
    expect(unsafe_code, reason = "an instruction that every x86-64 processor has")
)]

/// Lanes that [`lanes`] takes.
pub const MASK_LANES: usize = 16;

/// One bit for each lane that holds. Compilers see the comparison through it: with AVX-512 nothing is left of it but the mask
/// register, where bits that are or-ed stay vectors of words, which are then folded.
#[inline(always)]
pub fn lanes(holds: impl Fn(usize) -> bool) -> u32 {
    let mut bytes = [0; MASK_LANES];
    for (lane, byte) in bytes.iter_mut().enumerate() {
        *byte = if holds(lane) { u8::MAX } else { 0 };
    }
    high_bits(bytes)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn high_bits(bytes: [u8; MASK_LANES]) -> u32 {
    use std::arch::x86_64::{__m128i, _mm_movemask_epi8};
    // SAFETY: see the module.
    unsafe { _mm_movemask_epi8(std::mem::transmute::<[u8; MASK_LANES], __m128i>(bytes)) as u32 }
}

#[cfg(any(miri, not(target_arch = "x86_64")))]
#[inline(always)]
fn high_bits(bytes: [u8; MASK_LANES]) -> u32 {
    let bits = (0..)
        .zip(bytes)
        .map(|(lane, byte)| u32::from(byte >> 7) << lane);
    bits.fold(0, |mask, bit| mask | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_has_its_bit() {
        for mask in [0, 1, 0x8000, 0xffff, 0x1234, 0xa5c3] {
            assert_eq!(lanes(|lane| mask >> lane & 1 != 0), mask);
        }
    }
}
