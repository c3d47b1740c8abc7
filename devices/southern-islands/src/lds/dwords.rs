//! Reads, writes and atomic operations of dwords, which most data share instructions are, without a decision per lane. The
//! plain form, which also finds races and misaligned addresses, is `super::element`.
//!
//! Addresses of lanes that follow each other at one distance are seen first, then those of eight lanes each, as of a square
//! group's rows: their words are copied as rows.

use lanes::{LANES, Row, Wave};
use silicon::SimdLevel;
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::host::{Kernel, Rounding, per_level};

use super::{Share, operands};
use crate::atomic;
use crate::isa::memory::{Access, Atomic, DsSem};
use crate::isa::words::Ds;

/// Runs an instruction on dwords of a share that nobody watches; whether it was one.
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
        DsSem::Atomic {
            op,
            size: 4,
            returns,
        } => atomics(op, inst, wave, share, (exec, one), returns),
        _ => return false,
    }
    true
}

/// Atomic operations on dwords, in the order of lanes: the operation is chosen once.
fn atomics(
    op: Atomic,
    inst: &Ds,
    wave: &mut Wave,
    share: &mut Share<'_>,
    (exec, offset): (u64, u64),
    returns: bool,
) {
    let row = |at: u8| &wave.rows[usize::from(at)].0;
    let addresses = row(inst.addr);
    let [data, second] = operands(op, [inst.data0, inst.data1].map(row));
    let mut before = Row([0; LANES]);
    macro_rules! each {
        ($op:expr) => {
            each_lane(exec, |lane| {
                let at = share.place(u64::from(addresses[lane]) + offset, 4);
                let word = at.and_then(|at| share.words.get_mut((at / 4) as usize));
                if let Some(word) = word {
                    before.0[lane] = *word;
                    *word = atomic::apply32($op, *word, data[lane], second[lane]);
                }
            })
        };
    }
    atomic::by_operation!(op, each);
    if returns {
        let out = &mut wave.rows[usize::from(inst.vdst)].0;
        each_lane(exec, |lane| out[lane] = before.0[lane]);
    }
}

/// Calls a function for the lanes of a mask, mostly all, in order.
#[inline(always)]
fn each_lane(exec: u64, run: impl FnMut(usize)) {
    match exec {
        u64::MAX => (0..LANES).for_each(run),
        _ => lanes_of(exec).for_each(run),
    }
}

/// The addresses of an instruction.
struct Addresses {
    exec: u64,
    row: Row,
    /// Where all lanes are enabled, aligned, and as far from each other in rows.
    even: Option<Even>,
}

