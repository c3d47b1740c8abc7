//! Groups into places.
//!
//! In: groups, the live ranges of their units, and copies between units. Out: the first place of each group, or the
//! groups that found none. A register given away is taken for the live ranges of its unit only.

use super::{Bank, Bits, Block, Group, Instruction, Interval, Unit, liveness, overlap};

/// Places of one bank.
struct File<'a> {
    /// Per place, the half instructions at which it is taken.
    taken: Vec<Bits>,
    bank: &'a Bank,
    /// Places that may be given to any group.
    places: u16,
    used: u16,
}

impl<'a> File<'a> {
    fn new(bank: &'a Bank, slots: u32) -> File<'a> {
        let last = bank.special.as_ref().map_or(bank.registers, |r| r.end);
        File {
            taken: vec![Bits::new(slots as usize + 2); usize::from(last * bank.channels)],
            bank,
            places: bank.registers * bank.channels,
            used: 0,
        }
    }

    /// The special registers, where the group may have them.
    fn special(&self, group: &Group) -> Option<std::ops::Range<u16>> {
        let special = self.bank.special.as_ref().filter(|_| group.special)?;
        let channels = self.bank.channels;
        Some(channels * special.start..channels * special.end)
    }

    fn is_free(&self, at: u16, group: &Group, live: &[Vec<Interval>]) -> bool {
        group.units.iter().all(|&(unit, behind)| {
            let taken = &self.taken[usize::from(at + behind)];
            live[unit as usize].iter().all(|&range| !taken.meets(range))
        })
    }

    fn fits(&self, at: u16, group: &Group, live: &[Vec<Interval>]) -> bool {
        let end = at + group.width;
        let special = || {
            self.special(group)
                .is_some_and(|s| s.start <= at && end <= s.end)
        };
        at % group.align == group.phase
            && (end <= self.places || special())
            && self.is_free(at, group, live)
    }

    /// First places at which a group of this form lies in the file.
    fn starts(&self, group: &Group) -> impl Iterator<Item = u16> {
        let end = (self.places + 1).saturating_sub(group.width);
        (group.phase..end).step_by(group.align.into())
    }

    fn fill(&mut self, at: u16, group: &Group, live: &[Vec<Interval>], on: bool) {
        for &(unit, behind) in &group.units {
            for &range in &live[unit as usize] {
                self.taken[usize::from(at + behind)].fill(range, on);
            }
        }
        if at < self.places {
            self.used = self.used.max(at + group.width);
        }
    }
}

/// Group of each unit, and how far behind its first place the unit is.
pub fn group_of(groups: &[Group], units: usize) -> Vec<Option<(usize, u16)>> {
    let mut group_of = vec![None; units];
    for (g, group) in groups.iter().enumerate() {
        for &(unit, behind) in &group.units {
            group_of[unit as usize] = Some((g, behind));
        }
    }
    group_of
}

/// Half instructions that the places of a group are taken for, all together.
pub fn length(group: &Group, live: &[Vec<Interval>]) -> u32 {
    let ranges = group
        .units
        .iter()
        .flat_map(|&(unit, _)| &live[unit as usize]);
    ranges.map(|range| range.1 - range.0).sum()
}

/// An allocation under way.
pub struct Job<'a> {
    groups: &'a [Group],
    live: &'a [Vec<Interval>],
    /// Units that each is copied to or from.
    friends: Vec<Vec<Unit>>,
    group_of: Vec<Option<(usize, u16)>>,
    files: Vec<File<'a>>,
    /// First place of each group.
    pub given: Vec<Option<u16>>,
    /// Groups that found none.
    pub spilled: Vec<usize>,
}

impl<'a> Job<'a> {
    /// With nothing placed but what instructions overwrite.
    pub fn new<I: Instruction>(
        blocks: &[Block<'_, I>],
        banks: &'a [Bank],
        groups: &'a [Group],
        live: &'a [Vec<Interval>],
    ) -> Job<'a> {
        let slots = liveness::slots(blocks);
        let mut files: Vec<File<'_>> = banks.iter().map(|bank| File::new(bank, slots)).collect();
        let mut friends: Vec<Vec<Unit>> = vec![Vec::new(); live.len()];
        let mut at = 0u32;
        for block in blocks {
            for inst in block.insts {
                if let Some((bank, registers)) = inst.clobbers() {
                    let file = &mut files[usize::from(bank)];
                    let channels = usize::from(file.bank.channels);
                    let places = channels * usize::from(registers.start)
                        ..channels * usize::from(registers.end);
                    for taken in file.taken.get_mut(places).into_iter().flatten() {
                        taken.fill((at + 1, at + 2), true);
                    }
                }
                if inst.is_copy() {
                    let (mut from, mut to) = (Vec::new(), Vec::new());
                    inst.each_read(|unit| from.push(unit));
                    inst.each_write(|unit| to.push(unit));
                    for (from, to) in from.into_iter().zip(to) {
                        friends[from as usize].push(to);
                        friends[to as usize].push(from);
                    }
                }
                at += 2;
            }
            at += 2;
        }
        Job {
            groups,
            live,
            friends,
            group_of: group_of(groups, live.len()),
            files,
            given: vec![None; groups.len()],
            spilled: Vec::new(),
        }
    }

    /// Places all groups that are accessed: pinned ones, then in order of first definition.
    pub fn run(&mut self) {
        let start = |group: &Group| {
            let ranges = |&(unit, _): &(Unit, u16)| self.live[unit as usize].first();
            group.units.iter().filter_map(ranges).map(|r| r.0).min()
        };
        let groups = self.groups.iter().enumerate();
        let mut order: Vec<(bool, u32, usize)> = groups
            .filter_map(|(g, group)| Some((group.pinned.is_none(), start(group)?, g)))
            .collect();
        order.sort_unstable();
        for (_, _, g) in order {
            self.place(g);
        }
    }

