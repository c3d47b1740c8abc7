//! Fetches whose elements are at whole words, halves or bytes: all lanes in rows. Everything else goes lane by lane, and
//! is what this must agree with.

use lanes::{LANES, Wave};
use silicon::Memory;
use silicon::host::{SimdLevel, per_level};
use silicon::texture::sample::Lanes;

use super::Fetch;
use crate::isa::words::{EndianSwap, Select};

impl Fetch {
    /// Words of the elements of active lanes, and the lanes whose element lies in the buffer; `None` where elements lie
    /// across words, or may end outside of video memory.
    pub(super) fn rows(
        &self,
        level: SimdLevel,
        memory: &Memory,
        numbers: (u64, &Lanes),
        offset: u16,
        words: &mut [Lanes; 4],
    ) -> Option<u64> {
        let mut at = [0; LANES];
        let inside = self.offsets(level, memory, numbers, offset, &mut at)?;
        if inside != 0 {
            memory.elements(self.base, self.element.bytes(), &at, words.each_mut());
        }
        Some(inside)
    }

    /// Fetches four words of all lanes into the register itself, where all elements lie in the buffer and each element of
    /// the register takes another word; says whether it did.
    pub(super) fn whole(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (source, offset): (usize, u16),
        (selects, target): ([Select; 4], u8),
        wave: &mut Wave,
    ) -> bool {
        let mut at = [0; LANES];
        let numbers = (u64::MAX, &wave.rows[source].0);
        if !matches!(self.whole_words, Some((4, _)))
            || self.offsets(level, memory, numbers, offset, &mut at) != Some(u64::MAX)
        {
            return false;
        }
        let registers = &mut wave.rows[4 * usize::from(target)..][..4];
        let mut words = [None, None, None, None];
        for (row, select) in registers.iter_mut().zip(selects) {
            if let Some(word) = words.get_mut(select as usize) {
                *word = Some(&mut row.0);
            }
        }
        let [Some(x), Some(y), Some(z), Some(w)] = words else {
            return false;
        };
        memory.elements(self.base, self.element.bytes(), &at, [x, y, z, w]);
        true
    }

    /// Where the elements of lanes are behind the base, and the lanes whose element lies in the buffer; `None` as of
    /// [`Fetch::rows`].
    fn offsets(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (active, index): (u64, &Lanes),
        offset: u16,
        at: &mut Lanes,
    ) -> Option<u64> {
        let bytes = self.element.bytes();
        let end = self.base.checked_add(self.size)?;
        let plain = self.endian == EndianSwap::None && matches!(bytes, 1 | 2 | 4 | 8 | 12 | 16);
        if !plain || self.base & 3 != 0 || end > memory.size() {
            return None;
        }
        let stride = u32::try_from(self.stride).ok()?;
        let size = u32::try_from(self.size).ok()?;
        let Some(room) = size.checked_sub(u32::from(offset) + bytes) else {
            return Some(0);
        };
        let last = room.checked_div(stride).unwrap_or(u32::MAX);
        let steps = [self.first, last, stride, offset.into()];
        let low = bytes.min(4) - 1;
        if elements(level, index, steps, low, at) == 0 {
            return Some(u64::MAX);
        }
        let (inside, across) = masks(index, steps, low);
        (across & active == 0).then_some(inside)
    }
}

per_level! {
    /// Offsets of elements; 0 for numbers behind the last one, and for offsets with some of these low bits. Returns 0 where
    /// no lane has such a number or offset.
    fn elements<'a>(
        index: &'a Lanes,
        steps: [u32; 4],
        low: u32,
        out: &'a mut Lanes,
    ) -> u32 {
        let [first, last, stride, offset] = steps;
        let mut others = 0;
        for l in 0..LANES {
            let number = index[l].wrapping_add(first);
            let at = number.wrapping_mul(stride).wrapping_add(offset);
            let is = (number <= last) & (at & low == 0);
            out[l] = if is { at } else { 0 };
            others |= u32::from(!is);
        }
        others
    }
}

/// The lanes of numbers up to the last one, and which of them have an offset with some of these low bits.
fn masks(index: &Lanes, [first, last, stride, offset]: [u32; 4], low: u32) -> (u64, u64) {
    let (mut inside, mut across) = (0, 0);
    for (lane, number) in index.iter().enumerate() {
        let number = number.wrapping_add(first);
        let at = number.wrapping_mul(stride).wrapping_add(offset);
        let is = number <= last;
        inside |= u64::from(is) << lane;
        across |= u64::from(is && at & low != 0) << lane;
    }
    (inside, across)
}

#[cfg(test)]
mod tests {
    use silicon::Format;
    use silicon::fragment::interpolate::lanes;

    use super::super::Element;
    use super::*;

    /// Elements of random buffers at random numbers, in rows and lane by lane.
    #[test]
    fn rows_are_what_lanes_give() {
        let memory = Memory::new(4096);
        for at in (0..4096u32).step_by(4) {
            let _ = memory.store(at.into(), at.wrapping_mul(0x9e37_79b9));
        }
        let mut seed = 1u32;
        let mut pick = |most: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % most
        };
        let formats = [
            Format::R8Unorm,
            Format::R16Uint,
            Format::R32Uint,
            Format::R32G32B32Float,
            Format::R32G32B32A32Float,
        ];
        let (mut in_rows, mut by_lanes) = (0, 0);
        for _ in 0..4000 {
            let fetch = Fetch {
                base: 4 * pick(64) as u64,
                size: pick(600) as u64,
                stride: [0, 1, 2, 4, 12, 16][pick(6)],
                first: [0, 1, 4, 16][pick(4)],
                endian: EndianSwap::None,
                element: Element::Known(formats[pick(formats.len())]),
                whole_words: None,
            };
            let step = [1, 2, 4, 16][pick(4)];
            let mut index = [0; LANES];
            for number in &mut index {
                *number = (step * pick(40)) as u32;
            }
            let active = [u64::MAX, 0x8421_0ff0_0001_7777][pick(2)];
            let offset = [0, 1, 4, 8][pick(4)];
            let unpacked = |level: SimdLevel, words: &[Lanes; 4]| {
                let mut out = [[0; LANES]; 4];
                fetch.element.unpack(level, words, &mut out);
                out
            };
            let mut words = [[0; LANES]; 4];
            let inside = fetch.load(&memory, active, &index, offset, &mut words);
            let want = unpacked(SimdLevel::BASELINE, &words);
            for level in SimdLevel::available() {
                let mut words = [[0; LANES]; 4];
                let numbers = (active, &index);
                let Some(found) = fetch.rows(level, &memory, numbers, offset, &mut words) else {
                    by_lanes += 1;
                    continue;
                };
                in_rows += 1;
                assert_eq!(found & active, inside, "{fetch:?} {offset}");
                let got = unpacked(level, &words);
                for (got, want) in got.iter().zip(&want) {
                    for lane in lanes(inside) {
                        assert_eq!(got[lane], want[lane], "{fetch:?} {offset} {lane}");
                    }
                }
            }
        }
        assert!(in_rows > 1000 && by_lanes > 1000, "{in_rows}, {by_lanes}");
    }
}