/// Words from a lane to the next, in rows of so many lanes: all, or [`ROW`].
#[derive(Clone, Copy)]
struct Even {
    step: u32,
    lanes: usize,
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
        let lanes = match fits {
            false => None,
            true if last(0) && level.run(IsEven::<LANES> { row, bytes }) => Some(LANES),
            true if last(LANES - ROW) && level.run(IsEven::<ROW> { row, bytes }) => Some(ROW),
            true => None,
        };
        let step = bytes / 4;
        Addresses {
            exec,
            row: Row(*row),
            even: lanes.map(|lanes| Even { step, lanes }),
        }
    }

    /// Where the words of each row begin in a share, if all are inside.
    fn starts(
        &self,
        share: &Share<'_>,
        offset: u64,
        Even { step, lanes }: Even,
    ) -> Option<[usize; ROWS]> {
        let mut starts = [0; ROWS];
        for (start, row) in starts.iter_mut().zip(self.row.0.chunks_exact(lanes)) {
            let first = u64::from(row[0]) + offset;
            let last = first + 4 * u64::from(step) * (lanes as u64 - 1);
            let (first, last) = (share.place(first, 4)?, share.place(last, 4)?);
            share.words.get((last / 4) as usize)?;
            *start = (first / 4) as usize;
        }
        Some(starts)
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
            if let Some(even) = self.even
                && let Some(starts) = self.starts(share, offset, even)
            {
                let from = &*share.words;
                take(level, even, (from, starts), out);
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
        // By one offset lanes write one after the other, also where rows meet.
        let apart = |even: &Even| match even.lanes {
            LANES => !meet(offsets, even.step),
            _ => offsets.len() == 1,
        };
        let inside = |even: &Even| {
            let mut offsets = offsets.iter();
            offsets.all(|&offset| self.starts(share, offset, *even).is_some())
        };
        let even = self.even.filter(|even| even.step > 0 && apart(even));
        if let Some(even) = even.filter(inside) {
            for (from, &offset) in data.into_iter().zip(offsets) {
                if let Some(starts) = self.starts(share, offset, even) {
                    put(level, even, from, (&mut *share.words, starts));
                }
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

/// Reads words of rows that begin somewhere.
fn take(
    level: SimdLevel,
    Even { step, lanes }: Even,
    (from, starts): (&[u32], [usize; ROWS]),
    out: &mut [u32; LANES],
) {
    fn rows<const N: usize>(
        level: SimdLevel,
        step: u32,
        (from, starts): (&[u32], [usize; ROWS]),
        out: &mut [u32; LANES],
    ) {
        match step {
            0 => level.run(Taken::<0, N> { from, starts, out }),
            1 => level.run(Taken::<1, N> { from, starts, out }),
            2 => level.run(Taken::<2, N> { from, starts, out }),
            3 => level.run(Taken::<3, N> { from, starts, out }),
            _ => level.run(Taken::<4, N> { from, starts, out }),
        }
    }
    match lanes {
        LANES => rows::<LANES>(level, step, (from, starts), out),
        _ => rows::<ROW>(level, step, (from, starts), out),
    }
}

/// Writes words of rows that begin somewhere, one row after the other. No step is 0.
fn put(
    level: SimdLevel,
    Even { step, lanes }: Even,
    from: &[u32; LANES],
    (to, starts): (&mut [u32], [usize; ROWS]),
) {
    fn rows<const N: usize>(
        level: SimdLevel,
        step: u32,
        from: &[u32; LANES],
        (to, starts): (&mut [u32], [usize; ROWS]),
    ) {
        match step {
            1 => level.run(Put::<1, N> { from, starts, to }),
            2 => level.run(Put::<2, N> { from, starts, to }),
            3 => level.run(Put::<3, N> { from, starts, to }),
            _ => level.run(Put::<4, N> { from, starts, to }),
        }
    }
    match lanes {
        LANES => rows::<LANES>(level, step, from, (to, starts)),
        _ => rows::<ROW>(level, step, from, (to, starts)),
    }
}

/// Every `STEP`th word, in rows of `N` lanes.
struct Taken<'a, const STEP: usize, const N: usize> {
    from: &'a [u32],
    starts: [usize; ROWS],
    out: &'a mut [u32; LANES],
}

impl<const STEP: usize, const N: usize> Kernel for Taken<'_, STEP, N> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (start, out) in self.starts.iter().zip(self.out.as_chunks_mut::<N>().0) {
            let from = &self.from[*start..][..(N - 1) * STEP + 1];
            for l in 0..N {
                out[l] = from[l * STEP];
            }
        }
    }
}

/// To every `STEP`th word, in rows of `N` lanes.
struct Put<'a, const STEP: usize, const N: usize> {
    from: &'a [u32; LANES],
    starts: [usize; ROWS],
    to: &'a mut [u32],
}

impl<const STEP: usize, const N: usize> Kernel for Put<'_, STEP, N> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (start, from) in self.starts.iter().zip(self.from.as_chunks::<N>().0) {
            let to = &mut self.to[*start..][..(N - 1) * STEP + 1];
            for l in 0..N {
                to[l * STEP] = from[l];
            }
        }
    }
}

/// Whether each address of a row of `N` lanes is as far behind the one before it, and rows begin at words.
struct IsEven<'a, const N: usize> {
    row: &'a [u32; LANES],
    bytes: u32,
}

impl<const N: usize> Kernel for IsEven<'_, N> {
    type Output = bool;
    #[inline(always)]
    fn run<R: Rounding>(self) -> bool {
        let mut differ = 0;
        for row in self.row.as_chunks::<N>().0 {
            for l in 0..N {
                differ |= row[l] ^ row[0].wrapping_add(self.bytes.wrapping_mul(l as u32));
            }
            differ |= row[0] & 3;
        }
        differ == 0
    }
}

per_level! {
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
