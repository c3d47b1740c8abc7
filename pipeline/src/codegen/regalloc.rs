//! Registers for virtual registers.
//!
//! A back end describes its code as blocks of instructions that read and write *units*, one unit per 32-bit virtual
//! register. Units that must lie side by side form a *group*. Two units may share a register when their live ranges do
//! not overlap; a range is exact to half an instruction, so a result may take the register of an operand that dies.
//!
//! A bank whose registers hold one value a lane follows the control flow of a lane ([`Block::lane_next`]): a write under
//! a mask leaves other lanes alone, so only what one lane sees matters. A bank of scalars follows the machine
//! ([`Block::wave_next`]). Registers are given in order of first definition; copies and groups give hints, so that most
//! copies become moves of a register to itself. Where no register is free, [`allocate`] names units to spill.

/// Which unit list an allocation works on, and its registers.
#[derive(Clone, Debug)]
pub struct Bank {
    /// Registers that may be given to any unit, counted from 0.
    pub registers: u16,
    /// Registers beyond those that only a hint leads to, first and count (a mask register outside of the file).
    pub special: Option<(u16, u16)>,
    /// Ranges follow [`Block::lane_next`] instead of [`Block::wave_next`].
    pub lanes: bool,
}

/// Units that lie side by side.
#[derive(Clone, Debug)]
pub struct Group {
    /// Bank number.
    pub bank: u8,
    /// First unit.
    pub first: u32,
    /// Number of units.
    pub width: u16,
    /// The register of the first unit is a multiple of this,
    pub align: u16,
    /// and this more.
    pub phase: u16,
    /// The register that the group must have.
    pub pinned: Option<u16>,
    /// May be put into the special registers of the bank.
    pub special: bool,
    /// Must not be chosen for spilling.
    pub keep: bool,
}

/// What one instruction reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Units read.
    pub reads: Vec<u32>,
    /// Units written.
    pub writes: Vec<u32>,
    /// Units written before all operands are read.
    pub early: bool,
    /// Physical registers overwritten besides: bank, first, count.
    pub clobbers: Option<(u8, u16, u16)>,
    /// The instruction copies the units read to the units written.
    pub copy: bool,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Instructions.
    pub insts: Vec<Access>,
    /// Where a lane goes on.
    pub lane_next: Vec<usize>,
    /// Where the wave goes on.
    pub wave_next: Vec<usize>,
}

/// Outcome of an allocation.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Register of each unit; of units that are never accessed, 0.
    pub registers: Vec<u16>,
    /// Registers used per bank (highest and one), without the special ones.
    pub used: Vec<u16>,
    /// Groups that found no register.
    pub spilled: Vec<usize>,
    /// Greatest number of registers that are live at once, per bank.
    pub pressure: Vec<u16>,
    /// The block and instruction where that is, per bank.
    pub peaks: Vec<(usize, usize)>,
}

type Range = (u32, u32);

struct Bits(Vec<u64>);

