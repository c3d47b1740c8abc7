//! Reads and writes of dwords, which most data share instructions are, without a decision per lane. The plain form, which
//! also finds races and misaligned addresses, is `super::element`.
//!
//! Addresses of lanes that follow each other at one distance are seen first, then those of eight lanes each, as of a square
//! group's rows: their words are copied as rows.

use lanes::{LANES, Row, Wave};
use silicon::SimdLevel;
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::host::{Kernel, Rounding, per_level};

use super::Share;
use crate::isa::memory::{Access, DsSem};
use crate::isa::words::Ds;

/// Runs an instruction that reads or writes dwords of a share that nobody watches; whether it was one.
pub(super) fn run(
    level: SimdLevel,
    inst: &Ds,
    wave: &mut Wave,
    share: &mut Share<'_>,
    exec: u64,
) -> bool {
    if share.strict || share.races.is_some() {
        return false;
    }
    let [first, second] = [inst.offset0, inst.offset1].map(u64::from);
    let one = first | second << 8;
    let dwords = |stride: u8| [first, second].map(|offset| 4 * offset * u64::from(stride));
    let lanes = |wave: &Wave| Addresses::new(level, &wave.rows[usize::from(inst.addr)].0, exec);
    match inst.op.sem() {
        DsSem::Read(Access::B32) => lanes(wave).read(level, inst.vdst, wave, share, &[one]),
        DsSem::Read2 { size: 4, stride } => {
            lanes(wave).read(level, inst.vdst, wave, share, &dwords(stride));
        }
        DsSem::Write(Access::B32) => lanes(wave).write(level, inst, wave, share, &[one]),
        DsSem::Write2 { size: 4, stride } if first != second => {
            lanes(wave).write(level, inst, wave, share, &dwords(stride));
        }
        _ => return false,
    }
    true
}

/// The addresses of an instruction.
struct Addresses {
    exec: u64,
    row: Row,
    /// Words from a lane to the next, where all lanes are enabled, aligned, and as far from each other.
    step: Option<u32>,
    /// The same from lane to lane in each row of eight.
    step_in_rows: Option<u32>,
}

/// Lanes of a row, and rows.
const ROW: usize = 8;
const ROWS: usize = LANES / ROW;

impl Addresses {
    fn new(level: SimdLevel, row: &[u32; LANES], exec: u64) -> Addresses {
        let [first, second, ..] = *row;
        let bytes = second.wrapping_sub(first);
        // Steps that copies are made for; the last address is no less than the first.
        let fits = exec == u64::MAX && first % 4 == 0 && bytes % 4 == 0 && bytes <= 16;
        // The last lane says first whether a look at all is worth it.
        let last = |from: usize| {
            let distance = bytes.wrapping_mul((LANES - 1 - from) as u32);
            row[from].checked_add(distance) == Some(row[LANES - 1])
        };
        let step = (fits && last(0) && is_even(level, row, bytes)).then_some(bytes / 4);
        let in_rows = fits && step.is_none() && last(LANES - ROW);
        let in_rows = in_rows && is_even_in_rows(level, row, bytes);
        Addresses {
            exec,
            row: Row(*row),
            step,
            step_in_rows: in_rows.then_some(bytes / 4),
        }
    }

    /// Where each row's words begin in a share, if all are inside.
    fn starts(&self, share: &Share<'_>, offset: u64, step: u32) -> Option<[usize; ROWS]> {
        let mut starts = [0; ROWS];
        for (start, row) in starts.iter_mut().zip(self.row.0.as_chunks::<ROW>().0) {
            let first = u64::from(row[0]) + offset;
            let last = first + 4 * u64::from(step) * (ROW as u64 - 1);
            let (first, last) = (share.place(first, 4)?, share.place(last, 4)?);
            share.words.get((last / 4) as usize)?;
            *start = (first / 4) as usize;
        }
        Some(starts)
    }

    /// Words of a share from that of the first lane to that of the last, if all are inside.
    fn range<'a>(&self, share: &'a mut Share<'_>, offset: u64) -> Option<&'a mut [u32]> {
        let [first, last] = [self.row.0[0], self.row.0[LANES - 1]].map(|at| u64::from(at) + offset);
        let (first, last) = (share.place(first, 4)?, share.place(last, 4)?);
        share
            .words
            .get_mut((first / 4) as usize..=(last / 4) as usize)
    }

    fn read(
        &self,
        level: SimdLevel,
        vdst: u8,
        wave: &mut Wave,
        share: &mut Share<'_>,
        offsets: &[u64],
    ) {
        for (n, &offset) in offsets.iter().enumerate() {
            let out = &mut wave.rows[(usize::from(vdst) + n) & 255].0;
            if let Some(step) = self.step
                && let Some(from) = self.range(share, offset)
            {
                match step {
                    0 => *out = [from[0]; LANES],
                    1 => level.run(Taken::<1> { from, out }),
                    2 => level.run(Taken::<2> { from, out }),
                    3 => level.run(Taken::<3> { from, out }),
                    _ => level.run(Taken::<4> { from, out }),
                }
                continue;
            }
            if let Some(step) = self.step_in_rows
                && let Some(starts) = self.starts(share, offset, step)
            {
                let from = &*share.words;
                match step {
                    0 => level.run(TakenRows::<0> { from, starts, out }),
                    1 => level.run(TakenRows::<1> { from, starts, out }),
                    2 => level.run(TakenRows::<2> { from, starts, out }),
                    3 => level.run(TakenRows::<3> { from, starts, out }),
                    _ => level.run(TakenRows::<4> { from, starts, out }),
                }
                continue;
            }
            let Some(last) = share
                .limit
                .checked_sub(4)
                .and_then(|last| (last | 3).checked_sub(offset))
            else {
                lanes_of(self.exec).for_each(|lane| out[lane] = 0);
                continue;
            };
            let last = last.min(u32::MAX.into()) as u32;
            let words = &share.words[(share.base / 4) as usize..];
            gather(
                level,
                &self.row.0,
                [offset as u32, last],
                self.exec,
                words,
                out,
            );
        }
    }

