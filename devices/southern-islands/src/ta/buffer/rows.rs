//! Loads whose addresses are offsets of 32 bits from the start of the buffer: all lanes in rows. Everything else goes
//! lane by lane, and is what this must agree with.

use std::ops::Range;

use lanes::Wave;
use silicon::Memory;
use silicon::host::{SimdLevel, per_level};
use silicon::texture::sample::Lanes;

use super::{BufferResource, LANES, Operands, lanes_of};

/// Such a load.
pub(super) struct Rows {
    base: u64,
    /// Bytes that an element has.
    bytes: u32,
    /// Bytes between records; none where offsets alone count.
    stride: u32,
    /// Records, or bytes where there is no stride.
    records: u32,
    /// The instruction's offset.
    fixed: u32,
    align: u32,
}

impl Rows {
    /// Nothing where an address may need more than 32 bits, or an element may end outside of video memory.
    pub fn new(
        ops: &Operands,
        buffer: &BufferResource,
        soffset: u32,
        bytes: u32,
        memory: &Memory,
    ) -> Option<Rows> {
        let plain = !(ops.addr64 || buffer.add_tid_enable || buffer.swizzle_enable);
        let stride = u64::from(buffer.stride);
        // Without an index a record is not a bound.
        if !plain || !matches!(bytes, 1 | 2 | 4 | 8 | 12 | 16) || (stride != 0 && !ops.idxen) {
            return None;
        }
        let records = match stride {
            0 => buffer.num_records.saturating_sub(soffset),
            _ => buffer.num_records,
        };
        let span = u64::from(records).checked_mul(stride.max(1))? + u64::from(bytes);
        let base = buffer.base_address + u64::from(soffset);
        let align = bytes.min(4);
        let fits = span <= u64::from(u32::MAX / 2) && base.checked_add(span)? <= memory.size();
        (fits && base.is_multiple_of(4)).then_some(Rows {
            base,
            bytes,
            stride: stride as u32,
            records,
            fixed: ops.offset,
            align,
        })
    }

    /// Offsets of all lanes, 0 where there is no element. Returns the lanes that have one; nothing where some lane in
    /// `exec` has a part of one.
    pub fn offsets(
        &self,
        level: SimdLevel,
        ops: &Operands,
        exec: u64,
        wave: &Wave,
        out: &mut Lanes,
    ) -> Option<u64> {
        const NONE: &Lanes = &[0; LANES];
        let row = |on: bool, at: usize| if on { &wave.rows[at & 255].0 } else { NONE };
        let index = row(ops.idxen, ops.vaddr);
        let offset = row(ops.offen, ops.vaddr + usize::from(ops.idxen));
        if self.stride == 0 {
            let below =
                |bytes: u32| (self.records.saturating_add(1)).saturating_sub(self.fixed + bytes);
            let inside = ranged(
                level,
                offset,
                below(self.bytes),
                self.fixed,
                self.align,
                out,
            );
            if self.bytes > 4 && inside & exec != exec {
                let mut first = [0; LANES];
                let part = ranged(level, offset, below(4), self.fixed, self.align, &mut first);
                if (part ^ inside) & exec != 0 {
                    return None;
                }
            }
            return Some(inside);
        }
        let below = self.stride.saturating_sub(self.fixed);
        Some(indexed(
            level,
            [index, offset],
            [self.records, below, self.stride, self.fixed],
            self.align,
            out,
        ))
    }

    /// Bytes from the first element of some lanes to the end of the last; nothing where there is no lane.
    pub fn reached(&self, level: SimdLevel, lanes: u64, offsets: &Lanes) -> Option<Range<u64>> {
        let [low, high] = match lanes {
            u64::MAX => ends(level, offsets),
            _ => lanes_of(lanes).fold([u32::MAX, 0], |[low, high], lane| {
                [low.min(offsets[lane]), high.max(offsets[lane])]
            }),
        };
        let at = |offset: u32| self.base + u64::from(offset);
        (lanes != 0).then(|| at(low)..at(high) + u64::from(self.bytes))
    }

    /// Where offsets count from.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The words of the elements at such offsets.
    pub fn read(&self, memory: &Memory, offsets: &Lanes, words: [&mut Lanes; 4]) {
        memory.elements(self.base, self.bytes, offsets, words);
    }
}

per_level! {
    /// Offsets of a buffer without records: `offset < below`.
    fn ranged<'a>(offset: &'a Lanes, below: u32, fixed: u32, align: u32, out: &'a mut Lanes) -> u64 {
        let mut inside = 0u64;
        for l in 0..LANES {
            let is = offset[l] < below;
            let at = offset[l].wrapping_add(fixed) & !(align - 1);
            out[l] = if is { at } else { 0 };
            inside |= u64::from(is) << l;
        }
        inside
    }

    /// Offsets of records: `index < records` and `offset < below`, which is what the instruction's offset leaves of one.
    fn indexed<'a>(rows: [&'a Lanes; 2], limits: [u32; 4], align: u32, out: &'a mut Lanes) -> u64 {
        let [index, offset] = rows;
        let [records, below, stride, fixed] = limits;
        let mut inside = 0u64;
        for l in 0..LANES {
            let is = (index[l] < records) & (offset[l] < below);
            let at = index[l].wrapping_mul(stride).wrapping_add(offset[l]).wrapping_add(fixed) & !(align - 1);
            out[l] = if is { at } else { 0 };
            inside |= u64::from(is) << l;
        }
        inside
    }

    /// The least and the largest of all offsets.
    fn ends<'a>(offsets: &'a Lanes) -> [u32; 2] {
        let (mut low, mut high) = ([u32::MAX; 16], [0; 16]);
        for chunk in offsets.as_chunks::<16>().0 {
            for l in 0..16 {
                low[l] = low[l].min(chunk[l]);
                high[l] = high[l].max(chunk[l]);
            }
        }
        let (mut least, mut largest) = (u32::MAX, 0);
        for l in 0..16 {
            least = least.min(low[l]);
            largest = largest.max(high[l]);
        }
        [least, largest]
    }

    /// Lanes in `exec` take their value, or zero where they have none.
    pub(super) fn merge<'a>(exec: u64, inside: u64, value: &'a Lanes, row: &'a mut Lanes) {
        for l in 0..LANES {
            let new = if inside >> l & 1 == 0 { 0 } else { value[l] };
            row[l] = if exec >> l & 1 == 0 { row[l] } else { new };
        }
    }
}
