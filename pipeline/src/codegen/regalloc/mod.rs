//! Registers for virtual registers.
//!
//! In: blocks of instructions that read and write *units* of 32 bits, *banks* of registers with one or more *channels*
//! each, and *groups* of units that lie at fixed distances. Out: the register and channel of every unit, or the groups to
//! spill so that the others fit.
//!
//! Two units may share a channel of a register when their live ranges do not overlap; a range is exact to half an
//! instruction, so a result may take the register of an operand that dies. Groups are placed in order of first
//! definition; copies and groups give hints, so that most copies become moves of a register to itself.

mod liveness;
mod place;

use std::ops::Range;

pub use self::liveness::{
    Bits, Instruction, Interval, Liveness, join_touching, live_ranges, overlap,
};

/// A virtual register of 32 bits.
pub type Unit = u32;

/// Whose way through the blocks a value follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// That of a lane, where a register holds a value for each: a write under a mask leaves other lanes alone, so only
    /// what one lane sees matters.
    Lane,
    /// That of the wave, where a register holds one value.
    Wave,
}

/// What is spilled for a group that must have registers and finds none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relief {
    /// Nothing.
    None,
    /// Groups that live wherever it does, those with the fewest accesses: two for each of its registers.
    FewestAccesses,
    /// This many groups with the longest live ranges, wherever they live.
    LongestLived(usize),
}

/// Registers of one kind.
#[derive(Clone, Debug)]
pub struct Bank {
    /// Registers that may be given to any unit, counted from 0.
    pub registers: u16,
    /// Units that a register holds.
    pub channels: u16,
    /// Registers beyond those that only a hint leads to (a mask register outside of the file).
    pub special: Option<Range<u16>>,
    /// What live ranges follow.
    pub flow: Flow,
    /// What makes room for a group that must not be spilled.
    pub relief: Relief,
}

/// Units that lie at fixed distances. Places are counted in channels: `channels` times the register and the channel.
#[derive(Clone, Debug)]
pub struct Group {
    /// Bank number.
    pub bank: u8,
    /// Units, and how far each is behind the first place.
    pub units: Vec<(Unit, u16)>,
    /// Number of places.
    pub width: u16,
    /// The first place is a multiple of this,
    pub align: u16,
    /// and this more.
    pub phase: u16,
    /// The first place that the group must have.
    pub pinned: Option<u16>,
    /// May be put into the special registers of the bank.
    pub special: bool,
    /// Must not be chosen for spilling.
    pub keep: bool,
}

impl Group {
    /// Units in consecutive places; a pair of registers has an `align` of 2.
    pub fn row(bank: u8, units: Range<Unit>, align: u16) -> Group {
        Group {
            bank,
            width: units.len() as u16,
            units: units.zip(0..).collect(),
            align,
            phase: 0,
            pinned: None,
            special: false,
            keep: false,
        }
    }

    /// Units in one channel of consecutive registers.
    pub fn column(bank: u8, units: Range<Unit>, channels: u16, channel: u8) -> Group {
        Group {
            units: units.clone().zip((0..).step_by(channels.into())).collect(),
            width: channels * (units.len() as u16 - 1) + 1,
            phase: channel.into(),
            ..Group::row(bank, units, channels)
        }
    }

    /// Units in channels of one register, which they have to themselves.
    pub fn register(bank: u8, units: Vec<(Unit, u16)>, channels: u16) -> Group {
        Group {
            units,
            width: channels,
            ..Group::row(bank, 0..0, channels)
        }
    }

    fn may_spill(&self) -> bool {
        !self.keep && self.pinned.is_none()
    }
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block<'a, I> {
    /// Instructions.
    pub insts: &'a [I],
    /// Where a lane goes on.
    pub lane_next: Vec<usize>,
    /// Where the wave goes on.
    pub wave_next: Vec<usize>,
    /// Where the wave goes on without a lane that does. There it needs what it had, but nothing that it missed: units
    /// not written before may have any value.
    pub wave_skips: Vec<usize>,
}

impl<I> Block<'_, I> {
    fn next(&self, flow: Flow) -> &[usize] {
        match flow {
            Flow::Lane => &self.lane_next,
            Flow::Wave => &self.wave_next,
        }
    }

    fn skips(&self, flow: Flow) -> &[usize] {
        match flow {
            Flow::Lane => &[],
            Flow::Wave => &self.wave_skips,
        }
    }
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Register.
    pub register: u16,
    /// Channel of it.
    pub channel: u8,
}

/// Outcome of an allocation.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Location of each unit; of units that are never accessed, the first.
    pub locations: Vec<Location>,
    /// Registers used per bank (highest and one), without the special ones.
    pub used: Vec<u16>,
}

/// Not all groups found registers.
#[derive(Clone, Debug)]
pub struct Crowded {
    /// Bank of the first that did not.
    pub bank: u8,
    /// Groups to spill; none when there is nothing that would make room.
    pub victims: Vec<usize>,
    /// Block and instruction where most units are live, per bank.
    pub peaks: Vec<(usize, usize)>,
}