    /// Lane after lane, where lanes may write one place.
    fn write(
        &self,
        level: SimdLevel,
        inst: &Ds,
        wave: &Wave,
        share: &mut Share<'_>,
        offsets: &[u64],
    ) {
        let data = [inst.data0, inst.data1].map(|at| &wave.rows[usize::from(at)].0);
        if let Some(step @ 1..) = self.step
            && !meet(offsets, step)
            && offsets
                .iter()
                .all(|&offset| self.range(share, offset).is_some())
        {
            for (from, &offset) in data.into_iter().zip(offsets) {
                let Some(to) = self.range(share, offset) else {
                    continue;
                };
                match step {
                    1 => level.run(Put::<1> { from, to }),
                    2 => level.run(Put::<2> { from, to }),
                    3 => level.run(Put::<3> { from, to }),
                    _ => level.run(Put::<4> { from, to }),
                }
            }
            return;
        }
        if let (Some(step @ 1..), &[offset]) = (self.step_in_rows, offsets)
            && let Some(starts) = self.starts(share, offset, step)
        {
            let (from, to) = (data[0], &mut *share.words);
            match step {
                1 => level.run(PutRows::<1> { from, starts, to }),
                2 => level.run(PutRows::<2> { from, starts, to }),
                3 => level.run(PutRows::<3> { from, starts, to }),
                _ => level.run(PutRows::<4> { from, starts, to }),
            }
            return;
        }
        for lane in lanes_of(self.exec) {
            for (data, &offset) in data.iter().zip(offsets) {
                let address = u64::from(self.row.0[lane]) + offset;
                if let Some(at) = share.place(address, 4) {
                    share.set_word(at, data[lane]);
                }
            }
        }
    }
}

/// Whether lanes that are `step` words apart write one place by two offsets.
fn meet(offsets: &[u64], step: u32) -> bool {
    match *offsets {
        [one, other] => (one / 4).abs_diff(other / 4).is_multiple_of(step.into()),
        _ => false,
    }
}

/// Every `STEP`th word.
struct Taken<'a, const STEP: usize> {
    from: &'a [u32],
    out: &'a mut [u32; LANES],
}

impl<const STEP: usize> Kernel for Taken<'_, STEP> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let from = &self.from[..(LANES - 1) * STEP + 1];
        for l in 0..LANES {
            self.out[l] = from[l * STEP];
        }
    }
}

/// To every `STEP`th word.
struct Put<'a, const STEP: usize> {
    from: &'a [u32; LANES],
    to: &'a mut [u32],
}

impl<const STEP: usize> Kernel for Put<'_, STEP> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let to = &mut self.to[..(LANES - 1) * STEP + 1];
        for l in 0..LANES {
            to[l * STEP] = self.from[l];
        }
    }
}

/// Every `STEP`th word, in rows.
struct TakenRows<'a, const STEP: usize> {
    from: &'a [u32],
    starts: [usize; ROWS],
    out: &'a mut [u32; LANES],
}

impl<const STEP: usize> Kernel for TakenRows<'_, STEP> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (start, out) in self.starts.iter().zip(self.out.as_chunks_mut::<ROW>().0) {
            let from = &self.from[*start..][..(ROW - 1) * STEP + 1];
            for l in 0..ROW {
                out[l] = from[l * STEP];
            }
        }
    }
}

/// To every `STEP`th word, in rows one after the other.
struct PutRows<'a, const STEP: usize> {
    from: &'a [u32; LANES],
    starts: [usize; ROWS],
    to: &'a mut [u32],
}

impl<const STEP: usize> Kernel for PutRows<'_, STEP> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (start, from) in self.starts.iter().zip(self.from.as_chunks::<ROW>().0) {
            let to = &mut self.to[*start..][..(ROW - 1) * STEP + 1];
            for l in 0..ROW {
                to[l * STEP] = from[l];
            }
        }
    }
}

per_level! {
    /// Whether each address of a row is as far behind the one before it, and rows begin at words.
    fn is_even_in_rows<'a>(row: &'a [u32; LANES], bytes: u32) -> bool {
        let mut differ = 0;
        for row in row.as_chunks::<ROW>().0 {
            for l in 0..ROW {
                differ |= row[l] ^ row[0].wrapping_add(bytes.wrapping_mul(l as u32));
            }
            differ |= row[0] & 3;
        }
        differ == 0
    }

    /// Whether each address is as far behind the one before it.
    fn is_even<'a>(row: &'a [u32; LANES], bytes: u32) -> bool {
        let mut differ = 0;
        for l in 0..LANES {
            differ |= row[l] ^ row[0].wrapping_add(bytes.wrapping_mul(l as u32));
        }
        differ == 0
    }

    /// Words at addresses up to the last one, plus an offset; enabled lanes beyond it get zero.
    fn gather<'a>(
        row: &'a [u32; LANES],
        limits: [u32; 2],
        exec: u64,
        words: &'a [u32],
        out: &'a mut [u32; LANES],
    ) {
        let [offset, last] = limits;
        for l in 0..LANES {
            let inside = row[l] <= last;
            let at = if inside { row[l].wrapping_add(offset) / 4 } else { u32::MAX };
            let word = words.get(at as usize).copied().unwrap_or(0);
            out[l] = if exec >> l & 1 == 0 { out[l] } else { word };
        }
    }
}
