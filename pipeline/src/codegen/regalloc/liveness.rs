//! Which units are live where.
//!
//! In: blocks of any machine's instructions. Out: the units live at both ends of each block, and the live ranges of each
//! unit in half instructions: operands are read in the first half, results written in the second.

use std::ops::Range;

use super::{Block, Flow, Unit};

/// An instruction of a machine, as liveness and the allocator see it.
pub trait Instruction {
    /// Calls `f` with the units of each operand.
    fn operands(&self, f: impl FnMut(Range<Unit>));

    /// Calls `f` with the units of each result.
    fn results(&self, f: impl FnMut(Range<Unit>));

    /// Results are written before all operands are read.
    fn is_early(&self) -> bool {
        false
    }

    /// The operands go to the results unchanged.
    fn is_copy(&self) -> bool {
        false
    }

    /// Physical registers overwritten besides: bank and registers.
    fn clobbers(&self) -> Option<(u8, Range<u16>)> {
        None
    }

    /// Calls `f` with each unit read.
    fn each_read(&self, mut f: impl FnMut(Unit)) {
        self.operands(|units| units.for_each(&mut f));
    }

    /// Calls `f` with each unit written.
    fn each_write(&self, mut f: impl FnMut(Unit)) {
        self.results(|units| units.for_each(&mut f));
    }
}

/// From a half instruction on and up to another.
pub type Interval = (u32, u32);

