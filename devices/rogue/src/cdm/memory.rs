//! What the tasks of groups reach: the memory of their group, video memory, at once or by logs, textures.

use std::ops::Range;

use lanes::{Batch, Fault, LANES, PortFault, Ports, Src, Wave};
use silicon::Memory;
use silicon::fragment::mask::merge;
use silicon::groups::races::Kind;
use silicon::groups::{Change, Races, StoreLogs};
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;

use super::GROUP_MEMORY;
use crate::isa::backend::Atomic;
use crate::lift::memory::{address_of, apply, fault};
use crate::lift::{
    ACTIVE, Amount, COVERED, File, Lifted, Load, Port, SampleOf, Store, TASK, each, value,
};
use crate::tpu::Tpu;

impl Change for Atomic {
    fn apply(self, _: u8, old: u64, [data, _]: [u64; 2]) -> u64 {
        apply(self, old as u32, data as u32).into()
    }
}

/// What a thread keeps of memory while groups run.
#[derive(Default)]
pub struct Unit {
    /// Textures.
    pub tpu: Tpu,
    /// Where stores go.
    pub logs: StoreLogs<Atomic>,
    /// Memories of the groups that run as one batch.
    pub shared: Vec<u32>,
    /// Finds races of a group's tasks.
    pub races: Option<Races>,
}

/// Whether a program stores texels.
pub fn stores_texels(lifted: &Lifted) -> bool {
    let stores = |port: &Port| matches!(port, Port::Sample(sample) if sample.data.is_some());
    lifted.ports.iter().any(stores)
}

/// What a group has while it runs.
#[derive(Clone, Debug, Default)]
pub struct GroupSlot {
    /// Its memory, in words of [`Unit::shared`].
    pub shared: Range<usize>,
    /// Its log of stores; none where they go to memory at once.
    pub log: Option<usize>,
    /// Number of the wave in the group.
    pub wave: u8,
}

/// The blocks around the waves of groups.
pub struct GroupPorts<'a> {
    /// The program.
    pub lifted: &'a Lifted,
    /// It stores texels: what its samples read is told texel by texel.
    pub stores_texels: bool,
    /// Video memory.
    pub memory: &'a Memory,
    /// Vector level of the host.
    pub level: SimdLevel,
    /// Memory that instances have for themselves.
    pub private: &'a Range<u64>,
    /// The group of each wave.
    pub slots: &'a [GroupSlot],
    /// Number of the first wave given to the engine.
    pub first: usize,
    /// The thread's.
    pub unit: &'a mut Unit,
}

impl Ports for GroupPorts<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        let first = self.first + batch.first;
        let waves = batch.waves;
        for port in ports {
            let found = self.lifted.ports.get(port as usize);
            if let Some(Port::Sample(sample)) = found
                && waves.len() > 1
                && self.sample_all(port, sample, first, waves)?
            {
                continue;
            }
            for (n, wave) in waves.iter_mut().enumerate() {
                let slot = &self.slots[first + n];
                self.unit.logs.current = slot.log;
                let mut access = GroupAccess {
                    memory: self.memory,
                    level: self.level,
                    private: self.private,
                    slot,
                    site: port,
                    locked: self.lifted.locked.get(port as usize) == Some(&true),
                    unit: &mut *self.unit,
                };
                let done = match found {
                    Some(Port::Load(load)) => access.load(load, wave),
                    Some(Port::Store(store)) => access.store(store, wave),
                    Some(Port::Atomic {
                        op,
                        address,
                        operand,
                        old,
                    }) => access.atomic(*op, (*address, *operand, *old), wave),
                    Some(Port::Sample(sample)) => access.sample(sample, self.stores_texels, wave),
                    _ => self.lifted.serve(port, wave, self.memory).map(|_| ()),
                };
                let races = self.unit.races.as_mut();
                let race = races.and_then(|races| races.found.take());
                let done = match race {
                    Some(reason) => done.and(Err(Fault::Illegal { reason })),
                    None => done,
                };
                done.map_err(|fault| PortFault {
                    port,
                    wave: n,
                    fault,
                })?;
            }
        }
        Ok(())
    }
}

