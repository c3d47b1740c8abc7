//! Fetches whose elements are at whole words, halves or bytes: all lanes in rows. Everything else goes lane by lane, and
//! is what this must agree with.

use lanes::LANES;
use silicon::Memory;
use silicon::host::{SimdLevel, per_level};
use silicon::texture::sample::Lanes;

use super::Fetch;
use crate::isa::words::EndianSwap;

impl Fetch {
    /// Words of the elements of all lanes, and the lanes whose element lies in the buffer; `None` where elements may lie
    /// across words, or end outside of video memory.
    pub(super) fn rows(
        &self,
        level: SimdLevel,
        memory: &Memory,
        index: &Lanes,
        offset: u16,
        words: &mut [Lanes; 4],
    ) -> Option<u64> {
        let bytes = self.element.bytes();
        let end = self.base.checked_add(self.size)?;
        let aligned =
            (self.base | self.stride | u64::from(offset)) & u64::from(bytes.min(4) - 1) == 0;
        let plain = self.endian == EndianSwap::None && matches!(bytes, 1 | 2 | 4 | 8 | 12 | 16);
        if !plain || !aligned || self.base & 3 != 0 || end > memory.size() {
            return None;
        }
        let stride = u32::try_from(self.stride).ok()?;
        let size = u32::try_from(self.size).ok()?;
        let Some(room) = size.checked_sub(u32::from(offset) + bytes) else {
            return Some(0);
        };
        let last = room.checked_div(stride).unwrap_or(u32::MAX);
        let mut at = [0; LANES];
        let steps = [self.first, last, stride, offset.into()];
        let inside = elements(level, index, steps, &mut at);
        memory.elements(self.base, bytes, &at, words.each_mut());
        Some(inside)
    }
}

per_level! {
    /// Offsets of elements; 0 for numbers behind the last one. Returns the lanes of the others.
    fn elements<'a>(index: &'a Lanes, steps: [u32; 4], out: &'a mut Lanes) -> u64 {
        let [first, last, stride, offset] = steps;
        let mut inside = 0u64;
        for l in 0..LANES {
            let number = index[l].wrapping_add(first);
            let is = number <= last;
            let at = number.wrapping_mul(stride).wrapping_add(offset);
            out[l] = if is { at } else { 0 };
            inside |= u64::from(is) << l;
        }
        inside
    }
}