impl Bits {
    fn new(len: usize) -> Bits {
        Bits(vec![0; len.div_ceil(64)])
    }
    fn get(&self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }
    fn set(&mut self, i: u32, on: bool) {
        let bit = 1 << (i % 64);
        if on {
            self.0[i as usize / 64] |= bit;
        } else {
            self.0[i as usize / 64] &= !bit;
        }
    }
    fn each(&self, mut f: impl FnMut(u32)) {
        for (w, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                f(w as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
    /// Any bit in `range`, or all of them set when `fill`.
    fn range(&mut self, (start, end): Range, fill: Option<bool>) -> bool {
        let mut any = false;
        let mut at = start;
        while at < end {
            let word = at as usize / 64;
            let low = at % 64;
            let count = (64 - low).min(end - at);
            let mask = (u64::MAX >> (64 - count)) << low;
            any |= self.0[word] & mask != 0;
            match fill {
                Some(true) => self.0[word] |= mask,
                Some(false) => self.0[word] &= !mask,
                None => {}
            }
            at += count;
        }
        any
    }
}

/// Units live at the start of each block.
fn live_in(blocks: &[Block], units: usize, lanes: bool, mine: &dyn Fn(u32) -> bool) -> Vec<Bits> {
    let words = units.div_ceil(64);
    let mut live: Vec<Bits> = blocks.iter().map(|_| Bits::new(units)).collect();
    let mut used: Vec<Bits> = Vec::with_capacity(blocks.len());
    let mut defined: Vec<Bits> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (mut uses, mut defs) = (Bits::new(units), Bits::new(units));
        for inst in &block.insts {
            for &unit in inst.reads.iter().filter(|&&u| mine(u)) {
                if !defs.get(unit) {
                    uses.set(unit, true);
                }
            }
            for &unit in inst.writes.iter().filter(|&&u| mine(u)) {
                defs.set(unit, true);
            }
        }
        used.push(uses);
        defined.push(defs);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..blocks.len()).rev() {
            let next = if lanes {
                &blocks[b].lane_next
            } else {
                &blocks[b].wave_next
            };
            for w in 0..words {
                let out = next.iter().fold(0, |sum, &n| sum | live[n].0[w]);
                let new = used[b].0[w] | (out & !defined[b].0[w]);
                if new & !live[b].0[w] != 0 {
                    live[b].0[w] |= new;
                    changed = true;
                }
            }
        }
    }
    live
}

/// Live ranges of every unit of the bank, in half instructions, ascending.
pub(super) fn ranges(
    blocks: &[Block],
    units: usize,
    lanes: bool,
    mine: &dyn Fn(u32) -> bool,
) -> Vec<Vec<Range>> {
    let live = live_in(blocks, units, lanes, mine);
    let mut out: Vec<Vec<Range>> = vec![Vec::new(); units];
    let mut end_of = vec![0u32; units];
    let total: usize = blocks.iter().map(|b| b.insts.len() + 1).sum();
    let mut block_end = 2 * total as u32;
    // Blocks and instructions are visited backwards, so ranges come out last first.
    for block in blocks.iter().rev() {
        let block_start = block_end - 2 * (block.insts.len() as u32 + 1);
        let next = if lanes {
            &block.lane_next
        } else {
            &block.wave_next
        };
        let mut alive = Bits::new(units);
        for &n in next {
            for (word, more) in alive.0.iter_mut().zip(&live[n].0) {
                *word |= more;
            }
        }
        alive.each(|unit| end_of[unit as usize] = block_end);
        for (i, inst) in block.insts.iter().enumerate().rev() {
            let read = block_start + 2 * i as u32;
            let write = if inst.early { read } else { read + 1 };
            for &unit in inst.writes.iter().filter(|&&u| mine(u)) {
                let end = if alive.get(unit) {
                    end_of[unit as usize]
                } else {
                    read + 2
                };
                out[unit as usize].push((write, end));
                alive.set(unit, false);
            }
            for &unit in inst.reads.iter().filter(|&&u| mine(u)) {
                if !alive.get(unit) {
                    alive.set(unit, true);
                    end_of[unit as usize] = read + 1;
                }
            }
        }
        alive.each(|unit| out[unit as usize].push((block_start, end_of[unit as usize])));
        block_end = block_start;
    }
    for list in &mut out {
        list.reverse();
        list.dedup_by(|next, last| {
            let touch = next.0 <= last.1;
            if touch {
                last.1 = last.1.max(next.1);
            }
            touch
        });
    }
    out
}

struct File {
    /// Per register, the half instructions at which it is taken.
    taken: Vec<Bits>,
    bank: Bank,
    used: u16,
}

impl File {
    fn fits(&mut self, at: u16, ranges: &[Vec<Range>]) -> bool {
        ranges.iter().enumerate().all(|(i, list)| {
            let row = &mut self.taken[at as usize + i];
            list.iter().all(|&range| !row.range(range, None))
        })
    }

    fn allowed(&self, at: u16, group: &Group) -> bool {
        at % group.align == group.phase
            && (at + group.width <= self.bank.registers
                || (group.special
                    && self.bank.special.is_some_and(|(first, count)| {
                        at >= first && at + group.width <= first + count
                    })))
    }