impl GroupPorts<'_> {
    /// Samples for all waves at once, if that is possible.
    fn sample_all(
        &mut self,
        port: u32,
        sample: &SampleOf,
        first: usize,
        waves: &mut [Wave],
    ) -> Result<bool, PortFault> {
        if self.stores_texels || sample.sample.flags.integer {
            return Ok(false);
        }
        for (wave, slot) in waves.iter().zip(&self.slots[first..]) {
            self.unit.logs.current = slot.log;
            self.unit.watch(self.memory, sample, wave);
        }
        let (tpu, memory) = (&mut self.unit.tpu, self.memory);
        tpu.sample_all(self.level, memory, sample, waves)
            .map_err(|fault| PortFault {
                port,
                wave: 0,
                fault,
            })
    }
}

impl Unit {
    /// A wave may read any texel of a texture.
    fn watch(&mut self, memory: &Memory, sample: &SampleOf, wave: &Wave) {
        if self.logs.watches_loads()
            && let Some(bytes) = self.tpu.bytes(memory, sample, wave)
        {
            self.logs.load(texels(&bytes), bytes);
        }
    }
}

/// The site of accesses to a texture, beside those of ports.
fn texels(bytes: &Range<u64>) -> u32 {
    bytes.start as u32 | 1 << 31
}

/// Where the lanes of a wave find their words.
enum Place {
    /// In the memory of the group, at these bytes.
    Group(Lanes),
    /// In video memory, at bytes behind a base; from the lowest to the highest.
    Memory(u64, Lanes, Range<u64>),
    /// Here and there, or not at words.
    Anywhere,
}

/// What a wave of a group does with memory.
struct GroupAccess<'a> {
    memory: &'a Memory,
    level: SimdLevel,
    private: &'a Range<u64>,
    slot: &'a GroupSlot,
    site: u32,
    /// A mutex keeps others out.
    locked: bool,
    unit: &'a mut Unit,
}

