//! Local and global data share: DS. [SI 9]
//!
//! A data share is a slice of words. Every element is checked on its own against the smaller of M0's limit and the
//! slice: outside, reads give zero and writes are dropped. Addresses are aligned down to the size of the access. Lanes
//! run in ascending order.

use lanes::{Fault, Row, Wave};
use silicon::SimdLevel;
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::groups::races::{Kind, Races};

use crate::atomic;
use crate::isa::memory::{Access, Atomic, DsOp, DsSem};
use crate::isa::operand::{EXEC, M0};
use crate::isa::words::Ds;

mod dwords;

/// Words of one data share as an instruction sees them.
struct Share<'a> {
    words: &'a mut [u32],
    /// Added to every address, in bytes.
    base: u64,
    /// First byte that is outside, before `base` is added.
    limit: u64,
    /// Misaligned addresses are faults.
    strict: bool,
    races: Option<&'a mut Races>,
    /// Accesses are those of an atomic operation.
    atomic: bool,
}

impl Share<'_> {
    /// A fault if this share asks for alignment and the address has none.
    fn check(&self, lane: usize, address: u64, size: u8) -> Result<(), Fault> {
        let aligned = address.is_multiple_of(u64::from(size));
        match self.strict && !aligned {
            true => Err(Fault::Address {
                lane: lane as u32,
                address,
            }),
            false => Ok(()),
        }
    }

    /// Byte address aligned to `size`, if the whole element is inside.
    fn place(&self, address: u64, size: u64) -> Option<u64> {
        let address = address & !(size - 1);
        (address + size <= self.limit).then(|| address + self.base)
    }

    fn word(&self, address: u64) -> u32 {
        self.words.get((address / 4) as usize).copied().unwrap_or(0)
    }

    fn set_word(&mut self, address: u64, value: u32) {
        if let Some(word) = self.words.get_mut((address / 4) as usize) {
            *word = value;
        }
    }

    fn note(&mut self, at: u64, size: u8, kind: Kind) {
        if let Some(races) = &mut self.races {
            let kind = if self.atomic { Kind::Atomic } else { kind };
            races.note(at as usize, usize::from(size), kind);
        }
    }

    /// An element of 1, 2, 4 or 8 bytes, zero outside.
    fn read(&mut self, address: u64, size: u8) -> u64 {
        let Some(at) = self.place(address, u64::from(size)) else {
            return 0;
        };
        self.note(at, size, Kind::Read);
        let word = u64::from(self.word(at));
        match size {
            1 => word >> (8 * (at & 3)) & 0xff,
            2 => word >> (8 * (at & 2)) & 0xffff,
            4 => word,
            _ => word | u64::from(self.word(at + 4)) << 32,
        }
    }

    fn write(&mut self, address: u64, size: u8, value: u64) {
        let Some(at) = self.place(address, u64::from(size)) else {
            return;
        };
        self.note(at, size, Kind::Write);
        match size {
            1 | 2 => {
                let shift = 8 * (at & 3);
                let mask = (if size == 1 { 0xff } else { 0xffff }) << shift;
                let old = u64::from(self.word(at));
                self.set_word(at, (old & !mask | value << shift & mask) as u32);
            }
            4 => self.set_word(at, value as u32),
            _ => {
                self.set_word(at, value as u32);
                self.set_word(at + 4, (value >> 32) as u32);
            }
        }
    }
}

/// What one data share instruction works on.
#[derive(Debug)]
pub struct Shares<'a> {
    /// Local share of the wave's group.
    pub local: &'a mut [u32],
    /// Global share.
    pub global: &'a mut [u32],
    /// Global wave sync.
    pub sync: &'a mut Sync,
    /// Misaligned addresses are faults.
    pub strict: bool,
    /// SIMD level of rows; results do not depend on it.
    pub level: SimdLevel,
    /// Finds races in the local share.
    pub races: Option<&'a mut Races>,
}