/// A set of small numbers.
#[derive(Clone, Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// None of the numbers below `len`.
    pub fn new(len: usize) -> Bits {
        Bits(vec![0; len.div_ceil(64)])
    }

    /// Whether `i` is in it.
    pub fn has(&self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }

    /// Puts `i` in or takes it out.
    pub fn set(&mut self, i: u32, on: bool) {
        self.fill((i, i + 1), on);
    }

    /// Calls `f` with each member, ascending.
    pub fn each(&self, mut f: impl FnMut(u32)) {
        for (w, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                f(w as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }

    /// Whether any number of the interval is in it.
    pub fn meets(&self, interval: Interval) -> bool {
        masks(interval).any(|(word, mask)| self.0[word] & mask != 0)
    }

    /// Puts the whole interval in or takes it out.
    pub fn fill(&mut self, interval: Interval, on: bool) {
        for (word, mask) in masks(interval) {
            match on {
                true => self.0[word] |= mask,
                false => self.0[word] &= !mask,
            }
        }
    }
}

/// Words of a set, and the bits of them, that an interval has.
fn masks((start, end): Interval) -> impl Iterator<Item = (usize, u64)> {
    let mut at = start;
    std::iter::from_fn(move || {
        let low = at % 64;
        let count = (64 - low).min(end.checked_sub(at).filter(|left| *left > 0)?);
        let word = at as usize / 64;
        at += count;
        Some((word, (u64::MAX >> (64 - count)) << low))
    })
}

/// Units live at both ends of each block.
pub struct Liveness {
    starts: Vec<Bits>,
    ends: Vec<Bits>,
}

impl Liveness {
    /// Follows lanes or the wave backwards until nothing changes.
    pub fn new<I: Instruction>(blocks: &[Block<'_, I>], units: usize, flow: Flow) -> Liveness {
        let none: Vec<Bits> = blocks.iter().map(|_| Bits::new(units)).collect();
        let (mut defined, mut starts, mut ends) = (none.clone(), none.clone(), none);
        // To begin with, what each block reads before it writes it.
        for (b, block) in blocks.iter().enumerate() {
            for inst in block.insts {
                inst.each_read(|unit| {
                    if !defined[b].has(unit) {
                        starts[b].set(unit, true);
                    }
                });
                inst.each_write(|unit| defined[b].set(unit, true));
            }
        }
        let written = written(blocks, &defined, units, flow);
        let mut changed = true;
        while changed {
            changed = false;
            for (b, block) in blocks.iter().enumerate().rev() {
                for w in 0..units.div_ceil(64) {
                    let live = |next: &[usize]| next.iter().fold(0, |sum, &n| sum | starts[n].0[w]);
                    let around = live(block.skips(flow)) & written[b].0[w];
                    let end = live(block.next(flow)) | around;
                    let start = starts[b].0[w] | (end & !defined[b].0[w]);
                    changed |= start != starts[b].0[w];
                    starts[b].0[w] = start;
                    ends[b].0[w] = end;
                }
            }
        }
        Liveness { starts, ends }
    }

    /// Units live at the start of a block.
    pub fn at_start(&self, block: usize) -> &Bits {
        &self.starts[block]
    }

    /// Units live at the end of a block.
    pub fn at_end(&self, block: usize) -> &Bits {
        &self.ends[block]
    }
}

/// Units written on every way of the wave to the end of each block; those that nothing writes are there from the start.
/// Empty sets where no block is gone around.
fn written<I: Instruction>(
    blocks: &[Block<'_, I>],
    defined: &[Bits],
    units: usize,
    flow: Flow,
) -> Vec<Bits> {
    if blocks.iter().all(|block| block.skips(flow).is_empty()) {
        return vec![Bits::new(units); blocks.len()];
    }
    let words = units.div_ceil(64);
    let mut given = Bits(vec![u64::MAX; words]);
    for (w, given) in given.0.iter_mut().enumerate() {
        *given = !defined.iter().fold(0, |sum, own| sum | own.0[w]);
    }
    let mut ends = vec![Bits(vec![u64::MAX; words]); blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        let mut starts = vec![Bits(vec![u64::MAX; words]); blocks.len()];
        starts[0] = given.clone();
        for (block, end) in blocks.iter().zip(&ends) {
            for &next in block.next(flow).iter().chain(block.skips(flow)) {
                let words = starts[next].0.iter_mut().zip(&end.0);
                words.for_each(|(start, end)| *start &= end);
            }
        }
        for (b, end) in ends.iter_mut().enumerate() {
            let words = starts[b].0.iter().zip(&defined[b].0).zip(&mut end.0);
            for ((start, own), end) in words {
                changed |= start | own != *end;
                *end = start | own;
            }
        }
    }
    ends
}

/// Live ranges of every unit, ascending. Every block ends with one instruction that does nothing.
pub fn live_ranges<I: Instruction>(
    blocks: &[Block<'_, I>],
    units: usize,
    flow: Flow,
) -> Vec<Vec<Interval>> {
    let liveness = Liveness::new(blocks, units, flow);
    let mut out: Vec<Vec<Interval>> = vec![Vec::new(); units];
    let mut end_of = vec![0u32; units];
    let mut block_end = slots(blocks);
    // Blocks and instructions are visited backwards, so ranges come out last first.
    for (b, block) in blocks.iter().enumerate().rev() {
        let block_start = block_end - 2 * (block.insts.len() as u32 + 1);
        let mut live = liveness.at_end(b).clone();
        live.each(|unit| end_of[unit as usize] = block_end);
        for (i, inst) in block.insts.iter().enumerate().rev() {
            let read = block_start + 2 * i as u32;
            let write = read + u32::from(!inst.is_early());
            inst.each_write(|unit| {
                let end = match live.has(unit) {
                    true => end_of[unit as usize],
                    false => read + 2,
                };
                out[unit as usize].push((write, end));
                live.set(unit, false);
            });
            inst.each_read(|unit| {
                if !live.has(unit) {
                    live.set(unit, true);
                    end_of[unit as usize] = read + 1;
                }
            });
        }
        live.each(|unit| out[unit as usize].push((block_start, end_of[unit as usize])));
        block_end = block_start;
    }
    for list in &mut out {
        list.reverse();
        join_touching(list);
    }
    out
}

/// Makes one of ascending intervals that touch.
pub fn join_touching(intervals: &mut Vec<Interval>) {
    intervals.dedup_by(|next, last| {
        let touch = next.0 <= last.1;
        if touch {
            last.1 = last.1.max(next.1);
        }
        touch
    });
}

/// Half instructions of all blocks.
pub(super) fn slots<I>(blocks: &[Block<'_, I>]) -> u32 {
    2 * blocks.iter().map(|b| b.insts.len() as u32 + 1).sum::<u32>()
}

/// Whether two lists of intervals, each ascending, meet.
pub fn overlap(a: &[Interval], b: &[Interval]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].0 < b[j].1 && b[j].0 < a[i].1 {
            return true;
        }
        if a[i].1 <= b[j].1 {
            i += 1;
        } else {
            j += 1;
        }
    }
    false
}