impl GroupAccess<'_> {
    /// Where the active lanes find words at an address.
    fn place(&self, wave: &Wave, [low, high]: [Src; 2], active: u64) -> Place {
        let first = (active.trailing_zeros() as usize).min(LANES - 1);
        let upper = value(wave, high, first);
        let same = match high {
            Src::Row(row) => {
                let row = &wave.rows[usize::from(row)].0;
                match active {
                    u64::MAX => row.iter().fold(0, |any, word| any | (word ^ upper)) == 0,
                    _ => each(active).all(|lane| row[lane] == upper),
                }
            }
            _ => true,
        };
        let start = value(wave, low, first);
        let mut offsets = [start; LANES];
        if let Src::Row(row) = low {
            merge(
                self.level,
                active,
                &wave.rows[usize::from(row)].0,
                &mut offsets,
            );
        }
        let odd = offsets.iter().fold(0, |any, at| any | at & 3);
        if !same || odd != 0 {
            return Place::Anywhere;
        }
        let base = u64::from(upper) << 32;
        if base == GROUP_MEMORY {
            return Place::Group(offsets);
        }
        let low = offsets.iter().fold(u32::MAX, |low, at| low.min(*at));
        let high = offsets.iter().fold(0, |high, at| high.max(*at));
        Place::Memory(
            base,
            offsets,
            base + u64::from(low)..base + u64::from(high) + 4,
        )
    }

    /// A lane uses bytes of the group's memory.
    fn note(&mut self, lane: usize, at: u64, size: u8, kind: Kind) {
        let (wave, words) = (self.slot.wave, self.slot.shared.len());
        if let Some(races) = &mut self.unit.races
            && at + u64::from(size) <= 4 * words as u64
        {
            races.run(2 * wave + (lane as u32 / TASK) as u8);
            let kind = if self.locked { Kind::Atomic } else { kind };
            races.note(at as usize, size.into(), kind);
        }
    }

    fn load(&mut self, load: &Load, wave: &mut Wave) -> Result<(), Fault> {
        let active = wave.mask(ACTIVE);
        if active == 0 {
            return Ok(());
        }
        let (File::Rows { first, end }, Amount::Number(count)) = (load.to, load.words) else {
            return self.load_anyhow(load, wave);
        };
        let (first, count) = (usize::from(first), count.min(end - first));
        let mut out = [0; LANES];
        match self.place(wave, load.address, active) {
            Place::Group(offsets) => {
                for n in 0..count {
                    if self.unit.races.is_some() {
                        for lane in each(active) {
                            let at = u64::from(offsets[lane]) + 4 * u64::from(n);
                            self.note(lane, at, 4, Kind::Read);
                        }
                    }
                    let words = &self.unit.shared[self.slot.shared.clone()];
                    row_of(words, &offsets, usize::from(n), &mut out);
                    let row = &mut wave.rows[first + usize::from(n)].0;
                    merge(self.level, active, &out, row);
                }
                Ok(())
            }
            Place::Memory(base, offsets, bytes) => {
                let bytes = bytes.start..bytes.end + 4 * u64::from(count.saturating_sub(1));
                if bytes.end > self.memory.size() {
                    return self.load_anyhow(load, wave);
                }
                if !self.is_private(&bytes) {
                    self.unit.logs.load(self.site, bytes);
                }
                for n in 0..count {
                    let base = base + 4 * u64::from(n);
                    self.memory.gather(base, &offsets, &mut out);
                    let row = &mut wave.rows[first + usize::from(n)].0;
                    merge(self.level, active, &out, row);
                }
                Ok(())
            }
            Place::Anywhere => self.load_anyhow(load, wave),
        }
    }

    fn is_private(&self, bytes: &Range<u64>) -> bool {
        self.private.start <= bytes.start && bytes.end <= self.private.end
    }

    /// A load word by word, to rows or to registers that lanes share: those of the first lane then.
    fn load_anyhow(&mut self, load: &Load, wave: &mut Wave) -> Result<(), Fault> {
        let active = wave.mask(ACTIVE);
        let (first, end, lanes) = match load.to {
            File::Rows { first, end } => (first, end, active),
            File::Scalars { first, end } => (first, end, active & active.wrapping_neg()),
        };
        for lane in each(lanes) {
            let start = address_of(wave, load.address, lane);
            let count = load.words.in_lane(wave, lane).min(u32::from(end - first));
            for n in 0..count {
                let word = self.load_word(lane, start.wrapping_add(4 * u64::from(n)))?;
                let to = usize::from(first) + n as usize;
                match load.to {
                    File::Rows { .. } => wave.rows[to].0[lane] = word,
                    File::Scalars { .. } => wave.scalars[to] = word,
                }
            }
        }
        Ok(())
    }

    fn load_word(&mut self, lane: usize, at: u64) -> Result<u32, Fault> {
        if !at.is_multiple_of(4) {
            return Err(fault(lane, at));
        }
        if at >= GROUP_MEMORY {
            let at = at - GROUP_MEMORY;
            self.note(lane, at, 4, Kind::Read);
            let words = &self.unit.shared[self.slot.shared.clone()];
            return Ok(words.get(at as usize / 4).copied().unwrap_or(0));
        }
        let word = self.memory.load(at).ok_or_else(|| fault(lane, at))?;
        let bytes = at..at + 4;
        if !self.is_private(&bytes) {
            self.unit.logs.load(self.site, bytes);
        }
        Ok(word)
    }

    fn store(&mut self, store: &Store, wave: &mut Wave) -> Result<(), Fault> {
        if store.tiled {
            let reason = "a compute task has no tile to store to".to_owned();
            return Err(Fault::Illegal { reason });
        }
        let lanes = match store.mask {
            Some(_) => wave.mask(ACTIVE) & wave.mask(COVERED),
            None => wave.mask(ACTIVE),
        };
        let size = store.size;
        let ones = u32::MAX >> (32 - 8 * u32::from(size));
        store.items_of(wave, lanes, |lane, at, item| {
            let shift = 8 * (at as u32 & 3);
            let (mask, bits) = (ones << shift, (item & ones) << shift);
            if at >= GROUP_MEMORY {
                let at = at - GROUP_MEMORY;
                self.note(lane, at, size, Kind::Write);
                let words = &mut self.unit.shared[self.slot.shared.clone()];
                if let Some(word) = words.get_mut(at as usize / 4) {
                    *word = *word & !mask | bits;
                }
                return Some(());
            }
            match self.is_private(&(at..at + u64::from(size))) {
                true => self.memory.merge(at, mask, bits),
                false => {
                    let mut stores = self.unit.logs.stores(self.site, self.memory);
                    stores.merge(at, mask, bits)
                }
            }
        })
    }

    fn atomic(
        &mut self,
        op: Atomic,
        (address, operand, old): ([Src; 2], Src, u16),
        wave: &mut Wave,
    ) -> Result<(), Fault> {
        for lane in each(wave.mask(ACTIVE) & wave.mask(COVERED)) {
            let at = address_of(wave, address, lane);
            let operand = value(wave, operand, lane);
            if !at.is_multiple_of(4) {
                return Err(fault(lane, at));
            }
            let found = if at >= GROUP_MEMORY {
                let at = at - GROUP_MEMORY;
                self.note(lane, at, 4, Kind::Atomic);
                let words = &mut self.unit.shared[self.slot.shared.clone()];
                words.get_mut(at as usize / 4).map_or(0, |word| {
                    let found = *word;
                    *word = apply(op, found, operand);
                    found
                })
            } else {
                let mut stores = self.unit.logs.stores(self.site, self.memory);
                let changed = stores.atomic(at, op, 4, [operand.into(), 0]);
                changed.map_err(|at| fault(lane, at))? as u32
            };
            wave.rows[usize::from(old)].0[lane] = found;
        }
        Ok(())
    }

    fn sample(
        &mut self,
        sample: &SampleOf,
        stores_texels: bool,
        wave: &mut Wave,
    ) -> Result<(), Fault> {
        let Unit { tpu, logs, .. } = &mut *self.unit;
        if logs.watches_loads() {
            let whole = tpu.bytes(self.memory, sample, wave);
            let precise = stores_texels && sample.sample.flags.integer;
            let read = match precise {
                true => tpu.reach(self.memory, sample, wave),
                false => whole.clone(),
            };
            if let (Some(whole), Some(read), true) = (whole, read, sample.data.is_none()) {
                logs.load(texels(&whole), read);
            }
        }
        if sample.data.is_none() {
            return tpu.sample(self.level, self.memory, sample, wave);
        }
        let site = tpu.bytes(self.memory, sample, wave);
        let mut stores = logs.stores(site.as_ref().map_or(0, texels), self.memory);
        tpu.sample_or_store(self.level, self.memory, sample, wave, &mut stores)
    }
}

/// The `n`th words behind some bytes of a group's memory, zero outside.
fn row_of(words: &[u32], offsets: &Lanes, n: usize, out: &mut Lanes) {
    let first = offsets[0] as usize / 4 + n;
    let in_line = (0..)
        .zip(offsets)
        .all(|(lane, at)| *at == offsets[0].wrapping_add(4 * lane));
    if in_line && let Some(line) = words.get(first..first + LANES) {
        out.copy_from_slice(line);
        return;
    }
    for (out, at) in out.iter_mut().zip(offsets) {
        *out = words.get(*at as usize / 4 + n).copied().unwrap_or(0);
    }
}