/// Runs one data share instruction on the wave's local share, or on the chip's global one.
pub fn run(inst: &Ds, wave: &mut Wave, shares: Shares<'_>) -> Result<(), Fault> {
    let Shares {
        local: lds,
        global: gds,
        sync,
        strict,
        level,
        races,
    } = shares;
    let races = races.filter(|_| !inst.gds);
    let m0 = wave.scalars[usize::from(M0)];
    let (words, base, size) = match inst.gds {
        // M0 = base in 31:16, size in 15:0. [SI 9.3.1]
        true => (gds, u64::from(m0 >> 16), u64::from(m0 & 0xffff)),
        // M0 clamps the size in 17 bits; all ones do not clamp.
        false if m0 == u32::MAX => (lds, 0, u64::MAX),
        false => (lds, 0, u64::from(m0 & 0x1_ffff)),
    };
    let limit = size.min((words.len() as u64 * 4).saturating_sub(base));
    let mut share = Share {
        words,
        base,
        limit,
        strict,
        races,
        atomic: matches!(
            inst.op.sem(),
            DsSem::Atomic { .. } | DsSem::Src2 { .. } | DsSem::Exchange2 { .. } | DsSem::Counter
        ),
    };
    let exec = wave.mask(u16::from(EXEC));
    let offset = u64::from(inst.offset0) | u64::from(inst.offset1) << 8;
    match inst.op.sem() {
        DsSem::Swizzle => swizzle(inst, wave, exec, offset as u32),
        DsSem::Counter => counter(inst, wave, &mut share, exec, offset),
        DsSem::OrderedCount => ordered(inst, wave, &mut share, exec)?,
        DsSem::Gws { .. } => sync.run(inst, wave, exec)?,
        _ if dwords::run(level, inst, wave, &mut share, exec) => {}
        sem => {
            for lane in lanes_of(exec) {
                element(inst, sem, wave, &mut share, lane, offset)?;
            }
        }
    }
    let found = share.races.and_then(|races| races.found.take());
    found.map_or(Ok(()), |reason| Err(Fault::Illegal { reason }))
}

/// The dword that operand LDS_DIRECT stands for: address in M0 15:0, type in 18:16. [SI 8.3]
pub fn direct(lds: &[u32], wave: &Wave) -> u32 {
    let m0 = wave.scalars[usize::from(M0)];
    let address = m0 & 0xffff;
    let word = lds.get(address as usize / 4).copied().unwrap_or(0);
    let byte = word >> (8 * (address & 3)) & 0xff;
    let half = word >> (8 * (address & 2)) & 0xffff;
    match m0 >> 16 & 7 {
        0 => byte,
        1 => half,
        4 => i32::from(byte as i8) as u32,
        5 => i32::from(half as i16) as u32,
        _ => word,
    }
}

/// The operand and the comparator of an atomic operation, from DATA0 and DATA1: DS_CMPST takes the comparator first, unlike
/// buffers and images. [SI 9.3]
fn operands<T>(op: Atomic, [first, second]: [T; 2]) -> [T; 2] {
    match op {
        Atomic::CompareSwap | Atomic::FCompareSwap => [second, first],
        _ => [first, second],
    }
}