/// Gives every unit a location.
pub fn allocate<I: Instruction>(
    blocks: &[Block<'_, I>],
    banks: &[Bank],
    groups: &[Group],
    units: usize,
) -> Result<Assignment, Crowded> {
    let mut live: Vec<Vec<Interval>> = vec![Vec::new(); units];
    for (b, bank) in banks.iter().enumerate() {
        let mut all = live_ranges(blocks, units, bank.flow);
        for group in groups.iter().filter(|group| usize::from(group.bank) == b) {
            for &(unit, _) in &group.units {
                live[unit as usize] = std::mem::take(&mut all[unit as usize]);
            }
        }
    }
    let mut job = place::Job::new(blocks, banks, groups, &live);
    job.run();
    let Some(&first) = job.spilled.first() else {
        let mut locations = vec![Location::default(); units];
        for (group, at) in groups.iter().zip(&job.given) {
            let channels = banks[usize::from(group.bank)].channels;
            for &(unit, behind) in &group.units {
                let place = at.unwrap_or(0) + behind;
                locations[unit as usize] = Location {
                    register: place / channels,
                    channel: (place % channels) as u8,
                };
            }
        }
        let used = job.used();
        return Ok(Assignment { locations, used });
    };
    Err(Crowded {
        bank: groups[first].bank,
        victims: victims(blocks, banks, groups, &live, &job.spilled),
        peaks: peaks(blocks, banks, groups, &live),
    })
}

/// Groups that found no registers, or what is spilled instead of those that must have some.
fn victims<I: Instruction>(
    blocks: &[Block<'_, I>],
    banks: &[Bank],
    groups: &[Group],
    live: &[Vec<Interval>],
    spilled: &[usize],
) -> Vec<usize> {
    let (mut found, kept): (Vec<usize>, Vec<usize>) =
        spilled.iter().partition(|&&g| groups[g].may_spill());
    let others = |bank: u8| {
        let may = move |g: &usize| groups[*g].bank == bank && groups[*g].may_spill();
        (0..groups.len()).filter(may)
    };
    let mut relieved = false;
    for wanted in kept {
        let group = &groups[wanted];
        match banks[usize::from(group.bank)].relief {
            Relief::None => return Vec::new(),
            Relief::FewestAccesses => {
                let extents = extents(blocks, groups, live.len());
                let own = &extents[wanted];
                let around = |g: &usize| {
                    let other = &extents[*g];
                    other.accesses > 0 && other.first <= own.first && other.last >= own.last
                };
                let mut more: Vec<usize> = others(group.bank).filter(around).collect();
                if more.is_empty() {
                    return more;
                }
                more.sort_by_key(|&g| extents[g].accesses);
                found.extend(more.into_iter().take(2 * usize::from(group.width)));
            }
            // One helping serves all.
            Relief::LongestLived(_) if relieved => {}
            Relief::LongestLived(count) => {
                let new = |g: &usize| !found.contains(g);
                let mut more: Vec<usize> = others(group.bank).filter(new).collect();
                more.sort_by_key(|&g| std::cmp::Reverse(place::length(&groups[g], live)));
                found.extend(more.into_iter().take(count));
                relieved = true;
            }
        }
    }
    found
}

/// The part of the code in which a group is accessed, and how often.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    first: usize,
    last: usize,
    accesses: u32,
}

fn extents<I: Instruction>(blocks: &[Block<'_, I>], groups: &[Group], units: usize) -> Vec<Extent> {
    let group_of = place::group_of(groups, units);
    let mut extents = vec![Extent::default(); groups.len()];
    let insts = blocks.iter().flat_map(|block| block.insts);
    for (at, inst) in insts.enumerate() {
        let mut access = |units: Range<Unit>| {
            if let Some((group, _)) = units.min().and_then(|unit| group_of[unit as usize]) {
                let extent = &mut extents[group];
                if extent.accesses == 0 {
                    extent.first = at;
                }
                extent.last = at;
                extent.accesses += 1;
            }
        };
        inst.operands(&mut access);
        inst.results(&mut access);
    }
    extents
}

/// Block and instruction where most units are live, per bank.
fn peaks<I>(
    blocks: &[Block<'_, I>],
    banks: &[Bank],
    groups: &[Group],
    live: &[Vec<Interval>],
) -> Vec<(usize, usize)> {
    let slots = liveness::slots(blocks) as usize;
    let mut change = vec![vec![0i32; slots + 3]; banks.len()];
    for group in groups {
        let change = &mut change[usize::from(group.bank)];
        for (start, end) in group.units.iter().flat_map(|&(u, _)| &live[u as usize]) {
            change[*start as usize] += 1;
            change[*end as usize] -= 1;
        }
    }
    let peak = |change: &Vec<i32>| {
        let (mut now, mut most, mut peak) = (0, 0, 0);
        for (at, c) in change.iter().enumerate() {
            now += c;
            if now > most {
                (most, peak) = (now, at);
            }
        }
        position(blocks, peak / 2)
    };
    change.iter().map(peak).collect()
}

/// Block and instruction of the `at`th instruction, counting one more for the end of every block.
fn position<I>(blocks: &[Block<'_, I>], mut at: usize) -> (usize, usize) {
    for (b, block) in blocks.iter().enumerate() {
        if at <= block.insts.len() {
            return (b, at);
        }
        at -= block.insts.len() + 1;
    }
    (blocks.len(), 0)
}