    fn fill(&mut self, at: u16, ranges: &[Vec<Range>], on: bool) {
        for (i, list) in ranges.iter().enumerate() {
            for &range in list {
                self.taken[at as usize + i].range(range, Some(on));
            }
        }
        if at < self.bank.registers {
            self.used = self.used.max(at + ranges.len() as u16);
        }
    }
}

/// Gives every unit a register, or names groups that must be spilled.
pub fn allocate(blocks: &[Block], banks: &[Bank], groups: &[Group], units: usize) -> Assignment {
    let mut group_of = vec![usize::MAX; units];
    for (g, group) in groups.iter().enumerate() {
        for unit in group.first..group.first + u32::from(group.width) {
            group_of[unit as usize] = g;
        }
    }
    let total: usize = blocks.iter().map(|b| b.insts.len() + 1).sum();
    let mut live: Vec<Vec<Range>> = vec![Vec::new(); units];
    for (b, bank) in banks.iter().enumerate() {
        let mine = |unit: u32| {
            let group = group_of[unit as usize];
            group != usize::MAX && usize::from(groups[group].bank) == b
        };
        for (unit, list) in ranges(blocks, units, bank.lanes, &mine)
            .into_iter()
            .enumerate()
        {
            if mine(unit as u32) {
                live[unit] = list;
            }
        }
    }
    let mut files: Vec<File> = banks
        .iter()
        .map(|bank| {
            let last = bank
                .special
                .map_or(bank.registers, |(first, count)| first + count);
            File {
                taken: (0..last).map(|_| Bits::new(2 * total + 2)).collect(),
                bank: bank.clone(),
                used: 0,
            }
        })
        .collect();
    // Copies between units, both ways.
    let mut friends: Vec<Vec<u32>> = vec![Vec::new(); units];
    let mut at = 0u32;
    for block in blocks {
        for inst in &block.insts {
            if let Some((bank, first, count)) = inst.clobbers {
                for register in first..first + count {
                    if let Some(row) = files[bank as usize].taken.get_mut(register as usize) {
                        row.range((at + 1, at + 2), Some(true));
                    }
                }
            }
            if inst.copy {
                for (&from, &to) in inst.reads.iter().zip(&inst.writes) {
                    friends[from as usize].push(to);
                    friends[to as usize].push(from);
                }
            }
            at += 2;
        }
        at += 2;
    }
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let start = |g: usize| {
        let group = &groups[g];
        (group.first..group.first + u32::from(group.width))
            .filter_map(|unit| live[unit as usize].first())
            .map(|range| range.0)
            .min()
    };
    order.retain(|&g| start(g).is_some());
    order.sort_by_key(|&g| (groups[g].pinned.is_none(), start(g)));
    let mut job = Job {
        groups,
        live: &live,
        friends: &friends,
        group_of: &group_of,
        files: &mut files,
        given: vec![None; groups.len()],
        spilled: Vec::new(),
    };
    for g in order {
        job.place(g);
    }
    let mut registers = vec![0; units];
    for (g, group) in groups.iter().enumerate() {
        for i in 0..group.width {
            registers[group.first as usize + usize::from(i)] = job.given[g].unwrap_or(0) + i;
        }
    }
    let spilled = job.spilled;
    let (pressure, peaks) = pressure(banks, groups, &live, 2 * total);
    Assignment {
        registers,
        used: files.iter().map(|f| f.used).collect(),
        spilled,
        pressure,
        peaks: peaks.into_iter().map(|at| place(blocks, at / 2)).collect(),
    }
}

/// Block and instruction of the `at`th instruction, counting one more for the end of every block.
fn place(blocks: &[Block], mut at: usize) -> (usize, usize) {
    for (b, block) in blocks.iter().enumerate() {
        if at <= block.insts.len() {
            return (b, at);
        }
        at -= block.insts.len() + 1;
    }
    (blocks.len(), 0)
}

/// Most units live at once, and the half instruction where they are, per bank.
fn pressure(
    banks: &[Bank],
    groups: &[Group],
    live: &[Vec<Range>],
    slots: usize,
) -> (Vec<u16>, Vec<usize>) {
    let mut change = vec![vec![0i32; slots + 3]; banks.len()];
    for group in groups {
        for unit in group.first..group.first + u32::from(group.width) {
            for &(start, end) in &live[unit as usize] {
                change[group.bank as usize][start as usize] += 1;
                change[group.bank as usize][end as usize] -= 1;
            }
        }
    }
    change
        .iter()
        .map(|list| {
            let (mut now, mut most, mut peak) = (0, 0, 0);
            for (at, c) in list.iter().enumerate() {
                now += c;
                if now > most {
                    (most, peak) = (now, at);
                }
            }
            (most as u16, peak)
        })
        .unzip()
}

struct Job<'a> {
    groups: &'a [Group],
    live: &'a [Vec<Range>],
    friends: &'a [Vec<u32>],
    group_of: &'a [usize],
    files: &'a mut [File],
    given: Vec<Option<u16>>,
    spilled: Vec<usize>,
}