fn element(
    inst: &Ds,
    sem: DsSem,
    wave: &mut Wave,
    share: &mut Share<'_>,
    lane: usize,
    offset: u64,
) -> Result<(), Fault> {
    let get = |wave: &Wave, register: u8, size: u8| -> u64 {
        let at = usize::from(register);
        let low = u64::from(wave.rows[at].0[lane]);
        if size == 8 {
            low | u64::from(wave.rows[(at + 1) & 255].0[lane]) << 32
        } else {
            low
        }
    };
    let put = |wave: &mut Wave, register: u8, size: u8, value: u64| {
        let at = usize::from(register);
        wave.rows[at].0[lane] = value as u32;
        if size == 8 {
            wave.rows[(at + 1) & 255].0[lane] = (value >> 32) as u32;
        }
    };
    let base = get(wave, inst.addr, 4);
    let one = base + offset;
    let two = |offset: u8, size: u8, stride: u8| {
        base + u64::from(offset) * u64::from(size) * u64::from(stride)
    };
    match sem {
        DsSem::Atomic { size, .. } | DsSem::Src2 { size, .. } => share.check(lane, one, size)?,
        DsSem::Read(access) | DsSem::Write(access) => {
            share.check(lane, one, access.bytes() as u8)?
        }
        DsSem::Read2 { size, .. } | DsSem::Write2 { size, .. } | DsSem::Exchange2 { size, .. } => {
            share.check(lane, base, size)?
        }
        _ => {}
    }
    match sem {
        DsSem::Atomic { op, size, returns } => {
            let data = [inst.data0, inst.data1].map(|register| get(wave, register, size));
            let [data, second] = operands(op, data);
            let old = share.read(one, size);
            share.write(one, size, atomic::apply(op, size, old, data, second));
            if returns {
                put(wave, inst.vdst, size, old);
            }
        }
        DsSem::Src2 { op, size } => {
            // The second operand lies at A + 4 * K. [SI DS_*_SRC2]
            let k = match inst.offset1 & 0x80 {
                0 => i64::from(((offset as i32) << 17) >> 17),
                _ => i64::from(one as u32 as i32 >> 17),
            };
            let other = share.read(one.wrapping_add_signed(4 * k), size);
            let old = share.read(one, size);
            share.write(one, size, atomic::apply(op, size, old, other, 0));
        }
        DsSem::Read(access) => {
            let size = access.bytes() as u8;
            let value = share.read(one, size);
            let value = match access {
                Access::I8 => i64::from(value as i8) as u64,
                Access::I16 => i64::from(value as i16) as u64,
                _ => value,
            };
            put(wave, inst.vdst, size.max(4), value);
        }
        DsSem::Write(access) => {
            let size = access.bytes() as u8;
            let value = get(wave, inst.data0, size);
            share.write(one, size, value);
        }
        DsSem::Read2 { size, stride } => {
            let first = share.read(two(inst.offset0, size, stride), size);
            let second = share.read(two(inst.offset1, size, stride), size);
            put(wave, inst.vdst, size, first);
            put(wave, inst.vdst.wrapping_add(size / 4), size, second);
        }
        DsSem::Write2 { size, stride } => {
            let first = get(wave, inst.data0, size);
            share.write(two(inst.offset0, size, stride), size, first);
            // Equal offsets make one access, of the first datum. [SI 9.3.3]
            if inst.offset0 != inst.offset1 {
                let second = get(wave, inst.data1, size);
                share.write(two(inst.offset1, size, stride), size, second);
            }
        }
        DsSem::Exchange2 { size, stride } => {
            let (a, b) = (
                two(inst.offset0, size, stride),
                two(inst.offset1, size, stride),
            );
            let (data0, data1) = (get(wave, inst.data0, size), get(wave, inst.data1, size));
            let (first, second) = (share.read(a, size), share.read(b, size));
            share.write(a, size, data0);
            if a != b {
                share.write(b, size, data1);
            }
            put(wave, inst.vdst, size, first);
            put(wave, inst.vdst.wrapping_add(size / 4), size, second);
        }
        DsSem::Swizzle | DsSem::Counter | DsSem::OrderedCount | DsSem::Gws { .. } => {}
    }
    Ok(())
}

/// DS_ORDERED_COUNT: an operation on a dword of the global share that waves do one after the other, in the order in
/// which they started; that is the order in which they run here. OFFSET0[7:2] is the dword, OFFSET1[5:4] the operation
/// (0 adds, 1 exchanges) and OFFSET1[1:0] what the wave tells the waves behind it. Enabled lanes take part in ascending
/// order and get the value before their turn. [ERRATA 36]
fn ordered(inst: &Ds, wave: &mut Wave, share: &mut Share<'_>, exec: u64) -> Result<(), Fault> {
    if !inst.gds {
        return Err(Fault::Illegal {
            reason: "DS_ORDERED_COUNT counts in the global data share only".to_owned(),
        });
    }
    let at = u64::from(inst.offset0 & 0xfc);
    let op = match inst.offset1 >> 4 & 3 {
        0 => Atomic::Add,
        1 => Atomic::Swap,
        code => {
            return Err(Fault::Illegal {
                reason: format!("DS_ORDERED_COUNT has no operation {code}"),
            });
        }
    };
    for lane in lanes_of(exec) {
        let data = u64::from(wave.rows[usize::from(inst.addr)].0[lane]);
        let old = share.read(at, 4);
        share.write(at, 4, atomic::apply(op, 4, old, data, 0));
        wave.rows[usize::from(inst.vdst)].0[lane] = old as u32;
    }
    Ok(())
}