    /// Registers used per bank.
    pub fn used(&self) -> Vec<u16> {
        let used = |file: &File<'_>| file.used.div_ceil(file.bank.channels);
        self.files.iter().map(used).collect()
    }

    fn give(&mut self, g: usize, at: u16) {
        let group = &self.groups[g];
        self.files[usize::from(group.bank)].fill(at, group, self.live, true);
        self.given[g] = Some(at);
    }

    /// Units that a unit is copied to or from: group, and how far behind its first place.
    fn friends(&self, unit: Unit) -> impl Iterator<Item = (usize, u16)> + '_ {
        let friends = self.friends[unit as usize].iter();
        friends.filter_map(|&friend| self.group_of[friend as usize])
    }

    fn place(&mut self, g: usize) {
        if self.given[g].is_some() || self.spilled.contains(&g) {
            return;
        }
        let group = &self.groups[g];
        if let Some(at) = group.pinned {
            self.give(g, at);
            return;
        }
        // A part of a wide group decides where the group goes, so wide friends come first.
        for &(unit, _) in &group.units {
            for (other, _) in self.friends(unit).collect::<Vec<_>>() {
                let wider = self.groups[other].width > group.width;
                if wider && self.groups[other].bank == group.bank && self.given[other].is_none() {
                    self.place(other);
                }
            }
        }
        let at = self.hinted(g).or_else(|| self.joined(g));
        match at.or_else(|| self.first_free(g)) {
            Some(at) => self.give(g, at),
            None => self.evict(g),
        }
    }

    /// Beside a group that a unit is copied to or from.
    fn hinted(&self, g: usize) -> Option<u16> {
        let group = &self.groups[g];
        let file = &self.files[usize::from(group.bank)];
        let units = group.units.iter();
        let mut wanted = units.flat_map(|&(unit, own)| {
            self.friends(unit).filter_map(move |(other, behind)| {
                let here = self.groups[other].bank == group.bank;
                (self.given[other].filter(|_| here)? + behind).checked_sub(own)
            })
        });
        wanted.find(|&at| file.fits(at, group, self.live))
    }

    /// Where a wide group and most of those it is put together from can lie, so that copies between them go away.
    fn joined(&self, g: usize) -> Option<u16> {
        let group = &self.groups[g];
        if group.width == 1 || group.special {
            return None;
        }
        // Parts that have no place yet, and their first place less that of the group.
        let mut parts: Vec<(&Group, i32)> = Vec::new();
        for &(unit, own) in &group.units {
            for (other, behind) in self.friends(unit) {
                let part = &self.groups[other];
                let free = self.given[other].is_none() && part.pinned.is_none();
                let here = part.bank == group.bank && part.width < group.width;
                let live = |of: Unit| &self.live[of as usize];
                let apart = |&(of, _): &(Unit, u16)| !overlap(live(of), live(unit));
                if free && here && part.units.iter().all(apart) {
                    parts.push((part, i32::from(own) - i32::from(behind)));
                }
            }
        }
        let file = &self.files[usize::from(group.bank)];
        let mut best = (0, None);
        for at in file.starts(group) {
            if best.0 == parts.len() || !file.is_free(at, group, self.live) {
                continue;
            }
            let fits = |(part, place): &&(&Group, i32)| {
                u16::try_from(i32::from(at) + place).is_ok_and(|at| file.fits(at, part, self.live))
            };
            let count = parts.iter().filter(fits).count();
            if count > best.0 {
                best = (count, Some(at));
            }
        }
        best.1
    }

    fn first_free(&self, g: usize) -> Option<u16> {
        let group = &self.groups[g];
        let file = &self.files[usize::from(group.bank)];
        let special = file.special(group).map(|special| special.start);
        let mut starts = special.into_iter().chain(file.starts(group));
        starts.find(|&at| file.is_free(at, group, self.live))
    }

    fn overlaps(&self, a: &Group, b: &Group) -> bool {
        let live = |&(unit, _): &(Unit, u16)| &self.live[unit as usize];
        let any = |a: &Vec<Interval>| b.units.iter().map(live).any(|b| overlap(a, b));
        a.units.iter().map(live).any(any)
    }

    /// Spills this group, or one that lives longer and whose places it can take.
    fn evict(&mut self, g: usize) {
        let group = &self.groups[g];
        let span = |group: &Group| length(group, self.live) / u32::from(group.width);
        let mut rivals: Vec<(u32, usize, u16)> = Vec::new();
        for (o, other) in self.groups.iter().enumerate() {
            if let Some(at) = self.given[o]
                && other.bank == group.bank
                && other.may_spill()
                && other.width >= group.width
                && self.overlaps(other, group)
            {
                rivals.push((span(other), o, at));
            }
        }
        rivals.sort_by_key(|&(span, ..)| std::cmp::Reverse(span));
        let own = span(group);
        for (span, o, at) in rivals {
            if own >= span && !group.keep {
                break;
            }
            let other = &self.groups[o];
            let file = usize::from(group.bank);
            self.files[file].fill(at, other, self.live, false);
            if let Some(new) = self.first_free(g) {
                self.given[o] = None;
                self.spilled.push(o);
                self.give(g, new);
                return;
            }
            self.files[file].fill(at, other, self.live, true);
        }
        self.spilled.push(g);
    }
}