impl Job<'_> {
    fn ranges(&self, g: usize) -> &[Vec<Range>] {
        let group = &self.groups[g];
        let first = group.first as usize;
        &self.live[first..first + usize::from(group.width)]
    }

    fn place(&mut self, g: usize) {
        if self.given[g].is_some() || self.spilled.contains(&g) {
            return;
        }
        let group = &self.groups[g];
        let ranges = self.ranges(g).to_vec();
        let file = &mut self.files[group.bank as usize];
        if let Some(at) = group.pinned {
            file.fill(at, &ranges, true);
            self.given[g] = Some(at);
            return;
        }
        // A part of a wide group decides where the group goes, so wide friends come first.
        for i in 0..u32::from(group.width) {
            for &friend in &self.friends[(group.first + i) as usize] {
                let other = self.group_of[friend as usize];
                let wider = self.groups[other].width > group.width;
                if wider && self.groups[other].bank == group.bank && self.given[other].is_none() {
                    self.place(other);
                }
            }
        }
        let at = self
            .hinted(g, &ranges)
            .or_else(|| self.joined(g, &ranges))
            .or_else(|| self.first_free(g, &ranges));
        match at {
            Some(at) => {
                self.files[group.bank as usize].fill(at, &ranges, true);
                self.given[g] = Some(at);
            }
            None => self.evict(g, &ranges),
        }
    }

    fn hinted(&mut self, g: usize, ranges: &[Vec<Range>]) -> Option<u16> {
        let group = &self.groups[g];
        for i in 0..u32::from(group.width) {
            for &friend in &self.friends[(group.first + i) as usize] {
                let other = self.group_of[friend as usize];
                let (Some(at), true) = (self.given[other], self.groups[other].bank == group.bank)
                else {
                    continue;
                };
                let wanted = u32::from(at) + friend - self.groups[other].first;
                let Some(at) = wanted.checked_sub(i) else {
                    continue;
                };
                let file = &mut self.files[group.bank as usize];
                if file.allowed(at as u16, group) && file.fits(at as u16, ranges) {
                    return Some(at as u16);
                }
            }
        }
        None
    }

    /// Where a wide group and most of those it is put together from can lie, so that copies between them go away.
    fn joined(&mut self, g: usize, ranges: &[Vec<Range>]) -> Option<u16> {
        let group = &self.groups[g];
        if group.width == 1 || group.special {
            return None;
        }
        // Parts that have no register yet: ranges, and their first register less that of the group.
        let mut parts = Vec::new();
        for i in 0..u32::from(group.width) {
            for &friend in &self.friends[(group.first + i) as usize] {
                let other = self.group_of[friend as usize];
                let part = &self.groups[other];
                let free = self.given[other].is_none() && part.pinned.is_none();
                let here = part.bank == group.bank && part.width < group.width;
                if free && here && !overlap(self.ranges(other), &ranges[i as usize..][..1]) {
                    let place = i as i32 - (friend - part.first) as i32;
                    parts.push((self.ranges(other).to_vec(), part, place));
                }
            }
        }
        let file = &mut self.files[group.bank as usize];
        let last = file.bank.registers.checked_sub(group.width)?;
        let mut best = (0, None);
        for at in (group.phase..=last).step_by(usize::from(group.align)) {
            if best.0 == parts.len() || !file.fits(at, ranges) {
                continue;
            }
            let fits = |(ranges, part, place): &&(Vec<Vec<Range>>, &Group, i32)| {
                u16::try_from(i32::from(at) + place)
                    .is_ok_and(|at| file.allowed(at, part) && file.fits(at, ranges))
            };
            let count = parts.iter().filter(fits).count();
            if count > best.0 {
                best = (count, Some(at));
            }
        }
        best.1
    }

    fn first_free(&mut self, g: usize, ranges: &[Vec<Range>]) -> Option<u16> {
        let group = &self.groups[g];
        let file = &mut self.files[group.bank as usize];
        if let (true, Some((first, _))) = (group.special, file.bank.special)
            && file.fits(first, ranges)
        {
            return Some(first);
        }
        let last = file.bank.registers.checked_sub(group.width)?;
        (group.phase..=last)
            .step_by(usize::from(group.align))
            .find(|&at| file.fits(at, ranges))
    }

    /// Spills this group, or one that lives longer and whose registers it can take.
    fn evict(&mut self, g: usize, ranges: &[Vec<Range>]) {
        let group = &self.groups[g];
        let span = |job: &Self, g: usize| -> u32 {
            let uses = job.ranges(g).iter().flatten();
            uses.map(|r| r.1 - r.0).sum::<u32>() / u32::from(job.groups[g].width)
        };
        let mut rivals: Vec<usize> = (0..self.groups.len())
            .filter(|&o| {
                let other = &self.groups[o];
                other.bank == group.bank
                    && !other.keep
                    && other.pinned.is_none()
                    && other.width >= group.width
                    && self.given[o].is_some()
                    && overlap(self.ranges(o), ranges)
            })
            .collect();
        rivals.sort_by_key(|&o| std::cmp::Reverse(span(self, o)));
        let own = if group.keep { 0 } else { span(self, g) };
        for o in rivals {
            if own >= span(self, o) && !group.keep {
                break;
            }
            let Some(at) = self.given[o] else { continue };
            let theirs = self.ranges(o).to_vec();
            self.files[group.bank as usize].fill(at, &theirs, false);
            let found = self.first_free(g, ranges);
            if let Some(new) = found {
                self.given[o] = None;
                self.spilled.push(o);
                self.files[group.bank as usize].fill(new, ranges, true);
                self.given[g] = Some(new);
                return;
            }
            self.files[group.bank as usize].fill(at, &theirs, true);
        }
        self.spilled.push(g);
    }
}

fn overlap(a: &[Vec<Range>], b: &[Vec<Range>]) -> bool {
    a.iter()
        .flatten()
        .any(|x| b.iter().flatten().any(|y| x.0 < y.1 && y.0 < x.1))
}