/// Global wave sync: 64 counters that are semaphores or barriers. [SI 9.3 DS_GWS; ERRATA 35]
///
/// Waves run one after the other, so one that has to wait would wait for ever: that is a fault.
#[derive(Clone, Debug)]
pub struct Sync {
    counters: [u32; 64],
}

impl Default for Sync {
    fn default() -> Sync {
        Sync { counters: [0; 64] }
    }
}

impl Sync {
    /// The resource is M0[21:16] + OFFSET0; data comes from the lowest enabled lane.
    fn run(&mut self, inst: &Ds, wave: &Wave, exec: u64) -> Result<(), Fault> {
        if exec == 0 {
            return Ok(());
        }
        let data = wave.rows[usize::from(inst.addr)].0[exec.trailing_zeros() as usize];
        let resource = (wave.scalars[usize::from(M0)] >> 16) + u32::from(inst.offset0);
        let at = resource as usize % self.counters.len();
        let counter = &mut self.counters[at];
        let stuck = |what: String| {
            Err(Fault::Illegal {
                reason: format!("{} {at} {what}", inst.op.name()),
            })
        };
        match inst.op {
            DsOp::DS_GWS_INIT => *counter = data,
            DsOp::DS_GWS_SEMA_V => *counter = counter.wrapping_add(1),
            DsOp::DS_GWS_SEMA_BR => *counter = counter.wrapping_add(data),
            DsOp::DS_GWS_SEMA_P if *counter == 0 => {
                return stuck("waits for a semaphore that no other wave can release".to_owned());
            }
            DsOp::DS_GWS_SEMA_P => *counter -= 1,
            _ if data > 1 => {
                return stuck(format!(
                    "waits for {data} waves, and they run one at a time"
                ));
            }
            _ => {}
        }
        Ok(())
    }
}

/// DS_APPEND and DS_CONSUME: the number of enabled lanes is added to or taken from a counter at M0's base.
fn counter(inst: &Ds, wave: &mut Wave, share: &mut Share<'_>, exec: u64, offset: u64) {
    // A local counter lies at the address in M0 31:16; a global one has its base in the share already.
    let at = if inst.gds {
        offset
    } else {
        u64::from(wave.scalars[usize::from(M0)] >> 16) + offset
    };
    let old = share.read(at, 4) as u32;
    let count = exec.count_ones();
    let new = match inst.op {
        DsOp::DS_APPEND => old.wrapping_add(count),
        _ => old.wrapping_sub(count),
    };
    share.write(at, 4, u64::from(new));
    for lane in lanes_of(exec) {
        wave.rows[usize::from(inst.vdst)].0[lane] = old;
    }
}

/// DS_SWIZZLE_B32; a source lane that is not enabled gives zero. [SI 9.3 DS_SWIZZLE]
fn swizzle(inst: &Ds, wave: &mut Wave, exec: u64, offset: u32) {
    let source: Row = wave.rows[usize::from(inst.addr)];
    let result = &mut wave.rows[usize::from(inst.vdst)].0;
    for lane in lanes_of(exec) {
        let from = match offset & 0x8000 {
            0 => {
                let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
                lane & 32 | (((lane as u32 & and) | or) ^ xor) as usize & 31
            }
            _ => lane & !3 | (offset >> (2 * (lane & 3)) & 3) as usize,
        };
        result[lane] = if exec >> from & 1 == 1 {
            source.0[from]
        } else {
            0
        };
    }
}
